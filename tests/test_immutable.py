"""Immutable records are frozen dataclasses: each law is tried on both."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from functools import cached_property
from typing import get_type_hints

import pytest

from motorik.immutable import immutable


@immutable
class Point:
    """A point with a label that does not count."""

    x: float
    y: float = 0.0
    marks: list[str] = field(default_factory=list)
    label: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.x < 0.0:
            raise ValueError("x is negative")

    @cached_property
    def double(self) -> float:
        return 2.0 * self.x


@dataclass(frozen=True)
class Usual:
    """The same as `Point`, made by the standard library."""

    x: float
    y: float = 0.0
    marks: list[str] = field(default_factory=list)
    label: str = field(default="", compare=False, repr=False)


@immutable
class Pair:
    """A record whose annotation is a name of this module."""

    first: Point


@immutable(kw_only=True)
class Named(Point):
    """A point whose own field is given by name."""

    name: str


@immutable
class One:
    """A record of one number."""

    value: float


@immutable
class Nothing:
    """A record without fields."""


@immutable(eq=False)
class Thing:
    """A record that equals only itself."""

    value: float


@immutable
class Special:
    """A record with methods of its own."""

    value: float

    def __repr__(self) -> str:
        return "special"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Special)

    def __hash__(self) -> int:
        return 7


def test_arguments_are_those_of_a_dataclass():
    assert str(inspect.signature(Point)) == str(inspect.signature(Usual))
    assert str(inspect.signature(Named)).endswith("*, name: 'str') -> None")
    assert [own.name for own in fields(Named)] == ["x", "y", "marks", "label", "name"]
    assert Named.__match_args__ == ("x", "y", "marks", "label")


def test_types_of_arguments_are_known():
    hints = {"x": float, "y": float, "marks": list[str], "label": str, "return": type(None)}
    assert get_type_hints(Point.__init__) == hints
    own = get_type_hints(Pair.__init__)
    assert own["first"] is Point


def test_text_is_that_of_a_dataclass():
    assert repr(Point(1.0, label="a")) == repr(Usual(1.0)).replace("Usual", "Point")
    assert repr(Nothing()) == "Nothing()"
    loop = Point(1.0, marks=[])
    loop.marks.append(loop)  # type: ignore[arg-type]
    assert repr(loop) == "Point(x=1.0, y=0.0, marks=[...])"


def test_defaults_are_made_for_each():
    assert Point(1.0).marks is not Point(1.0).marks


def test_fields_are_compared():
    assert Point(1.0, label="a") == Point(1.0, label="b")
    assert Point(1.0) != Point(2.0)
    assert Point(1.0) != Named(1.0, name="")
    assert Thing(1.0) != Thing(1.0)
    assert Nothing() == Nothing()
    nan = float("nan")
    assert One(nan) == One(nan)  # as tuples: the same object is equal to itself


def test_hashes_are_those_of_the_fields():
    assert hash(One(3.0)) == hash((3.0,))
    assert len({One(1.0), One(1.0), One(2.0)}) == 2
    assert len({Thing(1.0), Thing(1.0)}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(Point(1.0))  # its list is not hashable


def test_own_methods_stay():
    assert repr(Special(1.0)) == "special"
    assert Special(1.0) == Special(2.0)
    assert hash(Special(1.0)) == 7


def test_nothing_can_be_assigned_or_deleted():
    point = Point(1.0)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2.0  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x  # type: ignore[misc]


def test_values_can_be_cached_replaced_and_copied():
    point = Point(1.0, 2.0)
    assert point.double == 2.0
    assert replace(point, x=3.0) == Point(3.0, 2.0)
    with pytest.raises(ValueError, match="negative"):
        replace(point, x=-1.0)
    assert copy.deepcopy(point) == point
    assert pickle.loads(pickle.dumps(point)) == point


def test_the_initialiser_is_compiled_for_the_first_instance():
    @immutable
    class Fresh:
        x: float

    class Below(Fresh):
        pass

    assert not inspect.isfunction(vars(Fresh)["__init__"])
    assert Below(x=1.0).x == Fresh(1.0).x
    assert inspect.isfunction(vars(Fresh)["__init__"])
    with pytest.raises(
        TypeError, match=r"Fresh.__init__\(\) missing 1 required positional"
    ):
        Fresh()  # type: ignore[call-arg]
