"""Formulas as data: arithmetic over named values, parsed and evaluated without executing code.

``Formula("2*length + 0.1")`` accepts numbers, names, + - * / **, the functions of
`motorik.functions`, units such as ``deg(30)`` and comparisons within `where`; nothing else. It
is evaluated on numbers, on symbols or on `Parameter`s, where the result stays live.
"""

from __future__ import annotations

import ast
import io
import math
import operator
import tokenize
from collections.abc import Callable, Mapping
from typing import Any

from motorik import functions, units
from motorik.algebra.vector import Vector
from motorik.documents.diagnostics import hint
from motorik.errors import FileFormatError

LONGEST = 2000  # characters of a formula
MOST_NODES = 500  # operations and operands in it
DEEPEST = 60  # of them within one another

FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(functions, name) for name in functions.__all__
}
FUNCTIONS |= {"asin": functions.arcsin, "acos": functions.arccos, "atan": functions.arctan}
FUNCTIONS |= {"abs": functions.fabs, "max": functions.maximum, "min": functions.minimum}
UNITS: dict[str, Any] = {
    name: getattr(units, name) for name in ("deg", "rpm", "mm", "cm", "kN")
}
CONSTANTS: dict[str, float] = {"pi": math.pi}
OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
COMPARED: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
GRAMMAR = (
    "Write numbers, names of parameters, + - * / **, and functions such as sin(x), sqrt(x) "
    "or where(a > b, x, y)."
)


class Formula:
    """One formula; `names` are the values that it needs."""

    def __init__(self, text: str) -> None:
        self.text = text
        if not isinstance(text, str) or not text.strip():
            raise _refused(text, "is empty")
        if len(text) > LONGEST:
            raise _refused(text, f"is longer than {LONGEST} characters")
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = getattr(error, "msg", None) or type(error).__name__
            raise _refused(text, f"cannot be read: {reason}") from None
        self.names: set[str] = set()
        self._count = 0
        self._check(tree, DEEPEST)
        self._tree = tree

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"

    def _check(self, node: ast.AST, depth: int) -> None:
        """Accept a node with everything in it, or raise an error."""
        self._count += 1
        if depth == 0 or self._count > MOST_NODES:
            raise _refused(self.text, "is too long or too deeply nested")
        inner: list[ast.AST] = []
        match node:
            case ast.Constant(value=bool() | int() | float()):
                pass
            case ast.Name(id=name):
                if name not in CONSTANTS:
                    self.names.add(name)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                inner = [left, right]
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                inner = [operand]
            case ast.Tuple(elts=elements) | ast.List(elts=elements) if len(elements) == 3:
                inner = [*elements]
            case ast.Subscript(value=ast.Name() as value, slice=ast.Constant(value=k)):
                if type(k) is not int or not 0 <= k <= 2:
                    raise _refused(self.text, f"has no component [{k!r}]: they are 0, 1, 2")
                inner = [value]
            case ast.Compare(left=left, ops=[op], comparators=[right]) if (
                type(op) in COMPARED
            ):
                inner = [left, right]
            case ast.Call(func=ast.Name(id=name), args=given, keywords=[]):
                if name not in FUNCTIONS and name not in UNITS:
                    known = hint(name, [*FUNCTIONS, *UNITS])
                    raise _refused(self.text, f"calls an unknown function {name!r}", known)
                if any(isinstance(one, ast.Starred) for one in given):
                    raise _refused(self.text, "has a *")
                inner = [*given]
            case _:
                raise _refused(
                    self.text, f"has a {_in_words(node)}, which is no arithmetic"
                )
        for one in inner:
            self._check(one, depth - 1)

    def value(self, values: Mapping[str, Any]) -> Any:
        """Return its value, of numbers, symbols or live parameters by name."""
        missing = sorted(self.names - values.keys() - UNITS.keys())
        if missing:
            raise _refused(
                self.text,
                f"uses {missing[0]!r}, which is not known",
                hint(missing[0], values),
            )
        try:
            found = self._value(self._tree, values)
        except FileFormatError:
            raise
        except (ArithmeticError, TypeError, ValueError, AttributeError) as error:
            reason = getattr(error, "reason", None) or error
            raise _refused(self.text, f"has no value: {reason}") from None
        for one in found if isinstance(found, tuple) else (found,):
            is_strange = isinstance(one, complex) or (
                isinstance(one, float) and not math.isfinite(one)
            )
            if is_strange:
                raise _refused(self.text, f"is {one}, which is not a finite number")
        return found

    def _value(self, node: ast.expr, values: Mapping[str, Any]) -> Any:
        match node:
            case ast.Constant(value=int() | float() as value):
                return float(value)
            case ast.Name(id=name):
                if name in values:
                    return values[name]
                return CONSTANTS[name] if name in CONSTANTS else UNITS[name]
            case ast.BinOp(left=left, op=op, right=right):
                return OPERATORS[type(op)](
                    self._value(left, values), self._value(right, values)
                )
            case ast.UnaryOp(op=op, operand=operand):
                value = self._value(operand, values)
                return -value if isinstance(op, ast.USub) else value
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                found = tuple(self._value(one, values) for one in elements)
                is_plain = all(isinstance(one, float) for one in found)
                return found if is_plain else Vector(*found)
            case ast.Subscript(value=value, slice=ast.Constant(value=int() as k)):
                found = self._value(value, values)
                return (found.xyz if isinstance(found, Vector) else found)[k]
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return COMPARED[type(op)](
                    self._value(left, values), self._value(right, values)
                )
            case ast.Call(func=ast.Name(id=name), args=given):
                function = FUNCTIONS.get(name) or UNITS[name]
                return function(*(self._value(one, values) for one in given))
        raise TypeError(f"{ast.dump(node)[:60]} is no arithmetic")

    def function(
        self, names: tuple[str, ...], values: Mapping[str, Any]
    ) -> Callable[..., Any]:
        """Return it as a function of some of its names, with values for the others."""
        missing = sorted(self.names - {*names} - values.keys() - UNITS.keys())
        if missing:
            raise _refused(
                self.text,
                f"uses {missing[0]!r}, which is not known",
                hint(missing[0], [*names, *values]),
            )
        others = {name: values[name] for name in self.names - {*names} if name in values}

        def computed(*given: object, **own: object) -> Any:
            """Return the value of the formula."""
            known = {**others, **own, **dict(zip(names, given, strict=True))}
            return self._value(self._tree, known)

        return computed


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return the text of a formula with other names, or terms, for some of its names."""
    lines = text.splitlines(keepends=True) or [""]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found: list[tuple[int, int, str]] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME and token.string in names:
                (row, begin), (_, end) = token.start, token.end
                at = starts[row - 1]
                found.append((at + begin, at + end, names[token.string]))
    except (tokenize.TokenError, SyntaxError):
        pass  # of a formula that is not complete the names so far are renamed
    for begin, end, name in reversed(found):
        text = text[:begin] + name + text[end:]
    return text


def _refused(text: object, why: str, remedy: str = GRAMMAR) -> FileFormatError:
    shown = str(text) if len(str(text)) <= 60 else f"{str(text)[:60]}…"
    return FileFormatError("", f"the formula {shown!r} {why}.", remedy, value=shown)


def _in_words(node: ast.AST) -> str:
    return {"Constant": "text", "Attribute": "dot"}.get(
        type(node).__name__, type(node).__name__.lower()
    )
