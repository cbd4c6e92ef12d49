"""Slip onset: regularised friction in a plane while the direction of sliding is undefined.

Friction −μ N v / |v| turns a slow velocity towards its quasi-steady direction at the rate
D μ N / |v|, unbounded as v → 0: the equations are stiff, although the solution is smooth. While the
speed along the initial direction is below S, friction is turned by the speed across divided by S
instead, at the rate D μ N / S. S grows with the time τ since the onset, S = D μ N τ / K, so that
rate is K / τ, and explicit methods need a number of steps that grows with log τ only. Steps at the
stability limit leave noise that error estimates of high order do not see: they are kept shorter.
With fixed steps S is chosen to be stable.

The error is known: for friction turned by the angle α, the speed across is S α instead of v α. The
error e = (S − v) α decays; that of the speed along, α e, stays; that of the position is at most
τ e. Where α e, or τ e by the duration of the run, exceeds one tolerance of the states, S is reduced
and K grows. Above S the law is exact.
"""

from __future__ import annotations

from math import fabs, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.nonsmooth.detection.event_functions import onset_error, onset_speed
from motorik.nonsmooth.memory import (
    EVENT_FUNCTIONS,
    LCP_DATA,
    Contact,
    ContactMode,
    ContactState,
    EventFunctions,
    Lcp,
    contact_at,
    contact_state_at,
    lcp_at,
    lcp_data_at,
    scales_at,
)
from motorik.numerics.tolerances import BACKWARD_SLIP
from motorik.simulation.stepping.workspace import HEAD, EventArguments, Ode, Vec, Work

FIRST_SPEED = 10.0  # initial S, in tolerances of speed: above the noise of steps
K = 5.0  # initial value
FIXED_DOUBLING = 1e3  # durations of the run in which S doubles, with fixed steps
STABLE_STEP, STABLE_MULTISTEP = (
    1.5,
    0.5,
)  # step size times turning rate, of explicit methods
REDUCTION = 8.0  # of S where the error is too large
LARGEST_ANGLE = 0.5  # tangent of the largest angle of turning: then it slides
LARGEST_ERROR = 0.5  # relative to its tolerance: then S is reduced


@kernel(inline=False)
def tolerated_speed(n: Int, w: Work, ode: Ode, ev: EventArguments, k: Int) -> Float:
    """Return the speed whose loss changes no state by more than its tolerance."""
    m = ev.counts.contacts
    own = ev.memory[lcp_data_at(m) + LCP_DATA * m + k * (m + 1)]
    if not own > 0.0:
        return 0.0
    x, atol = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.ATOL * n)
    change = tail(w, HEAD + Vec.STAGE * n)
    place = ev.counts[contact_at(k) + Contact.at_force]
    w.t_call = max(w.t, w.t_from)
    ode.p[place] = 1.0 / own
    ev.impulse_response(tail(w, Work.t_call), x, ode.p, change)
    ode.p[place] = 0.0
    most = 0.0
    for i in range(n):
        tolerance = atol[i] + w.rtol * fabs(x[i])
        if tolerance > 0.0:
            most = max(most, fabs(change[i]) / tolerance)
    return 1.0 / most if most > 0.0 else 0.0


@kernel
def negligible_speed(n: Int, w: Work, ode: Ode, ev: EventArguments, k: Int) -> Float:
    """Return the speed of a disk that counts as zero: one tolerance, or rounding."""
    fast = ev.memory[
        scales_at(ev.counts.contacts) + EVENT_FUNCTIONS * k + EventFunctions.speed
    ]
    return max(tolerated_speed(n, w, ode, ev, k), BACKWARD_SLIP * fast)


@kernel(inline=False)
def turning_rate(ev: EventArguments, k: Int) -> Float:
    """Return the rate at which sliding friction turns the velocity of a disk, times a speed."""
    m = ev.counts.contacts
    D, forces = (
        tail(ev.memory, lcp_data_at(m) + LCP_DATA * m),
        tail(ev.memory, lcp_at(m) + Lcp.FORCE * m),
    )
    i, rate = ev.counts[contact_at(k) + Contact.pair], 0.0
    for other in range(m):
        j = ev.counts[contact_at(other) + Contact.pair]
        if j >= 0:
            force = sqrt(forces[other] * forces[other] + forces[j] * forces[j])
            rate += fabs(D[i * m + j]) * force
    return rate


@kernel(inline=False)
def begin_onset(w: Work, ode: Ode, ev: EventArguments, k: Int) -> None:
    """Begin the regularisation of a disk that starts to slide."""
    m = ev.counts.contacts
    lcp = tail(ev.memory, lcp_at(m))
    own = Contact.at(ev.counts, contact_at(k))
    along, across = (float(lcp[Lcp.FORCE * m + k]), float(lcp[Lcp.FORCE * m + own.pair]))
    D = ev.memory[lcp_data_at(m) + LCP_DATA * m + k * (m + 1)]
    rate = D * sqrt(along * along + across * across)
    slow = lcp[Lcp.LAG * m + k]
    lcp[Lcp.SLOW * m + k] = slow
    creeps, takes = FIRST_SPEED * slow, 0.0
    if rate > 0.0:
        takes = creeps * K / rate
    if ev.memory.fixed_step > 0.0:
        creeps = max(creeps, ev.memory.fixed_step * turning_rate(ev, k) / STABLE_STEP)
        takes = FIXED_DOUBLING * ev.memory.duration
    ode.p[own.at_pace], ode.p[own.at_since] = 0.0, w.t
    if takes > 0.0:
        ode.p[own.at_pace], ode.p[own.at_since] = (creeps / takes, w.t - takes)


@kernel(inline=False)
def adapt_onsets(ev: EventArguments, p: Floats) -> None:
    """Reduce S of disks with too large an error; end the onset of those that turn too far.

    Saturated contacts have not begun to move, and may rest.
    """
    m = ev.counts.contacts
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        if own.pair < 0 or own.mode != ContactMode.FORWARD or not p[own.at_pace] > 0.0:
            continue
        values = ContactState.at(ev.memory, contact_state_at(k))
        across = fabs(ev.memory[contact_state_at(own.pair)])
        creeps = onset_speed(ev, k)
        slow = ev.memory[lcp_at(m) + Lcp.SLOW * m + k]
        ahead = max(float(values.speed), creeps)
        fast = ev.memory[scales_at(m) + EVENT_FUNCTIONS * k + EventFunctions.speed]
        rests = max(fabs(values.speed), across) <= BACKWARD_SLIP * fast  # held by others
        astray = values.speed < -slow or across > LARGEST_ANGLE * ahead
        if not values.high > 0.0 or rests or astray:
            p[own.at_pace] = 0.0
        elif onset_error(ev, k) > LARGEST_ERROR:
            creeps /= REDUCTION
            ends = slow == 0.0 or creeps <= values.speed or across > LARGEST_ANGLE * creeps
            p[own.at_pace] = 0.0 if ends else p[own.at_pace] / REDUCTION


@kernel(inline=False)
def bound_step(w: Work, ev: EventArguments, has_memory: Int) -> None:
    """Bound the next step by the stability limit of regularised friction."""
    m = ev.counts.contacts
    D, fastest = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m), 0.0
    for k in range(m):
        if not ev.memory[lcp_at(m) + Lcp.PACE * m + k] > 0.0:
            continue
        rate, i = 0.0, ev.counts[contact_at(k) + Contact.pair]
        for other in range(m):
            creeps = onset_speed(ev, other)
            values = ContactState.at(ev.memory, contact_state_at(other))
            if creeps > max(float(values.speed), 0.0):
                j = ev.counts[contact_at(other) + Contact.pair]
                rate += fabs(D[i * m + j]) * values.high / creeps
        fastest = max(fastest, rate)
    if fastest > 0.0:
        w.h = min(w.h, (STABLE_MULTISTEP if has_memory > 0 else STABLE_STEP) / fastest)
