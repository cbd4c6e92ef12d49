"""Functions of the equations that native event handling needs, traced on symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, fabs, floor, maximum, where
from motorik.compiler.symbols import elements, make_function
from motorik.components.base.contributions import Trigger
from motorik.components.base.values import LiveScalar
from motorik.components.blocks.discrete import When
from motorik.errors import AssemblyError, ParameterError
from motorik.motion.view import MotionView
from motorik.nonsmooth.laws.force_bounds import Entries
from motorik.nonsmooth.laws.state_events import law_conditions
from motorik.nonsmooth.memory import (
    ALGEBRAIC_LOOP,
    CONTACT_STATE,
    NONLINEAR,
    ContactState,
)
from motorik.numerics.tolerances import TIME_ROUNDING

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations


# --- triggers ------------------------------------------------------------------------------


Reading = Callable[[MotionView], Scalar]


def read(
    equations: Equations,
    t: Scalar,
    x: list[Scalar],
    readings: Sequence[Reading],
    rates: list[Scalar] | None = None,
) -> list[Scalar]:
    """Return quantities of the motion at a state, accelerations and forces among them.

    Accelerations are computed only if needed; with the `rates` of the state these are given, and
    so are contact forces, in p.
    """
    import casadi

    form, branch = equations.form, equations.branch_parameters
    if rates is not None:
        moving = form.motion(t, x, branch, form.speed_rates_of(t, x, branch, rates))
        values = [casadi.SX(one(moving)) for one in readings]
        return elements(casadi.vertcat(casadi.SX(0, 1), *values))
    (ud,) = equations.symbols("ud")
    motion = form.motion(t, x, branch, elements(ud))
    column = casadi.vertcat(casadi.SX(0, 1), *(casadi.SX(one(motion)) for one in readings))
    forces = casadi.SX(0, 1) if form.nonsmooth is None else form.nonsmooth.symbols
    if casadi.depends_on(column, casadi.vertcat(ud, forces)):
        rates = form.all_speed_rates(t, x, branch)
        column = casadi.substitute(column, ud, casadi.vertcat(casadi.SX(0, 1), *rates))
        if form.nonsmooth is not None:
            found = form.linear_response(t, x, branch).forces
            column = casadi.substitute(column, forces, casadi.vertcat(*found))
    return elements(column)


def trigger_conditions(
    equations: Equations, t: Scalar, x: list[Scalar], rates: list[Scalar] | None = None
) -> list[Scalar]:
    """Return the condition of each trigger, 0 of clocks, and then their rates."""
    import casadi

    triggers = equations.mechanism.inventory.triggers
    values = read(equations, t, x, [_condition(trigger) for trigger in triggers], rates)
    if not any(trigger.condition for trigger in triggers):
        return values + [0.0] * len(triggers)
    for trigger, value in zip(triggers, values, strict=True):
        is_of_user = isinstance(trigger.part, When)
        if is_of_user and casadi.SX(value).is_constant():
            raise ParameterError(
                trigger.part.path,
                f"condition(motion) is {float(value):g} whatever the motion is, so nothing "
                "makes it positive.",
                'Let it depend on the motion, e.g. lambda motion: motion["ram.s"] - 0.2.',
                parameter="condition",
                value=float(value),
            )
    given = casadi.vertcat(t, *x)
    if rates is None:
        rates = equations.form.derivative(t, x, equations.branch_parameters)
    moved = casadi.jtimes(casadi.vertcat(*values), given, casadi.vertcat(1.0, *rates))
    return [*values, *elements(moved)]


def _condition(trigger: Trigger) -> Reading:
    return trigger.condition if trigger.condition is not None else (lambda motion: 0.0)


def assignments(
    equations: Equations, t: Scalar, x: list[Scalar], rates: list[Scalar] | None = None
) -> list[Scalar]:
    """Return the values of all assignments, one trigger after another.

    They read the numbers before the event, except those of clocks that are seen at once.
    """
    triggers = equations.mechanism.inventory.triggers
    made = [a.value for trigger in triggers for a in trigger.assignments]
    values = read(equations, t, x, made, rates)
    owners = [trigger for trigger in triggers for _ in trigger.assignments]
    targets = [a for trigger in triggers for a in trigger.assignments]
    if not any(a.is_seen_at_once for a in targets):
        return values
    place = equations.layout.position
    seen = {
        k: equations.p[place[a.target]]
        for k, a in enumerate(targets)
        if a.is_seen_at_once and isinstance(a.target, LiveScalar)
    }
    return _SeenAtOnce(t, owners, values, seen).all()


class _SeenAtOnce:
    """Values of assignments in which numbers are replaced by their values after the event.

    `numbers` are the symbols of the numbers that are seen at once, by their assignments;
    `owners` are the clocks of all assignments.
    """

    def __init__(
        self,
        t: Scalar,
        owners: Sequence[Trigger],
        values: Sequence[Scalar],
        numbers: Mapping[int, casadi.SX],
    ) -> None:
        self.t, self.owners, self.values, self.numbers = t, owners, values, numbers
        self._known: dict[int, Scalar] = {}
        self._under_way: list[int] = []

    def all(self) -> list[Scalar]:
        """Return all values."""
        return [self.value(k) for k in range(len(self.values))]

    def value(self, k: int) -> Scalar:
        """Return a value with all numbers that it sees at once replaced."""
        import casadi

        if k in self._known:
            return self._known[k]
        if k in self._under_way:
            ring = [self.owners[j].part for j in self._under_way]
            raise AssemblyError(
                ring[0].path,
                "is in an algebraic loop of sampled signals: "
                f"{' → '.join(part.path for part in ring)}.",
                "Put a blocks.UnitDelay into the loop.",
                value=tuple(ring),
            )
        self._under_way.append(k)
        own = casadi.SX(self.values[k])
        for j, number in self.numbers.items():
            is_other = self.owners[j] is not self.owners[k]
            if is_other and casadi.depends_on(own, number):
                own = casadi.substitute(own, number, self._after(j, k, number))
        self._under_way.pop()
        self._known[k] = own
        return own

    def _after(self, j: int, k: int, number: casadi.SX) -> Scalar:
        """Return the number of assignment j as clock k sees it: changed if both tick."""
        one, other = self.owners[j], self.owners[k]
        after = self.value(j)
        if other.period and (one.period, one.offset) == (other.period, other.offset):
            return after
        tick = one.offset + one.period * floor((self.t - one.offset) / one.period + 0.5)
        near = 4.0 * TIME_ROUNDING * maximum(fabs(tick), one.period)
        return where(fabs(self.t - tick) <= near, after, number)


def sampled_inputs(
    equations: Equations, t: Scalar, x: list[Scalar], rates: list[Scalar] | None = None
) -> list[Scalar]:
    """Return the inputs of all functions of the user, one after another."""
    triggers = equations.mechanism.inventory.triggers
    made = [one for trigger in triggers for one in trigger.inputs]
    return read(equations, t, x, made, rates)


def of_motion(equations: Equations) -> dict[str, casadi.Function]:
    """Return the functions of triggers as functions of (t, x and dx/dt, p), with the forces in p.

    Unused ones are omitted, and so are conditions whose rates would need those of accelerations
    or of forces.
    """
    import casadi

    n = equations.layout.n_x
    (t,), both = equations.symbols("t"), casadi.SX.sym("x", 2 * n)
    x, rates = elements(both[:n]), elements(both[n:])
    given = {"t": t, "x": both, "p": equations.p}
    found: dict[str, casadi.Function] = {}
    if not equations.mechanism.inventory.triggers:
        return found
    for name, trace in TRIGGERED.items():
        values = trace(equations, t, x, rates)
        if not values:
            continue
        own = casadi.SX(casadi.vertcat(*values[: len(values) // 2]))
        unknown = casadi.vertcat(casadi.SX(0, 1), *rates, equations.nonsmooth.symbols)
        if name != "trigger_conditions" or not casadi.depends_on(own, unknown):
            found[name] = make_function(f"{name}_of_motion", given, values)
    return found


TRIGGERED = {
    "trigger_conditions": trigger_conditions,
    "assignments": assignments,
    "sampled_inputs": sampled_inputs,
}


# --- friction and contact ------------------------------------------------------------------


def contact_state_values(equations: Equations, t: Scalar, x: list[Scalar]) -> list[Scalar]:
    """Return the `ContactState` of each constraint.

    The rate of `on` is not a number where it depends on forces, whose rates are unknown.
    """
    form, nonsmooth = equations.form, equations.nonsmooth
    response = form.linear_response(t, x, equations.branch_parameters)
    motion = form.motion(t, x, equations.branch_parameters)
    found: list[Scalar] = []
    speeds, rates = nonsmooth.speeds(motion), response.accelerations
    given = zip(
        nonsmooth.constraints, speeds, response.forces, response.bounds, rates, strict=True
    )
    for constraint, w, force, bounds, rate in given:
        gap = 0.0 if constraint.gap is None else constraint.gap(motion)
        all_bounds = response.under_forces([bounds.low, bounds.high, bounds.on])
        found += [w, force, *all_bounds, gap, rate, 0.0]
    _write_rates_of_on(equations, t, x, found, [own.on for own in response.bounds])
    return found


def _write_rates_of_on(
    equations: Equations,
    t: Scalar,
    x: list[Scalar],
    found: list[Scalar],
    on: Sequence[Scalar],
) -> None:
    """Write into `found` the rates of the conditions of contact."""
    import casadi

    moving = [k for k, one in enumerate(on) if not casadi.SX(one).is_constant()]
    forces = equations.nonsmooth.symbols
    reading = [k for k in moving if casadi.depends_on(casadi.SX(on[k]), forces)]
    known = [k for k in moving if k not in reading]
    for k in reading:
        found[CONTACT_STATE * k + ContactState.on_rate] = nan
    if known:
        given = casadi.vertcat(t, *x)
        moved = casadi.vertcat(
            1.0, *equations.form.derivative(t, x, equations.branch_parameters)
        )
        rates = casadi.jtimes(casadi.vertcat(*(on[k] for k in known)), given, moved)
        for k, rate in zip(known, elements(rates), strict=True):
            found[CONTACT_STATE * k + ContactState.on_rate] = rate


def contact_lcp_values(equations: Equations, t: Scalar, x: list[Scalar]) -> list[Scalar]:
    """Return the `LcpData` of each constraint, and then D by rows.

    With coupled bounds the slopes of low, high, forward and backward follow; then `NONLINEAR` if
    they are tangents at the forces in p. If accelerations are nonlinear in the forces,
    `ALGEBRAIC_LOOP` and the D and slopes of impulses follow instead.
    """
    form, nonsmooth = equations.form, equations.nonsmooth
    response = form.linear_response(t, x, equations.branch_parameters)
    motion = form.motion(t, x, equations.branch_parameters)
    found: list[Scalar] = []
    linearisation = response.linearisation
    speeds = nonsmooth.speeds(motion)
    given = zip(
        nonsmooth.constraints, speeds, linearisation.bounds, linearisation.b, strict=True
    )
    for constraint, w, bounds, b in given:
        gap = 0.0 if constraint.gap is None else constraint.gap(motion)
        found += [w, bounds.low, bounds.high, bounds.forward, bounds.backward]
        found += [*response.under_forces([bounds.on]), gap, constraint.restitution, b]
    numbers = range(nonsmooth.size)
    slopes = () if linearisation.slopes is None else linearisation.slopes.values()

    def squares(matrices: Iterable[Entries]) -> list[Scalar]:
        return [own.get((i, j), 0.0) for own in matrices for i in numbers for j in numbers]

    found += squares((linearisation.D, *slopes))
    if linearisation.frozen:
        return [*found, ALGEBRAIC_LOOP, *squares(linearisation.frozen)]
    return [*found, NONLINEAR] if linearisation.is_nonlinear else found


def impulse_response_values(
    equations: Equations, t: Scalar, x: list[Scalar]
) -> list[Scalar]:
    """Return the change of the state by impulses, which stand in the places of the forces.

    Block states are continuous: an impact takes no time, and events report it. A block may read
    products of forces and speeds, which impulses do not determine. Multipliers of sliding modes
    change the block states they hold.
    """
    nonsmooth, response = (
        equations.nonsmooth,
        equations.form.linear_response(t, x, equations.branch_parameters),
    )
    q, u, z = equations.layout.split_state(response.change_by(nonsmooth.forces))
    moved: list[Scalar] = [0.0] * len(z)
    if z and any(nonsmooth.of_sliding_modes):
        own = zip(nonsmooth.forces, nonsmooth.of_sliding_modes, strict=True)
        shares = response.change_by(
            [force if is_sliding_mode else 0.0 for force, is_sliding_mode in own]
        )
        moved = equations.layout.split_state(shares)[2]
    return [*q, *u, *moved]


def velocity_closure_values(
    equations: Equations, t: Scalar, x: list[Scalar]
) -> list[Scalar]:
    """Return the change of the state that closes the velocities of loops stabilised by gains."""
    return equations.form.closing(t, x, equations.branch_parameters)


def of_state(
    name: str, trace: Callable[[Equations, Scalar, list[Scalar]], list[Scalar]]
) -> Callable[[Equations], casadi.Function]:
    """Return the maker of a function of (t, x, p)."""

    def make(equations: Equations) -> casadi.Function:
        t, x = equations.symbols("t", "x")
        values = trace(equations, t, elements(x))
        return make_function(name, {"t": t, "x": x, "p": equations.p}, values)

    return make


def forces(equations: Equations) -> casadi.Function:
    """Return the contact forces, of a motion X."""
    t, X = equations.symbols("t", "X")
    values = equations.form.linear_response_of_motion(
        t, elements(X), equations.branch_parameters
    ).forces
    return make_function("forces", {"t": t, "X": X, "p": equations.p}, values)


def delayed_signals(
    equations: Equations, t: Scalar, x: list[Scalar], rates: list[Scalar] | None = None
) -> list[Scalar]:
    """Return the signals whose past is kept, and then their delays [s]."""
    delays = equations.mechanism.inventory.delays
    readings = [own.signal for own in delays] + [own.delay for own in delays]
    return read(equations, t, x, readings, rates)


OF_STATE = {
    **TRIGGERED,
    "delayed_signals": delayed_signals,
    "contact_state": contact_state_values,
    "contact_lcp": contact_lcp_values,
    "impulse_response": impulse_response_values,
    "velocity_closure": velocity_closure_values,
}

SWITCHING: dict[str, Callable[[Equations], casadi.Function]] = {
    **{name: of_state(name, trace) for name, trace in OF_STATE.items()},
    "forces": forces,
    "law_conditions": law_conditions,
}
