"""Growth: what a body costs when a chain gets longer, to build, to keep and to evaluate.

Every chain is built in a process of its own with an empty cache, so that times and peak
memory are those of that chain alone.
"""

from __future__ import annotations

import json
import resource
import sys
import time

from benchmarks.fresh import empty_cache, run_python
from benchmarks.models import make_chain, make_samples
from benchmarks.ours import compile_tree, time_system
from benchmarks.report import print_machine, print_result

LENGTHS = (10, 30, 100, 300, 1000)
BUILDS = (10, 100, 1000)
PROCESSES = 3


def measure_chain(n: int) -> None:
    """Print build time [s], peak memory [MB] and µs per body of a chain of n, as JSON."""
    compile_tree(make_chain(2))  # loads the libraries
    tree = make_chain(n)
    start = time.perf_counter()
    system = compile_tree(tree)
    build = time.perf_counter() - start
    evaluate = time_system(system, tree, make_samples(tree))
    per_body = min(evaluate()[0] for _ in range(5)) * 1e6 / n
    unit = 1e6 if sys.platform == "darwin" else 1e3  # ru_maxrss in bytes or in kilobytes
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    print(json.dumps([build, memory, per_body]))


def main() -> None:
    """Measure all lengths and print how much the cost per body varies."""
    print_machine()
    costs = []
    for n in LENGTHS:
        code = f"from benchmarks.growth import measure_chain; measure_chain({n})"
        measured = []
        for _ in range(PROCESSES):
            with empty_cache() as environment:
                measured.append(run_python(code, environment)[1])
        build, memory, per_body = (min(values) for values in zip(*measured, strict=True))
        costs.append(per_body)
        if n in BUILDS:
            print_result(f"growth.chain{n}.build", build, "s")
        if n == max(LENGTHS):
            print_result(f"growth.chain{n}.memory", memory, "MB")
        print_result(f"growth.chain{n}.per_body", per_body, "us")
    print_result("growth.per_body.spread", max(costs) / min(costs), "x")


if __name__ == "__main__":
    main()
