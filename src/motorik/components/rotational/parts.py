"""Rotational drive lines: springs, inertias, gears, torques, drives and sensors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import Contribution, Coupling
from motorik.components.base.part import (
    Part,
    Variable,
    parameter,
    rotational_flange,
    start,
)
from motorik.components.base.values import as_number
from motorik.components.joints.simple import as_state_priority
from motorik.components.lines.base import ROTATIONAL, Compliant, FixedFlange, InertiaBase

stiffness = as_number(minimum=0.0)


class Spring(Compliant):
    """A torsional spring: τ = c (φ_rel − φ_rel0), φ_rel = φ_b − φ_a."""

    line_names = ROTATIONAL
    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    c = parameter("stiffness", "N.m/rad", 1e5, stiffness)
    phi_rel0 = parameter("unstretched angle", "rad", 0.0, as_number())
    phi_rel = start("angle of flange_b against flange_a", "rad")

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return c (φ_rel − φ_rel0)."""
        return p.c * (x - p.phi_rel0)

    @staticmethod
    def stored(p: Any, x: Scalar) -> Scalar:
        """Return ½ c (φ_rel − φ_rel0)²."""
        return 0.5 * p.c * (x - p.phi_rel0) * (x - p.phi_rel0)


class Damper(Compliant):
    """A torsional damper: τ = d ω_rel."""

    line_names = ROTATIONAL
    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    d = parameter("damping constant", "N.m.s/rad", 0.0, stiffness)
    phi_rel = start("angle of flange_b against flange_a", "rad")
    w_rel = start("rate of phi_rel", "rad/s")

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return d ω_rel."""
        return p.d * v


class SpringDamper(Compliant):
    """A torsional spring and a damper side by side: τ = c (φ_rel − φ_rel0) + d ω_rel."""

    line_names = ROTATIONAL
    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    c = parameter("stiffness", "N.m/rad", 1e5, stiffness)
    d = parameter("damping constant", "N.m.s/rad", 0.0, stiffness)
    phi_rel0 = parameter("unstretched angle", "rad", 0.0, as_number())
    phi_rel = start("angle of flange_b against flange_a", "rad")
    w_rel = start("rate of phi_rel", "rad/s")

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return c (φ_rel − φ_rel0) + d ω_rel."""
        return p.c * (x - p.phi_rel0) + p.d * v

    @staticmethod
    def stored(p: Any, x: Scalar) -> Scalar:
        """Return ½ c (φ_rel − φ_rel0)²."""
        return 0.5 * p.c * (x - p.phi_rel0) * (x - p.phi_rel0)


class Fixed(FixedFlange):
    """A flange that stands still at the angle phi0."""

    at = "phi0"
    flange = rotational_flange("the fixed flange")
    phi0 = parameter("angle", "rad", 0.0, as_number())


class Inertia(InertiaBase):
    """A rotating inertia between two flanges: J a = τ_a + τ_b."""

    line_names = ROTATIONAL
    inertia = "J"
    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    J = parameter("moment of inertia", "kg.m2", 1.0, stiffness)
    stateSelect = parameter(
        "priority of phi and w as states", "", "default", as_state_priority
    )
    phi = start("angle", "rad")
    w = start("angular velocity", "rad/s")


class Disc(Part):
    """A shaft without inertia whose right flange is turned on: φ_b − φ_a = deltaPhi."""

    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    deltaPhi = parameter("angle from flange_a to flange_b", "rad", 0.0, as_number())

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the coupling of the flanges."""
        yield Coupling(self, (self.flange_b, self.flange_a), (1.0, -1.0), p.deltaPhi)

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return the angle in the middle."""
        flange = self.flange_a
        return {
            "phi": Variable(
                lambda motion: motion.flange(flange)[0] + 0.5 * p.deltaPhi, "rad"
            )
        }
