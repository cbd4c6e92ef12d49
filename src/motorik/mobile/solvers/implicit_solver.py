"""ImplicitConstraintSolver: any number of closure conditions, solved by iteration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from motorik.algebra.linear_system import (
    SingularError,
    negated,
    solve_linear,
    transposed,
)
from motorik.algebra.scalar import Scalar, is_number
from motorik.errors import AssemblyError, LoopError
from motorik.mobile.chords.chord import Chord
from motorik.mobile.chords.lists import ChordList
from motorik.mobile.elements.jacobian import Rows, columns
from motorik.mobile.solvers.constraint_solver import ConstraintSolver
from motorik.mobile.solvers.following import Followed, determinant_sign, refuse_branch
from motorik.mobile.solvers.newton import NewtonMethod
from motorik.mobile.solvers.tracing import TracedLoop, current
from motorik.mobile.states.preserved import preserved
from motorik.mobile.states.transmission import Element, Subtask
from motorik.mobile.states.variable import StateVariable


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
