"""Trolley pendulum: built from parts, and derived with motors; both give the same motion.

First example of Zaiczek and Enge-Rosenblatt 2009 (§4.1). The paper gives no dimensions;
here the trolley has 1 kg and the slender rods 1 kg, 0.5 m and 0.5 kg, 0.4 m. The viscous
friction is 0.5 N·s/m on the rail and 0.02 N·m·s/rad in both hinges. The first rod starts
horizontal, the second in line with it. Writes trolley_pendulum.png.
"""

from __future__ import annotations

from math import pi

import casadi
import numpy as np

from motorik import (
    Body,
    BodyShape,
    Model,
    Prismatic,
    Result,
    Revolute,
    SolverOptions,
    World,
    rotational,
    translational,
)
from motorik.algebra import Inertia, Motor, Pose, Vector, X, Y, Z, rotation_about
from motorik.compiler import compile_function
from motorik.gallery import MotorBody, state_rates
from motorik.simulation.integration import make_integration

M0, (M1, M2), (L1, L2) = 1.0, (1.0, 0.5), (0.5, 0.4)  # kg, kg, m
FRICTION = (0.5, 0.02, 0.02)  # N·s/m, N·m·s/rad
START = (0.0, pi / 2, 0.0, 0.0, 0.0, 0.0)  # m, rad, rad and their rates
STOP = 10.0  # s
NAMES = ("slide.s", "hinge1.phi", "hinge2.phi")


class TrolleyPendulum(Model):
    """Two rods, one below the other, on a trolley that slides along x; gravity along −y.

    The angles of the hinges about z are zero where the rods hang down.
    """

    def build(self) -> None:
        """Hang the rods on the trolley and put a damper into each joint."""
        self.world = World(g=9.81, n="-y")
        self.slide = Prismatic(n="x", useAxisFlange=True)
        self.trolley = Body(m=M0)
        self.hinge1 = Revolute(n="z", useAxisFlange=True, phi=START[1])
        self.rod1 = slender_rod(M1, L1)
        self.hinge2 = Revolute(n="z", useAxisFlange=True, phi=START[2])
        self.rod2 = slender_rod(M2, L2)
        self.world.frame_b >> self.slide.frame_a
        self.slide.frame_b >> self.trolley.frame_a
        self.trolley.frame_a >> self.hinge1.frame_a
        self.hinge1.frame_b >> self.rod1.frame_a
        self.rod1.frame_b >> self.hinge2.frame_a
        self.hinge2.frame_b >> self.rod2.frame_a

        self.rail_friction = translational.Damper(d=FRICTION[0])
        self.friction1 = rotational.Damper(d=FRICTION[1])
        self.friction2 = rotational.Damper(d=FRICTION[2])
        self.slide.support >> self.rail_friction.flange_a
        self.rail_friction.flange_b >> self.slide.axis
        self.hinge1.support >> self.friction1.flange_a
        self.friction1.flange_b >> self.hinge1.axis
        self.hinge2.support >> self.friction2.flange_a
        self.friction2.flange_b >> self.hinge2.axis


def slender_rod(m: float, length: float) -> BodyShape:
    """Return a rod that hangs down from its frame_a; J = m l² / 12 about the centre.

    Its inertia about the own axis, that of a rod 2 % as wide as long, has no influence here.
    """
    across, along = m * length**2 / 12, m * (0.02 * length) ** 2 / 6
    return BodyShape(
        m=m,
        r=(0, -length, 0),
        r_CM=(0, -length / 2, 0),
        I_11=across,
        I_22=along,
        I_33=across,
    )


def by_parts() -> Result:
    """Return the result of the model built from parts."""
    return TrolleyPendulum().simulate(
        STOP, method="dop853", rtol=1e-12, solver=SolverOptions(atol=1e-12)
    )


def rod(m: float, length: float) -> Inertia:
    """Return the inertia dyad of a slender rod that hangs down from the origin."""
    J = m * length**2 / 12
    return Inertia.of_body(m, -length / 2 * Y, [[J, 0, 0], [0, 0, 0], [0, 0, J]])


def by_motors(times: np.ndarray) -> np.ndarray:
    """Return s, φ₁, φ₂ at the times, from equations of motion derived with motors."""
    bodies = [
        MotorBody(
            pose=lambda s: Pose(p=s * X),
            screw=Motor(moment=X),
            inertia=Inertia.of_body(M0),
            friction=FRICTION[0],
        ),
        MotorBody(
            pose=lambda phi: Pose(rotation_about(Z, phi)),
            screw=Motor(Z),
            inertia=rod(M1, L1),
            friction=FRICTION[1],
        ),
        MotorBody(
            pose=lambda phi: Pose(rotation_about(Z, phi), -L1 * Y),
            screw=Motor(Z),
            inertia=rod(M2, L2),
            friction=FRICTION[2],
        ),
    ]
    t, x, p = (casadi.SX.sym(name, n) for name, n in (("t", 1), ("x", 6), ("p", 0)))
    dx = casadi.vertcat(*state_rates(bodies, x.elements(), Vector(0, -9.81, 0)))
    native = compile_function(casadi.Function("rates", [t, x, p], [dx]))
    run = make_integration("dop853", native, START, rtol=1e-12, atol=1e-12)
    run.advance(STOP, grid=times)
    return run.samples[:, :3]


def main() -> None:
    """Simulate both, print their difference, and plot the motion."""
    result = by_parts()
    print(result.summary())
    difference = np.abs(
        np.column_stack([result[n] for n in NAMES]) - by_motors(result.time)
    )
    for name, largest in zip(NAMES, difference.max(axis=0), strict=True):
        print(
            f"parts and motors differ in {name} by at most {largest:.1e} {result.unit(name)}"
        )
    result.plot(*NAMES, file="trolley_pendulum.png")


if __name__ == "__main__":
    main()
