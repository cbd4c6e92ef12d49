"""check_joint: every law of joints, tried at random poses."""

from __future__ import annotations

import inspect

import numpy as np

from motorik.algebra.motor import Motor
from motorik.checks.algebra_laws import ALGEBRA_LAWS
from motorik.checks.constraint_laws import CONSTRAINT_LAWS
from motorik.checks.law import Sample, plain
from motorik.checks.motion_laws import MOTION_LAWS
from motorik.elements.joint import Joint
from motorik.errors import MotorikError, ParameterError, called_as


@called_as("check_joint", ParameterError)
def check_joint(
    joint: Joint, samples: int = 4, *, seed: int = 0, tolerance: float = 1e-12
) -> dict[str, float]:
    """Check a joint at its neutral pose and at random ones; raise `MotorikError` if it fails.

    Every law is tested at poses that the joint reaches from its neutral coordinates with random
    speeds. The error names the law, the coordinates and the deviation. Return the largest
    deviation found for each law.

    >>> from motorik.elements import Turn
    >>> sorted(check_joint(Turn()))[:3]
    ['approach', 'arrays', 'bias']
    """
    if not isinstance(joint, Joint):
        raise ParameterError(
            "check_joint",
            f"{joint!r} is not a joint of motorik.elements.",
            "Give e.g. check_joint(Turn()).",
            parameter="joint",
            value=joint,
        )
    part = repr(joint)
    _check_declarations(part, joint)
    rng = np.random.default_rng(seed)
    ways = [np.zeros(joint.freedom), *rng.uniform(-1.5, 1.5, (samples, joint.freedom))]
    places = [
        Sample(_drive(joint, way), plain(rng.normal(size=joint.freedom)), *_motors(rng))
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


def _where(joint: Joint, sample: Sample) -> str:
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
