"""Block: what computes output signals from input signals, with states of its own or without."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import Contribution, SignalLaw
from motorik.components.base.part import Part, signal_input, signal_output
from motorik.components.base.ports import Port
from motorik.components.base.resolving import has_live
from motorik.components.base.user_law import UserLaw, one_scalar
from motorik.components.base.values import (
    Convert,
    Start,
    as_entry,
    plain_only,
    present_numbers,
)
from motorik.errors import ParameterError

Scalars = Sequence[Scalar]
Rates = Callable[[Any, Scalar, Scalars, Scalars], tuple[Scalar, ...]]


class Block(Part):
    """A block: output signals by `law`, states by `rates`.

    A kind of block overrides `law`, and where it has states `rates` and `states`.
    """

    rates: Rates | None = None

    @staticmethod
    def law(p: Any, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Any, ...]:
        """Return the value of each output."""
        raise NotImplementedError  # said in words where the law is called

    def inputs(self) -> tuple[Port, ...]:
        """Return the signals that the block takes."""
        return ()

    def outputs(self) -> tuple[Port, ...]:
        """Return the signals that the block gives."""
        raise ParameterError(
            self.label,
            "does not say which signals it gives.",
            "Define `outputs(self)` in its class to return them, e.g. (self.y,).",
            parameter="outputs",
            value=type(self),
        )

    def states(self, p: Any) -> dict[str, Start]:
        """Return the names of the states and their start values."""
        return {}

    def initial(self, p: Any) -> Callable[..., tuple[Scalar, ...]] | None:
        """Return how the states at the start follow from the inputs, None if they do not."""
        return None

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the outputs as functions of inputs and states."""
        kind = type(self)
        states = {name: self._start_of(name, at) for name, at in self.states(p).items()}
        if states and kind.rates is None:
            raise ParameterError(
                self.label,
                f"has the states {', '.join(states)}, but nothing says their rates.",
                "Define `rates(p, t, inputs, states)` in its class.",
                parameter="rates",
                value=tuple(states),
            )
        yield SignalLaw(
            self,
            self.inputs(),
            self.outputs(),
            p,
            kind.law,
            kind.rates,
            tuple(states),
            tuple(states.values()),
            self.initial(p),
        )

    def _start_of(self, name: str, begin: Any) -> Start:
        try:
            return Start.of(begin)
        except (TypeError, ValueError) as error:
            raise ParameterError(
                self.label,
                f"starts its state {name} at {begin!r}: {error}.",
                "Let `states(self, p)` return e.g. {'x': Start(0.0, True)}.",
                parameter=name,
                value=begin,
            ) from None


def with_law(p: Any, part: str, name: str, arguments: tuple[str, ...]) -> Any:
    """Return the parameters with the user's function `name`, called as `UserLaw` does."""
    own = UserLaw(part, name, getattr(p, name), arguments, one_scalar)
    return SimpleNamespace(**{**vars(p), name: own})


class Source(Block):
    """A block with one output y, a function of time."""

    y = signal_output("the signal")

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)


class OneToOne(Block):
    """A block with one input u and one output y."""

    u = signal_input("what goes in")
    y = signal_output("what comes out")

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)


# --- conversions of values that only blocks take ----------------------------------------------


MOST = 1_000_000  # more inputs, states or pulses than anybody means


def as_count(minimum: int) -> Convert:
    """Return the conversion to a whole number ≥ `minimum`, of things that can be counted."""

    @plain_only("it is a count")
    def convert(part: str, name: str, unit: str, value: Any) -> int:
        count = -2 if isinstance(value, bool) else _whole(value)
        if value != count or not minimum <= count <= MOST:
            raise ParameterError(
                part,
                f"{name} = {value!r} is no whole number from {minimum} to {MOST}.",
                f"Give e.g. {name}={max(minimum, 2)}.",
                parameter=name,
                value=value,
            )
        return count

    return convert


def _whole(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return -2


def as_numbers(part: str, name: str, unit: str, value: Any) -> tuple[Scalar, ...]:
    """Convert to one or more finite numbers, which may be live."""
    array = present_numbers(value)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise ParameterError(
            part,
            f"{name} = {value!r} is no list of finite numbers.",
            f"Give e.g. {name}=(1.0, 0.5).",
            parameter=name,
            value=value,
        )
    return tuple(map(as_entry, value if has_live(value) else array))


def as_table(part: str, name: str, unit: str, value: Any) -> tuple[tuple[Scalar, ...], ...]:
    """Convert to a matrix of finite numbers, which may be live, row by row."""
    array = present_numbers(value)
    if array.ndim != 2 or not array.size or not np.isfinite(array).all():
        raise ParameterError(
            part,
            f"{name} = {value!r} is no matrix of finite numbers.",
            f"Give its rows, e.g. {name}=((1.0, 0.0), (0.0, 1.0)).",
            parameter=name,
            value=value,
        )
    rows = value if has_live(value) else array
    return tuple(tuple(map(as_entry, row)) for row in rows)


def as_function(part: str, name: str, unit: str, value: Any) -> Any:
    """Take a function of scalars."""
    if not callable(value):
        raise ParameterError(
            part,
            f"{name} = {value!r} is no function.",
            f"Give e.g. {name}=lambda u: 2 * u.",
            parameter=name,
            value=value,
        )
    return value


def unchanged(value: Scalar) -> Scalar:
    """Return the value itself."""
    return value
