"""Pruning, merging and laying out the calls of a program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motorik.algebra.scalar import add, cos, mul, sin
from motorik.compiler.rolled import layout
from motorik.compiler.rolled.layout import lay_out, merge_calls
from motorik.compiler.rolled.tape import Tape, TapeValue, prune_calls


def step(x: Any, y: Any, unused: Any) -> Any:
    """Return two values that matter to each other, and one that only feeds itself."""
    return add(sin(x), mul(0.5, y)), cos(x), mul(x, add(unused, 2.0))


def record(n: int, every: bool = False) -> Tape:
    tape = Tape()
    x, y, z = tape.input("x", 3)
    seen = []
    for _ in range(n):
        x, y, z = tape.call(step, x, y, z)
        seen.append(x)
    tape.output("out", [*seen, z] if every else [x])
    return tape


def run(n: int, x: float, y: float, z: float) -> list[float]:
    seen = []
    for _ in range(n):
        x, y, z = step(x, y, z)
        seen.append(x)
    return [*seen, z]


def outputs_of(tape: Tape) -> set[int]:
    (scalars,) = tape.outputs.values()
    return {scalar.number for scalar in scalars if isinstance(scalar, TapeValue)}


def test_results_that_only_feed_each_other_are_pruned() -> None:
    tape = record(30)
    calls = prune_calls(tape.calls, outputs_of(tape))
    assert len(calls) == 30
    assert {len(call.fresh) for call in calls[:-2]} == {2}
    assert [len(call.fresh) for call in calls[-2:]] == [2, 1]
    assert all(len(call.slots) == 2 for call in calls)


def test_calls_that_nothing_needs_are_pruned() -> None:
    tape = record(5)
    (x, *_), n_needed = (tape.input("more", 1), len(tape.calls))
    tape.call(step, x, x, x)
    assert len(prune_calls(tape.calls, outputs_of(tape))) == n_needed


def test_frequent_neighbours_are_merged_up_to_a_length(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tape = record(64, every=True)
    calls = prune_calls(tape.calls, outputs_of(tape))
    size = len(calls[0].shape.code)
    monkeypatch.setattr(layout, "LONGEST", 4 * size)
    merged = merge_calls(calls)
    assert 16 <= len(merged) <= 18  # the first and the last call differ from the others
    assert max(len(call.shape.code) for call in merged) <= 4 * size
    assert sum((call.fresh for call in merged), ()) == sum((c.fresh for c in calls), ())


def test_rare_neighbours_are_not_merged() -> None:
    tape = record(layout.RAREST)  # one pair less than calls
    calls = prune_calls(tape.calls, outputs_of(tape))
    assert merge_calls(calls) == calls


@pytest.mark.parametrize("longest", [0, 20, 400])
@pytest.mark.parametrize("n", [1, 7, 64])
def test_merging_changes_no_result(
    n: int, longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "LONGEST", longest)
    computed = record(n, every=True).compile()([0.1, 0.2, 0.3])
    np.testing.assert_allclose(computed, run(n, 0.1, 0.2, 0.3), rtol=4e-15)


def test_memory_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "LONGEST", 0)
    sizes = {n: lay_out(record(n)).work_size for n in (20, 200)}
    assert sizes[20] == sizes[200] <= 8


def test_records_share_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "LONGEST", 0)
    laid = lay_out(record(200))
    assert len(laid.records) == 200
    assert len(laid.variants) <= 6


def scale(x: Any, own: float, common: float) -> Any:
    return mul(common, add(x, own))


def test_numbers_that_never_differ_are_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "LONGEST", 0)
    tape = Tape()
    (x,) = tape.input("x", 1)
    for k in range(10):
        x = tape.call(scale, x, k + 0.5, 0.25)
    tape.output("out", [x])
    laid = lay_out(tape)
    assert laid.numbers == [k + 0.5 for k in range(10)]
    assert [list(folded.values()) for folded in laid.folded.values()] == [[0.25]]
    value = 3.0
    for k in range(10):
        value = 0.25 * (value + k + 0.5)
    np.testing.assert_allclose(tape.compile()([3.0]), [value], rtol=4e-16)
