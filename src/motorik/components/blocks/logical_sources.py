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
from motorik.components.base.interpolation import make_curves
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

    The times are those since shiftTime; before startTime y is startValue. With the extrapolation
    "Periodic" the time from the first to the last one is repeated without end.
    """

    table: kinds.Numbers = parameter(
        "rising times [s] at which y changes", default=(0.0, 1.0)
    )
    startValue: kinds.Boolean = parameter("y before the first time", default=False)
    startTime: kinds.Time = parameter("y is startValue before it", default=-1e60)
    shiftTime: kinds.Time = parameter("shift of the times", default=0.0)
    extrapolation: kinds.Extrapolation = parameter(
        "beyond the table: HoldLastPoint or Periodic", default="HoldLastPoint"
    )

    def check(self, p: Self) -> None:
        """Refuse times that fall, and extrapolations of numbers."""
        if p.extrapolation not in ("HoldLastPoint", "Periodic"):
            raise ParameterError(
                self.label,
                f"extrapolation = {p.extrapolation!r} is not for truth values.",
                "Give 'HoldLastPoint' or 'Periodic'.",
                parameter="extrapolation",
                value=p.extrapolation,
            )
        if p.extrapolation == "Periodic" and len(p.table) < 2:
            raise ParameterError(
                self.label,
                f"a table of {len(p.table)} times has no period.",
                "Give at least two times, or extrapolation='HoldLastPoint'.",
                parameter="table",
                value=p.table,
            )
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
        times, shift, at = p.table, p.shiftTime, t
        if p.extrapolation == "Periodic":
            times, first_time = p.table[:-1], p.table[0]
            period = p.table[-1] - first_time
            at = t - period * s.floor((t - first_time - shift) / period)
        for time in times:
            value = 1.0 - value
            found = s.where(at >= time + shift, value, found)
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


class IntegerTable(IntegerSource):
    """Whole numbers of a table over time: y is the value of the last row (time, value) passed.

    The times are those since shiftTime; before startTime y is 0. Beyond the table the value of
    its nearest end holds, or with the extrapolation "Periodic" it is repeated.
    """

    table: kinds.TimeTable = parameter(
        "rows (time, value)", default=((0.0, 0.0), (1.0, 1.0))
    )
    extrapolation: kinds.Extrapolation = parameter(
        "beyond the table: HoldLastPoint or Periodic", default="HoldLastPoint"
    )
    startTime: kinds.Time = parameter("y is 0 before it", default=-1e60)
    shiftTime: kinds.Time = parameter("shift of the times", default=0.0)

    def check(self, p: Self) -> None:
        """Refuse values that are not whole, and extrapolations between whole numbers."""
        if len(p.table[0]) != 2 or any(value != int(value) for _, value in p.table):
            raise ParameterError(
                self.label,
                "table: its rows are not a time and a whole number.",
                "Give rows (time, whole number).",
                parameter="table",
                value=p.table,
            )
        if p.extrapolation not in ("HoldLastPoint", "Periodic"):
            raise ParameterError(
                self.label,
                f"extrapolation = {p.extrapolation!r} is not for whole numbers.",
                "Give 'HoldLastPoint' or 'Periodic'.",
                parameter="extrapolation",
                value=p.extrapolation,
            )

    @staticmethod
    def law(p: IntegerTable, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the value of the row."""
        curves = make_curves(p.table, (1,), "ConstantSegments", p.extrapolation)
        found = curves(t - p.shiftTime)[0]
        if s.is_structural(p.startTime, -1e60):
            return (found,)
        return (s.where(t < p.startTime, 0.0, found),)


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
