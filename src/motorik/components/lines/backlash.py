"""Elastic contacts of drive lines: backlash and gaps, whose forces push and never pull.

While there is contact a spring is pressed by e and a damper works beside it. Where the law is
continuous the damper's force is at most that of the spring, so that the force begins and ends
with zero: f = f_c + f_d, |f_d| ≤ |f_c|.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, is_structural, where
from motorik.components.base.motion import Motion
from motorik.components.base.resolving import Values
from motorik.components.base.variable import Variable
from motorik.components.lines.base import Compliant
from motorik.components.losses import LossyPart

if TYPE_CHECKING:
    from typing_extensions import Self


def pushing(f_c: Scalar, f_d: Scalar) -> Scalar:
    """Return the force of spring and damper, the damper's limited by the spring's."""
    most = where(f_c < 0.0, -f_c, f_c)
    limited = where(f_d > most, most, where(f_d < -most, -most, f_d))
    return f_c + limited


def pressed_together(p: Values, x: Scalar) -> Scalar:
    """Return how far the spring of a backlash is pressed, with its sign; 0 within the play."""
    away, half = x - p.rest, 0.5 * p.b
    return where(away > half, away - half, where(away < -half, away + half, 0.0))


class Backlash(LossyPart, Compliant):
    """Play of the whole width b, then a spring and a damper that begin and end with no force.

    With e = x_rel − x_rel0 beyond ±b/2: f = c e + d v_rel, the damper's part at most that of the
    spring. Without play, b = 0, it is a spring and a damper side by side.
    """

    def of_law(self, p: Values) -> Values:
        """Return c, d, b and the relative position in the middle of the play."""
        rest = getattr(p, f"{self.line_names.x}_rel0")
        return SimpleNamespace(c=p.c, d=p.d, b=p.b, rest=rest)

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return c e + d v_rel, limited."""
        f_c, f_d = p.c * pressed_together(p, x), p.d * v
        return where(p.b > 0.0, pushing(f_c, f_d), f_c + f_d)

    @staticmethod
    def stored(p: Values, x: Scalar) -> Scalar:
        """Return ½ c e²."""
        e = pressed_together(p, x)
        return 0.5 * p.c * e * e


class AbruptBacklash(Backlash):
    """Play of the whole width b, then a spring and a damper whose force jumps at contact.

    With e = x_rel − x_rel0 beyond ±b/2: f = c e + d v_rel where that pushes, else 0. Without
    play, b = 0, it is a spring and a damper side by side.
    """

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return c e + d v_rel where that pushes."""
        e = pressed_together(p, x)
        f = p.c * e + p.d * v
        beyond = where(e > 0.0, where(f > 0.0, f, 0.0), where(f < 0.0, f, 0.0))
        return where(p.b > 0.0, where(e == 0.0, 0.0, beyond), f)


class Gap(LossyPart, Compliant):
    """A spring and a damper that lift off: they push where x_rel < x_rel0, and never pull.

    f = −c |x_rel − x_rel0|ⁿ + d v_rel in contact, the damper's part at most that of the spring.
    """

    def of_law(self, p: Values) -> Values:
        """Return c, d, n and the relative position of first contact."""
        rest = getattr(p, f"{self.line_names.x}_rel0")
        return SimpleNamespace(c=p.c, d=p.d, n=p.n, rest=rest)

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return −c eⁿ + d v_rel, limited, with e = x_rel0 − x_rel in contact."""
        return pushing(-p.c * _power(_depth(p, x), p.n), p.d * v)

    @staticmethod
    def stored(p: Values, x: Scalar) -> Scalar:
        """Return c eⁿ⁺¹ / (n + 1)."""
        e = _depth(p, x)
        return p.c * e * _power(e, p.n) / (p.n + 1.0)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return whether there is contact as well."""
        given = self.of_law(p)

        def contact(motion: Motion) -> Scalar:
            a, b = motion.flange(self.flange_a)[0], motion.flange(self.flange_b)[0]
            return where(b - a < given.rest, 1.0, 0.0)

        shown = Variable(contact, "1", "whether the flanges touch")
        return {**super().variables(p), "contact": shown}


def _depth(p: Values, x: Scalar) -> Scalar:
    return where(x < p.rest, p.rest - x, 0.0)


def _power(depth: Scalar, n: Scalar) -> Scalar:
    return depth if is_structural(n, 1.0) else depth**n
