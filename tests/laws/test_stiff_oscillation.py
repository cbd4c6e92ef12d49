"""Stiff oscillation: Radau IIA, its linear equations, and the method that `auto` takes."""

from __future__ import annotations

from functools import cache

import casadi
import numpy as np
import pytest

import motorik as mk
from motorik import forces, rotational, translational
from motorik.gallery import PlanarFourbar
from motorik.simulation.methods import METHODS
from motorik.simulation.methods.radau import BELOW, ERROR, GAMMA, NODES, STAGES, A


def beam(n: int, damping: float = 0.0, links: tuple[float, float] = (1.0, 1.0)) -> mk.Model:
    """Return a cantilever of n links on springs, of 1 kg, 1 m and EI = 1 N·m².

    Masses and springs grow along it by the factors `links`.
    """
    model = mk.Model()
    model.world = mk.World(n="-y")
    length = 1.0 / n
    end = model.world.frame_b
    for k in range(n):
        m, c = (f ** (k / n) * own for f, own in zip(links, (1.0 / n, n), strict=True))
        I = m * length**2 / 12.0
        hinge = mk.Revolute(n="z", useAxisFlange=True)
        body = mk.Body(m=m, r_CM=(length / 2.0, 0, 0), I_11=I, I_22=I, I_33=I)
        rod = mk.FixedTranslation(r=(length, 0, 0))
        spring = rotational.SpringDamper(c=c, d=damping * c)
        for name, part in (("hinge", hinge), ("body", body), ("rod", rod), ("s", spring)):
            setattr(model, f"{name}{k}", part)
        end >> hinge.frame_a
        hinge.frame_b >> body.frame_a
        hinge.frame_b >> rod.frame_a
        hinge.support >> spring.flange_a
        hinge.axis >> spring.flange_b
        end = rod.frame_b
    return model


@cache
def long_beam() -> mk.Model:
    """Return a beam of which equal links share their code."""
    return beam(60, 1e-5, links=(3.0, 0.5))


def chain(seed: int) -> mk.Model:
    """Return a chain of masses on springs of very different stiffness along a line."""
    random = np.random.default_rng(seed)
    model = mk.Model()
    model.wall = translational.Fixed()
    end = model.wall.flange
    for k in range(int(random.integers(2, 7))):
        spring = translational.Spring(c=10.0 ** random.uniform(0, 4), s_rel0=0.3)
        mass = translational.Mass(m=random.uniform(0.5, 2.0), s=0.3 * (k + 1), v=0.0)
        if k == 0:
            mass = translational.Mass(m=1.0, s=0.33, v=random.uniform(-1.0, 1.0))
        setattr(model, f"spring{k}", spring)
        setattr(model, f"mass{k}", mass)
        end >> spring.flange_a
        spring.flange_b >> mass.flange_a
        end = mass.flange_b
    return model


def net(seed: int) -> mk.Model:
    """Return bodies in space, held by springs to the ground and to each other."""
    random = np.random.default_rng(seed)
    model = mk.Model()
    model.world = mk.World(n="-y")
    frames = [model.world.frame_b]
    for k in range(3):
        body = mk.Body(
            m=random.uniform(0.5, 2.0),
            r_0=tuple(random.uniform(0.5, 1.5, 3)),
            v_0=(0, 0, 0),
        )
        setattr(model, f"body{k}", body)
        for j, frame in enumerate(frames):
            spring = forces.Spring(c=10.0 ** random.uniform(1, 4), s_unstretched=0.8)
            setattr(model, f"spring{j}_{k}", spring)
            frame >> spring.frame_a
            spring.frame_b >> body.frame_a
        frames.append(body.frame_a)
    return model


def loop(seed: int) -> mk.Model:
    """Return a four-bar with a stiff spring across it."""
    random = np.random.default_rng(seed)
    model = PlanarFourbar(damping=0.0)
    model.across = forces.Spring(c=10.0 ** random.uniform(2, 4), s_unstretched=0.8)
    model.body3.frame_b >> model.across.frame_a
    model.body1.frame_b >> model.across.frame_b
    return model


def arch(seed: int) -> mk.Model:
    """Return a beam of a few links whose other end is held, too: a loop that vibrates."""
    n = 4 + seed % 2
    model = beam(n)
    model.foot = mk.FixedTranslation(r=(0.8, 0, 0))
    model.joint = mk.Revolute(n="z")
    model.world.frame_b >> model.foot.frame_a
    model.foot.frame_b >> model.joint.frame_a
    getattr(model, f"rod{n - 1}").frame_b >> model.joint.frame_b
    return model


def lattice(seed: int) -> mk.Model:
    """Return nine masses on springs along sides and diagonals, somewhat out of place."""
    random = np.random.default_rng(seed)
    model = mk.Model()
    model.world = mk.World(g=0.0)
    places = [(i, j) for i in range(3) for j in range(3)]
    for i, j in places:
        x, y, z = np.array([0.5 * i, 0.5 * j, 0.0]) + random.normal(scale=0.03, size=3)
        setattr(model, f"mass{i}{j}", mk.PointMass(m=1.0, r_0=(x, y, z), v_0=(0, 0, 0)))
    for i, j in places:
        for a, b in ((i + 1, j), (i, j + 1), (i + 1, j + 1)):
            if (a, b) in places:
                length = 0.5 * float(np.hypot(a - i, b - j))
                spring = forces.Spring(c=400.0, s_unstretched=length)
                setattr(model, f"spring{i}{j}_{a}{b}", spring)
                getattr(model, f"mass{i}{j}").frame_a >> spring.frame_a
                spring.frame_b >> getattr(model, f"mass{a}{b}").frame_a
    return model


MECHANISMS = {
    **{"beam": lambda k: beam(4 + 2 * k), "chain": chain, "net": net, "loop": loop},
    **{"arch": arch, "lattice": lattice},
}


# --- the method ------------------------------------------------------------------------------


def test_the_table_is_that_of_collocation():
    for k in range(1, STAGES + 1):
        powers = np.array(NODES) ** (k - 1)
        np.testing.assert_allclose(
            np.array(A) @ powers, np.array(NODES) ** k / k, atol=1e-14
        )
    # the error is the difference to a formula of order 3 with γ of the first rate
    weights = np.array(ERROR) @ np.linalg.inv(A)  # of h F, as Z = h A F
    inverse = np.array(ERROR) @ np.array(A)
    for k in range(3):
        expected = -1.0 if k == 0 else 0.0
        assert inverse @ np.array(NODES) ** k == pytest.approx(expected, abs=1e-12)
    assert np.isfinite(weights).all()


@pytest.mark.parametrize("angle", [90, 120, 150, 180])
def test_newtons_method_converges_for_every_decay_and_vibration(angle):
    B = GAMMA * np.eye(STAGES)
    for row, below in enumerate(BELOW):
        B[row, : len(below)] += below
    B = np.tril(B)
    for size in np.logspace(-3, 6, 200):
        z = size * np.exp(1j * np.pi * angle / 180.0)
        left = np.linalg.solve(np.eye(STAGES) - z * B, z * (np.array(A) - B))
        assert abs(np.linalg.eigvals(left)).max() < 0.24


def test_radau_agrees_with_an_explicit_method():
    model, fine = beam(6, 1e-4), {"rtol": 1e-10, "output": 40}
    known = model.simulate(1.0, method="dop853", **fine)["hinge5.phi"]
    errors = [
        np.abs(model.simulate(1.0, method="radau", rtol=r, output=40)["hinge5.phi"] - known)
        for r in (1e-4, 1e-7)
    ]
    assert errors[0].max() < 1e-3 * np.ptp(known)
    assert errors[1].max() < 1e-7 * np.ptp(known)


# --- linear equations along freedoms ---------------------------------------------------------


def test_armatures_enter_the_mass_matrix():
    system = long_beam().compile()
    n, random = system.layout.n_u, np.random.default_rng(1)
    q, sigma, tau = (
        random.uniform(-1, 1, n),
        random.uniform(0, 1e-3, n),
        random.normal(size=n),
    )
    p = system.parameter_values()
    x = np.concatenate([q, np.zeros(n)])
    M = np.reshape(system.mass_matrix(q, p), (n, n)) + np.diag(sigma)
    expected = np.linalg.solve(M, tau)
    given = np.concatenate([sigma, tau]), x, p
    straight = np.array(system.function("armature_response")(*map(casadi.DM, given)))
    for found in (np.ravel(system.armature_response(*given)), straight[:, 0]):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * abs(expected).max())


def test_stiffness_is_the_slope_of_the_generalised_forces():
    system = long_beam().compile()
    n, random = system.layout.n_u, np.random.default_rng(2)
    p, q, u = system.parameter_values(), random.uniform(-1, 1, n), random.uniform(-1, 1, n)
    given = np.ravel(system.stiffness(0.0, np.concatenate([q, u]), p))
    springs = 60.0 * 0.5 ** (np.arange(n) / n)
    np.testing.assert_allclose(given[:n], springs, rtol=1e-12)
    np.testing.assert_allclose(given[n:], 1e-5 * springs, rtol=1e-12)


def test_both_ways_to_solve_give_the_same_run(monkeypatch):
    """Of a beam of 48 links, once along its freedoms and once by the Jacobian."""
    stop, options = 0.05, {"method": "radau", "rtol": 1e-5, "output": 20}
    names = ("hinge0.phi", "hinge59.phi")
    short = long_beam().simulate(stop, **options)
    assert short.info.jacobians == 0
    monkeypatch.setattr("motorik.stored.facts.RunFacts.solves_along_freedoms", False)
    dense = beam(60, 1e-5, links=(3.0, 0.5)).simulate(stop, **options)
    assert dense.info.jacobians > 0
    for name in names:
        near = 1e-4 * np.ptp(dense[name])
        np.testing.assert_allclose(short[name], dense[name], rtol=0, atol=near)


# --- the energy of vibrations ----------------------------------------------------------------


@pytest.mark.kinds(4)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", MECHANISMS)
def test_no_vibration_is_damped_by_the_method(kind, seed):
    result = MECHANISMS[kind](seed).simulate(3.0)
    energy = result.energy()
    size = np.ptp(energy["kinetic"])
    assert result.complete
    assert "bdf" not in [name for _, name in result.info.switches]
    assert np.ptp(energy["total"]) < 1e-4 * size


@pytest.mark.kinds(12)
@pytest.mark.slow
@pytest.mark.parametrize("rtol", [1e-2, 1e-3, 1e-4, 1e-6])
@pytest.mark.parametrize("method", ["auto", "radau", "dop853", "gbs"])
@pytest.mark.parametrize("kind", MECHANISMS)
def test_a_swing_changes_the_energy_by_the_tolerance_at_most(kind, method, rtol):
    """Over hundreds of swings, by up to 2.9 tolerances of the kinetic energy, as measured."""
    result = MECHANISMS[kind](0).simulate(20.0, method=method, rtol=rtol, output=4000)
    energy = result.energy()
    kinetic = np.asarray(energy["kinetic"])
    peaks = (kinetic[1:-1] > kinetic[:-2]) & (kinetic[1:-1] > kinetic[2:])
    swings = peaks.sum() / 2.0
    assert result.complete and swings > 5
    assert np.ptp(energy["total"]) < 4.0 * rtol * swings * np.ptp(kinetic)


def test_radau_keeps_the_energy_that_its_tolerance_sees():
    energy = beam(8).simulate(1.0, method="radau").energy()
    assert np.ptp(energy["total"]) < 1e-6 * np.ptp(energy["kinetic"])


# --- the method that is chosen ---------------------------------------------------------------


def test_what_vibrates_with_little_damping_is_never_left_to_backward_differentiation():
    model = long_beam()
    known = model.simulate(0.1, method="dop853", rtol=1e-8, output=20)["hinge59.phi"]
    result = model.simulate(0.1, rtol=1e-3, output=20)
    assert result.complete
    assert {name for _, name in result.info.switches} <= {"radau", "dop853"}
    np.testing.assert_allclose(
        result["hinge59.phi"], known, rtol=0, atol=2e-2 * np.ptp(known)
    )


def test_long_undamped_beams_are_left_to_the_method_that_is_cheaper():
    """At loose tolerances Radau's steps are long, at fine ones its code would be in vain."""
    model = beam(60)
    loose = model.simulate(0.5, rtol=1e-2)
    assert loose.info.switches[-1][1] == "radau"
    assert loose.info.steps < model.simulate(0.5, rtol=1e-2, method="dop853").info.steps / 5
    assert not model.simulate(0.5, rtol=1e-6).info.switches


def oscillator() -> mk.Model:
    """Return a mass on a stiff spring with some damping, and a soft one behind it."""
    model = mk.Model()
    model.wall = translational.Fixed()
    model.near = translational.SpringDamper(
        c=mk.Parameter(1e8), d=mk.Parameter(1e4), s_rel0=0.5
    )
    model.first = translational.Mass(m=1.0, s=0.5, v=0.0)
    model.far = translational.Spring(c=10.0, s_rel0=0.5)
    model.last = translational.Mass(m=1.0, s=1.2, v=0.0)
    model.wall.flange >> model.near.flange_a
    model.near.flange_b >> model.first.flange_a
    model.first.flange_b >> model.far.flange_a
    model.far.flange_b >> model.last.flange_a
    return model


def test_auto_goes_to_radau_and_returns_when_stiffness_ends():
    simulator = oscillator().simulator(method="auto")
    simulator.step(20.0)
    run = simulator._run
    assert [name for _, name in run.statistics.switches] == ["radau"]
    expected = 1.0 + 0.2 * np.cos(np.sqrt(10.0) * 20.0)
    assert simulator["last.s"] == pytest.approx(expected, abs=1e-3)
    simulator["near.c"], simulator["near.d"] = 1.0, 0.0
    simulator.step(400.0)
    assert simulator._run.statistics.method == "dop853"


def test_radau_is_a_method_like_the_others():
    assert "radau" in METHODS and METHODS["radau"].adaptive
    assert METHODS["radau"].order == 5
