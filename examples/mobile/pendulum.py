"""Pendulum: its position, its equation of motion, its oscillation (guide, §1.7, §2.2, §7.3)."""

from math import pi

import numpy as np

from motorik.algebra import Vector, Y
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    ElementaryJoint,
    EquationBuilder,
    Frame,
    LinearSpringDamper,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableScalar,
    MutableVector,
    RigidLink,
)


def place_at(angle: float) -> Vector:
    """Return where the end of the link (1, 0, 1) is when its hinge is turned."""
    K1, K2, K3 = Frame("K1"), Frame("K2"), Frame("K3")
    beta = AngularVariable("beta")
    R1 = ElementaryJoint(K1, K2, beta)
    L1 = RigidLink(K2, K3, Vector(1, 0, 1))
    pendulum = MapChain() << R1 << L1
    beta.q = angle
    pendulum.motion()
    return K3.R @ K3.r


class Pendulum:
    """A point mass m on a rod l, with a spring k and a damper c at the hinge.

    All four are references: they may be set before or after the objects are made.
    """

    def __init__(self) -> None:
        self.K0, self.K1, self.K2 = Frame("K0"), Frame("K1"), Frame("K2")
        self.phi = AngularVariable("phi")
        self.l, self.m = MutableVector(name="l"), MutableScalar(name="m")
        self.k, self.c = MutableScalar(name="k"), MutableScalar(name="c")
        R = ElementaryJoint(self.K0, self.K1, self.phi)
        rod = RigidLink(self.K1, self.K2, self.l)
        tip = MassElement(self.K2, self.m)
        spring_damper = LinearSpringDamper(R, self.k, self.c)
        self.chain = MapChain() << R << rod << spring_damper << tip
        self.l.set((0, -1, 0))
        self.m.set(1)


def equations(steps: int = 18) -> np.ndarray:
    """Return a row (φ, mass, force) for each angle: 0°, 10°, 20° and so on."""
    pendulum = Pendulum()
    dynamics = EquationBuilder([pendulum.phi], pendulum.chain, pendulum.K0, Y)
    rows = []
    for _ in range(steps):
        dynamics.build()
        rows.append([pendulum.phi.q, dynamics.mass_matrix[0, 0], dynamics.force_vector[0]])
        pendulum.phi.q += pi / 18.0
    return np.array(rows)


def swing(
    phi: float = 1.0,
    stiffness: float = 0.0,
    damping: float = 0.0,
    tolerance: float = 0.01,
    intervals: int = 20,
) -> np.ndarray:
    """Return a row (t, φ, φ̇) after each interval of 0.1 s."""
    pendulum = Pendulum()
    pendulum.k.set(stiffness)
    pendulum.c.set(damping)
    pendulum.phi.q = phi
    dynamics = MechanicalSystem([pendulum.phi], pendulum.chain, pendulum.K0, Y)
    dynamic_motion = AdamsIntegrator(dynamics)
    dynamic_motion.set_time_interval(0.1)
    dynamic_motion.set_relative_tolerance(tolerance)
    rows = []
    for _ in range(intervals):
        dynamic_motion.motion()
        rows.append([dynamic_motion.time, pendulum.phi.q, pendulum.phi.qd])
    return np.array(rows)


def main() -> None:
    """Print the position at 90°, the equations at 18 angles and two seconds of motion."""
    x, y, z = place_at(pi / 2).xyz
    print(f"Position = ( {x:.1f} , {y:.1f} , {z:.1f} )")
    for phi, mass, force in equations():
        print(f"{phi:8.4f} rad: {mass:8.4f} kg·m² {force:8.4f} N·m")
    for t, phi, w in swing():
        print(f"{t:4.1f} s: {phi:8.4f} rad {w:8.4f} rad/s")


if __name__ == "__main__":
    main()
