"""Kernels: forces of many friction and contact constraints, from the response of a mechanism.

The rates of the speeds are v = f + Σ Yₖ λₖ, the accelerations along the constraints a = J v + β. A
sticking constraint has a = 0, regularised by a compliance c: J v + β + c λ = 0. Any other has the
force λₖ = sₖ + Σ Eₖⱼ λⱼ, which may depend on sticking forces. With Pⱼ = Yⱼ + Σ Eₖⱼ Yₖ, the effect
of a sticking force with all that depend on it, the forces are C⁻¹ (r − J δ) with

    (1 + P C⁻¹ J) δ = P C⁻¹ r,    r = −(J v₁ + β),

v₁ being the rates without sticking forces. Projected onto an orthonormal basis of the rows of J
these are no more equations than speeds, nor than independent constraints, however many stick;
pivots are chosen in the run. Iterative refinement removes the effect of the compliance, except for
how redundant constraints share their load.

Layout of the response (`Response`), n states, m constraints: f (n), β, s, whether it sticks,
softness (m each), E and the entries of block states, and for each component, constraints coupled by
speeds, J and Yᵀ, a row for each constraint. `table` has sizes and places.
"""

from __future__ import annotations

from math import fabs, sqrt

from motorik.compiler.kernels import (
    Floats,
    Function,
    Int,
    Ints,
    kernel,
    lanes,
    tail,
)
from motorik.compiler.straight.lanes import LANES
from motorik.nonsmooth.laws.force_bounds import CORRECTIONS
from motorik.nonsmooth.memory import CONTACT_STATE, LCP_DATA, ContactState, LcpData
from motorik.numerics.least_squares import orthonormal_basis
from motorik.numerics.lu import factorise, substitute
from motorik.numerics.tolerances import FRICTION_COMPLIANCE
from motorik.numerics.vectors import dot

# places in the table
STATES, CONSTRAINTS, COMPONENTS, READS, BLOCKS, WORK, LOW, HIGH, FORWARD, BACKWARD = range(
    10
)
HEAD = 10
# of a component: how many constraints and speeds it has, its first read force and how many
RECORD = 4
KINDS = 4  # of bounds that may depend on forces: from `LOW` on their counts
# columns of `bounds`, each for all constraints
SPEED, PRESENT, GAP, RESTITUTION, COLUMNS = 0, 5, 6, 7, 8
NO_NUMBER = float("nan")


def work_size(m: int, n: int) -> int:
    """Return the doubles that the solution of m constraints on n speeds needs."""
    return 4 * m * n + 7 * m + 2 * n * n + 6 * n


@kernel
def components_at(table: Ints) -> Int:
    """Return where the records of the components begin."""
    return HEAD + table[CONSTRAINTS] + 2 * table[READS] + 2 * table[BLOCKS]


@kernel
def matrices_at(table: Ints) -> Int:
    """Return where J and Yᵀ of the components begin in the response."""
    return table[STATES] + 4 * table[CONSTRAINTS] + table[READS] + table[BLOCKS]


@kernel
def scaled_sum(n: Int, m: Int, P: Floats, y: Floats, out: Floats) -> None:
    """Write Σ Pⱼ yⱼ."""
    for i in range(n):
        out[i] = 0.0
    for j in range(m):
        line = tail(P, j * n)
        factor = y[j]
        for i in range(n):
            out[i] += factor * line[i]


@kernel
def project_rows(a: Int, n: Int, rank: Int, lines: Floats, Q: Floats, out: Floats) -> None:
    """Write the components of rows along a basis."""
    for j in range(a):
        for k in range(rank):
            out[j * rank + k] = dot(n, tail(lines, j * n), tail(Q, k * n))


@kernel(inline=False)
def set_response(
    a: Int, n: Int, T: Floats, P: Floats, c: Floats, A: Floats, pivots: Floats
) -> Int:
    """Write 1 + P C⁻¹ T, factorised; return 0 if it is singular."""
    for i in range(n * n):
        A[i] = 0.0
    for i in range(n):
        A[i * (n + 1)] = 1.0
    for k in range(a):
        line = tail(P, k * n)
        for j in range(n):
            column = tail(A, j * n)
            factor = T[k * n + j] / c[k]
            if factor != 0.0:
                for i in lanes(n):
                    column[i] += factor * line[i]
    return factorise(n, A, pivots)


@kernel(inline=False)
def solve_refined(
    a: Int,
    n: Int,
    T: Floats,
    P: Floats,
    c: Floats,
    A: Floats,
    pivots: Floats,
    picked: Floats,
    right: Floats,
    y: Floats,
    delta: Floats,
) -> None:
    """Write the forces of right-hand sides r, with the effect of the compliance removed.

    Where δ₀ fulfils the constraints, T δ₀ = r, the forces are C⁻¹ T (1 + P C⁻¹ T)⁻¹ δ₀. In
    C⁻¹ (r − T δ) all but a part c of r would cancel, and rounding would change how redundant
    constraints share their load. Behind `delta` is as much room again.
    """
    target = tail(delta, n)
    for i in range(n):
        k = int(picked[i])
        line = tail(T, k * n)
        target[i] = (right[k] - dot(i, line, target)) / line[i]
    for k in range(a):
        y[k] = 0.0
    for turn in range(CORRECTIONS + 1):
        scaled_sum(n, a if turn > 0 else 0, P, y, delta)
        for i in range(n):
            delta[i] = target[i] - delta[i]
        substitute(n, A, pivots, delta)
        for k in range(a):
            y[k] += dot(n, tail(T, k * n), delta) / c[k]


@kernel(inline=False)
def find_active(
    table: Ints,
    constraints: Ints,
    mc: Int,
    nc: Int,
    given: Floats,
    J: Floats,
    Y: Floats,
    first: Int,
    count: Int,
    active: Floats,
    c: Floats,
    scale: Floats,
    JA: Floats,
    PA: Floats,
    diagonal: Floats,
    place: Floats,
) -> Int:
    """Gather the sticking constraints of a component, in units of the speeds; return their number.

    `count` other forces depend on theirs, from `first` on. `diagonal` and `place` are by number of
    the constraint. Constraints that no force moves are omitted.
    """
    n, m = table[STATES], table[CONSTRAINTS]
    stick, soft = tail(given, n + 2 * m), tail(given, n + 3 * m)
    pairs = tail(table, HEAD)
    for i in range(nc):
        scale[i] = 0.0
    for k in range(mc):
        constraint = constraints[k]
        place[constraint] = -1.0
        place[m + constraint] = k
        if stick[constraint] != 0.0:
            diagonal[constraint] = fabs(dot(nc, tail(J, k * nc), tail(Y, k * nc)))
    a = 0
    for k in range(mc):
        constraint = constraints[k]
        if stick[constraint] == 0.0:
            continue
        give = diagonal[constraint]
        if pairs[constraint] >= 0:
            across = pairs[constraint]
            if stick[across] == 0.0:
                j = int(place[m + across])
                diagonal[across] = fabs(dot(nc, tail(J, j * nc), tail(Y, j * nc)))
            give = 0.5 * (give + diagonal[across]) * soft[constraint]
        if give > 0.0:
            c[a] = FRICTION_COMPLIANCE * give
            active[a] = k
            place[constraint] = a
            line = tail(Y, k * nc)
            for i in range(nc):
                scale[i] += line[i] * line[i] / give
            a += 1
    for i in range(nc):
        scale[i] = sqrt(scale[i]) if scale[i] > 0.0 else 1.0
    for j in range(a):
        k = int(active[j])
        for i in range(nc):
            JA[j * nc + i] = J[k * nc + i]
            PA[j * nc + i] = Y[k * nc + i]
    if count > 0 and a > 0:
        slopes = tail(given, n + 4 * m)
        reading = tail(table, HEAD + m)
        read = tail(reading, table[READS])
        for e in range(first, first + count):
            constraint, other = reading[e], read[e]
            if stick[constraint] == 0.0 and place[other] >= 0.0 and slopes[e] != 0.0:
                j, k = int(place[other]), int(place[m + constraint])
                for i in range(nc):
                    PA[j * nc + i] += slopes[e] * Y[k * nc + i]
    for j in range(a):
        for i in range(nc):
            JA[j * nc + i] *= scale[i]
            PA[j * nc + i] /= scale[i]
    return a


@kernel
def has_coupled_forces(table: Ints, given: Floats, first: Int, count: Int) -> Int:
    """Return whether sliding forces depend on sticking ones."""
    n, m = table[STATES], table[CONSTRAINTS]
    stick, slopes = tail(given, n + 2 * m), tail(given, n + 4 * m)
    reading = tail(table, HEAD + m)
    read = tail(reading, table[READS])
    for e in range(first, first + count):
        if stick[reading[e]] == 0.0 and stick[read[e]] != 0.0 and slopes[e] != 0.0:
            return 1
    return 0


@kernel
def gather_response(
    a: Int, n: Int, active: Floats, Y: Floats, scale: Floats, PA: Floats
) -> None:
    """Write the rows of Y of sticking constraints, in units of the speeds."""
    for j in range(a):
        k = int(active[j])
        for i in range(n):
            PA[j * n + i] = Y[k * n + i] / scale[i]


@kernel
def set_active(
    a: Int, mc: Int, nc: Int, rank: Int, c: Floats, room: Floats, right: Floats
) -> None:
    """Write the equations of the sticking constraints along the basis, factorised.

    `room` holds scales, δ twice, pivots, the constraints picked and v, then J, P and their
    components along the basis, the matrix, and the basis.
    """
    JA = tail(room, 6 * nc)
    PA, T = tail(JA, mc * nc), tail(JA, 2 * mc * nc)
    PT, A = tail(JA, 3 * mc * nc), tail(JA, 4 * mc * nc)
    project_rows(a, nc, rank, PA, tail(A, nc * nc), PT)
    if set_response(a, rank, T, PT, c, A, tail(room, 3 * nc)) == 0:
        right[0] = NO_NUMBER


@kernel
def begin_active(a: Int, mc: Int, nc: Int, c: Floats, room: Floats, right: Floats) -> Int:
    """Find the basis of the sticking constraints, and factorise; return its rank."""
    JA = tail(room, 6 * nc)
    T, PT = tail(JA, 2 * mc * nc), tail(JA, 3 * mc * nc)
    Q = tail(JA, 4 * mc * nc + nc * nc)
    rank = orthonormal_basis(a, nc, JA, c, PT, Q, tail(room, 4 * nc))
    project_rows(a, nc, rank, JA, Q, T)
    set_active(a, mc, nc, rank, c, room, right)
    return rank


@kernel
def solve_active(
    a: Int,
    mc: Int,
    nc: Int,
    rank: Int,
    c: Floats,
    room: Floats,
    right: Floats,
    y: Floats,
) -> None:
    """Write the forces of right-hand sides, and behind the scales their effect on the speeds."""
    delta, JA = tail(room, nc), tail(room, 6 * nc)
    PA, T = tail(JA, mc * nc), tail(JA, 2 * mc * nc)
    PT, A = tail(JA, 3 * mc * nc), tail(JA, 4 * mc * nc)
    pivots, picked = tail(room, 3 * nc), tail(room, 4 * nc)
    solve_refined(a, rank, T, PT, c, A, pivots, picked, right, y, delta)
    scaled_sum(nc, a, PA, y, delta)


@kernel(inline=False)
def stop_sticking(
    table: Ints, given: Floats, left: Floats, work: Floats, change: Floats
) -> None:
    """Write the change of the state by impulses that remove the speeds `left`."""
    n, m = table[STATES], table[CONSTRAINTS]
    for i in range(n):
        change[i] = 0.0
    components = tail(table, components_at(table))
    matrices = tail(given, matrices_at(table))
    for _ in range(table[COMPONENTS]):
        mc, nc = components[0], components[1]
        constraints, speeds = tail(components, RECORD), tail(components, RECORD + mc)
        J, Y = tail(matrices, 0), tail(matrices, mc * nc)
        diagonal, place = tail(work, 0), tail(work, m)
        active, c, right = tail(work, 3 * m), tail(work, 4 * m), tail(work, 5 * m)
        y, more = tail(work, 6 * m), tail(work, 7 * m)
        scale, delta, JA = tail(more, 0), tail(more, nc), tail(more, 6 * nc)
        PA = tail(JA, mc * nc)
        a = find_active(
            table, constraints, mc, nc, given, J, Y, 0, 0, active, c, scale, JA, PA, diagonal, place
        )  # fmt: skip
        if a > 0:
            for j in range(a):
                right[j] = -left[constraints[int(active[j])]]
            rank = begin_active(a, mc, nc, c, more, right)
            solve_active(a, mc, nc, rank, c, more, right, y)
            for i in range(nc):
                change[speeds[i]] = delta[i] * scale[i]
        components = tail(components, RECORD + mc + nc)
        matrices = tail(matrices, 2 * mc * nc)


@kernel(inline=False)
def find_forces(
    table: Ints, given: Floats, work: Floats, forces: Floats, rates: Floats, still: Int
) -> None:
    """Write the forces in the present modes and the rates of the state under them.

    With `still`, accelerations of sticking constraints, which are rounding, are removed once more.
    """
    n, m = table[STATES], table[CONSTRAINTS]
    beta, constraint, stick = tail(given, n), tail(given, n + m), tail(given, n + 2 * m)
    count = table[READS]
    slopes = tail(given, n + 4 * m)
    reading, read = tail(table, HEAD + m), tail(table, HEAD + m + count)
    for i in range(n):
        rates[i] = given[i]
    for k in range(m):
        forces[k] = constraint[k] if stick[k] == 0.0 else 0.0
    for e in range(count):
        if stick[reading[e]] == 0.0 and stick[read[e]] == 0.0:
            forces[reading[e]] += slopes[e] * constraint[read[e]]
    components = tail(table, components_at(table))
    matrices = tail(given, matrices_at(table))
    for _ in range(table[COMPONENTS]):
        mc, nc = components[0], components[1]
        constraints, speeds = tail(components, RECORD), tail(components, RECORD + mc)
        J, Y = tail(matrices, 0), tail(matrices, mc * nc)
        diagonal, place = tail(work, 0), tail(work, m)
        active, c, right = tail(work, 3 * m), tail(work, 4 * m), tail(work, 5 * m)
        y, more = tail(work, 6 * m), tail(work, 7 * m)
        scale, delta, v = tail(more, 0), tail(more, nc), tail(more, 5 * nc)
        JA = tail(more, 6 * nc)
        PA = tail(JA, mc * nc)
        own, others = components[2], components[3]
        a = find_active(
            table, constraints, mc, nc, given, J, Y, own, others, active, c, scale, JA, PA,
            diagonal, place,
        )  # fmt: skip
        for i in range(nc):
            v[i] = rates[speeds[i]]
        for k in range(mc):
            force = forces[constraints[k]]
            if force != 0.0:
                for i in range(nc):
                    v[i] += force * Y[k * nc + i]
        if a > 0:
            for j in range(a):
                k = int(active[j])
                right[j] = -(dot(nc, tail(J, k * nc), v) + beta[constraints[k]])
            rank = begin_active(a, mc, nc, c, more, right)
            solve_active(a, mc, nc, rank, c, more, right, y)
            for i in range(nc):
                v[i] += delta[i] * scale[i]
            for j in range(a):
                forces[constraints[int(active[j])]] = y[j]
            if still > 0:
                for j in range(a):
                    k = int(active[j])
                    right[j] = -(dot(nc, tail(J, k * nc), v) + beta[constraints[k]])
                if has_coupled_forces(table, given, own, others) > 0:
                    # rounding shared by redundant constraints must not change sliding forces
                    gather_response(a, nc, active, Y, scale, PA)
                    set_active(a, mc, nc, rank, c, more, right)
                solve_active(a, mc, nc, rank, c, more, right, y)
                for i in range(nc):
                    v[i] += delta[i] * scale[i]
        for i in range(nc):
            rates[speeds[i]] = v[i]
        components = tail(components, RECORD + mc + nc)
        matrices = tail(matrices, 2 * mc * nc)
    for e in range(count):
        if stick[reading[e]] == 0.0 and stick[read[e]] != 0.0:
            forces[reading[e]] += slopes[e] * forces[read[e]]
    blocks = table[BLOCKS]
    of_blocks = tail(given, n + 4 * m + count)
    states, by = (
        tail(table, HEAD + m + 2 * count),
        tail(table, HEAD + m + 2 * count + blocks),
    )
    for e in range(blocks):
        rates[states[e]] += of_blocks[e] * forces[by[e]]


@kernel(inline=False)
def accelerations_of(table: Ints, given: Floats, rates: Floats, out: Floats) -> None:
    """Write the accelerations J v + β along all constraints."""
    n, m = table[STATES], table[CONSTRAINTS]
    for k in range(m):
        out[k] = given[n + k]
    components = tail(table, components_at(table))
    matrices = tail(given, matrices_at(table))
    for _ in range(table[COMPONENTS]):
        mc, nc = components[0], components[1]
        constraints, speeds = tail(components, RECORD), tail(components, RECORD + mc)
        for k in range(mc):
            for i in range(nc):
                out[constraints[k]] += matrices[k * nc + i] * rates[speeds[i]]
        components = tail(components, RECORD + mc + nc)
        matrices = tail(matrices, 2 * mc * nc)


@kernel(inline=False)
def write_derivative(table: Ints, given: Floats, work: Floats, out: Floats) -> None:
    """Write the rates of the state in the present modes."""
    find_forces(table, given, tail(work, table[CONSTRAINTS]), work, out, 1)


@kernel(inline=False)
def write_forces(table: Ints, given: Floats, work: Floats, out: Floats) -> None:
    """Write the forces in the present modes."""
    n = table[STATES]
    find_forces(table, given, tail(work, n), out, work, 0)


@kernel(inline=False)
def write_stopped(
    table: Ints, given: Floats, bounds: Floats, work: Floats, x: Floats, out: Floats
) -> None:
    """Write a state with sticking constraints at rest."""
    n = table[STATES]
    stop_sticking(table, given, bounds, tail(work, n), work)
    for i in range(n):
        out[i] = x[i] + work[i]


@kernel(inline=False)
def write_contact_state(
    table: Ints, given: Floats, bounds: Floats, work: Floats, out: Floats
) -> None:
    """Write the `ContactState` of each constraint."""
    n, m = table[STATES], table[CONSTRAINTS]
    forces, rates, rest = tail(work, 0), tail(work, m), tail(work, m + n)
    find_forces(table, given, rest, forces, rates, 0)
    accelerations_of(table, given, rates, rest)
    for k in range(m):
        own = ContactState.at(out, CONTACT_STATE * k)
        own.speed = float(bounds[SPEED * m + k])
        own.force = forces[k]
        own.low = float(bounds[m + k])
        own.high = float(bounds[2 * m + k])
        own.on = float(bounds[PRESENT * m + k])
        own.gap = float(bounds[GAP * m + k])
        own.acceleration = rest[k]
        own.on_rate = 0.0  # `on` is constant here
    places, slopes = tail(table, table[WORK]), tail(bounds, COLUMNS * m)
    for kind in range(2):
        count = table[LOW + kind]
        for e in range(count):
            constraint, other = places[e], places[count + e]
            out[CONTACT_STATE * constraint + 2 + kind] += slopes[e] * forces[other]
        places, slopes = tail(places, 2 * count), tail(slopes, count)


@kernel(inline=False)
def write_contact_lcp(
    table: Ints, given: Floats, bounds: Floats, work: Floats, out: Floats
) -> None:
    """Write the `LcpData` of each constraint, then D and the slopes of bounds."""
    m = table[CONSTRAINTS]
    accelerations_of(table, given, given, work)
    for k in range(m):
        own = LcpData.at(out, LCP_DATA * k)
        for column in range(COLUMNS):
            own[column] = bounds[column * m + k]
        own.b = work[k]
    D = tail(out, LCP_DATA * m)
    for i in range(m * m):
        D[i] = 0.0
    components = tail(table, components_at(table))
    matrices = tail(given, matrices_at(table))
    for _ in range(table[COMPONENTS]):
        mc, nc = components[0], components[1]
        constraints, Y = tail(components, RECORD), tail(matrices, mc * nc)
        for i in range(mc):
            line = tail(matrices, i * nc)
            own = tail(D, constraints[i] * m)
            for j in range(mc):
                own[constraints[j]] = dot(nc, line, tail(Y, j * nc))
        components = tail(components, RECORD + mc + nc)
        matrices = tail(matrices, 2 * mc * nc)
    total = table[LOW] + table[HIGH] + table[FORWARD] + table[BACKWARD]
    if total > 0:
        places, slopes = tail(table, table[WORK]), tail(bounds, COLUMNS * m)
        for kind in range(KINDS):
            square = tail(D, (1 + kind) * m * m)
            for i in range(m * m):
                square[i] = 0.0
            count = table[LOW + kind]
            for e in range(count):
                square[places[e] * m + places[count + e]] = slopes[e]
            places, slopes = tail(places, 2 * count), tail(slopes, count)


@kernel(inline=False)
def write_impulse_response(
    table: Ints, given: Floats, impulses: Ints, p: Floats, out: Floats
) -> None:
    """Write the change of the state by impulses, which stand at these places of p."""
    n = table[STATES]
    for i in range(n):
        out[i] = 0.0
    components = tail(table, components_at(table))
    matrices = tail(given, matrices_at(table))
    for _ in range(table[COMPONENTS]):
        mc, nc = components[0], components[1]
        constraints, speeds = tail(components, RECORD), tail(components, RECORD + mc)
        for k in range(mc):
            impulse = p[impulses[constraints[k]]]
            if impulse != 0.0:
                line = tail(matrices, (mc + k) * nc)
                for i in range(nc):
                    out[speeds[i]] += impulse * line[i]
        components = tail(components, RECORD + mc + nc)
        matrices = tail(matrices, 2 * mc * nc)


@kernel(inline=False)
def write_motion(
    table: Ints,
    given: Floats,
    work: Floats,
    impulses: Ints,
    rates: Floats,
    p: Floats,
) -> None:
    """Write the rates of the state, and the forces at their places of p."""
    m = table[CONSTRAINTS]
    find_forces(table, given, tail(work, m), work, rates, 1)
    for k in range(m):
        p[impulses[k]] = work[k]


@kernel(inline=False)
def write_lanes(
    derivative: Function,
    n: Int,
    n_p: Int,
    t: Floats,
    x: Floats,
    p: Floats,
    own: Floats,
    out: Floats,
) -> None:
    """Write the rates of several states, one after another; numbers of lanes are interleaved."""
    state, given, rates = tail(own, 0), tail(own, n), tail(own, n + n_p)
    for lane in range(LANES):
        for i in range(n):
            state[i] = x[LANES * i + lane]
        for i in range(n_p):
            given[i] = p[LANES * i + lane]
        derivative(tail(t, lane), state, given, rates)
        for i in range(n):
            out[LANES * i + lane] = rates[i]
