"""Constraints along freedoms of a tree: forces and accelerations by recursion, in linear time.

Where each constraint acts along one speed, w = c u, as friction and stops of joints and brakes on
their axes do, one that sticks locks this freedom and one that slides adds its force:
`dynamics.articulated` then solves for all accelerations and forces of the present modes in one
recursion, whose equal steps share their code. The Delassus matrix D appears nowhere. Events need
its diagonal, which is another recursion; where impacts need its other entries, they are the
responses to unit impulses (`joint_modes.complete_matrix`).

Small trees, constraints that couple several speeds, bounds that depend on forces, and models in
which signals or conditions of triggers read these forces keep `response` and `forces`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, cast

import numpy as np

from motorik.algebra.scalar import Scalar, add, div, is_number, maximum, mul, neg, sub
from motorik.compiler.symbols import elements, table
from motorik.dynamics.articulated import NO_LOCKS, Caller, Definer, Locks, hybrid_dynamics
from motorik.dynamics.compliances import compliances
from motorik.errors import MissingAccelerationsError
from motorik.immutable import immutable
from motorik.motion.view import MotionView
from motorik.nonsmooth.laws.force_bounds import KINDS
from motorik.nonsmooth.laws.forces import LinearResponse, NonsmoothConstraints

if TYPE_CHECKING:
    import casadi

    from motorik.components.base.contributions import ForceBounds
    from motorik.motion.tree_equations import TreeState
    from motorik.system.state_space import StateSpaceForm

ALIKE = 8  # levels of expressions down to which they are compared


ReadRates = Callable[[list[Scalar]], list[Scalar]]


class JointConstraints:
    """Nonsmooth constraints along speeds of a tree: w = `factors[k]` u, u of `places[k]`.

    Several of them, such as friction and stops of one joint, may be along the same speed. `states`
    are the numbers of these speeds among those that are states.
    """

    def __init__(
        self, form: StateSpaceForm, places: Sequence[int], factors: Sequence[float]
    ) -> None:
        assert form.nonsmooth is not None
        self.form, self.nonsmooth = form, form.nonsmooth
        self.places, self.factors = tuple(places), tuple(factors)
        number = {speed: k for k, speed in enumerate(form.layout.state_u)}
        self.states = tuple(number[place] for place in places)

    def solved(self, instant: TreeState, tau: Sequence[Scalar] | None = None) -> _Solved:
        """Return the motion under the forces of the present modes, besides further forces tau."""
        return _Solved(self, instant, tau)

    def derivative(self, instant: TreeState) -> list[Scalar]:
        """Return dx/dt."""
        return instant.state_rates(self.solved(instant).rates)

    def contact_state(self, instant: TreeState) -> list[Scalar]:
        """Return the `ContactState` of each constraint."""
        solved = self.solved(instant)
        found: list[Scalar] = []
        of_motion = solved.forces, solved.bounds, self._along(solved.rates)
        placed = self.nonsmooth.speeds(solved.motion), self._gaps(solved.motion)
        for w, gap, force, bounds, rate in zip(*placed, *of_motion, strict=True):
            # the rate of a condition of contact is that of a signal, which is not known here
            is_constant = is_number(bounds.on) or bounds.on.is_constant()
            on_rate = 0.0 if is_constant else nan
            found += [w, force, bounds.low, bounds.high, bounds.on, gap, rate, on_rate]
        return found

    def contact_lcp(self, instant: TreeState) -> list[Scalar]:
        """Return the `LcpData` of each constraint, and then the diagonal of D."""
        motion, bounds = self._motion_and_bounds(instant)
        rates, _ = instant.with_locks(NO_LOCKS)
        found: list[Scalar] = []
        given = self.nonsmooth.constraints, self.nonsmooth.speeds(motion), bounds
        placed = self._gaps(motion), self._along(rates)
        for constraint, w, own, gap, b in zip(*given, *placed, strict=True):
            found += [w, own.low, own.high, own.forward, own.backward, own.on]
            found += [gap, constraint.restitution, b]
        links = instant.mechanism.links
        return [*found, *self._squared(compliances(links, instant.q, instant.tape))]

    def impulse_response(self, instant: TreeState) -> list[Scalar]:
        """Return the change of the state by impulses, which stand in the places of the forces."""
        tau: list[Scalar] = [0.0] * instant.mechanism.n_u
        given = self.places, self.factors, self.nonsmooth.forces
        for place, c, force in zip(*given, strict=True):
            tau[place] = add(tau[place], mul(c, force))
        return self._jump(instant, tau, NO_LOCKS)

    def stopping(self, instant: TreeState) -> list[Scalar]:
        """Return the change of the state by impulses that stop what sticks."""
        rates = {k: neg(instant.u[k]) for k in self.places}
        locks = self.locks(instant.tape, rates)
        return self._jump(instant, [0.0] * instant.mechanism.n_u, locks)

    def read(self, instant: TreeState, trace: ReadRates) -> list[Scalar]:
        """Return the quantities that triggers or delays read, by the rates of the state.

        The forces of constraints are in p while it is traced.
        """
        import casadi

        solved = self.solved(instant)
        found = trace(instant.state_rates(solved.rates))
        column = casadi.SX(casadi.vertcat(*found))
        forces = casadi.vertcat(*solved.forces)
        return elements(casadi.substitute(column, self.nonsmooth.symbols, forces))

    def _jump(
        self,
        instant: TreeState,
        tau: list[Scalar],
        locks: Locks,
    ) -> list[Scalar]:
        mechanism, layout = instant.mechanism, self.form.layout
        given = mechanism.links, None, instant.q, [0.0] * mechanism.n_u, tau, locks
        change, _ = hybrid_dynamics(*given, instant.tape)
        moved = [change[k] for k in layout.state_u]
        return [*[0.0] * len(layout.state_q), *moved, *[0.0] * len(instant.z)]

    def locks(
        self, tape: Caller, rates: Mapping[int, Scalar]
    ) -> dict[int, tuple[Scalar, Scalar]]:
        """Return of each speed whether a constraint along it sticks, and its rate then."""
        stick = self.nonsmooth.stick
        return {
            place: (tape.call(any_sticks, tuple(stick[k] for k in own)), rates[place])
            for place, own in self.along.items()
        }

    @cached_property
    def along(self) -> dict[int, list[int]]:
        """The constraints along each speed."""
        found: dict[int, list[int]] = {}
        for k, place in enumerate(self.places):
            found.setdefault(place, []).append(k)
        return found

    def _gaps(self, motion: MotionView) -> list[Scalar]:
        constraints = self.nonsmooth.constraints
        return [0.0 if own.gap is None else own.gap(motion) for own in constraints]

    def _along(self, rates: Sequence[Scalar]) -> list[Scalar]:
        """Return c u̇ of each constraint, from the rates of the states."""
        pairs = zip(self.states, self.factors, strict=True)
        return [mul(c, rates[k]) for k, c in pairs]

    def _squared(self, values: Sequence[Scalar]) -> list[Scalar]:
        """Return c² times the value of each constraint's speed."""
        pairs = zip(self.places, self.factors, strict=True)
        return [mul(mul(c, c), values[k]) for k, c in pairs]

    def _motion_and_bounds(
        self, instant: TreeState
    ) -> tuple[MotionView, list[ForceBounds]]:
        motion = instant.moving(None, is_cut=True)
        return motion, self.nonsmooth.bounds(motion)

    @cached_property
    def native_places(self) -> np.ndarray:
        """The places of the speeds in the state."""
        first = len(self.form.layout.state_q)
        return first + np.array(self.states, dtype=np.int64)


class _Solved:
    """A tree under the forces of the present modes."""

    def __init__(
        self, joints: JointConstraints, instant: TreeState, tau: Sequence[Scalar] | None
    ) -> None:
        nonsmooth, tape = joints.nonsmooth, cast("Definer", instant.tape)
        self.motion, self.bounds = joints._motion_and_bounds(instant)
        sliding = _response_of(nonsmooth, self.bounds).sliding
        pairs = zip(nonsmooth.stick, sliding, strict=True)
        s = [tape.call(unless_stuck, stick, force) for stick, force in pairs]
        for symbol, force in zip(nonsmooth.forces, s, strict=True):
            tape.define(symbol, force)
        locks = joints.locks(tape, dict.fromkeys(joints.places, 0.0))
        self.rates, held = instant.with_locks(locks, tau)
        self.forces = list(s)
        for place, own in joints.along.items():
            sticks = tuple(nonsmooth.stick[k] for k in own)
            parts = tape.call(shares_of, sticks, held[place])
            for k, part in zip(own, parts, strict=True):
                self.forces[k] = add(s[k], div(part, joints.factors[k]))


def any_sticks(sticks: tuple[Scalar, ...]) -> Scalar:
    """Return whether any constraint along a speed sticks, 1 or 0."""
    free: Scalar = 1.0
    for stick in sticks:
        free = mul(free, sub(1.0, stick))
    return sub(1.0, free)


def shares_of(sticks: tuple[Scalar, ...], force: Scalar) -> tuple[Scalar, ...]:
    """Return the shares of the sticking constraints along a speed in its force: equal ones."""
    if len(sticks) == 1:
        return (force,)
    total: Scalar = 0.0
    for stick in sticks:
        total = add(total, stick)
    each = div(force, maximum(total, 1.0))
    return tuple(mul(stick, each) for stick in sticks)


def unless_stuck(stick: Scalar, force: Scalar) -> Scalar:
    """Return the force of a constraint that slides, zero where it sticks."""
    return mul(sub(1.0, stick), force)


def _response_of(
    nonsmooth: NonsmoothConstraints, bounds: list[ForceBounds]
) -> LinearResponse:
    """Return the response that knows of all constraints that they are coupled, and no more."""
    m = nonsmooth.size
    coupled = {(k, (k + 1) % m): 0.0 for k in range(m)}
    return LinearResponse(nonsmooth, [], [], {}, [], coupled, bounds)


# --- whether all constraints are along speeds ----------------------------------------------


@immutable
class _Traced:
    """A tree on symbols: its speeds u, all that varies, and the motion at them."""

    u: casadi.SX
    rates: casadi.SX
    varying: casadi.SX
    z: casadi.SX
    motion: MotionView

    @property
    def moving(self) -> MotionView:
        """The motion with the rates of its speeds."""
        own, rates = self.motion, elements(self.rates)
        given = own.mechanism, own.q, own.u, rates, own.t, own.z
        return MotionView(*given, is_cut=True)


def find_joint_constraints(form: StateSpaceForm) -> JointConstraints | None:
    """Return the constraints of a tree along its speeds; None if others are among them."""
    import casadi

    nonsmooth, mechanism = form.nonsmooth, form.mechanism
    if nonsmooth is None or form.solution.coupled or form.feeds_back:
        return None
    if mechanism.coupled_masses:
        return None
    if any(
        own.disk or own.sign_cases or own.is_sliding_mode for own in nonsmooth.constraints
    ):
        return None
    given = _trace(form)
    try:
        speeds = casadi.SX(casadi.vertcat(*nonsmooth.speeds(given.motion)))
        bounds = nonsmooth.bounds(given.motion)
    except MissingAccelerationsError:
        return None
    found = _places(speeds, given)
    if found is None or not _bounds_are_known(bounds, nonsmooth):
        return None
    places, factors = found
    if not set(places) <= set(form.layout.state_u):
        return None
    if not _act_along(form, nonsmooth, given, places, factors):
        return None
    if not _conditions_have_rates(form, nonsmooth, given):
        return None
    return JointConstraints(form, places, factors)


def _trace(form: StateSpaceForm) -> _Traced:
    import casadi

    mechanism, layout = form.mechanism, form.layout
    sizes = {"t": 1, "q": mechanism.n_q, "u": mechanism.n_u, "z": len(layout.blocks)}
    t, q, u, z = (casadi.SX.sym(name, size) for name, size in sizes.items())
    ud = casadi.SX.sym("ud", mechanism.n_u)
    motion = MotionView(
        mechanism, elements(q), elements(u), None, t, elements(z), is_cut=True
    )
    return _Traced(u, ud, casadi.vertcat(t, q, u, z, ud), z, motion)


def _places(speeds: casadi.SX, given: _Traced) -> tuple[list[int], list[float]] | None:
    """Return the speed of each constraint and its factor; None if there are several."""
    import casadi

    at_rest = casadi.substitute(speeds, given.u, casadi.SX.zeros(*given.u.shape))
    entries = table(casadi.jacobian(speeds, given.u))
    places = [place for _, place in sorted(entries)]
    is_own = [k for k, _ in sorted(entries)] == list(range(speeds.numel()))
    if not (is_own and at_rest.is_zero()):
        return None
    factors = [casadi.SX(entries[key]) for key in sorted(entries)]
    if not all(c.is_constant() for c in factors):
        return None
    return places, [float(c) for c in factors]


def _bounds_are_known(
    bounds: Sequence[ForceBounds], nonsmooth: NonsmoothConstraints
) -> bool:
    """Return whether no bound depends on forces."""
    import casadi

    kinds = (*KINDS, "on")
    column = casadi.vertcat(*(getattr(own, kind) for own in bounds for kind in kinds))
    return not casadi.depends_on(casadi.SX(column), nonsmooth.symbols)


def _act_along(
    form: StateSpaceForm,
    nonsmooth: NonsmoothConstraints,
    given: _Traced,
    places: Sequence[int],
    factors: Sequence[float],
) -> bool:
    """Return whether each force acts along its speed, and on nothing else."""
    import casadi

    own = casadi.SX(casadi.vertcat(*given.motion.generalised_forces))
    acting = table(casadi.jacobian(own, nonsmooth.symbols))
    if set(acting) != {(place, k) for k, place in enumerate(places)}:
        return False
    for k, (place, c) in enumerate(zip(places, factors, strict=True)):
        if not casadi.is_equal(casadi.SX(acting[place, k]), casadi.SX(c), ALIKE):
            return False
    others: list[Scalar] = []
    for load in given.motion.link_loads or ():
        others += [*load.resultant.xyz, *load.moment.xyz]
    if given.z.numel():
        signals, moving = form.mechanism.signals, given.moving
        others += signals.rates(moving, moving.z, moving.t)
    column = casadi.SX(casadi.vertcat(casadi.SX(0, 1), *others))
    return not casadi.depends_on(column, nonsmooth.symbols)


def _conditions_have_rates(
    form: StateSpaceForm, nonsmooth: NonsmoothConstraints, given: _Traced
) -> bool:
    """Return whether conditions of triggers depend on no accelerations and no forces."""
    import casadi

    triggers = form.mechanism.inventory.triggers
    conditions = [own.condition for own in triggers if own.condition is not None]
    moving = given.moving
    column = casadi.vertcat(casadi.SX(0, 1), *(read(moving) for read in conditions))
    unknown = casadi.vertcat(given.rates, nonsmooth.symbols)
    return not casadi.depends_on(casadi.SX(column), unknown)
