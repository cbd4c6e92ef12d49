"""Choosing combinations: every value of every list is tried, not every combination."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


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


def every_pair_once(first: Iterable[Any], *others: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return each value of `first` with each of the longest other list; the rest by turns."""
    rest = each_once(*others)
    return [(value, *found) for value in first for found in rest]
