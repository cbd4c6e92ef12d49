"""Model.simulate: its options, live and folded parameters, and runs that end early."""

from __future__ import annotations

import _thread
import math
import signal
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import motorik as mk
from motorik import progress
from motorik.compiler.kernels import native_group
from motorik.errors import ParameterError, SimulationError, UnknownNameError
from motorik.simulation import integration, run
from tests.refusals import grouped, refused

NAN, INF = math.nan, math.inf
FOREVER = 1e9  # s, more than any machine simulates while a test waits


class Pendulum(mk.Model):
    """A damped body on a hinge."""

    def build(self, m=1.3, length=0.5, d=0.2) -> None:
        self.world = mk.World()
        self.hinge = mk.Revolute(useAxisFlange=True, phi=0.3)
        self.bob = mk.Body(m=m, r_CM=(length, 0, 0))
        self.damper = mk.rotational.Damper(d=d)
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.bob.frame_a
        self.damper.flange_a >> self.hinge.support
        self.damper.flange_b >> self.hinge.axis


def falling_into_the_centre() -> mk.Model:
    """Return a mass that reaches the centre of a gravity field at t = π / (2 √2)."""
    model = mk.Model()
    model.world = mk.World(gravityType="point", mu=1.0)
    model.comet = mk.PointMass(r_0=(1, 0, 0))
    return model


# --- options --------------------------------------------------------------------------------

NONSENSE = [
    ({"rtol": 0}, ["rtol = 0", "1e-6"]),
    ({"rtol": 2.0}, ["rtol = 2.0"]),
    ({"rtol": "a"}, ["rtol = 'a'"]),
    ({"rtol": NAN}, ["rtol = nan"]),
    ({"solver": {"atol": -1}}, ["atol = -1", "positive"]),
    ({"solver": {"atol": 0.0}}, ["atol = 0.0", "positive"]),
    ({"solver": {"atol": NAN}}, ["atol = nan"]),
    ({"solver": {"atol": "a"}}, ["atol = 'a'", "numbers"]),
    ({"solver": {"atol": [1, 2, 3]}}, ["atol has shape (3,)", "2 numbers"]),
    ({"solver": {"atol": {"hinge.phi": "x"}}}, ["hinge.phi", "'x'"]),
    ({"output": 0}, ["output = 0", "1 or more"]),
    ({"interval": -0.1}, ["interval = -0.1 s", "positive"]),
    ({"interval": "a"}, ["interval = 'a' s"]),
    ({"output": 0.1}, ["output = 0.1", "interval=0.1"]),
    ({"output": "all"}, ["output = 'all'", "steps"]),
    ({"output": [0.5, 0.1]}, ["sorted", "from 0 to 1 s"]),
    ({"output": [0.0, 2.0]}, ["from 0 to 1 s"]),
    ({"output": []}, ["from 0 to 1 s"]),
    ({"output": [NAN]}, ["from 0 to 1 s"]),
    ({"output": ["a"]}, ["output = ['a']"]),
    ({"output": True}, ["output"]),
    ({"interval": 1e-12}, ["1e+12 samples"]),
    ({"step": 0}, ["step = 0 s"]),
    ({"step": -0.1}, ["step = -0.1 s"]),
    ({"step": "a"}, ["step = 'a' s"]),
    ({"solver": {"max_step": 0}}, ["max_step = 0 s"]),
    ({"solver": {"max_step": NAN}}, ["max_step = nan s"]),
    ({"solver": {"max_step": "a"}}, ["max_step = 'a' s"]),
    ({"solver": {"max_steps": 0}}, ["max_steps = 0"]),
    ({"solver": {"max_steps": "a"}}, ["max_steps = 'a'"]),
    ({"solver": {"time_limit": -1.0}}, ["time_limit = -1.0 s"]),
    ({"solver": {"time_limit": "a"}}, ["time_limit = 'a' s"]),
    ({"method": "dopri"}, ["'dopri'", "Did you mean 'dopri5'?"]),
    ({"method": 5}, ["method", "5"]),
    ({"method": "euler"}, ["euler", "step"]),
    ({"initial": 5}, ["initial = 5"]),
    ({"start_time": 2.0}, ["stop_time = 1 s", "start_time = 2 s"]),
    ({"start_time": "a"}, ["start_time = 'a'"]),
]


@pytest.mark.parametrize(("options", "words"), NONSENSE, ids=str)
def test_options_that_make_no_sense_are_refused(options, words):
    with refused(SimulationError, *words):
        Pendulum().simulate(1.0, **grouped(options))


@pytest.mark.parametrize("stop", [0.0, -1.0, NAN, INF, "a", None], ids=str)
def test_a_stop_time_that_makes_no_sense_is_refused(stop):
    with refused(SimulationError, "stop_time = "):
        Pendulum().simulate(stop)


def test_a_tolerance_for_an_unknown_state_is_refused():
    with refused(UnknownNameError, "'hinge.fi'", "hinge.phi", "hinge.w"):
        Pendulum().simulate(1.0, solver=mk.SolverOptions(atol={"hinge.fi": 1e-3}))


def test_the_output_can_be_asked_for_in_four_ways():
    model = Pendulum()
    np.testing.assert_array_equal(model.simulate(2.0).time, np.linspace(0, 2, 501))
    np.testing.assert_array_equal(model.simulate(2.0, output=4).time, [0, 0.5, 1, 1.5, 2])
    found = model.simulate(2.0, start_time=1.0, interval=0.3).time
    np.testing.assert_allclose(found, [1, 1.3, 1.6, 1.9, 2.0], rtol=1e-15)
    times = [0.25, 0.25, 1.75]
    some = model.simulate(2.0, output=times, rtol=1e-8)
    np.testing.assert_array_equal(some.time, times)
    steps = model.simulate(2.0, output="steps", rtol=1e-8)
    assert len(steps) == steps.info.steps + 1 and steps.time[-1] == 2.0
    np.testing.assert_allclose(
        steps.at(times).states[:, 0], some["hinge.phi"], atol=2e-4
    )  # cubic between steps, as exact as the method on the grid


def test_the_rows_do_not_depend_on_where_they_are_asked_for():
    model = Pendulum()
    few, many = model.simulate(2.0, output=2), model.simulate(2.0, output=200)
    np.testing.assert_array_equal(few.states, many.states[::100])


METHODS = {"dopri5": 5e-7, "dop853": 1e-7, "adams": 5e-7, "bdf": 2e-6, "auto": 1e-7}


@pytest.mark.parametrize(("method", "error"), METHODS.items())
def test_methods_agree(method, error):
    model = Pendulum()
    exact = model.simulate(2.0, rtol=1e-12, method="dop853", output=20)
    found = model.simulate(2.0, rtol=1e-8, method=method, output=20)
    assert found.info.method == ("dop853" if method == "auto" else method)
    np.testing.assert_allclose(found.states, exact.states, rtol=0, atol=error)


@pytest.mark.parametrize(
    ("method", "step", "error"), [("rk4", 1e-2, 1e-6), ("euler", 1e-4, 1e-2)]
)
def test_methods_without_error_control_take_the_given_step(method, step, error):
    model = Pendulum()
    exact = model.simulate(2.0, rtol=1e-12, method="dop853", output=20)
    found = model.simulate(2.0, method=method, step=step, output=20)
    assert found.info.steps == round(2.0 / step)
    np.testing.assert_allclose(found.states, exact.states, rtol=0, atol=error)


def test_absolute_tolerances_by_state_decide_how_many_steps_are_taken():
    model = Pendulum()

    def steps(atol) -> int:
        return model.simulate(
            2.0, rtol=1e-10, solver=mk.SolverOptions(atol=atol), method="dopri5"
        ).info.steps

    assert steps(1e-10) == steps([1e-10, 1e-10])
    assert steps({"hinge.w": 1e-10}) == pytest.approx(steps(1e-10), rel=0.05)
    assert steps({"hinge.w": 1e-3, "hinge.phi": 1e-3}) == steps(1e-3)
    assert 3 * steps(1e-3) < steps({"hinge.w": 1e-3}) < steps(None) < steps(1e-10)


def test_max_step_is_kept():
    steps = Pendulum().simulate(1.0, solver=mk.SolverOptions(max_step=0.01), output="steps")
    assert np.diff(steps.time).max() <= 0.01 * (1 + 1e-12)


# --- parameters -----------------------------------------------------------------------------


def same_motion(found: mk.Result, expected: mk.Result) -> None:
    """Compare states and other variables, relative to the largest value of each."""
    for name in (*found.state_names, "bob.frame_a.f", "bob.potential_energy", "bob.r_CM_0"):
        scale = np.abs(expected[name]).max()
        np.testing.assert_allclose(found[name], expected[name], rtol=0, atol=2e-12 * scale)


def test_a_live_parameter_changes_the_run_without_compiling():
    live = mk.Parameter(1.3)
    model = Pendulum(m=live)
    system = model.compile()
    live.value = 2.5
    found = model.simulate(2.0)
    assert model.compile() is system
    same_motion(found, Pendulum(m=2.5).simulate(2.0))


def test_a_live_parameter_is_overridden_for_one_run_only():
    length = mk.Parameter(0.5, name="length")
    model = Pendulum(length=length, d=mk.Parameter(0.2))
    plain = model.simulate(2.0)
    found = model.simulate(2.0, parameters={"length": 0.8, "damper.d": 0.1})
    assert (length.value, model.live_parameters()["d"].value) == (0.5, 0.2)
    same_motion(found, Pendulum(length=0.8, d=0.1).simulate(2.0))
    same_motion(model.simulate(2.0), plain)


def test_a_live_parameter_is_also_found_by_where_it_is_used():
    model = Pendulum(m=mk.Parameter(1.3, name="heavy.mass"))
    found = model.simulate(2.0, parameters={"bob.m": 2.5})
    same_motion(found, Pendulum(m=2.5).simulate(2.0))


def test_a_live_vector_changes_the_run():
    model = Pendulum()
    model.bob.r_CM = mk.Parameter((0.5, 0.0, 0.0))
    found = model.simulate(
        2.0, solver=mk.SolverOptions(atol=1e-6), parameters={"bob.r_CM": (0.8, 0.0, 0.0)}
    )
    same_motion(
        found, Pendulum(length=0.8).simulate(2.0, solver=mk.SolverOptions(atol=1e-6))
    )


def test_a_folded_parameter_is_overridden_by_compiling_anew():
    model = Pendulum()
    system = model.compile()
    found = model.simulate(2.0, parameters={"bob.m": 2.5, "damper.d": 0.1})
    assert (model.bob.m, model.damper.d) == (1.3, 0.2) and model.compile() is system
    same_motion(found, Pendulum(m=2.5, d=0.1).simulate(2.0))


def test_a_changed_model_is_compiled_anew_and_an_old_state_of_it_is_remembered():
    model = Pendulum()
    first = model.compile()
    model.bob.m = 2.5
    second = model.compile()
    model.extra = mk.PointMass(m=0.1)
    third = model.compile()
    model.extra.frame_a >> model.bob.frame_a
    fourth = model.compile()
    assert len({id(s) for s in (first, second, third, fourth)}) == 4
    assert (third.n_u, fourth.n_u) == (4, 1)


def test_a_result_keeps_the_parameters_of_its_run():
    model = Pendulum(m=mk.Parameter(1.3))
    result = model.simulate(1.0)
    before = result["bob.kinetic_energy"].copy()
    model.live_parameters()["m"].value = 99.0
    model.damper.d = 7.0
    fresh = Pendulum().simulate(1.0)
    np.testing.assert_array_equal(result["bob.kinetic_energy"], before)
    np.testing.assert_allclose(
        result["damper.tau"], fresh["damper.tau"], rtol=0, atol=1e-12
    )
    np.testing.assert_allclose(
        result["bob.momentum"], fresh["bob.momentum"], rtol=0, atol=5e-12
    )


def test_wrong_overrides_name_the_part_and_leave_the_model_as_it_was():
    model = Pendulum(d=mk.Parameter(0.2))
    before = (1.3, 0.2)
    wrong = {
        "bob.mm": (UnknownNameError, "bob", "'mm'", "Did you mean 'm'?"),
        "bop.m": (UnknownNameError, "'bop'", "Did you mean 'bob'?"),
        "hinge.phi": (UnknownNameError, "hinge", "start value", "initial={'hinge.phi'"),
        "hinge.n": (ParameterError, "hinge", "n = -1"),
        "damper.d": (ParameterError, "damper", "d = -1"),
    }
    for name, (error, *words) in wrong.items():
        with refused(error, *words):
            model.simulate(1.0, parameters={"bob.m": 2.0, name: -1})
        assert (model.bob.m, model.live_parameters()["d"].value) == before, name


def test_a_live_parameter_with_an_impossible_value_is_refused_at_the_run():
    live = mk.Parameter(1.3)
    model = Pendulum(m=live)
    live.value = -1.0
    with refused(ParameterError, "bob", "m = -1"):
        model.simulate(1.0)
    live.value = 1.3
    assert model.simulate(1.0).complete


# --- runs that end early --------------------------------------------------------------------


def test_a_run_into_a_singularity_keeps_what_it_has():
    result = falling_into_the_centre().simulate(5.0, rtol=1e-9)
    end = math.pi / math.sqrt(8)
    assert not result.complete
    assert f"t = {result.time[-1]:.9g} s" in result.info.message
    assert "\n  " in result.info.message  # the remedy
    assert end - 1e-6 < result.time[-1] < end + 1e-3 and len(result) > 100
    r = result["comet.r_0[1]"][:100]
    # t(r) = √(1/2) (√(r (1 − r)) + arccos √r)
    t = (np.sqrt(r * (1 - r)) + np.arccos(np.sqrt(r))) / np.sqrt(2)
    np.testing.assert_allclose(t, result.time[:100], rtol=0, atol=3e-8)
    assert "incomplete" in result.summary() and "incomplete" in repr(result)


@pytest.mark.parametrize("method", ["dopri5", "dop853", "adams", "bdf", "auto"])
def test_a_state_that_is_no_number_from_the_start_ends_the_run(method):
    model = falling_into_the_centre()
    model.comet.r_0 = (0, 0, 0)
    result = model.simulate(1.0, method=method)
    assert not result.complete and result.time.tolist() == [0.0]
    assert "no longer a finite number" in result.info.message
    assert np.isfinite(result.states).all()


def test_a_state_that_explodes_midway_keeps_the_rows_before():
    class Exploding(mk.Model):
        def build(self) -> None:
            self.world = mk.World(gravityAcceleration=lambda r: (r.x**3, 0.0, 0.0))
            self.body = mk.PointMass(r_0=(1, 0, 0), v_0=(1 / math.sqrt(2), 0, 0))

    # ẍ = x³ with ẋ² = x⁴ / 2 is x = 1 / (1 − t / √2)
    result = Exploding().simulate(2.0, rtol=1e-9)
    assert not result.complete and result.info.message
    assert 1.4 < result.time[-1] <= math.sqrt(2) + 1e-6
    early = result.time < 1.3
    expected = 1 / (1 - result.time[early] / math.sqrt(2))
    np.testing.assert_allclose(result["body.r_0[1]"][early], expected, rtol=5e-9)


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_computed():
    model = Pendulum(d=0.0)
    model.simulate(1.0)  # everything is compiled before the clock runs
    timer = threading.Timer(0.5, _thread.interrupt_main)
    # shells start what runs in the background deaf to Ctrl-C
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        result = model.simulate(FOREVER, interval=0.01 * FOREVER)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    assert not result.complete and "interrupted by the user" in result.info.message
    assert 0.0 < result.time[-1] < FOREVER and np.isfinite(result.states).all()
    assert len(result) >= 2 and result.info.steps > 100
    again = model.simulate(1.0)
    assert again.complete


def test_a_time_limit_ends_the_run():
    result = Pendulum(d=0.0).simulate(
        FOREVER, output=1, solver=mk.SolverOptions(time_limit=0.1)
    )
    assert not result.complete and "time limit of 0.1 s" in result.info.message
    assert len(result) == 2 and 0.0 < result.time[-1] < FOREVER


def test_a_time_limit_does_not_count_compiling(monkeypatch):
    now = [0.0]

    def compiles(*kernels, wide):
        now[0] += 100.0
        return native_group(*kernels, wide=wide)

    def look() -> float:
        now[0] += 1e-6
        return now[0]

    fake = SimpleNamespace(perf_counter=look)
    monkeypatch.setattr(integration, "clock", fake)
    monkeypatch.setattr(run, "clock", fake)
    monkeypatch.setattr(integration, "native_group", compiles)
    result = Pendulum().simulate(
        1e3, output=1, rtol=1e-9, method="dopri5", solver=mk.SolverOptions(time_limit=1.0)
    )
    assert result.complete and result.info.steps > 1024 and now[0] > 100.0


class Tumbling(mk.Model):
    """A body whose angles change over to another chart again and again."""

    def build(self, quaternions=False) -> None:
        self.world = mk.World(gravityType="none")
        self.body = mk.Body(
            I_11=0.02,
            I_22=0.03,
            I_33=0.045,
            w_0_start=(0.5, 4, 0.5),
            useQuaternions=quaternions,
        )


@pytest.mark.kinds(3)
@pytest.mark.parametrize("method", ["dopri5", "dop853", "adams", "bdf", "auto"])
def test_rows_are_right_where_angles_change_over(method):
    exact = Tumbling(quaternions=True).simulate(6.0, rtol=1e-11, output=100)
    found = Tumbling().simulate(6.0, rtol=1e-9, method=method, output=100)
    assert set(np.round(found["body.chart"])) == {0.0, 1.0}
    error = 2e-6 if method == "bdf" else 5e-8
    for name in ("body.w_a", "body.frame_a.R.T"):
        np.testing.assert_allclose(found[name], exact[name], rtol=0, atol=error)


def test_runs_in_which_angles_change_over_end_early_too():
    whole = Tumbling().simulate(6.0, output=[1.0, 2.0])
    assert whole.complete and whole.time.tolist() == [1.0, 2.0]
    short = Tumbling().simulate(
        FOREVER, output=100, solver=mk.SolverOptions(time_limit=0.1)
    )
    assert not short.complete and "time limit" in short.info.message and len(short) == 2
    few = Tumbling().simulate(6.0, output=100, solver=mk.SolverOptions(max_steps=30))
    assert not few.complete and few.info.steps == 30 and 40 < len(few) < 80


def test_a_limit_of_steps_ends_the_run():
    result = Pendulum().simulate(10.0, solver=mk.SolverOptions(max_steps=5), output=10_000)
    assert not result.complete and result.info.steps == 5
    assert "max_steps" in result.info.message
    full = Pendulum().simulate(10.0, output=10_000)
    np.testing.assert_array_equal(result.states[:-1], full.states[: len(result) - 1])
    assert result.time[-1] >= result.time[-2]


def test_a_run_that_ends_early_keeps_its_steps():
    result = Pendulum().simulate(10.0, solver=mk.SolverOptions(max_steps=5), output="steps")
    assert len(result) == 6 and np.all(np.diff(result.time) > 0)


def test_a_long_run_shows_how_far_it_is(monkeypatch, capfd):
    monkeypatch.setattr(progress, "APPEARS_AFTER", 0.0)
    Pendulum(d=0.0).simulate(
        FOREVER, output=1, solver=mk.SolverOptions(time_limit=0.2), progress=True
    )
    assert "Pendulum" in capfd.readouterr().err
    Pendulum(d=0.0).simulate(
        FOREVER, output=1, solver=mk.SolverOptions(time_limit=0.2), progress=False
    )
    assert capfd.readouterr().err == ""
