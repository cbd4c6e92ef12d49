"""ExplicitConstraintSolver: one closure condition, solved for one unknown in closed form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import hypot, pi
from typing import ClassVar, NoReturn, cast

from motorik.algebra.angle import Angle
from motorik.algebra.scalar import (
    Scalar,
    add,
    arctan2,
    div,
    is_number,
    mul,
    neg,
    sign,
    sqrt,
    sub,
)
from motorik.errors import AssemblyError, LoopError
from motorik.immutable import immutable
from motorik.mobile.chords.lists import ChordList
from motorik.mobile.chords.scalar import ScalarChord
from motorik.mobile.solvers.constraint_solver import ConstraintSolver
from motorik.mobile.states.transmission import Subtask
from motorik.mobile.states.variable import AngularVariable, LinearVariable, StateVariable

# --- scalar equations with a closed solution ----------------------------------------------


_CONSTANT = "does not change with the unknown"
_TOO_FAR = (
    "cannot vanish: {:.4g} is left at the nearest position, where the unknown is {:.6g}"
)
_CONTRADICTION = "contradict each other: they require √(sin² + cos²) = {:.6g}"


class UnsolvableError(ArithmeticError):
    """An equation without solution, and why."""


@immutable
class ExplicitSolution:
    """The position of the unknown, and the slopes ∂f/∂u there."""

    position: Scalar  # an `Angle`, or a length
    slopes: tuple[Scalar, ...]


class Equation(ABC):
    """A kind of equation: where it is evaluated, and how it is solved from the values."""

    places: ClassVar[Sequence[Angle | float]]

    @abstractmethod
    def solve(self, values: Sequence[Sequence[Scalar]], branch: Scalar) -> ExplicitSolution:
        """Return the solution of a branch (1 or −1) from the values at the places."""


class HarmonicEquation(Equation):
    """A cos φ + B sin φ + C = 0, with r² = A² + B² and the root w = √(r² − C²).

        cos φ = (−A C − σ B w) / r²,   sin φ = (−B C + σ A w) / r²,   f_φ = −σ w

    σ is the branch; evaluated at 0, π/2 and π.
    """

    places: ClassVar = (Angle(0.0, 0.0, 1.0), Angle(pi / 2, 1.0, 0.0), Angle(pi, 0.0, -1.0))

    def solve(self, values: Sequence[Sequence[Scalar]], branch: Scalar) -> ExplicitSolution:
        """Return angle and slope."""
        (row,) = values
        A, B, C = harmonic_coefficients(row)
        rr = add(mul(A, A), mul(B, B))
        square = sub(rr, mul(C, C))
        if is_number(square):
            r = hypot(A, B)
            if r <= 1e-13 * max(map(abs, row)):
                raise UnsolvableError(_CONSTANT)
            if square < -1e-13 * rr:
                nearest = float(arctan2(neg(mul(B, C)), -A * C))
                raise UnsolvableError(_TOO_FAR.format(abs(C) - r, nearest))
            square = max(square, 0.0)
        w = mul(branch, sqrt(square))
        sine = div(sub(mul(A, w), mul(B, C)), rr)
        cosine = neg(div(add(mul(B, w), mul(A, C)), rr))
        return ExplicitSolution(Angle(arctan2(sine, cosine), sine, cosine), (neg(w),))


class HarmonicPair(Equation):
    """Two such equations, linear in sine and cosine, which have the same one solution."""

    places = HarmonicEquation.places

    def solve(self, values: Sequence[Sequence[Scalar]], branch: Scalar) -> ExplicitSolution:
        """Return angle and the two slopes; there is only one branch."""
        (A1, B1, C1), (A2, B2, C2) = map(harmonic_coefficients, values)
        determinant = sub(mul(A1, B2), mul(A2, B1))
        if is_number(determinant):
            scale = max(abs(v) for row in values for v in row)
            if abs(determinant) <= 1e-13 * scale * scale:
                raise UnsolvableError(_CONSTANT)
        sine = div(sub(mul(A2, C1), mul(A1, C2)), determinant)
        cosine = div(sub(mul(B1, C2), mul(B2, C1)), determinant)
        if is_number(sine) and abs(hypot(sine, cosine) - 1.0) > 1e-9:
            raise UnsolvableError(_CONTRADICTION.format(hypot(sine, cosine)))
        slopes = tuple(sub(mul(B, cosine), mul(A, sine)) for A, B in ((A1, B1), (A2, B2)))
        return ExplicitSolution(Angle(arctan2(sine, cosine), sine, cosine), slopes)


class LinearEquation(Equation):
    """B s + C = 0, evaluated at 0 and 1."""

    places = (0.0, 1.0)

    def solve(self, values: Sequence[Sequence[Scalar]], branch: Scalar) -> ExplicitSolution:
        """Return length and slope; there is only one branch."""
        (row,) = values
        C, B = row[0], sub(row[1], row[0])
        if is_number(B) and abs(B) <= 1e-13 * max(map(abs, row)):
            raise UnsolvableError(_CONSTANT)
        return ExplicitSolution(neg(div(C, B)), (B,))


class QuadraticEquation(Equation):
    """A s² + B s + C = 0: s = (−B + σ w) / 2A, w = ±√(B² − 4 A C), f_s = σ w.

    σ is the branch; w has the sign of A, so that branch 1 is the larger solution. Evaluated
    at 0, 1 and −1.
    """

    places = (0.0, 1.0, -1.0)

    def solve(self, values: Sequence[Sequence[Scalar]], branch: Scalar) -> ExplicitSolution:
        """Return length and slope."""
        (row,) = values
        C = row[0]
        A = sub(mul(0.5, add(row[1], row[2])), C)
        B = mul(0.5, sub(row[1], row[2]))
        if is_number(A) and abs(A) <= 1e-13 * max(map(abs, row)):
            return LinearEquation().solve([row[:2]], branch)
        square = sub(mul(B, B), mul(4.0, mul(A, C)))
        if is_number(square):
            if square < -1e-13 * (B * B + abs(4.0 * A * C)):
                left, nearest = abs(square / (4.0 * A)), -B / (2.0 * A)
                raise UnsolvableError(_TOO_FAR.format(left, nearest))
            square = max(square, 0.0)
        w = mul(branch, mul(sign(A), sqrt(square)))
        return ExplicitSolution(div(sub(w, B), mul(2.0, A)), (w,))


def harmonic_coefficients(row: Sequence[Scalar]) -> tuple[Scalar, Scalar, Scalar]:
    """Return A, B, C of f = A cos φ + B sin φ + C from f(0), f(π/2), f(π)."""
    C = mul(0.5, add(row[0], row[2]))
    return mul(0.5, sub(row[0], row[2])), sub(row[1], C), C


class ExplicitConstraintSolver(ConstraintSolver):
    """Closes a loop by formula: ``ExplicitConstraintSolver(chord, unknown)``.

    The chord must depend on no other unknown. Measured at three positions of an angle it
    gives A cos φ + B sin φ + C = 0, at two or three of a length a linear or a quadratic
    equation; in its own offset every chord is linear. Of two solutions that of
    `branch` 1 or −1 is taken; with `near` it is the one nearest to a guess, selected once.

    ``ExplicitConstraintSolver(chord_a, chord_b, angle)`` finds the one solution that two
    chords have in common, as of the second angle of a Hooke joint. Angles are found in
    (−π, π].
    """

    def __init__(
        self,
        *chords_and_unknown: ScalarChord | StateVariable,
        branch: int = 1,
        near: float | None = None,
    ) -> None:
        *first, last = chords_and_unknown
        chords, unknown = cast("list[ScalarChord]", first), cast("StateVariable", last)
        self._equation = _equation_of(chords, unknown)
        self._slopes: tuple[Scalar, ...] = ()
        self._scale = 0.0
        super().__init__(ChordList(chords), (unknown,))
        self.select_branch(branch, near)

    def select_branch(self, branch: int | None = None, near: float | None = None) -> None:
        """Take the branch 1 or −1, the one nearest to a guess, or the other than now.

        The guess is compared in the next motion, which must be one on numbers.
        """
        if branch is None:
            branch = -self.branch if near is None else self.branch
        if branch not in (1, -1):
            raise AssemblyError(
                repr(self), f"there is no branch {branch!r}.", "Choose 1 or -1."
            )
        self.branch, self._near = branch, near

    @property
    def has_guess(self) -> bool:
        """Whether the next motion selects the branch nearest to a guess."""
        return self._near is not None

    @property
    def unknown(self) -> StateVariable:
        """The variable solved for."""
        return self.unknowns[0]

    def solve_position(self) -> None:
        """Give the unknown the position for which the chords vanish."""
        before = self.unknown.keep()
        try:
            values = self._visual()
            if self._near is not None:
                self.select_branch(self._nearest(values, self._near))
            solution = self._equation.solve(values, self.branch)
        except UnsolvableError as error:
            self.unknown.restore(before)
            self.chain.motion(Subtask.POSITION)
            self._refuse(f"{self.chords} {error}.")
        numbers = [v for row in values for v in row if is_number(v)]
        self._scale = max(map(abs, numbers), default=0.0)
        self.unknown.coordinate = solution.position
        self._slopes = solution.slopes

    def _visual(self) -> list[list[Scalar]]:
        """Return the values of each chord at the points where the equation is sampled."""
        seen: list[list[Scalar]] = []
        for place in self._equation.places:
            self.unknown.coordinate = place
            self.chain.motion(Subtask.POSITION)
            self.chords.measure(Subtask.POSITION, every_branch=not seen)
            seen.append([state.q for state in self.chords.states])
        return [list(row) for row in zip(*seen, strict=True)]

    def _nearest(self, values: Sequence[Sequence[Scalar]], near: float) -> int:
        """Return the branch whose solution is nearest to the guess."""
        found = {branch: self._equation.solve(values, branch) for branch in (1, -1)}
        if not all(is_number(s.slopes[0]) for s in found.values()):
            raise AssemblyError(
                repr(self),
                "the branch nearest to a guess cannot be chosen on symbols.",
                "Run the motion once on numbers before, or name the branch.",
            )
        return min(found, key=lambda branch: self._distance(found[branch], near))

    def _distance(self, solution: ExplicitSolution, near: float) -> float:
        if isinstance(self.unknown, AngularVariable):
            return abs((solution.position.radians - near + pi) % (2.0 * pi) - pi)
        return abs(solution.position - near)

    def check_closed(self) -> None:
        """Refuse a solution that the chords do not confirm."""
        for state in self.chords.states:
            if is_number(state.q) and not abs(state.q) <= 1e-9 * self._scale:
                self._refuse(
                    f"{self.chords} is not of the form that can be solved: {state.q:.4g} "
                    f"is left at the solution {self.unknown.name or '?'} = "
                    f"{self.unknown.q:.6g}."
                )

    def _refuse(self, why: str) -> NoReturn:
        raise LoopError(
            repr(self), why, "Change the inputs or the lengths, or use another chord."
        )

    def solve_rates(self, f: Sequence[Scalar]) -> Sequence[Scalar]:
        """Return y with f_u y + f = 0; of two chords by least squares."""
        return (neg(div(_dot(self._slopes, f), self._stiffness())),)

    def solve_multipliers(self, Q: Sequence[Scalar]) -> Sequence[Scalar]:
        """Return λ with f_uᵀ λ + Q = 0, the shortest of two chords."""
        factor = neg(div(Q[0], self._stiffness()))
        return [mul(slope, factor) for slope in self._slopes]

    def _stiffness(self) -> Scalar:
        """Return f_uᵀ f_u, which vanishes at a dead centre."""
        square = _dot(self._slopes, self._slopes)
        if is_number(square) and square <= (1e-10 * self._scale) ** 2:
            self._refuse(
                f"the loop is at a dead centre, {self.unknown.name or '?'} = "
                f"{self.unknown.q:.6g}: {self.chords} is stationary there, so "
                "that velocities and forces are not determined."
            )
        return square


def _equation_of(chords: Sequence[ScalarChord], unknown: StateVariable) -> Equation:
    """Return the equation that the chords are in the unknown, or refuse them."""
    part = "ExplicitConstraintSolver"
    for chord in chords:
        if not isinstance(chord, ScalarChord):
            raise AssemblyError(
                part,
                f"{chord!r} is not one scalar measure.",
                "Use a scalar chord, or the ImplicitConstraintSolver.",
            )
    if isinstance(unknown, AngularVariable) and len(chords) in (1, 2):
        if all(chord.is_harmonic for chord in chords):
            return HarmonicEquation() if len(chords) == 1 else HarmonicPair()
    if isinstance(unknown, LinearVariable) and len(chords) == 1:
        if chords[0].offset is unknown:
            return LinearEquation()
        equations = {1: LinearEquation, 2: QuadraticEquation}
        if chords[0].degree in equations:
            return equations[chords[0].degree]()
    raise AssemblyError(
        part,
        f"there is no closed solution of {list(chords)!r} for {unknown!r}.",
        "One chord can be solved for an angle or a length and two for an angle, but "
        "ChordPointPointLinear for neither and ChordPlanePlane not for a length.",
    )


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for x, y in zip(a, b, strict=True):
        total = add(total, mul(x, y))
    return total
