"""GearConstraint: two shafts in one bearing, of any directions, that turn in a fixed ratio."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from motorik.components.base.composite import Composite
from motorik.components.base.part import Variable, frame, parameter, start
from motorik.components.base.ports import connect
from motorik.components.base.values import Derived, as_axis, as_number, as_vector
from motorik.components.joints.rods import power_into
from motorik.components.joints.simple import Revolute, as_state_priority, shown_as
from motorik.components.lines.gears import IdealGear
from motorik.components.parts.rigid import FixedTranslation


class GearConstraint(Composite):
    """An ideal gear without mass: φ_a = ratio · φ_b.

    frame_a turns about n_a and frame_b about n_b, both fixed in the frame `bearing`, at r_a
    and r_b from it. The torques on the two shafts and on the bearing are in balance.
    """

    is_open = False
    frame_a = frame("shaft a")
    frame_b = frame("shaft b")
    bearing = frame("the housing")

    ratio = parameter("gear ratio φ_a / φ_b", "1", 2.0, as_number())
    n_a = parameter("axis of shaft a", "1", (1, 0, 0), as_axis)
    n_b = parameter("axis of shaft b", "1", (1, 0, 0), as_axis)
    r_a = parameter("from bearing to frame_a", "m", (0, 0, 0), as_vector)
    r_b = parameter("from bearing to frame_b", "m", (0, 0, 0), as_vector)
    stateSelect = parameter(
        "priority of phi_b and w_b as states", "", "default", as_state_priority
    )
    phi_b = start("angle of shaft b", "rad")
    w_b = start("angular velocity of shaft b", "rad/s")

    def build(self) -> None:
        """Make it of two revolute joints whose axes are geared."""
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
        self.share(b, phi="phi_b", w="w_b", stateSelect="stateSelect")
        for rod, joint, end in (
            (self.fixedTranslation2, self.actuatedRevolute_a, self.frame_a),
            (self.fixedTranslation1, self.actuatedRevolute_b, self.frame_b),
        ):
            connect(self.bearing, rod.frame_a)
            connect(rod.frame_b, joint.frame_a)
            connect(joint.frame_b, end)
        connect(self.actuatedRevolute_a.axis, self.idealGear.flange_a)
        connect(self.idealGear.flange_b, self.actuatedRevolute_b.axis)

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return the motion of shaft b and the power that enters: zero."""
        frames = (self.frame_a, self.frame_b, self.bearing)
        return shown_as(self.actuatedRevolute_b, phi="phi_b", w="w_b", a="a_b") | {
            "totalPower": Variable(
                lambda motion: power_into(motion, frames), "W", "power that enters: zero"
            )
        }
