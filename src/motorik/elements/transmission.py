"""Element: what every transmission element is, motion forward and force backward."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Flag, auto
from typing import Protocol


class Subtask(Flag):
    """Parts of a traversal, to be combined with ``|``.

    ============  =====================================  ==============================
    subtask       in `motion`                            in `force`
    ============  =====================================  ==============================
    POSITION      q′ = φ(q)
    VELOCITY      q̇′ = J q̇
    EULER         J q̈: linear in the accelerations       inertia force −𝔐 ∘ v°
    CORIOLIS      J̇ q̇: quadratic in the velocities       inertia force −v × 𝔐 ∘ v
    EXTERNAL                                             Jᵀ Q′: handed on from the output
    INTERNAL                                             springs, dampers, given wrenches
    ============  =====================================  ==============================

    ACCELERATION in motion and INERTIA in force are both EULER | CORIOLIS. EULER alone,
    with EXTERNAL, is the mass matrix times q̈; gravity belongs to CORIOLIS (see `Gravity`).
    """

    POSITION = auto()
    VELOCITY = auto()
    EULER = auto()
    CORIOLIS = auto()
    EXTERNAL = auto()
    INTERNAL = auto()

    ACCELERATION = EULER | CORIOLIS
    INERTIA = EULER | CORIOLIS
    ALL = POSITION | VELOCITY | EULER | CORIOLIS | EXTERNAL | INTERNAL


class State(Protocol):
    """A state object, `Frame` or `StateVariable`: connects elements and gathers force."""

    name: str

    def clear_force(self) -> None:
        """Take the force away."""


class Element(ABC):
    """A kinetostatic transmission element between state objects, Kecskeméthy 1999, §4.2.

    Motion goes forward, force comes back:

        q′ = φ(q),   q̇′ = J q̇,   q̈′ = J q̈ + J̇ q̇,   Q += Jᵀ Q′ + Q̂

    An element reads and writes only its state objects, on numbers at once and on symbols
    when these hold symbols. A force traversal adds to what the inputs carry already:
    begin it with `clear_forces`. Elements without outputs are leaves: masses and loads.
    """

    @property
    @abstractmethod
    def inputs(self) -> Sequence[State]:
        """The state objects whose motion is read and to whose force is added."""

    @property
    @abstractmethod
    def outputs(self) -> Sequence[State]:
        """The state objects whose motion is written and whose force is read."""

    @abstractmethod
    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit motion from the inputs to the outputs."""

    @abstractmethod
    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit force from the outputs to the inputs, and add the element's own."""

    def clear_forces(self) -> None:
        """Take the forces away from all state objects of the element."""
        for state in (*self.inputs, *self.outputs):
            state.clear_force()
