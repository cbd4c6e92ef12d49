"""A native function: machine code that is called with NumPy arrays or by its address."""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motorik.compiler.native import NativeLibrary, load
from motorik.errors import ParameterError
from motorik.immutable import immutable

if TYPE_CHECKING:
    import casadi

    from motorik.compiler.straight.module_text import ModuleText

Floats = NDArray[np.float64]

#: The symbol of the loop over samples.
SAMPLE_LOOP = "for_each_sample"


@immutable
class Argument:
    """An input or output: a matrix of `rows` times `columns`, stored column by column."""

    name: str
    rows: int
    columns: int = 1

    @property
    def size(self) -> int:
        """The count of its numbers."""
        return self.rows * self.columns

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its array: a column is a plain vector."""
        return (self.rows,) if self.columns == 1 else (self.rows, self.columns)


class NativeFunction:
    """Machine code with the C signature ``void f(const double *in…, double *out…)``.

    Every argument is dense, matrices column by column. A function of `width` W computes W
    lanes at once: element i of lane l lies at [i · W + l], so arrays have a last axis of
    length W. No output may overlap an input. The code, and so its `address`, exists as long
    as this object; it may run in several threads at once.
    """

    def __init__(
        self,
        name: str,
        library: NativeLibrary,
        symbol: str,
        inputs: tuple[Argument, ...],
        outputs: tuple[Argument, ...],
        *,
        width: int = 1,
        n_instructions: int = 0,
        function: casadi.Function | None = None,
        replaces: bool = False,
    ) -> None:
        self.name = name
        self.library = library
        self.symbol = symbol
        self.inputs = inputs
        self.outputs = outputs
        self.width = width
        self.n_instructions = n_instructions
        self.function = function  # that it was made of; None where it was made before
        self.address = library.address(symbol)
        self.replace_address = library.address(replace_symbol(symbol)) if replaces else 0
        n_arguments = len(inputs) + len(outputs)
        self.call_at = _prototype(*[ctypes.c_void_p] * n_arguments)(self.address)

    def __call__(self, *arrays: ArrayLike) -> Any:
        """Return the outputs, one array or a tuple of them."""
        self._check_count(arrays)
        given = [
            self._flat(argument, np.asarray(array, dtype=float), ())
            for argument, array in zip(self.inputs, arrays, strict=True)
        ]
        made = [np.empty(argument.size * self.width) for argument in self.outputs]
        self.call_at(*[array.ctypes.data for array in (*given, *made)])
        return self._shaped(made, ())

    def map(self, *arrays: ArrayLike) -> Any:
        """Return the outputs of N samples, which have a leading axis of length N.

        An input without this axis is the same for all samples.
        """
        self._check_count(arrays)
        values = [np.asarray(array, dtype=float) for array in arrays]
        counts = {
            value.shape[0]
            for argument, value in zip(self.inputs, values, strict=True)
            if value.ndim > self._n_axes(argument)
        }
        if len(counts) > 1:
            raise ParameterError(
                self.name,
                f"is mapped over different counts of samples: {sorted(counts)}",
                "Give all inputs the same leading axis, or none.",
                parameter="samples",
                value=sorted(counts),
            )
        count = counts.pop() if counts else 1
        passed: list[int] = []
        given: list[Floats] = []
        for argument, value in zip(self.inputs, values, strict=True):
            sampled = value.ndim > self._n_axes(argument)
            given.append(self._flat(argument, value, (count,) if sampled else ()))
            stride = argument.size * self.width if sampled else 0
            passed += [given[-1].ctypes.data, stride]
        made = [np.empty(count * a.size * self.width) for a in self.outputs]
        for argument, array in zip(self.outputs, made, strict=True):
            passed += [array.ctypes.data, argument.size * self.width]
        loop, _ = sample_loop(len(given) + len(made))
        loop(count, self.address, *passed)
        return self._shaped(made, (count,))

    def _n_axes(self, argument: Argument) -> int:
        return len(argument.shape) + (self.width > 1)

    def _check_count(self, arrays: tuple[ArrayLike, ...]) -> None:
        if len(arrays) != len(self.inputs):
            names = ", ".join(argument.name for argument in self.inputs)
            raise ParameterError(
                self.name,
                f"has {len(self.inputs)} inputs and was given {len(arrays)}",
                f"Give one array for each of: {names}.",
                parameter="inputs",
                value=len(arrays),
            )

    def _flat(self, argument: Argument, value: Floats, leading: tuple[int, ...]) -> Floats:
        """Return the numbers of an input in the order of memory."""
        lanes = () if self.width == 1 else (self.width,)
        shape = (*leading, *argument.shape, *lanes)
        if value.shape != shape and not (
            value.size == argument.size * self.width and not leading and value.ndim <= 1
        ):
            raise ParameterError(
                f"{self.name}, input '{argument.name}'",
                f"has the shape {value.shape}",
                f"Give an array of shape {shape}.",
                parameter=argument.name,
                value=value,
            )
        if argument.columns > 1 and value.shape == shape:
            row = len(leading)
            value = value.swapaxes(row, row + 1)
        return np.ascontiguousarray(value).reshape(-1)

    def _shaped(self, made: list[Floats], leading: tuple[int, ...]) -> Any:
        """Return the outputs with the axes of their matrices."""
        lanes = () if self.width == 1 else (self.width,)
        results = []
        for argument, array in zip(self.outputs, made, strict=True):
            if argument.columns > 1:
                row = len(leading)
                array = array.reshape(*leading, argument.columns, argument.rows, *lanes)
                results.append(array.swapaxes(row, row + 1))
            else:
                results.append(array.reshape(*leading, argument.rows, *lanes))
        return results[0] if len(results) == 1 else tuple(results)

    def __repr__(self) -> str:
        given = ", ".join(f"{a.name}[{a.size}]" for a in self.inputs)
        made = ", ".join(f"{a.name}[{a.size}]" for a in self.outputs)
        lanes = f", {self.width} lanes" if self.width > 1 else ""
        return (
            f"NativeFunction({self.name}: ({given}) -> ({made}), "
            f"{self.n_instructions} instructions{lanes})"
        )


@functools.cache
def sample_loop(n_arguments: int) -> tuple[Any, NativeLibrary]:
    """Return the loop that calls a function of so many arguments once for each sample.

    Its parameters are the count of samples, the address of the function, and of each argument
    the address and the stride, in doubles (0: the same for all samples).
    """
    library = load(write_sample_loop(n_arguments), opt=1)
    types = [ctypes.c_void_p, ctypes.c_int64] * n_arguments
    prototype = _prototype(ctypes.c_int64, ctypes.c_void_p, *types)
    return prototype(library.address(SAMPLE_LOOP)), library


def write_sample_loop(n_arguments: int) -> str:
    """Return the definition of the loop of `sample_loop`."""
    parameters, lines, passed = ["i64 %count", "ptr %function"], [], []
    for k in range(n_arguments):
        parameters += [f"ptr %base{k}", f"i64 %stride{k}"]
        lines.append(f"%offset{k} = mul i64 %sample, %stride{k}")
        lines.append(f"%place{k} = getelementptr double, ptr %base{k}, i64 %offset{k}")
        passed.append(f"ptr %place{k}")
    return "\n".join(
        [
            f"define void @{SAMPLE_LOOP}({', '.join(parameters)}) nounwind {{",
            "%any = icmp sgt i64 %count, 0",
            "br i1 %any, label %loop, label %done",
            "loop:",
            "%sample = phi i64 [0, %0], [%next, %loop]",
            *lines,
            f"call void %function({', '.join(passed)})",
            "%next = add i64 %sample, 1",
            "%more = icmp slt i64 %next, %count",
            "br i1 %more, label %loop, label %done",
            "done:",
            "ret void",
            "}",
        ]
    )


def write_replace(symbol: str, size: int) -> str:
    """Return the definition of the function of (t, x, p) that overwrites x with its output."""
    return "\n".join(
        [
            f"define void @{replace_symbol(symbol)}(ptr %t, ptr %x, ptr %p) nounwind {{",
            f"%new = call ptr @malloc(i64 {8 * size})",
            f"call void @{symbol}(ptr %t, ptr %x, ptr %p, ptr %new)",
            f"call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %new, i64 {8 * size}, i1 false)",
            "call void @free(ptr %new)",
            "ret void",
            "}",
        ]
    )


def add_replacing(module: ModuleText, symbol: str, size: int) -> None:
    """Add the function that overwrites x to the module of the function `symbol`."""
    for line in (
        "declare noalias ptr @malloc(i64)",
        "declare void @free(ptr)",
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    ):
        module.declarations.setdefault(line)
    module.add(write_replace(symbol, size))


def replace_symbol(symbol: str) -> str:
    """Return the symbol of the function that overwrites x."""
    return f"{symbol}.replace"


def _prototype(*types: Any) -> Any:
    return ctypes.CFUNCTYPE(None, *types)
