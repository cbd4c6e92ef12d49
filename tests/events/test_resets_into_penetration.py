"""Nothing is put beyond a stop: states and stops that are set by hand, and resets of `when`."""

from __future__ import annotations

import pytest

from motorik import BodyBox, Model, Parameter, Revolute, World, translational
from motorik.errors import IncompleteRunWarning, InitialValueError, SimulationError


def make_mass(s: float = 0.0, v: float = 1.0, **stops: object) -> Model:
    """Return a mass without friction between two stops, at −1 and 1 m unless given."""
    model = Model()
    given = {"smin": -1.0, "smax": 1.0} | stops
    free = {"L": 0.0, "F_prop": 0.0, "F_Coulomb": 0.0, "F_Stribeck": 0.0}
    model.mass = translational.MassWithStopAndFriction(
        m=1.0, s=s, v=v, restitution=1.0, **free, **given
    )
    return model


def test_a_state_beyond_a_stop_is_refused_by_a_simulator():
    model = Model()
    model.world = World(g=0.0)
    model.hinge = Revolute(n="z", phi=0.0, w=0.0, stops=(-1.0, 1.0))
    model.arm = BodyBox(r=(1, 0, 0), width=0.1)
    model.connect(model.world.frame_b, model.hinge.frame_a)
    model.connect(model.hinge.frame_b, model.arm.frame_a)
    sim = model.simulator()
    with pytest.raises(
        SimulationError, match=r"hinge: would be 0\.5 beyond its lower stop"
    ):
        sim["hinge.phi"] = -1.5
    assert sim["hinge.phi"] == 0.0
    sim["hinge.phi"] = -1.0
    assert sim.modes["hinge.lower_stop"] == "closed"


def test_a_stop_that_is_moved_is_compared_with_the_present_place():
    sim = make_mass(s=0.9, v=-1.0, smax=Parameter(1.0)).simulator()
    sim.step(1.0)
    sim["mass.smax"] = 0.5  # it began at 0.9 m and is at −0.1 m now
    with pytest.raises(SimulationError, match=r"would be 0\.1 beyond the stop at smax"):
        sim["mass.smax"] = -0.2
    assert sim["mass.smax"] == 0.5
    sim.step(1.8)
    assert sim["mass.s"] == pytest.approx(-0.1, abs=1e-9)


def test_a_run_that_begins_beyond_a_live_stop_is_refused():
    model = make_mass(s=0.9, smax=Parameter(1.0))
    with pytest.raises(InitialValueError, match=r"0\.4 beyond the stop at smax"):
        model.simulate(1.0, parameters={"mass.smax": 0.5})


@pytest.mark.parametrize("method", ["dopri5", "gbs", "adams", "bdf"])
def test_a_reset_beyond_a_stop_ends_the_run_where_it_is(method):
    model = make_mass()
    model.jump = model.when(lambda motion: motion["mass.s"] - 0.5, reset={"mass.s": 2.0})
    with pytest.warns(IncompleteRunWarning, match=r"jump does so with mass\.at_max"):
        result = model.simulate(3.0, method=method)
    assert not result.complete and result.time[-1] == pytest.approx(0.5, abs=1e-9)
    assert result["mass.s"].max() == pytest.approx(0.5, abs=1e-9)
    assert [(event.part, event.what) for event in result.events] == [("jump", "fires")]


def test_a_reset_within_the_stops_goes_on():
    model = make_mass()
    model.jump = model.when(lambda motion: motion["mass.s"] - 0.5, reset={"mass.s": -1.0})
    result = model.simulate(3.0)
    assert result.complete and result.events.times == pytest.approx([0.5, 2.0], abs=1e-9)
