"""Random values of the algebra, from fixed seeds, for the laws of this room."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motorik.algebra import Matrix, Motor, Pose, Vector


class Chance:
    """Draws vectors, motors, rotations and poses that are in no special position."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def vector(self) -> Vector:
        return Vector.of(self.rng.uniform(-2, 2, 3))

    def motor(self, kind: type[Motor] = Motor) -> Motor:
        return kind(self.vector(), self.vector())

    def rotation(self) -> Matrix:
        return Matrix.of(Rotation.random(random_state=self.rng).as_matrix())

    def pose(self) -> Pose:
        return Pose(self.rotation(), self.vector())


@pytest.fixture(params=range(5))
def chance(request: pytest.FixtureRequest) -> Chance:
    return Chance(request.param)


@pytest.fixture
def twist() -> Callable[[Motor], np.ndarray]:
    """The 4×4 matrix of a motor in se(3): the second route to the motor calculus."""

    def matrix(h: Motor) -> np.ndarray:
        x, y, z = h.resultant.numpy()
        result = np.zeros((4, 4))
        result[:3, :3] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
        result[:3, 3] = h.moment.numpy()
        return result

    return matrix
