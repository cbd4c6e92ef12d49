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
from motorik.simulation.faults import fastest
from motorik.simulation.integration import Integration
from motorik.simulation.make_run import make_run
from motorik.simulation.options import check_rtol, check_steps
from motorik.simulation.tolerances import absolute_tolerances
from motorik.start.checks import is_number
from motorik.start.find import find_start
from motorik.start.gaps import check_gaps
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
        check_gaps(begin)
        self.system = begin.system
        self._p = begin.p
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
        self._names = {name: i for i, name in enumerate(self.layout.live_names)}

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
        outcome = self._run.advance(self._run.time + dt)
        if outcome.is_failure:
            seen = fastest(self.system, self._run.state)
            why = f"t = {self.time:.9g} s: {outcome.why}; {seen}."
            raise SimulationError(self.system.mechanism.name, why, outcome.remedy)
        return self

    def __getitem__(self, name: str) -> float | np.ndarray:
        """Return the present value of a state, a live parameter or any other variable."""
        if name in self.layout.index:
            return float(self.motion[self.layout.index[name]])
        if name in self._names:
            return float(self._p[self._names[name]])
        X, t = self.motion, np.array([self.time])
        q, u, z = self.layout.split(X)
        _, ud, _ = self.layout.split(self.system.full_state_rates(t, X, self._p))
        outputs = self.system.outputs([name])
        multipliers = np.zeros(self.system.equations.n_rows)
        if outputs.needs_multipliers:
            multipliers = self.system.multipliers(t, X[None], ud[None], self._p)[0]
        values = outputs.function(t, q, u, ud, z, multipliers, self._p)
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
        if self.system.project is not None:
            x = self.system.project(np.array([self.time]), x, self._p)
        self._run.restart(x)
