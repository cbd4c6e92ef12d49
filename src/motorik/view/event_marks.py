"""Marks of events in plots: thin vertical lines over time, dots over other variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.errors import ParameterError
from motorik.results.events import Event, Events
from motorik.view.argument_checks import check_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from motorik.results import Series
    from motorik.view.curves import PlottedCurve

FEW = 100  # lines from which on they are drawn only on request
LINE: dict[str, Any] = {
    "color": "0.4",
    "linewidth": 0.7,
    "linestyle": (0, (1.5, 2.5)),
    "zorder": 1.5,
}
DOT: dict[str, Any] = {
    "color": "0.3",
    "linestyle": "none",
    "marker": "o",
    "markersize": 3.0,
    "zorder": 3,
}
SLOPE = 35.0  # degrees of the names above the plot
EXTRA = 0.9  # inches that they need
APART = 0.035  # of the width: labels that are nearer share one place
SEEN = 0.004  # of the width: lines that are nearer are drawn as one


def marked_events(
    result: Series, events: bool | str | Sequence[str] | None, named: bool
) -> Events:
    """Return the events to mark: all, none, those of some parts, or all if they are few.

    Events as near as the width of a line count once.
    """
    own = result.events
    if events is None:
        span = float(np.ptp(result.time)) if len(result.time) else 0.0
        return own if named or len(grouped(own, SEEN * span)) < FEW else Events()
    if isinstance(events, bool):
        return own if events else Events()
    parts = check_names("plot", "events", events)
    for part in parts:
        if own and not own.of(part):
            raise ParameterError(
                "plot",
                f"there is no event of {part!r}.",
                f"Events happened to {', '.join(own.parts)}.",
                parameter="events",
                value=part,
            )
    return own.of(*parts)


def mark_events(axes: Sequence[Axes], events: Events, named: bool) -> None:
    """Draw a line through all axes at each event; above the first one, name the parts."""
    top = axes[0]
    begin, end = top.get_xlim()
    for group in grouped(events, SEEN * (end - begin)):
        for own in axes:
            own.axvline(group[0].time, **LINE)
    for group in grouped(events, APART * (end - begin)) if named else ():
        top.annotate(
            label_of(group),
            (group[0].time, 1.0),
            xycoords=top.get_xaxis_transform(),
            xytext=(0.0, 3.0),
            textcoords="offset points",
            rotation=SLOPE,
            rotation_mode="anchor",
            ha="left",
            va="baseline",
            fontsize="x-small",
            color="0.3",
            annotation_clip=False,
        )


def tell_omitted(axes: Axes, count: int) -> None:
    """Say above a plot that so many events are not marked."""
    if count:
        said = f"{count} events are not marked; events=True marks them"
        axes.set_title(said, loc="right", fontsize="x-small", color="0.4")


def mark_points(
    drawn: Sequence[tuple[Axes, Sequence[PlottedCurve]]],
    results: Mapping[str, Series],
    events: Events,
) -> None:
    """Draw a dot on each curve of the first result at each event; x is not time there."""
    time = next(iter(results.values())).time
    at = np.array([event.time for event in events])
    rows = np.clip(np.searchsorted(time, at), 0, len(time) - 1)
    for axes, curves in drawn if len(rows) else ():
        for curve in curves:
            if curve.source == 0:
                axes.plot(curve.x[rows], curve.y[rows], **DOT)


def grouped(events: Events, apart: float) -> list[list[Event]]:
    """Return events in order of time; those nearer to the first of a group are in it."""
    groups: list[list[Event]] = []
    for event in sorted(events, key=lambda one: one.time):
        if groups and event.time - groups[-1][0].time < apart:
            groups[-1].append(event)
        else:
            groups.append([event])
    return groups


def label_of(group: Sequence[Event]) -> str:
    """Return a short text of the events."""
    shown = list(dict.fromkeys(f"{event.part} {event.what}" for event in group))
    if len(shown) <= 2:
        return ", ".join(shown)
    parts = list(dict.fromkeys(event.part for event in group))
    return f"{', '.join(parts)}: {len(group)} events"
