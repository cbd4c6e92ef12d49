"""Zero tolerances of speeds and gaps: their changes by state tolerances and by rounding.

Each contact has tolerances in its own unit. States perturbed by the tolerances of all states, with
alternating signs, show how far speed and gap are known: Σ |∂g/∂x_i| (atol_i + rtol |x_i|) without
any derivative of g. States that g does not depend on do not count, however large they are. The
rounding error is the same change scaled to machine precision; in addition, the time is known to
some ulps only, within which forces change speeds and speeds change gaps.
"""

from __future__ import annotations

from math import fabs, isfinite, sqrt

from motorik.compiler.kernels import Float, Int, kernel, tail
from motorik.nonsmooth.memory import (
    CONTACT_STATE,
    LCP_DATA,
    ContactState,
    Lcp,
    LcpData,
    lcp_at,
    lcp_data_at,
    perturbed_at,
)
from motorik.numerics.tolerances import EVENT_ROUNDING
from motorik.simulation.stepping.workspace import HEAD, EventArguments, Ode, Vec, Work

AT_START = 4  # samples before the first event; one more follows at each event
FADES = 0.9  # decay of a tolerance where the next sample shows less
GOLDEN, PLASTIC = 0.6180339887498949, 0.7548776662466927  # quasi-random fractions
SURE = 2.0  # bound of a sum of absolute values by one of alternating terms


@kernel
def perturbation_of(i: Int, number: Int) -> Float:
    """Return the perturbation of a state in tolerances: 3/4 to 1, positive or negative."""
    spread = (i + 1) * GOLDEN + (number + 1) * PLASTIC
    spread -= float(int(spread))
    return 0.5 + 0.5 * spread if spread >= 0.5 else -0.75 - 0.5 * spread


@kernel(inline=False)
def perturb_state(n: Int, w: Work, number: Int) -> None:
    """Write the present state, perturbed by tolerances, into STAGE."""
    x, atol = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.ATOL * n)
    beside = tail(w, HEAD + Vec.STAGE * n)
    for i in range(n):
        beside[i] = x[i] + perturbation_of(i, number) * (atol[i] + w.rtol * fabs(x[i]))


@kernel
def rounding_ratio(w: Work) -> Float:
    """Return the rounding error of a state relative to its tolerance."""
    return EVENT_ROUNDING / max(float(w.rtol), EVENT_ROUNDING)


@kernel
def enlarged(known: Float, change: Float) -> Float:
    """Return a tolerance that covers the change of a perturbed sample."""
    return max(FADES * known, SURE * fabs(change)) if isfinite(change) else known


@kernel(inline=False)
def measure_tolerances(n: Int, w: Work, ode: Ode, ev: EventArguments) -> None:
    """Write the tolerances at the present state, at which the LCP data were evaluated."""
    m = ev.counts.contacts
    lcp, data = tail(ev.memory, lcp_at(m)), tail(ev.memory, lcp_data_at(m))
    probed = tail(ev.memory, perturbed_at(m))
    w.t_call = min(max(w.t, w.t_from), w.t_upto)
    for _ in range(1 if ev.counts.modes_known > 0 else AT_START):
        perturb_state(n, w, ev.counts.probes)
        ev.counts.probes += 1
        ev.contact_state(tail(w, Work.t_call), tail(w, HEAD + Vec.STAGE * n), ode.p, probed)
        for k in range(m):
            speed, gap = (
                probed[CONTACT_STATE * k],
                probed[CONTACT_STATE * k + ContactState.gap],
            )
            at = Lcp.SPEED_TOL * m + k
            lcp[at] = enlarged(float(lcp[at]), speed - data[LCP_DATA * k])
            at = Lcp.GAP_TOL * m + k
            lcp[at] = enlarged(float(lcp[at]), gap - data[LCP_DATA * k + LcpData.gap])
    measure_rounding(w, ev)


@kernel
def has_no_matrix(ev: EventArguments) -> Int:
    """Return whether only the diagonal of D is known."""
    return int(ev.stopping is not None and ev.counts.complete == 0)


@kernel
def sum_of_terms(ev: EventArguments) -> Float:
    """Return Σ √Dⱼⱼ |λⱼ|: √Dₖₖ times this bounds Σ |Dₖⱼ λⱼ|, since D is positive definite."""
    m = ev.counts.contacts
    D, lcp = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m), tail(ev.memory, lcp_at(m))
    total = 0.0
    for j in range(m):
        total += sqrt(D[j * (m + 1)]) * fabs(lcp[Lcp.FORCE * m + j])
    return total


@kernel(inline=False)
def measure_rounding(w: Work, ev: EventArguments) -> None:
    """Write the rounding errors of speeds and gaps from states and time."""
    m = ev.counts.contacts
    lcp, data = tail(ev.memory, lcp_at(m)), tail(ev.memory, lcp_data_at(m))
    fine, instant = rounding_ratio(w), EVENT_ROUNDING * fabs(w.t)
    for k in range(m):
        contact = LcpData.at(data, LCP_DATA * k)
        rate = fabs(contact.b)
        for side in range(1, 3):
            if isfinite(contact[side]):
                rate = max(rate, fabs(contact[side] * data[LCP_DATA * m + k * (m + 1)]))
        lcp[Lcp.SPEED_ROUNDING * m + k] = max(
            fine * lcp[Lcp.SPEED_TOL * m + k], instant * rate
        )
        lcp[Lcp.GAP_ROUNDING * m + k] = max(
            fine * lcp[Lcp.GAP_TOL * m + k], instant * fabs(contact.speed)
        )
