"""Sampled blocks: their numbers change at startTime + k · samplePeriod and nowhere else.

At a tick each block reads its inputs; those that other sampled blocks give are read after their
own ticks of the same instant, as far as one does not wait for the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.scalar import Scalar, maximum, minimum, sub, where
from motorik.components.base import kinds
from motorik.components.base.contributions import Assignment, Contribution, Trigger
from motorik.components.base.declarations import (
    boolean_input,
    parameter,
    signal_input,
    signal_output,
)
from motorik.components.base.internal import (
    Internal,
    InternalNumber,
    discrete,
    kept,
    single_number,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import Values
from motorik.components.base.ports import Port
from motorik.components.base.unit_laws import UnitLaw, same_unit
from motorik.components.base.values import number_of
from motorik.components.blocks.block import Block, OneToOne, Scalars
from motorik.components.blocks.linear import dot, start_values
from motorik.components.blocks.logical import half, inputs_of
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class SampledBlock(Block):
    """A block with numbers that a clock changes.

    `numbers` are their names and start values; ``update(p, t, inputs)`` returns their new
    values by name, all of them functions of the old ones, which p holds. Other sampled blocks
    that tick at the same time see the new values of those in `at_once`.
    """

    at_once: ClassVar[tuple[str, ...]] = ("held",)

    samplePeriod: kinds.PlainDuration = parameter("time between two samples", default=0.1)
    startTime: kinds.PlainTime = parameter("time of the first sample", default=0.0)

    def numbers(self) -> Mapping[str, float]:
        """Return the numbers that the block keeps, with their start values."""
        return {"held": 0.0}

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return the new values of the numbers."""
        raise NotImplementedError

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return the value that is held."""
        return (p.held,)

    def internal(self) -> dict[str, InternalNumber]:
        """Return the numbers, each at its start value."""
        starts = self.numbers()
        if "_internal" not in self.__dict__:
            made: dict[str, Internal] = {
                name: kept("number that is held") for name in starts
            }
            self.__dict__["_internal"] = {**type(self)._internal, **made}
        own = super().internal()
        for name, value in starts.items():
            single_number(own, name).parameter.value = float(value)
        return own

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the outputs, and the clock."""
        yield from super().contributions(p)
        period, offset = float(self.samplePeriod), float(self.startTime)
        yield Trigger(self, self._assigned(p), period=period, offset=offset)

    def _assigned(self, p: Values) -> tuple[Assignment, ...]:
        own = self.internal()
        update = partial(_updated, self, p)
        return tuple(
            Assignment(
                single_number(own, name), partial(update, name), name in self.at_once
            )
            for name in self.numbers()
        )


def _updated(part: SampledBlock, p: Values, name: str, motion: Motion) -> Scalar:
    values = type(part).update(p, motion.t, inputs_of(part, motion))
    return values[name]


class _SampledOneToOne(SampledBlock, OneToOne):
    """A sampled block with one input u and one output y."""


class Sampler(_SampledOneToOne):
    """y is u at the last sample."""

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return u."""
        return {"held": inputs[0]}

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


class ZeroOrderHold(_SampledOneToOne):
    """y is u at the last sample, held until the next.

    Unlike those of a `Sampler`, blocks that sample at the same time see the value before.
    """

    at_once = ()

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return u."""
        return {"held": inputs[0]}

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


class FirstOrderHold(_SampledOneToOne):
    """y continues the line through u at the last two samples."""

    at_once = ()

    def numbers(self) -> Mapping[str, float]:
        """Return the last sample, its time, and the slope."""
        return {"held": 0.0, "time": 0.0, "slope": 0.0}

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return u, t, and the slope since the last sample."""
        is_first = t < p.startTime + 0.5 * p.samplePeriod
        slope = where(is_first, 0.0, (inputs[0] - p.held) / p.samplePeriod)
        return {"held": inputs[0], "time": t, "slope": slope}

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the line."""
        return (p.held + p.slope * (t - p.time),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


class UnitDelay(_SampledOneToOne):
    """y is u at the sample before the last: y(k) = u(k − 1), y_start at the first."""

    at_once = ("held",)
    y_start: kinds.PlainNumber = parameter("y at the first sample", default=0.0)

    def numbers(self) -> Mapping[str, float]:
        """Return y, and the sample that follows it."""
        start = number_of(self.y_start)
        return {"held": start, "following": start}

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return the sample before, and u."""
        return {"held": p.following, "following": inputs[0]}

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


class DiscreteTransferFunction(_SampledOneToOne):
    """y(z) / u(z) = (b₁ zᵐ + …) / (a₁ zⁿ + … + aₙ₊₁), m ≤ n.

    x₁ = (u − Σ aᵢ₊₁ xᵢ) / a₁ of the states before, which move on by one; y = Σ bᵢ xᵢ₋₁ with x₁
    in the first place.
    """

    b: kinds.Numbers = parameter("numerator, highest power first", default=(1.0,))
    a: kinds.Numbers = parameter("denominator, highest power first", default=(1.0,))
    x_start: kinds.OptionalNumbers = parameter(
        "states before the first sample, zero if not given", default=None
    )

    def check(self, p: Self) -> None:
        """Refuse a transfer function that is not proper."""
        if len(p.b) > len(p.a) or p.a[0] == 0.0:
            raise ParameterError(
                self.label,
                f"the numerator has degree {len(p.b) - 1}, the denominator {len(p.a) - 1}, and "
                f"begins with {p.a[0]:g}.",
                "Give a denominator of at least the degree of the numerator, without leading "
                "zeros.",
                parameter="a",
                value=p.a,
            )
        start_values(self, "x_start", p.x_start, len(p.a) - 1)

    def numbers(self) -> Mapping[str, float]:
        """Return y and the states."""
        starts = start_values(self, "x_start", self.x_start, len(self.a) - 1)
        return {"held": 0.0} | {f"x{i + 1}": x for i, x in enumerate(starts)}

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return y and the states that moved on."""
        n = len(p.a) - 1
        x = [getattr(p, f"x{i + 1}") for i in range(n)]
        first = sub(inputs[0], dot(p.a[1:], x)) / p.a[0]
        b = (*(0.0,) * (n + 1 - len(p.b)), *p.b)
        moved = {f"x{i + 1}": value for i, value in enumerate((first, *x[:-1])[:n])}
        return {"held": dot(b, [first, *x])} | moved


class DiscreteStateSpace(SampledBlock):
    """x(k + 1) = A x(k) + B u(k), y(k) = C x(k) + D u(k)."""

    u = signal_input("input", size=lambda part: len(part.B[0]))
    y = signal_output("output", size="C")
    A: kinds.Table = parameter("from states to the next states", default=((1.0,),))
    B: kinds.Table = parameter("from inputs to the next states", default=((1.0,),))
    C: kinds.Table = parameter("from states to outputs", default=((1.0,),))
    D: kinds.OptionalTable = parameter(
        "from inputs to outputs, zero if not given", default=None
    )
    x_start: kinds.OptionalNumbers = parameter(
        "states at the first sample, zero if not given", default=None
    )

    def check(self, p: Self) -> None:
        """Refuse matrices that do not fit one another."""
        n, inputs, outputs = len(p.A), len(p.B[0]), len(p.C)
        shapes = {"A": (n, n), "B": (n, inputs), "C": (outputs, n), "D": (outputs, inputs)}
        for name, shape in shapes.items():
            matrix = getattr(p, name)
            if matrix is not None and (len(matrix), len(matrix[0])) != shape:
                raise ParameterError(
                    self.label,
                    f"{name} is {len(matrix)} × {len(matrix[0])}, not {shape[0]} × {shape[1]}.",
                    "Make the matrices fit one another.",
                    parameter=name,
                    value=matrix,
                )
        start_values(self, "x_start", p.x_start, n)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    @property
    def at_once(self) -> tuple[str, ...]:  # type: ignore[override]
        """The outputs."""
        return tuple(f"y{i + 1}" for i in range(len(self.C)))

    def numbers(self) -> Mapping[str, float]:
        """Return outputs and states."""
        starts = start_values(self, "x_start", self.x_start, len(self.A))
        own = {f"y{i + 1}": 0.0 for i in range(len(self.C))}
        return own | {f"x{i + 1}": x for i, x in enumerate(starts)}

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return the outputs that are held."""
        return tuple(getattr(p, f"y{i + 1}") for i in range(len(p.C)))

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return C x + D u and A x + B u."""
        x = [getattr(p, f"x{i + 1}") for i in range(len(p.A))]
        direct: Sequence[Sequence[Scalar]] = (
            ((0.0,) * len(p.B[0]),) * len(p.C) if p.D is None else p.D
        )
        outputs = zip(p.C, direct, strict=True)
        rows = zip(p.A, p.B, strict=True)
        y = {f"y{i + 1}": dot((*c, *d), (*x, *inputs)) for i, (c, d) in enumerate(outputs)}
        return y | {
            f"x{i + 1}": dot((*a, *b), (*x, *inputs)) for i, (a, b) in enumerate(rows)
        }


class DiscretePI(_SampledOneToOne):
    """A sampled PI controller: y = k (u + x), x = Σ u · samplePeriod / T, limited to yMin … yMax.

    While y is at a limit, the sum is kept where it brings y to that limit (anti-windup).
    """

    k: kinds.Factor = parameter("gain", default=1.0)
    T: kinds.Duration = parameter("time constant of the integral", default=1.0)
    yMax: kinds.OptionalValue = parameter("upper limit of y; None for none", default=None)
    yMin: kinds.OptionalValue = parameter("lower limit of y; None is −yMax", default=None)
    x_start: kinds.PlainNumber = parameter("x before the first sample", default=0.0)

    def check(self, p: Self) -> None:
        """Refuse limits that are exchanged, and limits without a gain."""
        check_limits(self.label, p)

    def numbers(self) -> Mapping[str, float]:
        """Return y and x."""
        return {"held": 0.0, "x": number_of(self.x_start)}

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return y and x."""
        u = inputs[0]
        x = p.x + u * p.samplePeriod / p.T
        free = p.k * (u + x)
        y = limited(p, free)
        return {"held": y, "x": x if p.yMax is None else x + (y - free) / p.k}


class DiscretePID(_SampledOneToOne):
    """A sampled PID controller: y = k (u + x + d), limited to yMin … yMax, with anti-windup.

    x = Σ u · samplePeriod / Ti; d is Td du/dt, filtered by Td / Nd (backward differences):
    (Td / Nd + samplePeriod) d(k) = Td / Nd · d(k − 1) + Td (u(k) − u(k − 1)).
    """

    k: kinds.Factor = parameter("gain", default=1.0)
    Ti: kinds.Duration = parameter("time constant of the integral", default=0.5)
    Td: kinds.DurationOrZero = parameter("time constant of the derivative", default=0.1)
    Nd: kinds.PositiveFactor = parameter(
        "Td / time constant of the derivative filter", default=10.0
    )
    yMax: kinds.OptionalValue = parameter("upper limit of y; None for none", default=None)
    yMin: kinds.OptionalValue = parameter("lower limit of y; None is −yMax", default=None)
    xi_start: kinds.PlainNumber = parameter("x before the first sample", default=0.0)

    def check(self, p: Self) -> None:
        """Refuse limits that are exchanged, and limits without a gain."""
        check_limits(self.label, p)

    def numbers(self) -> Mapping[str, float]:
        """Return y, x, d, and the last sample of u, 1 in `begun` from the first on."""
        x = number_of(self.xi_start)
        return {"held": 0.0, "x": x, "d": 0.0, "u_last": 0.0, "begun": 0.0}

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return y, x, d, and u."""
        u, h = inputs[0], p.samplePeriod
        x = p.x + u * h / p.Ti
        filter_time = p.Td / p.Nd
        d = (filter_time * p.d + p.begun * p.Td * (u - p.u_last)) / (filter_time + h)
        free = p.k * (u + x + d)
        y = limited(p, free)
        tracked = x if p.yMax is None else x + (y - free) / p.k
        return {"held": y, "x": tracked, "d": d, "u_last": u, "begun": 1.0}


def limited(p: Values, value: Scalar) -> Scalar:
    """Return a value within yMin … yMax."""
    if p.yMax is None:
        return value
    low = -p.yMax if p.yMin is None else p.yMin
    return minimum(maximum(value, low), p.yMax)


def check_limits(label: str, p: Values) -> None:
    """Refuse limits that are exchanged, a lower one alone, and limits without a gain."""
    low = p.yMin if p.yMin is not None or p.yMax is None else -p.yMax
    is_wrong = p.yMin is not None and p.yMax is None
    if p.yMax is not None and (low > p.yMax or p.k == 0.0):
        is_wrong = True
    if is_wrong:
        raise ParameterError(
            label,
            f"yMin = {low!r}, yMax = {p.yMax!r} and k = {p.k!r} do not fit.",
            "Give yMin ≤ yMax and a gain other than 0, or no limits.",
            parameter="yMax",
            value=p.yMax,
        )


class TriggeredSampler(Block):
    """y is u at the last instant at which `trigger` became true, y_start before."""

    u = signal_input("input")
    trigger = boolean_input("where it becomes true, u is sampled")
    y = signal_output("output")
    y_start: kinds.PlainNumber = parameter("y before the first instant", default=0.0)
    held = kept("the last sample")
    fires = discrete("whether the trigger holds")

    def inputs(self) -> tuple[Port, ...]:
        """Return u and trigger."""
        return (self.u, self.trigger)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    def internal(self) -> dict[str, InternalNumber]:
        """Return its numbers; the sample begins at y_start."""
        own = super().internal()
        single_number(own, "held").parameter.value = number_of(self.y_start)
        return own

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the last sample."""
        return (p.held,)

    @staticmethod
    def sample(p: Values, inputs: Scalars) -> Scalar:
        """Return the value that is held from now on."""
        return inputs[0]

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the output, and the event at which it samples."""
        yield from super().contributions(p)
        held = single_number(self.internal(), "held")

        def value(motion: Motion) -> Scalar:
            return type(self).sample(p, inputs_of(self, motion))

        def condition(motion: Motion) -> Scalar:
            return half(motion.signal(self.trigger))

        yield Trigger(self, (Assignment(held, value),), condition, "fires", what="samples")

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


class TriggeredMax(TriggeredSampler):
    """y is the largest u at the instants at which `trigger` became true, y_start before."""

    @staticmethod
    def sample(p: Values, inputs: Scalars) -> Scalar:
        """Return the larger of y and u."""
        return maximum(p.held, inputs[0])
