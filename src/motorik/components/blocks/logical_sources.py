"""Sources of truth values and whole numbers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    Assignment,
    Contribution,
    Measurement,
    Trigger,
)
from motorik.components.base.declarations import (
    boolean_output,
    integer_output,
    parameter,
)
from motorik.components.base.internal import discrete, single_number
from motorik.components.base.motion import Motion, seen_by
from motorik.components.base.part import DeclaredSignals, Values
from motorik.components.base.ports import Port
from motorik.components.base.user_law import UserLaw, check_arguments, one_scalar
from motorik.components.blocks.block import Block, Scalars, with_law
from motorik.components.blocks.discrete import one_margin
from motorik.components.blocks.logical import constant, half, truth
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class BooleanSource(Block):
    """A block with one output y, a truth value that changes with time."""

    y = boolean_output("the signal")

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)


class BooleanConstant(BooleanSource):
    """y = k."""

    k: kinds.Boolean = parameter("the value", default=True)

    @staticmethod
    def law(
        p: BooleanConstant, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return 1 or 0."""
        return (float(p.k),)


class BooleanStep(BooleanSource):
    """y = startValue before startTime, and not startValue from then on."""

    startTime: kinds.Time = parameter("time of the step", default=0.0)
    startValue: kinds.Boolean = parameter("y before startTime", default=False)

    @staticmethod
    def law(p: BooleanStep, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return 1 or 0."""
        first = float(p.startValue)
        return (s.where(t >= p.startTime, 1.0 - first, first),)


class BooleanPulse(BooleanSource):
    """y is true in the first `width` percent of each period from startTime on."""

    width: kinds.Percentage = parameter(
        "width of a pulse in percent of the period", default=50.0
    )
    period: kinds.Duration = parameter("time from one pulse to the next", default=1.0)
    startTime: kinds.Time = parameter("time of the first pulse", default=0.0)

    @staticmethod
    def law(p: BooleanPulse, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return 1 or 0."""
        count = s.floor((t - p.startTime) / p.period)
        since = t - p.startTime - count * p.period
        pulse = truth(since < 0.01 * p.width * p.period)
        return (s.where(t < p.startTime, 0.0, pulse),)


class BooleanTable(BooleanSource):
    """y begins as startValue and changes at each time of the table.

    The times are those since shiftTime; before startTime y is startValue.
    """

    table: kinds.Numbers = parameter(
        "rising times [s] at which y changes", default=(0.0, 1.0)
    )
    startValue: kinds.Boolean = parameter("y before the first time", default=False)
    startTime: kinds.Time = parameter("y is startValue before it", default=-1e60)
    shiftTime: kinds.Time = parameter("shift of the times", default=0.0)

    def check(self, p: Self) -> None:
        """Refuse times that fall."""
        for before, after in zip(p.table, p.table[1:], strict=False):
            if after <= before:
                raise ParameterError(
                    self.label,
                    f"table: {after:g} s follows {before:g} s.",
                    "Give rising times.",
                    parameter="table",
                    value=p.table,
                )

    @staticmethod
    def law(p: BooleanTable, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return 1 or 0."""
        first = value = float(p.startValue)
        found: Scalar = value
        for time in p.table:
            value = 1.0 - value
            found = s.where(t >= time + p.shiftTime, value, found)
        if s.is_structural(p.startTime, -1e60):
            return (found,)
        return (s.where(t < p.startTime, first, found),)


class SampleTrigger(BooleanSource):
    """y is true only at the instants startTime + k · period.

    Other conditions see it there; results do not, as it takes no time.
    """

    period: kinds.PlainDuration = parameter("time between two instants", default=0.01)
    startTime: kinds.PlainTime = parameter("first instant", default=0.0)
    tick = discrete("whether it is such an instant")
    passing = discrete("whether it has been seen")

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the output, the clock that makes it true, and its end."""
        yield from super().contributions(p)
        tick = single_number(self.internal(), "tick")
        yield Trigger(
            self,
            (Assignment(tick, constant(1.0)),),
            period=float(self.period),
            offset=float(self.startTime),
        )
        seen = Assignment(tick, constant(0.0))
        yield Trigger(self, (seen,), partial(_ticks, p), "passing", what="ticks")

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return whether it ticks."""
        return (p.tick,)


def _ticks(p: Values, motion: Motion) -> Scalar:
    return half(p.tick)


class BooleanExpression(DeclaredSignals):
    """Any condition on the motion as a signal: y = f(motion) holds.

    `f` returns a comparison, e.g. ``lambda motion: motion["ram.s"] > 0.2``, or a number that
    is positive where the condition holds.
    """

    y = boolean_output("the signal")
    f: kinds.FunctionOfMotion = parameter("condition on the motion")

    def check(self, p: Self) -> None:
        """Refuse a function that is not one of the motion."""
        check_arguments(self.label, "f", p.f, ("motion",))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the signal as a reading of the motion."""
        law = UserLaw(self.label, "f", p.f, ("motion",), one_margin)

        def read(motion: Motion) -> tuple[Scalar]:
            return (truth(law(seen_by(self, motion)) > 0.0),)

        yield Measurement(self, (self.y,), read)


class IntegerSource(Block):
    """A block with one output y, a whole number that changes with time."""

    y = integer_output("the signal")

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)


class IntegerConstant(IntegerSource):
    """y = k."""

    k: kinds.WholeNumber = parameter("the value", default=1)

    @staticmethod
    def law(
        p: IntegerConstant, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return k."""
        return (float(p.k),)


class IntegerStep(IntegerSource):
    """y = offset, plus height from startTime on."""

    height: kinds.WholeNumber = parameter("height of the step", default=1)
    offset: kinds.WholeNumber = parameter("y before the step", default=0)
    startTime: kinds.Time = parameter("time of the step", default=0.0)

    @staticmethod
    def law(p: IntegerStep, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return offset, plus height from startTime on."""
        return (float(p.offset) + s.where(t < p.startTime, 0.0, float(p.height)),)


class IntegerExpression(DeclaredSignals):
    """A whole number that depends on the motion: y = f(motion), rounded."""

    y = integer_output("the signal")
    f: kinds.FunctionOfMotion = parameter("function of the motion")

    def check(self, p: Self) -> None:
        """Refuse a function that is not one of the motion."""
        check_arguments(self.label, "f", p.f, ("motion",))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the signal as a reading of the motion."""
        read = with_law(p, self.label, "f", ("motion",)).f

        def rounded(motion: Motion) -> tuple[Scalar]:
            return (s.floor(one_scalar(read(seen_by(self, motion))) + 0.5),)

        yield Measurement(self, (self.y,), rounded)
