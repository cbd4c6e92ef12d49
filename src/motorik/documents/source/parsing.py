"""Source of unknown origin to a syntax tree with its comments, within limits."""

from __future__ import annotations

import ast
import io
import tokenize

from motorik.errors import FileFormatError
from motorik.immutable import immutable

LONGEST = 4_000_000  # characters of a file
DEEPEST = 60  # brackets, or signs, within one another
MOST_OPERATORS = 2000  # in one statement
LONGEST_NUMBER = 400  # digits
WORDS = ("not", "await", "lambda", "if", "and", "or", "in", "is")
OPENING, CLOSING = {"(", "[", "{"}, {")", "]", "}"}


@immutable
class Comment:
    """A comment: its text, and whether nothing else is on its line."""

    text: str
    is_alone: bool
    column: int


@immutable
class Parsed:
    """The tree of a source, its lines, and its comments by their lines."""

    tree: ast.Module
    lines: tuple[str, ...]
    comments: dict[int, Comment]

    def segment(self, node: ast.stmt) -> str:
        """Return the lines of a statement, without the blanks that all begin with."""
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        own = list(self.lines[first - 1 : node.end_lineno])
        indent = node.col_offset
        return "\n".join(
            line[indent:] if not line[:indent].strip() else line for line in own
        )

    def expression(self, node: ast.expr) -> str:
        """Return the text of an expression on one line."""
        return " ".join((ast.unparse(node)).split("\n"))


def parse(text: str | bytes) -> Parsed:
    """Return the tree of a source; raise an error for what is none, or is too deep or large."""
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig", errors="replace")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace("\f", " ")
    if len(text) > LONGEST:
        raise _refused(f"has {len(text)} characters; files up to {LONGEST} are read", 0)
    if "\x00" in text:
        raise _refused("has characters that are no text", 0)
    comments = _scanned(text)
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise _refused(f"is not Python: {error.msg}", error.lineno or 0) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise _refused(f"cannot be read: {type(error).__name__}", 0) from None
    return Parsed(tree, tuple(text.split("\n")), comments)


def _scanned(text: str) -> dict[int, Comment]:
    """Return the comments by their lines; refuse what would nest too deeply in a tree."""
    found: dict[int, Comment] = {}
    depth = signs = operators = blocks = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            line = token.start[0]
            if token.type == tokenize.COMMENT:
                is_alone = not token.line[: token.start[1]].strip()
                found[line] = Comment(token.string[1:].strip(), is_alone, token.start[1])
            elif token.type == tokenize.INDENT:
                blocks += 1
            elif token.type == tokenize.DEDENT:
                blocks -= 1
            elif token.type == tokenize.NEWLINE:
                signs = operators = 0
            elif token.type == tokenize.NUMBER and len(token.string) > LONGEST_NUMBER:
                raise _refused("has a number that is too long", line)
            elif token.type == tokenize.OP or token.string in WORDS:
                is_between = token.string in (",", ":", "=")
                operators += 0 if is_between else 1
                signs = signs + 1 if token.string in ("-", "+", "~", "not", "lambda") else 0
                depth += (token.string in OPENING) - (token.string in CLOSING)
                if token.string in CLOSING or token.string in OPENING:
                    operators -= 1
                if is_between:
                    operators = 0 if depth > 0 else operators
            elif token.type not in (tokenize.NL,):
                signs = 0
            if depth > DEEPEST or signs > DEEPEST or blocks > DEEPEST:
                raise _refused("is nested too deeply", line)
            if operators > MOST_OPERATORS:
                raise _refused("has a statement that is too long", line)
    except tokenize.TokenError as error:
        raise _refused(f"is not Python: {error.args[0]}", error.args[1][0]) from None
    except (SyntaxError, ValueError) as error:
        raise _refused(
            f"is not Python: {error}", getattr(error, "lineno", 0) or 0
        ) from None
    return found


def _refused(why: str, line: int) -> FileFormatError:
    place = f"source, line {line}" if line else "source"
    return FileFormatError(
        place,
        f"{why}.",
        "Give the source of a model as motorik writes it.",
        value=line or None,
    )
