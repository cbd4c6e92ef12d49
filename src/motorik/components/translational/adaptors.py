"""Signals of translational flanges: adaptors, and start values of flanges."""

from __future__ import annotations

from motorik.components.base import kinds
from motorik.components.base.declarations import (
    parameter,
    signal_input,
    signal_output,
    start,
)
from motorik.components.lines.adaptors import (
    GeneralForceToMotion,
    GeneralMotionToForce,
    RelativeMotion,
    StartOfFlange,
)
from motorik.components.lines.flanges import TranslationalEnd, TranslationalTwoFlanges


class GeneralPositionToForceAdaptor(TranslationalEnd, GeneralMotionToForce):
    """Moves the flange by the signals p = s, pder = ṡ, pder2 = s̈; f is the force it takes.

    f = −flange.f. Without use_pder there is no pder2 either; rates that are no signals are
    those of p.
    """

    p = signal_input("position of the flange", "m")
    pder = signal_input("velocity, the rate of p", "m/s", when="use_pder")
    pder2 = signal_input("acceleration", "m/s2", when="use_pder and use_pder2")
    f = signal_output("force that drives the flange", "N")


class GeneralForceToPositionAdaptor(TranslationalEnd, GeneralForceToMotion):
    """Loads the flange with the force of a signal, flange.f = f; its motion are signals.

    p = s, pder = ṡ, pder2 = s̈; without use_pder there is no pder2 either.
    """

    p = signal_output("position of the flange", "m")
    pder = signal_output("velocity of the flange", "m/s", when="use_pder")
    pder2 = signal_output(
        "acceleration of the flange", "m/s2", when="use_pder and use_pder2"
    )
    f = signal_input("force that the part takes from the flange", "N")


class InitializeFlange(TranslationalEnd, StartOfFlange):
    """A flange that starts with the position, speed and acceleration of signals.

    Each signal is used unless its `use_…_start` is false; it acts at the start alone.
    """

    s_start = signal_input("position at the start", "m", when="use_s_start")
    v_start = signal_input("velocity at the start", "m/s", when="use_v_start")
    a_start = signal_input("acceleration at the start", "m/s2", when="use_a_start")
    use_s_start: kinds.Boolean = parameter("whether s_start is used", default=True)
    use_v_start: kinds.Boolean = parameter("whether v_start is used", default=True)
    use_a_start: kinds.Boolean = parameter("whether a_start is used", default=True)


class RelativeStates(TranslationalTwoFlanges, RelativeMotion):
    """The relative motion of two flanges, s_rel = s_b − s_a, with start values and no force.

    Masses keep absolute states here, and steps are judged by relative motions as well: the part
    gives relative start values, and changes results in no other way.
    """

    s_rel: kinds.StartDistance = start("position of flange_b relative to flange_a")
    v_rel: kinds.StartVelocity = start("rate of s_rel")
    a_rel: kinds.StartAcceleration = start("rate of v_rel")
