"""`when` and `sample`: what a model says happens at instants, checked and put into it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.components.base.motion import Motion
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.user_law import check_arguments
from motorik.components.blocks.discrete import Discrete, Sampled, Value, When
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from motorik.components.base.composite import Composite

Reading = str | Port | Callable[[Motion], Scalar]
"""What is read: the name of a variable, a signal, or a function of the motion."""


def add_when(
    model: Composite,
    condition: Callable[[Motion], Scalar],
    values: Mapping[Discrete, Value],
    states: Mapping[str, Value],
    impulses: Mapping[Port, Value],
    stop: bool,
    name: str,
) -> When:
    """Put a `When` into a model, after looking at what it is given."""
    label = f"{model.label}.when"
    if not callable(condition):
        raise ParameterError(
            label,
            f"condition = {condition!r} is no function.",
            'Give a function of the motion, e.g. lambda motion: motion["ram.s"] - 0.2.',
            parameter="condition",
            value=condition,
        )
    check_arguments(label, "condition", condition, ("motion",))
    if not (values or states or impulses or stop):
        raise ParameterError(
            label,
            "nothing happens: neither set, reset, impulse nor stop is given.",
            "Give e.g. set={self.on: 0.0}.",
            parameter="set",
            value=values,
        )
    for signal in values:
        _check_discrete(label, "set", signal)
    for flange in impulses:
        if not isinstance(flange, Port) or flange.kind not in FLANGES:
            raise ParameterError(
                label,
                f"impulse is given to {flange!r}, which is no flange.",
                "Give a flange, e.g. impulse={self.mass.flange_b: 2.0}.",
                parameter="impulse",
                value=flange,
            )
    targets = (*values, *states, *impulses)
    given = (*values.values(), *states.values(), *impulses.values())
    for value in given:
        _check_value(label, value)
    made = When(condition=condition, targets=targets, values=given, stop=stop)
    setattr(model, name or _free_name(model, "when"), made)
    return made


def add_sample(
    model: Composite,
    period: float,
    function: Callable[..., object],
    inputs: Sequence[Reading],
    outputs: Sequence[Discrete],
    offset: float,
    traced: bool,
    name: str,
) -> Sampled:
    """Put a `Sampled` into a model, after looking at what it is given."""
    label = f"{model.label}.sample"
    for what, value, least in (("period", period, 0.0), ("offset", offset, -math.inf)):
        if (
            not isinstance(value, (int, float))
            or not math.isfinite(value)
            or value <= least
        ):
            raise ParameterError(
                label,
                f"{what} = {value!r} is no time{' above 0 s' if what == 'period' else ''}.",
                f"Give {what} in seconds, e.g. 0.001.",
                parameter=what,
                value=value,
            )
    if not callable(function):
        raise ParameterError(
            label,
            f"function = {function!r} is no function.",
            "Give a function of the time and the inputs.",
            parameter="function",
            value=function,
        )
    for signal in outputs:
        _check_discrete(label, "outputs", signal)
    if not outputs:
        raise ParameterError(
            label,
            "sets nothing: no outputs are given.",
            "Give outputs=[…], Discrete signals of the model.",
            parameter="outputs",
            value=outputs,
        )
    names = tuple(_name_of(one, k) for k, one in enumerate(inputs))
    check_arguments(label, "function", function, ("t", *names))
    made = Sampled(
        function=function,
        period=float(period),
        offset=float(offset),
        inputs=tuple(_reading(model, one) for one in inputs),
        names=names,
        outputs=tuple(outputs),
        traced=traced,
    )
    setattr(model, name or _free_name(model, "sample"), made)
    return made


FLANGES = (PortKind.ROTATIONAL, PortKind.TRANSLATIONAL)


def _check_discrete(label: str, what: str, signal: object) -> None:
    if not isinstance(signal, Discrete):
        raise ParameterError(
            label,
            f"{what} names {signal!r}, which is no Discrete signal.",
            "Make one by `self.on = blocks.Discrete(start=1.0)`.",
            parameter=what,
            value=signal,
        )


def _check_value(label: str, value: object) -> None:
    if callable(value):
        check_arguments(label, "value", value, ("motion",))
    elif isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ParameterError(
            label,
            f"the value {value!r} is neither a number nor a function of the motion.",
            "Give e.g. 0.0, or lambda motion: motion.t.",
            parameter="value",
            value=value,
        )


def _name_of(one: Reading, k: int) -> str:
    if isinstance(one, str):
        return one
    return one.name if isinstance(one, Port) else f"input {k + 1}"


def _reading(model: Composite, one: Reading) -> Callable[[Motion], Scalar]:
    if isinstance(one, str):
        return lambda motion: motion[_within(model, one)]
    if isinstance(one, Port):
        return lambda motion: motion.signal(one)
    return one


def _within(model: Composite, name: str) -> str:
    """Return a name that a model uses as the root of the models knows it."""
    return f"{model.path}.{name}" if model.path else name


def _free_name(model: Composite, word: str) -> str:
    k = 1
    while f"{word}{k}" in model.parts:
        k += 1
    return f"{word}{k}"
