"""Kernels of a step that methods share: first step, rate, projection, end of the step."""

from __future__ import annotations

from math import fabs, inf, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, share, tail
from motorik.numerics.tolerances import EPSILON
from motorik.simulation.stepping.norm import (
    error_norm,
    make_measure,
    weigh,
    weigh_states,
    weighted_norm,
    widen_stretches,
)
from motorik.simulation.stepping.workspace import (
    HEAD,
    Begin,
    Counts,
    EndRate,
    Ode,
    Output,
    ProjectionJump,
    Rate,
    Status,
    Vec,
    Work,
)

JUMP = 100.0  # tolerances: to be put back by more is no error of the method but a jump
STRETCH = 1.05  # a last step may be this much longer than planned …
NEARLY = 1.0 + 1e-9  # … but no longer than allowed, up to rounding
CALM_AFTER = 6  # steps inside the border of stability that restart the count


@kernel
def copy(n: Int, source: Floats, target: Floats) -> None:
    """Copy n numbers."""
    for i in lanes(n):
        target[i] = source[i]


@kernel
def keep_start(n: Int, w: Work) -> None:
    """Keep state and rate at the beginning of a step, as X_OLD and K."""
    x, x_old = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.X_OLD * n)
    f, f_old = tail(w, HEAD + Vec.F * n), tail(w, HEAD + Vec.K * n)
    for i in lanes(n):
        x_old[i] = x[i]
        f_old[i] = f[i]


@kernel
def go_back(n: Int, w: Work) -> None:
    """Return to state and rate at the beginning of a step."""
    copy(n, tail(w, HEAD + Vec.X_OLD * n), tail(w, HEAD + Vec.X * n))
    copy(n, tail(w, HEAD + Vec.K * n), tail(w, HEAD + Vec.F * n))


@kernel
def evaluate(w: Work, m: Counts, ode: Ode, t: Float, x: Floats, dx: Floats) -> None:
    """Compute ẋ = f(t, x, p), with laws as they are between two times of change."""
    w.t_call = min(max(t, w.t_from), w.t_upto)
    ode.rhs(tail(w, Work.t_call), x, ode.p, dx)
    m.evaluations += 1


@kernel
def is_finite(n: Int, x: Floats) -> Int:
    """Return whether n numbers are finite."""
    total = 0.0
    for i in lanes(n):
        total += 0.0 * x[i]
    return int(isfinite(total))


@kernel(inline=False)
def audit_rate(n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats) -> None:
    """Note how far the rate F of x misses the equations that it is solved from."""
    if ode.audit is not None:
        w.t_call = min(max(t, w.t_from), w.t_upto)
        f = tail(w, HEAD + Vec.F * n)
        place = n if m.audit == 1 else 0
        kept = float(f[place])  # behind the rates of n states begins another vector
        ode.audit(tail(w, Work.t_call), x, ode.p, f)
        w.rate_residual = f[place]
        f[place] = kept


@kernel
def evaluate_end(n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats) -> None:
    """Compute the rate F = f(t, x, p) where a step ends, and audit it."""
    if ode.audit is None:
        evaluate(w, m, ode, t, x, tail(w, HEAD + Vec.F * n))
        return
    if m.audit == 1:
        m.evaluations += 1
    else:
        evaluate(w, m, ode, t, x, tail(w, HEAD + Vec.F * n))
    audit_rate(n, w, m, ode, t, x)


@kernel
def is_missed(n: Int, w: Work, ode: Ode) -> Int:
    """Return whether the last rate misses the equations that it is solved from."""
    if ode.audit is None or w.rate_residual <= 1.0:
        return 0
    return is_finite(n, tail(w, HEAD + Vec.F * n))


@kernel
def smallest_step(w: Work) -> Float:
    """Return the step size below which a method gives up; never zero before the stop.

    About the time zero floating-point numbers are as dense as one likes; there it is a part of
    what is left that no motion needs.
    """
    return max(w.min_step, 4.0 * EPSILON * max(fabs(w.t), EPSILON * (w.t_stop - w.t)))


@kernel
def is_last(w: Work, h: Float) -> Int:
    """Return whether a step of about h leads to the time to stop at."""
    rest = w.t_stop - w.t
    return int(h * STRETCH >= rest and rest <= w.max_step * NEARLY)


@kernel
def fit_step(w: Work) -> Float:
    """Return the next step size of a method with memory: none shorter than half as planned.

    A short last step would have to be followed by a long one that the past says little of.
    """
    h = min(w.h, w.max_step)
    rest = w.t_stop - w.t
    if is_last(w, h):
        return rest
    return min(h, 0.5 * rest) if 2.0 * h > rest else h


@kernel
def next_output_time(m: Counts, out: Output) -> Float:
    """Return the time of the next sample of the output grid, infinity without any."""
    return float(out.grid[m.grid_next]) if m.grid_next < m.grid_count else inf


@kernel
def project_state(w: Work, ode: Ode, t: Float, x: Floats) -> None:
    """Put the state x back on what it must satisfy, such as |quaternion| = 1."""
    if ode.project is not None:
        w.t_call = min(max(t, w.t_from), w.t_upto)
        ode.project(tail(w, Work.t_call), x, ode.p)


@kernel(inline=False)
def put_back(n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats) -> Float:
    """Put the new state back on what it must satisfy; return how far, in tolerances."""
    copy(n, x, tail(w, HEAD + Vec.UNPROJECTED * n))
    project_state(w, ode, t, x)
    return accept_projection(n, w, m, x)


@kernel(inline=False)
def accept_projection(n: Int, w: Work, m: Counts, x: Floats) -> Float:
    """Judge a projected state against the one before; return how far it is, in tolerances.

    A change of chart is put off until the next step begins: the last step is interpolated
    towards the state that it came to. Any other projection that far is left to the driver.
    """
    kept = tail(w, HEAD + Vec.UNPROJECTED * n)
    atol = tail(w, HEAD + Vec.ATOL * n)
    # a step that was rejected after all may have set them
    m.projection, m.jump_pending = 0, 0
    total = 0.0
    for i in lanes(n):
        move = (kept[i] - x[i]) / (atol[i] + w.rtol * fabs(x[i]))
        total += move * move
    far = sqrt(total / n)
    if not isfinite(far) and is_finite(n, kept) > 0:
        m.projection = 2
        copy(n, kept, x)
        return 0.0
    if far > JUMP:
        if changes_chart(n, m, kept, x) > 0:
            m.jump_pending = 1
        else:
            m.projection = 1
            w.projection_size = far
        copy(n, kept, x)
        return 0.0
    return far


@kernel
def changes_chart(n: Int, m: Counts, before: Floats, after: Floats) -> Int:
    """Return whether a projection may be far: a joint changes over to its other chart.

    The number of a chart, 0 or 1, is a state that is constant otherwise.
    """
    changes = int(m.may_jump == ProjectionJump.ALWAYS)
    if m.may_jump == ProjectionJump.WITH_CHART:
        for i in range(n):
            if fabs(after[i] - before[i]) == 1.0:
                changes = 1
    return changes


@kernel
def finish_step(n: Int, w: Work, m: Counts, ode: Ode, t: Float) -> None:
    """Project the new state and compute its rate."""
    x = tail(w, HEAD + Vec.X * n)
    if ode.project is not None:
        put_back(n, w, m, ode, t, x)
    evaluate_end(n, w, m, ode, t, x)


@kernel
def rate_of(n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats, dx: Floats) -> None:
    """Compute ẋ = f(t, x, p) by a right-hand side of one state."""
    evaluate(w, m, ode, t, x, dx)


@kernel
def widen_range(n: Int, w: Work) -> None:
    """Note how far each state has been, down and up."""
    x, low, high = (
        tail(w, HEAD + Vec.X * n),
        tail(w, HEAD + Vec.LOW * n),
        tail(w, HEAD + Vec.HIGH * n),
    )
    for i in lanes(n):
        low[i] = min(low[i], x[i])
        high[i] = max(high[i], x[i])


def make_begin(rate_of: Rate, first_rate: EndRate = evaluate_end) -> Begin:
    """Return the kernel that begins an integration.

    `rate_of` evaluates the right-hand side for one state, `first_rate` audits it, too.
    """

    @kernel(inline=False)
    def begin(n: Int, w: Work, m: Counts, ode: Ode, order: Int) -> Int:
        """Compute the first rate, and the first step size unless one was given.

        Hairer, Nørsett, Wanner 1993, §II.4: the size at which an explicit Euler step changes
        the state by 1 %, corrected by an estimate of ẍ.
        """
        x = tail(w, HEAD + Vec.X * n)
        f = tail(w, HEAD + Vec.F * n)
        first_rate(n, w, m, ode, w.t, x)
        weigh(n, w, m, ode, w.t, 0.0, x, x)
        d0 = weighted_norm(n, w, x)
        if m.by_range > 0:  # not where it is, but how far it may go
            weigh_states(n, w, m, 0.0, x, x, 1)
            d0 = 1.0 / w.rtol
        d1 = weighted_norm(n, w, f)
        if not isfinite(d0) or not isfinite(d1):
            return Status.NOT_FINITE
        if w.h > 0.0:
            w.h = max(w.h, w.min_step)
            return Status.GOING
        # everything is measured by the time left, so that units do not matter
        span = min(w.max_step, w.t_stop - w.t)
        h0 = 0.01 * d0 / d1 if d0 > 1e-5 and d1 * span > 1e-5 else 1e-6 * span
        h0 = min(h0, span)
        stage = tail(w, HEAD + Vec.STAGE * n)
        rate = tail(w, HEAD + (Vec.STAGE + 1) * n)
        for i in lanes(n):
            stage[i] = x[i] + h0 * f[i]
        rate_of(n, w, m, ode, w.t + h0, stage, rate)
        for i in lanes(n):
            rate[i] = (rate[i] - f[i]) / h0
        d2 = weighted_norm(n, w, rate)
        h1 = max(1e-6 * span, 1e-3 * h0)
        change = max(d1 * h0, d2 * h0 * h0)
        if isfinite(d2) and change > 1e-15:
            h1 = h0 * (0.01 / change) ** (1.0 / (order + 1))
        w.h = max(min(100.0 * h0, h1, w.max_step), w.min_step)
        return Status.GOING

    return begin


begin = make_begin(rate_of)
measure = make_measure(rate_of)

# one machine code for all methods
share(
    *(weigh_states, weigh, weighted_norm, error_norm, widen_stretches),
    *(audit_rate, put_back, accept_projection, begin, measure),
)


@kernel
def count_border(m: Counts, is_there: Int) -> None:
    """Count a step that ends at the border of stability, or one inside it."""
    if is_there > 0:
        m.stiff_misses = 0
        m.stiff_count += 1
    else:
        m.stiff_misses += 1
        if m.stiff_misses >= CALM_AFTER:
            m.stiff_count = min(m.stiff_count, 0)
