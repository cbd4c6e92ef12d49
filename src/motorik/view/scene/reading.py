"""Reading scenes: from JSON back to the types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from motorik.errors import FileFormatError, MotorikError, suggest
from motorik.view.scene.annotations import VectorReading
from motorik.view.scene.blob import read_blob
from motorik.view.scene.geometry import drawn_keys
from motorik.view.scene.place import ScenePose, SceneSpan, triple
from motorik.view.scene.scene import (
    FORMAT,
    VERSION,
    Channel,
    Scene,
    SceneEvent,
    SceneMesh,
    ScenePart,
    SceneRun,
    Trace,
)
from motorik.view.scene.shapes import KINDS, Shape

COMMON = {"role", "part", "opacity", "specular", "layer"}


def read_scene(said: str | Mapping[str, Any]) -> Scene:
    """Return the scene that JSON, or a text of it, describes."""
    try:
        data = json.loads(said) if isinstance(said, str) else said
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise FileFormatError(
                "scene",
                f"is {data.get('format')!r}, version {data.get('version')!r}.",
                f"Read scenes of format {FORMAT!r}, version {VERSION}.",
            )
        return _scene(data)
    except MotorikError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise FileFormatError(
            "scene",
            f"cannot be read: {type(error).__name__}: {error}.",
            "Write it again with `Scene.text()`.",
        ) from error


def _scene(data: Mapping[str, Any]) -> Scene:
    return Scene(
        title=str(data["title"]),
        up=triple(data["up"]),
        gravity=None if data["gravity"] is None else triple(data["gravity"]),
        plane=None if data["plane"] is None else triple(data["plane"]),
        low=triple(data["low"]),
        high=triple(data["high"]),
        hull=tuple(map(triple, data.get("hull", ()))),
        size=float(data["size"]),
        groups=tuple(map(str, data["groups"])),
        parts=tuple(map(_part, data["parts"])),
        shapes=tuple(map(read_shape, data["shapes"])),
        meshes={key: _mesh(data["meshes"][key]) for key in drawn_keys(data["shapes"])},
        channels=tuple(map(_channel, data["channels"])),
        runs=tuple(map(read_run, data["runs"])),
        start=read_blob(data["start"]),
        values=read_blob(data["values"]) if "values" in data else None,
        view=dict(data.get("view", {})),
        palette={str(role): str(c) for role, c in data["palette"].items()},
    )


def _channel(data: Mapping[str, Any]) -> Channel:
    return Channel(str(data["name"]), str(data["unit"]), bool(data.get("steps", False)))


def _part(data: Mapping[str, Any]) -> ScenePart:
    path, kind, role, text = (str(data[name]) for name in ("path", "type", "role", "text"))
    note = None if data["note"] is None else str(data["note"])
    return ScenePart(path, kind, role, text, tuple(map(str, data["values"])), note)


def _mesh(data: Mapping[str, Any]) -> SceneMesh:
    colors = read_blob(data["colors"]) / 255 if "colors" in data else None
    faces = read_blob(data["faces"]).astype(np.int64)
    return SceneMesh(read_blob(data["vertices"]).astype(float), faces, colors)


def read_shape(data: Mapping[str, Any]) -> Shape:
    """Return the shape that JSON describes."""
    if data["kind"] not in KINDS:
        raise FileFormatError(
            "scene", f"has a shape {data['kind']!r}.", suggest(str(data["kind"]), KINDS)
        )
    kind = KINDS[data["kind"]]
    given = {name: data[name] for name in COMMON if name in data}
    given["color"] = None if data["color"] is None else triple(data["color"])
    given["at"] = SceneSpan.from_json(data) if "from" in data else ScenePose.from_json(data)
    own = {one.name for one in fields(kind)} & set(data) - set(given) - COMMON
    return kind(**given, **{name: _value(data[name]) for name in own})


def _value(said: object) -> Any:
    if isinstance(said, Mapping):
        return VectorReading.from_json(said) if "channels" in said else read_blob(said)
    return tuple(map(_value, said)) if isinstance(said, list) else said


def read_run(data: Mapping[str, Any]) -> SceneRun:
    """Return the run that JSON describes."""
    time, poses, values = (read_blob(data[n]) for n in ("time", "poses", "values"))
    events = (SceneEvent(float(e["time"]), e["part"], e["what"]) for e in data["events"])
    traces = (Trace(int(t["group"]), triple(t["r"]), t["name"]) for t in data["traces"])
    title, speed = str(data["title"]), float(data["speed"])
    return SceneRun(time, poses, values, title, tuple(events), tuple(traces), speed)
