"""Ports: the connection points of parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

import numpy as np

from motorik.components.base.name_faults import no_port
from motorik.components.base.place import NamedObject
from motorik.errors import PortError

if TYPE_CHECKING:
    from typing_extensions import Self

    from motorik.components.base.declarations import PortSpec
    from motorik.components.base.part import Part


class PortKind:
    """The kind of a port; only ports of one kind can be connected. `value` is its name."""

    FRAME: ClassVar[PortKind]
    ROTATIONAL: ClassVar[Domain]
    TRANSLATIONAL: ClassVar[Domain]
    SIGNAL: ClassVar[PortKind]

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"<{self.value}>"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> str:
        """Return its name in this module: a kind is one object, also in another process."""
        known = (name for name, own in vars(PortKind).items() if own is self)
        return f"PortKind.{next(known, self.value)}"


class Domain(PortKind):
    """A physical domain: a kind of port with two quantities, each with its name and unit.

    Where ports are connected, their `across` quantities are equal (voltage, angle, temperature),
    and their `through` quantities (current, torque, heat flow) add up to zero; they are positive
    into the part. A domain of one's own is one line::

        electrical = Domain("electrical", across=("v", "V"), through=("i", "A"))
    """

    def __init__(
        self, name: str, across: tuple[str, str], through: tuple[str, str], value: str = ""
    ) -> None:
        super().__init__(value or f"{name} port")
        self.name, self.across, self.through = name, across, through
        self.port_type: type[DomainPort] = type(
            f"{name.title().replace(' ', '')}Port",
            (DomainPort,),
            {"kind": self, "__slots__": ()},
        )

    def port(self, description: str, when: str = "") -> PortSpec[DomainPort]:
        """Declare a port of this domain in the class body of a part."""
        from motorik.components.base.declarations import PortSpec

        return PortSpec(description, self.port_type, when)


PortKind.FRAME = PortKind("frame")
PortKind.SIGNAL = PortKind("signal")


class Port:
    """A port of a part: `owner.name`, of one kind.

    ``a >> b`` connects two ports, in any order and direction; several ports may be connected
    to one another. `when` is the parameter that activates a port that is not used yet, "" if it is
    used: reading such a port changes nothing, connecting it does.
    """

    __slots__ = ("default", "elements", "name", "owner", "size", "when")

    kind: ClassVar[PortKind]
    carries: ClassVar[str] = ""  # of a signal: "Real", "Boolean" or "Integer"

    def __init__(
        self,
        owner: Part,
        name: str,
        size: int = 1,
        default: float | None = None,
        when: str = "",
    ) -> None:
        self.owner = owner
        self.name = name
        self.size = size
        self.default = default
        self.when = when
        self.elements: tuple[Self, ...] = (self,)
        if size != 1:
            numbered = (f"{name}[{i + 1}]" for i in range(size))
            self.elements = tuple(
                type(self)(owner, one, default=default, when=when) for one in numbered
            )

    @property
    def path(self) -> str:
        """The full name, e.g. `arm.hinge.frame_a`."""
        path = self.owner.path
        return f"{path}.{self.name}" if path else self.name

    @property
    def label(self) -> str:
        """The name for messages: the path, or the kind of part while it has none."""
        return f"{self.owner.label}.{self.name}"

    def __getitem__(self, index: int) -> Self:
        is_whole = isinstance(index, (int, np.integer))
        is_signal = self.kind is PortKind.SIGNAL
        if not is_signal or not is_whole or not -self.size <= index < self.size:
            raise PortError(
                self.label,
                f"has no element {index!r}: it is a {self.kind.value} of size {self.size}.",
                "Count the elements of a signal from 0, as Python does.",
                port=self.name,
                value=index,
            )
        return self.elements[index]

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Self]:
        return iter(self.elements)

    def __rshift__(self, other: Port) -> Port:
        join(self, other)
        return other

    def _refuse_sign(self, other: object) -> NoReturn:
        label = getattr(other, "label", other)
        raise PortError(
            self.label,
            f"can be connected with {label} by >> only.",
            f"Write {self.label} >> {label}.",
            port=self.name,
            value=other,
        )

    __lshift__ = __gt__ = __lt__ = __ge__ = __le__ = _refuse_sign

    def __rrshift__(self, number: float) -> Self:
        is_truth = isinstance(number, (bool, np.bool_))
        is_number = isinstance(number, (int, float, np.integer, np.floating))
        is_fit = is_truth if self.carries == "Boolean" else is_number and not is_truth
        value = float(number) if is_fit else float("nan")
        if self.carries == "Integer" and value % 1.0 != 0.0:
            value = float("nan")
        if self.kind is not PortKind.SIGNAL or not abs(value) < float("inf"):
            constant = CONSTANTS.get(self.carries, "finite numbers")
            raise PortError(
                self.label,
                f"is a {self.described}, to which {number!r} cannot be connected.",
                f"Connect ports with ports; signals also with {constant}.",
                port=self.name,
                value=number,
            )
        self.owner.prepare_change()
        self.use()
        for element in (self, *self.elements):
            element.default = value
        for outer in self.owner.lineage():
            outer.__dict__["revision"] += 1
        return self

    @property
    def described(self) -> str:
        """Its kind in words, and of a signal that carries no real numbers its type."""
        is_real = self.carries in ("", "Real")
        return self.kind.value if is_real else f"{self.carries} {self.kind.value}"

    def settle(self, other: Port) -> None:
        """Take over type and size of a port that it is connected with, if it has none yet."""

    def use(self) -> None:
        """Activate a port that its part does not have yet."""
        if self.when:
            self.owner._open_ports(self.when)

    def __repr__(self) -> str:
        return f"<{self.described} {self.label}>"


class FramePort(Port):
    """A frame: a place on a body, with axes; forces and torques act there."""

    __slots__ = ()
    kind = PortKind.FRAME

    if TYPE_CHECKING:  # within equations of its part
        r_0: Any
        R: Any
        v_0: Any
        w_a: Any
        f: Any
        t: Any

    if TYPE_CHECKING:

        def __rshift__(self, other: FramePort) -> FramePort: ...  # type: ignore[override]


class DomainPort(Port):
    """A port of a `Domain`; within `equations` of its part it has both quantities by name."""

    __slots__ = ()

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


PortKind.ROTATIONAL = Domain(
    "rotational", ("phi", "rad"), ("tau", "N.m"), "rotational flange"
)
PortKind.TRANSLATIONAL = Domain(
    "translational", ("s", "m"), ("f", "N"), "translational flange"
)


class RotationalFlange(Port):
    """A flange of a rotational drive line: an angle [rad] and a torque [N·m]."""

    __slots__ = ()
    kind = PortKind.ROTATIONAL

    if TYPE_CHECKING:
        phi: Any
        tau: Any

    if TYPE_CHECKING:

        def __rshift__(self, other: RotationalFlange) -> RotationalFlange: ...  # type: ignore[override]


class TranslationalFlange(Port):
    """A flange of a translational drive line: a position [m] and a force [N]."""

    __slots__ = ()
    kind = PortKind.TRANSLATIONAL

    if TYPE_CHECKING:
        s: Any
        f: Any

    if TYPE_CHECKING:

        def __rshift__(self, other: TranslationalFlange) -> TranslationalFlange: ...  # type: ignore[override]


class SignalPort(Port):
    """A signal of one or several elements: ``port[0]`` is the first.

    Each element is a port of its own, which results call ``name[1]``. A number can be
    connected to an input: ``0.5 >> torque.tau``; the number becomes its `default`,
    used where nothing else is connected.
    """

    __slots__ = ()
    kind = PortKind.SIGNAL
    carries = "Real"

    if TYPE_CHECKING:

        def __rshift__(self, other: SignalPort) -> SignalPort: ...  # type: ignore[override]


class SignalInput(SignalPort):
    """A signal that a part takes."""

    __slots__ = ()


class SignalOutput(SignalPort):
    """A signal that a part gives."""

    __slots__ = ()


class BooleanInput(SignalInput):
    """A truth value that a part takes: the number 1 where it is true, else 0."""

    __slots__ = ()
    carries = "Boolean"


class BooleanOutput(SignalOutput):
    """A truth value that a part gives: the number 1 where it is true, else 0."""

    __slots__ = ()
    carries = "Boolean"


class IntegerInput(SignalInput):
    """A whole number that a part takes."""

    __slots__ = ()
    carries = "Integer"


class IntegerOutput(SignalOutput):
    """A whole number that a part gives."""

    __slots__ = ()
    carries = "Integer"


CONSTANTS = {"Boolean": "True or False", "Integer": "whole numbers"}
CONVERSIONS = {  # blocks that turn a signal of one type into another
    ("Boolean", "Real"): "BooleanToReal",
    ("Boolean", "Integer"): "BooleanToInteger",
    ("Integer", "Real"): "IntegerToReal",
    ("Integer", "Boolean"): "IntegerToBoolean",
    ("Real", "Boolean"): "RealToBoolean",
    ("Real", "Integer"): "RealToInteger",
}


SameKind = TypeVar(
    "SameKind", FramePort, RotationalFlange, TranslationalFlange, SignalPort, DomainPort
)


def join(*ports: Port) -> None:
    """Connect ports of any kind, or buses; `connect` is the typed form."""
    buses = [one for one in ports if _is_bus(one)]
    if buses and len(buses) == len(ports):
        for other in buses[1:]:
            buses[0] >> other
        return
    for port in ports:
        if isinstance(port, NamedObject):
            named = [own.name for own in port.ports()]  # type: ignore[attr-defined]
            raise no_port(port, ports[0] if ports[0] is not port else ports[-1], named)
        if not isinstance(port, Port):
            raise PortError(
                "connect",
                f"{port!r} is not a port.",
                "Connect ports such as part.frame_a, not parts.",
                port="",
                value=port,
            )
    if len(ports) < 2:
        raise PortError(
            "connect",
            "needs at least two ports.",
            "connect(a.frame_b, b.frame_a)",
            port="",
            value=ports,
        )
    first = ports[0]
    for other in ports[1:]:
        _check_fit(first, other)
        model = _common_model(first, other)
        pairs = list(zip(first.elements, other.elements, strict=True))
        _check_new(model, pairs)
        model.prepare_change()
        first.use()
        other.use()
        model.connections.extend(pairs)
        for outer in model.lineage():
            outer.__dict__["revision"] += 1


if TYPE_CHECKING:

    def connect(first: SameKind, second: SameKind, *others: SameKind) -> None:
        """Connect ports of one kind to one another, in the smallest model that holds them all.

        ``connect(a.frame_b, b.frame_a)`` is ``a.frame_b >> b.frame_a``; with more ports, all
        of them meet in one.
        """
        ...
else:

    def connect(*ports: Port) -> None:
        """Connect ports of one kind to one another, in the smallest model that holds them all.

        ``connect(a.frame_b, b.frame_a)`` is ``a.frame_b >> b.frame_a``; with more ports, all
        of them meet in one.
        """
        join(*ports)


def _is_bus(one: object) -> bool:
    return getattr(type(one), "is_bus", False)


def _check_new(model: Part, pairs: list[tuple[Port, Port]]) -> None:
    """Refuse to connect two ports a second time."""
    known: set[frozenset[Port]] = model.__dict__.setdefault("_pairs", set())
    for pair in pairs:
        if frozenset(pair) in known:
            raise PortError(
                pair[0].label,
                f"is connected with {pair[1].label} already.",
                "Connect two ports once; check whether another port was meant.",
                port=pair[0].name,
                value=pair[1],
            )
        known.add(frozenset(pair))


def _with_article(port: Port) -> str:
    """Return the kind of a port with its article: an electrical port."""
    kind = port.kind.value
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


def _check_fit(first: Port, other: Port) -> None:
    """Refuse to connect ports that do not fit one another."""
    first.settle(other)
    other.settle(first)
    if other.kind is not first.kind:
        raise PortError(
            first.label,
            f"is {_with_article(first)}, but {other.label} is {_with_article(other)}.",
            "Connect frames with frames, flanges with flanges of the same kind, and ports of a "
            "domain with ports of that domain.",
            port=first.name,
            value=other,
        )
    if other.carries != first.carries:
        source, target = (
            (other, first)
            if isinstance(other, SignalOutput) and not isinstance(first, SignalOutput)
            else (first, other)
        )
        block = CONVERSIONS[source.carries, target.carries]
        raise PortError(
            first.label,
            f"carries {first.carries} values, but {other.label} {other.carries} ones.",
            f"Put a block between them: blocks.{block}().",
            port=first.name,
            value=other,
        )
    if other is first:
        raise PortError(
            first.label,
            "is connected to itself.",
            "Connect it to another part's port.",
            port=first.name,
            value=other,
        )
    if other.size != first.size:
        raise PortError(
            first.label,
            f"is a signal of size {first.size}, but {other.label} has size {other.size}.",
            f"Connect element by element: {first.label}[0] >> {other.label}[0].",
            port=first.name,
            value=other,
        )


def _common_model(a: Port, b: Port) -> Part:
    """Return the smallest model holding both owners (or a model that is itself an owner)."""
    if a.kind is PortKind.SIGNAL:
        for nameless, other in ((a, b), (b, a)):
            if other.owner._is_attached:
                _adopt(nameless.owner, other.owner)
    outer = b.owner.parent
    if outer is not None and outer.is_model and outer in (a.owner, a.owner.parent):
        return outer
    above = a.owner.lineage()
    for candidate in b.owner.lineage():
        if any(candidate is part for part in above) and candidate.is_model:
            return candidate
    lost = a if not a.owner._is_attached else b
    raise PortError(
        f"{lost.owner.label}.{lost.name}",
        f"({type(lost.owner).__name__}) is not in the same model as the other port.",
        "Assign both parts to one model first: `model.name = Part(...)`; a list of parts is "
        "filled first and then assigned: `model.names = parts`.",
        port=lost.name,
        value=lost,
    )


def _adopt(block: Part, other: Part) -> None:
    """Give a block without a model a name in that of another part: `constant1`."""
    home = other.parent
    if block._is_attached or block.is_model or home is None:
        return
    kind = type(block).__name__
    stem = kind[:1].lower() + kind[1:]
    taken: dict[str, int] = home.__dict__.setdefault("_numbers", {})
    number = taken.get(stem, 0) + 1
    while f"{stem}{number}" in home.parts:
        number += 1
    taken[stem] = number
    setattr(home, f"{stem}{number}", block)
