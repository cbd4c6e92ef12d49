"""Ensembles: runs in lanes are the runs that are made one by one, whatever happens in them."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import motorik as mk
from benchmarks.event_models import FrictionTrain, StoppedArm
from motorik import gallery
from motorik.ensembles import Ensemble
from motorik.errors import ParameterError, SimulationError, UnknownNameError
from motorik.functions import exp
from motorik.prepared_run import PreparedRun
from motorik.results import Result
from motorik.simulation.lanes import LaneRuns
from motorik.simulation.lanes.layout import Queue
from tests.assembly.four_bars import four_bar
from tests.laws.gallery_models import ALL, model_of
from validation.closed_forms import Belt, Parallelogram, Shunting

COUNT = 11  # more than lanes, and no multiple of them
# of the range of a variable: the loops of some mechanisms magnify rounding, and steps follow from
# errors rounded to 16 bits, which may differ by one of these
ROUNDING = 1e-8


class Pendulum(mk.Model):
    """A pendulum with a live damping and a live mass centre."""

    def build(self) -> None:
        self.world = mk.World()
        self.rev = mk.Revolute(n="z", useAxisFlange=True, phi=0.3)
        self.damper = mk.rotational.Damper(d=mk.Parameter(0.1))
        self.body = mk.Body(m=1.0, r_CM=mk.Parameter((0.5, 0.0, 0.0)))
        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.body.frame_a
        self.connect(self.rev.axis, self.damper.flange_b)
        self.connect(self.rev.support, self.damper.flange_a)


@cache
def prepared(**options: Any) -> PreparedRun:
    return Pendulum().prepare(1.0, output=10, **options)


def starts_of(name: str, base: float) -> dict[str, np.ndarray]:
    """Return starts that differ a little in one state, so that loops can still be closed."""
    return {name: base + 1e-3 * max(abs(base), 0.1) * np.linspace(-1.0, 1.0, COUNT)}


def assert_same_motion(own: Result, other: Result) -> None:
    """Check that two runs have the same motion, but for rounding."""
    scale = np.maximum(np.ptp(other.motion, axis=0), 1e-6)
    assert own.motion.shape == other.motion.shape
    assert (np.abs(own.motion - other.motion) <= ROUNDING * scale).all()


def assert_equal(runs: Ensemble, run: PreparedRun, starts: dict[str, np.ndarray]) -> None:
    """Check runs of an ensemble against the same runs one by one."""
    for k in range(len(runs)):
        other = run(start={name: values[k] for name, values in starts.items()})
        own = runs.result(k)
        assert_same_motion(own, other)
        assert own.info.steps == other.info.steps
        assert [e.what for e in own.events] == [e.what for e in other.events]


@pytest.mark.slow
@pytest.mark.kinds(8)
@pytest.mark.parametrize("name", ALL)
def test_lanes_are_single_runs_on_every_gallery_model(name):
    model, case = model_of(name), ALL[name]
    run = model.prepare(min(case.stop, 0.3), output=7)
    first = run()
    k = next((i for i, n in enumerate(run.start_names) if n.endswith((".w", ".v"))), 0)
    own = run.start_names[k], float(first.states[0, k])
    starts = starts_of(*own)
    runs = run.map(starts=starts, threads=1)
    if runs.failures:  # the speed is fixed elsewhere, too: equal runs
        starts = {own[0]: np.full(COUNT, own[1])}
        runs = run.map(starts=starts, threads=1)
    assert not runs.failures
    assert_equal(runs, run, starts)


@pytest.mark.parametrize("method", ["dop853", "dopri5", "bosh3", "rk4", "gbs"])
def test_lanes_are_single_runs_by_every_kind_of_method(method):
    run = prepared(method=method, **({"step": 0.02} if method == "rk4" else {}))
    starts = {
        "rev.phi": np.linspace(-2.0, 2.0, COUNT),
        "rev.w": np.linspace(0.0, 9.0, COUNT),
    }
    runs = run.map(starts=starts, threads=1)
    assert_equal(runs, run, starts)
    assert runs.info.in_lanes == (0 if method == "gbs" else COUNT)


def test_angles_that_turn_within_steps_are_those_of_single_runs():
    model = four_bar(crank=0.9, coupler=0.8, rocker=0.9, base=0.3, drive={"w": 40.0})
    run = model.prepare(1.0, output=3)  # all bars turn: several turns within a step
    starts = {"drive.w": np.linspace(5.0, 40.0, COUNT)}
    runs = run.map(starts=starts, threads=1)
    assert runs.info.in_lanes == COUNT
    assert_equal(runs, run, starts)
    turns = np.abs(runs["pivot.phi"].values[:, -1])
    assert turns.max() > 6.0 * np.pi and turns.min() > 0.5


def test_lanes_take_parameters_and_projections_of_their_own():
    run = prepared()
    damping = np.linspace(0.0, 2.0, COUNT)
    centre = np.linspace([0.4, -0.1, 0.0], [0.6, 0.1, 0.0], COUNT)
    runs = run.map(parameters={"damper.d": damping, "body.r_CM": centre}, threads=1)
    for k in (0, 4, 10):
        other = run(parameters={"damper.d": damping[k], "body.r_CM": centre[k]})
        assert_same_motion(runs.result(k), other)
        assert runs.result(k).parameters == other.parameters
        np.testing.assert_allclose(
            runs["damper.lossPower"][k], other["damper.lossPower"], rtol=1e-9, atol=1e-12
        )
        np.testing.assert_allclose(
            runs["body.a_0"][k], other["body.a_0"], rtol=1e-9, atol=1e-12
        )
    assert runs.info.in_lanes == COUNT


@pytest.mark.slow
def test_new_states_of_lanes_are_projected():
    run = model_of("macpherson").prepare(0.2, output=7)
    name = "inner_joint.w"
    starts = starts_of(name, float(run()[name][0]))
    runs = run.map(starts=starts, threads=1)
    assert run.system.project is not None and runs.info.in_lanes == COUNT
    assert_equal(runs, run, starts)


def test_arrays_are_labelled():
    values = np.linspace(0.0, 2.0, 4)
    runs = prepared().map(parameters={"damper.d": values})
    phi = runs["rev.phi"]
    assert phi.dims == ("variant", "time") and phi.attrs["units"] == "rad"
    assert phi.sel(variant=2).shape == (11,) and phi.coords["damper.d"][1] == values[1]
    assert runs["body.a_0"].dims == ("variant", "time", "body.a_0_1")
    table = runs.to_array("rev.phi", "damper.tau")
    assert table.dims == ("variant", "time", "variable")
    assert list(table.coords["variable"].values) == ["rev.phi", "damper.tau"]
    np.testing.assert_array_equal(table.sel(variable="rev.phi"), phi)
    assert set(runs.to_xarray()) == {"rev.phi", "rev.w", "failure"}
    assert runs.complete.all() and len(runs) == 4 and "4 runs" in repr(runs)


def test_matrices_dicts_and_tables_mean_the_same():
    import pandas
    import xarray

    run = prepared()
    columns = {"rev.phi": np.array([0.1, 0.2]), "rev.w": np.array([1.0, 2.0])}
    expected = run.map(starts=columns).to_array()
    lines = [{"rev.phi": 0.1, "rev.w": 1.0}, {"rev.phi": 0.2, "rev.w": 2.0}]
    data = xarray.Dataset({name: ("variant", values) for name, values in columns.items()})
    for given in (
        np.array([[0.1, 1.0], [0.2, 2.0]]),
        lines,
        pandas.DataFrame(columns),
        data,
    ):
        np.testing.assert_array_equal(run.map(starts=given).to_array(), expected)


def test_threads_make_the_same_runs():
    run, phi = prepared(), np.linspace(-3.0, 3.0, 100)
    one, two = (run.map(starts={"rev.phi": phi}, threads=n) for n in (1, 2))
    np.testing.assert_array_equal(one.to_array(), two.to_array())
    assert two.info.threads == 2 and two.info.in_lanes == 100


class Dropped(mk.Model):
    """A body that falls and hits the ground, from a height and onto springs that are live."""

    def build(self) -> None:
        self.world = mk.World(n="-y")
        self.slide = mk.Prismatic(n="y", s=1.0, stops=(0.0, None), restitution=0.5)
        self.body = mk.Body(m=mk.Parameter(1.0, name="mass"))
        self.connect(self.world.frame_b, self.slide.frame_a)
        self.connect(self.slide.frame_b, self.body.frame_a)


class Switched(mk.Model):
    """A pendulum pushed from a live time on, and braked for good when it has turned far."""

    def build(self) -> None:
        self.world = mk.World()
        self.rev = mk.Revolute(n="z", useAxisFlange=True, phi=0.3)
        self.body = mk.Body(m=1.0, r_CM=(0.5, 0.0, 0.0))
        self.torque = mk.rotational.Torque(useSupport=True)
        self.course = mk.blocks.Step(startTime=mk.Parameter(0.5), height=8.0)
        self.brake = mk.rotational.Brake(fn_max=200.0, useSupport=True)
        self.pressed = mk.blocks.Discrete(start=0.0)
        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.body.frame_a
        self.course.y >> self.torque.tau
        self.pressed.y >> self.brake.f_normalized
        self.connect(self.rev.axis, self.torque.flange, self.brake.flange_a)
        self.connect(self.rev.support, self.torque.support, self.brake.support)
        self.far = self.when(
            lambda motion: motion.coordinate(self.rev, "phi") - 0.9, set={self.pressed: 1.0}
        )


def assert_same_events(runs: Ensemble, k: int, other: Result, name: str) -> None:
    """Check that a run has the events, the parameters and a variable of a single one."""
    own = runs.result(k)
    assert [(e.part, e.what) for e in own.events] == [
        (e.part, e.what) for e in other.events
    ]
    for a, b in zip(own.events, other.events, strict=True):
        assert a.time == pytest.approx(b.time, rel=1e-9, abs=1e-12)
        assert a.impulse == pytest.approx(b.impulse, rel=1e-6, abs=1e-9)
    size = np.abs(other[name]).max()
    np.testing.assert_allclose(own[name], other[name], rtol=0, atol=1e-9 * size)
    np.testing.assert_array_equal(runs[name][k], own[name])


# the model, the end of the runs, the state that differs and how far, and a variable to be compared
WITH_EVENTS = {
    "impacts": (Dropped, 1.0, ("slide.s", 0.5, 9.0), "body.a_0"),
    "stick and slip": (Belt, 40.0, ("mass.v", 0.05, 0.1), "rubbing.f"),
    "clutches and steps of time": (
        FrictionTrain,
        1.0,
        ("inertia3.w", 99.0, 101.0),
        "clutch.tau",
    ),
    "an arm with stops": (StoppedArm, 1.0, ("joints[1].phi", 0.4, 0.6), "links[6].a_0"),
    "impacts among friction": (Shunting, 1.5, ("a.v", 2.5, 3.5), "b.s"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", WITH_EVENTS)
def test_runs_with_events_are_single_runs(kind):
    make, stop, (name, low, high), seen = WITH_EVENTS[kind]
    run = make().prepare(stop, output=10)
    starts = {name: np.linspace(low, high, COUNT)}
    runs = run.map(starts=starts, threads=2)
    assert runs.info.in_lanes == COUNT
    assert_equal(runs, run, starts)
    for k in (0, COUNT // 2, COUNT - 1):
        assert_same_events(runs, k, run(start={name: starts[name][k]}), seen)
    assert len(runs.result(0).events) > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["clutches and steps of time", "triggers"])
def test_events_are_sampled_in_lanes(kind, monkeypatch):
    from motorik.simulation.lanes import runs as lane_runs

    monkeypatch.setattr(lane_runs, "SAMPLED_FROM", 0)  # as where that pays
    given = {**WITH_EVENTS, "triggers": (Switched, 2.0, ("rev.phi", 0.2, 0.8), "brake.tau")}
    make, stop, (name, low, high), seen = given[kind]
    run = make().prepare(stop, output=10)
    starts = {name: np.linspace(low, high, COUNT)}
    runs = run.map(starts=starts, threads=1)
    assert runs.info.in_lanes == COUNT
    assert_equal(runs, run, starts)
    assert_same_events(runs, 3, run(start={name: starts[name][3]}), seen)


def test_times_of_events_are_those_of_each_run():
    run = Switched().prepare(2.0, output=10)
    values = np.linspace(0.0, 1.5, COUNT)
    runs = run.map(parameters={"course.startTime": values}, threads=1)
    assert runs.info.in_lanes == COUNT
    for k in range(COUNT):
        other = run(parameters={"course.startTime": values[k]})
        assert_same_motion(runs.result(k), other)
        assert_same_events(runs, k, other, "brake.tau")
    assert {e.part for e in runs.result(0).events} >= {"far", "brake"}


class Spring(mk.Model):
    """A mass on a spring and a damper that may be stiff, and whose force may explode."""

    def build(self) -> None:
        self.wall = mk.translational.Fixed()
        self.spring = mk.translational.SpringDamper(
            c=mk.Parameter(100.0), d=mk.Parameter(1.0)
        )
        self.mass = mk.translational.Mass(m=1.0, s=0.1)
        self.connect(self.wall.flange, self.spring.flange_a)
        self.connect(self.spring.flange_b, self.mass.flange_a)


def test_stiff_runs_leave_their_lanes_and_others_go_on():
    run = Spring().prepare(1.0, output=5)
    damping = np.array([1.0] * 9 + [1e6, 2.0])
    runs = run.map(parameters={"spring.d": damping}, threads=1)
    assert runs.info.in_lanes == 11 and not runs.failures
    assert runs.result(9).info.switches and not runs.result(8).info.switches
    for k in (0, 9, 10):
        other = run(parameters={"spring.d": damping[k]})
        np.testing.assert_allclose(runs["mass.s"][k], other["mass.s"], rtol=0, atol=1e-12)


class Fading(mk.Model):
    """A mass on a spring whose damper is very stiff at first, and then fades away."""

    def build(self) -> None:
        self.wall = mk.translational.Fixed()
        self.spring = mk.translational.Spring(c=100.0, s_rel0=0.0)
        self.mass = mk.translational.Mass(m=1.0, s=0.1, v=0.0)
        self.sensor = mk.translational.SpeedSensor()
        self.course = mk.blocks.TimeFunction(f=lambda t: -1e5 * exp(-((2.0 * t) ** 6)))
        self.product = mk.blocks.Product()
        self.force = mk.translational.Force()
        self.connect(self.wall.flange, self.spring.flange_a)
        self.connect(
            self.spring.flange_b, self.mass.flange_a, self.sensor.flange, self.force.flange
        )
        self.sensor.v >> self.product.u1
        self.course.y >> self.product.u2
        self.product.y >> self.force.f


class Backlash(mk.Model):
    """A pendulum in a backlash, whose torque begins at both ends of it."""

    def build(self) -> None:
        self.world = mk.World()
        self.rev = mk.Revolute(n="z", phi=0.3, useAxisFlange=True)
        self.body = mk.Body(m=1.0, r_CM=(0.5, 0.0, 0.0))
        self.gap = mk.rotational.ElastoBacklash(c=500.0, d=1.0, b=0.3)
        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.body.frame_a
        self.connect(self.rev.axis, self.gap.flange_b)
        self.connect(self.rev.support, self.gap.flange_a)


# the model, the end of the runs, and the state that differs and how far
LEAVING = {
    "stiffness that ends": (Fading, 3.0, ("mass.s", 0.05, 0.15)),
    "guards near a dead centre": (Parallelogram, 3.0, ("hinges[1].w", -1e-3, 1e-3)),
    "laws that might slide": (Backlash, 1.0, ("rev.w", -0.1, 0.1)),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", LEAVING)
def test_lanes_are_left_and_taken_again(kind, monkeypatch):
    make, stop, (name, low, high) = LEAVING[kind]
    answered: list[int] = []
    answer = LaneRuns._answer

    def noted(self: LaneRuns, lane: int, status: int) -> None:
        answer(self, lane, status)
        answered.append(int(self._queue[Queue.accepted + lane]))

    monkeypatch.setattr(LaneRuns, "_answer", noted)
    run = make().prepare(stop, output=10)
    starts = {name: np.linspace(low, high, COUNT)}
    runs = run.map(starts=starts, threads=1)
    assert runs.info.in_lanes == COUNT and any(answered)
    assert_equal(runs, run, starts)
    other = run(start={name: low})
    own = [method for _, method in runs.result(0).info.switches]
    assert own == [method for _, method in other.info.switches]
    assert (own == ["bdf", "dop853"]) == (make is Fading)


def test_failures_are_named_and_the_others_go_on():
    run = Spring().prepare(1.0, output=5)
    runs = run.map(parameters={"spring.d": np.array([1.0, -1e4, 2.0])}, threads=1)
    assert list(runs.failures) == [1] and runs.failures[1]
    assert runs.complete.tolist() == [True, False, True]
    assert np.isfinite(runs["mass.s"][[0, 2]]).all() and np.isnan(runs["mass.s"][1, -1])
    assert runs.to_xarray()["failure"].values[0] == ""
    assert "1 of them failed" in repr(runs)


# --- starts that must be found ---------------------------------------------------------------


def engine() -> mk.Model:
    """Return an engine whose load tells speeds and the start of a filter, and is live."""
    model = gallery.EngineV6()
    model.load.J = mk.Parameter(1.0)
    return model


@pytest.mark.slow
@pytest.mark.kinds(1)
@pytest.mark.parametrize("threads", [1, 8])
def test_starts_with_conditions_and_states_of_blocks_are_those_of_single_runs(threads):
    run = engine().prepare(0.01, output=2)
    loads = np.linspace(0.5, 1.5, 40)
    runs = run.map(parameters={"load.J": loads}, threads=threads)
    assert not runs.failures
    for k in range(0, 40, 13):
        assert_same_motion(runs.result(k), run(parameters={"load.J": loads[k]}))
        fresh = engine()
        fresh.load.J = float(loads[k])
        assert_same_motion(runs.result(k), fresh.simulate(0.01, output=2))


@pytest.mark.slow
@pytest.mark.kinds(3)
@pytest.mark.parametrize("strategy", ["auto", "explicit", "projected", "baumgarte"])
def test_starts_of_loops_are_those_of_single_runs_in_any_count_of_threads(strategy):
    model = four_bar()
    run = model.prepare(0.05, output=2, strategy=strategy)
    starts = {"drive.phi": np.linspace(0.7, 0.9, 40)}
    one, many = (run.map(starts=starts, threads=n) for n in (1, 8))
    assert not one.failures and not many.failures
    np.testing.assert_array_equal(one.to_array(), many.to_array())
    for k in (0, 17, 39):
        given = {name: float(values[k]) for name, values in starts.items()}
        other = four_bar().simulate(0.05, output=2, strategy=strategy, initial=given)
        assert_same_motion(many.result(k), other)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_start_that_cannot_be_found_is_named_and_the_others_go_on(threads):
    run = four_bar(crank=0.9, coupler=0.5).prepare(0.01, output=2)
    angles = np.array([0.8, 3.0, 0.81, 0.82])
    runs = run.map(starts={"drive.phi": angles}, threads=threads)
    assert list(runs.failures) == [1] and "cannot be closed" in runs.failures[1]
    assert runs.complete.tolist() == [True, False, True, True]
    np.testing.assert_allclose(runs["drive.phi"][[0, 2, 3], 0], angles[[0, 2, 3]])


@pytest.mark.slow
def test_no_start_of_a_mechanism_with_stops_can_be_found():
    model = four_bar(crank=0.9, coupler=0.5, drive={"stops": (-4.0, 4.0)})
    run = model.prepare(0.01, output=2)
    for angles, count in (((0.79, 0.8, 0.81, 0.82), 0), ((3.0, 3.1), 2)):
        runs = run.map(starts={"drive.phi": np.array(angles)}, threads=1)
        assert len(runs.failures) == count
        assert all("cannot be closed" in words for words in runs.failures.values())


def test_a_start_beyond_a_stop_is_named_and_the_others_go_on():
    run = Dropped().prepare(0.3, output=2)
    starts = {"slide.s": np.array([0.2, -0.2, 0.4])}
    runs = run.map(starts=starts, threads=1)
    assert list(runs.failures) == [1] and "0.2 beyond its lower stop" in runs.failures[1]
    assert runs.complete.tolist() == [True, False, True]
    for k in (0, 2):
        other = Dropped().simulate(0.3, output=2, initial={"slide.s": starts["slide.s"][k]})
        assert_same_motion(runs.result(k), other)


def test_an_invalid_parameter_is_named_and_the_others_go_on():
    run = Dropped().prepare(0.1, output=2)
    runs = run.map(parameters={"mass": np.array([1.0, -1.0, 2.0])}, threads=1)
    assert list(runs.failures) == [1] and "m = -1.0 kg" in runs.failures[1]
    assert runs.complete.tolist() == [True, False, True]


def test_ctrl_c_keeps_what_is_done(monkeypatch):
    from motorik.ensembles import running

    def interrupted(self, tasks):
        self._begin([0])
        self._run_alone(0)
        raise KeyboardInterrupt

    monkeypatch.setattr(running.EnsembleRun, "_worker", interrupted)
    run = Dropped().prepare(0.1, output=3, method="gbs")
    runs = run.map(starts={"slide.s": np.array([1.0, 2.0])}, threads=1)
    assert runs.complete.tolist() == [True, False]
    assert "interrupted" in runs.failures[1] and len(list(runs)) == 1
    with pytest.raises(SimulationError, match="interrupted"):
        runs.result(1)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"starts": {"rev.fi": [0.1]}}, UnknownNameError, "rev.phi"),
        ({"parameters": {"damper.c": [0.1]}}, UnknownNameError, "There are: d"),
        ({"starts": {"rev.phi": [0.1, np.nan]}}, ParameterError, "variant 1"),
        ({"starts": np.zeros((3, 5))}, ParameterError, "rev.phi, rev.w"),
        ({"starts": {"rev.phi": [0.1, 0.2], "rev.w": [1.0]}}, ParameterError, "unequal"),
        ({"parameters": {"body.r_CM": np.zeros((2, 2))}}, ParameterError, "3 numbers"),
        ({"starts": {"rev.phi": "x"}}, ParameterError, "numbers"),
        ({"starts": {"rev.phi": []}}, ParameterError, "none"),
        ({"starts": [{"rev.phi": 1.0}, {"rev.w": 1.0}]}, ParameterError, "variant 1"),
        ({"starts": {"rev.phi": [0.1]}, "threads": 0}, ParameterError, "threads"),
    ],
)
def test_bad_variants_are_refused(given, error, words):
    with pytest.raises(error, match=words):
        prepared().map(**given)


def test_runs_without_common_times_are_refused():
    with pytest.raises(SimulationError, match="output"):
        Pendulum().prepare(0.1, output="steps").map(starts={"rev.phi": [0.1]})
