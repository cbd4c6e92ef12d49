"""Blocks that start at rest: alone, in feedback loops, and where their states are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, translational
from motorik.errors import InitialValueError
from tests.refusals import refused

STEADY = "SteadyState"


def loop(block: Any, reference: float = 2.0) -> mk.Model:
    """Return a block whose input is a reference minus its own output."""
    model = mk.Model()
    model.r, model.f, model.x = blocks.Constant(k=reference), blocks.Feedback(), block
    model.connect(model.r.y, model.f.u1)
    model.connect(model.x.y, model.f.u2)
    model.connect(model.f.y, model.x.u)
    return model


@pytest.mark.parametrize(
    ("block", "rest"),
    [
        (blocks.FirstOrder(k=3.0, T=0.5, initType=STEADY), 1.5),
        (blocks.SecondOrder(w=2.0, D=0.5, initType=STEADY), 1.0),
        (blocks.CriticalDamping(n=3, f=1.0, initType=STEADY), 1.0),
        (blocks.TransferFunction(b=(3.0,), a=(2.0, 1.0), initType=STEADY), 1.5),
        (blocks.TransferFunction(b=(3.0,), a=(2.0, 1.0, 0.0), initType=STEADY), 2.0),
        (blocks.Integrator(k=5.0, initType=STEADY), 2.0),
    ],
)
def test_a_block_in_a_loop_starts_and_stays_at_rest(block: Any, rest: float):
    y = loop(block).simulate(1.0)["x.y"]
    assert np.abs(y - rest).max() < 1e-9


def test_a_controller_at_rest_carries_the_load():
    # the force on a mass at rest on a spring must be c s + 5 N, by statics
    model = mk.Model()
    model.mass = translational.Mass(m=1.0)
    model.ground, model.spring = translational.Fixed(), translational.Spring(c=40.0)
    model.act, model.sensor = translational.Force(), translational.AccSensor()
    model.error, model.zero = blocks.Feedback(), blocks.Constant(k=0.0)
    model.pi = blocks.PI(k=-10.0, T=0.5, initType=STEADY)
    model.mass.s, model.mass.v = 0.3, 0.0
    connect = model.connect
    connect(model.ground.flange, model.spring.flange_a)
    connect(model.spring.flange_b, model.mass.flange_a, model.sensor.flange)
    connect(model.act.flange, model.mass.flange_b)
    connect(model.sensor.a, model.error.u1)
    connect(model.zero.y, model.error.u2)
    connect(model.error.y, model.pi.u)
    connect(model.pi.y, model.act.f)
    result = model.simulate(0.5)
    assert result["pi.y"][0] == pytest.approx(12.0, abs=1e-6)
    assert np.abs(result["mass.s"] - 0.3).max() < 1e-8


def test_a_state_that_rest_does_not_determine_is_named():
    model = mk.Model()
    model.one, model.int = blocks.Constant(k=0.0), blocks.Integrator(initType=STEADY)
    model.one.y >> model.int.u
    with refused(InitialValueError, "int", "does not determine int.y"):
        model.simulate(1.0)


def test_states_that_the_user_gives_are_kept():
    model = mk.Model()
    model.sine = blocks.Sine(f=1.0)
    model.first, model.second = blocks.FirstOrder(T=0.3), blocks.FirstOrder(T=0.2)
    model.second.initType = STEADY
    model.sine.y >> model.first.u
    model.first.y >> model.second.u
    begun = model.simulate(0.1, initial={"first.y": 0.7})
    assert begun["second.y"][0] == begun["first.y"][0] == 0.7
    half = model.simulate(0.5)
    other = model.simulate(1.0, start_time=0.5, initial=half.sample(-1))
    assert other["second.y"][0] == half["second.y"][-1]
    assert other["second.y"][-1] == pytest.approx(
        model.simulate(1.0)["second.y"][-1], abs=1e-6
    )


def test_the_output_starts_where_it_is_given():
    model = mk.Model()
    given = {"initType": "InitialOutput", "y_start": 3.0}
    model.u = blocks.Constant(k=2.0)
    model.a = blocks.Derivative(k=2.0, **given)
    model.b = blocks.PI(k=2.0, **given)
    model.c = blocks.TransferFunction(b=(1.0, 2.0, 3.0), a=(1.0, 4.0, 5.0), **given)
    model.d = blocks.FirstOrder(**given)
    for block in (model.a, model.b, model.c, model.d):
        model.u.y >> block.u
    result = model.simulate(0.1)
    for name in ("a.y", "b.y", "c.y", "d.y"):
        assert result[name][0] == pytest.approx(3.0, abs=1e-12), name
