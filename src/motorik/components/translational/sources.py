"""Sources of translational drive lines: forces and drives with prescribed motion."""

from __future__ import annotations

from motorik.components.base import kinds
from motorik.components.base.part import parameter, signal_input, start
from motorik.components.base.values import Start
from motorik.components.lines.drives import (
    DrivenAcceleration,
    DrivenConstantly,
    DrivenPosition,
    DrivenSpeed,
    TranslationalDriven,
)
from motorik.components.lines.flanges import TranslationalSupported, TranslationalTwoFlanges
from motorik.components.lines.loads import (
    ConstantLoad,
    LinearLoad,
    QuadraticLoad,
    SignalBetween,
    SignalLoad,
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
