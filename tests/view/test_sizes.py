"""Sizes of signs follow from rigid parts; shapes without a height are not blobs."""

import pytest

import motorik as mk
from motorik import forces, joints, sensors, visualizers
from motorik.view.scene.annotations import Axes
from motorik.view.scene.shapes import SpringShape, TorusShape

ELEMENTS = {
    "Spring": lambda: forces.Spring(c=100.0, s_unstretched=0.3),
    "spring with mass": lambda: forces.Spring(c=100.0, m=0.1),
    "Damper": lambda: forces.Damper(d=1.0),
    "SpringDamperParallel": lambda: forces.SpringDamperParallel(c=100.0, d=1.0),
    "SpringDamperSeries": lambda: forces.SpringDamperSeries(c=100.0, d=1.0),
    "LineForceWithMass": lambda: forces.LineForceWithMass(m=1.0),
    "LineForceWithTwoMasses": lambda: forces.LineForceWithTwoMasses(m_a=1.0, m_b=1.0),
    "DistanceSensor": sensors.DistanceSensor,
    "RelativePosition": sensors.RelativePosition,
}


def lifted(element):
    """Return a box on a slider, with something between it and what is fixed above it."""
    model = mk.Model()
    model.world, model.above = mk.World(), mk.FixedTranslation(r=(0.0, 0.5, 0.0))
    model.slider, model.box = (
        joints.Prismatic(n="y"),
        mk.BodyBox(r=(0.0, -0.1, 0.0), width=0.1),
    )
    model.connect(model.world.frame_b, model.slider.frame_a)
    model.connect(model.slider.frame_b, model.box.frame_a)
    model.connect(model.world.frame_b, model.above.frame_a)
    if element is not None:
        model.element = element
        model.connect(model.above.frame_b, model.element.frame_a)
        model.connect(model.element.frame_b, model.box.frame_b)
    return model


@pytest.mark.parametrize("name", ELEMENTS)
def test_signs_are_as_large_whatever_force_acts(name):
    assert lifted(ELEMENTS[name]()).scene().size == lifted(None).scene().size


def test_what_only_hangs_on_springs_has_their_size():
    found = []
    for name in ("Spring", "SpringDamperParallel"):
        model = mk.Model()
        model.world, model.spring = mk.World(), ELEMENTS[name]()
        model.body = mk.Body(m=1.0, r_0=(0.0, -0.4, 0.0))
        model.connect(model.world.frame_b, model.spring.frame_a)
        model.connect(model.spring.frame_b, model.body.frame_a)
        found.append(model.scene().size)
    assert found[0] == found[1] > 0.0


def shown(part):
    model = mk.Model()
    model.world, model.part = mk.World(), part
    model.connect(model.world.frame_b, model.part.frame_a)
    return model.scene().shapes_of("part")


@pytest.mark.parametrize("kind", ["spring", "torus"])
def test_wires_and_tubes_are_thin_unless_they_are_told(kind):
    for part in (
        visualizers.FixedShape(shapeType=kind, length=0.5, width=0.1),
        mk.FixedTranslation(r=(0.5, 0.0, 0.0), shapeType=kind, width=0.1),
    ):
        (shape,) = (s for s in shown(part) if isinstance(s, (SpringShape, TorusShape)))
        thick = shape.wire if isinstance(shape, SpringShape) else shape.tube
        assert 0.0 < thick <= 0.25 * shape.diameter
    (told,) = shown(
        visualizers.FixedShape(shapeType=kind, length=0.5, width=0.1, height=0.06)
    )
    assert (
        told.wire if isinstance(told, SpringShape) else 0.5 * told.tube
    ) == pytest.approx(0.03)


def thick_base(width):
    model = mk.Model()
    model.world, model.turn = mk.World(n="-z"), mk.Revolute(n="z")
    model.base = mk.BodyCylinder(r=(0, 0, 0.4), diameter=width)
    model.arm = mk.BodyBox(r=(0.02, 0, 0), width=0.01)
    model.hand = mk.BodyBox(r=(0.02, 0, 0), width=0.01)
    model.connect(model.world.frame_b, model.turn.frame_a)
    model.connect(model.turn.frame_b, model.base.frame_a)
    model.connect(model.base.frame_b, model.arm.frame_a)
    model.connect(model.arm.frame_b, model.hand.frame_a)
    return model


def test_axes_of_the_world_are_seen_although_a_body_is_around_them():
    """Of a slim base they have the usual length; a wide one they leave, if that is not far."""
    usual = world_axes(thick_base(0.001)).size
    assert world_axes(thick_base(1.5 * usual)).size == pytest.approx(usual)
    assert world_axes(thick_base(3.0 * usual)).size == pytest.approx(1.8 * 1.5 * usual)
    assert world_axes(thick_base(100 * usual)).size == pytest.approx(usual)


def world_axes(model):
    return next(s for s in model.scene().shapes_of("world") if isinstance(s, Axes))
