"""The rolling joint: its wheel rests on the plane and does not slip."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.checks import check_joint
from motorik.elements.rolling import RollingPair

RADIUS = 0.3


@pytest.mark.slow
def test_it_is_a_joint():
    figures = check_joint(RollingPair(RADIUS), samples=2, tolerance=1e-14)
    assert figures["screws"] < 1e-15


def test_the_lowest_point_rests_on_the_plane():
    joint = RollingPair(RADIUS)
    rng = np.random.default_rng(5)
    for q in rng.uniform(-1.2, 1.2, (20, 5)).tolist():
        X = joint.pose(*q).numpy()
        rim = np.linspace(0, 2 * np.pi, 20001)
        circle = RADIUS * np.array([np.sin(rim), 0 * rim, np.cos(rim)])
        heights = X[2, :3] @ circle + X[2, 3]
        assert abs(heights.min()) < 1e-8
        lowest = circle[:, heights.argmin()]
        for screw in joint.screws(*q):
            w, v = screw.numpy()[:3], screw.numpy()[3:]
            assert np.abs(v + np.cross(w, lowest)).max() < 1e-3  # of the rim's 20001 points


def test_closed_by_constraints_it_holds_the_same():
    joint = RollingPair(RADIUS)
    rng = np.random.default_rng(6)
    for q in rng.uniform(-1.2, 1.2, (5, 5)).tolist():
        X_a = Pose()
        X_b = joint.pose(*q)
        held = joint.constraint
        assert abs(held.residual(X_a, X_b)[0]) < 1e-16
        for screw in joint.screws(*q):
            slip = held.rate((X_a, X_b), (Motor(), screw))
            assert np.abs(slip).max() < 1e-16
        rows = [
            held.rate((X_a, X_b), (Motor(), Motor.of(unit))) for unit in np.eye(6).tolist()
        ]
        assert np.linalg.matrix_rank(np.array(rows, dtype=float)) == 2
