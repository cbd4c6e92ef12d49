"""Simulator: a simulation that is moved on step by step, for controllers and viewers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from motorik.errors import ParameterError, SimulationError, UnknownNameError, suggest
from motorik.simulation.integrate import Integration
from motorik.simulation.run import (
    absolute_tolerances,
    check_limits,
    check_times,
    fastest,
    make_run,
)
from motorik.start.start import is_number, start_motion
from motorik.system.system import System


class Simulator:
    """A model under way: `step(dt)` moves it on; parameters and states can be set in between.

    >>> # sim = model.simulator(); sim["motor.tau_constant"] = 2.0; sim.step(0.001)
    """

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
        check_times(0.0, 1.0, step, max_step)
        check_limits(max_steps, None)
        self.system = system
        begin = start_motion(system, start or {}, system.parameter_values())
        self._p = begin.p if begin.p.size else np.zeros(1)
        self._names = {scalar.label: i for i, scalar in enumerate(system.parameters)}
        self._run: Integration = make_run(
            system,
            method,
            begin.x,
            self._p,
            rtol=rtol,
            atol=absolute_tolerances(system, atol, rtol)[system.integrated],
            step=step,
            max_step=max_step,
            max_steps=max_steps,
        )

    def __repr__(self) -> str:
        return f"<Simulator of {self.system.mechanism.name} at t = {self.time:g} s>"

    @property
    def time(self) -> float:
        """The time reached [s]."""
        return self._run.time

    @property
    def state(self) -> np.ndarray:
        """The whole motion reached, a copy, in the order of `state_names`."""
        if self.system.formulation is None:
            return self._run.state
        return self.system.whole(np.array([self.time]), self._run.state, self._given)

    @property
    def _given(self) -> np.ndarray:
        """The parameters, without the place kept where there are none."""
        f = self.system.formulation
        return self._p[: len(self._names) + (0 if f is None else f.n_extra)]

    @property
    def state_names(self) -> list[str]:
        """The names of the states."""
        return list(self.system.state_names)

    def step(self, dt: float) -> Simulator:
        """Move on by dt [s]."""
        if not (is_number(dt) and dt > 0):
            raise SimulationError(
                "step", f"dt = {dt!r} s is not a positive time.", "Give dt > 0."
            )
        outcome = self._run.advance(self._run.time + dt)
        if outcome.is_failure:
            seen = fastest(self.system, self._run.state)
            why = f"t = {self.time:.9g} s: {outcome.why}; {seen}."
            raise SimulationError(self.system.mechanism.name, why, outcome.remedy)
        return self

    def __getitem__(self, name: str) -> Any:
        """Return the present value of a state, a live parameter or any other variable."""
        if name in self.system.state_index:
            return float(self.state[self.system.state_index[name]])
        if name in self._names:
            return float(self._p[self._names[name]])
        n_q, n = self.system.n_q, self.system.n_q + self.system.n_u
        X, p, t = self.state, self._given, np.array([self.time])
        ud = self.system.whole_rates(t, X, p)[n_q:n]
        outputs = self.system.outputs([name])
        multipliers = np.zeros(self.system.n_rows)
        if outputs.needs_multipliers:
            multipliers = self.system.multipliers(t, X[None], ud[None], p)[0]
        values = outputs.function(t, X[:n_q], X[n_q:n], ud, X[n:], multipliers, p)
        shape = self.system.shape_of(name)
        return values.reshape(shape) if shape else float(values[0])

    def __setitem__(self, name: str, value: float) -> None:
        """Set a live parameter or a state; the simulation goes on from there."""
        if not is_number(value):
            raise SimulationError(
                name, f"cannot be set to {value!r}.", "Give a finite number."
            )
        if name in self._names:
            before = self._p.copy()
            self._p[self._names[name]] = value
            try:
                self.system.check_parameters(self._p[: len(self._names)])
            except ParameterError:
                self._p[:] = before
                raise
            self._run.restart()
        elif name in self.system.state_index:
            k = self.system.state_index[name]
            if k not in self.system.integrated:
                own = [self.system.state_names[i] for i in self.system.integrated]
                raise SimulationError(
                    name,
                    "follows from other coordinates by a closed loop.",
                    f"Set one of {', '.join(own)}.",
                )
            x = self._run.state
            x[self.system.integrated.index(k)] = value
            if self.system.settle is not None:
                x = self.system.settle(np.zeros(1), x, self._given)
            self._run.restart(x)
        else:
            known = [*self._names, *self.system.state_names]
            raise UnknownNameError(
                "simulator",
                f"{name!r} is neither a live parameter nor a state.",
                f"A parameter becomes live by Parameter(value). {suggest(name, known)}",
            )
