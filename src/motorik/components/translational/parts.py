"""Translational drive lines: springs, masses, levers, forces, drives and sensors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import Contribution, Coupling
from motorik.components.base.part import (
    Part,
    Variable,
    parameter,
    start,
    translational_flange,
)
from motorik.components.base.ports import Port
from motorik.components.base.values import as_number
from motorik.components.joints.simple import as_state_priority
from motorik.components.lines.base import TRANSLATIONAL, Compliant, FixedFlange, InertiaBase

stiffness = as_number(minimum=0.0)


class Spring(Compliant):
    """A spring: f = c (s_rel − s_rel0), s_rel = s_b − s_a."""

    line_names = TRANSLATIONAL
    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    c = parameter("stiffness", "N/m", 1.0, stiffness)
    s_rel0 = parameter("unstretched length", "m", 0.0, as_number())
    s_rel = start("distance of flange_b against flange_a", "m")

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return c (s_rel − s_rel0)."""
        return p.c * (x - p.s_rel0)

    @staticmethod
    def stored(p: Any, x: Scalar) -> Scalar:
        """Return ½ c (s_rel − s_rel0)²."""
        return 0.5 * p.c * (x - p.s_rel0) * (x - p.s_rel0)


class Damper(Compliant):
    """A damper: f = d v_rel."""

    line_names = TRANSLATIONAL
    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    d = parameter("damping constant", "N.s/m", 0.0, stiffness)
    s_rel = start("distance of flange_b against flange_a", "m")
    v_rel = start("rate of s_rel", "m/s")

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return d v_rel."""
        return p.d * v


class SpringDamper(Compliant):
    """A spring and a damper side by side: f = c (s_rel − s_rel0) + d v_rel."""

    line_names = TRANSLATIONAL
    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    c = parameter("stiffness", "N/m", 1.0, stiffness)
    d = parameter("damping constant", "N.s/m", 1.0, stiffness)
    s_rel0 = parameter("unstretched length", "m", 0.0, as_number())
    s_rel = start("distance of flange_b against flange_a", "m")
    v_rel = start("rate of s_rel", "m/s")

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return c (s_rel − s_rel0) + d v_rel."""
        return p.c * (x - p.s_rel0) + p.d * v

    @staticmethod
    def stored(p: Any, x: Scalar) -> Scalar:
        """Return ½ c (s_rel − s_rel0)²."""
        return 0.5 * p.c * (x - p.s_rel0) * (x - p.s_rel0)


class Fixed(FixedFlange):
    """A flange that stands still at the position s0."""

    at = "s0"
    flange = translational_flange("the fixed flange")
    s0 = parameter("position", "m", 0.0, as_number())


class Rod(Part):
    """A rigid rod without mass: s_b − s_a = L; s is in its middle."""

    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    L = parameter("length from flange_a to flange_b", "m", 0.0, as_number())

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the coupling of the flanges."""
        yield Coupling(self, (self.flange_b, self.flange_a), (1.0, -1.0), p.L)

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return the position of the middle."""
        flange = self.flange_a
        return {"s": Variable(lambda motion: motion.flange(flange)[0] + 0.5 * p.L, "m")}


class Mass(InertiaBase):
    """A sliding mass of length L between two flanges: m a = f_a + f_b; s is in its middle."""

    line_names = TRANSLATIONAL
    inertia = "m"
    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    middle = translational_flange("the middle of the mass, at s")
    m = parameter("mass", "kg", 1.0, stiffness)
    L = parameter("length from flange_a to flange_b", "m", 0.0, as_number())
    stateSelect = parameter(
        "priority of s and v as states", "", "default", as_state_priority
    )
    s = start("position of the middle", "m")
    v = start("velocity", "m/s")

    @property
    def measured(self) -> Port:
        """The middle."""
        return self.middle

    def couplings(self, p: Any) -> Iterable[Contribution]:
        """Contribute both flanges, half a length before and behind the middle."""
        half = 0.5 * p.L
        yield Coupling(self, (self.middle, self.flange_a), (1.0, -1.0), half)
        yield Coupling(self, (self.flange_b, self.middle), (1.0, -1.0), half)
