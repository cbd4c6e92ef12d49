"""Forces in space: along lines and by signals, against closed forms and each other."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from motorik import (
    Body,
    FixedRotation,
    FixedTranslation,
    Model,
    PointMass,
    Revolute,
    World,
    blocks,
    connect,
    translational,
)
from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.vector import Vector
from motorik.components.forces.given import LAWS
from motorik.components.forces.line import SpringLaw
from motorik.forces import (
    Damper,
    Force,
    ForceAndTorque,
    LineForceWithMass,
    LineForceWithTwoMasses,
    Spring,
    SpringDamperParallel,
    SpringDamperSeries,
    Torque,
    WorldForce,
    WorldForceAndTorque,
    WorldTorque,
)

C, D, REST, G = 40.0, 1.5, 0.4, 9.81


class Bouncing(Model):
    """A point mass that swings on a force element from the world."""

    def build(self, element, g=G):
        self.world = World(g=g)
        self.element = element
        self.bob = PointMass(m=0.7, r_0=(0.3, -0.5, 0.1), v_0=(0.4, 0.2, -0.6))
        self.world.frame_b >> self.element.frame_a
        self.element.frame_b >> self.bob.frame_a


def exact_motion(times, pull):
    """Return the places of the bob with a force pull(s, ṡ) towards the origin."""

    def rates(t, state):
        r, v = state[:3], state[3:]
        s = np.linalg.norm(r)
        e = r / s
        a = -pull(s, e @ v) / 0.7 * e + [0.0, -G, 0.0]
        return np.concatenate([v, a])

    start = [0.3, -0.5, 0.1, 0.4, 0.2, -0.6]
    options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12, "t_eval": times}
    return solve_ivp(rates, (0.0, times[-1]), start, **options).y[:3].T


@pytest.mark.parametrize(
    ("element", "pull"),
    [
        (Spring(c=C, s_unstretched=REST), lambda s, v: C * (s - REST)),
        (Damper(d=D), lambda s, v: D * v),
        (
            SpringDamperParallel(c=C, s_unstretched=REST, d=D),
            lambda s, v: C * (s - REST) + D * v,
        ),
    ],
    ids=["Spring", "Damper", "SpringDamperParallel"],
)
def test_a_mass_on_a_line_force_moves_as_newton_says(element, pull):
    result = Bouncing(element=element).simulate(1.0, rtol=1e-10, output=10)
    times = np.asarray(result.time)
    places = exact_motion(times, pull)
    assert np.abs(np.asarray(result["bob.r_0"]) - places).max() < 1e-8
    s = np.linalg.norm(places, axis=1)
    assert np.asarray(result["element.s"]) == pytest.approx(s, abs=1e-8)
    f = np.asarray(result["element.f"])
    on_bob = np.asarray(result["element.frame_b.f"])  # on the element: the bob pulls back
    assert np.abs(on_bob - f[:, None] * np.asarray(result["element.e_rel_0"])).max() < 1e-9


def test_a_spring_keeps_the_energy_and_a_damper_takes_it():
    spring = Bouncing(element=Spring(c=C, s_unstretched=REST))
    energy = spring.simulate(1.0, rtol=1e-10, output=10).energy()
    assert np.ptp(energy["total"]) < 1e-7
    result = Bouncing(element=Damper(d=D), g=0.0).simulate(1.0, rtol=1e-10, output=2000)
    kinetic = np.asarray(result["bob.kinetic_energy"])
    lost = np.asarray(result["element.lossPower"])
    step = np.diff(np.asarray(result.time))
    assert kinetic[0] - kinetic[-1] == pytest.approx(
        float(np.sum((lost[1:] + lost[:-1]) / 2 * step)), rel=1e-6
    )


def test_a_spring_and_a_damper_in_series_creep():
    """Held at one length, the force decays with the time constant d / c."""

    class Held(Model):
        def build(self):
            self.world = World()
            self.end = FixedTranslation(r=(1.0, 0.0, 0.0))
            self.maxwell = SpringDamperSeries(c=C, d=D, s_unstretched=0.3, s_damper=0.1)
            connect(self.world.frame_b, self.end.frame_a, self.maxwell.frame_a)
            self.end.frame_b >> self.maxwell.frame_b
            self.hinge = Revolute(phi=0.0, w=0.0)
            self.weight = Body()
            self.world.frame_b >> self.hinge.frame_a
            self.hinge.frame_b >> self.weight.frame_a

    result = Held().simulate(0.1, rtol=1e-10, output=4)
    exact = [C * 0.6 * exp(-C / D * t) for t in np.asarray(result.time)]
    assert np.asarray(result["maxwell.f"]) == pytest.approx(exact, rel=1e-8)


# --- by signals -------------------------------------------------------------------------------

SIGNAL = (0.3, -0.8, 0.5)


class Pushed(Model):
    """A body at rest, turned against the world, on which a given force acts at once."""

    def build(self, element, port="force"):
        self.world = World(gravityType="none")
        self.turn = FixedRotation(n="x", angle=np.pi / 2)
        self.element = element
        states = {"r_0": (0.2, 0.1, 0.4), "v_0": (0, 0, 0), "w_0_fixed": True}
        self.body = Body(
            m=2.0, I_11=0.1, I_22=0.2, I_33=0.25, angles_start=(0.3, 0.2, 0.7), **states
        )
        self.world.frame_b >> self.turn.frame_a
        self.element.frame_b >> self.body.frame_a
        if "frame_a" in type(element).specs:
            self.world.frame_b >> self.element.frame_a
        if element.resolveInFrame == "frame_resolve":
            self.turn.frame_b >> self.element.frame_resolve
        for name in port.split():
            self.signal_to(name)

    def signal_to(self, name):
        for i, value in enumerate(SIGNAL):
            source = blocks.Constant(k=value)
            setattr(self, f"{name}{i}", source)
            source.y >> getattr(self.element, name)[i]


TURNED = Rotation.from_euler("XYZ", (0.3, 0.2, 0.7)).as_matrix()
AXES = {
    "world": np.eye(3),
    "frame_a": np.eye(3),
    "frame_b": TURNED,
    "frame_resolve": Rotation.from_euler("x", 90, degrees=True).as_matrix(),
}


@pytest.mark.kinds(6)
@pytest.mark.parametrize("axes", ["world", "frame_b", "frame_resolve", "frame_a"])
@pytest.mark.parametrize(
    ("kinds", "port"),
    [
        ((WorldForce, Force), "force"),
        ((WorldTorque, Torque), "torque"),
        ((WorldForceAndTorque, ForceAndTorque), "force torque"),
    ],
)
def test_what_is_given_acts_on_frame_b_in_the_axes_chosen(kinds, port, axes):
    for kind in kinds:
        if axes == "frame_a" and kind in (WorldForce, WorldTorque, WorldForceAndTorque):
            continue
        model = Pushed(element=kind(resolveInFrame=axes), port=port)
        result = model.simulate(1e-3, output=1)
        vector = AXES[axes] @ SIGNAL
        a = vector / 2.0 if "force" in port else 0 * vector
        assert np.asarray(result["body.a_0"])[0] == pytest.approx(a, abs=1e-12)
        z = TURNED.T @ vector / [0.1, 0.2, 0.25] if "torque" in port else 0 * vector
        assert np.asarray(result["body.z_a"])[0] == pytest.approx(z, abs=1e-11)


@pytest.mark.parametrize("kind", ["f", "t", "ft"])
@pytest.mark.parametrize("axes", ["world", "frame_a", "frame_b", "frame_resolve"])
def test_what_acts_between_frames_is_in_balance(kind, axes):
    rng = np.random.default_rng(4)
    poses = [
        Pose(
            Matrix.of(Rotation.random(random_state=rng).as_matrix()),
            Vector.of(rng.normal(size=3)),
        )
        for _ in range(3)
    ]
    motions = [(X, Motor()) for X in poses]
    signals = rng.normal(size=3 * len(kind)).tolist()
    loads = LAWS[kind, 2, axes](None, 0.0, motions, *signals)
    total = sum((X(load) for X, load in zip(poses, loads, strict=True)), Motor())
    assert np.abs(total.numpy()).max() < 2e-15
    assert np.linalg.norm(poses[1](loads[1]).numpy()) > 0.1
    assert not loads[2].numpy().any()


# --- drive lines along lines ------------------------------------------------------------------


class Driven(Bouncing):
    """The bob on a line whose flanges a translational spring connects."""

    def build(self, element):
        super().build(element)
        self.spring = translational.Spring(c=C, s_rel0=REST)
        self.element.flange_a >> self.spring.flange_a
        self.spring.flange_b >> self.element.flange_b


@pytest.mark.parametrize("m", [0.0, 0.5])
def test_a_translational_spring_on_a_line_is_a_spring(m):
    one = Bouncing(element=Spring(c=C, s_unstretched=REST, m=m, lengthFraction=0.3))
    other = Driven(element=LineForceWithMass(m=m, lengthFraction=0.3))
    places = [
        np.asarray(model.simulate(0.6, rtol=1e-10, output=6)["bob.r_0"])
        for model in (one, other)
    ]
    assert np.abs(places[0] - places[1]).max() < 1e-8


def test_masses_on_a_line_move_as_lagrange_says():
    """L = Σ ½ mₖ |ṙₖ|² − V with r₁ = L_a e, r₂ = r − L_b e, integrated by Gauss' principle."""
    m_a, m_b, L_a, L_b = 0.3, 0.4, 0.15, 0.1
    element = LineForceWithTwoMasses(m_a=m_a, m_b=m_b, L_a=L_a, L_b=L_b)
    result = Driven(element=element).simulate(0.6, rtol=1e-10, output=6)

    def places(r):
        e = r / np.linalg.norm(r)
        return np.concatenate([r, L_a * e, r - L_b * e])

    def jacobian(r, h=1e-5):
        steps = h * np.eye(3)
        return np.array([(places(r + d) - places(r - d)) / (2 * h) for d in steps]).T

    mass = np.repeat([0.7, m_a, m_b], 3)

    def rates(t, state):
        r, v = state[:3], state[3:]
        J = jacobian(r)
        h = 1e-4
        bias = (places(r + h * v) - 2 * places(r) + places(r - h * v)) / h**2
        s = np.linalg.norm(r)
        gravity = np.tile([0.0, -G, 0.0], 3)
        force = J.T @ (mass * (gravity - bias)) - C * (s - REST) * r / s
        return np.concatenate([v, np.linalg.solve(J.T @ (mass[:, None] * J), force)])

    exact = solve_ivp(
        rates,
        (0.0, 0.6),
        [0.3, -0.5, 0.1, 0.4, 0.2, -0.6],
        method="DOP853",
        rtol=1e-9,
        atol=1e-9,
        t_eval=np.asarray(result.time),
    ).y[:3]
    assert np.abs(np.asarray(result["bob.r_0"]).T - exact).max() < 1e-6


def test_a_line_without_length_has_no_infinite_force():
    p = SpringLaw(c=2.0, s_unstretched=0.5).resolved(lambda live: live.value)
    here = (Pose(), Motor())
    for load in SpringLaw.law(p, 0.0, (here, here)):
        assert np.array_equal(load.numpy(), np.zeros(6))
