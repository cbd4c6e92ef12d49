"""A quarter car on a passive suspension drives over a bump, soft and hard.

Body and wheel are masses; a spring and a damper carry the body, the tyre is a spring to the road
that can lift off. The damper warms its oil, which cools in the wind. Prints comfort and road
holding for three dampers. Writes quarter_car.png (plot) and quarter_car_pose.png (picture).
"""

import numpy as np

from motorik import Model, blocks, connect, heat, translational

GRAVITY = 9.81  # m/s²
BODY, WHEEL = 320.0, 42.0  # kg
SPRING, TYRE = 22e3, 190e3  # N/m
AXLE, DECK = 0.3, 0.6  # m, heights without load
BUMP, LENGTH, SPEED = 0.06, 0.8, 10.0  # m, m, m/s


def bump(time):
    """Return the height of the road under the wheel."""
    way = SPEED * (time - 0.5) / LENGTH
    inside = (way > 0.0) & (way < 1.0)
    return np.where(inside, 0.5 * BUMP * (1.0 - np.cos(2.0 * np.pi * way)), 0.0)


class QuarterCar(Model):
    """A quarter of a car, from the road up."""

    def build(self, damping: float = 1400.0) -> None:
        """Connect road, tyre, wheel, suspension and body; both masses start at rest."""
        times = np.linspace(0.0, 3.0, 3001)
        self.profile = blocks.TimeTable(table=np.column_stack([times, bump(times)]))
        self.road = translational.Position(exact=False, f_crit=200.0)
        self.tyre = translational.ElastoGap(c=TYRE, d=150.0, s_rel0=AXLE)
        weight = (BODY + WHEEL) * GRAVITY
        axle = AXLE - weight / TYRE
        deck = axle + (DECK - AXLE) - BODY * GRAVITY / SPRING
        self.wheel = translational.Mass(m=WHEEL, s=axle, v=0.0)
        self.spring = translational.Spring(c=SPRING, s_rel0=DECK - AXLE)
        self.damper = translational.Damper(d=damping)
        self.body = translational.Mass(m=BODY, s=deck, v=0.0)
        self.wheel_weight = translational.ConstantForce(f_constant=-WHEEL * GRAVITY)
        self.body_weight = translational.ConstantForce(f_constant=-BODY * GRAVITY)
        self.profile.y >> self.road.s_ref
        connect(self.road.flange, self.tyre.flange_a)
        connect(self.tyre.flange_b, self.wheel.flange_a, self.wheel_weight.flange)
        connect(self.wheel.flange_b, self.spring.flange_a, self.damper.flange_a)
        connect(self.spring.flange_b, self.damper.flange_b, self.body.flange_a)
        connect(self.body.flange_b, self.body_weight.flange)
        self.build_cooling()

    def build_cooling(self) -> None:
        """Let the damper warm its oil, and the wind cool that."""
        self.oil = heat.HeatCapacitor(C=800.0, T=293.15)
        self.wind, self.air = heat.ThermalConductor(G=5.0), heat.FixedTemperature(T=293.15)
        connect(self.damper.heatPort, self.oil.port, self.wind.port_a)
        connect(self.wind.port_b, self.air.port)


def main() -> None:
    """Drive over the bump with three dampers."""
    for damping in (500.0, 1400.0, 4000.0):
        result = QuarterCar(damping=damping).simulate(3.0, interval=0.002)
        comfort = np.sqrt(np.mean(np.asarray(result["body.a"]) ** 2))
        load = -np.asarray(result["tyre.f"])
        lifted = 100.0 * np.mean(load <= 0.0)
        print(
            f"d = {damping:4.0f} N·s/m: acceleration of the body {comfort:.2f} m/s² (rms), "
            f"load of the tyre {load.min():.0f} to {load.max():.0f} N, off the road "
            f"{lifted:.1f} % of the time, oil {result['oil.T'][-1] - 293.15:.3f} K warmer"
        )
    result = QuarterCar().simulate(3.0, interval=0.002)
    result.plot(
        "profile.y",
        "wheel.s",
        "body.s",
        "body.a",
        "tyre.f",
        "oil.T",
        file="quarter_car.png",
    )
    result.draw(0.55, file="quarter_car_pose.png")


if __name__ == "__main__":
    main()
