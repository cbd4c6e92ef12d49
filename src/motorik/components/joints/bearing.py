"""Loads of bearings: the normal forces of friction, from the reaction of the joint.

The reaction (f, t) is the force and the moment that the joint transmits at the origin of frame_b.
Along the axis n it has f_n and t_n, across it f_r and t_r. The load of friction at a
pin of radius r, a collar at the friction arm R_n and two bearings at the distance b (the bending
arm) is

    hinge     r |f_r| + R_n |f_n| + r |t_r| / b       [N·m]
    guide     |f_r| + |t_r| / b + |t_n| / R_t         [N]

the moment about the axis of a guide being taken by the torsion arm R_t. Arms that are not given
are not counted. A ball of radius r has r |f|.

A square thread of mean radius r and lead 2π h climbs by the angle α, tan α = h / r. It presses by
what the reaction has across the thread, f_n cos α − t_n sin α / r, and rubs along it: a torque of
r / cos α times that at the speed of turning. So it locks for tan α < μ.
"""

from __future__ import annotations

from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar, is_structural, maximum, sqrt
from motorik.algebra.vector import Vector
from motorik.components.joints.friction import FrictionLaw
from motorik.errors import ParameterError
from motorik.numerics.tolerances import TINY_SQUARE


def size_of(*components: Scalar) -> Scalar:
    """Return the norm, with a slope of zero where it vanishes."""
    total: Scalar = 0.0
    for value in components:
        total = total + value * value
    return 0.0 if is_structural(total, 0.0) else sqrt(maximum(total, TINY_SQUARE))


def split(n: Vector, v: Vector) -> tuple[Scalar, Vector]:
    """Return the component of a vector along a unit vector, and the rest, across it."""
    along = n.dot(v)
    return along, v - n * along


def check_radius_alone(label: str, law: FrictionLaw | None) -> None:
    """Refuse a law with mu of a thread or ball without its radius, or with other arms."""
    if law is None or law.mu is None:
        return
    more = [
        name for name in ("friction_arm", "bending_arm") if getattr(law, name) is not None
    ]
    if law.radius is None or more:
        seen = "radius is missing" if law.radius is None else f"{more[0]} is not read here"
        raise ParameterError(
            label,
            f"friction = {law!r}: {seen}.",
            f"Give {type(law).__name__}(mu=…, radius=…).",
            parameter="friction",
            value=law,
        )


def hinge_load(law: FrictionLaw, n: Vector, reaction: Motor) -> Scalar:
    """Return the load of a hinge about n: a moment [N·m] of which mu times is friction."""
    f_n, f_r = split(n, reaction.resultant)
    total: Scalar = 0.0
    if law.radius is not None:
        total = total + law.radius * size_of(*f_r.xyz)
    if law.friction_arm is not None:
        total = total + law.friction_arm * size_of(f_n)
    if law.bending_arm is not None:
        _, t_r = split(n, reaction.moment)
        total = total + law.radius * size_of(*t_r.xyz) / law.bending_arm
    return total


def guide_load(law: FrictionLaw, n: Vector, reaction: Motor) -> Scalar:
    """Return the load of a guide along n: a force [N] of which mu times is friction."""
    _, f_r = split(n, reaction.resultant)
    t_n, t_r = split(n, reaction.moment)
    total = size_of(*f_r.xyz)
    if law.bending_arm is not None:
        total = total + size_of(*t_r.xyz) / law.bending_arm
    if law.torsion_arm is not None:
        total = total + size_of(t_n) / law.torsion_arm
    return total


def thread_load(law: FrictionLaw, n: Vector, h: Scalar, reaction: Motor) -> Scalar:
    """Return the load of a thread that climbs by h for each radian [N·m]."""
    r = law.radius
    f_n, t_n = n.dot(reaction.resultant), n.dot(reaction.moment)
    # r / cos α = √(r² + h²): (f_n cos α − t_n sin α / r) r / cos α = f_n r − t_n h / r
    return size_of(f_n * r - t_n * h / r)


def ball_load(law: FrictionLaw, reaction: Motor) -> Scalar:
    """Return the load of a ball: a moment [N·m] of which mu times is friction."""
    return law.radius * size_of(*reaction.resultant.xyz)
