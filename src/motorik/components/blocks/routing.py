"""Blocks that pass signals on, join and part them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, fabs, where
from motorik.components.base import kinds
from motorik.components.base.declarations import (
    boolean_input,
    boolean_output,
    integer_input,
    integer_output,
    parameter,
    signal_input,
    signal_output,
)
from motorik.components.base.part import Values
from motorik.components.base.ports import Port
from motorik.components.base.unit_laws import UnitLaw, all_same_unit, same_unit
from motorik.components.blocks.block import Block, OneToOne, Scalars
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class RealPassThrough(OneToOne):
    """y = u."""

    @staticmethod
    def law(
        p: RealPassThrough, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return u."""
        return (inputs[0],)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


class BooleanPassThrough(Block):
    """y = u, a truth value."""

    u = boolean_input("input")
    y = boolean_output("output")

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(
        p: BooleanPassThrough, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return u."""
        return (inputs[0],)


class IntegerPassThrough(Block):
    """y = u, a whole number."""

    u = integer_input("input")
    y = integer_output("output")

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(
        p: IntegerPassThrough, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return u."""
        return (inputs[0],)


class Replicator(Block):
    """A signal with nout elements, each of them u."""

    u = signal_input("input")
    y = signal_output("output", size="nout")
    nout: kinds.Count = parameter("number of elements of y", default=1)

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    @staticmethod
    def law(
        p: Replicator, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return u, nout times."""
        return (inputs[0],) * p.nout

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that elements are in the unit of their inputs."""
        yield from same_unit(self.u, self.y)


class BooleanReplicator(Block):
    """A signal with nout elements, each of them the truth value u."""

    u = boolean_input("input")
    y = boolean_output("output", size="nout")
    nout: kinds.Count = parameter("number of elements of y", default=1)

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    law = staticmethod(Replicator.law)


class IntegerReplicator(Block):
    """A signal with nout elements, each of them the whole number u."""

    u = integer_input("input")
    y = integer_output("output", size="nout")
    nout: kinds.Count = parameter("number of elements of y", default=1)

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    law = staticmethod(Replicator.law)


# --- signals joined and parted ----------------------------------------------------------------


def _passed_on(
    p: Values, t: Scalar, inputs: Scalars, states: Scalars
) -> tuple[Scalar, ...]:
    """Return all inputs."""
    return tuple(inputs)


def _width(part: Block) -> int:
    """Return the number of elements of all signals that are joined or parted."""
    return sum(
        getattr(part, name)
        for name in ("n1", "n2", "n3", "n4", "n5", "n6")
        if hasattr(part, name)
    )


class Multiplex(Block):
    """y has the elements u[1] … u[n], which single signals give."""

    u = signal_input("inputs", size="n")
    y = signal_output("output", size="n")
    n: kinds.Count = parameter("number of elements", default=2)
    law = staticmethod(_passed_on)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that elements are in the unit of their inputs."""
        yield from same_unit(self.u, self.y)


class DeMultiplex(Block):
    """y[1] … y[n] are the elements of u, each a signal of its own."""

    u = signal_input("input", size="n")
    y = signal_output("outputs", size="n")
    n: kinds.Count = parameter("number of elements", default=2)
    law = staticmethod(_passed_on)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that elements are in the unit of their inputs."""
        yield from same_unit(self.u, self.y)


class Multiplex2(Block):
    """Two signals joined: y = (u1, u2)."""

    u1 = signal_input("elements 1", size="n1")
    u2 = signal_input("elements 2", size="n2")
    y = signal_output("output", size=_width)
    n1: kinds.Count = parameter("number of elements of u1", default=1)
    n2: kinds.Count = parameter("number of elements of u2", default=1)
    law = staticmethod(_passed_on)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of all inputs."""
        return (*self.u1.elements, *self.u2.elements)

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements


class Multiplex3(Multiplex2):
    """Three signals joined: y = (u1, u2, u3)."""

    u3 = signal_input("elements 3", size="n3")
    n3: kinds.Count = parameter("number of elements of u3", default=1)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of all inputs."""
        return (*super().inputs(), *self.u3.elements)


class Multiplex4(Multiplex3):
    """Four signals joined: y = (u1, u2, u3, u4)."""

    u4 = signal_input("elements 4", size="n4")
    n4: kinds.Count = parameter("number of elements of u4", default=1)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of all inputs."""
        return (*super().inputs(), *self.u4.elements)


class Multiplex5(Multiplex4):
    """Five signals joined: y = (u1, u2, u3, u4, u5)."""

    u5 = signal_input("elements 5", size="n5")
    n5: kinds.Count = parameter("number of elements of u5", default=1)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of all inputs."""
        return (*super().inputs(), *self.u5.elements)


class Multiplex6(Multiplex5):
    """Six signals joined: y = (u1, u2, u3, u4, u5, u6)."""

    u6 = signal_input("elements 6", size="n6")
    n6: kinds.Count = parameter("number of elements of u6", default=1)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of all inputs."""
        return (*super().inputs(), *self.u6.elements)


class DeMultiplex2(Block):
    """A signal parted into two: (y1, y2) = u."""

    u = signal_input("input", size=_width)
    y1 = signal_output("elements 1", size="n1")
    y2 = signal_output("elements 2", size="n2")
    n1: kinds.Count = parameter("number of elements of y1", default=1)
    n2: kinds.Count = parameter("number of elements of y2", default=1)
    law = staticmethod(_passed_on)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of all outputs."""
        return (*self.y1.elements, *self.y2.elements)


class DeMultiplex3(DeMultiplex2):
    """A signal parted into three: (y1, y2, y3) = u."""

    y3 = signal_output("elements 3", size="n3")
    n3: kinds.Count = parameter("number of elements of y3", default=1)

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of all outputs."""
        return (*super().outputs(), *self.y3.elements)


class DeMultiplex4(DeMultiplex3):
    """A signal parted into four: (y1, y2, y3, y4) = u."""

    y4 = signal_output("elements 4", size="n4")
    n4: kinds.Count = parameter("number of elements of y4", default=1)

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of all outputs."""
        return (*super().outputs(), *self.y4.elements)


class DeMultiplex5(DeMultiplex4):
    """A signal parted into five: (y1, y2, y3, y4, y5) = u."""

    y5 = signal_output("elements 5", size="n5")
    n5: kinds.Count = parameter("number of elements of y5", default=1)

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of all outputs."""
        return (*super().outputs(), *self.y5.elements)


class DeMultiplex6(DeMultiplex5):
    """A signal parted into six: (y1, y2, y3, y4, y5, y6) = u."""

    y6 = signal_output("elements 6", size="n6")
    n6: kinds.Count = parameter("number of elements of y6", default=1)

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of all outputs."""
        return (*super().outputs(), *self.y6.elements)


class ExtractSignal(Block):
    """y has those elements of u that `extract` numbers, from 1 on: yᵢ = u[extractᵢ]."""

    u = signal_input("input", size="nin")
    y = signal_output("output", size="extract")
    nin: kinds.Count = parameter("number of elements of u", default=1)
    extract: kinds.Numbers = parameter("numbers of the elements of u", default=(1.0,))

    def check(self, p: Self) -> None:
        """Refuse numbers of elements that u does not have."""
        for number in p.extract:
            if number != int(number) or not 1 <= number <= p.nin:
                raise ParameterError(
                    self.label,
                    f"extract: u has no element {number:g}, only 1 to {p.nin}.",
                    "Give numbers from 1 to nin.",
                    parameter="extract",
                    value=p.extract,
                )

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    @staticmethod
    def law(
        p: ExtractSignal, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return the elements."""
        return tuple(inputs[int(number) - 1] for number in p.extract)


class Extractor(Block):
    """y is that element of u whose number, from 1 on, the signal `index` gives.

    Where u has no such element, y is outOfRangeValue with allowOutOfRange, else not a number.
    """

    u = signal_input("input", size="nin")
    index = integer_input("number of the element")
    y = signal_output("output")
    nin: kinds.Count = parameter("number of elements of u", default=1)
    allowOutOfRange: kinds.Boolean = parameter(
        "whether the index may be that of no element", default=False
    )
    outOfRangeValue: kinds.Number = parameter("y where there is no element", default=1e10)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u, and the index."""
        return (*self.u.elements, self.index)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: Extractor, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the element."""
        index = inputs[p.nin]
        found: Scalar = p.outOfRangeValue if p.allowOutOfRange else float("nan")
        for k in range(p.nin):
            found = where(fabs(index - (k + 1.0)) < 0.5, inputs[k], found)
        return (found,)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the elements and the output are in one unit."""
        yield from all_same_unit(self.u, self.y)
