"""A chain as a part of a model moves as in MOBILE alone, and as the same model from parts."""

import numpy as np
import pytest

import motorik as mk
from examples.mobile.four_bar import FourBar
from examples.mobile.pendulum import Pendulum
from examples.mobile.shaker import ShakerByJoints, ShakerBySegments
from motorik.errors import AssemblyError, ParameterError, UnknownNameError
from motorik.functions import sin
from motorik.mobile import (
    BRYANT_ANGLES,
    GLOBAL,
    AdamsIntegrator,
    AngularVariable,
    ChainPart,
    ChordPointPointLinear,
    ConstantWrench,
    CylindricalJoint,
    Drive,
    Element,
    ElementaryJoint,
    ElementaryScrewJoint,
    InertiaTensor,
    LinearSpringDamper,
    LinearVariable,
    MapChain,
    MassElement,
    MechanicalSystem,
    PrescribedMotion,
    RigidLink,
    SphericalJoint,
    Vector,
    X,
    XRotationMatrix,
    Y,
    Z,
    angular_variables,
    frames,
)


def model_with(chain, root, down):
    model = mk.Model()
    model.world = mk.World(n=down, g=9.81)
    model.arm = ChainPart(chain=chain)
    model.connect(model.world.frame_b, model.arm.port(root))
    return model


def pendulum():
    one = Pendulum()
    one.phi.q, one.phi.qd = 1.0, -0.5
    one.k.set(2.0)
    one.c.set(0.3)
    return one


@pytest.mark.slow
def test_a_pendulum_moves_as_alone_and_as_the_same_parts():
    one = pendulum()
    model = model_with(one.chain, one.K0, "-y")
    result = model.simulate(1.0, rtol=1e-9)
    one = pendulum()
    alone = AdamsIntegrator(
        MechanicalSystem([one.phi], one.chain, one.K0, Y), 0.1, relative_tolerance=1e-9
    ).run(1.0)
    assert result["arm.phi.phi"][-1] == pytest.approx(alone["phi"][-1], abs=1e-8)
    parts = mk.Model()
    parts.world = mk.World(n="-y", g=9.81)
    parts.hinge = mk.Revolute(n="z", phi=1.0, w=-0.5, useAxisFlange=True)
    parts.body = mk.Body(m=1.0, r_CM=(0, -1, 0), I=np.zeros((3, 3)), physical=False)
    parts.spring = mk.rotational.SpringDamper(c=2.0, d=0.3)
    parts.world.frame_b >> parts.hinge.frame_a
    parts.hinge.frame_b >> parts.body.frame_a
    parts.hinge.support >> parts.spring.flange_a
    parts.spring.flange_b >> parts.hinge.axis
    same = parts.simulate(1.0, rtol=1e-9)
    assert result["arm.phi.phi"][-1] == pytest.approx(same["hinge.phi"][-1], abs=1e-8)
    heavy = model.simulate(1.0, parameters={"arm.l": (0, -2, 0)})  # references stay live
    assert abs(heavy["arm.phi.phi"][-1] - same["hinge.phi"][-1]) > 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [
        ShakerBySegments,
        pytest.param(ShakerByJoints, marks=pytest.mark.thorough),
        pytest.param(FourBar, marks=pytest.mark.thorough),
    ],
)
def test_loops_are_closed_by_the_model(kind):
    one = kind()
    model = model_with(one.chain, one.K[0], "-z")
    result = model.simulate(0.3, rtol=1e-9)
    one = kind()
    alone = AdamsIntegrator(one.system, 0.1, relative_tolerance=1e-9).run(0.3)
    angles = alone.compute(f"{v.name}.q" for v in one.theta)
    shown = [v.name for v in one.theta if f"arm.{v.name}.phi" in result.names()]
    assert len(shown) >= 4
    for name in shown:
        own = result[f"arm.{name}.phi"][-1]
        assert own == pytest.approx(angles[f"{name}.q"][-1], abs=1e-7)
    assert model.compile().mechanism.has_loops


def spatial():
    """A chain with joints of several axes, given forces, a spring and a drive."""
    K = frames("K0 K1 K2 K3 K4 K5")
    phi, a, b, c, psi, nut = angular_variables("phi a b c psi nut")
    s = LinearVariable("s")
    phi.q, phi.qd, a.q, b.q, c.qd, s.qd, nut.q = 0.3, 1.0, 0.2, -0.4, 0.5, 0.1, 0.2
    chain = MapChain() << ElementaryJoint(K[0], K[1], phi, Vector(0.0, 0.6, 0.8))
    chain << SphericalJoint(K[1], K[2], [a, b, c], BRYANT_ANGLES)
    chain << RigidLink(K[2], K[3], Vector(0.5, 0.0, 0.1), XRotationMatrix(0.4))
    chain << CylindricalJoint(K[3], K[4], psi, s, Y)
    chain << ElementaryScrewJoint(K[4], K[5], nut, X, lead=0.05)
    for k, m in ((1, 2.0), (2, 1.0), (4, 0.5), (5, 0.3)):
        chain << MassElement(K[k], m, Vector(0.1, 0.0, 0.2), InertiaTensor(0.3, 0.2, 0.4))
    chain << ConstantWrench(K[4], (1, 0, 0), (0, 0, 2), GLOBAL) << Drive(phi, 0.7)
    chain << LinearSpringDamper(ChordPointPointLinear(K[4], K[1], 0.2), 30.0, 0.5)
    return K[0], [phi, a, b, c, s, psi, nut], chain


@pytest.mark.slow
def test_joints_of_several_axes_and_forces_are_those_of_the_chain():
    root, variables, chain = spatial()
    result = model_with(chain, root, "-z").simulate(0.3, rtol=1e-9)
    root, variables, chain = spatial()
    system = MechanicalSystem(variables, chain, root, Z)
    alone = AdamsIntegrator(system, 0.1, relative_tolerance=1e-9).run(0.3)
    pairs = {
        **{"phi": "phi.phi", "nut": "nut.phi", "a": "K2_joint.phi_1"},
        **{"b": "K2_joint.phi_2", "c": "K2_joint.phi_3"},
    }
    for name, own in pairs.items():
        assert result[f"arm.{own}"][-1] == pytest.approx(alone[name][-1], abs=1e-7)


@pytest.mark.slow
def test_a_frame_carries_parts_of_the_model_and_a_driver_moves_it():
    K0, K1, K2 = frames("K0 K1 K2")
    (phi,) = angular_variables("phi")
    chain = MapChain() << PrescribedMotion(phi, lambda t: 0.5 * sin(3.0 * t))
    chain << ElementaryJoint(K0, K1, phi) << RigidLink(K1, K2, Vector(1.0, 0.0, 0.0))
    model = model_with(chain, "K0", "-y")
    model.hinge = mk.Revolute(n="z")
    model.body = mk.Body(m=1.0, r_CM=(0.5, 0, 0))
    model.arm.K2 >> model.hinge.frame_a
    model.hinge.frame_b >> model.body.frame_a
    result = model.simulate(0.4)
    time = result.time
    np.testing.assert_allclose(result["arm.phi.phi"], 0.5 * np.sin(3.0 * time), atol=1e-12)
    assert abs(result["hinge.w"][-1]) > 0.1


class Own(Element):
    inputs = outputs = ()

    def motion(self, subtasks=None): ...

    def force(self, subtasks=None): ...


def test_what_no_model_has_is_refused_by_name():
    K0, K1 = frames("K0 K1")
    phi = AngularVariable("phi")
    turn = ElementaryJoint(K0, K1, phi)
    with pytest.raises(AssemblyError, match="which no part of a model is"):
        ChainPart(chain=MapChain() << turn << Own())
    with pytest.raises(ParameterError, match="is not a chain"):
        ChainPart(chain=[turn])
    with pytest.raises(UnknownNameError, match="has no frame 'K9'"):
        ChainPart(chain=turn).port("K9")
    with pytest.raises(AssemblyError, match="no elementary joint"):
        ChainPart(chain=MapChain() << Drive(phi, 1.0))
