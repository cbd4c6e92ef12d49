"""Simulator: a model under way, moved on step by step and changed in between."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik.errors import ParameterError, SimulationError, UnknownNameError
from tests.refusals import refused


class Servo(mk.Model):
    """A hinge with a motor whose torque is live, and a ball joint behind it."""

    def build(self) -> None:
        self.world = mk.World()
        self.hinge = mk.Revolute(useAxisFlange=True, phi=0.3)
        self.arm = mk.BodyShape(m=mk.Parameter(1.3), r=(0.5, 0, 0), r_CM=(0.25, 0, 0))
        self.ball = mk.Spherical()
        self.hand = mk.Body(m=0.4, r_CM=(0.2, 0.1, 0), I_11=0.002, I_22=0.002)
        self.motor = mk.rotational.ConstantTorque(tau_constant=mk.Parameter(0.0))
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.arm.frame_a
        self.arm.frame_b >> self.ball.frame_a
        self.ball.frame_b >> self.hand.frame_a
        self.motor.flange >> self.hinge.axis


@pytest.fixture
def sim():
    """A servo under way, exactly."""
    return Servo().simulator(method="dop853", rtol=1e-11)


def test_steps_lead_where_a_run_leads(sim):
    result = Servo().simulate(1.0, method="dop853", rtol=1e-11, output=10)
    for row in result.states[1:]:
        sim.step(0.1)
        np.testing.assert_allclose(sim.state, row, rtol=0, atol=3e-10)
    assert sim.time == pytest.approx(1.0, abs=1e-15)
    assert sim.state_names == result.state_names


def test_any_variable_can_be_read_under_way(sim):
    result = Servo().simulate(0.5, method="dop853", rtol=1e-11, output=1)
    sim.step(0.5)
    assert sim["motor.tau_constant"] == 0.0 and sim["arm.m"] == 1.3
    names = ["hinge.phi", "hinge.a", "hand.frame_a.f", "hand.frame_a.R.T", "hand.r_0[2]"]
    for name in names:
        value, row = sim[name], result[name][-1]
        assert np.shape(value) == np.shape(row)
        np.testing.assert_allclose(value, row, rtol=0, atol=1e-12)
    assert isinstance(sim["hinge.phi"], float) and isinstance(sim["hinge.a"], float)


def test_a_live_torque_acts_from_the_moment_it_is_set(sim):
    sim.step(0.2)
    free = sim["hinge.a"]
    sim["motor.tau_constant"] = 2.0
    assert sim["motor.tau_constant"] == 2.0 and sim["hinge.tau"] == 2.0
    driven = sim["hinge.a"]
    assert driven > free + 1.0
    # the same two pieces as runs, one after the other
    start = dict(zip(sim.state_names, sim.state, strict=True))
    sim.step(0.3)
    again = Servo().simulate(
        0.3,
        initial=start,
        parameters={"motor.tau_constant": 2.0},
        rtol=1e-11,
        method="dop853",
    )
    np.testing.assert_allclose(sim.state, again.states[-1], rtol=0, atol=1e-10)


def test_a_change_in_the_simulator_stays_there(sim):
    sim["motor.tau_constant"] = 2.0
    assert sim.system.parameters[1].value == 0.0


def test_a_state_can_be_set_and_the_quaternion_stays_one(sim):
    sim.step(0.1)
    sim["hinge.w"] = 3.0
    assert sim["hinge.w"] == 3.0
    sim["ball.Q[1]"] = 0.5
    Q = [sim[f"ball.Q[{i}]"] for i in range(1, 5)]
    assert np.linalg.norm(Q) == pytest.approx(1.0, abs=1e-15)
    sim.step(0.1)


def test_the_state_is_a_copy(sim):
    sim.state[:] = 99.0
    assert sim["hinge.phi"] == 0.3


def test_the_start_can_be_given():
    sim = Servo().simulator(initial={"hinge.phi": 1.0})
    assert sim["hinge.phi"] == 1.0 and sim.time == 0.0


# --- refusals -------------------------------------------------------------------------------


@pytest.mark.parametrize("dt", [0.0, -0.1, np.nan, np.inf, "a", None], ids=str)
def test_a_step_of_time_is_positive(sim, dt):
    with refused(SimulationError, "dt = ", repr(dt)):
        sim.step(dt)


@pytest.mark.parametrize("value", [np.nan, np.inf, "a", None], ids=str)
def test_only_finite_numbers_can_be_set(sim, value):
    for name in ("motor.tau_constant", "hinge.phi"):
        with refused(SimulationError, name, repr(value)):
            sim[name] = value


def test_a_value_that_no_part_can_have_is_refused_and_the_run_goes_on(sim):
    with refused(ParameterError, "arm", "m = -1.0 kg"):
        sim["arm.m"] = -1.0
    assert sim["arm.m"] == 1.3
    sim.step(0.1)


def test_unknown_names_get_the_near_one(sim):
    with refused(UnknownNameError, "'hinge.phy'", "Did you mean 'hinge.phi'?"):
        sim["hinge.phy"] = 1.0
    with refused(UnknownNameError, "hinge", "'phy'", "Did you mean 'phi'?"):
        sim["hinge.phy"]
    with refused(UnknownNameError, "'hand.m'", "live parameter"):
        sim["hand.m"] = 1.0


def test_options_are_checked_as_in_a_run():
    with refused(SimulationError, "'dopri'", "dopri5"):
        Servo().simulator(method="dopri")
    with refused(SimulationError, "rtol = -1"):
        Servo().simulator(rtol=-1)
    with refused(UnknownNameError, "'hinge.fi'"):
        Servo().simulator(initial={"hinge.fi": 1.0})


def test_a_failure_underway_is_raised_with_its_time():
    model = mk.Model()
    model.world = mk.World(gravityType="point", mu=1.0)
    model.comet = mk.PointMass(r_0=(1, 0, 0))
    sim = model.simulator()
    with refused(SimulationError, "Model", "t = 1.11", "step size"):
        sim.step(5.0)
    assert 1.0 < sim.time < 1.2


def test_a_refused_value_leaves_all_live_values_as_they_were(sim):
    sim["motor.tau_constant"] = 2.0
    with refused(ParameterError, "arm", "-1", "m must be"):
        sim["arm.m"] = -1.0
    with refused(ParameterError, "arm", "-1", "m must be"):
        sim["arm.m"] = -1.0  # what was refused once is not taken for checked
    assert sim["arm.m"] == 1.3 and sim["motor.tau_constant"] == 2.0


def test_it_tells_what_it_is_and_takes_known_options_only(sim):
    sim.step(0.5)
    assert repr(sim) == "<Simulator of Servo at t = 0.5 s>"
    with refused(SimulationError, "max_step = -1"):
        Servo().simulator(solver=mk.SolverOptions(max_step=-1))
    with refused(SimulationError, "max_steps = 0"):
        Servo().simulator(solver=mk.SolverOptions(max_steps=0))
    with refused(UnknownNameError, "'hand.m'", "Parameter(value)"):
        sim["hand.m"] = 1.0


def test_a_failing_run_names_the_state_that_runs_away():
    result = Servo().simulate(1.0, method="dopri5", solver=mk.SolverOptions(max_steps=5))
    u = np.abs(result.states[-1, len(result.states[-1]) - 4 :])
    name = result.state_names[-4 + int(np.argmax(u))]
    assert f"the largest speed is {name} = {u.max():.3g} rad/s" in result.info.message
    sim = Servo().simulator(solver=mk.SolverOptions(max_steps=5))
    with refused(SimulationError, "Servo", "the largest speed is", "max_steps"):
        sim.step(1.0)


@pytest.mark.parametrize(("sizes", "end"), [((0.01,), 6.0), ((0.1, 0.3, 0.2), 120.0)])
def test_steps_add_up_to_their_sum(sim, sizes, end):
    for k in range(600):
        sim.step(sizes[k % len(sizes)])
    assert sim.time == end
    sim.take(sim.motion, 0.25)
    assert sim.step(0.5).time == 0.75
