"""Drives that move a flange as told, whatever force it takes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import (
    Contribution,
    Coupling,
    Prescribed,
    SignalLaw,
)
from motorik.components.base.part import Part, Variable
from motorik.components.base.ports import Port, SignalOutput
from motorik.components.lines.base import VariableNames

BESSEL_1, BESSEL_2 = 1.3617, 0.6180  # coefficients of s and s² of a Bessel filter


class Driven(Part):
    """A flange that moves against its support (or the standing world) as a signal says."""

    letters: VariableNames
    flange: Port
    support: Port
    relative: Port

    def reference(self) -> Port | None:
        """Return the signal that says how the flange moves, if there is one."""
        raise NotImplementedError

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the prescribed motion of the flange."""
        if p.useSupport:
            flanges = (self.flange, self.support, self.relative)
            yield Coupling(self, flanges, (1.0, -1.0, -1.0))
        moved = self.relative if p.useSupport else self.flange
        made = self.generator(p)
        if made is None:
            reference = self.reference()
            assert reference is not None
            told = reference
        else:
            yield made
            (told,) = made.outputs
        yield Prescribed(self, moved, p, _as_told, (told,))

    def generator(self, p: Any) -> SignalLaw | None:
        """Return what makes the position from the reference; None if they are the same."""
        return None

    def with_states(
        self, p: Any, rates: Any, names: tuple[str, ...], initial: Any = None
    ) -> SignalLaw:
        """Return the generator whose first state is the position."""
        inputs = tuple(port for port in (self.reference(),) if port is not None)
        told = SignalOutput(self, self.line_names.x)
        starts = tuple(self.__dict__[name] for name in names)
        return SignalLaw(
            self, inputs, (told,), p, _first_state, rates, names, starts, initial
        )

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return position, speed and acceleration against the support."""
        is_of = self.line_names
        moved = self.relative if p.useSupport else self.flange
        return {
            is_of.x: Variable(lambda motion: motion.flange(moved)[0], is_of.unit_x),
            is_of.v: Variable(lambda motion: motion.flange(moved)[1], is_of.unit_v),
            is_of.a: Variable(
                lambda motion: motion.flange_acceleration(moved), is_of.unit_a
            ),
        }


class DrivenPosition(Driven):
    """Moves to a reference position, exactly or through a Bessel filter of second order."""

    def generator(self, p: Any) -> SignalLaw | None:
        """Return the filter, if there is one."""
        if p.exact:
            return None
        given = SimpleNamespace(
            w_crit=math.tau * p.f_crit, v=self.__dict__[self.line_names.v].value
        )
        names = (self.line_names.x, self.line_names.v)
        return self.with_states(given, _position_filter, names, _at_the_reference)


class DrivenSpeed(Driven):
    """Moves with a reference speed, exactly or through a filter of first order."""

    def generator(self, p: Any) -> SignalLaw:
        """Return the integral of the speed."""
        x, v = self.line_names.x, self.line_names.v
        if p.exact:
            return self.with_states(p, _takes_speed, (x,))
        begin = self.__dict__[x].value
        given = SimpleNamespace(w_crit=math.tau * p.f_crit, x=begin)
        return self.with_states(given, _speed_filter, (x, v), _at_the_speed)


class DrivenAcceleration(Driven):
    """Moves with a reference acceleration."""

    def generator(self, p: Any) -> SignalLaw:
        """Return the integrals of the acceleration."""
        return self.with_states(
            p, _takes_acceleration, (self.line_names.x, self.line_names.v)
        )


class DrivenConstantly(Driven):
    """Moves with a constant speed."""

    speed: str = ""

    def reference(self) -> None:
        """Return None: the speed is a parameter."""

    def generator(self, p: Any) -> SignalLaw:
        """Return the integral of the speed."""
        given = SimpleNamespace(v=getattr(p, self.speed))
        return self.with_states(given, _goes_on, (self.line_names.x,))


def _as_told(p: Any, t: Scalar, x: Scalar) -> Scalar:
    return x


def _first_state(p: Any, t: Scalar, inputs: Any, states: Any) -> tuple[Scalar]:
    return (states[0],)


def _position_filter(p: Any, t: Scalar, inputs: Any, states: Any) -> tuple[Scalar, ...]:
    """Return the rates of x and v: a = ((x_ref − x) w − b₁ v) w / b₂."""
    x, v = states
    return v, ((inputs[0] - x) * p.w_crit - BESSEL_1 * v) * (p.w_crit / BESSEL_2)


def _at_the_reference(p: Any, t: Scalar, inputs: Any) -> tuple[Scalar, ...]:
    return inputs[0], p.v


def _takes_speed(p: Any, t: Scalar, inputs: Any, states: Any) -> tuple[Scalar]:
    return (inputs[0],)


def _speed_filter(p: Any, t: Scalar, inputs: Any, states: Any) -> tuple[Scalar, ...]:
    """Return the rates of x and v: a = (v_ref − v) w."""
    return states[1], (inputs[0] - states[1]) * p.w_crit


def _at_the_speed(p: Any, t: Scalar, inputs: Any) -> tuple[Scalar, ...]:
    return p.x, inputs[0]


def _takes_acceleration(p: Any, t: Scalar, inputs: Any, states: Any) -> tuple[Scalar, ...]:
    return states[1], inputs[0]


def _goes_on(p: Any, t: Scalar, inputs: Any, states: Any) -> tuple[Scalar]:
    return (p.v,)
