"""Block: what computes output signals from input signals, with states of its own or without."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.components.contributions import Contribution, SignalLaw
from motorik.components.part import Part, signal_input, signal_output
from motorik.components.ports import Port
from motorik.components.values import Convert, Start
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
        raise NotImplementedError

    def inputs(self) -> tuple[Port, ...]:
        """Return the signals that the block takes."""
        return ()

    def outputs(self) -> tuple[Port, ...]:
        """Return the signals that the block gives."""
        raise NotImplementedError

    def states(self, p: Any) -> dict[str, Start]:
        """Return the names of the states and their start values."""
        return {}

    def initial(self, p: Any) -> Callable[..., tuple[Scalar, ...]] | None:
        """Return how the states at the start follow from the inputs, None if they do not."""
        return None

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Say: the outputs follow from the inputs and the states."""
        states, kind = self.states(p), type(self)
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


def as_count(minimum: int) -> Convert:
    """Return the conversion to a whole number ≥ `minimum`."""

    def convert(part: str, name: str, unit: str, value: Any) -> int:
        if isinstance(value, bool) or value != (count := _whole(value)) or count < minimum:
            raise ParameterError(
                part,
                f"{name} = {value!r} is no whole number from {minimum} on.",
                f"Give e.g. {name}={max(minimum, 2)}.",
            )
        return count

    return convert


def _whole(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        return -1


def as_numbers(part: str, name: str, unit: str, value: Any) -> tuple[float, ...]:
    """Convert to one or more finite numbers."""
    array = _array(value)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise ParameterError(
            part,
            f"{name} = {value!r} is no list of finite numbers.",
            f"Give e.g. {name}=(1.0, 0.5).",
        )
    return tuple(map(float, array))


def as_table(part: str, name: str, unit: str, value: Any) -> tuple[tuple[float, ...], ...]:
    """Convert to a matrix of finite numbers, row by row."""
    array = _array(value)
    if array.ndim != 2 or not array.size or not np.isfinite(array).all():
        raise ParameterError(
            part,
            f"{name} = {value!r} is no matrix of finite numbers.",
            f"Give its rows, e.g. {name}=((1.0, 0.0), (0.0, 1.0)).",
        )
    return tuple(tuple(map(float, row)) for row in array)


def _array(value: Any) -> np.ndarray:
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return np.empty(0)


def as_function(part: str, name: str, unit: str, value: Any) -> Any:
    """Take a function of scalars."""
    if not callable(value):
        raise ParameterError(
            part,
            f"{name} = {value!r} is no function.",
            f"Give e.g. {name}=lambda u: 2 * u.",
        )
    return value


def unchanged(value: Scalar) -> Scalar:
    """Return the value itself."""
    return value
