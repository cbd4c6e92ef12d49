"""Stops of joints against closed forms, and their impacts against M and G of the mechanism."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import Parameter
from motorik import rotational as rot
from motorik.joints import (
    Coulomb,
    Cylindrical,
    Planar,
    Prismatic,
    Screw,
    Universal,
)
from tests.covering import each_once
from tests.joints.models import METHODS, STRATEGIES, Cradle, FourBar, Pendulum, run

ROD = 0.1 + 2.0 * 0.25  # of the pendulum about its hinge [kg·m²]
WEIGHT = 2.0 * 9.81 * 0.5  # its moment where it is level [N·m]


def fall_time(begin: float, end: float) -> float:
    """Return the time in which the rod falls from rest, by quadrature of 1/w."""
    from scipy.integrate import quad

    def slow(x: float) -> float:  # φ = begin − x², so that the integrand is finite at rest
        drop = np.sin(begin) - np.sin(begin - x * x)
        return 2.0 * x / np.sqrt(2.0 * WEIGHT * drop / ROD) if x else 0.0

    return quad(slow, 0.0, np.sqrt(begin - end), epsabs=1e-13, epsrel=1e-12)[0]


@pytest.mark.parametrize("method", METHODS)
def test_a_rod_falls_on_its_stop_and_rebounds(method):
    begin, stop, e = 0.5, -0.4, 0.5
    model = Pendulum(phi=begin, stops=(stop, None), restitution=e)
    rtol = 1e-9 if method == "bdf" else 1e-11
    result, seen = run(model, 5.0, method=method, rtol=rtol)
    speed = np.sqrt(2.0 * WEIGHT * (np.sin(begin) - np.sin(stop)) / ROD)
    tolerance = 1e-6 if method == "bdf" else 1e-9
    first = seen[0]
    assert first.time == pytest.approx(fall_time(begin, stop), rel=tolerance)
    assert first.impulse == pytest.approx(ROD * (1.0 + e) * speed, rel=tolerance)
    second = seen[1]
    assert second.impulse == pytest.approx(e * first.impulse, rel=tolerance)
    assert result["joint.phi"].min() > stop - 1e-12
    assert result["joint.phi"][-1] == pytest.approx(stop, abs=1e-10)
    assert result["joint.contact"][-1] == -1.0
    assert result["joint.tau_stop"][-1] == pytest.approx(WEIGHT * np.cos(stop), rel=1e-9)


def test_it_moves_between_two_stops_without_loss():
    # a slide at 2 m/s between −1 and 1 m, e = 1: hits 2 s/2 = every second from 0.5 s on
    model = Pendulum(joint=Prismatic, g=0.0, v=2.0, stops=(-1.0, 1.0), restitution=1.0)
    result, seen = run(model, 10.0)
    assert [event.time for event in seen] == pytest.approx(np.arange(0.5, 10.0), abs=1e-12)
    assert [event.impulse for event in seen] == pytest.approx([8.0] * 10, rel=1e-12)
    wave = 1.0 - np.abs((2.0 * result.time + 1.0) % 4.0 - 2.0)
    assert np.abs(result["joint.s"] - wave).max() < 1e-10


COMPOUND = [
    (Screw, {"w": 5.0, "stops": (None, 1.0)}, "phi"),
    (Cylindrical, {"w": 5.0, "stops": {"phi": (-1.0, 1.0)}}, "phi"),
    (Cylindrical, {"v": 5.0, "stops": {"s": (-1.0, 1.0)}}, "s"),
    (Universal, {"w_b": 5.0, "stops": {"phi_b": (-1.0, 1.0)}}, "phi_b"),
    (Planar, {"v_y": 5.0, "stops": {"s_y": (-1.0, 1.0)}}, "s_y"),
]


@pytest.mark.parametrize(("joint", "options", "q"), COMPOUND)
def test_every_joint_that_turns_or_slides_has_stops(joint, options, q):
    model = Pendulum(joint=joint, g=0.0, restitution=0.0, **options)
    result, seen = run(model, 1.0, rtol=1e-10)
    assert result[f"joint.{q}"].max() == pytest.approx(1.0, abs=1e-12)
    assert seen[0].impulse > 0.0


def test_friction_holds_at_a_stop_together_with_it():
    model = Pendulum(
        phi=0.5, stops=(-0.4, None), restitution=0.3, friction=Coulomb(tau=2.0)
    )
    result, _ = run(model, 5.0, rtol=1e-10)
    assert result["joint.phi"][-1] == pytest.approx(-0.4, abs=1e-10)
    held = result["joint.tau_stop"][-1] + result["joint.tau_friction"][-1]
    assert held == pytest.approx(WEIGHT * np.cos(-0.4), rel=1e-10)
    assert abs(result["joint.tau_friction"][-1]) <= 2.0 + 1e-12
    assert result["joint.tau_stop"][-1] >= 0.0


def test_a_stop_may_be_live():
    model = Pendulum(phi=0.5, stops=(Parameter(-0.4), None))
    name = next(iter(model.live_parameters()))
    near, _ = run(model, 5.0)
    far, _ = run(model, 5.0, parameters={name: -0.8})
    assert near["joint.phi"][-1] == pytest.approx(-0.4, abs=1e-9)
    assert far["joint.phi"][-1] == pytest.approx(-0.8, abs=1e-9)


# --- impacts against M and G -----------------------------------------------------------------


def motion_around(model, time, names, **options):
    """Return values on both sides of an instant, by extrapolation."""
    h = 2e-3
    steps = h * np.arange(1, 9)
    times = np.concatenate([time - steps[::-1], time + steps])
    result, _ = run(model, times[-1], output=times, rtol=1e-11, method="dop853", **options)

    def at(name, rows):
        return np.polyfit((result.time[rows] - time) / h, result[name][rows], 7)[-1]

    sides = slice(0, 8), slice(8, 16)
    return [np.array([at(name, rows) for name in names]) for rows in sides]


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("hinge", "strategy"),
    [(k, name) for k in range(4) for name in STRATEGIES if k == 3 or name != "absolute"],
)
def test_an_impact_in_a_loop_is_that_of_its_mass_and_constraint_matrix(strategy, hinge):
    e = 0.6
    free = FourBar(lengths=(0.5, 0.9, 0.6, 1.0), g=9.81)
    names = [f"hinge[{k}].phi" for k in range(1, 5)]
    swing, _ = run(free, 2.0, rtol=1e-9)
    angle = swing[names[hinge]]
    way = np.sign(angle[60] - angle[0])
    stop = float(angle[60])
    assert (way * np.diff(angle[:61]) >= 0.0).all()
    ends = (None, stop) if way > 0 else (stop, None)
    model = FourBar(
        lengths=(0.5, 0.9, 0.6, 1.0),
        g=9.81,
        options={hinge: {"stops": ends, "restitution": e}},
    )
    _, seen = run(model, 0.5, rtol=1e-11, method="dop853", strategy=strategy)
    hit = seen[0]
    system = model.compile(strategy="projected")
    q_names = [s.name for s in system.mechanism.coordinates]
    u_names = [s.name for s in system.mechanism.speeds]
    sides = motion_around(model, hit.time, q_names + u_names, strategy=strategy)
    (q, before), (_, after) = (np.split(side, [len(q_names)]) for side in sides)
    p = start_p(system)
    X = np.concatenate([q, before])
    n = len(u_names)
    M = system.mass_matrix(q, p).reshape(n, n).T
    G = system.constraint_matrix(np.array([hit.time]), X, p).reshape(n, -1).T
    s = np.zeros(n)
    s[u_names.index(f"hinge[{hinge + 1}].w")] = -way
    # M Δu = Gᵀ Λ + s P, G Δu = 0; G has redundant rows: least squares
    rows = len(G)
    K = np.block([[M, -G.T], [G, np.zeros((rows, rows))]])
    found = np.linalg.lstsq(K, np.concatenate([s, np.zeros(rows)]), rcond=1e-10)[0][:n]
    w = s @ before
    P = -(1.0 + e) * w / (s @ found)
    scale = np.abs(before).max()
    assert w < 0.0
    assert hit.impulse == pytest.approx(P, rel=1e-7)
    assert np.abs(after - before - found * P).max() < 1e-7 * scale
    assert s @ after == pytest.approx(-e * w, rel=1e-7)
    lost = 0.5 * (before @ M @ before - after @ M @ after)
    assert lost == pytest.approx(0.5 * (1.0 - e * e) * w * w / (s @ found), rel=1e-6)
    assert hit.energy_lost == pytest.approx(lost, rel=1e-6)


def start_p(system):
    """Return the parameters of a system at its start."""
    from motorik.initialisation.initialise import initialise

    return initialise(system, {}, system.parameter_values()).p


@pytest.mark.parametrize("ratio", [3.0, -0.5])
def test_an_impact_goes_through_a_gear(ratio):
    # the rotor turns ratio times as fast as the hinge: J = J_rod + ratio² J_rotor
    J_rotor, e, w = 0.02, 0.4, 2.0

    class Geared(Pendulum):
        """A rod whose hinge drives a rotor by a gear."""

        def build(self):
            """Put gear and rotor at the axis."""
            super().build(g=0.0, w=w, stops=(None, 1.0), restitution=e)
            self.gear = rot.IdealGear(ratio=ratio)
            self.rotor = rot.Inertia(J=J_rotor)
            self.rotor.flange_b >> self.gear.flange_a
            self.gear.flange_b >> self.joint.axis

    result, seen = run(Geared(), 2.0, rtol=1e-10)
    J = ROD + ratio**2 * J_rotor
    assert seen[0].time == pytest.approx(0.5, rel=1e-10)
    assert seen[0].impulse == pytest.approx(J * (1.0 + e) * w, rel=1e-10)
    after = result.time > 0.5
    assert np.abs(result["rotor.w"][after] + e * ratio * w).max() < 1e-9


def velocities(result, count):
    """Return the velocities of the balls of a cradle at the end of a run."""
    relative = [
        result["first.v"][-1],
        *(result[f"slide[{k}].v"][-1] for k in range(1, count)),
    ]
    return np.cumsum(relative)


def test_balls_that_meet_one_after_another_hand_on_their_speed():
    model = Cradle(masses=(1.0,) * 4, gaps=(0.5, 0.1, 0.2), speeds=(1.0, 0.0, 0.0, 0.0))
    result, seen = run(model, 3.0)
    assert [event.time for event in seen if event.impulse] == pytest.approx([0.5, 0.6, 0.8])
    assert np.abs(velocities(result, 4) - [0.0, 0.0, 0.0, 1.0]).max() < 1e-12


def test_balls_that_touch_are_hit_at_once():
    # Moreau for all contacts at once, e = 1: one solution of D P = 2 (1, 0), which keeps
    # momentum and energy but is not that of hits one after another
    model = Cradle(masses=(1.0,) * 3, gaps=(0.5, 0.0), speeds=(1.0, 0.0, 0.0))
    result, _ = run(model, 3.0)
    v = velocities(result, 3)
    assert np.abs(v - np.array([-1.0, 2.0, 2.0]) / 3.0).max() < 1e-12
    assert v.sum() == pytest.approx(1.0, abs=1e-12)
    assert (v * v).sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.kinds(2)
@pytest.mark.parametrize(("seed", "e"), each_once(range(4), [0.0, 0.5, 1.0]))
def test_several_contacts_at_once_keep_momentum_and_complement(e, seed):
    random = np.random.default_rng(seed)
    m = random.uniform(0.5, 3.0, 5)
    v = np.sort(random.normal(size=5))[::-1]  # every gap closes
    gaps = tuple(0.3 * (v[:-1] - v[1:]))  # all at 0.3 s
    model = Cradle(masses=tuple(m), gaps=gaps, speeds=tuple(v), e=e)
    result, seen = run(model, 0.31, rtol=1e-10)
    at_once = [event for event in seen if event.impulse]
    assert [event.time for event in at_once] == pytest.approx(
        [0.3] * len(at_once), abs=1e-9
    )
    after = velocities(result, 5)
    assert m @ after == pytest.approx(m @ v, abs=1e-11)
    P = np.zeros(4)
    for event in at_once:
        P[int(event.part[-2]) - 1] += event.impulse
    before, then = np.diff(v), np.diff(after)
    assert (P >= 0.0).all()
    assert np.abs(after - v - (np.r_[0.0, P] - np.r_[P, 0.0]) / m).max() < 1e-10
    assert (then + e * before > -1e-9).all()
    assert np.abs((then + e * before) * P).max() < 1e-9
    loss = 0.5 * (m @ v**2 - m @ after**2)
    assert loss == pytest.approx(-0.5 * (1.0 - e) * (P @ before), abs=1e-9)
