"""Internal numbers of parts: modes that events change, and forces found with the motion.

They stand among the live numbers of a model, so that laws read them as p.name and nothing is
compiled again when they change. Numbers that belong together form a block: `NonsmoothForce` and
`DiskState` are records with the same fields in the class that declares them, in the part,
in its laws and in the layout of p.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from motorik.components.base.live_numbers import LiveScalar
from motorik.components.base.parameter import Parameter
from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.algebra.scalar import Scalar
    from motorik.components.base.place import NamedObject

N = TypeVar("N")


class InternalRole(Enum):
    """How an internal number gets its value."""

    DISCRETE = auto()  # changed by events only
    SIGNAL = auto()  # likewise, and a signal that users name
    UNKNOWN = auto()  # found together with the accelerations, at every evaluation
    GUESS = auto()  # where Newton's method begins: the solution at the last step


@immutable
class InternalSpec:
    """The declaration of an internal number: its meaning, unit and initial value."""

    description: str
    unit: str
    role: InternalRole
    start: float = 0.0

    def made(self) -> Parameter:
        """Return the number of one part."""
        own = Parameter(self.start, unit=self.unit, description=self.description)
        own.role = self.role
        return own


@immutable(eq=False)
class NumberBlock(Generic[N]):
    """Internal numbers of a part that belong together, as a record.

    Its entries are all of one kind: declarations in a class of parts, live numbers in a part,
    scalars in its laws, positions in the layout of p.
    """

    def entries(self) -> dict[str, N]:
        """Return the entries by the names of their fields, in order."""
        return {own.name: getattr(self, own.name) for own in fields(self)}

    def mapped(self, change: Callable[[N], Any]) -> Any:
        """Return the same kind of block with another kind of entries."""
        return type(self)(*map(change, self.entries().values()))


@immutable(eq=False)
class NonsmoothForce(NumberBlock[N]):
    """The force of a nonsmooth constraint and its mode.

    A constraint at rest whose force is at a bound, because other constraints hold it there, is
    saturated: `saturated` is then the direction in which it would slide without them, else 0.
    """

    force: N  # λ [N or N·m]
    stick: N  # 1 while it sticks, else 0
    direction: N  # of sliding: −1, 0 or 1
    saturated: N  # −1, 0 or 1


@immutable(eq=False)
class FrictionWithOnset(NonsmoothForce[N]):
    """The force of friction whose onset of sliding is shown in results."""

    onset: N  # direction in which it starts to slide, just after that instant, else 0


@immutable(eq=False)
class DiskState(NumberBlock[N]):
    """The direction of friction in a plane, and its regularisation; see `FrictionDisk`."""

    cosine: N
    sine: N
    pace: N  # rate of the speed below which friction is regularised
    since: N  # time at which that speed would be zero
    softness: N  # factor on the compliance with which it shares a load with others


def guess_of(name: str, start: float) -> Parameter:
    """Return the number at which Newton's method begins for an unknown."""
    own = Parameter(start, name=name)
    own.role = InternalRole.GUESS
    return own


Internal = InternalSpec | NumberBlock[InternalSpec]
"""The declaration of an internal number or of a block of them."""
InternalNumber = LiveScalar | NumberBlock[LiveScalar]
"""An internal number of a part, or a block of them."""


def discrete(description: str, unit: str = "1", start: float = 0.0) -> InternalSpec:
    """Declare a number of a part that only events change; laws read it as p.name."""
    return InternalSpec(description, unit, InternalRole.DISCRETE, start)


def kept(description: str, unit: str = "1", start: float = 0.0) -> InternalSpec:
    """Declare a number that only events change and that a continued run takes over by its name.

    Results must show it under that name.
    """
    return InternalSpec(description, unit, InternalRole.SIGNAL, start)


def nonsmooth_force(description: str, unit: str) -> NonsmoothForce[Scalar]:
    """Declare the force of a nonsmooth constraint of a part; see `NonsmoothConstraint`.

    In a law p.name.force is the force [N or N·m]; p.name.stick is 1 while it sticks, else 0;
    p.name.direction is the direction of sliding, −1, 0 or 1; see `NonsmoothForce`.
    """
    return NonsmoothForce(*_force_and_mode(description, unit))


def friction_with_onset(description: str, unit: str) -> FrictionWithOnset[Scalar]:
    """Declare the force of friction, whose onset of sliding results show."""
    onset = discrete("direction in which it starts to slide, just after that instant")
    return FrictionWithOnset(*_force_and_mode(description, unit), onset)


def _force_and_mode(
    description: str, unit: str
) -> tuple[InternalSpec, InternalSpec, InternalSpec, InternalSpec]:
    return (
        InternalSpec(description, unit, InternalRole.UNKNOWN),
        discrete("whether it sticks"),
        discrete("direction of sliding"),
        discrete("bound at which others hold it at rest"),
    )


def disk_state() -> DiskState[Scalar]:
    """Declare the direction of friction in a plane; see `FrictionDisk`."""
    return DiskState(
        cosine=discrete("cosine of the direction", start=1.0),
        sine=discrete("sine of the direction"),
        pace=discrete("rate of the speed below which friction is regularised", "m/s2"),
        since=discrete("time at which that speed would be zero", "s"),
        softness=discrete("compliance against others that share the load", start=1.0),
    )


def numbers_of(
    part: NamedObject, specs: Mapping[str, Internal]
) -> dict[str, InternalNumber]:
    """Return the numbers and blocks that a part has for itself: always the same ones."""
    if not specs:
        return {}
    state = part.__dict__
    if "_own_numbers" not in state:
        state["_own_numbers"] = {name: _made(spec) for name, spec in specs.items()}
    own: dict[str, InternalNumber] = state["_own_numbers"]
    path = part.path
    for name, number in own.items():
        if isinstance(number, LiveScalar):
            number.parameter.name = f"{path}.{name}"
        else:
            for field, entry in number.entries().items():
                entry.parameter.name = f"{path}.{name}.{field}"
    return dict(own)


def _made(spec: Internal) -> InternalNumber:
    if isinstance(spec, InternalSpec):
        return spec.made().elements[0]
    return spec.mapped(lambda entry: entry.made().elements[0])


def internal_scalars(own: Mapping[str, InternalNumber]) -> Iterator[LiveScalar]:
    """Yield all internal numbers of a part, those of blocks one by one."""
    for number in own.values():
        if isinstance(number, LiveScalar):
            yield number
        else:
            yield from number.entries().values()


def single_number(own: Mapping[str, InternalNumber], name: str) -> LiveScalar:
    """Return an internal number of a part that is not in a block."""
    number = own[name]
    assert isinstance(number, LiveScalar)
    return number


def internal_specs(kind: type) -> dict[str, Internal]:
    """Return the internal numbers and blocks that a class and its bases declare, by name."""
    found: dict[str, Internal] = {}
    for base in reversed(kind.__mro__):
        for name, value in vars(base).items():
            if isinstance(value, (InternalSpec, NumberBlock)):
                found[name] = value
    return found
