"""Looks of transmission elements: frames as triads, joints, links as struts, and masses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import singledispatch

import numpy as np

from motorik.algebra import Vector
from motorik.errors import ParameterError
from motorik.mobile import (
    Chord,
    Chord3DPosition,
    ChordPointPointLinear,
    ChordPointPointQuadratic,
    ConstraintSolver,
    Element,
    Frame,
    JointElement,
    LinearSpringDamper,
    MassElement,
    RigidLink,
    SystemResult,
)
from motorik.view.looks import Data, Dot, Shape, Strut, Triad
from motorik.view.scene import Sight

Shown = Element | Frame
"""What has shapes."""

DISTANCES = (ChordPointPointLinear, ChordPointPointQuadratic)
POINTS = (Chord3DPosition, *DISTANCES)

Snapshot = dict[str, np.ndarray]
"""Positions and rotations at one time, by names that shapes follow."""


@singledispatch
def chain_look(part: object) -> list[Shape]:
    """Return the shapes of a frame or an element; none for what has no geometry."""
    return []


@chain_look.register
def _(part: Frame) -> list[Shape]:
    return [Triad(_key(part))]


@chain_look.register
def _(part: JointElement) -> list[Shape]:
    return [Strut(_place(part.a), _place(part.b), role="guide"), Dot(_place(part.b))]


@chain_look.register
def _(part: RigidLink) -> list[Shape]:
    return [Strut(_place(part.a), _place(end)) for end in part.ends]


@chain_look.register
def _(part: MassElement) -> list[Shape]:
    return [Strut(_place(part.frame), _centre(part)), Dot(_centre(part), role="mass")]


@chain_look.register
def _(part: ConstraintSolver) -> list[Shape]:
    return [shape for chord in part.chords for shape in _closure(chord)]


@chain_look.register
def _(part: LinearSpringDamper) -> list[Shape]:
    return _distance(part.on, "spring")


def _closure(chord: Chord) -> list[Shape]:
    """Return what closes a loop: a rod of constant length, or points that coincide."""
    rod = _distance(chord, "link")
    if rod or not isinstance(chord, POINTS):
        return rod
    return [Dot(_place(chord.frames[0]))]


def _distance(part: object, role: str) -> list[Shape]:
    """Return the line of a distance that is kept or sprung; none of another measure."""
    if not isinstance(part, DISTANCES) or len(part.terms) > 1:
        return []
    end, base = map(_place, part.frames)
    return [Strut(base, end, role=role), Dot(base), Dot(end)]


def take_snapshot(parts: Iterable[Shown]) -> Snapshot:
    """Return where the frames of these parts are now: position r₀ and T with v = T v₀."""
    seen: Snapshot = {}
    for part in parts:
        for frame in _frames(part):
            seen[_place(frame)] = frame.X.p.numpy()
            seen[f"{_key(frame)}.R.T"] = frame.X.R.T.numpy()
        if isinstance(part, MassElement):
            seen[_centre(part)] = part.frame.X(Vector.of(part.r_CM)).numpy()
    return seen


def stack(snapshots: Sequence[Snapshot]) -> Data:
    """Return snapshots as data over time."""
    return {name: np.stack([seen[name] for seen in snapshots]) for name in snapshots[0]}


def see_system(result: SystemResult) -> Sight:
    """Return what is shown of the result of a dynamic system."""
    elements = result.system.elements
    moved = {id(state) for element in elements for state in element.outputs}
    resting = {
        id(state): state
        for element in elements
        for state in element.inputs
        if isinstance(state, Frame) and id(state) not in moved
    }
    parts = [*resting.values(), *(element for element in elements if chain_look(element))]
    if not parts:
        raise ParameterError(
            "draw",
            f"{result.system.label} has no joints, links or masses to show.",
            "Draw the result of a MechanicalSystem, or of a CombinedSystem with one in it.",
            parameter="result",
            value=result.system,
        )
    data = stack(result.follow(lambda _: take_snapshot(parts)))
    g = np.abs(result.system.gravity.numpy())
    shapes = [shape for part in parts for shape in _grounded(part, resting)]
    return Sight(shapes, data, int(np.argmax(g)) if g.any() else None)


def _grounded(part: Shown, resting: dict[int, Frame]) -> list[Shape]:
    """Return the shapes of a part; links between resting frames are thin and dashed."""
    shapes = chain_look(part)
    if not isinstance(part, RigidLink) or id(part.a) not in resting:
        return shapes
    resting.update((id(end), end) for end in part.ends)
    return [replace(strut, role="guide") for strut in shapes if isinstance(strut, Strut)]


def _frames(part: Shown) -> list[Frame]:
    if isinstance(part, Frame):
        return [part]
    return [state for state in part.touched if isinstance(state, Frame)]


def _key(part: object) -> str:
    """Return a name that no other object has."""
    return str(id(part))


def _place(frame: Frame) -> str:
    return f"{_key(frame)}.r_0"


def _centre(part: MassElement) -> str:
    return f"{_key(part)}.centre"
