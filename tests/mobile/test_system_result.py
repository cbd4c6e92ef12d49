"""What a run of a dynamic system gives: names, units, plots, files, and any quantity."""

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")

from motorik.algebra import Vector, Y
from motorik.errors import IncompleteRunWarning, SimulationError, UnknownNameError
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    ChordPointPointQuadratic,
    CombinedSystem,
    DynamicSystem,
    ElementaryJoint,
    ExplicitEulerIntegrator,
    Frame,
    ImplicitConstraintSolver,
    LinearVariable,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableScalar,
    RigidLink,
)
from motorik.results import load_result

G = 9.81


class Pendulum:
    def __init__(self):
        self.K0, self.K1, self.K2 = Frame("K0"), Frame("K1"), Frame("K2")
        self.phi, self.m = AngularVariable("phi", q=1.0), MutableScalar(2.0, "m")
        self.chain = MapChain() << ElementaryJoint(self.K0, self.K1, self.phi)
        self.chain << RigidLink(self.K1, self.K2, Vector(0, -1, 0))
        self.chain << MassElement(self.K2, self.m)
        self.system = MechanicalSystem([self.phi], self.chain, self.K0, Y)


def test_a_run_gives_the_states_with_names_and_units():
    p = Pendulum()
    result = AdamsIntegrator(p.system, 0.05, relative_tolerance=1e-8).run(1.0)
    assert result.state_names == ["phi", "der(phi)"]
    assert [result.unit(name) for name in result.state_names] == ["rad", "rad/s"]
    assert result.time[0] == 0.0
    assert result.time[-1] == pytest.approx(1.0)
    assert len(result) == 21
    energy = 0.5 * result["der(phi)"] ** 2 - G * np.cos(result["phi"])
    assert np.ptp(energy) < 1e-6
    assert p.phi.q == result["phi"][-1]
    assert result.complete
    assert "adams" in result.summary()


@pytest.mark.parametrize("compiled", [False, True], ids=["python", "machine code"])
def test_every_quantity_follows_from_the_states(compiled):
    p = Pendulum()
    system = p.system.compile() if compiled else p.system
    result = AdamsIntegrator(system, 0.1).run(0.5)
    phi, w = result["phi"], result["der(phi)"]
    tip = np.column_stack([np.sin(phi), -np.cos(phi), np.zeros(len(phi))])
    np.testing.assert_allclose(result["K2.p"], tip, atol=1e-15)
    np.testing.assert_allclose(result["K2.lin_v"][:, 0], w, atol=1e-14)
    np.testing.assert_allclose(result["phi.qdd"], -G * np.sin(phi), atol=1e-13)
    assert result["K2.R"].shape == (6, 3, 3)
    assert result.unit("K2.lin_a") == "m/s2"
    assert {"K0.f", "phi.Q", "K1.ang_v"} <= set(result.names())


def test_a_result_stays_what_it_was():
    p = Pendulum()
    result = AdamsIntegrator(p.system, 0.1).run(0.3)
    p.m.set(7.0)
    p.phi.q = 2.5
    # the load of the rod on the hinge, by the mass of the run
    phi, w = result["phi"], result["der(phi)"]
    along = (result["K1.R"].transpose(0, 2, 1) @ np.array([0, 1.0, 0]))[:, 1]
    np.testing.assert_allclose(result["K1.f"][:, 1], -2.0 * (w**2 + G * along), rtol=1e-12)
    assert (p.m.value, p.phi.q) == (7.0, 2.5)
    np.testing.assert_allclose(along, np.cos(phi), atol=1e-15)


def test_loops_are_followed_from_where_they_began():
    K = [Frame(f"K{i}") for i in range(4)]
    phi, s = AngularVariable("phi", q=0.7), LinearVariable("s", q=2.6)
    chain = MapChain() << ElementaryJoint(K[0], K[1], phi)
    chain << RigidLink(K[1], K[2], Vector(1, 0, 0))
    chord = ChordPointPointQuadratic(K[3], K[2], 4.0)
    chain << ImplicitConstraintSolver(chord, s, ElementaryJoint(K[0], K[3], s, "x"))
    chain << MassElement(K[2], 1.0) << MassElement(K[3], 1.0)
    result = AdamsIntegrator(MechanicalSystem([phi], chain, K[0], Y), 0.1).run(1.0)
    s.q = -3.0  # another branch, by hand
    right = np.cos(result["phi"]) + np.sqrt(4.0 - np.sin(result["phi"]) ** 2)
    np.testing.assert_allclose(result["s.q"], right, atol=1e-9)
    assert s.q == -3.0


@pytest.mark.slow
def test_results_are_plotted_and_saved_as_those_of_models(tmp_path):
    result = AdamsIntegrator(Pendulum().system, 0.1).run(0.5)
    figure = result.plot("phi", "der(phi)", "K2.p")
    assert len(figure.axes) == 3
    saved = load_result(result.to_netcdf(tmp_path / "run.nc", "phi", "K2.p"))
    np.testing.assert_array_equal(saved["K2.p"], result["K2.p"])
    assert saved.unit("phi") == "rad"
    table = load_result(result.to_csv(tmp_path / "run.csv"))
    np.testing.assert_array_equal(table["der(phi)"], result["der(phi)"])
    assert list(result.to_pandas()) == ["phi", "der(phi)"]


class Tank(DynamicSystem):
    """A user's system: ḣ = −h / 2 s."""

    level = 1.0
    names = ("level",)
    units = ("m",)
    conditions = property(lambda self: [self.level])

    def set_conditions(self, y):
        (self.level,) = y

    def rates(self, t):
        return [-self.level / 2.0]


def test_systems_of_users_and_combined_ones_have_results():
    p = Pendulum()
    result = ExplicitEulerIntegrator(CombinedSystem(Tank(), p.system), 0.1).run(0.4)
    assert result.state_names == ["level", "phi", "der(phi)"]
    assert [result.unit(n) for n in result.state_names] == ["m", "rad", "rad/s"]
    np.testing.assert_allclose(result["level"], np.exp(-result.time / 2.0), rtol=2e-4)


class Explosion(Tank):
    def rates(self, t):
        return [self.level * self.level]


def test_a_run_that_cannot_go_on_returns_what_it_has():
    with pytest.warns(IncompleteRunWarning):
        result = AdamsIntegrator(Explosion(), 0.15).run(2.0)
    assert not result.complete
    assert 0.8 < result.time[-1] < 1.0
    np.testing.assert_allclose(result["level"], 1.0 / (1.0 - result.time), rtol=1e-3)
    assert "incomplete" in result.summary()


def test_a_second_run_goes_on():
    p = Pendulum()
    motion = AdamsIntegrator(p.system, 0.1)
    first, second = motion.run(0.3), motion.run(0.3)
    assert second.time[0] == pytest.approx(0.3)
    assert second["phi"][0] == first["phi"][-1]


def test_wrong_names_and_durations_are_refused():
    result = AdamsIntegrator(Pendulum().system, 0.1).run(0.2)
    with pytest.raises(UnknownNameError, match=r"no variable .K2\.q"):
        result["K2.q"]
    with pytest.raises(SimulationError, match="duration"):
        AdamsIntegrator(Pendulum().system, 0.1).run(-1.0)
    with pytest.raises(SimulationError, match="no time interval"):
        AdamsIntegrator(Pendulum().system).run(1.0)
