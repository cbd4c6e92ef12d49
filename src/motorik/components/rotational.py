"""Rotational drive lines: springs and dampers between flanges, fixed points, torques."""

from __future__ import annotations

from typing import Any

from motorik.algebra.scalar import Scalar
from motorik.components.lines import ROTATIONAL, Compliant, ConstantLoad, Standing
from motorik.components.part import parameter, rotational_flange
from motorik.components.values import as_number

stiffness = as_number(minimum=0.0)


class Spring(Compliant):
    """A torsional spring: τ = c (φ_rel − φ_rel0), φ_rel = φ_b − φ_a."""

    letters = ROTATIONAL
    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    c = parameter("stiffness", "N.m/rad", 1e5, stiffness)
    phi_rel0 = parameter("unstretched angle", "rad", 0.0, as_number())

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

    letters = ROTATIONAL
    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    d = parameter("damping constant", "N.m.s/rad", 0.0, stiffness)

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return d ω_rel."""
        return p.d * v


class SpringDamper(Compliant):
    """A torsional spring and a damper side by side: τ = c (φ_rel − φ_rel0) + d ω_rel."""

    letters = ROTATIONAL
    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    c = parameter("stiffness", "N.m/rad", 1e5, stiffness)
    d = parameter("damping constant", "N.m.s/rad", 0.0, stiffness)
    phi_rel0 = parameter("unstretched angle", "rad", 0.0, as_number())

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return c (φ_rel − φ_rel0) + d ω_rel."""
        return p.c * (x - p.phi_rel0) + p.d * v

    @staticmethod
    def stored(p: Any, x: Scalar) -> Scalar:
        """Return ½ c (φ_rel − φ_rel0)²."""
        return 0.5 * p.c * (x - p.phi_rel0) * (x - p.phi_rel0)


class Fixed(Standing):
    """A flange that stands still at the angle phi0."""

    at = "phi0"
    flange = rotational_flange("the fixed flange")
    phi0 = parameter("angle", "rad", 0.0, as_number())


class ConstantTorque(ConstantLoad):
    """A torque on a flange; as a live `Parameter` it is the input of a controller."""

    load = "tau_constant"
    flange = rotational_flange("the driven flange")
    tau_constant = parameter(
        "torque; positive turns the flange forward", "N.m", 1.0, as_number()
    )
