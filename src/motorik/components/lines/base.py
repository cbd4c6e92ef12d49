"""Common basis of rotational and translational drive lines: springs, inertias, couplings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    STATE_PRIORITIES,
    Clamp,
    Contribution,
    Coupling,
    FlangeInertia,
    InitialCondition,
    LineForce,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart, Values, Variable, parameter
from motorik.components.base.ports import Port
from motorik.components.base.values import Start
from motorik.components.lines.flanges import (
    ROTATIONAL,
    TRANSLATIONAL,
    AnyFlange,
    VariableNames,
)
from motorik.components.losses import LossyPart

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "ROTATIONAL",
    "TRANSLATIONAL",
    "Compliant",
    "FixedFlange",
    "InertiaBase",
    "LineDamper",
    "LineSpring",
    "LineSpringDamper",
    "Offset",
    "VariableNames",
    "motion_variables",
]


def _undefined(p: Values, x: Scalar, v: Scalar, *states: Scalar) -> Any:
    """Stand for a law or rates that a kind of part has to define."""
    raise NotImplementedError


def _nothing(p: Values, x: Scalar, *states: Scalar) -> Scalar:
    """Return 0 J: nothing is stored."""
    return 0.0


class Compliant(DeclaredPart):
    """A force law between flange_a and flange_b; f acts on flange_b, −f on flange_a.

    ``law(p, x, v)`` is f for the relative position x and its rate v, ``stored(p, x)`` the energy
    [J] that it stores. A law with states names them in `states`, declares each by `start` and
    gives their rates by ``rates(p, x, v, *states)``; their values are the last arguments of
    `law`, `stored` and `lost` as well. ``lost(p, x, v)`` is the power [W] that it dissipates, by
    default (f(x, v) − f(x, 0)) v.
    """

    line_names: ClassVar[VariableNames]
    states: ClassVar[tuple[str, ...]] = ()
    law: ClassVar[Callable[..., Scalar]] = staticmethod(_undefined)
    rates: ClassVar[Callable[..., Sequence[Scalar]]] = staticmethod(_undefined)
    stored: ClassVar[Callable[..., Scalar]] = staticmethod(_nothing)
    lost: ClassVar[Callable[..., Scalar] | None] = None
    flange_a: ClassVar[AnyFlange]
    flange_b: ClassVar[AnyFlange]

    def of_law(self, p: Values) -> Values:
        """Return the arguments p of the law: the parameters, or some of them renamed."""
        return p

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the law that acts between the flanges, with their start values."""
        kind, given = type(self), self.of_law(p)
        law = LineForce(self.flange_a, self.flange_b, given, kind.law, kind.stored)
        yield replace(law, states=kind.states, rates=kind.rates) if kind.states else law
        names = (self.line_names.x, self.line_names.v, self.line_names.a)
        for level, name in enumerate(f"{letter}_rel" for letter in names):
            begin = self.__dict__.get(name)
            if isinstance(begin, Start) and begin.is_fixed:
                yield InitialCondition(
                    self.path, name, level, self._start_gap(level, begin), always=True
                )

    def _start_gap(
        self, level: int, begin: Start
    ) -> Callable[[Motion], tuple[Scalar, ...]]:
        """Return by how much the relative position, speed or acceleration misses its start."""

        def gap(motion: Motion) -> tuple[Scalar, ...]:
            if level == 2:
                at = motion.flange_acceleration
                return (at(self.flange_b) - at(self.flange_a) - begin.value,)
            a, b = motion.flange(self.flange_a), motion.flange(self.flange_b)
            return (b[level] - a[level] - begin.value,)

        return gap

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return relative position and speed, force, stored energy and lost power."""
        is_of, given = self.line_names, self.of_law(p)

        def relative(motion: Motion) -> tuple[Scalar, Scalar]:
            a, b = motion.flange(self.flange_a), motion.flange(self.flange_b)
            return b[0] - a[0], b[1] - a[1]

        def states(motion: Motion) -> list[Scalar]:
            return [motion.state(self, name) for name in self.states]

        def lost(motion: Motion) -> Scalar:
            (at, speed), own = relative(motion), states(motion)
            if self.lost is not None:
                return self.lost(given, at, speed, *own)
            at_rest = self.law(given, at, 0.0 * speed, *own)
            return (self.law(given, at, speed, *own) - at_rest) * speed

        return {
            f"{is_of.x}_rel": Variable(
                lambda motion: relative(motion)[0], is_of.unit_x, "relative position"
            ),
            f"{is_of.v}_rel": Variable(
                lambda motion: relative(motion)[1], is_of.unit_v, "relative speed"
            ),
            f"{is_of.a}_rel": Variable(
                lambda motion: (
                    motion.flange_acceleration(self.flange_b)
                    - motion.flange_acceleration(self.flange_a)
                ),
                is_of.unit_a,
                "relative acceleration",
            ),
            is_of.f: Variable(
                lambda motion: self.law(given, *relative(motion), *states(motion)),
                is_of.unit_f,
                "force on flange_b",
            ),
            "stored_energy": Variable(
                lambda motion: self.stored(given, relative(motion)[0], *states(motion)), "J"
            ),
            "lossPower": Variable(
                lost,
                "W",
                "dissipated power",
            ),
        }


class LineSpring(Compliant):
    """A spring: f = c (x_rel − x_rel0), x_rel = x_b − x_a."""

    def of_law(self, p: Values) -> Values:
        """Return c and the relative position at which the spring is unstretched."""
        return SimpleNamespace(c=p.c, rest=getattr(p, f"{self.line_names.x}_rel0"))

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return c (x_rel − x_rel0)."""
        return p.c * (x - p.rest)

    @staticmethod
    def stored(p: Values, x: Scalar) -> Scalar:
        """Return ½ c (x_rel − x_rel0)²."""
        return 0.5 * p.c * (x - p.rest) * (x - p.rest)


class LineDamper(LossyPart, Compliant):
    """A damper: f = d v_rel."""

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return d v_rel."""
        return p.d * v


class LineSpringDamper(LossyPart, LineSpring):
    """A spring and a damper side by side: f = c (x_rel − x_rel0) + d v_rel."""

    def of_law(self, p: Values) -> Values:
        """Return c, d and the relative position at which the spring is unstretched."""
        return SimpleNamespace(**vars(super().of_law(p)), d=p.d)

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return c (x_rel − x_rel0) + d v_rel."""
        return p.c * (x - p.rest) + p.d * v


class FixedFlange(DeclaredPart):
    """A fixed flange."""

    line_names: ClassVar[VariableNames]
    flange: ClassVar[AnyFlange]

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute a clamp at the flange."""
        yield Clamp(self.flange, getattr(p, f"{self.line_names.x}0"))


class Offset(DeclaredPart):
    """Two flanges without inertia, the right one ahead by a constant: x_b − x_a = offset."""

    line_names: ClassVar[VariableNames]
    flange_a: ClassVar[AnyFlange]
    flange_b: ClassVar[AnyFlange]
    offset: ClassVar[str]  # the name of the parameter

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the coupling of the flanges."""
        ahead = getattr(p, self.offset)
        yield Coupling(self, (self.flange_b, self.flange_a), (1.0, -1.0), ahead)

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the position in the middle."""
        flange, half = self.flange_a, 0.5 * getattr(p, self.offset)
        middle = Variable(
            lambda motion: motion.flange(flange)[0] + half, self.line_names.unit_x
        )
        return {self.line_names.x: middle}


class InertiaBase(DeclaredPart):
    """An inertia between two flanges that move as one: f_a + f_b = J a."""

    line_names: ClassVar[VariableNames]
    inertia: ClassVar[str]  # the name of the parameter
    flange_a: ClassVar[AnyFlange]
    flange_b: ClassVar[AnyFlange]

    stateSelect: kinds.StateSelect = parameter(
        "priority of position and speed as states", default="default"
    )

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the rigid connection of the flanges, and their inertia."""
        flange, names = self.measured, (self.line_names.x, self.line_names.v)
        x, v = (self.__dict__[name] for name in names)
        priority = STATE_PRIORITIES[p.stateSelect]
        yield from self.couplings(p)
        J = getattr(p, self.inertia)
        yield FlangeInertia(self, flange, J, names, (x, v), priority)
        yield from self.start_acceleration()

    def start_acceleration(self) -> Iterable[InitialCondition]:
        """Yield the condition that the acceleration has its start value, if that is fixed."""
        name, flange = self.line_names.a, self.measured
        begin: Start = self.__dict__[name]
        if begin.is_fixed:

            def residual(motion: Motion) -> tuple[Scalar, ...]:
                return (motion.flange_acceleration(flange) - begin.value,)

            yield InitialCondition(self.path, name, 2, residual, always=True)

    @property
    def measured(self) -> Port:
        """The flange whose position and speed are those of the inertia."""
        return self.flange_a

    def couplings(self, p: Values) -> Iterable[Contribution]:
        """Yield the couplings between the flanges."""
        yield Coupling(self, (self.flange_a, self.flange_b), (1.0, -1.0))

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return position, speed and acceleration."""
        return motion_variables(self.line_names, self.measured)


def motion_variables(names: VariableNames, flange: Port) -> dict[str, Variable]:
    """Return position, speed and acceleration of a flange as variables of its part."""
    return {
        names.x: Variable(lambda motion: motion.flange(flange)[0], names.unit_x),
        names.v: Variable(lambda motion: motion.flange(flange)[1], names.unit_v),
        names.a: Variable(lambda motion: motion.flange_acceleration(flange), names.unit_a),
    }
