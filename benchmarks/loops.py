"""Kinematic loops: Andrews' mechanism, the V6 engine, Fourbar1 and the N-four-bar.

A time is that of the cheapest method and tolerance that meet the wanted accuracy, provided
that the next tighter tolerance meets it too. It is what `result.info.wall_time` says: the
integration, without import, build, compilation and the making of a result; a note adds what
the whole call of `simulate` took.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.fresh import empty_cache, run_python
from benchmarks.harness import NotAvailable
from benchmarks.loop_peers import Timed, find_steps, make_andrews, make_n_four_bar
from benchmarks.report import best_in_turns, print_machine, print_note, print_result
from motorik import Model
from motorik.gallery import (
    Andrews,
    EngineV6,
    EngineV6Analytic,
    Fourbar1,
    NFourBar,
    Pendulum,
)
from motorik.gallery.andrews import START
from motorik.gallery.engine_v6 import JointedCylinder
from motorik.results import Result

METHODS = ("dopri5", "dop853", "gbs", "adams")
TOLERANCES = [10 ** (-k / 2) for k in range(6, 27)]

# β Θ γ Φ δ Ω ε [rad] at 0.03 s, computed in 80-bit arithmetic
ANDREWS = {
    "beta": 15.81077119515371,
    "theta": -15.75637105841184,
    "gamma": 0.04082224011964583,
    "phi": -0.53473011634208,
    "delta": 0.52440996587995,
    "omega": 0.53473011634208,
    "epsilon": 1.04808074104194,
}


@dataclass(frozen=True)
class Task:
    """A model, how long it runs [s], and the error of a result."""

    name: str
    model: Model
    duration: float
    error: Callable[[Result], float]
    options: Mapping[str, Any]

    def run(self, method: str, tolerance: float) -> Result:
        """Return the result of one run with few rows."""
        return self.model.simulate(
            self.duration, method=method, rtol=tolerance, output=20, **self.options
        )


def find_tolerance(task: Task, method: str, accuracy: float) -> float | None:
    """Return the loosest tolerance that is accurate together with the next tighter one."""
    before = None
    for tolerance in TOLERANCES:
        result = task.run(method, tolerance)
        accurate = result.complete and task.error(result) <= accuracy
        if accurate and before is not None:
            return before
        before = tolerance if accurate else None
    return before


def measure(task: Task, accuracy: float) -> float:
    """Return the least time [ms] to an accuracy, over all methods."""
    settings = {method: find_tolerance(task, method, accuracy) for method in METHODS}
    ready = {method: x for method, x in settings.items() if x is not None}
    if not ready:
        raise ArithmeticError(f"{task.name}: no method comes within {accuracy:g}")
    best = time_in_turns({m: (lambda m=m, x=x: task.run(m, x)) for m, x in ready.items()})
    for method, value in best.items():
        print_note(f"{task.name}: {method} at {ready[method]:.1e}: {value:.4f} ms")
    fastest = min(best, key=lambda method: best[method])
    begin = time.thread_time()
    task.run(fastest, ready[fastest])
    print_note(
        f"{task.name}: the whole call {1e3 * (time.thread_time() - begin):.3f} ms ({fastest})"
    )
    return best[fastest]


def time_in_turns(runs: Mapping[str, Callable[[], Result]]) -> dict[str, float]:
    """Return the least integration time of each run [ms]."""
    return best_in_turns(
        {
            name: (lambda run=run: 1e3 * min(run().info.wall_time for _ in range(5)))
            for name, run in runs.items()
        }
    )


def print_peer(name: str, make: Callable[[], Timed], accuracy: float, ours: float) -> None:
    """Print MuJoCo's time to the same accuracy, and how many times faster we are."""
    try:
        peer = make()
        steps = find_steps(peer, accuracy)
    except NotAvailable as reason:
        print_note(f"peer not available: MuJoCo: {reason}")
        return
    if steps is None:
        print_note(f"{name}: MuJoCo does not come within {accuracy:g}")
        return
    theirs = 1e3 * min(peer(steps)[0] for _ in range(3))
    print_note(f"{name}: MuJoCo with {steps} steps of RK4")
    print_result(f"loops.{name}.mujoco", theirs, "ms")
    print_result(f"loops.{name}.vs_mujoco", theirs / ours, "x")


# --- the four mechanisms -------------------------------------------------------------------


def andrews_error(result: Result) -> float:
    """Return the largest error of the seven angles [rad]."""
    return max(abs(result[f"{n}.phi"][-1] - end) for n, end in ANDREWS.items())


def measure_andrews() -> None:
    """Print the error that can be reached, and the time to 1e-6."""
    task = Task("andrews", Andrews(), 0.03, andrews_error, {})
    errors = [andrews_error(task.run("dop853", 10.0**-k)) for k in (11, 12, 13)]
    print_result("loops.andrews.error", min(errors), "rad")
    ours = measure(task, 1e-6)
    print_result("loops.andrews.time", ours, "ms")
    print_peer("andrews", lambda: make_andrews(START, ANDREWS), 1e-6, ours)
    slow = Task(
        "andrews projected", task.model, 0.03, andrews_error, {"strategy": "projected"}
    )
    print_result("loops.andrews.projected", measure(slow, 1e-6), "ms")


def measure_engine() -> None:
    """Print the time of the V6 at Modelica's tolerance, and the ratios of its forms."""
    stop, rtol = 1.01, 1e-6
    models = {
        "engine_v6": EngineV6(),
        "analytic": EngineV6Analytic(),
        "plain": EngineV6Analytic(cylinder=JointedCylinder),
    }

    def run(name: str, **options: Any) -> Result:
        return models[name].simulate(stop, rtol=rtol, output=1, **options)

    fine = models["engine_v6"].simulate(stop, rtol=1e-11, method="dop853", output=1)[
        "load.phi"
    ][-1]
    off = abs(run("engine_v6")["load.phi"][-1] - fine)
    print_note(f"engine_v6: load.phi at the end is {fine:.6f} rad, off by {off:.1e} rad")
    best = time_in_turns(
        {name: (lambda name=name: run(name)) for name in models}
        | {"projected": lambda: run("engine_v6", strategy="projected")}
    )
    print_result("loops.engine_v6.time", best["engine_v6"], "ms")
    print_result("loops.engine_v6.analytic_time", best["analytic"], "ms")
    print_result("loops.engine_v6.plain_vs_analytic", best["plain"] / best["analytic"], "x")
    ratio = best["projected"] / best["engine_v6"]
    print_result("loops.engine_v6.explicit_vs_projected", ratio, "x")


def measure_fourbar() -> None:
    """Print how much faster the closed form of Fourbar1 is than projection.

    The ratio is that of long runs, 50 s, in which beginning and ending do not count.
    """
    model = Fourbar1()
    best = time_in_turns(
        {"full_state": lambda: model.simulate(5.0, output=1)}
        | {
            strategy: (lambda s=strategy: model.simulate(50.0, output=1, strategy=s))
            for strategy in ("explicit", "projected")
        }
    )
    print_result("loops.fourbar1.time", best["full_state"], "ms")
    ratio = best["projected"] / best["explicit"]
    print_result("loops.fourbar1.explicit_vs_projected", ratio, "x")


def measure_n_four_bar(n: int = 40, duration: float = 10.0) -> None:
    """Print time and energy drift of the long row of four-bars, beside MuJoCo.

    It passes its singular positions, so it is projected; left to choose, motorik begins with
    closed forms and changes over at the first dead centre.
    """
    J, K = (n + 1) / 3 + n, 9.81 * ((n + 1) / 2 + n)
    swing = solve_ivp(
        lambda _, y: [y[1], K / J * np.sin(y[0])],
        (0, duration),
        [0.0, 1.0],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
    )
    end = swing.y[0, -1]
    cranks = [f"pivot{i}.phi" for i in range(n + 1)]

    def drift(result: Result) -> float:
        energy = result.energy()
        total = energy["total"]
        return float(np.abs(total - total[0]).max() / energy["kinetic"].max())

    def error(result: Result) -> float:
        angles = np.array([result[name][-1] for name in cranks])
        # an energy drift of 1e-6 is as bad as an error of 1e-4
        return max(float(np.abs(angles - end).max()), 100 * drift(result))

    options = {"strategy": "projected"}
    task = Task("n_four_bar40", NFourBar(n=n), duration, error, options)
    ours = measure(task, 1e-4)
    print_result("loops.n_four_bar40.time", ours, "ms")
    fine = task.model.simulate(duration, rtol=1e-8, output=100, strategy="projected")
    print_result("loops.n_four_bar40.energy_drift", drift(fine), "1")
    left = time_in_turns({"auto": lambda: task.model.simulate(duration, output=1)})
    print_result("loops.n_four_bar40.auto", left["auto"], "ms")
    print_peer("n_four_bar40", lambda: make_n_four_bar(n, duration, end), 1e-4, ours)


# --- compiling -----------------------------------------------------------------------------

COMPILED: dict[str, Callable[[], Model]] = {
    "andrews": Andrews,
    "engine_v6": EngineV6,
    "fourbar1": Fourbar1,
    "n_four_bar40": lambda: NFourBar(n=40),
}


def time_compilation(name: str) -> None:
    """Print the seconds of compiling a model once libraries are loaded, as JSON."""
    _ = Pendulum().compile().derivative
    model = COMPILED[name]()
    begin = time.perf_counter()
    _ = model.compile().derivative
    print(json.dumps(time.perf_counter() - begin))


def measure_compilation() -> None:
    """Print what compiling costs in a fresh process with an empty cache."""
    for name in COMPILED:
        code = f"from benchmarks.loops import time_compilation; time_compilation({name!r})"

        def anew(code: str = code) -> float:
            with empty_cache() as environment:
                return run_python(code, environment)[1]

        best = best_in_turns({name: anew}, quiet=2, most=6)
        print_result(f"loops.{name}.compile", best[name], "s")


def main() -> None:
    """Measure all."""
    print_machine()
    measure_andrews()
    measure_engine()
    measure_fourbar()
    measure_n_four_bar()
    measure_compilation()


if __name__ == "__main__":
    main()
