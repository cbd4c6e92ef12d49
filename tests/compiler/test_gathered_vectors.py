"""Long code of a spatial loop: packed into vectors it computes what the equations say."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.compiler import compile_function
from motorik.compiler.straight.code import read_function
from motorik.compiler.straight.packing import find_packs
from tests.laws.linkages import LINKAGES


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 5])
def test_packed_code_of_seven_hinges_is_that_of_its_equations(seed):
    system = LINKAGES["seven hinges"](seed).model().compile("projected")
    function = system.function("derivative")
    assert find_packs(read_function(function)) is not None
    native = compile_function(function)
    random = np.random.default_rng(seed)
    for _ in range(5):
        x = random.normal(scale=0.4, size=system.n_x)
        p = np.zeros(system.equations.p.numel())
        wanted = np.asarray(function(0.0, x, p)).ravel()
        assert native([0.0], x, p) == pytest.approx(
            wanted, rel=1e-9, abs=1e-9 * np.abs(wanted).max()
        )
