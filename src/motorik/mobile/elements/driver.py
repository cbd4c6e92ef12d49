"""Drivers: elements that prescribe the motion of variables, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from motorik.algebra.dual import Dual, rate_of, value_of
from motorik.algebra.scalar import Scalar, add, div, mul, plain, sub
from motorik.errors import ParameterError
from motorik.mobile.elements.motion_source import MotionSource
from motorik.mobile.states.mutable import Mutable, MutableScalar, current, mutable_among
from motorik.mobile.states.transmission import State, Subtask
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


class PrescribedMotion(Driver):
    """Moves a variable as a function of time: q(t), with q̇ and q̈ by exact derivatives.

    `q` takes the time t [s] and returns rad or m; it may compute with `motorik.functions`. In a
    chain that is integrated the variable is where q says at each time, and `Q` of it is what
    the mechanism exerts: the drive exerts −Q. Elsewhere each position traversal moves it to the
    `time` that the element holds, after adding `interval` [s] to it: 0 where you set the time
    yourself.

    >>> from motorik.functions import sin
    >>> from motorik.mobile import AngularVariable
    >>> phi = AngularVariable("phi")
    >>> drive = PrescribedMotion(phi, lambda t: 2.0 * sin(3.0 * t))
    >>> drive.motion(); phi.q, phi.qd, phi.qdd
    (0.0, 6.0, 0.0)
    """

    def __init__(
        self,
        variable: StateVariable,
        q: Callable[[Scalar], Scalar],
        interval: Amount = 0.0,
        time: float = 0.0,
    ) -> None:
        if not isinstance(variable, StateVariable) or not callable(q):
            raise ParameterError(
                "PrescribedMotion",
                f"{variable!r} and {q!r} are no variable and a function of time.",
                "Write PrescribedMotion(phi, lambda t: 0.5 * t), with functions of "
                "motorik.functions such as sin.",
                parameter="q",
                value=q,
            )
        super().__init__(variable)
        self.q, self.interval, self.time = q, interval, time
        self._qdd: Scalar = 0.0

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The interval, if it may be changed."""
        return mutable_among(self.interval)

    def begin_at(self, t: float) -> None:
        """Do nothing: the place is a function of time alone."""

    def advance(self) -> None:
        """Move the variable to where it is one interval later."""
        self.place(add(self.time, current(self.interval)))

    def place(self, t: Scalar) -> None:
        """Move the variable to where it is at t [s]."""
        (variable,) = self.variables
        self.time = t
        found = self._differentiated(t)
        variable.q, variable.qd, self._qdd = found
        variable.qdd = self._qdd

    def _differentiated(self, t: Scalar) -> tuple[Scalar, Scalar, Scalar]:
        """Return q, q̇ and q̈ at t."""
        try:
            q = self.q(Dual(Dual(t, 1.0), Dual(1.0, 0.0)))
        except TypeError as error:
            raise ParameterError(
                f"PrescribedMotion of {self.variables[0].name or 'a variable'}",
                f"q cannot be differentiated: {error}.",
                "Use functions that compute on any scalar: `from motorik.functions import sin`.",
                parameter="q",
                value=self.q,
            ) from error
        now, rate = value_of(q), rate_of(q)
        return plain(value_of(now)), plain(value_of(rate)), plain(rate_of(rate))

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Move the variable; its acceleration is prescribed, so it belongs to CORIOLIS."""
        super().motion(subtasks)
        if subtasks & (Subtask.EULER | Subtask.USE_CORIOLIS):
            (variable,) = self.variables
            variable.qdd = self._qdd if subtasks & Subtask.USE_CORIOLIS else 0.0
