"""Chord: a measurement between frames, as an element that ends in variables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from enum import Flag, auto
from typing import TypeVar

from motorik.algebra.scalar import Scalar
from motorik.errors import ParameterError
from motorik.mobile.chords.measurement import ChordMeasurement
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import Mutable, mutable_of
from motorik.mobile.states.transmission import (
    Element,
    State,
    Subtask,
    unique,
    without,
)
from motorik.mobile.states.variable import LinearVariable

BRANCH_WORDS = ("where_unknown", "where_force", "where_input")


class ChordBranch(Flag):
    """The branches of a loop that meet in a chord, Kecskeméthy 1999, §5.2.6.

    I leads to the base frame of the lower segment, II to its end frame, III from the base
    to the end of the upper segment. A chord of two frames has I (base) and II (end).
    """

    I = auto()
    II = auto()
    III = auto()
    NONE = 0
    ALL = I | II | III


A = TypeVar("A")


def split_branches(
    part: str, arguments: Sequence[A | ChordBranch]
) -> tuple[list[A], dict[str, ChordBranch]]:
    """Return arguments given by position without the branches at their end, and these by name."""
    branches = [x for x in arguments if isinstance(x, ChordBranch)]
    rest = [
        x
        for x in arguments[: len(arguments) - len(branches)]
        if not isinstance(x, ChordBranch)
    ]
    if len(rest) + len(branches) < len(arguments) or len(branches) > len(BRANCH_WORDS):
        raise ParameterError(
            part,
            f"{len(branches)} branches are given in the wrong place.",
            "Name them: where_unknown=ChordBranch.I, where_force=…, where_input=….",
            parameter="arguments",
            value=arguments,
        )
    return rest, dict(zip(BRANCH_WORDS, branches, strict=False))


class Chord(ChordMeasurement):
    """A measurement: motion of frames goes in, that of scalar variables `states` comes out.

        f = φ(X_0, X_1, …),   ḟ = J V,   f̈ = J V̇ + J̇ V,   F += Jᵀ Q

    With a `chain` the chord reconfigures itself: each traversal moves the chain first, and
    transmits the forces back through it. The branches restrict the computation; without
    them everything is computed:

    * `where_unknown`: branches with unknowns, measured in each step of a solver;
    * `where_input`: branches that only inputs move, measured once in each traversal;
    * `where_force`: branches to whose frames force is applied.
    """

    def __init__(
        self,
        count: int,
        chain: Element | None,
        where_unknown: ChordBranch = ChordBranch.ALL,
        where_force: ChordBranch = ChordBranch.ALL,
        where_input: ChordBranch = ChordBranch.ALL,
    ) -> None:
        names = ["f"] if count == 1 else [f"f{i}" for i in range(count)]
        self.states = tuple(LinearVariable(name) for name in names)
        self.chain = chain
        self.where_unknown = where_unknown
        self.where_force = where_force
        self.where_input = where_input

    @property
    @abstractmethod
    def frames(self) -> Sequence[Frame]:
        """The frames whose motion is measured."""

    @property
    def upper(self) -> Element | None:
        """The chain of the upper segment, if there is one."""
        return None

    @property
    def placed(self) -> Sequence[Element]:
        """The elements that a solution of this chord moves, in order."""
        return () if self.chain is None else (self.chain,)

    @property
    def read(self) -> Sequence[State]:
        """The state objects that are read in measuring."""
        return self.frames

    @property
    def inputs(self) -> Sequence[State]:
        """The states that the chord reads and does not move itself."""
        read = unique(*(element.inputs for element in self.placed), self.read)
        return without(read, self.outputs)

    @property
    def outputs(self) -> Sequence[State]:
        """The variables measured and the frames that the chain moves."""
        return unique(*(element.outputs for element in self.placed), self.states)

    @property
    def touched(self) -> Sequence[State]:
        """All state objects that a traversal may change."""
        return unique(*(e.touched for e in self.placed), self.read, self.states)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The parameters of the chain that may be changed."""
        return mutable_of(*self.placed)

    @property
    def inner(self) -> Sequence[Element]:
        """The states that the chord moves."""
        return self.placed

    @abstractmethod
    def violation(self) -> tuple[Scalar, Scalar]:
        """Return the deviation of the frames from closure [m, rad], as measured last."""

    @abstractmethod
    def measure(self, subtasks: Subtask, branches: ChordBranch = ChordBranch.ALL) -> None:
        """Write the motion of `states`; branches not named keep their last values."""

    def see(self, subtasks: Subtask) -> None:
        """Measure on the branches with unknowns or inputs."""
        self.measure(subtasks, self.where_unknown | self.where_input)

    @abstractmethod
    def apply(self) -> None:
        """Load the frames by the forces `Q` of the states."""

    def __repr__(self) -> str:
        names = ", ".join(frame.name or "?" for frame in self.frames)
        return f"{type(self).__name__}({names})"
