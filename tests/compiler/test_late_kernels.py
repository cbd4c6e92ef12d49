"""Kernels whose machine code is made when they are first called."""

import ctypes
import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from motorik.compiler.kernels import (
    Float,
    Floats,
    Int,
    kernel,
    link_early,
    native,
    native_kernel,
    share,
    translate,
)
from motorik.compiler.kernels.late import link_symbol
from motorik.compiler.kernels.native_kernel import late_group, native_group
from motorik.compiler.threads import Background, for_each, wait_for_all
from motorik.errors import CompileError


@kernel(inline=False)
def late_sum(n: Int, a: Float, x: Floats) -> Float:
    """Return a times the sum of numbers."""
    total = 0.0
    for i in range(n):
        total += a * x[i]
    return total


@kernel(inline=False)
def late_scale(n: Int, a: Float, x: Floats) -> None:
    """Multiply numbers."""
    for i in range(n):
        x[i] *= a


@kernel(inline=False)
def late_count(n: Int) -> Int:
    """Return one more."""
    return n + 1


@kernel(inline=False)
def late_other(n: Int) -> Int:
    """Return one less."""
    return n - 1


share(late_sum, late_scale, late=True)
share(late_count, late=True)
share(late_other, late=True)


@kernel
def use_both(n: Int, a: Float, x: Floats, counted: Int) -> Float:
    """Call the first library always, the second if asked for."""
    late_scale(n, a, x)
    total = late_sum(n, a, x)
    if counted > 0:
        total += late_count(n)
    return total


@kernel
def use_again(n: Int, a: Float, x: Floats) -> Float:
    """Call the first library from another module."""
    return late_sum(n, a, x)


@kernel
def use_other(n: Int) -> Int:
    """Call the last library."""
    return late_other(n)


def test_late_kernels_are_made_when_they_are_first_called():
    first, second = late_group(late_sum.home), late_group(late_count.home)
    run = native(use_both)
    assert not first.is_linked and not second.is_linked
    for counted in (0, 1, 1):
        ours, plain = np.arange(5.0), np.arange(5.0)
        assert run(5, 2.0, ours, counted) == use_both(5, 2.0, plain, counted)
        np.testing.assert_array_equal(ours, plain)
        assert first.is_linked and second.is_linked == (counted > 0)


def test_callers_contain_an_entry_in_place_of_the_code():
    text = translate(use_both)
    assert "define internal double @shared.late_sum(" in text
    assert "fmul" not in text
    assert "fmul" in translate(*late_sum.home)


def test_an_interrupt_while_linking_is_raised_afterwards():
    group = late_group(late_other.home)
    run, make = native(use_other), group._make

    def interrupted():
        group._make = make
        raise KeyboardInterrupt

    group._make = interrupted
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            assert run(5) == 4
            for _ in range(1000):
                time.sleep(0.005)
    finally:
        signal.signal(signal.SIGINT, before)
    assert run(7) == 6


def test_linking_early_makes_what_is_called_later():
    link_early(late_count, late_sum)
    for own in (late_count, late_sum):
        late_group(own.home).link()  # waits for the thread, if that has not done it yet
        assert late_group(own.home).is_linked


def test_threads_that_load_at_the_same_time_call_one_function(monkeypatch):
    """Machine code keeps its address only: a second one would be freed and called all the same."""
    make = ctypes.CFUNCTYPE

    def made_slowly(*kinds):
        kind = make(*kinds)

        def wrap(function):
            time.sleep(0.01)
            return kind(function)

        return wrap

    monkeypatch.setattr("motorik.compiler.kernels.late._LINKING", [])
    monkeypatch.setattr("motorik.compiler.kernels.late.ctypes.CFUNCTYPE", made_slowly)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(link_symbol())) for _ in range(4)
    ]
    for own in threads:
        own.start()
    for own in threads:
        own.join()
    assert len(found) == 4 and all(own == found[0] for own in found)


# --- interrupts, failures, forks and exits ------------------------------------------------------


@kernel(inline=False)
def late_after_wait(n: Int) -> Int:
    """Return one more."""
    return n + 1


@kernel(inline=False)
def late_failing(n: Int) -> Int:
    """Return two more."""
    return n + 2


@kernel(inline=False)
def late_at_once(n: Int) -> Int:
    """Return three more."""
    return n + 3


share(late_after_wait, late=True)
share(late_failing, late=True)
share(late_at_once, late=True)


@kernel
def wait_and_call(n: Int, x: Floats) -> Int:
    """Compute for some time, then call a library."""
    for _k in range(n):
        x[0] = 0.5 * x[0] + 1.0 / (x[0] + 1.0)
    return late_after_wait(n)


@kernel
def call_failing(n: Int) -> Int:
    """Call a library that cannot be made at first."""
    return late_failing(n)


@kernel
def call_at_once(n: Int) -> Int:
    """Call a library from several threads."""
    return late_at_once(n)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="has no timers")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_before_linking_begins_neither_crashes_nor_is_lost():
    """The signal comes while native code runs: it is raised before the first line of `_link`."""
    run, n, x = native(wait_and_call), 3_000_000, np.ones(1)
    found = []
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.002)
            found.append(run(n, x))
            for _ in range(1000):
                time.sleep(0.005)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert found in ([], [n + 1])
    assert run(5, x) == 6


def test_a_failure_in_the_background_is_raised_by_who_asks_next():
    group = late_group(late_failing.home)
    make, done = group._make, threading.Event()

    def fail():
        group._make = make
        done.set()
        raise CompileError("late_failing", "cannot be made", "Try again.")

    group._make = fail
    link_early(late_failing)
    assert done.wait(20.0)
    wait_for_all()
    assert not group.is_linked
    with pytest.raises(CompileError, match="cannot be made"):
        link_early(late_failing)
    link_early(late_failing)
    wait_for_all()
    assert group.is_linked and native(call_failing)(3) == 5


def test_a_library_is_begun_once_and_made_once_whoever_calls_first(monkeypatch):
    group = late_group(late_at_once.home)
    make, made, started = group._make, [], []

    def make_slowly():
        made.append(1)
        time.sleep(0.05)
        return make()

    group._make = make_slowly
    background = native_kernel.Background
    monkeypatch.setattr(
        native_kernel, "Background", lambda work: started.append(1) or background(work)
    )
    run = native(call_at_once)
    started.clear()
    for _ in range(5):
        link_early(late_at_once, late_at_once)
    assert started == [1]
    found = []
    threads = [threading.Thread(target=lambda: found.append(run(1))) for _ in range(4)]
    for own in threads:
        own.start()
    for own in threads:
        own.join()
    assert found == [4] * 4 and made == [1]


def test_work_is_done_at_once_where_no_thread_can_be_started(monkeypatch):
    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert Background(lambda: 7).result() == 7
    assert for_each(lambda k: k * k, [1, 2, 3]) == [1, 4, 9]


def run_script(text, tmp_path):
    """Run a script in a process of its own with an empty cache; return what is left of it."""
    environment = {**os.environ, "MOTORIK_CACHE_DIR": str(tmp_path)}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    return subprocess.run(
        [sys.executable, "-c", text],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


FAILING = """
from motorik.compiler.kernels import native
from motorik.compiler.kernels.native_kernel import late_group
from tests.compiler.test_late_kernels import call_failing, late_failing

def fail():
    raise MemoryError("no room for machine code")

late_group(late_failing.home)._make = fail
native(call_failing)(3)
"""


@pytest.mark.slow
def test_a_failure_while_native_code_waits_is_told_before_the_process_ends(tmp_path):
    done = run_script(FAILING, tmp_path)
    assert done.returncode != 0
    assert "no room for machine code" in done.stderr and "the process ends" in done.stderr


FORKING = """
import os, threading
from motorik.compiler.kernels import link_early, native
from motorik.compiler.kernels.native_kernel import late_group
from tests.compiler.test_late_kernels import call_failing, late_failing

group = late_group(late_failing.home)
make, begun = group._make, threading.Event()

def make_slowly():
    begun.set()
    threading.Event().wait(0.2)
    return make()

group._make = make_slowly
run = native(call_failing)
link_early(late_failing)
begun.wait()
child = os.fork()
if child == 0:
    os._exit(run(3))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="has no forks")
def test_a_child_of_a_process_that_compiles_finds_no_lock_taken(tmp_path):
    done = run_script(FORKING, tmp_path)
    assert done.stdout.split() == ["5"], done.stderr


EXITING = """
from motorik.nonsmooth.application.driver_kernels import link_needed
link_needed(2, 0, has_triggers=True, has_conditions=True)
print("done")
"""


@pytest.mark.slow
def test_an_interpreter_that_ends_while_it_compiles_ends_well(tmp_path):
    """What it has made is there for the next one."""
    done = run_script(EXITING, tmp_path)
    assert done.returncode == 0 and done.stdout.split() == ["done"] and not done.stderr
    assert any(path.is_file() for path in tmp_path.rglob("*"))


def test_what_machine_code_calls_by_address_stays_loaded():
    """A library that nothing else refers to is called by those that found it once."""
    link_early(late_sum)
    late_group(late_sum.home).link()
    numbers = np.arange(4.0)
    native_group.cache_clear()
    gc.collect()
    assert native(use_again)(4, 3.0, numbers) == 18.0
