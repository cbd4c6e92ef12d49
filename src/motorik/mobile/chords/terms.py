"""Terms of scalar chords: one measure between two frames, at all levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add
from motorik.errors import AssemblyError
from motorik.mobile.chords.chord import ChordBranch
from motorik.mobile.chords.span import Span
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.preserved import loads_set_aside, preserved
from motorik.mobile.states.transmission import Element, Memory, State, Subtask, without


class Measure(Protocol):
    """The geometry of a scalar chord: g, its wrench and the rate of that."""

    def value(self, X: Pose) -> Scalar:
        """Return g for the pose X of frame E seen from frame B."""

    def wrench(self, X: Pose) -> Motor:
        """Return the wrench W on E with ġ = (W, V), resolved in E."""
        ...

    def wrench_rate(self, X: Pose, V: Motor) -> Motor:
        """Return Ẇ while E moves with V seen from B."""
        ...


class Term:
    """The measure g of one span, which a chord takes with a sign.

    With a chain `upper` the end is carried by the base, wherever the base is: the chain is
    then run from a base at rest, and its frames are left as they were.
    """

    def __init__(
        self,
        sign: float,
        span: Span,
        base_branch: ChordBranch,
        end_branch: ChordBranch,
        upper: Element | None = None,
    ) -> None:
        self.sign, self.span, self.upper = sign, span, upper
        self.base_branch, self.end_branch = base_branch, end_branch
        self.is_seen = False
        self.W: Motor = ZERO_MOTOR
        self.g: Scalar = 0.0
        self.gd: Scalar = 0.0
        self.gdd: Scalar = 0.0
        self.bias: Scalar = 0.0

    @property
    def branches(self) -> ChordBranch:
        """The branches that move the span."""
        return self.base_branch | self.end_branch

    @property
    def read(self) -> Sequence[State]:
        """The frames that move; of an upper segment only what moves it inside."""
        span = self.span
        if self.upper is not None:
            return without(self.upper.inputs, (span.base,))
        return (span.base, span.end) if self.base_branch else (span.end,)

    def see(self, measure: Measure, subtasks: Subtask) -> None:
        """Measure the span, running the upper chain first if there is one."""
        self.is_seen = True
        if self.upper is None:
            self._look(measure, subtasks)
            return
        if Subtask.USE_CORIOLIS in subtasks:
            subtasks |= Subtask.VELOCITY | Subtask.COMPUTE_CORIOLIS
        base = self.span.base
        frames = [state for state in self.upper.outputs if isinstance(state, Frame)]
        memory = self.upper.keep()
        with preserved((base, *frames)):
            base.rest()
            self.upper.motion(subtasks)
            self._look(measure, subtasks)
        self.upper.restore(memory)

    def _look(self, measure: Measure, subtasks: Subtask) -> None:
        span = self.span
        span.see(subtasks)
        if subtasks & Subtask.POSITION:
            self.g, self.W = measure.value(span.X), measure.wrench(span.X)
        if Subtask.VELOCITY in subtasks:
            self.gd = self.W @ span.V
        if Subtask.COMPUTE_CORIOLIS in subtasks:
            rate = measure.wrench_rate(span.X, span.V)
            self.bias = add(self.W @ span.coriolis, rate @ span.V)
        if subtasks & (Subtask.EULER | Subtask.USE_CORIOLIS):
            self.gdd = self.W @ span.A
        if Subtask.USE_CORIOLIS in subtasks:
            self.gdd = add(self.gdd, self.bias)

    def load(self, Q: Scalar, where: ChordBranch, placed: Sequence[Element]) -> None:
        """Load the frames of the span by the wrench W times Q, on these branches.

        An upper chain among those placed transmits the loads of its frames itself; any other
        one transmits them here.
        """
        F, span = Q * self.W, self.span
        if self.upper is None or any(self.upper is element for element in placed):
            span.load(F, bool(where & self.base_branch), bool(where & self.end_branch))
        elif where & self.end_branch:
            # what reaches the base through the chain is held there by the opposite wrench
            load_on_base = span.base.F
            with loads_set_aside(self.upper.outputs):
                span.end.add_force(F)
                self.upper.force(Subtask.EXTERNAL)
            span.base.F = load_on_base

    def keep(self) -> Memory:
        """Return what was measured last, for `restore`."""
        seen = (self.is_seen, self.W, self.g, self.gd, self.gdd, self.bias)
        return (self.span.keep(), *seen)

    def restore(self, kept: Memory) -> None:
        """Return to what `keep` returned."""
        span, self.is_seen, self.W, self.g, self.gd, self.gdd, self.bias = kept
        self.span.restore(span)


def start_of(upper: Element, end: Frame) -> Frame:
    """Return the one frame from which a chain carries the frame `end`."""
    starts = [state for state in upper.inputs if isinstance(state, Frame)]
    if len(starts) != 1 or not any(state is end for state in upper.outputs):
        names = ", ".join(repr(start) for start in starts) or "no frame"
        raise AssemblyError(
            f"upper segment {upper!r}",
            f"it starts from {names} and must end in {end!r}.",
            "Give a chain that leads from one frame to the end frame of the chord.",
        )
    return starts[0]
