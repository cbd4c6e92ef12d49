"""Elements of heat transfer: they store heat, or conduct it between two ports."""

from __future__ import annotations

from collections.abc import Iterator

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_input
from motorik.components.base.equation_part import EquationPart, unknown
from motorik.components.domains import heat
from motorik.equations.language import Equation, balance, der, equal

STEFAN_BOLTZMANN = 5.670374419e-8  # W/(m²·K⁴), CODATA 2018
ROOM_TEMPERATURE = 293.15  # K


class HeatCapacitor(EquationPart):
    """A body of uniform temperature: C dT/dt = Q_flow.

    The energy that it stores is counted from 293.15 K on: C (T − 293.15 K).
    """

    port = heat.port("heat port")
    C: kinds.HeatCapacity = parameter("heat capacity", default=1.0)
    T: kinds.Temperature = unknown(
        "temperature", start=ROOM_TEMPERATURE, state="prefer", nominal=300.0
    )
    der_T: kinds.Number = unknown("rate of T", unit="K/s")

    def equations(self) -> Iterator[Equation]:
        """Yield C dT/dt = Q_flow."""
        yield equal(self.T, self.port.T)
        yield equal(self.der_T, der(self.T))
        yield equal(self.C * self.der_T, self.port.Q_flow)

    def stored_energy(self) -> Scalar:
        """Return C (T − 293.15 K)."""
        return self.C * (self.T - ROOM_TEMPERATURE)


class HeatElement(EquationPart):
    """Heat flows from port_a to port_b, and none is stored; `law` relates Q_flow and dT."""

    port_a = heat.port("heat port")
    port_b = heat.port("heat port")
    Q_flow: kinds.HeatFlow = unknown("heat flow from port_a to port_b")
    dT: kinds.TemperatureDifference = unknown("port_a.T − port_b.T")

    def equations(self) -> Iterator[Equation]:
        """Yield the balance of the heat flows, and the law."""
        yield equal(self.dT, self.port_a.T - self.port_b.T)
        yield equal(self.Q_flow, self.port_a.Q_flow)
        yield balance(self.port_a.Q_flow, self.port_b.Q_flow)
        yield self.law()

    def law(self) -> Equation:
        """Return the relation of Q_flow and dT."""
        raise NotImplementedError


class ThermalConductor(HeatElement):
    """Conducts heat without storing it: Q_flow = G dT.

    A cuboid of cross section A and length L has G = k A / L with the thermal conductivity k, a
    hollow cylinder of length L with the radii r_a < r_b has G = 2 π k L / ln(r_b / r_a).
    """

    G: kinds.ThermalConductance = parameter("thermal conductance", default=1.0)

    def law(self) -> Equation:
        """Return Q_flow = G dT."""
        return equal(self.Q_flow, self.G * self.dT)


class ThermalResistor(HeatElement):
    """Conducts heat without storing it: dT = R Q_flow."""

    R: kinds.ThermalResistance = parameter("thermal resistance", default=1.0)

    def law(self) -> Equation:
        """Return dT = R Q_flow."""
        return equal(self.dT, self.R * self.Q_flow)


class BodyRadiation(HeatElement):
    """Radiation between two bodies: Q_flow = Gr σ (port_a.T⁴ − port_b.T⁴).

    σ = 5.670374419e-8 W/(m²·K⁴). A small body of area A and emissivity e in a large enclosure
    has Gr = e A; two parallel plates of area A have Gr = A / (1/e_a + 1/e_b − 1).
    """

    Gr: kinds.Area = parameter("net radiation conductance of the two surfaces", default=1.0)

    def law(self) -> Equation:
        """Return Q_flow = Gr σ (T_a⁴ − T_b⁴)."""
        squares = [port.T * port.T for port in (self.port_a, self.port_b)]
        fourth = squares[0] * squares[0] - squares[1] * squares[1]
        return equal(self.Q_flow, self.Gr * STEFAN_BOLTZMANN * fourth)


class ConvectionElement(EquationPart):
    """Heat flows from a surface to a fluid, and none is stored."""

    solid = heat.port("heat port of the surface")
    fluid = heat.port("heat port of the fluid")
    Q_flow: kinds.HeatFlow = unknown("heat flow from solid to fluid")
    dT: kinds.TemperatureDifference = unknown("solid.T − fluid.T")

    def equations(self) -> Iterator[Equation]:
        """Yield the balance of the heat flows, and the law."""
        yield equal(self.dT, self.solid.T - self.fluid.T)
        yield equal(self.Q_flow, self.solid.Q_flow)
        yield balance(self.solid.Q_flow, self.fluid.Q_flow)
        yield self.law()

    def law(self) -> Equation:
        """Return the relation of Q_flow and dT."""
        raise NotImplementedError


class Convection(ConvectionElement):
    """Convection with a conductance that is a signal: Q_flow = Gc dT.

    Gc = A h for a surface of area A with the heat transfer coefficient h, about
    5 to 25 W/(m²·K) for air at rest, 500 to 10000 W/(m²·K) for water in forced flow.
    """

    Gc = signal_input("convective thermal conductance", "W/K")

    def law(self) -> Equation:
        """Return Q_flow = Gc dT."""
        return equal(self.Q_flow, self.Gc * self.dT)


class ConvectiveResistor(ConvectionElement):
    """Convection with a resistance that is a signal: dT = Rc Q_flow."""

    Rc = signal_input("convective thermal resistance", "K/W")

    def law(self) -> Equation:
        """Return dT = Rc Q_flow."""
        return equal(self.dT, self.Rc * self.Q_flow)


class ThermalCollector(EquationPart):
    """Gathers the heat flows of any number of parts: port_a.T = port_b.T.

    Any number of ports may be connected to port_a; port_b.Q_flow is minus the sum of their flows.
    """

    port_a = heat.port("where the heat flows come in")
    port_b = heat.port("where their sum goes out")

    def equations(self) -> Iterator[Equation]:
        """Yield the balance of the heat flows, and equal temperatures."""
        yield equal(self.port_a.T, self.port_b.T)
        yield balance(self.port_a.Q_flow, self.port_b.Q_flow)
