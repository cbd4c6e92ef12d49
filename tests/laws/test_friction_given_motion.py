"""Inverse dynamics sees friction: what slides, starts, rests, and what cannot be known."""

import itertools

import numpy as np
import pytest

from motorik import (
    AssemblyError,
    FixedTranslation,
    Model,
    ParameterError,
    PointMass,
    Prismatic,
    Revolute,
    World,
    blocks,
    rotational,
)
from motorik import functions as fn
from motorik.analysis.friction import least_drives
from motorik.errors import MotionWarning
from motorik.joints import Coulomb, FrictionLaw, Stribeck

G = 9.80665
T = np.linspace(0.0, 2.0, 41)


class Arm(Model):
    """An arm of 2 kg at 1 m about a horizontal axis, with friction in its hinge."""

    def build(self, friction):
        self.world = World()
        self.hinge = Revolute(n=(0, 0, 1), friction=friction, useAxisFlange=True)
        self.rod, self.mass = FixedTranslation(r=(1, 0, 0)), PointMass(m=2.0)
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.rod.frame_a
        self.rod.frame_b >> self.mass.frame_a


def swing(t):
    return 0.5 * np.sin(3.0 * t), 1.5 * np.cos(3.0 * t), -4.5 * np.sin(3.0 * t)


def frictionless(phi, a):
    return 2.0 * a + 2.0 * G * np.cos(phi)


def test_sliding_friction_adds_to_the_torque_against_the_motion():
    phi, w, a = swing(T)
    model = Arm(friction=Stribeck(tau=3.0, stribeck=2.0, fexp=1.5, viscous=0.2))
    found = model.inverse_dynamics(T, {"hinge.phi": (phi, w, a)})["hinge.phi"]
    size = np.abs(w)
    resisting = np.sign(w) * (3.0 + 2.0 * np.exp(-1.5 * size) + 0.2 * size)
    assert np.allclose(found, frictionless(phi, a) + resisting, rtol=0, atol=1e-12)


class ByRoot(FrictionLaw):
    """A law of one's own that is no number at negative speeds."""

    def sliding(self, w):
        return self.level * (1.0 + fn.sqrt(w))

    def holding(self):
        return self.level


def test_a_law_of_ones_own_adds_to_the_torque():
    phi, w, a = swing(T)
    found = Arm(friction=ByRoot(tau=3.0)).inverse_dynamics(T, {"hinge.phi": (phi, w, a)})
    resisting = np.sign(w) * 3.0 * (1.0 + np.sqrt(np.abs(w)))
    total = frictionless(phi, a) + resisting
    assert np.allclose(found["hinge.phi"], total, rtol=0, atol=1e-12)


@pytest.mark.slow
def test_what_was_computed_causes_the_motion():
    """Forward again, with the torque as a function of time."""
    model = Arm(friction=Coulomb(tau=3.0))
    t = np.linspace(0.0, 0.4, 401)
    phi, w, a = swing(t)
    torque = model.inverse_dynamics(t, {"hinge.phi": (phi, w, a)})["hinge.phi"]

    factors = np.polyfit(t, torque, 9).tolist()

    def fitted(t):
        value = 0.0
        for factor in factors:
            value = value * t + factor
        return value

    class Driven(Arm):
        def build(self, friction):
            super().build(friction=friction)
            self.motor = rotational.Torque()
            self.table = blocks.TimeFunction(f=fitted)
            self.table.y >> self.motor.tau
            self.motor.flange >> self.hinge.axis

    result = Driven(friction=Coulomb(tau=3.0)).simulate(
        0.4, initial={"hinge.phi": 0.0, "hinge.w": 1.5}, rtol=1e-8
    )
    assert result["hinge.phi"][-1] == pytest.approx(phi[-1], abs=1e-6)


@pytest.mark.parametrize("limit", [5.0, 2.0 * G, 40.0])
def test_at_rest_friction_takes_what_it_can(limit):
    """The smallest torque that holds 2 kg at 1 m."""
    zero = np.zeros(3)
    found = Arm(friction=Coulomb(tau=limit)).inverse_dynamics(
        [0.0, 1.0, 2.0], {"hinge.phi": (zero, zero, zero)}
    )["hinge.phi"]
    assert found == pytest.approx(max(0.0, 2.0 * G - limit), abs=1e-12)


def test_what_starts_from_rest_has_the_friction_of_its_acceleration():
    for a in (2.0, -2.0):
        found = Arm(friction=Coulomb(tau=3.0, peak=2.0)).inverse_dynamics(
            [0.0], {"hinge.phi": ([0.0], [0.0], [a])}
        )["hinge.phi"]
        assert found == pytest.approx(frictionless(0.0, a) + 3.0 * np.sign(a))


def test_a_brake_at_rest_replaces_a_drive():
    """The second joint is held by friction alone while the first turns."""

    class Two(Arm):
        def build(self, friction=None):
            super().build(friction=Coulomb(tau=1.0))
            self.elbow = Revolute(n=(0, 0, 1), friction=friction)
            self.tip, self.end = FixedTranslation(r=(1, 0, 0)), PointMass(m=1.0)
            self.rod.frame_b >> self.elbow.frame_a
            self.elbow.frame_b >> self.tip.frame_a
            self.tip.frame_b >> self.end.frame_a

    zero = np.zeros(T.size)
    phi, w, a = swing(T)
    given = {"hinge.phi": (phi, w, a), "elbow.phi": (zero, zero, zero)}
    found = Two(friction=Coulomb(tau=50.0)).inverse_dynamics(
        T, given, drives=["hinge.phi"]
    )["hinge.phi"]
    exact = (2.0 + 4.0) * a + (2.0 + 2.0) * G * np.cos(phi) + np.sign(w)
    assert np.allclose(found, exact, rtol=0, atol=1e-11)
    with pytest.raises(ParameterError, match="cannot cause the motion"):
        Two(friction=Coulomb(tau=5.0)).inverse_dynamics(T, given, drives=["hinge.phi"])


def test_a_closed_stop_carries_what_pushes_against_it():
    class Stopped(Model):
        def build(self):
            self.world = World()
            self.slide = Prismatic(n=(0, 1, 0), stops=(0.0, 1.0))
            self.body = PointMass(m=3.0)
            self.world.frame_b >> self.slide.frame_a
            self.slide.frame_b >> self.body.frame_a

    model = Stopped()
    rest = model.inverse_dynamics([0.0], {"slide.s": ([0.0], [0.0], [0.0])})["slide.s"]
    assert rest == pytest.approx(0.0, abs=1e-12)
    above = model.inverse_dynamics([0.0], {"slide.s": ([0.5], [0.0], [0.0])})["slide.s"]
    assert above == pytest.approx(3.0 * G)


def test_losses_that_read_the_torque_are_refused_by_name():
    class Geared(Model):
        def build(self):
            self.motor = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
            self.gear = rotational.LossyGear(
                ratio=2.0, lossTable=((0.0, 0.9, 0.9, 0.5, 0.5),)
            )
            self.load = rotational.Inertia(J=1.0)
            self.motor.flange_b >> self.gear.flange_a
            self.gear.flange_b >> self.load.flange_a

    with pytest.raises(AssemblyError, match=r"gear.*depends on the force it carries"):
        Geared().inverse_dynamics([0.0], {"motor.phi": ([0.0], [1.0], [0.0])})


def smallest_drive(A, C, right, low, high):
    """Return the size of the least drive: every combination of low, free and high is tried."""
    best = np.inf
    for sides in itertools.product((0, 1, 2), repeat=low.size):
        held = np.array([(low, high, low)[s][i] for i, s in enumerate(sides)])
        free = np.array(sides) == 2
        left = right - C[:, ~free] @ held[~free]
        F = C[:, free]
        P = np.eye(right.size) - (F @ np.linalg.pinv(F, 1e-9) if F.size else 0.0)
        P[np.abs(P) < 1e-12] = 0.0
        f = np.linalg.lstsq(P @ A, P @ left, rcond=1e-9)[0]
        own = np.linalg.lstsq(F, left - A @ f, rcond=1e-9)[0]
        is_within = (own >= low[free] - 1e-9).all() and (own <= high[free] + 1e-9).all()
        if is_within and np.abs(A @ f + F @ own - left).max(initial=0.0) < 1e-8:
            best = min(best, float(np.linalg.norm(f)))
    return best


@pytest.mark.slow
def test_least_drives_against_a_search_over_all_limits():
    """Random problems, some in which friction must do what no drive can."""
    rng = np.random.default_rng(5)
    for case in range(60):
        n, k, m = rng.integers(1, 5), rng.integers(0, 4), rng.integers(1, 5)
        A, C = rng.normal(size=(4, n, k)), rng.normal(size=(4, n, m))
        if case % 3 == 0 and k > 1:
            A[:, :, 0] = A[:, :, 1]
        low = -rng.uniform(0.0, 1.0, (4, m))
        high = np.where(rng.random((4, m)) < 0.2, np.inf, rng.uniform(0.0, 1.0, (4, m)))
        within = rng.uniform(low, np.minimum(high, 1.0))
        right = (A @ rng.normal(size=(4, k, 1)) + C @ within[:, :, None])[:, :, 0]
        drive, force = least_drives(A, C, right, low, high)
        assert (force >= low - 1e-12).all() and (force <= high + 1e-12).all()
        for row in range(4):
            reached = A[row] @ drive[row] + C[row] @ force[row]
            assert np.allclose(reached, right[row], atol=1e-9)
            given = A[row], C[row], right[row], low[row], np.minimum(high[row], 1e6)
            best = smallest_drive(*given)
            assert np.linalg.norm(drive[row]) == pytest.approx(best, abs=1e-7)


@pytest.mark.slow
def test_rows_at_rest_are_what_they_are_alone():
    """Two joints with friction, one of which moves now and then: rows of many kinds in one call."""

    class Pair(Arm):
        def build(self, friction=None):
            super().build(friction=Coulomb(tau=3.0))
            self.elbow = Revolute(n=(0, 0, 1), friction=Coulomb(tau=4.0))
            self.tip, self.end = FixedTranslation(r=(1, 0, 0)), PointMass(m=1.0)
            self.rod.frame_b >> self.elbow.frame_a
            self.elbow.frame_b >> self.tip.frame_a
            self.tip.frame_b >> self.end.frame_a

    model, s = Pair(), np.linspace(0.0, 1.0, 30)
    moves = np.array([s > 0.3, (s < 0.2) | (s > 0.7)])
    phi = np.array([0.4 * s, -0.3 * s])
    w, a = 2.0 * moves, 1.5 * moves
    given = {f"{n}.phi": (phi[k], w[k], a[k]) for k, n in enumerate(("hinge", "elbow"))}
    with pytest.warns(MotionWarning):
        together = model.inverse_dynamics(s, given)
    for i in (0, 5, 8, 15, 29):
        own = {n: tuple(v[i : i + 1] for v in rows) for n, rows in given.items()}
        alone = model.inverse_dynamics([0.0], own)
        for name, rows in together.items():
            assert rows[i] == pytest.approx(alone[name][0], abs=1e-10)
