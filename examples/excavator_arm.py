"""An excavator arm on three hydraulic cylinders digs: it reaches down, curls in and lifts.

A pump with a relief valve feeds three directional valves; each lets oil into one or the other
chamber of its cylinder until the length is that of the plan. x points forward, y up. Prints how
much work the pump does and where it goes. Writes excavator_arm.png (plot) and
excavator_arm_pose.png (picture).
"""

import numpy as np

from motorik import (
    BodyBox,
    FixedTranslation,
    Model,
    Revolute,
    World,
    blocks,
    connect,
    deg,
    hydraulic,
    rotational,
    sensors,
)

#: Points [m] on the carriage, on the boom, the stick and the bucket, each from its own hinge.
BOOM_HINGE, BOOM_FOOT = np.array((0.0, 1.5, 0.0)), np.array((0.9, 1.0, 0.0))
BOOM_EYE, STICK_HINGE = np.array((2.3, -0.2, 0.0)), np.array((5.0, 0.0, 0.0))
STICK_FOOT, STICK_EYE = np.array((2.2, 0.7, 0.0)), np.array((-0.7, 0.2, 0.0))
BUCKET_HINGE, BUCKET_FOOT = np.array((2.6, 0.0, 0.0)), np.array((0.3, 0.5, 0.0))
BUCKET_EYE, TEETH = np.array((-0.1, 0.45, 0.0)), np.array((1.3, 0.0, 0.0))
#: Angles of the hinges at the start, and lengths [m] of the cylinders at some times [s].
START = {"boom": deg(35), "stick": deg(-70), "bucket": deg(-30)}
PLAN = {
    "boom": ((0.0, 1.99), (1.0, 1.99), (3.0, 1.57), (5.5, 1.57), (8.5, 2.2), (10.0, 2.2)),
    "stick": ((0.0, 2.75), (1.0, 2.75), (3.0, 2.5), (6.5, 3.2), (10.0, 3.2)),
    "bucket": ((0.0, 2.44), (1.0, 2.44), (3.0, 2.3), (6.5, 2.7), (10.0, 2.7)),
}
#: Bore and rod, length when retracted and stroke [m], and the pressures at rest [Pa].
CYLINDERS = {
    "boom": (0.14, 0.09, 1.3, 1.1, 8.8e6, 4e6),
    "stick": (0.13, 0.09, 2.2, 1.4, 2.0e6, 8.0e6),
    "bucket": (0.11, 0.08, 1.9, 1.0, 1.5e6, 4e6),
}


class Excavator(Model):
    """Boom, stick and bucket with their cylinders, valves and the pump."""

    def build(self) -> None:
        """Build the arm, then the pump, then a cylinder with its valve for each hinge."""
        self.world = World(n="-y")
        self.build_arm()
        self.build_pump()
        ground, boom = self.world.frame_b, self.boom.frame_a
        stick, bucket = self.stick.frame_a, self.bucket.frame_a
        self.drive("boom", self.at(ground, BOOM_FOOT), self.at(boom, BOOM_EYE))
        self.drive("stick", self.at(boom, STICK_FOOT), self.at(stick, STICK_EYE))
        self.drive("bucket", self.at(stick, BUCKET_FOOT), self.at(bucket, BUCKET_EYE))

    def build_arm(self) -> None:
        """Build three bars on their hinges, one after the other."""
        self.tower = FixedTranslation(r=tuple(BOOM_HINGE))
        connect(self.world.frame_b, self.tower.frame_a)
        self.boom_hinge = Revolute(n="z", phi=START["boom"], w=0.0)
        self.boom = BodyBox(r=tuple(STICK_HINGE), width=0.35, density=2400.0)
        self.stick_hinge = Revolute(n="z", phi=START["stick"], w=0.0)
        self.stick = BodyBox(r=tuple(BUCKET_HINGE), width=0.28, density=3400.0)
        self.bucket_hinge = Revolute(n="z", phi=START["bucket"], w=0.0)
        self.bucket = BodyBox(r=tuple(TEETH), width=0.5, height=0.9, density=1000.0)
        connect(self.tower.frame_b, self.boom_hinge.frame_a)
        connect(self.boom_hinge.frame_b, self.boom.frame_a)
        connect(self.boom.frame_b, self.stick_hinge.frame_a)
        connect(self.stick_hinge.frame_b, self.stick.frame_a)
        connect(self.stick.frame_b, self.bucket_hinge.frame_a)
        connect(self.bucket_hinge.frame_b, self.bucket.frame_a)

    def build_pump(self) -> None:
        """Build a pump that turns at 1800 revolutions per minute, its line and relief valve."""
        self.engine = rotational.ConstantSpeed(w_fixed=188.5)
        self.pump = hydraulic.Pump(D=3e-5, G_leak=2e-12)
        self.tank, self.line = hydraulic.Tank(), hydraulic.LineVolume(V=5e-3, p=2e7)
        self.relief = hydraulic.ReliefValve(A=2e-4, p_open=2e7, p_full=2.2e7)
        connect(self.engine.flange, self.pump.flange)
        connect(self.tank.port, self.pump.port_a, self.relief.port_b)
        connect(self.pump.port_b, self.line.port, self.relief.port_a)

    def at(self, frame, point):
        """Return a new frame at a point of a body."""
        place = FixedTranslation(r=tuple(point))
        setattr(self, f"eye{len(self.parts)}", place)
        connect(frame, place.frame_a)
        return place.frame_b

    def drive(self, name: str, foot, eye) -> None:
        """Put a cylinder with its valve and controller between two frames."""
        bore, rod, L_0, stroke, p_a, p_b = CYLINDERS[name]
        A_a, A_b = 0.25 * np.pi * bore**2, 0.25 * np.pi * (bore**2 - rod**2)
        cylinder = hydraulic.CylinderBetweenFrames(
            A_a=A_a, A_b=A_b, V_a=2e-3, V_b=2e-3, stroke=stroke, L_0=L_0, d=5e4,
            G_leak=1e-11, p_a=p_a, p_b=p_b,
        )  # fmt: skip
        valve = hydraulic.DirectionalValve(A=4e-5)
        length, error, gain = (
            sensors.DistanceSensor(),
            blocks.Feedback(),
            blocks.Gain(k=8.0),
        )
        plan = blocks.TimeTable(table=PLAN[name])
        for kind, part in {
            "cylinder": cylinder, "valve": valve, "length": length, "error": error,
            "gain": gain, "plan": plan,
        }.items():  # fmt: skip
            setattr(self, f"{name}_{kind}", part)
        connect(foot, cylinder.frame_a, length.frame_a)
        connect(eye, cylinder.frame_b, length.frame_b)
        connect(self.line.port, valve.port_p)
        connect(self.tank.port, valve.port_t)
        connect(valve.port_a, cylinder.port_a)
        connect(valve.port_b, cylinder.port_b)
        plan.y >> error.u1
        length.distance >> error.u2
        error.y >> gain.u
        gain.y >> valve.spool


def main() -> None:
    """Dig, and show lengths, pressures and the pose."""
    model = Excavator()
    result = model.simulate(10.0, interval=0.01)
    time = np.asarray(result.time)

    def energy(power):
        return np.trapezoid(np.asarray(power), time) / 1e3

    print(f"the pump does {energy(188.5 * result['pump.flange.tau']):.0f} kJ of work:")
    print(f"  relief valve {energy(result['relief.lossPower']):.0f} kJ")
    for name in START:
        print(f"  valve of the {name} {energy(result[f'{name}_valve.lossPower']):.0f} kJ")
    result.plot(
        *(f"{name}_cylinder.x" for name in START),
        *(f"{name}_cylinder.p_a" for name in START),
        "line.p",
        file="excavator_arm.png",
    )
    result.draw(4.0, trace="bucket.frame_b.r_0", file="excavator_arm_pose.png")


if __name__ == "__main__":
    main()
