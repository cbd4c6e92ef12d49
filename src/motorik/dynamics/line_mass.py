"""Point masses on lines between links, as links whose motion depends on that of others.

A mass on the line from a point a of one link to a point b of another has no freedom. Where
both links are mounted on a common base, it moves relative to this base as a link with speeds

    u_m = J_m u,   u̇_m = J_m u̇,   v_m = v_a + B (v_b − v_a)

resolved in the axes of the base (B: `Between`, `Towards`); its acceleration at u̇ = 0 is c. So it
is one more dependent link of the compound joint that both links form (`compound.py`):
m J_mᵀ J_m enters the mass matrix, and no coordinate, constraint or multiplier is needed. Its
inertia could instead be three unknown forces for each mass; but then the equations would be
larger and indefinite, while here they stay definite, in the same states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from motorik.algebra.dyad import Inertia
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar, add, is_structural, mul
from motorik.algebra.vector import AXES, ZERO, Vector
from motorik.dynamics.composite_body import Entries, Member, mass_entries, mass_matrix
from motorik.dynamics.compound import LinkMotion, Reduction, Rows
from motorik.immutable import immutable
from motorik.topology.mechanism import CoupledMass, Link

Members = Sequence[Member | Link]
AXES_OF_BASE = tuple(Motor(ZERO, e) for e in AXES)
FREEDOM = len(AXES_OF_BASE)


@immutable
class LinePoint:
    """The position of a mass relative to its base and the columns of J_m, by speed."""

    p: Vector
    r: Vector  # from one end of the line to the other
    J: dict[int, Vector]

    @property
    def pose(self) -> Pose:
        """The frame of the mass, parallel to that of the base."""
        return Pose(p=self.p)


def line_point(
    members: Members,
    X: Sequence[Pose],
    S: Sequence[tuple[Motor, ...]],
    mass: CoupledMass,
) -> LinePoint:
    """Return the position of a mass; links are numbered as `members`, below 0 is the base."""
    ends = [_end(members, X, S, *end) for end in zip(mass.links, mass.points, strict=True)]
    (p_a, by_a), (p_b, by_b) = ends
    r = p_b - p_a
    J: dict[int, Vector] = {}
    for k in sorted({*by_a, *by_b}):
        v_a, v_b = by_a.get(k, ZERO), by_b.get(k, ZERO)
        J[k] = v_a + mass.place.moved(r, v_b - v_a)
    return LinePoint(p_a + mass.place.offset(r), r, J)


def _end(
    members: Members,
    X: Sequence[Pose],
    S: Sequence[tuple[Motor, ...]],
    link: int,
    point: Vector,
) -> tuple[Vector, dict[int, Vector]]:
    """Return the position of a point of a link in the base, and its velocity by each speed."""
    velocity: dict[int, Vector] = {}
    at, p = link, point
    while at >= 0:
        for k, screw in zip(members[at].u, S[at], strict=True):
            velocity[k] = screw.moment_at(p)
        p = X[at](p)
        velocity = {k: X[at].R @ v for k, v in velocity.items()}
        at = members[at].parent
    return p, velocity


@immutable
class Moving:
    """The motion of the links of a compound joint and the velocity of their base."""

    X: tuple[Pose, ...]
    S: tuple[tuple[Motor, ...], ...]
    V: tuple[Motor, ...]
    c: tuple[Motor, ...]
    V_base: Motor


def line_motion(
    members: Members, moving: Moving, mass: CoupledMass
) -> tuple[LinePoint, LinkMotion]:
    """Return a mass as a link on its base.

    Its c is its acceleration while u̇ and the acceleration of the base are zero.
    """
    found = line_point(members, moving.X, moving.S, mass)
    ends = zip(mass.links, mass.points, strict=True)
    (v_a, a_a), (v_b, a_b) = (_moving_end(members, moving, *end) for end in ends)
    place = mass.place
    a = a_a + place.moved(found.r, a_b - a_a) + place.bias(found.r, v_b - v_a)
    own = (found.pose, AXES_OF_BASE, Motor(ZERO, a), Inertia.of_body(mass.m), ZERO_MOTOR)
    return found, LinkMotion(*own)


def _moving_end(
    members: Members, moving: Moving, link: int, point: Vector
) -> tuple[Vector, Vector]:
    """Return velocity and acceleration of a point of a link, resolved in the base."""
    way: list[int] = []
    at = link
    while at >= 0:
        way.append(at)
        at = members[at].parent
    A, R = ZERO_MOTOR, IDENTITY_POSE.R
    for at in reversed(way):
        A = moving.X[at].back(A) + moving.c[at]
        R = R @ moving.X[at].R
    V = moving.V[link] if way else moving.V_base
    v = V.moment_at(point)
    return R @ v, R @ (A.moment_at(point) + V.resultant.cross(v))


def compound_mass(
    members: Sequence[Member],
    X: Sequence[Pose],
    S: Sequence[tuple[Motor, ...]],
    inertia: Sequence[Inertia],
    J: Rows,
    masses: Sequence[CoupledMass],
) -> tuple[Entries, Rows]:
    """Return M of the speeds of links and masses of a compound joint, and J with the latter."""
    if not masses:
        return mass_entries(members, X, S, inertia)[0], J
    points = [line_point(members, X, S, mass) for mass in masses]
    M, _, _ = mass_entries(
        members,
        [*X, *(point.pose for point in points)],
        [*S, *([AXES_OF_BASE] * len(points))],
        [*inertia, *(Inertia.of_body(mass.m) for mass in masses)],
    )
    made = Reduction({k: dict(row) for k, row in J.items()}, {}, [], [], 0)
    return M, with_points(made, points).J


def with_points(reduction: Reduction, points: Sequence[LinePoint]) -> Reduction:
    """Return a reduction with the speeds of masses after those of links."""
    J, drift = dict(reduction.J), dict(reduction.drift)
    for point in points:
        first = len(J)
        for c, row in enumerate(rows_of(point)):
            J[first + c] = chained(row, reduction.J)
            known: Scalar = 0.0
            for k, factor in row.items():
                known = add(known, mul(factor, reduction.drift.get(k, 0.0)))
            if not is_structural(known, 0.0):
                drift[first + c] = known
    return replace(reduction, J=J, drift=drift)


def rows_of(point: LinePoint) -> list[dict[int, Scalar]]:
    """Return the rows of J_m."""
    columns = {k: v.xyz for k, v in point.J.items()}
    return [
        {k: v[c] for k, v in columns.items() if not is_structural(v[c], 0.0)}
        for c in range(FREEDOM)
    ]


def chained(
    row: Mapping[int, Scalar], J: Mapping[int, Mapping[int, Scalar]]
) -> dict[int, Scalar]:
    """Return a row of J_m J."""
    found: dict[int, Scalar] = {}
    for k, factor in row.items():
        for s, value in J[k].items():
            found[s] = add(found.get(s, 0.0), mul(factor, value))
    return found


def full_mass_matrix(
    links: Sequence[Link], masses: Sequence[CoupledMass], q: Sequence[Scalar]
) -> list[list[Scalar]]:
    """Return the mass matrix of a tree with masses on lines: M + Σ m J_mᵀ J_m."""
    M = mass_matrix(links, q)
    if not masses:
        return M
    X = [link.X_pj @ link.joint.pose(*(q[k] for k in link.q)) for link in links]
    S = [link.joint.screws(*(q[k] for k in link.q)) for link in links]
    for mass in masses:
        J = line_point(links, X, S, mass).J
        for i, v_i in J.items():
            for k, v_k in J.items():
                M[i][k] = add(M[i][k], mul(mass.m, v_i.dot(v_k)))
    return M
