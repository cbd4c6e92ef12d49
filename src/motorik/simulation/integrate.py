"""An integration under way: the workspace of a method and the calls that move it on."""

from __future__ import annotations

import ctypes
import time as clock
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypedDict, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motorik.compiler.kernels.kernel import native_group
from motorik.errors import SimulationError, suggest
from motorik.simulation.methods import METHODS, Method, winding
from motorik.simulation.methods import workspace as slot
from motorik.simulation.methods.guard import SAFE
from motorik.simulation.outcome import OUTCOMES, Outcome

if TYPE_CHECKING:
    from typing_extensions import Unpack

AUTO = "auto"
HIGH_ORDER_FROM = 1e-5  # rtol from which on eighth order is cheaper than fifth
WIDE_FROM = 10  # states from which loops over them are vectorised
LANES_FROM, LANES_UP_TO = 1e-9, 32  # tolerance and states for which extrapolation pays
FIRST_BUDGET = 64  # steps of the first native call; later ones last about PULSE
PULSE = 0.05  # s between two looks at the clock, the keyboard and `watch`
CLOSE_LOOK = 64  # places within a step where guarded values are looked at
LOOKS = 64  # at wound angles over a run, at least, however long its steps are …
LOOKS_AT_TIME = 4096  # … and where no state keeps them short
FLOAT64 = np.dtype(np.float64)
RECORD_ROWS = 1024  # steps recorded before native code returns for more room
# places among the arguments of `advance`
WORKSPACE, RHS, JACOBIAN, GRID, ROWS, RECORD = 1, 3, 4, 7, 8, 9


class Addressed(Protocol):
    """A native function that knows its address, such as a compiled function."""

    @property
    def address(self) -> int:
        """Where its machine code starts."""
        ...


Native = int | Addressed
Numbers = NDArray[np.float64]


class StepOptions(TypedDict, total=False):
    """Options of an `Integration` beside its functions, its parameters and `rtol`."""

    rhs_lanes: Native | Callable[[], Native] | None
    t0: float
    guard: Native | None
    guarded: int
    wind: Native | None
    wound: int
    wound_at: int
    wound_within: float
    atol: ArrayLike
    step: float | None
    max_step: float
    min_step: float
    max_steps: int
    record: bool
    stiff_method: Method | None


class IntegrationOptions(StepOptions, total=False):
    """All options of an `Integration` but `rtol`."""

    p: Numbers | None
    jacobian: Native | Callable[[], Native] | None
    project: Native | None


@dataclass(frozen=True)
class Statistics:
    """What an integration has cost so far; `switches` tells when it changed its method.

    `astray` counts the looks at which a wound angle did not go on as its speed says: its
    full turns are not sure from there on. `compile_time` [s] was spent in making native code.
    """

    method: str
    steps: int
    rejected: int
    evaluations: int
    jacobians: int
    factorisations: int
    switches: tuple[tuple[float, str], ...]
    astray: int = 0
    compile_time: float = field(default=0.0, compare=False)

    def and_then(self, later: Statistics) -> Statistics:
        """Return the cost of both, by the method of the later one."""
        return Statistics(
            later.method,
            self.steps + later.steps,
            self.rejected + later.rejected,
            self.evaluations + later.evaluations,
            self.jacobians + later.jacobians,
            self.factorisations + later.factorisations,
            self.switches + later.switches,
            self.astray + later.astray,
            self.compile_time + later.compile_time,
        )


class Integration:
    """The solution of ẋ = f(t, x, p), x(t₀) = x₀, followed step by step in native code.

    Native functions take addresses of doubles only: `rhs(t, x, p, dx)`,
    `jacobian(t, x, p, J)` with J = ∂f/∂x by columns, and `project(t, x, p)`, which after each
    step puts x back onto what it must satisfy. `rhs_lanes` is `rhs` for as many states at
    once as the method has `lanes`: number i of state l lies at [i · lanes + l], also of t
    and p. A plain function given for one of these is called to make it when it is needed.
    `guard(t, x, p, values)` writes `guarded` values and then their rates; where one comes
    near zero within a step the run stops before it (`Outcome.GUARD_TRIPPED`, `before`).
    `wind(t, x, p, out)` writes `wound` angles [rad], known but for full turns, and then
    their speeds [rad/s]. Each is within half a turn of its reference, one of the numbers of
    `p` from `wound_at` on; these references follow the angles through every step. Within a
    step they are those of its beginning: where the rates depend on full turns, `wound_within`
    [rad] less than half a turn bounds the steps of a method with error control.
    `step` [s] is the size of the first step, which a method with error control takes shorter
    if it must, or of all steps of a method without one. `max_step` and `min_step` [s] bound
    the steps that a method chooses; a `step` outside of them is refused.
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
        guard: Native | None = None,
        guarded: int = 0,
        wind: Native | None = None,
        wound: int = 0,
        wound_at: int = 0,
        wound_within: float = np.inf,
        rtol: float = 1e-6,
        atol: ArrayLike = 1e-8,
        step: float | None = None,
        max_step: float = np.inf,
        min_step: float = 0.0,
        max_steps: int = 100_000_000,
        record: bool = False,
        stiff_method: Method | None = None,
    ) -> None:
        x0 = np.asarray(x0, dtype=np.float64)
        self.n = x0.size
        self._width = n = max(self.n, 1)  # without states, one that rests is carried along
        self.p = np.zeros(1) if p is None else p
        self.method = method
        self.rows = np.empty((0, self.n))
        self.turns = np.empty((0, wound))
        self._compile_time = 0.0
        self._rhs = rhs
        self._late_jacobian = make = _maker(jacobian)
        if make is not None:
            jacobian = self._make(make) if method.uses_jacobian else None
        rate = self._make(rhs if method.lanes == 1 else rhs_lanes)
        # their code must stay in memory
        self._owners: list[Native | None] = [
            rate,
            cast("Native | None", jacobian),
            project,
        ]
        self._guard, self._wind = guard, wind
        self._wound = slice(wound_at, wound_at + wound)  # places of the references in p
        self._memory = np.zeros(4 * guarded + winding.size(n, wound) + 1)
        self._stiff_method = stiff_method
        self._switches: tuple[tuple[float, str], ...] = ()
        self._grid = np.empty(0)  # kept alive for native code
        self._recorded: list[Numbers] = []

        self._m = m = np.zeros(slot.COUNTS, dtype=np.int64)
        m[slot.MAX_STEPS] = max_steps
        m[slot.STIFF_CHECK] = stiff_method is not None
        m[slot.GUARDED] = guarded
        m[slot.WOUND], m[slot.WOUND_AT] = wound, wound_at
        m[slot.LOOKS] = LOOKS if self.n else LOOKS_AT_TIME
        m[slot.FOLLOW] = winding.ANEW
        own, lanes = method.size(n), method.lanes
        self._w = w = np.zeros(own + (self.p.size * lanes if lanes > 1 else 0))
        w[slot.T] = w[slot.T_OLD] = w[slot.T_BASE] = w[slot.T_START] = t0
        w[slot.H] = step or 0.0
        w[slot.RTOL] = rtol
        w[slot.MAX_STEP] = w[slot.MAX_GIVEN] = max_step
        w[slot.WOUND_WITHIN] = wound_within
        w[slot.MIN_STEP] = min_step
        for vector in (slot.X, slot.LOW, slot.HIGH):
            self._vector(vector)[:] = x0
        w[slot.HEAD + slot.ATOL * n] = 1.0
        self._vector(slot.ATOL)[:] = atol
        if lanes > 1:
            w[own:] = self._lane_parameters()
        self._check(step, wound)
        functions = map(_address, self._owners)
        self._arguments = [n, 0, _start(m), *functions, _start(self.p), 0, 0, 0]
        self._arguments += [_address(guard), _start(self._memory), _address(wind)]
        self._load()
        self._room = np.empty((RECORD_ROWS if record else 0, n + 1 + wound))
        if record:
            self._room[:] = np.nan
            self._room[0, 0] = t0
            self._room[0, 1 : self.n + 1] = x0
            m[slot.RECORD_NEXT] = 1
            m[slot.RECORD_COUNT] = RECORD_ROWS
            self._arguments[RECORD] = _start(self._room)

    @property
    def time(self) -> float:
        """The time reached."""
        return float(self._w[slot.T])

    @property
    def state(self) -> Numbers:
        """The state at `time`, a copy."""
        return self._vector(slot.X).copy()

    @property
    def ranges(self) -> Numbers:
        """How far each state has moved so far, from its least to its largest value."""
        return self._vector(slot.HIGH) - self._vector(slot.LOW)

    @property
    def before(self) -> tuple[float, Numbers]:
        """Time and state at the beginning of the last step, which was found good.

        The state is the one that was reached, not an interpolated one: a method with memory
        interpolates by rates at both ends, and those at the far end may be what warned.
        """
        if self._w[slot.T_OLD] == self._w[slot.T]:
            return self.time, self.state
        return float(self._w[slot.T_OLD]), self._vector(slot.X_OLD).copy()

    @property
    def turns_before(self) -> Numbers:
        """The wound angles [rad] at the beginning of the last step, a copy."""
        is_pending = self._m[slot.FOLLOW] == winding.STEP
        wound, place = int(self._m[slot.WOUND]), winding.NOW if is_pending else winding.OLD
        start = 4 * int(self._m[slot.GUARDED]) + place * wound
        return self._memory[start : start + wound].copy()

    @property
    def rows_written(self) -> int:
        """How many rows of `rows`, the states on the output grid, are written; see `advance`."""
        return int(self._m[slot.GRID_NEXT])

    @property
    def record(self) -> Numbers:
        """Time and state of the start and of every step, one row each."""
        return self._all_recorded()[:, : self.n + 1]

    @property
    def recorded_turns(self) -> Numbers:
        """The wound angles [rad] in the rows of `record`; not a number after a warning."""
        return self._all_recorded()[:, self._width + 1 :]

    @property
    def statistics(self) -> Statistics:
        """What it has cost so far."""
        a, b, c, d, e = self._m[slot.STEPS : slot.FACTORISATIONS + 1].tolist()
        astray = int(self._m[slot.ASTRAY])
        rest = self._switches, astray, self._compile_time
        return Statistics(self.method.name, a, b, c, d, e, *rest)

    def advance(
        self,
        until: float,
        *,
        grid: ArrayLike | None = None,
        watch: Callable[[Integration], object] | None = None,
    ) -> Outcome:
        """Go on to the time `until` and stop there exactly.

        `grid`, sorted times from `time` to `until`, asks for the states at these times,
        which are then in `rows`, and for the wound angles [rad], which are in `turns`.
        `watch` is called some twenty times a second; if it returns something true, the run
        is paused.
        """
        w, m = self._w, self._m
        if not until >= w[slot.T]:
            raise SimulationError(
                "integration",
                f"cannot go from t = {w[slot.T]:.9g} s to {until:.9g} s",
                "Time runs forward; make a new integration to start earlier.",
            )
        w[slot.T_STOP] = until
        if grid is not None:
            self._grid = self._check_grid(np.ascontiguousarray(grid, dtype=np.float64))
            buffer = np.empty((self._grid.size, self._width + int(m[slot.WOUND])))
            self.rows, self.turns = buffer[:, : self.n], buffer[:, self._width :]
            m[slot.GRID_NEXT], m[slot.GRID_COUNT] = 0, self._grid.size
            self._arguments[GRID] = _start(self._grid)
            self._arguments[ROWS] = _start(buffer)
        budget = FIRST_BUDGET
        before = clock.perf_counter()
        while True:
            m[slot.BUDGET] = budget
            code = self._advance(*self._arguments)
            if code == slot.PAUSED:
                if watch is not None and watch(self):
                    return Outcome.PAUSED
                now = clock.perf_counter()
                budget = int(budget * min(8.0, PULSE / (now - before))) + 1
                before = now
            elif code == slot.RECORD_FULL:
                self._recorded.append(self._room)
                self._room = np.full_like(self._room, np.nan)
                m[slot.RECORD_NEXT] = 0
                self._arguments[RECORD] = _start(self._room)
            elif code == slot.STIFF:
                self._switch()
            elif code == slot.GUARD_TRIPPED and self._is_false_alarm():
                continue
            else:
                if code == slot.GUARD_TRIPPED:
                    self.p[self._wound] = self.turns_before
                return OUTCOMES[code]

    def interpolate(self, time: float) -> Numbers:
        """Return the state at a time within the last step, as exact as the method."""
        w = self._w
        if not w[slot.T_OLD] <= time <= w[slot.T]:
            raise SimulationError(
                "integration",
                f"t = {time:.9g} s is outside the last step, "
                f"{w[slot.T_OLD]:.9g} s to {w[slot.T]:.9g} s",
                "Ask for earlier times by `grid` in `advance`.",
            )
        row = np.empty(self._width)
        _, w_at, m_at, rhs, _, project, p_at, *_ = self._arguments
        self._sample(self._width, w_at, m_at, rhs, project, p_at, time, _start(row))
        return row[: self.n]

    def restart(self, state: ArrayLike | None = None, time: float | None = None) -> None:
        """Begin anew from a state, or from the same one because `p` has changed."""
        if state is not None:
            self._vector(slot.X)[:] = state
        if time is not None:
            self._w[slot.T] = self._w[slot.T_START] = time
        self._w[slot.T_OLD] = self._w[slot.T_BASE] = self._w[slot.T]
        self._w[self.method.size(self._width) :] = self._lane_parameters()
        self._m[slot.STARTED] = self._m[slot.FIXED_COUNT] = self._m[slot.JUMP_PENDING] = 0
        self._m[slot.FOLLOW] = winding.ANEW
        self._w[slot.MAX_STEP] = self._w[slot.MAX_GIVEN]
        self._m[slot.OWN_COUNTS :] = 0
        if self.method.has_memory:
            self._w[slot.H] = 0.0

    def _is_false_alarm(self) -> bool:
        """Look closely at the last step; tell whether the guarded values stay away from zero."""
        begin, end = float(self._w[slot.T_OLD]), self.time
        if self._m[slot.STEPS] == 0 or not self._m[slot.STARTED]:
            return False
        count = int(self._m[slot.GUARDED])
        address = _address(self._guard)
        assert address is not None
        look = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(address)
        values, time = np.zeros(2 * count), np.zeros(1)
        for t in np.linspace(begin, end, CLOSE_LOOK):
            state = self.interpolate(float(t))
            time[0] = t
            look(_start(time), _start(state), _start(self.p), _start(values))
            if not values[:count].min() >= SAFE:
                return False
        return True

    def _all_recorded(self) -> Numbers:
        return np.concatenate([*self._recorded, self._room[: self._m[slot.RECORD_NEXT]]])

    def _make(self, function: Native | Callable[[], Native] | None) -> Native | None:
        """Return a native function, made now if what makes it was given."""
        make = _maker(function)
        if make is None:
            return cast("Native | None", function)
        began = clock.perf_counter()
        made = make()
        self._compile_time += clock.perf_counter() - began
        return made

    def _vector(self, number: int) -> Numbers:
        start = slot.HEAD + number * self._width
        return self._w[start : start + self.n]

    def _lane_parameters(self) -> Numbers:
        """Return the parameters for each lane, which follow all else in the workspace."""
        lanes = self.method.lanes
        return self.p.repeat(lanes) if lanes > 1 else np.empty(0)

    def _load(self) -> None:
        method, winds = self.method, self._wind is not None
        run = method.advance_winding if winds else method.advance
        wide = method.lanes > 1 or self.n >= WIDE_FROM
        began = clock.perf_counter()
        advance, sample = native_group(run, method.sample, wide=wide)
        self._compile_time += clock.perf_counter() - began
        self._advance = advance.entry
        self._sample = sample.entry
        self._arguments[WORKSPACE] = _start(self._w)

    def _switch(self) -> None:
        """Go on with the method for stiff systems."""
        method, self._stiff_method = self._stiff_method, None
        assert method is not None
        head = self._w[: slot.HEAD + slot.K * self._width]
        self.method = method
        self._w = np.zeros(method.size(self._width))
        self._w[: head.size] = head
        self._m[slot.STIFF_CHECK] = 0
        self._switches += ((self.time, method.name),)
        self._owners[0] = self._make(self._rhs)
        self._arguments[RHS] = _address(self._owners[0])
        if self._late_jacobian is not None:
            self._owners[1] = self._make(self._late_jacobian)
            self._arguments[JACOBIAN] = _address(self._owners[1])
        self.restart()
        self._load()

    def _check(self, step: float | None, wound: int) -> None:
        if self._owners[0] is None:
            raise SimulationError(
                self._part,
                f"needs the rates of {self.method.lanes} states at once",
                f"Take another method such as 'dop853': {self.method.name} needs equations "
                "without an iteration inside.",
            )
        if not self.method.adaptive and not (step and step > 0.0):
            raise SimulationError(
                self._part,
                f"has no error control and step = {step}.",
                "Give `step` in seconds.",
                parameter="step",
                value=step,
            )
        if step is not None:
            shortest, longest = self._w[[slot.MIN_STEP, slot.MAX_STEP]].tolist()
            if not (shortest <= step <= longest and step > 0.0):
                raise SimulationError(
                    self._part,
                    f"cannot begin with step = {step} s: steps are {shortest:g} to "
                    f"{longest:g} s",
                    "Give a positive `step` between `min_step` and `max_step`.",
                    parameter="step",
                    value=step,
                )
        rtol = float(self._w[slot.RTOL])
        atol = min(self._vector(slot.ATOL).tolist(), default=1.0)
        if not (rtol >= 0.0 and atol >= 0.0 and rtol + atol > 0.0):
            raise SimulationError(
                self._part,
                f"cannot keep rtol = {rtol} with atol = {atol}",
                "Give tolerances that are positive, such as rtol=1e-6, atol=1e-8.",
                parameter="rtol",
                value=rtol,
            )
        if self.p.dtype != FLOAT64 or not self.p.flags.c_contiguous:
            raise SimulationError(
                self._part,
                f"got parameters as {self.p.dtype}",
                "Pass a contiguous float64 array.",
            )
        fits = 0 <= self._wound.start <= self._wound.stop <= self.p.size
        if (wound > 0) != (self._wind is not None) or not fits:
            raise SimulationError(
                self._part,
                f"cannot follow {wound} angles whose references are the numbers "
                f"{self._wound.start} to {self._wound.stop - 1} of {self.p.size}",
                "Give `wind`, the count of its angles and their place among the parameters.",
            )

    @property
    def _part(self) -> str:
        """How errors name it."""
        return f"method {self.method.name!r}"

    def _check_grid(self, grid: Numbers) -> Numbers:
        falls = np.count_nonzero(grid[1:] < grid[:-1])
        if falls or (grid.size and grid[0] < self._w[slot.T]):
            raise SimulationError(
                "grid",
                f"begins at t = {grid[0]:.9g} s, or is not sorted",
                f"Give increasing times, none before {self.time:.9g} s.",
                parameter="output",
                value=grid,
            )
        return grid


def make_integration(
    method: str | Method,
    rhs: Native | Callable[[], Native],
    x0: ArrayLike,
    *,
    rtol: float = 1e-6,
    **options: Unpack[IntegrationOptions],
) -> Integration:
    """Return an integration by a method's name; the options are those of `Integration`.

    "auto" takes the explicit method that is cheaper at this tolerance and goes over to
    backward differentiation once the system proves stiff; `statistics` tells when.
    """
    if method == AUTO:
        options["stiff_method"] = METHODS["bdf"]
        method = "dop853" if rtol <= HIGH_ORDER_FROM else "dopri5"
        if rtol <= LANES_FROM and np.size(x0) <= LANES_UP_TO and "rhs_lanes" in options:
            method = "gbs"
    if not isinstance(method, Method):
        if method not in METHODS:
            known = [AUTO, *METHODS]
            raise SimulationError(
                "method",
                f"{method!r} is not known.",
                suggest(method, known),
                parameter="method",
                value=method,
            )
        method = METHODS[method]
    return Integration(method, rhs, x0, rtol=rtol, **options)


def _maker(
    function: Native | Callable[[], Native] | None,
) -> Callable[[], Native] | None:
    """Return what makes a native function when it is needed, if that is what was given."""
    is_maker = callable(function) and not hasattr(function, "address")
    return cast("Callable[[], Native]", function) if is_maker else None


def _address(function: Native | None) -> int | None:
    return function if function is None or isinstance(function, int) else function.address


def _start(array: np.ndarray) -> int:
    """Return where the memory of an array starts."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # read-only or empty
        return array.ctypes.data
