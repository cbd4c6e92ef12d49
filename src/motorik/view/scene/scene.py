"""Scene: one description of a mechanism in motion, for every viewer.

A scene is data: groups that move, shapes on them, and runs, the poses of all groups over
time. Lengths are in m, angles in rad. Pictures, films, notebooks and live pages show the same
scene; `to_json` is the form in which pages get it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np

from motorik.errors import UnknownNameError, suggest
from motorik.immutable import immutable
from motorik.view.scene.blob import write_blob
from motorik.view.scene.geometry import write_geometry
from motorik.view.scene.mesh import TriangleMesh
from motorik.view.scene.place import Bases, ScenePose, Triple
from motorik.view.scene.shapes import Shape
from motorik.view.theme import ROLES

FORMAT, VERSION = "motorik-scene", 2


@immutable
class ScenePart:
    """A part of the model: its path, type and role, one line of text, its values by channel.

    `note` is the error at this part, if there is one.
    """

    path: str
    type: str
    role: str = "body"
    text: str = ""
    values: tuple[str, ...] = ()
    note: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        said = {"path": self.path, "type": self.type, "role": self.role}
        return {**said, "text": self.text, "values": list(self.values), "note": self.note}


@immutable
class Channel:
    """A number over time, by the name that results use, with its unit.

    A channel that `steps` keeps its value until the next sample, as modes do.
    """

    name: str
    unit: str
    steps: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        said = {"name": self.name, "unit": self.unit}
        return {**said, "steps": True} if self.steps else said


@immutable(eq=False)
class SceneMesh:
    """A surface from a file: `vertices` [m], n × 3, and `faces`, m × 3 numbers of them.

    `colors`, n × 3 from 0 to 1, are those that the file gives its vertices, if it does.
    """

    vertices: np.ndarray
    faces: np.ndarray
    colors: np.ndarray | None = None

    @cached_property
    def surface(self) -> TriangleMesh:
        """The mesh with normals and edges, as it is drawn."""
        return TriangleMesh.of_faces(self.vertices, self.faces, self.colors)


@immutable
class SceneEvent:
    """An event in a run: its time [s], part and description."""

    time: float
    part: str
    what: str

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"time": self.time, "part": self.part, "what": self.what}


@immutable
class Trace:
    """The path of a point r [m] of a rigid group, which is drawn as a line."""

    group: int
    r: Triple
    name: str

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"group": self.group, "r": list(self.r), "name": self.name}


@immutable(eq=False)
class SceneRun:
    """The poses of all rigid groups but the world over time, and the values of all channels.

    `time` [s] has the samples, `poses` samples × groups − 1 × 7, `values` samples × channels; two
    samples of equal time are before and after an event. `speed` is how many times faster than in
    reality it is shown.
    """

    time: np.ndarray
    poses: np.ndarray
    values: np.ndarray
    title: str = ""
    events: tuple[SceneEvent, ...] = ()
    traces: tuple[Trace, ...] = ()
    speed: float = 1.0

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "title": self.title,
            "time": write_blob(self.time, "f64"),
            "poses": write_blob(self.poses, "f32"),
            "values": write_blob(self.values, "f32"),
            "events": [event.to_json() for event in self.events],
            "traces": [trace.to_json() for trace in self.traces],
            "speed": self.speed,
        }


@immutable(eq=False, kw_only=True)
class Scene:
    """Rigid groups, the shapes on them, and runs in which they move.

    `up` points against `gravity` [m/s²] (None without); `plane` is the normal of a planar
    model, None in space; `low` and `high` are the corners [m] of the box that holds
    everything at all times, `hull` some of its outermost points [m], `size` [m] the length of
    annotations. Rigid group 0 is the world. `start` are the poses of the others before any run,
    `values` those of the channels then. `view` is the initial view. `bases` are the places of the
    lines in which rigid groups of drive lines are drawn, see `placed`.
    """

    title: str = ""
    up: Triple = (0.0, 1.0, 0.0)
    gravity: Triple | None = None
    plane: Triple | None = None
    low: Triple = (0.0, 0.0, 0.0)
    high: Triple = (0.0, 0.0, 0.0)
    hull: tuple[Triple, ...] = ()
    size: float = 1.0
    groups: tuple[str, ...] = ("world",)
    parts: tuple[ScenePart, ...] = ()
    shapes: tuple[Shape, ...] = ()
    meshes: Mapping[str, SceneMesh] = field(default_factory=dict)
    channels: tuple[Channel, ...] = ()
    runs: tuple[SceneRun, ...] = ()
    start: np.ndarray = field(default_factory=lambda: np.zeros((0, 7)))
    values: np.ndarray | None = None
    palette: Mapping[str, str] = field(default_factory=lambda: dict(ROLES))
    view: Mapping[str, Any] = field(default_factory=dict)
    bases: Mapping[int, ScenePose] = field(default_factory=dict)

    @property
    def extent(self) -> float:
        """The diagonal of the box that holds everything [m]."""
        return float(np.linalg.norm(np.subtract(self.high, self.low)))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {part.path: number for number, part in enumerate(self.parts)}

    def number_of(self, path: str) -> int:
        """Return the number of the part of a path."""
        if path not in self._numbers:
            raise UnknownNameError(
                self.title or "scene",
                f"shows no part {path!r}.",
                suggest(path, self._numbers),
                value=path,
            )
        return self._numbers[path]

    def shapes_of(self, path: str) -> tuple[Shape, ...]:
        """Return the shapes of one part."""
        number = self.number_of(path)
        return tuple(shape for shape in self.shapes if shape.part == number)

    def placed(self, poses: np.ndarray) -> np.ndarray:
        """Return poses [..., groups − 1, 7] of a system as runs of this scene have them.

        Shafts and rods of drive lines, which have no place of their own, are put into their lines.
        """
        return self._lines.place(poses)

    @cached_property
    def _lines(self) -> Bases:
        return Bases(self.bases)

    def with_runs(self, *runs: SceneRun) -> Scene:
        """Return the scene with these runs instead of its own."""
        return replace(self, runs=runs)

    def to_json(self) -> dict[str, Any]:
        """Return the scene as JSON has it: dicts, lists, texts and numbers."""
        meshes, pieces = write_geometry(self)
        shapes = [
            {**shape.to_json(), **({"pieces": own} if own else {})}
            for shape, own in zip(self.shapes, pieces, strict=True)
        ]
        return {
            "format": FORMAT,
            "version": VERSION,
            "title": self.title,
            "up": list(self.up),
            "gravity": None if self.gravity is None else list(self.gravity),
            "plane": None if self.plane is None else list(self.plane),
            "low": list(self.low),
            "high": list(self.high),
            "hull": [list(point) for point in self.hull],
            "size": self.size,
            "groups": list(self.groups),
            "parts": [part.to_json() for part in self.parts],
            "shapes": shapes,
            "meshes": meshes,
            "channels": [channel.to_json() for channel in self.channels],
            "runs": [run.to_json() for run in self.runs],
            "start": write_blob(self.start, "f32"),
            **({} if self.values is None else {"values": write_blob(self.values, "f32")}),
            "palette": dict(self.palette),
            **({"view": dict(self.view)} if self.view else {}),
        }

    def text(self) -> str:
        """Return the scene as the text of a JSON file, safe within a page.

        Characters that could end a script or a tag are written as escapes.
        """
        said = json.dumps(self.to_json(), allow_nan=False, separators=(",", ":"))
        for character in "<>&\u2028\u2029":
            said = said.replace(character, f"\\u{ord(character):04x}")
        return said
