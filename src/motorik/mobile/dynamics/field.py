"""The gravity field of a chain: which frames it acts on, and the energy of the chain in it."""

from __future__ import annotations

from functools import reduce

from motorik.algebra.vector import ZERO, Vector
from motorik.mobile.elements.gravity import Gravity
from motorik.mobile.states.energy import Energy
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.transmission import Element, walk


def find_field(chain: Element, g: Vector = ZERO) -> dict[int, Vector]:
    """Return the gravity acceleration [m/s²] of each frame by its id, in inertial axes.

    `g` acts on all frames that the chain moves, a `Gravity` in the chain on its frame and
    on all that this carries.
    """
    field = {id(state): g for state in chain.outputs}
    parts = list(walk(chain))
    for source in (part for part in parts if isinstance(part, Gravity)):
        carried = {id(source.frame)}
        for part in parts:
            if any(id(state) in carried for state in part.inputs):
                carried.update(id(state) for state in part.outputs)
        own = Vector.of(source.g)
        field.update({key: field.get(key, ZERO) + own for key in carried})
    return field


def find_energy(chain: Element, g: Vector = ZERO) -> Energy:
    """Return the energy of a chain in the field `g` [m/s²] and those of its own."""
    field = find_field(chain, g)

    def at(frame: Frame) -> Vector:
        return field.get(id(frame), ZERO)

    parts = (part.energy(at) for part in walk(chain))
    return reduce(Energy.plus, parts, Energy())
