"""startForward and startBackward: 1 just after the instant at which something starts to slide."""

import math

import numpy as np
import pytest

from motorik import Model, blocks, rotational, translational
from motorik.functions import sin

STARTS = ("startForward", "startBackward")


class Swung(Model):
    """A mass on a rough ground, pushed to and fro by 10 sin t N: it sticks and breaks loose."""

    def build(self, friction=5.0):
        self.rod = translational.SupportFriction(f_pos=((0.0, friction),))
        self.mass = translational.Mass(m=1.0, s=0.0, v=0.0)
        self.force = translational.Force()
        self.source = blocks.TimeFunction(f=lambda t: 10.0 * sin(t))
        self.source.y >> self.force.f
        self.force.flange >> self.rod.flange_a
        self.rod.flange_b >> self.mass.flange_a


def test_rows_are_marked_only_just_after_it_starts():
    result = Swung().simulate(20.0, output="steps")
    constraints = [e for e in result.events.of("rod") if e.what.startswith("slips")]
    assert len(constraints) >= 6
    for name, word in zip(STARTS, ("slips forward", "slips backward"), strict=True):
        own = [e.time for e in constraints if e.what == word]
        rows = np.flatnonzero(result[f"rod.{name}"])
        assert result.time[rows].tolist() == own
        assert (result.time[rows - 1] == result.time[rows]).all()  # the second of two rows
        assert not result[f"rod.{name}"][rows - 1].any()
    assert (np.abs(result["mass.v"][result["rod.startForward"] == 1.0]) < 1e-12).all()


def test_the_first_start_is_where_the_force_passes_the_friction():
    result = Swung().simulate(3.0, output="steps")
    first = result.time[np.flatnonzero(result["rod.startForward"])[0]]
    assert first == pytest.approx(math.asin(0.5), abs=1e-12)


def test_both_sides_of_an_event_know_it():
    result = Swung().simulate(20.0, output=11)
    for k, event in enumerate(result.events):
        at = result.at_event(k)
        for name, word in zip(STARTS, ("slips forward", "slips backward"), strict=True):
            assert at.before[f"rod.{name}"] == 0.0
            assert at.after[f"rod.{name}"] == float(event.what == word)
    assert not result["rod.startForward"].any()  # rows at given times are no instants


def test_a_motion_that_turns_without_rest_starts_the_other_way():
    """So little friction cannot hold it where it turns."""
    result = Swung(friction=0.5).simulate(10.0, output="steps")
    backward = [e.time for e in result.events.of("rod") if e.what == "slips backward"]
    assert backward
    assert result.time[np.flatnonzero(result["rod.startBackward"])].tolist() == backward


def test_a_clutch_that_is_pressed_while_it_slips_does_not_start():
    class Pressed(Model):
        def build(self):
            self.left = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
            self.right = rotational.Inertia(J=1.0, phi=0.0, w=10.0)
            self.clutch = rotational.Clutch(fn_max=1.0)
            self.step = blocks.Step(startTime=1.0)
            self.step.y >> self.clutch.f_normalized
            self.left.flange_b >> self.clutch.flange_a
            self.clutch.flange_b >> self.right.flange_a

    result = Pressed().simulate(3.0, output="steps")
    assert (result["clutch.mode"] == 1.0).any()
    assert not result["clutch.startForward"].any()


def test_a_lossy_gear_starts_as_friction_does():
    class Geared(Model):
        def build(self):
            self.left = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
            self.right = rotational.Inertia(J=1.0)
            self.gear = rotational.LossyGear(
                ratio=2.0, lossTable=((0.0, 0.9, 0.9, 0.5, 0.5),)
            )
            self.motor = rotational.Torque()
            self.source = blocks.TimeFunction(f=lambda t: 10.0 * sin(t))
            self.source.y >> self.motor.tau
            self.motor.flange >> self.left.flange_a
            self.left.flange_b >> self.gear.flange_a
            self.gear.flange_b >> self.right.flange_a

    result = Geared().simulate(15.0, output="steps")
    forward = [e.time for e in result.events.of("gear") if e.what == "slips forward"]
    assert forward
    assert result.time[np.flatnonzero(result["gear.startForward"])].tolist() == forward
