"""Loops with live dimensions: every set of numbers keeps its energy and moves as it must.

The second route is the same mechanism with a coordinate for every freedom of every body and a
constraint for every joint, which shares neither closed forms nor orders of elimination.
"""

from __future__ import annotations

import numpy as np
import pytest

from motorik.errors import MotorikError
from validation.attack.live_loops import live_model, live_numbers, varied
from validation.fuzz.kinds import draw

AMOUNTS = (0.0, 0.1, 0.2)  # by which lengths and masses are varied, as logarithms
STOP = 0.5
OPTIONS = {"rtol": 1e-9, "output": 5}


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(("kind", "number"), [("plane", 3), ("ring", 0)])
def test_every_set_of_numbers_keeps_energy_and_accelerations(kind, number):
    drawing, _ = draw(kind, 1, number, is_plain=True)
    rng = np.random.default_rng(number)
    model, other = live_model(drawing), live_model(drawing)
    judged = 0
    for amount in AMOUNTS:
        values = live_numbers(varied(drawing, rng, amount))
        try:
            result = model.simulate(STOP, parameters=values, **OPTIONS)
        except MotorikError as error:
            assert amount and "closed" in str(error)  # lengths that do not reach
            continue
        judged += 1
        assert result.complete
        energy = result.energy()
        size = max(np.ptp(energy["kinetic"]), 1e-3 * np.abs(energy["total"]).max())
        assert np.ptp(energy["total"]) < 1e-6 * size
        expected = other.simulate(STOP, parameters=values, strategy="absolute", **OPTIONS)
        for name in ("r_0", "v_0", "a_0"):
            found, wanted = (
                np.stack([r[f"{body.name}.{name}"] for body in drawing.bodies], axis=1)
                for r in (result, expected)
            )
            apart = np.abs(found - wanted).max(axis=(1, 2))
            scale = max(1.0, float(np.abs(wanted).max()))
            assert apart[0] < 1e-8 * scale, name  # of one pose and one motion
            assert apart.max() < 1e-5 * scale, name
    assert judged >= 3
