"""Expressions: the tree that a Modelica expression is parsed into."""

from __future__ import annotations

from dataclasses import field

from motorik.immutable import immutable


@immutable
class NumberLiteral:
    """A literal number; whole numbers stay `int`, as sizes and indices need them."""

    value: int | float
    position: int = field(compare=False, default=-1)


@immutable
class Truth:
    """`true` or `false`."""

    value: bool
    position: int = field(compare=False, default=-1)


@immutable
class StringLiteral:
    """A string literal."""

    value: str
    position: int = field(compare=False, default=-1)


@immutable
class Segment:
    """One step of a dotted name, with its subscripts: `r[1]`, `sine[1:3]`."""

    name: str
    subscripts: tuple[Expression, ...] = ()


@immutable
class Name:
    """A dotted name: `Modelica.Constants.pi`, `body.I[1,1]`."""

    segments: tuple[Segment, ...]
    position: int = field(compare=False, default=-1)

    @property
    def dotted(self) -> str:
        """The name without its subscripts."""
        return ".".join(segment.name for segment in self.segments)


@immutable
class FunctionCall:
    """A function call with positional and named arguments."""

    function: str
    arguments: tuple[Expression, ...] = ()
    named: tuple[tuple[str, Expression], ...] = ()
    position: int = field(compare=False, default=-1)


@immutable
class Array:
    """An array: `{a, b, c}`; a matrix `[a, b; c, d]` is an array of rows."""

    items: tuple[Expression, ...]
    position: int = field(compare=False, default=-1)


@immutable
class Range:
    """The numbers from `first` to `last`; without both, all of a subscript."""

    first: Expression | None = None
    step: Expression | None = None
    last: Expression | None = None
    position: int = field(compare=False, default=-1)


@immutable
class Unary:
    """An operator before its operand: `-a`, `not b`."""

    operator: str
    operand: Expression
    position: int = field(compare=False, default=-1)


@immutable
class Binary:
    """An operator between two operands."""

    operator: str
    left: Expression
    right: Expression
    position: int = field(compare=False, default=-1)


@immutable
class IfExpression:
    """`if condition then chosen else other`."""

    condition: Expression
    chosen: Expression
    other: Expression
    position: int = field(compare=False, default=-1)


Expression = (
    NumberLiteral
    | Truth
    | StringLiteral
    | Name
    | FunctionCall
    | Array
    | Range
    | Unary
    | Binary
    | IfExpression
)
