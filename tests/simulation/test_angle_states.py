"""A floating body moves the same whichever coordinates say its orientation."""

import numpy as np
import pytest

from motorik import Body, FreeMotion, Model, World


def tumbling(**states):
    model = Model()
    model.world = World(gravityType="none")
    model.body = Body(
        m=2.0,
        I=np.diag([1.0, 2.0, 2.5]),
        w_0_start=(0.02, 3.0, 0.01),
        v_0=(1.0, 0.0, 0.3),
        r_0=(0.0, 1.0, 0.0),
        **states,
    )
    return model


BOUNDS = {"dopri5": 3e-7, "dop853": 5e-8, "adams": 5e-7, "bdf": 1e-5}


@pytest.mark.kinds(8)
@pytest.mark.slow
@pytest.mark.parametrize("sequence", [(1, 2, 3), (3, 2, 1), (3, 1, 3), (1, 2, 1)])
@pytest.mark.parametrize("method", BOUNDS)
def test_angles_that_change_over_move_as_quaternions(sequence, method):
    times = np.linspace(0.0, 10.0, 41)
    by_quaternion = tumbling().simulate(10.0, method="dop853", rtol=1e-11, output=times)
    by_angles = tumbling(useQuaternions=False, sequence_angleStates=sequence).simulate(
        10.0, method=method, rtol=1e-9, output=times
    )
    assert by_angles.complete, by_angles.info.message
    assert set(np.unique(by_angles["body.chart"])) == {0.0, 1.0}
    for name in ("body.frame_a.R.T", "body.w_a", "body.r_0"):
        deviation = np.abs(by_quaternion[name] - by_angles[name]).max()
        assert deviation < BOUNDS[method], (name, deviation)


def released(**states):
    model = Model()
    model.world = World(gravityType="none")
    model.free = FreeMotion(
        w_rel_a_start=(0.02, 3.0, 0.01), v_rel_a=(1.0, 0.0, 0.3), **states
    )
    model.body = Body(m=2.0, r_CM=(0.1, 0.2, 0.0), I=np.diag([1.0, 2.0, 2.5]))
    model.world.frame_b >> model.free.frame_a
    model.free.frame_b >> model.body.frame_a
    return model


@pytest.mark.parametrize("sequence", [(1, 2, 3), (3, 1, 3)])
def test_a_free_motion_has_the_states_it_is_asked_for(sequence):
    times = np.linspace(0.0, 10.0, 41)
    by_quaternion = released().simulate(10.0, rtol=1e-11, output=times)
    by_angles = released(useQuaternions=False, sequence_angleStates=sequence).simulate(
        10.0, rtol=1e-11, output=times
    )
    assert not any("Q[" in name for name in by_angles.state_names)
    assert set(np.unique(by_angles["free.chart"])) == {0.0, 1.0}
    for name in ("body.frame_a.R.T", "free.w_rel_b", "free.r_rel_a", "free.Q"):
        a, b = by_quaternion[name], by_angles[name]
        if name == "free.Q":
            b = b * np.sign((a * b).sum(axis=1, keepdims=True))
        assert np.abs(a - b).max() < 1e-10, (name, np.abs(a - b).max())
