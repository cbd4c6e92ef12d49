"""Kernels of native starts: a start of a motion, or a block of them, without any Python."""

from __future__ import annotations

from math import fabs, floor, isfinite

from motorik.compiler.kernels import (
    Float,
    Floats,
    Int,
    Ints,
    floats_at,
    function_at,
    ints_at,
    kernel,
    lanes,
    tail,
)
from motorik.initialisation.kernels import TURN, nearest_signs, unwrap
from motorik.initialisation.start_layout import (
    Answer,
    BlocksTable,
    MovesTable,
    PartsTable,
    PartTable,
    PatternTable,
    StartTable,
    WantedTable,
)
from motorik.numerics.continuation import contract_selected
from motorik.numerics.least_squares import solve_least_squares
from motorik.numerics.newton import (
    UNDAMPED_STEPS,
    NonlinearEquations,
    Report,
    residual_size,
    steepest_entries,
    take_newton_steps,
    take_one_step,
)
from motorik.numerics.tolerances import (
    BLOCK_DIFFERENCE,
    BLOCK_STEP,
    BRANCH_FITS,
    CLEAR_DIFFERENCE,
    CLOSED,
    FIXED_FITS,
    RANK,
    ROUNDING,
    SPEED_RANK,
    STALLED_STEP,
    START_CONDITION,
    UNIQUE_STEP,
)
from motorik.numerics.vectors import largest

TRUSTED = 4e3  # condition up to which rounding stays below all that is compared
SAFE = 1e-2  # guarded values below this are so near a dead centre that the search decides
SURE_RANK = 1e6  # condition of equations for block states up to which their rank is certain
INFINITE = float("inf")


# --- blocks of equations -------------------------------------------------------------------


@kernel(inline=False)
def take_unknowns(a: PartTable, values: Floats) -> None:
    """Take the unknowns of a block."""
    x, columns = floats_at(a.x), ints_at(a.columns)
    for i in range(a.n):
        x[i] = values[columns[i]]


@kernel(inline=False)
def write_unknowns(a: PartTable, values: Floats) -> None:
    """Write the unknowns of a block back."""
    x, columns = floats_at(a.x), ints_at(a.columns)
    for i in range(a.n):
        values[columns[i]] = x[i]


@kernel(inline=False)
def left_in(a: PartTable, given: Floats) -> Float:
    """Return the largest residual of a block, in scales."""
    x, per, work = floats_at(a.x), floats_at(a.per), floats_at(a.work)
    return residual_size(
        function_at(a.function), x, given, ints_at(a.dimensions), per, work
    )


@kernel(inline=False)
def find_steepest(a: PartTable, given: Floats) -> None:
    """Write the largest entry of each row of the Jacobian of a block, unknowns in scales."""
    steepest_entries(
        function_at(a.function),
        floats_at(a.x),
        given,
        ints_at(a.dimensions),
        ints_at(a.entry_rows),
        ints_at(a.entry_columns),
        floats_at(a.unit),
        floats_at(a.steep),
        floats_at(a.work),
    )


@kernel(inline=False)
def close_part(a: PartTable, sizes: Ints, at: Ints, given: Floats) -> Float:
    """Move unknowns of a block until its equations hold; return the largest residual."""
    return take_newton_steps(
        NonlinearEquations(
            function=function_at(a.function),
            solver=function_at(0),
            x=floats_at(a.x),
            given=given,
            sizes=sizes,
            rows=ints_at(a.entry_rows),
            columns=ints_at(a.entry_columns),
            at=at,
            per=floats_at(a.per),
            unit=floats_at(a.unit),
            weight=floats_at(a.weight),
            ease=floats_at(a.ease),
        ),
        floats_at(a.report),
        floats_at(a.work),
    )


@kernel(inline=False)
def step_part(a: PartTable, sizes: Ints, at: Ints, given: Floats) -> Int:
    """Take the one Newton step of linear equations; return whether it is certain."""
    report = floats_at(a.report)
    is_finite = take_one_step(
        NonlinearEquations(
            function=function_at(a.function),
            solver=function_at(0),
            x=floats_at(a.x),
            given=given,
            sizes=sizes,
            rows=ints_at(a.entry_rows),
            columns=ints_at(a.entry_columns),
            at=at,
            per=floats_at(a.per),
            unit=floats_at(a.unit),
            weight=floats_at(a.weight),
            ease=floats_at(a.ease),
        ),
        SPEED_RANK,
        report,
        floats_at(a.work),
    )
    return min(is_finite, int(report[Report.CONDITION] < TRUSTED))


@kernel
def is_certain(count: Int, report: Floats) -> Int:
    """Return whether rounding can change neither the solution nor the way to it."""
    if not report[Report.CONDITION] < TRUSTED:
        return 0
    bound = report[Report.ROUNDING_BOUND]
    if not bound < INFINITE:
        return 0
    return max(int(int(report[Report.RANK]) == count), int(bound < UNIQUE_STEP))


@kernel
def median(count: Int, values: Floats) -> Float:
    """Return the middle one of an odd count of values, which are put in order."""
    for i in range(1, count):
        for k in range(i):
            j = i - k
            if values[j] < values[j - 1]:
                values[j], values[j - 1] = values[j - 1], values[j]
    return values[count // 2]


@kernel(inline=False)
def scale_conditions(s: PartsTable, given: Floats, values: Floats) -> None:
    """Scale conditions by the steepest usual gradient of their part, and all other equations."""
    steep, of_owner = floats_at(s.steep), floats_at(s.of_owner)
    owner, rest, sample = ints_at(s.owner), floats_at(s.rest), floats_at(s.sample)
    for c in range(s.conditions):
        steep[c] = 0.0
        of_owner[c] = 0.0
    for k in range(s.count):
        a = PartTable.at(ints_at(s.parts), k * PartTable.SIZE)
        if a.conditions == 0 or a.n == 0:
            continue
        x, columns, rows = floats_at(a.x), ints_at(a.columns), ints_at(a.rows)
        spreads, found = floats_at(a.spreads), floats_at(a.steep)
        for j in range(s.spreads):
            for i in range(a.n):
                x[i] = values[columns[i]] + spreads[j * a.n + i]
            find_steepest(a, given)
            for c in range(a.conditions):
                sample[c * s.spreads + j] = found[c] if isfinite(found[c]) else 0.0
        for c in range(a.conditions):
            steep[rows[c]] = median(s.spreads, tail(sample, c * s.spreads))
    for c in range(s.conditions):
        of_owner[owner[c]] = max(of_owner[owner[c]], steep[c])
    for k in range(s.count):
        a = PartTable.at(ints_at(s.parts), k * PartTable.SIZE)
        rows, per = ints_at(a.rows), floats_at(a.per)
        for i in range(a.m):
            if rows[i] < s.conditions:
                size = of_owner[owner[rows[i]]]
                per[i] = 1.0 / size if size > 0.0 else 1.0
            else:
                per[i] = 1.0 / rest[rows[i] - s.conditions]


@kernel
def rounding_of(n: Int, q: Floats, unit: Floats) -> Float:
    """Return the violation of closed loops that is due to rounding."""
    far = 1.0
    for i in range(n):
        if unit[i] != 1.0:
            far = max(far, fabs(q[i] / unit[i]))
    return ROUNDING * far


# --- positions by blocks -------------------------------------------------------------------


@kernel(inline=False)
def close_block(a: PartTable, f: MovesTable, given: Floats, q: Floats) -> Int:
    """Close one block, by hidden unknowns if they can; return whether that is certain."""
    report = floats_at(a.report)
    take_unknowns(a, q)
    if left_in(a, given) < 1e-2 * CLOSED:
        return 1
    if a.n == 0:
        return 0
    if f.inner_count > 0:
        left = close_part(a, ints_at(f.inner_sizes), ints_at(f.inner_places), given)
        if left < 0.1 * CLOSED:
            write_unknowns(a, q)
            return is_certain(f.inner_count, report)
        if not left > CLEAR_DIFFERENCE:
            return 0
        take_unknowns(a, q)
    left = close_part(a, ints_at(f.sizes), ints_at(f.places), given)
    if not left < 0.1 * CLOSED:
        return 0
    if is_certain(f.count, report) == 0:
        return 0
    if f.inner_count > 0:  # that what is hidden cannot do it alone must be plain
        x, columns, unit = floats_at(a.x), ints_at(a.columns), floats_at(a.unit)
        seen, far = ints_at(f.seen), 0.0
        for i in range(a.n):
            if seen[i] > 0:
                far = max(far, fabs(x[i] - q[columns[i]]) / unit[i])
        if not far > CLEAR_DIFFERENCE:
            return 0
    write_unknowns(a, q)
    return 1


@kernel
def solve_pose(s: PartsTable, moves: Ints, given: Floats, q: Floats) -> Int:
    """Move q to the nearest pose that meets all equations; return whether it is certain."""
    if rounding_of(s.n, q, floats_at(s.unit)) > CLOSED:
        return 0
    if s.conditions > 0:
        scale_conditions(s, given, q)
    for k in range(s.count):
        a = PartTable.at(ints_at(s.parts), k * PartTable.SIZE)
        f = MovesTable.at(moves, k * MovesTable.SIZE)
        if close_block(a, f, given, q) == 0:
            return 0
    return 1


@kernel(inline=False)
def left_of_pose(s: PartsTable, given: Floats, q: Floats) -> Float:
    """Return the largest residual of all blocks at q, in scales."""
    if s.conditions > 0:
        scale_conditions(s, given, q)
    size = 0.0
    for k in range(s.count):
        a = PartTable.at(ints_at(s.parts), k * PartTable.SIZE)
        take_unknowns(a, q)
        size = max(size, left_in(a, given))
    return size


# --- speeds by blocks ----------------------------------------------------------------------


@kernel
def largest_part(n: Int, values: Floats, unit: Floats) -> Float:
    """Return the largest value, in units."""
    size = 0.0
    for i in range(n):
        size = max(size, fabs(values[i] / unit[i]))
    return size


@kernel
def solve_speeds(
    s: PartsTable, moves: Ints, given: Floats, u: Floats, typical: Float
) -> Int:
    """Move u to the nearest speeds that meet all equations; return whether it is certain.

    `typical` is the size of speeds that u was made of.
    """
    if s.conditions > 0:
        scale_conditions(s, given, u)
    unit = floats_at(s.unit)
    typical = max(typical, largest_part(s.n, u, unit))
    left = 0.0
    for k in range(s.count):
        a = PartTable.at(ints_at(s.parts), k * PartTable.SIZE)
        f = MovesTable.at(moves, k * MovesTable.SIZE)
        take_unknowns(a, u)
        missed = left_in(a, given)
        typical = max(typical, missed)
        if missed == 0.0:
            continue
        if f.has_free > 0:
            if step_part(a, ints_at(f.sizes), ints_at(f.places), given) == 0:
                return 0
            write_unknowns(a, u)
            missed = left_in(a, given)
        left = max(left, missed)
    typical = max(typical, largest_part(s.n, u, unit))
    return int(left <= 0.1 * CLOSED * typical)


# --- closed forms --------------------------------------------------------------------------


@kernel(inline=False)
def unwrap_angles(s: StartTable, n_free: Int, free: Ints, n_cut: Int) -> None:
    """Write q with the least turns of some coordinates, and references of unwrapped angles."""
    p = floats_at(s.p)
    unwrap(
        function_at(s.angles),
        p,
        floats_at(s.given),
        floats_at(s.starts),
        s.n_unwrapped,
        ints_at(s.turning),
        floats_at(s.cut),
        floats_at(s.cut_starts),
        ints_at(s.counts),
        ints_at(s.others),
        floats_at(s.signs),
        tail(p, s.references),
        n_free,
        free,
        n_cut,
    )


@kernel(inline=False)
def begin_at(s: StartTable, q: Floats) -> None:
    """Write states and references of coordinates for the closed forms."""
    own, states, places = floats_at(s.given), floats_at(s.states), ints_at(s.state_q)
    for i in range(s.n_q):
        own[i] = q[i]
    for i in range(s.n_state_q):
        states[i] = q[places[i]]
    unwrap_angles(s, 0, places, 0)


@kernel(inline=False)
def find_coordinates(s: StartTable) -> None:
    """Write the coordinates that closed forms give to `values`."""
    positions, given, p = function_at(s.positions), floats_at(s.given), floats_at(s.p)
    values = floats_at(s.values)
    t, z = tail(given, s.n_q), tail(given, s.n_q + 1)
    own = tail(p, s.n_live)
    positions(t, floats_at(s.states), z, p, own, values, tail(values, s.n_q))


@kernel(inline=False)
def find_signs(s: StartTable, w: WantedTable, q: Floats, farthest: Int) -> Float:
    """Write the signs that lead nearest to wanted values; return the largest deviation."""
    given, p, wanted = floats_at(s.given), floats_at(s.p), floats_at(w.values)
    at, coordinate, left = ints_at(w.followed), ints_at(w.coordinate), floats_at(s.left)
    for i in range(w.n):
        wanted[at[i]] = q[coordinate[i]]
    nearest_signs(
        function_at(s.positions),
        tail(given, s.n_q),
        floats_at(s.states),
        tail(given, s.n_q + 1),
        p,
        tail(p, s.n_live),
        floats_at(s.values),
        s.n_q,
        s.n_steps,
        ints_at(w.signs),
        ints_at(w.counts),
        ints_at(w.place),
        wanted,
        floats_at(w.unit),
        farthest,
        left,
    )
    return largest(s.n_steps, left)


@kernel(inline=False)
def position_left(s: StartTable) -> Float:
    """Return the largest residual at the pose, in scales."""
    given, r = floats_at(s.given), floats_at(s.r)
    if s.conditions > 0:
        parts = PartsTable.at(ints_at(s.pose_parts), 0)
        return left_of_pose(parts, tail(given, s.n_q), given)
    residuals = function_at(s.residuals)
    residuals(given, tail(given, s.n_q), tail(given, s.n_q + 1), floats_at(s.p), r)
    return largest(s.n_equations, r)


@kernel
def pose_tolerance(s: StartTable) -> Float:
    """Return the residual below which loops count as closed."""
    return max(CLOSED, rounding_of(s.n_q, floats_at(s.given), floats_at(s.coordinates)))


@kernel
def apart_by(left: Float) -> Int:
    """Return whether a residual is larger than rounding; if not, nothing is certain."""
    return Answer.ELSEWHERE if left > CLEAR_DIFFERENCE else Answer.UNCERTAIN


@kernel(inline=False)
def begin_by_guesses(s: StartTable, f: PatternTable, q: Floats) -> Int:
    """Find the pose by closed forms on the branches nearest to guesses."""
    if s.guesses == 0:
        return Answer.ELSEWHERE
    begin_at(s, q)
    if not find_signs(s, WantedTable.at(ints_at(s.guess_wanted), 0), q, 0) < INFINITE:
        return Answer.ELSEWHERE
    own, values = floats_at(s.given), floats_at(s.values)
    if f.fixes_dependent > 0:
        fixed, unit, far = ints_at(f.q), floats_at(s.coordinates), 0.0
        for i in range(s.n_q):
            if fixed[i] > 0:
                apart = fabs(values[i] - q[i]) / unit[i]
                if not isfinite(apart):
                    return Answer.UNCERTAIN
                far = max(far, apart)
        if not far <= FIXED_FITS:
            return apart_by(far)
    for i in range(s.n_q):
        own[i] = values[i]
    left = position_left(s)
    if left < CLOSED or left < pose_tolerance(s):
        return Answer.FOUND
    return apart_by(left)


@kernel
def begin_elsewhere(s: StartTable, f: PatternTable, q: Floats) -> None:
    """Begin at q, or where it is not given at the assembled pose."""
    own, starts, guess = floats_at(s.given), floats_at(s.starts), floats_at(s.guess)
    fixed = ints_at(f.q)
    for i in range(s.n_q):
        is_given = max(int(q[i] != starts[i]), fixed[i])
        own[i] = q[i] if is_given > 0 else guess[i]


@kernel(inline=False)
def is_closed_by_states(s: StartTable) -> Int:
    """Close the loops by the dependent coordinates alone; return whether that is certain."""
    q, before = floats_at(s.given), floats_at(s.values)
    tolerance = pose_tolerance(s)
    for i in range(s.n_q):
        before[i] = q[i]
    left = contract_selected(
        function_at(s.newton),
        tail(q, s.n_q),
        tail(q, s.n_q + 1),
        floats_at(s.p),
        q,
        floats_at(s.r),
        floats_at(s.J),
        s.n_equations,
        s.n_unknowns,
        ints_at(s.unknowns),
        floats_at(s.unknown_scale),
        ints_at(s.solved),
        s.n_entries,
        ints_at(s.places),
        1e-2 * tolerance,
        floats_at(s.newton_work),
    )
    if left < tolerance:
        return 1
    for i in range(s.n_q):
        q[i] = before[i]
    return 0


@kernel
def close_pose(s: StartTable, f: PatternTable) -> Int:
    """Close the loops from the pose at hand; return an `Answer`."""
    left = position_left(s)
    if left < 1e-2 * CLOSED or left < 1e-2 * pose_tolerance(s):
        return 1
    if f.fixes_states > 0 and f.fixes_dependent == 0 and s.contracts > 0:
        if s.newton == 0:
            return Answer.NEEDS_NEWTON
        if is_closed_by_states(s) > 0:
            return 1
    if s.pose_parts == 0:
        return Answer.NEEDS_POSE
    if f.pose_moves == 0:
        return Answer.UNCERTAIN
    given = floats_at(s.given)
    parts = PartsTable.at(ints_at(s.pose_parts), 0)
    return solve_pose(parts, ints_at(f.pose_moves), tail(given, s.n_q), given)


@kernel(inline=False)
def is_near(s: StartTable, q: Floats) -> Int:
    """Return whether closed forms give the coordinates of a pose."""
    formed, turns = ints_at(s.formed), ints_at(s.turns)
    values, unit = floats_at(s.values), floats_at(s.coordinates)
    for i in range(s.n_formed):
        k = formed[i]
        apart = values[k] - q[k]
        if not isfinite(apart):
            return 0
        if turns[i] > 0:
            apart -= TURN * floor(apart / TURN + 0.5)
        if not fabs(apart) < BRANCH_FITS * unit[k]:
            return 0
    return 1


@kernel
def take_branches(s: StartTable) -> Int:
    """Write the signs on which closed forms give the pose at hand; return 0 if none do."""
    q, p = floats_at(s.given), floats_at(s.p)
    last = floats_at(s.last_signs)
    signs = tail(p, s.n_live + s.branches)
    begin_at(s, q)
    for i in range(s.n_steps):
        signs[i] = last[i]
    find_coordinates(s)
    if is_near(s, q) > 0:
        return 1
    find_signs(s, WantedTable.at(ints_at(s.pose_wanted), 0), q, 1)
    if is_near(s, q) == 0:
        return 0
    for i in range(s.n_steps):
        last[i] = signs[i]
    return 1


# --- speeds --------------------------------------------------------------------------------


@kernel(inline=False)
def speed_left(s: StartTable) -> Float:
    """Return the largest residual of the equations for speeds, in scales."""
    given, a, speeds = floats_at(s.given), floats_at(s.a), function_at(s.speeds)
    t, z = tail(given, s.n_q), tail(given, s.n_q + 1)
    speeds(given, floats_at(s.u), t, z, floats_at(s.p), a)
    return largest(s.n_velocity, a)


@kernel
def needs_speeds(s: StartTable, f: PatternTable) -> Int:
    """Return whether dependent speeds must be solved for: at rest, where time moves something."""
    if s.moves > 0 or f.fixes_dependent_speeds > 0:
        return 1
    if f.leaves_speeds == 0:
        return 0
    u = floats_at(s.u)
    if s.guessed > 0 or largest(s.n_u, u) > 0.0:
        return 1
    return int(speed_left(s) > 0.0)


@kernel(inline=False)
def find_speeds(s: StartTable, f: PatternTable, typical: Float) -> Int:
    """Find the nearest speeds that meet everything; return an `Answer`."""
    if s.speed_parts == 0:
        return Answer.NEEDS_SPEEDS
    if f.speed_moves == 0:
        return 0
    given = floats_at(s.given)
    parts = PartsTable.at(ints_at(s.speed_parts), 0)
    return solve_speeds(parts, ints_at(f.speed_moves), given, floats_at(s.u), typical)


# --- states of blocks ----------------------------------------------------------------------


@kernel(inline=False)
def respond(s: StartTable, b: BlocksTable) -> None:
    """Find the accelerations of the motion at hand."""
    given, X, rates = floats_at(s.given), floats_at(s.X), floats_at(b.rates)
    u = floats_at(s.u)
    for i in range(s.n_q):
        X[i] = given[i]
    for i in range(s.n_u):
        X[s.n_q + i] = u[i]
    for i in range(s.n_z):
        X[s.n_q + s.n_u + i] = given[s.n_q + 1 + i]
    full_state_rates = function_at(b.full_state_rates)
    full_state_rates(tail(given, s.n_q), X, floats_at(s.p), rates)


@kernel(inline=False)
def find_explicit(s: StartTable, b: BlocksTable, found: Floats) -> None:
    """Write the states of blocks as they follow from their inputs."""
    respond(s, b)
    given, explicit = floats_at(s.given), function_at(b.explicit)
    t, z, ud = tail(given, s.n_q), tail(given, s.n_q + 1), tail(floats_at(b.rates), s.n_q)
    explicit(t, given, floats_at(s.u), ud, z, floats_at(b.forces), floats_at(s.p), found)


@kernel(inline=False)
def find_left(s: StartTable, b: BlocksTable) -> None:
    """Write the residuals of the states of blocks."""
    respond(s, b)
    given, residual = floats_at(s.given), function_at(b.residual)
    t, z, ud = tail(given, s.n_q), tail(given, s.n_q + 1), tail(floats_at(b.rates), s.n_q)
    forces, left = floats_at(b.forces), floats_at(b.left)
    residual(t, given, floats_at(s.u), ud, z, forces, floats_at(s.p), left)


@kernel(inline=False)
def find_slopes(s: StartTable, f: PatternTable, b: BlocksTable) -> None:
    """Write the derivatives of the residuals by the states that are found, row by row.

    They are exact but for the accelerations that follow from the states.
    """
    respond(s, b)
    given, slopes, J = floats_at(s.given), function_at(b.slopes), floats_at(b.J)
    z, rates = tail(given, s.n_q + 1), floats_at(b.rates)
    t, ud = tail(given, s.n_q), tail(rates, s.n_q)
    by_states, by_response = floats_at(b.by_states), floats_at(b.by_response)
    response = floats_at(b.response)
    n, states, rows = f.n_blocks, ints_at(f.block_states), ints_at(f.block_rows)
    u, forces, p = floats_at(s.u), floats_at(b.forces), floats_at(s.p)
    slopes(t, given, u, ud, z, forces, p, by_states, by_response)
    for i in range(n):
        for j in range(n):
            J[i * n + j] = by_states[states[j] * b.n_residual + rows[i]]
    if b.needs_rates == 0:
        return
    for k in range(s.n_u):
        response[k] = ud[k]
    for j in range(n):
        kept = z[states[j]]
        z[states[j]] = kept + BLOCK_DIFFERENCE * max(fabs(kept), 1.0)
        step = z[states[j]] - kept
        respond(s, b)
        for i in range(n):
            total = 0.0
            for k in range(s.n_u):
                change = ud[k] - response[k]
                total += by_response[k * b.n_residual + rows[i]] * change
            J[i * n + j] += total / step
        z[states[j]] = kept


@kernel(inline=False)
def step_blocks(n: Int, J: Floats, r: Floats, step: Floats, work: Floats) -> Int:
    """Write the Newton step of the states of blocks; return whether their rank is certain."""
    a, b, report = tail(work, 0), tail(work, n * n), tail(work, n * n + n)
    size, rest = (
        tail(work, n * n + n + Report.SIZE),
        tail(work, n * n + 2 * n + Report.SIZE),
    )
    for j in range(n):
        size[j] = 0.0
        for i in range(n):
            size[j] = max(size[j], fabs(J[i * n + j]))
        if size[j] == 0.0:
            size[j] = 1.0
    for i in range(n):
        row = 0.0
        for j in range(n):
            row = max(row, fabs(J[i * n + j]))
        if row == 0.0:
            row = 1.0
        for j in range(n):
            a[i * n + j] = J[i * n + j] / row / size[j]
        b[i] = r[i] / row
    report[Report.CONDITION] = 1.0
    solve_least_squares(n, n, 0, a, a, b, RANK, step, step, report, rest)
    for j in range(n):
        step[j] /= size[j]
    if not report[Report.CONDITION] < SURE_RANK:
        return 0
    return int(int(report[Report.RANK]) == n)


@kernel(inline=False)
def solve_blocks(s: StartTable, f: PatternTable, b: BlocksTable) -> Int:
    """Find the states of blocks at which their residuals vanish, by whole Newton steps."""
    n, states, rows = f.n_blocks, ints_at(f.block_states), ints_at(f.block_rows)
    z, left, J = tail(floats_at(s.given), s.n_q + 1), floats_at(b.left), floats_at(b.J)
    work = floats_at(b.work)
    r, step, rest = tail(work, 0), tail(work, n), tail(work, 2 * n)
    before, is_found = INFINITE, 0
    for _ in range(UNDAMPED_STEPS):
        find_left(s, b)
        for i in range(n):
            r[i] = left[rows[i]]
        if not isfinite(largest(n, r)):
            return 0
        find_slopes(s, f, b)
        if step_blocks(n, J, r, step, rest) == 0:
            return 0
        size, change = 0.0, largest(n, step)
        for j in range(n):
            z[states[j]] -= step[j]
            size = max(size, fabs(z[states[j]]))
        if change <= BLOCK_STEP * size:
            is_found = 1
        if change <= STALLED_STEP * size and change >= 0.5 * before:
            is_found = 1
        if is_found > 0:
            break
        before = change
    if is_found == 0:
        return 0
    find_left(s, b)
    for i in range(n):
        r[i] = left[rows[i]]
    find_slopes(s, f, b)
    for i in range(n):
        strength = 0.0
        for j in range(n):
            strength = max(strength, fabs(J[i * n + j]) * max(fabs(z[states[j]]), 1.0))
        if strength == 0.0:
            strength = 1.0
        if not fabs(r[i]) / strength <= START_CONDITION:
            return 0
    return 1


@kernel
def find_blocks(s: StartTable, f: PatternTable) -> Int:
    """Find the states of blocks; return whether they are certain."""
    if s.blocks == 0 or f.n_blocks == 0:
        return 1
    b = BlocksTable.at(ints_at(s.blocks), 0)
    if b.explicit == 0 or f.all_blocks == 0:
        return solve_blocks(s, f, b)
    found, z = floats_at(b.left), tail(floats_at(s.given), s.n_q + 1)
    find_explicit(s, b, found)
    for i in range(s.n_z):
        z[i] = found[i]
    return 1


# --- the whole start -----------------------------------------------------------------------


@kernel
def take_given(s: StartTable, t: Float, X: Floats, live: Floats) -> None:
    """Take time, states of blocks and live parameters."""
    given, p = floats_at(s.given), floats_at(s.p)
    given[s.n_q] = t
    first = s.n_q + s.n_u
    for i in range(s.n_z):
        given[s.n_q + 1 + i] = X[first + i]
    for i in range(s.n_live):
        given[s.n_q + 1 + s.n_z + i] = live[i]
        p[i] = live[i]


@kernel(inline=False)
def keeps_speeds(s: StartTable, given_u: Floats) -> Int:
    """Return whether dependent speeds, given and found, keep the loops closed."""
    q, u, X = floats_at(s.given), floats_at(s.u), floats_at(s.X)
    unit = floats_at(s.unit_u)
    for i in range(s.n_q):
        q[i] = X[i]
    for i in range(s.n_u):
        u[i] = X[s.n_q + i]
    allowed = max(largest_part(s.n_u, u, unit), largest_part(s.n_u, given_u, unit))
    return int(speed_left(s) <= CLOSED * allowed)


@kernel
def finish(s: StartTable, follows: Int, given_u: Floats) -> Int:
    """Write state, motion and parameters of the start; return whether it is certain.

    With `follows`, speeds were not solved for: those of the states tell the others.
    """
    q, u, x, X = floats_at(s.given), floats_at(s.u), floats_at(s.x), floats_at(s.X)
    t, p = tail(q, s.n_q), floats_at(s.p)
    state_q, state_u = ints_at(s.state_q), ints_at(s.state_u)
    for i in range(s.n_state_q):
        x[i] = q[state_q[i]]
    for i in range(s.n_state_u):
        x[s.n_state_q + i] = u[state_u[i]]
    for i in range(s.n_z):
        x[s.n_state_q + s.n_state_u + i] = q[s.n_q + 1 + i]
    if s.project != 0:
        project, projected = function_at(s.project), floats_at(s.projected)
        project(t, x, p, projected)
        for i in range(s.n_x):
            x[i] = projected[i]
    full_state = function_at(s.full_state)
    full_state(t, x, p, X)
    if follows > 0:
        if keeps_speeds(s, given_u) == 0:
            return 0
    if not largest(s.n_motion, X) < INFINITE:
        return 0
    if s.margins != 0:
        margins, margin = function_at(s.margins), floats_at(s.margin)
        margins(t, x, p, margin)
        for i in range(s.n_margins):
            if not margin[i] >= SAFE:
                return 0
    return 1


@kernel(inline=False)
def find_start(s: StartTable, f: PatternTable, t: Float, X: Floats, live: Floats) -> Int:
    """Find one start; return an `Answer`."""
    u, given_u = floats_at(s.u), tail(X, s.n_q)
    take_given(s, t, X, live)
    found = begin_by_guesses(s, f, X)
    if found == Answer.UNCERTAIN:
        return 0
    if found == Answer.ELSEWHERE:
        if s.guided > 0:
            return Answer.UNCERTAIN
        begin_elsewhere(s, f, X)
        found = close_pose(s, f)
        if found != Answer.FOUND:
            return found
        if s.n_steps > 0:
            if take_branches(s) == 0:
                return 0
    for i in range(s.n_u):
        u[i] = given_u[i]
    needs = needs_speeds(s, f)
    if needs > 0:
        found = find_speeds(s, f, 0.0)
        if found != Answer.FOUND:
            return found
    unwrap_angles(s, f.n_free_turns, ints_at(f.free_turns), s.n_cut)
    if find_blocks(s, f) == 0:
        return 0
    return finish(s, 1 - needs, given_u)


@kernel
def find_starts(
    s: StartTable,
    f: PatternTable,
    t: Float,
    count: Int,
    X: Floats,
    n_live: Int,
    live: Floats,
    motion: Floats,
    states: Floats,
    p: Floats,
    found: Ints,
) -> Int:
    """Find the starts of a block of variants: motion, states and parameters of each.

    `n_live` is 0 if live parameters are the same for all. Returns 0, or the `Answer` that says
    which code has to be made first.
    """
    own_X, own_x, own_p = floats_at(s.X), floats_at(s.x), floats_at(s.p)
    for k in range(count):
        found[k] = find_start(s, f, t, tail(X, k * s.n_motion), tail(live, k * n_live))
        if found[k] < 0:
            return found[k]
        if found[k] > 0:
            for i in lanes(s.n_motion):
                motion[k * s.n_motion + i] = own_X[i]
            for i in lanes(s.n_x):
                states[k * s.n_x + i] = own_x[i]
            for i in lanes(s.n_p):
                p[k * s.n_p + i] = own_p[i]
    return 0


@kernel
def unwrap_start(s: StartTable, f: PatternTable) -> None:
    """Write angles that are not given near their start values, and references of all."""
    unwrap_angles(s, f.n_free_turns, ints_at(f.free_turns), s.n_cut)


START_KERNELS = (
    find_starts,
    take_given,
    begin_by_guesses,
    begin_elsewhere,
    close_pose,
    take_branches,
    needs_speeds,
    find_speeds,
    unwrap_start,
    find_blocks,
    finish,
    find_coordinates,
)
PART_KERNELS = (solve_pose, solve_speeds)
"""Kernels that are compiled together, so that all users share one library."""
