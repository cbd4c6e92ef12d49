"""Events: closed forms, clutches, impacts, points without mass, rest against creep.

Times are `result.info.wall_time`: the integration with all its events, without compilation
and the making of a result; the least of several runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from benchmarks.event_models import Braked, Clutches, FrictionTrain, ThreeSprings
from benchmarks.report import best_in_turns, print_machine, print_note, print_result
from motorik import Result
from validation.box_problems import count_failures
from validation.closed_forms import CASES, METHODS, Ball, Figure

PROBLEMS = 10_000
IMPACTS = 1000
HELD = 20.0  # s that a brake holds
CREEP = 1e-6  # rad by which the regularised law may be off


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
    exact = {m: e for m, e in worst.items() if m not in ("bdf", "bosh3")}
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


def brakes() -> None:
    """Print how much a law that never rests costs, at an equal error of the angle."""
    exact = Braked()
    angle = exact.simulate(HELD, rtol=1e-10, output=1)["shaft.phi"][-1]
    ours = timed(lambda: exact.simulate(HELD, rtol=1e-6, output=10))
    slip = 1e-2
    while slip > 1e-12:
        model = Braked(slip=slip)
        result = model.simulate(HELD, rtol=1e-8, output=1, method="bdf")
        off = abs(result["shaft.phi"][-1] - angle)
        if off < CREEP:
            break
        slip /= 10.0
    theirs = timed(lambda: model.simulate(HELD, rtol=1e-8, output=10, method="bdf"))
    print_note(
        f"regularised: slip {slip:g} rad/s, off by {off:.1e} rad, {1e3 * theirs:.3g} ms"
    )
    print_result("events.brakes.time", 1e3 * ours, "ms")
    print_result("events.brakes.vs_regularised", theirs / ours, "x")


def main() -> None:
    """Print all figures."""
    print_machine()
    closed_forms()
    times()
    brakes()
    print_result("events.box.problems", PROBLEMS, "cases")
    print_result("events.box.failures", len(count_failures(PROBLEMS)), "cases")


if __name__ == "__main__":
    main()
