"""Inventory: the contributions of the parts of a model, and the connections of their ports."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base import contributions
from motorik.components.base.composite import Composite
from motorik.components.base.internal import DiskState, NonsmoothForce, guess_of
from motorik.components.base.part import Known, Part
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.units import warn_of_lengths
from motorik.components.base.user_law import (
    UnfitError,
    UserLaw,
    is_of_user,
    one_scalar,
    several_motors,
    several_scalars,
)
from motorik.components.base.values import LiveScalar
from motorik.components.parts.world import World
from motorik.elements.distance import DistanceConstraint
from motorik.errors import (
    AssemblyError,
    MotorikWarning,
    ParameterError,
    PortError,
    calls_within_motorik,
)
from motorik.immutable import immutable, mutable
from motorik.topology.graph import ConnectedSets
from motorik.topology.planes import check_planes


@immutable
class NetworkShaft:
    """A node of a shaft that is part of a network: its position is factor · x + offset.

    The signals `position` and `speed` are x and its rate, those of the whole shaft.
    """

    position: Port
    speed: Port
    factor: Scalar
    offset: Scalar


class DefaultWorldWarning(MotorikWarning):
    """A model has no World; one with default settings is used."""


@mutable
class Inventory:
    """All contributions of a model's parts by kind, and the sets of connected ports.

    It does not change when parts are added to the model later.
    """

    model: Composite
    grounds: list[contributions.Ground] = field(default_factory=list)
    rigids: list[contributions.Rigid] = field(default_factory=list)
    masses: list[contributions.Mass] = field(default_factory=list)
    joints: list[contributions.JointBetween] = field(default_factory=list)
    joint_forces: list[contributions.JointForce] = field(default_factory=list)
    lines: list[contributions.LineForce] = field(default_factory=list)
    clamps: list[contributions.Clamp] = field(default_factory=list)
    flange_inertias: list[contributions.FlangeInertia] = field(default_factory=list)
    couplings: list[contributions.Coupling] = field(default_factory=list)
    prescribed: list[contributions.Prescribed] = field(default_factory=list)
    forces: list[contributions.FrameForce] = field(default_factory=list)
    constraints: list[contributions.ConstraintBetween] = field(default_factory=list)
    signal_laws: list[contributions.SignalLaw] = field(default_factory=list)
    measurements: list[contributions.Measurement] = field(default_factory=list)
    part_equations: list[contributions.PartEquations] = field(default_factory=list)
    given_flows: list[contributions.GivenFlow] = field(default_factory=list)
    initial_conditions: list[contributions.InitialCondition] = field(default_factory=list)
    nonsmooth: list[contributions.NonsmoothConstraint] = field(default_factory=list)
    triggers: list[contributions.Trigger] = field(default_factory=list)
    delays: list[contributions.Delayed] = field(default_factory=list)
    line_masses: list[contributions.LineMass] = field(default_factory=list)
    passed_torques: list[contributions.TorqueThroughBody] = field(default_factory=list)
    gravity: contributions.Gravity | None = None
    ports: ConnectedSets[Port] = field(default_factory=ConnectedSets)
    resolved: dict[Part, SimpleNamespace] = field(default_factory=dict)
    connections: dict[Part, tuple[tuple[Port, Port], ...]] = field(default_factory=dict)
    revised: dict[Part, Callable[[Any, Any], Any]] = field(default_factory=dict)
    """Of parts whose laws were changed: what changes their variables likewise."""

    network: list[Any] = field(default_factory=list)
    """The network of its equations, or None; nothing before it is known."""
    network_shafts: dict[Port, NetworkShaft] = field(default_factory=dict)
    """The nodes of shafts whose motion is an unknown of the network."""
    turning: set[Port] = field(default_factory=set)
    """The nodes of massless frames on which torques act: their orientation matters."""
    live: tuple[Any, Any] | None = None
    """Symbols of the live parameters in it and their present values, None with values alone."""

    modes: tuple[int, ...] = ()
    """The places among these of modes that events change, which are 0 or 1."""

    guesses: dict[str, Any] = field(default_factory=dict)
    """Where Newton's method begins, by the names of unknowns: symbols, or values."""
    new_guesses: list[tuple[LiveScalar, Any]] = field(default_factory=list)
    """Those of them that are not yet among the live parameters."""

    symbolic: Inventory | None = None
    """The same with symbols for live parameters, of an inventory with values alone."""

    _sampled_live: np.ndarray | None = None

    def numbers(self, values: Sequence[Scalar]) -> list[float]:
        """Return the present values of scalars that may hold symbols of live parameters."""
        if self.live is None or not any(hasattr(v, "is_constant") for v in values):
            return [float(v) for v in values]
        import casadi

        symbols, p = self.live
        column = casadi.SX(casadi.vertcat(*values))
        return np.array(casadi.Function("numbers", [symbols], [column])(p)).ravel().tolist()

    def sampled(self, values: Sequence[Scalar], count: int) -> list[Scalar]:
        """Return scalars at samples of modes and live parameters; the first sample is the present.

        Numbers that are 0 or 1 and belong to a part for itself are modes.
        """
        is_live = [hasattr(v, "is_constant") for v in values]
        if self.live is None or not any(is_live):
            return [float(v) for v in values]
        import casadi

        if self._sampled_live is None:
            self._sampled_live = _samples_of(self.live[1], self.modes, count)
        given, table = casadi.SX(casadi.vertcat(*values)), self._sampled_live
        found = np.array(casadi.Function("samples", [self.live[0]], [given])(table))
        return [
            row if moves else float(row[0])
            for row, moves in zip(found, is_live, strict=True)
        ]

    def guess(self, name: str, start: float) -> Scalar:
        """Return where Newton's method begins for an unknown, a live number of its own."""
        if name not in self.guesses:
            if self.symbolic is not None:
                return start
            import casadi

            (number,) = guess_of(name, start).elements
            self.guesses[name] = casadi.SX.sym(f"guess of {name}")
            self.new_guesses.append((number, self.guesses[name]))
        return self.guesses[name]

    def node(self, port: Port) -> Port:
        """Return the representative of all ports connected with this one."""
        return self.ports.find(port)

    def connected_frames(self) -> list[list[Port]]:
        """Return the frames between which the forces of each part act."""
        found: dict[Part, dict[Port, None]] = {}
        for law in self.forces:
            found.setdefault(law.part, {}).update(dict.fromkeys(law.frames))
        return [[*frames] for frames in found.values()]

    def parameters_of(self, part: Part) -> SimpleNamespace:
        """Return the parameters of a part as the scalars the mechanism computes with."""
        return self.resolved[part]

    def force_of(
        self, constraint: contributions.NonsmoothConstraint
    ) -> NonsmoothForce[Scalar]:
        """Return the force and the mode of a nonsmooth constraint, as such scalars."""
        return getattr(self.resolved[constraint.part], constraint.force)

    def disk_of(self, constraint: contributions.NonsmoothConstraint) -> DiskState[Scalar]:
        """Return the state of the friction disk of a nonsmooth constraint, as such scalars."""
        assert constraint.disk is not None
        return getattr(self.resolved[constraint.part], constraint.disk.state)


KINDS: dict[type, str] = {
    contributions.Ground: "grounds",
    contributions.Rigid: "rigids",
    contributions.Mass: "masses",
    contributions.JointBetween: "joints",
    contributions.JointForce: "joint_forces",
    contributions.LineForce: "lines",
    contributions.Clamp: "clamps",
    contributions.FlangeInertia: "flange_inertias",
    contributions.Coupling: "couplings",
    contributions.Prescribed: "prescribed",
    contributions.FrameForce: "forces",
    contributions.ConstraintBetween: "constraints",
    contributions.SignalLaw: "signal_laws",
    contributions.Measurement: "measurements",
    contributions.PartEquations: "part_equations",
    contributions.GivenFlow: "given_flows",
    contributions.InitialCondition: "initial_conditions",
    contributions.NonsmoothConstraint: "nonsmooth",
    contributions.Trigger: "triggers",
    contributions.Delayed: "delays",
    contributions.LineMass: "line_masses",
    contributions.TorqueThroughBody: "passed_torques",
}
"""The field of an inventory for each kind of contribution."""


def _samples_of(p: np.ndarray, modes: Sequence[int], count: int) -> np.ndarray:
    """Return values of live parameters as columns: the present ones, then others like them.

    Modes are any, other numbers are within a factor of ten of the present ones.
    """
    random = np.random.default_rng(11)
    found = p[:, None] * 10.0 ** random.uniform(-1.0, 1.0, (p.size, count))
    share = np.linspace(0.0, 1.0, count)  # of the modes that are on
    found[list(modes)] = random.uniform(size=(len(modes), count)) < share
    found[:, 0] = p
    return found


def take_inventory(model: Composite, resolve: Callable[[LiveScalar], Scalar]) -> Inventory:
    """Return the contributions of a model; `resolve` replaces live numbers."""
    if not model.parts:
        raise AssemblyError(model.label, "has no parts.", "Add a World, joints and bodies.")
    inventory = Inventory(model)
    worlds = [part for part in model.walk() if isinstance(part, World)]
    if len(worlds) > 1:
        names = ", ".join(w.path for w in worlds)
        raise AssemblyError(
            names, "a model has one World, not several.", "Keep one of them."
        )
    if not worlds:
        if _has_frames(model):
            warnings.warn(
                DefaultWorldWarning(
                    f"{model.label} has no World: gravity is taken as 9.80665 m/s² along −y. "
                    "Add `model.world = World(...)` to change this."
                ),
                stacklevel=calls_within_motorik(),
            )
        _file(inventory, World())
    known = Known()
    for part in model.walk():
        _check_named(part)
        p = known.get(part) or part.resolved(resolve, known)
        known[part] = inventory.resolved[part] = p
        inventory.connections[part] = tuple(part.connections)
        for port in part.ports():
            inventory.ports.add(port)
        _file(inventory, part, p)
        for a, b in part.connections:
            inventory.ports.unite(a, b)
    for part in model.walk():
        if part.is_model and not getattr(part, "is_open", True):
            _check_ends(inventory, part)
    _check_flanges(inventory)
    _check_through(inventory)
    if any(getattr(type(part), "is_bus", False) for part in inventory.resolved):
        from motorik.topology.buses import check_buses

        check_buses(inventory)
    if any(
        port.kind is PortKind.SIGNAL for part in inventory.resolved for port in part.ports()
    ):
        from motorik.topology.signal_units import check_units

        check_units(inventory)
    warn_of_lengths(model.walk())
    check_planes(inventory)
    return inventory


def _check_named(part: Part) -> None:
    """Refuse a model with parts in a list that was extended after its assignment."""
    name = part._forgotten() if isinstance(part, Composite) else ""
    if name:
        raise AssemblyError(
            part.label,
            f"{name!r} holds parts that were put into it after it was assigned, so that they "
            "have no name and are not in the model.",
            f"Assign it when all parts are in it: model.{name} = {name}.",
            parameter=name,
        )


def _has_frames(model: Composite) -> bool:
    """Return whether any part of a model is in space, not on drive lines alone."""
    return any(
        port.kind is PortKind.FRAME for part in model.walk() for port in part.ports()
    )


def _check_ends(inventory: Inventory, part: Part) -> None:
    """Refuse a part whose two ends are connected with each other."""
    frames = [port for port in part.ports() if port.kind is PortKind.FRAME]
    for k, a in enumerate(frames):
        for b in frames[k + 1 :]:
            if inventory.node(a) is inventory.node(b):
                raise ends_are_one(a, b)


def ends_are_one(a: Port, b: Port, effect: str = "") -> PortError:
    """Return the error of a part whose two ends are connected with each other."""
    return PortError(
        a.path,
        f"is connected with {b.path}, the other end of the same part{effect}.",
        "Connect the two ends to different parts.",
        port=a.name,
        value=b,
    )


def _check_flanges(inventory: Inventory) -> None:
    """Refuse a force law between two connected flanges."""
    for line in inventory.lines:
        if line.flange_a is not None:
            if inventory.node(line.flange_a) is inventory.node(line.flange_b):
                raise ends_are_one(
                    line.flange_a, line.flange_b, ", so its force has no effect"
                )


def _check_through(inventory: Inventory) -> None:
    """Refuse a flow sensor with an unconnected end."""
    through = [part for part in inventory.resolved if hasattr(type(part), "passes")]
    if not through:
        return
    sets = inventory.ports.sets()
    for part in through:
        for name in type(part).passes:  # type: ignore[attr-defined]
            port = part.__dict__[name]
            others = [p.owner for p in sets[inventory.node(port)] if p.owner is not part]
            if all(owner.is_model and owner.is_open for owner in others):
                raise PortError(
                    port.path,
                    "is connected to nothing, so nothing passes through the sensor.",
                    "Connect both sides of it, or measure elsewhere.",
                    port=name,
                    value=port,
                )


def _file(inventory: Inventory, part: Part, p: SimpleNamespace | None = None) -> None:
    if p is None:
        p = part.resolved(lambda scalar: scalar.value)
        for port in part.ports():
            inventory.ports.add(port)
    for contribution in _expanded(part, _said_by(part, p)):
        if isinstance(contribution, contributions.Gravity):
            inventory.gravity = contribution
        elif type(contribution) in KINDS:
            filed: list[contributions.Contribution] = getattr(
                inventory, KINDS[type(contribution)]
            )
            filed.append(with_checked_laws(part, p, contribution))
        else:
            raise AssemblyError(
                part.label,
                f"its contributions(p) yield {contribution!r}, which is not a contribution.",
                f"Yield {', '.join(kind.__name__ for kind in KINDS)} or Gravity.",
                parameter="contributions",
                value=contribution,
            )


def _expanded(
    part: Part, said: Iterable[contributions.Contribution]
) -> Iterable[contributions.Contribution]:
    """Yield contributions; force laws with states are followed by what integrates these."""
    for contribution in said:
        is_force = isinstance(
            contribution, (contributions.LineForce, contributions.FrameForce)
        )
        if is_force and contribution.states:
            from motorik.topology.law_states import with_states

            yield from with_states(part, contribution)
        else:
            yield contribution


def _said_by(part: Part, p: SimpleNamespace) -> Iterable[contributions.Contribution]:
    said = part.contributions(p)
    if not isinstance(said, Iterable):
        raise AssemblyError(
            part.label,
            f"its contributions(p) returned {said!r}.",
            "Let it yield contributions, or return a tuple of them, which may be empty.",
            parameter="contributions",
            value=said,
        )
    try:
        return tuple(said)
    except ParameterError as error:
        if error.path == part.path or error.place.startswith(part.label):
            raise
        raise ParameterError(
            part.label,
            error.reason,
            error.remedy,
            parameter=error.parameter,
            value=error.value,
        ) from error


def with_checked_laws(
    part: Part, p: SimpleNamespace, said: contributions.Contribution
) -> contributions.Contribution:
    """Return a contribution whose user-written laws are checked when called.

    Laws of flanges are shared by all parts of a class, so that these share code.
    """
    if isinstance(
        said, contributions.NonsmoothConstraint
    ):  # whose friction law may be of a user
        return _with_checked_bounds(part, said)
    users = is_of_user(part) or any(map(_is_function, vars(p).values()))
    if not users:
        return said
    if isinstance(said, contributions.LineForce):
        kind = (
            f"{part.label} ({type(part).__name__})" if said.signals else type(part).__name__
        )
        return replace(said, law=_line_law(kind, said.law))
    if isinstance(said, contributions.FrameForce):
        arguments, count = ("p", "t", "motions"), several_motors(len(said.frames))
        return replace(said, law=UserLaw(part.label, "law", said.law, arguments, count))
    if isinstance(said, contributions.Prescribed):
        law = UserLaw(part.label, "law", said.law, ("p", "t"), one_scalar)
        return replace(said, law=law)
    if isinstance(said, contributions.ConstraintBetween):
        held = said.constraint
        if isinstance(held.residual, DistanceConstraint):
            return said
        checked = replace(
            held,
            residual=_rows(part, "residual", held.residual, len(held.units)),
            rate=_rows(part, "rate", held.rate, len(held.rate_units)),
        )
        return replace(said, constraint=checked)
    return said


def _with_checked_bounds(
    part: Part, constraint: contributions.NonsmoothConstraint
) -> contributions.NonsmoothConstraint:
    """Return a nonsmooth constraint, whose speed, force bounds and gap are checked when called."""

    def checked(name: str, wanted: Callable[[Any], Any]) -> UserLaw | None:
        own = getattr(constraint, name)
        return own and UserLaw(part.label, name, own, ("motion",), wanted)

    laws = {name: checked(name, one_scalar) for name in ("speed", "acceleration", "gap")}
    return replace(constraint, bounds=checked("bounds", _bounds), **laws)


def _bounds(found: object) -> contributions.ForceBounds:
    if not isinstance(found, contributions.ForceBounds):
        raise UnfitError("ForceBounds(low, high, forward, backward)")
    return found


def _is_function(value: object) -> bool:
    return callable(value) and not isinstance(value, Vector)


@cache
def _line_law(kind: str, law: Callable[..., Scalar]) -> UserLaw:
    return UserLaw(kind, "law", law, ("p", "x", "v"), one_scalar)


def _rows(
    part: Part, name: str, function: Callable[..., tuple[Scalar, ...]] | None, count: int
) -> UserLaw | None:
    if function is None:
        return None
    ends = ("X_a", "X_b") if name == "residual" else ("poses", "velocities")
    return UserLaw(part.label, name, function, ends, several_scalars(count))
