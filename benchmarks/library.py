"""Library: what parts of Modelica's libraries cost to compile and to run.

Every model is built in a process of its own with an empty cache, so that times are those of that
model alone, after a small one of the same kind has loaded the libraries and compiled the
integrator. `compile` is the time from the data to the native derivative, `run` that of a first
simulation, `time` that of another one with a tolerance of 1e-6, `evaluation` that of the
derivative. `exponent` tells how compilation grows with the stages of a ladder, and
`evaluation_exponent` how the derivative does. `operations` are the instructions of the derivative
of mechanisms without networks, which must not grow with what networks need.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import numpy as np

from benchmarks.fresh import empty_cache, run_python
from benchmarks.report import print_machine, print_result
from motorik import Model, blocks, electrical, gallery, rotational
from motorik.compiler import count_instructions
from motorik.gallery.robot_r3 import FullRobot, OneAxis
from motorik.initialisation.initialise import initialise

PROCESSES = 3
END = 10.0  # of a table over time [s]


def make_table(rows: int) -> Model:
    """Return a table over time, and its integral."""
    t = np.linspace(0.0, END, rows)
    model = Model()
    model.table = blocks.CombiTimeTable(table=np.column_stack([t, np.sin(t)]))
    model.sum = blocks.Integrator()
    model.connect(model.table.y, model.sum.u)
    return model


def make_ladder(stages: int) -> Model:
    """Return a ladder of resistors and capacitors at a voltage source."""
    model = Model()
    model.source, model.ground = electrical.ConstantVoltage(V=1.0), electrical.Ground()
    model.R = [electrical.Resistor(R=1.0) for _ in range(stages)]
    model.C = [electrical.Capacitor(C=1.0, v=0.0) for _ in range(stages)]
    model.connect(model.source.n, model.ground.p, *(own.n for own in model.C))
    end = model.source.p
    for resistor, capacitor in zip(model.R, model.C, strict=True):
        model.connect(end, resistor.p)
        model.connect(resistor.n, capacitor.p)
        end = capacitor.p
    return model


def make_clutches(count: int) -> Model:
    """Return inertias in a row, with clutches between them that slip at first."""
    model = Model()
    model.wheels = [
        rotational.Inertia(J=1.0, phi=0.0, w=float(k)) for k in range(count + 1)
    ]
    model.clutches = [rotational.Clutch(fn_max=10.0) for _ in range(count)]
    model.pressed = blocks.Constant(k=1.0)
    for one, clutch, other in zip(
        model.wheels, model.clutches, model.wheels[1:], strict=False
    ):
        model.connect(one.flange_b, clutch.flange_a)
        model.connect(clutch.flange_b, other.flange_a)
        model.connect(model.pressed.y, clutch.f_normalized)
    return model


def make_one_axis(_: int) -> Model:
    """Return one axis of the r3 robot."""
    return OneAxis()


def make_full_robot(_: int) -> Model:
    """Return the r3 robot with six axes."""
    return FullRobot()


#: Models by the name of their results: constructor, a small size, the size, end of a run [s].
MODELS: dict[str, tuple[Callable[[int], Model], int, int, float]] = {
    "table5000": (make_table, 3, 5001, END),
    "ladder250": (make_ladder, 2, 250, 0.1),
    "ladder1000": (make_ladder, 2, 1000, 0.1),
    "clutches80": (make_clutches, 2, 80, 0.1),
    "one_axis": (make_one_axis, 0, 0, 1.498),
    "full_robot": (make_full_robot, 0, 0, 2.0),
}
REPETITIONS = 25
CALLS = 100  # of the derivative, in one measurement
#: Mechanisms without networks whose operations are counted.
MECHANISMS = ("DoublePendulum", "SliderCrank", "Fourbar1", "EngineV6", "MacPherson")


def measure(name: str) -> None:
    """Print the times [s] to compile and to run a model, as JSON."""
    make, small, size, end = MODELS[name]
    (make(small) if size else make_ladder(2)).simulate(end, progress=False)
    start = time.perf_counter()
    model = make(size)
    model.compile().derivative  # noqa: B018
    compiled = time.perf_counter()
    model.simulate(end, progress=False)
    first, again = time.perf_counter() - compiled, []
    for _ in range(REPETITIONS):
        begun = time.perf_counter()
        model.simulate(end, rtol=1e-6, progress=False)
        again.append(time.perf_counter() - begun)
    print(json.dumps([compiled - start, first, min(again), time_of_evaluation(model)]))


def time_of_evaluation(model: Model) -> float:
    """Return the time [s] that the derivative of a model takes, called from machine code."""
    system = model.compile()
    start = initialise(system, {}, system.parameter_values())
    rows = [np.tile(value, (CALLS, 1)) for value in (np.zeros(1), start.x, start.p)]
    spent = []
    for _ in range(REPETITIONS):
        begun = time.perf_counter()
        system.derivative.map(*rows)
        spent.append(time.perf_counter() - begun)
    return min(spent) / CALLS


def print_operations() -> None:
    """Print how many operations mechanisms without networks cost."""
    for name in MECHANISMS:
        function = getattr(gallery, name)().compile().function("derivative")
        count = count_instructions(function)
        print_result(f"library.operations.{name}", count, "1")


def main() -> None:
    """Print the times of each model."""
    print_machine()
    print_operations()
    found: dict[str, float] = {}
    evaluated: dict[str, float] = {}
    for name in MODELS:
        times = []
        for _ in range(PROCESSES):
            with empty_cache() as environment:
                code = f"from benchmarks.library import measure; measure({name!r})"
                times.append(run_python(code, environment)[1])
        compiled, ran, again, own = (min(one) for one in zip(*times, strict=True))
        found[name], evaluated[name] = compiled, own
        print_result(f"library.{name}.compile", compiled, "s")
        print_result(f"library.{name}.run", ran, "s")
        print_result(f"library.{name}.time", 1e3 * again, "ms")
        print_result(f"library.{name}.evaluation", 1e6 * own, "µs")
    for label, costs in (("exponent", found), ("evaluation_exponent", evaluated)):
        growth = np.log(costs["ladder1000"] / costs["ladder250"]) / np.log(4.0)
        print_result(f"library.ladder1000.{label}", float(growth), "1")


if __name__ == "__main__":
    main()
