"""Cases in functions of the user that depend on the state: no step leads over them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motorik import Model, blocks, translational
from motorik.functions import logical_and, maximum, where

METHODS = ["auto", "bosh3", "dopri5", "dop853", "gbs", "adams", "bdf"]


def make_pushed(force, s: float = 0.0, v: float = 1.0, sensor: str = "s") -> Model:
    """Return a mass of 1 kg with a force that is a function of its position or speed."""
    model = Model()
    model.mass = translational.Mass(m=1.0, s=s, v=v)
    model.sensor = (
        translational.PositionSensor() if sensor == "s" else translational.SpeedSensor()
    )
    model.law, model.force = blocks.Function(f=force), translational.Force()
    model.connect(model.mass.flange_b, model.sensor.flange, model.force.flange)
    model.connect(getattr(model.sensor, sensor), model.law.u)
    model.connect(model.law.y, model.force.f)
    return model


@pytest.mark.kinds(10)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "force",
    [
        lambda s: where((s - 3.3) ** 2 < 0.01, 5.0, 0.0),
        lambda s: where(logical_and(s > 3.2, s < 3.4), 5.0, 0.0),
        lambda s: 5.0 * where(abs(s - 3.3) < 0.1, 1.0, 0.0),
    ],
    ids=["square", "edges", "distance"],
)
def test_a_force_on_a_short_way_acts(method, force):
    result = make_pushed(force).simulate(10.0, method=method)
    assert result["mass.v"][-1] == pytest.approx(math.sqrt(3.0), abs=1e-3)
    assert not result.events  # steps end there, and nothing happens


@pytest.mark.parametrize("method", METHODS)
def test_a_short_bump_that_is_no_jump_acts(method):
    # its work is 2 ∫ (10 − 1000 x²) dx from 0 to 0.1
    model = make_pushed(lambda s: maximum(0.0, 10.0 - 1000.0 * (s - 3.3) ** 2))
    work = 2.0 * (10.0 * 0.1 - 1000.0 * 0.1**3 / 3.0)
    result = model.simulate(10.0, method=method)
    assert result["mass.v"][-1] == pytest.approx(math.sqrt(1.0 + 2.0 * work), abs=1e-3)


def test_a_force_that_changes_its_sign_at_rest_is_followed():
    model = make_pushed(lambda v: where(v > 0.0, -2.0, 2.0), sensor="v")
    result = model.simulate(2.0, method="dopri5", rtol=1e-4)
    assert result.complete
    assert result["mass.s"][-1] == pytest.approx(0.25, abs=1e-3)
    assert abs(result["mass.v"][-1]) < 1e-2


def test_a_function_without_cases_costs_nothing():
    spring = make_pushed(lambda s: -10.0 * s - s**3)
    assert spring.compile().function("law_conditions").numel_out(0) == 0
    result = spring.simulate(10.0, rtol=1e-9)
    energy = 0.5 * result["mass.v"] ** 2 + 5.0 * result["mass.s"] ** 2
    np.testing.assert_allclose(energy + 0.25 * result["mass.s"] ** 4, 0.5, rtol=1e-7)


def test_cases_beside_friction_and_conditions_are_seen():
    model = make_pushed(lambda s: where((s - 3.3) ** 2 < 0.01, 5.0, 0.0))
    model.pad = translational.SupportFriction(f_pos=((0.0, 0.1),))
    model.connect(model.pad.flange_a, model.mass.flange_a)
    model.seen = blocks.Discrete()
    model.when(lambda motion: motion["mass.s"] - 2.0, set={model.seen: 1.0}, name="half")
    for method in ("dopri5", "gbs", "adams", "bdf"):
        result = model.simulate(20.0, method=method)
        # all work is done by friction: ½ + 5 · 0.2 = 0.1 s
        assert result["mass.s"][-1] == pytest.approx(15.0, abs=0.02)
        assert [event.part for event in result.events] == ["half", "pad"]
