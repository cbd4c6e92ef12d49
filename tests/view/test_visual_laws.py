"""Every option of drawing that a part takes changes its picture, or is refused by name."""

import json
import warnings

import pytest

import motorik as mk
from motorik import assemblies, forces, joints, planar, visualizers
from motorik.components.base import visual
from motorik.components.base.declarations import PortSpec
from motorik.components.base.ports import PortKind
from motorik.components.base.visual import set_visual, visual_names
from motorik.components.base.visual_kinds import (
    AnyNumber,
    Color,
    Direction,
    FileName,
    LongShape,
    Positive,
    ShapeName,
    Share,
    Size,
    Switch,
)
from motorik.components.base.visual_options import CylinderVisual, WorldVisual
from motorik.initialisation.initialise import initialise
from motorik.view.scene_builder.build import SceneBuilder
from motorik.view.scene_builder.places import MechanismPlaces
from scripts.make_catalogue import WINDOWS, examples_of, public_parts

PARTS = [(window, name) for window in WINDOWS for name in public_parts(window)]
VALUES = {  # of each kind of option, one that no part has by itself
    Switch: (True, False),
    Size: (0.0371,),
    Share: (0.31,),
    Positive: (0.43,),
    AnyNumber: (0.37, 3.0),
    Color: ((0.9, 0.1, 0.7),),
    Direction: ((0.3, 0.5, 0.81),),
    ShapeName: ("cone",),
    LongShape: ("cone",),
    FileName: ("tetrahedron.obj",),
}
NEEDED = {  # what else must be chosen, so that an option has a meaning
    "meshScale": {"mesh": "tetrahedron.obj"},
    "r_mesh": {"mesh": "tetrahedron.obj"},
    "rodHeight": {"rodShapeType": "box"},
    "rodExtra": {"rodShapeType": "pipe"},
    "groundLength_u": {"animateGround": True},
    "groundLength_v": {"animateGround": True},
    "groundAxis_u": {"animateGround": True},
    "groundColor": {"animateGround": True},
}
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


def painter(model):
    """Return a function that gives the shapes of a model as they are chosen now."""
    system = model.compile()
    found = initialise(system, {}, system.parameter_values())
    poses = found.system.poses(found.t, found.X, found.p).reshape(-1, 7)
    places = MechanismPlaces.of(found.system, found.p, poses)

    def shapes():
        maker = SceneBuilder(model, places, found.system)
        return json.dumps([shape.to_json() for shape in maker.found.shapes])

    return shapes


def silent_options(model, part, names=None):
    """Return the options of a part that change nothing of its picture."""
    known, shapes = visual_names(type(part)), painter(model)
    found, plain = [], shapes()
    for name in names or [n for n in known if n not in type(part).specs]:
        needed = {n: v for n, v in NEEDED.get(name, {}).items() if n in known}
        for other, value in needed.items():
            set_visual(part, other, value)
        before, changed = shapes() if needed else plain, False
        for value in VALUES[known[name]]:
            if not changed:
                set_visual(part, name, value)
                changed = shapes() != before
        for own in (name, *needed):
            set_visual(part, own, None)
        if not changed:
            found.append(name)
    return found


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


@pytest.fixture(params=PARTS, ids=[".".join(part) for part in PARTS])
def example(request):
    """A model with a part of the catalogue, and the class of the part."""
    window, name = request.param
    return getattr(examples_of(window), name)(), public_parts(window)[name]


@pytest.mark.slow
def test_every_part_is_seen_and_every_option_changes_its_picture(example):
    model, kind = example
    check_seen(model, kind)
    part = next(part for part in model.walk() if type(part) is kind)
    if not visual_names(kind):
        assert kind.__module__.startswith("motorik.components.blocks")
        with pytest.raises(mk.UnknownNameError, match="color"):
            part.visual = {"color": "red"}
        return
    assert set(silent_options(model, part)) <= set(ELSEWHERE.get(kind, ()))


def check_seen(model, kind):
    """Refuse a scene that does not show, or at least list, all parts of a class."""
    scene = model.scene()
    numbers = {shape.part for shape in scene.shapes}
    shown = {part.path for number, part in enumerate(scene.parts) if number in numbers}
    ports = [spec for spec in kind.specs.values() if isinstance(spec, PortSpec)]
    has_place = any(port.kind is not PortKind.SIGNAL for port in ports)
    among = shown if has_place else {part.path for part in scene.parts}
    for path in (part.path for part in model.walk() if type(part) is kind):
        assert any(one == path or one.startswith(f"{path}.") for one in among), among


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
