"""Switching: forces that stick or slip, found together with the accelerations.

Every row has a speed w and a force λ along it. The mechanism, loops included, answers linearly,

    a = ẇ = D λ + b,

whatever the modes are. A row that sticks has a = 0, one that slips the force of its limits.
With σ = 1 on rows that stick, else 0, and the forces s of those that slip,

    (σ D σ + 1 − σ) λ = (1 − σ) s − σ (b + D (1 − σ) s),

a positive definite system in every mode: one order of elimination serves for all. Limits that
read forces are in `linked`. Modes are numbers in p, so nothing is compiled anew when they change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isinf
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, add, mul, neg, sub
from motorik.compiler.symbols import elements, table
from motorik.components.base.contributions import Limits, Slip
from motorik.dynamics.elimination import Pivot
from motorik.dynamics.sparse import SymmetricFactors
from motorik.dynamics.symmetric_order import SymmetricOrder, by_degree
from motorik.errors import AssemblyError
from motorik.motion.newton import seen_by
from motorik.motion.signal_rates import rates_of
from motorik.motion.view import MotionView
from motorik.nonsmooth.laws.force_bounds import (
    CORRECTIONS,
    Entries,
    LinkedLimits,
    LinkedRows,
    Sharing,
    Tangents,
    Touching,
    curved_forces,
)
from motorik.topology.mechanism import Mechanism

if TYPE_CHECKING:
    import casadi

ALIKE = 4  # levels of expressions down to which they are compared


@dataclass(frozen=True)
class TracedConstraints:
    """The constraints of a mechanism at a state, with symbols `v` for the rates of its speeds.

    `values` are dx/dt by the forces; `rates` the accelerations along the constraints, `limits`
    what forces may be, `speeds` and `gaps` as the motion with the rates v has them.
    """

    v: list[Scalar]
    values: list[Scalar]
    rates: list[Scalar]
    speeds: list[Scalar]
    gaps: list[Scalar]
    limits: list[Limits]


class Switching:
    """The switching rows of a mechanism."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.slips: tuple[Slip, ...] = tuple(mechanism.inventory.slips)
        self.signals = mechanism.signals
        self._inventory = inventory = mechanism.inventory
        given = [(inventory.parameters_of(slip.part), slip.force) for slip in self.slips]
        self.forces: list[Scalar] = [getattr(p, name) for p, name in given]
        self.curved: frozenset[int] = frozenset()  # rows whose limits are, once traced
        self.stick: list[Scalar] = [getattr(p, f"{name}_stick") for p, name in given]
        self.way: list[Scalar] = [getattr(p, f"{name}_way") for p, name in given]
        self.held: list[Scalar] = [getattr(p, f"{name}_held") for p, name in given]

    @staticmethod
    def of(mechanism: Mechanism) -> Switching | None:
        """Return the switching rows of a mechanism, None if it has none."""
        return Switching(mechanism) if mechanism.inventory.slips else None

    @property
    def is_symmetric(self) -> bool:
        """Whether D is symmetric: no force depends on accelerations or forces measured.

        Shares of the branches of laws do not act along the conditions that they hold.
        """
        return not (self.signals.unknowns or any(self.of_cases))

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.slips)

    def can_be_held(self, k: int) -> bool:
        """Return whether a row may rest at its limit while others hold it: friction may."""
        return self.size > 1 and self.slips[k].gap is None and k not in self.sharing.pairs

    @cached_property
    def of_cases(self) -> list[bool]:
        """Of each row whether it is a case of a law, whose share states of blocks may follow."""
        return [slip.is_case for slip in self.slips]

    @cached_property
    def symbols(self) -> casadi.SX:
        """The symbols of the forces, a column."""
        import casadi

        return casadi.vertcat(*self.forces)

    @cached_property
    def sharing(self) -> Sharing:
        """How rows that stick share their load."""
        places = {(slip.part, slip.force): k for k, slip in enumerate(self.slips)}
        found: dict[int, int] = {}
        softness: dict[int, Scalar] = {}
        for k, slip in enumerate(self.slips):
            if slip.disc is not None:
                other = places[slip.part, slip.disc.across]
                found[k], found[other] = other, k
                own = self._inventory.parameters_of(slip.part)
                softness[k] = softness[other] = getattr(own, slip.disc.numbers[-1])
        return Sharing(found, softness)

    def speeds(self, motion: MotionView) -> list[Scalar]:
        """Return the speed w of each row."""
        return [slip.speed(motion) for slip in self.slips]

    def accelerations(self, motion: MotionView) -> list[Scalar]:
        """Return the rate of the speed of each row, in terms of the forces."""
        derived = [slip.speed for slip in self.slips if slip.acceleration is None]
        rates = iter(rates_of(motion, derived) if derived else ())
        return [
            next(rates) if slip.acceleration is None else slip.acceleration(motion)
            for slip in self.slips
        ]

    def limits(self, motion: MotionView) -> list[Limits]:
        """Return what each force may be."""
        return [slip.limits(motion) for slip in self.slips]

    def traced(
        self, v: list[Scalar], values: list[Scalar], motion: MotionView
    ) -> TracedConstraints:
        """Return the constraints in a motion that has the rates v."""
        gaps = [0.0 if slip.gap is None else slip.gap(motion) for slip in self.slips]
        given = self.accelerations(motion), self.speeds(motion), gaps, self.limits(motion)
        return TracedConstraints(v, values, *given)

    def answer(
        self,
        values: Sequence[Scalar],
        accelerations: Sequence[Scalar],
        limits: list[Limits],
        moved: Callable[[list[Scalar]], MotionView] | None = None,
    ) -> Answer:
        """Return how values and accelerations of the rows depend on the forces under limits.

        `moved(values)` is the motion that has these values, if they tell the accelerations.
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
        return Answer(self, elements(column)[:n], free[:n], Y, free[n:], D, limits, moved)

    def _refuse_nonlinear(self, accelerations: casadi.SX) -> None:
        import casadi

        for row, slip in zip(elements(accelerations), self.slips, strict=True):
            if any(casadi.which_depends(row, self.symbols, 2, True)):
                raise AssemblyError(
                    slip.part.path,
                    "the mechanism does not answer linearly to its friction force.",
                    "Let laws add the force that switches, and nothing else, to other forces.",
                    parameter=slip.force,
                )

    def masked(self, D: Entries) -> Masked:
        """Return what sticks as a linear system."""
        return Masked(self.stick, D, self.sharing)


class Masked:
    """σ D σ + 1 − σ of rows that stick (σ = 1) or not, eliminated in one order.

    Rows that stick together may depend on one another: each gives way by a part `SHARED` of
    its own compliance, so that they share their load, and corrections take that back.
    """

    def __init__(self, stick: Sequence[Scalar], D: Entries, sharing: Sharing) -> None:
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
        """Return y with a right-hand side that is zero on rows that do not stick."""
        y = self.factors.solve(right)
        if not self.is_coupled:
            return y
        for _ in range(CORRECTIONS):
            left = list(right)
            for (i, j), value in self.D.items():
                held = mul(self.stick[j], y[j])
                left[i] = sub(left[i], mul(mul(self.stick[i], value), held))
            masked = [mul(s, value) for s, value in zip(self.stick, left, strict=True)]
            y = [add(a, b) for a, b in zip(y, self.factors.solve(masked), strict=True)]
        return y


@dataclass(frozen=True)
class Answer:
    """How values and accelerations of rows depend on the forces λ.

    values = `free` + Y λ where they are linear; the accelerations are b + D λ. They can also
    be seen in the motion `motion_of(values)`.
    """

    switching: Switching
    values: list[Scalar]
    free: list[Scalar]
    Y: Entries
    b: list[Scalar]
    D: Entries
    limits: list[Limits]
    motion_of: Callable[[list[Scalar]], MotionView] | None = None

    @cached_property
    def linked(self) -> LinkedLimits | None:
        """How limits read forces, None if they do not."""
        switching = self.switching
        found = LinkedLimits.of(self.limits, switching.symbols)
        if found is not None:
            switching.curved |= found.curved
        return found

    @property
    def is_curved(self) -> bool:
        """Whether limits are curved functions of the forces."""
        return self.linked is not None and bool(self.linked.curved)

    @cached_property
    def slipping(self) -> list[Scalar]:
        """The force of each row if it slips or is held as its mode tells, without what it reads."""
        return self.slipping_by(self.limits if self.linked is None else self.linked.plain)

    def slipping_by(self, limits_of: Sequence[Limits]) -> list[Scalar]:
        """Return the force of each row by given limits, if it slips or is held."""
        found: list[Scalar] = []
        for k, (limits, way) in enumerate(zip(limits_of, self.switching.way, strict=True)):
            force = _by_way(way, limits.forward, limits.backward)
            if self.switching.can_be_held(k) and self._is_coupled(k):
                both = _finite(limits.low), _finite(limits.high)
                force = add(force, _by_way(self.switching.held[k], *both))
            found.append(force)
        return found

    def _is_coupled(self, k: int) -> bool:
        """Return whether a row depends on others, so that these may hold it."""
        return any(i == k != j for i, j in self.D)

    @cached_property
    def masked(self) -> Masked | LinkedRows:
        """What sticks."""
        if self.switching.is_symmetric:
            return self.switching.masked(self.D)
        return LinkedRows(self.switching.stick, self.D, {}, self.switching.sharing)

    @cached_property
    def forces(self) -> list[Scalar]:
        """The forces in the present modes."""
        stick = self.switching.stick
        if self.linked is not None or not self.switching.is_symmetric:
            slopes = {} if self.linked is None else self.slipping_slopes(self.linked)
            given = Tangents(self.D, self.b, self.slipping, slopes, self.switching.sharing)
            if self.linked is not None and self.linked.curved:
                own = self.linked.curved, self.switching.symbols
                return curved_forces(stick, given, *own)
            return given.forces(stick)
        s = [mul(sub(1.0, k), f) for k, f in zip(stick, self.slipping, strict=True)]
        missing = list(self.b)
        for (i, j), value in self.D.items():
            missing[i] = add(missing[i], mul(value, s[j]))
        right = [neg(mul(k, value)) for k, value in zip(stick, missing, strict=True)]
        held = self.masked.solve(right)
        return [add(a, mul(k, h)) for a, k, h in zip(s, stick, held, strict=True)]

    @property
    def touching(self) -> Touching:
        """What an event asks, limits that are curved by their tangents at the forces."""
        linked = self.linked
        if linked is None:
            return Touching(self.limits, None, self.b, self.D, is_curved=False)
        return Touching(linked.plain, linked.slopes, self.b, self.D, self.is_curved)

    def slipping_slopes(self, linked: LinkedLimits) -> Entries:
        """Return how the forces of rows that slip as their modes tell read other forces."""
        found: Entries = {}
        sides = (
            (self.switching.way, "forward", "backward"),
            (self.switching.held, "low", "high"),
        )
        for ways, ahead, back in sides:
            forward, backward = linked.slopes[ahead], linked.slopes[back]
            for place in {**forward, **backward}:
                if ahead == "low" and not self.switching.can_be_held(place[0]):
                    continue
                both = forward.get(place, 0.0), backward.get(place, 0.0)
                own = _by_way(ways[place[0]], *both)
                found[place] = add(found.get(place, 0.0), own)
        return found

    def under_forces(self, values: Sequence[Scalar]) -> list[Scalar]:
        """Return quantities that may read forces, under the forces of the present modes."""
        import casadi

        y = self.switching.symbols
        column = casadi.SX(casadi.vertcat(*values))
        if not casadi.depends_on(column, y):
            return list(values)
        return seen_by(column, y)(self.forces)

    @property
    def accelerations(self) -> list[Scalar]:
        """The rates of the speeds of all rows in the present modes."""
        result = list(self.b)
        for (i, k), value in self.D.items():
            result[i] = add(result[i], mul(value, self.forces[k]))
        return result

    def closed(self) -> list[Scalar]:
        """Return the values under the forces of the present modes.

        The accelerations of rows that stick vanish but for rounding, which over an hour of
        rest is seen; what is left of them is taken away once more.
        """
        import casadi

        y, n = self.switching.symbols, len(self.values)
        curved = casadi.which_depends(casadi.vertcat(*self.values), y, 2, True)
        curved = list(curved) if n else []
        result = list(self.free)
        for (i, k), value in self.Y.items():
            if not curved[i]:
                result[i] = add(result[i], mul(value, self.forces[k]))
        bent = [i for i in range(n) if curved[i]]
        seen = self.under_forces([self.values[i] for i in bent]) if bent else []
        for i, value in zip(bent, seen, strict=True):
            result[i] = value
        return self.stilled(result)

    def stilled(self, values: list[Scalar]) -> list[Scalar]:
        """Return values in whose motion, if they tell one, rows that stick do not accelerate."""
        if self.motion_of is None:
            return values
        left = self.under_forces(self.switching.accelerations(self.motion_of(values)))
        rest = self.moved(self.to_rest(left))
        return [add(value, change) for value, change in zip(values, rest, strict=True)]

    def moved(self, impulses: Sequence[Scalar]) -> list[Scalar]:
        """Return the change of the values by impulses."""
        result: list[Scalar] = [0.0] * len(self.free)
        for (i, k), value in self.Y.items():
            result[i] = add(result[i], mul(value, impulses[k]))
        return result

    def to_rest(self, speeds: Sequence[Scalar]) -> list[Scalar]:
        """Return the impulses that put the rows that stick to rest."""
        stick = self.switching.stick
        right = [neg(mul(k, w)) for k, w in zip(stick, speeds, strict=True)]
        held = self.masked.solve(right)
        return [mul(k, h) for k, h in zip(stick, held, strict=True)]


def _finite(limit: Scalar) -> Scalar:
    """Return a limit, zero for one that is infinite: no row is ever at it."""
    is_known = not hasattr(limit, "is_constant") or limit.is_constant()
    return 0.0 if is_known and isinf(float(limit)) else limit


def _are_opposite(one: Scalar, other: Scalar) -> bool:
    """Return whether two values are known to be equal but for their sign."""
    import casadi

    turned = neg(other)
    if isinstance(one, casadi.SX) and isinstance(turned, casadi.SX):
        return casadi.is_equal(one, turned, ALIKE)
    return isinstance(one, float) and isinstance(turned, float) and one == turned


def _by_way(way: Scalar, forward: Scalar, backward: Scalar) -> Scalar:
    """Return one value for the direction 1, another for −1, and 0 for 0."""
    if _are_opposite(forward, backward):
        return mul(way, forward)
    ahead = mul(mul(0.5, way), add(way, 1.0))
    back = mul(mul(0.5, way), sub(way, 1.0))
    return add(mul(ahead, forward), mul(back, backward))
