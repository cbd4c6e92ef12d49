"""Faults: errors, warnings and notes about a document, each at its part, port and field."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Literal

from motorik.errors import MotorikError, suggest
from motorik.immutable import immutable

Level = Literal["error", "warning", "info"]
MOST_COMPARED = 600  # names that a misspelt one is compared with
SHOWN = 200  # characters of a value or text of others that are shown
_PORT = r"model\.([\w.\[\]]+)"
_PAGE_WORDS = [
    (re.compile(rf"`model\.connect\({_PORT}, {_PORT}\)`"), r"draw a wire from \1 to \2"),
    (
        re.compile(rf"`model\.connect\({_PORT}, …\)`"),
        r"draw a wire from \1 to a port that fits",
    ),
    (re.compile(r"`model\.\w+ = (\w+)\(\.\.\.\)`"), r"the part \1"),
    (re.compile(r"`model\.explain\(\)`"), "the panel Explain"),
]
"""What remedies say in Python, and what one does in a diagram instead."""


def page_words(text: str) -> str:
    """Return a message in which statements about a model are acts in its diagram."""
    for statement, words in _PAGE_WORDS:
        text = statement.sub(words, text)
    return text


@immutable
class Diagnostic:
    """One error, warning or note: where it is, the value seen, the cause and the remedy.

    `scope` is the sub-model that it is in, "" for the model itself.
    """

    text: str
    remedy: str = ""
    part: str = ""
    port: str = ""
    field: str = ""
    value: str = ""
    level: Level = "error"
    scope: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as an item of the diagnostics."""
        return {
            "level": self.level,
            "part": self.part,
            "port": self.port,
            "field": self.field,
            "value": self.value,
            "text": self.text,
            "remedy": self.remedy,
            "in": self.scope,
        }

    @property
    def place(self) -> str:
        """The part with its port or field."""
        inner = self.port or self.field
        within = f"{self.scope}: " if self.scope else ""
        return within + ".".join(one for one in (self.part, inner) if one)

    def __str__(self) -> str:
        text = f"{self.place}: {self.text}" if self.place else self.text
        return f"{text}\n  {self.remedy}" if self.remedy else text

    @staticmethod
    def of(error: MotorikError, part: str = "", scope: str = "") -> Diagnostic:
        """Return an error of the package as a fault, of a part unless it names its own."""
        value = "" if error.value is None else shown(error.value)
        field = error.parameter if error.parameter != error.port else ""
        return Diagnostic(
            page_words(error.reason),
            page_words(error.remedy),
            part or error.path,
            error.port,
            field,
            value,
            "error",
            scope,
        )


def hint(name: object, known: Collection[str]) -> str:
    """Return the remedy for a misspelt name; among very many names none is looked for."""
    return suggest(str(name)[:80], known) if len(known) <= MOST_COMPARED else ""


def shown(value: object) -> str:
    """Return a value as text of bounded length, whatever its `repr` does."""
    try:
        text = repr(value)
    except Exception as error:  # of a class of the user
        text = f"<{type(value).__name__}: {type(error).__name__}>"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
