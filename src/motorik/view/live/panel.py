"""Panels: sliders, buttons, toggles and choices beside a live mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from motorik.errors import ParameterError, UnknownNameError, suggest
from motorik.immutable import immutable
from motorik.view.argument_checks import check_text, refused
from motorik.view.live.player import Player

DEGREES = {"rad": "deg", "rad/s": "deg/s", "rad/s2": "deg/s2"}
SLIDER, BUTTON, TOGGLE, CHOICE, NUMBER = "slider", "button", "toggle", "choice", "number"
STEPS = 200  # positions of a slider, if no step is given
DECADES = 1e3  # high over low from which a slider is logarithmic by default

Action = Callable[[Any], object]
"""The action of a control with its new value; of a button with None."""


@immutable
class PanelControl:
    """One control of a panel, as pages show it: all values in SI units.

    `name` is the parameter, coordinate or speed that it sets, "" if `act` alone is called.
    """

    id: str
    kind: str
    label: str
    name: str = ""
    unit: str = ""
    low: float = 0.0
    high: float = 1.0
    step: float = 0.0
    scale: str = "linear"
    choices: tuple[tuple[str, float | str], ...] = ()
    values: tuple[float, float] = (0.0, 1.0)  # of a toggle: off, on
    act: Action | None = None

    def to_json(self, value: object) -> dict[str, object]:
        """Return the control with its present value as pages take it."""
        said: dict[str, object] = {"id": self.id, "kind": self.kind, "label": self.label}
        said |= {"unit": self.unit, "value": value}
        if self.kind in (SLIDER, NUMBER):
            ends = {"low": self.low, "high": self.high}
            said |= {name: end for name, end in ends.items() if math.isfinite(end)}
            said["step"] = self.step
            said["scale"] = self.scale
        if self.kind == CHOICE:
            said["options"] = [label for label, _ in self.choices]
        return said

    def checked(self, value: object) -> float | str | bool:
        """Return a value that a page sent, within the range of the control."""
        if self.kind in (SLIDER, NUMBER):
            if isinstance(value, (str, bool)) or not isinstance(value, (int, float)):
                raise self._refused(value, "a number")
            return min(max(float(value), self.low), self.high)
        if self.kind == TOGGLE:
            return self.values[1] if value else self.values[0]
        for label, own in self.choices:
            if value in (label, own):
                return own
        raise self._refused(
            value, "one of " + ", ".join(label for label, _ in self.choices)
        )

    def _refused(self, value: object, wanted: str) -> ParameterError:
        return ParameterError(
            f"{self.kind} {self.label!r}",
            f"{value!r} is not {wanted}.",
            "Move the control in the page.",
            parameter="value",
            value=value,
        )


class Panel:
    """A group of controls with a title; changes take effect at once.

    Ranges are given in the unit that is shown: degrees for angles, else SI::

        panel = session.panel("Pendulum")
        panel.slider("body.m", 0.1, 5.0)
        panel.slider("hinge.phi", -90, 90, label="angle")
        panel.button("kick", lambda: session.set("hinge.w", 3.0))
    """

    def __init__(
        self, title: str, unit_of: Callable[[str], str], changed: Callable[[], None]
    ) -> None:
        self.title = title
        self.widgets: list[PanelControl] = []
        self._unit_of, self._changed = unit_of, changed

    def slider(
        self,
        name: str,
        low: float,
        high: float,
        *,
        label: str = "",
        step: float | None = None,
        scale: str = "",
        act: Action | None = None,
    ) -> Panel:
        """Add a slider on a live parameter, a coordinate or a speed; return the panel.

        `low` and `high` in degrees for angles, else in SI units. It is logarithmic where
        `scale` is "log", or `high` a thousand times `low` and no scale is given. `act(value)`
        is called after each movement, with the value in SI units.
        """
        return self._add_range(SLIDER, name, (low, high, step), label, scale, act)

    def number(
        self,
        name: str,
        low: float = -math.inf,
        high: float = math.inf,
        *,
        label: str = "",
        act: Action | None = None,
    ) -> Panel:
        """Add a field for a number, as a slider without a handle; return the panel."""
        return self._add_range(NUMBER, name, (low, high, None), label, "linear", act)

    def _add_range(
        self,
        kind: str,
        name: str,
        range_: tuple[float, float, float | None],
        label: str,
        scale: str,
        act: Action | None,
    ) -> Panel:
        unit = self._unit_of(name)
        low, high, step = range_
        check_text("panel", "label", label)
        ends = (low, high) if step is None else range_
        if not all(isinstance(one, (int, float)) for one in ends) or not low < high:
            raise ParameterError(
                f"slider {label or name!r}",
                f"low = {low} is not below high = {high}.",
                f"Write slider({name!r}, low, high).",
                parameter="low",
                value=low,
            )
        if unit in DEGREES:
            low, high = math.radians(low), math.radians(high)
            step = None if step is None else math.radians(step)
        if scale not in ("", "linear", "log") or (scale == "log" and not low > 0.0):
            raise ParameterError(
                f"slider {label or name!r}",
                f"scale = {scale!r} does not suit a range from {low:g}.",
                'Give scale="linear", or "log" with low > 0.',
                parameter="scale",
                value=scale,
            )
        scale = scale or ("log" if 0.0 < low <= high / DECADES else "linear")
        step = (high - low) / STEPS if step is None and math.isfinite(high - low) else step
        shown = (label or name, name, unit, low, high, step or 0.0, scale)
        return self._add(PanelControl(self._id(name), kind, *shown, act=act))

    def button(self, label: str, act: Callable[[], object]) -> Panel:
        """Add a push button that calls act(); return the panel."""
        if not callable(act):
            raise refused("panel", "act", act, "Give a function to call.")
        return self._add(PanelControl(self._id(label), BUTTON, label, act=lambda _: act()))

    def toggle(
        self,
        label: str,
        name: str = "",
        *,
        off: float = 0.0,
        on: float = 1.0,
        act: Action | None = None,
    ) -> Panel:
        """Add a switch that gives a live parameter one of two values; return the panel."""
        if name:
            self._unit_of(name)
        self._check_acts(label, name, act)
        return self._add(
            PanelControl(self._id(label), TOGGLE, label, name, values=(off, on), act=act)
        )

    def choice(
        self,
        label: str,
        choices: Mapping[str, float | str] | Sequence[str],
        name: str = "",
        *,
        act: Action | None = None,
    ) -> Panel:
        """Add a choice among values by their labels; return the panel."""
        if name:
            self._unit_of(name)
        self._check_acts(label, name, act)
        if not isinstance(choices, (Mapping, Sequence)) or not choices:
            raise refused("panel", "choices", choices, "Give values by their labels.")
        pairs = (
            choices.items() if isinstance(choices, Mapping) else ((c, c) for c in choices)
        )
        return self._add(
            PanelControl(
                self._id(label), CHOICE, label, name, choices=tuple(pairs), act=act
            )
        )

    def _check_acts(self, label: str, name: str, act: Action | None) -> None:
        if not name and act is None:
            raise ParameterError(
                label,
                "has neither a name to set nor anything to do.",
                "Give name= or act=.",
                parameter="act",
            )

    def _id(self, name: str) -> str:
        check_text("panel", "label", name)
        own = name if name.startswith(f"{self.title}/") else f"{self.title}/{name}"
        taken = {widget.id for widget in self.widgets}
        return next(
            i for i in (own, *(f"{own} {k}" for k in range(2, 10_000))) if i not in taken
        )

    def _add(self, widget: PanelControl) -> Panel:
        self.widgets.append(widget)
        self._changed()
        return self


# --- panels of a session: all its controls in groups, and their present values -------------


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
