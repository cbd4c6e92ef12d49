"""Lanes in which nothing but steps happens: judged, accepted and continued in vectors.

A lane is gathered where its next step is not expected to be more than a step: what its workspace
has of it lies side by side with that of the others then. Where more comes after all, a sample, the
end, a measurement or a failure, it is released before that step is judged, and goes the way of a
single run. The numbers are the same either way.
"""

from __future__ import annotations

from math import fabs, isfinite, sqrt

from motorik.compiler.kernels import Floats, Int, Kernel, kernel, lanes, tail, unroll
from motorik.immutable import immutable
from motorik.numerics.tolerances import EPSILON, LAST_STEP, RATE_NOISE
from motorik.simulation.lanes.layout import MOST, Queue, Side, put, take
from motorik.simulation.methods.runge_kutta import (
    SMALLEST_LOG_ERROR,
    choice_of,
    log_error,
)
from motorik.simulation.methods.tableau import Tableau
from motorik.simulation.stepping.norm import (
    GIVEN,
    LARGEST,
    LEAST,
    METRES,
    METRES_PER_SECOND,
    RADIANS,
    RADIANS_PER_SECOND,
    SMALL,
    coarse,
    corrected,
)
from motorik.simulation.stepping.step_kernels import CALM_AFTER, NEARLY, STRETCH
from motorik.simulation.stepping.workspace import (
    HEAD,
    STIFF_AFTER,
    Counts,
    Vec,
    Work,
)


class TrialOutcome:
    """The outcomes of the trial of a lane, in `Side.OUTCOME`."""

    OTHER = 0.0  # the lane is not gathered, or more happens in it than a step
    TAKEN = 1.0
    SHORTENED = 2.0


@immutable
class GatheredKernels:
    """Kernels of gathered lanes: into and out of them, the errors of trials, what follows.

    `judge` returns whether any trial is good; `follow` how many lanes have to be released.
    """

    gather: Kernel[[Int, Int, Queue, Work, Counts, Floats], None]
    release: Kernel[[Int, Int, Queue, Work, Counts, Floats], None]
    judge: Kernel[[Int, Counts, Floats], Int]
    follow: Kernel[[Int, Queue, Counts, Floats], Int]


def make_gathered_kernels(
    table: Tableau, adaptive: bool, rate_at_end: int, L: int
) -> GatheredKernels:
    """Return the kernels of L lanes; `rate_at_end` is the number of that vector."""
    controls = int(adaptive)
    E = tuple(table.errors.values()) if adaptive else ((0.0,),)
    END, F = len(table.weights), rate_at_end
    LAST_RATE = Side.K + END - 1
    is_double = len(E) == 2
    SECOND = E[-1]
    is_known = int(table.reuses_last_rate and adaptive)
    trial_cost, step_cost = END - 1 + is_known, 1 - is_known
    find_factor = choice_of(table).factor
    border = table.stable_within

    @kernel(inline=False)
    def gather(n: Int, lane: Int, queue: Queue, w: Work, m: Counts, side: Floats) -> None:
        """Put the numbers of a lane, whose next trial is planned, beside those of the others."""
        queue[Queue.gathered + lane] = 1
        width = L * n
        s = tail(side, lane)
        s[Side.IS_GATHERED] = 1.0
        s[Side.END] = w.t_tried
        s[Side.OUTPUT], s[Side.STOP] = w.t_output, w.t_stop
        s[Side.LONGEST], s[Side.SHORTEST] = w.max_step, w.min_step
        s[Side.PLANNED], s[Side.LOG_OLD], s[Side.TRIES] = (
            w.h_planned,
            w.log_error_old,
            w.tries,
        )
        s[Side.STEPS], s[Side.REJECTED] = 0.0, 0.0
        room = min(m.max_steps - m.steps, m.budget)
        if controls > 0 and m.by_range > 0:
            room = min(room, m.noise_next - m.steps)
        s[Side.ROOM] = float(room)
        s[Side.STIFF], s[Side.CALM] = float(m.stiff_count), float(m.stiff_misses)
        s[Side.RTOL] = w.rtol
        s[Side.BASE], s[Side.FIXED], s[Side.FIXED_SIZE] = (
            w.t_base,
            float(m.fixed_count),
            w.h,
        )
        atol = tail(w, HEAD + Vec.ATOL * n)
        put(L, n, lane, atol, tail(side, Side.HEAD + Side.ATOL * width))
        low, high = tail(w, HEAD + Vec.LOW * n), tail(w, HEAD + Vec.HIGH * n)
        put(L, n, lane, low, tail(side, Side.HEAD + Side.LOW * width))
        put(L, n, lane, high, tail(side, Side.HEAD + Side.HIGH * width))
        noise, rate_noise = (
            tail(w, HEAD + Vec.NOISE * n),
            tail(w, HEAD + Vec.RATE_NOISE * n),
        )
        own = tail(side, Side.HEAD + Side.NOISE * width)
        rates = tail(side, Side.HEAD + Side.RATE_NOISE * width)
        place = 0.0
        for i in range(n):
            part = w.rtol / atol[i]
            own[L * i + lane] = part * noise[i]
            rates[L * i + lane] = part * rate_noise[i]
            kind = m[Counts.kind + i]
            if kind > GIVEN and kind < METRES_PER_SECOND:
                place = max(place, part * noise[i])
        s[Side.PLACE] = place

    @kernel(inline=False)
    def release(n: Int, lane: Int, queue: Queue, w: Work, m: Counts, side: Floats) -> None:
        """Put the numbers of a lane back into its workspace, as before its trial is judged."""
        queue[Queue.gathered + lane] = 0
        width = L * n
        s = tail(side, lane)
        s[Side.IS_GATHERED] = 0.0
        w.t, w.t_tried, w.h_tried = s[Side.START], s[Side.END], s[Side.H]
        w.h_planned, w.log_error_old, w.tries = (
            s[Side.PLANNED],
            s[Side.LOG_OLD],
            s[Side.TRIES],
        )
        steps, rejected = int(s[Side.STEPS]), int(s[Side.REJECTED])
        m.steps += steps
        m.budget -= steps
        m.rejected += rejected
        m.evaluations += trial_cost * (steps + rejected) + step_cost * steps
        m.stiff_count, m.stiff_misses = int(s[Side.STIFF]), int(s[Side.CALM])
        w.t_base, m.fixed_count = s[Side.BASE], int(s[Side.FIXED])
        x_old, first = tail(w, HEAD + Vec.X_OLD * n), tail(w, HEAD + Vec.K * n)
        take(L, n, lane, tail(side, Side.HEAD + Side.X_OLD * width), x_old)
        take(L, n, lane, tail(side, Side.HEAD + Side.K * width), first)
        low, high = tail(w, HEAD + Vec.LOW * n), tail(w, HEAD + Vec.HIGH * n)
        take(L, n, lane, tail(side, Side.HEAD + Side.LOW * width), low)
        take(L, n, lane, tail(side, Side.HEAD + Side.HIGH * width), high)

    @kernel
    def weigh_ranges(n: Int, m: Counts, side: Floats) -> None:
        """Find the range and the rounding of each kind of states; leave each range in WEIGHT.

        This is the first half of `weigh_states`.
        """
        width = L * n
        x_old = tail(side, Side.HEAD + Side.X_OLD * width)
        x = tail(side, Side.HEAD + Side.POINT * width)
        atol = tail(side, Side.HEAD + Side.ATOL * width)
        low = tail(side, Side.HEAD + Side.LOW * width)
        high = tail(side, Side.HEAD + Side.HIGH * width)
        noise = tail(side, Side.HEAD + Side.NOISE * width)
        rate_noise = tail(side, Side.HEAD + Side.RATE_NOISE * width)
        reach = tail(side, Side.HEAD + Side.WEIGHT * width)
        h, start, rtol = tail(side, Side.H), tail(side, Side.START), tail(side, Side.RTOL)
        speed = tail(side, Side.SPEED)
        for l in lanes(L):
            speed[l] = 0.0
        for kind in unroll(5):
            for l in lanes(L):
                side[Side.RANGE + MOST * kind + l] = 0.0
                side[Side.NOISES + MOST * kind + l] = 0.0
        for i in range(n):
            if m[Counts.kind + i] >= METRES_PER_SECOND:
                for l in lanes(L):
                    at = L * i + l
                    speed[l] = max(speed[l], noise[at] + h[l] * rate_noise[at])
        for i in range(n):
            kind = m[Counts.kind + i]
            measured = tail(side, Side.SPEED if kind >= METRES_PER_SECOND else Side.PLACE)
            largest = tail(side, Side.RANGE + MOST * kind)
            rounding = tail(side, Side.NOISES + MOST * kind)
            for l in lanes(L):
                at = L * i + l
                far = max(high[at], x[at]) - min(low[at], x[at])
                reach[at] = far
                largest[l] = max(largest[l], far)
                grain = EPSILON * fabs(start[l]) / h[l]
                own = EPSILON * fabs(x[at]) + (measured[l] + LEAST) * atol[at] / rtol[l]
                own += grain * fabs(x[at] - x_old[at])
                rounding[l] = max(rounding[l], own)
        for l in lanes(L):
            side[Side.NOISES + MOST * METRES + l] += (
                h[l] * side[Side.NOISES + MOST * METRES_PER_SECOND + l]
            )
            side[Side.NOISES + MOST * RADIANS + l] += (
                h[l] * side[Side.NOISES + MOST * RADIANS_PER_SECOND + l]
            )

    @kernel
    def weigh_lanes(n: Int, m: Counts, side: Floats) -> None:
        """Compute the weights 1 / tolerance of all states of gathered lanes, as `weigh` does."""
        width = L * n
        x_old = tail(side, Side.HEAD + Side.X_OLD * width)
        x = tail(side, Side.HEAD + Side.POINT * width)
        atol = tail(side, Side.HEAD + Side.ATOL * width)
        weight = tail(side, Side.HEAD + Side.WEIGHT * width)
        rtol = tail(side, Side.RTOL)
        if m.by_range > 0:
            weigh_ranges(n, m, side)
        for i in range(n):
            kind = m[Counts.kind + i]
            if m.by_range == 0 or kind == GIVEN:
                for l in lanes(L):
                    at = L * i + l
                    far = max(fabs(x_old[at]), fabs(x[at]))
                    weight[at] = 1.0 / (atol[at] + rtol[l] * far)
            else:
                most, is_speed = LARGEST[kind], float(int(kind >= METRES_PER_SECOND))
                largest = tail(side, Side.RANGE + MOST * kind)
                rounding = tail(side, Side.NOISES + MOST * kind)
                for l in lanes(L):
                    at = L * i + l
                    moved = 0.5 * min(weight[at], most)
                    moved = max(moved, is_speed * fabs(x[at]))
                    small = max(SMALL * rtol[l] * largest[l], RATE_NOISE * rounding[l])
                    weight[at] = 1.0 / min(atol[at] + rtol[l] * moved, small)

    @kernel(inline=False)
    def judge(n: Int, m: Counts, side: Floats) -> Int:
        """Find the errors of the trials of gathered lanes, in units of the tolerance."""
        width = L * n
        size, h = tail(side, Side.ERROR_SIZE), tail(side, Side.H)
        gathered = tail(side, Side.IS_GATHERED)
        good = 0
        if controls == 0:
            for l in lanes(L):
                size[l] = 0.0
        else:
            weigh_lanes(n, m, side)
            k = tail(side, Side.HEAD + Side.K * width)
            f = tail(side, Side.HEAD + F * width)
            weight = tail(side, Side.HEAD + Side.WEIGHT * width)
            first, second = tail(side, Side.SUM), tail(side, Side.SECOND_SUM)
            for l in lanes(L):
                first[l] = 0.0
                second[l] = 0.0
            for i in range(n):
                for l in lanes(L):
                    at = L * i + l
                    slope = E[0][0] * k[at]
                    for j in unroll(1, END):
                        if E[0][j] != 0.0:
                            slope += E[0][j] * k[j * width + at]
                    for j in unroll(END, len(E[0])):
                        slope += E[0][j] * f[at]
                    slope *= weight[at]
                    first[l] += slope * slope
                    if is_double:
                        other = SECOND[0] * k[at]
                        for j in unroll(1, END):
                            if SECOND[j] != 0.0:
                                other += SECOND[j] * k[j * width + at]
                        for j in unroll(END, len(SECOND)):
                            other += SECOND[j] * f[at]
                        other *= weight[at]
                        second[l] += other * other
            if m.by_range > 0:
                for l in lanes(L):
                    own = coarse(fabs(h[l]) * sqrt(first[l] / n))
                    if is_double:
                        own = corrected(own, coarse(fabs(h[l]) * sqrt(second[l] / n)))
                    size[l] = own
            else:
                for l in lanes(L):
                    own = fabs(h[l]) * sqrt(first[l] / n)
                    if is_double:
                        own = corrected(own, fabs(h[l]) * sqrt(second[l] / n))
                    size[l] = own
        for l in lanes(L):
            good += min(int(size[l] <= 1.0), int(gathered[l] > 0.0))
        return good

    @kernel
    def find_explosions(n: Int, m: Counts, side: Floats) -> None:
        """Note in SUM of which lanes steps of fixed size have lost the scale or are no numbers."""
        width = L * n
        x = tail(side, Side.HEAD + Side.POINT * width)
        f = tail(side, Side.HEAD + F * width)
        atol = tail(side, Side.HEAD + Side.ATOL * width)
        total, rtol = tail(side, Side.SUM), tail(side, Side.RTOL)
        for l in lanes(L):
            total[l] = 0.0
        for i in range(n):
            is_free = int(m.by_range == 0 or m[Counts.kind + i] == GIVEN)
            for l in lanes(L):
                at = L * i + l
                lost = EPSILON * fabs(x[at]) - atol[at] / rtol[l]
                total[l] += f[at] * 0.0 + x[at] * 0.0
                total[l] = max(total[l], 0.0 if is_free > 0 else lost)

    @kernel
    def detect_stiff_lanes(n: Int, side: Floats) -> None:
        """Leave in SUM and SECOND_SUM what `detect_stiffness` compares."""
        width = L * n
        x = tail(side, Side.HEAD + Side.POINT * width)
        f = tail(side, Side.HEAD + F * width)
        y = tail(side, Side.HEAD + Side.LAST * width)
        fy = tail(side, Side.HEAD + LAST_RATE * width)
        h, above, below = (
            tail(side, Side.H),
            tail(side, Side.SUM),
            tail(side, Side.SECOND_SUM),
        )
        for l in lanes(L):
            above[l] = 0.0
            below[l] = 0.0
        for i in range(n):
            for l in lanes(L):
                at = L * i + l
                above[l] += (f[at] - fy[at]) * (f[at] - fy[at])
                below[l] += (x[at] - y[at]) * (x[at] - y[at])
        for l in lanes(L):
            above[l] = h[l] * h[l] * above[l]

    @kernel
    def follow_fixed(n: Int, queue: Queue, m: Counts, side: Floats) -> None:
        """Go on by a step of fixed size where nothing else happens."""
        find_explosions(n, m, side)
        h, start, end = tail(side, Side.H), tail(side, Side.START), tail(side, Side.END)
        total, outcome = tail(side, Side.SUM), tail(side, Side.OUTCOME)
        for l in lanes(L):
            stop, base = side[Side.STOP + l], side[Side.BASE + l]
            fixed, h_fixed = side[Side.FIXED + l], side[Side.FIXED_SIZE + l]
            goes = min(int(side[Side.IS_GATHERED + l] > 0.0), int(total[l] == 0.0))
            goes = min(goes, int(end[l] < side[Side.OUTPUT + l]))
            goes = min(goes, int(end[l] < stop))
            goes = min(goes, int(side[Side.ROOM + l] > 1.0))
            is_taken = goes > 0
            t = end[l]
            t_next = base + (fixed + 1.0) * h_fixed
            is_last = t_next >= stop - LAST_STEP * h_fixed
            t_next = stop if is_last else t_next
            count = 0.0 if is_last else fixed + 1.0
            base = stop if is_last else base
            outcome[l] = TrialOutcome.TAKEN if is_taken else TrialOutcome.OTHER
            start[l] = t if is_taken else start[l]
            end[l] = t_next if is_taken else end[l]
            h[l] = t_next - t if is_taken else h[l]
            side[Side.BASE + l] = base if is_taken else side[Side.BASE + l]
            side[Side.FIXED + l] = count if is_taken else fixed
            side[Side.STEPS + l] += float(goes)
            side[Side.ROOM + l] -= float(goes)

    @kernel
    def follow_chosen(n: Int, queue: Queue, m: Counts, side: Floats) -> None:
        """Choose the next steps where nothing else happens, as `StepChoice` does."""
        width = L * n
        checks = int(border > 0.0 and m.stiff_check > 0)
        if checks > 0:
            detect_stiff_lanes(n, side)
        residual = tail(side, Side.HEAD + F * width + width)
        audits = queue.audits
        h, start, end = tail(side, Side.H), tail(side, Side.START), tail(side, Side.END)
        size, outcome = tail(side, Side.ERROR_SIZE), tail(side, Side.OUTCOME)
        above, below = tail(side, Side.SUM), tail(side, Side.SECOND_SUM)
        for l in lanes(L):
            stop, tries = side[Side.STOP + l], side[Side.TRIES + l]
            error, log_old = size[l], side[Side.LOG_OLD + l]
            is_good = error <= 1.0
            good = int(is_good)
            log_size = log_error(error)
            factor = find_factor(log_size, log_old if is_good else 0.0)
            is_first = tries == 1.0
            bound = min(factor, 1.0)
            factor = factor if is_first else bound
            h_next = h[l] * factor
            # the next trial
            t = end[l] if is_good else start[l]
            planned = min(h_next, side[Side.LONGEST + l])
            rest = stop - t
            last = min(
                int(planned * STRETCH >= rest), int(rest <= side[Side.LONGEST + l] * NEARLY)
            )
            is_last = min(last, good) > 0
            h_try = planned if is_good else h_next
            t_try = t + h_try
            h_try = rest if is_last else h_try
            t_try = stop if is_last else t_try
            # the border of stability
            counts = min(min(good, checks), int(is_first)) > 0
            is_there = above[l] > border * border * below[l]
            stiff, calm = side[Side.STIFF + l], side[Side.CALM + l]
            calm_next = calm + 1.0
            is_calm = calm_next >= CALM_AFTER
            held = min(stiff, 0.0)
            stiff_calm = held if is_calm else stiff
            stiff_next = stiff + 1.0 if is_there else stiff_calm
            calm_next = 0.0 if is_there else calm_next
            stiff_next = stiff_next if counts else stiff
            calm_next = calm_next if counts else calm
            # whether that is all
            least = max(
                side[Side.SHORTEST + l],
                4.0 * EPSILON * max(fabs(t), EPSILON * rest),
            )
            goes = min(int(side[Side.IS_GATHERED + l] > 0.0), int(isfinite(error)))
            goes = min(goes, int(h_next >= least))
            ends = min(int(end[l] < side[Side.OUTPUT + l]), int(end[l] < stop))
            ends = min(ends, int(side[Side.ROOM + l] > 1.0))
            ends = min(ends, int(stiff_next < STIFF_AFTER))
            ends = min(ends, max(int(residual[l] <= 1.0), 1 - audits))
            goes = min(goes, max(ends, 1 - good))
            is_taken = goes > 0
            taken = min(goes, good)
            what = TrialOutcome.TAKEN if is_good else TrialOutcome.SHORTENED
            outcome[l] = what if is_taken else TrialOutcome.OTHER
            start[l] = t if is_taken else start[l]
            end[l] = t_try if is_taken else end[l]
            h[l] = h_try if is_taken else h[l]
            log_next = max(log_size, SMALLEST_LOG_ERROR)
            moves = taken > 0
            side[Side.LOG_OLD + l] = log_next if moves else log_old
            side[Side.PLANNED + l] = planned if moves else side[Side.PLANNED + l]
            more = tries + float(goes)
            side[Side.TRIES + l] = 1.0 if moves else more
            side[Side.STIFF + l] = stiff_next if moves else stiff
            side[Side.CALM + l] = calm_next if moves else calm
            side[Side.STEPS + l] += float(taken)
            side[Side.ROOM + l] -= float(taken)
            side[Side.REJECTED + l] += float(goes - taken)

    @kernel(inline=False)
    def follow(n: Int, queue: Queue, m: Counts, side: Floats) -> Int:
        """Take good steps and plan the next trials of all lanes in which nothing else happens."""
        width = L * n
        if controls > 0:
            follow_chosen(n, queue, m, side)
        else:
            follow_fixed(n, queue, m, side)
        x_old = tail(side, Side.HEAD + Side.X_OLD * width)
        x = tail(side, Side.HEAD + Side.POINT * width)
        f_old = tail(side, Side.HEAD + Side.K * width)
        f = tail(side, Side.HEAD + F * width)
        low = tail(side, Side.HEAD + Side.LOW * width)
        high = tail(side, Side.HEAD + Side.HIGH * width)
        outcome = tail(side, Side.OUTCOME)
        for i in range(n):
            for l in lanes(L):
                at = L * i + l
                is_taken = outcome[l] == TrialOutcome.TAKEN
                x_new = x[at] if is_taken else x_old[at]
                f_new = f[at] if is_taken else f_old[at]
                x_old[at] = x_new
                f_old[at] = f_new
                low[at] = min(low[at], x_new)
                high[at] = max(high[at], x_new)
        others = 0
        for l in lanes(L):
            others += min(
                int(side[Side.BUSY + l] > 0.0), int(outcome[l] == TrialOutcome.OTHER)
            )
        return others

    return GatheredKernels(gather, release, judge, follow)
