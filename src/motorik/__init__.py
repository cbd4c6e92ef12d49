"""motorik: mechanisms built from parts, compiled to machine code and simulated.

Nothing heavy is loaded until it is used: `motorik.gallery`, `motorik.mobile`, `motorik.view` and
the like are imported by the first use of their name.
"""

from typing import TYPE_CHECKING

from motorik.names import LAZY as _LAZY_MODULES
from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik import algebra as algebra
    from motorik import analysis as analysis
    from motorik import (
        assemblies,
        authoring,
        blocks,
        constraints,
        electrical,
        forces,
        functions,
        heat,
        hydraulic,
        joints,
        magnetic,
        parts,
        rotational,
        sensors,
        translational,
        units,
        visualizers,
    )
    from motorik import checks as checks
    from motorik import documents as documents
    from motorik import errors as errors
    from motorik import exchange as exchange
    from motorik import gallery as gallery
    from motorik import mobile as mobile
    from motorik import planar as planar
    from motorik import results as results
    from motorik import view as view
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
    from motorik.components.base.description import describe
    from motorik.components.base.part import Part
    from motorik.components.base.ports import connect
    from motorik.components.base.values import Parameter, Start, guess, steady
    from motorik.documents import Document, load_document
    from motorik.errors import (
        AssemblyError,
        CompileError,
        EquationError,
        EquationWarning,
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
    from motorik.loops.options import LoopOptions
    from motorik.model import Model
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
    from motorik.simulation.options import SolverOptions
    from motorik.units import cm, deg, kN, mm, rpm
    from motorik.view.studio.door import studio

__version__ = "0.1.0"

__all__ = [
    "AssemblyError",
    "Body",
    "BodyBox",
    "BodyCylinder",
    "BodyShape",
    "CompileError",
    "Cylindrical",
    "Document",
    "EquationError",
    "EquationWarning",
    "FileFormatError",
    "Fixed",
    "FixedRotation",
    "FixedTranslation",
    "FreeMotion",
    "FreeMotionScalarInit",
    "IncompleteRunWarning",
    "InitialValueError",
    "LoopError",
    "LoopOptions",
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
    "SolverOptions",
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
    "describe",
    "electrical",
    "exp",
    "forces",
    "functions",
    "guess",
    "heat",
    "hydraulic",
    "joints",
    "kN",
    "load_document",
    "load_result",
    "log",
    "magnetic",
    "maximum",
    "minimum",
    "mm",
    "parts",
    "rotational",
    "rpm",
    "sensors",
    "sin",
    "sqrt",
    "steady",
    "studio",
    "tan",
    "translational",
    "units",
    "visualizers",
    "where",
]

_HOMES = {
    "motorik.algebra.scalar": (
        "arccos",
        "arcsin",
        "arctan",
        "arctan2",
        "cos",
        "exp",
        "log",
        "maximum",
        "minimum",
        "sin",
        "sqrt",
        "tan",
        "where",
    ),
    "motorik.components.base.description": ("describe",),
    "motorik.components.base.part": ("Part",),
    "motorik.components.base.ports": ("connect",),
    "motorik.components.base.values": (
        "Parameter",
        "Start",
        "guess",
        "steady",
    ),
    "motorik.documents": ("Document", "load_document"),
    "motorik.errors": (
        "AssemblyError",
        "CompileError",
        "EquationError",
        "EquationWarning",
        "FileFormatError",
        "IncompleteRunWarning",
        "InitialValueError",
        "LoopError",
        "MotorikError",
        "ParameterError",
        "PortError",
        "SimulationError",
        "UnitWarning",
        "UnknownNameError",
        "UnusedOptionWarning",
    ),
    "motorik.joints": (
        "Cylindrical",
        "FreeMotion",
        "FreeMotionScalarInit",
        "Planar",
        "Prismatic",
        "Revolute",
        "Screw",
        "Spherical",
        "Universal",
    ),
    "motorik.model": ("Model",),
    "motorik.parts": (
        "Body",
        "BodyBox",
        "BodyCylinder",
        "BodyShape",
        "Fixed",
        "FixedRotation",
        "FixedTranslation",
        "Marker",
        "PointMass",
        "World",
    ),
    "motorik.results": (
        "Result",
        "load_result",
    ),
    "motorik.view.studio.door": ("studio",),
    "motorik.units": (
        "cm",
        "deg",
        "kN",
        "mm",
        "rpm",
    ),
    "motorik.loops.options": ("LoopOptions",),
    "motorik.simulation.options": ("SolverOptions",),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names, with the modules that are imported when they are first used."""
    return [*__all__, *_LAZY_MODULES, "__version__"]
