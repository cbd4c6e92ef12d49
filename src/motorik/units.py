"""Units: conversion of numbers to and from SI units.

One rule: every number that motorik takes or returns is in SI units: angles in radians, lengths
in metres, masses in kilograms, forces in newtons, angular velocities in rad/s. A number in
another unit is written with this unit:

>>> from motorik.units import deg, mm
>>> mm(5), deg.from_si(deg(90))
(0.005, 90.0)

The units are: `deg`, `rpm`, `mm`, `cm`, `km_per_h`, `gram`, `kg_cm2`, `g_per_cm3`, `kN`,
`N_mm`, `N_per_mm`. Each takes a number, a sequence or an array of numbers, or a live
`Parameter`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import overload

import numpy as np

from motorik.components.base.values import Parameter, numbers
from motorik.errors import ParameterError, UnknownNameError, called_as, suggest
from motorik.immutable import immutable
from motorik.names import refuse_others as _refuse_others

__all__ = [
    "UNITS",
    "N_mm",
    "N_per_mm",
    "Unit",
    "cm",
    "deg",
    "g_per_cm3",
    "gram",
    "kN",
    "kg_cm2",
    "km_per_h",
    "mm",
    "rpm",
]

__getattr__ = _refuse_others(__name__, __all__)


@immutable
class Unit:
    """A unit other than that of SI: x in this unit is `factor` · x in the unit `si`."""

    symbol: str
    factor: float
    si: str

    @overload
    def __call__(self, value: float) -> float: ...
    @overload
    def __call__(self, value: Parameter) -> Parameter: ...
    @overload
    def __call__(self, value: np.ndarray) -> np.ndarray: ...
    @overload
    def __call__(self, value: Sequence[float]) -> tuple[float, ...]: ...

    @called_as("units", ParameterError)
    def __call__(
        self, value: float | Parameter | np.ndarray | Sequence[float]
    ) -> float | Parameter | np.ndarray | tuple[float, ...]:
        """Return a value given in this unit in that of SI.

        For a live `Parameter` a new one is returned, whose value is in the SI unit.
        """
        if isinstance(value, Parameter):
            found = _scaled(value.value, self.factor, self.symbol)
            return Parameter(found, value.name, self.si, value.fixed)  # type: ignore[arg-type]
        return _scaled(value, self.factor, self.symbol)

    def from_si(self, value: float | np.ndarray | Sequence[float]) -> float | np.ndarray:
        """Return a value given in SI units in this unit: ``deg.from_si(result["rev.phi"])``."""
        array = _checked(value, self.symbol) / self.factor
        return array if array.ndim else float(array)

    def __str__(self) -> str:
        return self.symbol


def _checked(value: object, symbol: str) -> np.ndarray:
    array = numbers(value)
    if np.isnan(array).all() and array.size:
        raise ParameterError(
            symbol,
            f"{value!r} is neither a number nor several of them.",
            f"Give e.g. {symbol}(1.5); of a start value guess({symbol}(1.5)).",
            parameter="value",
            value=value,
        )
    return array


def _scaled(
    value: object, factor: float, symbol: str
) -> float | np.ndarray | tuple[float, ...]:
    array = factor * _checked(value, symbol)
    if isinstance(value, np.ndarray) and array.ndim:
        return array
    return tuple(map(float, array)) if array.ndim == 1 else float(array)


deg = Unit("deg", pi / 180, "rad")
rpm = Unit("rpm", pi / 30, "rad/s")
mm = Unit("mm", 1e-3, "m")
cm = Unit("cm", 1e-2, "m")
km_per_h = Unit("km_per_h", 1 / 3.6, "m/s")
gram = Unit("gram", 1e-3, "kg")
kg_cm2 = Unit("kg_cm2", 1e-4, "kg.m2")
g_per_cm3 = Unit("g_per_cm3", 1e3, "kg/m3")
kN = Unit("kN", 1e3, "N")  # noqa: N816
N_mm = Unit("N_mm", 1e-3, "N.m")
N_per_mm = Unit("N_per_mm", 1e3, "N/m")

UNITS = {
    unit.symbol: unit
    for unit in (
        *(deg, rpm, mm, cm, km_per_h, gram, kg_cm2, g_per_cm3),
        *(kN, N_mm, N_per_mm),
    )
}


def find_unit(name: str | Unit) -> Unit:
    """Return a unit by its name, e.g. "deg"."""
    if isinstance(name, Unit):
        return name
    if name not in UNITS:
        raise UnknownNameError(
            "unit", f"{name!r} is not known.", suggest(str(name), UNITS), value=name
        )
    return UNITS[name]


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
