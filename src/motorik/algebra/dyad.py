"""Inertia dyads: the symmetric motor dyads that map motions to loads."""

from __future__ import annotations

from typing import ClassVar, overload

from motorik.algebra import scalar as s
from motorik.algebra.general_dyad import Dyad
from motorik.algebra.matrix import (
    IDENTITY,
    Matrix,
    MatrixLike,
    Symmetric,
    outer,
    skew,
    square,
)
from motorik.algebra.motor import Acceleration, Force, Momentum, Motor, Velocity
from motorik.algebra.pose import Pose
from motorik.algebra.principal import check_tensor, principal_axes
from motorik.algebra.scalar import Scalar, add, mul, neg, sub
from motorik.algebra.value import Value, is_foreign, refuse, unguard
from motorik.algebra.vector import ZERO, Vector, VectorLike
from motorik.errors import OperatorError, ParameterError


class _InertiaSlots:
    """The blocks of an inertia dyad, without their guard."""

    __slots__ = ("H", "J", "M")
    M: Symmetric
    H: Matrix
    J: Symmetric


class Inertia(Value, _InertiaSlots):
    """A symmetric motor dyad 𝔐 from velocity to momentum motors, by three blocks.

    𝔐 ∘ (ω, v) = (M v + Hᵀ ω, H v + J ω)

    For a rigid body M = m 1, H = m r̃_s and J = Θ about the origin; articulated bodies
    have the same form with general blocks.
    """

    __slots__ = ()
    _leaves: ClassVar[tuple[str, ...]] = ("M", "H", "J")

    def __init__(self, M: Symmetric, H: Matrix, J: Symmetric) -> None:
        kind = self.__class__
        unguard(self, _InertiaSlots)
        self.M, self.H, self.J = M, H, J
        self.__class__ = kind

    @staticmethod
    def of_body(m: Scalar, r_CM: VectorLike = ZERO, I: MatrixLike | None = None) -> Inertia:
        """Return the inertia dyad of a rigid body about the origin of its frame.

        m [kg], not negative; r_CM [m] from the origin to the centre of mass; I [kg·m²]
        about the centre of mass, resolved in the frame (none for a point mass). Nested
        rows or an array of numbers are checked to be those of a body, A + B ≥ C; a
        `Symmetric` is not checked.
        """
        m, c = s.plain(m), Vector.of(r_CM)
        if m.__class__ is float and not 0.0 <= m < float("inf"):
            raise ParameterError(
                "Inertia",
                f"m = {m:g} kg is not a mass.",
                "Give a number that is not negative.",
                parameter="m",
                value=m,
            )
        if isinstance(I, Symmetric):
            return Inertia._of(m, c, Symmetric(*I.entries))
        return Inertia._of(m, c, NO_TENSOR if I is None else check_tensor(Symmetric.of(I)))

    @staticmethod
    def _of(m: Scalar, c: Vector, Theta: Symmetric) -> Inertia:
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
    def __call__(self, velocity: Acceleration) -> Force: ...
    @overload
    def __call__(self, velocity: Motor) -> Motor: ...
    def __call__(self, velocity: Motor) -> Motor:
        """Return 𝔐 ∘ v: of a `Velocity` the `Momentum`, of an `Acceleration` a `Force`.

        Of a plain motor it is a plain one; loads are refused.
        """
        kind = MAPPED.get(velocity.__class__) or self._refuse("applied to", velocity)
        w, v = velocity.resultant, velocity.moment
        return kind(self.M @ v + self.H.T @ w, self.H @ v + self.J @ w)

    def _refuse(self, operator: str, other: object) -> type[Motor]:
        """Raise the error of what this dyad cannot map, either way."""
        if not isinstance(other, Motor):
            refuse(operator, self, other)
        kind = type(other).__name__
        raise OperatorError(
            f"Inertia {operator} {kind}",
            "an inertia maps motions to loads, and `solve` maps loads to motions.",
            "M(velocity), M(acceleration), M.solve(momentum), M.solve(force).",
        )

    def __add__(self, other: Inertia) -> Inertia:
        if not isinstance(other, Inertia):
            refuse("+", self, other)
        if self.is_rigid and other.is_rigid:
            m = add(self.mass(), other.mass())
            M = Symmetric(m, m, m)
        else:
            M = self.M + other.M
        return Inertia(M, self.H + other.H, self.J + other.J)

    def __sub__(self, other: Inertia) -> Inertia:
        """Return the dyad of a body without another one cut out of it, about one origin."""
        if not isinstance(other, Inertia):
            refuse("-", self, other)
        if self.is_rigid and other.is_rigid:
            m = sub(self.mass(), other.mass())
            M = Symmetric(m, m, m)
        else:
            M = self.M - other.M
        return Inertia(M, self.H - other.H, self.J - other.J)

    def __neg__(self) -> Inertia:
        return self * -1.0

    def __mul__(self, factor: Scalar) -> Inertia:
        if is_foreign(factor):
            refuse("*", self, factor)
        if self.is_rigid:
            m = mul(s.plain(factor), self.mass())
            return Inertia(Symmetric(m, m, m), factor * self.H, factor * self.J)
        return Inertia(factor * self.M, factor * self.H, factor * self.J)

    def __rmul__(self, factor: Scalar) -> Inertia:
        if is_foreign(factor):
            refuse("*", factor, self)
        return self * factor

    def __truediv__(self, divisor: Scalar) -> Inertia:
        if is_foreign(divisor):
            refuse("/", self, divisor)
        return self * s.div(1.0, s.plain(divisor))

    def without(self, U: Motor, D: Scalar, along: int | None = None) -> Inertia:
        """Return 𝔐 − U D Uᵀ: the articulated dyad with one direction of motion released.

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
        upper = (change.xx, change.yy, change.zz, change.xy, change.xz, change.yz)
        return Inertia(M, H_a, J + Symmetric(*upper))

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

    @property
    def T(self) -> Inertia:  # noqa: N802 - the mathematician's letter
        """The transpose, which is the dyad itself: (a, 𝔐 ∘ b) = (𝔐 ∘ a, b)."""
        return self

    @overload
    def solve(self, load: Momentum) -> Velocity: ...
    @overload
    def solve(self, load: Force) -> Acceleration: ...
    @overload
    def solve(self, load: Motor) -> Motor: ...
    def solve(self, load: Motor) -> Motor:
        """Return v with 𝔐 ∘ v = p: of a `Momentum` the `Velocity`, of a `Force` v°."""
        kind = SOLVED.get(load.__class__) or self._refuse("solved for", load)
        return kind(*self.dyad().solve(Motor(*load.parts)).parts)

    def inverse(self) -> Dyad:
        """Return the dyad that maps momentum to velocity motors."""
        return self.dyad().inverse()

    def trace(self) -> Scalar:
        """Return the trace of J [kg·m²]: twice the polar moment ∫ r² dm about the origin."""
        return self.J.trace()

    def principal(self) -> tuple[Vector, Matrix]:
        """Return the principal moments about the centre of mass, smallest first, and axes.

        The axes are the columns of R_ab, b the principal frame. Numbers of a body only.
        """
        return principal_axes(self.about_centre()[2])

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
        return m, c, self.J - Inertia._of(m, c, NO_TENSOR).J

    def __repr__(self) -> str:
        return f"Inertia({self.M!r}, {self.H!r}, {self.J!r})"


def _zero_axis(S: Symmetric, axis: int) -> Symmetric:
    """Return the matrix with row and column `axis` made structurally zero."""
    touched = ((0, 3, 4), (1, 3, 5), (2, 4, 5))[axis]
    return Symmetric(*(0.0 if i in touched else e for i, e in enumerate(S.entries)))


def _zero_row(A: Matrix, row: int) -> Matrix:
    """Return the matrix with one row made structurally zero."""
    return Matrix(*(0.0 if i // 3 == row else e for i, e in enumerate(A.entries)))


MAPPED: dict[type, type[Motor]] = {
    Motor: Motor,
    Velocity: Momentum,
    Acceleration: Force,
}
"""The kind of 𝔐 ∘ v by that of v."""

SOLVED: dict[type, type[Motor]] = {Motor: Motor, Momentum: Velocity, Force: Acceleration}
"""The kind of v in 𝔐 ∘ v = p by that of p."""

NO_TENSOR = Symmetric(0.0, 0.0, 0.0)
NO_INERTIA = Inertia.of_body(0.0)


def kinetic_energy(inertia: Inertia, velocity: Motor) -> Scalar:
    """Return T = ½ (v, 𝔐 ∘ v) [J]."""
    return mul(0.5, velocity @ inertia(velocity))


def swirl(inertia: Inertia, velocity: Motor) -> Motor:
    """Return v × 𝔐 ∘ v of a rigid body: the force due to its velocity alone.

    Without the terms that cancel in a rigid body (v × m v = 0, Jacobi's identity):
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
    call = "body_force(inertia, velocity, acceleration)"
    w = velocity.check_kind(Velocity, call).resultant
    turned = Motor(ZERO, w.cross(velocity.moment))
    total = inertia(acceleration.check_kind(Acceleration, call) + turned)
    return Force(
        total.resultant + w.cross(w.cross(inertia.first_moment())),
        total.moment + w.cross(inertia.J @ w),
    )


__all__ = ["NO_INERTIA", "Dyad", "Inertia", "body_force", "kinetic_energy", "swirl"]
