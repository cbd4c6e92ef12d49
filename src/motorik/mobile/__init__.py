"""MOBILE's way of dynamics: equations of motion, systems and integrators as objects."""

from motorik.mobile.drive import Drive
from motorik.mobile.dynamic_system import CombinedSystem, DynamicSystem
from motorik.mobile.equations import EquationBuilder
from motorik.mobile.integrator import Integrator
from motorik.mobile.integrators import (
    AdamsIntegrator,
    BDFIntegrator,
    ExplicitEulerIntegrator,
    RungeKuttaIntegrator,
)
from motorik.mobile.mechanical_system import MechanicalSystem
from motorik.mobile.subchains import find_subchains
