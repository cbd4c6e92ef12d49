"""Sensors of hydraulics."""

from __future__ import annotations

from collections.abc import Iterator

from motorik.components.base.declarations import signal_output
from motorik.components.base.equation_part import EquationPart
from motorik.components.domains import hydraulic
from motorik.equations.language import Equation, balance, equal


class PressureSensor(EquationPart):
    """Measures the pressure of a port; nothing flows into it."""

    port = hydraulic.port("hydraulic port")
    p = signal_output("pressure", "Pa")

    def equations(self) -> Iterator[Equation]:
        """Yield p = port.p, and no flow."""
        yield equal(self.p, self.port.p)
        yield equal(self.port.q, 0.0)


class RelPressureSensor(EquationPart):
    """Measures the difference of two pressures; nothing flows into it."""

    port_a = hydraulic.port("hydraulic port")
    port_b = hydraulic.port("hydraulic port")
    p_rel = signal_output("port_a.p − port_b.p", "Pa")

    def equations(self) -> Iterator[Equation]:
        """Yield p_rel = port_a.p − port_b.p, and no flows."""
        yield equal(self.p_rel, self.port_a.p - self.port_b.p)
        yield equal(self.port_a.q, 0.0)
        yield equal(self.port_b.q, 0.0)


class FlowSensor(EquationPart):
    """Measures the volume flow from port_a to port_b; their pressures are equal."""

    port_a = hydraulic.port("hydraulic port")
    port_b = hydraulic.port("hydraulic port")
    q = signal_output("volume flow from port_a to port_b", "m3/s")

    def equations(self) -> Iterator[Equation]:
        """Yield q = port_a.q, and equal pressures."""
        yield equal(self.port_a.p, self.port_b.p)
        yield equal(self.q, self.port_a.q)
        yield balance(self.port_a.q, self.port_b.q)
