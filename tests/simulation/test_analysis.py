"""Branches, inverse kinematics and inverse dynamics of mechanisms with loops."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik.errors import InitialValueError, LoopError, ParameterError, UnknownNameError
from motorik.gallery import StewartPlatform
from tests.assembly.four_bars import four_bar
from tests.refusals import refused


def test_all_ways_to_assemble_a_four_bar_are_listed_and_can_be_started():
    model = four_bar()
    ways = model.branches()
    assert len(ways) == 2 and sum(way.is_start for way in ways) == 1
    for way in ways:
        result = model.simulate(0.01, loops=mk.LoopOptions(branch=way.names), output=1)
        for name, value in way.coordinates.items():
            gap = result[name][0] - value
            assert abs((gap + np.pi) % (2 * np.pi) - np.pi) < 1e-9, name
        assert max(result.constraint_violation()) < 1e-13
    assert str(ways[0]) != str(ways[1])


def test_a_tree_has_no_branches():
    model = mk.Model()
    model.world, model.hinge, model.bob = mk.World(), mk.Revolute(), mk.Body(r_CM=(1, 0, 0))
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.bob.frame_a
    assert model.branches() == []


def test_inverse_kinematics_finds_the_coordinates_of_a_pose():
    model = four_bar()
    result = model.simulate(0.3, output=10)
    wanted = result["crank.frame_b.r_0"][-1]
    found = model.inverse_kinematics({"crank.frame_b.r_0": wanted})
    for name, value in found.items():
        gap = result[name][-1] - value
        assert abs((gap + np.pi) % (2 * np.pi) - np.pi) < 1e-8, name


@pytest.mark.thorough
@pytest.mark.slow
def test_the_legs_of_a_platform_follow_its_pose():
    model = StewartPlatform()
    system = model.compile()
    begin = model.simulate(0.001, output=1)["plate.frame_a.r_0"][0]
    found = model.inverse_kinematics(
        {"plate.frame_a.r_0": begin + np.array([0.05, 0.02, -0.04])}
    )
    lengths = [value for name, value in found.items() if name.endswith(".s")]
    assert len(lengths) == 6 and np.ptp(lengths) > 0.01
    q = np.array([found[state.name] for state in system.mechanism.coordinates])
    assert not system.formulation.is_empty
    assert np.abs(system.formulation.constraints.violation(q, np.zeros(0))).max() < 1e-9


@pytest.mark.slow
def test_a_pose_out_of_reach_is_refused():
    with pytest.raises((InitialValueError, LoopError), match="remains"):
        four_bar().inverse_kinematics({"coupler.frame_b.r_0": (50.0, 0.0, 0.0)})
    with refused(ParameterError, "coupler.frame_b.r_0", "3 finite"):
        four_bar().inverse_kinematics({"coupler.frame_b.r_0": (1.0, float("nan"), 0.0)})


@pytest.mark.slow
def test_a_drive_needs_the_torque_that_a_prescribed_motion_takes():
    time = np.linspace(0.0, 1.0, 15)
    model = four_bar()
    begin = model.simulate(0.001, output=1)["drive.phi"][0]
    needed = model.inverse_dynamics(time, {"drive.phi": (begin + 2 * time, 2.0, 0.0)})
    driven = four_bar(drive={"w": mk.guess(0.0)})
    driven.motor = mk.rotational.ConstantSpeed(w_fixed=2.0)
    driven.motor.flange >> driven.drive.axis
    result = driven.simulate(1.0, output=time, rtol=1e-11)
    scale = np.abs(result["drive.tau"]).max()
    assert np.abs(needed["drive.phi"] - result["drive.tau"]).max() < 1e-9 * scale


@pytest.mark.slow
def test_more_drives_than_needed_share_the_work_with_the_least_forces():
    time = np.linspace(0.0, 0.2, 4)
    model = four_bar()
    begin = model.simulate(0.001, output=1)["drive.phi"][0]
    motion = {"drive.phi": (begin + time, 1.0, 0.0)}
    one = model.inverse_dynamics(time, motion)["drive.phi"]
    other = model.inverse_dynamics(time, motion, drives=["pivot.phi"])["pivot.phi"]
    both = model.inverse_dynamics(time, motion, drives=["drive.phi", "pivot.phi"])
    # a + b r = one = other · r with the ratio r of the speeds
    ratio = one / other
    assert both["drive.phi"] + both["pivot.phi"] * ratio == pytest.approx(one, rel=1e-8)
    squares = both["drive.phi"] ** 2 + both["pivot.phi"] ** 2
    assert (squares < np.minimum(one**2, other**2)).all()


@pytest.mark.slow
def test_motions_that_make_no_sense_are_refused():
    model = four_bar()
    with refused(UnknownNameError, "drive.phy", "drive.phi"):
        model.inverse_dynamics([0.0], {"drive.phy": (0.0, 0.0, 0.0)})
    with refused(ParameterError, "drive.phi", "second rates"):
        model.inverse_dynamics([0.0], {"drive.phi": (0.0, 0.0)})
    with refused(ParameterError, "drive.phi", "finite"):
        model.inverse_dynamics([0.0], {"drive.phi": (float("nan"), 0.0, 0.0)})
