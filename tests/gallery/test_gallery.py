"""The gallery: laws that hold for its mechanisms whoever solves them."""

import numpy as np
import pinocchio
import pytest

from motorik import SolverOptions
from motorik.gallery import (
    DoublePendulum,
    Pendulum,
    SpinningWheel,
    TrolleyPendulum,
    chain,
    manipulator6,
)

CONSERVATIVE = {
    "Pendulum": lambda: Pendulum(damping=0.0),
    "DoublePendulum": lambda: DoublePendulum(damping=0.0),
    "TrolleyPendulum": lambda: TrolleyPendulum(friction=(0.0, 0.0, 0.0)),
    "SpinningWheel": SpinningWheel,
    "chain": lambda: chain(4),
    "manipulator6": manipulator6,
}
DAMPED = {
    "Pendulum": (Pendulum, ["damper"]),
    "DoublePendulum": (DoublePendulum, ["damper"]),
    "TrolleyPendulum": (TrolleyPendulum, ["rail_friction", "friction1", "friction2"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CONSERVATIVE)
def test_energy_is_kept_where_nothing_damps(name):
    result = CONSERVATIVE[name]().simulate(2.0, rtol=1e-11)
    energy = result.energy()
    drift = np.abs(energy["total"] - energy["total"][0]).max()
    assert drift < 1e-10 * np.ptp(energy["kinetic"])


@pytest.mark.parametrize("name", DAMPED)
def test_energy_lost_is_what_the_dampers_turn_into_heat(name):
    make, dampers = DAMPED[name]
    result = make().simulate(2.0, rtol=1e-11, output=4000)
    heat = sum(result[f"{damper}.lossPower"] for damper in dampers)
    assert heat.min() >= 0.0
    h = result.time[1] - result.time[0]
    simpson = h / 3 * (heat[0] + 4 * heat[1:-1:2].sum() + 2 * heat[2:-1:2].sum() + heat[-1])
    total = result.energy()["total"]
    assert total[0] - total[-1] == pytest.approx(simpson, rel=4e-10)


def test_the_slow_pendulum_swings_as_the_closed_form_says():
    amplitude = 1e-4
    pendulum = Pendulum(damping=0.1, phi=-np.pi / 2 + amplitude)
    result = pendulum.simulate(3.0, rtol=1e-11, solver=SolverOptions(atol=1e-15))
    J, c, d = 0.001 + 0.25, 9.80665 * 0.5, 0.1
    delta = d / (2 * J)
    omega = np.sqrt(c / J - delta**2)
    t = result.time
    decay = amplitude * np.exp(-delta * t)
    phi = decay * (np.cos(omega * t) + delta / omega * np.sin(omega * t))
    assert np.abs(result["rev.phi"] + np.pi / 2 - phi).max() < 1e-4 * amplitude**2


def test_the_wheel_keeps_its_momentum_about_the_vertical():
    result = SpinningWheel().simulate(2.0, rtol=1e-11)
    bodies = ("rack", "axle", "wheel")
    L = sum(result[f"{body}.body.angular_momentum"][:, 2] for body in bodies)
    wheel = np.abs(result["wheel.body.angular_momentum"]).max()
    assert np.abs(L).max() < 2e-13 * wheel


def test_the_manipulator_is_pinocchios():
    system = manipulator6().compile()
    theirs = pinocchio.buildSampleModelManipulator()
    data = theirs.createData()
    rng = np.random.default_rng(6)
    for _ in range(5):
        q, v, tau = rng.uniform(-1, 1, (3, 6))
        expected = pinocchio.aba(theirs, data, q, v, tau)
        ours = system.forward_dynamics(q, v, tau, np.zeros(0))
        np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=1e-10)


def test_a_chain_has_as_many_links_as_asked_for():
    model = chain(7, length=0.5, phi=0.3)
    result = model.simulate(0.1, output=1)
    assert len(result.state_names) == 14
    reach = np.linalg.norm(result["tip7.frame_b.r_0"][0])
    assert reach == pytest.approx(3.5, rel=1e-12)
