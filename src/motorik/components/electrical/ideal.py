"""Ideal electrical parts: transformers, amplifiers, short and open circuits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from motorik.algebra.scalar import Scalar, fabs, where
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter
from motorik.components.base.equation_part import EquationPart, unknown
from motorik.components.domains import electrical
from motorik.components.electrical.interfaces import OnePort, TwoPort
from motorik.equations.language import Equation, balance, der, equal


class Short(OnePort):
    """A connection without resistance: v = 0."""

    def laws(self) -> Iterator[Equation]:
        """Yield v = 0."""
        yield equal(self.v, 0.0)


class Idle(OnePort):
    """An open circuit: i = 0."""

    def laws(self) -> Iterator[Equation]:
        """Yield i = 0."""
        yield equal(self.i, 0.0)


class IdealTransformer(TwoPort):
    """An ideal transformer: v1 = n v2, i1 + i2 / n = i_m.

    The magnetising current i_m is zero, or with considerMagnetization v1 = Lm1 di_m/dt. Without
    magnetisation it transforms direct current as well.
    """

    n: kinds.Factor = parameter("turns ratio, primary to secondary voltage", default=1.0)
    considerMagnetization: kinds.Boolean = parameter(
        "whether there is a magnetising current", default=False
    )
    Lm1: kinds.Inductance = parameter(
        "magnetisation inductance, seen from the primary side", default=1.0
    )
    im1: kinds.Current = unknown("magnetising current, seen from the primary side")

    def laws(self) -> Iterator[Equation]:
        """Yield the ratios of voltages and currents, and the magnetising current."""
        yield equal(self.im1, self.i1 + self.i2 / self.n)
        yield equal(self.v1, self.n * self.v2)
        if self.considerMagnetization:
            yield equal(self.v1, self.Lm1 * der(self.im1))
        else:
            yield equal(self.im1, 0.0)

    def stored_energy(self) -> Scalar:
        """Return ½ Lm1 i_m²."""
        return 0.5 * self.Lm1 * self.im1 * self.im1


# --- operational amplifiers -------------------------------------------------------------------


class IdealOpAmp(TwoPort):
    """An ideal operational amplifier with differential output: v1 = 0 and i1 = 0 at its input.

    Voltage and current at its output follow from the circuit around it, which must lead the output
    back to the negative input.
    """

    supplies_power: ClassVar[bool] = True

    def laws(self) -> Iterator[Equation]:
        """Yield v1 = 0 and i1 = 0."""
        yield equal(self.v1, 0.0)
        yield equal(self.i1, 0.0)


class IdealOpAmp3Pin(EquationPart):
    """An ideal operational amplifier: equal potentials at its inputs, which take no current.

    The output has any potential and current that the circuit needs, which must lead it back to the
    negative input.
    """

    supplies_power: ClassVar[bool] = True
    in_p = electrical.port("positive input")
    in_n = electrical.port("negative input")
    out = electrical.port("output")

    def equations(self) -> Iterator[Equation]:
        """Yield in_p.v = in_n.v, without currents."""
        yield equal(self.in_p.v, self.in_n.v)
        yield equal(self.in_p.i, 0.0)
        yield equal(self.in_n.i, 0.0)


class IdealizedOpAmpLimited(EquationPart):
    """An operational amplifier of finite gain V0 whose output stays within its supply.

    out.v = V0 (in_p.v − in_n.v), limited to the supply: Vns to Vps, or the potentials of the pins
    s_n and s_p with useSupply, which then take the power that the output gives.
    """

    supplies_power: ClassVar[bool] = True
    in_p = electrical.port("positive input")
    in_n = electrical.port("negative input")
    out = electrical.port("output")
    s_p = electrical.port("positive supply", when="useSupply")
    s_n = electrical.port("negative supply", when="useSupply")
    V0: kinds.Factor = parameter("gain without load", default=15000.0)
    useSupply: kinds.Boolean = parameter("whether there are supply pins", default=False)
    Vps: kinds.Voltage = parameter("positive supply voltage", default=15.0)
    Vns: kinds.Voltage = parameter("negative supply voltage", default=-15.0)

    def equations(self) -> Iterator[Equation]:
        """Yield the output, inputs without current, and the current of the supply."""
        high, low = (self.s_p.v, self.s_n.v) if self.useSupply else (self.Vps, self.Vns)
        wanted = self.V0 * (self.in_p.v - self.in_n.v)
        limited = where(wanted > high, high, where(wanted < low, low, wanted))
        yield equal(self.in_p.i, 0.0)
        yield equal(self.in_n.i, 0.0)
        yield equal(self.out.v, limited)
        if self.useSupply:
            yield equal(self.s_p.i * (high - low), -self.out.v * self.out.i)
            yield balance(self.s_p.i, self.s_n.i)


class OpAmp(EquationPart):
    """An operational amplifier whose output tends smoothly to its limits VMax and VMin.

    With u = in_p.v − in_n.v and half the range h = (VMax.v − VMin.v) / 2:
    out.v = (VMax.v + VMin.v) / 2 + |Slope| u / (1 + |Slope u| / h). No pin but out takes current.
    """

    supplies_power: ClassVar[bool] = True
    in_p = electrical.port("positive input")
    in_n = electrical.port("negative input")
    out = electrical.port("output")
    VMax = electrical.port("upper limit of the output")
    VMin = electrical.port("lower limit of the output")
    Slope: kinds.Factor = parameter("gain at u = 0", default=10000.0)

    def equations(self) -> Iterator[Equation]:
        """Yield the output, and inputs without current."""
        for pin in (self.in_p, self.in_n, self.VMax, self.VMin):
            yield equal(pin.i, 0.0)
        wanted = fabs(self.Slope) * (self.in_p.v - self.in_n.v)
        half = 0.5 * (self.VMax.v - self.VMin.v)
        middle = 0.5 * (self.VMax.v + self.VMin.v)
        yield equal(self.out.v, middle + wanted / (1.0 + fabs(wanted) / half))
