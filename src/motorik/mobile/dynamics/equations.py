"""EquationBuilder: the equations of motion of a chain, M q̈ = F, as an object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce

import numpy as np

from motorik.algebra.linear_system import IndefiniteError, solve_symmetric
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.scalar import Scalar, is_structural, neg
from motorik.algebra.vector import ZERO, Vector, Z
from motorik.errors import AssemblyError, ParameterError
from motorik.mobile.dynamics.arguments import Direction, read_arguments
from motorik.mobile.dynamics.checking import (
    check_subchains,
    check_symmetry,
    check_variables,
    refuse_inertia,
)
from motorik.mobile.dynamics.subchains import flatten
from motorik.mobile.elements.gravity import Gravity
from motorik.mobile.states.energy import Energy
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import Mutable, MutableScalar, current, mutable_among
from motorik.mobile.states.transmission import Element, Subtask, walk
from motorik.mobile.states.variable import StateVariable

# --- gravity ------------------------------------------------------------------------------


def find_field(chain: Element, g: Vector = ZERO) -> dict[int, Vector]:
    """Return the gravity acceleration [m/s²] of each frame by its id, in inertial axes.

    `g` acts on all frames that the chain moves, a `Gravity` in the chain on its frame and
    on all that this carries.
    """
    field = {id(state): g for state in chain.outputs}
    parts = list(walk(chain))
    for source in (part for part in parts if isinstance(part, Gravity)):
        carried = {id(source.frame)}
        for part in parts:
            if any(id(state) in carried for state in part.inputs):
                carried.update(id(state) for state in part.outputs)
        own = Vector.of(source.g)
        field.update({key: field.get(key, ZERO) + own for key in carried})
    return field


def find_energy(chain: Element, g: Vector = ZERO) -> Energy:
    """Return the energy of a chain in the field `g` [m/s²] and those of its own."""
    field = find_field(chain, g)

    def at(frame: Frame) -> Vector:
        return field.get(id(frame), ZERO)

    parts = (part.energy(at) for part in walk(chain))
    return reduce(Energy.plus, parts, Energy())


MOTION = Subtask.POSITION | Subtask.VELOCITY | Subtask.ACCELERATION
INERTIA_ONLY = Subtask.EXTERNAL | Subtask.EULER


class EquationBuilder:
    """The equations of motion M q̈ = F of the variables that move a chain.

    F is the sum of applied, gravity, Coriolis and centrifugal forces along the variables.
    One traversal with q̈ = 0 gives F, one more for each variable with EULER alone and
    q̈_ν = 1 gives column ν of M: f + 1 traversals, Kecskeméthy 1999, §6.1. Inputs of the
    chain that are not among `variables` move with their own q, q̇, q̈.

    Gravity of `g` [m/s²] acts opposite to `up`, a vector of any length in the axes of the
    resting `frame`, on every mass that the chain moves; without `frame` there is none, and
    weights may be given as force elements or by `Gravity` in the chain.

    `subchains`, one element for each variable, is what is traversed for its column: all it
    moves and all that carries this. `find_subchains` finds them. By position the arguments
    are ``(variables, chain, frame, up)`` or ``(variables, subchains, chain, frame, up)``,
    the list of sub-chains before the chain.
    """

    def __init__(
        self,
        variables: Iterable[StateVariable],
        *chain_and_gravity: Element | Iterable[Element] | Frame | Direction,
        frame: Frame | None = None,
        up: Direction = Z,
        g: Scalar | MutableScalar = 9.81,
        subchains: Iterable[Element] | None = None,
    ) -> None:
        given = read_arguments(chain_and_gravity, frame, up, subchains)
        self._variables = variables
        self.chain, self.frame, self.up, self.g = given.chain, given.frame, given.up, g
        self._subchains = given.subchains
        self._checked: list[int] = []
        self.M: list[list[Scalar]] = []
        self.F: list[Scalar] = []

    @property
    def variables(self) -> tuple[StateVariable, ...]:
        """The generalised coordinates."""
        return tuple(self._variables)

    @property
    def subchains(self) -> tuple[Element, ...]:
        """The element traversed for each column of the mass matrix."""
        if self._subchains is None:
            return (self.chain,) * len(self.variables)
        return tuple(self._subchains)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The parameters of the chain that may be changed, and those of gravity."""
        own = (*self.chain.parameters, *mutable_among(self.g, self.up))
        return tuple({id(parameter): parameter for parameter in own}.values())

    @property
    def mass_matrix(self) -> np.ndarray:
        """The mass matrix M of the last `build`, all entries filled."""
        return np.array(self._built().M, dtype=float)

    @property
    def force_vector(self) -> np.ndarray:
        """The force vector F of the last `build`."""
        return np.array(self._built().F, dtype=float)

    @property
    def accelerations(self) -> np.ndarray:
        """The accelerations q̈ of the variables."""
        return np.array([variable.qdd for variable in self.variables], dtype=float)

    # --- the traversals ----------------------------------------------------------------------

    def build(self, subtasks: Subtask = MOTION) -> None:
        """Compute M and F at the present q and q̇.

        Leave out POSITION and VELOCITY from `subtasks` where the chain has already moved.
        """
        variables = self.variables
        check_variables(variables, self.chain, self.frame)
        self._check_subchains(variables)
        self.F = self.forces(subtasks)
        columns = []
        with self._at_rest():
            for variable, subchain in zip(variables, self.subchains, strict=True):
                variable.qdd = 1.0
                subchain.motion(Subtask.EULER)
                self.chain.clear_forces()
                subchain.force(INERTIA_ONLY)
                columns.append([neg(other.Q) for other in variables])
                variable.qdd = 0.0
        check_symmetry(variables, columns)
        f = range(len(variables))
        self.M = [[columns[max(i, j)][min(i, j)] for j in f] for i in f]

    def forces(self, subtasks: Subtask = MOTION) -> list[Scalar]:
        """Return F alone: one traversal with q̈ = 0, which the variables keep."""
        for variable in self.variables:
            variable.qdd = 0.0
        self.traverse(subtasks)
        return [variable.Q for variable in self.variables]

    def traverse(self, subtasks: Subtask = MOTION) -> None:
        """Move the chain and load it with all forces, the variables with F − M q̈."""
        self.chain.motion(subtasks)
        self.chain.clear_forces()
        with self._weight():
            self.chain.force(Subtask.ALL)

    def solve(self) -> None:
        """Give the variables the accelerations q̈ = M⁻¹ F of the last `build`."""
        self._built()
        variables = self.variables
        try:
            accelerations = solve_symmetric(self.M, self.F)
        except IndefiniteError as error:
            refuse_inertia(variables[error.index], error)
        for variable, qdd in zip(variables, accelerations, strict=True):
            variable.qdd = qdd

    # --- gravity and energy ------------------------------------------------------------------

    @property
    def gravity(self) -> Vector:
        """The gravity acceleration g [m/s²] in inertial axes: that given, or of a `Gravity`."""
        field = find_field(self.chain, self._given_gravity())
        return next((g for g in field.values() if g is not ZERO), ZERO)

    def energy(self) -> Energy:
        """Return the energy [J] of the chain as it moves now: of its masses and springs."""
        return find_energy(self.chain, self._given_gravity())

    def _given_gravity(self) -> Vector:
        return ZERO if self.frame is None else -self._lift()

    # --- printing ----------------------------------------------------------------------------

    def print_mass(self) -> None:
        """Print the mass matrix."""
        for row in self.mass_matrix:
            print(row_text(row))

    def print_force(self) -> None:
        """Print the force vector."""
        print(row_text(self.force_vector))

    def print_acceleration(self) -> None:
        """Print the accelerations."""
        print(row_text(self.accelerations))

    # --- inside ------------------------------------------------------------------------------

    def _check_subchains(self, variables: Sequence[StateVariable]) -> None:
        """Check sub-chains that were given, once for as long as nothing is appended."""
        if self._subchains is None:
            return
        parts = [id(x) for x in (*variables, *flatten(self.chain), *self.subchains)]
        if parts != self._checked:
            check_subchains(variables, self.chain, self.subchains)
            self._checked = parts

    @contextmanager
    def _at_rest(self) -> Iterator[None]:
        """Take away the accelerations of all that moves the chain, and give them back."""
        states = self.chain.inputs
        variables = [state for state in states if isinstance(state, StateVariable)]
        frames = [state for state in states if isinstance(state, Frame)]
        kept = [variable.qdd for variable in variables], [frame.A for frame in frames]
        for variable in variables:
            variable.qdd = 0.0
        for frame in frames:
            frame.A = ZERO_MOTOR
        try:
            yield
        finally:
            for variable, qdd in zip(variables, kept[0], strict=True):
                variable.qdd = qdd
            for frame, A in zip(frames, kept[1], strict=True):
                frame.A = A

    @contextmanager
    def _weight(self) -> Iterator[None]:
        """Add the acceleration −g to all moved frames while forces are computed.

        By the principle of equivalence every mass then exerts its weight. It is removed
        afterwards, so that accelerations are measured without it.
        """
        if self.frame is None:
            yield
            return
        lift = self._lift()
        frames = [state for state in self.chain.outputs if isinstance(state, Frame)]
        kept = [frame.A for frame in frames]
        for frame in frames:
            frame.A = frame.A + Motor(ZERO, frame.R.T @ lift)
        try:
            yield
        finally:
            for frame, A in zip(frames, kept, strict=True):
                frame.A = A

    def _lift(self) -> Vector:
        """Return −g in inertial axes."""
        assert self.frame is not None
        up = Vector.of(self.up)
        length = up.norm()
        if is_structural(length, 0.0):
            raise ParameterError(
                "EquationBuilder",
                f"up = {self.up!r} is not a direction.",
                "Give the axis or vector that points up, such as Z.",
                parameter="up",
                value=self.up,
            )
        return (self.frame.R @ (up / length)) * current(self.g)

    def _built(self) -> EquationBuilder:
        if len(self.F) != len(self.variables):
            raise AssemblyError(
                "EquationBuilder",
                "there are no equations yet.",
                "Call `build` before asking for them.",
            )
        return self


def row_text(values: Iterable[float]) -> str:
    """Return numbers as one line of columns."""
    return " ".join(f"{value:13.6g}" for value in values)
