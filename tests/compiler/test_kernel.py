"""The kernel language: each kernel does natively what it does as plain Python."""

from __future__ import annotations

import ctypes
import math
import struct
from dataclasses import dataclass, replace
from math import copysign, cos, exp, fabs, floor, isfinite, log, pow, sin, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motorik.compiler.kernels import (
    Float,
    Floats,
    Function,
    Int,
    Integers,
    Ints,
    KernelError,
    Reals,
    floats_at,
    function_at,
    integer,
    ints_at,
    kernel,
    lanes,
    native,
    native_group,
    real,
    tail,
    translate,
    unroll,
)

WEIGHTS = (0.5, 2, -1.5)
PRIMES = (2, 3, 5, 7)
TRIANGLE = ((1.0,), (2.0, 3.0), (4.0, 5.0, 6.0))
LIMIT = 4
SWITCHED_ON = True


def bits(number: float) -> bytes:
    return struct.pack("<d", number)


# --- arithmetic -----------------------------------------------------------------------------


@kernel
def integer_arithmetic(a: Int, b: Int, out: Ints) -> None:
    out[0] = a // b
    out[1] = a % b
    out[2] = a - b * (a // b)
    out[3] = abs(a)
    out[4] = min(a, b, 3)
    out[5] = max(a, b)
    out[6] = -a
    out[7] = int(a < b) + int(a <= b < 10)


whole = st.integers(-(10**6), 10**6)


@pytest.mark.slow
@given(whole, whole.filter(lambda b: b != 0))
def test_integers_divide_as_in_python(a, b):
    plain, fast = np.zeros((2, 8), dtype=np.int64)
    integer_arithmetic(a, b, plain)
    native(integer_arithmetic)(a, b, fast)
    assert fast.tolist() == plain.tolist()


@kernel
def float_arithmetic(a: Float, b: Float, k: Int, out: Floats) -> None:
    out[0] = a + b
    out[1] = a * b - 1.0
    out[2] = a / b
    out[3] = -a
    out[4] = min(a, b)
    out[5] = max(a, b)
    out[6] = abs(a) + fabs(b)
    out[7] = k / 2 + k
    out[8] = k
    out[9] = copysign(a, b)
    out[10] = floor(a)
    out[11] = int(b)
    out[12] = float(k)
    out[13] = int(isfinite(a / b))


reals = st.floats(-1e6, 1e6).filter(lambda x: abs(x) > 1e-6)


@pytest.mark.slow
@given(reals, reals, whole)
def test_floats_compute_as_in_python(a, b, k):
    plain, fast = np.zeros((2, 14))
    float_arithmetic(a, b, k, plain)
    native(float_arithmetic)(a, b, k, fast)
    # a b − 1 may be contracted to one rounding
    assert fast[1] == pytest.approx(plain[1], rel=1e-15, abs=1e-16 * abs(a * b))
    plain[1] = fast[1]
    assert fast.tolist() == plain.tolist()


@kernel
def mathematics(a: Float, b: Float, out: Floats) -> None:
    out[0] = sqrt(a)
    out[1] = exp(b)
    out[2] = log(a)
    out[3] = pow(a, b)
    out[4] = a**b
    out[5] = sin(b)
    out[6] = cos(b)


@given(st.floats(1e-3, 1e3), st.floats(-5, 5))
def test_mathematical_functions_agree(a, b):
    plain, fast = np.zeros((2, 7))
    mathematics(a, b, plain)
    native(mathematics)(a, b, fast)
    np.testing.assert_allclose(fast, plain, rtol=5e-16, atol=1e-300)


@kernel
def extremes(a: Float, b: Float, out: Floats) -> Int:
    out[0] = min(a, b)
    out[1] = max(a, b)
    return int(a < b) + 2 * int(not a < b) + 4 * int(a != b) + 8 * int(isfinite(a))


@pytest.mark.parametrize("a", [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0])
@pytest.mark.parametrize("b", [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0])
def test_nan_and_infinity_behave_as_in_python(a, b):
    plain, fast = np.zeros((2, 2))
    assert native(extremes)(a, b, fast) == extremes(a, b, plain)
    assert [bits(x) for x in fast] == [bits(x) for x in plain]


# --- control --------------------------------------------------------------------------------


@kernel
def collatz(start: Int, limit: Int) -> Int:
    n = start
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
        if steps >= limit:
            return -1
    return steps


@given(st.integers(1, 10**5), st.integers(1, 400))
def test_while_loops_and_returns(start, limit):
    assert native(collatz)(start, limit) == collatz(start, limit)


@kernel
def first_factor(n: Int) -> Int:
    found = 0
    for i in range(2, n):
        if i % 2 == 0 and i != 2:
            continue
        if n % i == 0:
            found = i
            break
        i += 100  # the loop counts on as if nothing had happened
    return found


@given(st.integers(1, 2000))
def test_break_continue_and_the_loop_variable(n):
    assert native(first_factor)(n) == first_factor(n)


@kernel
def countdown(n: Int, out: Ints) -> Int:
    k = 0
    for i in range(n, -1, -3):
        out[k] = i
        k += 1
    for i in range(5, 5):
        out[k] = i
    return k


def test_a_range_may_count_down_or_be_empty():
    plain, fast = np.zeros((2, 10), dtype=np.int64)
    assert native(countdown)(17, fast) == countdown(17, plain) == 6
    assert fast.tolist() == plain.tolist()


@kernel
def touch(x: Floats) -> Int:
    x[0] += 1.0
    return int(x[0] > 2.0)


@kernel
def lazy(n: Int, x: Floats) -> Int:
    if (n > 0 and touch(x) > 0) or n < -5:
        return 1
    return touch(x) if n == 0 else 7


@pytest.mark.parametrize("n", [-9, -1, 0, 1])
@pytest.mark.parametrize("start", [0.0, 5.0])
def test_operands_that_are_not_needed_are_not_computed(n, start):
    plain, fast = np.full((2, 1), start)
    assert native(lazy)(n, fast) == lazy(n, plain)
    assert fast.tolist() == plain.tolist()


@kernel
def swap(out: Floats) -> None:
    a, b = 1.0, 2.0
    a, b = b, a
    out[0] = a
    out[1] = b
    out[0], out[1] = out[1], out[0] + 10.0


def test_assignments_in_pairs_happen_at_once():
    plain, fast = np.zeros((2, 2))
    swap(plain)
    native(swap)(fast)
    assert fast.tolist() == plain.tolist() == [1.0, 12.0]


# --- constants ------------------------------------------------------------------------------


@kernel
def tables(k: Int) -> Float:
    total = 0.0
    for s in unroll(len(TRIANGLE)):
        for j in unroll(s + 1):
            if j == 1:
                continue
            total += TRIANGLE[s][j]
    if SWITCHED_ON:
        total += 100.0 * LIMIT
    return total + WEIGHTS[k] + PRIMES[k] + TRIANGLE[2][k]


@pytest.mark.parametrize("k", [0, 1, 2])
def test_constants_and_tables_of_the_module(k):
    assert native(tables)(k) == tables(k)


class Slot:
    """Slots of an array."""

    FIRST = 0
    LAST = 2
    WEIGHTS = (1.0, 0.5, 0.25)


class Clock(Reals):
    """Times."""

    time = real(0)
    step = real(2)


class Tally(Integers):
    """Counts."""

    ticks = integer(1)


@dataclass(frozen=True)
class Clockwork:
    """A group of a record and an array."""

    clock: Clock
    rates: Floats


@kernel
def ticks_of_second(counts: Ints) -> Int:
    own = Tally.at(counts, 2)
    own.ticks -= 1
    return own.ticks


def test_records_lie_within_arrays():
    plain, fast = np.array([1, 2, 3, 4]), np.array([1, 2, 3, 4])
    assert native(ticks_of_second)(fast) == ticks_of_second(plain) == 3
    assert fast.tolist() == plain.tolist() == [1, 2, 3, 3]


@kernel(inline=False)
def first_to_second(x: Floats, y: Floats) -> None:
    y[1] = x[0]


@kernel
def tick(own: Clockwork, counts: Tally) -> Float:
    before = own.clock.time
    own.clock.time, own.clock.step = before + own.clock.step, 2.0 * own.rates[0]
    counts.ticks += 1
    counts[Tally.ticks + 1] = counts.ticks
    first_to_second(tail(own.clock, Clock.step), own.rates)
    return before


def test_fields_of_records_are_elements_of_arrays():
    ends = []
    for is_native in (False, True):
        clock, rates = np.array([1.0, 0.0, 0.5]), np.array([3.0, 0.0])
        counts = np.array([7, 8, 9])
        if is_native:
            before = native(tick)(clock, rates, counts)
        else:
            before = tick(Clockwork(clock.view(Clock), rates), counts.view(Tally))
        ends.append((before, clock.tolist(), rates.tolist(), counts.tolist()))
    assert ends[0] == ends[1] == (1.0, [1.5, 0.0, 6.0], [3.0, 6.0], [7, 9, 9])


def test_machine_code_follows_the_fields_of_a_record(monkeypatch):
    clock = np.array([1.0, 0.0, 0.5]).view(Clock)
    assert (Clock.step, clock.step) == (2, 0.5)
    before = translate(tick)
    monkeypatch.setattr(Clock, "step", real(1))
    assert translate(tick) != before


@kernel
def weighted(k: Int, x: Floats) -> Float:
    x[Slot.LAST] += math.tau
    return Slot.WEIGHTS[k] * x[Slot.FIRST] + Slot.WEIGHTS[1] * x[Slot.LAST]


@pytest.mark.parametrize("k", [0, 2])
def test_constants_of_classes_and_modules_have_dotted_names(k):
    plain, fast = np.arange(1.0, 4.0), np.arange(1.0, 4.0)
    assert native(weighted)(k, fast) == pytest.approx(weighted(k, plain), rel=1e-15)
    assert fast.tolist() == plain.tolist() == [1.0, 2.0, 3.0 + math.tau]


def test_machine_code_follows_the_constants_of_a_class(monkeypatch):
    before = translate(weighted)
    assert translate(weighted) == before
    monkeypatch.setattr(Slot, "LAST", 1)
    assert translate(weighted) != before


def test_unrolled_loops_leave_no_loop_and_no_table_behind():
    @kernel
    def total() -> Float:
        result = 0.0
        for i in unroll(3):
            result += WEIGHTS[i]
        return result

    text = translate(total)
    assert text.count("fadd") == 3
    assert "br i1" not in text and "@table" not in text
    assert native(total)() == total() == 1.0


def test_a_known_argument_takes_its_constant():
    @kernel
    def power(n: Int, x: Float) -> Float:
        result = 1.0
        for _k in unroll(n):
            result *= x
        return result

    assert native(power, n=3)(99, 2.0) == 8.0
    with pytest.raises(KernelError, match="constant bounds"):
        native(power)


# --- arrays, functions, kernels ---------------------------------------------------------------


@kernel
def add(n: Int, a: Float, x: Floats, y: Floats) -> None:
    for i in lanes(n):
        y[i] += a * x[i]


@kernel(inline=False)
def length(n: Int, x: Floats) -> Float:
    total = 0.0
    for i in lanes(n):
        total += x[i] * x[i]
    return sqrt(total)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("n", [2, 3, 8, 37])
def test_kernels_call_kernels_on_views(n, wide):
    @kernel
    def chain(n: Int, x: Floats, y: Floats, marks: Ints) -> Float:
        add(n - 1, 2.0, x, tail(y, 1))
        later = tail(marks, 2)
        later[0] = n
        return length(n, y) + length(2, tail(x, n - 2))

    x = np.linspace(-1.0, 2.0, n)
    results = []
    for run in (chain, native(chain, wide=wide)):
        y, marks = x[::-1].copy(), np.zeros(3, dtype=np.int64)
        results.append((run(n, x, y, marks), y.tolist(), marks.tolist()))
    assert results[1][0] == pytest.approx(results[0][0], rel=1e-15)
    assert results[1][1:] == results[0][1:]


@kernel
def iterate(f: Function, g: Function | None, n: Int, x: Floats) -> Int:
    for _i in range(n):
        f(x, tail(x, 1))
    if g is not None:
        g(x)
    return int(g is None)


@kernel
def advance_map(x: Floats, y: Floats) -> None:
    x[0], y[0] = y[0], x[0] + y[0]


def test_functions_are_called_by_address_and_may_be_missing():
    def halve(x):
        x[0] *= 0.5

    c_type = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_double))
    callback = c_type(halve)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    for g_plain, g_native in ((halve, address), (None, None)):
        plain, fast = np.array([0.0, 1.0]), np.array([0.0, 1.0])
        missing = native(iterate)(native(advance_map).address, g_native, 10, fast)
        assert missing == iterate(advance_map, g_plain, 10, plain)
        assert fast.tolist() == plain.tolist()
    assert fast.tolist() == [55.0, 89.0]


def test_a_group_shares_one_library():
    one, two = native_group(length, add)
    assert one.library is two.library
    assert one(2, np.array([3.0, 4.0])) == 5.0


def test_arrays_of_another_kind_are_refused():
    with pytest.raises(KernelError, match="int64"):
        native(length)(2, np.array([3, 4]))
    with pytest.raises(KernelError, match="contiguous"):
        native(length)(2, np.zeros(4)[::2])


def test_repr_shows_the_signature():
    assert repr(length) == "Kernel length(n: Int, x: Floats) -> Float"


# --- refusals -------------------------------------------------------------------------------


def refused(function):
    """Return the message with which a function is refused as a kernel."""
    with pytest.raises(KernelError) as caught:
        translate(kernel(function))
    return str(caught.value)


def test_what_the_language_lacks_is_refused_with_file_and_line():
    def with_list(n: Int) -> Int:
        squares = [i for i in range(n)]
        return squares[0]

    line = with_list.__code__.co_firstlineno + 1
    message = refused(with_list)
    assert f"{__file__}:{line}" in message and "A kernel may hold" in message


def test_fields_that_a_class_lacks_and_fields_of_variables_are_refused():
    def missing(x: Floats) -> Float:
        return x[Slot.MIDDLE]  # pyright: ignore[reportAttributeAccessIssue]

    def hidden(Slot: Float) -> Float:
        return Slot.FIRST  # pyright: ignore[reportAttributeAccessIssue]

    def unnamed(c: Clock) -> Float:
        return c.zone  # pyright: ignore[reportAttributeAccessIssue]

    def assigned(c: Clock) -> None:
        c.zone = 1.0  # pyright: ignore[reportAttributeAccessIssue]

    assert "`c.zone` is neither" in refused(unnamed)
    assert "`c.zone` cannot be assigned to" in refused(assigned)
    assert "`Slot.MIDDLE` is neither" in refused(missing)
    assert "`Slot.FIRST` is neither" in refused(hidden)


def test_kinds_do_not_change():
    def narrowing(n: Int) -> Int:
        k = n
        k = 0.5
        return k

    assert "a Int is needed here, this is a Float" in refused(narrowing)


def test_statements_outside_the_language_are_refused():
    def with_try(n: Int) -> Int:
        try:
            return n
        finally:
            pass

    def with_else(n: Int) -> Int:
        for _i in range(n):
            pass
        else:
            return 1
        return 0

    def without_return(n: Int) -> Int:
        if n > 0:
            return 1

    def twice(n: Int) -> Int:
        a = b = n
        return a + b

    def over_list(n: Int) -> Int:
        for _i in (1, 2):
            pass
        return n

    def with_print(n: Int) -> Int:
        print(n)
        return n

    def of_attribute(n: Int) -> Float:
        return math.sqrt(n)

    def of_unknown(n: Int) -> Int:
        return n + struct  # type: ignore[operator]

    def by_number(n: Int, f: Function) -> None:
        f(n)

    def with_text(n: Int) -> Int:
        return n + "a"  # type: ignore[operator]

    for function, part in (
        (with_try, "try:"),
        (with_else, "`else`"),
        (without_return, "without `return`"),
        (twice, "assigns twice"),
        (over_list, "range"),
        (with_print, "`print` cannot be called"),
        (of_attribute, "plain name"),
        (of_unknown, "`struct` is neither"),
        (by_number, "Floats and Ints only"),
        (with_text, "'a' is not a number"),
    ):
        assert part in refused(function)


def test_signatures_outside_the_language_are_refused():
    def untyped(n) -> Int:
        return n

    def optional(n: Int = 0) -> Int:
        return n

    def returning_array(x: Floats) -> Floats:
        return x

    for function, part in (
        (untyped, "annotation `nothing`"),
        (optional, "defaults"),
        (returning_array, "returns Floats"),
    ):
        assert part in refused(function)


@dataclass(frozen=True)
class Line:
    """Two arguments that go together."""

    slope: Float
    write: Function | None


@kernel(inline=False)
def rise(line: Line, x: Float, y: Floats) -> None:
    y[0] = line.slope * x
    if line.write is not None:
        line.write(y)


@kernel
def rise_twice(n: Int, line: Line, y: Floats) -> Int:
    rise(line, 1.0 * n, y)
    rise(line, y[0], tail(y, 1))
    return int(line.slope > 0.0)


@kernel
def negate(y: Floats) -> None:
    y[0] = -y[0]


@pytest.mark.parametrize(
    ("write", "expected"), [(None, [6.0, 18.0]), (negate, [-6.0, 18.0])]
)
def test_a_group_of_arguments_is_passed_on_as_a_whole(write, expected):
    slow, fast = np.zeros(2), np.zeros(2)
    address = None if write is None else native(write).address
    assert rise_twice(2, Line(3.0, write), slow) == 1
    assert native(rise_twice)(2, 3.0, address, fast) == 1
    assert slow.tolist() == fast.tolist() == expected


@kernel
def rise_made(slope: Float, address: Int, y: Floats) -> None:
    rise(Line(slope=2.0 * slope, write=function_at(address)), 1.0, y)


@pytest.mark.parametrize(("write", "expected"), [(None, 6.0), (negate, -6.0)])
def test_a_group_is_made_where_it_is_passed(write, expected):
    slow, fast = np.zeros(1), np.zeros(1)
    address = 0 if write is None else native(write).address
    rise_made(3.0, address, slow)
    native(rise_made)(3.0, address, fast)
    assert slow.tolist() == fast.tolist() == [expected]


class Place(Integers):
    count = integer(0)
    numbers = integer(1)
    order = integer(2)
    SIZE = 3


@kernel
def put_in_order(places: Ints, k: Int, y: Floats) -> Int:
    own = Place.at(places, k * Place.SIZE)
    numbers, order = floats_at(own.numbers), ints_at(own.order)
    for i in range(own.count):
        y[order[i]] = numbers[i]
    return own.count


def test_arrays_are_found_by_their_addresses():
    numbers, order = np.array([1.0, 2.0, 3.0]), np.array([2, 0, 1])
    places = np.array([0, 0, 0, 3, numbers.ctypes.data, order.ctypes.data])
    slow, fast = np.zeros(3), np.zeros(3)
    assert put_in_order(places, 1, slow) == native(put_in_order)(places, 1, fast) == 3
    assert slow.tolist() == fast.tolist() == [2.0, 3.0, 1.0]


@kernel
def rise_steeper(line: Line, y: Floats) -> None:
    rise(replace(line, slope=2.0 * line.slope), 1.0, y)


def test_a_group_of_arguments_is_passed_on_with_another_field():
    slow, fast = np.zeros(1), np.zeros(1)
    rise_steeper(Line(3.0, None), slow)
    native(rise_steeper)(3.0, None, fast)
    assert slow.tolist() == fast.tolist() == [6.0]


@kernel
def add_eights(n: Int, x: Floats, y: Floats) -> None:
    for i in range(n):
        for l in lanes(8):
            y[8 * i + l] += x[8 * i + l]


def test_loops_of_a_known_count_fill_vectors():
    x, y = np.arange(16.0), np.ones(16)
    native(add_eights)(2, x, y)
    assert (y == x + 1.0).all()
    assert 'vectorize.enable", i1 true' in translate(add_eights)


def test_a_group_of_arguments_is_named_in_full():
    assert list(rise_twice.kinds) == ["n", "line.slope", "line.write", "y"]

    @kernel
    def bad(line: Line) -> Float:
        return line.length  # pyright: ignore[reportAttributeAccessIssue]

    with pytest.raises(KernelError, match=r"`line.length` is neither"):
        native(bad)
