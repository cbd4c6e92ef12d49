"""An arm that a computer controls: a PID law that samples 200 times a second.

The controller is a plain Python function with a memory of its own; it is called at its sample
times only, and its output is held in between. Writes sampled_arm.png.
"""

import math

import numpy as np

from motorik import Model, World, blocks, rotational
from motorik.joints import Revolute
from motorik.parts import BodyShape

TARGET = 0.8  # rad
KP, KI, KD = 120.0, 150.0, 18.0  # N·m/rad, N·m/(rad·s), N·m·s/rad
PERIOD = 0.005  # s


class Pid:
    """A PID law with an integral of its own, which `reset` clears before every run."""

    def __init__(self) -> None:
        self.integral = 0.0

    def reset(self) -> None:
        """Forget the past."""
        self.integral = 0.0

    def __call__(self, t: float, phi: float, w: float) -> float:
        """Return the torque [N·m] for an angle [rad] and its speed [rad/s]."""
        error = TARGET - phi
        self.integral += PERIOD * error
        return max(-60.0, min(60.0, KP * error + KI * self.integral - KD * w))


class Arm(Model):
    """One link in a vertical plane, with a motor at its joint."""

    def build(self) -> None:
        """Connect the link; the motor holds the torque that was set last."""
        self.world = World()
        self.joint = Revolute(useAxisFlange=True, phi=-math.pi / 2.0, w=0.0)
        self.link = BodyShape(
            r=(0.6, 0.0, 0.0), m=4.0, r_CM=(0.3, 0.0, 0.0), I_22=0.12, I_33=0.12
        )
        self.motor = rotational.Torque()
        self.torque = blocks.Discrete(start=0.0)
        self.connect(self.world.frame_b, self.joint.frame_a)
        self.connect(self.joint.frame_b, self.link.frame_a)
        self.connect(self.torque.y, self.motor.tau)
        self.connect(self.motor.flange, self.joint.axis)
        inputs = ["joint.phi", "joint.w"]
        self.sample(PERIOD, Pid(), inputs=inputs, outputs=[self.torque], name="controller")


def main() -> None:
    """Move the arm to its target."""
    result = Arm().simulate(3.0, output=1500)
    phi = result["joint.phi"]
    late = result.time[np.abs(phi - TARGET) > 0.02 * abs(TARGET + math.pi / 2.0)][-1]
    print(f"within 2 % of the way after {late:.2f} s, ends {phi[-1] - TARGET:+.1e} rad off")
    print(f"largest torque {np.abs(result['torque.y']).max():.1f} N·m")
    result.plot("joint.phi", "joint.w", "torque.y", file="sampled_arm.png")


if __name__ == "__main__":
    main()
