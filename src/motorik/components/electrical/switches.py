"""Ideal diodes and switches: they change between two resistances at events.

A position s on the characteristic, with s = 0 at its knee, gives voltage and current: while it is
off v = s + Vknee and i = Goff v, while it is on i = s + Goff Vknee and v = Ron s + Vknee.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, where
from motorik.components.base import kinds
from motorik.components.base.contributions import Assignment, Contribution, Trigger
from motorik.components.base.declarations import boolean_input, parameter
from motorik.components.base.equation_part import unknown
from motorik.components.base.internal import discrete, single_number
from motorik.components.base.motion import Motion
from motorik.components.base.part import Part
from motorik.components.base.resolving import Values
from motorik.components.base.variable import Variable
from motorik.components.electrical.interfaces import OnePort, WithTemperature
from motorik.equations.language import Equation, equal
from motorik.numerics.tolerances import HYSTERESIS, REVERSE_CURRENT

if TYPE_CHECKING:
    from typing_extensions import Self


class _TwoResistances(OnePort, WithTemperature):
    """A one-port with a resistance while it is on and a conductance while it is off."""

    Ron: kinds.ResistanceOrZero = parameter("resistance while it is on", default=1e-5)
    Goff: kinds.ConductanceOrZero = parameter("conductance while it is off", default=1e-5)
    s: kinds.Number = unknown("position on the characteristic: v or i from its knee on")

    def equations(self) -> Iterator[Equation]:
        """Yield voltage, current, the characteristic and the heat flow."""
        yield from OnePort.equations(self)
        yield from self.heat_balance()

    def lossPower(self) -> Scalar:  # noqa: N802
        """Return v i."""
        return self.v * self.i


class IdealDiode(_TwoResistances):
    """A diode that is on, v = Ron s + Vknee, or off, i = Goff v.

    It switches off where its current falls below that at the knee, and on where its voltage rises
    above Vknee; each is an event.
    """

    Vknee: kinds.VoltageOrZero = parameter("voltage at which it becomes on", default=0.0)
    off = discrete("whether it is off", start=1.0)
    rises = discrete("whether the condition to become on holds")
    falls = discrete("whether the condition to become off holds")

    def laws(self) -> Iterator[Equation]:
        """Yield the characteristic from its knee on."""
        off: Scalar = self.off > 0.5  # type: ignore[operator]
        yield equal(self.v, self.s * where(off, 1.0, self.Ron) + self.Vknee)
        yield equal(self.i, self.s * where(off, self.Goff, 1.0) + self.Goff * self.Vknee)

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the equations, and the events at which it becomes on or off."""
        yield from super().contributions(p)
        off = single_number(self.internal(), "off")
        becomes_on, becomes_off = (
            Assignment(off, lambda m: 0.0),
            Assignment(off, lambda m: 1.0),
        )
        condition = partial(_position, self, p)
        yield Trigger(
            self, (becomes_on,), partial(condition, 1.0), "rises",
            acts_at_start=True, what="becomes on",
        )  # fmt: skip
        yield Trigger(
            self, (becomes_off,), partial(condition, -1.0), "falls",
            acts_at_start=True, what="becomes off",
        )  # fmt: skip

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the unknowns, and whether it is off."""
        off = Variable(lambda motion: p.off, "1", "whether it is off")
        return {**super().variables(p), "off": off}


def _position(part: Part, p: Values, direction: float, motion: Motion) -> Scalar:
    """Return s while a diode is off, or −s while it is on; −1 in the other mode."""
    s = motion.unknown(part, "s")
    if direction > 0.0:
        return where(p.off < 0.5, -1.0, s - HYSTERESIS)
    return where(p.off > 0.5, -1.0, -s - REVERSE_CURRENT)


class IdealClosingSwitch(_TwoResistances):
    """A switch that is closed while `control` is true: v = Ron i; open: i = Goff v."""

    control = boolean_input("true: closed; false: open")

    def laws(self) -> Iterator[Equation]:
        """Yield the characteristic."""
        off = self.control < 0.5
        yield equal(self.v, self.s * where(off, 1.0, self.Ron))
        yield equal(self.i, self.s * where(off, self.Goff, 1.0))


class IdealOpeningSwitch(_TwoResistances):
    """A switch that is open while `control` is true: i = Goff v; closed: v = Ron i."""

    control = boolean_input("true: open; false: closed")

    def laws(self) -> Iterator[Equation]:
        """Yield the characteristic."""
        off = self.control > 0.5
        yield equal(self.v, self.s * where(off, 1.0, self.Ron))
        yield equal(self.i, self.s * where(off, self.Goff, 1.0))
