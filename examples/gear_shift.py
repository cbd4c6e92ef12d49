"""A gear shift: two clutches bring a car from first gear into second without a break in torque.

While one clutch opens, the other closes and slips until engine and gearbox fit together; then
it locks. The example prints when each clutch slips and locks, and the heat it takes. Writes
gear_shift.png.
"""

from motorik import Model, blocks, rotational, translational

FIRST, SECOND, AXLE = 3.6, 2.1, 3.9  # ratios
WHEEL = 0.31  # m


class GearShift(Model):
    """Engine, two clutches with a gear each, car."""

    def build(self) -> None:
        """Connect the line; the second clutch takes over from 1 s on."""
        self.engine = rotational.Inertia(J=0.2, phi=0.0, w=250.0)
        self.torque = rotational.ConstantTorque(tau_constant=140.0)
        self.opening = blocks.Ramp(height=-1.0, offset=1.0, startTime=1.0, duration=0.25)
        self.closing = blocks.Ramp(height=1.0, startTime=1.0, duration=0.4)
        self.clutch1 = rotational.Clutch(fn_max=700.0, mu_pos=[[0.0, 0.5]])
        self.clutch2 = rotational.Clutch(fn_max=700.0, mu_pos=[[0.0, 0.5]])
        self.gear1 = rotational.IdealGear(ratio=FIRST)
        self.gear2 = rotational.IdealGear(ratio=SECOND)
        self.hub1, self.hub2 = rotational.Inertia(J=0.01), rotational.Inertia(J=0.01)
        self.axle = rotational.IdealGear(ratio=AXLE)
        self.road = rotational.IdealRollingWheel(radius=WHEEL)
        self.car = translational.Mass(m=1300.0, s=0.0, v=250.0 / (FIRST * AXLE) * WHEEL)
        self.connect(self.torque.flange, self.engine.flange_a)
        for clutch, hub, gear in (
            (self.clutch1, self.hub1, self.gear1),
            (self.clutch2, self.hub2, self.gear2),
        ):
            self.connect(self.engine.flange_b, clutch.flange_a)
            self.connect(clutch.flange_b, hub.flange_a)
            self.connect(hub.flange_b, gear.flange_a)
            self.connect(gear.flange_b, self.axle.flange_a)
        self.connect(self.axle.flange_b, self.road.flangeR)
        self.connect(self.road.flangeT, self.car.flange_a)
        self.connect(self.opening.y, self.clutch1.f_normalized)
        self.connect(self.closing.y, self.clutch2.f_normalized)


def main() -> None:
    """Shift, and show what the clutches do."""
    result = GearShift().simulate(3.0, rtol=1e-8, output=3000)
    print(result.events)
    for name in ("clutch1", "clutch2"):
        power = result[f"{name}.lossPower"]
        heat = sum(0.5 * (power[1:] + power[:-1]) * (result.time[1:] - result.time[:-1]))
        print(f"{name} turns {heat:.0f} J into heat")
    print(f"the car ends at {3.6 * result['car.v'][-1]:.1f} km/h")
    result.plot(
        "engine.w",
        "car.v",
        "clutch1.tau",
        "clutch2.tau",
        "clutch2.mode",
        file="gear_shift.png",
    )


if __name__ == "__main__":
    main()
