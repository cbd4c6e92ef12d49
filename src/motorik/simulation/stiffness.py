"""Choice of method: explicit or implicit, by the dominant eigenvalue and by the cost.

Explicit steps at the border of stability have one of three reasons. Damping keeps them short:
an implicit method goes further, and loses nothing. An oscillation without damping keeps them
short: an implicit method would damp it, so the explicit one stays. Or a fast mode that is not
excited does: nothing moves but with constant speed, and an implicit method passes it by.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from motorik.numerics.tolerances import KRYLOV_INVARIANT, SHAPE_FLOOR

Numbers = NDArray[np.float64]

STIFF, UNDAMPED = (
    0.8,
    0.05,
)  # −Re λ / |λ| above which damping rules, below which there is none
PATIENCE = 100  # steps at the border of stability after which λ is estimated again
MOST_DOUBLINGS = 10  # of this patience
BETWEEN = 64  # steps of the implicit method between two estimates of the cost
CHEAPER = 0.7  # part of its cost for which an explicit method is taken again …
ON_TRIAL = 3.0  # … or where damping is moderate …
TIMES = 4  # … at so many estimates in a row
RATE_COST = 50.0  # operations of a rate for each state, about
JACOBIAN_COST = 4.0  # rates that a Jacobian in native code costs, about
MANY = (
    5000  # explicit steps that are left: for fewer a rest is not passed by another method
)
REST = 100.0  # tolerances: what has moved less rests
POWERS, ARNOLDI = 6, 14  # products with the matrix


def dominant_eigenvalue(v: Numbers, times: Callable[[Numbers], Numbers]) -> complex:
    """Return about the eigenvalue of largest size of a matrix, by its products with vectors.

    A few powers tell how large coordinates and speeds are in its motion; in these units,
    Arnoldi's method finds it, and with it whether it oscillates or decays. 0 if there is none.
    """
    made = []
    for _ in range(POWERS):
        v = v / np.linalg.norm(v)
        made.append(v)
        v = times(v)
        if not 0.0 < float(np.linalg.norm(v)) < np.inf:
            return 0j
    shape = np.sqrt(np.mean(np.square(made[1:]), axis=0))
    shape += SHAPE_FLOOR * shape.max()
    m = min(ARNOLDI, v.size)
    basis, h = np.zeros((m + 1, v.size)), np.zeros((m + 1, m))
    v = v / shape
    basis[0] = v / np.linalg.norm(v)
    for k in range(m):
        far = basis[k] * shape
        size = float(np.linalg.norm(far))
        v = times(far / size) * size / shape
        for _ in range(2):
            part = basis[: k + 1] @ v
            h[: k + 1, k] += part
            v = v - part @ basis[: k + 1]
        h[k + 1, k] = np.linalg.norm(v)
        if not np.isfinite(h[: k + 2, k]).all():
            return 0j
        if not h[k + 1, k] > KRYLOV_INVARIANT * np.abs(h).max():
            m = k + 1
            break
        basis[k + 1] = v / h[k + 1, k]
    values = np.linalg.eigvals(h[:m, :m])
    return complex(values[np.argmax(np.abs(values))])


def damping_of(value: complex) -> float:
    """Return −Re λ / |λ|, from −1 to 1; 0 for none."""
    return -value.real / abs(value) if value else 0.0
