"""Electrical parts against closed forms and independent solutions."""

from __future__ import annotations

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.optimize import brentq

import motorik as mk
from motorik import blocks, electrical, heat, rotational, translational
from motorik.errors import EquationError, ParameterError
from tests.refusals import refused


def ring(*names: str, **parts: mk.Part) -> mk.Model:
    """Return a model in which parts form a ring from n of each to p of the next.

    The source is the last but of opposite direction: its p is at the p of the first. Parts not
    named are added only; the ground is at n of the source.
    """
    model = mk.Model()
    for name, part in {**parts, "ground": electrical.Ground()}.items():
        setattr(model, name, part)
    first, *others = [model.parts[name] for name in names]
    at = first.p
    for part in others:
        mk.connect(at, part.p)
        at = part.n
    mk.connect(at, first.n)
    mk.connect(first.n, model.ground.p)
    return model


def beside(model: mk.Model, name: str, other: str) -> mk.Model:
    """Connect a part in parallel with another one."""
    one, two = model.parts[name], model.parts[other]
    mk.connect(one.p, two.p)
    mk.connect(one.n, two.n)
    return model


def values(result: mk.Result, *names: str) -> list[np.ndarray]:
    return [np.asarray(result[name]) for name in names]


def test_a_capacitor_is_charged_through_a_resistor():
    model = ring(
        *("u", "R", "C"), u=electrical.ConstantVoltage(V=10.0),
        R=electrical.Resistor(R=2.0), C=electrical.Capacitor(C=0.01, v=1.0),
    )  # fmt: skip
    result = model.simulate(0.1)
    t, v, stored, lost = values(result, "time", "C.v", "C.stored_energy", "R.lossPower")
    exact = 10.0 - 9.0 * np.exp(-t / 0.02)
    assert v == pytest.approx(exact, abs=1e-5)
    assert stored == pytest.approx(0.005 * v**2)
    assert lost == pytest.approx((10.0 - v) ** 2 / 2.0)


def test_an_inductor_takes_on_the_steady_state_of_a_sine():
    model = ring(
        *("u", "R", "L"), u=electrical.SineVoltage(V=10.0, f=5.0, phase=0.3),
        R=electrical.Resistor(R=2.0), L=electrical.Inductor(L=0.1, i=0.0),
    )  # fmt: skip
    t, i = values(model.simulate(0.5), "time", "L.i")
    w = 10.0 * math.pi
    Z = 2.0 + 0.1j * w
    steady = (10.0 * np.exp(1j * (w * t + 0.3)) / Z).imag
    assert i == pytest.approx(steady - steady[0] * np.exp(-20.0 * t), abs=2e-5)


def test_resistance_depends_on_the_temperature():
    model = ring(
        *("u", "R", "G"), u=electrical.ConstantVoltage(V=12.0),
        R=electrical.Resistor(R=2.0, alpha=0.01, T_ref=300.0, T=350.0),
        G=electrical.Conductor(G=0.5, alpha=0.01, T_ref=300.0, T=400.0),
    )  # fmt: skip
    result = model.simulate(0.01)
    assert result["R.i"][-1] == pytest.approx(12.0 / (3.0 + 4.0))
    assert result["G.v"][-1] == pytest.approx(12.0 * 4.0 / 7.0)


def test_a_heated_resistor_warms_as_its_energy_says():
    """C θ̇ = V² / (R (1 + α θ)): θ + α θ² / 2 = V² t / (R C)."""
    model = ring(
        *("u", "R"), u=electrical.ConstantVoltage(V=10.0),
        R=electrical.HeatingResistor(R_ref=5.0, alpha=0.02, T_ref=300.0),
        body=heat.HeatCapacitor(C=4.0, T=300.0),
    )  # fmt: skip
    mk.connect(model.R.heatPort, model.body.port)
    t, T = values(model.simulate(20.0), "time", "body.T")
    assert T - 300.0 == pytest.approx(
        (np.sqrt(1.0 + 0.04 * 5.0 * t) - 1.0) / 0.02, abs=1e-4
    )


def test_a_potentiometer_divides_the_voltage():
    model = mk.Model()
    model.u, model.ground = electrical.ConstantVoltage(V=10.0), electrical.Ground()
    model.pot, model.load = electrical.Potentiometer(R=100.0), electrical.Resistor(R=50.0)
    model.place = blocks.Constant(k=0.3)
    mk.connect(model.u.p, model.pot.pin_p)
    mk.connect(model.pot.contact, model.load.p)
    mk.connect(model.place.y, model.pot.r)
    for pin in (model.pot.pin_n, model.load.n, model.u.n):
        mk.connect(pin, model.ground.p)
    result = model.simulate(0.01)
    below = 1.0 / (1.0 / 30.0 + 1.0 / 50.0)
    assert result["load.v"][-1] == pytest.approx(10.0 * below / (70.0 + below))
    lost = result["pot.lossPower"][-1] + result["load.lossPower"][-1]
    assert lost == pytest.approx(10.0 * result["pot.pin_p.i"][-1])


# --- two-ports -----------------------------------------------------------------------------


def between(part: mk.Part, source: mk.Part, load: mk.Part) -> mk.Model:
    """Return a two-port between a source with a resistance of 1 Ω and a load."""
    model = mk.Model()
    model.u, model.R, model.part, model.load = source, electrical.Resistor(), part, load
    model.ground = electrical.Ground()
    mk.connect(model.u.p, model.R.p)
    mk.connect(model.R.n, model.part.p1)
    mk.connect(model.part.p2, model.load.p)
    mk.connect(model.part.n2, model.load.n)
    for pin in (model.part.n1, model.part.n2, model.ground.p):
        mk.connect(model.u.n, pin)
    return model


@pytest.mark.slow
def test_coupled_inductors_follow_their_matrix():
    part = electrical.Transformer(L1=0.1, L2=0.4, M=0.15, i1=0.0, i2=0.0)
    load = electrical.Resistor(R=3.0)
    result = between(part, electrical.ConstantVoltage(V=5.0), load).simulate(0.5)
    t, i1, i2 = values(result, "time", "part.i1", "part.i2")
    L = np.array([[0.1, 0.15], [0.15, 0.4]])
    A = -np.linalg.solve(L, np.diag([1.0, 3.0]))
    end = np.array([5.0, 0.0])
    exact = np.array([end - expm(A * at) @ end for at in t])
    assert i1 == pytest.approx(exact[:, 0], abs=1e-5)
    assert i2 == pytest.approx(exact[:, 1], abs=1e-5)


def test_perfectly_coupled_inductors_transform_by_the_ratio_of_turns():
    part = electrical.Transformer(L1=0.1, L2=0.4, M=0.2)
    load = electrical.Resistor(R=3.0)
    result = between(part, electrical.SineVoltage(V=5.0, f=10.0), load).simulate(0.2)
    v1, v2 = values(result, "part.v1", "part.v2")
    assert v2 == pytest.approx(2.0 * v1, abs=1e-9)


@pytest.mark.parametrize("is_magnetised", [False, True])
def test_an_ideal_transformer_has_its_ratio(is_magnetised):
    part = electrical.IdealTransformer(
        n=0.25, considerMagnetization=is_magnetised, Lm1=0.1, im1=0.0
    )
    if not is_magnetised:
        part = electrical.IdealTransformer(n=0.25)
    load = electrical.Resistor(R=8.0)
    result = between(part, electrical.ConstantVoltage(V=6.0), load).simulate(0.4)
    t, v1, v2, i1 = values(result, "time", "part.v1", "part.v2", "part.i1")
    assert v2 == pytest.approx(4.0 * v1)
    seen = 8.0 * 0.25**2  # the load from the primary side
    share = np.exp(-t * seen / (1.0 + seen) / 0.1) if is_magnetised else 1.0
    assert v1 == pytest.approx(6.0 * seen / (1.0 + seen) * share, abs=1e-5)
    assert i1 == pytest.approx(6.0 - v1)


def test_a_gyrator_makes_an_inductor_of_a_capacitor():
    load = electrical.Capacitor(C=0.2, v=0.0)
    part = electrical.Gyrator(G1=2.0, G2=0.5)
    result = between(part, electrical.ConstantVoltage(V=5.0), load).simulate(1.0)
    t, i1 = values(result, "time", "part.i1")
    assert i1 == pytest.approx(5.0 * (1.0 - np.exp(-t / 0.2)), abs=1e-5)  # L = C / (G1 G2)


# --- sources -------------------------------------------------------------------------------

SHAPES = {
    "Sine": ("amplitude", {"f": 3.0, "phase": 0.4}),
    "Cosine": ("amplitude", {"f": 3.0, "phase": 0.4}),
    "ExpSine": ("amplitude", {"f": 3.0, "damping": 2.0}),
    "Step": ("height", {}),
    "Ramp": ("height", {"duration": 0.3}),
    "Pulse": ("amplitude", {"width": 30.0, "period": 0.2}),
    "SawTooth": ("amplitude", {"period": 0.2}),
    "Trapezoid": ("amplitude", {"rising": 0.05, "width": 0.1, "period": 0.3}),
}


@cache
def all_sources() -> mk.Result:
    model = mk.Model()
    model.ground = electrical.Ground()
    for shape, (height, own) in SHAPES.items():
        given = {"offset": 0.5, "startTime": 0.15, **own}
        setattr(model, shape, getattr(blocks, shape)(**{height: 2.0}, **given))
        for quantity, letter in (("Voltage", "V"), ("Current", "I")):
            name = f"{shape}{quantity}"
            source = getattr(electrical, name)(**{letter: 2.0}, **given)
            setattr(model, name, source)
            load = electrical.Resistor(R=2.0)
            setattr(model, f"{name}Load", load)
            mk.connect(source.p, load.p)
            for pin in (source.n, load.n):
                mk.connect(pin, model.ground.p)
    return model.simulate(1.0, interval=0.01)


@pytest.mark.parametrize("shape", SHAPES)
def test_sources_have_the_shape_of_their_block(shape):
    result = all_sources()
    exact, v, i = values(
        result, f"{shape}.y", f"{shape}VoltageLoad.v", f"{shape}CurrentLoad.i"
    )
    assert np.ptp(exact) > 1.0
    assert v == pytest.approx(exact)
    assert i == pytest.approx(-exact)


def test_signals_give_voltages_and_currents():
    model = mk.Model()
    model.sine, model.ground = blocks.Sine(amplitude=3.0, f=2.0), electrical.Ground()
    model.u, model.i = electrical.SignalVoltage(), electrical.SignalCurrent()
    model.R, model.S = electrical.Resistor(R=2.0), electrical.Resistor(R=5.0)
    model.fixed, model.T = electrical.ConstantCurrent(I=4.0), electrical.Resistor(R=3.0)
    mk.connect(model.sine.y, model.u.v)
    mk.connect(model.sine.y, model.i.i)
    for source, load in (("u", "R"), ("i", "S"), ("fixed", "T")):
        beside(model, source, load)
        mk.connect(model.parts[source].n, model.ground.p)
    y, v, i, fixed = values(model.simulate(1.0), "sine.y", "R.v", "S.v", "T.v")
    assert v == pytest.approx(y)
    assert i == pytest.approx(-5.0 * y)
    assert fixed == pytest.approx(-12.0)


# --- amplifiers ----------------------------------------------------------------------------


def amplifier(part: mk.Part, back: mk.Part, V: float) -> mk.Model:
    """Return an amplifier with 1 kΩ to its negative input and a part from there to the output."""
    model = mk.Model()
    model.u, model.R = electrical.ConstantVoltage(V=V), electrical.Resistor(R=1e3)
    model.part, model.back, model.ground = part, back, electrical.Ground()
    two_ports = isinstance(part, electrical.IdealOpAmp)
    names = ("p1", "n1", "p2") if two_ports else ("in_p", "in_n", "out")
    positive, negative, out = (getattr(part, name) for name in names)
    mk.connect(model.u.p, model.R.p)
    mk.connect(model.R.n, negative)
    mk.connect(model.back.p, negative)
    mk.connect(model.back.n, out)
    for pin in (positive, model.u.n):
        mk.connect(pin, model.ground.p)
    if two_ports:
        mk.connect(part.n2, model.ground.p)
    return model


def test_an_amplifier_integrates():
    back = electrical.Capacitor(C=1e-6, v=0.0)
    result = amplifier(electrical.IdealOpAmp3Pin(), back, 2.0).simulate(0.01)
    t, v = values(result, "time", "part.out.v")
    assert v == pytest.approx(-2.0 * t / 1e-3, abs=1e-9)


@pytest.mark.parametrize("kind", ["IdealOpAmp", "IdealOpAmp3Pin"])
def test_an_ideal_amplifier_has_the_ratio_of_its_resistors(kind):
    part = getattr(electrical, kind)()
    result = amplifier(part, electrical.Resistor(R=1e4), 0.3).simulate(0.01)
    assert result["back.v"][-1] == pytest.approx(3.0)


@pytest.mark.slow
@pytest.mark.parametrize("V", [0.5, -0.5, 3.0, -3.0])
def test_a_limited_amplifier_stays_within_its_supply(V):
    part = electrical.IdealizedOpAmpLimited(V0=1000.0, Vps=12.0, Vns=-10.0)
    result = amplifier(part, electrical.Resistor(R=1e4), V).simulate(0.01)
    exact = -10.0 * V / (1.0 + 11.0 / 1000.0)
    assert result["part.out.v"][-1] == pytest.approx(min(12.0, max(-10.0, exact)))


@pytest.mark.slow
def test_a_supplied_amplifier_takes_its_power_from_the_supply():
    part = electrical.IdealizedOpAmpLimited(useSupply=True)
    model = amplifier(part, electrical.Resistor(R=1e4), 0.5)
    model.high, model.low = (electrical.ConstantVoltage(V=V) for V in (12.0, -12.0))
    mk.connect(model.high.p, part.s_p)
    mk.connect(model.low.p, part.s_n)
    for source in (model.high, model.low):
        mk.connect(source.n, model.ground.p)
    result = model.simulate(0.01)
    given = result["part.out.v"][-1] * -result["part.out.i"][-1]
    assert 24.0 * result["part.s_p.i"][-1] == pytest.approx(given)
    assert given == pytest.approx(25.0 / 1e4, rel=1e-2)


@pytest.mark.slow
def test_a_smooth_amplifier_tends_to_its_limits():
    part = electrical.OpAmp(Slope=100.0)
    model = amplifier(part, electrical.Resistor(R=1e4), 1.0)
    model.high, model.low = (electrical.ConstantVoltage(V=V) for V in (12.0, -8.0))
    mk.connect(model.high.p, part.VMax)
    mk.connect(model.low.p, part.VMin)
    for source in (model.high, model.low):
        mk.connect(source.n, model.ground.p)

    def missing(out: float) -> float:
        u = -(10.0 * 1.0 + out) / 11.0
        return 2.0 + 100.0 * u / (1.0 + abs(100.0 * u) / 10.0) - out

    found = model.simulate(0.01)["part.out.v"][-1]
    assert found == pytest.approx(brentq(missing, -8.0, 12.0), rel=1e-9)


# --- diodes and switches -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("V", [-5.0, 0.3, 0.7, 50.0])
def test_a_diode_follows_shockley(V):
    model = ring(
        *("u", "R", "D"), u=electrical.ConstantVoltage(V=V),
        R=electrical.Resistor(R=10.0), D=electrical.Diode(Ids=1e-6, R=1e5, Maxexp=14.0),
    )  # fmt: skip

    def missing(v: float) -> float:
        x = v / 0.04
        grown = math.exp(min(x, 14.0)) * (1.0 + max(x - 14.0, 0.0))
        return 1e-6 * (grown - 1.0) + v / 1e5 - (V - v) / 10.0

    found = model.simulate(0.01)["D.v"][-1]
    assert found == pytest.approx(brentq(missing, -60.0, 60.0, xtol=1e-13), rel=1e-8)


@pytest.mark.slow
def test_a_warm_diode_has_the_voltage_of_its_temperature():
    model = ring(
        *("i", "D"), i=electrical.ConstantCurrent(I=-1e-3),
        D=electrical.Diode(
            Ids=1e-12, R=1e12, useTemperatureDependency=True, Maxexp=30.0, T=330.15
        ),
    )  # fmt: skip
    Vt = 1.380649e-23 * 330.15 / 1.602176634e-19
    ratio = 330.15 / 300.15
    saturation = 1e-12 * ratio**3 * math.exp((ratio - 1.0) * 1.11 / Vt)
    found = model.simulate(0.01)["D.v"][-1]
    assert found == pytest.approx(Vt * math.log1p(1e-3 / saturation), rel=1e-6)


def test_an_ideal_diode_passes_half_waves():
    model = ring(
        *("u", "D", "R"), u=electrical.SineVoltage(V=10.0, f=50.0),
        D=electrical.IdealDiode(Vknee=0.7), R=electrical.Resistor(R=5.0),
    )  # fmt: skip
    result = model.simulate(0.04, interval=2e-4)
    t, i, off = values(result, "time", "R.i", "D.off")
    u = 10.0 * np.sin(100.0 * math.pi * t)
    G = 1e-5
    on = (u - 0.7 + 1e-5 * G * 0.7) / 5.00001
    exact = np.where(u > 0.7 + 5.0 * G * 0.7, on, G * u / (1.0 + 5.0 * G))
    assert i == pytest.approx(exact, abs=1e-8)
    assert set(off) == {0.0, 1.0}
    assert len(result.events) == 4


@cache
def rectifier() -> mk.Result:
    model = mk.Model()
    model.u, model.Ri = electrical.SineVoltage(V=10.0, f=50.0), electrical.Resistor(R=1.0)
    for k in range(4):
        setattr(model, f"D{k + 1}", electrical.IdealDiode())
    model.R, model.C = electrical.Resistor(R=100.0), electrical.Capacitor(C=1e-4, v=0.0)
    model.ground = electrical.Ground()
    for one, other in (
        *((model.u.p, model.Ri.p), (model.Ri.n, model.D1.p), (model.u.n, model.D2.p)),
        *((model.D1.n, model.D2.n), (model.D1.n, model.C.p), (model.C.p, model.R.p)),
        *((model.C.n, model.R.n), (model.C.n, model.D3.p), (model.D3.n, model.Ri.n)),
        *((model.D4.p, model.C.n), (model.D4.n, model.u.n), (model.ground.p, model.C.n)),
    ):
        mk.connect(one, other)
    return model.simulate(0.05, interval=2e-4)


def rectified(t: float, v: float) -> float:
    """Return the rate of the capacitor's voltage, of all modes of the diodes the consistent one."""
    u = 10.0 * math.sin(100.0 * math.pi * t)
    for modes in product((True, False), repeat=4):
        g = [1e5 if on else 1e-5 for on in modes]
        # currents at the two ends of the source: a beside Ri, b beyond the source
        A = np.array([[1.0 + g[0] + g[2], -1.0], [-1.0, 1.0 + g[1] + g[3]]])
        a, b = np.linalg.solve(A, [u + g[0] * v, g[1] * v - u])
        across = (a - v, b - v, -a, -b)
        if all((x >= -1e-14) == on for x, on in zip(across, modes, strict=True)):
            break
    return (g[0] * across[0] + g[1] * across[1] - v / 100.0) / 1e-4


@pytest.mark.slow
def test_a_bridge_of_four_diodes_rectifies():
    result = rectifier()
    t, v = values(result, "time", "C.v")
    given = {"rtol": 1e-7, "atol": 1e-9, "max_step": 5e-5, "t_eval": t, "method": "LSODA"}
    exact = solve_ivp(lambda t, v: [rectified(t, v[0])], (0.0, 0.05), [0.0], **given)
    assert v == pytest.approx(exact.y[0], abs=5e-6)


def test_diodes_of_a_bridge_switch_in_pairs_and_once():
    events = [(e.time, e.part) for e in rectifier().events]
    assert len(events) == 20  # on and off, two at a time, five half waves
    pairs = [{events[k][1], events[k + 1][1]} for k in range(0, 20, 2)]
    assert pairs == [{"D1", "D4"}, {"D1", "D4"}, {"D2", "D3"}, {"D2", "D3"}] * 2 + pairs[8:]
    assert [events[k][0] for k in range(0, 20, 2)] == pytest.approx(
        [events[k][0] for k in range(1, 20, 2)], abs=1e-9
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["IdealClosingSwitch", "IdealOpeningSwitch"])
def test_a_buck_converter_follows_its_modes(kind):
    """The inductor carries current always: the switch alone decides on the mode."""
    is_closing = kind == "IdealClosingSwitch"
    model = mk.Model()
    model.u, model.S = electrical.ConstantVoltage(V=12.0), getattr(electrical, kind)()
    model.D, model.L = electrical.IdealDiode(), electrical.Inductor(L=1e-3, i=1.0)
    model.C, model.R = electrical.Capacitor(C=1e-4, v=5.0), electrical.Resistor(R=5.0)
    model.ground = electrical.Ground()
    model.pulse = blocks.BooleanPulse(period=1e-4, width=40.0 if is_closing else 60.0)
    if not is_closing:
        model.pulse.startTime = 4e-5
    for one, other in (
        *((model.u.p, model.S.p), (model.S.n, model.L.p), (model.D.n, model.L.p)),
        *((model.L.n, model.C.p), (model.R.p, model.C.p), (model.D.p, model.u.n)),
        *((model.C.n, model.u.n), (model.R.n, model.u.n), (model.ground.p, model.u.n)),
        (model.pulse.y, model.S.control),
    ):
        mk.connect(one, other)
    result = model.simulate(2e-3, interval=2e-5)
    t, i, v = values(result, "time", "L.i", "C.v")

    def mode(is_on: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return A and b of ẋ = A x + b, x = (i, v)."""
        source, other = (1e5, 1e-5) if is_on else (1e-5, 1e5)
        R, V = 1.0 / (source + other), 12.0 * source / (source + other)
        return np.array([[-R / 1e-3, -1e3], [1e4, -2e3]]), np.array([V / 1e-3, 0.0])

    x, at = np.array([1.0, 5.0]), 0.0
    for k in range(100):
        A, b = mode(k % 5 < 2)
        end = np.linalg.solve(A, -b)
        x = end + expm(A * 2e-5) @ (x - end)
        at += 2e-5
        near = np.abs(t - at).argmin()
        assert (i[near], v[near]) == pytest.approx(tuple(x), abs=1e-4)
    fired = [e for e in result.events if e.part == "D"]
    assert len(fired) == 39  # on and off in each of twenty periods, but the last off


# --- motors --------------------------------------------------------------------------------


@cache
def motor_solution() -> tuple[np.ndarray, np.ndarray]:
    A = np.array([[-20.0, -5.0], [5.0, 0.0]])
    end = np.linalg.solve(A, [-100.0, 0.0])
    t = np.linspace(0.0, 1.0, 51)
    return t, np.array([end - expm(A * at) @ end for at in t])


def test_a_motor_speeds_up_as_its_matrix_says():
    model = ring(
        *("u", "m"), u=electrical.ConstantVoltage(V=10.0),
        m=electrical.DCMotor(R=2.0, L=0.1, k=0.5, J=0.06, i=0.0, w=0.0),
        load=rotational.Inertia(J=0.04),
    )  # fmt: skip
    mk.connect(model.m.flange, model.load.flange_a)
    i, w = values(model.simulate(1.0, interval=0.02, rtol=1e-8), "m.i", "load.w")
    assert i == pytest.approx(motor_solution()[1][:, 0], abs=1e-6)
    assert w == pytest.approx(motor_solution()[1][:, 1], abs=1e-6)


def test_a_linear_motor_moves_as_its_matrix_says():
    model = ring(
        *("u", "R", "L", "emf"), u=electrical.ConstantVoltage(V=10.0),
        R=electrical.Resistor(R=2.0), L=electrical.Inductor(L=0.1, i=0.0),
        emf=electrical.TranslationalEMF(k=0.5), mass=translational.Mass(m=0.1, v=0.0),
    )  # fmt: skip
    mk.connect(model.emf.flange, model.mass.flange_a)
    v, vel = values(model.simulate(1.0, interval=0.02, rtol=1e-8), "mass.v", "emf.vel")
    assert v == pytest.approx(motor_solution()[1][:, 1], abs=1e-6)
    assert vel == pytest.approx(v)


@pytest.mark.parametrize("kind", ["rotational", "translational"])
def test_the_support_of_a_motor_takes_its_reaction(kind):
    """Two free inertias: no momentum comes from within, and the voltage is that of their speed."""
    lines = {"rotational": rotational.Inertia, "translational": translational.Mass}
    given = {"rotational": {"J": 0.2, "w": 0.0}, "translational": {"m": 0.2, "v": 0.0}}[
        kind
    ]
    emf = getattr(electrical, f"{kind.title()}EMF")
    model = ring(
        *("u", "R", "emf"), u=electrical.ConstantVoltage(V=10.0),
        R=electrical.Resistor(R=2.0), emf=emf(k=0.5),
        one=lines[kind](**given), other=lines[kind](**given),
    )  # fmt: skip
    mk.connect(model.emf.flange, model.one.flange_a)
    mk.connect(model.emf.support, model.other.flange_a)
    letter = "w" if kind == "rotational" else "v"
    t, one, other = values(model.simulate(1.0), "time", f"one.{letter}", f"other.{letter}")
    assert one + other == pytest.approx(0.0, abs=1e-9)
    rate = 0.5**2 / 2.0 / 0.1  # of both inertias against each other
    assert one - other == pytest.approx(20.0 * (1.0 - np.exp(-rate * t)), abs=1e-4)


@pytest.mark.parametrize("is_given", [True, False])
def test_the_losses_of_a_motor_heat_it(is_given):
    """The heat port is there when it is asked for, or when it is connected."""
    asked = {"useHeatPort": True} if is_given else {}
    model = ring(
        *("u", "m"), u=electrical.ConstantVoltage(V=10.0),
        m=electrical.DCMotor(R=2.0, L=0.1, k=0.5, J=0.1, i=0.0, w=0.0, **asked),
        case=heat.HeatCapacitor(C=50.0, T=293.15),
    )  # fmt: skip
    mk.connect(model.m.heatPort, model.case.port)
    result = model.simulate(2.0, rtol=1e-8)
    i, w, T = (result[name][-1] for name in ("m.i", "m.w", "case.T"))
    fine = np.linspace(0.0, 2.0, 4001)
    A = np.array([[-20.0, -5.0], [5.0, 0.0]])
    end = np.linalg.solve(A, [-100.0, 0.0])
    step = expm(A * fine[1])
    x, powers = -end, []
    for _ in fine:
        powers.append(10.0 * (x + end)[0])
        x = step @ x
    supplied = np.trapezoid(powers, fine)
    stored = 0.05 * i * i + 0.05 * w * w
    assert 50.0 * (T - 293.15) + stored == pytest.approx(supplied, rel=1e-5)


# --- sensors -------------------------------------------------------------------------------


def test_sensors_change_nothing_and_measure():
    model = mk.Model()
    model.u, model.R = electrical.ConstantVoltage(V=12.0), electrical.Resistor(R=3.0)
    model.S, model.ground = electrical.Resistor(R=1.0), electrical.Ground()
    model.amps, model.volts = electrical.CurrentSensor(), electrical.VoltageSensor()
    model.pin, model.watts = electrical.PotentialSensor(), electrical.PowerSensor()
    model.all = electrical.MultiSensor()
    for one, other in (
        *(
            (model.u.p, model.amps.p),
            (model.amps.n, model.R.p),
            (model.R.n, model.watts.pc),
        ),
        *(
            (model.watts.nc, model.all.pc),
            (model.all.nc, model.S.p),
            (model.S.n, model.u.n),
        ),
        *((model.volts.p, model.R.p), (model.volts.n, model.R.n), (model.pin.p, model.S.p)),
        *((model.watts.pv, model.S.p), (model.watts.nv, model.S.n)),
        *(
            (model.all.pv, model.R.p),
            (model.all.nv, model.R.n),
            (model.ground.p, model.u.n),
        ),
    ):
        mk.connect(one, other)
    result = model.simulate(0.01)
    measured = {"amps.i": 3.0, "volts.v": 9.0, "pin.phi": 3.0, "watts.power": 9.0}
    measured |= {"all.i": 3.0, "all.v": 9.0, "all.power": 27.0}
    assert {n: result[n][-1] for n in measured} == pytest.approx(measured)


def test_short_and_open_circuits():
    model = ring(
        *("u", "R", "wire"), u=electrical.ConstantVoltage(V=6.0),
        R=electrical.Resistor(R=2.0), wire=electrical.Short(), gap=electrical.Idle(),
    )  # fmt: skip
    result = beside(model, "gap", "R").simulate(0.01)
    assert (result["wire.i"][-1], result["gap.v"][-1]) == pytest.approx((3.0, 6.0))
    assert result["gap.i"][-1] == 0.0


# --- live numbers and refusals ---------------------------------------------------------------


def test_a_resistance_may_be_a_signal_or_live():
    model = ring(
        *("u", "R", "S"), u=electrical.ConstantVoltage(V=6.0),
        R=electrical.VariableResistor(), ramp=blocks.Ramp(offset=1.0, height=4.0, duration=1.0),
        S=electrical.Resistor(R=mk.Parameter(1.0, name="inner")),
    )  # fmt: skip
    mk.connect(model.ramp.y, model.R.R)
    for inner in (1.0, 2.0):
        t, i = values(model.simulate(1.0, parameters={"inner": inner}), "time", "R.i")
        assert i == pytest.approx(6.0 / (1.0 + 4.0 * t + inner))


def test_wrong_numbers_are_refused():
    for kind, given in (
        (electrical.IdealDiode, {"Ron": -1.0}),
        (electrical.IdealClosingSwitch, {"Goff": -1.0}),
        (electrical.Capacitor, {"C": -1e-6}),
        (electrical.Resistor, {"T": -3.0}),
        (electrical.Potentiometer, {"rConstant": 1.5}),
        (electrical.Diode, {"Vt": 0.0}),
        (electrical.PulseVoltage, {"period": 0.0}),
    ):
        ((name, value),) = given.items()
        with refused(ParameterError, kind.__name__, name, f"{value:g}"):
            kind(**given)


def test_sources_that_contradict_each_other_are_named():
    model = ring(
        *("supply", "battery"), supply=electrical.ConstantVoltage(V=12.0),
        battery=electrical.ConstantVoltage(V=9.0),
    )  # fmt: skip
    with refused(EquationError, "battery, supply", "one equation too many", "Remove"):
        model.compile()
