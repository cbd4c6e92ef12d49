"""Friction and stops beside points without mass."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import translational as tra
from motorik.errors import AssemblyError
from tests.events.parts import Friction, Stop
from tests.refusals import refused


def sliding(*stiff: float) -> mk.Model:
    """Return a mass on springs in series that slides to rest by friction."""
    model = mk.Model()
    model.wall, model.floor = tra.Fixed(), tra.Fixed()
    model.mass, model.friction = tra.Mass(m=1.5, s=0.6), Friction(static=1.2, kinetic=1.0)
    last = model.wall.flange
    for k, c in enumerate(stiff):
        spring = tra.Spring(c=c)
        setattr(model, f"s{k}", spring)
        last >> spring.flange_a
        last = spring.flange_b
    last >> model.mass.flange_a
    model.floor.flange >> model.friction.flange_a
    model.friction.flange_b >> model.mass.flange_b
    return model


@pytest.mark.slow
@pytest.mark.parametrize("method", ["dop853", "bdf"])
def test_friction_stops_springs_in_series_as_one_spring(method):
    a = sliding(30.0, 60.0).simulate(10.0, rtol=1e-9, method=method)
    b = sliding(20.0).simulate(10.0, rtol=1e-9, method=method)
    assert np.abs(a["mass.s"] - b["mass.s"]).max() < 1e-7
    assert abs(a["mass.v"][-1]) < 1e-20
    assert np.abs(a["s0.f"] - a["s1.f"]).max() < 1e-12


def test_an_impact_beside_a_point_without_mass():
    def bouncing(*stiff: float) -> mk.Model:
        model = sliding(*stiff)
        model.base, model.stop = tra.Fixed(s0=-0.1), Stop()
        model.base.flange >> model.stop.flange_a
        model.stop.flange_b >> model.mass.flange_b
        return model

    a = bouncing(30.0, 60.0).simulate(2.0, rtol=1e-10)
    b = bouncing(20.0).simulate(2.0, rtol=1e-10)
    assert a["mass.s"].min() < 0.0
    assert np.abs(a["mass.s"] - b["mass.s"]).max() < 1e-8


def test_friction_on_a_point_without_mass_is_refused():
    model = sliding(30.0, 60.0)
    model.other = Friction()
    model.floor.flange >> model.other.flange_a
    model.other.flange_b >> model.s0.flange_b
    with refused(AssemblyError, "other", "sticks or slips", "s0.flange_b", "mass"):
        model.compile()
