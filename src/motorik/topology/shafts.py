"""Shafts: flanges that move in fixed relations, found from the couplings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush

from motorik.algebra.scalar import Scalar, add, div, is_number, is_structural, mul, neg, sub
from motorik.components.base.contributions import Coupling
from motorik.components.base.ports import Port, PortKind
from motorik.errors import LoopError
from motorik.topology.inventory import Inventory
from motorik.topology.mechanism import FlangeAt

FLANGES = (PortKind.ROTATIONAL, PortKind.TRANSLATIONAL)
AGREE = 1e-12  # two numbers for one position that differ by less are the same


@dataclass
class Shaft:
    """Flange nodes that move together: x_node = factor · x + offset, x that of the first."""

    nodes: dict[Port, tuple[Scalar, Scalar]]
    stands: tuple[Scalar, Port] | None = None
    at: FlangeAt | None = None
    waited_for: list[int] = field(default_factory=list)  # couplings that may say more then

    def place(self, node: Port) -> FlangeAt:
        """Return the position of a node, once the shaft is placed."""
        assert self.at is not None
        factor, offset = self.nodes[node]
        x = add(mul(factor, self.at.x), offset)
        if self.at.coordinate is None:
            return FlangeAt(None, x)
        return FlangeAt(self.at.coordinate, x, mul(factor, self.at.factor))

    def follow(self, coordinate: int, node: Port) -> None:
        """Let the coordinate be the position of a node: x = (q − offset) / factor."""
        factor, offset = self.nodes[node]
        self.at = FlangeAt(coordinate, neg(div(offset, factor)), div(1.0, factor))


class Shafts:
    """All shafts of a model.

    `members` are the ports of each node, `left` the couplings of three or more shafts, `locks`
    tells in words which couplings contradict one another, so that nothing can move.
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
        """Unite shafts until no coupling adds anything; return those of three or more shafts."""
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
        """Apply a coupling of at most two shafts; return those that may apply now."""
        freed = {k for shaft, _ in terms for k in shaft.waited_for}
        for shaft, _ in terms:
            shaft.waited_for.clear()
        if len(terms) == 2:
            self._unite(terms[0], terms[1], rhs)
            self._united.append(coupling)
        elif terms:
            ((shaft, C),) = terms
            if all(self.of(port) is shaft for port in coupling.flanges):
                self.locks.append(self._lock_in_words(coupling))
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
        """Unite two shafts by C₁ x₁ + C₂ x₂ = rhs: the one with fewer nodes joins the other."""
        (a, C_a), (b, C_b) = (
            (one, two) if len(one[0].nodes) >= len(two[0].nodes) else (two, one)
        )
        ratio, shift = neg(div(C_a, C_b)), div(rhs, C_b)
        for node, (factor, offset) in b.nodes.items():
            a.nodes[node] = (mul(factor, ratio), add(mul(factor, shift), offset))
            self.by_node[node] = a

    def _lock_in_words(self, coupling: Coupling) -> str:
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
            asked, known = neg(div(c_b, c_a)), div(f_a, f_b)
            if is_number(asked) and is_number(known):
                verb = "turn" if a.kind is b.kind is PortKind.ROTATIONAL else "move"
                ratios = (
                    f": {first} would have to {verb} {asked:.6g} times as fast as {last} by "
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
    """Return whether two scalars are the same, as far as it is known before a run."""
    difference = sub(a, b)
    if is_number(difference):
        size = max(1.0, abs(a)) if is_number(a) else 1.0
        return bool(abs(difference) <= AGREE * size)
    return is_structural(difference, 0.0) or _is_zero_symbol(difference)


def _is_zero_symbol(a: Scalar) -> bool:
    return bool(getattr(a, "is_zero", lambda: False)())
