"""ChainScene: pictures and films of a chain of elements, and widgets that move it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import ParameterError
from motorik.mobile import Element, Frame, JointElement, MapChain
from motorik.mobile.states.transmission import walk
from motorik.mobile.widgets import Widget
from motorik.view.chain_looks import Snapshot, chain_look, stack, take_snapshot
from motorik.view.files import save_figure
from motorik.view.motion import _make_stage, _size, _write_film
from motorik.view.scene import Scene, Sight, arrange
from motorik.view.theme import THEME
from motorik.view.widget_window import WidgetWindow

if TYPE_CHECKING:
    from matplotlib.backend_bases import TimerBase
    from matplotlib.figure import Figure


class ChainScene:
    """The picture of a chain: frames as triads, joints, links as struts, and masses.

    `make_shape` selects what is shown, by default everything. The chain, and the
    elements given to `add_animation_object`, such as an integrator, are moved to make the
    pictures of a film. `up` is the coordinate (0, 1, 2) that points up. Windows are figures
    of matplotlib: `show` opens that of the scene, `show_widget` those of sliders and push
    buttons (`motorik.mobile.Widget`), `main_loop` lets the user operate them.
    """

    def __init__(self, chain: Element, up: int = 2) -> None:
        self.chain, self.up = chain, up
        self.increment = 0.1
        self.is_running = False
        self.figure: Figure | None = None
        self._shown: list[Element | Frame] = []
        self._movers: list[Element] = []
        self._windows: list[WidgetWindow] = []
        self._timer: TimerBase | None = None

    def make_shape(self, *parts: Element | Frame) -> None:
        """Show frames, joints, links or masses."""
        for part in parts:
            if not isinstance(part, Element | Frame) or not chain_look(part):
                raise ParameterError(
                    "ChainScene",
                    f"{part!r} has no shape.",
                    "Show frames, joints, rigid links or masses; a MassElement is a dot. "
                    "Files of shapes are not read.",
                    parameter="parts",
                    value=part,
                )
            self._shown.append(part)

    def add_animation_object(self, element: Element) -> None:
        """Add an element that is moved before each picture, after those added before."""
        self._movers.append(element)

    def make_manipulator(
        self, joint: JointElement, low: float = -180.0, high: float = 180.0
    ) -> Widget:
        """Show a joint, and return a widget with a slider for each of its variables.

        `low` and `high` are in degrees for angles, in metres for lengths.
        """
        if not isinstance(joint, JointElement):
            raise ParameterError(
                "ChainScene",
                f"{joint!r} is not a joint.",
                "Make manipulators of joints; frames and links have shapes alone.",
                parameter="joint",
                value=joint,
            )
        self.make_shape(joint)
        widget = Widget(self, self.chain, f"Manipulator of {joint.b.name or joint.b!r}")
        for variable in joint.variables:
            widget.add_slider(variable, low, high, variable.name or "q")
        return widget

    def set_animation_increment(self, seconds: float) -> None:
        """Set the time [s] between two motions; 0 is as fast as possible."""
        if seconds < 0.0:
            raise ParameterError(
                "ChainScene",
                f"{seconds} s is not a time between pictures.",
                "Give 0 or more.",
                parameter="seconds",
                value=seconds,
            )
        self.increment = float(seconds)

    def step(self) -> None:
        """Move all animation objects once, and show the chain."""
        self._check_movers()
        for mover in self._movers:
            mover.motion()
        self.refresh()

    def run_animation(self) -> None:
        """Start the animation in the window of the scene, or stop it."""
        self._check_movers()
        self.is_running = not self.is_running
        figure = self.show()
        if self._timer is None:
            self._timer = figure.canvas.new_timer(interval=round(1e3 * self.increment))
            self._timer.add_callback(self.step)
        if self.is_running:
            self._timer.start()
        else:
            self._timer.stop()

    def show(self) -> Figure:
        """Open the window of the scene, where there is none, and return it."""
        if self.figure is None:
            self.figure = self.draw()
            if self._movers:
                run = Widget(self, MapChain(), "Animation")
                run.add_button("Run Animation", self.run_animation)
                run.show()
        return self.figure

    def show_widget(self, widget: Widget) -> WidgetWindow:
        """Open a window of sliders and push buttons, and return it."""
        self._windows.append(WidgetWindow(widget))
        return self._windows[-1]

    def refresh(self) -> None:
        """Redraw the chain in its present position, and update the sliders."""
        import matplotlib

        if self.figure is not None:
            scene = self._scene([take_snapshot(self.parts)], np.zeros(1))
            self.figure.clear()
            with matplotlib.rc_context(THEME):
                _make_stage(self.figure, scene)
            self.figure.canvas.draw_idle()
        for window in self._windows:
            window.refresh()

    @staticmethod
    def main_loop() -> None:
        """Run the event loop of all windows, until they are closed."""
        from matplotlib import pyplot

        pyplot.show()

    def _check_movers(self) -> None:
        if not self._movers:
            raise ParameterError(
                "ChainScene",
                "nothing moves the chain.",
                "Give an integrator or a driver to `add_animation_object`.",
                parameter="movers",
                value=self._movers,
            )

    def draw(self, file: str | Path | None = None) -> Figure:
        """Draw the chain in its present position; `file` also saves the figure."""
        import matplotlib
        from matplotlib import pyplot

        scene = self._scene([take_snapshot(self.parts)], np.zeros(1))
        with matplotlib.rc_context(THEME):
            figure = pyplot.figure(figsize=_size(scene))
            _make_stage(figure, scene)
            if file is not None:
                save_figure(figure, "draw", file)
        return figure

    def film(
        self,
        file: str | Path,
        pictures: int,
        increment: float | None = None,
        dpi: float = 80.0,
    ) -> Path:
        """Write a film of `pictures` motions, one picture per `increment` [s]."""
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self._check_movers()
        increment = increment or self.increment or 0.1
        seen = [take_snapshot(self.parts)]
        for _ in range(pictures):
            for mover in self._movers:
                mover.motion()
            seen.append(take_snapshot(self.parts))
        scene = self._scene(seen, increment * np.arange(len(seen)))
        with matplotlib.rc_context(THEME):
            figure = Figure(figsize=_size(scene), dpi=dpi)
            FigureCanvasAgg(figure)
            stage = _make_stage(figure, scene)
            stage.prepare_film(figure)
            frames = [stage.film_frame(row) for row in range(len(seen))]
            _write_film(Path(file), frames, 1.0 / increment)
        return Path(file)

    @property
    def parts(self) -> list[Element | Frame]:
        """What is shown."""
        return self._shown or [part for part in walk(self.chain) if chain_look(part)]

    def _scene(self, seen: Sequence[Snapshot], time: np.ndarray) -> Scene:
        shapes = [shape for part in self.parts for shape in chain_look(part)]
        return arrange(time, Sight(shapes, stack(seen), self.up))
