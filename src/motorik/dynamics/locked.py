"""Articulated-body algorithm with locked freedoms: what sticks is rigid, in linear time.

A freedom with friction either sticks, σ = 1, or has a force of its law in τ, σ = 0. One elimination
serves both, as Featherstone's hybrid dynamics (2008, §9.2) with σ as a number:

    D = (1 − σ) / ((S, U) + J),   u̇ = D e + σ a − D (U, A),   λ = σ (((S, U) + J) a + (U, A) − e)

where a is the rate that a locked freedom is given and λ the force that it needs besides τ. A locked
freedom has D = 0, so that its link moves with its parent, and its rate is a without rounding.
Nothing is singular in any mode, and a change of modes changes numbers only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from motorik.algebra import scalar as s
from motorik.algebra.dyad import Inertia
from motorik.algebra.matrix import IDENTITY
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add, mul, sub
from motorik.algebra.vector import ZERO
from motorik.components.base.contributions import Gravity
from motorik.dynamics.articulated import (
    Caller,
    eliminate_joint,
    has_armature,
    less,
    move_outward,
    passed_on,
    subtract_weights,
    unit_direction,
    with_component,
)
from motorik.topology.mechanism import WORLD, Link

Lock = tuple[Scalar, Scalar] | None
"""Whether a freedom is locked, 1 or 0, and the rate that it has then; None of a free one."""

Eliminated = tuple[Motor, Scalar, Scalar, Scalar, Scalar]
"""U, D, D e + σ a, σ and the part σ (((S, U) + J) a − e) of λ."""


def eliminate_locked(
    S: tuple[Motor, ...],
    inertia: Inertia,
    b: Motor,
    tau: tuple[Scalar, ...],
    locks: tuple[Lock, ...],
    armature: Scalar = 0.0,
) -> tuple[Inertia, Motor, tuple[Eliminated, ...]]:
    """Return articulated inertia and bias force across a joint, as `eliminate_joint`."""
    given: list[Eliminated] = []
    is_free = s.is_structural(armature, 0.0)
    for screw, force, lock in zip(S, tau, locks, strict=True):
        U = inertia(screw)
        own = add(screw @ U, armature)
        e = sub(force, screw @ b)
        along = unit_direction(screw) if is_free and lock is None else None
        sigma: Scalar = 0.0
        rest: Scalar = 0.0
        D = s.div(1.0, own)
        if lock is not None:
            sigma, rate = lock
            D = mul(sub(1.0, sigma), D)
            rest = mul(sigma, sub(mul(own, rate), e))
        De = mul(D, e)
        if lock is not None:
            De = add(De, mul(lock[0], lock[1]))
        inertia = inertia.without(U, D, along)
        b = with_component(b + De * U, screw, along, force)
        given.append((U, D, De, sigma, rest))
    return inertia, b, tuple(given)


def inward_locked(
    S: tuple[Motor, ...],
    inertia: Inertia,
    b: Motor,
    tau: tuple[Scalar, ...],
    locks: tuple[Lock, ...],
    X: Pose,
    c: Motor,
    inertia_p: Inertia,
    b_p: Motor,
    armature: Scalar = 0.0,
) -> tuple[Inertia, Motor, tuple[Eliminated, ...]]:
    """Add a link's articulated inertia and bias force across its joint to those of its parent."""
    left, force, given = eliminate_locked(S, inertia, b, tau, locks, armature)
    return *passed_on(left, force, X, c, inertia_p, b_p), given


def accelerate_locked(
    X: Pose,
    S: tuple[Motor, ...],
    c: Motor,
    given: tuple[Eliminated, ...],
    A_p: Motor,
) -> tuple[Motor, tuple[Scalar, ...], tuple[Scalar, ...]]:
    """Return acceleration of a link, its speed rates, and the forces of locked freedoms."""
    A = X.back(A_p) + c
    rates: list[Scalar] = []
    forces: list[Scalar] = []
    for screw, (U, D, De, sigma, rest) in zip(reversed(S), reversed(given), strict=True):
        along = U @ A
        forces.append(add(mul(sigma, along), rest))
        rate = sub(De, mul(D, along))
        A = A + rate * screw
        rates.append(rate)
    return A, tuple(reversed(rates)), tuple(reversed(forces))


def locked_dynamics(
    links: Sequence[Link],
    gravity: Gravity | None,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    tau: Sequence[Scalar],
    locks: Mapping[int, tuple[Scalar, Scalar]],
    tape: Caller,
    applied: Sequence[Motor] | None = None,
) -> tuple[list[Scalar], list[Scalar]]:
    """Return the rates of the speeds, and the forces of locked freedoms besides tau.

    `locks` are σ and a of speeds, by their numbers. Without gravity, and at speeds u = 0, these are
    the changes of the speeds by impulses tau, where locked speeds change by a.
    """
    n = len(links)
    X, S, c, b, R, inertia = move_outward(links, q, u, tape, aligned=False)
    A_0 = ZERO_MOTOR
    if gravity is not None and gravity.uniform is not None:
        A_0 = Motor(ZERO, -gravity.uniform)
    elif gravity is not None:
        subtract_weights(links, gravity, X, R, b, tape)
    for link, force in zip(links, applied or (), strict=False):
        if force is not ZERO_MOTOR:
            b[link.index] = tape.call(less, b[link.index], force, IDENTITY)
    given: list[tuple[Eliminated, ...]] = [()] * n
    for link in reversed(links):
        i, p = link.index, link.parent
        own = tuple(tau[k] for k in link.u), tuple(locks.get(k) for k in link.u)
        J = (link.armature,) if has_armature(link) else ()
        if p == WORLD:
            _, _, given[i] = tape.call(eliminate_locked, S[i], inertia[i], b[i], *own, *J)
        else:
            articulated = S[i], inertia[i], b[i], *own, X[i], c[i], inertia[p], b[p]
            inertia[p], b[p], given[i] = tape.call(inward_locked, *articulated, *J)
    A = [ZERO_MOTOR] * n
    rates: list[Scalar] = [0.0] * sum(len(link.u) for link in links)
    forces = list(rates)
    for link in links:
        i, p = link.index, link.parent
        A_p = A_0 if p == WORLD else A[p]
        A[i], *own = tape.call(accelerate_locked, X[i], S[i], c[i], given[i], A_p)
        for k, rate, force in zip(link.u, *own, strict=True):
            rates[k], forces[k] = rate, force
    return rates, forces


# --- the compliance of each freedom --------------------------------------------------------


def inward_free(
    S: tuple[Motor, ...],
    inertia: Inertia,
    X: Pose,
    inertia_p: Inertia,
    armature: Scalar = 0.0,
) -> tuple[Inertia, tuple[tuple[Motor, Scalar], ...]]:
    """Add a link's articulated inertia to that of its parent; also return U and D."""
    left, given = _released(S, inertia, armature)
    return inertia_p + left.seen_from(X), given


def eliminate_free(
    S: tuple[Motor, ...], inertia: Inertia, armature: Scalar = 0.0
) -> tuple[tuple[Motor, Scalar], ...]:
    """Return U and D of the freedoms of a link on the world."""
    return _released(S, inertia, armature)[1]


def _released(
    S: tuple[Motor, ...], inertia: Inertia, armature: Scalar
) -> tuple[Inertia, tuple[tuple[Motor, Scalar], ...]]:
    still = tuple(0.0 for _ in S)
    left, _, given = eliminate_joint(S, inertia, ZERO_MOTOR, still, armature)
    return left, tuple((U, D) for U, D, _ in given)


def yield_on_world(
    S: tuple[Motor, ...], given: tuple[tuple[Motor, Scalar], ...]
) -> tuple[Inertia, tuple[Scalar, ...]]:
    """Return the compliance dyad of a link on the world, and those of its freedoms."""
    nothing = Inertia.of_body(0.0)
    return _yielding(S, given, nothing)


def yield_on_parent(
    X: Pose,
    S: tuple[Motor, ...],
    given: tuple[tuple[Motor, Scalar], ...],
    compliance_p: Inertia,
) -> tuple[Inertia, tuple[Scalar, ...]]:
    """Return the compliance dyad of a link from that of its parent, and those of its freedoms."""
    return _yielding(S, given, compliance_p.seen_from(X.inverse()))


def _yielding(
    S: tuple[Motor, ...], given: tuple[tuple[Motor, Scalar], ...], C: Inertia
) -> tuple[Inertia, tuple[Scalar, ...]]:
    """Return ℭ ← (1 − S D Uᵀ) ℭ (1 − U D Sᵀ) + S D Sᵀ and its part along each freedom.

    A motor dyad from force to acceleration. Along S it is κ = D + D² (U, ℭ U); with V = ℭ U the
    change is −(D² / κ) V Vᵀ + κ T Tᵀ, T = S − (D / κ) V.
    """
    found: list[Scalar] = []
    for screw, (U, D) in zip(reversed(S), reversed(given), strict=True):
        V = C(U)
        own = add(D, mul(mul(D, D), U @ V))
        part = s.div(D, own)
        C = C.without(V, mul(D, part)).without(screw - part * V, s.neg(own))
        found.append(own)
    return C, tuple(reversed(found))


def compliances(links: Sequence[Link], q: Sequence[Scalar], tape: Caller) -> list[Scalar]:
    """Return the diagonal of M⁻¹: the rate of each speed by a unit force along it."""
    still = [0.0] * sum(len(link.u) for link in links)
    X, S, _, _, _, inertia = move_outward(links, q, still, tape, aligned=False)
    given: list[tuple[tuple[Motor, Scalar], ...]] = [()] * len(links)
    for link in reversed(links):
        i, p = link.index, link.parent
        J = (link.armature,) if has_armature(link) else ()
        if p == WORLD:
            given[i] = tape.call(eliminate_free, S[i], inertia[i], *J)
        else:
            inertia[p], given[i] = tape.call(
                inward_free, S[i], inertia[i], X[i], inertia[p], *J
            )
    result: list[Scalar] = list(still)
    C: list[Inertia] = list(inertia)
    for link in links:
        i, p = link.index, link.parent
        if p == WORLD:
            C[i], own = tape.call(yield_on_world, S[i], given[i])
        else:
            C[i], own = tape.call(yield_on_parent, X[i], S[i], given[i], C[p])
        for k, value in zip(link.u, own, strict=True):
            result[k] = value
    return result
