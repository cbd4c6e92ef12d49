"""Signals: the source of each value, computed on demand, and the states of blocks."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, overload

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import (
    GivenFlow,
    Measurement,
    PartEquations,
    SignalLaw,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, PortKind, SignalInput, SignalOutput
from motorik.components.base.user_law import UserLaw, several_scalars
from motorik.errors import (
    AssemblyError,
    MissingAccelerationsError,
    PortError,
    UnknownNameError,
    suggest,
)
from motorik.topology.inventory import Inventory
from motorik.topology.state_variables import StateVariableSpec

if TYPE_CHECKING:
    from motorik.topology.networks import Network, NetworkValues

Source = SignalLaw | Measurement | PartEquations | GivenFlow
"""A contribution that gives signals."""

LoopBlock = SignalLaw | Measurement
"""A block that may be in an algebraic loop; a measurement is the rate of a signal."""

Value = Scalar | tuple[Scalar, ...]
"""The value of a signal: a scalar, or one for each of its elements."""


class Signals:
    """The signals of a model: the source of each connected set, and the states of blocks.

    The states z stand one block after another, in the order of the model.
    """

    def __init__(self, inventory: Inventory) -> None:
        self.inventory = inventory
        self.network: Network | None = None
        self.laws: list[SignalLaw] = inventory.signal_laws
        self.sources: dict[Port, tuple[Source, int]] = {}
        self.defaults: dict[Port, float] = {}
        self.states: list[StateVariableSpec] = []
        self.places: dict[int, range] = {}
        # readings that forces need before accelerations are known, with their unknowns
        self.unknowns: dict[int, tuple[Measurement, list[Scalar]]] = {}
        self._know_ports()
        for source in (*inventory.signal_laws, *inventory.measurements):
            for place, port in enumerate(_elements(source.outputs)):
                self._let_drive(port, source, place)
        self._find_network()
        for law in self.laws:
            self.places[id(law)] = range(
                len(self.states), len(self.states) + len(law.names)
            )
            units = law.units or ("",) * len(law.names)
            self.states += [
                StateVariableSpec(f"{law.part.path}.{name}", unit, start)
                for name, unit, start in zip(law.names, units, law.starts, strict=True)
            ]
        self.first_of_network = len(self.states)
        if self.network is not None:
            self.states += self.network.states
        for port in self._wanted():
            node = self.inventory.node(port)
            if node not in self.sources and node not in self.defaults:
                raise PortError(
                    port.path,
                    "is a signal without a source.",
                    f"Connect it, e.g. `blocks.Constant(k=1.0).y >> {port.label}`.",
                    port=port.name,
                    value=port,
                )

    def _know_ports(self) -> None:
        """Register all elements of signals, and the values of unconnected ones."""
        named = [p for ports in self.inventory.ports.sets().values() for p in ports]
        given = [p for s in (*self.laws, *self.inventory.measurements) for p in s.outputs]
        signals = [p for p in (*named, *given) if p.kind is PortKind.SIGNAL]
        for port in _elements(signals):
            self.inventory.ports.add(port)
        for port in _elements(signals):
            if port.default is not None:
                self.defaults[self.inventory.node(port)] = port.default

    def _let_drive(self, port: Port, source: Source, place: int) -> None:
        node = self.inventory.node(port)
        if node in self.sources:
            other, _ = self.sources[node]
            raise PortError(
                port.path,
                f"and {other.part.path} both are sources of the same signal.",
                "Connect only one output to a set of inputs.",
                port=port.name,
                value=other.part,
            )
        if port.default is not None:
            raise PortError(
                port.path,
                f"is an output, to which the number {port.default:g} was connected.",
                "Connect numbers to inputs.",
                port=port.name,
                value=port.default,
            )
        self.sources[node] = (source, place)

    def _find_network(self) -> None:
        """Find the equations of parts, and the blocks in algebraic loops, which join them."""
        inventory = self.inventory
        is_there = inventory.part_equations or inventory.given_flows
        if not is_there and not self._ringed():
            return
        if not inventory.network:
            from motorik.topology.networks import find_network

            for own in inventory.part_equations:
                for port in own.part.ports():
                    if isinstance(port, SignalOutput):
                        for element in port.elements:
                            self._let_drive(element, own, 0)
            network = find_network(inventory, self._looped)
            inventory.network.append(network)
            inventory.measurements += [] if network is None else network.measurements
        (self.network,) = inventory.network
        if self.network is None:
            return
        for own in inventory.part_equations:
            for port in own.part.ports():
                if isinstance(port, SignalOutput):
                    for element in port.elements:
                        self.sources[self.inventory.node(element)] = (own, 0)
        for own in inventory.given_flows:
            if own.level is not None:
                self.sources[inventory.node(own.level)] = (own, 0)
        for node, own in self.network.forces.items():
            self.sources[node] = (own, 0)
        for sensor in self.network.measurements:
            for place, port in enumerate(sensor.outputs):
                self.sources[inventory.node(port)] = (sensor, place)
        absorbed = {law.outputs for law in self.network.laws}
        self.laws = [law for law in self.laws if law.outputs not in absorbed]

    @property
    def _loop_blocks(self) -> list[LoopBlock]:
        """The blocks, and those that give the rate of their input."""
        rates = (own for own in self.inventory.measurements if own.rate_of is not None)
        return [*self.laws, *rates]

    def _looped(self, network: Network | None) -> list[LoopBlock]:
        """Return the blocks in algebraic loops, also in those through a network.

        There are two nodes for each: for what its output needs, and for what its rate needs.
        """
        from motorik.equations.structure import strong_components

        own = {} if network is None else {id(law) for law in network.laws}
        left = [law for law in self._loop_blocks if id(law) not in own]
        number, n = {id(law): k for k, law in enumerate(left)}, len(left)
        outputs = [] if network is None else list(network.outputs)
        place = {node: 2 * n + k for k, node in enumerate(outputs)}

        def sources_of(ports: Iterable[Port], first: int = 0) -> list[int]:
            found: list[int] = []
            for port in _elements(ports):
                node = self.inventory.node(port)
                source = self.sources.get(node, (None, 0))[0]
                if node in place:
                    found.append(place[node])
                elif id(source) in number:
                    found.append(first + number[id(source)])
            return found

        taken = [_taken(law) for law in left]
        is_rate = [isinstance(law, Measurement) for law in left]
        needs = [
            sources_of(ports, n if rate else 0)
            for ports, rate in zip(taken, is_rate, strict=True)
        ]
        for law, ports in zip(left, taken, strict=True):  # of their rates
            moved = isinstance(law, SignalLaw) and law.rates is not None
            needs.append(
                sources_of(ports, n) + sources_of(_inputs_of(law) if moved else ())
            )
        if network is not None:
            needs += [sources_of(network.inputs_of(node)) for node in outputs]
        found: dict[int, LoopBlock] = {}
        for members in strong_components(needs):
            if len(members) > 1 or members[0] in needs[members[0]]:
                found |= {k % n: left[k % n] for k in members if k < 2 * n}
        return [*found.values()]

    def _ringed(self) -> dict[int, LoopBlock]:
        """Return the blocks on cycles of connections, and those between them."""
        left = {id(law): law for law in self._loop_blocks}
        before = {
            k: [id(b) for b in self._before(_inputs_of(law), left)]
            for k, law in left.items()
        }
        behind: dict[int, list[int]] = {key: [] for key in left}
        for key, sources in before.items():
            for source in sources:
                behind[source].append(key)
        for one, other in ((before, behind), (behind, before)):
            count = {key: sum(k in left for k in one[key]) for key in left}
            ends = [key for key in left if not count[key]]
            while ends:  # nothing leads on from an end, so no ring goes through it
                end = ends.pop()
                del left[end]
                for key in other[end]:
                    if key in left:
                        count[key] -= 1
                        if not count[key]:
                            ends.append(key)
        return left

    def _before(
        self, inputs: Sequence[Port], among: Mapping[int, LoopBlock]
    ) -> list[LoopBlock]:
        """Return the blocks that give these inputs."""
        nodes = (self.inventory.node(port) for port in _elements(inputs))
        sources = (self.sources[node][0] for node in nodes if node in self.sources)
        return [among[id(source)] for source in sources if id(source) in among]

    def _wanted(self) -> Iterable[Port]:
        inventory = self.inventory
        takers = (*inventory.lines, *inventory.forces, *inventory.prescribed)
        ports = [port for taker in takers for port in taker.signals]
        ports += [port for law in self.laws for port in law.inputs]
        ports += [own.rate_of for own in inventory.measurements if own.rate_of is not None]
        readers = (own.part for own in (*inventory.part_equations, *inventory.delays))
        ports += [p for own in readers for p in own.ports() if isinstance(p, SignalInput)]
        return _elements(ports)

    def place_of(self, part: Part, name: str) -> int:
        """Return the place of a state of a part in z."""
        for law in self.laws:
            if law.part is part and name in law.names:
                return self.places[id(law)][law.names.index(name)]
        known = [name for law in self.laws if law.part is part for name in law.names]
        raise UnknownNameError(
            part.path, f"has no state {name!r}.", suggest(name, known), value=name
        )

    def knows(self, port: Port) -> bool:
        """Return whether the signal of a port has a source."""
        nodes = [self.inventory.node(element) for element in port.elements]
        return all(node in self.sources or node in self.defaults for node in nodes)

    def evaluate(
        self,
        motion: Motion,
        z: Sequence[Scalar],
        t: Scalar,
        readings: Readings | None = None,
    ) -> SignalValues:
        """Return the values of all signals for the states z, each computed on demand.

        `readings` gives the values of sensors that are tearing variables.
        """

        def states_of(law: SignalLaw) -> Sequence[Scalar]:
            return [z[k] for k in self.places[id(law)]]

        return SignalValues(self, motion, t, states_of, readings, z)

    def rates(self, motion: Motion, z: Sequence[Scalar], t: Scalar) -> list[Scalar]:
        """Return dz/dt; the motion gives the inputs of the blocks."""
        result: list[Scalar] = []
        for law in self.laws:
            if law.rates is not None:
                states = [z[k] for k in self.places[id(law)]]
                inputs = Lazily(law.inputs, motion.signal)
                rates = _checked(law, "rates", law.rates, len(law.names))
                result += rates(law.p, t, inputs, states)
        if self.network is not None:
            result += motion.network_rates()
        return result

    @property
    def found_states(self) -> list[int]:
        """The places in z of the states that are found at the start, not given."""
        found = [k for law in self.laws if law.is_found for k in self.places[id(law)]]
        if self.network is not None:
            found += [self.first_of_network + k for k in self.network.found]
        return found

    @property
    def n_network_conditions(self) -> int:
        """The number of conditions of the network at the start, the last of `start_residual`."""
        return 0 if self.network is None else len(self.network.conditions)

    @property
    def is_found_by_rest(self) -> bool:
        """Whether states are found where residuals vanish, not as functions of inputs."""
        has_network = self.network is not None and bool(self.network.found)
        return has_network or any(
            law.is_steady and law.initial is None for law in self.laws
        )

    def start_values(self, motion: Motion, z: Sequence[Scalar], t: Scalar) -> list[Scalar]:
        """Return the states at the start: given ones, or those in equilibrium with the inputs."""
        known: dict[int, list[Scalar]] = {}

        def states_of(law: SignalLaw) -> list[Scalar]:
            if id(law) not in known:
                values: Iterable[Scalar] = (z[k] for k in self.places[id(law)])
                if law.initial is not None:
                    inputs = Lazily(law.inputs, signals.__getitem__)
                    initial = _checked(law, "initial", law.initial, len(law.names))
                    values = initial(law.p, t, inputs)
                known[id(law)] = list(values)
            return known[id(law)]

        signals = SignalValues(self, motion, t, states_of, None, z)
        own = [value for law in self.laws for value in states_of(law)]
        return [*own, *z[self.first_of_network :]]

    def start_residual(
        self, motion: Motion, z: Sequence[Scalar], t: Scalar
    ) -> list[Scalar]:
        """Return the residual at the start, for each state that is found there.

        It is the difference from the value that follows from the inputs, or the rate.
        """
        residual: list[Scalar] = []
        for law in self.laws:
            if not law.is_found:
                continue
            states = [z[k] for k in self.places[id(law)]]
            inputs = Lazily(law.inputs, motion.signal)
            if law.initial is not None:
                initial = _checked(law, "initial", law.initial, len(law.names))
                found = initial(law.p, t, inputs)
                residual += [x - y for x, y in zip(states, found, strict=True)]
            elif law.rates is not None:
                rates = _checked(law, "rates", law.rates, len(law.names))
                residual += rates(law.p, t, inputs, states)
        if self.network is not None:
            residual += motion.network_start_residual()
        return residual


class Lazily(Sequence[Value]):
    """The values of ports as a sequence, each computed on demand.

    A block without direct feedthrough does not read its inputs and may be in a loop.
    """

    def __init__(self, ports: Sequence[Port], value: Callable[[Port], Value]) -> None:
        self._ports, self._value = ports, value

    def __len__(self) -> int:
        return len(self._ports)

    @overload
    def __getitem__(self, index: int) -> Value: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Value, ...]: ...

    def __getitem__(self, index: int | slice) -> Value | tuple[Value, ...]:
        if isinstance(index, slice):
            return tuple(self._value(port) for port in self._ports[index])
        return self._value(self._ports[index])


class Readings(Protocol):
    """Values of sensors in an algebraic loop."""

    def reading(
        self, sensor: Measurement, count: int, read: Callable[[], list[Scalar]]
    ) -> list[Scalar]:
        """Return the outputs of a sensor; `read` computes them from the motion."""
        ...


class SignalValues:
    """The values of the signals at one instant, by port."""

    def __init__(
        self,
        signals: Signals,
        motion: Motion,
        t: Scalar,
        states_of: Callable[[SignalLaw], Sequence[Scalar]],
        readings: Readings | None = None,
        z: Sequence[Scalar] = (),
    ) -> None:
        self.signals, self.motion, self.t = signals, motion, t
        self.all_states = z
        self._states_of, self._readings = states_of, readings
        self.known: dict[int, list[Scalar]] = {}
        self._under_way: dict[int, SignalLaw | Measurement] = {}

    def __getitem__(self, port: Port) -> Value:
        if port.size != 1:
            return tuple(self[element] for element in port.elements)
        node = self.signals.inventory.node(port)
        network = self.signals.network
        if network is not None and node in network.outputs:
            return self.network_values.output(node)
        if node not in self.signals.sources:
            if node in self.signals.defaults:
                return self.signals.defaults[node]
            raise PortError(
                port.path,
                "is a signal without a source.",
                "Connect an output to it.",
                port=port.name,
                value=port,
            )
        source, place = self.signals.sources[node]
        assert isinstance(source, (SignalLaw, Measurement))
        if id(source) not in self.known:
            self.known[id(source)] = self._outputs(source)
        return self.known[id(source)][place]

    @cached_property
    def network_values(self) -> NetworkValues:
        """The unknowns of the network; there must be one."""
        network = self.signals.network
        assert network is not None
        return network.at(self, self.all_states[self.signals.first_of_network :])

    def _outputs(self, source: SignalLaw | Measurement) -> list[Scalar]:
        if id(source) in self._under_way:
            refuse_loop(source, [*self._under_way.values()])
        self._under_way[id(source)] = source
        try:
            if isinstance(source, Measurement):
                values = self._reading_or_unknown(source)
            else:
                inputs = Lazily(source.inputs, self.__getitem__)
                law = _checked(source, "law", source.law, _count(source))
                values = law(source.p, self.t, inputs, self._states_of(source))
        finally:
            self._under_way.popitem()
        return values

    def _reading_or_unknown(self, sensor: Measurement) -> list[Scalar]:
        if self._readings is None:
            return self._reading(sensor)
        return self._readings.reading(sensor, _count(sensor), lambda: self._reading(sensor))

    def _reading(self, sensor: Measurement) -> list[Scalar]:
        if sensor.level >= 2 and self.motion.ud is None:
            raise MissingAccelerationsError(
                sensor.part.path,
                "measures what follows from accelerations, and a motion depends on it: they "
                "would have to be known before each other.",
                "Put a FirstOrder block between the sensor and what it acts on.",
            )
        part, count = sensor.part.path, several_scalars(_count(sensor))
        return UserLaw(part, "reading", sensor.reading, ("motion",), count)(self.motion)


def refuse_loop(
    source: SignalLaw | Measurement, way: Sequence[SignalLaw | Measurement]
) -> None:
    """Raise an error that names the blocks of an algebraic loop."""
    first = next(i for i, one in enumerate(way) if one is source)
    names = [one.part.path for one in way[first:]]
    form = "form" if len(names) > 1 else "forms"
    raise AssemblyError(
        source.part.path,
        f"needs its own output: {', '.join(names)} {form} an algebraic loop.",
        "Put a block with a state (Integrator, FirstOrder) into the loop.",
    )


def _inputs_of(law: LoopBlock) -> tuple[Port, ...]:
    """Return the inputs of a block."""
    if isinstance(law, SignalLaw):
        return law.inputs
    return () if law.rate_of is None else (law.rate_of,)


def _taken(law: LoopBlock) -> list[Port]:
    """Return the inputs with direct feedthrough to the outputs of a block."""
    if isinstance(law, Measurement):
        return [*_elements(_inputs_of(law))]
    found: list[Port] = []

    def note(port: Port) -> Value:
        found.extend(port.elements)
        return 0.5 if port.size == 1 else (0.5,) * port.size

    # a law that fails on these numbers is refused where it is traced
    with contextlib.suppress(Exception):
        law.law(law.p, 0.5, Lazily(law.inputs, note), [start.value for start in law.starts])
    return found


def _elements(ports: Iterable[Port]) -> Iterator[Port]:
    for port in ports:
        yield from port.elements


def _count(source: SignalLaw | Measurement) -> int:
    return sum(port.size for port in source.outputs)


def _checked(
    law: SignalLaw, name: str, function: Callable[..., tuple[Scalar, ...]], count: int
) -> UserLaw:
    """Return a function of a block that is checked when called."""
    arguments = ("p", "t", "inputs", "states")[: 3 if name == "initial" else 4]
    return UserLaw(law.part.path, name, function, arguments, several_scalars(count))
