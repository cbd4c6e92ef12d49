"""Sources of voltage and current: constant, given by a signal, or functions of time.

Those that are functions of time have the shapes of the blocks of the same names.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import ClassVar

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_input
from motorik.components.base.equation_part import EquationPart, unknown
from motorik.components.blocks import sources as blocks
from motorik.components.domains import electrical
from motorik.components.electrical.interfaces import OnePort
from motorik.equations.language import Equation, balance, equal


class ConstantVoltage(OnePort):
    """A constant voltage: v = V."""

    supplies_power: ClassVar[bool] = True
    V: kinds.Voltage = parameter("voltage", default=1.0)

    def laws(self) -> Iterator[Equation]:
        """Yield v = V."""
        yield equal(self.v, self.V)


class ConstantCurrent(OnePort):
    """A constant current from p to n through the source: i = I."""

    supplies_power: ClassVar[bool] = True
    I: kinds.Current = parameter("current", default=1.0)

    def laws(self) -> Iterator[Equation]:
        """Yield i = I."""
        yield equal(self.i, self.I)


class SignalVoltage(EquationPart):
    """A voltage that is a signal: p.v − n.v = v."""

    supplies_power: ClassVar[bool] = True
    p = electrical.port("positive pin")
    n = electrical.port("negative pin")
    v = signal_input("voltage from p to n", unit="V")
    i: kinds.Current = unknown("current from p to n through the source")

    def equations(self) -> Iterator[Equation]:
        """Yield p.v − n.v = v, and the current."""
        yield equal(self.p.v - self.n.v, self.v)
        yield equal(self.i, self.p.i)
        yield balance(self.p.i, self.n.i)


class SignalCurrent(EquationPart):
    """A current that is a signal: i flows from p to n through the source."""

    supplies_power: ClassVar[bool] = True
    p = electrical.port("positive pin")
    n = electrical.port("negative pin")
    i = signal_input("current from p to n through the source", unit="A")
    v: kinds.Voltage = unknown("voltage from p to n")

    def equations(self) -> Iterator[Equation]:
        """Yield p.i = i, and the voltage."""
        yield equal(self.v, self.p.v - self.n.v)
        yield equal(self.p.i, self.i)
        yield balance(self.p.i, self.n.i)


# --- functions of time ------------------------------------------------------------------------


class _OfTime(OnePort):
    """A source whose voltage or current is a function of time."""

    supplies_power: ClassVar[bool] = True
    offset: kinds.Number = parameter("offset", default=0.0)
    startTime: kinds.Time = parameter("start time", default=0.0)

    def value(self, height: Scalar) -> Scalar:
        """Return the function of time, offset included."""
        raise NotImplementedError

    def of_block(self, block: type[blocks.Source], **own: object) -> Scalar:
        """Return the value of a block that is a function of time."""
        p = SimpleNamespace(offset=self.offset, startTime=self.startTime, **own)
        return block.law(p, self.time, (), ())[0]


class _VoltageOfTime(_OfTime):
    """A voltage that is a function of time, whose amplitude or height is V."""

    V: kinds.Voltage = parameter("amplitude or height", default=1.0)
    offset: kinds.Number = parameter("offset of the voltage", unit="V", default=0.0)

    def laws(self) -> Iterator[Equation]:
        """Yield v = the function of time."""
        yield equal(self.v, self.value(self.V))


class _CurrentOfTime(_OfTime):
    """A current that is a function of time, whose amplitude or height is I."""

    I: kinds.Current = parameter("amplitude or height", default=1.0)
    offset: kinds.Number = parameter("offset of the current", unit="A", default=0.0)

    def laws(self) -> Iterator[Equation]:
        """Yield i = the function of time."""
        yield equal(self.i, self.value(self.I))


class _Wave(_OfTime):
    f: kinds.Frequency = parameter("frequency", default=1.0)
    phase: kinds.Angle = parameter("phase", default=0.0)

    def wave(self) -> dict[str, object]:
        """Return the parameters that waves share."""
        return {"f": self.f, "phase": self.phase, "continuous": False}


class _Sine(_Wave):
    def value(self, height: Scalar) -> Scalar:
        """Return offset + height sin(2π f (t − startTime) + phase) from startTime on."""
        return self.of_block(blocks.Sine, amplitude=height, **self.wave())


class _Cosine(_Wave):
    def value(self, height: Scalar) -> Scalar:
        """Return offset + height cos(2π f (t − startTime) + phase) from startTime on."""
        return self.of_block(blocks.Cosine, amplitude=height, **self.wave())


class _ExpSine(_Wave):
    damping: kinds.Rate = parameter("rate of decay", default=1.0)

    def value(self, height: Scalar) -> Scalar:
        """Return offset + height e^(−damping τ) sin(2π f τ + phase), τ = t − startTime."""
        own = {"damping": self.damping, **self.wave()}
        return self.of_block(blocks.ExpSine, amplitude=height, **own)


class _Step(_OfTime):
    def value(self, height: Scalar) -> Scalar:
        """Return offset, plus height from startTime on."""
        return self.of_block(blocks.Step, height=height)


class _Ramp(_OfTime):
    duration: kinds.Duration = parameter("duration of the rise", default=2.0)

    def value(self, height: Scalar) -> Scalar:
        """Return offset, rising by height within the duration from startTime on."""
        return self.of_block(blocks.Ramp, height=height, duration=self.duration)


class _Pulse(_OfTime):
    width: kinds.Percentage = parameter(
        "width of a pulse in percent of the period", default=50.0
    )
    period: kinds.Duration = parameter("time from one pulse to the next", default=1.0)

    def value(self, height: Scalar) -> Scalar:
        """Return offset, plus height for `width` percent of each period."""
        own = {"width": self.width, "period": self.period, "nperiod": -1}
        return self.of_block(blocks.Pulse, amplitude=height, **own)


class _SawTooth(_OfTime):
    period: kinds.Duration = parameter("time from one tooth to the next", default=1.0)

    def value(self, height: Scalar) -> Scalar:
        """Return offset, rising by height in each period."""
        own = {"period": self.period, "nperiod": -1}
        return self.of_block(blocks.SawTooth, amplitude=height, **own)


class _Trapezoid(_OfTime):
    rising: kinds.DurationOrZero = parameter("duration of the rise", default=0.0)
    width: kinds.DurationOrZero = parameter("duration of the plateau", default=0.5)
    falling: kinds.DurationOrZero = parameter("duration of the fall", default=0.0)
    period: kinds.Duration = parameter("time from one pulse to the next", default=1.0)
    nperiod: kinds.CountOrEndless = parameter("number of pulses, −1 for no end", default=-1)

    def value(self, height: Scalar) -> Scalar:
        """Return offset, plus a trapezoid of this height in each period."""
        names = ("rising", "width", "falling", "period", "nperiod")
        own = {name: getattr(self, name) for name in names}
        return self.of_block(blocks.Trapezoid, amplitude=height, **own)


class SineVoltage(_Sine, _VoltageOfTime):
    """v = offset + V sin(2π f (t − startTime) + phase), before startTime offset."""


class CosineVoltage(_Cosine, _VoltageOfTime):
    """v = offset + V cos(2π f (t − startTime) + phase), before startTime offset."""


class ExpSineVoltage(_ExpSine, _VoltageOfTime):
    """v = offset + V e^(−damping τ) sin(2π f τ + phase), τ = t − startTime; before, offset."""


class StepVoltage(_Step, _VoltageOfTime):
    """v = offset, plus V from startTime on."""


class RampVoltage(_Ramp, _VoltageOfTime):
    """v = offset, rising by V within `duration` from startTime on."""


class PulseVoltage(_Pulse, _VoltageOfTime):
    """v = offset, plus V for `width` percent of each period."""


class SawToothVoltage(_SawTooth, _VoltageOfTime):
    """v = offset, rising by V in each period, then back at once."""


class TrapezoidVoltage(_Trapezoid, _VoltageOfTime):
    """v = offset, plus a trapezoidal pulse of height V in each period."""


class SineCurrent(_Sine, _CurrentOfTime):
    """i = offset + I sin(2π f (t − startTime) + phase), before startTime offset."""


class CosineCurrent(_Cosine, _CurrentOfTime):
    """i = offset + I cos(2π f (t − startTime) + phase), before startTime offset."""


class ExpSineCurrent(_ExpSine, _CurrentOfTime):
    """i = offset + I e^(−damping τ) sin(2π f τ + phase), τ = t − startTime; before, offset."""


class StepCurrent(_Step, _CurrentOfTime):
    """i = offset, plus I from startTime on."""


class RampCurrent(_Ramp, _CurrentOfTime):
    """i = offset, rising by I within `duration` from startTime on."""


class PulseCurrent(_Pulse, _CurrentOfTime):
    """i = offset, plus I for `width` percent of each period."""


class SawToothCurrent(_SawTooth, _CurrentOfTime):
    """i = offset, rising by I in each period, then back at once."""


class TrapezoidCurrent(_Trapezoid, _CurrentOfTime):
    """i = offset, plus a trapezoidal pulse of height I in each period."""
