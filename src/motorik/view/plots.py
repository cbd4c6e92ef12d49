"""Plots of variables over time, or over one another: one axes for each unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from motorik.errors import ParameterError, called_as
from motorik.results import Series
from motorik.units import Unit, find_unit
from motorik.view.argument_checks import refused
from motorik.view.curves import (
    PlottedCurve,
    axis_label,
    by_unit,
    curves_of,
    in_unit,
    named_label,
)
from motorik.view.event_marks import (
    EXTRA,
    mark_events,
    mark_points,
    marked_events,
    tell_omitted,
)
from motorik.view.files import save_figure
from motorik.view.sheet import make_sheet
from motorik.view.theme import COLOURS, THEME

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DASHES = ("-", "--", ":", "-.")
WIDTH, HEIGHT = 7.0, 2.4  # inches; height of one axes


class PlotOptions(TypedDict, total=False):
    """Options of `plot_result` and of `result.plot`."""

    x: str
    others: Series | Sequence[Series] | Mapping[str, Series]
    label: str
    title: str
    file: str | Path | None
    size: tuple[float, float] | None
    unit: str | Unit | Sequence[str | Unit]
    events: bool | str | Sequence[str] | None
    event_names: bool


@called_as("plot")
def plot_result(
    result: Series,
    *names: str,
    x: str = "time",
    others: Series | Sequence[Series] | Mapping[str, Series] = (),
    label: str = "",
    title: str = "",
    file: str | Path | None = None,
    size: tuple[float, float] | None = None,
    unit: str | Unit | Sequence[str | Unit] = (),
    events: bool | str | Sequence[str] | None = None,
    event_names: bool = False,
) -> Figure:
    """Plot variables (by default the states) over time; return the figure.

    Variables of one unit share an axes, in the order in which they are named; a vector has
    a line for each component. `x` names another variable over which they are drawn:
    ``plot("ram.f", x="ram.s")``. `others` are more results, whose curves are dashed: one,
    several, or a dict of them by label; `label` is that of this one.

    `file` also saves the figure, in the format of its suffix; `size` is width and height
    [inches]. `unit` is one or several units in which to show matching variables:
    ``unit=("deg", "mm")``.

    `Discrete` signals and modes keep their values from row to row: they are drawn as steps.

    Events are thin vertical lines, or dots on the curves if `x` is not time. If there are
    too many to distinguish, none is marked, and the figure says so; `events` is True for all
    of them, False for none, or the parts whose events are marked; `event_names` names them.

    The figure is one of matplotlib, but not of pyplot: a notebook shows it once, as the value
    of its cell; in a program, `figure.show()` opens a window.
    """
    import matplotlib

    given = named(result, others, label)
    marked = marked_events(result, events, event_names)
    results = {key: own._with_event_samples() for key, own in given.items()}
    curves, unit_x = _shown(results, names, x, unit)
    above = 0.8 + (EXTRA if event_names and marked else 0.0)
    with matplotlib.rc_context(THEME):
        groups = by_unit(curves)
        figure = make_sheet(size or (WIDTH, above + HEIGHT * len(groups)))
        grid = _draw_all(figure, groups, len(results))
        if x == "time":
            grid[0].margins(x=0)
            mark_events(grid, marked, event_names)
        else:
            mark_points(list(zip(grid, groups.values(), strict=True)), results, marked)
        grid[-1].set_xlabel("time [s]" if x == "time" else named_label(x, unit_x))
        if events is None and not marked:
            tell_omitted(grid[0], len(result.events))
        if title:
            figure.suptitle(title)
        if file is not None:
            save_figure(figure, "plot", file)
    return figure


def _shown(
    results: Mapping[str, Series],
    names: Sequence[str],
    x: str,
    unit: str | Unit | Sequence[str | Unit],
) -> tuple[list[PlottedCurve], str]:
    """Return the curves of all results in the units wanted, and the unit of x."""
    curves, unit_x = curves_of(results, names, x)
    if not curves:
        raise ParameterError(
            "plot",
            "there is no variable to plot.",
            "Name some: result.plot('rev.phi').",
            parameter="names",
            value=names,
        )
    units = [unit] if isinstance(unit, (str, Unit)) else unit
    if not isinstance(units, Sequence):
        raise refused("plot", "unit", unit, "Give a unit such as 'deg', or several.")
    for other in map(find_unit, units):
        curves, unit_x = in_unit(curves, other, unit_x)
    return curves, unit_x


def _draw_all(
    figure: Figure, groups: Mapping[str, Sequence[PlottedCurve]], sources: int
) -> list[Axes]:
    """Return one axes for each unit, with its curves."""
    grid = list(figure.subplots(len(groups), sharex=True, squeeze=False)[:, 0])
    for axes, (unit, lines) in zip(grid, groups.items(), strict=True):
        _draw(axes, lines, unit, sources)
    return grid


def named(
    result: Series,
    others: Series | Sequence[Series] | Mapping[str, Series],
    label: str,
) -> dict[str, Series]:
    """Return all results by their labels; a single one needs none."""
    more: dict[str, Any]
    if isinstance(others, Mapping):
        more = dict(others)
    else:
        several = list(others) if isinstance(others, (list, tuple)) else [others]
        more = {f"run {number}": own for number, own in enumerate(several, start=2)}
    strange = [own for own in (result, *more.values()) if not isinstance(own, Series)]
    if strange:
        raise ParameterError(
            "plot",
            f"{strange[0]!r} is no result.",
            "Give results, or a dict of results by label.",
            parameter="others",
            value=strange[0],
        )
    first = label or ("run 1" if more else "")
    if first in more:
        raise ParameterError(
            "plot",
            f"two results have the label {first!r}.",
            "Give each result a label of its own.",
            parameter="label",
            value=first,
        )
    return {first: result, **more}


def _draw(axes: Axes, lines: Sequence[PlottedCurve], unit: str, sources: int) -> None:
    """Draw the curves of one unit; those of one variable share a colour, of a result a dash."""
    count: dict[int, int] = {}
    for curve in lines:
        number = count[curve.source] = count.get(curve.source, -1) + 1
        turn = curve.source if sources > 1 else number // len(COLOURS)
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[turn % 4]
        way = "steps-post" if curve.steps else "default"
        style: dict[str, Any] = {"color": colour, "linestyle": dash, "drawstyle": way}
        axes.plot(curve.x, curve.y, label=curve.label, **style)
    axes.set_ylabel(axis_label(unit))
    _place_legend(axes, len(lines))


def _place_legend(axes: Axes, count: int) -> None:
    """Put the legend beside the axes, where it hides no curve."""
    columns = 1 + (count - 1) // 10
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), ncols=columns, borderaxespad=0)
