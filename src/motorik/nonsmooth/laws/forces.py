"""Friction and contact forces, solved together with the accelerations.

Each nonsmooth constraint has a speed w and a force λ. The mechanism, loops included, responds
linearly,

    a = ẇ = D λ + b,

whatever the modes are. A sticking constraint has a = 0, a sliding one the force of its bounds. With
σ = 1 for sticking constraints, else 0, and the forces s of the sliding ones,

    (σ D σ + 1 − σ) λ = (1 − σ) s − σ (b + D (1 − σ) s),

a positive definite system in every mode: one elimination order serves all. Bounds that depend on
forces are in `force_bounds`. Modes are numbers in p, so nothing is compiled again when they change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import isinf
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, add, mul, neg, sub
from motorik.compiler.symbols import elements, table
from motorik.components.base.contributions import ForceBounds, NonsmoothConstraint
from motorik.dynamics.elimination import Pivot
from motorik.dynamics.sparse import SymmetricFactors
from motorik.dynamics.symmetric_order import SymmetricOrder, by_degree
from motorik.errors import AssemblyError
from motorik.immutable import immutable
from motorik.motion.signal_rates import rates_of
from motorik.motion.view import MotionView
from motorik.nonsmooth.laws.force_bounds import (
    CORRECTIONS,
    CoupledBounds,
    CoupledEquations,
    Entries,
    Linearisation,
    LoadSharing,
    Tangents,
    newton_forces,
)
from motorik.numerics.traced_newton import seen_by
from motorik.topology.mechanism import Mechanism

if TYPE_CHECKING:
    import casadi

ALIKE = 4  # levels of expressions down to which they are compared


@immutable
class TracedConstraints:
    """The constraints of a mechanism at a state, with symbols `v` for the rates of its speeds.

    `values` are dx/dt by the forces; `rates` the accelerations along the constraints, `bounds`
    the force bounds, `speeds` and `gaps` those of the motion with the rates v.
    """

    v: list[Scalar]
    values: list[Scalar]
    rates: list[Scalar]
    speeds: list[Scalar]
    gaps: list[Scalar]
    bounds: list[ForceBounds]


class NonsmoothConstraints:
    """The nonsmooth constraints of a mechanism."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.constraints: tuple[NonsmoothConstraint, ...] = tuple(
            mechanism.inventory.nonsmooth
        )
        self.signals = mechanism.signals
        self._inventory = inventory = mechanism.inventory
        own = list(map(inventory.force_of, self.constraints))
        self.forces: list[Scalar] = [one.force for one in own]
        self.nonlinear: frozenset[int] = (
            frozenset()
        )  # constraints with nonlinear bounds, once traced
        self.stick: list[Scalar] = [one.stick for one in own]
        self.direction: list[Scalar] = [one.direction for one in own]
        self.saturated: list[Scalar] = [one.saturated for one in own]

    @staticmethod
    def of(mechanism: Mechanism) -> NonsmoothConstraints | None:
        """Return the nonsmooth constraints of a mechanism, None without any."""
        return NonsmoothConstraints(mechanism) if mechanism.inventory.nonsmooth else None

    @property
    def is_symmetric(self) -> bool:
        """Whether D is symmetric: no force depends on accelerations or measured forces.

        Multipliers of sliding modes do not act along the conditions that they hold.
        """
        return not (self.signals.unknowns or any(self.of_sliding_modes))

    @property
    def size(self) -> int:
        """The number of constraints."""
        return len(self.constraints)

    def can_saturate(self, k: int) -> bool:
        """Return whether a constraint may be saturated while others hold it: friction may."""
        return (
            self.size > 1
            and self.constraints[k].gap is None
            and k not in self.sharing.pairs
        )

    @cached_property
    def of_sliding_modes(self) -> list[bool]:
        """Of each constraint whether it is a sliding mode, on which block states may depend."""
        return [constraint.is_sliding_mode for constraint in self.constraints]

    @cached_property
    def symbols(self) -> casadi.SX:
        """The symbols of the forces, a column."""
        import casadi

        return casadi.vertcat(*self.forces)

    @cached_property
    def sharing(self) -> LoadSharing:
        """How redundant sticking constraints share their load."""
        places = {
            (constraint.part, constraint.force): k
            for k, constraint in enumerate(self.constraints)
        }
        found: dict[int, int] = {}
        softness: dict[int, Scalar] = {}
        for k, constraint in enumerate(self.constraints):
            if constraint.disk is not None:
                other = places[constraint.part, constraint.disk.across]
                found[k], found[other] = other, k
                softness[k] = softness[other] = self._inventory.disk_of(constraint).softness
        return LoadSharing(found, softness)

    def speeds(self, motion: MotionView) -> list[Scalar]:
        """Return the speed w of each constraint."""
        return [constraint.speed(motion) for constraint in self.constraints]

    def accelerations(self, motion: MotionView) -> list[Scalar]:
        """Return the rate of the speed of each constraint, in terms of the forces."""
        derived = [
            constraint.speed
            for constraint in self.constraints
            if constraint.acceleration is None
        ]
        rates = iter(rates_of(motion, derived) if derived else ())
        return [
            next(rates)
            if constraint.acceleration is None
            else constraint.acceleration(motion)
            for constraint in self.constraints
        ]

    def bounds(self, motion: MotionView) -> list[ForceBounds]:
        """Return the force bounds of each constraint."""
        return [constraint.bounds(motion) for constraint in self.constraints]

    def traced(
        self, v: list[Scalar], values: list[Scalar], motion: MotionView
    ) -> TracedConstraints:
        """Return the constraints in a motion that has the rates v."""
        gaps = [
            0.0 if constraint.gap is None else constraint.gap(motion)
            for constraint in self.constraints
        ]
        given = self.accelerations(motion), self.speeds(motion), gaps, self.bounds(motion)
        return TracedConstraints(v, values, *given)

    def linear_response(
        self,
        values: Sequence[Scalar],
        accelerations: Sequence[Scalar],
        bounds: list[ForceBounds],
        moved: Callable[[list[Scalar]], MotionView] | None = None,
    ) -> LinearResponse:
        """Return how values and accelerations of the constraints depend on the forces.

        `moved(values)` is the motion that has these values, if they determine accelerations.
        """
        import casadi

        n, y = len(values), self.symbols
        column = casadi.SX(casadi.vertcat(*values, *accelerations))
        if any(casadi.which_depends(column[n:], y, 2, True)):
            self._refuse_nonlinear(column[n:])
        free = elements(casadi.substitute(column, y, casadi.SX.zeros(self.size, 1)))
        by_force = table(casadi.jacobian(column, y))
        Y = {(i, k): value for (i, k), value in by_force.items() if i < n}
        D = {(i - n, k): value for (i, k), value in by_force.items() if i >= n}
        return LinearResponse(
            self, elements(column)[:n], free[:n], Y, free[n:], D, bounds, moved
        )

    def _refuse_nonlinear(self, accelerations: casadi.SX) -> None:
        import casadi

        for acceleration, constraint in zip(
            elements(accelerations), self.constraints, strict=True
        ):
            if any(casadi.which_depends(acceleration, self.symbols, 2, True)):
                raise AssemblyError(
                    constraint.part.path,
                    "the mechanism does not respond linearly to its force, or to the share of "
                    "its branches.",
                    "Let laws add it, and no function of it, to other forces; of two laws that "
                    "switch at once, let neither multiply the other.",
                    parameter=constraint.force,
                )

    def sticking(self, D: Entries) -> SymmetricSticking:
        """Return the linear system of the sticking constraints."""
        return SymmetricSticking(self.stick, D, self.sharing)


class SymmetricSticking:
    """σ D σ + 1 − σ of sticking (σ = 1) and other constraints, eliminated in one order.

    Sticking constraints may be redundant: each is regularised by a small part of its own
    compliance, so that they share their load, and iterative refinement removes its effect.
    """

    def __init__(self, stick: Sequence[Scalar], D: Entries, sharing: LoadSharing) -> None:
        self.stick, self.D = stick, D
        self.is_coupled = any(i != j for i, j in D)
        entries: Entries = {}
        for (i, j), value in D.items():
            if i == j:
                soft = sharing.softened(i, D) if self.is_coupled else value
                entries[i, i] = add(mul(soft, stick[i]), sub(1.0, stick[i]))
            elif i < j:
                entries[i, j] = mul(value, mul(stick[i], stick[j]))
        for i in range(len(stick)):
            entries.setdefault((i, i), sub(1.0, stick[i]))
        order = SymmetricOrder(tuple(Pivot((k,), 1.0) for k in by_degree(entries)))
        self.factors = SymmetricFactors.of(entries, order)

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return y for a right-hand side that is zero on constraints that do not stick."""
        y = self.factors.solve(right)
        if not self.is_coupled:
            return y
        for _ in range(CORRECTIONS):
            left = list(right)
            for (i, j), value in self.D.items():
                saturated = mul(self.stick[j], y[j])
                left[i] = sub(left[i], mul(mul(self.stick[i], value), saturated))
            sticking = [mul(s, value) for s, value in zip(self.stick, left, strict=True)]
            y = [add(a, b) for a, b in zip(y, self.factors.solve(sticking), strict=True)]
        return y


@immutable
class LinearResponse:
    """How values and accelerations of constraints depend on the forces λ.

    values = `free` + Y λ where they are linear; the accelerations are b + D λ. They also follow
    from the motion `motion_of(values)`.
    """

    nonsmooth: NonsmoothConstraints
    values: list[Scalar]
    free: list[Scalar]
    Y: Entries
    b: list[Scalar]
    D: Entries
    bounds: list[ForceBounds]
    motion_of: Callable[[list[Scalar]], MotionView] | None = None

    @cached_property
    def coupled_bounds(self) -> CoupledBounds | None:
        """How bounds depend on forces, None if they do not."""
        nonsmooth = self.nonsmooth
        found = CoupledBounds.of(self.bounds, nonsmooth.symbols)
        if found is not None:
            nonsmooth.nonlinear |= found.nonlinear
        return found

    @property
    def is_nonlinear(self) -> bool:
        """Whether bounds are nonlinear functions of the forces."""
        return self.coupled_bounds is not None and bool(self.coupled_bounds.nonlinear)

    @cached_property
    def sliding(self) -> list[Scalar]:
        """The force of each constraint if it slides or is saturated, at zero forces of others."""
        return self.sliding_by(
            self.bounds if self.coupled_bounds is None else self.coupled_bounds.plain
        )

    def sliding_by(self, bounds_of: Sequence[ForceBounds]) -> list[Scalar]:
        """Return the force of each constraint by given bounds, if it slides or is saturated."""
        found: list[Scalar] = []
        for k, (bounds, direction) in enumerate(
            zip(bounds_of, self.nonsmooth.direction, strict=True)
        ):
            force = _by_direction(direction, bounds.forward, bounds.backward)
            if self.nonsmooth.can_saturate(k) and self._is_coupled(k):
                both = _finite(bounds.low), _finite(bounds.high)
                force = add(force, _by_direction(self.nonsmooth.saturated[k], *both))
            found.append(force)
        return found

    def _is_coupled(self, k: int) -> bool:
        """Return whether a constraint is coupled with others, which may hold it."""
        return any(i == k != j for i, j in self.D)

    @cached_property
    def sticking(self) -> SymmetricSticking | CoupledEquations:
        """The linear system of the sticking constraints."""
        if self.nonsmooth.is_symmetric:
            return self.nonsmooth.sticking(self.D)
        return CoupledEquations(self.nonsmooth.stick, self.D, {}, self.nonsmooth.sharing)

    @cached_property
    def forces(self) -> list[Scalar]:
        """The forces in the present modes."""
        stick = self.nonsmooth.stick
        if self.coupled_bounds is not None or not self.nonsmooth.is_symmetric:
            slopes = (
                {}
                if self.coupled_bounds is None
                else self.sliding_slopes(self.coupled_bounds)
            )
            given = Tangents(self.D, self.b, self.sliding, slopes, self.nonsmooth.sharing)
            if self.coupled_bounds is not None and self.coupled_bounds.nonlinear:
                own = self.coupled_bounds.nonlinear, self.nonsmooth.symbols
                return newton_forces(stick, given, *own)
            return given.forces(stick)
        s = [mul(sub(1.0, k), f) for k, f in zip(stick, self.sliding, strict=True)]
        missing = list(self.b)
        for (i, j), value in self.D.items():
            missing[i] = add(missing[i], mul(value, s[j]))
        right = [neg(mul(k, value)) for k, value in zip(stick, missing, strict=True)]
        saturated = self.sticking.solve(right)
        return [add(a, mul(k, h)) for a, k, h in zip(s, stick, saturated, strict=True)]

    @property
    def linearisation(self) -> Linearisation:
        """Bounds and accelerations linearised at the forces, as events need them."""
        coupled_bounds = self.coupled_bounds
        if coupled_bounds is None:
            return Linearisation(self.bounds, None, self.b, self.D, is_nonlinear=False)
        return Linearisation(
            coupled_bounds.plain, coupled_bounds.slopes, self.b, self.D, self.is_nonlinear
        )

    def sliding_slopes(self, coupled_bounds: CoupledBounds) -> Entries:
        """Return how the forces of sliding constraints depend on other forces."""
        found: Entries = {}
        sides = (
            (self.nonsmooth.direction, "forward", "backward"),
            (self.nonsmooth.saturated, "low", "high"),
        )
        for directions, ahead, back in sides:
            forward, backward = coupled_bounds.slopes[ahead], coupled_bounds.slopes[back]
            for place in {**forward, **backward}:
                if ahead == "low" and not self.nonsmooth.can_saturate(place[0]):
                    continue
                both = forward.get(place, 0.0), backward.get(place, 0.0)
                own = _by_direction(directions[place[0]], *both)
                found[place] = add(found.get(place, 0.0), own)
        return found

    def under_forces(self, values: Sequence[Scalar]) -> list[Scalar]:
        """Return quantities that may depend on forces, under the forces of the present modes."""
        import casadi

        y = self.nonsmooth.symbols
        column = casadi.SX(casadi.vertcat(*values))
        if not casadi.depends_on(column, y):
            return list(values)
        return seen_by(column, y)(self.forces)

    @property
    def accelerations(self) -> list[Scalar]:
        """The rates of the speeds of all constraints in the present modes."""
        result = list(self.b)
        for (i, k), value in self.D.items():
            result[i] = add(result[i], mul(value, self.forces[k]))
        return result

    def solved(self) -> list[Scalar]:
        """Return the values under the forces of the present modes.

        The accelerations of sticking constraints vanish up to rounding, which would drift over an
        hour at rest; the rest is removed once more.
        """
        import casadi

        y, n = self.nonsmooth.symbols, len(self.values)
        nonlinear = casadi.which_depends(casadi.vertcat(*self.values), y, 2, True)
        nonlinear = list(nonlinear) if n else []
        result = list(self.free)
        for (i, k), value in self.Y.items():
            if not nonlinear[i]:
                result[i] = add(result[i], mul(value, self.forces[k]))
        bent = [i for i in range(n) if nonlinear[i]]
        seen = self.under_forces([self.values[i] for i in bent]) if bent else []
        for i, value in zip(bent, seen, strict=True):
            result[i] = value
        return self.without_drift(result)

    def without_drift(self, values: list[Scalar]) -> list[Scalar]:
        """Return values in whose motion sticking constraints do not accelerate."""
        if self.motion_of is None:
            return values
        left = self.under_forces(self.nonsmooth.accelerations(self.motion_of(values)))
        rest = self.change_by(self.stopping_impulses(left))
        return [add(value, change) for value, change in zip(values, rest, strict=True)]

    def change_by(self, impulses: Sequence[Scalar]) -> list[Scalar]:
        """Return the change of the values by impulses."""
        result: list[Scalar] = [0.0] * len(self.free)
        for (i, k), value in self.Y.items():
            result[i] = add(result[i], mul(value, impulses[k]))
        return result

    def stopping_impulses(self, speeds: Sequence[Scalar]) -> list[Scalar]:
        """Return the impulses that stop the sticking constraints."""
        stick = self.nonsmooth.stick
        right = [neg(mul(k, w)) for k, w in zip(stick, speeds, strict=True)]
        saturated = self.sticking.solve(right)
        return [mul(k, h) for k, h in zip(stick, saturated, strict=True)]


def _finite(limit: Scalar) -> Scalar:
    """Return a bound, zero for an infinite one: no force is ever at it."""
    is_known = not hasattr(limit, "is_constant") or limit.is_constant()
    return 0.0 if is_known and isinf(float(limit)) else limit


def _are_opposite(one: Scalar, other: Scalar) -> bool:
    """Return whether two values are known to be equal except for their sign."""
    import casadi

    turned = neg(other)
    if isinstance(one, casadi.SX) and isinstance(turned, casadi.SX):
        return casadi.is_equal(one, turned, ALIKE)
    return isinstance(one, float) and isinstance(turned, float) and one == turned


def _by_direction(direction: Scalar, forward: Scalar, backward: Scalar) -> Scalar:
    """Return one value for the direction 1, another for −1, and 0 for 0."""
    if _are_opposite(forward, backward):
        return mul(direction, forward)
    ahead = mul(mul(0.5, direction), add(direction, 1.0))
    back = mul(mul(0.5, direction), sub(direction, 1.0))
    return add(mul(ahead, forward), mul(back, backward))
