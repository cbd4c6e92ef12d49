"""A number that is not finite is traced to the part whose law gave it."""

from __future__ import annotations

import math
from typing import Any

import pytest

import motorik as mk
import motorik.planar as pl
from motorik import blocks, forces
from motorik import rotational as rot
from motorik.algebra import scalar as s
from motorik.components.base.part import rotational_flange
from motorik.components.lines.base import ROTATIONAL, Compliant
from motorik.gallery import NFourBar, Pendulum
from motorik.motion.nonfinite_laws import find_nonfinite_law, find_undirected_force
from motorik.topology.assemble import assemble
from tests.assembly.models import pendulum


def fault(model: mk.Model, t: float = 0.0, **states: float) -> str:
    """Return what is found at the start values of a model, or at others by name."""
    mechanism = assemble(model)
    z = [float(state.start.value) for state in mechanism.signals.states]  # type: ignore[arg-type]
    names = [state.name for state in mechanism.states]
    q, u = mechanism.start_values()
    x = [*q, *u]
    for name, value in states.items():
        x[names.index(name.replace("_", "."))] = value
    return find_nonfinite_law(mechanism, t, x[: mechanism.n_q], x[mechanism.n_q :], z)


def with_signal(block: Any) -> mk.Model:
    """Return a pendulum under a torque that follows a block, and a gain behind it."""
    model = pendulum()
    model.torque, model.gain, model.source = rot.Torque(), blocks.Gain(), block
    model.torque.flange >> model.hinge.axis
    model.source.y >> model.gain.u
    model.gain.y >> model.torque.tau
    return model


class Weird(Compliant):
    """A spring whose force is a root."""

    line_names = ROTATIONAL
    flange_a = rotational_flange("one side")
    flange_b = rotational_flange("the other")

    @staticmethod
    def law(p: Any, x: Any, v: Any) -> Any:
        return s.sqrt(0.2 - x)


def with_spring() -> mk.Model:
    model = pendulum()
    model.spring = Weird()
    model.spring.flange_a >> model.hinge.support
    model.spring.flange_b >> model.hinge.axis
    return model


@pytest.mark.parametrize("make", [Pendulum, NFourBar, with_spring])
def test_of_what_is_finite_nothing_is_found(make):
    assert fault(make()) == ""


def test_the_law_of_a_source_is_named_not_what_follows_from_it():
    model = with_signal(blocks.TimeFunction(f=lambda t: 1.0 / (t - 0.5)))
    assert fault(model, 0.25) == ""
    words = fault(model, 0.5)
    assert words.startswith("source: its law") and "t = 0.5 s" in words
    assert "division by zero" in words


def test_a_law_on_flanges_is_named_with_what_it_was_given():
    words = fault(with_spring(), hinge_phi=0.3)
    assert words.startswith("spring: its force law") and "x = 0.3, v = 0" in words


def test_a_block_that_divides_by_its_input_is_named():
    model = pendulum()
    model.torque, model.ratio = rot.Torque(), blocks.Division()
    model.clock = blocks.ContinuousClock()
    model.torque.flange >> model.hinge.axis
    1.0 >> model.ratio.u1
    model.clock.y >> model.ratio.u2
    model.ratio.y >> model.torque.tau
    assert fault(model, 1.0) == ""
    assert fault(model).startswith("ratio: its law") and "u2 = 0" in fault(model)


def test_a_mass_at_the_centre_of_gravity_is_named():
    model = mk.Model()
    model.world = mk.World(gravityType="point", mu=1.0)
    model.star = mk.PointMass(r_0=(1.0, 0.0, 0.0))
    model.moon = mk.Body()
    words = fault(model)
    assert words.startswith("moon: its gravity") and "r_CM = (0, 0, 0)" in words


def test_a_prescribed_motion_is_named():
    model = mk.Model()
    model.wheel, model.drive = rot.Inertia(J=1.0), rot.Position(exact=True)
    model.told = blocks.TimeFunction(f=lambda t: s.sqrt(t))
    model.told.y >> model.drive.phi_ref
    model.drive.flange >> model.wheel.flange_a
    assert fault(model, 1.0) == ""
    assert fault(model, -1.0).startswith("told: its law")


def test_a_spring_whose_ends_meet_is_named():
    model = pl.Model()
    model.ground = pl.Ground(ports={"A": (0, 0)})
    model.body = pl.Body(ports={"P": (0, 0)})
    model.spring = pl.SpringDamper(c=10.0, s0=0.1)
    model.ground.A >> model.spring.frame_a
    model.spring.frame_b >> model.body.P
    words = fault(model)
    assert words.startswith("spring: its force law") and "at one point" in words


def test_a_state_that_is_not_finite_is_named():
    assert fault(pendulum(), hinge_w=math.nan).startswith("hinge.w is nan rad/s at t = 0 s")


def test_live_parameters_are_taken_at_their_present_values():
    stiffness = mk.Parameter(1.0)
    model = pendulum()
    model.ratio, model.torque = blocks.Division(), rot.Torque()
    model.stiff = blocks.Constant(k=stiffness)
    model.torque.flange >> model.hinge.axis
    1.0 >> model.ratio.u1
    model.stiff.y >> model.ratio.u2
    model.ratio.y >> model.torque.tau
    system = model.compile()
    q, u = system.mechanism.start_values()

    def words() -> str:
        number = system.assembled.with_values(system.parameter_values()).number
        return find_nonfinite_law(system.mechanism, 0.0, q, u, (), number)

    assert words() == ""
    stiffness.value = 0.0
    assert words() == "ratio: its law gives inf at t = 0 s, for u1 = 1, u2 = 0."


@pytest.mark.parametrize(
    ("length", "place", "is_found"),
    [(0.1, 0.0, True), (0.0, 0.0, False), (0.1, 0.2, False)],
)
def test_a_force_without_direction_is_named_before_the_run(length, place, is_found):
    model = mk.Model()
    model.world = mk.World()
    model.body = mk.Body(r_0=(place, 0.0, 0.0))
    model.spring = forces.Spring(c=10.0, s_unstretched=length)
    model.world.frame_b >> model.spring.frame_a
    model.spring.frame_b >> model.body.frame_a
    mechanism = assemble(model)
    words = find_undirected_force(mechanism, *mechanism.start_values())
    assert words == (
        "spring.spring: its ends are at one point, so that its force of 1 N has no direction."
        if is_found
        else ""
    )
