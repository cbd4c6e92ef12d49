"""New starts of compiled mechanisms: µs to begin another variant.

Timed is `initialise`, what a call of `simulate` with another start value does before it
integrates, but for options and tolerances; a note tells the time with these. Every start is a
new one, by another start value or, where demands tell the motion, another live parameter. The
first starts of a system are searched for in Python, and then native code is made; both are
told in notes, and how many of the starts that were timed native code found.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from benchmarks.report import best_in_turns, print_machine, print_note, print_result
from motorik import Model, Parameter, gallery
from motorik.initialisation.initialise import SEARCHES, given_values, initialise
from motorik.initialisation.native import NativeStart
from motorik.initialisation.request import InitialStateRequest
from motorik.simulation.initial_state import initialise_run
from motorik.simulation.options import RunOptions
from motorik.simulation.run import Run

BATCH = 20  # starts that are timed together
PROBED = 20  # starts of which is told how many native code finds


@dataclass(frozen=True)
class Case:
    """A mechanism, the start value that is changed (none: a live parameter), a strategy."""

    make: Callable[[], Model]
    variable: str
    strategy: str = "auto"


def live_engine() -> Model:
    """Return an engine with six cylinders and a live load."""
    model = gallery.EngineV6()
    model.load.J = Parameter(1.0)
    return model


MODELS: dict[str, Case] = {
    "andrews": Case(gallery.Andrews, "beta.phi"),
    "fourbar1": Case(gallery.Fourbar1, "j1.phi"),
    "n_four_bar40": Case(lambda: gallery.NFourBar(n=40), "pivot0.phi"),
    "andrews_projected": Case(gallery.Andrews, "beta.phi", "projected"),
    "bricard": Case(gallery.Bricard, "hinge0.phi"),
    "fourbar2": Case(gallery.Fourbar2, "j1.phi"),
    "macpherson": Case(gallery.MacPherson, "inner_joint.phi"),
    "stewart": Case(gallery.StewartPlatform, "leg1.slide.s"),
    "engine_v6": Case(live_engine, ""),
    "chain30": Case(lambda: gallery.chain(30), "hinge1.phi"),
}


def spread(width: float = 0.2) -> Iterator[float]:
    """Yield numbers within ± width that never come again."""
    for k in count(1):
        yield width * (2.0 * (k * 0.6180339887498949 % 1.0) - 1.0)


class Starts:
    """New starts of a case, each with other values."""

    def __init__(self, case: Case) -> None:
        self.system = case.make().compile(case.strategy)
        self.live = self.system.parameter_values()
        self._variable, self._steps = case.variable, spread()
        if case.variable:
            index = self.system.layout.index[case.variable]
            self._middle = float(initialise(self.system, {}, self.live).X[index])
            self._unit = float(self.system.scales.coordinates[index])

    def next(self) -> tuple[dict[str, float], np.ndarray]:
        """Return other start values and live parameters."""
        step = next(self._steps)
        if not self._variable:
            return {}, self.live * (1.0 + step)
        return {self._variable: self._middle + step * self._unit}, self.live

    def begin(self) -> float:
        """Return the seconds of a new start."""
        given, live = self.next()
        start = time.thread_time()
        initialise(self.system, given, live)
        return time.thread_time() - start

    def begin_run(self) -> float:
        """Return the seconds of all that a new run does before it integrates."""
        given, live = self.next()
        start = time.thread_time()
        options = RunOptions(1.0, initial=given)
        Run(initialise_run(self.system, options, live), options)
        return time.thread_time() - start

    def found_natively(self) -> str:
        """Return in words how many starts native code finds."""
        native, found = self.system.initialisation.native, 0
        if not isinstance(native, NativeStart):
            return "searched for"
        for _ in range(PROBED):
            given, live = self.next()
            X, fixed = given_values(self.system, given)
            found += native.find(InitialStateRequest(X, fixed, live, 0.0, {})) is not None
        return f"{100 * found / PROBED:.0f} % by native code"


def prepare(name: str) -> Callable[[], float]:
    """Return what measures the seconds of a new start, after those that compile."""
    starts = Starts(MODELS[name])
    searched = min(starts.begin() for _ in range(SEARCHES - 1))
    compiled = max(starts.begin() for _ in range(SEARCHES))
    starts.begin_run()
    whole = min(starts.begin_run() for _ in range(10 * BATCH))
    print_note(
        f"{name}: a start by search {1e3 * searched:.2f} ms, with compilation "
        f"{1e3 * compiled:.0f} ms, then {starts.found_natively()}; before a new run "
        f"integrates {1e6 * whole:.0f} us"
    )
    return lambda: sum(starts.begin() for _ in range(BATCH)) / BATCH


def main() -> None:
    """Measure all in turns."""
    print_machine()
    contestants = {name: prepare(name) for name in MODELS}
    best = best_in_turns(contestants)
    for name, seconds in best.items():
        print_result(f"start.{name}", 1e6 * seconds, "us")


if __name__ == "__main__":
    main()
