"""Expressions as lines of at most 92 characters, broken as formatters of Python do it."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from motorik.immutable import immutable

WIDTH = 92
"""Characters of a line, as `ruff format` is set in this project."""

Piece = "str | Group | Named | Terms"


@immutable
class Group:
    """A call or a collection: what is before the bracket, the bracket, and what is within."""

    head: str
    brackets: str
    items: tuple[object, ...]

    @property
    def flat(self) -> str:
        """It on one line."""
        inner = ", ".join(map(flat, self.items))
        if self.brackets == "()" and not self.head and len(self.items) == 1:
            inner += ","
        return f"{self.head}{self.brackets[0]}{inner}{self.brackets[1]}"


@immutable
class Named:
    """A value with what is before it: ``name=value`` or ``"key": value``."""

    name: str
    value: object

    @property
    def flat(self) -> str:
        """It on one line."""
        return f"{self.name}{flat(self.value)}"


@immutable
class Terms:
    """Operands of operators of one rank: the first, then each with its operator."""

    terms: tuple[str, ...]

    @property
    def flat(self) -> str:
        """It on one line."""
        return " ".join(self.terms)


def flat(piece: object) -> str:
    """Return a piece on one line."""
    return piece if isinstance(piece, str) else piece.flat  # type: ignore[attr-defined]


def laid_out(piece: object, before: str, indent: int, after: int = 0) -> str:
    """Return text with a piece behind it, broken where it is too long.

    `indent` is that of the statement, `after` the characters that follow on the last line.
    """
    line = before + flat(piece)
    start = len(before.rpartition("\n")[2])
    if start + len(flat(piece)) + after <= WIDTH:
        return line
    if isinstance(piece, Named):
        return laid_out(piece.value, before + piece.name, indent, after)
    if isinstance(piece, Group) and piece.items:
        return before + _opened(piece, indent)
    if isinstance(piece, Terms):
        return before + f"\n{' ' * indent}".join(piece.terms)
    return line


def _opened(group: Group, indent: int) -> str:
    pad, inner = " " * indent, " " * (indent + 4)
    together = ", ".join(map(flat, group.items))
    if group.head and indent + 4 + len(together) <= WIDTH:
        body = f"{inner}{together}"
    else:
        lines = (laid_out(item, inner, indent + 4, 1) for item in group.items)
        body = "\n".join(f"{line}," for line in lines)
    return f"{group.head}{group.brackets[0]}\n{body}\n{pad}{group.brackets[1]}"


def statement(source: str, indent: int = 0) -> str:
    """Return an assignment or an expression of one line, broken where it is too long."""
    (node,) = ast.parse(source).body
    before = " " * indent
    if isinstance(node, ast.Assign):
        before += source.encode()[: node.value.col_offset].decode()
    value = node.value if isinstance(node, (ast.Assign, ast.Expr)) else None
    return (
        before + source
        if value is None
        else laid_out(_piece(value, source), before, indent)
    )


def _piece(node: ast.expr, source: str) -> object:
    """Return an expression as a piece: calls and collections can be broken."""
    text = ast.get_source_segment(source, node) or ast.unparse(node)
    if isinstance(node, ast.Call):
        head = ast.get_source_segment(source, node.func) or ast.unparse(node.func)
        items = [_piece(one, source) for one in node.args]
        for one in node.keywords:
            items.append(
                Named(f"{one.arg}=" if one.arg else "**", _piece(one.value, source))
            )
        return Group(head, "()", tuple(items))
    if isinstance(node, ast.List):
        return Group("", "[]", tuple(_piece(one, source) for one in node.elts))
    if isinstance(node, ast.Dict) and all(node.keys):
        pairs = zip(node.keys, node.values, strict=True)
        items = [
            Named(f"{ast.get_source_segment(source, key)}: ", _piece(value, source))
            for key, value in pairs
            if key is not None
        ]
        return Group("", "{}", tuple(items))
    if isinstance(node, ast.Tuple) and text.startswith("("):
        return Group("", "()", tuple(_piece(one, source) for one in node.elts))
    return text


def import_line(module: str, names: Sequence[str]) -> str:
    """Return the import of names, sorted: classes, then functions and modules."""
    ordered = sorted(names, key=_import_rank)
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) <= WIDTH:
        return line
    inner = "\n".join(f"    {name}," for name in ordered)
    return f"from {module} import (\n{inner}\n)"


def _import_rank(name: str) -> tuple[int, str, str]:
    own = name.partition(" as ")[0]
    if own.isupper() and len(own) > 1:
        rank = 0
    else:
        rank = 1 if own[:1].isupper() else 2
    return rank, own, name


def text_literal(text: str) -> str:
    """Return a text in quotes: double ones, unless it needs fewer escapes in single ones."""
    shown = repr(text)
    if '"' in text and shown[0] == "'" and text.count('"') <= text.count("'"):
        return '"' + shown[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'
    if shown[0] == "'" and '"' not in text:
        return '"' + shown[1:-1] + '"'
    return shown
