"""Translational drive lines: springs, masses and rods."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, Coupling
from motorik.components.base.part import parameter, start, translational_flange
from motorik.components.base.ports import Port
from motorik.components.lines import base
from motorik.components.lines.backlash import Gap
from motorik.components.lines.flanges import TranslationalEnd, TranslationalTwoFlanges

if TYPE_CHECKING:
    from typing_extensions import Self


class Spring(TranslationalTwoFlanges, base.LineSpring):
    """A spring: f = c (s_rel − s_rel0), s_rel = s_b − s_a."""

    c: kinds.Stiffness = parameter("stiffness", default=1.0)
    s_rel0: kinds.Distance = parameter("unstretched length", default=0.0)
    s_rel: kinds.StartDistance = start("position of flange_b relative to flange_a")


class Damper(TranslationalTwoFlanges, base.LineDamper):
    """A damper: f = d v_rel."""

    d: kinds.Damping = parameter("damping constant", default=0.0)
    s_rel: kinds.StartDistance = start("position of flange_b relative to flange_a")
    v_rel: kinds.StartVelocity = start("rate of s_rel")
    a_rel: kinds.StartAcceleration = start("rate of v_rel")


class SpringDamper(TranslationalTwoFlanges, base.LineSpringDamper):
    """A spring and a damper side by side: f = c (s_rel − s_rel0) + d v_rel."""

    c: kinds.Stiffness = parameter("stiffness", default=1.0)
    d: kinds.Damping = parameter("damping constant", default=1.0)
    s_rel0: kinds.Distance = parameter("unstretched length", default=0.0)
    s_rel: kinds.StartDistance = start("position of flange_b relative to flange_a")
    v_rel: kinds.StartVelocity = start("rate of s_rel")
    a_rel: kinds.StartAcceleration = start("rate of v_rel")


class ElastoGap(TranslationalTwoFlanges, Gap):
    """A spring and a damper that lift off: they push where s_rel < s_rel0, and never pull.

    In contact f = −c |s_rel − s_rel0|ⁿ + d v_rel, the damper's part at most that of the spring.
    """

    c: kinds.Stiffness = parameter("stiffness, in N/mⁿ where n is not 1", default=1.0)
    d: kinds.Damping = parameter("damping constant in contact", default=1.0)
    s_rel0: kinds.Distance = parameter("distance of first contact", default=0.0)
    n: kinds.Exponent = parameter("exponent of the spring's force", default=1.0)
    s_rel: kinds.StartDistance = start("distance of flange_b against flange_a")
    v_rel: kinds.StartVelocity = start("rate of s_rel")
    a_rel: kinds.StartAcceleration = start("rate of v_rel")


class Fixed(TranslationalEnd, base.FixedFlange):
    """A flange fixed at the position s0."""

    s0: kinds.Distance = parameter("position", default=0.0)


class Rod(TranslationalTwoFlanges, base.Offset):
    """A rigid rod without mass: s_b − s_a = L; s is in its middle."""

    offset = "L"
    L: kinds.Distance = parameter("length from flange_a to flange_b", default=0.0)


class Mass(TranslationalTwoFlanges, base.InertiaBase):
    """A sliding mass of length L between two flanges: m a = f_a + f_b; s is in its middle."""

    inertia = "m"
    middle = translational_flange("the middle of the mass, at s")
    m: kinds.Mass = parameter("mass", default=1.0)
    L: kinds.Distance = parameter("length from flange_a to flange_b", default=0.0)
    s: kinds.StartDistance = start("position of the middle")
    v: kinds.StartVelocity = start("velocity")
    a: kinds.StartAcceleration = start("acceleration")

    @property
    def measured(self) -> Port:
        """The middle."""
        return self.middle

    def couplings(self, p: Self) -> Iterable[Contribution]:
        """Contribute both flanges, half a length before and after the middle."""
        half = 0.5 * p.L
        yield Coupling(self, (self.middle, self.flange_a), (1.0, -1.0), half)
        yield Coupling(self, (self.flange_b, self.middle), (1.0, -1.0), half)
