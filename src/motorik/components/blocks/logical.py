"""Logic: comparisons, truth values, and blocks that remember."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, fabs, floor, where
from motorik.components.base import kinds
from motorik.components.base.contributions import Assignment, Contribution, Trigger
from motorik.components.base.declarations import (
    boolean_input,
    boolean_output,
    integer_input,
    integer_output,
    parameter,
    signal_input,
    signal_output,
)
from motorik.components.base.internal import InternalNumber, discrete, kept, single_number
from motorik.components.base.motion import Motion, seen_by
from motorik.components.base.part import DeclaredSignals, Values
from motorik.components.base.ports import Port
from motorik.components.base.unit_laws import UnitLaw, same_unit
from motorik.components.base.user_law import UserLaw, check_arguments
from motorik.components.blocks.block import Block, Scalars
from motorik.components.blocks.discrete import one_margin
from motorik.errors import ParameterError
from motorik.numerics.tolerances import BELOW_ZERO

if TYPE_CHECKING:
    from typing_extensions import Self


def truth(condition: Scalar) -> Scalar:
    """Return 1 where a condition holds, else 0."""
    return where(condition, 1.0, 0.0)


class BooleanToBoolean(Block):
    """A block with a truth value u as input and another y as output."""

    u = boolean_input("input")
    y = boolean_output("output")

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)


class TwoBooleans(Block):
    """A block with the truth values u1 and u2 as inputs and y as output."""

    u1 = boolean_input("first input")
    u2 = boolean_input("second input")
    y = boolean_output("output")

    def inputs(self) -> tuple[Port, ...]:
        """Return u1 and u2."""
        return (self.u1, self.u2)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)


class And(TwoBooleans):
    """y = u1 and u2."""

    @staticmethod
    def law(p: And, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u1 u2."""
        return (inputs[0] * inputs[1],)


class Or(TwoBooleans):
    """y = u1 or u2, or both."""

    @staticmethod
    def law(p: Or, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u1 + u2 − u1 u2."""
        return (inputs[0] + inputs[1] - inputs[0] * inputs[1],)


class Xor(TwoBooleans):
    """y = either u1 or u2, not both."""

    @staticmethod
    def law(p: Xor, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u1 + u2 − 2 u1 u2."""
        return (inputs[0] + inputs[1] - 2.0 * inputs[0] * inputs[1],)


class Nand(TwoBooleans):
    """y = not (u1 and u2)."""

    @staticmethod
    def law(p: Nand, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return 1 − u1 u2."""
        return (1.0 - inputs[0] * inputs[1],)


class Nor(TwoBooleans):
    """y = not (u1 or u2)."""

    @staticmethod
    def law(p: Nor, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return (1 − u1) (1 − u2)."""
        return ((1.0 - inputs[0]) * (1.0 - inputs[1]),)


class Not(BooleanToBoolean):
    """y = not u."""

    @staticmethod
    def law(p: Not, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return 1 − u."""
        return (1.0 - inputs[0],)


class LogicalSwitch(Block):
    """y = u1 where u2 is true, else u3."""

    u1 = boolean_input("output where u2 is true")
    u2 = boolean_input("selects the input")
    u3 = boolean_input("output where u2 is false")
    y = boolean_output("output")

    def inputs(self) -> tuple[Port, ...]:
        """Return u1, u2 and u3."""
        return (self.u1, self.u2, self.u3)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: LogicalSwitch, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u3 + u2 (u1 − u3)."""
        return (inputs[2] + inputs[1] * (inputs[0] - inputs[2]),)


class Switch(Block):
    """y = u1 where u2 is true, else u3.

    Computed as y = u3 + u2 (u1 − u3), with u2 = 1 or 0: a relay whose two outputs push the
    motion back to where it switches so has a sliding mode. Both inputs must be finite.
    """

    u1 = signal_input("output where u2 is true")
    u2 = boolean_input("selects the input")
    u3 = signal_input("output where u2 is false")
    y = signal_output("output")

    def inputs(self) -> tuple[Port, ...]:
        """Return u1, u2 and u3."""
        return (self.u1, self.u2, self.u3)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: Switch, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u3 + u2 (u1 − u3)."""
        return (inputs[2] + inputs[1] * (inputs[0] - inputs[2]),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that inputs and output are in one unit."""
        yield from same_unit(self.u1, self.u3, self.y)


# --- comparisons ----------------------------------------------------------------------------


class Threshold(Block):
    """A block that compares its input u with a threshold. The step ends where y changes."""

    u = signal_input("input")
    y = boolean_output("whether the comparison holds")
    threshold: kinds.Number = parameter("compared with u", default=0.0)

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)


class GreaterThreshold(Threshold):
    """y = u > threshold."""

    @staticmethod
    def law(
        p: GreaterThreshold, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return 1 or 0."""
        return (truth(inputs[0] > p.threshold),)


class GreaterEqualThreshold(Threshold):
    """y = u ≥ threshold."""

    @staticmethod
    def law(
        p: GreaterEqualThreshold, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return 1 or 0."""
        return (truth(inputs[0] >= p.threshold),)


class LessThreshold(Threshold):
    """y = u < threshold."""

    @staticmethod
    def law(p: LessThreshold, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return 1 or 0."""
        return (truth(inputs[0] < p.threshold),)


class LessEqualThreshold(Threshold):
    """y = u ≤ threshold."""

    @staticmethod
    def law(
        p: LessEqualThreshold, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return 1 or 0."""
        return (truth(inputs[0] <= p.threshold),)


class Comparison(Block):
    """A block that compares its inputs u1 and u2. The step ends where y changes."""

    u1 = signal_input("first input")
    u2 = signal_input("second input")
    y = boolean_output("whether the comparison holds")

    def inputs(self) -> tuple[Port, ...]:
        """Return u1 and u2."""
        return (self.u1, self.u2)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that both inputs are in one unit."""
        yield from same_unit(self.u1, self.u2)


class Greater(Comparison):
    """y = u1 > u2."""

    @staticmethod
    def law(p: Greater, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return 1 or 0."""
        return (truth(inputs[0] > inputs[1]),)


class GreaterEqual(Comparison):
    """y = u1 ≥ u2."""

    @staticmethod
    def law(p: GreaterEqual, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return 1 or 0."""
        return (truth(inputs[0] >= inputs[1]),)


class Less(Comparison):
    """y = u1 < u2."""

    @staticmethod
    def law(p: Less, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return 1 or 0."""
        return (truth(inputs[0] < inputs[1]),)


class LessEqual(Comparison):
    """y = u1 ≤ u2."""

    @staticmethod
    def law(p: LessEqual, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return 1 or 0."""
        return (truth(inputs[0] <= inputs[1]),)


# --- memory ---------------------------------------------------------------------------------


class Memory(Block):
    """A block with a truth value `pre` that only events change: the value before the event.

    It becomes true where `sets` begins to be positive while it is false, and false where
    `clears` begins to be positive while it is true. A class defines both; each is a function
    (p, t, inputs). At the start `pre` is what `starts_true` says, and changes at once if one
    of them is positive.
    """

    pre = kept("value before an event")
    rises = discrete("whether the condition to become true holds")
    falls = discrete("whether the condition to become false holds")

    @staticmethod
    def sets(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return a number that is positive where a false value becomes true."""
        raise NotImplementedError

    @staticmethod
    def clears(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return a number that is positive where a true value becomes false."""
        raise NotImplementedError

    @staticmethod
    def unmet(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return the number in place of a condition that cannot change the value now: negative.

        It is of the size of the conditions, by which events are located.
        """
        return -0.5

    def starts_true(self) -> bool:
        """Return `pre` at the start."""
        return False

    def on_rise(self, p: Values) -> Iterable[Assignment]:
        """Return the other assignments where the value becomes true."""
        return ()

    def on_fall(self, p: Values) -> Iterable[Assignment]:
        """Return the other assignments where the value becomes false."""
        return ()

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return the value."""
        return (p.pre,)

    def internal(self) -> dict[str, InternalNumber]:
        """Return its numbers; `pre` begins as `starts_true` says."""
        own = super().internal()
        single_number(own, "pre").parameter.value = float(self.starts_true())
        return own

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the output, and the events at which it changes."""
        yield from super().contributions(p)
        kind, pre = type(self), single_number(self.internal(), "pre")
        rising, falling = Assignment(pre, constant(1.0)), Assignment(pre, constant(0.0))
        given = self, p
        yield Trigger(
            self,
            (rising, *self.on_rise(p)),
            partial(_while, *given, kind.sets, 0.0),
            "rises",
            acts_at_start=True,
            what="becomes true",
        )
        yield Trigger(
            self,
            (falling, *self.on_fall(p)),
            partial(_while, *given, kind.clears, 1.0),
            "falls",
            acts_at_start=True,
            what="becomes false",
        )


def _while(
    part: Memory,
    p: Values,
    condition: Callable[[Values, Scalar, Scalars], Scalar],
    pre: float,
    motion: Motion,
) -> Scalar:
    """Return a condition while the value is `pre`, and a negative number otherwise."""
    given = p, motion.t, inputs_of(part, motion)
    is_other = p.pre > 0.5 if pre == 0.0 else p.pre < 0.5
    return where(is_other, type(part).unmet(*given), condition(*given))


def inputs_of(part: Block, motion: Motion) -> list[Scalar]:
    """Return the values of the inputs of a block in a motion."""
    return [motion.signal(port) for port in part.inputs()]


def constant(value: float) -> Callable[[Motion], Scalar]:
    """Return the function of the motion that is a number."""
    return lambda motion: value


def half(value: Scalar) -> Scalar:
    """Return a number that is positive where a truth value is true, else negative."""
    return value - 0.5


class _Follower(Memory):
    """A block that remembers its input u: `pre` is u before the event."""

    u = boolean_input("input")
    y = boolean_output("output")
    pre_u_start: kinds.Boolean = parameter("u before the start", default=False)

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    def starts_true(self) -> bool:
        """Return pre_u_start."""
        return bool(self.pre_u_start)

    @staticmethod
    def sets(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return whether u is true."""
        return half(inputs[0])

    @staticmethod
    def clears(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return whether u is false."""
        return -half(inputs[0])


class Pre(_Follower):
    """y = pre(u), the value of u before the event: breaks loops of truth values."""


class Edge(_Follower):
    """y = u and not pre(u): true only at the instant at which u becomes true.

    Other conditions see it at that instant; results do not, as it takes no time.
    """

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u (1 − pre(u))."""
        return (inputs[0] * (1.0 - p.pre),)


class FallingEdge(_Follower):
    """y = not u and pre(u): true only at the instant at which u becomes false."""

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return (1 − u) pre(u)."""
        return ((1.0 - inputs[0]) * p.pre,)


class Change(_Follower):
    """y = u ≠ pre(u): true only at the instants at which u changes."""

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u + pre(u) − 2 u pre(u)."""
        return (inputs[0] + p.pre - 2.0 * inputs[0] * p.pre,)


class ZeroCrossing(Memory):
    """y is true at the instants at which u passes zero while `enable` is true."""

    u = signal_input("input")
    enable = boolean_input("whether crossings count", default=True)
    y = boolean_output("output")

    def inputs(self) -> tuple[Port, ...]:
        """Return u and enable."""
        return (self.u, self.enable)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def unmet(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return a negative number of the size of the signal."""
        return -2.0 * fabs(inputs[0]) - BELOW_ZERO

    @staticmethod
    def sets(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return u."""
        return inputs[0]

    @staticmethod
    def clears(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return −u."""
        return -inputs[0]

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return whether the sign of u differs from that before the event."""
        above = truth(inputs[0] > 0.0)
        return (inputs[1] * (above + p.pre - 2.0 * above * p.pre),)


class Hysteresis(Memory):
    """y becomes true where u rises above uHigh, and false where it falls below uLow."""

    u = signal_input("input")
    y = boolean_output("output")
    uLow: kinds.Number = parameter("y becomes false below it", default=0.0)
    uHigh: kinds.Number = parameter("y becomes true above it", default=1.0)
    pre_y_start: kinds.Boolean = parameter("y before the start", default=False)

    def check(self, p: Self) -> None:
        """Refuse limits that leave nothing between them."""
        if p.uLow >= p.uHigh:
            raise ParameterError(
                self.label,
                f"uLow = {p.uLow:g} is not below uHigh = {p.uHigh:g}.",
                "Give a uLow below uHigh.",
                parameter="uLow",
                value=p.uLow,
            )

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    def starts_true(self) -> bool:
        """Return pre_y_start."""
        return bool(self.pre_y_start)

    @staticmethod
    def unmet(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return the width of the band, negative."""
        return p.uLow - p.uHigh

    @staticmethod
    def sets(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return u − uHigh."""
        return inputs[0] - p.uHigh

    @staticmethod
    def clears(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return uLow − u."""
        return p.uLow - inputs[0]


class OnOffController(Memory):
    """y becomes true where u < reference − b / 2, and false where u > reference + b / 2.

    b is the bandwidth.
    """

    reference = signal_input("reference value of u")
    u = signal_input("input")
    y = boolean_output("output")
    bandwidth: kinds.FactorOrZero = parameter("width of the band", default=0.1)
    pre_y_start: kinds.Boolean = parameter("y before the start", default=False)

    def inputs(self) -> tuple[Port, ...]:
        """Return reference and u."""
        return (self.reference, self.u)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    def starts_true(self) -> bool:
        """Return pre_y_start."""
        return bool(self.pre_y_start)

    @staticmethod
    def unmet(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return a negative number of the size of the signals."""
        return -(p.bandwidth + fabs(inputs[0]) + fabs(inputs[1]) + BELOW_ZERO)

    @staticmethod
    def sets(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return reference − bandwidth / 2 − u."""
        return inputs[0] - 0.5 * p.bandwidth - inputs[1]

    @staticmethod
    def clears(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return u − reference − bandwidth / 2."""
        return inputs[1] - inputs[0] - 0.5 * p.bandwidth

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that both inputs are in one unit."""
        yield from same_unit(self.reference, self.u)


class RSFlipFlop(Memory):
    """Q becomes true while S (set) is true, false while R (reset) is; QI = not Q.

    Where both are true, Q is false and QI as well.
    """

    S = boolean_input("set")
    R = boolean_input("reset")
    Q = boolean_output("output")
    QI = boolean_output("inverted output")
    Qini: kinds.Boolean = parameter("Q at the start", default=False)

    def inputs(self) -> tuple[Port, ...]:
        """Return S and R."""
        return (self.S, self.R)

    def outputs(self) -> tuple[Port, ...]:
        """Return Q and QI."""
        return (self.Q, self.QI)

    def starts_true(self) -> bool:
        """Return Qini."""
        return bool(self.Qini)

    @staticmethod
    def sets(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return whether S is true and R is not."""
        return half(inputs[0] * (1.0 - inputs[1]))

    @staticmethod
    def clears(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return whether R is true."""
        return half(inputs[1])

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return Q and QI."""
        return p.pre, (1.0 - p.pre) * (1.0 - inputs[0])


class Timer(Memory):
    """y is the time [s] since u became true, 0 while it is false."""

    u = boolean_input("input")
    y = signal_output("time since u became true", "s")
    since = kept("time at which u became true", "s")

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def sets(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return whether u is true."""
        return half(inputs[0])

    @staticmethod
    def clears(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return whether u is false."""
        return -half(inputs[0])

    def on_rise(self, p: Values) -> Iterable[Assignment]:
        """Note the time."""
        yield Assignment(single_number(self.internal(), "since"), lambda motion: motion.t)

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return t − since while u is true."""
        return (p.pre * (t - p.since),)


class LogicalDelay(Memory):
    """y1 is u, but becomes true delayTime later; y2 is u, but becomes false delayTime later.

    At the start both are u.
    """

    u = boolean_input("input")
    y1 = boolean_output("u, with a delay of becoming true")
    y2 = boolean_output("u, with a delay of becoming false")
    delayTime: kinds.DurationOrZero = parameter("delay", default=0.0)
    since = kept("time at which u changed", "s")
    late = kept("whether u has not changed for delayTime", start=1.0)
    waited = discrete("whether delayTime has passed")
    begun = kept("whether the run has begun")
    begins = discrete("whether it begins")

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y1 and y2."""
        return (self.y1, self.y2)

    @staticmethod
    def sets(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return whether u is true."""
        return half(inputs[0])

    @staticmethod
    def clears(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return whether u is false."""
        return -half(inputs[0])

    def on_rise(self, p: Values) -> Iterable[Assignment]:
        """Note the time."""
        own = self.internal()
        yield Assignment(single_number(own, "since"), lambda motion: motion.t)
        yield Assignment(single_number(own, "late"), lambda motion: 1.0 - p.begun)

    on_fall = on_rise

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the outputs, and the event at which the delay has passed."""
        yield from super().contributions(p)
        yield start_event(self)
        late = Assignment(single_number(self.internal(), "late"), constant(1.0))
        condition = partial(_delayed, p)
        yield Trigger(self, (late,), condition, "waited", what="has waited")

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return both delayed values."""
        return p.pre * p.late, 1.0 - (1.0 - p.pre) * p.late


def start_event(part: Memory) -> Trigger:
    """Return the event at the start of a run, which sets the number `begun` of a part."""
    begun = Assignment(single_number(part.internal(), "begun"), constant(1.0))
    return Trigger(part, (begun,), constant(1.0), "begins", acts_at_start=True)


def _delayed(p: Values, motion: Motion) -> Scalar:
    return where(p.late > 0.5, -p.delayTime - BELOW_ZERO, motion.t - p.since - p.delayTime)


class TriggeredTrapezoid(Memory):
    """A ramp to offset + amplitude where u becomes true, and back to offset where it becomes false.

    A full rise takes `rising` seconds, a full fall `falling`; a ramp begins at the present y.
    A run starts without a ramp: y = offset + amplitude if u is true, else offset.
    """

    u = boolean_input("starts the ramps")
    y = signal_output("output")
    amplitude: kinds.Number = parameter("height of the trapezoid", default=1.0)
    rising: kinds.DurationOrZero = parameter("duration of the rise", default=0.0)
    falling: kinds.OptionalDuration = parameter(
        "duration of the fall; None is `rising`", default=None
    )
    offset: kinds.Number = parameter("y while u is false", default=0.0)
    slope = kept("rate of the present ramp", "1/s")
    until = kept("time at which the present ramp ends", "s")
    ramps = kept("whether y is on a ramp")
    begun = kept("whether the run has begun")
    begins = discrete("whether it begins")
    ends = discrete("whether the ramp ends")

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def sets(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return whether u is true."""
        return half(inputs[0])

    @staticmethod
    def clears(p: Values, t: Scalar, inputs: Scalars) -> Scalar:
        """Return whether u is false."""
        return -half(inputs[0])

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the level, less what is left of the ramp."""
        level = p.offset + p.pre * p.amplitude
        return (level - p.ramps * p.slope * (p.until - t),)

    def on_rise(self, p: Values) -> Iterable[Assignment]:
        """Begin the ramp upwards."""
        return self._begin(p, 1.0, p.rising)

    def on_fall(self, p: Values) -> Iterable[Assignment]:
        """Begin the ramp downwards."""
        return self._begin(p, -1.0, p.rising if p.falling is None else p.falling)

    def _begin(self, p: Values, sign: float, duration: Scalar) -> Iterable[Assignment]:
        own = self.internal()
        level = p.offset + (p.amplitude if sign > 0.0 else 0.0)

        def time_left(motion: Motion) -> Scalar:
            (y,) = type(self).law(p, motion.t, (), ())
            full = where(p.amplitude == 0.0, 1.0, p.amplitude)
            return duration * (level - y) / (sign * full)

        yield Assignment(
            single_number(own, "slope"),
            lambda motion: where(duration > 0.0, sign * p.amplitude / duration, 0.0),
        )
        yield Assignment(
            single_number(own, "until"), lambda motion: motion.t + time_left(motion)
        )
        yield Assignment(
            single_number(own, "ramps"),
            lambda motion: p.begun * truth(time_left(motion) > 0.0),
        )

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the output, and the event at which a ramp ends."""
        yield from super().contributions(p)
        yield start_event(self)
        ended = Assignment(single_number(self.internal(), "ramps"), constant(0.0))
        yield Trigger(self, (ended,), partial(_ramped, p), "ends", what="ends its ramp")


def _ramped(p: Values, motion: Motion) -> Scalar:
    return where(p.ramps > 0.5, motion.t - p.until, -p.rising - BELOW_ZERO)


# --- conversions ----------------------------------------------------------------------------


class BooleanToReal(Block):
    """y = realTrue where u is true, else realFalse."""

    u = boolean_input("input")
    y = signal_output("output")
    realTrue: kinds.Number = parameter("y where u is true", default=1.0)
    realFalse: kinds.Number = parameter("y where u is false", default=0.0)

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: BooleanToReal, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return realFalse + u (realTrue − realFalse)."""
        return (p.realFalse + inputs[0] * (p.realTrue - p.realFalse),)


class BooleanToInteger(Block):
    """y = integerTrue where u is true, else integerFalse."""

    u = boolean_input("input")
    y = integer_output("output")
    integerTrue: kinds.WholeNumber = parameter("y where u is true", default=1)
    integerFalse: kinds.WholeNumber = parameter("y where u is false", default=0)

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(
        p: BooleanToInteger, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return integerFalse + u (integerTrue − integerFalse)."""
        first = float(p.integerFalse)
        return (first + inputs[0] * (float(p.integerTrue) - first),)


class RealToBoolean(Block):
    """y = u ≥ threshold. The step ends where y changes."""

    u = signal_input("input")
    y = boolean_output("output")
    threshold: kinds.Number = parameter("y is true from it on", default=0.5)

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: RealToBoolean, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return 1 or 0."""
        return (truth(inputs[0] >= p.threshold),)


class RealToInteger(Block):
    """y is the whole number nearest to u; halves are rounded away from zero."""

    u = signal_input("input")
    y = integer_output("output")

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: RealToInteger, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u rounded."""
        u = inputs[0]
        return (where(u > 0.0, floor(u + 0.5), -floor(0.5 - u)),)


class IntegerToReal(Block):
    """y = u as a real number."""

    u = integer_input("input")
    y = signal_output("output")

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: IntegerToReal, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u."""
        return (inputs[0],)


class IntegerToBoolean(Block):
    """y = u ≥ threshold."""

    u = integer_input("input")
    y = boolean_output("output")
    threshold: kinds.WholeNumber = parameter("y is true from it on", default=1)

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(
        p: IntegerToBoolean, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return 1 or 0."""
        return (truth(inputs[0] >= float(p.threshold)),)


# --- the end of a run -----------------------------------------------------------------------


def _never(motion: Motion) -> bool:
    return False


class TerminateSimulation(DeclaredSignals):
    """Ends the run where a condition becomes true; the events of the result say so.

    The condition is a function of the motion, e.g. ``lambda motion: motion["ram.s"] > 0.2``,
    true, or positive, where it holds.
    """

    condition: kinds.FunctionOfMotion = parameter(
        "where it holds, the run ends", default=_never
    )
    terminationText: kinds.Text = parameter(
        "the reason, as the events show it", default="ends the run"
    )
    holds = discrete("whether the condition holds")

    def check(self, p: Self) -> None:
        """Refuse a function that is not one of the motion."""
        check_arguments(self.label, "condition", p.condition, ("motion",))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the event that ends the run."""
        law = UserLaw(self.label, "condition", p.condition, ("motion",), one_margin)

        def condition(motion: Motion) -> Scalar:
            return law(seen_by(self, motion))

        what = str(self.terminationText)
        yield Trigger(self, (), condition, "holds", stops=True, what=what)
