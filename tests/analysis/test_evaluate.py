"""Variables at a state without a run are those of a result there."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.errors import UnknownNameError
from tests.analysis.models import pendulum, quarter_car, suspension

J = 2.0 * 0.5**2 + 0.001  # of the pendulum


@pytest.mark.slow
def test_variables_at_a_sample_are_those_of_the_result():
    model = suspension()
    names = ["tyre.f", "hub.frame_b.r_0", "mount.frame_a.f", "inner_joint.a"]
    result = model.simulate(0.05, output=2)
    found = model.evaluate(names, at=result.sample(-1))
    for name in names:
        assert np.allclose(found[name], result[name][-1], rtol=1e-7, atol=1e-9), name


def test_values_of_states_parameters_and_time():
    model = pendulum()
    found = model.evaluate(
        ["bob.frame_a.r_0", "hinge.a", "torque.tau_constant", "hinge.phi", "time"],
        at={"hinge.phi": 0.4},
        parameters={"torque.tau_constant": 3.0},
        time=2.5,
    )
    assert found["torque.tau_constant"] == 3.0 and found["hinge.phi"] == 0.4
    assert found["hinge.a"] == pytest.approx((3.0 - 2 * 9.81 * 0.5 * np.sin(0.4)) / J)
    assert found["time"] == 2.5
    assert model.evaluate("hinge.phi") == {"hinge.phi": 0.0}


def test_friction_that_sticks_carries_its_load():
    found = pendulum(friction=20.0, phi=0.3).evaluate(["bearing.tau", "hinge.a"])
    assert abs(found["bearing.tau"]) == pytest.approx(2 * 9.81 * 0.5 * np.sin(0.3))
    assert found["hinge.a"] == pytest.approx(0.0, abs=1e-12)


def test_unknown_names_are_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'tyre'"):
        quarter_car().evaluate("tyr.f")
    with pytest.raises(UnknownNameError, match=r"Did you mean 'body.s'"):
        quarter_car().evaluate("tyre.f", at={"body.z": 0.1})
    with pytest.raises(UnknownNameError, match="neither a name"):
        quarter_car().evaluate([1, 2])
