"""Results: what a user waits who asks a run for twenty variables, one after another.

Every mechanism is run in a process of its own with an empty cache. The twenty names are a
mixture: coordinates, positions, velocities, accelerations, cut forces and energies.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.fresh import empty_cache, run_python
from benchmarks.models import make_chain, make_humanoid
from benchmarks.ours import make_model
from benchmarks.report import print_machine, print_result
from motorik import Model
from motorik.gallery import EngineV6

PROCESSES = 3
INTERVALS = 500

TREE = """
    joint{0}.phi joint{1}.w joint{2}.a body{0}.r_0 body{1}.v_0 body{2}.a_0 body0.r_0
    body{3}.frame_a.r_0 body{3}.frame_a.R.T body{1}.w_a body{4}.r_0 joint{0}.frame_b.f
    joint1.frame_a.t joint0.frame_b.f body{0}.kinetic_energy body{0}.potential_energy
    joint{3}.a body{4}.v_0 body{2}.frame_a.f joint{3}.frame_b.t
"""
ENGINE = """
    bearing.phi bearing.w bearing.a cylinder1.piston.r_0 cylinder1.piston.v_0
    cylinder1.piston.a_0 cylinder3.connectingRod.r_0 cylinder3.connectingRod.v_0
    cylinder3.connectingRod.a_0 cylinder1.b1.frame_b.f cylinder1.b2.frame_b.f
    cylinder4.b1.frame_b.t cylinder2.crank1.frame_b.f bearing.frame_b.f bearing.frame_a.t
    world.frame_b.f cylinder2.piston.body.kinetic_energy
    cylinder2.connectingRod.body.potential_energy cylinder6.crank2.frame_b.R.T
    cylinder5.piston.frame_b.r_0
"""

Case = tuple[Callable[[], Model], Sequence[str], float]
"""A model, the names that are asked for, and how long it runs [s]."""


def names_in_tree(n: int) -> list[str]:
    """Return twenty variables of parts all over a tree of n links."""
    return TREE.format(n // 5, n // 3, n // 2, 3 * n // 4, n - 1).split()


CASES: dict[str, Case] = {
    "humanoid32": (lambda: make_model(make_humanoid()), names_in_tree(27), 1.0),
    "v6": (EngineV6, ENGINE.split(), 0.1),
    "chain300": (lambda: make_model(make_chain(300)), names_in_tree(300), 0.1),
}


def measure_names(case: str) -> None:
    """Print the seconds that the names of a case take beyond the run, as JSON."""
    make, names, duration = CASES[case]
    result = make().simulate(duration, output=INTERVALS)
    start = time.perf_counter()
    for name in names:
        _ = result[name]
    print(json.dumps(time.perf_counter() - start))


def measure_random_names(count: int = 100, samples: int = 10_000) -> None:
    """Print the seconds that random names of a V6 run of many samples take, as JSON."""
    result = EngineV6().simulate(0.5, output=samples)
    names = sorted(result.names())
    random = np.random.default_rng(0)
    chosen = [names[k] for k in random.choice(len(names), count, replace=False)]
    start = time.perf_counter()
    for name in chosen:
        _ = result[name]
    print(json.dumps(time.perf_counter() - start))


def measure_in_processes(code: str) -> float:
    """Return the least number that a few processes with empty caches print."""
    measured = []
    for _ in range(PROCESSES):
        with empty_cache() as environment:
            measured.append(run_python(code, environment)[1])
    return min(measured)


def main() -> None:
    """Measure all cases, the least of a few processes each."""
    print_machine()
    for case in CASES:
        code = f"from benchmarks.results import measure_names; measure_names({case!r})"
        print_result(f"results.{case}.names20", measure_in_processes(code), "s")
    code = "from benchmarks.results import measure_random_names; measure_random_names()"
    print_result("results.v6.names100", measure_in_processes(code), "s")


if __name__ == "__main__":
    main()
