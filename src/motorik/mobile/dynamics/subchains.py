"""Sub-chains: the elements that depend on one coordinate, found from reads and writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from motorik.mobile.arguments import checked_function
from motorik.mobile.elements.chain import MapChain
from motorik.mobile.states.transmission import Element, State


def flatten(element: Element) -> Iterator[Element]:
    """Yield the elements of chains within chains one after another; others as they are."""
    if isinstance(element, MapChain):
        for part in element.elements:
            yield from flatten(part)
    else:
        yield element


def find_subchain(chain: Element, variable: State) -> MapChain:
    """Return the elements whose motion depends on a variable, and those they rest on.

    These must be traversed for its column of the mass matrix: forward from the inertial
    frame to all it moves, and back.
    """
    parts = list(flatten(chain))
    moved = {id(variable)}
    needed: set[int] = set()
    for part in parts:
        if any(id(state) in moved for state in part.inputs):
            moved.update(id(state) for state in part.outputs)
            needed.add(id(part))
    read: set[int] = set()
    for part in reversed(parts):
        if id(part) in needed or any(id(state) in read for state in part.outputs):
            needed.add(id(part))
            read.update(id(state) for state in part.inputs)
    return MapChain(part for part in parts if id(part) in needed)


@checked_function
def find_subchains(chain: Element, variables: Sequence[State]) -> list[Element]:
    """Return the sub-chain of each variable, as `EquationBuilder` takes them."""
    return [find_subchain(chain, variable) for variable in variables]
