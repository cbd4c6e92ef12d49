"""Drive: a force along a variable, set from outside."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.scalar import Scalar
from motorik.mobile.elements.load import ForceElement
from motorik.mobile.states.mutable import Mutable, MutableScalar, current, mutable_among
from motorik.mobile.states.transmission import State
from motorik.mobile.states.variable import StateVariable


class Drive(ForceElement):
    """A force Q [N or N·m] along a variable, read in each traversal: Q_variable += Q.

    For motors, cylinders and controllers, which set `Q`, positive where it acts
    in the direction of growing q.
    """

    def __init__(self, variable: StateVariable, Q: Scalar | MutableScalar = 0.0) -> None:
        self.variable, self.Q = variable, Q
        self._load: Scalar = 0.0

    @property
    def inputs(self) -> Sequence[State]:
        """The variable driven."""
        return (self.variable,)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The force, if it is a `MutableScalar`."""
        return mutable_among(self.Q)

    def compute(self) -> None:
        """Read the force."""
        self._load = current(self.Q)

    def apply(self) -> None:
        """Load the variable."""
        self.variable.add_force(self._load)

    def __repr__(self) -> str:
        return f"Drive({self.variable!r}, {self.Q})"
