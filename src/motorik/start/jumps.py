"""Jumps of prescribed motions: an exact drive cannot follow a reference that jumps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from motorik.components.base.contributions import Prescribed
from motorik.components.base.ports import PortKind
from motorik.errors import ParameterError
from motorik.motion.view import MotionView
from motorik.start.find import FoundStart
from motorik.system.system import System

if TYPE_CHECKING:
    import casadi

SAMPLES = 500  # of the time of a run, between which conditions may change
BESIDE = 1e-7  # how far beside a switching time a reference is computed, against the run
NEARER = 16.0  # how much nearer a second time: what is continuous shrinks, a jump does not
VISIBLE = 1e-9  # change against the size of the reference that rounding does not explain
MOST = 8  # switching times of one condition that are looked at

JUMPS = "jumps"
Function = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Switched:
    """A prescribed position or its speed, and the conditions that switch it.

    Functions of time, live parameters and motion; a condition is zero where it switches.
    """

    drive: Prescribed
    per: str
    value: casadi.Function
    conditions: tuple[casadi.Function, ...]


def check_jumps(start: FoundStart, stop: float) -> None:
    """Raise `ParameterError` if a prescribed position or its speed jumps in a run.

    It may jump where a condition in its law switches; there both sides are compared, twice.
    """
    system = start.system
    found = system.prepared.get(JUMPS)
    if found is None:
        found = system.prepared[JUMPS] = tuple(_switched(system))
    assert isinstance(found, tuple)
    if not found or not stop > start.t:
        return
    live = system.layout.live_of(start.p)

    def at_start(function: casadi.Function) -> Function:
        return lambda times: np.asarray(
            function(np.atleast_1d(times)[None, :], live, start.X)
        ).ravel()

    for switched in found:
        value = at_start(switched.value)
        for condition in switched.conditions:
            for at in _roots(at_start(condition), start.t, stop):
                jump = _jump(value, at, stop - start.t)
                if jump:
                    raise _refusal(switched, jump, at)


def _refusal(switched: Switched, jump: float, at: float) -> ParameterError:
    drive = switched.drive
    unit = "rad" if drive.flange.kind is PortKind.ROTATIONAL else "m"
    what = "speed" if switched.per else "reference"
    return ParameterError(
        drive.part.path,
        f"its {what} jumps by {jump:.4g} {unit}{switched.per} at t = {at:.6g} s, which would "
        "take an infinite force.",
        "Let it follow through a filter (exact=False), or give a reference whose value and "
        "rate do not jump.",
        parameter="exact",
        value=True,
    )


def _switched(system: System) -> Iterator[Switched]:
    """Yield the prescribed positions and speeds that conditions switch."""
    drives = [r.motion for r in system.mechanism.relations if r.motion is not None]
    if not drives:
        return
    import casadi

    mechanism, live = system.mechanism, system.subject.symbols
    sizes = (mechanism.n_q, mechanism.n_u, len(system.layout.blocks), 1)
    q, u, z, t = (casadi.SX.sym(name, n) for name, n in zip("quzt", sizes, strict=True))
    given = [casadi.vertsplit(x) if x.numel() else [] for x in (q, u, z)]
    motion = MotionView(mechanism, given[0], given[1], None, t, given[2])
    inputs = [t, casadi.SX(live), casadi.vertcat(q, u, z)]
    for drive in drives:
        signals = [motion.signal(port) for port in drive.signals]
        x = casadi.SX(drive.law(drive.p, t, *signals))
        rates = [casadi.SX(motion.signal_rate(port)) for port in drive.signals]
        for per, y in (("", x), *(("/s", v) for v in (casadi.jacobian(x, t), *rates))):
            conditions = [casadi.Function("condition", inputs, [c]) for c in _conditions(y)]
            if conditions:
                value = casadi.Function("value", inputs, [y])
                yield Switched(drive, per, value, tuple(conditions))


def _conditions(y: casadi.SX) -> Iterator[casadi.SX]:
    """Yield what changes its sign where the expression may jump."""
    import casadi

    comparisons = (casadi.OP_LT, casadi.OP_LE, casadi.OP_EQ, casadi.OP_NE)
    seen: set[int] = set()
    stack = [y]
    while stack:
        node = stack.pop()
        if node.element_hash() in seen or node.is_constant() or node.is_symbolic():
            continue
        seen.add(node.element_hash())
        stack += [node.dep(k) for k in range(node.n_dep())]
        operation = node.op()
        if operation in comparisons:
            yield node.dep(0) - node.dep(1)
        elif operation == casadi.OP_SIGN:
            yield node.dep(0)
        elif operation in (casadi.OP_FLOOR, casadi.OP_CEIL):
            yield casadi.sin(math.pi * node.dep(0))
        elif operation in (casadi.OP_FMOD, casadi.OP_REMAINDER):
            yield casadi.sin(math.pi * node.dep(0) / node.dep(1))


def _roots(d: Function, begin: float, stop: float) -> Iterator[float]:
    """Yield times in a run at which a function changes its sign, found by halving."""
    times = np.linspace(begin, stop, SAMPLES)
    signs = np.sign(np.nan_to_num(d(times)))
    for k in np.flatnonzero(signs[1:] * signs[:-1] < 0)[:MOST]:
        a, b = times[k], times[k + 1]
        for _ in range(60):
            middle = 0.5 * (a + b)
            a, b = (middle, b) if np.sign(d(middle))[0] == signs[k] else (a, middle)
        yield float(0.5 * (a + b))
    for k in np.flatnonzero(signs[1:-1] == 0)[:MOST]:
        yield float(times[k + 1])


def _jump(value: Function, at: float, duration: float) -> float:
    """Return by how much a function jumps at a time, 0 if it is continuous there."""
    far = BESIDE * duration
    near = far / NEARER
    a, b, c, d = value(np.array([at - far, at - near, at + near, at + far]))
    is_jump = abs(c - b) > 0.5 * abs(d - a)
    size = max(map(abs, (a, b, c, d)))
    return float(c - b) if is_jump and abs(c - b) > VISIBLE * size else 0.0
