"""Forces in space: along lines, and given by signals.

Along lines   `Spring Damper SpringDamperParallel SpringDamperSeries`,
              `LineForceWithMass LineForceWithTwoMasses` for translational drive lines
Contact       `PointPlaneContact`
By signals    `WorldForce WorldTorque WorldForceAndTorque`, `Force Torque ForceAndTorque`
"""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.components.forces.contact import PointPlaneContact
    from motorik.components.forces.given import (
        Force,
        ForceAndTorque,
        Torque,
        WorldForce,
        WorldForceAndTorque,
        WorldTorque,
    )
    from motorik.components.forces.line import (
        Damper,
        LineForceWithMass,
        LineForceWithTwoMasses,
        Spring,
        SpringDamperParallel,
        SpringDamperSeries,
    )

__all__ = [
    "Damper",
    "Force",
    "ForceAndTorque",
    "LineForceWithMass",
    "LineForceWithTwoMasses",
    "PointPlaneContact",
    "Spring",
    "SpringDamperParallel",
    "SpringDamperSeries",
    "Torque",
    "WorldForce",
    "WorldForceAndTorque",
    "WorldTorque",
]

_HOMES = {
    "motorik.components.forces.contact": ("PointPlaneContact",),
    "motorik.components.forces.given": (
        "Force",
        "ForceAndTorque",
        "Torque",
        "WorldForce",
        "WorldForceAndTorque",
        "WorldTorque",
    ),
    "motorik.components.forces.line": (
        "Damper",
        "LineForceWithMass",
        "LineForceWithTwoMasses",
        "Spring",
        "SpringDamperParallel",
        "SpringDamperSeries",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
