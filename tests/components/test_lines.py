"""Parts of drive lines: sources, drives, inertias and sensors, each by two routes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import motorik as mk
from motorik import blocks
from motorik import rotational as rot
from motorik import translational as tra
from motorik.components.forces.gas import GasForce, GasForce2
from motorik.errors import ParameterError
from tests.refusals import refused

TIGHT = {"rtol": 1e-11, "solver": mk.SolverOptions(atol=1e-12), "output": 100}
KINDS = [
    pytest.param(rot, ("phi", "w", "tau", "J", "Inertia", "Torque"), id="rotational"),
    pytest.param(tra, ("s", "v", "f", "m", "Mass", "Force"), id="translational"),
]


def driven(source: mk.Part, mass: mk.Part, signal: mk.Part | None = None, port: str = ""):
    """Return a model of a source on a mass, moved by a signal."""
    model = mk.Model()
    model.world, model.source, model.mass = mk.World(), source, mass
    model.source.flange >> model.mass.flange_a
    if signal is not None:
        model.signal = signal
        model.signal.y >> getattr(model.source, port)
    return model


# --- forces ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("room", "names"), KINDS)
def test_a_signal_pushes_a_mass(room, names):
    x, v, f, inertia, Mass, Force = names
    mass = getattr(room, Mass)(**{inertia: 0.5, x: 0.1, v: 0.2})
    model = driven(getattr(room, Force)(), mass, blocks.Sine(amplitude=3.0, f=0.5), f)
    result = model.simulate(2.0, **TIGHT)
    t, w = result.time, np.pi
    speed = 0.2 + 3.0 / 0.5 / w * (1.0 - np.cos(w * t))
    assert result[f"mass.{v}"] == pytest.approx(speed, abs=2e-11)
    place = 0.1 + (0.2 + 6.0 / w) * t - 6.0 / w**2 * np.sin(w * t)
    assert result[f"mass.{x}"] == pytest.approx(place, abs=4e-11)
    assert result[f"source.flange.{f}"] == pytest.approx(-3.0 * np.sin(w * t), abs=1e-15)
    assert result["mass.a"] == pytest.approx(6.0 * np.sin(w * t), abs=1e-14)


@pytest.mark.parametrize(("room", "names"), KINDS)
def test_a_force_between_two_masses_keeps_their_momentum(room, names):
    x, v, f, inertia, Mass, Force = names
    model = mk.Model()
    model.world = mk.World()
    model.a = getattr(room, Mass)(**{inertia: 2.0, x: 0.0, v: 1.0})
    model.b = getattr(room, Mass)(**{inertia: 0.5, x: 0.0, v: -1.0})
    model.between = getattr(room, f"{Force}2")()
    model.signal = blocks.Ramp(height=3.0, duration=1.0)
    model.signal.y >> getattr(model.between, f)
    model.a.flange_b >> model.between.flange_a
    model.between.flange_b >> model.b.flange_a
    result = model.simulate(1.0, **TIGHT)
    momentum = 2.0 * result[f"a.{v}"] + 0.5 * result[f"b.{v}"]
    assert momentum == pytest.approx(1.5, rel=1e-14)
    assert result[f"b.{v}"][-1] == pytest.approx(-1.0 + 1.5 / 0.5, rel=1e-14)
    reaction = result[f"between.flange_a.{f}"] + result[f"between.flange_b.{f}"]
    assert np.abs(reaction).max() == 0.0


@pytest.mark.parametrize(("room", "names"), KINDS)
@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("power", [1, 2])
def test_speed_dependent_loads(room, names, same, power):
    x, v, f, inertia, Mass, Force = names
    kind = ("Linear", "Quadratic")[power - 1]
    given = {f"{f}_nominal": -3.0, f"{v}_nominal": 2.0, f"{Force}Direction": same}
    load = getattr(room, f"{kind}SpeedDependent{Force}")(**given)
    model = driven(load, getattr(room, Mass)(**{inertia: 1.5, x: 0.0, v: -2.5}))
    result = model.simulate(0.6, **TIGHT)

    def by_hand(t: float, y: np.ndarray) -> list[float]:
        size = abs(y[0] / 2.0) ** power
        return [-3.0 * (size if same else math.copysign(size, y[0])) / 1.5]

    reference = solve_ivp(by_hand, (0, 0.6), [-2.5], rtol=1e-11, atol=1e-12)
    assert result[f"mass.{v}"][-1] == pytest.approx(reference.y[0, -1], rel=5e-11)
    assert result[f"source.{f}"] == pytest.approx(1.5 * result["mass.a"], rel=1e-14)


# --- drives ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("room", "names"), KINDS)
def test_drives_follow_their_signals_exactly(room, names):
    x, v, f, inertia, Mass, _ = names
    wave = {"amplitude": 0.4, "f": 0.5}
    cases = (
        (room.Position(exact=True), blocks.Sine(**wave), f"{x}_ref"),
        (room.Speed(exact=True, **{x: 0.0}), blocks.Cosine(**wave), f"{v}_ref"),
        (room.Accelerate(**{v: 0.3, x: 0.1}), blocks.Sine(**wave), "a_ref"),
    )
    w = np.pi
    for level, (source, signal, port) in enumerate(cases):
        model = driven(source, getattr(room, Mass)(**{inertia: 2.0}), signal, port)
        result = model.simulate(2.0, **TIGHT)
        t = result.time
        places = (
            0.4 * np.sin(w * t),
            0.4 / w * np.sin(w * t),
            0.1 + (0.3 + 0.4 / w) * t - 0.4 / w**2 * np.sin(w * t),
        )
        rates = (
            -0.4 * w**2 * np.sin(w * t),
            -0.4 * w * np.sin(w * t),
            0.4 * np.sin(w * t),
        )
        assert result[f"mass.{x}"] == pytest.approx(places[level], abs=2e-11), port
        assert result["mass.a"] == pytest.approx(rates[level], abs=1e-14), port
        force = result[f"source.flange.{f}"]
        assert force == pytest.approx(-2.0 * rates[level], abs=1e-14), port


@pytest.mark.parametrize(("room", "names"), KINDS)
def test_filtered_drives_are_their_filters(room, names):
    x, v, _, _, Mass, _ = names
    w = 2 * np.pi * 3.0
    model = driven(
        room.Position(f_crit=3.0),
        getattr(room, Mass)(),
        blocks.Cosine(amplitude=0.4, f=0.5),
        f"{x}_ref",
    )
    result = model.simulate(1.0, **TIGHT)

    def bessel(t: float, y: np.ndarray) -> list[float]:
        gap = 0.4 * np.cos(np.pi * t) - y[0]
        return [y[1], (gap * w - 1.3617 * y[1]) * w / 0.618]

    reference = solve_ivp(bessel, (0, 1), [0.4, 0.0], rtol=1e-11, atol=1e-12)
    assert result[f"mass.{x}"][0] == pytest.approx(0.4, rel=1e-14)
    end = [result[f"mass.{x}"][-1], result[f"mass.{v}"][-1]]
    assert end == pytest.approx(reference.y[:, -1], rel=5e-11)

    model = driven(
        room.Speed(f_crit=3.0, **{x: 0.2}),
        getattr(room, Mass)(),
        blocks.Cosine(amplitude=0.4, f=0.5),
        f"{v}_ref",
    )
    result = model.simulate(1.0, **TIGHT)

    def first_order(t: float, y: np.ndarray) -> list[float]:
        return [y[1], (0.4 * np.cos(np.pi * t) - y[1]) * w]

    reference = solve_ivp(first_order, (0, 1), [0.2, 0.4], rtol=1e-11, atol=1e-12)
    end = [result[f"mass.{x}"][-1], result[f"mass.{v}"][-1]]
    assert end == pytest.approx(reference.y[:, -1], rel=2e-11)


@pytest.mark.parametrize(("room", "names"), KINDS)
def test_a_constant_speed_costs_what_the_load_takes(room, names):
    x, v, f, _, Mass, _ = names
    model = driven(room.ConstantSpeed(**{f"{v}_fixed": 3.0}), getattr(room, Mass)())
    model.brake, model.wall = room.Damper(d=0.7), room.Fixed()
    model.mass.flange_b >> model.brake.flange_b
    model.brake.flange_a >> model.wall.flange
    result = model.simulate(1.0)
    assert result[f"mass.{x}"][-1] == pytest.approx(3.0, rel=1e-14)
    assert result[f"source.flange.{f}"] == pytest.approx(-2.1, rel=1e-14)


def test_a_drive_pushes_against_its_support():
    model = driven(rot.Accelerate(useSupport=True), rot.Inertia(J=0.5))
    2.0 >> model.source.a_ref
    model.housing = rot.Inertia(J=1.5, phi=0.0, w=0.0)
    model.source.support >> model.housing.flange_a
    result = model.simulate(1.0)
    # both together keep their momentum: 0.5 a + 1.5 b = 0, a − b = 2
    assert result["mass.a"] == pytest.approx(1.5, rel=1e-14)
    assert result["housing.a"] == pytest.approx(-0.5, rel=1e-14)
    assert result["source.a"] == pytest.approx(2.0, rel=1e-14)
    assert result["source.support.tau"] == pytest.approx(0.75, rel=1e-14)


# --- sensors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("room", "names"), KINDS)
def test_sensors_tell_what_they_see_and_change_nothing(room, names):
    x, v, f, inertia, Mass, Force = names
    place = {"phi": "Angle", "s": "Position"}[x]
    model = mk.Model()
    model.world = mk.World()
    model.a = getattr(room, Mass)(**{inertia: 2.0, x: 0.5, v: 1.0})
    model.b = getattr(room, Mass)(**{inertia: 0.5, x: 0.0, v: 0.0})
    model.spring, model.multi = room.SpringDamper(c=6.0, d=0.4), room.MultiSensor()
    model.through, model.power = getattr(room, f"{Force}Sensor")(), room.PowerSensor()
    model.a.flange_b >> model.through.flange_a
    model.through.flange_b >> model.multi.flange_a
    model.multi.flange_b >> model.power.flange_a
    model.power.flange_b >> model.spring.flange_a
    model.spring.flange_b >> model.b.flange_a
    for name, kind in {
        "place": f"{place}Sensor",
        "speed": "SpeedSensor",
        "acc": "AccSensor",
    }.items():
        setattr(model, name, getattr(room, kind)())
        getattr(model, name).flange >> model.b.flange_b
    for name, kind in {
        "rel": f"Rel{place}Sensor",
        "rel_speed": "RelSpeedSensor",
        "rel_acc": "RelAccSensor",
    }.items():
        setattr(model, name, getattr(room, kind)())
        getattr(model, name).flange_a >> model.a.flange_a
        getattr(model, name).flange_b >> model.b.flange_b
    result = model.simulate(1.0, **TIGHT)
    assert model.compile().n_u == 2
    seen = {f"place.{x}": f"b.{x}", f"speed.{v}": f"b.{v}", "acc.a": "b.a"}
    for sensor, truth in seen.items():
        assert (result[sensor] == result[truth]).all()
    force = -2.0 * result["a.a"]
    for sensor in (f"through.{f}", f"multi.{f}"):
        assert result[sensor] == pytest.approx(force, rel=1e-14, abs=1e-14)
    for sensor in ("multi.power", "power.power"):
        expected = force * result[f"a.{v}"]
        assert result[sensor] == pytest.approx(expected, rel=1e-14, abs=1e-14)
    assert (result[f"multi.{v}"] == result[f"a.{v}"]).all()
    assert (result[f"rel.{x}_rel"] == result[f"spring.{x}_rel"]).all()
    assert (result[f"rel_speed.{v}_rel"] == result[f"spring.{v}_rel"]).all()
    expected = result["b.a"] - result["a.a"]
    assert result["rel_acc.a_rel"] == pytest.approx(expected, rel=1e-14, abs=1e-14)


# --- start values and shapes ----------------------------------------------------------------------


def test_springs_can_say_how_they_start():
    model = mk.Model()
    model.world = mk.World()
    model.a, model.b = tra.Mass(s=1.0, v=0.0), tra.Mass()
    model.spring = tra.SpringDamper(c=2.0, s_rel=0.3, v_rel=-0.4)
    model.a.flange_b >> model.spring.flange_a
    model.spring.flange_b >> model.b.flange_a
    result = model.simulate(0.1)
    assert result["b.s"][0] == pytest.approx(1.3, rel=1e-14)
    assert result["b.v"][0] == pytest.approx(-0.4, rel=1e-14)


def test_rods_and_masses_have_length():
    model = mk.Model()
    model.world = mk.World()
    model.wall, model.rod, model.spring = (
        tra.Fixed(s0=-1.0),
        tra.Rod(L=2.0),
        tra.Spring(c=5.0),
    )
    model.mass = tra.Mass(m=1.0, L=0.6, s=2.0, v=0.0)
    model.wall.flange >> model.rod.flange_a
    model.rod.flange_b >> model.spring.flange_a
    model.spring.flange_b >> model.mass.flange_a
    result = model.simulate(1.0, **TIGHT)
    assert result["rod.s"] == pytest.approx(0.0, abs=0.0)
    assert result["spring.s_rel"][0] == pytest.approx(2.0 - 0.3 - 1.0, rel=1e-14)
    t = result.time
    # it swings about s = 1.3, where the spring is slack
    assert result["mass.s"] == pytest.approx(
        1.3 + 0.7 * np.cos(math.sqrt(5.0) * t), abs=2e-11
    )
    assert result["mass.flange_b.s"] == pytest.approx(result["mass.s"] + 0.3, rel=1e-14)
    assert result["wall.flange.f"] == pytest.approx(result["spring.f"], rel=1e-14)


def test_a_lever_and_a_rack_pass_on_what_they_get():
    model = mk.Model()
    model.world = mk.World()
    model.lever, model.rack = tra.IdealLever(ratio=-2.0), rot.IdealGearR2T(ratio=4.0)
    model.push, model.rim = (
        tra.ConstantForce(f_constant=3.0),
        rot.Inertia(J=0.2, phi=0.0, w=0.0),
    )
    model.push.flange >> model.lever.flange_a
    model.lever.flange_b >> model.rack.flangeT
    model.rack.flangeR >> model.rim.flange_a
    result = model.simulate(0.5)
    assert result["rim.a"] == pytest.approx(3.0 * -2.0 / 4.0 / 0.2, rel=1e-14)
    assert result["lever.flange_b.f"] == pytest.approx(6.0, rel=1e-14)
    assert result["rack.flangeR.tau"] == pytest.approx(6.0 / 4.0, rel=1e-14)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: rot.IdealGear(ratio=0.0), ("IdealGear", "ratio = 0")),
        (lambda: rot.IdealPlanetary(ratio=-1.0), ("IdealPlanetary", "1 + ratio = 0")),
        (lambda: rot.IdealGearR2T(ratio=0.0), ("IdealGearR2T", "ratio = 0")),
        (lambda: rot.Inertia(J=-1.0), ("Inertia", "J = -1.0")),
        (lambda: tra.IdealRollingWheel(radius=0.0), ("radius = 0.0", "above 0")),
    ],
)
def test_values_that_no_part_has_are_refused(make, words):
    with refused(ParameterError, *words):
        make()


# --- gas ------------------------------------------------------------------------------------------


def test_the_gas_forces_are_one_gas_seen_from_both_ends():
    p = GasForce2(L=0.35, d=0.1).resolved(lambda scalar: scalar.value)
    for s in (0.02, 0.1, 0.3):
        for v in (-1.0, 1.0):
            one, other = GasForce2.law(p, s, v), GasForce.law(p, -s, v)
            assert one == pytest.approx(other, rel=1e-14) and one < 0.0


def test_the_pressure_of_the_gas_is_the_published_polynomial():
    p = GasForce2(L=1.0, d=2.0 / math.sqrt(math.pi)).resolved(lambda scalar: scalar.value)
    x = 0.5
    bars = {
        -1.0: 177.4132 * x**4 - 287.2189 * x**3 + 151.8252 * x**2 - 24.9973 * x + 2.4,
        1.0: 145.930 * x**4 - 131.707 * x**3 + 17.3438 * x**2 + 17.9272 * x + 2.4,
    }
    for v, bar in bars.items():
        assert GasForce2.law(p, 1.0 - x, v) == pytest.approx(-1e5 * bar, rel=1e-14)


def test_a_spring_starts_with_a_relative_acceleration():
    """2 a = −50 φ − 1 ω: the acceleration −5 at the speed 1 is that of φ = 0.18."""
    model = mk.Model()
    model.wall, model.wheel = rot.Fixed(), rot.Inertia(J=2.0)
    model.spring = rot.SpringDamper(c=50.0, d=1.0, w_rel=1.0, a_rel=-5.0)
    model.connect(model.wall.flange, model.spring.flange_a)
    model.connect(model.spring.flange_b, model.wheel.flange_a)
    result = model.simulate(0.01)
    assert result["wheel.phi"][0] == pytest.approx(0.18)
    assert result["spring.a_rel"][0] == pytest.approx(-5.0)
