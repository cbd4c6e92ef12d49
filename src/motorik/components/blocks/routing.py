"""Blocks that pass signals on."""

from __future__ import annotations

from motorik.algebra.scalar import Scalar
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
from motorik.components.base.ports import Port
from motorik.components.blocks.block import Block, OneToOne, Scalars


class RealPassThrough(OneToOne):
    """y = u."""

    @staticmethod
    def law(
        p: RealPassThrough, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return u."""
        return (inputs[0],)


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
