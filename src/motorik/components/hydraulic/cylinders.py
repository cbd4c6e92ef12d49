"""Hydraulic cylinders on translational flanges and between frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from motorik.algebra.scalar import Scalar, where
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.declarations import (
    PortSpec,
    frame,
    parameter,
    translational_flange,
)
from motorik.components.base.equation_part import unknown
from motorik.components.base.ports import DomainPort
from motorik.components.base.visual_options import StrutVisual
from motorik.components.domains import hydraulic
from motorik.components.heat.losses import WithHeatPort
from motorik.components.lines.backlash import pushing
from motorik.equations.language import Equation, der, equal


class PistonChamber(WithHeatPort):
    """The chamber at the head of a cylinder, and the force on its piston.

    x is the way of the piston from the head, v its rate. The chamber of volume V = V_a + A_a x
    has (V / β) dp/dt = q − (1 + p / 2β) dV/dt: the flow is measured at half the pressure of the
    chamber, so that the energy balance with V p² / 2β is exact.
    """

    port_a: ClassVar[PortSpec[DomainPort]] = hydraulic.port("chamber at the head")
    A_a: kinds.PositiveArea = parameter("area of the piston", default=1e-3)
    V_a: kinds.PositiveVolume = parameter("volume of chamber a at x = 0", default=1e-5)
    stroke: kinds.Length = parameter("way of the piston from end to end", default=1.0)
    beta: kinds.PositivePressure = parameter("bulk modulus of the liquid", default=1.5e9)
    d: kinds.Damping = parameter("viscous friction of the piston", default=0.0)
    stops: kinds.Boolean = parameter(
        "whether the piston is stopped at its ends", default=True
    )
    c_stop: kinds.Stiffness = parameter("stiffness of the stops", default=1e8)
    d_stop: kinds.Damping = parameter("damping constant of the stops", default=1e5)
    p_a: kinds.Pressure = unknown("pressure of chamber a", state="prefer", nominal=1e6)
    x: kinds.Distance = unknown("way of the piston from the head")
    v: kinds.Velocity = unknown("rate of x")
    f: kinds.Force = unknown("force that pushes the rod out", nominal=1e3)

    def equations(self) -> Iterator[Equation]:
        """Yield the motion of the piston, the chamber and the force."""
        yield from self.motion()
        yield from self.chambers()
        yield equal(self.f, self.pressure_force() - self.d * self.v + self.stop_force())
        yield from self.heat_balance()

    def motion(self) -> Iterator[Equation]:
        """Yield x, v, and the force on the ends."""
        raise NotImplementedError

    def chambers(self) -> Iterator[Equation]:
        """Yield the rate of the pressure in the chamber."""
        yield equal(self.p_a, self.port_a.p)
        grows = self.A_a * self.v
        yield self.filled(self.p_a, self.volume_a(), grows, self.port_a.q)

    def filled(self, p: Scalar, V: Scalar, grows: Scalar, q: Scalar) -> Equation:
        """Return the equation of a chamber of volume V that grows at a rate."""
        squeezed = (1.0 + 0.5 * p / self.beta) * grows
        return equal(V * der(p), self.beta * (q - squeezed))

    def volume_a(self) -> Scalar:
        """Return the volume of chamber a."""
        return self.V_a + self.A_a * self.x

    def pressure_force(self) -> Scalar:
        """Return the force of the pressure, which pushes the rod out."""
        return self.p_a * self.A_a

    def depth(self) -> Scalar:
        """Return how far the piston is in a stop: negative at the head, positive at the rod."""
        beyond = self.x - self.stroke
        return where(self.x < 0.0, self.x, where(beyond > 0.0, beyond, 0.0))

    def stop_force(self) -> Scalar:
        """Return the force of the stops: spring and damper, which push and never pull."""
        if not self.stops:
            return 0.0
        return pushing(-self.c_stop * self.depth(), -self.d_stop * self.v)

    def stored_energy(self) -> Scalar:
        """Return Σ V p² / (2 β), and ½ c_stop e² at a depth e in a stop."""
        e = self.depth() if self.stops else 0.0
        return 0.5 * self.compressed() / self.beta + 0.5 * self.c_stop * e * e

    def compressed(self) -> Scalar:
        """Return Σ V p²."""
        return self.volume_a() * self.p_a * self.p_a

    def lossPower(self) -> Scalar:  # noqa: N802
        """Return the power lost by friction, leakage and the damping of the stops."""
        elastic = -self.c_stop * self.depth() if self.stops else 0.0
        in_stops = (elastic - self.stop_force()) * self.v
        return self.d * self.v * self.v + self.leaked() + in_stops

    def leaked(self) -> Scalar:
        """Return the power lost by leakage."""
        return 0.0


class TwoChambers(PistonChamber):
    """Chambers on both sides of the piston, with a leakage between them."""

    port_b: ClassVar[PortSpec[DomainPort]] = hydraulic.port("chamber at the rod")
    A_b: kinds.PositiveArea = parameter("area of the piston around the rod", default=5e-4)
    V_b: kinds.PositiveVolume = parameter("volume of chamber b at x = stroke", default=1e-5)
    G_leak: kinds.HydraulicConductance = parameter("leakage of the piston", default=0.0)
    p_b: kinds.Pressure = unknown("pressure of chamber b", state="prefer", nominal=1e6)

    def chambers(self) -> Iterator[Equation]:
        """Yield the rates of both pressures."""
        leak = self.G_leak * (self.p_a - self.p_b)
        yield equal(self.p_a, self.port_a.p)
        yield equal(self.p_b, self.port_b.p)
        q_a, q_b = self.port_a.q - leak, self.port_b.q + leak
        yield self.filled(self.p_a, self.volume_a(), self.A_a * self.v, q_a)
        yield self.filled(self.p_b, self.volume_b(), -self.A_b * self.v, q_b)

    def volume_b(self) -> Scalar:
        """Return the volume of chamber b."""
        return self.V_b + self.A_b * (self.stroke - self.x)

    def pressure_force(self) -> Scalar:
        """Return p_a A_a − p_b A_b."""
        return self.p_a * self.A_a - self.p_b * self.A_b

    def compressed(self) -> Scalar:
        """Return Σ V p²."""
        in_a = self.volume_a() * self.p_a * self.p_a
        return in_a + self.volume_b() * self.p_b * self.p_b

    def leaked(self) -> Scalar:
        """Return G_leak (p_a − p_b)²."""
        return self.G_leak * (self.p_a - self.p_b) * (self.p_a - self.p_b)


class OnFlanges(PistonChamber):
    """A cylinder along a translational drive line: x = flange_b.s − flange_a.s − L_0."""

    flange_a = translational_flange("the head")
    flange_b = translational_flange("the rod")
    L_0: kinds.Distance = parameter("flange_b.s − flange_a.s at x = 0", default=0.0)

    def motion(self) -> Iterator[Equation]:
        """Yield x, v and the force on the flanges."""
        yield equal(self.x, self.flange_b.s - self.flange_a.s - self.L_0)
        yield equal(self.v, der(self.flange_b.s) - der(self.flange_a.s))
        yield equal(self.flange_a.f, self.f)
        yield equal(self.flange_b.f, -self.f)


class BetweenFrames(PistonChamber, StrutVisual):
    """A cylinder between the origins of two frames: x = |r| − L_0, where r leads from a to b."""

    frame_a = frame("the head")
    frame_b = frame("the rod")
    L_0: kinds.Length = parameter("distance of the origins at x = 0", default=1.0)

    def motion(self) -> Iterator[Equation]:
        """Yield x, v and the force along the line of the origins."""
        r = self.frame_b.r_0 - self.frame_a.r_0
        length = r.norm()
        e = r / length
        yield equal(self.x, length - self.L_0)
        yield equal(self.v, e.dot(self.frame_b.v_0 - self.frame_a.v_0))
        for end, sign in ((self.frame_a, 1.0), (self.frame_b, -1.0)):
            yield equal(end.f, end.R.T @ (sign * self.f * e))
            yield equal(end.t, Vector(0.0, 0.0, 0.0))


class Cylinder(OnFlanges, TwoChambers):
    """A double acting cylinder on translational flanges.

    f = p_a A_a − p_b A_b − d v pushes the rod at flange_b out of the head at flange_a. Each chamber
    of volume V has (V / β) dp/dt = q − (1 + p / 2β) dV/dt, with V = V_a + A_a x and
    V = V_b + A_b (stroke − x). Beyond 0 ≤ x ≤ stroke the stops push, with spring and damper.
    """


class SingleActingCylinder(OnFlanges):
    """A single acting cylinder on translational flanges; its rod side is open to the air.

    f = p_a A_a − d v pushes the rod at flange_b out of the head at flange_a. The chamber of
    volume V = V_a + A_a x has (V / β) dp/dt = q − (1 + p / 2β) dV/dt. Beyond 0 ≤ x ≤ stroke the
    stops push, with spring and damper.
    """


class CylinderBetweenFrames(BetweenFrames, TwoChambers):
    """A double acting cylinder between the origins of two frames.

    f = p_a A_a − p_b A_b − d v pushes frame_b away from frame_a, along the line of their
    origins. Each chamber of volume V has (V / β) dp/dt = q − (1 + p / 2β) dV/dt, with
    V = V_a + A_a x and V = V_b + A_b (stroke − x). Beyond 0 ≤ x ≤ stroke the stops push, with
    spring and damper.
    """


class SingleActingCylinderBetweenFrames(BetweenFrames):
    """A single acting cylinder between the origins of two frames, its rod side open to the air.

    f = p_a A_a − d v pushes frame_b away from frame_a, along the line of their origins. The
    chamber of volume V = V_a + A_a x has (V / β) dp/dt = q − (1 + p / 2β) dV/dt. Beyond
    0 ≤ x ≤ stroke the stops push, with spring and damper.
    """
