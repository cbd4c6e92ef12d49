"""Reactions of redundant constraints: many samples at once as one by one."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.numerics.tolerances import RANK
from motorik.system.multipliers import SparseResponse, find_row_space, least_change

SAMPLES = 7


def matrices(seed: int, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """Return matrices of equal rank, and values that some λ gives."""
    random = np.random.default_rng(seed)
    left, right = random.normal(size=(6, rank)), random.normal(size=(SAMPLES, rank, 9))
    G = left @ right  # the rows depend on each other alike at all samples
    return G, (G @ random.normal(size=(SAMPLES, 9, 1)))[:, :, 0]


@pytest.mark.parametrize("rank", [1, 3, 5, 6])
def test_the_smallest_multipliers_are_those_of_the_pseudoinverse(rank):
    G, values = matrices(rank, rank)
    space = find_row_space(G)
    assert len(space.rows) == rank and space.is_regular.all()
    expected = (np.linalg.pinv(G, rcond=RANK) @ values[:, :, None])[:, :, 0]
    np.testing.assert_allclose(space.least(values), expected, atol=1e-9)


def test_samples_of_another_rank_are_decomposed_for_themselves():
    G, values = matrices(1, 4)
    G[2, :, :] = G[2, :1, :] * np.arange(1.0, 7.0)[:, None]
    values[2] = G[2] @ np.ones(9)
    G[3] = 0.0
    values[3] = 0.0
    space = find_row_space(G)
    assert not space.is_regular[[2, 3]].any() and space.is_regular[[0, 1, 4]].all()
    expected = (np.linalg.pinv(G, rcond=RANK) @ values[:, :, None])[:, :, 0]
    np.testing.assert_allclose(space.least(values), expected, atol=1e-9)


@pytest.mark.parametrize("entries", [4, 40])
@pytest.mark.parametrize("loose", [(), (2, 7), (0, 1, 3, 5, 6)])
def test_the_forces_that_are_left_are_smallest(entries, loose):
    """Also where forces do not say all multipliers, and where some equations hold no speed."""
    random = np.random.default_rng(entries)
    G, _ = matrices(5, 4)
    G[:, :, loose] = 0.0
    if len(loose) < 5:
        G[1] *= 1e-12  # of no rank: all is free
    space = find_row_space(G)
    assert space.loose.tolist() == list(loose)
    places = random.choice(12 * 9, entries, replace=False)
    force, equation = places // 9, places % 9
    _, force = np.unique(force, return_inverse=True)
    response = SparseResponse(force, equation, random.normal(size=(SAMPLES, entries)), 9)
    forces = random.normal(size=(SAMPLES, int(force.max()) + 1))
    found = least_change(space, response, forces)
    if len(loose) == 5:  # as many equations as rows: what is held cannot change
        assert space.movable.tolist() == list(loose)
        np.testing.assert_allclose(found[:, space.held], 0.0, atol=1e-9)
    for i in range(SAMPLES):
        _, sizes, V = np.linalg.svd(G[i])
        free = V[int(np.sum(sizes > RANK * max(sizes[0], 1e-300))) :].T
        B = response.at(i)
        expected = free @ np.linalg.lstsq(B @ free, forces[i], rcond=RANK)[0]
        np.testing.assert_allclose(B @ found[i], B @ expected, atol=1e-8)
