"""Variables of a run: interpreted or in machine code the same, and nothing computed twice."""

from __future__ import annotations

import gc
import random

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, gallery
from motorik.algebra import where
from motorik.compiler import interpret
from motorik.results import Result
from motorik.system import output_samples
from motorik.system.native_functions import NativeFunctions
from tests.test_results import Everything

INTERVALS = 37  # rows that fill no whole number of blocks


class Driven(mk.Model):
    """A hinge with a live mass, a controller that has a state, and a function of the user."""

    def build(self) -> None:
        self.world = mk.World(g=9.81)
        self.hinge = mk.Revolute(n="z", useAxisFlange=True, phi=0.3, w=1.0)
        self.body = mk.Body(m=mk.Parameter(2.0), r_CM=(0.4, 0, 0))
        self.angle = mk.rotational.AngleSensor()
        self.filter = blocks.FirstOrder(T=0.1)
        self.gain = blocks.Gain(k=-3.0)
        self.torque = mk.rotational.Torque()
        self.rate = blocks.Der()
        self.side = blocks.Expression(
            f=lambda motion: where(motion.variable(self.hinge, "phi") > 0.0, 2.0, motion.t)
        )
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.body.frame_a
        self.hinge.axis >> self.angle.flange
        self.angle.phi >> self.filter.u
        self.filter.y >> self.gain.u
        self.filter.y >> self.rate.u
        self.gain.y >> self.torque.tau
        self.torque.flange >> self.hinge.axis


MODELS = {
    "pendulum": gallery.Pendulum,
    "chain": lambda: gallery.chain(4, phi=0.4),
    "trolley": gallery.TrolleyPendulum,
    "wheel": gallery.SpinningWheel,
    "planar four-bar": gallery.PlanarFourbar,
    "spatial four-bar": gallery.Fourbar1,
    "platform": gallery.StewartPlatform,
    "controlled hinge": Driven,
    "every part": Everything,
}


def run(model: mk.Model, duration: float = 0.3, **options) -> Result:
    """Return a short run of a model."""
    return model.simulate(duration, output=INTERVALS, **options)


def computed(result: Result) -> list[str]:
    """Return the names of what must be computed."""
    return [name for name in result.names() if name not in result.motion_names]


def assert_same(a: Result, b: Result, names: list[str]) -> None:
    """Compare variables but for rounding in the largest of the same unit in the model."""
    found, wanted = a.compute(names), b.compute(names)
    size: dict[str, float] = {}
    for name, values in wanted.items():
        unit = b.unit(name)
        size[unit] = max(size.get(unit, 0.0), float(np.abs(values).max()))
    for name in names:
        tolerance = 1e-11 * max(size[a.unit(name)], 1.0)
        np.testing.assert_allclose(
            found[name], wanted[name], rtol=0, atol=tolerance, err_msg=name
        )


def refuse_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every attempt to compile fail."""

    def fail(*_, **__):
        raise AssertionError("compiled")

    monkeypatch.setattr("motorik.compiler.compile_function", fail)
    monkeypatch.setattr(NativeFunctions, "outputs", fail)


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_interpreted_and_compiled_variables_agree(name, monkeypatch):
    a, b = run(MODELS[name]()), run(MODELS[name]())
    names = computed(a)
    names = names[:: 1 + len(names) // 400]  # of many equal parts some
    with monkeypatch.context() as few:
        refuse_to_compile(few)
        a.compute(names)
    monkeypatch.setattr(interpret, "FEW_ROWS", 0)
    b.compute(names)
    assert b._system.natives.has_outputs(names)
    assert_same(a, b, names)


@pytest.mark.thorough
@pytest.mark.slow
def test_an_engine_agrees_as_well(monkeypatch):
    a, b = run(gallery.EngineV6(), 0.02), run(gallery.EngineV6(), 0.02)
    names = computed(a)[::13]
    a.compute(names)
    monkeypatch.setattr(interpret, "FEW_ROWS", 0)
    assert_same(a, b, names)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["planar four-bar", "controlled hinge", "every part"])
def test_the_order_of_asking_does_not_matter(name):
    a, b = run(MODELS[name]()), run(MODELS[name]())
    names = computed(a)
    mixed = random.Random(3).sample(names, len(names))
    for one in mixed:
        _ = b[one]
    assert_same(b, a, names)


def test_a_second_run_of_a_system_uses_the_stages_of_the_first():
    model = Driven()
    first = run(model)
    names = computed(first)
    first.compute(names)
    stages = first._system.stages
    count = len(stages.stages)
    other = run(model, parameters={"body.m": 5.0})
    fresh = run(Driven(), parameters={"body.m": 5.0})
    assert other._system is first._system and fresh._system is not first._system
    assert_same(other, fresh, names)
    assert len(stages.stages) == count
    assert abs(other["body.frame_a.f"] - first["body.frame_a.f"]).max() > 1.0


def test_states_and_names_need_no_computing(monkeypatch):
    result = run(gallery.PlanarFourbar())
    refuse_to_compile(monkeypatch)
    for name in result.motion_names:
        assert result[name].shape == (INTERVALS + 1,)
    assert "body1.r_0" in result.names()
    assert not result._system.stages.stages


@pytest.mark.slow
def test_one_more_name_costs_what_it_has_beyond_those_before():
    result = run(gallery.chain(20, phi=0.4))
    stages = result._system.stages.stages

    def operations(name: str) -> int:
        before = len(stages)
        _ = result[name]
        return sum(s.function.function.n_instructions() for s in stages[before:])

    whole = operations("hinge1.frame_a.f")
    alone = run(gallery.chain(20, phi=0.4))
    _ = alone["rod15.frame_a.f"]
    own = alone._system.stages.stages[-1].function.function.n_instructions()
    assert 500 < own < whole
    for name in ("rod15.frame_a.f", "rod15.a_0", "tip9.frame_b.r_0", "hinge12.frame_b.t"):
        assert operations(name) < own / 30


@pytest.mark.slow
def test_what_is_kept_is_bounded_and_the_rest_runs_in_blocks(monkeypatch):
    names = ["hinge1.frame_a.f", "rod15.a_0", "rod15.kinetic_energy"]
    whole = run(gallery.chain(20, phi=0.4)).compute(names)
    limit = 50_000
    monkeypatch.setattr(output_samples, "MOST_KEPT", limit)
    result = run(gallery.chain(20, phi=0.4))
    for name in names:
        np.testing.assert_array_equal(result[name], whole[name])
    assert result._system.stages.kept.size <= limit


@pytest.mark.slow
def test_what_is_kept_is_that_of_the_results_asked_last(monkeypatch):
    model = gallery.chain(20, phi=0.4)
    results = [run(model, initial={"hinge1.phi": 0.1 * k}) for k in range(6)]
    kept = results[0]._system.stages.kept
    _ = results[0]["hinge1.frame_a.f"]
    one = kept.size
    monkeypatch.setattr(output_samples, "MOST_KEPT", 2.5 * one)
    for result in results:
        _ = result["hinge1.frame_a.f"]
        assert kept.size <= 2.5 * one
    assert kept.size == 2 * one
    assert kept.of(results[-1]._samples) and not kept.of(results[0]._samples)
    del results, result
    gc.collect()
    assert kept.size == 0


def test_rows_that_add_up_make_machine_code_worth_it(monkeypatch):
    monkeypatch.setattr(interpret, "FEW_ROWS", 3 * (INTERVALS + 1))
    monkeypatch.setattr("motorik.system.output_samples.SHARED_BY", 1.0)
    model = gallery.Pendulum()
    for k in range(5):
        result = run(model, initial={"rev.phi": 0.1 * k})
        _ = result["body.frame_a.f"]
        assert result._system.natives.has_outputs(["body.frame_a.f"]) == (k >= 3)


def test_energy_of_few_rows_is_that_of_machine_code(monkeypatch):
    result = run(gallery.Fourbar1())
    with monkeypatch.context() as few:
        refuse_to_compile(few)
        found = result.energy()
    X, p = result.motion, result._parameters
    wanted = result._system.energy.map(result.time.reshape(-1, 1), X, p)
    for k, name in enumerate(("kinetic", "potential", "stored")):
        np.testing.assert_allclose(found[name], wanted[:, k], rtol=1e-12, atol=1e-12)
