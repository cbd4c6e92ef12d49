"""Guard: values that must stay positive, sampled at the end of each step and within it."""

from __future__ import annotations

from math import isfinite

from motorik.compiler.kernels import Float, Floats, Function, Int, kernel, tail
from motorik.simulation.stepping.step_kernels import copy
from motorik.simulation.stepping.workspace import HEAD, Counts, Vec, Work

SAFE = 1e-3  # a value below this is too near to zero
DIP = 0.3  # a dip below this within a step is sampled in detail


@kernel
def lowest(h: Float, a: Float, a_rate: Float, b: Float, b_rate: Float) -> Float:
    """Return about the smallest value within a step from a to b, given the rates there.

    Where the rate goes through zero the cubic through all four is taken.
    """
    least = min(a, b)
    if a_rate < 0.0 and b_rate > 0.0:
        s = a_rate / (a_rate - b_rate)
        r = 1.0 - s
        between = (1.0 + 2.0 * s) * r * r * a + s * s * (3.0 - 2.0 * s) * b
        between += h * s * r * (r * a_rate - s * b_rate)
        least = min(least, between)
    return least


@kernel(inline=False)
def is_safe(
    n: Int, w: Work, m: Counts, guard: Function, p: Floats, memory: Floats, is_first: Int
) -> Int:
    """Return 0 if a guarded value comes near zero in the last step, or may do so within it.

    `guard(t, x, p, values)` writes the values and then their rates; `memory` keeps those at
    the beginning and at the end of the step.
    """
    count = m.guarded
    new = tail(memory, 2 * count)
    w.t_call = w.t
    guard(tail(w, Work.t_call), tail(w, HEAD + Vec.X * n), p, new)
    safe = 1
    if is_first == 0:
        h = w.t - w.t_old
        for k in range(count):
            a_rate, b_rate = float(memory[count + k]), float(new[count + k])
            least = lowest(h, float(memory[k]), a_rate, float(new[k]), b_rate)
            if least < SAFE or not isfinite(least):
                safe = 0
            if a_rate < 0.0 and b_rate > 0.0 and least < DIP:
                safe = 0
    else:
        for k in range(count):
            if new[k] < SAFE or not isfinite(new[k]):
                safe = 0
    copy(2 * count, new, memory)
    return safe
