"""The error norm that all methods share: tolerances by how far things have moved.

An error is judged by the running range of what it belongs to, never by where that is: a
constant speed, a full turn or another origin changes nothing. With the scale S of a state, the
running range R of the states of its kind (m, rad, m/s, rad/s), and its own range 2 r,

    tolerance = min(rtol (S + r), max(SMALL rtol R, rounding)),

r being at most half a turn of an angle, and at least the size of a speed. States of other
kinds, and all where the user gives `atol`, have the tolerance atol + rtol |x|.

Stretches, the relative coordinates and speeds that force laws depend on, enter the norm like
states, each with a range of its own: a vibration on top of a large motion is as exact as the
same vibration alone. Their error is the difference of the stretches of x and of x − error.

The rounding is measured from time to time: by the change of rates and stretches between states that
differ by their own rounding, and by the second difference of rates over a few roundings of the
scale, which smooth rates do not have. A change within the rounding of time is rounding, too: a law
that jumps after nothing has moved ends no run.
"""

from __future__ import annotations

from math import fabs, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail
from motorik.numerics.tolerances import EPSILON, RATE_NOISE
from motorik.simulation.stepping.workspace import (
    HEAD,
    Counts,
    Measure,
    Ode,
    Rate,
    Vec,
    Work,
)

SMALL = 20.0  # ranges: a motion below 1/SMALL of its scale has a smaller tolerance
STRETCHED = 4.0  # the same of stretches
LARGEST = (1e300, 1e300, 6.283185307179586, 1e300, 1e300)  # range that counts, by kind
PROBE = 8.0  # roundings of the scale between states whose rates are compared
LEAST = EPSILON / RATE_NOISE  # part of the scale: no tolerance is below its rounding
COARSE = 137438953473.0  # 2³⁷ + 1
PATTERNS = 2  # of signs of these differences
FIRST_INTERVAL = 32  # steps until the rounding is measured again; then always twice as many

# kinds of states and stretches
GIVEN, METRES, RADIANS, METRES_PER_SECOND, RADIANS_PER_SECOND = range(5)
KINDS = {"m": METRES, "rad": RADIANS, "m/s": METRES_PER_SECOND, "rad/s": RADIANS_PER_SECOND}


class Relative:
    """Vectors of one number per relative coordinate or speed, in `ode.stretches`."""

    SCALE = 0  # rtol S
    KIND = 1
    LOW = 2  # least value so far …
    HIGH = 3  # … and largest
    NOISE = 4  # change by rounding of the state
    NOW = 5  # values of the state that is judged
    OTHER = 6  # values of another state
    WEIGHT = 7  # 1 / tolerance
    LAST = 8  # values at the end of the last step
    COUNT = 9


@kernel
def stretch_at(w: Work, ode: Ode, t: Float, x: Floats, values: Floats) -> None:
    """Compute the stretches of a state."""
    if ode.stretch is not None:
        w.t_call = min(max(t, w.t_from), w.t_upto)
        ode.stretch(tail(w, Work.t_call), x, ode.p, values)


@kernel(inline=False)
def weigh_states(
    n: Int, w: Work, m: Counts, h: Float, x_old: Floats, x: Floats, begins: Int
) -> None:
    """Compute the weights 1 / tolerance of the states, of a step by h from x_old to x.

    Where a run `begins`, nothing has moved yet: small motions have no tolerance of their own.
    """
    atol, weight = tail(w, HEAD + Vec.ATOL * n), tail(w, HEAD + Vec.WEIGHT * n)
    low, high = tail(w, HEAD + Vec.LOW * n), tail(w, HEAD + Vec.HIGH * n)
    noise, rate_noise = tail(w, HEAD + Vec.NOISE * n), tail(w, HEAD + Vec.RATE_NOISE * n)
    rtol = w.rtol
    for kind in range(5):
        w[Work.range + kind] = 0.0
        w[Work.rounding + kind] = 0.0
    grain = EPSILON * fabs(w.t) / h if h > 0.0 else 0.0  # the rounding of time in steps
    place = 0.0  # rounding as a part of the scale: of coordinates and of speeds
    speed = 0.0
    for i in range(n):
        kind = m[Counts.kind + i]
        if kind > GIVEN:
            part = rtol / atol[i]
            if kind >= METRES_PER_SECOND:
                speed = max(speed, part * (noise[i] + h * rate_noise[i]))
            else:
                place = max(place, part * noise[i])
    for i in range(n):
        kind = m[Counts.kind + i]
        w[Work.range + kind] = max(
            w[Work.range + kind], max(high[i], x[i]) - min(low[i], x[i])
        )
        measured = speed if kind >= METRES_PER_SECOND else place
        rounding = EPSILON * fabs(x[i]) + (measured + LEAST) * atol[i] / rtol
        rounding += grain * fabs(x[i] - x_old[i])
        w[Work.rounding + kind] = max(w[Work.rounding + kind], rounding)
    w[Work.rounding + METRES] += h * w[Work.rounding + METRES_PER_SECOND]
    w[Work.rounding + RADIANS] += h * w[Work.rounding + RADIANS_PER_SECOND]
    for i in range(n):
        kind = m[Counts.kind + i]
        if kind > GIVEN:
            moved = 0.5 * min(max(high[i], x[i]) - min(low[i], x[i]), LARGEST[kind])
            if kind >= METRES_PER_SECOND:
                moved = max(moved, fabs(x[i]))
            tolerance = atol[i] + rtol * moved
            if begins == 0:
                small = SMALL * rtol * w[Work.range + kind]
                small = max(small, RATE_NOISE * w[Work.rounding + kind])
                tolerance = min(tolerance, small)
            weight[i] = 1.0 / tolerance


@kernel(inline=False)
def weigh(
    n: Int, w: Work, m: Counts, ode: Ode, t: Float, h: Float, x_old: Floats, x: Floats
) -> None:
    """Compute the weights of all errors of a step by h from x_old to x, at the time t."""
    atol, weight = tail(w, HEAD + Vec.ATOL * n), tail(w, HEAD + Vec.WEIGHT * n)
    rtol = w.rtol
    for i in lanes(n):
        weight[i] = 1.0 / (atol[i] + rtol * max(fabs(x_old[i]), fabs(x[i])))
    if m.by_range > 0:
        weigh_states(n, w, m, h, x_old, x, 0)
    count = m.relative_coordinates
    if count > 0:
        y = ode.stretches
        now = tail(y, Relative.NOW * count)
        stretch_at(w, ode, t, x, now)
        grain = EPSILON * fabs(w.t) / h if h > 0.0 else 0.0
        for r in range(count):
            kind = int(y[Relative.KIND * count + r])
            low, high = y[Relative.LOW * count + r], y[Relative.HIGH * count + r]
            moved = max(float(high), float(now[r])) - min(float(low), float(now[r]))
            rounding = w[Work.rounding + kind] + y[Relative.NOISE * count + r]
            rounding += LEAST * y[Relative.SCALE * count + r] / rtol
            rounding += grain * fabs(now[r] - y[Relative.LAST * count + r])
            small = max(STRETCHED * rtol * moved, RATE_NOISE * rounding)
            usual = y[Relative.SCALE * count + r] + 0.5 * rtol * min(moved, LARGEST[kind])
            y[Relative.WEIGHT * count + r] = 1.0 / min(usual, small)


@kernel(inline=False)
def weighted_norm(n: Int, w: Work, error: Floats) -> Float:
    """Return ‖e‖ = √(1/n Σ (eᵢ / toleranceᵢ)²) of the states alone."""
    weight = tail(w, HEAD + Vec.WEIGHT * n)
    total = 0.0
    for i in lanes(n):
        ratio = error[i] * weight[i]
        total += ratio * ratio
    return sqrt(total / n)


@kernel(inline=False)
def error_norm(
    n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats, error: Floats, part: Float
) -> Float:
    """Return the size of `part` times an error of x in units of the tolerance.

    It is that of the states or of the stretches, whichever is larger; both are kept.
    `weigh` has been called for x at the time t.
    """
    size = fabs(part) * weighted_norm(n, w, error)
    if m.by_range > 0:
        size = coarse(size)
    w.state_error, w.relative_coordinate_error = size, 0.0
    count = m.relative_coordinates
    if count > 0:
        y, other = ode.stretches, tail(w, HEAD + Vec.UNPROJECTED * n)
        for i in lanes(n):
            other[i] = x[i] - part * error[i]
        stretch_at(w, ode, t, other, tail(y, Relative.OTHER * count))
        total = 0.0
        for r in range(count):
            apart = y[Relative.NOW * count + r] - y[Relative.OTHER * count + r]
            ratio = float(apart) * y[Relative.WEIGHT * count + r]
            total += ratio * ratio
        w.relative_coordinate_error = coarse(sqrt(total / count))
    return larger(size, float(w.relative_coordinate_error))


@kernel
def coarse(a: Float) -> Float:
    """Return a number rounded to 16 bits: more of an error estimate is rounding."""
    high = a * COARSE
    return high - (high - a)


@kernel
def larger(a: Float, b: Float) -> Float:
    """Return the larger of two sizes, or what is no number."""
    return a if a >= b or not a == a else b


@kernel
def corrected(first: Float, second: Float) -> Float:
    """Return a size by a second estimate, which keeps the first from being small by chance."""
    both = sqrt(first * first + 0.01 * second * second)
    return first * first / both if both != 0.0 else 0.0


@kernel(inline=False)
def widen_stretches(n: Int, w: Work, m: Counts, ode: Ode) -> None:
    """Note how far the stretches have been, down and up."""
    count = m.relative_coordinates
    if count > 0:
        y = ode.stretches
        now = tail(y, Relative.NOW * count)
        stretch_at(w, ode, float(w.t), tail(w, HEAD + Vec.X * n), now)
        for r in range(count):
            y[Relative.LAST * count + r] = now[r]
            y[Relative.LOW * count + r] = min(
                float(y[Relative.LOW * count + r]), float(now[r])
            )
            y[Relative.HIGH * count + r] = max(
                float(y[Relative.HIGH * count + r]), float(now[r])
            )


def make_measure(rate_of: Rate) -> Measure:
    """Return the kernel that measures the rounding of rates and stretches.

    `rate_of` evaluates the right-hand side for one state.
    """

    @kernel(inline=False)
    def displaced_rate(
        n: Int, w: Work, m: Counts, ode: Ode, pattern: Int, size: Float, to_scale: Int
    ) -> None:
        """Compute the rate, as UNPROJECTED, of a state `size` roundings away, put back, as STAGE.

        Roundings are those of the state itself, or of its scale if that is larger.
        """
        x, stage = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.STAGE * n)
        atol = tail(w, HEAD + Vec.ATOL * n)
        for i in range(n):
            unit = fabs(x[i])
            if to_scale > 0 and m[Counts.kind + i] > GIVEN:
                unit = max(unit, atol[i] / w.rtol)
            sign = 1.0 - 2.0 * ((i // pattern) % 2)
            stage[i] = x[i] + sign * size * EPSILON * unit
        if ode.project is not None:
            w.t_call = min(max(w.t, w.t_from), w.t_upto)
            ode.project(tail(w, Work.t_call), stage, ode.p)
        rate_of(n, w, m, ode, w.t, stage, tail(w, HEAD + Vec.UNPROJECTED * n))

    @kernel(inline=False)
    def measure(n: Int, w: Work, m: Counts, ode: Ode) -> None:
        """Measure the rounding of rates and stretches, at T."""
        m.noise_next = 2 * m.steps + FIRST_INTERVAL
        x, f = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.F * n)
        rate_of(n, w, m, ode, w.t, x, f)  # some methods have others there
        stage, rate = tail(w, HEAD + Vec.STAGE * n), tail(w, HEAD + Vec.UNPROJECTED * n)
        noise, rate_noise = (
            tail(w, HEAD + Vec.NOISE * n),
            tail(w, HEAD + Vec.RATE_NOISE * n),
        )
        sum_x, sum_f = tail(w, HEAD + Vec.LOCAL_ERROR * n), tail(w, HEAD + Vec.WEIGHT * n)
        y, count = ode.stretches, m.relative_coordinates
        if count > 0:
            stretch_at(w, ode, float(w.t), x, tail(y, Relative.NOW * count))
        for k in range(PATTERNS):
            displaced_rate(n, w, m, ode, k + 1, -PROBE, 1)
            for i in lanes(n):
                sum_x[i] = stage[i] - 2.0 * x[i]
                sum_f[i] = rate[i] - 2.0 * f[i]
            displaced_rate(n, w, m, ode, k + 1, PROBE, 1)
            for i in lanes(n):
                sum_x[i] += stage[i]
                sum_f[i] += rate[i]
            displaced_rate(n, w, m, ode, k + 1, 1.0, 0)
            for i in range(n):
                found = fabs(sum_x[i])
                if isfinite(found):
                    noise[i] = max(noise[i], found)
                found = max(fabs(sum_f[i]), fabs(rate[i] - f[i]))
                if isfinite(found):
                    rate_noise[i] = max(rate_noise[i], found)
            if count > 0:
                stretch_at(w, ode, float(w.t), stage, tail(y, Relative.OTHER * count))
                for r in range(count):
                    found = fabs(
                        y[Relative.OTHER * count + r] - y[Relative.NOW * count + r]
                    )
                    if isfinite(found):
                        y[Relative.NOISE * count + r] = max(
                            float(y[Relative.NOISE * count + r]), found
                        )

    return measure
