"""Drivers: elements that prescribe the motion of variables, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from motorik.algebra.scalar import Scalar, add, div
from motorik.errors import ParameterError
from motorik.mobile.elements.motion_source import MotionSource
from motorik.mobile.states.mutable import Mutable, MutableScalar, current, mutable_among
from motorik.mobile.states.transmission import State
from motorik.mobile.states.variable import StateVariable

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
    chain: each position traversal is one step.

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
        for variable, step in zip(self.variables, self.steps, strict=True):
            change = current(step)
            variable.q = add(variable.q, change)
            variable.qd = div(change, current(self.interval))
            variable.qdd = 0.0
