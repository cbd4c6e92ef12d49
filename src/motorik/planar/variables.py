"""Results of planar parts: the motion of ports, and the forces there.

The names follow the 2006 paper: x, y, θ of a port in the ground's axes (eq. 19), their rates
(eq. 25) and second rates (eq. 27); F_x, F_y, C_z (eq. 6); f_k and λ_k of a joint (eq. 13, 15).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add, arctan2, mul
from motorik.components.base.part import Variable
from motorik.components.base.ports import Port

if TYPE_CHECKING:
    from motorik.components.base.motion import Motion
    from motorik.motion.view import MotionView

PortReading = Callable[["Motion", Port], Scalar]


def angle_of(motion: Motion, port: Port) -> Scalar:
    """Return the unwrapped angle θ [rad] of a frame in the plane.

    It is the sum over all joints between the ground and the frame: Σ S_z q, S the screws.
    """
    view = cast("MotionView", motion)  # which has the mechanism
    mechanism = view.mechanism
    place = mechanism.nodes[mechanism.inventory.node(port)]
    theta = _angle(place.X)
    index = place.link
    while index >= 0:
        link = mechanism.links[index]
        q = [view.q[k] for k in link.q]
        theta = add(theta, _angle(link.X_pj))
        for screw, x in zip(link.joint.screws(*q), q, strict=True):
            turn = getattr(x, "radians", x)  # of an angle with its sine and cosine
            theta = add(theta, mul(screw.resultant.z, turn))
        index = link.parent
    return theta


def _angle(X: Pose) -> Scalar:
    return arctan2(X.R.yx, X.R.xx)


def force_on(motion: Motion, port: Port) -> Motor:
    """Return force and torque on a part at its port, about it and in the ground's axes."""
    R, F = motion.pose(port).R, motion.reaction_at(port)
    return Motor(R @ F.resultant, R @ F.moment)


def turn_rate(motion: Motion, port: Port) -> Scalar:
    """Return the angular velocity [rad/s] of a frame in the plane."""
    return motion.velocity(port).resultant.z


def turn_acceleration(motion: Motion, port: Port) -> Scalar:
    """Return the angular acceleration [rad/s²] of a frame in the plane."""
    return motion.acceleration(port).resultant.z


# --- ports --------------------------------------------------------------------------------------

MOTION: dict[str, tuple[PortReading, str, str]] = {
    "x": (lambda motion, at: motion.pose(at).p.x, "m", "x coordinate"),
    "y": (lambda motion, at: motion.pose(at).p.y, "m", "y coordinate"),
    "theta": (angle_of, "rad", "angle, full turns counted"),
    "vx": (lambda motion, at: motion.velocity_0(at).x, "m/s", "velocity along x"),
    "vy": (lambda motion, at: motion.velocity_0(at).y, "m/s", "velocity along y"),
    "w": (turn_rate, "rad/s", "angular velocity"),
    "ax": (lambda motion, at: motion.acceleration_0(at).x, "m/s2", "acceleration along x"),
    "ay": (lambda motion, at: motion.acceleration_0(at).y, "m/s2", "acceleration along y"),
    "alpha": (turn_acceleration, "rad/s2", "angular acceleration"),
}
FORCES: dict[str, tuple[PortReading, str, str]] = {
    "Fx": (lambda motion, at: force_on(motion, at).resultant.x, "N", "force along x"),
    "Fy": (lambda motion, at: force_on(motion, at).resultant.y, "N", "force along y"),
    "Cz": (lambda motion, at: force_on(motion, at).moment.z, "N.m", "torque"),
}


def port_variables(*ports: Port) -> dict[str, Variable]:
    """Return `port.x`, … `port.alpha` of ports, in the ground's axes."""
    return {
        f"{port.name}.{name}": Variable(partial(_read, reading, port), unit, words)
        for port in ports
        for name, (reading, unit, words) in MOTION.items()
    }


def loaded_variables(*ports: Port) -> dict[str, Variable]:
    """Return `port.Fx`, `port.Fy`, `port.Cz`: force and torque on the part at its ports."""
    return {
        f"{port.name}.{name}": Variable(
            partial(_read, reading, port),
            unit,
            f"{words} on the part, in the ground's axes",
        )
        for port in ports
        for name, (reading, unit, words) in FORCES.items()
    }


def body_variables(G: Port) -> dict[str, Variable]:
    """Return x, … alpha of a body, at its centre of mass."""
    return {
        name: Variable(partial(_read, reading, G), unit, words)
        for name, (reading, unit, words) in MOTION.items()
    }


def reactions(frame_a: Port, frame_b: Port) -> dict[str, Variable]:
    """Return the forces and torques of a joint on both bodies, in the ground's axes."""
    shown: dict[str, Variable] = {}
    for end, body, port in (("a", "i", frame_a), ("b", "j", frame_b)):
        for name, (reading, unit, words) in FORCES.items():
            shown[f"{name}_{end}"] = Variable(
                partial(_negative, reading, port), unit, f"{words} on body {body}"
            )
    return shown


def _read(reading: PortReading, port: Port, motion: Motion) -> Scalar:
    return reading(motion, port)


def _negative(reading: PortReading, port: Port, motion: Motion) -> Scalar:
    return -reading(motion, port)
