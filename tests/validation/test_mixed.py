"""Random networks of several domains keep their energy, whatever the tolerance."""

from __future__ import annotations

import pytest

from validation.mixed import APART, IMBALANCE, compare


@pytest.mark.slow
@pytest.mark.kinds(2)
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5, 7])
def test_what_sources_supply_is_stored_or_lost(seed: int):
    imbalance, apart = compare(seed)
    assert imbalance < IMBALANCE
    assert apart < APART
