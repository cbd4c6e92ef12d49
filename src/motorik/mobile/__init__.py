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

from motorik.mobile.compile import CompiledChain, compile_chain
from motorik.mobile.compiled_system import CompiledSystem
from motorik.mobile.drive import Drive
from motorik.mobile.dynamic_system import CombinedSystem, DynamicSystem
from motorik.mobile.eigenvalues import EigenvalueAnalysis, Mode
from motorik.mobile.equations import EquationBuilder
from motorik.mobile.equilibrium import StaticEquilibriumFinder
from motorik.mobile.integrator import Integrator
from motorik.mobile.integrators import (
    AdamsIntegrator,
    BDFIntegrator,
    ExplicitEulerIntegrator,
    RungeKuttaIntegrator,
)
from motorik.mobile.matrices import (
    NULL_MATRIX,
    InertiaTensor,
    RotationMatrix,
    XRotationMatrix,
    YRotationMatrix,
    ZRotationMatrix,
)
from motorik.mobile.mechanical_system import MechanicalSystem
from motorik.mobile.neutral import set_neutral
from motorik.mobile.subchains import find_subchains

__all__ = [
    "NULL_MATRIX",
    "AdamsIntegrator",
    "BDFIntegrator",
    "CombinedSystem",
    "CompiledChain",
    "CompiledSystem",
    "Drive",
    "DynamicSystem",
    "EigenvalueAnalysis",
    "EquationBuilder",
    "ExplicitEulerIntegrator",
    "InertiaTensor",
    "Integrator",
    "MechanicalSystem",
    "Mode",
    "RotationMatrix",
    "RungeKuttaIntegrator",
    "StaticEquilibriumFinder",
    "XRotationMatrix",
    "YRotationMatrix",
    "ZRotationMatrix",
    "compile_chain",
    "find_subchains",
    "set_neutral",
]
