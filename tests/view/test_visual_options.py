"""Options of drawing: Modelica's names, checked, apart from physics, live or constant."""

import copy

import pytest

import motorik as mk
from motorik.components.base import visual_options
from motorik.components.base.fingerprint import fingerprint
from motorik.components.base.visual import visual_names
from motorik.visualizers import Visual


class Pendulum(mk.Model):
    def build(self, size=0.05):
        self.world = mk.World()
        self.joint = mk.Revolute(n="z", cylinderDiameter=size, cylinderColor="red")
        self.body = mk.Body(m=1.0, r_CM=(0.5, 0, 0), sphereDiameter=0.2)
        self.world.frame_b >> self.joint.frame_a
        self.joint.frame_b >> self.body.frame_a


def shape_of(model, path, kind):
    return next(s for s in model.scene().shapes_of(path) if s.kind == kind)


def test_options_reach_the_shapes():
    model = Pendulum()
    pin = shape_of(model, "joint", "cylinder")
    assert pin.diameter == 0.05
    assert pin.color == model.joint.cylinderColor
    assert shape_of(model, "body", "sphere").diameter == 0.2


def test_an_option_changes_nothing_of_the_physics():
    model = Pendulum()
    system, before = model.compile(), fingerprint(model)
    model.joint.cylinderDiameter = 0.1
    model.body.visual = Visual(color=(0, 128, 255), opacity=0.5)
    model.world.animateGravity = False
    assert fingerprint(model) == before
    assert model.compile() is system
    assert shape_of(model, "joint", "cylinder").diameter == 0.1
    assert shape_of(model, "body", "sphere").opacity == 0.5
    assert not any(s.kind == "arrow" for s in model.scene().shapes)


def test_a_live_size_has_the_value_of_the_run():
    live = mk.Parameter(0.05)
    model = Pendulum(size=live)
    live.value = 0.08
    assert shape_of(model, "joint", "cylinder").diameter == 0.08


def test_options_are_switches():
    model = Pendulum()
    model.body.animation = False
    assert not model.scene().shapes_of("body")
    assert model.scene().shapes_of("joint")
    model.visual = Visual(animation=False)
    assert not any(shape.part is not None for shape in model.scene().shapes)


def test_frames_are_shown_on_demand():
    model = Pendulum()
    model.joint.showFrames = True
    frames = [s for s in model.scene().shapes_of("joint") if s.kind == "frame"]
    assert len(frames) == 2 and all(s.labels for s in frames)


def test_copies_and_prints_keep_options():
    model = Pendulum()
    other = copy.copy(model)
    other.joint.cylinderDiameter = 0.3
    assert model.joint.cylinderDiameter == 0.05
    assert "cylinderDiameter=0.3" in repr(other.joint)
    assert other.joint.visual["cylinderDiameter"] == 0.3


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: mk.Revolute(cylinderDiameter=-0.1),
            "cylinderDiameter = -0.1 m is too small",
        ),
        (lambda: mk.Revolute(boxWidth=0.1), "has no parameter 'boxWidth'"),
        (lambda: mk.Body(color=(0, 0, 300)), "color = \\(0, 0, 300\\) is not a colour"),
        (lambda: mk.Body(color="blurple"), "is not a colour"),
        (lambda: mk.Body(animation=1), "animation = 1 is not True or False"),
        (lambda: mk.World(gravityArrowTail=(1, 2)), "gravityArrowTail"),
        (
            lambda: mk.Cylindrical(visual=Visual(boxWidth=1.0)),
            "no option of drawing 'boxWidth'",
        ),
        (lambda: mk.Body(visual=3), "is not a Visual"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(make, message):
    with pytest.raises(mk.MotorikError, match=message):
        make()


def test_an_unknown_attribute_is_still_refused():
    with pytest.raises(mk.UnknownNameError, match="colour"):
        mk.Body().colour = (1, 2, 3)
    with pytest.raises(mk.UnknownNameError):
        _ = Pendulum().color  # names of a model are the user's own


def test_colours_have_several_forms():
    red = mk.Body(color=(255, 0, 0)).color
    assert red == mk.Body(color=(1.0, 0.0, 0.0)).color == mk.Body(color="#ff0000").color


def test_a_part_takes_the_options_of_what_it_is_drawn_as():
    assert "color" in visual_names(mk.Revolute) and "boxWidth" not in visual_names(
        mk.Revolute
    )
    assert set(visual_options.CylinderVisual.own_options) <= set(visual_names(mk.Revolute))
    assert not hasattr(mk.Revolute, "cylinderColor"), "it is kept by the part's visual"
