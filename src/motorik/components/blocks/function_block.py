"""Blocks made of Python functions: ports, parameters and states follow from the signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution
from motorik.components.base.declarations import parameter, signal_input, signal_output
from motorik.components.base.part import Part, Values
from motorik.components.base.ports import Port, SignalPort
from motorik.components.base.user_law import UserLaw, one_scalar, several_scalars
from motorik.components.base.values import Start
from motorik.components.blocks.block import Block, Scalars
from motorik.errors import ParameterError
from motorik.immutable import immutable

TIME = "t"
BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)

Function = Callable[..., Scalar | tuple[Scalar, ...]]


@immutable
class Called:
    """A function of the user with the names of its arguments, and how many values it returns."""

    function: Function
    arguments: tuple[str, ...]
    count: int

    def law(self, label: str, name: str) -> UserLaw:
        """Return the function as it is called."""
        result = several_scalars(self.count) if self.count > 1 else _as_tuple
        return UserLaw(label, name, self.function, self.arguments, result)


def _as_tuple(found: Any) -> tuple[Scalar]:
    return (one_scalar(found),)


class FunctionBlock(Block):
    """A block made by `from_function`: its ports have the names of the functions' arguments."""

    by_outputs: ClassVar[Called]
    by_rates: ClassVar[Called | None] = None  # None: the function returns the rates as well
    taken: ClassVar[tuple[str, ...]] = ()  # names of the inputs, …
    given: ClassVar[tuple[str, ...]] = ()  # … of the outputs, …
    starts: ClassVar[Mapping[str, float]] = {}  # … and of the states

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> SignalPort: ...

    def inputs(self) -> tuple[Port, ...]:
        """Return the inputs, in the order of the arguments."""
        return tuple(self.__dict__[name] for name in self.taken)

    def outputs(self) -> tuple[Port, ...]:
        """Return the outputs."""
        return tuple(self.__dict__[name] for name in self.given)

    def states(self, p: Values) -> dict[str, Start]:
        """Return the states with their start values."""
        return {name: Start(value, True) for name, value in self.starts.items()}

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the outputs and the rates as the functions give them."""
        kind = type(self)
        outputs = kind.by_outputs.law(self.label, "function")
        rates = None if kind.by_rates is None else kind.by_rates.law(self.label, "rates")
        own = SimpleNamespace(**vars(p), _kind=kind, _outputs=outputs, _rates=rates)
        return super().contributions(own)

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return the outputs."""
        return _called(p, p._outputs, t, inputs, states)[: len(p._kind.given)]

    @staticmethod
    def rates(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return the rates of the states."""
        if p._rates is not None:
            return _called(p, p._rates, t, inputs, states)
        return _called(p, p._outputs, t, inputs, states)[len(p._kind.given) :]


def _called(
    p: Values, law: UserLaw, t: Scalar, inputs: Scalars, states: Scalars
) -> tuple[Scalar, ...]:
    """Return the values of a function, which reads no other inputs than its own arguments."""
    places = {name: k for k, name in enumerate(p._kind.taken)}
    known: dict[str, Scalar] = {TIME: t, **dict(zip(p._kind.starts, states, strict=True))}
    values = []
    for name in law.arguments:
        if name in places:
            values.append(inputs[places[name]])
        else:
            values.append(known[name] if name in known else getattr(p, name))
    return tuple(law(*values))


def from_function(
    function: Function,
    /,
    *,
    rates: Function | None = None,
    outputs: Sequence[str] = ("y",),
    **states: float,
) -> FunctionBlock:
    """Return a block that computes a Python function, written with `motorik.functions`.

    Its arguments are the inputs, by their names; one called `t` is the time, those with a
    default are parameters, which may be live, and those named in `states` are states with these
    start values. The function returns the outputs and then the rate of each state. In a
    feedback loop, give the rates by a function of their own: outputs then depend at once only
    on the arguments of `function`::

        from_function(lambda v, rho: 0.5 * rho * v * fabs(v))         # ports v, rho and y
        from_function(lambda u, x, T=0.2: (x, (u - x) / T), x=0.0)    # a first-order filter
        from_function(lambda x: x, rates=lambda u, x, T=0.2: (u - x) / T, x=0.0)
    """
    name = getattr(function, "__name__", type(function).__name__)
    label = f"from_function({name})"
    if not outputs:
        raise _refusal(label, "has no outputs.", "outputs", outputs)
    own = _arguments(label, function)
    of_rates = {} if rates is None else _arguments(label, rates)
    known = {**own, **of_rates}
    for state in states:
        if state not in known:
            raise _refusal(label, f"has no argument {state!r} for a state.", state, states)
    if rates is not None and not states:
        raise _refusal(label, "has rates, but no states.", "rates", rates)
    declared: dict[str, Any] = {n: signal_output("output") for n in outputs}
    taken = [n for n, d in known.items() if d is None and n not in states and n != TIME]
    for n, default in known.items():
        if n in declared or hasattr(Part, n):
            why = f"the argument {n} cannot be a port or a parameter: the name is in use."
            raise _refusal(label, why, n, function)
        if n in taken:
            declared[n] = signal_input("input")
        elif default is not None:
            declared[n] = parameter("parameter", default=default)
    count = len(outputs) + (len(states) if rates is None else 0)
    body: dict[str, Any] = {
        "__doc__": inspect.getdoc(function) or f"A block that computes {name}.",
        "__annotations__": {n: kinds.Number for n, d in known.items() if d is not None},
        "__module__": __name__,
        "by_outputs": Called(function, tuple(own), count),
        "taken": tuple(taken),
        "given": tuple(outputs),
        "starts": {n: float(value) for n, value in states.items()},
        **declared,
    }
    if rates is not None:
        body["by_rates"] = Called(rates, tuple(of_rates), len(states))
    if not states:
        body["rates"] = Block.rates
    title = name.title() if name.isidentifier() else "Function"
    return type(title, (FunctionBlock,), body)()


def _arguments(label: str, function: object) -> dict[str, float | None]:
    """Return the names of the arguments of a function, with their defaults."""
    try:
        parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        why = f"{function!r} is not a function whose arguments are known."
        raise _refusal(label, why, "function", function) from None
    for one in parameters:
        if one.kind not in BY_PLACE:
            why = f"the argument {one} has no place of its own."
            raise _refusal(label, why, "function", function)
    return {
        one.name: None if one.default is one.empty else one.default for one in parameters
    }


def _refusal(label: str, why: str, name: str, value: object) -> ParameterError:
    return ParameterError(
        label,
        why,
        "Give a function of scalars, e.g. lambda u, x, k=2.0: (x, k * (u - x)), with the start "
        "values of its states, x=0.0.",
        parameter=name,
        value=value,
    )
