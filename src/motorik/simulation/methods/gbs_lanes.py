"""The modified midpoint rule, four columns of an extrapolation at once in lanes of a vector.

A column goes over a length H in n = 2j substeps h = H / n (Gragg 1965). With the increment d
over the state x at its start,

    d₁ = h f(t, x),   dᵢ₊₁ = dᵢ₋₁ + 2h f(t + i h, x + dᵢ),

its result is dₙ. Increments are rounded less than states would be, which matters because an
extrapolation magnifies rounding.
"""

from __future__ import annotations

from motorik.compiler.kernels import Float, Floats, Function, Int, Ints, kernel, lanes, tail
from motorik.simulation.methods.gbs_plan import (
    BEGIN,
    COLUMN,
    COLUMNS,
    DONE,
    EARLY,
    END_PITCH,
    END_WEIGHT,
    EVALUATIONS_OF,
    FIRST,
    FIRST_END,
    FOLLOWING,
    LANE,
    LANES,
    MOST_NODES,
    NONE,
    PART,
    SLOT,
    SLOTS,
)
from motorik.simulation.methods.workspace import (
    EVALUATIONS,
    HEAD,
    KINKS,
    OWN,
    OWN_COUNTS,
    T_FROM,
    T_UPTO,
    X_OLD,
    F,
    K,
    X,
)

# m
COLUMNS_NOW = OWN_COUNTS  # of the next step
COLUMNS_OLD = OWN_COUNTS + 1  # of the last step

# w, head: a number for each lane
TIME = OWN
PITCH = TIME + LANES  # h
SPAN = PITCH + LANES  # 2h, or 0 for a lane that rests
OWN_GBS = SPAN + LANES  # from here: numbers of the step control

# w, vectors
F_OLD = K  # rate at T_OLD
TABLEAU = K + 1  # results of the columns
ORIGIN = TABLEAU + SLOTS  # x of each lane: n × 4 numbers, as all that follow
POINT = ORIGIN + LANES  # x + d
RATE = POINT + LANES
D_ODD = RATE + LANES
D_EVEN = D_ODD + LANES
NODES = D_EVEN + LANES  # states of the interior nodes of the interpolation: n numbers each
NODE_RATES = NODES + MOST_NODES
ENDS = NODE_RATES + MOST_NODES  # what is known of the ends of the columns, see `gbs_step`
VECTORS = ENDS + 1
PARAMETERS = VECTORS  # behind all vectors: the parameters, each in all lanes


@kernel
def start_task(
    n: Int,
    w: Floats,
    task: Int,
    lane: Int,
    t: Float,
    H: Float,
    d: Floats,
    d_before: Floats,
) -> None:
    """Put the first substep of a task into a lane; the step goes from t on by H."""
    h = PART[task] * H / (2.0 * COLUMN[task])
    ahead = PART[task] > 0.0
    w[TIME + lane] = min(max((t if ahead else t + H) + h, w[T_FROM]), w[T_UPTO])
    w[PITCH + lane] = h
    w[SPAN + lane] = 2.0 * h
    x = tail(w, HEAD + (X_OLD if ahead else X) * n)
    f = tail(w, HEAD + (F_OLD if ahead else F) * n)
    origin = tail(w, HEAD + ORIGIN * n)
    point = tail(w, HEAD + POINT * n)
    for i in range(n):
        place = LANES * i + lane
        change = h * f[i]
        origin[place] = x[i]
        point[place] = x[i] + change
        d[place] = change
        d_before[place] = 0.0


@kernel
def leap(n: Int, w: Floats, d: Floats) -> None:
    """Replace dᵢ₋₁ by dᵢ₊₁ in all lanes."""
    rate = tail(w, HEAD + RATE * n)
    origin = tail(w, HEAD + ORIGIN * n)
    point = tail(w, HEAD + POINT * n)
    span = tail(w, SPAN)
    for i in range(n):
        for l in lanes(LANES):
            change = d[LANES * i + l] + span[l] * rate[LANES * i + l]
            d[LANES * i + l] = change
            point[LANES * i + l] = origin[LANES * i + l] + change
    time = tail(w, TIME)
    pitch = tail(w, PITCH)
    for l in lanes(LANES):
        time[l] = min(max(time[l] + pitch[l], w[T_FROM]), w[T_UPTO])


@kernel(inline=False)
def set_point(n: Int, w: Floats, lane: Int, t: Float, x: Floats) -> None:
    """Put time and state into a lane, to be evaluated."""
    w[TIME + lane] = min(max(t, w[T_FROM]), w[T_UPTO])
    point = tail(w, HEAD + POINT * n + lane)
    for i in range(n):
        point[LANES * i] = x[i]


@kernel(inline=False)
def set_end(n: Int, w: Floats, slot: Int, lane: Int, t: Float) -> None:
    """Put the end of a column into a lane, to be evaluated."""
    w[TIME + lane] = min(max(t, w[T_FROM]), w[T_UPTO])
    x = tail(w, HEAD + X_OLD * n)
    d = tail(w, HEAD + (TABLEAU + slot) * n)
    point = tail(w, HEAD + POINT * n + lane)
    for i in range(n):
        point[LANES * i] = x[i] + d[i]


@kernel(inline=False)
def get_rate(n: Int, w: Floats, lane: Int, f: Floats) -> None:
    """Take the rate out of a lane."""
    rate = tail(w, HEAD + RATE * n + lane)
    for i in range(n):
        f[i] = rate[LANES * i]


@kernel(inline=False)
def run_plan(
    n: Int, w: Floats, m: Ints, rhs: Function, plan: Int, t: Float, H: Float
) -> None:
    """Carry out the tasks of a plan, on a step from t on by H.

    All lanes but the first rest while the longest column of a whole step is evaluated for
    the last time: there they compute the rates at which some of the others end, where laws
    have kinks.
    """
    tableau = tail(w, HEAD + TABLEAU * n)
    point = tail(w, HEAD + POINT * n)
    rate = tail(w, HEAD + RATE * n)
    d = tail(w, HEAD + D_ODD * n)
    d_before = tail(w, HEAD + D_EVEN * n)
    p = tail(w, HEAD + PARAMETERS * n)
    ends = tail(w, HEAD + ENDS * n)
    last, looks = NONE, int(m[KINKS] > 0 and plan <= COLUMNS)
    if looks > 0:
        last = EVALUATIONS_OF[plan] - 1
        for i in lanes(n):
            ends[i] = 0.0
    first = BEGIN[plan]
    for lane in range(LANES):
        task = FIRST[LANES * plan + lane]
        start_task(n, w, max(task, first), lane, t, H, d, d_before)
        if task == NONE:
            w[SPAN + lane] = 0.0
    done = 0
    for task in range(first, BEGIN[plan + 1]):
        while done < DONE[task]:
            if done == last:
                for lane in range(1, 1 + EARLY[plan]):
                    set_end(n, w, FIRST_END[plan] + lane - 1, lane, t + H)
            rhs(tail(w, TIME), point, p, rate)
            if done == last:
                for lane in range(1, 1 + EARLY[plan]):
                    pitch = H * END_PITCH[COLUMNS * plan + FIRST_END[plan] + lane - 1]
                    for i in range(n):
                        ends[i] += pitch * rate[LANES * i + lane]
            leap(n, w, d_before)
            d, d_before = d_before, d
            done += 1
        lane = LANE[task]
        result = tail(tableau, SLOT[task] * n)
        for i in range(n):
            result[i] = d[LANES * i + lane]
        if looks > 0:
            weight = END_WEIGHT[COLUMNS * plan + SLOT[task]]
            for i in range(n):
                ends[i] += weight * (d_before[LANES * i + lane] - result[i])
        if FOLLOWING[task] == NONE:
            w[SPAN + lane] = 0.0
        else:
            start_task(n, w, FOLLOWING[task], lane, t, H, d, d_before)
    m[EVALUATIONS] += done


@kernel
def evaluate_points(n: Int, w: Floats, m: Ints, rhs: Function) -> None:
    """Compute the rates of all lanes."""
    p = tail(w, HEAD + PARAMETERS * n)
    rhs(tail(w, TIME), tail(w, HEAD + POINT * n), p, tail(w, HEAD + RATE * n))
    m[EVALUATIONS] += 1
