"""Films of results: frame by frame, with a bar, and kept where they are interrupted."""

from __future__ import annotations

import time as clock
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import ParameterError, called_as
from motorik.progress import ProgressBar
from motorik.view.argument_checks import check_number, check_positive
from motorik.view.render.camera import Lens
from motorik.view.render.draw import check_simulated, common_lens, shots_of
from motorik.view.render.film import check_film, make_writer
from motorik.view.render.options import Options, PictureOptions, check_size
from motorik.view.render.picture import Picture
from motorik.view.render.shot import SAMPLES, Shot

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.results import Result
    from motorik.view.scene import Scene

LONGEST_FILM = 20.0  # s, unless a speed is given
MOST_PICTURES = 100_000  # of a film: more than an hour
SIZE = (640, 480)  # px, of films in space
SCALE = 0.72  # of the sizes of pictures: letters and lines of films, and of planar ones all


@called_as("to_movie")
def write_movie(
    result: Result | Scene,
    file: str | Path,
    *,
    fps: float = 25.0,
    speed: float | None = None,
    start_time: float | None = None,
    stop_time: float | None = None,
    progress: bool | None = None,
    **chosen: Unpack[PictureOptions],
) -> Path:
    """Write a movie of the mechanism, GIF, WebP or MP4 by the suffix of the file; return its path.

    `fps` pictures are shown per second; `speed` is how many times faster than in reality it
    runs, by default as in reality, or fast enough to last 20 s. `start_time` and `stop_time` [s]
    are those of the run unless given. `ghosts` is how many poses stay behind, or their times
    [s]; the other options are those of `draw`. MP4 needs the extra `film`. Interrupted
    (Ctrl-C), it keeps the pictures that were made.
    """
    path = check_film(file)
    size = check_size("to_movie", chosen.get("size"))
    scale = SCALE if size is None else SCALE * max(size) / SIZE[0]
    also = ("fps", "speed", "start_time", "stop_time", "progress")
    options = Options.of("to_movie", chosen, also, samples=2, scale=scale)
    shots = shots_of(result, chosen, options)
    times = moments(shots, fps, speed, start_time, stop_time)
    looked = times[:: max(1, len(times) // SAMPLES)]
    lens = film_lens(shots, [*looked, times[-1]])
    _write(path, shots, lens, times, fps, options, progress)
    return path


def film_lens(shots: Sequence[Shot], times: Sequence[float]) -> Lens:
    """Return the lens of a film, which holds everything at all times."""
    size = shots[0].options.size
    if size is None and not shots[0].has_axes:
        size = SIZE
    return common_lens(shots, [times] * len(shots), size)


def moments(
    shots: Sequence[Shot],
    fps: float,
    speed: float | None,
    start_time: float | None,
    stop_time: float | None,
) -> list[float]:
    """Return the times [s] of the pictures of a film."""
    check_positive("to_movie", "fps", fps)
    speed = None if speed is None else check_positive("to_movie", "speed", speed)
    for name, given in (("start_time", start_time), ("stop_time", stop_time)):
        if given is not None:
            check_number("to_movie", name, given)
    runs = [check_simulated("to_movie", shot) for shot in shots]
    first = min(float(run.time[0]) for run in runs)
    last = max(float(run.time[-1]) for run in runs)
    start = first if start_time is None else start_time
    stop = last if stop_time is None else stop_time
    if not first <= start <= stop <= last:
        raise ParameterError(
            "to_movie",
            f"start_time = {start:g} s to stop_time = {stop:g} s is not within the run, "
            f"{first:g} to {last:g} s.",
            "Give times within the run.",
            parameter="start_time",
            value=(start, stop),
        )
    rate = max(1.0, (stop - start) / LONGEST_FILM) if speed is None else speed
    count = max(1, round(min((stop - start) / rate * fps, MOST_PICTURES + 1)))
    if count > MOST_PICTURES:
        raise ParameterError(
            "to_movie",
            f"{stop - start:g} s at fps = {fps:g} and speed = {rate:g} are more than "
            f"{MOST_PICTURES} pictures.",
            "Give less `fps`, more `speed`, or a shorter time from `start_time` to `stop_time`.",
            parameter="fps",
            value=fps,
        )
    return [float(t) for t in start + (stop - start) * np.arange(count + 1) / count]


def _write(
    path: Path,
    shots: Sequence[Shot],
    lens: Lens,
    times: Sequence[float],
    fps: float,
    options: Options,
    progress: bool | None,
) -> None:
    def frame(time: float) -> np.ndarray:
        tiles = []
        for shot in shots:
            assert shot.run is not None
            own = min(time, float(shot.run.time[-1]))
            tiles.append(shot.tile(own, lens, shot.strobe(own, whole=True)))
        picture = Picture(tiles, options.pencil, options.letters)
        return np.ascontiguousarray(picture.pixels[..., :3])

    size = len(shots) * lens.size[0], lens.size[1]
    writer = make_writer(path, size, fps)
    bar = ProgressBar(
        f"film {path.name}", times[0], times[-1], progress, clock.perf_counter()
    )
    try:
        for time in times:
            writer.add(frame(time))
            bar.update(time)
    except KeyboardInterrupt:
        text = f"interrupted: {path} has {writer.count} of {len(times)} pictures"
        warnings.warn(text, stacklevel=3)
    finally:
        bar.close()
        writer.close()
