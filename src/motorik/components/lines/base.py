"""What rotational and translational drive lines share: springs, loads, inertias, couplings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import (
    Clamp,
    Contribution,
    Coupling,
    FlangeInertia,
    InitialCondition,
    LineForce,
)
from motorik.components.base.part import Part, Variable
from motorik.components.base.ports import Port
from motorik.components.base.values import Start
from motorik.components.joints.simple import STATE_PRIORITIES


@dataclass(frozen=True)
class VariableNames:
    """The names of position, speed, acceleration and force in a kind of line, and units."""

    x: str
    v: str
    a: str
    f: str
    unit_x: str
    unit_v: str
    unit_a: str
    unit_f: str


ROTATIONAL = VariableNames("phi", "w", "a", "tau", "rad", "rad/s", "rad/s2", "N.m")
TRANSLATIONAL = VariableNames("s", "v", "a", "f", "m", "m/s", "m/s2", "N")


class Compliant(Part):
    """A force law between flange_a and flange_b; f acts on flange_b, −f on flange_a."""

    letters: VariableNames
    flange_a: Port
    flange_b: Port

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return the force (torque) for the relative position x and speed v."""
        raise NotImplementedError

    @staticmethod
    def stored(p: Any, x: Scalar) -> Scalar:
        """Return the energy [J] stored at the relative position x."""
        return 0.0

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the law that acts between the flanges, with their start values."""
        yield LineForce(self.flange_a, self.flange_b, p, type(self).law, type(self).stored)
        for level, name in enumerate(
            (f"{self.line_names.x}_rel", f"{self.line_names.v}_rel")
        ):
            begin = self.__dict__.get(name)
            if isinstance(begin, Start) and begin.is_fixed:
                yield InitialCondition(
                    self.path, name, level == 1, self._start_gap(level, begin), always=True
                )

    def _start_gap(self, level: int, begin: Start) -> Callable[[Any], tuple[Scalar, ...]]:
        """Return by how much the relative position (speed) misses its start value."""

        def gap(motion: Any) -> tuple[Scalar, ...]:
            a, b = motion.flange(self.flange_a), motion.flange(self.flange_b)
            return (b[level] - a[level] - begin.value,)

        return gap

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return relative position and speed, force, stored energy and lost power."""
        is_of = self.line_names

        def relative(motion: Any) -> tuple[Scalar, Scalar]:
            a, b = motion.flange(self.flange_a), motion.flange(self.flange_b)
            return b[0] - a[0], b[1] - a[1]

        def lost(motion: Any) -> Scalar:
            at, speed = relative(motion)
            return (self.law(p, at, speed) - self.law(p, at, 0.0 * speed)) * speed

        return {
            f"{is_of.x}_rel": Variable(
                lambda motion: relative(motion)[0], is_of.unit_x, "relative position"
            ),
            f"{is_of.v}_rel": Variable(
                lambda motion: relative(motion)[1], is_of.unit_v, "relative speed"
            ),
            is_of.f: Variable(
                lambda motion: self.law(p, *relative(motion)),
                is_of.unit_f,
                "force on flange_b",
            ),
            "stored_energy": Variable(
                lambda motion: self.stored(p, relative(motion)[0]), "J"
            ),
            "lossPower": Variable(lost, "W", "power turned into heat"),
        }


class FixedFlange(Part):
    """A flange that stands still."""

    flange: Port
    at: str = ""

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute a clamp at the flange."""
        yield Clamp(self.flange, getattr(p, self.at))


class Load(Part):
    """A force law on a flange against its support, or against the standing world.

    `law(p, x, v, *signals)` is the force that pushes the flange forward at position x with
    speed v: flange.f = −law.
    """

    letters: VariableNames
    law: Callable[..., Scalar]
    flange: Port
    support: Port

    @property
    def driven(self) -> Port:
        """The flange that is pushed."""
        return self.flange

    def inputs(self) -> tuple[Port, ...]:
        """Return the signals that the law takes."""
        return ()

    def reacts_on(self, p: Any) -> Port | None:
        """Return the flange that takes the reaction, None if it is the standing world."""
        return self.support if p.useSupport else None

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the law that acts on the flange."""
        law = opposite(type(self).law)
        yield LineForce(self.reacts_on(p), self.driven, p, law, signals=self.inputs())

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return position, speed and force, as far as no port shows them."""
        is_of, other = self.line_names, self.reacts_on(p)

        def relative(motion: Any) -> tuple[Scalar, Scalar]:
            x, v = motion.flange(self.driven)
            x_0, v_0 = (0.0, 0.0) if other is None else motion.flange(other)
            return x - x_0, v - v_0

        def force(motion: Any) -> Scalar:
            return self.law(p, *relative(motion), *map(motion.signal, self.inputs()))

        shown = {
            is_of.x: Variable(lambda motion: relative(motion)[0], is_of.unit_x, "position"),
            is_of.v: Variable(lambda motion: relative(motion)[1], is_of.unit_v, "speed"),
            is_of.f: Variable(force, is_of.unit_f, "force that drives the flange"),
        }
        ports = {port.name for port in self.ports()}
        return {name: variable for name, variable in shown.items() if name not in ports}


@cache
def opposite(law: Callable[..., Scalar]) -> Callable[..., Scalar]:
    """Return the law with the other sign, one and the same for one law."""

    def reversed_law(*given: Any) -> Scalar:
        return -law(*given)

    return reversed_law


class InertiaBase(Part):
    """An inertia between two flanges that move as one: f_a + f_b = J a."""

    letters: VariableNames
    inertia: str = ""
    flange_a: Port
    flange_b: Port

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the rigid connection of the flanges, and their inertia."""
        flange, names = self.measured, (self.line_names.x, self.line_names.v)
        starts: Any = tuple(self.__dict__[name] for name in names)
        wish = STATE_PRIORITIES[p.stateSelect]
        yield from self.couplings(p)
        yield FlangeInertia(self, flange, getattr(p, self.inertia), names, starts, wish)

    @property
    def measured(self) -> Port:
        """The flange whose position and speed are those of the inertia."""
        return self.flange_a

    def couplings(self, p: Any) -> Iterable[Contribution]:
        """Say how the flanges move together."""
        yield Coupling(self, (self.flange_a, self.flange_b), (1.0, -1.0))

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return position, speed and acceleration."""
        return motion_variables(self.line_names, self.measured)


def motion_variables(letters: VariableNames, flange: Port) -> dict[str, Variable]:
    """Return position, speed and acceleration of a flange as variables of its part."""
    return {
        letters.x: Variable(lambda motion: motion.flange(flange)[0], letters.unit_x),
        letters.v: Variable(lambda motion: motion.flange(flange)[1], letters.unit_v),
        letters.a: Variable(
            lambda motion: motion.flange_acceleration(flange), letters.unit_a
        ),
    }
