"""Internal numbers of parts: modes that events change, and forces found with the motion.

Both stand among the live numbers of a model, so that laws read them as p.name and nothing is
compiled again when they change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from motorik.components.base.live_numbers import LiveScalar
from motorik.components.base.parameter import Parameter
from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.components.base.place import NamedObject

DISCRETE = "discrete"  # changed by events only
SIGNAL = "signal"  # likewise, and a signal that users name
UNKNOWN = "unknown"  # found together with the accelerations, at every evaluation


@immutable
class InternalSpec:
    """The declaration of an internal number: its meaning, unit and initial value."""

    description: str
    unit: str
    role: str
    start: float = 0.0

    def made(self) -> Parameter:
        """Return the number of one part."""
        own = Parameter(self.start, unit=self.unit, description=self.description)
        own.role = self.role
        return own


@immutable
class NonsmoothForceSpec:
    """The declaration of the force of a nonsmooth constraint, with the numbers of its mode.

    In a law p.name is the force [N or N·m]; p.name_stick is 1 while it sticks, else 0;
    p.name_direction is the direction of sliding, −1, 0 or 1. A constraint at rest whose force is
    at a bound, because other constraints hold it there, is saturated: p.name_saturated is then
    the direction in which it would slide without them, else 0.
    """

    description: str
    unit: str

    def numbers(self, name: str) -> dict[str, InternalSpec]:
        """Return the numbers that it stands for, by name."""
        return {
            name: InternalSpec(self.description, self.unit, UNKNOWN),
            f"{name}_stick": InternalSpec("whether it sticks", "1", DISCRETE),
            f"{name}_direction": InternalSpec("direction of sliding", "1", DISCRETE),
            f"{name}_saturated": InternalSpec(
                "bound at which others hold it at rest", "1", DISCRETE
            ),
        }


def discrete(description: str, unit: str = "1", start: float = 0.0) -> InternalSpec:
    """Declare a number of a part that only events change; laws read it as p.name."""
    return InternalSpec(description, unit, DISCRETE, start)


def nonsmooth_force(description: str, unit: str) -> NonsmoothForceSpec:
    """Declare the force of a nonsmooth constraint of a part; see `NonsmoothConstraint`."""
    return NonsmoothForceSpec(description, unit)


def numbers_of(
    part: NamedObject, specs: Mapping[str, InternalSpec]
) -> dict[str, LiveScalar]:
    """Return the numbers that a part has for itself, by name: always the same ones."""
    if not specs:
        return {}
    state = part.__dict__
    if "_own_numbers" not in state:
        state["_own_numbers"] = {name: spec.made() for name, spec in specs.items()}
    own: dict[str, Parameter] = state["_own_numbers"]
    path = part.path
    for name, number in own.items():
        number.name = f"{path}.{name}"
    return {name: number.elements[0] for name, number in own.items()}


def internal_specs(kind: type) -> dict[str, InternalSpec]:
    """Return the internal numbers that a class and its bases declare, by name."""
    found: dict[str, InternalSpec] = {}
    for base in reversed(kind.__mro__):
        for name, value in vars(base).items():
            if isinstance(value, InternalSpec):
                found[name] = value
            elif isinstance(value, NonsmoothForceSpec):
                found.update(value.numbers(name))
    return found
