"""State objects by their names: ``K0, K1, K2 = frames("K0 K1 K2")``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from keyword import iskeyword
from typing import TypeVar

from motorik.errors import ParameterError
from motorik.mobile.arguments import checked_function
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.variable import AngularVariable, LinearVariable

T = TypeVar("T")


@checked_function
def frames(names: str | Iterable[str]) -> tuple[Frame, ...]:
    """Return frames of these names, which blanks or commas part.

    >>> K0, K1, K2 = frames("K0 K1 K2")
    >>> K1
    Frame('K1')
    """
    return _named("frames", Frame, names)


@checked_function
def angular_variables(names: str | Iterable[str]) -> tuple[AngularVariable, ...]:
    """Return angles of these names, as `frames` does."""
    return _named("angular_variables", AngularVariable, names)


@checked_function
def linear_variables(names: str | Iterable[str]) -> tuple[LinearVariable, ...]:
    """Return lengths of these names, as `frames` does."""
    return _named("linear_variables", LinearVariable, names)


def _named(
    caller: str, make: Callable[[str], T], names: str | Iterable[str]
) -> tuple[T, ...]:
    given = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    for name in given:
        if not (name.isidentifier() and not iskeyword(name)) or given.count(name) > 1:
            raise ParameterError(
                caller,
                f"{name!r} is named twice."
                if given.count(name) > 1
                else f"{name!r} is no name.",
                f'Give names as in a program, each once: {caller}("a b c").',
                parameter="names",
                value=names,
            )
    return tuple(make(name) for name in given)
