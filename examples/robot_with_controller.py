"""Robot with a controller in the loop: three geared axes, PID control, feed-forward torques.

The tool moves from one point to another in a second. Inverse kinematics gives the angles, a
polynomial the motion between them, inverse dynamics the torques for it, and PID controllers
correct the error, since the load is heavier than planned. Writes robot_with_controller.png (plot)
and robot_with_controller_pose.png (picture).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from motorik import (
    Body,
    BodyCylinder,
    Model,
    Parameter,
    Revolute,
    World,
    blocks,
    rotational,
    where,
)

DURATION = 1.0  # s
RATIO = 80.0  # of the gears
ROTOR = 2e-4  # kg·m²
AXES = {"base": "y", "shoulder": "z", "elbow": "z"}


class Arm(Model):
    """A robot arm with three axes and a load, without drives."""

    def build(self, load_mass: float | Parameter = 5.0) -> None:
        """Connect column, upper arm and forearm."""
        self.world = World()
        self.base = Revolute(n="y", useAxisFlange=True)
        self.column = BodyCylinder(r=(0, 0.4, 0), diameter=0.12, density=2700.0)
        self.shoulder = Revolute(n="z", useAxisFlange=True, phi=0.8)
        self.upper = BodyCylinder(r=(0.5, 0, 0), diameter=0.09, density=2700.0)
        self.elbow = Revolute(n="z", useAxisFlange=True, phi=-1.4)
        self.forearm = BodyCylinder(r=(0.45, 0, 0), diameter=0.07, density=2700.0)
        self.load = Body(m=load_mass, r_CM=(0, 0, 0))
        self.connect(self.world.frame_b, self.base.frame_a)
        self.connect(self.base.frame_b, self.column.frame_a)
        self.connect(self.column.frame_b, self.shoulder.frame_a)
        self.connect(self.shoulder.frame_b, self.upper.frame_a)
        self.connect(self.upper.frame_b, self.elbow.frame_a)
        self.connect(self.elbow.frame_b, self.forearm.frame_a)
        self.connect(self.forearm.frame_b, self.load.frame_a)


class Drive(Model):
    """A drive of one axis: reference, PID controller, feed-forward torque, rotor and gear."""

    def build(
        self, begin: float, end: float, torque: Sequence[float], k: float = 400.0
    ) -> None:
        """Follow a reference from `begin` to `end` [rad]; `torque` is a polynomial in t [N·m]."""
        self.reference = blocks.TimeFunction(f=lambda t: begin + (end - begin) * step(t)[0])
        self.planned = blocks.TimeFunction(
            f=lambda t: polynomial(torque, where(t < DURATION, t, DURATION))
        )
        self.sensor = rotational.AngleSensor()
        self.error = blocks.Feedback()
        self.pid = blocks.PID(k=k, Ti=0.5, Td=0.15)
        self.total = blocks.Add(k1=1.0 / RATIO, k2=1.0 / RATIO)
        self.motor = rotational.Torque2()
        self.rotor = rotational.Inertia(J=ROTOR)
        self.gear = rotational.IdealGear(ratio=RATIO)
        self.connect(self.reference.y, self.error.u1)
        self.connect(self.sensor.phi, self.error.u2)
        self.connect(self.error.y, self.pid.u)
        self.connect(self.pid.y, self.total.u1)
        self.connect(self.planned.y, self.total.u2)
        self.connect(self.total.y, self.motor.tau)
        self.connect(self.motor.flange_b, self.rotor.flange_a)
        self.connect(self.rotor.flange_b, self.gear.flange_a)
        self.connect(self.gear.flange_b, self.sensor.flange)


class ControlledArm(Model):
    """The arm with a drive on each axis."""

    def build(
        self,
        begin: Mapping[str, float],
        end: Mapping[str, float],
        torques: Mapping[str, Sequence[float]],
        load_mass: float | Parameter = 5.0,
    ) -> None:
        """Connect a drive with every joint."""
        self.arm = Arm(load_mass=load_mass)
        for axis in AXES:
            joint = getattr(self.arm, axis)
            first, last = begin[f"{axis}.phi"], end[f"{axis}.phi"]
            joint.phi = first
            drive = Drive(begin=first, end=last, torque=torques[f"{axis}.phi"])
            setattr(self, f"{axis}_drive", drive)
            self.connect(drive.gear.flange_b, joint.axis)
            self.connect(drive.motor.flange_a, joint.support)


def step(t):
    """Return a smooth motion from 0 to 1 in DURATION, its rate and its second rate."""
    x = where(t < DURATION, t / DURATION, 1.0)
    return (
        x**3 * (10 - 15 * x + 6 * x**2),
        30 * x**2 * (1 - x) ** 2 / DURATION,
        60 * x * (1 - x) * (1 - 2 * x) / DURATION**2,
    )


def polynomial(coefficients, t):
    """Return a polynomial at t, highest power first."""
    value = 0.0 * t
    for c in coefficients:
        value = value * t + c
    return value


def main() -> None:
    """Plan the motion, simulate it with the planned load and with a heavier one."""
    arm = Arm(load_mass=5.0)
    begin = arm.inverse_kinematics({"forearm.frame_b.r_0": (0.5, 0.3, 0.4)})
    end = arm.inverse_kinematics({"forearm.frame_b.r_0": (0.3, 0.7, -0.5)})
    t = np.linspace(0.0, DURATION, 201)
    s, sd, sdd = np.array([step(value) for value in t]).T
    move = {
        name: (
            begin[name] + (end[name] - begin[name]) * s,
            *((end[name] - begin[name]) * r for r in (sd, sdd)),
        )
        for name in (f"{axis}.phi" for axis in AXES)
    }
    needed = arm.inverse_dynamics(t, move)
    torques = {}
    for name, values in needed.items():
        with_rotor = values + ROTOR * RATIO**2 * move[name][2]
        torques[name] = [float(c) for c in np.polyfit(t, with_rotor, 12)]
    robot = ControlledArm(begin=begin, end=end, torques=torques, load_mass=Parameter(5.0))
    for load in (5.0, 8.0):
        result = robot.simulate(2.0, rtol=1e-8, parameters={"load_mass": load})
        worst = max(np.abs(result[f"{axis}_drive.error.y"]).max() for axis in AXES)
        missed = np.linalg.norm(result["arm.forearm.frame_b.r_0"][-1] - (0.3, 0.7, -0.5))
        print(
            f"load {load:.0f} kg: at most {1e3 * worst:.2f} mrad off, at last {1e3 * missed:.2f} mm"
        )
    print(result.summary())
    errors = [f"{axis}_drive.error.y" for axis in AXES]
    result.plot(
        "arm.base.phi",
        "arm.shoulder.phi",
        "arm.elbow.phi",
        *errors,
        "shoulder_drive.motor.tau",
        file="robot_with_controller.png",
    )
    result.draw(0.2, trace="arm.forearm.frame_b.r_0", file="robot_with_controller_pose.png")


if __name__ == "__main__":
    main()
