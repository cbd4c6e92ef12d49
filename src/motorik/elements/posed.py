"""PosedPair: a kinematic pair given by its pose alone; its screws follow by differentiation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from motorik.algebra.dual import Dual, rate_of, value_of
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.elements.joint import Coordinate, Joint
from motorik.immutable import immutable


@immutable
class PosedPair(Joint):
    """The pair whose pose X_ab is ``place(*q)``; u = q̇.

    S_i = (ω_i, v_i) with the skew matrix of ω_i = Rᵀ ∂R/∂q_i and v_i = Rᵀ ∂r/∂q_i, found by
    dual numbers: exact, and on numbers, duals and symbols alike.
    """

    place: Callable[..., Pose]
    named: tuple[Coordinate, ...]
    rates_named: tuple[Coordinate, ...]

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:  # type: ignore[override]
        """The coordinates."""
        return self.named

    @property
    def speeds(self) -> tuple[Coordinate, ...]:  # type: ignore[override]
        """The speeds, the rates of the coordinates."""
        return self.rates_named

    def pose(self, *q: Scalar, **named: Scalar) -> Pose:
        """Return X_ab."""
        return self.place(*q, **named)

    def screws(self, *q: Scalar, **named: Scalar) -> tuple[Motor, ...]:
        """Return the screws, one derivative of the pose for each coordinate."""
        given = (*q, *(named[one.name] for one in self.named[len(q) :]))
        found = []
        for k in range(len(given)):
            moving = [Dual(x, 1.0 if i == k else 0.0) for i, x in enumerate(given)]
            X = self.place(*moving)
            back = X.R.map(value_of).T
            W = back @ X.R.map(rate_of)
            found.append(Motor(Vector(W.zy, W.xz, W.yx), back @ X.p.map(rate_of)))
        return tuple(found)

    def fit(self, X_ab: Pose) -> tuple[Scalar, ...]:
        """Return the coordinates of the nearest pose, by Gauss–Newton steps from the neutral one.

        The neutral ones where the steps do not converge. For numbers only: as a joint of a loop
        it keeps its coordinates.
        """
        from motorik.numerics.newton import undamped_newton

        def residual(q: np.ndarray) -> np.ndarray:
            rest = self.place(*q.tolist()).inverse() @ X_ab
            R = rest.R
            turn = [0.5 * (R.yz - R.zy), 0.5 * (R.zx - R.xz), 0.5 * (R.xy - R.yx)]
            return np.array([*turn, *(-rest.p).xyz], dtype=float)

        def inverse(q: np.ndarray, _: np.ndarray) -> np.ndarray:
            S = np.array([screw.numpy() for screw in self.screws(*q.tolist())]).T
            return np.linalg.pinv(S)

        neutral = np.array([one.neutral for one in self.named])
        found = undamped_newton(residual, inverse, neutral, least_size=1.0)
        return tuple((neutral if found is None else found).tolist())
