"""Translational drive lines: springs and dampers between flanges, fixed points, forces."""

from __future__ import annotations

from typing import Any

from motorik.algebra.scalar import Scalar
from motorik.components.lines import TRANSLATIONAL, Compliant, ConstantLoad, Standing
from motorik.components.part import parameter, translational_flange
from motorik.components.values import as_number

stiffness = as_number(minimum=0.0)


class Spring(Compliant):
    """A spring: f = c (s_rel − s_rel0), s_rel = s_b − s_a."""

    letters = TRANSLATIONAL
    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    c = parameter("stiffness", "N/m", 1.0, stiffness)
    s_rel0 = parameter("unstretched length", "m", 0.0, as_number())

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

    letters = TRANSLATIONAL
    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    d = parameter("damping constant", "N.s/m", 0.0, stiffness)

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return d v_rel."""
        return p.d * v


class SpringDamper(Compliant):
    """A spring and a damper side by side: f = c (s_rel − s_rel0) + d v_rel."""

    letters = TRANSLATIONAL
    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    c = parameter("stiffness", "N/m", 1.0, stiffness)
    d = parameter("damping constant", "N.s/m", 1.0, stiffness)
    s_rel0 = parameter("unstretched length", "m", 0.0, as_number())

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return c (s_rel − s_rel0) + d v_rel."""
        return p.c * (x - p.s_rel0) + p.d * v

    @staticmethod
    def stored(p: Any, x: Scalar) -> Scalar:
        """Return ½ c (s_rel − s_rel0)²."""
        return 0.5 * p.c * (x - p.s_rel0) * (x - p.s_rel0)


class Fixed(Standing):
    """A flange that stands still at the position s0."""

    at = "s0"
    flange = translational_flange("the fixed flange")
    s0 = parameter("position", "m", 0.0, as_number())


class ConstantForce(ConstantLoad):
    """A force on a flange; as a live `Parameter` it is the input of a controller."""

    load = "f_constant"
    flange = translational_flange("the driven flange")
    f_constant = parameter(
        "force; positive pushes the flange forward", "N", 1.0, as_number()
    )
