"""Joints and transmission elements: motion goes forward, force comes back."""

from motorik.elements.ball import Ball
from motorik.elements.ball_angles import BallAngles
from motorik.elements.chain import MapChain
from motorik.elements.chord import Branch, Chord
from motorik.elements.chord_list import ChordList
from motorik.elements.chord_plane_plane import ChordPlanePlane
from motorik.elements.chord_point_plane import ChordPlanePoint, ChordPointPlane
from motorik.elements.chord_point_point import (
    ChordPointPointLinear,
    ChordPointPointQuadratic,
)
from motorik.elements.chord_spatial import (
    Chord3DOrientation,
    Chord3DPose,
    Chord3DPosition,
)
from motorik.elements.constraint_solver import ConstraintSolver
from motorik.elements.cross import Cross
from motorik.elements.cylinder import Cylinder
from motorik.elements.driver import ConstantStepDriver, Driver
from motorik.elements.explicit_solver import ExplicitConstraintSolver
from motorik.elements.frame import Frame
from motorik.elements.free import Free
from motorik.elements.free_angles import FreeAngles
from motorik.elements.free_cardan import FreeCardan
from motorik.elements.gravity import Gravity
from motorik.elements.helix import Helix
from motorik.elements.implicit_solver import ImplicitConstraintSolver
from motorik.elements.instantaneous_screw import InstantaneousScrew
from motorik.elements.jacobian import jacobian_by_columns, jacobian_by_rows
from motorik.elements.joint import Coordinate, Joint, Reversed, combine
from motorik.elements.joint_element import ElementaryJoint, JointElement
from motorik.elements.leaf import Leaf
from motorik.elements.link import MultipleLink, RigidLink
from motorik.elements.lists import (
    AngularVariableList,
    FrameList,
    LinearVariableList,
    VariableList,
)
from motorik.elements.load import ConstantWrench, ForceElement, LinearSpringDamper
from motorik.elements.mass import MassElement
from motorik.elements.output_generator import OutputGenerator
from motorik.elements.parameters import (
    Mutable,
    MutableInertia,
    MutableRotation,
    MutableScalar,
    MutableVector,
)
from motorik.elements.plane import Plane
from motorik.elements.scalar_chord import ScalarChord
from motorik.elements.slide import Slide
from motorik.elements.translation import Translation
from motorik.elements.transmission import Element, State, Subtask
from motorik.elements.turn import Turn
from motorik.elements.variable import (
    AngularVariable,
    LinearVariable,
    PlainVariable,
    StateVariable,
    variable_for,
)

# what every joint is, and its kinds
__all__ = [
    "Ball",
    "BallAngles",
    "Coordinate",
    "Cross",
    "Cylinder",
    "Free",
    "FreeAngles",
    "FreeCardan",
    "Helix",
    "Joint",
    "Plane",
    "Reversed",
    "Slide",
    "Translation",
    "Turn",
    "combine",
]

# state objects, lists of them, and parameters that are references
__all__ += [
    "AngularVariable",
    "AngularVariableList",
    "Frame",
    "FrameList",
    "LinearVariable",
    "LinearVariableList",
    "Mutable",
    "MutableInertia",
    "MutableRotation",
    "MutableScalar",
    "MutableVector",
    "PlainVariable",
    "State",
    "StateVariable",
    "VariableList",
    "variable_for",
]

# transmission elements
__all__ += [
    "ConstantStepDriver",
    "ConstantWrench",
    "Driver",
    "Element",
    "ElementaryJoint",
    "ForceElement",
    "Gravity",
    "InstantaneousScrew",
    "JointElement",
    "Leaf",
    "LinearSpringDamper",
    "MapChain",
    "MassElement",
    "MultipleLink",
    "OutputGenerator",
    "RigidLink",
    "Subtask",
    "jacobian_by_columns",
    "jacobian_by_rows",
]

# measurements, and the solvers of loops
__all__ += [
    "Branch",
    "Chord",
    "Chord3DOrientation",
    "Chord3DPose",
    "Chord3DPosition",
    "ChordList",
    "ChordPlanePlane",
    "ChordPlanePoint",
    "ChordPointPlane",
    "ChordPointPointLinear",
    "ChordPointPointQuadratic",
    "ConstraintSolver",
    "ExplicitConstraintSolver",
    "ImplicitConstraintSolver",
    "ScalarChord",
]
