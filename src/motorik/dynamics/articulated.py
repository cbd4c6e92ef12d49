"""Articulated-body algorithm: forward dynamics of a tree in linear time.

Featherstone 2008, §7.3, in the motor calculus. The three passes are step functions of one
link each, run through a tape: traced one after another they become straight-line code; on a
rolling tape equal steps become one piece of code.

A freedom with friction either sticks, σ = 1, or has a force of its law in τ, σ = 0. One elimination
serves both, as Featherstone's hybrid dynamics (2008, §9.2) with σ as a number:

    D = (1 − σ) / ((S, U) + J),   u̇ = D e + σ a − D (U, A),   λ = σ (((S, U) + J) a + (U, A) − e)

where a is the rate that a locked freedom is given and λ the force that it needs besides τ. A locked
freedom has D = 0, so that its link moves with its parent, and its rate is a without rounding.
Nothing is singular in any mode, and a change of modes changes numbers only. A freedom that is never
locked has σ = 0 as a structural zero, which costs nothing.

A massless link has no freedoms here: it transmits all force, and static equilibrium moves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol, TypeVar

from motorik.algebra import scalar as s
from motorik.algebra.dyad import Inertia, swirl
from motorik.algebra.matrix import IDENTITY, Matrix
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar, mul, sub
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base.contributions import Gravity
from motorik.elements.joint import Joint, combine
from motorik.topology.mechanism import WORLD, Link

Result = TypeVar("Result")

Lock = tuple[Scalar, Scalar] | None
"""Whether a freedom is locked, 1 or 0, and the rate that it has then; None of a free one."""

Locks = Mapping[int, tuple[Scalar, Scalar]]
"""σ and a of speeds that may be locked, by their numbers."""

Eliminated = tuple[Motor, Scalar, Scalar, Scalar, Scalar]
"""U, D, D e + σ a, σ and the part σ (((S, U) + J) a − e) of λ, of a freedom."""

NO_LOCKS: Locks = MappingProxyType({})


class Caller(Protocol):
    """A tape: runs or records step functions."""

    def call(self, step: Callable[..., Result], *args: object) -> Result:
        """Return the result of the step."""
        ...

    def apply(self, law: Callable[..., Result], *args: object) -> Result:
        """Return the result of a user's law, which need not be a pure function."""
        ...


class Definer(Caller, Protocol):
    """A tape on which symbols may stand for values."""

    def define(self, symbol: Scalar, value: Scalar) -> None:
        """Let a symbol stand for a computed value, wherever it is used from now on."""
        ...


class AtOnce:
    """The tape that records nothing: each step runs at once."""

    def call(self, step: Callable[..., Result], *args: object) -> Result:
        """Return the result of the step."""
        return step(*args)

    def apply(self, law: Callable[..., Result], *args: object) -> Result:
        """Return the result of the law."""
        return law(*args)


def outward(
    joint: Joint,
    X_pj: Pose,
    inertia: Inertia,
    V_p: Motor | None,
    q: tuple[Scalar, ...],
    u: tuple[Scalar, ...],
) -> tuple[Pose, tuple[Motor, ...], Motor, Motor, Motor]:
    """Return pose, screws, velocity, velocity-dependent acceleration and force of a link.

    V = X⁻¹ V_p + S u,   c = V × S u + Ṡ u,   b = V × 𝔐 ∘ V
    """
    X = X_pj @ joint.pose(*q)
    S = joint.screws(*q)
    V_rel = combine(S, u)
    if V_p is None:
        V, c = V_rel, joint.bias(q, u)
    else:
        V = X.back(V_p) + V_rel
        c = V.cross(V_rel) + joint.bias(q, u)
    return X, S, V, c, swirl(inertia, V)


def outward_aligned(
    joint: Joint,
    X_pj: Pose,
    inertia: Inertia,
    V_p: Motor | None,
    q: tuple[Scalar, ...],
    u: tuple[Scalar, ...],
    R_p: Matrix,
) -> tuple[Pose, tuple[Motor, ...], Motor, Motor, Motor, Matrix, Inertia]:
    """Return the result of `outward`, with everything resolved in the axes of the world.

    The inertia is rotated once for each link, and passing forces and inertias on to the parent is
    then a shift without a rotation: cheaper where axes are not aligned.
    """
    X_j = X_pj @ joint.pose(*q)
    R = R_p @ X_j.R
    X = Pose(p=R_p @ X_j.p)
    turn = Pose(R)
    S = tuple(turn(screw) for screw in joint.screws(*q))
    inertia = inertia.rotated(R)
    V_rel = combine(S, u)
    c = turn(joint.bias(q, u))
    if V_p is None:
        V = V_rel
    else:
        V = X.back(V_p) + V_rel
        c = V.cross(V_rel) + c
    return X, S, V, c, swirl(inertia, V), R, inertia


def weigh(
    field: Callable[[Vector], Vector],
    X_p0: Pose,
    X: Pose,
    point_masses: tuple[tuple[Scalar, Vector], ...],
    b: Motor,
) -> tuple[Pose, Motor]:
    """Return the pose in the world, and the force b minus the weights in a gravity field.

    `point_masses` are the masses [kg] in the link and their centres, as the field may vary.
    """
    X_0 = X_p0 @ X
    for m, centre in point_masses:
        weight = m * (X_0.R.T @ field(X_0(centre)))
        b = b - Motor(weight, centre.cross(weight))
    return X_0, b


def less(b: Motor, force: Motor, R: Matrix = IDENTITY) -> Motor:
    """Return b minus a force on the link, resolved by R."""
    return b - (force if R is IDENTITY else Pose(R)(force))


def eliminate_joint(
    S: tuple[Motor, ...],
    inertia: Inertia,
    b: Motor,
    tau: tuple[Scalar, ...],
    armature: Scalar = 0.0,
    locks: tuple[Lock, ...] = (),
) -> tuple[Inertia, Motor, tuple[Eliminated, ...]]:
    """Return articulated inertia and bias force across a joint, its freedoms eliminated.

    One freedom after another: U = 𝔐 ∘ S, D = (1 − σ) / ((S, U) + J), e = τ − (S, b),
    𝔐 ← 𝔐 − U D Uᵀ, b ← b + U (D e + σ a); J is the armature of its drive line. `locks` are those
    of all freedoms, or none.
    """
    given: list[Eliminated] = []
    is_free = s.is_structural(armature, 0.0)
    for screw, force, lock in zip(S, tau, locks or (None,) * len(S), strict=True):
        U = inertia(screw)
        own = s.add(screw @ U, armature)
        e = sub(force, screw @ b)
        D = s.div(1.0, own)
        sigma: Scalar = 0.0
        rest: Scalar = 0.0
        along = unit_direction(screw) if is_free and lock is None else None
        if lock is None:
            De = mul(D, e)
        else:
            sigma, rate = lock
            D = mul(sub(1.0, sigma), D)
            De = s.add(mul(D, e), mul(sigma, rate))
            rest = mul(sigma, sub(mul(own, rate), e))
        inertia = inertia.without(U, D, along)
        b = with_component(b + De * U, screw, along, force)
        given.append((U, D, De, sigma, rest))
    return inertia, b, tuple(given)


def inward(
    S: tuple[Motor, ...],
    inertia: Inertia,
    b: Motor,
    tau: tuple[Scalar, ...],
    X: Pose,
    c: Motor,
    inertia_p: Inertia,
    b_p: Motor,
    armature: Scalar = 0.0,
    locks: tuple[Lock, ...] = (),
) -> tuple[Inertia, Motor, tuple[Eliminated, ...]]:
    """Add a link's articulated inertia and bias force across its joint to those of its parent.

    𝔐_p ← 𝔐_p + X 𝔐 Xᵀ,   b_p ← b_p + X (b + 𝔐 ∘ c)
    """
    left, force, given = eliminate_joint(S, inertia, b, tau, armature, locks)
    return *passed_on(left, force, X, c, inertia_p, b_p), given


def passed_on(
    left: Inertia, force: Motor, X: Pose, c: Motor, inertia_p: Inertia, b_p: Motor
) -> tuple[Inertia, Motor]:
    """Return inertia and bias force of a parent with what a link behind its joint adds."""
    return inertia_p + left.seen_from(X), b_p + X(force + left(c))


def accelerate(
    X: Pose,
    S: tuple[Motor, ...],
    c: Motor,
    given: tuple[Eliminated, ...],
    A_p: Motor,
) -> tuple[Motor, tuple[Scalar, ...], tuple[Scalar, ...]]:
    """Return acceleration of a link, its speed rates, and the forces of locked freedoms.

    u̇ = D e + σ a − D (U, A), A ← A + S u̇
    """
    A = X.back(A_p) + c
    rates: list[Scalar] = []
    forces: list[Scalar] = []
    for screw, (U, D, De, sigma, rest) in zip(reversed(S), reversed(given), strict=True):
        along = U @ A
        forces.append(s.add(mul(sigma, along), rest))
        rate = sub(De, mul(D, along))
        A = A + rate * screw
        rates.append(rate)
    return A, tuple(reversed(rates)), tuple(reversed(forces))


def has_armature(link: Link) -> bool:
    """Return whether the drive line of a link's joint has inertia."""
    return not s.is_structural(link.armature, 0.0)


def unit_direction(screw: Motor) -> int | None:
    """Return the index of a unit motor (0–2 rotations, 3–5 translations), None for other screws."""
    found = None
    for index, component in enumerate(screw.components):
        if s.is_structural(component, 0.0):
            continue
        if found is not None or component.__class__ is not float or abs(component) != 1.0:
            return None
        found = index
    return found


def with_component(force: Motor, screw: Motor, along: int | None, value: Scalar) -> Motor:
    """Return the force motor whose work along a unit motor is known: (S, b) = value."""
    if along is None:
        return force
    f, t = list(force.resultant.xyz), list(force.moment.xyz)
    (t if along < 3 else f)[along % 3] = mul(screw.components[along], value)
    return Motor(Vector(*f), Vector(*t))


def forward_dynamics(
    links: Sequence[Link],
    gravity: Gravity | None,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    tau: Sequence[Scalar],
    tape: Caller,
    aligned: bool = False,
    applied: Sequence[Motor] | None = None,
) -> list[Scalar]:
    """Return the rates of the speeds for generalised forces tau and forces on links.

    Each link is resolved in its own axes, or, if `aligned`, all of them in the world's;
    `applied` are the force motors on the links, each in the axes of its link.
    """
    return hybrid_dynamics(links, gravity, q, u, tau, NO_LOCKS, tape, aligned, applied)[0]


def hybrid_dynamics(
    links: Sequence[Link],
    gravity: Gravity | None,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    tau: Sequence[Scalar],
    locks: Locks,
    tape: Caller,
    aligned: bool = False,
    applied: Sequence[Motor] | None = None,
) -> tuple[list[Scalar], list[Scalar]]:
    """Return the rates of the speeds, and the forces of locked freedoms besides tau.

    Arguments are those of `forward_dynamics`. Without gravity, and at speeds u = 0, these are the
    changes of the speeds by impulses tau, where locked speeds change by a.
    """
    n = len(links)
    X, S, c, b, R, inertia = move_outward(links, q, u, tape, aligned)
    A = [ZERO_MOTOR] * n
    A_0 = ZERO_MOTOR
    if gravity is not None and gravity.uniform is not None:
        A_0 = Motor(ZERO, -gravity.uniform)
    elif gravity is not None:
        subtract_weights(links, gravity, X, R, b, tape)
    for link, force in zip(links, applied or (), strict=False):
        if force is not ZERO_MOTOR:
            b[link.index] = tape.call(less, b[link.index], force, R[link.index])
    given: list[tuple[Eliminated, ...]] = [()] * n
    for link in reversed(links):
        i, p = link.index, link.parent
        own_tau = tuple(tau[k] for k in free_speeds(link))
        how = how_eliminated(link, locks)
        if p == WORLD:
            _, _, given[i] = tape.call(
                eliminate_joint, S[i], inertia[i], b[i], own_tau, *how
            )
        else:
            articulated = S[i], inertia[i], b[i], own_tau, X[i], c[i], inertia[p], b[p]
            inertia[p], b[p], given[i] = tape.call(inward, *articulated, *how)
    rates: list[Scalar] = [0.0] * sum(len(link.u) for link in links)
    forces = list(rates)
    for link in links:
        i, p = link.index, link.parent
        A_p = A_0 if p == WORLD else A[p]
        A[i], *own = tape.call(accelerate, X[i], S[i], c[i], given[i], A_p)
        for k, rate, force in zip(free_speeds(link), *own, strict=True):
            rates[k], forces[k] = rate, force
    return rates, forces


def how_eliminated(link: Link, locks: Locks) -> tuple[object, ...]:
    """Return the last arguments of `eliminate_joint` and `inward`: armature and locks, if any."""
    own = tuple(locks.get(k) for k in free_speeds(link))
    if any(lock is not None for lock in own):
        return link.armature, own
    return (link.armature,) if has_armature(link) else ()


def free_speeds(link: Link) -> Sequence[int]:
    """Return the numbers of the speeds that forces determine: none of a massless link."""
    return () if link.is_massless else link.u


def move_outward(
    links: Sequence[Link],
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    tape: Caller,
    aligned: bool,
) -> tuple[
    list[Pose],
    list[tuple[Motor, ...]],
    list[Motor],
    list[Motor],
    list[Matrix],
    list[Inertia],
]:
    """Return poses, screws, c and b of all links, rotations to common axes, and inertias."""
    n = len(links)
    X, R = [IDENTITY_POSE] * n, [IDENTITY] * n
    S: list[tuple[Motor, ...]] = [()] * n
    V, c, b = ([ZERO_MOTOR] * n for _ in range(3))
    inertia = [link.inertia for link in links]
    for link in links:
        i, p = link.index, link.parent
        own_q, own_u = tuple(q[k] for k in link.q), tuple(u[k] for k in link.u)
        V_p = None if p == WORLD else V[p]
        given_to_link = (link.joint, link.X_pj, link.inertia, V_p, own_q, own_u)
        if aligned:
            R_p = IDENTITY if p == WORLD else R[p]
            X[i], S[i], V[i], c[i], b[i], R[i], inertia[i] = tape.call(
                outward_aligned, *given_to_link, R_p
            )
        else:
            X[i], S[i], V[i], c[i], b[i] = tape.call(outward, *given_to_link)
        if link.is_massless:
            S[i] = ()
    return X, S, c, b, R, inertia


def subtract_weights(
    links: Sequence[Link],
    gravity: Gravity,
    X: Sequence[Pose],
    R: Sequence[Matrix],
    b: list[Motor],
    tape: Caller,
) -> None:
    """Subtract the weights in a field that is not uniform from the forces b of all links."""
    X_0 = [IDENTITY_POSE] * len(links)
    for link in links:
        i, p = link.index, link.parent
        X_p0 = Pose() if p == WORLD else X_0[p]
        point_masses = tuple(
            (m, centre if R[i] is IDENTITY else R[i] @ centre)
            for m, centre in link.point_masses
        )
        X_0[i], b[i] = tape.call(
            weigh, gravity.acceleration, X_p0, X[i], point_masses, b[i]
        )
