"""Forces in space: along lines, and given by signals.

Along lines   `Spring Damper SpringDamperParallel SpringDamperSeries`,
              `LineForceWithMass LineForceWithTwoMasses` for translational drive lines
Contact       `PointPlaneContact`
By signals    `WorldForce WorldTorque WorldForceAndTorque`, `Force Torque ForceAndTorque`
"""

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
from motorik.names import refuse_others as _refuse_others

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

__getattr__ = _refuse_others(__name__, __all__)
