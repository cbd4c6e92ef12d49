"""Ground, resistors, capacitors, inductors, transformers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from motorik.algebra.scalar import Scalar, maximum, minimum
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_input
from motorik.components.base.equation_part import EquationPart, unknown
from motorik.components.domains import electrical
from motorik.components.electrical.interfaces import OnePort, TwoPort, WarmResistance
from motorik.equations.language import Equation, balance, der, equal


class Ground(EquationPart):
    """The ground: v = 0 V at its pin. Every circuit has one."""

    p = electrical.port("pin")

    def equations(self) -> Iterator[Equation]:
        """Yield v = 0."""
        yield equal(self.p.v, 0.0)


class _Resistive(OnePort, WarmResistance):
    """A one-port that turns all its power v i into heat."""

    def equations(self) -> Iterator[Equation]:
        """Yield voltage, current, the law and the heat flow."""
        yield from OnePort.equations(self)
        yield from self.heat_balance()

    def lossPower(self) -> Scalar:  # noqa: N802
        """Return v i."""
        return self.v * self.i


class Resistor(_Resistive):
    """A resistor: v = R (1 + α (T − T_ref)) i.

    T is the temperature of its heat port, if it has one, else a parameter.
    """

    R: kinds.Resistance = parameter("resistance at T_ref", default=1.0)

    def laws(self) -> Iterator[Equation]:
        """Yield v = R i, with R at the temperature of the part."""
        yield equal(self.v, self.R * self.warming() * self.i)


class HeatingResistor(_Resistive):
    """A resistor with a heat port: v = R_ref (1 + α (T − T_ref)) i."""

    R_ref: kinds.Resistance = parameter("resistance at T_ref", default=1.0)
    useHeatPort: kinds.Boolean = parameter("whether there is a heat port", default=True)

    def laws(self) -> Iterator[Equation]:
        """Yield v = R i, with R at the temperature of the part."""
        yield equal(self.v, self.R_ref * self.warming() * self.i)


class Conductor(_Resistive):
    """A conductor: i = G v / (1 + α (T − T_ref))."""

    G: kinds.Conductance = parameter("conductance at T_ref", default=1.0)

    def laws(self) -> Iterator[Equation]:
        """Yield i = G v, with G at the temperature of the part."""
        yield equal(self.warming() * self.i, self.G * self.v)


class VariableResistor(_Resistive):
    """A resistor whose resistance is a signal: v = R (1 + α (T − T_ref)) i."""

    R = signal_input("resistance at T_ref", unit="Ohm")

    def laws(self) -> Iterator[Equation]:
        """Yield v = R i."""
        yield equal(self.v, self.R * self.warming() * self.i)


class Potentiometer(WarmResistance):
    """A resistor with a sliding contact.

    The share r of its resistance, from 0 to 1, lies between the contact and pin_n, the share
    1 − r between pin_p and the contact. r is a signal or constant.
    """

    pin_p = electrical.port("positive pin")
    contact = electrical.port("sliding contact")
    pin_n = electrical.port("negative pin")
    r = signal_input("place of the contact: 0 at pin_n, 1 at pin_p", when="useRinput")
    R: kinds.Resistance = parameter("resistance at T_ref", default=1.0)
    T_ref: kinds.Temperature = parameter("reference temperature", default=293.15)
    useRinput: kinds.Boolean = parameter("whether r is a signal", default=False)
    rConstant: kinds.Share = parameter(
        "place of the contact: 0 at pin_n, 1 at pin_p", default=0.5
    )

    def equations(self) -> Iterator[Equation]:
        """Yield both resistances, the balance of currents and the heat flow."""
        r = minimum(1.0, maximum(0.0, self.r)) if self.useRinput else self.rConstant
        whole = self.R * self.warming()
        yield balance(self.pin_p.i, self.contact.i, self.pin_n.i)
        yield equal(self.pin_p.v - self.contact.v, whole * (1.0 - r) * self.pin_p.i)
        yield equal(self.pin_n.v - self.contact.v, whole * r * self.pin_n.i)
        yield from self.heat_balance()

    def lossPower(self) -> Scalar:  # noqa: N802
        """Return the power of both halves."""
        above = (self.pin_p.v - self.contact.v) * self.pin_p.i
        return above + (self.pin_n.v - self.contact.v) * self.pin_n.i


class Capacitor(OnePort):
    """A capacitor: C v̇ = i."""

    C: kinds.Capacitance = parameter("capacitance", default=1.0)
    v: kinds.Voltage = unknown("voltage from p to n", state="prefer")

    def laws(self) -> Iterator[Equation]:
        """Yield C v̇ = i."""
        yield equal(self.C * der(self.v), self.i)

    def stored_energy(self) -> Scalar:
        """Return ½ C v²."""
        return 0.5 * self.C * self.v * self.v


class Inductor(OnePort):
    """An inductor: L di/dt = v."""

    L: kinds.Inductance = parameter("inductance", default=1.0)
    i: kinds.Current = unknown("current from p to n through the part", state="prefer")

    def laws(self) -> Iterator[Equation]:
        """Yield L di/dt = v."""
        yield equal(self.L * der(self.i), self.v)

    def stored_energy(self) -> Scalar:
        """Return ½ L i²."""
        return 0.5 * self.L * self.i * self.i


class Transformer(TwoPort):
    """Two coupled inductors: v1 = L1 di1/dt + M di2/dt, v2 = M di1/dt + L2 di2/dt.

    With M² = L1 L2 the coupling is perfect, and one of the currents follows from the other.
    """

    L1: kinds.Inductance = parameter("primary inductance", default=1.0)
    L2: kinds.Inductance = parameter("secondary inductance", default=1.0)
    M: kinds.Inductance = parameter("mutual inductance", default=1.0)

    def laws(self) -> Iterator[Equation]:
        """Yield the voltages of both inductors."""
        yield equal(self.v1, self.L1 * der(self.i1) + self.M * der(self.i2))
        yield equal(self.v2, self.M * der(self.i1) + self.L2 * der(self.i2))

    def stored_energy(self) -> Scalar:
        """Return ½ L1 i1² + M i1 i2 + ½ L2 i2²."""
        own = self.L1 * self.i1 * self.i1 + self.L2 * self.i2 * self.i2
        return 0.5 * own + self.M * self.i1 * self.i2


class Gyrator(TwoPort):
    """A gyrator: i1 = G2 v2, i2 = −G1 v1."""

    supplies_power: ClassVar[bool] = True
    G1: kinds.Conductance = parameter("primary gyration conductance", default=1.0)
    G2: kinds.Conductance = parameter("secondary gyration conductance", default=1.0)

    def laws(self) -> Iterator[Equation]:
        """Yield both currents."""
        yield equal(self.i1, self.G2 * self.v2)
        yield equal(self.i2, -self.G1 * self.v1)
