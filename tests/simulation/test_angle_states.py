"""A floating body moves the same whichever coordinates say its orientation."""

import numpy as np
import pytest

from motorik import Body, Model, World


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
