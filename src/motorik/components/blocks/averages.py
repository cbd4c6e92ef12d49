"""Means over the periods of a signal."""

from __future__ import annotations

from collections.abc import Iterable

from motorik.algebra.scalar import Scalar, fabs, maximum, sqrt
from motorik.components.base import kinds
from motorik.components.base.contributions import Assignment, Contribution, Trigger
from motorik.components.base.declarations import parameter
from motorik.components.base.internal import InternalNumber, kept, single_number
from motorik.components.base.motion import Motion
from motorik.components.base.part import Values
from motorik.components.base.values import Start, number_of
from motorik.components.blocks.block import OneToOne, Scalars
from motorik.components.blocks.logical import constant


class PeriodicMean(OneToOne):
    """A mean over the last full period 1 / f of a function of u; x0 before the first has passed.

    A class defines the function as the rate of the state x, and `shown`, its output for a mean.
    """

    f: kinds.PlainPositiveFrequency = parameter("frequency of the periods", default=50.0)
    x0: kinds.PlainNumber = parameter("y before the first period has passed", default=0.0)
    held = kept("the last mean")

    @staticmethod
    def shown(p: Values, mean: Scalar) -> Scalar:
        """Return the output for a mean."""
        return mean

    def internal(self) -> dict[str, InternalNumber]:
        """Return its number, which begins at x0."""
        own = super().internal()
        single_number(own, "held").parameter.value = number_of(self.x0)
        return own

    def states(self, p: Values) -> dict[str, Start]:
        """Return x, the integral since the period began."""
        return {"x": Start(0.0, True)}

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the last mean."""
        return (p.held,)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the output, and the clock of the periods."""
        yield from super().contributions(p)
        held, period = single_number(self.internal(), "held"), 1.0 / number_of(self.f)

        def value(motion: Motion) -> Scalar:
            return type(self).shown(p, p.f * motion.state(self, "x"))

        begins = Assignment(f"{self.path}.x", constant(0.0))
        yield Trigger(self, (Assignment(held, value), begins), period=period, offset=period)


class Mean(PeriodicMean):
    """The mean of u over the last full period 1 / f; x0 before the first has passed.

    ẋ = u; at multiples of 1 / f y = f x, and x begins again at 0.
    """

    yGreaterOrEqualZero: kinds.Boolean = parameter(
        "whether negative means are shown as 0", default=False
    )

    @staticmethod
    def shown(p: Values, mean: Scalar) -> Scalar:
        """Return the mean, or 0 if it is negative and must not be."""
        return maximum(mean, 0.0) if p.yGreaterOrEqualZero else mean

    @staticmethod
    def rates(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u."""
        return (inputs[0],)


class RectifiedMean(PeriodicMean):
    """The mean of |u| over the last full period 1 / f; x0 before the first has passed."""

    @staticmethod
    def rates(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return |u|."""
        return (fabs(inputs[0]),)


class RootMeanSquare(PeriodicMean):
    """√(mean of u²) over the last full period 1 / f; x0 before the first has passed."""

    @staticmethod
    def rates(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u²."""
        return (inputs[0] * inputs[0],)

    @staticmethod
    def shown(p: Values, mean: Scalar) -> Scalar:
        """Return the root."""
        return sqrt(maximum(mean, 0.0))
