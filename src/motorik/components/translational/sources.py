"""Sources of translational drive lines: forces and drives that move a flange as told."""

from __future__ import annotations

from typing import Any

from motorik.algebra.scalar import Scalar, where
from motorik.components.base.part import (
    parameter,
    signal_input,
    start,
    translational_flange,
)
from motorik.components.base.ports import Port
from motorik.components.base.values import Start, as_boolean, as_number
from motorik.components.lines.base import TRANSLATIONAL, Load
from motorik.components.lines.drives import (
    Driven,
    DrivenAcceleration,
    DrivenConstantly,
    DrivenPosition,
    DrivenSpeed,
)

FROM_ZERO = Start(0.0, True)
frequency = as_number(above=0.0)


class _Force(Load):
    """A force on a flange, against its support or the standing world."""

    line_names = TRANSLATIONAL
    flange = translational_flange("the driven flange")
    support = translational_flange("what takes the reaction", when="useSupport")
    useSupport = parameter("whether the support has a flange", "", False, as_boolean)


class ConstantForce(_Force):
    """A force on a flange; as a live `Parameter` it is the input of a controller."""

    f_constant = parameter(
        "force; positive pushes the flange forward", "N", 1.0, as_number()
    )

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return the constant force."""
        return p.f_constant


class Force(_Force):
    """A force on a flange, given by the signal f; positive pushes it forward."""

    f = signal_input("force that drives the flange", "N")

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar, f: Scalar) -> Scalar:
        """Return the signal."""
        return f

    def inputs(self) -> tuple[Port]:
        """Return the force."""
        return (self.f,)


class Force2(Load):
    """A force between two flanges, given by the signal f: on flange_b, −f on flange_a."""

    line_names = TRANSLATIONAL
    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange, driven forward")
    f = signal_input("force that drives flange_b", "N")

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar, f: Scalar) -> Scalar:
        """Return the signal."""
        return f

    @property
    def driven(self) -> Port:
        """The flange that is pushed."""
        return self.flange_b

    def inputs(self) -> tuple[Port]:
        """Return the force."""
        return (self.f,)

    def reacts_on(self, p: Any) -> Port:
        """Return flange_a."""
        return self.flange_a


class _SpeedDependentForce(_Force):
    """A force that follows from the speed, known at a nominal speed."""

    f_nominal = parameter(
        "force at the nominal speed; negative brakes", "N", 1.0, as_number()
    )
    v_nominal = parameter("nominal speed", "m/s", 1.0, as_number(above=0.0))
    ForceDirection = parameter(
        "whether the force has the same sign in both directions", "", True, as_boolean
    )


class LinearSpeedDependentForce(_SpeedDependentForce):
    """A force linear in the speed: f = f_nominal · v / v_nominal (|v| if ForceDirection)."""

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return f_nominal · v / v_nominal."""
        linear = p.f_nominal * v / p.v_nominal
        if p.ForceDirection:
            return where(v >= 0.0, linear, -linear)
        return linear


class QuadraticSpeedDependentForce(_SpeedDependentForce):
    """A force quadratic in the speed: f = f_nominal (v / v_nominal)².

    Without ForceDirection it changes its sign with the speed.
    """

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return f_nominal (v / v_nominal)²."""
        ratio = v / p.v_nominal
        quadratic = p.f_nominal * ratio * ratio
        if p.ForceDirection:
            return quadratic
        return where(v >= 0.0, quadratic, -quadratic)


class _Driven(Driven):
    """A flange that is moved as told, against its support or the standing world."""

    line_names = TRANSLATIONAL
    flange = translational_flange("the driven flange")
    support = translational_flange("what takes the reaction", when="useSupport")
    relative = translational_flange(
        "shows the motion against the support", when="useSupport"
    )
    useSupport = parameter("whether the support has a flange", "", False, as_boolean)


class Position(_Driven, DrivenPosition):
    """A flange at the position s_ref, exactly or through a filter.

    `exact` needs a signal with two time derivatives. The filter is a Bessel filter of second
    order with the critical frequency f_crit; it starts at the reference, with the speed v.
    """

    s_ref = signal_input("reference position", "m")
    exact = parameter("whether the signal is followed exactly", "", False, as_boolean)
    f_crit = parameter("critical frequency of the filter", "Hz", 50.0, frequency)
    s = start("position", "m")
    v = start("velocity", "m/s")

    def reference(self) -> Port:
        """Return the reference position."""
        return self.s_ref


class Speed(_Driven, DrivenSpeed):
    """A flange that moves with the velocity v_ref, exactly or through a filter.

    `exact` needs a signal with a time derivative. The filter is of first order with the
    critical frequency f_crit; it starts at the reference.
    """

    v_ref = signal_input("reference velocity", "m/s")
    exact = parameter("whether the signal is followed exactly", "", False, as_boolean)
    f_crit = parameter("critical frequency of the filter", "Hz", 50.0, frequency)
    s = start("position", "m", default=FROM_ZERO)
    v = start("velocity", "m/s")

    def reference(self) -> Port:
        """Return the reference velocity."""
        return self.v_ref


class Accelerate(_Driven, DrivenAcceleration):
    """A flange that moves with the acceleration a_ref from the start values s and v on."""

    a_ref = signal_input("reference acceleration", "m/s2")
    s = start("position", "m", default=FROM_ZERO)
    v = start("velocity", "m/s", default=FROM_ZERO)

    def reference(self) -> Port:
        """Return the reference acceleration."""
        return self.a_ref


class ConstantSpeed(_Driven, DrivenConstantly):
    """A flange that moves with a constant velocity, whatever force it takes."""

    speed = "v_fixed"
    v_fixed = parameter("velocity", "m/s", 1.0, as_number())
    s = start("position", "m")
