"""Options of drawing that the examples of the catalogue do not show."""

import warnings

import pytest

import motorik as mk
from motorik import assemblies, forces, joints, planar, visualizers
from motorik.components.base import visual
from motorik.components.base.visual_kinds import (
    Size,
)
from motorik.components.base.visual_options import CylinderVisual, WorldVisual
from tests.view.visual_options import TETRAHEDRON, silent_options


@pytest.fixture(autouse=True)
def mesh(tmp_path, monkeypatch):
    (tmp_path / "tetrahedron.obj").write_text(TETRAHEDRON)
    monkeypatch.chdir(tmp_path)
    warnings.simplefilter("ignore")


class Everything(mk.Model):
    """Parts whose sizes follow from those of the world."""

    def build(self):
        self.world = mk.World()
        self.joint = mk.Revolute(n="z")
        self.body = mk.Body(m=1.0, r_CM=(0.5, 0.0, 0.0))
        self.damper = forces.Damper(d=1.0, s_small=1e-3)  # its ends are at the same place
        self.spring = forces.Spring(c=1.0, m=0.1)
        self.cut = mk.sensors.CutForceAndTorque()
        self.frame = visualizers.FixedFrame()
        self.world.frame_b >> self.joint.frame_a
        self.joint.frame_b >> self.cut.frame_a
        self.cut.frame_b >> self.body.frame_a
        self.world.frame_b >> self.damper.frame_a
        self.damper.frame_b >> self.body.frame_a
        self.world.frame_b >> self.spring.frame_a
        self.spring.frame_b >> self.body.frame_a
        self.body.frame_a >> self.frame.frame_a


def made_by(make):
    """Return a model of one part between the world and a free body, and the part."""
    model = mk.Model()
    model.world, model.part = mk.World(), make()
    model.body = mk.Body(m=1.0, r_CM=(0.0, 0.0, 0.1), r_0=(1.0, 0.0, 0.0))
    model.connect(model.world.frame_b, model.part.frame_a)
    model.connect(model.part.frame_b, model.body.frame_a)
    return model, model.part


def planar_body():
    model = planar.Model()
    model.ground = planar.Ground()
    model.part = planar.Body(m=1.0, I=0.1, ports={"A": (0.5, 0.0)})
    model.joint = planar.Revolute()
    model.connect(model.ground.frame_b, model.joint.frame_a)
    model.connect(model.joint.frame_b, model.part.A)
    return model, model.part


def point_gravity():
    model = mk.Model()
    model.world = mk.World(gravityType="PointGravity", mu=1.0)
    model.body = mk.Body(m=1.0, r_0=(1.0, 0.0, 0.0))
    return model, model.world


def world_of_everything():
    model = Everything()
    return model, model.world


MASS = ("showMass", "massDiameter", "massColor")
SPECIAL = {  # parts whose example does not show what these options are about
    "rod with mass": (lambda: made_by(lambda: joints.SphericalSpherical(m=0.1)), MASS),
    "spring with mass": (lambda: made_by(lambda: forces.Spring(c=1.0, m=0.1)), MASS),
    "body with ports": (planar_body, ("cylinderDiameter", "cylinderColor")),
    "point gravity": (point_gravity, ("gravitySphereDiameter", "gravitySphereColor")),
    "sizes of the world": (
        world_of_everything,
        tuple(n for n in WorldVisual.own_options if n.startswith("default")),
    ),
}
ELSEWHERE = {  # options that are looked at in SPECIAL
    joints.SphericalSpherical: MASS,
    forces.Spring: MASS,
    planar.Body: SPECIAL["body with ports"][1],
    mk.World: SPECIAL["point gravity"][1] + SPECIAL["sizes of the world"][1],
    planar.Ground: SPECIAL["point gravity"][1] + SPECIAL["sizes of the world"][1],
    assemblies.JointRPP: ("rodColor",),  # their example has rods without length
    assemblies.JointRPR: ("rodColor",),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_options_of_what_examples_do_not_show(name):
    make, names = SPECIAL[name]
    model, part = make()
    assert not silent_options(model, part, names)


def test_the_law_can_fail(monkeypatch):
    monkeypatch.setattr(CylinderVisual, "own_options", {"boxWidth": Size})
    monkeypatch.setattr(visual, "_known", {})
    model = Everything()
    assert silent_options(model, model.joint, ["boxWidth"]) == ["boxWidth"]


def test_a_model_passes_its_options_on():
    model = Everything()
    model.visual = {"color": "red", "opacity": 0.5}
    model.body.color = "green"
    shapes = model.scene().shapes_of
    assert {shape.color for shape in shapes("damper")} == {mk.Body(color="red").color}
    assert {shape.color for shape in shapes("body")} == {mk.Body(color="green").color}
    assert {shape.opacity for shape in shapes("body")} == {0.5}
