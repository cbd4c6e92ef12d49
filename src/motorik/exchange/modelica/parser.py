"""Parser: from the text of a Modelica expression to its tree, by recursive descent."""

from __future__ import annotations

import re
from functools import lru_cache

from motorik.exchange.modelica.errors import ExpressionError
from motorik.exchange.modelica.expressions import (
    Array,
    Binary,
    Expression,
    FunctionCall,
    IfExpression,
    Name,
    NumberLiteral,
    Range,
    Segment,
    StringLiteral,
    Truth,
    Unary,
)
from motorik.immutable import immutable

# --- tokens of an expression --------------------------------------------------------------


LONGEST_EXPRESSION = 100_000
KEYWORDS = frozenset("and or not true false if then elseif else end for in".split())
PATTERN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<name>[A-Za-z_]\w*|'[^'\\]*')
  | (?P<text>"(?:[^"\\]|\\.)*")
  | (?P<symbol>\.\+|\.-|\.\*|\./|\.\^|<=|>=|<>|==|[-+*/^(){}\[\],;:=<>.])
    """,
    re.VERBOSE | re.ASCII,
)


@immutable
class Token:
    """A word of an expression: `kind` is number, name, text, keyword, symbol or end."""

    kind: str
    text: str
    position: int


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of an expression, ended by one of kind "end".

    >>> [token.text for token in tokens_of("{0, 2*pi}")]
    ['{', '0', ',', '2', '*', 'pi', '}', '']
    """
    if len(text) > LONGEST_EXPRESSION:
        raise ExpressionError(f"is longer than {LONGEST_EXPRESSION} characters.")
    found: list[Token] = []
    position = 0
    while position < len(text):
        match = PATTERN.match(text, position)
        if match is None:
            raise ExpressionError(
                f"{text[position]!r} is not understood here.", text, position
            )
        kind = str(match.lastgroup)
        if kind == "name" and match.group() in KEYWORDS:
            kind = "keyword"
        if kind != "space":
            found.append(Token(kind, match.group(), position))
        position = match.end()
    found.append(Token("end", "", len(text)))
    return found


DEEPEST_NESTING = 48
LARGEST_INTEGER = 2**53
RELATIONS = frozenset({"<", "<=", ">", ">=", "==", "<>"})
SUMS = frozenset({"+", "-", ".+", ".-"})
PRODUCTS = frozenset({"*", "/", ".*", "./"})
POWERS = frozenset({"^", ".^"})


@lru_cache(maxsize=4096)
def parse(text: str) -> Expression:
    """Return the tree of an expression.

    The grammar is that of the Modelica language, §3.1: a sign stands only before the first
    term of a sum, `^` does not chain, and relations do not chain.

    >>> parse("-2^2") == Unary("-", Binary("^", NumberLiteral(2), NumberLiteral(2)))
    True
    """
    parser = Parser(text)
    tree = parser.expression()
    parser.expect("", "the end of the expression")
    return tree


class Parser:
    """Reads one expression from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.index = 0
        self.depth = 0

    # --- words -----------------------------------------------------------------------------

    @property
    def next(self) -> Token:
        """The token that is not yet consumed."""
        return self.tokens[self.index]

    def take(self) -> Token:
        """Consume a token and return it."""
        token = self.next
        self.index += token.kind != "end"
        return token

    def accepts(self, *texts: str) -> bool:
        """Consume the next token if it is one of these symbols or keywords."""
        if self.next.kind in ("symbol", "keyword") and self.next.text in texts:
            self.index += 1
            return True
        return False

    def expect(self, text: str, description: str = "") -> None:
        """Consume this token, or raise an error that names the missing one."""
        token = self.next
        if (text == "" and token.kind == "end") or (text and self.accepts(text)):
            return
        seen = f"{token.text!r}" if token.text else "the end"
        wanted = description or repr(text)
        raise ExpressionError(
            f"{wanted} expected, but here is {seen}.", self.text, token.position
        )

    # --- grammar, from the weakest binding to the strongest ----------------------------------

    def expression(self) -> Expression:
        """Read: if-expression | range."""
        position = self.next.position
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            raise ExpressionError(
                f"is nested deeper than {DEEPEST_NESTING} levels.", self.text, position
            )
        tree = self.choice() if self.accepts("if") else self.range()
        self.depth -= 1
        return tree

    def choice(self) -> Expression:
        """Read, after "if": e "then" e {"elseif" e "then" e} "else" e."""
        position = self.next.position
        condition = self.expression()
        self.expect("then")
        chosen = self.expression()
        if self.accepts("elseif"):
            self.depth += 1
            other = self.choice()
            self.depth -= 1
        else:
            self.expect("else")
            other = self.expression()
        return IfExpression(condition, chosen, other, position)

    def range(self) -> Expression:
        """Read: logical [":" logical [":" logical]]."""
        position = self.next.position
        first = self.disjunction()
        if not self.accepts(":"):
            return first
        second = self.disjunction()
        if not self.accepts(":"):
            return Range(first, None, second, position)
        return Range(first, second, self.disjunction(), position)

    def disjunction(self) -> Expression:
        """Read a logical: conjunction {"or" conjunction}."""
        left = self.conjunction()
        while self.accepts("or"):
            left = Binary("or", left, self.conjunction(), self.next.position)
        return left

    def conjunction(self) -> Expression:
        """Read: negation {"and" negation}."""
        left = self.negation()
        while self.accepts("and"):
            left = Binary("and", left, self.negation(), self.next.position)
        return left

    def negation(self) -> Expression:
        """Read: ["not"] relation."""
        position = self.next.position
        if self.accepts("not"):
            return Unary("not", self.relation(), position)
        return self.relation()

    def relation(self) -> Expression:
        """Read: sum [("<" | "<=" | …) sum]."""
        left = self.sum()
        token = self.next
        if self.accepts(*RELATIONS):
            return Binary(token.text, left, self.sum(), token.position)
        return left

    def sum(self) -> Expression:
        """Read: ["+" | "-"] product {("+" | "-") product}."""
        token = self.next
        signed = self.accepts(*SUMS)
        left = self.product()
        if signed:
            left = Unary(token.text.lstrip("."), left, token.position)
        token = self.next
        while self.accepts(*SUMS):
            left = Binary(token.text, left, self.product(), token.position)
            token = self.next
        return left

    def product(self) -> Expression:
        """Read: power {("*" | "/") power}."""
        left = self.power()
        token = self.next
        while self.accepts(*PRODUCTS):
            left = Binary(token.text, left, self.power(), token.position)
            token = self.next
        return left

    def power(self) -> Expression:
        """Read: primary ["^" primary]."""
        left = self.primary()
        token = self.next
        if self.accepts(*POWERS):
            return Binary(token.text, left, self.primary(), token.position)
        return left

    def primary(self) -> Expression:
        """Read: number | string | truth | name | call | (e) | {e, …} | [e, …; …]."""
        token = self.take()
        if token.kind == "number":
            return NumberLiteral(self.number(token), token.position)
        if token.kind == "text":
            return StringLiteral(_unescaped(token.text[1:-1]), token.position)
        if token.kind == "name":
            return self.name_or_call(token)
        if token.text in ("true", "false") and token.kind == "keyword":
            return Truth(token.text == "true", token.position)
        if token.text == "(":
            inner = self.expression()
            self.expect(")")
            return inner
        if token.text == "{":
            return Array(self.several("}"), token.position)
        if token.text == "[":
            return self.matrix(token.position)
        seen = f"{token.text!r}" if token.text else "the end"
        raise ExpressionError(
            f"a value expected, but here is {seen}.", self.text, token.position
        )

    def several(self, closing: str) -> tuple[Expression, ...]:
        """Return expressions separated by commas up to the closing bracket."""
        items = [self.expression()]
        while self.accepts(","):
            items.append(self.expression())
        self.expect(closing)
        return tuple(items)

    def matrix(self, position: int) -> Expression:
        """Read, after "[": e {"," e} {";" e {"," e}} "]"."""
        rows: list[Expression] = []
        while True:
            row_at = self.next.position
            items = [self.expression()]
            while self.accepts(","):
                items.append(self.expression())
            rows.append(Array(tuple(items), row_at))
            if not self.accepts(";"):
                break
        self.expect("]")
        return Array(tuple(rows), position)

    def name_or_call(self, first: Token) -> Expression:
        """Read: identifier [subscripts] {"." identifier [subscripts]}, or a call."""
        segments = [Segment(first.text, self.subscripts())]
        while self.accepts("."):
            token = self.take()
            if token.kind != "name":
                raise ExpressionError(
                    "a name expected after '.'.", self.text, token.position
                )
            segments.append(Segment(token.text, self.subscripts()))
        name = Name(tuple(segments), first.position)
        if self.accepts("("):
            return self.call(name.dotted, first.position)
        return name

    def subscripts(self) -> tuple[Expression, ...]:
        """Read: "[" (e | ":") {"," (e | ":")} "]", or nothing."""
        if not self.accepts("["):
            return ()
        found: list[Expression] = []
        while True:
            if self.next.text == ":" and self.tokens[self.index + 1].text in (",", "]"):
                found.append(Range(position=self.take().position))
            else:
                found.append(self.expression())
            if not self.accepts(","):
                break
        self.expect("]")
        return tuple(found)

    def call(self, function: str, position: int) -> Expression:
        """Read, after "(": [e {"," e}] [name "=" e {"," name "=" e}] ")"."""
        arguments: list[Expression] = []
        named: list[tuple[str, Expression]] = []
        if self.accepts(")"):
            return FunctionCall(function, position=position)
        while True:
            following = self.tokens[min(self.index + 1, len(self.tokens) - 1)]
            if self.next.kind == "name" and following.text == "=":
                keyword = self.take().text
                self.expect("=")
                named.append((keyword, self.expression()))
            elif named:
                raise ExpressionError(
                    "a named argument expected.", self.text, self.next.position
                )
            else:
                arguments.append(self.expression())
            if not self.accepts(","):
                break
        self.expect(")")
        return FunctionCall(function, tuple(arguments), tuple(named), position)

    def number(self, token: Token) -> int | float:
        """Return the value of a literal number, whole where it is written so."""
        value = float(token.text)
        if value == float("inf"):
            raise ExpressionError("the number is too large.", self.text, token.position)
        if token.text.isdigit() and value <= LARGEST_INTEGER:
            return int(value)
        return value


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\")
