"""Orientation of freely turning bodies: initial values and states."""

from __future__ import annotations

from motorik.components.base import kinds
from motorik.components.base.declarations import parameter
from motorik.components.base.part import DeclaredPart


class StartOrientation(DeclaredPart):
    """Start angles about axes one after another, and a quaternion or angles as states."""

    angles_fixed: kinds.Boolean = parameter("whether angles_start is fixed", default=False)
    angles_start: kinds.PlainAngles = parameter(
        "start angles about sequence_start", default=(0, 0, 0)
    )
    sequence_start: kinds.AxisSequence = parameter(
        "axes of angles_start", default=(1, 2, 3)
    )
    useQuaternions: kinds.Boolean = parameter(
        "whether the states are a quaternion (else angles)", default=True
    )
    sequence_angleStates: kinds.AxisSequence = parameter(
        "axes of angle states", default=(1, 2, 3)
    )
