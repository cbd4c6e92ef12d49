"""Backward differentiation with explicit steps after events, for stiff systems with events.

An event excites the fast modes that make a system stiff. Until they have decayed, accuracy keeps
steps as short as stability would: there a one-step method of high order is cheaper than a multistep
method that has to gather a new past. Steps after an event are therefore explicit for as long as the
fastest mode takes to decay to its tolerance; backward differentiation goes on from there.
"""

from __future__ import annotations

from functools import cache

from motorik.compiler.kernels import Float, Floats, Int, kernel
from motorik.simulation.driver import Method, make_method
from motorik.simulation.methods import bdf
from motorik.simulation.methods.bdf import BdfInteger, BdfVec
from motorik.simulation.methods.runge_kutta import make_step_kernels
from motorik.simulation.methods.tables import TABLES
from motorik.simulation.stepping.step_kernels import begin
from motorik.simulation.stepping.workspace import Counts, Ode, Status, Work

MOST_STEPS = 64  # explicit ones after an event, where the mode was estimated too slow


class Phase:
    """Integers of the method in `m`, beside those of backward differentiation."""

    EXPLICIT = Counts.method + 8  # whether the last step was explicit …
    NEXT = Counts.method + 9  # … and whether the next is
    STEPS = Counts.method + 10  # explicit ones since the last event


@kernel
def is_explicit(m: Counts) -> Int:
    """Return whether the last step was explicit; before the first, whether it will be."""
    return m[Phase.EXPLICIT]


@kernel(inline=False)
def begin_explicit(n: Int, w: Work, m: Counts, ode: Ode, order: Int) -> Int:
    """Begin with explicit steps."""
    m[Phase.EXPLICIT] = 1
    m[Phase.NEXT] = 1
    m[Phase.STEPS] = 0
    return begin(n, w, m, ode, order)


@cache
def make_bdf_with_transients(explicit: str) -> Method:
    """Return backward differentiation with the steps of an explicit method after events."""
    table = TABLES[explicit]
    own = make_step_kernels(table, True)
    take_explicit, interpolate_explicit = own.attempt, own.interpolate
    take_implicit, interpolate_implicit = bdf.attempt, bdf.interpolate
    prepare_explicit, refines = own.prepare, int(own.refine is not None)
    refine_explicit = own.refine or own.prepare

    @kernel
    def attempt(n: Int, w: Work, m: Counts, ode: Ode) -> Int:
        m[Phase.EXPLICIT] = m[Phase.NEXT]
        if m[Phase.NEXT] == 0:
            return take_implicit(n, w, m, ode)
        evaluations = m.evaluations
        status = take_explicit(n, w, m, ode)
        m.explicit_steps += 1
        m.explicit_evaluations += m.evaluations - evaluations
        w.explicit_time += w.t - w.t_old
        if m[Phase.STEPS] == 0 and status == Status.GOING:
            w.h_restart = w.h
        m[Phase.STEPS] += 1
        if w.t - w.t_base >= w.settling or m[Phase.STEPS] >= MOST_STEPS:
            m[Phase.NEXT] = 0
            m[BdfInteger.ORDER] = 0
        return status

    @kernel
    def prepare(n: Int, w: Work, m: Counts, ode: Ode) -> None:
        if m[Phase.EXPLICIT] > 0:
            evaluations = m.evaluations
            prepare_explicit(n, w, m, ode)
            m.explicit_evaluations += m.evaluations - evaluations

    @kernel
    def refine(n: Int, w: Work, m: Counts, ode: Ode) -> None:
        if refines > 0 and m[Phase.EXPLICIT] > 0:
            evaluations = m.evaluations
            refine_explicit(n, w, m, ode)
            m.explicit_evaluations += m.evaluations - evaluations

    @kernel
    def interpolate(n: Int, w: Work, m: Counts, t: Float, row: Floats) -> None:
        if m[Phase.EXPLICIT] > 0:
            interpolate_explicit(n, w, m, t, row)
        else:
            interpolate_implicit(n, w, m, t, row)

    return make_method(
        bdf.METHOD.name,
        f"{bdf.METHOD.title}, after events {table.title}",
        order=table.order,
        vectors=max(own.vectors, BdfVec.COUNT),
        extra=lambda n: 2 * n * n,
        attempt=attempt,
        prepare=prepare,
        refine=refine,
        interpolate=interpolate,
        begin=begin_explicit,
        has_memory=True,
        uses_jacobian=True,
        is_explicit=is_explicit,
    )
