"""Slots: the places at which the objects of a system hold numbers and other objects."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from types import CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.algebra.value import Value
from motorik.mobile.elements.output_generator import OutputGenerator
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import Settable
from motorik.mobile.states.variable import StateVariable

OWN_PACKAGES = ("motorik.mobile", "motorik.elements")
STRUCTURE = ("_variables", "_subchains", "_systems")  # private, but given by the user
OF_COMPILED = "_motorik_compiled"  # where a system keeps its machine code
NUMBERS = (int, float, np.number)
SINGLE = (str, bytes, complex, bool, type(None), Enum, np.ndarray, np.generic)


Identity = tuple[int, Any, bool]
"""The container of a slot by its id, its key, and whether it is an item."""


class StateSlot:
    """An attribute of an object, an item of a list or dictionary, or a cell of a closure."""

    __slots__ = ("container", "is_inherited", "is_item", "key")

    def __init__(
        self,
        container: object,
        key: object,
        is_item: bool = False,
        is_inherited: bool = False,
    ) -> None:
        self.container: Any = container
        self.key: Any = key
        self.is_item = is_item
        self.is_inherited = is_inherited  # from the class: it is never written

    def read(self) -> Any:
        """Return the present content; `MISSING` where there is none."""
        try:
            if self.is_item:
                return self.container[self.key]
            return getattr(self.container, self.key)
        except (LookupError, AttributeError, ValueError):
            return MISSING

    def write(self, value: object) -> None:
        """Put a value there."""
        if self.is_item:
            self.container[self.key] = value
        else:
            setattr(self.container, self.key, value)

    @property
    def identity(self) -> Identity:
        """Its identity among all slots."""
        return id(self.container), self.key, self.is_item

    def __repr__(self) -> str:
        if self.is_item:
            return f"item {self.key!r}"
        name = getattr(self.container, "name", "") or type(self.container).__name__
        return f"{name}.{self.key}"


class Missing:
    """Nothing is there."""


MISSING = Missing()


class Content:
    """The objects that a list or dictionary holds, as one value."""

    def __init__(self, container: list | dict) -> None:
        self.container = container
        self._copy = container.copy()

    @property
    def is_changed(self) -> bool:
        """Whether it now holds more, less or other keys."""
        if isinstance(self.container, dict):
            return list(self.container) != list(self._copy)
        return len(self.container) != len(self._copy)

    def restore(self) -> None:
        """Restore its content."""
        if isinstance(self.container, dict):
            assert isinstance(self._copy, dict)
            self.container.clear()
            self.container.update(self._copy)
        else:
            self.container[:] = self._copy


class StateSlots:
    """All slots within reach of some objects, with their contents; and all state objects.

    Objects are read by their attributes, those of classes of users also by the numbers that
    their methods read from modules and closures. Objects of other packages are not looked
    into.
    """

    def __init__(self, *roots: object) -> None:
        self.values: dict[Identity, tuple[StateSlot, Any]] = {}
        self.hidden: set[Identity] = set()  # private ones of own classes: caches
        self.states: dict[int, StateVariable | Frame] = {}
        self.contents: list[Content] = []
        self._seen: dict[int, Any] = {}
        waiting: list[Any] = list(roots)
        while waiting:
            one = waiting.pop()
            if id(one) in self._seen or isinstance(one, (*NUMBERS, *SINGLE)):
                continue
            self._seen[id(one)] = one
            if isinstance(one, StateVariable | Frame):
                self.states[id(one)] = one
                continue
            waiting += self._within(one)

    def _within(self, one: object) -> Iterator[Any]:
        if isinstance(one, Value | Settable):
            return
        if isinstance(one, tuple | set | frozenset):
            yield from one
        elif isinstance(one, list | dict):
            self.contents.append(Content(one))
            keys = list(one) if isinstance(one, dict) else range(len(one))
            for key in keys:
                yield self._add(StateSlot(one, key, True))
        elif isinstance(one, MethodType):
            yield one.__self__
            yield one.__func__
        elif isinstance(one, FunctionType):
            if not _is_own(one.__module__) and not _is_foreign(one.__module__):
                yield from self._read_by(one)
        elif not isinstance(one, type):
            yield from self._attributes(one)

    def _attributes(self, one: object) -> Iterator[Any]:
        module = type(one).__module__
        if _is_foreign(module):
            return
        own, own_names = _is_own(module), _attribute_names(one)
        for key in own_names:
            if isinstance(one, OutputGenerator) and key in ("records", "stream"):
                continue
            if key in (OF_COMPILED, "_users"):
                continue
            slot = StateSlot(one, key)
            if own and key[0] == "_" and key not in STRUCTURE:
                self.hidden.add(slot.identity)
            yield self._add(slot)
        for kind in type(one).__mro__:
            if kind is object or _is_own(kind.__module__) or _is_foreign(kind.__module__):
                continue
            for key, value in list(vars(kind).items()):
                if isinstance(value, (*NUMBERS, Value)) and key not in own_names:
                    yield self._add(StateSlot(one, key, is_inherited=True))
                for function in _functions(value):
                    yield from self._read_by(function)

    def _read_by(self, function: FunctionType) -> Iterator[Any]:
        """Note the numbers that a function reads from its module and its closure."""
        for cell in function.__closure__ or ():
            yield self._add(StateSlot(cell, "cell_contents"))
        for name in _names_in(function.__code__):
            value = function.__globals__.get(name, None)
            if isinstance(value, (*NUMBERS, Value, np.ndarray)):
                yield self._add(StateSlot(function.__globals__, name, True))
            elif isinstance(value, FunctionType):
                yield value

    def _add(self, slot: StateSlot) -> Any:
        value = slot.read()
        self.values[slot.identity] = slot, value
        return value

    def restore(self) -> None:
        """Restore the contents of all slots."""
        for content in self.contents:
            if content.is_changed:
                content.restore()
        for slot, value in self.values.values():
            is_kept = value is MISSING or slot.is_inherited or slot.read() is value
            if not is_kept:
                slot.write(value)


def _attribute_names(one: object) -> list[str]:
    names = list(getattr(one, "__dict__", ()))
    for kind in type(one).__mro__:
        slots = vars(kind).get("__slots__", ())
        names += [slots] if isinstance(slots, str) else slots
    return [name for name in names if name not in ("__dict__", "__weakref__")]


def _functions(value: object) -> Iterator[FunctionType]:
    """Yield the functions of a class: methods and properties."""
    found = [value, getattr(value, "__func__", None)]
    if isinstance(value, property):
        found += [value.fget, value.fset]
    else:
        found.append(getattr(value, "func", None))
    yield from (one for one in found if isinstance(one, FunctionType))


@cache
def _names_in(code: CodeType) -> tuple[str, ...]:
    """Return the names that code and the functions within it read."""
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return tuple(
        dict.fromkeys((*code.co_names, *(n for one in inner for n in _names_in(one))))
    )


def _is_own(module: str | None) -> bool:
    return bool(module) and str(module).startswith(OWN_PACKAGES)


@cache
def _is_foreign(module: str | None) -> bool:
    """Return whether a module is of Python, of another package, or of the rest of motorik."""
    name = str(module)
    if _is_own(name):
        return False
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names and top != "__main__":
        return True
    file = str(getattr(sys.modules.get(name), "__file__", "") or "")
    return top == "motorik" or "site-packages" in file or "dist-packages" in file


def is_symbol(value: object) -> bool:
    """Return whether a value is a symbolic expression."""
    return type(value).__name__ == "SX" and type(value).__module__.startswith("casadi")


def entries_of(value: object) -> Iterator[Scalar]:
    """Yield the scalars of numbers, of values of the algebra, and of tuples and lists of them."""
    if isinstance(value, Settable):
        return
    if isinstance(value, Value):
        for leaf in value._leaves:
            yield from entries_of(getattr(value, leaf))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from entries_of(one)
    elif is_symbol(value) or (isinstance(value, NUMBERS) and not isinstance(value, bool)):
        yield value


def with_entries(value: object, entries: Iterator[Scalar]) -> Any:
    """Return a value with its scalars replaced in their order."""
    if isinstance(value, Settable):
        return value
    if isinstance(value, Value):
        return type(value)(
            *[with_entries(getattr(value, leaf), entries) for leaf in value._leaves]
        )
    if isinstance(value, tuple | list):
        return type(value)([with_entries(one, entries) for one in value])
    if is_symbol(value) or (isinstance(value, NUMBERS) and not isinstance(value, bool)):
        return next(entries)
    return value


def has_symbols(value: object) -> bool:
    """Return whether a value contains symbols."""
    return any(is_symbol(entry) for entry in entries_of(value))


def is_same(a: object, b: object) -> bool:
    """Return whether a slot that held a now holds the same."""
    if a is b:
        return True
    if type(a) is not type(b):
        return isinstance(a, NUMBERS) and isinstance(b, NUMBERS) and a == b
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and np.array_equal(a, b)
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(map(is_same, a, b))
    if isinstance(a, (*NUMBERS, str, bytes)):
        return bool(a == b)
    if isinstance(a, Value) and not isinstance(a, Settable):
        return list(entries_of(a)) == list(entries_of(b))
    return isinstance(a, MethodType) and a == b


class Writer:
    """Writes values made of numbers into a slot, given all numbers of a program's output."""

    def __init__(self, value: object, outputs: list[Scalar]) -> None:
        self._value = value
        self._begin = len(outputs)
        self._is_constant = not has_symbols(value)
        self._kids: list[Writer] = []
        self._kind: type = type(value)
        self._is_flat = False
        if self._is_constant:
            return
        if isinstance(value, Value):
            parts = [getattr(value, leaf) for leaf in value._leaves]
            self._is_flat = not any(isinstance(p, Value | tuple | list) for p in parts)
            if self._is_flat:
                outputs += parts
            else:
                self._kids = [Writer(part, outputs) for part in parts]
        elif isinstance(value, tuple | list):
            self._kids = [Writer(part, outputs) for part in value]
        else:
            outputs.append(value)
        self._end = len(outputs)

    def __call__(self, numbers: Sequence[float]) -> Any:
        """Return the value with the numbers of this output."""
        if self._is_constant:
            return self._value
        if self._is_flat:
            return self._kind(*numbers[self._begin : self._end])
        if self._kids:
            parts = [kid(numbers) for kid in self._kids]
            return (
                self._kind(*parts) if isinstance(self._value, Value) else self._kind(parts)
            )
        return numbers[self._begin]
