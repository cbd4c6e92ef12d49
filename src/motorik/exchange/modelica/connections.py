"""Connections: from the ports that a file names to the ports of parts."""

from __future__ import annotations

from typing import Any

from motorik.components.base.part import Part, PortSpec
from motorik.components.base.ports import Port, join
from motorik.errors import PortError, UnknownNameError, suggest
from motorik.exchange.modelica.arrays import pick
from motorik.exchange.modelica.errors import ExpressionError
from motorik.exchange.modelica.evaluate import Evaluation
from motorik.exchange.modelica.expressions import Name, Segment
from motorik.exchange.modelica.instance import Instance
from motorik.exchange.modelica.parser import parse


def connect_parts(instance: Instance) -> None:
    """Make the connections of a model; as in Modelica, those to absent parts vanish."""
    for pair in instance.flat.connections:
        place = f"{instance.path}: connect({pair[0]}, {pair[1]})".lstrip(": ")
        try:
            left, right = (find_ports(instance, text) for text in pair)
            if left is not None and right is not None:
                _connect_each(left, right)
        except ExpressionError as error:
            raise error.at(place) from None
        except (PortError, UnknownNameError) as error:
            raise type(error)(
                place, f"{error.place} {error.reason}", error.remedy, **error.fields
            ) from None


def _connect_each(left: list[Port], right: list[Port]) -> None:
    if [port.size for port in left] != [port.size for port in right]:
        left = [element for port in left for element in port.elements]
        right = [element for port in right for element in port.elements]
    if len(left) != len(right):
        raise PortError(
            "it",
            f"joins {len(left)} port(s) with {len(right)}.",
            "Give both sides the same number of ports.",
            port="",
            value=(left, right),
        )
    for a, b in zip(left, right, strict=True):
        join(a, b)


def find_ports(instance: Instance, text: str) -> list[Port] | None:
    """Return the ports that a reference like `sine[1:3].y` means; None if they are absent."""
    tree = parse(text)
    if not isinstance(tree, Name):
        raise ExpressionError("the name of a port expected.", text, 0)
    if tree.segments[0].name in instance.absent:
        return None
    found: list[Any] = [instance.model]
    for segment in tree.segments:
        stepped: list[Any] = []
        for owner in found:
            inner = _step(instance, owner, segment, text)
            if inner is None:
                return None
            stepped.extend(inner)
        found = stepped
    for port in found:
        if not isinstance(port, Port):
            raise PortError(
                text,
                f"is {port!r}, not a port.",
                "Connect ports, not parts.",
                port="",
                value=port,
            )
    return found


def _step(
    instance: Instance, owner: object, segment: Segment, text: str
) -> list[Any] | None:
    """Return what one step of a name leads to from a part; None where a port is absent."""
    if not isinstance(owner, Part):
        raise PortError(
            text,
            f"is nothing: a port has no {segment.name!r}.",
            "",
            port=segment.name,
            value=text,
        )
    evaluation = Evaluation(text, instance)
    subscripts = tuple(evaluation.subscript(tree) for tree in segment.subscripts)
    array = _component_array(owner, segment.name)
    if array:
        return _listed(pick(tuple(array), subscripts))
    if segment.name in owner.parts:
        found: Any = owner.parts[segment.name]
    elif isinstance(owner.specs.get(segment.name), PortSpec):
        found = owner.__dict__.get(segment.name)
        if found is None:
            return None
    else:
        ports = [name for name, spec in owner.specs.items() if isinstance(spec, PortSpec)]
        raise UnknownNameError(
            text,
            f"{owner.label} ({type(owner).__name__}) has no port {segment.name!r}.",
            suggest(segment.name, [*ports, *owner.parts]),
            port=segment.name,
            value=segment.name,
        )
    if not subscripts:
        return _listed(found)
    if isinstance(found, Port) and found.size != 1:
        found = found.elements
    if not isinstance(found, (tuple, list)):
        raise PortError(
            text,
            f"{segment.name} is not an array.",
            "Leave out the subscript.",
            port=segment.name,
            value=text,
        )
    return _listed(pick(tuple(found), subscripts))


def _component_array(owner: Part, name: str) -> list[Part]:
    found: list[Part] = []
    while f"{name}[{len(found) + 1}]" in owner.parts:
        found.append(owner.parts[f"{name}[{len(found) + 1}]"])
    return found


def _listed(found: object) -> list[Any]:
    return list(found) if isinstance(found, (tuple, list)) else [found]
