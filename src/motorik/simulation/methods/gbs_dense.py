"""Interpolation of an extrapolated step: Hermite's polynomial through states and rates.

Extrapolation leaves nothing accurate within its long step. So the states at up to four more
times are extrapolated by shorter steps from the nearer end; with their rates, all computed at
once, the polynomial through all nodes is as accurate as the step.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fabs, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail
from motorik.simulation.methods import gbs_plan
from motorik.simulation.methods.gbs_lanes import (
    GbsInteger,
    GbsVec,
    evaluate_points,
    get_rate,
    run_plan,
    set_point,
)
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Vec, Work

ROW = gbs_plan.MOST_NODES + 2
SIMPLE = 5  # columns up to which the first choice of nodes is enough


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


ALL_NODES = [[0.0, *(node for node, _ in nodes), 1.0] for nodes in gbs_plan.INTERIORS]
INNER = tuple(len(nodes) for nodes in gbs_plan.INTERIORS)
# from ROW · i on: those of the i-th choice of nodes
NODE = make_table(ALL_NODES)
SCALE = make_table([find_scales(nodes) for nodes in ALL_NODES])
SLOPE = make_table([find_slopes(nodes) for nodes in ALL_NODES])
NODE_COLUMNS = tuple(
    map(int, make_table([[k for _, k in nodes] for nodes in gbs_plan.INTERIORS]))
)


@kernel
def choose_nodes(m: Counts) -> Int:
    """Return the number of the nodes that are enough for the last step."""
    return max(m[GbsInteger.COLUMNS_OLD] - SIMPLE, 0)


@kernel(inline=False)
def prepare(n: Int, w: Work, m: Counts, ode: Ode) -> None:
    """Compute states and rates at the interior nodes of the last step."""
    choice = choose_nodes(m)
    t = w.t_old
    h = w.t - t
    run_plan(n, w, m, ode.rhs, gbs_plan.FIRST_NODE_PLAN + choice, t, h)
    results = tail(w, HEAD + GbsVec.TABLEAU * n)
    for node in range(INNER[choice]):
        k = NODE_COLUMNS[ROW * choice + node]
        theta = NODE[ROW * choice + node + 1]
        start = tail(w, HEAD + (Vec.X_OLD if theta < 0.5 else Vec.X) * n)
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
def find_node_error(n: Int, w: Work, m: Counts) -> Float:
    """Return the largest error of the interior nodes, in units of the tolerance.

    It is the difference to the extrapolation with one column less, as that of the step.
    """
    choice = choose_nodes(m)
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
        worst = max(worst, total)
        results = tail(results, k * n)
    return sqrt(worst / n)


@kernel(inline=False)
def interpolate(n: Int, w: Work, m: Counts, t: Float, row: Floats) -> None:
    """Write the state at a time within the last step.

    x(θ) = Σ ℓᵢ(θ)² ((1 − 2 ℓᵢ'(cᵢ) (θ − cᵢ)) xᵢ + (θ − cᵢ) h fᵢ), ℓᵢ being Lagrange's
    polynomial that is 1 at the node cᵢ and 0 at the others.
    """
    choice = choose_nodes(m)
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
        x = tail(w, HEAD + (GbsVec.NODES + node - 1) * n)
        f = tail(w, HEAD + (GbsVec.NODE_RATES + node - 1) * n)
        if node == 0:
            x = tail(w, HEAD + Vec.X_OLD * n)
            f = tail(w, HEAD + GbsVec.F_OLD * n)
        elif node == count - 1:
            x = tail(w, HEAD + Vec.X * n)
            f = tail(w, HEAD + Vec.F * n)
        for i in lanes(n):
            row[i] += of_state * x[i] + of_rate * f[i]
