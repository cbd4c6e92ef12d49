"""ChainScene: pictures and films of a chain of elements, and sliders that move it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.algebra import Vector
from motorik.errors import ParameterError
from motorik.mobile import Element, Frame, JointElement, MapChain, MassElement, RigidLink
from motorik.mobile.states.variable import StateVariable
from motorik.view.files import save_figure
from motorik.view.looks import Dot, Shape, Strut, Triad
from motorik.view.motion import _make_stage, _size, _write_film
from motorik.view.scene import MARGIN, SIGN, Scene, find_plane
from motorik.view.theme import THEME

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ChainScene:
    """What a chain looks like: frames as triads, joints, links as struts, and masses.

    `make_shape` says what is shown; without a word everything is. The chain, and the
    elements given to `add_animation_object`, such as an integrator, are moved to make the
    pictures of a film. `up` is the coordinate (0, 1, 2) that points up.
    """

    def __init__(self, chain: Element, up: int = 2) -> None:
        self.chain, self.up = chain, up
        self._shown: list[Element | Frame] = []
        self._movers: list[Element] = []

    def make_shape(self, *parts: Element | Frame) -> None:
        """Show frames, joints, links or masses."""
        for part in parts:
            if not _shapes(part):
                raise ParameterError(
                    "ChainScene",
                    f"{part!r} has no shape.",
                    "Show frames, joints, rigid links or masses.",
                    parameter="parts",
                    value=part,
                )
            self._shown.append(part)

    def add_animation_object(self, element: Element) -> None:
        """Have an element moved before each picture of a film, after those added before."""
        self._movers.append(element)

    def draw(self, file: str | Path | None = None) -> Figure:
        """Draw the chain where it is now; `file` also saves the figure."""
        import matplotlib
        from matplotlib import pyplot

        scene = self._scene([self._look()], np.zeros(1))
        with matplotlib.rc_context(THEME):
            figure = pyplot.figure(figsize=_size(scene))
            _make_stage(figure, scene)
            if file is not None:
                save_figure(figure, "draw", file)
        return figure

    def film(
        self, file: str | Path, pictures: int, increment: float = 0.1, dpi: float = 80.0
    ) -> Path:
        """Move `pictures` times and write what is seen, one picture per `increment` [s]."""
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        if not self._movers:
            raise ParameterError(
                "ChainScene",
                "nothing moves the chain.",
                "Give an integrator or a driver to `add_animation_object`.",
                parameter="movers",
                value=self._movers,
            )
        seen = [self._look()]
        for _ in range(pictures):
            for mover in self._movers:
                mover.motion()
            seen.append(self._look())
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
        return self._shown or [part for part in _flat(self.chain) if _shapes(part)]

    def _look(self) -> dict[str, np.ndarray]:
        """Return where the frames are now: position r₀ and T with v = T v₀."""
        frames = {name: f for part in self.parts for name, f in _frames(part).items()}
        seen = {f"{name}.r_0": frame.X.p.numpy() for name, frame in frames.items()}
        seen |= {f"{name}.R.T": frame.X.R.T.numpy() for name, frame in frames.items()}
        for part in self.parts:
            if isinstance(part, MassElement):
                centre = part.frame.X(Vector.of(part.r_CM))
                seen[f"{id(part)}.centre"] = centre.numpy()
        return seen

    def _scene(self, seen: Sequence[dict[str, np.ndarray]], time: np.ndarray) -> Scene:
        data = {name: np.stack([row[name] for row in seen]) for name in seen[0]}
        shapes = [shape for part in self.parts for shape in _shapes(part)]
        placed = [(shape, shape.points(data)) for shape in shapes]
        places = [points[:, : shape.places].reshape(-1, 3) for shape, points in placed]
        low, high = np.min(np.concatenate(places), 0), np.max(np.concatenate(places), 0)
        extent = max(float((high - low).max()), 1e-3)
        sized = [
            (s, p[:, :1] + SIGN * extent * (p - p[:, :1]) if s.is_sign else p)
            for s, p in placed
        ]
        margin = (MARGIN + SIGN) * extent
        plane = find_plane(placed, self.up)
        return Scene(time, sized, [], plane, self.up, low - margin, high + margin)


class Sliders:
    """A window of sliders; each sets a scalar and moves an element, and the picture follows.

    The element is usually the chain of the scene. A window is a figure of matplotlib.
    """

    def __init__(self, scene: ChainScene, element: Element, title: str) -> None:
        from matplotlib import pyplot

        self.scene, self.element = scene, element
        self.figure = pyplot.figure(num=title, figsize=(4.0, 3.0))
        self.picture = scene.draw()
        self.sliders: list[Any] = []

    def add_slider(
        self, target: Any, low: float, high: float, title: str, name: str = "value"
    ) -> Any:
        """Add a slider for a `MutableScalar`, or for `q` or another `name` of a variable.

        Returns matplotlib's slider, whose `set_val` does what the hand does.
        """
        from matplotlib.widgets import Slider

        name = "q" if name == "value" and isinstance(target, StateVariable) else name
        height = 0.9 - 0.12 * len(self.sliders)
        axes = self.figure.add_axes((0.3, height, 0.5, 0.08))
        slider = Slider(axes, title, low, high, valinit=getattr(target, name))

        def follow(value: float) -> None:
            setattr(target, name, float(value))
            self.element.motion()
            self.refresh()

        slider.on_changed(follow)
        self.sliders.append(slider)
        return slider

    def refresh(self) -> None:
        """Draw the chain anew where it is now."""
        import matplotlib

        scene = self.scene._scene([self.scene._look()], np.zeros(1))
        self.picture.clear()
        with matplotlib.rc_context(THEME):
            _make_stage(self.picture, scene)
        self.picture.canvas.draw_idle()


def _flat(element: Element) -> Iterator[Element]:
    if isinstance(element, MapChain):
        for part in element.elements:
            yield from _flat(part)
    else:
        inner = getattr(element, "dependent", None)  # of a solver
        yield from _flat(inner) if inner is not None else (element,)


def _frames(part: Element | Frame) -> dict[str, Frame]:
    """Return the frames of a part by names that no other frame has."""
    if isinstance(part, Frame):
        return {str(id(part)): part}
    states = (*part.inputs, *part.outputs)
    return {str(id(state)): state for state in states if isinstance(state, Frame)}


def _shapes(part: Element | Frame) -> list[Shape]:
    names = list(_frames(part))
    if isinstance(part, Frame):
        return [Triad(names[0])]
    if isinstance(part, JointElement):
        a, b = (f"{name}.r_0" for name in names)
        return [Strut(a, b, role="guide"), Dot(b)]
    if isinstance(part, RigidLink):
        a, b = (f"{name}.r_0" for name in names)
        return [Strut(a, b)]
    if isinstance(part, MassElement):
        centre = f"{id(part)}.centre"
        return [Strut(f"{names[0]}.r_0", centre), Dot(centre, role="mass")]
    return []
