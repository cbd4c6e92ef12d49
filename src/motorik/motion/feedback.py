"""Algebraic loops: forces that depend on accelerations or cut forces through signals.

A sensor value that forces read before the accelerations are known is a tearing variable y. All
accelerations follow from the forces, so y = r(y), where r is the sensor value that results.
Where r = c + R y is linear, (1 − R) y = c is solved by formulas, together with the
accelerations; else Newton's method solves it within the evaluation, starting at r(0).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, is_number, is_structural
from motorik.components.base.contributions import Measurement
from motorik.dynamics.block_triangular import BY_COFACTORS, MatrixBlock, triangular_blocks
from motorik.dynamics.scaling import SingularMatrixError
from motorik.dynamics.sparse import SquareFactors
from motorik.errors import AssemblyError, MissingAccelerationsError
from motorik.immutable import immutable
from motorik.numerics.traced_newton import seen_by, solve_newton
from motorik.topology.mechanism import Mechanism

if TYPE_CHECKING:
    import casadi

    from motorik.motion.view import MotionView

Read = Callable[[], list[Scalar]]


def find_tearing_variables(mechanism: Mechanism) -> None:
    """Find the sensor values that forces read before accelerations are known."""
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


class TearingVariables:
    """Sensor values before accelerations are known: those that need them are symbols."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.unknowns = mechanism.signals.unknowns

    def reading(self, sensor: Measurement, count: int, read: Read) -> list[Scalar]:
        """Return the value of a sensor, or its tearing variables."""
        if id(sensor) not in self.unknowns:
            try:
                return read()
            except MissingAccelerationsError:
                self.unknowns[id(sensor)] = sensor, _named(sensor, count)
        return list(self.unknowns[id(sensor)][1])


class SolvedAlgebraicLoop:
    """Sensor values with known accelerations: algebraic loops are solved."""

    def __init__(self, motion: MotionView) -> None:
        self.motion = motion
        self.solved: dict[int, list[Scalar]] = {}

    def reading(self, sensor: Measurement, count: int, read: Read) -> list[Scalar]:
        """Return the value of a sensor."""
        unknowns = self.motion.mechanism.signals.unknowns
        if id(sensor) not in unknowns:
            return read()
        if id(sensor) not in self.solved:
            symbols = unknowns[id(sensor)][1]
            found = closed(self.motion.with_unknowns(), symbols)
            self.solved[id(sensor)] = found
        return self.solved[id(sensor)]


@immutable
class AlgebraicLoop:
    """Tearing variables y = r(y): sensors, symbols y, and the values r.

    `names` are those of the signals.
    """

    sensors: list[Measurement]
    y: list[Scalar]
    r: list[Scalar]
    names: list[str]

    @property
    def symbols(self) -> casadi.SX:
        """The tearing variables y as a column."""
        return _column(self.y)

    @property
    def readings(self) -> casadi.SX:
        """The sensor values r(y) as a column."""
        return _column(self.r)

    @property
    def is_nonlinear(self) -> bool:
        """Whether r is nonlinear in y."""
        import casadi

        return any(casadi.which_depends(self.readings, self.symbols, 2, True))

    def solved(self) -> list[Scalar]:
        """Return y of y = r(y)."""
        y, r = self.symbols, self.readings
        if self.is_nonlinear:
            return solve_newton(r, y, solve_square)
        return _solved_linearly(self.sensors, y, r)


def closed(motion: MotionView, values: Sequence[Scalar]) -> list[Scalar]:
    """Return values with the tearing variables of a motion replaced by the sensor values."""
    column = _column(values)
    found = algebraic_loop_in(motion, column)
    if not found.y:
        return list(values)
    return seen_by(column, found.symbols)(found.solved())


def algebraic_loop_in(motion: MotionView, column: casadi.SX) -> AlgebraicLoop:
    """Return the algebraic loop that values depend on, in order of evaluation."""
    import casadi

    found = AlgebraicLoop([], [], [], [])
    read: dict[int, list[Scalar]] = {}
    rest = [column]
    while rest:
        seen = {symbol.element_hash() for symbol in casadi.symvar(rest.pop())}
        for sensor, symbols in list(motion.mechanism.signals.unknowns.values()):
            for k, symbol in enumerate(symbols):
                if symbol.element_hash() not in seen or _is_in(found.y, symbol):
                    continue
                if id(sensor) not in read:
                    read[id(sensor)] = [*sensor.reading(motion)]
                found.sensors.append(sensor)
                found.y.append(symbol)
                found.names.append(sensor.outputs[k].path)
                found.r.append(read[id(sensor)][k])
                rest.append(_column([read[id(sensor)][k]]))
    return found


def _is_in(symbols: Sequence[Scalar], symbol: Scalar) -> bool:
    return any(symbol.element_hash() == own.element_hash() for own in symbols)


def _column(values: Sequence[Scalar]) -> casadi.SX:
    import casadi

    return casadi.SX(casadi.vertcat(*values))


def _solved_linearly(
    sensors: Sequence[Measurement], y: casadi.SX, r: casadi.SX
) -> list[Scalar]:
    """Return y of y = c + R y."""
    import casadi

    n = y.numel()
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
    return factors.solve(c)


def square_factors(entries: dict[tuple[int, int], Scalar], n: int) -> SquareFactors:
    """Return the factors of a square system of n equations by its entries."""
    present = {place: v for place, v in entries.items() if not is_structural(v, 0.0)}
    return SquareFactors(present, _blocks(n, present))


def solve_square(
    entries: dict[tuple[int, int], Scalar], right: Sequence[Scalar]
) -> list[Scalar]:
    """Return x of a square system by its entries."""
    return square_factors(entries, len(right)).solve(right)


def _blocks(n: int, entries: dict[tuple[int, int], Scalar]) -> list[MatrixBlock]:
    pattern = np.zeros((n, n), dtype=bool)
    for place in entries:
        pattern[place] = True
    blocks = []
    for rows, columns in triangular_blocks(pattern):
        pairs = tuple(zip(rows, columns, strict=True))
        sound = len(rows) <= BY_COFACTORS
        blocks.append(MatrixBlock(tuple(rows), tuple(columns), pairs, sound))
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
