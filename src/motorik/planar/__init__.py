"""Planar mechanisms: bodies with ports, and joints defined by vector constraints.

A `Body` has three coordinates and any number of ports, a `PointMass` two coordinates; a joint is a
constraint f of the vectors of two ports, f(OM, ON, x_i, y_i, x_j, y_j) = 0, from which velocity and
acceleration constraints and the forces at both ports follow by dual numbers (`vectors.py`). A user
defines a joint by this function alone (`VectorJoint`, in space `SpatialVectorJoint`). By default a
planar `Model` is solved in absolute coordinates with multipliers and Baumgarte's stabilisation, as
in the paper; every other strategy for loops can be chosen.

After Marquis-Favre, Bideaux and Scavarda, "A planar mechanical library in the AMESim
simulation software", Simulation Modelling Practice and Theory 14 (2006).
"""

from motorik.names import refuse_others as _refuse_others
from motorik.planar.bodies import Body, Ground, PointMass
from motorik.planar.forces import SpringDamper, VectorForce
from motorik.planar.guides import Curve, Parallel, Rod, Slot
from motorik.planar.joints import Revolute, Translational, Weld
from motorik.planar.model import Model
from motorik.planar.rolling import GearPair, RackAndPinion
from motorik.planar.vector_joint import SpatialVectorJoint, VectorJoint
from motorik.planar.vectors import PortMotion

__all__ = [
    "Body",
    "Curve",
    "GearPair",
    "Ground",
    "Model",
    "Parallel",
    "PointMass",
    "PortMotion",
    "RackAndPinion",
    "Revolute",
    "Rod",
    "Slot",
    "SpatialVectorJoint",
    "SpringDamper",
    "Translational",
    "VectorForce",
    "VectorJoint",
    "Weld",
]

__getattr__ = _refuse_others(__name__, __all__)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
