"""Static equilibrium of massless points, decided before anything is traced.

The forces g on the freedoms of massless points vanish. Where springs alone act, g(q, r, t) = 0
determines the position r of the point: ġ = 0 gives the speeds ṙ, and projection after each
step keeps g = 0. Where a damper acts, g(r, ṙ) = 0 gives the speeds, and r is a state like any
other. Both are linear in ṙ: one sparse linear system for all points, without iteration.

Dampers between massless points alone leave sums of the equations g without any speed, as in a
spring, a damper and a spring in series: these sums N g are held at positions. Dampers that act
on a point in one or two directions leave the others to springs; a projector follows these
directions as they change with the pose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from motorik.algebra.matrix import Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add, is_structural, mul
from motorik.algebra.vector import Vector
from motorik.compiler.symbols import elements
from motorik.components.base.contributions import InitialCondition
from motorik.components.base.motion import Motion
from motorik.components.base.ports import Port
from motorik.elements.translational import TranslationalPair
from motorik.errors import AssemblyError
from motorik.immutable import immutable
from motorik.loops.position_problem import Instant
from motorik.motion.feedback import solve_square
from motorik.motion.loads import loads_of_massless, unbalanced_forces
from motorik.motion.view import MotionView
from motorik.numerics.newton import damped_newton
from motorik.numerics.tolerances import RANK, SAME_SHARE
from motorik.topology.graph import ConnectedSets
from motorik.topology.mechanism import Mechanism, NodePose

if TYPE_CHECKING:
    import casadi


SAMPLES = 4  # random motions at which the rank of the damping is found

Combination = tuple[tuple[int, float], ...]
"""A sum of equations g: numbers and factors, the equation it replaces first."""


@immutable
class PartlyDamped:
    """The equations of a point with dampers in some directions, and the number of these."""

    rows: tuple[int, int, int]
    rank: int

    def projector(self, D: casadi.SX) -> casadi.SX:
        """Return the projector P onto the damped directions; D = ∂g/∂ṙ is symmetric."""
        import casadi

        if self.rank == 1:
            return D / casadi.trace(D)
        across = casadi.adj(D)  # of rank one, along the direction that is left
        return casadi.SX.eye(3) - across / casadi.trace(across)


@immutable
class ReducedDamping:
    """Coupled equations of which dampers act on fewer directions than there are.

    D = ∂g/∂ṙ has the rank of its block of the equations `damped`; the equations `held` less
    D_hd D_dd⁻¹ of these contain no speed.
    """

    damped: tuple[int, ...]
    held: tuple[int, ...]

    def without_speeds(self, D: casadi.SX, g: casadi.SX) -> list[Scalar]:
        """Return g_h − D_hd D_dd⁻¹ g_d."""
        own, others = list(self.damped), list(self.held)
        block = D[own, own]
        n = range(len(own))
        entries = {(i, j): block[i, j] for i in n for j in n if not block[i, j].is_zero()}
        shares = solve_square(entries, elements(g[own]))
        return elements(g[others] - D[others, own] @ column(shares))


@immutable
class StaticEquilibrium:
    """The partition of the equilibrium equations g = 0 of massless freedoms.

    `speeds` and `coordinates` are those of the freedoms, `parts` their owners. `held` are sums
    of g without any speed, which determine positions; `damped` are the equations solved for
    speeds; `partly` are points of both kinds, along directions that change, `reduced` groups of
    equations coupled by fewer dampers.
    """

    speeds: tuple[int, ...]
    coordinates: tuple[int, ...]
    parts: tuple[str, ...]
    held: tuple[Combination, ...]
    damped: tuple[int, ...]
    partly: tuple[PartlyDamped, ...] = ()
    reduced: tuple[ReducedDamping, ...] = ()

    @property
    def held_rows(self) -> list[int]:
        """The equation that each sum without speeds stands for."""
        own = [sums[0][0] for sums in self.held]
        return own + [row for group in self.reduced for row in group.held]

    def at_rest(
        self, motion: MotionView
    ) -> tuple[list[Scalar], list[tuple[casadi.SX, casadi.SX, casadi.SX]]]:
        """Return the sums `held`, and P, D and g of partly damped points.

        The motion is at rest: the sums do not depend on speeds.
        """
        import casadi

        g = unbalanced_forces(motion)
        sums: list[Scalar] = []
        for own in self.held:
            total: Scalar = 0.0
            for row, factor in own:
                total = add(total, mul(factor, g[row]))
            sums.append(total)
        if not (self.partly or self.reduced):
            return sums, []
        w, moving = _moving(motion, self.speeds)
        damping = casadi.jacobian(casadi.SX(casadi.vertcat(*unbalanced_forces(moving))), w)
        still = casadi.SX(casadi.vertcat(*g))
        for group in self.reduced:
            sums += group.without_speeds(damping, still)
        found = []
        for point in self.partly:
            own = list(point.rows)
            D = casadi.densify(damping[own, own])
            found.append((point.projector(D), D, still[own]))
        return sums, found

    def held_forces(self, motion: Motion) -> tuple[Scalar, ...]:
        """Return the forces that vanish at positions, of a motion at rest."""
        import casadi

        assert isinstance(motion, MotionView)
        sums, partly = self.at_rest(motion)
        for P, _, g in partly:
            sums += elements((casadi.SX.eye(3) - P) @ g)
        return tuple(sums)

    def conditions(self) -> list[InitialCondition]:
        """Return the initial conditions of equilibrium, one for each point."""
        owners = self.held_rows
        owners += [row for point in self.partly for row in point.rows]
        places: dict[str, list[int]] = {}
        for k, row in enumerate(owners):
            places.setdefault(self.parts[row], []).append(k)
        found = []
        for part, own in places.items():

            def residual(motion: Motion, own: list[int] = own) -> tuple[Scalar, ...]:
                forces = self.held_forces(motion)
                return tuple(forces[k] for k in own)

            name = "balance of forces"
            found.append(
                InitialCondition(part, name, 0, residual, always=True, is_law=True)
            )
        return found


def column(values: Sequence[Scalar]) -> casadi.SX:
    """Return scalars as a column of symbols, which may be empty."""
    import casadi

    return casadi.SX(casadi.vertcat(casadi.SX(0, 1), *values))


def _moving(motion: MotionView, speeds: Sequence[int]) -> tuple[casadi.SX, MotionView]:
    """Return symbols for speeds, and the motion with these."""
    import casadi

    w = casadi.SX.sym("w", len(speeds))
    symbol = dict(zip(speeds, elements(w), strict=True))
    u = [symbol.get(k, value) for k, value in enumerate(motion.u)]
    return w, motion.at_speeds(u)


def find_equilibrium(
    mechanism: Mechanism, symbols: casadi.SX, p: np.ndarray, length: float
) -> StaticEquilibrium | None:
    """Return the static equilibrium of massless points, None if there are none.

    `symbols` are those of the live parameters with values p, `length` that of the mechanism.
    Forces that are not linear in the speeds are refused.
    """
    if not mechanism.massless:
        return None
    import casadi

    sizes = (mechanism.n_q, mechanism.n_u, len(mechanism.signals.states), 1)
    q, u, z, t = (casadi.SX.sym(n, k) for n, k in zip("quzt", sizes, strict=True))
    q_s, u_s, z_s = map(elements, (q, u, z))
    motion = MotionView(mechanism, q_s, u_s, None, t, z_s)
    g = casadi.SX(casadi.vertcat(*unbalanced_forces(motion)))
    speeds = mechanism.massless
    w = casadi.vertcat(*(u_s[k] for k in speeds))
    parts = tuple(mechanism.link_of_speed(k).entry.path for k in speeds)
    _check_switching(mechanism, g, parts)
    nonlinear = casadi.which_depends(g, w, 2, True)
    for row, is_nonlinear in enumerate(nonlinear):
        if is_nonlinear:
            _refuse(
                parts[row],
                "has no mass, and a force on it is not linear in its speed: static "
                "equilibrium does not determine the speed.",
                "Give it a mass, or take a damper whose force is linear in the speed.",
            )
    D = casadi.jacobian(g, w)
    numbers = casadi.Function("D", [q, u, z, t, symbols], [casadi.densify(D)])
    motions = _motions(mechanism, p, length)
    samples = [np.asarray(numbers(*given), dtype=float) for given in motions]
    own = tuple(mechanism.coordinate_of_speed(k) for k in speeds)
    made = StaticEquilibrium(speeds, own, parts, *_split(D.sparsity(), samples, parts))
    _check_held(made, motion, u, (q, u, z, t, symbols), motions)
    return made


def points_with_torques(mechanism: Mechanism) -> list[Port]:
    """Return the nodes of massless points on which torques act: their orientation matters."""
    import casadi

    sizes = (mechanism.n_q, mechanism.n_u, len(mechanism.signals.states), 1)
    q, u, z, t = (casadi.SX.sym(n, k) for n, k in zip("quzt", sizes, strict=True))
    motion = MotionView(mechanism, elements(q), elements(u), None, t, elements(z))
    found: list[Port] = []
    for index, load in loads_of_massless(motion).items():
        link = mechanism.links[index]
        is_point = isinstance(link.joint, TranslationalPair) and link.root is not None
        if is_point and not all(map(_is_nothing, load.moment.xyz)):
            found.append(mechanism.inventory.node(link.entry))
    return found


def _motions(mechanism: Mechanism, p: np.ndarray, length: float) -> list[list[np.ndarray]]:
    """Return random motions, with live parameters near their values."""
    rng = np.random.default_rng(11)
    q, u = (np.array(values) for values in mechanism.start_values())
    n_z, found = len(mechanism.signals.states), []
    for _ in range(SAMPLES):
        moved = [x + rng.normal(size=x.size) * length for x in (q, u)]
        near = p * (1.0 + 0.1 * rng.normal(size=p.size))
        found.append([*moved, rng.normal(size=n_z), rng.normal(size=1), near])
    return found


# --- partition of the equations -----------------------------------------------------------


def _split(
    pattern: casadi.Sparsity, samples: Sequence[np.ndarray], parts: Sequence[str]
) -> tuple[
    tuple[Combination, ...],
    tuple[int, ...],
    tuple[PartlyDamped, ...],
    tuple[ReducedDamping, ...],
]:
    """Return the sums of equations without any speed, the others, and partly damped ones.

    D = ∂g/∂ṙ is zero in equations with springs alone. Among equations coupled by dampers it may be
    rank-deficient; its left null space is the same in every motion, or belongs to one point.
    """
    rows, columns = pattern.get_triplet()
    sets: ConnectedSets[int] = ConnectedSets()
    for i, j in zip(rows, columns, strict=True):
        sets.unite(i, j)
    coupled = {i for members in sets.sets().values() for i in members}
    held: list[Combination] = [
        ((i, 1.0),) for i in range(pattern.size1()) if i not in coupled
    ]
    damped: list[int] = []
    partly: list[PartlyDamped] = []
    reduced: list[ReducedDamping] = []
    for members in sets.sets().values():
        own = sorted(members)
        found = [D[np.ix_(own, own)] for D in samples]
        N, pivots, rank = _lacking(found)
        if rank + len(N) < len(own):
            is_symmetric = all(np.allclose(D, D.T) for D in found)
            if len(own) == 3 and not len(N) and is_symmetric:
                partly.append(PartlyDamped((own[0], own[1], own[2]), rank))
                continue
            chosen = _principal(found, rank)
            if chosen is None:
                _refuse(
                    parts[own[0]],
                    "has no mass, and dampers act on it and on others without mass in some "
                    "directions only.",
                    "Let dampers act in all directions or in none, or give it a mass.",
                )
            others = [i for i in range(len(own)) if i not in chosen]
            group = (tuple(own[i] for i in places) for places in (chosen, others))
            reduced.append(ReducedDamping(*group))
            damped += [own[i] for i in chosen]
            continue
        for line, pivot in zip(N, pivots, strict=True):
            first = sorted(np.flatnonzero(line).tolist(), key=lambda i: i != pivot)
            held.append(tuple((own[i], float(line[i])) for i in first))
        damped += [own[i] for i in range(len(own)) if i not in pivots]
    return tuple(held), tuple(sorted(damped)), tuple(partly), tuple(reduced)


def _principal(samples: Sequence[np.ndarray], rank: int) -> list[int] | None:
    """Return equations and freedoms of the same numbers whose block has the rank everywhere."""
    usable = [D / np.abs(D).max() for D in samples if np.isfinite(D).all() and D.any()]
    work, chosen = [D.copy() for D in usable], []
    for _ in range(rank):
        sizes = np.min([np.abs(np.diag(D)) for D in work], axis=0)
        sizes[chosen] = 0.0
        k = int(np.argmax(sizes))
        if sizes[k] <= RANK:
            return None
        chosen.append(k)
        work = [D - np.outer(D[:, k], D[k]) / D[k, k] for D in work]
    if max(np.abs(D).max() for D in work) > np.sqrt(RANK):
        return None
    return sorted(chosen)


def _lacking(samples: Sequence[np.ndarray]) -> tuple[np.ndarray, list[int], int]:
    """Return N with N D = 0 in all samples, in echelon form, its pivots, and the rank of D."""
    usable = [D / np.abs(D).max() for D in samples if np.isfinite(D).all() and D.any()]
    if not usable:
        return np.zeros((0, len(samples[0]))), [], len(samples[0])
    left, sizes, _ = np.linalg.svd(np.hstack(usable))
    N = left[:, int(np.sum(sizes > RANK * sizes[0])) :].T
    rank = max(int(np.linalg.matrix_rank(D, tol=RANK)) for D in usable)
    return *_echelon(N), rank


def _echelon(N: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Return the reduced row echelon form of a matrix, and the columns of its pivots."""
    N, pivots = N.copy(), []
    for k in range(len(N)):
        i, j = np.unravel_index(int(np.argmax(np.abs(N[k:]))), N[k:].shape)
        N[[k, k + i]] = N[[k + i, k]]
        N[k] /= N[k, j]
        for other in range(len(N)):
            if other != k:
                N[other] -= N[other, j] * N[k]
        pivots.append(int(j))
    whole = np.round(N)
    return np.where(np.abs(N - whole) < SAME_SHARE, whole, N), pivots


# --- refusals -----------------------------------------------------------------------------


def _refuse(part: str, why: str, remedy: str) -> NoReturn:
    raise AssemblyError(part, why, remedy)


def _check_switching(mechanism: Mechanism, g: casadi.SX, parts: Sequence[str]) -> None:
    """Refuse friction and stops on massless points."""
    import casadi

    for constraint in mechanism.inventory.nonsmooth:
        if casadi.depends_on(g, mechanism.inventory.force_of(constraint).force):
            _refuse(
                constraint.part.path,
                f"sticks or slips at a point without mass ({', '.join(dict.fromkeys(parts))}).",
                "Give this point a mass.",
            )


def _check_held(
    equilibrium: StaticEquilibrium,
    motion: MotionView,
    u: casadi.SX,
    symbols: Sequence[casadi.SX],
    samples: Sequence[Sequence[np.ndarray]],
) -> None:
    """Refuse forces held at positions that depend on the speeds of other parts.

    Of partly damped points such speeds cancel; this is checked on numbers.
    """
    import casadi

    still = [0.0 if k in equilibrium.speeds else s for k, s in enumerate(motion.u)]
    at = MotionView(motion.mechanism, motion.q, still, None, motion.t, motion.z)
    sums, partly = equilibrium.at_rest(at)
    constant = sums[: len(equilibrium.held)]
    rows = [equilibrium.held_rows[k] for k, f in enumerate(constant) if _depends(f, u)]
    for k, force in enumerate(sums[len(constant) :], len(constant)):
        row = equilibrium.held_rows[k]
        whole = casadi.jacobian(casadi.SX(unbalanced_forces(motion)[row]), u)
        pair = casadi.norm_fro(casadi.jacobian(casadi.SX(force), u)), casadi.norm_fro(whole)
        size = casadi.Function("size", [*symbols], [pair[0] / (pair[1] + 1e-300)])
        if not max(float(size(*given)) for given in samples) < np.sqrt(RANK):
            rows.append(row)
    for point, (P, D, g) in zip(equilibrium.partly, partly, strict=True):
        across = (casadi.SX.eye(3) - P) @ casadi.jacobian(g, u) / casadi.trace(D)
        size = casadi.Function("size", [*symbols], [casadi.norm_fro(across)])
        left = [float(size(*given)) for given in samples]
        if not max(left) < RANK:
            rows.append(point.rows[0])
    if rows:
        _refuse(
            equilibrium.parts[rows[0]],
            "has no mass, and a force on it depends on the speeds of other parts, but "
            "not on its own: static equilibrium does not determine its speed.",
            "Give it a mass, or let a damper act on it.",
        )


def _depends(value: Scalar, symbols: casadi.SX) -> bool:
    import casadi

    return bool(casadi.depends_on(casadi.SX(value), symbols))


def _is_nothing(value: Scalar) -> bool:
    return is_structural(value, 0.0) or bool(getattr(value, "is_zero", lambda: False)())


# --- initial positions of massless points --------------------------------------------------


SWEEPS = 10  # over points that are connected with one another


def settle_massless_points(
    mechanism: Mechanism,
    numeric: Mechanism,
    symbols: casadi.SX,
    instant: Instant,
    q: np.ndarray,
) -> np.ndarray:
    """Return coordinates with massless points near their static equilibrium at rest.

    Points start in the middle of the other ends of their force elements. Fixed coordinates are
    kept, and all where no equilibrium is found.
    """
    free = [
        mechanism.coordinate_of_speed(k)
        for k in mechanism.massless
        if not mechanism.coordinates[mechanism.coordinate_of_speed(k)].start.is_fixed
    ]
    if not free:
        return q
    import casadi

    q = _in_the_middle(numeric, q)
    x, t = casadi.SX.sym("q", q.size), casadi.SX.sym("t")
    z = casadi.SX.sym("z", len(instant.z))
    still = [0.0] * mechanism.n_u
    motion = MotionView(mechanism, elements(x), still, None, t, elements(z))
    g = casadi.SX(casadi.vertcat(*unbalanced_forces(motion)))
    own = casadi.vertcat(*(x[k] for k in free))
    function = casadi.Function(
        "rest", [x, t, z, symbols], [g, casadi.densify(casadi.jacobian(g, own))]
    )

    unit = np.ones(1)

    def residual(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        moved = q.copy()
        moved[free] = values
        with np.errstate(all="ignore"):
            r, J = function(moved, *instant.given)
        r, J = np.asarray(r, dtype=float).ravel(), np.asarray(J, dtype=float)
        return r / unit, J / unit

    begin = q[free]
    unit = np.array([np.abs(residual(begin)[0]).max(initial=0.0) or 1.0])
    moved = q.copy()
    moved[free] = damped_newton(
        residual, begin, np.ones(len(free), dtype=bool), np.ones(len(free))
    )[0]
    return moved


def _in_the_middle(mechanism: Mechanism, q: np.ndarray) -> np.ndarray:
    """Return coordinates with points in the middle of the other ends of their forces.

    Their orientation, where it matters, is in the middle as well.
    """
    node, links = mechanism.inventory.node, mechanism.links
    points = {k.index for k in links if k.is_massless and k.root is not None}
    q = q.copy()
    for _ in range(SWEEPS if points else 0):
        motion = MotionView(mechanism, q.tolist(), [0.0] * mechanism.n_u)
        ends: dict[int, list[Pose]] = {}
        for frames in mechanism.inventory.connected_frames():
            places = [mechanism.nodes[node(port)].link for port in frames]
            for place in points.intersection(places):
                ends.setdefault(place, []).extend(
                    motion.pose(port)
                    for port, other in zip(frames, places, strict=True)
                    if other != place
                )
        for place, others in ends.items():
            if others:
                link = links[place]
                middle = np.mean([[float(x) for x in X.p.xyz] for X in others], axis=0)
                base = motion.pose_at(NodePose(link.parent, link.X_pj))
                X = base.inverse() @ Pose(_mean_rotation(others), Vector(*middle.tolist()))
                q[list(link.q)] = [float(x) for x in link.joint.fit(X)]
    return q


def _mean_rotation(poses: Sequence[Pose]) -> Matrix:
    """Return the rotation that is nearest to those of all poses."""
    total = np.sum([np.reshape([float(x) for x in X.R.entries], (3, 3)) for X in poses], 0)
    U, _, V = np.linalg.svd(total)
    R = U @ np.diag([1.0, 1.0, np.linalg.det(U @ V)]) @ V
    return Matrix(*R.ravel().tolist())
