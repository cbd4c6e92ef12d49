"""Rotational drive lines: springs, inertias and shafts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from motorik.components.base import contributions, kinds
from motorik.components.base.contributions import Contribution
from motorik.components.base.part import Values, Variable, parameter, start
from motorik.components.lines import base
from motorik.components.lines.backlash import AbruptBacklash, Backlash
from motorik.components.lines.flanges import RotationalEnd, RotationalTwoFlanges


class Spring(RotationalTwoFlanges, base.LineSpring):
    """A torsional spring: τ = c (φ_rel − φ_rel0), φ_rel = φ_b − φ_a."""

    c: kinds.TorsionalStiffness = parameter("stiffness", default=1e5)
    phi_rel0: kinds.Angle = parameter("unstretched angle", default=0.0)
    phi_rel: kinds.StartAngle = start("angle of flange_b relative to flange_a")


class Damper(RotationalTwoFlanges, base.LineDamper):
    """A torsional damper: τ = d ω_rel."""

    d: kinds.TorsionalDamping = parameter("damping constant", default=0.0)
    phi_rel: kinds.StartAngle = start("angle of flange_b relative to flange_a")
    w_rel: kinds.StartAngularVelocity = start("rate of phi_rel")
    a_rel: kinds.StartAngularAcceleration = start("rate of w_rel")


class SpringDamper(RotationalTwoFlanges, base.LineSpringDamper):
    """A torsional spring and a damper side by side: τ = c (φ_rel − φ_rel0) + d ω_rel."""

    c: kinds.TorsionalStiffness = parameter("stiffness", default=1e5)
    d: kinds.TorsionalDamping = parameter("damping constant", default=0.0)
    phi_rel0: kinds.Angle = parameter("unstretched angle", default=0.0)
    phi_rel: kinds.StartAngle = start("angle of flange_b relative to flange_a")
    w_rel: kinds.StartAngularVelocity = start("rate of phi_rel")
    a_rel: kinds.StartAngularAcceleration = start("rate of w_rel")


class _Backlash(RotationalTwoFlanges):
    """The numbers of a backlash, and where it starts."""

    c: kinds.TorsionalStiffness = parameter("stiffness in contact", default=1e5)
    d: kinds.TorsionalDamping = parameter("damping constant in contact", default=0.0)
    b: kinds.AngleOrZero = parameter("whole width of the play", default=0.0)
    phi_rel0: kinds.Angle = parameter("angle in the middle of the play", default=0.0)
    phi_rel: kinds.StartAngle = start("angle of flange_b against flange_a")
    w_rel: kinds.StartAngularVelocity = start("rate of phi_rel")
    a_rel: kinds.StartAngularAcceleration = start("rate of w_rel")


class ElastoBacklash(_Backlash, Backlash):
    """Backlash b, then a torsional spring and a damper, whose torque is continuous.

    Within |φ_rel − φ_rel0| ≤ b/2 there is none; beyond, with e = φ_rel − φ_rel0 ∓ b/2,
    τ = c e + d ω_rel, the damper's part at most that of the spring: it never pulls. With b = 0 it
    is a `SpringDamper`.
    """


class ElastoBacklash2(_Backlash, AbruptBacklash):
    """Backlash b, then a torsional spring and a damper, whose torque jumps at contact.

    Within |φ_rel − φ_rel0| ≤ b/2 there is none; beyond, with e = φ_rel − φ_rel0 ∓ b/2,
    τ = c e + d ω_rel where that pushes, else none. With b = 0 it is a `SpringDamper`.
    """


class Fixed(RotationalEnd, base.FixedFlange):
    """A flange fixed at the angle phi0."""

    phi0: kinds.Angle = parameter("angle", default=0.0)


class Inertia(RotationalTwoFlanges, base.InertiaBase):
    """A rotating inertia between two flanges: J a = τ_a + τ_b."""

    inertia = "J"
    J: kinds.MomentOfInertia = parameter("moment of inertia", default=1.0)
    phi: kinds.StartAngle = start("angle")
    w: kinds.StartAngularVelocity = start("angular velocity")
    a: kinds.StartAngularAcceleration = start("angular acceleration")


class Disc(RotationalTwoFlanges, base.Offset):
    """A shaft without inertia with a constant twist: φ_b − φ_a = deltaPhi.

    phi is the angle in the middle.
    """

    offset = "deltaPhi"
    deltaPhi: kinds.Angle = parameter("angle from flange_a to flange_b", default=0.0)


class Coupling(RotationalTwoFlanges):
    """A rigid coupling of two shafts face to face: φ_a + φ_b = 0, τ_a = τ_b.

    Each shaft counts its angle in its own direction; tau is positive where flange_a drives.
    """

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute φ_a + φ_b = 0."""
        yield contributions.Coupling(self, (self.flange_a, self.flange_b), (1.0, 1.0))

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the speed of flange_a and the torque on it."""
        flange = self.flange_a
        return {
            "w": Variable(lambda motion: motion.flange(flange)[1], "rad/s", "speed"),
            "tau": Variable(lambda motion: motion.flange_force(flange), "N.m", "torque"),
        }
