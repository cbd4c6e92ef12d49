"""Sources of rotational drive lines: torques and drives that move a flange as told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from motorik.algebra.scalar import Scalar, where
from motorik.components.base.contributions import Contribution, SignalLaw
from motorik.components.base.part import (
    parameter,
    rotational_flange,
    signal_input,
    signal_output,
    start,
)
from motorik.components.base.ports import Port
from motorik.components.base.values import Start, as_boolean, as_number
from motorik.components.lines.base import ROTATIONAL, Load
from motorik.components.lines.drives import (
    Driven,
    DrivenAcceleration,
    DrivenConstantly,
    DrivenPosition,
    DrivenSpeed,
)

FROM_ZERO = Start(0.0, True)
frequency = as_number(above=0.0)


class _Torque(Load):
    """A torque on a flange, against its support or the standing world."""

    line_names = ROTATIONAL
    flange = rotational_flange("the driven flange")
    support = rotational_flange("what takes the reaction", when="useSupport")
    useSupport = parameter("whether the support has a flange", "", False, as_boolean)


class ConstantTorque(_Torque):
    """A torque on a flange; as a live `Parameter` it is the input of a controller."""

    tau_constant = parameter(
        "torque; positive turns the flange forward", "N.m", 1.0, as_number()
    )

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return the constant torque."""
        return p.tau_constant


class Torque(_Torque):
    """A torque on a flange, given by the signal tau; positive turns it forward."""

    tau = signal_input("torque that drives the flange", "N.m")

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar, tau: Scalar) -> Scalar:
        """Return the signal."""
        return tau

    def inputs(self) -> tuple[Port]:
        """Return the torque."""
        return (self.tau,)


class TorqueStep(_Torque):
    """A torque that jumps at startTime: tau = offsetTorque, and stepTorque more from then on.

    The jump is no event: a method with step control finds it by its error.
    """

    tau = signal_output("torque that drives the flange", "N.m")

    stepTorque = parameter("height of the jump", "N.m", 1.0, as_number())
    offsetTorque = parameter("torque before the jump", "N.m", 0.0, as_number())
    startTime = parameter("when it jumps", "s", 0.0, as_number())

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar, tau: Scalar) -> Scalar:
        """Return the torque of the moment."""
        return tau

    def inputs(self) -> tuple[Port]:
        """Return the torque."""
        return (self.tau,)

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the torque, and its course in time."""
        yield from super().contributions(p)
        yield SignalLaw(self, (), (self.tau,), p, _stepped)


def _stepped(p: Any, t: Scalar, inputs: Any, states: Any) -> tuple[Scalar]:
    return (p.offsetTorque + where(t < p.startTime, 0.0, p.stepTorque),)


class Torque2(Load):
    """A torque between two flanges, given by the signal tau: on flange_b, −tau on flange_a."""

    line_names = ROTATIONAL
    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange, driven forward")
    tau = signal_input("torque that drives flange_b", "N.m")

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar, tau: Scalar) -> Scalar:
        """Return the signal."""
        return tau

    @property
    def driven(self) -> Port:
        """The flange that is pushed."""
        return self.flange_b

    def inputs(self) -> tuple[Port]:
        """Return the torque."""
        return (self.tau,)

    def reacts_on(self, p: Any) -> Port:
        """Return flange_a."""
        return self.flange_a


class _SpeedDependentTorque(_Torque):
    """A torque that follows from the speed, known at a nominal speed."""

    tau_nominal = parameter(
        "torque at the nominal speed; negative brakes", "N.m", 1.0, as_number()
    )
    w_nominal = parameter("nominal speed", "rad/s", 1.0, as_number(above=0.0))
    TorqueDirection = parameter(
        "whether the torque has the same sign in both directions", "", True, as_boolean
    )


class LinearSpeedDependentTorque(_SpeedDependentTorque):
    """A torque linear in the speed: τ = τ_nominal · ω / ω_nominal (|ω| if TorqueDirection)."""

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return τ_nominal · ω / ω_nominal."""
        linear = p.tau_nominal * v / p.w_nominal
        if p.TorqueDirection:
            return where(v >= 0.0, linear, -linear)
        return linear


class QuadraticSpeedDependentTorque(_SpeedDependentTorque):
    """A torque quadratic in the speed: τ = τ_nominal (ω / ω_nominal)².

    Without TorqueDirection it changes its sign with the speed.
    """

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return τ_nominal (ω / ω_nominal)²."""
        ratio = v / p.w_nominal
        quadratic = p.tau_nominal * ratio * ratio
        if p.TorqueDirection:
            return quadratic
        return where(v >= 0.0, quadratic, -quadratic)


class _Driven(Driven):
    """A flange that is moved as told, against its support or the standing world."""

    line_names = ROTATIONAL
    flange = rotational_flange("the driven flange")
    support = rotational_flange("what takes the reaction", when="useSupport")
    relative = rotational_flange("shows the motion against the support", when="useSupport")
    useSupport = parameter("whether the support has a flange", "", False, as_boolean)


class Position(_Driven, DrivenPosition):
    """A flange at the angle phi_ref, exactly or through a filter.

    `exact` needs a signal with two time derivatives. The filter is a Bessel filter of second
    order with the critical frequency f_crit; it starts at the reference, with the speed w.
    """

    phi_ref = signal_input("reference angle", "rad")
    exact = parameter("whether the signal is followed exactly", "", False, as_boolean)
    f_crit = parameter("critical frequency of the filter", "Hz", 50.0, frequency)
    phi = start("angle", "rad")
    w = start("angular velocity", "rad/s")

    def reference(self) -> Port:
        """Return the reference angle."""
        return self.phi_ref


class Speed(_Driven, DrivenSpeed):
    """A flange that moves with the angular velocity w_ref, exactly or through a filter.

    `exact` needs a signal with a time derivative. The filter is of first order with the
    critical frequency f_crit; it starts at the reference.
    """

    w_ref = signal_input("reference angular velocity", "rad/s")
    exact = parameter("whether the signal is followed exactly", "", False, as_boolean)
    f_crit = parameter("critical frequency of the filter", "Hz", 50.0, frequency)
    phi = start("angle", "rad", default=FROM_ZERO)
    w = start("angular velocity", "rad/s")

    def reference(self) -> Port:
        """Return the reference angular velocity."""
        return self.w_ref


class Accelerate(_Driven, DrivenAcceleration):
    """A flange that moves with the acceleration a_ref from the start values phi and w on."""

    a_ref = signal_input("reference acceleration", "rad/s2")
    phi = start("angle", "rad", default=FROM_ZERO)
    w = start("angular velocity", "rad/s", default=FROM_ZERO)

    def reference(self) -> Port:
        """Return the reference acceleration."""
        return self.a_ref


class ConstantSpeed(_Driven, DrivenConstantly):
    """A flange that moves with a constant angular velocity, whatever torque it takes."""

    speed = "w_fixed"
    w_fixed = parameter("angular velocity", "rad/s", 1.0, as_number())
    phi = start("angle", "rad")
