"""Spinning wheel on a movable axle: built from parts, and derived with motors.

Third example of Zaiczek and Enge-Rosenblatt 2009 (§4.3). The paper gives no dimensions;
here the rack is a steel rod of 0.5 m and 40 mm, the axle one of 0.25 m and 20 mm, and the
wheel a disc of 2 kg, 0.3 m radius and 20 mm thickness at the end of the axle. The motion
is undamped. The axis of the wheel, seen on the unit sphere, precesses and nutates: in many
small loops at 50 rad/s, in few large ones at 10 rad/s. Writes spinning_wheel.png.
"""

from __future__ import annotations

from math import pi
from typing import Any

import casadi
import numpy as np
from matplotlib.figure import Figure

from motorik import BodyCylinder, Model, Result, Revolute, SolverOptions, World
from motorik.algebra import Inertia, Motor, Pose, Symmetric, Vector, X, Y, Z, rotation_about
from motorik.compiler import compile_function
from motorik.gallery import MotorBody, state_rates
from motorik.simulation.integration import make_integration

STEEL = 7700.0  # kg/m³
SPEEDS = (50.0, 10.0)  # rad/s
STOP = 10.0  # s
NAMES = ("rack_bearing.phi", "axle_bearing.phi", "wheel_bearing.phi")


class SpinningWheel(Model):
    """A wheel that spins on an axle, which tilts on a rack, which turns on the ground.

    The rack turns about the vertical z, the axle tilts about y, the wheel spins about the
    axle, x, with `spin` [rad/s] at the start; no friction.
    """

    def build(self, spin: float = 50.0) -> None:
        """Put the wheel on the axle, and the axle on the rack."""
        self.world = World(g=9.81, n="-z")
        self.rack_bearing = Revolute(n="z")
        self.rack = BodyCylinder(r=(0, 0, 0.5), diameter=0.04, density=STEEL)
        self.axle_bearing = Revolute(n="y")
        self.axle = BodyCylinder(r=(0.25, 0, 0), diameter=0.02, density=STEEL)
        self.wheel_bearing = Revolute(n="x", w=spin)
        self.wheel = BodyCylinder(
            r=(0.02, 0, 0),
            r_shape=(-0.01, 0, 0),  # the disc is centred on the end of the axle
            length=0.02,
            diameter=0.6,
            density=2.0 / (pi * 0.3**2 * 0.02),  # 2 kg
        )
        self.world.frame_b >> self.rack_bearing.frame_a
        self.rack_bearing.frame_b >> self.rack.frame_a
        self.rack.frame_b >> self.axle_bearing.frame_a
        self.axle_bearing.frame_b >> self.axle.frame_a
        self.axle.frame_b >> self.wheel_bearing.frame_a
        self.wheel_bearing.frame_b >> self.wheel.frame_a


def by_parts(spin: float) -> Result:
    """Return the result of the model built from parts."""
    model = SpinningWheel(spin=spin)
    return model.simulate(
        STOP, method="dop853", rtol=1e-12, solver=SolverOptions(atol=1e-12), output=2000
    )


def cylinder(m: float, radius: float, length: float) -> tuple[float, float]:
    """Return the inertias [kg·m²] of a cylinder along and across its axis."""
    return m * radius**2 / 2, m * (3 * radius**2 + length**2) / 12


def by_motors(spin: float, times: np.ndarray) -> np.ndarray:
    """Return φ₁, φ₂, φ₃ at the times, from equations of motion derived with motors."""
    rack_mass, axle_mass = STEEL * pi * 0.02**2 * 0.5, STEEL * pi * 0.01**2 * 0.25
    rack_along, rack_across = cylinder(rack_mass, 0.02, 0.5)
    axle_along, axle_across = cylinder(axle_mass, 0.01, 0.25)
    wheel_along, wheel_across = cylinder(2.0, 0.3, 0.02)
    rack = Symmetric(rack_across, rack_across, rack_along)
    axle = Symmetric(axle_along, axle_across, axle_across)
    wheel = Symmetric(wheel_along, wheel_across, wheel_across)
    bodies = [
        MotorBody(
            pose=lambda phi: Pose(rotation_about(Z, phi)),
            screw=Motor(Z),
            inertia=Inertia.of_body(rack_mass, 0.25 * Z, rack),
        ),
        MotorBody(
            pose=lambda phi: Pose(rotation_about(Y, phi), 0.5 * Z),
            screw=Motor(Y),
            inertia=Inertia.of_body(axle_mass, 0.125 * X, axle),
        ),
        MotorBody(
            pose=lambda phi: Pose(rotation_about(X, phi), 0.25 * X),
            screw=Motor(X),
            inertia=Inertia.of_body(2.0, (0, 0, 0), wheel),
        ),
    ]
    t, x, p = (casadi.SX.sym(name, n) for name, n in (("t", 1), ("x", 6), ("p", 0)))
    dx = casadi.vertcat(*state_rates(bodies, x.elements(), Vector(0, 0, -9.81)))
    native = compile_function(casadi.Function("rates", [t, x, p], [dx]))
    run = make_integration("dop853", native, [0, 0, 0, 0, 0, spin], rtol=1e-12, atol=1e-12)
    run.advance(STOP, grid=times)
    return run.samples[:, :3]


def draw_on_sphere(axes: Any, tip: np.ndarray, title: str) -> None:
    """Draw the path of the wheel's axis on the unit sphere, its far side lighter."""
    elevation, azimuth = 25.0, -60.0
    e, a = np.radians((elevation, azimuth))
    to_viewer = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    near = (tip @ to_viewer > 0)[:, None]
    u, v = np.meshgrid(np.linspace(0, 2 * pi, 37), np.linspace(0, pi, 19))
    sphere = (np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v))
    axes.computed_zorder = False
    axes.plot(*np.where(near, np.nan, tip).T, color="#9fc5e8", linewidth=1.0, zorder=1)
    axes.plot_surface(
        *sphere,
        color="white",
        edgecolor="0.8",
        linewidth=0.3,
        alpha=0.15,
        shade=False,
        zorder=2,
    )
    axes.plot(*np.where(near, tip, np.nan).T, color="#0b5394", linewidth=1.5, zorder=3)
    axes.plot(*tip[:1].T, "o", color="#cc4125", zorder=4)
    axes.set_box_aspect((1, 1, 1), zoom=1.45)
    axes.set_axis_off()
    axes.view_init(elevation, azimuth)
    axes.set_title(title, y=1.0)


def main() -> None:
    """Simulate both at both speeds, print their difference, and plot the path of the axis."""
    figure = Figure(figsize=(10, 5), layout="constrained")
    for place, spin in enumerate(SPEEDS, start=1):
        result = by_parts(spin)
        print(result.summary())
        angles = np.column_stack([result[name] for name in NAMES])
        largest = np.abs(angles - by_motors(spin, result.time)).max()
        print(f"parts and motors differ by at most {largest:.1e} rad at {spin:g} rad/s")
        axis = result["wheel.frame_a.R.T"][:, 0, :]  # the wheel's x axis in the world
        axes = figure.add_subplot(1, 2, place, projection="3d")
        draw_on_sphere(axes, axis, f"wheel at {spin:g} rad/s")
    figure.savefig("spinning_wheel.png", dpi=150)


if __name__ == "__main__":
    main()
