"""New starts of compiled mechanisms with loops: µs to begin another variant.

Timed is `find_start`, what a call of `simulate` with another start value does before it
integrates, but for options and tolerances; a note tells the time with these. Every start is a
new one. The first starts of a system are searched for in Python, and then native code is made;
both are told in notes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count

from benchmarks.report import best_in_turns, print_machine, print_note, print_result
from motorik import Model
from motorik.gallery import Andrews, Fourbar1, NFourBar
from motorik.simulation.options import RunOptions
from motorik.simulation.run import Run
from motorik.start.find import SEARCHES, find_start

BATCH = 20  # starts that are timed together
MODELS: dict[str, tuple[Callable[[], Model], str]] = {
    "andrews": (Andrews, "beta.phi"),
    "fourbar1": (Fourbar1, "j1.phi"),
    "n_four_bar40": (lambda: NFourBar(n=40), "pivot0.phi"),
}


def spread(width: float = 0.2) -> Iterator[float]:
    """Yield angles [rad] within ± width that never come again."""
    for k in count(1):
        yield width * (2.0 * (k * 0.6180339887498949 % 1.0) - 1.0)


def prepare(name: str) -> Callable[[], float]:
    """Return what measures the seconds of a new start, after those that compile."""
    make, variable = MODELS[name]
    model, angles = make(), spread()
    system = model.compile()
    live = system.parameter_values()
    middle = find_start(system, {}, live).X[system.layout.index[variable]]

    def begin() -> float:
        start = time.thread_time()
        find_start(system, {variable: middle + next(angles)}, live)
        return time.thread_time() - start

    searched = min(begin() for _ in range(SEARCHES - 1))
    compiled = begin()
    print_note(
        f"{name}: a start by search {1e3 * searched:.2f} ms, with compilation "
        f"{1e3 * compiled:.0f} ms"
    )

    def begin_run() -> float:
        start = time.thread_time()
        Run(system, RunOptions(1.0, start={variable: middle + next(angles)}), live)
        return time.thread_time() - start

    begin_run()
    whole = min(begin_run() for _ in range(10 * BATCH))
    print_note(f"{name}: before a new run integrates {1e6 * whole:.0f} us")
    return lambda: sum(begin() for _ in range(BATCH)) / BATCH


def main() -> None:
    """Measure all in turns."""
    print_machine()
    contestants = {name: prepare(name) for name in MODELS}
    best = best_in_turns(contestants)
    for name, seconds in best.items():
        print_result(f"start.{name}", 1e6 * seconds, "us")


if __name__ == "__main__":
    main()
