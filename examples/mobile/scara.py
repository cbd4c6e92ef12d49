"""SCARA robot: the torques that a motion needs, by numbers and compiled (guide, §4.5)."""

from motorik.algebra import Z
from motorik.mobile import (
    AngularVariable,
    CompiledChain,
    ElementaryJoint,
    Frame,
    MapChain,
    MassElement,
    MutableInertia,
    MutableVector,
    RigidLink,
    compile_chain,
)


class Scara:
    """Three parallel axes, upwards, and three equal bodies."""

    def __init__(self) -> None:
        K = self.K = [Frame(f"K{i}") for i in range(6)]
        self.beta = [AngularVariable(f"beta_{i}") for i in (1, 2, 3)]
        R1 = ElementaryJoint(K[0], K[1], self.beta[0], Z)
        R2 = ElementaryJoint(K[2], K[3], self.beta[1], Z)
        R3 = ElementaryJoint(K[4], K[5], self.beta[2], Z)
        l1, l2 = MutableVector(), MutableVector()
        p1, p2, p3 = MutableVector(), MutableVector(), MutableVector()
        link_1, link_2 = RigidLink(K[1], K[2], l1), RigidLink(K[3], K[4], l2)
        m, theta = 2.4, MutableInertia((0.021, 0.004, 0.020))
        M1 = MassElement(K[1], m, theta, p1)
        M2 = MassElement(K[3], m, theta, p2)
        M3 = MassElement(K[5], m, theta, p3)
        self.chain = MapChain()
        self.chain << R1 << link_1 << R2 << link_2 << R3 << M1 << M2 << M3
        l1.y = l2.y = 1.0
        p1.y = p2.y = p3.y = 0.5
        for beta, q, qd, qdd in zip(
            self.beta, (0.0, 0.2, 0.3), (0.01, 1.0, 0.11), (0.2, 0.0, 0.25), strict=True
        ):
            beta.q, beta.qd, beta.qdd = q, qd, qdd

    def compile(self) -> CompiledChain:
        """Return the same as a native function of the angles, their first and second rates."""
        return compile_chain(self.chain, self.beta, [(beta, "Q") for beta in self.beta])


def torques() -> list[float]:
    """Return the torques that the d'Alembert forces exert on the joints."""
    robot = Scara()
    robot.chain.motion()
    robot.chain.force()
    return [beta.Q for beta in robot.beta]


def native_torques() -> list[float]:
    """Return the same from machine code."""
    robot = Scara()
    robot.compile().run()
    return [beta.Q for beta in robot.beta]


def main() -> None:
    """Print the torques of both methods."""
    for i, (Q, Q_native) in enumerate(zip(torques(), native_torques(), strict=True), 1):
        print(f" beta_{i}.Q = {Q:.6f}   compiled {Q_native:.6f}")


if __name__ == "__main__":
    main()
