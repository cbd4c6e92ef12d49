"""Values of documents as expressions of Python, and the imports that these need."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar

from motorik import functions
from motorik.documents.classes import WINDOWS, is_public_name, window_of
from motorik.documents.formulas import CONSTANTS, UNITS, Formula
from motorik.errors import FileFormatError, MotorikError
from motorik.source_layout import Group, Named, Terms, import_line, text_literal

MATHEMATICS = frozenset(functions.__all__)
"""The functions that formulas may use, by the names of `motorik.functions`."""
Value = Any
"""A value of a document, of JSON."""
SPELLED = {
    **{"asin": "arcsin", "acos": "arccos", "atan": "arctan"},
    **{"abs": "fabs", "max": "maximum", "min": "minimum"},
}
"""Functions of formulas that `motorik.functions` calls otherwise."""
RANKS: dict[type, int] = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.Pow: 4}
SIGNS: dict[type, str] = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"},
    **{ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="},
}
UNARY = 3
ATOM = 5


class Imports:
    """The names that source imports; one that is taken is reached through its module."""

    def __init__(self, taken: Collection[str]) -> None:
        self.taken = {*taken, "self", "result"}
        self.names: dict[str, dict[str, None]] = {}
        self.modules: dict[str, None] = {}

    def name(self, module: str, name: str) -> str:
        """Return how a name of a module is written, and import it."""
        owner = next(
            (m for m, own in self.names.items() if name in own and m != module), None
        )
        if name in self.taken or owner is not None:
            top = module.partition(".")[0]
            if top in self.taken:
                raise FileFormatError(
                    name,
                    f"cannot be written: {top!r} is the name of something else.",
                    f"Give the parameter or model {top!r} another name.",
                    parameter="name",
                    value=top,
                )
            self.modules[module] = None
            return f"{module}.{name}"
        self.names.setdefault(module, {})[name] = None
        return name

    def class_of(self, name: str) -> str:
        """Return how a class of parts or values is written, by its name in documents."""
        if ":" in name:
            module, _, own = name.partition(":")
            first, dot, inner = own.partition(".")
            return self.name(module, first) + dot + inner
        window, _, own = name.rpartition(".")
        if window:
            return f"{self.name('motorik', window)}.{own}"
        if own in self.taken and is_public_name(own):
            return f"{self.name('motorik', window_of(own))}.{own}"
        return self.name("motorik", own)

    def lines(self) -> list[str]:
        """Return the import statements, sorted: the standard library first."""
        groups: dict[int, list[str]] = {0: [], 1: []}
        plain = sorted(self.modules)
        for rank in groups:
            groups[rank] += [f"import {one}" for one in plain if _rank(one) == rank]
            froms = [m for m in sorted(self.names) if _rank(m) == rank]
            groups[rank] += [import_line(m, [*self.names[m]]) for m in froms]
        blocks = ["\n".join(own) for own in groups.values() if own]
        return [] if not blocks else "\n\n".join(blocks).split("\n")


def _rank(module: str) -> int:
    return 0 if module == "math" else 1


class ExpressionWriter:
    """Writes values; `names` says how a parameter is written, `imports` grow."""

    def __init__(self, imports: Imports, names: Mapping[str, str]) -> None:
        self.imports, self.names = imports, names

    def value(self, given: Value) -> object:
        """Return a value of a document as a piece of source, or raise `Unsaid`."""
        if given is None or isinstance(given, (bool, str)):
            return text_literal(given) if isinstance(given, str) else repr(given)
        if isinstance(given, (int, float)):
            return repr(given)
        if isinstance(given, list):
            return Group("", "()", tuple(self.value(one) for one in given))
        for mark, write in self.writers.items():
            if mark in given:
                return write(self, given)
        return self.mapping(given)

    def mapping(self, given: Mapping[str, Any]) -> Group:
        """Return a dict of values, whatever its keys are."""
        pairs = [Named(f"{text_literal(k)}: ", self.value(v)) for k, v in given.items()]
        return Group("", "{}", tuple(pairs))

    def _only(self, given: Mapping[str, Any], *known: str) -> None:
        if not {*given} <= {*known}:
            raise Unsaid

    def _parameter(self, given: Mapping[str, Any]) -> object:
        self._only(
            given, "parameter", "name", "unit", "description", "fixed", "low", "high"
        )
        return self.parameter(given["parameter"], given.get("name", ""), given)

    def parameter(self, value: Value, name: object, texts: Mapping[str, Any]) -> object:
        """Return the call that makes a live parameter."""
        items = [self.value(value)]
        if name:
            items.append(_text(name))
        for word in ("unit", "description"):
            if texts.get(word):
                items.append(Named(f"{word}=", _text(texts[word])))
        if texts.get("fixed", True) is False:
            items.append(Named("fixed=", "False"))
        return Group(self.imports.name("motorik", "Parameter"), "()", tuple(items))

    def _formula(self, given: Mapping[str, Any]) -> object:
        self._only(given, "formula")
        return self.formula(given["formula"])

    def formula(self, text: Value, own: Collection[str] = ()) -> object:
        """Return a formula as an expression; `own` are the arguments of a function."""
        try:
            tree = ast.parse(Formula(text).text.strip(), mode="eval").body
        except (MotorikError, SyntaxError, ValueError, RecursionError, MemoryError):
            raise Unsaid from None
        return _Formulas(self, own).terms(tree)

    def _guess(self, given: Mapping[str, Any]) -> object:
        self._only(given, "guess")
        return Group(
            self.imports.name("motorik", "guess"), "()", (self.value(given["guess"]),)
        )

    def _steady(self, given: Mapping[str, Any]) -> object:
        self._only(given, "steady")
        value = self.value(given["steady"])
        return Group(self.imports.name("motorik", "steady"), "()", (value,))

    def _start(self, given: Mapping[str, Any]) -> object:
        self._only(given, "start", "fixed")
        pairs = [Named(f"{text_literal(k)}: ", self.value(v)) for k, v in given.items()]
        return Group("", "{}", tuple(pairs))

    def _make(self, given: Mapping[str, Any]) -> object:
        self._only(given, "make", "arguments")
        name, arguments = given["make"], given.get("arguments", {})
        if not (isinstance(name, str) and isinstance(arguments, dict) and is_class(name)):
            raise Unsaid
        return self.call(self.imports.class_of(name), arguments)

    def call(self, head: str, arguments: Mapping[str, Any]) -> Group:
        """Return a call with values by name; a name that Python does not take is `Unsaid`."""
        if not all(is_argument(name) for name in arguments):
            raise Unsaid
        items = [Named(f"{n}=", self.value(one)) for n, one in arguments.items()]
        return Group(head, "()", tuple(items))

    def _function(self, given: Mapping[str, Any]) -> object:
        self._only(given, "function", "of")
        names = given.get("of", ["u"])
        if not (isinstance(names, list) and names and all(map(is_argument, names))):
            raise Unsaid
        if {*names} & {"pi", *MATHEMATICS, *UNITS, *SPELLED}:
            raise Unsaid
        body = self.formula(given["function"], names)
        return f"lambda {', '.join(names)}: {body if isinstance(body, str) else body.flat}"  # type: ignore[attr-defined]

    def _unreadable(self, given: Mapping[str, Any]) -> object:
        """Return source that was kept as text; what is only shown cannot be said."""
        text = given["unreadable"]
        if given.get("source") is not True or not isinstance(text, str) or "\n" in text:
            raise Unsaid
        try:
            ast.parse(text, mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Unsaid from None
        return text

    def _number(self, given: Mapping[str, Any]) -> object:
        self._only(given, "number")
        word = given["number"]
        if word not in ("inf", "-inf", "nan"):
            raise Unsaid
        sign = "-" if word.startswith("-") else ""
        return sign + self.imports.name("math", word.removeprefix("-"))

    writers: ClassVar[
        dict[str, Callable[[ExpressionWriter, Mapping[str, Any]], object]]
    ] = {
        "parameter": _parameter,
        "formula": _formula,
        "guess": _guess,
        "steady": _steady,
        "start": _start,
        "make": _make,
        "function": _function,
        "unreadable": _unreadable,
        "number": _number,
    }


class Unsaid(Exception):  # noqa: N818 - it says what is the matter, no failure of a user
    """A value that source cannot say; it is kept beside it."""


class _Formulas:
    """Writes formulas as formatters do: blanks around operators, powers of plain operands close."""

    def __init__(self, writer: ExpressionWriter, own: Collection[str]) -> None:
        self.writer, self.own = writer, own

    def terms(self, node: ast.expr) -> object:
        """Return a formula, as terms where it is a sum, as text otherwise."""
        if isinstance(node, ast.BinOp) and RANKS[type(node.op)] == 1:
            found: list[str] = []
            left: ast.expr = node
            while isinstance(left, ast.BinOp) and RANKS[type(left.op)] == 1:
                found.append(f"{SIGNS[type(left.op)]} {self.text(left.right, 2)}")
                left = left.left
            return Terms((self.text(left, 1), *reversed(found)))
        return self.text(node, 0)

    def text(self, node: ast.expr, rank: int) -> str:
        """Return an operand, in parentheses where its operator binds less than `rank`."""
        own, text = self._ranked(node)
        return f"({text})" if own < rank else text

    def _ranked(self, node: ast.expr) -> tuple[int, str]:
        match node:
            case ast.Constant(value=value):
                return ATOM, repr(value)
            case ast.Name(id=name):
                return ATOM, self._name(name)
            case ast.UnaryOp(op=op, operand=operand):
                if isinstance(op, ast.UAdd):
                    return self._ranked(operand)
                return UNARY, f"-{self.text(operand, UNARY)}"
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(left, op, right)
            case ast.Subscript(value=value, slice=ast.Constant(value=k)):
                return ATOM, f"{self.text(value, ATOM)}[{k!r}]"
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return 0, f"{self.text(left, 1)} {SIGNS[type(op)]} {self.text(right, 1)}"
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                inner = ", ".join(self.text(one, 0) for one in elts)
                return ATOM, f"({inner})"
            case ast.Call(func=ast.Name(id=name), args=args):
                inner = ", ".join(self.text(one, 0) for one in args)
                return ATOM, f"{self._function(name)}({inner})"
        raise Unsaid

    def _binary(self, left: ast.expr, op: ast.operator, right: ast.expr) -> tuple[int, str]:
        rank, sign = RANKS[type(op)], SIGNS[type(op)]
        if rank == 4:
            a, b = self.text(left, ATOM), self.text(right, UNARY)
            is_close = not isinstance(left, ast.UnaryOp) and all(
                map(_is_simple, (left, right))
            )
            return rank, f"{a}{sign}{b}" if is_close else f"{a} {sign} {b}"
        return rank, f"{self.text(left, rank)} {sign} {self.text(right, rank + 1)}"

    def _name(self, name: str) -> str:
        if name in self.own:
            return name
        if name in self.writer.names:
            return self.writer.names[name]
        if name in CONSTANTS:
            return self.writer.imports.name("math", name)
        raise Unsaid

    def _function(self, name: str) -> str:
        if name in UNITS:
            return self.writer.imports.name("motorik.units", name)
        own = SPELLED.get(name, name)
        if own not in MATHEMATICS:
            raise Unsaid
        return self.writer.imports.name("motorik.functions", own)


def _is_simple(node: ast.expr) -> bool:
    """Return whether a formatter writes a power of this operand without blanks."""
    if isinstance(node, ast.UnaryOp):
        return _is_simple(node.operand) and not isinstance(node.operand, ast.UnaryOp)
    return isinstance(node, (ast.Constant, ast.Name))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Unsaid
    return text_literal(value)


def is_argument(name: object) -> bool:
    """Return whether a text can be the name of an argument."""
    return isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)


def is_class(name: str) -> bool:
    """Return whether the name of a class can be written in Python."""
    module, colon, own = name.rpartition(":")
    if colon:
        return all(map(is_argument, [*module.split("."), *own.split(".")]))
    window, _, last = name.rpartition(".")
    return is_argument(last) and (not window or window in WINDOWS)
