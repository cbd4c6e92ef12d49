"""Kernels: all modes at once, and friction in a plane, whose force is bounded by a disc.

Two rows stand across each other: the first along a direction d, the second across it. They
stick both while λ₁² + λ₂² ≤ r², or slip both, against the motion. What slips from rest does so
along its own acceleration, against its force: d is turned there.
"""

from __future__ import annotations

from math import fabs, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.simulation.methods.arguments import Events
from motorik.simulation.switching.box import COUNTS
from motorik.simulation.switching.choosing import bound, differs, list_discs, run_box
from motorik.simulation.switching.cones import Cones
from motorik.simulation.switching.held import find_held
from motorik.simulation.switching.reduced import room_size
from motorik.simulation.switching.resting import COARSEST, FINEST, rest_together
from motorik.simulation.switching.store import (
    Contact,
    ContactMode,
    ForceLimit,
    Lcp,
    SlipPhase,
    asked_at,
    box_at,
    contact_at,
    count_size,
    work_at,
)
from motorik.system.switching_functions import ASKED, SLOPES

NOISE = 1e-11  # part of all terms of an acceleration that is rounding


@kernel(inline=False)
def turn(ev: Events, p: Floats, k: Int, along: Float, across: Float) -> None:
    """Turn the direction of a pair so that (along, across) becomes the first axis."""
    size = sqrt(along * along + across * across)
    if size == 0.0 or (across == 0.0 and along > 0.0):
        return
    c, s = along / size, across / size
    m = ev.counts.contacts
    own = Contact.at(ev.counts, contact_at(k))
    j = own.pair
    asked, box = tail(ev.memory, asked_at(m)), tail(ev.memory, box_at(m))
    D = tail(asked, ASKED * m)
    for i in range(m):
        x, y = D[k * m + i], D[j * m + i]
        D[k * m + i], D[j * m + i] = c * x + s * y, c * y - s * x
    for i in range((1 + SLOPES) * m):
        x, y = D[i * m + k], D[i * m + j]
        D[i * m + k], D[i * m + j] = c * x + s * y, c * y - s * x
    for place in range(2):
        at = 0 if place == 0 else ASKED - 1
        x, y = asked[ASKED * k + at], asked[ASKED * j + at]
        asked[ASKED * k + at], asked[ASKED * j + at] = c * x + s * y, c * y - s * x
    x, y = box[Lcp.B * m + k], box[Lcp.B * m + j]
    box[Lcp.B * m + k], box[Lcp.B * m + j] = c * x + s * y, c * y - s * x
    cosine, sine = p[own.at_cosine], p[own.at_sine]
    x, y = cosine * c - sine * s, sine * c + cosine * s
    size = sqrt(x * x + y * y)
    p[own.at_cosine], p[own.at_sine] = x / size, y / size


@kernel(inline=False)
def point_pairs(ev: Events, p: Floats, was_hit: Int) -> None:
    """Turn the directions of all pairs along their speeds, but of those that creep."""
    m = ev.counts.contacts
    asked = tail(ev.memory, asked_at(m))
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        j = own.pair
        if j < 0:
            continue
        own.slip_phase = 0
        if own.mode == ContactMode.FORWARD and p[own.at_pace] > 0.0 and was_hit == 0:
            own.slip_phase = SlipPhase.CREEPS
        else:
            turn(ev, p, k, float(asked[ASKED * k]), float(asked[ASKED * j]))


@kernel
def rate_of_row(ev: Events, k: Int) -> Float:
    """Return the rate of a row under the present forces."""
    m = ev.counts.contacts
    box = tail(ev.memory, box_at(m))
    D = tail(ev.memory, asked_at(m) + ASKED * m + k * m)
    total = float(box[Lcp.B * m + k])
    for j in range(m):
        total += D[j] * box[Lcp.FORCE * m + j]
    return total


@kernel
def size_of_row(ev: Events, k: Int) -> Float:
    """Return the sum of the sizes of all terms of the rate of a row."""
    m = ev.counts.contacts
    box = tail(ev.memory, box_at(m))
    D = tail(ev.memory, asked_at(m) + ASKED * m + k * m)
    total = fabs(box[Lcp.B * m + k])
    for j in range(m):
        total += fabs(D[j] * box[Lcp.FORCE * m + j])
    return total


@kernel(inline=False)
def begin_slips(ev: Events, p: Floats) -> None:
    """Turn the directions of pairs that begin to slip against their forces.

    Without any force, as where nothing presses, along what accelerates them.
    """
    m = ev.counts.contacts
    modes = tail(ev.counts, count_size(m))
    forces = tail(ev.memory, box_at(m) + Lcp.FORCE * m)
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        j = own.pair
        if j < 0 or own.slip_phase > 0 or modes[m + k] != ForceLimit.LOW or modes[k] == 0:
            continue
        along, across = -float(forces[k]), -float(forces[j])
        if along == 0.0 and across == 0.0:
            along, across = rate_of_row(ev, k), rate_of_row(ev, j)
            noise = NOISE * (size_of_row(ev, k) + size_of_row(ev, j))
            if sqrt(along * along + across * across) <= noise:
                along, across = 1.0, 0.0
        own.slip_phase = SlipPhase.STARTS
        turn(ev, p, k, along, across)


@kernel(inline=False)
def share_loads(ev: Events, p: Floats, fired: Int) -> None:
    """Let what rests on several feet stick as long as their friction can hold it.

    `fired` tells whether some of it has come to a limit.
    """
    m = ev.counts.contacts
    room, modes = tail(ev.memory, work_at(m)), tail(ev.counts, count_size(m))
    work, counts = tail(room, room_size(m)), tail(modes, 2 * m)
    disc = tail(counts, COUNTS)
    # the solver of problems without discs has its modes there
    if list_discs(ev, disc) == 0:
        return
    free = tail(disc, 2 * m)
    pair, way = tail(free, m), tail(free, 2 * m)
    forces = tail(ev.memory, box_at(m) + Lcp.FORCE * m)
    # forces of the run have rounding: where they come to limits again and again, that is the limit
    near = max(FINEST - ev.counts.recent_events, COARSEST)
    n = int(disc[5 * m])  # rows whose forces are not given, see `run_box`
    for k in range(m):
        if n == m:
            free[k], pair[k] = k, disc[k]
        if disc[k] >= 0:
            p[ev.counts[contact_at(k) + Contact.at_softness]] = 1.0
    for i in range(n):
        way[i] = modes[free[i]]
    rest = rest_together(n, work, pair, way, counts, fired, near)
    for i in range(n):
        k = free[i]
        modes[k] = way[i]
        if pair[i] >= 0 and work[Cones.RESTING * n + i] > 0.0:
            if rest == 1:
                softness = float(work[Cones.SOFTNESS * n + i])
                p[ev.counts[contact_at(k) + Contact.at_softness]] = softness
            elif rest == 2:
                for turn in range(2):
                    j = i if turn == 0 else pair[i]
                    forces[free[j]] = work[Cones.SCALE * n + j] * work[Cones.X * n + j]


@kernel(inline=False)
def choose(ev: Events, p: Floats) -> Int:
    """Solve for all modes; what breaks loose slides by its sliding force at once.

    What others hold does not.
    """
    m = ev.counts.contacts
    modes = tail(ev.counts, count_size(m))
    fired = 0
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        fired += int(
            own.pair >= 0
            and own.mode == ContactMode.STUCK
            and modes[k] == ContactMode.FORWARD
        )
    for _ in range(m + 1):
        status = run_box(ev)
        if status != 0:
            return status
        if ev.counts.cones > 0:
            share_loads(ev, p, fired)
        if m > 1:
            find_held(ev)
        changed = 0
        for k in range(m):
            own = Contact.at(ev.counts, contact_at(k))
            if modes[m + k] != ForceLimit.LOW or own.has_gap > 0 or own.pair != -1:
                continue
            if own.bound != 0:
                continue
            if (
                modes[k] == ContactMode.FORWARD
                and differs(ev, k, ForceLimit.LOW, ForceLimit.FORWARD) > 0
            ):
                bound(ev, k, ForceLimit.FORWARD, ForceLimit.FORWARD)
                changed = 1
            elif (
                modes[k] == ContactMode.BACKWARD
                and differs(ev, k, ForceLimit.HIGH, ForceLimit.BACKWARD) > 0
            ):
                bound(ev, k, ForceLimit.BACKWARD, ForceLimit.BACKWARD)
                changed = 1
        if changed == 0:
            if ev.counts.cones > 0:
                begin_slips(ev, p)
            return 0
    return 1
