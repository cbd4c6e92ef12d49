"""Semiconductors by their characteristics."""

from __future__ import annotations

import math
from collections.abc import Iterator

from motorik.algebra.scalar import Scalar, exp, log, where
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter
from motorik.components.base.equation_part import unknown
from motorik.components.electrical.interfaces import OnePort, WithTemperature
from motorik.equations.language import Equation, equal

BOLTZMANN = 1.380649e-23  # J/K
CHARGE = 1.602176634e-19  # C, of an electron


def characteristic(s: Scalar, largest: Scalar) -> tuple[Scalar, Scalar]:
    """Return x and eˣ at a position s on the curve: x = s below s = 1, eˣ = e s above.

    From x = largest on, the tangent continues the exponential. With s as unknown Newton's method
    converges where it would not with x, in which large currents are almost vertical.
    """
    end = exp(largest - 1.0)
    low, high = where(s < 1.0, s, 1.0), where(s < 1.0, 1.0, where(s < end, s, end))
    above = where(s < end, 1.0 + log(high), largest - 1.0 + s / end)
    return where(s < 1.0, s, above), where(s < 1.0, exp(low), math.e * s)


class Diode(OnePort, WithTemperature):
    """A diode by Shockley's law with a resistor beside it: i = Ids (e^(v / Vt) − 1) + v / R.

    Where the exponent is above Maxexp, its tangent continues the exponential. With
    useTemperatureDependency Vt is N k T / q, with Boltzmann's constant k and the charge q of an
    electron, and the current of the junction has the factor
    (T / TNOM)^(XTI / N) e^((T / TNOM − 1) EG / (N k T / q)).
    """

    Ids: kinds.Current = parameter("saturation current", default=1e-6)
    useTemperatureDependency: kinds.Boolean = parameter(
        "whether the current depends on the temperature", default=False
    )
    Vt: kinds.PositiveVoltage = parameter(
        "voltage equivalent of the temperature", default=0.04
    )
    Maxexp: kinds.PositiveFactor = parameter(
        "exponent from which on the tangent continues the exponential", default=15.0
    )
    R: kinds.PositiveResistance = parameter("resistance beside the junction", default=1e8)
    EG: kinds.Voltage = parameter("activation energy, in electron volts", default=1.11)
    N: kinds.PositiveFactor = parameter("emission coefficient", default=1.0)
    TNOM: kinds.Temperature = parameter(
        "temperature at which the parameters were measured", default=300.15
    )
    XTI: kinds.Factor = parameter(
        "exponent of the temperature in the saturation current", default=3.0
    )
    s: kinds.Number = unknown("position on the characteristic", unit="A", nominal=1e-3)

    def equations(self) -> Iterator[Equation]:
        """Yield voltage, current, the characteristic and the heat flow."""
        yield from OnePort.equations(self)
        yield from self.heat_balance()

    def laws(self) -> Iterator[Equation]:
        """Yield the characteristic."""
        Vt, factor = self.Vt, 1.0
        if self.useTemperatureDependency:
            T = self.temperature()
            Vt = self.N * BOLTZMANN * T / CHARGE
            warm = exp((T / self.TNOM - 1.0) * self.EG / Vt)
            factor = (T / self.TNOM) ** (self.XTI / self.N) * warm
        x, grown = characteristic(self.s / self.Ids, self.Maxexp)
        yield equal(self.v, Vt * x)
        yield equal(self.i, self.Ids * factor * (grown - 1.0) + self.v / self.R)

    def lossPower(self) -> Scalar:  # noqa: N802
        """Return v i."""
        return self.v * self.i
