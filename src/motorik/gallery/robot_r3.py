"""The r3 robot: six axes, each with a motor, a gear and a controller.

Dimensions and gains are those of the r3 robot of Modelica's MultiBody library, after a model of
Türk (1990): electrical motors with current control by operational amplifiers, gears with
elasticity and friction, cascades of a position and a speed controller, and reference motions as
fast as the limits of speed and acceleration allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import radians

from motorik import Body, BodyShape, Revolute, World, blocks, electrical, rotational, steady
from motorik.components.base.kind import AxisName
from motorik.components.base.ports import RotationalFlange
from motorik.model import Model


class R3Motor(Model):
    """A motor with current control.

    The voltage of the reference current and that of the measured current are compared by an
    amplifier, integrated by a second one and amplified by a third, which drives the motor.
    """

    def build(
        self,
        J: float = 0.0013,
        k: float = 1.1616,
        w: float = 4590.0,
        D: float = 0.6,
        animation: bool = True,
    ) -> None:
        """Build the motor with a rotor of inertia J [kg·m²] and the torque constant k [N·m/A].

        w [rad/s] and D are the undamped frequency and the damping of the current control.
        Its shaft is drawn with `animation`.
        """
        e = electrical
        self.Vs, self.hall2 = e.SignalVoltage(), e.SignalVoltage()
        self.diff, self.OpI, self.power = e.IdealOpAmp(), e.IdealOpAmp(), e.IdealOpAmp()
        self.Rd1, self.Rd2, self.Rd3, self.Rd4 = (e.Resistor(R=100.0) for _ in range(4))
        self.Ri, self.Rp1, self.Rp2 = (
            e.Resistor(R=10.0),
            e.Resistor(R=200.0),
            e.Resistor(R=50.0),
        )
        self.C = e.Capacitor(C=0.004 * D / w, v=steady())
        self.Ra = e.Resistor(R=250.0)
        self.La = e.Inductor(L=250.0 / (2.0 * D * w), i=steady())
        self.emf, self.hall1 = e.RotationalEMF(k=k), e.CurrentSensor()
        self.ground = e.Ground()
        self.rotor = rotational.Inertia(J=J, animation=animation)
        self.speed = rotational.SpeedSensor(animation=animation)
        self.angle = rotational.AngleSensor(animation=animation)
        self.Vs.p >> self.Rd2.p
        self.connect(self.Rd2.n, self.diff.n1, self.Rd1.p)
        self.connect(self.Rd1.n, self.diff.p2, self.Ri.p)
        self.connect(self.Ri.n, self.OpI.n1, self.C.p)
        self.connect(self.C.n, self.OpI.p2, self.power.p1)
        self.connect(self.power.n1, self.Rp1.p, self.Rp2.p)
        self.connect(self.power.p2, self.Rp1.n, self.Ra.p)
        self.hall2.p >> self.Rd3.p
        self.connect(self.Rd3.n, self.diff.p1, self.Rd4.p)
        self.Ra.n >> self.La.p
        self.La.n >> self.emf.p
        self.emf.n >> self.hall1.p
        self.connect(
            self.ground.p, self.Vs.n, self.hall2.n, self.Rd4.n, self.OpI.p1, self.Rp2.n,
            self.hall1.n, self.OpI.n2, self.diff.n2, self.power.n2,
        )  # fmt: skip
        self.reference, self.measured = (blocks.Gain(k=1.0) for _ in range(2))  # V/A
        self.reference.y >> self.Vs.v
        self.hall1.i >> self.measured.u
        self.measured.y >> self.hall2.v
        self.connect(
            self.emf.flange, self.rotor.flange_a, self.speed.flange, self.angle.flange
        )

    @property
    def flange(self) -> RotationalFlange:
        """The shaft."""
        return self.rotor.flange_b


class R3Controller(Model):
    """A cascade: the position controller P gives a speed, the speed controller PI a current."""

    def build(
        self, kp: float = 10.0, ks: float = 1.0, Ts: float = 0.01, ratio: float = 1.0
    ) -> None:
        """Build the controller with the gains kp of position and ks of speed.

        Ts [s] is the time constant of the latter, `ratio` that of the gear behind the motor.
        """
        self.to_motor_angle, self.to_motor_speed = (blocks.Gain(k=ratio) for _ in range(2))
        self.error, self.P = blocks.Feedback(), blocks.Gain(k=kp)
        self.sum, self.PI = blocks.Add3(k3=-1.0), blocks.PI(k=ks, T=Ts)
        self.to_motor_angle.y >> self.error.u1
        self.error.y >> self.P.u
        self.P.y >> self.sum.u2
        self.to_motor_speed.y >> self.sum.u1
        self.sum.y >> self.PI.u


class R3Axis(Model):
    """An axis: controller, motor and gear; `flange` is the shaft behind the gear.

    With a stiffness c the gear is elastic, with friction at the motor's side; without one it is
    rigid, with friction behind it.
    """

    def build(
        self,
        ratio: float = -105.0,
        c: float | None = None,
        cd: float = 0.005,
        Rv0: float = 0.4,
        Rv1: float = 0.13 / 160.0,
        peak: float = 1.0,
        kp: float = 10.0,
        ks: float = 1.0,
        Ts: float = 0.01,
        k: float = 1.1616,
        w: float = 4590.0,
        D: float = 0.6,
        J: float = 0.0013,
        animation: bool = True,
    ) -> None:
        """Build the axis with the values of its parts; friction is Rv0 + Rv1 |w| [N·m].

        Its shafts are drawn with `animation`.
        """
        self.controller = R3Controller(kp=kp, ks=ks, Ts=Ts, ratio=ratio)
        self.motor = R3Motor(J=J, k=k, w=w, D=D, animation=animation)
        friction = rotational.BearingFriction(
            tau_pos=((0.0, Rv0), (1.0, Rv0 + Rv1)), peak=peak, animation=animation
        )
        self.bearingFriction = friction
        self.gear = rotational.IdealGear(ratio=ratio, animation=animation)
        if c is None:
            self.motor.flange >> self.gear.flange_a
            self.gear.flange_b >> friction.flange_a
        else:
            self.spring = rotational.SpringDamper(
                c=c, d=cd, w_rel=0.0, a_rel=0.0, animation=animation
            )
            self.motor.flange >> friction.flange_a
            friction.flange_b >> self.spring.flange_a
            self.spring.flange_b >> self.gear.flange_a
        motor, controller = self.motor, self.controller
        motor.angle.phi >> controller.error.u2
        motor.speed.w >> controller.sum.u3
        controller.PI.y >> motor.reference.u

    @property
    def flange(self) -> RotationalFlange:
        """The shaft behind the gear."""
        return (
            self.gear.flange_b if "spring" in self.parts else self.bearingFriction.flange_b
        )


def follow(path: blocks.KinematicPTP2, k: int, axis: R3Axis) -> None:
    """Let an axis follow element k of a path."""
    path.q[k] >> axis.controller.to_motor_angle.u
    path.qd[k] >> axis.controller.to_motor_speed.u


class OneAxis(Model):
    """One axis of the robot that turns a load by 120°."""

    def build(self, mLoad: float = 15.0, rg: float = 1.14) -> None:
        """Build the axis with a load of mass mLoad [kg] and radius of gyration rg [m]."""
        self.axis = R3Axis(
            ratio=210.0, c=8.0, cd=0.01, Rv0=0.5, Rv1=0.1 / 130.0, w=5500.0,
            kp=5.0, ks=0.5, Ts=0.05,
        )  # fmt: skip
        self.load = rotational.Inertia(J=rg**2 * mLoad, phi=0.0, w=0.0, a=0.0)
        self.pathPlanning = blocks.KinematicPTP2(
            q_begin=(0.0,), q_end=(radians(120.0),), qd_max=(3.0,), qdd_max=(10.0,)
        )
        self.axis.flange >> self.load.flange_a
        follow(self.pathPlanning, 0, self.axis)


class R3Mechanics(Model):
    """The arm with six revolute axes; `axes` are their flanges."""

    def build(
        self,
        phi: Sequence[float] = (0.0,) * 6,
        mLoad: float = 15.0,
        rLoad: Sequence[float] = (0.1, 0.25, 0.1),
    ) -> None:
        """Build the arm at rest at angles phi [rad], with a load of mLoad [kg] at rLoad [m]."""
        self.world = World(g=9.81, n="-y")
        self.b0 = BodyShape(
            m=1.0, r=(0, 0.351, 0), r_CM=(0, 0, 0), width=0.25, animateSphere=False
        )
        directions: tuple[AxisName, ...] = ("y", "x", "x", "y", "x", "y")
        joints = [
            Revolute(n=n, phi=angle, w=0.0, a=0.0)
            for n, angle in zip(directions, phi, strict=True)
        ]
        self.r1, self.r2, self.r3, self.r4, self.r5, self.r6 = joints
        self.b1 = BodyShape(
            m=1.0,
            r=(0, 0.324, 0.3),
            r_CM=(0, 0, 0),
            I_22=1.16,
            physical=False,
            width=0.22,
            animateSphere=False,
        )
        self.b2 = BodyShape(
            m=56.5, r=(0, 0.65, 0), r_CM=(0.172, 0.205, 0),
            I_11=2.58, I_22=0.64, I_33=2.73, I_21=-0.46, width=0.18, animateSphere=False,
        )  # fmt: skip
        self.b3 = BodyShape(
            m=26.4, r=(0, 0.414, -0.155), r_CM=(0.064, -0.034, 0),
            I_11=0.279, I_22=0.245, I_33=0.413, I_21=-0.070, width=0.14, animateSphere=False,
        )  # fmt: skip
        self.b4 = BodyShape(
            m=28.7,
            r=(0, 0.186, 0),
            r_CM=(0, 0, 0),
            I_11=1.67,
            I_22=0.081,
            I_33=1.67,
            width=0.12,
            animateSphere=False,
        )
        self.b5 = BodyShape(
            m=5.2,
            r=(0, 0.125, 0),
            r_CM=(0, 0, 0),
            I_11=1.25,
            I_22=0.81,
            I_33=1.53,
            width=0.1,
            animateSphere=False,
        )
        self.b6 = BodyShape(
            m=0.5, r=(0, 0, 0), r_CM=(0.05, 0.05, 0.05), width=0.08, animateSphere=False
        )
        self.load = Body(m=mLoad, r_CM=tuple(rLoad))
        bodies = (self.b0, self.b1, self.b2, self.b3, self.b4, self.b5)
        links = (self.b1, self.b2, self.b3, self.b4, self.b5, self.b6)
        self.world.frame_b >> self.b0.frame_a
        for before, joint, link in zip(bodies, joints, links, strict=True):
            before.frame_b >> joint.frame_a
            joint.frame_b >> link.frame_a
        self.b6.frame_b >> self.load.frame_a

    @property
    def axes(self) -> list[RotationalFlange]:
        """The flanges of the six axes."""
        return [
            joint.axis for joint in (self.r1, self.r2, self.r3, self.r4, self.r5, self.r6)
        ]


CONTROL = {"kp": 5.0, "ks": 0.5, "Ts": 0.05}
AXES: tuple[dict[str, float], ...] = (
    {"ratio": -105.0, "c": 43.0, "cd": 0.005, "Rv0": 0.4, "Rv1": 0.13 / 160, "w": 4590.0},
    {"ratio": 210.0, "c": 8.0, "cd": 0.01, "Rv0": 0.5, "Rv1": 0.1 / 130, "w": 5500.0},
    {"ratio": 60.0, "c": 58.0, "cd": 0.04, "Rv0": 0.7, "Rv1": 0.2 / 130, "w": 5500.0},
    {"ratio": -99.0, "Rv0": 21.8, "Rv1": 9.8, "peak": 26.7 / 21.8, "k": 0.2365, "w": 6250.0,
     "D": 0.55, "J": 1.6e-4},
    {"ratio": 79.2, "Rv0": 30.1, "Rv1": 0.03, "peak": 39.6 / 30.1, "k": 0.2608, "w": 6250.0,
     "D": 0.55, "J": 1.8e-4},
    {"ratio": -99.0, "Rv0": 10.9, "Rv1": 3.92, "peak": 16.8 / 10.9, "k": 0.0842, "w": 7400.0,
     "D": 0.27, "J": 4.3e-5},
)  # fmt: skip
BEGIN = (-60.0, 20.0, 90.0, 0.0, -110.0, 0.0)
END = (60.0, -70.0, -35.0, 45.0, 110.0, 45.0)


class FullRobot(Model):
    """The robot with six axes, which swings a load of 15 kg through its room."""

    def build(self, mLoad: float = 15.0, rLoad: Sequence[float] = (0.1, 0.25, 0.1)) -> None:
        """Build the robot with a load of mLoad [kg] at rLoad [m] in the frame of the hand."""
        begin = tuple(map(radians, BEGIN))
        self.mechanics = R3Mechanics(phi=begin, mLoad=mLoad, rLoad=rLoad)
        self.pathPlanning = blocks.KinematicPTP2(
            q_begin=begin,
            q_end=tuple(map(radians, END)),
            qd_max=(3.0, 1.5, 5.0, 3.1, 3.1, 4.1),
            qdd_max=(15.0, 15.0, 15.0, 60.0, 60.0, 60.0),
        )
        self.axis = [R3Axis(**own, **CONTROL, animation=False) for own in AXES]
        for k, (axis, flange) in enumerate(
            zip(self.axis, self.mechanics.axes, strict=True)
        ):
            axis.flange >> flange
            follow(self.pathPlanning, k, axis)
