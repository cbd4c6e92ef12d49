"""Catalogue: every variable of every part by its name, with unit and meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial, reduce

from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.scalar import Scalar, add
from motorik.algebra.vector import Vector
from motorik.components.base.composite import Composite
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


@immutable
class PowerNames:
    """Names of the variables from which the balance of energy of a run follows, by part.

    `stored` are the forms of stored energy, in the order of the function "energy". `supplied` are
    powers of sources, `lost` those that leave as heat without a heat port, `undeclared` those of
    laws that declare neither. `fluxes` are pairs of magnetic potential and flux whose power,
    V_m dPhi/dt, counts with that of their part. `parts` are the names of all parts.
    """

    stored: tuple[str, ...]
    supplied: dict[str, str]
    lost: dict[str, str]
    undeclared: dict[str, str]
    fluxes: dict[str, tuple[tuple[str, str], ...]]
    parts: frozenset[str]

    def part_of(self, name: str) -> str:
        """Return the part to which a name belongs, such as that of a force within it."""
        while name and name not in self.parts:
            name = name.rpartition(".")[0]
        return name


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
            if part in self._acting:
                entries["suppliedPower"] = CatalogueEntry(
                    f"{prefix}suppliedPower", "W", SUPPLIED, partial(_supplied_power, part)
                )
            known = self.mechanism.inventory.connections
            for port in part.ports():
                if port.kind is PortKind.SIGNAL and not self.mechanism.signals.knows(port):
                    continue
                for name, entry in port_entries(port, prefix, known):
                    entries[name] = entry
            revise = self.mechanism.inventory.revised.get(part)
            if revise is not None:
                entries = {
                    name: replace(entry, value=_revised(entry.value, revise))
                    for name, entry in entries.items()
                }
            self._entries[part] = entries
        return self._entries[part]

    @cached_property
    def _acting(self) -> dict[Part, bool]:
        """The parts whose power comes from outside of the model, and whether they say so."""
        from motorik.motion.energy import acting_parts

        return acting_parts(self.mechanism.inventory)

    @cached_property
    def power_names(self) -> PowerNames:
        """The names of the variables that say where energy comes from and where it goes."""
        from motorik.motion.energy import energy_names, flux_names, gives_off_heat

        inventory = self.mechanism.inventory
        supplied, undeclared = (
            {
                p.path: f"{p.path}.suppliedPower"
                for p, known in self._acting.items()
                if known is own
            }
            for own in (True, False)
        )
        losing = {part for part in inventory.resolved if "lossPower" in self.of_part(part)}
        within = {
            own for part in losing for own in part.lineage()[1:]
        }  # they show the same
        lost = {
            part.path: f"{part.path}.lossPower"
            for part in inventory.resolved
            if part in losing - within - self._acting.keys()
            and not gives_off_heat(inventory, part)
        }
        fluxes = {part.path: flux_names(inventory, part) for part in self._acting}
        used = {path: own for path, own in fluxes.items() if own}
        parts = frozenset(part.path for part in inventory.resolved)
        return PowerNames(energy_names(inventory), supplied, lost, undeclared, used, parts)

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


SUPPLIED = "power that the part gives through its ports"


def _supplied_power(part: Part, motion: MotionView) -> Scalar:
    from motorik.motion.energy import supplied_power

    return supplied_power(motion, part)


def _entry(name: str, variable: Variable) -> CatalogueEntry:
    return CatalogueEntry(name, variable.unit, variable.description, variable.value)


Connections = Mapping[Part, Sequence[tuple[Port, Port]]]
"""The connections that each part of several parts makes within it."""


def port_entries(
    port: Port, prefix: str, connections: Connections | None = None
) -> Iterator[tuple[str, CatalogueEntry]]:
    """Yield the variables of a port by their name within the part; `prefix` leads there.

    `connections` are those of the parts when they were assembled.
    """
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
        yield from _domain_entries(port, path, connections or {})
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


def _domain_entries(
    port: Port, path: str, connections: Connections
) -> Iterator[tuple[str, CatalogueEntry]]:
    """Yield the across and the through quantity of a port of a domain.

    Into a part of several parts flows what flows into those parts that are connected there.
    """
    if not isinstance(port.kind, Domain):
        return
    inner = inner_ports(port, connections)
    if not inner:
        return
    (across, unit), (through, unit_of_flow) = port.kind.across, port.kind.through

    def level(motion: MotionView) -> Scalar:
        return motion.unknown(inner[0].owner, f"{inner[0].name}.{across}")

    def flow(motion: MotionView) -> Scalar:
        flows = [motion.unknown(own.owner, f"{own.name}.{through}") for own in inner]
        return reduce(add, flows)

    text = "equal at connected ports"
    yield f"{port.name}.{across}", CatalogueEntry(f"{path}.{across}", unit, text, level)
    yield (
        f"{port.name}.{through}",
        CatalogueEntry(f"{path}.{through}", unit_of_flow, "into the part", flow),
    )


def inner_ports(port: Port, connections: Connections) -> list[Port]:
    """Return the ports of single parts to which a port leads inwards, itself for a single part."""
    if not isinstance(port.owner, Composite):
        return [port]
    own, joined, rest = port.owner, {port}, [port]
    ties = connections.get(own, own.connections)
    while rest:
        at = rest.pop()
        new = {end for pair in ties if at in pair for end in pair} - joined
        joined |= new
        rest += new
    within = sorted(
        (end for end in joined if end.owner is not own), key=lambda end: end.path
    )
    if not within and not port.when and port.name in type(own).own_ports:
        return [port]
    return [end for inner in within for end in inner_ports(inner, connections)]


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
