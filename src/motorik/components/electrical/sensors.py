"""Electrical sensors: no current flows through voltage paths, no voltage drops in current paths."""

from __future__ import annotations

from collections.abc import Iterator

from motorik.components.base.declarations import signal_output
from motorik.components.base.equation_part import EquationPart
from motorik.components.domains import electrical
from motorik.equations.language import Equation, balance, equal


class PotentialSensor(EquationPart):
    """Measures the potential of a pin: phi = p.v."""

    p = electrical.port("pin")
    phi = signal_output("potential of the pin", unit="V")

    def equations(self) -> Iterator[Equation]:
        """Yield phi = p.v, without current."""
        yield equal(self.p.i, 0.0)
        yield equal(self.phi, self.p.v)


class VoltageSensor(EquationPart):
    """Measures the voltage between two pins: v = p.v − n.v."""

    p = electrical.port("positive pin")
    n = electrical.port("negative pin")
    v = signal_output("voltage from p to n", unit="V")

    def equations(self) -> Iterator[Equation]:
        """Yield v = p.v − n.v, without current."""
        yield equal(self.p.i, 0.0)
        yield equal(self.n.i, 0.0)
        yield equal(self.v, self.p.v - self.n.v)


class CurrentSensor(EquationPart):
    """Measures the current from p to n through it."""

    p = electrical.port("positive pin")
    n = electrical.port("negative pin")
    i = signal_output("current from p to n", unit="A")

    def equations(self) -> Iterator[Equation]:
        """Yield i = p.i, without voltage."""
        yield equal(self.p.v, self.n.v)
        yield equal(self.i, self.p.i)
        yield balance(self.p.i, self.n.i)


class PowerSensor(EquationPart):
    """Measures power: the voltage between pv and nv times the current from pc to nc."""

    pc = electrical.port("positive pin of the current path")
    nc = electrical.port("negative pin of the current path")
    pv = electrical.port("positive pin of the voltage path")
    nv = electrical.port("negative pin of the voltage path")
    power = signal_output("power", unit="W")

    def equations(self) -> Iterator[Equation]:
        """Yield the power, without voltage in the current path or current in the other."""
        yield equal(self.pc.v, self.nc.v)
        yield balance(self.pc.i, self.nc.i)
        yield equal(self.pv.i, 0.0)
        yield equal(self.nv.i, 0.0)
        yield equal(self.power, (self.pv.v - self.nv.v) * self.pc.i)


class MultiSensor(EquationPart):
    """Measures current, voltage and power: i from pc to nc, v between pv and nv, power = v i."""

    pc = electrical.port("positive pin of the current path")
    nc = electrical.port("negative pin of the current path")
    pv = electrical.port("positive pin of the voltage path")
    nv = electrical.port("negative pin of the voltage path")
    i = signal_output("current from pc to nc", unit="A")
    v = signal_output("voltage from pv to nv", unit="V")
    power = signal_output("power", unit="W")

    def equations(self) -> Iterator[Equation]:
        """Yield current, voltage and power."""
        yield equal(self.pc.v, self.nc.v)
        yield balance(self.pc.i, self.nc.i)
        yield equal(self.pv.i, 0.0)
        yield equal(self.nv.i, 0.0)
        yield equal(self.i, self.pc.i)
        yield equal(self.v, self.pv.v - self.nv.v)
        yield equal(self.power, (self.pv.v - self.nv.v) * self.pc.i)
