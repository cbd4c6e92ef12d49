"""Logic and whole numbers of any number of inputs, and selection by the first that is true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from motorik.algebra.scalar import Scalar, mul, where
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
from motorik.components.base.internal import (
    Internal,
    InternalNumber,
    discrete,
    kept,
    single_number,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import Values
from motorik.components.base.ports import Port
from motorik.components.base.unit_laws import UnitLaw, all_same_unit
from motorik.components.base.values import number_of
from motorik.components.blocks.block import Block, Scalars
from motorik.components.blocks.continuous import check_reset
from motorik.components.blocks.linear import dot
from motorik.components.blocks.logical import LogicalDelay, constant, half
from motorik.errors import ParameterError

# --- truth values ---------------------------------------------------------------------------


class ManyBooleans(Block):
    """A block with any number of truth values u as inputs and one, y, as output."""

    u = boolean_input("inputs", size="nu")
    y = boolean_output("output")
    nu: kinds.Count = parameter("number of inputs", default=2)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)


def product(values: Scalars) -> Scalar:
    """Return the product of numbers: of truth values, whether all are true."""
    found: Scalar = 1.0
    for value in values:
        found = mul(found, value)
    return found


def none_true(values: Scalars) -> Scalar:
    """Return 1 where no truth value is true, else 0."""
    return product([1.0 - value for value in values])


class MultiAnd(ManyBooleans):
    """y is true where all inputs are: `And` of any number of them."""

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the product."""
        return (product(inputs),)


class MultiOr(ManyBooleans):
    """y is true where at least one input is: `Or` of any number of them."""

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return whether not all are false."""
        return (1.0 - none_true(inputs),)


class MultiXor(ManyBooleans):
    """y is true where exactly one input is: `Xor` of any number of them."""

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the sum over the inputs of whether it alone is true."""
        own = [*inputs]
        alone = [own[k] * none_true(own[:k] + own[k + 1 :]) for k in range(len(own))]
        return (sum(alone[1:], alone[0]),)


class MultiNand(ManyBooleans):
    """y is true where at least one input is false: `Nand` of any number of them."""

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return whether not all are true."""
        return (1.0 - product(inputs),)


class MultiNor(ManyBooleans):
    """y is true where no input is: `Nor` of any number of them."""

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return whether all are false."""
        return (none_true(inputs),)


class OnDelay(LogicalDelay):
    """y becomes true delayTime after u, if u has not become false until then, and false with u."""

    y = boolean_output("u, with a delay of becoming true")

    def outputs(self) -> tuple[Port, ...]:
        """Return y, and those of a `LogicalDelay`."""
        return (self.y, self.y1, self.y2)

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return the delayed values."""
        late, early = LogicalDelay.law(p, t, inputs, states)
        return late, late, early


# --- selection ------------------------------------------------------------------------------


def first_true(inputs: Scalars, values: Scalars, otherwise: Scalar) -> Scalar:
    """Return the value of the first truth value that is true, `otherwise` if none is."""
    found = otherwise
    for u, value in zip(reversed([*inputs]), reversed([*values]), strict=True):
        found = found + u * (value - found)
    return found


class MultiSwitch(Block):
    """y is expr[i], where u[i] is the first input that is true; y_default if none is.

    With use_inputs=True the signals x are what is selected, not the numbers expr.
    """

    u = boolean_input("each selects one value", size="expr")
    x = signal_input("values", size="expr", when="use_inputs")
    y = signal_output("output")
    expr: kinds.Numbers = parameter("values, as many as u has elements", default=(0.0, 0.0))
    y_default: kinds.Number = parameter("y where no input is true", default=0.0)
    use_inputs: kinds.Boolean = parameter("whether x is selected, not expr", default=False)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u, and those of x where it is used."""
        return (*self.u.elements, *(self.x.elements if self.use_inputs else ()))

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the selected value."""
        n = len(p.expr)
        values = inputs[n:] if p.use_inputs else p.expr
        return (first_true(inputs[:n], values, p.y_default),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that all that is selected is in one unit."""
        if self.use_inputs:
            yield from all_same_unit(self.x, self.y)


class HoldingSwitch(Block):
    """y is expr[i], where u[i] is the first input that is true.

    Where none is, y keeps its value, which begins as y_default; with use_pre_as_default=False it
    is y_default.
    """

    u = boolean_input("each selects one value", size="expr")
    use_pre_as_default: kinds.Boolean = parameter(
        "whether y keeps its value where no input is true", default=True
    )
    held = kept("the value of the input that was the first last")
    if TYPE_CHECKING:  # declared by each class
        y: ClassVar[Any]
        y_default: Any
        expr: Any

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    def check(self, p: Values) -> None:
        """Refuse values that the output cannot have."""
        wrong = [x for x in (*p.expr, number_of(p.y_default)) if not self.allows(x)]
        if wrong:
            raise ParameterError(
                self.label,
                f"expr = {p.expr!r}: {wrong[0]!r} is none of the values that y can have.",
                f"Give {self.allowed}.",
                parameter="expr",
                value=p.expr,
            )

    allowed: ClassVar[str] = ""

    @staticmethod
    def allows(value: float) -> bool:
        """Return whether y can have a value."""
        raise NotImplementedError

    def internal(self) -> dict[str, InternalNumber]:
        """Return its numbers; y begins as y_default."""
        if "_internal" not in self.__dict__:
            made: dict[str, Internal] = {
                flag: discrete("whether an input is the first that is true")
                for flag in self._flags()
            }
            self.__dict__["_internal"] = {**type(self)._internal, **made}
        own = super().internal()
        single_number(own, "held").parameter.value = float(number_of(self.y_default))
        return own

    def _flags(self) -> list[str]:
        return [f"first{k + 1}" for k in range(len(self.u))]

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the output, and the events at which another value is selected."""
        yield from super().contributions(p)
        held = single_number(self.internal(), "held")
        for k, flag in enumerate(self._flags()):

            def is_first(motion: Motion, k: int = k) -> Scalar:
                u = [motion.signal(port) for port in self.u.elements[: k + 1]]
                return half(u[k] * none_true(u[:k]))

            value = constant(p.expr[k])
            yield Trigger(
                self,
                (Assignment(held, value),),
                is_first,
                flag,
                acts_at_start=True,
                what=f"selects value {k + 1}",
            )

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the selected value, or the last one."""
        otherwise = p.held if p.use_pre_as_default else float(p.y_default)
        return (first_true(inputs, p.expr, otherwise),)


class BooleanMultiSwitch(HoldingSwitch):
    """y is the truth value expr[i], where u[i] is the first input that is true.

    Where none is, y keeps its value, which begins as y_default; with use_pre_as_default=False it
    is y_default.
    """

    y = boolean_output("output")
    expr: kinds.Truths = parameter(
        "values, as many as u has elements", default=(False, False)
    )
    y_default: kinds.Boolean = parameter("y before any input was true", default=False)
    allowed: ClassVar[str] = "True or False for each"

    @staticmethod
    def allows(value: float) -> bool:
        """Return whether it is 1 or 0."""
        return value in (0.0, 1.0)


class IntegerMultiSwitch(HoldingSwitch):
    """y is the whole number expr[i], where u[i] is the first input that is true.

    Where none is, y keeps its value, which begins as y_default; with use_pre_as_default=False it
    is y_default.
    """

    y = integer_output("output")
    expr: kinds.Numbers = parameter("values, as many as u has elements", default=(0.0, 0.0))
    y_default: kinds.WholeNumber = parameter("y before any input was true", default=0)
    allowed: ClassVar[str] = "whole numbers"

    @staticmethod
    def allows(value: float) -> bool:
        """Return whether it is a whole number."""
        return float(value).is_integer()


# --- whole numbers --------------------------------------------------------------------------


class IntegerSum(Block):
    """The weighted sum of any number of whole numbers: y = Σ kᵢ uᵢ."""

    u = integer_input("inputs", size="k")
    y = integer_output("output")
    k: kinds.Numbers = parameter(
        "whole factors, as many as u has elements", default=(1.0, 1.0)
    )

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    def check(self, p: Values) -> None:
        """Refuse factors that are no whole numbers."""
        if any(not float(number_of(k)).is_integer() for k in p.k):
            raise ParameterError(
                self.label,
                f"k = {p.k!r} has factors that are no whole numbers.",
                "Give whole factors, or take IntegerToReal and a MultiSum.",
                parameter="k",
                value=p.k,
            )

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return Σ kᵢ uᵢ."""
        return (dot(p.k, inputs),)


class IntegerProduct(Block):
    """The product of any number of whole numbers."""

    u = integer_input("inputs", size="nu")
    y = integer_output("output")
    nu: kinds.Count = parameter("number of inputs", default=2)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the product."""
        return (product(inputs),)


class TriggeredAdd(Block):
    """A counter: where `trigger` becomes true, the whole number u is added to y.

    y begins as y_start. Where `reset` becomes true, y is set to `set` if that is used, else to
    y_start.
    """

    u = integer_input("what is added")
    trigger = boolean_input("where it becomes true, u is added")
    reset = boolean_input("where it becomes true, y is set", when="use_reset")
    set = integer_input("value that y is set to", when="use_set")
    y = integer_output("the sum")
    use_reset: kinds.Boolean = parameter("whether there is `reset`", default=False)
    use_set: kinds.Boolean = parameter("whether there is `set`", default=False)
    y_start: kinds.WholeNumber = parameter("y at the start", default=0)
    held = kept("the sum")
    fires = discrete("whether the trigger holds")
    resets = discrete("whether `reset` holds")

    def inputs(self) -> tuple[Port, ...]:
        """Return u and trigger, and reset and set where they are used."""
        own = (self.reset,) if self.use_reset else ()
        return (self.u, self.trigger, *own, *((self.set,) if self.use_set else ()))

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    def check(self, p: Values) -> None:
        """Refuse a value to be set that nothing sets."""
        check_reset(self, p)

    def internal(self) -> dict[str, InternalNumber]:
        """Return its numbers; the sum begins at y_start."""
        own = super().internal()
        single_number(own, "held").parameter.value = float(number_of(self.y_start))
        return own

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the sum."""
        return (p.held,)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the output, and the events at which it changes; a reset comes last."""
        yield from super().contributions(p)
        held = single_number(self.internal(), "held")

        def first(motion: Motion) -> Scalar:
            return motion.signal(self.set) if self.use_set else float(p.y_start)

        def added(motion: Motion) -> Scalar:
            total = p.held + motion.signal(self.u)
            if not self.use_reset:
                return total
            return where(motion.signal(self.reset) > 0.5, first(motion), total)

        def triggered(motion: Motion) -> Scalar:
            return half(motion.signal(self.trigger))

        def is_reset(motion: Motion) -> Scalar:
            return half(motion.signal(self.reset))

        yield Trigger(self, (Assignment(held, added),), triggered, "fires", what="adds")
        if self.use_reset:
            yield Trigger(
                self, (Assignment(held, first),), is_reset, "resets", what="is reset"
            )
