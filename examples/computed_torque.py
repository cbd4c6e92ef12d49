"""Computed torque at 1 kHz: an arm follows a path, its own equations of motion find the torques.

The controller is ordinary Python: in each millisecond it reads angles and speeds, computes the
torques by the equations of a nominal arm, and writes them. The arm itself may carry a load that the
controller does not know. Writes computed_torque.png.
"""

import numpy as np

from motorik import Model, Parameter, World, rotational
from motorik.joints import Revolute
from motorik.parts import BodyShape

STEP, DURATION = 0.001, 3.0  # s
STIFFNESS, DAMPING = 400.0, 40.0  # 1/s², 1/s: of the error
JOINTS = ("base", "shoulder", "elbow")


class Arm(Model):
    """An arm with three hinges, each with a motor of live torque, and a live load at its end."""

    def build(self) -> None:
        """Connect the links one after the other."""
        self.world = World(n="-z")
        end = self.world.frame_b
        for name, axis, load in zip(
            JOINTS, ("z", "y", "y"), (False, False, True), strict=True
        ):
            hinge = Revolute(n=axis, useAxisFlange=True)
            link = BodyShape(
                m=Parameter(2.0) if load else 3.0,
                r=(0, 0, 0.4) if name == "base" else (0.5, 0, 0),
                r_CM=(0, 0, 0.2) if name == "base" else (0.25, 0, 0),
                I_11=0.01,
                I_22=0.06,
                I_33=0.06,
            )
            motor = rotational.ConstantTorque(tau_constant=Parameter(0.0))
            setattr(self, name, hinge)
            setattr(self, f"{name}_link", link)
            setattr(self, f"{name}_motor", motor)
            self.connect(end, hinge.frame_a)
            self.connect(hinge.frame_b, link.frame_a)
            self.connect(motor.flange, hinge.axis)
            end = link.frame_b


def path(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return angles, speeds and accelerations that the arm is to have."""
    size, w = np.array([0.8, 0.5, -0.7]), np.array([2.0, 3.0, 2.5])
    return (
        size * (1 - np.cos(w * t)),
        size * w * np.sin(w * t),
        size * w * w * np.cos(w * t),
    )


def follow(load: float) -> tuple[float, float]:
    """Return the largest error [rad] and torque [N·m] with a load [kg] that is not known."""
    arm = Arm()
    sim = arm.simulator(
        method="rk4", step=STEP, parameters={"elbow_link.m": load}, history=True
    )
    torques = sim.inputs(*(f"{name}_motor.tau_constant" for name in JOINTS))
    angles = sim.outputs(*(f"{name}.phi" for name in JOINTS))
    speeds = sim.outputs(*(f"{name}.w" for name in JOINTS))
    inverse = arm.compile().inverse_dynamics  # torques of (q, u, a, p), machine code
    nominal = arm.compile().parameter_values()
    errors = []
    for k in range(round(DURATION / STEP)):
        wanted, speed, acceleration = path(k * STEP)
        phi, w = angles.read(), speeds.read()
        a = acceleration + DAMPING * (speed - w) + STIFFNESS * (wanted - phi)
        torques.write(inverse(phi, w, a, nominal))
        sim.step(STEP)
        errors.append(np.abs(angles.read() - path((k + 1) * STEP)[0]).max())
    result = sim.result()
    if load != nominal[0]:
        result.plot(*(f"{name}.phi" for name in JOINTS), file="computed_torque.png")
    largest = max(np.abs(result[f"{name}.tau"]).max() for name in JOINTS)
    return max(errors), float(largest)


def main() -> None:
    """Print how well the path is followed, with the load that is known and with another one."""
    for load in (2.0, 2.5):
        error, torque = follow(load)
        print(
            f"load {load} kg: {1e3 * error:.3f} mrad off at most, torques up to {torque:.0f} N·m"
        )


if __name__ == "__main__":
    main()
