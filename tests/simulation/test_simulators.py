"""Many simulations that step together are those that step alone."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik.errors import SimulationError, UnknownNameError
from motorik.gallery import PlanarFourbar
from tests.events.parts import Slide
from tests.refusals import refused
from tests.simulation.test_control_loop import TORQUES, arm
from tests.simulation.test_simulator import Servo

COUNT = 6  # one and a half blocks of lanes


def alone(model, values: dict[str, np.ndarray], **options) -> list:
    """Return single simulators with these start values or live parameters."""
    sims = []
    for k in range(COUNT):
        sim = model.simulator(**options)
        now = {name: float(column[k]) for name, column in values.items()}
        states = {n: v for n, v in now.items() if n in sim.layout.index}
        sims.append(sim.reset(states, {n: v for n, v in now.items() if n not in states}))
    return sims


CASES = {
    "arm": (arm, "hinge2.w", TORQUES[0], {"step": 0.01}, True),
    "arm adaptive": (
        arm,
        "hinge2.w",
        TORQUES[0],
        {"method": "dopri5", "rtol": 1e-10},
        False,
    ),
    "quaternions": (Servo, "hinge.w", "motor.tau_constant", {"step": 0.005}, True),
    "friction": (Slide, "mass.v", "push.f_constant", {"method": "dopri5"}, False),
    "friction, fixed step": (Slide, "mass.v", "push.f_constant", {"step": 0.01}, False),
    "loop": (PlanarFourbar, "revolute1.w", "", {"step": 0.005}, False),
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("case", CASES)
def test_they_step_as_each_does_alone(case, threads):
    make, state, drive, options, in_lanes = CASES[case]
    model, rng = make(), np.random.default_rng(5)
    options = {"method": "rk4", **options}
    starts = {state: rng.uniform(0.5, 2.0, COUNT)}
    sims = model.simulators(COUNT, initial=starts, threads=threads, **options)
    singles = alone(model, starts, **options)
    assert sims.in_lanes == in_lanes
    names = [state, *([drive] if drive else [])]
    names = list(dict.fromkeys([*names, sims.state_names[-1]]))
    outputs = sims.outputs("time", *names)
    for _ in range(4):
        if drive:
            given = rng.uniform(-3.0, 3.0, (COUNT, 1))
            sims.inputs(drive).write(given)
        sims.step(0.055)
        found = outputs.read()
        for k, single in enumerate(singles):
            if drive:
                single[drive] = given[k, 0]
            single.step(0.055)
            expected = [single.time, *(single[n] for n in names)]
            # a method that chooses its steps sees where the first simulation began
            near = 1e-11 if "step" in options else 1e-9
            np.testing.assert_allclose(found[k], expected, rtol=near, atol=near)
    which = np.arange(COUNT) % 2 == 1
    before = sims.state
    sims.reset(which, {state: [1.25, 1.5, 1.75]})
    after = sims.outputs("time", state).read()
    assert after[which].tolist() == [[0.0, 1.25], [0.0, 1.5], [0.0, 1.75]]
    assert (sims.state[~which] == before[~which]).all()
    sims.reset(2)
    assert sims.outputs(state).read()[2] == starts[state][2] and sims.time[4] > 0.0
    sims.step(0.055)
    again = alone(model, starts, **options)[2].step(0.055)
    if not drive:
        np.testing.assert_allclose(sims.state[2], again.state, rtol=1e-11, atol=1e-11)


def test_any_variable_of_all_is_read():
    sims = arm().simulators(COUNT, step=0.01, initial={"hinge1.w": np.arange(COUNT)})
    sims.step(0.1)
    outputs = sims.outputs("hinge3.a", "link3.frame_b.r_0", TORQUES[1])
    found = outputs.read()
    assert outputs.units == ("rad/s2", "m", "N.m") and found.shape == (COUNT, 5)
    for k in range(COUNT):
        single = arm().simulator(method="rk4", step=0.01, initial={"hinge1.w": float(k)})
        single.step(0.1)
        expected = single.outputs("hinge3.a", "link3.frame_b.r_0", TORQUES[1]).read()
        np.testing.assert_allclose(found[k], expected, rtol=1e-11, atol=1e-12)


def test_those_that_fail_are_named_and_the_others_go_on():
    model = mk.Model()
    model.world = mk.World()
    model.hinge = hinge = mk.Revolute(n="y", useAxisFlange=True)
    model.body = mk.Body(m=1.0, r_CM=(0.5, 0, 0), I_11=0.1, I_22=0.1, I_33=0.1)
    model.motor = mk.rotational.ConstantTorque(tau_constant=mk.Parameter(0.0))
    model.world.frame_b >> hinge.frame_a
    hinge.frame_b >> model.body.frame_a
    model.motor.flange >> hinge.axis
    sims = model.simulators(COUNT, step=0.01)
    torque = np.zeros((COUNT, 1))
    torque[[1, 4]] = 1.7e308
    sims.inputs("motor.tau_constant").write(torque)
    with refused(SimulationError, "2 of 6", "1, 4", "finite"):
        for _ in range(50):
            sims.step(0.5)
    assert np.isfinite(sims.state).all() and sims.time[0] > sims.time[1]
    sims.inputs("motor.tau_constant").write([0.0])
    sims.reset([1, 4]).step(0.1)
    assert sims.time[1] == 0.1


def test_wrong_values_are_refused():
    with refused(SimulationError, "count = 0"):
        arm().simulators(0, step=0.01)
    with refused(SimulationError, "step"):
        arm().simulators(3)
    with refused(SimulationError, "hinge1.w", "shape (2,)", "3 simulations"):
        arm().simulators(3, step=0.01, initial={"hinge1.w": [1.0, 2.0]})
    sims = arm().simulators(3, step=0.01)
    with refused(SimulationError, "shape (2, 3)"):
        sims.inputs(*TORQUES).write(np.zeros((2, 3)))
    with refused(SimulationError, TORQUES[1], "simulation 2", "nan"):
        sims.inputs(*TORQUES).write([[0, 0, 0], [0, 0, 0], [0, np.nan, 0]])
    with refused(UnknownNameError, "hinge1.tau"):
        sims.inputs("hinge1.tau")
    with refused(SimulationError, "[5]"):
        sims.reset([5])
    with refused(SimulationError, "dt = 0"):
        sims.step(0.0)
