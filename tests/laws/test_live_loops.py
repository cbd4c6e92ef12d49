"""Loops whose plan a live value breaks: found anew and told, or refused by name; never wrong."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import Parameter, guess
from motorik.errors import LoopError
from tests.refusals import refused

PLANE = (0.0, 0.0, 1.0)
JOINTS = ("j1", "j2", "j3", "j4")


class FourBar(mk.Model):
    """A four-bar: crank, coupler and rocker on a base; its last axis and lengths may be live.

    With `loose` ends the coupler has a ball joint, and the rocker may slide along its axis:
    it moves in space as well as in the plane.
    """

    def build(self, n=PLANE, base_length=1.2, crank_length=0.4, every=PLANE, loose=False):
        self.world = mk.World()
        self.base = mk.FixedTranslation(r=(base_length, 0, 0))
        self.j1 = mk.Revolute(n=every, phi=0.4, w=3.0, stateSelect="always")
        self.crank = mk.Body(
            m=1.0, r_CM=(crank_length / 2, 0, 0), I=np.diag([0.1, 0.1, 0.1])
        )
        self.arm = mk.FixedTranslation(r=(crank_length, 0, 0))
        self.j2 = mk.Revolute(n=every, phi=guess(0.5))
        self.coupler = mk.BodyCylinder(r=(1.0, 0, 0), diameter=0.04)
        self.j3 = mk.Spherical() if loose else mk.Revolute(n=every)
        self.rocker = mk.BodyCylinder(r=(0.8, 0, 0), diameter=0.04)
        last = mk.Cylindrical if loose else mk.Revolute
        self.j4 = last(n=n if every is PLANE else every, phi=guess(1.6))
        self.world.frame_b >> self.j1.frame_a
        self.j1.frame_b >> self.crank.frame_a
        self.j1.frame_b >> self.arm.frame_a
        self.arm.frame_b >> self.j2.frame_a
        self.j2.frame_b >> self.coupler.frame_a
        self.coupler.frame_b >> self.j3.frame_a
        self.j3.frame_b >> self.rocker.frame_b
        self.rocker.frame_a >> self.j4.frame_b
        self.world.frame_b >> self.base.frame_a
        self.base.frame_b >> self.j4.frame_a


def compare(live: mk.Model, values: dict[str, object], plain: mk.Model) -> mk.Result:
    """Return the run with live values, compared with that of the model made with them."""
    options = {"rtol": 1e-10, "output": 20}
    found = live.simulate(0.5, parameters=values, **options)
    expected = plain.simulate(0.5, **options)
    assert found.complete and expected.complete
    assert max(found.constraint_violation()) < 1e-9
    for name in ("crank.r_CM_0", "coupler.frame_b.r_0", "j1.w"):
        np.testing.assert_allclose(found[name], expected[name], rtol=0, atol=1e-8)
    return found


@pytest.mark.slow
@pytest.mark.kinds(1)
@pytest.mark.parametrize(
    "values",
    [
        {"base_length": 1.3},
        {"crank_length": 0.3},
        {"base_length": 1.1, "crank_length": 0.5},
    ],
)
def test_a_plan_that_holds_is_kept(values):
    model = FourBar(base_length=Parameter(1.2), crank_length=Parameter(0.4))
    system = model.compile()
    result = compare(model, values, FourBar(**values))
    assert not result.events and model.compile() is system


@pytest.mark.slow
def test_a_plan_that_does_not_hold_is_found_anew_and_told():
    model = FourBar(n=Parameter(PLANE))
    result = compare(model, {"n": (0.0, 0.0, -1.0)}, FourBar(n=(0.0, 0.0, -1.0)))
    (event,) = result.events
    assert event.time == 0.0 and "decided again for n[3] = -1 (was 1)" in event.what
    assert all(name in event.part for name in JOINTS)
    assert f"{event.part} {event.what}" in result.summary()
    again = model.simulate(0.1, parameters={"n": (0.0, 0.0, -2.0)})
    assert "n[3] = -2" in again.events[0].what and max(again.constraint_violation()) < 1e-9
    assert not model.simulate(0.1).events


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("tilt", [1e-3, 0.1, 0.5])
def test_an_axis_that_leaves_the_plane_of_a_planar_loop_is_refused_by_name(tilt):
    model = FourBar(n=Parameter(PLANE))
    with refused(LoopError, "j1", "j4", "off"):
        model.simulate(0.5, parameters={"n": (0.0, tilt, 1.0)})
    assert model.simulate(0.1).complete


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("tilt", [1e-3, 0.1, -0.4])
def test_an_axis_that_leaves_the_plane_moves_on_in_space(tilt):
    n = (0.0, tilt, 1.0)
    compare(FourBar(n=Parameter(PLANE), loose=True), {"n": n}, FourBar(n=n, loose=True))


@pytest.mark.slow
def test_axes_that_tilt_away_from_their_bars_are_refused():
    every = (0.1, -0.2, 1.0)
    model = FourBar(every=Parameter(PLANE))
    with refused(LoopError, "cannot be closed"):
        model.simulate(0.5, parameters={"every": every})  # the bars stay in the old plane


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("base_length", 5.0), ("crank_length", 4.0)])
def test_a_length_that_cannot_close_is_refused_by_name(name, value):
    model = FourBar(base_length=Parameter(1.2), crank_length=Parameter(0.4))
    with refused(LoopError, *JOINTS, "cannot be closed", "m remains"):
        model.simulate(0.5, parameters={name: value})
    assert model.simulate(0.1).complete
