"""Friction of translational drive lines: brakes, supports, masses between stops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, exp, where
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    Contribution,
    ForceBounds,
    LineForce,
    NonsmoothConstraint,
)
from motorik.components.base.declarations import parameter, signal_input
from motorik.components.base.internal import nonsmooth_force
from motorik.components.base.interpolation import interpolate_friction
from motorik.components.base.motion import Motion
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Values, has_live
from motorik.components.base.values import Start
from motorik.components.base.variable import Variable
from motorik.components.lines.flanges import TranslationalShaft
from motorik.components.lines.friction import (
    Friction,
    FrictionOnShaft,
    PressedFriction,
)
from motorik.components.translational.parts import Mass
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self

PUSHING = ForceBounds(0.0, inf, 0.0, 0.0)  # of the force of a stop


class Brake(TranslationalShaft, PressedFriction, FrictionOnShaft):
    """A rod with friction against its support: f = μ(v) · cgeo · fn, fn = fn_max · f_normalized.

    At v = 0 it holds up to peak times the sliding force at rest.
    """

    f_normalized = signal_input("normal force / fn_max; free where it is not positive", "1")


class SupportFriction(TranslationalShaft, FrictionOnShaft):
    """A rod with the friction force f(v) of its support.

    At v = 0 it holds up to peak times f(0).
    """

    is_of_any_speed = True

    f_pos: kinds.FrictionTable = parameter(
        "rows (speed, force), linear, also beyond them, but never below zero",
        default=((0.0, 1.0),),
    )

    @staticmethod
    def resist(p: SupportFriction, w: Scalar) -> Scalar:
        """Return the force of the table."""
        return interpolate_friction(p.f_pos, w)


class MassWithStopAndFriction(Mass, Friction):
    """A sliding mass with friction on the ground, between two stops.

    Sliding, F_Coulomb + F_prop |v| + F_Stribeck exp(−fexp |v|) acts against v; at rest up to peak
    times F_Coulomb + F_Stribeck holds it. flange_a stops at smin, flange_b at smax; an
    impact reverses the speed by the factor `restitution`.
    """

    at_min = nonsmooth_force("force of the stop at smin", "N")
    at_max = nonsmooth_force("force of the stop at smax", "N")

    smax: kinds.Distance = parameter("position of the stop of flange_b", default=25.0)
    smin: kinds.Distance = parameter("position of the stop of flange_a", default=-25.0)
    F_prop: kinds.Damping = parameter("viscous friction", default=1.0)
    F_Coulomb: kinds.ForceOrZero = parameter("Coulomb friction", default=5.0)
    F_Stribeck: kinds.ForceOrZero = parameter("Stribeck friction at rest", default=10.0)
    fexp: kinds.TimePerLength = parameter(
        "decay of the Stribeck friction with the speed", default=2.0
    )
    peak: kinds.PeakFactor = parameter(
        "maximum static force / sliding force at rest", default=1.001
    )
    restitution: kinds.Restitution = parameter(
        "speed after an impact / speed before it", default=0.0
    )

    @staticmethod
    def resist(p: MassWithStopAndFriction, w: Scalar) -> Scalar:
        """Return F_Coulomb + F_prop w + F_Stribeck exp(−fexp w)."""
        return p.F_Coulomb + p.F_prop * w + p.F_Stribeck * exp(-p.fexp * w)

    def check(self, p: Self) -> None:
        """Refuse stops that leave no room, and a start beyond them.

        Of stops that are live it is seen where a run begins.
        """
        if p.smax - p.smin < p.L:
            raise ParameterError(
                self.label,
                f"smin = {p.smin:g} m and smax = {p.smax:g} m leave no room for the length "
                f"L = {p.L:g} m.",
                "Let smax be at least smin + L.",
                parameter="smax",
                value=p.smax,
            )
        if any(has_live(self.__dict__[name]) for name in ("smin", "smax", "L")):
            return
        begin = self.__dict__["s"]
        low, high = p.smin + 0.5 * p.L, p.smax - 0.5 * p.L
        if isinstance(begin, Start) and begin.is_fixed and not low <= begin.value <= high:
            raise ParameterError(
                self.label,
                f"start value s = {begin.value:g} m is beyond a stop.",
                f"Let it start between {low:g} and {high:g} m.",
                parameter="s",
                value=begin.value,
            )

    def sides(self, p: Values) -> tuple[Port | None, Port]:
        """Return the ground and the mass."""
        return None, self.middle

    def mode(self, p: Values, *signals: Scalar) -> Scalar:
        """Return 0 at a stop that holds the mass, else the mode of the friction."""
        held = p.at_min.stick + p.at_max.stick
        return where(held > 0.0, 0.0, super().mode(p, *signals))

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the mass, friction and stops on it, and when they hold."""
        yield from super().contributions(p)
        yield LineForce(None, self.middle, p, _held)
        yield self.friction_constraint(p)
        yield from self.heat_of_losses(p)
        speed, rate = self.level(p, 1), self.level(p, 2)

        def room_behind(motion: Motion) -> Scalar:
            return motion.flange(self.flange_a)[0] - p.smin

        def room_ahead(motion: Motion) -> Scalar:
            return p.smax - motion.flange(self.flange_b)[0]

        def bounds(motion: Motion) -> ForceBounds:
            return PUSHING

        yield NonsmoothConstraint(
            self, "at_min", speed, bounds, rate, room_behind, p.restitution
        )
        yield NonsmoothConstraint(
            self,
            "at_max",
            lambda motion: -speed(motion),
            bounds,
            lambda motion: -rate(motion),
            room_ahead,
            p.restitution,
        )

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return position, speed, acceleration, the force of ground and stops, mode and loss."""
        return {
            **super().variables(p),
            "f": Variable(lambda motion: _held(p), "N", "force of ground and stops"),
            **self.friction_variables(p),
            "stopped": Variable(
                lambda motion: p.at_max.stick - p.at_min.stick,
                "1",
                "-1 at smin, 1 at smax, else 0",
            ),
        }


def _held(p: Values, *given: Scalar) -> Scalar:
    """Return the force on the part: minus that of friction and stops on the mass."""
    return -(p.friction.force + p.at_min.force - p.at_max.force)
