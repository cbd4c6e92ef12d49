"""Newton's method in straight-line code: a fixed number of steps, written one after another.

Its result depends on its arguments alone, so derivatives, lanes and threads need nothing of
their own. Terms that do not depend on the unknowns are computed once. An iteration that has not
settled after its last step gives no number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from motorik.algebra.scalar import Scalar, add, div, mul, where
from motorik.numerics.tolerances import TRACED_ROUNDING, TRACED_STEP

if TYPE_CHECKING:
    import casadi

STEPS = 20
PARTS = (0.125, 0.5, 1.0)  # of a step: the largest that brings residuals down is taken

Operation: TypeAlias = "int | tuple[casadi.Function, int]"
"""An operation of CasADi, or a called function and the number of its result."""

Solver = Callable[[dict[tuple[int, int], Scalar], Sequence[Scalar]], list[Scalar]]
"""Solves a square system given by its entries and its right-hand side."""


def seen_by(column: casadi.SX, y: casadi.SX) -> Callable[[Sequence[Scalar]], list[Scalar]]:
    """Return values as a function of symbols y; what does not depend on them stays as it is."""
    import casadi

    own = {s.element_hash() for s in casadi.vertsplit(y)}
    others = [s for s in casadi.symvar(column) if s.element_hash() not in own]
    known: list[casadi.SX] = []
    function = casadi.Function("seen", [y], [column]) if not others else None
    if function is None:
        reduced, symbols, values = casadi.extract_parametric(
            column, casadi.vertcat(*others)
        )
        given = casadi.SX(casadi.vertcat(*others, *symbols))
        function = casadi.Function("seen", [y, given], [reduced])
        known = [casadi.SX(casadi.vertcat(*others, *values))]

    def seen(values: Sequence[Scalar]) -> list[Scalar]:
        found = function(casadi.SX(casadi.vertcat(*values)), *known)
        split = casadi.vertsplit(casadi.densify(found)) if found.numel() else []
        return [float(v) if v.is_constant() else v for v in split]

    return seen


def flattened(column: casadi.SX, y: casadi.SX) -> tuple[casadi.SX, casadi.SX]:
    """Return values in which all that is affine is written c + Σ cⱼ yⱼ + Σ dₖ vₖ, and their sizes.

    A size is the sum of the absolute values of all these terms, of which rounding is a part.
    The vₖ are the nonlinear operations on the way, such as a root or a product of two values that
    depend on y, each of arguments that are affine in y and in those before. A nonlinear law of a
    force that acts through a whole mechanism then depends on y by these few terms alone.
    """
    import casadi

    own = {s.element_hash() for s in casadi.vertsplit(y)}
    others = [s for s in casadi.symvar(column) if s.element_hash() not in own]
    given = casadi.vertcat(casadi.SX(0, 1), *others)
    walk = _Walk(casadi.Function("walk", [y, given], [casadi.densify(column)]), y, given)
    if not walk.nonlinear:
        return column, casadi.fabs(column)
    n, symbols = column.numel(), casadi.SX(casadi.vertcat(y, *walk.symbols))
    nodes = casadi.SX(casadi.vertcat(*walk.affine))
    at_zero = casadi.substitute(nodes, symbols, casadi.SX.zeros(*symbols.shape))
    slopes = casadi.SX(casadi.jacobian(nodes, symbols))
    flat = at_zero + casadi.mtimes(slopes, symbols)
    sizes = casadi.fabs(at_zero[-n:]) + casadi.mtimes(
        casadi.fabs(slopes[-n:, :]), casadi.fabs(symbols)
    )
    rest = iter(casadi.vertsplit(casadi.vertcat(flat, sizes)))
    found: list[casadi.SX] = []
    for op, operands in walk.nonlinear:
        taken = [next(rest) if is_affine else value for is_affine, value in operands]
        found.append(_made(op, taken))
    whole = casadi.SX(casadi.vertcat(*found, *rest))
    for symbol, k in zip(walk.symbols, range(len(found)), strict=True):
        whole = casadi.substitute(whole, symbol, whole[k])
    return whole[len(found) : len(found) + n], whole[len(found) + n :]


class _Walk:
    """The operations of a function of (y, others), those that are nonlinear in y as new symbols.

    `nonlinear` are these operations with their operands, and whether each depends on y; `affine`
    are all operands that do, and then what the function gives.
    """

    def __init__(self, function: casadi.Function, y: casadi.SX, given: casadi.SX) -> None:
        import casadi

        self.nonlinear: list[tuple[Operation, list[tuple[bool, casadi.SX]]]] = []
        self.symbols: list[casadi.SX] = []
        self.affine: list[casadi.SX] = []
        values: dict[int, casadi.SX] = {}
        moves: dict[int, bool] = {}  # of each place whether it depends on y
        outputs: dict[int, casadi.SX] = {}
        for k in range(function.n_instructions()):
            op, taken = function.instruction_id(k), function.instruction_input(k)
            if op == casadi.OP_OUTPUT:
                outputs[function.instruction_output(k)[1]] = values[taken[0]]
                continue
            if op == casadi.OP_CALL:  # of a table, which has one argument
                operands = [(moves[taken[0]], values[taken[0]])]
                called = function.instructions_sx()[k].which_function()
                for number, place in enumerate(function.instruction_output(k)):
                    if place >= 0:
                        values[place] = self._value((called, number), operands)
                        moves[place] = operands[0][0]
                continue
            (place,) = function.instruction_output(k)
            if op == casadi.OP_INPUT:
                number, entry = taken
                values[place], moves[place] = (y, given)[number].nz[entry], number == 0
            elif op == casadi.OP_CONST:
                values[place] = casadi.SX(function.instruction_constant(k))
                moves[place] = False
            else:
                operands = [(moves[i], values[i]) for i in taken]
                values[place] = self._value(op, operands)
                moves[place] = any(moving for moving, _ in operands)
        self.affine += [outputs[k] for k in sorted(outputs)]

    def _value(self, op: Operation, operands: list[tuple[bool, casadi.SX]]) -> casadi.SX:
        import casadi

        if _is_affine(op, [moving for moving, _ in operands]):
            return _made(op, [value for _, value in operands])
        self.nonlinear.append((op, operands))
        self.affine += [value for moving, value in operands if moving]
        self.symbols.append(casadi.SX.sym(f"v{len(self.symbols)}"))
        return self.symbols[-1]


def _is_affine(op: Operation, moving: Sequence[bool]) -> bool:
    """Return whether an operation is affine in those of its operands that depend on y."""
    import casadi

    sums = casadi.OP_ADD, casadi.OP_SUB, casadi.OP_NEG, casadi.OP_TWICE, casadi.OP_ASSIGN
    if op in sums or not any(moving):
        return True
    if op == casadi.OP_MUL:
        return not all(moving)
    return op == casadi.OP_DIV and not moving[1]


def _made(op: Operation, operands: Sequence[casadi.SX]) -> casadi.SX:
    import casadi

    if isinstance(op, tuple):
        called, number = op
        return casadi.SX(called(*operands)).nz[number]
    if op == casadi.OP_ASSIGN:
        return operands[0]
    if len(operands) == 1:
        return casadi.SX.unary(op, *operands)
    return casadi.SX.binary(op, *operands)


def solve_newton(r: casadi.SX, y: casadi.SX, solve: Solver) -> list[Scalar]:
    """Return y of y = r(y), beginning at r(0); not a number where that does not settle."""
    import casadi

    n = y.numel()
    r, terms = flattened(r, y)
    J = casadi.SX(casadi.SX.eye(n) - casadi.jacobian(r, y))
    first = seen_by(r, y)([0.0] * n)
    second = seen_by(r, y)(first)
    sizes = [_size(a, b) for a, b in zip(first, second, strict=True)]
    return _iterated(r - y, J, y, terms, first, sizes, solve)


def solve_residual(
    F: casadi.SX,
    y: casadi.SX,
    guess: Sequence[Scalar],
    nominal: Sequence[float],
    solve: Solver,
) -> list[Scalar]:
    """Return y of F(y) = 0, beginning at a guess; not a number where that does not settle.

    Residuals are compared in units of their own terms at the guess, steps with the unknowns and
    their nominal sizes.
    """
    import casadi

    F, terms = flattened(F, y)
    J = casadi.SX(casadi.jacobian(F, y))
    sizes = [_size(size, 0.0) for size in seen_by(terms, y)(list(guess))]
    # the terms of an unknown are those that a step of it is rounded with: its own size
    terms = casadi.fabs(y) + casadi.DM(list(nominal))
    return _iterated(-F, J, y, terms, list(guess), sizes, solve)


def _iterated(
    left: casadi.SX,
    J: casadi.SX,
    y: casadi.SX,
    terms: casadi.SX,
    guess: list[Scalar],
    sizes: Sequence[Scalar],
    solve: Solver,
) -> list[Scalar]:
    """Return y at which `left` vanishes; J is the gradient of −left.

    The last step must be short against y, or against the rounding of its `terms`.
    """
    import casadi

    n = y.numel()
    rows, columns = J.sparsity().get_triplet()
    places = list(zip(rows, columns, strict=True))
    both = seen_by(casadi.SX(casadi.vertcat(left, J.nz[:])), y)
    values = seen_by(left, y)
    now = guess
    step: list[Scalar] = [0.0] * n
    for _ in range(STEPS):
        here = both(now)
        entries = dict(zip(places, here[n:], strict=True))
        step = solve(entries, here[:n])
        now = _moved(values, now, step, here[:n], sizes)
    settled: Scalar = 1.0
    rounding = [mul(TRACED_ROUNDING, size) for size in seen_by(terms, y)(now)]
    for change, value, least in zip(step, now, rounding, strict=True):
        short = change * change <= TRACED_STEP**2 * mul(value, value) + least * least
        settled = mul(settled, where(short, 1.0, 0.0))
    return [where(settled > 0.5, value, float("nan")) for value in now]


def _moved(
    values: Callable[[Sequence[Scalar]], list[Scalar]],
    now: Sequence[Scalar],
    step: Sequence[Scalar],
    left: Sequence[Scalar],
    sizes: Sequence[Scalar],
) -> list[Scalar]:
    """Return unknowns moved by the largest part of a step that brings residuals down."""
    before = _squares(left, sizes)
    best = [add(a, mul(PARTS[0], s)) for a, s in zip(now, step, strict=True)]
    for part in PARTS[1:]:
        trial = [add(a, mul(part, s)) for a, s in zip(now, step, strict=True)]
        is_nearer = _squares(values(trial), sizes) <= before
        best = [where(is_nearer, a, b) for a, b in zip(trial, best, strict=True)]
    return best


def _size(first: Scalar, second: Scalar) -> Scalar:
    """Return the size that the residual of an unknown is counted in."""
    total = add(mul(first, first), mul(second, second))
    return where(total > 0.0, total, 1.0)


def _squares(left: Sequence[Scalar], sizes: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for value, size in zip(left, sizes, strict=True):
        total = add(total, div(mul(value, value), size))
    return total
