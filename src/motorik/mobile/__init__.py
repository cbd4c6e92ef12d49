"""MOBILE's way of dynamics: equations of motion, systems and integrators as objects.

Equations     `EquationBuilder` (M q̈ = F of a chain), `find_subchains`
Systems       `DynamicSystem` (ẏ = f(t, y), yours to define), `MechanicalSystem`,
              `CombinedSystem`, `CompiledSystem`; `Drive`: the way in for their forces
Integrators   `AdamsIntegrator BDFIntegrator RungeKuttaIntegrator ExplicitEulerIntegrator`
Analysis      `StaticEquilibriumFinder`, `EigenvalueAnalysis`
Compiled mode `compile_chain` (a chain with its loops as machine code), `CompiledChain`
Matrices      `RotationMatrix`, `XRotationMatrix` and its relatives, `InertiaTensor`,
              `set_neutral`
"""

from motorik.mobile.chords.chord import Chord, ChordBranch
from motorik.mobile.chords.lists import ChordList
from motorik.mobile.chords.plane_plane import ChordPlanePlane
from motorik.mobile.chords.point_plane import ChordPlanePoint, ChordPointPlane
from motorik.mobile.chords.point_point import (
    ChordPointPointLinear,
    ChordPointPointQuadratic,
)
from motorik.mobile.chords.scalar import ScalarChord
from motorik.mobile.chords.spatial import Chord3DOrientation, Chord3DPose, Chord3DPosition
from motorik.mobile.compiled.chain import CompiledChain, compile_chain
from motorik.mobile.compiled.system import CompiledSystem
from motorik.mobile.dynamics.drive import Drive
from motorik.mobile.dynamics.dynamic_system import CombinedSystem, DynamicSystem
from motorik.mobile.dynamics.eigenvalues import EigenvalueAnalysis, Mode
from motorik.mobile.dynamics.equations import EquationBuilder
from motorik.mobile.dynamics.equilibrium import StaticEquilibriumFinder
from motorik.mobile.dynamics.integrator import Integrator
from motorik.mobile.dynamics.integrators import (
    AdamsIntegrator,
    BDFIntegrator,
    ExplicitEulerIntegrator,
    RungeKuttaIntegrator,
)
from motorik.mobile.dynamics.mechanical_system import MechanicalSystem
from motorik.mobile.dynamics.subchains import find_subchains
from motorik.mobile.elements.chain import MapChain
from motorik.mobile.elements.driver import ConstantStepDriver, Driver
from motorik.mobile.elements.gravity import Gravity
from motorik.mobile.elements.instantaneous_screw import InstantaneousScrew
from motorik.mobile.elements.jacobian import jacobian_by_columns, jacobian_by_rows
from motorik.mobile.elements.joint_element import ElementaryJoint, JointElement
from motorik.mobile.elements.leaf import Leaf
from motorik.mobile.elements.link import MultipleLink, RigidLink
from motorik.mobile.elements.load import ConstantWrench, ForceElement, LinearSpringDamper
from motorik.mobile.elements.mass import MassElement
from motorik.mobile.elements.output_generator import OutputGenerator
from motorik.mobile.solvers.constraint_solver import ConstraintSolver
from motorik.mobile.solvers.explicit_solver import ExplicitConstraintSolver
from motorik.mobile.solvers.implicit_solver import ImplicitConstraintSolver
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.lists import (
    AngularVariableList,
    FrameList,
    LinearVariableList,
    VariableList,
)
from motorik.mobile.states.matrices import (
    NULL_MATRIX,
    InertiaTensor,
    RotationMatrix,
    XRotationMatrix,
    YRotationMatrix,
    ZRotationMatrix,
)
from motorik.mobile.states.mutable import (
    Mutable,
    MutableInertia,
    MutableRotation,
    MutableScalar,
    MutableVector,
)
from motorik.mobile.states.neutral import set_neutral
from motorik.mobile.states.transmission import Element, State, Subtask
from motorik.mobile.states.variable import (
    AngularVariable,
    LinearVariable,
    PlainVariable,
    StateVariable,
    variable_for,
)

__all__ = [
    "NULL_MATRIX",
    "AdamsIntegrator",
    "AngularVariable",
    "AngularVariableList",
    "BDFIntegrator",
    "Chord",
    "Chord3DOrientation",
    "Chord3DPose",
    "Chord3DPosition",
    "ChordBranch",
    "ChordList",
    "ChordPlanePlane",
    "ChordPlanePoint",
    "ChordPointPlane",
    "ChordPointPointLinear",
    "ChordPointPointQuadratic",
    "CombinedSystem",
    "CompiledChain",
    "CompiledSystem",
    "ConstantStepDriver",
    "ConstantWrench",
    "ConstraintSolver",
    "Drive",
    "Driver",
    "DynamicSystem",
    "EigenvalueAnalysis",
    "Element",
    "ElementaryJoint",
    "EquationBuilder",
    "ExplicitConstraintSolver",
    "ExplicitEulerIntegrator",
    "ForceElement",
    "Frame",
    "FrameList",
    "Gravity",
    "ImplicitConstraintSolver",
    "InertiaTensor",
    "InstantaneousScrew",
    "Integrator",
    "JointElement",
    "Leaf",
    "LinearSpringDamper",
    "LinearVariable",
    "LinearVariableList",
    "MapChain",
    "MassElement",
    "MechanicalSystem",
    "Mode",
    "MultipleLink",
    "Mutable",
    "MutableInertia",
    "MutableRotation",
    "MutableScalar",
    "MutableVector",
    "OutputGenerator",
    "PlainVariable",
    "RigidLink",
    "RotationMatrix",
    "RungeKuttaIntegrator",
    "ScalarChord",
    "State",
    "StateVariable",
    "StaticEquilibriumFinder",
    "Subtask",
    "VariableList",
    "XRotationMatrix",
    "YRotationMatrix",
    "ZRotationMatrix",
    "compile_chain",
    "find_subchains",
    "jacobian_by_columns",
    "jacobian_by_rows",
    "set_neutral",
    "variable_for",
]
