"""The catalogue of parts: what users connect."""

from motorik.components import (
    assemblies,
    blocks,
    constraints,
    forces,
    gear_constraint,
    rods,
    rolling,
    rotational,
    rotor,
    sensors,
    translational,
)
from motorik.components.bodies import Body, BodyBox, BodyCylinder, BodyShape, PointMass
from motorik.components.composite import Composite
from motorik.components.floating import FreeMotion, Spherical
from motorik.components.floating_scalars import FreeMotionScalarInit
from motorik.components.joints import (
    Cylindrical,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Universal,
)
from motorik.components.lines import Compliant
from motorik.components.part import (
    Part,
    Variable,
    frame,
    parameter,
    rotational_flange,
    signal_input,
    signal_output,
    start,
    translational_flange,
)
from motorik.components.ports import Port, PortKind, connect
from motorik.components.rigid import Fixed, FixedRotation, FixedTranslation
from motorik.components.values import (
    Derived,
    Parameter,
    Start,
    as_axis,
    as_boolean,
    as_choice,
    as_number,
    as_vector,
    guess,
)
from motorik.components.visual import Marker
from motorik.components.world import World

__all__ = [
    "Body",
    "BodyBox",
    "BodyCylinder",
    "BodyShape",
    "Compliant",
    "Composite",
    "Cylindrical",
    "Derived",
    "Fixed",
    "FixedRotation",
    "FixedTranslation",
    "FreeMotion",
    "FreeMotionScalarInit",
    "Marker",
    "Parameter",
    "Part",
    "Planar",
    "PointMass",
    "Port",
    "PortKind",
    "Prismatic",
    "Revolute",
    "Screw",
    "Spherical",
    "Start",
    "Universal",
    "Variable",
    "World",
    "as_axis",
    "as_boolean",
    "as_choice",
    "as_number",
    "as_vector",
    "assemblies",
    "blocks",
    "connect",
    "constraints",
    "forces",
    "frame",
    "gear_constraint",
    "guess",
    "parameter",
    "rods",
    "rolling",
    "rotational",
    "rotational_flange",
    "rotor",
    "sensors",
    "signal_input",
    "signal_output",
    "start",
    "translational",
    "translational_flange",
]
