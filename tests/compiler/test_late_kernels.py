"""Kernels whose machine code is made when they are first called."""

import ctypes
import signal
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
    share,
    translate,
)
from motorik.compiler.kernels.late import link_symbol
from motorik.compiler.kernels.native_kernel import late_group


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
