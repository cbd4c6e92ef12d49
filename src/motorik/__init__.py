"""motorik: mechanisms built from parts, compiled to machine code and simulated.

Nothing heavy is loaded until it is used.
"""

from motorik import (
    assemblies,
    authoring,
    blocks,
    constraints,
    forces,
    functions,
    joints,
    parts,
    rotational,
    sensors,
    translational,
    units,
    visualizers,
)
from motorik.algebra.scalar import (
    arccos,
    arcsin,
    arctan,
    arctan2,
    cos,
    exp,
    log,
    maximum,
    minimum,
    sin,
    sqrt,
    tan,
    where,
)
from motorik.components.base.part import Part
from motorik.components.base.ports import connect
from motorik.components.base.values import Parameter, Start, guess
from motorik.errors import (
    AssemblyError,
    CompileError,
    FileFormatError,
    IncompleteRunWarning,
    InitialValueError,
    LoopError,
    MotorikError,
    ParameterError,
    PortError,
    SimulationError,
    UnitWarning,
    UnknownNameError,
    UnusedOptionWarning,
)
from motorik.joints import (
    Cylindrical,
    FreeMotion,
    FreeMotionScalarInit,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    Universal,
)
from motorik.model import Model
from motorik.names import refuse_others as _refuse_others
from motorik.parts import (
    Body,
    BodyBox,
    BodyCylinder,
    BodyShape,
    Fixed,
    FixedRotation,
    FixedTranslation,
    Marker,
    PointMass,
    World,
)
from motorik.results import Result, load_result
from motorik.units import cm, deg, kN, mm, rpm

__version__ = "0.1.0"

__all__ = [
    "AssemblyError",
    "Body",
    "BodyBox",
    "BodyCylinder",
    "BodyShape",
    "CompileError",
    "Cylindrical",
    "FileFormatError",
    "Fixed",
    "FixedRotation",
    "FixedTranslation",
    "FreeMotion",
    "FreeMotionScalarInit",
    "IncompleteRunWarning",
    "InitialValueError",
    "LoopError",
    "Marker",
    "Model",
    "MotorikError",
    "Parameter",
    "ParameterError",
    "Part",
    "Planar",
    "PointMass",
    "PortError",
    "Prismatic",
    "Result",
    "Revolute",
    "Screw",
    "SimulationError",
    "Spherical",
    "Start",
    "UnitWarning",
    "Universal",
    "UnknownNameError",
    "UnusedOptionWarning",
    "World",
    "arccos",
    "arcsin",
    "arctan",
    "arctan2",
    "assemblies",
    "authoring",
    "blocks",
    "cm",
    "connect",
    "constraints",
    "cos",
    "deg",
    "exp",
    "forces",
    "functions",
    "guess",
    "joints",
    "kN",
    "load_result",
    "log",
    "maximum",
    "minimum",
    "mm",
    "parts",
    "rotational",
    "rpm",
    "sensors",
    "sin",
    "sqrt",
    "tan",
    "translational",
    "units",
    "visualizers",
    "where",
]

__getattr__ = _refuse_others(__name__, __all__)


def __dir__() -> list[str]:
    """Return the public names."""
    return [*__all__, "__version__"]
