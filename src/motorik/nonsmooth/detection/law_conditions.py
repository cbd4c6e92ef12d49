"""State events of force laws: step sizes that end at a discontinuity, and missed discontinuities.

A force law branches where one of its conditions on the state changes sign. Values and rates of all
conditions are known at both ends of a step. Before a step they give the size that ends at the next
discontinuity. After it they show whether it has jumped over a branch: then it is repeated, to end
inside.
"""

from __future__ import annotations

from math import fabs, inf

from motorik.compiler.kernels import Float, Int, kernel, tail
from motorik.nonsmooth.detection.tolerances import enlarged, perturb_state, rounding_ratio
from motorik.nonsmooth.memory import TriggerValue
from motorik.numerics.roots import bisect_cubic, cubic
from motorik.numerics.tolerances import SAME_CROSSING
from motorik.simulation.stepping.step_kernels import copy, smallest_step
from motorik.simulation.stepping.workspace import HEAD, EventArguments, Ode, Vec, Work


class LawCondition:
    """Vectors of one number per condition of a law, and behind them the time of the values.

    Then follow: samples until rounding is measured again, the rounding error of each value, work
    space for perturbed values and rates, the number of perturbed samples; last, the counters of
    sliding-mode detection.
    """

    VALUE = 0
    RATE = 1
    IS_POSITION = 2  # whether it depends on positions alone
    VALUE_OLD = 3  # where the step began
    RATE_OLD = 4
    LARGEST_VALUE = 5  # in the last steps
    LARGEST_RATE = 6
    TIME = 7


BEYOND = 1.001  # of the time to a condition: size of a step that ends behind it
SHORTER, LONGER = 0.1, 2.0  # times the last step: least size, and behind a condition
SHORT_OF, NEAR, WELL_BEYOND = (
    0.9,
    0.2,
    1.5,
)  # of the time to the condition, and of the last step
FEW = 64.0  # times the smallest step: least size
PROBED_EVERY = 16.0  # samples between measurements of the rounding error
ALIKE = 0.8  # of the time in which a position condition changes by its magnitude
FADES = 0.98  # decay of the largest values per step
TOUCHES = 0.05  # of its larger end value: a condition this near may vanish within


def law_condition_size(count: int) -> int:
    """Return how many numbers are stored for so many conditions, and one before them."""
    return 1 + LawCondition.TIME * count + 1 + 1 + 4 * count + 1 + 2 * count


@kernel
def law_conditions_at(ev: EventArguments) -> Int:
    """Return where the numbers of law conditions begin in `values`."""
    return TriggerValue.ASSIGNED * ev.table.triggers + ev.table.assignments + 1


@kernel(inline=False)
def evaluate_law_conditions(n: Int, w: Work, ode: Ode, ev: EventArguments) -> None:
    """Write values and rates of all conditions at the present state.

    Values within the rounding error of their states become zero: steps that end there would
    resolve nothing.
    """
    count, found, x = (
        ev.table.law_conditions,
        tail(ev.values, law_conditions_at(ev)),
        tail(w, HEAD + Vec.X * n),
    )
    w.t_call = min(max(w.t, w.t_from), w.t_upto)
    ev.law_conditions(tail(w, Work.t_call), x, ode.p, found)
    noise = tail(found, LawCondition.TIME * count + 1)
    if noise[0] <= 0.0:
        measure_condition_rounding(n, w, ode, ev)
        noise[0] = PROBED_EVERY
    noise[0] -= 1.0
    for k in range(count):
        if fabs(found[k]) <= noise[1 + k]:
            found[k] = 0.0
    found[LawCondition.TIME * count] = w.t


@kernel(inline=False)
def measure_condition_rounding(n: Int, w: Work, ode: Ode, ev: EventArguments) -> None:
    """Write the rounding error of each condition, see `tolerances`."""
    count, found = ev.table.law_conditions, tail(ev.values, law_conditions_at(ev))
    noise = tail(found, LawCondition.TIME * count + 2)
    beside = tail(noise, count)
    x, kept = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.STAGE * n)
    perturb_state(n, w, int(noise[4 * count]))
    noise[4 * count] += 1.0
    for i in range(n):
        x[i], kept[i] = kept[i], x[i]
    ev.law_conditions(tail(w, Work.t_call), x, ode.p, beside)
    copy(n, kept, x)
    for k in range(count):
        noise[k] = enlarged(float(noise[k]), rounding_ratio(w) * (beside[k] - found[k]))


@kernel(inline=False)
def time_to_condition(
    n: Int, w: Work, ode: Ode, ev: EventArguments, explicit: Int, restarts: Int
) -> Float:
    """Return the step size that ends where the first condition becomes zero.

    Conditions are extrapolated by their rates. An implicit step cannot end at a discontinuity
    that its own end decides: it stops short of it, and then leads well beyond.

    Steps that end there converge to it as Newton's method does, and then pass it by little. A
    condition the last step has passed may be passed again by longer steps: a force that keeps
    changing its sign at rest is followed as far as the error control allows. Conditions on
    positions, as a cam on a shaft at constant speed, are sampled once per change of their own
    magnitude.
    """
    count, found = ev.table.law_conditions, tail(ev.values, law_conditions_at(ev))
    if restarts > 0 or found[LawCondition.TIME * count] != w.t:
        evaluate_law_conditions(n, w, ode, ev)
    room, last = inf, w.t - w.t_old
    for k in range(count):
        value, rate = float(found[k]), float(found[LawCondition.RATE * count + k])
        size = max(fabs(value), FADES * found[LawCondition.LARGEST_VALUE * count + k])
        pace = max(fabs(rate), FADES * found[LawCondition.LARGEST_RATE * count + k])
        (
            found[LawCondition.LARGEST_VALUE * count + k],
            found[LawCondition.LARGEST_RATE * count + k],
        ) = size, pace
        passed = int(
            value * found[LawCondition.VALUE_OLD * count + k] <= 0.0
        )  # or began there
        is_place = found[LawCondition.IS_POSITION * count + k] > 0.0 and value != 0.0
        if is_place and ALIKE * size < pace * room:
            least = (LONGER if passed > 0 else SHORTER) * last
            room = min(room, max(ALIKE * size / pace, least))
        if value * rate < 0.0:
            ahead = fabs(value / rate)
            step = max(BEYOND * ahead, SHORTER * last)
            if explicit == 0:
                step = (SHORT_OF if ahead > NEAR * last else WELL_BEYOND) * ahead
            if passed > 0:
                step = max(step, LONGER * last)
            room = min(room, step)
    return max(room, FEW * smallest_step(w))


@kernel(inline=False)
def time_to_missed_condition(n: Int, w: Work, ode: Ode, ev: EventArguments) -> Float:
    """Return the size the last step should have had to end inside a branch; 0 if it is good.

    It has jumped over a branch where two conditions have changed their signs, or where one
    becomes zero within the step and returns.
    """
    count, h = ev.table.law_conditions, w.t - w.t_old
    found = tail(ev.values, law_conditions_at(ev))
    copy(2 * count, found, tail(found, LawCondition.VALUE_OLD * count))
    evaluate_law_conditions(n, w, ode, ev)
    changed, turned = 0, 0
    for k in range(count):
        a, b = float(found[LawCondition.VALUE_OLD * count + k]), float(found[k])
        da, db = (
            found[LawCondition.RATE_OLD * count + k],
            found[LawCondition.RATE * count + k],
        )
        changed += int(a * b < 0.0)
        turned += int(a * b > 0.0 and a * da < 0.0 and b * db > 0.0)
    if changed < 2 and turned == 0:
        return 0.0
    first, second, lowest = inf, inf, inf
    for k in range(count):
        a, b = float(found[LawCondition.VALUE_OLD * count + k]), float(found[k])
        da = h * found[LawCondition.RATE_OLD * count + k]
        db = h * found[LawCondition.RATE * count + k]
        if a * b < 0.0 and changed > 1:
            part = bisect_cubic(a, da, b, db, 0)
            second = min(second, max(first, part))
            first = min(first, part)
        elif a * b > 0.0 and a * da < 0.0 and b * db > 0.0:
            # convex hull of the Bézier control points
            level = TOUCHES * max(1.0, b / a)
            if min((a + da / 3.0) / a, (b - db / 3.0) / a) < level:
                part = bisect_cubic(a, da, b, db, 1)
                if cubic(a, da, b, db, part) / a < level:
                    lowest = min(lowest, part)
    part = lowest
    if second - first > SAME_CROSSING:
        part = min(part, 0.5 * (first + second))
    least = FEW * smallest_step(w)
    return part * h if part < 1.0 - SAME_CROSSING and part * h > least else 0.0


# --- sliding modes -------------------------------------------------------------------------


# false alarms to skip, and steps that approach a discontinuity without reaching it
PASSED, STALLED = (
    LawCondition.TIME + 4,
    LawCondition.TIME + 5,
)  # vectors, three numbers further on
AFTER_TIME = 3
STALLS, NEARER = 6, 0.7  # steps in a row that approach a discontinuity by this factor


@kernel(inline=False)
def detect_sliding_mode(n: Int, w: Work, ode: Ode, ev: EventArguments) -> Int:
    """Return whether a sliding mode may begin at t, and note its condition.

    Rates on both sides of the discontinuity point towards it: the step has crossed it, or, if
    such steps are rejected or implicit ones have no solution, steps become ever shorter.
    """
    count, found = ev.table.law_conditions, tail(ev.values, law_conditions_at(ev))
    if found[LawCondition.TIME * count] != w.t:
        copy(2 * count, found, tail(found, LawCondition.VALUE_OLD * count))
        evaluate_law_conditions(n, w, ode, ev)
    passed = tail(found, PASSED * count + AFTER_TIME)
    stalled = tail(found, STALLED * count + AFTER_TIME)
    for k in range(count):
        kind = found[LawCondition.IS_POSITION * count + k]
        if kind == 0.0 or kind == 1.0:
            continue
        a, b = (
            float(found[LawCondition.VALUE_OLD * count + k]),
            float(found[LawCondition.VALUE * count + k]),
        )
        da = float(found[LawCondition.RATE_OLD * count + k])
        db = float(found[LawCondition.RATE * count + k])
        comes = a * da < 0.0 and b * db < 0.0
        if comes and a * b > 0.0 and fabs(b * da) < NEARER * fabs(a * db):
            stalled[k] += 1.0
        else:
            stalled[k] = 0.0
        leaves = a == 0.0 and b * db < 0.0  # leaves the surface and returns
        if leaves or (comes and (a * b < 0.0 or stalled[k] >= float(STALLS))):
            stalled[k] = 0.0
            if passed[k] > 0.0:
                passed[k] -= 1.0
            else:
                ev.counts.worst = k
                return 1
    return 0
