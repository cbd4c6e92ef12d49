"""Wound angles: full turns counted in the run, whatever rows are asked for."""

import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import floor, pi
from typing import Any

import casadi
import numpy as np
import pytest

from motorik.compiler import NativeFunction, compile_function
from motorik.compiler.kernels import Floats, kernel, native
from motorik.errors import SimulationError
from motorik.simulation import integration
from motorik.simulation.integration import OUTCOMES, Integration, Outcome, make_integration
from motorik.simulation.methods import METHODS
from motorik.simulation.stepping.workspace import Ode, Output
from tests.covering import each_once
from tests.simulation.lane_problems import VAN_DER_POL, LaneProblem
from tests.simulation.ode_problems import rotation

ALL = tuple(METHODS)
STEP = {"rk4": 0.05, "euler": 0.05}
TURN = 2.0 * pi
Angles = Callable[[Any, Any], list[Any]]


def within_half_a_turn(angle: Any, reference: Any) -> Any:
    """Return an angle as a loop knows it: by its sine and cosine, near a reference."""
    off = casadi.sin(angle - reference), casadi.cos(angle - reference)
    return reference + casadi.atan2(*off)


@dataclass(frozen=True)
class Wound:
    """A problem and the angles θ(t, x) that are known but for full turns; p = references."""

    problem: LaneProblem
    angles: Angles

    @cached_property
    def count(self) -> int:
        return len(self.angles(casadi.SX.sym("t"), casadi.SX.sym("x", self.problem.n)))

    @cached_property
    def unwrap(self) -> NativeFunction:
        t, x, p = self.problem.function.sx_in()
        angles = casadi.vertcat(*self.angles(t, x))
        speeds = casadi.jtimes(angles, t, casadi.SX(1)) + casadi.jtimes(
            angles, x, self.problem.function(t, x, p)
        )
        known = [within_half_a_turn(angles[k], p[k]) for k in range(self.count)]
        out = casadi.densify(casadi.vertcat(*known, speeds))
        return compile_function(casadi.Function("unwrap", [t, x, p], [out]))

    def exact(self, t: Any, x: Any) -> np.ndarray:
        """Return the angles with all their turns, in rows."""
        time, state = casadi.SX.sym("t"), casadi.SX.sym("x", self.problem.n)
        function = casadi.Function(
            "exact", [time, state], [casadi.vertcat(*self.angles(time, state))]
        )
        times, rows = np.atleast_1d(t), np.atleast_2d(x)
        pairs = zip(times, rows, strict=True)
        return np.array([function(a, b).full().ravel() for a, b in pairs])

    def integrate(self, method: str, **options: Any) -> Integration:
        start = self.exact(options.get("t0", 0.0), self.problem.start)[0]
        options = {"rtol": 1e-7, "atol": 1e-7, "step": STEP.get(method)} | options
        return self.problem.integrate(
            METHODS[method], p=start, unwrap=self.unwrap, unwrapped=self.count, **options
        )


# a crank that turns at 50 rad/s; a step covers as many turns as it likes
SPIN = Wound(
    LaneProblem(lambda t, x, p: (x[1], 0.0), (0.5, 50.0), n_p=2),
    lambda t, x: [x[0], 1.0 - 2.0 * x[0]],
)
# θ = π + sin t: to and fro across half a turn
SWING = Wound(
    LaneProblem(lambda t, x, p: (x[1], -x[0]), (0.0, 1.0)), lambda t, x: [pi + x[0]]
)
# the crank rests while other angles turn, one of them unevenly
REST = Wound(
    LaneProblem(lambda t, x, p: (0.0,), (0.3,), n_p=3),
    lambda t, x: [x[0] - 40.0 * t, x[0] + 3.0 * t + 4.0 * casadi.sin(5.0 * t), x[0]],
)
# near a dead centre: most of a turn within a thousandth of the crank's
HURRY = Wound(
    LaneProblem(lambda t, x, p: (1.0,), (-1.0,)),
    lambda t, x: [2.0 * casadi.atan(1000.0 * x[0]) + x[0]],
)
PROBLEMS = {"spin": SPIN, "swing": SWING, "rest": REST, "hurry": HURRY}


def smooth(s: Any) -> Any:
    """Return a way from rest at 0 to rest at 1."""
    s = casadi.fmin(casadi.fmax(s, 0.0), 1.0)
    return s**3 * (10.0 - 15.0 * s + 6.0 * s**2)


# no state at all: two turns, each from rest to rest and 0.1 s long, 6 s apart
INDEXED = Wound(
    LaneProblem(lambda t, x, p: (), ()),
    lambda t, x: [TURN * (smooth((t - 2.0) / 0.1) + smooth((t - 8.0) / 0.1))],
)


# --- the angles -----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "method"), each_once(PROBLEMS, ALL))
def test_full_turns_are_counted(method, name):
    problem = PROBLEMS[name]
    grid = np.linspace(0.0, 10.0, 37)
    run = problem.integrate(method, record=True)
    assert run.advance(10.0, grid=grid) is Outcome.REACHED
    # the turns of each row are those of its state, which has them all
    record = run.record
    np.testing.assert_allclose(
        run.angles, problem.exact(grid, run.samples), rtol=0, atol=1e-11
    )
    np.testing.assert_allclose(
        run.recorded_angles, problem.exact(record[:, 0], record[:, 1:]), rtol=0, atol=1e-11
    )
    assert run.p.tolist() == run.recorded_angles[-1].tolist() == run.angles[-1].tolist()
    assert run.statistics.astray == 0


@pytest.mark.parametrize("method", ALL)
def test_turns_from_rest_to_rest_are_seen_without_any_state(method):
    grid = [0.0, 2.05, 5.0, 8.05, 10.0]
    run = INDEXED.integrate(method)
    assert run.advance(10.0, grid=grid) is Outcome.REACHED
    turns = run.angles[:, 0] / TURN
    np.testing.assert_allclose(turns, [0.0, 0.5, 1.0, 1.5, 2.0], rtol=0, atol=1e-13)


def test_a_step_covers_many_turns():
    run = SPIN.integrate("dop853", rtol=1e-3, atol=1e-3)
    run.advance(100.0)
    assert 5000.0 / TURN / run.statistics.steps > 50
    assert run.p == pytest.approx([5000.5, -10000.0], abs=1e-9)


def test_a_step_covers_more_than_can_be_looked_at():
    # 1e6 rad in few steps: more than 2 rad for each of 4096 looks, told by the mean speed
    run = SPIN.integrate("dop853")
    run.restart([0.5, 1e5])
    grid = np.linspace(0.0, 10.0, 1234)
    run.advance(10.0, grid=grid)
    np.testing.assert_allclose(run.angles[:, 0], 0.5 + 1e5 * grid, rtol=0, atol=1e-6)
    assert run.statistics.steps < 30 and run.statistics.astray == 0
    assert run.p == pytest.approx([1e6 + 0.5, -2e6], abs=1e-6)


def test_a_fast_angle_does_not_hide_between_looks():
    # seen every h it would turn by 6 rad; it turns back by 2π − 6 rad
    h = 2.56 / integration.SAMPLES
    problem = LaneProblem(lambda t, x, p: (0.0,), (0.0,))
    lag = TURN / h, h / TURN
    hidden = Wound(
        problem, lambda t, x: [6.0 * t / h - lag[0] * (t - lag[1] * casadi.sin(t / lag[1]))]
    )
    run = hidden.integrate("rk4", step=2.56)
    run.advance(2.56, grid=[1.0, 2.56])
    seen = (6.0 - TURN) * np.array([1.0, 2.56]) / h
    np.testing.assert_allclose(run.angles[:, 0], seen, rtol=0, atol=1e-9)


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("name", PROBLEMS)
def test_values_do_not_depend_on_the_rows(method, name):
    problem = PROBLEMS[name]
    whole = np.linspace(0.0, 7.0, 701)
    grids = [
        whole,
        whole[::7],
        whole[[350, 353, 700]],
        np.unique([*whole, *whole**1.1 / 2]),
    ]
    found = []
    for grid in [[], *grids]:
        run = problem.integrate(method)
        run.advance(7.0, grid=grid)
        found.append((np.asarray(grid), run))
    times, fine = found[1]
    for grid, run in found:
        assert run.p.tolist() == fine.p.tolist()
        assert run.state.tolist() == fine.state.tolist()
        shared, mine, others = np.intersect1d(grid, times, return_indices=True)
        assert run.angles[mine].tolist() == fine.angles[others].tolist()
        assert shared.size >= min(3, grid.size)


# θ'' = −θ, the spring knowing the angle by its reference: 3 turns to and fro
SPRING = Wound(
    LaneProblem(lambda t, x, p: (x[1], -within_half_a_turn(x[0], p[0])), (0.0, 6.0 * pi)),
    lambda t, x: [x[0]],
)
# as measured, of 6π rad; without a bound on the steps, gbs comes to 8e-6
SPRING_ERROR = {
    "dopri5": 8e-7,
    "dop853": 4e-9,
    "bosh3": 1e-5,
    "gbs": 1e-13,
    "adams": 6e-7,
    "bdf": 4e-5,
    "radau": 2e-8,
    "rk4": 1e-5,
    "euler": 4.5,
}


@pytest.mark.parametrize("method", ALL)
def test_equations_that_depend_on_full_turns_get_them(method):
    run = SPRING.integrate(method, record=True, unwrapped_within=2.0)
    run.advance(10.0)
    times, angle, _ = run.record.T
    assert np.abs(angle - 6.0 * pi * np.sin(times)).max() < SPRING_ERROR[method]
    assert np.abs(np.diff(angle)).max() < 3.0 and run.statistics.rejected <= 1
    np.testing.assert_allclose(run.recorded_angles[:, 0], angle, rtol=0, atol=1e-12)


# --- the run --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ALL)
def test_a_run_in_pieces_is_the_run_in_one_go(method, monkeypatch):
    grid = np.linspace(0.0, 7.0, 50)
    whole = SPRING.integrate(method, record=True)
    whole.advance(7.0, grid=grid)
    monkeypatch.setattr(integration, "FIRST_BUDGET", 1)
    monkeypatch.setattr(integration, "RECORD_SIZE", 7)
    pieces = SPRING.integrate(method, record=True)
    outcome = pieces.advance(7.0, grid=grid, watch=lambda run: True)
    while outcome is Outcome.PAUSED:
        outcome = pieces.advance(7.0, watch=lambda run: True)
    assert outcome is Outcome.REACHED
    assert pieces.statistics == whole.statistics
    assert pieces.angles.tolist() == whole.angles.tolist()
    assert pieces.recorded_angles.tolist() == whole.recorded_angles.tolist()
    assert pieces.p.tolist() == whole.p.tolist()


@pytest.mark.parametrize("method", ALL)
def test_a_restart_takes_the_turns_that_it_is_given(method):
    run = SPIN.integrate(method, t0=1.0)
    run.advance(2.0)
    assert run.p == pytest.approx([50.5, -100.0], abs=1e-10)
    run.restart([0.5, -50.0])  # within half a turn of the references
    run.advance(3.0, grid=[2.0, 3.0])
    begin = np.array([0.5, 0.0])
    begin += TURN * np.rint(([50.5, -100.0] - begin) / TURN)
    assert run.angles[0] == pytest.approx(begin, abs=1e-10)
    assert run.p == pytest.approx(begin + np.array([-50.0, 100.0]), abs=1e-10)
    run.p[:] = 0.5 + 4 * TURN, 0.0
    run.restart([0.5, 50.0], time=0.0)
    run.advance(1.0)
    assert run.p == pytest.approx([50.5 + 4 * TURN, -100.0], abs=1e-10)


@kernel
def height(t: Floats, x: Floats, p: Floats, values: Floats) -> None:
    """Guard the way that is left to an angle of 2.1 turns."""
    values[0] = 2.1 * TURN - x[0]
    values[1] = -x[1]


@pytest.mark.parametrize("method", ALL)
def test_after_a_warning_the_angles_are_those_before(method):
    run = SPRING.integrate(method, record=True, guard=native(height), guarded=1)
    assert run.advance(10.0, grid=np.linspace(0.0, 10.0, 1001)) is Outcome.GUARD_TRIPPED
    time, state = run.before
    assert 0.3 < time < run.time
    assert run.p.tolist() == run.angles_before.tolist()
    kept = run.record[:, 0] <= time
    assert state.tolist() == run.record[kept][-1, 1:].tolist()
    assert run.p == pytest.approx(run.record[kept][-1, 1:2], abs=1e-12)
    assert kept.sum() == len(kept) - 1
    assert run.recorded_angles[kept][-1].tolist() == run.p.tolist()
    assert np.isnan(run.recorded_angles[-1]).all()
    assert run.samples_written == np.count_nonzero(np.linspace(0.0, 10.0, 1001) <= time)


@pytest.mark.parametrize("method", ALL)
def test_before_is_the_beginning_of_the_last_step(method):
    run = SPIN.integrate(method, max_step=0.3)
    run.advance(3.0)
    time, state = run.before
    assert time < 3.0
    np.testing.assert_allclose(
        run.angles_before, SPIN.exact(time, state)[0], rtol=0, atol=1e-10
    )


# θ = x₀ + x₁; the second state takes over five radians at a time, by a jump
CHART = Wound(
    LaneProblem(lambda t, x, p: (10.0, 0.0), (0.0, 0.0)), lambda t, x: [x[0] + x[1]]
)


@kernel
def change_over(t: Floats, x: Floats, p: Floats) -> None:
    if x[0] > 5.0:
        x[0] -= 5.0
        x[1] += 5.0


@kernel
def not_too_often(t: Floats, x: Floats, p: Floats, values: Floats) -> None:
    values[0] = 1.0 if x[1] < 17.0 else 0.0
    values[1] = 0.0


@pytest.mark.parametrize("method", ALL)
def test_a_state_that_jumps_takes_its_turns_along(method):
    options = {"project": native(change_over), "max_step": 0.1, "record": True}
    grid = np.linspace(0.0, 3.0, 31)
    run = CHART.integrate(method, **options)
    assert run.advance(3.0, grid=grid) is Outcome.REACHED
    assert run.state[1] >= 20.0 and run.statistics.astray == 0
    np.testing.assert_allclose(run.angles[:, 0], 10.0 * grid, rtol=0, atol=1e-11)
    guarded = CHART.integrate(method, guard=native(not_too_often), guarded=1, **options)
    assert guarded.advance(3.0) is Outcome.GUARD_TRIPPED
    # the value is low right after the jump; the way back is the step before
    time, _ = guarded.before
    assert 1.8 < time < guarded.time < 2.2
    assert guarded.p == pytest.approx([10.0 * time], abs=1e-11)
    assert guarded.angles_before.tolist() == guarded.p.tolist()


def test_a_stiff_system_takes_its_turns_along():
    # parameters: the stiffness, then the reference
    t, x, given = casadi.SX.sym("t"), casadi.SX.sym("x", 2), casadi.SX.sym("p", 2)
    rates = casadi.vertcat(*VAN_DER_POL.rates(t, x, given))
    angle = 20.0 * x[0] + 3.0 * t
    out = casadi.vertcat(within_half_a_turn(angle, given[1]), 20.0 * rates[0] + 3.0)
    rhs = compile_function(casadi.Function("rhs", [t, x, given], [rates]))
    lanes = compile_function(casadi.Function("rhs", [t, x, given], [rates]), width=4)
    unwrap = compile_function(
        casadi.Function("unwrap", [t, x, given], [casadi.densify(out)])
    )
    for method in ("dopri5", "dop853", "gbs"):
        run = Integration(
            METHODS[method],
            rhs,
            VAN_DER_POL.start,
            rhs_lanes=lanes,
            p=np.array([1000.0, 40.0]),
            unwrap=unwrap,
            unwrapped=1,
            unwrapped_at=1,
            record=True,
            stiff_method="bdf",
        )
        assert run.advance(900.0, grid=[0.0, 450.0, 900.0]) is Outcome.REACHED
        names = [
            name for _, name in run.statistics.switches
        ]  # in the fast phase it may return
        assert names[0] == names[-1] == "bdf"
        record = run.record
        expected = 20.0 * record[:, 1] + 3.0 * record[:, 0]
        np.testing.assert_allclose(run.recorded_angles[:, 0], expected, rtol=0, atol=1e-10)
        np.testing.assert_allclose(run.angles[-1], expected[-1:], rtol=0, atol=1e-10)
        assert run.p[0] == 1000.0


# --- angles that cannot be unwrapped --------------------------------------------------------


def test_an_angle_that_jumps_is_told():
    jump = LaneProblem(lambda t, x, p: (1.0,), (0.0,))
    unwrapped = Wound(jump, lambda t, x: [casadi.if_else(x[0] > 0.6, 2.0, 0.0) + x[0]])
    run = unwrapped.integrate("dop853")
    assert run.advance(1.0, grid=[0.5, 0.7, 1.0]) is Outcome.REACHED
    assert run.statistics.astray == 1
    assert run.angles[:, 0] == pytest.approx([0.5, 2.7, 3.0], abs=1e-12)


def test_an_angle_that_is_no_number_stays_where_it_was():
    unwrapped = Wound(
        LaneProblem(lambda t, x, p: (1.0,), (0.0,)), lambda t, x: [casadi.asin(2.0 * x[0])]
    )
    run = unwrapped.integrate("dop853", max_step=0.1)
    assert run.advance(1.0, grid=[0.2, 1.0]) is Outcome.REACHED
    assert run.statistics.astray > 0
    assert run.angles[0, 0] == pytest.approx(np.arcsin(0.4), abs=1e-12)
    assert np.isfinite(run.angles).all() and np.isfinite(run.p).all()


# --- the same in plain Python ---------------------------------------------------------------


@kernel
def wind_rotation(t: Floats, x: Floats, p: Floats, out: Floats) -> None:
    """Write 30 x₀ + 5 t and −t², near the references p₁ and p₂."""
    for k in range(2):
        angle = 30.0 * x[0] + 5.0 * t[0] if k == 0 else -t[0] * t[0]
        out[k] = angle - TURN * floor((angle - p[1 + k]) / TURN + 0.5)
    out[2] = 30.0 * x[1] + 5.0
    out[3] = -2.0 * t[0]


@pytest.mark.parametrize("method", [method for method in ALL if method != "gbs"])
def test_plain_python_and_machine_code_agree(method):
    grid = np.array([0.0, 0.3, 0.31, 1.0, 4.0])
    options = {"rtol": 1e-5, "atol": 1e-5, "step": STEP.get(method), "record": True}
    options |= {"unwrap": native(wind_rotation), "unwrapped": 2, "unwrapped_at": 1}
    fast, slow = (
        make_integration(method, native(rotation), [0.0, 1.0], p=np.zeros(3), **options)
        for _ in range(2)
    )
    outcome = fast.advance(4.0, grid=grid)
    slow._w.t_stop = 4.0
    slow._m.budget = 10**9
    slow._m.grid_count = len(grid)
    rows = np.zeros((len(grid), 4))
    ode = Ode(rotation, None, None, slow.p)
    out = Output(grid, rows.reshape(-1), slow._room.reshape(-1))
    code = slow.method.advance(True, False)(
        2, slow._w, slow._m, ode, out, None, slow._memory, wind_rotation, None
    )
    assert OUTCOMES[code] is outcome is Outcome.REACHED
    assert slow.statistics == fast.statistics and fast.statistics.steps >= 5
    exact = np.column_stack([30.0 * fast.samples[:, 0] + 5.0 * grid, -grid * grid])
    np.testing.assert_allclose(fast.angles, exact, rtol=0, atol=1e-12)
    np.testing.assert_allclose(rows[:, :2], fast.samples, rtol=0, atol=1e-12)
    np.testing.assert_allclose(rows[:, 2:], fast.angles, rtol=0, atol=3e-11)
    np.testing.assert_allclose(slow.p, fast.p, rtol=0, atol=3e-11)
    t, x, _ = slow.record.T  # rounding moves the times of the steps
    steps = np.column_stack([30.0 * x + 5.0 * t, -t * t])
    np.testing.assert_allclose(slow.recorded_angles, steps, rtol=0, atol=1e-12)


@pytest.mark.slow
def test_plain_python_and_machine_code_agree_in_lanes():
    fast, slow = (SPRING.integrate("gbs") for _ in range(2))
    grid = np.array([0.0, 0.3, 2.0])
    fast.advance(2.0, grid=grid)
    slow._w.t_stop = 2.0
    slow._m.budget = 10**9
    slow._m.grid_count = len(grid)
    rows = np.zeros((len(grid), 3))

    def unwrap(t, x, p, out):
        out[:2] = SPRING.unwrap(t[:1], x[:2], p)

    ode = Ode(SPRING.problem.plain_lanes, None, None, slow.p)
    out = Output(grid, rows.reshape(-1), np.zeros(0))
    code = slow.method.advance(True, False)(
        2, slow._w, slow._m, ode, out, None, slow._memory, unwrap, None
    )
    assert OUTCOMES[code] is Outcome.REACHED
    # rounding moves the steps, which forces that depend on full turns keep short
    np.testing.assert_allclose(rows[:, 2:], fast.angles, rtol=0, atol=1e-8)
    np.testing.assert_allclose(slow.p, fast.p, rtol=0, atol=1e-8)
    width = slow.method.size(2)
    assert slow._w[width:].tolist() == [slow.p[0]] * 4


# --- refusals and costs ---------------------------------------------------------------------


def test_angles_that_do_not_fit_are_refused():
    refused: list[dict[str, Any]] = [
        {"unwrapped": 1},
        {"unwrap": SPIN.unwrap},
        {"unwrap": SPIN.unwrap, "unwrapped": 2},
        {"unwrap": SPIN.unwrap, "unwrapped": 1, "unwrapped_at": 1},
        {"unwrap": SPIN.unwrap, "unwrapped": 1, "unwrapped_at": -1},
    ]
    for options in refused:
        with pytest.raises(SimulationError, match="cannot unwrap"):
            make_integration("dopri5", native(rotation), [0.0, 1.0], **options)


def test_a_first_step_that_is_not_allowed_is_refused():
    for step, options in (
        (-0.1, {}),
        (0.0, {}),
        (np.nan, {}),
        (0.2, {"max_step": 0.1}),
        (0.01, {"min_step": 0.1}),
    ):
        with pytest.raises(SimulationError, match="cannot begin with step"):
            make_integration("dopri5", native(rotation), [0.0, 1.0], step=step, **options)
    with pytest.raises(SimulationError, match="cannot begin with step"):
        make_integration("rk4", native(rotation), [0.0, 1.0], step=0.2, max_step=0.1)


def test_a_method_of_lanes_says_which_other_to_take():
    with pytest.raises(SimulationError) as found:
        make_integration("gbs", native(rotation), [0.0, 1.0])
    assert "'dop853': gbs needs equations without an iteration inside" in str(found.value)


def test_time_spent_in_making_code_is_told():
    def slowly(what):
        clock.sleep(0.05)
        return what

    run = make_integration(
        "auto",
        lambda: slowly(VAN_DER_POL.rhs),
        VAN_DER_POL.start,
        p=np.array([1000.0]),
        jacobian=lambda: slowly(VAN_DER_POL.jacobian),
    )
    before = run.statistics.compile_time
    assert before >= 0.05
    run.advance(100.0)
    after = run.statistics
    assert after.switches
    # both functions are made at the switch, within the run
    assert after.compile_time - before >= 0.1
