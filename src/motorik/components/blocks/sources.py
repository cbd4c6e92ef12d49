"""Sources of signals: constants, functions of time, and quantities of the motion."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, Measurement
from motorik.components.base.motion import seen_by
from motorik.components.base.part import (
    DeclaredSignals,
    parameter,
    signal_input,
    signal_output,
)
from motorik.components.base.ports import Port
from motorik.components.base.user_law import check_arguments
from motorik.components.base.values import Start
from motorik.components.blocks.block import (
    Scalars,
    Source,
    unchanged,
    with_law,
)
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class Constant(Source):
    """A constant: y = k."""

    k: kinds.Number = parameter("the value", default=1.0)

    @staticmethod
    def law(p: Constant, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return k."""
        return (p.k,)


class _FromStartTime(Source):
    """A function of the time since startTime; before, the signal is at its offset."""

    offset: kinds.Number = parameter(
        "offset of y, and its value before startTime", default=0.0
    )
    startTime: kinds.Time = parameter("start time", default=0.0)


class ContinuousClock(_FromStartTime):
    """The time since startTime: y = offset + t − startTime."""

    @staticmethod
    def law(
        p: ContinuousClock, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return offset + t − startTime, from startTime on."""
        return (p.offset + s.where(t < p.startTime, 0.0, t - p.startTime),)


class Ramp(_FromStartTime):
    """Rises linearly by `height` within `duration` seconds from startTime on, then stays constant.

    Integration steps end at its corners.
    """

    height: kinds.Number = parameter("height of the ramp", default=1.0)
    duration: kinds.Duration = parameter("duration of the rise", default=2.0)

    @staticmethod
    def law(p: Ramp, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return offset + height · (t − startTime) / duration, limited to the two ends."""
        share = (t - p.startTime) / p.duration
        share = s.where(share < 0.0, 0.0, s.where(share > 1.0, 1.0, share))
        return (p.offset + p.height * share,)


class Step(_FromStartTime):
    """A step: y = offset, plus height from startTime on. An integration step ends there."""

    height: kinds.Number = parameter("height of the step", default=1.0)

    @staticmethod
    def law(p: Step, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return offset, plus height from startTime on."""
        return (p.offset + s.where(t < p.startTime, 0.0, p.height),)


class Pulse(_FromStartTime):
    """Periodic rectangular pulses: offset, plus amplitude for `width` percent of each period.

    `nperiod` is the number of pulses, −1 for no end. Integration steps end at its corners.
    """

    amplitude: kinds.Number = parameter("height of the pulse", default=1.0)
    width: kinds.Percentage = parameter(
        "width of a pulse in percent of the period", default=50.0
    )
    period: kinds.Duration = parameter("time from one pulse to the next", default=1.0)
    nperiod: kinds.CountOrEndless = parameter("number of pulses, −1 for no end", default=-1)

    @staticmethod
    def law(p: Pulse, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return offset, plus amplitude within a pulse."""
        count = s.floor((t - p.startTime) / p.period)
        since = t - p.startTime - count * p.period
        height = s.where(since < 0.01 * p.width * p.period, p.amplitude, 0.0)
        height = s.where(count < 0.0, 0.0, height)
        if p.nperiod >= 0:
            height = s.where(count < float(p.nperiod), height, 0.0)
        return (p.offset + height,)


class Trapezoid(_FromStartTime):
    """A periodic trapezoidal pulse of height `amplitude`, one in each `period`.

    `nperiod` is the number of pulses, −1 for no end. Integration steps end at its corners.
    """

    amplitude: kinds.Number = parameter("height of the pulse", default=1.0)
    rising: kinds.DurationOrZero = parameter("duration of the rise", default=0.0)
    width: kinds.DurationOrZero = parameter("duration of the plateau", default=0.5)
    falling: kinds.DurationOrZero = parameter("duration of the fall", default=0.0)
    period: kinds.Duration = parameter("time from one pulse to the next", default=1.0)
    nperiod: kinds.CountOrEndless = parameter("number of pulses, −1 for no end", default=-1)

    def check(self, p: Self) -> None:
        """Refuse a pulse that is longer than its period."""
        if p.rising + p.width + p.falling > p.period * (1.0 + 1e-12):
            raise ParameterError(
                self.label,
                f"rising + width + falling = {p.rising + p.width + p.falling:g} s is longer "
                f"than the period of {p.period:g} s.",
                "Give a longer period.",
                parameter="period",
                value=p.period,
            )

    @staticmethod
    def law(p: Trapezoid, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return offset + amplitude · share, where share is the fraction of the pulse height."""
        count = s.floor((t - p.startTime) / p.period)
        since = t - p.startTime - count * p.period
        fallen = since - p.rising - p.width
        share = s.where(fallen < p.falling, 1.0 - _part(fallen, p.falling), 0.0)
        share = s.where(fallen < 0.0, 1.0, share)
        share = s.where(since < p.rising, _part(since, p.rising), share)
        share = s.where(count < 0.0, 0.0, share)
        if p.nperiod >= 0:
            share = s.where(count < float(p.nperiod), share, 0.0)
        return (p.offset + p.amplitude * share,)


def _part(time: Scalar, whole: Scalar) -> Scalar:
    """Return time / whole; of nothing, nothing."""
    return 0.0 if s.is_structural(whole, 0.0) else time / whole


class SawTooth(_FromStartTime):
    """A periodic ramp: from offset to offset + amplitude in each period, then back at once.

    `nperiod` is the number of teeth, −1 for no end. Integration steps end at its corners.
    """

    amplitude: kinds.Number = parameter("height of a tooth", default=1.0)
    period: kinds.Duration = parameter("time from one tooth to the next", default=1.0)
    nperiod: kinds.CountOrEndless = parameter("number of teeth, −1 for no end", default=-1)

    @staticmethod
    def law(p: SawTooth, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return offset + amplitude · share of the period."""
        periods = (t - p.startTime) / p.period
        count = s.floor(periods)
        share = s.where(count < 0.0, 0.0, periods - count)
        if p.nperiod >= 0:
            share = s.where(count < float(p.nperiod), share, 0.0)
        return (p.offset + p.amplitude * share,)


class Exponentials(_FromStartTime):
    """Rises and falls exponentially, with τ the time since startTime.

    y = offset + outMax (1 − e^(−τ / riseTimeConst)) for riseTime, and from then on this falls
    with fallTimeConst.
    """

    outMax: kinds.Number = parameter("height that the rise tends to", default=1.0)
    riseTime: kinds.DurationOrZero = parameter("duration of the rise", default=0.5)
    riseTimeConst: kinds.Duration = parameter("time constant of the rise", default=0.1)
    fallTimeConst: kinds.OptionalDuration = parameter(
        "time constant of the fall; None is riseTimeConst", default=None
    )

    @staticmethod
    def law(p: Exponentials, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the rise, or the fall."""
        since = t - p.startTime
        fall = p.riseTimeConst if p.fallTimeConst is None else p.fallTimeConst
        rise = p.outMax * (1.0 - s.exp(-since / p.riseTimeConst))
        top = p.outMax * (1.0 - s.exp(-p.riseTime / p.riseTimeConst))
        fallen = top * s.exp(-(since - p.riseTime) / fall)
        y = s.where(since < p.riseTime, rise, fallen)
        return (p.offset + s.where(since < 0.0, 0.0, y),)


class LogFrequencySweep(Source):
    """An angular frequency that rises from wMin to wMax so that its logarithm is linear in time.

    y = wMin (wMax / wMin)^((t − startTime) / duration), constant before and after.
    """

    wMin: kinds.PositiveAngularVelocity = parameter("angular frequency before", default=1.0)
    wMax: kinds.PositiveAngularVelocity = parameter("angular frequency after", default=10.0)
    startTime: kinds.Time = parameter("start time", default=0.0)
    duration: kinds.Duration = parameter("duration of the sweep", default=1.0)

    @staticmethod
    def law(
        p: LogFrequencySweep, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return the angular frequency."""
        share = (t - p.startTime) / p.duration
        swept = p.wMin * s.exp(s.log(p.wMax / p.wMin) * share)
        return (s.where(share < 0.0, p.wMin, s.where(share > 1.0, p.wMax, swept)),)


class Sinc(_FromStartTime):
    """y = offset + amplitude · sin(x) / x, x = 2π f (t − startTime), 1 at x = 0 and before."""

    amplitude: kinds.Number = parameter("value at startTime", default=1.0)
    f: kinds.Frequency = parameter("frequency", default=1.0)

    @staticmethod
    def law(p: Sinc, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the wave."""
        x = math.tau * p.f * (t - p.startTime)
        is_small = x < 1e-8
        return (
            p.offset
            + p.amplitude * s.where(is_small, 1.0, s.sin(x) / s.where(is_small, 1.0, x)),
        )


class _Wave(_FromStartTime):
    """A harmonic oscillation."""

    amplitude: kinds.Number = parameter("greatest deviation", default=1.0)
    f: kinds.Frequency = parameter("frequency", default=1.0)
    phase: kinds.Angle = parameter("phase at startTime", default=0.0)
    continuous: kinds.Boolean = parameter(
        "whether y before startTime is that at startTime, not offset", default=False
    )


def _wave(
    p: _Wave, t: Scalar, shape: Callable[[Scalar], Scalar], envelope: Scalar = 1.0
) -> tuple[Scalar]:
    wave = p.amplitude * shape(math.tau * p.f * (t - p.startTime) + p.phase)
    wave = s.mul(envelope, wave)
    if s.is_structural(p.startTime, 0.0):
        return (p.offset + wave,)
    before = p.amplitude * shape(p.phase) if p.continuous else 0.0
    return (p.offset + s.where(t < p.startTime, before, wave),)


class Sine(_Wave):
    """y = offset + amplitude · sin(2π f (t − startTime) + phase), from startTime on."""

    @staticmethod
    def law(p: Sine, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the wave."""
        return _wave(p, t, s.sin)


class Cosine(_Wave):
    """y = offset + amplitude · cos(2π f (t − startTime) + phase), from startTime on."""

    @staticmethod
    def law(p: Cosine, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the wave."""
        return _wave(p, t, s.cos)


class ExpSine(_Wave):
    """y = offset + amplitude · e^(−damping τ) · sin(2π f τ + phase), τ = t − startTime ≥ 0."""

    f: kinds.Frequency = parameter("frequency", default=2.0)
    damping: kinds.Rate = parameter("rate of the decay", default=1.0)

    @staticmethod
    def law(p: ExpSine, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the wave."""
        return _wave(p, t, s.sin, s.exp(-p.damping * (t - p.startTime)))


class _VariableWave(Source):
    """A wave whose amplitude and frequency are inputs, or constants."""

    amplitude = signal_input("amplitude")
    f = signal_input("frequency", "Hz")
    useConstantAmplitude: kinds.Boolean = parameter(
        "whether constantAmplitude counts, not the input", default=False
    )
    constantAmplitude: kinds.Number = parameter("constant amplitude", default=1.0)
    useConstantFrequency: kinds.Boolean = parameter(
        "whether constantFrequency counts, not the input", default=False
    )
    constantFrequency: kinds.Frequency = parameter("constant frequency", default=1.0)
    offset: kinds.Number = parameter("mean value", default=0.0)
    phi_start: kinds.PlainNumber = parameter("phase at the start", "rad", default=0.0)

    def inputs(self) -> tuple[Port, ...]:
        """Return amplitude and f, unless they are constant."""
        given = (
            (self.useConstantAmplitude, self.amplitude),
            (self.useConstantFrequency, self.f),
        )
        return tuple(port for constant, port in given if not constant)

    def states(self, p: Self) -> dict[str, Start]:
        """Return phi."""
        return {"phi": Start(p.phi_start, True)}

    @staticmethod
    def rates(
        p: _VariableWave, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return 2π f."""
        return (math.tau * (p.constantFrequency if p.useConstantFrequency else inputs[-1]),)


def _with_amplitude(p: _VariableWave, inputs: Scalars, wave: Scalar) -> tuple[Scalar]:
    amplitude = p.constantAmplitude if p.useConstantAmplitude else inputs[0]
    return (p.offset + amplitude * wave,)


class SineVariableFrequencyAndAmplitude(_VariableWave):
    """y = offset + amplitude · sin(φ), φ̇ = 2π f, with the inputs amplitude and f."""

    @staticmethod
    def law(
        p: SineVariableFrequencyAndAmplitude, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return the wave."""
        return _with_amplitude(p, inputs, s.sin(states[0]))


class CosineVariableFrequencyAndAmplitude(_VariableWave):
    """y = offset + amplitude · cos(φ), φ̇ = 2π f, with the inputs amplitude and f."""

    @staticmethod
    def law(
        p: CosineVariableFrequencyAndAmplitude, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return the wave."""
        return _with_amplitude(p, inputs, s.cos(states[0]))


class TimeFunction(Source):
    """A user's function of time: y = f(t), written with `motorik.algebra` or plain operators."""

    f: kinds.FunctionOfTime = parameter("the function of t [s]", default=unchanged)

    def check(self, p: Self) -> None:
        """Refuse a function that is not one of t."""
        check_arguments(self.label, "f", p.f, ("t",))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the output as a function of time."""
        return super().contributions(with_law(p, self.label, "f", ("t",)))

    @staticmethod
    def law(p: TimeFunction, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return f(t)."""
        return (p.f(t),)


class Expression(DeclaredSignals):
    """Any quantity of the mechanism in motion as a signal: y = f(motion).

    `f` is given the motion (`motorik.motion.view.MotionView`) and returns a scalar, e.g.
    ``lambda motion: 2 * motion.variable(model.hinge, "phi") + motion.t``. It may read positions,
    speeds, accelerations and forces; a force may depend on the latter, a motion not.
    """

    y = signal_output("the signal")

    f: kinds.FunctionOfMotion = parameter("function of the motion")

    def check(self, p: Self) -> None:
        """Refuse a function that is not one of the motion."""
        check_arguments(self.label, "f", p.f, ("motion",))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the signal as a reading of the motion."""
        read = with_law(p, self.label, "f", ("motion",)).f
        yield Measurement(self, (self.y,), lambda motion: (read(seen_by(self, motion)),))
