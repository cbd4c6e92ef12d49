"""Errors are judged by how far things move: not by where they are, nor by how fast as a whole.

Each vibration has a closed form; rest and energy are the second route elsewhere.
"""

from __future__ import annotations

from functools import cache
from math import pi, sqrt

import numpy as np
import pytest

import motorik as mk
from motorik import forces, joints, planar, rotational, translational
from motorik.results import Result
from motorik.simulation.stiffness import (
    BETWEEN,
    Krylov,
    damping_of,
    dominant_eigenvalue,
    first_vector,
    make_memory,
)

STIFFNESS = 1e4
OMEGA = sqrt(2.0 * STIFFNESS)  # of two equal masses of 1 kg
SPAN = 3.0  # about 68 periods
NEAR = 5e-4  # of the amplitude
SCATTER = {"dopri5": 4, "adams": 12}  # steps of adams change by factors of 2


# --- vibration on top of a large motion ---------------------------------------------------------


@cache
def wagons() -> mk.Model:
    """Return two wagons of 1 kg on a spring of 0.5 m."""
    model = mk.Model()
    model.a = translational.Mass(m=1.0, s=0.0, v=0.0)
    model.spring = translational.Spring(c=STIFFNESS, s_rel0=0.5)
    model.b = translational.Mass(m=1.0, s=0.5, v=0.0)
    model.connect(model.a.flange_b, model.spring.flange_a)
    model.connect(model.spring.flange_b, model.b.flange_a)
    return model


@cache
def shaft() -> mk.Model:
    """Return two discs of 1 kg·m² on a shaft."""
    return new_shaft()


def new_shaft() -> mk.Model:
    model = mk.Model()
    model.a = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
    model.spring = rotational.Spring(c=STIFFNESS)
    model.b = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
    model.connect(model.a.flange_b, model.spring.flange_a)
    model.connect(model.spring.flange_b, model.b.flange_a)
    return model


def error_of(relative: np.ndarray, time: np.ndarray, amplitude: float) -> float:
    """Return the error of a vibration that begins at its amplitude, as a part of it."""
    return float(np.abs(relative - amplitude * np.cos(OMEGA * time)).max()) / amplitude


def run_wagons(
    v: float, amplitude: float, at: float = 0.0, **options
) -> tuple[float, Result]:
    """Return the error of wagons that vibrate at the speed v, and the run."""
    start = {"a.s": at, "b.s": at + 0.5 + amplitude, "a.v": v, "b.v": v}
    result = wagons().simulate(SPAN, initial=start, output=300, **options)
    exact = (at + 0.5 + amplitude) - at - 0.5  # as the numbers are rounded
    return error_of(result["spring.s_rel"] - 0.5, result.time, exact), result


@pytest.mark.parametrize("method", ["auto", "dopri5", "gbs", "adams"])
@pytest.mark.parametrize("v", [0.0, 1.0, 50.0, 7500.0])
def test_a_constant_speed_changes_no_vibration(v, method):
    error, result = run_wagons(v, 1e-3, method=method)
    assert result.complete and error < NEAR * SCATTER.get(method, 1)
    assert result.info.switches == ()


@pytest.mark.parametrize("at", [-1e3, 1e5])
def test_the_origin_changes_no_vibration(at):
    error, result = run_wagons(0.0, 1e-3, at)
    assert error < NEAR
    assert result.info.steps == pytest.approx(run_wagons(0.0, 1e-3)[1].info.steps, rel=0.05)


@pytest.mark.parametrize("v", [0.0, 50.0])
@pytest.mark.parametrize("amplitude", [1e-1, 1e-3, 1e-5, 1e-7])
def test_small_vibrations_are_as_exact_as_large_ones(amplitude, v):
    rounding = 1e3 * 2.2e-16 * max(0.5, v * SPAN) / amplitude
    assert run_wagons(v, amplitude)[0] < NEAR + rounding


@pytest.mark.parametrize(("w", "turns"), [(0.0, 0), (1000.0, 0), (1e4, 0), (0.0, 1000)])
def test_a_constant_rotation_and_full_turns_change_no_torsion(w, turns):
    amplitude, phi = 1e-3, 2.0 * pi * turns
    start = {"a.phi": phi, "b.phi": phi + amplitude, "a.w": w, "b.w": w}
    result = shaft().simulate(SPAN, initial=start, output=300)
    exact = (phi + amplitude) - phi
    assert error_of(result["spring.phi_rel"], result.time, exact) < NEAR


@pytest.mark.parametrize("w", [0.0, 300.0])
def test_a_drive_of_a_planar_joint_on_a_turning_body(w):
    model = planar.Model()
    model.ground = planar.Ground(ports={"O": (0, 0)})
    model.a = planar.Body(m=1.0, I=1.0, ports={"O": (0, 0)}, theta=0.0, w=w)
    model.b = planar.Body(m=1.0, I=1.0, ports={"O": (0, 0)}, theta=0.01, w=w)
    model.inner = planar.Revolute()
    model.outer = planar.Revolute(drive=lambda t, phi, w: -STIFFNESS * phi)
    model.connect(model.ground.O, model.inner.frame_a)
    model.connect(model.inner.frame_b, model.a.O)
    model.connect(model.a.O, model.outer.frame_a)
    model.connect(model.outer.frame_b, model.b.O)
    result = model.simulate(SPAN, output=300)
    assert error_of(result["outer.phi"], result.time, 0.01) < NEAR


@pytest.mark.parametrize(("at", "v"), [((0, 0, 0), 0.0), ((1e4, -2e3, 0), 1e3)])
def test_a_spring_between_bodies_that_fly(at, v):
    model = mk.Model()
    model.world = mk.World(gravityType="none")
    x, y, z = at
    model.a = mk.PointMass(m=1.0, r_0=(x, y, z), v_0=(v, v, 0))
    model.b = mk.PointMass(m=1.0, r_0=(x + 0.501, y, z), v_0=(v, v, 0))
    model.spring = forces.Spring(c=STIFFNESS, s_unstretched=0.5)
    model.connect(model.a.frame_a, model.spring.frame_a)
    model.connect(model.spring.frame_b, model.b.frame_a)
    result = model.simulate(SPAN, output=300)
    exact = (x + 0.501) - x - 0.5
    assert error_of(result["spring.s"] - 0.5, result.time, exact) < NEAR


def test_copies_side_by_side_change_nothing():
    """One pair vibrates by 1e-5 m; others rest, roll fast, or swing by a metre."""
    model = mk.Model()
    amplitude = 1e-5
    for name, apart, v in (
        ("small", amplitude, 0.0),
        ("resting", 0.0, 0.0),
        ("fast", 0.0, 300.0),
        ("large", 1.0, 0.0),
    ):
        a = translational.Mass(m=1.0, s=0.0, v=v)
        b = translational.Mass(m=1.0, s=0.5 + apart, v=v)
        spring = translational.Spring(c=STIFFNESS, s_rel0=0.5)
        for part, own in (("a", a), ("b", b), ("spring", spring)):
            setattr(model, f"{name}_{part}", own)
        model.connect(a.flange_b, spring.flange_a)
        model.connect(spring.flange_b, b.flange_a)
    result = model.simulate(SPAN, output=300)
    exact = (0.5 + amplitude) - 0.5
    for name, far in (("small", exact), ("large", 1.0)):
        relative = result[f"{name}_spring.s_rel"] - 0.5
        assert error_of(relative, result.time, far) < 2.0 * NEAR


# --- the method that is chosen ------------------------------------------------------------------


@pytest.mark.parametrize("rtol", [1e-3, 1e-4, 1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("v", [0.0, 50.0])
def test_an_undamped_oscillator_keeps_its_energy(rtol, v):
    _, result = run_wagons(v, 1e-2, rtol=rtol)
    stretch = result["spring.s_rel"] - 0.5
    speed = result["b.v"] - result["a.v"]
    energy = 0.5 * STIFFNESS * stretch**2 + 0.25 * speed**2
    periods = SPAN * OMEGA / (2.0 * pi)
    assert np.abs(energy / energy[0] - 1.0).max() < 40.0 * periods * rtol
    assert "bdf" not in [name for _, name in result.info.switches]


@cache
def damped() -> mk.Model:
    """Return a mass on a stiff damper and a soft spring, pushed to and fro."""
    model = mk.Model()
    model.wall = translational.Fixed()
    model.link = translational.SpringDamper(c=10.0, d=mk.Parameter(1e5), s_rel0=0.0)
    model.mass = translational.Mass(m=1.0, s=1.0, v=0.0)
    model.connect(model.wall.flange, model.link.flange_a)
    model.connect(model.link.flange_b, model.mass.flange_a)
    return model


def test_damping_is_left_to_an_implicit_method():
    result = damped().simulate(1e4, output=50)
    assert result.info.method == "bdf" and result.info.steps < 500
    np.testing.assert_allclose(result["mass.s"], np.exp(-1e-4 * result.time), atol=1e-4)


@pytest.mark.slow
def test_many_steps_of_the_implicit_method_by_auto():
    """Its pauses are as short as the looks for the end of damping, however long it goes on."""
    model = mk.Model()
    model.sine = mk.blocks.Sine(amplitude=1.0, f=1.0)
    model.drive = translational.Position(exact=True)
    model.connect(model.sine.y, model.drive.s_ref)
    model.link = translational.SpringDamper(c=10.0, d=1e5, s_rel0=0.0)
    model.mass = translational.Mass(m=1.0, s=0.0, v=0.0)
    model.connect(model.drive.flange, model.link.flange_a)
    model.connect(model.link.flange_b, model.mass.flange_a)
    result = model.simulate(75.0, output=100, rtol=1e-8)
    assert result.info.method == "bdf" and result.info.steps > 400 * BETWEEN
    sine = np.sin(2.0 * np.pi * result.time)
    np.testing.assert_allclose(result["mass.s"], sine, atol=2e-3)


def test_the_explicit_method_returns_when_damping_ends():
    simulator = damped().simulator(method="auto")
    simulator.step(1e3)
    assert [name for _, name in simulator._run.statistics.switches] == ["bdf"]
    simulator["link.d"] = 0.0
    simulator.step(2e3)
    assert simulator._run.statistics.method == "dop853"


def matrix_of(seed: int, damping: float, n: int = 8) -> np.ndarray:
    """Return the matrix of a chain of masses with springs and dampers, and one stiff link."""
    random = np.random.default_rng(seed)
    stiff = random.uniform(1.0, 100.0, n)
    stiff[random.integers(n)] = 1e6
    damp = damping * np.sqrt(stiff) * 2.0
    D = np.eye(n) - np.eye(n, k=-1)
    mass = random.uniform(0.5, 2.0, n)
    K, C = (D.T @ np.diag(own) @ D / mass[:, None] for own in (stiff, damp))
    return np.block([[np.zeros((n, n)), np.eye(n)], [-K, -C]])


def dominant_of(A: np.ndarray) -> complex:
    """Return the eigenvalue of largest size of a matrix as the kernel estimates it."""
    n = len(A)

    def rates(t, x, p, out):
        out[:n] = A @ x[:n]

    memory = make_memory(n)
    own = memory[Krylov.VECTORS :]
    own[:n], own[n : 2 * n] = first_vector(n), 1.0
    dominant_eigenvalue(n, rates, np.zeros(1), np.zeros(n), np.zeros(1), memory)
    return complex(*memory[:2])


@pytest.mark.parametrize("damping", [0.0, 0.3, 3.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_dominant_eigenvalue_is_that_of_the_matrix(seed, damping):
    A = matrix_of(seed, damping)
    values = np.linalg.eigvals(A)
    expected = values[np.argmax(np.abs(values))]
    found = dominant_of(A)
    assert abs(found) == pytest.approx(abs(expected), rel=0.01)
    assert damping_of(found) == pytest.approx(damping_of(complex(expected)), abs=0.02)


def test_no_eigenvalue_of_a_system_that_does_not_change():
    assert dominant_of(np.zeros((3, 3))) == 0j
    assert damping_of(0j) == 0.0


# --- rest ---------------------------------------------------------------------------------------


class Plate(mk.Model):
    """A plate that hangs at rest on three rods; on an even `triangle` nothing is skew."""

    def build(self, m=2.0, I=0.1, length=1.0, triangle=None) -> None:
        self.world = mk.World()
        self.plate = mk.Body(m=m, I_11=I, I_22=I, I_33=I, r_0=mk.guess((0, -length, 0)))
        points = [(-0.5, 0, -0.5), (0.5, 0, -0.5), (0, 0, 0.5)]
        if triangle is not None:
            turns = [triangle + 2 * pi * k / 3 for k in range(3)]
            points = [(0.5 * np.cos(a), 0.0, 0.5 * np.sin(a)) for a in turns]
        self.above = [mk.Fixed(r=p) for p in points]
        self.below = [mk.FixedTranslation(r=p) for p in points]
        self.rods = [joints.SphericalSpherical(rodLength=length) for _ in points]
        for above, below, rod in zip(self.above, self.below, self.rods, strict=True):
            self.connect(above.frame_b, rod.frame_a)
            self.connect(rod.frame_b, below.frame_b)
            self.connect(below.frame_a, self.plate.frame_a)


@pytest.fixture(scope="module")
def plate() -> mk.Model:
    return Plate()


@pytest.fixture(scope="module")
def even_plate() -> mk.Model:
    return Plate(m=2.129, I=0.0149, length=0.1979, triangle=0.7)


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "dopri5", "gbs", "adams", "bdf"])
def test_a_loop_at_rest_takes_few_steps(plate, method):
    result = plate.simulate(10.0, method=method)
    assert result.complete and result.info.steps <= 50
    assert np.ptp(result["plate.frame_a.r_0"], axis=0).max() < 1e-12


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "dopri5", "gbs", "adams", "bdf"])
def test_an_even_load_at_rest_takes_few_steps(even_plate, method):
    """All roundings cancel, so that the plate moves by far less than the rounding of a length."""
    result = even_plate.simulate(3.0, method=method)
    assert result.complete and result.info.steps <= 400  # its fastest mode turns at 42 1/s


@pytest.mark.slow
@pytest.mark.parametrize("stop", [1e2, 1e6])
def test_rest_has_no_length_for_an_implicit_method(plate, stop):
    result = plate.simulate(stop, method="bdf")
    assert result.complete and result.info.steps <= 50
    assert np.ptp(result["plate.frame_a.r_0"], axis=0).max() < 1e-9


def test_a_fast_mode_at_rest_is_passed_by():
    """A turning shaft whose twist is that of its load: nothing vibrates, for hours."""
    model = new_shaft()
    twist = 0.123456789
    model.push = rotational.ConstantTorque(tau_constant=STIFFNESS * twist)
    model.pull = rotational.ConstantTorque(tau_constant=-STIFFNESS * twist)
    model.connect(model.push.flange, model.b.flange_b)
    model.connect(model.pull.flange, model.a.flange_a)
    start = {"b.phi": twist, "a.w": 100.0, "b.w": 100.0}
    result = model.simulate(1e4, initial=start, output=20)
    assert result.complete and result.info.steps < 450_000  # 420 000 are stable
    np.testing.assert_allclose(result["spring.phi_rel"], twist, rtol=0, atol=1e-3)


# --- steps of fixed size ------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["euler", "rk4"])
def test_steps_that_are_too_long_to_be_stable_end_the_run(method):
    with pytest.warns(mk.IncompleteRunWarning, match="grows without bound"):
        result = wagons().simulate(
            5.0, initial={"b.s": 0.501}, method=method, step=0.05, output=10
        )
    assert not result.complete and "step" in result.info.message
