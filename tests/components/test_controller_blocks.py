"""Controllers and limited integrators: against SciPy's integration of their equations."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import motorik as mk
from motorik import blocks
from motorik.errors import ParameterError
from motorik.exchange.modelica import read
from tests.refusals import refused

K, TI, TD, NI, ND, WP, WD, HIGH, LOW = 4.0, 0.3, 0.1, 0.9, 8.0, 0.8, 0.3, 1.0, -0.5
GIVEN = {"k": K, "Ti": TI, "Td": TD, "Ni": NI, "Nd": ND, "wp": WP, "wd": WD}
T = np.linspace(0.0, 3.0, 61)


def setpoint(t: float) -> float:
    """Return the setpoint of the loop."""
    return 0.2 + 0.9 * np.sin(2 * np.pi * 0.4 * t)


@cache
def loop(kind: str) -> mk.Result:
    """Return a run of a first-order plant with a limited controller and feed-forward."""
    model = mk.Model()
    model.target = blocks.Sine(amplitude=0.9, f=0.4, offset=0.2)
    model.c = blocks.LimPID(
        controllerType=kind, yMax=HIGH, yMin=LOW, withFeedForward=True, kFF=0.25, **GIVEN
    )
    model.plant = blocks.FirstOrder(T=0.5)
    model.connect(model.target.y, model.c.u_s, model.c.u_ff)
    model.connect(model.plant.y, model.c.u_m)
    model.connect(model.c.y, model.plant.u)
    return model.simulate(3.0, output=T, rtol=1e-9)


@pytest.mark.parametrize("kind", ["P", "PI", "PD", "PID"])
def test_a_limited_controller_against_its_equations(kind):
    def inner(t: float, x: np.ndarray) -> tuple[float, float, np.ndarray]:
        y, integral, xd = x
        u = setpoint(t)
        derivative = ND * (WD * u - y - xd) if "D" in kind else 0.0
        action = integral if "I" in kind else 0.0
        free = K * (WP * u - y + action + derivative) + 0.25 * u
        out = min(max(free, LOW), HIGH)
        rates = ((out - y) / 0.5, (u - y + (out - free) / (K * NI)) / TI)
        return out, u - y, np.array([*rates, (WD * u - y - xd) * ND / TD])

    found = solve_ivp(
        lambda t, x: inner(t, x)[2],
        (0, 3),
        [0, 0, 0],
        t_eval=T,
        rtol=1e-9,
        atol=1e-10,
        max_step=0.01,
    )
    result = loop(kind)
    assert result["plant.y"] == pytest.approx(found.y[0], abs=2e-6)
    wanted = np.array(
        [inner(t, x) for t, x in zip(T, found.y.T, strict=True)], dtype=object
    )
    assert result["c.y"] == pytest.approx(wanted[:, 0].astype(float), abs=1e-4)
    assert result["c.controlError"] == pytest.approx(wanted[:, 1].astype(float), abs=1e-5)
    assert result["c.y"].max() <= HIGH and result["c.y"].min() >= LOW
    assert result["c.y"].max() == HIGH  # it is limited indeed


def test_controllers_start_as_they_are_told():
    model = mk.Model()
    model.u = blocks.Sine(f=1.0, phase=0.5)
    model.zero = blocks.Constant(k=0.0)
    model.told = blocks.PID(k=3.0, initType="InitialOutput", y_start=0.7)
    model.given = blocks.PID(k=3.0, xi_start=0.2, xd_start=0.1)
    model.limited = blocks.LimPID(k=3.0, initType="InitialOutput", y_start=0.7)
    model.rest = blocks.LimPID(controllerType="PD", k=0.1, initType="SteadyState")
    for block in (model.told, model.given):
        model.connect(model.u.y, block.u)
    for block in (model.limited, model.rest):
        model.connect(model.u.y, block.u_s)
        model.connect(model.zero.y, block.u_m)
    result = model.simulate(0.01)
    u = np.sin(0.5)
    assert result["told.y"][0] == pytest.approx(0.7, abs=1e-12)
    assert result["told.D.y"][0] == pytest.approx(0.0, abs=1e-12)
    assert result["given.y"][0] == pytest.approx(
        3.0 * (u + 0.2 + 10.0 * (u - 0.1)), abs=1e-11
    )
    assert result["limited.gainPID.y"][0] == pytest.approx(0.7, abs=1e-12)
    assert result["rest.y"][0] == pytest.approx(0.1 * u, abs=1e-12)


def test_an_integrator_halts_at_its_limits():
    model = mk.Model()
    model.u = blocks.Cosine(f=0.25)
    model.x = blocks.LimIntegrator(k=np.pi / 2, outMax=0.6, outMin=-0.2, y_start=0.1)
    model.u.y >> model.x.u
    result = model.simulate(6.0, output=np.linspace(0, 6, 121), rtol=1e-8)
    t = result.time
    # rises by sin(π t / 2) until 0.6, falls from 1 s on until −0.2, rises from 3 s on, …
    wave = np.sin(np.pi * t / 2)
    first = np.minimum(0.1 + wave, 0.6)
    fall = np.maximum(0.6 - 1.0 + wave, -0.2)
    rise = np.minimum(-0.2 + 1.0 + wave, 0.6)
    wanted = np.where(t < 1, first, np.where((t < 3) | (t > 5), fall, rise))
    assert result["x.y"] == pytest.approx(wanted, abs=1e-6)


def test_integrators_are_reset():
    model = mk.Model()
    model.one, model.pulse = (
        blocks.Constant(),
        blocks.BooleanPulse(period=1.0, startTime=0.5),
    )
    model.plain = blocks.Integrator(use_reset=True, y_start=0.2)
    model.set = blocks.Integrator(use_reset=True, use_set=True)
    model.limited = blocks.LimIntegrator(use_reset=True, use_set=True, outMax=0.8)
    for block in (model.plain, model.set, model.limited):
        model.connect(model.one.y, block.u)
        model.connect(model.pulse.y, block.reset)
    3.0 >> model.set.set
    -3.0 >> model.limited.set
    result = model.simulate(2.5, output=np.linspace(0.02, 2.42, 49))
    t = result.time
    since = (t + 0.5) % 1.0
    after = t >= 0.5
    assert result["plain.y"] == pytest.approx(0.2 + np.where(after, since, t), abs=1e-9)
    assert result["set.y"] == pytest.approx(np.where(after, 3.0 + since, t), abs=1e-9)
    assert result["limited.y"] == pytest.approx(np.where(after, since - 0.8, t), abs=1e-9)


def test_a_slew_rate_is_limited():
    model = mk.Model()
    model.u = blocks.Pulse(period=2.0, offset=-0.5)
    model.slew = blocks.SlewRateLimiter(
        Rising=4.0, Falling=-2.0, Td=0.01, initType="InitialOutput"
    )
    model.bounded = blocks.VariableLimiter()
    model.u.y >> model.slew.u
    model.u.y >> model.bounded.u
    model.slew.y >> model.bounded.limit1
    -0.25 >> model.bounded.limit2
    result = model.simulate(2.0, output=np.linspace(0.01, 1.99, 81), rtol=1e-8)
    t, y = result.time, result["slew.y"]
    # at its limit until it is Rising · Td below u, and then of first order
    up, down = (0.5 - 0.04) / 4.0, 1.0 + (1.0 - 0.02) / 2.0
    first = np.where(t < up, 4.0 * t, 0.5 - 0.04 * np.exp(-(t - up) / 0.01))
    late = np.where(
        t < down, 0.5 - 2.0 * (t - 1.0), -0.5 + 0.02 * np.exp(-(t - down) / 0.01)
    )
    assert y == pytest.approx(np.where(t < 1.0, first, late), abs=1e-6)
    u = result["u.y"]
    wanted = np.where(u > y, y, np.where(u < -0.25, -0.25, u))
    assert np.array_equal(result["bounded.y"], wanted)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: blocks.LimPID(yMax=-1.0), ("yMin = 1 is above yMax = -1", "not above")),
        (lambda: blocks.LimPID(k=0.0), ("k = 0", "track")),
        (
            lambda: blocks.PID(k=0.0, initType="InitialOutput"),
            ("y_start = 0", "InitialState"),
        ),
        (
            lambda: blocks.LimPID(controllerType="PD", initType="InitialOutput"),
            ("no integral", "InitialState"),
        ),
        (lambda: blocks.LimPID(controllerType="I"), ("controllerType", "PI")),
        (lambda: blocks.LimIntegrator(y_start=2.0), ("y_start = 2", "outMin ≤ y_start")),
        (lambda: blocks.Integrator(use_set=True), ("without use_reset", "use_reset=True")),
        (lambda: blocks.SlewRateLimiter(Falling=1.0), ("Falling = 1", "negative")),
    ],
)
def test_values_that_no_controller_has_are_refused(make, words):
    with refused(ParameterError, *words):
        make()


def made(name: str, **modifiers: str) -> Any:
    """Return a block read from data."""
    component = {"name": "x", "type": f"Modelica.Blocks.{name}", "modifiers": modifiers}
    data = {"Own.M": {"components": [component], "connections": [], "extends": []}}
    return read("Own.M", data).model.x


def test_controllers_are_read_from_modelica():
    types = "Modelica.Blocks.Types"
    own = made(
        "Continuous.LimPID",
        controllerType=f"{types}.SimpleController.PI",
        yMax="3",
        Ti="0.2",
        wp="0.5",
        initType=f"{types}.Init.SteadyState",
        homotopyType=f"{types}.LimiterHomotopy.NoHomotopy",
    )
    assert (own.controllerType, own.yMax, own.Ti, own.wp) == ("PI", 3.0, 0.2, 0.5)
    assert own.I.initType == "SteadyState" and "D" not in own.parts
    old = made("Continuous.PID", initType=f"{types}.Init.DoNotUse_InitialIntegratorState")
    assert old.initType == "InitialState"
    assert made("Continuous.Integrator", use_reset="true").use_reset
    assert made("Nonlinear.SlewRateLimiter", Falling="-2").Falling == -2.0
