"""Networks: parts written as equations, and blocks in algebraic loops, as one system.

Ports of a domain that are connected share their across quantity; their through quantities add up
to zero. At a flange or a frame of the mechanism, motion is known and the force is unknown: the
mechanism takes it as a force law. Signals that the system reads are known, signals that it gives
are unknowns. Where the system needs an acceleration, it is the value of a sensor, so that
accelerations and forces that depend on each other are solved together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any

from motorik.algebra.linear_system import solve_linear
from motorik.algebra.scalar import Scalar, is_structural, mul, neg
from motorik.components.base.contributions import (
    STATE_PRIORITIES,
    GivenFlow,
    LineForce,
    Measurement,
    PartEquations,
    SignalLaw,
)
from motorik.components.base.equation_part import (
    EquationPart,
    through_names,
    through_signals,
    unknown_specs,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import Part
from motorik.components.base.ports import Domain, Port, PortKind, SignalOutput
from motorik.components.base.values import Start
from motorik.equations.ordering import OrderedSystem, OrderedValues, start_of
from motorik.equations.system import (
    NO_VALUES,
    Atom,
    FlatEquation,
    FlatUnknown,
    ImplicitSystem,
    SampledValues,
)
from motorik.equations.template import Symbols, Template
from motorik.errors import EquationError, MissingAccelerationsError
from motorik.topology.equation_templates import (
    FRAME_QUANTITIES,
    VELOCITY,
    combined_template,
    frame_accelerations,
    frame_level,
    frame_motion,
    frame_rate,
    leaves_forces_open,
    scalar_parameters,
    template_of,
)
from motorik.topology.inventory import Inventory
from motorik.topology.network_constraints import NetworkConstraints
from motorik.topology.state_variables import StateVariableSpec

if TYPE_CHECKING:
    from motorik.topology.signals import LoopBlock, SignalValues

MECHANICAL = (PortKind.ROTATIONAL, PortKind.TRANSLATIONAL, PortKind.FRAME)
SHOWN = 6  # names that a message lists
NOTHING: Atom = (-1, 0)  # the output that is zero
RATE_UNITS = {"rad": "rad/s", "m": "m/s", "rad/s": "rad/s2", "m/s": "m/s2"}

Reader = Callable[["SignalValues", int], Scalar]
"""Returns a known quantity or a derivative of it at an instant."""


class Network:
    """The equations of a model, in order of solution, and how they are joined with the rest.

    `states` are those of its unknowns that are integrated, `measurements` the sensors of
    accelerations that it needs. `outputs` are the numbers of the unknowns that are signals, by
    node; those that act on the mechanism are in `forces`, with the equations that give them.
    """

    def __init__(self, inventory: Inventory, laws: Sequence[LoopBlock] = ()) -> None:
        self.inventory, self.laws = inventory, list(laws)
        self.system = ImplicitSystem(self._has_modes)
        self.numbers: dict[tuple[Part, str], int] = {}
        self.outputs: dict[Port, Atom] = {}
        self._shafts: dict[Port, tuple[int, list[tuple[Scalar, int]]]] = {}
        self._readers: dict[int, Reader] = {}
        self._accelerations: dict[int, SignalOutput] = {}
        self._ports: dict[int, Port] = {}
        self._frames: dict[int, tuple[Port, int]] = {}
        self._bearing: set[Part] = set()
        self._frame_rates: dict[Port, tuple[SignalOutput, ...]] = {}
        self._nodes: dict[Port, int] = {}
        self._templates: dict[Any, Template] = {}
        self.forces: dict[Port, PartEquations] = {}
        self.measurements: list[Measurement] = []
        self._add_outputs()
        for own in inventory.part_equations:
            self._add_part(own)
        for flow in inventory.given_flows:
            self._add_flow(flow)
        for law in self.laws:
            if isinstance(law, SignalLaw):
                self._add_law(law)
            else:
                self._add_rate(law)
        self._add_lines()
        self._add_balances()
        self.constraints = NetworkConstraints(self)
        self.part_equations = [
            e for e in self.system.equations if isinstance(e, FlatEquation)
        ]
        self.ordered = OrderedSystem.of(self.system, self._is_determined)
        self.guesses = {
            atom: inventory.guess(self.system.name(atom), start_of(self.system, atom))
            for block in self.ordered.blocks
            for atom in block.torn
        }
        self._measure_accelerations()

    @property
    def _has_modes(self) -> bool:
        """Whether events or truth values change parts."""
        ports = (port for own in self.inventory.part_equations for port in own.part.ports())
        return bool(self.inventory.modes) or any(p.carries == "Boolean" for p in ports)

    @property
    def _is_determined(self) -> bool:
        """Whether the same equations, with symbols for modes, are known to have solutions."""
        symbolic = self.inventory.symbolic
        known = [] if symbolic is None else symbolic.network
        return any(own is not None and not own.ordered.is_combined for own in known)

    # --- unknowns ------------------------------------------------------------------------------

    def _add_outputs(self) -> None:
        """Add the signals that parts and blocks of the network give."""
        parts = [own.part for own in self.inventory.part_equations]
        given = [p for part in parts for p in part.ports() if isinstance(p, SignalOutput)]
        given += [p for law in self.laws for p in law.outputs]
        given += [own.level for own in self.inventory.given_flows if own.level is not None]
        for port in given:
            for element in port.elements:
                self._add_output(element)

    def _add_output(self, port: Port) -> int:
        self.inventory.ports.add(port)
        node = self.inventory.node(port)
        if node not in self.outputs:
            own = FlatUnknown(port.path, part=port.owner.path, is_signal=True)
            self.outputs[node] = (self.system.add_unknown(own), 0)
        return self.outputs[node][0]

    def _signal(self, port: Port) -> int:
        """Return the number of a signal that the network reads: its own, or a known one."""
        self.inventory.ports.add(port)
        node = self.inventory.node(port)
        if node in self.outputs:
            return self.outputs[node][0]
        if node not in self._nodes:
            is_boolean = port.carries == "Boolean"
            own = FlatUnknown(
                port.path, part=port.owner.path, known=True, is_boolean=is_boolean
            )
            k = self._nodes[node] = self.system.add_unknown(own)
            self._readers[k] = _signal_reader(port)
        return self._nodes[node]

    def give_output(self, port: Port, atom: Atom) -> None:
        """Let an unknown be a signal of a part written as equations."""
        self.inventory.ports.add(port)
        node = self.inventory.node(port)
        parts = {own.part: own for own in self.inventory.part_equations}
        self.outputs[node], self.forces[node] = atom, parts[port.owner]

    def drop_output(self, port: Port) -> None:
        """Let a signal of a part be zero."""
        self.outputs[self.inventory.node(port)] = NOTHING

    def read_signal(self, port: Port) -> int:
        """Return the number of a signal from outside, which the network reads."""
        return self._signal(port)

    @cached_property
    def mechanism_flanges(self) -> dict[int, list[Port]]:
        """The flanges and frames of its parts that the mechanism moves, by their numbers."""
        found: dict[int, list[Port]] = {}
        number = {self.inventory.node(port): k for k, port in self._ports.items()}
        for own in self.inventory.part_equations:
            for port in own.part.ports():
                if port.kind in MECHANICAL and self.inventory.node(port) in number:
                    found.setdefault(number[self.inventory.node(port)], []).append(port)
        return found | {k: [port] for k, (port, _) in self._frames.items()}

    def frame_of(self, k: int) -> tuple[Port, int] | None:
        """Return the frame that a known quantity belongs to, and its place in the motion."""
        return self._frames.get(k)

    def first_of_frame(self, port: Port) -> int | None:
        """Return the number of the first quantity of the motion of a frame."""
        return next((k for k, own in self._frames.items() if own == (port, 0)), None)

    def bears_reactions(self, part: Part) -> bool:
        """Return whether the forces at the frames of a part are those of its relations."""
        return part in self._bearing

    def _add_part(self, own: PartEquations) -> None:
        part, path = own.part, own.part.path
        assert isinstance(part, EquationPart)
        names: dict[str, int] = {}
        for name, spec in unknown_specs(part):
            begin: Start = part.__dict__[name]
            assert isinstance(begin.value, float)
            names[name] = self.system.add_unknown(
                FlatUnknown(
                    f"{path}.{name}",
                    spec.unit,
                    begin.value,
                    begin.is_fixed,
                    STATE_PRIORITIES[spec.state],
                    spec.nominal,
                    steady=begin.steady,
                    part=path,
                )
            )
        given = scalar_parameters(own.p)
        if own.combine is None:
            template = template_of(part, own.p, self._templates)
        else:
            template, adopted = combined_template(own)
            given |= adopted
        if leaves_forces_open(part, template):
            self._bearing.add(part)
        for port in part.ports():
            self._add_port(own, port, names)
        for name, k in names.items():
            self.numbers[part, name] = k
        used = {n for e in _all_of(template) for n in e.parameters if n != "time"}
        values = {n: given[n] for n in sorted(used)}
        self._check_names(part, template, names)
        self.system.add_equations(path, template, names, self._values(values))

    def _values(self, scalars: dict[str, Scalar]) -> SampledValues:
        """Return parameters that may hold symbols of live ones, with numbers and samples."""
        if not scalars:
            return NO_VALUES
        given = [*scalars.values()]
        numbers = dict(zip(scalars, self.inventory.numbers(given), strict=True))
        sampled = self.inventory.sampled(given, self.system.sample_count)
        samples = dict(zip(scalars, sampled, strict=True))
        return SampledValues(scalars, numbers, samples)

    def _check_names(self, part: Part, template: Template, names: dict[str, int]) -> None:
        """Refuse equations that read a name which the part has not declared."""
        for equation in _all_of(template):
            for name, _ in equation.unknowns:
                if name not in names:
                    raise EquationError(
                        part.path,
                        f"its equations read {name!r}, which it does not have.",
                        "Declare it by unknown(…) or as a port.",
                        value=name,
                    )

    def _add_port(self, given: PartEquations, port: Port, names: dict[str, int]) -> None:
        part = given.part
        if port.kind is PortKind.SIGNAL:
            for element in port.elements:
                names[element.name] = self._signal(element)
            return
        if port.kind is PortKind.FRAME:
            for i, quantity in enumerate(FRAME_QUANTITIES):
                own = FlatUnknown(f"{port.path}.{quantity}", part=part.path, known=True)
                k = names[f"{port.name}.{quantity}"] = self.system.add_unknown(own)
                self._frames[k] = port, i
                self._readers[k] = self._frame_reader(port, i)
            if part in self._bearing:
                for signal in through_signals(port):
                    self.inventory.ports.add(signal)
                    self.drop_output(signal)
                    self.forces[self.inventory.node(signal)] = given
                return
        else:
            assert isinstance(port.kind, Domain)
            across, unit = port.kind.across
            names[f"{port.name}.{across}"] = self._node(port, across, unit)
        units = ["N"] * 3 + ["N.m"] * 3
        units = [port.kind.through[1]] if isinstance(port.kind, Domain) else units
        for name, unit in zip(through_names(port), units, strict=True):
            own = FlatUnknown(f"{part.path}.{name}", unit, part=part.path)
            names[name] = self.system.add_unknown(own)
        if port.kind in MECHANICAL:
            for signal, name in zip(
                through_signals(port), through_names(port), strict=True
            ):
                self.inventory.ports.add(signal)
                node = self.inventory.node(signal)
                self.outputs[node], self.forces[node] = (names[name], 0), given
            shaft = self.inventory.node(port)
            if shaft in self.inventory.network_shafts:
                self._act(shaft, 1.0, names[through_names(port)[0]])

    def _node(self, port: Port, across: str, unit: str) -> int:
        """Return the number of the across quantity of a set of connected ports."""
        node = self.inventory.node(port)
        if node in self.inventory.network_shafts:
            return self._on_shaft(node, unit)
        if node not in self._nodes:
            is_known = port.kind in MECHANICAL
            own = FlatUnknown(
                f"{port.path}.{across}", unit, part=port.owner.path, known=is_known
            )
            k = self._nodes[node] = self.system.add_unknown(own)
            if is_known:
                self._ports[k] = port
                self._readers[k] = self._flange_reader(port, k)
        return self._nodes[node]

    def _add_flow(self, given: GivenFlow) -> None:
        """Add a port whose through quantity is given by a signal."""
        part, port = given.part, given.port
        assert isinstance(port.kind, Domain)
        (across, unit), (through, flow_unit) = port.kind.across, port.kind.through
        own = FlatUnknown(f"{port.path}.{through}", flow_unit, part=part.path)
        names = {"x0": self.system.add_unknown(own), "x1": self._signal(given.signal)}
        self.numbers[part, f"{port.name}.{through}"] = names["x0"]
        node = self.numbers[part, f"{port.name}.{across}"] = self._node(port, across, unit)
        self.system.add_equations(part.path, self.balance_of(2), names)
        if given.level is not None:
            names = {"x0": self._add_output(given.level), "x1": node}
            self.add_sum(part.path, names, {"x1": -1.0})

    # --- shafts without inertia ----------------------------------------------------------------

    def _on_shaft(self, node: Port, unit: str) -> int:
        """Return the number of the position of a node on a shaft that belongs to the network."""
        if node not in self._nodes:
            shaft = self.inventory.network_shafts[node]
            x = self._shaft(node, unit)[0]
            self._nodes[node] = x
            if not (is_structural(shaft.factor, 1.0) and is_structural(shaft.offset, 0.0)):
                own = FlatUnknown(node.path, unit, part=node.owner.path)
                self._nodes[node] = self.system.add_unknown(own)
                names = {"x0": self._nodes[node], "x1": x}
                self.add_sum(node.path, names, {"x1": neg(shaft.factor)}, neg(shaft.offset))
        return self._nodes[node]

    def _shaft(self, node: Port, unit: str = "") -> tuple[int, list[tuple[Scalar, int]]]:
        """Return the number of the position of a shaft, and the forces on it with their factors."""
        shaft = self.inventory.network_shafts[node]
        if shaft.position not in self._shafts:
            own = FlatUnknown(shaft.position.path, unit, part=shaft.position.owner.path)
            x = self.system.add_unknown(own)
            self._shafts[shaft.position] = x, []
            for order, port in enumerate((shaft.position, shaft.speed)):
                self.inventory.ports.add(port)
                self.outputs[self.inventory.node(port)] = (x, order)
        return self._shafts[shaft.position]

    def _act(self, node: Port, sign: float, force: int) -> None:
        """Let a force act on the shaft of a node."""
        factor = mul(sign, self.inventory.network_shafts[node].factor)
        self._shaft(node)[1].append((factor, force))

    def _add_lines(self) -> None:
        """Add the force laws at shafts of the network, and the balance of forces on these."""
        shafts, inventory = self.inventory.network_shafts, self.inventory
        own = {port.owner for port in self.forces}
        for line in inventory.lines if shafts else ():
            ends = [(line.flange_a, -1.0), (line.flange_b, 1.0)]
            nodes = [None if port is None else inventory.node(port) for port, _ in ends]
            if not any(node in shafts for node in nodes) or line.flange_b.owner in own:
                continue
            force = self._add_line(line)
            for node, (_, sign) in zip(nodes, ends, strict=True):
                if node in shafts:
                    self._act(node, sign, force)
        for position, (_, forces) in self._shafts.items():
            names = {f"x{k}": number for k, (_, number) in enumerate(forces)}
            factors = {f"x{k}": factor for k, (factor, _) in enumerate(forces)}
            self.add_sum(position.path.rpartition(".")[0], names, factors)

    def _add_line(self, line: LineForce) -> int:
        """Add the equation of a force law between flanges, and return the number of its force."""
        import casadi

        path = line.flange_b.owner.path
        assert isinstance(line.flange_b.kind, Domain)
        across, unit = line.flange_b.kind.across
        names: dict[str, int] = {}
        for port, name in ((line.flange_a, "a"), (line.flange_b, "b")):
            if port is not None:
                names[name] = self._node(port, across, unit)
        signals = [port for port in line.signals for port in port.elements]
        names |= {f"u{k}": self._signal(port) for k, port in enumerate(signals)}
        own = FlatUnknown(f"{path}.{line.flange_b.kind.through[0]}", part=path)
        names["f"] = self.system.add_unknown(own)
        symbols = Symbols()
        x, v = casadi.SX(0.0), casadi.SX(0.0)
        for name, sign in (("a", -1.0), ("b", 1.0)):
            if name in names:
                x = x + sign * symbols.unknown(name)
                v = v + sign * symbols.unknown(name, 1)
        given = [symbols.unknown(f"u{k}") for k in range(len(signals))]
        residual = symbols.unknown("f") - line.law(line.p, x, v, *given)
        adopted = symbols.adopt(casadi.SX(residual))
        template = Template(symbols, [casadi.SX(residual)])
        self.system.add_equations(path, template, names, self._values(adopted))
        return names["f"]

    def add_sum(
        self,
        part: str,
        names: dict[str, int],
        factors: dict[str, Scalar],
        constant: Scalar = 0.0,
    ) -> None:
        """Add the equation Σ factor · x + constant = 0; factors are 1 where none is given."""
        import casadi

        symbols = Symbols()
        total = casadi.SX(0.0)
        for name in names:
            total = total + mul(factors.get(name, 1.0), symbols.unknown(name))
        total = casadi.SX(total + constant)
        adopted = symbols.adopt(total)
        template = Template(symbols, [total])
        self.system.add_equations(part, template, names, self._values(adopted))

    def _add_balances(self) -> None:
        """Add the equations that through quantities of connected ports add up to zero."""
        groups: dict[Port, list[int]] = {}
        ports = [p for own in self.inventory.part_equations for p in own.part.ports()]
        ports += [own.port for own in self.inventory.given_flows]
        for port in ports:
            if isinstance(port.kind, Domain) and port.kind not in MECHANICAL:
                number = self.numbers[port.owner, through_names(port)[0]]
                groups.setdefault(self.inventory.node(port), []).append(number)
        for node, members in groups.items():
            template = self.balance_of(len(members))
            names = {f"x{k}": number for k, number in enumerate(members)}
            self.system.add_equations(node.path, template, names)

    def balance_of(self, count: int) -> Template:
        """Return the template of a sum that vanishes."""
        import casadi

        known = self._templates
        if ("balance", count) not in known:
            symbols = Symbols()
            total = casadi.SX(0.0)
            for k in range(count):
                total = total + symbols.unknown(f"x{k}")
            known["balance", count] = Template(symbols, [total])
        return known["balance", count]

    # --- blocks in algebraic loops -------------------------------------------------------------

    def _add_law(self, law: SignalLaw) -> None:
        """Add the equations of a block: outputs and rates as functions of inputs and states."""
        import casadi

        symbols, names = Symbols(), {}
        inputs, k = [], 0
        for port in law.inputs:
            values = []
            for element in port.elements:
                names[f"u{k}"] = self._signal(element)
                values.append(symbols.unknown(f"u{k}"))
                k += 1
            inputs.append(values[0] if port.size == 1 else tuple(values))
        outputs = [element for port in law.outputs for element in port.elements]
        for k, element in enumerate(outputs):
            names[f"y{k}"] = self._add_output(element)
        units = law.units or ("",) * len(law.names)
        for k, (name, begin, unit) in enumerate(
            zip(law.names, law.starts, units, strict=True)
        ):
            own = FlatUnknown(
                f"{law.part.path}.{name}",
                unit,
                float(begin.value),  # type: ignore[arg-type]
                begin.is_fixed,
                steady=law.is_found and not begin.is_fixed,
                part=law.part.path,
            )
            names[f"x{k}"] = self.numbers[law.part, name] = self.system.add_unknown(own)
        states = [symbols.unknown(f"x{k}") for k in range(len(law.names))]
        found = list(law.law(law.p, symbols.time, inputs, states))
        residuals = [symbols.unknown(f"y{k}") - value for k, value in enumerate(found)]
        if law.rates is not None:
            rates = law.rates(law.p, symbols.time, inputs, states)
            residuals += [
                symbols.unknown(f"x{k}", 1) - rate for k, rate in enumerate(rates)
            ]
        adopted = symbols.adopt(casadi.SX(casadi.vertcat(*residuals)))
        template = Template(symbols, [casadi.SX(one) for one in residuals])
        self.system.add_equations(law.part.path, template, names, self._values(adopted))

    def _add_rate(self, block: Measurement) -> None:
        """Add the equations of a block whose output is the rate of its input."""
        assert block.rate_of is not None
        symbols = Symbols()
        template = Template(symbols, [symbols.unknown("y") - symbols.unknown("u", 1)])
        elements = zip(block.outputs[0].elements, block.rate_of.elements, strict=True)
        for output, signal in elements:
            names = {"y": self._add_output(output), "u": self._signal(signal)}
            self.system.add_equations(block.part.path, template, names)

    # --- motion --------------------------------------------------------------------------------

    def _flange_reader(self, port: Port, k: int) -> Reader:
        def read(values: SignalValues, order: int) -> Scalar:
            if order < 2:
                return values.motion.flange(port)[order]
            return values[self._accelerations[k]]

        return read

    def _measure_accelerations(self) -> None:
        """Add sensors of the accelerations that the equations read."""
        system = self.system
        if not (self._ports or self._frames):
            return
        needs = [(a, b.equations[0].part) for b in self.ordered.blocks for a in b.needs]
        more = (*system.start_equations, *system.quantities.values())
        needs += [(atom, equation.part) for equation in more for atom in equation.atoms]
        for node, (k, order) in self.outputs.items():
            found = None if k == NOTHING[0] else system.resolve(k, order)
            if found is not None and found[0][1] > 0:  # its speed, of a shaft
                inputs = self.ordered.inputs_of([found[0]])
                needs += [(atom, node.owner.path) for atom in inputs]
        for k, own in enumerate(system.unknowns):
            found = system.resolve(k, 0)  # an unknown may be a derivative of a known one
            needs += [(found[0], own.part)] if found is not None else []
        for (k, order), part in needs:
            port, level = self._ports.get(k), order
            if k in self._frames:
                port, i = self._frames[k]
                level = frame_level(i, order)
            if port is None or level < 2:
                continue
            if level > 2:
                raise EquationError(
                    part,
                    f"its equations need the rate of the acceleration of {port.path}.",
                    "Put a spring or an inertia between it and the mechanism.",
                    port=port.name,
                )
            if k in self._frames:
                self._measure_frame(port)
            elif k not in self._accelerations:
                reading = _acceleration_of(port)
                self._accelerations[k] = self._measured(port, ("acceleration",), reading)[0]

    def _measure_frame(self, port: Port) -> None:
        """Add a sensor of the acceleration of a frame."""
        if port not in self._frame_rates:
            names = [f"der({name})" for name in FRAME_QUANTITIES[VELOCITY[0] :]]
            reading = _frame_acceleration_of(port)
            self._frame_rates[port] = self._measured(port, names, reading)

    def _measured(
        self,
        port: Port,
        names: Sequence[str],
        reading: Callable[[Motion], tuple[Scalar, ...]],
    ) -> tuple[SignalOutput, ...]:
        """Return the signals of a new sensor of accelerations."""
        signals = tuple(SignalOutput(port.owner, f"{port.name}.{name}") for name in names)
        for signal in signals:
            self.inventory.ports.add(signal)
        self.measurements.append(Measurement(port.owner, signals, reading, 2))
        return signals

    def _frame_reader(self, port: Port, i: int) -> Reader:
        def read(values: SignalValues, order: int) -> Scalar:
            def rates() -> list[Scalar]:
                return [values[signal] for signal in self._frame_rates[port]]

            if order == 0:
                return frame_motion(values.motion, port)[i]
            return frame_rate(values.motion, port, i, order, rates)

        return read

    # --- states --------------------------------------------------------------------------------

    @cached_property
    def states(self) -> list[StateVariableSpec]:
        """The states with names, units and start values."""
        found: list[StateVariableSpec] = []
        for atom in self.ordered.states:
            fixed = self._fixed(atom)
            value = start_of(self.system, atom)
            start = Start(value, bool(fixed), given=bool(fixed))
            name, unit = self.system.name(atom), self._unit(atom)
            found.append(StateVariableSpec(name, unit, start, self._nominal(atom)))
        return found

    def start_at(self, signals: Sequence[Port], x: float) -> None:
        """Let the unknowns that give these signals start at x, if they have no start value."""
        for port in signals:
            k, order = self.outputs.get(self.inventory.node(port), NOTHING)
            found = None if k == NOTHING[0] else self.system.resolve(k, order)
            if found is None or start_of(self.system, found[0]) != 0.0:
                continue
            own = self.system.unknowns[k]
            if not own.fixed and x != 0.0:
                self.system.unknowns[k] = replace(own, start=x)
                self.__dict__.pop("states", None)

    def _nominal(self, atom: Atom) -> float:
        """Return the usual size of an atom, as one of the unknowns that it is declares it."""
        same = (k for k, shift, _ in self.system.aliases[atom[0]] if shift == atom[1])
        sizes = (self.system.unknowns[k].nominal for k in same)
        return next((size for size in sizes if size != 1.0), 1.0)

    def _unit(self, atom: Atom) -> str:
        unit = ""
        for other, shift, _ in self.system.aliases[atom[0]]:
            own = self.system.unknowns[other].unit
            if shift == atom[1] and own:
                return own
            if shift == atom[1] - 1 and own:
                unit = RATE_UNITS.get(own, f"{own}/s")
        return unit

    def _fixed(self, atom: Atom) -> list[tuple[str, float]]:
        """Return the unknowns with fixed start values that an atom is, and these values."""
        found: list[tuple[str, float]] = []
        for other, shift, sign in self.system.aliases[atom[0]]:
            own = self.system.unknowns[other]
            if own.fixed and shift == atom[1]:
                found.append((own.name, sign * own.start))
        for (one, a), (other, b) in pairwise(found):
            if a != b:
                raise EquationError(
                    one,
                    f"starts at {a:g}, and {other}, which is the same, at {b:g} (both with the "
                    "sign of the first).",
                    "Fix one of them only.",
                    value=a,
                )
        return found

    @cached_property
    def conditions(self) -> list[tuple[str, Callable[[OrderedValues], Scalar]]]:
        """The conditions at the start besides fixed states: names and residuals."""
        system, found = self.system, []
        states = set(self.ordered.states)
        for k, own in enumerate(system.unknowns):
            atom = system.resolve(k, 0)
            if atom is None:
                continue
            if own.steady:
                found.append((f"der({own.name})", _reading((atom[0][0], atom[0][1] + 1))))
            elif own.fixed and atom[0] not in states:
                if self.ordered.is_input(atom[0]):
                    continue
                found.append((own.name, _difference(atom[0], atom[1] * own.start)))
        for equation in (*system.start_equations, *self.ordered.invariants):
            found.append((equation.part, equation.residual))
        return found

    @cached_property
    def found(self) -> list[int]:
        """The states that are found from the conditions: all that are not fixed."""
        if not self.conditions:
            return []
        free = [k for k, own in enumerate(self.states) if not own.start.is_fixed]
        others_may_move = bool(self._readers)  # what moves the mechanism may follow as well
        needed = len(self.conditions) - len(self.ordered.invariants)
        if needed > len(free) and not others_may_move:
            names = [name for name, _ in self.conditions]
            one = len(names) == 1
            raise EquationError(
                ", ".join(names[:SHOWN]),
                f"there {'is' if one else 'are'} {len(names)} condition{'' if one else 's'} at the "
                f"start, for {len(free)} states without fixed start values: its equations, or "
                "other start values, determine it already.",
                "Leave out some of the conditions, or give start values by guess(…).",
                value=tuple(names),
            )
        return free

    # --- values --------------------------------------------------------------------------------

    @cached_property
    def searched(self) -> list[str]:
        """The names of unknowns that Newton's method finds, one for each block of equations."""
        return self._one_of_each(block.torn for block in self.ordered.blocks)

    @cached_property
    def losable(self) -> dict[str, str]:
        """The names of unknowns that linear equations do not give in some modes, one of each.

        With each of them, as text, what its equations read.
        """
        found: dict[str, str] = {}
        for block in self.ordered.blocks:
            if block.may_be_lost:
                read = dict.fromkeys(self.system.name((k, 0)) for k, _ in block.needs)
                for name in self._one_of_each([block.unknowns]):
                    found[name] = ", ".join([*read][:SHOWN])
        return found

    def _one_of_each(self, groups: Iterable[Sequence[Atom]]) -> list[str]:
        """Return the name of one unknown of a part of each group of atoms."""
        named = {
            self.system.resolve(*at): port.path
            for port, at in self.outputs.items()
            if at[0] != NOTHING[0]
        }
        named |= {
            self.system.resolve(k, 0): f"{part.path}.{name}"
            for (part, name), k in self.numbers.items()
        }
        known = {found[0]: own for found, own in named.items() if found is not None}
        found: list[str] = []
        for group in groups:
            found += [known[atom] for atom in group if atom in known][:1]
        return found

    def inputs_of(self, node: Port) -> list[Port]:
        """Return the signals that an output depends on without a state between."""
        k, order = self.outputs[node]
        atom = None if k == NOTHING[0] else self.system.resolve(k, order)
        if atom is None:
            return []
        known = {k: port for port, k in self._nodes.items()}
        read = (k for k, _ in self.ordered.inputs_of([atom[0]]))
        return [known[k] for k in read if k in known and known[k].kind is PortKind.SIGNAL]

    def at(self, values: SignalValues, z: Sequence[Scalar]) -> NetworkValues:
        """Return the values of all unknowns at an instant, each computed on demand."""
        return NetworkValues(self, values, z)

    def projected(
        self, z: Sequence[Scalar], motion_of: Callable[[Sequence[Scalar]], Any]
    ) -> list[Scalar]:
        """Return the block states z with the invariants satisfied, by one step of Newton's method.

        Of all steps that do so it is the shortest, in units of the usual sizes.
        """
        import casadi

        first = len(z) - len(self.ordered.states)
        y = casadi.SX.sym("z", len(self.ordered.states))
        symbols = casadi.vertsplit(y)
        values = motion_of([*z[:first], *symbols]).network_point()
        g = casadi.SX(
            casadi.vertcat(*(e.residual(values) for e in self.ordered.invariants))
        )
        sizes = [self.system.unknowns[k].nominal for k, _ in self.ordered.states]
        J = casadi.jacobian(g, y) @ casadi.diag(casadi.DM(sizes))
        A = casadi.densify(J @ J.T)
        n = g.numel()
        rows = [[A[i, j] for j in range(n)] for i in range(n)]
        share = solve_linear(rows, casadi.vertsplit(casadi.densify(g)))
        step = casadi.diag(casadi.DM(sizes)) @ J.T @ casadi.vertcat(*share)
        moved = casadi.SX(casadi.vertcat(*z[first:]))
        found = casadi.substitute(casadi.SX(y - step), y, moved)
        return [*z[:first], *casadi.vertsplit(casadi.densify(found))]

    def read_input(self, values: SignalValues, atom: Atom) -> Scalar:
        """Return a known quantity."""
        return self._readers[atom[0]](values, atom[1])


class NetworkValues:
    """The unknowns of a network at one instant."""

    def __init__(self, network: Network, values: SignalValues, z: Sequence[Scalar]) -> None:
        self.network = network
        self.values = OrderedValues(
            network.ordered,
            z,
            values.t,
            lambda atom: network.read_input(values, atom),
            network.guesses.__getitem__,
        )

    def searched(self) -> dict[str, Scalar]:
        """Return the unknowns that Newton's method finds, by name: the next guesses."""
        name = self.network.system.name
        return {name(atom): self.values.read(atom) for atom in self.network.guesses}

    def searched_far(self) -> dict[str, float]:
        """Return all unknowns of nonlinear equations, by name, where the guesses are far off.

        Everything must be numbers. There is none of what depends on accelerations, or without a
        solution.
        """
        point, name = self.values, self.network.system.name
        point.searches = True
        found: dict[str, float] = {}
        for block in self.network.ordered.blocks:
            if block.nonlinear:
                with suppress(MissingAccelerationsError):
                    found |= {
                        name(atom): float(point.read(atom)) for atom in block.unknowns
                    }
        return {own: value for own, value in found.items() if isfinite(value)}

    def unknown(self, part: Part, name: str) -> Scalar:
        """Return an unknown of a part or of one of its ports."""
        return self._read(self.network.numbers[part, name], 0)

    def quantity(self, part: Part, name: str) -> Scalar:
        """Return a quantity of a part that follows from its unknowns."""
        return self.network.system.quantities[part.path, name].residual(self.values)

    def output(self, node: Port) -> Scalar:
        """Return a signal."""
        return self._read(*self.network.outputs[node])

    def _read(self, k: int, order: int) -> Scalar:
        found = None if k == NOTHING[0] else self.network.system.resolve(k, order)
        if found is None:
            return 0.0
        atom, sign = found
        value = self.values.read(atom)
        return value if sign == 1.0 else -value

    def rates(self) -> list[Scalar]:
        """Return the rates of the states."""
        return self.values.rates()

    def start_residual(self) -> list[Scalar]:
        """Return the residuals of the conditions at the start."""
        return [residual(self.values) for _, residual in self.network.conditions]


def _all_of(template: Template) -> Iterable[Any]:
    yield from template.equations
    yield from template.start_equations
    yield from template.quantities.values()


def _signal_reader(port: Port) -> Reader:
    def read(values: SignalValues, order: int) -> Scalar:
        if order == 0:
            return values[port]
        if order == 1:
            return values.motion.signal_rate(port)
        raise EquationError(
            port.path,
            "its second derivative is needed by the equations that read it.",
            "Put a filter of second order before it.",
            port=port.name,
        )

    return read


def _frame_acceleration_of(port: Port) -> Callable[[Motion], tuple[Scalar, ...]]:
    return lambda motion: frame_accelerations(motion, port)


def _acceleration_of(port: Port) -> Callable[[Motion], tuple[Scalar, ...]]:
    return lambda motion: (motion.flange_acceleration(port),)


def _reading(atom: Atom) -> Callable[[Any], Scalar]:
    return lambda values: values.read(atom)


def _difference(atom: Atom, value: float) -> Callable[[Any], Scalar]:
    return lambda values: values.read(atom) - value


def find_network(
    inventory: Inventory, loops: Callable[[Network | None], list[LoopBlock]]
) -> Network | None:
    """Return the network of a model, None without one.

    `loops(network)` are the blocks in algebraic loops, of which some may go through the network:
    they become equations of it.
    """
    laws: list[LoopBlock] = []
    is_there = inventory.part_equations or inventory.given_flows
    network = Network(inventory) if is_there else None
    while True:
        new = [law for law in loops(network) if all(law is not own for own in laws)]
        if not new:
            return network
        laws += new
        network = Network(inventory, laws)
