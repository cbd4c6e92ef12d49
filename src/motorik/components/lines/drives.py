"""Drives with prescribed motion of a flange, whatever force this takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import ClassVar

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    Contribution,
    Coupling,
    Prescribed,
    SignalLaw,
)
from motorik.components.base.part import (
    DeclaredPart,
    PortSpec,
    Values,
    Variable,
    parameter,
    rotational_flange,
    translational_flange,
)
from motorik.components.base.ports import (
    Port,
    RotationalFlange,
    SignalInput,
    SignalOutput,
    TranslationalFlange,
)
from motorik.components.lines.base import motion_variables
from motorik.components.lines.flanges import (
    AnyFlange,
    RotationalSupported,
    TranslationalSupported,
    VariableNames,
)

BESSEL_1, BESSEL_2 = 1.3617, 0.6180  # coefficients of s and s² of a Bessel filter

Scalars = Sequence[Scalar]
Rates = Callable[..., tuple[Scalar, ...]]


class RotationalDriven(RotationalSupported):
    """A flange with prescribed rotation relative to its support or the ground."""

    relative: ClassVar[PortSpec[RotationalFlange]] = rotational_flange(
        "motion relative to the support", when="useSupport"
    )


class TranslationalDriven(TranslationalSupported):
    """A flange with prescribed translation relative to its support or the ground."""

    relative: ClassVar[PortSpec[TranslationalFlange]] = translational_flange(
        "motion relative to the support", when="useSupport"
    )


class Driven(DeclaredPart):
    """A flange whose motion relative to its support (or the ground) follows a signal."""

    line_names: ClassVar[VariableNames]
    flange: ClassVar[AnyFlange]
    support: ClassVar[AnyFlange]
    relative: ClassVar[AnyFlange]

    def reference(self) -> Port | None:
        """Return the signal that prescribes the motion, if there is one."""
        raise NotImplementedError

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the prescribed motion of the flange."""
        yield from self.on_support(p)
        moved = self.relative if p.useSupport else self.flange
        made = self.generator(p)
        if made is None:
            reference = self.reference()
            assert reference is not None
            position = reference
        else:
            yield made
            (position,) = made.outputs
        yield Prescribed(self, moved, p, _signal_itself, (position,))

    def on_support(self, p: Values) -> Iterable[Contribution]:
        """Yield the motion relative to the support as one of the sums of flanges."""
        if p.useSupport:
            flanges = (self.flange, self.support, self.relative)
            yield Coupling(self, flanges, (1.0, -1.0, -1.0))

    def generator(self, p: Values) -> SignalLaw | None:
        """Return the generator of the position from the reference; None if they are equal."""
        return None

    def with_states(
        self,
        p: Values,
        rates: Rates,
        names: tuple[str, ...],
        initial: Rates | None = None,
    ) -> SignalLaw:
        """Return the generator whose first state is the position."""
        inputs = tuple(port for port in (self.reference(),) if port is not None)
        position = SignalOutput(self, self.line_names.x)
        starts = tuple(self.__dict__[name] for name in names)
        return SignalLaw(
            self, inputs, (position,), p, _first_state, rates, names, starts, initial
        )

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return position, speed and acceleration relative to the support."""
        moved = self.relative if p.useSupport else self.flange
        return motion_variables(self.line_names, moved)


class Filtered(Driven):
    """A drive that follows its signal exactly or through a filter."""

    exact: kinds.Boolean = parameter(
        "whether the signal is followed exactly", default=False
    )
    f_crit: kinds.PositiveFrequency = parameter(
        "critical frequency of the filter", default=50.0
    )


class DrivenPosition(Filtered):
    """Moves to a reference position, exactly or through a Bessel filter of second order."""

    def reference(self) -> Port:
        """Return the reference position."""
        return self.__dict__[f"{self.line_names.x}_ref"]

    def generator(self, p: Values) -> SignalLaw | None:
        """Return the filter, if there is one."""
        if p.exact:
            return None
        x, v = self.line_names.x, self.line_names.v
        given = SimpleNamespace(w_crit=math.tau * p.f_crit, v=self.__dict__[v].value)
        return self.with_states(given, _position_filter, (x, v), _at_the_reference)


class DrivenSpeed(Filtered):
    """Moves with a reference speed, exactly or through a filter of first order."""

    def reference(self) -> Port:
        """Return the reference speed."""
        return self.__dict__[f"{self.line_names.v}_ref"]

    def generator(self, p: Values) -> SignalLaw:
        """Return the integral of the speed."""
        x, v = self.line_names.x, self.line_names.v
        if p.exact:
            return self.with_states(p, _takes_speed, (x,))
        begin = self.__dict__[x].value
        given = SimpleNamespace(w_crit=math.tau * p.f_crit, x=begin)
        return self.with_states(given, _speed_filter, (x, v), _at_the_speed)


class DrivenAcceleration(Driven):
    """Moves with a reference acceleration."""

    def reference(self) -> Port:
        """Return the reference acceleration."""
        return self.__dict__[f"{self.line_names.a}_ref"]

    def generator(self, p: Values) -> SignalLaw:
        """Return the integrals of the acceleration."""
        names = (self.line_names.x, self.line_names.v)
        return self.with_states(p, _takes_acceleration, names)


class DrivenConstantly(Driven):
    """Moves with a constant speed."""

    def reference(self) -> None:
        """Return None: the speed is a parameter."""

    def generator(self, p: Values) -> SignalLaw:
        """Return the integral of the speed."""
        given = SimpleNamespace(v=getattr(p, f"{self.line_names.v}_fixed"))
        return self.with_states(given, _goes_on, (self.line_names.x,))


class GivenMotion(Driven):
    """Moves with a given position, speed and acceleration, the elements of the signal u."""

    u: ClassVar[PortSpec[SignalInput]]

    def reference(self) -> Port:
        """Return the three signals."""
        return self.u

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the prescribed motion of the flange."""
        yield from self.on_support(p)
        moved = self.relative if p.useSupport else self.flange
        yield Prescribed(self, moved, p, first_signal, self.u.elements, other_signals)


def first_signal(p: Values, t: Scalar, x: Scalar, *rates: Scalar) -> Scalar:
    """Return the position, the first of the signals."""
    return x


def other_signals(p: Values, t: Scalar, x: Scalar, *rates: Scalar) -> tuple[Scalar, ...]:
    """Return the rates of the position as far as they are signals."""
    return rates


def _signal_itself(p: Values, t: Scalar, x: Scalar) -> Scalar:
    return x


def _first_state(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
    return (states[0],)


def _position_filter(
    p: Values, t: Scalar, inputs: Scalars, states: Scalars
) -> tuple[Scalar, ...]:
    """Return the rates of x and v: a = ((x_ref − x) w − b₁ v) w / b₂."""
    x, v = states
    return v, ((inputs[0] - x) * p.w_crit - BESSEL_1 * v) * (p.w_crit / BESSEL_2)


def _at_the_reference(p: Values, t: Scalar, inputs: Scalars) -> tuple[Scalar, ...]:
    return inputs[0], p.v


def _takes_speed(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
    return (inputs[0],)


def _speed_filter(
    p: Values, t: Scalar, inputs: Scalars, states: Scalars
) -> tuple[Scalar, ...]:
    """Return the rates of x and v: a = (v_ref − v) w."""
    return states[1], (inputs[0] - states[1]) * p.w_crit


def _at_the_speed(p: Values, t: Scalar, inputs: Scalars) -> tuple[Scalar, ...]:
    return p.x, inputs[0]


def _takes_acceleration(
    p: Values, t: Scalar, inputs: Scalars, states: Scalars
) -> tuple[Scalar, ...]:
    return states[1], inputs[0]


def _goes_on(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
    return (p.v,)
