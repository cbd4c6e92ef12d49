"""Element: what every transmission element is, motion forward and force backward."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from enum import Flag, auto
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from motorik.algebra.scalar import Scalar
from motorik.errors import AssemblyError
from motorik.mobile.states.energy import Energy, Field

if TYPE_CHECKING:
    from motorik.mobile.dynamics.arguments import Direction
    from motorik.mobile.states.frame import Frame
    from motorik.mobile.states.mutable import Mutable, MutableScalar

T = TypeVar("T")

Load = Any
"""The force of a state object: a motor of a frame, a number of a variable."""

Memory = Any
"""The value that `keep` returns and `restore` of the same object takes."""


class Subtask(Flag):
    """Parts of a traversal, to be combined with ``|``.

    ================  ====================================  ==============================
    subtask           in `motion`                           in `force`
    ================  ====================================  ==============================
    ROTATION          orientations of q′ = φ(q)
    TRANSLATION       displacements of q′ = φ(q)
    VELOCITY          q̇′ = J q̇
    EULER             J q̈: linear in the accelerations      inertia force −𝔐 ∘ v°
    COMPUTE_CORIOLIS  find and keep J̇ q̇
    USE_CORIOLIS      add the J̇ q̇ that was kept             inertia force −v × 𝔐 ∘ v
    EXTERNAL                                                Jᵀ Q′: from the output
    COMPUTE_INTERNAL                                        find and keep the source forces
    USE_INTERNAL                                            add the source forces kept
    ================  ====================================  ==============================

    Together: POSITION = ROTATION | TRANSLATION, CORIOLIS = COMPUTE_CORIOLIS | USE_CORIOLIS,
    ACCELERATION (in motion) and INERTIA (in force) = EULER | CORIOLIS, INTERNAL (springs,
    dampers, given wrenches) = COMPUTE_INTERNAL | USE_INTERNAL.

    EULER alone, with EXTERNAL, is the mass matrix times q̈; gravity belongs to CORIOLIS (see
    `Gravity`). A dependent variable, which a solver moves, has in its q̈ only the terms
    asked for, and takes part in EULER and CORIOLIS alike.
    """

    ROTATION = auto()
    TRANSLATION = auto()
    VELOCITY = auto()
    EULER = auto()
    COMPUTE_CORIOLIS = auto()
    USE_CORIOLIS = auto()
    EXTERNAL = auto()
    COMPUTE_INTERNAL = auto()
    USE_INTERNAL = auto()

    NOTHING = 0
    POSITION = ROTATION | TRANSLATION
    CORIOLIS = COMPUTE_CORIOLIS | USE_CORIOLIS
    ACCELERATION = EULER | CORIOLIS
    INERTIA = EULER | CORIOLIS
    INTERNAL = COMPUTE_INTERNAL | USE_INTERNAL
    ALL = POSITION | VELOCITY | ACCELERATION | EXTERNAL | INTERNAL


class State(Protocol):
    """A state object, `Frame` or `StateVariable`: connects elements and gathers force."""

    name: str

    def clear_force(self) -> None:
        """Take the force away."""

    def add_force(self, force: Load, /) -> None:
        """Add to the force."""

    def take_force(self) -> Load:
        """Take the force away and return it."""

    def clear_acceleration(self) -> None:
        """Take the acceleration away."""

    def keep(self) -> Memory:
        """Return motion and force, for `restore`."""

    def restore(self, kept: Memory) -> None:
        """Restore the values that `keep` returned."""

    @property
    def acceleration_entries(self) -> Sequence[Scalar]:
        """The acceleration as a sequence of scalars."""
        ...

    def load_along(self, index: int) -> None:
        """Replace the force by the unit one that works along this component of motion."""


class Element(ABC):
    """A kinetostatic transmission element between state objects, Kecskeméthy 1999, §4.2.

    Motion goes forward, force comes back:

        q′ = φ(q),   q̇′ = J q̇,   q̈′ = J q̈ + J̇ q̇,   Q += Jᵀ Q′ + Q̂

    An element reads and writes only its state objects, on numbers at once and on symbols
    when these hold symbols. Parameters are references, read in each traversal. A force
    traversal adds to what the inputs carry already: begin it with `clear_forces`. Elements
    without outputs are leaves: masses and loads.
    """

    @property
    @abstractmethod
    def inputs(self) -> Sequence[State]:
        """The state objects whose motion is read and to whose force is added."""

    @property
    @abstractmethod
    def outputs(self) -> Sequence[State]:
        """The state objects whose motion is written and whose force is read."""

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The parameters that may be changed after the element is made."""
        return ()

    @property
    def touched(self) -> Sequence[State]:
        """All state objects that a traversal may change."""
        return (*self.inputs, *self.outputs)

    @property
    def inner(self) -> Sequence[Element]:
        """The elements that this one consists of; none for a joint, a link or a load."""
        return ()

    def energy(self, field: Field) -> Energy:
        """Return the energy [J] of the element itself, without that of `inner` elements.

        `field` gives the gravity acceleration at a frame. Springs and masses have energy;
        what a given force or a drive does is work, and no energy of the mechanism.
        """
        return Energy()

    @abstractmethod
    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit motion from the inputs to the outputs."""

    @abstractmethod
    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit force from the outputs to the inputs, and add the element's own."""

    def inverse_dynamics(
        self,
        frame: Frame | None = None,
        up: Direction = (0.0, 0.0, 1.0),
        g: Scalar | MutableScalar = 9.81,
    ) -> list[Scalar]:
        """Return the forces that drives must exert [N, N·m] on the variables that move it: −Q.

        They belong to the present q, q̇, q̈ of the variables, in the order of `inputs`, those of
        drivers in the chain last. Forces of before are cleared, then the element is moved and
        loaded.
        Weight acts opposite to `up` in the axes of the resting `frame`; without it there is none.
        """
        from motorik.mobile.dynamics.kinematics import drive_forces

        return drive_forces(self, frame, up, g)

    def keep(self) -> Memory:
        """Return the memory of the element of its traversals, for `restore`."""
        return [element.keep() for element in self.inner]

    def restore(self, kept: Memory) -> None:
        """Restore the values that `keep` returned."""
        for element, memory in zip(self.inner, kept, strict=True):
            element.restore(memory)

    def clear_forces(self) -> None:
        """Take the forces away from all state objects of the element."""
        for state in self.touched:
            state.clear_force()


def walk(*elements: Element) -> Iterator[Element]:
    """Yield elements and all elements within them, each once, the outer before the inner."""
    seen: set[int] = set()
    waiting = list(reversed(elements))
    while waiting:
        element = waiting.pop()
        if id(element) not in seen:
            seen.add(id(element))
            yield element
            waiting += reversed(element.inner)


def already_computed(value: T | None, term: str, element: Element) -> T:
    """Return the value of a term that an element has kept, or refuse if there is none."""
    if value is None:
        raise AssemblyError(
            repr(element),
            f"USE_{term} is asked for before anything was computed.",
            f"Begin with a traversal that has COMPUTE_{term}.",
        )
    return value


def unique(*groups: Sequence[State]) -> tuple[State, ...]:
    """Return the state objects of several groups, each once, in order."""
    return tuple({id(state): state for group in groups for state in group}.values())


def without(states: Sequence[State], others: Sequence[State]) -> tuple[State, ...]:
    """Return the state objects that are not among the others."""
    known = {id(state) for state in others}
    return tuple(state for state in states if id(state) not in known)
