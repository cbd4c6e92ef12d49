"""Options: how pictures are made, in one place for pictures and films."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict

import numpy as np

from motorik.errors import ParameterError, UnknownNameError, suggest
from motorik.immutable import immutable
from motorik.view.argument_checks import check_count, check_number, check_switch
from motorik.view.render.camera import Camera
from motorik.view.render.paint import Pencil

if TYPE_CHECKING:
    from motorik.results import Result

SMALLEST_SCALE, LARGEST_SCALE = 0.01, 100.0
MOST_GHOSTS = 500  # poses in one picture
STYLES = ("shaded", "lines")
SUBJECTS = ("trace", "reactions", "beside", "over")
"""Options of the content of a picture, not of its style."""


class PictureOptions(TypedDict, total=False):
    """The options of `draw` and `write_movie`.

    * `camera`: "iso", "front", "back", "left", "right", "top", "bottom", two angles [deg] or
      a `Camera`; by default planar models are seen along their normal, others from "iso";
    * `size`: width and height [px];
    * `style`: "shaded" or "lines"; `background`: a colour, or None for a transparent one;
      `shadow` on the ground;
    * `trace`: positions such as "body.frame_a" whose path up to then is drawn; `ghosts`: how
      many other poses are shown pale, or their times [s];
    * `reactions`: joints whose force on what is behind them is drawn as an arrow, True all;
    * `beside`: other results, shown next to it; `over`: others, laid over it in colours of
      their own;
    * `title`; `axes` with numbers; `frames`, `forces`, `labels` (the names of parts), `ground`:
      what else is shown.
    """

    camera: Camera | str | tuple[float, float] | None
    size: tuple[int, int] | None
    style: str
    trace: str | Sequence[str]
    reactions: bool | str | Sequence[str]
    ghosts: int | Sequence[float]
    beside: Result | Sequence[Result]
    over: Result | Sequence[Result]
    title: str
    background: str | None
    shadow: bool
    axes: bool | None
    frames: bool
    forces: bool
    labels: bool
    ground: bool


class DrawOptions(PictureOptions, total=False):
    """Options of `draw`, of models and of results: those of pictures, scale and file."""

    scale: float
    file: str | Path | None


class MovieOptions(PictureOptions, total=False):
    """Options of `write_movie` and `result.to_movie`: those of pictures, speed and times [s]."""

    fps: float
    speed: float | None
    start_time: float | None
    stop_time: float | None
    progress: bool | None


@immutable
class Options:
    """How pictures are made; see `draw`."""

    camera: Camera
    size: tuple[int, int] | None = None
    style: str = "shaded"
    background: str | None = "white"
    shadow: bool = True
    frames: bool = False
    forces: bool = True
    labels: bool = False
    ground: bool = False
    axes: bool | None = None
    ghosts: int | Sequence[float] = 0
    title: str = ""
    samples: int = 3
    scale: float = 1.0
    bare: bool = False  # without the world: overlays

    @classmethod
    def of(
        cls, caller: str, chosen: PictureOptions, also: Iterable[str] = (), **more: Any
    ) -> Options:
        """Return the options that a user chose; unknown names are refused.

        `also` are names of other arguments of the caller, `more` further options.
        """
        for name, value in chosen.items():
            if name not in PictureOptions.__annotations__:
                raise UnknownNameError(
                    caller,
                    f"has no option {name!r}.",
                    suggest(name, [*PictureOptions.__annotations__, *also]),
                    parameter=name,
                    value=value,
                )
        own = {n: v for n, v in chosen.items() if n not in SUBJECTS}
        own["camera"] = Camera.of(chosen.get("camera"))
        return cls(**{**own, **more})

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            _refuse(f"there is no style {self.style!r}.", suggest(self.style, STYLES), self)
        check_size("draw", self.size)
        check_number("draw", "scale", self.scale, SMALLEST_SCALE, LARGEST_SCALE)
        check_count("draw", "samples", self.samples, 1, 8)
        for name in ("shadow", "frames", "forces", "labels", "ground"):
            check_switch("draw", name, getattr(self, name))
        if self.axes is not None:
            check_switch("draw", "axes", self.axes)
        if not isinstance(self.title, str):
            _refuse(f"title = {self.title!r}.", "Give a text.", self.title)
        _check_ghosts(self.ghosts)

    @property
    def layers(self) -> list[str]:
        """The layers of the mechanism that are shown, errors always."""
        return ["parts"] if self.bare else ["parts", "labels"]

    @property
    def marks(self) -> list[str]:
        """The layers that lie over the mechanism: arrows of forces, axes of frames."""
        chosen = {"forces": self.forces, "frames": self.frames and not self.bare}
        return [name for name, wanted in chosen.items() if wanted]

    @property
    def pencil(self) -> Pencil:
        """How it is painted."""
        paper = None if self.background is None else colour_of_name(self.background)
        shaded = self.style == "shaded"
        line = 1.1 if shaded else 1.5
        shadow = self.shadow and shaded
        pencil = Pencil(
            self.samples, line * self.scale, shaded=shaded, paper=paper, shadow=shadow
        )
        ink = (*pencil.legible(pencil.ink[:3]), pencil.ink[3])
        return replace(pencil, ink=ink) if shaded else pencil

    @property
    def letters(self) -> float:
        """The height of letters [px]."""
        return 13.0 * self.scale


def check_size(caller: str, size: object) -> tuple[int, int] | None:
    """Return width and height [px] of a picture, None if they are not given."""
    if size is None:
        return None
    sides = tuple(size) if isinstance(size, (tuple, list)) else ()
    if len(sides) != 2 or not all(isinstance(n, int) and 16 <= n <= 16384 for n in sides):
        remedy = "Give width and height in pixels, 16 to 16384."
        raise ParameterError(
            caller, f"size = {size!r}.", remedy, parameter="size", value=size
        )
    return sides[0], sides[1]


def _check_ghosts(ghosts: object) -> None:
    """Reject a value that is neither a number of poses nor a list of times [s]."""
    count = ghosts
    if isinstance(ghosts, (Sequence, np.ndarray)) and not isinstance(ghosts, str):
        count = len(ghosts)
        for time in ghosts:
            check_number("draw", "ghosts", time)
    if not isinstance(count, int) or not 0 <= count <= MOST_GHOSTS:
        remedy = f"Give how many, up to {MOST_GHOSTS}, or their times [s]."
        _refuse(f"ghosts = {ghosts!r}.", remedy, ghosts)


def colour_of_name(name: str) -> tuple[float, float, float]:
    """Return the colour of a name of matplotlib, such as "white" or "#f4f4f4"."""
    from matplotlib.colors import is_color_like, to_rgb

    if not is_color_like(name):
        _refuse(
            f"background = {name!r} is no colour.",
            "Give a name or '#rrggbb', or None.",
            name,
        )
    return to_rgb(name)


def _refuse(why: str, remedy: str, value: object) -> NoReturn:
    raise ParameterError("draw", why, remedy, parameter="options", value=value)
