"""Blocks with states: integrators, derivatives and filters of low order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, is_structural, maximum, minimum, where
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    Assignment,
    Contribution,
    Measurement,
    Trigger,
)
from motorik.components.base.declarations import boolean_input
from motorik.components.base.internal import discrete
from motorik.components.base.motion import Motion
from motorik.components.base.part import (
    Part,
    Values,
    parameter,
    signal_input,
    signal_output,
)
from motorik.components.base.ports import Port
from motorik.components.base.unit_laws import UnitLaw
from motorik.components.base.values import Start
from motorik.components.blocks.block import OneToOne, Scalars, unchanged
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class Dynamic(OneToOne):
    """A block of one input and one output with states, started according to `initType`.

    "SteadyState": the states start where their rates vanish, also in a feedback loop, where
    all blocks that start so are solved together. "InitialOutput": the output starts at
    y_start. "InitialState": the states start at their start values. "NoInit": so they do as
    well, unless conditions elsewhere, such as a fixed acceleration, can only be met by others.
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
    Where `reset` becomes true, y jumps to y_start, or to the input `set` if that is used.
    """

    reset = boolean_input("where it becomes true, y is set", when="use_reset")
    set = signal_input("value that y is set to", when="use_set")
    k: kinds.Factor = parameter("gain", default=1.0)
    use_reset: kinds.Boolean = parameter("whether there is `reset`", default=False)
    use_set: kinds.Boolean = parameter("whether there is `set`", default=False)
    y_start: kinds.PlainNumber = parameter("output at the start", default=0.0)
    resets = discrete("whether `reset` holds")

    def inputs(self) -> tuple[Port, ...]:
        """Return u, and reset and set where they are used."""
        own = (self.reset,) if self.use_reset else ()
        return (self.u, *own, *((self.set,) if self.use_set else ()))

    def check(self, p: Self) -> None:
        """Refuse a value to be set that nothing sets."""
        check_reset(self, p)

    def states(self, p: Self) -> dict[str, Start]:
        """Return y."""
        return {"y": Start(p.y_start, True)}

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the output, and the event that sets it."""
        yield from super().contributions(p)
        if self.use_reset:
            yield reset_event(self, p, unchanged)

    @staticmethod
    def law(p: Integrator, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return y."""
        return (states[0],)

    @staticmethod
    def rates(p: Integrator, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return k · u."""
        return (p.k * inputs[0],)


class LimIntegrator(Dynamic):
    """An integrator that halts at its limits: ẏ = k · u, but 0 where this leads beyond them.

    outMin ≤ y ≤ outMax. Where `reset` becomes true, y jumps to y_start, or to the input `set`
    if that is used, within the limits.
    """

    reset = boolean_input("where it becomes true, y is set", when="use_reset")
    set = signal_input("value that y is set to", when="use_set")
    k: kinds.Factor = parameter("gain", default=1.0)
    outMax: kinds.Number = parameter("upper limit", default=1.0)
    outMin: kinds.OptionalValue = parameter("lower limit; None is −outMax", default=None)
    use_reset: kinds.Boolean = parameter("whether there is `reset`", default=False)
    use_set: kinds.Boolean = parameter("whether there is `set`", default=False)
    y_start: kinds.PlainNumber = parameter("output at the start", default=0.0)
    resets = discrete("whether `reset` holds")

    def inputs(self) -> tuple[Port, ...]:
        """Return u, and reset and set where they are used."""
        own = (self.reset,) if self.use_reset else ()
        return (self.u, *own, *((self.set,) if self.use_set else ()))

    def check(self, p: Self) -> None:
        """Refuse limits that are exchanged, and a start outside of them."""
        check_reset(self, p)
        low = lowest(p)
        if low > p.outMax or not low <= p.y_start <= p.outMax:
            name = "outMin" if low > p.outMax else "y_start"
            raise ParameterError(
                self.label,
                f"outMin = {low:g}, y_start = {p.y_start:g}, outMax = {p.outMax:g}: these do "
                "not rise.",
                "Give outMin ≤ y_start ≤ outMax.",
                parameter=name,
                value=getattr(p, name),
            )

    def states(self, p: Self) -> dict[str, Start]:
        """Return y."""
        return {"y": Start(p.y_start, True)}

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the output, and the event that sets it."""
        yield from super().contributions(p)
        if self.use_reset:
            yield reset_event(self, p, partial(_within, p))

    @staticmethod
    def law(p: LimIntegrator, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return y."""
        return (states[0],)

    @staticmethod
    def rates(
        p: LimIntegrator, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return k · u, 0 where it leads beyond a limit."""
        rate, y = p.k * inputs[0], states[0]
        inward = where(y <= lowest(p), maximum(rate, 0.0), rate)
        return (where(y >= p.outMax, minimum(rate, 0.0), inward),)


def lowest(p: Values) -> Scalar:
    """Return the lower limit, −outMax where none is given."""
    return -p.outMax if p.outMin is None else p.outMin


def _within(p: Values, value: Scalar) -> Scalar:
    return minimum(maximum(value, lowest(p)), p.outMax)


def check_reset(part: Part, p: Values) -> None:
    """Refuse a value to be set that nothing sets."""
    if p.use_set and not p.use_reset:
        raise ParameterError(
            part.label,
            "use_set is given without use_reset, so nothing sets the value.",
            "Give use_reset=True as well.",
            parameter="use_set",
            value=True,
        )


def reset_event(
    part: Integrator | LimIntegrator, p: Values, limited: Callable[[Scalar], Scalar]
) -> Trigger:
    """Return the event at which the state y of an integrator is set."""

    def value(motion: Motion) -> Scalar:
        return limited(motion.signal(part.set) if part.use_set else p.y_start)

    def condition(motion: Motion) -> Scalar:
        return motion.signal(part.reset) - 0.5

    made = (Assignment(f"{part.path}.y", value),)
    return Trigger(part, made, condition, "resets", what="is reset")


class Der(OneToOne):
    """The exact time derivative of the input: y = du/dt, by automatic differentiation.

    A motion may depend on y only where u follows from positions; otherwise take `Derivative`.
    A force may also depend on it linearly where u follows from speeds. In a loop of signals it is
    an equation, by which u may become a state.
    """

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the output as the rate of the input."""

        def reading(motion: Motion) -> tuple[Scalar]:
            return (motion.signal_rate(self.u),)

        yield Measurement(self, (self.y,), reading, 1, rate_of=self.u)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the unit of y is that of u by a second."""
        yield UnitLaw(((self.u, 1), (self.y, -1)), "s")


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
        """Refuse initType = "InitialOutput" where the gain is zero."""
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
        """Refuse initType = "InitialOutput" where the gain is zero."""
        _check_output(self, p)

    @staticmethod
    def law(p: PI, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return k (x + u), and x."""
        return p.k * (states[0] + inputs[0]), states[0]

    @staticmethod
    def rates(p: PI, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u / T."""
        return (inputs[0] / p.T,)


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
