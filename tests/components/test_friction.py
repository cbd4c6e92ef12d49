"""Friction of drive lines against closed forms, and energy against what it says it loses."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik import rotational as rot
from motorik import translational as tra

METHODS = ("dopri5", "dop853", "adams", "bdf", "gbs")


def run(model, times, method="dop853", rtol=1e-11):
    """Return a run at these times."""
    return model.simulate(times[-1], method=method, rtol=rtol, output=times, progress=False)


class TwoShafts(mk.Model):
    """Two inertias and what is between them, pressed by a signal."""

    def build(self, part, J=(2.0, 1.0), w=(100.0, 0.0), press=None) -> None:
        self.first = rot.Inertia(J=J[0], phi=0.0, w=w[0])
        self.second = rot.Inertia(J=J[1], phi=0.0, w=w[1])
        self.part = part
        self.first.flange_b >> self.part.flange_a
        self.part.flange_b >> self.second.flange_a
        self.press = blocks.TimeFunction(f=press or (lambda t: 1.0 + 0.0 * t))
        self.press.y >> self.part.f_normalized
        self.loss = blocks.Expression(f=lambda m: m.variable(self.part, "lossPower"))
        self.lost = blocks.Integrator()
        self.loss.y >> self.lost.u


@pytest.mark.parametrize("method", METHODS)
def test_a_clutch_brings_two_shafts_to_one_speed(method):
    model = TwoShafts(part=rot.Clutch(fn_max=100.0))
    locks, speed = 4.0 / 3.0, 200.0 / 3.0
    result = run(model, [0.0, 1.0, locks - 1e-6, locks + 1e-6, 3.0], method)
    assert result["part.mode"].tolist() == [-1, -1, -1, 0, 0]
    np.testing.assert_allclose(
        result["first.w"][[1, 3, 4]], [75.0, speed, speed], rtol=1e-8
    )
    assert abs(result["part.w_rel"][4]) < 1e-12
    np.testing.assert_allclose(result["lost.y"][-1], 0.5 * (2.0 / 3.0) * 1e4, rtol=1e-8)


def test_a_clutch_slides_beyond_its_static_torque_and_not_before():
    """A torque 10 t on one of two equal shafts, of which the clutch carries half."""
    model = TwoShafts(part=rot.Clutch(fn_max=10.0, peak=1.5), J=(1.0, 1.0), w=(0.0, 0.0))
    model.load, model.ramp = rot.Torque(), blocks.ContinuousClock()
    model.gain = blocks.Gain(k=10.0)
    model.ramp.y >> model.gain.u
    model.gain.y >> model.load.tau
    model.load.flange >> model.second.flange_b
    breaks = 2.0 * 1.5 * 5.0 / 10.0
    result = run(model, [0.0, 1.0, breaks - 1e-9, breaks + 1e-9, 2.0])
    assert result["part.mode"].tolist() == [0, 0, 0, 1, 1]
    np.testing.assert_allclose(result["part.tau"][:3], [0.0, 5.0, 7.5], atol=1e-7)
    np.testing.assert_allclose(result["part.tau"][3:], 5.0)
    apart = 5.0 * (4.0 - breaks**2) - 10.0 * (2.0 - breaks)  # ∫ 10 t − 2 · 5
    np.testing.assert_allclose(result["part.w_rel"][-1], apart, rtol=1e-10)


def test_a_clutch_that_is_let_go_is_free_and_one_that_is_pressed_again_holds():
    """Pressed by cos t: w_rel = −5 + 10 sin t, until it is zero at π / 6."""
    part = rot.Clutch(fn_max=10.0)
    model = TwoShafts(part=part, J=(1.0, 1.0), w=(2.5, -2.5), press=lambda t: mk.cos(t))
    sixth, half = math.pi / 6.0, 0.5 * math.pi
    moments = (sixth, half, 3.0 * half)
    times = [0.0, *(t + side for t in moments for side in (-1e-9, 1e-9))]
    result = run(model, times)
    assert result["part.mode"].tolist() == [-1, -1, 0, 0, 2, 2, 0]
    np.testing.assert_allclose(result["part.w_rel"][2:], 0.0, atol=1e-10)


@pytest.mark.parametrize("support", [False, True])
def test_a_bearing_stops_a_shaft_in_finite_time(support):
    """J w' = −τ₀ − k w stops at (J / k) ln(1 + k w₀ / τ₀)."""
    J, tau_0, k, w_0 = 2.0, 0.5, 0.25, 10.0
    model = mk.Model()
    model.shaft = rot.Inertia(J=J, phi=0.0, w=w_0)
    model.part = rot.BearingFriction(
        tau_pos=((0.0, tau_0), (1.0, tau_0 + k)), useSupport=support
    )
    model.shaft.flange_b >> model.part.flange_a
    if support:
        model.wall = rot.Fixed()
        model.wall.flange >> model.part.support
    stops = J / k * math.log(1.0 + k * w_0 / tau_0)
    result = run(model, [0.0, 4.0, stops - 1e-6, stops + 1e-6, stops + 5.0])
    assert result["part.mode"].tolist() == [1, 1, 1, 0, 0]
    expected = (w_0 + tau_0 / k) * math.exp(-k * 4.0 / J) - tau_0 / k
    np.testing.assert_allclose(result["shaft.w"][1], expected, rtol=1e-10)
    assert result["shaft.w"][-1] == 0.0


def test_a_brake_on_a_moving_support_brings_both_to_one_speed():
    model = mk.Model()
    model.shaft, model.frame = rot.Inertia(J=1.0, w=6.0), rot.Inertia(J=2.0, w=0.0)
    model.part, model.press = rot.Brake(useSupport=True, fn_max=4.0), blocks.Constant(k=1.0)
    model.shaft.flange_b >> model.part.flange_a
    model.frame.flange_a >> model.part.support
    model.press.y >> model.part.f_normalized
    result = run(model, [0.0, 1.0, 2.0 - 1e-9, 2.0 + 1e-9, 3.0])
    np.testing.assert_allclose(result["shaft.w"], [6.0, 4.0, 2.0, 2.0, 2.0], atol=1e-8)
    assert result["part.mode"].tolist() == [1, 1, 1, 0, 0]


class FreeWheel(mk.Model):
    """A free wheel between two shafts, the first driven by a sine."""

    def build(self, w=(0.0, 0.0), amplitude=4.0) -> None:
        self.first, self.second = rot.Inertia(J=1.0, w=w[0]), rot.Inertia(J=3.0, w=w[1])
        self.part, self.off = rot.OneWayClutch(), blocks.Constant(k=0.0)
        self.drive, self.sine = (
            rot.Torque(),
            blocks.TimeFunction(f=lambda t: amplitude * mk.sin(t)),
        )
        self.sine.y >> self.drive.tau
        self.drive.flange >> self.first.flange_a
        self.first.flange_b >> self.part.flange_a
        self.part.flange_b >> self.second.flange_a
        self.off.y >> self.part.f_normalized


@pytest.mark.parametrize("method", METHODS)
def test_a_free_wheel_drives_forward_and_overruns(method):
    """Both turn as one while the torque pushes, to t = π; then the first one turns back."""
    result = run(FreeWheel(), [0.0, 1.0, math.pi - 1e-6, math.pi + 1e-6, 5.0], method)
    assert result["part.mode"].tolist() == [0, 0, 0, 1, 1]
    np.testing.assert_allclose(
        result["second.w"][[1, 4]], [1.0 - math.cos(1.0), 2.0], rtol=1e-7
    )
    expected = 2.0 - 4.0 * (math.cos(5.0) + 1.0)
    np.testing.assert_allclose(result["first.w"][4], expected, rtol=1e-7)
    assert abs(result["part.lossPower"]).max() < 1e-9


def test_a_free_wheel_that_runs_backward_hits():
    result = run(FreeWheel(w=(4.0, 0.0), amplitude=0.0), [0.0, 1.0])
    np.testing.assert_allclose(result["first.w"], 1.0, rtol=1e-12)
    np.testing.assert_allclose(result["second.w"], 1.0, rtol=1e-12)


class Sliding(mk.Model):
    """A mass that friction brakes, pushed by a force."""

    def build(self, part, v=3.0, force=lambda t: 0.0 * t) -> None:
        self.mass, self.part = tra.Mass(m=2.0, s=0.0, v=v), part
        self.push, self.source = tra.Force(), blocks.TimeFunction(f=force)
        self.source.y >> self.push.f
        self.push.flange >> self.mass.flange_a
        self.mass.flange_b >> self.part.flange_a


def test_a_brake_of_a_line_stops_a_mass_within_its_way():
    model = Sliding(part=tra.Brake(mu_pos=((0.0, 0.4),), fn_max=10.0))
    model.press = blocks.Constant(k=0.5)
    model.press.y >> model.part.f_normalized
    result = run(model, [0.0, 3.0 - 1e-9, 3.0 + 1e-9, 5.0])
    assert result["part.mode"].tolist() == [1, 1, 0, 0]
    np.testing.assert_allclose(result["mass.s"][-1], 2.0 * 3.0**2 / (2.0 * 2.0), rtol=1e-12)


@pytest.mark.slow
def test_friction_of_a_table_and_of_a_formula_move_alike():
    """Of F_Coulomb + F_prop v, once as a table beside a mass, once in the mass itself."""
    force = lambda t: 6.0 * mk.sin(3.0 * t)  # noqa: E731
    table = Sliding(
        part=tra.SupportFriction(f_pos=((0.0, 4.0), (1.0, 5.5), (2.0, 7.0)), peak=1.2),
        force=force,
    )
    model = mk.Model()
    model.mass = tra.MassWithStopAndFriction(
        m=2.0, s=0.0, v=3.0, F_Coulomb=4.0, F_prop=1.5, F_Stribeck=0.0, peak=1.2
    )
    model.push, model.source = tra.Force(), blocks.TimeFunction(f=force)
    model.source.y >> model.push.f
    model.push.flange >> model.mass.flange_a
    times = np.linspace(0.0, 6.0, 301)
    a, b = run(table, times), run(model, times)
    np.testing.assert_allclose(a["mass.s"], b["mass.s"], atol=1e-9)
    assert (a["part.mode"] == b["mass.mode"]).all()
    assert set(a["part.mode"]) == {-1.0, 0.0, 1.0}


@pytest.mark.kinds(5)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("e", [0.0, 0.5])
def test_a_mass_hits_its_stops(e, method):
    """From the middle at 1 m/s to smax, and by e back to smin, without friction."""
    model = mk.Model()
    model.mass = tra.MassWithStopAndFriction(
        L=0.2, s=0.0, v=1.0, smin=-0.6, smax=0.6, restitution=e,
        F_prop=0.0, F_Coulomb=0.0, F_Stribeck=0.0,
    )  # fmt: skip
    result = run(model, [0.0, 0.4, 0.6, 2.0, 3.0], method)
    expected = [0.0, 0.4, 0.5 - e * 0.1, 0.5 - e * 1.5, None]
    np.testing.assert_allclose(result["mass.s"][:4], expected[:4], atol=1e-7)
    back = -0.5 + e * e * 0.5 if e else 0.5
    np.testing.assert_allclose(result["mass.s"][4], back, atol=1e-7)


def test_a_mass_at_a_stop_leaves_it_when_the_pull_overcomes_friction():
    """Pushed into smax by 10 N at the start, then pulled by more and more: F = 10 − 10 t."""
    model = mk.Model()
    model.mass = tra.MassWithStopAndFriction(
        s=0.0,
        v=1.0,
        smin=-50.0,
        smax=0.25,
        F_prop=0.0,
        F_Coulomb=3.0,
        F_Stribeck=2.0,
        peak=1.2,
    )
    model.push, model.source = tra.Force(), blocks.TimeFunction(f=lambda t: 10.0 - 10.0 * t)
    model.source.y >> model.push.f
    model.push.flange >> model.mass.flange_a
    leaves = 1.0 + 1.2 * 5.0 / 10.0
    result = run(model, [0.0, 0.5, 1.0, leaves - 1e-9, leaves + 1e-9, 2.0])
    assert result["mass.mode"].tolist() == [1, 0, 0, 0, -1, -1]
    np.testing.assert_allclose(result["mass.s"][1:4], 0.25, atol=1e-12)
    assert result["mass.stopped"][1] == 1.0
    assert result["mass.stopped"][3] == 0.0
    np.testing.assert_allclose(result["mass.f"][1], 5.0, rtol=1e-12)


def test_friction_of_stribeck_fades_with_the_speed():
    model = mk.Model()
    model.mass = tra.MassWithStopAndFriction(v=2.0, F_prop=1.5)
    result = run(model, [0.0, 1e-3])
    np.testing.assert_allclose(
        result["mass.f"][0], 5.0 + 3.0 + 10.0 * math.exp(-4.0), rtol=1e-14
    )


def test_a_brake_on_a_shaft_with_nothing_to_do_is_at_rest():
    """Both sides are prescribed: no force can be told, and none moves anything."""
    model = mk.Model()
    model.drive, model.speed = rot.Speed(exact=True), blocks.Constant(k=0.0)
    model.part, model.press = rot.Brake(), blocks.Constant(k=1.0)
    model.shaft = rot.Inertia()
    model.speed.y >> model.drive.w_ref
    model.drive.flange >> model.shaft.flange_a
    model.shaft.flange_b >> model.part.flange_a
    model.press.y >> model.part.f_normalized
    result = run(model, [0.0, 1.0])
    assert result["part.mode"].tolist() == [0.0, 0.0]
    assert result["part.locked"].tolist() == [1.0, 1.0]


def test_live_tables_and_forces_change_without_compiling():
    mu = mk.Parameter(0.5, name="mu")
    model = TwoShafts(part=rot.Clutch(fn_max=100.0, mu_pos=((0.0, mu), (200.0, mu))))
    slow = model.simulate(1.0, rtol=1e-10)
    fast = model.simulate(1.0, rtol=1e-10, parameters={"mu": 0.6})
    np.testing.assert_allclose(slow["first.w"][-1], 75.0, rtol=1e-9)
    np.testing.assert_allclose(fast["first.w"][-1], 70.0, rtol=1e-9)
