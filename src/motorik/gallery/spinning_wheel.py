"""Spinning wheel: a wheel on a movable axle that turns on an upright rack."""

from __future__ import annotations

from math import pi

from motorik import BodyCylinder, Revolute, World
from motorik.model import Model

STEEL = 7700.0  # kg/m³
RACK = {"length": 0.5, "diameter": 0.04}  # m
AXLE = {"length": 0.25, "diameter": 0.02}  # m
WHEEL = {"mass": 2.0, "radius": 0.3, "thickness": 0.02}  # kg, m, m


class SpinningWheel(Model):
    """A wheel whose axle may turn and nod; Zaiczek and Enge-Rosenblatt 2009, §4.3.

    The rack turns about the vertical z by phi1, the axle nods about y by phi2, the wheel
    spins about the axle, x, by phi3 with `spin` [rad/s] at the start; no friction. The wheel
    is a homogeneous disc; rack and axle are steel rods.
    """

    def build(self, spin: float = 50.0) -> None:
        """Put the wheel on the axle, and the axle on the rack."""
        m, radius, thickness = WHEEL["mass"], WHEEL["radius"], WHEEL["thickness"]
        self.world = World(g=9.81, n="-z")
        self.rack_bearing = Revolute(n="z")
        self.rack = BodyCylinder(
            r=(0, 0, RACK["length"]), diameter=RACK["diameter"], density=STEEL
        )
        self.axle_bearing = Revolute(n="y")
        self.axle = BodyCylinder(
            r=(AXLE["length"], 0, 0), diameter=AXLE["diameter"], density=STEEL
        )
        self.wheel_bearing = Revolute(n="x", w=spin)
        self.wheel = BodyCylinder(
            r=(thickness, 0, 0),
            r_shape=(-thickness / 2, 0, 0),
            length=thickness,
            diameter=2 * radius,
            density=m / (pi * radius**2 * thickness),
        )
        self.world.frame_b >> self.rack_bearing.frame_a
        self.rack_bearing.frame_b >> self.rack.frame_a
        self.rack.frame_b >> self.axle_bearing.frame_a
        self.axle_bearing.frame_b >> self.axle.frame_a
        self.axle.frame_b >> self.wheel_bearing.frame_a
        self.wheel_bearing.frame_b >> self.wheel.frame_a
