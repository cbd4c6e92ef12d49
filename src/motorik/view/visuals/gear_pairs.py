"""Gear pairs: two wheels of a drive line that mesh, on parallel shafts a distance apart.

Shafts that turn opposite ways have two wheels side by side; shafts that turn the same way a
small wheel within a ring. Where such a ring would be hardly larger than its wheel, both stand on
one axis.
"""

from __future__ import annotations

from motorik.components.base.part import Part
from motorik.components.base.ports import PortKind
from motorik.components.lines.gears import Ratio
from motorik.components.rotational.lossy_gear import Gearbox
from motorik.immutable import immutable
from motorik.view.visuals.line_layout import flanges_of

APART = 0.55  # between the shafts of wheels side by side, in lengths of a cell
RING = 0.4  # pitch radius of a ring, alike
LEAST, MOST = 1.25, 3.0  # ratio of a ring to the wheel within it; the largest of all drawn


@immutable
class PitchRadii:
    """Pitch radii of the wheels of flange_a and flange_b, in lengths of a cell.

    `distance` is that of their shafts; `internal` is a wheel within a ring.
    """

    a: float
    b: float
    distance: float
    internal: bool = False


def pair_of(ratio: float) -> PitchRadii:
    """Return the wheels of a gear φ_a = ratio · φ_b.

    >>> pair = pair_of(-2.0)
    >>> round(pair.b / pair.a, 9), pair.internal, round(pair.a + pair.b - pair.distance, 9)
    (2.0, False, 0.0)
    >>> pair = pair_of(2.0)
    >>> round(pair.b / pair.a, 9), pair.internal, round(pair.b - pair.a - pair.distance, 9)
    (2.0, True, 0.0)
    """
    size = max(abs(ratio), 1.0 / abs(ratio)) if ratio else 1.0
    drawn = min(size, MOST)
    if ratio < 0.0:
        small = APART / (1.0 + drawn)
        pair = small, drawn * small, APART, False
    elif drawn >= LEAST:
        pair = RING / drawn, RING, RING - RING / drawn, True
    else:
        pair = 0.2, 0.2 * drawn, 0.0, False
    small, large, distance, internal = pair
    a, b = (small, large) if abs(ratio) >= 1.0 else (large, small)
    return PitchRadii(a, b, distance, internal)


def is_gear(part: Part) -> bool:
    """Return whether a part is a pair of wheels between two shafts."""
    turns = flanges_of(part)[0].kind is PortKind.ROTATIONAL
    return isinstance(part, Ratio | Gearbox) and turns
