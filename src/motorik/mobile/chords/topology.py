"""Topologies of scalar chords: the frames they compare, found from their arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn, Protocol

from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add
from motorik.algebra.vector import Vector
from motorik.errors import AssemblyError, ParameterError
from motorik.immutable import immutable
from motorik.mobile.chords.chord import Chord, ChordBranch
from motorik.mobile.chords.span import FramePair
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import MutableScalar
from motorik.mobile.states.preserved import loads_set_aside, preserved
from motorik.mobile.states.transmission import Element, Memory, State, Subtask, without
from motorik.mobile.states.variable import LinearVariable

if TYPE_CHECKING:
    from motorik.mobile.chords.scalar import ScalarChord


# --- terms of scalar chords ---------------------------------------------------------------


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
        span: FramePair,
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
            self._visual(measure, subtasks)
            return
        if Subtask.USE_CORIOLIS in subtasks:
            subtasks |= Subtask.VELOCITY | Subtask.COMPUTE_CORIOLIS
        base = self.span.base
        frames = [state for state in self.upper.outputs if isinstance(state, Frame)]
        memory = self.upper.keep()
        with preserved((base, *frames)):
            base.rest()
            self.upper.motion(subtasks)
            self._visual(measure, subtasks)
        self.upper.restore(memory)

    def _visual(self, measure: Measure, subtasks: Subtask) -> None:
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
            # the wrench on the base through the chain is balanced by the opposite one
            load_on_base = span.base.F
            with loads_set_aside(self.upper.outputs):
                span.end.add_force(F)
                self.upper.force(Subtask.EXTERNAL)
            span.base.F = load_on_base

    def keep(self) -> Memory:
        """Return the last measurement, for `restore`."""
        seen = (self.is_seen, self.W, self.g, self.gd, self.gdd, self.bias)
        return (self.span.keep(), *seen)

    def restore(self, kept: Memory) -> None:
        """Restore the values that `keep` returned."""
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


Offset = Scalar | MutableScalar | LinearVariable
"""The target of a measure."""

Argument = Frame | Element | Offset
"""The positional arguments of a scalar chord, besides normals and branches."""


@immutable
class Topology:
    """The measure of a scalar chord: its terms, the offset y, and the chain it moves first."""

    terms: tuple[Term, ...]
    offset: Offset = 0.0
    chain: Element | None = None


def make_absolute(E: Frame, y: Offset = 0.0, chain: Element | None = None) -> Topology:
    """Return type I: g(0, E) − y."""
    span = FramePair(Frame("inertial"), E)
    return Topology((Term(1.0, span, ChordBranch.NONE, ChordBranch.II),), y, chain)


def make_relative(
    E: Frame, B: Frame, y: Offset = 0.0, chain: Element | None = None
) -> Topology:
    """Return type II: g(B, E) − y."""
    return Topology((Term(1.0, FramePair(B, E), ChordBranch.I, ChordBranch.II),), y, chain)


def make_absolute_difference(
    E_upper: Frame, E: Frame, chain: Element | None = None
) -> Topology:
    """Return type III: g(0, E′) − g(0, E)."""
    above, below = (FramePair(Frame("inertial"), K) for K in (E_upper, E))
    terms = (
        Term(1.0, above, ChordBranch.NONE, ChordBranch.III),
        Term(-1.0, below, ChordBranch.NONE, ChordBranch.II),
    )
    return Topology(terms, 0.0, chain)


def make_relative_difference(
    E_upper: Frame, upper: Element, E: Frame, B: Frame, chain: Element | None = None
) -> Topology:
    """Return type IV: g(B′, E′) − g(B, E), E′ being carried by B′ on the chain `upper`."""
    span = FramePair(start_of(upper, E_upper), E_upper)
    terms = (
        Term(1.0, span, ChordBranch.III, ChordBranch.III, upper),
        Term(-1.0, FramePair(B, E), ChordBranch.I, ChordBranch.II),
    )
    return Topology(terms, 0.0, chain)


def make_interlinked(
    B: Frame, previous: ScalarChord, chain: Element | None = None
) -> Topology:
    """Return type IV on the frames of another chord, from a new base B."""
    E_upper, upper, below = _segments(previous)
    return make_relative_difference(E_upper, upper, below.span.end, B, chain)


def make_alike(previous: ScalarChord) -> Topology:
    """Return type IV on the frames and with the chain of another chord."""
    *_, below = _segments(previous)
    return make_interlinked(below.span.base, previous, previous.chain)


def _segments(chord: ScalarChord) -> tuple[Frame, Element, Term]:
    """Return the end of the upper segment, its chain, and the lower term."""
    if chord.upper is None:
        raise AssemblyError(
            repr(chord),
            "only a chord of type IV has an upper and a lower segment to be shared.",
            "Make it by `relative_difference` or `interlinked`.",
        )
    return chord.terms[0].span.end, chord.upper, chord.terms[1]


MAKERS: dict[str, Callable[..., Topology]] = {
    "K": make_absolute,
    "Ky": make_absolute,
    "Kye": make_absolute,
    "KK": make_relative,
    "KKy": make_relative,
    "KKye": make_relative,
    "KeKK": make_relative_difference,
    "KeKKe": make_relative_difference,
    "Kc": make_interlinked,
    "Kce": make_interlinked,
    "c": make_alike,
}
"""How arguments are read: K frames, y offsets, e elements and c chords."""


def read_topology(part: str, arguments: Sequence[Argument | Topology]) -> Topology:
    """Return the topology that arguments by position describe, or refuse them."""
    if len(arguments) == 1 and isinstance(arguments[0], Topology):
        return arguments[0]
    kinds = "".join(_kind(part, argument) for argument in arguments)
    if kinds == "KKe":
        raise ParameterError(
            part,
            "two frames and a chain are either a distance or a difference of distances.",
            f"Write {part}(E, B, 0.0, chain) for how E is seen from B, or "
            f"{part}.absolute_difference(E′, E, chain) for where E′ is less where E is.",
            parameter="arguments",
            value=arguments,
        )
    if kinds not in MAKERS:
        _refuse(
            part, f"cannot be made with {', '.join(map(repr, arguments)) or 'nothing'}."
        )
    return MAKERS[kinds](*arguments)


def _kind(part: str, argument: Argument | Topology) -> str:
    if isinstance(argument, Frame):
        return "K"
    if isinstance(argument, Chord):
        return "c"
    if isinstance(argument, Element):
        return "e"
    if isinstance(argument, Vector | str | list | tuple | Topology):
        _refuse(part, f"{argument!r} is not a frame, number, chain or chord.")
    return "y"


def _refuse(part: str, why: str) -> NoReturn:
    raise ParameterError(
        part,
        why,
        f"Write {part}(E, y), {part}(E, B, y), {part}(E′, upper, E, B), {part}(B, previous, "
        f"chain) or {part}(previous), then normals and branches; or {part}.absolute(…), "
        ".relative(…), .absolute_difference(E′, E), .relative_difference(…).",
        parameter="arguments",
        value=why,
    )
