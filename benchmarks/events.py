"""Events: closed forms, clutches, impacts, points without mass, rest against creep, feet.

`events.closed_forms.worst` is that of all methods but bdf, which has a line of its own.
Times are `result.info.wall_time`: the integration with all its events, without compilation
and the making of a result; the least of several runs. `events.feet*.compile` is the wall time from
a new model to its first step, the first time; kernels that all models share are compiled before, by
a body on four feet (`events.kernels.compile`, once for an installation). `…compile_again` is that
time in a new process for each model, which loads all from the cache, kernels too; imports are
counted apart (`events.imports`).
"""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.event_models import Braked, Clutches, Feet, FrictionTrain, ThreeSprings
from benchmarks.fresh import empty_cache, run_python
from benchmarks.report import best_in_turns, print_machine, print_note, print_result
from motorik import Model, Result
from validation.closed_forms import CASES, METHODS, Ball, Figure
from validation.lcp_problems import count_failures

PROBLEMS = 10_000
IMPACTS = 1000
BRAKED = 60.0  # s that brakes hold and let go
CREEP = 1e-4  # rad by which the shafts may be off in the end, with either law
TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
# of the regularised law: speeds of slipping [rad/s], and methods that a stiff law asks for
SLIPS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
STIFF = ("auto", "bdf")
FEET = (8, 16, 32)  # of the bodies that are thrown
THROWN = 2.0  # s for which they are followed
INSTANT = 1e-6  # s of a run that only shows how long it takes to come to it


def timed(run: Callable[[], Result]) -> float:
    """Return the least wall time of a run [s]."""
    run()
    return best_in_turns({"run": lambda: run().info.wall_time})["run"]


def closed_forms() -> None:
    """Print the largest errors of all closed forms."""
    worst: dict[str, float] = {}
    rest = 0.0
    for method in METHODS:
        figures: list[Figure] = [f for case in CASES.values() for f in case(method)]
        errors = {f.name: f.error for f in figures if f.kind != "rest"}
        name = max(errors, key=lambda key: errors[key])
        worst[method] = errors[name]
        print_note(f"{method}: {name} is off by {errors[name]:.1e}")
        rest = max([rest, *(f.error for f in figures if f.kind == "rest")])
    exact = {m: e for m, e in worst.items() if m != "bdf"}
    print_result("events.closed_forms.worst", max(exact.values()), "s")
    print_result("events.closed_forms.bdf", worst["bdf"], "s")
    print_result("events.closed_forms.stuck_speed", rest, "m/s")


def times() -> None:
    """Print the times of runs with events."""
    clutches = Clutches()
    result = clutches.simulate(10.0, output=10)
    print_note(f"clutches40: {len(result.events)} events, {result.info.steps} steps")
    seconds = timed(lambda: clutches.simulate(10.0, output=10))
    print_result("events.clutches40", 1e3 * seconds, "ms")
    train = FrictionTrain()
    seconds = timed(lambda: train.simulate(3.0, rtol=1e-8, output=10))
    print_result("events.friction.time", 1e3 * seconds, "ms")
    springs = ThreeSprings()
    seconds = timed(lambda: springs.simulate(10.0, output=10))
    print_result("events.three_springs.time", 1e3 * seconds, "ms")
    ball = Ball(e=0.999)
    t = math.sqrt(2.0 / 9.81)
    stop = t + 2.0 * t * sum(0.999**k for k in range(1, IMPACTS))
    stop += t * 0.999**IMPACTS
    result = ball.simulate(stop, output=1, method="dopri5")
    print_note(f"ball: {sum(e.what == 'hits' for e in result.events)} impacts")
    seconds = timed(lambda: ball.simulate(stop, output=1, method="dopri5"))
    print_result("events.ball", 1e3 * seconds, "ms")


@dataclass(frozen=True)
class Choice:
    """A way to simulate the brakes: how far off it ends [rad], and how long it takes [s]."""

    model: Model
    slip: float
    method: str
    rtol: float
    error: float
    seconds: float

    def run(self) -> Result:
        """Simulate."""
        return self.model.simulate(BRAKED, output=1, method=self.method, rtol=self.rtol)

    def __str__(self) -> str:
        law = f"slip {self.slip:g} rad/s" if self.slip else "exact"
        return f"{law}, {self.method} at {self.rtol:g}, off by {self.error:.1e} rad"


def cheapest(
    exact: np.ndarray, slips: Sequence[float], methods: Sequence[str]
) -> Choice | None:
    """Return the quickest way that ends within `CREEP` of the exact angles."""
    found: list[Choice] = []
    for slip in slips:
        model = Braked(slip=slip)
        for method, rtol in itertools.product(methods, TOLERANCES):
            result = model.simulate(BRAKED, output=1, method=method, rtol=rtol)
            error = float(np.abs(result.states[-1] - exact).max())
            if error <= CREEP:
                seconds = result.info.wall_time
                found.append(Choice(model, slip, method, rtol, error, seconds))
    return min(found, key=lambda choice: choice.seconds, default=None)


def brakes() -> None:
    """Print how much a law that never rests costs, at an equal error of the angles.

    Both laws are simulated by every setting that a user may try: exact sticking by "auto" at
    all tolerances; the regularised law by "auto" and by the method for stiff systems at all
    tolerances and speeds of slipping, of which it needs a small one, as brakes creep
    meanwhile. The quickest of those whose angles and speeds end within `CREEP` count.
    """
    end = Braked().simulate(BRAKED, rtol=1e-12, output=1).states[-1]
    ours = cheapest(end, (0.0,), ("auto",))
    theirs = cheapest(end, SLIPS, STIFF)
    if ours is None or theirs is None:
        raise ArithmeticError(f"brakes: no setting comes within {CREEP} rad")
    print_note(f"brakes: {len(ours.run().events)} events in {BRAKED:g} s; {ours}")
    print_note(f"brakes: regularised, {theirs}")
    best = {"ours": ours, "theirs": theirs}
    times = best_in_turns(
        {
            name: (lambda choice=choice: choice.run().info.wall_time)
            for name, choice in best.items()
        }
    )
    print_result("events.brakes.time", 1e3 * times["ours"], "ms")
    print_result("events.brakes.regularised", 1e3 * times["theirs"], "ms")
    print_result("events.brakes.vs_regularised", times["theirs"] / times["ours"], "x")


def print_compile_times(counts: Sequence[int]) -> None:
    """Print as JSON how long bodies on so many feet take to come to their first step [s]."""
    times: list[float] = []
    for n in counts:
        begin = time.perf_counter()
        Feet(n=n).simulate(INSTANT, output=1)
        times.append(time.perf_counter() - begin)
    print(json.dumps(times))


def compile_times() -> tuple[list[float], list[float]]:
    """Print and return how long bodies on feet take to compile: first, and in new processes."""
    imports = "import motorik.simulation.run, casadi, llvmlite.binding, benchmarks.events"
    call = f"{imports}; benchmarks.events.print_compile_times({{}})"
    began = "import time; began = time.perf_counter()"
    spent = "print(time.perf_counter() - began)"
    with empty_cache() as environment:
        kernels, *first = run_python(call.format([4, *FEET]), environment)[1]
        again = [run_python(call.format([n]), environment)[1][0] for n in FEET]
        imported = run_python("\n".join((began, imports, spent)), environment)[1]
    print_result("events.imports", imported, "s")
    print_result("events.kernels.compile", kernels, "s")
    return first, again


def feet() -> None:
    """Print how long bodies on many feet take to compile, and how many events they run by."""
    first, again = compile_times()
    for n, cold, warm in zip(FEET, first, again, strict=True):
        print_result(f"events.feet{n}.compile", cold, "s")
        print_result(f"events.feet{n}.compile_again", warm, "s")
    rates: dict[int, float] = {}
    for n in FEET:
        model = Feet(n=n)
        result = model.simulate(THROWN, output=1)
        print_note(f"feet{n}: {len(result.events)} events, {result.info.steps} steps")
        seconds = timed(lambda model=model: model.simulate(THROWN, output=1))
        rates[n] = len(result.events) / seconds
        print_result(f"events.feet{n}.rate", rates[n], "1/s")
    print_result("events.feet.compile_exponent", math.log2(first[2] / first[1]), "1")


def main() -> None:
    """Print all figures."""
    print_machine()
    closed_forms()
    times()
    brakes()
    feet()
    print_result("events.box.problems", PROBLEMS, "cases")
    print_result("events.box.failures", len(count_failures(PROBLEMS)), "cases")


if __name__ == "__main__":
    main()
