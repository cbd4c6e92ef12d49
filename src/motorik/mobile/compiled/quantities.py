"""Quantities of state objects: inputs and outputs of a compiled chain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from motorik.algebra.matrix import Matrix
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.errors import CompileError, suggest
from motorik.immutable import immutable
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.transmission import State
from motorik.mobile.states.variable import StateVariable

SCALARS = ("q", "qd", "qdd", "Q")
VECTORS = ("r", "ang_v", "lin_v", "ang_a", "lin_a", "f", "t")


@immutable(eq=False)
class StateQuantity:
    """One quantity of a state object.

    Of a variable `q`, `qd`, `qdd`, `Q`; of a frame `R`, `r`, `ang_v`, `lin_v`, `ang_a`,
    `lin_a`, `f`, `t`, all in its own axes, or its place `p` in inertial axes.
    """

    state: State
    name: str

    def __post_init__(self) -> None:
        known = SCALARS if isinstance(self.state, StateVariable) else (*VECTORS, "R", "p")
        if self.name not in known:
            raise CompileError(
                f"{self.state!r}",
                f"has no quantity {self.name!r}",
                suggest(self.name, known),
            )

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its numbers: a number alone, a vector or a matrix."""
        if self.name in SCALARS:
            return ()
        return (3, 3) if self.name == "R" else (3,)

    @property
    def size(self) -> int:
        """The count of its numbers."""
        return {(): 1, (3,): 3, (3, 3): 9}[self.shape]

    def read(self) -> tuple[Scalar, ...]:
        """Return its scalars; those of a matrix row by row."""
        if isinstance(self.state, Frame) and self.name == "p":
            return self.state.X.p.xyz
        value = getattr(self.state, self.name)
        if isinstance(value, Vector):
            return value.xyz
        return tuple(value.entries) if isinstance(value, Matrix) else (value,)

    def write(self, scalars: Sequence[Scalar]) -> None:
        """Give the state object these scalars."""
        if isinstance(self.state, Frame) and self.name == "p":
            self.state.X = type(self.state.X)(self.state.X.R, Vector(*scalars))
        elif self.shape == ():
            setattr(self.state, self.name, scalars[0])
        else:
            kind = Vector if self.shape == (3,) else Matrix
            setattr(self.state, self.name, kind(*scalars))

    def __repr__(self) -> str:
        return f"{self.state.name or repr(self.state)}.{self.name}"


Item = StateQuantity | tuple[State, str] | State
"""A quantity, a state object with the name of one, or a state object for its usual ones."""


def quantities(
    items: Iterable[Item], of_variable: Sequence[str], of_frame: Sequence[str]
) -> list[StateQuantity]:
    """Return the quantities named: pairs (state, name), or state objects for their usual ones."""
    found: list[StateQuantity] = []
    for item in items:
        if isinstance(item, StateQuantity):
            found.append(item)
        elif isinstance(item, tuple):
            found.append(StateQuantity(*item))
        else:
            usual = of_variable if isinstance(item, StateVariable) else of_frame
            found += [StateQuantity(item, name) for name in usual]
    return found
