"""Means, deviations and harmonics of a signal, over its periods or since the start of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import tau
from typing import ClassVar

from motorik.algebra.scalar import Scalar, arctan2, cos, fabs, maximum, sin, sqrt, where
from motorik.components.base import kinds
from motorik.components.base.contributions import Assignment, Contribution, Trigger
from motorik.components.base.declarations import (
    boolean_output,
    parameter,
    signal_input,
    signal_output,
)
from motorik.components.base.internal import InternalNumber, kept, single_number
from motorik.components.base.motion import Motion
from motorik.components.base.part import Values
from motorik.components.base.ports import Port
from motorik.components.base.unit_laws import UnitLaw, same_unit
from motorik.components.base.values import Start, number_of
from motorik.components.blocks.block import Block, OneToOne, Scalars
from motorik.components.blocks.logical import constant, truth


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

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


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


# --- since the start of the run ----------------------------------------------------------------


class SinceStart(OneToOne):
    """A statistic of u since the start of the run.

    The states x and T are the integral of u and the time since the start, so that x / T is the
    mean. The first `t_eps` [s], in which the mean is not yet known, count as u itself.
    """

    t_eps: kinds.Duration = parameter("time from which on means are taken", default=1e-7)

    def states(self, p: Values) -> dict[str, Start]:
        """Return x and T, which begin at 0."""
        return {"x": Start(0.0, True), "T": Start(0.0, True)}

    @staticmethod
    def mean(p: Values, inputs: Scalars, states: Scalars) -> Scalar:
        """Return the mean of u until now."""
        x, T = states[:2]
        return where(T >= p.t_eps, x / maximum(T, p.t_eps), inputs[0])


class ContinuousMean(SinceStart):
    """The mean of u since the start of the run: y = ∫ u dt / T."""

    @staticmethod
    def rates(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return u and 1."""
        return inputs[0], 1.0

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the mean."""
        return (SinceStart.mean(p, inputs, states),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


class Variance(SinceStart):
    """The mean of the squared deviation of u from its mean, since the start of the run.

    The state S = ∫ (u − mean)² dt, where the mean is that until now, is T times the variance: no
    difference of large numbers is taken.
    """

    def states(self, p: Values) -> dict[str, Start]:
        """Return x, T and S, which begin at 0."""
        return {**super().states(p), "S": Start(0.0, True)}

    @staticmethod
    def rates(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return u, 1 and the squared deviation from the mean until now."""
        away = inputs[0] - SinceStart.mean(p, inputs, states)
        return inputs[0], 1.0, away * away

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the variance."""
        _, T, S = states
        return (maximum(S, 0.0) / maximum(T, p.t_eps),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the unit of y is the square of that of u."""
        yield UnitLaw(((self.u, 2), (self.y, -1)))


class StandardDeviation(Variance):
    """The root of the variance of u since the start of the run."""

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the root of the variance."""
        return (sqrt(Variance.law(p, t, inputs, states)[0]),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


# --- harmonics ---------------------------------------------------------------------------------


class OverPeriod(Block):
    """Means over the last full period 1 / f of several functions of u, the rates of the states.

    `kept_means` pairs each state with the number of the block that keeps its mean.
    """

    u = signal_input("input")
    f: kinds.PlainPositiveFrequency = parameter("frequency of the periods", default=50.0)
    kept_means: ClassVar[dict[str, str]]

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def states(self, p: Values) -> dict[str, Start]:
        """Return the integrals since the period began."""
        return {name: Start(0.0, True) for name in self.kept_means}

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the outputs, and the clock of the periods."""
        yield from super().contributions(p)
        own, period = self.internal(), 1.0 / number_of(self.f)
        changes: list[Assignment] = []
        for state, kept_name in self.kept_means.items():

            def mean(motion: Motion, state: str = state) -> Scalar:
                return p.f * motion.state(self, state)

            changes.append(Assignment(single_number(own, kept_name), mean))
            changes.append(Assignment(f"{self.path}.{state}", constant(0.0)))
        yield Trigger(self, tuple(changes), period=period, offset=period)


def of_harmonic(p: Values, t: Scalar, u: Scalar, k: Scalar) -> tuple[Scalar, Scalar]:
    """Return √2 u cos(k 2π f t) and √2 u sin(k 2π f t), whose means give harmonic k."""
    angle = tau * k * p.f * t
    return sqrt(2.0) * u * cos(angle), sqrt(2.0) * u * sin(angle)


class Harmonic(OverPeriod):
    """Effective value and phase of harmonic k of u over the last full period 1 / f.

    The harmonic is √2 y_rms cos(k 2π f t − y_arg), or with + y_arg with useConjugateComplex.
    """

    y_rms = signal_output("effective value of the harmonic")
    y_arg = signal_output("phase of the harmonic", "rad")
    k: kinds.Count = parameter("order of the harmonic", default=1)
    useConjugateComplex: kinds.Boolean = parameter(
        "whether the phase has the opposite sign", default=False
    )
    held_cos = kept("the last mean of √2 u cos(k 2π f t)")
    held_sin = kept("the last mean of √2 u sin(k 2π f t)")
    kept_means: ClassVar[dict[str, str]] = {"x_cos": "held_cos", "x_sin": "held_sin"}

    def outputs(self) -> tuple[Port, ...]:
        """Return effective value and phase."""
        return (self.y_rms, self.y_arg)

    @staticmethod
    def rates(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return u times cosine and sine."""
        return of_harmonic(p, t, inputs[0], p.k)

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return length and angle of the last means."""
        re, im = p.held_cos, p.held_sin
        phase = arctan2(im, re)
        return sqrt(re * re + im * im), -phase if p.useConjugateComplex else phase

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the effective value is in the unit of the input."""
        yield from same_unit(self.u, self.y_rms)


class TotalHarmonicDistortion(OverPeriod):
    """The share of u beside its first harmonic, over the last full period 1 / f.

    With the effective values U of u and U1 of its first harmonic, y = √(U² − U1²) / U1, or with
    useFirstHarmonic=False √(U² − U1²) / U. It is 0, and `valid` false, while there is no U1.
    """

    y = signal_output("total harmonic distortion")
    valid = boolean_output("whether y is known")
    useFirstHarmonic: kinds.Boolean = parameter(
        "whether y is relative to the first harmonic, not to u", default=True
    )
    held_cos = kept("the last mean of √2 u cos(2π f t)")
    held_sin = kept("the last mean of √2 u sin(2π f t)")
    held_square = kept("the last mean of u²")
    kept_means: ClassVar[dict[str, str]] = {
        "x_cos": "held_cos",
        "x_sin": "held_sin",
        "x_square": "held_square",
    }

    def outputs(self) -> tuple[Port, ...]:
        """Return the distortion, and whether it is known."""
        return (self.y, self.valid)

    @staticmethod
    def rates(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return u times cosine and sine, and u²."""
        return *of_harmonic(p, t, inputs[0], 1.0), inputs[0] * inputs[0]

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return the distortion by the last means."""
        first = p.held_cos * p.held_cos + p.held_sin * p.held_sin
        rest = maximum(p.held_square - first, 0.0)
        by = first if p.useFirstHarmonic else p.held_square
        is_known = first > 0.0
        return where(is_known, sqrt(rest / where(is_known, by, 1.0)), 0.0), truth(is_known)
