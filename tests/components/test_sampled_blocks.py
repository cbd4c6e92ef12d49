"""Sampled blocks against their recursions in NumPy and SciPy; noise against its generator."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import signal as theory
from scipy import stats

import motorik as mk
from motorik import blocks
from motorik.errors import AssemblyError, ParameterError
from motorik.exchange.modelica import read
from tests.refusals import refused

H = 0.05
TICKS = np.arange(41) * H
B, A = (0.2, 0.1), (1.0, -1.2, 0.5)
SPACE = {
    "A": ((0.9, 0.1), (-0.2, 0.7)),
    "B": ((0.5,), (1.0,)),
    "C": ((1.0, 0.0), (1.0, 2.0)),
    "D": ((0.0,), (0.3,)),
}


def u(t: np.ndarray) -> np.ndarray:
    """Return the input of all blocks."""
    return 0.3 + np.sin(2 * np.pi * 0.7 * t)


@cache
def run() -> mk.Result:
    """Return a run of sampled blocks, all with the same input; samples in between."""
    model = mk.Model()
    model.u = blocks.Sine(f=0.7, offset=0.3)
    given = {"samplePeriod": H}
    model.sampler, model.zero = blocks.Sampler(**given), blocks.ZeroOrderHold(**given)
    model.first, model.delay = (
        blocks.FirstOrderHold(**given),
        blocks.UnitDelay(y_start=9.0, **given),
    )
    model.transfer = blocks.DiscreteTransferFunction(b=B, a=A, **given)
    model.pi = blocks.DiscretePI(k=2.0, T=0.3, yMax=2.5, **given)
    model.pid = blocks.DiscretePID(k=2.0, Ti=0.4, Td=0.2, Nd=5.0, **given)
    for name in ("sampler", "zero", "first", "delay", "transfer", "pi", "pid"):
        model.connect(model.u.y, model.parts[name].u)
    model.space = blocks.DiscreteStateSpace(**SPACE, **given)
    model.u.y >> model.space.u[0]
    # chains: a block reads its input after the tick of the block before it
    model.behind = blocks.DiscreteTransferFunction(b=B, a=A, **given)
    model.sampler.y >> model.behind.u
    model.twice = blocks.UnitDelay(**given)
    model.delay.y >> model.twice.u
    model.late = blocks.Sampler(**given)
    model.zero.y >> model.late.u
    model.slow = blocks.Sampler(samplePeriod=3 * H)
    model.sampler.y >> model.slow.u
    return model.simulate(2.0, output=TICKS + 0.01 * (TICKS < 1.99))


def at_ticks(name: str) -> np.ndarray:
    """Return a variable just behind all ticks but the last."""
    return run()[name][:-1]


K = TICKS[:-1]


def test_samples_are_held():
    assert at_ticks("sampler.y") == pytest.approx(u(K), abs=1e-12)
    assert at_ticks("zero.y") == pytest.approx(u(K), abs=1e-12)
    assert at_ticks("delay.y") == pytest.approx([9.0, *u(K[:-1])], abs=1e-12)
    slope = np.diff(u(K), prepend=u(K)[0]) / H
    assert at_ticks("first.y") == pytest.approx(u(K) + 0.01 * slope, abs=1e-11)


def test_recursions_are_those_of_scipy():
    wanted = theory.lfilter((0.0, *B), A, u(K))
    assert at_ticks("transfer.y") == pytest.approx(wanted, abs=1e-12)
    system = theory.dlti(*(np.array(SPACE[name]) for name in "ABCD"), dt=H)
    _, y, _ = theory.dlsim(system, u(K))
    assert at_ticks("space.y") == pytest.approx(y, abs=1e-12)


def test_controllers_follow_their_sums():
    x, d, last, pi, pid, integral = 0.0, 0.0, None, [], [], 0.0
    for one in u(K):
        x += one * H / 0.3
        free = 2.0 * (one + x)
        y = min(max(free, -2.5), 2.5)
        x += (y - free) / 2.0
        pi.append(y)
        integral += one * H / 0.4
        d = (0.04 * d + (0.0 if last is None else 0.2 * (one - last))) / (0.04 + H)
        last = one
        pid.append(2.0 * (one + integral + d))
    assert at_ticks("pi.y") == pytest.approx(pi, abs=1e-11)
    assert max(pi) == 2.5  # it is limited indeed
    assert at_ticks("pid.y") == pytest.approx(pid, abs=1e-11)


def test_chains_tick_in_their_order():
    assert np.array_equal(run()["behind.y"], run()["transfer.y"])
    assert at_ticks("twice.y")[2:] == pytest.approx(u(K)[:-2], abs=1e-12)
    assert at_ticks("late.y")[1:] == pytest.approx(u(K)[:-1], abs=1e-12)
    wanted = u(np.floor((K + 1e-9) / (3 * H)) * 3 * H)
    assert at_ticks("slow.y") == pytest.approx(wanted, abs=1e-12)


def test_a_loop_of_samples_needs_a_delay():
    model = mk.Model()
    model.add, model.sampler = blocks.Add(), blocks.Sampler(samplePeriod=H)
    model.second = blocks.Sampler(samplePeriod=H)
    1.0 >> model.add.u1
    model.add.y >> model.sampler.u
    model.sampler.y >> model.second.u
    model.second.y >> model.add.u2
    with refused(AssemblyError, "sampler", "second", "UnitDelay"):
        model.simulate(0.1)
    delayed = mk.Model()
    delayed.add, delayed.sampler = blocks.Add(), blocks.Sampler(samplePeriod=H)
    delayed.delay = blocks.UnitDelay(samplePeriod=H)
    1.0 >> delayed.add.u1
    delayed.add.y >> delayed.sampler.u
    delayed.sampler.y >> delayed.delay.u
    delayed.delay.y >> delayed.add.u2
    y = delayed.simulate(0.5, output=np.arange(9) * H + 0.01)["sampler.y"]
    assert np.array_equal(y, np.arange(1.0, 10.0))  # counts


def test_events_sample():
    model = mk.Model()
    model.clock, model.sine = blocks.ContinuousClock(), blocks.Sine(f=1.0)
    model.above = blocks.GreaterThreshold(threshold=0.5)
    model.taken = blocks.TriggeredSampler(y_start=-1.0)
    model.most = blocks.TriggeredMax()
    model.wave = blocks.Cosine(f=0.4)
    model.sine.y >> model.above.u
    model.clock.y >> model.taken.u
    model.wave.y >> model.most.u
    model.connect(model.above.y, model.taken.trigger, model.most.trigger)
    result = model.simulate(3.0, output=np.array([0.05, 0.2, 1.05, 1.2, 2.2, 3.0]))
    first = np.arcsin(0.5) / (2 * np.pi)
    times = first + np.array([0, 0, 1, 2, 2])
    assert result["taken.y"] == pytest.approx([-1.0, *times], abs=1e-8)
    peaks = np.maximum.accumulate(np.cos(2 * np.pi * 0.4 * times))
    assert result["most.y"] == pytest.approx([0.0, *peaks], abs=1e-8)


def test_means_over_periods():
    model = mk.Model()
    model.sine = blocks.Sine(f=2.0, amplitude=3.0, offset=0.5)
    model.mean, model.below = (
        blocks.Mean(f=2.0, x0=7.0),
        blocks.Mean(f=2.0, yGreaterOrEqualZero=True),
    )
    model.rectified, model.rms = blocks.RectifiedMean(f=2.0), blocks.RootMeanSquare(f=2.0)
    model.minus = blocks.Gain(k=-1.0)
    model.sine.y >> model.minus.u
    model.minus.y >> model.below.u
    for block in (model.mean, model.rectified, model.rms):
        model.connect(model.sine.y, block.u)
    result = model.simulate(1.2, output=np.array([0.4, 0.6, 1.1]), rtol=1e-9)
    assert result["mean.y"] == pytest.approx([7.0, 0.5, 0.5], abs=1e-8)
    assert result["below.y"] == pytest.approx(0.0, abs=1e-8)
    assert result["rms.y"][1:] == pytest.approx(np.sqrt(0.25 + 4.5), abs=1e-8)
    edge = np.arcsin(0.5 / 3.0)
    mean = (0.5 * 2 * edge + 6.0 * np.cos(edge)) / np.pi  # of |0.5 + 3 sin|
    assert result["rectified.y"][1:] == pytest.approx(mean, abs=1e-7)


@pytest.mark.slow
def test_statistics_since_the_start_are_those_of_the_signal():
    model = mk.Model()
    model.sine = blocks.Sine(f=1.0, amplitude=3.0, offset=1000.0)
    kinds = (blocks.ContinuousMean, blocks.Variance, blocks.StandardDeviation)
    model.mean, model.variance, model.deviation = (kind() for kind in kinds)
    for block in (model.mean, model.variance, model.deviation):
        model.connect(model.sine.y, block.u)
    times = np.array([5.0, 5.7, 7.25])
    result = model.simulate(7.25, start_time=5.0, output=times, rtol=1e-10)
    for k, stop in enumerate(times[1:], start=1):  # by sums over many samples
        u = 1000.0 + 3.0 * np.sin(
            2 * np.pi * (5.0 + (np.arange(20000) + 0.5) / 20000 * (stop - 5.0))
        )
        assert result["mean.y"][k] == pytest.approx(u.mean(), rel=1e-9)
        assert result["variance.y"][k] == pytest.approx(u.var(), rel=1e-5)
        assert result["deviation.y"][k] == pytest.approx(u.std(), rel=1e-5)


@pytest.mark.slow
def test_harmonics_are_those_of_a_fourier_series():
    model = mk.Model()
    model.u = blocks.TimeFunction(
        f=lambda t: 2.0 * mk.cos(4 * np.pi * t - 0.4) + 0.5 * mk.cos(12 * np.pi * t + 1.0)
    )
    model.first, model.third = blocks.Harmonic(f=2.0), blocks.Harmonic(f=2.0, k=3)
    model.other = blocks.Harmonic(f=2.0, useConjugateComplex=True)
    model.thd = blocks.TotalHarmonicDistortion(f=2.0)
    model.by_all = blocks.TotalHarmonicDistortion(f=2.0, useFirstHarmonic=False)
    for block in (model.first, model.third, model.other, model.thd, model.by_all):
        model.connect(model.u.y, block.u)
    result = model.simulate(1.2, output=np.array([0.0, 0.4, 0.6, 1.1]), rtol=1e-10)
    late = slice(2, None)
    assert result["first.y_rms"][late] == pytest.approx(2.0 / np.sqrt(2), rel=1e-8)
    assert result["first.y_arg"][late] == pytest.approx(0.4, abs=1e-8)
    assert result["other.y_arg"][late] == pytest.approx(-0.4, abs=1e-8)
    assert result["third.y_rms"][late] == pytest.approx(0.5 / np.sqrt(2), rel=1e-8)
    assert result["third.y_arg"][late] == pytest.approx(-1.0, abs=1e-8)
    assert result["thd.y"][late] == pytest.approx(0.25, rel=1e-7)
    assert result["by_all.y"][late] == pytest.approx(0.5 / np.hypot(2.0, 0.5), rel=1e-7)
    assert list(result["thd.valid"]) == [0.0, 0.0, 1.0, 1.0] and result["thd.y"][1] == 0.0


# --- noise --------------------------------------------------------------------------------------


def by_integers(state: list[int], count: int) -> list[float]:
    """Return numbers of MRG32k3a, computed with whole numbers."""
    m1, m2, found = 2**32 - 209, 2**32 - 22853, []
    a, b, c, d, e, f = state
    for _ in range(count):
        first = (1403580 * b - 810728 * a) % m1
        second = (527612 * f - 1370589 * d) % m2
        a, b, c, d, e, f = b, c, first, e, f, second
        found.append(((first - second) % m1 or m1) / (m1 + 1))
    return found


@cache
def noise() -> mk.Result:
    """Return a run with a few thousand random numbers."""
    model = mk.Model()
    model.uniform = blocks.UniformNoise(
        samplePeriod=0.001,
        y_min=-1.0,
        y_max=3.0,
        useAutomaticLocalSeed=False,
        fixedLocalSeed=5,
    )
    model.normal = blocks.NormalNoise(samplePeriod=0.001, mu=2.0, sigma=0.5)
    model.other = blocks.NormalNoise(samplePeriod=0.001)
    model.white = blocks.BandLimitedWhiteNoise(samplePeriod=0.001, noisePower=0.3)
    model.later = blocks.UniformNoise(startTime=1.0, y_off=-5.0)
    return model.simulate(4.0, output=np.arange(4000) * 0.001 + 0.0005)


def test_noise_is_that_of_its_generator():
    from motorik.components.blocks.noise import seeded

    wanted = by_integers([int(s) for s in seeded("67867967/5")], 4000)
    assert noise()["uniform.y"] == pytest.approx(-1.0 + 4.0 * np.array(wanted), abs=1e-12)
    assert by_integers([12345] * 6, 1)[0] == pytest.approx(0.12701112204657714, abs=1e-15)


def test_noise_has_its_distribution():
    result = noise()
    normal = result["normal.y"]
    assert stats.kstest(normal, "norm", args=(2.0, 0.5)).pvalue > 1e-3
    assert stats.kstest(result["uniform.y"], "uniform", args=(-1.0, 4.0)).pvalue > 1e-3
    spread = np.sqrt(0.3 / 0.001)
    assert stats.kstest(result["white.y"], "norm", args=(0.0, spread)).pvalue > 1e-3
    both = np.corrcoef((normal[:-1] - 2.0) / 0.5, result["other.y"][1:])
    assert abs(both[0, 1]) < 0.06  # blocks of different names are independent
    later = result["later.y"]
    assert set(later[:1000]) == {-5.0} and later[1001:].min() >= 0.0


def test_noise_is_the_same_in_every_run():
    assert np.array_equal(noise()["normal.y"], noise.__wrapped__()["normal.y"])


def test_a_run_is_continued_with_what_blocks_keep():
    model = mk.Model()
    model.noise, model.sine = blocks.UniformNoise(samplePeriod=0.1), blocks.Sine(f=1.0)
    model.relay = blocks.Hysteresis(uLow=-0.5, uHigh=0.5)
    model.sine.y >> model.relay.u
    whole = model.simulate(1.2, output=np.arange(0.05, 1.2, 0.1))
    half = model.simulate(0.55)  # the relay is on, between its limits
    rest = model.simulate(
        1.2, start_time=0.55, initial=half.sample(-1), output=np.arange(0.55, 1.2, 0.1)
    )
    assert rest["noise.y"] == pytest.approx(whole["noise.y"][5:], abs=1e-15)
    assert np.array_equal(rest["relay.y"], whole["relay.y"][5:])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: blocks.DiscreteTransferFunction(b=(1, 2)),
            ("degree 1", "at least the degree"),
        ),
        (lambda: blocks.DiscreteStateSpace(B=((1.0,), (2.0,))), ("B is 2 × 1", "fit")),
        (lambda: blocks.DiscretePI(yMin=0.0), ("yMin = 0.0", "yMax = None", "yMin ≤ yMax")),
        (lambda: blocks.UniformNoise(y_min=2.0), ("y_min = 2", "y_min < y_max")),
        (lambda: blocks.Sampler(samplePeriod=mk.Parameter(0.1)), ("samplePeriod", "live")),
    ],
)
def test_values_that_no_sampled_block_has_are_refused(make: Any, words: Any):
    with refused(ParameterError, *words):
        make()


def test_sampled_blocks_are_read_from_modelica():
    names = {"Discrete.TransferFunction": {"b": "{0.2, 0.1}", "a": "{1, -1.2, 0.5}"}}
    names |= {"Discrete.UnitDelay": {"y_start": "2"}, "Noise.NormalNoise": {"mu": "3"}}
    for name, given in names.items():
        component = {"name": "x", "type": f"Modelica.Blocks.{name}"}
        component["modifiers"] = {"samplePeriod": "0.2", **given}
        data = {"Own.M": {"components": [component], "connections": [], "extends": []}}
        assert read("Own.M", data).model.x.samplePeriod == 0.2
