"""Gragg, Bulirsch and Stoer's extrapolation method of orders 4 to 14, four columns at once.

The right-hand side of a small mechanism waits for its own results more than it computes, so
that four states at once take little longer than one. The columns of an extrapolation do not
depend on each other and fill four lanes: a step of order 2k costs 2k evaluations in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fabs, isfinite, prod, sqrt

from motorik.compiler.kernels import Float, Floats, Function, Int, kernel, lanes, tail
from motorik.compiler.straight.lanes import LANES
from motorik.simulation.driver import make_method
from motorik.simulation.methods import gbs_plan
from motorik.simulation.stepping.norm import error_norm, make_measure, weigh
from motorik.simulation.stepping.step_kernels import (
    audit_rate,
    count_border,
    go_back,
    is_last,
    keep_start,
    make_begin,
    put_back,
    smallest_step,
)
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Status, Vec, Work

# --- the modified midpoint rule in lanes ---------------------------------------------------
# Four columns of an extrapolation are computed at once in lanes of a vector. A column goes
# over a length H in n = 2j substeps h = H / n (Gragg 1965). With the increment d over the
# state x at its start,
#
#     d₁ = h f(t, x),   dᵢ₊₁ = dᵢ₋₁ + 2h f(t + i h, x + dᵢ),
#
# its result is dₙ. Increments are rounded less than states would be, which matters because an
# extrapolation magnifies rounding.


class GbsInteger:
    """Integers of the method in `m`."""

    COLUMNS = Counts.method  # of the next step
    COLUMNS_OLD = COLUMNS + 1  # of the last step
    NODES = COLUMNS_OLD + 1  # choice of the nodes of its interpolation


class GbsReal:
    """Numbers of the method in the head of `w`; the first three for each lane."""

    TIME = Work.method
    SUBSTEP = TIME + gbs_plan.LANES  # h
    SPAN = SUBSTEP + gbs_plan.LANES  # 2h, or 0 for a lane that rests
    ERROR = SPAN + gbs_plan.LANES  # errors with all columns, in units of the tolerance …
    ERROR_BELOW = ERROR + 1  # … and with one column less


class GbsVec:
    """Vectors of the method; those of lanes have n × 4 numbers."""

    F_OLD = Vec.K  # rate at t_old
    TABLEAU = Vec.K + 1  # results of the columns
    ORIGIN = TABLEAU + gbs_plan.SLOTS  # x of each lane
    POINT = ORIGIN + gbs_plan.LANES  # x + d
    RATE = POINT + gbs_plan.LANES
    D_ODD = RATE + gbs_plan.LANES
    D_EVEN = D_ODD + gbs_plan.LANES
    NODES = D_EVEN + gbs_plan.LANES  # states of the interior nodes of the interpolation
    NODE_RATES = NODES + gbs_plan.MOST_NODES
    ENDS = NODE_RATES + gbs_plan.MOST_NODES  # ends of the columns, see `extrapolate`
    PARAMETERS = ENDS + 1  # behind all vectors: the parameters, each in all lanes


@kernel
def start_task(
    n: Int, w: Work, task: Int, lane: Int, t: Float, H: Float, d: Floats, d_before: Floats
) -> None:
    """Put the first substep of a task into a lane; the step goes from t on by H."""
    h = gbs_plan.PART[task] * H / (2.0 * gbs_plan.COLUMN[task])
    ahead = gbs_plan.PART[task] > 0.0
    w[GbsReal.TIME + lane] = min(max((t if ahead else t + H) + h, w.t_from), w.t_upto)
    w[GbsReal.SUBSTEP + lane] = h
    w[GbsReal.SPAN + lane] = 2.0 * h
    x = tail(w, HEAD + (Vec.X_OLD if ahead else Vec.X) * n)
    f = tail(w, HEAD + (GbsVec.F_OLD if ahead else Vec.F) * n)
    origin = tail(w, HEAD + GbsVec.ORIGIN * n)
    point = tail(w, HEAD + GbsVec.POINT * n)
    for i in range(n):
        place = gbs_plan.LANES * i + lane
        change = h * f[i]
        origin[place] = x[i]
        point[place] = x[i] + change
        d[place] = change
        d_before[place] = 0.0


@kernel
def leap(n: Int, w: Work, d: Floats) -> None:
    """Replace dᵢ₋₁ by dᵢ₊₁ in all lanes."""
    rate = tail(w, HEAD + GbsVec.RATE * n)
    origin = tail(w, HEAD + GbsVec.ORIGIN * n)
    point = tail(w, HEAD + GbsVec.POINT * n)
    span = tail(w, GbsReal.SPAN)
    for i in range(n):
        for l in lanes(gbs_plan.LANES):
            change = d[gbs_plan.LANES * i + l] + span[l] * rate[gbs_plan.LANES * i + l]
            d[gbs_plan.LANES * i + l] = change
            point[gbs_plan.LANES * i + l] = origin[gbs_plan.LANES * i + l] + change
    time = tail(w, GbsReal.TIME)
    pitch = tail(w, GbsReal.SUBSTEP)
    for l in lanes(gbs_plan.LANES):
        time[l] = min(max(time[l] + pitch[l], w.t_from), w.t_upto)


@kernel(inline=False)
def set_point(n: Int, w: Work, lane: Int, t: Float, x: Floats) -> None:
    """Put time and state into a lane, to be evaluated."""
    w[GbsReal.TIME + lane] = min(max(t, w.t_from), w.t_upto)
    point = tail(w, HEAD + GbsVec.POINT * n + lane)
    for i in range(n):
        point[gbs_plan.LANES * i] = x[i]


@kernel(inline=False)
def set_end(n: Int, w: Work, slot: Int, lane: Int, t: Float) -> None:
    """Put the end of a column into a lane, to be evaluated."""
    w[GbsReal.TIME + lane] = min(max(t, w.t_from), w.t_upto)
    x = tail(w, HEAD + Vec.X_OLD * n)
    d = tail(w, HEAD + (GbsVec.TABLEAU + slot) * n)
    point = tail(w, HEAD + GbsVec.POINT * n + lane)
    for i in range(n):
        point[gbs_plan.LANES * i] = x[i] + d[i]


@kernel(inline=False)
def get_rate(n: Int, w: Work, lane: Int, f: Floats) -> None:
    """Take the rate out of a lane."""
    rate = tail(w, HEAD + GbsVec.RATE * n + lane)
    for i in range(n):
        f[i] = rate[gbs_plan.LANES * i]


@kernel(inline=False)
def run_plan(
    n: Int, w: Work, m: Counts, rhs: Function, plan: Int, t: Float, H: Float
) -> None:
    """Carry out the tasks of a plan, on a step from t on by H.

    All lanes but the first rest while the longest column of a whole step is evaluated for
    the last time: there they compute the rates at which some of the others end, where laws
    have kinks.
    """
    tableau = tail(w, HEAD + GbsVec.TABLEAU * n)
    point = tail(w, HEAD + GbsVec.POINT * n)
    rate = tail(w, HEAD + GbsVec.RATE * n)
    d = tail(w, HEAD + GbsVec.D_ODD * n)
    d_before = tail(w, HEAD + GbsVec.D_EVEN * n)
    p = tail(w, HEAD + GbsVec.PARAMETERS * n)
    ends = tail(w, HEAD + GbsVec.ENDS * n)
    last, samples = gbs_plan.NONE, int(m.discontinuities > 0 and plan <= gbs_plan.COLUMNS)
    if samples > 0:
        last = gbs_plan.EVALUATIONS_OF[plan] - 1
        for i in lanes(n):
            ends[i] = 0.0
    first = gbs_plan.BEGIN[plan]
    for lane in range(gbs_plan.LANES):
        task = gbs_plan.FIRST[gbs_plan.LANES * plan + lane]
        start_task(n, w, max(task, first), lane, t, H, d, d_before)
        if task == gbs_plan.NONE:
            w[GbsReal.SPAN + lane] = 0.0
    done = 0
    for task in range(first, gbs_plan.BEGIN[plan + 1]):
        while done < gbs_plan.DONE[task]:
            if done == last:
                for lane in range(1, 1 + gbs_plan.EARLY[plan]):
                    set_end(n, w, gbs_plan.FIRST_END[plan] + lane - 1, lane, t + H)
            rhs(tail(w, GbsReal.TIME), point, p, rate)
            if done == last:
                for lane in range(1, 1 + gbs_plan.EARLY[plan]):
                    pitch = (
                        H
                        * gbs_plan.END_PITCH[
                            gbs_plan.COLUMNS * plan + gbs_plan.FIRST_END[plan] + lane - 1
                        ]
                    )
                    for i in range(n):
                        ends[i] += pitch * rate[gbs_plan.LANES * i + lane]
            leap(n, w, d_before)
            d, d_before = d_before, d
            done += 1
        lane = gbs_plan.LANE[task]
        result = tail(tableau, gbs_plan.SLOT[task] * n)
        for i in range(n):
            result[i] = d[gbs_plan.LANES * i + lane]
        if samples > 0:
            weight = gbs_plan.END_WEIGHT[gbs_plan.COLUMNS * plan + gbs_plan.SLOT[task]]
            for i in range(n):
                ends[i] += weight * (d_before[gbs_plan.LANES * i + lane] - result[i])
        if gbs_plan.FOLLOWING[task] == gbs_plan.NONE:
            w[GbsReal.SPAN + lane] = 0.0
        else:
            start_task(n, w, gbs_plan.FOLLOWING[task], lane, t, H, d, d_before)
    m.evaluations += done


@kernel
def evaluate_points(n: Int, w: Work, m: Counts, rhs: Function) -> None:
    """Compute the rates of all lanes."""
    p = tail(w, HEAD + GbsVec.PARAMETERS * n)
    rhs(
        tail(w, GbsReal.TIME),
        tail(w, HEAD + GbsVec.POINT * n),
        p,
        tail(w, HEAD + GbsVec.RATE * n),
    )
    m.evaluations += 1


# --- end of the step -----------------------------------------------------------------------


@kernel(inline=False)
def rate_of(n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats, dx: Floats) -> None:
    """Compute ẋ = f(t, x, p), the same in all lanes."""
    for lane in range(LANES):
        set_point(n, w, lane, t, x)
    evaluate_points(n, w, m, ode.rhs)
    get_rate(n, w, 0, dx)


@kernel(inline=False)
def first_rate(n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats) -> None:
    """Compute the rate F = f(t, x, p), and audit it."""
    rate_of(n, w, m, ode, t, x, tail(w, HEAD + Vec.F * n))
    audit_rate(n, w, m, ode, t, x)


@kernel(inline=False)
def extrapolate(n: Int, w: Work, m: Counts, ode: Ode, k: Int, t: Float, h: Float) -> None:
    """Compute x = x_old + Σ wⱼ dⱼ from k columns, and the errors of k and k − 1 columns.

    The error is the difference to the extrapolation with one column less, of order h²ᵏ⁻¹.
    """
    x = tail(w, HEAD + Vec.X * n)
    x_old = tail(w, HEAD + Vec.X_OLD * n)
    tableau = tail(w, HEAD + GbsVec.TABLEAU * n)
    last = tail(tableau, (k - 1) * n)
    error, below = tail(w, HEAD + Vec.LOCAL_ERROR * n), tail(w, HEAD + Vec.STAGE * n)
    for i in range(n):
        change = last[i]
        total = 0.0
        total_below = 0.0
        for j in range(k - 1):
            # Σ wⱼ = 1: a weighted sum of small differences is rounded less
            d = tableau[j * n + i] - last[i]
            change += gbs_plan.WEIGHT[gbs_plan.COLUMNS * k + j] * d
            total += gbs_plan.DIFFERENCE[gbs_plan.COLUMNS * k + j] * d
            total_below += gbs_plan.DIFFERENCE[gbs_plan.COLUMNS * (k - 1) + j] * d
        x[i] = x_old[i] + change
        error[i] = total
        below[i] = total_below
    weigh(n, w, m, ode, t + h, h, x_old, x)
    w[GbsReal.ERROR] = error_norm(n, w, m, ode, t + h, x, error, 1.0)
    w[GbsReal.ERROR_BELOW] = error_norm(n, w, m, ode, t + h, x, below, 1.0)


@kernel(inline=False)
def finish(n: Int, w: Work, m: Counts, ode: Ode, t: Float, k: Int) -> Int:
    """Project the new state and compute its rate.

    The other lanes compute the rates at which the longest columns end. Return whether the rate
    is finite: no column has come to this time before.
    """
    x = tail(w, HEAD + Vec.X * n)
    if ode.project is not None:
        put_back(n, w, m, ode, t, x)
    set_point(n, w, 0, t, x)
    for lane in range(1, LANES):
        set_end(n, w, max(k - lane, 0), lane, t)
    evaluate_points(n, w, m, ode.rhs)
    f = tail(w, HEAD + Vec.F * n)
    get_rate(n, w, 0, f)
    audit_rate(n, w, m, ode, t, x)
    total = 0.0
    for i in lanes(n):
        total += 0.0 * f[i]
    return int(isfinite(total))


@kernel(inline=False)
def find_end_error(
    n: Int, w: Work, m: Counts, ode: Ode, k: Int, t: Float, H: Float
) -> Float:
    """Return the change of the state by the rates at the end, in units of the tolerance.

    No column has asked for a rate there: a law that changes within the last substeps would go
    unnoticed. With it, each column has a second result, Gragg's smoothed one,

        (dₙ₋₁ + dₙ + h f(t + H, x + dₙ)) / 2 = dₙ + e,

    and the difference e vanishes with h², too: extrapolated, it is zero to the same order
    where the laws are smooth.
    """
    ends, rate = tail(w, HEAD + GbsVec.ENDS * n), tail(w, HEAD + GbsVec.RATE * n)
    error = tail(w, HEAD + Vec.LOCAL_ERROR * n)
    late = min(gbs_plan.LATE, k)
    for i in range(n):
        error[i] = ends[i]
        for lane in range(1, 1 + late):
            error[i] += (
                H
                * gbs_plan.END_PITCH[gbs_plan.COLUMNS * k + k - lane]
                * rate[LANES * i + lane]
            )
    return error_norm(n, w, m, ode, t + H, tail(w, HEAD + Vec.X * n), error, 0.5)


@kernel(inline=False)
def detect_damping(n: Int, w: Work, m: Counts, h: Float, border: Float, k: Int) -> None:
    """Count the steps that damping keeps at the border of stability: −h λ > `border`.

    λ ≈ ⟨x − y, f(x) − f(y)⟩ / ⟨x − y, x − y⟩, y being the last column's own result; in units
    of the tolerance. An oscillation without damping, however fast, has λ ≈ 0: where high
    order can follow it, it is not stiff.
    """
    x, f = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.F * n)
    x_old, d = tail(w, HEAD + Vec.X_OLD * n), tail(w, HEAD + (GbsVec.TABLEAU + k - 1) * n)
    fy = tail(w, HEAD + GbsVec.RATE * n + 1)
    weight = tail(w, HEAD + Vec.WEIGHT * n)
    above = 0.0
    below = 0.0
    for i in lanes(n):
        scale = weight[i]
        apart = (x[i] - (x_old[i] + d[i])) * scale
        above += apart * (fy[LANES * i] - f[i]) * scale
        below += apart * apart
    count_border(m, int(h * above > border * below))


# --- interpolation -------------------------------------------------------------------------
# Hermite's polynomial through states and rates. Extrapolation leaves nothing accurate within
# its long step. So the states at up to four more times are extrapolated by shorter steps from
# the nearer end; with their rates, all computed at once, the polynomial through all nodes is
# as accurate as the step. Backwards, a mode that decays within the step grows: where the polynomial
# shows that, all nodes are reached from the beginning.


ROW = gbs_plan.MOST_NODES + 2
SIMPLE = 5  # columns up to which the first choice of nodes is enough
# tolerances by which a node with one column less may be off: it is as much better, …
WITHIN, WITHIN_MANY, FEW_COLUMNS = 1e4, 10.0, 4  # … if it has few columns
INACCURATE = 1.0  # tolerances by which a node may be off that is reached backwards


def make_table(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return rows of numbers end to end, each filled up to the same length."""
    return tuple(number for row in rows for number in [*row, *[0.0] * (ROW - len(row))])


def find_scales(nodes: list[float]) -> list[float]:
    """Return 1 / Π (cᵢ − cⱼ), j ≠ i, for each node cᵢ."""
    scales = []
    for i, node in enumerate(nodes):
        scale = 1.0
        for other in nodes[:i] + nodes[i + 1 :]:
            scale /= node - other
        scales.append(scale)
    return scales


def find_slopes(nodes: list[float]) -> list[float]:
    """Return Σ 1 / (cᵢ − cⱼ), j ≠ i: the slope at cᵢ of Lagrange's polynomial of cᵢ."""
    return [
        sum(1.0 / (node - other) for other in nodes[:i] + nodes[i + 1 :])
        for i, node in enumerate(nodes)
    ]


def find_peak(nodes: list[float]) -> float:
    """Return the largest Π (θ − cᵢ)² / (1 − θ) within the step."""
    return max(
        prod((k / 256 - node) ** 2 for node in nodes[:-1]) * (1.0 - k / 256)
        for k in range(257)
    )


ALL_NODES = [[0.0, *(node for node, _ in nodes), 1.0] for nodes in gbs_plan.INTERIORS]
INNER = tuple(len(nodes) for nodes in gbs_plan.INTERIORS)
# from ROW · i on: those of the i-th choice of nodes
NODE = make_table(ALL_NODES)
SCALE = make_table([find_scales(nodes) for nodes in ALL_NODES])
SLOPE = make_table([find_slopes(nodes) for nodes in ALL_NODES])
PEAK = tuple(find_peak(nodes) for nodes in ALL_NODES)
NODE_COLUMNS = tuple(
    map(int, make_table([[k for _, k in nodes] for nodes in gbs_plan.INTERIORS]))
)


@kernel
def state_of(node: Int, count: Int) -> Int:
    """Return which vector is the state at a node, of `count` with both ends."""
    inner = Vec.X if node == count - 1 else GbsVec.NODES + node - 1
    return Vec.X_OLD if node == 0 else inner


@kernel
def rate_at(node: Int, count: Int) -> Int:
    """Return which vector is the rate at a node, of `count` with both ends."""
    inner = Vec.F if node == count - 1 else GbsVec.NODE_RATES + node - 1
    return GbsVec.F_OLD if node == 0 else inner


@kernel(inline=False)
def find_nodes(n: Int, w: Work, m: Counts, ode: Ode, choice: Int) -> None:
    """Compute states and rates at the interior nodes of the last step."""
    m[GbsInteger.NODES] = choice
    t = w.t_old
    h = w.t - t
    run_plan(n, w, m, ode.rhs, gbs_plan.FIRST_NODE_PLAN + choice, t, h)
    results = tail(w, HEAD + GbsVec.TABLEAU * n)
    for node in range(INNER[choice]):
        k = NODE_COLUMNS[ROW * choice + node]
        theta = NODE[ROW * choice + node + 1]
        is_ahead = max(int(theta < 0.5), int(choice >= gbs_plan.CHOICES)) > 0
        start = tail(w, HEAD + (Vec.X_OLD if is_ahead else Vec.X) * n)
        state = tail(w, HEAD + (GbsVec.NODES + node) * n)
        last = tail(results, (k - 1) * n)
        for i in lanes(n):
            state[i] = start[i] + last[i]
        for j in range(k - 1):
            weight = gbs_plan.WEIGHT[gbs_plan.COLUMNS * k + j]
            for i in lanes(n):
                state[i] += weight * (results[j * n + i] - last[i])
        results = tail(results, k * n)
    for lane in range(gbs_plan.LANES):
        # lanes without a node repeat the last one
        node = min(lane, INNER[choice] - 1)
        theta = NODE[ROW * choice + node + 1]
        set_point(n, w, lane, t + theta * h, tail(w, HEAD + (GbsVec.NODES + node) * n))
    evaluate_points(n, w, m, ode.rhs)
    for node in range(INNER[choice]):
        get_rate(n, w, node, tail(w, HEAD + (GbsVec.NODE_RATES + node) * n))


@kernel(inline=False)
def remainder(n: Int, w: Work, m: Counts, ode: Ode, choice: Int) -> Float:
    """Return the share of the last rate in the polynomial, in tolerances: its error, or more.

    The leading coefficient is Σ (h fᵢ − 2 ℓᵢ'(cᵢ) xᵢ) / Π (cᵢ − cⱼ)².
    """
    error = tail(w, HEAD + Vec.LOCAL_ERROR * n)
    x_old = tail(w, HEAD + Vec.X_OLD * n)
    h, count = w.t - w.t_old, INNER[choice] + 2
    for i in lanes(n):
        error[i] = 0.0
    for node in range(count):
        scale = SCALE[ROW * choice + node]
        of_rate = h * scale * scale
        of_state = -2.0 * SLOPE[ROW * choice + node] * scale * scale
        x = tail(w, HEAD + state_of(node, count) * n)
        f = tail(w, HEAD + rate_at(node, count) * n)
        for i in lanes(n):
            error[i] += of_state * (x[i] - x_old[i]) + of_rate * f[i]
    x = tail(w, HEAD + Vec.X * n)
    return error_norm(n, w, m, ode, float(w.t), x, error, PEAK[choice])


@kernel(inline=False)
def prepare(n: Int, w: Work, m: Counts, ode: Ode) -> None:
    """Find an interpolation of the last step that is as accurate as the step."""
    choice = max(m[GbsInteger.COLUMNS_OLD] - SIMPLE, 0)
    find_nodes(n, w, m, ode, choice)
    if remainder(n, w, m, ode, choice) > INACCURATE:
        find_nodes(n, w, m, ode, choice + gbs_plan.CHOICES)


@kernel(inline=False)
def find_node_error(n: Int, w: Work, m: Counts) -> Float:
    """Return the largest error of the interior nodes, in units of what they may have.

    It is the difference to the extrapolation with one column less, as that of the step, and a part
    of that for nodes with few columns, which are better by more.
    """
    choice = m[GbsInteger.NODES]
    weight, atol = tail(w, HEAD + Vec.WEIGHT * n), tail(w, HEAD + Vec.ATOL * n)
    results = tail(w, HEAD + GbsVec.TABLEAU * n)
    worst = 0.0
    for node in range(INNER[choice]):
        k = NODE_COLUMNS[ROW * choice + node]
        state = tail(w, HEAD + (GbsVec.NODES + node) * n)
        last = tail(results, (k - 1) * n)
        total = 0.0
        for i in range(n):
            error = 0.0
            for j in range(k - 1):
                error += gbs_plan.DIFFERENCE[gbs_plan.COLUMNS * k + j] * (
                    results[j * n + i] - last[i]
                )
            if m[Counts.kind + i] > 0:
                error *= weight[i]
            else:
                error /= atol[i] + w.rtol * fabs(state[i])
            total += error * error
        part = 1.0 / WITHIN if k <= FEW_COLUMNS else 1.0 / WITHIN_MANY
        worst = max(worst, part * part * total)
        results = tail(results, k * n)
    return sqrt(worst / n)


@kernel(inline=False)
def interpolate(n: Int, w: Work, m: Counts, t: Float, row: Floats) -> None:
    """Write the state at a time within the last step.

    x(θ) = Σ ℓᵢ(θ)² ((1 − 2 ℓᵢ'(cᵢ) (θ − cᵢ)) xᵢ + (θ − cᵢ) h fᵢ), ℓᵢ being Lagrange's
    polynomial that is 1 at the node cᵢ and 0 at the others.
    """
    choice = m[GbsInteger.NODES]
    count = INNER[choice] + 2
    h = w.t - w.t_old
    theta = (t - w.t_old) / h
    product = 1.0
    for node in range(count):
        product *= theta - NODE[ROW * choice + node]
    for i in lanes(n):
        row[i] = 0.0
    for node in range(count):
        away = theta - NODE[ROW * choice + node]
        lagrange = product * SCALE[ROW * choice + node] / away if away != 0.0 else 1.0
        of_rate = lagrange * lagrange * away * h
        of_state = lagrange * lagrange * (1.0 - 2.0 * SLOPE[ROW * choice + node] * away)
        x = tail(w, HEAD + state_of(node, count) * n)
        f = tail(w, HEAD + rate_at(node, count) * n)
        for i in lanes(n):
            row[i] += of_state * x[i] + of_rate * f[i]


# --- the method ----------------------------------------------------------------------------


LOWEST = 2  # columns at least
FIRST_COLUMNS = 6
STEP_WORK = 3  # cost of a step besides its columns, in evaluations
SAFETY = 0.75
SHRINK = 0.1
GROW = 6.0
FEWER_BELOW = 0.8  # work with all columns, relative to one less, …
MORE_ABOVE = 1.1  # … at which their number changes

WORK = tuple(STEP_WORK + gbs_plan.EVALUATIONS_OF[k] for k in range(gbs_plan.COLUMNS + 1))


@kernel(inline=False)
def best_step(h: Float, error: Float, k: Int) -> Float:
    """Return the step size at which k columns meet the tolerance, their error being h²ᵏ⁻¹."""
    return h * SAFETY * max(error, 1e-30) ** (-1.0 / (2 * k - 1))


@kernel(inline=False)
def choose_next(w: Work, m: Counts, h: Float, k: Int, failed: Int) -> None:
    """Choose number of columns and size of the next step: the least work per time."""
    h_next = best_step(h, w[GbsReal.ERROR], k)
    ratio = 1e30
    h_below = 0.0
    if k > LOWEST:
        h_below = best_step(h, w[GbsReal.ERROR_BELOW], k - 1)
        ratio = WORK[k - 1] * h_next / (WORK[k] * h_below)
    if ratio < FEWER_BELOW:
        m[GbsInteger.COLUMNS] = k - 1
        h_next = h_below
    elif k < gbs_plan.COLUMNS and ratio > MORE_ABOVE and failed == 0:
        m[GbsInteger.COLUMNS] = k + 1
        h_next *= WORK[k + 1] / WORK[k]
    w.h = min(h_next, h if failed > 0 else GROW * h)


@kernel
def attempt(n: Int, w: Work, m: Counts, ode: Ode) -> Int:
    """Take one good step."""
    t = w.t
    keep_start(n, w)
    if m[GbsInteger.COLUMNS] == 0:
        m[GbsInteger.COLUMNS] = FIRST_COLUMNS
    planned = w.h
    h = min(planned, w.max_step)
    ends = is_last(w, h) > 0
    if ends:
        h = w.t_stop - t
    failed = 0
    while True:
        k = m[GbsInteger.COLUMNS]
        run_plan(n, w, m, ode.rhs, k, t, h)
        extrapolate(n, w, m, ode, k, t, h)
        error = w[GbsReal.ERROR]
        finite = isfinite(error)
        t_new = w.t_stop if ends else t + h
        if error <= 1.0:
            finite = finish(n, w, m, ode, t_new, k) > 0
            unseen = find_end_error(n, w, m, ode, k, t, h) if m.discontinuities > 0 else 0.0
            if finite and unseen <= 1.0:
                w.t_old, w.t, m[GbsInteger.COLUMNS_OLD] = t, t_new, k
                if m.stiff_check > 0 and failed == 0:
                    # damping makes k columns unstable beyond −h λ = 0.75 k + 1.3
                    detect_damping(n, w, m, h, 0.5 * k + 0.5, k)
                if t_new <= w.t_output:
                    break
                prepare(n, w, m, ode)
                m.dense_ready = 1
                unseen = find_node_error(n, w, m)
                if unseen <= 1.0:
                    break
                w.t, m.dense_ready = t, 0
            w[GbsReal.ERROR] = max(error, unseen)
            w[GbsReal.ERROR_BELOW] = max(w[GbsReal.ERROR_BELOW], unseen)
            finite = finite and isfinite(unseen)
        failed += 1
        m.rejected += 1
        ends = False
        if finite:
            choose_next(w, m, h, k, failed)
            h = max(min(w.h, SAFETY * h), SHRINK * h)
        else:
            h *= SHRINK
        if h < smallest_step(w):
            go_back(n, w)
            return Status.STEP_TOO_SMALL if finite else Status.NOT_FINITE
    choose_next(w, m, h, k, failed)
    if ends:
        w.h = max(w.h, planned)
    return Status.GOING


METHOD = make_method(
    "gbs",
    "Gragg–Bulirsch–Stoer extrapolation in four lanes, orders 4 to 14",
    order=2 * gbs_plan.COLUMNS,
    first_order=2 * FIRST_COLUMNS,
    vectors=GbsVec.PARAMETERS,
    attempt=attempt,
    prepare=prepare,
    interpolate=interpolate,
    begin=make_begin(rate_of, first_rate),
    measure=make_measure(rate_of),
    lanes=LANES,
)
