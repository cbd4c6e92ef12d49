"""The native engine: from the text of an LLVM module to addresses that can be called."""

from __future__ import annotations

import ctypes.util
import functools
import hashlib
import itertools
import sys
import threading
import weakref
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from motorik.compiler.cache import read_entry, write_entry
from motorik.errors import CompileError


class NativeLibrary:
    """Machine code in memory; its addresses are valid as long as this object lives."""

    __slots__ = ("__weakref__", "_addresses", "_tracker", "key")

    def __init__(self, key: str, addresses: dict[str, int], tracker: Any) -> None:
        self.key = key
        self._addresses = addresses
        self._tracker = tracker

    @property
    def names(self) -> tuple[str, ...]:
        """The functions that can be called."""
        return tuple(self._addresses)

    def address(self, name: str) -> int:
        """Return where the function `name` starts."""
        if name not in self._addresses:
            there = ", ".join(self._addresses)
            raise CompileError(
                name, "is not a function of this library", f"There are: {there}."
            )
        return self._addresses[name]

    def __repr__(self) -> str:
        return f"NativeLibrary({', '.join(self._addresses)})"


@dataclass(frozen=True)
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


_LOADING = threading.RLock()


def load(ir_text: str, *, opt: int = 2, cache: bool = True) -> NativeLibrary:
    """Return the machine code of a module given as textual LLVM IR.

    Every function that the module defines with external linkage can be called. `opt` is
    LLVM's level of optimisation, 1 to 3; at 0 no pass rewrites the module, which is best
    for straight-line code without common terms. With `cache`, a module that was compiled before,
    in this process or an earlier one of this user, is loaded as it was left: neither
    optimisation nor code generation runs again.
    """
    with _LOADING:  # LLVM works for one thread at a time, and code is loaded once
        key = _key(ir_text, opt)
        if not cache:
            return _link(key, *_compile(ir_text, opt))
        library = _loaded.get(key)
        if library is None:
            entry = read_entry(key)
            if entry is None:
                names, code = _compile(ir_text, opt)
                library = _link(key, names, code)
                write_entry(key, ",".join(names).encode() + b"\n" + code)
            else:
                head, _, code = entry.partition(b"\n")
                library = _link(key, head.decode().split(","), code)
            _loaded[key] = library
        return library


@functools.cache
def find_host() -> Host:
    """Return the machine of this process."""
    llvm = _llvm()
    return Host(
        triple=llvm.get_process_triple(),
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        data_layout=str(_target_machine(2).target_data),
        llvm_version=".".join(map(str, llvm.llvm_version_info)),
    )


_loaded: weakref.WeakValueDictionary[str, NativeLibrary] = weakref.WeakValueDictionary()
_numbers = itertools.count()


@functools.cache
def _llvm() -> Any:
    """Import LLVM and make the host's code generator known."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if llvm.address_of_symbol("sinh") is None:
        libm = ctypes.util.find_library("m")
        if libm is not None:
            llvm.load_library_permanently(libm)
    return llvm


def _target_machine(opt: int) -> Any:
    """Return a code generator for position-independent code of the host.

    The small code model addresses constants relative to the instruction; the large one,
    LLVM's own choice for code made at run time, needs an instruction more for each.
    """
    llvm = _llvm()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=opt,
        reloc="pic",
        codemodel="small",
    )


def _key(ir_text: str, opt: int) -> str:
    host = find_host()
    digest = hashlib.sha256()
    for part in (host.llvm_version, host.triple, host.cpu, host.features, opt, ir_text):
        digest.update(str(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()


def _compile(ir_text: str, opt: int) -> tuple[list[str], bytes]:
    """Return the names of the callable functions and the object code."""
    llvm = _llvm()
    host = find_host()
    with ExitStack() as opened:  # LLVM's objects must go in the reverse order of coming
        context = opened.enter_context(llvm.create_context())
        try:
            module = opened.enter_context(llvm.parse_assembly(ir_text, context))
            module.triple = host.triple
            module.data_layout = host.data_layout
            module.verify()
        except RuntimeError as error:
            raise CompileError(
                "LLVM module",
                f"is not valid: {error}",
                "Mend the code that wrote its text.",
            ) from error
        names = [
            function.name
            for function in module.functions
            if not function.is_declaration and function.linkage == llvm.Linkage.external
        ]
        machine = opened.enter_context(_target_machine(max(opt, 1)))
        if opt > 0:
            options = llvm.create_pipeline_tuning_options(speed_level=opt)
            opened.enter_context(options)
            builder = opened.enter_context(llvm.create_pass_builder(machine, options))
            passes = opened.enter_context(builder.getModulePassManager())
            passes.run(module, builder)
        return names, machine.emit_object(module)


@functools.cache
def _linker() -> Any:
    """Return the one linker of this process."""
    return _llvm().create_lljit_compiler(
        _target_machine(2), use_jit_link=sys.platform != "win32", suppress_errors=True
    )


def _link(key: str, names: list[str], code: bytes) -> NativeLibrary:
    library = _llvm().JITLibraryBuilder().add_object_img(code).add_current_process()
    for name in names:
        library.export_symbol(name)
    try:
        tracker = library.link(_linker(), f"motorik{next(_numbers)}")
    except RuntimeError as error:
        raise CompileError(
            "LLVM module",
            f"cannot be linked: {error}",
            "Call only functions that the module or the C library defines.",
        ) from error
    return NativeLibrary(key, {name: tracker[name] for name in names}, tracker)
