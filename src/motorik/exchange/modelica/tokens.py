"""Tokens: the words of a Modelica expression, each with its position."""

from __future__ import annotations

import re
from dataclasses import dataclass

from motorik.exchange.modelica.errors import ExpressionError

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


@dataclass(frozen=True)
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
