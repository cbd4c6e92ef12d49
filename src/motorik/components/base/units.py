"""Units that are easily mistaken: degrees where radians are meant, millimetres for metres."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING

from motorik.algebra.vector import Vector
from motorik.components.base.live_numbers import LiveNumber
from motorik.errors import UnitWarning, calls_within_motorik

if TYPE_CHECKING:
    from motorik.components.base.part import Part

STEP = 15.0  # degrees: angles that people give are multiples of it
FEW_TURNS = 15.0  # rad: from here on a whole multiple of `STEP` is hardly an angle in rad
HEAVY = 1e6  # kg: no single solid body of a machine is heavier, 1e9 times a mass in mm is
LIGHT = (0.3, 23.0)  # kg/m³: densities of solids in g/cm³
FAR = 100.0  # times the largest of all other lengths: a length that may be in mm
WHOLE = 20.0  # from here on a whole number may be millimetres
OTHERS = 3  # other lengths from which on a mechanism has a size


def warn_of_degrees(part: str, name: str, unit: str, value: object) -> None:
    """Warn of angles such as 90 rad, which are probably degrees."""
    if unit != "rad":
        return
    for x in _numbers(value):
        if abs(x) >= FEW_TURNS and x % STEP == 0.0:
            place = f"{part}: {name}" if part else name
            _warn(
                f"{place} = {x:g} rad is {x / math.tau:.3g} turns. If degrees are meant, "
                f"give deg({x:g})."
            )


def warn_of_density(part: str, density: float) -> None:
    """Warn of a density such as 7.8, which is probably in g/cm³."""
    if LIGHT[0] <= density <= LIGHT[1]:
        _warn(
            f"{part}: density = {density:g} kg/m³ is that of a gas or of foam. If g/cm³ is "
            f"meant, give {1000.0 * density:g}."
        )


def warn_of_mass(part: str, shape: str, mass: float) -> None:
    """Warn of the mass [kg] of a solid that follows from lengths 1000 times too large."""
    if mass >= HEAVY:
        _warn(
            f"{part}: {shape} gives a mass of {mass:.3g} kg. Lengths are in metres; if "
            f"millimetres are meant, give mm(…), and the mass is {mass * 1e-9:.3g} kg."
        )


def warn_of_lengths(parts: Iterable[Part]) -> None:
    """Warn of whole lengths that are far larger than all others of a mechanism."""
    found = [
        (part, name, size)
        for part in parts
        for name, spec in part.specs.items()
        if spec.unit == "m" and hasattr(spec, "convert")  # a parameter, no start value
        if (size := _size(part.__dict__.get(name))) > 0.0
    ]
    large = [one for one in found if one[2] >= WHOLE and one[2].is_integer()]
    others = [size for part, name, size in found if (part, name, size) not in large]
    if not large or len(others) < OTHERS:
        return
    most = max(others)
    for part, name, size in large:
        if size > FAR * most:
            _warn(
                f"{part.label}: {name} = {size:g} m is {size / most:.3g} times the next "
                f"largest length of the model, {most:g} m. If millimetres are meant, give mm(…)."
            )


def _numbers(value: object) -> Iterable[float]:
    """Return the present numbers of a plain or live number, a vector or a tuple."""
    if isinstance(value, Vector):
        value = value.xyz
    for x in value if isinstance(value, (tuple, list)) else (value,):
        if isinstance(x, LiveNumber):
            x = x.value
        if isinstance(x, (int, float)) and not isinstance(x, bool):
            yield float(x)


def _size(value: object) -> float:
    """Return a length, or that of a vector; 0 for everything else."""
    numbers = list(_numbers(value))
    if isinstance(value, (tuple, list)):  # several lengths, such as stops
        return 0.0
    return math.hypot(*numbers) if numbers else 0.0


def _warn(words: str) -> None:
    warnings.warn(words, UnitWarning, stacklevel=calls_within_motorik())
