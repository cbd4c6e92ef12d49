"""Loads of drive lines: forces on a flange, constant or by a signal or the speed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from math import pi
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.scalar import Scalar, cos, exp, sin, where
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, LineForce, SignalLaw
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart, Values, Variable, parameter
from motorik.components.base.ports import Port
from motorik.components.lines.flanges import AnyFlange, VariableNames
from motorik.components.losses import TEMPERATURE, LossyPart

if TYPE_CHECKING:
    from typing_extensions import Self


class Load(DeclaredPart):
    """A force law between a flange and its support, or the ground.

    `law(p, x, v, *signals)` is the force that pushes the flange forward at position x with
    speed v: flange.f = −law.
    """

    line_names: ClassVar[VariableNames]
    law: ClassVar[Callable[..., Scalar]]
    flange: ClassVar[AnyFlange]
    support: ClassVar[AnyFlange]

    def of_law(self, p: Values) -> Values:
        """Return the arguments p of the law: the parameters, or some of them renamed."""
        return p

    @property
    def driven(self) -> Port:
        """The flange that is pushed."""
        return self.flange

    def inputs(self) -> tuple[Port, ...]:
        """Return the signals that the law takes."""
        return ()

    def reacts_on(self, p: Values) -> Port | None:
        """Return the flange that takes the reaction, None if it is the ground."""
        return self.support if p.useSupport else None

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the law that acts on the flange."""
        law, given = opposite(type(self).law), self.of_law(p)
        yield LineForce(self.reacts_on(p), self.driven, given, law, signals=self.inputs())

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return position, speed and force, as far as no port shows them."""
        is_of, other, given = self.line_names, self.reacts_on(p), self.of_law(p)

        def relative(motion: Motion) -> tuple[Scalar, Scalar]:
            x, v = motion.flange(self.driven)
            x_0, v_0 = (0.0, 0.0) if other is None else motion.flange(other)
            return x - x_0, v - v_0

        def force(motion: Motion) -> Scalar:
            return self.law(given, *relative(motion), *map(motion.signal, self.inputs()))

        shown = {
            is_of.x: Variable(lambda motion: relative(motion)[0], is_of.unit_x, "position"),
            is_of.v: Variable(lambda motion: relative(motion)[1], is_of.unit_v, "speed"),
            is_of.f: Variable(force, is_of.unit_f, "force that drives the flange"),
        }
        ports = {port.name for port in self.ports()}
        return {name: variable for name, variable in shown.items() if name not in ports}


@cache
def opposite(law: Callable[..., Scalar]) -> Callable[..., Scalar]:
    """Return the law with the opposite sign, always the same object for one law."""

    def reversed_law(*given: Scalar) -> Scalar:
        return -law(*given)

    return reversed_law


class ConstantLoad(Load):
    """A constant force."""

    def of_law(self, p: Values) -> Values:
        """Return the force."""
        return SimpleNamespace(force=getattr(p, f"{self.line_names.f}_constant"))

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return the force."""
        return p.force


class SignalLoad(Load):
    """A force given by the signal that has the name of the force."""

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar, f: Scalar) -> Scalar:
        """Return the signal."""
        return f

    def inputs(self) -> tuple[Port, ...]:
        """Return the force."""
        return (self.__dict__[self.line_names.f],)


class SignalBetween(SignalLoad):
    """A force between two flanges, given by a signal: on flange_b, its opposite on flange_a."""

    flange_a: ClassVar[AnyFlange]
    flange_b: ClassVar[AnyFlange]

    @property
    def driven(self) -> Port:
        """The flange that is pushed."""
        return self.flange_b

    def reacts_on(self, p: Self) -> Port:
        """Return flange_a."""
        return self.flange_a


class SpeedDependent(Load):
    """A force that depends on the speed, given at a nominal speed."""

    direction: ClassVar[str]  # the parameter: whether the force keeps its sign

    def of_law(self, p: Values) -> Values:
        """Return nominal force and speed, and whether the force keeps its sign."""
        names = self.line_names
        return SimpleNamespace(
            force=getattr(p, f"{names.f}_nominal"),
            speed=getattr(p, f"{names.v}_nominal"),
            keeps_sign=getattr(p, self.direction),
        )


class LinearLoad(SpeedDependent):
    """A force linear in the speed: f = f_nominal · v / v_nominal (|v| if it keeps its sign)."""

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return f_nominal · v / v_nominal."""
        linear = p.force * v / p.speed
        if p.keeps_sign:
            return where(v >= 0.0, linear, -linear)
        return linear


class QuadraticLoad(SpeedDependent):
    """A force quadratic in the speed: f = f_nominal (v / v_nominal)²."""

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return f_nominal (v / v_nominal)², with the sign of the speed unless it keeps its own."""
        ratio = v / p.speed
        quadratic = p.force * ratio * ratio
        if p.keeps_sign:
            return quadratic
        return where(v >= 0.0, quadratic, -quadratic)


class InverseLoad(SpeedDependent):
    """A force of constant power: f = f_nominal · v_nominal / |v|, bounded below the speed v0."""

    def of_law(self, p: Values) -> Values:
        """Return nominal values, the sign, and the speed below which the force is bounded."""
        slow = getattr(p, f"{self.line_names.v}0")
        return SimpleNamespace(**vars(super().of_law(p)), slow=slow)

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return f_nominal · v_nominal / v; below v0 constant, or f_nominal · v / v0."""
        size = where(v < 0.0, -v, v)
        is_slow = size < p.slow
        if p.keeps_sign:
            return p.force * p.speed / where(is_slow, p.slow, size)
        fast = p.force * p.speed / where(is_slow, p.slow, v)
        return where(is_slow, p.force * v / p.slow, fast)


class SignLoad(Load):
    """A constant force with the sign of the speed, which passes smoothly through zero."""

    reg: kinds.Regularization = parameter("regularization near rest", default="Exp")

    def of_law(self, p: Values) -> Values:
        """Return the force, the regularization and its speed."""
        names = self.line_names
        return SimpleNamespace(
            force=getattr(p, f"{names.f}_nominal"),
            slow=getattr(p, f"{names.v}0"),
            reg=p.reg,
        )

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        """Return f_nominal · sign(v), made smooth."""
        return p.force * smooth_sign(v / p.slow, p.reg)


EXPONENT = 0.01  # of the speed of the regularization: scale of the exponential form


def smooth_sign(x: Scalar, form: str) -> Scalar:
    """Return the sign of x, which passes through zero within |x| ≤ 1 (within 0.1 for Exp)."""
    if form == "Exp":
        rest = exp(-where(x < 0.0, -x, x) / EXPONENT)
        size = (1.0 - rest) / (1.0 + rest)
        return where(x < 0.0, -size, size)
    half = 0.5 * pi
    cosine = 1.0 - cos(half * x)
    within = {"Sine": sin(half * x), "Linear": x, "CoSine": where(x < 0.0, -cosine, cosine)}
    return where(x > 1.0, 1.0, where(x < -1.0, -1.0, within[form]))


REFERENCE_20 = 293.15  # K, to which the temperature coefficient alpha20 refers


class EddyCurrentLoad(LossyPart, Load):
    """An eddy current brake: f = −2 f_nominal r / (1 + r²), r = v / v_nominal (Kloss).

    v_nominal grows with the resistance of the disk: by 1 + α (T − TRef), where
    α = alpha20 / (1 + alpha20 (TRef − 293.15 K)). With a heat port T is its temperature.
    """

    needs_temperature = True

    maximum: ClassVar[
        tuple[str, str]
    ]  # whether the largest force is a signal, and the signal
    T: kinds.Temperature = parameter("temperature of the disk", default=REFERENCE_20)
    TRef: kinds.Temperature = parameter(
        "temperature to which the nominal speed refers", default=REFERENCE_20
    )
    alpha20: kinds.PerTemperature = parameter(
        "temperature coefficient of the disk's resistance at 20 °C", default=0.0
    )

    def of_law(self, p: Values) -> Values:
        """Return the largest force and the speed at which it occurs."""
        names = self.line_names
        alpha = p.alpha20 / (1.0 + p.alpha20 * (p.TRef - REFERENCE_20))
        force, speed = getattr(p, f"{names.f}_nominal"), getattr(p, f"{names.v}_nominal")
        if p.useHeatPort:
            return SimpleNamespace(force=force, speed=speed, alpha=alpha, TRef=p.TRef)
        return SimpleNamespace(force=force, speed=speed * (1.0 + alpha * (p.T - p.TRef)))

    def inputs(self) -> tuple[Port, ...]:
        """Return the temperature if there is a heat port, the largest force if it is a signal."""
        decides, name = self.maximum
        heated = (self.hidden(TEMPERATURE),) if self.useHeatPort else ()
        return (*heated, self.__dict__[name]) if self.__dict__[decides] else heated

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar, *signals: Scalar) -> Scalar:
        """Return −2 f_nominal r / (1 + r²)."""
        speed, largest = p.speed, signals
        if hasattr(p, "alpha"):  # the first signal is the temperature
            speed, largest = speed * (1.0 + p.alpha * (signals[0] - p.TRef)), signals[1:]
        ratio = v / speed
        force = largest[0] if largest else p.force
        return -2.0 * force * ratio / (1.0 + ratio * ratio)

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return motion, force and dissipated power."""
        shown = dict(super().variables(p))
        force, speed = shown[self.line_names.f].value, shown[self.line_names.v].value
        lost = Variable(
            lambda motion: -force(motion) * speed(motion), "W", "dissipated power"
        )
        return {**shown, "lossPower": lost}


class StepLoad(SignalLoad):
    """A force step: offset, plus a jump from startTime on; a step of the run ends there."""

    height: ClassVar[tuple[str, str]]  # the names of offset and jump
    startTime: kinds.Time = parameter("time of the jump", default=0.0)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force as a function of time."""
        yield from super().contributions(p)
        offset, jump = (getattr(p, name) for name in self.height)
        given = SimpleNamespace(offset=offset, jump=jump, startTime=p.startTime)
        yield SignalLaw(self, (), self.inputs(), given, _stepped)


def _stepped(
    p: Values, t: Scalar, inputs: Sequence[Scalar], states: Sequence[Scalar]
) -> tuple[Scalar]:
    return (p.offset + where(t < p.startTime, 0.0, p.jump),)
