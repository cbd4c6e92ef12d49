"""Saving: what a session has shown as a file: film, table, page, and the values that were set."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from motorik.errors import ParameterError, SimulationError
from motorik.immutable import immutable
from motorik.results import ModelResult
from motorik.results.tables import head_of, write_csv
from motorik.source_layout import statement
from motorik.view.render.animate import write_movie
from motorik.view.render.camera import Camera
from motorik.view.render.film import has_ffmpeg
from motorik.view.scene.scene import Scene, SceneRun
from motorik.view.web.page import make_film

FORMS = ("film", "csv", "html", "py", "json")
"""What pages may save: a film, a table, a page, and the values that were set, in two forms."""
SUFFIXES = (".mp4", ".gif", ".webp", ".csv", ".html", ".py", ".json")
HEIGHT, WIDEST = 540, 1280  # px, of films


@immutable
class Settings:
    """The values that a user has set on a page, by name, in SI units.

    `lines` are those of a program that sets them.
    """

    values: Mapping[str, Mapping[str, float]]
    lines: tuple[str, ...]

    def program(self, title: str) -> str:
        """Return the lines of Python that set the values."""
        head = (
            f"# {' '.join(title.split()) or 'model'}: values that were set on its live page"
        )
        return "\n".join([head, *map(statement, self.lines)]) + "\n"

    def text(self) -> str:
        """Return the values as JSON."""
        return json.dumps(self.values, indent=2) + "\n"


@immutable(eq=False)
class Recording:
    """The run that a session has shown: scene with run, result, and the values that were set."""

    scene: Scene
    result: ModelResult | None
    settings: Settings

    def file(self, form: str, view: Mapping[str, Any] | None = None) -> tuple[str, bytes]:
        """Return name and content of a file of one of the `FORMS` or `SUFFIXES`.

        A film is seen from where the `view` of a page looks.
        """
        suffix = form if form.startswith(".") else f".{form}"
        if form == "film":
            suffix = ".mp4" if has_ffmpeg() else ".gif"
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / f"file{suffix}"
            self.write(file, view)
            return f"{_stem(self.scene.title)}{suffix}", file.read_bytes()

    def write(self, file: Path, view: Mapping[str, Any] | None = None) -> None:
        """Write a file, by its suffix."""
        suffix, scene = file.suffix.lower(), self.scene
        if suffix == ".csv":
            self._write_table(file)
        elif suffix == ".html":
            file.write_text(make_film(scene.text(), scene.title), encoding="utf-8")
        elif suffix == ".py":
            file.write_text(self.settings.program(scene.title), encoding="utf-8")
        elif suffix == ".json":
            file.write_text(self.settings.text(), encoding="utf-8")
        elif suffix in SUFFIXES:
            self._check_moves()
            write_movie(scene, file, progress=False, **_looking(view))
        else:
            raise ParameterError(
                "save",
                f"cannot write {file.suffix or 'a file without suffix'!r} ({file.name}).",
                f"Name the file with {', '.join(SUFFIXES)}.",
                parameter="file",
                value=str(file),
            )

    @property
    def _run(self) -> SceneRun:
        (run,) = self.scene.runs
        return run

    def _check_moves(self) -> None:
        time = self._run.time
        if not time[-1] > time[0]:
            raise SimulationError(
                "save", "there is no motion yet.", "Let it run first, then save."
            )

    def _write_table(self, file: Path) -> None:
        """Write the values of all channels over time: of a recorded run with full precision."""
        names = [channel.name for channel in self.scene.channels]
        if self.result is not None:
            self.result.to_csv(file, *names, units=True)
            return
        units = [channel.unit for channel in self.scene.channels]
        heads = [head_of(*one) for one in zip(("time", *names), ("s", *units), strict=True)]
        run = self._run
        write_csv(file, heads, np.column_stack([run.time, run.values]), ",", ".")


def run_of_frames(scene: Scene, frames: bytes) -> SceneRun:
    """Return frames as pages got them, one after the other, as a run of the scene."""
    poses, channels = 7 * (len(scene.groups) - 1), len(scene.channels)
    kind = np.dtype(
        [("t", "<f8"), ("poses", "<f4", (poses,)), ("values", "<f4", (channels,))]
    )
    rows = np.frombuffer(frames, kind)
    shown = rows["poses"].astype(float).reshape(len(rows), -1, 7)
    return SceneRun(rows["t"].astype(float), shown, rows["values"].astype(float))


def _looking(view: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return camera and size of a film, as a page looks at the mechanism."""
    if view is None:
        return {}
    width = min(WIDEST, round(HEIGHT * view["aspect"] / 2) * 2)
    camera = Camera(
        eye=view["eye"], target=view["target"], up=view["up"], angle=view["angle"]
    )
    return {"camera": camera, "size": (max(width, 160), HEIGHT)}


def _stem(title: str) -> str:
    """Return the name of a file by a title."""
    return re.sub(r"[^\w-]+", "_", title).strip("_")[:60] or "motorik"
