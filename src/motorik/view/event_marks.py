"""Marks of events in plots: thin vertical lines, with names above the plot if wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from motorik.errors import ParameterError
from motorik.results.events import Event, Events

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from motorik.results import Series

FEW = 50  # events from which on they are marked only if asked for
LINE: dict[str, Any] = {
    "color": "0.4",
    "linewidth": 0.7,
    "linestyle": (0, (1.5, 2.5)),
    "zorder": 1.5,
}
SLOPE = 35.0  # degrees of the names above the plot
EXTRA = 0.9  # inches that they need
APART = 0.035  # of the width: labels that are nearer share one place
SEEN = 0.004  # of the width: lines that are nearer look like one, which is drawn


def marked_events(
    result: Series, events: bool | str | Sequence[str] | None, named: bool
) -> Events:
    """Return the events to mark: all, none, those of some parts, or all if they are few."""
    own = result.events
    if events is None:
        return own if named or len(own) < FEW else Events()
    if isinstance(events, bool):
        return own if events else Events()
    parts = [events] if isinstance(events, str) else list(events)
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
    """Return what happened in a few words."""
    told = list(dict.fromkeys(f"{event.part} {event.what}" for event in group))
    if len(told) <= 2:
        return ", ".join(told)
    parts = list(dict.fromkeys(event.part for event in group))
    return f"{', '.join(parts)}: {len(group)} events"
