"""Algebraic loops: friction beside forces that are nonlinear functions of measured quantities.

A law such as k tanh(a) of a measured acceleration a makes the accelerations nonlinear functions of
the contact forces λ. With the tearing variables y (the measured values) fixed, the mechanism
responds linearly, and in given modes the forces follow in closed form, λ = Λ(y). The loop equation
y = r(Λ(y), y) is solved by Newton's method: as many unknowns as tearing variables, whatever sticks.
Only where bounds depend on forces, these are unknowns as well. Events need tangents: with
(1 − ∂r/∂y) Z = ∂r/∂λ, tearing variables change by Z dλ.

Impulses see the tearing variables frozen: the force of such a law is finite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, add, mul
from motorik.compiler.symbols import elements, table
from motorik.components.base.contributions import ForceBounds
from motorik.immutable import immutable
from motorik.motion.feedback import (
    AlgebraicLoop,
    algebraic_loop_in,
    solve_square,
    square_factors,
)
from motorik.motion.view import MotionView
from motorik.nonsmooth.laws.force_bounds import KINDS, Entries, Linearisation, Tangents
from motorik.nonsmooth.laws.forces import LinearResponse, NonsmoothConstraints
from motorik.numerics.newton import nearest
from motorik.numerics.traced_newton import seen_by, solve_newton

if TYPE_CHECKING:
    import casadi

    from motorik.compiled_model import CompiledModel


PER_BOUNDS = len(fields(ForceBounds))


def response_in(
    nonsmooth: NonsmoothConstraints,
    motion: MotionView,
    values: Sequence[Scalar],
    moved: Callable[[list[Scalar]], MotionView] | None = None,
) -> LinearResponse | LoopResponse:
    """Return how values and accelerations depend on forces, with algebraic loops solved.

    Tearing variables are unknowns in the motion. `moved(values)` is the motion that has these
    values, if they determine accelerations.
    """
    import casadi

    n, m = len(values), nonsmooth.size
    rates, bounds = nonsmooth.accelerations(motion), nonsmooth.bounds(motion)
    all_bounds = [getattr(own, one.name) for own in bounds for one in fields(ForceBounds)]
    column = casadi.SX(casadi.vertcat(*values, *rates, *all_bounds))
    found = algebraic_loop_in(motion, column)
    if not found.y:
        return nonsmooth.linear_response(values, rates, bounds, moved)
    if found.is_nonlinear and casadi.depends_on(found.readings, nonsmooth.symbols):
        plain = nonsmooth.linear_response(values, rates, bounds, moved)
        return LoopResponse(plain, found, len(motion.z) if moved is not None else 0)
    seen = seen_by(column, found.symbols)(found.solved())
    split = iter(seen[n + m :])
    bounds = [ForceBounds(*(next(split) for _ in range(PER_BOUNDS))) for _ in range(m)]
    return nonsmooth.linear_response(seen[:n], seen[n : n + m], bounds, moved)


@immutable
class TornEquations:
    """The equations before algebraic loops are solved: values by symbols of tearing variables.

    Of each tearing variable its symbol, its measured value, and its name.
    """

    values: list[Scalar]
    symbols: list[Scalar]
    readings: list[Scalar]
    names: list[str]

    @staticmethod
    def of(
        nonsmooth: NonsmoothConstraints | None, motion: MotionView, values: Sequence[Scalar]
    ) -> TornEquations:
        """Return the equations of a motion with unknown tearing variables."""
        import casadi

        every = list(values)
        if nonsmooth is not None:
            bounds = nonsmooth.bounds(motion)
            every += [
                getattr(own, one.name) for own in bounds for one in fields(ForceBounds)
            ]
        found = algebraic_loop_in(motion, casadi.SX(casadi.vertcat(*every)))
        return TornEquations([*every, *found.r], found.y, found.r, found.names)


@immutable
class LoopResponse:
    """How values and accelerations of constraints depend on forces λ within algebraic loops.

    `plain` has the tearing variables as symbols; the last `n_blocks` values are rates of block
    states.
    """

    plain: LinearResponse
    feedback: AlgebraicLoop
    n_blocks: int

    @property
    def bounds(self) -> list[ForceBounds]:
        """The force bounds, in terms of forces and tearing variables."""
        return self.plain.bounds

    @property
    def _symbols(self) -> casadi.SX:
        import casadi

        return casadi.SX(
            casadi.vertcat(self.plain.nonsmooth.symbols, self.feedback.symbols)
        )

    @cached_property
    def _solution(self) -> tuple[list[Scalar], list[Scalar]]:
        """Forces and tearing variables in the present modes."""
        import casadi

        plain, found = self.plain, self.feedback
        forces, unknowns = self._forces_by_tearing(), found.symbols
        own = casadi.SX(casadi.vertcat(*forces))
        r = casadi.substitute(found.readings, plain.nonsmooth.symbols, own)
        if plain.coupled_bounds is not None:
            unknowns = casadi.SX(casadi.vertcat(unknowns, plain.nonsmooth.symbols))
            r = casadi.SX(casadi.vertcat(r, own))
        solved = solve_newton(r, unknowns, solve_square)
        return seen_by(own, unknowns)(solved), solved[: len(found.y)]

    def _forces_by_tearing(self) -> list[Scalar]:
        """Return the forces in the present modes, by tearing variables and coupled forces."""
        plain, nonsmooth = self.plain, self.plain.nonsmooth
        if plain.coupled_bounds is None:
            return plain.forces
        sliding = plain.sliding_by(plain.bounds)
        tangents = Tangents(plain.D, plain.b, sliding, {}, nonsmooth.sharing)
        return tangents.forces(nonsmooth.stick)

    @property
    def forces(self) -> list[Scalar]:
        """The forces in the present modes."""
        return self._solution[0]

    def under_forces(self, values: Sequence[Scalar]) -> list[Scalar]:
        """Return quantities that may depend on forces and loops, in the present modes."""
        import casadi

        column, symbols = casadi.SX(casadi.vertcat(*values)), self._symbols
        if not casadi.depends_on(column, symbols):
            return list(values)
        forces, readings = self._solution
        return seen_by(column, symbols)([*forces, *readings])

    @property
    def _rates(self) -> list[Scalar]:
        """The rates of the speeds of all constraints, in terms of forces and tearing variables."""
        forces = elements(self.plain.nonsmooth.symbols)
        return _plus(self.plain.b, self.plain.D, forces)

    @property
    def accelerations(self) -> list[Scalar]:
        """The rates of the speeds of all constraints in the present modes."""
        return self.under_forces(self._rates)

    def solved(self) -> list[Scalar]:
        """Return the values in the present modes, sticking constraints without acceleration."""
        return self.plain.without_drift(self.under_forces(self.plain.values))

    def stopping_impulses(self, speeds: Sequence[Scalar]) -> list[Scalar]:
        """Return the impulses that stop the sticking constraints."""
        return self.plain.stopping_impulses(speeds)

    def change_by(self, impulses: Sequence[Scalar]) -> list[Scalar]:
        """Return the change of the values by impulses; block states see measured values."""
        import casadi

        plain, y = self.plain, self.feedback.symbols
        changes = plain.change_by(impulses)
        if self.n_blocks:
            forces, first = plain.nonsmooth.symbols, len(changes) - self.n_blocks
            blocks = casadi.vertcat(*plain.values[first:])
            by_force = casadi.mtimes(
                casadi.jacobian(blocks, y), casadi.jacobian(self.feedback.readings, forces)
            )
            changes[first:] = _plus(changes[first:], table(by_force), impulses)
        at_zero = casadi.SX.zeros(*y.shape)
        return elements(casadi.substitute(casadi.SX(casadi.vertcat(*changes)), y, at_zero))

    @property
    def linearisation(self) -> Linearisation:
        """Tangents at the forces, with the tearing variables under these."""
        import casadi

        plain, found = self.plain, self.feedback
        forces, y, m = plain.nonsmooth.symbols, found.symbols, plain.nonsmooth.size
        all_bounds = [getattr(own, kind) for kind in KINDS for own in plain.bounds]
        column = casadi.SX(casadi.vertcat(*self._rates, *all_bounds))
        slopes = casadi.jacobian(column, forces) + casadi.mtimes(
            casadi.jacobian(column, y), self._tearing_by_force()
        )
        entries = table(slopes)
        values = casadi.SX(casadi.vertcat(column, *entries.values()))
        seen = seen_by(values, y)(found.solved())
        here = seen[: column.numel()]
        entries = dict(zip(entries, seen[len(here) :], strict=True))
        against = {place: mul(-1.0, value) for place, value in entries.items()}
        at_zero = _plus(here, against, elements(forces))
        of_kinds = [
            {(i - c * m, j): v for (i, j), v in entries.items() if c * m <= i < (c + 1) * m}
            for c in range(1 + len(KINDS))
        ]
        kinds = range(1, 1 + len(KINDS))
        bounds = [
            ForceBounds(*(at_zero[c * m + k] for c in kinds), on=own.on)
            for k, own in enumerate(plain.bounds)
        ]
        slopes_of: dict[str, Entries] = dict(zip(KINDS, of_kinds[1:], strict=True))
        return Linearisation(
            bounds, slopes_of, at_zero[:m], of_kinds[0], True, self._frozen
        )

    @property
    def _frozen(self) -> tuple[Entries, ...]:
        """D and the slopes of bounds with frozen tearing variables, as impulses see them."""
        import casadi

        plain, y = self.plain, self.feedback.symbols
        coupled_bounds = plain.coupled_bounds
        slopes = (
            [{} for _ in KINDS]
            if coupled_bounds is None
            else [coupled_bounds.slopes[k] for k in KINDS]
        )
        at_zero = casadi.SX.zeros(*y.shape)

        def saturated(entries: Entries) -> Entries:
            column = casadi.SX(casadi.vertcat(casadi.SX(0, 1), *entries.values()))
            values = elements(casadi.substitute(column, y, at_zero))
            return dict(zip(entries, values, strict=True))

        return tuple(saturated(own) for own in (plain.D, *slopes))

    def _tearing_by_force(self) -> casadi.SX:
        """Return how tearing variables change with forces."""
        import casadi

        r, y = self.feedback.readings, self.feedback.symbols
        n, m = y.numel(), self.plain.nonsmooth.size
        J = table(casadi.SX(casadi.SX.eye(n) - casadi.jacobian(r, y)))
        factors = square_factors(J, n)
        by_force = casadi.densify(casadi.jacobian(r, self.plain.nonsmooth.symbols))
        columns = [factors.solve(elements(by_force[:, k])) for k in range(m)]
        return casadi.horzcat(*(casadi.vertcat(*column) for column in columns))


def _plus(values: Sequence[Scalar], by: Entries, change: Sequence[Scalar]) -> list[Scalar]:
    """Return values + matrix · change."""
    result = list(values)
    for (i, k), slope in by.items():
        result[i] = add(result[i], mul(slope, change[k]))
    return result


# --- unsolvable loops ----------------------------------------------------------------------


def nearest_solution(system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray) -> str:
    """Return a message with the values that come nearest to solving a loop, "" without any.

    "meter.a = 1.25 would be read as 1.969".
    """
    import casadi

    equations = system.equations
    time, states = equations.symbols("t", "x")
    found = equations.form.torn_equations(
        time, elements(states), equations.branch_parameters
    )
    if not found.symbols:
        return ""
    y, r = (casadi.SX(casadi.vertcat(*own)) for own in (found.symbols, found.readings))
    given = [y, time, states, equations.p]
    function = casadi.Function("read", given, [y - r, casadi.jacobian(y - r, y)])

    def missing(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        gap, slopes = function(at, t, x, p)
        return np.asarray(gap).ravel(), np.asarray(casadi.DM(slopes).full())

    begin, ones = -missing(np.zeros(len(found.symbols)))[0], np.ones(len(found.symbols))
    here = nearest(missing, begin, ones > 0.0, ones)
    gap = missing(here)[0]
    if not np.isfinite(gap).all():
        return ""
    worst = int(np.abs(gap).argmax())
    tried, read = here[worst], here[worst] - gap[worst]
    return f"{found.names[worst]} = {tried:.4g} would be read as {read:.4g}"
