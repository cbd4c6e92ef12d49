"""Meshes of shapes: closed, seen from outside, of the volume that the formula gives."""

from dataclasses import replace
from itertools import combinations
from math import pi

import numpy as np
import pytest

from motorik.view.scene import annotations, shapes, solids
from motorik.view.scene.forms import form_of
from motorik.view.scene.mesh import (
    TriangleMesh,
    face_vectors,
    find_edges,
    unit,
    weld,
)

ROUND = 0.02  # polygons for circles have this much less area, at most
FULL = (1.0, 1.0, 1.0)  # scale
HELIX = np.linspace(0.0, 12.0, 200)
CURVE = np.column_stack([HELIX, np.cos(HELIX), np.sin(HELIX)])

SOLIDS = {
    "box": (solids.box(1.0, 2.0, 3.0), 6.0),
    "beam": (solids.beam(1.0, 0.2, 0.1).scaled(FULL, 1.0), 0.02 + 0.1 * pi * 0.01),
    "sphere": (solids.sphere(1.0), pi / 6),
    "ellipsoid": (solids.ellipsoid(1.0, 2.0, 3.0), pi),
    "cylinder": (solids.cylinder(2.0, 1.0), pi / 2),
    "cone": (solids.cone(3.0, 2.0), pi),
    "frustum": (solids.cone(3.0, 2.0, 1.0), pi * (1 + 0.5 + 0.25)),
    "pipe": (solids.pipe(2.0, 1.0, 0.5), pi / 2 * 0.75),
    "torus": (solids.torus(1.0, 0.2), 2 * pi**2 * 0.5 * 0.01),
    "tyre": (solids.tyre(1.0, 0.3, 0.6), None),
    "rim": (solids.rim(0.3, 0.6), None),
    "gearwheel": (solids.gearwheel(0.1, 1.0, 0.0, 40), 0.1 * pi / 4),
    "internal gear": (
        solids.gear_ring(0.1, 1.2, 1.0 * (40 - 2) / 40, 40),
        0.1 * pi / 4 * (1.44 - 1.0),
    ),
    "gear ring": (solids.gearwheel(0.1, 1.0, 0.4, 40), 0.1 * pi / 4 * (1 - 0.16)),
    "tube": (solids.tube(CURVE, 0.1), 12.0 * 2**0.5 * pi * 0.0025),
    "arrow": (solids.arrow(1.0, 0.1).scaled(FULL, 1.0), None),
    "double arrow": (solids.arrow(1.0, 0.1, double=True).scaled(FULL, 1.0), None),
    "short arrow": (solids.arrow(0.01, 0.1).scaled(FULL, 0.01), None),
    "spring": (solids.coil(1.0, 0.3, 0.03, 6.0).scaled(FULL, 1.0), None),
}


def volume(mesh: TriangleMesh) -> float:
    """Return what a closed mesh encloses, by Gauss's theorem; positive seen from outside."""
    a, b, c = np.moveaxis(mesh.points[mesh.triangles], 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize("name", SOLIDS)
def test_a_solid_is_closed(name):
    mesh, _ = SOLIDS[name]
    _, _, faces = find_edges(weld(mesh.points), mesh.triangles)
    assert (faces == 2).all()


@pytest.mark.parametrize("name", SOLIDS)
def test_a_solid_has_the_volume_of_its_formula(name):
    mesh, expected = SOLIDS[name]
    if expected is None:
        assert volume(mesh) > 0.0
    else:
        assert volume(mesh) == pytest.approx(expected, rel=4 * ROUND)


@pytest.mark.parametrize("name", SOLIDS)
def test_normals_point_outward_and_have_length_one(name):
    mesh, _ = SOLIDS[name]
    flat = unit(face_vectors(mesh.points, mesh.triangles))
    cosines = np.einsum("ij,ikj->ik", flat, mesh.normals[mesh.triangles])
    # the wire of a spring may fold where it leaves the axis, in a few faces
    folded = (cosines < 0.55).any(axis=1).mean()
    assert folded <= (0.01 if name == "spring" else 0.0)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-12)


def test_patches_end_at_sharp_edges():
    counts = {"box": 6, "cylinder": 3, "sphere": 1, "cone": 2, "pipe": 4, "torus": 1}
    for name, count in counts.items():
        assert len(np.unique(SOLIDS[name][0].patches)) == count
    _, _, sharp = SOLIDS["box"][0].edges
    assert sharp.sum() == 12


def test_bare_triangles_become_the_same_solid():
    own = solids.cylinder(2.0, 1.0)
    made = TriangleMesh.of_faces(own.points, own.triangles)
    assert volume(made) == pytest.approx(volume(own), rel=1e-12)
    assert len(np.unique(made.patches)) == 3
    of_side = np.abs(made.normals[:, 0]) < 0.5
    np.testing.assert_allclose(made.normals[of_side, 0], 0.0, atol=1e-9)


def test_a_moved_mesh_keeps_its_form():
    R = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    moved = solids.box(1.0, 2.0, 3.0).moved(np.array([5.0, 0.0, 0.0]), R)
    np.testing.assert_allclose(moved.points.max(axis=0), [6.0, 1.0, 1.5])
    assert volume(moved) == pytest.approx(6.0)


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("length", [1e-3, 0.02, 0.1, 1.0, 10.0])
def test_the_heads_of_an_arrow_are_shorter_than_its_shaft(length, double):
    (piece,) = form_of(
        annotations.ArrowAnnotation(diameter=0.05, double=double), length
    ).pieces
    points = piece.solid.points
    assert np.ptp(points[:, 0]) == pytest.approx(length)
    radius = np.hypot(points[:, 1], points[:, 2])
    shaft = radius[points[:, 0] == 0.0].max()
    neck = points[(radius > 1.01 * shaft), 0].min()
    assert neck >= 0.5 * length
    assert 2 * radius.max() < 0.5 * length


@pytest.mark.parametrize("sides", [16, 20, 28])
def test_few_sides_are_smooth_as_well(sides):
    """Round surfaces have no edges between their sides."""
    for shape, count in (
        (shapes.Sphere(diameter=1.0), 1),
        (shapes.TorusShape(diameter=1.0, tube=0.2), 1),
        (shapes.CylinderShape(length=1.0, diameter=1.0), 3),
        (shapes.Beam(length=2.0, width=0.2, height=0.1), 3),
    ):
        (piece,) = form_of(shape, 1.0, sides).pieces
        assert len(np.unique(piece.solid.patches)) == count


STRETCHED = [
    shapes.BoxShape(width=0.1, height=0.2),
    shapes.Beam(width=0.1, height=0.2),
    shapes.CylinderShape(diameter=0.1),
    shapes.Cone(diameter=0.1, top=0.5),
    shapes.Pipe(diameter=0.1, inner=0.05),
    shapes.Gearwheel(diameter=0.1, teeth=12),
    shapes.SpringShape(diameter=0.1, wire=0.01),
    shapes.DamperShape(diameter=0.1, lengths=(0.5, 0.7)),
    annotations.ArrowAnnotation(diameter=0.01),
]


@pytest.mark.parametrize("shape", STRETCHED, ids=lambda shape: shape.kind)
def test_a_stretched_mesh_is_the_mesh_of_that_length(shape):
    """Pages stretch the mesh of one length by its shares; pictures mesh every length."""
    short, long = (form_of(shape, length).pieces for length in (1.0, 1.2))
    for a, b in zip(short, long, strict=True):
        shares = a.mesh.points[:, 0] if a.mesh.shares is None else a.mesh.shares
        offset = 0.0 if a.mesh.shares is None else a.scale[0] * a.mesh.points[:, 0]
        y_and_z = a.solid.points[:, 1:]
        stretched = np.column_stack([1.2 * shares + offset, y_and_z])
        made = b.solid.points
        if shape.kind == "spring":  # sections of the wire are turned within themselves
            stretched, made = (x.reshape(-1, 10, 3).mean(axis=1) for x in (stretched, made))
        np.testing.assert_allclose(stretched, made, atol=1e-12)


SHAPES = [
    shapes.BoxShape(length=1.0, width=1.0, height=1.0),
    shapes.Beam(length=1.0, width=1.0, height=1.0),
    shapes.Sphere(diameter=1.0),
    shapes.Ellipsoid(length=1.0, width=1.0, height=1.0),
    shapes.CylinderShape(length=1.0, diameter=1.0),
    shapes.Cone(length=1.0, diameter=1.0),
    shapes.Pipe(length=1.0, diameter=1.0, inner=0.5),
    shapes.Gearwheel(length=1.0, diameter=1.0),
    shapes.SpringShape(length=1.0, diameter=1.0, wire=0.1),
    shapes.DamperShape(length=1.0, diameter=1.0, lengths=(0.5, 0.5)),
    shapes.TorusShape(diameter=1.0, tube=0.1),
    shapes.Wheel(diameter=1.0, width=0.1),
    annotations.ArrowAnnotation(length=1.0, diameter=0.1),
    annotations.Axes(size=1.0, labels=True),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_sizes_may_be_zero(shape):
    """0 is an allowed size, of any shape and of several sizes at once: nothing is divided by it."""
    names = [name for name in shape.sizes() if name not in ("teeth", "coils", "top")]
    several = [c for k in range(len(names)) for c in combinations(names, k + 1)]
    with np.errstate(all="raise"):
        for chosen in several:
            flat = replace(shape, **dict.fromkeys(chosen, 0.0))
            form = form_of(flat, getattr(flat, "length", None) or 0.0)
            for mesh, _ in form.meshes:
                assert np.isfinite(mesh.points).all() and np.isfinite(mesh.normals).all()
                assert len(mesh.edges) == 3
