"""Losses of parts written as equations: a heat port that gives off the lost power."""

from __future__ import annotations

from collections.abc import Iterator

from motorik.components.base import kinds
from motorik.components.base.declarations import parameter
from motorik.components.base.equation_part import EquationPart
from motorik.components.domains import heat
from motorik.components.losses import HEAT_PORT
from motorik.equations.language import Equation, equal


class WithHeatPort(EquationPart):
    """A part whose losses, its `lossPower`, leave it through a heat port, if it has one."""

    heatPort = heat.port(HEAT_PORT, when="useHeatPort")
    useHeatPort: kinds.Boolean = parameter("whether there is a heat port", default=False)

    def heat_balance(self) -> Iterator[Equation]:
        """Yield that the losses flow out of the heat port, if there is one."""
        if self.useHeatPort:
            yield equal(self.heatPort.Q_flow, -self.lossPower())
