"""The modified midpoint rule with several numbers of substeps at once, in lanes of a vector.

Column j of an extrapolation goes over the step H in nⱼ = 2j substeps h = H / nⱼ (Gragg 1965):

    z₁ = x + h f(t, x),   zᵢ₊₁ = zᵢ₋₁ + 2h f(t + i h, zᵢ),   Tⱼ = z_{nⱼ}.

All columns begin with the same rate, so that column j costs 2j − 1 evaluations more. Four
lanes share them out evenly: with eight columns, lanes take the columns (8, 1), (7, 2), (6, 3)
and (5, 4) one after the other, 16 evaluations each. Four columns already fill the lanes.
"""

from __future__ import annotations

from motorik.compiler.kernel import Float, Floats, Function, Int, Ints, kernel, lanes, view
from motorik.simulation.methods.workspace import EVALUATIONS, HEAD, OWN, K

LANES = 4
COLUMNS = 8  # at most
NONE = -1

# w, head: four numbers each
TIME = OWN  # time of each lane
PITCH = TIME + LANES  # h
SPAN = PITCH + LANES  # 2h
OWN_GBS = SPAN + LANES  # from here: numbers of the step control

# w, vectors
F_OLD = K  # rate at the start of the step
TABLEAU = K + 1  # T₁ … T₈
ODD = TABLEAU + COLUMNS  # z of odd number, n × 4; likewise below
EVEN = ODD + LANES
RATE = EVEN + LANES
VECTORS = RATE + LANES
PARAMETERS = VECTORS  # behind all vectors: the parameters, each four times


def share_out(k: int) -> list[list[int]]:
    """Return the columns 1 to k of each lane: the longest first, to the least busy lane."""
    shares: list[list[int]] = [[] for _ in range(LANES)]
    for column in range(k, 0, -1):
        min(shares, key=count_evaluations).append(column)
    return shares


def count_evaluations(columns: list[int]) -> int:
    """Return the evaluations of columns that follow each other in one lane."""
    return sum(2 * column - 1 for column in columns)


def find_events(k: int) -> list[tuple[int, int, int, int]]:
    """Return when a column is done: evaluations until then, lane, column, next column."""
    events = []
    for lane, columns in enumerate(share_out(k)):
        for i, column in enumerate(columns):
            following = columns[i + 1] if i + 1 < len(columns) else NONE
            events.append((count_evaluations(columns[: i + 1]), lane, column, following))
    return sorted(events)


PLANS = [find_events(k) for k in range(COLUMNS + 1)]
DEPTH = tuple(max((event[0] for event in plan), default=0) for plan in PLANS)
# for k columns, from k · LANES and from k · COLUMNS on
FIRST = tuple((share or [NONE])[0] for k in range(COLUMNS + 1) for share in share_out(k))
DONE_AT, DONE_LANE, DONE_COLUMN, FOLLOWING = (
    tuple(
        plan[i][field] if i < len(plan) else NONE for plan in PLANS for i in range(COLUMNS)
    )
    for field in range(4)
)


@kernel
def start_column(
    n: Int,
    w: Floats,
    lane: Int,
    column: Int,
    t: Float,
    H: Float,
    x: Floats,
    f: Floats,
    z: Floats,
    z_before: Floats,
) -> None:
    """Put the first substep of a column into a lane."""
    h = H / (2.0 * column)
    w[TIME + lane] = t + h
    w[PITCH + lane] = h
    w[SPAN + lane] = 2.0 * h
    for i in range(n):
        z_before[LANES * i + lane] = x[i]
        z[LANES * i + lane] = x[i] + h * f[i]


@kernel
def leap(n: Int, w: Floats, z: Floats) -> None:
    """Compute zᵢ₊₁ = zᵢ₋₁ + 2h f(zᵢ) in place of zᵢ₋₁, in all lanes."""
    rate = view(w, HEAD + RATE * n)
    span = view(w, SPAN)
    for i in range(n):
        for l in lanes(LANES):
            z[LANES * i + l] += span[l] * rate[LANES * i + l]
    time = view(w, TIME)
    pitch = view(w, PITCH)
    for l in lanes(LANES):
        time[l] += pitch[l]


@kernel(inline=False)
def sweep(
    n: Int,
    w: Floats,
    m: Ints,
    rhs: Function,
    k: Int,
    t: Float,
    H: Float,
    x: Floats,
    f: Floats,
) -> None:
    """Compute the columns T₁ … Tₖ of a step H from the state x with the rate f at t."""
    tableau = view(w, HEAD + TABLEAU * n)
    z = view(w, HEAD + ODD * n)
    z_before = view(w, HEAD + EVEN * n)
    rate = view(w, HEAD + RATE * n)
    p = view(w, HEAD + PARAMETERS * n)
    for lane in range(LANES):
        column = FIRST[k * LANES + lane]
        start_column(n, w, lane, max(column, 1), t, H, x, f, z, z_before)
    done = 0
    for e in range(k * COLUMNS, k * COLUMNS + k):
        while done < DONE_AT[e]:
            rhs(view(w, TIME), z, p, rate)
            leap(n, w, z_before)
            z, z_before = z_before, z
            done += 1
        lane = DONE_LANE[e]
        target = view(tableau, (DONE_COLUMN[e] - 1) * n)
        for i in range(n):
            target[i] = z[LANES * i + lane]
        if FOLLOWING[e] != NONE:
            start_column(n, w, lane, FOLLOWING[e], t, H, x, f, z, z_before)
        else:
            w[SPAN + lane] = 0.0
    m[EVALUATIONS] += DEPTH[k]


@kernel
def evaluate_all(
    n: Int, w: Floats, m: Ints, rhs: Function, t: Float, x: Floats, f: Floats
) -> None:
    """Compute f = f(t, x, p), the same in all lanes."""
    z = view(w, HEAD + ODD * n)
    rate = view(w, HEAD + RATE * n)
    for l in lanes(LANES):
        w[TIME + l] = t
    for i in range(n):
        for l in lanes(LANES):
            z[LANES * i + l] = x[i]
    rhs(view(w, TIME), z, view(w, HEAD + PARAMETERS * n), rate)
    for i in range(n):
        f[i] = rate[LANES * i]
    m[EVALUATIONS] += 1
