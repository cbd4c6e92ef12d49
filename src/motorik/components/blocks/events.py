"""`when` and `sample`: events and clocks of a model, checked and added as parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.components.base.motion import Motion
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.user_law import check_arguments
from motorik.components.blocks.discrete import Discrete, Sampled, Value, When
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from motorik.components.base.composite import Composite
    from motorik.components.base.part import Part

Reading = str | Port | Callable[[Motion], Scalar]
"""A value that is read: the name of a variable, a signal, or a function of the motion."""


def add_when(
    model: Composite,
    condition: Callable[[Motion], Scalar],
    values: Mapping[Discrete, Value],
    states: Mapping[str, Value],
    impulses: Mapping[Port, Value],
    stop: bool,
    name: str,
) -> When:
    """Add a `When` to a model, after checking its arguments."""
    label = f"{model.label}.when"
    _check_kinds(label, {"set": values, "reset": states, "impulse": impulses}, Mapping)
    _check_kinds(label, {"stop": stop}, bool)
    for state in states:
        _check_kinds(label, {"reset": state}, str)
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
        flange.use()
    targets = (*values, *states, *impulses)
    given = (*values.values(), *states.values(), *impulses.values())
    for value in given:
        _check_value(label, value)
    made = When(condition=condition, targets=targets, values=given, stop=stop)
    _name(model, made, name, "when")
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
    """Add a `Sampled` to a model, after checking its arguments."""
    label = f"{model.label}.sample"
    _check_kinds(label, {"inputs": inputs, "outputs": outputs}, Sequence)
    _check_kinds(label, {"traced": traced}, bool)
    for what, value, least in (("period", period, 0.0), ("offset", offset, -math.inf)):
        if not isinstance(value, Real) or not math.isfinite(value) or value <= least:
            raise ParameterError(
                label,
                f"{what} = {value!r} is no time{' above 0 s' if what == 'period' else ''}.",
                f"Give {what} in seconds, e.g. 0.001, as a plain number: it is never live.",
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
        inputs=tuple(_reading(one) for one in inputs),
        names=names,
        outputs=tuple(outputs),
        traced=traced,
    )
    _name(model, made, name, "sample")
    return made


def renamed(model: Composite, name: str, part: Part) -> bool:
    """Let a part that `when` or `sample` has put into a model be renamed by assignment.

    Return whether it has that name already.
    """
    if part.parent is not model or not isinstance(part, (When, Sampled)):
        return False
    if part.name == name:
        return True
    if part.__dict__.pop(NUMBERED, False):
        del model.parts[part.name], model.__dict__[part.name]
        part.__dict__["parent"] = None
    return False


FLANGES = (PortKind.ROTATIONAL, PortKind.TRANSLATIONAL)
NUMBERED = "_is_numbered"  # of a part that has no name of its own yet
EXAMPLES = {
    **{"set": "set={self.on: 0.0}", "reset": 'reset={"ram.v": 0.0}', "stop": "stop=True"},
    **{"impulse": "impulse={self.ram.flange_b: 2.0}", "inputs": 'inputs=["ram.s"]'},
    **{"outputs": "outputs=[self.on]", "traced": "traced=True"},
}


def _name(model: Composite, part: Part, name: str, word: str) -> None:
    setattr(model, name or _free_name(model, word), part)
    part.__dict__[NUMBERED] = not name


def _check_kinds(label: str, given: Mapping[str, object], kind: type) -> None:
    """Refuse arguments that are not of this kind: dict, list, name of a state, or boolean."""
    for what, value in given.items():
        if not isinstance(value, kind) or (kind is Sequence and isinstance(value, str)):
            wanted = {Mapping: "a dict", Sequence: "a list", str: "the name of a state"}
            raise ParameterError(
                label,
                f"{what} = {value!r} is not {wanted.get(kind, 'True or False')}.",
                f"Give e.g. {EXAMPLES[what]}.",
                parameter=what,
                value=value,
            )


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
    elif isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ParameterError(
            label,
            f"the value {value!r} is neither a finite number nor a function of the motion.",
            "Give e.g. 0.0, or lambda motion: motion.t.",
            parameter="value",
            value=value,
        )


def _name_of(one: Reading, k: int) -> str:
    if isinstance(one, str):
        return one
    return one.name if isinstance(one, Port) else f"input {k + 1}"


def _reading(one: Reading) -> Callable[[Motion], Scalar]:
    if isinstance(one, str):
        return lambda motion: motion[one]
    if isinstance(one, Port):
        return lambda motion: motion.signal(one)
    return one


def _free_name(model: Composite, word: str) -> str:
    k = 1
    while f"{word}{k}" in model.parts:
        k += 1
    return f"{word}{k}"
