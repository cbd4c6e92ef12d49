"""Clusters: which loops hang together, how free they are, and which rows count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motorik as mk
from motorik import gallery
from motorik.loops.rank_analysis import independent_rows, rank
from motorik.topology.mechanism import WORLD
from tests.assembly.four_bars import four_bar
from tests.laws.linkages import LINKAGES, planar


def clusters_of(model: mk.Model, strategy: str = "auto") -> list:
    """Return the clusters of a compiled model, with the names of their parts."""
    system = model.compile(strategy)
    assert not system.formulation.is_empty
    return [
        (decision.cluster, set(decision.cluster.names(system.mechanism)))
        for decision in system.formulation.decisions
    ]


def test_loops_apart_are_clusters_of_their_own():
    model = mk.Model()
    model.left, model.right = four_bar(), four_bar(has_world=False)
    found = clusters_of(model)
    assert len(found) == 2
    sides = [{name.split(".")[0] for name in names} for _, names in found]
    assert sorted(map(sorted, sides)) == [["left"], ["right"]]
    for cluster, names in found:
        assert len(names) == 4
        assert cluster.root == WORLD
        assert cluster.freedom == 1


def test_loops_that_share_a_bar_are_one_cluster():
    ((cluster, names),) = clusters_of(LINKAGES["six-bar"](1).model())
    assert names == {f"j{k}" for k in range(7)}
    assert len(cluster.closures) == 2
    assert cluster.freedom == 1


def test_a_loop_on_a_body_that_swings_hangs_on_it():
    outer = mk.Model()
    outer.world = mk.World(g=9.81, n="-y")
    outer.swing, outer.arm = mk.Revolute(n="x"), mk.Body(m=2.0, r_CM=(0, -0.5, 0))
    outer.inner = LINKAGES["floating four-bar"](1).model()
    del outer.inner.parts["world"]
    outer.world.frame_b >> outer.swing.frame_a
    outer.swing.frame_b >> outer.arm.frame_a
    outer.arm.frame_a >> outer.inner.bar0.frame_a
    ((cluster, names),) = clusters_of(outer)
    assert names == {f"inner.j{k}" for k in range(4)}
    mechanism = outer.compile().mechanism
    assert mechanism.links[cluster.root].part == "swing"
    assert mechanism.links[cluster.root].index not in cluster.links


@pytest.mark.kinds(7)
@pytest.mark.parametrize("name", LINKAGES)
def test_rows_and_freedoms_add_up(name):
    system = LINKAGES[name](1).model().compile("projected")
    formulation = system.formulation
    assert not formulation.is_empty
    for decision in formulation.decisions:
        cluster = decision.cluster
        assert sorted(cluster.active + cluster.redundant) == list(cluster.constraints)
        assert cluster.freedom == len(cluster.speeds) - len(cluster.active)
        for q in formulation.samples:
            G = formulation.constraints.matrix(q, np.zeros(0))[:, list(cluster.speeds)]
            rows = np.linalg.svd(G[list(cluster.active)], compute_uv=False)
            assert rows[-1] > 1e-3 * rows[0]  # those that count are independent
            assert rank(G[list(cluster.constraints)]) == len(
                cluster.active
            )  # the others follow


@pytest.mark.slow
def test_a_planar_linkage_has_three_rows_too_many_for_each_loop():
    for loops in (1, 2, 3):
        ((cluster, _),) = clusters_of(planar(3, ["RRR"] * loops).model())
        assert len(cluster.redundant) == 3 * loops
        assert cluster.freedom == 1


def test_freedom_at_a_singular_start_is_that_of_motion():
    # all cranks lie flat: 3 freedoms for an instant, 1 in motion
    model = gallery.NFourBar(n=2)
    flat = {"pivot": np.pi / 2, "left": -np.pi / 2, "right": np.pi / 2}
    for name, part in model.parts.items():
        angle = flat.get(name[:-1])
        if angle is not None:
            part.phi = angle if name == "pivot0" else mk.guess(angle)
    system = model.compile("projected")
    formulation = system.formulation
    assert not formulation.is_empty
    assert formulation.freedom == 1
    q = [flat[state.name.split(".")[0][:-1]] for state in system.mechanism.coordinates]
    rows = formulation.constraints
    np.testing.assert_allclose(rows.violation(np.array(q), np.zeros(0)), 0.0, atol=1e-15)
    G = rows.matrix(np.array(q), np.zeros(0))
    assert system.mechanism.n_u - rank(G) == 3


# --- rank -----------------------------------------------------------------------------------


@settings(max_examples=50)
@given(st.integers(0, 1000), st.integers(1, 8), st.integers(1, 8), st.integers(0, 8))
def test_independent_rows_span_what_all_rows_span(seed, n_rows, n_columns, r):
    rng = np.random.default_rng(seed)
    r = min(r, n_rows, n_columns)
    G = rng.normal(size=(n_rows, r)) @ rng.normal(size=(r, n_columns))
    assert rank(G) == r == np.linalg.matrix_rank(G)
    chosen = independent_rows([G])
    assert chosen == sorted(set(chosen))
    assert len(chosen) == r == np.linalg.matrix_rank(G[chosen])


def test_rows_are_chosen_that_are_independent_at_every_pose():
    # at the first pose the first row is almost the second; at the other it is not
    near = np.array([[1.0, 0.0, 0.0], [1.0, 1e-4, 0.0], [0.0, 1.0, 0.0]])
    far = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    assert independent_rows([near, far]) in ([0, 2], [1, 2])
    assert independent_rows([far, near]) in ([0, 2], [1, 2])


def test_a_pose_with_fewer_independent_rows_does_not_count():
    singular, regular = np.zeros((2, 3)), np.eye(3)[:2]
    assert independent_rows([singular, regular]) == [0, 1]
    assert independent_rows([np.zeros((2, 3))]) == []
    assert rank(np.zeros((0, 3))) == 0
