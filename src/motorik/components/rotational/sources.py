"""Sources of rotational drive lines: torques and drives with prescribed motion."""

from __future__ import annotations

from motorik.components.base import kinds
from motorik.components.base.part import parameter, signal_input, signal_output, start
from motorik.components.base.values import Start
from motorik.components.lines.drives import (
    DrivenAcceleration,
    DrivenConstantly,
    DrivenPosition,
    DrivenSpeed,
    GivenMotion,
    RotationalDriven,
)
from motorik.components.lines.flanges import RotationalSupported, RotationalTwoFlanges
from motorik.components.lines.loads import (
    ConstantLoad,
    EddyCurrentLoad,
    InverseLoad,
    LinearLoad,
    QuadraticLoad,
    SignalBetween,
    SignalLoad,
    SignLoad,
    StepLoad,
)

FROM_ZERO = Start(0.0, True)


class ConstantTorque(RotationalSupported, ConstantLoad):
    """A constant torque on a flange; a live `Parameter` can be set by a controller."""

    tau_constant: kinds.Torque = parameter(
        "torque; positive turns the flange forward", default=1.0
    )


class Torque(RotationalSupported, SignalLoad):
    """A torque on a flange, given by the signal tau; positive turns it forward."""

    tau = signal_input("torque that drives the flange", "N.m")


class TorqueStep(RotationalSupported, StepLoad):
    """A torque step: tau = offsetTorque, plus stepTorque from startTime on.

    An integration step ends at the jump.
    """

    height = ("offsetTorque", "stepTorque")
    tau = signal_output("torque that drives the flange", "N.m")

    stepTorque: kinds.Torque = parameter("height of the jump", default=1.0)
    offsetTorque: kinds.Torque = parameter("torque before the jump", default=0.0)


class Torque2(RotationalTwoFlanges, SignalBetween):
    """A torque between two flanges, given by the signal tau: on flange_b, −tau on flange_a."""

    tau = signal_input("torque that drives flange_b", "N.m")


class _SpeedDependentTorque(RotationalSupported):
    """A torque that follows from the speed, known at a nominal speed."""

    direction = "TorqueDirection"
    tau_nominal: kinds.Torque = parameter(
        "torque at the nominal speed; negative brakes", default=1.0
    )
    w_nominal: kinds.PositiveAngularVelocity = parameter("nominal speed", default=1.0)
    TorqueDirection: kinds.Boolean = parameter(
        "whether the torque has the same sign in both directions", default=True
    )


class LinearSpeedDependentTorque(_SpeedDependentTorque, LinearLoad):
    """A torque linear in the speed: τ = τ_nominal · ω / ω_nominal (|ω| if TorqueDirection)."""


class QuadraticSpeedDependentTorque(_SpeedDependentTorque, QuadraticLoad):
    """A torque quadratic in the speed: τ = τ_nominal (ω / ω_nominal)².

    Without TorqueDirection it changes its sign with the speed.
    """


class InverseSpeedDependentTorque(_SpeedDependentTorque, InverseLoad):
    """A torque of constant power: τ = τ_nominal · ω_nominal / |ω|.

    Below w0 it keeps the value that it has at w0. Without TorqueDirection it has the sign of ω,
    and is τ_nominal · ω / w0 below w0, as in Modelica: it jumps at w0 unless ω_nominal = w0.
    """

    w0: kinds.PositiveAngularVelocity = parameter(
        "speed below which the torque is bounded", default=0.1
    )


class SignTorque(RotationalSupported, SignLoad):
    """A constant torque with the sign of the speed: τ = τ_nominal · sign(ω).

    Near ω = 0 it passes smoothly through zero, by the function `reg` of ω / w0.
    """

    tau_nominal: kinds.Torque = parameter("torque; negative brakes", default=1.0)
    w0: kinds.PositiveAngularVelocity = parameter(
        "speed of the regularization", default=0.1
    )


class EddyCurrentTorque(RotationalSupported, EddyCurrentLoad):
    """An eddy current brake: τ = −2 τ_nominal r / (1 + r²), r = ω / ω_nominal (Kloss).

    ω_nominal is multiplied by 1 + α (T − TRef), α = alpha20 / (1 + alpha20 (TRef − 293.15 K)),
    as the resistance of the disk is.
    """

    maximum = ("useTau_nominalInput", "tau_input")
    tau_input = signal_input("largest torque", "N.m", when="useTau_nominalInput")
    useTau_nominalInput: kinds.Boolean = parameter(
        "whether the largest torque is an input signal", default=False
    )
    tau_nominal: kinds.Torque = parameter("largest torque, always braking", default=0.0)
    w_nominal: kinds.PositiveAngularVelocity = parameter(
        "speed at which the torque is largest, at TRef", default=1.0
    )


class Move(RotationalDriven, GivenMotion):
    """A flange with given angle, speed and acceleration: φ = u[1], ω = u[2], a = u[3].

    u[2] and u[3] are taken as they are and not compared with the rates of u[1]: signals that
    cannot be differentiated, as those of tables, move a flange so.
    """

    u = signal_input("angle [rad], speed [rad/s] and acceleration [rad/s2]", size=3)


class Position(RotationalDriven, DrivenPosition):
    """A flange at the angle phi_ref, exactly or through a filter.

    `exact` needs a signal with two time derivatives. The filter is a Bessel filter of second
    order with the critical frequency f_crit; it starts at the reference, with the speed w.
    """

    phi_ref = signal_input("reference angle", "rad")
    phi: kinds.StartAngle = start("angle")
    w: kinds.StartAngularVelocity = start("angular velocity")


class Speed(RotationalDriven, DrivenSpeed):
    """A flange that moves with the angular velocity w_ref, exactly or through a filter.

    `exact` needs a signal with a time derivative. The filter is of first order with the
    critical frequency f_crit; it starts at the reference.
    """

    w_ref = signal_input("reference angular velocity", "rad/s")
    phi: kinds.StartAngle = start("angle", default=FROM_ZERO)
    w: kinds.StartAngularVelocity = start("angular velocity")


class Accelerate(RotationalDriven, DrivenAcceleration):
    """A flange that moves with the acceleration a_ref from the start values phi and w on."""

    a_ref = signal_input("reference acceleration", "rad/s2")
    phi: kinds.StartAngle = start("angle", default=FROM_ZERO)
    w: kinds.StartAngularVelocity = start("angular velocity", default=FROM_ZERO)


class ConstantSpeed(RotationalDriven, DrivenConstantly):
    """A flange that moves with a constant angular velocity, whatever torque this takes."""

    w_fixed: kinds.AngularVelocity = parameter("angular velocity", default=1.0)
    phi: kinds.StartAngle = start("angle")
