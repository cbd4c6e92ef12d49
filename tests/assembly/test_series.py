"""Springs and dampers in series on flanges: what is between them has no inertia."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, forces
from motorik import functions as fn
from motorik import rotational as rot
from motorik import translational as tra
from motorik.errors import AssemblyError
from tests.refusals import refused

C, C2, D, M = 50.0, 20.0, 4.0, 1.5
SERIES = C * C2 / (C + C2)


def line(*parts: mk.Part, **start: float) -> mk.Model:
    """Return a wall, parts p0, p1, … in series, and a mass of 1.5 kg that starts at 0.6 m."""
    model = mk.Model()
    model.wall, model.mass = tra.Fixed(), tra.Mass(m=M, **({"s": 0.6} | start))
    last = model.wall.flange
    for k, part in enumerate(parts):
        setattr(model, f"p{k}", part)
        last >> part.flange_a
        last = part.flange_b
    last >> model.mass.flange_a
    return model


def linear(A: np.ndarray, y0: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return the solution of ẏ = A y by eigenvectors."""
    values, vectors = np.linalg.eig(A)
    parts = np.linalg.solve(vectors, y0.astype(complex))
    return ((vectors * parts) @ np.exp(np.outer(values, times))).real


def maxwell(c: float, f0: float, times: np.ndarray) -> np.ndarray:
    """Return force, position and speed of the mass on a spring c and the damper in series."""
    A = np.array([[-c / D, 0.0, c], [0.0, 0.0, 1.0], [-1.0 / M, 0.0, 0.0]])
    return linear(A, np.array([f0, 0.6, 0.0]), times)


# --- springs ------------------------------------------------------------------------------


def test_springs_in_series_swing_as_one():
    model = line(tra.Spring(c=C, s_rel0=0.2), tra.Spring(c=C2, s_rel0=0.1))
    result = model.simulate(20.0, rtol=1e-12)
    omega = np.sqrt(SERIES / M)
    exact = 0.3 + 0.3 * np.cos(omega * result.time)
    assert np.abs(result["mass.s"] - exact).max() < 1e-9
    middle = 0.2 + SERIES / C * (exact - 0.3)
    assert np.abs(result["p0.flange_b.s"] - middle).max() < 1e-9
    speed = -0.3 * omega * SERIES / C * np.sin(omega * result.time)
    assert np.abs(result["p0.v_rel"] - speed).max() < 1e-9
    assert np.abs(result["p0.f"] - SERIES * (exact - 0.3)).max() < 1e-8
    assert np.abs(result["p0.flange_b.f"] + result["p1.flange_a.f"]).max() < 1e-12
    energy = result.energy()
    assert np.ptp(energy["total"]) < 1e-9
    stored = 0.5 * SERIES * (exact - 0.3) ** 2
    assert np.abs(energy["stored"] - stored).max() < 1e-8


@pytest.mark.kinds(3)
@pytest.mark.parametrize("method", ["dopri5", "dop853", "gbs", "adams", "bdf"])
def test_every_method_keeps_the_balance(method):
    model = line(*(tra.Spring(c=c) for c in (10.0, 20.0, 30.0, 15.0, 25.0)))
    result = model.simulate(5.0, rtol=1e-8, method=method)
    c = 1.0 / sum(1.0 / c for c in (10.0, 20.0, 30.0, 15.0, 25.0))
    exact = 0.6 * np.cos(np.sqrt(c / M) * result.time)
    assert np.abs(result["mass.s"] - exact).max() < 2e-6
    for k in range(4):
        assert np.abs(result[f"p{k}.f"] - result[f"p{k + 1}.f"]).max() < 1e-12


def test_a_gear_without_inertia_between_springs():
    model = mk.Model()
    model.one, model.two = rot.Inertia(J=2.0, w=1.0), rot.Inertia(J=0.5)
    model.a, model.b, model.gear = (
        rot.Spring(c=100.0),
        rot.Spring(c=10.0),
        rot.IdealGear(ratio=3.0),
    )
    model.one.flange_b >> model.a.flange_a
    model.a.flange_b >> model.gear.flange_a
    model.gear.flange_b >> model.b.flange_a
    model.b.flange_b >> model.two.flange_a
    result = model.simulate(5.0, rtol=1e-11)
    c = 1.0 / (1.0 / 100.0 + 9.0 / 10.0)  # seen from the fast side
    J = 1.0 / (1.0 / 2.0 + 9.0 / 0.5)
    twist = np.sin(np.sqrt(c / J) * result.time) / np.sqrt(c / J)
    assert np.abs(result["a.tau"] + c * twist).max() < 1e-7
    assert (
        np.abs(result["gear.flange_b.tau"] + 3.0 * result["gear.flange_a.tau"]).max() < 1e-9
    )


# --- dampers ------------------------------------------------------------------------------


def test_a_maxwell_element_relaxes():
    model = mk.Model()
    model.wall, model.end = tra.Fixed(), tra.Fixed(s0=0.7)
    model.spring, model.damper = tra.Spring(c=C, s_rel0=0.1), tra.Damper(d=D)
    model.wall.flange >> model.spring.flange_a
    model.spring.flange_b >> model.damper.flange_a
    model.damper.flange_b >> model.end.flange
    result = model.simulate(1.0, rtol=1e-11, initial={"damper.flange_a.s": 0.5})
    exact = C * 0.4 * np.exp(-C / D * result.time)
    assert np.abs(result["spring.f"] - exact).max() < 1e-9
    assert np.abs(result["end.flange.f"] + exact).max() < 1e-9
    assert np.abs(result["damper.lossPower"] - exact**2 / D).max() < 1e-7


def test_a_maxwell_element_follows_a_harmonic_motion():
    model = mk.Model()
    model.wall, model.drive = tra.Fixed(), tra.Position(exact=True)
    model.sine = blocks.Sine(amplitude=0.1, f=2.0)
    model.spring, model.damper = tra.Spring(c=C), tra.Damper(d=D)
    model.wall.flange >> model.spring.flange_a
    model.spring.flange_b >> model.damper.flange_a
    model.damper.flange_b >> model.drive.flange
    model.sine.y >> model.drive.s_ref
    result = model.simulate(3.0, rtol=1e-11)
    omega = 4.0 * np.pi
    modulus = 1.0 / (1.0 / C + 1.0 / (1j * omega * D))
    steady = (0.1 * modulus * np.exp(1j * omega * result.time)).imag
    exact = steady - steady[0] * np.exp(-C / D * result.time)
    assert np.abs(result["spring.f"] - exact).max() < 1e-8


def test_a_mass_on_a_maxwell_element():
    model = line(tra.Spring(c=C, s_rel0=0.1), tra.Damper(d=D))
    result = model.simulate(5.0, rtol=1e-11, initial={"p0.flange_b.s": 0.3})
    exact = maxwell(C, C * 0.2, result.time)
    assert np.abs(result["p0.f"] - exact[0]).max() < 1e-9
    assert np.abs(result["mass.s"] - exact[1]).max() < 1e-10
    assert np.abs(result["p0.f"] - result["p1.f"]).max() < 1e-12


def test_a_position_that_is_not_given_starts_relaxed():
    result = line(tra.Spring(c=C, s_rel0=0.1), tra.Damper(d=D)).simulate(0.1)
    assert result["p0.f"][0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("given", ["p0.flange_b.s", "p1.flange_b.s", "both"])
def test_a_damper_between_two_springs(given):
    """The sum of the forces on the two points has no damper in it."""
    model = line(tra.Spring(c=C), tra.Damper(d=D), tra.Spring(c=C2))
    start = {"p0.flange_b.s": 0.1, "p1.flange_b.s": 0.2}
    start = start if given == "both" else {given: start[given]}
    result = model.simulate(5.0, rtol=1e-11, initial=start)
    f0 = result["p0.f"][0]
    if given == "p0.flange_b.s":
        assert f0 == pytest.approx(C * 0.1)
    if given == "p1.flange_b.s":
        assert f0 == pytest.approx(C2 * 0.4)
    exact = maxwell(SERIES, f0, result.time)
    assert np.abs(result["p0.f"] - exact[0]).max() < 1e-8
    assert np.abs(result["mass.s"] - exact[1]).max() < 1e-10
    assert np.abs(result["p2.f"] - result["p0.f"]).max() < 1e-12


def test_a_damper_between_two_springs_behind_a_gear():
    model = mk.Model()
    model.wall, model.disc = rot.Fixed(), rot.Inertia(J=M, phi=0.6)
    model.a, model.gear = rot.Spring(c=C), rot.IdealGear(ratio=3.0)
    model.damper, model.b = rot.Damper(d=D), rot.Spring(c=C2)
    model.wall.flange >> model.a.flange_a
    model.a.flange_b >> model.gear.flange_a
    model.gear.flange_b >> model.damper.flange_a
    model.damper.flange_b >> model.b.flange_a
    model.b.flange_b >> model.disc.flange_a
    result = model.simulate(5.0, rtol=1e-11, initial={"b.flange_a.phi": 0.3})
    c = 1.0 / (1.0 / (9.0 * C) + 1.0 / C2)
    exact = maxwell(c, C2 * 0.3, result.time)
    assert np.abs(result["b.tau"] - exact[0]).max() < 1e-8
    assert np.abs(3.0 * result["a.tau"] - exact[0]).max() < 1e-8
    assert np.abs(result["disc.phi"] - exact[1]).max() < 1e-10


def test_two_springs_and_a_damper():
    model = line(tra.Spring(c=C), tra.Spring(c=C2), tra.Damper(d=D))
    result = model.simulate(5.0, rtol=1e-11, initial={"p1.flange_b.s": 0.3})
    exact = maxwell(SERIES, SERIES * 0.3, result.time)
    assert np.abs(result["p0.f"] - exact[0]).max() < 1e-8
    assert np.abs(result["p1.f"] - result["p0.f"]).max() < 1e-12


def test_dampers_in_series_brake_as_one():
    model = line(tra.Damper(d=3.0), tra.Damper(d=6.0), v=1.0)
    result = model.simulate(3.0, rtol=1e-11)
    assert np.abs(result["mass.v"] - np.exp(-2.0 / M * result.time)).max() < 1e-10


@pytest.mark.slow
def test_a_maxwell_element_on_the_flanges_of_a_line():
    one, two = mk.Model(), mk.Model()
    for model in (one, two):
        model.world = mk.World()
        model.body = mk.Body(m=1.0, r_0=(0.3, -0.5, 0.1), v_0=(0.2, 0.0, 0.4))
    one.line, one.spring = forces.LineForceWithMass(), tra.Spring(c=100.0, s_rel0=0.2)
    one.damper = tra.Damper(d=20.0)
    one.line.flange_a >> one.damper.flange_a
    one.damper.flange_b >> one.spring.flange_a
    one.spring.flange_b >> one.line.flange_b
    two.line = forces.SpringDamperSeries(c=100.0, s_unstretched=0.2, d=20.0, s_damper=0.1)
    for model in (one, two):
        model.world.frame_b >> model.line.frame_a
        model.line.frame_b >> model.body.frame_a
    a = one.simulate(1.0, rtol=1e-10, initial={"damper.flange_b.s": 0.1})
    b = two.simulate(1.0, rtol=1e-10)
    assert np.abs(a["body.r_0"] - b["body.r_0"]).max() < 1e-8
    assert np.abs(a["spring.f"] - b["line.f"]).max() < 1e-6


# --- forces from elsewhere ------------------------------------------------------------------


def pushed(law) -> mk.Model:
    """Return two springs and a mass at rest, with a force on the point between them."""
    model = line(tra.Spring(c=30.0), tra.Spring(c=60.0), s=0.0)
    model.force, model.source = tra.Force(), blocks.TimeFunction(f=law)
    model.force.flange >> model.p0.flange_b
    model.source.y >> model.force.f
    return model


def test_a_force_on_the_point():
    result = pushed(lambda t: 9.0 * t).simulate(2.0, rtol=1e-11)
    omega, t = np.sqrt(20.0 / M), result.time
    assert np.abs(result["mass.s"] - 0.3 * (t - np.sin(omega * t) / omega)).max() < 1e-10
    assert np.abs(result["p0.f"] - result["p1.f"] - 9.0 * t).max() < 1e-12


def test_a_force_that_steps_moves_the_point_at_once():
    result = pushed(lambda t: fn.where(t < 0.5, 0.0, 9.0)).simulate(2.0, rtol=1e-11)
    omega, t = np.sqrt(20.0 / M), result.time
    assert 0.5 in t
    exact = np.where(t < 0.5, 0.0, 0.3 * (1.0 - np.cos(omega * (t - 0.5))))
    assert np.abs(result["mass.s"] - exact).max() < 1e-10
    force = np.where(t < 0.5, 0.0, 9.0)
    assert np.abs(result["p0.f"] - result["p1.f"] - force).max() < 1e-12


# --- starts -------------------------------------------------------------------------------


@pytest.mark.slow
def test_many_starts():
    model = line(tra.Spring(c=C), tra.Spring(c=C2))
    for k in range(14):  # from the ninth on in native code
        s = 0.3 + 0.02 * k
        result = model.simulate(
            0.5, rtol=1e-11, initial={"mass.s": s, "p0.flange_b.s": 5.0}
        )
        exact = s * np.cos(np.sqrt(SERIES / M) * result.time)
        assert np.abs(result["mass.s"] - exact).max() < 1e-10


# --- what is refused -----------------------------------------------------------------------


def test_a_force_that_is_not_linear_in_the_speed_is_refused():
    model = line(tra.Spring(c=C), tra.Spring(c=C2))
    model.fan = tra.QuadraticSpeedDependentForce(f_nominal=-1.0, v_nominal=1.0)
    model.fan.flange >> model.p0.flange_b
    with refused(AssemblyError, "flange", "has no mass", "not linear in its speed", "mass"):
        model.compile()


def test_forces_that_do_not_depend_on_the_point_are_refused():
    model = line(tra.Spring(c=C))
    model.a, model.b = tra.ConstantForce(f_constant=1.0), tra.ConstantForce(f_constant=-1.0)
    model.a.flange >> model.b.flange
    with refused(AssemblyError, "a.flange", "no force on it depends on its position"):
        model.compile()


def test_a_force_by_the_speed_of_another_part_is_refused():
    model = line(tra.Spring(c=C), tra.Spring(c=C2))
    model.force, model.seen, model.gain = tra.Force(), tra.SpeedSensor(), blocks.Gain(k=1.0)
    model.force.flange >> model.p0.flange_b
    model.seen.flange >> model.mass.flange_b
    model.seen.v >> model.gain.u
    model.gain.y >> model.force.f
    with refused(AssemblyError, "flange", "speeds of other parts"):
        model.compile()
