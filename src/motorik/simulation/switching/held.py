"""Kernels: rows at rest that give all they can, held by other rows.

Two brakes on one shaft share its load. Where one of them comes to its limit, it slips as little as
the other one: it is held, with the force of its limit, and no event of its own tells of it.

A row k is held if its acceleration follows from those of the rows S that stick, D_k = W D_S. Of all
forces that hold them, rows take those with the least Σ D_kk λ_k². Then D_kk λ_k would be
Σ W_kj D_jj λ_j without limits; at its low limit λ_k stays as long as that is no more, but for a
little (`SLACK` of `margins`): errors of steps must not take it to and fro.
"""

from __future__ import annotations

from motorik.compiler.kernels import Floats, Int, Ints, kernel, tail
from motorik.simulation.methods.arguments import Events
from motorik.simulation.switching.box import COUNTS
from motorik.simulation.switching.faces import decompose, pick, substitute
from motorik.simulation.switching.store import (
    Contact,
    ForceLimit,
    asked_at,
    contact_at,
    count_size,
    shares_at,
    work_at,
)
from motorik.system.switching_functions import ASKED

FOLLOWS = 1e-9  # part of a row that may be left where it follows from others


@kernel
def may_be_held(ev: Events, k: Int) -> Int:
    """Return whether friction at rest is at one of its limits by the solution."""
    m = ev.counts.contacts
    own, modes = (Contact.at(ev.counts, contact_at(k)), tail(ev.counts, count_size(m)))
    is_friction = own.has_gap == 0 and own.pair == -1
    return int(is_friction and modes[m + k] == ForceLimit.LOW and modes[k] != 0)


@kernel(inline=False)
def find_held(ev: Events) -> None:
    """Note of each row the limit at which others hold it, zero if they do not."""
    m = ev.counts.contacts
    modes = tail(ev.counts, count_size(m))
    stick = tail(modes, 2 * m + COUNTS)
    full, stuck = 0, 0
    for k in range(m):
        ev.counts[contact_at(k) + Contact.bound] = 0
        stick[k] = int(modes[m + k] == ForceLimit.LOW and modes[k] == 0)
        stuck += stick[k]
        full += may_be_held(ev, k)
    if full > 0 and stuck > 0:
        follow(ev, stick, tail(ev.memory, work_at(m)))


@kernel(inline=False)
def follow(ev: Events, stick: Ints, work: Floats) -> None:
    """Find the rows that follow from those that stick, and write how they would share loads."""
    m = ev.counts.contacts
    D = tail(ev.memory, asked_at(m) + ASKED * m)
    A, L, order = tail(work, 0), tail(work, m * m), tail(work, 3 * m * m + m)
    scale, y = tail(order, m), tail(order, 2 * m)
    count = pick(m, D, stick, A, order, scale)
    rank = decompose(m, A, count, order, FOLLOWS, L)
    for k in range(m):
        if may_be_held(ev, k) == 0 or scale[k] == 0.0 or rank == 0:
            continue
        for i in range(rank):
            j = int(order[i])
            y[i] = 0.5 * (D[k * m + j] + D[j * m + k]) * scale[k] * scale[j]
        substitute(count, rank, L, y)
        left = 1.0
        for i in range(rank):
            j = int(order[i])
            left -= y[i] * 0.5 * (D[k * m + j] + D[j * m + k]) * scale[k] * scale[j]
        if left <= FOLLOWS:
            ev.counts[contact_at(k) + Contact.bound] = ev.counts[count_size(m) + k]
            shares = tail(ev.memory, shares_at(m) + k * m)
            for j in range(m):
                shares[j] = 0.0
            for i in range(rank):
                j = int(order[i])
                shares[j] = y[i] * scale[k] / scale[j]
