"""WidgetWindow: the sliders and push buttons of a widget in a figure of matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from motorik.mobile.widgets import PushButton, Slider, Widget

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.widgets import Slider as Handle

WIDTH, ROW = 4.5, 0.4  # inches


class WidgetWindow:
    """A window in which the controls of a widget are operated by hand."""

    def __init__(self, widget: Widget) -> None:
        from matplotlib import pyplot

        self.widget = widget
        count = max(len(widget.controls), 1)
        self.figure = pyplot.figure(num=widget.title, figsize=(WIDTH, ROW * (count + 1)))
        self.figure.clear()
        self._handles: list[tuple[Slider, Handle]] = []
        self._kept: list[object] = []  # matplotlib forgets widgets that nothing refers to
        for number, control in enumerate(widget.controls):
            height = 1.0 - (number + 1.2) / (count + 0.6)
            if isinstance(control, Slider):
                axes = self.figure.add_axes((0.3, height, 0.45, 0.6 / (count + 0.6)))
                self._add_slider(control, axes)
            else:
                axes = self.figure.add_axes((0.1, height, 0.8, 0.7 / (count + 0.6)))
                self._add_button(control, axes)

    def _add_slider(self, slider: Slider, axes: Axes) -> None:
        from matplotlib.widgets import Slider as Handle

        unit = f" [{slider.unit}]" if slider.unit else ""
        shown = min(max(slider.value, slider.low), slider.high)
        handle = Handle(axes, slider.title + unit, slider.low, slider.high, valinit=shown)
        handle.on_changed(lambda value: slider.set(float(value)))
        self._handles.append((slider, handle))

    def _add_button(self, button: PushButton, axes: Axes) -> None:
        from matplotlib.widgets import Button

        handle = Button(axes, button.title)
        handle.on_clicked(lambda event: button.press())
        self._kept.append(handle)

    def refresh(self) -> None:
        """Update the sliders to the present values of their targets."""
        for slider, handle in self._handles:
            shown = min(max(slider.value, slider.low), slider.high)
            if shown != handle.val:
                handle.eventson = False
                handle.set_val(shown)
                handle.eventson = True
