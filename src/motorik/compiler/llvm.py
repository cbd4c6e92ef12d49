"""LLVM passes and code generation in several threads at once.

llvmlite lets one thread at a time into LLVM. LLVM itself allows more: threads may work at once if
each has its own context, module and target machine. The calls that take long, on objects that no
other thread holds, therefore bypass llvmlite's lock; ctypes releases Python's lock meanwhile. All
others are short and left to llvmlite. Linking is not done here: the linker belongs to the process
and serves one thread at a time.
"""

from __future__ import annotations

import ctypes
import functools
import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from motorik.compiler.threads import for_each
from motorik.errors import CompileError
from motorik.immutable import immutable

#: How names of variables begin that hold the address of a table.
TABLE = "lookup."

#: LLVM is made ready by one thread; the others wait.
_READY = threading.RLock()


@immutable
class Host:
    """The machine that code is made for, in LLVM's words."""

    triple: str
    cpu: str
    features: str
    data_layout: str
    llvm_version: str

    @property
    def lanes(self) -> int:
        """How many doubles fit into a register of the machine."""
        if "+avx512f" in self.features:
            return 8
        return 4 if "+avx" in self.features else 2


def find_host() -> Host:
    """Return the machine of this process."""
    with _READY:
        return _found_host()


def llvm() -> Any:
    """Return llvmlite's binding, with the host's code generator known to it."""
    with _READY:
        return _binding()


def make_target_machine(opt: int) -> Any:
    """Return a code generator for position-independent code of the host.

    The small code model addresses constants relative to the instruction; the large one,
    LLVM's own choice for code made at run time, needs an instruction more for each.
    """
    with _READY:
        triple, cpu, features = _processor()
    target = llvm().Target.from_triple(triple)
    return target.create_target_machine(
        cpu=cpu, features=features, opt=opt, reloc="pic", codemodel="small"
    )


def compile_modules(ir_texts: Sequence[str], opt: int) -> tuple[list[str], list[bytes]]:
    """Return the names of callable functions and of tables, and the object code of each module.

    Several modules are compiled at once, as many as there are processors for this process.
    """
    made = for_each(lambda text: compile_module(text, opt), ir_texts)
    return [name for names, _ in made for name in names], [code for _, code in made]


def compile_module(ir_text: str, opt: int) -> tuple[list[str], bytes]:
    """Return the names of callable functions and of tables, and the object code."""
    binding, host, long = llvm(), find_host(), _long_calls()
    with ExitStack() as opened:  # LLVM's objects must go in the reverse order of coming
        context = opened.enter_context(binding.create_context())
        module = opened.enter_context(_parsed(ir_text, context))
        module.triple = host.triple
        module.data_layout = host.data_layout
        with _message() as message:
            if long.VerifyModule(module, message):
                _refuse(message)
        names = [
            function.name
            for function in module.functions
            if not function.is_declaration
            and function.linkage == binding.Linkage.external
            and function.visibility == binding.Visibility.default
        ]
        names += [
            variable.name
            for variable in module.global_variables
            if variable.name.startswith(TABLE) and not variable.is_declaration
        ]
        machine = opened.enter_context(make_target_machine(max(opt, 1)))
        if opt > 0:
            options = binding.create_pipeline_tuning_options(speed_level=opt)
            opened.enter_context(options)
            builder = opened.enter_context(binding.create_pass_builder(machine, options))
            passes = opened.enter_context(builder.getModulePassManager())
            long.RunNewModulePassManager(passes, module, builder)
        return names, _object_code(machine, module)


class _LongCalls:
    """Those functions of LLVM that take long, without llvmlite's lock around them."""

    def __init__(self) -> None:
        from llvmlite.binding import ffi

        library = ctypes.CDLL(ffi.lib._name, handle=ffi.lib._handle)

        def bare(name: str) -> Any:
            function, locked = getattr(library, name), getattr(ffi.lib, name)
            function.argtypes, function.restype = locked.argtypes, locked.restype
            return function

        self.ParseAssembly = bare("LLVMPY_ParseAssembly")
        self.VerifyModule = bare("LLVMPY_VerifyModule")
        self.RunNewModulePassManager = bare("LLVMPY_RunNewModulePassManager")
        self.TargetMachineEmitToMemory = bare("LLVMPY_TargetMachineEmitToMemory")


def _long_calls() -> _LongCalls:
    with _READY:
        return _made_long_calls()


@functools.cache
def _made_long_calls() -> _LongCalls:
    _binding()  # it declares the types of arguments
    return _LongCalls()


@functools.cache
def _binding() -> Any:
    """Import LLVM and make the host's code generator known."""
    import llvmlite.binding as binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    # machine code calls functions of C's mathematical library by name; mostly, Python has it loaded
    if sys.platform != "win32" and not hasattr(ctypes.CDLL(None), "sinh"):
        from ctypes.util import find_library

        libm = find_library("m")
        if libm is not None:
            binding.load_library_permanently(libm)
    return binding


@functools.cache
def _processor() -> tuple[str, str, str]:
    """Return triple, name and features of the host's processor."""
    binding = _binding()
    features = binding.get_host_cpu_features().flatten()
    return binding.get_process_triple(), binding.get_host_cpu_name(), features


@functools.cache
def _found_host() -> Host:
    triple, cpu, features = _processor()
    return Host(
        triple=triple,
        cpu=cpu,
        features=features,
        data_layout=str(make_target_machine(2).target_data),
        llvm_version=".".join(map(str, _binding().llvm_version_info)),
    )


def _message() -> Any:
    """Return a buffer for the error message of LLVM."""
    from llvmlite.binding import ffi

    return ffi.OutputString()


def _parsed(ir_text: str, context: object) -> Any:
    with _message() as message:
        pointer = _long_calls().ParseAssembly(context, ir_text.encode(), message)
        if not pointer or message:
            _refuse(message)
        return llvm().ModuleRef(pointer, context)


def _refuse(message: object) -> None:
    raise CompileError(
        "LLVM module",
        f"is not valid: {message}",
        "Correct the code that generates its text.",
    )


def _object_code(machine: object, module: object) -> bytes:
    from llvmlite.binding import ffi

    with _message() as message:
        buffer = _long_calls().TargetMachineEmitToMemory(machine, module, 1, message)
        if not buffer:
            raise CompileError(
                "LLVM module",
                f"has no machine code: {message}",
                "Use operations that this processor has.",
            )
    try:
        start = ffi.lib.LLVMPY_GetBufferStart(buffer)
        return ctypes.string_at(start, ffi.lib.LLVMPY_GetBufferSize(buffer))
    finally:
        ffi.lib.LLVMPY_DisposeMemoryBuffer(buffer)
