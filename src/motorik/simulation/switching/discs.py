"""Kernels: all modes at once, and friction in a plane, whose force is bounded by a disc.

Two rows stand across each other: the first along a direction d, the second across it. They
stick both while λ₁² + λ₂² ≤ r², or slip both, against the motion. What slips from rest, or
after a hit, does so along its own acceleration: d is turned until nothing is left across it.
"""

from __future__ import annotations

from math import fabs, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.simulation.methods.arguments import Events
from motorik.simulation.switching.choosing import (
    AT_HIGH,
    AT_LOW,
    GOES_BACKWARD,
    GOES_FORWARD,
    NONE,
    bound,
    differs,
    run_box,
)
from motorik.simulation.switching.store import (
    AT_COSINE,
    AT_SINE,
    BACKWARD,
    BEGINS,
    FORCE,
    FORWARD,
    HAS_GAP,
    HIGH,
    LOW,
    PAIR,
    PER_ROW,
    ROW,
    ROWS,
    WORST,
    B,
    asked_at,
    box_at,
    count_size,
)
from motorik.system.switching_functions import ASKED, SLOPES

MOST_ALIGNED = 60  # turns of directions of friction
ALIGNED = 1e-12  # part of the accelerations that may be left across the direction
NOISE = 1e-11  # part of all terms of an acceleration that is rounding
BEYOND = 1e-12  # relative distance beyond the disc that is rounding


@kernel(inline=False)
def turn(ev: Events, p: Floats, k: Int, along: Float, across: Float) -> None:
    """Turn the direction of a pair so that (along, across) becomes the first axis."""
    size = sqrt(along * along + across * across)
    if size == 0.0 or (across == 0.0 and along > 0.0):
        return
    c, s = along / size, across / size
    m = ev.counts[ROWS]
    own = tail(ev.counts, ROW + PER_ROW * k)
    j = own[PAIR]
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
    x, y = box[B * m + k], box[B * m + j]
    box[B * m + k], box[B * m + j] = c * x + s * y, c * y - s * x
    cosine, sine = p[own[AT_COSINE]], p[own[AT_SINE]]
    x, y = cosine * c - sine * s, sine * c + cosine * s
    size = sqrt(x * x + y * y)
    p[own[AT_COSINE]], p[own[AT_SINE]] = x / size, y / size


@kernel(inline=False)
def point_pairs(ev: Events, p: Floats) -> None:
    """Turn the directions of all pairs along their speeds."""
    m = ev.counts[ROWS]
    asked = tail(ev.memory, asked_at(m))
    for k in range(m):
        j = ev.counts[ROW + PER_ROW * k + PAIR]
        if j >= 0:
            turn(ev, p, k, float(asked[ASKED * k]), float(asked[ASKED * j]))


@kernel(inline=False)
def radius(ev: Events, k: Int, at_rest: Int) -> Float:
    """Return the radius of the disc under the present forces; of impulses without constants."""
    m = ev.counts[ROWS]
    asked = tail(ev.memory, asked_at(m))
    forces = tail(ev.memory, box_at(m) + FORCE * m)
    slopes = tail(asked, ASKED * m + (AT_HIGH * m + k) * m)
    total = asked[ASKED * k + AT_HIGH] if at_rest > 0 else 0.0
    for j in range(m):
        total += slopes[j] * forces[j]
    return total


@kernel
def free_of_constants(ev: Events, k: Int) -> None:
    """Let the bounds of a row read impulses only."""
    m = ev.counts[ROWS]
    box = tail(ev.memory, box_at(m))
    box[LOW * m + k], box[HIGH * m + k] = 0.0, 0.0


@kernel
def rate_of_row(ev: Events, k: Int) -> Float:
    """Return the rate of a row under the present forces."""
    m = ev.counts[ROWS]
    box = tail(ev.memory, box_at(m))
    D = tail(ev.memory, asked_at(m) + ASKED * m + k * m)
    total = float(box[B * m + k])
    for j in range(m):
        total += D[j] * box[FORCE * m + j]
    return total


@kernel
def size_of_row(ev: Events, k: Int) -> Float:
    """Return the sum of the sizes of all terms of the rate of a row."""
    m = ev.counts[ROWS]
    box = tail(ev.memory, box_at(m))
    D = tail(ev.memory, asked_at(m) + ASKED * m + k * m)
    total = fabs(box[B * m + k])
    for j in range(m):
        total += fabs(D[j] * box[FORCE * m + j])
    return total


@kernel(inline=False)
def leave_discs(ev: Events, p: Floats, at_rest: Int) -> Int:
    """Let pairs that stick beyond their discs slip; return how many begin to."""
    m = ev.counts[ROWS]
    modes = tail(ev.counts, count_size(m))
    forces = tail(ev.memory, box_at(m) + FORCE * m)
    count = 0
    for k in range(m):
        j = ev.counts[ROW + PER_ROW * k + PAIR]
        own = tail(ev.counts, ROW + PER_ROW * k)
        if j < 0 or modes[m + k] != AT_LOW or own[BEGINS] > 0:
            continue
        along, across = float(forces[k]), float(forces[j])
        size = sqrt(along * along + across * across)
        sticks = modes[k] == 0 and modes[j] == 0
        if sticks and size <= (1.0 + BEYOND) * radius(ev, k, at_rest):
            continue
        if size > 0.0:
            turn(ev, p, k, -along, -across)
        own[BEGINS] = 1
        bound(ev, k, AT_LOW, AT_LOW)
        bound(ev, j, NONE, NONE)
        if at_rest == 0:
            free_of_constants(ev, k)
        count += 1
    return count


@kernel(inline=False)
def align_discs(ev: Events, p: Floats) -> Int:
    """Turn directions of pairs that begin to slip; return how many were not along the motion.

    Those that would move backward are asked at rest once more.
    """
    m = ev.counts[ROWS]
    forces = tail(ev.memory, box_at(m) + FORCE * m)
    D = tail(ev.memory, asked_at(m) + ASKED * m)
    count = 0
    for k in range(m):
        j = ev.counts[ROW + PER_ROW * k + PAIR]
        if j < 0 or ev.counts[ROW + PER_ROW * k + BEGINS] != 1:
            continue
        along, across = rate_of_row(ev, k), rate_of_row(ev, j)
        # without friction of its own it would accelerate along this direction
        ahead = along + float(D[k * (m + 1)]) * fabs(forces[k])
        noise = NOISE * (size_of_row(ev, k) + size_of_row(ev, j))
        if fabs(across) > ALIGNED * fabs(ahead) + noise or ahead < -noise:
            turn(ev, p, k, ahead, across)
        elif along < -noise:
            ev.counts[ROW + PER_ROW * k + BEGINS] = 0
            bound(ev, k, AT_LOW, AT_HIGH)
            bound(ev, j, AT_LOW, AT_HIGH)
        else:
            continue
        ev.counts[WORST] = k
        count += 1
    return count


@kernel(inline=False)
def solve_hit(ev: Events, p: Floats) -> Int:
    """Solve for impulses; return 0 if that is done."""
    for _ in range(MOST_ALIGNED):
        status = run_box(ev)
        if status != 0:
            return status
        if leave_discs(ev, p, 0) == 0 and align_discs(ev, p) == 0:
            return 0
    return 1


@kernel(inline=False)
def choose(ev: Events, p: Floats) -> Int:
    """Solve for all modes; what breaks loose slides by its sliding force at once."""
    m = ev.counts[ROWS]
    modes = tail(ev.counts, count_size(m))
    for _ in range(m + MOST_ALIGNED):
        status = run_box(ev)
        if status != 0:
            return status
        changed = 0
        for k in range(m):
            own = tail(ev.counts, ROW + PER_ROW * k)
            if modes[m + k] != AT_LOW or own[HAS_GAP] > 0 or own[PAIR] != -1:
                continue
            if modes[k] == FORWARD and differs(ev, k, AT_LOW, GOES_FORWARD) > 0:
                bound(ev, k, GOES_FORWARD, GOES_FORWARD)
                changed = 1
            elif modes[k] == BACKWARD and differs(ev, k, AT_HIGH, GOES_BACKWARD) > 0:
                bound(ev, k, GOES_BACKWARD, GOES_BACKWARD)
                changed = 1
        changed += leave_discs(ev, p, 1)
        if changed == 0 and align_discs(ev, p) == 0:
            return 0
    return 1
