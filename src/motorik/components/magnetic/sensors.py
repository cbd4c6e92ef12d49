"""Sensors of magnetic circuits."""

from __future__ import annotations

from collections.abc import Iterator

from motorik.components.base.declarations import signal_output
from motorik.components.base.equation_part import EquationPart
from motorik.components.domains import magnetic
from motorik.equations.language import Equation, balance, equal


class MagneticFluxSensor(EquationPart):
    """Measures the flux from port_p to port_n; their potentials are equal."""

    port_p = magnetic.port("positive magnetic port")
    port_n = magnetic.port("negative magnetic port")
    Phi = signal_output("flux from port_p to port_n", "Wb")

    def equations(self) -> Iterator[Equation]:
        """Yield Phi = port_p.Phi, and equal potentials."""
        yield equal(self.port_p.V_m, self.port_n.V_m)
        yield equal(self.Phi, self.port_p.Phi)
        yield balance(self.port_p.Phi, self.port_n.Phi)


class MagneticPotentialDifferenceSensor(EquationPart):
    """Measures port_p.V_m − port_n.V_m; no flux enters it."""

    port_p = magnetic.port("positive magnetic port")
    port_n = magnetic.port("negative magnetic port")
    V_m = signal_output("port_p.V_m − port_n.V_m", "A")

    def equations(self) -> Iterator[Equation]:
        """Yield V_m, and no flux."""
        yield equal(self.V_m, self.port_p.V_m - self.port_n.V_m)
        yield equal(self.port_p.Phi, 0.0)
        yield equal(self.port_n.Phi, 0.0)
