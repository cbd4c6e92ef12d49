"""Sources of signals: constants and functions of time."""

from __future__ import annotations

import math
from typing import Any

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Scalar
from motorik.components.block import Scalars, Source, as_function, unchanged
from motorik.components.part import parameter
from motorik.components.values import as_number


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

    @staticmethod
    def law(p: Any, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return f(t)."""
        return (p.f(t),)
