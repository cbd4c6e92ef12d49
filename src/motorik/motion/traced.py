"""The equations of a mechanism as functions of scalars.

Each returns lists of scalars, and so runs on numbers, on CasADi symbols and on the slots of a
rolling tape.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from motorik.algebra.motor import ZERO_MOTOR
from motorik.algebra.scalar import Scalar, add
from motorik.dynamics.articulated import (
    AtOnce,
    Caller,
    Locks,
    forward_dynamics,
    hybrid_dynamics,
)
from motorik.dynamics.composite_body import (
    forward_by_factorisation,
    inverse_dynamics,
    mass_matrix,
)
from motorik.elements.joint import Joint
from motorik.motion.view import MotionView, References
from motorik.topology.mechanism import Mechanism

Scalars = Sequence[Scalar]
Result = TypeVar("Result")

ARTICULATED = "articulated body"
ALIGNED = "articulated body in the axes of the world"
REFRAMED = "articulated body in sparse frames"
FACTORISED = "composite body and factorisation"
COUPLED = "articulated body, links with masses on lines between them together"


def speed_rates(
    mechanism: Mechanism,
    q: Scalars,
    u: Scalars,
    tau: Scalars | None = None,
    tape: Caller | None = None,
    algorithm: str = ARTICULATED,
    t: Scalar = 0.0,
    z: Scalars = (),
) -> list[Scalar]:
    """Return du/dt under the mechanism's own forces and generalised forces tau."""
    tape = tape or AtOnce()
    motion = MotionView(mechanism, q, u, None, t, z, tape=tape, is_cut=True)
    own, applied = motion.generalised_forces, motion.link_loads
    total = (
        own
        if tau is None
        else [tape.call(add, a, b) for a, b in zip(own, tau, strict=True)]
    )
    given = (mechanism.links, mechanism.gravity, q, u, total)
    if algorithm == FACTORISED:
        return forward_by_factorisation(*given, applied)
    if algorithm == REFRAMED:
        from motorik.dynamics.reframe import reframe

        given = (reframe(mechanism.links), *given[1:])
    return forward_dynamics(*given, tape, algorithm == ALIGNED, applied)


def locked_speed_rates(
    motion: MotionView,
    locks: Locks,
    tau: Scalars | None = None,
) -> tuple[list[Scalar], list[Scalar]]:
    """Return du/dt with locked freedoms, and the forces that lock them, see `dynamics.articulated`.

    Forces are the mechanism's own in the motion, and generalised forces tau.
    """
    mechanism, tape = motion.mechanism, motion.tape
    own, applied = motion.generalised_forces, motion.link_loads
    if tau is not None:
        own = [tape.call(add, a, b) for a, b in zip(own, tau, strict=True)]
    given = (mechanism.links, mechanism.gravity, motion.q, motion.u, own, locks)
    return hybrid_dynamics(*given, tape, applied=applied)


def coordinate_rates(
    mechanism: Mechanism, q: Scalars, u: Scalars, tape: Caller | None = None
) -> list[Scalar]:
    """Return dq/dt for the speeds u."""
    tape = tape or AtOnce()
    rates: list[Scalar] = []
    for link in mechanism.links:
        own_q, own_u = tuple(q[k] for k in link.q), tuple(u[k] for k in link.u)
        rates += tape.call(rates_of, link.joint, own_q, own_u)
    return rates


def rates_of(joint: Joint, q: Scalars, u: Scalars) -> tuple[Scalar, ...]:
    """Return the coordinate rates of one joint."""
    return joint.rates(q, u)


def state_rates(
    mechanism: Mechanism,
    t: Scalar,
    x: Scalars,
    rates: Scalars,
    tape: Caller | None = None,
) -> list[Scalar]:
    """Return dx/dt of the state x = (q, u, z) in which the speeds have these rates."""
    n_q, n_u = mechanism.n_q, mechanism.n_u
    q, u, z = x[:n_q], x[n_q : n_q + n_u], x[n_q + n_u :]
    result = [*coordinate_rates(mechanism, q, u, tape), *rates]
    if z:
        motion = MotionView(mechanism, q, u, rates, t, z, tape=tape)
        result += mechanism.signals.rates(motion, z, t)
    return result


def required_forces(
    mechanism: Mechanism,
    q: Scalars,
    u: Scalars,
    ud: Scalars,
    t: Scalar = 0.0,
    z: Scalars = (),
    references: References | None = None,
) -> list[Scalar]:
    """Return the generalised forces needed besides the mechanism's own for du/dt = ud."""
    known = ud if mechanism.signals.unknowns else None
    motion = MotionView(mechanism, q, u, known, t, z, references=references)
    applied = motion.link_loads
    if mechanism.coupled_masses:
        accelerated = MotionView(mechanism, q, u, ud, t, z, references=references)
        loads = applied or [ZERO_MOTOR] * len(mechanism.links)
        applied = [a + b for a, b in zip(loads, accelerated.mass_loads, strict=True)]
    needed = inverse_dynamics(mechanism.links, mechanism.gravity, q, u, ud, applied)
    own = motion.generalised_forces
    return [a - b for a, b in zip(needed, own, strict=True)]


def inertia_matrix(mechanism: Mechanism, q: Scalars) -> list[Scalar]:
    """Return the entries of the mass matrix, column by column."""
    if not mechanism.coupled_masses:
        M = mass_matrix(mechanism.links, q)
    else:
        from motorik.dynamics.line_mass import full_mass_matrix

        M = full_mass_matrix(mechanism.links, mechanism.coupled_masses, q)
    return [M[i][j] for j in range(mechanism.n_u) for i in range(mechanism.n_u)]


def projected(mechanism: Mechanism, x: Scalars) -> list[Scalar]:
    """Return the state with normalised joint coordinates (unit quaternions)."""
    result = list(x)
    for link in mechanism.links:
        if link.joint.needs_projection:
            own = link.joint.projected([x[k] for k in link.q])
            for k, value in zip(link.q, own, strict=True):
                result[k] = value
    return result


def needs_projection(mechanism: Mechanism) -> bool:
    """Return whether any joint has coordinates that drift or charts that must be switched."""
    return any(link.joint.needs_projection for link in mechanism.links)
