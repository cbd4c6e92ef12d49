"""Mechanisms with loops keep the lengths and angles that their drawings show."""

import numpy as np
import pytest

from motorik.gallery import (
    Bricard,
    MacPherson,
    MacPhersonAnalytic,
    PlanarLoopsAnalytic,
    StewartPlatform,
)
from tests.gallery import platform_references as platform


@pytest.mark.slow
def test_three_loops_in_a_row_keep_the_lengths_of_their_rods():
    run = PlanarLoopsAnalytic().simulate(1.0, rtol=1e-9, output=50)
    uprights = np.array([[0, 0.5, 0], [0.1, 0.5, 0], [0.1, 0.6, 0], [0, 0.55, 0]])
    before = run["rod1.frame_b.r_0"]
    for i in (1, 2, 3):
        foot = np.array([0.5 * i, 0.0, 0.0])
        middle = run[f"jointRRR{i}.frame_im.r_0"]
        span = np.linalg.norm(uprights[i] + [0.5, 0, 0] - uprights[i - 1])
        for ends, length in (
            (middle - foot, np.linalg.norm(uprights[i])),
            (middle - before, span),
        ):
            np.testing.assert_allclose(np.linalg.norm(ends, axis=1), length, atol=1e-12)
        before = middle


@pytest.mark.slow
def test_a_crank_follows_its_drive_as_a_filter_of_50_hz_does():
    run = PlanarLoopsAnalytic().simulate(1.0, rtol=1e-9, output=50)
    # Bessel filter of second order with 50 Hz: it lags by about its delay of 3.1 ms
    lagging = 0.7 * np.sin(2 * np.pi * (run.time[10:] - 1.3617 / (2 * np.pi * 50)))
    assert np.abs(run["rev.phi"][10:] - lagging).max() < 0.01


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("kind", [MacPherson, MacPhersonAnalytic])
def test_a_steered_wheel_is_where_the_geometry_puts_it(kind):
    run = kind(steering=0.02).simulate(1.0, rtol=1e-9, output=10)
    np.testing.assert_allclose(run["rack.s"], 0.02 * np.sin(np.pi * run.time), atol=1e-12)
    q = np.zeros(4)
    for arm, rack, hub in zip(
        run["inner_joint.phi"], run["rack.s"], run["hub.frame_b.r_0"], strict=True
    ):
        q[0] = arm
        motion = platform.macpherson(rack)
        q = motion.close(q, kept=[0])
        np.testing.assert_allclose(platform.hub_at(q), hub, atol=1e-11)


@pytest.mark.slow
def test_legs_are_as_long_as_their_ends_are_apart():
    run = StewartPlatform().simulate(0.3, rtol=1e-9, output=10)
    for i, foot in enumerate(platform.FEET, start=1):
        apart = np.linalg.norm(run[f"leg{i}.seat.frame_b.r_0"] - foot, axis=1)
        np.testing.assert_allclose(run[f"leg{i}.slide.s"], apart, atol=1e-12)


@pytest.mark.slow
def test_every_second_hinge_of_the_ring_turns_alike():
    run = Bricard().simulate(3.0, rtol=1e-9, output=50)
    hinges = np.column_stack([run[f"hinge{i}.phi"] for i in range(6)])
    np.testing.assert_allclose(hinges[:, [2, 4]], hinges[:, [0, 0]], atol=1e-9)
    np.testing.assert_allclose(hinges[:, [3, 5]], hinges[:, [1, 1]], atol=1e-9)
