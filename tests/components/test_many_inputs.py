"""Blocks with many inputs, spectra and truncated noise, against truth tables, NumPy and SciPy."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

import motorik as mk
from motorik import blocks
from motorik.components.blocks.noise import normal_quantile
from motorik.components.blocks.spectrum import smooth_number
from motorik.errors import ParameterError
from motorik.exchange.modelica import read
from tests.refusals import refused

TABLES = {
    blocks.MultiAnd: all,
    blocks.MultiOr: any,
    blocks.MultiXor: lambda u: sum(u) == 1,
    blocks.MultiNand: lambda u: not all(u),
    blocks.MultiNor: lambda u: not any(u),
}


def value(block: blocks.Block, *inputs: float) -> float:
    """Return the first output of a block."""
    return type(block).law(block.resolved(lambda scalar: scalar.value), 0.0, inputs, ())[0]


@pytest.mark.parametrize("kind", TABLES, ids=lambda kind: kind.__name__)
def test_truth_tables_of_three(kind):
    for u in itertools.product((False, True), repeat=3):
        assert kind.law(None, 0.0, [*map(float, u)], ()) == (float(TABLES[kind](u)),)


def test_the_first_that_is_true_selects():
    numbers = blocks.MultiSwitch(expr=(3.0, 5.0, 7.0), y_default=-1.0)
    own = blocks.MultiSwitch(expr=(0.0, 0.0), use_inputs=True)
    for u in itertools.product((0.0, 1.0), repeat=3):
        first = next((x for x, on in zip((3.0, 5.0, 7.0), u, strict=True) if on), -1.0)
        assert value(numbers, *u) == first
    assert value(own, 0.0, 1.0, 2.5, 4.5) == 4.5
    assert value(blocks.IntegerSum(k=(2.0, -3.0)), 4.0, 1.0) == 5.0
    assert value(blocks.IntegerProduct(nu=3), 2.0, -3.0, 4.0) == -24.0
    assert value(blocks.Affine(k=1.8, offset=32.0), 100.0) == 212.0


def keys(model: mk.Model, block: Any, *spans: tuple[float, float]) -> None:
    """Connect truth values that hold in spans of time."""
    for k, span in enumerate(spans):
        key = blocks.BooleanTable(table=span)
        setattr(model, f"key{k}", key)
        model.connect(key.y, block.u[k])


@cache
def switched() -> mk.Result:
    """Return a run of blocks that keep what was selected last."""
    model = mk.Model()
    model.number = blocks.IntegerMultiSwitch(expr=(3, -2), y_default=9)
    keys(model, model.number, (0.2, 0.4), (0.3, 0.6))
    model.now = blocks.IntegerMultiSwitch(
        expr=(3, -2), y_default=9, use_pre_as_default=False
    )
    model.truth = blocks.BooleanMultiSwitch(expr=(True, False))
    for block in (model.now, model.truth):
        for k in range(2):
            mk.connect(getattr(model, f"key{k}").y, block.u[k])
    model.late = blocks.OnDelay(delayTime=0.15)
    model.key0.y >> model.late.u
    model.count = blocks.TriggeredAdd(use_reset=True, y_start=2)
    model.ticks = blocks.BooleanPulse(period=0.1, width=50.0, startTime=0.05)
    model.back = blocks.BooleanTable(table=(0.72, 0.73))
    3 >> model.count.u
    model.ticks.y >> model.count.trigger
    model.back.y >> model.count.reset
    return model.simulate(1.0, output=np.arange(0.0137, 1.0, 0.02))


def test_what_was_selected_last_is_kept():
    t, run = switched().time, switched()
    chosen = np.select([(t > 0.2) & (t < 0.4), (t > 0.3) & (t < 0.6)], [3.0, -2.0], np.nan)
    assert np.array_equal(run["now.y"], np.where(np.isnan(chosen), 9.0, chosen))
    kept = np.where(t < 0.2, 9.0, np.where(t < 0.4, 3.0, -2.0))
    assert np.array_equal(run["number.y"], kept)
    assert np.array_equal(run["truth.y"], (t > 0.2) & (t < 0.4))
    assert np.array_equal(run["late.y"], (t > 0.35) & (t < 0.4))


def test_a_counter_adds_and_is_reset():
    t = switched().time
    ticks = np.floor((t - 0.05) / 0.1 + 1e-9) + 1.0
    after = np.floor((t - 0.05) / 0.1 + 1e-9) - 6.0  # the seventh tick was at 0.65 s
    expected = np.where(t < 0.72, 2.0 + 3.0 * ticks, 2.0 + 3.0 * after)
    assert np.array_equal(switched()["count.y"], expected)


def test_what_a_switch_cannot_have_is_refused():
    with refused(ParameterError, "expr", "0.5", "whole numbers"):
        blocks.IntegerMultiSwitch(expr=(0.5, 1.0)).resolved(lambda scalar: scalar.value)
    with refused(ParameterError, "expr", "True or False"):
        blocks.BooleanMultiSwitch(expr=(2.0, 1.0)).resolved(lambda scalar: scalar.value)
    with refused(ParameterError, "k", "whole factors"):
        blocks.IntegerSum(k=(0.5, 1.0)).resolved(lambda scalar: scalar.value)


def test_waves_with_constants_are_those_of_sources():
    model = mk.Model()
    model.sine = blocks.Sine(amplitude=2.0, f=3.0)
    model.cosine = blocks.Cosine(amplitude=2.0, f=3.0)
    given: Any = {"useConstantAmplitude": True, "constantAmplitude": 2.0}
    model.a = blocks.SineVariableFrequencyAndAmplitude(**given)
    model.b = blocks.CosineVariableFrequencyAndAmplitude(
        **given, useConstantFrequency=True, constantFrequency=3.0
    )
    3.0 >> model.a.f
    run = model.simulate(0.7)
    assert run["a.y"] == pytest.approx(run["sine.y"], abs=1e-9)
    assert run["b.y"] == pytest.approx(run["cosine.y"], abs=1e-9)


# --- spectra --------------------------------------------------------------------------------


def test_a_spectrum_is_that_of_numpy(tmp_path):
    model = mk.Model()
    model.saw = blocks.SawTooth(amplitude=3.0, period=0.1, offset=-0.4, startTime=-7.0)
    model.fft = blocks.RealFFT(f_max=100.0, f_res=10.0, startTime=0.0133)
    model.saw.y >> model.fft.u
    result = model.simulate(0.12)
    found, n = model.fft.spectrum(result), model.fft.samples
    t = 0.0133 + np.arange(n) / (10.0 * n)
    turns = np.fft.rfft(3.0 * ((t + 7.0) / 0.1 % 1.0) - 0.4)[:11] / n
    assert found.f == pytest.approx(10.0 * np.arange(11))
    assert found.amplitude[0] == pytest.approx(turns[0].real)
    wave = 0.5 * found.amplitude[1:] * np.exp(1j * found.phase[1:])
    assert wave == pytest.approx(turns[1:], abs=1e-12)
    found.write(tmp_path / "fft.csv")
    again = np.loadtxt(tmp_path / "fft.csv", delimiter=",", skiprows=1)
    assert np.array_equal(again[:, 1], found.amplitude)
    with refused(ParameterError, "fft", "samples", "Simulate until"):
        model.fft.spectrum(model.simulate(0.05))
    with refused(ParameterError, "f_res", "below f_max"):
        blocks.RealFFT(f_max=1.0, f_res=2.0).resolved(lambda scalar: scalar.value)


def test_numbers_of_samples_have_small_factors():
    small = sorted(
        {2**a * 3**b * 5**c for a in range(1, 14) for b in range(9) for c in range(6)}
    )
    for least in (2, 7, 100, 101, 1730, 5667):
        assert smooth_number(least) == next(n for n in small if n >= least)
    assert (
        blocks.RealFFT(f_max=170.0, f_res=0.3).samples == 5760
    )  # as Modelica documents it


# --- noise ----------------------------------------------------------------------------------


def test_quantiles_are_those_of_scipy():
    for share in (1e-300, 1e-20, 1e-9, 0.02, 0.3, 0.5, 0.6, 0.93, 1.0 - 1e-12):
        assert normal_quantile(share) == pytest.approx(stats.norm.ppf(share), rel=1e-14)


@pytest.mark.parametrize(
    ("mu", "sigma"), [(None, None), (0.2, 0.5), (-2.0, 0.4), (5.0, 0.5)]
)
def test_truncated_noise_has_its_distribution(mu, sigma):
    even, own = blocks.UniformNoise(fixedLocalSeed=7), None
    own = blocks.TruncatedNormalNoise(y_min=-1.0, y_max=3.0, mu=mu, sigma=sigma)
    m, s = (1.0 if mu is None else mu), (4.0 / 6.0 if sigma is None else sigma)
    known = stats.truncnorm((-1.0 - m) / s, (3.0 - m) / s, m, s)
    p = own.resolved(lambda scalar: scalar.value)
    q = even.resolved(lambda scalar: scalar.value)
    for _ in range(20):  # each number is the quantile of an even one, or of one minus it
        state = {name: getattr(p, name) for name in ("s1", "s2", "s3", "s4", "s5", "s6")}
        vars(q).update(state)
        share = type(even).update(q, 0.0, ())["held"]
        new = type(own).update(p, 0.0, ())
        if -1.0 > m:
            share = 1.0 - share
        assert new["held"] == pytest.approx(known.ppf(share), rel=1e-9)
        vars(p).update({name: new[name] for name in state})


def test_ends_and_deviations_are_checked():
    for given, word in (({"y_min": 2.0}, "y_max"), ({"sigma": 0.0}, "above zero")):
        typed: Any = given
        with refused(ParameterError, word):
            blocks.TruncatedNormalNoise(**typed).resolved(lambda scalar: scalar.value)


def test_they_are_read_from_modelica():
    home = "Modelica.Blocks"
    kinds = {
        "MathBoolean.And": ({"nu": "3"}, blocks.MultiAnd),
        "MathBoolean.OnDelay": ({"delayTime": "0.1"}, blocks.OnDelay),
        "MathBoolean.MultiSwitch": (
            {"nu": "2", "expr": "{true,false}"},
            blocks.BooleanMultiSwitch,
        ),
        "MathInteger.Sum": ({"nu": "3"}, blocks.IntegerSum),
        "MathInteger.TriggeredAdd": ({"use_reset": "true"}, blocks.TriggeredAdd),
        "Math.MultiSwitch": ({"nu": "2", "expr": "{4,6}"}, blocks.MultiSwitch),
        "Math.RealFFT": ({"f_max": "4", "f_res": "0.2"}, blocks.RealFFT),
        "Math.UnitConversions.To_degC": ({}, blocks.Affine),
        "Noise.TruncatedNormalNoise": ({"y_max": "2"}, blocks.TruncatedNormalNoise),
    }
    parts = [
        {"name": f"x{k}", "type": f"{home}.{name}", "modifiers": given}
        for k, (name, (given, _)) in enumerate(kinds.items())
    ]
    model = {"Own.M": {"components": parts, "connections": [], "extends": []}}
    own = read("Own.M", model).model
    assert [type(part) for part in own.parts.values()] == [
        kind for _, kind in kinds.values()
    ]
    assert len(own.x0.u) == 3 and own.x4.use_reset
    assert own.x5.expr == (4.0, 6.0) and own.x3.k == (1.0, 1.0, 1.0)
