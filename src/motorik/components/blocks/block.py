"""Block: output signals computed from input signals, with or without states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import Contribution, SignalLaw
from motorik.components.base.internal import InternalRole, InternalSpec
from motorik.components.base.part import (
    DeclaredSignals,
    Values,
    signal_input,
    signal_output,
)
from motorik.components.base.ports import Port
from motorik.components.base.user_law import UserLaw, one_scalar
from motorik.components.base.values import Start
from motorik.components.base.variable import Variable
from motorik.errors import ParameterError

Scalars = Sequence[Scalar]


class Block(DeclaredSignals):
    """A block: output signals by `law`, states by `rates`.

    A block class overrides `law`, and, if it has states, `rates` and `states`.
    """

    @staticmethod
    def rates(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return the rates of the states, if there are any."""
        return ()

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return the value of each output."""
        raise NotImplementedError  # the caller of the law reports it

    def inputs(self) -> tuple[Port, ...]:
        """Return the input signals."""
        return ()

    def outputs(self) -> tuple[Port, ...]:
        """Return the output signals."""
        raise ParameterError(
            self.label,
            "does not define its output signals.",
            "Define `outputs(self)` in its class to return them, e.g. (self.y,).",
            parameter="outputs",
            value=type(self),
        )

    def states(self, p: Values) -> dict[str, Start]:
        """Return the names of the states and their start values."""
        return {}

    def initial(self, p: Values) -> Callable[..., tuple[Scalar, ...]] | None:
        """Return how the states at the start follow from the inputs, None if they do not."""
        return None

    def is_steady(self, p: Values) -> bool:
        """Return whether the states start where their rates vanish."""
        return False

    def is_guess(self, p: Values) -> bool:
        """Return whether the start values may change where other conditions need it."""
        return getattr(p, "initType", "") == "NoInit"

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the outputs as functions of inputs and states."""
        kind = type(self)
        states = {name: self._start_of(name, at) for name, at in self.states(p).items()}
        rates = None if kind.rates is Block.rates else kind.rates
        if states and rates is None:
            raise ParameterError(
                self.label,
                f"has the states {', '.join(states)}, but does not define their rates.",
                "Define `rates(p, t, inputs, states)` in its class.",
                parameter="rates",
                value=tuple(states),
            )
        initial, is_steady = self.initial(p), self.is_steady(p)
        is_found = initial is not None or is_steady
        if is_found or self.is_guess(p):  # unless the user gives them
            states = {name: replace(at, fixed=False) for name, at in states.items()}
        yield SignalLaw(
            self,
            self.inputs(),
            self.outputs(),
            p,
            kind.law,
            rates,
            tuple(states),
            tuple(states.values()),
            initial,
            is_steady,
        )

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the numbers that the block keeps from event to event."""
        kept = {
            name: spec
            for name, spec in self._internal.items()
            if isinstance(spec, InternalSpec) and spec.role is InternalRole.SIGNAL
        }
        return {name: _kept_variable(p, name, spec) for name, spec in kept.items()}

    def _start_of(self, name: str, begin: object) -> Start:
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


def _kept_variable(p: Values, name: str, spec: InternalSpec) -> Variable:
    return Variable(lambda motion: getattr(p, name), spec.unit, spec.description)


def with_law(p: Values, part: str, name: str, arguments: tuple[str, ...]) -> Values:
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

    u = signal_input("input")
    y = signal_output("output")

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)


def unchanged(value: Scalar) -> Scalar:
    """Return the value itself."""
    return value
