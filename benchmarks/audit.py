"""Cost of the audit of loops in a run, in percent of the run without it.

Each mechanism is run with its default strategy and by projection. Where a step ends, its
rates are audited by the equations before elimination, and so is the projection; trees solve
no equations in an order fixed beforehand and have nothing to audit. The run without audit is
that of the same model, compiled while no fault of the projection can be seen, with rates that
are not audited. Times are seconds of the processor, the least of runs in turns; a note tells
those of both.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from unittest.mock import patch

from benchmarks.report import best_in_turns, print_machine, print_note, print_result
from motorik import Model, gallery
from motorik.simulation import model_integration

RUNS = 3  # of each model that are timed together


def arm() -> Model:
    """Return an arm with six joints."""
    return gallery.chain(6)


# runs too short for the clock to be looked at while they last
MODELS: dict[str, tuple[Callable[[], Model], float]] = {
    "v6": (gallery.EngineV6, 0.25),
    "andrews": (gallery.Andrews, 0.1),
    "arm6": (arm, 2.0),
}


def timed(
    make: Callable[[], Model], stop: float, strategy: str, audits: bool
) -> Callable[[], float]:
    """Return a function to the seconds that runs of a model take, compiled now."""
    model = make()

    def run() -> float:
        began = time.process_time()
        with patch.object(model_integration, "AUDITS", audits):
            for _ in range(RUNS):
                model.simulate(stop, strategy=strategy, output=2, progress=False)
        return (time.process_time() - began) / RUNS

    run()
    return run


def no_fault(*given: object) -> float:
    """Return that equations hold, without a look at them."""
    return 0.0


def main() -> None:
    """Time runs with and without the audit."""
    print_machine()
    for name, (make, stop) in MODELS.items():
        for strategy in ("auto", "projected"):
            key = f"audit.cost.{name}" + (".projected" if strategy != "auto" else "")
            if not make().compile(strategy=strategy).form.is_audited:
                print_result(key, 0.0, "%")
                print_note(f"{name}, {strategy}: a tree, nothing is audited")
                continue
            with (
                patch("motorik.loops.equations_of_motion.fault_of", no_fault),
                patch("motorik.loops.shared_code.fault_of", no_fault),
            ):
                without = timed(make, stop, strategy, audits=False)
            audited = timed(make, stop, strategy, audits=True)
            best = best_in_turns({"with": audited, "without": without}, quiet=40, most=300)
            cost = 100.0 * (best["with"] / best["without"] - 1.0)
            print_result(key, cost, "%")
            times = f"{1e3 * best['with']:.3f} ms with, {1e3 * best['without']:.3f} without"
            print_note(f"{name}, {strategy}: {times}")


if __name__ == "__main__":
    main()
