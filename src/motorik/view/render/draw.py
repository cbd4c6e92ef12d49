"""Pictures of models and results at one instant."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motorik.errors import ParameterError, checked_call
from motorik.initialisation.given import is_number
from motorik.view.argument_checks import check_names
from motorik.view.files import check_suffix
from motorik.view.render.camera import Lens
from motorik.view.render.options import Options, PictureOptions
from motorik.view.render.picture import SUFFIXES, Picture, Tile
from motorik.view.render.shot import Shot
from motorik.view.scene import Scene, SceneRun

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.results import Result
    from motorik.visible import Visible


@checked_call
def draw(
    subject: Result | Visible | Scene,
    time: float | None = None,
    *,
    scale: float = 1.0,
    file: str | Path | None = None,
    **chosen: Unpack[PictureOptions],
) -> Picture:
    """Draw a mechanism at a time [s], by default the last; a model as it is before any run.

    Options are those of `PictureOptions`: `camera`, `size` [px], `style` ("shaded" or "lines"),
    `trace`, `reactions`, `ghosts`, `beside` and `over` (other results), `title`, `background`,
    `shadow`, `axes`, `frames`, `forces`, `labels`, `ground`. `scale` enlarges letters and
    lines, for print; with `file` it is also saved, in the format of its suffix (.png, .svg, …).
    """
    options = Options.of("draw", chosen, ("time", "scale", "file"), scale=scale)
    if file is not None:
        check_suffix("draw", file, SUFFIXES)
    tiles = _taken(shots_of(subject, chosen, options), time)
    picture = Picture(tiles, options.pencil, options.letters)
    if file is not None:
        picture.save(file)
    return picture


def _taken(shots: Sequence[Shot], time: float | None) -> list[Tile]:
    """Return the views of shots at a time [s], with their ghosts, all through one lens."""
    times = [time_of(shot, time) for shot in shots]
    earlier = [shot.strobe(at) for shot, at in zip(shots, times, strict=True)]
    looked = [[at, *ghosts] for at, ghosts in zip(times, earlier, strict=True)]
    lens = common_lens(shots, looked)
    return [
        shot.tile(at, lens, ghosts)
        for shot, at, ghosts in zip(shots, times, earlier, strict=True)
    ]


def common_lens(
    shots: Sequence[Shot],
    times: Sequence[Sequence[float | None]],
    size: tuple[int, int] | None = None,
) -> Lens:
    """Return one lens for shots at times [s] of their own, so that they compare by eye."""
    clouds = [shot.cloud(own) for shot, own in zip(shots[1:], times[1:], strict=True)]
    return shots[0].lens(times[0], size, clouds)


def shots_of(
    subject: Result | Visible | Scene, chosen: PictureOptions, options: Options
) -> list[Shot]:
    """Return the shots shown side by side; overlays lie over the first."""
    trace = check_names("draw", "trace", chosen.get("trace", ()))
    reactions = chosen.get("reactions", False)
    over = [scene_of(one, ()) for one in _several(chosen.get("over", ()))]
    beside = _several(chosen.get("beside", ()))
    scenes = [scene_of(one, trace, reactions) for one in (subject, *beside)]
    first = Shot(scenes[0], options, over, scenes)
    if trace or options.ghosts or reactions:
        check_simulated("draw", first, "a trace, ghosts or reactions")
    return [first, *(Shot(scene, options, (), scenes) for scene in scenes[1:])]


def _several(given: Any) -> list[Any]:
    return list(given) if isinstance(given, (list, tuple)) else [given]


def scene_of(
    subject: Result | Visible | Scene,
    trace: Sequence[str],
    reactions: bool | str | Sequence[str] = False,
) -> Scene:
    """Return the scene of a result, a model, or a scene itself."""
    if isinstance(subject, Scene):
        return subject
    if not hasattr(type(subject), "scene"):
        raise ParameterError(
            "draw",
            f"{subject!r} has nothing to be seen.",
            "Give a model, or the result of a run.",
            parameter="subject",
            value=subject,
        )
    own: Any = subject
    if not hasattr(type(subject), "time"):
        return own.scene()
    return own.scene(trace=trace, **({"reactions": reactions} if reactions else {}))


def check_simulated(caller: str, shot: Shot, wanted: str = "a film of it") -> SceneRun:
    """Return the run of a shot; refuse a model, in which nothing moves."""
    if shot.run is None:
        raise ParameterError(
            caller,
            f"{wanted}, but {shot.scene.title} was not simulated.",
            f"Simulate it first: model.simulate(10.0).{caller}(…).",
            parameter="subject",
            value=shot.scene.title,
        )
    return shot.run


def time_of(shot: Shot, time: float | None) -> float | None:
    """Return the time at which a shot is taken; refuse one that is outside of its run."""
    if shot.run is None and time is None:
        return None
    run = check_simulated("draw", shot, f"time = {time!r} s")
    begin, end = float(run.time[0]), float(run.time[-1])
    if time is None:
        return end
    if not is_number(time) or not begin <= time <= end:
        raise ParameterError(
            "draw",
            f"time = {time!r} s is outside the run, {begin:g} to {end:g} s.",
            "Give a time within the run.",
            parameter="time",
            value=time,
        )
    return float(time)
