"""Scenes of models that fail, names that try to inject, and shapes that stay attached."""

import json

import numpy as np
import pytest

import motorik as mk
from motorik import gallery, rotational, translational
from motorik.errors import FileFormatError, ParameterError
from motorik.view.scene import (
    ScenePose,
    SceneSpan,
    read_scene,
    read_shape,
    scene_of,
)
from motorik.view.scene.place import turned
from motorik.view.scene.shapes import BoxShape


def four_bar(length):
    """Return a four-bar whose rod is `length` long."""
    model = mk.Model()
    model.world = mk.World()
    names = ("a", "b", "c", "d")
    for name in names:
        setattr(model, name, mk.Revolute(n="z", phi=mk.guess(0.3)))
    model.crank = mk.BodyBox(r=(0.2, 0, 0), width=0.02)
    model.rod = mk.BodyBox(r=(length, 0, 0), width=0.02)
    model.rocker = mk.BodyBox(r=(0.3, 0, 0), width=0.02)
    model.base = mk.FixedTranslation(r=(0.5, 0, 0))
    chain = [
        (model.world.frame_b, model.a.frame_a),
        (model.a.frame_b, model.crank.frame_a),
        (model.crank.frame_b, model.b.frame_a),
        (model.b.frame_b, model.rod.frame_a),
        (model.rod.frame_b, model.c.frame_a),
        (model.c.frame_b, model.rocker.frame_a),
        (model.rocker.frame_b, model.d.frame_a),
        (model.d.frame_b, model.base.frame_b),
        (model.base.frame_a, model.world.frame_b),
    ]
    for one, other in chain:
        model.connect(one, other)
    return model


@pytest.mark.slow
def test_a_loop_that_cannot_close_is_shown_open_with_the_error():
    model = four_bar(5.0)
    with pytest.raises(mk.MotorikError) as caught:
        model.simulate(0.1)
    scene = model.scene()
    noted = [part for part in scene.parts if part.note]
    assert noted and noted[0].note == str(caught.value)
    texts = [shape for shape in scene.shapes if shape.kind == "text"]
    assert texts and texts[0].role == "error"
    assert scene.shapes_of("rod")[0].length == pytest.approx(5.0)
    # the crank is where its start value puts it
    crank = scene.shapes_of("crank")[0]
    e_x = turned(np.array(crank.at.q), np.array([1.0, 0.0, 0.0]))
    assert np.allclose(e_x, (np.cos(0.3), np.sin(0.3), 0.0))


@pytest.mark.kinds(2)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_fixed_stays_where_it_is_fixed_in_a_loop_that_cannot_close(seed):
    rng = np.random.default_rng(seed)
    lengths, far = rng.uniform(0.2, 0.6, 2), float(rng.uniform(1.5, 3.0))
    model = mk.Model()
    model.world, model.far = mk.World(), mk.Fixed(r=(far, 0, 0))
    at = model.world.frame_b
    for k, length in enumerate(lengths):
        joint = mk.Revolute(n="z", phi=mk.guess(float(rng.uniform(-1, 1))))
        link = mk.BodyBox(r=(float(length), 0, 0), width=0.02)
        setattr(model, f"joint{k}", joint)
        setattr(model, f"link{k}", link)
        model.connect(at, joint.frame_a)
        model.connect(joint.frame_b, link.frame_a)
        at = link.frame_b
    if seed % 2:
        model.last = mk.Revolute(n="z")
        model.connect(at, model.last.frame_a)
        model.connect(model.last.frame_b, model.far.frame_b)
    else:
        model.last = mk.joints.SphericalSpherical(rodLength=0.3)
        model.connect(at, model.last.frame_a)
        model.connect(model.last.frame_b, model.far.frame_b)
    scene = model.scene()
    assert any(part.note for part in scene.parts)
    sign = next(shape for shape in scene.shapes_of("far") if shape.kind == "frame")
    assert np.allclose(sign.at.r, (far, 0.0, 0.0))
    (line,) = (s for s in scene.shapes if s.kind == "line" and s.role == "error")
    begin, end = map(np.array, line.points)
    assert np.allclose(end, (far, 0.0, 0.0))
    reach = lengths.sum() + (0.0 if seed % 2 else 0.3)
    assert np.linalg.norm(begin) <= reach + 1e-9  # what is rigid is not stretched
    assert np.linalg.norm(end - begin) >= far - reach - 1e-9
    for shape in scene.shapes_of("last"):
        if isinstance(shape.at, SceneSpan):
            ends = np.array(shape.at.begin.r), np.array(shape.at.end.r)
            assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(0.3)


def test_a_model_that_is_wired_wrongly_is_shown():
    model = mk.Model()
    model.world, model.body, model.loose = mk.World(), mk.Body(), mk.FixedTranslation()
    model.world.frame_b >> model.body.frame_a
    model.bad = mk.Revolute()
    model.body.frame_a >> model.bad.frame_a  # its far frame carries nothing
    scene = model.scene()
    assert any(part.note for part in scene.parts)
    assert scene.shapes_of("body")
    assert json.loads(scene.text())["runs"] == []


def test_a_model_that_works_has_no_notes():
    scene = four_bar(0.55).scene()
    assert not any(part.note for part in scene.parts)


EVIL = "x</script><script>alert(1)</script>\u2028&\"'"


def test_names_and_texts_cannot_leave_the_json():
    model = gallery.Pendulum()
    model.note = mk.visualizers.FixedText(text=EVIL)
    model.world.frame_b >> model.note.frame_a
    text = model.scene().text()
    for character in "<>&\u2028\u2029":
        assert character not in text
    (shape,) = (s for s in read_scene(text).shapes if s.kind == "text" and s.part)
    assert shape.text == EVIL


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.update(version=99),
        lambda data: data.update(shapes=[{"kind": "teapot"}]),
        lambda data: data["start"].update(data="!!!"),
        lambda data: data["start"].update(shape=[1 << 40, 7]),
        lambda data: data.pop("parts"),
        lambda data: data["shapes"][0].update(layer="basement"),
    ],
)
def test_damaged_scenes_are_refused(damage):
    data = json.loads(gallery.Pendulum().scene().text())
    damage(data)
    with pytest.raises((FileFormatError, ParameterError)):
        read_scene(data)


def test_sizes_and_roles_of_shapes_are_checked():
    with pytest.raises(ParameterError, match=r"width = -1\.0 is not a size"):
        BoxShape(length=1.0, width=-1.0, height=1.0)
    with pytest.raises(ParameterError, match="no role"):
        BoxShape(length=1.0, width=1.0, height=1.0, role="boddy")
    box = BoxShape(at=ScenePose(2, (1.0, 2.0, 3.0)), length=1.0, width=2.0, height=3.0)
    assert read_shape(box.to_json()) == box


def test_discs_of_a_drive_line_turn_with_their_shafts():
    model = mk.Model()
    model.drive = rotational.ConstantSpeed(w_fixed=2.0)
    model.gear = rotational.IdealGear(ratio=4.0)
    model.wheel = rotational.Inertia(J=1.0)
    model.drive.flange >> model.gear.flange_a
    model.gear.flange_b >> model.wheel.flange_a
    result = model.simulate(1.0, output=10)
    scene = scene_of(result)
    disc = next(s for s in scene.shapes_of("wheel") if s.role == "mass")
    poses = scene.runs[0].poses[:, disc.at.group - 1]
    y = turned(poses[:, 3:], np.array([0.0, 1.0, 0.0]))
    phi = result["wheel.phi"]
    assert np.allclose(y[:, 1], np.cos(phi), atol=1e-9)
    assert np.allclose(y[:, 2], np.sin(phi), atol=1e-9)


def test_masses_of_a_line_slide_by_what_they_move():
    model = mk.Model()
    model.wall = translational.Fixed()
    model.spring = translational.Spring(c=100.0, s_rel0=0.5)
    model.mass = translational.Mass(m=1.0, s=0.7, v=0.0)
    model.wall.flange >> model.spring.flange_a
    model.spring.flange_b >> model.mass.flange_a
    result = model.simulate(0.5, output=20)
    scene = scene_of(result)
    block = next(s for s in scene.shapes_of("mass") if s.kind == "box")
    x = scene.runs[0].poses[:, block.at.group - 1, 0]
    s = result["mass.s"]
    assert np.allclose(x - x[0], s - s[0], atol=1e-12)
    coil = next(s for s in scene.shapes_of("spring") if s.kind == "spring")
    assert isinstance(coil.at, SceneSpan)


def test_traces_and_several_runs():
    model = gallery.Pendulum()
    first, second = model.simulate(0.2), model.simulate(0.4)
    scene = first.scene(second, trace="body.r_CM_0")
    assert len(scene.runs) == 2 and scene.runs[0].traces[0].name == "body.r_CM_0"
    trace, run = scene.runs[0].traces[0], scene.runs[0]
    pose = run.poses[:, trace.group - 1]
    way = pose[:, :3] + turned(pose[:, 3:], np.array(trace.r))
    assert np.allclose(way, first["body.r_CM_0"], atol=1e-12)
    with pytest.raises(mk.UnknownNameError, match="has no path"):
        first.scene(trace="body.m")


def test_force_arrows_have_the_scale_of_the_run():
    model = mk.Model()
    model.world, model.body = mk.World(), mk.PointMass(m=2.0)
    model.push = mk.forces.WorldForce()
    model.force = [mk.blocks.Constant(k=k) for k in (3.0, 4.0, 0.0)]
    model.connect(model.body.frame_a, model.push.frame_b)
    for block, port in zip(model.force, model.push.force, strict=True):
        model.connect(block.y, port)
    scene = model.simulate(0.1, output=5).scene()
    arrow = next(s for s in scene.shapes_of("push") if s.kind == "arrow")
    values = scene.runs[0].values[:, list(arrow.vector.channels)]
    assert np.allclose(values, (3.0, 4.0, 0.0))
    assert arrow.vector.scale > 0.0
    model.push.N_to_m = 50.0
    arrow = next(s for s in model.scene().shapes_of("push") if s.kind == "arrow")
    assert arrow.vector.scale == pytest.approx(1 / 50.0)


def test_a_model_in_space_is_not_taken_for_a_plane_one():
    assert gallery.Pendulum().scene().plane == (0.0, 0.0, 1.0)
    assert gallery.SpinningWheel().scene().plane is None
    assert gallery.PlanarFourbar().scene().plane == (0.0, 0.0, 1.0)
