"""Blocks that compute: sums, products and functions of signals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution
from motorik.components.base.declarations import parameter, signal_input, signal_output
from motorik.components.base.ports import Port
from motorik.components.base.unit_laws import UnitLaw, same_unit
from motorik.components.base.user_law import check_arguments
from motorik.components.blocks.block import (
    Block,
    OneToOne,
    Scalars,
    unchanged,
    with_law,
)

if TYPE_CHECKING:
    from typing_extensions import Self


class Gain(OneToOne):
    """y = k · u."""

    k: kinds.Factor = parameter("factor", default=1.0)

    @staticmethod
    def law(p: Gain, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return k · u."""
        return (p.k * inputs[0],)


class TwoToOne(Block):
    """A block with the inputs u1 and u2 and the output y."""

    u1 = signal_input("first input")
    u2 = signal_input("second input")
    y = signal_output("output")

    def inputs(self) -> tuple[Port, ...]:
        """Return u1 and u2."""
        return (self.u1, self.u2)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)


class Add(TwoToOne):
    """y = k1 · u1 + k2 · u2."""

    k1: kinds.Factor = parameter("gain of u1", default=1.0)
    k2: kinds.Factor = parameter("gain of u2", default=1.0)

    @staticmethod
    def law(p: Add, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return k1 · u1 + k2 · u2."""
        return (p.k1 * inputs[0] + p.k2 * inputs[1],)


class Feedback(TwoToOne):
    """y = u1 − u2: the error of a control loop."""

    @staticmethod
    def law(p: Feedback, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u1 − u2."""
        return (inputs[0] - inputs[1],)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that inputs and output are in one unit."""
        yield from same_unit(self.u1, self.u2, self.y)


class Product(TwoToOne):
    """y = u1 · u2."""

    @staticmethod
    def law(p: Product, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u1 · u2."""
        return (inputs[0] * inputs[1],)


class Division(TwoToOne):
    """y = u1 / u2."""

    @staticmethod
    def law(p: Division, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u1 / u2."""
        return (inputs[0] / inputs[1],)


class Add3(Block):
    """y = k1 · u1 + k2 · u2 + k3 · u3."""

    u1 = signal_input("first input")
    u2 = signal_input("second input")
    u3 = signal_input("third input")
    y = signal_output("output")
    k1: kinds.Factor = parameter("gain of u1", default=1.0)
    k2: kinds.Factor = parameter("gain of u2", default=1.0)
    k3: kinds.Factor = parameter("gain of u3", default=1.0)

    def inputs(self) -> tuple[Port, ...]:
        """Return u1, u2 and u3."""
        return (self.u1, self.u2, self.u3)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: Add3, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the weighted sum."""
        return (p.k1 * inputs[0] + p.k2 * inputs[1] + p.k3 * inputs[2],)


class Sum(Block):
    """The weighted sum of the elements of u: y = Σ kᵢ uᵢ."""

    u = signal_input("input", size="k")
    y = signal_output("output")
    k: kinds.Factors = parameter("factors, as many as u has elements", default=(1.0, 1.0))

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: Sum, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return Σ kᵢ uᵢ."""
        total: Scalar = 0.0
        for k, u in zip(p.k, inputs, strict=True):
            total = total + k * u
        return (total,)


class Function(Block):
    """A user's function of n signals: y = f(u[0], …), written with `motorik.functions`."""

    u = signal_input("input", size="n")
    y = signal_output("output")
    f: kinds.Function = parameter("the function of n scalars", default=unchanged)
    n: kinds.Count = parameter("number of inputs", default=1)

    def check(self, p: Self) -> None:
        """Refuse a function that is not one of n scalars."""
        check_arguments(self.label, "f", p.f, _names(p.n))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the output as a function of the inputs."""
        return super().contributions(with_law(p, self.label, "f", _names(p.n)))

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: Function, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return f(u[0], …)."""
        return (p.f(*inputs),)


def _names(n: int) -> tuple[str, ...]:
    return tuple(f"u{k}" for k in range(1, n + 1)) if n > 1 else ("u",)
