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
    RotationalPair,
    Scalar,
    SignalInput,
    SignalOutput,
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


class HardSpring(RotationalPair, Compliant):
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
parts.Marker(shape="FixedFrame")
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

model = mk.Model()
model.world, model.hinge = mk.World(), mk.Revolute()
model.connect(model.world.frame_b, model.hinge.frame_a)
for axis in ("x", "y"):
    setattr(model, f"hinge_{axis}", mk.Revolute(n=axis))
result = leg.simulate(0.1, rtol=1e-8)
heights = result["rod.frame_b.r_0"]
