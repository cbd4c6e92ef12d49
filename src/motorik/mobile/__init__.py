"""MOBILE: mechanisms as programs of objects that transmit motion forward and force backward.

States        `Frame`, `AngularVariable LinearVariable PlainVariable` (a `StateVariable`, made
              for a coordinate by `variable_for`), lists of them: `FrameList VariableList
              AngularVariableList LinearVariableList`; `frames angular_variables
              linear_variables` make several by their names; `State`, their base class
Values        `MutableScalar MutableAngle MutableVector MutableRotation MutableInertia` (each
              `Mutable`: read in each traversal), `RotationMatrix XRotationMatrix YRotationMatrix
              ZRotationMatrix InertiaTensor NULL_MATRIX`, `set_neutral`; `Vector X Y Z Angle` of
              `motorik.algebra`
Elements      `Element`, the base class, with `Subtask`; `MapChain` of them
  joints      `ElementaryJoint ElementaryScrewJoint CylindricalJoint SphericalJoint
              TranslationalJoint FloatingBodyJoint`, `JointElement` for any other;
              `BRYANT_ANGLES EULER_ANGLES`
  links       `RigidLink`
  loads       `MassElement Gravity ConstantWrench LinearSpringDamper Drive`, the bases
              `Leaf ForceElement`; `LOCAL GLOBAL`
  others      `ConstantStepDriver PrescribedMotion` (each a `Driver`), `OutputGenerator
  InstantaneousScrew`, `jacobian_by_columns jacobian_by_rows`
Chords        `Chord` with `ChordBranch`; `ScalarChord`: `ChordPointPointLinear
              ChordPointPointQuadratic ChordPointPlane ChordPlanePoint ChordPlanePlane`;
              `Chord3DPosition Chord3DOrientation Chord3DPose`, `ChordList`
Solvers       `ImplicitConstraintSolver ExplicitConstraintSolver` (a `ConstraintSolver`)
Dynamics      `EquationBuilder` (M q̈ = F of a chain), `find_subchains`
  systems     `DynamicSystem` (ẏ = f(t, y), defined by the user), `MechanicalSystem
              CombinedSystem`; `KinematicSystem`, moved by its drivers alone
  integrators `AdamsIntegrator BDFIntegrator RungeKuttaIntegrator ExplicitEulerIntegrator`
              (each an `Integrator`); their `run` gives a `SystemResult`, the `Result` of a
              system, with its `Energy`
  analyses    `StaticEquilibriumFinder EigenvalueAnalysis` with its `Mode`
Source        `write_program`: a chain and its system as a program; `chain_of_model`: the
              mechanism of a model as a `ModelChain`; `ChainPart`: a chain as a part of a model
Checks        `check_element` verifies an element of your own
Scenes        `Scene` of a chain: pictures, films, a live page (`motorik.view.chains.scene`); it
              shows a `Widget` of `Slider` and `PushButton`
Compiled      `compile_chain` (a chain with its loops as machine code), `CompiledChain
              CompiledSystem`
"""

from typing import TYPE_CHECKING

from motorik.algebra.angle import Angle
from motorik.algebra.vector import Vector, X, Y, Z
from motorik.mobile.arguments import check_arguments as _check_arguments
from motorik.mobile.checks.element import check_element
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
from motorik.mobile.dynamics.kinematics import KinematicSystem
from motorik.mobile.dynamics.mechanical_system import MechanicalSystem
from motorik.mobile.dynamics.result import SystemResult
from motorik.mobile.dynamics.subchains import find_subchains
from motorik.mobile.elements.chain import MapChain
from motorik.mobile.elements.driver import ConstantStepDriver, Driver, PrescribedMotion
from motorik.mobile.elements.gravity import Gravity
from motorik.mobile.elements.instantaneous_screw import InstantaneousScrew
from motorik.mobile.elements.jacobian import jacobian_by_columns, jacobian_by_rows
from motorik.mobile.elements.joint_element import ElementaryJoint, JointElement
from motorik.mobile.elements.joints import (
    BRYANT_ANGLES,
    EULER_ANGLES,
    CylindricalJoint,
    ElementaryScrewJoint,
    FloatingBodyJoint,
    SphericalJoint,
    TranslationalJoint,
)
from motorik.mobile.elements.leaf import Leaf
from motorik.mobile.elements.link import RigidLink
from motorik.mobile.elements.load import (
    GLOBAL,
    LOCAL,
    ConstantWrench,
    ForceElement,
    LinearSpringDamper,
)
from motorik.mobile.elements.mass import MassElement
from motorik.mobile.elements.output_generator import OutputGenerator
from motorik.mobile.from_model import ModelChain, chain_of_model
from motorik.mobile.part import ChainPart
from motorik.mobile.program import write_program
from motorik.mobile.solvers.constraint_solver import ConstraintSolver
from motorik.mobile.solvers.explicit_solver import ExplicitConstraintSolver
from motorik.mobile.solvers.implicit_solver import ImplicitConstraintSolver
from motorik.mobile.states.energy import Energy
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
    MutableAngle,
    MutableInertia,
    MutableRotation,
    MutableScalar,
    MutableVector,
)
from motorik.mobile.states.named import angular_variables, frames, linear_variables
from motorik.mobile.states.neutral import set_neutral
from motorik.mobile.states.transmission import Element, State, Subtask
from motorik.mobile.states.variable import (
    AngularVariable,
    LinearVariable,
    PlainVariable,
    StateVariable,
    variable_for,
)
from motorik.mobile.widgets import PushButton, Slider, Widget

if TYPE_CHECKING:
    from motorik.view.chains.scene import Scene

from motorik.names import refuse_others as _refuse_others

__all__ = [
    "BRYANT_ANGLES",
    "EULER_ANGLES",
    "GLOBAL",
    "LOCAL",
    "NULL_MATRIX",
    "AdamsIntegrator",
    "Angle",
    "AngularVariable",
    "AngularVariableList",
    "BDFIntegrator",
    "ChainPart",
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
    "CylindricalJoint",
    "Drive",
    "Driver",
    "DynamicSystem",
    "EigenvalueAnalysis",
    "Element",
    "ElementaryJoint",
    "ElementaryScrewJoint",
    "Energy",
    "EquationBuilder",
    "ExplicitConstraintSolver",
    "ExplicitEulerIntegrator",
    "FloatingBodyJoint",
    "ForceElement",
    "Frame",
    "FrameList",
    "Gravity",
    "ImplicitConstraintSolver",
    "InertiaTensor",
    "InstantaneousScrew",
    "Integrator",
    "JointElement",
    "KinematicSystem",
    "Leaf",
    "LinearSpringDamper",
    "LinearVariable",
    "LinearVariableList",
    "MapChain",
    "MassElement",
    "MechanicalSystem",
    "Mode",
    "ModelChain",
    "Mutable",
    "MutableAngle",
    "MutableInertia",
    "MutableRotation",
    "MutableScalar",
    "MutableVector",
    "OutputGenerator",
    "PlainVariable",
    "PrescribedMotion",
    "PushButton",
    "RigidLink",
    "RotationMatrix",
    "RungeKuttaIntegrator",
    "ScalarChord",
    "Scene",
    "Slider",
    "SphericalJoint",
    "State",
    "StateVariable",
    "StaticEquilibriumFinder",
    "Subtask",
    "SystemResult",
    "TranslationalJoint",
    "VariableList",
    "Vector",
    "Widget",
    "X",
    "XRotationMatrix",
    "Y",
    "YRotationMatrix",
    "Z",
    "ZRotationMatrix",
    "angular_variables",
    "chain_of_model",
    "check_element",
    "compile_chain",
    "find_subchains",
    "frames",
    "jacobian_by_columns",
    "jacobian_by_rows",
    "linear_variables",
    "set_neutral",
    "variable_for",
    "write_program",
]

for _name in __all__:
    if isinstance(_kind := globals().get(_name), type):
        _check_arguments(_kind)

__getattr__ = _refuse_others(__name__, __all__, {"motorik.view.chains.scene": ("Scene",)})


def __dir__() -> list[str]:
    return sorted(__all__)
