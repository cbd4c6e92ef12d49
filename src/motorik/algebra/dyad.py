"""Motor dyads: linear maps from motors to motors; the inertia of bodies is one."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from motorik.algebra import scalar as s
from motorik.algebra.matrix import IDENTITY, Matrix, Symmetric, outer, skew, square
from motorik.algebra.motor import Force, Momentum, Motor, Velocity
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add, mul, neg, sub
from motorik.algebra.vector import ZERO, Vector


class Dyad:
    """A general motor dyad of four blocks, applied as in eq. (2) of the 2009 paper.

    T ∘ (g, h) = (T11 h + T12 g, T21 h + T22 g)
    """

    __slots__ = ("T11", "T12", "T21", "T22")
    _leaves = ("T11", "T12", "T21", "T22")

    def __init__(self, T11: Matrix, T12: Matrix, T21: Matrix, T22: Matrix) -> None:
        self.T11, self.T12 = Matrix.of(T11), Matrix.of(T12)
        self.T21, self.T22 = Matrix.of(T21), Matrix.of(T22)

    @staticmethod
    def of(rows: Any) -> Dyad:
        """Return the dyad of nested rows or of a 6×6 array."""
        if not hasattr(rows, "shape"):
            rows = np.asarray(rows, dtype=object)
        block = range(3)
        return Dyad(
            *(
                Matrix(*(rows[i + k, j + l] for k in block for l in block))
                for i in (0, 3)
                for j in (0, 3)
            )
        )

    def __call__(self, motor: Motor) -> Motor:
        """Return the motor T ∘ h."""
        g, h = motor.resultant, motor.moment
        return Motor(self.T11 @ h + self.T12 @ g, self.T21 @ h + self.T22 @ g)

    def __add__(self, other: Dyad) -> Dyad:
        mine, theirs = self._blocks(), other._blocks()
        return Dyad(*(a + b for a, b in zip(mine, theirs, strict=True)))

    def __mul__(self, factor: Scalar) -> Dyad:
        return Dyad(*(factor * block for block in self._blocks()))

    __rmul__ = __mul__

    def _blocks(self) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        return self.T11, self.T12, self.T21, self.T22

    def numpy(self) -> np.ndarray:
        """Return the 6×6 array of the blocks."""
        a, b, c, d = (block.numpy() for block in self._blocks())
        return np.concatenate([np.concatenate([a, b], 1), np.concatenate([c, d], 1)])


class Inertia:
    """A symmetric motor dyad 𝔐 from velocity to momentum motors, by three blocks.

    𝔐 ∘ (ω, v) = (M v + Hᵀ ω, H v + J ω)

    For a rigid body M = m 1, H = m r̃_s and J = Θ about the origin; articulated bodies
    have the same form with general blocks.
    """

    __slots__ = ("H", "J", "M")
    _leaves = ("M", "H", "J")

    def __init__(self, M: Symmetric, H: Matrix, J: Symmetric) -> None:
        self.M, self.H, self.J = M, H, J

    @staticmethod
    def of_body(m: Scalar, r_CM: Any = ZERO, I: Any = None) -> Inertia:
        """Return the inertia dyad of a rigid body about the origin of its frame.

        m [kg]; r_CM [m] from the origin to the centre of mass; I [kg·m²] about the centre
        of mass, resolved in the frame (nested rows or `Symmetric`; none for a point mass).
        """
        m, c = s.plain(m), Vector.of(r_CM)
        Theta = Symmetric.of(I) if I is not None else Symmetric(0.0, 0.0, 0.0)
        cc = square(c)
        # (c · c) 1 − c cᵀ
        shift = Symmetric(
            *(add(cc.yy, cc.zz), add(cc.xx, cc.zz), add(cc.xx, cc.yy)),
            *(neg(cc.xy), neg(cc.xz), neg(cc.yz)),
        )
        return Inertia(Symmetric(m, m, m), m * skew(c), Theta + m * shift)

    @overload
    def __call__(self, velocity: Velocity) -> Momentum: ...
    @overload
    def __call__(self, velocity: Motor) -> Motor: ...
    def __call__(self, velocity: Motor) -> Motor:
        """Return 𝔐 ∘ v: of a `Velocity` the `Momentum`, of any other motor a plain one."""
        w, v = velocity.resultant, velocity.moment
        kind = Momentum if velocity.__class__ is Velocity else Motor
        return kind(self.M @ v + self.H.T @ w, self.H @ v + self.J @ w)

    def __add__(self, other: Inertia) -> Inertia:
        if self.is_rigid and other.is_rigid:
            m = add(self.mass(), other.mass())
            M = Symmetric(m, m, m)
        else:
            M = self.M + other.M
        return Inertia(M, self.H + other.H, self.J + other.J)

    def __mul__(self, factor: Scalar) -> Inertia:
        return Inertia(factor * self.M, factor * self.H, factor * self.J)

    __rmul__ = __mul__

    def without(self, U: Motor, D: Scalar, along: int | None = None) -> Inertia:
        """Return 𝔐 − U D Uᵀ: what is left when one direction of motion gives way.

        U = 𝔐 ∘ S is the momentum motor of the direction S, D = 1 / (S, U). If S is a unit
        motor (`along`: 0–2 turns, 3–5 displacements) its row and column vanish exactly.
        """
        f, t = U.resultant, U.moment
        M, J = self.M - D * square(f), self.J - D * square(t)
        H = self.H - outer(D * t, f)
        if along is None:
            return Inertia(M, H, J)
        if along < 3:
            return Inertia(M, _zero_row(H, along), _zero_axis(J, along))
        return Inertia(_zero_axis(M, along - 3), _zero_row(H.T, along - 3).T, J)

    def seen_from(self, X_ab: Pose) -> Inertia:
        """Return the dyad, given in frame b, about the origin and in the axes of frame a.

        M_a = R M Rᵀ,  H_a = R H Rᵀ + p̃ M_a,  J_a = R J Rᵀ + p̃ (R H Rᵀ)ᵀ − H_a p̃
        """
        if self.is_rigid:
            return self._rigid_seen_from(X_ab)
        R = X_ab.R
        M = self.M.rotated(R)
        J = self.J.rotated(R)
        H = R @ self.H @ R.T if R is not IDENTITY else self.H
        p = X_ab.p
        if all(s.is_structural(e, 0.0) for e in p.xyz):
            return Inertia(M, H, J)
        px = skew(p)
        H_a = H + px @ M
        change = px @ H.T - H_a @ px
        return Inertia(M, H_a, J + Symmetric.of(change))

    @property
    def is_rigid(self) -> bool:
        """Whether the blocks show by their structure that this is a rigid body's dyad."""
        M = self.M
        return (
            M.xx is M.yy
            and M.yy is M.zz
            and all(s.is_structural(e, 0.0) for e in (M.xy, M.xz, M.yz))
        )

    def _rigid_seen_from(self, X_ab: Pose) -> Inertia:
        """Return a rigid body's dyad in frame a: h_a = R h + m p, and J_a by k = R h + ½ m p.

        J_a = R J Rᵀ + 2 (p · k) 1 − k pᵀ − p kᵀ
        """
        p, m = X_ab.p, self.mass()
        h = X_ab.R @ self.first_moment()
        half = (mul(0.5, m)) * p
        k = h + half
        double = mul(2.0, p.dot(k))
        x, y, z = (mul(a, b) for a, b in zip(k.xyz, p.xyz, strict=True))
        shift = Symmetric(
            sub(double, add(x, x)),
            sub(double, add(y, y)),
            sub(double, add(z, z)),
            neg(add(mul(k.x, p.y), mul(k.y, p.x))),
            neg(add(mul(k.x, p.z), mul(k.z, p.x))),
            neg(add(mul(k.y, p.z), mul(k.z, p.y))),
        )
        J = self.J.rotated(X_ab.R) + shift
        return Inertia(Symmetric(m, m, m), skew(k + half), J)

    def rotated(self, R: Matrix) -> Inertia:
        """Return the dyad of a rigid body about the same origin, in the axes R leads to."""
        m, moment = self.mass(), R @ self.first_moment()
        return Inertia(Symmetric(m, m, m), skew(moment), self.J.rotated(R))

    def dyad(self) -> Dyad:
        """Return the four blocks of eq. (4): (M, Hᵀ, H, J)."""
        return Dyad(self.M.full(), self.H.T, self.H, self.J.full())

    def mass(self) -> Scalar:
        """Return the mass [kg] of a rigid body's dyad."""
        return self.M.xx

    def first_moment(self) -> Vector:
        """Return m r_CM [kg·m] of a rigid body's dyad."""
        return Vector(self.H.zy, self.H.xz, self.H.yx)

    def about_centre(self) -> tuple[Scalar, Vector, Symmetric]:
        """Return mass, centre of mass and the inertia tensor about it, of a rigid body."""
        m = self.mass()
        c = self.first_moment() / m
        point = Inertia.of_body(m, c)
        return m, c, self.J - point.J

    def __repr__(self) -> str:
        return f"Inertia({self.M!r}, {self.H!r}, {self.J!r})"


def _zero_axis(S: Symmetric, axis: int) -> Symmetric:
    """Return the matrix with row and column `axis` made structurally zero."""
    touched = ((0, 3, 4), (1, 3, 5), (2, 4, 5))[axis]
    return Symmetric(*(0.0 if i in touched else e for i, e in enumerate(S.entries)))


def _zero_row(A: Matrix, row: int) -> Matrix:
    """Return the matrix with one row made structurally zero."""
    return Matrix(*(0.0 if i // 3 == row else e for i, e in enumerate(A.entries)))


NO_INERTIA = Inertia.of_body(0.0)


def kinetic_energy(inertia: Inertia, velocity: Motor) -> Scalar:
    """Return T = ½ (v, 𝔐 ∘ v) [J]."""
    return mul(0.5, velocity @ inertia(velocity))


def swirl(inertia: Inertia, velocity: Motor) -> Motor:
    """Return v × 𝔐 ∘ v of a rigid body: the force that its velocity alone asks for.

    With the terms gone that cancel in a rigid body (v × m v = 0, Jacobi's identity):
    (m ω × v + ω × (ω × m r_s),  ω × Θ ω + m r_s × (ω × v))
    """
    w, v = velocity.resultant, velocity.moment
    first_moment = inertia.first_moment()
    a = w.cross(v)
    return Motor(
        inertia.mass() * a + w.cross(w.cross(first_moment)),
        w.cross(inertia.J @ w) + first_moment.cross(a),
    )


def body_force(inertia: Inertia, velocity: Motor, acceleration: Motor) -> Force:
    """Return the force motor that moves a rigid body: f = 𝔐 ∘ v° + v × 𝔐 ∘ v.

    `acceleration` v° is the rate of the components of v in the body's own frame. Computed
    as 𝔐 ∘ (ω̇, a) + (ω × (ω × m r_s), ω × Θ ω) with a = v̇ + ω × v, that of the origin.
    """
    w = velocity.resultant
    total = inertia(acceleration + Motor(ZERO, w.cross(velocity.moment)))
    return Force(
        total.resultant + w.cross(w.cross(inertia.first_moment())),
        total.moment + w.cross(inertia.J @ w),
    )
