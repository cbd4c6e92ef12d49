"""Friction that no force fits: runs end with what could be evaluated, and say what helps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motorik.errors import IncompleteRunWarning, SimulationError
from motorik.joints import Coulomb
from tests.joints.models import Pendulum

# a pendulum whose friction fits at the start, and a little later does not
LAW = Coulomb(mu=2.035981381207958, radius=0.31989686633913583)
START = {"phi": 0.6774569514146349, "w": 4.140748620976872}
OUTPUTS: dict[str, dict[str, Any]] = {
    "rows": {},
    "few rows": {"output": 3},
    "steps": {"output": "steps"},
    "implicit": {"method": "bdf"},
    "fixed steps": {"method": "rk4", "step": 0.001},
}


@pytest.mark.parametrize("options", OUTPUTS.values(), ids=OUTPUTS)
def test_all_rows_of_a_run_that_jams_can_be_evaluated(options):
    model = Pendulum(friction=LAW, **START)
    with pytest.warns(IncompleteRunWarning, match="joint: no friction force fits"):
        result = model.simulate(2.0, **options)
    assert 0.0 <= result.time[-1] < 0.07
    assert np.isfinite(result.energy()["total"]).all()
    for name in ("joint.w", "joint.tau_friction", "joint.load", "joint.lossPower"):
        assert np.isfinite(result[name]).all()
    assert not list(result.events)  # it never turns back
    assert "jams" in result.info.message
    assert "a smaller `mu`" in result.info.message
    assert "division" not in result.info.message


def test_a_jam_at_the_start_tells_what_helps():
    model = Pendulum(friction=Coulomb(mu=2.0, radius=1.0), phi=0.0, w=2.0)
    with pytest.warns(IncompleteRunWarning, match="no combination.*joint"):
        result = model.simulate(2.0)
    assert "jams" in result.info.message and "a smaller `mu`" in result.info.message
    assert len(result.time) == 1


def test_a_simulator_tells_the_same():
    simulator = Pendulum(friction=LAW, **START).simulator()
    with pytest.raises(SimulationError, match="no friction force fits") as caught:
        simulator.step(2.0)
    assert "a smaller `mu`" in caught.value.remedy
