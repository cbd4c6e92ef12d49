"""Camera and robot: the vector from a moving camera to a gripper, measured (guide, §5.2.2).

A chord either takes the frames as they are, or moves the camera itself beforehand.
"""

import numpy as np

from motorik.algebra import Vector, X, Y, Z
from motorik.mobile import (
    AngularVariable,
    Chord3DPosition,
    ElementaryJoint,
    Frame,
    LinearVariable,
    MapChain,
    RigidLink,
)


class CameraAndRobot:
    """A robot of three turns, and a camera that slides along x, pans and tilts."""

    def __init__(self) -> None:
        K0 = Frame("K0")
        K = [K0, *(Frame(f"K{i}") for i in range(1, 6))]
        self.end_effector = Frame("end effector")
        self.beta = [AngularVariable(f"beta_{i}") for i in (1, 2, 3)]
        self.manipulator = MapChain()
        self.manipulator << ElementaryJoint(K[0], K[1], self.beta[0], Z)
        self.manipulator << RigidLink(K[1], K[2], Vector(0, 0, 0.5))
        self.manipulator << ElementaryJoint(K[2], K[3], self.beta[1], Y)
        self.manipulator << RigidLink(K[3], K[4], Vector(0.4, 0, 0))
        self.manipulator << ElementaryJoint(K[4], K[5], self.beta[2], Y)
        self.manipulator << RigidLink(K[5], self.end_effector, Vector(0.3, 0, 0))

        C = [Frame(f"C{i}") for i in range(3)]
        self.camera = Frame("camera")
        self.rail = LinearVariable("rail")
        self.pan, self.tilt = AngularVariable("pan"), AngularVariable("tilt")
        self.camera_chain = MapChain()
        self.camera_chain << RigidLink(K0, C[0], Vector(0, 1.5, 1.0))
        self.camera_chain << ElementaryJoint(C[0], C[1], self.rail, X)
        self.camera_chain << ElementaryJoint(C[1], C[2], self.pan, Z)
        self.camera_chain << ElementaryJoint(C[2], self.camera, self.tilt, X)

        for variable, motion in zip(
            (*self.beta, self.rail, self.pan, self.tilt),
            ((0.3, 1.0), (-0.4, 0.5), (0.9, -2.0), (0.2, 0.1), (-1.0, 0.3), (0.4, 0.7)),
            strict=True,
        ):
            variable.q, variable.qd = motion


def measured_in_two_steps() -> np.ndarray:
    """Return the vector and its rate, after robot and camera were moved."""
    scene = CameraAndRobot()
    simple_chord = Chord3DPosition(scene.end_effector, scene.camera)
    scene.manipulator.motion()
    scene.camera_chain.motion()
    simple_chord.motion()
    return np.array([[state.q, state.qd] for state in simple_chord.state]).T


def measured_in_one_step() -> np.ndarray:
    """Return the same by a chord that moves the camera itself."""
    scene = CameraAndRobot()
    moving_chord = Chord3DPosition(scene.end_effector, scene.camera, scene.camera_chain)
    scene.manipulator.motion()
    moving_chord.motion()
    return np.array([[state.q, state.qd] for state in moving_chord.state]).T


def main() -> None:
    """Print the approach vector, and how it changes."""
    way, rate = measured_in_one_step()
    print("approach vector", way, "m, its rate", rate, "m/s")


if __name__ == "__main__":
    main()
