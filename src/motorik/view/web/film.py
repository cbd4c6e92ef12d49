"""Films: scenes as pages in one file, that open without network, server or installation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from motorik.errors import FileFormatError, ParameterError, suggest
from motorik.view.argument_checks import check_count, check_number, check_switch, refused
from motorik.view.files import path_of, writing
from motorik.view.render.camera import Camera
from motorik.view.web.page import make_film

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.view.scene import Scene, SceneRun

PRESETS = ("iso", "front", "top", "side")  # which the page has itself
RUNS = ("over", "side", "one")
SWITCHES = ("orthographic", "forces", "labels", "frames", "traces")
MOST_SAMPLES = 2000
"""Rows of a run in a film, if no other number is given."""


class ViewOptions(TypedDict, total=False):
    """The initial view of a page; the viewer decides about options that are not given.

    `camera` is a view as of `draw`, two angles [deg] or a `Camera`; `follow` the path of a
    part; `plots` names variables, a tuple of names for those in one field; `runs` how several
    runs are shown, "over" each other, "side" by side or "one" at a time; `time` [s] where the
    film begins; `forces`, `labels`, `frames` and `traces` switch these on or off.
    """

    camera: str | tuple[float, float] | Camera
    orthographic: bool
    follow: str
    plots: str | Sequence[str | Sequence[str]]
    runs: str
    forces: bool
    labels: bool
    frames: bool
    traces: bool
    time: float


def first_view(scene: Scene, options: ViewOptions, caller: str) -> dict[str, object]:
    """Return the options as pages read them; names that the scene does not have are refused."""
    known = {
        "runs": RUNS,
        "follow": [part.path for part in scene.parts],
    }
    given = {**dict(options), **_camera(scene, options, caller)}
    for name, value in given.items():
        _check(caller, "option", name, ViewOptions.__annotations__)
        if name in known:
            _check(caller, name, value, known[name])
        elif name in SWITCHES:
            given[name] = check_switch(caller, name, value)
        elif name == "time":
            given[name] = check_number(caller, name, value)
    fields = _fields(caller, options)
    channels = [channel.name for channel in scene.channels]
    for name in (name for names in fields for name in names):
        _check(caller, "plots", name, channels)
    return {**given, "plots": fields} if fields else given


def _camera(scene: Scene, options: ViewOptions, caller: str) -> dict[str, object]:
    """Return a camera as pages read it: a preset of theirs, or where the eye stands."""
    wanted = options.get("camera")
    if wanted is None or (isinstance(wanted, str) and wanted in PRESETS):
        return {}
    camera = Camera.of(wanted)
    if camera.up is not None or camera.zoom != 1.0:
        name = "up" if camera.up is not None else "zoom"
        raise ParameterError(
            caller,
            f"a page shows everything, upright: {name} = {getattr(camera, name)!r} is for draw.",
            f"Leave {name} out; a page is turned and zoomed by hand.",
            parameter="camera",
            value=wanted,
        )
    shown: dict[str, object] = {"camera": camera.direction(np.asarray(scene.up)).tolist()}
    if camera.follow is not None:
        shown["follow"] = camera.follow
    if camera.angle is not None:
        shown["orthographic"] = camera.angle == 0.0
    return shown


def _fields(caller: str, options: ViewOptions) -> list[list[str]]:
    """Return the names of the variables of each plot."""
    plots = options.get("plots", ())
    remedy = "Name a variable, or several: plots=['hinge.phi', ('a.s', 'b.s')]."
    if not isinstance(plots, (str, Sequence)):
        raise refused(caller, "plots", plots, remedy)
    wanted = [plots] if isinstance(plots, str) else plots
    fields: list[list[str]] = []
    for one in wanted:
        names = [one] if isinstance(one, str) else one
        if not (isinstance(names, Sequence) and all(isinstance(n, str) for n in names)):
            raise refused(caller, "plots", one, remedy)
        fields.append(list(names))
    return fields


def plotted(caller: str, options: ViewOptions) -> list[str]:
    """Return the names of all variables that are plotted at first, each once."""
    return list(dict.fromkeys(n for names in _fields(caller, options) for n in names))


def _check(caller: str, name: str, value: object, known: Iterable[str]) -> None:
    known = list(known)
    if value not in known:
        raise ParameterError(
            caller,
            f"{name} {value!r} is not known.",
            suggest(str(value), known),
            parameter=name,
            value=value,
        )


def scene_text(
    scene: Scene, options: ViewOptions, caller: str, samples: int = MOST_SAMPLES
) -> str:
    """Return the JSON of a scene with its initial view, with at most so many samples per run."""
    check_count(caller, "samples", samples, low=2)
    thin = replace(scene, runs=tuple(thinned(run, samples) for run in scene.runs))
    said = {**thin.to_json(), "view": {**scene.view, **first_view(scene, options, caller)}}
    return json.dumps(said, allow_nan=False, separators=(",", ":"))


def thinned(run: SceneRun, samples: int) -> SceneRun:
    """Return a run with at most `samples` samples, evenly spread, and both states at events.

    A run that has fewer is returned as it is.
    """
    time = run.time
    if len(time) <= samples:
        return run
    wanted = np.linspace(time[0], time[-1], samples)
    near = np.searchsorted(time, wanted).clip(0, len(time) - 1)
    twice = np.flatnonzero(np.diff(time) == 0)
    kept = np.unique(np.concatenate([near, twice, twice + 1]))
    return replace(run, time=time[kept], poses=run.poses[kept], values=run.values[kept])


def write_film(
    scene: Scene,
    file: str | Path,
    samples: int = MOST_SAMPLES,
    caller: str = "to_html",
    **options: Unpack[ViewOptions],
) -> Path:
    """Write a scene as a page in one file (.html) and return its path; see `ViewOptions`."""
    path = check_page(caller, file)
    text = scene_text(scene, options, caller, samples)
    with writing(caller, path):
        path.write_text(make_film(text, scene.title), encoding="utf-8")
    return path


def check_page(caller: str, file: object) -> Path:
    """Return the path of a page that is to be written; reject other values."""
    path = path_of(caller, file)
    if path.suffix.lower() not in (".html", ".htm"):
        raise FileFormatError(
            caller,
            f"{path.name!r} is not the name of a page.",
            "End the name with .html. For GIF, WebP and MP4 there is to_movie().",
            parameter="file",
            value=str(file),
        )
    return path
