"""EquationTemplate: one equation, traced once for all parts that have it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import (
    Scalar,
    add,
    cos,
    div,
    exp,
    is_number,
    mul,
    neg,
    sin,
    sqrt,
    sub,
)
from motorik.equations.language import rate_along

if TYPE_CHECKING:
    import casadi

Local = tuple[str, int]
"""A quantity of a part within its equations: its name, and how often it is differentiated."""


def as_scalar(value: casadi.SX | casadi.DM) -> Scalar:
    """Return one value of CasADi as a number, if it is one; several as an array."""
    if value.numel() != 1:
        return np.array(value).ravel()
    return float(value) if value.is_constant() else value


def rows(values: Sequence[Scalar]) -> list[Scalar]:
    """Return values as CasADi takes them: arrays as rows, one column for each sample."""
    return [v.reshape(1, -1) if isinstance(v, np.ndarray) else v for v in values]


def compared_differences(value: casadi.SX) -> list[casadi.SX]:
    """Return a − b of all comparisons of a with b in an expression, and the arguments of steps."""
    import casadi

    compared = casadi.OP_LT, casadi.OP_LE, casadi.OP_EQ, casadi.OP_NE
    stepped = casadi.OP_SIGN, casadi.OP_FLOOR, casadi.OP_CEIL
    found: list[casadi.SX] = []
    seen: set[int] = set()
    stack = [value]
    while stack:
        node = stack.pop()
        if node.element_hash() in seen or node.is_constant() or node.is_symbolic():
            continue
        seen.add(node.element_hash())
        stack += [node.dep(k) for k in range(node.n_dep())]
        if node.op() in compared:
            found.append(node.dep(0) - node.dep(1))
        elif node.op() in stepped:
            found.append(node.dep(0))
    return found


class Symbols:
    """The symbols in which the equations of a part are traced, by name and derivative.

    Unknowns have derivatives, parameters have none, time has the derivative 1.
    """

    def __init__(self) -> None:
        self._unknowns: dict[Local, casadi.SX] = {}
        self._parameters: dict[str, casadi.SX] = {}
        self._known: dict[int, Local | str] = {}

    def unknown(self, name: str, order: int = 0) -> casadi.SX:
        """Return the symbol of an unknown or of a derivative of it."""
        return self._made(self._unknowns, (name, order), f"{name}{chr(39) * order}")

    def parameter(self, name: str) -> casadi.SX:
        """Return the symbol of a parameter."""
        return self._made(self._parameters, name, name)

    @cached_property
    def time(self) -> casadi.SX:
        """The symbol of time."""
        return self.parameter("time")

    def _made(self, table: dict, key: Local | str, label: str) -> casadi.SX:
        if key not in table:
            import casadi

            table[key] = casadi.SX.sym(label)
            self._known[table[key].element_hash()] = key
        return table[key]

    def adopt(self, value: casadi.SX) -> dict[str, casadi.SX]:
        """Take symbols of an expression that are not known yet as parameters; return them."""
        import casadi

        found: dict[str, casadi.SX] = {}
        for symbol in casadi.symvar(value):
            if symbol.element_hash() not in self._known:
                name = f"#{len(self._parameters)}"
                self._parameters[name] = found[name] = symbol
                self._known[symbol.element_hash()] = name
        return found

    def read_by(self, value: casadi.SX) -> tuple[list[Local], list[str]]:
        """Return the unknowns and the parameters that an expression contains, in fixed order."""
        import casadi

        keys = [self._known[s.element_hash()] for s in casadi.symvar(value)]
        unknowns = sorted(key for key in keys if isinstance(key, tuple))
        return unknowns, sorted(key for key in keys if isinstance(key, str))

    def rate(self, x: Scalar) -> Scalar:
        """Return the time derivative of an expression."""
        import casadi

        if is_number(x):
            return 0.0
        value = casadi.SX(x)
        unknowns, parameters = self.read_by(value)
        if value.is_symbolic() and unknowns:
            ((name, order),) = unknowns
            return self.unknown(name, order + 1)
        symbols = [self.unknown(*own) for own in unknowns]
        rates = [self.unknown(name, order + 1) for name, order in unknowns]
        if "time" in parameters:
            symbols.append(self.time)
            rates.append(casadi.SX(1.0))
        return rate_along(value, symbols, rates)


LONGEST = 40  # instructions of a function that Python runs faster than CasADi calls it


class ScalarProgram:
    """A short function as instructions that run on scalars of any kind.

    Structural zeros and ones are folded as they are met, so an equation with a quantity that is
    zero costs nothing for it.
    """

    def __init__(
        self, steps: list[tuple[int, int, tuple[int, ...], float]], size: int
    ) -> None:
        self.steps, self.size = steps, size

    @staticmethod
    def of(function: casadi.Function) -> ScalarProgram | None:
        """Return a function of scalars to a scalar as a program, None if it is too long."""
        import casadi

        if function.n_instructions() > LONGEST + function.n_in():
            return None
        steps: list[tuple[int, int, tuple[int, ...], float]] = []
        for k in range(function.n_instructions()):
            op, taken = function.instruction_id(k), tuple(function.instruction_input(k))
            given = tuple(function.instruction_output(k))
            if op == casadi.OP_CONST:
                steps.append((op, given[0], (), float(function.instruction_constant(k))))
            elif op == casadi.OP_INPUT:
                steps.append((op, given[0], taken[:1], 0.0))
            elif op == casadi.OP_OUTPUT:
                steps.append((op, -1, taken[:1], 0.0))
            elif op in _operations():
                steps.append((op, given[0], taken, 0.0))
            else:
                return None
        return ScalarProgram(steps, function.sz_w())

    def run(self, given: Sequence[Scalar]) -> Scalar:
        """Return the value for these arguments."""
        operations = _operations()
        work: list[Scalar] = [0.0] * self.size
        result: Scalar = 0.0
        for op, place, taken, constant in self.steps:
            kind = operations.get(op)
            if kind is not None:
                work[place] = kind(*(work[k] for k in taken))
            elif not taken:
                work[place] = constant
            elif place >= 0:
                work[place] = given[taken[0]]
            else:
                result = work[taken[0]]
        return result


@cache
def _operations() -> dict[int, Callable[..., Scalar]]:
    """Return the operations that programs run, by CasADi's numbers."""
    import casadi

    return {
        casadi.OP_ADD: add,
        casadi.OP_SUB: sub,
        casadi.OP_MUL: mul,
        casadi.OP_DIV: div,
        casadi.OP_NEG: neg,
        casadi.OP_SQ: lambda a: mul(a, a),
        casadi.OP_TWICE: lambda a: mul(2.0, a),
        casadi.OP_INV: lambda a: div(1.0, a),
        casadi.OP_ASSIGN: lambda a: a,
        casadi.OP_SIN: sin,
        casadi.OP_COS: cos,
        casadi.OP_EXP: exp,
        casadi.OP_SQRT: sqrt,
    }


class EquationTemplate:
    """A residual of unknowns, parameters and time, with its gradients.

    `unknowns` are the quantities that it contains, `parameters` the names of its parameters, time
    among them. `coefficients` are its constant gradients where all are constant, with `constant`.
    """

    def __init__(self, residual: casadi.SX, symbols: Symbols) -> None:
        self.residual, self.symbols = residual, symbols
        self.unknowns, self.parameters = symbols.read_by(residual)

    @cached_property
    def gradients(self) -> list[Scalar]:
        """The partial derivatives by the unknowns; constant ones are numbers."""
        import casadi

        if not self.unknowns:
            return []
        column = casadi.vertcat(*(self.symbols.unknown(*own) for own in self.unknowns))
        found = casadi.gradient(self.residual, column)
        return [as_scalar(found[k]) for k in range(len(self.unknowns))]

    @cached_property
    def curvature(self) -> list[frozenset[int]]:
        """For each unknown the numbers of the unknowns that its gradient depends on."""
        place = {own: k for k, own in enumerate(self.unknowns)}
        found: list[frozenset[int]] = []
        for gradient in self.gradients:
            own = [] if is_number(gradient) else self.symbols.read_by(gradient)[0]
            found.append(frozenset(place[one] for one in own))
        return found

    @cached_property
    def switching(self) -> frozenset[int]:
        """The numbers of the unknowns that comparisons in it depend on.

        Where the branches of a comparison are constant, no gradient shows these unknowns.
        """
        compared = compared_differences(self.residual)
        if not compared:
            return frozenset()
        import casadi

        read = self.symbols.read_by(casadi.vertcat(*compared))[0]
        return frozenset(k for k, own in enumerate(self.unknowns) if own in read)

    @cached_property
    def varies(self) -> list[bool]:
        """For each unknown whether its gradient depends on unknowns or on time."""
        return [
            not is_number(g) and (bool(c) or "time" in self.symbols.read_by(g)[1])
            for g, c in zip(self.gradients, self.curvature, strict=True)
        ]

    @cached_property
    def coefficients(self) -> tuple[list[float], float] | None:
        """Constant gradients and the constant of an affine equation in numbers, else None."""
        import casadi

        is_linear = all(map(is_number, self.gradients)) and not self.switching
        if self.parameters or not is_linear:
            return None
        zeros = [casadi.SX(0.0)] * len(self.unknowns)
        (constant,) = self._function.call(zeros)
        return [float(g) for g in self.gradients], float(constant)

    @cached_property
    def arguments(self) -> list[casadi.SX]:
        """The symbols of its unknowns and then of its parameters."""
        unknowns = [self.symbols.unknown(*own) for own in self.unknowns]
        return [*unknowns, *map(self.symbols.parameter, self.parameters)]

    @cached_property
    def _function(self) -> casadi.Function:
        import casadi

        return casadi.Function("residual", self.arguments, [self.residual])

    @cached_property
    def _gradient_functions(self) -> list[casadi.Function | None]:
        import casadi

        return [
            None if is_number(g) else casadi.Function("gradient", self.arguments, [g])
            for g in self.gradients
        ]

    @cached_property
    def _program(self) -> ScalarProgram | None:
        return ScalarProgram.of(self._function)

    @cached_property
    def _gradient_programs(self) -> list[ScalarProgram | None]:
        return [
            None if own is None else ScalarProgram.of(own)
            for own in self._gradient_functions
        ]

    def value(self, unknowns: Sequence[Scalar], parameters: Sequence[Scalar]) -> Scalar:
        """Return the residual."""
        if self.coefficients is not None:
            factors, total = self.coefficients
            for factor, x in zip(factors, unknowns, strict=True):
                total = add(total, mul(factor, x))
            return total
        if self._program is not None:
            return self._program.run([*unknowns, *parameters])
        return as_scalar(self._function(*rows(unknowns), *rows(parameters)))

    def gradient(
        self, k: int, unknowns: Sequence[Scalar], parameters: Sequence[Scalar]
    ) -> Scalar:
        """Return the partial derivative by the k-th unknown."""
        function = self._gradient_functions[k]
        if function is None:
            return float(self.gradients[k])
        program = self._gradient_programs[k]
        if program is not None:
            return program.run([*unknowns, *parameters])
        return as_scalar(function(*rows(unknowns), *rows(parameters)))

    @cached_property
    def differentiated(self) -> EquationTemplate:
        """The time derivative of the equation."""
        import casadi

        return EquationTemplate(casadi.SX(self.symbols.rate(self.residual)), self.symbols)


class Template:
    """The equations of one kind of part, its start equations, and quantities that follow."""

    def __init__(
        self,
        symbols: Symbols,
        equations: Sequence[casadi.SX],
        start_equations: Sequence[casadi.SX] = (),
        quantities: Mapping[str, casadi.SX] | None = None,
    ) -> None:
        self.symbols = symbols
        self.equations = [EquationTemplate(one, symbols) for one in equations]
        self.start_equations = [EquationTemplate(one, symbols) for one in start_equations]
        own = (quantities or {}).items()
        self.quantities = {name: EquationTemplate(one, symbols) for name, one in own}
