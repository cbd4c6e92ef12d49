"""Corners: the times at which laws change, found in what they compute.

A source that steps, a pulse, a limit that a function of time comes to: each is a comparison,
a rounding or an absolute value of something that depends on time alone. They are found in
the traced equations, so no law has to declare them.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.compiler.straight.code import StraightCode, read_function
from motorik.errors import AssemblyError
from motorik.system.functions import elements

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations

UNITS = 8.0  # in the last place of a time: how far beside it laws are asked
ASIDE = UNITS * float(np.finfo(float).eps)
LOOKS = 2000  # places of a run where a function of time that is curved is looked at
KEPT = 8  # runs of which the corners are kept
MOST = 1_000_000  # corners of one run

ROUNDED = ("floor", "ceil")  # change at whole numbers
DIFFERENT = ("lt", "le", "eq", "ne", "fmax", "fmin")  # change where both are equal
AT_ZERO = ("sign", "fabs")


class Corners:
    """The times at which the laws of a system change, whatever its motion is.

    `zeros` change a law where they vanish, `rounds` where they become whole numbers; both are
    functions of t and p. Of what is straight in t between two corners the times are exact;
    what is curved is looked at `LOOKS` times a run.
    """

    def __init__(self, equations: Equations) -> None:
        import casadi

        self.t, self.p = equations.symbols("t")[0], equations.p
        zeros, rounds = self._found(equations)
        self.count = len(zeros) + len(rounds)
        self._n_zeros = len(zeros)
        values = casadi.vertcat(casadi.SX(0, 1), *zeros, *rounds)
        rates = casadi.SX(casadi.jacobian(values, self.t))
        rates = casadi.densify(rates) if self.count else casadi.SX(0, 1)
        bends = [casadi.SX(casadi.jacobian(rate, self.t)) for rate in elements(rates)]
        self.curved = np.array([bend.nnz() > 0 for bend in bends], dtype=bool)
        self._kept: dict[tuple[float, float, bytes], np.ndarray] = {}
        given = [self.t, self.p]
        self._at = casadi.Function("corners", given, [casadi.densify(values), rates])

    def _found(self, equations: Equations) -> tuple[list[casadi.SX], list[casadi.SX]]:
        if equations.iterates or equations.form.n_alike:
            codes = _of_signals(equations, self.t)
        else:
            names = ["derivative"]
            if equations.form.balance is not None:  # a force that steps has no rate
                names.append("project")
            functions = (equations.function(name) for name in names)
            codes = [(read_function(f), {0: self.t, 2: self.p}) for f in functions]
        zeros: dict[str, casadi.SX] = {}
        rounds: dict[str, casadi.SX] = {}
        for code, given in codes:
            _collect(code, given, zeros, rounds)
        return list(zeros.values()), list(rounds.values())

    def times(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the times between two times at which something changes, sorted."""
        if not self.count:
            return np.empty(0)
        key = begin, end, p.tobytes()
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = self._found_between(begin, end, p)
        return self._kept[key]

    def _found_between(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        found: set[float] = set(self._of_curved(begin, end, p))
        t = begin
        straight = ~self.curved
        while straight.any() and len(found) < MOST:
            aside = ASIDE * max(abs(t), abs(end) * 1e-3)
            value, rate = (np.array(v).ravel()[straight] for v in self._at(t + aside, p))
            first = int(straight[: self._n_zeros].sum())
            ahead = np.full(value.size, np.inf)
            with np.errstate(divide="ignore", invalid="ignore"):
                ahead[:first] = -value[:first] / rate[:first]
                whole = np.where(
                    rate[first:] > 0.0,
                    np.floor(value[first:]) + 1.0,
                    np.ceil(value[first:]) - 1.0,
                )
                ahead[first:] = (whole - value[first:]) / rate[first:]
            ahead = ahead[np.isfinite(ahead) & (ahead > aside)]
            if not ahead.size or t + aside + ahead.min() >= end:
                break
            t = t + aside + float(ahead.min())
            found.add(t)
        return np.array(sorted(found))

    def _of_curved(self, begin: float, end: float, p: np.ndarray) -> list[float]:
        """Return where functions that are curved in time change, by looking and halving."""
        found: list[float] = []
        if not self.curved.any():
            return found
        grid = np.linspace(begin, end, LOOKS)
        rows = np.array([self._side(t, p) for t in grid])
        for k in np.flatnonzero(self.curved):
            for i in np.flatnonzero(rows[1:, k] != rows[:-1, k]):
                a, b, before = grid[i], grid[i + 1], rows[i, k]
                while b - a > 2.0 * np.finfo(float).eps * max(abs(a), abs(b)):
                    t = 0.5 * (a + b)
                    if not a < t < b:
                        break
                    a, b = (t, b) if self._side(t, p)[k] == before else (a, t)
                if begin < b < end:
                    found.append(float(b))
        return found

    def _side(self, t: float, p: np.ndarray) -> np.ndarray:
        value = np.array(self._at(t, p)[0]).ravel()
        n = self._n_zeros
        return np.concatenate([value[:n] >= 0.0, np.floor(value[n:])])


def _of_signals(
    equations: Equations, t: casadi.SX
) -> list[tuple[StraightCode, dict[int, casadi.SX]]]:
    """Return the code of all signals and prescribed motions, where no other is at hand."""
    import casadi

    mechanism = equations.mechanism
    inventory = mechanism.inventory
    if not (inventory.signal_laws or inventory.prescribed):
        return []
    q, u, z = equations.symbols("q", "u", "z")
    motion = equations.motion(elements(q), elements(u), None, t, elements(z))
    wanted = [port for law in inventory.signal_laws for port in law.inputs]
    wanted += [port for drive in inventory.prescribed for port in drive.signals]
    wanted += [port for line in inventory.lines for port in line.signals]
    wanted += [port for force in inventory.forces for port in force.signals]
    values: list[Scalar] = []
    for port in wanted:
        with suppress(AssemblyError):  # what follows from accelerations moves nothing
            values.append(motion.signal(port))
    for drive in inventory.prescribed:
        given = [motion.signal(port) for port in drive.signals]
        values.append(drive.law(drive.p, t, *given))
    with suppress(AssemblyError):
        values += mechanism.signals.rates(motion, elements(z), t)
    column = casadi.vertcat(casadi.SX(0, 1), *map(casadi.SX, values))
    function = casadi.Function("signals", [t, q, u, z, equations.p], [column])
    return [(read_function(function), {0: t, 4: equations.p})]


def _collect(
    code: StraightCode,
    given: dict[int, casadi.SX],
    zeros: dict[str, casadi.SX],
    rounds: dict[str, casadi.SX],
) -> None:
    """Collect what changes with time alone; `given` are the arguments that are known."""
    import casadi

    known: dict[int, casadi.SX] = {}
    timed: set[int] = set()
    for value in code.find_needed():
        name, left = code.operation[value], code.left[value]
        if name == "const":
            known[value] = casadi.SX(code.constants[value])
        elif name == "input":
            if left in given:
                known[value] = given[left][code.right[value]]
                if left == 0:
                    timed.add(value)
        else:
            operands = code.operands(value)
            if not all(k in known for k in operands):
                continue
            given_by = [known[k] for k in operands]
            make = casadi.SX.unary if len(operands) == 1 else casadi.SX.binary
            known[value] = make(getattr(casadi, f"OP_{name.upper()}"), *given_by)
            if not any(k in timed for k in operands):
                continue
            timed.add(value)
            if name in ROUNDED:
                rounds.setdefault(str(given_by[0]), given_by[0])
            elif name in DIFFERENT:
                gap = given_by[0] - given_by[1]
                zeros.setdefault(str(gap), gap)
            elif name in AT_ZERO:
                zeros.setdefault(str(given_by[0]), given_by[0])
