"""An integration under way: stopping, resuming, recording, projecting, failing, refusing."""

import numpy as np
import pytest

from motorik.compiler.kernels import Floats, kernel, native
from motorik.errors import SimulationError
from motorik.simulation import integration
from motorik.simulation.integration import OUTCOMES, Integration, Outcome, make_integration
from motorik.simulation.stepping.workspace import Ode, Output, Status
from tests.simulation.ode_problems import (
    end_of_the_real_line,
    explosion,
    free_body,
    kepler,
    kepler_start,
    never_finite,
    normalise,
    oscillators,
    rotation,
    turning,
)

ADAPTIVE = ("dopri5", "dop853", "adams", "bdf", "bosh3")
ALL = (*ADAPTIVE, "rk4", "euler")
ORBIT = kepler_start(0.3)

# as measured: what stops change, what they cost, error between steps, error with projection
STOPS = {
    "dopri5": 5e-6,
    "dop853": 1e-6,
    "adams": 1e-5,
    "bdf": 3e-4,
    "bosh3": 1e-5,
    "rk4": 1e-11,
    "euler": 4e-5,
}
EXTRA = {
    "dopri5": 6,
    "dop853": 3,
    "adams": 40,
    "bdf": 10,
    "bosh3": 20,
    "rk4": 2,
    "euler": 2,
}
WITHIN = {
    "dopri5": 1e-7,
    "dop853": 1e-8,
    "adams": 2e-7,
    "bdf": 2e-6,
    "bosh3": 1e-6,
    "rk4": 1e-10,
    "euler": 5e-3,
}
SATURATED = {
    "dopri5": 3e-5,
    "dop853": 3e-6,
    "adams": 6e-5,
    "bdf": 2e-4,
    "bosh3": 1e-4,
    "rk4": 2e-10,
    "euler": 2e-4,
}


def run_plain(run: Integration, until: float, grid, rhs, project=None, guard=None) -> tuple:
    """Do what `advance` does, with the kernels as plain Python; return code and rows."""
    w, m = run._w, run._m
    w.t_stop = until
    m.budget = 10**9
    m.grid_count = len(grid)
    rows = np.zeros(len(grid) * run.n)
    ode = Ode(rhs, None, project, run.p)
    out = Output(np.asarray(grid), rows, np.zeros(0))
    advance = run.method.advance(False, False)
    code = advance(run.n, w, m, ode, out, guard, run._memory, None, None)
    return code, rows.reshape(-1, run.n)


@pytest.mark.kinds(4)
@pytest.mark.parametrize("method", ALL)
def test_plain_python_and_machine_code_agree(method):
    grid = [0.0, 0.3, 0.31, 1.0]
    options = {"rtol": 1e-5, "atol": 1e-7, "step": 0.02}
    fast = make_integration(method, native(kepler), ORBIT, **options)
    slow = make_integration(method, native(kepler), ORBIT, **options)
    outcome = fast.advance(1.0, grid=grid)
    code, rows = run_plain(slow, 1.0, grid, kepler)
    assert OUTCOMES[code] is outcome is Outcome.REACHED
    assert slow.statistics == fast.statistics and fast.statistics.steps >= 5
    np.testing.assert_allclose(rows, fast.samples, rtol=0, atol=2e-13)
    np.testing.assert_allclose(slow.state, fast.state, rtol=0, atol=2e-13)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_plain_python_and_machine_code_agree_on_vectors_and_projection(method):
    p = np.array([0.3, -0.4, 1.1])
    fast = make_integration(
        method, native(turning), [1.0, 0, 0, 0], p=p, project=native(normalise)
    )
    slow = make_integration(
        method, native(turning), [1.0, 0, 0, 0], p=p, project=native(normalise)
    )
    fast.advance(0.5, grid=[0.4])
    _, rows = run_plain(slow, 0.5, [0.4], turning, normalise)
    assert slow.statistics == fast.statistics
    np.testing.assert_allclose(rows, fast.samples, rtol=0, atol=1e-14)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("method", ALL)
def test_long_vectors_give_what_short_ones_give(method):
    # thirty equal oscillators, computed wide, do what one does alone
    options = {"rtol": 1e-6, "atol": 1e-6, "step": 0.01}
    one = make_integration(method, native(rotation), [0.0, 1.0], **options)
    p = np.ones(31)
    p[0] = 30
    many = make_integration(method, native(oscillators), [0.0, 1.0] * 30, p=p, **options)
    one.advance(2.0)
    many.advance(2.0)
    assert many.statistics.steps == one.statistics.steps
    np.testing.assert_allclose(many.state, np.tile(one.state, 30), rtol=0, atol=2e-14)


# --- guarded values -------------------------------------------------------------------------


@kernel
def height(t: Floats, x: Floats, p: Floats, values: Floats) -> None:
    """Guard x₀ + p₀, the rate of which is x₁."""
    values[0] = x[0] + p[0]
    values[1] = x[1]


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("lift", [0.9995, 1.0005, 1.01], ids=str)
def test_a_run_stops_before_a_guarded_value_comes_near_zero(method, lift):
    # sin t + lift: its least value, lift − 1, is at t = 3π/2, amid a long step
    options = {"rtol": 1e-5, "atol": 1e-5, "guarded": 1, "p": np.array([lift])}
    fast = make_integration(
        method, native(rotation), [0.0, 1.0], guard=native(height), **options
    )
    slow = make_integration(
        method, native(rotation), [0.0, 1.0], guard=native(height), **options
    )
    outcome = fast.advance(6.0)
    code, _ = run_plain(slow, 6.0, [], rotation, guard=height)
    while code == Status.GUARD_TRIPPED and slow._is_false_alarm():
        code, _ = run_plain(slow, 6.0, [], rotation, guard=height)
    assert OUTCOMES[code] is outcome
    assert slow.statistics == fast.statistics
    assert outcome is (Outcome.REACHED if lift > 1.005 else Outcome.GUARD_TRIPPED)
    if outcome is Outcome.GUARD_TRIPPED:
        time, state = fast.before
        assert 2.0 < time < 1.5 * np.pi + 0.05
        assert state == pytest.approx([np.sin(time), np.cos(time)], abs=1e-3)
        assert fast.time > time


# --- stopping and resuming ------------------------------------------------------------------


@pytest.mark.parametrize("method", ALL)
def test_a_run_in_pieces_is_the_run_in_one_go(method, monkeypatch):
    grid = np.linspace(0.0, 7.0, 50)
    options = {"rtol": 1e-7, "atol": 1e-7, "step": 0.01, "record": True}
    whole = make_integration(method, native(kepler), ORBIT, **options)
    assert whole.advance(7.0, grid=grid) is Outcome.REACHED
    # one step per native call, seven lines of the record at a time, and a pause at each call
    monkeypatch.setattr(integration, "FIRST_BUDGET", 1)
    monkeypatch.setattr(integration, "RECORD_SIZE", 7)
    pieces = make_integration(method, native(kepler), ORBIT, **options)
    pauses = 0
    outcome = pieces.advance(7.0, grid=grid, watch=lambda run: True)
    while outcome is Outcome.PAUSED:
        pauses += 1
        outcome = pieces.advance(7.0, watch=lambda run: True)
    assert outcome is Outcome.REACHED and pauses > 15
    assert pieces.statistics == whole.statistics
    assert pieces.state.tolist() == whole.state.tolist()
    assert pieces.samples.tolist() == whole.samples.tolist()
    assert pieces.record.tolist() == whole.record.tolist()


@pytest.mark.parametrize("method", ALL)
def test_the_record_holds_every_step(method):
    run = make_integration(method, native(kepler), ORBIT, step=0.05, record=True)
    run.advance(2.0)
    record = run.record
    assert record.shape == (run.statistics.steps + 1, 5)
    assert record[0].tolist() == [0.0, *ORBIT] and record[-1, 0] == 2.0
    assert record[-1, 1:].tolist() == run.state.tolist()
    assert (np.diff(record[:, 0]) > 0).all()


def test_the_watch_sees_the_run_on_its_way(monkeypatch):
    monkeypatch.setattr(integration, "FIRST_BUDGET", 2)
    monkeypatch.setattr(integration, "PULSE", 1e-9)
    times = []
    run = make_integration("dopri5", native(kepler), ORBIT)
    assert run.advance(1.0, watch=lambda r: times.append(r.time)) is Outcome.REACHED
    assert len(times) > 3 and times == sorted(times) and times[-1] < 1.0


@pytest.mark.parametrize("method", ALL)
def test_times_to_stop_at_are_hit_exactly_and_cost_little(method):
    options = {"rtol": 1e-6, "atol": 1e-6, "step": 0.01}
    direct = make_integration(method, native(kepler), ORBIT, **options)
    direct.advance(6.0)
    stopping = make_integration(method, native(kepler), ORBIT, **options)
    for until in (1.0, 1.0 + 1e-9, 2.5, np.pi, 6.0):
        assert stopping.advance(until) is Outcome.REACHED and stopping.time == until
    assert np.abs(stopping.state - direct.state).max() < STOPS[method]
    assert stopping.statistics.steps <= direct.statistics.steps + EXTRA[method]


def test_steps_of_fixed_size_do_not_drift():
    run = make_integration("rk4", native(rotation), [0.0, 1.0], step=0.1, record=True)
    run.advance(100.0)
    run.advance(100.25)
    times = run.record[:, 0]
    assert times[:1001].tolist() == [*(0.1 * np.arange(1000)), 100.0]
    np.testing.assert_allclose(times[1001:], [100.1, 100.2, 100.25], rtol=1e-15)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_steps_are_no_longer_than_allowed(method):
    run = make_integration(
        method,
        native(rotation),
        [0.0, 1.0],
        step=0.003,
        max_step=0.1,
        atol=1e-2,
        record=True,
    )
    run.advance(5.0)
    steps = np.diff(run.record[:, 0])
    assert steps[0] == 0.003
    assert steps.max() <= 0.1 * (1 + 1e-9)
    assert np.median(steps) > 0.09


@pytest.mark.parametrize("method", ALL)
def test_a_changed_parameter_takes_effect_by_a_restart(method):
    @kernel
    def driven(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
        dx[0] = p[0]

    p = np.array([2.0])
    run = make_integration(method, native(driven), [0.0], p=p, step=0.1)
    run.advance(1.0)
    p[0] = -3.0
    run.restart()
    run.advance(2.0)
    assert run.state[0] == pytest.approx(-1.0, abs=1e-13)
    run.restart([10.0], time=5.0)
    run.advance(6.0)
    assert run.state[0] == pytest.approx(7.0, abs=1e-13)


@pytest.mark.parametrize("method", ALL)
def test_the_last_step_can_be_interpolated(method):
    run = make_integration(method, native(rotation), [0.0, 1.0], step=0.01)
    run.advance(1.0)
    last = run._w.t_old
    middle = 0.5 * (last + 1.0)
    exact = [np.sin(middle), np.cos(middle)]
    assert np.abs(run.interpolate(middle) - exact).max() < WITHIN[method]
    assert run.interpolate(1.0).tolist() == run.state.tolist()
    with pytest.raises(SimulationError, match="outside the last step"):
        run.interpolate(0.5 * last)


@pytest.mark.parametrize("method", ALL)
def test_a_system_without_states_still_passes_the_time(method):
    @kernel
    def nothing(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
        pass

    run = make_integration(method, native(nothing), [], step=0.5, record=True)
    assert run.advance(2.0, grid=[0.0, 1.0]) is Outcome.REACHED
    assert (
        run.samples.shape == (2, 0) and run.record.shape[1] == 1 and run.state.shape == (0,)
    )


# --- projection -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", ALL)
def test_a_projection_keeps_its_invariant(method):
    p = np.array([0.3, -0.4, 1.1])
    grid = np.linspace(0.0, 20.0, 101)
    options = {"p": p, "rtol": 1e-5, "atol": 1e-5, "step": 0.01}
    free = make_integration(method, native(turning), [1.0, 0, 0, 0], **options)
    held = make_integration(
        method, native(turning), [1.0, 0, 0, 0], project=native(normalise), **options
    )
    free.advance(20.0, grid=grid)
    held.advance(20.0, grid=grid)
    assert np.abs(np.linalg.norm(free.samples, axis=1) - 1).max() > 5e-13
    assert np.abs(np.linalg.norm(held.samples, axis=1) - 1).max() < 5e-16
    assert abs(np.linalg.norm(held.state) - 1) < 5e-16
    rate = np.linalg.norm(p)
    angle = 0.5 * rate * grid[:, None]
    exact = np.hstack([np.cos(angle), np.sin(angle) * p / rate])
    assert np.abs(held.samples - exact).max() < SATURATED[method]


def test_a_projection_by_little_costs_no_evaluation():
    @kernel
    def push(t: Floats, x: Floats, p: Floats) -> None:
        x[0] += p[0]

    evaluations = []
    for amount in (0.0, 1e-12, 1e-5):
        run = make_integration(
            "dopri5",
            native(free_body),
            [0.0, 1.0, 1.0],
            project=native(push),
            p=np.array([amount]),
            rtol=1e-6,
            atol=1e-6,
        )
        run.advance(1.0)
        cost = run.statistics
        evaluations.append(cost.evaluations - 2 - 6 * (cost.steps + cost.rejected))
    assert evaluations[:2] == [0, 0] and evaluations[2] == cost.steps


# --- failures -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_solution_that_runs_off_to_infinity_is_noticed(method):
    run = make_integration(method, native(explosion), [1.0], rtol=1e-8, atol=1e-8)
    outcome = run.advance(2.0, grid=[0.5, 1.5])
    assert outcome in (Outcome.STEP_TOO_SMALL, Outcome.NOT_FINITE, Outcome.NO_CONVERGENCE)
    assert outcome.is_failure and run.time == pytest.approx(1.0, abs=1e-5)
    assert run.samples_written == 1 and run.samples[0, 0] == pytest.approx(2.0, rel=1e-5)
    assert np.isfinite(run.state).all() and run.state[0] > 1e4


@pytest.mark.parametrize("method", ["rk4", "euler"])
def test_fixed_steps_stop_before_infinity(method):
    run = make_integration(method, native(explosion), [1.0], step=0.01)
    assert run.advance(2.0) is Outcome.NOT_FINITE
    assert np.isfinite(run.state).all() and 1.0 <= run.time < 1.5


@pytest.mark.parametrize("method", ALL)
def test_a_rate_that_ceases_to_be_a_number_is_noticed(method):
    run = make_integration(method, native(end_of_the_real_line), [0.0], step=0.01)
    assert run.advance(1.0) is Outcome.NOT_FINITE
    assert run.time == pytest.approx(0.5, abs=0.011) and run.time <= 0.5
    assert np.isfinite(run.state).all()


@pytest.mark.parametrize("method", ALL)
def test_a_rate_that_never_was_a_number_is_noticed_at_once(method):
    run = make_integration(method, native(never_finite), [1.0], step=0.01)
    assert run.advance(1.0) is Outcome.NOT_FINITE
    assert run.time == 0.0 and run.statistics.evaluations == 1


@pytest.mark.parametrize("method", ALL)
def test_too_many_steps_are_not_taken(method):
    run = make_integration(method, native(kepler), ORBIT, step=0.01, max_steps=11)
    assert run.advance(10.0) is Outcome.TOO_MANY_STEPS
    assert run.statistics.steps == 11


@pytest.mark.parametrize("method", ADAPTIVE)
def test_steps_shorter_than_allowed_are_not_taken(method):
    run = make_integration(method, native(explosion), [1.0], min_step=1e-3, record=True)
    assert run.advance(2.0) in (Outcome.STEP_TOO_SMALL, Outcome.NOT_FINITE)
    assert np.diff(run.record[:, 0]).min() >= 1e-3 and 0.5 < run.time < 1.0
    # unless time ends earlier
    run = make_integration(method, native(rotation), [0.0, 1.0], min_step=1e-3)
    for until in np.arange(1, 50) * 1e-4:
        assert run.advance(until) is Outcome.REACHED


def test_outcomes_say_why_and_what_to_do():
    for outcome in Outcome:
        text = outcome.explain(1.25)
        assert text.startswith("t = 1.25 s: ") and outcome.why in text
        assert outcome is Outcome.REACHED or outcome.remedy in text
        assert not outcome.is_failure or "\n" in text


# --- refusals -------------------------------------------------------------------------------


def make(method="dopri5", **options):
    return make_integration(method, native(rotation), [0.0, 1.0], **options)


def test_what_cannot_be_done_is_refused():
    with pytest.raises(SimulationError, match="Did you mean 'dopri5'"):
        make("dopri")
    with pytest.raises(SimulationError, match="no error control"):
        make("rk4")
    for rtol, atol in ((-1e-3, 1e-3), (0.0, 0.0), (1e-3, [1e-3, -1e-3]), (np.nan, 1e-3)):
        with pytest.raises(SimulationError, match="cannot keep rtol"):
            make(rtol=rtol, atol=atol)
    with pytest.raises(SimulationError, match="float64"):
        make(p=np.array([1, 2]))
    run = make()
    run.advance(1.0)
    with pytest.raises(SimulationError, match="cannot go from"):
        run.advance(0.5)
    for grid in ([0.5, 2.0], [1.5, 1.2]):
        with pytest.raises(SimulationError, match="not sorted"):
            run.advance(2.0, grid=grid)
