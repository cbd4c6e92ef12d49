"""Hydraulic valves: check valves, relief valves and directional ones."""

from __future__ import annotations

from collections.abc import Iterator

from motorik.algebra.scalar import Scalar, maximum, minimum
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_input
from motorik.components.base.equation_part import unknown
from motorik.components.base.resolving import Values
from motorik.components.domains import hydraulic
from motorik.components.heat.losses import WithHeatPort
from motorik.components.hydraulic.elements import TurbulentElement, turbulent
from motorik.equations.language import Equation, balance, equal
from motorik.errors import ParameterError


def smooth_step(x: Scalar) -> Scalar:
    """Return 0 below 0, 1 above 1, and 3 x² − 2 x³ between."""
    within = maximum(0.0, minimum(1.0, x))
    return within * within * (3.0 - 2.0 * within)


class PressureValve(TurbulentElement):
    """A valve that its pressure drop opens: from p_open on, wholly at p_full."""

    A: kinds.Area = parameter("area of the open valve", default=1e-5)
    A_leak: kinds.Area = parameter("area of the closed valve", default=1e-12)
    p_open: kinds.Pressure = parameter("pressure drop at which it begins to open")
    p_full: kinds.Pressure = parameter("pressure drop at which it is wholly open")
    opening: kinds.Factor = unknown("part of the area that is open")

    def check(self, p: Values) -> None:
        """Refuse a valve that is wholly open before it begins to open."""
        super().check(p)
        if p.p_full <= p.p_open:
            raise ParameterError(
                self.label,
                f"p_full = {p.p_full:g} Pa is not above p_open = {p.p_open:g} Pa.",
                "Give the pressure drop at which it is wholly open.",
                parameter="p_full",
                value=p.p_full,
            )

    def equations(self) -> Iterator[Equation]:
        """Yield the balance, the law, and how far it is open."""
        yield from TurbulentElement.equations(self)
        span = self.p_full - self.p_open
        yield equal(self.opening, smooth_step((self.dp - self.p_open) / span))

    def flow(self, dp: Scalar) -> Scalar:
        """Return the flow of the opening."""
        return self.through(self.A_leak + self.A * self.opening, dp)


class CheckValve(PressureValve):
    """Lets liquid flow from port_a to port_b only.

    It opens as port_a.p − port_b.p rises from p_open to p_full: A = A_leak + A · opening.
    """

    p_open: kinds.Pressure = parameter("pressure drop at which it opens", default=1e4)
    p_full: kinds.Pressure = parameter("pressure drop at which it is open", default=1e5)


class ReliefValve(PressureValve):
    """Limits the pressure of port_a: it opens towards port_b as the drop passes p_open.

    It opens as port_a.p − port_b.p rises from p_open to p_full: A = A_leak + A · opening.
    """

    p_open: kinds.Pressure = parameter("pressure at which it opens", default=1e7)
    p_full: kinds.Pressure = parameter("pressure at which it is open", default=1.1e7)


class DirectionalValve(WithHeatPort):
    """A directional valve with four ports and three positions, by the signal `spool`.

    At spool = 1 port_p is open to port_a, and port_b to port_t; at spool = −1 port_p to port_b, and
    port_a to port_t; at 0 all are closed. Between, the area is
    A (|spool| − overlap) / (1 − overlap). Each of the four edges is an orifice, see `Orifice`.
    """

    port_p = hydraulic.port("pump")
    port_t = hydraulic.port("tank")
    port_a = hydraulic.port("consumer a")
    port_b = hydraulic.port("consumer b")
    spool = signal_input("position of the spool, from −1 to 1", "1")
    A: kinds.Area = parameter("area of an edge at spool = ±1", default=1e-5)
    A_leak: kinds.Area = parameter("area of a closed edge", default=1e-12)
    overlap: kinds.FactorOrZero = parameter(
        "position up to which an edge stays closed", default=0.0
    )
    Cd: kinds.PositiveFactor = parameter("discharge coefficient", default=0.7)
    rho: kinds.Density = parameter("density of the liquid", default=850.0)
    dp_transition: kinds.PositivePressure = parameter(
        "pressure drop below which the flow is laminar", default=1e4
    )
    q_pa: kinds.VolumeFlow = unknown("flow from port_p to port_a")
    q_pb: kinds.VolumeFlow = unknown("flow from port_p to port_b")
    q_at: kinds.VolumeFlow = unknown("flow from port_a to port_t")
    q_bt: kinds.VolumeFlow = unknown("flow from port_b to port_t")

    def check(self, p: Values) -> None:
        """Refuse an overlap that leaves nothing open."""
        super().check(p)
        if p.overlap >= 1.0:
            raise ParameterError(
                self.label,
                f"overlap = {p.overlap:g} leaves the valve closed in all positions.",
                "Give a part of the stroke below 1.",
                parameter="overlap",
                value=p.overlap,
            )

    def equations(self) -> Iterator[Equation]:
        """Yield the flows of the four edges, and their balances at the ports."""
        pressure = {name: getattr(self, f"port_{name}").p for name in "ptab"}
        for name, towards in (("pa", 1.0), ("pb", -1.0), ("at", -1.0), ("bt", 1.0)):
            dp = pressure[name[0]] - pressure[name[1]]
            yield equal(getattr(self, f"q_{name}"), self.edge(dp, towards, self.spool))
        yield equal(self.port_p.q, self.q_pa + self.q_pb)
        yield equal(self.port_t.q, -self.q_at - self.q_bt)
        yield equal(self.port_a.q, self.q_at - self.q_pa)
        yield balance(self.port_p.q, self.port_t.q, self.port_a.q, self.port_b.q)
        yield from self.heat_balance()

    def edge(self, dp: Scalar, towards: Scalar, position: Scalar) -> Scalar:
        """Return the flow of an edge that opens as the position rises, or falls (towards −1)."""
        open_part = (towards * position - self.overlap) / (1.0 - self.overlap)
        area = self.A_leak + self.A * maximum(0.0, minimum(1.0, open_part))
        return turbulent(dp, area, self.Cd, self.rho, self.dp_transition)

    def lossPower(self) -> Scalar:  # noqa: N802
        """Return Σ p q over the ports."""
        ports = (self.port_p, self.port_t, self.port_a, self.port_b)
        return sum(port.p * port.q for port in ports)
