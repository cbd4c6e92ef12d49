"""Drive lines in motion: positions and speeds of flanges, and the forces at them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, TypeVar

from motorik.algebra.angle import Angle
from motorik.algebra.scalar import Scalar, add, div, is_number, is_structural, mul, neg, sub
from motorik.components.base.contributions import FlangeInertia, LineForce
from motorik.components.base.ports import Port
from motorik.dynamics.articulated import AtOnce, Caller
from motorik.motion.loads import ports_within
from motorik.numerics.tolerances import SAME_NUMBER
from motorik.topology.mechanism import FlangeAt, Link, Mechanism

if TYPE_CHECKING:
    from motorik.motion.view import MotionView


# --- positions and speeds of flanges -------------------------------------------------------


Result = TypeVar("Result")


def flange_state(motion: MotionView, port: Port) -> tuple[Scalar, Scalar]:
    """Return position and speed of a flange."""
    at = place_of(motion.mechanism, port)
    given = _numbers_of_coordinates(motion), motion.q, motion.u
    return state_at(at, *given, signal=motion.signal)


def flange_acceleration(motion: MotionView, port: Port) -> Scalar:
    """Return the acceleration of a flange."""
    at = place_of(motion.mechanism, port)
    if at.network is not None:
        return mul(at.factor, motion.signal_rate(at.network[1]))
    if at.coordinate is None:
        return 0.0
    return mul(at.factor, motion.known_rates[at.coordinate])


def place_of(mechanism: Mechanism, port: Port) -> FlangeAt:
    """Return the place of the flange of a port."""
    return mechanism.flanges[mechanism.inventory.node(port)]


def state_at(
    at: FlangeAt,
    coordinate: dict[int, int],
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    tape: Caller | None = None,
    signal: Callable[[Port], Scalar] | None = None,
) -> tuple[Scalar, Scalar]:
    """Return position and speed of a place on a line; a tape does the arithmetic, if given.

    `signal` gives the motion of shafts that belong to a network.
    """
    if at.network is not None and signal is not None:
        return along(at.x, at.factor, *map(signal, at.network))
    if at.coordinate is None:
        return at.x, 0.0
    place = q[coordinate[at.coordinate]]
    tape = tape or AtOnce()
    return tape.call(along, at.x, at.factor, place, u[at.coordinate])


def along(x: Scalar, factor: Scalar, place: Scalar, speed: Scalar) -> tuple[Scalar, Scalar]:
    """Return factor · place + x and its rate."""
    if isinstance(place, Angle):
        place = place.radians
    return add(mul(factor, place), x), mul(factor, speed)


def coordinate_numbers(links: Sequence[Link]) -> dict[int, int]:
    """Return the coordinate of each speed of a link with one freedom."""
    return {link.u[0]: link.q[0] for link in links if len(link.u) == len(link.q) == 1}


def _numbers_of_coordinates(motion: MotionView) -> dict[int, int]:
    return once_for(
        motion, "coordinates", lambda: coordinate_numbers(motion.mechanism.links)
    )


def once_for(motion: MotionView, name: str, make: Callable[[], Result]) -> Result:
    """Return a value stored for this motion, or compute it."""
    known = motion.__dict__.setdefault("_of_lines", {})
    if name not in known:
        known[name] = make()
    return known[name]


# --- forces at flanges ---------------------------------------------------------------------


# --- equilibrium at flanges ---------------------------------------------------------------


def flange_force(motion: MotionView, port: Port) -> Scalar:
    """Return the force or torque on a part at its flange.

    Force laws are evaluated. Clamps and couplings take the remainder: the forces on all parts at
    a set of connected flanges add up to zero, those of a coupling Σ cᵢ xᵢ are cᵢ λ, and an inertia
    takes J a.
    """
    if port.owner.is_model:
        within = ports_within(motion.mechanism, port)
        return sum((flange_force(motion, inner) for inner in within), 0.0)
    balance = once_for(motion, "balance", lambda: _FlangeEquilibrium(motion))
    return balance.force(port)


def axis_force(motion: MotionView, link: Link) -> Scalar:
    """Return the force or torque that drives the one freedom of a joint at its axis flange."""
    if link.edge is None or link.edge.flanges is None:
        return 0.0
    return flange_force(motion, link.edge.flanges[0])


class _FlangeEquilibrium:
    """The equilibrium of the flanges: known forces, and unknown ones solved group by group.

    An unknown (a multiplier λ, the force of a clamp) is identified by its contribution.
    """

    def __init__(self, motion: MotionView) -> None:
        self.motion = motion
        self.mechanism: Mechanism = motion.mechanism
        self.inventory = self.mechanism.inventory
        self.lines: dict[Port, list[tuple[LineForce, float]]] = {}
        self.inertias: dict[Port, list[FlangeInertia]] = {}
        self.unknown: dict[Port, list[tuple[int, Scalar]]] = {}
        self.axes: dict[Port, Link] = {}
        self.at_node: dict[Port, dict[Port, None]] = {}
        self.tied: dict[Port, list[Port]] = {}
        self.holders: set[int] = set()
        self.solved: dict[int, Scalar] = motion.table()
        self.done: set[Port] = set()
        self.laws: dict[int, Scalar] = motion.table()
        self._collect()

    def _collect(self) -> None:
        for line in self.mechanism.lines:
            for flange, sign in ((line.flange_a, -1.0), (line.flange_b, 1.0)):
                if flange is not None:
                    self.lines.setdefault(flange, []).append((line, sign))
                    self._is_at(flange)
        for inertia in self.inventory.flange_inertias:
            self.inertias.setdefault(inertia.flange, []).append(inertia)
            self._is_at(inertia.flange)
        for coupling in self.inventory.couplings:
            nodes = [self.inventory.node(port) for port in coupling.flanges]
            for port, node, c in zip(
                coupling.flanges, nodes, coupling.factors, strict=True
            ):
                self._let(port, id(coupling), c)
                self.tied.setdefault(node, []).extend(nodes)
        for link in self.mechanism.links:
            if link.edge is not None and link.edge.flanges is not None:
                axis, support = link.edge.flanges
                self.axes[axis] = link
                self._is_at(axis)
                self._hold(support)
        for holder in (*self.inventory.clamps, *self.inventory.prescribed):
            self._hold(holder.flange)
        for constraint in self.inventory.constraints:
            for flange in constraint.flanges:
                self._hold(flange)

    def _is_at(self, port: Port) -> None:
        self.at_node.setdefault(self.inventory.node(port), {})[port] = None

    def _let(self, port: Port, name: int, factor: Scalar) -> None:
        self.unknown.setdefault(port, []).append((name, factor))
        self._is_at(port)

    def _hold(self, port: Port) -> None:
        self.holders.add(id(port))
        self._let(port, id(port), 1.0)

    def force(self, port: Port) -> Scalar:
        """Return the force on the part at its flange."""
        if port in self.unknown or port in self.axes:
            self._solve(self.inventory.node(port))
        total = self._known(port)
        for name, factor in self.unknown.get(port, ()):
            total = add(total, mul(factor, self.solved.get(name, 0.0)))
        if port in self.axes:
            total = add(total, self.solved.get(id(port), 0.0))
        return total

    def _known(self, port: Port) -> Scalar:
        total: Scalar = 0.0
        for line, sign in self.lines.get(port, ()):
            if id(line) not in self.laws:
                self.laws[id(line)] = law_force(self.motion, line)
            total = add(total, mul(sign, self.laws[id(line)]))
        for inertia in self.inertias.get(port, ()):
            total = add(total, mul(inertia.J, flange_acceleration(self.motion, port)))
        return total

    def _solve(self, node: Port) -> None:
        """Solve the equilibrium of all nodes that couplings tie to this one."""
        if node in self.done:
            return
        group = [node]
        self.done.add(node)
        for at in group:
            near = [n for n in dict.fromkeys(self.tied.get(at, ())) if n not in self.done]
            group += near
            self.done.update(near)
        ports = [port for at in group for port in self.at_node.get(at, ())]
        holds = [port for port in ports if port in self.axes or id(port) in self.holders]
        if len(holds) > 1:  # statically indeterminate here: the bodies decide
            for port in ports:
                if port in self.axes:
                    self.solved[id(port)] = cut_along(self.motion, self.axes[port])
        equations = [self._equation(at) for at in group]
        self.solved.update(eliminate(equations, self._shares(ports)))

    def _shares(self, ports: Sequence[Port]) -> dict[int, Scalar]:
        """Return the weight of λ² of each coupling where redundant couplings share a load.

        Forces are weighted at the coordinates of their shafts, so that the result does not
        depend on the flange at which λ is defined.
        """
        moving: dict[int, Scalar] = {}
        still: dict[int, Scalar] = {}
        for port in ports:
            at = place_of(self.mechanism, port)
            factor = 0.0 if at.coordinate is None else at.factor
            for name, c in self.unknown.get(port, ()):
                if name in self.holders:
                    continue
                own = mul(c, factor)
                moving[name] = add(moving.get(name, 0.0), mul(own, own))
                still[name] = add(still.get(name, 0.0), mul(c, c))
        return {
            name: still[name] if is_structural(size, 0.0) else size
            for name, size in moving.items()
        }

    def _equation(self, node: Port) -> tuple[dict[int, Scalar], Scalar]:
        """Return the balance of the forces on all parts at a node."""
        row: dict[int, Scalar] = {}
        rhs: Scalar = 0.0
        for port in self.at_node.get(node, ()):
            rhs = sub(rhs, self._known(port))
            for name, factor in self.unknown.get(port, ()):
                row[name] = add(row.get(name, 0.0), factor)
            if id(port) in self.solved:
                rhs = sub(rhs, self.solved[id(port)])
            elif port in self.axes:
                row[id(port)] = 1.0
        return row, rhs


def law_force(motion: MotionView, line: LineForce) -> Scalar:
    """Return the force of a law on flange_b."""
    (x_a, v_a), (x_b, v_b) = (
        (0.0, 0.0) if flange is None else flange_state(motion, flange)
        for flange in (line.flange_a, line.flange_b)
    )
    given = tuple(motion.signal(port) for port in line.signals)
    return line.law(line.p, sub(x_b, x_a), sub(v_b, v_a), *given)


def cut_along(motion: MotionView, link: Link) -> Scalar:
    """Return the drive of a joint of one freedom: −(S, cut force at frame_b) − its own force."""
    edge = link.edge
    assert edge is not None
    q = [motion.q[k] for k in link.q]
    (screw,) = edge.joint.screws(*q)
    return sub(neg(screw @ motion.reaction_at(edge.frame_b)), own_force(motion, link))


def own_force(motion: MotionView, link: Link) -> Scalar:
    """Return the force or torque of friction and stops along the freedom of a joint."""
    assert link.edge is not None
    total: Scalar = 0.0
    for load in motion.mechanism.inventory.joint_forces:
        if load.part is link.edge.frame_a.owner:
            x = motion.coordinate(load.part, link.edge.names[0])
            total = add(total, load.law(load.p, x, motion.u[link.u[0]]))
    return total


def eliminate(
    equations: Sequence[tuple[dict[int, Scalar], Scalar]], shares: Mapping[int, Scalar]
) -> dict[int, Scalar]:
    """Return values of unknowns that solve Σ coefficient · unknown = right side.

    The equation with the fewest unknowns is used next. Where equations leave unknowns free,
    Σ share · unknown² of those that have shares is minimal; others are zero.
    """
    left = [(_cleared(row), rhs) for row, rhs in equations]
    steps: list[tuple[int, dict[int, Scalar], Scalar]] = []
    while left := [(row, rhs) for row, rhs in left if row]:
        left.sort(key=lambda equation: len(equation[0]))
        (row, rhs), *rest = left
        name, pivot = next(iter(row.items()))
        others = {key: div(c, pivot) for key, c in row.items() if key != name}
        value = div(rhs, pivot)
        steps.append((name, others, value))
        left = []
        for other, other_rhs in rest:
            c = other.get(name, 0.0)
            reduced = {key: x for key, x in other.items() if key != name}
            if name in other:
                for key, x in others.items():
                    reduced[key] = sub(reduced.get(key, 0.0), mul(c, x))
                other_rhs = sub(other_rhs, mul(c, value))
            left.append((_cleared(reduced), other_rhs))
    return _shared(steps, shares)


def _shared(
    steps: Sequence[tuple[int, dict[int, Scalar], Scalar]], shares: Mapping[int, Scalar]
) -> dict[int, Scalar]:
    """Return values by back substitution, with the least weighted sum of squares."""
    from motorik.dynamics.elimination import Pivot
    from motorik.dynamics.sparse import SymmetricFactors
    from motorik.dynamics.symmetric_order import SymmetricOrder

    found = {name for name, _, _ in steps}
    names = [key for _, others, _ in steps for key in others if key not in found]
    free = [name for name in dict.fromkeys(names) if name in shares]
    # each value is a number plus what each free unknown adds
    values: dict[int, Scalar] = dict.fromkeys(free, 0.0)
    adds: dict[int, dict[int, Scalar]] = {name: {name: 1.0} for name in free}
    for name, others, value in reversed(steps):
        own: dict[int, Scalar] = {}
        for key, c in others.items():
            value = sub(value, mul(c, values.get(key, 0.0)))
            for at, by in adds.get(key, {}).items():
                own[at] = sub(own.get(at, 0.0), mul(c, by))
        values[name], adds[name] = value, own
    if not free:
        return values
    entries: dict[tuple[int, int], Scalar] = {}
    right: list[Scalar] = [0.0] * len(free)
    for name, share in shares.items():
        own = adds.get(name, {})
        for i, one in enumerate(free):
            if one not in own:
                continue
            weighed = mul(share, own[one])
            right[i] = sub(right[i], mul(weighed, values[name]))
            for j, two in enumerate(free[i:], start=i):
                if two in own:
                    product = mul(weighed, own[two])
                    entries[i, j] = add(entries.get((i, j), 0.0), product)
    order = SymmetricOrder(tuple(Pivot((k,), 1.0) for k in range(len(free))))
    solved = SymmetricFactors.of(entries, order).solve(right)
    return {
        name: add(
            value,
            _sum(
                mul(adds[name][at], z)
                for at, z in zip(free, solved, strict=True)
                if at in adds[name]
            ),
        )
        for name, value in values.items()
    }


def _sum(terms: Iterable[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for term in terms:
        total = add(total, term)
    return total


def _cleared(row: dict[int, Scalar]) -> dict[int, Scalar]:
    """Return a matrix row without entries that have cancelled."""
    return {key: c for key, c in row.items() if not (is_number(c) and abs(c) < SAME_NUMBER)}


def line_forces(
    mechanism: Mechanism,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    tape: Caller | None = None,
    signal: Callable[[Port], Scalar] | None = None,
) -> list[Scalar]:
    """Return the generalised forces of all laws on flanges and of joints, one per speed.

    With a tape all arithmetic runs in its steps; `signal` gives the values of signals.
    """
    tape = tape or AtOnce()
    run = tape.call
    tau: list[Scalar] = [0.0] * mechanism.n_u
    loads = mechanism.inventory.joint_forces
    coordinate = coordinate_numbers(mechanism.links) if mechanism.lines or loads else {}
    for line in mechanism.lines:
        places = [
            FlangeAt(None) if flange is None else place_of(mechanism, flange)
            for flange in (line.flange_a, line.flange_b)
        ]
        if any(at.network is not None for at in places) and all(
            at.coordinate is None for at in places
        ):
            continue  # it acts within the network alone
        (x_a, v_a), (x_b, v_b) = (
            state_at(at, coordinate, q, u, tape, signal) for at in places
        )
        names = tuple(sorted(vars(line.p)))
        values = tuple(getattr(line.p, name) for name in names)
        given = tuple(signal(port) for port in line.signals) if signal is not None else ()
        force = tape.apply(apply_law, line.law, names, values, x_a, v_a, x_b, v_b, *given)
        for at, sign in zip(places, (1.0, -1.0), strict=True):
            if at.coordinate is not None:
                k = at.coordinate
                tau[k] = run(add_scaled, tau[k], mul(sign, at.factor), force)
    for load in loads:
        link = mechanism.link_of_part(load.part)
        assert link is not None, "a joint with a force along its freedom stays in the tree"
        k = link.u[0]
        x, v = state_at(FlangeAt(k), coordinate, q, u, tape)
        tau[k] = run(add, tau[k], load.law(load.p, x, v))
    return tau


def add_scaled(a: Scalar, factor: Scalar, b: Scalar) -> Scalar:
    """Return a + factor · b."""
    return add(a, mul(factor, b))


def apply_law(
    law: Callable[..., Scalar],
    names: tuple[str, ...],
    values: tuple[object, ...],
    x_a: Scalar,
    v_a: Scalar,
    x_b: Scalar,
    v_b: Scalar,
    *signals: Scalar,
) -> Scalar:
    """Return the force of a law between two flanges."""
    p = SimpleNamespace(**dict(zip(names, values, strict=True)))
    return law(p, sub(x_b, x_a), sub(v_b, v_a), *signals)
