"""Discrete signals, conditions that fire and controllers that sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.conditions import margin
from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    Assignment,
    Contribution,
    ForceBounds,
    LineForce,
    NonsmoothConstraint,
    SignalLaw,
    Trigger,
)
from motorik.components.base.declarations import parameter, signal_output
from motorik.components.base.internal import (
    Internal,
    InternalNumber,
    InternalRole,
    InternalSpec,
    NonsmoothForce,
    discrete,
    nonsmooth_force,
    single_number,
)
from motorik.components.base.motion import Motion, seen_by
from motorik.components.base.part import DeclaredSignals, Part, Values
from motorik.components.base.ports import Port
from motorik.components.base.user_law import UserLaw, one_scalar, several_scalars
from motorik.components.base.values import LiveScalar, number_of
from motorik.components.base.variable import Variable
from motorik.components.blocks.block import Scalars
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self

Value = float | Callable[[Motion], Scalar]
"""A value that is assigned: a number, or a function of the motion before the event."""


class Discrete(DeclaredSignals):
    """A signal that only events change: y keeps its value from one to the next.

    See `Model.when` and `Model.sample`.
    """

    y = signal_output("the signal")
    value = InternalSpec("the present value", "1", InternalRole.SIGNAL)

    start: kinds.PlainNumber = parameter("value at the start", default=0.0)

    def internal(self) -> dict[str, InternalNumber]:
        """Return the number, which begins at `start` and is named as the signal."""
        own = super().internal()
        number = single_number(own, "value").parameter
        number.value, number.name = number_of(self.start), f"{self.path}.y"
        return own

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the signal."""
        yield SignalLaw(self, (), (self.y,), p, _kept)


def _kept(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
    return (p.value,)


class When(Part):
    """A state event, where a condition begins to hold: made by `Model.when`.

    The result shows `fired`, 1 while the condition holds.
    """

    condition = parameter("function of the motion, positive where it holds")
    targets = parameter("targets: Discrete, names of states, flanges", default=())
    values = parameter("to what: numbers, or functions of the motion before", default=())
    stop = parameter("whether it ends the run", default=False)
    fired = discrete("whether the condition holds")

    def internal(self) -> dict[str, InternalNumber]:
        """Return its flag, and a force for each flange that it pushes."""
        if "_internal" not in self.__dict__:
            pushes: dict[str, Internal] = {
                f"push{k}": nonsmooth_force("impulse", "N.s")
                for k, target in enumerate(self.targets)
                if isinstance(target, Port)
            }
            self.__dict__["_internal"] = {**type(self)._internal, **pushes}
        return super().internal()

    def pushes(self) -> dict[LiveScalar, Port]:
        """Return the flanges that it pushes, by the force of each."""
        ports = ((k, one) for k, one in enumerate(self.targets) if isinstance(one, Port))
        return {_impulse(self, k): port for k, port in ports}

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the condition, its assignments, and impulses on flanges."""
        law = UserLaw(self.label, "condition", p.condition, ("motion",), one_margin)
        yield from _pushes(self, p)
        assignments = tuple(
            Assignment(_target(self, k, target), reading(self, value))
            for k, (target, value) in enumerate(zip(self.targets, p.values, strict=True))
        )
        condition = partial(_evaluated, self, law)
        yield Trigger(self, assignments, condition, "fired", stops=bool(self.stop))

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return whether the condition holds."""
        return {
            "fired": Variable(lambda motion: p.fired, "1", "whether the condition holds")
        }


def one_margin(found: object) -> Scalar:
    """Return a user's condition as a number, positive where it holds."""
    return margin(found if isinstance(found, (bool, np.bool_)) else one_scalar(found))


def _pushes(part: When, p: Values) -> Iterable[Contribution]:
    for k, target in enumerate(part.targets):
        if isinstance(target, Port):
            _check_within(part, target.owner, target.label)
            name = f"push{k}"
            own = SimpleNamespace(push=getattr(p, name).force)
            yield LineForce(None, target, own, _pushed)
            yield NonsmoothConstraint(
                part,
                name,
                partial(_speed_of, target),
                _never,
                partial(_acceleration_of, target),
            )


def _pushed(p: Values, x: Scalar, v: Scalar) -> Scalar:
    return -p.push


def _speed_of(flange: Port, motion: Motion) -> Scalar:
    return motion.flange(flange)[1]


def _acceleration_of(flange: Port, motion: Motion) -> Scalar:
    return motion.flange_acceleration(flange)


def _never(motion: Motion) -> ForceBounds:
    """Return the limits of a force that acts as an impulse only."""
    return ForceBounds(0.0, 0.0, 0.0, 0.0, on=-1.0)


def _target(part: Part, k: int, target: Discrete | Port | str) -> LiveScalar | str:
    if isinstance(target, Discrete):
        return _value_of(part, target)
    if isinstance(target, Port):
        return _impulse(part, k)
    around = "" if part.parent is None else part.parent.path
    return f"{around}.{target}" if around else target


def _value_of(part: Part, signal: Discrete) -> LiveScalar:
    _check_within(part, signal, signal.label)
    return single_number(signal.internal(), "value")


def _impulse(part: Part, k: int) -> LiveScalar:
    """Return the impulse with which an event pushes its target k."""
    push = part.internal()[f"push{k}"]
    assert isinstance(push, NonsmoothForce)
    return push.force


def _check_within(part: Part, changed: Part, label: str) -> None:
    """Refuse to change a part that does not belong to the same model."""
    if changed.lineage()[-1] is not part.lineage()[-1]:
        raise ParameterError(
            part.label,
            f"changes {label}, which is not in this model.",
            "Assign it to the model, or name one that is in it.",
            parameter="targets",
            value=changed,
        )


def _evaluated(part: Part, law: UserLaw, motion: Motion) -> Scalar:
    return law(seen_by(part, motion))


def reading(part: Part, value: Value) -> Callable[[Motion], Scalar]:
    """Return the value that is assigned as a function of the motion."""
    if callable(value):
        law = UserLaw(part.label, "value", value, ("motion",), one_scalar)
        return partial(_evaluated, part, law)
    number = value
    return lambda motion: number


class Sampled(Part):
    """A controller that samples: made by `Model.sample`.

    At offset + k · period [s] it reads its inputs and sets its outputs, which keep their
    values until the next time. A `traced` function runs in native code; any other is called
    as it is.
    """

    function = parameter("function of the time and the inputs")
    period = parameter("time from one sample to the next", "s")
    offset = parameter("time of the first sample", "s", default=0.0)
    inputs = parameter("functions of the motion", default=())
    names = parameter("names of the inputs", default=())
    outputs = parameter("Discrete signals that it sets", default=())
    traced = parameter("whether the function runs in native code", default=False)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the clock and its assignments."""
        _check_alone(self)
        inputs = tuple(
            partial(
                _evaluated, self, UserLaw(self.label, "input", one, ("motion",), one_scalar)
            )
            for one in p.inputs
        )
        clock = Trigger(self, period=float(self.period), offset=float(self.offset))
        targets = [_value_of(self, signal) for signal in self.outputs]
        if not self.traced:
            kept = tuple(Assignment(target, _nothing) for target in targets)
            given = {"function": p.function, "inputs": inputs, "names": self.names}
            yield replace(clock, assignments=kept, **given)
            return
        names = ("t", *self.names)
        count = len(targets)
        result = one_scalar if count == 1 else several_scalars(count)
        law = UserLaw(self.label, "function", p.function, names, result)

        def output(k: int, motion: Motion) -> Scalar:
            given = law(motion.t, *(one(motion) for one in inputs))
            return given if count == 1 else given[k]

        made = tuple(
            Assignment(target, partial(output, k)) for k, target in enumerate(targets)
        )
        yield replace(clock, assignments=made)


def _check_alone(part: Sampled) -> None:
    """Refuse an output that another controller sets as well."""
    for other in part.lineage()[-1].walk():
        if not isinstance(other, Sampled) or other is part:
            continue
        for signal in part.outputs:
            if any(signal is theirs for theirs in other.outputs):
                raise ParameterError(
                    part.label,
                    f"sets {signal.path}, which {other.label} sets as well: of two samples at one "
                    "time, one would be lost.",
                    "Give each a Discrete signal of its own, or make them one function.",
                    parameter="outputs",
                    value=signal,
                )


def _nothing(motion: Motion) -> Scalar:
    return 0.0
