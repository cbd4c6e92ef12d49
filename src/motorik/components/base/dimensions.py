"""Dimensions: what the units of signals are made of, so that those that differ are seen.

>>> dimension("N.m").text, dimension("rad/s").fits(dimension("1/s"))
('kg.m2/s2', True)

Angles have no dimension: a radian is a metre of arc by a metre of radius. Only where both units
have an angle its size is compared: one hertz is 2π rad/s.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from math import isclose, pi

from motorik.immutable import immutable
from motorik.numerics.tolerances import SAME_UNIT

BASE = ("kg", "m", "s", "A", "K", "mol", "cd")
Exponents = tuple[Fraction, ...]
NONE: Exponents = (Fraction(0),) * len(BASE)


@immutable
class Dimension:
    """Powers of the base units of SI, the size of the unit in them, and its share of angles.

    `angle` is the power of an angle and its size in radians; `zero` is where the scale begins.
    """

    powers: Exponents = NONE
    size: float = 1.0
    angle: Fraction = Fraction(0)
    turn: float = 1.0
    zero: float = 0.0

    def times(self, other: Dimension) -> Dimension:
        """Return the unit of a product."""
        return Dimension(
            tuple(a + b for a, b in zip(self.powers, other.powers, strict=True)),
            self.size * other.size,
            self.angle + other.angle,
            self.turn * other.turn,
        )

    def to(self, power: Fraction) -> Dimension:
        """Return the unit of a power."""
        return Dimension(
            tuple(a * power for a in self.powers),
            self.size ** float(power),
            self.angle * power,
            self.turn ** float(power),
            self.zero if power == 1 else 0.0,
        )

    def fits(self, other: Dimension) -> bool:
        """Return whether numbers in both units mean the same."""
        return (
            self.powers == other.powers
            and isclose(self.factor(other), 1.0, rel_tol=SAME_UNIT)
            and self.zero == other.zero
        )

    def factor(self, other: Dimension) -> float:
        """Return by what a number in this unit is multiplied, of the same powers."""
        size = self.size / other.size
        return size * (self.turn / other.turn if self.angle == other.angle else 1.0)

    @property
    def text(self) -> str:
        """The unit of SI in letters, such as kg.m2/s2."""
        above = [_power(n, k) for n, k in zip(BASE, self.powers, strict=True) if k > 0]
        below = [_power(n, -k) for n, k in zip(BASE, self.powers, strict=True) if k < 0]
        divided = below[0] if len(below) == 1 else f"({'.'.join(below)})"
        return ".".join(above or ["1"]) + (f"/{divided}" if below else "")


def _power(name: str, power: Fraction) -> str:
    return name if power == 1 else f"{name}{power}"


def _unit(size: float = 1.0, **powers: int) -> Dimension:
    found = tuple(Fraction(powers.get(name, 0)) for name in BASE)
    return Dimension(found, size)


def _angle(turn: float, **powers: int) -> Dimension:
    return Dimension(_unit(**powers).powers, 1.0, Fraction(1), turn)


#: The letters of units; those of PREFIXED may have a prefix.
PREFIXED = {
    "g": _unit(1e-3, kg=1),
    "m": _unit(m=1),
    "s": _unit(s=1),
    "A": _unit(A=1),
    "K": _unit(K=1),
    "mol": _unit(mol=1),
    "cd": _unit(cd=1),
    "N": _unit(kg=1, m=1, s=-2),
    "J": _unit(kg=1, m=2, s=-2),
    "W": _unit(kg=1, m=2, s=-3),
    "Pa": _unit(kg=1, m=-1, s=-2),
    "bar": _unit(1e5, kg=1, m=-1, s=-2),
    "C": _unit(A=1, s=1),
    "V": _unit(kg=1, m=2, s=-3, A=-1),
    "Ohm": _unit(kg=1, m=2, s=-3, A=-2),
    "S": _unit(kg=-1, m=-2, s=3, A=2),
    "F": _unit(kg=-1, m=-2, s=4, A=2),
    "Wb": _unit(kg=1, m=2, s=-2, A=-1),
    "T": _unit(kg=1, s=-2, A=-1),
    "H": _unit(kg=1, m=2, s=-2, A=-2),
    "l": _unit(1e-3, m=3),
    "Hz": _angle(2.0 * pi, s=-1),
    "rad": _angle(1.0),
}
PLAIN = {
    "1": Dimension(),
    "%": _unit(0.01),
    "sr": Dimension(),
    "deg": _angle(pi / 180.0),
    "rev": _angle(2.0 * pi),
    "rpm": _angle(pi / 30.0, s=-1),
    "min": _unit(60.0, s=1),
    "h": _unit(3600.0, s=1),
    "d": _unit(86400.0, s=1),
    "t": _unit(1000.0, kg=1),
    "degC": Dimension(_unit(K=1).powers, zero=273.15),
}
PREFIXES = {
    **{"p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1},
    **{"h": 1e2, "k": 1e3, "M": 1e6, "G": 1e9},
}
FACTOR = re.compile(r"([^\d^/.·*()\-+]+|1|%)\^?([-+]?\d+)?")


@cache
def dimension(unit: str) -> Dimension | None:
    """Return the dimension of a unit such as "N.m/rad" or "kg.m2"; None if it cannot be read."""
    text = unit.replace(" ", "").replace("·", ".").replace("*", ".").replace("²", "2")
    alone = _letters(text)
    if not text or alone is not None:
        return alone
    found = Dimension()
    above, *below = text.split("/")
    for part, sign in ((above, 1), *((one, -1) for one in below)):
        for factor in part.removeprefix("(").removesuffix(")").split("."):
            match = FACTOR.fullmatch(factor)
            own = match and _letters(match[1])
            if not match or own is None:
                return None
            found = found.times(own.to(Fraction(sign * int(match[2] or 1))))
    return found


def _letters(name: str) -> Dimension | None:
    """Return the dimension of a symbol without a power."""
    if name in PREFIXED or name in PLAIN:
        return PREFIXED.get(name) or PLAIN[name]
    base, prefix = PREFIXED.get(name[1:]), PREFIXES.get(name[:1])
    return None if base is None or prefix is None else base.times(_unit(prefix))
