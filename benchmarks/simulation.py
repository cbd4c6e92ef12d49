"""Whole simulations: ms to reach an end state within 1e-6, and what a first run costs.

Every contestant uses its cheapest setting that is accurate enough: the loosest tolerance
that meets the end state, provided that the next tighter one meets it too. Timed is the call
that simulates, without import, build and compilation, in seconds of its thread: on an idle
machine these are seconds of the clock, on a busy one a long run is always interrupted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.fresh import empty_cache, run_python
from benchmarks.harness import NotAvailable
from benchmarks.models import Array, Fall, make_falls
from benchmarks.ours import METHODS, make_fall
from benchmarks.peers import make_heyoka
from benchmarks.report import best_in_turns, print_machine, print_note, print_result

ACCURACY = 1e-6
TOLERANCES = [10 ** (-k / 2) for k in range(12, 29)]

# seconds of one simulation, and the final (q, v)
Simulation = Callable[[], tuple[float, Array]]


def find_tolerance(make: Callable[[float], Simulation], fall: Fall) -> float | None:
    """Return the loosest tolerance that is accurate together with the next tighter one."""
    before = None
    for tolerance in TOLERANCES:
        error = np.abs(make(tolerance)()[1] - fall.end).max()
        accurate = error <= ACCURACY
        if accurate and before is not None:
            return before
        before = tolerance if accurate else None
    return before


def prepare_motorik(fall: Fall) -> dict[str, Simulation]:
    """Return one simulation per method that can be accurate enough."""
    make = make_fall(fall)
    ready: dict[str, Simulation] = {}
    for method in METHODS:
        tolerance = find_tolerance(lambda x, method=method: make(method, x), fall)
        if tolerance is not None:
            print_note(f"{fall.name}: motorik {method} at tolerance {tolerance:.1e}")
            ready[f"motorik {method}"] = make(method, tolerance)
    return ready


def prepare_heyoka(fall: Fall) -> dict[str, Simulation]:
    """Return heyoka's unrolled code, with and without fast mathematics."""
    tolerance = find_tolerance(lambda x: make_heyoka(fall, x, compact=True), fall)
    if tolerance is None:
        return {}
    print_note(f"{fall.name}: heyoka at tolerance {tolerance:.1e}; unrolling takes a while")
    return {
        f"heyoka fast_math={fast}": make_heyoka(fall, tolerance, fast_math=fast)
        for fast in (False, True)
    }


def compare(fall: Fall) -> None:
    """Print the best of motorik's methods and its ratio to the best of heyoka's codes."""
    contestants = prepare_motorik(fall)
    try:
        contestants |= prepare_heyoka(fall)
    except NotAvailable as reason:
        print_note(f"peer not available: heyoka: {reason}")
    best = best_in_turns(
        {
            name: (lambda run=run: 1e3 * min(run()[0] for _ in range(10)))
            for name, run in contestants.items()
        }
    )
    for name, value in best.items():
        print_note(f"{fall.name}: {name} {value:.3f} ms")
    ours = [value for name, value in best.items() if name.startswith("motorik")]
    theirs = [value for name, value in best.items() if name.startswith("heyoka")]
    if not ours:
        raise ArithmeticError(f"{fall.name}: no method of motorik comes within {ACCURACY}")
    print_result(f"simulation.{fall.name}", min(ours), "ms")
    if theirs:
        print_result(f"simulation.{fall.name}.heyoka", min(theirs), "ms")
        print_result(f"simulation.{fall.name}.vs_heyoka", min(theirs) / min(ours), "x")


def measure_first_runs() -> None:
    """Print what compiling costs, and a whole process without and with a filled cache."""
    compile_code = "from benchmarks.ours import time_compilation; time_compilation()"
    run_code = "from benchmarks.ours import simulate_once; simulate_once()"
    memory_code = f"{run_code}\nfrom benchmarks.fresh import print_memory; print_memory()"
    engine_code = "from motorik.gallery import EngineV6; EngineV6().simulate(1.0)"

    def compile_anew() -> float:
        with empty_cache() as environment:
            return run_python(compile_code, environment)[1]

    def run_anew() -> float:
        with empty_cache() as environment:
            return run_python(run_code, environment)[0]

    def run_engine_anew() -> float:
        with empty_cache() as environment:
            return run_python(engine_code, environment)[0]

    with empty_cache() as filled:
        for code in (run_code, engine_code):
            run_python(code, filled)
        contestants = {
            "compile.double_pendulum": compile_anew,
            "cold_start.first": run_anew,
            "cold_start.again": lambda: run_python(run_code, filled)[0],
            "cold_start.v6_cold": run_engine_anew,
            "cold_start.v6_again": lambda: run_python(engine_code, filled)[0],
            "cold_start.import": lambda: run_python("import motorik", filled)[0],
        }
        best = best_in_turns(contestants, quiet=4, most=20)
        memory = min(run_python(memory_code, filled)[1] for _ in range(3))
    for name, value in best.items():
        print_result(name, value, "s")
    print_result("cold_start.memory", memory, "MB")


def main() -> None:
    """Compare both falls with heyoka, then measure first runs."""
    print_machine()
    for fall in make_falls():
        compare(fall)
    measure_first_runs()


if __name__ == "__main__":
    main()
