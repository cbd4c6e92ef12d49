"""Kinds of parameters and start values, with their units and limits.

Given as annotations of declarations: ``L: kinds.Length = parameter("length", default=1.0)``.
A number may be live unless its kind is called Plain…; limits are those of the class's keywords.
"""

from __future__ import annotations

from motorik.components.base.choices import (
    AnalogFilter,
    AxisSequence,
    ColorMap,
    ControllerType,
    Count,
    CountOrEndless,
    CurveTable,
    Extrapolation,
    Factors,
    FilterType,
    FrictionTable,
    Function,
    FunctionOfMotion,
    FunctionOfTime,
    GravityField,
    GravityType,
    InertiaTensor,
    InitType,
    NumberOrNumbers,
    Numbers,
    OptionalAxis,
    OptionalCount,
    OptionalNumbers,
    OptionalResolveInFrameAB,
    OptionalTable,
    PlainTable,
    Regularization,
    ResolveInFrameA,
    ResolveInFrameAB,
    ResolveInFrameB,
    RotationType,
    Smoothness,
    StateSelect,
    SurfaceTable,
    Table,
    TimeTable,
    Truths,
    Turn,
    Turns,
    VectorQuantity,
    WholeNumber,
)
from motorik.components.base.kind import (
    Axis,
    AxisName,
    Boolean,
    Choice,
    Kind,
    Number,
    Numbers3,
    OptionalNumber,
    StartNumber,
    StartVector,
    Text,
)

# --- numbers without a unit ---------------------------------------------------------------


class Factor(Number, unit="1"):
    """A factor or ratio."""


class FactorOrZero(Number, unit="1", minimum=0.0):
    """A factor that may be zero, but not negative."""


class PositiveFactor(Number, unit="1", above=0.0):
    """A factor above zero."""


class PeakFactor(Number, unit="1", minimum=1.0):
    """The maximum static friction / sliding friction at rest, from 1 on."""


class Exponent(Number, unit="1", minimum=1.0):
    """An exponent from 1 on."""


class Share(Number, unit="1", minimum=0.0, maximum=1.0):
    """A share of a whole, from 0 to 1."""


class Percentage(Number, unit="1", above=0.0, maximum=100.0):
    """A share above zero, in percent."""


class Restitution(Number, unit="1", minimum=0.0, maximum=1.0):
    """The speed after an impact / the speed before it, from 0 to 1."""


class PlainNumber(Number, plain=True):
    """A number that is needed before the run."""


class PlainPositiveFactor(Number, unit="1", above=0.0, plain=True):
    """A factor above zero that is needed before the run."""


class OptionalValue(OptionalNumber, of=Number):
    """A number of any unit, or None."""


class OptionalPlainNumber(OptionalNumber, of=PlainNumber):
    """A number that is needed before the run, or None."""


__all__ = [
    "Acceleration",
    "AnalogFilter",
    "Angle",
    "AngleOrZero",
    "AngularVelocity",
    "Area",
    "Axis",
    "AxisName",
    "AxisSequence",
    "Boolean",
    "Choice",
    "ColorMap",
    "ConductanceOrZero",
    "ControllerType",
    "Count",
    "CountOrEndless",
    "CurveTable",
    "Damping",
    "Density",
    "Distance",
    "Duration",
    "DurationOrZero",
    "Exponent",
    "Extrapolation",
    "Factor",
    "FactorOrZero",
    "Factors",
    "FilterType",
    "Force",
    "ForceConstant",
    "ForceOrZero",
    "Frequency",
    "FrictionTable",
    "Function",
    "FunctionOfMotion",
    "FunctionOfTime",
    "GasConstant",
    "GravityConstant",
    "GravityField",
    "GravityType",
    "InertiaElement",
    "InertiaTensor",
    "InitType",
    "Kind",
    "Length",
    "LengthOrZero",
    "Mass",
    "MomentOfInertia",
    "Number",
    "NumberOrNumbers",
    "Numbers",
    "Numbers3",
    "OptionalAxis",
    "OptionalCount",
    "OptionalDistance",
    "OptionalDuration",
    "OptionalLength",
    "OptionalNumber",
    "OptionalNumbers",
    "OptionalPlainDistance",
    "OptionalPlainNumber",
    "OptionalResolveInFrameAB",
    "OptionalTable",
    "OptionalTemperature",
    "OptionalTime",
    "OptionalValue",
    "PeakFactor",
    "PerTemperature",
    "Percentage",
    "PlainAngle",
    "PlainAngles",
    "PlainAngularAccelerations",
    "PlainAngularVelocities",
    "PlainDistance",
    "PlainDuration",
    "PlainNumber",
    "PlainPositiveFactor",
    "PlainPositiveFrequency",
    "PlainTable",
    "PlainTime",
    "Position",
    "PositiveAngularVelocity",
    "PositiveDamping",
    "PositiveFactor",
    "PositiveFrequency",
    "PositiveMass",
    "PositiveMomentOfInertia",
    "PositiveResistance",
    "PositiveVelocity",
    "PositiveVoltage",
    "Rate",
    "Regularization",
    "ResistanceOrZero",
    "ResolveInFrameA",
    "ResolveInFrameAB",
    "ResolveInFrameB",
    "Restitution",
    "RotationType",
    "Share",
    "Smoothness",
    "StartAcceleration",
    "StartAccelerations",
    "StartAngle",
    "StartAngleRates",
    "StartAngles",
    "StartAngularAcceleration",
    "StartAngularVelocity",
    "StartCurrent",
    "StartDistance",
    "StartNumber",
    "StartPosition",
    "StartVector",
    "StartVelocities",
    "StartVelocity",
    "StateSelect",
    "Stiffness",
    "SurfaceTable",
    "Table",
    "Temperature",
    "Text",
    "Time",
    "TimePerLength",
    "TimeTable",
    "Torque",
    "TorqueConstant",
    "TorsionalDamping",
    "TorsionalStiffness",
    "Truths",
    "Turn",
    "TurnPerLength",
    "Turns",
    "VectorQuantity",
    "Velocity",
    "VoltageOrZero",
    "Volume",
    "WholeNumber",
]


# --- lengths, angles and time ----------------------------------------------------------------


class Distance(Number, unit="m"):
    """A distance with a sign [m]."""


class PlainDistance(Number, unit="m", plain=True):
    """A distance that is needed before the run [m]."""


class OptionalDistance(OptionalNumber, of=Distance):
    """A distance, or None."""


class OptionalPlainDistance(OptionalNumber, of=PlainDistance):
    """A distance that is needed before the run, or None."""


class Length(Number, unit="m", above=0.0):
    """A length above zero [m]."""


class LengthOrZero(Number, unit="m", minimum=0.0):
    """A length that may be zero [m]."""


class OptionalLength(OptionalNumber, of=LengthOrZero):
    """A length that may be zero, or None."""


class Area(Number, unit="m2", minimum=0.0):
    """An area [m2]."""


class Volume(Number, unit="m3"):
    """A volume [m3]."""


class Angle(Number, unit="rad"):
    """An angle [rad]."""


class AngleOrZero(Number, unit="rad", minimum=0.0):
    """An angle that may be zero, but not negative [rad]."""


class PlainAngle(Number, unit="rad", plain=True):
    """An angle that is needed before the run [rad]."""


class TurnPerLength(Number, unit="rad/m"):
    """An angle of rotation for each metre [rad/m]."""


class Time(Number, unit="s"):
    """A time [s]."""


class OptionalTime(OptionalNumber, of=Time):
    """A time, or None."""


class Temperature(Number, unit="K", minimum=0.0):
    """An absolute temperature [K]."""


class OptionalTemperature(OptionalNumber, of=Temperature):
    """An absolute temperature, or None."""


class PerTemperature(Number, unit="1/K"):
    """A relative change for each kelvin [1/K]."""


class Duration(Number, unit="s", above=0.0):
    """A duration above zero, a time constant [s]."""


class PlainTime(Number, unit="s", plain=True):
    """A time that is needed before the run [s]."""


class PlainDuration(Number, unit="s", above=0.0, plain=True):
    """A duration above zero that is needed before the run [s]."""


class DurationOrZero(Number, unit="s", minimum=0.0):
    """A duration that may be zero [s]."""


class OptionalDuration(OptionalNumber, of=DurationOrZero):
    """A duration that may be zero, or None."""


class Frequency(Number, unit="Hz"):
    """A frequency [Hz]."""


class Rate(Number, unit="1/s"):
    """A rate of growth or decay [1/s]."""


class PositiveFrequency(Number, unit="Hz", above=0.0):
    """A frequency above zero [Hz]."""


class PlainPositiveFrequency(Number, unit="Hz", above=0.0, plain=True):
    """A frequency above zero that is needed before the run [Hz]."""


class Velocity(Number, unit="m/s"):
    """A velocity [m/s]."""


class PositiveVelocity(Number, unit="m/s", above=0.0):
    """A velocity above zero [m/s]."""


class TimePerLength(Number, unit="s/m", minimum=0.0):
    """The rate by which something decays with the speed [s/m]."""


class AngularVelocity(Number, unit="rad/s"):
    """An angular velocity [rad/s]."""


class PositiveAngularVelocity(Number, unit="rad/s", above=0.0):
    """An angular velocity above zero [rad/s]."""


class Acceleration(Number, unit="m/s2"):
    """An acceleration [m/s2]."""


# --- mass and force --------------------------------------------------------------------------


class Mass(Number, unit="kg", minimum=0.0):
    """A mass, which may be zero [kg]."""


class PositiveMass(Number, unit="kg", above=0.0):
    """A mass above zero [kg]."""


class Density(Number, unit="kg/m3", above=0.0):
    """A density [kg/m3]."""


class MomentOfInertia(Number, unit="kg.m2", minimum=0.0):
    """A moment of inertia, which may be zero [kg.m2]."""


class PositiveMomentOfInertia(Number, unit="kg.m2", above=0.0):
    """A moment of inertia above zero [kg.m2]."""


class InertiaElement(Number, unit="kg.m2"):
    """An element of an inertia tensor, with a sign [kg.m2]."""


class Force(Number, unit="N"):
    """A force [N]."""


class ForceOrZero(Number, unit="N", minimum=0.0):
    """A force that may be zero, but not negative [N]."""


class Torque(Number, unit="N.m"):
    """A torque [N.m]."""


class Stiffness(Number, unit="N/m", minimum=0.0):
    """The stiffness of a spring [N/m]."""


class TorsionalStiffness(Number, unit="N.m/rad", minimum=0.0):
    """The stiffness of a torsional spring [N.m/rad]."""


class Damping(Number, unit="N.s/m", minimum=0.0):
    """The constant of a damper [N.s/m]."""


class PositiveDamping(Number, unit="N.s/m", above=0.0):
    """The constant of a damper, above zero [N.s/m]."""


class TorsionalDamping(Number, unit="N.m.s/rad", minimum=0.0):
    """The constant of a torsional damper [N.m.s/rad]."""


class GasConstant(Number, unit="J/K", above=0.0):
    """The constant k of a gas: pressure · volume = k · temperature [J/K]."""


class GravityConstant(Number, unit="m3/s2", minimum=0.0):
    """The constant μ of point gravity [m3/s2]."""


# --- vectors ---------------------------------------------------------------------------------


class Position(Numbers3, unit="m"):
    """A vector from one point to another [m]."""


class PlainAngles(Numbers3, unit="rad", plain=True):
    """Three angles that are needed before the run [rad]."""


class PlainAngularAccelerations(Numbers3, unit="rad/s2", plain=True):
    """An angular acceleration that is needed before the run [rad/s2]."""


class PlainAngularVelocities(Numbers3, unit="rad/s", plain=True):
    """An angular velocity that is needed before the run [rad/s]."""


# --- start values ----------------------------------------------------------------------------


class StartDistance(StartNumber, unit="m"):
    """A distance at the start [m]."""


class StartVelocity(StartNumber, unit="m/s"):
    """A velocity at the start [m/s]."""


class StartAcceleration(StartNumber, unit="m/s2"):
    """An acceleration at the start [m/s2]."""


class StartAngle(StartNumber, unit="rad"):
    """An angle at the start [rad]."""


class StartAngularVelocity(StartNumber, unit="rad/s"):
    """An angular velocity at the start [rad/s]."""


class StartAngularAcceleration(StartNumber, unit="rad/s2"):
    """An angular acceleration at the start [rad/s2]."""


class StartPosition(StartVector, unit="m"):
    """A position at the start [m]."""


class StartAccelerations(StartVector, unit="m/s2"):
    """An acceleration vector at the start [m/s2]."""


class StartVelocities(StartVector, unit="m/s"):
    """A velocity vector at the start [m/s]."""


class StartAngles(StartVector, unit="rad"):
    """Three angles at the start [rad]."""


class StartAngleRates(StartVector, unit="rad/s"):
    """The rates of three angles at the start [rad/s]."""


# --- other domains -------------------------------------------------------------------------


class Voltage(Number, unit="V"):
    """A voltage."""


class Current(Number, unit="A"):
    """A current."""


class VoltageOrZero(Number, unit="V", minimum=0.0):
    """A voltage that may be zero, but not negative [V]."""


class PositiveVoltage(Number, unit="V", above=0.0):
    """A voltage above zero [V]."""


class StartCurrent(StartNumber, unit="A"):
    """A current at the start [A]."""


class Resistance(Number, unit="Ohm"):
    """A resistance; it may be zero or, for a model of an amplifier, negative."""


class PositiveResistance(Number, unit="Ohm", above=0.0):
    """A resistance above zero [Ohm]."""


class ResistanceOrZero(Number, unit="Ohm", minimum=0.0):
    """A resistance that may be zero, but not negative [Ohm]."""


class ConductanceOrZero(Number, unit="S", minimum=0.0):
    """A conductance that may be zero, but not negative [S]."""


class Conductance(Number, unit="S"):
    """A conductance."""


class Capacitance(Number, unit="F", minimum=0.0):
    """A capacitance."""


class Inductance(Number, unit="H"):
    """An inductance."""


class TorqueConstant(Number, unit="N.m/A"):
    """The torque of a machine for each ampere, or its voltage for each rad/s [N.m/A]."""


class ForceConstant(Number, unit="N/A"):
    """The force of a machine for each ampere, or its voltage for each m/s [N/A]."""


class Charge(Number, unit="C"):
    """An electric charge."""


class HeatFlow(Number, unit="W"):
    """A heat flow rate, or a power."""


class HeatCapacity(Number, unit="J/K", minimum=0.0):
    """A heat capacity."""


class ThermalConductance(Number, unit="W/K", minimum=0.0):
    """A thermal conductance."""


class ThermalResistance(Number, unit="K/W", minimum=0.0):
    """A thermal resistance."""


class TemperatureDifference(Number, unit="K"):
    """A difference of temperatures."""


class Pressure(Number, unit="Pa"):
    """A pressure."""


class VolumeFlow(Number, unit="m3/s"):
    """A volume flow rate."""


class PositivePressure(Number, unit="Pa", above=0.0):
    """A pressure or a bulk modulus above zero."""


class PositiveArea(Number, unit="m2", above=0.0):
    """An area above zero."""


class PositiveVolume(Number, unit="m3", above=0.0):
    """A volume above zero."""


class HydraulicResistance(Number, unit="Pa.s/m3", minimum=0.0):
    """A laminar resistance: pressure drop for each volume flow."""


class HydraulicConductance(Number, unit="m3/(Pa.s)", minimum=0.0):
    """A laminar leakage: volume flow for each pressure drop."""


class DisplacementVolume(Number, unit="m3/rad"):
    """The volume that a pump moves for each radian."""


class Permeance(Number, unit="H", minimum=0.0):
    """A magnetic permeance."""


class FluxDensity(Number, unit="T"):
    """A magnetic flux density."""


class PositiveFluxDensity(Number, unit="T", above=0.0):
    """A magnetic flux density above zero."""


class FieldStrength(Number, unit="A/m"):
    """A magnetic field strength."""


class Resistivity(Number, unit="Ohm.m", above=0.0):
    """A resistivity."""


class MagneticPotential(Number, unit="A"):
    """A magnetic potential difference."""


class MagneticFlux(Number, unit="Wb"):
    """A magnetic flux."""


class Reluctance(Number, unit="1/H", minimum=0.0):
    """A magnetic reluctance."""


class Energy(Number, unit="J"):
    """An energy."""
