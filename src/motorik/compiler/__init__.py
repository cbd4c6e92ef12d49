"""From any function of scalars to machine code."""

from motorik.compiler.cache import cache_directory, clear_cache, trim_cache
from motorik.compiler.function import Argument, NativeFunction
from motorik.compiler.lower import (
    compile_function,
    compile_functions,
    count_instructions,
    has_cases,
)
from motorik.compiler.native import NativeLibrary, load
from motorik.compiler.tape import Slot, Tape

__all__ = [
    "Argument",
    "NativeFunction",
    "NativeLibrary",
    "Slot",
    "Tape",
    "cache_directory",
    "clear_cache",
    "compile_function",
    "compile_functions",
    "count_instructions",
    "has_cases",
    "load",
    "trim_cache",
]
