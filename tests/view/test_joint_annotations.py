"""Signs of joints stick out of the bodies next to them, whatever their sizes."""

import numpy as np
import pytest

import motorik as mk
from motorik import constraints, joints, planar
from motorik.view.render.scene_content import along_x, rotations
from motorik.view.scene.forms import form_of
from motorik.view.scene.place import SceneSpan
from motorik.view.scene.shapes import CylinderShape
from motorik.view.scene_builder.build import SceneBuilder
from motorik.view.scene_builder.places import LoosePlaces

AXES = ("x", "y", "z")
OTHER = {"x": "y", "y": "z", "z": "x"}
JOINTS = {
    **{f"{kind}_{n}": (getattr(joints, kind), {"n": n})
       for kind in ("Revolute", "Prismatic", "Screw", "Cylindrical", "Planar") for n in AXES
       if (kind, n) != ("Planar", "x")},
    **{f"Universal_{n}": (joints.Universal, {"n_a": n, "n_b": OTHER[n]}) for n in AXES},
    "Planar_x": (joints.Planar, {"n": "x", "n_x": "y"}),
    "Spherical": (joints.Spherical, {}),
    "SphericalSpherical": (joints.SphericalSpherical, {}),
    "UniversalSpherical": (joints.UniversalSpherical, {"rRod_ia": (0.5, 0.0, 0.0)}),
    "GearConstraint": (joints.GearConstraint, {"ratio": 2.0}),
    "SphericalConstraint": (constraints.SphericalConstraint, {}),
    "PrismaticConstraint": (constraints.PrismaticConstraint, {"x_locked": False}),
    "RevoluteConstraint": (constraints.RevoluteConstraint, {"n": "z"}),
    "UniversalConstraint": (constraints.UniversalConstraint, {}),
    "RevolutePlanarLoopConstraint": (constraints.RevolutePlanarLoopConstraint, {"n": "z"}),
    "planar.Revolute": (planar.Revolute, {}),
    "planar.Translational": (planar.Translational, {}),
    "planar.Weld": (planar.Weld, {}),
    "planar.Slot": (planar.Slot, {}),
    "planar.Parallel": (planar.Parallel, {}),
    "Rotor1D": (mk.parts.Rotor1D, {"n": "x"}),
}  # fmt: skip
BODIES = {  # the box of each in its own frame [m]
    "thin": (lambda: mk.BodyBox(r=(0.5, 0, 0), width=0.01), (0, 0.5), 0.005, 0.005),
    "usual": (lambda: mk.BodyBox(r=(0.3, 0, 0), width=0.05), (0, 0.3), 0.025, 0.025),
    "thick": (lambda: mk.BodyBox(r=(0.3, 0, 0), width=0.4), (0, 0.3), 0.2, 0.2),
    "flat": (
        lambda: mk.BodyBox(r=(0.3, 0, 0), width=0.2, height=0.01),
        (0, 0.3),
        0.1,
        0.005,
    ),
    "disc": (lambda: mk.BodyCylinder(r=(0.02, 0, 0), diameter=0.5), (0, 0.02), 0.25, 0.25),
    "both ways": (
        lambda: mk.BodyBox(r=(0.3, 0, 0), r_shape=(-0.3, 0, 0), width=0.08),
        (-0.3, 0.3),
        0.04,
        0.04,
    ),
}


def points_of(shape):
    """Return points on the surface of a shape, in the world."""
    if isinstance(shape.at, SceneSpan):
        begin, end = (np.array(one.r) for one in (shape.at.begin, shape.at.end))
        length = float(np.linalg.norm(end - begin))
        if length == 0.0:
            return np.zeros((0, 3))
        r, R = begin, along_x((end - begin) / length)
    else:
        length = getattr(shape, "length", None) or 0.0
        r, R = np.array(shape.at.r), rotations(np.array([shape.at.q]))[0]
    meshes = [mesh for mesh, _ in form_of(shape, length).meshes]
    points = np.concatenate([mesh.points[mesh.triangles].reshape(-1, 3) for mesh in meshes])
    return r + points @ R.T


def outside(points, box):
    """Return how far points are outside of a box [m]; negative within."""
    (low, high), y, z = box
    half = np.array([(high - low) / 2, y, z])
    return (np.abs(points - ((low + high) / 2, 0.0, 0.0)) - half).max(axis=1)


@pytest.mark.kinds(30)
@pytest.mark.slow
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("name", JOINTS)
def test_the_sign_of_a_joint_sticks_out_of_its_body(name, body):
    kind, given = JOINTS[name]
    make, *box = BODIES[body]
    model = mk.Model()
    model.world, model.joint, model.body = mk.World(), kind(**given), make()
    if kind is mk.parts.Rotor1D:
        model.connect(model.world.frame_b, model.body.frame_a)
        model.connect(model.world.frame_b, model.joint.frame_a)
    else:
        model.connect(model.world.frame_b, model.joint.frame_a)
        model.connect(model.joint.frame_b, model.body.frame_a)
    places = LoosePlaces(model)
    own = np.array(places.place(model.body.frame_a).r)
    scene = SceneBuilder(model, places, None).scene(())
    signs = [
        s
        for s in scene.shapes_of("joint")
        if s.role in ("joint", "mass") and s.kind != "line"
    ]
    assert signs
    size = max(np.ptp(points_of(s), axis=0).max() for s in signs if len(points_of(s)))
    far = np.concatenate([outside(points_of(s) - own, box) for s in signs])
    assert far.max() > 0.01 * size
    assert (far > 0.0).mean() > 0.05
    if "Universal" in name and kind is not joints.UniversalSpherical:
        for arm in (s for s in signs if isinstance(s, CylinderShape)):
            assert outside(points_of(arm) - own, box).max() > 0.01 * size
