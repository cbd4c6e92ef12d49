"""A prescribed joint needs no mass behind it: its motion is known; others need inertia."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, rotational, translational
from motorik.errors import AssemblyError, PortError
from tests.covering import each_once
from tests.refusals import refused

TINY = 1e-12


def drive_of(kind: str) -> tuple[mk.Part, mk.Part | None]:
    """Return a drive, and what gives its reference."""
    if kind == "exact position":
        return rotational.Position(exact=True), blocks.Sine(f=0.5)
    if kind == "filtered position":
        return rotational.Position(), blocks.Sine(f=0.5)
    if kind == "exact speed":
        return rotational.Speed(exact=True), blocks.Cosine(f=0.5)
    return rotational.ConstantSpeed(w_fixed=2.0), None


def crane(kind: str, mass: float = 0.0, *, geared: bool = False) -> mk.Model:
    """Return a swinging body that carries a driven pointer, with or without a little mass."""
    model = mk.Model()
    model.world = mk.World()
    model.swing = mk.Revolute(phi=0.3)
    model.body = mk.BodyShape(r=(1, 0, 0), r_CM=(0.5, 0, 0), m=2.0)
    model.pointer = mk.Revolute(n="y", useAxisFlange=True)
    model.tip = mk.FixedTranslation(r=(0, 0, 0.4))
    model.world.frame_b >> model.swing.frame_a
    model.swing.frame_b >> model.body.frame_a
    model.body.frame_b >> model.pointer.frame_a
    model.pointer.frame_b >> model.tip.frame_a
    model.drive, reference = drive_of(kind)
    if reference is not None:
        model.reference = reference
        model.reference.y >> model.drive.reference()
    if geared:
        model.gear = rotational.IdealGear(ratio=3.0)
        model.drive.flange >> model.gear.flange_a
        model.gear.flange_b >> model.pointer.axis
    else:
        model.drive.flange >> model.pointer.axis
    if mass:
        model.bob = mk.Body(m=mass, I_11=mass, I_22=mass, I_33=mass)
        model.bob.frame_a >> model.tip.frame_b
    return model


KINDS = ("exact position", "filtered position", "exact speed", "constant speed")


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(("kind", "geared"), each_once(KINDS, [False, True]))
def test_a_driven_pointer_without_mass_moves_like_one_with_almost_none(kind, geared):
    without = crane(kind, geared=geared).simulate(0.5, rtol=1e-9)
    with_little = crane(kind, TINY, geared=geared).simulate(
        0.5, rtol=1e-9, output=without.time
    )
    for name in ("swing.phi", "pointer.phi", "tip.frame_b.r_0"):
        assert np.abs(without[name] - with_little[name]).max() < 1e-8
    assert np.abs(without["drive.flange.tau"]).max() == 0.0
    assert np.abs(with_little["drive.flange.tau"]).max() < 1e3 * TINY


@pytest.mark.parametrize("strategy", ["projected", "baumgarte", "absolute"])
@pytest.mark.filterwarnings("ignore::motorik.UnusedOptionWarning")
def test_every_strategy_takes_it(strategy):
    result = crane("exact position").simulate(0.3, strategy=strategy)
    wanted = np.sin(np.pi * result.time)
    assert np.abs(result["pointer.phi"] - wanted).max() < 1e-6


def test_a_chain_of_driven_joints_needs_no_mass_at_all():
    model = mk.Model()
    model.world = mk.World()
    model.lift = mk.Prismatic(n="z", useAxisFlange=True)
    model.hinge = mk.Revolute(useAxisFlange=True)
    model.world.frame_b >> model.lift.frame_a
    model.lift.frame_b >> model.hinge.frame_a
    model.up, model.turn = (
        translational.ConstantSpeed(v_fixed=0.5),
        rotational.ConstantSpeed(),
    )
    model.up.flange >> model.lift.axis
    model.turn.flange >> model.hinge.axis
    result = model.simulate(1.0)
    assert result["hinge.frame_b.r_0"][-1] == pytest.approx((0, 0, 0.5), abs=1e-9)
    assert result["hinge.phi"][-1] == pytest.approx(1.0, abs=1e-9)
    assert result["up.flange.f"][-1] == result["turn.flange.tau"][-1] == 0.0


def test_a_spring_on_a_massless_driven_joint_is_what_the_drive_holds():
    model = crane("exact position")
    model.spring = rotational.Spring(c=5.0)
    model.spring.flange_a >> model.pointer.support
    model.spring.flange_b >> model.pointer.axis
    result = model.simulate(0.3)
    assert np.abs(result["drive.flange.tau"] + 5.0 * result["pointer.phi"]).max() < 1e-12


def test_an_inertia_on_the_axis_is_inertia_enough():
    model = mk.Model()
    model.world, model.hinge = mk.World(), mk.Revolute(useAxisFlange=True, w=2.0)
    model.disc, model.rod = rotational.Inertia(J=0.1), mk.FixedTranslation(r=(1, 0, 0))
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.rod.frame_a
    model.hinge.axis >> model.disc.flange_a
    assert model.simulate(1.0)["hinge.phi"][-1] == pytest.approx(2.0, abs=1e-6)


def test_a_motion_that_nothing_prescribes_still_needs_inertia():
    model = crane("exact position")
    model.loose = mk.Revolute()
    model.tip.frame_b >> model.loose.frame_a
    with refused(PortError, "loose.frame_b", "is connected to nothing"):
        model.compile()
    model.end = mk.FixedTranslation(r=(1, 0, 0))
    model.loose.frame_b >> model.end.frame_a
    with refused(AssemblyError, "loose", "moves nothing that has mass"):
        model.compile()


def test_a_spring_alone_does_not_say_how_a_massless_joint_moves():
    model = mk.Model()
    model.world, model.hinge = mk.World(), mk.Revolute(useAxisFlange=True)
    model.rod, model.spring = mk.FixedTranslation(r=(1, 0, 0)), rotational.Spring(c=1.0)
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.rod.frame_a
    model.spring.flange_a >> model.hinge.support
    model.spring.flange_b >> model.hinge.axis
    with refused(AssemblyError, "hinge", "moves nothing that has mass"):
        model.compile()
