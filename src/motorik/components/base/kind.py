"""Kind: unit, limits and type of a parameter or start value, given by its annotation.

In ``m: kinds.Mass = parameter("mass of the body", default=1.0)`` the annotation gives the unit,
the limits and the conversion of m. It also gives editors the type of the value that a part
takes (`__set__`) and the type of the value that it then holds (`__get__`).
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, overload

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.values import (
    Convert,
    Derived,
    Parameter,
    Start,
    as_axis,
    as_boolean,
    as_choice,
    as_given,
    as_number,
    as_text,
    as_vector,
    never_live,
)
from motorik.errors import ParameterError, suggest

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from motorik.components.base.declarations import Declaration
    from motorik.components.base.live_numbers import Live
    from motorik.components.base.part import Part
    from motorik.components.base.resolving import NamedNumbers

AxisName = Literal["x", "y", "z", "-x", "-y", "-z"]
Held = TypeVar("Held", covariant=True)
Given = TypeVar("Given", contravariant=True)
Word = TypeVar("Word", bound=str)

if TYPE_CHECKING:
    Plain = float | np.floating[Any] | np.integer[Any]
    GivenNumber = Plain | Live | Derived | Start  # a start is that of an unknown
    Entries = Sequence[Plain | Live] | np.ndarray[Any, Any] | Vector
    GivenVector = Entries | Parameter | Derived
    GivenList = Sequence[float] | np.ndarray[Any, Any]
    GivenNumbers = Sequence[Plain | Live] | np.ndarray[Any, Any]
    GivenMatrix = Sequence[Sequence[Plain | Live]] | np.ndarray[Any, Any]
    GivenStart = Plain | Start | Mapping[str, Any] | None
    GivenStartVector = GivenList | Start | Mapping[str, Any] | None

    class Typed(Generic[Held, Given]):
        """The types of a value for editors: its type when given, and its type when read."""

        @overload
        def __get__(self, part: None, kind: type) -> Declaration: ...
        @overload
        def __get__(self, part: Part | NamedNumbers, kind: type) -> Held: ...
        def __get__(
            self, part: Part | NamedNumbers | None, kind: type
        ) -> Held | Declaration: ...

        def __set__(self, part: Part | NamedNumbers, value: Given) -> None: ...
else:  # types cost nothing when parts are loaded
    GivenNumber = GivenVector = GivenList = GivenNumbers = GivenMatrix = object
    GivenStart = GivenStartVector = object

    class Typed:
        """Stands for a generic class."""

        def __class_getitem__(cls, types: object) -> type:
            return cls


class Kind(Typed[Held, Given]):
    """A kind of parameter: a part is given a value of type `Given` and holds one of type `Held`."""

    unit: ClassVar[str] = ""
    convert: ClassVar[Convert] = staticmethod(as_given)
    form: ClassVar[str] = "given"  # number, vector, choice, …: how a value is entered
    is_optional: ClassVar[bool] = False  # whether None is a value
    minimum: ClassVar[float] = -math.inf
    above: ClassVar[float] = -math.inf
    maximum: ClassVar[float] = math.inf
    choices: ClassVar[Sequence[str]] = ()

    def __init_subclass__(cls, unit: str = "", convert: Convert | None = None) -> None:
        super().__init_subclass__()
        if unit:
            cls.unit = unit
        if convert is not None:
            cls.convert = staticmethod(convert)


class Number(Kind[Scalar, GivenNumber], convert=as_number()):
    """One finite number, within limits; it may be a live `Parameter` unless it is `plain`."""

    form = "number"

    def __init_subclass__(
        cls,
        unit: str = "",
        minimum: float = -math.inf,
        above: float = -math.inf,
        maximum: float = math.inf,
        plain: bool = False,
    ) -> None:
        convert = as_number(minimum, above, maximum)
        super().__init_subclass__(unit, never_live(convert) if plain else convert)
        cls.minimum, cls.above, cls.maximum = minimum, above, maximum


class OptionalNumber(Kind[Scalar, GivenNumber | None]):
    """One finite number of the kind `of`, or None."""

    form = "number"
    is_optional = True

    def __init_subclass__(cls, of: type[Number]) -> None:
        super().__init_subclass__(of.unit, optional(of.convert))
        cls.minimum, cls.above, cls.maximum = of.minimum, of.above, of.maximum


class Numbers3(Kind[Vector, GivenVector], convert=as_vector):
    """A vector of three finite numbers; it may be live unless it is `plain`."""

    form = "vector"

    def __init_subclass__(cls, unit: str = "", plain: bool = False) -> None:
        super().__init_subclass__(unit, never_live(as_vector) if plain else as_vector)


class Axis(Kind[Vector, GivenVector | AxisName], unit="1", convert=as_axis):
    """A direction: a vector that is not zero, of any length, or a name: "x", "-x", "y", ….

    It is held as a unit vector.
    """

    form = "axis"


class Boolean(Kind[bool, bool], convert=as_boolean):
    """True or False."""

    form = "flag"


class Text(Kind[str, str], convert=as_text):
    """A text, which may be empty."""

    form = "text"


class Choice(Kind[Word, Word]):
    """One of several words."""

    form = "choice"

    def __init_subclass__(
        cls, choices: Sequence[str] = (), convert: Convert | None = None
    ) -> None:
        super().__init_subclass__("", convert or as_choice(*choices))
        cls.choices = choices


class StartNumber(Kind[Start, GivenStart]):
    """A start value of one number: fixed, ``guess(…)``, or not given."""

    form = "start"

    size: ClassVar[int] = 1


class StartVector(Kind[Start, GivenStartVector]):
    """A start value of three numbers: fixed, ``guess(…)``, or not given."""

    form = "start"

    size: ClassVar[int] = 3


AnyKind = type[Kind[Any, Any]]


def optional(convert: Convert) -> Convert:
    """Return the conversion that also takes None, which stays None."""

    @wraps(convert)  # with the reason why it cannot be live, if it has one
    def converted(part: str, name: str, unit: str, value: object) -> object:
        return value if value is None else convert(part, name, unit, value)

    return converted


def annotated_kind(owner: type, name: str) -> AnyKind | None:
    """Return the kind of a name in the class body of a part, None if it has none."""
    annotation: object = inspect.get_annotations(owner).get(name)
    found = annotation
    if isinstance(found, str):
        first, *path = found.split(".")
        found = home = vars(sys.modules[owner.__module__]).get(first)
        for step in path:
            found = getattr(found, step, None)
        if found is None:
            remedy = (
                "Import it at the top of the file: `from motorik.authoring import kinds`."
            )
            if home is not None:
                remedy = suggest(path[-1], [n for n in dir(home) if n[:1].isupper()])
            raise ParameterError(
                f"{owner.__name__}.{name}",
                f"its kind {annotation!r} is not known in the module of the class.",
                remedy,
                parameter=name,
                value=annotation,
            )
    return found if isinstance(found, type) and issubclass(found, Kind) else None
