"""Compliances of the freedoms of a tree: the diagonal of M⁻¹ in linear time.

The inertia of the articulated bodies inward, then the compliance dyad of each link outward, from
that of its parent: what a unit force on it moves it by.
"""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra import scalar as s
from motorik.algebra.dyad import Inertia
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add, mul
from motorik.dynamics.articulated import (
    Caller,
    eliminate_joint,
    free_speeds,
    has_armature,
    move_outward,
)
from motorik.topology.mechanism import WORLD, Link


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
    return left, tuple((U, D) for U, D, *_ in given)


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
        for k, value in zip(free_speeds(link), own, strict=True):
            result[k] = value
    return result
