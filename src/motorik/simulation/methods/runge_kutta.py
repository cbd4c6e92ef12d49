"""Explicit Runge–Kutta methods, made from their tables."""

from __future__ import annotations

from math import fabs, isfinite

import numpy as np

from motorik.compiler.kernels import Float, Floats, Int, Kernel, kernel, lanes, tail, unroll
from motorik.immutable import immutable
from motorik.numerics.tolerances import EPSILON, LAST_STEP
from motorik.simulation.driver import Method, make_method
from motorik.simulation.methods.tableau import Control, Row, Tableau
from motorik.simulation.stepping.norm import corrected, error_norm, larger, weigh
from motorik.simulation.stepping.powers import exponential, natural_log
from motorik.simulation.stepping.step_kernels import (
    copy,
    count_border,
    evaluate,
    evaluate_end,
    finish_step,
    go_back,
    is_last,
    keep_start,
    put_back,
    smallest_step,
)
from motorik.simulation.stepping.workspace import (
    HEAD,
    Attempt,
    Counts,
    Finish,
    Interpolate,
    Move,
    Ode,
    Prepare,
    Status,
    Trial,
    Vec,
    Work,
)

# --- steps with error control --------------------------------------------------------------


SMALLEST_LOG_ERROR = -9.210340371976182  # ln 1e-4: the least error remembered


@kernel
def detect_stiffness(
    n: Int, w: Work, m: Counts, h: Float, last: Int, border: Float
) -> None:
    """Count the steps that end at the border of stability: h|λ| > `border`.

    h|λ| ≈ h ‖f(x) − f(y)‖ / ‖x − y‖, x being the new state and y the argument of the last
    stage, whose rate is the vector `last`; both belong to one time. Hairer, Wanner 1996,
    §IV.2.
    """
    x, f = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.F * n)
    y, fy = tail(w, HEAD + Vec.STAGE * n), tail(w, HEAD + last * n)
    above = 0.0
    below = 0.0
    for i in lanes(n):
        above += (f[i] - fy[i]) * (f[i] - fy[i])
        below += (x[i] - y[i]) * (x[i] - y[i])
    count_border(m, int(h * h * above > border * border * below))


@kernel
def plan_step(n: Int, w: Work, m: Counts) -> None:
    """Keep the state, and choose the step to be tried."""
    keep_start(n, w)
    h = min(w.h, w.max_step)
    w.h_planned = h
    w.tries = 1.0
    if is_last(w, h) > 0:
        w.h_tried, w.t_tried = w.t_stop - w.t, w.t_stop
    else:
        w.h_tried, w.t_tried = h, w.t + h


@kernel
def end_trial(w: Work) -> None:
    """Note that the step that was tried is taken."""
    w.t_old = w.t
    w.t = w.t_tried


@kernel
def log_error(error: Float) -> Float:
    """Return the logarithm of an error in units of the tolerance, or of 1e-10 if that is more."""
    return natural_log(max(error, 1e-10))


@immutable
class StepChoice:
    """Kernels that choose the size of steps: of the same step again, and of the next one.

    `shorten` returns why no shorter step can be tried; `lengthen` follows a step that was taken.
    Both multiply it by `factor` of the logarithm of the error, and of the one before or 0.
    """

    shorten: Kernel[[Int, Work, Counts, Float], Int]
    lengthen: Kernel[[Int, Work, Counts, Float], None]
    factor: Kernel[[Float, Float], Float]


def make_choice(control: Control, last_stage: int, border: float) -> StepChoice:
    """Return how steps follow from their error, in units of the tolerance.

    `last_stage` is the number of the vector of the last stage, `border` where its stability
    ends, or 0 where stiffness is not detected.
    """
    safety, exponent, damping = control.safety, control.exponent, control.damping
    shrink, grow = control.shrink, control.grow

    @kernel
    def find_factor(size: Float, size_before: Float) -> Float:
        factor = safety * exponential(damping * size_before - exponent * size)
        return min(grow, max(shrink, factor))

    @kernel
    def shorten(n: Int, w: Work, m: Counts, error: Float) -> Int:
        w.tries += 1.0
        m.rejected += 1
        finite = isfinite(error)
        h = w.h_tried * (find_factor(log_error(error), 0.0) if finite else 0.1)
        w.h_tried, w.t_tried = h, w.t + h
        if h < smallest_step(w):
            go_back(n, w)
            return Status.STEP_TOO_SMALL if finite else Status.NOT_FINITE
        return Status.GOING

    @kernel
    def lengthen(n: Int, w: Work, m: Counts, error: Float) -> None:
        size = log_error(error)
        factor = find_factor(size, w.log_error_old)
        w.log_error_old = max(size, SMALLEST_LOG_ERROR)
        if w.tries > 1.0:
            factor = min(factor, 1.0)
        w.h = w.h_tried * factor
        if w.t >= w.t_stop:
            w.h = max(w.h, w.h_planned)
        if border > 0.0 and m.stiff_check > 0 and w.tries == 1.0:
            detect_stiffness(n, w, m, w.h_tried, last_stage, border)

    return StepChoice(shorten, lengthen, find_factor)


def make_attempt(try_step: Trial, finish: Finish, choice: StepChoice) -> Attempt:
    """Return the kernel that takes one good step.

    `try_step` goes from X_OLD with the rate K to X and returns the error in units of the
    tolerance; `finish` projects the new state and computes F there.
    """
    shorten, lengthen = choice.shorten, choice.lengthen

    @kernel
    def attempt(n: Int, w: Work, m: Counts, ode: Ode) -> Int:
        plan_step(n, w, m)
        while True:
            error = try_step(n, w, m, ode, w.t, w.h_tried)
            if error <= 1.0:
                break
            status = shorten(n, w, m, error)
            if status != Status.GOING:
                return status
        finish(n, w, m, ode, w.t_tried)
        end_trial(w)
        lengthen(n, w, m, error)
        return Status.GOING

    return attempt


# --- steps of fixed size -------------------------------------------------------------------


@kernel
def plan_fixed_step(n: Int, w: Work, m: Counts) -> None:
    """Keep the state, and go on to the next of equal times."""
    keep_start(n, w)
    m.fixed_count += 1
    w.t_tried = w.t_base + m.fixed_count * w.h
    if w.t_tried >= w.t_stop - LAST_STEP * w.h:
        w.t_tried = w.t_stop
        w.t_base = w.t_tried
        m.fixed_count = 0
    w.h_tried = w.t_tried - w.t


@kernel(inline=False)
def find_explosion(n: Int, w: Work, m: Counts) -> Int:
    """Return why a step of fixed size is not taken.

    Steps that are too long for the method make states grow without bound: the run ends where the
    scale of the mechanism is lost in the rounding of a state.
    """
    x, f = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.F * n)
    total = 0.0
    for i in lanes(n):
        total += f[i] * 0.0 + x[i] * 0.0
    if not isfinite(total):
        go_back(n, w)
        return Status.NOT_FINITE
    if m.by_range > 0:
        atol = tail(w, HEAD + Vec.ATOL * n)
        for i in range(n):
            if m[Counts.kind + i] > 0 and EPSILON * fabs(x[i]) > atol[i] / w.rtol:
                go_back(n, w)
                return Status.EXPLODES
    return Status.GOING


def make_fixed_attempt(advance_state: Move) -> Attempt:
    """Return the kernel that takes one step of fixed size.

    `advance_state` goes from X_OLD with the rate K to X.
    """

    @kernel
    def attempt(n: Int, w: Work, m: Counts, ode: Ode) -> Int:
        plan_fixed_step(n, w, m)
        advance_state(n, w, m, ode, w.t, w.h_tried)
        finish_step(n, w, m, ode, w.t_tried)
        status = find_explosion(n, w, m)
        if status == Status.GOING:
            end_trial(w)
        return status

    return attempt


# --- methods from their tables -------------------------------------------------------------


HERMITE = 3  # vectors of Hermite's cubic; those of the bubbles follow
REMAINDER = 6.0  # the last bubble is about so many times the error of the interpolation …
INACCURATE = 2.0  # … which is not used where it is above so many tolerances
NOTICEABLE = 1e-3  # a projection by less than this part of the tolerance keeps the rate


@immutable
class StepKernels:
    """The kernels of a one-step method, and the number of vectors in its workspace."""

    attempt: Attempt
    prepare: Prepare
    refine: Prepare | None
    interpolate: Interpolate
    dense: int  # number of the first vector of the interpolation
    vectors: int


def make_step_kernels(table: Tableau, adaptive: bool) -> StepKernels:
    """Return the kernels of a table."""
    s = len(table.weights)
    dense = Vec.K + s + len(table.dense_nodes)  # from here: vectors of the interpolation
    advance_state = make_advance_state(table)
    if adaptive:
        attempt = make_attempt(
            make_try_step(table, advance_state),
            finish_known_rate if table.reuses_last_rate else finish_step,
            choice_of(table),
        )
    else:
        attempt = make_fixed_attempt(advance_state)
    count = HERMITE + len(table.dense)
    return StepKernels(
        attempt,
        make_prepare(table, dense),
        make_refine(table, advance_state, dense) if adaptive else None,
        make_interpolate(dense, count),
        dense,
        dense + count,
    )


def choice_of(table: Tableau) -> StepChoice:
    """Return how a table chooses its steps."""
    last = Vec.K + len(table.weights) - 1
    return make_choice(table.step_control, last, table.stable_within)


def make_runge_kutta(table: Tableau, *, adaptive: bool | None = None) -> Method:
    """Return the method of a table: with error control if it has an error estimate.

    `adaptive=False` makes the method of fixed step size of any table.
    """
    adaptive = bool(table.errors) if adaptive is None else adaptive
    own = make_step_kernels(table, adaptive)
    return make_method(
        table.name,
        table.title,
        order=table.order,
        vectors=own.vectors,
        attempt=own.attempt,
        prepare=own.prepare,
        refine=own.refine,
        interpolate=own.interpolate,
        adaptive=adaptive,
        stages=len(table.weights),
        border=table.stable_within or 1.0,
    )


def make_advance_state(table: Tableau) -> Move:
    """Return the kernel of all stages and of the new state."""
    C, A, B = table.nodes, table.stages, table.weights
    FIRST = tuple(find_first(row) for row in A)  # zeros are left out

    @kernel
    def advance_state(n: Int, w: Work, m: Counts, ode: Ode, t: Float, h: Float) -> None:
        """Go from X_OLD with the rate K to X by a step h."""
        x = tail(w, HEAD + Vec.X * n)
        x_old = tail(w, HEAD + Vec.X_OLD * n)
        stage = tail(w, HEAD + Vec.STAGE * n)
        k = tail(w, HEAD + Vec.K * n)
        for s in unroll(len(A)):
            for i in lanes(n):
                slope = A[s][FIRST[s]] * k[FIRST[s] * n + i]
                for j in unroll(FIRST[s] + 1, s + 1):
                    if A[s][j] != 0.0:
                        slope += A[s][j] * k[j * n + i]
                stage[i] = x_old[i] + h * slope
            evaluate(w, m, ode, t + C[s] * h, stage, tail(k, (s + 1) * n))
        for i in lanes(n):
            slope = B[0] * k[i]
            for j in unroll(1, len(B)):
                if B[j] != 0.0:
                    slope += B[j] * k[j * n + i]
            x[i] = x_old[i] + h * slope

    return advance_state


def find_first(row: Row) -> int:
    """Return the number of the first coefficient that is not zero."""
    return next((j for j, value in enumerate(row) if value != 0.0), 0)


def make_try_step(table: Tableau, advance_state: Move) -> Trial:
    """Return the kernel of one step and its error."""
    E = tuple(table.errors.values())
    END = len(table.weights)  # number of the rate at the end among those of a row
    is_known = table.reuses_last_rate
    is_double = len(E) == 2

    @kernel
    def try_step(n: Int, w: Work, m: Counts, ode: Ode, t: Float, h: Float) -> Float:
        """Go from X_OLD to X by a step h; return the error in units of the tolerance."""
        advance_state(n, w, m, ode, t, h)
        x = tail(w, HEAD + Vec.X * n)
        x_old = tail(w, HEAD + Vec.X_OLD * n)
        k = tail(w, HEAD + Vec.K * n)
        f = tail(w, HEAD + Vec.F * n)
        if is_known:
            evaluate_end(n, w, m, ode, t + h, x)
        error = tail(w, HEAD + Vec.LOCAL_ERROR * n)
        weigh(n, w, m, ode, t + h, h, x_old, x)
        for i in lanes(n):
            slope = E[0][0] * k[i]
            for j in unroll(1, END):
                if E[0][j] != 0.0:
                    slope += E[0][j] * k[j * n + i]
            if is_known:
                slope += E[0][END] * f[i]
            error[i] = slope
        first = error_norm(n, w, m, ode, t + h, x, error, h)
        if is_double:
            for i in lanes(n):
                slope = E[1][0] * k[i]
                for j in unroll(1, END):
                    if E[1][j] != 0.0:
                        slope += E[1][j] * k[j * n + i]
                error[i] = slope
            states, stretches = float(w.state_error), float(w.relative_coordinate_error)
            error_norm(n, w, m, ode, t + h, x, error, h)
            states = corrected(states, w.state_error)
            return larger(states, corrected(stretches, w.relative_coordinate_error))
        return first

    return try_step


@kernel
def finish_known_rate(n: Int, w: Work, m: Counts, ode: Ode, t: Float) -> None:
    """Project the new state; its rate is known unless the projection moved it far."""
    if ode.project is not None:
        x = tail(w, HEAD + Vec.X * n)
        if not put_back(n, w, m, ode, t, x) < NOTICEABLE:
            evaluate_end(n, w, m, ode, t, x)


def make_prepare(table: Tableau, dense: int) -> Prepare:
    """Return the kernel that makes the last step ready for `interpolate`."""
    C, A, D = table.dense_nodes, table.dense_stages, table.dense
    END = len(table.weights)

    @kernel
    def prepare(n: Int, w: Work, m: Counts, ode: Ode) -> None:
        """Compute the coefficients of the interpolation of the last step."""
        h = w.t - w.t_old
        x = tail(w, HEAD + Vec.X * n)
        x_old = tail(w, HEAD + Vec.X_OLD * n)
        stage = tail(w, HEAD + Vec.STAGE * n)
        k = tail(w, HEAD + Vec.K * n)
        f = tail(w, HEAD + Vec.F * n)
        d = tail(w, HEAD + dense * n)
        for s in unroll(len(C)):
            for i in lanes(n):
                slope = A[s][0] * k[i] + A[s][END] * f[i]
                for j in unroll(1, len(A[s])):
                    if j != END and A[s][j] != 0.0:
                        slope += A[s][j] * k[(j if j < END else j - 1) * n + i]
                stage[i] = x_old[i] + h * slope
            evaluate(w, m, ode, w.t_old + C[s] * h, stage, tail(k, (END + s) * n))
        for i in lanes(n):
            change = x[i] - x_old[i]
            d[i] = change
            d[n + i] = h * k[i] - change
            d[2 * n + i] = 2.0 * change - h * (k[i] + f[i])
        for r in unroll(len(D)):
            for i in lanes(n):
                slope = D[r][0] * k[i] + D[r][END] * f[i]
                for j in unroll(1, len(D[r])):
                    if j != END and D[r][j] != 0.0:
                        slope += D[r][j] * k[(j if j < END else j - 1) * n + i]
                d[(HERMITE + r) * n + i] = h * slope

    return prepare


def find_basis(count: int, theta: float) -> tuple[list[float], list[float]]:
    """Return the factors of the vectors d in the interpolation at θ, and their slopes."""
    values, slopes = [theta], [1.0]
    for r in range(count - 1):
        factor, slope = (1.0 - theta, -1.0) if r % 2 == 0 else (theta, 1.0)
        slopes.append(slopes[-1] * factor + values[-1] * slope)
        values.append(values[-1] * factor)
    return values, slopes


def make_refine(table: Tableau, advance_state: Move, dense: int) -> Prepare | None:
    """Return the kernel that replaces an inaccurate interpolation; None where it is never that.

    At the border of stability a mode that has decayed is alternately left over and removed: the
    steps stay accurate, but an interpolation of high order magnifies what is left. The last bubble
    tells. The polynomial through the states and rates at equal parts of the step, found by shorter
    steps that are well inside the border, is as accurate as the step.
    """
    nodes = len(table.dense) // 2  # each for two bubbles
    if nodes == 0:
        return None
    BUBBLES, PARTS, SCRATCH = 2 * nodes, nodes + 1, Vec.K + len(table.weights)
    LAST = len(table.dense) - 1
    if len(table.dense_nodes) < HERMITE:
        raise AssertionError(f"{table}: no room for three vectors behind its stages")
    peak = max(find_basis(HERMITE + LAST + 1, k / 256)[0][-1] for k in range(257))
    places = [(k + 1) / PARTS for k in range(nodes)]
    bases = [find_basis(HERMITE + BUBBLES, place) for place in places]
    # rows of these conditions: the value at each node, then its slope
    conditions = [row for basis in bases for row in basis]
    CUBIC = tuple(tuple(row[:HERMITE]) for row in conditions)
    inverse = np.linalg.inv([row[HERMITE:] for row in conditions])
    INVERSE = tuple(tuple(map(float, row)) for row in inverse)

    @kernel(inline=False)
    def refine(n: Int, w: Work, m: Counts, ode: Ode) -> None:
        """Replace the interpolation of the last step if it is not as accurate as the step."""
        x = tail(w, HEAD + Vec.X * n)
        x_old = tail(w, HEAD + Vec.X_OLD * n)
        k = tail(w, HEAD + Vec.K * n)
        d = tail(w, HEAD + dense * n)
        last = tail(d, (HERMITE + LAST) * n)
        size = error_norm(n, w, m, ode, float(w.t), x, last, peak / REMAINDER)
        if size <= INACCURATE:
            return
        # what the shorter steps overwrite
        kept = tail(w, HEAD + SCRATCH * n)
        copy(n, x, kept)
        copy(n, x_old, tail(kept, n))
        copy(n, k, tail(kept, 2 * n))
        t = float(w.t_old)
        h = (w.t - t) / PARTS
        found = tail(d, HERMITE * n)  # values and slopes at the nodes
        for node in range(nodes):
            advance_state(n, w, m, ode, t + node * h, h)
            copy(n, x, x_old)
            evaluate(w, m, ode, t + (node + 1) * h, x, k)
            copy(n, x, tail(found, 2 * node * n))
            copy(n, k, tail(found, (2 * node + 1) * n))
        copy(n, kept, x)
        copy(n, tail(kept, n), x_old)
        copy(n, tail(kept, 2 * n), k)
        for i in lanes(n):
            for row in unroll(BUBBLES):
                own = found[row * n + i]
                own = own - x_old[i] if row % 2 == 0 else h * PARTS * own
                for r in unroll(HERMITE):
                    own -= CUBIC[row][r] * d[r * n + i]
                found[row * n + i] = own
        for i in lanes(n):
            for r in unroll(BUBBLES):
                total = INVERSE[r][0] * found[i]
                for row in unroll(1, BUBBLES):
                    total += INVERSE[r][row] * found[row * n + i]
                k[(r + 1) * n + i] = total
        copy(BUBBLES * n, tail(k, n), found)
        for r in unroll(BUBBLES, LAST + 1):
            for i in lanes(n):
                found[r * n + i] = 0.0

    return refine


def make_interpolate(dense: int, count: int) -> Interpolate:
    """Return the kernel of x + θ (d₁ + (1 − θ) (d₂ + θ (d₃ + (1 − θ) (d₄ + …)))).

    The `count` vectors d begin at the number `dense` of the workspace.
    """
    last = count - 1

    @kernel
    def interpolate(n: Int, w: Work, m: Counts, t: Float, row: Floats) -> None:
        """Write the state at a time within the last step."""
        theta = (t - w.t_old) / (w.t - w.t_old)
        rest = 1.0 - theta
        x_old = tail(w, HEAD + Vec.X_OLD * n)
        d = tail(w, HEAD + dense * n)
        for i in lanes(n):
            value = d[last * n + i]
            for r in unroll(last - 1, -1, -1):
                value = d[r * n + i] + (rest if r % 2 == 0 else theta) * value
            row[i] = x_old[i] + theta * value

    return interpolate
