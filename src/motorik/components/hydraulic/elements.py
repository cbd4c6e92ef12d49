"""Hydraulic resistances between two ports: laminar ones and orifices."""

from __future__ import annotations

from collections.abc import Iterator

from motorik.algebra.scalar import Scalar, maximum, minimum, sqrt
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_input
from motorik.components.base.equation_part import unknown
from motorik.components.domains import hydraulic
from motorik.components.heat.losses import WithHeatPort
from motorik.equations.language import Equation, balance, equal


class HydraulicElement(WithHeatPort):
    """Liquid flows from port_a to port_b, and none is stored; `flow` is its volume flow."""

    port_a = hydraulic.port("inlet, where q is positive")
    port_b = hydraulic.port("outlet, where q is positive")
    q: kinds.VolumeFlow = unknown("volume flow from port_a to port_b", nominal=1e-4)
    dp: kinds.Pressure = unknown("port_a.p − port_b.p", nominal=1e6)

    def equations(self) -> Iterator[Equation]:
        """Yield the balance of the flows, and the law."""
        yield equal(self.dp, self.port_a.p - self.port_b.p)
        yield equal(self.q, self.port_a.q)
        yield balance(self.port_a.q, self.port_b.q)
        yield self.law()
        yield from self.heat_balance()

    def law(self) -> Equation:
        """Return the relation of q and dp."""
        return equal(self.q, self.flow(self.dp))

    def flow(self, dp: Scalar) -> Scalar:
        """Return the volume flow at a pressure drop."""
        raise NotImplementedError

    def lossPower(self) -> Scalar:  # noqa: N802
        """Return dp q."""
        return self.dp * self.q


class LaminarResistance(HydraulicElement):
    """A laminar resistance: dp = R q.

    A pipe of length L and diameter d has R = 128 μ L / (π d⁴) with the dynamic viscosity μ.
    """

    R: kinds.HydraulicResistance = parameter("resistance", default=1e9)

    def law(self) -> Equation:
        """Return dp = R q."""
        return equal(self.dp, self.R * self.q)


def turbulent(
    dp: Scalar, area: Scalar, Cd: Scalar, rho: Scalar, dp_transition: Scalar
) -> Scalar:
    """Return the flow Cd A √(2/ρ) dp / (dp² + dp_transition²)^¼ through an orifice."""
    root = sqrt(sqrt(dp * dp + dp_transition * dp_transition))
    return Cd * area * sqrt(2.0 / rho) * dp / root


class TurbulentElement(HydraulicElement):
    """An element with the flow of an orifice."""

    Cd: kinds.PositiveFactor = parameter("discharge coefficient", default=0.7)
    rho: kinds.Density = parameter("density of the liquid", default=850.0)
    dp_transition: kinds.PositivePressure = parameter(
        "pressure drop below which the flow is laminar", default=1e4
    )

    def through(self, area: Scalar, dp: Scalar) -> Scalar:
        """Return the flow through an orifice of this area."""
        return turbulent(dp, area, self.Cd, self.rho, self.dp_transition)


class Orifice(TurbulentElement):
    """A sharp edge: q = Cd A √(2/ρ) dp / (dp² + dp_transition²)^¼.

    Far above dp_transition this is ±Cd A √(2 |dp| / ρ), far below it is linear in dp.
    """

    A: kinds.Area = parameter("area of the opening", default=1e-6)

    def flow(self, dp: Scalar) -> Scalar:
        """Return the flow of the orifice."""
        return self.through(self.A, dp)


class VariableOrifice(TurbulentElement):
    """An orifice whose opening is a signal: the area is A · opening, 0 ≤ opening ≤ 1."""

    opening = signal_input("part of the area that is open", "1")
    A: kinds.Area = parameter("area of the opening at opening = 1", default=1e-6)
    A_leak: kinds.Area = parameter("area that stays open", default=1e-12)

    def flow(self, dp: Scalar) -> Scalar:
        """Return the flow of the opening."""
        opening = maximum(0.0, minimum(1.0, self.opening))
        return self.through(self.A_leak + self.A * opening, dp)
