"""Results of a benchmark: one line each, the best of several rounds, never an average."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Mapping
from pathlib import Path


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
    contestants: Mapping[str, Callable[[], float]], *, quiet: int = 6, most: int = 60
) -> dict[str, float]:
    """Return the least figure of each contestant, measured in turns.

    Taking turns lets a slow minute of the machine strike all of them alike. The rounds go on
    until nobody has improved by one per cent for `quiet` rounds, so that noise, which only
    ever adds, favours nobody; a machine that never settles is reported.
    """
    best = dict.fromkeys(contestants, float("inf"))
    unchanged = 0
    for _ in range(most):
        unchanged += 1
        for name, measure in contestants.items():
            value = measure()
            if value < 0.99 * best[name]:
                unchanged = 0
            best[name] = min(best[name], value)
        if unchanged >= quiet:
            return best
    print_note(f"not settled after {most} rounds: the figures are upper bounds")
    return best


def print_machine() -> None:
    """Print what the figures were measured on, and whether it was busy."""
    cores = os.cpu_count() or 1
    print_note(f"{find_processor()}, {cores} cores, Python {platform.python_version()}")
    load = os.getloadavg()[0]
    if load > cores / 2:
        print_note(f"busy: load {load:.1f} on {cores} cores, figures are upper bounds")


def find_processor() -> str:
    """Return the name of the processor."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = (
        line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")
    )
    return next(names, platform.processor() or platform.machine())


def print_ratios(name: str, best: Mapping[str, float], *, of: str, unit: str) -> None:
    """Print every figure as `name.contestant`, then how many times faster `of` is."""
    for contestant, value in best.items():
        print_result(f"{name}.{contestant}", value, unit)
    for contestant, value in best.items():
        if contestant != of and of in best:
            print_result(f"{name}.vs_{contestant}", value / best[of], "x")
