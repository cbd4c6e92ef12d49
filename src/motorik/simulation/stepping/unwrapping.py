"""Unwrapping: angles that are known modulo 2π, continuous through each step.

`unwrap(t, x, p, out)` writes angles [rad], each within half a turn of its reference in `p`, and
then their speeds [rad/s]. Within a step they are sampled so often that no
full turn is missed, and the angles so found are the next references. The first values may be other
numbers that depend on those before, such as guesses for Newton's method; they have no speeds.
"""

from __future__ import annotations

from math import fabs, floor, isfinite, log, pi

from motorik.compiler.kernels import Float, Floats, Function, Int, kernel, share, tail
from motorik.simulation.stepping.step_kernels import copy
from motorik.simulation.stepping.workspace import (
    HEAD,
    Counts,
    Ode,
    Output,
    Resample,
    Sample,
    Unwrap,
    Vec,
    Work,
)


class Unwrapping:
    """Values of `m.unwrapping`."""

    CURRENT = 0  # the angles are those at t
    RESTART = 1  # the state was set from outside
    STEP = 2  # a step was taken since


class AngleMemory:
    """Vectors of one number per angle, in the memory behind that of the guard."""

    OLD = 0  # angles at t_old
    NOW = 1  # angles and speeds at the last sample
    NEW = 3  # those at the next one
    OUTPUT = 5  # those at an output sample
    STATE = 7  # from here: a state, and behind it angles and speeds that lanes know ahead


TURN = 2.0 * pi
LOG_2 = log(2.0)
FAR = 2.0  # rad from one sample to the next, at the speeds at both
OFF = 0.1  # rad by which the angle turned may differ from that at the mean of both speeds
PARTS = 2**20  # of a step: no two samples are nearer …
FINE = PARTS // 4096  # … than one, or than this many because of speed alone
AHEAD = 4  # parts of a step at whose ends lanes compute the angles of all of them, at most


def size(n: int, unwrapped: int) -> int:
    """Return the count of numbers that are remembered of `unwrapped` angles of n states."""
    return (AngleMemory.STATE + 2 * AHEAD) * unwrapped + n if unwrapped else 0


@kernel
def turned(angle: Float, near: Float) -> Float:
    """Return an angle turned by as many full turns as bring it next to another."""
    return angle + TURN * floor((near - angle) / TURN + 0.5)


@kernel(inline=False)
def evaluate_angles(
    w: Work, unwrap: Function, p: Floats, t: Float, x: Floats, out: Floats
) -> None:
    """Write angles and speeds at a time and state, on this side of the next discontinuity."""
    w.t_call = min(max(t, w.t_from), w.t_upto)
    unwrap(tail(w, Work.t_call), x, p, out)


@kernel(inline=False)
def unwrap_angles(
    first: Int, count: Int, h: Float, now: Floats, new: Floats, is_fine: Int
) -> Int:
    """Count the full turns of new angles; return 0 if they are too far to be sure.

    The angle turned must be about that of the mean of the speeds, and less than `FAR`; in fine
    parts of a step only its change by acceleration must be. Angles that are not finite keep
    their last value: −1.
    """
    total = 0.0
    for k in range(2 * count):
        total += 0.0 * new[k]
    if not isfinite(total):
        copy(2 * count, now, new)
        return -1
    sure = 1
    for k in range(first, count):
        before, after = float(now[count + k]), float(new[count + k])
        expected = now[k] + 0.5 * h * (before + after)
        new[k] = turned(new[k], expected)
        fast = max(fabs(before), fabs(after))
        if is_fine > 0:
            fast = min(fast, fabs(after - before))
        if fabs(new[k] - expected) > OFF or h * fast > FAR:
            sure = 0
    return sure


@kernel
def set_references(m: Counts, p: Floats, angles: Floats) -> None:
    """Make angles the references."""
    copy(m.unwrapped, angles, tail(p, m.unwrapped_at))


@kernel
def find_fastest(count: Int, now: Floats) -> Float:
    """Return the largest speed."""
    fast = 0.0
    for k in range(count):
        fast = max(fast, fabs(now[count + k]))
    return fast


@kernel
def longest_gap(w: Work, m: Counts) -> Float:
    """Return how long a part of a step without a sample may be [s]."""
    return (w.t_stop - w.t_start) / m.samples


@kernel
def parts_of_step(w: Work, m: Counts, h: Float, memory: Floats) -> Int:
    """Return into how many parts the next step, by h, is divided to sample its angles."""
    now = tail(memory, 4 * m.guarded + AngleMemory.NOW * m.unwrapped)
    fast, longest = find_fastest(m.unwrapped, now), longest_gap(w, m)
    span, part = PARTS, h / PARTS
    while span > FINE and (span * part > longest or span * part * fast > FAR):
        span = span // 2
    return PARTS // span


@kernel(inline=False)
def bound_step(w: Work, m: Counts, now: Floats) -> None:
    """Bound the next step by the angle that it may turn at the present speeds.

    The bound changes by factors of two: methods with memory prefer equal steps.
    """
    w.max_step = w.max_step_given
    fast = find_fastest(m.unwrapped, now)
    if isfinite(w.max_turn) and fast > 0.0:
        power = floor(log(w.max_turn / fast) / LOG_2)
        w.max_step = min(w.max_step, 2.0**power)


share(evaluate_angles, unwrap_angles)


def make_unwrapping(
    sample: Sample, glance: Sample, vectors: int, lanes: int
) -> tuple[Resample, Unwrap]:
    """Return the kernels that sample the angles again, and that unwrap them in the last step.

    `sample` writes the state at an output time within the last step, `glance` one that need not be
    as accurate; behind its `vectors`, a method of several lanes has the parameters of each lane.
    """

    @kernel(inline=False)
    def set_lane_references(n: Int, w: Work, m: Counts, angles: Floats) -> None:
        of_lanes = tail(w, HEAD + vectors * n + lanes * m.unwrapped_at)
        for k in range(m.unwrapped):
            for lane in range(lanes):
                of_lanes[lanes * k + lane] = angles[k]

    @kernel(inline=False)
    def resample(
        n: Int, w: Work, m: Counts, p: Floats, unwrap: Function, memory: Floats
    ) -> Int:
        """Take the angles at the present state, within half a turn of the references.

        Return how many solutions of Newton's method are no numbers there.
        """
        count = m.unwrapped
        now = tail(memory, 4 * m.guarded + AngleMemory.NOW * count)
        evaluate_angles(w, unwrap, p, w.t, tail(w, HEAD + Vec.X * n), now)
        lost = 0
        for k in range(count):
            if not isfinite(now[k]):
                now[k] = p[m.unwrapped_at + k]
                lost += int(k < m.guesses)
            if not isfinite(now[count + k]):
                now[count + k] = 0.0
        set_references(m, p, now)
        bound_step(w, m, now)
        if lanes > 1:
            set_lane_references(n, w, m, now)
        return lost

    @kernel(inline=False)
    def write_samples(
        n: Int,
        w: Work,
        m: Counts,
        ode: Ode,
        out: Output,
        unwrap: Function,
        own: Floats,
        t: Float,
        t_new: Float,
    ) -> None:
        """Write the output samples after t as far as t_new, between the angles at both."""
        count = m.unwrapped
        now, new = tail(own, AngleMemory.NOW * count), tail(own, AngleMemory.NEW * count)
        at = tail(own, AngleMemory.OUTPUT * count)
        g = m.grid_next
        while g < m.grid_count:
            time = float(out.grid[g])
            if time > t_new or (m.event_pending > 0 and time == w.t_valid):
                break
            x = tail(out.samples, g * (n + count))
            angles = tail(x, n)
            sample(n, w, m, ode, time, x)
            if time == t_new or t == t_new:
                copy(count, new, angles)
            else:
                evaluate_angles(w, unwrap, ode.p, time, x, at)
                share = (time - t) / (t_new - t)
                for k in range(count):
                    near = now[k] + share * (new[k] - now[k])
                    angles[k] = at[k] if isfinite(at[k]) else near
                    if k >= m.guesses:
                        angles[k] = turned(angles[k], near)
            g += 1
        m.grid_next = g

    @kernel(inline=False)
    def unwrap_step(
        n: Int, w: Work, m: Counts, ode: Ode, out: Output, unwrap: Function, own: Floats
    ) -> None:
        """Unwrap the angles through the last step, whatever the output grid is.

        Parts of the step are halved until the angles turned agree with the speeds, and doubled
        again.
        """
        count = m.unwrapped
        now, new = tail(own, AngleMemory.NOW * count), tail(own, AngleMemory.NEW * count)
        state = tail(own, AngleMemory.STATE * count)
        t = w.t_old
        part = (w.t_valid - w.t_old) / PARTS
        longest = longest_gap(w, m)
        ready = m.angles_ready if w.t_valid == w.t else 0
        known = tail(own, AngleMemory.STATE * count + n)
        m.angles_ready = 0
        place = 0
        span = PARTS
        while place < PARTS:
            fast = find_fastest(count, now)
            while span > FINE and (span * part > longest or span * part * fast > FAR):
                span = span // 2
            t_new = t
            sure = 0
            while True:
                ahead = place + span
                t_new = w.t_valid if ahead == PARTS else w.t_old + ahead * part
                if ready > 0 and ahead % (PARTS // max(ready, 1)) == 0:
                    quarter = ahead // (PARTS // AHEAD) - 1
                    copy(2 * count, tail(known, 2 * count * quarter), new)
                else:
                    glance(n, w, m, ode, t_new, state)
                    evaluate_angles(w, unwrap, ode.p, t_new, state, new)
                is_fine = int(span <= FINE)
                sure = unwrap_angles(m.guesses, count, t_new - t, now, new, is_fine)
                if sure != 0 or span == 1:
                    break
                span = span // 2
            if sure < 1:
                m.ambiguous += 1
            write_samples(n, w, m, ode, out, unwrap, own, t, t_new)
            copy(2 * count, new, now)
            set_references(m, ode.p, now)
            place += span
            t = t_new
            if place % (2 * span) == 0:
                span = 2 * span

    @kernel(inline=False)
    def unwrap_to_present(
        n: Int, w: Work, m: Counts, ode: Ode, out: Output, unwrap: Function, memory: Floats
    ) -> None:
        """Bring the angles to the present time; write the output samples passed, with angles."""
        count = m.unwrapped
        own = tail(memory, 4 * m.guarded)
        now, new = tail(own, AngleMemory.NOW * count), tail(own, AngleMemory.NEW * count)
        if m.unwrapping == Unwrapping.STEP:
            copy(count, now, tail(own, AngleMemory.OLD * count))
            unwrap_step(n, w, m, ode, out, unwrap, own)
            bound_step(w, m, now)
            if lanes > 1:
                set_lane_references(n, w, m, now)
        if m.unwrapping == Unwrapping.RESTART:
            resample(n, w, m, ode.p, unwrap, memory)
            copy(count, now, tail(own, AngleMemory.OLD * count))
        if m.record_count > 0 and (m.unwrapping == Unwrapping.STEP or m.steps == 0):
            line = tail(out.record, (m.record_next - 1) * (n + 1 + count))
            copy(count, now, tail(line, n + 1))
        m.unwrapping = Unwrapping.CURRENT
        copy(count, now, new)
        write_samples(n, w, m, ode, out, unwrap, own, w.t_valid, w.t_valid)

    return resample, unwrap_to_present
