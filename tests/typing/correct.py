"""What `mistakes.py` has wrong, written rightly: pyright in strict mode reports nothing here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

import motorik as mk
from motorik import (
    blocks,
    constraints,
    forces,
    joints,
    parts,
    planar,
    rotational,
    sensors,
    translational,
)
from motorik.algebra import ZERO, Motor, Pose, Vector
from motorik.authoring import (
    Block,
    Compliant,
    Contribution,
    DeclaredComposite,
    DeclaredPart,
    FrameForce,
    FramePort,
    RotationalFlange,
    RotationalTwoFlanges,
    Scalar,
    SignalInput,
    SignalOutput,
    TranslationalFlange,
    Values,
    Variable,
    frame,
    kinds,
    parameter,
    signal_input,
    signal_output,
    start,
)

if TYPE_CHECKING:
    from typing_extensions import Self


class Leg(mk.Model):
    """A model whose constructor takes the arguments of its `build`."""

    def build(self, L: float, m: float = 1.0) -> None:
        """Make a rod on a hinge, driven by a torque."""
        self.world = mk.World()
        self.hinge = mk.Revolute(n="z", phi=mk.guess(0.3), w=0.0)
        self.rod = mk.BodyBox(r=(L, 0, 0))
        self.load = mk.Body(m=m)
        self.torque = rotational.Torque()
        self.connect(self.world.frame_b, self.hinge.frame_a)
        mk.connect(self.hinge.frame_b, self.rod.frame_a)
        mk.connect(self.rod.frame_b, self.load.frame_a)
        mk.connect(self.hinge.axis, self.torque.flange)
        _ = 0.5 >> self.torque.tau


class Arm(DeclaredComposite, mk.Model):
    """A model with a declared parameter."""

    frame_a = frame("where it is held")
    L: kinds.Length = parameter("length", default=1.0)

    def build(self) -> None:
        """Make a rod."""
        self.rod = mk.BodyBox(r=(1, 0, 0))
        mk.connect(self.frame_a, self.rod.frame_a)


def hang(p: Weight, t: Scalar, motions: Sequence[tuple[Pose, Motor]]) -> tuple[Motor]:
    """Return m g downward, resolved in the frame."""
    ((X, _),) = motions
    return (Motor(X.R.T @ Vector(0.0, -9.81 * p.m, 0.0), ZERO),)


class Weight(DeclaredPart):
    """A constant force along y of the world."""

    frame_a = frame("where it hangs")
    m: kinds.Mass = parameter("mass")
    v: kinds.StartVelocity = start("velocity")

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the force."""
        yield FrameForce(self, (self.frame_a,), p, hang)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the height."""
        return {"height": Variable(lambda motion: motion.pose(self.frame_a).p.y, "m")}


class HardSpring(RotationalTwoFlanges, Compliant):
    """A torsional spring that stiffens."""

    c: kinds.TorsionalStiffness = parameter("stiffness", default=1.0)

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return c φ³."""
        return p.c * x * x * x


class Twice(Block):
    """y = 2 u."""

    u = signal_input("input")
    y = signal_output("what comes out")


class OnEllipse(planar.VectorJoint):
    """N stays on an ellipse about M, and is pushed along x_i."""

    units = ("m",)
    a: kinds.Length = parameter("half axis along x_i", default=1.0)
    b: kinds.Length = parameter("half axis along y_i", default=1.0)

    def constraint(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return a row that vanishes on the ellipse."""
        x, y = (ON - OM).dot(x_i) / self.a, (ON - OM).dot(y_i) / self.b
        return 0.5 * (x * x + y * y - 1.0) * self.b

    def freedom(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return MN · x_i."""
        return (ON - OM).dot(x_i)


class Rolls(planar.VectorJoint):
    """The point N of body j does not move along x_i of body i."""

    def rolling(
        self,
        OM: Vector,
        ON: Vector,
        x_i: Vector,
        y_i: Vector,
        x_j: Vector,
        y_j: Vector,
        V_M: Vector,
        V_N: Vector,
        w_i: Scalar,
        w_j: Scalar,
    ) -> tuple[Scalar, ...]:
        """Return the velocity of N against body i, along x_i."""
        return (x_i.dot(V_N - V_M) + w_i * y_i.dot(ON - OM),)


class PointOnPlane(planar.SpatialVectorJoint):
    """N stays in the plane through M that is normal to z_i."""

    def constraint(
        self,
        OM: Vector,
        ON: Vector,
        x_i: Vector,
        y_i: Vector,
        z_i: Vector,
        x_j: Vector,
        y_j: Vector,
        z_j: Vector,
    ) -> Scalar:
        """Return MN · z_i."""
        return (ON - OM).dot(z_i)


class Magnet(planar.VectorForce):
    """A force along MN that falls with the square of the distance."""

    k: kinds.Number = parameter("strength", unit="N.m2", default=1.0)

    def freedom(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return |MN|."""
        return (ON - OM).norm()

    def push(self, t: Scalar, s: Scalar, v: Scalar) -> Scalar:
        """Return −k / s²."""
        return -self.k / (s * s)


class SliderCrank(planar.Model):
    """A planar mechanism with ports that editors know by name."""

    def build(self, L: float = 0.1) -> None:
        """Make crank, rod and piston."""
        self.ground = planar.Ground(ports={"O": (0, 0)}, g=9.81)
        self.crank = planar.Body(
            m=0.5, I=2e-3, ports={"O": (-L / 2, 0), "pin": [L / 2, 0, 0.3]}, theta=0.9
        )
        self.rod = planar.Body(m=0.3, r_CM=(0.1, 0), ports={"pin": (0, 0), "end": (0.3, 0)})
        self.piston = planar.Body(m=0.4, x=mk.guess(0.35))
        self.bearing = planar.Revolute(drive=lambda t, phi, w: 0.4 - 0.01 * w)
        self.pin, self.wrist = planar.Revolute(), planar.Revolute()
        self.guide = planar.Translational(drive=-0.5)
        _ = self.ground.O >> self.bearing.frame_a
        _ = self.bearing.frame_b >> self.crank.O
        mk.connect(self.crank.pin, self.pin.frame_a)
        mk.connect(self.pin.frame_b, self.rod.pin)
        self.connect(self.rod.end, self.wrist.frame_a)
        self.connect(self.wrist.frame_b, self.piston.G, self.guide.frame_b)
        self.connect(self.ground.frame_b, self.guide.frame_a)


def first_port(body: planar.Body) -> FramePort:
    """Return a port of any body by its name."""
    return body.O


hinge, slide, body = (
    mk.Revolute(n=(0, 0, 1)),
    mk.Prismatic(n=np.array([1.0, 0, 0])),
    mk.Body(),
)
shaft, rod = rotational.Inertia(), translational.Rod()
gain, torque = blocks.Gain(), rotational.Torque()
leg, arm = Leg(L=1.0, m=2.0), Arm(L=2.0)

mk.Revolute(
    n="-z", phi={"start": 0.3, "fixed": True}, useAxisFlange=True, stateSelect="always"
)
mk.Body(m=mk.Parameter(1.0), r_0=(1.0, 0, 0), I=np.eye(3))
length = mk.Parameter(1.0, name="length")
mk.FixedTranslation(r=(0, -length / 2, 0))
mk.FixedRotation(n="x", angle=length)
blocks.TransferFunction(a=(1.0, length), b=[length])
blocks.StateSpace(A=((length,),), x_start=(0.5,))
parts.Marker()
mk.FixedRotation(rotationType="TwoAxesVectors", n_x="x", n_y="y")
parts.BodyCylinder(length=0.5)
joints.Cylindrical(s=0.1)
constraints.RevoluteConstraint(n="y", x_locked=False)
forces.WorldForce(resolveInFrame="frame_b")
blocks.Expression(f=lambda motion: motion.t)
blocks.Sum(k=(1.0, -1.0))
Weight(m=1.0, v=1.0)
HardSpring(c=2.0)

port: FramePort = leg.hinge.frame_b
flange: RotationalFlange = HardSpring().flange_a
given: SignalInput = torque.tau
measured: SignalOutput = sensors.AbsoluteSensor().r
bench = mk.Model()
bench.hinge, bench.slide, bench.body, bench.torque = hinge, slide, body, torque
mk.connect(hinge.frame_b, body.frame_a, slide.frame_a)
mk.connect(gain.y, torque.tau)
slide.s, hinge.phi = 0.2, None
bus, above, switch = blocks.Bus(), blocks.GreaterThreshold(threshold=0.2), blocks.Switch()
bench.bus, bench.above, bench.switch = bus, above, switch


def rise(t: float, k: float = 2.0) -> float:
    """Return k t."""
    return k * t


bench.law = law = blocks.from_function(rise)
mk.connect(law.y, bus["height"], above.u)
mk.connect(above.y, switch.u2)
inner: blocks.Bus = bus.nested("axis")

model = mk.Model()
model.world, model.hinge = mk.World(), mk.Revolute()
model.connect(model.world.frame_b, model.hinge.frame_a)
for axis in ("x", "y"):
    setattr(model, f"hinge_{axis}", mk.Revolute(n=axis))
result = leg.simulate(0.1, rtol=1e-8)
heights = result["rod.frame_b.r_0"]

crank_slider = SliderCrank(L=0.12)
crank_slider.crank.m, crank_slider.crank.theta = 0.6, 0.8
pin: FramePort = crank_slider.crank.pin
origin: FramePort = first_port(crank_slider.crank)
angles = crank_slider.simulate(0.1)["crank.theta"]
places: dict[str, tuple[float, float]] = {"A": (0.0, 0.1), "B": (0.2, 0.0)}
plate = planar.Body(ports={**places, "C": (length, 0.1)})
corners: list[FramePort] = [plate.A, plate.B, plate.C]
port_names = [one.name for one in plate.ports()]
planar.Ground(gravityType="none", ports=None)
planar.Revolute(phi=mk.guess(0.1), w={"start": 1.0, "fixed": False}, stateSelect="always")
planar.Revolute(drive=length, useAxisFlange=True)
turns: RotationalFlange = planar.Revolute().axis
slides: TranslationalFlange = planar.Translational(s=0.1, v=0.2).support
planar.Slot(drive=lambda t, s, v: -s)
links = planar.Rod(length=length), planar.Weld(), planar.Parallel()
planar.Curve(curve=lambda x, y: y - x * x)
planar.GearPair(r_i=0.1, r_j=-0.3, contact=False)
planar.RackAndPinion(r=np.float64(0.2), drive=None)
planar.SpringDamper(c=10.0, d=0.1, s0=length)
own = OnEllipse(a=0.4, b=0.2, drive=1.0), Rolls(), PointOnPlane(), Magnet(k=2.0)
M = planar.PortMotion.in_plane((0.0, 0.0, 0.1), velocity=(0.0, 0.0, 2.0))
f, rate, second_rate = OnEllipse(a=0.4).forms(M, M)
on_i, on_j = planar.Rod().port_forces(M, M, multipliers=(1.0,))
dry = joints.Coulomb(tau=3.0, peak=1.2, viscous=0.1)
wet = joints.Stribeck(f=mk.Parameter(2.0), stribeck=1.0, fexp=20.0)
joints.Revolute(friction=dry, stops=(-1.0, 1.0), restitution=0.5)
joints.Revolute(friction=None, stops=(None, mk.Parameter(1.0)))
joints.Prismatic(friction=wet, stops=(0.0, None))
joints.Cylindrical(friction=dry, stops={"s": (-1.0, 1.0), "phi": (None, 1.0)})
joints.Planar(friction=(wet, None, dry))
joints.Universal(friction={"phi_a": dry}, stops={"phi_a": (-1, 1)}, restitution=1)
joints.Spherical(friction=dry)
model_hinge = joints.Revolute()
model_hinge.friction = dry
rubbing = joints.Coulomb(mu=mk.Parameter(0.1), radius=0.02, bending_arm=0.2)
level: object = dry.sliding(1.0)

# --- options of drawing
mk.Body(color="red", opacity=0.5, sphereDiameter=0.1, animation=True, mesh=None)
mk.Revolute(cylinderDiameter=0.05, cylinderColor=(255, 0, 0), showFrames=True)
mk.World(enableAnimation=False, axisLength=mk.Parameter(0.2), gravityArrowColor="#00ff00")
mk.FixedTranslation(
    r=(1, 0, 0), shapeType="gearwheel", width=0.1, lengthDirection=(1, 0, 0)
)
forces.Spring(c=1.0, numberOfWindings=5.0, coilWidth=0.01, color=np.array([0.1, 0.2, 0.3]))
joints.Prismatic(boxColor="blue", visual={"opacity": 0.5})
rotational.Inertia(J=1.0, color="green")
planar.Body(m=1.0, color="red", ports={"A": (0.5, 0.0)})
seen = mk.Body()
seen.color = (0, 128, 255)
seen.visual = {"opacity": 0.5, "sphereDiameter": None}
size = seen.sphereDiameter
assert size is None and seen.opacity == 0.5
