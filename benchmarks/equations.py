"""Equations of motion on any scalar that has + − × ÷, for peers that need formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.models import Tree


def skew(a: np.ndarray) -> np.ndarray:
    """Return [a]×, so that [a]× b = a × b."""
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]], dtype=a.dtype)


def scale(A: np.ndarray, factor: Any) -> np.ndarray:
    """Return A times a scalar, element by element: a scalar may itself be a matrix type."""
    B = np.empty(A.shape, dtype=object)
    for place in np.ndindex(A.shape):
        B[place] = A[place] * factor
    return B


def mirror(A: np.ndarray) -> np.ndarray:
    """Return A with its upper triangle copied below: symmetric in form and value."""
    B = A.copy()
    B[1, 0], B[2, 0], B[2, 1] = A[0, 1], A[0, 2], A[1, 2]
    return B


def articulated_body(
    tree: Tree,
    q: Sequence[Any],
    v: Sequence[Any],
    sin: Callable,
    cos: Callable,
    tau: Sequence[Any] | None = None,
) -> list[Any]:
    """Return the accelerations of a tree of revolutes under torques `tau`, or under none.

    Everything of a link is resolved in its own frame: inertia blocks J, H, M in
    (n, f) = (J ω̇ + H u̇, Hᵀ ω̇ + M u̇) + (n₀, f₀)          Featherstone 2008, §7.3
    """
    axes = [np.array(link.axis).astype(object) for link in tree.links]
    R, bias, inertia, force, motion = [], [], [], [], []
    for link, a, qi, vi in zip(tree.links, axes, q, v, strict=True):
        e = a.astype(float)
        along = np.outer(e, e)
        across, turn = (np.eye(3) - along).astype(object), skew(e).astype(object)
        turned = along.astype(object) + scale(across, cos(qi)) + scale(turn, sin(qi))
        R_i = link.R.astype(object) @ turned
        w, u = motion[link.parent] if link.parent >= 0 else (np.zeros(3, object),) * 2
        w, u = R_i.T @ w, R_i.T @ (u + skew(w) @ link.p)
        joint = scale(a, vi)
        bias.append((skew(w) @ joint, skew(u) @ joint))
        w = w + joint
        c = skew(link.c)
        J, H = link.I - link.m * c @ c, link.m * c
        J, H, M = (block.astype(object) for block in (J, H, link.m * np.eye(3)))
        turning = skew(w) @ u
        R.append(R_i)
        motion.append((w, u))
        inertia.append((J, H, M))
        # (n₀, f₀) = (ω × J ω + H (ω × u), M (ω × u) + ω × Hᵀ ω)
        force.append((skew(w) @ (J @ w) + H @ turning, M @ turning + skew(w) @ (H.T @ w)))

    reach: list[Any] = [None] * len(tree.links)
    for i in reversed(range(len(tree.links))):
        link, a = tree.links[i], axes[i]
        (J, H, M), (n, f) = inertia[i], force[i]
        U, W = J @ a, H.T @ a
        D = 1.0 / (a @ U)
        load = -(a @ n) if tau is None else tau[i] - a @ n
        reach[i] = (U, W, D, load)
        if link.parent < 0:
            continue
        J = mirror(J - np.outer(scale(U, D), U))
        H = H - np.outer(scale(U, D), W)
        M = mirror(M - np.outer(scale(W, D), W))
        w0, u0 = bias[i]
        n = R[i] @ (n + J @ w0 + H @ u0 + scale(U, D * load))
        f = R[i] @ (f + H.T @ w0 + M @ u0 + scale(W, D * load))
        J, H, M = mirror(R[i] @ J @ R[i].T), R[i] @ H @ R[i].T, mirror(R[i] @ M @ R[i].T)
        p = skew(link.p).astype(object)
        J_p, H_p, M_p = inertia[link.parent]
        shifted = J + p @ H.T - H @ p - p @ M @ p
        inertia[link.parent] = (J_p + mirror(shifted), H_p + H + p @ M, M_p + M)
        n_p, f_p = force[link.parent]
        force[link.parent] = (n_p + n + p @ f, f_p + f)

    vdot: list[Any] = []
    acceleration: list[Any] = []
    rest = (np.zeros(3, object), -np.array(tree.g).astype(object))
    for i, (link, a) in enumerate(zip(tree.links, axes, strict=True)):
        w, u = acceleration[link.parent] if link.parent >= 0 else rest
        w, u = R[i].T @ w + bias[i][0], R[i].T @ (u + skew(w) @ link.p) + bias[i][1]
        U, W, D, load = reach[i]
        rate = D * (load - U @ w - W @ u)
        vdot.append(rate)
        acceleration.append((w + scale(a, rate), u))
    return vdot


@dataclass(frozen=True)
class Member:
    """A body of a chain: it turns about `axis`, or slides along it, at `p` in the one before.

    `m` [kg], centre of mass `c` [m] and inertia `I` about it [kg m²] are resolved in the
    body; `friction` is viscous, in N·s/m or N·m·s/rad.
    """

    slides: bool
    axis: tuple[float, float, float]
    p: tuple[float, float, float]
    m: float
    c: tuple[float, float, float]
    I: tuple[float, float, float]
    friction: float = 0.0


def joint_forces(
    chain: Sequence[Member],
    q: Sequence[Any],
    qd: Sequence[Any],
    qdd: Sequence[Any],
    g: Sequence[float],
    sin: Callable,
    cos: Callable,
    expanded: bool = False,
) -> list[Any]:
    """Return the forces along the joints of a chain by Newton and Euler, in plain vectors.

    a = Rᵀ (a₋ + ω̇₋ × p + ω₋ × (ω₋ × p)), with 2 ω × e q̇ + e q̈ if it slides,
    F = m (a + ω̇ × c + ω × (ω × c)),   N = I ω̇ + ω × I ω + c × F

    `expanded` carries the velocity u of the origin along and has a = u̇ + ω × u from the
    rates of its components, as the equations in motors have when they are written out.
    """
    w, wd, u = (np.zeros(3, object) for _ in range(3))
    a = -np.array(g, float).astype(object)  # of the origin; u̇ if expanded
    moved = []
    for member, x, rate, acceleration in zip(chain, q, qd, qdd, strict=True):
        axis, c = np.array(member.axis), np.array(member.c).astype(object)
        e, p = axis.astype(object), np.array(member.p).astype(object)
        R = np.eye(3).astype(object)
        if member.slides:
            p = p + scale(e, x)
        else:
            along = np.outer(axis, axis)
            across = scale((np.eye(3) - along).astype(object), cos(x))
            R = along.astype(object) + across + scale(skew(axis).astype(object), sin(x))
        inward = 0.0 if expanded else skew(w) @ (skew(w) @ p)
        a = R.T @ (a + skew(wd) @ p + inward)
        u = R.T @ (u + skew(w) @ p)
        w, wd = R.T @ w, R.T @ wd
        joint = scale(e, rate)
        if member.slides:
            coriolis = skew(w) @ joint
            a = a + scale(coriolis, 1.0 if expanded else 2.0) + scale(e, acceleration)
            u = u + joint
        else:
            wd = wd + skew(w) @ joint + scale(e, acceleration)
            w = w + joint
            a = a + skew(u) @ joint if expanded else a
        inertia = np.diag(member.I).astype(object)
        at_origin = a + skew(w) @ u if expanded else a
        F = scale(at_origin + skew(wd) @ c + skew(w) @ (skew(w) @ c), member.m)
        N = inertia @ wd + skew(w) @ (inertia @ w) + skew(c) @ F
        moved.append((member, e, p, R, F, N, rate))
    f, n, forces = np.zeros(3, object), np.zeros(3, object), []
    for member, e, p, R, F, N, rate in reversed(moved):
        f, n = F + f, N + n
        forces.append(e @ (f if member.slides else n) + member.friction * rate)
        f = R @ f
        n = R @ n + skew(p) @ f
    return forces[::-1]


def double_pendulum(
    q: Sequence[Any], v: Sequence[Any], sin: Callable, cos: Callable
) -> list:
    """Return the accelerations of the chain of two rods, derived by hand.

    With absolute angles φ₁ = q₁, φ₂ = q₁ + q₂ and m = l = 1:
    4/3 φ̈₁ + ½ cos q₂ φ̈₂ =  ½ sin q₂ φ̇₂² − 3/2 g cos φ₁
    ½ cos q₂ φ̈₁ + 1/3 φ̈₂ = −½ sin q₂ φ̇₁² − ½ g cos φ₂
    """
    w1, w2 = v[0], v[0] + v[1]
    b, s = 0.5 * cos(q[1]), 0.5 * sin(q[1])
    r1 = s * w2 * w2 - 1.5 * 9.81 * cos(q[0])
    r2 = -s * w1 * w1 - 0.5 * 9.81 * cos(q[0] + q[1])
    D = 1.0 / (4 / 9 - b * b)
    a1 = (r1 / 3 - b * r2) * D
    a2 = (4 / 3 * r2 - b * r1) * D
    return [a1, a2 - a1]
