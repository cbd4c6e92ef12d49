"""Friction of rotational and translational drive lines: it holds at rest and resists motion.

A kind of friction defines its sliding force in `resist`. Exact sticking, breaking loose and the
result variables follow from that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import ClassVar

from motorik.algebra.scalar import Scalar, where
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    Contribution,
    Coupling,
    ForceBounds,
    LineForce,
    NonsmoothConstraint,
)
from motorik.components.base.declarations import PortSpec, parameter
from motorik.components.base.friction_bounds import check_resists, friction_bounds
from motorik.components.base.internal import friction_with_onset
from motorik.components.base.interpolation import interpolate_friction
from motorik.components.base.motion import Motion
from motorik.components.base.ports import Port, SignalInput
from motorik.components.base.resolving import Values, number_resolver
from motorik.components.base.user_law import UserLaw, is_of_user, one_scalar
from motorik.components.base.variable import Variable
from motorik.components.lines.base import Compliant
from motorik.components.lines.flanges import AnyFlange, VariableNames
from motorik.components.losses import LossyPart
from motorik.errors import ParameterError

FORCE = "friction force along the speed"
FREE = 2.0  # the mode without contact; 1, 0 and −1 are forward, stuck and backward


def undefined_law(p: Values, w: Scalar, *signals: Scalar) -> Scalar:
    """Stand for the law that a kind of friction has to define."""
    raise NotImplementedError


def onset_variables(direction: Scalar) -> dict[str, Variable]:
    """Return whether it starts to slide; `direction` is that just after the event, else 0."""

    def starts(wanted: float) -> Variable:
        return Variable(
            lambda motion: where(direction == wanted, 1.0, 0.0),
            "1",
            "1 just after the instant at which it starts to slide, else 0",
        )

    return {"startForward": starts(1.0), "startBackward": starts(-1.0)}


class Friction(LossyPart):
    """Friction along the relative speed w of two sides of a line.

    Sliding, its force is `resist(p, |w|, *signals)` against the motion; at rest it holds up to
    `peak` times that of w = 0. The signals are the input signals of the class, in the order of
    their declaration.
    """

    line_names: ClassVar[VariableNames]
    resist: ClassVar[Callable[..., Scalar]] = staticmethod(undefined_law)
    loss_level = 2
    is_of_any_speed: ClassVar[bool] = False  # whether `resist` is a number at w < 0, too

    friction = friction_with_onset(FORCE, "N")
    peak: kinds.PeakFactor = parameter(
        "maximum static force / sliding force at rest", default=1.0
    )

    def __init_subclass__(cls, **options: object) -> None:
        """Give the friction the unit of the line: of a force or of a torque."""
        names: VariableNames | None = getattr(cls, "line_names", None)
        if names is not None:
            cls.friction = friction_with_onset(FORCE, names.unit_f)
        super().__init_subclass__(**options)

    def pressed(self, p: Values, *signals: Scalar) -> Scalar:
        """Return a number that is positive where the element is engaged.

        By default an element without signals always is, one with signals where its sliding
        force at rest is positive.
        """
        kind = type(self)
        return kind.resist(p, 0.0, *signals) if signals else 1.0

    def sides(self, p: Values) -> tuple[Port | None, Port]:
        """Return the two flanges: support side (None for the fixed world) and moving side."""
        raise NotImplementedError

    def inputs(self) -> tuple[Port, ...]:
        """Return the signals that `resist` takes."""
        return tuple(port for port in self.ports() if isinstance(port, SignalInput))

    def bounds(self, p: Values, w: Scalar, *signals: Scalar) -> ForceBounds:
        """Return the admissible forces along w."""
        resist = type(self).resist
        if resist is undefined_law:
            raise ParameterError(
                self.label,
                "has no law for its sliding force.",
                "Define `resist(p, w, *signals)` in its class, a static method.",
                parameter="resist",
                value=type(self),
            )
        direction = None if self.is_of_any_speed else p.friction.direction
        if is_of_user(self):
            direction = p.friction.direction
            names = ("p", "w", *(port.name for port in self.inputs()))
            resist = UserLaw(self.label, "resist", resist, names, one_scalar)
        largest = p.peak * resist(p, 0.0, *signals)
        on = self.pressed(p, *signals)
        return friction_bounds(lambda w: resist(p, w, *signals), largest, w, direction, on)

    def friction_constraint(self, p: Values) -> NonsmoothConstraint:
        """Return the nonsmooth constraint of the friction."""
        speed, inputs = self.level(p, 1), self.inputs()
        resist = type(self).resist
        if is_of_user(self) and resist is not undefined_law:
            own, ones = self.resolved(number_resolver), [1.0] * len(inputs)
            check_resists(self.label, "resist", lambda w: resist(own, w, *ones))

        def bounds(motion: Motion) -> ForceBounds:
            return self.bounds(p, speed(motion), *map(motion.signal, inputs))

        return NonsmoothConstraint(self, "friction", speed, bounds, self.level(p, 2))

    def level(self, p: Values, order: int) -> Callable[[Motion], Scalar]:
        """Return the position (0), speed (1) or acceleration (2) of its sides to each other."""
        against, on = self.sides(p)

        def of(motion: Motion, flange: Port) -> Scalar:
            if order == 2:
                return motion.flange_acceleration(flange)
            return motion.flange(flange)[order]

        if against is None:
            return lambda motion: of(motion, on)
        return lambda motion: of(motion, on) - of(motion, against)

    def mode(self, p: Values, *signals: Scalar) -> Scalar:
        """Return 1 forward, 0 stuck, −1 backward, 2 free."""
        return where(self.pressed(p, *signals) > 0.0, p.friction.direction, FREE)

    def friction_variables(self, p: Values) -> dict[str, Variable]:
        """Return the mode as a number and as truth values (1 or 0), and the lost power."""
        speed, inputs = self.level(p, 1), self.inputs()

        def mode(motion: Motion) -> Scalar:
            return self.mode(p, *map(motion.signal, inputs))

        def rests(motion: Motion) -> Scalar:
            return where(mode(motion) == 0.0, 1.0, 0.0)

        return {
            "mode": Variable(mode, "1", "1 forward, 0 stuck, -1 backward, 2 free"),
            "locked": Variable(rests, "1", "whether it holds at rest"),
            "stuck": Variable(rests, "1", "whether it is at rest"),
            **onset_variables(p.friction.onset),
            "lossPower": Variable(
                lambda motion: -p.friction.force * speed(motion),
                "W",
                "power turned into heat",
            ),
        }


class FrictionBetween(Friction, Compliant):
    """Friction between flange_a and flange_b, against their relative speed."""

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return the force that the friction was found to have."""
        return -p.friction.force

    def sides(self, p: Values) -> tuple[Port | None, Port]:
        """Return flange_a and flange_b."""
        return self.flange_a, self.flange_b

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force between the flanges, and when it sticks."""
        yield from super().contributions(p)
        yield self.friction_constraint(p)

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return relative position, speed and acceleration, force, mode and lost power."""
        names = self.line_names
        shown = dict(super().variables(p))
        del shown["stored_energy"]
        rate = Variable(self.level(p, 2), names.unit_a, "relative acceleration")
        return shown | {f"{names.a}_rel": rate} | self.friction_variables(p)


def resisting_force(p: Values, x: Scalar, v: Scalar) -> Scalar:
    """Return the force on the part: against λ, which acts on the shaft."""
    return -p.friction.force


class FrictionOnShaft(Friction):
    """Friction of a shaft, flange_a to flange_b, against its support or the fixed world."""

    flange_a: ClassVar[AnyFlange]
    flange_b: ClassVar[AnyFlange]
    support: ClassVar[AnyFlange]
    useSupport: kinds.Boolean = parameter("whether the support has a flange", default=False)

    def sides(self, p: Values) -> tuple[Port | None, Port]:
        """Return the support and the shaft."""
        return (self.support if p.useSupport else None), self.flange_a

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the shaft, the force on it, and when it sticks."""
        yield Coupling(self, (self.flange_a, self.flange_b), (1.0, -1.0))
        yield LineForce(*self.sides(p), p, resisting_force)
        yield self.friction_constraint(p)
        yield from self.heat_of_losses(p)

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return position, speed and acceleration against the support, force, mode and loss."""
        names = self.line_names
        return {
            names.x: Variable(self.level(p, 0), names.unit_x, "against the support"),
            names.v: Variable(self.level(p, 1), names.unit_v, "against the support"),
            names.a: Variable(self.level(p, 2), names.unit_a, "against the support"),
            names.f: Variable(
                lambda motion: -p.friction.force, names.unit_f, "friction force"
            ),
        } | self.friction_variables(p)


class PressedFriction(Friction):
    """Friction of plates pressed by a signal: μ(w) · cgeo · fn.

    fn = fn_max · f_normalized is the normal force; where it is not positive the plates are free.
    """

    f_normalized: ClassVar[PortSpec[SignalInput]]
    is_of_any_speed = True

    mu_pos: kinds.FrictionTable = parameter(
        "rows (speed, friction coefficient), linear, also beyond them, but never below zero",
        default=((0.0, 0.5),),
    )
    cgeo: kinds.FactorOrZero = parameter(
        "geometry constant: friction force or torque / (μ · fn)", default=1.0
    )
    fn_max: kinds.ForceOrZero = parameter("normal force at f_normalized = 1", default=1.0)

    @staticmethod
    def resist(p: Values, w: Scalar, f_normalized: Scalar) -> Scalar:
        """Return μ(w) · cgeo · fn_max · f_normalized."""
        return interpolate_friction(p.mu_pos, w) * p.cgeo * p.fn_max * f_normalized

    def pressed(self, p: Values, *signals: Scalar) -> Scalar:
        """Return the signal."""
        return signals[0]

    def friction_variables(self, p: Values) -> dict[str, Variable]:
        """Return the normal force as well."""
        normal = Variable(
            lambda motion: p.fn_max * motion.signal(self.f_normalized), "N", "normal force"
        )
        return {"fn": normal} | super().friction_variables(p)


class OneWayFriction(PressedFriction):
    """A free wheel and pressed plates in parallel: w ≥ 0."""

    @staticmethod
    def resist(p: Values, w: Scalar, f_normalized: Scalar) -> Scalar:
        """Return μ(w) · cgeo · fn_max · f_normalized, zero without pressing force."""
        pressed = where(f_normalized > 0.0, f_normalized, 0.0)
        return interpolate_friction(p.mu_pos, w) * p.cgeo * p.fn_max * pressed

    def pressed(self, p: Values, *signals: Scalar) -> Scalar:
        """Return 1: the free wheel is always engaged."""
        return 1.0

    def bounds(self, p: Values, w: Scalar, *signals: Scalar) -> ForceBounds:
        """Return force bounds without an upper one: no force is too large to keep w ≥ 0."""
        plain = super().bounds(p, w, *signals)
        return ForceBounds(plain.low, inf, plain.forward, plain.backward, plain.on)
