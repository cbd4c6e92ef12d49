"""Sweeps on a cluster of processes of this machine: what threads here give, whoever dies."""

import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import motorik as mk
from motorik.errors import FileFormatError, ParameterError, SimulationError

COUNT = 40


class Crank(mk.Model):
    """A pendulum with a live damping, driven by a function of the user's own."""

    def build(self) -> None:
        self.world = mk.World()
        self.rev = mk.Revolute(n="z", useAxisFlange=True, phi=0.3)
        self.damper = mk.rotational.Damper(d=mk.Parameter(0.1))
        self.motor = mk.rotational.Torque()
        self.course = mk.blocks.TimeFunction(f=lambda t: 0.5 * mk.sin(3.0 * t))
        self.body = mk.Body(m=1.0, r_CM=(0.5, 0.0, 0.0))
        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.body.frame_a
        self.connect(self.rev.axis, self.damper.flange_b)
        self.connect(self.rev.support, self.damper.flange_a)
        self.connect(self.rev.axis, self.motor.flange)
        self.course.y >> self.motor.tau


OPTIONS: dict[str, Any] = {
    "parameters": {"damper.d": np.linspace(0.0, 1.0, COUNT)},
    "starts": {"rev.phi": np.linspace(-1.0, 1.0, COUNT)},
    "output": 10,
}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="needs the extra `cluster`")
    options: dict[str, Any] = {"dashboard_address": None, "threads_per_worker": 1}
    with distributed.LocalCluster(n_workers=2, **options) as cluster:
        with distributed.Client(cluster) as own:
            yield own


def test_without_a_cluster_it_runs_here():
    data = Crank().sweep(1.0, "rev.phi", "body.a_0", **OPTIONS)
    run = Crank().prepare(1.0, output=10)
    other = run(start={"rev.phi": -1.0}, parameters={"damper.d": 0.0})
    np.testing.assert_allclose(data["rev.phi"][0], other["rev.phi"], rtol=1e-9)
    assert data["body.a_0"].shape == (COUNT, 11, 3) and (data["failure"] == "").all()
    assert (
        data.coords["damper.d"].values[-1] == 1.0
        and data["rev.phi"].attrs["units"] == "rad"
    )


@pytest.mark.slow
def test_a_cluster_gives_what_threads_give(client):
    import xarray

    names = "rev.phi", "damper.lossPower", "body.a_0"
    there = Crank().sweep(1.0, *names, client=client, **OPTIONS)
    here = Crank().sweep(1.0, *names, threads=2, **OPTIONS)
    xarray.testing.assert_allclose(there, here, rtol=1e-12)


def forget_models() -> None:
    """Let a worker forget all models, as one that has started again."""
    from motorik.ensembles import sweeping

    sweeping._prepared.clear()


@pytest.mark.slow
def test_a_model_is_sent_once_and_again_when_it_has_changed_or_is_forgotten(
    client, monkeypatch
):
    sent: list[object] = []
    scatter = client.scatter

    def counted(data: object, **options: Any) -> object:
        sent.append(data)
        return scatter(data, **options)

    monkeypatch.setattr(client, "scatter", counted)
    model, given = Crank(), {"starts": OPTIONS["starts"], "output": 10}
    model.damper.d = mk.Parameter(0.7)

    def ends(client: Any) -> np.ndarray:
        data = model.sweep(1.0, "rev.phi", client=client, **given)
        assert (data["failure"] == "").all()
        return data["rev.phi"].values[:, -1]

    first = ends(client)
    assert len(sent) == 1
    np.testing.assert_array_equal(ends(client), first)
    assert len(sent) == 1
    client.run(forget_models)
    np.testing.assert_array_equal(ends(client), first)
    assert len(sent) == 2
    model.damper.d = mk.Parameter(0.2)
    other = ends(client)
    assert len(sent) == 3 and np.abs(other - first).max() > 0.01
    np.testing.assert_allclose(other, ends(None), rtol=1e-12, atol=1e-12)


def test_blocks_cover_all_variants_and_shrink():
    from motorik.ensembles.variants import blocks

    for count, threads, share, least in ((1000, 2, 2, 32), (7, 3, 4, 1), (1, 8, 2, 1)):
        ends = list(blocks(count, threads, share, (count, least)))
        assert [k for own in ends for k in range(*own)] == list(range(count))
        sizes = [last - first for first, last in ends]
        assert (
            sizes == sorted(sizes, reverse=True) and min(sizes[:-1], default=least) >= least
        )
        assert len(ends) >= min(threads, count)


@pytest.mark.slow
def test_a_worker_that_dies_is_survived(client, monkeypatch):
    from motorik.ensembles import sweeping

    submit = sweeping.ClusterSweep._submit
    killed: list[int] = []

    def submit_and_kill(self, given):
        submit(self, given)
        if not killed:
            found = client.run(os.getpid)
            killed.append(next(iter(found.values())))
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr(sweeping.ClusterSweep, "_submit", submit_and_kill)
    there = Crank().sweep(1.0, "rev.phi", client=client, **OPTIONS)
    assert killed and (there["failure"] == "").all()
    here = Crank().sweep(1.0, "rev.phi", **OPTIONS)
    np.testing.assert_allclose(there["rev.phi"], here["rev.phi"], rtol=1e-12, atol=1e-12)


@pytest.mark.slow
def test_a_cluster_that_vanishes_is_named_and_the_rest_kept(client, monkeypatch):
    from motorik.ensembles import sweeping

    collect = sweeping.ClusterSweep._collect

    def collect_and_leave(self):
        collect(self)
        if self.done:
            monkeypatch.setattr(sweeping.ClusterSweep, "_has_vanished", lambda self: True)

    monkeypatch.setattr(sweeping.ClusterSweep, "_collect", collect_and_leave)
    data = Crank().sweep(1.0, "rev.phi", client=client, **OPTIONS)
    kept = np.isfinite(data["rev.phi"][:, -1]).values
    assert kept.any()
    assert (data["failure"].values[~kept] == "the cluster vanished").all()


class Forgetful:
    """A cluster without a worker that loses all that it is given."""

    status = "running"

    def scatter(self, data: Any, **_options: Any) -> Any:
        return data

    def map(self, _function: Any, starts: Any, *_others: Any, **_options: Any) -> Any:
        return [Lost() for _ in starts]

    def gather(self, futures: Any) -> Any:
        return [own.result() for own in futures]

    def scheduler_info(self, **_options: Any) -> dict[str, Any]:
        return {"workers": {"one": {"nthreads": 1}}}

    def cancel(self, _futures: Any) -> None:
        """Forget them."""


class Lost:
    """A result that has been lost."""

    status = "lost"

    def result(self) -> Any:
        raise RuntimeError("lost data")

    def add_done_callback(self, call: Callable[[Any], None]) -> None:
        call(self)


def test_blocks_that_are_always_lost_are_given_up():
    data = Crank().sweep(0.1, "rev.phi", client=Forgetful(), **OPTIONS)
    assert all("lost data" in why for why in data["failure"].values)
    assert np.isnan(data["rev.phi"]).all()


class Interrupted(Forgetful):
    """A cluster whose user interrupts it while blocks are fetched."""

    def map(self, _function: Any, starts: Any, *_others: Any, **_options: Any) -> Any:
        return [Fetched() for _ in starts]


class Fetched(Lost):
    """A result that takes too long to fetch."""

    status = "finished"

    def result(self) -> Any:
        raise KeyboardInterrupt


def test_an_interrupt_names_all_variants_that_are_not_there():
    data = Crank().sweep(0.1, "rev.phi", client=Interrupted(), **OPTIONS)
    assert all("interrupted" in why for why in data["failure"].values)


def test_what_is_no_client_is_refused():
    address: Any = "tcp://127.0.0.1:8786"
    with pytest.raises(ParameterError, match=r"dask\.distributed\.Client"):
        Crank().sweep(0.1, client=address, **OPTIONS)
    with pytest.raises(SimulationError, match="output"):
        Crank().sweep(0.1, parameters=OPTIONS["parameters"], output="steps")


def test_what_holds_machine_code_says_so_when_pickled():
    import pickle

    run = Crank().prepare(0.1, output=2)
    for held in (run, run.map(), run()):
        with pytest.raises(FileFormatError, match="machine code"):
            pickle.dumps(held)
