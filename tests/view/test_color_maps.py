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


@pytest.mark.parametrize("name", ["coolWarm", "plasma", "viridis", "winter"])
def test_a_map_has_the_colours_of_matplotlib(name):
    known = matplotlib.colormaps[name.lower()]
    expected = np.array([known(x)[:3] for x in np.linspace(0.0, 1.0, 11)])
    assert np.abs(np.array(color_steps(name, 11)) - expected).max() < 2.0 / 255.0
