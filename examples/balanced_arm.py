"""An arm of two links that stands upright: LQR by python-control from a linearised model.

The model is linearised where it stands, an unstable equilibrium; python-control finds the gains of
a linear-quadratic regulator, and the motor at the shoulder alone balances both links in a run of
the whole model, from five degrees off. Needs `pip install motorik[control]`.
Writes balanced_arm.png.
"""

import math

import control
import numpy as np

from motorik import Model, World, blocks, rotational
from motorik.joints import Revolute
from motorik.parts import BodyShape

OFF = math.radians(5.0)
PERIOD = 0.002  # s
STATES = ["shoulder.phi", "elbow.phi", "shoulder.w", "elbow.w"]


class Arm(Model):
    """Two links above each other; a motor turns the shoulder, the elbow is free."""

    def build(
        self, gains: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0), off: float = 0.0
    ) -> None:
        """Connect links and motor; all angles are 0 where the arm stands."""
        self.world = World(n="-y")
        self.shoulder = Revolute(n="z", useAxisFlange=True, phi=off, w=0.0)
        self.upper = BodyShape(r=(0.0, 0.5, 0.0), m=1.0, r_CM=(0.0, 0.25, 0.0))
        self.elbow = Revolute(n="z", phi=0.0, w=0.0)
        self.lower = BodyShape(r=(0.0, 0.5, 0.0), m=1.0, r_CM=(0.0, 0.25, 0.0))
        self.motor, self.torque = rotational.Torque(), blocks.Discrete(start=0.0)
        self.connect(self.world.frame_b, self.shoulder.frame_a)
        self.connect(self.shoulder.frame_b, self.upper.frame_a)
        self.connect(self.upper.frame_b, self.elbow.frame_a)
        self.connect(self.elbow.frame_b, self.lower.frame_a)
        self.connect(self.torque.y, self.motor.tau)
        self.connect(self.motor.flange, self.shoulder.axis)

        def regulator(t: float, *states: float) -> float:
            return -sum(k * s for k, s in zip(gains, states, strict=True))

        self.sample(PERIOD, regulator, inputs=STATES, outputs=[self.torque])


def main() -> None:
    """Find the gains, and balance the arm."""
    arm = Arm()
    standing = arm.equilibrium()
    print(f"standing: {standing.stability}")
    linear = arm.linearize("torque.y", STATES, at=standing)
    plant = linear.to_control()
    K, _, poles = control.lqr(plant, np.diag([10.0, 10.0, 1.0, 1.0]), np.eye(1))
    print("gains", dict(zip(linear.states, np.round(K[0], 2).tolist(), strict=True)))
    print("poles", np.round(poles, 2))
    order = [linear.states.index(name) for name in STATES]
    result = Arm(gains=tuple(K[0][order].tolist()), off=OFF).simulate(4.0)
    print(f"largest torque {np.abs(result['torque.y']).max():.1f} N·m")
    print(f"off at the end: {np.degrees(result['shoulder.phi'][-1]):.1e}°")
    result.plot("shoulder.phi", "elbow.phi", "torque.y", file="balanced_arm.png")


if __name__ == "__main__":
    main()
