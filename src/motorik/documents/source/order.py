"""The order in which source names parts and connections: groups, and outwards from the world."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from motorik.components.base.composite import Composite
from motorik.components.base.declarations import PortSpec
from motorik.components.base.part import Part
from motorik.components.base.ports import PortKind
from motorik.documents.classes import find_class
from motorik.errors import MotorikError

Data = dict[str, Any]
Pair = tuple[str, str]

GROUPS = ("mechanism", "drive line", "circuits", "signals")
"""The groups of parts, and of connections, in the order of the source."""
WINDOWS = {
    **dict.fromkeys(("rotational", "translational"), "drive line"),
    **dict.fromkeys(("electrical", "heat", "hydraulic", "magnetic"), "circuits"),
    "blocks": "signals",
}
KINDS = {
    PortKind.FRAME: "mechanism",
    PortKind.ROTATIONAL: "drive line",
    PortKind.TRANSLATIONAL: "drive line",
    PortKind.SIGNAL: "signals",
}


@lru_cache(maxsize=4096)
def known_class(name: str) -> type[Part] | None:
    """Return a public class of parts; None of a user's, which is not imported here."""
    try:
        return find_class(name)
    except MotorikError:
        return None


def group_of_part(one: Data) -> str:
    """Return the group that a part of a document belongs to."""
    return WINDOWS.get(one["class"].rpartition(".")[0], "mechanism")


def grouped(parts: Sequence[Data]) -> list[tuple[str, list[Data]]]:
    """Return the parts by groups, in the order of the document; one without a name if mixed.

    The order of parts is that of states and unknowns, so it is never changed. Parts of a list are
    in the group of its first one.
    """
    found: list[tuple[str, list[Data]]] = []
    stem = ""
    for one in parts:
        own, bracket, _ = one["id"].partition("[")
        name = found[-1][0] if bracket and own == stem else group_of_part(one)
        stem = own if bracket else ""
        if not found or found[-1][0] != name:
            found.append((name, []))
        found[-1][1].append(one)
    is_mixed = len({name for name, _ in found}) < len(found)
    return [("", [*parts])] if is_mixed else found


class Ports:
    """The ports of a scope of a document, and to which groups they belong."""

    def __init__(self, scope: Data, models: Data) -> None:
        self.models = models
        self.scope = scope
        self.kinds: dict[str, str] = {one["id"]: one["class"] for one in scope["parts"]}

    def group(self, path: str) -> str:
        """Return the group of a connection at one of its ends, by the kind of port there."""
        return self._group(self.scope, self.kinds, path.split("."), 0)

    def _group(
        self, scope: Data, kinds: dict[str, str], steps: list[str], depth: int
    ) -> str:
        name = steps[0].partition("[")[0]
        if len(steps) == 1:
            return self._of_declared(scope, name, depth)
        called = kinds.get(steps[0], "")
        if called.startswith("#"):
            inner = self.models.get(called[1:])
            if inner is None or depth > 20:
                return "mechanism"
            own = {one["id"]: one["class"] for one in inner["parts"]}
            return self._group(inner, own, steps[1:], depth + 1)
        return self._of_class(known_class(called), steps[1:])

    def _of_declared(self, scope: Data, name: str, depth: int) -> str:
        """Return the group of a port that the scope itself has."""
        one = scope.get("ports", {}).get(name)
        to = one if isinstance(one, str) else (one or {}).get("to")
        if isinstance(one, dict) and isinstance(one.get("kind"), str):
            kind = one["kind"]
            words = {"frame": "mechanism", "rotational": "drive line"}
            words |= {"translational": "drive line"}
            return words.get(
                kind, "signals" if kind.endswith((" in", " out")) else "circuits"
            )
        if isinstance(to, str) and "." in to and depth <= 20:
            own = {part["id"]: part["class"] for part in scope["parts"]}
            return self._group(scope, own, to.split("."), depth + 1)
        return "mechanism"

    def _of_class(self, kind: type[Part] | None, steps: list[str]) -> str:
        name = steps[0].partition("[")[0]
        spec = None if kind is None else kind.specs.get(name)
        if isinstance(spec, PortSpec) and len(steps) == 1:
            return KINDS.get(spec.type.kind, "circuits")  # type: ignore[arg-type]
        if kind is not None and issubclass(kind, Composite) and len(steps) > 1:
            return self._by_name(steps[-1])
        return self._by_name(name)

    @staticmethod
    def _by_name(name: str) -> str:
        """Return the group that the name of a port of an unknown class speaks for."""
        own = name.partition("[")[0]
        if own.startswith("frame"):
            return "mechanism"
        if own.startswith(("flange", "axis", "bearing", "support", "shaft")):
            return "drive line"
        return "circuits" if own.startswith(("pin", "port")) else "signals"


def ordered(pairs: Sequence[Pair], scope: Data, models: Data) -> list[list[Pair]]:
    """Return the connections by groups: frames outwards from the world, then the others."""
    ports = Ports(scope, models)
    found: dict[str, list[Pair]] = {name: [] for name in GROUPS}
    for pair in pairs:
        groups = {ports.group(end) for end in pair}
        found[next(name for name in GROUPS if name in groups)].append(pair)
    worlds = [one["id"] for one in scope["parts"] if one["class"] == "World"]
    roots = [*worlds, *scope.get("ports", {})]
    found["mechanism"] = outwards(found["mechanism"], roots)
    return [own for own in found.values() if own]


def owner(path: str) -> str:
    """Return the part of a scope that a port belongs to; a port of the scope is its own."""
    return path.partition(".")[0]


INLETS = ("frame_a", "flange_a")


def outwards(pairs: Sequence[Pair], roots: Sequence[str]) -> list[Pair]:
    """Return connections so that each leads on from a part that was reached before.

    They lead into the first frame of a part, others as they stand. Chains are followed to their
    ends, one after another, from the world and from what nothing leads to. A connection that closes
    a loop stands where both its parts are known.
    """
    return _Outwards([_directed(pair) for pair in pairs]).found_from(roots)


def _directed(pair: Pair) -> Pair:
    """Return a connection that leads into the first frame of a part, if it has such a one."""
    into = [end.rpartition(".")[2] in INLETS for end in pair]
    return (pair[1], pair[0]) if into == [True, False] else pair


class _Outwards:
    """The search of `outwards`."""

    def __init__(self, pairs: list[Pair]) -> None:
        self.pairs = pairs
        self.leading: dict[str, list[int]] = {}
        self.arriving: dict[str, list[int]] = {}
        for k, (a, b) in enumerate(pairs):
            self.leading.setdefault(owner(a), []).append(k)
            self.arriving.setdefault(owner(b), []).append(k)
        self.rest = {part: iter(own) for part, own in self.leading.items()}
        self.written: set[int] = set()
        self.reached: dict[str, None] = {}
        self.found: list[Pair] = []

    def found_from(self, roots: Sequence[str]) -> list[Pair]:
        """Return all connections in the order in which they are reached."""
        for root in roots:
            self._follow(root)
        self._go_against()
        free = [part for part in self.leading if part not in self.arriving]
        for root in [*free, *self.leading]:
            if root not in self.reached:
                self._follow(root)
                self._go_against()
        return self.found

    def _follow(self, root: str) -> None:
        """Write the connections that lead on from a part, as far as chains go."""
        if root in self.reached:
            return
        waiting = [root]
        self.reached[root] = None
        while waiting:
            part = waiting[-1]
            k = next((k for k in self.rest.get(part, ()) if k not in self.written), None)
            if k is None:
                waiting.pop()
                continue
            self.written.add(k)
            self.found.append(self.pairs[k])
            other = owner(self.pairs[k][1])
            if other not in self.reached:
                self.reached[other] = None
                waiting.append(other)

    def _go_against(self) -> None:
        """Follow connections that lead to known parts from others, the other way round."""
        k = 0
        while k < len(self.reached):
            parts = [*self.reached][k:]
            k += len(parts)
            for part in parts:
                for number in self.arriving.get(part, ()):
                    a, b = self.pairs[number]
                    if number in self.written or owner(a) in self.reached:
                        continue
                    self.written.add(number)
                    self.found.append((b, a))
                    self._follow(owner(a))
