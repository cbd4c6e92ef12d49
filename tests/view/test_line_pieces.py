"""Drive lines on line forces: their parts lie along the line, in order, and stretch with it."""

import numpy as np
import pytest

import motorik as mk
from motorik import forces, translational
from motorik.view.render.scene_content import BodyPoses, SceneContent
from motorik.view.render.shot import between
from motorik.view.scene import SceneSpan


class Strut(mk.Model):
    """An arm held by a line of a spring, a mass, and a spring beside a damper."""

    def build(self):
        self.world, self.joint = mk.World(), mk.Revolute(n="z", phi=-0.6)
        self.arm = mk.BodyBox(r=(1.0, 0.0, 0.0), width=0.08)
        self.mount = mk.Fixed(r=(0.2, 0.9, 0.0))
        self.force = forces.LineForceWithMass()
        self.first = translational.SpringDamper(c=300.0, d=3.0, s_rel0=0.5)
        self.mass = translational.Mass(m=0.3)
        self.second = translational.Spring(c=800.0, s_rel0=0.6)
        self.beside = translational.Damper(d=20.0)
        self.world.frame_b >> self.joint.frame_a
        self.joint.frame_b >> self.arm.frame_a
        self.mount.frame_b >> self.force.frame_a
        self.force.frame_b >> self.arm.frame_b
        self.force.flange_a >> self.first.flange_a
        self.first.flange_b >> self.mass.flange_a
        for part in (self.second, self.beside):
            self.mass.flange_b >> part.flange_a
            part.flange_b >> self.force.flange_b


@pytest.fixture(scope="module")
def scene():
    return Strut().simulate(0.3, output=20).scene()


def shares(scene, path):
    found = [shape.at for shape in scene.shapes_of(path)]
    assert all(isinstance(at, SceneSpan) for at in found)
    return min(at.share[0] for at in found), max(at.share[1] for at in found)


def test_parts_lie_in_order_along_the_line(scene):
    third = pytest.approx(1 / 3), pytest.approx(2 / 3)
    assert shares(scene, "first") == (0.0, third[0])
    assert shares(scene, "mass") == third
    assert shares(scene, "second") == shares(scene, "beside") == (third[1], 1.0)
    assert not scene.shapes_of("force")  # its line is full


def test_nothing_stands_far_away(scene):
    size = np.ptp([scene.low, scene.high], axis=0).max()
    assert size < 3.0  # of an arm of 1 m that turns


def test_pictures_draw_pieces_where_they_are(scene):
    run = scene.runs[0]
    poses = BodyPoses.of(between(run, 0.2)[0])
    (box,) = (shape for shape in scene.shapes_of("mass") if shape.kind == "box")
    form, r, R = SceneContent(scene, ["parts"])._placed(box, poses, None)
    a = poses.point(box.at.begin.group, box.at.begin.r)
    b = poses.point(box.at.end.group, box.at.end.r)
    first, last = box.at.share
    assert r == pytest.approx(a + first * (b - a))
    points = r + form.meshes[0][0].points @ R.T
    along = (points - a) @ (b - a) / ((b - a) @ (b - a))
    assert (along.min(), along.max()) == (pytest.approx(first), pytest.approx(last))
