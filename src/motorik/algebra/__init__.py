"""Algebra: the language of motorik, the same on floats, NumPy arrays, duals and symbols.

Scalars       `sin cos tan arcsin arccos arctan arctan2 sqrt exp log fabs sign`,
              `where minimum maximum`, `Dual` (value and rate), `Angle` (sine, cosine too);
              module `scalar` has the four operations that fold structural zeros
Vectors       `Vector`, `ZERO X Y Z AXES`; `Matrix`, `Symmetric`, `skew outer square`
Orientation   `rotation_about` and its relatives (v_a = R_ab v_b), `Quaternion`;
              modules `frames` and `quaternions`: Modelica's MultiBody.Frames
Motors        `Motor`, `Velocity Acceleration Force Momentum`, `Dyad`, `Inertia`, `Pose`
              (changes frame);
              `inner power kinetic_energy body_force derivative_in_fixed_frame`
Checks        `unit_axis check_rotation check_tensor principal_axes`, of numbers

All values are immutable: ``v.replace(z=1.0)`` is another vector.
"""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.algebra import frames, quaternions, scalar
    from motorik.algebra.angle import Angle
    from motorik.algebra.dual import Dual, as_dual, rate_of, value_of
    from motorik.algebra.dyad import NO_INERTIA, Inertia, body_force, kinetic_energy
    from motorik.algebra.frames import Orientation
    from motorik.algebra.general_dyad import Dyad
    from motorik.algebra.given import check_rotation, unit_axis
    from motorik.algebra.matrix import IDENTITY, Matrix, Symmetric, outer, skew, square
    from motorik.algebra.motor import (
        ZERO_MOTOR,
        Acceleration,
        Force,
        Momentum,
        Motor,
        Velocity,
        derivative_in_fixed_frame,
        inner,
        power,
        total_motor,
    )
    from motorik.algebra.pose import IDENTITY_POSE, Pose
    from motorik.algebra.principal import check_tensor, principal_axes
    from motorik.algebra.quaternion import NO_TURN, Quaternion
    from motorik.algebra.rotation import (
        angle_of_turn,
        angles_of_sequence,
        angular_velocity_from,
        coordinate_axis,
        is_identity,
        rotation_about,
        rotation_by_sequence,
        rotation_from_sine,
        rotation_with_xy,
        rotation_with_xz,
        snapped,
        vee,
    )
    from motorik.algebra.scalar import (
        Scalar,
        arccos,
        arcsin,
        arctan,
        arctan2,
        cos,
        exp,
        fabs,
        log,
        maximum,
        minimum,
        sign,
        sin,
        sqrt,
        tan,
        where,
    )
    from motorik.algebra.vector import AXES, ZERO, Vector, X, Y, Z

__all__ = [
    "AXES",
    "IDENTITY",
    "IDENTITY_POSE",
    "NO_INERTIA",
    "NO_TURN",
    "ZERO",
    "ZERO_MOTOR",
    "Acceleration",
    "Angle",
    "Dual",
    "Dyad",
    "Force",
    "Inertia",
    "Matrix",
    "Momentum",
    "Motor",
    "Orientation",
    "Pose",
    "Quaternion",
    "Scalar",
    "Symmetric",
    "Vector",
    "Velocity",
    "X",
    "Y",
    "Z",
    "angle_of_turn",
    "angles_of_sequence",
    "angular_velocity_from",
    "arccos",
    "arcsin",
    "arctan",
    "arctan2",
    "as_dual",
    "body_force",
    "check_rotation",
    "check_tensor",
    "coordinate_axis",
    "cos",
    "derivative_in_fixed_frame",
    "exp",
    "fabs",
    "frames",
    "inner",
    "is_identity",
    "kinetic_energy",
    "log",
    "maximum",
    "minimum",
    "outer",
    "power",
    "principal_axes",
    "quaternions",
    "rate_of",
    "rotation_about",
    "rotation_by_sequence",
    "rotation_from_sine",
    "rotation_with_xy",
    "rotation_with_xz",
    "scalar",
    "sign",
    "sin",
    "skew",
    "snapped",
    "sqrt",
    "square",
    "tan",
    "total_motor",
    "unit_axis",
    "value_of",
    "vee",
    "where",
]


def __dir__() -> list[str]:
    return __all__


_HOMES = {
    "motorik.algebra": (
        "frames",
        "quaternions",
        "scalar",
    ),
    "motorik.algebra.angle": ("Angle",),
    "motorik.algebra.dual": (
        "Dual",
        "as_dual",
        "rate_of",
        "value_of",
    ),
    "motorik.algebra.dyad": (
        "NO_INERTIA",
        "Inertia",
        "body_force",
        "kinetic_energy",
    ),
    "motorik.algebra.frames": ("Orientation",),
    "motorik.algebra.general_dyad": ("Dyad",),
    "motorik.algebra.given": (
        "check_rotation",
        "unit_axis",
    ),
    "motorik.algebra.matrix": (
        "IDENTITY",
        "Matrix",
        "Symmetric",
        "outer",
        "skew",
        "square",
    ),
    "motorik.algebra.motor": (
        "ZERO_MOTOR",
        "Acceleration",
        "Force",
        "Momentum",
        "Motor",
        "Velocity",
        "derivative_in_fixed_frame",
        "inner",
        "power",
        "total_motor",
    ),
    "motorik.algebra.pose": (
        "IDENTITY_POSE",
        "Pose",
    ),
    "motorik.algebra.principal": (
        "check_tensor",
        "principal_axes",
    ),
    "motorik.algebra.quaternion": (
        "NO_TURN",
        "Quaternion",
    ),
    "motorik.algebra.rotation": (
        "angle_of_turn",
        "angles_of_sequence",
        "angular_velocity_from",
        "coordinate_axis",
        "is_identity",
        "rotation_about",
        "rotation_by_sequence",
        "rotation_from_sine",
        "rotation_with_xy",
        "rotation_with_xz",
        "snapped",
        "vee",
    ),
    "motorik.algebra.scalar": (
        "Scalar",
        "arccos",
        "arcsin",
        "arctan",
        "arctan2",
        "cos",
        "exp",
        "fabs",
        "log",
        "maximum",
        "minimum",
        "sign",
        "sin",
        "sqrt",
        "tan",
        "where",
    ),
    "motorik.algebra.vector": (
        "AXES",
        "ZERO",
        "Vector",
        "X",
        "Y",
        "Z",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)
