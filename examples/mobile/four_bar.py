"""Spatial four-bar: a loop cut in the middle of its coupler (guide, §5.4.1)."""

from math import radians, sqrt

import numpy as np

from motorik.algebra import X, Z
from motorik.mobile import (
    BRYANT_ANGLES,
    AdamsIntegrator,
    AngularVariable,
    Chord3DPose,
    ChordBranch,
    ElementaryJoint,
    Frame,
    ImplicitConstraintSolver,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableInertia,
    MutableRotation,
    MutableScalar,
    MutableVector,
    RigidLink,
    SphericalJoint,
    VariableList,
)


class FourBar:
    """Two cranks about x, joined by a coupler: Hooke joint R3, R4 and spherical joint S1.

    The halves of the coupler end in K7 and K10, which must have the same pose.
    """

    def __init__(self) -> None:
        K = self.K = [Frame(f"K{i}") for i in range(11)]
        self.theta = [AngularVariable(f"theta_{i}") for i in range(1, 8)]
        theta_1, theta_2, theta_3, theta_4, *_ = self.theta
        R1 = ElementaryJoint(K[0], K[1], theta_1, X)
        R2 = ElementaryJoint(K[2], K[3], theta_2, X)
        R3 = ElementaryJoint(K[4], K[5], theta_3, Z)
        R4 = ElementaryJoint(K[5], K[6], theta_4, X)
        cardan_angles = VariableList(self.theta[4:])
        S1 = SphericalJoint(K[8], K[9], cardan_angles, BRYANT_ANGLES)
        r, l, s, d_a, d_b = (
            MutableVector(name=name) for name in ("r", "l", "s", "d_a", "d_b")
        )
        A = MutableRotation(name="A")
        base = RigidLink(K[0], K[2], l, A)
        link_1 = RigidLink(K[1], K[4], r)
        link_2 = RigidLink(K[3], K[8], s)
        coupler_a = RigidLink(K[6], K[7], d_a)
        coupler_b = RigidLink(K[9], K[10], d_b)
        right_branch = MapChain() << R1 << link_1
        dependent_chain = MapChain()
        dependent_chain << R2 << link_2 << R3 << R4 << coupler_a << S1 << coupler_b
        m_d, THETA_d = MutableScalar(name="m_d"), MutableInertia(name="THETA_d")
        coupler_body = MassElement(K[6], m_d, THETA_d, d_a)
        core = Chord3DPose(K[10], K[7], where_force=ChordBranch.I | ChordBranch.II)
        dependents = VariableList() << theta_2 << theta_3 << theta_4 << cardan_angles
        core_solver = ImplicitConstraintSolver(core, dependents, dependent_chain)
        self.chain = MapChain() << base << right_branch << core_solver << coupler_body
        l.y = 2.0  # offset at the base
        r.z = 1.0  # length of link 1
        s.z = 2.0  # length of link 2
        d_a.z = -0.5 * sqrt(5.0)  # half the length of the coupler
        d_b.z = 0.5 * sqrt(5.0)
        m_d.set(1.0)
        THETA_d.set(1.0)
        for theta, guess in zip(self.theta, (1.0, 0, 0, 40.0, 20.0, 0, 0), strict=True):
            theta.q = radians(guess)
        self.system = MechanicalSystem([theta_1], self.chain, K[0], Z)


def swing(
    intervals: int = 100, tolerance: float = 1e-6, compiled: bool = True
) -> np.ndarray:
    """Return a row (t, θ₁ … θ₇, θ̇₁) after each interval of 0.01 s, under gravity."""
    system = FourBar().system
    integrator = AdamsIntegrator(
        system.compile() if compiled else system, 0.01, relative_tolerance=tolerance
    )
    result = integrator.run(0.01 * intervals)
    angles = result.compute(f"theta_{i}.q" for i in range(1, 8))
    return np.column_stack([result.time, *angles.values(), result["der(theta_1)"]])[1:]


def main() -> None:
    """Print the angles of a second of motion."""
    for row in swing()[9::10]:
        t, *theta = row[:8]
        print(f"{t:4.2f} s: " + " ".join(f"{angle:9.5f}" for angle in theta) + " rad")


if __name__ == "__main__":
    main()
