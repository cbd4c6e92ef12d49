"""Immutable records are frozen dataclasses: each law is tried on both."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from functools import cached_property
from typing import get_type_hints

import pytest

from motorik.immutable import FEW, immutable, mutable


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


def test_the_initialiser_is_compiled_after_a_few_instances():
    @immutable
    class Fresh:
        """A record; without this text, its text would be its signature."""

        x: float

    class Below(Fresh):
        pass

    assert Below(x=1.0).x == Fresh(1.0).x
    assert not inspect.isfunction(vars(Fresh)["__init__"])
    assert [Fresh(float(k)).x for k in range(FEW)] == [float(k) for k in range(FEW)]
    assert inspect.isfunction(vars(Fresh)["__init__"])
    assert Below(x=1.0).x == 1.0


@pytest.mark.parametrize(
    ("values", "named", "message"),
    [
        ((), {}, r"Fresh.__init__\(\) missing 1 required positional argument: 'x'"),
        ((1.0, 2.0, 3.0), {}, r"Fresh.__init__\(\) takes from 2 to 3 positional"),
        ((1.0,), {"x": 2.0}, r"Fresh.__init__\(\) got multiple values for argument 'x'"),
        ((1.0,), {"z": 2.0}, r"Fresh.__init__\(\) got an unexpected keyword argument 'z'"),
    ],
)
def test_arguments_that_do_not_suit_are_refused_from_the_first_instance(
    values, named, message
):
    @immutable
    class Fresh:
        x: float
        y: float = 0.0

    with pytest.raises(TypeError, match=message):
        Fresh(*values, **named)


def test_fields_are_found_when_they_are_needed():
    @immutable
    class Fresh:
        x: float
        marks: list[str] = field(default_factory=list)

    @immutable
    class Below(Fresh):
        y: float = 0.0
        label: str = field(default="a")

    assert Below.label == "a"
    assert Below(1.0) == Below(1.0, [], 0.0, "a")
    assert [own.name for own in fields(Fresh(1.0))] == ["x", "marks"]
    match Below(1.0, y=2.0):
        case Below(x, marks, y):
            assert (x, marks, y) == (1.0, [], 2.0)


def test_mutable_records_are_dataclasses():
    @mutable
    class Count:
        n: int
        seen: list[int] = field(default_factory=list)

        def __post_init__(self) -> None:
            self.seen.append(self.n)

    for k in range(2 * FEW):
        count = Count(k)
        count.n += 1
        assert (count.n, count.seen) == (k + 1, [k])
    assert repr(Count(3)).endswith("Count(n=3, seen=[3])")
    assert Count(3) == Count(3)
    assert Count(3) != Count(4)
    assert replace(Count(3), n=4).seen == [3, 4]
    with pytest.raises(TypeError, match="unhashable"):
        hash(Count(3))
