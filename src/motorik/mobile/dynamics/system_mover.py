"""SystemMover: an element whose motion is that of a dynamic system as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.elements.motion_source import MotionSource
from motorik.mobile.states.transmission import State


class SystemMover(MotionSource):
    """A source of motion that sets the conditions of a system, from where this is now."""

    def __init__(self, system: DynamicSystem) -> None:
        self.system = system

    @property
    def outputs(self) -> Sequence[State]:
        """The variables that the system sets in motion."""
        return self.system.moved
