"""Sources over time: against closed forms, and motions from point to point against their limits."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik.errors import ParameterError
from tests.refusals import refused


def values(block: mk.Part, t: np.ndarray, place: int = 0) -> np.ndarray:
    """Return an output of a source at many times."""
    p = block.resolved(lambda scalar: scalar.value)
    return np.array([type(block).law(p, float(one), (), ())[place] for one in t])


T = np.linspace(-0.53, 4.07, 231)


def test_saw_teeth():
    saw = blocks.SawTooth(amplitude=2.0, period=0.5, nperiod=3, offset=1.0, startTime=0.25)
    since = T - 0.25
    wanted = 1.0 + np.where((since >= 0) & (since < 1.5), 2.0 * (since / 0.5 % 1.0), 0.0)
    assert values(saw, T) == pytest.approx(wanted, abs=1e-13)


def test_exponentials():
    own = blocks.Exponentials(
        outMax=2.0,
        riseTime=0.5,
        riseTimeConst=0.2,
        fallTimeConst=0.4,
        offset=1.0,
        startTime=0.3,
    )
    since = T - 0.3
    top = 2.0 * (1 - np.exp(-2.5))
    wanted = np.where(
        since < 0.5, 2.0 * (1 - np.exp(-since / 0.2)), top * np.exp(-(since - 0.5) / 0.4)
    )
    assert values(own, T) == pytest.approx(1.0 + np.where(since < 0, 0, wanted), abs=1e-13)


def test_waves_that_decay_sweep_or_spread():
    own = blocks.ExpSine(
        amplitude=2.0, f=1.5, phase=0.4, damping=0.7, offset=1.0, startTime=0.3
    )
    since = T - 0.3
    wave = 2.0 * np.exp(-0.7 * since) * np.sin(2 * np.pi * 1.5 * since + 0.4)
    assert values(own, T) == pytest.approx(1.0 + np.where(since < 0, 0.0, wave), abs=1e-13)
    own.continuous = True
    before = 2.0 * np.sin(0.4)
    assert values(own, T) == pytest.approx(
        1.0 + np.where(since < 0, before, wave), abs=1e-13
    )
    sweep = blocks.LogFrequencySweep(wMin=2.0, wMax=50.0, startTime=0.3, duration=2.0)
    wanted = np.exp(np.interp(T, [0.3, 2.3], np.log([2.0, 50.0])))
    assert values(sweep, T) == pytest.approx(wanted, rel=1e-13)
    sinc = blocks.Sinc(amplitude=3.0, f=0.7, offset=-1.0, startTime=0.3)
    wanted = -1.0 + 3.0 * np.sinc(2 * 0.7 * np.maximum(since, 0.0))
    assert values(sinc, T) == pytest.approx(wanted, abs=1e-13)


def test_a_wave_with_a_frequency_that_changes():
    model = mk.Model()
    model.f = blocks.Ramp(height=2.0, duration=2.0, offset=1.0)
    model.wave = blocks.SineVariableFrequencyAndAmplitude(offset=0.5, phi_start=0.3)
    model.f.y >> model.wave.f
    2.0 >> model.wave.amplitude
    result = model.simulate(2.0, rtol=1e-9)
    t = result.time
    wanted = 0.5 + 2.0 * np.sin(0.3 + 2 * np.pi * (t + 0.5 * t * t))
    assert result["wave.y"] == pytest.approx(wanted, abs=1e-7)


@pytest.mark.parametrize(
    ("ways", "speeds", "limits"),
    [
        ((2.0, -1.0), (1.5,), (4.0, 3.0)),
        ((0.3, 0.0, 0.1), (5.0,), (2.0,)),
        ((0.0,), (1.0,), (1.0,)),
    ],
)
def test_a_motion_from_point_to_point_is_the_fastest(ways, speeds, limits):
    begin = tuple(0.1 * k for k in range(len(ways)))
    end = tuple(a + way for a, way in zip(begin, ways, strict=True))
    given = {"qd_max": speeds, "qdd_max": limits, "startTime": 0.2}
    plan = blocks.KinematicPTP2(q_begin=begin, q_end=end, **given)
    n = len(ways)
    q, qd, qdd = (
        np.array([values(plan, T, k * n + i) for i in range(n)]) for k in range(3)
    )
    last = values(plan, T, 4 * n)[0]
    moving = np.array([values(plan, T, 3 * n + i) for i in range(n)])
    v, a = (np.broadcast_to(one, n) for one in (speeds, limits))
    assert (abs(qd) <= v[:, None] * (1 + 1e-12)).all()
    assert (abs(qdd) <= a[:, None] * (1 + 1e-12)).all()
    # one axis is at a limit at all times of the motion
    under_way = (T > 0.2) & (T < last)
    used = np.maximum(abs(qd) / v[:, None], abs(qdd) / a[:, None]).max(axis=0)
    assert used[under_way] == pytest.approx(1.0, rel=1e-12)
    assert np.array_equal(moving, np.outer(np.array(ways) != 0.0, under_way))
    assert q[:, T < 0.2] == pytest.approx(np.outer(begin, T[T < 0.2] < 1))
    assert q[:, T > last] == pytest.approx(np.outer(end, T[T > last] > 0))
    # the accelerations of the other block are the same
    other = blocks.KinematicPTP(deltaq=ways, **given)
    assert np.array([values(other, T, i) for i in range(n)]) == pytest.approx(qdd)


def test_accelerations_of_a_plan_integrate_to_its_positions():
    model = mk.Model()
    given = {"qd_max": (1.5,), "qdd_max": (4.0,), "startTime": 0.2}
    model.plan = blocks.KinematicPTP2(q_end=(2.0,), **given)
    model.speed, model.way = blocks.Integrator(), blocks.Integrator()
    model.plan.qdd >> model.speed.u
    model.speed.y >> model.way.u
    result = model.simulate(2.5)
    assert result["speed.y"] == pytest.approx(result["plan.qd"], abs=1e-9)
    assert result["way.y"] == pytest.approx(result["plan.q"], abs=1e-9)
    assert result["plan.q"][-1] == 2.0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: blocks.KinematicPTP(deltaq=(1, 2), qd_max=(1, 2, 3)),
            ("deltaq", "3 axes"),
        ),
        (
            lambda: blocks.KinematicPTP2(qd_max=(0.0,)),
            ("qd_max", "not positive", "above zero"),
        ),
        (lambda: blocks.SawTooth(period=0.0), ("period = 0.0", "above 0")),
    ],
)
def test_values_that_no_source_has_are_refused(make, words):
    with refused(ParameterError, *words):
        make()
