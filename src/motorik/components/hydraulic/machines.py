"""Hydraulic pumps and motors on rotational flanges."""

from __future__ import annotations

from collections.abc import Iterator

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.declarations import (
    parameter,
    rotational_flange,
    signal_input,
)
from motorik.components.base.equation_part import unknown
from motorik.components.domains import hydraulic
from motorik.components.heat.losses import WithHeatPort
from motorik.equations.language import Equation, balance, der, equal


class DisplacementMachine(WithHeatPort):
    """Moves the volume D for each radian from port_a to port_b.

    q = D w + G_leak dp, τ = −D dp + d w on the flange, dp = port_a.p − port_b.p.
    """

    port_a = hydraulic.port("inlet, where the shaft turns forward")
    port_b = hydraulic.port("outlet, where the shaft turns forward")
    flange = rotational_flange("shaft")
    D: kinds.DisplacementVolume = parameter("displacement for each radian", default=1e-6)
    G_leak: kinds.HydraulicConductance = parameter("internal leakage", default=0.0)
    d: kinds.TorsionalDamping = parameter("viscous friction of the shaft", default=0.0)
    q: kinds.VolumeFlow = unknown("volume flow from port_a to port_b", nominal=1e-4)
    dp: kinds.Pressure = unknown("port_a.p − port_b.p", nominal=1e6)
    w: kinds.AngularVelocity = unknown("speed of the shaft")

    def equations(self) -> Iterator[Equation]:
        """Yield the flow, the torque and the balance of the flows."""
        moved = self.displacement()
        yield equal(self.w, der(self.flange.phi))
        yield equal(self.dp, self.port_a.p - self.port_b.p)
        yield equal(self.q, moved * self.w + self.G_leak * self.dp)
        yield equal(self.flange.tau, self.d * self.w - moved * self.dp)
        yield equal(self.q, self.port_a.q)
        yield balance(self.port_a.q, self.port_b.q)
        yield from self.heat_balance()

    def displacement(self) -> Scalar:
        """Return the volume moved for each radian."""
        return self.D

    def lossPower(self) -> Scalar:  # noqa: N802
        """Return G_leak dp² + d w²."""
        return self.G_leak * self.dp * self.dp + self.d * self.w * self.w


class Pump(DisplacementMachine):
    """A pump: turning forward, it moves liquid from port_a to port_b.

    q = D w − G_leak (p_b − p_a), τ = D (p_b − p_a) + d w. D is the displacement of a turn / 2π.
    """


class Motor(DisplacementMachine):
    """A hydraulic motor: liquid from port_a to port_b turns it forward.

    q = D w + G_leak (p_a − p_b); it drives the shaft by D (p_a − p_b) − d w. D is the displacement
    of a turn / 2π.
    """


class VariablePump(DisplacementMachine):
    """A pump whose displacement is a signal: D · displaced, −1 ≤ displaced ≤ 1."""

    displaced = signal_input("part of the displacement, also negative", "1")

    def displacement(self) -> Scalar:
        """Return D · displaced."""
        return self.D * self.displaced
