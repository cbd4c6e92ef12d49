"""Friction of rotational drive lines: clutches, brakes, bearings."""

from __future__ import annotations

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_input, start
from motorik.components.base.interpolation import interpolate_friction
from motorik.components.lines.flanges import RotationalShaft, RotationalTwoFlanges
from motorik.components.lines.friction import (
    FrictionBetween,
    FrictionOnShaft,
    OneWayFriction,
    PressedFriction,
)

PRESSING = "normal force / fn_max; free where it is not positive"


class Clutch(RotationalTwoFlanges, PressedFriction, FrictionBetween):
    """Two shafts with friction between them: τ = μ(ω_rel) · cgeo · fn, fn = fn_max · f_normalized.

    ω_rel = ω_b − ω_a; at ω_rel = 0 it holds up to peak times the sliding torque at rest.
    """

    f_normalized = signal_input(PRESSING, "1")
    phi_rel: kinds.StartAngle = start("angle of flange_b against flange_a")
    w_rel: kinds.StartAngularVelocity = start("rate of phi_rel")


class OneWayClutch(RotationalTwoFlanges, OneWayFriction, FrictionBetween):
    """A free wheel beside a clutch: ω_rel = ω_b − ω_a ≥ 0, by any torque.

    For ω_rel > 0 it slides like a `Clutch`, without pressing force freely. A start with ω_rel < 0
    is an inelastic impact.
    """

    f_normalized = signal_input(PRESSING, "1")
    phi_rel: kinds.StartAngle = start("angle of flange_b against flange_a")
    w_rel: kinds.StartAngularVelocity = start("rate of phi_rel")


class Brake(RotationalShaft, PressedFriction, FrictionOnShaft):
    """A shaft with friction against its support: τ = μ(ω) · cgeo · fn, fn = fn_max · f_normalized.

    At ω = 0 it holds up to peak times the sliding torque at rest.
    """

    f_normalized = signal_input(PRESSING, "1")


class BearingFriction(RotationalShaft, FrictionOnShaft):
    """A shaft with the friction torque τ(ω) of its bearing.

    At ω = 0 it holds up to peak times τ(0).
    """

    is_of_any_speed = True

    tau_pos: kinds.FrictionTable = parameter(
        "rows (speed, torque), linear, also beyond them, but never below zero",
        default=((0.0, 1.0),),
    )

    @staticmethod
    def resist(p: BearingFriction, w: Scalar) -> Scalar:
        """Return the torque of the table."""
        return interpolate_friction(p.tau_pos, w)
