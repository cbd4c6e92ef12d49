"""Programs that are written out of chains make the same chains again."""

import numpy as np
import pytest

from examples.mobile.four_bar import FourBar
from examples.mobile.pendulum import Pendulum
from examples.mobile.scara import Scara
from examples.mobile.shaker import ShakerByJoints, ShakerBySegments
from motorik import gallery
from motorik.elements import UniversalPair
from motorik.errors import ParameterError
from motorik.mobile import (
    BRYANT_ANGLES,
    GLOBAL,
    AdamsIntegrator,
    AngularVariable,
    ChordPointPointLinear,
    CombinedSystem,
    ConstantStepDriver,
    ConstantWrench,
    CylindricalJoint,
    Drive,
    Element,
    ElementaryJoint,
    ElementaryScrewJoint,
    EquationBuilder,
    FloatingBodyJoint,
    Frame,
    Gravity,
    InertiaTensor,
    JointElement,
    LinearSpringDamper,
    LinearVariable,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableAngle,
    PrescribedMotion,
    RigidLink,
    Vector,
    X,
    Y,
    Z,
    angular_variables,
    chain_of_model,
    frames,
    write_program,
)
from tests.formatted import assert_formatted


def pendulum():
    one = Pendulum()
    one.phi.q = 1.0
    one.k.set(2.0)
    one.c.set(0.3)
    return one.chain, MechanicalSystem([one.phi], one.chain, one.K0, Y)


def scara():
    one = Scara()
    return one.chain, EquationBuilder(one.beta, one.chain)


def loop(kind):
    one = kind()
    return one.chain, one.system


GUIDE = {
    "pendulum": pendulum,
    "scara": scara,
    "four-bar": lambda: loop(FourBar),
    "shaker by joints": lambda: loop(ShakerByJoints),
    "shaker by segments": lambda: loop(ShakerBySegments),
}


def run(source):
    space = {"__name__": "written"}
    exec(compile(source, "program.py", "exec"), space)
    return space


@pytest.mark.parametrize("name", GUIDE)
def test_mechanisms_of_the_guide_have_the_same_equations_again(name):
    chain, system = GUIDE[name]()
    source = write_program(chain, system)
    space = run(source)
    again = space["system"]
    assert write_program(space["chain"], again) == source
    builders = [
        one if isinstance(one, EquationBuilder) else one.builder for one in (system, again)
    ]
    for builder in builders:
        builder.build()
    first, second = builders
    np.testing.assert_array_equal(first.mass_matrix, second.mass_matrix)
    np.testing.assert_array_equal(first.force_vector, second.force_vector)
    assert np.abs(first.mass_matrix).max() > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pendulum", "four-bar", "shaker by segments"])
def test_they_move_in_the_same_way(name):
    chain, system = GUIDE[name]()
    again = run(write_program(chain, system))["system"]
    first, second = (AdamsIntegrator(one, 0.05).run(0.3) for one in (system, again))
    np.testing.assert_allclose(first.states, second.states, rtol=0, atol=1e-12)
    assert first.names() == second.names()


def test_programs_are_formatted_and_their_imports_are_sorted(tmp_path):
    sources = {name: write_program(*made()) for name, made in GUIDE.items()}
    sources["engine"] = chain_of_model(gallery.EngineV6()).program("V6 engine")
    for k, source in enumerate(sources.values()):
        (tmp_path / f"program_{k}.py").write_text(source, encoding="utf-8")
    assert_formatted(tmp_path)


def test_every_kind_of_element_is_written():
    K = frames("K0 K1 K2 K3 K4 K5 K6 K7 K8")
    a, b, c, d, e, g = angular_variables("a b c d e g")
    s, t, u = (LinearVariable(name) for name in "stu")
    beta = MutableAngle(0.2)
    turn = ElementaryJoint(K[0], K[1], a, Vector(0.0, 0.6, 0.8))
    chain = MapChain(
        [
            Gravity(K[0], (0, 0, -9.81)),
            ConstantStepDriver(a, 0.1, interval=0.5),
            turn,
            ElementaryScrewJoint(K[1], K[2], b, X, lead=0.01),
            CylindricalJoint(K[2], K[3], c, s, Y),
            RigidLink(K[3], [K[4], K[5]], r=[Vector(1, 0, 0), Vector(0, 1, 0)]),
            FloatingBodyJoint(
                K[5], K[6], [t, u, LinearVariable("v")], [d, e, g], BRYANT_ANGLES
            ),
            JointElement(K[6], K[7], UniversalPair(X, Y), angular_variables("h i")),
            MassElement(K[7], 2.0, Vector(0, 0, 0.1), InertiaTensor(1, 2, 3)),
            ConstantWrench(K[4], (1, 0, 0), (0, 0, 2), GLOBAL),
            LinearSpringDamper(turn, 3.0, 0.1, beta),
            LinearSpringDamper(ChordPointPointLinear(K[7], K[4], 0.5), c=2.0),
            LinearSpringDamper(
                ChordPointPointLinear.absolute_difference(K[7], K[4]), c=2.0
            ),
            Drive(b, 0.4),
        ]
    )
    K[0].X = K[0].X.__class__(K[0].X.R, Vector(0.0, 0.0, 3.0))
    for k, one in enumerate((b, c, d, e, g, s, t, u)):
        one.q, one.qd, one.qdd = 0.1 * k, 0.2, 0.3
    source = write_program(chain)
    other = run(source)["chain"]
    expected, found = chain.inverse_dynamics(), other.inverse_dynamics()
    np.testing.assert_array_equal(expected, found)
    assert max(map(abs, expected)) > 1.0
    assert source.count("frames(") == 1 and "K0.X = Pose(" in source


def test_changed_numbers_are_written_as_they_are_now():
    (phi,) = angular_variables("phi")
    K0, K1 = frames("K0 K1")
    drive = Drive(phi, 1.0)
    chain = MapChain() << ElementaryJoint(K0, K1, phi) << MassElement(K1, 1.0) << drive
    drive.Q = 3.0
    assert "Drive(phi, 3.0)" in write_program(chain)


def test_names_that_are_taken_or_none_get_others():
    phi, psi = AngularVariable("phi"), AngularVariable("phi")
    K = [Frame(name) for name in ("K", "a b", "class", "")]
    chain = MapChain() << ElementaryJoint(K[0], K[1], phi, Z)
    chain << ElementaryJoint(K[1], K[2], psi) << RigidLink(K[2], K[3], Vector(1, 0, 0))
    space = run(write_program(chain))
    assert len([one for one in space.values() if isinstance(one, Frame)]) == 4
    assert {"phi", "phi_1"} <= {*space}


class Own(Element):
    inputs = outputs = ()

    def motion(self, subtasks=None): ...

    def force(self, subtasks=None): ...


def test_what_cannot_be_written_is_refused_by_name():
    (phi,) = angular_variables("phi")
    K0, K1 = frames("K0 K1")
    with pytest.raises(ParameterError, match="a class of its own"):
        write_program(MapChain() << Own())
    drive = PrescribedMotion(phi, lambda t: t)
    with pytest.raises(ParameterError, match="no value of a program"):
        write_program(MapChain() << drive << ElementaryJoint(K0, K1, phi))
    system = MechanicalSystem([phi], MapChain() << ElementaryJoint(K0, K1, phi))
    assert "CombinedSystem(" in write_program(system.chain, CombinedSystem(system))
