"""The reference's solver: backward differentiation that begins at order 1, as DASSL does.

motorik's own bdf begins with a step of order 4, so its error says little about the first
steps of a solver that does not, nor about those after events.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from motorik.compiler.kernels import Int, kernel, lanes, tail
from motorik.simulation.driver import make_method
from motorik.simulation.methods import METHODS, bdf
from motorik.simulation.methods.bdf import BdfInteger, BdfReal, BdfVec
from motorik.simulation.methods.bdf import attempt as try_step
from motorik.simulation.stepping.step_kernels import fit_step
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Vec, Work

NAME = "bdf from order 1"


@kernel
def attempt(n: Int, w: Work, m: Counts, ode: Ode) -> Int:
    """Try a step; the first one is Euler's."""
    if m[BdfInteger.ORDER] == 0 or m[BdfInteger.ORDER_NEXT] == 0:
        h = fit_step(w)
        x, f = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.F * n)
        d = tail(w, HEAD + BdfVec.DIFFERENCES * n)
        for i in lanes(n):
            d[i] = x[i]
            d[n + i] = h * f[i]
            d[2 * n + i] = 0.0
            d[3 * n + i] = 0.0
        w[BdfReal.H_D] = h
        m[BdfInteger.ORDER], m[BdfInteger.ORDER_NEXT] = 1, 1
        m[BdfInteger.FRESH] = 0
        m[BdfInteger.EQUAL_STEPS] = 0
    return try_step(n, w, m, ode)


METHOD = make_method(
    NAME,
    "backward differentiation, orders 1 to 5, that begins at order 1",
    order=bdf.HIGHEST,
    first_order=1,
    vectors=BdfVec.COUNT,
    extra=lambda n: 2 * n * n,
    attempt=attempt,
    prepare=bdf.prepare,
    interpolate=bdf.interpolate,
    has_memory=True,
    uses_jacobian=True,
)


@contextmanager
def registered() -> Iterator[None]:
    """Let runs name this method, only while it is asked for."""
    METHODS[NAME] = METHOD
    try:
        yield
    finally:
        del METHODS[NAME]
