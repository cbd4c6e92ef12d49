"""Growth: what mechanisms cost when they get larger, to build, to keep and to evaluate.

Every mechanism is built in a process of its own with an empty cache, so that times and peak
memory are those of that mechanism alone. `build` is the time from the finished model to the
native derivative, `evaluation` that of one call of it at the start.
"""

from __future__ import annotations

import gc
import json
import math
import time
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks import growth_models
from benchmarks.fresh import empty_cache, peak_memory, run_python
from benchmarks.models import make_chain, make_samples
from benchmarks.ours import compile_tree, time_system
from benchmarks.report import print_machine, print_note, print_result
from motorik import Model
from motorik.gallery import NFourBar, Pendulum
from motorik.initialisation.initialise import initialise

LENGTHS = (10, 30, 100, 300, 1000)
BUILDS = (10, 100, 1000)
PROCESSES = 3
ROWS, ROUNDS = 200, 30

#: Models by the name of their results: constructor, and numbers of units.
MECHANISMS: dict[str, tuple[str, int]] = {
    "chain100_and_four_bar": ("chain_and_four_bar", 100),
    "chain192_rods63": ("chain_with_rods", 63),
    "engines100": ("engines", 100),
    "four_bars300": ("four_bars", 300),
    "n_four_bar300": ("n_four_bar", 300),
    "live300": ("live_chain", 300),
    "chain1000_spring": ("chain_with_spring", 1000),
    "net30": ("net", 30),
}
#: Of these the growth over several sizes is measured.
GROWING = ("chain_and_four_bar", "chain_with_rods", "engines", "four_bars", "n_four_bar")
SIZES = (10, 30, 100, 300)
JOINTS = (60, 120, 300)  # of chains with friction
SIDES = (10, 30, 60)  # points along a side of square nets


def make(name: str, n: int) -> Model:
    """Return a mechanism of n units."""
    if name == "n_four_bar":
        return NFourBar(n=n)
    maker: Callable[[int], Model] = getattr(growth_models, name)
    return maker(n)


def measure(name: str, n: int) -> None:
    """Print build time [s], peak memory [MB], µs per evaluation and time to create, as JSON."""
    Pendulum().compile().derivative  # noqa: B018  loads the libraries
    before = time.perf_counter()
    model = make(name, n)
    start = time.perf_counter()
    system = model.compile()
    derivative = system.derivative
    build = time.perf_counter() - start
    memory = peak_memory()
    begin = initialise(system, {}, system.parameter_values())
    rows = [np.tile(value, (ROWS, 1)) for value in (np.zeros(1), begin.x, begin.p)]
    gc.disable()
    best = math.inf
    for _ in range(ROUNDS):
        clock = time.perf_counter()
        derivative.map(*rows)
        best = min(best, time.perf_counter() - clock)
    print(json.dumps([build, memory, best / ROWS * 1e6, start - before]))


def measure_chain(n: int) -> None:
    """Print build time [s], peak memory [MB] and µs per body of a chain of n, as JSON."""
    compile_tree(make_chain(2))  # loads the libraries
    tree = make_chain(n)
    start = time.perf_counter()
    system = compile_tree(tree)
    build = time.perf_counter() - start
    evaluate = time_system(system, tree, make_samples(tree))
    per_body = min(evaluate()[0] for _ in range(5)) * 1e6 / n
    print(json.dumps([build, peak_memory(), per_body]))


def measure_friction(n: int, tau: float) -> None:
    """Print build time [s], time of a run of a second [s], µs per evaluation, and instants.

    Times are those of the processor; instants are those at which modes change.
    """
    growth_models.friction_chain(2).simulate(0.1)  # loads the libraries
    model = growth_models.friction_chain(n, tau)
    clock = time.process_time()
    model.simulate(1e-6)
    build = time.process_time() - clock
    system, runs, instants = model.compile(), [], 0
    for _ in range(5):
        clock = time.process_time()
        events = model.simulate(1.0, rtol=1e-6, output=11).events
        runs.append(time.process_time() - clock)
        instants = len({event.time for event in events})
    begin = initialise(system, {}, system.parameter_values())
    rows = [np.tile(value, (ROWS, 1)) for value in (np.zeros(1), begin.x, begin.p)]
    evaluations = []
    for _ in range(ROUNDS):
        clock = time.process_time()
        system.derivative.map(*rows)
        evaluations.append((time.process_time() - clock) / ROWS)
    print(json.dumps([build, min(runs), min(evaluations) * 1e6, instants]))


def measure_first_run(name: str, n: int) -> None:
    """Print what the first run of a mechanism takes from the finished model on [s], as JSON."""
    Pendulum().simulate(0.01)  # loads the libraries
    model = make(name, n)
    start = time.perf_counter()
    model.simulate(1e-3, output=2)
    print(json.dumps([time.perf_counter() - start]))


def best_of(code: str, processes: int = PROCESSES) -> list[float]:
    """Return the least of each figure that a piece of code prints in fresh processes."""
    measured = []
    for _ in range(processes):
        with empty_cache() as environment:
            measured.append(run_python(code, environment)[1])
    return [min(values) for values in zip(*measured, strict=True)]


def exponent(sizes: Sequence[int], costs: Sequence[float]) -> float:
    """Return e of the power law n^e between the two largest sizes."""
    return math.log(costs[-1] / costs[-2]) / math.log(sizes[-1] / sizes[-2])


def report_chains() -> None:
    """Print what a body of a chain costs, and how much that varies."""
    costs = []
    for n in LENGTHS:
        code = f"from benchmarks.growth import measure_chain; measure_chain({n})"
        build, memory, per_body = best_of(code)
        costs.append(per_body)
        if n in BUILDS:
            print_result(f"growth.chain{n}.build", build, "s")
        if n == max(LENGTHS):
            print_result(f"growth.chain{n}.memory", memory, "MB")
        print_result(f"growth.chain{n}.per_body", per_body, "us")
    print_result("growth.per_body.spread", max(costs) / min(costs), "x")


def report_mechanisms() -> None:
    """Print the cost of large mechanisms."""
    for name, (kind, n) in MECHANISMS.items():
        code = f"from benchmarks.growth import measure; measure({kind!r}, {n})"
        build, memory, evaluation, create = best_of(code, 2)
        print_result(f"growth.{name}.build", build, "s")
        print_result(f"growth.{name}.memory", memory, "MB")
        print_result(f"growth.{name}.evaluation", evaluation, "us")
        print_note(f"{name}: the model itself is created in {create:.2f} s")


def report_growth() -> None:
    """Print how cost grows with size, as exponents, of each kind of mechanism."""
    for kind in GROWING:
        sizes = SIZES if kind != "engines" else SIZES[:3]
        figures = []
        for n in sizes:
            code = f"from benchmarks.growth import measure; measure({kind!r}, {n})"
            figures.append(best_of(code, 2))
            print_note(f"{kind} {n}: " + ", ".join(f"{value:.4g}" for value in figures[-1]))
        for place, what in enumerate(("build", "memory", "evaluation")):
            grown = exponent(sizes, [own[place] for own in figures])
            print_result(f"growth.{kind}.{what}.exponent", grown, "1")


def report_nets() -> None:
    """Print how nets of springs between points grow with the number of points."""
    figures = []
    for n in SIDES:
        code = "from benchmarks.growth import measure, measure_first_run; "
        first = best_of(f"{code}measure_first_run('net', {n})", 2)
        figures.append([*best_of(f"{code}measure('net', {n})", 2)[:3], *first])
        print_note(f"net {n}: " + ", ".join(f"{value:.4g}" for value in figures[-1]))
        if n == 30:
            print_result("growth.net30.first_run", first[0], "s")
    points = [n * n for n in SIDES]
    for place, what in enumerate(("build", "memory", "evaluation", "first_run")):
        grown = exponent(points, [own[place] for own in figures])
        print_result(f"growth.net.{what}.exponent", grown, "1")


def report_friction() -> None:
    """Print what friction in all joints of a chain costs, and how that grows."""
    figures = []
    for n in JOINTS:
        code = "from benchmarks.growth import measure_friction; "
        smooth = best_of(f"{code}measure_friction({n}, 0.0)", 2)
        figures.append(best_of(f"{code}measure_friction({n}, 10.0)", 2))
        build, run, evaluation, instants = figures[-1]
        print_result(f"growth.friction_chain{n}.build", build, "s")
        print_result(f"growth.friction_chain{n}.run", run, "s")
        print_result(f"growth.friction_chain{n}.evaluation", evaluation, "us")
        print_result(f"growth.friction_chain{n}.by_smooth", evaluation / smooth[2], "1")
        print_note(f"{n} joints: modes change at {instants:.0f} instants")
    for place, what in enumerate(("build", "run", "evaluation", "instants")):
        grown = exponent(JOINTS, [own[place] for own in figures])
        print_result(f"growth.friction_chain.{what}.exponent", grown, "1")


def main() -> None:
    """Measure everything."""
    print_machine()
    report_friction()
    report_mechanisms()
    report_nets()
    report_growth()
    report_chains()


if __name__ == "__main__":
    main()
