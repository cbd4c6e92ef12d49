"""The motion of all bodies at once is that of the bodies one by one."""

import numpy as np
import pytest

from motorik import gallery


@pytest.mark.slow
def test_kinematics_of_all_bodies_is_that_of_their_variables():
    model = gallery.manipulator6()
    system = model.compile()
    result = model.simulate(0.5, output=20)
    n_q, p = system.n_q, system.parameter_values()
    rows = system.kinematics.map(result.states[:, :n_q], result.states[:, n_q:], p)
    by_casadi = system.function("kinematics")(
        result.states[-1, :n_q], result.states[-1, n_q:], p
    )
    np.testing.assert_allclose(rows[-1], np.asarray(by_casadi).ravel(), rtol=0, atol=1e-13)
    assert rows.shape == (21, 18 * len(system.body_names))
    for name, own in zip(
        system.body_names, np.split(rows, rows.shape[1] // 18, axis=1), strict=True
    ):
        T = result[f"{name}.frame_a.R.T"]
        expected = {
            (0, 3): result[f"{name}.r_0"],
            (3, 12): T.transpose(0, 2, 1).reshape(-1, 9),
            (12, 15): result[f"{name}.w_a"],
            (15, 18): result[f"{name}.v_0"],
        }
        for (begin, end), values in expected.items():
            np.testing.assert_allclose(own[:, begin:end], values, rtol=0, atol=1e-13)
