"""Sources of translational drive lines: forces and drives with prescribed motion."""

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
    TranslationalDriven,
)
from motorik.components.lines.flanges import TranslationalSupported, TranslationalTwoFlanges
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


class ConstantForce(TranslationalSupported, ConstantLoad):
    """A constant force on a flange; a live `Parameter` can be set by a controller."""

    f_constant: kinds.Force = parameter(
        "force; positive pushes the flange forward", default=1.0
    )


class Force(TranslationalSupported, SignalLoad):
    """A force on a flange, given by the signal f; positive pushes it forward."""

    f = signal_input("force that drives the flange", "N")


class ForceStep(TranslationalSupported, StepLoad):
    """A force step: f = offsetForce, plus stepForce from startTime on.

    An integration step ends at the jump.
    """

    height = ("offsetForce", "stepForce")
    f = signal_output("force that drives the flange", "N")

    stepForce: kinds.Force = parameter("height of the jump", default=1.0)
    offsetForce: kinds.Force = parameter("force before the jump", default=0.0)


class Force2(TranslationalTwoFlanges, SignalBetween):
    """A force between two flanges, given by the signal f: on flange_b, −f on flange_a."""

    f = signal_input("force that drives flange_b", "N")


class _SpeedDependentForce(TranslationalSupported):
    """A force that follows from the speed, known at a nominal speed."""

    direction = "ForceDirection"
    f_nominal: kinds.Force = parameter(
        "force at the nominal speed; negative brakes", default=1.0
    )
    v_nominal: kinds.PositiveVelocity = parameter("nominal speed", default=1.0)
    ForceDirection: kinds.Boolean = parameter(
        "whether the force has the same sign in both directions", default=True
    )


class LinearSpeedDependentForce(_SpeedDependentForce, LinearLoad):
    """A force linear in the speed: f = f_nominal · v / v_nominal (|v| if ForceDirection)."""


class QuadraticSpeedDependentForce(_SpeedDependentForce, QuadraticLoad):
    """A force quadratic in the speed: f = f_nominal (v / v_nominal)².

    Without ForceDirection it changes its sign with the speed.
    """


class InverseSpeedDependentForce(_SpeedDependentForce, InverseLoad):
    """A force of constant power: f = f_nominal · v_nominal / |v|.

    Below v0 it keeps the value that it has at v0. Without ForceDirection it has the sign of v,
    and is f_nominal · v / v0 below v0, as in Modelica: it jumps at v0 unless v_nominal = v0.
    """

    v0: kinds.PositiveVelocity = parameter(
        "speed below which the force is bounded", default=0.1
    )


class SignForce(TranslationalSupported, SignLoad):
    """A constant force with the sign of the speed: f = f_nominal · sign(v).

    Near v = 0 it passes smoothly through zero, by the function `reg` of v / v0.
    """

    f_nominal: kinds.Force = parameter("force; negative brakes", default=1.0)
    v0: kinds.PositiveVelocity = parameter("speed of the regularization", default=0.1)


class EddyCurrentForce(TranslationalSupported, EddyCurrentLoad):
    """An eddy current brake: f = −2 f_nominal r / (1 + r²), r = v / v_nominal (Kloss).

    v_nominal is multiplied by 1 + α (T − TRef), α = alpha20 / (1 + alpha20 (TRef − 293.15 K)),
    as the resistance of the fin is.
    """

    maximum = ("useF_nominalInput", "f_input")
    f_input = signal_input("largest force", "N", when="useF_nominalInput")
    useF_nominalInput: kinds.Boolean = parameter(
        "whether the largest force is an input signal", default=False
    )
    f_nominal: kinds.Force = parameter("largest force, always braking", default=0.0)
    v_nominal: kinds.PositiveVelocity = parameter(
        "speed at which the force is largest, at TRef", default=1.0
    )


class Move(TranslationalDriven, GivenMotion):
    """A flange with given position, speed and acceleration: s = u[1], v = u[2], a = u[3].

    u[2] and u[3] are taken as they are and not compared with the rates of u[1]: signals that
    cannot be differentiated, as those of tables, move a flange so.
    """

    u = signal_input("position [m], speed [m/s] and acceleration [m/s2]", size=3)


class Position(TranslationalDriven, DrivenPosition):
    """A flange at the position s_ref, exactly or through a filter.

    `exact` needs a signal with two time derivatives. The filter is a Bessel filter of second
    order with the critical frequency f_crit; it starts at the reference, with the speed v.
    """

    s_ref = signal_input("reference position", "m")
    s: kinds.StartDistance = start("position")
    v: kinds.StartVelocity = start("velocity")


class Speed(TranslationalDriven, DrivenSpeed):
    """A flange that moves with the velocity v_ref, exactly or through a filter.

    `exact` needs a signal with a time derivative. The filter is of first order with the
    critical frequency f_crit; it starts at the reference.
    """

    v_ref = signal_input("reference velocity", "m/s")
    s: kinds.StartDistance = start("position", default=FROM_ZERO)
    v: kinds.StartVelocity = start("velocity")


class Accelerate(TranslationalDriven, DrivenAcceleration):
    """A flange that moves with the acceleration a_ref from the start values s and v on."""

    a_ref = signal_input("reference acceleration", "m/s2")
    s: kinds.StartDistance = start("position", default=FROM_ZERO)
    v: kinds.StartVelocity = start("velocity", default=FROM_ZERO)


class ConstantSpeed(TranslationalDriven, DrivenConstantly):
    """A flange that moves with a constant velocity, whatever force this takes."""

    v_fixed: kinds.Velocity = parameter("velocity", default=1.0)
    s: kinds.StartDistance = start("position")
