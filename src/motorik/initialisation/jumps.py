"""Jumps of prescribed motions and of signals that are differentiated: both are refused."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler.symbols import elements
from motorik.components.base.ports import PortKind
from motorik.errors import (
    JumpWarning,
    MissingAccelerationsError,
    ParameterError,
    calls_within_motorik,
)
from motorik.immutable import immutable
from motorik.motion.view import MotionView
from motorik.nonsmooth.laws.time_events import (
    find_time_events,
    make_levels,
    time_conditions_of,
)
from motorik.numerics.tolerances import (
    BESIDE_EVENT,
    MASSLESS,
    UNRESISTED_SPEED,
    VISIBLE_JUMP,
)

if TYPE_CHECKING:
    import casadi

    from motorik.compiled_model import CompiledModel
    from motorik.components.base.contributions import Prescribed
    from motorik.components.base.part import Part
    from motorik.initialisation.initialise import InitialState
    from motorik.nonsmooth.laws.time_events import TimeConditions

NEARER = 16.0  # how much nearer a second time: what is continuous shrinks, a jump does not

FORCE = "which would take an infinite force"
STICKS = "which friction and contacts next to it cannot follow"

WAYS, PLACES, HALVINGS = 32, 17, 48  # straight ways along which jumps are looked for
REACH = 2.0  # how far from the start they lead, in scales
CASES = ("OP_LT", "OP_LE", "OP_EQ", "OP_NE", "OP_FLOOR", "OP_CEIL", "OP_SIGN")


@immutable
class Switched:
    """A prescribed position or its speed, and the cases of time that switch it.

    It is a function of time, and of live parameters and motion end to end. `relation` is its
    number among the relations.
    """

    drive: Prescribed
    relation: int
    per: str
    value: casadi.Function
    levels: list[TimeConditions]

    def jumps(self, start: InitialState, stop: float) -> tuple[np.ndarray, np.ndarray]:
        """Return when it jumps in a run, and by how much."""
        return _jumps(self.value, self.levels, start, stop)


@immutable
class Differentiated:
    """A signal whose exact rate a block computes, and the cases of time that switch it.

    `is_kept` is set where it depends on a `Discrete` signal, which jumps at events, and
    `is_cased` where it has cases of the motion.
    """

    part: Part
    value: casadi.Function
    levels: list[TimeConditions]
    is_kept: bool
    is_cased: bool

    def check(self, start: InitialState, stop: float) -> None:
        """Refuse a jump in the run: the pulse of the rate would be lost."""
        remedy = "Take a Derivative block, which has a filter, or put a FirstOrder block before it."
        if self.is_kept:
            raise ParameterError(
                self.part.path,
                "its input depends on a Discrete signal, which jumps at events: its rate is "
                "infinite there.",
                remedy,
                parameter="u",
                value=self.part,
            )
        at, jumps = _jumps(self.value, self.levels, start, stop)
        if at.size:
            raise ParameterError(
                self.part.path,
                f"its input jumps by {jumps[0]:.4g} at t = {at[0]:.6g} s: its rate is infinite "
                "there.",
                remedy,
                parameter="u",
                value=float(jumps[0]),
            )
        if self.is_cased and _jumps_with_motion(self.value, start):
            warnings.warn(
                f"{self.part.path}: its input may jump as a case of the motion changes; the "
                f"pulse of its rate is lost then. {remedy}",
                JumpWarning,
                stacklevel=calls_within_motorik(),
            )


def _jumps(
    value: casadi.Function, levels: list[TimeConditions], start: InitialState, stop: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return when a function jumps in a run, and by how much: sides are compared, twice."""
    given = np.concatenate([start.system.layout.live_of(start.p), start.X])
    at = find_time_events(levels, start.t, stop, given)
    if not at.size:
        return at, at
    far = BESIDE_EVENT * (stop - start.t)
    aside = np.array([-far, -far / NEARER, far / NEARER, far])
    times = (at[:, None] + aside).ravel()
    values = np.asarray(value(times[None, :], given)).reshape(-1, 4)
    jump, around = values[:, 2] - values[:, 1], values[:, 3] - values[:, 0]
    size = np.abs(values).max(axis=1)
    is_jump = (np.abs(jump) > 0.5 * np.abs(around)) & (np.abs(jump) > VISIBLE_JUMP * size)
    return at[is_jump], jump[is_jump]


def _jumps_with_motion(value: casadi.Function, start: InitialState) -> bool:
    """Return whether a function jumps along straight lines through motions near the start.

    The part of each way over which it changes most is halved again and again: what is
    continuous changes by less and less there, a jump stays.
    """
    system = start.system
    live = system.layout.live_of(start.p)
    scales = system.scales
    z = start.X[scales.coordinates.size + scales.speeds.size :]
    size = np.concatenate([scales.coordinates, scales.speeds, np.maximum(np.abs(z), 1.0)])
    draw = np.random.default_rng(0)
    for _ in range(WAYS):
        way = REACH * size * draw.standard_normal(size.size)

        def along(s: np.ndarray, way: np.ndarray = way) -> np.ndarray:
            X = start.X[:, None] + way[:, None] * s
            p = np.vstack([np.repeat(live[:, None], s.size, axis=1), X])
            return np.asarray(value(np.full((1, s.size), start.t), p)).ravel()

        places = np.linspace(-1.0, 1.0, PLACES)
        values = along(places)
        whole = float(np.ptp(values))
        k = int(np.argmax(np.abs(np.diff(values))))
        low, high = places[k], places[k + 1]
        change = abs(values[k + 1] - values[k])
        for _ in range(HALVINGS):
            a, b, c = along(np.array([low, 0.5 * (low + high), high]))
            low, high = (low, 0.5 * (low + high)) if abs(b - a) >= abs(c - b) else (
                0.5 * (low + high), high)  # fmt: skip
            change = max(abs(b - a), abs(c - b))
        if np.isfinite(whole) and change > 1e-6 * whole > 0.0:
            return True
    return False


def check_jumps(start: InitialState, stop: float) -> None:
    """Raise `ParameterError` if a prescribed position or its speed jumps in a run.

    A speed may jump where nothing that has mass would have to jump with it, and nothing that
    sticks; a position, where no force depends on that speed, either. The first jump is told.
    """
    system = start.system
    memory = system.initialisation
    if memory.jumps is None:
        memory.jumps = tuple(_switched(system)), tuple(_rates(system))
    found, differentiated = memory.jumps
    if not stop > start.t:
        return
    for own in differentiated:
        own.check(start, stop)
    if not found:
        return
    first: tuple[tuple[float, float, str], Switched] | None = None
    for switched in found:
        at, jumps = switched.jumps(start, stop)
        if at.size and (first is None or at[0] < first[0][0]):
            why = _find_obstacle(start, switched)
            if why:
                first = (float(at[0]), float(jumps[0]), why), switched
    if first is not None:
        raise _refusal(first[1], *first[0])


def _find_obstacle(start: InitialState, switched: Switched) -> str:
    """Return why a drive cannot jump, as text for a message; None if it can.

    Of all changes of speeds that keep every constraint but that of the drive, one with the least
    kinetic energy is taken: an impulse is needed if it has any.
    """
    system, layout = start.system, start.system.layout
    n, formulation = system.n_u, system.formulation
    if not formulation.constraints.equations:
        return FORCE
    q, u, _ = layout.split(start.X)
    unit = system.scales.speeds
    M = np.asarray(system.function("mass_matrix")(q, start.p)).reshape(n, n)
    M = M * np.outer(unit, unit)
    G = system.function("constraint_matrix")(start.t, start.X, start.p)
    G = system.scales.matrix(np.asarray(G).reshape(n, -1).T)
    wanted = [
        float(row.relation == switched.relation)
        for row in formulation.constraints.equations
    ]
    change = np.linalg.lstsq(G, np.array(wanted), rcond=None)[0]
    _, sizes, ways = np.linalg.svd(G)
    free = ways[int((sizes > MASSLESS * sizes.max(initial=0.0)).sum()) :].T
    if free.size:
        eased = np.linalg.lstsq(free.T @ M @ free, -free.T @ M @ change, rcond=MASSLESS)
        change = change + free @ eased[0]
    if change @ M @ change > MASSLESS * np.diag(M).max() * (change @ change):
        return FORCE
    change = change * unit
    if not switched.per and _is_resisted(start, q, u, change):
        return FORCE
    return STICKS if _slides(start, change) else ""


def _is_resisted(
    start: InitialState, q: np.ndarray, u: np.ndarray, change: np.ndarray
) -> bool:
    """Return whether forces depend on speeds that change: a jump of positions is a blow."""
    forces = start.system.function("inverse_dynamics")
    at_rest = np.zeros_like(u)
    a, b = (np.asarray(forces(q, v, at_rest, start.p)) for v in (u, u + change))
    return bool(np.abs(b - a).max() > UNRESISTED_SPEED * np.abs([a, b]).max())


def _slides(start: InitialState, change: np.ndarray) -> bool:
    """Return whether a change of speeds moves a friction or contact constraint."""
    import casadi

    system = start.system
    if system.nonsmooth is None:
        return False
    (t,), (q, u, z) = system.equations.symbols("t"), system.equations.symbols("q", "u", "z")
    motion = system.equations.motion(elements(q), elements(u), None, t, elements(z))
    speeds = casadi.SX(casadi.vertcat(*system.nonsmooth.speeds(motion)))
    given = [t, q, u, z, system.equations.p]
    rates = casadi.Function("speeds", given, [casadi.jacobian(speeds, u)])
    seen = np.asarray(rates(start.t, *system.layout.split(start.X), start.p)) @ change
    return bool(np.abs(seen).max() > MASSLESS * np.abs(change).max())


def _refusal(switched: Switched, at: float, jump: float, why: str) -> ParameterError:
    drive = switched.drive
    unit = "rad" if drive.flange.kind is PortKind.ROTATIONAL else "m"
    what = "speed" if switched.per else "reference"
    return ParameterError(
        drive.part.path,
        f"its {what} jumps by {jump:.4g} {unit}{switched.per} at t = {at:.6g} s, {why}.",
        "Let it follow through a filter (exact=False), or give a reference whose value and "
        "rate do not jump.",
        parameter="exact",
        value=True,
    )


def _rates(system: CompiledModel) -> Iterator[Differentiated]:
    """Yield the signals that `Der` blocks differentiate and that cases switch."""
    measurements = system.mechanism.signals.inventory.measurements
    if not measurements:
        return
    import casadi

    from motorik.components.blocks.continuous import Der

    blocks = [m.part for m in measurements if isinstance(m.part, Der)]
    if not blocks:
        return

    live = system.assembled.symbols
    motion, (q, u, z, t) = _symbolic_motion(system)
    p = casadi.vertcat(casadi.SX(live), q, u, z)
    kept = [casadi.SX(live)[k] for k in system.layout.kept_signals.values()]
    signals = casadi.vertcat(casadi.SX(0, 1), *kept)
    for part in blocks:
        try:
            y = casadi.SX(motion.signal(part.u))
        except MissingAccelerationsError:
            continue
        value = casadi.Function("value", [t, p], [casadi.densify(y)])
        levels = make_levels(t, p, *time_conditions_of(value, t, p))
        is_kept = bool(kept) and casadi.depends_on(y, signals)
        ids = {value.instruction_id(k) for k in range(value.n_instructions())}
        state = casadi.vertcat(q, u, z)
        is_cased = bool(ids & {getattr(casadi, name) for name in CASES})
        is_cased = is_cased and bool(state.numel()) and casadi.depends_on(y, state)
        if levels or is_kept or is_cased:
            yield Differentiated(part, value, levels, is_kept, is_cased)


def _symbolic_motion(system: CompiledModel) -> tuple[MotionView, list[casadi.SX]]:
    """Return a motion of symbols without accelerations, and q, u, z, t."""
    import casadi

    mechanism = system.mechanism
    sizes = (mechanism.n_q, mechanism.n_u, len(system.layout.blocks), 1)
    symbols = [casadi.SX.sym(name, n) for name, n in zip("quzt", sizes, strict=True)]
    *states, t = symbols
    given = [casadi.vertsplit(x) if x.numel() else [] for x in states]
    return MotionView(mechanism, given[0], given[1], None, t, given[2]), symbols


def _switched(system: CompiledModel) -> Iterator[Switched]:
    """Yield the prescribed positions and speeds that cases of time switch."""
    relations = enumerate(system.mechanism.relations)
    drives = [(k, r.motion) for k, r in relations if r.motion is not None]
    if not drives:
        return
    import casadi

    live = system.assembled.symbols
    motion, (q, u, z, t) = _symbolic_motion(system)
    p = casadi.vertcat(casadi.SX(live), q, u, z)
    for relation, drive in drives:
        signals = [motion.signal(port) for port in drive.signals]
        x = casadi.SX(drive.law(drive.p, t, *signals))
        if drive.rates is not None:
            speeds = [casadi.SX(drive.rates(drive.p, t, *signals)[0])]
        else:
            rates = [casadi.SX(motion.signal_rate(port)) for port in drive.signals]
            speeds = [casadi.jacobian(x, t), *rates]
        for per, y in (("", x), *(("/s", v) for v in speeds)):
            value = casadi.Function("value", [t, p], [casadi.densify(y)])
            levels = make_levels(t, p, *time_conditions_of(value, t, p))
            if levels:
                yield Switched(drive, relation, per, value, levels)
