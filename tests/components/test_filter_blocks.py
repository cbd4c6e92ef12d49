"""Filters and delays: frequency responses against SciPy, starts against closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import signal as theory

import motorik as mk
from motorik import blocks
from motorik.errors import ParameterError
from motorik.exchange.modelica import read
from tests.refusals import refused


def response(block: Any, frequencies: np.ndarray) -> np.ndarray:
    """Return y(i w) / u(i w) of a linear block, from its law and its rates alone."""
    p = block.resolved(lambda scalar: scalar.value)
    n = len(block.states(p))
    zero = [0.0] * n

    def both(u: float, x: list[float]) -> tuple[np.ndarray, float]:
        rates = np.array(type(block).rates(p, 0.0, (u,), x), dtype=float)
        return rates, float(type(block).law(p, 0.0, (u,), x)[0])

    B, D = both(1.0, zero)
    columns = [both(0.0, [float(k == i) for k in range(n)]) for i in range(n)]
    A = np.array([rates for rates, _ in columns]).T
    C = np.array([y for _, y in columns])
    s = 2j * np.pi * frequencies
    return np.array([C @ np.linalg.solve(one * np.eye(n) - A, B) + D for one in s])


F = np.geomspace(0.05, 50.0, 41)
PASSES = {
    "LowPass": ("lowpass", 2.0, 0.0),
    "HighPass": ("highpass", 2.0, 0.0),
    "BandPass": ("bandpass", 4.0, 1.5),
    "BandStop": ("bandstop", 4.0, 1.5),
}


def by_scipy(design: Any, type: str, *given: Any, **named: Any) -> np.ndarray:
    """Return the frequency response of a filter that SciPy designs."""
    name, f_cut, f_min = PASSES[type]
    w = 2 * np.pi * (f_cut if f_min == 0.0 else np.array([f_min, f_cut]))
    zpk = design(*given, w, btype=name, analog=True, output="zpk", **named)
    return theory.freqs_zpk(*zpk, worN=2 * np.pi * F)[1]


@pytest.mark.parametrize("type", PASSES)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_filters_are_those_of_scipy(type, n):
    _, f_cut, f_min = PASSES[type]
    given = {"filterType": type, "order": n, "f_cut": f_cut, "f_min": f_min}
    found = response(blocks.Filter(analogFilter="Butterworth", **given), F)
    assert found == pytest.approx(by_scipy(theory.butter, type, n), abs=1e-12)
    plain = given | {"normalized": False}
    found = response(blocks.Filter(analogFilter="Bessel", **plain), F)
    assert found == pytest.approx(by_scipy(theory.bessel, type, n, norm="delay"), abs=1e-11)
    found = response(blocks.Filter(analogFilter="ChebyshevI", A_ripple=2.0, **plain), F)
    scale = 1.0 if n % 2 else 10 ** (2.0 / 20)  # that of Modelica is 1 at w = 0
    wanted = scale * by_scipy(theory.cheby1, type, n, 2.0)
    assert found == pytest.approx(wanted, abs=1e-11)


@pytest.mark.parametrize("kind", ["CriticalDamping", "Bessel", "ChebyshevI"])
@pytest.mark.parametrize("n", [1, 4, 15])
def test_normalised_filters_have_half_the_power_at_their_frequency(kind, n):
    own = blocks.Filter(analogFilter=kind, order=n, f_cut=3.0, gain=2.0)
    assert abs(response(own, np.array([3.0])))[0] == pytest.approx(
        2.0 * 10**-0.15, rel=1e-9
    )
    high = blocks.Filter(analogFilter=kind, filterType="HighPass", order=n, f_cut=3.0)
    assert abs(response(high, np.array([3.0])))[0] == pytest.approx(10**-0.15, rel=1e-9)


def test_a_band_wider_than_its_middle_has_real_poles():
    own = blocks.Filter(
        analogFilter="Butterworth", filterType="BandPass", order=1, f_min=0.1, f_cut=10.0
    )
    w = 2 * np.pi * np.array([0.1, 10.0])
    zpk = theory.butter(1, w, btype="bandpass", analog=True, output="zpk")
    wanted = theory.freqs_zpk(*zpk, worN=2 * np.pi * F)[1]
    assert response(own, F) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_butterworth_low_pass(n):
    wanted = by_scipy(theory.butter, "LowPass", n)
    assert response(blocks.LowpassButterworth(n=n, f=2.0), F) == pytest.approx(
        wanted, abs=1e-12
    )


@pytest.mark.parametrize(("n", "m"), [(1, None), (3, 3), (4, 2)])
def test_pade_agrees_with_the_delay_to_its_order(n, m):
    f = np.array([0.002, 0.02])
    delay = blocks.PadeDelay(delayTime=0.5, n=n, m=m)
    off = abs(response(delay, f) - np.exp(-2j * np.pi * f * 0.5))
    order = n + (n if m is None else m) + 1
    assert off[1] < 2.0 * (2 * np.pi * 0.02 * 0.5) ** order
    if order < 5:  # above rounding
        assert math.log10(off[1] / off[0]) == pytest.approx(order, abs=0.05)


def test_filters_start_as_they_are_told():
    model = mk.Model()
    model.source = blocks.Sine(f=1.0, phase=0.3, offset=2.0)
    kinds = [
        {"filterType": "LowPass"},
        {"filterType": "HighPass", "order": 3},
        {"filterType": "BandPass", "f_min": 0.5},
        {"filterType": "BandStop", "f_min": 0.5},
    ]
    given = {"init": "InitialOutput", "y_start": 0.7, "analogFilter": "Butterworth"}
    model.told = [blocks.Filter(**given, **own) for own in kinds]
    model.rest = [blocks.Filter(analogFilter="Butterworth", **own) for own in kinds]
    model.states = blocks.Filter(
        order=2, init="InitialState", x_start=(0.2, 0.4), u_nominal=5.0
    )
    model.low = [blocks.LowpassButterworth(n=n, initType="SteadyState") for n in (1, 2, 3)]
    model.out = [
        blocks.LowpassButterworth(n=n, initType="InitialOutput", y_start=0.7)
        for n in (2, 3)
    ]
    model.pade = blocks.PadeDelay(n=3, delayTime=0.2)
    chained = (*model.told, *model.rest, model.states, *model.low, *model.out, model.pade)
    for block in chained:
        model.connect(model.source.y, block.u)
    result = model.simulate(0.01)
    u = result["source.y"][0]
    for k in (1, 2, 3, 4):
        assert result[f"told[{k}].y"][0] == pytest.approx(0.7, abs=1e-12)
    for k, gain in enumerate((1.0, 0.0, 0.0, 1.0), 1):
        assert result[f"rest[{k}].y"][0] == pytest.approx(gain * u, abs=1e-12)
    assert result["states.y"][0] == pytest.approx(5.0 * 0.4)
    for name in ("low[1].y", "low[2].y", "low[3].y", "pade.y"):
        assert result[name][0] == pytest.approx(u, abs=1e-12)
    for name in ("out[1].y", "out[2].y"):
        assert result[name][0] == pytest.approx(0.7, abs=1e-12)


def test_the_frequency_of_a_filter_is_live():
    model = mk.Model()
    model.source = blocks.Step(offset=0.0, startTime=0.0)
    f = mk.Parameter(1.0)
    model.filter = blocks.Filter(order=1, f_cut=f, normalized=False, init="InitialState")
    model.source.y >> model.filter.u
    for value in (1.0, 2.0):
        result = model.simulate(0.5, parameters={"filter.f_cut": value}, rtol=1e-9)
        wanted = 1.0 - np.exp(-2 * np.pi * value * result.time)
        assert result["filter.y"] == pytest.approx(wanted, abs=1e-7)


def test_a_state_space_starts_as_it_is_told():
    rng = np.random.default_rng(3)
    A, B = rng.normal(size=(3, 3)) - 3.0 * np.eye(3), rng.normal(size=(3, 2))
    C, D = rng.normal(size=(1, 3)), rng.normal(size=(1, 2))
    model = mk.Model()
    model.first, model.second = blocks.Constant(k=1.5), blocks.Constant(k=-0.5)
    given = {"A": A, "B": B, "C": C, "D": D}
    model.rest = blocks.StateSpace(**given, initType="SteadyState")
    model.told = blocks.StateSpace(**given, initType="InitialOutput", y_start=(2.0,))
    for block in (model.rest, model.told):
        model.connect(model.first.y, block.u[0])
        model.connect(model.second.y, block.u[1])
    result = model.simulate(0.01)
    u = np.array([1.5, -0.5])
    assert result["rest.x"][0] == pytest.approx(-np.linalg.solve(A, B @ u), abs=1e-9)
    x = result["told.x"][0]
    assert C @ x + D @ u == pytest.approx([2.0], abs=1e-12)
    _, _, basis = np.linalg.svd(C)  # the residual is normal to all directions that keep y
    assert basis[1:] @ A.T @ (A @ x + B @ u) == pytest.approx([0.0, 0.0], abs=1e-9)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: blocks.Filter(filterType="BandPass"),
            ("f_min = 0 Hz", "f_cut = 1 Hz", "0 < f_min < f_cut"),
        ),
        (lambda: blocks.Filter(x_start=(1.0,)), ("1 values for 2 states", "2 numbers")),
        (lambda: blocks.Filter(analogFilter="Elliptic"), ("analogFilter", "Bessel")),
        (lambda: blocks.PadeDelay(n=2, m=3), ("m = 3 is above n = 2", "m ≤ n")),
        (lambda: blocks.LowpassButterworth(x1_start=(1, 2)), ("2 values for 1 states",)),
        (
            lambda: blocks.StateSpace(C=((0.0,),), initType="InitialOutput"),
            ("rows of C", "InitialState"),
        ),
    ],
)
def test_values_that_no_filter_has_are_refused(make, words):
    with refused(ParameterError, *words):
        make()


def test_filters_are_read_from_modelica():
    given = {
        "analogFilter": "Modelica.Blocks.Types.AnalogFilter.Bessel",
        "filterType": "Modelica.Blocks.Types.FilterType.BandStop",
        "order": "3",
        "f_cut": "4",
        "f_min": "1.5",
    }
    component = {
        "name": "x",
        "type": "Modelica.Blocks.Continuous.Filter",
        "modifiers": given,
    }
    data = {"Own.M": {"components": [component], "connections": [], "extends": []}}
    found = read("Own.M", data).model.x
    own = blocks.Filter(
        analogFilter="Bessel", filterType="BandStop", order=3, f_cut=4.0, f_min=1.5
    )
    assert np.array_equal(response(found, F), response(own, F))
