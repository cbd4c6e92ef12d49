"""Constraints whose gradient vanishes where they hold, as that of a square, are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import motorik as mk
from motorik.components.joints.constraints import VectorJoint
from motorik.errors import LoopError
from tests.covering import each_once
from tests.refusals import refused


class OnTheAxis(VectorJoint):
    """The origin of frame_b stays in the plane y = 0 of frame_a."""

    units = ("m",)

    def residual(self, p, X_a, X_b) -> tuple[Any, ...]:
        r = X_a.R.T @ (X_b.p - X_a.p)
        return (r.y,)


class Squared(OnTheAxis):
    """The same by its square."""

    def residual(self, p, X_a, X_b) -> tuple[Any, ...]:
        (y,) = super().residual(p, X_a, X_b)
        return (y * y,)


class Twice(OnTheAxis):
    """The same, and by its square as well, which the first row implies."""

    units = ("m", "m")

    def residual(self, p, X_a, X_b) -> tuple[Any, ...]:
        (y,) = super().residual(p, X_a, X_b)
        return y, y * y


def two_arms(joint: VectorJoint, n: str, length: float) -> mk.Model:
    """Return two arms in a row, the end held by the joint."""
    model = mk.Model()
    model.world, model.slot = mk.World(), joint
    model.j1 = mk.Revolute(n=n, phi=mk.guess(0.3))
    model.j2 = mk.Revolute(n=n, phi=mk.guess(-0.2))
    model.a, model.b = (
        mk.BodyShape(m=1.0, r=(length, 0, 0), r_CM=(length / 2, 0, 0)) for _ in "ab"
    )
    model.world.frame_b >> model.j1.frame_a
    model.j1.frame_b >> model.a.frame_a
    model.a.frame_b >> model.j2.frame_a
    model.j2.frame_b >> model.b.frame_a
    model.world.frame_b >> model.slot.frame_a
    model.b.frame_b >> model.slot.frame_b
    return model


STRATEGIES = ("auto", "projected", "baumgarte", "absolute")


@pytest.mark.parametrize("length", [1e-3, 1.0])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_square_is_refused_by_name(strategy, length):
    with refused(LoopError, "slot", "gradient vanishes", "sign"):
        two_arms(Squared(), "z", length).simulate(1.0, strategy=strategy)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(("strategy", "length"), each_once(STRATEGIES, [1e-3, 1.0]))
def test_the_same_without_the_square_holds(strategy, length):
    result = two_arms(OnTheAxis(), "z", length).simulate(0.1, strategy=strategy)
    assert result.complete
    assert np.abs(result["b.frame_b.r_0"][:, 1]).max() < 1e-6 * length


def test_a_square_beside_the_row_itself_is_redundant_and_no_more():
    result = two_arms(Twice(), "z", 1.0).simulate(0.1)
    assert result.complete
    assert np.abs(result["b.frame_b.r_0"][:, 1]).max() < 1e-9


@pytest.mark.slow
def test_rows_that_are_zero_whatever_the_pose_is_are_no_squares():
    """A four-bar about an oblique axis: its rows out of the plane are rounding everywhere."""
    axis = np.array([0.3, -0.5, 0.8])
    across = np.cross(axis, (1.0, 0.0, 0.0)) / np.linalg.norm(axis)
    along = np.cross(across, axis)
    along /= np.linalg.norm(along)
    model = mk.Model()
    model.world = mk.World()
    model.foot = mk.Fixed(r=tuple(2.0 * along))
    model.j1, model.j2, model.j3, model.j4 = (
        mk.Revolute(n=tuple(axis), phi=mk.guess(x)) for x in (1.2, -1.0, 1.0, -1.2)
    )
    model.a, model.b, model.c = (
        mk.BodyShape(m=1.0, r=tuple(x * along), r_CM=tuple(0.5 * x * along))
        for x in (0.7, 1.9, -1.1)
    )
    mk.connect(model.world.frame_b, model.j1.frame_a)
    mk.connect(model.j1.frame_b, model.a.frame_a)
    mk.connect(model.a.frame_b, model.j2.frame_a)
    mk.connect(model.j2.frame_b, model.b.frame_a)
    mk.connect(model.b.frame_b, model.j3.frame_a)
    mk.connect(model.j3.frame_b, model.c.frame_a)
    mk.connect(model.c.frame_b, model.j4.frame_a)
    mk.connect(model.j4.frame_b, model.foot.frame_b)
    result = model.simulate(0.5)
    assert result.complete and max(result.constraint_violation()) < 1e-9
