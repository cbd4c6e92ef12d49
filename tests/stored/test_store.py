"""A model that is loaded does what it did when it was compiled, and anything else is compiled."""

import hashlib
import marshal
import threading
import warnings

import numpy as np
import pytest

from motorik import Body, Model, Parameter, Revolute, World, gallery
from motorik.compiler import cache, cache_directory
from motorik.compiler.cache import read_entry, write_entry
from motorik.stored import key
from motorik.stored import store as store_module
from motorik.stored.facts import RunFacts
from motorik.stored.store import StoredModel
from motorik.topology.inventory import DefaultWorldWarning
from motorik.translational import SpringDamper


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store in which nothing is found at first, beside machine code that others have made."""
    monkeypatch.setenv("MOTORIK_STORE", "1")
    monkeypatch.setattr(key, "graph_stamp", lambda: [(str(tmp_path), 0, 0)])


class Swing(Model):
    """A pendulum with a live mass."""

    def build(self, m=1.0, length=0.5, phi=0.3):
        self.world = World()
        self.rev = Revolute(n="z", phi=phi)
        self.body = Body(m=Parameter(m), r_CM=(length, 0, 0))
        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.body.frame_a


def is_loaded(model) -> bool:
    return isinstance(model.compile()._source, StoredModel)


def is_formulated(model) -> bool:
    return "_formulated" in model.compile().__dict__


def everything(model, result) -> dict[str, object]:
    """Return every variable of a run, its events, energies and the explanation of the model."""
    found: dict[str, object] = {
        name: values.tobytes() for name, values in result.compute(result.names()).items()
    }
    found["events"] = [(e.time, e.part, e.what) for e in result.events]
    found["energy"] = result.energy()["total"].tobytes()
    found["rates"] = result.rates.tobytes()
    found["violation"] = result.constraint_violation()
    found["explain"] = model.explain()
    found["between"] = result.at(0.5 * result.time[-1])[result.state_names[0]]
    return found


def same_when_loaded(monkeypatch, make, stop=0.2, **options) -> tuple[object, object]:
    """Assert that a model is stored, loaded and does the same; return both models."""
    monkeypatch.setenv("MOTORIK_STORE", "0")
    compiled = make()
    before = compiled.simulate(stop, **options)
    monkeypatch.setenv("MOTORIK_STORE", "1")
    make().simulate(stop, **options)
    loaded = make()
    after = loaded.simulate(stop, **options)
    assert before.motion.tobytes() == after.motion.tobytes()
    assert isinstance(after._system._source, StoredModel)
    assert everything(compiled, before) == everything(loaded, after)
    return compiled, loaded


def test_a_loaded_run_needs_no_formulation(store, monkeypatch):
    Swing().simulate(0.2)
    again = Swing()
    result = again.simulate(0.2)
    assert is_loaded(again) and not is_formulated(again)
    assert result["rev.phi"].size == len(result) and result.complete
    assert again.simulate(0.3).complete and not is_formulated(again)
    assert result["body.frame_a.r_0"].shape == (len(result), 3)
    assert is_formulated(again)


def test_a_record_is_written_when_runs_add_to_it_only(store, monkeypatch):
    written = []
    write = store_module.write_entry
    monkeypatch.setattr(
        store_module, "write_entry", lambda *given: written.append(given) or write(*given)
    )
    model = Swing()
    for k in range(3):
        model.simulate(0.1 + 0.1 * k)
    assert len(written) == 1
    model.simulate(0.2, method="bdf")  # needs the Jacobian matrix besides
    model.simulate(0.2, method="bdf")
    assert len(written) == 2
    again = Swing()
    again.simulate(0.2, method="bdf")
    assert is_loaded(again) and not is_formulated(again) and len(written) == 2


@pytest.mark.slow
def test_a_jacobian_by_kernels_is_loaded(store):
    """It is machine code of the model and kernels; both are found again by their names."""
    first, again = gallery.chain(11, phi=0.3), gallery.chain(11, phi=0.3)
    motion = first.simulate(0.1, method="bdf").motion
    assert first.compile().equations.tree_jacobian is not None
    found = again.simulate(0.1, method="bdf")
    assert is_loaded(again) and not is_formulated(again)
    assert found.motion.tobytes() == motion.tobytes()
    kept = again.compile().natives.kept["jacobian"].kernels
    assert kept and "jacobian" in again.compile().natives.made


LOOPS = ("Fourbar1", "SliderCrank", "PlanarFourbar")
OTHERS = ("Pendulum", "SpinningWheel", "NFourBar", "TrolleyPendulum", "ThreeCranks")
LARGE = (
    *("Andrews", "Bricard", "Engine1b", "EngineV6Analytic", "Fourbar2", "MacPherson"),
    *("PlanarLoopsAnalytic", "StewartPlatform", "SpatialSliderCrank", "DoublePendulum"),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", (*LOOPS, *OTHERS))
def test_gallery_models_are_the_same_when_loaded(store, monkeypatch, name):
    same_when_loaded(monkeypatch, getattr(gallery, name))


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_large_gallery_models_are_the_same_when_loaded(store, monkeypatch, name):
    same_when_loaded(monkeypatch, getattr(gallery, name))


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["projected", "baumgarte", "absolute"])
def test_each_strategy_is_stored_by_itself(store, monkeypatch, strategy):
    options = {"strategy": strategy, "method": "dop853"}
    same_when_loaded(monkeypatch, gallery.SliderCrank, **options)


class Sliding(Model):
    """A mass with dry friction that a spring pulls to rest."""

    def build(self):
        from motorik.translational import Fixed, MassWithStopAndFriction

        self.fixed = Fixed()
        self.spring = SpringDamper(c=100.0, d=0.1)
        self.mass = MassWithStopAndFriction(m=1.0, F_Coulomb=2.0, s=0.2, v=0.0, L=0.0)
        self.fixed.flange >> self.spring.flange_a
        self.spring.flange_b >> self.mass.flange_a


class Circuit(Model):
    """A network without a mechanism."""

    def build(self):
        from motorik import electrical

        self.ground = electrical.Ground()
        self.source = electrical.ConstantVoltage(V=5.0)
        self.resistor = electrical.Resistor(R=10.0)
        self.capacitor = electrical.Capacitor(C=1e-3)
        self.source.p >> self.resistor.p
        self.resistor.n >> self.capacitor.p
        self.connect(self.capacitor.n, self.source.n, self.ground.p)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Sliding, Circuit])
def test_friction_and_networks_are_the_same_when_loaded(store, monkeypatch, kind):
    same_when_loaded(monkeypatch, kind, stop=1.0)


def test_live_parameters_and_given_starts_are_the_same_when_loaded(store, monkeypatch):
    compiled, loaded = same_when_loaded(monkeypatch, Swing)
    for given in (
        {"initial": {"rev.phi": 1.0}},
        {"parameters": {"body.m": 2.0}},
        {"parameters": {"body.r_CM": (0.2, 0, 0)}},
        {"method": "bdf"},
        {"start_time": 1.0},
    ):
        stop = 0.1 + given.get("start_time", 0.0)
        runs = [model.simulate(stop, **given) for model in (compiled, loaded)]
        assert runs[0].motion.tobytes() == runs[1].motion.tobytes(), given
    for model in (compiled, loaded):
        model.live_parameters()["body.m"].value = 3.0
    runs = [model.simulate(0.1) for model in (compiled, loaded)]
    assert runs[0].motion.tobytes() == runs[1].motion.tobytes()
    assert runs[1].parameters["body.m"] == 3.0


def test_numbers_of_numpy_are_stored_as_numbers(store, monkeypatch):
    numbers = np.array([1.5, 0.4, 0.2])

    def make():
        return Swing(m=numbers[0], length=numbers[1], phi=numbers[2])

    compiled, _ = same_when_loaded(monkeypatch, make)
    model = Swing(m=1.5, length=0.4, phi=0.2)
    assert model.simulate(0.2).motion.tobytes() == compiled.simulate(0.2).motion.tobytes()


def test_a_record_of_anything_else_is_not_written(store, monkeypatch):
    odd = property(lambda facts: object())
    monkeypatch.setattr(RunFacts, "freedom", odd)
    for _ in range(2):
        model = Swing()
        assert model.simulate(0.1).complete and not is_loaded(model)


def test_results_stay_what_they_were_when_the_model_changes(store, monkeypatch):
    def change(model):
        model.body.r_CM = (0.1, 0, 0)
        model.rev.phi = 1.0
        model.other = Body(m=1.0)
        model.rev.frame_b >> model.other.frame_a

    monkeypatch.setenv("MOTORIK_STORE", "0")
    compiled = Swing()
    before = compiled.simulate(0.2)
    monkeypatch.setenv("MOTORIK_STORE", "1")
    Swing().simulate(0.2)
    loaded = Swing()
    after = loaded.simulate(0.2)
    assert is_loaded(loaded) and not is_formulated(loaded)
    for model in (compiled, loaded):
        change(model)
    for name in before.names():
        assert before[name].tobytes() == after[name].tobytes(), name
    assert not is_loaded(loaded)
    assert compiled.explain() == loaded.explain()


def test_a_model_within_a_model_is_read_before_it_moves_there(store):
    def values() -> list[bytes]:
        inner = Swing()
        result = inner.simulate(0.1)
        outer = Model()
        outer.inner = inner
        return [result[name].tobytes() for name in result.names()]

    assert values() == values()


def test_warnings_come_again(store):
    def make():
        model = Model()
        model.body = Body(m=1.0)
        return model

    for _ in range(3):
        with pytest.warns(DefaultWorldWarning):
            make().simulate(0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Swing().simulate(0.1)
        Swing().simulate(0.1)


# --- records that cannot be used -----------------------------------------------------------


def key_of_record(model) -> str:
    place = model.compile().place
    assert place is not None
    return place.key


def test_records_that_cannot_be_read_count_as_absent(store):
    first = Swing()
    expected = first.simulate(0.1).motion.tobytes()
    own = key_of_record(first)
    path = cache_directory() / f"{own}{cache.SUFFIX}"
    good = path.read_bytes()
    data = marshal.loads(read_entry(own))

    def runs_as_before() -> None:
        model = Swing()
        assert model.simulate(0.1).motion.tobytes() == expected
        assert not isinstance(model.compile()._source, StoredModel)
        again = Swing()  # the record was written again
        assert again.simulate(0.1).motion.tobytes() == expected and is_loaded(again)

    rng = np.random.default_rng(5)
    for size in (0, 10, len(good) // 2, len(good) - 1):
        path.write_bytes(good[:size])
        runs_as_before()
    path.write_bytes(rng.bytes(len(good)))
    runs_as_before()
    contents = [b"", b"[]", b"\xff\xfe", marshal.dumps(None), marshal.dumps({"layout": {}})]
    for name in data:
        contents.append(marshal.dumps({k: v for k, v in data.items() if k != name}))
        if name != "jumps":  # of which any other value says that they are looked for
            contents.append(marshal.dumps({**data, name: 3.0}))
    for content in contents:  # whose digest is right
        assert write_entry(own, content)
        runs_as_before()


def test_machine_code_that_is_gone_is_made_again(store):
    first = Swing()
    expected = first.simulate(0.1).motion.tobytes()
    codes = marshal.loads(read_entry(key_of_record(first)))["codes"]
    for code in codes.values():
        codes_path = cache_directory() / f"{code[0]}{cache.SUFFIX}"
        codes_path.unlink(missing_ok=True)
    from motorik.compiler import native

    native._loaded.clear()
    model = Swing()
    assert model.simulate(0.1).motion.tobytes() == expected
    assert is_loaded(model) and is_formulated(model)


def test_the_record_is_plain_data_under_its_digest(store):
    model = Swing()
    model.simulate(0.1)
    content = read_entry(key_of_record(model))
    assert set(marshal.loads(content)) == {"layout", "facts", "codes", "starts", "jumps"}
    assert len(content) < 10_000
    raw = (cache_directory() / f"{key_of_record(model)}{cache.SUFFIX}").read_bytes()
    digest = hashlib.sha256(key_of_record(model).encode() + content).digest()
    assert digest in raw


def test_threads_load_and_complete_a_model_at_once(store):
    Swing().simulate(0.1)
    shared = Swing()
    expected = Swing().simulate(0.1)["body.frame_a.r_0"].tobytes()
    found: list[bytes] = []

    def run() -> None:
        found.append(shared.simulate(0.1)["body.frame_a.r_0"].tobytes())
        found.append(Swing().simulate(0.1)["body.frame_a.r_0"].tobytes())

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert found == [expected] * 8
