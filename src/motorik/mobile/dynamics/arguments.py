"""Arguments of equations of motion: variables, chain, sub-chains, and gravity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn, cast

from motorik.algebra.vector import Vector, Z
from motorik.errors import AssemblyError
from motorik.immutable import immutable
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.transmission import Element

Direction = Vector | str | Sequence[float]
"""A vector of any length, the name of an axis, or three numbers."""


@immutable
class GivenArguments:
    """The arguments by name."""

    chain: Element
    frame: Frame | None
    up: Direction
    subchains: Iterable[Element] | None


def read_arguments(
    arguments: Sequence[Element | Iterable[Element] | Frame | Direction],
    frame: Frame | None = None,
    up: Direction = Z,
    subchains: Iterable[Element] | None = None,
) -> GivenArguments:
    """Return the positional arguments, [sub-chains,] chain [, frame [, up]], by name."""
    rest = list(arguments)
    if len(rest) > 1 and isinstance(rest[1], Element):
        if subchains is not None:
            _refuse("sub-chains are given twice")
        first = rest.pop(0)
        if not isinstance(first, Iterable) or isinstance(first, Element | Frame):
            _refuse(f"{first!r} is not a list of sub-chains")
        subchains = cast("Iterable[Element]", first)
    if not rest or not isinstance(rest[0], Element):
        _refuse("there is no chain that the variables move")
    if len(rest) > 1:
        if not (rest[1] is None or isinstance(rest[1], Frame)):
            _refuse(f"{rest[1]!r} is not a frame")
        frame = rest[1]
    if len(rest) > 2:
        up = cast("Direction", rest[2])
    if len(rest) > 3:
        _refuse(f"{len(arguments)} arguments after the variables are too many")
    return GivenArguments(rest[0], frame, up, subchains)


def _refuse(why: str) -> NoReturn:
    raise AssemblyError(
        "equations of motion",
        f"{why}.",
        "Write (variables, chain, frame, up), or (variables, [subchain, …], chain, frame, up) "
        "with one sub-chain for each variable; frame and up where there is gravity.",
    )
