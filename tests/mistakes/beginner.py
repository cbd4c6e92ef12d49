"""Models that a beginner builds: a pendulum, a four-bar, a drive line, a controller."""

from __future__ import annotations

from typing import Any

import motorik as mk
from motorik import blocks
from motorik import rotational as rot


def pendulum(**given: Any) -> mk.Model:
    """Return a rod on a hinge with flanges; values of its parts by their names."""
    model = mk.Model()
    model.world = mk.World()
    model.hinge = mk.Revolute(useAxisFlange=True, **given.get("hinge", {}))
    model.rod = mk.BodyCylinder(**{"r": (0.5, 0, 0), **given.get("rod", {})})
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.rod.frame_a
    return model


def motor() -> mk.Model:
    """Return a pendulum with a torque on its hinge, whose signal is open."""
    model = pendulum()
    model.motor = rot.Torque()
    model.motor.flange >> model.hinge.axis
    return model


def four_bar(ground: float = 1.0) -> mk.Model:
    """Return a crank of 0.3 m, a coupler of 1 m and a rocker of 0.8 m on pins a to d."""
    model = mk.Model()
    model.world, model.base = mk.World(), mk.FixedTranslation(r=(ground, 0, 0))
    model.a, model.b = mk.Revolute(phi=mk.guess(1.0)), mk.Revolute(phi=mk.guess(-0.5))
    model.c, model.d = mk.Revolute(), mk.Revolute(phi=mk.guess(1.8))
    model.crank = mk.BodyCylinder(r=(0.3, 0, 0))
    model.coupler = mk.BodyCylinder(r=(1.0, 0, 0))
    model.rocker = mk.BodyCylinder(r=(0.8, 0, 0))
    model.world.frame_b >> model.a.frame_a
    model.a.frame_b >> model.crank.frame_a
    model.crank.frame_b >> model.b.frame_a
    model.b.frame_b >> model.coupler.frame_a
    model.coupler.frame_b >> model.c.frame_a
    model.world.frame_b >> model.base.frame_a
    model.base.frame_b >> model.d.frame_a
    model.d.frame_b >> model.rocker.frame_a
    model.rocker.frame_b >> model.c.frame_b
    return model


def drive_line() -> mk.Model:
    """Return two inertias with a gear between them."""
    model = mk.Model()
    model.rotor, model.load = rot.Inertia(J=1.0), rot.Inertia(J=2.0)
    model.gear = rot.IdealGear(ratio=3.0)
    model.rotor.flange_b >> model.gear.flange_a
    model.gear.flange_b >> model.load.flange_a
    return model


def controlled() -> mk.Model:
    """Return a pendulum whose angle is measured for a controller; the set point is open."""
    model = motor()
    model.sensor, model.error = rot.AngleSensor(), blocks.Feedback()
    model.pid = blocks.PID(k=5.0, Ti=0.5, Td=0.1)
    model.sensor.flange >> model.hinge.axis
    model.sensor.phi >> model.error.u2
    model.error.y >> model.pid.u
    model.pid.y >> model.motor.tau
    return model
