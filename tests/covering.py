"""Choosing combinations: every value of every list is tried, not every combination."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def each_once(*lists: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return as many combinations as the longest list has values, each value in at least one.

    Lists of equal length are shifted against each other at each turn of the shorter one, so
    that repeating values meet others.
    """
    values = [list(given) for given in lists]
    count = max(map(len, values))
    return [
        tuple(own[(i + i // len(own) * k) % len(own)] for k, own in enumerate(values))
        for i in range(count)
    ]


def slow_but(cases: Iterable[Any], *quick: Any) -> list[Any]:
    """Return cases for `parametrize`, all but a few of them marked as slow."""
    found = []
    for case in cases:
        values = case if isinstance(case, tuple) else (case,)
        marks = () if case in quick else (pytest.mark.slow,)
        found.append(pytest.param(*values, marks=marks))
    return found
