"""Structure: the parts of a model, their connections, and what assembly made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from motorik.components.base.composite import Composite
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, PortKind, SignalInput, SignalOutput
from motorik.errors import MotorikError
from motorik.immutable import immutable
from motorik.view.diagram.symbols import symbol_of

if TYPE_CHECKING:
    from motorik.visible import Visible

OWN = ""  # the node of a composite's own ports in its inner diagram


@immutable
class Wire:
    """A connection of two ports: the nodes (names of parts) and the ports on them.

    A signal goes from a to b.
    """

    a: str
    b: str
    port_a: str
    port_b: str
    kind: PortKind


@immutable
class Marks:
    """The result of assembly: paths of joints in the spanning tree, and of cut joints.

    `note` says why there is no tree, where a model does not assemble.
    """

    tree: frozenset[str] = frozenset()
    cut: frozenset[str] = frozenset()
    note: str = ""


@dataclass
class Node:
    """A part in the diagram: its name, type and role; open, it holds a diagram of its own.

    `ports` are the names of those that are connected. `cut` and `tree` are the joints in it.
    `symbol` is the path of its symbol, "" without any.
    """

    name: str
    kind: str
    role: str
    path: str
    ports: dict[str, PortKind] = field(default_factory=dict)
    inside: Structure | None = None
    holds: int = 0
    cut: tuple[str, ...] = ()
    is_tree: bool = False
    symbol: str = ""


@dataclass
class Structure:
    """The nodes of a composite by name, the wires between them; own ports are node ""."""

    nodes: dict[str, Node]
    wires: list[Wire]
    ports: dict[str, PortKind]


ROLES = {
    "joints": "joint",
    "assemblies": "joint",
    "constraints": "joint",
    "forces": "force",
    "sensors": "sensor",
    "blocks": "signal",
    "rotational": "drive",
    "translational": "drive",
    "lines": "drive",
    "electrical": "electrical",
    "heat": "heat",
    "hydraulic": "hydraulic",
    "magnetic": "magnetic",
    "parts": "body",
}


def structure_of(model: Composite, depth: int, marks: Marks) -> Structure:
    """Return the structure of a model, nested models opened `depth` − 1 times."""
    nodes = {name: _node(part, name, depth, marks) for name, part in model.parts.items()}
    wires: dict[Wire, None] = {}
    for a, b in model.connections:
        if _gives(model, b):
            a, b = b, a
        (at_a, port_a), (at_b, port_b) = _end(model, a), _end(model, b)
        wires[Wire(at_a, at_b, port_a, port_b, a.kind)] = None
    own: dict[str, PortKind] = {}
    for wire in wires:
        for at, port in ((wire.a, wire.port_a), (wire.b, wire.port_b)):
            (own if at == OWN else nodes[at].ports)[port] = wire.kind
            if at != OWN:
                _reach(nodes[at].inside, port, wire.kind, at == wire.b)
    return Structure(nodes, list(wires), own)


def _reach(inside: Structure | None, port: str, kind: PortKind, inwards: bool) -> None:
    """Let a wire from outside that ends within an open box go on to the part in it."""
    name, dot, rest = port.partition(".")
    if inside is None or not dot or port in inside.ports:
        return
    inside.ports[port] = kind
    ends = (OWN, name, port, rest) if inwards else (name, OWN, rest, port)
    inside.wires.append(Wire(*ends, kind))
    inside.nodes[name].ports[rest] = kind
    _reach(inside.nodes[name].inside, rest, kind, inwards)


def _gives(model: Part, port: Port) -> bool:
    """Return whether a signal comes from a port: an output, or an input of the model itself."""
    return isinstance(port, SignalInput if port.owner is model else SignalOutput)


def _node(part: Part, name: str, depth: int, marks: Marks) -> Node:
    inner = [one.path for one in part.walk()]
    node = Node(name, type(part).__name__, role_of(part), part.path)
    node.cut = tuple(path for path in inner if path in marks.cut)
    node.is_tree = part.path in marks.tree
    node.symbol = symbol_of(part)
    if isinstance(part, Composite):
        node.holds = len(inner) - 1
        if depth > 1 and opens(part):
            node.inside = structure_of(part, depth - 1, marks)
    return node


def opens(part: Part) -> bool:
    """Return whether a part is a model of a user, not a finished part of the library."""
    from motorik.model import Model

    return isinstance(part, Model) and bool(part.parts)


def _end(model: Part, port: Port) -> tuple[str, str]:
    """Return the node of a port in a model's diagram, and its name there."""
    owner, called = port.owner, port.name.partition("[")[0]
    if owner is model:
        return OWN, called
    while owner.parent is not model:
        called = f"{owner.name}.{called}"
        assert owner.parent is not None
        owner = owner.parent
    return owner.name, called


def role_of(part: Part) -> str:
    """Return the role of a part, by the module of its class."""
    return role_of_class(type(part))


def role_of_class(kind_of_part: type[Part]) -> str:
    """Return the role of the parts of a class."""
    if kind_of_part.__name__ == "World":
        return "world"
    for kind in kind_of_part.__mro__:
        room = kind.__module__.split(".")
        found = [ROLES[name] for name in room if name in ROLES and "base" not in room]
        if found:
            return found[0]
    return "body"


def marks_of(model: Visible) -> Marks:
    """Return the decisions of assembly about a model, or the reason why it cannot be assembled."""
    try:
        mechanism = model.compile().mechanism
    except MotorikError as error:
        return Marks(note=str(error).partition("\n")[0])
    tree = {
        link.edge.frame_a.owner.path for link in mechanism.links if link.edge is not None
    }
    cut = {
        closure.part if closure.edge is None else closure.edge.frame_a.owner.path
        for closure in mechanism.closures
    }
    return Marks(frozenset(tree), frozenset(cut))
