"""Units of signals: what is connected is measured in the same unit.

The units of outputs spread along connections and through blocks whose law says how: the difference
of two positions is a length, its rate a speed. A signal of which nothing is known fits every
input: a number has the unit of what takes it.
"""

from __future__ import annotations

import warnings
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from motorik.components.base.declarations import PortSpec
from motorik.components.base.dimensions import Dimension, dimension
from motorik.components.base.ports import Port, PortKind, SignalOutput
from motorik.components.base.unit_laws import UnitLaw
from motorik.errors import PortError, UnitWarning, calls_within_motorik
from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.topology.inventory import Inventory


@immutable
class Known:
    """The unit of a signal: what it is, its letters, the port that declares it, and the way.

    `through` names the blocks by which it follows from that port.
    """

    dimension: Dimension
    unit: str
    port: Port
    through: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The unit, and where it comes from if it is not declared."""
        way = f", which follows from {self.port.path} through {', '.join(self.through)}"
        return f"in {self.unit}{way if self.through else ''}"


def check_units(inventory: Inventory) -> None:
    """Refuse connected signals in different units; warn where another tool wrote the model."""
    for port, error in _conflicts(inventory):
        if not any(
            getattr(outer, "is_translated", False) for outer in port.owner.lineage()
        ):
            raise error
        warnings.warn(UnitWarning(str(error)), stacklevel=calls_within_motorik())


def _conflicts(inventory: Inventory) -> Iterator[tuple[Port, PortError]]:
    """Yield the ports whose units do not fit what they are connected with, with the error."""
    parts = [*inventory.resolved]

    def node_of(port: Port) -> Port:
        return inventory.node(port) if port in inventory.ports else port

    declared = [*_declared(parts)]
    known = {
        node_of(own.port): own for own in declared if isinstance(own.port, SignalOutput)
    }
    if not known:
        return
    blocks: list[Any] = [part for part in parts if hasattr(type(part), "unit_laws")]
    laws = [law for part in blocks for law in part.unit_laws()]
    against = [*_spread(laws, known, node_of)]
    for own in declared:
        other = known.get(node_of(own.port), own)
        if not own.dimension.fits(other.dimension):
            yield own.port, _refused(own.port, own, other)
    for port, own, other in against:
        yield port, _refused(port, own, other)


def _spread(
    laws: list[UnitLaw], known: dict[Port, Known], node_of: Callable[[Port], Port]
) -> Iterator[tuple[Port, Known, Known]]:
    """Add the units of outputs that follow from those of inputs; yield what contradicts them."""
    of_port: dict[Port, list[UnitLaw]] = defaultdict(list)
    for law in laws:
        for port, _ in law.terms:
            of_port[node_of(port)].append(law)
    waiting, done = deque(laws), set[int]()
    while waiting:
        law = waiting.popleft()
        nodes = [node_of(port) for port, _ in law.terms]
        missing = [k for k, node in enumerate(nodes) if node not in known]
        if len(missing) > 1 or id(law) in done:
            continue
        at = missing[0] if missing else len(nodes) - 1
        port = law.terms[at][0]
        if missing and not isinstance(port, SignalOutput):
            continue
        done.add(id(law))
        own = _follows(law, at, [known.get(node) for node in nodes])
        if missing:
            known[nodes[at]] = own
            waiting.extend(of_port[nodes[at]])
        elif not own.dimension.fits(known[nodes[at]].dimension):
            yield port, own, known[nodes[at]]


def _declared(parts: Iterable[object]) -> Iterator[Known]:
    """Yield the signals with a unit in the declarations of their parts."""
    for part in parts:
        for port in part.ports():  # type: ignore[attr-defined]
            if port.kind is not PortKind.SIGNAL or port.carries not in ("", "Real"):
                continue
            spec = part.specs.get(port.name)  # type: ignore[attr-defined]
            unit = spec.unit if isinstance(spec, PortSpec) else ""
            own = dimension(unit) if unit else None
            if own is not None:
                for element in port.elements:
                    yield Known(own, unit, element)


def _follows(law: UnitLaw, at: int, known: list[Known | None]) -> Known:
    """Return the unit of one signal of a law from those of the others."""
    port, power = law.terms[at]
    product = dimension(law.unit)
    assert product is not None, f"{law.unit} is no unit"
    others = [
        (own, Fraction(k))
        for j, ((_, k), own) in enumerate(zip(law.terms, known, strict=True))
        if j != at and own is not None
    ]
    for own, k in others:
        product = product.times(own.dimension.to(-k))
    first, k = others[0]
    is_same = len(others) == 1 and k == -power and law.unit == "1"
    found = first.dimension if is_same else product.to(Fraction(1, power))
    unit = first.unit if is_same else found.text
    return Known(found, unit, first.port, (*first.through, port.owner.path))


def _refused(port: Port, own: Known, other: Known) -> PortError:
    """Return the error of a signal in one unit that is connected with one in another."""
    one, two = own.dimension, other.dimension
    if other.through:
        place = f"what it is connected with is {other.words}"
    else:
        place = f"{other.port.path}, with which it is connected, is {other.words}"
    if one.powers == two.powers and one.zero == two.zero:
        remedy = f"Put blocks.Gain(k={two.factor(one):.6g}) between them."
    elif one.powers == two.powers:
        remedy = f"Put blocks.Affine(k=1, offset={two.zero - one.zero:g}) between them."
    else:
        remedy = (
            "Connect the signal that was meant; if a factor with a unit belongs between them, "
            "put blocks.Gain(k=…) there."
        )
    return PortError(
        port.path, f"is {own.words}, but {place}.", remedy, port=port.name, value=other.unit
    )
