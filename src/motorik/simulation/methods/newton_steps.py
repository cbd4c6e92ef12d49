"""Kernels that implicit methods share: the Jacobian, and changes that are rounding."""

from __future__ import annotations

from math import fabs, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail
from motorik.numerics.tolerances import CORRECTION_NOISE, EPSILON
from motorik.simulation.stepping.step_kernels import copy, evaluate
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Vec, Work


@kernel(inline=False)
def compute_jacobian(
    n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats, jacobian: Floats
) -> None:
    """Compute ∂f/∂x by columns: natively if given, else by differences of f."""
    m.jacobians += 1
    if ode.jac is not None:
        w.t_call = min(max(t, w.t_from), w.t_upto)
        ode.jac(tail(w, Work.t_call), x, ode.p, jacobian)
        return
    f = tail(w, HEAD + Vec.F * n)
    stage = tail(w, HEAD + Vec.STAGE * n)
    evaluate(w, m, ode, t, x, f)
    copy(n, x, stage)
    for j in range(n):
        stage[j] = x[j] + sqrt(EPSILON * max(1e-5, fabs(x[j])))
        column = tail(jacobian, j * n)
        evaluate(w, m, ode, t, stage, column)
        inverse = 1.0 / (stage[j] - x[j])
        for i in lanes(n):
            column[i] = (column[i] - f[i]) * inverse
        stage[j] = x[j]


@kernel
def rounding_of(w: Work, m: Counts, x: Floats, i: Int) -> Float:
    """Return how much of a change of a state is rounding."""
    rounding = 0.5 * EPSILON * fabs(x[i])
    if m.by_range > 0:
        rounding = max(
            rounding, CORRECTION_NOISE * float(w[Work.rounding + m[Counts.kind + i]])
        )
    return rounding


@kernel(inline=False)
def is_rounding(n: Int, w: Work, m: Counts, change: Floats, x: Floats) -> Int:
    """Return whether a change of x is no more than rounding: it tells of no convergence."""
    for i in range(n):
        if not fabs(change[i]) <= rounding_of(w, m, x, i):
            return 0
    return 1
