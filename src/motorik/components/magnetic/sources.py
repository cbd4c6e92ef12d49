"""Sources of magnetic circuits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_input
from motorik.components.base.equation_part import EquationPart
from motorik.components.domains import magnetic
from motorik.equations.language import Equation, balance, equal


class ConstantMagneticPotentialDifference(EquationPart):
    """A constant magnetomotive force: port_p.V_m − port_n.V_m = V_m."""

    supplies_power: ClassVar[bool] = True
    port_p = magnetic.port("positive magnetic port")
    port_n = magnetic.port("negative magnetic port")
    V_m: kinds.MagneticPotential = parameter("magnetomotive force", default=1.0)

    def equations(self) -> Iterator[Equation]:
        """Yield the potential difference, and the balance of the flux."""
        yield equal(self.port_p.V_m - self.port_n.V_m, self.V_m)
        yield balance(self.port_p.Phi, self.port_n.Phi)


class SignalMagneticPotentialDifference(EquationPart):
    """A magnetomotive force that is a signal: port_p.V_m − port_n.V_m = V_m."""

    supplies_power: ClassVar[bool] = True
    port_p = magnetic.port("positive magnetic port")
    port_n = magnetic.port("negative magnetic port")
    V_m = signal_input("magnetomotive force", "A")

    def equations(self) -> Iterator[Equation]:
        """Yield the potential difference, and the balance of the flux."""
        yield equal(self.port_p.V_m - self.port_n.V_m, self.V_m)
        yield balance(self.port_p.Phi, self.port_n.Phi)
