"""Drive: a force along a variable, as told by whoever holds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from motorik.algebra.scalar import Scalar, add
from motorik.elements.leaf import Leaf
from motorik.elements.parameters import Mutable, MutableScalar, current, mutable_among
from motorik.elements.transmission import State, Subtask
from motorik.elements.variable import StateVariable


@dataclass
class Drive(Leaf):
    """A force Q [N or N·m] along a variable, read anew at each traversal: Q_variable += Q.

    The way in for motors, cylinders and controllers: they set `Q`, positive where it acts
    in the direction of growing q.
    """

    variable: StateVariable
    Q: Scalar | MutableScalar = 0.0

    @property
    def inputs(self) -> Sequence[State]:
        """The variable driven."""
        return (self.variable,)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The force, if it is a `MutableScalar`."""
        return mutable_among(self.Q)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Load the variable."""
        if Subtask.INTERNAL in subtasks:
            self.variable.Q = add(self.variable.Q, current(self.Q))
