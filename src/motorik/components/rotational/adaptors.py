"""Signals of rotational flanges: adaptors, and start values of flanges."""

from __future__ import annotations

from motorik.components.base import kinds
from motorik.components.base.declarations import (
    parameter,
    signal_input,
    signal_output,
    start,
)
from motorik.components.lines.adaptors import (
    ForceToMotion,
    GeneralForceToMotion,
    GeneralMotionToForce,
    MotionToForce,
    RelativeMotion,
    StartOfFlange,
)
from motorik.components.lines.flanges import RotationalEnd, RotationalTwoFlanges


class AngleToTorqueAdaptor(RotationalEnd, MotionToForce):
    """Moves the flange by the signals phi, w = φ̇, a = ẇ; tau is the torque that this takes.

    tau = −flange.tau, positive where it drives the flange forward. With use_a there is w, too.
    Rates that are no signals are those of phi.
    """

    motion_signals = ("phi", "w", "a")
    force_signal = "tau"
    phi = signal_input("angle of the flange", "rad")
    w = signal_input("angular velocity, the rate of phi", "rad/s", when="use_w or use_a")
    a = signal_input("angular acceleration, the rate of w", "rad/s2", when="use_a")
    tau = signal_output("torque that drives the flange", "N.m")
    use_w: kinds.Boolean = parameter("whether w is an input signal", default=True)
    use_a: kinds.Boolean = parameter("whether w and a are input signals", default=True)


class TorqueToAngleAdaptor(RotationalEnd, ForceToMotion):
    """Loads the flange with the torque of a signal, flange.tau = tau; its motion are signals.

    A positive tau pulls the flange back: it is the torque that the part takes, that of an
    `AngleToTorqueAdaptor` on the other side of the signals.
    """

    motion_signals = ("phi", "w", "a")
    force_signal = "tau"
    phi = signal_output("angle of the flange", "rad")
    w = signal_output("angular velocity of the flange", "rad/s", when="use_w")
    a = signal_output("angular acceleration of the flange", "rad/s2", when="use_a")
    tau = signal_input("torque that the part takes from the flange", "N.m")
    use_w: kinds.Boolean = parameter("whether w is an output signal", default=True)
    use_a: kinds.Boolean = parameter("whether a is an output signal", default=True)


class GeneralAngleToTorqueAdaptor(RotationalEnd, GeneralMotionToForce):
    """Moves the flange by the signals p = φ, pder = φ̇, pder2 = φ̈; f is the torque it takes.

    f = −flange.tau. Without use_pder there is no pder2 either; rates that are no signals are
    those of p.
    """

    p = signal_input("angle of the flange", "rad")
    pder = signal_input("angular velocity, the rate of p", "rad/s", when="use_pder")
    pder2 = signal_input("angular acceleration", "rad/s2", when="use_pder and use_pder2")
    f = signal_output("torque that drives the flange", "N.m")


class GeneralTorqueToAngleAdaptor(RotationalEnd, GeneralForceToMotion):
    """Loads the flange with the torque f of a signal, flange.tau = f; its motion are signals.

    p = φ, pder = φ̇, pder2 = φ̈; without use_pder there is no pder2 either.
    """

    p = signal_output("angle of the flange", "rad")
    pder = signal_output("angular velocity of the flange", "rad/s", when="use_pder")
    pder2 = signal_output("angular acceleration", "rad/s2", when="use_pder and use_pder2")
    f = signal_input("torque that the part takes from the flange", "N.m")


class InitializeFlange(RotationalEnd, StartOfFlange):
    """A flange that starts with the angle, speed and acceleration of signals.

    Each signal is used unless its `use_…_start` is false; it acts at the start alone.
    """

    phi_start = signal_input("angle at the start", "rad", when="use_phi_start")
    w_start = signal_input("angular velocity at the start", "rad/s", when="use_w_start")
    a_start = signal_input(
        "angular acceleration at the start", "rad/s2", when="use_a_start"
    )
    use_phi_start: kinds.Boolean = parameter("whether phi_start is used", default=True)
    use_w_start: kinds.Boolean = parameter("whether w_start is used", default=True)
    use_a_start: kinds.Boolean = parameter("whether a_start is used", default=True)


class RelativeStates(RotationalTwoFlanges, RelativeMotion):
    """The relative motion of two flanges, φ_rel = φ_b − φ_a, with start values and no torque.

    Shafts keep absolute states here, and steps are judged by relative motions as well: the part
    gives relative start values, and changes results in no other way.
    """

    phi_rel: kinds.StartAngle = start("angle of flange_b relative to flange_a")
    w_rel: kinds.StartAngularVelocity = start("rate of phi_rel")
    a_rel: kinds.StartAngularAcceleration = start("rate of w_rel")
