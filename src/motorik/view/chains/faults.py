"""Faults of chains: what a scene cannot take, and loops that do not close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from motorik.errors import MotorikError, ParameterError
from motorik.mobile import Element, Frame
from motorik.view.scene.place import ScenePose
from motorik.view.scene.scene import Scene
from motorik.view.staging.gather import ShownParts, note_shapes
from motorik.view.staging.of_chain import frames_of


def refused(why: str, remedy: str, name: str, value: object) -> ParameterError:
    """Return the error that a scene cannot take a value."""
    return ParameterError("Scene", why, remedy, parameter=name, value=value)


def check_kind(name: str, value: object, kind: type, remedy: str) -> None:
    """Refuse what is not of a kind."""
    if not isinstance(value, kind):
        word = {"StateVariable": "variable"}.get(kind.__name__, kind.__name__.lower())
        raise refused(f"{name} = {value!r} is no {word}.", remedy, name, value)


def with_fault(
    scene: Scene, parts: Sequence[Element | Frame], error: MotorikError
) -> Scene:
    """Return a scene that tells an error at the part that it is about, else at the first."""
    about = [k for k, part in enumerate(parts) if repr(part) == error.place]
    number = about[0] if about else 0
    if not parts:
        return scene
    described = list(scene.parts)
    described[number] = replace(described[number], note=str(error))
    frames = {id(frame): k for k, frame in enumerate(frames_of(parts), 1)}
    own = [frames[id(frame)] for frame in frames_of([parts[number]])]
    at = {described[number].path: ScenePose(own[0])} if own else {}
    words = note_shapes(ShownParts(described), scene.size / 2, at)
    return replace(scene, parts=tuple(described), shapes=(*scene.shapes, *words))
