"""Planar parts out of their plane, and drives that contradict: each is refused in words."""

from __future__ import annotations

import math

import pytest

import motorik as mk
import motorik.planar as pl
from motorik import blocks, forces
from motorik import rotational as rot
from motorik.errors import (
    AssemblyError,
    LoopError,
    ParameterError,
    PortError,
)
from tests.mistakes.models import (
    Mistakes,
    check,
    ids,
    pendulum,
    run,
)

wrong = Mistakes()


@wrong(AssemblyError, "world", "a mass rests at the centre of point")
def point_gravity_hinged_centre() -> None:
    m = pendulum(world={"gravityType": "point", "mu": 1.0}, bob={"r_CM": (0, 0, 0)})
    run(m)


@wrong(ParameterError, "Model.path", "'path' is an attribute that every Model has")
def planar_curve_math() -> None:
    m = pl.Model()
    m.ground = pl.Ground()
    m.cam = pl.Body(y=0.1)
    m.path = pl.Curve(curve=lambda x, y: y - math.sin(x))
    m.ground.frame_b >> m.path.frame_a
    m.path.frame_b >> m.cam.G
    m.simulate(0.1)


@wrong(AssemblyError, "b", "moves in the plane z = 0 of")
def planar_out_of_plane_gravity() -> None:
    m = mk.Model()
    m.world = mk.World(n="-z")
    m.b = pl.Body()
    run(m)


@wrong(AssemblyError, "b", "moves in the plane z = 0 of")
def planar_ground_out_of_plane() -> None:
    m = pl.Model()
    m.g = pl.Ground(n=(0, 0, -1))
    m.b = pl.Body()
    run(m)


@wrong(AssemblyError, "b", "moves in the plane z = 0 of")
def planar_ground_oblique() -> None:
    m = pl.Model()
    m.g = pl.Ground(n=(0, -1, -1))
    m.b = pl.Body()
    run(m)


@wrong(AssemblyError, "b.G", "belongs to the plane z = 0 of")
def planar_joint_spatial_tilted() -> None:
    m = mk.Model()
    m.world = mk.World()
    m.tilt = mk.FixedRotation(n="x", angle=mk.deg(90))
    m.b = pl.Body(ports={"A": (0, 0)})
    m.pin = pl.Revolute()
    m.world.frame_b >> m.tilt.frame_a
    m.tilt.frame_b >> m.pin.frame_a
    m.pin.frame_b >> m.b.A
    run(m)


@wrong(AssemblyError, "slot.frame_b", "belongs to the plane z = 0 of")
def planar_slot_spatial_bodies() -> None:
    m = mk.Model()
    m.world = mk.World()
    m.b = mk.Body(r_0=(0.3, 0, 0))
    m.slot = pl.Slot()
    m.world.frame_b >> m.slot.frame_a
    m.slot.frame_b >> m.b.frame_a
    run(m)


@wrong(AssemblyError, "slot.frame_b", "belongs to the plane z = 0 of")
def planar_slot_tilted_loop() -> None:
    m = mk.Model()
    m.world = mk.World()
    m.h = mk.Revolute(n="x", phi=0.3)
    m.b = mk.Body(r_CM=(0.1, 0.2, 0.0))
    m.slot = pl.Slot()
    m.world.frame_b >> m.h.frame_a
    m.h.frame_b >> m.b.frame_a
    m.world.frame_b >> m.slot.frame_a
    m.slot.frame_b >> m.b.frame_a
    run(m)


@wrong(AssemblyError, "b.G", "belongs to the plane z = 0 of")
def planar_body_on_spatial_hinge() -> None:
    m = mk.Model()
    m.world = mk.World()
    m.h = mk.Revolute(n="x")
    m.b = pl.Body(ports={"A": (0.1, 0.2)})
    m.world.frame_b >> m.h.frame_a
    m.h.frame_b >> m.b.A
    run(m)


@wrong(AssemblyError, "b.G", "belongs to the plane z = 0 of")
def planar_body_on_universal() -> None:
    m = mk.Model()
    m.world = mk.World()
    m.h = mk.Spherical()
    m.b = pl.Body(ports={"A": (0.1, 0.2)})
    m.world.frame_b >> m.h.frame_a
    m.h.frame_b >> m.b.A
    run(m)


@wrong(AssemblyError, "g, world", "a model has one World, not several")
def planar_and_world() -> None:
    m = pl.Model()
    m.g = pl.Ground()
    m.world = mk.World()
    m.b = pl.Body()
    m.compile()


@wrong(LoopError, "q.flange", "has a prescribed motion, but p.flange already")
def two_positions() -> None:
    m = mk.Model()
    m.j = rot.Inertia(J=1.0)
    m.p = rot.ConstantSpeed(w_fixed=1.0)
    m.q = rot.ConstantSpeed(w_fixed=2.0)
    m.p.flange >> m.j.flange_a
    m.q.flange >> m.j.flange_b
    run(m)


@wrong(LoopError, "p.flange", "has a prescribed motion, but j.flange_a already")
def position_on_fixed() -> None:
    m = mk.Model()
    m.j = rot.Inertia(J=1.0)
    m.p = rot.ConstantSpeed(w_fixed=1.0)
    m.q = rot.Fixed()
    m.p.flange >> m.j.flange_a
    m.q.flange >> m.j.flange_b
    run(m)


@wrong(ParameterError, "r", "f(t)", "plain number", "motorik.functions")
def exact_position_step() -> None:
    m = mk.Model()
    m.j = rot.Inertia(J=1.0)
    m.p = rot.Position(exact=True)
    m.r = blocks.TimeFunction(f=lambda t: math.sin(t))
    m.r.y >> m.p.phi_ref
    m.p.flange >> m.j.flange_a
    run(m)


@wrong(ParameterError, "r", "f(t) returned None")
def exact_position_none() -> None:
    m = mk.Model()
    m.j = rot.Inertia(J=1.0)
    m.p = rot.Position(exact=True)
    m.r = blocks.TimeFunction(f=lambda t: None)
    m.r.y >> m.p.phi_ref
    m.p.flange >> m.j.flange_a
    run(m)


@wrong(PortError, "f.force", "is a signal, to which (1.0, 2.0, 3.0)")
def three_numbers_to_a_force() -> None:
    m = pendulum()
    m.f = forces.WorldForce()
    m.f.frame_b >> m.bob.frame_a
    (1.0, 2.0, 3.0) >> m.f.force


@wrong(PortError, "f.frame_resolve", "is connected to nothing, and no body or")
def force_resolve_unconnected() -> None:
    m = pendulum()
    m.f = forces.WorldForce(resolveInFrame="frame_resolve")
    m.f.frame_b >> m.bob.frame_a
    1.0 >> m.f.force
    run(m)


@wrong(
    ParameterError,
    "d",
    "law(p, t, inputs, states) raised ZeroDivisionError: float division",
)
def division_by_zero() -> None:
    m = pendulum()
    m.torque = rot.Torque()
    m.torque.flange >> m.hinge.axis
    m.d = blocks.Division()
    1.0 >> m.d.u1
    0.0 >> m.d.u2
    m.d.y >> m.torque.tau
    run(m)


@pytest.mark.parametrize("row", wrong, ids=ids(wrong))
def test_what_contradicts_is_refused_in_words(row):
    check(row)
