"""Curves of a plot: variables of one or several results, by their units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import ParameterError
from motorik.immutable import immutable
from motorik.results import ModelResult
from motorik.units import UNITS, Unit

if TYPE_CHECKING:
    from motorik.results import Series

MODES = (
    *("mode", "locked", "stuck", "contact", "stopped", "fired"),
    *("startForward", "startBackward"),
)
"""Names of variables that are modes: on or off, sticking or sliding."""
QUANTITIES = {
    "1": "",
    "A": "current",
    "J": "energy",
    "K": "temperature",
    "N": "force",
    "N.m": "torque",
    "Pa": "pressure",
    "V": "voltage",
    "W": "power",
    "kg.m/s": "momentum",
    "kg.m2/s": "angular momentum",
    "m": "position",
    "m/s": "velocity",
    "m/s2": "acceleration",
    "rad": "angle",
    "rad/s": "angular velocity",
    "rad/s2": "angular acceleration",
    "s": "time",
}


@immutable(eq=False)
class PlottedCurve:
    """One line: its label, values over x, unit, and the number of the result it is of.

    A curve that `steps` keeps its value from one sample to the next.
    """

    label: str
    x: np.ndarray
    y: np.ndarray
    unit: str
    source: int = 0
    steps: bool = False


def is_mode(name: str, unit: str) -> bool:
    """Return whether a variable is a mode, by its name and unit."""
    return unit == "1" and name.rsplit(".", 1)[-1].split("[")[0] in MODES


def keeps_value(result: Series, name: str, unit: str) -> bool:
    """Return whether a variable changes only at instants: a mode, or a `Discrete` signal."""
    if is_mode(name, unit):
        return True
    return isinstance(result, ModelResult) and name in result._system.layout.kept_signals


def columns_of(result: Series, names: Sequence[str]) -> list[tuple[str, np.ndarray, str]]:
    """Return label, values and unit of variables, a vector component by component."""
    found = []
    for label, values in result._columns(names):
        name = label if label in names else label.rsplit("[", 1)[0]
        found.append((label, values, result.unit(name)))
    return found


def abscissa(result: Series, x: str) -> tuple[np.ndarray, str]:
    """Return the values over which curves are drawn, and their unit."""
    if x == "time":
        return result.time, "s"
    values = result[x]
    if values.ndim != 1:
        raise ParameterError(
            "plot",
            f"x = {x!r} has {values[0].size} components.",
            f"Choose one: x={f'{x}[1]'!r}.",
            parameter="x",
            value=x,
        )
    return values, result.unit(x)


def curves_of(
    results: Mapping[str, Series], names: Sequence[str], x: str
) -> tuple[list[PlottedCurve], str]:
    """Return the curves of all results, and the unit of x."""
    found, unit_x = [], "s"
    for source, (own, result) in enumerate(results.items()):
        over, unit_x = abscissa(result, x)
        for label, values, unit in columns_of(result, names or result._default_names()):
            text = f"{label}, {own}" if own else label
            steps = x == "time" and keeps_value(result, label, unit)
            found.append(PlottedCurve(text, over, values, unit, source, steps))
    return found, unit_x


def in_unit(
    curves: Sequence[PlottedCurve], unit: Unit, x: str
) -> tuple[list[PlottedCurve], str]:
    """Return curves with values of the same quantity in another unit, and the unit of x."""
    own = {curve.unit for curve in curves}
    if unit.si not in {*own, x}:
        raise ParameterError(
            "plot",
            f"none of the variables is in {unit.si}, so none can be shown in {unit}.",
            f"They are in {', '.join(dict.fromkeys(curve.unit for curve in curves))}.",
            parameter="unit",
            value=unit,
        )
    found = []
    for curve in curves:
        if curve.unit == unit.si:
            curve = replace(curve, y=np.asarray(unit.from_si(curve.y)), unit=unit.symbol)
        if x == unit.si:
            curve = replace(curve, x=np.asarray(unit.from_si(curve.x)))
        found.append(curve)
    return found, unit.symbol if x == unit.si else x


def by_unit(curves: Sequence[PlottedCurve]) -> dict[str, list[PlottedCurve]]:
    """Return curves by their units, in the order of the first of each."""
    found: dict[str, list[PlottedCurve]] = {}
    for curve in curves:
        found.setdefault(curve.unit, []).append(curve)
    return found


def axis_label(unit: str) -> str:
    """Return the label of an axis for values in this unit, e.g. "velocity [m/s]".

    >>> axis_label("rad/s2")
    'angular acceleration [rad/s²]'
    """
    shown = unit.replace("m2", "m²").replace("s2", "s²").replace(".", "·")
    quantity = QUANTITIES.get(UNITS[unit].si if unit in UNITS else unit, "")
    return f"{quantity} [{shown or '1'}]".strip()


def named_label(name: str, unit: str) -> str:
    """Return the label of an axis for one variable, e.g. "jack.s [mm]"."""
    shown = axis_label(unit)
    return f"{name} {shown[shown.index('[') :]}"
