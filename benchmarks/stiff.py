"""Stiff oscillation: beams of many links, lightly damped, against Exudyn and CVODES.

A cantilever of 1 m and 1 kg is released from the horizontal: n links on hinges with springs of
EI / l and dampers. Its fastest modes vibrate thousands of times while its tip falls. Every
contestant takes its cheapest setting with which the tip is within `ACCURACY` of a tight reference
at 51 times; the time is that of the call that simulates, in seconds of the processor.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.harness import NotAvailable
from benchmarks.models import Array
from benchmarks.peers import require
from benchmarks.report import best_in_turns, print_machine, print_note, print_result
from motorik import Body, FixedTranslation, Model, Revolute, World, rotational

ACCURACY = 4e-4  # m, of a beam of 1 m
LENGTH, MASS, STIFFNESS, DAMPING = 1.0, 1.0, 1.0, 1e-6  # m, kg, EI [N·m²], s
SAMPLES = 50
TOLERANCES = (3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6)
METHODS = ("radau", "auto", "dop853")
STEPS = (50, 100, 150, 200, 300, 500, 1000, 1500, 2000, 3000)
SIZES = (100, 200, 400)

# seconds of one simulation, and the height of the tip at the samples
Simulation = Callable[[], tuple[float, Array]]


def make_beam(n: int) -> Model:
    """Return a cantilever of n links on springs."""
    model = Model()
    model.world = World(g=9.81, n="-y")
    length, mass = LENGTH / n, MASS / n
    inertia, stiffness = mass * length**2 / 12.0, STIFFNESS / length
    end = model.world.frame_b
    for k in range(n):
        hinge = Revolute(n="z", useAxisFlange=True)
        body = Body(
            m=mass, r_CM=(length / 2.0, 0, 0), I_11=inertia, I_22=inertia, I_33=inertia
        )
        rod = FixedTranslation(r=(length, 0, 0))
        spring = rotational.SpringDamper(c=stiffness, d=DAMPING * stiffness)
        for name, part in (("hinge", hinge), ("body", body), ("rod", rod), ("s", spring)):
            setattr(model, f"{name}{k}", part)
        end >> hinge.frame_a
        hinge.frame_b >> body.frame_a
        hinge.frame_b >> rod.frame_a
        hinge.support >> spring.flange_a
        hinge.axis >> spring.flange_b
        end = rod.frame_b
    return model


def height_of_tip(angles: Array) -> Array:
    """Return the height of the tip [m] from the relative angles, a column for each time."""
    return LENGTH / len(angles) * np.sin(np.cumsum(angles, axis=0)).sum(axis=0)


def simulate_ours(
    model: Model, n: int, stop: float, method: str, rtol: float
) -> Simulation:
    """Return a simulation by motorik."""

    def run() -> tuple[float, Array]:
        clock = time.process_time()
        result = model.simulate(stop, method=method, rtol=rtol, output=SAMPLES)
        spent = time.process_time() - clock
        angles = np.array([result[f"hinge{k}.phi"] for k in range(n)])
        return spent, height_of_tip(angles)

    return run


def simulate_exudyn(n: int, stop: float, steps: int) -> Simulation:
    """Return a simulation by Exudyn's kinematic tree and generalised α."""
    exudyn: Any = require("exudyn", "exudyn")
    items: Any = require("exudyn.itemInterface", "exudyn")
    length, mass = LENGTH / n, MASS / n
    stiffness, still = STIFFNESS / length, [0.0] * n
    inertia = np.diag([mass * length**2 / 12.0] * 3)

    def run() -> tuple[float, Array]:
        system = exudyn.SystemContainer().AddSystem()
        node = system.AddNode(
            items.NodeGenericODE2(
                referenceCoordinates=still,
                initialCoordinates=still,
                initialCoordinates_t=still,
                numberOfODE2Coordinates=n,
            )
        )
        offsets = [[length if k else 0.0, 0.0, 0.0] for k in range(n)]
        system.AddObject(
            items.ObjectKinematicTree(
                nodeNumber=node,
                gravity=[0.0, -9.81, 0.0],
                jointTypes=[exudyn.JointType.RevoluteZ] * n,
                linkParents=list(range(-1, n - 1)),
                jointTransformations=exudyn.Matrix3DList([np.eye(3)] * n),
                jointOffsets=exudyn.Vector3DList(offsets),
                linkInertiasCOM=exudyn.Matrix3DList([inertia] * n),
                linkCOMs=exudyn.Vector3DList([[length / 2.0, 0.0, 0.0]] * n),
                linkMasses=[mass] * n,
                jointPControlVector=[stiffness] * n,
                jointDControlVector=[DAMPING * stiffness] * n,
                jointPositionOffsetVector=still,
                jointVelocityOffsetVector=still,
            )
        )
        kind = exudyn.OutputVariableType.Coordinates
        sensor = system.AddSensor(
            items.SensorNode(
                nodeNumber=node,
                outputVariableType=kind,
                storeInternal=True,
                writeToFile=False,
            )
        )
        system.Assemble()
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = stop
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.solutionSettings.writeSolutionToFile = False
        settings.solution.sensors.writePeriod = stop / SAMPLES
        solver = exudyn.DynamicSolverType.GeneralizedAlpha
        clock = time.process_time()
        system.SolveDynamic(settings, solverType=solver)
        spent = time.process_time() - clock
        found = system.GetSensorStoredData(sensor)
        times = np.linspace(0.0, stop, SAMPLES + 1)
        angles = np.array([np.interp(times, found[:, 0], own) for own in found[:, 1:].T])
        return spent, height_of_tip(angles)

    return run


def simulate_cvodes(model: Model, n: int, stop: float, rtol: float) -> Simulation:
    """Return a simulation by CVODES with backward differentiation, of the same equations."""
    casadi: Any = import_module("casadi")

    system = model.compile()
    rates = system.equations.function("derivative")
    x, t = casadi.SX.sym("x", 2 * n), casadi.SX.sym("t")
    p = system.parameter_values()
    ode = {"x": x, "t": t, "ode": rates(t, x, casadi.DM(p))}
    times = np.linspace(0.0, stop, SAMPLES + 1)
    options = {"reltol": rtol, "abstol": rtol, "max_num_steps": 1_000_000}
    integrate = casadi.integrator("peer", "cvodes", ode, 0.0, times[1:], options)
    start = np.zeros(2 * n)

    def run() -> tuple[float, Array]:
        clock = time.process_time()
        found = np.array(integrate(x0=start)["xf"])
        spent = time.process_time() - clock
        return spent, height_of_tip(np.column_stack([start[:n], found[:n]]))

    return run


def cheapest(
    name: str,
    runs: Iterable[tuple[str, Callable[[], Simulation]]],
    reference: Array,
    accuracy: float = ACCURACY,
) -> tuple[Simulation, float] | None:
    """Return the fastest of several settings that is accurate enough, and its error [m]."""
    best: tuple[float, str, Simulation, float] | None = None
    for setting, make in runs:
        run = make()
        try:
            run()
            spent, heights = run()
        except RuntimeError:  # a peer does not converge
            continue
        if heights.shape != reference.shape:
            continue
        error = float(np.abs(heights - reference).max())
        if error <= accuracy and (best is None or spent < best[0]):
            best = spent, setting, run, error
    if best is None:
        print_note(f"{name}: no setting reaches {accuracy:g} m")
        return None
    print_note(f"{name}: {best[1]}, error {best[3]:.1e} m")
    return best[2], best[3]


def ours(model: Model, n: int, stop: float) -> list[tuple[str, Callable[[], Simulation]]]:
    """Return our settings."""
    return [
        (f"{method} {rtol:g}", lambda m=method, r=rtol: simulate_ours(model, n, stop, m, r))
        for method in METHODS
        for rtol in TOLERANCES
    ]


def compare(n: int, stop: float, peer: str) -> None:
    """Compare ourselves with a peer at equal accuracy."""
    model = make_beam(n)
    reference = simulate_ours(model, n, stop, "dop853", 1e-10)()[1]
    settings: list[tuple[str, Callable[[], Simulation]]]
    if peer == "exudyn":
        settings = [(f"{k} steps", lambda k=k: simulate_exudyn(n, stop, k)) for k in STEPS]
    else:
        settings = [
            (f"{r:g}", lambda r=r: simulate_cvodes(model, n, stop, r))
            for r in TOLERANCES[1:]
        ]
    try:
        other = cheapest(f"beam{n} {peer}", settings, reference)
    except NotAvailable as reason:
        print_note(f"beam{n}: {reason}")
        return
    if other is None:
        return
    own = cheapest(f"beam{n} motorik", ours(model, n, stop), reference, other[1])
    if own is None:
        return
    best = best_in_turns({"motorik": lambda: own[0]()[0], peer: lambda: other[0]()[0]})
    for name, seconds in best.items():
        print_result(f"stiff.beam{n}.{name}", seconds * 1e3, "ms")
    print_result(f"stiff.beam{n}.vs_{peer}", best[peer] / best["motorik"], "x")


def measure_growth(stop: float = 0.3, rtol: float = 1e-3) -> None:
    """Print how the time of a run grows with the links of a beam."""
    contestants = {}
    for n in SIZES:
        run = simulate_ours(make_beam(n), n, stop, "radau", rtol)
        run()
        contestants[str(n)] = lambda run=run: run()[0]
    best = best_in_turns(contestants)
    for n in SIZES:
        print_result(f"stiff.beam{n}.radau", best[str(n)] * 1e3, "ms")
    first, last = SIZES[0], SIZES[-1]
    exponent = math.log(best[str(last)] / best[str(first)]) / math.log(last / first)
    print_result(f"stiff.beam{last}.exponent", exponent, "")


def main() -> None:
    """Run all comparisons."""
    print_machine()
    compare(30, 3.0, "exudyn")
    compare(100, 0.3, "exudyn")
    compare(20, 3.0, "cvodes")
    measure_growth()


if __name__ == "__main__":
    main()
