"""A motion kept for the way back: polynomials for each of its steps, which native code evaluates.

In each step the states are known at Chebyshev points, so as many that their polynomial is that of
the method's own dense output, and evaluated by the barycentric formula (Berrut and Trefethen 2004).
"""

from __future__ import annotations

import numpy as np

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail


def chebyshev_points(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return points from 0 to 1, the ends among them, and their barycentric weights."""
    numbers = np.arange(count)
    points = 0.5 - 0.5 * np.cos(np.pi * numbers / (count - 1))
    weights = np.where(numbers % 2 == 0, 1.0, -1.0)
    weights[[0, -1]] *= 0.5
    return points, weights


@kernel
def find_step(count: Int, t: Float, times: Floats) -> Int:
    """Return the step of a time: the last of `count` that begins at or before it, or the first."""
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) // 2
        if times[middle] <= t:
            low = middle
        else:
            high = middle
    return low


@kernel
def read_motion(
    n: Int,
    n_p: Int,
    references: Int,
    at: Int,
    points: Int,
    capacity: Int,
    t: Float,
    kept: Floats,
    x: Floats,
    p: Floats,
) -> None:
    """Write the states x and the parameters p at a time.

    `kept` are p, the number of steps, points and weights, times of steps, and a row of each step:
    the states at its points and `references`, which stand at the place `at` of p.
    """
    nodes = tail(kept, n_p + 1)
    weights = tail(nodes, points)
    times = tail(weights, points)
    step = find_step(int(kept[n_p]), t, times)
    line = tail(times, capacity + 1 + step * (points * n + references))
    theta = (t - times[step]) / (times[step + 1] - times[step])
    hit = -1
    total = 0.0
    for j in range(points):
        if theta == nodes[j]:
            hit = j
        else:
            total += weights[j] / (theta - nodes[j])
    if hit >= 0:
        for i in lanes(n):
            x[i] = line[hit * n + i]
    else:
        for i in lanes(n):
            x[i] = 0.0
        for j in range(points):
            share = weights[j] / ((theta - nodes[j]) * total)
            for i in lanes(n):
                x[i] += share * line[j * n + i]
    for i in lanes(n_p):
        p[i] = kept[i]
    for i in lanes(references):
        p[at + i] = line[points * n + i]
