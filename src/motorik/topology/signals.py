"""Signals: who gives which value, computed when it is asked for, and the states of blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from motorik.algebra.scalar import Scalar
from motorik.components.contributions import Measurement, SignalLaw
from motorik.components.ports import Port, PortKind
from motorik.errors import AssemblyError, PortError
from motorik.topology.inventory import Inventory
from motorik.topology.mechanism import State


class Signals:
    """The signals of a model: the source of each connected set, and the states of blocks.

    The states z stand one block after another, in the order of the model.
    """

    def __init__(self, stock: Inventory) -> None:
        self.stock = stock
        self.laws: list[SignalLaw] = stock.signal_laws
        self.sources: dict[Port, tuple[SignalLaw | Measurement, int]] = {}
        self.defaults: dict[Port, float] = {}
        self.states: list[State] = []
        self.places: dict[int, range] = {}
        for law in self.laws:
            self.places[id(law)] = range(
                len(self.states), len(self.states) + len(law.names)
            )
            self.states += [
                State(f"{law.part.path}.{name}", "", start)
                for name, start in zip(law.names, law.starts, strict=True)
            ]
        self._know_ports()
        for source in (*stock.signal_laws, *stock.measurements):
            for place, port in enumerate(_elements(source.outputs)):
                self._let_drive(port, source, place)
        for port in self._wanted():
            if self.stock.node(port) not in {*self.sources, *self.defaults}:
                raise PortError(
                    port.path,
                    "is a signal that nothing gives.",
                    f"Connect it, e.g. `blocks.Constant(k=1.0).y >> {port.label}`.",
                )

    def _know_ports(self) -> None:
        """Make all elements of signals known, and what unconnected ones are."""
        named = [p for ports in self.stock.ports.sets().values() for p in ports]
        given = [p for s in (*self.laws, *self.stock.measurements) for p in s.outputs]
        signals = [p for p in (*named, *given) if p.kind is PortKind.SIGNAL]
        for port in _elements(signals):
            self.stock.ports.add(port)
        for port in _elements(signals):
            if port.default is not None:
                self.defaults[self.stock.node(port)] = port.default

    def _let_drive(self, port: Port, source: SignalLaw | Measurement, place: int) -> None:
        node = self.stock.node(port)
        if node in self.sources:
            other, _ = self.sources[node]
            raise PortError(
                port.path,
                f"and {other.part.path} both give the same signal.",
                "Connect only one output to a set of inputs.",
            )
        self.sources[node] = (source, place)

    def _wanted(self) -> Iterable[Port]:
        stock = self.stock
        takers = (*stock.lines, *stock.forces, *stock.prescribed)
        ports = [port for taker in takers for port in taker.signals]
        ports += [port for law in self.laws for port in law.inputs]
        return _elements(ports)

    def knows(self, port: Port) -> bool:
        """Tell whether something gives the signal of a port."""
        nodes = [self.stock.node(element) for element in port.elements]
        return all(node in self.sources or node in self.defaults for node in nodes)

    def evaluate(self, view: Any, z: Sequence[Scalar], t: Scalar) -> SignalValues:
        """Return the values of all signals for the states z, each computed when asked for."""
        return SignalValues(self, view, t, lambda law: [z[k] for k in self.places[id(law)]])

    def rates(self, view: Any, z: Sequence[Scalar], t: Scalar) -> list[Scalar]:
        """Return dz/dt; the view tells the signals that the blocks take."""
        result: list[Scalar] = []
        for law in self.laws:
            if law.rates is not None:
                states = [z[k] for k in self.places[id(law)]]
                result += law.rates(law.p, t, Lazily(law.inputs, view.signal), states)
        return result

    def start_values(self, view: Any, t: Scalar) -> list[Scalar]:
        """Return the states at the start: as given, or as they follow from the inputs."""
        known: dict[int, list[Scalar]] = {}

        def states_of(law: SignalLaw) -> list[Scalar]:
            if id(law) not in known:
                values: Iterable[Any] = (start.value for start in law.starts)
                if law.initial is not None:
                    inputs = Lazily(law.inputs, signals.__getitem__)
                    values = law.initial(law.p, t, inputs)
                known[id(law)] = list(values)
            return known[id(law)]

        signals = SignalValues(self, view, t, states_of)
        return [value for law in self.laws for value in states_of(law)]


class Lazily(Sequence):
    """The values of ports as a sequence, each computed when it is taken.

    A block whose outputs do not depend on its inputs does not take them, and may stand in a
    loop.
    """

    def __init__(self, ports: Sequence[Port], value: Callable[[Port], Any]) -> None:
        self._ports, self._value = ports, value

    def __len__(self) -> int:
        return len(self._ports)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self._value(port) for port in self._ports[index])
        return self._value(self._ports[index])


class SignalValues:
    """The values of the signals in one situation, by port."""

    def __init__(
        self,
        signals: Signals,
        view: Any,
        t: Scalar,
        states_of: Callable[[SignalLaw], Sequence[Scalar]],
    ) -> None:
        self.signals, self.view, self.t = signals, view, t
        self._states_of = states_of
        self._known: dict[int, list[Scalar]] = {}
        self._under_way: list[SignalLaw | Measurement] = []

    def __getitem__(self, port: Port) -> Any:
        if port.size != 1:
            return tuple(self[element] for element in port.elements)
        node = self.signals.stock.node(port)
        if node not in self.signals.sources:
            if node in self.signals.defaults:
                return self.signals.defaults[node]
            raise PortError(
                port.path, "is a signal that nothing gives.", "Connect an output to it."
            )
        source, place = self.signals.sources[node]
        if id(source) not in self._known:
            self._known[id(source)] = self._outputs(source)
        return self._known[id(source)][place]

    def _outputs(self, source: SignalLaw | Measurement) -> list[Scalar]:
        if any(source is one for one in self._under_way):
            self._refuse_loop(source)
        self._under_way.append(source)
        try:
            if isinstance(source, Measurement):
                values = self._reading(source)
            else:
                inputs = Lazily(source.inputs, self.__getitem__)
                values = source.law(source.p, self.t, inputs, self._states_of(source))
        finally:
            self._under_way.pop()
        return _flat(values)

    def _reading(self, sensor: Measurement) -> Iterable[Scalar]:
        if sensor.level >= 2 and self.view.ud is None:
            raise AssemblyError(
                sensor.part.path,
                "measures what follows from accelerations, and a force or motion depends on "
                "it: they would have to be known before each other.",
                "Put a FirstOrder block between the sensor and what it acts on.",
            )
        return sensor.reading(self.view)

    def _refuse_loop(self, source: SignalLaw | Measurement) -> None:
        first = next(i for i, one in enumerate(self._under_way) if one is source)
        loop = self._under_way[first:]
        names = ", ".join(one.part.path for one in loop)
        raise AssemblyError(
            source.part.path,
            f"needs its own output: {names} form a loop without any state.",
            "Put a block with a state (Integrator, FirstOrder) into the loop.",
        )


def _elements(ports: Iterable[Port]) -> Iterator[Port]:
    for port in ports:
        yield from port.elements


def _flat(values: Iterable[Any]) -> list[Scalar]:
    """Return values of which some are vectors one after another."""
    result: list[Scalar] = []
    for value in values:
        result += value if isinstance(value, (tuple, list)) else (value,)
    return result
