"""GearConstraint: two shafts in one bearing, of any directions, that turn in a fixed ratio."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING

from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.part import Variable, frame, parameter, start
from motorik.components.base.ports import connect
from motorik.components.base.values import Derived
from motorik.components.joints.rods import power_into
from motorik.components.joints.simple import Revolute, shown_as
from motorik.components.lines.gears import IdealGear
from motorik.components.parts.rigid import FixedTranslation

if TYPE_CHECKING:
    from typing_extensions import Self


class GearConstraint(DeclaredComposite):
    """An ideal gear without mass: φ_a = ratio · φ_b.

    frame_a turns about n_a and frame_b about n_b, both fixed in the frame `bearing`, at r_a
    and r_b from it. The torques on the two shafts and on the bearing are in balance.
    """

    is_open = False
    frame_a = frame("shaft a")
    frame_b = frame("shaft b")
    bearing = frame("the housing")

    ratio: kinds.Factor = parameter("gear ratio φ_a / φ_b", default=2.0)
    n_a: kinds.Axis = parameter("axis of shaft a", default=(1, 0, 0))
    n_b: kinds.Axis = parameter("axis of shaft b", default=(1, 0, 0))
    r_a: kinds.Position = parameter("from bearing to frame_a", default=(0, 0, 0))
    r_b: kinds.Position = parameter("from bearing to frame_b", default=(0, 0, 0))
    stateSelect: kinds.StateSelect = parameter(
        "priority of phi_b and w_b as states", default="default"
    )
    phi_b: kinds.StartAngle = start("angle of shaft b")
    w_b: kinds.StartAngularVelocity = start("angular velocity of shaft b")
    a_b: kinds.StartAngularAcceleration = start("angular acceleration of shaft b")

    def build(self) -> None:
        """Build it from two revolute joints with geared axes."""
        self.fixedTranslation2 = FixedTranslation(r=Derived(self, attrgetter("r_a")))
        self.fixedTranslation1 = FixedTranslation(r=Derived(self, attrgetter("r_b")))
        self.actuatedRevolute_a = Revolute(
            useAxisFlange=True, n=Derived(self, attrgetter("n_a")), stateSelect="default"
        )
        self.actuatedRevolute_b = Revolute(
            useAxisFlange=True, n=Derived(self, attrgetter("n_b"))
        )
        self.idealGear = IdealGear(ratio=Derived(self, attrgetter("ratio")))
        b = self.actuatedRevolute_b
        self.share(b, phi="phi_b", w="w_b", a="a_b", stateSelect="stateSelect")
        for rod, joint, end in (
            (self.fixedTranslation2, self.actuatedRevolute_a, self.frame_a),
            (self.fixedTranslation1, self.actuatedRevolute_b, self.frame_b),
        ):
            connect(self.bearing, rod.frame_a)
            connect(rod.frame_b, joint.frame_a)
            connect(joint.frame_b, end)
        connect(self.actuatedRevolute_a.axis, self.idealGear.flange_a)
        connect(self.idealGear.flange_b, self.actuatedRevolute_b.axis)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the motion of shaft b and the power balance, which is zero."""
        frames = (self.frame_a, self.frame_b, self.bearing)
        return shown_as(self.actuatedRevolute_b, phi="phi_b", w="w_b", a="a_b") | {
            "totalPower": Variable(
                lambda motion: power_into(motion, frames),
                "W",
                "total power into the part: zero",
            )
        }
