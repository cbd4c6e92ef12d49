"""States of force laws: a law with states as a law, its states, and their rates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import (
    Contribution,
    FrameForce,
    LineForce,
    Measurement,
    SignalLaw,
)
from motorik.components.base.declarations import StartSpec
from motorik.components.base.motion import Motion
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, SignalOutput
from motorik.components.base.resolving import Values
from motorik.components.base.user_law import UserLaw, is_of_user, several_scalars
from motorik.components.base.values import Start
from motorik.errors import AssemblyError, suggest

StatefulLaw = LineForce | FrameForce


def with_states(part: Part, law: StatefulLaw) -> Iterator[Contribution]:
    """Yield a force law that reads its states as signals, and what integrates these.

    The rates are measured from the motion and the states, ẋ = rates(…), and a signal law
    without direct feedthrough integrates them, so that no algebraic loop arises.
    """
    starts = [_start_of(part, name) for name in law.states]
    if law.rates is None:
        raise AssemblyError(
            part.label,
            f"its force law has the states {', '.join(law.states)}, but no rates.",
            "Give rates=…, a function of the arguments of the law that returns a rate for each.",
            parameter="rates",
        )
    states = tuple(SignalOutput(part, name) for name in law.states)
    rates = tuple(SignalOutput(part, f"der({name})") for name in law.states)
    signals = (*law.signals, *states)
    own = replace(law, signals=signals)
    yield own
    yield Measurement(part, rates, _rates_in(part, own), level=1)
    units = tuple(part.specs[name].unit for name in law.states)
    yield SignalLaw(
        part,
        rates,
        states,
        law.p,
        _states_themselves,
        _inputs_themselves,
        law.states,
        tuple(starts),
        units=units,
    )


def _start_of(part: Part, name: str) -> Start:
    """Return the start value of a state that the class of the part declares."""
    spec = part.specs.get(name)
    if not isinstance(spec, StartSpec) or spec.size != 1:
        declared = [n for n, one in part.specs.items() if isinstance(one, StartSpec)]
        raise AssemblyError(
            part.label,
            f"its force law has the state {name!r}, which its class does not declare.",
            f'Declare it: {name} = start("description", "unit"). {suggest(name, declared)}',
            parameter=name,
            value=name,
        )
    return replace(part.__dict__[name], fixed=True)


def _rates_in(part: Part, law: StatefulLaw) -> Callable[[Motion], tuple[Scalar, ...]]:
    """Return the function that gives the rates of the states in a motion."""
    rates, count = law.rates, len(law.states)
    assert rates is not None
    if is_of_user(part):
        arguments = ("p", "x", "v") if isinstance(law, LineForce) else ("p", "t", "motions")
        rates = UserLaw(part.label, "rates", rates, arguments, several_scalars(count))

    def read(motion: Motion) -> tuple[Scalar, ...]:
        values = [motion.signal(port) for port in law.signals]
        return tuple(rates(law.p, *_arguments(law, motion, values)))

    return read


def _arguments(
    law: StatefulLaw, motion: Motion, values: Sequence[Scalar]
) -> tuple[object, ...]:
    """Return the arguments of a law after its parameters."""
    if isinstance(law, LineForce):
        x, v = motion.flange(law.flange_b)
        if law.flange_a is not None:
            x_a, v_a = motion.flange(law.flange_a)
            x, v = x - x_a, v - v_a
        return x, v, *values
    motions = [(motion.pose(port), motion.velocity(port)) for port in law.frames]
    turned = [motion.coordinate(law.part, name) for name in law.coordinates]
    return motion.t, motions, *values, *turned


def state_values(law: StatefulLaw, signal: Callable[[Port], Scalar]) -> list[Scalar]:
    """Return the values of the states of a law, the last of its signals."""
    count = len(law.states)
    return [signal(port) for port in law.signals[len(law.signals) - count :]]


def _states_themselves(
    p: Values, t: Scalar, inputs: Sequence[Scalar], states: Sequence[Scalar]
) -> tuple[Scalar, ...]:
    return tuple(states)


def _inputs_themselves(
    p: Values, t: Scalar, inputs: Sequence[Scalar], states: Sequence[Scalar]
) -> tuple[Scalar, ...]:
    return tuple(inputs)
