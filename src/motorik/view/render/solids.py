"""Solids: the meshes of shapes, the x axis along their length."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, tau

import numpy as np

from motorik.view.render.mesh import CREASE, TriangleMesh, unit

ROUND = 48  # sides of what is round
THINNEST = 1e-9  # of its length: the width of what has none
Profile = Sequence[tuple[float, float]]


def box(length: float, width: float, height: float) -> TriangleMesh:
    """Return a box from the origin along x."""
    corners = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * (width / 2, height / 2)
    return extruded(corners, 0.0, length)


def beam(length: float, width: float, height: float) -> TriangleMesh:
    """Return a flat bar whose ends are round about the origin and about (length, 0, 0)."""
    turn = np.linspace(-pi / 2, pi / 2, ROUND // 2 + 1)
    end = width / 2 * np.column_stack([np.cos(turn), np.sin(turn)])
    outline = np.concatenate([end + np.array([length, 0.0]), -end])
    bar = extruded(outline, -height / 2, height / 2)  # along its own x, the height
    turned = [1, 2, 0]
    return TriangleMesh(
        bar.points[:, turned], bar.normals[:, turned], bar.triangles, bar.patches
    )


def sphere(diameter: float) -> TriangleMesh:
    """Return a sphere about the origin."""
    return ellipsoid(diameter, diameter, diameter)


def ellipsoid(length: float, width: float, height: float) -> TriangleMesh:
    """Return an ellipsoid about the origin."""
    turn = np.linspace(0.0, pi, ROUND // 2 + 1)
    ball = revolved([(-np.cos(a), np.sin(a)) for a in turn])
    half = np.array([length, width, height]) / 2
    if not half.any():
        return TriangleMesh.joined([])
    half = np.maximum(half, THINNEST * half.max())
    return TriangleMesh(
        ball.points * half, unit(ball.normals / half), ball.triangles, ball.patches
    )


def cylinder(length: float, diameter: float) -> TriangleMesh:
    """Return a cylinder from the origin along x."""
    return cone(length, diameter, diameter)


def cone(length: float, diameter: float, top: float = 0.0) -> TriangleMesh:
    """Return a cone from the origin along x; `top` is its diameter at the far end."""
    a, b = diameter / 2, top / 2
    return revolved([(0.0, 0.0), (0.0, a), (length, b), (length, 0.0)])


def pipe(length: float, diameter: float, inner: float) -> TriangleMesh:
    """Return a tube from the origin along x."""
    a, b = diameter / 2, inner / 2
    return revolved([(0.0, b), (0.0, a), (length, a), (length, b), (0.0, b)])


def torus(diameter: float, tube: float) -> TriangleMesh:
    """Return a ring about x; `diameter` is that of the circle in the middle of its tube."""
    turn = np.linspace(-pi, pi, ROUND // 2 + 1)
    middle, half = diameter / 2, tube / 2
    return revolved([(half * np.sin(a), middle + half * np.cos(a)) for a in turn])


def wheel(diameter: float, width: float, inner: float) -> TriangleMesh:
    """Return a wheel about x: a tyre with round shoulders, a rim, a disc and a hub."""
    outer, rim, half = diameter / 2, min(inner, diameter) / 2, width / 2
    corner = 0.45 * min(width, outer - rim)
    turn = np.linspace(0.0, pi / 2, 9)
    right = [
        (half - corner * (1 - np.sin(a)), outer - corner * (1 - np.cos(a))) for a in turn
    ]
    left = [(-x, r) for x, r in reversed(right)]
    face = [(0.92, 1.0), (0.88, 0.8), (0.3, 0.75), (0.3, 0.4), (0.7, 0.35), (0.7, 0.0)]
    front = [(x * half, r * rim) for x, r in face]
    back = [(-x, r) for x, r in reversed(front)]
    return revolved([*back, *left, *right, *front])


def gearwheel(length: float, diameter: float, inner: float, teeth: int) -> TriangleMesh:
    """Return a spur gear from the origin along x; `diameter` is that of its pitch circle."""
    module, pitch = diameter / teeth, diameter / 2
    root = max(pitch - 1.25 * module, 0.6 * pitch)
    outline, circle = toothed(root, pitch, pitch + module, teeth)
    bore = min(inner / 2, 0.9 * root)
    return (
        ring(outline, bore * circle, length) if bore > 0 else extruded(outline, 0, length)
    )


def gear_ring(length: float, diameter: float, inner: float, teeth: int) -> TriangleMesh:
    """Return a ring from the origin along x with teeth inside; `inner` is that of their heads."""
    tip = inner / 2
    pitch = tip * teeth / (teeth - 2) if teeth > 2 else 1.5 * tip
    root = pitch * (1.0 + 2.5 / teeth)
    outline, circle = toothed(root, pitch, tip, teeth)
    return ring(max(diameter / 2, 1.02 * root) * circle, outline, length)


def toothed(
    root: float, pitch: float, tip: float, teeth: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the outline (y, z) of teeth, a tooth on the y axis, and the same on a unit circle."""
    step = tau / teeth
    flank = [(0.36, root), (0.25, pitch), (0.13, tip)]  # of a step, and radius
    tooth = [(-a, r) for a, r in flank] + [(a, r) for a, r in reversed(flank)]
    turn, radius = np.array([((k + a) * step, r) for k in range(teeth) for a, r in tooth]).T
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    return radius[:, None] * circle, circle


def ring(outline: np.ndarray, hole: np.ndarray, length: float) -> TriangleMesh:
    """Return a prism along x with a hole; both outlines have as many points, side by side."""
    n = len(outline)
    i, j = np.arange(n), (np.arange(n) + 1) % n
    face = np.concatenate(
        [np.column_stack([i, j, n + j]), np.column_stack([i, n + j, n + i])]
    )
    both = np.concatenate([outline, hole])
    inside = _wall(hole[::-1], 0.0, length)
    caps = [_cap(both, length, face), _cap(both, 0.0, face[:, ::-1])]
    return TriangleMesh.joined([_wall(outline, 0.0, length), inside, *caps])


def extruded(outline: np.ndarray, begin: float, end: float) -> TriangleMesh:
    """Return a prism along x over an outline (y, z) that runs counter-clockwise."""
    outline = np.asarray(outline, dtype=float)
    n = len(outline)
    fan = np.column_stack([np.full(n, n), np.arange(n), (np.arange(n) + 1) % n])
    points = np.vstack([outline, outline.mean(axis=0)])
    caps = [_cap(points, end, fan), _cap(points, begin, fan[:, ::-1])]
    return TriangleMesh.joined([_wall(outline, begin, end), *caps])


def revolved(profile: Profile, sides: int = ROUND) -> TriangleMesh:
    """Return the surface that a profile of (x, radius) draws when it turns about x.

    The outside is on the left of the way. Pieces of the way that meet at small angles are
    one smooth surface.
    """
    line = np.array(profile, dtype=float)
    line[np.abs(line) < 1e-12 * np.abs(line).max()] = 0.0  # rounded sines of half a turn
    step = np.diff(line, axis=0)
    real = np.linalg.norm(step, axis=1) > 0.0
    if not real.any():
        return TriangleMesh.joined([])
    line, step = np.concatenate([line[:-1][real], line[-1:]]), unit(step[real])
    across = np.column_stack([-step[:, 1], step[:, 0]])
    closed = bool(np.allclose(line[0], line[-1], rtol=0.0, atol=1e-12 * np.ptp(line)))
    count = len(step)
    turn = np.linspace(0.0, tau, sides + 1)
    strips, patch = [], 0
    for k in range(count):
        before, after = across[k - 1], across[(k + 1) % count]
        goes_on = [
            (k > 0 or closed) and bool(across[k] @ before >= cos(CREASE)),
            (k < count - 1 or closed) and bool(across[k] @ after >= cos(CREASE)),
        ]
        normals = [
            across[k] + other * on
            for other, on in zip((before, after), goes_on, strict=True)
        ]
        patch += k > 0 and not goes_on[0]
        strips.append(_strip(line[k : k + 2], unit(np.array(normals)), turn, patch))
    return _one(strips)


def tube(curve: np.ndarray, diameter: float, sides: int = 12) -> TriangleMesh:
    """Return a wire along a curve (n × 3), its ends closed."""
    apart = np.linalg.norm(np.diff(curve, axis=0), axis=1) > 0.0
    curve = curve[np.r_[True, apart]]
    if len(curve) < 2:
        return TriangleMesh.joined([])
    along = unit(np.gradient(curve, axis=0))
    u = np.zeros_like(along)
    side = np.eye(3)[np.argmin(np.abs(along[0]))]
    for k, direction in enumerate(along):  # carried on without twist
        side = side - (side @ direction) * direction
        side = u[k] = side / np.linalg.norm(side)
    v = np.cross(along, u)
    turn = tau * np.arange(sides) / sides
    out = np.cos(turn)[:, None] * u[:, None] + np.sin(turn)[:, None] * v[:, None]
    points = (curve[:, None] + diameter / 2 * out).reshape(-1, 3)
    n = len(curve)
    i = (np.arange(n - 1)[:, None] * sides + np.arange(sides)).reshape(-1)
    j = (np.arange(n - 1)[:, None] * sides + (np.arange(sides) + 1) % sides).reshape(-1)
    faces = np.concatenate(
        [
            np.column_stack([i, j, j + sides]),
            np.column_stack([i, j + sides, i + sides]),
        ]
    )
    wire = TriangleMesh(
        points, out.reshape(-1, 3), faces, np.zeros(len(faces), dtype=np.int64)
    )
    fan = np.column_stack(
        [np.zeros(sides - 2, int), np.arange(1, sides - 1), np.arange(2, sides)]
    )
    ends = []
    for k, sign, order in ((0, -1.0, fan[:, ::-1]), (n - 1, 1.0, fan)):
        rim = points[k * sides : (k + 1) * sides]
        normals = np.tile(sign * along[k], (sides, 1))
        ends.append(TriangleMesh(rim, normals, order, np.zeros(len(order), dtype=np.int64)))
    return TriangleMesh.joined([wire, *ends])


def _one(strips: Sequence[TriangleMesh]) -> TriangleMesh:
    """Return strips as one mesh, their patches numbered already."""
    whole = TriangleMesh.joined(strips)
    patches = np.concatenate([strip.patches for strip in strips])
    return TriangleMesh(whole.points, whole.normals, whole.triangles, patches)


def _strip(
    ends: np.ndarray, normals: np.ndarray, turn: np.ndarray, patch: int
) -> TriangleMesh:
    n = len(turn)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    circle[-1] = circle[0]  # but for rounding: a whole turn is closed
    points, directions = (
        np.concatenate([np.column_stack([np.full(n, x), r * circle]) for x, r in pair])
        for pair in (ends, normals)
    )
    i = np.arange(n - 1)
    near = np.column_stack([i, i + 1, i + n])
    far = np.column_stack([i + 1, i + n + 1, i + n])
    # at the axis one of the two triangles has shrunk to nothing
    keep = [far] if ends[0, 1] <= 0.0 else [near] if ends[1, 1] <= 0.0 else [near, far]
    faces = np.concatenate(keep)
    return TriangleMesh(points, directions, faces, np.full(len(faces), patch))


def _wall(outline: np.ndarray, begin: float, end: float) -> TriangleMesh:
    """Return the sides of a prism, shaded smoothly where the outline is round."""
    n = len(outline)
    i, j = np.arange(n), (np.arange(n) + 1) % n
    low, high = (np.column_stack([np.full(n, x), outline]) for x in (begin, end))
    faces = np.concatenate(
        [np.column_stack([i, n + j, j]), np.column_stack([i, n + i, n + j])]
    )
    return TriangleMesh.of_faces(np.concatenate([low, high]), faces[:, ::-1])


def _cap(outline: np.ndarray, x: float, faces: np.ndarray) -> TriangleMesh:
    """Return a flat end of a prism; its faces say which side is outside."""
    points = np.column_stack([np.full(len(outline), x), outline])
    return TriangleMesh.of_faces(points, faces)
