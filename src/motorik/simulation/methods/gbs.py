"""Gragg, Bulirsch and Stoer's extrapolation method of orders 4 to 14, four columns at once.

The right-hand side of a small mechanism waits for its own results more than it computes, so
that four states at once take little longer than one. The columns of an extrapolation do not
depend on each other and fill four lanes: a step of order 2k costs 2k evaluations in a row.
"""

from __future__ import annotations

from math import isfinite

from motorik.compiler.kernels import Float, Int, kernel
from motorik.compiler.straight.lanes import LANES
from motorik.simulation.driver import make_method
from motorik.simulation.methods import gbs_plan
from motorik.simulation.methods.gbs_dense import find_node_error, interpolate, prepare
from motorik.simulation.methods.gbs_lanes import GbsInteger, GbsReal, GbsVec, run_plan
from motorik.simulation.methods.gbs_step import (
    extrapolate,
    find_end_error,
    finish,
    first_rate,
    rate_of,
    watch_damping,
)
from motorik.simulation.stepping.norm import make_measure
from motorik.simulation.stepping.step_kernels import (
    go_back,
    is_last,
    keep_start,
    make_begin,
    smallest_step,
)
from motorik.simulation.stepping.workspace import Counts, Ode, Status, Work

LOWEST = 2  # columns at least
FIRST_COLUMNS = 6
STEP_WORK = 3  # what a step costs besides its columns, in evaluations
SAFETY = 0.75
SHRINK = 0.1
GROW = 6.0
FEWER_BELOW = 0.8  # work with all columns, relative to one less, …
MORE_ABOVE = 1.1  # … at which their number changes
WITHIN = 1e4  # tolerances by which nodes with one column less may be off; they are as much better

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
                    watch_damping(n, w, m, h, 0.5 * k + 0.5, k)
                if t_new <= w.t_output:
                    break
                prepare(n, w, m, ode)
                m.dense_ready = 1
                unseen = find_node_error(n, w, m) / WITHIN
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
