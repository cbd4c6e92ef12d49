"""Drivers: elements that prescribe the motion of variables, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from motorik.algebra.scalar import Scalar, add, div, mul, sub
from motorik.errors import ParameterError
from motorik.mobile.elements.motion_source import MotionSource
from motorik.mobile.states.mutable import Mutable, MutableScalar, current, mutable_among
from motorik.mobile.states.transmission import State
from motorik.mobile.states.variable import StateVariable
from motorik.numerics.tolerances import SAME_NUMBER

Amount = Scalar | MutableScalar
"""A number, or a reference that is read in each traversal."""


class Driver(MotionSource):
    """A source of motion for variables; the force it must exert on each of them is −Q."""

    def __init__(self, variables: StateVariable | Iterable[StateVariable]) -> None:
        one = isinstance(variables, StateVariable)
        self.variables = (variables,) if one else tuple(variables)

    @property
    def outputs(self) -> Sequence[State]:
        """The variables driven."""
        return self.variables


class ConstantStepDriver(Driver):
    """Moves its variables on by constant steps, at constant velocity.

        q ← q + Δq,   q̇ = Δq / Δt,   q̈ = 0

    One step for all variables, or one for each; Δt = `interval` [s]. Put it first in a
    chain: each position traversal is one step. In a chain that is integrated it moves its
    variables with time instead: q = q₀ + (t − t₀) Δq / Δt.

    >>> from motorik.mobile import AngularVariable
    >>> phi = AngularVariable("phi", q=1.0)
    >>> driver = ConstantStepDriver(phi, 0.5, interval=0.1)
    >>> driver.motion(); driver.motion(); phi.q, phi.qd
    (2.0, 5.0)
    """

    def __init__(
        self,
        variables: StateVariable | Iterable[StateVariable],
        step: Amount | Sequence[Amount],
        interval: Amount = 1.0,
    ) -> None:
        super().__init__(variables)
        several = isinstance(step, Sequence)
        self.steps = tuple(step) if several else (step,) * len(self.variables)
        self.interval = interval
        self.begun: tuple[Scalar, tuple[Scalar, ...]] = (0.0, ())
        """A time [s] and where the variables were then, in a chain that is integrated."""
        if len(self.steps) != len(self.variables):
            raise ParameterError(
                "ConstantStepDriver",
                f"{len(self.steps)} steps for {len(self.variables)} variables.",
                "Give one step for all, or one for each.",
                parameter="steps",
                value=self.steps,
            )

    @property
    def parameters(self) -> Sequence[Mutable]:
        """Those of steps and interval that may be changed."""
        return mutable_among(*self.steps, self.interval)

    def advance(self) -> None:
        """Move the variables on by one step."""
        for variable, step, speed in zip(
            self.variables, self.steps, self._speeds(), strict=True
        ):
            variable.q = add(variable.q, current(step))
            variable.qd = speed
            variable.qdd = 0.0

    def _speeds(self) -> list[Scalar]:
        return [div(current(step), current(self.interval)) for step in self.steps]

    def begin_at(self, t: float) -> None:
        """Take the present positions as those at t [s], unless they are what `place` gives."""
        now = tuple(float(variable.q) for variable in self.variables)
        begun, places = self.begun
        lead = [float(speed) * (t - begun) for speed in self._speeds()]
        if len(places) == len(now) and all(
            abs(q - q_0 - dq) <= SAME_NUMBER * (abs(q) + abs(q_0) + abs(dq))
            for q, q_0, dq in zip(now, places, lead, strict=True)
        ):
            return
        self.begun = (float(t), now)

    def place(self, t: Scalar) -> None:
        """Move the variables to where they are at t [s]: q = q₀ + (t − t₀) Δq / Δt."""
        if not self.begun[1]:
            self.begin_at(t)
        begun, places = self.begun
        for variable, q, speed in zip(self.variables, places, self._speeds(), strict=True):
            variable.q = add(q, mul(speed, sub(t, begun)))
            variable.qd = speed
            variable.qdd = 0.0
