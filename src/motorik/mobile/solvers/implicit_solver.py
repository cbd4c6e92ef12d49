"""ImplicitConstraintSolver: any number of closure conditions, solved by iteration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import atan2, cos, sin
from typing import Any

import numpy as np

from motorik.algebra.linear_system import SingularError, negated, solve_linear, transposed
from motorik.algebra.matrix import Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about, vee
from motorik.algebra.scalar import Scalar, is_number
from motorik.algebra.vector import Vector
from motorik.errors import AssemblyError, LoopError
from motorik.mobile.chords.chord import Chord
from motorik.mobile.chords.lists import ChordList
from motorik.mobile.elements.jacobian import Rows, columns
from motorik.mobile.solvers.constraint_solver import ConstraintSolver
from motorik.mobile.solvers.newton import NewtonMethod
from motorik.mobile.solvers.tracing import TracedLoop, current
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.preserved import preserved
from motorik.mobile.states.transmission import Element, State, Subtask
from motorik.mobile.states.variable import LinearVariable, StateVariable
from motorik.numerics.continuation import contract, work_size
from motorik.numerics.tolerances import PARALLEL, QUADRATIC_STEP

# --- loops followed along a path of their inputs ------------------------------------------


SHORTEST = 1e-3  # part of the path

Measure = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Residuals and Jacobian of a loop for given unknowns."""


class Followed:
    """Where a loop was closed last: its inputs, its unknowns, the sign of its determinant.

    Two solutions of a loop that meet at a dead centre have different signs.
    """

    def __init__(self, inputs: Sequence[State], q: Sequence[float], sense: float) -> None:
        self._places = [(state, _place(state)) for state in inputs]
        self.q, self.sense = list(q), sense

    def fits(self, unknowns: Sequence[StateVariable], inputs: Sequence[State]) -> bool:
        """Return whether the unknowns are still there, and everything is a number."""
        return (
            [unknown.q for unknown in unknowns] == self.q
            and [id(state) for state in inputs] == [id(state) for state, _ in self._places]
            and all(is_number(x) for state in inputs for x in _numbers(state))
        )

    def follow(
        self, measure: Measure, unknowns: Sequence[StateVariable]
    ) -> tuple[np.ndarray, float] | None:
        """Return the unknowns at the present inputs and the sign there; None at a dead centre.

        The frames that move the loop go from where they were to where they are now by screw
        motions, which is how a crank leads them. The way is divided until Newton's method
        contracts.
        """
        now = [(state, _place(state)) for state, _ in self._places]
        ways = [
            _way(before, after)
            for (_, before), (_, after) in zip(self._places, now, strict=True)
        ]
        scales = np.array([_scale(unknown, now) for unknown in unknowns])
        q, sense, done, part = np.array(self.q), self.sense, 0.0, 1.0
        try:
            while done < 1.0:
                goal = min(1.0, done + part)
                for (state, place), way in zip(now, ways, strict=True):
                    _put(state, place if goal == 1.0 else way(goal))
                found = _converge(measure, q, scales, sense)
                if found is not None:
                    (q, sense), done, part = found, goal, 2.0 * part
                elif part < SHORTEST:
                    return None
                else:
                    part *= 0.5
        finally:
            for state, place in now:
                _put(state, place)
        return q, sense


def determinant_sign(J: object) -> float:
    """Return the sign of the determinant of a Jacobian."""
    return float(np.linalg.slogdet(np.array(J, dtype=float))[0])


def _converge(
    measure: Measure, q: np.ndarray, scales: np.ndarray, sense: float
) -> tuple[np.ndarray, float] | None:
    """Return where Newton's method contracts to, and the sign of the determinant there."""

    def residual(_: np.ndarray, at: np.ndarray, g: np.ndarray, J: np.ndarray) -> None:
        f, slopes = measure(at.copy())
        g[:n], J[: n * n] = f, slopes.T.ravel()

    n, x, sign = q.size, q.copy(), np.array([sense])
    first, work = np.zeros(1), np.zeros(work_size(n))
    with np.errstate(all="ignore"):
        found = contract(
            n, residual, first, x, x, scales, sign, first, QUADRATIC_STEP, work
        )
    return (x, float(sign[0])) if found else None


def _scale(unknown: StateVariable, places: Sequence[tuple[State, object]]) -> float:
    """Return the scale of a large change: a radian, or the size of the loop."""
    if not isinstance(unknown, LinearVariable):
        return 1.0
    points = [place.p.numpy() for _, place in places if isinstance(place, Pose)]
    size = float(np.ptp(np.array(points), axis=0).max()) if points else 0.0
    return max(size, abs(float(unknown.q))) or 1.0


def _place(state: State) -> Pose | float:
    return state.X if isinstance(state, Frame) else getattr(state, "q", 0.0)


def _put(state: State, place: Pose | float) -> None:
    if isinstance(state, Frame) and isinstance(place, Pose):
        state.X = place
    elif isinstance(state, StateVariable):
        state.q = place


def _numbers(state: State) -> Sequence[Any]:
    place = _place(state)
    return (*place.R.entries, *place.p.xyz) if isinstance(place, Pose) else (place,)


def _way(before: Pose | float, after: Pose | float) -> Callable[[float], Any]:
    """Return where a frame or a variable is at a part of its way."""
    if before is after:
        return lambda part: after
    if not (isinstance(before, Pose) and isinstance(after, Pose)):
        assert not isinstance(before, Pose) and not isinstance(after, Pose)
        return lambda part: before + part * (after - before)
    moved = before.inverse() @ after
    n, angle = _turn(moved.R)
    p = moved.p
    if angle < PARALLEL:
        return lambda part: before @ Pose(moved.R, part * p)
    along = n.dot(p) * n
    across = p - along
    centre = 0.5 * (across + (cos(0.5 * angle) / sin(0.5 * angle)) * n.cross(across))

    def at(part: float) -> Pose:
        R = rotation_about(n, part * angle)
        return before @ Pose(R, centre - R @ centre + part * along)

    return at


def _turn(R: Matrix) -> tuple[Vector, float]:
    """Return axis and angle of a rotation, from 0 to π."""
    sines = vee(R)
    angle = atan2(sines.norm(), 0.5 * (R.trace() - 1.0))
    if sines.norm() > 1e-6:
        return sines / sines.norm(), angle
    columns = np.array([row.xyz for row in R.rows]) + np.eye(3)  # 2 n nᵀ at half a turn
    n = columns[:, int(np.argmax(np.diag(columns)))]
    length = float(np.linalg.norm(n))
    return Vector(*(n / length).tolist()), angle


def refuse_branch(part: str) -> LoopError:
    """Return the error that a loop closes on another branch alone."""
    return LoopError(
        part,
        "the loop cannot be followed to these inputs: on the way there is a dead centre, and "
        "the solution found is on another branch.",
        "Move the inputs in shorter steps, or give the unknowns a guess on the branch wanted.",
    )


class ImplicitConstraintSolver(ConstraintSolver):
    """Closes loops by iteration: as many unknowns as the chords have states.

    `chain` leads from the unknowns to the frames of the chords; leave it out where the
    chords bring their chains. The iteration begins where the unknowns are: where they were
    set from outside, at any solution near them; else the last solution is followed along the
    motion of the inputs, on its branch. Velocities, accelerations and multipliers follow from
    the same Jacobian f_u.
    """

    def __init__(
        self,
        chords: Chord | ChordList | Iterable[Chord],
        unknowns: StateVariable | Iterable[StateVariable],
        chain: Element | None = None,
    ) -> None:
        chords = ChordList.of(chords)
        unknowns = (unknowns,) if isinstance(unknowns, StateVariable) else tuple(unknowns)
        self._jacobian: Rows | None = None
        self._is_measured = False  # all branches of the chords, in this traversal
        self._last: Followed | None = None
        super().__init__(chords, unknowns, chain)
        if len(chords.states) != len(unknowns):
            listing = "; ".join(f"{chord!r}: {len(chord.states)}" for chord in chords)
            raise AssemblyError(
                repr(self),
                f"{len(unknowns)} unknowns, but {len(chords.states)} measures that are to "
                f"vanish ({listing}).",
                "Give as many unknowns as measures.",
            )

    def solve_position(self) -> None:
        """Iterate until the chords vanish, or have the loop recorded."""
        self._is_measured = False
        closure = TracedLoop(repr(self), self.unknowns, self._residual, self._slopes)
        solver = current()
        if isinstance(solver, NewtonMethod):
            solution = self._follow(closure, solver)
        else:
            solution, self._last = solver.solve(closure), None
        for unknown, q in zip(self.unknowns, solution, strict=True):
            unknown.q = q
        self._jacobian = None

    def _follow(self, closure: TracedLoop, solver: NewtonMethod) -> Sequence[Scalar]:
        """Return the unknowns on the branch of the last solution, if there is one."""
        inputs, last = self.inputs, self._last
        is_known = last is not None and last.fits(self.unknowns, inputs)
        self._last, sense = None, 0.0
        if is_known:
            assert last is not None
            found = last.follow(solver.measure(closure), self.unknowns)
            if found is not None:
                q = found[0].tolist()
                self._last = Followed(inputs, q, found[1])
                self._residual(q)
                return q
            for unknown, guess in zip(self.unknowns, last.q, strict=True):
                unknown.q = guess
            sense = last.sense
        self._is_measured = False
        solution = solver.solve(closure)
        if all(is_number(q) for q in solution):
            found_sense = determinant_sign(self._slopes())
            if sense * found_sense < 0.0:
                raise refuse_branch(repr(self))
            self._last = Followed(inputs, solution, found_sense)
        return solution

    def _residual(self, q: Sequence[Scalar]) -> list[Scalar]:
        for unknown, value in zip(self.unknowns, q, strict=True):
            unknown.q = value
        self.chain.motion(Subtask.POSITION)
        self.chords.measure(Subtask.POSITION, every_branch=not self._is_measured)
        self._is_measured = True
        return [state.q for state in self.chords.states]

    def _slopes(self) -> Rows:
        """Return f_u where the chain is now."""
        with preserved(self.touched):
            for state in (*self.inputs, *self.unknowns):
                state.clear_acceleration()
            return columns(self._transmit, self.unknowns, self.chords.states)

    def _transmit(self) -> None:
        self.chain.motion(Subtask.EULER)
        self.chords.measure(Subtask.EULER)

    @property
    def jacobian(self) -> Rows:
        """f_u: the rows of the chords' states by the columns of the unknowns."""
        if self._jacobian is None:
            self._jacobian = self._slopes()
        return self._jacobian

    def solve_rates(self, f: Sequence[Scalar]) -> Sequence[Scalar]:
        """Return y with f_u y + f = 0."""
        return self._solve(self.jacobian, f)

    def solve_multipliers(self, Q: Sequence[Scalar]) -> Sequence[Scalar]:
        """Return λ with f_uᵀ λ + Q = 0."""
        return self._solve(transposed(self.jacobian), Q)

    def _solve(self, A: Rows, b: Sequence[Scalar]) -> list[Scalar]:
        try:
            return solve_linear(A, negated(b))
        except SingularError as error:
            at = ", ".join(f"{u.name or '?'} = {u.q:.6g}" for u in self.unknowns)
            raise LoopError(
                repr(self),
                f"the loop is at a dead centre ({at}): only {error.rank} of {error.size} "
                "measures change independently with the unknowns.",
                "Choose other unknowns, or keep the inputs away from this position.",
            ) from error
