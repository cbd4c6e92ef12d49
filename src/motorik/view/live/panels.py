"""Panels of a session: all its controls in groups, and their present values."""

from __future__ import annotations

import math
from collections.abc import Callable

from motorik.errors import UnknownNameError, suggest
from motorik.view.live.panel import CHOICE, TOGGLE, Panel, PanelControl
from motorik.view.live.player import Player


class Panels:
    """All controls of a session, in groups."""

    def __init__(self, player: Player, changed: Callable[[], None]) -> None:
        self._player, self._changed = player, changed
        self._groups: dict[str, Panel] = {}
        self._chosen: dict[str, object] = {}

    def find(self, title: str) -> Panel:
        """Return the panel of a title, made if there is none."""
        if title not in self._groups:
            self._groups[title] = Panel(title, self._player.unit_of, self._changed)
        return self._groups[title]

    def remove(self, title: str) -> None:
        """Remove a panel."""
        if self._groups.pop(title, None) is not None:
            self._changed()

    @property
    def widgets(self) -> dict[str, PanelControl]:
        """All controls by their ids."""
        return {w.id: w for panel in self._groups.values() for w in panel.widgets}

    def widget(self, id_: str) -> PanelControl:
        """Return a control by its id."""
        known = self.widgets
        if id_ not in known:
            raise UnknownNameError(
                "live", f"there is no control {id_!r}.", suggest(id_, known), value=id_
            )
        return known[id_]

    def note(self, widget: PanelControl, value: object) -> None:
        """Keep the value of a control that sets nothing of the model."""
        self._chosen[widget.id] = value

    def values(self) -> dict[str, object]:
        """Return the present values of all controls by their ids, as pages take them."""
        widgets = self.widgets
        names = list({widget.name: None for widget in widgets.values() if widget.name})
        now = dict(zip(names, self._player.values(names), strict=True))
        return {
            id_: _shown(widget, now[widget.name]) if widget.name else self._chosen.get(id_)
            for id_, widget in widgets.items()
        }

    def to_json(self) -> list[dict[str, object]]:
        """Return all groups as pages take them."""
        now = self.values()
        return [
            {"title": title, "widgets": [w.to_json(now[w.id]) for w in panel.widgets]}
            for title, panel in self._groups.items()
        ]


def _shown(widget: PanelControl, value: float) -> object:
    """Return the value of an input as its control shows it."""
    if not math.isfinite(value):
        return None
    if widget.kind == TOGGLE:
        return value == widget.values[1]
    if widget.kind == CHOICE:
        return next((label for label, own in widget.choices if own == value), None)
    if widget.unit == "rad" and not widget.low <= value <= widget.high:
        return math.remainder(value, 2.0 * math.pi)  # full turns are not seen
    return value
