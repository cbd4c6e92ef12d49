"""From any function of scalars to machine code."""

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
from motorik.compiler.rolled.tape import Tape, TapeValue

__all__ = [
    "Argument",
    "NativeFunction",
    "NativeLibrary",
    "Request",
    "Tape",
    "TapeValue",
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
