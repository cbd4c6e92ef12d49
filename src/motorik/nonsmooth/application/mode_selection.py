"""Mode selection: the complementarity problem of all contacts after an event.

Contacts at rest may stick, sliding ones have the force of their direction, open ones none; bounds
of the forces follow, and the box LCP or cone problem gives the modes. Nonlinear bounds are
linearised and solved by a Josephy–Newton iteration.
"""

from __future__ import annotations

from math import fabs, inf, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, share, tail
from motorik.nonsmooth.application.joint_modes import (
    complete_matrix,
    find_saturated_joints,
    pivot_joints,
    spread_diagonal,
)
from motorik.nonsmooth.complementarity.box_lcp import COUNTS, check_lcp, solve_box_lcp
from motorik.nonsmooth.complementarity.friction_cones import Cones, solve_cone_problem
from motorik.nonsmooth.complementarity.limit_load import COARSEST, FINEST, find_limit_load
from motorik.nonsmooth.complementarity.reduction import mark_free, reduce, room_size
from motorik.nonsmooth.complementarity.redundancy import gather_sticking
from motorik.nonsmooth.detection.event_functions import (
    disk_speed,
    resting_speed,
    still_speed,
)
from motorik.nonsmooth.detection.tolerances import has_no_matrix, measure_rounding
from motorik.nonsmooth.memory import (
    ALGEBRAIC_LOOP,
    EVENT_FUNCTIONS,
    LCP_DATA,
    SLOPES,
    Contact,
    ContactMode,
    EventFunctions,
    ForceBound,
    Lcp,
    LcpData,
    SlipPhase,
    bound_slopes_at,
    contact_at,
    event_functions_at,
    impulse_lcp_at,
    lcp_at,
    lcp_data_at,
    load_shares_at,
    nonlinear_at,
    scales_at,
    solver_modes_at,
    unarmed_at,
    work_at,
)
from motorik.numerics.cholesky import cholesky_substitute, pivoted_cholesky
from motorik.numerics.tolerances import (
    CLOSED_GAP,
    EQUATION_ZERO,
    EVENT_ZERO,
    REDUNDANT_STICKING,
    ROUNDING,
    TANGENT_BOUND,
    TANGENT_FORCE,
    UNEQUAL_RESPONSE,
)
from motorik.simulation.stepping.workspace import HEAD, EventArguments, Ode, Vec, Work


@kernel
def mode_hint(own: Contact) -> Int:
    """Return the expected mode of a contact for the solver."""
    mode = own.mode
    if mode == ContactMode.SATURATED:
        return int(own.bound)
    return mode if mode == ContactMode.FORWARD or mode == ContactMode.BACKWARD else 0


@kernel
def has_coupled_bounds(ev: EventArguments) -> Int:
    """Return whether bounds depend on forces, or D is not symmetric."""
    m = ev.counts.contacts
    slopes = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m + m * m)
    D = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m)
    for k in range(SLOPES * m * m):
        if slopes[k] != 0.0:
            return 1
    for i in range(m):
        for j in range(i):
            one, other = D[i * m + j], D[j * m + i]
            if fabs(one - other) > UNEQUAL_RESPONSE * (fabs(one) + fabs(other)):
                return 1
    return 0


@kernel
def evaluate_lcp(n: Int, w: Work, ode: Ode, ev: EventArguments) -> None:
    """Evaluate bounds, b and D at the present state.

    D is unsymmetric where controlled forces depend on accelerations.
    """
    evaluate_lcp_data(n, w, ode, ev)
    complete_matrix(n, w, ode, ev)


@kernel(inline=False)
def evaluate_lcp_data(n: Int, w: Work, ode: Ode, ev: EventArguments) -> None:
    """Evaluate bounds and b at the present state, and D, of joints its diagonal."""
    m = ev.counts.contacts
    x = tail(w, HEAD + Vec.X * n)
    data = tail(ev.memory, lcp_data_at(m))
    w.t_call = max(w.t, w.t_from)
    ev.contact_lcp(tail(w, Work.t_call), x, ode.p, data)
    if ev.memory.lookahead > 0.0:
        extrapolate_lcp(n, w, ode, ev)
    if ev.stopping is not None:
        spread_diagonal(ev)
        ev.counts.complete = 0
    else:
        ev.counts.coupled_bounds = has_coupled_bounds(ev)
    measure_speed_rounding(w, ev)


@kernel(inline=False)
def extrapolate_lcp(n: Int, w: Work, ode: Ode, ev: EventArguments) -> None:
    """Replace bounds, b and D by those a little later, by `lookahead`.

    Contacts whose force and acceleration both vanish are decided by their continuation. Speeds
    and gaps stay those of now: they decide which contacts take part.
    """
    m = ev.counts.contacts
    x, later = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.STAGE * n)
    lcp, data = tail(ev.memory, lcp_at(m)), tail(ev.memory, lcp_data_at(m))
    span = float(ev.memory.lookahead)
    for k in range(m):
        lcp[Lcp.REBOUND * m + k], lcp[Lcp.UNFORCED * m + k] = (
            data[LCP_DATA * k],
            data[LCP_DATA * k + LcpData.gap],
        )
    ode.rhs(tail(w, Work.t_call), x, ode.p, later)
    for i in range(n):
        later[i] = x[i] + span * later[i]
    w.t_call = min(max(w.t + span, w.t_from), w.t_upto)
    ev.contact_lcp(tail(w, Work.t_call), later, ode.p, data)
    for k in range(m):
        data[LCP_DATA * k], data[LCP_DATA * k + LcpData.gap] = (
            lcp[Lcp.REBOUND * m + k],
            lcp[Lcp.UNFORCED * m + k],
        )


@kernel(inline=False)
def measure_speed_rounding(w: Work, ev: EventArguments) -> None:
    """Write the rounding error of each speed, from states, time and coupled contacts.

    Speeds of different units compare by w / √D. A speed that was not armed has its event where
    it has passed zero by the rounding error then: it is at rest there, although the tolerances
    are smaller now.
    """
    m = ev.counts.contacts
    measure_rounding(w, ev)
    unarmed = tail(ev.memory, unarmed_at(m))
    D, scales = (
        tail(ev.memory, lcp_data_at(m) + LCP_DATA * m),
        tail(ev.memory, scales_at(m)),
    )
    floors = tail(ev.memory, lcp_at(m) + Lcp.FLOOR * m)
    fast = tail(ev.memory, work_at(m))  # largest speeds, w / √D
    fastest = 0.0  # of constraints along joints, which are all coupled
    for j in range(m):
        own = D[j * (m + 1)]
        fast[j] = (
            scales[EVENT_FUNCTIONS * j + EventFunctions.speed] / sqrt(own)
            if own > 0.0
            else 0.0
        )
        fastest = max(fastest, float(fast[j]))
    for k in range(m):
        floors[k] = ev.memory[lcp_at(m) + Lcp.SPEED_ROUNDING * m + k]
        if (
            ev.counts[contact_at(k) + Contact.mode]
            * ev.memory[lcp_data_at(m) + LCP_DATA * k]
            < 0.0
        ):
            floors[k] = max(floors[k], unarmed[EVENT_FUNCTIONS * k + EventFunctions.speed])
        line, most = tail(D, k * m), fastest
        if has_no_matrix(ev) == 0:
            most = 0.0
            for j in range(m):
                if line[j] != 0.0:
                    most = max(most, float(fast[j]))
        size = sqrt(fabs(D[k * (m + 1)])) * most
        floors[k] = max(floors[k], ROUNDING * size)


@kernel
def is_open(ev: EventArguments, k: Int) -> Int:
    """Return whether a gap is open by more than rounding."""
    m = ev.counts.contacts
    own = Contact.at(ev.counts, contact_at(k))
    near = CLOSED_GAP * ev.memory[scales_at(m) + EVENT_FUNCTIONS * k + EventFunctions.gap]
    near += 4.0 * ev.memory[lcp_at(m) + Lcp.GAP_ROUNDING * m + k]
    gap = ev.memory[lcp_data_at(m) + LCP_DATA * k + LcpData.gap]
    return int(own.has_gap > 0 and own.mode != ContactMode.STUCK and gap > near)


@kernel
def rest_speed(ev: EventArguments, k: Int) -> Float:
    """Return the speed up to which a contact stays at rest: its rebound would be rounding."""
    m = ev.counts.contacts
    still = float(still_speed(ev, k))
    if ev.counts[contact_at(k) + Contact.has_gap] > 0:
        falls = max(-ev.memory[lcp_data_at(m) + LCP_DATA * k + LcpData.b], 0.0)
        rounding = ev.memory[lcp_at(m) + Lcp.GAP_ROUNDING * m + k]
        still = max(still, sqrt(4.0 * rounding * falls))
    return still


@kernel(inline=False)
def set_bounds(ev: EventArguments, k: Int, below: Int, above: Int) -> None:
    """Let two of the bounds of `LcpData` bound the force of a contact; `ForceBound.NONE` is zero.

    Behind the modes stands which bound is the lower one.
    """
    m = ev.counts.contacts
    data, lcp = tail(ev.memory, lcp_data_at(m)), tail(ev.memory, lcp_at(m))
    contact = LcpData.at(data, LCP_DATA * k)
    lcp[Lcp.LOW * m + k] = contact[below] if below > 0 else 0.0
    lcp[Lcp.HIGH * m + k] = contact[above] if above > 0 else 0.0
    ev.counts[solver_modes_at(m) + m + k] = below
    if ev.counts.coupled_bounds > 0:
        couple_bounds(ev, k, below, above)


@kernel(inline=False)
def couple_bounds(ev: EventArguments, k: Int, below: Int, above: Int) -> None:
    """Let the bounds of a contact depend on forces as two of the bounds do."""
    m = ev.counts.contacts
    D = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m)
    slopes = tail(ev.memory, bound_slopes_at(m))
    for j in range(m):
        slopes[k * m + j] = D[(below * m + k) * m + j] if below > 0 else 0.0
        slopes[(m + k) * m + j] = D[(above * m + k) * m + j] if above > 0 else 0.0


@kernel(inline=False)
def list_disks(ev: EventArguments, disk: Ints) -> Int:
    """Write the disk of each contact for `solve_cone_problem`; return whether there is any.

    A sliding disk has a prescribed force.
    """
    m = ev.counts.contacts
    limits = tail(ev.counts, solver_modes_at(m) + m)
    found = 0
    for k in range(m):
        pair = ev.counts[contact_at(k) + Contact.pair]
        first = k if pair >= -1 else -2 - pair
        held = ev.counts[contact_at(first) + Contact.slip_phase] != SlipPhase.SLIDES
        disk[k] = -1
        if pair != -1 and held and limits[first] == ForceBound.LOW:
            disk[k] = pair
            found = 1
    return found


@kernel(inline=False)
def reduce_lcp(ev: EventArguments) -> Int:
    """Eliminate the prescribed forces; return the number of unknown ones.

    See `reduction`. The reduced problem stands in the work space, its list behind the disks.
    """
    m = ev.counts.contacts
    D = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m)
    lcp, room = tail(ev.memory, lcp_at(m)), tail(ev.memory, work_at(m))
    low, high, lam = (
        tail(lcp, Lcp.LOW * m),
        tail(lcp, Lcp.HIGH * m),
        tail(lcp, Lcp.FORCE * m),
    )
    slopes = tail(ev.memory, bound_slopes_at(m))
    modes = tail(ev.counts, solver_modes_at(m))
    disk = tail(modes, 2 * m + COUNTS)
    free = tail(disk, 2 * m)
    if ev.counts.coupled_bounds == 0:
        for k in range(2 * m * m):
            slopes[k] = 0.0
    if ev.counts.cones == 0:
        for k in range(m):
            disk[k] = -1
    n = mark_free(m, low, high, slopes, disk, ev.counts.cones, lam, free)
    if n < m:
        b, noise = tail(lcp, Lcp.B * m), tail(lcp, Lcp.NOISE * m)
        reduce(m, n, D, b, low, high, slopes, noise, disk, modes, lam, room, free)
    return n


@kernel(inline=False)
def solve_reduced(ev: EventArguments, n: Int, disks: Int) -> Int:
    """Solve for n unknown forces, the others being prescribed; return 0 on success."""
    m = ev.counts.contacts
    lcp, room = tail(ev.memory, lcp_at(m)), tail(ev.memory, work_at(m))
    lam, work = tail(lcp, Lcp.FORCE * m), tail(room, room_size(m))
    modes = tail(ev.counts, solver_modes_at(m))
    counts = tail(modes, 2 * m)
    disk = tail(counts, COUNTS)
    free = tail(disk, 2 * m)
    pair, reduced_modes = tail(free, m), tail(free, 2 * m)
    D, slopes, b = tail(room, 0), tail(room, n * n), tail(room, 3 * n * n)
    low, high, noise, own = tail(b, n), tail(b, 2 * n), tail(b, 3 * n), tail(b, 4 * n)
    status = 0
    if n > 0 and disks == 0:
        status = solve_box_lcp(
            n, D, b, low, high, 1, slopes, reduced_modes, own, work, counts
        )
    elif n > 0:
        status = check_lcp(n, D, b, low, high, 1, slopes, counts)
        if status == 0:
            status = solve_cone_problem(
                n, D, b, low, high, slopes, noise, pair, reduced_modes, own, work, counts
            )
    if status != 0:
        counts[0] = free[counts[0]]
        return status
    i = 0
    for k in range(m):
        if i < n and free[i] == k:
            lam[k] = own[i]
            modes[k] = reduced_modes[i]
            i += 1
        elif disks > 0 or modes[k] == 0:
            modes[k] = ContactMode.FORWARD
    return 0


@kernel(inline=False)
def solve_lcp(ev: EventArguments) -> Int:
    """Solve for the forces of all contacts within their bounds; return 0 on success."""
    m = ev.counts.contacts
    D = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m)
    lcp, room = tail(ev.memory, lcp_at(m)), tail(ev.memory, work_at(m))
    work = tail(room, room_size(m))
    b, low, high, lam = (
        tail(lcp, Lcp.B * m),
        tail(lcp, Lcp.LOW * m),
        tail(lcp, Lcp.HIGH * m),
        tail(lcp, Lcp.FORCE * m),
    )
    slopes = tail(ev.memory, bound_slopes_at(m))
    modes = tail(ev.counts, solver_modes_at(m))
    counts = tail(modes, 2 * m)
    disk = tail(counts, COUNTS)
    disks = list_disks(ev, disk) if ev.counts.cones > 0 else 0
    n = m
    if ev.counts.coupled_bounds > 0 or disks > 0:
        n = reduce_lcp(ev)
    disk[5 * m] = n
    if n < m:
        status = solve_reduced(ev, n, disks)
    elif disks == 0:
        status = solve_box_lcp(
            m, D, b, low, high, ev.counts.coupled_bounds, slopes, modes, lam, work, counts
        )
    else:
        status = check_lcp(m, D, b, low, high, 1, slopes, counts)
        if status == 0:
            noise = tail(lcp, Lcp.NOISE * m)
            status = solve_cone_problem(
                m, D, b, low, high, slopes, noise, disk, modes, lam, work, counts
            )
    if status != 0:
        ev.counts.worst = counts[0]
    return status


@kernel(inline=False)
def classify_contacts(ev: EventArguments, had_impact: Int) -> None:
    """Set the bounds of all contacts: those at rest may stick, the others slide or are open."""
    m = ev.counts.contacts
    data = tail(ev.memory, lcp_data_at(m))
    lcp = tail(ev.memory, lcp_at(m))
    modes = tail(ev.counts, solver_modes_at(m))
    for k in range(m):
        contact = LcpData.at(data, LCP_DATA * k)
        own = Contact.at(ev.counts, contact_at(k))
        speed, on = float(contact.speed), float(contact.on)
        still = float(rest_speed(ev, k))
        first = k if own.pair >= -1 else -2 - own.pair
        if own.pair != -1:
            speed = disk_speed(ev, first)
            still = resting_speed(ev, first) + lcp[Lcp.SPEED_ROUNDING * m + first]
        creeps = ev.counts[contact_at(first) + Contact.slip_phase] == SlipPhase.ONSET
        if not creeps:
            own.slip_phase = 0
        if (
            own.mode == ContactMode.STUCK or own.mode == ContactMode.SATURATED
        ) and had_impact == 0:
            still = inf
        set_bounds(ev, k, ForceBound.NONE, ForceBound.NONE)
        rises = own.has_gap > 0 and speed > still
        is_separate = is_open(ev, k) > 0 or rises
        if on > 0.0 and not is_separate:
            if creeps:
                set_bounds(ev, k, ForceBound.FORWARD, ForceBound.FORWARD)
            elif fabs(speed) <= still or own.has_gap > 0:
                set_bounds(ev, k, ForceBound.LOW, ForceBound.HIGH)
            elif own.pair != -1:
                own.slip_phase = SlipPhase.SLIDES
                limit = ForceBound.LOW if own.pair >= 0 else ForceBound.NONE
                set_bounds(ev, k, limit, limit)
            elif speed > 0.0:
                set_bounds(ev, k, ForceBound.FORWARD, ForceBound.FORWARD)
            else:
                set_bounds(ev, k, ForceBound.BACKWARD, ForceBound.BACKWARD)
        lcp[Lcp.B * m + k], lcp[Lcp.NOISE * m + k] = contact.b, 0.0
        modes[k] = mode_hint(own)
        # a contact whose speed has changed sign begins as sticking
        has_turned = (own.mode == ContactMode.FORWARD and speed < 0.0) or (
            own.mode == ContactMode.BACKWARD and speed > 0.0
        )
        if has_turned and own.pair == -1 and fabs(speed) <= still:
            modes[k] = 0
        # open contacts stay open without a load: of redundant ones some would pull
        if own.mode == ContactMode.FREE and own.has_gap > 0 and ev.counts.cones > 0:
            modes[k] = ContactMode.FORWARD


@kernel(inline=False)
def hint_violated(ev: EventArguments) -> None:
    """Let sticking contacts with violated bounds begin as sliding beyond them.

    Saturated ones that have left their bound begin as sticking.
    """
    m = ev.counts.contacts
    if ev.counts.modes_known == 0:
        return
    scales, functions = (
        tail(ev.memory, scales_at(m)),
        tail(ev.memory, event_functions_at(m)),
    )
    for k in range(m):
        mode = ev.counts[contact_at(k) + Contact.mode]
        if mode == ContactMode.STUCK or mode == ContactMode.SATURATED:
            size = EVENT_ZERO * scales[EVENT_FUNCTIONS * k + EventFunctions.above_low]
            if functions[EVENT_FUNCTIONS * k + EventFunctions.above_low] < -0.1 * size:
                ev.counts[solver_modes_at(m) + k] = (
                    ContactMode.FORWARD if mode == ContactMode.STUCK else 0
                )
        if mode == ContactMode.STUCK:
            size = EVENT_ZERO * scales[EVENT_FUNCTIONS * k + EventFunctions.below_high]
            if functions[EVENT_FUNCTIONS * k + EventFunctions.below_high] < -0.1 * size:
                ev.counts[solver_modes_at(m) + k] = ContactMode.BACKWARD


@kernel
def bounds_differ(ev: EventArguments, k: Int, one: Int, other: Int) -> Int:
    """Return whether two bounds of a contact differ."""
    m = ev.counts.contacts
    data = tail(ev.memory, lcp_data_at(m))
    if data[LCP_DATA * k + one] != data[LCP_DATA * k + other]:
        return 1
    if ev.counts.coupled_bounds > 0:
        D = tail(data, LCP_DATA * m)
        for j in range(m):
            if D[(one * m + k) * m + j] != D[(other * m + k) * m + j]:
                return 1
    return 0


@kernel
def mode_of_solution(ev: EventArguments, k: Int) -> Int:
    """Return the mode of a contact by the solution."""
    m = ev.counts.contacts
    contact = LcpData.at(ev.memory, lcp_data_at(m) + LCP_DATA * k)
    D = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m)
    lcp = tail(ev.memory, lcp_at(m))
    code = ev.counts[solver_modes_at(m) + k]
    given = ev.counts[solver_modes_at(m) + m + k]
    if contact.on <= 0.0:
        return ContactMode.FREE
    if ev.counts[contact_at(k) + Contact.bound] != 0:
        return ContactMode.SATURATED
    pair = ev.counts[contact_at(k) + Contact.pair]
    if (
        pair != -1
        and ev.counts[contact_at(k if pair >= 0 else -2 - pair) + Contact.slip_phase] > 0
    ):
        return ContactMode.FORWARD
    if ev.counts[contact_at(k) + Contact.has_gap] > 0:
        is_held = code == 0 and lcp[Lcp.HIGH * m + k] > 0.0
        return ContactMode.STUCK if is_held else ContactMode.FREE
    if given == ForceBound.FORWARD or given == ForceBound.BACKWARD:
        return ContactMode.FORWARD if given == ForceBound.FORWARD else ContactMode.BACKWARD
    if code == 0:
        return ContactMode.STUCK if D[k * m + k] > 0.0 else ContactMode.IDLE
    return code


# --- saturated contacts ----------------------------------------------------------------------


@kernel
def may_saturate(ev: EventArguments, k: Int) -> Int:
    """Return whether friction at rest is at one of its bounds by the solution."""
    m = ev.counts.contacts
    own, modes = (Contact.at(ev.counts, contact_at(k)), tail(ev.counts, solver_modes_at(m)))
    is_friction = own.has_gap == 0 and own.pair == -1
    return int(is_friction and modes[m + k] == ForceBound.LOW and modes[k] != 0)


@kernel(inline=False)
def find_saturated(ev: EventArguments) -> None:
    """Note the bound of each saturated contact, zero if it is not."""
    m = ev.counts.contacts
    modes = tail(ev.counts, solver_modes_at(m))
    stick = tail(modes, 2 * m + COUNTS)
    full, stuck = 0, 0
    for k in range(m):
        ev.counts[contact_at(k) + Contact.bound] = 0
        stick[k] = int(modes[m + k] == ForceBound.LOW and modes[k] == 0)
        stuck += stick[k]
        full += may_saturate(ev, k)
    if full > 0 and stuck > 0:
        find_dependent(ev, stick, tail(ev.memory, work_at(m)))


@kernel(inline=False)
def find_dependent(ev: EventArguments, stick: Ints, work: Floats) -> None:
    """Find contacts that depend on the sticking ones, and write their load shares."""
    m = ev.counts.contacts
    D = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m)
    A, L, order = tail(work, 0), tail(work, m * m), tail(work, 3 * m * m + m)
    scale, y = tail(order, m), tail(order, 2 * m)
    count = gather_sticking(m, D, stick, A, order, scale)
    rank = pivoted_cholesky(m, A, count, order, REDUNDANT_STICKING, L)
    for k in range(m):
        if may_saturate(ev, k) == 0 or scale[k] == 0.0 or rank == 0:
            continue
        for i in range(rank):
            j = int(order[i])
            y[i] = 0.5 * (D[k * m + j] + D[j * m + k]) * scale[k] * scale[j]
        cholesky_substitute(count, rank, L, y)
        left = 1.0
        for i in range(rank):
            j = int(order[i])
            left -= y[i] * 0.5 * (D[k * m + j] + D[j * m + k]) * scale[k] * scale[j]
        if left <= REDUNDANT_STICKING:
            ev.counts[contact_at(k) + Contact.bound] = ev.counts[solver_modes_at(m) + k]
            shares = tail(ev.memory, load_shares_at(m) + k * m)
            for j in range(m):
                shares[j] = 0.0
            for i in range(rank):
                j = int(order[i])
                shares[j] = y[i] * scale[k] / scale[j]


# --- friction disks ------------------------------------------------------------------------


@kernel(inline=False)
def rotate_disk(ev: EventArguments, p: Floats, k: Int, along: Float, across: Float) -> None:
    """Rotate the axes of a disk so that (along, across) becomes the first axis."""
    size = sqrt(along * along + across * across)
    if size == 0.0 or (across == 0.0 and along > 0.0):
        return
    c, s = along / size, across / size
    m = ev.counts.contacts
    own = Contact.at(ev.counts, contact_at(k))
    j = own.pair
    data, lcp = tail(ev.memory, lcp_data_at(m)), tail(ev.memory, lcp_at(m))
    D = tail(data, LCP_DATA * m)
    for i in range(m):
        x, y = D[k * m + i], D[j * m + i]
        D[k * m + i], D[j * m + i] = c * x + s * y, c * y - s * x
    for i in range((1 + SLOPES) * m):
        x, y = D[i * m + k], D[i * m + j]
        D[i * m + k], D[i * m + j] = c * x + s * y, c * y - s * x
    for place in range(2):
        at = 0 if place == 0 else LCP_DATA - 1
        x, y = data[LCP_DATA * k + at], data[LCP_DATA * j + at]
        data[LCP_DATA * k + at], data[LCP_DATA * j + at] = c * x + s * y, c * y - s * x
    x, y = lcp[Lcp.B * m + k], lcp[Lcp.B * m + j]
    lcp[Lcp.B * m + k], lcp[Lcp.B * m + j] = c * x + s * y, c * y - s * x
    cosine, sine = p[own.at_cosine], p[own.at_sine]
    x, y = cosine * c - sine * s, sine * c + cosine * s
    size = sqrt(x * x + y * y)
    p[own.at_cosine], p[own.at_sine] = x / size, y / size


@kernel(inline=False)
def align_disks(ev: EventArguments, p: Floats, had_impact: Int) -> None:
    """Rotate all disks along their velocities, except at the onset of slip."""
    m = ev.counts.contacts
    data = tail(ev.memory, lcp_data_at(m))
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        j = own.pair
        if j < 0:
            continue
        own.slip_phase = 0
        if own.mode == ContactMode.FORWARD and p[own.at_pace] > 0.0 and had_impact == 0:
            own.slip_phase = SlipPhase.ONSET
        else:
            rotate_disk(ev, p, k, float(data[LCP_DATA * k]), float(data[LCP_DATA * j]))


@kernel
def acceleration_of(ev: EventArguments, k: Int) -> Float:
    """Return the acceleration along a contact under the present forces."""
    m = ev.counts.contacts
    lcp = tail(ev.memory, lcp_at(m))
    D = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m + k * m)
    total = float(lcp[Lcp.B * m + k])
    for j in range(m):
        total += D[j] * lcp[Lcp.FORCE * m + j]
    return total


@kernel
def terms_of_acceleration(ev: EventArguments, k: Int) -> Float:
    """Return the sum of absolute values of all terms of that acceleration."""
    m = ev.counts.contacts
    lcp = tail(ev.memory, lcp_at(m))
    D = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m + k * m)
    total = fabs(lcp[Lcp.B * m + k])
    for j in range(m):
        total += fabs(D[j] * lcp[Lcp.FORCE * m + j])
    return total


@kernel(inline=False)
def start_slip(ev: EventArguments, p: Floats) -> None:
    """Rotate disks that start to slide against their forces.

    Without a force, along their acceleration.
    """
    m = ev.counts.contacts
    modes = tail(ev.counts, solver_modes_at(m))
    forces = tail(ev.memory, lcp_at(m) + Lcp.FORCE * m)
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        j = own.pair
        if j < 0 or own.slip_phase > 0 or modes[m + k] != ForceBound.LOW or modes[k] == 0:
            continue
        along, across = -float(forces[k]), -float(forces[j])
        if along == 0.0 and across == 0.0:
            along, across = acceleration_of(ev, k), acceleration_of(ev, j)
            noise = EQUATION_ZERO * (
                terms_of_acceleration(ev, k) + terms_of_acceleration(ev, j)
            )
            if sqrt(along * along + across * across) <= noise:
                along, across = 1.0, 0.0
        own.slip_phase = SlipPhase.STARTS
        rotate_disk(ev, p, k, along, across)


@kernel(inline=False)
def share_loads(ev: EventArguments, p: Floats, violated: Int) -> None:
    """Let a body on several contacts stick up to its limit load, see `limit_load`.

    `violated` is whether an event function of one of them is.
    """
    m = ev.counts.contacts
    room, modes = tail(ev.memory, work_at(m)), tail(ev.counts, solver_modes_at(m))
    work, counts = tail(room, room_size(m)), tail(modes, 2 * m)
    disk = tail(counts, COUNTS)
    # without disks the box LCP uses this work space
    if list_disks(ev, disk) == 0:
        return
    free = tail(disk, 2 * m)
    pair, reduced_modes = tail(free, m), tail(free, 2 * m)
    forces = tail(ev.memory, lcp_at(m) + Lcp.FORCE * m)
    # forces have rounding: after repeated violations this is the limit load
    near = max(FINEST - ev.counts.recent_events, COARSEST)
    n = int(disk[5 * m])  # unknown forces, see `solve_lcp`
    for k in range(m):
        if n == m:
            free[k], pair[k] = k, disk[k]
        if disk[k] >= 0:
            p[ev.counts[contact_at(k) + Contact.at_softness]] = 1.0
    for i in range(n):
        reduced_modes[i] = modes[free[i]]
    rest = find_limit_load(n, work, pair, reduced_modes, counts, violated, near)
    for i in range(n):
        k = free[i]
        modes[k] = reduced_modes[i]
        if pair[i] >= 0 and work[Cones.RESTING * n + i] > 0.0:
            if rest == 1:
                softness = float(work[Cones.SOFTNESS * n + i])
                p[ev.counts[contact_at(k) + Contact.at_softness]] = softness
            elif rest == 2:
                for rotate_disk in range(2):
                    j = i if rotate_disk == 0 else pair[i]
                    forces[free[j]] = work[Cones.SCALE * n + j] * work[Cones.X * n + j]


@kernel(inline=False)
def solve_for_forces(n: Int, w: Work, ode: Ode, ev: EventArguments) -> Int:
    """Solve for the forces of all contacts within their bounds; return 0 on success.

    Along joints by recursion, by the matrix where that fails.
    """
    if ev.stopping is not None:
        if pivot_joints(n, w, ode, ev) == 0:
            return 0
        complete_matrix(n, w, ode, ev)
    return solve_lcp(ev)


@kernel(inline=False)
def select_modes(n: Int, w: Work, ode: Ode, ev: EventArguments) -> Int:
    """Solve for all modes; a contact that breaks loose slides with its sliding force at once."""
    m = ev.counts.contacts
    modes = tail(ev.counts, solver_modes_at(m))
    violated = 0
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        violated += int(
            own.pair >= 0
            and own.mode == ContactMode.STUCK
            and modes[k] == ContactMode.FORWARD
        )
    for _ in range(m + 1):
        status = solve_for_forces(n, w, ode, ev)
        if status != 0:
            return status
        if ev.counts.cones > 0:
            share_loads(ev, ode.p, violated)
        if ev.stopping is not None:
            find_saturated_joints(ev)
        elif m > 1:
            find_saturated(ev)
        changed = 0
        for k in range(m):
            own = Contact.at(ev.counts, contact_at(k))
            if modes[m + k] != ForceBound.LOW or own.has_gap > 0 or own.pair != -1:
                continue
            if own.bound != 0:
                continue
            if (
                modes[k] == ContactMode.FORWARD
                and bounds_differ(ev, k, ForceBound.LOW, ForceBound.FORWARD) > 0
            ):
                set_bounds(ev, k, ForceBound.FORWARD, ForceBound.FORWARD)
                changed = 1
            elif (
                modes[k] == ContactMode.BACKWARD
                and bounds_differ(ev, k, ForceBound.HIGH, ForceBound.BACKWARD) > 0
            ):
                set_bounds(ev, k, ForceBound.BACKWARD, ForceBound.BACKWARD)
                changed = 1
        if changed == 0:
            if ev.counts.cones > 0:
                start_slip(ev, ode.p)
            return 0
    return 1


# --- nonlinear bounds ----------------------------------------------------------------------


NEWTON_ITERATIONS = 40  # of the linearisation point
FULL_STEPS = 10  # of them with the full step, then with half of it
FORCE_OF_IMPULSE = 1e20  # 1/s: impulses as forces, beside which others are lost to rounding


@kernel
def has_nonlinear_bounds(ev: EventArguments) -> Int:
    """Return whether bounds are nonlinear functions of forces."""
    return int(ev.memory[nonlinear_at(ev.counts.contacts)] > 0.0)


@kernel
def has_algebraic_loop(ev: EventArguments) -> Int:
    """Return whether accelerations are nonlinear functions of forces."""
    return int(ev.memory[nonlinear_at(ev.counts.contacts)] == ALGEBRAIC_LOOP)


@kernel
def freeze_loops(ev: EventArguments) -> None:
    """Take D and slopes for impulses: with the tearing variables of algebraic loops frozen."""
    m = ev.counts.contacts
    if has_algebraic_loop(ev) > 0:
        D, held = (
            tail(ev.memory, lcp_data_at(m) + LCP_DATA * m),
            tail(ev.memory, impulse_lcp_at(m)),
        )
        for k in range((1 + SLOPES) * m * m):
            D[k] = held[k]
        ev.counts.coupled_bounds = has_coupled_bounds(ev)


@kernel
def drop_coupling(ev: EventArguments) -> None:
    """Drop the dependence of bounds on forces."""
    m = ev.counts.contacts
    slopes = tail(ev.memory, lcp_data_at(m) + LCP_DATA * m + m * m)
    for k in range(SLOPES * m * m):
        slopes[k] = 0.0
    ev.counts.coupled_bounds = has_coupled_bounds(ev)


@kernel
def set_linearisation_point(ev: EventArguments, p: Floats, factor: Float) -> None:
    """Set the forces in p to the linearisation point, times a factor."""
    m = ev.counts.contacts
    kept = tail(ev.memory, lcp_at(m) + Lcp.TANGENT * m)
    for k in range(m):
        place = ev.counts[contact_at(k) + Contact.at_force]
        p[place] = kept[k] * factor if factor > 0.0 else 0.0


@kernel(inline=False)
def evaluate_impulse_lcp(n: Int, w: Work, ode: Ode, ev: EventArguments) -> None:
    """Evaluate tangents at the present impulses, beside which all other forces vanish.

    Accelerations stay those without contact forces.
    """
    m = ev.counts.contacts
    data, freely = (
        tail(ev.memory, lcp_data_at(m)),
        tail(ev.memory, lcp_at(m) + Lcp.UNFORCED * m),
    )
    for k in range(m):
        freely[k] = data[LCP_DATA * k + LcpData.b]
    set_linearisation_point(ev, ode.p, FORCE_OF_IMPULSE)
    evaluate_lcp(n, w, ode, ev)
    set_linearisation_point(ev, ode.p, 0.0)
    for k in range(m):
        data[LCP_DATA * k + LcpData.b] = freely[k]
    freeze_loops(ev)


@kernel
def terms_of(ev: EventArguments, k: Int) -> Float:
    """Return the size of the terms of a contact, as a force.

    Of a sticking contact those of b + D λ, of one at a bound those of its force.
    """
    m = ev.counts.contacts
    lcp = tail(ev.memory, lcp_at(m))
    D, slopes = (
        tail(ev.memory, lcp_data_at(m) + LCP_DATA * m),
        tail(ev.memory, bound_slopes_at(m)),
    )
    own = fabs(D[k * (m + 1)])
    held, found = fabs(lcp[Lcp.B * m + k]), fabs(lcp[Lcp.FORCE * m + k])
    for side in range(2):  # forces lost in rounding beside the bounds
        limit = fabs(lcp[(Lcp.LOW + side) * m + k])
        found += TANGENT_BOUND * limit if isfinite(limit) else 0.0
    for j in range(m):
        force = fabs(lcp[Lcp.FORCE * m + j])
        held += fabs(D[k * m + j]) * force
        if ev.counts.coupled_bounds > 0:
            read = fabs(slopes[k * m + j]) + fabs(slopes[(m + k) * m + j])
            found += read * force
    sticks = ev.counts[solver_modes_at(m) + k] == ContactMode.STUCK
    return max(found, held / own) if sticks and own > 0.0 else found


@kernel(inline=False)
def move_linearisation_point(ev: EventArguments, part: Float) -> Float:
    """Move the linearisation point by a fraction towards the solution; return the distance.

    That is the largest change of a force, relative to the terms of its contact.
    """
    m = ev.counts.contacts
    lcp = tail(ev.memory, lcp_at(m))
    most = 0.0
    for k in range(m):
        change = float(lcp[Lcp.FORCE * m + k] - lcp[Lcp.TANGENT * m + k])
        lcp[Lcp.TANGENT * m + k] += part * change
        if change != 0.0:
            pair = ev.counts[contact_at(k) + Contact.pair]
            size = terms_of(ev, k)
            if pair != -1:
                size += terms_of(ev, pair if pair >= 0 else -2 - pair)
            far = fabs(change) / size if size > 0.0 else inf
            if far > most:
                most = far
                ev.counts.worst = k
    return most


@kernel
def reset_linearisation_point(ev: EventArguments) -> None:
    """Linearise at zero contact forces."""
    m = ev.counts.contacts
    for k in range(m):
        ev.memory[lcp_at(m) + Lcp.TANGENT * m + k] = 0.0


@kernel(inline=False)
def select_all_modes(n: Int, w: Work, ode: Ode, ev: EventArguments, had_impact: Int) -> Int:
    """Select the modes of all contacts, by Josephy–Newton iteration; return 0 on success."""
    reset_linearisation_point(ev)
    for rotate_disk in range(NEWTON_ITERATIONS):
        if rotate_disk > 0:
            set_linearisation_point(ev, ode.p, 1.0)
            evaluate_lcp(n, w, ode, ev)
            set_linearisation_point(ev, ode.p, 0.0)
        if ev.counts.cones > 0:
            align_disks(ev, ode.p, had_impact)
        classify_contacts(ev, had_impact)
        hint_violated(ev)
        status = select_modes(n, w, ode, ev)
        if status != 0 or has_nonlinear_bounds(ev) == 0:
            return status
        part = 1.0 if rotate_disk < FULL_STEPS else 0.5
        if move_linearisation_point(ev, part) <= TANGENT_FORCE:
            return 0
    return 1


share(share_loads, late=True)
share(start_slip, late=True)
share(align_disks, late=True)
share(reduce_lcp, late=True)
share(find_saturated, late=True)
