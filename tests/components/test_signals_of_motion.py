"""Signals of the motion and of time: expressions, exact derivatives, thresholds, trapezoids."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik.errors import ParameterError
from motorik.sensors import DistanceSensor
from tests.refusals import refused


def arm(**parts) -> mk.Model:
    """Return a rod on a driven hinge, with further parts."""
    model = mk.Model()
    model.world, model.rev = mk.World(), mk.Revolute(phi=0.3, w=1.0, useAxisFlange=True)
    model.rod = mk.BodyShape(r=(1, 0, 0), r_CM=(0.5, 0, 0))
    for name, part in parts.items():
        setattr(model, name, part)
    model.world.frame_b >> model.rev.frame_a
    model.rev.frame_b >> model.rod.frame_a
    return model


# --- expressions ------------------------------------------------------------------------------


def test_an_expression_that_drives_is_the_law_it_says():
    spring, damper = mk.rotational.Spring(c=3.0), mk.rotational.Damper(d=0.2)
    laws = arm(spring=spring, damper=damper)
    for part in (spring, damper):
        part.flange_a >> laws.rev.support
        part.flange_b >> laws.rev.axis
    told = arm(torque=mk.rotational.Torque())
    told.law = blocks.Expression(
        f=lambda motion: (
            -3.0 * motion.variable(told.rev, "phi") - 0.2 * motion.variable(told.rev, "w")
        )
    )
    told.law.y >> told.torque.tau
    told.torque.flange >> told.rev.axis
    a, b = (m.simulate(1.0, output=10, rtol=1e-11) for m in (laws, told))
    np.testing.assert_allclose(b["rev.phi"], a["rev.phi"], atol=1e-12)
    np.testing.assert_allclose(
        b["law.y"], -3.0 * a["rev.phi"] - 0.2 * a["rev.w"], atol=1e-11
    )


def test_an_expression_knows_the_time_and_shows_accelerations():
    model = arm()
    model.late = blocks.Expression(f=lambda motion: 2.0 * motion.t)
    model.fast = blocks.Expression(f=lambda motion: 2.0 * motion.variable(model.rev, "a"))
    result = model.simulate(1.0, output=4)
    np.testing.assert_allclose(result["late.y"], 2.0 * result.time, atol=1e-15)
    np.testing.assert_allclose(result["fast.y"], 2.0 * result["rev.a"], atol=1e-14)


def test_an_expression_needs_a_function():
    with refused(ParameterError, "Expression", "f = None", "not a function"):
        blocks.Expression()


# --- derivatives ------------------------------------------------------------------------------


@pytest.mark.slow
def test_der_is_the_derivative_of_positions_speeds_and_states():
    model = arm(apart=DistanceSensor(), post=mk.Fixed(r=(1.0, 0.5, 0.0)))
    model.rod.frame_b >> model.apart.frame_a
    model.post.frame_b >> model.apart.frame_b
    model.first, model.second, model.third = blocks.Der(), blocks.Der(), blocks.Der()
    model.lag = blocks.FirstOrder(T=0.1)
    model.apart.distance >> model.first.u
    model.first.y >> model.second.u
    model.apart.distance >> model.lag.u
    model.lag.y >> model.third.u
    result = model.simulate(0.5, output=np.linspace(0, 0.5, 501), rtol=1e-12)
    phi, w, a = (result[f"rev.{name}"] for name in ("phi", "w", "a"))
    x, y = np.cos(phi) - 1.0, np.sin(phi) - 0.5
    vx, vy = -np.sin(phi) * w, np.cos(phi) * w
    ax, ay = -np.sin(phi) * a - np.cos(phi) * w**2, np.cos(phi) * a - np.sin(phi) * w**2
    d = np.hypot(x, y)
    rate = (x * vx + y * vy) / d
    np.testing.assert_allclose(result["first.y"], rate, atol=1e-12)
    second = (x * ax + y * ay + vx**2 + vy**2 - rate**2) / d
    np.testing.assert_allclose(result["second.y"], second, atol=1e-10)
    lag = (d - result["lag.y"]) / 0.1
    np.testing.assert_allclose(result["third.y"], lag, atol=1e-10)


def test_der_of_a_function_of_time_is_exact():
    model = arm(wave=blocks.Sine(f=1.0), der=blocks.Der())
    model.wave.y >> model.der.u
    result = model.simulate(1.0, output=8)
    wanted = 2 * np.pi * np.cos(2 * np.pi * result.time)
    np.testing.assert_allclose(result["der.y"], wanted, atol=1e-13)


def test_a_force_may_follow_the_rates_of_an_angle_and_of_a_speed():
    damped = arm(der=blocks.Der(), gain=blocks.Gain(k=-0.2), torque=mk.rotational.Torque())
    damped.angle = mk.rotational.AngleSensor()
    damped.angle.flange >> damped.rev.axis
    damped.angle.phi >> damped.der.u
    damped.der.y >> damped.gain.u
    damped.gain.y >> damped.torque.tau
    damped.torque.flange >> damped.rev.axis
    twin = arm(damper=mk.rotational.Damper(d=0.2))
    twin.damper.flange_a >> twin.rev.support
    twin.damper.flange_b >> twin.rev.axis
    a, b = (m.simulate(1.0, output=10, rtol=1e-11) for m in (damped, twin))
    np.testing.assert_allclose(a["rev.phi"], b["rev.phi"], atol=1e-12)

    model = arm(der=blocks.Der(), gain=blocks.Gain(k=-0.2), torque=mk.rotational.Torque())
    model.speed = mk.rotational.SpeedSensor()
    model.speed.flange >> model.rev.axis
    model.speed.w >> model.der.u
    model.der.y >> model.gain.u
    model.gain.y >> model.torque.tau
    model.torque.flange >> model.rev.axis
    twin = arm(rotor=mk.rotational.Inertia(J=0.2))
    twin.rotor.flange_a >> twin.rev.axis
    a, b = (m.simulate(1.0, output=10, rtol=1e-11) for m in (model, twin))
    np.testing.assert_allclose(a["rev.phi"], b["rev.phi"], atol=1e-10)


def test_der_in_a_loop_without_a_state_makes_one():
    """u = −2 u̇ decays."""
    model = mk.Model()
    model.der, model.gain = blocks.Der(), blocks.Gain(k=-2.0)
    model.der.y >> model.gain.u
    model.gain.y >> model.der.u
    (name,) = model.compile().layout.state_names
    result = model.simulate(1.0, output=4, initial={name: 3.0}, rtol=1e-9)
    exact = 3.0 * np.exp(-0.5 * np.asarray(result.time))
    np.testing.assert_allclose(result["gain.y"], exact, atol=1e-7)
    np.testing.assert_allclose(result["der.y"], -0.5 * exact, atol=1e-7)


def test_a_distance_has_a_rate_also_where_it_is_zero():
    model = arm(apart=DistanceSensor(), der=blocks.Der())
    model.rev.frame_b >> model.apart.frame_b
    model.world.frame_b >> model.apart.frame_a
    model.apart.distance >> model.der.u
    result = model.simulate(1.0, output=4)
    np.testing.assert_array_equal(result["apart.distance"], 0.0)
    np.testing.assert_array_equal(result["der.y"], 0.0)


# --- functions of time ------------------------------------------------------------------------


def shown(block: mk.Model, times: np.ndarray, name: str = "y") -> np.ndarray:
    """Return an output of a block at the given times."""
    model = arm(block=block)
    return model.simulate(times[-1], output=times)[f"block.{name}"]


@pytest.mark.parametrize("count", [-1, 0, 2])
def test_a_trapezoid_is_the_broken_line_through_its_corners(count):
    given = {"rising": 0.1, "width": 0.2, "falling": 0.3, "period": 0.75, "startTime": 0.4}
    block = blocks.Trapezoid(amplitude=2.0, offset=-0.5, nperiod=count, **given)
    corners, heights = [0.0], [0.0]
    for k in range(5 if count < 0 else count):
        begin = 0.4 + 0.75 * k
        corners += [begin, begin + 0.1, begin + 0.3, begin + 0.6]
        heights += [0.0, 1.0, 1.0, 0.0]
    times = np.linspace(0.0, 3.0, 301)[1:]
    wanted = -0.5 + 2.0 * np.interp(times, corners, heights)
    np.testing.assert_allclose(shown(block, times), wanted, atol=1e-12)


def test_a_trapezoid_without_slopes_is_a_row_of_pulses():
    times = np.array([0.1, 0.49, 0.51, 0.9, 1.1, 1.6])
    found = shown(blocks.Trapezoid(), times)
    np.testing.assert_array_equal(found, [1.0, 1.0, 0.0, 0.0, 1.0, 0.0])


def test_a_trapezoid_longer_than_its_period_is_refused():
    with refused(ParameterError, "Trapezoid", "1.2 s", "period of 1 s"):
        blocks.Trapezoid(rising=0.3, width=0.5, falling=0.4)


def test_a_threshold_tells_by_one_or_zero():
    model = arm(
        clock=blocks.ContinuousClock(), small=blocks.LessEqualThreshold(threshold=0.5)
    )
    model.clock.y >> model.small.u
    result = model.simulate(1.0, output=np.array([0.25, 0.5, 0.75, 1.0]))
    np.testing.assert_array_equal(result["small.y"], (result.time <= 0.5) * 1.0)


def test_a_torque_step_drives_from_its_time_on():
    model = mk.Model()
    model.disc = mk.rotational.Inertia(J=2.0, phi=0.0, w=0.0)
    model.step = mk.rotational.TorqueStep(stepTorque=3.0, offsetTorque=-1.0, startTime=0.5)
    model.step.flange >> model.disc.flange_a
    result = model.simulate(1.0, output=np.linspace(0, 1, 8), rtol=1e-9)
    t = result.time
    np.testing.assert_array_equal(result["step.tau"], np.where(t < 0.5, -1.0, 2.0))
    wanted = (-t + 3.0 * np.maximum(t - 0.5, 0.0)) / 2.0
    np.testing.assert_allclose(result["disc.w"], wanted, atol=1e-8)


def test_the_power_of_a_prescribed_hinge_adds_up_to_the_energy_it_gives():
    """Its torque is a reaction: it follows from the motion, and an integrator takes it."""
    model = arm(drive=mk.rotational.Position(exact=True), energy=blocks.Integrator())
    model.source = blocks.TimeFunction(f=lambda t: 0.3 + t + 0.5 * t**3)
    model.source.y >> model.drive.phi_ref
    model.drive.flange >> model.rev.axis
    model.power = blocks.Expression(f=lambda m: -m["drive.flange.tau"] * m["rev.w"])
    model.power.y >> model.energy.u
    result = model.simulate(1.0, rtol=1e-10)
    energies = result.energy()
    total = np.asarray(energies["kinetic"]) + np.asarray(energies["potential"])
    given = np.asarray(result["energy.y"]) - result["energy.y"][0]
    np.testing.assert_allclose(given, total - total[0], rtol=1e-8, atol=1e-8)
