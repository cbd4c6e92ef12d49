"""Solids: triangle meshes of the known shapes, the x axis along their length.

Sizes are in m; round surfaces have `sides` sides. `beam`, `arrow` and `coil` have shares: they
stretch along x without changing their ends, heads or wire.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import cos, pi, sin, tau

import numpy as np

from motorik.view.scene.mesh import CREASE, TriangleMesh, unit

ROUND = 48  # sides of round surfaces
HEAD = 3.2  # length of the head of an arrow, in diameters of its shaft
WIDE = 2.3  # diameter of the head, in diameters of the shaft
HEADS = 0.45  # largest length of all heads of an arrow, as a share of the whole
PER_COIL = 24  # points of the curve of a spring in one turn
RISE = 0.8  # turns in which a coil grows from the axis to its diameter
SPOKES = 5  # of a wheel, so that its rotation is seen
Profile = Sequence[tuple[float, float]]


def box(length: float, width: float, height: float) -> TriangleMesh:
    """Return a box from the origin along x."""
    corners = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * (width / 2, height / 2)
    return extruded(corners, 0.0, length)


def beam(length: float, width: float, height: float, sides: int = ROUND) -> TriangleMesh:
    """Return a flat bar whose ends are round about the origin and about (length, 0, 0)."""
    turn = np.linspace(-pi / 2, pi / 2, sides // 2 + 1)
    end = width / 2 * np.column_stack([np.cos(turn), np.sin(turn)])
    outline = np.concatenate([end + np.array([length, 0.0]), -end])
    bar = extruded(outline, -height / 2, height / 2)  # along its own x, the height
    turned = [1, 2, 0]
    made = replace(bar, points=bar.points[:, turned], normals=bar.normals[:, turned])
    x = made.points[:, 0]
    shares = np.where(x >= length, 1.0, np.where(x > 0.0, 0.5, 0.0))
    return _with_shares(made, shares, length)


def sphere(diameter: float, sides: int = ROUND) -> TriangleMesh:
    """Return a sphere about the origin."""
    return ellipsoid(diameter, diameter, diameter, sides)


def ellipsoid(
    length: float, width: float, height: float, sides: int = ROUND
) -> TriangleMesh:
    """Return an ellipsoid about the origin."""
    turn = np.linspace(0.0, pi, sides // 2 + 1)
    ball = revolved([(-np.cos(a), np.sin(a)) for a in turn], sides)
    return ball.scaled(np.array([length, width, height]) / 2)


def cylinder(length: float, diameter: float, sides: int = ROUND) -> TriangleMesh:
    """Return a cylinder from the origin along x."""
    return cone(length, diameter, diameter, sides)


def cone(
    length: float, diameter: float, top: float = 0.0, sides: int = ROUND
) -> TriangleMesh:
    """Return a cone from the origin along x; `top` is its diameter at the far end."""
    a, b = diameter / 2, top / 2
    return revolved([(0.0, 0.0), (0.0, a), (length, b), (length, 0.0)], sides)


def pipe(length: float, diameter: float, inner: float, sides: int = ROUND) -> TriangleMesh:
    """Return a tube from the origin along x."""
    a, b = diameter / 2, inner / 2
    return revolved([(0.0, b), (0.0, a), (length, a), (length, b), (0.0, b)], sides)


def hose(rings: int, sides: int = ROUND) -> TriangleMesh:
    """Return the open side of a cylinder along x of length and diameter 1, in rings."""
    return revolved([(x, 0.5) for x in np.linspace(0.0, 1.0, rings + 1)], sides)


def torus(diameter: float, tube: float, sides: int = ROUND) -> TriangleMesh:
    """Return a ring about x; `diameter` is that of the circle in the middle of its tube."""
    turn = np.linspace(-pi, pi, max(sides // 2, 14) + 1)  # smooth: less than 30° apart
    middle, half = diameter / 2, tube / 2
    profile = [(half * np.sin(a), middle + half * np.cos(a)) for a in turn]
    return revolved(profile, sides)


def tyre(diameter: float, width: float, inner: float, sides: int = ROUND) -> TriangleMesh:
    """Return the tyre of a wheel about x, with round shoulders."""
    outer, rim, half = diameter / 2, min(inner, 0.98 * diameter) / 2, width / 2
    corner = 0.45 * min(width, outer - rim)
    turn = np.linspace(0.0, pi / 2, 9)
    right = [
        (half - corner * (1 - np.sin(a)), outer - corner * (1 - np.cos(a))) for a in turn
    ]
    left = [(-x, r) for x, r in reversed(right)]
    return revolved(
        [(-0.92 * half, rim), *left, *right, (0.92 * half, rim), (-0.92 * half, rim)], sides
    )


def rim(width: float, diameter: float, sides: int = ROUND) -> TriangleMesh:
    """Return rim, hub and spokes of a wheel about x; the tyre sits on its `diameter`."""
    half, r = width / 2, diameter / 2
    hub, thick = 0.2 * r, 0.4 * half

    def band(inner: float, outer: float, x: float) -> TriangleMesh:
        return revolved(
            [(-x, inner), (-x, outer), (x, outer), (x, inner), (-x, inner)], sides
        )

    bar = box(0.92 * r - 0.9 * hub, 2 * thick, 0.9 * hub)  # along x, turned to go outward
    spokes = []
    for angle in tau * np.arange(SPOKES) / SPOKES:
        c, s = cos(angle), sin(angle)
        R = np.array([[0.0, 1.0, 0.0], [c, 0.0, s], [s, 0.0, -c]])
        spokes.append(bar.moved(0.9 * hub * R[:, 0], R))
    return TriangleMesh.joined(
        [band(0.88 * r, r, 0.8 * half), band(0.4 * hub, hub, 1.4 * thick), *spokes]
    )


def arrow(
    length: float, diameter: float, double: bool = False, sides: int = ROUND
) -> TriangleMesh:
    """Return an arrow along x; a double one has two heads, one behind the other.

    A short one is slimmer: its heads are never longer than its shaft.
    """
    heads = 2 if double else 1
    diameter = min(diameter, HEADS * length / (heads * HEAD))
    head = HEAD * diameter
    r, wide = diameter / 2, WIDE * diameter / 2
    profile = [(0.0, 0.0), (0.0, r), (length - heads * head, r)]
    for k in range(heads, 0, -1):
        profile += [
            (length - k * head, wide),
            (length - (k - 1) * head, r if k > 1 else 0.0),
        ]
    made = revolved(profile, sides)
    return _with_shares(made, (made.points[:, 0] > 0.0).astype(float), length)


def coil(length: float, diameter: float, wire: float, coils: float) -> TriangleMesh:
    """Return a coil spring along x: straight ends on its axis, and coils between them."""
    turns = max(coils, 1.0)
    s = np.linspace(0.0, 1.0, round(PER_COIL * turns) + 1)
    grown = np.minimum(1.0, np.minimum(s, 1.0 - s) * turns / RISE)
    radius = max(diameter - wire, 0.0) / 2 * grown**2 * (3.0 - 2.0 * grown)
    end = min(0.12 * length, 0.5 * diameter)
    turn = tau * turns * s
    x = end + s * (length - 2 * end)
    curve = np.column_stack([x, radius * np.cos(turn), radius * np.sin(turn)])
    ends = np.array([[0.0, 0.0, 0.0], [length, 0.0, 0.0]])
    return tube(np.vstack([ends[:1], curve, ends[1:]]), wire, 10, np.r_[0.0, s, 1.0])


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


def tube(
    curve: np.ndarray,
    diameter: float,
    sides: int = 12,
    shares: np.ndarray | None = None,
) -> TriangleMesh:
    """Return a wire along a curve (n × 3), its ends closed; its points may have shares."""
    apart = np.r_[True, np.linalg.norm(np.diff(curve, axis=0), axis=1) > 0.0]
    curve, length = curve[apart], float(np.ptp(curve[:, 0]))
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
    whole = TriangleMesh.joined([wire, *ends])
    if shares is None:
        return whole
    along_wire = np.repeat(shares[apart], sides)
    own = np.r_[along_wire, along_wire[:sides], along_wire[-sides:]]
    return _with_shares(whole, own, length)


def _with_shares(mesh: TriangleMesh, shares: np.ndarray, length: float) -> TriangleMesh:
    """Return a mesh of this length [m] whose points keep their offsets when it is stretched."""
    points = mesh.points.copy()
    points[:, 0] -= length * shares
    return replace(mesh, points=points, shares=shares)


def _one(strips: Sequence[TriangleMesh]) -> TriangleMesh:
    """Return strips as one mesh, their patches numbered already."""
    whole = TriangleMesh.joined(strips)
    patches = np.concatenate([strip.patches for strip in strips])
    return replace(whole, patches=patches)


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
