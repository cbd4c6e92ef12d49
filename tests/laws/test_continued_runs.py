"""Rows continue runs, in every strategy: pose, branch, full turns and filters as they were."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import motorik as mk
from motorik import guess, rotational
from motorik.gallery import EngineV6, PlanarFourbar
from tests.laws.four_bars import DRAG, ROCKING, four_bar
from tests.laws.test_unwrapped_angles import angles, cardan_shaft

TIMES = np.linspace(0.0, 3.0, 7)


class FourBar(mk.Model):
    """A four-bar whose coupler turns against a torsion spring, turned in space if wanted."""

    def build(self, c=3.0, turned=0.0):
        self.world = mk.World(n=(0.2, -0.9, 0.3))
        self.ground = mk.FixedRotation(n=(0.3, 0.5, 0.8), angle=turned)
        self.bearing = mk.Revolute(n="z", phi=pi / 3, w=8.0)
        self.crank = mk.BodyBox(r=(0.3, 0, 0), width=0.04)
        self.pin = mk.Revolute(n="z", phi=guess(-0.8), useAxisFlange=True)
        self.coupler = mk.BodyBox(r=(1.0, 0, 0), width=0.04)
        self.base = mk.FixedTranslation(r=(0.9, 0, 0))
        self.pivot = mk.Revolute(n="z", phi=guess(1.4))
        self.rocker = mk.BodyBox(r=(0.7, 0, 0), width=0.04)
        self.knuckle = mk.Revolute(n="z")
        self.spring = rotational.Spring(c=c)
        self.world.frame_b >> self.ground.frame_a
        self.ground.frame_b >> self.bearing.frame_a
        self.ground.frame_b >> self.base.frame_a
        self.bearing.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.pin.frame_a
        self.pin.frame_b >> self.coupler.frame_a
        self.base.frame_b >> self.pivot.frame_a
        self.pivot.frame_b >> self.rocker.frame_a
        self.rocker.frame_b >> self.knuckle.frame_a
        self.knuckle.frame_b >> self.coupler.frame_b
        self.pin.support >> self.spring.flange_a
        self.spring.flange_b >> self.pin.axis


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected", "absolute"])
def test_turns_of_dependent_joints_are_continued(strategy):
    model = FourBar()
    options = {"rtol": 1e-10, "strategy": strategy}
    whole = model.simulate(3.0, output=TIMES, **options)
    assert np.abs(whole["pin.phi"]).max() > pi  # else nothing could be lost
    rest = model.simulate(
        3.0, start_time=TIMES[4], initial=whole.sample(4), output=TIMES[4:], **options
    )
    for name in ("bearing.phi", "pin.phi", "knuckle.phi", "spring.tau"):
        np.testing.assert_allclose(rest[name], whole[name][4:], rtol=0, atol=1e-7)
    energy = rest.energy()["total"]
    np.testing.assert_allclose(energy, whole.energy()["total"][4:], rtol=1e-7)


TURNING = {  # each with joints that turn fully round: cut ones, and dependent ones
    "rocking four-bar": (lambda: four_bar(ROCKING, w=20.0, g=0.0), "pin.phi"),
    "drag link": (lambda: four_bar(DRAG, w=20.0, g=0.0), "pivot.phi"),
    "cardan shaft": (lambda: cardan_shaft(0.3, 20.0), "second.phi"),
}


@pytest.mark.parametrize(
    ("name", "strategy"),
    [
        *(("rocking four-bar", "auto"), ("rocking four-bar", "projected")),
        *(("drag link", "auto"), ("cardan shaft", "auto"), ("cardan shaft", "absolute")),
    ],
)
def test_every_angle_keeps_its_turns(name, strategy):
    make, turning = TURNING[name]
    model = make()
    times = np.array([0.0, 0.5, 0.75, 1.0])
    options = {"rtol": 1e-9, "strategy": strategy}
    whole = model.simulate(1.0, output=times, **options)
    assert abs(whole[turning][1] - whole[turning][0]) > pi  # else nothing could be lost
    rest = model.simulate(
        1.0, start_time=0.5, initial=whole.sample(1), output=times[1:], **options
    )
    for angle in angles(whole):
        np.testing.assert_allclose(rest[angle], whole[angle][1:], rtol=0, atol=1e-6)


@pytest.mark.slow
def test_a_row_continues_in_another_strategy():
    model = FourBar()
    whole = model.simulate(3.0, rtol=1e-10, output=TIMES, strategy="projected")
    rest = model.simulate(
        3.0, start_time=TIMES[4], initial=whole.sample(4), rtol=1e-10, output=TIMES[4:]
    )
    np.testing.assert_allclose(rest["pin.phi"], whole["pin.phi"][4:], rtol=0, atol=1e-7)


def test_a_row_continues_where_another_joint_is_cut():
    """Speeds that the row does not name follow from those that it names."""
    model = PlanarFourbar()
    times = np.linspace(0.0, 1.0, 11)
    whole = model.simulate(1.0, rtol=1e-10, output=times)
    others = set(model.compile("projected").layout.motion_names)
    assert others - set(whole.motion_names)  # else nothing had to be found
    rest = model.simulate(
        1.0,
        start_time=times[5],
        initial=whole.sample(5),
        rtol=1e-10,
        output=times[5:],
        strategy="projected",
    )
    for name in ("revolute1.phi", "revolute1.w"):
        np.testing.assert_allclose(rest[name], whole[name][5:], rtol=0, atol=1e-7)


@pytest.mark.slow
def test_initial_conditions_and_filters_belong_to_the_first_start():
    """The engine demands angle and speed of its load, and has two filters."""
    times = np.linspace(0.0, 0.2, 5)
    model = EngineV6()
    whole = model.simulate(0.2, rtol=1e-8, output=times)
    rest = model.simulate(
        0.2, start_time=times[2], initial=whole.sample(2), rtol=1e-8, output=times[2:]
    )
    np.testing.assert_allclose(rest.motion[0], whole.motion[2], rtol=0, atol=1e-9)
    size = np.ptp(whole.motion, axis=0) + 1e-3
    assert (np.abs(rest.motion - whole.motion[2:]) < 1e-4 * size).all()


@pytest.mark.thorough
@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("turned", [0.0, 1.1])
def test_absolute_coordinates_get_better_with_the_tolerance(turned):
    """All loops of a planar mechanism turned in space have redundant constraints."""
    model = FourBar(c=0.0, turned=turned)
    path = "coupler.body.r_CM_0"
    truth = model.simulate(1.5, rtol=1e-12, output=20)
    errors = []
    for rtol in (1e-4, 1e-7, 1e-10):
        found = model.simulate(1.5, rtol=rtol, output=20, strategy="absolute")
        assert found.complete and not found.events
        errors.append(np.abs(found[path] - truth[path]).max())
        assert errors[-1] < 2e3 * rtol
    assert errors[0] > errors[1] > errors[2]
