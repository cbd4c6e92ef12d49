"""Widgets: sliders and push buttons that operate a mechanism, independent of any window."""

from __future__ import annotations

from collections.abc import Callable
from math import degrees, isfinite, radians
from typing import Protocol, SupportsFloat, TypeVar

from motorik.errors import ParameterError, UnknownNameError, suggest
from motorik.mobile.states.mutable import MutableAngle, MutableScalar, MutableVector
from motorik.mobile.states.transmission import Element
from motorik.mobile.states.variable import (
    AngularVariable,
    LinearVariable,
    StateVariable,
)

T = TypeVar("T")

Target = StateVariable | MutableScalar | MutableAngle | MutableVector
"""An object of which a slider sets a number."""


class Viewer(Protocol):
    """A viewer of a mechanism and its widgets, such as `motorik.mobile.Scene`."""

    def give(self, target: Target, entry: str, number: float, element: Element) -> object:
        """Give a number of the mechanism a value and move the element; both, or neither."""
        ...

    def do(self, function: Callable[[], T]) -> T:
        """Return the result of a function that changes the mechanism, while nothing else does."""
        ...

    def refresh(self) -> None:
        """Show the mechanism where it is now."""
        ...

    def add_widget(self, widget: Widget) -> None:
        """Take a widget, or one that has got another control."""
        ...

    def show_widget(self, widget: Widget) -> object:
        """Show the widget's sliders and buttons, and return where."""
        ...


class Slider:
    """A number between `low` and `high` that sets an entry of its target.

    Angles are shown and set in degrees, all else in the unit that the target has. `set` does
    the same from a program. `assign` gives the target a number in SI units.

    >>> phi = AngularVariable("phi")
    >>> slider = Slider(phi, -180.0, 180.0, "angle")
    >>> slider.set(90.0); phi.q, slider.unit
    (1.5707963267948966, 'deg')
    """

    def __init__(
        self, target: Target, low: float, high: float, title: str, entry: str = ""
    ) -> None:
        self.target, self.title = target, _checked_title(title)
        self.low, self.high = (_checked_end(self.title, end) for end in (low, high))
        self.entry = entry or _usual_entry(target, title)
        is_turn = isinstance(target, AngularVariable) and self.entry == "q"
        self.in_degrees = is_turn or isinstance(target, MutableAngle)
        self.assign: Callable[[float], object] = self._assign
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
    def si_unit(self) -> str:
        """The unit of the target in SI units, "" where that is not known."""
        if self.in_degrees:
            return "rad"
        if isinstance(self.target, StateVariable):
            length = "m" if isinstance(self.target, LinearVariable) else "1"
            units = {"q": length, "qd": f"{length}/s", "qdd": f"{length}/s2"}
            return units.get(self.entry, "")
        return ""

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
        self.assign(radians(value) if self.in_degrees else float(value))
        for follow in self.followers:
            follow()

    def _assign(self, number: float) -> None:
        setattr(self.target, self.entry, number)


def _checked_title(title: object) -> str:
    """Return a title, or refuse what is no text."""
    if isinstance(title, str):
        return title
    raise ParameterError(
        "widget",
        f"the title {title!r} is no text.",
        "Write add_slider(target, low, high, title), or Widget(scene, element, title).",
        parameter="title",
        value=title,
    )


def _checked_end(title: str, end: object) -> float:
    """Return an end of a range, or refuse what is no finite number."""
    if isinstance(end, SupportsFloat) and isfinite(float(end)):
        return float(end)
    raise ParameterError(
        f"slider {title!r}",
        f"{end!r} is no end of a range.",
        "Give finite numbers: add_slider(target, low, high, title).",
        parameter="low",
        value=end,
    )


def _usual_entry(target: Target, title: str) -> str:
    """Return the entry that a slider sets by default: the position, or the number itself."""
    if isinstance(target, StateVariable):
        return "q"
    if isinstance(target, MutableScalar):
        return "value"
    if isinstance(target, MutableAngle):
        return "radians"
    raise ParameterError(
        f"slider {title!r}",
        f"{target!r} has no number of its own that can be set.",
        "Give a variable (not its q, which is a plain number; for its speed with "
        'entry="qd"), a MutableScalar or a MutableAngle; of a MutableVector name the '
        'component: entry="x".',
        parameter="target",
        value=target,
    )


class PushButton:
    """Calls a function when it is pressed in a page, or by `press`."""

    def __init__(self, title: str, function: Callable[[], object]) -> None:
        self.title, self.function = _checked_title(title), function
        if not callable(function):
            raise ParameterError(
                f"button {title!r}",
                f"{function!r} cannot be called.",
                "Give a function, without calling it: add_button(title, phi.reset).",
                parameter="function",
                value=function,
            )
        self.followers: list[Callable[[], None]] = []

    def press(self) -> None:
        """Call the function and all followers."""
        self.function()
        for follow in self.followers:
            follow()


Control = TypeVar("Control", Slider, PushButton)


class Widget:
    """A group of sliders and buttons with a title, Kecskeméthy 1999, §7.3.

    Each change moves the element, usually the chain of the viewer, and the viewer shows it.
    """

    def __init__(self, viewer: Viewer, element: Element, title: str) -> None:
        self.viewer, self.element = viewer, element
        self.title = _checked_title(title)
        if not isinstance(element, Element) or not hasattr(viewer, "give"):
            raise ParameterError(
                f"widget {title!r}",
                f"{viewer!r} and {element!r} are no viewer and an element that it shows.",
                "Write Widget(scene, chain, title).",
                parameter="element",
                value=element,
            )
        self.controls: list[Slider | PushButton] = []

    def add_slider(
        self, target: Target, low: float, high: float, title: str, entry: str = ""
    ) -> Slider:
        """Add a slider for a `MutableScalar`, the position of a variable or another entry."""
        slider = Slider(target, low, high, title, entry)
        slider.assign = lambda number: self._give(slider, number)
        slider.followers.append(self.viewer.refresh)
        return self._added(slider)

    def _give(self, slider: Slider, number: float) -> None:
        """Give the target a number and move the element, as the viewer does it."""
        given = slider.target, slider.entry, number, self.element
        self.viewer.do(lambda: self.viewer.give(*given))

    def add_button(self, title: str, function: Callable[[], object]) -> PushButton:
        """Add a push button that calls a function, such as ``phi.reset``."""
        button = PushButton(title, function)
        button.function = lambda: self.viewer.do(function)
        button.followers.append(self.follow)
        return self._added(button)

    def _added(self, control: Control) -> Control:
        self.controls.append(control)
        self.viewer.add_widget(self)
        return control

    def follow(self) -> None:
        """Move the element and show where the mechanism is now."""
        self.viewer.do(self.element.motion)
        self.viewer.refresh()

    def show(self) -> object:
        """Show it, and return where: the session of the page."""
        return self.viewer.show_widget(self)
