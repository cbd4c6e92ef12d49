"""Discontinuous mechanisms against their closed forms, by every method."""

import math

import pytest

from validation.closed_forms import CASES, METHODS

LIMITS = {"bdf": 1e-7, "bosh3": 2e-8}
BALL_BY_BDF = 1e-3  # it loses rebounds lower than its tolerance: 6.6e-4 s


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CASES)
def test_events_and_end_states_are_exact(name, method, capsys):
    limit = LIMITS.get(method, 1e-9)
    if (name, method) == ("ball", "bdf"):
        limit = BALL_BY_BDF
    for figure in CASES[name](method):
        with capsys.disabled():
            print(
                f"\n{method} {figure.name}: {figure.found:.12g}, off by {figure.error:.1e}"
            )
        assert math.isfinite(figure.found)
        if figure.kind == "rest":
            assert figure.error <= 1e-15, figure
        else:
            assert figure.error <= limit, figure
