"""Declarations: what the class body of a part says about its parameters and ports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from motorik.algebra.vector import Vector
from motorik.components.base.parameter import Parameter
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.values import Convert, Start, as_given

if TYPE_CHECKING:
    from motorik.components.base.part import Part

Size = int | str | Callable[[Any], int]


class Declaration:
    """What a class says under a name, and each of its parts holds under the same name."""

    def __set_name__(self, kind: type, name: str) -> None:
        if self.__dict__.get("_name", name) != name:  # one declaration under two names
            twin = replace(self)  # type: ignore[type-var]
            setattr(kind, name, twin)
            twin.__set_name__(kind, name)
            return
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "__doc__", self.__dict__["description"])

    def __get__(self, part: Part | None, kind: type) -> Any:
        """Return what a part holds, or of a class the declaration itself."""
        if part is None:
            return self
        state, name = part.__dict__, self.__dict__["_name"]
        if name not in state:
            raise AttributeError(name)  # `__getattr__` of the part says why
        return state[name]

    def __set__(self, part: Part, value: Any) -> None:
        """Leave it to the part what becomes of a value."""
        setattr(part, self.__dict__["_name"], value)


@dataclass(frozen=True)
class ParameterSpec(Declaration):
    """Declaration of a parameter: what it means, its unit, default and valid values.

    As an attribute of a part it is the part's value, and notes in the part's `_reads`, while
    there is such a set, that it was read.
    """

    description: str
    unit: str = ""
    default: Any = None
    convert: Convert = as_given

    def __get__(self, part: Part | None, kind: type) -> Any:
        """Return the value of a part, or of a class the declaration itself."""
        if part is not None and "_reads" in part.__dict__:
            part.__dict__["_reads"].add(self.__dict__["_name"])
        return super().__get__(part, kind)

    def initial(self, part: str, name: str) -> Any:
        """Return the default as parts hold it; what cannot be changed is made once."""
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


@dataclass(frozen=True)
class StartSpec:
    """Declaration of a variable that can be given a start value."""

    description: str
    unit: str = ""
    size: int = 1
    default: Start | None = None

    @cached_property
    def unset(self) -> Start:
        """What it is while nobody has said it."""
        return self.default or Start(0.0 if self.size == 1 else (0.0,) * self.size)


@dataclass(frozen=True)
class PortSpec(Declaration):
    """Declaration of a port; it exists if the parameter `when` is true, or when it is used.

    A part made with `when` given as False has no such port. A signal has `size` elements: a
    number, the name of the parameter that is this number or has as many entries, or a
    function of the part.
    """

    description: str
    kind: PortKind
    when: str = ""
    unit: str = ""
    size: Size = 1
    default: float | None = None

    def port_of(self, owner: Part, name: str) -> Port:
        """Return the port, made for a part."""
        size: Any = self.size(owner) if callable(self.size) else self.size
        if isinstance(size, str):
            size = owner.__dict__[size]
        count = size if isinstance(size, int) else len(size)
        return Port(owner, name, self.kind, count, self.default)


def parameter(
    description: str, unit: str = "", default: Any = None, convert: Convert = as_given
) -> Any:
    """Declare a parameter of a part."""
    return ParameterSpec(description, unit, default, convert)


def start(
    description: str, unit: str = "", size: int = 1, default: Start | None = None
) -> Any:
    """Declare a variable whose start value can be given."""
    return StartSpec(description, unit, size, default)


def frame(description: str, when: str = "") -> Any:
    """Declare a frame port."""
    return PortSpec(description, PortKind.FRAME, when)


def rotational_flange(description: str, when: str = "") -> Any:
    """Declare a flange of a rotational drive line."""
    return PortSpec(description, PortKind.ROTATIONAL, when)


def translational_flange(description: str, when: str = "") -> Any:
    """Declare a flange of a translational drive line."""
    return PortSpec(description, PortKind.TRANSLATIONAL, when)


def signal_input(
    description: str,
    unit: str = "",
    size: Size = 1,
    default: float | None = None,
    when: str = "",
) -> Any:
    """Declare a signal that the part takes; without a `default` it must be connected."""
    return PortSpec(description, PortKind.SIGNAL, when, unit, size, default)


def signal_output(description: str, unit: str = "", size: Size = 1, when: str = "") -> Any:
    """Declare a signal that the part gives."""
    return PortSpec(description, PortKind.SIGNAL, when, unit, size)


def _is_immutable(value: Any) -> bool:
    """Tell whether a value cannot change, so that parts may share it."""
    if isinstance(value, tuple):
        return all(map(_is_immutable, value))
    return value is None or isinstance(value, (bool, int, float, str, Vector))
