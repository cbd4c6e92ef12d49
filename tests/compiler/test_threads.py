"""Compiling in several threads: the same machine code, whoever makes it and in how many parts."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pytest

from motorik.compiler import (
    Request,
    clear_cache,
    compile_function,
    compile_together,
    llvm,
    load,
    threads,
)
from motorik.compiler.rolled.tape import Tape
from motorik.compiler.straight import module_text, partition
from motorik.errors import CompileError
from tests.compiler.chain_steps import Link, run_chain

X = np.linspace(0.1, 0.9, 10)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    monkeypatch.setenv("MOTORIK_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code is long from 50 operations on, and two processors share the work."""
    monkeypatch.setattr(partition, "WHOLE_LENGTH", 50)
    monkeypatch.setattr(partition, "BLOCK_LENGTH", 30)
    monkeypatch.setattr(module_text, "MODULE_LENGTH", 60)
    monkeypatch.setattr(module_text, "REACHES", True)
    monkeypatch.setattr(threads, "count_processors", lambda: 2)


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules that LLVM compiles."""
    seen: list[str] = []
    make = llvm.compile_module

    def count(text: str, opt: int) -> tuple[list[str], bytes]:
        seen.append(text)
        return make(text, opt)

    monkeypatch.setattr(llvm, "compile_module", count)
    return seen


def make_function(n: int, seed: int) -> casadi.Function:
    """Return a function of ten numbers with n random operations."""
    rng = random.Random(seed)
    x = casadi.SX.sym("x", 10)
    values = list(casadi.vertsplit(x))
    for _ in range(n):
        a, b = rng.choice(values[-30:]), rng.choice(values[-30:])
        make = rng.choice(MAKERS)
        values.append(make(a, b))
    return casadi.Function(f"random{seed}", [x], [casadi.vertcat(*values[-10:])])


MAKERS: list[Callable[[Any, Any], Any]] = [
    lambda a, _: casadi.sin(a),
    lambda a, b: casadi.atan2(a, b),
    *[lambda a, b: 0.5 * (a + b)] * 5,
    *[lambda a, b: a * b] * 3,
]


@pytest.mark.kinds(2)
@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("width", [1, 4])
def test_long_code_in_modules_computes_the_same(
    folder: Path, in_parts: None, modules: list[str], width: int, opt: int
) -> None:
    function = make_function(400, 1)
    expected = np.asarray(function(X)).ravel()
    made = compile_function(function, width=width, opt=opt)
    assert len(modules) > 4
    given = X if width == 1 else np.repeat(X[:, None], width, axis=1)
    result = made(given) if width == 1 else made(given)[:, 2]
    assert result == pytest.approx(expected, rel=1e-12, abs=1e-14)


def test_several_modules_are_found_in_the_cache(
    folder: Path, in_parts: None, modules: list[str]
) -> None:
    function = make_function(400, 2)
    first = compile_function(function)(X)
    count = len(modules)
    assert np.array_equal(compile_function(function)(X), first)
    assert len(modules) == count
    assert len(list(folder.glob("*.object"))) == 1


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("width", [1, 4])
def test_rolled_program_in_modules_computes_the_same(
    folder: Path, in_parts: None, modules: list[str], width: int
) -> None:
    n = 61
    rng = np.random.default_rng(3)
    links = [
        Link(0.5, float(rng.uniform(1.0, 2.0)), "wheel" if i % 5 == 3 else "bar")
        for i in range(n)
    ]
    values = [rng.normal(size=n) for _ in range(3)]

    def program() -> Any:
        tape = Tape()
        given = [tape.input(name, n) for name in ("q", "qd", "tau")]
        tape.output("out", run_chain(tape, links, *given))
        return tape.compile(width=width)

    lanes = [np.repeat(v[:, None], width, axis=1) if width > 1 else v for v in values]
    spread = program()(*lanes)
    assert len(modules) > 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module_text, "REACHES", False)
        modules.clear()
        whole = program()(*lanes)
    assert len(modules) == 1
    assert np.array_equal(spread, whole)


def test_two_threads_are_in_llvm_at_once(
    folder: Path, in_parts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting = threading.Barrier(2, timeout=120.0)
    calls = llvm._long_calls()
    emit = calls.TargetMachineEmitToMemory

    def meet_and_emit(*arguments: Any) -> Any:
        meeting.wait()  # broken if one thread waits for the other to leave
        return emit(*arguments)

    monkeypatch.setattr(calls, "TargetMachineEmitToMemory", meet_and_emit)
    texts = [f"define double @f{k}(double %x) {{ ret double %x }}" for k in range(6)]
    assert set(load(texts).names) == {f"f{k}" for k in range(6)}


@pytest.mark.slow
def test_functions_compiled_together_are_those_compiled_alone(folder: Path) -> None:
    functions = [make_function(n, n) for n in (5, 40, 300, 4000)]
    traced: list[int] = []

    def requests() -> Iterator[Request]:
        for k, function in enumerate(functions):
            traced.append(k)
            yield Request(function, width=4 if k == 1 else 1)

    made = compile_together(requests())
    assert traced == [0, 1, 2, 3]
    assert [m.name for m in made] == [f.name() for f in functions]
    for k, (function, native) in enumerate(zip(functions, made, strict=True)):
        alone = compile_function(function, width=native.width, cache=False)
        given = np.repeat(X[:, None], 4, axis=1) if k == 1 else X
        assert np.array_equal(native(given), alone(given))


def test_failure_in_a_thread_is_raised(folder: Path, in_parts: None) -> None:
    good = "define double @f(double %x) { ret double %x }"
    with pytest.raises(CompileError, match="is not valid"):
        load([good, "define double @g(double %x) { ret double %y }", good])
    x = casadi.SX.sym("x")
    free = casadi.Function("free", [x], [x + casadi.SX.sym("y")], {"allow_free": True})
    with pytest.raises(CompileError, match="not its inputs: y"):
        compile_together([Request(make_function(5, 1)), Request(free)])


@pytest.mark.slow
def test_many_threads_compile_equal_and_different_functions(
    folder: Path, in_parts: None
) -> None:
    functions = [make_function(n, n) for n in (8, 9, 10, 20, 30, 40, 150, 151)]
    expected = [np.asarray(function(X)).ravel() for function in functions]
    failures: list[object] = []

    def work(seed: int) -> None:
        rng = random.Random(seed)
        try:
            for _ in range(13):
                k = rng.randrange(len(functions))
                made = compile_function(functions[k], cache=rng.random() < 0.7)
                if not np.allclose(made(X), expected[k], rtol=1e-12, atol=1e-14):
                    failures.append(k)
                if rng.random() < 0.05:
                    clear_cache()
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(16)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
