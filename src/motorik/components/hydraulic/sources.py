"""Sources of hydraulics: tanks, given pressures and flows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_input
from motorik.components.base.equation_part import EquationPart
from motorik.components.domains import hydraulic
from motorik.equations.language import Equation, balance, equal


class Tank(EquationPart):
    """A tank at the pressure of the atmosphere: p = 0."""

    supplies_power: ClassVar[bool] = True
    port = hydraulic.port("hydraulic port")

    def equations(self) -> Iterator[Equation]:
        """Yield port.p = 0."""
        yield equal(self.port.p, 0.0)


class PressureSource(EquationPart):
    """A constant pressure, whatever flows."""

    supplies_power: ClassVar[bool] = True
    port = hydraulic.port("hydraulic port")
    p: kinds.Pressure = parameter("pressure", default=1e7)

    def equations(self) -> Iterator[Equation]:
        """Yield port.p = p."""
        yield equal(self.port.p, self.p)


class PrescribedPressure(EquationPart):
    """A pressure that is a signal, whatever flows."""

    supplies_power: ClassVar[bool] = True
    port = hydraulic.port("hydraulic port")
    p = signal_input("pressure", "Pa")

    def equations(self) -> Iterator[Equation]:
        """Yield port.p = p."""
        yield equal(self.port.p, self.p)


class FlowSource(EquationPart):
    """A constant volume flow into the connected part, whatever its pressure."""

    supplies_power: ClassVar[bool] = True
    port = hydraulic.port("hydraulic port")
    q: kinds.VolumeFlow = parameter("volume flow", default=1e-4)

    def equations(self) -> Iterator[Equation]:
        """Yield port.q = −q."""
        yield equal(self.port.q, -self.q)


class PrescribedFlow(EquationPart):
    """A volume flow into the connected part that is a signal, whatever its pressure."""

    supplies_power: ClassVar[bool] = True
    port = hydraulic.port("hydraulic port")
    q = signal_input("volume flow", "m3/s")

    def equations(self) -> Iterator[Equation]:
        """Yield port.q = −q."""
        yield balance(self.port.q, self.q)
