"""Loads of drive lines: forces on a flange, constant or by a signal or the speed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.scalar import Scalar, where
from motorik.components.base.contributions import Contribution, LineForce
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart, Values, Variable
from motorik.components.base.ports import Port
from motorik.components.lines.flanges import AnyFlange, VariableNames

if TYPE_CHECKING:
    from typing_extensions import Self


class Load(DeclaredPart):
    """A force law between a flange and its support, or the ground.

    `law(p, x, v, *signals)` is the force that pushes the flange forward at position x with
    speed v: flange.f = −law.
    """

    line_names: ClassVar[VariableNames]
    law: ClassVar[Callable[..., Scalar]]
    flange: ClassVar[AnyFlange]
    support: ClassVar[AnyFlange]

    def of_law(self, p: Values) -> Values:
        """Return the arguments p of the law: the parameters, or some of them renamed."""
        return p

    @property
    def driven(self) -> Port:
        """The flange that is pushed."""
        return self.flange

    def inputs(self) -> tuple[Port, ...]:
        """Return the signals that the law takes."""
        return ()

    def reacts_on(self, p: Values) -> Port | None:
        """Return the flange that takes the reaction, None if it is the ground."""
        return self.support if p.useSupport else None

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the law that acts on the flange."""
        law, given = opposite(type(self).law), self.of_law(p)
        yield LineForce(self.reacts_on(p), self.driven, given, law, signals=self.inputs())

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return position, speed and force, as far as no port shows them."""
        is_of, other, given = self.line_names, self.reacts_on(p), self.of_law(p)

        def relative(motion: Motion) -> tuple[Scalar, Scalar]:
            x, v = motion.flange(self.driven)
            x_0, v_0 = (0.0, 0.0) if other is None else motion.flange(other)
            return x - x_0, v - v_0

        def force(motion: Motion) -> Scalar:
            return self.law(given, *relative(motion), *map(motion.signal, self.inputs()))

        shown = {
            is_of.x: Variable(lambda motion: relative(motion)[0], is_of.unit_x, "position"),
            is_of.v: Variable(lambda motion: relative(motion)[1], is_of.unit_v, "speed"),
            is_of.f: Variable(force, is_of.unit_f, "force that drives the flange"),
        }
        ports = {port.name for port in self.ports()}
        return {name: variable for name, variable in shown.items() if name not in ports}


@cache
def opposite(law: Callable[..., Scalar]) -> Callable[..., Scalar]:
    """Return the law with the opposite sign, always the same object for one law."""

    def reversed_law(*given: Scalar) -> Scalar:
        return -law(*given)

    return reversed_law


class ConstantLoad(Load):
    """A constant force."""

    def of_law(self, p: Values) -> Values:
        """Return the force."""
        return SimpleNamespace(force=getattr(p, f"{self.line_names.f}_constant"))

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return the force."""
        return p.force


class SignalLoad(Load):
    """A force given by the signal that has the name of the force."""

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar, f: Scalar) -> Scalar:
        """Return the signal."""
        return f

    def inputs(self) -> tuple[Port, ...]:
        """Return the force."""
        return (self.__dict__[self.line_names.f],)


class SignalBetween(SignalLoad):
    """A force between two flanges, given by a signal: on flange_b, its opposite on flange_a."""

    flange_a: ClassVar[AnyFlange]
    flange_b: ClassVar[AnyFlange]

    @property
    def driven(self) -> Port:
        """The flange that is pushed."""
        return self.flange_b

    def reacts_on(self, p: Self) -> Port:
        """Return flange_a."""
        return self.flange_a


class SpeedDependent(Load):
    """A force that depends on the speed, given at a nominal speed."""

    direction: ClassVar[str]  # the parameter: whether the force keeps its sign

    def of_law(self, p: Values) -> Values:
        """Return nominal force and speed, and whether the force keeps its sign."""
        names = self.line_names
        return SimpleNamespace(
            force=getattr(p, f"{names.f}_nominal"),
            speed=getattr(p, f"{names.v}_nominal"),
            keeps_sign=getattr(p, self.direction),
        )


class LinearLoad(SpeedDependent):
    """A force linear in the speed: f = f_nominal · v / v_nominal (|v| if it keeps its sign)."""

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return f_nominal · v / v_nominal."""
        linear = p.force * v / p.speed
        if p.keeps_sign:
            return where(v >= 0.0, linear, -linear)
        return linear


class QuadraticLoad(SpeedDependent):
    """A force quadratic in the speed: f = f_nominal (v / v_nominal)²."""

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return f_nominal (v / v_nominal)², with the sign of the speed unless it keeps its own."""
        ratio = v / p.speed
        quadratic = p.force * ratio * ratio
        if p.keeps_sign:
            return quadratic
        return where(v >= 0.0, quadratic, -quadratic)
