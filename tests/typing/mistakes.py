"""Mistakes that users make, one in a line, each with the rule by which pyright reports it.

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
    planar,
    rotational,
    sensors,
    translational,
)
from motorik.algebra import Vector
from motorik.authoring import (
    DeclaredComposite,
    DeclaredPart,
    Scalar,
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


class OnCircle(planar.VectorJoint):
    """A joint of a user in the plane, with a parameter of its own."""

    R: kinds.Length = parameter("radius", default=1.0)


class TooFewVectors(planar.VectorJoint):
    """A joint in the plane whose constraint takes one position only."""

    def constraint(self, ON: Vector) -> Scalar:  # reportIncompatibleMethodOverride
        """Return the height of N."""
        return ON.y


class WithoutZ(planar.SpatialVectorJoint):
    """A joint in space whose freedom takes the vectors of the plane."""

    def freedom(  # reportIncompatibleMethodOverride
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return MN · x_i."""
        return (ON - OM).dot(x_i)


class FourBar(planar.Model):
    """A planar model whose parts editors know."""

    def build(self, L: float) -> None:
        """Make the ground and a crank."""
        self.ground = planar.Ground(ports={"O": (0, 0), "A": (1, 0)})
        self.crank = planar.Body(ports={"O": (0, 0), "pin": (L, 0, 0.1)})
        self.bearing = planar.Revolute()
        mk.connect(self.ground.O, self.bearing.frame_a)
        mk.connect(self.bearing.frame_b, self.crank.O)


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
# --- planar bodies and the ground
planar.Body(mass=1.0)  # reportCallIssue
planar.Body(m="heavy")  # reportArgumentType
planar.Body(I=(1, 1, 1))  # reportArgumentType
planar.Body(r_CM=0.1)  # reportArgumentType
planar.Body(x="left")  # reportArgumentType
planar.Body(theta=(0, 0, 1))  # reportArgumentType
planar.Body(ports=[(0, 1)])  # reportArgumentType
planar.Body(ports={"A": 0.5})  # reportArgumentType
planar.Body(ports={"A": ("left", 0)})  # reportArgumentType
planar.Body(2.0)  # reportCallIssue
planar.Ground(gg=9.81)  # reportCallIssue
planar.Ground(g="9.81")  # reportArgumentType
planar.Ground(gravityType="up")  # reportArgumentType
planar.Ground(ports=(0, 0))  # reportArgumentType
_ = planar.Body(ports={"left": (0, 0)}).lfet  # reportArgumentType
_ = planar.Ground(ports={"O": (0, 0)}).A  # reportArgumentType
_ = FourBar(L=0.1).crank.pn  # reportArgumentType
_ = FourBar(L=0.1).ground.C  # reportArgumentType
FourBar(l=0.1)  # reportCallIssue
mk.connect(planar.Body().G, shaft.flange_a)  # reportArgumentType
mk.connect(FourBar(L=0.1).crank.pin, shaft.flange_a)  # reportArgumentType
# --- planar joints
pin, guide = planar.Revolute(), planar.Translational()
planar.Revolute(nn="z")  # reportCallIssue
planar.Revolute(n="z")  # reportCallIssue
planar.Revolute(phi="hello")  # reportArgumentType
planar.Revolute(w=(0, 0, 1))  # reportArgumentType
planar.Revolute(drive="fast")  # reportArgumentType
planar.Revolute(drive=lambda t: t)  # reportArgumentType
planar.Revolute(useAxisFlange="yes")  # reportArgumentType
planar.Revolute(stateSelect="sometimes")  # reportArgumentType
planar.Translational(phi=0.1)  # reportCallIssue
planar.Translational(s="far")  # reportArgumentType
planar.Translational(v=[1.0])  # reportArgumentType
planar.Translational(stateSelect=1)  # reportArgumentType
planar.Weld(angle=0.1)  # reportCallIssue
planar.Weld(drive="fast")  # reportArgumentType
planar.Slot(s=0.1)  # reportCallIssue
planar.Slot(drive=(1.0, 2.0))  # reportArgumentType
planar.Rod(L=1.0)  # reportCallIssue
planar.Rod(length="long")  # reportArgumentType
planar.Parallel(phi=0.1)  # reportCallIssue
planar.Parallel(drive="fast")  # reportArgumentType
planar.Curve()  # reportCallIssue
planar.Curve(curve=3.0)  # reportArgumentType
planar.Curve(curve=lambda x: x)  # reportArgumentType
planar.GearPair(ratio=2.0)  # reportCallIssue
planar.GearPair(r_i=(1, 2))  # reportArgumentType
planar.GearPair(contact="yes")  # reportArgumentType
planar.RackAndPinion(r_i=0.1)  # reportCallIssue
planar.RackAndPinion(r="big")  # reportArgumentType
planar.SpringDamper(k=10.0)  # reportCallIssue
planar.SpringDamper(c="stiff")  # reportArgumentType
planar.SpringDamper(d=(1, 1))  # reportArgumentType
planar.SpringDamper(s0="0.1 m")  # reportArgumentType
OnCircle(r=1.0)  # reportCallIssue
OnCircle(R="big")  # reportArgumentType
_ = pin.frame_c  # reportAttributeAccessIssue
_ = guide.flange  # reportAttributeAccessIssue
_ = planar.Weld().axis  # reportAttributeAccessIssue
_ = planar.Slot().flange  # reportAttributeAccessIssue
_ = planar.Rod().flange_a  # reportAttributeAccessIssue
_ = planar.Parallel().frame  # reportAttributeAccessIssue
_ = planar.Curve(curve=lambda x, y: x - y).flange  # reportAttributeAccessIssue
_ = planar.GearPair().flange_b  # reportAttributeAccessIssue
_ = planar.RackAndPinion().rack  # reportAttributeAccessIssue
_ = planar.SpringDamper().flange_a  # reportAttributeAccessIssue
_ = OnCircle().centre  # reportAttributeAccessIssue
mk.connect(pin.axis, guide.axis)  # reportArgumentType
mk.connect(guide.axis, shaft.flange_a)  # reportArgumentType
mk.connect(pin.frame_b, pin.axis)  # reportArgumentType
pin.phi = "far"  # reportAttributeAccessIssue
pin.frame_a = guide.frame_a  # reportAttributeAccessIssue
joints.Coulomb(3.0)  # reportCallIssue
joints.Coulomb(tua=3.0)  # reportCallIssue
joints.Coulomb(tau="3")  # reportArgumentType
joints.Coulomb(tau=3.0, peak=(1, 2))  # reportArgumentType
joints.Coulomb(tau=3.0, stribeck=1.0)  # reportCallIssue
joints.Stribeck(f=3.0, fexp="fast")  # reportArgumentType
joints.Revolute(friction=3.0)  # reportArgumentType
joints.Revolute(friction="dry")  # reportArgumentType
joints.Revolute(frction=joints.Coulomb(tau=3.0))  # reportCallIssue
joints.Revolute(stops=1.0)  # reportArgumentType
joints.Revolute(restitution="elastic")  # reportArgumentType
joints.Prismatic(stops="-1, 1")  # reportArgumentType
joints.Cylindrical(friction=3.0)  # reportArgumentType
joints.Cylindrical(stops={"s": 1.0})  # reportArgumentType
joints.Spherical(friction=1.0)  # reportArgumentType
joints.Spherical(stops=(0, 1))  # reportCallIssue
joints.FreeMotion(friction=joints.Coulomb(tau=3.0))  # reportCallIssue
_ = joints.Coulomb(tau=3.0).torque  # reportAttributeAccessIssue
# --- options of drawing
mk.Body(colour="red")  # reportCallIssue
mk.Body(color=3.0)  # reportArgumentType
mk.Body(boxWidth=0.1)  # reportCallIssue
mk.Revolute(cylinderDiameter="thick")  # reportArgumentType
mk.Revolute(animation="yes")  # reportArgumentType
mk.World(enableAnimaton=False)  # reportCallIssue
joints.Prismatic(cylinderColor="red")  # reportCallIssue
blocks.Gain(color="red")  # reportCallIssue
planar.Revolute(cylinderColour="red")  # reportCallIssue
rotational.Inertia(color=1.0)  # reportArgumentType
body.sphereDiameter = "large"  # reportAttributeAccessIssue
