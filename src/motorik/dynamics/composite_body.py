"""Composite-body algorithms: mass matrix, inverse dynamics, and forward dynamics by factorisation.

Featherstone 2008, §5.3 (inverse dynamics), §6.2 (composite bodies), §6.5 (LᵀL along branches).
"""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.dyad import Inertia
from motorik.algebra.linear_system import solve_symmetric
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar, add, is_structural, mul, sub
from motorik.algebra.vector import ZERO
from motorik.components.base.contributions import Gravity
from motorik.dynamics.articulated import outward, weigh
from motorik.elements.joint import combine
from motorik.immutable import immutable
from motorik.topology.mechanism import WORLD, Link

Entries = dict[tuple[int, int], Scalar]
OUTSIDE = -2  # parent of a link mounted on a moving base; −1 is the world


def inverse_dynamics(
    links: Sequence[Link],
    gravity: Gravity,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    ud: Sequence[Scalar],
    applied: Sequence[Motor] | None = None,
) -> list[Scalar]:
    """Return the generalised forces that cause the speed rates ud.

    A = X⁻¹ A_p + c + S u̇,   f = 𝔐 ∘ A + V × 𝔐 ∘ V − f_applied + Σ X f_child,
    τ = (S, f) + J u̇, with the armature J of drive lines.
    """
    n = len(links)
    X, X_0 = [IDENTITY_POSE] * n, [IDENTITY_POSE] * n
    S: list[tuple[Motor, ...]] = [()] * n
    V, A, f = ([ZERO_MOTOR] * n for _ in range(3))
    A_0 = ZERO_MOTOR if gravity.uniform is None else Motor(ZERO, -gravity.uniform)
    for link in links:
        i, p = link.index, link.parent
        own = tuple(q[k] for k in link.q), tuple(u[k] for k in link.u)
        V_p = None if p == WORLD else V[p]
        X[i], S[i], V[i], c, b = outward(link.joint, link.X_pj, link.inertia, V_p, *own)
        if gravity.uniform is None:
            X_p0 = Pose() if p == WORLD else X_0[p]
            X_0[i], b = weigh(gravity.acceleration, X_p0, X[i], tuple(link.point_masses), b)
        A_p = A_0 if p == WORLD else A[p]
        A[i] = X[i].back(A_p) + c + combine(S[i], [ud[k] for k in link.u])
        f[i] = link.inertia(A[i]) + b
        if applied is not None:
            f[i] = f[i] - applied[i]
    tau: list[Scalar] = [0.0] * len(u)
    for link in reversed(links):
        i, p = link.index, link.parent
        for k, screw in zip(link.u, S[i], strict=True):
            tau[k] = add(screw @ f[i], mul(link.armature, ud[k]))
        if p != WORLD:
            f[p] = f[p] + X[i](f[i])
    return tau


@immutable
class Member:
    """A link of a compound joint; it and its speeds are numbered locally."""

    index: int
    parent: int
    u: range
    armature: Scalar


def mass_entries(
    members: Sequence[Member | Link],
    X: Sequence[Pose],
    S: Sequence[tuple[Motor, ...]],
    inertia: Sequence[Inertia],
) -> tuple[Entries, dict[int, Motor], Inertia | None]:
    """Return M of the speeds of links, the momentum H of each at their base, and 𝔐_c.

    Entries of M are by the numbers of speeds, larger ones second. If the base is the world, H and
    𝔐_c are not needed.
    """
    carried = list(inertia)
    base: Inertia | None = None
    for link in reversed(members):
        if link.parent == WORLD:
            continue
        composite = carried[link.index].seen_from(X[link.index])
        if link.parent == OUTSIDE:
            base = composite if base is None else base + composite
        else:
            carried[link.parent] = carried[link.parent] + composite
    M: Entries = {}
    H: dict[int, Motor] = {}
    for link in members:
        for position, screw in enumerate(S[link.index]):
            k = link.u[position]
            momentum = carried[link.index](screw)
            for other in range(position + 1):
                M[link.u[other], k] = S[link.index][other] @ momentum
            M[k, k] = add(M[k, k], link.armature)
            at = link
            while at.parent != WORLD:
                momentum = X[at.index](momentum)
                if at.parent == OUTSIDE:
                    H[k] = momentum
                    break
                at = members[at.parent]
                for j, ancestor in zip(at.u, S[at.index], strict=True):
                    M[j, k] = ancestor @ momentum
    return {key: v for key, v in M.items() if not is_structural(v, 0.0)}, H, base


def mass_matrix(links: Sequence[Link], q: Sequence[Scalar]) -> list[list[Scalar]]:
    """Return the mass matrix M(q); entries of different branches are structurally zero.

    𝔐_c is the composite inertia of a link and all its descendants; M_jk = (S_j, X 𝔐_c ∘ S_k).
    """
    n = sum(len(link.u) for link in links)
    X = [link.X_pj @ link.joint.pose(*(q[k] for k in link.q)) for link in links]
    S = [link.joint.screws(*(q[k] for k in link.q)) for link in links]
    M: list[list[Scalar]] = [[0.0] * n for _ in range(n)]
    for (j, k), value in mass_entries(links, X, S, [l.inertia for l in links])[0].items():
        M[j][k] = M[k][j] = value
    return M


def speed_parents(links: Sequence[Link]) -> list[int]:
    """Return for each speed its predecessor towards the root, −1 at a root."""
    above = [-1] * sum(len(link.u) for link in links)
    for link in links:
        previous = -1
        p = link.parent
        while p != WORLD and not len(links[p].u):
            p = links[p].parent
        if p != WORLD:
            previous = links[p].u[-1]
        for k in link.u:
            above[k] = previous
            previous = k
    return above


def forward_by_factorisation(
    links: Sequence[Link],
    gravity: Gravity,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    tau: Sequence[Scalar],
    applied: Sequence[Motor] | None = None,
) -> list[Scalar]:
    """Return the rates of the speeds from M u̇ = τ − h, by M = LᵀDL along the branches."""
    h = inverse_dynamics(links, gravity, q, u, [0.0] * len(u), applied)
    M = mass_matrix(links, q)
    right = [sub(t, b) for t, b in zip(tau, h, strict=True)]
    return solve_symmetric(M, right, speed_parents(links))
