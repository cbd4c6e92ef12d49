"""Taking values apart into scalars and putting them together again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
import pytest

from motorik.compiler.flattening import flatten, unflatten
from motorik.compiler.rolled.tape import TapeValue
from motorik.errors import CompileError


class Point:
    __slots__ = ("_x", "_y")
    _leaves = ("x", "y")

    def __init__(self, x: Any, y: Any) -> None:
        self._x, self._y = x, y

    @property
    def x(self) -> Any:
        return self._x

    @property
    def y(self) -> Any:
        return self._y


class Colour(Enum):
    RED = 1


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclass(frozen=True)
class Joint:
    axis: Point
    name: str
    limit: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError


def test_a_value_survives_being_taken_apart() -> None:
    slot = TapeValue(3)
    value = [
        (1.0, slot),
        Joint(Point(0.0, slot), "hinge"),
        Joint(Point(2.0, 3.0), "slider", limit=4.0),
        Pair(5.0, Colour.RED),
        None,
        7,
        True,
        float,
    ]
    leaves: list[Any] = []
    structure = flatten(value, TapeValue, leaves)
    assert leaves == [1.0, slot, 0.0, slot, 2.0, 3.0, 4.0, 5.0]
    hash(structure)
    again = unflatten(structure, leaves)
    assert again[0] == (1.0, slot)
    assert (
        isinstance(again[1], Joint) and again[1].axis.y is slot and again[1].limit is None
    )
    assert (again[2].axis.x, again[2].axis.y, again[2].limit) == (2.0, 3.0, 4.0)
    assert again[3] == Pair(5.0, Colour.RED) and isinstance(again[3], Pair)
    assert again[4:] == [None, 7, True, float]


def test_structure_tells_equal_looking_values_apart() -> None:
    structures = {
        flatten(value, TapeValue, []) for value in (1, True, (1,), "1", None, 1.0)
    }
    assert len(structures) == 6


def test_numpy_scalars_are_floats() -> None:
    leaves: list[Any] = []
    flatten((np.float64(2.5), np.float32(0.5)), TapeValue, leaves)
    assert leaves == [2.5, 0.5] and all(type(leaf) is float for leaf in leaves)


def test_value_without_leaves_and_hash_is_refused() -> None:
    with pytest.raises(CompileError, match="is a ndarray, which has no leaves"):
        flatten((np.zeros(3),), TapeValue, [])
