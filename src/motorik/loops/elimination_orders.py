"""Orders of elimination of compound joints, chosen at poses that the mechanism can reach.

All linear systems are solved in a fixed order, so that they trace to straight-line code. The
order is chosen on numbers: the inward pass of the recursion runs at many poses at once, so
that each compound joint has the articulated inertia of all that is mounted on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from motorik.algebra.dyad import Inertia
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.compiler.flattening import flatten, unflatten
from motorik.dynamics.articulated import eliminate_joint
from motorik.dynamics.block_triangular import (
    BY_COFACTORS,
    MatrixBlock,
    choose_blocks,
    triangular_blocks,
)
from motorik.dynamics.composite_body import Entries, Member, mass_entries
from motorik.dynamics.compound import BASE, inertia_of, on_motion
from motorik.dynamics.line_mass import (
    AXES_OF_BASE,
    FREEDOM,
    full_mass_matrix,
    line_point,
)
from motorik.dynamics.massless import check_allowed
from motorik.dynamics.scaling import SingularMatrixError
from motorik.dynamics.symmetric_order import (
    SymmetricOrder,
    choose_redundant_order,
    choose_symmetric_order,
)
from motorik.errors import LoopError
from motorik.immutable import immutable
from motorik.loops.compound_joints import CompoundJoint, masses_of, members_of
from motorik.loops.formulation import LoopFormulation
from motorik.loops.pose_sampling import PoseSampler
from motorik.loops.shared_code import LocalCompoundJoint
from motorik.numerics.tolerances import MASSLESS, SAME_NUMBER
from motorik.topology.mechanism import WORLD, CoupledMass, Link

POSES = 64  # sampled poses
NUMBERS = (
    1_000_000  # limit of matrix entries over all poses: large mechanisms have fewer poses
)
TOGETHER = 128  # samples of equal compound joints


@immutable
class SampledEquations:
    """The equations of a compound joint at sampled poses, and the blocks of G_D."""

    compound: CompoundJoint
    blocks: tuple[MatrixBlock, ...]
    samples: np.ndarray


class EliminationOrders:
    """The order of elimination of equal compound joints, chosen once entries are known.

    An order must hold at the samples of all of them.
    """

    def __init__(
        self, judged: Sequence[SampledEquations], formulation: LoopFormulation
    ) -> None:
        self._compound, self._formulation = judged[0].compound, formulation
        most = max(1, TOGETHER // len(judged))
        self._samples = [K for own in judged for K in own.samples[:most]]
        if len(judged) == 1:
            self._samples = list(judged[0].samples)
        samples = np.array(self._samples)
        self._constant = np.zeros(samples.shape[1:], dtype=bool)
        if (
            not formulation.constraints.p.numel()
        ):  # an entry constant over all poses is a constant
            change, size = np.ptp(samples, axis=0), np.abs(samples).max(axis=0)
            self._constant = change <= SAME_NUMBER * size
        self._found: dict[bytes, SymmetricOrder] = {}
        self.quick = QuickOrders(self)

    def __call__(self, entries: Entries) -> SymmetricOrder:
        """Return the order of elimination of a matrix with these entries."""
        compound = self._compound
        size = len(compound.states) + len(compound.with_multiplier)
        pattern = np.zeros((size, size), dtype=bool)
        constant = self._constant.copy()
        for (i, j), value in entries.items():
            if j < size:
                pattern[i, j] = pattern[j, i] = True
                constant[i, j] |= isinstance(value, float)
                constant[j, i] = constant[i, j]
        key = pattern.tobytes() + constant.tobytes()
        if key not in self._found:
            self._found[key] = self._choose(compound, pattern, constant)
        return self._found[key]

    def _choose(
        self, compound: CompoundJoint, pattern: np.ndarray, constant: np.ndarray
    ) -> SymmetricOrder:
        n = len(compound.states)
        speed_scales = self._formulation.scales.speeds[list(compound.states)]
        may_refine = compound.base == WORLD and self._formulation.early_constraints
        given = (pattern, self._samples, n, speed_scales, constant, may_refine)
        redundant = set(self._formulation.redundant_kept)
        try:
            if not redundant.isdisjoint(compound.with_multiplier):
                numbered = enumerate(compound.with_multiplier, n)
                others = [place for place, k in numbered if k not in redundant]
                return choose_redundant_order(*given[:4], others)
            return choose_symmetric_order(*given)
        except SingularMatrixError as error:
            left = [compound.with_multiplier[k - n] for k in error.left if k >= n]
            raise refusal(self._formulation, left or compound.with_multiplier) from None


class QuickOrders:
    """The same orders without the compliance of constraints, for audited evaluations."""

    def __init__(self, orders: EliminationOrders) -> None:
        self._orders = orders

    def __call__(self, entries: Entries) -> SymmetricOrder:
        """Return the order of elimination of a matrix with these entries."""
        return self._orders(entries).quick()


def elimination_orders(
    formulation: LoopFormulation,
    judged: Mapping[CompoundJoint, SampledEquations],
    local: Mapping[CompoundJoint, LocalCompoundJoint | None],
) -> dict[CompoundJoint, EliminationOrders]:
    """Return the orders of all coupled compound joints; equal ones share one.

    Compound joints are equal if they differ only in numbers, with inertias of similar magnitude.
    """
    import casadi

    groups: dict[object, list[SampledEquations]] = {}
    for compound, own in judged.items():
        key: object = id(compound)
        if local[compound] is not None:
            leaves: list[Scalar] = []
            structure = flatten(local[compound], casadi.SX, leaves)
            size = np.median(np.abs(np.diagonal(own.samples, axis1=1, axis2=2)), axis=0)
            rough = np.round(np.log10(np.maximum(size, 1e-300)))
            pattern = tuple(
                e if e in (0.0, 1.0, -1.0) else None for e in map(_number, leaves)
            )
            key = (structure, pattern, rough.tobytes())
        groups.setdefault(key, []).append(own)
    return {
        own.compound: orders
        for members in groups.values()
        for orders in [EliminationOrders(members, formulation)]
        for own in members
    }


def _number(leaf: Scalar) -> float:
    """Return a number; NaN stands for a symbol."""
    return leaf if isinstance(leaf, float) else np.nan


def sample_equations(
    formulation: LoopFormulation, compounds: Sequence[CompoundJoint], p: np.ndarray
) -> dict[CompoundJoint, SampledEquations]:
    """Return the equations of each coupled compound joint at sampled poses."""
    f = formulation
    by_row: dict[int, list[tuple[int, int]]] = {}  # rows of G: speeds and places of entries
    for place, (k, speed) in enumerate(f.constraints.pattern):
        by_row.setdefault(k, []).append((speed, place))
    safe = all(
        _is_safe(compound, by_row) for compound in compounds if not compound.is_single
    )
    poses = list(f.samples) if safe else _poses(f, compounds, p)
    values = np.array(
        [
            np.asarray(f.constraints.matrix_function(f.constraints.y_numbers(q), p)).ravel()
            for q in poses
        ]
    )
    return _Sampling(f, compounds, p, poses, values, by_row).judged()


def _pattern(
    by_row: Mapping[int, list[tuple[int, int]]],
    constraints: Sequence[int],
    speeds: Sequence[int],
) -> np.ndarray:
    """Return which entries of G of these constraints and speeds are not zero."""
    at = {speed: k for k, speed in enumerate(speeds)}
    pattern = np.zeros((len(constraints), len(speeds)), dtype=bool)
    for i, constraint in enumerate(constraints):
        for speed, _ in by_row.get(constraint, ()):
            if speed in at:
                pattern[i, at[speed]] = True
    return pattern


def _is_safe(compound: CompoundJoint, by_row: Mapping[int, list[tuple[int, int]]]) -> bool:
    """Return whether any order is sound: solved constraints only, in small blocks."""
    if compound.with_multiplier:
        return False
    try:
        blocks = triangular_blocks(_pattern(by_row, compound.solved, compound.dependent))
    except SingularMatrixError:
        return False
    return all(len(rows) <= BY_COFACTORS for rows, _ in blocks)


def _poses(
    f: LoopFormulation, compounds: Sequence[CompoundJoint], p: np.ndarray
) -> list[np.ndarray]:
    """Return the start pose and poses that the mechanism reaches from there."""
    walk = PoseSampler(f.constraints, f.samples[0], p, f.scales)
    size = max(
        max(len(compound.states) + len(compound.with_multiplier), len(compound.solved))
        for compound in compounds
    )
    count = max(4, min(POSES, NUMBERS // size**2))
    way = walk.poses(min(POSES, 4 * count))
    return [*f.elimination_poses, f.samples[0], *way[:: max(1, len(way) // count)]]


def refusal(formulation: LoopFormulation, constraints: Sequence[int]) -> LoopError:
    """Return the error for constraints without effect, or dependent on others."""
    equations = formulation.constraints.equations
    parts = list(dict.fromkeys(equations[k].part for k in constraints))
    return LoopError(
        parts[0] if parts else formulation.mechanism.name,
        f"the constraints of {', '.join(parts)} do not constrain the motion: at all poses "
        "near the start their gradients vanish or depend on one another.",
        "Start away from this position, or state the constraint in another form.",
    )


def numeric_links(
    formulation: LoopFormulation, p: np.ndarray
) -> tuple[list[Link], tuple[CoupledMass, ...]]:
    """Return the links and the masses on lines with numbers for live parameters."""
    import casadi

    links, masses = formulation.mechanism.links, formulation.mechanism.coupled_masses
    if not p.size:
        return links, masses
    leaves: list[Scalar] = []
    parts = [(link.joint, link.X_pj, link.inertia, link.armature) for link in links]
    structure = flatten((parts, masses), casadi.SX, leaves)
    column = casadi.vertcat(*leaves) if leaves else casadi.SX(0, 1)
    values = casadi.Function("links", [formulation.constraints.p], [column])(p)
    numbers = np.asarray(casadi.densify(values), dtype=float).ravel().tolist()
    found, heavy = unflatten(structure, numbers)
    return [
        replace(link, joint=joint, X_pj=X, inertia=inertia, armature=armature)
        for link, (joint, X, inertia, armature) in zip(links, found, strict=True)
    ], heavy


class _Sampling:
    """The inward pass of the recursion at many poses at once, at rest."""

    def __init__(
        self,
        formulation: LoopFormulation,
        compounds: Sequence[CompoundJoint],
        p: np.ndarray,
        poses: Sequence[np.ndarray],
        values: np.ndarray,
        by_row: Mapping[int, list[tuple[int, int]]],
    ) -> None:
        self.f, self.compounds, self.p = formulation, compounds, p
        self.poses, self.values, self.by_row = poses, values, by_row
        self.links, self.masses = numeric_links(formulation, p)
        columns = np.array(poses).T
        self.X: list[Pose] = []
        self.S: list[tuple[Motor, ...]] = []
        for link in self.links:
            q = [columns[k] for k in link.q]
            self.X.append(link.X_pj @ link.joint.pose(*q))
            self.S.append(link.joint.screws(*q))
        self.inertia = [link.inertia for link in self.links]
        self.is_doubtful = False

    def judged(self) -> dict[CompoundJoint, SampledEquations]:
        """Return the sampled equations of each compound joint; refuse motions without inertia."""
        found: dict[CompoundJoint, SampledEquations] = {}
        for compound in reversed(self.compounds):
            if compound.is_single:
                self._single(compound)
            else:
                found[compound] = self._compound(compound)
        if self.is_doubtful:
            self._check_all()
        return found

    def _single(self, compound: CompoundJoint) -> None:
        link = self.links[compound.links[0]]
        i, inertia = link.index, self.inertia[link.index]
        if compound.states:
            nothing = (0.0,) * len(compound.states)
            try:
                with np.errstate(all="ignore"):
                    left, _, given = eliminate_joint(
                        self.S[i], inertia, ZERO_MOTOR, nothing, link.armature
                    )
            except ZeroDivisionError:  # of a joint that carries only joints in doubt
                self.is_doubtful = True
                return
            largest = _largest(inertia, self.S[i]) + float(link.armature)
            for _, D, *_ in given:
                d = np.broadcast_to(np.asarray(D, dtype=float), len(self.poses))
                is_sound = np.isfinite(d).all() and (d > 0.0).all()
                if not is_sound or (1.0 / d <= MASSLESS * largest).any():
                    self.is_doubtful = True
                    return  # `_check_all` names the joint
        else:
            left = inertia
        if link.parent != WORLD:
            p = link.parent
            self.inertia[p] = self.inertia[p] + left.seen_from(self.X[i])

    def _numbers(self, constraints: Sequence[int], speeds: Sequence[int]) -> np.ndarray:
        """Return the entries of G of constraints and speeds at all poses."""
        at = {speed: k for k, speed in enumerate(speeds)}
        G = np.zeros((len(self.poses), len(constraints), len(speeds)))
        for i, constraint in enumerate(constraints):
            for speed, place in self.by_row.get(constraint, ()):
                if speed in at:
                    G[:, i, at[speed]] = self.values[:, place]
        return G

    def _compound(self, compound: CompoundJoint) -> SampledEquations:
        f, speeds = self.f, compound.speeds
        at = {k: n for n, k in enumerate(speeds)}
        X, S = [self.X[k] for k in compound.links], [self.S[k] for k in compound.links]
        inertia = [self.inertia[k] for k in compound.links]
        members = members_of(compound, self.links)
        T = self._with_masses(compound, members, X, S, inertia)
        entries, momenta, composite = mass_entries(members, X, S, inertia)
        M = np.zeros((len(self.poses), T.shape[1], T.shape[1]))
        for (i, k), value in entries.items():
            M[:, i, k] = M[:, k, i] = value
        M = np.swapaxes(T, 1, 2) @ M @ T
        used = (*compound.solved, *compound.with_multiplier)
        G = self._numbers(used, speeds)
        scale = f.scales.speeds[list(speeds)]
        names = [f.mechanism.speeds[k].name for k in speeds]
        check_allowed(
            M[0] * np.outer(scale, scale),
            G[0] * scale / f.scales.constraints[list(used)][:, None],
            names,
        )
        blocks = self._blocks(compound)
        J, is_regular = self._jacobian(compound, at)
        n, m = len(compound.states), len(compound.with_multiplier)
        K = np.zeros((len(self.poses), n + m, n + m))
        K[:, :n, :n] = np.swapaxes(J, 1, 2) @ M @ J
        K[:, n:, :n] = G[:, len(compound.solved) :] @ J
        K[:, :n, n:] = np.swapaxes(K[:, n:, :n], 1, 2)
        if composite is not None:
            H = np.zeros((len(self.poses), T.shape[1], BASE))
            for k, motor in momenta.items():
                for c, value in enumerate(on_motion(motor)):
                    H[:, k, c] = value
            self._hand_inward(compound.base, composite, K, np.swapaxes(T @ J, 1, 2) @ H)
        return SampledEquations(compound, blocks, K[is_regular])

    def _with_masses(
        self,
        compound: CompoundJoint,
        members: Sequence[Member],
        X: list[Pose],
        S: list[tuple[Motor, ...]],
        inertia: list[Inertia],
    ) -> np.ndarray:
        """Add the masses on lines; return T with all speeds = T (speeds of the links)."""
        n = len(compound.speeds)
        T = np.zeros((len(self.poses), n + FREEDOM * len(compound.masses), n))
        T[:, range(n), range(n)] = 1.0
        for mass in masses_of(compound, self.masses):
            point = line_point(members, X, S, mass)
            first = members[len(X)].u[0]
            for k, column in point.J.items():
                for c, value in enumerate(column.xyz):
                    T[:, first + c, k] = value
            X.append(point.pose)
            S.append(AXES_OF_BASE)
            inertia.append(Inertia.of_body(mass.m))
        return T

    def _blocks(self, compound: CompoundJoint) -> tuple[MatrixBlock, ...]:
        if not compound.solved:
            return ()
        f = self.f
        try:
            return tuple(
                choose_blocks(
                    _pattern(self.by_row, compound.solved, compound.dependent),
                    list(self._numbers(compound.solved, compound.dependent)),
                    f.scales.speeds[list(compound.dependent)],
                )
            )
        except SingularMatrixError as error:
            raise refusal(f, [compound.solved[k] for k in error.left]) from None

    def _jacobian(
        self, compound: CompoundJoint, at: Mapping[int, int]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return J at all poses, and the mask of poses at which G_D is regular."""
        n = len(compound.states)
        J = np.zeros((len(self.poses), len(at), n))
        J[:, [at[k] for k in compound.states], range(n)] = 1.0
        is_regular = np.ones(len(self.poses), dtype=bool)
        if compound.solved:
            A = self._numbers(compound.solved, compound.dependent)
            B = self._numbers(compound.solved, compound.states)
            is_regular = np.linalg.slogdet(A)[0] != 0.0
            A[~is_regular] = np.eye(len(compound.solved))
            J[:, [at[k] for k in compound.dependent]] = -np.linalg.solve(A, B)
        return J, is_regular

    def _hand_inward(
        self, base: int, composite: Inertia, K: np.ndarray, H: np.ndarray
    ) -> None:
        """Add the articulated inertia of the compound joint to that of its base."""
        right = np.zeros((*K.shape[:2], BASE))
        right[:, : H.shape[1]] = H
        try:
            found = np.linalg.solve(K, right)
        except np.linalg.LinAlgError:
            found = np.linalg.pinv(K) @ right
        given = np.swapaxes(H, 1, 2) @ found[:, : H.shape[1]]
        left = inertia_of(lambda i, j: -given[:, i, j])
        self.inertia[base] = self.inertia[base] + composite + left

    def _check_all(self) -> None:
        """Check the mass matrix at the start pose; name joints without inertia."""
        f, q = self.f, self.poses[0]
        names = [speed.name for speed in f.mechanism.speeds]
        M = full_mass_matrix(self.links, self.masses, q.tolist())
        M = np.array(M, dtype=float)
        scale = f.scales.speeds
        G = f.scales.matrix(f.constraints.matrix(q, self.p))
        check_allowed(M * np.outer(scale, scale), G, names)


def _largest(inertia: Inertia, S: Sequence[Motor]) -> float:
    """Return the largest momentum component of an inertia in unit motions along screws."""
    numbers = [abs(e) for s in S for e in inertia(s).components]
    return float(max((np.max(e) for e in numbers), default=0.0))
