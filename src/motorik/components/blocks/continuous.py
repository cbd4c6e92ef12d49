"""Blocks with states: integrators, filters and controllers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, is_structural, maximum
from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.contributions import Contribution, Measurement
from motorik.components.base.part import Values, parameter, signal_input, signal_output
from motorik.components.base.ports import Port
from motorik.components.base.values import (
    Derived,
    Start,
)
from motorik.components.blocks.arithmetic import Add3, Gain
from motorik.components.blocks.block import OneToOne, Scalars
from motorik.errors import ParameterError
from motorik.numerics.tolerances import EPSILON

if TYPE_CHECKING:
    from typing_extensions import Self


SMALLEST = 100 * EPSILON  # time constant of a derivative without filter [s]


class Dynamic(OneToOne):
    """A block of one input and one output with states, started according to `initType`.

    "SteadyState": the states start where their rates vanish, also in a feedback loop, where
    all blocks that start so are solved together. "InitialOutput": the output starts at
    y_start. Otherwise the states start at their start values.
    """

    initType: kinds.InitType = parameter("how the states start", default="NoInit")

    def initial(self, p: Values) -> Callable[..., tuple[Scalar, ...]] | None:
        """Return how the states follow from the inputs, as initType requires.

        The class may define `steady(p, t, inputs)` and `of_output(p, t, inputs)`.
        """
        name = {"SteadyState": "steady", "InitialOutput": "of_output"}.get(p.initType, "")
        return getattr(type(self), name, None)

    def is_steady(self, p: Values) -> bool:
        """Return whether initType is "SteadyState"."""
        return p.initType == "SteadyState"


class Integrator(Dynamic):
    """The integral of the input: ẏ = k · u, from y_start on.

    With initType="SteadyState" it starts where its input vanishes, if a loop has such a value.
    """

    k: kinds.Factor = parameter("gain", default=1.0)
    y_start: kinds.PlainNumber = parameter("output at the start", default=0.0)

    def states(self, p: Self) -> dict[str, Start]:
        """Return y."""
        return {"y": Start(p.y_start, True)}

    @staticmethod
    def law(p: Integrator, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return y."""
        return (states[0],)

    @staticmethod
    def rates(p: Integrator, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return k · u."""
        return (p.k * inputs[0],)


class Der(OneToOne):
    """The exact time derivative of the input: y = du/dt, by automatic differentiation.

    A motion may depend on y only where u follows from positions; otherwise take `Derivative`.
    A force may also depend on it linearly where u follows from speeds.
    """

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the output as the rate of the input."""
        yield Measurement(self, (self.y,), lambda motion: (motion.signal_rate(self.u),), 1)


class Derivative(Dynamic):
    """An approximated derivative: ẋ = (u − x) / T, y = k (u − x) / T."""

    x = signal_output("state of the block")
    k: kinds.Factor = parameter("gain", default=1.0)
    T: kinds.Duration = parameter(
        "time constant; y approximates du/dt for changes slower than T", default=0.01
    )
    x_start: kinds.PlainNumber = parameter("state at the start", default=0.0)
    y_start: kinds.PlainNumber = parameter(
        "output at the start, with initType InitialOutput", default=0.0
    )

    def outputs(self) -> tuple[Port, ...]:
        """Return y and x."""
        return (self.y, self.x)

    def states(self, p: Self) -> dict[str, Start]:
        """Return x."""
        return {"x": Start(p.x_start, True)}

    @staticmethod
    def law(
        p: Derivative, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return k (u − x) / T, and x."""
        return p.k / p.T * (inputs[0] - states[0]), states[0]

    @staticmethod
    def rates(p: Derivative, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return (u − x) / T."""
        return ((inputs[0] - states[0]) / p.T,)

    @staticmethod
    def steady(p: Derivative, t: Scalar, inputs: Scalars) -> tuple[Scalar]:
        """Return u."""
        return (inputs[0],)

    @staticmethod
    def of_output(p: Derivative, t: Scalar, inputs: Scalars) -> tuple[Scalar]:
        """Return u − T y_start / k."""
        return (inputs[0] - p.T * p.y_start / p.k,)

    def check(self, p: Self) -> None:
        """Refuse an output at the start without a gain."""
        _check_output(self, p)


class FirstOrder(Dynamic):
    """A filter of first order: T ẏ + y = k · u."""

    k: kinds.Factor = parameter("gain", default=1.0)
    T: kinds.Duration = parameter("time constant", default=1.0)
    y_start: kinds.PlainNumber = parameter("output at the start", default=0.0)

    def states(self, p: Self) -> dict[str, Start]:
        """Return y."""
        return {"y": Start(p.y_start, True)}

    @staticmethod
    def law(p: FirstOrder, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return y."""
        return (states[0],)

    @staticmethod
    def rates(p: FirstOrder, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return (k · u − y) / T."""
        return ((p.k * inputs[0] - states[0]) / p.T,)

    @staticmethod
    def steady(p: FirstOrder, t: Scalar, inputs: Scalars) -> tuple[Scalar]:
        """Return k · u."""
        return (p.k * inputs[0],)


class SecondOrder(Dynamic):
    """A filter of second order: ÿ / w² + 2 D ẏ / w + y = k · u."""

    yd = signal_output("rate of the output")
    k: kinds.Factor = parameter("gain", default=1.0)
    w: kinds.PositiveAngularVelocity = parameter("angular frequency", default=1.0)
    D: kinds.Factor = parameter("damping ratio", default=1.0)
    y_start: kinds.PlainNumber = parameter("output at the start", default=0.0)
    yd_start: kinds.PlainNumber = parameter("rate of the output at the start", default=0.0)

    def outputs(self) -> tuple[Port, ...]:
        """Return y and yd."""
        return (self.y, self.yd)

    def states(self, p: Self) -> dict[str, Start]:
        """Return y and yd."""
        return {"y": Start(p.y_start, True), "yd": Start(p.yd_start, True)}

    @staticmethod
    def law(
        p: SecondOrder, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return y and its rate."""
        return states[0], states[1]

    @staticmethod
    def rates(
        p: SecondOrder, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return the rates of y and yd."""
        y, yd = states
        return yd, p.w * (p.w * (p.k * inputs[0] - y) - 2.0 * p.D * yd)

    @staticmethod
    def steady(p: SecondOrder, t: Scalar, inputs: Scalars) -> tuple[Scalar, ...]:
        """Return k · u, at rest."""
        return p.k * inputs[0], 0.0


class PI(Dynamic):
    """A proportional-integral controller: ẋ = u / T, y = k (x + u)."""

    x = signal_output("state of the block")
    k: kinds.Factor = parameter("gain", default=1.0)
    T: kinds.Duration = parameter("time constant of the integral", default=1.0)
    x_start: kinds.PlainNumber = parameter("state at the start", default=0.0)
    y_start: kinds.PlainNumber = parameter(
        "output at the start, with initType InitialOutput", default=0.0
    )

    def outputs(self) -> tuple[Port, ...]:
        """Return y and x."""
        return (self.y, self.x)

    def states(self, p: Self) -> dict[str, Start]:
        """Return x."""
        return {"x": Start(p.x_start, True)}

    @staticmethod
    def of_output(p: PI, t: Scalar, inputs: Scalars) -> tuple[Scalar]:
        """Return y_start / k − u."""
        return (p.y_start / p.k - inputs[0],)

    def check(self, p: Self) -> None:
        """Refuse an output at the start without a gain."""
        _check_output(self, p)

    @staticmethod
    def law(p: PI, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return k (x + u), and x."""
        return p.k * (states[0] + inputs[0]), states[0]

    @staticmethod
    def rates(p: PI, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u / T."""
        return (inputs[0] / p.T,)


class PID(DeclaredComposite):
    """A PID controller: y = k (u + ∫u dt / Ti + Td du/dt), the derivative filtered by Td / Nd."""

    is_drawn = False
    u = signal_input("input")
    y = signal_output("output")
    k: kinds.Factor = parameter("gain", default=1.0)
    Ti: kinds.Duration = parameter("time constant of the integral", default=0.5)
    Td: kinds.DurationOrZero = parameter("time constant of the derivative", default=0.1)
    Nd: kinds.PositiveFactor = parameter(
        "Td / time constant of the derivative filter", default=10.0
    )
    xi_start: kinds.PlainNumber = parameter("integral at the start", default=0.0)
    xd_start: kinds.PlainNumber = parameter(
        "state of the derivative at the start", default=0.0
    )

    def build(self) -> None:
        """Build it from its three branches."""
        self.P = Gain(k=1.0)
        self.I = Integrator(k=Derived(self, _integral_gain))
        self.D = Derivative(
            k=Derived(self, attrgetter("Td")), T=Derived(self, _filter_time)
        )
        self.Add = Add3()
        self.Gain = Gain(k=Derived(self, attrgetter("k")))
        self.share(self.I, y_start="xi_start")
        self.share(self.D, x_start="xd_start")
        for branch in (self.P, self.I, self.D):
            self.connect(self.u, branch.u)
        self.P.y >> self.Add.u1
        self.I.y >> self.Add.u2
        self.D.y >> self.Add.u3
        self.Add.y >> self.Gain.u
        self.connect(self.Gain.y, self.y)


def _check_output(part: Derivative | PI, p: Derivative | PI) -> None:
    """Refuse an output at the start that no state gives: the gain is zero."""
    if p.initType == "InitialOutput" and is_structural(p.k, 0.0):
        raise ParameterError(
            part.label,
            f"k = 0, so no state gives the output y_start = {p.y_start:g}.",
            'Give a gain, or initType="InitialState".',
            parameter="k",
            value=p.k,
        )


def _integral_gain(p: PID) -> Scalar:
    """Return 1 / Ti."""
    return 1.0 / p.Ti


def _filter_time(p: PID) -> Scalar:
    """Return Td / Nd, kept above zero."""
    return maximum(p.Td / p.Nd, SMALLEST)
