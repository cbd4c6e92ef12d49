"""Mathematical functions of signals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from motorik.algebra.scalar import (
    Scalar,
    arccos,
    arcsin,
    arctan,
    arctan2,
    cos,
    cosh,
    exp,
    fabs,
    floor,
    log,
    log10,
    maximum,
    minimum,
    mul,
    power,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    where,
)
from motorik.components.base import kinds
from motorik.components.base.declarations import (
    boolean_output,
    parameter,
    signal_input,
    signal_output,
)
from motorik.components.base.ports import Port
from motorik.components.base.unit_laws import UnitLaw, all_same_unit, same_unit
from motorik.components.blocks.arithmetic import TwoToOne
from motorik.components.blocks.block import Block, OneToOne, Scalars
from motorik.components.blocks.linear import dot
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class Abs(OneToOne):
    """y = |u|."""

    @staticmethod
    def law(p: Abs, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return |u|."""
        return (fabs(inputs[0]),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


class Sqrt(OneToOne):
    """y = √u, not a number where u is negative."""

    @staticmethod
    def law(p: Sqrt, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return √u."""
        return (sqrt(inputs[0]),)


class Sin(OneToOne):
    """y = sin u, u in rad."""

    @staticmethod
    def law(p: Sin, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return sin u."""
        return (sin(inputs[0]),)


class Cos(OneToOne):
    """y = cos u, u in rad."""

    @staticmethod
    def law(p: Cos, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return cos u."""
        return (cos(inputs[0]),)


class Tan(OneToOne):
    """y = tan u, u in rad."""

    @staticmethod
    def law(p: Tan, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return tan u."""
        return (tan(inputs[0]),)


class Asin(OneToOne):
    """y = arcsin u in rad."""

    @staticmethod
    def law(p: Asin, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return arcsin u in rad."""
        return (arcsin(inputs[0]),)


class Acos(OneToOne):
    """y = arccos u in rad."""

    @staticmethod
    def law(p: Acos, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return arccos u in rad."""
        return (arccos(inputs[0]),)


class Atan(OneToOne):
    """y = arctan u in rad."""

    @staticmethod
    def law(p: Atan, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return arctan u in rad."""
        return (arctan(inputs[0]),)


class Sinh(OneToOne):
    """y = sinh u."""

    @staticmethod
    def law(p: Sinh, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return sinh u."""
        return (sinh(inputs[0]),)


class Cosh(OneToOne):
    """y = cosh u."""

    @staticmethod
    def law(p: Cosh, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return cosh u."""
        return (cosh(inputs[0]),)


class Tanh(OneToOne):
    """y = tanh u."""

    @staticmethod
    def law(p: Tanh, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return tanh u."""
        return (tanh(inputs[0]),)


class Exp(OneToOne):
    """y = eᵘ."""

    @staticmethod
    def law(p: Exp, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return eᵘ."""
        return (exp(inputs[0]),)


class Log10(OneToOne):
    """y = log₁₀ u."""

    @staticmethod
    def law(p: Log10, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return log₁₀ u."""
        return (log10(inputs[0]),)


class Sign(OneToOne):
    """y = 1 where u > 0, −1 where u < 0, 0 where u = 0."""

    @staticmethod
    def law(p: Sign, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the sign of u."""
        u = inputs[0]
        return (where(u > 0.0, 1.0, where(u < 0.0, -1.0, 0.0)),)


class Log(OneToOne):
    """The logarithm of u to a base, e if none is given."""

    base: kinds.PositiveFactor = parameter("base, other than 1", default=math.e)

    def check(self, p: Self) -> None:
        """Refuse the base 1."""
        if p.base == 1.0:
            raise ParameterError(
                self.label,
                "base = 1 has no logarithm.",
                "Give another base, e.g. 10.",
                parameter="base",
                value=p.base,
            )

    @staticmethod
    def law(p: Log, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return log u / log base."""
        return (log(inputs[0]) / log(p.base),)


class Power(OneToOne):
    """y = base to the power u."""

    base: kinds.PositiveFactor = parameter("base", default=math.e)

    @staticmethod
    def law(p: Power, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return base to the power u."""
        return (power(p.base, inputs[0]),)


class WrapAngle(OneToOne):
    """y is the angle u within −π < y ≤ π, or within 0 ≤ y < 2π if positiveRange."""

    positiveRange: kinds.Boolean = parameter("whether y is never negative", default=False)

    @staticmethod
    def law(p: WrapAngle, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u, less whole turns."""
        u = inputs[0]
        if p.positiveRange:
            return (u - math.tau * floor(u / math.tau),)
        return (u + math.tau * floor((math.pi - u) / math.tau),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


class Atan2(TwoToOne):
    """y is the angle of the point (u2, u1) [rad]: tan y = u1 / u2."""

    @staticmethod
    def law(p: Atan2, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the angle."""
        return (arctan2(inputs[0], inputs[1]),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that both inputs are in one unit."""
        yield from same_unit(self.u1, self.u2)


class RectangularToPolar(Block):
    """Length and angle of the point (u_re, u_im)."""

    u_re = signal_input("first coordinate, or real part")
    u_im = signal_input("second coordinate, or imaginary part")
    y_abs = signal_output("length")
    y_arg = signal_output("angle", "rad")

    def inputs(self) -> tuple[Port, ...]:
        """Return the coordinates."""
        return (self.u_re, self.u_im)

    def outputs(self) -> tuple[Port, ...]:
        """Return length and angle."""
        return (self.y_abs, self.y_arg)

    @staticmethod
    def law(
        p: RectangularToPolar, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, Scalar]:
        """Return √(re² + im²) and the angle."""
        re, im = inputs
        return sqrt(re * re + im * im), arctan2(im, re)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that coordinates and length are in one unit."""
        yield from same_unit(self.u_re, self.u_im, self.y_abs)


class PolarToRectangular(Block):
    """The point with the length u_abs and the angle u_arg."""

    u_abs = signal_input("length")
    u_arg = signal_input("angle", "rad")
    y_re = signal_output("first coordinate, or real part")
    y_im = signal_output("second coordinate, or imaginary part")

    def inputs(self) -> tuple[Port, ...]:
        """Return length and angle."""
        return (self.u_abs, self.u_arg)

    def outputs(self) -> tuple[Port, ...]:
        """Return the coordinates."""
        return (self.y_re, self.y_im)

    @staticmethod
    def law(
        p: PolarToRectangular, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, Scalar]:
        """Return length · cosine and length · sine."""
        length, angle = inputs
        return length * cos(angle), length * sin(angle)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that coordinates and length are in one unit."""
        yield from same_unit(self.u_abs, self.y_re, self.y_im)


class Pythagoras(TwoToOne):
    """The hypotenuse √(u1² + u2²), or with u1IsHypotenuse the leg √(u1² − u2²).

    If there is no such leg, y is 0 and `valid` false.
    """

    valid = boolean_output("whether there is such a triangle")
    u1IsHypotenuse: kinds.Boolean = parameter(
        "whether u1 is the hypotenuse, and y a leg", default=False
    )

    def outputs(self) -> tuple[Port, ...]:
        """Return y, and whether it is one."""
        return (self.y, self.valid)

    @staticmethod
    def law(
        p: Pythagoras, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, Scalar]:
        """Return the side, and 1 or 0."""
        a, b = inputs[0], inputs[1]
        if not p.u1IsHypotenuse:
            return sqrt(a * a + b * b), 1.0
        square = a * a - b * b
        return sqrt(maximum(square, 0.0)), where(square >= 0.0, 1.0, 0.0)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that all three sides are in one unit."""
        yield from same_unit(self.u1, self.u2, self.y)


class Max(TwoToOne):
    """y is the larger one of u1 and u2."""

    @staticmethod
    def law(p: Max, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the larger one."""
        return (maximum(inputs[0], inputs[1]),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that inputs and output are in one unit."""
        yield from same_unit(self.u1, self.u2, self.y)


class Min(TwoToOne):
    """y is the smaller one of u1 and u2."""

    @staticmethod
    def law(p: Min, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the smaller one."""
        return (minimum(inputs[0], inputs[1]),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that inputs and output are in one unit."""
        yield from same_unit(self.u1, self.u2, self.y)


class LinearDependency(TwoToOne):
    """y = y0 (1 + k1 · u1 + k2 · u2)."""

    y0: kinds.Number = parameter("value at u1 = u2 = 0", default=0.0)
    k1: kinds.Number = parameter("factor of u1", default=0.0)
    k2: kinds.Number = parameter("factor of u2", default=0.0)

    @staticmethod
    def law(
        p: LinearDependency, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return y0 (1 + k1 · u1 + k2 · u2)."""
        return (p.y0 * (1.0 + p.k1 * inputs[0] + p.k2 * inputs[1]),)


class MultiSum(Block):
    """The weighted sum of any number of signals: y = Σ kᵢ uᵢ."""

    u = signal_input("inputs", size="k")
    y = signal_output("output")
    k: kinds.Factors = parameter("factors, as many as u has elements", default=(1.0, 1.0))

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: MultiSum, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return Σ kᵢ uᵢ."""
        return (dot(p.k, inputs),)


class MultiProduct(Block):
    """The product of any number of signals."""

    u = signal_input("inputs", size="nu")
    y = signal_output("output")
    nu: kinds.Count = parameter("number of inputs", default=2)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: MultiProduct, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the product."""
        product: Scalar = 1.0
        for u in inputs:
            product = mul(product, u)
        return (product,)


class MinMax(Block):
    """The smallest and the largest of any number of signals."""

    u = signal_input("inputs", size="nu")
    yMin = signal_output("smallest input")
    yMax = signal_output("largest input")
    nu: kinds.Count = parameter("number of inputs", default=2)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return yMin and yMax."""
        return (self.yMin, self.yMax)

    @staticmethod
    def law(p: MinMax, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return the smallest and the largest."""
        low = high = inputs[0]
        for u in inputs[1:]:
            low, high = minimum(low, u), maximum(high, u)
        return low, high

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that inputs and outputs are in one unit."""
        yield from all_same_unit(self.u, self.yMin, self.yMax)


class MatrixGain(Block):
    """y = K u."""

    u = signal_input("input", size=lambda part: len(part.K[0]))
    y = signal_output("output", size="K")
    K: kinds.Table = parameter("matrix", default=((1.0, 0.0), (0.0, 1.0)))

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    @staticmethod
    def law(
        p: MatrixGain, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return K u."""
        return tuple(dot(row, inputs) for row in p.K)
