"""MOBILE: chains of transmission elements, in immediate mode and as machine code.

The shaker and the SCARA robot are those of `examples/mobile`. An evaluation is one motion
and one force traversal: all angles with their rates, and the driving torques; parameters
stay live. The places are random ones. The loop of the shaker is closed by formulas and,
beside that, by iteration from the last place; a note says how both compare where the crank
is followed round in steps of 1°, which spares iterations.

A step of the shaker is one `motion` of the guide's integrator over 10 ms, with all frames, by
CPU time: as a program that asks for nothing has it, in machine code, and in Python.
"""

from __future__ import annotations

import importlib.util
from math import tau
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks.report import (
    best_in_turns,
    best_seconds,
    print_machine,
    print_note,
    print_result,
)
from motorik.algebra import Symmetric, Vector, Y, Z
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    CompiledChain,
    ElementaryJoint,
    Frame,
    MapChain,
    MassElement,
    RigidLink,
)

EXAMPLES = Path(__file__).parents[1] / "examples" / "mobile"
SAMPLES = 10_000
TRAVERSALS = 50
INTERVAL, STEPS = 0.01, 50


def load_example(name: str) -> Any:
    """Return the module of an example."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def seconds_per_sample(chain: CompiledChain, *samples: np.ndarray) -> float:
    """Return the time of one native evaluation [s]."""
    p = chain.parameter_values
    action = best_seconds(lambda: chain.function.map(*samples, p), rounds=3)
    return action / len(samples[0])


def measure_shaker(q: np.ndarray) -> tuple[float, float]:
    """Return seconds per evaluation at crank angles q, by explicit and implicit solvers."""
    example = load_example("shaker")
    explicit = example.ShakerBySegments().compile()
    implicit = example.ShakerByJoints().compile()
    samples = q, np.full_like(q, 10.0), np.zeros_like(q)
    both = [np.array(chain.map(*samples)) for chain in (explicit, implicit)]
    np.testing.assert_allclose(*both, rtol=1e-8, atol=1e-8)
    best = best_in_turns(
        {
            "explicit": lambda: seconds_per_sample(explicit, *samples),
            "implicit": lambda: seconds_per_sample(implicit, *samples),
        }
    )
    return best["explicit"], best["implicit"]


def measure_step(kind: str, steps: int = STEPS, compiled: bool | None = None) -> float:
    """Return seconds of CPU time of one step of the shaker, the first one left out."""
    shaker = getattr(load_example("shaker"), kind)()
    integrator = AdamsIntegrator(shaker.system, INTERVAL, compiled=compiled)
    integrator.motion()
    best = float("inf")
    for _ in range(3):
        begin = process_time()
        for _ in range(steps):
            integrator.motion()
        best = min(best, (process_time() - begin) / steps)
    return best


def measure_scara() -> float:
    """Return seconds per inverse dynamics of the robot, its parameters staying live."""
    chain = load_example("scara").Scara().compile()
    rng = np.random.default_rng(1)
    samples = [rng.uniform(-1.0, 1.0, (SAMPLES, 3)) for _ in range(3)]
    measure = {"scara": lambda: seconds_per_sample(chain, *samples)}
    return best_in_turns(measure)["scara"]


def make_chain(n: int) -> MapChain:
    """Return n links one after another, each turned against the last and with a mass."""
    chain = MapChain()
    I = Symmetric(0.01, 0.1, 0.1)
    end = Frame("base")
    for i in range(n):
        phi = AngularVariable(f"phi{i}", q=0.1 * i, qd=1.0, qdd=-0.5)
        hinge, tip = Frame(f"hinge{i}"), Frame(f"tip{i}")
        chain << ElementaryJoint(end, hinge, phi, Y if i % 2 else Z)
        chain << MassElement(hinge, 1.0, Vector(0.5, 0.0, 0.0), I)
        chain << RigidLink(hinge, tip, Vector(1.0, 0.0, 0.0))
        end = tip
    return chain


def measure_immediate(n: int) -> float:
    """Return seconds per motion and force traversal of a chain of n, in Python."""
    chain = make_chain(n)

    def traverse() -> None:
        for _ in range(TRAVERSALS):
            chain.clear_forces()
            chain.motion()
            chain.force()

    return best_seconds(traverse) / TRAVERSALS


def main() -> None:
    """Measure all and print their figures."""
    print_machine()
    rng = np.random.default_rng(1)
    explicit, implicit = measure_shaker(rng.uniform(0.0, tau, (SAMPLES, 1)))
    print_result("mobile.shaker.explicit", explicit * 1e6, "us")
    print_result("mobile.shaker.explicit_vs_implicit", implicit / explicit, "x")
    explicit, implicit = measure_shaker(np.radians(np.arange(SAMPLES) % 360.0)[:, None])
    print_note(
        f"in steps of 1°: {implicit / explicit:.2f} x, explicit {explicit * 1e6:.3f} us"
    )
    for kind, name in (("ShakerBySegments", "step"), ("ShakerByJoints", "step_implicit")):
        step = measure_step(kind)
        print_result(f"mobile.shaker.{name}", step * 1e3, "ms")
        print_result(f"mobile.shaker.{name}_vs_real_time", step / INTERVAL, "x")
        slow = measure_step(kind, 5, compiled=False)
        print_note(f"in Python {slow * 1e3:.1f} ms, {slow / INTERVAL:.2f} x real time")
    print_result("mobile.scara.inverse_dynamics", measure_scara() * 1e6, "us")
    print_result("mobile.immediate.chain10", measure_immediate(10) * 1e3, "ms")


if __name__ == "__main__":
    main()
