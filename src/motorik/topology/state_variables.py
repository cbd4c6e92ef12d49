"""StateVariableSpec: a coordinate, a speed or a state of a block."""

from __future__ import annotations

from motorik.components.base.values import Start
from motorik.immutable import immutable


@immutable
class StateVariableSpec:
    """A coordinate or speed of the mechanism: its name, unit, start value and usual size."""

    name: str
    unit: str
    start: Start
    nominal: float = 1.0
