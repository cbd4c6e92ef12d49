"""Catalogue: every variable of every part by its name, with unit and meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.part import Part, Variable
from motorik.components.base.ports import Domain, Port, PortKind
from motorik.errors import UnknownNameError, suggest
from motorik.immutable import immutable
from motorik.motion.view import MotionView, Quantity
from motorik.topology.mechanism import Mechanism

INDEX = r"^(?P<name>.*?)\[(?P<index>[0-9, ]+)\]$"

FRAME_VARIABLES: dict[str, tuple[str, str, Callable[[MotionView, Port], Quantity]]] = {
    "r_0": ("m", "position in the world", lambda motion, port: motion.pose(port).p),
    "R.T": (
        "1",
        "rotation matrix: v_frame = T v_world",
        lambda motion, port: motion.pose(port).R.T,
    ),
    "R.w": (
        "rad/s",
        "angular velocity, resolved in the frame",
        lambda v, port: v.velocity(port).resultant,
    ),
    "f": (
        "N",
        "cut force on the part, resolved in the frame",
        lambda motion, port: motion.reaction_at(port).resultant,
    ),
    "t": (
        "N.m",
        "cut torque on the part, resolved in the frame",
        lambda motion, port: motion.reaction_at(port).moment,
    ),
}
FLANGE_LETTERS: dict[PortKind, tuple[tuple[str, str], ...]] = {
    PortKind.ROTATIONAL: (("phi", "rad"), ("w", "rad/s"), ("tau", "N.m")),
    PortKind.TRANSLATIONAL: (("s", "m"), ("v", "m/s"), ("f", "N")),
}


@immutable
class CatalogueEntry:
    """A variable of the catalogue: its full name, unit, meaning and how it is computed."""

    name: str
    unit: str
    description: str
    value: Callable[[MotionView], Quantity]


class Catalogue:
    """The variables of a mechanism, found by name: `rev.phi`, `body.frame_a.r_0[2]`."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.model = mechanism.inventory.model
        self._entries: dict[Part, dict[str, CatalogueEntry]] = {}

    def of_part(self, part: Part) -> dict[str, CatalogueEntry]:
        """Return the variables of one part and its ports, by the name within the part."""
        if part not in self._entries:
            entries: dict[str, CatalogueEntry] = {}
            path = part.path
            prefix = f"{path}." if path else ""
            variables = part.variables(self.mechanism.inventory.parameters_of(part))
            for name, variable in variables.items():
                if (
                    name != "potential_energy"
                    or self.mechanism.gravity.potential is not None
                ):
                    entries[name] = _entry(prefix + name, variable)
            for port in part.ports():
                if port.kind is PortKind.SIGNAL and not self.mechanism.signals.knows(port):
                    continue
                for name, entry in port_entries(port, prefix):
                    entries[name] = entry
            revise = self.mechanism.inventory.revised.get(part)
            if revise is not None:
                entries = {
                    name: replace(entry, value=_revised(entry.value, revise))
                    for name, entry in entries.items()
                }
            self._entries[part] = entries
        return self._entries[part]

    def __iter__(self) -> Iterator[CatalogueEntry]:
        for part in self.mechanism.inventory.resolved:
            yield from self.of_part(part).values()

    def names(self) -> list[str]:
        """Return the names of all variables."""
        return [entry.name for entry in self]

    def find_part(self, name: str) -> tuple[Part, str]:
        """Return the part that a name leads into and the rest of the name."""
        if not isinstance(name, str):
            raise UnknownNameError(
                self.model.label,
                f"{name!r} is not a name of a variable.",
                'Give e.g. "body.r_0".',
                value=name,
            )
        part: Part = self.model
        rest = name.removeprefix(f"{part.path}.") if part.path else name
        while "." in rest:
            first, remainder = rest.split(".", 1)
            inner = part.parts.get(first)
            if inner not in self.mechanism.inventory.resolved:
                break
            part, rest = inner, remainder
        return part, rest

    def _parts_of(self, part: Part) -> list[str]:
        """Return the names of the parts within a part when it was assembled."""
        known = self.mechanism.inventory.resolved
        return [name for name, inner in part.parts.items() if inner in known]

    def find(self, name: str) -> tuple[CatalogueEntry, tuple[int, ...] | None]:
        """Return the entry of a variable and the requested index (from 0), if any."""
        part, rest = self.find_part(name)
        entries = self.of_part(part)
        if rest in entries:
            return entries[rest], None
        match = re.match(INDEX, rest)
        if match and match["name"] in entries:
            index = tuple(int(i) - 1 for i in match["index"].split(","))
            return entries[match["name"]], index
        where = part.path or self.model.label
        first, dot, _ = rest.partition(".")
        if dot and not any(entry.startswith(f"{first}.") for entry in entries):
            known = [*self._parts_of(part), *(port.name for port in part.ports())]
            raise UnknownNameError(
                where, f"has no part {first!r}.", suggest(first, known), value=name
            )
        known = [*entries, *self._parts_of(part)]
        raise UnknownNameError(
            where, f"has no variable {rest!r}.", suggest(rest, known), value=name
        )


def _entry(name: str, variable: Variable) -> CatalogueEntry:
    return CatalogueEntry(name, variable.unit, variable.description, variable.value)


def port_entries(port: Port, prefix: str) -> Iterator[tuple[str, CatalogueEntry]]:
    """Yield the variables of a port by their name within the part; `prefix` leads there."""
    path = prefix + port.name
    if port.kind is PortKind.FRAME:
        for name, (unit, text, value) in FRAME_VARIABLES.items():
            yield (
                f"{port.name}.{name}",
                CatalogueEntry(
                    f"{path}.{name}", unit, text, lambda motion, f=value: f(motion, port)
                ),
            )
        return
    if port.kind is PortKind.SIGNAL:
        spec = port.owner.specs[port.name]
        value = CatalogueEntry(
            path, spec.unit, spec.description, lambda motion: motion.signal(port)
        )
        yield port.name, value
        return
    if port.kind not in FLANGE_LETTERS:
        yield from _domain_entries(port, path)
        return
    (x, unit_x), (v, unit_v), (f, unit_f) = FLANGE_LETTERS[port.kind]
    yield (
        f"{port.name}.{x}",
        CatalogueEntry(
            f"{path}.{x}", unit_x, "position", lambda motion: motion.flange(port)[0]
        ),
    )
    yield (
        f"{port.name}.{v}",
        CatalogueEntry(
            f"{path}.{v}", unit_v, "speed", lambda motion: motion.flange(port)[1]
        ),
    )
    yield (
        f"{port.name}.{f}",
        CatalogueEntry(
            f"{path}.{f}",
            unit_f,
            "force on the part",
            lambda motion: motion.flange_force(port),
        ),
    )


def _domain_entries(port: Port, path: str) -> Iterator[tuple[str, CatalogueEntry]]:
    """Yield the across and the through quantity of a port of a domain."""
    if not isinstance(port.kind, Domain) or port.owner.is_model:
        return
    for (name, unit), text in (
        (port.kind.across, "equal at connected ports"),
        (port.kind.through, "into the part"),
    ):
        own = f"{port.name}.{name}"
        value = CatalogueEntry(
            f"{path}.{name}",
            unit,
            text,
            lambda motion, n=own: motion.unknown(port.owner, n),
        )
        yield own, value


def _revised(
    value: Callable[[MotionView], Quantity],
    revise: Callable[[MotionView, Quantity], Quantity],
) -> Callable[[MotionView], Quantity]:
    """Return how a variable of a part whose laws were changed is computed."""
    return lambda motion: revise(motion, value(motion))


def ravel(value: Quantity) -> tuple[list[Scalar], tuple[int, ...]]:
    """Return the scalars of a variable's value and its shape."""
    if isinstance(value, Vector):
        return list(value.xyz), (3,)
    if isinstance(value, Symmetric):
        value = value.full()
    if isinstance(value, Matrix):
        return list(value.entries), (3, 3)
    if isinstance(value, (tuple, list)):
        return list(value), (len(value),)
    return [value], ()


def position_of(name: str, index: tuple[int, ...], shape: tuple[int, ...]) -> int:
    """Return where an indexed element is among the flattened values."""
    pairs = zip(index, shape, strict=False)
    if len(index) != len(shape) or not all(0 <= i < n for i, n in pairs):
        sizes = " × ".join(map(str, shape)) or "one number"
        raise UnknownNameError(
            name,
            f"has no such element: it is {sizes}.",
            "Count from 1.",
            parameter=name.rpartition(".")[2],
            value=name,
        )
    at = 0
    for i, n in zip(index, shape, strict=True):
        at = at * n + i
    return at
