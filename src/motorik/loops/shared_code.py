"""Compound joints and closed forms in local numbers, so that equal ones share code.

A rolled program traces a function once for all calls of one shape. The arguments of such a
function must be complete: links, constraints and speeds are numbered locally, and constants
are data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from motorik.algebra.angle import Angle
from motorik.algebra.dyad import Inertia
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add, mul, neg, plain
from motorik.compiler.flattening import flatten
from motorik.compiler.symbols import elements
from motorik.dynamics.articulated import outward
from motorik.dynamics.block_triangular import MatrixBlock
from motorik.dynamics.composite_body import Entries, Member
from motorik.dynamics.compound import Reduction, reduced_entries
from motorik.dynamics.line_mass import compound_mass
from motorik.dynamics.sparse import SymmetricFactors, fault_of
from motorik.dynamics.symmetric_order import SymmetricOrder
from motorik.elements.constraint import Rows
from motorik.elements.joint import Joint
from motorik.elements.revolute import RevolutePair
from motorik.errors import CompileError
from motorik.immutable import immutable
from motorik.loops.closed_form import Hinge, KnownPoses
from motorik.loops.closed_form.assur_group import AssurGroup
from motorik.loops.compound_joints import CompoundJoint, DependentSpeeds
from motorik.loops.formulation import ClosedForm, LoopFormulation, continuous
from motorik.motion.steps import radians
from motorik.topology.mechanism import CoupledMass, Mechanism

if TYPE_CHECKING:
    import casadi


NO_INERTIA = Inertia.of_body(0.0)
BASE = -1  # local number of the base


@immutable
class LocalLink:
    """A link in local numbers: parent, joint, placement, coordinates, speeds."""

    parent: int
    joint: Joint
    X_pj: Pose
    q: range
    u: range


@immutable
class LocalClosure:
    """A closure of a compound joint: residual of poses seen from `base`, and of velocities."""

    residual: Rows | None
    rate: Rows | None
    base: int
    ends: tuple[tuple[int, Pose], ...]


@immutable
class LocalCompoundJoint:
    """A compound joint in local numbers.

    Constraint equations are numbered in the order of `closings`, position constraints first;
    `compound` has local numbers of links, speeds and constraints.
    """

    links: tuple[LocalLink, ...]
    closings: tuple[LocalClosure, ...]
    compound: CompoundJoint
    blocks: tuple[MatrixBlock, ...]
    gains: tuple[float, float] | None


def local_compound_joint(
    formulation: LoopFormulation, compound: CompoundJoint, blocks: Sequence[MatrixBlock]
) -> LocalCompoundJoint | None:
    """Return a compound joint in local numbers; None if its constraints involve more."""
    f, mechanism = formulation, formulation.mechanism
    used = (*compound.solved, *compound.with_multiplier)
    numbers = {f.constraints.equations[k].closure for k in used}
    closures = sorted(k for k in numbers if k is not None)
    if None in numbers:
        return None
    at = {k: n for n, k in enumerate(compound.links)} | {compound.base: BASE}
    if not all(_stays_within(mechanism, k, at) for k in closures):
        return None
    place = {speed: n for n, speed in enumerate(compound.speeds)}
    number: dict[tuple[int, int], int] = {}
    for is_rate in (False, True):
        for k in closures:
            held = mechanism.closures[k].constraint
            first = len(held.units) if is_rate else 0
            equation_units = held.rate_units if is_rate else held.units
            for n in range(len(equation_units)):
                number[k, first + n] = len(number)

    def renumbered(own: Sequence[int]) -> tuple[int, ...]:
        found = (f.constraints.equations[k] for k in own)
        return tuple(number[own.closure or 0, own.number] for own in found)

    made = LocalCompoundJoint(
        _jointed(mechanism, compound, at, place),
        tuple(_closing(mechanism, k, at) for k in closures),
        CompoundJoint(
            BASE,
            tuple(range(len(compound.links))),
            tuple(place[k] for k in compound.states),
            tuple(place[k] for k in compound.dependent),
            renumbered(compound.solved),
            renumbered(compound.with_multiplier),
            tuple(range(len(compound.masses))),
        ),
        tuple(blocks),
        f.gains,
    )
    return made if _can_be_compared(made) else None


def _can_be_compared(local: LocalCompoundJoint) -> bool:
    """Return whether equality can be decided: users' constraints may hold any object."""
    import casadi

    try:
        flatten(local, casadi.SX, [])
    except CompileError:
        return False
    return True


def _stays_within(mechanism: Mechanism, closure: int, at: Mapping[int, int]) -> bool:
    own = mechanism.closures[closure]
    if own.flanges or own.base not in at:
        return False
    for end in own.ends:
        k = end.link
        while k != own.base:
            if k not in at:
                return False
            k = mechanism.links[k].parent
    return True


def _jointed(
    mechanism: Mechanism,
    compound: CompoundJoint,
    at: Mapping[int, int],
    place: Mapping[int, int],
) -> tuple[LocalLink, ...]:
    found = []
    n_q = 0
    for k in compound.links:
        link = mechanism.links[k]
        first = place[link.u[0]] if len(link.u) else 0
        u = range(first, first + len(link.u))
        q = range(n_q, n_q + len(link.q))
        n_q += len(link.q)
        found.append(LocalLink(at[link.parent], link.joint, link.X_pj, q, u))
    return tuple(found)


def _closing(mechanism: Mechanism, closure: int, at: Mapping[int, int]) -> LocalClosure:
    own = mechanism.closures[closure]
    ends = tuple((at[end.link], end.X) for end in own.ends)
    return LocalClosure(own.constraint.residual, own.constraint.rate, at[own.base], ends)


def local_numbers(formulation: LoopFormulation, compound: CompoundJoint) -> dict[int, int]:
    """Return the local numbers of the constraints of a compound joint, by global number."""
    used = {
        formulation.constraints.equations[k].closure
        for k in (*compound.solved, *compound.with_multiplier)
    }
    numbered = enumerate(formulation.constraints.equations)
    own = [k for k, e in numbered if e.closure in used and e.closure is not None]
    return {
        k: n for n, k in enumerate(own)
    }  # position constraints first, as in the global numbers


def compound_violation(
    local: LocalCompoundJoint, q: tuple[Scalar, ...], u: tuple[Scalar, ...]
) -> tuple[list[Scalar], list[Scalar]]:
    """Return the constraint violations of a compound joint and their rates."""
    constraints = _LocalConstraints(local, tuple(map(radians, q)))
    return constraints.violation(), constraints.rates(list(u))


def compound_motion(
    local: LocalCompoundJoint, q: tuple[Scalar, ...], states: tuple[Scalar, ...]
) -> tuple[list[Scalar], Reduction]:
    """Return all speeds of a compound joint and its reduction, from coordinates and states."""
    constraints = _LocalConstraints(local, q)
    compound = local.compound
    dependent = DependentSpeeds(compound, constraints.matrix, local.blocks)
    found = dependent.speeds(states, [0.0] * len(compound.solved))
    found.update(zip(compound.states, states, strict=True))
    u = [found[k] for k in range(len(found))]
    bias = constraints.bias(u)
    drift = dependent.drift([bias[k] for k in compound.solved])
    with_multiplier = [bias[k] for k in compound.with_multiplier]
    if local.gains is not None:
        alpha, beta = local.gains
        violations, rates = constraints.violation(), constraints.rates(u)
        for n, k in enumerate(compound.with_multiplier):
            with_multiplier[n] = add(with_multiplier[n], mul(2.0 * alpha, rates[k]))
            if k < constraints.n_holonomic:
                with_multiplier[n] = add(
                    with_multiplier[n], mul(beta * beta, violations[k])
                )
    return u, dependent.reduction(drift, with_multiplier)


def compound_residual(
    local: LocalCompoundJoint,
    q: tuple[Scalar, ...],
    u: tuple[Scalar, ...],
    rates: tuple[Scalar, ...],
    of_speed: tuple[Scalar, ...],
    of_constraint: tuple[Scalar, ...],
) -> Scalar:
    """Return the relative residual of the solved constraints, see `DependentSpeeds.fault`."""
    constraints = _LocalConstraints(local, q)
    dependent = DependentSpeeds(local.compound, constraints.matrix, local.blocks)
    bias = constraints.bias(list(u))
    known = [bias[k] for k in local.compound.solved]
    return dependent.fault(
        dict(enumerate(rates)), known, dict(enumerate(of_speed)), of_constraint
    )


def projected_compound(
    local: LocalCompoundJoint,
    members: Sequence[Member],
    inertia: Sequence[Inertia],
    masses: Sequence[CoupledMass],
    q: tuple[Scalar, ...],
    u: tuple[Scalar, ...],
    order: Callable[[Entries], SymmetricOrder],
    softness: Scalar,
    corrections: int,
) -> tuple[list[Scalar], list[Scalar], Scalar]:
    """Return coordinates and speeds of a compound joint projected onto its constraints.

    `inertia` is that of each link with all that is mounted on it outside of the compound joint,
    `masses` are those on lines between links. Third is the relative residual of the equations,
    see `fault_of`.
    """
    compound, n = local.compound, len(local.compound.states)
    poses = [link.joint.pose(*(q[k] for k in link.q)) for link in local.links]
    X = [link.X_pj @ pose for link, pose in zip(local.links, poses, strict=True)]
    S = [link.joint.screws(*(q[k] for k in link.q)) for link in local.links]
    own = {k: {k: 1.0} for k in range(n)}
    M, J = compound_mass(members, X, S, inertia, own, masses)
    constraints = _LocalConstraints(local, q)
    matrix = constraints.matrix
    with_multiplier = [dict(matrix.get(k, {})) for k in compound.with_multiplier]
    entries = reduced_entries(M, {}, J, with_multiplier, n)
    chosen = order(entries)
    factors = SymmetricFactors.of(entries, chosen, n, softness)

    def change(missed: Sequence[Scalar]) -> list[Scalar]:
        return factors.solve_once([0.0] * n + [neg(value) for value in missed])[:n]

    for _ in range(corrections):
        violations = [
            *constraints.violation(),
            *([0.0] * (constraints.a.numel() - constraints.n_holonomic)),
        ]
        moved = change([violations[k] for k in compound.with_multiplier])
        q = tuple(
            add(q[k], rate)
            for link in local.links
            for k, rate in zip(
                link.q,
                link.joint.rates([q[k] for k in link.q], [moved[k] for k in link.u]),
                strict=True,
            )
        )
        constraints = _LocalConstraints(local, q)
    speeds = list(u)
    fault: Scalar = 0.0
    for turn in range(2):
        rates = constraints.rates(speeds)
        right = [0.0] * n + [neg(rates[k]) for k in compound.with_multiplier]
        found = factors.solve_once(right)
        if turn == 0:
            fault = fault_of(entries, chosen, factors, found, right)
        speeds = [add(value, d) for value, d in zip(speeds, found[:n], strict=True)]
    return list(q), speeds, fault


class _LocalConstraints:
    """The constraint equations of a compound joint on symbols, and their derivatives."""

    def __init__(self, local: LocalCompoundJoint, q: tuple[Scalar, ...]) -> None:
        import casadi

        n_q = len(q)
        turns = [link.q[0] for link in local.links if isinstance(link.joint, RevolutePair)]
        speed_of = {link.q[0]: link.u[0] for link in local.links if len(link.q)}
        column = casadi.SX.sym("q", n_q)
        sine, cosine = (casadi.SX.sym(name, len(turns)) for name in "sc")
        self.u = casadi.SX.sym("u", sum(len(link.u) for link in local.links))
        plain_q: list[Scalar] = elements(column)
        for k, s_k, c_k in zip(turns, elements(sine), elements(cosine), strict=True):
            plain_q[k] = Angle(plain_q[k], s_k, c_k)
        u = elements(self.u)
        g, rates = _constraints_of(local, plain_q, u)
        self.n_holonomic = len(g)
        q_rate = [
            rate
            for link in local.links
            for rate in link.joint.rates(
                [plain_q[k] for k in link.q], [u[k] for k in link.u]
            )
        ]
        turning = casadi.vertcat(casadi.SX(0, 1), *(u[speed_of[k]] for k in turns))
        y = casadi.vertcat(column, sine, cosine)
        y_rate = casadi.vertcat(*map(radians, q_rate), cosine * turning, -sine * turning)
        self.g = casadi.vertcat(casadi.SX(0, 1), *g)
        self.a = casadi.vertcat(casadi.jtimes(self.g, y, y_rate), *rates)
        self.G = casadi.jacobian(self.a, self.u)
        self.gamma = casadi.jtimes(self.a, y, y_rate)
        leaves: list[Scalar] = []
        flatten(local, casadi.SX, leaves)
        given = [e for e in leaves if not isinstance(e, float)]
        numbers = casadi.symvar(casadi.vertcat(casadi.SX(0, 1), *given))
        self._symbols = [y, self.u, casadi.vertcat(casadi.SX(0, 1), *numbers)]
        angles = [Angle.of(q[k]) for k in turns]
        self._y = casadi.vertcat(
            *map(radians, q), *(a.sine for a in angles), *(a.cosine for a in angles)
        )

    def _values(self, value: casadi.SX, u: Sequence[Scalar] | None = None) -> list[Scalar]:
        """Return symbolic expressions evaluated at the given coordinates and speeds."""
        import casadi

        function = casadi.Function("constraints", self._symbols, [casadi.densify(value)])
        speeds = casadi.SX.zeros(self.u.numel()) if u is None else casadi.vertcat(*u)
        found = elements(function(self._y, speeds, self._symbols[2]))
        return [float(e) if e.is_constant() else e for e in found]

    @property
    def matrix(self) -> dict[int, dict[int, Scalar]]:
        """The rows of G, then by speed."""
        import casadi

        places = zip(*self.G.sparsity().get_triplet(), strict=True)
        dense = casadi.Sparsity.dense(self.G.nnz())
        values = self._values(casadi.sparsity_cast(self.G, dense))
        table: dict[int, dict[int, Scalar]] = {}
        for (k, speed), value in zip(places, values, strict=True):
            table.setdefault(k, {})[speed] = value
        return table

    def bias(self, u: Sequence[Scalar]) -> list[Scalar]:
        """Return γ."""
        return self._values(self.gamma, u)

    def violation(self) -> list[Scalar]:
        """Return g of the position constraints."""
        return self._values(self.g)

    def rates(self, u: Sequence[Scalar]) -> list[Scalar]:
        """Return a of all velocity constraints."""
        return self._values(self.a, u)


def _constraints_of(
    local: LocalCompoundJoint, q: Sequence[Scalar], u: Sequence[Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """Return the position constraints and the non-holonomic velocity constraints."""
    X: list[Pose] = []
    for link in local.links:
        X.append(link.X_pj @ link.joint.pose(*(q[k] for k in link.q)))

    def seen_from(base: int, at: int, pose: Pose) -> Pose:
        while at != base:
            pose = X[at] @ pose
            at = local.links[at].parent
        return pose

    def moving(base: int, at: int, pose: Pose) -> Motor:
        way = []
        while at != base:
            way.append(local.links[at])
            at = way[-1].parent
        V: Motor | None = None
        for link in reversed(way):
            own = tuple(q[k] for k in link.q), tuple(u[k] for k in link.u)
            V = outward(link.joint, link.X_pj, NO_INERTIA, V, *own)[2]
        return ZERO_MOTOR if V is None else pose.back(V)

    g: list[Scalar] = []
    rates: list[Scalar] = []
    for held in local.closings:
        poses = [seen_from(held.base, at, pose) for at, pose in held.ends]
        if held.residual is not None:
            g += [plain(radians(value)) for value in held.residual(*poses)]
        if held.rate is not None:
            velocities = [moving(held.base, at, pose) for at, pose in held.ends]
            rates += [plain(value) for value in held.rate(poses, velocities)]
    return g, rates


# --- closed forms --------------------------------------------------------------------------


@immutable
class LocalClosedForm:
    """A closed form in local numbers; the root is body 0.

    `outputs` are the hinges whose coordinates it gives; `angle_sums` are the angles about
    parallel axes with which each of these is unwrapped.
    """

    hinges: tuple[Hinge, ...]
    independent: tuple[int, ...]
    groups: tuple[AssurGroup, ...]
    outputs: tuple[int, ...]
    angle_sums: tuple[tuple[tuple[int, float], ...], ...]


def local_form(form: ClosedForm) -> tuple[LocalClosedForm, tuple[int, ...]]:
    """Return a closed form in local numbers, and the coordinates that it gives, in order."""
    body = {form.root: 0}
    for hinge in form.hinges.values():
        for own in (hinge.a, hinge.b):
            body.setdefault(own, len(body))
    number = {index: n for n, index in enumerate(form.hinges)}
    table = {
        index: replace(
            hinge,
            index=number[index],
            a=body[hinge.a],
            b=body[hinge.b],
            state_priority=0,
            name="",
        )
        for index, hinge in form.hinges.items()
    }
    given = set(form.decomposition.independent)
    hinge_of = {k: h for h, k in form.coordinate.items()}
    outputs = [h for h in form.coordinate if h not in given]
    angle_sums = [
        tuple(
            (number[hinge_of[k]], float(sign))
            for k, sign in form.angle_sums.get(form.coordinate[h], ())
        )
        for h in outputs
    ]
    made = LocalClosedForm(
        tuple(table.values()),
        tuple(number[h] for h in form.decomposition.independent),
        tuple(group.with_hinges(table) for group in form.decomposition.groups),
        tuple(number[h] for h in outputs),
        tuple(angle_sums),
    )
    return made, tuple(form.coordinate[h] for h in outputs)


def solve_closed_form(
    form: LocalClosedForm,
    known: tuple[Scalar, ...],
    branches: tuple[Scalar, ...],
    references: tuple[Scalar | None, ...],
) -> tuple[list[Scalar], list[Scalar]]:
    """Return the coordinates of a closed form, and the margins to its dead centres.

    `references` are those of unwrapped angles, which lie within half a turn of them.
    """
    walk = KnownPoses(0, form.hinges, dict(zip(form.independent, known, strict=True)))
    margins: list[Scalar] = []
    for group, branch in zip(form.groups, branches, strict=True):
        solution = walk.solve(group, branch)
        walk.learn(solution)
        margins.append(solution.margin)
    values: dict[int, Scalar] = dict(zip(form.independent, known, strict=True))
    for hinge, near, angle_sums in zip(
        form.outputs, references, form.angle_sums, strict=True
    ):
        if near is not None:
            for other, sign in angle_sums:
                near = add(near, mul(sign, radians(values[other])))
        values[hinge] = continuous(walk.coordinates[hinge], near)
    return [values[h] for h in form.outputs], margins


def closed_form_margins(
    form: LocalClosedForm,
    known: tuple[Scalar, ...],
    rates: tuple[Scalar, ...],
    branches: tuple[Scalar, ...],
) -> tuple[list[Scalar], list[Scalar]]:
    """Return the margins of a closed form to its dead centres, and their rates.

    `rates` are those of the known coordinates.
    """
    import casadi

    column = casadi.SX.sym("q", len(known))
    free = (None,) * len(form.outputs)
    margins = casadi.vertcat(
        *solve_closed_form(form, tuple(elements(column)), branches, free)[1]
    )
    moved = casadi.jtimes(margins, column, casadi.vertcat(*rates))
    given = casadi.vertcat(*map(radians, known))
    margins, moved = casadi.substitute([margins, moved], [column], [given])
    return elements(margins), elements(moved)
