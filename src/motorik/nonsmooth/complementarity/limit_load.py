"""Kernels: limit load of bodies that rest on several friction contacts.

A body at rest on redundant contacts can rest if any forces within the friction disks balance the
load. Equal compliances share the load so that some forces reach their bounds long before the limit
load. Elastic-plastic springs that yield at a fraction ρ of the bound share it differently: by the
lower-bound theorem of limit analysis, admissible forces exist if and only if these springs find
them. Each contact is then replaced by its secant compliance, and linear springs of these
compliances (`SOFTNESS`) share the load in the same way; the run needs only these numbers. ρ is
chosen as small as possible, so that the load may grow; at the limit load it tends to 1. Without a
solution for ρ < 1 the body begins to slide.
"""

from __future__ import annotations

from math import fabs, inf, sqrt

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, tail
from motorik.nonsmooth.complementarity.friction_cones import (
    GAUSS_SEIDEL_SWEEPS,
    Cones,
    cone_gauss_seidel,
    newton,
)
from motorik.nonsmooth.memory import ContactMode
from motorik.numerics.tolerances import DISK_BORDER, EQUATION_ZERO, HELD_RATE

SOFTEST = 100.0  # largest secant compliance, relative to equal springs
FINEST, COARSEST = 33, 16  # 1 − ρ is no less than 2 to the power of minus this
BISECTIONS = 3  # of ρ between two such powers
REFINEMENTS = 10  # iterations that remove the elastic displacement
COMPLIANCE = 1e-3  # of the springs, relative to that of the constraints
UNBOUNDED = 1e6  # times its radius: no force reaches such a boundary


@kernel
def length_of(vector: Floats, k: Int, j: Int) -> Float:
    """Return the Euclidean norm of two components of a vector."""
    return sqrt(vector[k] * vector[k] + vector[j] * vector[j])


@kernel
def is_stop(n: Int, w: Floats, pair: Ints, k: Int) -> Int:
    """Return whether a force is neither in a disk nor the normal force of one."""
    H = tail(w, (Cones.VECTORS + 2 * n) * n)
    for j in range(n):
        if H[j * n + k] != 0.0:
            return 0
    return int(pair[k] == -1)


@kernel(inline=False)
def mark_resting(n: Int, w: Floats, pair: Ints, mode: Ints) -> Int:
    """Mark constraints at rest; return their number of disks if one is at its boundary.

    Disks without a normal force are not counted. Stops yield like the springs; the normal
    forces that determine the radii stay as found.
    """
    rate, size, resting = (
        tail(w, Cones.RATE * n),
        tail(w, Cones.SIZE * n),
        tail(w, Cones.RESTING * n),
    )
    count, slipping = 0, 0
    for k in range(n):
        resting[k] = (
            1.0 if mode[k] == ContactMode.STUCK and is_stop(n, w, pair, k) > 0 else 0.0
        )
        if pair[k] >= 0:
            near = EQUATION_ZERO * (size[k] + size[pair[k]])
            rests = mode[k] == ContactMode.STUCK or length_of(rate, k, pair[k]) <= near
            if rests and w[Cones.HIGH * n + k] > near:
                resting[k] = 1.0
                count += 1
                far, radius = (
                    length_of(tail(w, Cones.X * n), k, pair[k]),
                    float(w[Cones.HIGH * n + k]),
                )
                slipping += int(
                    mode[k] != ContactMode.STUCK or far >= (1.0 - DISK_BORDER) * radius
                )
    return count if slipping > 0 else 0


@kernel(inline=False)
def remove_compliance(n: Int, w: Floats, pair: Ints) -> Int:
    """Subtract the elastic displacement of the springs; return whether it has vanished.

    Resting constraints are displaced by the elongation of their springs and keep zero rate; all
    others keep their rates, and their springs restart from the present force.
    """
    x, before, b = tail(w, Cones.X * n), tail(w, Cones.BEFORE * n), tail(w, Cones.B * n)
    rate, size, resting = (
        tail(w, Cones.RATE * n),
        tail(w, Cones.SIZE * n),
        tail(w, Cones.RESTING * n),
    )
    done = 1
    for k in range(n):
        first = k if pair[k] >= -1 else -2 - pair[k]
        left = COMPLIANCE * (x[k] - before[k])
        if resting[first] > 0.0:
            left = rate[k] - (b[k] - w[Cones.GIVEN * n + k])
            b[k] += left
        else:
            before[k] = x[k]
        if fabs(left) > HELD_RATE * size[k]:
            done = 0
    return done


@kernel(inline=False)
def holds_load(n: Int, w: Floats, pair: Ints, part: Float, mode: Ints, counts: Ints) -> Int:
    """Return whether a fraction of the bounds of resting disks holds the load.

    If so, write the secant compliances; −1 without a solution. The first solution is without
    bounds and from zero force, as in the run, and fixes the normal forces.
    """
    x, before, found = (
        tail(w, Cones.X * n),
        tail(w, Cones.BEFORE * n),
        tail(w, Cones.FOUND * n),
    )
    rate, size, parts = (
        tail(w, Cones.RATE * n),
        tail(w, Cones.SIZE * n),
        tail(w, Cones.PART * n),
    )
    resting, softness = tail(w, Cones.RESTING * n), tail(w, Cones.SOFTNESS * n)
    for k in range(n):
        first = k if pair[k] >= -1 else -2 - pair[k]
        x[k], w[Cones.B * n + k] = found[k], w[Cones.GIVEN * n + k]
        sticks = resting[first] > 0.0 or (pair[k] == -1 and mode[k] == ContactMode.STUCK)
        before[k] = 0.0 if sticks else float(found[k])
        parts[k] = UNBOUNDED if resting[k] > 0.0 and pair[k] >= 0 else 1.0
    if newton(n, w, pair, COMPLIANCE, mode, 0, counts) == 0:
        return -1
    remove_compliance(n, w, pair)
    for k in range(n):
        if resting[k] > 0.0 and pair[k] >= 0:
            parts[k] = part
    done = 0
    for turn in range(REFINEMENTS):
        cone_gauss_seidel(n, w, pair, COMPLIANCE, GAUSS_SEIDEL_SWEEPS if turn == 0 else 0)
        if newton(n, w, pair, COMPLIANCE, mode, 0, counts) == 0:
            return -1
        for k in range(n):
            w[Cones.KEPT * n + k] = 1.0
            if resting[k] > 0.0 and pair[k] >= 0:
                force, displacement = length_of(x, k, pair[k]), length_of(rate, k, pair[k])
                if displacement > COMPLIANCE * force:
                    w[Cones.KEPT * n + k] = min(
                        displacement / (COMPLIANCE * force), SOFTEST
                    )
                most = SOFTEST * COMPLIANCE * force
                if displacement > most + EQUATION_ZERO * (size[k] + size[pair[k]]):
                    return 0
        done = remove_compliance(n, w, pair)
        if done > 0:
            break
    if done > 0:
        for k in range(n):
            found[k], softness[k] = x[k], w[Cones.KEPT * n + k]
    return done


@kernel(inline=False)
def slide_at_limit(n: Int, w: Floats, pair: Ints, mode: Ints) -> None:
    """Let resting disks slide if their forces are at the boundary."""
    for k in range(n):
        if w[Cones.RESTING * n + k] > 0.0 and pair[k] >= 0:
            far, radius = (
                length_of(tail(w, Cones.X * n), k, pair[k]),
                float(w[Cones.HIGH * n + k]),
            )
            mode[k] = (
                ContactMode.FORWARD
                if far >= (1.0 - DISK_BORDER) * radius
                else ContactMode.STUCK
            )
            mode[pair[k]] = mode[k]


@kernel(inline=False)
def open_idle(n: Int, w: Floats, pair: Ints, mode: Ints) -> None:
    """Open stops without a load where the disks hold as found."""
    found = tail(w, Cones.FOUND * n)
    for k in range(n):
        if (
            pair[k] == -1
            and w[Cones.RESTING * n + k] > 0.0
            and w[Cones.ABOVE * n + k] == inf
        ):
            if found[k] <= EQUATION_ZERO * w[Cones.SIZE * n + k]:
                mode[k] = ContactMode.FORWARD


@kernel(inline=False)
def find_limit_load(
    n: Int, w: Floats, pair: Ints, mode: Ints, counts: Ints, violated: Int, near: Int
) -> Int:
    """Let disks at their boundaries without a rate stick; return 1 if they can.

    Follows `solve_cone_problem`, in its work space, and leaves the secant compliances there.
    Returns 2 if they begin to slide: forces and modes are then those of the limit load. Disks
    at the boundary that no event function has `violated` stay at rest; a single disk may rest
    together with stops. The limit is 1 − ρ = 2⁻ⁿ with n = `near`.
    """
    resting = tail(w, Cones.RESTING * n)
    disks = mark_resting(n, w, pair, mode)
    if disks == 0:
        return 0
    for k in range(n):
        w[Cones.FOUND * n + k], w[Cones.GIVEN * n + k] = (
            w[Cones.X * n + k],
            w[Cones.B * n + k],
        )
    is_held = holds_load(n, w, pair, 1.0 - 0.5**near, mode, counts)
    if is_held < 0 or (is_held == 0 and disks == 1):  # one alone has no choice
        return 0
    if is_held == 0 and violated > 0:
        slide_at_limit(n, w, pair, mode)
        return 2
    if is_held == 0:
        for k in range(n):
            w[Cones.SOFTNESS * n + k] = w[Cones.KEPT * n + k]
    fails, finest = 0 if is_held > 0 else near, near
    for _ in range(near):
        if finest - fails <= 1:
            break
        middle = (fails + finest) // 2
        if holds_load(n, w, pair, 1.0 - 0.5**middle, mode, counts) > 0:
            finest = middle
        else:
            fails = middle
    lower, upper = 1.0 - 0.5**fails, 1.0 - 0.5**finest
    for _ in range(BISECTIONS if is_held > 0 else 0):
        part = 0.5 * (lower + upper)
        if holds_load(n, w, pair, part, mode, counts) > 0:
            upper = part
        else:
            lower = part
    if is_held > 0:
        open_idle(n, w, pair, mode)
    for k in range(n):
        if resting[k] > 0.0 and pair[k] >= 0:
            mode[k], mode[pair[k]] = ContactMode.STUCK, ContactMode.STUCK
    return 1
