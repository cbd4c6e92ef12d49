"""Units that are easily mistaken: angles in degrees where radians are meant."""

from __future__ import annotations

import math
import warnings
from typing import Any

from motorik.errors import UnitWarning, calls_within_motorik

STEP = 15.0  # degrees: angles that people give are multiples of it
FEW_TURNS = 15.0  # rad: from here on a whole multiple of `STEP` is hardly an angle in rad


def warn_of_degrees(part: str, name: str, unit: str, value: Any) -> None:
    """Warn of start angles such as 90 rad, which are probably degrees."""
    for x in value if isinstance(value, tuple) else (value,):
        if unit == "rad" and abs(x) >= FEW_TURNS and x % STEP == 0.0:
            _warn(
                f"{part}: {name} = {x:g} rad is {x / math.tau:.3g} turns. If degrees are meant, "
                f"give deg({x:g})."
            )


def _warn(words: str) -> None:
    warnings.warn(words, UnitWarning, stacklevel=calls_within_motorik())
