"""The end of an extrapolated step: its state and error, its rate, and what it tells of damping."""

from __future__ import annotations

from math import isfinite

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail
from motorik.compiler.straight.lanes import LANES
from motorik.simulation.methods import gbs_plan
from motorik.simulation.methods.control import count_border
from motorik.simulation.methods.gbs_lanes import (
    GbsReal,
    GbsVec,
    evaluate_points,
    get_rate,
    set_end,
    set_point,
)
from motorik.simulation.stepping.norm import error_norm, weigh
from motorik.simulation.stepping.step_kernels import audit_rate, put_back
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Vec, Work


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
    """Return what the rates at the end change, in units of the tolerance.

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
def watch_damping(n: Int, w: Work, m: Counts, h: Float, border: Float, k: Int) -> None:
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
