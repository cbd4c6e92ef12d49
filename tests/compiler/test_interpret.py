"""Functions of rows: few are interpreted, many computed by machine code, with equal results."""

import casadi
import numpy as np

from motorik.compiler import NativeFunction, interpret
from motorik.compiler.interpret import BLOCK, Interpreted, RowFunction


def test_many_rows_justify_machine_code(monkeypatch):
    monkeypatch.setattr(interpret, "FEW_ROWS", 3 * BLOCK)
    x, p = casadi.SX.sym("x", 2), casadi.SX.sym("p", 1)
    y = casadi.vertcat(x[0] * x[1] + p, x[0] - p)
    made = []
    code = RowFunction(lambda: made.append(1) or casadi.Function("y", [x, p], [y]))
    rows = np.random.default_rng(1).standard_normal((2 * BLOCK - 3, 2))
    expected = np.stack([rows[:, 0] * rows[:, 1] + 0.5, rows[:, 0] - 0.5], axis=1)
    for kind in (Interpreted, NativeFunction, NativeFunction):
        own = code.for_rows(len(rows))
        assert isinstance(own, kind)
        np.testing.assert_allclose(
            own.map(rows, np.array([0.5])), expected, rtol=0, atol=1e-14
        )
    assert made == [1]
