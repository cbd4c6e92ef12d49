"""Integration of ẋ = f(t, x, p): a method, its workspace, the calls that advance it, outcomes."""

from __future__ import annotations

import ctypes
import time as clock
from collections.abc import Callable
from dataclasses import field
from enum import Enum
from inspect import get_annotations
from typing import TYPE_CHECKING, TypedDict, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motorik.compiler.addresses import address_of, maker_of, start_of, view_of
from motorik.compiler.bound_call import BoundCall
from motorik.compiler.kernels import (
    Floats,
    Function,
    Int,
    Ints,
    kernel,
    native,
    native_group,
    tail,
)
from motorik.errors import SimulationError, suggest
from motorik.immutable import immutable
from motorik.nonsmooth.memory import LogLine
from motorik.numerics.tolerances import DENSE_EVENTS, EPSILON, NO_ADVANCE
from motorik.simulation import stiffness
from motorik.simulation.methods import METHODS, TABLES, Method
from motorik.simulation.stepping import norm, unwrapping
from motorik.simulation.stepping.guard import SAFE
from motorik.simulation.stepping.norm import Relative
from motorik.simulation.stepping.step_kernels import copy
from motorik.simulation.stepping.unwrapping import AngleMemory, Unwrapping
from motorik.simulation.stepping.workspace import (
    HEAD,
    Counts,
    EventArguments,
    Ode,
    ProjectionJump,
    Status,
    Vec,
    Work,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.compiler.addresses import Maker, Native, Numbers
    from motorik.nonsmooth.application.run_events import RunEvents
    from motorik.simulation.methods import Method
    from motorik.simulation.stepping.workspace import Work


# --- outcomes ------------------------------------------------------------------------------


class Outcome(Enum):
    """The end of a call of `Integration.advance`, with reason and remedy."""

    REACHED = (Status.REACHED, "the time to stop at was reached", "")
    PAUSED = (
        Status.PAUSED,
        "the run was paused before its end",
        "Call `advance` again to go on.",
    )
    ENDED = (Status.ENDED, "an event ended the run", "")
    NOT_FINITE = (
        Status.NOT_FINITE,
        "a state, its rate or a condition is no longer a finite number",
        "Look for a division by zero, a root of a negative number or a singular position "
        "at this time; if a force grows without bound, limit it or reduce the `max_step` "
        "of the solver.",
    )
    EXPLODES = (
        Status.EXPLODES,
        "the motion grows without bound: the scale of the mechanism is lost in its rounding",
        "Give a smaller `step`: this one is probably too long for the method to be stable; or "
        "take a method that chooses its steps by their error, such as 'auto'.",
    )
    STEP_TOO_SMALL = (
        Status.STEP_TOO_SMALL,
        "the step size required by the tolerance is too small to advance",
        "The solution may diverge or jump here. Replace a jump by a short smooth "
        "transition, loosen `rtol` and `atol`, or try method 'bdf' if the system is stiff.",
    )
    TOO_MANY_STEPS = (
        Status.TOO_MANY_STEPS,
        "the allowed number of steps is used up",
        "Raise the `max_steps` of the solver, loosen `rtol`, or try method 'bdf' if the system "
        "is stiff.",
    )
    STANDS_STILL = (
        Status.STANDS_STILL,
        "thousands of steps have not advanced the time by more than its rounding",
        "Raise `step` or `max_step` if they are that short; else a law changes without end "
        "near this time: replace its jumps by short smooth transitions.",
    )
    TEARS = (
        Status.TEARS,
        "a constraint jumps: however short the step, the loops are closed only far away from "
        "where it ends",
        "Look for a branch cut such as that of arctan2, a comparison or a division in a "
        "constraint of your own, and write it without, for example with the sine of a "
        "difference of angles.",
    )
    UNSOLVED = (
        Status.UNSOLVED,
        "the equations of motion and of loops are not solved exactly here",
        "Their masses differ too much, or vanish in some direction at this position. Give "
        "small bodies more mass or inertia, or take another strategy.",
    )
    NO_CONVERGENCE = (
        Status.NO_CONVERGENCE,
        "Newton's iteration does not converge even with the smallest step",
        "The rate jumps here or its Jacobian is wrong. Replace a jump by a short smooth "
        "transition, or try an explicit method such as 'dopri5'.",
    )
    GUARD_TRIPPED = (
        Status.GUARD_TRIPPED,
        "a guarded value approaches zero in the next step",
        "Continue from `before` in another formulation.",
    )
    NO_MODES = (
        Status.NO_MODES,
        "no combination of sticking and slipping fits the equations of motion",
        "Contact with large friction may have no solution (Painlevé). Give less friction, or "
        "an elastic contact.",
    )
    BEYOND = (
        Status.BEYOND,
        "a reset of `when` puts something beyond its stop, or into what it touches",
        "Reset it to a place on this side of the stop, or move the stop.",
    )
    CHATTERS = (
        Status.CHATTERS,
        "events follow one another without end at this time",
        "Look at the parts named: what one event does is undone at once, by another or by the "
        "motion. Leave some distance between the two, so that it takes time.",
    )

    SLIDES = (
        Status.SLIDES,
        "the motion slides along the border between two branches of a law",
        "Replace the jump of the law by a steep smooth transition.",
    )

    def __init__(self, code: int, why: str, remedy: str) -> None:
        self.code = code
        self.why = why
        self.remedy = remedy

    @property
    def is_failure(self) -> bool:
        """Whether the run cannot continue."""
        return self not in (Outcome.REACHED, Outcome.PAUSED, Outcome.ENDED)

    def explain(self, time: float, seen: str = "", remedy: str = "") -> str:
        """Return the message for a run that came to `time`, what was seen there, and what helps.

        A remedy of what was seen stands for that of the outcome.
        """
        text = f"t = {time:.9g} s: {self.why}{f'; {seen}' if seen else ''}"
        remedy = remedy or self.remedy
        return f"{text}\n  {remedy}" if remedy else text


OUTCOMES = {outcome.code: outcome for outcome in Outcome}


# --- cost ----------------------------------------------------------------------------------


@immutable
class Statistics:
    """The cost of an integration so far; `switches` lists when it changed its method.

    `astray` counts the samples at which an unwrapped angle did not agree with its speed: its full
    turns are uncertain from there on. `compile_time` [s] was spent in making native code.
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


# --- options -------------------------------------------------------------------------------


@immutable
class ErrorScales:
    """The data of error norms by ranges, beside absolute tolerances; see `stepping.norm`.

    `kinds` are those of the states. `stretch(t, x, p, y)` writes the relative coordinates and
    speeds that enter the norm, with their kinds and their absolute tolerances, rtol times
    their scale.
    """

    kinds: NDArray[np.int64]
    stretch: Native | None = None
    stretch_kinds: Numbers = field(default_factory=lambda: np.zeros(0))
    stretch_atol: Numbers = field(default_factory=lambda: np.zeros(0))


class StepOptions(TypedDict, total=False):
    """Options of an `Integration` beside its functions, its parameters and `rtol`."""

    rhs_lanes: Native | Callable[[], Native] | None
    t0: float
    guard: Native | None
    guarded: int
    unwrap: Native | None
    unwrapped: int
    unwrapped_at: int
    guesses: int
    seek: Callable[[float, Numbers, Numbers], Numbers] | None
    unwrapped_within: float
    atol: ArrayLike
    step: float | None
    max_step: float
    min_step: float
    max_steps: int
    record: bool
    stiff_method: str | None
    run_events: RunEvents | None
    discontinuous: bool
    scales: ErrorScales | None
    may_jump: int
    audit: Native | None
    audits_rates: bool
    coordinates: int
    along_freedoms: Callable[[], tuple[Native, Native]] | None


class IntegrationOptions(StepOptions, total=False):
    """All options of an `Integration` but `rtol`."""

    p: Numbers | None
    jacobian: Native | Maker | None
    project: Native | None


# --- checks of options ---------------------------------------------------------------------


FLOAT64 = np.dtype(np.float64)


def check_steps(
    method: Method, step: float | None, min_step: float, max_step: float
) -> None:
    """Refuse a method without its step, and a step outside of the bounds."""
    part = _named(method)
    if not method.adaptive and not (step and step > 0.0):
        raise SimulationError(
            part,
            f"has no error control and step = {step}.",
            "Give `step` in seconds.",
            parameter="step",
            value=step,
        )
    if step is not None and not (min_step <= step <= max_step and step > 0.0):
        raise SimulationError(
            part,
            f"cannot begin with step = {step} s: steps are {min_step:g} to {max_step:g} s",
            "Give a positive `step` between `min_step` and `max_step`.",
            parameter="step",
            value=step,
        )


def check_tolerances(method: Method, rtol: float, atol: Numbers) -> None:
    """Refuse tolerances that no step can meet."""
    least = min(atol.tolist(), default=1.0)
    if not (rtol >= 0.0 and least >= 0.0 and rtol + least > 0.0):
        raise SimulationError(
            _named(method),
            f"cannot keep rtol = {rtol} with atol = {least}",
            "Give tolerances that are positive, such as rtol=1e-6, atol=1e-8.",
            parameter="rtol",
            value=rtol,
        )


def check_parameters(method: Method, p: Numbers, unwrapped: slice, unwraps: bool) -> None:
    """Refuse parameters of another kind, and angles without their references among them."""
    if p.dtype != FLOAT64 or not p.flags.c_contiguous:
        raise SimulationError(
            _named(method),
            f"got parameters as {p.dtype}",
            "Pass a contiguous float64 array.",
        )
    count = unwrapped.stop - unwrapped.start
    if (count > 0) != unwraps or not 0 <= unwrapped.start <= unwrapped.stop <= p.size:
        raise SimulationError(
            _named(method),
            f"cannot unwrap {count} angles whose references are the numbers "
            f"{unwrapped.start} to {unwrapped.stop - 1} of {p.size}",
            "Give `unwrap`, the count of its angles and their place among the parameters.",
        )


def check_rates(method: Method, rate: object) -> None:
    """Refuse a method of several lanes for equations that cannot be computed so."""
    if rate is None:
        raise SimulationError(
            _named(method),
            f"needs the rates of {method.lanes} states at once",
            f"Take another method such as 'dop853': {method.name} needs equations "
            "without an iteration inside.",
        )


def check_grid(grid: Numbers, time: float) -> Numbers:
    """Return the output times, or refuse those that are not sorted from `time` on."""
    falls = np.count_nonzero(grid[1:] < grid[:-1])
    if falls or (grid.size and grid[0] < time):
        raise SimulationError(
            "grid",
            f"begins at t = {grid[0]:.9g} s, or is not sorted",
            f"Give increasing times, none before {time:.9g} s.",
            parameter="output",
            value=grid,
        )
    return grid


def _named(method: Method) -> str:
    return f"method {method.name!r}"


# --- the integration -----------------------------------------------------------------------


WIDE_FROM = 10  # states from which loops over them are vectorised
# steps times states of the first native call; later ones last about PULSE
FIRST_BUDGET = 2048
PULSE = 0.05  # s between two reads of the clock, the keyboard and `watch`
SAMPLES = 64  # of unwrapped angles over a run, at least, however long its steps are …
SAMPLES_OF_TIME = 4096  # … and where no state keeps them short
RECORD_SIZE = 1024  # steps recorded before native code returns for more room
GUARD_SAMPLES = 64  # of guarded values within a step that has tripped the guard
# steps in a row that do not advance the time by its rounding, against the run
MOST_STANDING = 10_000
MOST_DENSE = 4096  # events as near as `DENSE_EVENTS` that have no end
NOTHING = np.empty((0, 1))
# in place of the arguments of events, where nothing reads them
NO_EVENTS: list[int | None] = [None] * len(get_annotations(EventArguments))
# places among the arguments of `advance`
WORKSPACE, RHS, JACOBIAN, GRID, OUTPUT, RECORD = 1, 3, 4, 12, 13, 14
PARAMETERS, STRETCHES, SOLVERS = 6, 8, slice(10, 12)
PIECES, BREAKPOINTS, LOG, INSTANTS = -8, -7, -2, -1

# places in the workspace that short calls write
TIME, STOP, T_OLD, T_BASE = Work.t, Work.t_stop, Work.t_old, Work.t_base
T_VALID, MAX_STEP, MAX_STEP_GIVEN = Work.t_valid, Work.max_step, Work.max_step_given
BUDGET, STARTED, FIXED_COUNT = Counts.budget, Counts.started, Counts.fixed_count
JUMP_PENDING, UNWRAPPING = Counts.jump_pending, Counts.unwrapping
OF_METHOD = slice(Counts.method, Counts.kind)
NO_INTEGERS = view_of(np.zeros(Counts.kind - Counts.method, dtype=np.int64))

CALLED = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)  # a function of (t, x, p, out)


@kernel
def begin_again(
    n: Int,
    width: Int,
    w_size: Int,
    w_first: Floats,
    w: Work,
    m_size: Int,
    m_first: Ints,
    m: Counts,
    memory_size: Int,
    memory_first: Floats,
    memory: Floats,
    stretch: Function | None,
    stretches: Int,
    y_first: Floats,
    y: Floats,
    x: Floats,
    p: Floats,
) -> None:
    """Fill the workspace as it was first, with n states x and parameters p in it."""
    copy(w_size, w_first, w)
    for i in range(m_size):
        m[i] = m_first[i]
    copy(memory_size, memory_first, memory)
    for i in range(n):
        w[HEAD + Vec.X * width + i] = x[i]
        w[HEAD + Vec.LOW * width + i] = x[i]
        w[HEAD + Vec.HIGH * width + i] = x[i]
    if stretch is not None:
        copy(Relative.COUNT * stretches, y_first, y)
        last = tail(y, Relative.LAST * stretches)
        stretch(tail(w, Work.t), x, p, last)
        copy(stretches, last, tail(y, Relative.LOW * stretches))
        copy(stretches, last, tail(y, Relative.HIGH * stretches))


class Integration:
    """The solution of ẋ = f(t, x, p), x(t₀) = x₀, computed step by step in native code.

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
    `p` from `unwrapped_at` on; these references are updated in every step. The first of them are
    no angles but `guesses` for Newton's method, the solutions at the last step; where these lead
    to no number after a jump, `seek(t, x, p)` returns p with others. Within a
    step they are those of its beginning: where the rates depend on full turns, `unwrapped_within`
    [rad] less than half a turn bounds the steps of a method with error control.
    `step` [s] is the size of the first step, which a method with error control takes shorter
    if it must, or of all steps of a method without one. `max_step` and `min_step` [s] bound
    the steps that a method chooses; a `step` outside of them is refused.
    `may_jump`, one of `ProjectionJump`, tells whether `project` may move a state far; otherwise
    the step is refused, and the run ends where no step is short enough (`Outcome.TEARS`).
    `discontinuous` tells whether rates may change at once within a step, as laws with cases do.
    The first `coordinates` states have as rates those behind them, as many speeds. Of a tree in
    which force laws act along single freedoms, `along_freedoms` makes the native functions
    `stiffness` and `armature_response`, see `workspace.Ode`.
    With `scales` tolerances follow from how far things have moved, see `stepping.norm`.
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
        jacobian: Native | Maker | None = None,
        project: Native | None = None,
        audit: Native | None = None,
        guard: Native | None = None,
        guarded: int = 0,
        unwrap: Native | None = None,
        unwrapped: int = 0,
        unwrapped_at: int = 0,
        guesses: int = 0,
        seek: Callable[[float, Numbers, Numbers], Numbers] | None = None,
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
        coordinates: int = 0,
        along_freedoms: Callable[[], tuple[Native, Native]] | None = None,
    ) -> None:
        x0 = np.asarray(x0, dtype=np.float64)
        self.n = x0.size
        self._width = max(self.n, 1)  # without states, one that rests is carried along
        self.p = np.zeros(1) if p is None else p
        self.method = method
        self.samples = self.angles = NOTHING
        self.compile_time = 0.0
        self._bound: BoundCall | None = None
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
        self._reach = 1.0  # its |h λ| before
        self._rests = False  # whether that was because nothing vibrates
        self._until = t0  # where the present call of `advance` ends
        self._doubts = 0  # times that this was not done, or undone
        self._stiffness_samples: tuple[
            tuple[float, complex], ...
        ] = ()  # times and dominant eigenvalues
        self._between = stiffness.BETWEEN  # steps to the next comparison of costs
        self._krylov: Numbers | None = None  # memory of estimates of eigenvalues
        self._switches: tuple[tuple[float, str], ...] = ()
        self._grid = NOTHING  # kept alive for native code
        self._dense = 0  # events in a row that are too near to one another
        self._mark = t0, 0  # time and steps when it last advanced
        self._along_freedoms = along_freedoms
        self._owners = self._functions(rhs, rhs_lanes, jacobian, project)
        self._scales = scales
        self._m = self._counts(max_steps, guarded, discontinuous)
        self._m.guesses, self._seek = guesses, seek
        self._m.coordinates = coordinates
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
        self._arguments += [address_of(audit), *self._solvers(), 0, 0, 0]
        self._arguments += [address_of(guard), start_of(self._memory), address_of(unwrap)]
        if run_events is not None:
            run_events.start(self._width, self.p, 0.0 if method.adaptive else step or 0.0)
            self._m.event_pending = run_events.has_events
        self._arguments += NO_EVENTS if run_events is None else run_events.arguments()
        self._load()
        self._recorded: list[Numbers] = []
        self._room = self._first_room(t0, x0) if record else NOTHING

    # --- the same integration from other states ----------------------------------------------

    def keep(self, until: float, grid: Numbers) -> Integration:
        """Keep the workspace for `run_again` to the time `until` [s], with these output times.

        Nothing may have been advanced yet; the times are not checked. Return itself.
        """
        w, m = np.asarray(self._w), np.asarray(self._m)
        w[Work.t_stop] = self._until = until
        m[Counts.grid_count] = grid.size
        m[Counts.budget] = max(FIRST_BUDGET // self._width, 1)
        self._grid, self._arguments[GRID] = grid, start_of(grid)
        self._cost = m[Counts.steps : Counts.factorisations + 1]
        self.keep_first()
        return self

    def keep_first(self) -> None:
        """Keep the workspace as it is now, before anything has been advanced."""
        own = np.asarray(self._w), np.asarray(self._m), self._memory, self._stretches
        self._kept = own, tuple(array.copy() for array in own)
        self._begin_again = native(begin_again).entry
        self._again: tuple[BoundCall, memoryview, BoundCall, memoryview] | None = None
        self._set_begin_arguments()

    def begin_afresh(self, x: Numbers, time: float) -> None:
        """Begin at a state and a time [s] without any history, as if made there, with `p` as it is.

        `keep_first` must have been called.
        """
        w = self._kept[1][0].view(Work)
        w.t = w.t_old = w.t_base = w.t_start = w.t_valid = time
        self._begin_again(*self._begin_arguments, start_of(x), start_of(self.p))
        self._w[self.method.size(self._width) :] = self._lane_parameters()
        self._computed, self._mark = 0.0, (time, 0)

    # --- what runs in lanes share with a single one ------------------------------------------

    @property
    def first_workspace(self) -> tuple[np.ndarray, ...]:
        """Workspace, integers, memory and stretches as they are before a run is made again."""
        return self._kept[1]

    @property
    def grid(self) -> Numbers:
        """The output times [s]."""
        return self._grid

    @property
    def until(self) -> float:
        """The time [s] at which the present call of `advance`, or a kept run, ends."""
        return self._until

    @property
    def output_width(self) -> int:
        """The count of numbers of an output sample: states and unwrapped angles."""
        return self._width + self._unwrapped.stop - self._unwrapped.start

    @property
    def n_stretches(self) -> int:
        """The count of relative coordinates and speeds that enter the error norm."""
        return int(self._m.relative_coordinates)

    @property
    def audits_rates(self) -> bool:
        """Whether the audit of rates computes them as well."""
        return bool(self._m.audit == 1)

    @property
    def equations(self) -> list[int | None]:
        """The addresses of `Ode`."""
        return self._arguments[RHS : RHS + len(get_annotations(Ode))]

    @property
    def conditions(self) -> tuple[int | None, int | None]:
        """The addresses of the functions that guard and that unwrap."""
        return address_of(self._guard), address_of(self._unwrap)

    @property
    def run_memory(self) -> list[np.ndarray]:
        """All that native code remembers of a run: workspace, integers, parameters, events."""
        own = [self._w, self._m, self._memory, self._stretches, self.p]
        events = () if self.run_events is None else self.run_events.first
        return [np.asarray(array).reshape(-1) for array in (*own, *events)]

    def renew(self) -> None:
        """Forget the run so far, but for its memory: as an integration that has not begun."""
        self._explicit, self._reach, self._rests = None, 1.0, False
        self._doubts = self._dense = 0
        self._stiffness_samples = self._switches = ()
        self._between = stiffness.BETWEEN
        self._mark = float(self._w.t_start), 0
        if self.run_events is not None:
            self.run_events.forget_alarms()

    def answer(self, code: int) -> bool:
        """Answer what native code stopped for in a lane, whose memory is copied into `run_memory`.

        Return whether the run can go on, here or, if the method is the same, in the lane.
        """
        if code == Status.PAUSED:
            self._m.budget = MOST_STANDING
            return not self._stands_still(self._until)
        return self._answer_request(code)

    def go_on_alone(
        self,
        samples: Numbers,
        breakpoints: Numbers | None,
        watch: Callable[[Integration], object],
    ) -> int:
        """Go on from what was copied into `run_memory`; return the status."""
        self._arguments[OUTPUT] = start_of(samples)
        if breakpoints is not None and self.run_events is not None:
            self.run_events.breakpoints = breakpoints
            self._arguments[BREAKPOINTS] = start_of(breakpoints)
        return self._proceed(Status.GOING, self._until, watch).code

    def output_arguments(self, samples: int) -> list[int | None]:
        """Return the addresses of `Output`, with output samples at another place."""
        return [start_of(self._grid), samples, 0]

    def _set_begin_arguments(self) -> None:
        """Note where the workspace lies, and what it is first."""
        (w, m, memory, y), first = self._kept
        stretch = None if self._scales is None else self._scales.stretch
        self._begin_arguments: list[int | None] = [self.n, self._width]
        for array, before in zip((w, m, memory), first, strict=False):
            self._begin_arguments += [array.size, start_of(before), start_of(array)]
        self._begin_arguments += [address_of(stretch), y.size // Relative.COUNT]
        self._begin_arguments += [start_of(first[3]), start_of(y)]

    def run_again(
        self,
        x0: Numbers,
        p: Numbers,
        atol: Numbers | None = None,
        scales: ErrorScales | None = None,
    ) -> int:
        """Run from another state with other parameters, by one call of native code.

        It begins at the same time without any history, with the same options, and with other
        absolute tolerances and scales if these are given. Return the status; unless that is
        `Status.REACHED`, `go_on` continues. Only an integration that was kept, has no events
        and has not changed its method can run again.
        """
        if self._again is None:
            self._again = self._bind_again()
        begin, starts, advance, slots = self._again
        if p is not self.p and p.size:
            place = start_of(p)
            self.p, self._arguments[PARAMETERS] = p, place
            starts[-1] = slots[1 + PARAMETERS] = place
        if atol is not None:
            self._rescale(x0, atol, scales)
        starts[-2] = start_of(x0)
        begin()
        width, n = self._width, self.n
        extra = self._unwrapped.stop - self._unwrapped.start
        buffer = self.samples = np.empty((self._grid.size, width + extra))
        self._arguments[OUTPUT] = slots[1 + OUTPUT] = start_of(buffer)
        if width + extra > n:
            self.samples = buffer[:, :n]
        self._buffer = buffer
        if self.method.lanes > 1:
            self._w[self.method.size(width) :] = self._lane_parameters()
        return advance()

    def _bind_again(self) -> tuple[BoundCall, memoryview, BoundCall, memoryview]:
        """Return the calls of `run_again`, and the numbers of their tables, to be written."""
        first = native(begin_again).address
        begin = BoundCall(first, [*self._begin_arguments, 0, self._arguments[PARAMETERS]])
        advance = BoundCall(self._advance_address, self._arguments)
        return begin, view_of(begin.table), advance, view_of(advance.table)

    @property
    def angles_again(self) -> Numbers:
        """The unwrapped angles [rad] at the output times of `run_again`."""
        return self._buffer[:, self._width :]

    def _rescale(self, x0: Numbers, atol: Numbers, scales: ErrorScales | None) -> None:
        """Take other tolerances for the runs that follow."""
        _, (w, _, _, y) = self._kept
        start = HEAD + Vec.ATOL * self._width
        w[start : start + self.n] = atol
        self._scales = scales
        if scales is not None and scales.stretch is not None:
            y.reshape(Relative.COUNT, -1)[Relative.SCALE] = scales.stretch_atol

    @property
    def cost(self) -> np.ndarray:
        """Steps, rejected steps, evaluations, Jacobians and factorisations, a copy."""
        return self._cost.copy()

    @property
    def counted(self) -> list[int]:
        """Steps, rejected steps, evaluations, Jacobians and factorisations so far."""
        return self._m[Counts.steps : Counts.factorisations + 1].tolist()

    def go_on(
        self,
        code: int,
        until: float,
        watch: Callable[[Integration], object] | None = None,
    ) -> Outcome:
        """Continue after `run_again`, which returned this status."""
        self._mark = float(self._w.t_start), 0
        self.angles = self.angles_again
        self._entered = self._clock()
        try:
            return self._proceed(code, until, watch)
        finally:
            self._computed, self._entered = self.computing, None

    def _functions(
        self,
        rhs: Native | Callable[[], Native],
        rhs_lanes: Native | Callable[[], Native] | None,
        jacobian: Native | Maker | None,
        project: Native | None,
    ) -> list[Native | None]:
        """Return rates, Jacobian and projection; their code must stay in memory."""
        method = self.method
        self._rhs = rhs
        self._late_jacobian = make = maker_of(jacobian)
        if make is not None:
            jacobian = self._make(make) if self._needs_jacobian else None
        rate = self._make(rhs if method.lanes == 1 else rhs_lanes)
        return [rate, cast("Native | None", jacobian), project]

    @property
    def _solves_along_freedoms(self) -> bool:
        """Whether the method solves its linear equations without a Jacobian."""
        return self._along_freedoms is not None and self.method.solves_along_freedoms

    @property
    def _needs_jacobian(self) -> bool:
        """Whether the method solves its linear equations by a Jacobian."""
        return self.method.uses_jacobian and not self._solves_along_freedoms

    def _solvers(self) -> list[int | None]:
        """Return stiffness and response to armatures, for methods that solve linear equations."""
        if self._along_freedoms is None or not self._solves_along_freedoms:
            return [0, 0]
        began = clock.perf_counter()
        self._linear = self._along_freedoms()  # their code must stay in memory
        self.compile_time += clock.perf_counter() - began
        return [address_of(function) for function in self._linear]

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
        room = np.full((RECORD_SIZE + 1, self._width + 1 + unwrapped), np.nan)
        room[0, 0] = t0
        room[0, 1 : self.n + 1] = x0
        self._m.record_next = 1
        self._m.record_count = RECORD_SIZE
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
    def angles_before(self) -> Numbers:
        """The unwrapped angles [rad] at the beginning of the last step, a copy."""
        is_pending = self._m.unwrapping == Unwrapping.STEP
        unwrapped, place = (
            int(self._m.unwrapped),
            AngleMemory.NOW if is_pending else AngleMemory.OLD,
        )
        start = 4 * int(self._m.guarded) + place * unwrapped
        return self._memory[start : start + unwrapped].copy()

    @property
    def samples_written(self) -> int:
        """How many of `samples`, the states on the output grid, are written; see `advance`."""
        return int(self._m.grid_next)

    @property
    def record(self) -> Numbers:
        """Time and state of the start and of every step, one line each."""
        return self._all_recorded()[:, : self.n + 1]

    @property
    def recorded_angles(self) -> Numbers:
        """The unwrapped angles [rad] at the steps of `record`; not a number after a warning."""
        return self._all_recorded()[:, self._width + 1 :]

    @property
    def statistics(self) -> Statistics:
        """The cost so far."""
        a, b, c, d, e = self._m[Counts.steps : Counts.factorisations + 1].tolist()
        astray = int(self._m.ambiguous)
        rest = self._switches, astray, self.compile_time
        return Statistics(self.method.name, a, b, c, d, e, *rest)

    @property
    def computing(self) -> float:
        """The wall-clock time [s] spent in `advance` so far, without compiling."""
        if self._entered is None:
            return self._computed
        return self._computed + self._clock() - self._entered

    def _clock(self) -> float:
        """Return a clock that stands still while code is compiled [s]."""
        return clock.perf_counter() - self.compile_time

    def advance(
        self,
        until: float,
        *,
        grid: ArrayLike | None = None,
        watch: Callable[[Integration], object] | None = None,
    ) -> Outcome:
        """Advance to the time `until` [s] and stop there exactly.

        `grid`, sorted times from `time` to `until`, are the output times: the states
        there are then in `samples`, the unwrapped angles [rad] in `angles`.
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
        self._set_breakpoints(until)
        self._mark = self.time, int(m.steps)
        if grid is not None:
            self._bound = None  # whose arguments are others
            self._grid = check_grid(np.ascontiguousarray(grid, dtype=np.float64), self.time)
            buffer = np.empty((self._grid.size, self._width + int(m.unwrapped)))
            self.samples, self.angles = buffer[:, : self.n], buffer[:, self._width :]
            m.grid_next, m.grid_count = 0, self._grid.size
            self._arguments[GRID] = start_of(self._grid)
            self._arguments[OUTPUT] = start_of(buffer)
        return self._proceed(Status.GOING, until, watch)

    def _proceed(
        self, code: int, until: float, watch: Callable[[Integration], object] | None
    ) -> Outcome:
        """Call native code, and do what it stops for, until there is an outcome.

        `code` is the status of a call that is over, or `Status.GOING`.
        """
        m = self._m
        budget = max(FIRST_BUDGET // self._width, 1)
        before = clock.perf_counter()
        while True:
            may_return = self._explicit is not None and self.method.uses_jacobian
            if code == Status.GOING:
                if (
                    may_return
                ):  # to the next comparison of costs, which no clock may put off
                    steps = int(m.steps - m.explicit_steps - self._compared[0])
                    budget = min(budget, max(self._between - steps, 1))
                m.budget = budget
                code = self._advance(*self._arguments)
            if code == Status.LOG_FULL and self._has_dense_events(until):
                return Outcome.CHATTERS
            if code == Status.PAUSED and self._stands_still(until):
                return Outcome.STANDS_STILL
            if code == Status.PAUSED and may_return:
                self._switch_back()
            if not self._answer_request(code):
                if code == Status.GUARD_TRIPPED:
                    self.p[self._unwrapped] = self.angles_before
                return OUTCOMES[code]
            spent = clock.perf_counter() - before
            if code == Status.PAUSED or spent > PULSE:
                if watch is not None and watch(self):
                    return Outcome.PAUSED
                if code == Status.PAUSED:
                    budget = int(budget * min(8.0, PULSE / max(spent, 1e-9))) + 1
                before += spent
            code = Status.GOING

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
        x = np.empty(self._width)
        self._sample(*self._arguments[:GRID], time, start_of(x))
        return x[: self.n]

    def restart(self, state: ArrayLike | None = None, time: float | None = None) -> None:
        """Restart from a state, or from the present one because `p` has changed."""
        if state is not None:
            self._vector(Vec.X)[:] = state
        if self.run_events is not None and self.run_events.pasts is not None:
            pasts, is_elsewhere = self.run_events.pasts, time not in (None, self.time)
            (pasts.forget if is_elsewhere else pasts.note)(
                self.time if time is None else time, self.state, self.p
            )
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

    def _make(self, function: Native | Maker | None) -> Native | None:
        """Return a native function, made now if what makes it was given."""
        make = maker_of(function)
        if make is None:
            return cast("Native | None", function)
        began = clock.perf_counter()
        made = make()
        self.compile_time += clock.perf_counter() - began
        return made

    def evaluate_within(self, begin: float, end: float) -> None:
        """Evaluate laws at no time before `begin` or after `end` [s]: not beyond their jumps."""
        self._w.t_from, self._w.t_upto = begin, end

    # --- short calls ---------------------------------------------------------------------

    @property
    def state_memory(self) -> Numbers:
        """The state at `time`: the memory that native code writes, until the method changes."""
        return np.asarray(self._vector(Vec.X))

    @property
    def state_address(self) -> int:
        """Where the state lies."""
        return start_of(self._w) + self._w.itemsize * (HEAD + Vec.X * self._width)

    @property
    def time_address(self) -> int:
        """Where the time lies."""
        return start_of(self._w) + self._w.itemsize * Work.t

    @property
    def can_be_quick(self) -> bool:
        """Whether `advance_quickly` may be called: without events, in one method."""
        return self.run_events is None and self._stiff_method is None

    def _bind(self) -> BoundCall:
        """Return the call of native code with its present arguments."""
        self._bound = BoundCall(self._advance_address, self._arguments)
        self._slots = view_of(np.asarray(self._w)), view_of(np.asarray(self._m))
        return self._bound

    @property
    def bound(self) -> BoundCall:
        """The call of native code that advances to the time set by `aim`."""
        return self._bound or self._bind()

    def aim(self, until: float) -> None:
        """Let the next call of `bound` end at the time `until` [s], not before the present."""
        if self._bound is None:
            self._bind()
        slots, counts = self._slots
        slots[STOP] = self._until = until
        counts[BUDGET] = max(FIRST_BUDGET // self._width, 1)

    def advance_quickly(self, until: float) -> Outcome:
        """Advance as `advance` does without output, in some microseconds of Python."""
        self.aim(until)
        code = self.bound()
        return Outcome.REACHED if code == Status.REACHED else self.finish(code)

    def finish(self, code: int) -> Outcome:
        """Go on to the time that was aimed at after `bound` has returned this status."""
        self._mark = self.time, int(self._m.steps)
        self._entered = self._clock()
        try:
            return self._proceed(code, self._until, None)
        finally:
            self._computed, self._entered = self.computing, None

    def restart_quickly(self) -> None:
        """Restart from the present state, as `restart` does for methods without memory."""
        if self._bound is None or self.method.has_memory or self.method.lanes > 1:
            self.restart()
            return
        slots, counts = self._slots
        slots[T_OLD] = slots[T_BASE] = slots[T_VALID] = slots[TIME]
        slots[MAX_STEP] = slots[MAX_STEP_GIVEN]
        counts[STARTED] = counts[FIXED_COUNT] = counts[JUMP_PENDING] = 0
        counts[UNWRAPPING] = Unwrapping.RESTART
        if self.method.adaptive:
            counts[OF_METHOD] = NO_INTEGERS

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
        self.compile_time += clock.perf_counter() - began
        self._advance, self._advance_address = advance.entry, advance.address
        self._bound = None
        self._sample = sample.entry
        self._arguments[WORKSPACE] = start_of(self._w)

    # --- callbacks of native code --------------------------------------------------------

    def _answer_request(self, code: int) -> bool:
        """Do what native code has stopped for; return whether it can go on."""
        if code == Status.RECORD_FULL:
            self._empty_record()
        elif code == Status.STIFF:
            self._switch()
        elif code == Status.TICKED:
            self._call_functions()
        elif code == Status.LOG_FULL:
            self._empty_log()
        elif code == Status.LOST:
            self._seek_solutions()
        elif code == Status.PASSED:
            self._pass_discontinuity()
        elif code == Status.PAST_FULL:
            self._extend_past()
        elif code == Status.GUARD_TRIPPED:
            return self._is_false_alarm()
        elif code == Status.SLIDES:
            assert self.run_events is not None
            return not self.run_events.is_sliding(self.time, self.state, self.p)
        else:
            return code == Status.PAUSED
        return True

    def _stands_still(self, until: float) -> bool:
        """Return whether thousands of steps have not advanced the time on the way to `until`."""
        time, steps = self.time, int(self._m.steps)
        span = until - float(self._w.t_start)
        if time - self._mark[0] > max(EPSILON * abs(time), NO_ADVANCE * span):
            self._mark = time, steps
        return steps - self._mark[1] > MOST_STANDING

    def _has_dense_events(self, until: float) -> bool:
        """Return whether events have been so dense for long that a run to `until` has no end."""
        own = self.run_events
        assert own is not None
        lines = own.log[: own.counts.log_next]
        span = self.time - float(lines[0, LogLine.TIME])
        dense = DENSE_EVENTS * (until - float(self._w.t_start))
        count = len(lines)
        if span < dense * count:  # some lines tell of one event
            count = np.unique(lines[lines[:, LogLine.SOURCE] >= 0.0, LogLine.TIME]).size
        self._dense = self._dense + count if span < dense * count else 0
        return self._dense > MOST_DENSE

    def _empty_log(self) -> None:
        """Take the log of events away, so that native code has room."""
        assert self.run_events is not None
        self.run_events.make_room()
        self._arguments[LOG] = start_of(self.run_events.log)
        self._arguments[INSTANTS] = start_of(self.run_events.instants)

    def _pass_discontinuity(self) -> None:
        """Note a discontinuity at the present time, and when it returns in delayed signals."""
        own = self.run_events
        assert own is not None and own.pasts is not None
        own.pasts.note(self.time, self.state, self.p)
        self._w[self.method.size(self._width) :] = self._lane_parameters()
        self._set_breakpoints(self._until)

    def _seek_solutions(self) -> None:
        """Begin Newton's method where it settles, if there is such a place."""
        if self._seek is not None:
            time = min(max(self.time, float(self._w.t_from)), float(self._w.t_upto))
            self.p[:] = self._seek(time, self.state, self.p)
            self._w[self.method.size(self._width) :] = self._lane_parameters()
            self._m.unwrapping = Unwrapping.RESTART

    def _extend_past(self) -> None:
        """Give native code more room for the past of delayed signals."""
        own = self.run_events
        assert own is not None and own.pasts is not None
        own.pasts.extend()
        self._arguments[PIECES] = start_of(own.pasts.pieces)

    def _call_functions(self) -> None:
        """Call the functions of the user that are due; what they give is taken at once."""
        own = self.run_events
        assert own is not None and own.trigger_tables is not None
        due = own.trigger_tables.due()
        inputs = own.trigger_tables.system.sampled_inputs(
            np.array([self.time]), self.state, self.p
        )
        for function in due:
            given = function.call(self.time, inputs[function.inputs].tolist())
            record = self._m.record_count > 0
            written = int(self._m[Counts.record_next if record else Counts.grid_next])
            written -= int(record and self._m.steps == 0)
            for place, value in zip(function.places, given, strict=True):
                own.note(self.time, written, place, value)
                self.p[place] = value
        self._w[self.method.size(self._width) :] = self._lane_parameters()
        self._m.event_pending = 1

    def _set_breakpoints(self, until: float) -> None:
        """Prepare the times at which laws change, as far as `until`."""
        own, w = self.run_events, self._w
        if own is None:
            return
        own.set_breakpoints(self.time, until)
        if own.trigger_tables is not None:
            own.trigger_tables.go_on()
            if own.trigger_tables.ticks_at(self.time):
                self._m.event_pending = 1  # at the end of the call before
        self._arguments[BREAKPOINTS] = start_of(own.breakpoints)
        first = own.first_breakpoint(self.time)
        w.t_stop = first
        w.t_from = self.time + own.aside(self.time)
        w.t_upto = first - own.aside(first)

    def _empty_record(self) -> None:
        """Take the record of steps away, so that native code has room."""
        written = self._m.record_next
        self._recorded.append(self._room[:written])
        if self.run_events is not None:
            self.run_events.counts.output_taken += written
        self._room = np.full_like(self._room, np.nan)
        self._m.record_next = 0
        self._arguments[RECORD] = start_of(self._room)

    def _is_false_alarm(self) -> bool:
        """Sample guarded values within the last step; return whether they stay away from zero."""
        begin, end = float(self._w.t_old), self.time
        if self._m.steps == 0 or not self._m.started:
            return False
        count = int(self._m.guarded)
        address = address_of(self._guard)
        assert address is not None
        evaluate, sample, p = CALLED(address), self._sample, start_of(self.p)
        times = np.linspace(begin, end, GUARD_SAMPLES)
        states = np.empty((GUARD_SAMPLES, self._width))
        values = np.zeros((GUARD_SAMPLES, 2 * count))
        time, state, value = map(start_of, (times, states, values))
        given = self._arguments[:GRID]
        for t in times.tolist():
            sample(*given, t, state)
            evaluate(time, state, p, value)
            time += times.strides[0]
            state += states.strides[0]
            value += values.strides[0]
        return bool((values[:, :count] >= SAFE).all())

    # --- the method of "auto" ---------------------------------------------------------------

    def _switch(self) -> None:
        """Go on with a method for stiff systems, if that suits what keeps the steps short."""
        value = self._dominant()
        self._stiffness_samples += ((self.time, value),)
        damping = stiffness.damping_of(value)
        left = (self._until - self.time) / max(float(self._w.h), 1e-300)
        code_is_little = self._along_freedoms is not None
        many = stiffness.MANY_ALONG_FREEDOMS if code_is_little else stiffness.MANY
        is_long = damping >= stiffness.UNDAMPED or left > many
        self._rests = damping < stiffness.UNDAMPED and is_long and self._is_resting()
        if not is_long or not value:
            self._be_patient()
            return
        self._explicit = self.method if self.method.lanes == 1 else METHODS["dop853"]
        border = self._explicit.border  # nearer on the imaginary axis than on the real one
        self._reach = min(border, max(0.1 * border, abs(value) * float(self._w.h)))
        self._go_on_implicitly(value)

    def _go_on_implicitly(self, value: complex) -> None:
        """Go on with the method for stiff systems that suits a dominant eigenvalue."""
        self._continue_by(self._for_stiffness(stiffness.damping_of(value)))
        self._w.settling = stiffness.settling_time(value, float(self._w.rtol))
        self._m.stiff_check = 0

    def _for_stiffness(self, damping: float) -> Method:
        """Return the method for stiff systems of such damping.

        A vibration needs one that is A-stable, and keeps its energy. For pure decay backward
        differentiation is cheaper; its steps after events are explicit.
        """
        assert self._stiff_method is not None and self._explicit is not None
        if damping < stiffness.OVERDAMPED or self._along_freedoms is not None:
            return METHODS[stiffness.A_STABLE]
        name, has_events = self._explicit.name, self.run_events is not None
        if self._stiff_method == "bdf" and has_events and name in TABLES:
            from motorik.simulation.methods.transients import make_bdf_with_transients

            return make_bdf_with_transients(name)
        return METHODS[self._stiff_method]

    def _switch_back(self) -> None:
        """Go on with the explicit method where it is cheaper, or where rest has ended.

        Where the dominant mode has begun to vibrate, go on with the A-stable method.
        """
        assert self._explicit is not None
        now, then = self._spent(), self._compared
        if now[0] - then[0] < self._between:
            return
        self._compared = now
        if self._rests and self._is_resting():
            return
        value = self._dominant()
        self._stiffness_samples += ((self.time, value),)
        self._w.settling = stiffness.settling_time(value, float(self._w.rtol))
        explicit, damping = self._explicit, stiffness.damping_of(value)
        spent = self._cost_of(now - then)
        steps = abs(value) * float(now[4] - then[4]) / self._reach
        would = steps * explicit.stages * stiffness.RATE_COST * self._width
        is_cheaper = would < stiffness.CHEAPER * spent
        self._cheaper = self._cheaper + 1 if is_cheaper else 0
        twice = min(2 * self._between, stiffness.MOST_BETWEEN)
        self._between = stiffness.BETWEEN if self._cheaper or self._rests else twice
        enough = stiffness.TIMES if damping >= stiffness.UNDAMPED else 1
        if self._rests or self._cheaper >= enough:
            h = self._w.h
            self._continue_by(explicit)
            self._w.h = min(h, self._reach / abs(value)) if value else h
            self._m.stiff_check = 1
            self._be_patient()
        elif damping < stiffness.OVERDAMPED and self.method.name == self._stiff_method:
            self._go_on_implicitly(value)

    def _cost_of(self, spent: Numbers) -> float:
        """Return about the operations of implicit steps, from the change of `_spent`."""
        n = self._width
        _, rates, jacobians, factors, _ = spent.tolist()
        rate = stiffness.RATE_COST * n
        if self._solves_along_freedoms:
            return 2.0 * rates * rate  # a response costs what a rate does
        if self.method.solves_along_freedoms:
            n -= int(self._m.coordinates)
        cost = rates * (rate + 2.0 * n * n) + factors * 2.0 / 3.0 * n**3
        if self._owners[1] is not None:
            cost += jacobians * stiffness.JACOBIAN_COST * rate
        return cost

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

    def _spent(self) -> Numbers:
        """Return the cost of implicit steps so far, and the time that they have passed.

        It is that of steps, rates, Jacobians and factorisations.
        """
        m, w = self._m, self._w
        steps, rates = m.steps - m.explicit_steps, m.evaluations - m.explicit_evaluations
        own = steps, rates, m.jacobians, m.factorisations, w.t - w.explicit_time
        return np.array(own, dtype=np.float64)

    def _dominant(self) -> complex:
        """Return about the eigenvalue of largest size of ∂f/∂x, by differences of rates."""
        address = address_of(self._make(self._rhs))
        assert address is not None
        if self._krylov is None:
            self._krylov = stiffness.make_memory(self.n)
        x = self.state
        scale = np.maximum(np.abs(x), self._vector(Vec.ATOL) / self._w.rtol)
        value, rates = stiffness.estimate_eigenvalue(
            address, self.time, x, self.p, scale, self._krylov
        )
        self._m.evaluations += rates
        return value

    def _continue_by(self, method: Method) -> None:
        """Go on from the present state with another method and the same error norm."""
        head = self._w[: HEAD + Vec.K * self._width]
        self.method = method
        self._w = np.zeros(method.size(self._width)).view(Work)
        self._w[: head.size] = head
        self._compared, self._cheaper = self._spent(), 0
        self._between = stiffness.BETWEEN
        self._switches += ((self.time, method.name),)
        self._owners[0] = self._make(self._rhs)
        self._arguments[RHS] = address_of(self._owners[0])
        self._arguments[SOLVERS] = self._solvers()
        if self._needs_jacobian and self._late_jacobian is not None:
            self._owners[1] = self._make(self._late_jacobian)
            self._arguments[JACOBIAN] = address_of(self._owners[1])
        self.restart()
        self._load()


# --- the method by its name ----------------------------------------------------------------


AUTO = "auto"
INTERPOLATION_POINTS = 16  # of methods whose interpolation is of no known degree
LANES_FROM, LANES_UP_TO = 1e-9, 32  # tolerance and states for which extrapolation pays


def interpolation_points(method: str) -> int:
    """Return by how many points of a step of a method its states within it are determined."""
    if method not in TABLES:
        return INTERPOLATION_POINTS
    from motorik.simulation.methods.runge_kutta import HERMITE

    return 1 + HERMITE + len(TABLES[method].dense)


def make_integration(
    method: str | Method,
    rhs: Native | Callable[[], Native],
    x0: ArrayLike,
    *,
    rtol: float = 1e-6,
    **options: Unpack[IntegrationOptions],
) -> Integration:
    """Return an integration by a method's name; the options are those of `Integration`.

    "auto" takes the explicit method that is cheaper at this tolerance: of eighth order, which is as
    accurate as fifth order at a tolerance ten times finer, and does not feed fast vibrations, or
    extrapolation in lanes. If the system is stiff, it switches to backward differentiation where
    the fastest mode decays, and to Radau IIA where it vibrates; `statistics` lists when.
    """
    if method == AUTO:
        options["stiff_method"] = "bdf"
        method = "dop853"
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
