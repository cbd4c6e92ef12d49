"""Topologies of scalar chords: which frames they compare, read from what they are made with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.errors import AssemblyError, ParameterError
from motorik.mobile.chords.chord import Chord, ChordBranch
from motorik.mobile.chords.span import Span
from motorik.mobile.chords.terms import Term, start_of
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import MutableScalar
from motorik.mobile.states.transmission import Element
from motorik.mobile.states.variable import LinearVariable

if TYPE_CHECKING:
    from motorik.mobile.chords.scalar import ScalarChord

Offset = Scalar | MutableScalar | LinearVariable
"""What a measure is to be."""

Argument = Frame | Element | Offset
"""What a scalar chord is made with by position, beside normals and branches."""


@dataclass(frozen=True)
class Topology:
    """What a scalar chord measures: its terms, the offset y, and the chain it moves first."""

    terms: tuple[Term, ...]
    offset: Offset = 0.0
    chain: Element | None = None


def make_absolute(E: Frame, y: Offset = 0.0, chain: Element | None = None) -> Topology:
    """Return type I: g(0, E) − y."""
    span = Span(Frame("inertial"), E)
    return Topology((Term(1.0, span, ChordBranch.NONE, ChordBranch.II),), y, chain)


def make_relative(
    E: Frame, B: Frame, y: Offset = 0.0, chain: Element | None = None
) -> Topology:
    """Return type II: g(B, E) − y."""
    return Topology((Term(1.0, Span(B, E), ChordBranch.I, ChordBranch.II),), y, chain)


def make_absolute_difference(
    E_upper: Frame, E: Frame, chain: Element | None = None
) -> Topology:
    """Return type III: g(0, E′) − g(0, E)."""
    above, below = (Span(Frame("inertial"), K) for K in (E_upper, E))
    terms = (
        Term(1.0, above, ChordBranch.NONE, ChordBranch.III),
        Term(-1.0, below, ChordBranch.NONE, ChordBranch.II),
    )
    return Topology(terms, 0.0, chain)


def make_relative_difference(
    E_upper: Frame, upper: Element, E: Frame, B: Frame, chain: Element | None = None
) -> Topology:
    """Return type IV: g(B′, E′) − g(B, E), E′ being carried by B′ on the chain `upper`."""
    span = Span(start_of(upper, E_upper), E_upper)
    terms = (
        Term(1.0, span, ChordBranch.III, ChordBranch.III, upper),
        Term(-1.0, Span(B, E), ChordBranch.I, ChordBranch.II),
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
