"""Buses: signals with names that many parts write and read."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from motorik.components.base.composite import OWN_NAMES, DeclaredComposite
from motorik.components.base.declarations import PortSpec
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, SignalPort, join
from motorik.errors import PortError

if TYPE_CHECKING:
    from typing_extensions import Self


class BusSignal(SignalPort):
    """A signal of a bus; its type and size are those of the first port it is connected with."""

    __slots__ = ("_type",)

    def __init__(
        self,
        owner: Part,
        name: str,
        size: int = 1,
        default: float | None = None,
        when: str = "",
    ) -> None:
        self._type = ""
        super().__init__(owner, name, size, default, when)

    @property
    def carries(self) -> str:  # type: ignore[override]
        """The type of its values, "" while it is not known."""
        return self._type

    def settle(self, other: Port) -> None:
        """Take over type and size of a port, also in the buses that this one is connected with."""
        if self._type or not isinstance(other, SignalPort) or not other.carries:
            return
        self._type = other.carries
        if other.size != self.size:
            Port.__init__(self, self.owner, self.name, other.size, self.default)
            for element in self.elements:
                element._type = self._type
        if isinstance(self.owner, Bus) and self.owner.signals.get(self.name) is self:
            self.owner._spread(self)


class Bus(DeclaredComposite):
    """Signals by name, written by one part and read by any: ``bus["angle_ref"]``.

    A name makes the signal when it is first used; ``controller.y >> bus["torque"]`` writes it,
    ``bus["torque"] >> motor.tau`` reads it. ``bus.nested("axis1")`` is a bus within the bus, and
    ``axis.bus >> bus.nested("axis1")`` connects two buses: signals of the same name are one, also
    those that come later, and so are nested buses. A signal that is read and that nobody writes,
    or that two parts write, is refused by name.
    """

    is_drawn = False
    is_bus: ClassVar[bool] = True

    def build(self) -> None:
        """Begin without signals."""
        self.__dict__["_signals"] = {}
        self.__dict__["_others"] = []
        self.__dict__["_pairs_joined"] = set()

    @property
    def signals(self) -> dict[str, BusSignal]:
        """The signals by their names."""
        return self.__dict__["_signals"]

    @property
    def _linked(self) -> list[Bus]:
        """The buses that this one is connected with."""
        return self.__dict__["_others"]

    @property
    def _joined(self) -> set[tuple[int, str]]:
        """The signals that are joined with those of other buses."""
        return self.__dict__["_pairs_joined"]

    def __getitem__(self, name: str) -> BusSignal:
        if not isinstance(name, str) or not name.isidentifier():
            raise PortError(
                self.label,
                f"{name!r} is not the name of a signal.",
                'Give letters, digits and underscores, e.g. bus["angle_ref"].',
                port=str(name),
                value=name,
            )
        if name not in self.signals:
            self._check_free(name, "signal")
            port = BusSignal(self, name)
            spec = PortSpec("a signal of the bus", BusSignal)
            self.__dict__["specs"] = {**self.specs, name: spec}
            self.__dict__[name] = port
            self.signals[name] = port
        return self.signals[name]

    def nested(self, name: str) -> Bus:
        """Return the bus of a name within this one, made when it is first asked for."""
        if name not in self.parts:
            self._check_free(name, "bus")
            setattr(self, name, Bus())
            for other in self._linked:
                self.parts[name] >> other.nested(name)  # type: ignore[operator]
        found = self.parts[name]
        assert isinstance(found, Bus)
        return found

    if not TYPE_CHECKING:

        def __rshift__(self, other: object) -> object:
            return self._link(other)

    else:

        def __rshift__(self, other: Self) -> Self: ...

    def _link(self, other: object) -> Bus:
        """Connect with another bus."""
        if not isinstance(other, Bus) or other is self:
            raise PortError(
                self.label,
                f"is a bus and cannot be connected with {getattr(other, 'label', other)!s}.",
                'Connect a signal of it, e.g. bus["angle_ref"], or another bus.',
                port=self.name or "bus",
                value=other,
            )
        if other not in self._linked:
            self._linked.append(other)
            other._linked.append(self)
            for one, two in ((self, other), (other, self)):
                for signal in [*one.signals.values()]:
                    if signal.carries:
                        one._spread(signal)
                for name, inner in [*one.parts.items()]:
                    if isinstance(inner, Bus):
                        inner._link_once(two.nested(name))
        return other

    def _link_once(self, other: Bus) -> None:
        if other is not self and other not in self._linked:
            self._link(other)

    def _spread(self, signal: BusSignal) -> None:
        """Join a signal whose type is known with those of its name in connected buses."""
        for other in self._linked:
            twin = other[signal.name]
            if (id(other), signal.name) in self._joined:
                continue
            self._joined.add((id(other), signal.name))
            other._joined.add((id(self), signal.name))
            join(signal, twin)

    def _check_free(self, name: str, what: str) -> None:
        """Refuse a name that something else has."""
        is_taken = name in self.parts or name in self.signals
        if is_taken or name in OWN_NAMES or hasattr(type(self), name):
            own = "a bus" if name in self.parts else "a signal" if is_taken else "in use"
            raise PortError(
                f"{self.label}.{name}",
                f"is {own} already and cannot be a {what}.",
                "Choose another name.",
                port=name,
                value=name,
            )
