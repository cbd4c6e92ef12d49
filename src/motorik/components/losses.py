"""Losses of forces that warm something: a heat port that gives off the lost power."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, GivenFlow, Measurement
from motorik.components.base.declarations import parameter
from motorik.components.base.part import DeclaredPart
from motorik.components.base.ports import SignalOutput
from motorik.components.base.resolving import Values
from motorik.components.domains import heat

TEMPERATURE = "heatPort.temperature"


class LossyPart(DeclaredPart):
    """A part whose result variable lossPower flows out of `heatPort` as heat, if that is used.

    Connecting heatPort is enough; useHeatPort=True demands that it is connected.
    """

    loss_level: ClassVar[int] = 1  # of the measurement: 1 of speeds, 2 of nonsmooth forces
    needs_temperature: ClassVar[bool] = False

    heatPort = heat.port("gives off the lost power as heat", when="useHeatPort")
    useHeatPort: kinds.Boolean = parameter("whether there is a heat port", default=False)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the lost power as a heat flow out of the part."""
        yield from super().contributions(p)
        yield from self.heat_of_losses(p)

    def heat_of_losses(self, p: Values) -> Iterable[Contribution]:
        """Yield the heat flow out of the heat port, if there is one."""
        if not p.useHeatPort:
            return
        lost, power = self.variables(p)["lossPower"].value, self.hidden("heatPort.power")
        yield Measurement(self, (power,), lambda motion: (lost(motion),), self.loss_level)
        level = self.hidden(TEMPERATURE) if self.needs_temperature else None
        yield GivenFlow(self, self.heatPort, power, level)

    def hidden(self, name: str) -> SignalOutput:
        """Return a signal within the part, the same object each time."""
        known: dict[str, SignalOutput] = self.__dict__.setdefault("_hidden_signals", {})
        return known.setdefault(name, SignalOutput(self, name))
