"""Prepared runs: the results of `simulate`, from any start, with any live parameters."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest

import motorik as mk
from motorik.gallery import DoublePendulum, SliderCrank
from motorik.prepared_run import PreparedRun


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
def pendulum() -> Pendulum:
    return Pendulum()


@cache
def prepared() -> PreparedRun:
    return pendulum().prepare(2.0, output=20)


@cache
def slider_crank() -> mk.Model:
    return SliderCrank()


def test_results_are_those_of_simulate_bit_by_bit():
    own = {"damper.d": 0.4, "body.r_CM": (0.3, 0.1, 0.0)}
    one = prepared()(start={"rev.phi": 1.0}, parameters=own)
    other = pendulum().simulate(2.0, output=20, initial={"rev.phi": 1.0}, parameters=own)
    assert np.array_equal(one.states, other.states)
    assert one.parameters == other.parameters
    assert np.array_equal(one["body.a_0"], other["body.a_0"])
    assert one.info.steps == other.info.steps


def test_vectors_give_what_names_give():
    run = prepared()
    names = dict(zip(run.start_names, (0.7, -0.2), strict=True))
    by_name = run(start=names, parameters={"damper.d": 0.2})
    places = dict.fromkeys(run.parameter_names, 0.0) | {
        "body.r_CM[1]": 0.5,
        "damper.d": 0.2,
    }
    by_place = run(start=[0.7, -0.2], parameters=list(places.values()))
    assert np.array_equal(by_name.states, by_place.states)


def test_nothing_is_kept_from_one_run_to_the_next():
    run = prepared()
    first = run()
    run(start=[2.0, 3.0], parameters={"damper.d": 5.0})
    assert np.array_equal(run().states, first.states)
    assert pendulum().damper.d.value == 0.1


def test_starts_of_loops_are_those_of_simulate():
    model = slider_crank()
    run = model.prepare(0.1, output=4)
    name = run.start_names[0]
    for angle in (0.4, 0.5, 0.6):
        value = float(run().states[0, 0]) + angle / 10
        one = run(start={name: value})
        other = model.simulate(0.1, output=4, initial={name: value})
        assert np.allclose(one.motion, other.motion, rtol=1e-12, atol=1e-12)
        assert max(one.constraint_violation()) < 1e-9


def test_threads_make_the_runs_of_one_thread():
    run = prepared()
    starts = np.random.default_rng(1).uniform(-1, 1, (16, 2))
    alone = [run(start=x).states for x in starts]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda x: run(start=x).states, starts))
    assert all(map(np.array_equal, alone, together))


def test_a_run_that_native_code_cannot_end_goes_on_as_any_other():
    model = pendulum()
    solver = mk.SolverOptions(max_steps=5)
    with pytest.warns(mk.IncompleteRunWarning):
        result = model.prepare(2.0, method="dopri5", solver=solver)()
    assert not result.complete and result.info.steps == 5


def test_events_are_handled_as_in_any_run():
    class Bouncing(Pendulum):
        def build(self) -> None:
            super().build()
            self.turn = self.when(lambda motion: -motion["rev.phi"], stop=True)

    model = Bouncing()
    one, other = model.prepare(2.0)(), model.simulate(2.0)
    assert one.time[-1] == other.time[-1] < 2.0
    assert str(one.events) == str(other.events)


def test_a_model_may_change_after_it_was_prepared():
    model = DoublePendulum()
    run = model.prepare(0.5, output=5)
    first = run().states
    model.damper.d = 7.0
    assert np.array_equal(run().states, first)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"start": [1.0, 2.0, 3.0]}, "has the shape (3,), and there are 2 values"),
        ({"start": [1.0, np.nan]}, "rev.w = nan is not a finite number"),
        ({"start": {"rev.phy": 1.0}}, "rev.phi"),
        ({"start": "rev.phi"}, "has the shape"),
        ({"parameters": [1.0]}, "parameters: has the shape (1,)"),
        ({"parameters": {"damper.dd": 1.0}}, "Did you mean 'd'"),
        ({"parameters": {"body.m": 1.0}}, "not a live parameter"),
        ({"parameters": {"body.r_CM": 1.0}}, "is not 3 finite number(s)"),
        ({"parameters": {"damper.d": -1.0}}, "damper"),
    ],
)
def test_bad_input_is_named(given: dict, words: str):
    with pytest.raises(mk.MotorikError) as caught:
        prepared()(**given)
    assert words in str(caught.value)


class Delayed(mk.Model):
    """A mass that a force pulls towards where it was some time ago."""

    def build(self) -> None:
        self.mass = mk.translational.Mass(m=1.0, s=0.5)
        self.sensor = mk.translational.PositionSensor()
        self.delay = mk.blocks.FixedDelay(delayTime=0.3)
        self.gain = mk.blocks.Gain(k=-5.0)
        self.force = mk.translational.Force()
        self.connect(self.mass.flange_b, self.sensor.flange)
        self.connect(self.sensor.s, self.delay.u)
        self.connect(self.delay.y, self.gain.u)
        self.connect(self.gain.y, self.force.f)
        self.connect(self.force.flange, self.mass.flange_b)


def test_a_delayed_signal_begins_with_the_signal_of_each_start():
    run = Delayed().prepare(0.25, output=5)
    runs = run.map(starts={"mass.s": np.array([0.5, 1.0, 2.0])}, threads=1)
    for k, s in enumerate((0.5, 1.0, 2.0)):  # constant force before the delay has passed
        expected = s - 2.5 * s * run.time**2
        np.testing.assert_allclose(run(start={"mass.s": s})["mass.s"], expected, rtol=1e-9)
        np.testing.assert_allclose(runs["mass.s"][k], expected, rtol=1e-9)
