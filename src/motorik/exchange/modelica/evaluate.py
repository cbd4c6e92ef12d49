"""Evaluation: the value of a parsed expression, in a scope of names."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Protocol

import numpy as np

from motorik.algebra.scalar import is_symbol, where
from motorik.components.base.values import Parameter
from motorik.errors import suggest
from motorik.exchange.modelica import arrays, expressions
from motorik.exchange.modelica.arrays import Value
from motorik.exchange.modelica.errors import (
    ExpressionError,
    MissingFeatureError,
    ModelicaError,
)
from motorik.exchange.modelica.functions import (
    FUNCTIONS,
    WITH_NAMES,
    find_constant,
    find_function,
)
from motorik.exchange.modelica.parser import parse

Step = tuple[str, tuple[Value, ...]]
ENUMERATIONS = ("StateSelect", "AssertionLevel")


class Scope(Protocol):
    """The values of names."""

    def value_of(self, steps: tuple[Step, ...]) -> Value | None:
        """Return the value of a dotted name, each step with its subscripts; None if unknown."""
        ...

    def known_names(self) -> list[str]:
        """Return the names that can be used, for messages."""
        ...


class NoNames:
    """The scope of an expression that may use constants alone."""

    def value_of(self, steps: tuple[Step, ...]) -> Value | None:
        """Return None: there are no names."""
        return None

    def known_names(self) -> list[str]:
        """Return no names."""
        return []


def evaluate(text: str, scope: Scope | None = None) -> Value:
    """Return the value of an expression; arrays are nested tuples.

    Only the functions of `functions` can be called, and only names of the scope and Modelica's
    constants have values: no text can make anything else run.

    >>> evaluate("{1, 2, 3} * {0, 1, 0} + 2^3")
    10.0
    """
    try:
        return Evaluation(text, scope or NoNames()).value(parse(text))
    except RecursionError:
        raise ExpressionError("is nested too deeply.", text, 0) from None


class Evaluation:
    """The evaluation of one expression; errors show their place in its text."""

    def __init__(self, text: str, scope: Scope) -> None:
        self.text = text
        self.scope = scope
        self.whole: expressions.Expression | None = None

    def value(self, tree: expressions.Expression) -> Value:
        """Return the value of a tree."""
        self.whole = self.whole or tree
        try:
            return self._compute(tree)
        except ModelicaError:
            raise
        except ZeroDivisionError:
            raise self._error("division by zero", tree) from None
        except OverflowError:
            raise self._error("the number becomes too large", tree) from None
        except (ValueError, ArithmeticError) as error:
            raise self._error(str(error), tree) from None

    def _error(
        self, why: str, tree: expressions.Expression, remedy: str = ""
    ) -> ExpressionError:
        return ExpressionError(f"{why}.", self.text, tree.position, remedy)

    def _compute(self, tree: expressions.Expression) -> Value:
        if isinstance(
            tree, (expressions.NumberLiteral, expressions.Truth, expressions.StringLiteral)
        ):
            return tree.value
        if isinstance(tree, expressions.Name):
            return self._name(tree)
        if isinstance(tree, expressions.Array):
            return arrays.check_regular(tuple(self.value(item) for item in tree.items))
        if isinstance(tree, expressions.Unary):
            return self._unary(tree)
        if isinstance(tree, expressions.Binary):
            return self._binary(tree)
        if isinstance(tree, expressions.FunctionCall):
            return self._call(tree)
        if isinstance(tree, expressions.IfExpression):
            return self._choice(tree)
        return self._range(tree)

    # --- kinds of trees ----------------------------------------------------------------------

    def _name(self, tree: expressions.Name) -> Value:
        steps = tuple(
            (segment.name, tuple(self.subscript(s) for s in segment.subscripts))
            for segment in tree.segments
        )
        value = self.scope.value_of(steps)
        if value is None and not any(subscripts for _, subscripts in steps):
            value = find_constant(tree.dotted)
            if value is None and _is_enumeration(tree.dotted):
                value = tree.dotted
        if value is None:
            raise self._error(
                f"{tree.dotted!r} is not known",
                tree,
                suggest(tree.segments[0].name, self.scope.known_names()),
            )
        if isinstance(value, Parameter) and tree is not self.whole:
            raise MissingFeatureError(
                tree.dotted, f"a parameter with fixed = false in {self.text!r}"
            )
        return value

    def subscript(self, tree: expressions.Expression) -> Value:
        """Return the value of a subscript; None for `:`, which means all."""
        if isinstance(tree, expressions.Range) and tree.first is None:
            return None
        return self.value(tree)

    def _range(self, tree: expressions.Range) -> Value:
        if tree.first is None or tree.last is None:
            raise self._error("':' stands alone only in a subscript", tree)
        step = 1 if tree.step is None else self.value(tree.step)
        return arrays.count_up(self.value(tree.first), step, self.value(tree.last))

    def _choice(self, tree: expressions.IfExpression) -> Value:
        condition = self._truth(tree.condition)
        if isinstance(condition, bool):
            return self.value(tree.chosen if condition else tree.other)
        chosen, other = self.value(tree.chosen), self.value(tree.other)
        return arrays.each(lambda a, b: where(condition, a, b), chosen, other)

    def _unary(self, tree: expressions.Unary) -> Value:
        if tree.operator == "not":
            truth = self._truth(tree.operand)
            return not truth if isinstance(truth, bool) else where(truth, False, True)
        value = self.value(tree.operand)
        return arrays.each(arrays.negative if tree.operator == "-" else _number, value)

    def _binary(self, tree: expressions.Binary) -> Value:
        if tree.operator in ("and", "or"):
            left, ends = self._truth(tree.left), tree.operator == "or"
            if isinstance(left, bool):
                return left if left is ends else self._truth(tree.right)
            right = self._truth(tree.right)
            return where(left, True, right) if ends else where(left, right, False)
        return OPERATORS[tree.operator](self.value(tree.left), self.value(tree.right))

    def _truth(self, tree: expressions.Expression) -> Value:
        """Return a truth value, of one instant or of many, or the symbol of one."""
        value = self.value(tree)
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        if is_symbol(value) or (isinstance(value, np.ndarray) and value.dtype == bool):
            return value
        raise self._error(f"{value!r} is neither true nor false", tree)

    def _call(self, tree: expressions.FunctionCall) -> Value:
        function = find_function(tree.function)
        if function is None:
            raise self._error(
                f"function {tree.function!r} is not known",
                tree,
                suggest(tree.function.split(".")[-1], FUNCTIONS),
            )
        if tree.named and function not in WITH_NAMES:
            raise self._error(f"{tree.function} takes no named arguments", tree)
        arguments = [self.value(argument) for argument in tree.arguments]
        named = {name: self.value(argument) for name, argument in tree.named}
        try:
            return function(*arguments, **named)
        except (TypeError, IndexError):
            shown = ", ".join(map(repr, arguments))
            raise self._error(f"{tree.function}({shown}) is not defined", tree) from None


def _number(scalar: Value) -> Value:
    arrays.negative(scalar)
    return scalar


def _is_enumeration(dotted: str) -> bool:
    first, *rest = dotted.split(".")
    return bool(rest) and (first in ENUMERATIONS or "Types" in (first, *rest[:-1]))


def _compared(function: Callable[[Value, Value], bool]) -> Callable[[Value, Value], bool]:
    def compare(a: Value, b: Value) -> bool:
        if isinstance(a, tuple) or isinstance(b, tuple):
            raise ValueError("arrays cannot be compared")
        if isinstance(a, str) and isinstance(b, str):
            a, b = a.split(".")[-1], b.split(".")[-1]
        elif isinstance(a, (str, bool)) is not isinstance(b, (str, bool)):
            raise ValueError(f"{a!r} and {b!r} cannot be compared")
        return function(a, b)

    return compare


OPERATORS: dict[str, Callable[[Value, Value], Value]] = {
    "+": arrays.add,
    "-": arrays.subtract,
    "*": arrays.multiply,
    "/": arrays.divide,
    "^": arrays.power,
    ".+": lambda a, b: arrays.each(arrays.scalar_sum, a, b),
    ".-": lambda a, b: arrays.each(arrays.scalar_difference, a, b),
    ".*": lambda a, b: arrays.each(arrays.scalar_product, a, b),
    "./": lambda a, b: arrays.each(arrays.scalar_quotient, a, b),
    ".^": lambda a, b: arrays.each(arrays.scalar_power, a, b),
    "<": _compared(operator.lt),
    "<=": _compared(operator.le),
    ">": _compared(operator.gt),
    ">=": _compared(operator.ge),
    "==": _compared(operator.eq),
    "<>": _compared(operator.ne),
}
