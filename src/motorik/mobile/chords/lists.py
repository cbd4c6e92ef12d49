"""ChordList: several measurements as one: the equations that a solver solves together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from motorik.errors import ParameterError
from motorik.mobile.chords.chord import Chord, ChordBranch
from motorik.mobile.chords.measurement import ChordMeasurement
from motorik.mobile.states.mutable import Mutable, mutable_of
from motorik.mobile.states.transmission import (
    Element,
    State,
    Subtask,
    unique,
    without,
)
from motorik.mobile.states.variable import StateVariable


class ChordList(ChordMeasurement):
    """Chords one after another, filled with ``<<``; their order does not matter.

    >>> from motorik.mobile import Chord3DPosition, ChordPointPointLinear, Frame
    >>> K1, K2, K3 = Frame("K1"), Frame("K2"), Frame("K3")
    >>> ChordList() << Chord3DPosition(K1, K2) << ChordPointPointLinear.relative(K3, K2)
    ChordList of 2: Chord3DPosition(K1, K2), ChordPointPointLinear(K3, K2)
    """

    def __init__(self, chords: Iterable[Chord] = ()) -> None:
        self.chords: list[Chord] = []
        for chord in chords:
            self.append(chord)

    @staticmethod
    def of(chords: Chord | ChordList | Iterable[Chord]) -> ChordList:
        """Return one chord or several as a list, or a list itself."""
        if isinstance(chords, ChordList):
            return chords
        return ChordList(chords if isinstance(chords, Iterable) else [chords])

    def append(self, chord: Chord) -> None:
        """Put a chord at the end."""
        if not isinstance(chord, Chord):
            raise ParameterError(
                "ChordList",
                f"{chord!r} is not a chord.",
                "Append chords only.",
                parameter="chord",
                value=chord,
            )
        self.chords.append(chord)

    def __lshift__(self, chords: Chord | ChordList | Iterable[Chord]) -> ChordList:
        for chord in ChordList.of(chords):
            self.append(chord)
        return self

    def __iter__(self) -> Iterator[Chord]:
        return iter(self.chords)

    def __len__(self) -> int:
        return len(self.chords)

    def __getitem__(self, index: int) -> Chord:
        return self.chords[index]

    @property
    def states(self) -> tuple[StateVariable, ...]:
        """All variables measured."""
        return tuple(state for chord in self.chords for state in chord.states)

    @property
    def placed(self) -> Sequence[Element]:
        """The elements that the chords move, each once, in order."""
        found = {id(e): e for chord in self.chords for e in chord.placed}
        return tuple(found.values())

    @property
    def inputs(self) -> Sequence[State]:
        """The states that the chords read and none of them moves."""
        read = unique(*(chord.inputs for chord in self.chords))
        return without(read, self.outputs)

    @property
    def outputs(self) -> Sequence[State]:
        """The variables measured and the frames that chains of chords move."""
        return unique(*(chord.outputs for chord in self.chords))

    @property
    def touched(self) -> Sequence[State]:
        """All state objects that a traversal may change."""
        return unique(*(chord.touched for chord in self.chords))

    @property
    def inner(self) -> Sequence[Element]:
        """The chords in their order."""
        return tuple(self.chords)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The parameters of the chords that may be changed, each once."""
        return mutable_of(*self.chords)

    def measure(self, subtasks: Subtask, every_branch: bool = True) -> None:
        """Write the motion of the states, of all branches or only of those with unknowns."""
        for chord in self.chords:
            active = ChordBranch.NONE if not every_branch else chord.where_input
            chord.measure(subtasks, chord.where_unknown | active)

    def see(self, subtasks: Subtask) -> None:
        """Measure on the branches with unknowns or inputs, of all chords."""
        self.measure(subtasks)

    def apply(self) -> None:
        """Load the frames by the forces of the states."""
        for chord in self.chords:
            chord.apply()

    def __repr__(self) -> str:
        return f"ChordList of {len(self)}: {', '.join(map(repr, self.chords))}"
