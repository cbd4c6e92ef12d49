"""Random trees, and wheels that roll."""

from __future__ import annotations

import numpy as np

import motorik as mk
from validation.fuzz.drawing import (
    COORDINATES,
    GROUND,
    BodyDrawn,
    Drawing,
    WheelDrawn,
    random_axes,
    random_coordinates,
)
from validation.fuzz.geometry import Place, any_direction, any_rotation
from validation.fuzz.units import INERTIA, LENGTH, MASS, RATE, Value

OPEN_KINDS = "RPCULSFH"


def tree(drawing: Drawing) -> None:
    """Draw a tree of all kinds of joints, each used in either direction."""
    rng = drawing.rng
    drawing.gravity = rng.uniform(0.3, 1.5) * any_direction(rng)
    if rng.random() < 0.1:
        drawing.gravity = np.zeros(3)
    grow(drawing, [GROUND], int(rng.integers(1, 6)))


def grow(drawing: Drawing, onto: list[int], count: int, kinds: str = OPEN_KINDS) -> None:
    """Hang bodies on some of those that are there, their starts fixed."""
    rng = drawing.rng
    carriers = list(onto)
    for _ in range(count):
        k = int(rng.choice(carriers))
        kind = str(rng.choice(list(kinds)))
        at = drawing.places[k].p + rng.uniform(-1.0, 1.0, 3)
        new = drawing.body(at + rng.uniform(-0.3, 0.3, 3))
        place = Place(any_rotation(rng), at)
        q, axes = random_coordinates(rng, kind), random_axes(rng, kind)
        n_u = len(COORDINATES.get(kind, "abc" if kind == "S" else "abcdef"))
        u = list(rng.uniform(-1.0, 1.0, n_u))
        ends, known = ((k, new), "a") if rng.random() < 0.5 else ((new, k), "b")
        drawing.joint(kind, *ends, place, axes, q, u, fixed=True, known=known)
        carriers.append(new)


def wheels(drawing: Drawing) -> None:
    """Draw wheels on the plane z = 0: single ones that lean, or a set; with bodies on them."""
    rng = drawing.rng
    drawing.gravity = np.array([0.0, 0.0, -rng.uniform(0.3, 1.5)])
    drawing.stop = 1.0
    radius, m = float(rng.uniform(0.3, 1.0)), float(rng.uniform(0.5, 2.0))
    axis, long = 0.5 * m * radius**2, 0.3 * m * radius**2
    I = np.diag([long, axis, long])
    if rng.random() < 0.5:
        lean = float(rng.uniform(-0.6, 0.6))
        starts = {
            "x": Value(float(rng.uniform(-1, 1)), LENGTH, True),
            "y": Value(float(rng.uniform(-1, 1)), LENGTH, True),
            "angles": Value([rng.uniform(-3, 3), lean, rng.uniform(-3, 3)], fixed=True),
            "der_angles": Value(rng.uniform(-2, 2, 3), RATE, True),
        }
        given = {"radius": Value(radius, LENGTH), "m": Value(m, MASS)}
        given |= {"I_axis": Value(axis, INERTIA), "I_long": Value(long, INERTIA)}
        name = drawing.add("wheel", mk.parts.RollingWheel, **given, **starts)
        hubs = ["frame_a"]
        bodies = ["body"]
    else:
        starts = {
            key: Value(
                float(rng.uniform(-1, 1)), LENGTH if key in "xy" else (0, 0, 0), True
            )
            for key in ("x", "y", "phi", "theta1", "theta2")
        }
        starts |= {
            f"der_theta{k}": Value(float(rng.uniform(-2, 2)), RATE, True) for k in (1, 2)
        }
        given = {"R_wheel": Value(radius, LENGTH), "m_wheel": Value(m, MASS)}
        given |= {"I_wheelAxis": Value(axis, INERTIA), "I_wheelLong": Value(long, INERTIA)}
        given["track"] = Value(float(rng.uniform(0.5, 2.0)), LENGTH)
        name = drawing.add("wheel", mk.parts.RollingWheelSet, **given, **starts)
        hubs = ["frameMiddle", "frame1", "frame2"]
        bodies = ["body1", "body2"]
    drawing.fixed |= {f"{name}.{key}": value for key, value in starts.items()}
    for body in bodies:
        frame = f"{name}.{body}.frame_a"
        ends = ((frame, np.zeros(3)),)
        drawn = BodyDrawn(f"{name}.{body}", frame, m, np.zeros(3), I, None, ends)
        drawing.bodies.append(drawn)
        drawing.wheels.append(WheelDrawn(drawn.name, radius))
    for k, hub in enumerate(hubs):
        if (k == 0 and len(hubs) > 1) or rng.random() < 0.5:
            _hang(drawing, f"{name}.{hub}", k)


def _hang(drawing: Drawing, frame: str, k: int) -> None:
    """Hang a body on a frame whose pose is not known, on a hinge."""
    rng = drawing.rng
    number = drawing.body(np.zeros(3))
    body = drawing.bodies.pop()
    drawing.bodies.append(
        BodyDrawn(body.name, body.frame, body.m, body.c, body.I, None, body.frames)
    )
    drawing.pieces[body.name].given["m"] = Value(body.m, MASS)
    place = Place(drawing.places[number].R, drawing.places[number].p)
    drawing.frames.append(frame)
    drawing.places.append(place)
    hub = len(drawing.places) - 1
    q, u = [float(rng.uniform(-np.pi, np.pi))], [float(rng.uniform(-1, 1))]
    drawing.joint("R", hub, number, place, random_axes(rng, "R"), q, u, fixed=True)
