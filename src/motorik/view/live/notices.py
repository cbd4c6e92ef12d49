"""Notices: what a live page tells its user."""

from __future__ import annotations

import json

from motorik.errors import MotorikError

LEVELS = ("info", "warning", "error")


def notice(level: str, text: str, part: str | None = None) -> str:
    """Return a notice as the message of it."""
    return json.dumps({"type": "notice", "level": level, "part": part, "text": text})


def notice_of(error: Exception) -> str:
    """Return an error as a notice at its part; one that is not ours with its type."""
    if isinstance(error, MotorikError):
        return notice("error", str(error), error.place or None)
    return notice("error", f"{type(error).__name__}: {error}")
