"""Lists of state objects, filled with ``<<``: variables of one or any kind, and frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, cast, overload

from motorik.errors import ParameterError
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.variable import AngularVariable, LinearVariable, StateVariable

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")


class StateList(Sequence[T], Generic[T]):
    """An ordered list of state objects, each in it once.

    ``<<`` appends one or all of another list; ``states[0]`` counts from 0 and ``states(1)``
    from 1.
    """

    kind: ClassVar[type]

    def __init__(self, states: Iterable[T] = ()) -> None:
        self._states: list[T] = []
        for state in states:
            self.append(state)

    def append(self, state: T) -> None:
        """Put a state object at the end."""
        if not isinstance(state, self.kind):
            raise ParameterError(
                type(self).__name__,
                f"{state!r} is not a {self.kind.__name__}.",
                "Put it into a list of its own kind.",
                parameter="state",
                value=state,
            )
        if any(state is other for other in self._states):
            raise ParameterError(
                type(self).__name__,
                f"{state!r} is already in the list.",
                "Append it once.",
                parameter="state",
                value=state,
            )
        self._states.append(state)

    def __lshift__(self, states: T | Iterable[T]) -> Self:
        several = states if isinstance(states, Iterable) else (states,)
        for state in cast("Iterable[T]", several):
            self.append(state)
        return self

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        return self._states[index]

    def __call__(self, number: int) -> T:
        """Return the entry of this number, counted from 1."""
        if not 1 <= number <= len(self):
            raise ParameterError(
                type(self).__name__,
                f"there is no entry ({number}).",
                f"Entries in round brackets run from 1 to {len(self)}.",
                parameter="number",
                value=number,
            )
        return self._states[number - 1]

    def __len__(self) -> int:
        return len(self._states)

    def __iter__(self) -> Iterator[T]:
        return iter(self._states)

    def __repr__(self) -> str:
        names = ", ".join(getattr(state, "name", "") or "?" for state in self._states)
        return f"{type(self).__name__} of {len(self)}: {names}"


class VariableList(StateList[StateVariable]):
    """A list of variables of any kind.

    >>> beta, s = AngularVariable("beta"), LinearVariable("s")
    >>> VariableList() << beta << s
    VariableList of 2: beta, s
    """

    kind = StateVariable


class AngularVariableList(StateList[AngularVariable]):
    """A list of angles."""

    kind = AngularVariable


class LinearVariableList(StateList[LinearVariable]):
    """A list of lengths."""

    kind = LinearVariable


class FrameList(StateList[Frame]):
    """A list of frames."""

    kind = Frame
