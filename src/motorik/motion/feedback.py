"""Feedback: forces that depend on accelerations or cut forces through signals.

A reading that forces need before the accelerations are known is an unknown y. All accelerations
follow from the forces, so y = r(y), where r is what the sensors then read. Where r = c + R y is
linear, (1 − R) y = c is solved by formulas, together with the accelerations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, is_number
from motorik.components.base.contributions import Measurement
from motorik.dynamics.block_triangular import triangular_blocks
from motorik.dynamics.blocks import BY_COFACTORS, Block
from motorik.dynamics.scaling import SingularMatrixError
from motorik.dynamics.sparse import SquareFactors
from motorik.errors import AssemblyError, MissingAccelerationsError
from motorik.topology.mechanism import Mechanism

if TYPE_CHECKING:
    import casadi

    from motorik.motion.view import MotionView

Read = Callable[[], list[Scalar]]


def take_unknowns(mechanism: Mechanism) -> None:
    """Find the readings that forces need before the accelerations are known."""
    import casadi

    from motorik.motion.view import MotionView

    inventory = mechanism.inventory
    takers = (*inventory.lines, *inventory.forces)
    ports = [port for taker in takers for port in taker.signals]
    if not ports or not inventory.measurements:
        return
    sizes = mechanism.n_q, mechanism.n_u, len(mechanism.signals.states), 1
    q, u, z, t = (casadi.SX.sym(name, n) for name, n in zip("quzt", sizes, strict=True))
    given = mechanism, _split(q), _split(u), None, t, _split(z)
    view = MotionView(*given, is_cut=True)
    for port in ports:
        view.signal(port)


class UnknownReadings:
    """Readings while accelerations are not known: those that need them are unknowns."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.unknowns = mechanism.signals.unknowns

    def reading(self, sensor: Measurement, count: int, read: Read) -> list[Scalar]:
        """Return what a sensor reads, or its unknowns."""
        if id(sensor) not in self.unknowns:
            try:
                return read()
            except MissingAccelerationsError:
                self.unknowns[id(sensor)] = sensor, _named(sensor, count)
        return list(self.unknowns[id(sensor)][1])


class SolvedReadings:
    """Readings while accelerations are known: those that depend on themselves are solved."""

    def __init__(self, motion: MotionView) -> None:
        self.motion = motion
        self.solved: dict[int, list[Scalar]] = {}

    def reading(self, sensor: Measurement, count: int, read: Read) -> list[Scalar]:
        """Return what a sensor reads."""
        unknowns = self.motion.mechanism.signals.unknowns
        if id(sensor) not in unknowns:
            return read()
        if id(sensor) not in self.solved:
            symbols = unknowns[id(sensor)][1]
            found = closed(self.motion.with_unknowns(), symbols)
            self.solved[id(sensor)] = found
        return self.solved[id(sensor)]


def closed(motion: MotionView, values: Sequence[Scalar]) -> list[Scalar]:
    """Return values with the unknown readings of a motion replaced by what is read in it."""
    import casadi

    column = casadi.SX(casadi.vertcat(*values))
    sensors, read = _readings(motion, column)
    if not sensors:
        return list(values)
    unknowns = motion.mechanism.signals.unknowns
    y = casadi.vertcat(*(s for sensor in sensors for s in unknowns[id(sensor)][1]))
    found = _solved(sensors, y, casadi.SX(casadi.vertcat(*read)))
    return casadi.vertsplit(casadi.substitute(column, y, found))


def _readings(
    motion: MotionView, column: casadi.SX
) -> tuple[list[Measurement], list[Scalar]]:
    """Return the sensors that values follow from, one after another, and what they read."""
    sensors: list[Measurement] = []
    read: list[Scalar] = []
    rest = [column]
    while rest:
        now = rest.pop()
        for sensor, symbols in list(motion.mechanism.signals.unknowns.values()):
            if sensor not in sensors and _depends(now, symbols):
                sensors.append(sensor)
                own = [*sensor.reading(motion)]
                read += own
                rest.append(_column(own))
    return sensors, read


def _column(values: Sequence[Scalar]) -> casadi.SX:
    import casadi

    return casadi.SX(casadi.vertcat(*values))


def _depends(column: casadi.SX, symbols: Sequence[Scalar]) -> bool:
    import casadi

    return casadi.depends_on(column, casadi.vertcat(*symbols))


def _solved(sensors: Sequence[Measurement], y: casadi.SX, r: casadi.SX) -> casadi.SX:
    """Return y of y = r(y)."""
    import casadi

    n = y.numel()
    if any(casadi.which_depends(r, y, 2, True)):
        _refuse(
            sensors,
            "the force is no linear function of what is measured",
            "Make the law linear, or put a FirstOrder block between the sensor and what it acts on",
        )
    A = casadi.densify(casadi.SX.eye(n) - casadi.jacobian(r, y))
    c = casadi.vertsplit(casadi.substitute(r, y, casadi.SX.zeros(n, 1)))
    entries = {
        (i, j): _folded(A[i, j])
        for i in range(n)
        for j in range(n)
        if not A[i, j].is_zero()
    }
    try:
        factors = SquareFactors(entries, _blocks(n, entries))
    except (SingularMatrixError, ZeroDivisionError):
        _refuse_singular(sensors)
        raise
    if is_number(factors.determinant) and factors.determinant == 0.0:
        _refuse_singular(sensors)
    return casadi.SX(casadi.vertcat(*factors.solve(c)))


def _blocks(n: int, entries: dict[tuple[int, int], Scalar]) -> list[Block]:
    pattern = np.zeros((n, n), dtype=bool)
    for place in entries:
        pattern[place] = True
    blocks = []
    for rows, columns in triangular_blocks(pattern):
        pairs = tuple(zip(rows, columns, strict=True))
        sound = len(rows) <= BY_COFACTORS
        blocks.append(Block(tuple(rows), tuple(columns), pairs, sound))
    return blocks


def _refuse_singular(sensors: Sequence[Measurement]) -> None:
    _refuse(
        sensors,
        "what is measured cancels out, whatever it is, so nothing determines it",
        "Change a gain, or put a FirstOrder block between the sensor and what it acts on",
    )


def _refuse(sensors: Sequence[Measurement], reason: str, remedy: str) -> None:
    names = ", ".join(dict.fromkeys(sensor.part.path for sensor in sensors))
    raise AssemblyError(
        sensors[0].part.path,
        f"a force depends on accelerations or forces that it causes itself ({names}), and "
        f"{reason}.",
        f"{remedy}.",
    )


def _named(sensor: Measurement, count: int) -> list[Scalar]:
    import casadi

    return _split(casadi.SX.sym(sensor.part.path, count))


def _split(symbols: casadi.SX) -> list[Scalar]:
    import casadi

    return casadi.vertsplit(symbols) if symbols.numel() else []


def _folded(value: casadi.SX) -> Scalar:
    return float(value) if value.is_constant() else value
