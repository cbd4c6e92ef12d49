"""Steps of fixed size of many simulations at once, in the lanes of vector registers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.compiler import NativeFunction, compile_function
from motorik.compiler.addresses import start_of
from motorik.compiler.kernels import (
    Float,
    Floats,
    Function,
    Int,
    NativeKernel,
    kernel,
    lanes,
    native,
    tail,
    unroll,
)
from motorik.compiler.straight.lanes import LANES
from motorik.compiler.threads import for_each, share
from motorik.numerics.tolerances import LAST_STEP
from motorik.simulation.methods.tables import TABLES

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.simulation.simulators import Starts


@cache
def make_steps(method: str) -> NativeKernel:
    """Return native steps of fixed size of blocks of lanes, by a Runge–Kutta method.

    Numbers of a block lie behind one another, lane by lane; n and n_p are the counts of all lanes.
    """
    table = TABLES[method]
    C, A, B = table.nodes, table.stages, table.weights

    @kernel
    def steps(
        blocks: Int,
        count: Int,
        n: Int,
        n_p: Int,
        h: Float,
        last: Float,
        t: Floats,
        x: Floats,
        p: Floats,
        room: Floats,
        rhs: Function,
        project: Function | None,
    ) -> None:
        now, stage, k = room, tail(room, LANES), tail(room, LANES + n)
        for b in range(blocks):
            begin, y, own = tail(t, b * LANES), tail(x, b * n), tail(p, b * n_p)
            for step in range(count):
                size = last if step == count - 1 else h
                for i in lanes(LANES):
                    now[i] = begin[i] + step * h
                rhs(now, y, own, k)
                for s in unroll(len(A)):
                    for i in lanes(n):
                        slope = A[s][0] * k[i]
                        for j in unroll(1, s + 1):
                            if A[s][j] != 0.0:
                                slope += A[s][j] * k[j * n + i]
                        stage[i] = y[i] + size * slope
                    for i in lanes(LANES):
                        now[i] = begin[i] + step * h + C[s] * size
                    rhs(now, stage, own, tail(k, (s + 1) * n))
                for i in lanes(n):
                    slope = B[0] * k[i]
                    for j in unroll(1, len(B)):
                        if B[j] != 0.0:
                            slope += B[j] * k[j * n + i]
                    y[i] += size * slope
                if project is not None:
                    for i in lanes(LANES):
                        now[i] = begin[i] + step * h + size
                    project(now, y, own)

    return native(steps, wide=True)


class StateLanes:
    """Many states of a system without events, four to a block, advanced by steps of fixed size."""

    def __init__(
        self,
        system: CompiledModel,
        t: float,
        x: np.ndarray,
        p: np.ndarray,
        count: int,
        method: str,
        step: float,
        threads: int,
    ) -> None:
        self._count, self._step, self._threads = count, step, threads
        blocks = -(-count // LANES)
        self._shape = blocks, LANES
        self._t = np.full((blocks, LANES), t)
        self._x = np.tile(x.reshape(1, -1, 1), (blocks, 1, LANES))
        self._p = np.tile(p.reshape(1, -1, 1), (blocks, 1, LANES))
        self._stages, self._steps = len(TABLES[method].weights), make_steps(method)
        self._rate: Any = system.derivative_lanes
        self._project = _project_lanes(system)

    def _rows(self, values: np.ndarray) -> np.ndarray:
        """Return numbers of all blocks as rows, one for each simulation, a new array."""
        return values.swapaxes(1, 2).reshape(-1, values.shape[1])[: self._count].copy()

    def states(self) -> np.ndarray:
        """Return the states, a new array."""
        return self._rows(self._x)

    def parameters(self) -> np.ndarray:
        """Return the parameters p, a new array."""
        return self._rows(self._p)

    def times(self) -> np.ndarray:
        """Return the time of each [s]."""
        return self._t.ravel()[: self._count].copy()

    def write(self, places: np.ndarray, values: np.ndarray) -> None:
        """Set numbers of p of all members."""
        rows = np.zeros((self._shape[0] * LANES, places.size))
        rows[: self._count] = values
        rows[self._count :] = values[-1]
        self._p[:, places, :] = rows.reshape(*self._shape, -1).swapaxes(1, 2)

    def step(self, dt: float) -> list[tuple[int, str]]:
        """Advance all by dt [s]; return which have failed, and why: they stay where they were."""
        count = max(int(np.ceil(dt / self._step - LAST_STEP)), 1)
        last = dt - (count - 1) * self._step
        before = self._x.copy()
        parts = share(self._shape[0], self._threads)

        def advance(part: slice) -> None:
            t, x, p = self._t[part], self._x[part], self._p[part]
            n, n_p = x.shape[1] * LANES, p.shape[1] * LANES
            room = np.empty(LANES + n * (self._stages + 1))
            project = None if self._project is None else self._project.replace_address
            own = len(x), count, n, n_p, self._step, last, start_of(t), start_of(x)
            rest = p.ctypes.data, start_of(room), self._rate.address, project
            self._steps.entry(*own, *rest)

        if len(parts) == 1:
            advance(parts[0])
        else:
            for_each(advance, parts)
        self._t += dt
        if np.isfinite(self._x.sum()):
            return []
        bad = ~np.isfinite(self._x).all(axis=1)
        blocks, own = np.nonzero(bad)
        self._x[blocks, :, own] = before[blocks, :, own]
        self._t[bad] -= dt
        failed = np.flatnonzero(bad.ravel()[: self._count]).tolist()
        return [(k, "a state is no longer a finite number") for k in failed]

    def restart(self, which: np.ndarray, starts: Starts) -> None:
        """Begin again with the members of these numbers."""
        blocks, own = np.divmod(which, LANES)
        self._t[blocks, own] = [own.time for own in starts]
        self._x[blocks, :, own] = [own.x for own in starts]
        self._p[blocks, :, own] = [own.p for own in starts]


def _project_lanes(system: CompiledModel) -> NativeFunction | None:
    """Return the projection of several states at once, None where nothing drifts."""
    if system.project is None:
        return None
    return compile_function(system.function("project"), width=LANES, replaces=True)
