"""Absolute coordinates: redundant constraints change no motion."""

from __future__ import annotations

import numpy as np
import pytest

from validation.fuzz.kinds import draw
from validation.fuzz.units import Units


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [28, pytest.param(124048995, marks=pytest.mark.thorough)]
)
def test_chains_of_planar_loops_move_as_tree_coordinates_say(number):
    """Two loops, and four with slides whose weakest constraint is 1e-7 of the usual one."""
    drawing, _ = draw("plane", 1, number, is_plain=True)
    model = drawing.model(Units())
    places = [f"{body.frame}.r_0" for body in drawing.bodies]
    runs = [
        model.simulate(0.5, rtol=1e-9, output=10, strategy=strategy)
        for strategy in ("auto", "absolute")
    ]
    for name in places:
        one, other = (run[name] for run in runs)
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-7)
    total = runs[1].energy()["total"]
    assert np.ptp(total) < 1e-6 * np.ptp(runs[1].energy()["kinetic"])
