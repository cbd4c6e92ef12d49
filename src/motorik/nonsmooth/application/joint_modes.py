"""Modes of friction along joints of a large tree: pivoting on forces of given modes, by recursion.

The box LCP of `complementarity.box_lcp` without its matrix D. `contact_state` solves for all forces
and accelerations of given modes in one recursion (`laws.joint_constraints`): from the expected
modes all inconsistent ones are changed, as in block pivoting, until none is left. Few modes change
at an event, so a few recursions decide. Where they cycle, a descent does, one mode at a time. Where
numbers are not finite, the matrix is completed, and the dense solver names the constraint.
"""

from __future__ import annotations

from math import fabs, isfinite, sqrt

from motorik.compiler.kernels import Floats, Int, Ints, kernel, share, tail
from motorik.nonsmooth.complementarity.box_lcp import (
    COUNTS,
    NEIGHBOUR_ROUNDING,
    PATIENCE,
    LcpReport,
    Pivoting,
    ScaledLcp,
    admit_constant,
    count_violations,
    unscale_lcp,
)
from motorik.nonsmooth.complementarity.reduction import room_size
from motorik.nonsmooth.detection.tolerances import has_no_matrix
from motorik.nonsmooth.memory import (
    CONTACT_STATE,
    LCP_DATA,
    Contact,
    ContactMode,
    ContactState,
    ForceBound,
    Lcp,
    bound_slopes_at,
    contact_at,
    lcp_at,
    lcp_data_at,
    load_shares_at,
    perturbed_at,
    solver_modes_at,
    work_at,
)
from motorik.numerics.tolerances import SHARED_LOAD
from motorik.simulation.stepping.workspace import HEAD, EventArguments, Ode, Vec, Work

SHARINGS = 4  # of the loads of joints among their constraints
DESCENT = 20  # for each constraint: iterations of the descent, at most


@kernel
def lcp_state_at(n: Int, ev: EventArguments) -> Int:
    """Return where in `w` the state stands at which bounds and b were evaluated."""
    return HEAD + (Vec.STAGE if ev.memory.lookahead > 0.0 else Vec.X) * n


@kernel(inline=False)
def spread_diagonal(ev: EventArguments) -> None:
    """Move the diagonal of D, which `contact_lcp` has written, to its places."""
    m = ev.counts.contacts
    D = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m)
    for i in range(1, m):
        k = m - i
        value = float(D[k])
        D[k] = 0.0
        D[k * (m + 1)] = value


@kernel(inline=False)
def complete_matrix(n: Int, w: Work, ode: Ode, ev: EventArguments) -> None:
    """Write all of D, column by column: the responses to unit impulses."""
    if has_no_matrix(ev) == 0:
        return
    m = ev.counts.contacts
    x, change = tail(w, lcp_state_at(n, ev)), tail(ev.memory, work_at(m))
    D = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m)
    factors = tail(ev.memory, lcp_at(m) + Lcp.FACTOR * m)
    for k in range(m):
        place = ev.counts[contact_at(k) + Contact.at_force]
        ode.p[place] = 1.0
        ev.impulse_response(tail(w, Work.t_call), x, ode.p, change)
        ode.p[place] = 0.0
        for j in range(m):
            speed = ev.counts[contact_at(j) + Contact.at_speed]
            D[j * m + k] = factors[j] * change[speed]
    ev.counts.complete = 1


@kernel
def numbers_of_mode(ev: EventArguments, own: Contact, number: Int) -> Int:
    """Return the place in p of a number of the mode: sticking, direction, saturated."""
    if number == 0:
        return own.at_stick
    return own.at_direction if number == 1 else own.at_saturated


@kernel(inline=False)
def exchange_modes(ev: EventArguments, p: Floats, kept: Floats, restores: Int) -> None:
    """Keep the numbers of all modes in p, or restore them."""
    m = ev.counts.contacts
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        for number in range(3):
            place = numbers_of_mode(ev, own, number)
            if restores > 0:
                p[place] = kept[3 * k + number]
            else:
                kept[3 * k + number] = p[place]


@kernel(inline=False)
def set_mode(ev: EventArguments, p: Floats, k: Int, mode: Int) -> None:
    """Write a mode of the solver into p; at a bound of its box a constraint is saturated."""
    m = ev.counts.contacts
    own = Contact.at(ev.counts, contact_at(k))
    below = ev.counts[solver_modes_at(m) + m + k]
    stick, direction, saturated = 0.0, 0.0, 0.0
    if below == ForceBound.FORWARD:
        direction = 1.0
    elif below == ForceBound.BACKWARD:
        direction = -1.0
    elif below == ForceBound.LOW and mode == ContactMode.STUCK:
        stick = 1.0
    elif below == ForceBound.LOW and own.has_gap == 0:
        saturated = float(mode)
    p[own.at_stick], p[own.at_direction] = stick, direction
    p[own.at_saturated] = saturated


@kernel(inline=False)
def solve_given_modes(
    n: Int, w: Work, ode: Ode, ev: EventArguments, scaled: Floats, modes: Ints
) -> None:
    """Write forces, rates and sizes of given modes into a scaled problem, by one recursion.

    Sizes are those of the terms of a = x + b + what all other forces add, and the rounding of
    these.
    """
    m = ev.counts.contacts
    for k in range(m):
        set_mode(ev, ode.p, k, modes[k])
    found = tail(ev.memory, perturbed_at(m))
    ev.contact_state(tail(w, Work.t_call), tail(w, lcp_state_at(n, ev)), ode.p, found)
    b, scale = tail(scaled, ScaledLcp.B * m), tail(scaled, ScaledLcp.SCALE * m)
    x, a = tail(scaled, ScaledLcp.X * m), tail(scaled, ScaledLcp.RATE * m)
    size, total = tail(scaled, ScaledLcp.SIZE * m), 0.0
    for k in range(m):
        state = ContactState.at(found, CONTACT_STATE * k)
        x[k], a[k] = state.force / scale[k], state.acceleration * scale[k]
        total += fabs(x[k])
    for k in range(m):
        others = fabs(a[k] - b[k] - x[k])
        size[k] = fabs(b[k]) + fabs(x[k]) + others + NEIGHBOUR_ROUNDING * total


@kernel(inline=False)
def set_scaled(ev: EventArguments, scaled: Floats, modes: Ints, numbers: Floats) -> Int:
    """Write the scaled problem but for its matrix; return 0 if its numbers are not finite."""
    m = ev.counts.contacts
    lcp, D = tail(ev.memory, lcp_at(m)), tail(ev.memory, lcp_data_at(m) + LCP_DATA * m)
    given = tail(ev.counts, solver_modes_at(m))
    scale, b = tail(scaled, ScaledLcp.SCALE * m), tail(scaled, ScaledLcp.B * m)
    low, high = tail(scaled, ScaledLcp.LOW * m), tail(scaled, ScaledLcp.HIGH * m)
    for k in range(m):
        own = float(D[k * (m + 1)])
        if not (isfinite(own) and own > 0.0 and isfinite(lcp[Lcp.B * m + k])):
            return 0
        if not lcp[Lcp.LOW * m + k] <= lcp[Lcp.HIGH * m + k]:
            return 0
        numbers[k], modes[k] = float(k), given[k]
        scale[k] = 1.0 / sqrt(own)
        b[k] = scale[k] * lcp[Lcp.B * m + k]
        low[k] = lcp[Lcp.LOW * m + k] / scale[k]
        high[k] = lcp[Lcp.HIGH * m + k] / scale[k]
    return 1


@kernel(inline=False)
def pivot_in_blocks(
    n: Int, w: Work, ode: Ode, ev: EventArguments, scaled: Floats, modes: Ints, counts: Ints
) -> Int:
    """Change all inconsistent modes at once until none is left; return how many remain.

    It may cycle, so it stops where the number does not decrease.
    """
    m = ev.counts.contacts
    solve_given_modes(n, w, ode, ev, scaled, modes)
    left = count_violations(m, scaled, modes, Pivoting.NONE, counts)
    best, patience = left, PATIENCE
    while left > 0 and left <= m and patience > 0:
        count_violations(m, scaled, modes, Pivoting.ALL, counts)
        solve_given_modes(n, w, ode, ev, scaled, modes)
        left = count_violations(m, scaled, modes, Pivoting.NONE, counts)
        patience -= 1
        if left < best:
            best, patience = left, PATIENCE
    return left


@kernel(inline=False)
def descend_joints(
    n: Int, w: Work, ode: Ode, ev: EventArguments, scaled: Floats, modes: Ints, counts: Ints
) -> Int:
    """Minimise ½ xᵀ A x + bᵀ x within the bounds; return how many modes remain inconsistent.

    From forces y within their bounds towards those of given modes, which are the minimum over the
    sticking ones: the first that reaches its bound stays there. At the minimum all that move
    against their bound stick. The sum decreases strictly, so no modes recur.
    """
    m = ev.counts.contacts
    low, high = tail(scaled, ScaledLcp.LOW * m), tail(scaled, ScaledLcp.HIGH * m)
    x, y = tail(scaled, ScaledLcp.X * m), tail(scaled, ScaledLcp.KEEP * m)
    for k in range(m):
        y[k] = min(max(x[k], low[k]), high[k])
        if modes[k] == ContactMode.STUCK and y[k] <= low[k]:
            modes[k] = ContactMode.FORWARD
        elif modes[k] == ContactMode.STUCK and y[k] >= high[k]:
            modes[k] = ContactMode.BACKWARD
    for _ in range(DESCENT * m):
        solve_given_modes(n, w, ode, ev, scaled, modes)
        part, last = 1.0, -1
        for k in range(m):
            if modes[k] != ContactMode.STUCK:
                continue
            room = 1.0
            if x[k] < low[k]:
                room = (low[k] - y[k]) / (x[k] - y[k])
            elif x[k] > high[k]:
                room = (high[k] - y[k]) / (x[k] - y[k])
            if room < part:
                part, last = room, k
        for k in range(m):
            if modes[k] == ContactMode.STUCK:
                y[k] = min(max(y[k] + part * (x[k] - y[k]), low[k]), high[k])
        if last >= 0:
            is_low = x[last] < low[last]
            y[last] = low[last] if is_low else high[last]
            modes[last] = ContactMode.FORWARD if is_low else ContactMode.BACKWARD
            continue
        left = count_violations(m, scaled, modes, Pivoting.ALL, counts)
        if left == 0 or left > m:
            return left
    return m


@kernel
def holder_of(ev: EventArguments, modes: Ints, k: Int) -> Int:
    """Return the first sticking constraint along the same joint as another one; −1 without one."""
    m = ev.counts.contacts
    speed = ev.counts[contact_at(k) + Contact.at_speed]
    for j in range(m):
        boxed = ev.counts[solver_modes_at(m) + m + j] == ForceBound.LOW
        is_along = ev.counts[contact_at(j) + Contact.at_speed] == speed
        if j != k and is_along and boxed and modes[j] == ContactMode.STUCK:
            return j
    return -1


@kernel
def is_held_at_bound(ev: EventArguments, scaled: Floats, modes: Ints, k: Int) -> Int:
    """Return whether a constraint at its bound is at rest because another holds its joint."""
    m = ev.counts.contacts
    low, high = scaled[ScaledLcp.LOW * m + k], scaled[ScaledLcp.HIGH * m + k]
    if modes[k] == ContactMode.STUCK or not low < high:
        return 0
    return int(holder_of(ev, modes, k) >= 0)


@kernel(inline=False)
def release_sharing(ev: EventArguments, scaled: Floats, modes: Ints) -> Int:
    """Let constraints at their bounds stick where the forces along their joint become less.

    Those along one joint have the same motion by any shares of its load; of these the ones of
    least Σ D λ² are taken, as by `minimise_norm`. Return how many were released.
    """
    m = ev.counts.contacts
    x, factors = (
        tail(scaled, ScaledLcp.X * m),
        tail(ev.memory, lcp_at(m) + Lcp.FACTOR * m),
    )
    released = 0
    for k in range(m):
        if is_held_at_bound(ev, scaled, modes, k) > 0:
            holder = holder_of(ev, modes, k)
            other = x[holder] if factors[k] * factors[holder] > 0.0 else -x[holder]
            gain = other - x[k] if modes[k] == ContactMode.FORWARD else x[k] - other
            if gain > SHARED_LOAD * (fabs(other) + fabs(x[k])):
                modes[k] = ContactMode.STUCK
                released += 1
    return released


@kernel(inline=False)
def find_saturated_joints(ev: EventArguments) -> None:
    """Note the bound of each friction at rest that another constraint along its joint holds."""
    m = ev.counts.contacts
    modes, factors = (
        tail(ev.counts, solver_modes_at(m)),
        tail(ev.memory, lcp_at(m) + Lcp.FACTOR * m),
    )
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        own.bound = 0
        if own.has_gap > 0 or modes[m + k] != ForceBound.LOW or modes[k] == 0:
            continue
        holder = holder_of(ev, modes, k)
        if holder >= 0:
            own.bound = modes[k]
            shares = tail(ev.memory, load_shares_at(m) + k * m)
            for j in range(m):
                shares[j] = 0.0
            shares[holder] = factors[k] / factors[holder]


@kernel(inline=False)
def unscale_joints(
    ev: EventArguments, scaled: Floats, modes: Ints, numbers: Floats, counts: Ints
) -> None:
    """Write the forces and the modes of the solution of a scaled problem."""
    m = ev.counts.contacts
    lcp, given = tail(ev.memory, lcp_at(m)), tail(ev.counts, solver_modes_at(m))
    low, high = tail(lcp, Lcp.LOW * m), tail(lcp, Lcp.HIGH * m)
    slopes, lam = tail(ev.memory, bound_slopes_at(m)), tail(lcp, Lcp.FORCE * m)
    unscale_lcp(m, low, high, 0, slopes, given, lam, numbers, scaled, modes, counts)


@kernel(inline=False)
def pivot_joints(n: Int, w: Work, ode: Ode, ev: EventArguments) -> Int:
    """Solve for the forces within their bounds by recursion; return 0 on success.

    By block pivoting from the expected modes (Júdice and Pires 1994), by descent where it cycles.
    """
    m = ev.counts.contacts
    numbers = tail(ev.memory, work_at(m) + room_size(m))
    scaled = tail(numbers, m)
    kept = tail(scaled, ScaledLcp.VECTORS * m)
    counts = tail(ev.counts, solver_modes_at(m) + 2 * m)
    modes = tail(counts, COUNTS)
    if set_scaled(ev, scaled, modes, numbers) == 0:
        return 1
    admit_constant(m, scaled, modes)
    exchange_modes(ev, ode.p, kept, 0)
    counts[LcpReport.REDUNDANT] = 0
    left = pivot_in_blocks(n, w, ode, ev, scaled, modes, counts)
    if 0 < left <= m:
        left = descend_joints(n, w, ode, ev, scaled, modes, counts)
    for _ in range(SHARINGS):
        if left == 0 and release_sharing(ev, scaled, modes) > 0:
            left = pivot_in_blocks(n, w, ode, ev, scaled, modes, counts)
    exchange_modes(ev, ode.p, kept, 1)
    if left > 0:
        return 1
    for k in range(m):
        if is_held_at_bound(ev, scaled, modes, k) > 0:
            counts[LcpReport.REDUNDANT] = 1
    unscale_joints(ev, scaled, modes, numbers, counts)
    return 0


@kernel(inline=False)
def stop_locked(n: Int, w: Work, ode: Ode, ev: EventArguments) -> None:
    """Put what sticks to rest, as impulses along it would."""
    if ev.stopping is not None:
        x, change = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.STAGE * n)
        w.t_call = max(w.t, w.t_from)
        ev.stopping(tail(w, Work.t_call), x, ode.p, change)
        for i in range(n):
            x[i] += change[i]


share(pivot_joints, late=True)
