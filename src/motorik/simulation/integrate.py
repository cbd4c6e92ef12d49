"""An integration under way: the workspace of a method and the calls that move it on."""

from __future__ import annotations

import ctypes
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motorik.compiler.kernel import native_group
from motorik.errors import SimulationError, suggest
from motorik.simulation.methods import METHODS, Method
from motorik.simulation.methods import workspace as slot
from motorik.simulation.methods.guard import SAFE
from motorik.simulation.outcome import OUTCOMES, Outcome

AUTO = "auto"
HIGH_ORDER_FROM = 1e-5  # rtol from which on eighth order is cheaper than fifth
WIDE_FROM = 10  # states from which loops over them are vectorised
LANES_FROM, LANES_UP_TO = 1e-9, 32  # tolerance and states for which extrapolation pays
FIRST_BUDGET = 64  # steps of the first native call; later ones last about PULSE
PULSE = 0.05  # s between two looks at the clock, the keyboard and `watch`
CLOSE_LOOK = 64  # places within a step where guarded values are looked at
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


@dataclass(frozen=True)
class Statistics:
    """What an integration has cost so far; `switches` tells when it changed its method."""

    method: str
    steps: int
    rejected: int
    evaluations: int
    jacobians: int
    factorisations: int
    switches: tuple[tuple[float, str], ...]


class Integration:
    """The solution of ẋ = f(t, x, p), x(t₀) = x₀, followed step by step in native code.

    Native functions take addresses of doubles only: `rhs(t, x, p, dx)`,
    `jacobian(t, x, p, J)` with J = ∂f/∂x by columns, and `project(t, x, p)`, which after each
    step puts x back onto what it must satisfy. `rhs_lanes` is `rhs` for as many states at
    once as the method has `lanes`: number i of state l lies at [i · lanes + l], also of t
    and p. A plain function given for one of these is called to make it when it is needed.
    `guard(t, x, p, values)` writes `guarded` values and then their rates; where one comes
    near zero within a step the run stops before it (`Outcome.WARNED`, `before`).
    `step` is the size of the first step, or of all steps of a method without error control.
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
        self._rhs = rhs
        self._late_jacobian = make = _maker(jacobian)
        if make is not None:
            jacobian = make() if method.uses_jacobian else None
        rate = _made(rhs if method.lanes == 1 else rhs_lanes)
        # their code must stay in memory
        self._owners: list[Any] = [rate, jacobian, project]
        self._guard = guard
        self._memory = np.zeros(4 * guarded + 1)
        self._stiff_method = stiff_method
        self._switches: tuple[tuple[float, str], ...] = ()
        self._grid = np.empty(0)  # kept alive for native code
        self._recorded: list[Numbers] = []
        self._room = np.empty((RECORD_ROWS if record else 0, n + 1))

        self._m = m = np.zeros(slot.COUNTS, dtype=np.int64)
        m[slot.MAX_STEPS] = max_steps
        m[slot.STIFF_CHECK] = stiff_method is not None
        m[slot.GUARDED] = guarded
        self._w = w = np.zeros(method.size(n) + self._lane_parameters().size)
        w[slot.T] = w[slot.T_OLD] = w[slot.T_BASE] = t0
        w[slot.H] = step or 0.0
        w[slot.RTOL] = rtol
        w[slot.MAX_STEP] = max_step
        w[slot.MIN_STEP] = min_step
        self._vector(slot.X)[:] = x0
        w[slot.HEAD + slot.ATOL * n] = 1.0
        self._vector(slot.ATOL)[:] = atol
        w[method.size(n) :] = self._lane_parameters()
        self._check(step)
        functions = (_address(owner) for owner in self._owners)
        self._arguments = [n, 0, _start(m), *functions, _start(self.p), 0, 0, 0]
        self._arguments += [_address(guard), _start(self._memory)]
        self._load()
        if record:
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
    def before(self) -> tuple[float, Numbers]:
        """Time and state at the beginning of the last step."""
        time = float(self._w[slot.T_OLD])
        return time, self.interpolate(time)

    @property
    def rows_written(self) -> int:
        """How many rows of `rows`, the states on the output grid, are written."""
        return int(self._m[slot.GRID_NEXT])

    @property
    def record(self) -> Numbers:
        """Time and state of the start and of every step, one row each."""
        rows = np.concatenate([*self._recorded, self._room[: self._m[slot.RECORD_NEXT]]])
        return rows[:, : self.n + 1]

    @property
    def statistics(self) -> Statistics:
        """What it has cost so far."""
        counts = self._m[slot.STEPS : slot.FACTORISATIONS + 1].tolist()
        return Statistics(self.method.name, *counts, switches=self._switches)

    def advance(
        self,
        until: float,
        *,
        grid: ArrayLike | None = None,
        watch: Callable[[Integration], Any] | None = None,
    ) -> Outcome:
        """Go on to the time `until` and stop there exactly.

        `grid`, sorted times from `time` to `until`, asks for the states at these times,
        which are then in `rows`. `watch` is called some twenty times a second; if it
        returns something true, the run is paused.
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
            buffer = np.empty((self._grid.size, self._width))
            self.rows = buffer[:, : self.n]
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
                self._room = np.empty_like(self._room)
                m[slot.RECORD_NEXT] = 0
                self._arguments[RECORD] = _start(self._room)
            elif code == slot.STIFF:
                self._switch()
            elif code == slot.WARNED and self._is_false_alarm():
                continue
            else:
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
            self._w[slot.T] = time
        self._w[slot.T_OLD] = self._w[slot.T_BASE] = self._w[slot.T]
        self._w[self.method.size(self._width) :] = self._lane_parameters()
        self._m[slot.STARTED] = self._m[slot.FIXED_COUNT] = self._m[slot.PUT_OFF] = 0
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

    def _vector(self, number: int) -> Numbers:
        start = slot.HEAD + number * self._width
        return self._w[start : start + self.n]

    def _lane_parameters(self) -> Numbers:
        """Return the parameters for each lane, which follow all else in the workspace."""
        lanes = self.method.lanes
        return np.repeat(self.p, lanes) if lanes > 1 else np.empty(0)

    def _load(self) -> None:
        kernels = self.method.advance, self.method.sample
        wide = self.method.lanes > 1 or self.n >= WIDE_FROM
        advance, sample = native_group(*kernels, wide=wide)
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
        self._owners[0] = _made(self._rhs)
        self._arguments[RHS] = _address(self._owners[0])
        if self._late_jacobian is not None:
            self._owners[1] = self._late_jacobian()
            self._arguments[JACOBIAN] = _address(self._owners[1])
        self.restart()
        self._load()

    def _check(self, step: float | None) -> None:
        part = f"method {self.method.name!r}"
        if self._owners[0] is None:
            raise SimulationError(
                part,
                f"needs the rates of {self.method.lanes} states at once",
                "Give `rhs_lanes`, or take another method such as 'dop853'.",
            )
        if not self.method.adaptive and not (step and step > 0.0):
            raise SimulationError(
                part, f"has no error control and step = {step}.", "Give `step` in seconds."
            )
        rtol = float(self._w[slot.RTOL])
        atol = min(self._vector(slot.ATOL).tolist(), default=1.0)
        if not (rtol >= 0.0 and atol >= 0.0 and rtol + atol > 0.0):
            raise SimulationError(
                part,
                f"cannot keep rtol = {rtol} with atol = {atol}",
                "Give tolerances that are positive, such as rtol=1e-6, atol=1e-8.",
            )
        if self.p.dtype != np.float64 or not self.p.flags.c_contiguous:
            raise SimulationError(
                part,
                f"got parameters as {self.p.dtype}",
                "Pass a contiguous float64 array.",
            )

    def _check_grid(self, grid: Numbers) -> Numbers:
        if grid.size and (grid[0] < self._w[slot.T] or (grid[1:] < grid[:-1]).any()):
            raise SimulationError(
                "grid",
                f"begins at t = {grid[0]:.9g} s, or is not sorted",
                f"Give increasing times, none before {self.time:.9g} s.",
            )
        return grid


def make_integration(
    method: str | Method,
    rhs: Native | Callable[[], Native],
    x0: ArrayLike,
    *,
    rtol: float = 1e-6,
    **options: Any,
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
                "method", f"{method!r} is not known.", suggest(method, known)
            )
        method = METHODS[method]
    return Integration(method, rhs, x0, rtol=rtol, **options)


def _maker(function: Any) -> Callable[[], Native] | None:
    """Return what makes a native function when it is needed, if that is what was given."""
    is_maker = callable(function) and not hasattr(function, "address")
    return cast("Callable[[], Native]", function) if is_maker else None


def _made(function: Any) -> Native | None:
    """Return a native function, made now if that is what was given."""
    make = _maker(function)
    return function if make is None else make()


def _address(function: Native | None) -> int | None:
    return function if function is None or isinstance(function, int) else function.address


def _start(array: Any) -> int:
    """Return where the memory of an array starts."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError):  # read-only or empty
        return array.ctypes.data
