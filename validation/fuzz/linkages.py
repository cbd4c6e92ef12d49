"""Random linkages: planar loops in any plane, several of them, and trees between."""

from __future__ import annotations

import numpy as np

from validation.fuzz.drawing import GROUND, Drawing
from validation.fuzz.geometry import STILL, Place, Z, about, any_rotation, in_plane
from validation.fuzz.trees import grow

DYADS = ("RRR", "RRR", "RRP", "RPR", "PRR", "PRP")


class Plane:
    """A plane of the world in which a linkage is drawn."""

    def __init__(self, drawing: Drawing, at: np.ndarray | None = None) -> None:
        rng = drawing.rng
        self.drawing = drawing
        self.is_aligned = at is None and rng.random() < 0.4
        self.X = STILL if self.is_aligned else Place(any_rotation(rng), rng.normal(size=3))
        if at is not None:
            self.X = Place(self.X.R, np.array(at))
        self.is_oblique = rng.random() < 0.5

    def point(self, xy: np.ndarray) -> np.ndarray:
        """Return a point of the plane in the world."""
        return self.X.p + self.X.R @ xy

    def body(self, xy: np.ndarray) -> int:
        """Add a body at a point of the plane."""
        return self.drawing.body(self.point(xy), None if self.is_oblique else self.X.R)

    def joint(
        self,
        kind: str,
        a: int,
        b: int,
        xy: np.ndarray,
        along: float = 0.0,
        u: float | None = None,
    ) -> str:
        """Add a hinge at right angles to the plane, or a slide along a direction in it."""
        rng = self.drawing.rng
        axis = rng.choice([-1.0, 1.0]) * (Z if kind == "R" else in_plane(along))
        R = self.X.R if not self.is_oblique else any_rotation(rng)
        n = R.T @ self.X.R @ axis
        q = rng.uniform(-np.pi, np.pi) if kind == "R" else rng.uniform(-0.5, 0.5)
        ends, known = ((a, b), "a") if rng.random() < 0.5 else ((b, a), "b")
        at = Place(R, self.point(xy))
        rates = None if u is None else [u]
        is_driver = u is not None
        return self.drawing.joint(kind, *ends, at, [n], [q], rates, is_driver, known)


def loops(plane: Plane, base: int, count: int) -> list[int]:
    """Draw a crank on a body and dyads, each between two bodies of the linkage."""
    drawing, rng = plane.drawing, plane.drawing.rng
    drawing.has_loops = True
    end = rng.uniform(0.25, 0.5) * in_plane(rng.uniform(-np.pi, np.pi))
    crank = plane.body(np.zeros(3))
    plane.joint("R", base, crank, np.zeros(3), u=float(rng.uniform(-2.0, 2.0)))
    members, last = [base, crank], crank
    for number in range(count):
        kinds = str(rng.choice(DYADS))
        onto = base if number == 0 else int(rng.choice([k for k in members if k != last]))
        angle = rng.uniform(-np.pi, np.pi)
        middle = end + rng.uniform(0.8, 1.2) * in_plane(angle)
        bend = rng.choice([-1, 1]) * rng.uniform(1.0, 2.0)
        foot = middle + rng.uniform(0.7, 1.0) * in_plane(angle + bend)
        first, second = plane.body(end), plane.body(foot)
        ends, places = (last, first, second, onto), (end, middle, foot)
        slide = angle + rng.uniform(-0.4, 0.4)
        for k, kind in enumerate(kinds):
            plane.joint(
                kind, ends[k], ends[k + 1], places[k], slide + 0.5 * np.pi * (k > 0)
            )
        members += [first, second]
        last, end = first, middle + 0.2 * in_plane(rng.uniform(-np.pi, np.pi))
    return members[1:]


def plane_loops(drawing: Drawing) -> None:
    """Draw one linkage of up to four loops in a plane."""
    rng = drawing.rng
    drawing.noise = float(rng.choice([0.0, 0.0, 0.05]))
    drawing.stop = 1.5
    plane = Plane(drawing)
    _gravity(drawing, plane)
    loops(plane, GROUND, int(rng.integers(1, 5)))


def clusters(drawing: Drawing) -> None:
    """Draw several linkages: side by side, one on a body of another, in several planes."""
    rng = drawing.rng
    drawing.stop = 1.0
    plane = Plane(drawing)
    _gravity(drawing, plane)
    members = loops(plane, GROUND, int(rng.integers(1, 3)))
    for _ in range(int(rng.integers(1, 3))):
        base = GROUND if rng.random() < 0.4 else int(rng.choice(members))
        at = drawing.places[base].p + rng.uniform(-0.5, 0.5, 3)
        other = Plane(drawing, at)
        if rng.random() < 0.4:
            other.X = Place(plane.X.R, at)
        members += loops(other, base, int(rng.integers(1, 3)))


def mixed(drawing: Drawing) -> None:
    """Draw linkages with a tree between them, and trees on them."""
    rng = drawing.rng
    plane = Plane(drawing)
    _gravity(drawing, plane)
    drawing.stop = 1.0
    before = len(drawing.places)
    if rng.random() < 0.5:
        grow(drawing, [GROUND], int(rng.integers(1, 3)), "RPCUSF")
        base = int(rng.integers(before, len(drawing.places)))
        members = loops(Plane(drawing, drawing.places[base].p), base, 1)
    else:
        members = loops(plane, GROUND, int(rng.integers(1, 3)))
        before = len(drawing.places)
        grow(drawing, members, int(rng.integers(1, 3)), "RPCUS")
        base = int(rng.integers(before, len(drawing.places)))
        if rng.random() < 0.6:
            members = loops(Plane(drawing, drawing.places[base].p), base, 1)
    if rng.random() < 0.3:
        grow(drawing, members, 1, "RPUS")


def _gravity(drawing: Drawing, plane: Plane) -> None:
    rng = drawing.rng
    down = plane.X.R @ (about(Z, rng.uniform(-np.pi, np.pi)) @ np.array([0.0, -1.0, 0.3]))
    drawing.gravity = rng.uniform(0.3, 1.2) * down
