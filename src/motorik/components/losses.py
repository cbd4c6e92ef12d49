"""Losses of forces that warm something: a heat port that gives off the lost power."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, GivenFlow, Measurement
from motorik.components.base.declarations import parameter
from motorik.components.base.part import DeclaredPart, Part
from motorik.components.base.ports import SignalOutput
from motorik.components.base.resolving import Values
from motorik.components.domains import heat
from motorik.errors import ParameterError

TEMPERATURE = "heatPort.temperature"


HEAT_PORT = "gives off the lost power as heat"


def heat_of_losses(
    part: Part, p: Values, level: int, needs_temperature: bool = False
) -> Iterable[Contribution]:
    """Yield the flow of `lossPower` out of the `heatPort` of a part, if that is used.

    `level` is that of the measurement of the power; with `needs_temperature` the part reads the
    temperature of its heat port.
    """
    if not p.useHeatPort:
        return
    lost, power = part.variables(p)["lossPower"].value, hidden(part, "heatPort.power")
    yield Measurement(part, (power,), lambda motion: (lost(motion),), level)
    temperature = hidden(part, TEMPERATURE) if needs_temperature else None
    yield GivenFlow(part, part.__dict__["heatPort"], power, temperature)


def hidden(part: Part, name: str) -> SignalOutput:
    """Return a signal within a part, the same object each time."""
    known: dict[str, SignalOutput] = part.__dict__.setdefault("_hidden_signals", {})
    return known.setdefault(name, SignalOutput(part, name))


def refuse_heat_without_friction(part: Part) -> None:
    """Refuse a heat port of a joint that nothing heats."""
    raise ParameterError(
        part.label,
        "has a heat port, and no friction that would give off heat there.",
        "Give it friction, e.g. Coulomb(tau=1.0), or leave useHeatPort out.",
        parameter="useHeatPort",
        value=True,
    )


class LossyPart(DeclaredPart):
    """A part whose result variable lossPower flows out of `heatPort` as heat, if that is used.

    Connecting heatPort is enough; useHeatPort=True demands that it is connected.
    """

    loss_level: ClassVar[int] = 1  # of the measurement: 1 of speeds, 2 of nonsmooth forces
    needs_temperature: ClassVar[bool] = False

    heatPort = heat.port(HEAT_PORT, when="useHeatPort")
    useHeatPort: kinds.Boolean = parameter("whether there is a heat port", default=False)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the lost power as a heat flow out of the part."""
        yield from super().contributions(p)
        yield from self.heat_of_losses(p)

    def heat_of_losses(self, p: Values) -> Iterable[Contribution]:
        """Yield the heat flow out of the heat port, if there is one."""
        yield from heat_of_losses(self, p, self.loss_level, self.needs_temperature)

    def hidden(self, name: str) -> SignalOutput:
        """Return a signal within the part, the same object each time."""
        return hidden(self, name)
