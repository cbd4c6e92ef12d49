"""Sources of heat transfer: given temperatures and heat flows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_input
from motorik.components.base.equation_part import EquationPart
from motorik.components.domains import heat
from motorik.components.heat.elements import ROOM_TEMPERATURE
from motorik.equations.language import Equation, equal


class FixedTemperature(EquationPart):
    """A constant temperature, whatever heat flows: an infinite capacity."""

    supplies_power: ClassVar[bool] = True
    port = heat.port("heat port")
    T: kinds.Temperature = parameter("temperature", default=ROOM_TEMPERATURE)

    def equations(self) -> Iterator[Equation]:
        """Yield port.T = T."""
        yield equal(self.port.T, self.T)


class PrescribedTemperature(EquationPart):
    """A temperature that is a signal, whatever heat flows."""

    supplies_power: ClassVar[bool] = True
    port = heat.port("heat port")
    T = signal_input("temperature", "K")

    def equations(self) -> Iterator[Equation]:
        """Yield port.T = T."""
        yield equal(self.port.T, self.T)


class HeatSource(EquationPart):
    """A heat flow into the connected part, that may depend on its temperature."""

    supplies_power: ClassVar[bool] = True
    port = heat.port("heat port")
    Q_flow: Scalar
    T_ref: kinds.Temperature = parameter(
        "temperature at which Q_flow is given", default=ROOM_TEMPERATURE
    )
    alpha: kinds.PerTemperature = parameter(
        "relative change of the heat flow with temperature", default=0.0
    )

    def equations(self) -> Iterator[Equation]:
        """Yield port.Q_flow = −Q_flow (1 + alpha (port.T − T_ref))."""
        factor = 1.0 + self.alpha * (self.port.T - self.T_ref)
        yield equal(self.port.Q_flow, -self.Q_flow * factor)


class FixedHeatFlow(HeatSource):
    """A heat flow into the connected part: Q_flow (1 + alpha (port.T − T_ref))."""

    Q_flow: kinds.HeatFlow = parameter("heat flow at T_ref", default=1.0)


class PrescribedHeatFlow(HeatSource):
    """A heat flow that is a signal: Q_flow (1 + alpha (port.T − T_ref))."""

    Q_flow = signal_input("heat flow at T_ref", "W")
