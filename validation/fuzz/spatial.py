"""Random loops in space: rings of joints, platforms on legs, rods."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

import motorik as mk
from validation.fuzz.drawing import (
    GROUND,
    Drawing,
    RodDrawn,
    random_axes,
    random_coordinates,
)
from validation.fuzz.geometry import (
    Place,
    across,
    any_direction,
    any_rotation,
    unit,
)
from validation.fuzz.units import LENGTH, MASS, Value

RINGS = (
    *("RUSR", "RSUR", "RSUP", "RUPS", "RSRRR", "RCCC", "RLUR", "RSCR", "HUSR", "PUSR"),
    *("RRCCR", "RRRRRRR", "RRRRRRR", "RSSR", "RUUC", "RURUR"),
)
IDLE = ("RSSR",)  # a body turns about the line of two balls


def ring(drawing: Drawing) -> None:
    """Draw one loop of joints from the ground to the ground, of one freedom."""
    rng = drawing.rng
    drawing.has_loops = True
    drawing.gravity = rng.uniform(0.3, 1.2) * any_direction(rng)
    drawing.stop = 1.0
    kinds = str(rng.choice(RINGS))
    drawing.noise = 0.0 if kinds in IDLE else float(rng.choice([0.0, 0.0, 0.03]))
    close_ring(drawing, kinds, GROUND)


def close_ring(drawing: Drawing, kinds: str, base: int) -> None:
    """Draw a loop of joints from a body back to it; the first joint has the speed."""
    rng = drawing.rng
    count = len(kinds)
    angles = 2 * np.pi * (np.arange(count) + rng.uniform(-0.25, 0.25, count)) / count
    corners = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(count)])
    corners = (corners - corners[0]) @ any_rotation(rng).T
    corners += rng.uniform(-0.3, 0.3, size=(count, 3)) + drawing.places[base].p
    before = base
    for k, kind in enumerate(kinds):
        after = base if k == count - 1 else drawing.body(corners[k])
        place = Place(any_rotation(rng), corners[k])
        q, axes = random_coordinates(rng, kind), random_axes(rng, kind)
        ends, known = (before, after), "a"
        if rng.random() < 0.5:
            ends, known = (after, before), "b"
        u = None
        if k == 0:
            u = [0.0 if kinds in IDLE else float(rng.uniform(-1.0, 1.0))]
        drawing.joint(kind, *ends, place, axes, q, u, k == 0, known)
        before = after


def platform(drawing: Drawing) -> None:
    """Draw a plate on legs of cross, slide and ball, at rest, each with a spring."""
    rng = drawing.rng
    drawing.has_loops = True
    drawing.gravity = np.array([0.0, 0.0, -rng.uniform(0.3, 1.2)])
    drawing.stop = 1.0
    legs = int(rng.choice([3, 4, 6]))
    plate = drawing.body(np.array([0.0, 0.0, 1.0]))
    for k in range(legs):
        angle = 2 * np.pi * (k + rng.uniform(-0.2, 0.2)) / legs
        foot = np.array([np.cos(angle), np.sin(angle), 0.0])
        seat = 0.6 * np.array([np.cos(angle + 0.5), np.sin(angle + 0.5), 0.0])
        seat += np.array([0.0, 0.0, 1.0]) + 0.15 * rng.uniform(-1, 1, 3)
        _leg(drawing, plate, foot, seat)


def _leg(drawing: Drawing, plate: int, foot: np.ndarray, seat: np.ndarray) -> None:
    rng = drawing.rng
    e = unit(seat - foot)
    side = across(rng, e)
    lower, upper = drawing.body(foot), drawing.body(seat)
    R = np.column_stack([side, np.cross(e, side), e])
    x, y = np.eye(3)[:2]
    cross = [float(rng.uniform(-0.5, 0.5)), float(rng.uniform(-0.5, 0.5))]
    drawing.joint("U", GROUND, lower, Place(R, foot), [x, y], cross)
    slide = Place(R, 0.5 * (foot + seat))
    s = float(rng.uniform(-0.3, 0.3))
    ends, known = ((lower, upper), "a") if rng.random() < 0.5 else ((upper, lower), "b")
    drawing.joint("P", *ends, slide, [np.eye(3)[2]], [s], known=known)
    ball = Place(any_rotation(rng), seat)
    drawing.joint("S", upper, plate, ball, [], list(rng.uniform(-1.0, 1.0, 3)))


def rods(drawing: Drawing) -> None:
    """Draw two or more hinged arms that rods with balls or crosses at the ends connect."""
    rng = drawing.rng
    drawing.has_loops = True
    drawing.gravity = rng.uniform(0.3, 1.2) * any_direction(rng)
    drawing.stop = 1.0
    arms: list[tuple[int, np.ndarray]] = []
    for k in range(int(rng.integers(2, 4))):
        foot = np.array([1.5 * k, 0.0, 0.0]) + rng.uniform(-0.2, 0.2, 3)
        axis = any_direction(rng)
        tip = foot + rng.uniform(0.4, 0.7) * across(rng, axis)
        arm = drawing.body(foot)
        R = any_rotation(rng)
        at = Place(R, foot)
        u = [float(rng.uniform(-1.5, 1.5))] if k == 0 else None
        q = [float(rng.uniform(-np.pi, np.pi))]
        drawing.joint("R", GROUND, arm, at, [R.T @ axis], q, u, k == 0)
        arms.append((arm, tip))
    for k, (one, other) in enumerate(pairwise(arms)):
        add_rod(drawing, f"rod{k}", one, other, bool(rng.random() < 0.5))


def add_rod(
    drawing: Drawing,
    name: str,
    one: tuple[int, np.ndarray],
    other: tuple[int, np.ndarray],
    has_cross: bool,
) -> None:
    """Put a rod between points of two bodies."""
    rng = drawing.rng
    (a, p), (b, q) = one, other
    length = float(np.linalg.norm(q - p))
    ends = [
        drawing.seat(k, Place(any_rotation(rng), at), f"{name}_{side}")
        for side, k, at in (("a", a, p), ("b", b, q))
    ]
    if has_cross:
        seat = drawing.pieces[f"{name}_a"].given
        R = drawing.places[a].R @ seat_rotation(seat)
        along = R.T @ (q - p)
        given: dict[str, object] = {"rRod_ia": Value(along, LENGTH)}
        given["n1_a"] = tuple(across(rng, unit(along)))
        drawing.add(name, mk.joints.UniversalSpherical, **given)
        rider = drawing.body(p, R)
        drawing.wires.append((f"{name}.frame_ia", drawing.frames[rider]))
        drawing.forget_start(rider)  # the ball of the rod takes no guess
    else:
        m = Value(float(rng.choice([0.0, 0.3])), MASS)
        drawing.add(
            name, mk.joints.SphericalSpherical, rodLength=Value(length, LENGTH), m=m
        )
    drawing.rods.append(RodDrawn(f"{name}.frame_a", f"{name}.frame_b", length))
    drawing.wires += [(ends[0], f"{name}.frame_a"), (ends[1], f"{name}.frame_b")]


def seat_rotation(given: dict[str, object]) -> np.ndarray:
    """Return the rotation that a seat was given."""
    x, y = np.array(given["n_x"]), np.array(given["n_y"])
    return np.column_stack([x, y, np.cross(x, y)])
