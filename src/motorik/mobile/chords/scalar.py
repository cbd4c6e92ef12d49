"""Scalar chords: one number measured between one and four frames, in four topologies."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, TypedDict, TypeVar, cast

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add, mul, neg, sub
from motorik.algebra.vector import Vector, Z
from motorik.errors import ParameterError
from motorik.mobile.chords.chord import (
    BRANCH_WORDS,
    Chord,
    ChordBranch,
    split_branches,
)
from motorik.mobile.chords.topology import (
    Argument,
    Offset,
    Topology,
    make_absolute,
    make_absolute_difference,
    make_alike,
    make_interlinked,
    make_relative,
    make_relative_difference,
    read_topology,
)
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import Mutable, current, mutable_among, mutable_of
from motorik.mobile.states.transmission import Element, Memory, State, Subtask, unique
from motorik.mobile.states.variable import LinearVariable, StateVariable

if TYPE_CHECKING:
    from typing_extensions import Unpack

C = TypeVar("C", bound="ScalarChord")
Direction = Vector | str | Sequence[float]
"""A unit vector, the name of an axis, or three numbers."""


class ChordOptions(TypedDict, total=False):
    """Branches and normals by name."""

    where_unknown: ChordBranch
    where_force: ChordBranch
    where_input: ChordBranch
    normal: Direction
    normal_B: Direction
    normal_E: Direction


class ScalarChord(Chord):
    """A measure g(B, E) of frame E seen from frame B, less its required value.

    ====  ===========================  =========================================
    type  made by                      f
    ====  ===========================  =========================================
    I     `absolute(E, y)`             g(0, E) − y
    II    `relative(E, B, y)`          g(B, E) − y
    III   `absolute_difference`        g(0, E′) − g(0, E)
    IV    `relative_difference`        g(B′, E′) − g(B, E), E′ carried by B′
    ====  ===========================  =========================================

    The constructor recognises them by its arguments: ``(E, y)`` I, ``(E, B)`` and ``(E, B, y)``
    II, ``(E′, upper, E, B)`` IV, each with a chain at the end where the chord is to move
    one; ``(B, previous, chain)`` is `interlinked`, ``(previous)`` is `like`. Normals of
    planes and branches follow. Two frames alone are type II; type III is
    made by its method only.

    0 is the inertial frame; y a number, a `MutableScalar` or a `LinearVariable`. A kind of
    chord defines g and its wrench W, resolved in E, for which ġ = (W, V) with the velocity
    motor V of E seen from B; velocity, acceleration and force follow:

        g̈ = (W, V̇) + (Ẇ, V),   F_E += Q W,   F_B −= X Q W
    """

    degree: ClassVar[int | None] = None
    """The degree of f in a linear unknown; none where f is not a polynomial."""
    is_harmonic: ClassVar[bool] = True
    """Whether f = A cos φ + B sin φ + C in an angular unknown."""

    is_angle: ClassVar[bool] = False
    """Whether the measure is that of an angle, not of a length."""

    normals: ClassVar[tuple[str, ...]] = ()
    """The names of the unit vectors that a kind of chord takes."""

    def __init__(
        self,
        *arguments: Argument | Topology | Vector | ChordBranch,
        **options: Unpack[ChordOptions],
    ) -> None:
        part = type(self).__name__
        rest, branches = split_branches(part, arguments)
        vectors = [x for x in rest if isinstance(x, Vector)]
        made = read_topology(part, [x for x in rest if not isinstance(x, Vector)])
        given = {**branches, **dict(zip(self.normals, vectors, strict=False)), **options}
        where = {word: given.pop(word) for word in BRANCH_WORDS if word in given}
        super().__init__(1, made.chain, **cast("dict[str, ChordBranch]", where))
        self.terms, self.offset = made.terms, made.offset
        if len(vectors) > len(self.normals) or not given.keys() <= set(self.normals):
            raise ParameterError(
                part,
                f"{vectors or list(given)!r} are not normals of its planes.",
                f"It takes these unit vectors: {', '.join(self.normals) or 'none'}.",
                parameter="arguments",
                value=arguments,
            )
        for name in self.normals:
            setattr(self, name, Vector.of(given.get(name, Z)))
        offset: object = made.offset
        if isinstance(offset, StateVariable) and not isinstance(offset, LinearVariable):
            raise ParameterError(
                part,
                f"its measure is not an angle, so {offset!r} cannot be subtracted from it.",
                "Give a number or a LinearVariable.",
                parameter="offset",
                value=offset,
            )

    # the geometry, by which kinds differ

    @abstractmethod
    def value(self, X: Pose) -> Scalar:
        """Return g for the pose X of frame E seen from frame B."""

    @abstractmethod
    def wrench(self, X: Pose) -> Motor:
        """Return the wrench W on E with ġ = (W, V), resolved in E."""

    @abstractmethod
    def wrench_rate(self, X: Pose, V: Motor) -> Motor:
        """Return Ẇ while E moves with V seen from B."""

    # the four topological types, and chords made from others

    @classmethod
    def absolute(
        cls: type[C],
        E: Frame,
        y: Offset = 0.0,
        chain: Element | None = None,
        **options: Unpack[ChordOptions],
    ) -> C:
        """Return the chord of type I: where E is, less y."""
        return cls(make_absolute(E, y, chain), **options)

    @classmethod
    def relative(
        cls: type[C],
        E: Frame,
        B: Frame,
        y: Offset = 0.0,
        chain: Element | None = None,
        **options: Unpack[ChordOptions],
    ) -> C:
        """Return the chord of type II: where E is seen from B, less y."""
        return cls(make_relative(E, B, y, chain), **options)

    @classmethod
    def absolute_difference(
        cls: type[C],
        E_upper: Frame,
        E: Frame,
        chain: Element | None = None,
        **options: Unpack[ChordOptions],
    ) -> C:
        """Return the chord of type III: where E_upper is, less where E is."""
        return cls(make_absolute_difference(E_upper, E, chain), **options)

    @classmethod
    def relative_difference(
        cls: type[C],
        E_upper: Frame,
        upper: Element,
        E: Frame,
        B: Frame,
        chain: Element | None = None,
        **options: Unpack[ChordOptions],
    ) -> C:
        """Return the chord of type IV: E_upper on its chain `upper`, less E seen from B.

        E_upper is seen from the frame where the chain starts. Where B is that frame, the
        loop is closed and a solution moves the upper chain.
        """
        return cls(make_relative_difference(E_upper, upper, E, B, chain), **options)

    @classmethod
    def interlinked(
        cls: type[C],
        B: Frame,
        previous: ScalarChord,
        chain: Element | None = None,
        **options: Unpack[ChordOptions],
    ) -> C:
        """Return the chord of type IV on the frames of another, from a new base B."""
        return cls(make_interlinked(B, previous, chain), **options)

    @classmethod
    def like(cls: type[C], previous: ScalarChord, **options: Unpack[ChordOptions]) -> C:
        """Return the chord of type IV on the frames and with the chain of another."""
        return cls(make_alike(previous), **options)

    # states read and moved

    @property
    def state(self) -> LinearVariable:
        """The variable measured."""
        return self.states[0]

    @property
    def frames(self) -> Sequence[Frame]:
        """The frames whose motion is measured, end before base, upper before lower."""
        return tuple(K for term in self.terms for K in (term.span.end, term.span.base))

    @property
    def upper(self) -> Element | None:
        """The chain of the upper segment, if there is one."""
        return self.terms[0].upper

    @property
    def placed(self) -> Sequence[Element]:
        """The chain, and the upper chain where this chord closes its loop."""
        first, last = self.terms[0], self.terms[-1]
        is_closed = first.upper is not None and last.span.base is first.span.base
        upper = (first.upper,) if is_closed else ()
        return tuple(e for e in (self.chain, *upper) if e is not None)

    @property
    def read(self) -> Sequence[State]:
        """The frames and variables read: of the upper segment only what moves it inside."""
        offset = (self.offset,) if isinstance(self.offset, StateVariable) else ()
        return unique(*(term.read for term in self.terms), offset)

    @property
    def touched(self) -> Sequence[State]:
        """All state objects that a traversal may change."""
        upper = () if self.upper is None else self.upper.touched
        return unique(super().touched, upper)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The parameters of the chains, and the offset, that may be changed."""
        chains = [e for e in (self.chain, self.upper) if e is not None]
        return (*mutable_of(*chains), *mutable_among(self.offset))

    # measuring, and loading

    def natural(self, g: Scalar) -> Scalar:
        """Return the measure as a length [m], or as an angle [rad] where `is_angle`."""
        return g

    def violation(self) -> tuple[Scalar, Scalar]:
        """Return the deviation of the measure: a length [m], or an angle [rad]."""
        g = self.terms[0].g  # of the upper segment, which has the sign +
        off = abs(sub(self.natural(g), self.natural(sub(g, self.state.q))))
        return (0.0, off) if self.is_angle else (off, 0.0)

    def measure(self, subtasks: Subtask, branches: ChordBranch = ChordBranch.ALL) -> None:
        """Write f, ḟ and f̈ as asked for."""
        for term in self.terms:
            if term.branches & branches or not term.is_seen:
                term.see(self, subtasks)
        y, state = self.offset, self.state
        if isinstance(y, LinearVariable):
            q, qd, qdd = y.q, y.qd, y.qdd
            if Subtask.EULER not in subtasks and not y.is_dependent:
                qdd = 0.0
        else:
            q, qd, qdd = current(y), 0.0, 0.0
        if subtasks & Subtask.POSITION:
            state.q = sub(self._sum("g"), q)
        if Subtask.VELOCITY in subtasks:
            state.qd = sub(self._sum("gd"), qd)
        if subtasks & (Subtask.EULER | Subtask.USE_CORIOLIS):
            state.qdd = sub(self._sum("gdd"), qdd)

    def _sum(self, name: str) -> Scalar:
        total: Scalar = 0.0
        for term in self.terms:
            total = add(total, mul(term.sign, getattr(term, name)))
        return total

    def apply(self) -> None:
        """Load the frames, and the offset if it is a variable, by the force of the state."""
        Q = self.state.Q
        for term in self.terms:
            term.load(mul(term.sign, Q), self.where_force, self.placed)
        if isinstance(self.offset, StateVariable):
            self.offset.add_force(neg(Q))

    def keep(self) -> Memory:
        """Return the last measurement, for `restore`."""
        return (super().keep(), [term.keep() for term in self.terms])

    def restore(self, kept: Memory) -> None:
        """Restore the values that `keep` returned."""
        chains, terms = kept
        super().restore(chains)
        for term, memory in zip(self.terms, terms, strict=True):
            term.restore(memory)
