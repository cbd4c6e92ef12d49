"""check_joint: every law of joints, tried at random poses."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.dual import Dual, rate_of, value_of
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.checks.law import (
    JointLaw,
    JointSample,
    difference,
    each,
    plain,
    rate_of_pose,
)
from motorik.elements.constraint import Constraint
from motorik.elements.joint import Joint, combine
from motorik.errors import MotorikError, ParameterError, called_as
from motorik.mobile.elements.joint_element import JointElement
from motorik.mobile.states.frame import Frame
from motorik.numerics.tolerances import CHECKED_RANK, CHECKED_ZERO

if TYPE_CHECKING:
    import casadi


# --- one algebra: dual numbers, arrays, symbols and machine code agree --------------------


def _flat(joint: Joint, q: Sequence[Scalar], u: Sequence[Scalar]) -> list[Scalar]:
    """Return all that a trace takes from a joint, one scalar after another."""
    X: Pose = joint.pose(*q)
    screws = [c for screw in joint.screws(*q) for c in screw.components]
    rates = joint.rates(q, u)
    return [*X.R.entries, *X.p.xyz, *screws, *rates, *joint.bias(q, u).components]


def _numbers(joint: Joint, samples: Sequence[JointSample]) -> np.ndarray:
    return np.array([_flat(joint, at.q, at.u) for at in samples], dtype=float)


def _duals(joint: Joint, at: JointSample) -> float:
    q, u = ([Dual(x, 1.0) for x in values] for values in (at.q, at.u))
    X, X_dual = joint.pose(*at.q), joint.pose(*q)
    pairs = [(X_dual.R.map(value_of), X.R), (X_dual.p.map(value_of), X.p)]
    screws = zip(joint.screws(*q), joint.screws(*at.q), strict=True)
    pairs += [(dual.map(value_of), number) for dual, number in screws]
    rates = [value_of(rate) for rate in joint.rates(q, u)]
    deviations = [difference(dual.numpy(), number.numpy()) for dual, number in pairs]
    return max(difference(rates, joint.rates(at.q, at.u)), *deviations)


def _arrays(joint: Joint, samples: Sequence[JointSample]) -> list[float]:
    q = list(np.array([at.q for at in samples]).T)
    u = list(np.array([at.u for at in samples]).T)
    expected = _numbers(joint, samples)
    flat = [np.broadcast_to(scalar, len(samples)) for scalar in _flat(joint, q, u)]
    return [difference(a, b) for a, b in zip(np.array(flat).T, expected, strict=True)]


def _function(joint: Joint) -> casadi.Function:
    """Return the joint as a CasADi function (q, u) → all that a trace takes from it."""
    import casadi

    q = casadi.SX.sym("q", len(joint.coordinates))
    u = casadi.SX.sym("u", joint.freedom)
    flat = _flat(joint, casadi.vertsplit(q), casadi.vertsplit(u))
    return casadi.Function("joint", [q, u], [casadi.vertcat(*flat)])


def _symbols(joint: Joint, samples: Sequence[JointSample]) -> list[float]:
    function = _function(joint)
    pairs = zip(samples, _numbers(joint, samples), strict=True)
    return [difference(function(at.q, at.u).full().ravel(), b) for at, b in pairs]


def _native(joint: Joint, samples: Sequence[JointSample]) -> list[float]:
    from motorik.compiler import compile_function

    function = compile_function(_function(joint))
    pairs = zip(samples, _numbers(joint, samples), strict=True)
    return [
        difference(function(np.array(at.q), np.array(at.u)).ravel(), b) for at, b in pairs
    ]


_ONE_ALGEBRA = (
    "Compute with the functions of motorik.algebra.scalar (sin, where, …), never with "
    "`if` on a scalar or with `float(…)`."
)

ALGEBRA_LAWS = (
    JointLaw(
        "duals", "that dual numbers give the same as numbers", _ONE_ALGEBRA, each(_duals)
    ),
    JointLaw("arrays", "that arrays give the same as numbers", _ONE_ALGEBRA, _arrays),
    JointLaw("symbols", "that symbols give the same as numbers", _ONE_ALGEBRA, _symbols),
    JointLaw(
        "native", "that machine code gives the same as numbers", _ONE_ALGEBRA, _native
    ),
)


# --- motion: pose, screws, bias, force, the reversed joint --------------------------------


def _rotation(joint: Joint, at: JointSample) -> float:
    R = joint.pose(*at.q).R.numpy()
    return max(difference(R @ R.T, np.eye(3)), difference(np.linalg.det(R), 1.0))


def _screws(joint: Joint, at: JointSample) -> float:
    units = np.eye(joint.freedom)
    screws = [screw.numpy() for screw in joint.screws(*at.q)]
    rates = [rate_of_pose(joint, at.q, plain(unit)) for unit in units]
    return difference(screws, rates)


def _bias(joint: Joint, at: JointSample) -> float:
    moving = [Dual(x, xd) for x, xd in zip(at.q, joint.rates(at.q, at.u), strict=True)]
    rate = combine([screw.map(rate_of) for screw in joint.screws(*moving)], at.u)
    return difference(joint.bias(at.q, at.u).numpy(), rate.numpy())


def _fit(joint: Joint, at: JointSample) -> float:
    X_ab = joint.pose(*at.q)
    return difference(joint.pose(*joint.fit(X_ab)).numpy(), X_ab.numpy())


def _force(joint: Joint, at: JointSample) -> float:
    element = JointElement(Frame("a", V=at.V_a), Frame("b"), joint)
    for variable, q in zip(element.variables, at.q, strict=True):
        variable.q = q
    for speed, u in zip(element.speeds, at.u, strict=True):
        speed.qd = u
    a, b = element.a, element.b
    element.motion()
    b.F = at.F_b
    element.force()
    power_in = a.F @ a.V + sum(speed.Q * speed.qd for speed in element.speeds)
    return difference(power_in, b.F @ b.V)


def _settling(joint: Joint, at: JointSample) -> float:
    off = joint.projected([x + 1e-3 for x in at.q])
    R = joint.pose(*off).R.numpy()
    projected = joint.pose(*joint.projected(at.q))
    left = joint.redundancy(off)
    return max(
        difference(projected.numpy(), joint.pose(*at.q).numpy()),
        difference(joint.projected(off), off),
        difference(left, np.zeros(len(left))),
        difference(R @ R.T, np.eye(3)),
    )


def _reversal(joint: Joint, at: JointSample) -> float:
    other = joint.reversed()
    X_ba, X_ab = other.pose(*at.q), joint.pose(*at.q)
    velocity = other.relative_velocity(at.q, at.u).numpy()
    return max(
        difference((X_ab @ X_ba).numpy(), np.eye(4)),
        difference(velocity, rate_of_pose(other, at.q, at.u)),
        difference(other.reversed().pose(*at.q).numpy(), X_ab.numpy()),
    )


MOTION_LAWS = (
    JointLaw(
        "rotation",
        "that R_ab is a rotation",
        "Build R from `rotation_about`, and give axes as unit vectors.",
        each(_rotation),
    ),
    JointLaw(
        "screws",
        "that the screws are the rate of the pose",
        "Let screws(*q) return, for each speed, the velocity motor of b seen from a, "
        "resolved in b about its origin; and let q̇ be rates(q, u).",
        each(_screws),
    ),
    JointLaw(
        "bias",
        "that the bias is the rate of the screws",
        "Leave out `bias`, which is then derived, or return Σ Ṡ_i u_i.",
        each(_bias),
    ),
    JointLaw(
        "fit",
        "that fit is the inverse of pose",
        "Let fit(X_ab) return coordinates q with pose(*q) = X_ab.",
        each(_fit),
    ),
    JointLaw(
        "force",
        "that force is the transpose of velocity (power in = power out)",
        "Leave out `relative_velocity`, which is then Σ S_i u_i.",
        each(_force),
    ),
    JointLaw(
        "projecting",
        "that projected coordinates are of the same pose and valid, and stay as they are",
        "Leave out `projected`, or let it only correct the drift of time steps.",
        each(_settling),
    ),
    JointLaw(
        "reversal",
        "that the reversed joint is the same joint seen from b",
        "Leave out `reversed`, which is then derived, or return a joint of pose X_ba.",
        each(_reversal),
    ),
)


# --- the constraint that closes a loop ----------------------------------------------------


FROM = Pose(rotation_about(Vector(2.0, -1.0, 2.0) / 3.0, 0.8), Vector(0.3, -0.7, 0.5))
"""Pose of frame a in the common frame."""


def _ends(joint: Joint, at: JointSample) -> tuple[Pose, Pose]:
    return FROM, FROM @ joint.pose(*at.q)


def _rows(rows: Callable[..., Sequence[Scalar]] | None, *poses: Pose) -> np.ndarray:
    """Return the rows at numbers; infinite where they are not finite."""
    values = np.array(rows(*poses) if rows is not None else (), dtype=float)
    return np.where(np.isfinite(values), values, np.inf)


def _jacobian(constraint: Constraint, ends: tuple[Pose, Pose]) -> np.ndarray:
    """Return the rates of all rows by the velocity of b, resolved in b."""
    motions = [Motor.of(unit.tolist()) for unit in np.eye(6)]
    rates = [constraint.rates(ends, (ZERO_MOTOR, motion)) for motion in motions]
    return np.array(rates, dtype=float).T


def _solved(constraint: Constraint) -> Constraint:
    """Return the constraint with the rows of assembling in place of those of motion."""
    return replace(constraint, residual=constraint.to_solve)


def _displaced(joint: Joint, at: JointSample) -> list[tuple[Pose, Pose]]:
    """Return poses where b is put along and about what the rows forbid, and anywhere."""
    X_a, X_b = _ends(joint, at)
    found: list[Pose] = []
    J = _jacobian(joint.constraint, (X_a, X_b))[: len(joint.constraint.units)]
    for axis in _forbidden(J[:, :3]):
        found += [X_b @ Pose(rotation_about(axis, turn)) for turn in (np.pi, 2.0, -0.3)]
    for direction in _forbidden(J[:, 3:]):
        found += [X_b @ Pose(p=shift * direction) for shift in (0.8, -0.02)]
    axis, away = at.V_a.resultant.normalized(), Vector.of(at.V_a.moment)
    found += [X_b @ Pose(rotation_about(axis, turn), away) for turn in (0.4, np.pi)]
    return [(X_a, X) for X in found]


def _forbidden(J: np.ndarray) -> list[Vector]:
    """Return orthogonal directions that change the rows, and span all that do."""
    if not J.size:
        return []
    _, strengths, directions = np.linalg.svd(J)
    return [
        Vector.of(e)
        for s, e in zip(strengths, directions, strict=False)
        if s > CHECKED_RANK
    ]


def _vanishing(joint: Joint, at: JointSample) -> float:
    held, ends = joint.constraint, _ends(joint, at)
    residual, assembly_residual = (
        _rows(rows, *ends) for rows in (held.residual, held.to_solve)
    )
    if not len(residual) == len(assembly_residual) == len(held.units):
        return np.inf
    return float(
        max(np.abs(rows).max(initial=0.0) for rows in (residual, assembly_residual))
    )


def _letting(joint: Joint, at: JointSample) -> float:
    held, ends = joint.constraint, _ends(joint, at)
    velocities = [(ZERO_MOTOR, screw) for screw in joint.screws(*at.q)]
    rates = np.array([held.rates(ends, V) for V in velocities], dtype=float)
    return float(np.abs(rates).max(initial=0.0))


def _holding(joint: Joint, at: JointSample) -> float:
    J = _jacobian(joint.constraint, _ends(joint, at))
    rank = np.linalg.matrix_rank(J, CHECKED_RANK) if J.size else 0
    return float(abs(rank - (6 - joint.freedom)))


def _assembly_residual(joint: Joint, at: JointSample) -> float:
    held, ends = joint.constraint, _ends(joint, at)
    return difference(_jacobian(_solved(held), ends), _jacobian(held, ends))


def _elsewhere(joint: Joint, at: JointSample) -> float:
    held = joint.constraint
    for ends in _displaced(joint, at):
        size = float(np.abs(_rows(held.to_solve, *ends)).max(initial=0.0))
        gap = max(float(part) for part in held.measured(*ends))
        if (size < CHECKED_ZERO) != (gap < CHECKED_ZERO):
            return np.inf
    return 0.0


def _gap(joint: Joint, at: JointSample) -> float:
    held, other = joint.constraint, joint.reversed()
    deviations = [max(abs(float(part)) for part in held.measured(*_ends(joint, at)))]
    for X_a, X_b in _displaced(joint, at):
        seen = np.array(held.measured(X_a, X_b), dtype=float)
        sides = _misfit(joint, X_a, X_b), _misfit(other, X_b, X_a)
        deviations.append(min(_off(seen, side) for side in sides))
    return float(max(deviations))


def _misfit(joint: Joint, X_a: Pose, X_b: Pose) -> np.ndarray:
    """Return how far b is from where the joint would put it: [m], and sine and cosine of ½θ."""
    X_ab = X_a.inverse() @ X_b
    best, here = joint.pose(*joint.fit(X_ab)).numpy(), X_ab.numpy()
    sine = np.linalg.norm(here[:3, :3] - best[:3, :3]) / np.sqrt(8.0)
    cosine = np.sqrt(max(0.0, 1.0 + np.trace(best[:3, :3].T @ here[:3, :3]))) / 2.0
    return np.array([np.linalg.norm(here[:3, 3] - best[:3, 3]), sine, cosine])


def _off(seen: np.ndarray, side: np.ndarray) -> float:
    """Return how far a gap is from a misfit; its angle by the chord, which has no blunt end."""
    metres, angle = seen
    return max(
        abs(metres - side[0]),
        abs(np.sin(angle / 2) - side[1]),
        abs(np.cos(angle / 2) ** 2 - side[2] ** 2),
    )


CONSTRAINT_LAWS = (
    JointLaw(
        "constraint",
        "that the rows of the constraint vanish at the poses of the joint",
        "Leave out `constraint`, which is then derived, or let its rows, one for each of its "
        "units, vanish at X_b = X_a X_ab(q).",
        each(_vanishing),
    ),
    JointLaw(
        "letting",
        "that the constraint allows motion along the screws",
        "Let neither the rows of the constraint nor those of its rates change along the "
        "screws.",
        each(_letting),
    ),
    JointLaw(
        "holding",
        "that the constraint prevents 6 − f of six motions",
        "Let rows and rates of the constraint prevent every motion but the screws.",
        each(_holding),
    ),
    JointLaw(
        "assembly_residual",
        "that the assembly residual is the residual to first order",
        "Let both have the same derivatives where they vanish: 2 tan ½α stands for sin α.",
        each(_assembly_residual),
    ),
    JointLaw(
        "elsewhere",
        "that the assembly residual vanishes where the gap does, and nowhere else",
        "Give the constraint an `assembly_residual` whose rows are far from zero half a turn off.",
        each(_elsewhere),
    ),
    JointLaw(
        "gap",
        "that the gap is the distance of b from the nearest pose of the joint",
        "Let `gap` be the joint's `misfit`, and let fit(X_ab) be near at every pose.",
        each(_gap),
    ),
)


@called_as("check_joint", ParameterError)
def check_joint(
    joint: Joint, samples: int = 4, *, seed: int = 0, tolerance: float = 1e-12
) -> dict[str, float]:
    """Check a joint at its neutral pose and at random ones; raise `MotorikError` if it fails.

    Every law is tested at poses that the joint reaches from its neutral coordinates with random
    speeds. The error names the law, the coordinates and the deviation. Return the largest
    deviation found for each law.

    >>> from motorik.elements import RevolutePair
    >>> sorted(check_joint(RevolutePair()))[:3]
    ['arrays', 'assembly_residual', 'bias']
    """
    if not isinstance(joint, Joint):
        raise ParameterError(
            "check_joint",
            f"{joint!r} is not a joint of motorik.elements.",
            "Give e.g. check_joint(RevolutePair()).",
            parameter="joint",
            value=joint,
        )
    part = repr(joint)
    _check_declarations(part, joint)
    rng = np.random.default_rng(seed)
    ways = [np.zeros(joint.freedom), *rng.uniform(-1.5, 1.5, (samples, joint.freedom))]
    places = [
        JointSample(
            _drive(joint, way), plain(rng.normal(size=joint.freedom)), *_motors(rng)
        )
        for way in ways
    ]
    found: dict[str, float] = {}
    for law in (*MOTION_LAWS, *CONSTRAINT_LAWS, *ALGEBRA_LAWS):
        try:
            deviations = law.deviations(joint, places)
        except Exception as error:
            raise MotorikError(
                part,
                f"the law {law.statement} cannot be tested: {type(error).__name__}: {error}",
                law.remedy,
            ) from error
        for sample, deviation in zip(places, deviations, strict=True):
            if not deviation <= tolerance:  # NaN is a failure, too
                raise MotorikError(
                    part,
                    f"the law {law.statement} fails by {deviation:.3g} "
                    f"(allowed {tolerance:.3g}) at {_where(joint, sample)}.",
                    law.remedy,
                )
        found[law.name] = max(deviations)
    return found


def _drive(joint: Joint, u: np.ndarray, steps: int = 300) -> tuple[float, ...]:
    """Return the coordinates reached from the neutral ones in 1 s at constant speeds u.

    Integrates q̇ = rates(q, u) by the classical Runge–Kutta method, which keeps a
    quaternion of length 1 within rounding.
    """
    h = 1.0 / steps
    q = np.array([coordinate.neutral for coordinate in joint.coordinates])

    def rate(q: np.ndarray) -> np.ndarray:
        return np.array(joint.rates(plain(q), plain(u)), dtype=float)

    for _ in range(steps):
        k1 = rate(q)
        k2 = rate(q + 0.5 * h * k1)
        k3 = rate(q + 0.5 * h * k2)
        k4 = rate(q + h * k3)
        q = q + (h / 6.0) * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return plain(q)


def _motors(rng: np.random.Generator) -> tuple[Motor, Motor]:
    return Motor.of(rng.normal(size=6)), Motor.of(rng.normal(size=6))


def _where(joint: Joint, sample: JointSample) -> str:
    named = zip(joint.coordinates, sample.q, strict=True)
    return ", ".join(f"{c.name} = {value:.4g} {c.unit}" for c, value in named)


def _check_declarations(part: str, joint: Joint) -> None:
    """Refuse a joint whose names or numbers of coordinates and speeds do not fit."""
    arguments = inspect.signature(joint.pose).parameters.values()
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    names = [a.name for a in arguments if a.kind not in variadic]
    declared_names = [coordinate.name for coordinate in joint.coordinates]
    if names and names != declared_names:
        raise MotorikError(
            part,
            f"pose takes {', '.join(names)}, but the coordinates are "
            f"{', '.join(declared_names)}.",
            "Name the arguments of `pose` as the coordinates, in the same order.",
        )
    q = tuple(coordinate.neutral for coordinate in joint.coordinates)
    u = (0.0,) * joint.freedom
    for what, seen, declared in (
        ("screws(*q)", len(joint.screws(*q)), "speeds"),
        ("rates(q, u)", len(joint.rates(q, u)), "coordinates"),
        ("fit(X_ab)", len(joint.fit(joint.pose(*q))), "coordinates"),
    ):
        needed = len(getattr(joint, declared))
        if seen != needed:
            raise MotorikError(
                part,
                f"{what} returns {seen} values, but there are {needed} {declared}.",
                f"Let it return one for each of `{declared}`.",
            )
