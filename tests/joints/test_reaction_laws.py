"""Laws of friction from reactions, on random mechanisms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motorik import BodyShape, Model, Parameter, Revolute, World, guess
from motorik.joints import Coulomb, Prismatic, Stribeck
from tests.joints.models import FourBar, Pendulum, run

G = 9.81


class RandomArm(Model):
    """Hinges and slides about and along axes by chance, each with friction by its reaction."""

    def build(self, seed: int = 0, count: int = 3) -> None:
        """Build the arm from the base outward."""
        chance = np.random.default_rng(seed)
        self.world = World(g=G)
        joints, limbs = [], []
        for k in range(count):
            mu, r = chance.uniform(0.02, 0.3), chance.uniform(0.01, 0.06)
            n = tuple(chance.normal(size=3))
            if chance.uniform() < 0.3:
                law: Any = Coulomb(mu=mu, bending_arm=5.0, torsion_arm=5.0)
                joint: Any = Prismatic(n=n, v=chance.normal(), friction=law)
            else:
                kind = Coulomb if k % 2 else Stribeck
                arms = {"friction_arm": 0.02, "bending_arm": 0.3}
                law = kind(mu=mu, radius=r, viscous=0.3, **arms)
                joint = Revolute(n=n, w=chance.normal(), friction=law)
            joints.append(joint)
            limbs.append(
                BodyShape(
                    r=tuple(chance.uniform(0.1, 0.5, 3)),
                    r_CM=tuple(chance.uniform(0.0, 0.3, 3)),
                    m=chance.uniform(0.5, 3.0),
                    I_11=0.05,
                    I_22=0.06,
                    I_33=0.07,
                )
            )
        self.joint, self.limb = joints, limbs
        end = self.world.frame_b
        for joint, limb in zip(joints, limbs, strict=True):
            end >> joint.frame_a
            joint.frame_b >> limb.frame_a
            end = limb.frame_b


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1))
def test_what_slides_has_mu_times_its_load_and_what_sticks_less(seed):
    model = RandomArm(seed=seed, count=2)
    result, _ = run(model, 1.0, rtol=1e-9, output=101)
    for k, joint in enumerate(model.joint, start=1):
        name = f"joint[{k}]"
        is_hinge = isinstance(joint, Revolute)
        w = result[f"{name}.{'w' if is_hinge else 'v'}"]
        force = result[f"{name}.{'tau' if is_hinge else 'f'}_friction"]
        way, law = result[f"{name}.mode"], joint.friction
        load = result[f"{name}.load"]
        slides = way != 0.0
        dry = law.mu * load + law.viscous * np.abs(w)
        np.testing.assert_allclose(
            force[slides], -way[slides] * dry[slides], rtol=1e-11, atol=1e-12
        )
        assert np.all(way * w >= -1e-9)
        assert np.all(np.abs(force[~slides]) <= law.mu * load[~slides] * (1 + 1e-9))
        assert np.all(np.abs(w[~slides]) < 1e-13)


def friction_fits(mu: float, r: float, phi: float, w: float) -> bool:
    """Return whether any deceleration of the pendulum fits the friction that it causes."""
    s, c = np.sin(phi), np.cos(phi)
    p = np.array([-0.5 * w * w * c, G - 0.5 * w * w * s])
    q = np.array([-0.5 * s, 0.5 * c])
    alpha = np.sinh(np.linspace(-16.0, 16.0, 100001))
    load = np.hypot(p[0] + q[0] * alpha, p[1] + q[1] * alpha)
    missing = 0.6 * alpha + 2.0 * G * 0.5 * c + np.sign(w) * mu * r * 2.0 * load
    return bool(missing.min() < 0.0 < missing.max())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::motorik.errors.IncompleteRunWarning")
def test_a_run_begins_if_and_only_if_some_force_fits():
    chance = np.random.default_rng(3)
    mu, r = Parameter(0.1, name="mu"), Parameter(0.1, name="r")
    model = Pendulum(friction=Coulomb(mu=mu, radius=r), phi=0.0, w=1.0)
    outcomes = set()
    for _ in range(24):
        values = {"mu": chance.uniform(0.2, 3.0), "r": chance.uniform(0.1, 0.5)}
        phi, w = chance.uniform(-3.0, 3.0), 3.0 * chance.normal()
        model.joint.phi, model.joint.w = phi, w
        result = model.simulate(1e-9, parameters=values)
        fits = friction_fits(values["mu"], values["r"], phi, w)
        outcomes.add(fits)
        assert result.complete == fits, (values, phi, w)
    assert outcomes == {True, False}


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("loop", [False, True])
def test_the_jacobian_sees_friction_from_reactions(loop):
    law = Stribeck(mu=0.2, stribeck=0.1, radius=0.05)
    options = {k: {"friction": law} for k in range(4)}
    model: Any = (
        FourBar(lengths=(0.5, 1.0, 0.7, 1.1), options=options, g=G, w=3.0)
        if loop
        else Pendulum(friction=law, phi=0.3, w=1.0)
    )
    simulator = model.simulator()
    simulator.step(0.05)
    system, x, p = simulator.system, simulator.state.copy(), simulator._p.copy()
    t = np.array([0.05])
    J = system.jacobian(t, x, p).reshape(x.size, x.size).T
    h = 1e-6
    for k in range(x.size):
        ahead, back = x.copy(), x.copy()
        ahead[k] += h
        back[k] -= h
        rate = (system.derivative(t, ahead, p) - system.derivative(t, back, p)) / (2 * h)
        np.testing.assert_allclose(J[:, k], rate, rtol=1e-6, atol=1e-6)


@pytest.mark.slow
def test_guesses_of_closed_loops_do_not_matter():
    law = Coulomb(mu=0.2, radius=0.05)
    options = {k: {"friction": law} for k in range(2)}
    ends = []
    for near in (1.2, 0.8):
        model = FourBar(lengths=(0.5, 1.0, 0.7, 1.1), options=options, g=G, w=3.0)
        model.hinge[3].phi = guess(near)
        result, _ = run(model, 0.3, rtol=1e-10)
        ends.append(result["hinge[1].phi"][-1])
    assert ends[0] == pytest.approx(ends[1], rel=1e-12)
