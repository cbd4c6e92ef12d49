"""MechanicalSystem: the equations of motion of a chain in state-space form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypedDict

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.mobile.dynamics.arguments import Direction
from motorik.mobile.dynamics.checking import name_of
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.dynamics.equations import EquationBuilder
from motorik.mobile.dynamics.subchains import flatten
from motorik.mobile.elements.joint_element import JointElement
from motorik.mobile.elements.motion_source import MotionSource, sources_held
from motorik.mobile.states.energy import Energy
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import Mutable, MutableScalar
from motorik.mobile.states.transmission import Element, State, Subtask, unique, walk
from motorik.mobile.states.variable import StateVariable

if TYPE_CHECKING:
    from typing_extensions import Unpack


class BuilderOptions(TypedDict, total=False):
    """The keyword arguments of an `EquationBuilder`."""

    frame: Frame | None
    up: Direction
    g: Scalar | MutableScalar
    subchains: Iterable[Element] | None


class MechanicalSystem(DynamicSystem):
    """The state-space form y = (q, q̇), ẏ = (q̇, M⁻¹ F) of equations of motion.

    Made from an `EquationBuilder`, or from the arguments of one. The states are held by the
    variables themselves. Where a joint has speeds that are not the rates of its coordinates
    (`SphericalPair`, `FreePair`), give its speeds as variables; the coordinates join the states.
    """

    def __init__(
        self,
        variables: EquationBuilder | Iterable[StateVariable],
        *chain_and_gravity: Element | Iterable[Element] | Frame | Direction,
        **options: Unpack[BuilderOptions],
    ) -> None:
        if isinstance(variables, EquationBuilder):
            self.builder = variables
        else:
            self.builder = EquationBuilder(variables, *chain_and_gravity, **options)

    @property
    def chain(self) -> Element:
        """The chain that the variables move."""
        return self.builder.chain

    @property
    def variables(self) -> tuple[StateVariable, ...]:
        """The variables whose accelerations the equations of motion give."""
        return self.builder.variables

    @property
    def coordinates(self) -> tuple[StateVariable, ...]:
        """The variables whose positions are states: the same, or a joint's own ones."""
        owners = {id(s): joint for joint in self._joints() for s in joint.speeds}
        found: dict[int, StateVariable] = {}
        for variable in self.variables:
            joint = owners.get(id(variable))
            for coordinate in (variable,) if joint is None else joint.variables:
                found[id(coordinate)] = coordinate
        return tuple(found.values())

    def _joints(self) -> list[JointElement]:
        """Return the joints whose speeds are variables but no rates of coordinates."""
        given = {id(variable) for variable in self.variables}
        return [
            part
            for part in flatten(self.chain)
            if isinstance(part, JointElement)
            and part.speeds != part.variables
            and any(id(speed) in given for speed in part.speeds)
        ]

    @property
    def conditions(self) -> Sequence[Scalar]:
        """The coordinates and the speeds."""
        return [c.q for c in self.coordinates] + [u.qd for u in self.variables]

    def set_conditions(self, y: Sequence[Scalar]) -> None:
        """Give the variables these coordinates and speeds; `act` moves the chain."""
        coordinates = self.coordinates
        for coordinate, q in zip(coordinates, y[: len(coordinates)], strict=True):
            coordinate.q = q
        for variable, qd in zip(self.variables, y[len(coordinates) :], strict=True):
            variable.qd = qd

    @property
    def _sources(self) -> list[MotionSource]:
        return [part for part in walk(self.chain) if isinstance(part, MotionSource)]

    def begin(self, t: float) -> None:
        """Let drivers in the chain move with time from where their variables are at t [s]."""
        for source in self._sources:
            source.begin_at(t)

    def act(self, t: Scalar) -> None:
        """Move the chain: all frames take position and velocity, drivers those at t [s]."""
        for source in self._sources:
            source.place(t)
        with sources_held():
            self.chain.motion(Subtask.POSITION | Subtask.VELOCITY)

    def rates(self, t: Scalar) -> Sequence[Scalar]:
        """Return the rates of the coordinates and the accelerations, after `act`."""
        self.builder.build(Subtask.ACCELERATION)
        self.builder.solve()
        return [c.qd for c in self.coordinates] + [u.qdd for u in self.variables]

    def finish(self) -> None:
        """Give all frames their accelerations, and the forces that belong to them."""
        self.builder.traverse(Subtask.ACCELERATION)

    def projected(self) -> Sequence[Scalar] | None:
        """Return the conditions with unit quaternions; None where there are none."""
        new: dict[int, Scalar] = {}
        for joint in self._joints():
            if joint.joint.needs_projection:
                q = joint.joint.projected(joint.q)
                new.update((id(c), x) for c, x in zip(joint.variables, q, strict=True))
        if not new:
            return None
        q = [new.get(id(c), c.q) for c in self.coordinates]
        return q + [u.qd for u in self.variables]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coordinates, then those of the speeds as der(name)."""
        speeds = tuple(f"der({name_of(variable)})" for variable in self.variables)
        return tuple(name_of(coordinate) for coordinate in self.coordinates) + speeds

    @property
    def units(self) -> tuple[str, ...]:
        """The units of the coordinates, then those of the speeds."""
        q = tuple(coordinate.unit for coordinate in self.coordinates)
        return q + tuple(f"{variable.unit}/s" for variable in self.variables)

    @property
    def moved(self) -> Sequence[State]:
        """The variables."""
        own = {id(state): state for state in (*self.coordinates, *self.variables)}
        return tuple(own.values())

    @property
    def touched(self) -> Sequence[State]:
        """All frames and variables of the chain."""
        return unique(self.moved, self.chain.touched)

    @property
    def elements(self) -> Sequence[Element]:
        """The chain and all elements in it."""
        return tuple(walk(self.chain))

    @property
    def gravity(self) -> Vector:
        """The gravity acceleration g [m/s²] in inertial axes; zero where there is none."""
        return self.builder.gravity

    def energy(self) -> Energy:
        """Return the energy [J] of the masses and springs of the chain."""
        return self.builder.energy()

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The parameters of the chain that may be changed, and those of gravity."""
        return self.builder.parameters

    # --- static equilibrium ----------------------------------------------------------------------

    @property
    def place(self) -> Sequence[Scalar]:
        """The coordinates."""
        return [coordinate.q for coordinate in self.coordinates]

    def set_place(self, x: Sequence[Scalar]) -> None:
        """Give the variables these coordinates and no speed."""
        self.set_conditions([*x, *[0.0] * len(self.variables)])

    def imbalance(self, t: Scalar) -> Sequence[Scalar]:
        """Return the forces F along the variables, and |Q|² − 1 of each quaternion."""
        forces = self.builder.forces(Subtask.ACCELERATION)
        return forces + [
            x for joint in self._joints() for x in joint.joint.redundancy(joint.q)
        ]

    @property
    def imbalance_names(self) -> tuple[str, ...]:
        """The names of the variables, and of the joints with quaternions."""
        forces = tuple(name_of(variable) for variable in self.variables)
        joints = (
            repr(joint) for joint in self._joints() if joint.joint.redundancy(joint.q)
        )
        return (*forces, *joints)

    @property
    def steady(self) -> Sequence[int]:
        """The speeds."""
        return range(len(self.coordinates), self.order)
