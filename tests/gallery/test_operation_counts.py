"""The cost of mechanisms without networks: equations of other domains add no operation to them."""

from __future__ import annotations

import pytest

from motorik import gallery
from motorik.compiler import count_instructions

#: Instructions of the derivative before parts could be written as equations.
MOST = {
    "Pendulum": 5,
    "DoublePendulum": 59,
    "FourbarAnalytic": 70,
    "SliderCrank": 78,
    "Engine1a": 79,
    "TrolleyPendulum": 116,
    "Engine1bAnalytic": 134,
    "SpinningWheel": 136,
    "ThreeCranks": 202,
    "SpatialSliderCrank": 206,
    "PlanarFourbar": 242,
}


@pytest.mark.parametrize("name", MOST)
def test_no_operation_more_than_mechanics_needs(name):
    system = getattr(gallery, name)().compile()
    assert count_instructions(system.function("derivative")) <= MOST[name]
