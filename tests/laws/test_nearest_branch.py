"""Guesses select the branch: a ring without closed form starts in the one near to them.

All branches are found by Newton's method on the closure equations from everywhere, in numpy.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.laws.ring_branches import Ring, all_branches, ends, within_half_a_turn


@pytest.mark.parametrize(("seed", "hinges", "near"), [(3, 4, 0.25), (5, 4, 0.25)])
def test_a_ring_starts_in_the_branch_near_to_its_guesses(seed, hinges, near):
    """`near` is how far the nearest may be at most, of the distance of the second."""
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(hinges, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    chain = (axes, rng.normal(size=(6 if hinges == 7 else hinges, 3)))
    angles = rng.uniform(-2.0, 2.0, hinges)
    (place,), (turned,), _ = ends(chain, angles[None])
    branches = all_branches(chain, place, turned, angles[0], rng)
    assert len(branches) > 1
    assert np.abs(within_half_a_turn(branches - angles[1:])).max(axis=1).min() < 1e-6
    judged = 0
    for noise in (0.15, 0.5, 0.5):
        chosen = branches[rng.integers(len(branches))]
        guesses = chosen + rng.normal(size=hinges - 1) * noise
        apart = np.linalg.norm(within_half_a_turn(branches - guesses), axis=1)
        first, second = np.sort(apart)[:2]
        if first > near * second:
            continue
        ring = Ring(
            chain=chain,
            place=place,
            turned=turned,
            angles=angles.tolist(),
            guesses=guesses.tolist(),
        )
        result = ring.simulate(1e-6, output=1)
        found = np.array([result[f"hinge{k}.phi"][0] for k in range(1, hinges)])
        nearest = branches[int(np.argmin(apart))]
        assert np.abs(within_half_a_turn(found - nearest)).max() < 1e-4
        judged += 1
    assert judged
