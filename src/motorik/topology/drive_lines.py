"""Drive lines on a tree: each shaft gets a coordinate, further couplings become relations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from functools import cached_property
from heapq import heappop, heappush

from motorik.algebra.dyad import NO_INERTIA
from motorik.algebra.pose import IDENTITY_POSE
from motorik.algebra.scalar import Scalar, add, div, is_number, is_structural, mul, neg, sub
from motorik.algebra.vector import X, Z
from motorik.components.base.contributions import (
    Coupling,
    FlangeInertia,
    InitialCondition,
    Prescribed,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, PortKind, SignalOutput
from motorik.components.base.values import Start
from motorik.elements.prismatic import PrismaticPair
from motorik.elements.revolute import RevolutePair
from motorik.errors import AssemblyError, LoopError, PortError
from motorik.immutable import mutable
from motorik.numerics.tolerances import SAME_NUMBER
from motorik.topology.inventory import Inventory, NetworkShaft
from motorik.topology.massless_points import LAWS
from motorik.topology.mechanism import WORLD, FlangeAt, Link, Relation
from motorik.topology.tree import Tree

# --- shafts: flanges in fixed relations ---------------------------------------------------


FLANGES = (PortKind.ROTATIONAL, PortKind.TRANSLATIONAL)


@mutable
class Shaft:
    """Flange nodes that move together: x_node = factor · x + offset, x that of the first node."""

    nodes: dict[Port, tuple[Scalar, Scalar]]
    stands: tuple[Scalar, Port] | None = None
    at: FlangeAt | None = None
    waited_for: list[int] = field(default_factory=list)  # couplings that may say more then

    def place(self, node: Port) -> FlangeAt:
        """Return the position of a node on a placed shaft."""
        assert self.at is not None
        factor, offset = self.nodes[node]
        x = add(mul(factor, self.at.x), offset)
        if self.at.coordinate is None and self.at.network is None:
            return FlangeAt(None, x)
        own = self.at.coordinate, x, mul(factor, self.at.factor)
        return FlangeAt(*own, self.at.network)

    def follow(self, coordinate: int, node: Port) -> None:
        """Make a coordinate the position of a node: x = (q − offset) / factor."""
        factor, offset = self.nodes[node]
        self.at = FlangeAt(coordinate, neg(div(offset, factor)), div(1.0, factor))


class Shafts:
    """All shafts of a model.

    `members` are the ports of each node, `left` the couplings of three or more shafts, `locks`
    messages about couplings that contradict one another, so that nothing can move.
    """

    def __init__(self, inventory: Inventory, supports: Iterable[Port]) -> None:
        self.inventory = inventory
        self.members = {
            node: ports
            for node, ports in inventory.ports.sets().items()
            if node.kind in FLANGES
        }
        self.by_node = {node: Shaft({node: (1.0, 0.0)}) for node in self.members}
        self.reasons: list[str] = []
        self.locks: list[str] = []
        self._united: list[Coupling] = []
        for support in supports:
            self._stand(support, 0.0)
        for clamp in inventory.clamps:
            self._stand(clamp.flange, clamp.x)
        self.left = self._couple()

    def of(self, port: Port) -> Shaft:
        """Return the shaft that a port is on."""
        return self.by_node[self.inventory.node(port)]

    def all(self) -> Iterable[Shaft]:
        """Return each shaft once."""
        return {id(shaft): shaft for shaft in self.by_node.values()}.values()

    @property
    def tied(self) -> set[int]:
        """The identities of the shafts that are coupled by relations of three or more."""
        return {key for coupling in self.left for key in self._reduced(coupling)[0]}

    def _stand(self, port: Port, x: Scalar) -> None:
        """Fix the shaft of a port so that the port is at x."""
        shaft = self.of(port)
        factor, offset = shaft.nodes[self.inventory.node(port)]
        at = div(sub(x, offset), factor)
        if shaft.stands is None:
            shaft.stands = (at, port)
        elif not _is_same(at, shaft.stands[0]):
            raise LoopError(
                port.path,
                f"is fixed at {x}, but {shaft.stands[1].path} fixes the same shaft "
                f"elsewhere: they disagree by {sub(at, shaft.stands[0])}.",
                "Remove one of them, or give both the same position.",
                port=port.name,
                value=x,
            )

    def _reduced(
        self, coupling: Coupling
    ) -> tuple[dict[int, tuple[Shaft, Scalar]], Scalar]:
        """Return a coupling as Σ C x = rhs over the moving shafts."""
        terms: dict[int, tuple[Shaft, Scalar]] = {}
        rhs: Scalar = coupling.offset
        for port, c in zip(coupling.flanges, coupling.factors, strict=True):
            shaft = self.of(port)
            factor, offset = shaft.nodes[self.inventory.node(port)]
            rhs = sub(rhs, mul(c, offset))
            if shaft.stands is not None:
                rhs = sub(rhs, mul(mul(c, factor), shaft.stands[0]))
                continue
            _, before = terms.get(id(shaft), (shaft, 0.0))
            terms[id(shaft)] = (shaft, add(before, mul(c, factor)))
        return {k: v for k, v in terms.items() if not _is_same(v[1], 0.0)}, rhs

    def _couple(self) -> list[Coupling]:
        """Unite shafts until no coupling applies; return the couplings of three or more shafts."""
        couplings = self.inventory.couplings
        left = set(range(len(couplings)))
        waiting = [
            (0, k) for k in range(len(couplings))
        ]  # round after round, in their order
        while waiting:
            turn, k = heappop(waiting)
            if k not in left:
                continue
            terms, rhs = self._reduced(couplings[k])
            if len(terms) > 2:
                for shaft, _ in terms.values():
                    shaft.waited_for.append(k)
                continue
            left.remove(k)
            for other in self._apply(couplings[k], [*terms.values()], rhs):
                heappush(waiting, (turn if other > k else turn + 1, other))
        return [couplings[k] for k in sorted(left)]

    def _apply(
        self, coupling: Coupling, terms: list[tuple[Shaft, Scalar]], rhs: Scalar
    ) -> set[int]:
        """Apply a coupling of at most two shafts; return the couplings that may apply now."""
        freed = {k for shaft, _ in terms for k in shaft.waited_for}
        for shaft, _ in terms:
            shaft.waited_for.clear()
        if len(terms) == 2:
            self._unite(terms[0], terms[1], rhs)
            self._united.append(coupling)
        elif terms:
            ((shaft, C),) = terms
            if all(self.of(port) is shaft for port in coupling.flanges):
                self.locks.append(self._lock_message(coupling))
            held = next(p for p in coupling.flanges if self.of(p) is shaft)
            shaft.stands = (div(rhs, C), held)
        elif not _is_same(rhs, 0.0):
            self._refuse_loop(coupling, rhs)
        else:
            self.reasons.append(
                f"{coupling.part.path} couples what already moves together: what couples it "
                "shares the load, with the least forces."
            )
        return freed

    def _unite(
        self, one: tuple[Shaft, Scalar], two: tuple[Shaft, Scalar], rhs: Scalar
    ) -> None:
        """Unite two shafts by C₁ x₁ + C₂ x₂ = rhs; the one with fewer nodes joins the other."""
        (a, C_a), (b, C_b) = (
            (one, two) if len(one[0].nodes) >= len(two[0].nodes) else (two, one)
        )
        ratio, shift = neg(div(C_a, C_b)), div(rhs, C_b)
        for node, (factor, offset) in b.nodes.items():
            a.nodes[node] = (mul(factor, ratio), add(mul(factor, shift), offset))
            self.by_node[node] = a

    def _lock_message(self, coupling: Coupling) -> str:
        """Return which couplings ask for other ratios of the same speeds than this one."""
        own = coupling.part.path
        chain = self._chain(coupling)
        gears = [other for other in chain if not _is_rigid(other)]
        others = [other.part.path for other in gears or chain]
        first, last = (port.path for port in (coupling.flanges[0], coupling.flanges[-1]))
        ratios = ""
        if len(coupling.flanges) == 2:
            (a, b), (c_a, c_b) = coupling.flanges, coupling.factors
            f_a, f_b = (self.of(p).nodes[self.inventory.node(p)][0] for p in (a, b))
            required, known = neg(div(c_b, c_a)), div(f_a, f_b)
            if is_number(required) and is_number(known):
                verb = "turn" if a.kind is b.kind is PortKind.ROTATIONAL else "move"
                ratios = (
                    f": {first} would have to {verb} {required:.6g} times as fast as {last} by "
                    f"{own}, and {known:.6g} times by {' and '.join(others)}"
                )
        return (
            f"{' and '.join([*others, own])} couple {first} and {last} with different ratios"
            f"{ratios}. So neither can move, nor what is coupled with them."
        )

    def _chain(self, coupling: Coupling) -> list[Coupling]:
        """Return the couplings by which the flanges of one more coupling move together."""
        node = self.inventory.node
        ends = {node(port) for port in coupling.flanges}
        begin = node(coupling.flanges[0])
        way: dict[Port, list[Coupling]] = {begin: []}
        found = [begin]
        for at in found:
            if at in ends and at is not begin:
                return way[at]
            for other in self._united:
                nodes = [node(port) for port in other.flanges]
                if at in nodes:
                    for further in nodes:
                        if further not in way:
                            way[further] = [*way[at], other]
                            found.append(further)
        return []

    def _refuse_loop(self, coupling: Coupling, rhs: Scalar) -> None:
        held = [self.of(p).stands for p in coupling.flanges]
        fixed = [s[1].path for s in held if s is not None]
        between = f" between {' and '.join(dict.fromkeys(fixed))}" if fixed else ""
        raise LoopError(
            coupling.part.path,
            f"closes a loop of rigid couplings{between} that cannot close: {rhs} remains.",
            "Put a spring between two of the flanges, or change a ratio or an offset.",
        )


def _is_rigid(coupling: Coupling) -> bool:
    """Return whether a coupling lets two flanges move as one."""
    return len(coupling.factors) == 2 and _is_same(add(*coupling.factors), 0.0)


def _is_same(a: Scalar, b: Scalar) -> bool:
    """Return whether two scalars are known to be equal before a run."""
    difference = sub(a, b)
    if is_number(difference):
        size = max(1.0, abs(a)) if is_number(a) else 1.0
        return bool(abs(difference) <= SAME_NUMBER * size)
    return is_structural(difference, 0.0) or _is_zero_symbol(difference)


def _is_zero_symbol(a: Scalar) -> bool:
    return bool(getattr(a, "is_zero", lambda: False)())


NAMES: dict[PortKind, tuple[str, str]] = {
    PortKind.ROTATIONAL: ("phi", "w"),
    PortKind.TRANSLATIONAL: ("s", "v"),
}
MASSLESS_PRIORITY = -10  # priority of the coordinate of a shaft without inertia


@mutable
class DriveLines:
    """The drive lines of a mechanism: the position of every set of connected flanges.

    `relations` couple coordinates, `initial_conditions` are fixed start values of inertias whose
    motion is a coordinate of another part, `reasons` messages about the decisions, `locks` the
    couplings that contradict one another.
    """

    flanges: dict[Port, FlangeAt] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    initial_conditions: list[InitialCondition] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    locks: list[str] = field(default_factory=list)


def place_drive_lines(inventory: Inventory, tree: Tree) -> DriveLines:
    """Place all flanges of a model whose tree of joints is complete.

    A shaft moves with the first joint on it, is fixed where it is clamped, or gets a link of its
    own, which is added to the tree; every further condition on its motion is a relation.
    """
    return _DriveLineBuilder(inventory, tree).lay()


class _DriveLineBuilder:
    """Gives each shaft its coordinate, then adds the relations."""

    def __init__(self, inventory: Inventory, tree: Tree) -> None:
        self.inventory, self.tree = inventory, tree
        edges = [link.edge for link in tree.links if link.edge is not None]
        supports = [edge.flanges[1] for edge in edges if edge.flanges is not None]
        self.shafts = Shafts(inventory, supports)
        self.lines = DriveLines(reasons=self.shafts.reasons, locks=self.shafts.locks)
        self.links_of_speeds = [link for link in tree.links for _ in link.u]
        self.carried: dict[int, list[FlangeInertia]] = {}  # by the identity of their shaft
        for inertia in inventory.flange_inertias:
            self.carried.setdefault(id(self.shafts.of(inertia.flange)), []).append(inertia)
        self.laws: dict[Part, list[int]] = {}  # the numbers of the signal laws of a part
        for k, law in enumerate(inventory.signal_laws):
            self.laws.setdefault(law.part, []).append(k)

    def lay(self) -> DriveLines:
        """Return the finished lines."""
        self._give_to_joints()
        prescribed = {
            id(self.shafts.of(motion.flange)) for motion in self.inventory.prescribed
        }
        held = {
            id(self.shafts.of(port))
            for constraint in self.inventory.constraints
            for port in constraint.flanges
        }
        tied = self.shafts.tied | prescribed | held
        for shaft in self.shafts.all():
            if shaft.at is None:
                self._give_link(shaft, id(shaft) in tied)
        for node, shaft in self.shafts.by_node.items():
            self.lines.flanges[node] = shaft.place(node)
        self._relate()
        self._prescribe()
        self._load_inertias()
        return self.lines

    # --- coordinates of shafts ----------------------------------------------------------------

    def _give_to_joints(self) -> None:
        for link in self.tree.links:
            if link.edge is None or link.edge.flanges is None:
                continue
            axis = link.edge.flanges[0]
            node, speed = self.inventory.node(axis), link.u[0]
            shaft = self.shafts.by_node[node]
            if shaft.at is None and shaft.stands is None:
                shaft.follow(speed, node)
                continue
            if shaft.stands is not None:
                shaft.at = FlangeAt(None, shaft.stands[0])
                holder = shaft.stands[1].path
            else:
                assert shaft.at is not None and shaft.at.coordinate is not None
                holder = self.links_of_speeds[shaft.at.coordinate].part
            at = shaft.place(node)
            terms: list[tuple[int, Scalar]] = [(speed, 1.0)]
            if at.coordinate is not None:
                terms.append((at.coordinate, neg(at.factor)))
            self.lines.relations.append(Relation(link.part, tuple(terms), at.x))
            self.lines.reasons.append(f"{axis.path} is rigidly coupled with {holder}.")

    def _give_link(self, shaft: Shaft, is_tied: bool) -> None:
        """Fix a shaft, or give it a link of its own."""
        if shaft.stands is not None:
            shaft.at = FlangeAt(None, shaft.stands[0])
            return
        carried = self.carried.get(id(shaft), [])
        if not (carried or is_tied) and id(shaft) in self._with_equations:
            self._give_to_network(shaft)
            return
        if not (carried or is_tied or self._in_equilibrium(shaft)):
            self._refuse_massless(shaft)
        if carried:
            own = max(
                carried, key=lambda i: (i.state_priority, sum(s.is_fixed for s in i.starts))
            )
        else:
            own = self._massless(shaft)
        links, n_u = self.tree.links, len(self.links_of_speeds)
        n_q = links[-1].q.stop if links else 0
        turns = own.flange.kind is PortKind.ROTATIONAL
        link = Link(
            len(links),
            WORLD,
            RevolutePair(Z) if turns else PrismaticPair(X),
            IDENTITY_POSE,
            NO_INERTIA,
            own.part.path,
            own.flange,
            range(n_q, n_q + 1),
            range(n_u, n_u + 1),
            None,
            own=own,
        )
        self.tree.add(link)
        self.links_of_speeds.append(link)
        shaft.follow(n_u, self.inventory.node(own.flange))

    @cached_property
    def _with_equations(self) -> set[int]:
        """The shafts at which parts written as equations act, but no nonsmooth constraint."""
        nonsmooth = {constraint.part for constraint in self.inventory.nonsmooth}
        found: set[int] = set()
        for own in self.inventory.part_equations:
            ports = [port for port in own.part.ports() if port.kind in FLANGES]
            found.update(id(self.shafts.of(port)) for port in ports)
        for line in self.inventory.lines:
            if line.flange_b.owner in nonsmooth:
                ends = [p for p in (line.flange_a, line.flange_b) if p is not None]
                found -= {id(self.shafts.of(port)) for port in ends}
        return found

    def _give_to_network(self, shaft: Shaft) -> None:
        """Let the motion of a shaft be an unknown of the network of equations."""
        known = self.inventory.network_shafts
        node = next(iter(shaft.nodes))
        if node in known:
            position, speed = known[node].position, known[node].speed
        else:
            port = self._first_port(shaft)
            names = (f"{port.name}.{name}" for name in NAMES[port.kind])
            position, speed = (SignalOutput(port.owner, name) for name in names)
        shaft.at = FlangeAt(None, network=(position, speed))
        for node, (factor, offset) in shaft.nodes.items():
            known[node] = NetworkShaft(position, speed, factor, offset)

    def _massless(self, shaft: Shaft) -> FlangeInertia:
        """Return the flange that names the coordinate of a shaft without inertia.

        The one of a motion or a coupling, else the one with the shortest path.
        """
        port = self._moved.get(id(shaft)) or self._first_port(shaft)
        x, v = NAMES[port.kind]
        names = (f"{port.name}.{x}", f"{port.name}.{v}")
        return FlangeInertia(
            port.owner, port, 0.0, names, (Start(), Start()), MASSLESS_PRIORITY
        )

    def _in_equilibrium(self, shaft: Shaft) -> bool:
        """Return whether at least two force laws act on a shaft, and nothing else."""
        return len(self._laws_on.get(id(shaft), ())) >= LAWS

    @cached_property
    def _laws_on(self) -> dict[int, set[int]]:
        """The force laws that act on each shaft, by its identity."""
        table: dict[int, set[int]] = {}
        for line in self.inventory.lines:
            ends = [port for port in (line.flange_a, line.flange_b) if port is not None]
            for key in {id(self.shafts.of(port)) for port in ends}:
                table.setdefault(key, set()).add(id(line))
        return table

    def _first_port(self, shaft: Shaft) -> Port:
        ports = [port for node in shaft.nodes for port in self.shafts.members[node]]
        return min(ports, key=lambda port: (len(port.path), port.path))

    @cached_property
    def _moved(self) -> dict[int, Port]:
        """The first flange that a motion or a coupling names on each shaft, by its identity."""
        ports = [m.flange for m in self.inventory.prescribed]
        ports += [p for coupling in self.inventory.couplings for p in coupling.flanges]
        ports += [p for held in self.inventory.constraints for p in held.flanges]
        table: dict[int, Port] = {}
        for port in ports:
            table.setdefault(id(self.shafts.of(port)), port)
        return table

    def _refuse_massless(self, shaft: Shaft) -> None:
        ports = [port for node in shaft.nodes for port in self.shafts.members[node]]
        port = self._first_port(shaft)
        if len(ports) == 1:
            raise PortError(
                port.path,
                "is connected to nothing.",
                "Connect it to the axis or support of a joint, to an inertia or a Fixed.",
                port=port.name,
                value=port,
            )
        raise AssemblyError(
            port.path,
            "belongs to no joint, no inertia and no fixed point: its position is undetermined.",
            "Connect it to the axis or support of a joint, give the shaft an inertia, or let "
            "at least two springs or dampers act on it.",
            port=port.name,
        )

    # --- relations ----------------------------------------------------------------------------

    def _relate(self) -> None:
        """Turn the couplings of three and more shafts into relations of coordinates."""
        for coupling in self.shafts.left:
            terms: dict[int, Scalar] = {}
            offset: Scalar = coupling.offset
            for port, c in zip(coupling.flanges, coupling.factors, strict=True):
                at = self.lines.flanges[self.inventory.node(port)]
                offset = sub(offset, mul(c, at.x))
                if at.coordinate is not None:
                    before = terms.get(at.coordinate, 0.0)
                    terms[at.coordinate] = add(before, mul(c, at.factor))
            self.lines.relations.append(
                Relation(coupling.part.path, tuple(terms.items()), offset)
            )

    def _prescribe(self) -> None:
        prescribed: dict[int, Prescribed] = {}
        for motion in self.inventory.prescribed:
            shaft = self.shafts.of(motion.flange)
            first = prescribed.setdefault(id(shaft), motion)
            if first is not motion or shaft.stands is not None:
                other = shaft.stands[1] if shaft.stands is not None else first.flange
                raise LoopError(
                    motion.flange.path,
                    f"has a prescribed motion, but {other.path} already determines it.",
                    "Put a spring or damper between them, or remove one.",
                    port=motion.flange.name,
                    value=other,
                )
            at = self.lines.flanges[self.inventory.node(motion.flange)]
            assert at.coordinate is not None
            self._start_with_shaft(motion, at)
            terms = ((at.coordinate, at.factor),)
            self.lines.relations.append(
                Relation(motion.part.path, terms, neg(at.x), motion)
            )

    def _start_with_shaft(self, motion: Prescribed, at: FlangeAt) -> None:
        """Let a drive without a start value start at the position of its shaft."""
        assert at.coordinate is not None
        link = self.links_of_speeds[at.coordinate]
        given = link.edge if link.edge is not None else link.own
        assert given is not None
        x = add(mul(at.factor, given.starts[0].value), at.x)
        if self.inventory.network and is_number(x):
            for network in filter(None, self.inventory.network):
                network.start_at(motion.signals, float(x))
        for k in self.laws.get(motion.part, ()):
            law = self.inventory.signal_laws[k]
            is_drive = law.outputs == motion.signals
            if is_drive and law.initial is None and is_number(x):
                begin, *others = law.starts
                if not begin.is_fixed and begin == Start():
                    starts = (Start(float(x)), *others)
                    self.inventory.signal_laws[k] = replace(law, starts=starts)

    def _load_inertias(self) -> None:
        """Add the inertias of the shafts to their links: Σ factor² J."""
        for inertia in self.inventory.flange_inertias:
            at = self.lines.flanges[self.inventory.node(inertia.flange)]
            link = None if at.coordinate is None else self.links_of_speeds[at.coordinate]
            if link is not None:
                J = mul(mul(at.factor, at.factor), inertia.J)
                link.armature = add(link.armature, J)
            if link is None or link.own is not inertia:
                self.lines.initial_conditions += _demands(inertia)


def _demands(inertia: FlangeInertia) -> list[InitialCondition]:
    """Return the initial conditions of an inertia with fixed start values."""
    found: list[InitialCondition] = []
    for level, (name, begin) in enumerate(zip(inertia.names, inertia.starts, strict=True)):
        if begin.is_fixed:

            def residual(
                motion: Motion, level: int = level, value: Scalar = begin.value
            ) -> tuple[Scalar, ...]:
                return (motion.flange(inertia.flange)[level] - value,)

            found.append(
                InitialCondition(inertia.part.path, name, level == 1, residual, always=True)
            )
    return found
