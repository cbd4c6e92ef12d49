"""Widgets: sliders and push buttons that operate a mechanism, independent of any window."""

from __future__ import annotations

from collections.abc import Callable
from math import degrees, radians
from typing import Protocol, TypeVar

from motorik.errors import ParameterError, UnknownNameError, suggest
from motorik.mobile.states.mutable import MutableScalar, MutableVector
from motorik.mobile.states.transmission import Element
from motorik.mobile.states.variable import AngularVariable, StateVariable

Target = StateVariable | MutableScalar | MutableVector
"""What a slider sets a number of."""


class Viewer(Protocol):
    """What shows a mechanism and its widgets, such as `motorik.view.chain_scene.ChainScene`."""

    def refresh(self) -> None:
        """Show the mechanism where it is now."""

    def show_widget(self, widget: Widget) -> object:
        """Open a window of the widget's sliders and buttons, and return it."""


class Slider:
    """A number between `low` and `high` that sets an entry of its target.

    The position of an angular variable is shown and set in degrees, all else in the unit
    that the target has. `set` does the same from a program.

    >>> phi = AngularVariable("phi")
    >>> slider = Slider(phi, -180.0, 180.0, "angle")
    >>> slider.set(90.0); phi.q, slider.unit
    (1.5707963267948966, 'deg')
    """

    def __init__(
        self, target: Target, low: float, high: float, title: str, entry: str = ""
    ) -> None:
        self.target, self.title = target, title
        self.low, self.high = float(low), float(high)
        self.entry = entry or _usual_entry(target, title)
        self.in_degrees = isinstance(target, AngularVariable) and self.entry == "q"
        self.followers: list[Callable[[], None]] = []
        if not hasattr(target, self.entry):
            known = [name for name in dir(target) if not name.startswith("_")]
            raise UnknownNameError(
                f"slider {title!r}",
                f"{target!r} has no entry {self.entry!r}.",
                suggest(self.entry, known),
                value=self.entry,
            )
        if not self.low < self.high:
            raise ParameterError(
                f"slider {title!r}",
                f"low = {low} is not below high = {high}.",
                "Write add_slider(target, low, high, title).",
                parameter="low",
                value=low,
            )

    @property
    def unit(self) -> str:
        """The unit shown: "deg", or "" for that of the target."""
        return "deg" if self.in_degrees else ""

    @property
    def value(self) -> float:
        """The present value of the target, in the unit shown."""
        number = float(getattr(self.target, self.entry))
        return degrees(number) if self.in_degrees else number

    def set(self, value: float) -> None:
        """Give the target this value, in the unit shown, and call all followers."""
        if not self.low <= value <= self.high:
            raise ParameterError(
                f"slider {self.title!r}",
                f"{value:g} is outside of its range.",
                f"Give a value from {self.low:g} to {self.high:g} {self.unit}".rstrip()
                + ".",
                parameter="value",
                value=value,
            )
        number = radians(value) if self.in_degrees else float(value)
        setattr(self.target, self.entry, number)
        for follow in self.followers:
            follow()


def _usual_entry(target: Target, title: str) -> str:
    """Return what a slider sets by default: the position, or the number itself."""
    if isinstance(target, StateVariable):
        return "q"
    if isinstance(target, MutableScalar):
        return "value"
    raise ParameterError(
        f"slider {title!r}",
        f"{target!r} has no number of its own that can be set.",
        "Give a variable (not its q, which is a plain number) or a MutableScalar; of a "
        'MutableVector name the component: entry="x".',
        parameter="target",
        value=target,
    )


class PushButton:
    """Calls a function when it is pressed in a window, or by `press`."""

    def __init__(self, title: str, function: Callable[[], object]) -> None:
        self.title, self.function = title, function
        self.followers: list[Callable[[], None]] = []

    def press(self) -> None:
        """Call the function and all followers."""
        self.function()
        for follow in self.followers:
            follow()


Control = TypeVar("Control", Slider, PushButton)


class Widget:
    """A group of sliders and buttons of one window, Kecskeméthy 1999, §7.3.

    Each change moves the element, usually the chain of the viewer, and the viewer shows it.
    """

    def __init__(self, viewer: Viewer, element: Element, title: str) -> None:
        self.viewer, self.element, self.title = viewer, element, title
        self.controls: list[Slider | PushButton] = []

    def add_slider(
        self, target: Target, low: float, high: float, title: str, entry: str = ""
    ) -> Slider:
        """Add a slider for a `MutableScalar`, the position of a variable or another entry."""
        return self._added(Slider(target, low, high, title, entry))

    def add_button(self, title: str, function: Callable[[], object]) -> PushButton:
        """Add a push button that calls a function, such as ``phi.reset``."""
        return self._added(PushButton(title, function))

    def _added(self, control: Control) -> Control:
        control.followers.append(self.follow)
        self.controls.append(control)
        return control

    def follow(self) -> None:
        """Move the element and show where the mechanism is now."""
        self.element.motion()
        self.viewer.refresh()

    def show(self) -> object:
        """Open a window, and return it."""
        return self.viewer.show_widget(self)
