"""The Jacobian ∂ẋ/∂x by directional derivatives, seeds in lanes.

A directional derivative has about three times the operations of the rates, however many states
there are. Eight of them run side by side, so that n states take n/8 turns. Mechanisms with loops
couple everything with everything: differentiated by each state, their straight-line code would be
as long as all turns together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from motorik.compiler import Argument, NativeFunction, compile_library
from motorik.compiler.driver_text import add_array, write_declaration, write_driver
from motorik.compiler.kernels import Floats, Function, Int, kernel, lanes
from motorik.compiler.straight.lanes import BATCH
from motorik.compiler.symbols import make_function

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations

SEEDS = BATCH  # as many states fill the lanes


@kernel(inline=False)
def write_by_seeds(
    tangent: Function,
    n: Int,
    n_p: Int,
    t: Floats,
    x: Floats,
    p: Floats,
    times: Floats,
    states: Floats,
    parameters: Floats,
    seeds: Floats,
    made: Floats,
    out: Floats,
) -> None:
    """Write ∂ẋ/∂x by columns, from the derivatives along as many states at once as lanes."""
    for c in lanes(SEEDS):
        times[c] = t[0]
    for i in range(n):
        for c in lanes(SEEDS):
            states[SEEDS * i + c] = x[i]
            seeds[SEEDS * i + c] = 0.0
    for i in range(n_p):
        for c in lanes(SEEDS):
            parameters[SEEDS * i + c] = p[i]
    for first in range(0, n, SEEDS):
        count = min(SEEDS, n - first)
        for c in range(count):
            seeds[SEEDS * (first + c) + c] = 1.0
        tangent(times, states, parameters, seeds, made)
        for c in range(count):
            seeds[SEEDS * (first + c) + c] = 0.0
            for i in range(n):
                out[(first + c) * n + i] = made[SEEDS * i + c]


def find_tangent(equations: Equations) -> casadi.Function | None:
    """Return dẋ of (t, x, p, dx) where its turns have fewer operations than ∂ẋ/∂x; else None."""
    import casadi

    n = equations.layout.n_x
    if n < SEEDS:
        return None
    t, x = equations.symbols("t", "x")
    dx = casadi.SX.sym("dx", n)
    rates = equations.function("derivative")(t, x, equations.p)
    given = {"t": t, "x": x, "p": equations.p, "dx": dx}
    tangent = make_function("tangent", given, casadi.jtimes(rates, x, dx))
    turns = -(-n // SEEDS)
    whole = equations.function("jacobian").n_instructions()
    return tangent if turns * tangent.n_instructions() < whole else None


def compile_seeded(equations: Equations, tangent: casadi.Function) -> NativeFunction:
    """Return the Jacobian as machine code of (t, x, p), by columns."""
    n, n_p = equations.layout.n_x, equations.p.numel()
    lines: list[str] = []
    freed: list[str] = []
    sizes = {"times": 1, "states": n, "parameters": n_p, "seeds": n, "made": n}
    for name, size in sizes.items():
        add_array(name, SEEDS * size, lines, freed)
    work = ", ".join(f"ptr %{name}" for name in sizes)
    lines.append(
        f"call void @write_by_seeds(ptr @{{tangent}}, i64 {n}, i64 {n_p}, "
        f"ptr %t, ptr %x, ptr %p, {work}, ptr %out)"
    )
    inputs = (Argument("t", 1), Argument("x", n), Argument("p", n_p))
    return compile_library(
        {"tangent": tangent},
        [write_declaration(write_by_seeds), write_driver("jacobian", [*lines, *freed])],
        {"jacobian": (inputs, (Argument("out", n * n),))},
        kernels=[(write_by_seeds,)],
        width=SEEDS,
    )["jacobian"]
