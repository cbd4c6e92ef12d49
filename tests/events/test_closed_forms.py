"""Discontinuous mechanisms against their closed forms, by every method."""

import math

import pytest

from tests.covering import each_once
from validation.closed_forms import CASES, METHODS

LIMITS = {"bdf": 1e-7}


# every case by two methods, every method on several; ``python -m validation.closed_forms``
# prints all of them
TRIED = sorted({*each_once(CASES, METHODS), *each_once(CASES, METHODS[3:] + METHODS[:3])})


@pytest.mark.slow
@pytest.mark.parametrize(("name", "method"), TRIED)
def test_events_and_end_states_are_exact(name, method, capsys):
    limit = LIMITS.get(method, 1e-9)
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
