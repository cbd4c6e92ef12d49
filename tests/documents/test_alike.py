"""Sub-models that differ in numbers only are one, whose parameters these numbers are."""

import numpy as np
import pytest

from motorik import (
    Body,
    FixedTranslation,
    Model,
    Parameter,
    Revolute,
    World,
    gallery,
    guess,
)
from motorik.documents import Document
from motorik.documents.source import read_source, write_source
from motorik.documents.source.rest import is_same
from tests.documents.sources import apart, made, run


class Leg(Model):
    """A rod on a hinge."""

    def build(self, length=0.5, m=1.0, phi=0.1, n="z", has_tip=False):
        self.hinge = Revolute(n=n, phi=guess(phi) if has_tip else phi)
        self.rod = FixedTranslation(r=(length, 0.0, 0.0))
        self.body = Body(m=m, r_CM=(length / 2, 0.0, 0.0))
        self.hinge.frame_b >> self.rod.frame_a
        self.hinge.frame_b >> self.body.frame_a
        if has_tip:
            self.tip = Body(m=0.1 * m)
            self.rod.frame_b >> self.tip.frame_a


class Legs(Model):
    """Some legs on a frame."""

    def build(self, sizes=()):
        self.world = World()
        self.legs = [Leg(length=a, m=m, phi=phi) for a, m, phi in sizes]
        for leg in self.legs:
            self.world.frame_b >> leg.hinge.frame_a


def test_legs_of_their_own_sizes_are_one_sub_model():
    rng = np.random.default_rng(4)
    model = Legs(sizes=rng.uniform(0.2, 2.0, (5, 3)).tolist())
    document = Document.of(model)
    (leg,) = document.data["models"].values()
    assert [one["name"] for one in leg["parameters"]] == ["phi", "r", "m", "r_CM"]
    assert all(one["live"] is False for one in leg["parameters"])
    assert apart(run(model), run(document.build())) == 0.0
    source = write_source(document)
    assert source.count("(Model)") == 2
    assert is_same(read_source(source).data, document.data)
    assert apart(run(model), run(made(source))) == 0.0


@pytest.mark.parametrize("other", [{"n": "y"}, {"has_tip": True}])
def test_other_parts_and_other_words_are_other_sub_models(other):
    model = Legs(sizes=[(0.5, 1.0, 0.1), (0.5, 2.0, 0.1)])
    model.last = Leg(length=0.7, **other)
    model.world.frame_b >> model.last.hinge.frame_a
    document = Document.of(model)
    assert len(document.data["models"]) == 2
    assert apart(run(model), run(document.build())) == 0.0


def test_live_parameters_of_legs_stay_live():
    mass = Parameter(2.0, "mass")
    model = Legs(sizes=[(0.5, mass, 0.1), (0.7, mass, 0.3)])
    document = Document.of(model)
    assert len(document.data["models"]) == 1
    again = document.build()
    heavy, light = (again.simulate(0.2, parameters={"mass": m}) for m in (3.0, 2.0))
    assert heavy.motion[-1].tolist() != light.motion[-1].tolist()
    assert apart(run(model), run(again)) == 0.0


@pytest.mark.parametrize("name", ["StewartPlatform", "EngineV6", "EngineV6Analytic"])
def test_the_gallery_has_one_class_for_parts_that_repeat(name):
    assert len(Document.of(getattr(gallery, name)()).data["models"]) == 1


def test_directions_along_axes_have_their_names():
    model = Model()
    model.world = World(n=(0.0, 0.0, -2.0))
    model.hinge = Revolute(n=(1, 0, 0))
    model.other = Revolute(n=(1.0, 1.0, 0.0))
    model.flat = Revolute(n=(0.0, -0.0, 1.0))
    world, hinge, other, flat = Document.of(model).data["parts"]
    assert (world["arguments"]["n"], hinge["arguments"]["n"]) == ("-z", "x")
    assert len(other["arguments"]["n"]) == 3
    assert flat.get("arguments", {}).get("n") in (None, [0.0, -0.0, 1.0])
