"""Events that coincide, rings that are locked, many samples, relays that chatter."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import IncompleteRunWarning, Model, Parameter, blocks
from motorik import functions as fn
from motorik import rotational as rot
from motorik import translational as tra


class Moving(Model):
    """A mass at 1 m/s from 0 m on, and two numbers that only events change."""

    def build(self) -> None:
        """Let it move on its own."""
        self.mass = tra.Mass(m=1.0, s=0.0, v=1.0)
        self.a, self.b = blocks.Discrete(start=0.0), blocks.Discrete(start=0.0)


@pytest.mark.parametrize("output", [[0.0, 0.5, 2.0], "steps"])
def test_two_conditions_at_one_instant_see_the_same_values_before(output):
    model = Moving()
    add = {model.a: lambda motion: motion["a.y"] + 1.0}
    model.when(lambda motion: motion["mass.s"] - 1.0, set=add, name="place")
    copy = {model.b: lambda motion: motion["a.y"] + 10.0}
    model.when(lambda motion: motion.t - 1.0, set=copy, name="time")
    result = model.simulate(2.0, output=output)
    assert [event.part for event in result.events] == ["place", "time"]
    np.testing.assert_allclose(result.events.times, 1.0, rtol=0, atol=1e-12)
    assert (result["a.y"][-1], result["b.y"][-1]) == (1.0, 10.0)


def test_a_condition_on_what_a_sampled_function_sets_fires_at_its_sample():
    model = Moving()
    past = {"inputs": ["mass.s"], "outputs": [model.a], "name": "past"}
    model.sample(0.25, lambda t, s: float(s > 0.9), **past)
    back = {"mass.v": lambda motion: -motion["mass.v"]}
    model.when(lambda motion: motion["a.y"] - 0.5, reset=back, name="back")
    result = model.simulate(2.0, output=[0.99, 1.0, 1.01, 2.0])
    assert [(event.part, event.time) for event in result.events] == [("back", 1.0)]
    np.testing.assert_allclose(result["mass.s"], [0.99, 1.0, 0.99, 0.0], atol=1e-14)


@pytest.mark.slow
def test_two_rates_with_offsets_tick_by_count_a_hundred_thousand_times():
    model = Moving()
    for number, period, offset in ((model.a, 1e-3, 3e-4), (model.b, 7e-4, 1e-4)):
        own = {"inputs": [f"{number.path}.y"], "outputs": [number], "offset": offset}
        model.sample(period, lambda t, n: n + 1.0, **own, traced=True)
    result = model.simulate(100.0 - 1e-5, output=1)
    assert (result["a.y"][-1], result["b.y"][-1]) == (100_000.0, 142_857.0)


def pressed(model: Model, **parts: rot.Clutch | rot.Brake) -> None:
    """Add clutches or brakes that are pressed fully."""
    model.pressing = blocks.Constant(k=1.0)
    for name, part in parts.items():
        setattr(model, name, part)
        model.pressing.y >> part.f_normalized


@pytest.mark.slow
def test_ten_brakes_on_one_shaft_share_the_load_equally():
    model = Model()
    model.shaft, model.torque = rot.Inertia(J=1.0, phi=0.0, w=10.0), rot.Torque()
    blocks.TimeFunction(f=lambda t: fn.where(t < 2.0, 0.0, 9.0)).y >> model.torque.tau
    model.torque.flange >> model.shaft.flange_a
    brakes = {f"brake{k}": rot.Brake(fn_max=2.0) for k in range(10)}
    pressed(model, **brakes)
    for brake in brakes.values():
        model.shaft.flange_b >> brake.flange_a
    result = model.simulate(4.0, output=[0.5, 1.5, 3.0])
    np.testing.assert_allclose(result["shaft.w"], [5.0, 0.0, 0.0], rtol=0, atol=1e-12)
    for name in brakes:
        np.testing.assert_allclose(result[f"{name}.tau"], [1.0, 0.0, 0.9], atol=1e-9)


def test_clutches_in_a_ring_lock_and_keep_momentum():
    model = Model()
    bodies = [rot.Inertia(J=1.0 + k, phi=0.0, w=float(k)) for k in range(4)]
    clutches = {f"clutch{k}": rot.Clutch(fn_max=2.0) for k in range(4)}
    for k, body in enumerate(bodies):
        setattr(model, f"body{k}", body)
    pressed(model, **clutches)
    for k, clutch in enumerate(clutches.values()):
        bodies[k].flange_b >> clutch.flange_a
        clutch.flange_b >> bodies[(k + 1) % 4].flange_a
    model.torque = rot.ConstantTorque(tau_constant=0.5)
    model.torque.flange >> bodies[0].flange_a
    result = model.simulate(20.0, output=50)
    speeds = np.array([result[f"body{k}.w"] for k in range(4)])
    momentum = np.arange(1.0, 5.0) @ speeds
    np.testing.assert_allclose(momentum, 20.0 + 0.5 * result.time, rtol=1e-13)
    assert np.ptp(speeds[:, -1]) < 1e-13 and speeds[0, -1] == pytest.approx(3.0)
    assert all(result[f"{name}.locked"][-1] == 1.0 for name in clutches)


def test_parameters_changed_between_steps_act_from_there_on():
    model = Model()
    model.shaft = rot.Inertia(J=1.0, w=10.0)
    pressed(model, brake=rot.Brake(fn_max=Parameter(4.0)))
    model.shaft.flange_b >> model.brake.flange_a
    simulator = model.simulator()
    for force, speed in ((4.0, 8.0), (8.0, 4.0), (0.0, 4.0), (16.0, 0.0)):
        simulator["brake.fn_max"] = force
        simulator.step(1.0)
        assert simulator["shaft.w"] == pytest.approx(speed, abs=1e-12)
    assert simulator.modes == {"brake": "stuck"}


@pytest.mark.parametrize("method", ["dopri5", "bdf", "gbs", "rk4"])
def test_a_relay_without_hysteresis_is_ended_and_named(method):
    model = Model()
    model.mass, model.force = tra.Mass(m=1.0, s=0.0, v=0.5), tra.Force()
    model.u = blocks.Discrete(start=-1.0)
    model.u.y >> model.force.f
    model.force.flange >> model.mass.flange_a
    model.when(lambda motion: motion["mass.v"], set={model.u: -1.0}, name="up")
    model.when(lambda motion: -motion["mass.v"], set={model.u: 1.0}, name="down")
    step = 0.01 if method == "rk4" else None
    with pytest.warns(IncompleteRunWarning, match="without end at this time; seen at"):
        result = model.simulate(1.0, method=method, step=step)
    assert "up" in result.info.message and "down" in result.info.message
    assert result.time[-1] == pytest.approx(0.5, abs=1e-6)
