"""Compiler: from a function of scalars, or a kernel, to machine code.

Two kinds of source become LLVM IR and then native code:

- *Traced functions*: a CasADi graph of scalar operations, such as the equations of a mechanism.
  `lower.py` turns it into a `NativeFunction`: common subexpressions are shared, the graph is
  written as straight-line code without branches (`straight`), long code is partitioned into
  blocks, and values of equal structure are packed into vector lanes.
- *Kernels*: functions in a typed subset of Python with loops and branches (`kernels`), such as
  integrators and event detection. They also run as plain Python, which tests use.

`rolled` serves large mechanisms: an algorithm is recorded on a tape of calls, and calls that
differ only in data share one traced routine, so code size does not grow with the mechanism.

Data flow::

    casadi.Function ─ straight.code.read_function ─► StraightCode ─ routine ─► LLVM IR ┐
    tape of calls ── rolled.layout ── rolled.program (table of calls + routines) ──────┤
    @kernel ─ ast ─ kernels.statements, expressions ───────────────────────────────────┤
                                                    native.py (JIT) ◄─ cache.py ◄──────┘

`native.py` compiles the text of LLVM modules, `cache.py` keeps the object code on disk under the
digest of its IR, `llvm.py` and `threads.py` let several modules compile at once. `function.py` has
the callable: NumPy arrays in and out, or an address for other native code. `interpret.py`
evaluates the same functions in CasADi's virtual machine where compiling would not pay.
`flattening.py` takes nested values (pytrees) apart into scalars and puts them together again.

Native code has no state: everything an evaluation needs is an argument, so runs in several
threads share it. The package knows functions of scalars only, nothing of mechanics.
"""

from typing import TYPE_CHECKING

from motorik.names import refuse_others

if TYPE_CHECKING:
    from motorik.compiler.cache import (
        cache_directory,
        cache_limit,
        clear_cache,
        trim_cache,
    )
    from motorik.compiler.function import Argument, NativeFunction
    from motorik.compiler.lower import (
        Request,
        compile_function,
        compile_functions,
        compile_library,
        compile_together,
        count_instructions,
        has_cases,
    )
    from motorik.compiler.native import NativeLibrary, load

__all__ = [
    "Argument",
    "NativeFunction",
    "NativeLibrary",
    "Request",
    "cache_directory",
    "cache_limit",
    "clear_cache",
    "compile_function",
    "compile_functions",
    "compile_library",
    "compile_together",
    "count_instructions",
    "has_cases",
    "load",
    "trim_cache",
]

_HOMES = {
    "motorik.compiler.cache": [
        "cache_directory",
        "cache_limit",
        "clear_cache",
        "trim_cache",
    ],
    "motorik.compiler.function": ["Argument", "NativeFunction"],
    "motorik.compiler.lower": [
        "Request",
        "compile_function",
        "compile_functions",
        "compile_library",
        "compile_together",
        "count_instructions",
        "has_cases",
    ],
    "motorik.compiler.native": ["NativeLibrary", "load"],
}
__getattr__ = refuse_others(__name__, __all__, _HOMES)
