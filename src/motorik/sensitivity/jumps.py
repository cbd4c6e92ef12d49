"""Derivatives of runs at events: of the time of an event, and of what it changes.

With the event function g(t, x, p) = 0 that determines the time τ, the rates f⁻ and f⁺ on both sides
and the new state x⁺ = R(τ, x⁻, p), the changes S of the state jump to

    S⁺ = R_x (S + f⁻ dτ) + R_p dp + R_t dτ − f⁺ dτ,   dτ = −(g_x S + g_p dp) / (g_t + g_x f⁻),

which for R = x is the saltation matrix.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.directional import DirectionalCode
from motorik.components.base.internal import single_number
from motorik.components.base.values import LiveScalar
from motorik.errors import SimulationError
from motorik.immutable import immutable
from motorik.nonsmooth.application.run_events import names_in_log
from motorik.nonsmooth.memory import CONTACT_STATE, ContactState, LcpData
from motorik.numerics.tolerances import TIME_ROUNDING
from motorik.simulation.model_integration import is_adaptive, may_have_events
from motorik.simulation.run import integrate

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.start import InitialState
    from motorik.results import Event
    from motorik.results.trajectory import Trajectory
    from motorik.sensitivity.directions import RunDirections
    from motorik.simulation.options import RunOptions

SAME = 1e-7  # of the speed of a contact: two values of it are equal
JUMPS = 1e-5  # of the rates: by so much they jump where a law does
TOGETHER = 1e-9  # of the run: events nearer to one another are at one time
SPACING = 1e-4  # of a direction: by which the times of jumps are differentiated


@immutable(eq=False)
class JumpInstant:
    """An instant at which equations change: p and the state before and after it.

    Functions of time change nothing but the equations: there is no state then.

    `moved` is the change of its time with each direction, if the time does not depend on the state;
    `conditions` the numbers of the conditions of laws that jump, which are passed between `until`
    and `time`. `selected` are the numbers of triggers that only select a branch of a law, and
    cease to hold: the log of events does not tell them.
    """

    time: float
    p_before: np.ndarray
    p_after: np.ndarray
    x_before: np.ndarray | None
    x_after: np.ndarray | None
    events: tuple[Event, ...]
    moved: np.ndarray
    until: float
    conditions: tuple[int, ...] = ()
    selected: tuple[int, ...] = ()


# --- when ---------------------------------------------------------------------------------------


def find_instants(
    initial: InitialState, options: RunOptions, directions: RunDirections
) -> tuple[np.ndarray, list[JumpInstant]]:
    """Return p from the start on, and the instants after it at which equations change."""
    system = initial.system
    if not may_have_events(system, is_adaptive(options.method)):
        return initial.p.copy(), []
    _refuse_functions(system)
    found = integrate(initial, replace(options, output=2, interval=None, progress=False))
    if not found.info.complete:
        raise SimulationError(system.facts.name, f"ends early: {found.info.message}.")
    if found.system is not system or found.stepped:
        raise SimulationError(
            system.facts.name,
            "changes its formulation, or passes an interval by time stepping: a derivative is "
            "not followed through that.",
            "Differentiate a shorter run.",
        )
    p, first = _start_of(found, initial)
    events, states = found.events()
    end, none = options.stop_time, np.zeros(len(directions))
    instants = []
    times = [] if states is None else states.times.tolist()
    for k, t in enumerate(times):
        assert states is not None
        own = tuple(event for event in events if event.instant == k)
        x, x_after = map(np.asarray, map(system.layout.state_of, states.motion[k]))
        p_before, p_after = states.parameters[k]
        instants.append(JumpInstant(t, p_before, p_after, x, x_after, own, none, t))
    near = TOGETHER * options.duration
    instants += _selections(system, found, times, none)
    if system.facts.has_time_events:
        moved = _moving_times(initial, options, directions)
        for t, changes in moved:
            if all(abs(t - own.time) > near for own in instants):
                instants.append(JumpInstant(t, p, p, None, None, (), changes, t))
    if system.facts.n_state_events:
        instants += _jumps_of_laws(system, found, none)
    instants.sort(key=lambda own: own.time)
    instants = [own for own in instants if options.start_time < own.time < end]
    made = []
    for own in instants:
        if own.x_after is None:
            own = replace(own, p_before=p, p_after=p)
        made.append(own)
        p = own.p_after
    _refuse_coincidences(made, near)
    return first, made


def _selections(
    system: CompiledModel, found: Trajectory, logged: list[float], none: np.ndarray
) -> list[JumpInstant]:
    """Return the instants, not `logged`, at which triggers select another branch of a law.

    The driving side of a lossy gear is such a branch.
    """
    flags = {
        k: system.layout.position[single_number(own.part.internal(), own.flag)]
        for k, own in enumerate(system.mechanism.inventory.triggers)
        if own.condition is not None and not (own.assignments or own.stops)
    }
    if not flags or found.again is None:
        return []
    steps = found.again(None)
    t, x = steps.time, np.asarray(system.layout.state_of(steps.motion))
    rows = steps.parameters() if callable(steps.parameters) else steps.parameters
    if rows.ndim == 1:
        return []
    changed = rows[:-1, list(flags.values())] != rows[1:, list(flags.values())]
    instants = []
    for i in np.flatnonzero(changed.any(axis=1)):
        if t[i + 1] not in logged:
            own = tuple(k for k, is_new in zip(flags, changed[i], strict=True) if is_new)
            both = rows[i].copy(), rows[i + 1].copy(), x[i], x[i + 1]
            at = float(t[i + 1])
            instants.append(JumpInstant(at, *both, (), none, at, selected=own))
    return instants


def _jumps_of_laws(
    system: CompiledModel, found: Trajectory, none: np.ndarray
) -> list[JumpInstant]:
    """Return the instants at which laws jump: steps end just after them."""
    assert found.again is not None
    steps, count = found.again(None), system.facts.n_state_events
    t, x = steps.time, np.asarray(system.layout.state_of(steps.motion))
    rows = steps.parameters() if callable(steps.parameters) else steps.parameters
    p = np.broadcast_to(rows, (t.size, rows.shape[-1]))
    rates = system.derivative.map(t.reshape(-1, 1), x, p)
    given = t.reshape(-1, 1), np.hstack([x, rates]), p
    values = system.law_conditions.map(*given)
    g, g_rates = values[:, :count], values[:, count : 2 * count]
    instants, passed = [], (g[:-1] < 0.0) != (g[1:] < 0.0)
    for i in np.flatnonzero(passed.any(axis=1)):
        own = np.flatnonzero(passed[i])
        slopes = np.where(g[i + 1] == 0.0, 1.0, g_rates[i + 1])
        aways = np.abs(g[i + 1, own] / np.where(slopes[own] == 0.0, 1e-300, slopes[own]))
        away = aways.min()  # others jump where this one is passed
        own = own[aways <= away + TIME_ROUNDING * max(abs(t[i + 1]), 1.0)]
        until = t[i + 1] - 3.0 * max(away, TIME_ROUNDING * max(abs(t[i + 1]), 1.0))
        if not t[i] < until:
            until = t[i]
        before = x[i + 1] - rates[i] * (t[i + 1] - until)
        rate, aside = rates[i + 1], 10.0 * TIME_ROUNDING * max(abs(t[i + 1]), 1.0)
        sides = x[i + 1] - rate * away + aside * np.outer([-1.0, 1.0], rate)
        f = system.derivative.map(np.full((2, 1), t[i + 1]), sides, p[i + 1])
        if np.abs(f[1] - f[0]).max() > JUMPS * np.abs(f).max():
            both = p[i].copy(), p[i + 1].copy()
            rest = (), none, until, tuple(own.tolist())
            instants.append(JumpInstant(float(t[i + 1]), *both, before, x[i + 1], *rest))
    return instants


def _start_of(found: Trajectory, initial: InitialState) -> tuple[np.ndarray, np.ndarray]:
    """Return p just after the start of a run, twice, or refuse a start at which the state jumps."""
    rows = found.parameters() if callable(found.parameters) else found.parameters
    p = np.array(rows[0] if rows.ndim == 2 else rows)
    size = 1.0 + np.abs(initial.X).max(initial=0.0)
    if np.abs(found.motion[0] - initial.X).max(initial=0.0) > SAME * size:
        raise SimulationError(
            initial.system.facts.name,
            "jumps at its very start, by an impact or a reset: the run has no derivative there.",
            "Begin just after it.",
        )
    return p, p.copy()


def _refuse_functions(system: CompiledModel) -> None:
    """Refuse functions of the user that are called in the run: they have no derivatives."""
    inventory = system.mechanism.inventory
    for trigger in inventory.triggers:
        if trigger.function is not None:
            raise SimulationError(
                trigger.part.path,
                "calls a function of the user in the run, which has no derivative.",
                "Write the controller with blocks, or with traced=True.",
            )


def _refuse_coincidences(instants: list[JumpInstant], near: float) -> None:
    for own, following in pairwise(instants):
        if following.time - own.time <= near:
            raise _several(own.time, (*own.events, *following.events))


def _several(t: float, events: tuple[Event, ...]) -> SimulationError:
    names = ", ".join(dict.fromkeys(event.part for event in events)) or "time"
    return SimulationError(
        names,
        f"several things happen at once at t = {t:.9g} s: their order changes with parameters, so "
        "that the run has no derivative there.",
        "Differentiate at other values, at which they happen one after the other, or end before.",
        parameter="stop_time",
        value=t,
    )


def _moving_times(
    initial: InitialState, options: RunOptions, directions: RunDirections
) -> list[tuple[float, np.ndarray]]:
    """Return the times at which functions of time jump, and their changes in all directions."""
    span = options.start_time, options.stop_time
    find, p = initial.system.time_events.times, initial.p
    times = find(*span, p)
    changes = np.zeros((times.size, len(directions)))
    for k, place in enumerate(directions.places):
        if place < 0:
            continue
        h = SPACING * directions.scales[k]
        for far, weight in ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0)):
            beside = p.copy()
            beside[place] += far * h
            found = find(*span, beside)
            if found.size != times.size:
                raise SimulationError(
                    directions.names[k],
                    "changes how often a function of time jumps in the run: no derivative.",
                    "End the run elsewhere, or differentiate at another value.",
                )
            changes[:, k] += weight * (found - times) / (12.0 * h)
    return list(zip(times.tolist(), changes, strict=True))


# --- what changes -----------------------------------------------------------------------------


def jump(
    system: CompiledModel,
    own: JumpInstant,
    x: np.ndarray,
    S: np.ndarray,
    D: np.ndarray,
    timed: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the changes of the state and of p after an instant, from those before it.

    The changes of its time come last; they are zero where it changes no rates, unless `timed`.
    """
    return _Jump(system, own, x, S, D).found(timed)


class _Jump:
    """An instant with the changes of all directions as rows."""

    def __init__(
        self,
        system: CompiledModel,
        own: JumpInstant,
        x: np.ndarray,
        S: np.ndarray,
        D: np.ndarray,
    ) -> None:
        x = x if own.x_before is None else own.x_before
        self.system, self.own, self.x = system, own, x
        self.S, self.D = np.ascontiguousarray(S.T), np.ascontiguousarray(D.T)
        self.code = DirectionalCode.of(system)
        self.time = np.array([own.time])
        self.x_after = x if own.x_after is None else own.x_after
        aside = TIME_ROUNDING * max(abs(own.time), 1.0)
        before = np.array([own.until - aside]), x, own.p_before
        after = np.array([own.time + aside]), self.x_after, own.p_after
        self.before, self.after = system.derivative(*before), system.derivative(*after)
        triggers = system.mechanism.inventory.triggers
        parts = {event.part for event in own.events}
        self.triggers = [
            k
            for k, trigger in enumerate(triggers)
            if trigger.part.path in parts or k in own.selected
        ]

    def found(self, timed: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return S and D after the instant, a column for each direction, and its changes."""
        size = np.abs(self.before).max(initial=0.0) + np.abs(self.after).max(initial=0.0)
        is_same = np.abs(self.after - self.before).max(initial=0.0) <= SAME * size
        is_state_same = bool(self.own.conditions) or np.abs(self.x_after - self.x).max(
            initial=0.0
        ) <= SAME * (1.0 + np.abs(self.x).max(initial=0.0))
        resets = any(self._assigned(k) for k in self.triggers)
        if is_same and is_state_same and not resets:
            dt = self._moved() if timed else np.zeros(len(self.S))
            return self.S.T, self.D.T, dt
        dt = self._moved()
        S = self.S + dt[:, None] * self.before
        D = self.D.copy()
        if resets:
            S, D = self._reset(S, D, dt)
        elif not is_state_same:
            S = self._hit(S, dt)
        return (S - dt[:, None] * self.after).T, D.T, dt

    # --- the time of the instant ----------------------------------------------------------------

    def _moved(self) -> np.ndarray:
        """Return the change of its time in each direction."""
        own = self.own
        if own.conditions:
            found = [self._along_law(k) for k in own.conditions]
            dt = -found[0][1] / found[0][0]
            for rate, changes in found[1:]:
                apart = np.abs(-changes / rate - dt).max(initial=0.0)
                if apart > 1e-5 * (1e-9 + np.abs(dt).max(initial=0.0)):
                    raise _several(own.time, own.events)
            return dt
        if not own.events and not own.selected:
            return own.moved
        found = [*self._of_triggers(), *self._of_constraints()]
        if not found:
            names = ", ".join(event.part for event in own.events)
            raise SimulationError(
                names,
                f"changes at t = {own.time:.9g} s in a way that has no derivative.",
                "Differentiate a run that ends before.",
                parameter="stop_time",
                value=own.time,
            )
        away = [abs(value / rate) if rate else np.inf for value, rate, _ in found]
        first = int(np.argmin(away))
        _, rate, changes = found[first]
        if not np.isfinite(away[first]):
            raise SimulationError(
                ", ".join(event.part for event in own.events),
                f"touches its condition at t = {own.time:.9g} s without passing it: the run has "
                "no derivative there.",
                "Differentiate at other values, or end before.",
                parameter="stop_time",
                value=own.time,
            )
        dt = -changes / rate
        for other, (_, own_rate, own_changes) in enumerate(found):
            near = away[other] <= 1e-7 * max(abs(own.time), 1e-3)
            if other != first and near:
                apart = np.abs(-own_changes / own_rate - dt).max(initial=0.0)
                if apart > 1e-5 * (1e-9 + np.abs(dt).max(initial=0.0)):
                    raise _several(own.time, own.events)
        return dt

    def _along(self, name: str, entry: int) -> tuple[float, float, np.ndarray]:
        """Return an event function before the event, its rate, its changes in all directions."""
        given = self.time, self.x, self.own.p_before
        value = self.code.value(name, *given)[entry]
        ones = np.vstack([[1.0], np.zeros((len(self.S), 1))])
        seeds = {
            0: ones,
            1: np.vstack([self.before, self.S]),
            2: np.vstack([np.zeros(self.D.shape[1]), self.D]),
        }
        changes = self.code.along(name, given, seeds)[:, entry]
        return float(value), float(changes[0]), changes[1:]

    def _along_law(self, k: int) -> tuple[float, np.ndarray]:
        """Return the rate of a condition of a law before it is passed, and its changes."""
        n, D = self.system.n_x, self.D
        both = np.concatenate([self.x, self.before])
        given = np.array([self.own.until]), both, self.own.p_before
        seeds = np.zeros((1 + len(self.S), 2 * n))
        seeds[0, :n], seeds[1:, :n] = self.before, self.S
        changes = self.code.along(
            "law_conditions",
            given,
            {
                0: np.vstack([[1.0], np.zeros((len(self.S), 1))]),
                1: seeds,
                2: np.vstack([np.zeros(D.shape[1]), D]),
            },
        )[:, k]
        return float(changes[0]), changes[1:]

    def _of_triggers(self) -> list[tuple[float, float, np.ndarray]]:
        triggers = self.system.mechanism.inventory.triggers
        found = []
        for k in self.triggers:
            if triggers[k].condition is None:  # a clock
                found.append((0.0, 1.0, np.zeros(len(self.S))))
            else:
                found.append(self._along("trigger_conditions", k))
        return found

    def _of_constraints(self) -> list[tuple[float, float, np.ndarray]]:
        """Return the event functions of constraints that begin to slide, stick, open or close."""
        if self.system.nonsmooth is None:
            return []
        columns, own = self.system.layout.nonsmooth.columns, self.own
        constraints = self.system.nonsmooth.constraints
        given = self.time, self.x, own.p_before
        states = self.code.value("contact_state", *given).reshape(-1, CONTACT_STATE)
        parts = {event.part for event in own.events}
        found, names = [], names_in_log(constraints)
        for k, constraint in enumerate(constraints):
            if names[k] not in parts:
                continue
            at, base = states[k], CONTACT_STATE * k
            stuck = own.p_before[columns.stick[k]] > 0.0
            if constraint.gap is not None:
                field = ContactState.force if stuck else ContactState.gap
                found.append(self._along("contact_state", base + field))
            elif stuck or own.p_before[columns.saturated[k]] != 0.0:
                force = self._along("contact_state", base + ContactState.force)
                is_high = abs(at[ContactState.force] - at[ContactState.high]) < abs(
                    at[ContactState.force] - at[ContactState.low]
                )
                field = ContactState.high if is_high else ContactState.low
                bound = self._along("contact_state", base + field)
                found.append(tuple(a - b for a, b in zip(force, bound, strict=True)))
            else:
                found.append(self._along("contact_state", base + ContactState.speed))
        return found  # type: ignore[return-value]

    # --- resets and impacts ---------------------------------------------------------------------

    def _assigned(self, k: int) -> bool:
        return bool(self.system.mechanism.inventory.triggers[k].assignments)

    def _reset(
        self, S: np.ndarray, D: np.ndarray, dt: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the changes after assignments to states and discrete numbers."""
        triggers, layout = self.system.mechanism.inventory.triggers, self.system.layout
        seeds = {0: dt[:, None], 1: S, 2: D}
        given = self.time, self.x, self.own.p_before
        changes = self.code.along("assignments", given, seeds)
        names = {name: k for k, name in enumerate(self.system.state_names)}
        S, D, entry = S.copy(), D.copy(), 0
        for k, trigger in enumerate(triggers):
            for assignment in trigger.assignments:
                if k in self.triggers:
                    target = assignment.target
                    if isinstance(target, LiveScalar):
                        place = layout.position[target]
                        if place in layout.nonsmooth.columns.force:
                            raise self._cannot("gives an impulse")
                        D[:, place] = changes[:, entry]
                    else:
                        S[:, names[target]] = changes[:, entry]
                entry += 1
        return S, D

    def _hit(self, S: np.ndarray, dt: np.ndarray) -> np.ndarray:
        """Return the changes after an impact: speeds w⁺ = −e w⁻ of what struck, by its impulses."""
        system, own, n = self.system, self.own, self.system.n_x
        assert system.nonsmooth is not None
        columns = system.layout.nonsmooth.columns
        speeds = "nonsmooth_speeds"
        before = self.time, self.x, own.p_before
        after = self.time, self.x_after, own.p_before
        w, w_after = self.code.value(speeds, *before), self.code.value(speeds, *after)
        lcp = self.code.value("contact_lcp", *before)
        e = lcp[LcpData.restitution : len(w) * LCP_STATE : LCP_STATE]
        per = {0: np.zeros((len(w), 1)), 1: np.zeros((len(w), n))}
        p_unit = np.zeros((len(w), own.p_before.size))
        p_unit[np.arange(len(w)), columns.force] = 1.0
        p_none = own.p_before.copy()
        p_none[columns.force] = 0.0
        at = self.time, self.x, p_none
        responses = self.code.along("impulse_response", at, {**per, 2: p_unit})
        touches = np.abs(w_after + e * w) <= SAME * (np.abs(w) + np.abs(w_after) + 1e-300)
        struck = [k for k in range(len(w)) if touches[k] and np.abs(responses[k]).any()]
        struck = [k for k in struck if np.abs(w_after[k] - w[k]) > SAME * np.abs(w).max()]
        if not struck:
            raise self._cannot("hits with friction that slides")
        P = np.linalg.lstsq(responses[struck].T, self.x_after - self.x, rcond=None)[0]
        left = self.x_after - self.x - responses[struck].T @ P
        if np.abs(left).max() > 1e-6 * np.abs(self.x_after - self.x).max():
            raise self._cannot("hits with friction that slides")
        p_hit = p_none.copy()
        p_hit[columns.force[struck]] = P
        moved = {0: dt[:, None], 1: S, 2: self.D}
        at_hit = self.time, self.x, p_hit
        S_fixed = S + self.code.along("impulse_response", at_hit, moved)
        dw = self.code.along(speeds, before, moved)[:, struck]
        dw_after = self.code.along(speeds, after, {**moved, 1: S_fixed})[:, struck]
        de = self.code.along("contact_lcp", before, moved)[
            :, LcpData.restitution :: LCP_STATE
        ]
        short = dw_after + e[struck] * dw + de[:, struck] * w[struck]
        still = {
            0: np.zeros((len(struck), 1)),
            2: np.zeros((len(struck), own.p_before.size)),
        }
        by_impulse = self.code.along(speeds, after, {**still, 1: responses[struck]})[
            :, struck
        ]
        # a stop and the friction of one joint come to rest together: they depend on one another
        sizes = np.sqrt(np.abs(np.diag(by_impulse)))
        matrix, wanted = by_impulse.T / np.outer(sizes, sizes), (short / sizes).T
        dP = np.linalg.lstsq(matrix, -wanted, rcond=SAME)[0]
        if np.abs(matrix @ dP + wanted).max() > 1e-6 * np.abs(wanted).max():
            raise self._cannot("hits constraints that depend on one another")
        return S_fixed + (dP.T / sizes) @ responses[struck]

    def _cannot(self, what: str) -> SimulationError:
        names = ", ".join(event.part for event in self.own.events)
        return SimulationError(
            names,
            f"{what} at t = {self.own.time:.9g} s: derivatives are not followed through that.",
            "Differentiate a run that ends before.",
            parameter="stop_time",
            value=self.own.time,
        )


LCP_STATE = 9  # numbers of `LcpData` of each constraint
