"""Loops of a crank and a joint assembly of the library."""

from __future__ import annotations

import numpy as np

from motorik import assemblies
from validation.fuzz.drawing import GROUND, Drawing
from validation.fuzz.geometry import (
    Place,
    Z,
    about,
    across,
    any_direction,
    any_rotation,
    in_plane,
    unit,
)
from validation.fuzz.units import LENGTH, Value

SPATIAL = ("SSR", "SSP", "USR", "USP", "SUR", "SUP")
PLANAR = ("RRR", "RRP")


def assembly(drawing: Drawing) -> None:
    """Draw a crank whose end an assembly connects with the ground."""
    rng = drawing.rng
    drawing.has_loops = True
    drawing.gravity = rng.uniform(0.3, 1.2) * any_direction(rng)
    drawing.stop = 1.0
    kind = str(rng.choice([*SPATIAL, *PLANAR]))
    if kind in SPATIAL:
        _spatial(drawing, kind)
    else:
        _planar(drawing, kind)


def _crank(drawing: Drawing, R: np.ndarray, axis: np.ndarray) -> int:
    rng = drawing.rng
    crank = drawing.body(np.zeros(3))
    q, u = [float(rng.uniform(-np.pi, np.pi))], [float(rng.uniform(-1.5, 1.5))]
    drawing.joint("R", GROUND, crank, Place(R, np.zeros(3)), [R.T @ axis], q, u, True)
    return crank


def _spatial(drawing: Drawing, kind: str) -> None:
    rng = drawing.rng
    axis = any_direction(rng)
    crank = _crank(drawing, any_rotation(rng), axis)
    A = Place(any_rotation(rng), rng.uniform(0.2, 0.4) * across(rng, axis))
    B = Place(any_rotation(rng), np.array([1.5, 0.0, 0.0]) + rng.uniform(-0.2, 0.2, 3))
    n_b = any_direction(rng)
    rod2 = rng.uniform(0.7, 1.0) * across(rng, n_b)
    given: dict[str, object] = {"n_b": tuple(n_b), "rRod2_ib": Value(rod2, LENGTH)}
    if kind[2] == "R":
        phi = float(rng.uniform(-np.pi, np.pi))
        given["phi_guess"] = Value(phi)
        ib = B @ Place(about(n_b, phi), np.zeros(3))
    else:
        s = float(rng.uniform(-0.5, 0.5))
        given["s_guess"] = Value(s, LENGTH)
        ib = B @ Place(np.eye(3), s * n_b)
    middle = ib.p + ib.R @ rod2
    length = float(np.linalg.norm(middle - A.p))
    if kind[:2] == "SS":
        given["rod1Length"] = Value(length, LENGTH)
    elif kind[:2] == "US":
        along = A.R.T @ (middle - A.p)
        given |= {"rRod1_ia": Value(along, LENGTH), "n1_a": tuple(across(rng, unit(along)))}
    else:
        along = ib.R.T @ (middle - A.p)
        given |= {"rRod1_ia": Value(along, LENGTH)}
        given["n1_im"] = tuple(across(rng, unit(along)))
    _place(drawing, kind, given, crank, A, B, ib)


def _planar(drawing: Drawing, kind: str) -> None:
    rng = drawing.rng
    X = any_rotation(rng)
    crank = _crank(drawing, X, X @ Z)
    turn = [about(Z, rng.uniform(-np.pi, np.pi)) for _ in "ab"]
    A = Place(X @ turn[0], X @ (rng.uniform(0.2, 0.4) * in_plane(rng.uniform(-3, 3))))
    B = Place(X @ turn[1], X @ np.array([1.4, 0.3, 0.0]))
    rod2 = rng.uniform(0.7, 1.0) * in_plane(rng.uniform(-np.pi, np.pi))
    given: dict[str, object] = {"n_a": tuple(Z), "rRod2_ib": Value(rod2, LENGTH)}
    if kind == "RRR":
        phi = float(rng.uniform(-np.pi, np.pi))
        given["phi_guess"] = Value(phi)
        ib = B @ Place(about(Z, phi), np.zeros(3))
    else:
        s, n_b = float(rng.uniform(-0.5, 0.5)), in_plane(rng.uniform(-np.pi, np.pi))
        given |= {"s_guess": Value(s, LENGTH), "n_b": tuple(n_b)}
        ib = B @ Place(np.eye(3), s * n_b)
    along = A.R.T @ (ib.p + ib.R @ rod2 - A.p)
    given["rRod1_ia"] = Value(along, LENGTH)
    _place(drawing, kind, given, crank, A, B, ib)


def _place(
    drawing: Drawing,
    kind: str,
    given: dict[str, object],
    crank: int,
    A: Place,
    B: Place,
    ib: Place,
) -> None:
    """Add the assembly between its ends, and bodies on its rods."""
    make = getattr(assemblies, f"Joint{kind}")
    drawing.add("joint", make, **given)
    drawing.wires.append((drawing.seat(crank, A, "joint_a"), "joint.frame_a"))
    drawing.wires.append((drawing.seat(GROUND, B, "joint_b"), "joint.frame_b"))
    on_b = drawing.body(ib.p, ib.R)
    drawing.wires.append(("joint.frame_ib", drawing.frames[on_b]))
    if kind[:2] != "SS":
        on_a = drawing.body(A.p, A.R)
        drawing.wires.append(("joint.frame_ia", drawing.frames[on_a]))
        if kind in SPATIAL:
            drawing.forget_start(on_a)  # the ball of the rod takes no guess
