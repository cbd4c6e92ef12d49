"""Results of a benchmark: one line each, the best of several rounds, never an average."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping


def print_result(name: str, value: float, unit: str) -> None:
    """Print ``RESULT <name> <value> <unit>`` at once."""
    print(f"RESULT {name} {value:.4g} {unit}", flush=True)


def print_note(text: str) -> None:
    """Print what a reader of the results should know."""
    print(f"  {text}", flush=True)


def best_seconds(action: Callable[[], object], rounds: int = 7) -> float:
    """Return the shortest wall time of `action` [s]: noise only ever adds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def best_in_turns(
    contestants: Mapping[str, Callable[[], float]], rounds: int = 5
) -> dict[str, float]:
    """Return the least figure of each contestant, measured in turns.

    Taking turns lets a slow minute of the machine strike all of them alike.
    """
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, measure in contestants.items():
            best[name] = min(best[name], measure())
    return best


def print_ratios(name: str, best: Mapping[str, float], *, of: str, unit: str) -> None:
    """Print every figure as `name.contestant`, then how many times faster `of` is."""
    for contestant, value in best.items():
        print_result(f"{name}.{contestant}", value, unit)
    for contestant, value in best.items():
        if contestant != of and of in best:
            print_result(f"{name}.vs_{contestant}", value / best[of], "x")
