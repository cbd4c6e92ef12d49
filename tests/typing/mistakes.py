"""Thirty mistakes that users make, one in a line, each with the rule by which pyright reports it.

Nothing of this file is run: `test_mistakes.py` asks pyright about it.
"""

from __future__ import annotations

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
from motorik.authoring import (
    DeclaredComposite,
    DeclaredPart,
    frame,
    kinds,
    parameter,
    start,
)


class Leg(mk.Model):
    """A model whose constructor takes the arguments of its `build`."""

    def build(self, L: float, m: float = 1.0) -> None:
        """Make a rod on a hinge."""
        self.hinge = mk.Revolute(n="z")
        self.rod = mk.BodyBox(r=(L, 0, 0))
        mk.connect(self.hinge.frame_b, self.rod.frame_a)


class Arm(DeclaredComposite, mk.Model):
    """A model with a declared parameter."""

    L: kinds.Length = parameter("length", default=1.0)

    def build(self) -> None:
        """Make a rod."""
        self.rod = mk.BodyBox(r=(1, 0, 0))


class Weight(DeclaredPart):
    """A part of a user with a parameter that must be given."""

    frame_a = frame("where it hangs")
    m: kinds.Mass = parameter("mass")
    v: kinds.StartVelocity = start("velocity")


hinge, slide, body = mk.Revolute(), mk.Prismatic(), mk.Body()
shaft, rod = rotational.Inertia(), translational.Rod()
gain, torque = blocks.Gain(), rotational.Torque()
leg = Leg(L=1.0)

# --- names and values of parameters
mk.Revolute(nn="z")  # reportCallIssue
mk.Revolute(n="w")  # reportArgumentType
mk.Revolute(n=3.0)  # reportArgumentType
mk.Revolute(phi="hello")  # reportArgumentType
mk.Revolute(useAxisFlange="yes")  # reportArgumentType
mk.Revolute(stateSelect="sometimes")  # reportArgumentType
mk.Body(mass=1.0)  # reportCallIssue
mk.Body(m="heavy")  # reportArgumentType
mk.Body(r_0=1.0)  # reportArgumentType
mk.FixedRotation(rotationType="Quaternion")  # reportArgumentType
parts.BodyCylinder(length=(1, 0, 0))  # reportArgumentType
joints.Cylindrical(s=[0.1, 0.2])  # reportArgumentType
constraints.RevoluteConstraint(n=True)  # reportArgumentType
forces.WorldForce(resolveInFrame="frame_a")  # reportArgumentType
blocks.Expression()  # reportCallIssue
blocks.Sum(k=1.0)  # reportArgumentType
mk.Revolute("z")  # reportCallIssue
# --- parts and models of the user
Weight()  # reportCallIssue
Weight(m=1.0, v=(1, 0, 0))  # reportArgumentType
Leg()  # reportCallIssue
Leg(L=1.0, M=2.0)  # reportCallIssue
Leg(L="long")  # reportArgumentType
Arm(length=2.0)  # reportCallIssue
_ = leg.hinge.frame_c  # reportAttributeAccessIssue
# --- ports
mk.connect(hinge.frame_b, shaft.flange_a)  # reportArgumentType
mk.connect(shaft.flange_b, rod.flange_a)  # reportArgumentType
mk.connect(hinge.frame_b)  # reportCallIssue
gain.y >> hinge.frame_a  # reportOperatorIssue
body >> hinge  # reportOperatorIssue
hinge.frame_a = body.frame_a  # reportAttributeAccessIssue
slide.s = "far"  # reportAttributeAccessIssue
_ = sensors.AbsoluteSensor().z_0  # reportAttributeAccessIssue
_ = torque.tua  # reportAttributeAccessIssue
