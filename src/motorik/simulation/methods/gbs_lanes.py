"""The modified midpoint rule, four columns of an extrapolation at once in lanes of a vector.

A column goes over a length H in n = 2j substeps h = H / n (Gragg 1965). With the increment d
over the state x at its start,

    d₁ = h f(t, x),   dᵢ₊₁ = dᵢ₋₁ + 2h f(t + i h, x + dᵢ),

its result is dₙ. Increments are rounded less than states would be, which matters because an
extrapolation magnifies rounding.
"""

from __future__ import annotations

from motorik.compiler.kernels import Float, Floats, Function, Int, kernel, lanes, tail
from motorik.simulation.methods import gbs_plan
from motorik.simulation.stepping.workspace import HEAD, Counts, Vec, Work


class GbsInteger:
    """Integers of the method in `m`."""

    COLUMNS = Counts.method  # of the next step
    COLUMNS_OLD = COLUMNS + 1  # of the last step


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
    ENDS = NODE_RATES + gbs_plan.MOST_NODES  # ends of the columns, see `gbs_step`
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
