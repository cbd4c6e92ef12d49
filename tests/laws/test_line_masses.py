"""Laws of masses on lines: as functions of their frames they move as free bodies on rows do."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import (
    BodyBox,
    Fixed,
    FixedTranslation,
    Model,
    Parameter,
    PointMass,
    Prismatic,
    Revolute,
    World,
)
from motorik.assemblies import JointSSP, JointSSR
from motorik.compiled_model import CompiledModel
from motorik.components.forces.line_masses import MassBetween, MassTowards
from motorik.errors import AssemblyError
from motorik.forces import Spring
from motorik.initialisation.initialise import initialise
from tests.covering import each_once
from tests.laws.coupled_loops import FourBar, arm
from tests.laws.line_masses import MODELS, make

STRATEGIES = ("explicit", "projected", "baumgarte", "absolute")
WATCHED = (
    "arm_link0.frame_b.r_0",
    "hand_link1.frame_b.r_0",
    "swing.lever.frame_b.r_0",
    "line0.frame_a.f",
    "line0.frame_b.f",
    "arm_hinge0.frame_a.f",
    "arm_hinge0.frame_a.t",
)
NOTHING = np.zeros(0)


def watched(model: Model, strategy: str) -> dict[str, np.ndarray]:
    result = model.simulate(0.3, rtol=1e-11, output=5, strategy=strategy)
    names = [name for name in WATCHED if name.split(".")[0] in model.parts]
    return {name: np.asarray(result[name]) for name in names}


def agree(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    assert one.keys() == other.keys()
    for name, values in other.items():
        size = np.abs(values).max()
        assert np.abs(one[name] - values).max() < 2e-9 * size, name


@pytest.mark.slow
@pytest.mark.kinds(1)
@pytest.mark.parametrize(("kind", "seed"), each_once(MODELS, range(2)))
def test_they_move_and_load_their_frames_as_free_bodies_do(kind, seed):
    count = 1 + seed % 2
    free = watched(make(kind, seed, True, count), "auto")
    agree(watched(make(kind, seed, False, count), "auto"), free)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(("kind", "strategy"), each_once(["in space", "loops"], STRATEGIES))
def test_all_strategies_agree_with_free_bodies(kind, strategy):
    seed = STRATEGIES.index(strategy)
    free = watched(make(kind, seed, True), "auto")
    agree(watched(make(kind, seed, False), strategy), free)


def energies(model: Model) -> np.ndarray:
    """Return the energy of all bodies and masses in rows of time."""
    result = model.simulate(1.0, rtol=1e-10, output=20)
    names = [
        n for n in result.names() if n.endswith(("kinetic_energy", "potential_energy"))
    ]
    assert {"line0.kinetic_energy", "line0.potential_energy"} <= set(names)
    return np.array([np.asarray(result[name]) for name in names])


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("seed", range(1))
def test_energy_is_kept(kind, seed):
    parts = energies(make(kind, seed, False, 2))
    total = parts.sum(axis=0)
    assert np.ptp(parts, axis=1).max() > 0.1
    assert np.ptp(total) < 1e-7 * np.abs(parts).max()


def test_the_energy_of_the_system_is_that_of_its_parts():
    model = make("tree", 1, False, 2)
    system = model.compile()
    result = model.simulate(0.2, output=1)
    x = np.array([np.asarray(result[name])[-1] for name in system.state_names])
    kinetic, potential, _ = system.energy(np.zeros(1), x, NOTHING)
    for whole, ending in ((kinetic, "kinetic_energy"), (potential, "potential_energy")):
        names = [name for name in result.names() if name.endswith(ending)]
        parts = [float(np.asarray(result[name])[-1]) for name in names]
        assert whole == pytest.approx(sum(parts), rel=1e-12)


# --- the equations ----------------------------------------------------------------------------


def any_state(
    system: CompiledModel, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=system.n_q), *rng.normal(size=(2, system.n_u))


@pytest.mark.kinds(2)
@pytest.mark.parametrize("seed", range(6))
def test_forward_and_inverse_dynamics_of_trees_undo_each_other(seed):
    system = make("tree", seed, False, 2).compile()
    q, u, tau = any_state(system, seed)
    rates = system.forward_dynamics(q, u, tau, NOTHING)
    needed = system.inverse_dynamics(q, u, rates, NOTHING)
    assert needed == pytest.approx(tau, rel=1e-9, abs=1e-9)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("kind", MODELS)
def test_the_mass_matrix_is_that_of_the_kinetic_energy(kind):
    system = make(kind, 3, False, 2).compile()
    q, u, _ = any_state(system, 3)
    n, p = system.n_u, np.zeros(system.layout.n_branch_parameters)
    M = system.mass_matrix(q, p).reshape(n, n)
    kinetic = system.energy(np.zeros(1), np.concatenate([q, u]), p)[0]
    assert 0.5 * u @ M @ u == pytest.approx(kinetic, rel=1e-12)
    one, two = (system.inverse_dynamics(q, u, ud, p) for ud in (u, 0 * u))
    assert one - two == pytest.approx(M @ u, rel=1e-9, abs=1e-9)


# --- what stays as it is ----------------------------------------------------------------------


class OnSpring(Model):
    """Two links, the second on a spring with a mass that leads to the world."""

    def build(self, spring):
        self.world = World()
        self.one, self.two = Revolute(n="z", phi=0.3), Revolute(n="z", phi=0.4)
        self.upper, self.lower = (BodyBox(r=(0.5, 0, 0), width=0.05) for _ in range(2))
        self.hook = Fixed(r=(0.4, 0.9, 0.0))
        self.spring = spring
        self.world.frame_b >> self.one.frame_a
        self.one.frame_b >> self.upper.frame_a
        self.upper.frame_b >> self.two.frame_a
        self.two.frame_b >> self.lower.frame_a
        self.hook.frame_b >> self.spring.frame_a
        self.lower.frame_b >> self.spring.frame_b


def test_a_tree_with_a_heavy_spring_stays_a_tree():
    model = OnSpring(spring=Spring(c=20.0, m=0.4))
    system = model.compile()
    assert system.formulation.is_empty and not system.mechanism.closures
    assert system.state_names == ["one.phi", "two.phi", "one.w", "two.w"]
    assert "spring.mass" in model.explain()


class Pushed(Model):
    """A crank that pushes a slider, or swings a lever, by a rod with mass."""

    def build(self, assembly):
        self.world = World()
        self.crank = Revolute(n="x", phi=0.4, w=3.0, stateSelect="always")
        self.arm = BodyBox(r=(0, 0.2, 0.1), width=0.05)
        self.place = FixedTranslation(r=(1.2, 0.1, 0.0))
        self.assembly = assembly
        self.load = PointMass(m=0.5)
        self.world.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.arm.frame_a
        self.arm.frame_b >> self.assembly.frame_a
        self.world.frame_b >> self.place.frame_a
        self.place.frame_b >> self.assembly.frame_b
        self.assembly.frame_im >> self.load.frame_a


ASSEMBLIES = {
    "SSP": lambda m: JointSSP(
        rod1Length=1.0, rod1Mass=m, n_b=(1, 0, 0), rRod2_ib=(0.0, 0.05, 0.02), s_guess=-0.2
    ),
    "SSR": lambda m: JointSSR(
        rod1Length=1.1, rod1Mass=m, n_b=(0, 0, 1), rRod2_ib=(0.0, 0.4, 0.0)
    ),
}


@pytest.mark.parametrize("kind", ASSEMBLIES)
def test_an_assembly_whose_rod_has_mass_is_explicit_with_two_states(kind):
    system = Pushed(assembly=ASSEMBLIES[kind](0.7)).compile()
    f = system.formulation
    assert f is not None and not f.with_multiplier
    assert [d.strategy for d in f.decisions] == ["explicit"]
    assert system.state_names == ["crank.phi", "crank.w"]
    massless = Pushed(assembly=ASSEMBLIES[kind](0.0)).compile()
    assert system.layout.n_motion == massless.layout.n_motion


def test_a_live_mass_may_be_zero():
    model = OnSpring(spring=Spring(c=20.0, m=Parameter(0.0, name="m")))
    plain = OnSpring(spring=Spring(c=20.0))
    runs = [m.simulate(0.5, rtol=1e-10, output=3) for m in (model, plain)]
    one, other = (np.asarray(run["two.phi"]) for run in runs)
    assert one == pytest.approx(other, abs=1e-9)


# --- special places ---------------------------------------------------------------------------


def test_a_mass_alone_on_half_a_line_falls_twice_as_fast_at_the_end():
    """½ m (ẋ/2)² and m g x/2: ẍ = 2 g, with no other mass."""
    model = Model()
    model.world = World(g=9.0)
    model.slide = Prismatic(n="-y", s=1.0)
    model.line = MassBetween(m=3.0)
    model.world.frame_b >> model.slide.frame_a
    model.slide.frame_a >> model.line.frame_a
    model.slide.frame_b >> model.line.frame_b
    result = model.simulate(0.5, output=1)
    assert np.asarray(result["slide.s"])[-1] == pytest.approx(1.0 + 9.0 * 0.25)
    assert np.asarray(result["line.frame_b.f"])[-1] == pytest.approx(np.zeros(3), abs=1e-9)


class OnOneLink(Model):
    """A pendulum with a mass on a line between two of its own points, or as a point mass."""

    def build(self, as_line):
        self.world = World()
        self.hinge = Revolute(n="z", phi=0.5)
        self.rod = BodyBox(r=(0.5, 0, 0), width=0.05)
        self.near = FixedTranslation(r=(0.1, 0.2, 0.0))
        self.far = FixedTranslation(r=(0.6, -0.4, 0.3))
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.rod.frame_a
        self.rod.frame_b >> self.near.frame_a
        self.rod.frame_b >> self.far.frame_a
        if as_line:
            self.mass = MassBetween(m=2.0, lengthFraction=0.25)
            self.near.frame_b >> self.mass.frame_a
            self.far.frame_b >> self.mass.frame_b
        else:
            self.to = FixedTranslation(r=(0.225, 0.05, 0.075))
            self.mass = PointMass(m=2.0)
            self.rod.frame_b >> self.to.frame_a
            self.to.frame_b >> self.mass.frame_a


def test_on_one_link_it_is_a_point_mass_of_this():
    runs = [OnOneLink(as_line=kind).simulate(0.5, output=4) for kind in (True, False)]
    for name in ("hinge.phi", "hinge.frame_a.f", "hinge.frame_a.t", "mass.r_0", "mass.a_0"):
        one, other = (np.asarray(run[name]) for run in runs)
        assert one == pytest.approx(other, rel=1e-12, abs=1e-12), name


def test_a_line_without_length_has_a_middle_but_no_direction():
    for mass, is_sound in ((MassBetween(m=1.0), True), (MassTowards(m=1.0, L=0.1), False)):
        model = OnOneLink(as_line=True)
        model.far.r = (0.1, 0.2, 0.0)
        model.other = mass
        model.near.frame_b >> model.other.frame_a
        model.far.frame_b >> model.other.frame_b
        if is_sound:
            model.simulate(0.1)
        else:
            with pytest.raises(AssemblyError, match=r"other.*at one point"):
                model.simulate(0.1)


# --- large mechanisms -------------------------------------------------------------------------


def chain(count: int, **gravity) -> Model:
    """Return a chain whose every third link is tied to the one before the last by a mass."""
    model = Model()
    model.world = World(**gravity)
    frames = [model.world.frame_b]
    for i in range(count):
        hinge = Revolute(n="z" if i % 2 else (0, 1, 0.2), phi=0.1)
        link = BodyBox(r=(0.3, 0.02, 0), width=0.03)
        setattr(model, f"hinge{i}", hinge)
        setattr(model, f"link{i}", link)
        frames[-1] >> hinge.frame_a
        hinge.frame_b >> link.frame_a
        frames.append(link.frame_b)
        if i % 3 == 2:
            mass = MassBetween(m=0.3, lengthFraction=0.4)
            setattr(model, f"mass{i}", mass)
            frames[-3] >> mass.frame_a
            frames[-1] >> mass.frame_b
    return model


@pytest.mark.slow
@pytest.mark.parametrize("gravity", [{"gravityType": "PointGravity", "mu": 40.0}])
def test_a_long_chain_with_masses_shares_its_code_and_agrees_with_its_equations(gravity):
    system = chain(51, **gravity).compile()
    assert system.is_rolled and system.formulation.is_empty
    x = np.random.default_rng(4).normal(size=system.n_x) * 0.5
    found = system.derivative(np.zeros(1), x, NOTHING)
    wanted = np.asarray(system.function("derivative")(0.0, x, NOTHING)).ravel()
    assert np.abs(found - wanted).max() < 1e-11 * np.abs(wanted).max()
    q, u = x[: system.n_q], x[system.n_q :]
    needed = system.function("inverse_dynamics")(q, u, found[system.n_q :], NOTHING)
    assert np.abs(np.asarray(needed)).max() < 1e-9


def many_bars(across: bool) -> Model:
    """Return four-bars that carry arms, a mass between arm and coupler, or arm and crank."""
    model = Model()
    model.world = World()
    for i in range(12):
        bars = FourBar(phi=1.0 + 0.01 * i)
        setattr(model, f"bars{i}", bars)
        model.world.frame_b >> bars.ground
        end = arm(model, bars.tip, 2, f"hand{i}_")
        mass = MassBetween(m=0.3) if across else MassTowards(m=0.3, L=0.1)
        setattr(model, f"mass{i}", mass)
        (bars.crank.frame_b if across else bars.tip) >> mass.frame_a
        end >> mass.frame_b
    return model


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(("across", "strategy"), [(False, "auto"), (True, "projected")])
def test_equal_units_with_masses_share_their_code(across, strategy):
    system = many_bars(across).compile(strategy=strategy)
    assert system.is_rolled
    start = initialise(system, {}, system.parameter_values())
    t, aside = np.zeros(1), np.random.default_rng(0).normal(size=start.x.size)
    found = system.derivative(t, start.x, start.p)
    wanted = np.asarray(system.function("derivative")(0.0, start.x, start.p)).ravel()
    assert np.abs(found - wanted).max() < 1e-12 * np.abs(wanted).max()
    if system.project is not None:
        x = start.x + 1e-4 * aside
        closed = np.asarray(system.function("project")(0.0, x, start.p)).ravel()
        assert np.abs(system.project(t, x, start.p) - closed).max() < 1e-12
        assert np.abs(closed - x).max() > 1e-6


@pytest.mark.slow
def test_a_mass_couples_the_links_between_its_ends_only():
    """Operations grow with the length of the chain, not with its cube."""
    counts = []
    for count in (6, 12, 24):
        system = chain(count).compile()
        counts.append(system.function("derivative").n_instructions())
    assert counts[2] - counts[1] < 2.2 * (counts[1] - counts[0])
