"""Scenes of MOBILE's programs: frames are rigid groups, shapes ride on them."""

import numpy as np
import pytest

from motorik.algebra import Vector, X
from motorik.errors import ParameterError
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    ElementaryJoint,
    Frame,
    MapChain,
    MassElement,
    MechanicalSystem,
    RigidLink,
)
from motorik.view.chains.scene import Scene
from motorik.view.scene import SceneSpan, read_scene, scene_of
from motorik.view.scene.place import turned


def make_chain():
    K0, K1, K2 = Frame("K0"), Frame("K1"), Frame("K2")
    phi = AngularVariable("phi", q=0.3)
    joint = ElementaryJoint(K0, K1, phi, X)
    rod = RigidLink(K1, K2, Vector(0, 0, -1.0))
    tip = MassElement(K2, 2.0)
    chain = MapChain() << joint << rod << tip
    chain.motion()
    return chain, phi, (K0, K1, K2), joint, rod


def end_of(scene, kind):
    """Return where the far end of the first spanning shape of a kind is in the world."""
    shape = next(s for s in scene.shapes if s.kind == kind and isinstance(s.at, SceneSpan))
    pose = scene.start[shape.at.end.group - 1]
    return pose[:3] + turned(pose[3:], np.array(shape.at.end.r))


def test_a_chain_is_shown_where_it_is():
    chain, phi, *_ = make_chain()
    for q in (0.3, 1.2):
        phi.q = q
        chain.motion()
        scene = Scene(chain).scene()
        tip = np.array([0.0, np.sin(q), -np.cos(q)])
        assert np.abs(end_of(scene, "cylinder") - tip).max() < 1e-15
        assert {"cylinder", "torus", "sphere"} <= {shape.kind for shape in scene.shapes}
        assert read_scene(scene.text()).text() == scene.text()


def test_only_what_is_named_is_shown():
    chain, _, _, joint, rod = make_chain()
    viewer = Scene(chain, everything=False)
    viewer.make_shape(joint, rod)
    scene = viewer.scene()
    assert [part.type for part in scene.parts] == ["ElementaryJoint", "RigidLink"]
    assert scene.groups == ("world", "K0", "K1", "K2")


def test_a_run_of_a_system_is_a_scene_over_time():
    chain, phi, (K0, *_), *_ = make_chain()
    system = MechanicalSystem([phi], chain, K0, Vector(0, 0, -9.81))
    result = AdamsIntegrator(system, 0.05).run(0.5)
    scene = scene_of(result)
    run = scene.runs[0]
    angles = result[result.state_names[0]]
    tip = run.poses[:, scene.groups.index("K2") - 1, :3]
    assert np.abs(tip[:, 1] - np.sin(angles)).max() < 1e-12
    assert scene.channels[0].name == result.state_names[0]
    assert np.array_equal(run.values, result.states)


def test_a_mesh_that_is_not_there_is_named():
    chain, _, (_, _, K2), *_ = make_chain()
    with pytest.raises(ParameterError, match=r"there is no mesh 'ball\.stl'"):
        Scene(chain).make_shape(K2, "ball.stl")


def test_what_is_no_chain_is_refused():
    with pytest.raises(ParameterError, match="chain = 3 is no element"):
        Scene(3)
