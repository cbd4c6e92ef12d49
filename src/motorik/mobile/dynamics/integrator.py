"""Integrator: an element whose motion is the solution of differential equations."""

from __future__ import annotations

import math
from abc import abstractmethod
from contextlib import suppress
from time import perf_counter
from typing import NoReturn, TypedDict

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.errors import CompileError, MotorikError, SimulationError
from motorik.mobile.compiled.system import compiled_once
from motorik.mobile.compiled.traced_system import unknowns_of
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.dynamics.result import RunStart, SystemResult
from motorik.mobile.dynamics.system_mover import SystemMover
from motorik.mobile.elements.output_generator import OutputGenerator, quiet
from motorik.results import RunInfo
from motorik.results.run_info import warn_incomplete
from motorik.simulation.integration import Integration, Outcome, make_integration


class MethodOptions(TypedDict, total=False):
    """The options of a method: tolerances, or the size of its steps [s]."""

    rtol: float
    atol: float
    step: float


class Integrator(SystemMover):
    """A generalised joint: each `motion` advances a system by the time interval.

    ẏ = f(t, y) is solved by the methods of `motorik.simulation`, which choose their own
    steps; after each interval [s] the system is brought up to date with all its frames and
    forces. It begins with the conditions that the system has when it
    first moves; if these, its parameters or anything else that it reads are changed from
    outside, it continues with the new ones. The system is compiled when it first moves, so
    that all steps run in machine code. One that cannot be traced on symbols computes in Python:
    `not_compiled` says why. `compiled` as true refuses such a system, as false does not compile.
    """

    def __init__(
        self,
        system: DynamicSystem,
        time_interval: float | None = None,
        *,
        start_time: float = 0.0,
        compiled: bool | None = None,
    ) -> None:
        super().__init__(system)
        self._compiled = compiled
        self._moving: DynamicSystem | None = None
        self._checked: list[tuple[Scalar, ...]] | None = None  # parameters
        self.not_compiled: CompileError | None = None
        """Why the system computes in Python, although it was not asked to."""
        self._interval = time_interval
        self._start = float(start_time)
        self._count = 0
        self._run: Integration | None = None
        self._steps_before = 0
        self._left: Left | None = None
        if time_interval is not None:
            self.set_time_interval(time_interval)

    @property
    @abstractmethod
    def method(self) -> str:
        """The name of the method in `motorik.simulation`."""

    @property
    @abstractmethod
    def options(self) -> MethodOptions:
        """The options of the method."""

    # --- settings and state ----------------------------------------------------------------------

    def set_time_interval(self, dt: float) -> None:
        """Set the time [s] by which one `motion` advances."""
        self._interval = check_positive("time interval", dt)
        self._start, self._count = self.time, 0

    def set_start_time(self, t: float) -> None:
        """Set the time [s] at which the system is now, and restart."""
        if not math.isfinite(t):
            raise SimulationError(
                "start time",
                f"{t!r} s is not a time.",
                "Give a finite number of seconds.",
                parameter="t",
                value=t,
            )
        self.reset()
        self._start = float(t)

    def reset(self) -> None:
        """Restart at the present time with the present conditions and settings."""
        self._start, self._count = self.time, 0
        self._steps_before, self._run = self.number_of_steps, None

    @property
    def time(self) -> float:
        """The time [s] reached."""
        return self._start if self._run is None else self._run.time

    @property
    def number_of_steps(self) -> int:
        """The steps performed so far."""
        steps = 0 if self._run is None else self._run.statistics.steps
        return self._steps_before + steps

    def advance(self) -> None:
        """Advance the system by the time interval."""
        interval = self._checked_interval()
        run = self._running()
        system = self._moving
        assert system is not None
        with quiet():
            outcome = run.advance(self._start + (self._count + 1) * interval)
            if outcome.is_failure:
                self._fail(outcome, run)
            self._count += 1
            system.arrive_from_run(run.time, run.state.tolist())
        self._left = Left(system, run.state.tolist())
        for part in system.elements:
            if isinstance(part, OutputGenerator):
                part.write()

    def run(self, duration: float) -> SystemResult:
        """Advance by a duration [s] and return the result, one row for each time interval.

        The first row is where the system is now, the last at the end of the last whole
        interval. A run that cannot continue returns its result so far, with a warning.
        """
        check_positive("duration", duration)
        run, clock = self._running(), perf_counter()
        system = self._moving
        assert system is not None
        start, before = RunStart(system), run.statistics
        times, rows, message = [run.time], [run.state.copy()], ""
        start.add_row()
        for _ in range(round(duration / self._checked_interval())):
            try:
                self.advance()
            except SimulationError as error:
                message = error.reason
                break
            except MotorikError as error:  # where the step leads, nothing can be computed
                message = f"t = {times[-1]:.9g} s: {error.place}: {error.reason}"
                self.reset()
                break
            times.append(self.time)
            rows.append(run.state.copy())
            start.add_row()
        cost = run.statistics
        compiling = cost.compile_time - before.compile_time
        info = RunInfo(
            method=cost.method,
            steps=cost.steps - before.steps,
            rejected=cost.rejected - before.rejected,
            evaluations=cost.evaluations - before.evaluations,
            jacobians=cost.jacobians - before.jacobians,
            wall_time=perf_counter() - clock - compiling,
            complete=not message,
            message=message,
            switches=cost.switches,
            tolerance=self.options.get("rtol", 0.0),
            compile_time=compiling,
        )
        result = SystemResult(self.system, np.array(times), np.array(rows), info, start)
        if message:
            warn_incomplete(type(self).__name__, message)
        return result

    def _checked_interval(self) -> float:
        if self._interval is None:
            raise SimulationError(
                type(self).__name__,
                "has no time interval.",
                "Call `set_time_interval(dt)`.",
            )
        return self._interval

    def _running(self) -> Integration:
        """Return the integration, which goes on from where the system now is."""
        system = self._system()
        system.begin(self.time)
        is_other = system.renew()
        checked = [tuple(parameter.entries) for parameter in system.parameters]
        if self._run is None or is_other or checked != self._checked:
            self._checked = checked
            plain = system.in_python
            if system is not plain and plain.has_fault(self.time):
                self._checked, system = None, plain  # which reports it
        if system is not self._moving:
            self.reset()
            self._moving = system
        now = Left(system, [float(value) for value in system.conditions])
        p = np.array([*now.p, 0.0], dtype=float)
        if self._run is not None and (is_other or len(p) != len(self._run.p)):
            self.reset()
        if self._run is None:
            self._form = system.native_form()
            self._form.begin()
            self._run = make_integration(
                self.method,
                self._form.rhs,
                now.y,
                t0=self._start,
                p=p,
                jacobian=self._form.jacobian,
                project=self._form.project,
                **self.options,
            )
        elif self._left is None or not now.is_same(self._left):
            self._form.begin()
            self._run.p[:] = p
            self._run.restart(now.y)
        return self._run

    def _system(self) -> DynamicSystem:
        """Return the integrated system: in machine code, if possible."""
        if self._compiled is False or self.not_compiled is not None:
            return self.system
        try:
            return compiled_once(self.system)
        except CompileError as error:
            if self._compiled:
                raise
            self.not_compiled = error
        return self.system

    def _fail(self, outcome: Outcome, run: Integration) -> NoReturn:
        """Raise the error that stopped the integration, with the system at its last good step."""
        system, y = self._moving, run.state.tolist()
        assert system is not None
        error = self._form.error()
        self.reset()
        with suppress(MotorikError):
            system.arrive_from_run(run.time, y)
        if error is None:
            error = system.find_fault(run.time, y, self._checked_interval())
        if error is not None and not isinstance(error, MotorikError):
            raise error
        why = f"t = {run.time:.9g} s: {outcome.why}."
        if error is not None:
            why += f" {error.place}: {error.reason}"
        raise SimulationError(type(self).__name__, why, outcome.remedy) from error


class Left:
    """The end of an integration: conditions y, live inputs p, unknowns of loops."""

    def __init__(self, system: DynamicSystem, y: list[float]) -> None:
        self.y, (self.p, self._used) = y, system.live_inputs()
        self._unknowns = [float(unknown.q) for unknown in unknowns_of(system)]

    def is_same(self, before: Left) -> bool:
        """Return whether nothing has been changed that the rates depend on."""
        return (
            self.y == before.y
            and self._unknowns == before._unknowns
            and len(self.p) == len(before.p)
            and np.array_equal(self.p[self._used], before.p[self._used])
        )


def check_positive(what: str, value: float) -> float:
    """Return a positive number, or refuse any other."""
    if not (math.isfinite(value) and value > 0.0):
        raise SimulationError(
            what,
            f"{value!r} is not positive.",
            "Give a number above 0.",
            parameter=what,
            value=value,
        )
    return float(value)
