"""The kernel language: its types, its loops and the class of kernels."""

from __future__ import annotations

import ast
import ctypes
import dataclasses
import functools
import inspect
import linecache
import math
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Generic, ParamSpec, TypeAlias, TypeGuard, TypeVar, cast

import numpy as np

from motorik.compiler.kernels.ir import KernelError, ValueKind
from motorik.compiler.kernels.records import Integers, Reals

Float: TypeAlias = float
Int: TypeAlias = int
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Ints: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Function: TypeAlias = Callable[..., None]

ENDLESS = 2**30  # numbers of an array whose count is not known
STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
_KINDS = {
    "Float": ValueKind.FLOAT,
    "Int": ValueKind.INT,
    "Floats": ValueKind.FLOATS,
    "Ints": ValueKind.INTS,
    "Function": ValueKind.FUNCTION,
    "Function | None": ValueKind.FUNCTION,
    "None": ValueKind.NOTHING,
}
P = ParamSpec("P")
R = TypeVar("R")
Array = TypeVar("Array", bound="np.ndarray[Any, Any]")

unroll = range
"""`for i in unroll(12)`: the body is written once for each i, which is a constant in it."""

lanes = range
"""`for i in lanes(n)`: the turns do not depend on each other and may run at once; sums
over all turns may be added up in any order."""


def tail(array: Array, offset: Int) -> Array:
    """Return the part of an array from `offset` on, sharing its memory."""
    rest: Any = array[offset:]
    return rest


def floats_at(address: Int) -> Floats:
    """Return the numbers that begin at an address; their count is not known."""
    return _memory_at(ctypes.c_double, address)


def ints_at(address: Int) -> Ints:
    """Return the integers that begin at an address; their count is not known."""
    return _memory_at(ctypes.c_int64, address)


def function_at(address: Int) -> Function:
    """Return the native function at an address; at 0 there is none."""
    if address == 0:
        return cast("Function", None)

    def call(*arrays: Floats | Ints) -> None:
        prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(arrays))
        prototype(int(address))(*(array.ctypes.data for array in arrays))

    return call


def _memory_at(kind: type[ctypes.c_double | ctypes.c_int64], address: Int) -> Any:
    """Return an array on memory that belongs to others."""
    memory: Any = (kind * ENDLESS).from_address(int(address))
    return np.frombuffer(memory, kind)


def mantissa(x: Float) -> Float:
    """Return m, ½ ≤ m < 1, of a positive number x = m 2ᵉ that is not below 2⁻¹⁰²²."""
    return math.frexp(x)[0]


def exponent(x: Float) -> Int:
    """Return e of a positive number x = m 2ᵉ, ½ ≤ m < 1, that is not below 2⁻¹⁰²²."""
    return math.frexp(x)[1]


def power_of_two(e: Int) -> Float:
    """Return 2ᵉ, −1022 ≤ e ≤ 1023."""
    return math.ldexp(1.0, e)


def is_record(kind: object) -> TypeGuard[type[Reals | Integers]]:
    """Return whether an annotation is the class of a record."""
    return isinstance(kind, type) and issubclass(kind, Reals | Integers)


def _word(annotation: ast.expr | None) -> str:
    return "nothing" if annotation is None else ast.unparse(annotation)


@functools.cache
def _definitions(file: str) -> dict[int, ast.FunctionDef]:
    """Return the functions of a file by the line on which they, or decorators, begin."""
    tree = ast.parse("".join(linecache.getlines(file)))
    return {
        min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]): node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


class Kernel(Generic[P, R]):
    """A function of the kernel language: plain Python when called, native on request.

    A kernel that others call is inlined into their machine code, unless it is shared, see `share`.
    """

    def __init__(self, function: Callable[P, R], inline: bool) -> None:
        functools.update_wrapper(self, function)
        self.__name__ = function.__name__
        self.function = function
        self.inline = inline
        self.home: tuple[Kernel[..., Any], ...] = ()  # those it shares a library with
        self.late = False  # whether that is made when it is first called

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run as plain Python, arrays being NumPy's and functions any callable."""
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}: {kind.word}" for name, kind in self.kinds.items())
        return f"Kernel {self.__name__}({arguments}) -> {self.result.word}"

    @property
    def file(self) -> str:
        """The file in which the kernel is written."""
        return self.function.__code__.co_filename

    @functools.cached_property
    def tree(self) -> ast.FunctionDef:
        """The syntax tree, its lines numbered as in the file."""
        tree = _definitions(self.file).get(self.function.__code__.co_firstlineno)
        if tree is None or tree.name != self.function.__name__:
            raise KernelError(
                self.__name__,
                f"its source is not in {self.file}",
                "Write a kernel as a `def` in a file that has not changed since import.",
            )
        return tree

    @functools.cached_property
    def kinds(self) -> dict[str, ValueKind]:
        """Name and kind of each argument; those of a group are `group.field`.

        Machine code that is kept on disk needs them, and not the source: parsing it would take
        longer than loading the code. Annotations that are no text are read from the source.
        """
        words, code = self.function.__annotations__, self.function.__code__
        names = code.co_varnames[: code.co_argcount]
        is_plain = not (code.co_kwonlyargcount or code.co_flags & STARRED)
        is_plain = is_plain and not self.function.__defaults__
        if is_plain and all(isinstance(words.get(name), str) for name in names):
            return {
                name: kind
                for argument in names
                for name, kind in self._parts(argument, words[argument])
            }
        arguments = self.tree.args
        if (
            arguments.vararg
            or arguments.kwarg
            or arguments.kwonlyargs
            or arguments.defaults
        ):
            raise KernelError(
                f"{self.file}:{self.tree.lineno}",
                f"`{self.__name__}` has arguments with * or with defaults",
                "Give a kernel plain arguments only.",
            )
        return {
            name: kind
            for argument in arguments.args
            for name, kind in self._parts(argument.arg, _word(argument.annotation))
        }

    @functools.cached_property
    def records(self) -> dict[str, type[Reals | Integers]]:
        """The arguments that are records, and their classes; those of a group by `group.field`."""
        found: dict[str, type[Reals | Integers]] = {}
        for name, word in self.function.__annotations__.items():
            kind = self.function.__globals__.get(word)
            if is_record(kind):
                found[name] = kind
            elif dataclasses.is_dataclass(kind):
                around = vars(sys.modules[kind.__module__])
                for part in dataclasses.fields(kind):
                    own = around.get(str(part.type))
                    if is_record(own):
                        found[f"{name}.{part.name}"] = own
        return found

    @functools.cached_property
    def result(self) -> ValueKind:
        """Kind of the returned value."""
        word = self.function.__annotations__.get("return")
        kind = self._kind(word if isinstance(word, str) else _word(self.tree.returns))
        if kind not in (ValueKind.FLOAT, ValueKind.INT, ValueKind.NOTHING):
            raise KernelError(
                f"{self.file}:{self.tree.lineno}",
                f"`{self.__name__}` returns {kind.word}",
                "Return Float, Int or None, and arrays through arguments.",
            )
        return kind

    @functools.cached_property
    def names(self) -> dict[str, Any]:
        """Values of the names around the function."""
        around = inspect.getclosurevars(self.function)
        return {**around.builtins, **around.globals, **around.nonlocals}

    def find(self, name: str) -> Any:
        """Return the value of a name around the function, None if there is none.

        A dotted name is followed through modules and classes: `Real.T` is a constant.
        """
        first, *fields = name.split(".")
        value = self.names.get(first)
        for field in fields:
            is_scope = isinstance(value, ModuleType | type)
            value = getattr(value, field, None) if is_scope else None
        return value

    def _parts(self, name: str, word: str) -> list[tuple[str, ValueKind]]:
        group = self.function.__globals__.get(word)
        if word in _KINDS or not dataclasses.is_dataclass(group):
            return [(name, self._kind(word))]
        around = vars(sys.modules[group.__module__])
        parts = dataclasses.fields(group)
        return [(f"{name}.{p.name}", self._kind(str(p.type), around)) for p in parts]

    def _kind(self, word: str, around: Mapping[str, object] | None = None) -> ValueKind:
        if word not in _KINDS:
            kind = (self.function.__globals__ if around is None else around).get(word)
            if is_record(kind):
                return ValueKind.FLOATS if issubclass(kind, Reals) else ValueKind.INTS
            raise KernelError(
                f"{self.file}:{self.tree.lineno}",
                f"`{self.__name__}` has an annotation `{word}`",
                f"Annotate each argument and the result with one of: {', '.join(_KINDS)}.",
            )
        return _KINDS[word]


SHARED: dict[str, Kernel[..., Any]] = {}  # shared kernels by the symbols that others call


def share(*kernels: Kernel[..., Any], late: bool = False) -> None:
    """Let kernels be machine code once, in one library, which all kernels that call them use.

    Shared kernels are compiled for short vectors, whoever calls them. If they are `late`, they
    are compiled when one of them is first called.
    """
    for own in kernels:
        own.home, own.late = kernels, late
        SHARED[f"shared.{own.__name__}"] = own
