"""Environments of Gymnasium: episodes, rewards, starts, and one that learns."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed")

from examples.cart_pole_learns import COUNT, CartPole, learn, make_environment
from motorik.errors import SimulationError
from motorik.learning import Environment
from tests.refusals import refused


def test_episodes_end_and_begin_again_at_once():
    environment = make_environment()
    seen, infos = environment.reset(seed=3)
    assert seen.shape == (COUNT, 4) == environment.observation_space.shape and not infos
    assert (environment.reset(seed=3)[0] == seen).all()
    assert environment.single_action_space.shape == (1,)
    ended = 0
    for _ in range(120):
        seen, rewards, over, late, infos = environment.step(np.full((COUNT, 1), 99.0))
        assert not late.any() and (rewards <= 1.0).all() and (abs(seen[:, 2]) <= 0.2).all()
        if over.any():
            ended += over.sum()
            last = infos["final_obs"][over]
            assert ((abs(last[:, 2]) > 0.2) | (abs(last[:, 0]) > 2.4)).all()
            assert (infos["_final_obs"] == over).all()
            assert (abs(seen[over][:, 2]) <= 0.05).all()
    assert ended > COUNT
    forces = environment.simulators.outputs("push.f_constant").read()
    assert set(forces.ravel()) <= {0.0, 10.0}  # a start, and the largest action


def test_episodes_are_truncated():
    environment = make_environment()
    environment._limit = 3
    environment.reset(seed=1)
    for k in range(1, 7):
        _, _, over, late, _ = environment.step(np.zeros((COUNT, 1)))
        assert not over.any() and late.all() == (k % 3 == 0)


def test_wrong_bounds_are_refused():
    with refused(SimulationError, "push", "(1.0,)"):
        Environment(
            CartPole(),
            2,
            actions={"push.f_constant": (1.0,)},  # type: ignore[dict-item]
            observations=["rail.s"],
            reward=lambda seen, action: seen[:, 0],
            dt=0.01,
        )


@pytest.mark.slow
def test_the_pole_stays_up_in_the_end():
    found = learn(8)
    assert found[0] < 2.0 and found[-1] > 4.5
