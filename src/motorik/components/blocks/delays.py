"""Delays: a signal of the past, y(t) = u(t − T).

Before the start the signal has been what it is at the start. The run keeps the past of u as
polynomials as exact as its tolerance; jumps and kinks return after the delay, where steps end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from motorik.algebra.recall import recall
from motorik.algebra.scalar import Scalar, is_number, where
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, Delayed, Trigger
from motorik.components.base.declarations import parameter, signal_input
from motorik.components.base.internal import discrete
from motorik.components.base.motion import Motion
from motorik.components.base.part import Values
from motorik.components.base.ports import Port
from motorik.components.base.unit_laws import UnitLaw, same_unit
from motorik.components.base.values import number_of
from motorik.components.blocks.block import OneToOne, Scalars

if TYPE_CHECKING:
    from typing_extensions import Self


NEVER = 1e9  # s


class FixedDelay(OneToOne):
    """y(t) = u(t − T) with a constant delay T = delayTime; u(t₀) before t₀ + T.

    Steps are no longer than the delay. A loop through a delay is no algebraic loop.
    """

    past = discrete("address of the past of u")
    delayTime: kinds.Duration = parameter("delay", default=1.0)

    def inputs(self) -> tuple[Port, ...]:
        """Return none: y does not depend on the present u."""
        return ()

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute y, and the signal whose past is kept."""
        yield from super().contributions(p)
        yield Delayed(self, "past", partial(_signal, self.u), lambda motion: p.delayTime)

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u of the past."""
        return (recall(p.past, t - p.delayTime),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


class VariableDelay(OneToOne):
    """y(t) = u(t − T), where the signal delayTime gives T, 0 < T ≤ delayMax; u(t₀) before t₀.

    Steps are no longer than the delay at their end, so it must not come to zero.
    """

    delayTime = signal_input("delay", "s")
    past = discrete("address of the past of u")
    following = discrete("time of the next discontinuity of u", "s", start=NEVER)
    has_passed = discrete("whether it has passed the block")
    delayMax: kinds.PlainDuration = parameter("longest delay", default=1.0)

    def inputs(self) -> tuple[Port, ...]:
        """Return the delay: y does not depend on the present u."""
        return (self.delayTime,)

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute y, and the signal whose past is kept."""
        yield from super().contributions(p)
        signal, delay = partial(_signal, self.u), partial(_signal, self.delayTime)
        most = number_of(self.delayMax)
        yield Delayed(self, "past", signal, delay, "following", most)

        def passed(motion: Motion) -> Scalar:
            return motion.t - delay(motion) - p.following

        yield Trigger(self, (), passed, "has_passed", what="passes a discontinuity on")

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u of the past."""
        delay = inputs[0]
        value = recall(p.past, t - delay)
        if is_number(delay):  # which the run checks as it begins
            return (value,)
        return (where(delay <= p.delayMax * (1.0 + 1e-9), value, float("nan")),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


def _signal(port: Port, motion: Motion) -> Scalar:
    return motion.signal(port)
