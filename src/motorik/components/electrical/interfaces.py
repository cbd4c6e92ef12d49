"""Bases of electrical parts: pins, their voltages and currents, heat from losses."""

from __future__ import annotations

from collections.abc import Iterator

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter
from motorik.components.base.equation_part import EquationPart, unknown
from motorik.components.domains import electrical
from motorik.components.heat.losses import WithHeatPort
from motorik.equations.language import Equation, balance, equal


class OnePort(EquationPart):
    """Two pins with one current: v = p.v − n.v, i = p.i = −n.i.

    A kind of one-port yields its law in `laws`, an equation of v and i.
    """

    p = electrical.port("positive pin")
    n = electrical.port("negative pin")
    v: kinds.Voltage = unknown("voltage from p to n")
    i: kinds.Current = unknown("current from p to n through the part")

    def equations(self) -> Iterator[Equation]:
        """Yield voltage, current, and the law."""
        yield equal(self.v, self.p.v - self.n.v)
        yield equal(self.i, self.p.i)
        yield balance(self.p.i, self.n.i)
        yield from self.laws()

    def laws(self) -> Iterator[Equation]:
        """Yield the law of the part."""
        raise NotImplementedError


class TwoPort(EquationPart):
    """Two pairs of pins, each with one current: v1 and i1 at p1 and n1, v2 and i2 at p2 and n2.

    A kind of two-port yields two laws.
    """

    p1 = electrical.port("positive pin of the first port")
    n1 = electrical.port("negative pin of the first port")
    p2 = electrical.port("positive pin of the second port")
    n2 = electrical.port("negative pin of the second port")
    v1: kinds.Voltage = unknown("voltage from p1 to n1")
    i1: kinds.Current = unknown("current from p1 to n1 through the part")
    v2: kinds.Voltage = unknown("voltage from p2 to n2")
    i2: kinds.Current = unknown("current from p2 to n2 through the part")

    def equations(self) -> Iterator[Equation]:
        """Yield voltages, currents, and the laws."""
        yield equal(self.v1, self.p1.v - self.n1.v)
        yield equal(self.i1, self.p1.i)
        yield balance(self.p1.i, self.n1.i)
        yield equal(self.v2, self.p2.v - self.n2.v)
        yield equal(self.i2, self.p2.i)
        yield balance(self.p2.i, self.n2.i)
        yield from self.laws()

    def laws(self) -> Iterator[Equation]:
        """Yield the two laws of the part."""
        raise NotImplementedError


class WithTemperature(WithHeatPort):
    """A part whose temperature is that of its heat port, or else a parameter."""

    T: kinds.Temperature = parameter("temperature without heat port", default=293.15)

    def temperature(self) -> Scalar:
        """Return the temperature of the part [K]."""
        return self.heatPort.T if self.useHeatPort else self.T


class WarmResistance(WithHeatPort):
    """A part with a resistance that depends on its temperature: R (1 + α (T − T_ref))."""

    T_ref: kinds.Temperature = parameter("reference temperature", default=300.15)
    alpha: kinds.PerTemperature = parameter(
        "relative change of the resistance with the temperature", default=0.0
    )
    T: kinds.OptionalTemperature = parameter(
        "temperature without heat port; None is T_ref", default=None
    )

    def warming(self) -> Scalar:
        """Return the resistance relative to that at T_ref, 1 + α (T − T_ref)."""
        if self.useHeatPort:
            return 1.0 + self.alpha * (self.heatPort.T - self.T_ref)
        return 1.0 if self.T is None else 1.0 + self.alpha * (self.T - self.T_ref)
