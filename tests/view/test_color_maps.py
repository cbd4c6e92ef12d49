"""Colour maps: those of Modelica, near the ones that matplotlib has under their names."""

from __future__ import annotations

from typing import get_args

import matplotlib
import numpy as np
import pytest

from motorik.components.base.choices import ColorMapName
from motorik.view.theme import COLOR_MAPS, color_steps


def test_every_map_that_can_be_chosen_has_its_colours():
    assert set(get_args(ColorMapName)) == set(COLOR_MAPS)


@pytest.mark.parametrize("name", ["coolWarm", "plasma", "viridis", "hot", "winter"])
def test_a_map_is_that_of_matplotlib(name):
    known = matplotlib.colormaps[name.lower()]
    places = np.linspace(0.0, 1.0, 21)
    expected = np.array([known(x)[:3] for x in places])
    tolerance = 0.08 if name == "hot" else 0.02  # hot bends between its colours
    assert np.abs(np.array(color_steps(name, 21)) - expected).max() < tolerance
