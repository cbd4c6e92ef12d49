"""Constraints of the mechanism that parts written as equations state.

An equation such as φ_b = f(φ_a) relates motions that the mechanism gives: no unknown of the
network is left to be found by it. It becomes a constraint g = 0 of the mechanism, whose multiplier
takes the place of the force that the equations leave open. The mechanism reduces its index, keeps
its states on the constraint and starts there.

The constraint force on the parts at a node is c = −λ ∂g/∂x. As many of the forces T that the
equations leave open as there are constraints are set to c; the others follow from the equations of
the parts. A gear without losses has T = c everywhere. Where T differs from c, as with losses, the
rest T − c is a force law on the mechanism that depends on constraint forces: an algebraic loop,
solved together with the accelerations. A motion of a single flange is prescribed.

An equation such as |r_b − r_a| = L relates frames. A part that states such ones says nothing of
the forces there: they are those of the constraint, F = −λ ∂g/∂V, and do no work. The
rows of all its relations are one constraint. A row is divided by the size of its own gradient,
so that it is a distance, or an angle, however the equation is written. Where the relations
hold for the frames moved as one body too, they are those of frames seen from the last link
that both are on, else those seen from the world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, add, is_structural, mul, neg
from motorik.components.base.contributions import (
    ConstraintBetween,
    Coupling,
    Measurement,
    Prescribed,
)
from motorik.components.base.equation_part import through_names, through_signals
from motorik.components.base.ports import Port, PortKind, SignalOutput, TranslationalFlange
from motorik.elements.constraint import Constraint
from motorik.equations.ordering import OrderedValues, start_of
from motorik.equations.structure import augment, maximum_matching
from motorik.equations.system import AnyEquation, Atom, CombinedEquation, FlatUnknown
from motorik.errors import EquationError
from motorik.numerics.tolerances import SAME_FORCE
from motorik.topology.equation_templates import frame_level
from motorik.topology.frame_relations import FrameRelations, frame_value

if TYPE_CHECKING:
    import casadi

    from motorik.components.base.motion import Motion
    from motorik.components.base.part import Part
    from motorik.components.base.resolving import Values
    from motorik.topology.inventory import Inventory
    from motorik.topology.networks import Network

TRIALS = 5  # random points at which forces are compared
TIME: Atom = (-2, 0)  # the time among the quantities of a constraint
UNITS = {PortKind.ROTATIONAL: "rad", PortKind.TRANSLATIONAL: "m"}


@dataclass(eq=False)
class ConstrainedNode:
    """Connected flanges whose motion constraints relate, or a frame.

    `position` is the number of their position, of a frame the first of those of its motion.
    `ports` are those of the parts that state the constraints, `reaction` is the number of
    the constraint force c on these, `rest` that of the force T − c that acts besides.
    """

    position: int
    ports: list[Port]
    reaction: int = -1
    rest: int = -1
    signal: SignalOutput | None = None

    @property
    def port(self) -> Port:
        """The flange that stands for all."""
        return self.ports[0]

    @property
    def is_frame(self) -> bool:
        """Whether it is a frame; its forces are those of constraints alone."""
        return self.port.kind is PortKind.FRAME


@dataclass(eq=False)
class NetworkConstraint:
    """An equation g = 0 of the motions of flanges and frames; g is the unknown `violation`.

    `given` are the signals, states and time that it depends on besides, each the position of a
    flange of its own whose motion is prescribed. `number` is its place in the contribution.
    """

    equation: AnyEquation
    violation: int
    nodes: list[ConstrainedNode]
    given: dict[Atom, Port] = field(default_factory=dict)
    contribution: Constraint | None = None
    number: int = 0

    @property
    def relates_frames(self) -> bool:
        """Whether it relates frames."""
        return any(node.is_frame for node in self.nodes)


@dataclass
class PrescribedFlange:
    """A flange whose motion follows from equations, time and signals: an unknown of these."""

    node: ConstrainedNode
    position: SignalOutput


@dataclass
class _Surplus:
    """An equation without an unknown, and the equations that determine the same ones."""

    equation: AnyEquation
    nodes: list[ConstrainedNode] = field(default_factory=list)


class NetworkConstraints:
    """The constraints of a network, found before its equations are ordered."""

    def __init__(self, network: Network) -> None:
        self.network, self.system = network, network.system
        self.constraints: list[NetworkConstraint] = []
        self.prescribed: list[PrescribedFlange] = []
        self.nodes: list[ConstrainedNode] = []
        self._is_joined = False
        if network.mechanism_flanges:
            self.system.unite()
            surplus = self._surplus()
            if surplus:
                self._turn(surplus)

    # --- finding them --------------------------------------------------------------------------

    def _matched(self) -> tuple[list[list[int]], list[int], list[int], list[int]]:
        """Return the unknowns of each equation by place, these unknowns, and a matching."""
        roots = self.system.roots
        number = {root: j for j, root in enumerate(roots)}
        edges = [
            list(dict.fromkeys(number[k] for k, _ in e.atoms if k in number))
            for e in self.system.equations
        ]
        return edges, roots, *maximum_matching(edges, len(roots))

    def _surplus(self) -> list[_Surplus]:
        """Return the equations that are left without an unknown and relate flanges."""
        edges, _, unknown_of, equation_of = self._matched()
        found: list[_Surplus] = []
        for i, j in enumerate(unknown_of):
            if j >= 0:
                continue
            reached, _ = augment(i, edges.__getitem__, unknown_of, equation_of)
            equations = [self.system.equations[k] for k in reached]
            flanges = self.network.mechanism_flanges
            numbers = {k for e in equations for k, _ in e.atoms if k in flanges}
            parts = {name for e in equations for name in e.part.split(", ")}
            own = _Surplus(self.system.equations[i])
            for k in sorted(numbers):
                ports = [port for port in flanges[k] if port.owner.path in parts]
                node = self._node(k, ports) if ports else None
                if node is not None and node not in own.nodes:
                    own.nodes.append(node)
            if own.nodes:
                found.append(own)
        return found

    def _node(self, k: int, ports: Sequence[Port]) -> ConstrainedNode:
        """Return the node of these ports; constraints of the same parts share it."""
        first = self.network.first_of_frame(ports[0])
        k = k if first is None else first
        for node in self.nodes:
            if node.position == k and any(port in node.ports for port in ports):
                node.ports += [port for port in ports if port not in node.ports]
                return node
        self.nodes.append(ConstrainedNode(k, list(ports)))
        return self.nodes[-1]

    def _turn(self, surplus: Sequence[_Surplus]) -> None:
        """Let surplus equations be constraints, and forces be those of the constraints."""
        for own in surplus:
            if len(own.nodes) == 1 and not own.nodes[0].is_frame:
                self._prescribe(own.nodes[0])
            else:
                self._constrain(own)
        flanges = [node for node in self.nodes if not node.is_frame]
        for node in flanges:
            self._read_reaction(node)
        self._set_reactions(surplus)
        for node in flanges:
            self._give_rest(node)

    def _prescribe(self, node: ConstrainedNode) -> None:
        """Let the position of a flange be an unknown of the network."""
        if any(own.node is node for own in self.prescribed):
            return
        system, k = self.system, node.position
        system.unknowns[k] = replace(system.unknowns[k], known=False)
        signal = SignalOutput(node.port.owner, f"{node.port.name}.position")
        self.network.give_output(signal, (k, 0))
        self.prescribed.append(PrescribedFlange(node, signal))

    def _constrain(self, own: _Surplus) -> None:
        system, path = self.system, own.equation.part
        for node in own.nodes:
            if node.is_frame and not self.network.bears_reactions(node.port.owner):
                raise self._too_many(own)
        violation = system.add_unknown(FlatUnknown(f"{path}.violation", part=path))
        template = self.network.balance_of(1)
        measure = system.flat_equations(path, template, {"x0": violation})[0]
        place = system.equations.index(own.equation)
        members = [(1.0, own.equation), (-1.0, measure)]
        system.equations[place] = CombinedEquation(members, frozenset())
        self.constraints.append(NetworkConstraint(own.equation, violation, own.nodes))

    def _read_reaction(self, node: ConstrainedNode) -> None:
        """Add the constraint force on the parts at a node as a known quantity."""
        port = node.port
        node.signal = SignalOutput(port.owner, f"{port.name}.constraint_force")
        node.reaction = self.network.read_signal(node.signal)
        reading = self._reaction_reading(node)
        sensor = Measurement(port.owner, (node.signal,), reading, 2)
        self.network.measurements.append(sensor)

    def _set_reactions(self, surplus: Sequence[_Surplus]) -> None:
        """Set forces that the equations leave open to those of the constraints."""
        edges, roots, unknown_of, equation_of = self._matched()
        number = {root: j for j, root in enumerate(roots)}
        done: list[ConstrainedNode] = []
        for own in surplus:
            flanges = [node for node in own.nodes if not node.is_frame]
            if len(flanges) < len(own.nodes):  # the forces at frames are open
                for node in flanges:
                    self._set_reaction(node, edges, number, unknown_of, equation_of, done)
                continue
            for node in sorted(flanges, key=lambda n: self._preference(own.equation, n)):
                if self._set_reaction(node, edges, number, unknown_of, equation_of, done):
                    break
            else:
                raise self._too_many(own)

    def _set_reaction(
        self,
        node: ConstrainedNode,
        edges: list[list[int]],
        number: dict[int, int],
        unknown_of: list[int],
        equation_of: list[int],
        done: list[ConstrainedNode],
    ) -> bool:
        """Set the force at a node to that of the constraints, if the equations leave it open."""
        atoms = [self._through(port) for port in node.ports]
        places = [number[a[0]] for a in atoms if a is not None and a[0] in number]
        if node in done or not places:
            return False
        edges.append(places)
        unknown_of.append(-1)
        augment(len(edges) - 1, edges.__getitem__, unknown_of, equation_of)
        if unknown_of[-1] < 0:
            edges.pop()
            unknown_of.pop()
            return False
        done.append(node)
        self._add_total(node, node.reaction)
        return True

    def _through(self, port: Port) -> Atom | None:
        number = self.network.numbers[port.owner, through_names(port)[0]]
        found = self.system.resolve(number, 0)
        return None if found is None else found[0]

    def _preference(self, equation: AnyEquation, node: ConstrainedNode) -> tuple[bool, int]:
        """Return constant gradients first: a force must not vanish where another one does not."""
        own = [a for a in equation.atoms if a[0] == node.position]
        return (not own or any(equation.is_varying(a) for a in own), -node.position)

    def _too_many(self, own: _Surplus) -> EquationError:
        names = ", ".join(
            node.port.path if node.is_frame else self.system.name((node.position, 0))
            for node in own.nodes
        )
        forces = ", ".join(
            f"{node.port.path}.f, {node.port.path}.t"
            if node.is_frame
            else f"{node.port.owner.path}.{through_names(node.port)[0]}"
            for node in own.nodes
        )
        return self.system.refuse(
            f"its equations say how {names} depend on each other, and all of the forces there, "
            f"{forces}, as well: one equation too many.",
            "Leave out one of the equations for the forces: it follows from the motion."
            if not any(node.is_frame for node in own.nodes)
            else "Leave out all equations for the forces at frames: they follow from the "
            "relations, and do no work. Put other forces into a part of their own.",
            [own.equation.part],
        )

    def _add_total(self, node: ConstrainedNode, *others: int) -> None:
        """Add the equation Σ τ = Σ others of the forces on the parts at a node."""
        through = [self.network.numbers[p.owner, through_names(p)[0]] for p in node.ports]
        names = {f"x{i}": k for i, k in enumerate((*through, *others))}
        factors = {f"x{len(through) + i}": -1.0 for i in range(len(others))}
        self.network.add_sum(node.port.owner.path, names, factors)

    def _give_rest(self, node: ConstrainedNode) -> None:
        """Let the mechanism take the force besides that of the constraints."""
        path = node.port.owner.path
        node.rest = self.system.add_unknown(FlatUnknown(f"{path}.rest", part=path))
        self._add_total(node, node.reaction, node.rest)
        for port in node.ports:
            signal = through_signals(port)[0]
            if port is node.port:
                self.network.give_output(signal, (node.rest, 0))
            else:
                self.network.drop_output(signal)

    # --- what they are for the mechanism -------------------------------------------------------

    def join(self, inventory: Inventory) -> bool:
        """Add the constraints to the contributions of a model; return whether there were any."""
        if self._is_joined or not (self.constraints or self.prescribed):
            return False
        self._is_joined = True
        for given in self.prescribed:
            port, none = given.node.port, SimpleNamespace()
            law = Prescribed(port.owner, port, none, _given, (given.position,))
            inventory.prescribed.append(law)
            self._drop(given.node)
        of_frames: dict[Part, list[NetworkConstraint]] = {}
        for own in self.constraints:
            if own.relates_frames:
                part = next(node.port.owner for node in own.nodes if node.is_frame)
                of_frames.setdefault(part, []).append(own)
            else:
                self._contribute(own, inventory)
        for part, members in of_frames.items():
            self._relate_frames(part, members, inventory)
        return True

    def _relate_frames(
        self, part: Part, members: Sequence[NetworkConstraint], inventory: Inventory
    ) -> None:
        """Add the relations of a part's frames as one constraint."""
        nodes = list(dict.fromkeys(node for own in members for node in own.nodes))
        frames = [node for node in nodes if node.is_frame]
        flanges = [node for node in nodes if not node.is_frame]
        found = [_Residual(self.network, own) for own in members]
        given: dict[Atom, Port] = {}
        for atom in dict.fromkeys(atom for own in found for atom in own.given):
            given[atom] = self._give(part, atom, inventory)
        held = FrameRelations(self.network, frames, flanges, [*given], found)
        constraint = held.constraint()
        for own in members:
            own.given, own.contribution = given, constraint
        for k, residual in enumerate(sorted(found, key=lambda own: own.level)):
            residual.constraint.number = k
        for node in flanges:
            if self._is_lossless(node):
                self._drop(node)
        inventory.constraints.append(
            ConstraintBetween(
                part,
                tuple(node.port for node in frames),
                constraint,
                (*(node.port for node in flanges), *given.values()),
                in_world=not held.is_free(),
            )
        )

    def _contribute(self, own: NetworkConstraint, inventory: Inventory) -> None:
        """Add a constraint, as a coupling of constant ratios where it is one."""
        found = _Residual(self.network, own)
        part, ports = own.nodes[0].port.owner, tuple(node.port for node in own.nodes)
        for atom in found.given:
            own.given[atom] = self._give(part, atom, inventory)
        is_lossless = all(self._is_lossless(node) for node in own.nodes)
        if is_lossless:
            for node in own.nodes:
                self._drop(node)
        alone = [sum(n in c.nodes for c in self.constraints) == 1 for n in own.nodes]
        if is_lossless and all(alone) and found.ratios is not None:
            factors, offset = found.ratios
            inventory.couplings.append(Coupling(part, ports, factors, offset))
            return
        unit = UNITS[ports[0].kind]  # type: ignore[index]
        if found.level == 0:
            own.contribution = Constraint(found.at_positions, (unit,))
        else:
            own.contribution = Constraint(rate=found.at_speeds, rate_units=(f"{unit}/s",))
        flanges = (*ports, *own.given.values())
        inventory.constraints.append(ConstraintBetween(part, (), own.contribution, flanges))

    def _give(self, part: Part, atom: Atom, inventory: Inventory) -> Port:
        """Return a flange at the value of a quantity that the mechanism does not know."""
        name = (
            "time" if atom == TIME else self.system.name(atom).removeprefix(f"{part.path}.")
        )
        port = TranslationalFlange(part, f"given {name}")
        inventory.ports.add(port)
        if atom == TIME:
            law = Prescribed(part, port, SimpleNamespace(), _time)
        else:
            signal = SignalOutput(part, f"given {name}")
            self.network.give_output(signal, atom)
            law = Prescribed(part, port, SimpleNamespace(), _given, (signal,))
        inventory.prescribed.append(law)
        return port

    def _drop(self, node: ConstrainedNode) -> None:
        """Let no force act on a node besides that of the constraints."""
        self.network.drop_output(through_signals(node.port)[0])

    def _reaction_reading(self, node: ConstrainedNode) -> Callable[[Motion], tuple[Scalar]]:
        def reading(motion: Motion) -> tuple[Scalar]:
            own = [c for c in self.constraints if node in c.nodes]
            if any(c.contribution is None for c in own) or not own:
                forces = [motion.flange_force(port) for port in node.ports]
                return (_total(forces),)
            found: list[Scalar] = []
            for constraint in own:
                assert constraint.contribution is not None
                slope = _Residual(self.network, constraint).slope(node, motion)
                forces = motion.multipliers_of(constraint.contribution)
                found.append(neg(mul(slope, forces[constraint.number])))
            return (_total(found),)

        return reading

    def _is_lossless(self, node: ConstrainedNode) -> bool:
        """Return whether the force at a node is that of the constraints, whatever it is.

        Formulas without cases that are equal at random points are equal everywhere.
        """
        import casadi

        inputs: dict[Atom, Scalar] = {}
        reactions = {own.reaction: own for own in self.nodes}

        def read(atom: Atom) -> Scalar:
            if atom not in inputs:
                own = reactions.get(atom[0])
                inputs[atom] = casadi.SX.sym("input") if own is None else force(own)
            return inputs[atom]

        def force(own: ConstrainedNode) -> Scalar:
            found: list[Scalar] = []
            for k, constraint in enumerate(self.constraints):
                if own in constraint.nodes:
                    residual = _Residual(self.network, constraint)
                    slope = residual.slope_at(own, read, quantity)
                    found.append(mul(slope, multipliers[k]))
            return neg(_total(found))

        def quantity(atom: Atom) -> Scalar:
            if atom == TIME:
                return t
            number = self.network.ordered.state_number.get(atom)
            return read(atom) if number is None else z[number]

        multipliers = [casadi.SX.sym("multiplier") for _ in self.constraints]
        ordered, system = self.network.ordered, self.system
        z = [casadi.SX.sym("state") for _ in ordered.states]
        t = casadi.SX.sym("t")
        at = OrderedValues(ordered, z, t, read, lambda atom: start_of(system, atom))
        atom = system.resolve(node.rest, 0)
        if atom is None:
            return True
        pair = casadi.SX(casadi.vertcat(at.read(atom[0]), force(node)))
        if has_cases(pair):
            return False
        symbols = casadi.symvar(pair)
        function = casadi.Function("rest", symbols, [pair])
        chance = np.random.default_rng(3)
        for _ in range(TRIALS):
            given = chance.uniform(0.5, 1.5, size=len(symbols))
            rest, whole = np.asarray(function(*given)).ravel()
            if not abs(rest) <= SAME_FORCE * max(abs(whole), 1.0):
                return False
        return True


class _Residual:
    """The violation g of a constraint as a function of the motions of its flanges and frames."""

    def __init__(self, network: Network, constraint: NetworkConstraint) -> None:
        self.network, self.constraint = network, constraint
        found = network.system.resolve(constraint.violation, 0)
        assert found is not None
        self.atom = found[0]
        self._check()

    @cached_property
    def _inputs(self) -> list[Atom]:
        return self.network.ordered.inputs_of([self.atom])

    @cached_property
    def reads(self) -> list[Atom]:
        """The quantities of flanges and frames that it depends on."""
        return [atom for atom in self._inputs if self._level_of(atom) is not None]

    def _level_of(self, atom: Atom) -> int | None:
        """Return the level of motion of a quantity of a flange or a frame, None of another."""
        k, order = atom
        frame = self.network.frame_of(k)
        if frame is not None:
            return frame_level(frame[1], order)
        places = {node.position for node in self.constraint.nodes}
        return order if k in places else None

    @property
    def level(self) -> int:
        """0 for an equation of positions, 1 for one of speeds."""
        return max(self._level_of(atom) or 0 for atom in self.reads)

    @cached_property
    def given(self) -> list[Atom]:
        """The quantities besides the motions of its flanges and frames."""
        ordered = self.network.ordered
        blocks = [ordered.blocks[k] for k in ordered.needed_blocks([self.atom])]
        found = [a for a in self._inputs if a not in self.reads]
        found += [a for b in blocks for a in b.needs if a in ordered.state_number]
        is_timed = any(_has_time(e) for block in blocks for e in block.equations)
        return [*dict.fromkeys(found), *([TIME] if is_timed else [])]

    def _check(self) -> None:
        """Refuse a constraint that depends on accelerations, or on forces."""
        path, network = self.constraint.equation.part, self.network
        what = "frames" if self.constraint.relates_frames else "flanges"
        forces = {node.reaction for node in network.constraints.nodes if not node.is_frame}
        if any(k in forces for k, _ in self.given):
            raise EquationError(
                path,
                f"its equations relate motions of {what} in a way that depends on their forces.",
                "Put a spring or a damper between, which gives way under a force.",
            )
        if self.level > 1:
            raise EquationError(
                path,
                f"its equations relate accelerations of {what}.",
                "Write the relation with positions or with speeds.",
            )
        if self.level == 1 and not self._is_linear():
            raise EquationError(
                path,
                f"its equations relate speeds of {what} in a way that is not linear in them.",
                "Write a relation of positions, or one that is linear in the speeds.",
            )

    def value(
        self, read: Callable[[Atom], Scalar], quantity: Callable[[Atom], Scalar]
    ) -> Scalar:
        """Return g where flanges and frames have these motions, and what is given these values."""
        ordered, system = self.network.ordered, self.network.system
        given = {atom: quantity(atom) for atom in self.given}

        def known(atom: Atom) -> Scalar:
            return given[atom] if atom in given else read(atom)

        z = [given.get(atom, 0.0) for atom in ordered.states]
        t = given.get(TIME, 0.0)
        at = OrderedValues(ordered, z, t, known, lambda atom: start_of(system, atom))
        return at.read(self.atom)

    def _of(self, states: Sequence[tuple[Scalar, Scalar]]) -> Scalar:
        """Return g of flanges where these, and those of given quantities, have these motions."""
        numbers = [node.position for node in self.constraint.nodes]
        given = dict(zip(self.given, states[len(numbers) :], strict=True))
        return self.value(
            lambda atom: states[numbers.index(atom[0])][atom[1]],
            lambda atom: given[atom][0],
        )

    def at_positions(self, *positions: Scalar) -> tuple[Scalar]:
        """Return g of positions of flanges."""
        return (self._of([(x, 0.0) for x in positions]),)

    def at_speeds(
        self,
        poses: Sequence[object],
        velocities: Sequence[object],
        positions: Sequence[Scalar],
        speeds: Sequence[Scalar],
    ) -> tuple[Scalar]:
        """Return g of positions and speeds of flanges."""
        return (self._of([*zip(positions, speeds, strict=True)]),)

    @cached_property
    def _traced(self) -> tuple[dict[Atom, casadi.SX], casadi.SX]:
        """The symbols of all that it depends on, and g."""
        import casadi

        atoms = [*self.reads, *self.given]
        symbols = {atom: casadi.SX.sym("x") for atom in atoms}
        found = self.value(symbols.__getitem__, symbols.__getitem__)
        return symbols, casadi.SX(found)

    def _is_linear(self) -> bool:
        import casadi

        symbols, g = self._traced
        moving = [symbols[a] for a in self.reads if self._level_of(a) == 1]
        return not any(casadi.which_depends(g, casadi.vertcat(*moving), 2, True))

    def slope_at(
        self,
        node: ConstrainedNode,
        read: Callable[[Atom], Scalar],
        quantity: Callable[[Atom], Scalar],
    ) -> Scalar:
        """Return the derivative of g by the position of a flange, or by its speed."""
        import casadi

        symbols, g = self._traced
        by = symbols.get((node.position, self.level))
        if by is None:
            return 0.0
        values = [read(atom) for atom in self.reads] + [quantity(a) for a in self.given]
        slope = casadi.jacobian(g, by)
        column = casadi.vertcat(*symbols.values())
        return casadi.substitute(slope, column, casadi.SX(casadi.vertcat(*values)))

    def slope(self, node: ConstrainedNode, motion: Motion) -> Scalar:
        """Return this derivative in a motion."""
        ports = {own.position: own.port for own in self.constraint.nodes}

        def read(atom: Atom) -> Scalar:
            frame = self.network.frame_of(atom[0])
            if frame is None:
                return motion.flange(ports[atom[0]])[atom[1]]
            X, V = motion.pose(frame[0]), motion.velocity(frame[0])
            return frame_value(X, V, frame[1], atom[1])

        return self.slope_at(
            node, read, lambda atom: motion.flange(self.constraint.given[atom])[0]
        )

    @property
    def ratios(self) -> tuple[tuple[Scalar, ...], Scalar] | None:
        """The factors c and the offset of Σ c x = offset where it has this form, else None."""
        import casadi

        symbols, g = self._traced
        nodes = [(node.position, 0) for node in self.constraint.nodes]
        if self.given or self.level or has_cases(g) or set(nodes) - symbols.keys():
            return None
        x = casadi.vertcat(*(symbols[atom] for atom in nodes))
        slopes = casadi.densify(casadi.jacobian(g, x))
        if casadi.depends_on(slopes, x):
            return None
        zero = casadi.substitute(g, x, casadi.SX.zeros(x.numel()))
        factors = tuple(_number(slopes[k]) for k in range(x.numel()))
        if any(is_structural(c, 0.0) for c in factors):
            return None
        return factors, neg(_number(zero))


def _given(p: Values, t: Scalar, position: Scalar) -> Scalar:
    return position


def _time(p: Values, t: Scalar) -> Scalar:
    return t


def _total(values: Iterable[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for value in values:
        total = add(total, value)
    return total


def _number(value: casadi.SX) -> Scalar:
    return float(value) if value.is_constant() else value


def _has_time(equation: AnyEquation) -> bool:
    if isinstance(equation, CombinedEquation):
        return any(_has_time(own) for _, own in equation.members)
    return "time" in equation.template.parameters


def has_cases(value: casadi.SX) -> bool:
    """Return whether an expression contains cases, absolute values, steps, or the like."""
    import casadi

    names = ("LT", "LE", "EQ", "NE", "NOT", "AND", "OR", "IF_ELSE_ZERO", "FABS", "SIGN")
    names += ("FLOOR", "CEIL", "FMIN", "FMAX", "FMOD", "REMAINDER", "COPYSIGN")
    kinds = {getattr(casadi, f"OP_{name}") for name in names}
    function = casadi.Function("cases", casadi.symvar(value), [value])
    return any(
        function.instruction_id(k) in kinds for k in range(function.n_instructions())
    )
