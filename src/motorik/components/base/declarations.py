"""Declarations of parameters and ports in the class body of a part."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from motorik.algebra.vector import Vector
from motorik.components.base.kind import annotated_kind
from motorik.components.base.parameter import Parameter
from motorik.components.base.ports import (
    BooleanInput,
    BooleanOutput,
    FramePort,
    IntegerInput,
    IntegerOutput,
    Port,
    RotationalFlange,
    SignalInput,
    SignalOutput,
    TranslationalFlange,
)
from motorik.components.base.values import Convert, Start, as_given
from motorik.immutable import immutable

if TYPE_CHECKING:
    from typing_extensions import Self

    from motorik.components.base.kind import AnyKind
    from motorik.components.base.part import Part
    from motorik.components.base.ports import PortKind

Size = int | str | Callable[[Any], int]
PortType = TypeVar("PortType", bound=Port, covariant=True)


class Declaration:
    """A declaration of a class under a name, under which each part holds its own value."""

    def __set_name__(self, owner: type, name: str) -> None:
        if self.__dict__.get("_name", name) != name:  # one declaration under two names
            twin = replace(self)  # type: ignore[type-var]
            setattr(owner, name, twin)
            twin.__set_name__(owner, name)
            return
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "__doc__", self.__dict__["description"])
        self.complete(owner, name)

    def complete(self, owner: type, name: str) -> None:
        """Take over unit, limits and type from the annotation."""

    @property
    def kind_of_value(self) -> AnyKind | None:
        """The kind that its annotation gives, None if there is none."""
        return self.__dict__.get("_kind")


@immutable
class ParameterSpec(Declaration):
    """Declaration of a parameter: its meaning, unit, default and valid values.

    As an attribute of a part it is the part's value, and notes in the part's `_reads`, while
    there is such a set, that it was read. Unit and conversion are those of its annotation,
    a kind of `motorik.components.base.kinds`, unless they are given.
    """

    description: str
    unit: str = ""
    default: Any = None
    convert: Convert = as_given

    def complete(self, owner: type, name: str) -> None:
        """Take over unit and conversion of its kind."""
        kind = annotated_kind(owner, name)
        if kind is not None:
            object.__setattr__(self, "_kind", kind)
            object.__setattr__(self, "unit", self.unit or kind.unit)
            if self.convert is as_given:
                object.__setattr__(self, "convert", kind.convert)

    @property
    def is_unlimited(self) -> bool:
        """Whether any finite number is a value: its kind is a number without limits."""
        kind = self.__dict__.get("_kind")
        if kind is None or kind.form != "number":
            return False
        return kind.minimum == kind.above == -math.inf and kind.maximum == math.inf

    def __get__(self, part: Part | None, kind: type) -> Any:
        """Return the value of a part, or of a class the declaration itself."""
        if part is None:
            return self
        state, name = part.__dict__, self.__dict__["_name"]
        if "_reads" in state:
            state["_reads"].add(name)
        if name not in state:
            raise AttributeError(name)  # `__getattr__` of the part says why
        return state[name]

    def __set__(self, part: Part, value: object) -> None:
        """Let the part set the value."""
        setattr(part, self.__dict__["_name"], value)

    def initial(self, part: str, name: str) -> Any:
        """Return the default as parts hold it; immutable ones are made once."""
        kept = self.__dict__.get("_initial", self)
        if kept is not self:
            return kept
        default = self.default
        if isinstance(default, Parameter):  # each part has its own
            default = default.copy()
            default.settle(name, self.unit, self.description)
        value = self.convert(part, name, self.unit, default)
        if _is_immutable(value):
            object.__setattr__(self, "_initial", value)
        return value

    @property
    def is_shared(self) -> bool:
        """Whether parts share the default, as it cannot be changed."""
        return "_initial" in self.__dict__


@immutable
class StartSpec(Declaration):
    """Declaration of a variable that can be given a start value."""

    description: str
    unit: str = ""
    size: int = 1
    default: Start | None = None

    def complete(self, owner: type, name: str) -> None:
        """Take over unit and size of its kind."""
        kind = annotated_kind(owner, name)
        if kind is not None:
            object.__setattr__(self, "_kind", kind)
            object.__setattr__(self, "unit", self.unit or kind.unit)
            object.__setattr__(self, "size", getattr(kind, "size", self.size))

    @cached_property
    def unset(self) -> Start:
        """The start value while none is given."""
        return self.default or Start(0.0 if self.size == 1 else (0.0,) * self.size)


@immutable
class PortSpec(Declaration, Generic[PortType]):
    """Declaration of a port; it exists if the parameter `when` is true, or when it is used.

    A part made with `when` given as False has no such port. `when` may also be "a or b" or
    "a and b" of two parameters. A signal has `size` elements: a
    number, the name of the parameter that is this number or has as many entries, or a
    function of the part.
    """

    description: str
    type: type[PortType]
    when: str = ""
    unit: str = ""
    size: Size = 1
    default: float | None = None

    @property
    def kind(self) -> PortKind:
        """The kind of the port."""
        return self.type.kind

    @cached_property
    def deciding(self) -> tuple[str, ...]:
        """The parameters on which it depends whether the port exists."""
        return tuple(self.when.split()[::2])

    def is_open(self, values: Mapping[str, Any]) -> bool:
        """Return whether the port exists with these values of the parameters."""
        if not self.when:
            return True
        holds = any if " or " in self.when else all
        return holds(values[name] for name in self.deciding)

    @overload
    def __get__(self, part: None, kind: object) -> Self: ...
    @overload
    def __get__(self, part: Part, kind: object) -> PortType: ...
    def __get__(self, part: Part | None, kind: object) -> Self | PortType:
        """Return a port that the part does not use yet, or of a class the declaration."""
        return self if part is None else part._unused_port(self.__dict__["_name"], self)

    def port_of(self, owner: Part, name: str, when: str = "") -> PortType:
        """Return the port, made for a part."""
        if self.size == 1:
            return self.type(owner, name, 1, self.default, when)
        size: Any = self.size(owner) if callable(self.size) else self.size
        if isinstance(size, str):
            size = owner.__dict__[size]
        count = size if isinstance(size, int) else len(size)
        return self.type(owner, name, count, self.default, when)


ValueSpec = ParameterSpec | StartSpec
Spec = ValueSpec | PortSpec[Port]


def port_specs(specs: Mapping[str, Spec]) -> tuple[tuple[str, PortSpec[Port]], ...]:
    """Return the declarations of ports, with their names."""
    return tuple((n, spec) for n, spec in specs.items() if isinstance(spec, PortSpec))


def value_specs(specs: Mapping[str, Spec]) -> dict[str, ValueSpec]:
    """Return the declarations of parameters and start values, with their names."""
    return {n: spec for n, spec in specs.items() if not isinstance(spec, PortSpec)}


def parameter(
    description: str, unit: str = "", default: object = None, convert: Convert = as_given
) -> Any:
    """Declare a parameter of a part; its annotation is its kind, with unit and limits.

    Without a default it must be given.
    """
    return ParameterSpec(description, unit, default, convert)


def start(
    description: str, unit: str = "", size: int = 1, default: Start | None = None
) -> Any:
    """Declare a variable whose start value can be given."""
    return StartSpec(description, unit, size, default)


def frame(description: str, when: str = "") -> PortSpec[FramePort]:
    """Declare a frame port."""
    return PortSpec(description, FramePort, when)


def rotational_flange(description: str, when: str = "") -> PortSpec[RotationalFlange]:
    """Declare a flange of a rotational drive line."""
    return PortSpec(description, RotationalFlange, when)


def translational_flange(description: str, when: str = "") -> PortSpec[TranslationalFlange]:
    """Declare a flange of a translational drive line."""
    return PortSpec(description, TranslationalFlange, when)


def signal_input(
    description: str,
    unit: str = "",
    size: Size = 1,
    default: float | None = None,
    when: str = "",
) -> PortSpec[SignalInput]:
    """Declare a signal that the part takes; without a `default` it must be connected."""
    return PortSpec(description, SignalInput, when, unit, size, default)


def signal_output(
    description: str, unit: str = "", size: Size = 1, when: str = ""
) -> PortSpec[SignalOutput]:
    """Declare a signal that the part gives."""
    return PortSpec(description, SignalOutput, when, unit, size)


def boolean_input(
    description: str, size: Size = 1, default: bool | None = None, when: str = ""
) -> PortSpec[BooleanInput]:
    """Declare a truth value that the part takes, as a signal that is 1 or 0."""
    given = None if default is None else float(default)
    return PortSpec(description, BooleanInput, when, "", size, given)


def boolean_output(
    description: str, size: Size = 1, when: str = ""
) -> PortSpec[BooleanOutput]:
    """Declare a truth value that the part gives, as a signal that is 1 or 0."""
    return PortSpec(description, BooleanOutput, when, "", size)


def integer_input(
    description: str, size: Size = 1, default: int | None = None, when: str = ""
) -> PortSpec[IntegerInput]:
    """Declare a whole number that the part takes."""
    given = None if default is None else float(default)
    return PortSpec(description, IntegerInput, when, "", size, given)


def integer_output(
    description: str, size: Size = 1, when: str = ""
) -> PortSpec[IntegerOutput]:
    """Declare a whole number that the part gives."""
    return PortSpec(description, IntegerOutput, when, "", size)


def _is_immutable(value: object) -> bool:
    """Return whether a value cannot change, so that parts may share it."""
    if isinstance(value, tuple):
        return all(map(_is_immutable, value))
    return value is None or isinstance(value, (bool, int, float, str, Vector))
