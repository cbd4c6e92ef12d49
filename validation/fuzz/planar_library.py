"""Mechanisms of the planar library: bodies with ports, joints by vector constraints."""

from __future__ import annotations

import numpy as np

from motorik import planar
from validation.fuzz.drawing import BodyDrawn, Drawing, Piece, PowerTerm
from validation.fuzz.geometry import STILL, Place, Z, about, in_plane
from validation.fuzz.units import (
    ACCELERATION,
    DAMPING,
    INERTIA,
    LENGTH,
    MASS,
    RATE,
    STIFFNESS,
    Value,
)


def library(drawing: Drawing) -> None:
    """Draw a crank on the ground, and dyads of bodies with ports on it."""
    rng = drawing.rng
    drawing.planar, drawing.has_loops = True, True
    g = float(rng.uniform(0.3, 1.2))
    drawing.gravity = np.array([0.0, -g, 0.0])
    drawing.pieces["ground"] = Piece(planar.Ground, {"g": Value(g, ACCELERATION)}, {})
    drawing.frames, drawing.places = ["ground"], [STILL]
    end = rng.uniform(0.25, 0.5) * in_plane(rng.uniform(-np.pi, np.pi))
    crank = _body(drawing, 0.5 * end, w=float(rng.uniform(-2, 2)))
    _join(drawing, "R", 0, crank, np.zeros(3))
    last = crank
    for number in range(int(rng.integers(1, 4))):
        kinds = str(rng.choice(["RRR", "RRP", "PRR"]))
        others = [k for k in range(len(drawing.places)) if k != last]
        onto = 0 if number == 0 else int(rng.choice(others))
        angle = rng.uniform(-np.pi, np.pi)
        middle = end + rng.uniform(0.8, 1.2) * in_plane(angle)
        bend = rng.choice([-1, 1]) * rng.uniform(1.0, 2.0)
        foot = middle + rng.uniform(0.7, 1.0) * in_plane(angle + bend)
        first, second = _body(drawing, 0.5 * (end + middle)), _body(drawing, foot)
        ends, places = (last, first, second, onto), (end, middle, foot)
        slide = angle + 0.5 * np.pi + rng.uniform(-0.4, 0.4)
        for k, kind in enumerate(kinds):
            _join(drawing, kind, ends[k], ends[k + 1], places[k], slide)
        last, end = first, middle + 0.2 * in_plane(rng.uniform(-np.pi, np.pi))
    if rng.random() < 0.5:
        _spring(drawing)


def _body(drawing: Drawing, at: np.ndarray, w: float | None = None) -> int:
    rng = drawing.rng
    name = f"body{len(drawing.places)}"
    m, I = float(rng.uniform(0.5, 2.0)), float(rng.uniform(0.03, 0.1))
    theta = float(rng.uniform(-np.pi, np.pi))
    kept = w is not None
    given: dict[str, object] = {"m": Value(m, MASS), "I": Value(I, INERTIA)}
    given |= {"x": Value(at[0], LENGTH, False), "y": Value(at[1], LENGTH, False)}
    given["theta"] = Value(theta, fixed=kept)
    if w is not None:
        given["w"] = Value(w, RATE, True)
        drawing.fixed |= {f"{name}.theta": Value(theta), f"{name}.w": Value(w, RATE)}
    drawing.pieces[name] = Piece(planar.Body, given, {})
    place = Place(about(Z, theta), np.array(at))
    inertia = np.diag([0.0, 0.0, I])
    drawn = BodyDrawn(name, f"{name}.G", m, np.zeros(3), inertia, place, ())
    drawing.bodies.append(drawn)
    drawing.places.append(place)
    drawing.frames.append(name)
    return len(drawing.places) - 1


def _port(drawing: Drawing, k: int, at: np.ndarray, direction: float) -> str:
    """Add a port to a body at a point of the world; return its frame."""
    name = drawing.frames[k]
    ports = drawing.pieces[name].ports
    assert ports is not None
    port = f"P{len(ports)}"
    place = drawing.places[k]
    r = place.R.T @ (at - place.p)
    own = float(np.arctan2(place.R[1, 0], place.R[0, 0]))
    ports[port] = (float(r[0]), float(r[1]), direction - own)
    if k:
        old = drawing.bodies[k - 1]
        ends = (*old.frames, (f"{name}.{port}", r))
        drawing.bodies[k - 1] = BodyDrawn(
            old.name, old.frame, old.m, old.c, old.I, old.start, ends
        )
    return f"{name}.{port}"


def _join(
    drawing: Drawing, kind: str, a: int, b: int, at: np.ndarray, direction: float = 0.0
) -> None:
    rng = drawing.rng
    name = f"joint{len(drawing.wires)}"
    if rng.random() < 0.5:
        a, b = b, a
    turn = float(rng.uniform(-1.0, 1.0)) if kind == "R" else 0.0
    ends = (_port(drawing, a, at, direction), _port(drawing, b, at, direction + turn))
    make = planar.Revolute if kind == "R" else planar.Translational
    drawing.add(name, make)
    drawing.wires += [(end, f"{name}.frame_{s}") for s, end in zip("ab", ends, strict=True)]


def _spring(drawing: Drawing) -> None:
    rng = drawing.rng
    a, b = (int(k) for k in rng.choice(len(drawing.places), 2, replace=False))
    ends = []
    for k in (a, b):
        at = drawing.places[k].p + 0.3 * in_plane(rng.uniform(-3, 3))
        ends.append(_port(drawing, k, at, 0.0))
    c, d = float(rng.uniform(0.5, 2.0)), float(rng.uniform(0.0, 0.5))
    given = {"c": Value(c, STIFFNESS), "d": Value(d, DAMPING), "s0": Value(0.5, LENGTH)}
    drawing.add("spring", planar.SpringDamper, **given)
    drawing.wires += [(ends[0], "spring.frame_a"), (ends[1], "spring.frame_b")]
    drawing.powers.append(PowerTerm(Value(-d, DAMPING), ("spring.v", "spring.v")))
