"""Integration: the workspace of a method and the calls that advance it."""

from __future__ import annotations

import ctypes
import time as clock
from collections.abc import Callable
from inspect import get_annotations
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motorik.compiler.kernels import native_group
from motorik.errors import SimulationError
from motorik.numerics.tolerances import EPSILON
from motorik.simulation import stiffness
from motorik.simulation.integration_checks import (
    check_grid,
    check_parameters,
    check_rates,
    check_steps,
    check_tolerances,
)
from motorik.simulation.integration_events import RECORD, WithEvents
from motorik.simulation.methods import METHODS
from motorik.simulation.outcome import OUTCOMES, Outcome
from motorik.simulation.statistics import Statistics
from motorik.simulation.stepping import norm, unwrapping
from motorik.simulation.stepping.arguments import EventArguments
from motorik.simulation.stepping.native_functions import address_of, maker_of, start_of
from motorik.simulation.stepping.norm import Relative
from motorik.simulation.stepping.unwrapping import AngleMemory, Unwrapping
from motorik.simulation.stepping.workspace import (
    HEAD,
    Counts,
    ProjectionJump,
    Status,
    Vec,
    Work,
)

if TYPE_CHECKING:
    from motorik.nonsmooth.application.run_events import RunEvents
    from motorik.simulation.integration_options import ErrorScales, Numbers
    from motorik.simulation.methods import Method
    from motorik.simulation.stepping.native_functions import Native

WIDE_FROM = 10  # states from which loops over them are vectorised
FIRST_BUDGET = (
    2048  # steps times states of the first native call; later ones last about PULSE
)
PULSE = 0.05  # s between two looks at the clock, the keyboard and `watch`
SAMPLES = 64  # at unwrapped angles over a run, at least, however long its steps are …
SAMPLES_OF_TIME = 4096  # … and where no state keeps them short
RECORD_ROWS = 1024  # steps recorded before native code returns for more room
NOTHING = np.empty((0, 1))
NO_EVENTS: list[int | None] = [None] * len(
    get_annotations(EventArguments)
)  # which nothing reads
# places among the arguments of `advance`
WORKSPACE, RHS, JACOBIAN, GRID, ROWS = 1, 3, 4, 10, 11


# a function of (t, x, p, out)
CALLED = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)


class Integration(WithEvents):
    """The solution of ẋ = f(t, x, p), x(t₀) = x₀, followed step by step in native code.

    Native functions take addresses of doubles only: `rhs(t, x, p, dx)`,
    `jacobian(t, x, p, J)` with J = ∂f/∂x by columns, and `project(t, x, p)`, which after each
    step projects x onto its constraints. `rhs_lanes` is `rhs` for as many states at
    once as the method has `lanes`: number i of state l lies at [i · lanes + l], also of t
    and p. A plain function given for one of these is called to make it when it is needed.
    `audit(t, x, p, out)` writes the rates and behind them how far they miss the equations
    that they are solved from, or only the latter unless it `audits_rates`: where it is more
    than 1 at the end of a step, the run stops before it (`Outcome.UNSOLVED`).
    `guard(t, x, p, values)` writes `guarded` values and then their rates; where one comes
    near zero within a step the run stops before it (`Outcome.GUARD_TRIPPED`, `before`).
    `unwrap(t, x, p, out)` writes `unwrapped` angles [rad], known but for full turns, and then
    their speeds [rad/s]. Each is within half a turn of its reference, one of the numbers of
    `p` from `unwrapped_at` on; these references follow the angles through every step. Within a
    step they are those of its beginning: where the rates depend on full turns, `unwrapped_within`
    [rad] less than half a turn bounds the steps of a method with error control.
    `step` [s] is the size of the first step, which a method with error control takes shorter
    if it must, or of all steps of a method without one. `max_step` and `min_step` [s] bound
    the steps that a method chooses; a `step` outside of them is refused.
    `may_jump`, one of `ProjectionJump`, tells whether `project` may move a state far; otherwise
    the step is refused, and the run ends where no step is short enough (`Outcome.TEARS`).
    `discontinuous` tells whether rates may change at once within a step, as laws with cases do.
    With `scales` tolerances follow from how far things have moved, see `methods.norm`.
    `p` is shared, not copied: after changing it call `restart`. Time runs forward only.
    """

    def __init__(
        self,
        method: Method,
        rhs: Native | Callable[[], Native],
        x0: ArrayLike,
        *,
        rhs_lanes: Native | Callable[[], Native] | None = None,
        t0: float = 0.0,
        p: Numbers | None = None,
        jacobian: Native | Callable[[], Native] | None = None,
        project: Native | None = None,
        audit: Native | None = None,
        guard: Native | None = None,
        guarded: int = 0,
        unwrap: Native | None = None,
        unwrapped: int = 0,
        unwrapped_at: int = 0,
        unwrapped_within: float = np.inf,
        rtol: float = 1e-6,
        atol: ArrayLike = 1e-8,
        step: float | None = None,
        max_step: float = np.inf,
        min_step: float = 0.0,
        max_steps: int = 100_000_000,
        record: bool = False,
        stiff_method: str | None = None,
        run_events: RunEvents | None = None,
        discontinuous: bool = True,
        scales: ErrorScales | None = None,
        may_jump: int = ProjectionJump.ALWAYS,
        audits_rates: bool = True,
    ) -> None:
        x0 = np.asarray(x0, dtype=np.float64)
        self.n = x0.size
        self._width = max(self.n, 1)  # without states, one that rests is carried along
        self.p = np.zeros(1) if p is None else p
        self.method = method
        self.rows = self.turns = NOTHING
        self._compile_time = 0.0
        self._computed = 0.0  # s in calls of `advance` that are over
        self._entered: float | None = None  # clock minus compile time when `advance` began
        self._guard, self._unwrap, self._audit = guard, unwrap, audit
        self.run_events = run_events
        self._unwrapped = slice(
            unwrapped_at, unwrapped_at + unwrapped
        )  # places of the references in p
        self._memory = np.zeros(4 * guarded + unwrapping.size(self._width, unwrapped) + 1)
        self._stiff_method = stiff_method
        self._explicit: Method | None = (
            None  # that was replaced by the method for stiff systems
        )
        self._rests = False  # whether that was because nothing vibrates
        self._until = t0  # where the present call of `advance` ends
        self._doubts = 0  # times that this was not done, or undone
        self._stiffness_samples: tuple[
            tuple[float, complex], ...
        ] = ()  # times and dominant eigenvalues
        self._switches: tuple[tuple[float, str], ...] = ()
        self._grid = NOTHING  # kept alive for native code
        self._owners = self._functions(rhs, rhs_lanes, jacobian, project)
        self._scales = scales
        self._m = self._counts(max_steps, guarded, discontinuous)
        self._stretches = self._first_stretches(t0, x0)
        self._m.may_jump = may_jump
        self._m.audit = 1 if audits_rates and self.n else 2
        self._w = self._workspace(x0, t0, step, (min_step, max_step), rtol, atol)
        self._w.max_turn = unwrapped_within
        check_rates(method, self._owners[0])
        check_steps(method, step, min_step, max_step)
        check_tolerances(method, rtol, self._vector(Vec.ATOL))
        check_parameters(method, self.p, self._unwrapped, unwrap is not None)
        self._arguments: list[int | None] = [self._width, 0, start_of(self._m)]
        self._arguments += [*map(address_of, self._owners), start_of(self.p)]
        stretch = None if scales is None else scales.stretch
        self._arguments += [address_of(stretch), start_of(self._stretches)]
        self._arguments += [address_of(audit), 0, 0, 0]
        self._arguments += [address_of(guard), start_of(self._memory), address_of(unwrap)]
        if run_events is not None:
            run_events.start(self._width, self.p, 0.0 if method.adaptive else step or 0.0)
            self._m.event_pending = run_events.has_events
        self._arguments += NO_EVENTS if run_events is None else run_events.arguments()
        self._load()
        self._recorded: list[Numbers] = []
        self._room = self._first_room(t0, x0) if record else NOTHING

    def _functions(
        self,
        rhs: Native | Callable[[], Native],
        rhs_lanes: Native | Callable[[], Native] | None,
        jacobian: Native | Callable[[], Native] | None,
        project: Native | None,
    ) -> list[Native | None]:
        """Return rates, Jacobian and projection; their code must stay in memory."""
        method = self.method
        self._rhs = rhs
        self._late_jacobian = make = maker_of(jacobian)
        if make is not None:
            jacobian = self._make(make) if method.uses_jacobian else None
        rate = self._make(rhs if method.lanes == 1 else rhs_lanes)
        return [rate, cast("Native | None", jacobian), project]

    def _counts(self, max_steps: int, guarded: int, discontinuous: bool) -> Counts:
        """Return the integers of the workspace."""
        m = np.zeros(Counts.kind + self._width, dtype=np.int64).view(Counts)
        if self._scales is not None:
            m.by_range = 1
            m.relative_coordinates = self._scales.stretch_atol.size
            m[Counts.kind : Counts.kind + self.n] = self._scales.kinds
        m.max_steps = max_steps
        m.stiff_check = self._stiff_method is not None
        m.guarded, m.discontinuities = guarded, discontinuous
        m.unwrapped = self._unwrapped.stop - self._unwrapped.start
        m.unwrapped_at = self._unwrapped.start
        m.samples = SAMPLES if self.n else SAMPLES_OF_TIME
        m.unwrapping = Unwrapping.RESTART
        return m

    def _workspace(
        self,
        x0: Numbers,
        t0: float,
        step: float | None,
        bounds: tuple[float, float],
        rtol: float,
        atol: ArrayLike,
    ) -> Work:
        """Return the numbers of the workspace, behind them the parameters of all lanes."""
        n, size, lanes = self._width, self.method.size(self._width), self.method.lanes
        w = np.zeros(size if lanes == 1 else size + lanes * self.p.size).view(Work)
        if lanes > 1:
            w[size:] = self._lane_parameters()
        w.t = w.t_old = w.t_base = w.t_start = t0
        w.t_valid, w.t_from, w.t_upto = t0, -np.inf, np.inf
        w.h = step or 0.0
        w.rtol = rtol
        w.min_step, w.max_step = bounds
        w.max_step_given = w.max_step
        for vector in (Vec.X, Vec.LOW, Vec.HIGH):
            start = HEAD + vector * n
            w[start : start + self.n] = x0
        start = HEAD + Vec.ATOL * n
        w[start] = 1.0
        w[start : start + self.n] = atol
        return w

    def _first_stretches(self, t0: float, x0: Numbers) -> Numbers:
        """Return the numbers of all stretches, those of the start written into them."""
        own = self._scales
        if own is None or own.stretch is None:
            return np.zeros(1)
        y = np.zeros((Relative.COUNT, own.stretch_atol.size))
        y[Relative.SCALE], y[Relative.KIND] = own.stretch_atol, own.stretch_kinds
        address = address_of(own.stretch)
        assert address is not None
        given = np.concatenate(
            [(t0,), x0]
        )  # native code writes into no argument but the last
        time, size = start_of(given), given.itemsize
        CALLED(address)(time, time + size, start_of(self.p), start_of(y[Relative.LAST]))
        y[Relative.LOW] = y[Relative.HIGH] = y[Relative.LAST]
        return y

    def _first_room(self, t0: float, x0: Numbers) -> Numbers:
        """Return the room for the first steps of the record, the start written into it."""
        unwrapped = int(self._m.unwrapped)
        room = np.full((RECORD_ROWS + 1, self._width + 1 + unwrapped), np.nan)
        room[0, 0] = t0
        room[0, 1 : self.n + 1] = x0
        self._m.record_next = 1
        self._m.record_count = RECORD_ROWS
        self._arguments[RECORD] = start_of(room)
        return room

    @property
    def time(self) -> float:
        """The time reached."""
        return float(self._w.t)

    @property
    def state(self) -> Numbers:
        """The state at `time`, a copy."""
        return self._vector(Vec.X).copy()

    @property
    def ranges(self) -> Numbers:
        """How far each state has moved so far, from its least to its largest value."""
        return self._vector(Vec.HIGH) - self._vector(Vec.LOW)

    @property
    def before(self) -> tuple[float, Numbers]:
        """Time and state at the beginning of the last step, which was accepted.

        The state is the one that was reached, not an interpolated one: a multistep method
        interpolates by rates at both ends, and those at the far end may have tripped the guard.
        """
        if self._w.t_old == self._w.t:
            return self.time, self.state
        return float(self._w.t_old), self._vector(Vec.X_OLD).copy()

    @property
    def turns_before(self) -> Numbers:
        """The unwrapped angles [rad] at the beginning of the last step, a copy."""
        is_pending = self._m.unwrapping == Unwrapping.STEP
        unwrapped, place = (
            int(self._m.unwrapped),
            AngleMemory.NOW if is_pending else AngleMemory.OLD,
        )
        start = 4 * int(self._m.guarded) + place * unwrapped
        return self._memory[start : start + unwrapped].copy()

    @property
    def rows_written(self) -> int:
        """How many rows of `rows`, the states on the output grid, are written; see `advance`."""
        return int(self._m.grid_next)

    @property
    def record(self) -> Numbers:
        """Time and state of the start and of every step, one row each."""
        return self._all_recorded()[:, : self.n + 1]

    @property
    def recorded_turns(self) -> Numbers:
        """The unwrapped angles [rad] in the rows of `record`; not a number after a warning."""
        return self._all_recorded()[:, self._width + 1 :]

    @property
    def statistics(self) -> Statistics:
        """The cost so far."""
        a, b, c, d, e = self._m[Counts.steps : Counts.factorisations + 1].tolist()
        astray = int(self._m.ambiguous)
        rest = self._switches, astray, self._compile_time
        return Statistics(self.method.name, a, b, c, d, e, *rest)

    @property
    def computing(self) -> float:
        """The wall-clock time [s] spent in `advance` so far, without compiling."""
        if self._entered is None:
            return self._computed
        return self._computed + self._clock() - self._entered

    def _clock(self) -> float:
        """Return a clock that stands still while code is compiled [s]."""
        return clock.perf_counter() - self._compile_time

    def advance(
        self,
        until: float,
        *,
        grid: ArrayLike | None = None,
        watch: Callable[[Integration], object] | None = None,
    ) -> Outcome:
        """Advance to the time `until` [s] and stop there exactly.

        `grid`, sorted times from `time` to `until`, are the output times: the states
        there are then in `rows`, the unwrapped angles [rad] in `turns`.
        `watch` is called about twenty times a second; if it returns a true value, the run is
        paused.
        """
        self._entered = self._clock()
        try:
            return self._advance_to(until, grid, watch)
        finally:
            self._computed, self._entered = self.computing, None

    def _advance_to(
        self,
        until: float,
        grid: ArrayLike | None,
        watch: Callable[[Integration], object] | None,
    ) -> Outcome:
        w, m = self._w, self._m
        if not until >= w.t:
            raise SimulationError(
                "integration",
                f"cannot go from t = {w.t:.9g} s to {until:.9g} s",
                "Time runs forward; make a new integration to start earlier.",
            )
        w.t_stop = self._until = until
        self._set_stops(until)
        self._mark = self.time, int(m.steps)
        if grid is not None:
            self._grid = check_grid(np.ascontiguousarray(grid, dtype=np.float64), self.time)
            buffer = np.empty((self._grid.size, self._width + int(m.unwrapped)))
            self.rows, self.turns = buffer[:, : self.n], buffer[:, self._width :]
            m.grid_next, m.grid_count = 0, self._grid.size
            self._arguments[GRID] = start_of(self._grid)
            self._arguments[ROWS] = start_of(buffer)
        budget = max(FIRST_BUDGET // self._width, 1)
        before = clock.perf_counter()
        while True:
            may_return = (
                self._explicit is not None and self.method.name == self._stiff_method
            )
            budget = min(budget, stiffness.BETWEEN) if may_return else budget
            m.budget = budget
            code = self._advance(*self._arguments)
            if code == Status.LOG_FULL and self._crowds(until):
                return Outcome.CHATTERS
            if code == Status.PAUSED and self._stands_still(until):
                return Outcome.STANDS_STILL
            if code == Status.PAUSED and may_return:
                self._switch_back()
            if not self._serves(code):
                if code == Status.GUARD_TRIPPED:
                    self.p[self._unwrapped] = self.turns_before
                return OUTCOMES[code]
            spent = clock.perf_counter() - before
            if code == Status.PAUSED or spent > PULSE:
                if watch is not None and watch(self):
                    return Outcome.PAUSED
                if code == Status.PAUSED:
                    budget = int(budget * min(8.0, PULSE / spent)) + 1
                before += spent

    def interpolate(self, time: float) -> Numbers:
        """Return the state at a time within the last step, as exact as the method."""
        w = self._w
        if not w.t_old <= time <= w.t:
            raise SimulationError(
                "integration",
                f"t = {time:.9g} s is outside the last step, "
                f"{w.t_old:.9g} s to {w.t:.9g} s",
                "Ask for earlier times by `grid` in `advance`.",
            )
        row = np.empty(self._width)
        self._sample(*self._arguments[:GRID], time, start_of(row))
        return row[: self.n]

    def restart(self, state: ArrayLike | None = None, time: float | None = None) -> None:
        """Restart from a state, or from the present one because `p` has changed."""
        if state is not None:
            self._vector(Vec.X)[:] = state
        if time is not None:
            self._w.t = self._w.t_start = time
        self._w.t_old = self._w.t_base = self._w.t_valid = self._w.t
        if self.run_events is not None:
            self.run_events.begin(self.p)
            self._m.event_pending = self.run_events.has_events
        self._w[self.method.size(self._width) :] = self._lane_parameters()
        self._m.started = self._m.fixed_count = self._m.jump_pending = 0
        self._m.unwrapping = Unwrapping.RESTART
        self._w.max_step = self._w.max_step_given
        self._m[Counts.method : Counts.kind] = 0
        if self.method.has_memory:
            self._w.h = 0.0

    def _all_recorded(self) -> Numbers:
        return np.concatenate([*self._recorded, self._room[: self._m.record_next]])

    def _make(self, function: Native | Callable[[], Native] | None) -> Native | None:
        """Return a native function, made now if what makes it was given."""
        make = maker_of(function)
        if make is None:
            return cast("Native | None", function)
        began = clock.perf_counter()
        made = make()
        self._compile_time += clock.perf_counter() - began
        return made

    def _vector(self, number: int) -> Numbers:
        start = HEAD + number * self._width
        return np.asarray(self._w)[start : start + self.n]

    def _lane_parameters(self) -> Numbers:
        """Return the parameters for each lane, which follow all else in the workspace."""
        lanes = self.method.lanes
        return self.p.repeat(lanes) if lanes > 1 else np.empty(0)

    def _load(self) -> None:
        method, unwraps = self.method, self._unwrap is not None
        run = method.advance(unwraps, self.run_events is not None)
        wide = method.lanes > 1 or self.n >= WIDE_FROM
        began = clock.perf_counter()
        advance, sample = native_group(run, method.sample, wide=wide)
        self._compile_time += clock.perf_counter() - began
        self._advance = advance.entry
        self._sample = sample.entry
        self._arguments[WORKSPACE] = start_of(self._w)

    # --- the method of "auto" ---------------------------------------------------------------

    def _switch(self) -> None:
        """Go on with the method for stiff systems, if that suits what keeps the steps short."""
        value = self._dominant()
        self._stiffness_samples += ((self.time, value),)
        damping = stiffness.damping_of(value)
        left = (self._until - self.time) / max(float(self._w.h), 1e-300)
        self._rests = damping < stiffness.UNDAMPED and left > stiffness.MANY
        self._rests = self._rests and self._is_resting()
        if damping < stiffness.UNDAMPED and not self._rests:
            self._be_patient()
            return
        assert self._stiff_method is not None
        self._explicit = self.method if self.method.lanes == 1 else METHODS["dop853"]
        self._continue_by(METHODS[self._stiff_method])
        self._m.stiff_check = 0

    def _switch_back(self) -> None:
        """Go on with the explicit method where it is cheaper, or where rest has ended."""
        assert self._explicit is not None
        now, (then, since) = self._spent(), self._looked
        if now[0] - then[0] < stiffness.BETWEEN and not self._rests:
            return
        self._looked = now, self.time
        if self._rests and self._is_resting():
            return
        value = self._dominant()
        self._stiffness_samples += ((self.time, value),)
        n, (_, rates, jacobians, factors) = self._width, now - then
        rate = stiffness.RATE_COST * n
        spent = rates * (rate + 2.0 * n * n) + factors * 2.0 / 3.0 * n**3
        if self._owners[1] is not None:
            spent += jacobians * stiffness.JACOBIAN_COST * rate
        explicit = self._explicit
        steps = abs(value) * (self.time - since) / explicit.border
        would = steps * explicit.stages * rate
        is_stiff = stiffness.damping_of(value) > stiffness.STIFF
        part = stiffness.CHEAPER if is_stiff else stiffness.ON_TRIAL
        self._cheaper = self._cheaper + 1 if would < part * spent else 0
        if self._rests or self._cheaper >= stiffness.TIMES:
            h = self._w.h
            self._continue_by(explicit)
            self._w.h = min(h, explicit.border / abs(value)) if value else h
            self._m.stiff_check = 1
            self._be_patient()

    def _be_patient(self) -> None:
        """Estimate the dominant eigenvalue again after a while, each time a longer one."""
        doubled = min(self._doubts, stiffness.MOST_DOUBLINGS)
        self._m.stiff_count = -stiffness.PATIENCE * 2**doubled
        self._m.stiff_misses = 0
        self._doubts += 1

    def _is_resting(self) -> bool:
        """Return whether speeds and stretches have not changed by more than rounding."""
        if self._scales is None:
            return False
        speeds = self._scales.kinds >= norm.METRES_PER_SECOND
        weights = self._vector(Vec.WEIGHT)[speeds]
        moved = (self.ranges[speeds] * weights).max(initial=0.0)
        if self._scales.stretch is not None:
            y = self._stretches
            far = (y[Relative.HIGH] - y[Relative.LOW]) * y[Relative.WEIGHT]
            moved = max(moved, far.max(initial=0.0))
        return bool(moved <= stiffness.REST)

    def _spent(self) -> NDArray[np.int64]:
        """Return the cost so far: steps, rates, Jacobians, factorisations."""
        own = Counts.steps, Counts.evaluations, Counts.jacobians, Counts.factorisations
        return np.asarray(self._m)[list(own)]

    def _dominant(self) -> complex:
        """Return about the eigenvalue of largest size of ∂f/∂x, by differences of rates."""
        address = address_of(self._make(self._rhs))
        assert address is not None
        rates = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(address)
        x, time = self.state, np.array([self.time])
        scale = np.maximum(np.abs(x), self._vector(Vec.ATOL) / self._w.rtol)
        unit = np.sqrt(EPSILON) * scale
        base, other = np.zeros(self._width), np.zeros(self._width)
        rates(start_of(time), start_of(x), start_of(self.p), start_of(base))

        def times(v: Numbers) -> Numbers:
            self._m.evaluations += 1
            near = x + unit * v
            rates(start_of(time), start_of(near), start_of(self.p), start_of(other))
            return (other - base)[: self.n] / unit

        first = np.random.default_rng(0).standard_normal(self.n)
        return stiffness.dominant_eigenvalue(first, times)

    def _continue_by(self, method: Method) -> None:
        """Go on from the present state with another method and the same error norm."""
        head = self._w[: HEAD + Vec.K * self._width]
        self.method = method
        self._w = np.zeros(method.size(self._width)).view(Work)
        self._w[: head.size] = head
        self._looked, self._cheaper = (self._spent(), self.time), 0
        self._switches += ((self.time, method.name),)
        self._owners[0] = self._make(self._rhs)
        self._arguments[RHS] = address_of(self._owners[0])
        if method.uses_jacobian and self._late_jacobian is not None:
            self._owners[1] = self._make(self._late_jacobian)
            self._arguments[JACOBIAN] = address_of(self._owners[1])
        self.restart()
        self._load()
