"""Ensembles: µs for each of a thousand runs, beside heyoka's batches and MuJoCo's rollouts.

Both sides have one thread, the same starts, and the loosest tolerance at which 95 % of the end
states are within 1e-6; the seconds are those of the thread. MuJoCo and motorik take the same
steps of the same method there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.equations import articulated_body, double_pendulum
from benchmarks.event_models import Clutches, StoppedArm
from benchmarks.harness import NotAvailable
from benchmarks.models import Array, Fall, make_falls
from benchmarks.ours import find_places, make_model
from benchmarks.peers import compile_mujoco, require
from benchmarks.report import (
    best_in_turns,
    best_seconds,
    print_machine,
    print_note,
    print_result,
)
from benchmarks.starts import live_engine
from motorik.gallery import Andrews, DoublePendulum

COUNT = 1000
SPREAD = 0.2  # rad
ACCURACY = 1e-6
TOLERANCES = [10 ** (-k / 2) for k in range(10, 21)]
DURATIONS = {"double_pendulum": 5.0, "arm6": 1.0}
RK4_STEP, RK4_STEPS, RK4_COUNT = 1e-3, 200, 256
US = 1e6
ROUNDS = 7

# seconds of all runs, and the ends (q, v) of each
Batch = Callable[[], tuple[float, Array]]


def make_starts(fall: Fall, count: int = COUNT) -> Array:
    """Return (q, v) of each run: at rest near the fall's start."""
    q = fall.q0 + SPREAD * np.random.default_rng(1).uniform(
        -1.0, 1.0, (count, fall.q0.size)
    )
    return np.hstack([q, np.zeros_like(q)])


def ordered(fall: Fall, starts: Array) -> tuple[Any, Array, Array]:
    """Return the fall as a model, the starts by its states, and where (q, v) are in these."""
    model = make_model(fall.tree, fall.q0)
    iq, iv = find_places(model.compile(), fall.tree)
    n = starts.shape[1] // 2
    places = np.concatenate([np.asarray(iq), n + np.asarray(iv)])
    given = np.empty_like(starts)
    given[:, places] = starts
    return model, given, places


def make_ours(fall: Fall, starts: Array) -> Callable[[float], Batch]:
    """Return what makes all runs by lanes at a tolerance."""
    model, given, places = ordered(fall, starts)

    def make(tolerance: float) -> Batch:
        run = model.prepare(DURATIONS[fall.name], rtol=tolerance, output=1, method="dop853")

        def simulate() -> tuple[float, Array]:
            begin = time.thread_time()
            runs = run.map(starts=given, threads=1)
            seconds = time.thread_time() - begin
            return seconds, runs.to_array().values[:, -1][:, places]

        return simulate

    return make


def make_batches(fall: Fall, starts: Array) -> Callable[[float], Batch]:
    """Return what makes all runs by heyoka's integrator of batches at a tolerance."""
    heyoka = require("heyoka", "heyoka")
    heyoka.llvm_state.set_diskcache_enabled(False)
    n, lanes = fall.q0.size, heyoka.recommended_simd_size()
    variables = heyoka.make_vars(*[f"x{i:02d}" for i in range(2 * n)])
    q, v = variables[:n], variables[n:]
    if fall.name == "double_pendulum":
        vdot = double_pendulum(q, v, heyoka.sin, heyoka.cos)
    else:
        vdot = articulated_body(fall.tree, q, v, heyoka.sin, heyoka.cos)
    equations = [*zip(q, v, strict=True), *zip(v, vdot, strict=True)]
    blocks = [starts[k : k + lanes] for k in range(0, len(starts), lanes)]

    def make(tolerance: float) -> Batch:
        integrator = heyoka.taylor_adaptive_batch(
            equations,
            np.ascontiguousarray(blocks[0].T),
            tol=tolerance,
            compact_mode=fall.name != "double_pendulum",
        )

        def simulate() -> tuple[float, Array]:
            ends = []
            begin = time.thread_time()
            for block in blocks:
                integrator.set_time(0.0)
                integrator.state[:] = block.T
                integrator.propagate_until(DURATIONS[fall.name])
                ends.append(integrator.state.T.copy())
            return time.thread_time() - begin, np.vstack(ends)

        return simulate

    return make


def find_accurate(make: Callable[[float], Batch], exact: Array) -> tuple[float, Batch]:
    """Return the loosest tolerance at which nearly all ends are accurate, and its runs."""
    for tolerance in TOLERANCES:
        batch = make(tolerance)
        errors = np.abs(batch()[1] - exact).max(axis=1)
        if np.quantile(errors, 0.95) <= ACCURACY:
            return tolerance, batch
    raise ArithmeticError(f"no tolerance down to {TOLERANCES[-1]:.0e} is accurate enough")


def compare_batches(fall: Fall) -> None:
    """Print µs of a run by lanes, and the ratio to heyoka's batches."""
    starts = make_starts(fall)
    make = make_ours(fall, starts)
    exact = make(1e-12)()[1]
    tolerance, ours = find_accurate(make, exact)
    print_note(f"{fall.name}: motorik at tolerance {tolerance:.1e}")
    contestants = {"ours": lambda: ours()[0]}
    try:
        tolerance, theirs = find_accurate(make_batches(fall, starts), exact)
        print_note(f"{fall.name}: heyoka at tolerance {tolerance:.1e}")
        contestants["heyoka"] = lambda: theirs()[0]
    except NotAvailable as reason:
        print_note(f"peer not available: heyoka: {reason}")
    best = best_in_turns(contestants, quiet=4, most=20)
    for name, seconds in best.items():
        what = f"ensembles.{fall.name}" + ("" if name == "ours" else f".{name}")
        print_result(what, US * seconds / COUNT, "us")
    if "heyoka" in best:
        ratio = best["heyoka"] / best["ours"]
        print_result(f"ensembles.{fall.name}.vs_heyoka_batch", ratio, "x")


def compare_rollouts(fall: Fall) -> None:
    """Print how much sooner lanes take the steps of Runge and Kutta than MuJoCo's rollout."""
    starts = make_starts(fall, RK4_COUNT)
    model, given, places = ordered(fall, starts)
    stop = RK4_STEP * RK4_STEPS
    run = model.prepare(stop, method="rk4", step=RK4_STEP, output=1)
    last: dict[str, Array] = {}

    def ours() -> float:
        begin = time.thread_time()
        runs = run.map(starts=given, threads=1)
        seconds = time.thread_time() - begin
        last["ours"] = runs.to_array().values[:, -1][:, places]
        return seconds

    contestants: dict[str, Callable[[], float]] = {"ours": ours}
    try:
        mujoco = require("mujoco", "mujoco")
        from mujoco import rollout  # type: ignore[import-not-found]

        compiled = compile_mujoco(mujoco, fall.tree)
        compiled.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        compiled.opt.timestep = RK4_STEP
        data = mujoco.MjData(compiled)
        states = np.hstack([np.zeros((RK4_COUNT, 1)), starts])

        def theirs() -> float:
            begin = time.thread_time()
            found, _ = rollout.rollout(compiled, data, states, nstep=RK4_STEPS)
            seconds = time.thread_time() - begin
            last["mujoco"] = np.array(found, float)[:, -1, 1:]
            return seconds

        contestants["mujoco"] = theirs
    except NotAvailable as reason:
        print_note(f"peer not available: mujoco: {reason}")
    best = best_in_turns(contestants, quiet=4, most=20)
    for name, seconds in best.items():
        each = US * seconds / (RK4_COUNT * RK4_STEPS)
        print_result(f"ensembles.{fall.name}.rk4.{name}", each, "us a step")
    if "mujoco" in best:
        print_note(f"they differ by {np.abs(last['ours'] - last['mujoco']).max():.1e}")
        ratio = best["mujoco"] / best["ours"]
        print_result(f"ensembles.{fall.name}.rk4.vs_mujoco", ratio, "x")


def seconds_of(action: Callable[[], object]) -> float:
    """Return the seconds of this thread that an action takes."""
    begin = time.thread_time()
    action()
    return time.thread_time() - begin


def make_loads(count: int) -> dict[str, Array]:
    """Return so many inertias of the load of the engine [kg m²]."""
    return {"load.J": np.linspace(0.5, 1.5, count)}


def measure_mechanisms() -> None:
    """Print µs of a run of a mechanism with loops, and of two with events, beside single runs."""
    andrews = Andrews().prepare(0.03, output=1)
    first = andrews()
    name = next(n for n in andrews.start_names if n.endswith(".w"))
    starts = {name: float(first[name][0]) + np.linspace(-1e-3, 1e-3, COUNT)}
    clutches = Clutches(n=8).prepare(1.0, output=1)
    own = clutches.start_names[0]
    turned = {own: np.linspace(0.0, 1e-3, COUNT // 10)}
    arm = StoppedArm().prepare(1.0, output=1)
    swung = {arm.start_names[0]: np.linspace(0.4, 0.6, COUNT // 10)}
    engine = live_engine().prepare(0.1, output=20)
    cases: list[tuple[str, Any, dict[str, Any], int]] = [
        ("andrews", andrews, {"starts": starts}, COUNT),
        ("clutches", clutches, {"starts": turned}, COUNT // 10),
        ("stopped_arm", arm, {"starts": swung}, COUNT // 10),
        ("v6", engine, {"parameters": make_loads(COUNT // 5)}, COUNT // 5),
    ]
    for what, run, given, count in cases:
        runs = run.map(**given, threads=1)
        if runs.failures:
            raise ArithmeticError(f"{what}: {next(iter(runs.failures.values()))}")
        print_note(f"{what}: {runs.info}")
        seconds = min(
            seconds_of(lambda run=run, given=given: run.map(**given, threads=1))
            for _ in range(ROUNDS)
        )
        print_result(f"ensembles.{what}.variant", US * seconds / count, "us")
        if run.system.has_events:
            compare_single(what, run, **given)


def compare_single(what: str, run: Any, starts: dict[str, Array]) -> None:
    """Print how much sooner lanes make runs than calls one by one, by the seconds of a thread."""
    ((name, values),) = starts.items()
    best = best_in_turns(
        {
            "lanes": lambda: seconds_of(lambda: run.map(starts=starts, threads=1)),
            "single": lambda: seconds_of(
                lambda: [run(start={name: v}) for v in values.tolist()]
            ),
        },
        quiet=4,
        most=20,
    )
    print_result(f"ensembles.{what}.vs_single", best["single"] / best["lanes"], "x")


def measure_threads(fall: Fall) -> None:
    """Print how much sooner two threads make all runs than one."""
    model, given, _ = ordered(fall, make_starts(fall, 4 * COUNT))
    run = model.prepare(DURATIONS[fall.name], output=1)
    best = best_in_turns(
        {
            str(n): lambda n=n: best_seconds(lambda: run.map(starts=given, threads=n), 1)
            for n in (1, 2)
        },
        quiet=4,
        most=20,
    )
    print_result("ensembles.threads.scaling", best["1"] / best["2"], "x")


def measure_overheads() -> None:
    """Print what is around the native code of a run: one that takes no step to speak of."""
    model = DoublePendulum()
    run = model.prepare(1e-9, output=1)
    x = np.array(run().states[0])

    def simulate() -> object:
        return model.simulate(1e-9, output=1)

    for what, call in (("prepared", lambda: run(start=x)), ("simulate", simulate)):
        seconds = min(
            seconds_of(lambda call=call: [call() for _ in range(200)]) for _ in range(30)
        )
        print_result(f"{what}.overhead", US * seconds / 200, "us")


def measure_sweep() -> None:
    """Print how long a sweep on two workers takes, against two threads here.

    Both return the same dataset, and neither compiles: each side has made the sweep before. The
    client and the scheduler share the cores with the workers.
    """
    try:
        distributed: Any = require("distributed", "distributed")
    except NotAvailable as reason:
        print_note(f"peer not available: {reason}")
        return
    model = live_engine()
    loads = make_loads(COUNT)
    here: Any = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**here) as cluster:
        with distributed.Client(cluster) as client:
            options: Any = {"parameters": loads, "output": 20}
            there = model.sweep(0.1, client=client, **options)
            found = model.sweep(0.1, threads=2, **options)
            if found["failure"].any():
                raise ArithmeticError(str(found["failure"].values))
            require("xarray", "xarray").testing.assert_allclose(there, found, rtol=1e-9)
            best = best_in_turns(
                {
                    "dask": lambda: best_seconds(
                        lambda: model.sweep(0.1, client=client, **options), 1
                    ),
                    "here": lambda: best_seconds(
                        lambda: model.sweep(0.1, threads=2, **options), 1
                    ),
                },
                quiet=3,
                most=8,
            )
    print_result("sweep.threads.v6", best["here"], "s")
    print_result("sweep.dask.v6", best["dask"], "s")
    print_result("sweep.dask.v6.vs_threads", best["dask"] / best["here"], "x")


PARTS: dict[str, Callable[[], None]] = {
    "overheads": measure_overheads,
    "double_pendulum": lambda: compare_batches(make_falls()[0]),
    "arm6": lambda: compare_batches(make_falls()[1]),
    "rk4": lambda: compare_rollouts(make_falls()[1]),
    "mechanisms": measure_mechanisms,
    "threads": lambda: measure_threads(make_falls()[1]),
    "sweep": measure_sweep,
}


def main(names: list[str]) -> None:
    """Print all figures, or those of the named parts."""
    print_machine()
    for name in names or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
