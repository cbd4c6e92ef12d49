"""Simulator: a simulation that is advanced step by step, for controllers and viewers."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from motorik.errors import (
    ParameterError,
    SimulationError,
    UnknownNameError,
    called_in_words,
    suggest,
)
from motorik.results import Events
from motorik.simulation.event_log import EventLog, modes_in_words
from motorik.simulation.faults import fastest, find_row
from motorik.simulation.integration import Integration
from motorik.simulation.make_run import make_run
from motorik.simulation.options import check_rtol, check_steps
from motorik.simulation.tolerances import absolute_tolerances
from motorik.start.checks import is_number
from motorik.start.find import find_start
from motorik.system.layout import Layout
from motorik.system.system import System


class Simulator:
    """A running simulation: `step(dt)` advances it; parameters and states can be set between.

    >>> # sim = model.simulator(); sim["motor.tau_constant"] = 2.0; sim.step(0.001)
    """

    @called_in_words
    def __init__(
        self,
        system: System,
        *,
        method: str = "dopri5",
        rtol: float = 1e-6,
        atol: float | Mapping[str, float] | None = None,
        step: float | None = None,
        max_step: float = math.inf,
        max_steps: int = 100_000_000,
        start: Mapping[str, float] | None = None,
    ) -> None:
        check_steps(step, max_step, max_steps)
        check_rtol(rtol)
        begin = find_start(system, start or {}, system.parameter_values())
        self.system = begin.system
        self._p = begin.p.copy()
        tolerances = absolute_tolerances(begin, atol, rtol, 1.0)
        self._run: Integration = make_run(
            self.system,
            method,
            begin.x,
            self._p,
            rtol=rtol,
            atol=self.layout.state_of(tolerances),
            step=step,
            max_step=max_step,
            max_steps=max_steps,
        )
        self._names = self.layout.live_names
        self._choose_modes()

    def __repr__(self) -> str:
        return f"<Simulator of {self.system.mechanism.name} at t = {self.time:g} s>"

    @property
    def layout(self) -> Layout:
        """The layout of the arrays."""
        return self.system.layout

    @property
    def time(self) -> float:
        """The time reached [s]."""
        return self._run.time

    @property
    def motion(self) -> np.ndarray:
        """The motion reached: all coordinates, speeds and block states, a copy."""
        return self.system.full_state(np.array([self.time]), self._run.state, self._p)

    @property
    def state(self) -> np.ndarray:
        """The state reached, a copy, in the order of `state_names`."""
        return self._run.state

    @property
    def state_names(self) -> list[str]:
        """The names of the states."""
        return list(self.system.state_names)

    def step(self, dt: float) -> Simulator:
        """Advance by dt [s]."""
        if not (is_number(dt) and dt > 0):
            raise SimulationError(
                "step",
                f"dt = {dt!r} s is not a positive time.",
                "Give dt > 0.",
                parameter="dt",
                value=dt,
            )
        self._advance(self._run.time + dt)
        return self

    def _advance(self, until: float) -> None:
        run, began = self._run, self._run.time
        outcome = run.advance(until)
        if outcome.is_failure:
            seen = fastest(self.system, run.state)
            if run.happenings is not None:
                where = run.time, run.state, self._p
                own = run.happenings, where, until - began
                seen = find_row(self.system, outcome, *own) or seen
            why = f"t = {self.time:.9g} s: {outcome.why}; {seen}."
            raise SimulationError(self.system.mechanism.name, why, outcome.remedy)

    def _choose_modes(self) -> None:
        """Find what sticks and slips at the present state."""
        if self.system.can_switch:
            self._advance(self.time)

    @property
    def events(self) -> Events:
        """What has happened so far, as `result.events`."""
        log = EventLog()
        if self._run.happenings is not None and self._run.happenings.can_happen:
            log.take(self.system, self._run.happenings, self._p)
        return log.read()[0]

    @property
    def modes(self) -> dict[str, str]:
        """The present mode of each part that sticks, slips or hits, in words."""
        own = self._run.happenings
        return {} if own is None else modes_in_words(own)

    def __getitem__(self, name: str) -> float | np.ndarray:
        """Return the present value of a state, a live parameter or any other variable."""
        if name in self.layout.index:
            return float(self.motion[self.layout.index[name]])
        if name in self._names:
            return float(self._p[self._names[name]])
        X, t = self.motion, np.array([self.time])
        p = self.system.with_forces(t, X[None], self._p)[0]
        q, u, z = self.layout.split(X)
        _, ud, _ = self.layout.split(self.system.full_state_rates(t, X, p))
        outputs = self.system.outputs([name])
        multipliers = np.zeros(self.system.equations.n_rows)
        if outputs.needs_multipliers:
            multipliers = self.system.multipliers(t, X[None], ud[None], p)[0]
        values = outputs.function(t, q, u, ud, z, multipliers, p)
        shape = self.system.shape_of(name)
        return values.reshape(shape) if shape else float(values[0])

    def __setitem__(self, name: str, value: float) -> None:
        """Set a live parameter or a state; the simulation continues from there."""
        if not is_number(value):
            raise SimulationError(
                name,
                f"cannot be set to {value!r}.",
                "Give a finite number.",
                parameter=name,
                value=value,
            )
        if name in self._names:
            self._set_parameter(self._names[name], value)
        elif name in self.layout.index:
            self._set_state(name, value)
        else:
            known = [*self._names, *self.layout.index]
            raise UnknownNameError(
                "simulator",
                f"{name!r} is neither a live parameter nor a state.",
                f"A parameter becomes live by Parameter(value). {suggest(name, known)}",
                value=name,
            )

    def _set_parameter(self, place: int, value: float) -> None:
        before = self._p[place]
        self._p[place] = value
        try:
            self.system.parameter_check(self.layout.live_of(self._p))
        except ParameterError:
            self._p[place] = before
            raise
        self._run.restart()
        self._choose_modes()

    def _set_state(self, name: str, value: float) -> None:
        if name not in self.system.state_names:
            own = ", ".join(self.system.state_names)
            raise SimulationError(
                name,
                "follows from other coordinates by a closed loop.",
                f"Set one of {own}.",
                parameter=name,
            )
        x = self._run.state
        x[self.system.state_names.index(name)] = value
        for places in self.system.mode_places():  # what sticks would hold its speed at zero
            self._p[places] = 0.0
        if self.system.project is not None:
            x = self.system.project(np.array([self.time]), x, self._p)
        self._run.restart(x)
        self._choose_modes()
