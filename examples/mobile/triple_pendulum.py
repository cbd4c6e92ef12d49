"""Triple pendulum: a body that carries two others, simulated for ten seconds (guide, §6.4)."""

from math import radians

import numpy as np

from motorik.algebra import X, Z
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    ElementaryJoint,
    Frame,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableScalar,
    MutableVector,
    RigidLink,
)


class TriplePendulum:
    """Three point masses; the second and third hang from arms of the first."""

    def __init__(self) -> None:
        K = self.K = [Frame(f"K{i}") for i in range(6)]
        self.beta = [AngularVariable(f"beta_{i}") for i in (1, 2, 3)]
        R1 = ElementaryJoint(K[0], K[1], self.beta[0], X)
        R2 = ElementaryJoint(K[2], K[4], self.beta[1], X)
        R3 = ElementaryJoint(K[3], K[5], self.beta[2], X)
        a_1, a_2, a_3, a_4 = (MutableVector(name=f"a_{i}") for i in (1, 2, 3, 4))
        arm_a, arm_b = RigidLink(K[1], K[2], a_1), RigidLink(K[1], K[3], a_2)
        m1, m2 = MutableScalar(name="m1"), MutableScalar(name="m2")
        M1 = MassElement(K[1], m1, a_3)
        M2 = MassElement(K[4], m2, a_4)
        M3 = MassElement(K[5], m2, a_4)
        self.chain = MapChain()
        self.chain << R1 << arm_a << arm_b << R2 << R3 << M1 << M2 << M3
        a_1.z = a_2.z = -0.5
        a_1.y, a_2.y = -0.5, 0.5
        a_3.z, a_4.z = -1.5, -1.0
        m1.set(1.0)
        m2.set(2.0)
        for beta, degrees in zip(self.beta, (30.0, 10.0, 10.0), strict=True):
            beta.q = radians(degrees)
        self.dynamics = MechanicalSystem(self.beta, self.chain, self.K[0], Z)


def swing(
    intervals: int = 100, tolerance: float = 1e-6, compiled: bool = True
) -> np.ndarray:
    """Return a row (t, β₁, β₂, β₃, and their rates) after each interval of 0.1 s."""
    dynamics = TriplePendulum().dynamics
    integrator = AdamsIntegrator(
        dynamics.compile() if compiled else dynamics, 0.1, relative_tolerance=tolerance
    )
    result = integrator.run(0.1 * intervals)
    return np.column_stack([result.time, result.states])[1:]


def main() -> None:
    """Print the angles of ten seconds."""
    for row in swing()[9::10]:
        t, *beta = row[:4]
        print(f"{t:5.1f} s: " + " ".join(f"{b:9.5f}" for b in beta) + " rad")


if __name__ == "__main__":
    main()
