"""Controllers made of blocks: PID, and PID with limits and anti-windup."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, maximum
from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.declarations import parameter, signal_input, signal_output
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Values
from motorik.components.base.unit_laws import UnitLaw, same_unit
from motorik.components.base.values import Derived
from motorik.components.blocks.arithmetic import Add, Add3, Feedback, Gain
from motorik.components.blocks.block import Scalars
from motorik.components.blocks.continuous import Derivative, Integrator
from motorik.components.blocks.nonlinear import Limiter
from motorik.components.blocks.sources import Constant
from motorik.errors import ParameterError
from motorik.numerics.tolerances import EPSILON

if TYPE_CHECKING:
    from typing_extensions import Self

SMALLEST = 100 * EPSILON  # time constant of a derivative without filter [s]


class _IntegralAction(Integrator):
    """The integral of a controller, which may start so that the controller has a given output."""

    proportional = signal_input("proportional action", default=0.0)
    derivative = signal_input("derivative action", default=0.0)
    gain: kinds.Factor = parameter("gain of the controller", default=1.0)
    y_controller: kinds.PlainNumber = parameter("output of the controller", default=0.0)

    def inputs(self) -> tuple[Port, ...]:
        """Return the input, and the other actions."""
        return (self.u, self.proportional, self.derivative)

    def initial(self, p: Values) -> Callable[..., tuple[Scalar, ...]] | None:
        """Return the integral that follows from the output of the controller."""
        return type(self).of_output if p.initType == "InitialOutput" else None

    @staticmethod
    def of_output(p: _IntegralAction, t: Scalar, inputs: Scalars) -> tuple[Scalar]:
        """Return y / gain, less the other actions."""
        return (p.y_controller / p.gain - inputs[1] - inputs[2],)


class PID(DeclaredComposite):
    """A PID controller: y = k (u + ∫u dt / Ti + Td du/dt), the derivative filtered by Td / Nd.

    initType: "SteadyState" starts integral and derivative where their rates vanish,
    "InitialState" at xi_start and xd_start; "InitialOutput" starts the derivative in steady
    state and the integral so that y = y_start.
    """

    is_drawn = False
    u = signal_input("input")
    y = signal_output("output")
    k: kinds.Factor = parameter("gain", default=1.0)
    Ti: kinds.Duration = parameter("time constant of the integral", default=0.5)
    Td: kinds.DurationOrZero = parameter("time constant of the derivative", default=0.1)
    Nd: kinds.PositiveFactor = parameter(
        "Td / time constant of the derivative filter", default=10.0
    )
    initType: kinds.InitType = parameter("how the states start", default="InitialState")
    xi_start: kinds.PlainNumber = parameter("integral at the start", default=0.0)
    xd_start: kinds.PlainNumber = parameter(
        "state of the derivative at the start", default=0.0
    )
    y_start: kinds.PlainNumber = parameter(
        "output at the start, with initType InitialOutput", default=0.0
    )

    def check(self, p: Self) -> None:
        """Refuse initType = "InitialOutput" where the gain is zero."""
        check_gain(self.label, p)

    def build(self) -> None:
        """Build it from its three branches."""
        self.P = Gain(k=1.0)
        self.I = _IntegralAction(
            k=Derived(self, _integral_gain), gain=Derived(self, attrgetter("k"))
        )
        self.D = Derivative(
            k=Derived(self, attrgetter("Td")), T=Derived(self, _filter_time)
        )
        self.Add = Add3()
        self.Gain = Gain(k=Derived(self, attrgetter("k")))
        begin_actions(self)
        for branch in (self.P, self.I, self.D):
            self.connect(self.u, branch.u)
        self.connect(self.P.y, self.Add.u1, self.I.proportional)
        self.connect(self.I.y, self.Add.u2)
        self.connect(self.D.y, self.Add.u3, self.I.derivative)
        self.connect(self.Add.y, self.Gain.u)
        self.connect(self.Gain.y, self.y)


class LimPID(DeclaredComposite):
    """A P, PI, PD or PID controller with limited output, anti-windup and setpoint weights.

    y = limit(k (wp u_s − u_m + I + D) + kFF u_ff), İ = (u_s − u_m + (y − y before the limit) /
    (k Ni)) / Ti, D = Td d(wd u_s − u_m)/dt, filtered by Td / Nd; yMin ≤ y ≤ yMax. While y is at
    a limit, the integral tracks it. The states start as those of `PID` do.
    """

    is_drawn = False
    u_s = signal_input("setpoint")
    u_m = signal_input("measured value")
    u_ff = signal_input("feed-forward, added to the output", when="withFeedForward")
    y = signal_output("output, within its limits")
    controlError = signal_output("u_s − u_m")
    controllerType: kinds.ControllerType = parameter("P, PI, PD or PID", default="PID")
    k: kinds.Factor = parameter("gain", default=1.0)
    Ti: kinds.Duration = parameter("time constant of the integral", default=0.5)
    Td: kinds.DurationOrZero = parameter("time constant of the derivative", default=0.1)
    yMax: kinds.Number = parameter("upper limit of y", default=1.0)
    yMin: kinds.OptionalValue = parameter("lower limit of y; None is −yMax", default=None)
    wp: kinds.FactorOrZero = parameter(
        "weight of u_s in the proportional action", default=1.0
    )
    wd: kinds.FactorOrZero = parameter(
        "weight of u_s in the derivative action", default=0.0
    )
    Ni: kinds.PositiveFactor = parameter(
        "Ni Ti is the time constant of the anti-windup", default=0.9
    )
    Nd: kinds.PositiveFactor = parameter(
        "Td / time constant of the derivative filter", default=10.0
    )
    withFeedForward: kinds.Boolean = parameter("whether there is u_ff", default=False)
    kFF: kinds.Factor = parameter("gain of u_ff", default=1.0)
    initType: kinds.InitType = parameter("how the states start", default="InitialState")
    xi_start: kinds.PlainNumber = parameter("integral at the start", default=0.0)
    xd_start: kinds.PlainNumber = parameter(
        "state of the derivative at the start", default=0.0
    )
    y_start: kinds.PlainNumber = parameter(
        "output before the limit at the start, with initType InitialOutput", default=0.0
    )

    def check(self, p: Self) -> None:
        """Refuse limits that are exchanged, and what needs a gain where there is none."""
        check_gain(self.label, p)
        low = _lowest(p)
        if low > p.yMax:
            raise ParameterError(
                self.label,
                f"yMin = {low:g} is above yMax = {p.yMax:g}.",
                "Give a yMin that is not above yMax.",
                parameter="yMin",
                value=low,
            )
        if p.k == 0.0 and "I" in p.controllerType:
            raise ParameterError(
                self.label,
                "k = 0, so the integral cannot track the limited output.",
                'Give a gain, or controllerType="P" or "PD".',
                parameter="k",
                value=p.k,
            )

    def build(self) -> None:
        """Build it from its branches, as Modelica's controller is."""
        kind = self.controllerType
        self.addP = Add(k1=Derived(self, attrgetter("wp")), k2=-1.0)
        self.P = Gain(k=1.0)
        self.addPID = Add3()
        self.gainPID = Gain(k=Derived(self, attrgetter("k")))
        self.addFF = Add(k2=Derived(self, attrgetter("kFF")))
        self.limiter = Limiter(
            uMax=Derived(self, attrgetter("yMax")), uMin=Derived(self, _lowest)
        )
        self.error = Feedback()
        self.connect(self.u_s, self.addP.u1, self.error.u1)
        self.connect(self.u_m, self.addP.u2, self.error.u2)
        self.connect(self.error.y, self.controlError)
        self.connect(self.addP.y, self.P.u)
        self.connect(self.P.y, self.addPID.u1)
        self._build_derivative("D" in kind)
        self._build_integral("I" in kind)
        begin_actions(self)
        self.connect(self.addPID.y, self.gainPID.u)
        self.connect(self.gainPID.y, self.addFF.u1)
        if self.withFeedForward:
            self.connect(self.u_ff, self.addFF.u2)
        else:
            self.FFzero = Constant(k=0.0)
            self.connect(self.FFzero.y, self.addFF.u2)
        self.connect(self.addFF.y, self.limiter.u)
        self.connect(self.limiter.y, self.y)

    def _build_derivative(self, is_there: bool) -> None:
        if not is_there:
            self.Dzero = Constant(k=0.0)
            self.connect(self.Dzero.y, self.addPID.u2)
            return
        self.addD = Add(k1=Derived(self, attrgetter("wd")), k2=-1.0)
        self.D = Derivative(
            k=Derived(self, attrgetter("Td")), T=Derived(self, _filter_time)
        )
        self.connect(self.u_s, self.addD.u1)
        self.connect(self.u_m, self.addD.u2)
        self.connect(self.addD.y, self.D.u)
        self.connect(self.D.y, self.addPID.u2)

    def _build_integral(self, is_there: bool) -> None:
        if not is_there:
            self.Izero = Constant(k=0.0)
            self.connect(self.Izero.y, self.addPID.u3)
            return
        self.addSat = Add(k2=-1.0)
        self.gainTrack = Gain(k=Derived(self, _tracking_gain))
        self.addI = Add3(k2=-1.0)
        self.I = _IntegralAction(
            k=Derived(self, _integral_gain), gain=Derived(self, attrgetter("k"))
        )
        self.connect(self.limiter.y, self.addSat.u1)
        self.connect(self.addFF.y, self.addSat.u2)
        self.connect(self.addSat.y, self.gainTrack.u)
        self.connect(self.u_s, self.addI.u1)
        self.connect(self.u_m, self.addI.u2)
        self.connect(self.gainTrack.y, self.addI.u3)
        self.connect(self.addI.y, self.I.u)
        self.connect(self.I.y, self.addPID.u3)
        self.connect(self.P.y, self.I.proportional)
        if "D" in self.controllerType:
            self.connect(self.D.y, self.I.derivative)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that setpoint and measured value are in one unit."""
        yield from same_unit(self.u_s, self.u_m, self.controlError)


def begin_actions(controller: PID | LimPID) -> None:
    """Let integral and derivative of a controller start as its initType requires."""
    begin = controller.initType
    inner = controller.parts
    if "I" in inner:
        inner["I"]._assign({"initType": begin})
        controller.share(inner["I"], y_start="xi_start", y_controller="y_start")
    if "D" in inner:
        rests = begin in ("SteadyState", "InitialOutput")
        inner["D"]._assign({"initType": "SteadyState" if rests else begin})
        controller.share(inner["D"], x_start="xd_start")


def check_gain(label: str, p: Values) -> None:
    """Refuse an output at the start that no integral gives."""
    without = "I" not in getattr(p, "controllerType", "PID")
    if p.initType == "InitialOutput" and (p.k == 0.0 or without):
        raise ParameterError(
            label,
            f"no integral gives the output y_start = {p.y_start:g}.",
            'Give a gain and an integral, or initType="InitialState".',
            parameter="initType",
            value=p.initType,
        )


def _integral_gain(p: Values) -> Scalar:
    """Return 1 / Ti."""
    return 1.0 / p.Ti


def _filter_time(p: Values) -> Scalar:
    """Return Td / Nd, kept above zero."""
    return maximum(p.Td / p.Nd, SMALLEST)


def _tracking_gain(p: Values) -> Scalar:
    """Return 1 / (k Ni)."""
    return 1.0 / (p.k * p.Ni)


def _lowest(p: Values) -> Scalar:
    return -p.yMax if p.yMin is None else p.yMin
