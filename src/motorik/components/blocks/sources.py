"""Sources of signals: constants, functions of time, and what the mechanism does."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import Contribution, Measurement
from motorik.components.base.part import Part, parameter, signal_output
from motorik.components.base.user_law import check_arguments
from motorik.components.base.values import as_number
from motorik.components.blocks.block import (
    Scalars,
    Source,
    as_count,
    as_function,
    unchanged,
    with_law,
)
from motorik.errors import ParameterError


class Constant(Source):
    """A constant: y = k."""

    k = parameter("the value", "", 1.0, as_number())

    @staticmethod
    def law(p: Any, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return k."""
        return (p.k,)


class _FromStartTime(Source):
    """A function of the time since startTime; before, the signal is at its offset."""

    offset = parameter("value before startTime, added to all", "", 0.0, as_number())
    startTime = parameter("when it begins", "s", 0.0, as_number())


class ContinuousClock(_FromStartTime):
    """The time since startTime: y = offset + t − startTime."""

    @staticmethod
    def law(p: Any, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return offset + t − startTime, from startTime on."""
        return (p.offset + s.where(t < p.startTime, 0.0, t - p.startTime),)


class Ramp(_FromStartTime):
    """Rises evenly by `height` within `duration` seconds, then stays.

    Its corners are no events: a method with step control finds them by its error.
    """

    height = parameter("how far it rises", "", 1.0, as_number())
    duration = parameter("how long it rises", "s", 2.0, as_number(above=0.0))

    @staticmethod
    def law(p: Any, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return offset + height · (t − startTime) / duration, within the two ends."""
        share = (t - p.startTime) / p.duration
        share = s.where(share < 0.0, 0.0, s.where(share > 1.0, 1.0, share))
        return (p.offset + p.height * share,)


class Trapezoid(_FromStartTime):
    """Rises, stays, falls and waits, again and again: a pulse of `amplitude` each `period`.

    `nperiod` is the number of pulses, −1 for no end. Its corners are no events: a method
    with step control finds them by its error. Where nothing else moves, a long step could
    pass over a whole pulse; a `max_step` below the length of the pulse prevents that.
    """

    amplitude = parameter("height of the pulse", "", 1.0, as_number())
    rising = parameter("how long it rises", "s", 0.0, as_number(minimum=0.0))
    width = parameter("how long it stays", "s", 0.5, as_number(minimum=0.0))
    falling = parameter("how long it falls", "s", 0.0, as_number(minimum=0.0))
    period = parameter("time from one pulse to the next", "s", 1.0, as_number(above=0.0))
    nperiod = parameter("number of pulses, −1 for no end", "", -1, as_count(-1))

    def check(self, p: Any) -> None:
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
    def law(p: Any, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return offset + amplitude · share, of the share that the pulse has reached."""
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


class _Wave(_FromStartTime):
    """A harmonic oscillation."""

    amplitude = parameter("greatest deviation", "", 1.0, as_number())
    f = parameter("frequency", "Hz", 1.0, as_number())
    phase = parameter("phase at startTime", "rad", 0.0, as_number())


def _wave(p: Any, t: Scalar, shape: Any) -> tuple[Scalar]:
    wave = p.amplitude * shape(math.tau * p.f * (t - p.startTime) + p.phase)
    if s.is_structural(p.startTime, 0.0):
        return (p.offset + wave,)
    return (p.offset + s.where(t < p.startTime, 0.0, wave),)


class Sine(_Wave):
    """y = offset + amplitude · sin(2π f (t − startTime) + phase), from startTime on."""

    @staticmethod
    def law(p: Any, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the wave."""
        return _wave(p, t, s.sin)


class Cosine(_Wave):
    """y = offset + amplitude · cos(2π f (t − startTime) + phase), from startTime on."""

    @staticmethod
    def law(p: Any, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the wave."""
        return _wave(p, t, s.cos)


class TimeFunction(Source):
    """A user's function of time: y = f(t), written with `motorik.algebra` or plain operators."""

    f = parameter("the function of t [s]", "", unchanged, as_function)

    def check(self, p: Any) -> None:
        """Refuse a function that is not one of t."""
        check_arguments(self.label, "f", p.f, ("t",))

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the output as a function of time."""
        return super().contributions(with_law(p, self.label, "f", ("t",)))

    @staticmethod
    def law(p: Any, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return f(t)."""
        return (p.f(t),)


class Expression(Part):
    """Any quantity of the moving mechanism as a signal: y = f(motion).

    `f` is given the motion (`motorik.motion.view.MotionView`) and returns a scalar, e.g.
    ``lambda motion: 2 * motion.variable(model.hinge, "phi") + motion.t``. It may read positions and
    speeds; an acceleration only where no force or motion depends on the signal.
    """

    y = signal_output("the signal")

    f = parameter("what it reads of the motion", "", None, as_function)

    def check(self, p: Any) -> None:
        """Refuse a function that is not one of the motion."""
        check_arguments(self.label, "f", p.f, ("motion",))

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the signal as a reading of the motion."""
        read = with_law(p, self.label, "f", ("motion",)).f
        yield Measurement(self, (self.y,), lambda motion: (read(motion),))
