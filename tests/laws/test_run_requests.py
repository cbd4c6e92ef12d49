"""What is asked of a run: refused in words if it makes no sense, told if it cannot be done."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import motorik as mk
from motorik import IncompleteRunWarning, blocks, compiled_model, prepared_run, rotational
from motorik.algebra import sqrt
from motorik.errors import SimulationError, UnknownNameError
from motorik.simulation import initial_state, integration, run
from tests.laws.four_bars import ROCKING, four_bar
from tests.laws.gallery_models import FEW, model_of
from tests.refusals import grouped

REFUSED = {  # what is asked, and a word of the refusal
    "step": ({"step": 2.0}, "longer than the run"),
    "step of rk4": ({"step": 2.0, "method": "rk4"}, "longer than the run"),
    "max_steps": ({"solver": {"max_steps": 1.5}}, "max_steps"),
    "max_steps of none": ({"solver": {"max_steps": 0}}, "max_steps"),
    "output interval": ({"interval": 1.5}, "interval"),
    "output of seconds": ({"output": 0.5}, "interval=0.5"),
    "both": ({"output": 5, "interval": 0.5}, "both"),
    "output negative": ({"interval": -0.1}, "interval"),
    "output true": ({"output": True}, "output"),
    "progress": ({"progress": "yes"}, "progress"),
    "progress 2": ({"progress": 2}, "progress"),
    "branch": ({"loops": {"branch": "up"}}, "branch"),
    "branch of a list": ({"loops": {"branch": ["up"]}}, "branch"),
    "branch unknown": ({"loops": {"branch": {"nowhere": "up"}}}, "nowhere"),
    "start": ({"initial": [0.1]}, "initial"),
    "start unknown": ({"initial": {"nowhere.phi": 0.1}}, "nowhere"),
    "gains": ({"loops": {"gains": (5.0, 5.0)}, "strategy": "projected"}, "gains"),
    "gains, auto": ({"loops": {"gains": (5.0, 5.0)}}, "gains"),
    "strategy": ({"strategy": "clever"}, "clever"),
    "method": ({"method": "magic"}, "magic"),
    "parameters": ({"parameters": [1.0]}, "parameters"),
    "parameters unknown": ({"parameters": {"body.mass": 1.0}}, "body"),
    "time limit": ({"solver": {"time_limit": 0.0}}, "time_limit"),
    "dead centre": ({"loops": {"dead_centre": "jump"}}, "dead_centre"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("which", ["pendulum", "planar four-bar"])
def test_what_makes_no_sense_is_refused_in_words(name, which):
    asked, word = REFUSED[name]
    with pytest.raises((SimulationError, UnknownNameError)) as caught:
        model_of(which).simulate(1.0, **grouped(asked))
    assert word in str(caught.value)


# --- runs that end early ------------------------------------------------------------------------


def spun_up(stop_at: float) -> mk.Model:
    """Return a pendulum pushed by a torque that is not a number from a time [s] on."""
    model = mk.Model()
    model.world = mk.World()
    model.hinge = mk.Revolute(n="z", phi=0.3, useAxisFlange=True)
    model.bob = mk.BodyShape(r=(0.5, 0, 0), r_CM=(0.5, 0, 0), m=1.0)
    model.clock = blocks.Ramp(height=-1.0, duration=1.0, offset=stop_at)
    model.root = blocks.Function(f=lambda u: sqrt(u))
    model.push = rotational.Torque()
    mk.connect(model.world.frame_b, model.hinge.frame_a)
    mk.connect(model.hinge.frame_b, model.bob.frame_a)
    mk.connect(model.push.flange, model.hinge.axis)
    mk.connect(model.clock.y, model.root.u[0])
    mk.connect(model.root.y, model.push.tau)
    return model


@pytest.mark.kinds(5)
@pytest.mark.parametrize("method", ["auto", "dopri5", "gbs", "bdf", "rk4"])
@pytest.mark.parametrize("stop_at", [0.25, 0.6])
def test_a_law_that_fails_is_named_and_its_rows_are_kept(method, stop_at):
    model = spun_up(stop_at)
    options = {"step": 1e-3} if method == "rk4" else {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = model.simulate(1.0, method=method, output=100, **options)
    (told,) = [w for w in caught if issubclass(w.category, IncompleteRunWarning)]
    assert told.filename == __file__, "the user's line is blamed"
    assert "root" in str(told.message)
    assert "root" in result.info.message
    assert not result.complete and not result.info.complete
    assert result.time[-1] == pytest.approx(stop_at, abs=0.02)
    assert len(result) >= int(100 * stop_at) - 1
    assert np.isfinite(result.states).all()
    assert np.isfinite(result["bob.r_0"]).all()


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", FEW)
def test_limits_of_a_run_are_told(name):
    with pytest.warns(IncompleteRunWarning, match="ended early") as caught:
        result = model_of(name).simulate(1.0, solver=mk.SolverOptions(max_steps=3))
    assert caught[0].filename == __file__
    assert not result.complete and "max_steps" in result.info.message
    assert len(result) >= 1 and np.isfinite(result.states).all()
    whole = model_of(name).simulate(1.0)
    np.testing.assert_allclose(result.states[0], whole.states[0], rtol=0, atol=1e-12)


# --- what a run cost ----------------------------------------------------------------------------


class Clock:
    """A clock that stands still while nothing is compiled [s]."""

    MAKING = 100.0  # s for each group of native code

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def during(self, make):
        """Return what makes something, in the time that it takes by this clock."""

        def slowly(*given, **options):
            self.now += self.MAKING
            return make(*given, **options)

        return slowly


def test_compiling_is_no_part_of_computing(monkeypatch):
    clock = Clock()
    for module in (integration, run, initial_state, compiled_model, prepared_run):
        monkeypatch.setattr(module, "clock", clock)
    model = four_bar(ROCKING, w=3.0, density=1.2345)
    first = model.simulate(1.0, method="bdf", output=10)
    assert first.info.compile_time == first.info.wall_time == 0.0, "nothing was slow"
    monkeypatch.setattr(integration, "native_group", clock.during(integration.native_group))
    second = model.simulate(1.0, method="bdf", output=10)
    assert second.info.compile_time == clock.now > 0.0
    assert second.info.wall_time == 0.0
    np.testing.assert_array_equal(first.states, second.states)
