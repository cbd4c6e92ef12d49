"""Kernels: speeds that become zero, by impulses of the rows that hold them there."""

from __future__ import annotations

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.workspace import HEAD, STAGE, T_CALL, T_FROM, T, X
from motorik.simulation.switching.choosing import STARTS, ask
from motorik.simulation.switching.faces import masked_solve
from motorik.simulation.switching.margins import pair_speed, resting_speed
from motorik.simulation.switching.store import (
    AT_FORCE,
    AT_PACE,
    BEGINS,
    FORCE,
    FORWARD,
    MODE,
    PAIR,
    PER_ROW,
    ROW,
    ROWS,
    START,
    STUCK,
    B,
    asked_at,
    box_at,
    count_size,
    work_at,
)
from motorik.simulation.switching.tangents import hold_readings, is_fed_back
from motorik.system.switching_functions import ASKED, WATCHED


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


@kernel(inline=False)
def put_to_rest(n: Int, w: Floats, ode: Ode, ev: Events) -> Int:
    """Take away the speeds of all rows that are marked where modes stand; tell if there are any."""
    m = ev.counts[ROWS]
    asked, box = tail(ev.memory, asked_at(m)), tail(ev.memory, box_at(m))
    stick = tail(ev.counts, count_size(m))
    moves = 0
    for k in range(m):
        speed = float(asked[ASKED * k])
        box[B * m + k] = -speed if stick[k] > 0 else 0.0
        if stick[k] > 0 and speed != 0.0:
            moves = 1
    if moves > 0:
        if is_fed_back(ev) > 0:
            ask(n, w, ode, ev)
            hold_readings(ev)
        D, impulses = tail(asked, ASKED * m), tail(box, FORCE * m)
        work = tail(ev.memory, work_at(m))
        masked_solve(m, D, stick, tail(box, B * m), impulses, work)
        push(n, w, ode, ev, impulses)
    return moves


@kernel(inline=False)
def settle(n: Int, w: Floats, ode: Ode, ev: Events) -> None:
    """Put the speeds of all rows that stick to zero, and of pairs that slip from rest."""
    m = ev.counts[ROWS]
    for k in range(m):
        own = tail(ev.counts, ROW + PER_ROW * k)
        first = k if own[PAIR] >= -1 else -2 - own[PAIR]
        begins = own[PAIR] != -1 and ev.counts[ROW + PER_ROW * first + BEGINS] == STARTS
        ev.counts[count_size(m) + k] = int(own[MODE] == STUCK or begins)
    put_to_rest(n, w, ode, ev)


@kernel(inline=False)
def stop_slow_pairs(n: Int, w: Floats, ode: Ode, ev: Events, rounding: Float) -> None:
    """Stop pairs that slide so slowly that they count as resting, and ask anew.

    Rows of a body on several feet are redundant, and their accelerations agree only where
    all that may rest does.
    """
    m = ev.counts[ROWS]
    stick = tail(ev.counts, count_size(m))
    slow = 0
    for k in range(m):
        own = tail(ev.counts, ROW + PER_ROW * k)
        stick[k] = int(own[MODE] == STUCK)
        first = k if own[PAIR] >= -1 else -2 - own[PAIR]
        if own[PAIR] != -1 and own[MODE] == FORWARD:
            at_pace = ev.counts[ROW + PER_ROW * first + AT_PACE]
            speed = pair_speed(ev, first)
            rests = speed <= resting_speed(ev, first, 0) + rounding
            # what nothing presses has no friction to rest by
            pressed = ev.memory[START + WATCHED * first + 3] > 0.0
            if rests and pressed and not ode.p[at_pace] > 0.0 and speed > 0.0:
                stick[k] = 1
                slow = 1
    if slow > 0 and put_to_rest(n, w, ode, ev) > 0:
        ask(n, w, ode, ev)
