"""Plots of variables over time: one axes for each unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.errors import ParameterError, called_as
from motorik.units import UNITS, Unit, find_unit
from motorik.view.event_marks import EXTRA, mark_events, marked_events
from motorik.view.files import save_figure
from motorik.view.theme import COLOURS, THEME

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from motorik.results import Series

STYLES = [
    {"color": c, "linestyle": dash} for dash in ("-", "--", ":", "-.") for c in COLOURS
]
WIDTH, HEIGHT = 7.0, 2.4  # inches; height of one axes
QUANTITIES = {
    "1": "",
    "J": "energy",
    "N": "force",
    "N.m": "torque",
    "W": "power",
    "kg.m/s": "momentum",
    "kg.m2/s": "angular momentum",
    "m": "position",
    "m/s": "velocity",
    "m/s2": "acceleration",
    "rad": "angle",
    "rad/s": "angular velocity",
    "rad/s2": "angular acceleration",
}


@called_as("plot")
def plot_result(
    result: Series,
    *names: str,
    title: str = "",
    file: str | Path | None = None,
    size: tuple[float, float] | None = None,
    unit: str | Unit | Sequence[str | Unit] = (),
    events: bool | str | Sequence[str] | None = None,
    event_names: bool = False,
) -> Figure:
    """Plot variables (by default the states) over time; return the figure.

    Variables of one unit share an axes, in the order in which they are named; a vector has
    a line for each component. `file` also saves the figure, in the format of its suffix;
    `size` is width and height [inches]. `unit` is one or several units in which to show matching
    variables: ``unit=("deg", "mm")``.

    Events are thin vertical lines, if there are fewer than 50; `events` is True for all of
    them, False for none, or the parts whose events are marked; `event_names` names them.
    """
    import matplotlib
    from matplotlib import pyplot

    marked = marked_events(result, events, event_names)
    result = result._with_event_rows()
    curves = group_by_unit(result, names or result._default_names())
    if not curves:
        raise ParameterError(
            "plot",
            "there is no variable to plot.",
            "Name some: result.plot('rev.phi').",
            parameter="names",
            value=names,
        )
    one = isinstance(unit, (str, Unit))
    for other in map(find_unit, (unit,) if one else unit):
        curves = in_unit(curves, other)
    above = 0.8 + (EXTRA if event_names and marked else 0.0)
    with matplotlib.rc_context(THEME):
        figure, grid = pyplot.subplots(
            len(curves),
            sharex=True,
            squeeze=False,
            figsize=size or (WIDTH, above + HEIGHT * len(curves)),
        )
        for axes, (unit, lines) in zip(grid[:, 0], curves.items(), strict=True):
            for (label, values), style in zip(lines, cycle(STYLES), strict=False):
                axes.plot(result.time, values, label=label, **style)
            axes.margins(x=0)
            axes.set_ylabel(axis_label(unit))
            _place_legend(axes, len(lines))
        mark_events(list(grid[:, 0]), marked, event_names)
        grid[-1, 0].set_xlabel("time [s]")
        if title:
            figure.suptitle(title)
        if file is not None:
            save_figure(figure, "plot", file)
    return figure


def group_by_unit(
    result: Series, names: Sequence[str]
) -> dict[str, list[tuple[str, np.ndarray]]]:
    """Return the curves to draw, label and values, by their unit."""
    curves: dict[str, list[tuple[str, np.ndarray]]] = {}
    for label, values in result._columns(names):
        name = label if label in names else label.rsplit("[", 1)[0]
        curves.setdefault(result.unit(name), []).append((label, values))
    return curves


def in_unit(
    curves: Mapping[str, list[tuple[str, np.ndarray]]], unit: Unit
) -> dict[str, list[tuple[str, np.ndarray]]]:
    """Return the curves with those of the same quantity converted to this unit."""
    if unit.si not in curves:
        raise ParameterError(
            "plot",
            f"none of the variables is in {unit.si}, so none can be shown in {unit}.",
            f"They are in {', '.join(curves)}.",
            parameter="unit",
            value=unit,
        )
    shown: dict[str, list[tuple[str, np.ndarray]]] = {}
    for own, lines in curves.items():
        if own == unit.si:
            converted = [(label, np.asarray(unit.from_si(y))) for label, y in lines]
            shown[unit.symbol] = converted
        else:
            shown[own] = lines
    return shown


def axis_label(unit: str) -> str:
    """Return the label of an axis for values in this unit, e.g. "velocity [m/s]".

    >>> axis_label("rad/s2")
    'angular acceleration [rad/s²]'
    """
    shown = unit.replace("m2", "m²").replace("s2", "s²").replace(".", "·")
    quantity = QUANTITIES.get(UNITS[unit].si if unit in UNITS else unit, "")
    return f"{quantity} [{shown or '1'}]".strip()


def _place_legend(axes: Any, count: int) -> None:
    """Put the legend beside the axes, where it hides no curve."""
    columns = 1 + (count - 1) // 10
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), ncols=columns, borderaxespad=0)
