"""Modes: what every row does after an event, found for all rows at once."""

from __future__ import annotations

from math import fabs, inf, isfinite

from motorik.compiler.kernels import Float, Floats, Int, Ints, Kernel, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.workspace import (
    CHATTERS,
    ENDED,
    EPSILON,
    GOING,
    HEAD,
    NO_MODES,
    STAGE,
    T_CALL,
    T_FROM,
    T_START,
    T_STOP,
    T_UPTO,
    TICKED,
    T,
    X,
)
from motorik.simulation.switching.choosing import (
    AT_HIGH,
    AT_LOW,
    CLOSED,
    NONE,
    ask,
    bound,
    classify,
    code_of,
    hint_fired,
    link,
    mode_now,
)
from motorik.simulation.switching.discs import (
    choose,
    point_pairs,
    size_of_row,
    solve_hit,
)
from motorik.simulation.switching.faces import masked_solve
from motorik.simulation.switching.log import mean_speed, write_line
from motorik.simulation.switching.store import (
    AT_COSINE,
    AT_FORCE,
    AT_SINE,
    AT_SLOW,
    AT_STICK,
    AT_WAY,
    BACKWARD,
    BEGINS,
    CROWDED,
    FORCE,
    FORWARD,
    GAP,
    GIVEN,
    HAS_GAP,
    HIGH,
    IN_PLACE,
    KNOWN,
    LATER,
    LINKED,
    LOW,
    MARGINS,
    MODE,
    PAIR,
    PENDING,
    PER_ROW,
    PER_TRIGGER,
    ROW,
    ROWS,
    SLOW,
    SPEED,
    STOPPED_BY,
    STUCK,
    T_EVENT,
    T_MARK,
    TRIGGER,
    TRIGGERS,
    B,
    asked_at,
    box_at,
    count_size,
    scales_at,
    work_at,
)
from motorik.simulation.switching.triggers import ask_conditions, make_fire
from motorik.simulation.switching.watch import (
    STILL,
    keep,
    largest,
    look_at,
    rebase,
)
from motorik.system.switching_functions import ASKED

KEPT = 1e-12  # of speeds to come: up to this the direction of what begins to slip is kept
RESTS = 1e-8  # of the largest speed seen: a rebound slower than this is none
ROUNDING = 64.0  # units in the last place of the state: a lower rebound is none
MOST_HITS = 100  # impacts at one instant
MOST_TURNS = 20  # of triggers that fire one after another at one instant
MOST_IN_PLACE = 50  # events within rounding of one time …
PROGRESS, MOST_CROWDED = 1e-9, 2000  # … and within this part of a run


@kernel(inline=False)
def push(n: Int, w: Floats, ode: Ode, ev: Events, impulses: Floats) -> None:
    """Change the state by impulses of the rows."""
    x, change = tail(w, HEAD + X * n), tail(w, HEAD + STAGE * n)
    for k in range(ev.counts[ROWS]):
        ode.p[ev.counts[ROW + PER_ROW * k + AT_FORCE]] = impulses[k]
    w[T_CALL] = max(w[T], w[T_FROM])
    ev.pushed(tail(w, T_CALL), x, ode.p, change)
    for i in range(n):
        x[i] += change[i]
    for k in range(ev.counts[ROWS]):
        ode.p[ev.counts[ROW + PER_ROW * k + AT_FORCE]] = 0.0


@kernel
def is_hit(ev: Events, k: Int) -> Int:
    """Return whether a stop is closed and closing further, or a free wheel runs backward."""
    m = ev.counts[ROWS]
    row = tail(ev.memory, asked_at(m) + ASKED * k)
    scales = tail(ev.memory, scales_at(m) + MARGINS * k)
    if ev.counts[ROW + PER_ROW * k + HAS_GAP] == 0:
        if row[2] < inf or row[5] <= 0.0:
            return 0
    elif row[6] > CLOSED * scales[GAP]:
        return 0
    return int(row[0] < -STILL * scales[SPEED])


@kernel
def rebounds(n: Int, w: Floats, ev: Events, k: Int) -> Int:
    """Return whether what hits a stop leaves it again, by a height that numbers can tell."""
    m = ev.counts[ROWS]
    row = tail(ev.memory, asked_at(m) + ASKED * k)
    far = largest(n, tail(w, HEAD + X * n))
    speed = -row[0] * row[7]
    if speed <= RESTS * ev.memory[scales_at(m) + MARGINS * k + SPEED]:
        return 0
    return int(speed * speed > ROUNDING * EPSILON * far * fabs(row[8]))


@kernel(inline=False)
def strike(n: Int, w: Floats, counts: Ints, ode: Ode, ev: Events) -> Int:
    """Let stops that close hit, all at once; return whether any did, −1 if none can.

    Moreau: w⁺ = w⁻ + D P, w⁺ + e w⁻ ≥ 0, P ≥ 0, one of them zero. Forces that have a bound
    give no impulse, unless the bound reads forces: then it reads impulses. Rebounds that are
    too low to be told from rounding are left out: they would follow one another for the time
    2 e w / (b (1 − e)), after which the log has the rest.
    """
    m = ev.counts[ROWS]
    asked = tail(ev.memory, asked_at(m))
    scales = tail(ev.memory, scales_at(m))
    box = tail(ev.memory, box_at(m))
    later = tail(box, LATER * m)
    modes = tail(ev.counts, count_size(m))
    hits = 0
    for k in range(m):
        hits += is_hit(ev, k)
    if hits == 0:
        return 0
    for k in range(m):
        row = tail(asked, ASKED * k)
        speed = row[0]
        closing = is_hit(ev, k)
        scales[MARGINS * k + SPEED] = max(scales[MARGINS * k + SPEED], fabs(speed))
        holds = ev.counts[ROW + PER_ROW * k + MODE] == STUCK
        bound(ev, k, NONE, NONE)
        ev.counts[ROW + PER_ROW * k + BEGINS] = 0
        box[B * m + k] = speed
        modes[k] = 0 if closing > 0 else 1
        if ev.counts[LINKED] > 0 and row[5] > 0.0:
            link(ev, k, AT_LOW, AT_HIGH)
            if ev.counts[ROW + PER_ROW * k + PAIR] != -1:
                modes[m + k] = AT_LOW
            modes[k] = 0 if closing > 0 else code_of(ev.counts[ROW + PER_ROW * k + MODE])
        if holds and row[1] == -inf:
            box[LOW * m + k] = -inf
        if (holds and row[2] == inf) or closing > 0:
            box[HIGH * m + k] = inf
        later[k] = 0.0
        if closing > 0:
            if rebounds(n, w, ev, k) > 0:
                box[B * m + k] = (1.0 + row[7]) * speed
            elif row[8] < 0.0 and row[7] < 1.0:
                later[k] = 2.0 * row[7] * speed / (row[8] * (1.0 - row[7]))
    if solve_hit(ev, ode.p) != 0:
        return -1
    push(n, w, ode, ev, tail(box, FORCE * m))
    for k in range(m):
        impulse = float(box[FORCE * m + k])
        if impulse != 0.0:
            mode = ev.counts[ROW + PER_ROW * k + MODE]
            lost = 0.0 - impulse * mean_speed(ev, k)
            write_line(counts, ev, w[T], k, mode, mode, impulse, lost)
    return 1


@kernel
def makes_progress(w: Floats, ev: Events) -> Int:
    """Note an event; return 0 if events follow one another while time stands almost still."""
    rounding = 16.0 * EPSILON * fabs(w[T])
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


def make_change(vectors: int, lanes: int) -> Kernel[[Int, Floats, Ints, Ode, Events], Int]:
    """Return the kernel that handles an event at T: impacts, modes, speeds put to rest.

    Behind its `vectors`, a method of several lanes has the parameters of each lane.
    """

    @kernel(inline=False)
    def write_number(
        n: Int, w: Floats, m: Ints, ode: Ode, ev: Events, place: Int, value: Float
    ) -> None:
        """Change a number of p, in all lanes, and write that down."""
        write_line(m, ev, w[T], -1 - place, 0, 0, value, 0.0)
        ode.p[place] = value
        if lanes > 1:
            of_lanes = tail(w, HEAD + vectors * n + lanes * place)
            for lane in range(lanes):
                of_lanes[lane] = value

    @kernel(inline=False)
    def set_number(
        n: Int, w: Floats, m: Ints, ode: Ode, ev: Events, place: Int, value: Float
    ) -> None:
        """Change a number of p, in all lanes, and write that down."""
        if ode.p[place] != value:
            write_number(n, w, m, ode, ev, place, value)

    fire = make_fire(set_number)

    @kernel(inline=False)
    def take_modes(n: Int, w: Floats, counts: Ints, ode: Ode, ev: Events) -> None:
        m = ev.counts[ROWS]
        for k in range(m):
            own = tail(ev.counts, ROW + PER_ROW * k)
            before = own[MODE]
            mode = mode_now(ev, k)
            if mode != before or ev.counts[KNOWN] == 0:
                time = w[T]
                if mode == STUCK:
                    time += ev.memory[box_at(m) + LATER * m + k]
                write_line(counts, ev, time, k, before, mode, 0.0, 0.0)
            own[MODE] = mode
            way = mode if mode == FORWARD or mode == BACKWARD else 0
            sticks = 1.0 if mode == STUCK else 0.0
            set_number(n, w, counts, ode, ev, own[AT_STICK], sticks)
            set_number(n, w, counts, ode, ev, own[AT_WAY], float(way))

    @kernel(inline=False)
    def take_directions(n: Int, w: Floats, m: Ints, ode: Ode, ev: Events) -> None:
        """Write down the directions of pairs, and keep those that begin to slip for a while."""
        rows = ev.counts[ROWS]
        for k in range(rows):
            own = tail(ev.counts, ROW + PER_ROW * k)
            if own[PAIR] >= 0:
                slow = 0.0
                if own[BEGINS] == 1:
                    span = w[T_UPTO] - w[T] if isfinite(w[T_UPTO]) else 1.0
                    fast = ev.memory[scales_at(rows) + MARGINS * k + SPEED]
                    slow = KEPT * (fast + size_of_row(ev, k) * span)
                ev.memory[box_at(rows) + SLOW * rows + k] = slow
                write_number(n, w, m, ode, ev, own[AT_SLOW], slow)
                for place in range(AT_COSINE, AT_SINE + 1):
                    write_number(n, w, m, ode, ev, own[place], float(ode.p[own[place]]))

    @kernel(inline=False)
    def settle(n: Int, w: Floats, ode: Ode, ev: Events) -> None:
        """Put the speeds of all rows that stick to zero."""
        m = ev.counts[ROWS]
        asked, box = tail(ev.memory, asked_at(m)), tail(ev.memory, box_at(m))
        moves = 0
        for k in range(m):
            speed = float(asked[ASKED * k])
            sticks = ev.counts[ROW + PER_ROW * k + MODE] == STUCK
            ev.counts[count_size(m) + k] = int(sticks)
            box[B * m + k] = -speed if sticks else 0.0
            if sticks and speed != 0.0:
                moves = 1
        if moves > 0:
            D = tail(asked, ASKED * m)
            stick = tail(ev.counts, count_size(m))
            impulses = tail(box, FORCE * m)
            masked_solve(
                m, D, stick, tail(box, B * m), impulses, tail(ev.memory, work_at(m))
            )
            push(n, w, ode, ev, impulses)

    @kernel(inline=False)
    def change_rows(n: Int, w: Floats, m: Ints, ode: Ode, ev: Events) -> Int:
        x = tail(w, HEAD + X * n)
        look_at(w, ode, ev, w[T], x)
        ask(w, ode, ev, x)
        struck = 0
        for _ in range(MOST_HITS):
            hits = strike(n, w, m, ode, ev)
            if hits < 0:
                return NO_MODES
            if hits == 0:
                break
            struck = 1
            ask(w, ode, ev, x)
        point_pairs(ev, ode.p)
        classify(ev, struck, 16.0 * EPSILON * largest(n, x))
        hint_fired(ev)
        if choose(ev, ode.p) != 0:
            return NO_MODES
        take_directions(n, w, m, ode, ev)
        take_modes(n, w, m, ode, ev)
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
            if turn > 0 and fired == 0:
                break
            if rows > 0:
                if fired > 0:
                    push(n, w, ode, ev, impulses)
                status = change_rows(n, w, m, ode, ev)
                if status != GOING:
                    return status
            ev.counts[KNOWN] = 1
            if ev.table[TRIGGERS] == 0:
                break
            if turn == MOST_TURNS - 1:
                return CHATTERS
        if rows > 0:
            look_at(w, ode, ev, w[T], x)
            rebase(ev)
        if ev.table[TRIGGERS] > 0:
            ask_conditions(w, ode, ev, w[T], x)
        keep(ev)
        if ev.table[STOPPED_BY] > 0:
            return ENDED
        for k in range(ev.table[TRIGGERS]):
            if ev.table[TRIGGER + PER_TRIGGER * k + PENDING] > 0:
                return TICKED
        return GOING

    return change
