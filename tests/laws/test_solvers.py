"""What is true of every solver of loops, by formula or by iteration."""

from __future__ import annotations

import casadi
import numpy as np
import pytest

from motorik.algebra.vector import Vector
from motorik.compiler import compile_function
from motorik.mobile import (
    ChordBranch,
    Frame,
    Subtask,
    jacobian_by_columns,
    jacobian_by_rows,
)
from motorik.mobile.solvers.tracing import TracedLoop, recording
from tests.laws.loops import LOOPS, Loop, shaker_by_joint, shaker_by_segment

every_loop = pytest.mark.parametrize("name", LOOPS)
SHIFT, SPEED, ACCELERATION = 0.1, 0.6, -0.7


class Notes:
    """A recorder: unknowns become symbols, residuals are noted."""

    def __init__(self) -> None:
        self.symbols: list[casadi.SX] = []
        self.residuals: list[casadi.SX] = []

    def solve(self, closure: TracedLoop) -> list[casadi.SX]:
        symbols = [casadi.SX.sym(unknown.name) for unknown in closure.unknowns]
        self.symbols += symbols
        self.residuals += closure.residual(symbols)
        return symbols


def close(found, expected, atol: float) -> None:
    """Assert that nothing differs by more than `atol`."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def moved(name: str) -> Loop:
    """Return the loop a little away from where it starts, in motion and under load."""
    loop = LOOPS[name]()
    (x,) = loop.inputs
    loop.chain.motion(Subtask.POSITION)
    x.q, x.qd, x.qdd = x.q + SHIFT, SPEED, ACCELERATION
    loop.chain.motion()
    load(loop)
    return loop


def load(loop: Loop) -> None:
    """Load the first output and transmit the force."""
    loop.chain.clear_forces()
    K = loop.outputs[0]
    assert isinstance(K, Frame)
    K.f, K.t = K.R.T @ Vector(3.0, -1.0, 2.0), K.R.T @ Vector(-2.0, 1.5, 1.0)
    loop.chain.force()


def quantities(loop: Loop) -> list[list]:
    """Return positions, velocities, accelerations and forces of all variables."""
    variables = [*loop.inputs, *loop.unknowns]
    return [[getattr(v, n) for v in variables] for n in ("q", "qd", "qdd", "Q")]


@every_loop
def test_the_loop_is_closed_at_all_levels(name):
    loop = moved(name)
    for solver in solvers_of(loop.chain):
        for state in solver.chords.states:
            close([state.q, state.qd, state.qdd], 0.0, 2e-15)


def solvers_of(element) -> list:
    """Return the solvers in a chain and inside of one another."""
    if hasattr(element, "chords"):
        return [element, *solvers_of(element.dependent)]
    return [s for e in getattr(element, "elements", ()) for s in solvers_of(e)]


@every_loop
def test_velocity_is_the_rate_of_position_and_acceleration_that_of_velocity(name):
    # by central differences of fourth order along the motion x(t) = x + ẋ t + ½ ẍ t²
    loop = moved(name)
    (x,) = loop.inputs
    _, qd, qdd, _ = (np.array(row) for row in quantities(loop))
    V, A = loop.outputs[0].V.numpy(), loop.outputs[0].A.numpy()
    h, q0 = 5e-4, x.q
    seen = {}
    for k in (-2, -1, 1, 2):
        t = k * h
        x.q, x.qd = q0 + SPEED * t + 0.5 * ACCELERATION * t * t, SPEED + ACCELERATION * t
        loop.chain.motion(Subtask.POSITION | Subtask.VELOCITY)
        q, v, *_ = (np.array(row) for row in quantities(loop))
        seen[k] = np.concatenate([q, v, loop.outputs[0].V.numpy()])
    rate = (8.0 * (seen[1] - seen[-1]) - (seen[2] - seen[-2])) / (12.0 * h)
    n = len(qd)
    close(rate[:n], qd, 1e-10)
    close(rate[n : 2 * n], qdd, 1.5e-9)
    close(rate[2 * n :], A, 7e-10)
    assert np.linalg.norm(V) > 1e-2  # there is motion to be seen


@every_loop
def test_force_is_the_transpose_of_velocity(name):
    loop = moved(name)
    (x,) = loop.inputs
    x.qd = 1.0
    loop.chain.motion(Subtask.VELOCITY)
    columns = [e for o in loop.outputs for e in velocity(o)]
    rows = jacobian_by_rows(loop.chain, loop.inputs, loop.outputs)
    close(np.ravel(rows), columns, 4e-15)
    by_euler = jacobian_by_columns(loop.chain, loop.inputs, loop.outputs)
    close(np.ravel(by_euler), columns, 4e-15)


def velocity(state) -> tuple:
    return state.V.components if isinstance(state, Frame) else (state.qd,)


@every_loop
def test_nothing_is_left_on_the_unknowns(name):
    loop = moved(name)
    close([unknown.Q for unknown in loop.unknowns], 0.0, 3e-15)
    assert abs(loop.inputs[0].Q) > 1e-3


@every_loop
def test_terms_of_the_acceleration_add_up_and_can_be_reused(name):
    loop = moved(name)
    whole, A = np.array(quantities(loop)[2]), loop.outputs[0].A.numpy()
    loop.chain.motion(Subtask.EULER)
    euler, A_euler = np.array(quantities(loop)[2]), loop.outputs[0].A.numpy()
    loop.chain.motion(Subtask.CORIOLIS)
    coriolis, A_coriolis = np.array(quantities(loop)[2]), loop.outputs[0].A.numpy()
    n = len(loop.inputs)
    close((euler + coriolis)[n:], whole[n:], 3e-15)
    close(A_euler + A_coriolis, A, 3e-15)
    loop.chain.motion(Subtask.COMPUTE_CORIOLIS)
    close(loop.outputs[0].A.numpy(), A_coriolis, 0.0)
    loop.chain.motion(Subtask.EULER | Subtask.USE_CORIOLIS)
    close(quantities(loop)[2], whole, 0.0)
    close(loop.outputs[0].A.numpy(), A, 0.0)


@pytest.mark.kinds(8)
@every_loop
def test_numbers_are_what_is_traced_and_what_runs_natively(name):
    numbers = moved(name)
    loop = LOOPS[name]()
    loop.chain.motion(Subtask.POSITION)  # a branch is chosen by its guess on numbers
    given = casadi.SX.sym("x", 3)
    (x,) = loop.inputs
    x.q, x.qd, x.qdd = casadi.vertsplit(given)
    notes = Notes()
    with recording(notes):
        loop.chain.motion()
        load(loop)
    symbols = casadi.vertcat(*notes.symbols)
    outputs = [casadi.vertcat(*row) for row in quantities(loop)]
    outputs.append(casadi.vertcat(*notes.residuals))
    function = casadi.Function("loop", [given, symbols], outputs)
    native = compile_function(function, cache=False)
    (y,) = numbers.inputs
    solved = {unknown.name: unknown.q for unknown in numbers.unknowns}
    arguments = [[y.q, y.qd, y.qdd], [solved[s.name()] for s in notes.symbols]]
    expected = [*quantities(numbers), np.zeros(len(notes.residuals))]
    for number, symbol in zip(expected, function(*arguments), strict=True):
        close(symbol.full().ravel(), number, 2e-14)
    for number, machine in zip(expected, native(*arguments), strict=True):
        close(np.ravel(machine), number, 2e-14)


@pytest.mark.slow
def test_formulas_and_iteration_agree_over_a_turn_of_the_shaker():
    by_formula, by_iteration = shaker_by_segment(), shaker_by_joint()
    for angle in np.linspace(0.0, 2.0 * np.pi, 25):
        for loop in (by_formula, by_iteration):
            (x,) = loop.inputs
            x.q, x.qd, x.qdd = float(angle), 1.0, 0.5
            loop.chain.motion()
            load(loop)
        for one, other in zip(
            quantities(by_formula), quantities(by_iteration), strict=True
        ):
            close(one, other, 1e-14)
        for K, L in zip(by_formula.outputs[:1], by_iteration.outputs[:1], strict=True):
            close(K.X.numpy(), L.X.numpy(), 1e-15)
            close(K.A.numpy(), L.A.numpy(), 1e-15)


def test_branches_named_as_in_the_users_guide_change_nothing_that_counts():
    I, II, III = ChordBranch.I, ChordBranch.II, ChordBranch.III
    core = {"where_unknown": III, "where_force": II, "where_input": I | II}
    rest = {"where_unknown": I, "where_force": II | III, "where_input": III}
    named, plain = shaker_by_segment(core=core, rest=rest), shaker_by_segment()
    for angle in (0.3, 2.0, 5.0):
        for loop in (named, plain):
            (x,) = loop.inputs
            x.q, x.qd, x.qdd = angle, 1.0, 0.5
            loop.chain.motion()
            load(loop)
        for one, other in zip(quantities(named)[:3], quantities(plain)[:3], strict=True):
            close(one, other, 0.0)
        close(named.inputs[0].Q, plain.inputs[0].Q, 1e-15)
