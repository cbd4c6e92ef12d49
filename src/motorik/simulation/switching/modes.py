"""Modes: what every row does after an event, found for all rows at once."""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Float, Floats, Int, Ints, Kernel, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.workspace import (
    CHATTERS,
    ENDED,
    EPSILON,
    GOING,
    HEAD,
    NO_MODES,
    NOT_FINITE,
    T_START,
    T_STOP,
    TICKED,
    T,
    X,
)
from motorik.simulation.switching.bands import UNITS, find_bands
from motorik.simulation.switching.choosing import (
    CREEPS,
    STARTS,
    ask,
    find_floors,
    mode_now,
)
from motorik.simulation.switching.creeping import (
    begin_creep,
    follow_creeps,
    slow_speed,
    tolerated_speed,
)
from motorik.simulation.switching.hits import find_impulses, is_hit
from motorik.simulation.switching.log import mean_speed, write_line
from motorik.simulation.switching.scales import disarm, widen, widen_forces
from motorik.simulation.switching.stopping import (
    close_speeds,
    push,
    settle,
    stop_slow_pairs,
)
from motorik.simulation.switching.store import (
    AHEAD,
    AT_COSINE,
    AT_HELD,
    AT_PACE,
    AT_SINE,
    AT_STICK,
    AT_WAY,
    BACKWARD,
    BEGINS,
    CREEPING,
    CROWDED,
    DISCS,
    FORCE,
    FORWARD,
    FREE,
    GAP_TOL,
    GIVEN,
    HAS_GAP,
    HELD,
    HOLDING,
    IN_PLACE,
    KNOWN,
    LAG,
    LATER,
    LIFTED,
    LIMIT,
    MODE,
    PACE,
    PAIR,
    PENDING,
    PER_ROW,
    PER_TRIGGER,
    ROW,
    ROWS,
    SLOW,
    SPAN,
    SPEED_TOL,
    STICKING,
    STOPPED_BY,
    STUCK,
    T_EVENT,
    T_MARK,
    TRIGGER,
    TRIGGERS,
    asked_at,
    box_at,
)
from motorik.simulation.switching.tangents import choose_all
from motorik.simulation.switching.triggers import JUMPS, ask_conditions, make_fire
from motorik.simulation.switching.watch import (
    begin_keeping,
    look_at,
)
from motorik.system.switching_functions import ASKED

MOST_HITS = 100  # impacts at one instant
MOST_TURNS = 20  # of triggers that fire one after another at one instant
FEW_IN_PLACE = (
    2  # events at one time, after which modes are chosen by what comes a little later
)
SOONEST, LATEST = 1e-6, 1e-6  # of a run: from how early and up to when that is looked for
MOST_IN_PLACE = 50  # events within rounding of one time …
PROGRESS, MOST_CROWDED = 1e-9, 2000  # … and within this part of a run


@kernel
def share_of_loss(ev: Events) -> Float:
    """Return what the loss of a hit is against that of the constraints that lose energy.

    Impulses act all at once. Some may do work that others take away again; the energy that is
    lost in all is shared by those that take it away.
    """
    m = ev.counts[ROWS]
    all_lost, taken = 0.0, 0.0
    for k in range(m):
        lost = 0.0 - float(ev.memory[box_at(m) + FORCE * m + k]) * mean_speed(ev, k)
        all_lost += lost
        taken += max(lost, 0.0)
    return max(all_lost, 0.0) / taken if taken > 0.0 else 0.0


@kernel(inline=False)
def strike(n: Int, w: Floats, counts: Ints, ode: Ode, ev: Events) -> Int:
    """Let stops that close hit, all at once; return whether any did, −1 if none can.

    Moreau: w⁺ = w⁻ + D P, w⁺ + e w⁻ ≥ 0, P ≥ 0, one of them zero, and friction within its
    disc. Friction that turns tangential speed into rebounds could gain energy: then all of
    them are lower by one factor, the largest that gains none. Rebounds that are too low to be
    told from rounding are left out: they would follow one another for the time
    2 e w / (b (1 − e)), after which the log has the rest.
    """
    m = ev.counts[ROWS]
    box = tail(ev.memory, box_at(m))
    hits = 0
    for k in range(m):
        hits += is_hit(ev, k)
    if hits == 0:
        return 0
    if find_impulses(n, w, ode, ev) != 0:
        return -1
    push(n, w, ode, ev, tail(box, FORCE * m))
    share = share_of_loss(ev)
    for k in range(m):
        impulse = float(box[FORCE * m + k])
        if impulse != 0.0:
            box[LIFTED * m + k] = 0.0
            mode = ev.counts[ROW + PER_ROW * k + MODE]
            lost = share * max(0.0 - impulse * mean_speed(ev, k), 0.0)
            write_line(counts, ev, w[T], k, mode, mode, impulse, lost)
    return 1


@kernel
def time_ahead(w: Floats, ev: Events) -> Float:
    """Return by how much later [s] the constraints are solved that are undecided now; 0 if none.

    Modes are chosen by the values of now. Where they do not last for any time that can be told,
    forces and accelerations of some constraints vanish together, and values do not decide
    between them: then the same problem a little later does, the sooner the better.
    """
    turns = ev.counts[IN_PLACE] - FEW_IN_PLACE
    if turns <= 0:
        return 0.0
    span = UNITS * EPSILON * max(fabs(w[T]), SOONEST * (w[T_STOP] - w[T_START]))
    for _ in range(turns):
        span = 2.0 * span
    return min(span, LATEST * (w[T_STOP] - w[T_START]))


@kernel
def shown(mode: Int) -> Int:
    """Return a mode as results show it: what others hold at its limit sticks as they do."""
    return STUCK if mode == HELD else mode


@kernel
def rests(ev: Events, k: Int) -> Int:
    """Return whether a gap and its speed are zero within tolerances."""
    m = ev.counts[ROWS]
    box, row = tail(ev.memory, box_at(m)), tail(ev.memory, asked_at(m) + ASKED * k)
    closed = row[6] <= box[GAP_TOL * m + k]
    return int(closed and fabs(row[0]) <= box[SPEED_TOL * m + k])


@kernel
def makes_progress(w: Floats, ev: Events) -> Int:
    """Note an event; return 0 if events follow one another while time stands almost still."""
    rounding = UNITS * EPSILON * fabs(w[T])
    if w[T] - ev.memory[T_EVENT] <= rounding and ev.counts[KNOWN] > 0:
        ev.counts[IN_PLACE] += 1
    else:
        ev.counts[IN_PLACE] = 0
    ev.memory[T_EVENT] = w[T]
    if w[T] - ev.memory[T_MARK] > PROGRESS * (w[T_STOP] - w[T_START]):
        ev.memory[T_MARK] = w[T]
        ev.counts[CROWDED] = 0
    ev.counts[CROWDED] += 1
    return int(ev.counts[IN_PLACE] <= MOST_IN_PLACE and ev.counts[CROWDED] <= MOST_CROWDED)


def make_change() -> Kernel[[Int, Floats, Ints, Ode, Events], Int]:
    """Return the kernel that handles an event at T: impacts, modes, speeds put to rest."""

    @kernel(inline=False)
    def write_number(
        n: Int, w: Floats, m: Ints, ode: Ode, ev: Events, place: Int, value: Float
    ) -> None:
        """Change a number of p, and write that down."""
        write_line(m, ev, w[T], -1 - place, 0, 0, value, 0.0)
        ode.p[place] = value

    @kernel(inline=False)
    def set_number(
        n: Int, w: Floats, m: Ints, ode: Ode, ev: Events, place: Int, value: Float
    ) -> None:
        """Change a number of p, and write that down."""
        if ode.p[place] != value:
            write_number(n, w, m, ode, ev, place, value)

    fire = make_fire(set_number)

    @kernel(inline=False)
    def take_modes(
        n: Int, w: Floats, counts: Ints, ode: Ode, ev: Events, struck: Int
    ) -> None:
        """Take the modes that were chosen; write down those that change."""
        m = ev.counts[ROWS]
        ev.counts[STICKING], ev.counts[HOLDING] = 0, 0
        for k in range(m):
            own = tail(ev.counts, ROW + PER_ROW * k)
            before = shown(own[MODE])
            own[MODE] = mode_now(ev, k)
            mode = shown(own[MODE])
            if mode != before or ev.counts[KNOWN] == 0:
                time = w[T]
                if mode == STUCK:
                    time += ev.memory[box_at(m) + LATER * m + k]
                write_line(counts, ev, time, k, before, mode, 0.0, 0.0)
            if own[HAS_GAP] > 0 and (before == STUCK or ev.counts[KNOWN] == 0):
                at_rest = struck == 0 and rests(ev, k) > 0
                lifted = 1.0 if mode == FREE and at_rest else 0.0
                ev.memory[box_at(m) + LIFTED * m + k] = lifted
            way = mode if mode == FORWARD or mode == BACKWARD else 0
            sticks = 1.0 if own[MODE] == STUCK else 0.0
            ev.counts[STICKING] += int(own[MODE] == STUCK)
            limit = 0.0
            if own[PAIR] == -1:
                ev.memory[box_at(m) + SLOW * m + k] = 0.0
            if own[MODE] == HELD:
                ev.counts[HOLDING] += 1
                limit = float(own[LIMIT])
                speed = tolerated_speed(n, w, ode, ev, k)
                ev.memory[box_at(m) + SLOW * m + k] = speed
            set_number(n, w, counts, ode, ev, own[AT_STICK], sticks)
            set_number(n, w, counts, ode, ev, own[AT_WAY], float(way))
            if m > 1:
                set_number(n, w, counts, ode, ev, own[AT_HELD], limit)

    @kernel(inline=False)
    def take_directions(n: Int, w: Floats, m: Ints, ode: Ode, ev: Events) -> None:
        """Write down the numbers of discs; pairs that begin to slip creep."""
        rows = ev.counts[ROWS]
        box = tail(ev.memory, box_at(rows))
        ev.counts[CREEPING] = 0
        for k in range(rows):
            own = tail(ev.counts, ROW + PER_ROW * k)
            if own[PAIR] < 0:
                continue
            slides_on = own[MODE] == FORWARD and own[BEGINS] != STARTS
            if own[BEGINS] > 0 and not (slides_on and box[LAG * rows + k] > 0.0):
                box[LAG * rows + k] = slow_speed(n, w, ode, ev, k)
            if own[BEGINS] == STARTS:
                begin_creep(w, ode, ev, k)
            elif own[BEGINS] != CREEPS:
                ode.p[own[AT_PACE]] = 0.0
                box[SLOW * rows + k] = 0.0
            ev.counts[CREEPING] += int(ode.p[own[AT_PACE]] > 0.0)
            for place in range(AT_COSINE, AT_SINE + 1):
                write_number(n, w, m, ode, ev, own[place], float(ode.p[own[place]]))
            for number in range(3):
                value, kept = (
                    float(ode.p[own[AT_PACE + number]]),
                    (PACE + number) * rows + k,
                )
                if value != box[kept]:
                    write_number(n, w, m, ode, ev, own[AT_PACE + number], value)
                    box[kept] = value

    @kernel(inline=False)
    def change_rows(n: Int, w: Floats, m: Ints, ode: Ode, ev: Events, jumps: Int) -> Int:
        x = tail(w, HEAD + X * n)
        ev.memory[SPAN] = max(ev.memory[SPAN], w[T_STOP] - w[T_START])
        close_speeds(n, w, ode, ev)
        look_at(w, ode, ev, w[T], x)
        if ev.counts[CREEPING] > 0:
            follow_creeps(ev, ode.p)
        ask(n, w, ode, ev)
        find_bands(n, w, ode, ev)
        find_floors(w, ev)
        struck = jumps  # what stuck may move now
        slow = int(ev.counts[DISCS] > 0)  # what slides slowly may stop, and may then hit
        for _ in range(MOST_HITS):
            hits = strike(n, w, m, ode, ev)
            if hits < 0:
                return NO_MODES
            if hits > 0:
                struck = 1
                ask(n, w, ode, ev)
            elif slow > 0:
                stop_slow_pairs(n, w, ode, ev, struck)
                slow = 0
            else:
                break
        ev.memory[AHEAD] = time_ahead(w, ev)
        if ev.memory[AHEAD] > 0.0:
            ask(n, w, ode, ev)
        status = choose_all(n, w, ode, ev, struck)
        ev.memory[AHEAD] = 0.0
        if status != 0:
            return NO_MODES
        if ev.counts[DISCS] > 0:
            take_directions(n, w, m, ode, ev)
        take_modes(n, w, m, ode, ev, struck)
        widen_forces(ev)
        settle(n, w, ode, ev)
        return GOING

    @kernel(inline=False)
    def change(n: Int, w: Floats, m: Ints, ode: Ode, ev: Events) -> Int:
        x = tail(w, HEAD + X * n)
        rows = ev.counts[ROWS]
        if makes_progress(w, ev) == 0:
            return CHATTERS
        impulses, later = (
            tail(ev.memory, box_at(rows) + GIVEN * rows),
            tail(ev.memory, box_at(rows) + LATER * rows),
        )
        for turn in range(MOST_TURNS):
            for k in range(rows):
                impulses[k] = 0.0
                later[k] = 0.0
            fired = 0
            if ev.table[TRIGGERS] > 0:
                fired = fire(n, w, m, ode, ev, impulses)
                if fired < 0:
                    return NOT_FINITE
            if turn > 0 and fired == 0:
                break
            if rows > 0:
                if fired > 0:
                    push(n, w, ode, ev, impulses)
                status = change_rows(n, w, m, ode, ev, int(fired >= JUMPS))
                if status != GOING:
                    return status
            ev.counts[KNOWN] = 1
            if ev.table[TRIGGERS] == 0:
                break
            if turn == MOST_TURNS - 1:
                return CHATTERS
        if rows > 0:
            look_at(w, ode, ev, w[T], x)
            disarm(ev)
        if ev.table[TRIGGERS] > 0:
            ask_conditions(w, ode, ev, w[T], x)
        widen(ev)
        begin_keeping(ev, w[T])
        if ev.table[STOPPED_BY] > 0:
            return ENDED
        for k in range(ev.table[TRIGGERS]):
            if ev.table[TRIGGER + PER_TRIGGER * k + PENDING] > 0:
                return TICKED
        return GOING

    return change
