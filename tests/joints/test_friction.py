"""Friction in joints against closed forms, in every joint, strategy and method."""

from __future__ import annotations

import copy
import pickle
from math import cos, pi

import numpy as np
import pytest

from motorik import Parameter, Spherical, blocks, sin, where
from motorik import rotational as rot
from motorik.authoring import kinds, parameter
from motorik.joints import (
    Coulomb,
    Cylindrical,
    FrictionLaw,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Stribeck,
    Universal,
)
from tests.covering import each_once
from tests.joints.models import (
    METHODS,
    STRATEGIES,
    FourBar,
    Pendulum,
    braked_parallelogram,
    run,
)

STILL = 1e-25  # of an angle that begins at zero [rad]


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(("hinge", "strategy"), each_once(range(4), STRATEGIES))
def test_a_brake_in_any_hinge_of_a_loop_holds_and_releases_in_time(strategy, hinge):
    # parallelogram: all hinges turn as fast as the crank, so that friction 3 N·m in any of
    # them is 3 N·m at the crank: loose at 2 t = 3, then 2 t²/2 … until t² − 3 t + 2.25 is spent
    model = braked_parallelogram(hinge)
    result, seen = run(model, 4.0, method="dopri5", rtol=1e-10, strategy=strategy)
    loose, stuck = (event.time for event in seen)
    assert loose == pytest.approx(1.5, abs=1e-11)
    assert stuck == pytest.approx(17.0 / 6.0, abs=1e-10)
    assert abs(result["hinge[1].w"][-1]) < 1e-13


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_when_a_braked_loop_moves(method):
    rtol = 1e-9 if method == "bdf" else 1e-10
    _, seen = run(braked_parallelogram(2), 4.0, method=method, rtol=rtol)
    times = [event.time for event in seen]
    assert times == pytest.approx([1.5, 17.0 / 6.0], abs=1e-8)


ROD = 0.1 + 2.0 * 0.25  # of the pendulum about its hinge, r_CM in the middle
FREEDOMS = [
    (Revolute, {"w": 2.0}, "phi", {"tau": 0.9}, ROD),
    (Prismatic, {"v": 2.0}, "s", {"f": 0.9}, 2.0),
    (Cylindrical, {"v": 2.0}, "s", {"f": 0.9}, 2.0),
    (Planar, {"v_x": 2.0, "v_y": 0.0}, "s_x", {"f": 0.9}, 2.0),
]


@pytest.mark.parametrize(("joint", "options", "q", "level", "inertia"), FREEDOMS)
def test_coulomb_friction_stops_what_moves_freely(joint, options, q, level, inertia):
    # deceleration F/m: it stops after m w/F, at w² m/(2 F)
    (force,) = level.values()
    model = Pendulum(joint=joint, g=0.0, friction=Coulomb(**level), **options)
    result, seen = run(model, 10.0, method="dopri5", rtol=1e-11)
    assert seen[-1].time == pytest.approx(inertia * 2.0 / force, rel=1e-10)
    assert result[f"joint.{q}"][-1] == pytest.approx(4.0 * inertia / (2 * force), rel=1e-9)


def test_a_screw_sticks_where_friction_holds_its_weight():
    # a nut of 2 kg on a screw along y, lead 0.1 m: m g lead/2π = 0.3123 N·m
    needed = 2.0 * 9.81 * 0.1 / (2 * pi)
    for tau, moves in ((1.01 * needed, False), (0.99 * needed, True)):
        model = Pendulum(joint=Screw, n="y", lead=0.1, friction=Coulomb(tau=tau))
        result, _ = run(model, 1.0)
        assert (abs(result["joint.phi"][-1]) > 1e-3) == moves
        if not moves:
            assert result["joint.tau_friction"][-1] == pytest.approx(needed, rel=1e-12)


def test_both_axes_of_a_universal_joint_hold():
    model = Pendulum(joint=Universal, n_a="z", n_b="y", friction=Coulomb(tau=10.0))
    result, seen = run(model, 10.0)
    assert not seen
    assert result["joint.revolute_a.tau_friction"][-1] == pytest.approx(9.81, rel=1e-12)
    assert np.ptp(result["joint.phi_a"]) < STILL


def test_peak_holds_what_slides_once_it_is_loose():
    # held up to 1.2 · 9 N·m at the rod's 9.81 N·m, but sliding friction is too little
    holds = Pendulum(friction=Coulomb(tau=9.0, peak=1.2))
    result, _ = run(holds, 1.0)
    assert np.ptp(result["joint.phi"]) < STILL
    slides = Pendulum(friction=Coulomb(tau=9.0, peak=1.2), w=-1e-3)
    result, _ = run(slides, 1.0)
    assert result["joint.phi"][-1] < -0.1


def test_viscous_friction_adds_to_dry_friction():
    # J ẇ = −tau − d w from w0: stops at J/d · ln(1 + d w0/tau)
    tau, d, w0 = 0.3, 0.5, 2.0
    model = Pendulum(g=0.0, friction=Coulomb(tau=tau, viscous=d), w=w0)
    _, seen = run(model, 10.0, rtol=1e-10)
    assert seen[0].time == pytest.approx(ROD / d * np.log1p(d * w0 / tau), rel=1e-9)


def test_stribeck_friction_falls_with_the_speed():
    law = Stribeck(tau=0.3, stribeck=0.2, fexp=3.0, viscous=0.1)
    model = Pendulum(g=0.0, friction=law, w=2.0)
    result, seen = run(model, 10.0, rtol=1e-10)
    moves = result.time < seen[0].time
    w = result["joint.w"][moves]
    wanted = 0.3 + 0.2 * np.exp(-3.0 * w) + 0.1 * w
    assert np.abs(result["joint.tau_friction"][moves] + wanted).max() < 1e-14
    assert np.abs(result["joint.lossPower"][moves] - wanted * w).max() < 1e-14
    # the time is ∫ J dw / (friction), by Gauss
    from scipy.integrate import quad

    time, _ = quad(
        lambda w: ROD / (0.3 + 0.2 * np.exp(-3 * w) + 0.1 * w), 0.0, 2.0, epsabs=1e-13
    )
    assert seen[0].time == pytest.approx(time, rel=1e-9)


def test_lost_power_is_what_the_energy_lacks():
    model = Pendulum(friction=Coulomb(tau=1.0, viscous=0.2))
    result, _ = run(model, 8.0, rtol=1e-10, output=40_000)
    energy = result.energy()["total"]
    lost = np.trapezoid(result["joint.lossPower"], result.time)
    assert energy[0] - energy[-1] == pytest.approx(lost, rel=1e-6)
    assert result["joint.lossPower"].min() >= -1e-25
    assert energy[0] - energy[-1] > 5.0


def test_modes_forces_and_truth_values_are_results():
    model = Pendulum(friction=Coulomb(tau=3.0))
    result, seen = run(model, 5.0, rtol=1e-9)
    t, mode = result.time, result["joint.mode"]
    turn, rest = (event.time for event in seen)
    assert set(mode[t < turn]) == {-1.0}
    assert set(mode[(t > turn) & (t < rest)]) == {1.0}
    assert set(mode[t > rest]) == {0.0}
    assert np.array_equal(result["joint.locked"], mode == 0.0)
    assert np.array_equal(result["joint.stuck"], mode == 0.0)
    at_rest = 9.81 * cos(result["joint.phi"][-1])
    assert result["joint.tau_friction"][-1] == pytest.approx(at_rest, rel=1e-12)
    assert result["joint.tau"][-1] == 0.0  # what drives it at its flange
    assert result["joint.frame_b.t"][-1, 2] == pytest.approx(-at_rest, rel=1e-12)


@pytest.mark.slow
def test_friction_is_no_drive_of_a_flange():
    model = braked_parallelogram(0)
    result, _ = run(model, 4.0, rtol=1e-9)
    motor = np.where(result.time < 2.5, 2.0 * result.time, 0.0)
    inside = np.abs(result.time - 2.5) > 1e-6
    assert np.abs(result["hinge[1].tau"] - motor)[inside].max() < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("quaternions", [True, False])
def test_a_ball_joint_comes_to_rest_about_all_its_axes(quaternions):
    model = Pendulum(
        joint=Spherical,
        useQuaternions=quaternions,
        friction=Coulomb(tau=1.0),
        w_rel_a_start=(1.0, 2.0, 0.0),
        w_rel_a_fixed=True,
    )
    result, _ = run(model, 20.0, rtol=1e-9)
    assert np.abs(result["joint.w_rel"][-1]).max() < 1e-25
    assert result["joint.locked"][-1] == 1.0
    # at rest the friction carries the weight: r × m g in frame_b
    T = result["rod.frame_a.R.T"][-1]
    weight = np.cross([0.5, 0.0, 0.0], 2.0 * 9.81 * (T @ [0.0, -1.0, 0.0]))
    assert np.abs(result["joint.t_friction"][-1] + weight).max() < 1e-12
    assert np.abs(weight).max() < 1.0
    energy = result.energy()["total"]
    assert np.diff(energy).max() < 1e-7
    assert result["joint.lossPower"].min() > -1e-12


def test_friction_about_one_axis_of_a_ball_joint_leaves_the_others_free():
    model = Pendulum(joint=Spherical, friction={"x": Coulomb(tau=1.0)})
    result, _ = run(model, 2.0, rtol=1e-9)
    plain, _ = run(Pendulum(joint=Spherical), 2.0, rtol=1e-9)
    assert np.abs(result["rod.frame_b.r_0"] - plain["rod.frame_b.r_0"]).max() < 1e-7


def test_live_friction_needs_no_compiling():
    model = Pendulum(friction=Coulomb(tau=Parameter(20.0, name="tau")))
    system = model.compile()
    held, _ = run(model, 1.0)
    free, _ = run(model, 1.0, parameters={"tau": 0.0})
    assert model.compile() is system
    plain, _ = run(Pendulum(), 1.0)
    assert np.ptp(held["joint.phi"]) < STILL
    assert np.abs(free["joint.phi"] - plain["joint.phi"]).max() < 1e-6


class Tarry(FrictionLaw):
    """Friction that grows with the square of the speed from its value at rest."""

    growth: kinds.Factor = parameter("growth by the square of the speed", default=1.0)

    def sliding(self, w):
        """Return the force at the speed w ≥ 0."""
        return self.level * (1.0 + self.growth * w * w)

    def holding(self):
        """Return the largest force at rest."""
        return self.level


def test_a_law_of_friction_of_ones_own():
    # J ẇ = −tau (1 + w²): stops at J/tau · arctan(w0)
    law = Tarry(tau=0.5, growth=Parameter(0.2, name="growth"))
    model = Pendulum(g=0.0, friction=law, w=2.0)
    _, seen = run(model, 5.0, rtol=1e-10, parameters={"growth": 1.0})
    assert seen[0].time == pytest.approx(ROD / 0.5 * np.arctan(2.0), rel=1e-9)


def test_laws_are_values():
    law = Coulomb(tau=3.0, peak=1.2)
    assert law == Coulomb(tau=3.0, peak=1.2) != Coulomb(tau=3.0)
    assert hash(law) == hash(Coulomb(tau=3.0, peak=1.2))
    assert repr(law) == "Coulomb(tau=3.0, peak=1.2)"
    assert repr(Revolute(friction=law)) == f"Revolute(friction={law!r})"


def test_friction_of_a_compound_joint_follows_its_freedoms():
    along, about = Coulomb(f=2.0), Coulomb(tau=1.0)
    joint = Planar(friction=along, stops={"phi": (-1.0, 1.0)}, restitution=0.5)
    assert (joint.rubbing.friction, joint.revolute.friction) == (along, None)
    assert joint.revolute.stops == (-1.0, 1.0)
    assert joint.revolute.restitution == 0.5
    joint.friction = {"phi": about}
    assert (joint.rubbing.friction, joint.revolute.friction) == (None, about)
    joint.friction = (along, None, about)
    assert (joint.prismatic_y.friction, joint.revolute.friction) == (None, about)
    joint.friction = joint.stops = None
    assert not joint.revolute.internal()


def test_friction_given_later_takes_part():
    model = Pendulum()
    run(model, 0.5)
    model.joint.friction = Coulomb(tau=20.0)
    held, _ = run(model, 0.5)
    assert np.ptp(held["joint.phi"]) < STILL
    model.joint.friction = None
    free, _ = run(model, 0.5)
    assert np.ptp(free["joint.phi"]) > 0.1


@pytest.mark.slow
def test_explain_tells_why_a_closing_joint_keeps_its_coordinate():
    hinges = {k: {"friction": Coulomb(tau=1.0)} for k in range(4)}
    text = FourBar(options=hinges).explain()
    assert "closes a loop and has friction or stops: it keeps its coordinate" in str(text)


@pytest.mark.kinds(1)
# in absolute coordinates the test of one brake is tried: four take long to compile
@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES[:-1])
def test_brakes_in_all_hinges_of_a_loop_share_its_load(strategy):
    # 1 N·m in each of four hinges that turn alike: loose at 2 t = 4; then (2.5 − 2)² = 4 (t − 2.5)
    model = FourBar(
        options={k: {"friction": Coulomb(tau=1.0)} for k in range(4)},
        torque=lambda t: where(t < 2.5, 2.0 * t, 0.0),
    )
    result, seen = run(model, 3.0, method="dopri5", rtol=1e-10, strategy=strategy)
    # the shares of brakes that hold the same are not determined: one may slip within itself
    loose = max(event.time for event in seen if event.time < 2.3)
    assert (loose, seen[-1].time) == pytest.approx((2.0, 2.5625), abs=1e-6)
    held = result.time < 1.9
    signs = (1.0, -1.0, -1.0, 1.0)  # how the hinges turn as the crank does
    shares = [s * result[f"hinge[{k}].tau_friction"] for k, s in enumerate(signs, 1)]
    assert np.abs(sum(shares) + 2.0 * result.time)[held].max() < 1e-9
    assert max(np.abs(share).max() for share in shares) < 1.0 + 1e-9


def test_a_drive_overcomes_the_friction_of_its_joint():
    # phi = sin t: the drive gives J phi'' + tau sign(w)
    class Driven(Pendulum):
        """A rod whose hinge follows a given angle."""

        def build(self):
            """Put the drive at the axis."""
            super().build(g=0.0, friction=Coulomb(tau=0.5))
            self.drive = rot.Position(exact=True)
            self.drive.flange >> self.joint.axis
            blocks.TimeFunction(f=sin).y >> self.drive.phi_ref

    result, seen = run(Driven(), 6.0)
    assert [event.time for event in seen] == pytest.approx([pi / 2, 3 * pi / 2], abs=1e-9)
    t = result.time[1:]
    wanted = -ROD * np.sin(t) + 0.5 * np.sign(np.cos(t))
    assert np.abs(result["joint.tau"][1:] - wanted).max() < 1e-9


@pytest.mark.slow
def test_models_with_friction_are_copied_and_pickled():
    model = Pendulum(friction=Coulomb(tau=2.0), stops=(-1.0, 1.0))
    first, _ = run(model, 1.0)
    for twin in (copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert twin.joint.friction == model.joint.friction
        again, _ = run(twin, 1.0)
        assert np.array_equal(again["joint.phi"], first["joint.phi"])


@pytest.mark.slow
def test_steps_by_hand_stick_and_slip_as_a_run_does():
    model = braked_parallelogram(1)
    result, _ = run(model, 4.0, output=[2.0, 4.0], method="dopri5", rtol=1e-9)
    simulator = model.simulator(method="dopri5", rtol=1e-9)
    for row in (-2, -1):
        simulator.step(2.0)
        angle = result["hinge[2].phi"][row]
        assert simulator["hinge[2].phi"] == pytest.approx(angle, abs=1e-8)
    assert simulator["hinge[2].locked"] == 1.0


def test_friction_that_falls_with_the_speed_does_at_any_speed():
    # backward by 200 rad/s, where the law of the other direction would be e⁴⁰⁰⁰
    law = Stribeck(tau=0.3, stribeck=0.2, fexp=20.0)
    result, _ = run(Pendulum(g=0.0, friction=law, w=-200.0), 1.0)
    assert result["joint.w"][-1] == pytest.approx(-200.0 + 0.3 / ROD, rel=1e-12)
