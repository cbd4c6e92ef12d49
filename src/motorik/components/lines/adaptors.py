"""Adaptors between a flange and signals, and parts that say how a flange starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    STATE_PRIORITIES,
    Contribution,
    FlangeInertia,
    InitialCondition,
    LineForce,
    Measurement,
    Prescribed,
)
from motorik.components.base.declarations import parameter
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Values
from motorik.components.base.values import Start
from motorik.components.base.variable import Variable
from motorik.components.lines.drives import first_signal, other_signals
from motorik.components.lines.flanges import AnyFlange, VariableNames
from motorik.components.lines.sensors import acceleration_at, position_at, speed_at
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self

READINGS = (position_at, speed_at, acceleration_at)


class Adaptor(DeclaredPart):
    """A flange on one side, signals of its motion and of its force on the other."""

    line_names: ClassVar[VariableNames]
    flange: ClassVar[AnyFlange]
    motion_signals: ClassVar[tuple[str, str, str]]  # position, speed, acceleration
    force_signal: ClassVar[str]

    def signals_of_motion(self) -> tuple[Port, ...]:
        """Return the signals of position, speed and acceleration as far as they are used."""
        own = self.__dict__
        return tuple(own[name] for name in self.motion_signals if name in own)


class MotionToForce(Adaptor):
    """Moves its flange by signals; the force that this takes is a signal.

    Rates of the position that are no signals are found by differentiation.
    """

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the prescribed motion, and the force as a reading."""
        flange, given = self.flange, self.signals_of_motion()
        rates = other_signals if len(given) > 1 else None
        yield Prescribed(self, flange, p, first_signal, given, rates)
        out = self.__dict__[self.force_signal]
        yield Measurement(self, (out,), lambda motion: (-motion.flange_force(flange),), 2)


class ForceToMotion(Adaptor):
    """Loads its flange with the force of a signal: flange.f = f; the motion are signals."""

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force, and the motion as readings."""
        flange, force = self.flange, self.__dict__[self.force_signal]
        yield LineForce(None, flange, p, _given_force, signals=(force,))
        for level, name in enumerate(self.motion_signals):
            if name in self.__dict__:
                read = READINGS[level]
                yield Measurement(
                    self,
                    (self.__dict__[name],),
                    lambda motion, read=read: (read(motion, flange),),
                    level,
                )


class GeneralAdaptor(Adaptor):
    """An adaptor whose signals have the names p, pder, pder2 and f for every kind of flange.

    Without use_pder there is no pder2 either.
    """

    motion_signals = ("p", "pder", "pder2")
    force_signal = "f"
    use_pder: kinds.Boolean = parameter("whether pder is a signal", default=True)
    use_pder2: kinds.Boolean = parameter("whether pder2 is one, besides pder", default=True)


class GeneralMotionToForce(GeneralAdaptor, MotionToForce):
    """Moves its flange by the signals p, pder, pder2; f is the force that this takes.

    f = −flange.f; rates that are no signals are those of p.
    """


class GeneralForceToMotion(GeneralAdaptor, ForceToMotion):
    """Loads its flange with the force of the signal f; p, pder, pder2 are its motion."""


def _given_force(p: Values, x: Scalar, v: Scalar, f: Scalar) -> Scalar:
    return f


class StartOfFlange(DeclaredPart):
    """A flange that starts with the position, speed and acceleration of signals.

    A signal that is not used leaves its quantity to the other start values of the model.
    """

    line_names: ClassVar[VariableNames]
    flange: ClassVar[AnyFlange]
    stateSelect: kinds.StateSelect = parameter(
        "priority of position and speed of the flange as states", default="default"
    )

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the initial conditions of the signals that are used."""
        names = (self.line_names.x, self.line_names.v, self.line_names.a)
        priority = STATE_PRIORITIES[p.stateSelect]
        if priority > 0:
            shown = (f"{names[0]}_flange", f"{names[1]}_flange")
            starts = (Start(), Start())
            yield FlangeInertia(self, self.flange, 0.0, shown, starts, priority)
        for level, name in enumerate(f"{letter}_start" for letter in names):
            if name in self.__dict__:
                gap = _start_gap(self.flange, self.__dict__[name], level)
                yield InitialCondition(self.path, name, level, gap, always=True)

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return position and speed of the flange."""
        names, flange = self.line_names, self.flange
        return {
            f"{names.x}_flange": Variable(
                lambda motion: motion.flange(flange)[0], names.unit_x, "position"
            ),
            f"{names.v}_flange": Variable(
                lambda motion: motion.flange(flange)[1], names.unit_v, "speed"
            ),
        }


def _start_gap(
    flange: Port, signal: Port, level: int
) -> Callable[[Motion], tuple[Scalar, ...]]:
    """Return by how much a flange misses the start value of a signal."""
    read = READINGS[level]
    return lambda motion: (read(motion, flange) - motion.signal(signal),)


class RelativeMotion(DeclaredPart):
    """The motion of flange_b relative to flange_a, without a force, with start values.

    Shafts have absolute coordinates, and the error of each step is judged by relative motions of
    force laws as well; the choice of relative states is therefore without effect on results.
    """

    line_names: ClassVar[VariableNames]
    flange_a: ClassVar[AnyFlange]
    flange_b: ClassVar[AnyFlange]
    stateSelect: kinds.StateSelect = parameter(
        "priority of the relative motion as states; always is refused", default="prefer"
    )

    def check(self, p: Self) -> None:
        """Refuse relative states where they are required."""
        if p.stateSelect == "always":
            raise ParameterError(
                self.label,
                "stateSelect = 'always': shafts have absolute coordinates as states.",
                "Give 'prefer'; start values of the relative motion are met all the same.",
                parameter="stateSelect",
                value=p.stateSelect,
            )

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the start values that are fixed."""
        names = (self.line_names.x, self.line_names.v, self.line_names.a)
        for level, name in enumerate(f"{letter}_rel" for letter in names):
            begin: Start = self.__dict__[name]
            if begin.is_fixed:

                def gap(
                    motion: Motion, level: int = level, value: Scalar = begin.value
                ) -> tuple[Scalar, ...]:
                    return (self._relative(motion, level) - value,)

                yield InitialCondition(self.path, name, level, gap, always=True)

    def _relative(self, motion: Motion, level: int) -> Scalar:
        """Return the relative position, speed or acceleration."""
        read = READINGS[level]
        return read(motion, self.flange_b) - read(motion, self.flange_a)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return relative position, speed and acceleration."""
        names = self.line_names
        shown = ((names.x, names.unit_x), (names.v, names.unit_v), (names.a, names.unit_a))
        return {
            f"{letter}_rel": Variable(
                lambda motion, level=level: self._relative(motion, level), unit
            )
            for level, (letter, unit) in enumerate(shown)
        }
