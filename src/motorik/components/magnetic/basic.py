"""Elements of magnetic circuits: ground, reluctances, coils."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_input
from motorik.components.base.equation_part import EquationPart, unknown
from motorik.components.domains import electrical, magnetic
from motorik.components.heat.losses import WithHeatPort
from motorik.equations.language import Equation, balance, der, equal

IRON_RESISTIVITY = 0.098e-6  # Ω·m, at 20 °C


class Ground(EquationPart):
    """The zero of the magnetic potential; every magnetic circuit has one."""

    port = magnetic.port("magnetic port")

    def equations(self) -> Iterator[Equation]:
        """Yield port.V_m = 0."""
        yield equal(self.port.V_m, 0.0)


class FluxTube(EquationPart):
    """A flux Phi from port_p to port_n; `law` relates it to the potential difference V_m."""

    port_p = magnetic.port("positive magnetic port")
    port_n = magnetic.port("negative magnetic port")
    V_m: kinds.MagneticPotential = unknown("port_p.V_m − port_n.V_m", nominal=100.0)
    Phi: kinds.MagneticFlux = unknown("flux from port_p to port_n", nominal=1e-4)

    def equations(self) -> Iterator[Equation]:
        """Yield the balance of the flux, and the law."""
        yield equal(self.V_m, self.port_p.V_m - self.port_n.V_m)
        yield equal(self.Phi, self.port_p.Phi)
        yield balance(self.port_p.Phi, self.port_n.Phi)
        yield from self.laws()

    def laws(self) -> Iterator[Equation]:
        """Yield the relation of Phi and V_m."""
        raise NotImplementedError


class ConstantReluctance(FluxTube):
    """A constant reluctance: V_m = R_m Phi."""

    R_m: kinds.Reluctance = parameter("magnetic reluctance", default=1.0)

    def laws(self) -> Iterator[Equation]:
        """Yield V_m = R_m Phi."""
        yield equal(self.V_m, self.R_m * self.Phi)

    def stored_energy(self) -> Scalar:
        """Return ½ R_m Phi²."""
        return 0.5 * self.R_m * self.Phi * self.Phi


class ConstantPermeance(FluxTube):
    """A constant permeance: Phi = G_m V_m."""

    G_m: kinds.Permeance = parameter("magnetic permeance", default=1.0)

    def laws(self) -> Iterator[Equation]:
        """Yield Phi = G_m V_m."""
        yield equal(self.Phi, self.G_m * self.V_m)

    def stored_energy(self) -> Scalar:
        """Return ½ G_m V_m²."""
        return 0.5 * self.G_m * self.V_m * self.V_m


class VariableReluctance(FluxTube):
    """A reluctance that is a signal: V_m = R_m Phi. The drive of R_m supplies power."""

    supplies_power: ClassVar[bool] = True

    R_m = signal_input("magnetic reluctance", "1/H")

    def laws(self) -> Iterator[Equation]:
        """Yield V_m = R_m Phi."""
        yield equal(self.V_m, self.R_m * self.Phi)


class EddyCurrent(FluxTube, WithHeatPort):
    """Eddy currents in a conducting flux tube: V_m = G dPhi/dt, G = A / (rho l)."""

    rho: kinds.Resistivity = parameter(
        "resistivity of the material; by default that of iron", default=IRON_RESISTIVITY
    )
    l: kinds.Length = parameter("mean length of the path of the current", default=1.0)
    A: kinds.PositiveArea = parameter("cross section of that path", default=1.0)
    useConductance: kinds.Boolean = parameter(
        "whether G is given, in place of rho, l and A", default=False
    )
    G: kinds.ConductanceOrZero = parameter(
        "conductance of that path", default=1.0 / IRON_RESISTIVITY
    )

    def equations(self) -> Iterator[Equation]:
        """Yield the balance of the flux, the law and the heat flow."""
        yield from FluxTube.equations(self)
        yield from self.heat_balance()

    def laws(self) -> Iterator[Equation]:
        """Yield V_m = G dPhi/dt."""
        conductance = self.G if self.useConductance else self.A / (self.rho * self.l)
        yield equal(self.V_m, conductance * der(self.Phi))

    def lossPower(self) -> Scalar:  # noqa: N802
        """Return V_m dPhi/dt: the power of the current."""
        return self.V_m * der(self.Phi)


class ElectroMagneticConverter(EquationPart):
    """An ideal coil of N turns: V_m = N i (Ampère), v = −N dPhi/dt (Faraday).

    A positive current drives flux out of port_p through the circuit into port_n.
    """

    p = electrical.port("positive pin")
    n = electrical.port("negative pin")
    port_p = magnetic.port("positive magnetic port")
    port_n = magnetic.port("negative magnetic port")
    N: kinds.Factor = parameter(
        "number of turns; negative wound the other way", default=1.0
    )
    v: kinds.Voltage = unknown("voltage")
    i: kinds.Current = unknown("current", state="prefer")
    V_m: kinds.MagneticPotential = unknown("port_p.V_m − port_n.V_m", nominal=100.0)
    Phi: kinds.MagneticFlux = unknown(
        "flux from port_p to port_n in the coil", nominal=1e-4
    )
    Psi: kinds.MagneticFlux = unknown("flux linkage N Phi", nominal=1e-2)

    def equations(self) -> Iterator[Equation]:
        """Yield the laws of Ampère and Faraday, and the balances."""
        yield equal(self.v, self.p.v - self.n.v)
        yield equal(self.i, self.p.i)
        yield balance(self.p.i, self.n.i)
        yield equal(self.V_m, self.port_p.V_m - self.port_n.V_m)
        yield equal(self.Phi, self.port_p.Phi)
        yield balance(self.port_p.Phi, self.port_n.Phi)
        yield equal(self.V_m, self.N * self.i)
        yield equal(self.N * der(self.Phi), -self.v)
        yield equal(self.Psi, self.N * self.Phi)
