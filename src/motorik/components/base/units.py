"""Units that are easily mistaken: angles in degrees where radians are meant, and the reverse."""

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
                f"give math.radians({x:g})."
            )


def warn_of_radians(part: str, name: str, unit: str, value: Any) -> None:
    """Warn of angles such as π/2 where degrees are asked for."""
    if unit == "deg" and type(value) is float and 0.0 < abs(value) <= math.tau:
        count = math.degrees(value) / STEP
        if math.isclose(count, round(count), rel_tol=1e-9):
            _warn(
                f"{part}: {name} = {value:g} is taken in degrees. If radians are meant, give "
                f"{math.degrees(value):g}."
            )


def _warn(words: str) -> None:
    warnings.warn(words, UnitWarning, stacklevel=calls_within_motorik())
