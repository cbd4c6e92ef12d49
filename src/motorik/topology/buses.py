"""Buses: every signal that is read is written by one part."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from motorik.components.base.ports import Port, SignalInput, SignalOutput
from motorik.components.blocks.buses import Bus
from motorik.errors import PortError

if TYPE_CHECKING:
    from motorik.topology.inventory import Inventory


def check_buses(inventory: Inventory) -> None:
    """Refuse a signal of a bus that is read and that nobody writes, or that several write."""
    buses = [part for part in inventory.resolved if isinstance(part, Bus)]
    if not buses:
        return
    writers: dict[Port, list[Port]] = defaultdict(list)
    sources = (*inventory.signal_laws, *inventory.measurements)
    written = [port for source in sources for port in source.outputs]
    parts = [own.part for own in inventory.part_equations]
    written += [p for part in parts for p in part.ports() if isinstance(p, SignalOutput)]
    for port in written:
        for element in port.elements:
            inventory.ports.add(element)
            writers[inventory.node(element)].append(element)
    sets = inventory.ports.sets()
    for bus in buses:
        for signal in bus.signals.values():
            for element in signal.elements if signal.carries else ():
                inventory.ports.add(element)
                node = inventory.node(element)
                _check(element, writers[node], sets.get(node, ()))


def _check(signal: Port, writers: list[Port], ports: object) -> None:
    if len(writers) > 1:
        names = " and ".join(port.path for port in writers)
        raise PortError(
            signal.path,
            f"is written by {names}.",
            "Let one part write a signal of a bus.",
            port=signal.name,
            value=tuple(writers),
        )
    connected = list(ports)  # type: ignore[call-overload]
    readers = [p for p in connected if isinstance(p, SignalInput) and not p.owner.is_model]
    is_given = any(port.default is not None for port in connected)
    if readers and not writers and not is_given:
        names = ", ".join(port.path for port in readers)
        raise PortError(
            signal.path,
            f"is read by {names}, but nobody writes it.",
            f"Connect an output with it, or a number: 0.0 >> {signal.path}.",
            port=signal.name,
            value=tuple(readers),
        )
