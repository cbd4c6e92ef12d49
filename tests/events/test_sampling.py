"""Sampled controllers and `when`: closed forms, several rates, offsets, and what goes wrong."""

import tracemalloc
import warnings

import numpy as np
import pytest

from motorik import Model, blocks, translational
from motorik.errors import AssemblyError, IncompleteRunWarning, ParameterError

METHODS = ("dopri5", "dop853", "gbs", "adams", "bdf", "rk4")


class Held(Model):
    """ẋ = u, and u = −K x(kT) kept until the next sample: x(kT) = (1 − K T)^k."""

    def build(self, T=0.1, K=2.0, traced=True, offset=0.0, function=None):
        self.x = blocks.Integrator(y_start=1.0)
        self.u = blocks.Discrete(start=0.0)
        self.ground = translational.Fixed()
        self.u.y >> self.x.u
        law = function or (lambda t, y: -K * y)
        self.sample(
            T,
            law,
            inputs=["x.y"],
            outputs=[self.u],
            traced=traced,
            offset=offset,
            name="pid",
        )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("traced", [True, False])
def test_a_sampled_law_holds_its_output(method, traced):
    step = 0.03 if method == "rk4" else None
    result = Held(traced=traced).simulate(1.0, method=method, step=step, output=10)
    exact = 0.8 ** np.arange(11)
    assert np.abs(result["x.y"] - exact).max() < 1e-14
    # right-sided, also at the end of the run
    assert result["u.y"] == pytest.approx(-2.0 * exact, abs=1e-14)


class Counting(Model):
    """Clocks of two rates that count their ticks and keep the time of the last."""

    def build(self):
        self.fast, self.slow = blocks.Discrete(start=0.0), blocks.Discrete(start=0.0)
        self.last, self.late = blocks.Discrete(start=-1.0), blocks.Discrete(start=-1.0)
        self.x = blocks.Integrator(y_start=0.0)
        self.ground = translational.Fixed()
        self.fast.y >> self.x.u
        self.sample(
            1e-3, lambda t, k: (k + 1.0, t), inputs=["fast.y"],
            outputs=[self.fast, self.last], traced=True, name="quick",
        )  # fmt: skip
        self.sample(
            0.7, lambda t, k: (k + 1.0, t), inputs=["slow.y"], offset=0.25,
            outputs=[self.slow, self.late], traced=True, name="lazy",
        )  # fmt: skip


@pytest.mark.slow
def test_a_million_samples_need_no_list_of_their_times():
    """Ticks are at offset + k · period by count, and memory does not grow with them."""
    model = Counting()
    model.simulate(0.01, output=2)
    n = 1_000_000
    tracemalloc.start()
    result = model.simulate(n * 1e-3, method="dopri5", output=[0.0, 300.0, n * 1e-3])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2e6  # a list of all times alone would be 8 MB
    assert result["fast.y"].tolist() == [1.0, 300_001.0, n + 1.0]
    last = [0.0, 300_000 * 1e-3, n * 1e-3]
    assert result["last.y"] == pytest.approx(last, rel=4e-15)  # a law is asked just after
    ticks = int((n * 1e-3 - 0.25) / 0.7) + 1
    assert result["slow.y"][-1] == ticks
    assert result["late.y"][-1] == pytest.approx(0.25 + (ticks - 1) * 0.7, rel=4e-15)
    exact = n * (n + 1) / 2 * 1e-3  # each period with the count of its own tick
    assert result["x.y"][-1] == pytest.approx(exact, rel=1e-11)


@pytest.mark.parametrize("traced", [True, False])
def test_an_offset_delays_the_first_sample(traced):
    result = Held(traced=traced, offset=0.25).simulate(1.0, output=[0.0, 0.2, 0.25, 1.0])
    assert result["x.y"][:3].tolist() == [1.0, 1.0, 1.0]
    samples = 0.8 ** np.arange(9)  # at 0.25, 0.35, …, 0.95
    last = samples[7] - 0.05 * 2.0 * samples[7]
    assert result["x.y"][-1] == pytest.approx(last, abs=1e-13)


@pytest.mark.parametrize("traced", [True, False])
def test_a_run_by_hand_samples_where_its_steps_end(traced):
    sim = Held(traced=traced).simulator()
    for k in range(10):
        assert sim["x.y"] == pytest.approx(0.8**k, abs=1e-13)
        sim.step(0.1)
    assert sim["x.y"] == pytest.approx(0.8**10, abs=1e-13)


class TwoRates(Model):
    """A fast counter and a slow one that copies it."""

    def build(self):
        self.fast, self.slow = blocks.Discrete(), blocks.Discrete()
        self.x = blocks.Integrator()
        self.fast.y >> self.x.u
        self.ground = translational.Fixed()
        self.sample(
            0.01, lambda t, n: n + 1.0, inputs=["fast.y"], outputs=[self.fast], traced=True
        )
        self.sample(
            0.07, lambda t, n: n, inputs=["fast.y"], outputs=[self.slow], traced=True
        )


def test_clocks_of_two_rates_tick_by_count():
    result = TwoRates().simulate(70.0, output=[69.995])
    assert result["fast.y"][-1] == 7000.0
    assert result["slow.y"][-1] == 6993.0  # of the value before, at 69.93 s


def test_a_function_that_raises_keeps_the_result_so_far():
    def law(t, y):
        if t > 0.45:
            raise ValueError("no more")
        return -y

    with pytest.warns(IncompleteRunWarning, match="pid: its function raised ValueError"):
        result = Held(traced=False, function=law).simulate(1.0)
    assert not result.complete
    assert result.time[-1] == pytest.approx(0.5)
    assert "x.y = " in result.info.message and "t = 0.5 s" in result.info.message


@pytest.mark.parametrize("given", [float("nan"), (1.0, 2.0), "much", None])
def test_a_function_that_returns_no_number_is_named(given):
    with pytest.warns(IncompleteRunWarning, match="pid: its function returned"):
        Held(traced=False, function=lambda t, y: given).simulate(1.0)


class Undoing(Model):
    """Two conditions that undo each other at once."""

    def build(self):
        self.mass = translational.Mass(m=1.0, s=0.0, v=1.0)
        self.on = blocks.Discrete(start=0.0)
        self.when(
            lambda m: m["mass.s"] - 1.0 - 2.0 * m["on.y"], set={self.on: 1.0}, name="a"
        )
        self.when(lambda m: m["on.y"] - 0.5, set={self.on: 0.0}, name="b")


def test_conditions_that_undo_each_other_end_the_run_by_name():
    with pytest.warns(IncompleteRunWarning, match=r"without end.*\n?.*(a|b)"):
        result = Undoing().simulate(3.0)
    assert result.time[-1] == pytest.approx(1.0)


class Empty(Model):
    def build(self):
        self.mass = translational.Mass(m=1.0, s=0.0, v=1.0)
        self.on = blocks.Discrete()


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        (lambda m: m.when(1.0, stop=True), "condition"),
        (lambda m: m.when(lambda: 1.0, stop=True), "condition"),
        (lambda m: m.when(lambda motion: 1.0), "set"),
        (lambda m: m.when(lambda motion: 1.0, set={m.mass: 1.0}), "set"),
        (lambda m: m.when(lambda motion: 1.0, set={m.on: "yes"}), "value"),
        (lambda m: m.when(lambda motion: 1.0, impulse={m.on: 1.0}), "impulse"),
        (lambda m: m.sample(0.0, lambda t: 1.0, outputs=[m.on]), "period"),
        (lambda m: m.sample("1", lambda t: 1.0, outputs=[m.on]), "period"),
        (lambda m: m.sample(0.1, 3.0, outputs=[m.on]), "function"),
        (lambda m: m.sample(0.1, lambda t: 1.0), "outputs"),
        (
            lambda m: m.sample(0.1, lambda t: 1.0, inputs=["mass.s"], outputs=[m.on]),
            "function",
        ),
        (lambda m: m.sample(0.1, lambda t: 1.0, outputs=[m.mass]), "outputs"),
    ],
)
def test_what_means_nothing_is_refused_where_it_is_given(call, parameter):
    with pytest.raises(ParameterError) as caught:
        call(Empty())
    assert caught.value.parameter == parameter and caught.value.remedy


def test_a_reset_of_what_is_no_state_names_the_states():
    model = Empty()
    model.when(lambda motion: motion["mass.s"] - 1.0, reset={"mass.a": 0.0})
    with pytest.raises(AssemblyError, match=r"mass\.a.*no state"):
        model.simulate(2.0)


def test_a_run_without_anything_that_happens_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(Empty().simulate(1.0).events) == 0
