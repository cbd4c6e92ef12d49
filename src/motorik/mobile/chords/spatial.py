"""Spatial chords: displacement and orientation between two frames, by components."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, TypedDict

from motorik.algebra.matrix import IDENTITY, Matrix
from motorik.algebra.motor import Motor
from motorik.algebra.rotation import vee
from motorik.algebra.scalar import (
    Scalar,
    add,
    arcsin,
    maximum,
    minimum,
    mul,
    sign,
    sqrt,
    where,
)
from motorik.algebra.vector import ZERO, Vector
from motorik.errors import ParameterError
from motorik.mobile.chords.chord import Chord, ChordBranch, split_branches
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.transmission import Element, Memory, Subtask
from motorik.mobile.states.variable import LinearVariable

if TYPE_CHECKING:
    from typing_extensions import Unpack


class SpatialOptions(TypedDict, total=False):
    """The chain and the branches of a spatial chord by name."""

    chain: Element | None
    where_unknown: ChordBranch
    where_force: ChordBranch
    where_input: ChordBranch


class SpatialChord(Chord):
    """Measures where the frame `to` is seen from the frame `base`, in inertial axes.

    ChordBranch I leads to `base`, branch II leads to `to`.
    """

    count: ClassVar[int] = 3

    def __init__(
        self,
        to: Frame,
        base: Frame,
        *chain_and_branches: Element | ChordBranch | None,
        chain: Element | None = None,
        where_unknown: ChordBranch = ChordBranch.ALL,
        where_force: ChordBranch = ChordBranch.ALL,
        where_input: ChordBranch = ChordBranch.ALL,
    ) -> None:
        part = type(self).__name__
        chains, named = split_branches(part, chain_and_branches)
        if len(chains) > 1 or not all(isinstance(K, Frame) for K in (to, base)):
            raise ParameterError(
                part,
                f"cannot be made with {[to, base, *chains]!r}.",
                f"Write {part}(to, base), {part}(to, base, chain), then branches.",
                parameter="chain",
                value=chains,
            )
        where = {"where_unknown": where_unknown, "where_force": where_force}
        where = {**where, "where_input": where_input, **named}
        super().__init__(self.count, chains[0] if chains else chain, **where)
        self.to, self.base = to, base

    @property
    def state(self) -> Sequence[LinearVariable]:
        """The variables measured."""
        return self.states

    @property
    def frames(self) -> Sequence[Frame]:
        """The two frames."""
        return (self.to, self.base)


class DifferenceChord(SpatialChord):
    """Measures three components: the difference of a vector of `to` and one of `base`."""

    _R_to: Matrix = IDENTITY  # as measured last, like the two below
    _R_base: Matrix = IDENTITY
    _coriolis: Vector = ZERO

    @abstractmethod
    def difference(self) -> Vector:
        """Return the residual of the loop closure."""

    @abstractmethod
    def part(self, motor: Motor) -> Vector:
        """Return the part of a velocity or acceleration motor that the chord measures."""

    @abstractmethod
    def squares(self, V: Motor) -> Vector:
        """Return the velocity-dependent part of the acceleration, resolved in the frame."""

    @abstractmethod
    def wrench(self, load: Vector) -> Motor:
        """Return the wrench that does work on `part` of the velocity."""

    def measure(self, subtasks: Subtask, branches: ChordBranch = ChordBranch.ALL) -> None:
        """Write the differences and their rates as asked for."""
        to, base = self.to, self.base
        if subtasks & Subtask.POSITION:
            self._R_to, self._R_base = to.R, base.R
            self._write("q", self.difference())
        if Subtask.VELOCITY in subtasks:
            self._write("qd", self._between(self.part(to.V), self.part(base.V)))
        if Subtask.COMPUTE_CORIOLIS in subtasks:
            self._coriolis = self._between(self.squares(to.V), self.squares(base.V))
        if subtasks & (Subtask.EULER | Subtask.USE_CORIOLIS):
            acceleration = self._between(self.part(to.A), self.part(base.A))
            if Subtask.USE_CORIOLIS in subtasks:
                acceleration = acceleration + self._coriolis
            self._write("qdd", acceleration)

    def _between(self, on_to: Vector, on_base: Vector) -> Vector:
        return self._R_to @ on_to - self._R_base @ on_base

    def _write(self, name: str, vector: Vector) -> None:
        for state, value in zip(self.states, vector.xyz, strict=True):
            setattr(state, name, value)

    def apply(self) -> None:
        """Load `to` by the forces of the states and `base` by their opposites."""
        load = Vector(*(state.Q for state in self.states))
        if ChordBranch.II in self.where_force:
            self.to.add_force(self.wrench(self._R_to.T @ load))
        if ChordBranch.I in self.where_force:
            self.base.add_force(-self.wrench(self._R_base.T @ load))

    def keep(self) -> Memory:
        """Return the last measurement, for `restore`."""
        return (super().keep(), self._R_to, self._R_base, self._coriolis)

    def restore(self, kept: Memory) -> None:
        """Restore the values that `keep` returned."""
        chains, self._R_to, self._R_base, self._coriolis = kept
        super().restore(chains)


class Chord3DPosition(DifferenceChord):
    """The displacement [m] from the origin of `base` to that of `to`, in inertial axes.

    f = p_to − p_base,   ḟ = R_to v_to − R_base v_base,   force Q [N] on `to`
    """

    def violation(self) -> tuple[Scalar, Scalar]:
        """Return the distance of the origins [m]."""
        return self.difference().norm(), 0.0

    def difference(self) -> Vector:
        """Return the displacement between the origins."""
        return self.to.X.p - self.base.X.p

    def part(self, motor: Motor) -> Vector:
        """Return the linear part."""
        return motor.moment

    def squares(self, V: Motor) -> Vector:
        """Return ω × v."""
        return V.resultant.cross(V.moment)

    def wrench(self, load: Vector) -> Motor:
        """Return a force at the origin."""
        return Motor(load, ZERO)


class Chord3DOrientation(DifferenceChord):
    """The rotation from the axes of `base` to those of `to`, in inertial axes.

        f = 2 n sin(θ/2),   ḟ ≔ R_to ω_to − R_base ω_base,   torque Q [N·m] on `to`

    n and θ are axis and angle of R_to R_baseᵀ. f is the rotation vector where θ is small;
    there ḟ is its rate. Its length grows up to half a turn, so that frames turned by 180°
    are not taken for aligned: f = vect(R_to R_baseᵀ) / cos(θ/2), and where 2 cos(θ/2) is
    below `half_turn`, twice the axis itself, from the symmetric part.
    """

    def __init__(
        self,
        to: Frame,
        base: Frame,
        *chain_and_branches: Element | ChordBranch | None,
        half_turn: float = 1e-4,
        **options: Unpack[SpatialOptions],
    ) -> None:
        super().__init__(to, base, *chain_and_branches, **options)
        self.half_turn = half_turn

    def violation(self) -> tuple[Scalar, Scalar]:
        """Return the angle θ between the axes [rad]."""
        half = mul(0.5, self.difference().norm())
        return 0.0, mul(2.0, arcsin(minimum(half, 1.0)))

    def difference(self) -> Vector:
        """Return 2 n sin(θ/2)."""
        R = self.to.R @ self.base.R.T
        sines = vee(R)  # n sin θ
        squared = add(1.0, R.trace())  # (2 cos(θ/2))²
        limit = self.half_turn**2
        plain = 2.0 * sines / sqrt(maximum(squared, limit))
        axis = _axis_of_half_turn(R)
        turned = (2.0 * sign(axis.dot(sines))) * axis
        pairs = zip(turned.xyz, plain.xyz, strict=True)
        return Vector(*(where(squared < limit, a, b) for a, b in pairs))

    def part(self, motor: Motor) -> Vector:
        """Return the angular part."""
        return motor.resultant

    def squares(self, V: Motor) -> Vector:
        """Return zero: ω × ω."""
        return ZERO

    def wrench(self, load: Vector) -> Motor:
        """Return a moment."""
        return Motor(ZERO, load)


def _axis_of_half_turn(R: Matrix) -> Vector:
    """Return n where R = 2 n nᵀ − 1: the largest row of R + Rᵀ + 2, normalised."""
    x, y, z = (R + R.T + 2.0 * IDENTITY).rows
    xy = _either(R.xx > R.yy, x, y)
    return _either(maximum(R.xx, R.yy) > R.zz, xy, z).normalized()


def _either(condition: Scalar, yes: Vector, no: Vector) -> Vector:
    return Vector(*(where(condition, a, b) for a, b in zip(yes.xyz, no.xyz, strict=True)))


class Chord3DPose(SpatialChord):
    """Displacement and orientation together: the six states of the two other chords."""

    count = 6

    def __init__(
        self,
        to: Frame,
        base: Frame,
        *chain_and_branches: Element | ChordBranch | None,
        **options: Unpack[SpatialOptions],
    ) -> None:
        super().__init__(to, base, *chain_and_branches, **options)
        self.position = Chord3DPosition(to, base, where_force=self.where_force)
        self.orientation = Chord3DOrientation(to, base, where_force=self.where_force)
        self.states = (*self.position.states, *self.orientation.states)

    def violation(self) -> tuple[Scalar, Scalar]:
        """Return the distance of the origins [m] and the angle between the axes [rad]."""
        return self.position.violation()[0], self.orientation.violation()[1]

    def measure(self, subtasks: Subtask, branches: ChordBranch = ChordBranch.ALL) -> None:
        """Write the differences and their rates as asked for."""
        self.position.measure(subtasks, branches)
        self.orientation.measure(subtasks, branches)

    def apply(self) -> None:
        """Load `to` by the forces and torques of the states and `base` by their opposites."""
        self.position.apply()
        self.orientation.apply()

    def keep(self) -> Memory:
        """Return the last measurement, for `restore`."""
        return (super().keep(), self.position.keep(), self.orientation.keep())

    def restore(self, kept: Memory) -> None:
        """Restore the values that `keep` returned."""
        chains, position, orientation = kept
        super().restore(chains)
        self.position.restore(position)
        self.orientation.restore(orientation)
