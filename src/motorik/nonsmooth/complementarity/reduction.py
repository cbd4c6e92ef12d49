"""Kernels: elimination of prescribed forces from a complementarity problem.

An open contact has neither normal force nor friction, and sliding friction has the force of its
law. Forces that are plain numbers are eliminated from the problem, and their effect on the others
is added to b: the cost of the solvers grows with the cube of the number of constraints, and most
contacts of a body are open.
"""

from __future__ import annotations

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, tail

GATHERED = 5  # vectors of the reduced problem: b, low, high, noise, λ


def reduced_size(m: int) -> tuple[int, int]:
    """Return the doubles and integers of the reduced problem of m constraints."""
    return int(room_size(m)), 3 * m + 1


@kernel
def room_size(m: Int) -> Int:
    """Return the doubles of the reduced problem."""
    return 3 * m * m + GATHERED * m


@kernel
def reads_free(m: Int, line: Floats, lam: Floats, free: Ints) -> Int:
    """Return whether a bound depends on a force that is unknown."""
    for j in range(m):
        if line[j] != 0.0 and free[j] > 0:
            return 1
    return 0


@kernel
def read_given(m: Int, line: Floats, lam: Floats, free: Ints) -> Float:
    """Return the contribution of the prescribed forces to a bound."""
    total = 0.0
    for j in range(m):
        if free[j] == 0 and lam[j] != 0.0:
            total += line[j] * lam[j]
    return total


@kernel(inline=False)
def mark_free(
    m: Int,
    low: Floats,
    high: Floats,
    slopes: Floats,
    disk: Ints,
    disks: Int,
    lam: Floats,
    free: Ints,
) -> Int:
    """Mark the unknown forces, write the prescribed ones; return the number of unknowns.

    A force is prescribed if its bounds coincide and depend on prescribed forces only; friction
    in a disk is, if the disk has no radius.
    """
    for k in range(m):
        free[k] = 1
        lam[k] = 0.0
    left, before = m, m + 1
    while left < before:
        before = left
        for k in range(m):
            if free[k] == 0 or (disks > 0 and disk[k] < -1):
                continue
            of_disk = disks > 0 and disk[k] >= 0
            if not of_disk and not low[k] == high[k]:
                continue
            lines, others = tail(slopes, k * m), tail(slopes, (m + k) * m)
            if reads_free(m, others, lam, free) > 0:
                continue
            upper = high[k] + read_given(m, others, lam, free)
            if of_disk:
                if upper == 0.0:
                    free[k], free[disk[k]] = 0, 0
                    left -= 2
            elif reads_free(m, lines, lam, free) == 0:
                lower = low[k] + read_given(m, lines, lam, free)
                if lower == upper:
                    free[k] = 0
                    lam[k] = lower
                    left -= 1
    return left


@kernel(inline=False)
def reduce(
    m: Int,
    n: Int,
    D: Floats,
    b: Floats,
    low: Floats,
    high: Floats,
    slopes: Floats,
    noise: Floats,
    disk: Ints,
    mode: Ints,
    lam: Floats,
    room: Floats,
    free: Ints,
) -> None:
    """Write the problem of the n unknown forces, with their disks and modes.

    `free` becomes the list of their numbers, followed by their disks and modes.
    """
    pair, reduced_modes = tail(free, m), tail(free, 2 * m)
    matrix, reads, vectors = tail(room, 0), tail(room, n * n), tail(room, 3 * n * n)
    for k in range(m):
        reduced_modes[k] = free[k]
        pair[k] = free[k]
    # effect of the prescribed forces, before the marks become a list
    i = 0
    for k in range(m):
        if pair[k] > 0:
            vectors[i] = b[k] + read_given(m, tail(D, k * m), lam, pair)
            vectors[n + i] = low[k] + read_given(m, tail(slopes, k * m), lam, pair)
            vectors[2 * n + i] = high[k] + read_given(
                m, tail(slopes, (m + k) * m), lam, pair
            )
            vectors[3 * n + i] = noise[k]
            free[i] = k
            i += 1
    for i in range(n):
        number = free[i]
        for j in range(n):
            column = free[j]
            matrix[i * n + j] = D[number * m + column]
            reads[i * n + j] = slopes[number * m + column]
            reads[(n + i) * n + j] = slopes[(m + number) * m + column]
    for i in range(n):
        number = free[i]
        reduced_modes[i] = mode[number]
        pair[i] = -1
        for j in range(n):
            if disk[number] >= 0 and disk[number] == free[j]:
                pair[i] = j
            if disk[number] < -1 and -2 - disk[number] == free[j]:
                pair[i] = -2 - j
