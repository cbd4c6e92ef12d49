"""The native engine and its cache: the same machine code, whether made or found."""

from __future__ import annotations

import ctypes
import gc
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from motorik.compiler import clear_cache, llvm, load, native, trim_cache
from motorik.errors import CompileError

TWICE = """
define double @twice(double %x) {
  %y = fadd double %x, %x
  ret double %y
}
"""


def call(library: native.NativeLibrary, name: str, x: float) -> float:
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(library.address(name))(x)


def scaled(factor: float) -> str:
    return TWICE.replace("fadd double %x, %x", f"fmul double %x, {factor!r}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, with nothing loaded before."""
    monkeypatch.setenv("MOTORIK_CACHE_DIR", str(tmp_path / "objects"))
    gc.collect()
    return tmp_path / "objects"


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The modules that LLVM really compiles."""
    seen: list[str] = []
    make = llvm.compile_module

    def count(ir_text: str, opt: int) -> tuple[list[str], bytes]:
        seen.append(ir_text)
        return make(ir_text, opt)

    monkeypatch.setattr(llvm, "compile_module", count)
    yield seen


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
def test_every_level_of_optimisation_computes_the_same(opt: int) -> None:
    assert call(load(TWICE, opt=opt, cache=False), "twice", 2.5) == 5.0


def test_names_are_those_of_external_functions() -> None:
    library = load(TWICE + TWICE.replace("double @twice", "internal double @hidden"))
    assert library.names == ("twice",)
    with pytest.raises(CompileError, match=r"hidden: is not a function.*\n.*twice"):
        library.address("hidden")


def test_invalid_module_is_refused() -> None:
    with pytest.raises(CompileError, match="is not valid"):
        load("define double @f(double %x) { ret double %y }")


def test_module_that_calls_an_unknown_function_is_refused(folder: Path) -> None:
    text = TWICE.replace("fadd double %x, %x", "call double @no_such_function(double %x)")
    with pytest.raises(CompileError, match="cannot be linked"):
        load("declare double @no_such_function(double)\n" + text)
    assert not list(folder.glob("*"))


def test_function_of_the_c_library_is_found() -> None:
    text = TWICE.replace("fadd double %x, %x", "call double @sinh(double %x)")
    library = load("declare double @sinh(double)\n" + text)
    assert call(library, "twice", 1.0) == pytest.approx(1.1752011936438014, rel=4e-16)


def test_lanes_of_a_machine_are_those_of_its_registers() -> None:
    features = {"-avx,+sse2": 2, "+avx,+avx2,-avx512f": 4, "+avx,+avx512f": 8}
    for text, lanes in features.items():
        assert native.Host("", "", text, "", "").lanes == lanes


@pytest.mark.slow
def test_second_load_compiles_nothing(folder: Path, compilations: list[str]) -> None:
    library = load(TWICE)
    assert load(TWICE) is library
    del library
    gc.collect()
    assert call(load(TWICE), "twice", 3.0) == 6.0
    assert len(compilations) == 1
    assert len(list(folder.glob("*.object"))) == 1


def test_options_and_text_are_part_of_the_key(
    folder: Path, compilations: list[str]
) -> None:
    load(TWICE, opt=1)
    load(TWICE, opt=2)
    load(TWICE + "\n", opt=2)
    assert len(compilations) == 3


def test_without_cache_nothing_is_kept(folder: Path, compilations: list[str]) -> None:
    first, second = load(TWICE, cache=False), load(TWICE, cache=False)
    assert first is not second
    assert len(compilations) == 2
    assert not folder.exists()


def entry_of(folder: Path, text: str) -> Path:
    """Fill the cache with a module, forget it, and return its file."""
    before = set(folder.glob("*.object"))
    load(text)
    gc.collect()
    (path,) = set(folder.glob("*.object")) - before
    return path


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "foreign"])
def test_damaged_entry_is_rebuilt(
    folder: Path, compilations: list[str], damage: str
) -> None:
    path = entry_of(folder, TWICE)
    content = path.read_bytes()
    flipped = content[:-40] + bytes([content[-40] ^ 1]) + content[-39:]
    path.write_bytes(
        {"flip": flipped, "cut": content[:-7], "empty": b"", "foreign": b"x" * 500}[damage]
    )
    assert call(load(TWICE), "twice", 4.0) == 8.0
    assert len(compilations) == 2
    assert path.read_bytes() == content


@pytest.mark.slow
def test_entry_under_the_name_of_another_is_not_used(
    folder: Path, compilations: list[str]
) -> None:
    one, two = entry_of(folder, scaled(2.0)), entry_of(folder, scaled(3.0))
    two.write_bytes(one.read_bytes())
    assert call(load(scaled(3.0)), "twice", 1.0) == 3.0
    assert len(compilations) == 3


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner here")
def test_entry_of_another_user_is_not_used(
    folder: Path, compilations: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    entry_of(folder, TWICE)
    monkeypatch.setattr(os, "geteuid", lambda: os.stat(folder).st_uid + 1)
    assert call(load(TWICE), "twice", 4.0) == 8.0
    assert len(compilations) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="no permission bits")
def test_folder_is_for_its_owner_only(folder: Path) -> None:
    load(TWICE)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_unusable_folder_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MOTORIK_CACHE_DIR", str(tmp_path / "file" / "objects"))
    assert call(load(scaled(5.0)), "twice", 2.0) == 10.0
    assert trim_cache() == 0
    clear_cache()


@pytest.mark.slow
def test_trimming_keeps_the_entries_used_last(folder: Path) -> None:
    paths = [entry_of(folder, scaled(factor)) for factor in (3.0, 5.0, 7.0)]
    for age, path in enumerate(paths):
        os.utime(path, (1000.0 - age, 1000.0 - age))
    load(scaled(7.0))  # the oldest is used again
    kept = trim_cache(2 * paths[0].stat().st_size)
    assert kept == sum(path.stat().st_size for path in (paths[0], paths[2]))
    assert [path.exists() for path in paths] == [True, False, True]


def test_clearing_leaves_loaded_code_usable(folder: Path) -> None:
    library = load(TWICE)
    clear_cache()
    assert not list(folder.iterdir())
    assert call(library, "twice", 1.5) == 3.0


def test_threads_may_load_the_same_at_once(folder: Path) -> None:
    results: list[float] = []
    threads = [
        threading.Thread(target=lambda: results.append(call(load(TWICE), "twice", 1.0)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [2.0] * 8


@pytest.mark.slow
def test_import_loads_no_heavy_package() -> None:
    code = (
        "import sys, motorik.compiler; "
        "print([m for m in ('llvmlite', 'casadi', 'numba') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
