"""Kernels: loops written in a small typed part of Python and compiled to machine code.

A kernel is a plain function with annotated arguments:

    @kernel
    def add(n: Int, a: Float, x: Floats, y: Floats) -> None:
        for i in lanes(n):
            y[i] += a * x[i]

Called, it runs as Python on NumPy arrays; `native(add)` returns the same as machine code.
Arguments that belong together are a group, a dataclass of such fields: annotate it with the
class and write `group.x`, or pass the whole on, also as `replace(group, x=y)`; machine code takes
its fields one by one. A group can also be made where it is passed: `solve(Equations(f, x), n)`.
`floats_at(a)`, `ints_at(a)` and `function_at(a)` are what begins at an address. (Its
annotations must be text, as `from __future__ import annotations` makes them.)
Arrays whose elements have names are records, see `records`: `w.t` instead of `w[0]`. Constants
are numbers and tuples of the module, or of classes and other modules by their dotted names.
Local variables take the kind of their first value. Arrays are not checked for length.
"""

from motorik.compiler.kernels.ir import KernelError
from motorik.compiler.kernels.language import (
    Float,
    Floats,
    Function,
    Int,
    Ints,
    Kernel,
    exponent,
    floats_at,
    function_at,
    ints_at,
    lanes,
    mantissa,
    power_of_two,
    share,
    tail,
    unroll,
)
from motorik.compiler.kernels.native_kernel import (
    NativeKernel,
    kernel,
    link_early,
    native,
    native_group,
    translate,
)
from motorik.compiler.kernels.records import Integers, Reals, integer, real

__all__ = [
    "Float",
    "Floats",
    "Function",
    "Int",
    "Integers",
    "Ints",
    "Kernel",
    "KernelError",
    "NativeKernel",
    "Reals",
    "exponent",
    "floats_at",
    "function_at",
    "integer",
    "ints_at",
    "kernel",
    "lanes",
    "link_early",
    "mantissa",
    "native",
    "native_group",
    "power_of_two",
    "real",
    "share",
    "tail",
    "translate",
    "unroll",
]
