"""Motion: a picture of the mechanism at one time, and a film of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.errors import ParameterError, called_in_words
from motorik.view.files import save_figure
from motorik.view.scene import Scene, make_scene
from motorik.view.stage import FlatStage, SpaceStage, Stage
from motorik.view.theme import THEME

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from motorik.results import Result

SIZE = 6.0  # inches, the longer side
LONGEST_FILM = 20.0  # s, unless a speed is given
FILM_SUFFIXES = (".gif", ".webp")


@called_in_words
def draw(
    result: Result,
    time: float | None = None,
    *,
    trace: str | Sequence[str] = (),
    file: str | Path | None = None,
) -> Figure:
    """Draw the mechanism at a time [s], by default the last one; return the figure.

    The nearest row of the result is shown. `trace` names positions, such as
    "body.r_CM_0", whose path up to then is drawn; `file` also saves the figure.
    """
    import matplotlib
    from matplotlib import pyplot

    at = result.time[-1] if time is None else time
    if not result.time[0] <= at <= result.time[-1]:
        raise ParameterError(
            "draw",
            f"time = {at:g} s is outside the run, {result.time[0]:g} to {result.time[-1]:g} s.",
            "Give a time within the run.",
            parameter="time",
            value=at,
        )
    scene = make_scene(result, trace)
    with matplotlib.rc_context(THEME):
        figure = pyplot.figure(figsize=_size(scene))
        _make_stage(figure, scene).show(_nearest_rows(result.time, np.array([at]))[0])
        if file is not None:
            save_figure(figure, "draw", file)
    return figure


@called_in_words
def animate(
    result: Result,
    file: str | Path,
    *,
    fps: float = 25.0,
    speed: float | None = None,
    trace: str | Sequence[str] = (),
    dpi: float = 80.0,
) -> Path:
    """Write a film of the mechanism (GIF or WebP by the suffix); return its path.

    `speed` is how many times faster than in reality it runs; by default as in reality, or
    fast enough to last 20 s. `trace` names positions whose path is drawn.
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    file = Path(file)
    if file.suffix.lower() not in FILM_SUFFIXES:
        raise ParameterError(
            str(file),
            f"cannot write a film as {file.suffix or 'a file without suffix'!r}.",
            f"Name the file with {' or '.join(FILM_SUFFIXES)}.",
            parameter="file",
            value=file,
        )
    for name, value in (("fps", fps), ("speed", speed), ("dpi", dpi)):
        if value is not None and not value > 0:
            raise ParameterError(
                "animate",
                f"{name} = {value!r} is not positive.",
                f"Give {name} > 0.",
                parameter=name,
                value=value,
            )
    duration = float(result.time[-1] - result.time[0])
    if speed is None:
        speed = max(1.0, duration / LONGEST_FILM)
    count = max(1, round(duration / speed * fps))
    moments = result.time[0] + duration * np.arange(count + 1) / count
    scene = make_scene(result, trace)
    with matplotlib.rc_context(THEME):
        figure = Figure(figsize=_size(scene), dpi=dpi)
        FigureCanvasAgg(figure)
        stage = _make_stage(figure, scene)
        stage.prepare_film(figure)
        rows = _nearest_rows(result.time, moments)
        _write_film(file, [stage.film_frame(row) for row in rows], fps)
    return file


def _write_film(file: Path, frames: Sequence[np.ndarray], fps: float) -> None:
    """Write frames as a film that repeats; all share the colours of the last, fullest one."""
    from PIL import Image

    images = [Image.fromarray(frame[..., :3]) for frame in frames]
    if file.suffix.lower() == ".gif":
        palette = images[-1].quantize(128, method=Image.Quantize.MAXCOVERAGE)
        images = [
            image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images
        ]
    first, *others = images
    first.save(file, save_all=True, append_images=others, duration=1000 / fps, loop=0)


def _make_stage(figure: Figure, scene: Scene) -> Stage:
    return FlatStage(figure, scene) if scene.plane else SpaceStage(figure, scene)


def _size(scene: Scene) -> tuple[float, float]:
    """Return width and height [inches] of a figure that the scene fills."""
    if scene.plane is None:
        return SIZE, SIZE
    width, height = (scene.high - scene.low)[list(scene.plane)]
    longer = max(width, height)
    return max(SIZE * width / longer, 2.5) + 0.7, max(SIZE * height / longer, 1.5) + 0.8


def _nearest_rows(time: np.ndarray, moments: np.ndarray) -> Any:
    """Return the rows of a result that are nearest to some times."""
    after = np.clip(np.searchsorted(time, moments), 1, max(len(time) - 1, 1))
    after = np.minimum(after, len(time) - 1)
    before = np.maximum(after - 1, 0)
    is_before = moments - time[before] <= time[after] - moments
    return np.where(is_before, before, after)
