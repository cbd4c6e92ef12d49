"""Library: what parts of Modelica's libraries cost to compile and to run.

Every model is built in a process of its own with an empty cache, so that times are those of that
model alone, after a small one of the same kind has loaded the libraries and compiled the
integrator. `compile` is the time from the data to the native derivative, `run` that of a first
simulation.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import numpy as np

from benchmarks.fresh import empty_cache, run_python
from benchmarks.report import print_machine, print_result
from motorik import Model, blocks

PROCESSES = 3
END = 10.0  # of a table over time [s]


def make_table(rows: int) -> Model:
    """Return a table over time, and its integral."""
    t = np.linspace(0.0, END, rows)
    model = Model()
    model.table = blocks.CombiTimeTable(table=np.column_stack([t, np.sin(t)]))
    model.sum = blocks.Integrator()
    model.connect(model.table.y, model.sum.u)
    return model


#: Models by the name of their results: constructor, a small size, the size, end of a run [s].
MODELS: dict[str, tuple[Callable[[int], Model], int, int, float]] = {
    "table5000": (make_table, 3, 5001, END)
}


def measure(name: str) -> None:
    """Print the times [s] to compile and to run a model, as JSON."""
    make, small, size, end = MODELS[name]
    make(small).simulate(end, progress=False)
    start = time.perf_counter()
    model = make(size)
    model.compile().derivative  # noqa: B018
    compiled = time.perf_counter()
    model.simulate(end, progress=False)
    print(json.dumps([compiled - start, time.perf_counter() - compiled]))


def main() -> None:
    """Print the times of each model."""
    print_machine()
    for name in MODELS:
        times = []
        for _ in range(PROCESSES):
            with empty_cache() as environment:
                code = f"from benchmarks.library import measure; measure({name!r})"
                times.append(run_python(code, environment)[1])
        compiled, ran = (min(own) for own in zip(*times, strict=True))
        print_result(f"library.{name}.compile", compiled, "s")
        print_result(f"library.{name}.run", ran, "s")


if __name__ == "__main__":
    main()
