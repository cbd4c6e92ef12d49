"""Models that cannot be assembled: each is refused with the part, the reason and a remedy."""

from __future__ import annotations

import warnings

import pytest

import motorik as mk
from motorik.errors import AssemblyError, LoopError, ParameterError, PortError
from motorik.topology.inventory import DefaultWorldWarning
from tests.assembly.models import pendulum
from tests.refusals import refused

# --- ends that are loose --------------------------------------------------------------------


def test_a_part_connected_to_nothing_is_named():
    model = pendulum()
    model.rod = mk.FixedTranslation(r=(1, 0, 0))
    with refused(PortError, "rod.frame_a", "connected to nothing", "model.rod.frame_a"):
        model.compile()


def test_a_loose_end_on_a_moving_part_is_fine():
    model = pendulum()
    model.rod = mk.FixedTranslation(r=(1, 0, 0))
    model.rod.frame_b >> model.bob.frame_a
    assert model.compile().state_names == ["hinge.phi", "hinge.w"]


def test_a_joint_with_nothing_behind_it_is_named():
    model = pendulum()
    model.elbow = mk.Revolute()
    model.elbow.frame_b >> model.bob.frame_a
    with refused(PortError, "elbow.frame_a", "connected to nothing", "body"):
        model.compile()


def test_a_joint_that_carries_no_mass_is_named():
    model = pendulum()
    model.elbow, model.rod = mk.Spherical(), mk.FixedTranslation(r=(1, 0, 0))
    model.elbow.frame_a >> model.bob.frame_a
    model.elbow.frame_b >> model.rod.frame_a
    with refused(AssemblyError, "elbow", "mass", "elbow.frame_b"):
        model.compile()


def test_no_root_and_no_body_is_refused():
    model = mk.Model()
    model.world = mk.World()
    model.one, model.two = mk.Revolute(), mk.Revolute()
    model.one.frame_a >> model.two.frame_a
    model.one.frame_b >> model.two.frame_b
    with refused(
        AssemblyError, "one.frame_a", "its position is undetermined", "world.frame_b"
    ):
        model.compile()


def test_an_empty_model_is_refused():
    with refused(AssemblyError, "Model", "no parts", "World"):
        mk.Model().compile()


def test_a_world_alone_stands_still():
    model = mk.Model()
    model.world = mk.World()
    assert model.simulate(1.0).states.shape == (501, 0)


@pytest.mark.parametrize("others", ["body", "pair"])
def test_a_floating_point_mass_does_not_say_how_others_turn(others):
    model = mk.Model()
    model.world = mk.World()
    model.one, model.rod = mk.PointMass(), mk.FixedTranslation(r=(1, 0, 0))
    model.other = mk.Body() if others == "body" else mk.PointMass()
    model.one.frame_a >> model.rod.frame_a
    model.rod.frame_b >> model.other.frame_a
    if others == "pair":
        with refused(AssemblyError, "one", "rod", "orientation", "Body"):
            model.compile()
    else:
        assert model.compile().n_u == 6


# --- freedoms without inertia ---------------------------------------------------------------


def test_a_point_mass_on_the_axis_does_not_resist_a_turn():
    model = pendulum()
    model.elbow, model.bead = mk.Revolute(), mk.PointMass()
    model.bob.frame_a >> model.elbow.frame_a
    model.elbow.frame_b >> model.bead.frame_a
    with refused(AssemblyError, "elbow", "elbow.w", "inertia is 0"):
        model.simulate(1.0)


def test_two_joints_that_move_nothing_between_them_are_named():
    model = pendulum()
    model.one, model.two, model.end = mk.Revolute(), mk.Revolute(), mk.Body(r_CM=(1, 0, 0))
    model.bob.frame_a >> model.one.frame_a
    model.one.frame_b >> model.two.frame_a
    model.two.frame_b >> model.end.frame_a
    with refused(AssemblyError, "one.w", "two.w", "no mass"):
        model.simulate(1.0)


# --- loops ----------------------------------------------------------------------------------


def test_a_loop_that_cannot_close_is_named_with_all_its_joints():
    model = pendulum()
    model.rod, model.tip = mk.FixedTranslation(r=(1, 0, 0)), mk.Revolute()
    model.link, model.base = mk.Body(), mk.Revolute()
    model.bob.frame_a >> model.rod.frame_a
    model.rod.frame_b >> model.tip.frame_a
    model.tip.frame_b >> model.link.frame_a
    model.link.frame_a >> model.base.frame_a
    model.base.frame_b >> model.world.frame_b
    with refused(LoopError, "loop of hinge, tip, base", "gap of", "m remains", "lengths"):
        model.compile()


def test_two_joints_on_one_line_move_as_one():
    model, single = pendulum(), pendulum()
    model.second = mk.Revolute()
    model.second.frame_a >> model.world.frame_b
    model.second.frame_b >> model.bob.frame_a
    assert model.compile().freedom == 1
    both, alone = (m.simulate(2.0, rtol=1e-10) for m in (model, single))
    assert both["second.phi"] == pytest.approx(both["hinge.phi"], abs=1e-12)
    assert both["hinge.phi"] == pytest.approx(alone["hinge.phi"], abs=1e-8)


def test_a_loop_of_rigid_parts_is_named():
    model = pendulum()
    model.one, model.two = (
        mk.FixedTranslation(r=(1, 0, 0)),
        mk.FixedTranslation(r=(1, 0, 0)),
    )
    mk.connect(model.bob.frame_a, model.one.frame_a, model.two.frame_a)
    model.one.frame_b >> model.two.frame_b
    with refused(LoopError, "rigid", "frame_a", "frame_b", "twice"):
        model.compile()


def test_a_frame_held_fast_twice_is_named():
    model = pendulum()
    model.rod, model.post = mk.FixedTranslation(r=(1, 0, 0)), mk.Fixed(r=(1, 0, 0))
    model.world.frame_b >> model.rod.frame_a
    model.rod.frame_b >> model.post.frame_b
    with refused(LoopError, "post.frame_b", "fixed twice"):
        model.compile()


@pytest.mark.parametrize("kind", [mk.FixedTranslation, mk.Revolute, mk.Planar])
def test_a_part_connected_with_itself_is_named(kind):
    model = pendulum()
    model.knot = kind()
    model.knot.frame_a >> model.bob.frame_a
    model.knot.frame_b >> model.bob.frame_a
    with refused(PortError, "knot"):
        model.compile()


# --- flanges --------------------------------------------------------------------------------


def test_a_loose_flange_is_named():
    model = pendulum()
    model.damper = mk.rotational.Damper(d=1.0)
    model.damper.flange_a >> model.hinge.axis
    with refused(PortError, "damper.flange_b", "connected to nothing", "support"):
        model.compile()


def test_flanges_that_nothing_holds_are_named():
    model = pendulum()
    model.one, model.seen = mk.rotational.Damper(d=1.0), mk.rotational.AngleSensor()
    model.hinge.axis >> model.one.flange_a
    model.one.flange_b >> model.seen.flange
    with refused(AssemblyError, "seen.flange", "its position is undetermined", "joint"):
        model.compile()


def test_an_axis_held_fast_does_not_move():
    model = pendulum()
    model.stop = mk.rotational.Fixed(phi0=0.25)
    model.stop.flange >> model.hinge.axis
    assert model.compile().freedom == 0
    result = model.simulate(1.0)
    assert result["hinge.phi"] == pytest.approx(0.25, abs=1e-15)


def test_two_axes_coupled_rigidly_turn_together():
    model = pendulum()
    model.elbow, model.end = mk.Revolute(useAxisFlange=True), mk.Body(r_CM=(1, 0, 0))
    model.bob.frame_a >> model.elbow.frame_a
    model.elbow.frame_b >> model.end.frame_a
    model.elbow.axis >> model.hinge.axis
    assert model.compile().freedom == 1
    result = model.simulate(1.0)
    assert result["elbow.phi"] == pytest.approx(result["hinge.phi"], abs=1e-15)
    assert abs(result["hinge.phi"][-1]) > 0.1


# --- worlds ---------------------------------------------------------------------------------


def test_two_worlds_are_refused():
    model = pendulum()
    model.other = mk.World()
    with refused(AssemblyError, "world, other", "one World"):
        model.compile()


def test_without_a_world_the_default_one_is_used_and_said():
    model = mk.Model()
    model.bob = mk.Body()
    with pytest.warns(DefaultWorldWarning, match=r"Model has no World.*9\.80665") as seen:
        result = model.simulate(1.0, output=1)
    assert seen[0].filename == __file__
    assert result["bob.r_0"][-1] == pytest.approx([0, -9.80665 / 2, 0], abs=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pendulum().compile()
        drive_line = mk.Model()
        drive_line.disc = mk.rotational.Inertia(J=1.0)
        drive_line.compile()  # nothing of it is in space


@pytest.mark.parametrize("given", [(0, 1), None, 5.0], ids=str)
def test_a_gravity_function_returns_a_vector(given):
    model = pendulum()
    model.world.gravityAcceleration = lambda r: given
    with refused(ParameterError, "world", "gravityAcceleration", repr(given), "three"):
        model.simulate(1.0)
