"""Sensors of heat transfer."""

from __future__ import annotations

from collections.abc import Iterator

from motorik.components.base.declarations import signal_output
from motorik.components.base.equation_part import EquationPart
from motorik.components.domains import heat
from motorik.equations.language import Equation, balance, equal


class TemperatureSensor(EquationPart):
    """Measures the absolute temperature of a port; no heat flows into it."""

    port = heat.port("heat port")
    T = signal_output("temperature", "K")

    def equations(self) -> Iterator[Equation]:
        """Yield T = port.T, and no heat flow."""
        yield equal(self.T, self.port.T)
        yield equal(self.port.Q_flow, 0.0)


class RelTemperatureSensor(EquationPart):
    """Measures the difference of two temperatures; no heat flows into it."""

    port_a = heat.port("heat port")
    port_b = heat.port("heat port")
    T_rel = signal_output("port_a.T − port_b.T", "K")

    def equations(self) -> Iterator[Equation]:
        """Yield T_rel = port_a.T − port_b.T, and no heat flows."""
        yield equal(self.T_rel, self.port_a.T - self.port_b.T)
        yield equal(self.port_a.Q_flow, 0.0)
        yield equal(self.port_b.Q_flow, 0.0)


class HeatFlowSensor(EquationPart):
    """Measures the heat flow from port_a to port_b; their temperatures are equal."""

    port_a = heat.port("heat port")
    port_b = heat.port("heat port")
    Q_flow = signal_output("heat flow from port_a to port_b", "W")

    def equations(self) -> Iterator[Equation]:
        """Yield Q_flow = port_a.Q_flow, and equal temperatures."""
        yield equal(self.port_a.T, self.port_b.T)
        yield equal(self.Q_flow, self.port_a.Q_flow)
        yield balance(self.port_a.Q_flow, self.port_b.Q_flow)
