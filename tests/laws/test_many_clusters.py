"""Many clusters of loops in one model: each is seen, closed and planned as it is alone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

import motorik as mk
from motorik import gallery, rotational
from motorik.components.base.part import frame
from motorik.loops import constraint_blocks, decomposition, rank_analysis
from motorik.loops.decomposition import EqualCluster, KnownDecompositions
from motorik.loops.formulate import FormulatedModel, formulate
from motorik.loops.options import LoopStrategy
from motorik.loops.pose_sampling import PoseSampler
from motorik.loops.rank_analysis import best_rows, rank
from motorik.numerics import sparse_matrix
from motorik.numerics.sparse_matrix import SparseMatrix, SparsityPattern
from motorik.topology.assembled_model import assemble_model
from motorik.topology.mechanism import WORLD


def bar(length: float) -> mk.BodyShape:
    """Return a bar of 1 kg along x."""
    return mk.BodyShape(m=1.0, r=(length, 0, 0), r_CM=(length / 2, 0, 0))


class FourBar(mk.Model):
    """A crank, a coupler and a rocker on a base; what follows is carried by the coupler."""

    seat, tip = frame("base"), frame("end of the coupler")

    def build(
        self,
        lengths: Sequence[float] = (0.4, 1.1, 0.7, 1.0),
        phi: float = 1.0,
        flange: bool = False,
    ):
        crank, coupler, rocker, base = lengths
        self.foot = mk.FixedTranslation(r=(base, 0, 0))
        self.drive = mk.Revolute(n="z", phi=phi, useAxisFlange=flange)
        self.pin = mk.Revolute(n="z")
        self.pivot, self.knee = mk.Revolute(n="z", phi=mk.guess(1.2)), mk.Revolute(n="z")
        self.crank, self.coupler, self.rocker = bar(crank), bar(coupler), bar(rocker)
        self.seat >> self.drive.frame_a
        self.drive.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.pin.frame_a
        self.pin.frame_b >> self.coupler.frame_a
        self.seat >> self.foot.frame_a
        self.foot.frame_b >> self.pivot.frame_a
        self.pivot.frame_b >> self.rocker.frame_a
        self.rocker.frame_b >> self.knee.frame_a
        self.knee.frame_b >> self.coupler.frame_b
        self.coupler.frame_b >> self.tip


class SliderCrank(mk.Model):
    """A crank, a rod and a piston on a rail; what follows is carried by the rod."""

    seat, tip = frame("base"), frame("end of the rod")

    def build(self, lengths: Sequence[float] = (0.3, 1.0), phi: float = 0.7):
        crank, rod = lengths[:2]
        self.drive, self.pin = mk.Revolute(n="z", phi=phi), mk.Revolute(n="z")
        self.rail, self.knee = mk.Prismatic(n="x", s=mk.guess(rod)), mk.Revolute(n="z")
        self.crank, self.rod, self.piston = bar(crank), bar(rod), bar(0.1)
        self.seat >> self.drive.frame_a
        self.drive.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.pin.frame_a
        self.pin.frame_b >> self.rod.frame_a
        self.seat >> self.rail.frame_a
        self.rail.frame_b >> self.piston.frame_a
        self.piston.frame_a >> self.knee.frame_a
        self.knee.frame_b >> self.rod.frame_b
        self.rod.frame_b >> self.tip


class TwoLoops(FourBar):
    """A four-bar whose rocker pushes a piston: two loops in one cluster."""

    def build(
        self,
        lengths: Sequence[float] = (0.4, 1.1, 0.7, 1.0),
        phi: float = 1.0,
        flange: bool = False,
    ):
        super().build(lengths, phi, flange)
        reach = 2.0 * lengths[3]
        self.heel, self.toe = mk.Revolute(n="z", phi=mk.guess(-1.5)), mk.Revolute(n="z")
        self.push, self.piston = bar(reach), bar(0.1 * reach)
        self.rail = mk.Prismatic(n="x", s=mk.guess(1.5 * reach))
        self.rocker.frame_b >> self.heel.frame_a
        self.heel.frame_b >> self.push.frame_a
        self.seat >> self.rail.frame_a
        self.rail.frame_b >> self.piston.frame_a
        self.piston.frame_a >> self.toe.frame_a
        self.toe.frame_b >> self.push.frame_b


class Many(mk.Model):
    """Units on the ground side by side, or each on the one before it."""

    def build(self, units: Sequence[tuple[str, mk.Model]] = (), chained: bool = False):
        self.world = mk.World(g=9.81, n="-y")
        last = self.world.frame_b
        for k, (name, unit) in enumerate(units):
            setattr(self, name, unit)
            if not chained:
                foot = mk.Fixed(r=(1.7 * k, 0.3 * k, 0.0))
                setattr(self, f"{name}_foot", foot)
                last = foot.frame_b
            last >> unit.seat
            last = unit.tip


def geared() -> mk.Model:
    """Return three four-bars on the ground; the cranks of two are geared to each other."""
    units = [FourBar(flange=k < 2) for k in range(3)]
    model = Many(units=[(f"unit{k}", unit) for k, unit in enumerate(units)])
    model.gear = rotational.IdealGear(ratio=-1.0)
    units[0].drive.axis >> model.gear.flange_a
    model.gear.flange_b >> units[1].drive.axis
    return model


def assembled(model: mk.Model, strategy: str = "auto") -> FormulatedModel:
    """Return the decisions about the loops of a model without live parameters."""
    assembled = assemble_model(model)
    return formulate(assembled, LoopStrategy(strategy))


def seen_clusters(found: FormulatedModel) -> dict[str, tuple]:
    """Return by unit what was decided: rows, freedom, plan, and coordinates at the samples."""
    survey, f = found.mobility, found.formulation
    assert survey is not None and f is not None
    table = {}
    joints = survey.mechanism.inventory.joints
    for decision in f.decisions:
        cluster, rows = decision.cluster, survey.constraints.equations
        unit = cluster.names(survey.mechanism)[0].split(".")[0]
        assert unit not in table, "one cluster in each unit"
        active = {(rows[k].part, rows[k].number) for k in cluster.active}
        plan = decision.decomposition
        steps = [] if plan is None else [step.title for step in plan.groups]
        kept = (
            [] if plan is None else [joints[h].frame_a.owner.path for h in plan.independent]
        )
        own = [k for link in cluster.links for k in survey.mechanism.links[link].q]
        names = [survey.mechanism.coordinates[k].name for k in own]
        samples = np.array([q[own] for q in survey.samples])
        decided = (active, cluster.freedom, decision.strategy, kept, steps, names)
        table[unit] = (decided, samples)
    return table


def any_unit(rng: np.random.Generator) -> tuple[type[mk.Model], dict]:
    """Return a kind of unit with lengths with which it closes."""
    kind = (FourBar, SliderCrank, TwoLoops)[rng.integers(3)]
    factor = float(rng.uniform(0.05, 20.0))  # units may be of very different sizes
    base = (0.3, 1.0) if kind is SliderCrank else (0.4, 1.1, 0.7, 1.0)
    lengths = [factor * x * float(rng.uniform(0.95, 1.05)) for x in base]
    return kind, {"lengths": lengths, "phi": float(rng.uniform(0.5, 1.5))}


@pytest.mark.kinds(4)
@pytest.mark.slow
@pytest.mark.parametrize("chained", [False, True], ids=["beside", "chained"])
@pytest.mark.parametrize("strategy", ["auto", "projected"])
@pytest.mark.parametrize("seed", range(2))
def test_each_of_many_clusters_is_seen_as_it_is_alone(seed, strategy, chained):
    rng = np.random.default_rng(seed)
    drawn = {f"unit{k}": any_unit(rng) for k in range(5)}
    units = [(name, kind(**values)) for name, (kind, values) in drawn.items()]
    together = seen_clusters(assembled(Many(units=units, chained=chained), strategy))
    assert set(together) == set(drawn)
    for name, (kind, values) in drawn.items():
        alone = seen_clusters(assembled(Many(units=[(name, kind(**values))]), strategy))
        assert together[name][0] == alone[name][0]
        np.testing.assert_allclose(together[name][1], alone[name][1], rtol=0, atol=1e-8)


def test_a_unit_that_does_not_keep_its_start_leaves_the_others_theirs():
    good, far = FourBar(phi=0.9), FourBar(lengths=(2.0, 0.5, 0.5, 1.5), phi=3.0)
    found = assembled(Many(units=[("far", far), ("good", good)]))
    assert found.mobility is not None
    values = found.mobility.named_values()[0]
    assert values["good.drive.phi"] == 0.9
    assert abs(values["far.drive.phi"] - 3.0) > 0.1  # it cannot be reached


def test_a_plan_is_searched_for_once_among_equal_clusters(monkeypatch):
    searched = []
    find = decomposition.find_decomposition
    monkeypatch.setattr(
        decomposition,
        "find_decomposition",
        lambda *a, **k: searched.append(a[0]) or find(*a, **k),
    )
    units = [(f"unit{k}", FourBar()) for k in range(4)]
    units += [(f"other{k}", FourBar(lengths=(0.41, 1.1, 0.7, 1.0))) for k in range(3)]
    found = assembled(Many(units=units))
    assert len(searched) == 2 * 2  # two kinds, on the first tree and on the one that suits
    assert (
        len({str(d[0][1:5]).replace(n, "") for n, d in seen_clusters(found).items()}) == 1
    )


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("kind", [FourBar, SliderCrank, TwoLoops])
def test_the_plan_of_an_equal_cluster_is_the_one_that_a_search_finds(kind, monkeypatch):
    """Equal clusters at equal and at other poses, on roots that move: plans as by searching."""

    def model(chained: bool) -> mk.Model:
        usual = 0.7 if kind is SliderCrank else 1.0
        angles = {"a": usual, "b": usual, "c": 1.3, "d": usual}
        units = [(name, kind(phi=phi)) for name, phi in angles.items()]
        return Many(units=units, chained=chained)

    for chained in (False, True):
        shared = seen_clusters(assembled(model(chained)))
        with monkeypatch.context() as patch:
            patch.setattr(
                KnownDecompositions,
                "of",
                lambda self, root, hinges, *_: EqualCluster(root, hinges),
            )
            each = seen_clusters(assembled(model(chained)))
        for name, (decided, _) in shared.items():
            assert decided == each[name][0]


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
@pytest.mark.parametrize("model", ["NFourBar", "EngineV6", "Andrews"])
def test_sparse_matrices_lead_where_dense_ones_lead(model, strategy, monkeypatch):
    """The way of large clusters, taken for small ones: closed poses, the same freedom."""
    kind = getattr(gallery, model)
    dense = assembled(kind(), strategy)
    for module in (sparse_matrix, constraint_blocks, rank_analysis):
        monkeypatch.setattr(module, "SMALL", 0)
    sparse = assembled(kind(), strategy)
    assert dense.mobility is not None and sparse.mobility is not None
    for one, other in zip(dense.mobility.clusters, sparse.mobility.clusters, strict=True):
        assert (one.links, one.constraints, one.freedom) == (
            other.links,
            other.constraints,
            other.freedom,
        )
        assert len(one.active) == len(other.active)
        for q in (*dense.mobility.samples, *sparse.mobility.samples):
            G = sparse.mobility.scales.matrix(
                sparse.mobility.constraints.matrix(q, np.zeros(0))
            )
            part = G[np.ix_(other.active, other.speeds)]
            assert rank(part) == rank(G[np.ix_(other.constraints, other.speeds)])
    for q in sparse.mobility.samples:
        assert np.abs(sparse.mobility.constraints.violation(q, np.zeros(0))).max() < 1e-9
    np.testing.assert_allclose(sparse.mobility.q, dense.mobility.q, rtol=0, atol=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_elimination_finds_the_rank_and_rows_that_span(seed):
    rng = np.random.default_rng(seed)
    m, n, r = 40, 25, int(rng.integers(1, 20))
    left = rng.normal(size=(m, r)) * (rng.random((m, r)) < 0.3)
    right = rng.normal(size=(r, n)) * (rng.random((r, n)) < 0.3)
    dense = left @ right
    i, j = np.nonzero(dense)
    sparse = SparseMatrix(SparsityPattern(i.tolist(), j.tolist(), (m, n)), dense[i, j])
    rows = best_rows([sparse])
    assert len(rows) == rank(dense) == rank(dense[rows])


@pytest.mark.parametrize("seed", range(10))
def test_least_squares_of_few_entries_are_those_of_dense_matrices(seed):
    rng = np.random.default_rng(seed)
    m, n = (int(k) for k in rng.integers(5, 60, size=2))
    dense = rng.normal(size=(m, n)) * (rng.random((m, n)) < 0.15)
    r = rng.normal(size=m)
    i, j = np.nonzero(dense)
    sparse = SparseMatrix(SparsityPattern(i.tolist(), j.tolist(), (m, n)), dense[i, j])
    exact = np.linalg.lstsq(dense, r, rcond=1e-6)[0]
    sizes = np.linalg.svd(dense, compute_uv=False)
    regular = sizes[sizes > 1e-9 * sizes[0]]
    if regular[-1] > 1e-2 * sizes[0]:  # no direction is near those left alone
        found = sparse.shortest(r, 1e-6)
        np.testing.assert_allclose(dense @ found, dense @ exact, rtol=0, atol=1e-5)
        np.testing.assert_allclose(found, exact, rtol=0, atol=1e-4)
    normal = dense.T @ dense + 0.01 * np.eye(n)
    by_normal = np.linalg.solve(normal, dense.T @ r)
    np.testing.assert_allclose(sparse.damped(r, 0.01), by_normal, rtol=0, atol=1e-9)
    rows, columns = (
        rng.permutation(m)[: m // 2].tolist(),
        rng.permutation(n)[: n // 2].tolist(),
    )
    np.testing.assert_array_equal(sparse.part(rows, columns), dense[np.ix_(rows, columns)])


def test_equal_clusters_walk_alike_over_closed_poses():
    units = [(f"unit{k}", FourBar()) for k in range(3)]
    found = assembled(Many(units=units, chained=True))
    f = found.formulation
    assert f is not None and found.mobility is not None
    poses = PoseSampler(f.constraints, f.samples[0], np.zeros(0), f.scales).poses(12)
    assert len(poses) == 12
    own = [
        [k for link in c.links for k in f.mechanism.links[link].q]
        for c in found.mobility.clusters
    ]
    for q in poses:
        assert np.abs(f.constraints.violation(q, np.zeros(0))).max() < 1e-9
        for one, other in itertools.pairwise(own):
            np.testing.assert_allclose(q[one], q[other], rtol=0, atol=1e-8)
    assert np.ptp([q[own[0][0]] for q in poses]) > 1.0  # it does move


def test_the_root_of_a_cluster_is_the_link_that_carries_it():
    units = [(f"unit{k}", FourBar()) for k in range(4)]
    found = assembled(Many(units=units, chained=True))
    assert found.mobility is not None
    mechanism, inside = found.mobility.mechanism, set()
    for k, cluster in enumerate(found.mobility.clusters):
        assert (cluster.root == WORLD) == (k == 0)
        assert k == 0 or cluster.root in inside
        inside = set(cluster.links)
        assert all(mechanism.links[i].part.startswith(f"unit{k}.") for i in cluster.links)


@pytest.mark.slow
def test_a_gear_between_clusters_ties_them_and_leaves_the_others():
    """Cranks geared to each other: one freedom less, and no row of a third cluster changes."""
    for strategy in ("auto", "projected"):
        units = [(f"unit{k}", FourBar()) for k in range(3)]
        alone = assembled(Many(units=units), strategy).formulation
        assert alone is not None and alone.freedom == 3
        f = assembled(geared(), strategy).formulation
        assert f is not None and f.freedom == 2
        rows = f.constraints.equations
        free = {(rows[k].part, rows[k].number) for k in (*f.solved, *f.with_multiplier)}
        lonely = alone.constraints.equations
        kept = {
            (lonely[k].part, lonely[k].number)
            for k in (*alone.solved, *alone.with_multiplier)
        }
        third = {row for row in free if row[0].startswith("unit2.")}
        assert third == {row for row in kept if row[0].startswith("unit2.")}
