"""What the run of a MOBILE program gives as that of a model does: energy, gaps, pictures."""

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")

from motorik import Body, Model, Result, Revolute, World, connect
from motorik.algebra import Vector, X, Y, Z
from motorik.errors import ParameterError, SimulationError, UnknownNameError
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    ChordPlanePlane,
    ChordPointPointLinear,
    ChordPointPointQuadratic,
    CombinedSystem,
    DynamicSystem,
    ElementaryJoint,
    Energy,
    Frame,
    Gravity,
    ImplicitConstraintSolver,
    LinearSpringDamper,
    LinearVariable,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableScalar,
    MutableVector,
    RigidLink,
)

G, L, M, I_ZZ, C = 9.81, 0.7, 2.0, 0.03, 4.0


class Pendulum:
    """A rod with its centre at L below the hinge, and a spring at the hinge."""

    def __init__(self, gravity_in_chain: bool = False):
        self.K0, self.K1 = Frame("K0"), Frame("K1")
        self.phi = AngularVariable("phi", q=1.0, qd=0.5)
        self.m, self.r = MutableScalar(M, "m"), MutableVector(0, -L, 0, name="r")
        hinge = ElementaryJoint(self.K0, self.K1, self.phi, Z)
        self.chain = MapChain()
        if gravity_in_chain:
            self.chain << Gravity(self.K0, Vector(0, -G, 0))
        self.chain << hinge << LinearSpringDamper(hinge, C, q_rest=0.2)
        self.chain << MassElement(self.K1, self.m, self.r, (I_ZZ * np.eye(3)).tolist())
        above = () if gravity_in_chain else (self.K0, Y)
        self.system = MechanicalSystem([self.phi], self.chain, *above)


def crank(y=4.0, spring=True):
    """Return a crank of 1 m that a rod of 2 m joins to a slider, on a spring or not."""
    K = [Frame(f"K{i}") for i in range(5)]
    phi, s = AngularVariable("phi", q=0.7), LinearVariable("s", q=2.6)
    chain = MapChain() << ElementaryJoint(K[0], K[1], phi, Z)
    (
        chain
        << RigidLink(K[1], K[2], Vector(1, 0, 0))
        << RigidLink(K[0], K[4], Vector(4, 0, 0))
    )
    chord = ChordPointPointQuadratic(K[3], K[2], y)
    chain << ImplicitConstraintSolver(chord, s, ElementaryJoint(K[0], K[3], s, X))
    if spring:
        chain << LinearSpringDamper(ChordPointPointLinear(K[3], K[4]), 30.0, 0.0, 1.0)
    chain << MassElement(K[2], 1.0) << MassElement(K[3], 1.0)
    return MechanicalSystem([phi], chain, K[0], Y)


class Tank(DynamicSystem):
    """A user's system without energy: ḣ = −h / 2 s."""

    level = 1.0
    names = ("level",)
    conditions = property(lambda self: [self.level])

    def set_conditions(self, y):
        (self.level,) = y

    def rates(self, t):
        return [-self.level / 2.0]


class Flywheel(Tank):
    """A user's system that defines its energy."""

    def energy(self):
        return Energy(kinetic=0.5 * self.level**2)


@pytest.mark.parametrize("gravity_in_chain", [False, True], ids=["builder", "element"])
@pytest.mark.parametrize("compiled", [False, True], ids=["python", "machine code"])
def test_energy_is_that_of_masses_weight_and_springs(gravity_in_chain, compiled):
    system = Pendulum(gravity_in_chain).system
    system = system.compile() if compiled else system
    result = AdamsIntegrator(system, 0.05, relative_tolerance=1e-9).run(1.0)
    assert isinstance(result, Result)
    phi, w, energy = result["phi"], result["der(phi)"], result.energy()
    J = M * L**2 + I_ZZ
    np.testing.assert_allclose(energy["kinetic"], 0.5 * J * w**2, rtol=1e-13)
    np.testing.assert_allclose(energy["potential"], -M * G * L * np.cos(phi), rtol=1e-13)
    np.testing.assert_allclose(energy["stored"], 0.5 * C * (phi - 0.2) ** 2, rtol=1e-13)
    assert np.ptp(energy["total"]) < 1e-6 * np.ptp(energy["kinetic"])
    assert "of the largest energy exchanged" in result.summary()


def test_energy_of_a_mechanism_with_a_loop_is_kept():
    result = AdamsIntegrator(crank(), 0.02, relative_tolerance=1e-9).run(0.5)
    energy = result.energy()
    assert np.ptp(energy["kinetic"]) > 1.0 and np.ptp(energy["stored"]) > 0.1
    assert np.ptp(energy["total"]) < 1e-6 * energy["kinetic"].max()


def test_a_model_and_a_program_of_the_same_mechanism_agree():
    model = Model()
    model.world, model.hinge = World(g=G), Revolute(phi=1.0, w=0.5)
    model.body = Body(m=M, r_CM=(0, -L, 0), I_11=I_ZZ, I_22=I_ZZ, I_33=I_ZZ)
    connect(model.world.frame_b, model.hinge.frame_a)
    connect(model.hinge.frame_b, model.body.frame_a)
    of_model = model.simulate(1.0, interval=0.05, rtol=1e-10)
    p = Pendulum()
    chain = MapChain(
        [part for part in p.chain.elements if not isinstance(part, LinearSpringDamper)]
    )
    system = MechanicalSystem([p.phi], chain, p.K0, Y)
    of_program = AdamsIntegrator(system, 0.05, relative_tolerance=1e-10).run(1.0)
    np.testing.assert_allclose(of_program["phi"], of_model["hinge.phi"], atol=1e-8)
    for kind in ("kinetic", "potential", "stored"):
        ours, theirs = of_program.energy()[kind], of_model.energy()[kind]
        np.testing.assert_allclose(ours, theirs, atol=1e-7)


def test_rates_and_states_between_rows():
    result = AdamsIntegrator(Pendulum().system, 0.02, relative_tolerance=1e-10).run(1.0)
    np.testing.assert_array_equal(result.rates[:, 0], result["der(phi)"])
    np.testing.assert_allclose(result.rates[:, 1], result["phi.qdd"], rtol=1e-14)
    fine = AdamsIntegrator(Pendulum().system, 0.005, relative_tolerance=1e-10).run(1.0)
    np.testing.assert_allclose(result.at(fine.time).states, fine.states, atol=2e-6)
    with pytest.raises(UnknownNameError, match="exceed the run"):
        result.at(2.0)


def test_single_elements_of_vectors_and_matrices_have_names():
    result = AdamsIntegrator(Pendulum().system, 0.1).run(0.3)
    np.testing.assert_array_equal(result["K1.R[2,1]"], result["K1.R"][:, 1, 0])
    np.testing.assert_array_equal(result["K1.f[2]"], result["K1.f"][:, 1])
    assert result.unit("K1.f[2]") == "N" and "K1.f[2]" in result
    for name in ("K1.f[4]", "K1.f[0]", "K1.R[2]"):
        with pytest.raises(UnknownNameError, match="no element"):
            result[name]
    assert "K1.f" in result._ipython_key_completions_()


def test_live_parameters_are_those_of_the_run():
    p = Pendulum()
    result = AdamsIntegrator(p.system, 0.1).run(0.3)
    p.m.set(9.0)
    assert dict(result.parameters) == {"m": 2.0, "r": (0.0, -L, 0.0)}


def test_motion_contains_what_the_loops_move():
    result = AdamsIntegrator(crank(), 0.1).run(0.3)
    assert result.motion_names == ["phi", "der(phi)", "s.q", "s.qd"]
    right = np.cos(result["phi"]) + np.sqrt(4.0 - np.sin(result["phi"]) ** 2)
    np.testing.assert_allclose(result.motion[:, 2], right, atol=1e-12)


def test_gaps_of_loops_are_lengths_and_angles():
    result = AdamsIntegrator(crank(), 0.1).run(0.3)
    metres, radians = result.constraint_violation()
    assert metres < 1e-10 and radians == 0.0
    assert AdamsIntegrator(Pendulum().system, 0.1).run(0.1).constraint_violation() == (
        0.0,
        0.0,
    )


def test_the_gap_of_a_chord_is_measured_in_metres_or_radians():
    E, phi = Frame("E"), AngularVariable("phi", q=np.pi / 2 - 0.01)
    turn = ElementaryJoint(Frame("B"), E, phi, Z)
    parallel = ChordPlanePlane.absolute(E, 0.0, turn, normal_B=X, normal_E=X)
    parallel.motion()
    assert parallel.violation() == (0.0, pytest.approx(0.01, rel=1e-12))
    s = LinearVariable("s", q=2.003)
    rod = ChordPointPointQuadratic.absolute(E, 4.0, ElementaryJoint(Frame("B"), E, s, X))
    rod.motion()
    assert rod.violation() == (pytest.approx(0.003, rel=1e-10), 0.0)


# --- pictures -------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_picture_shows_links_rods_and_springs_where_they_are():
    result = AdamsIntegrator(crank().compile(), 0.1).run(0.5)
    picture = result.draw(0.2, trace="K2.p", size=(400, 300))
    (tile,) = picture.tiles
    phi, s = result["phi"][2], result["s.q"][2]
    pin = np.array([np.cos(phi), np.sin(phi), 0.0])
    slider, end = np.array([s, 0.0, 0.0]), np.array([4.0, 0.0, 0.0])
    for place in (0.5 * pin, 0.5 * (pin + slider)):  # the crank; the rod, which is a chord
        (x, y), _ = tile.lens.project(place)
        near = picture.pixels[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3, :3]
        assert (near < 200).any()
    facets = tile.content.facets.points  # the spring coils about its line
    between = facets[(facets[:, 0] > s + 0.5) & (facets[:, 0] < 3.5)]
    assert len(between) > 100 and np.abs(between[:, 1:]).max() < 0.5
    np.testing.assert_allclose(tile.content.strokes[-1].points[-1], pin, atol=1e-9)
    assert tile.ruler is not None and end[0] == 4.0
    assert (tile.ruler.label(0), tile.ruler.label(1)) == (
        "x [m]",
        "y [m]",
    )  # gravity along y


@pytest.mark.slow
def test_a_film_has_a_picture_for_each_moment(tmp_path):
    from PIL import Image

    result = AdamsIntegrator(crank(spring=False), 0.1).run(0.5)
    film = result.to_movie(tmp_path / "crank.gif", fps=10)
    assert Image.open(film).n_frames == 6


def test_pictures_leave_the_mechanism_where_it_is():
    p = Pendulum()
    result = AdamsIntegrator(p.system, 0.1).run(0.5)
    p.phi.q = 3.0
    p.chain.motion()
    before = p.K1.X
    result.draw(0.0)
    assert p.phi.q == 3.0 and p.K1.X is before


# --- what a program has not -----------------------------------------------------------------


def test_what_a_system_has_not_is_refused_with_a_remedy():
    result = AdamsIntegrator(Tank(), 0.1).run(0.3)
    with pytest.raises(
        SimulationError, match=r"Tank does not define its energy.*\n.*Energy"
    ):
        result.energy()
    assert "not known: Tank does not define it" in result.summary()
    with pytest.raises(ParameterError, match=r"no joints, links or masses"):
        result.draw()
    with pytest.raises(SimulationError, match=r"no model.*\n.*result\.system"):
        _ = result.model


def test_systems_of_users_may_define_their_energy():
    p, wheel = Pendulum(), Flywheel()
    both = CombinedSystem(Tank(), wheel, p.system)
    result = AdamsIntegrator(both, 0.1).run(0.3)
    own = AdamsIntegrator(Flywheel(), 0.1).run(0.3).energy()["kinetic"]
    phi_alone = 0.5 * (M * L**2 + I_ZZ) * result["der(phi)"] ** 2
    np.testing.assert_allclose(result.energy()["kinetic"], own + phi_alone, rtol=1e-5)
    assert result.draw().size
