"""States that the user demands are obeyed, or refused by name."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import rotational as rot
from motorik.errors import AssemblyError
from tests.refusals import refused


def pendulum(**body):
    """Return a body on a revolute joint."""
    model = mk.Model()
    model.world, model.hinge = mk.World(n="-y"), mk.Revolute(n="z", phi=0.3, w=1.0)
    model.body = mk.Body(m=1.0, r_CM=(0.5, 0, 0), **body)
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.body.frame_a
    return model


def test_the_coordinates_of_a_body_on_a_joint_are_states_where_they_must_be():
    plain = pendulum().simulate(1.0, rtol=1e-9)
    forced = pendulum(enforceStates=True).simulate(1.0, rtol=1e-9)
    assert plain.state_names == ["hinge.phi", "hinge.w"]
    assert {"body.r_0[1]", "body.Q[1]", "body.w_a[3]"} <= set(forced.state_names)
    np.testing.assert_allclose(forced["hinge.phi"], plain["hinge.phi"], atol=1e-7)


def test_the_coordinates_of_a_body_on_a_free_joint_are_states_where_they_must_be():
    model = mk.Model()
    model.world = mk.World(n="-y")
    model.free = mk.FreeMotion(r_rel_a=(1.0, 2.0, 3.0), v_rel_a=(0.1, 0.0, 0.0))
    model.body = mk.Body(m=1.0, enforceStates=True)
    model.world.frame_b >> model.free.frame_a
    model.free.frame_b >> model.body.frame_a
    result = model.simulate(0.5)
    assert all(name.startswith("body.") for name in result.state_names)
    np.testing.assert_allclose(result["free.r_rel_a"][0], (1.0, 2.0, 3.0), atol=1e-9)
    fall = 2.0 - 0.5 * 9.80665 * result.time**2
    np.testing.assert_allclose(result["body.r_0"][:, 1], fall, atol=1e-7)


def test_a_point_mass_on_joints_cannot_have_states_of_its_own():
    model = mk.Model()
    model.world, model.hinge = mk.World(), mk.Revolute(n="z")
    model.rod = mk.FixedTranslation(r=(1.0, 0.0, 0.0))
    model.mass = mk.PointMass(m=1.0, stateSelect="always")
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.rod.frame_a
    model.rod.frame_b >> model.mass.frame_a
    with refused(AssemblyError, "mass", "stateSelect = 'always'"):
        model.simulate(0.1)
    model.mass.stateSelect = "avoid"
    assert model.simulate(0.1).state_names == ["hinge.phi", "hinge.w"]


@pytest.mark.parametrize("required", ["first", "second"])
def test_the_shaft_of_a_planetary_gear_that_must_be_a_state_is_one(required):
    model = mk.Model()
    model.gear = rot.IdealPlanetary(ratio=2.0)
    model.first, model.second, model.third = (rot.Inertia(J=J) for J in (1.0, 2.0, 3.0))
    model.third.phi, model.third.w = 0.0, 1.0  # fixed start values make a better state
    getattr(model, required).stateSelect = "always"
    model.gear.sun >> model.first.flange_a
    model.gear.ring >> model.second.flange_a
    model.gear.carrier >> model.third.flange_a
    assert f"{required}.phi" in model.simulate(0.1).state_names


def test_more_shafts_than_freedoms_cannot_be_states():
    model = mk.Model()
    model.gear = rot.IdealPlanetary(ratio=2.0)
    for name in ("sun", "ring", "carrier"):
        shaft = rot.Inertia(J=1.0, stateSelect="always")
        setattr(model, name, shaft)
        getattr(model.gear, name) >> shaft.flange_a
    with refused(AssemblyError, "stateSelect = 'always' cannot be obeyed"):
        model.simulate(0.1)


def test_an_inertia_on_the_axis_of_a_joint_says_which_joint_of_a_loop_is_independent():
    def fourbar(on):
        model = mk.Model()
        model.world, model.base = mk.World(n="-y"), mk.FixedTranslation(r=(1.0, 0, 0))
        lengths = {"l1": 0.5, "l2": 1.0, "l3": 0.8}
        for name, length in lengths.items():
            setattr(model, name, mk.BodyCylinder(r=(length, 0, 0), diameter=0.05))
        model.r1 = mk.Revolute(n="z", useAxisFlange=True, phi=mk.guess(1.0))
        model.r2 = mk.Revolute(n="z", phi=mk.guess(-0.5))
        model.r3, model.r4 = mk.Revolute(n="z"), mk.Revolute(n="z", useAxisFlange=True)
        model.r4.phi = mk.guess(2.0)
        chain = (model.r1, model.l1, model.r2, model.l2)
        model.world.frame_b >> model.base.frame_a
        for before, after in zip((model.world, *chain), (*chain, model.r3), strict=True):
            before.frame_b >> after.frame_a
        model.base.frame_b >> model.r4.frame_a
        model.r4.frame_b >> model.l3.frame_a
        model.l3.frame_b >> model.r3.frame_b
        model.rotor = rot.Inertia(J=0.1, stateSelect="always")
        model.rotor.flange_a >> getattr(model, on).axis
        return model

    for on in ("r1", "r4"):
        formulation = fourbar(on).compile("explicit").formulation
        names = [formulation.mechanism.coordinates[k].name for k in formulation.state_q]
        assert names == [f"{on}.phi"]
