"""Sources of rotational drive lines: torques and drives with prescribed motion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, where
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, SignalLaw
from motorik.components.base.part import parameter, signal_input, signal_output, start
from motorik.components.base.values import Start
from motorik.components.lines.drives import (
    DrivenAcceleration,
    DrivenConstantly,
    DrivenPosition,
    DrivenSpeed,
    RotationalDriven,
)
from motorik.components.lines.flanges import RotationalSupported, RotationalTwoFlanges
from motorik.components.lines.loads import (
    ConstantLoad,
    LinearLoad,
    QuadraticLoad,
    SignalBetween,
    SignalLoad,
)

if TYPE_CHECKING:
    from typing_extensions import Self

FROM_ZERO = Start(0.0, True)


class ConstantTorque(RotationalSupported, ConstantLoad):
    """A constant torque on a flange; a live `Parameter` can be set by a controller."""

    tau_constant: kinds.Torque = parameter(
        "torque; positive turns the flange forward", default=1.0
    )


class Torque(RotationalSupported, SignalLoad):
    """A torque on a flange, given by the signal tau; positive turns it forward."""

    tau = signal_input("torque that drives the flange", "N.m")


class TorqueStep(RotationalSupported, SignalLoad):
    """A torque step: tau = offsetTorque, plus stepTorque from startTime on.

    An integration step ends at the jump.
    """

    tau = signal_output("torque that drives the flange", "N.m")

    stepTorque: kinds.Torque = parameter("height of the jump", default=1.0)
    offsetTorque: kinds.Torque = parameter("torque before the jump", default=0.0)
    startTime: kinds.Time = parameter("time of the jump", default=0.0)

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the torque as a function of time."""
        yield from super().contributions(p)
        yield SignalLaw(self, (), (self.tau,), p, _stepped)


def _stepped(
    p: TorqueStep, t: Scalar, inputs: Sequence[Scalar], states: Sequence[Scalar]
) -> tuple[Scalar]:
    return (p.offsetTorque + where(t < p.startTime, 0.0, p.stepTorque),)


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
