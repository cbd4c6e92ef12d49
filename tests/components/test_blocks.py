"""Signal blocks: each against what its equation says, solved in closed form or by SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik.errors import ParameterError
from tests.refusals import refused


def response(block: mk.Part, source: mk.Part, stop: float = 3.0, **kwargs):
    """Return the result of a block that is driven by a source."""
    model = mk.Model()
    model.world, model.block, model.source = mk.World(), block, source
    model.source.y >> model.block.u
    settings = {
        "rtol": 1e-11,
        "solver": mk.SolverOptions(atol=1e-12),
        "output": 200,
    } | kwargs
    return model.simulate(stop, **settings)


WAVE = {"amplitude": 1.5, "f": 0.8, "phase": 0.4, "offset": 0.3}


def wave(t: np.ndarray) -> np.ndarray:
    """Return the signal of a sine with the values of `WAVE`."""
    return 0.3 + 1.5 * np.sin(2 * np.pi * 0.8 * t + 0.4)


def tf2ss(numerator, denominator):
    """Return A, B, C, D of a transfer function, by another library."""
    from scipy import signal  # which takes a second to load

    return signal.tf2ss(numerator, denominator)


def by_theory(numerator, denominator, t: np.ndarray, x0=None) -> np.ndarray:
    """Return the response of a transfer function to the wave, exact between fine samples."""
    from scipy import signal

    fine = np.linspace(0.0, t[-1], 40 * (len(t) - 1) + 1)
    system = signal.StateSpace(*tf2ss(numerator, denominator))
    _, y, _ = signal.lsim(system, wave(fine), fine, X0=x0)
    return np.interp(t, fine, y)


# --- sources --------------------------------------------------------------------------------------


def law(block: mk.Part, t: float) -> float:
    """Return the output of a source at a time."""
    p = block.resolved(lambda scalar: scalar.value)
    return type(block).law(p, t, (), ())[0]


def test_waves_are_at_their_offset_before_they_begin():
    for kind, shape in ((blocks.Sine, math.sin), (blocks.Cosine, math.cos)):
        block = kind(startTime=0.5, **WAVE)
        assert law(block, 0.4) == 0.3
        assert law(block, 0.9) == 0.3 + 1.5 * shape(2 * math.pi * 0.8 * (0.9 - 0.5) + 0.4)


def test_a_ramp_rises_between_its_corners():
    ramp = blocks.Ramp(height=4.0, duration=2.0, offset=1.0, startTime=0.5)
    assert [law(ramp, t) for t in (0.0, 0.5, 1.0, 2.5, 9.0)] == [1.0, 1.0, 2.0, 5.0, 5.0]


def test_a_function_of_time_and_a_clock():
    assert law(blocks.TimeFunction(f=lambda t: t * t), 3.0) == 9.0
    assert law(blocks.ContinuousClock(offset=1.0, startTime=2.0), 3.5) == 2.5
    assert law(blocks.ContinuousClock(offset=1.0, startTime=2.0), 1.5) == 1.0


def test_functions_must_be_functions():
    with refused(ParameterError, "Function", "f = 3.0", "lambda"):
        blocks.Function(f=3.0)


# --- arithmetic -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "given", "expected"),
    [
        (blocks.Gain(k=3.0), (2.0,), 6.0),
        (blocks.Add(k1=2.0, k2=-1.0), (3.0, 4.0), 2.0),
        (blocks.Add3(k1=2.0, k2=-1.0, k3=10.0), (3.0, 4.0, 0.5), 7.0),
        (blocks.Feedback(), (3.0, 4.0), -1.0),
        (blocks.Product(), (3.0, 4.0), 12.0),
        (blocks.Division(), (3.0, 4.0), 0.75),
        (blocks.Sum(k=(1.0, -2.0, 3.0)), (3.0, 4.0, 5.0), 10.0),
        (blocks.Function(f=lambda a, b: a - b * b, n=2), (3.0, 4.0), -13.0),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, mk.Part) else "",
)
def test_blocks_compute(block, given, expected):
    p = block.resolved(lambda scalar: scalar.value)
    assert type(block).law(p, 0.0, given, ()) == (expected,)
    assert len([e for port in block.inputs() for e in port.elements]) == len(given)


# --- blocks with states ---------------------------------------------------------------------------


def test_an_integrator_integrates():
    result = response(blocks.Integrator(k=2.0, y_start=0.5), blocks.Sine(**WAVE))
    t, w = result.time, 2 * np.pi * 0.8
    area = 0.3 * t - 1.5 / w * (np.cos(w * t + 0.4) - np.cos(0.4))
    assert result["block.y"] == pytest.approx(0.5 + 2.0 * area, abs=4e-11)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("block", "transfer"),
    [
        (blocks.FirstOrder(k=2.0, T=0.3), ([2.0], [0.3, 1.0])),
        (blocks.SecondOrder(k=2.0, w=5.0, D=0.3), ([50.0], [1.0, 3.0, 25.0])),
        (blocks.Derivative(k=2.0, T=0.1), ([2.0, 0.0], [0.1, 1.0])),
        (blocks.PI(k=2.0, T=0.4), ([0.8, 2.0], [0.4, 0.0])),
        (
            blocks.PID(k=1.5, Ti=0.4, Td=0.2, Nd=8.0),
            ([0.4 * 0.025 + 0.4 * 0.2, 0.425, 1.0], [0.4 * 0.025 / 1.5, 0.4 / 1.5, 0.0]),
        ),
        (
            blocks.TransferFunction(b=(1.0, 2.0), a=(0.5, 1.5, 4.0)),
            ([1.0, 2.0], [0.5, 1.5, 4.0]),
        ),
        (blocks.TransferFunction(b=(2.0, 1.0), a=(1.0, 3.0)), ([2.0, 1.0], [1.0, 3.0])),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, mk.Part) else "",
)
def test_linear_blocks_respond_like_their_transfer_functions(block, transfer):
    result = response(block, blocks.Sine(**WAVE))
    y = by_theory(*transfer, result.time)
    assert np.abs(result["block.y"] - y).max() < 5e-7 * np.abs(y).max()


def test_a_state_space_is_its_transfer_function():
    A, B, C, D = tf2ss([2.0, 1.0, 3.0], [1.0, 0.5, 2.0])
    model = mk.Model()
    model.world, model.source = mk.World(), blocks.Sine(**WAVE)
    model.space = blocks.StateSpace(A=A, B=B, C=C, D=D)
    model.transfer = blocks.TransferFunction(b=(2.0, 1.0, 3.0), a=(1.0, 0.5, 2.0))
    model.source.y >> model.space.u
    model.source.y >> model.transfer.u
    result = model.simulate(3.0, rtol=1e-11, solver=mk.SolverOptions(atol=1e-12))
    assert result["space.y"] == pytest.approx(result["transfer.y"], abs=1e-14)
    assert result["transfer.x"] == pytest.approx(result["space.x"], abs=1e-14)


def test_a_critically_damped_filter_halves_the_power_at_its_frequency():
    for n in (1, 2, 4):
        block = blocks.CriticalDamping(n=n, f=2.0)
        result = response(block, blocks.Sine(f=2.0), stop=6.0, output=1201)
        settled = result["block.y"][result.time > 3.0]
        assert np.abs(settled).max() == pytest.approx(math.sqrt(0.5), rel=1e-5)
        assert result["block.x[1]"].shape == result.time.shape


def test_filters_start_in_steady_state_if_told_so():
    kinds = (
        blocks.FirstOrder(k=2.0, T=0.3, initType="SteadyState"),
        blocks.SecondOrder(k=2.0, w=5.0, initType="SteadyState"),
        blocks.TransferFunction(b=(4.0,), a=(1.0, 1.0, 2.0), initType="SteadyState"),
        blocks.CriticalDamping(initType="SteadyState"),
    )
    for block in kinds:
        result = response(block, blocks.Constant(k=3.0), stop=1.0)
        final = 3.0 if isinstance(block, blocks.CriticalDamping) else 6.0
        assert result["block.y"] == pytest.approx(final, rel=1e-14)


def test_states_start_where_they_are_told():
    result = response(blocks.FirstOrder(y_start=0.25), blocks.Constant(k=1.0))
    assert result["block.y"] == pytest.approx(1.0 - 0.75 * np.exp(-result.time), abs=1e-11)
    block = blocks.CriticalDamping(n=2, x_start=(0.5, 0.75))
    assert response(block, blocks.Constant())["block.x"][0] == pytest.approx((0.5, 0.75))


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: blocks.TransferFunction(b=(1, 2, 3), a=(1, 2)),
            ("degree 2", "at least the degree"),
        ),
        (lambda: blocks.TransferFunction(a=(0, 2)), ("begins with 0", "zeros")),
        (lambda: blocks.CriticalDamping(n=0), ("n = 0", "whole number")),
        (lambda: blocks.CriticalDamping(n=2.5), ("n = 2.5", "whole number")),
        (lambda: blocks.CriticalDamping(x_start=(1.0,)), ("1 values for 2 states", "2")),
        (lambda: blocks.StateSpace(A=((1, 2), (3, 4))), ("B is 1 × 1, not 2 × 1", "fit")),
        (lambda: blocks.StateSpace(A=(1, 2)), ("A = (1, 2)", "matrix")),
        (lambda: blocks.Sum(k=()), ("k = ()", "finite numbers")),
        (lambda: blocks.FirstOrder(T=0.0), ("T = 0.0", "above 0")),
        (lambda: blocks.FirstOrder(initType="Never"), ("initType", "SteadyState")),
    ],
)
def test_values_that_no_block_has_are_refused(make, words):
    with refused(ParameterError, *words):
        make()
