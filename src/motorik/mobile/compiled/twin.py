"""Twin: a copy of a chain that can run on other values than the chain itself."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from motorik.algebra.matrix import IDENTITY
from motorik.algebra.motor import ZERO_MOTOR
from motorik.algebra.pose import IDENTITY_POSE
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO
from motorik.errors import CompileError
from motorik.mobile.compiled.quantities import StateQuantity
from motorik.mobile.states.mutable import Mutable
from motorik.mobile.states.transmission import Element, State, Subtask

_CONSTANTS = (ZERO, IDENTITY, IDENTITY_POSE, ZERO_MOTOR)


class ChainCopy:
    """A copy of a chain with state objects and parameters of its own.

    It is what symbols run through, so that the chain itself keeps its numbers.
    """

    def __init__(self, chain: Element) -> None:
        self._twins: dict[int, Any] = {id(constant): constant for constant in _CONSTANTS}
        self._original = chain
        try:
            self.chain: Element = copy.deepcopy(chain, self._twins)
        except TypeError as error:
            raise CompileError(
                repr(chain),
                f"cannot be copied: {error}",
                "Leave elements that hold files or windows out of what is compiled.",
            ) from error

    def quantity(self, quantity: StateQuantity) -> StateQuantity:
        """Return the same quantity of the copy."""
        if id(quantity.state) not in self._twins:
            raise CompileError(
                repr(quantity.state),
                "is not part of the chain",
                "Name frames and variables that the elements of the chain connect.",
            )
        return StateQuantity(self._twins[id(quantity.state)], quantity.name)

    def original(self, state: State) -> State:
        """Return the state object of which this one is the copy."""
        return next(s for s in self._original.touched if self._twins.get(id(s)) is state)

    def assign(self, parameters: Sequence[Mutable], entries: Sequence[Scalar]) -> None:
        """Give the copies of parameters other entries, end to end."""
        start = 0
        for parameter in parameters:
            count = len(parameter.entries)
            self._twins[id(parameter)].assign(entries[start : start + count])
            start += count

    def put(
        self, others: Sequence[tuple[Element | State, str]], scalars: Sequence[Scalar]
    ) -> None:
        """Give attributes of the copies of elements and variables other scalars."""
        for (one, name), scalar in zip(others, scalars, strict=True):
            setattr(self._twins[id(one)], name, scalar)

    def write(self, targets: Sequence[StateQuantity], scalars: Sequence[Scalar]) -> None:
        """Give the copies of quantities other scalars, end to end."""
        start = 0
        for target in targets:
            self.quantity(target).write(scalars[start : start + target.size])
            start += target.size

    def traverse(
        self,
        inputs: Sequence[StateQuantity],
        scalars: Sequence[Scalar],
        motion: Subtask,
        force: Subtask,
    ) -> None:
        """Run motion and force through the copy, with these scalars for the inputs."""
        self.chain.clear_forces()
        self.write(inputs, scalars)
        self.chain.motion(motion)
        self.chain.force(force)
