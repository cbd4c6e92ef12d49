"""Hydraulic volumes: lines and accumulators."""

from __future__ import annotations

from collections.abc import Iterator

from motorik.algebra.scalar import Scalar, exp, log, maximum, where
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter
from motorik.components.base.equation_part import EquationPart, unknown
from motorik.components.domains import hydraulic
from motorik.equations.language import Equation, der, equal
from motorik.numerics.tolerances import VACUUM

ATMOSPHERE = 101325.0  # Pa


class LineVolume(EquationPart):
    """The liquid in a line: (V / β + α V p_atm / (p + p_atm)²) dp/dt = q.

    Any number of ports may be connected to its port. α V is the volume of undissolved gas at
    atmospheric pressure, which expands at constant temperature as the pressure p, relative to the
    atmosphere, falls: so a line that is drained cavitates, and p stays above −p_atm. By default
    there is none, and a pull lowers p without limit.
    """

    port = hydraulic.port("hydraulic port")
    V: kinds.PositiveVolume = parameter("volume", default=1e-3)
    beta: kinds.PositivePressure = parameter("bulk modulus of the liquid", default=1.5e9)
    alpha: kinds.Share = parameter(
        "undissolved gas at atmospheric pressure, by the volume", default=0.0
    )
    p_atm: kinds.PositivePressure = parameter(
        "pressure of the atmosphere", default=ATMOSPHERE
    )
    p: kinds.Pressure = unknown("pressure", state="prefer", nominal=1e6)

    def equations(self) -> Iterator[Equation]:
        """Yield (1 + β α p_atm / (p + p_atm)²) V dp/dt = β q."""
        yield equal(self.p, self.port.p)
        ratio = 1.0 + self.p / self.p_atm
        gas = self.beta * self.alpha / (self.p_atm * (ratio * ratio + VACUUM))
        yield equal(self.V * (1.0 + gas) * der(self.p), self.beta * self.port.q)

    def stored_energy(self) -> Scalar:
        """Return V p² / (2 β), and the work ∫ p dV on the gas."""
        ratio = maximum(1.0 + self.p / self.p_atm, VACUUM)
        gas = self.alpha * self.V * self.p_atm * (log(ratio) + 1.0 / ratio - 1.0)
        return 0.5 * self.V * self.p * self.p / self.beta + gas


class Accumulator(EquationPart):
    """A gas behind a bladder: (p + p_atm) V_gasⁿ = (p_0 + p_atm) V_0ⁿ, dV_gas/dt = −q.

    n is 1 for slow changes at constant temperature, 1.4 for fast ones without heat flow. The
    pressure must stay above p_0, below which no liquid is left: V_liquid = V_0 − V_gas.
    """

    port = hydraulic.port("hydraulic port")
    V_0: kinds.PositiveVolume = parameter("volume of the gas without liquid", default=1e-3)
    p_0: kinds.Pressure = parameter("pressure of the gas without liquid", default=5e6)
    n: kinds.Exponent = parameter("polytropic exponent", default=1.4)
    p_atm: kinds.PositivePressure = parameter(
        "pressure of the atmosphere", default=ATMOSPHERE
    )
    p: kinds.Pressure = unknown("pressure", start=5e6, state="prefer", nominal=1e6)
    V_liquid: kinds.Volume = unknown("volume of the liquid in it", nominal=1e-3)

    def equations(self) -> Iterator[Equation]:
        """Yield the polytropic law, and its rate: V_gas dp/dt = n (p + p_atm) q."""
        yield equal(self.p, self.port.p)
        ratio = (self.p_0 + self.p_atm) / (self.p + self.p_atm)
        gas = self.V_0 * exp(log(ratio) / self.n)
        yield equal(self.V_liquid, self.V_0 - gas)
        yield equal(gas * der(self.p), self.n * (self.p + self.p_atm) * self.port.q)

    def stored_energy(self) -> Scalar:
        """Return the work ∫ p dV_liquid of the liquid since the accumulator was empty."""
        log_ratio = log((self.p + self.p_atm) / (self.p_0 + self.p_atm)) / self.n
        k = self.n - 1.0
        slow = where(k == 0.0, 1.0, 0.0)
        by_gas = where(slow > 0.5, log_ratio, (exp(k * log_ratio) - 1.0) / (k + slow))
        return (self.p_0 + self.p_atm) * self.V_0 * by_gas - self.p_atm * self.V_liquid
