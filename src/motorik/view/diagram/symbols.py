"""Symbols of parts of networks in diagrams: electrical, heat, hydraulic and magnetic.

A symbol is the path of an SVG element within −20 … 20 by −9 … 9 px, drawn by its outline.
"""

from __future__ import annotations

from motorik.components.base.part import Part

WIDTH, HEIGHT = 40.0, 18.0  # px

CIRCLE = "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0"
ENDS, INNER = "M-20 0H-8M8 0H20", "M-20 0H-12M12 0H20"
BOX = "M-12 -5h24v10h-24z"
COIL = "M-14 0a3.5 3.5 0 0 1 7 0a3.5 3.5 0 0 1 7 0a3.5 3.5 0 0 1 7 0a3.5 3.5 0 0 1 7 0"
EARTH = "M0 -9V0M-10 0H10M-6.5 4H6.5M-3 8H3"
ACROSS = "M-8 8L9 -9M9 -9l-4 1M9 -9l-1 4"  # an arrow: it varies
VOLTAGE = CIRCLE + "M-20 0H20"
CURRENT = ENDS + CIRCLE + "M0 -8V8"
RESISTANCE = INNER + BOX
NEEDLE = CIRCLE + "M-4 4L4 -4M4 -4l-3.5 0.8M4 -4l-0.8 3.5"
LETTER_M = ENDS + CIRCLE + "M-4 4V-4L0 1L4 -4V4"
LENGTHWISE = "M-12 -6h24v12h-24z"
INWARDS = "M-5 0H5M1.5 -3.5L5 0L1.5 3.5"
FLOW = "M-15 0H11M5 -5L11 0L5 5"
THERMOMETER = "M-3.5 5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0M-1.8 2V-7a1.8 1.8 0 0 1 3.6 0V2"
THROAT = "M-20 0H20M-9 -8Q0 -1 9 -8M-9 8Q0 1 9 8"
BARREL = "M-16 -7h24v14h-24zM-4 -7V7M-2 -7V7"
BLADE = "M-20 0H-9L8 -7M9 0H20"
AMPLIFIER = "M-9 -9V9L10 0zM-20 -4H-9M-20 4H-9M10 0H20"

SYMBOLS = {
    "electrical": {
        "Resistor": RESISTANCE,
        "HeatingResistor": RESISTANCE,
        "Conductor": RESISTANCE,
        "VariableResistor": RESISTANCE + ACROSS,
        "Potentiometer": RESISTANCE + "M0 -9V-5M0 -5l-2 -3M0 -5l2 -3",
        "Capacitor": "M-20 0H-3M3 0H20M-3 -9V9M3 -9V9",
        "Inductor": "M-20 0H-14M14 0H20" + COIL,
        "Ground": EARTH,
        "Short": "M-20 0H20",
        "Idle": "M-20 0H-9M9 0H20",
        "Diode": "M-20 0H20M-6 -7V7L6 0zM6 -7V7",
        "IdealDiode": "M-20 0H20M-6 -7V7L6 0zM6 -7V7",
        "IdealClosingSwitch": BLADE,
        "IdealOpeningSwitch": BLADE + "M-9 -7H9",
        "IdealOpAmp": AMPLIFIER,
        "IdealOpAmp3Pin": AMPLIFIER,
        "IdealizedOpAmpLimited": AMPLIFIER,
        "OpAmp": AMPLIFIER,
        "Transformer": "M-9 -9a3 3 0 0 1 0 6a3 3 0 0 1 0 6a3 3 0 0 1 0 6"
        "M9 -9a3 3 0 0 0 0 6a3 3 0 0 0 0 6a3 3 0 0 0 0 6M-1.5 -9V9M1.5 -9V9",
        "IdealTransformer": "M-9 -9a3 3 0 0 1 0 6a3 3 0 0 1 0 6a3 3 0 0 1 0 6"
        "M9 -9a3 3 0 0 0 0 6a3 3 0 0 0 0 6a3 3 0 0 0 0 6",
        "Gyrator": "M-8 -8a8 8 0 0 1 0 16M8 -8a8 8 0 0 0 0 16",
        "RotationalEMF": LETTER_M,
        "TranslationalEMF": LETTER_M,
        "DCMotor": LETTER_M,
        **dict.fromkeys(
            (
                "CurrentSensor",
                "PotentialSensor",
                "PowerSensor",
                "VoltageSensor",
                "MultiSensor",
            ),
            NEEDLE,
        ),
    },
    "heat": {
        "HeatCapacitor": "M-9 6c-6 -2 -4 -9 2 -8c1 -7 11 -7 12 -1c6 0 7 8 1 9zM0 6V9",
        "ThermalConductor": INNER + LENGTHWISE + "M-6 -6V6M0 -6V6M6 -6V6",
        "ThermalResistor": INNER + LENGTHWISE + "M-6 -6V6M0 -6V6M6 -6V6",
        "Convection": "M-12 -9V9M-7 -5c3 -4 5 4 8 0s5 4 8 0M-7 4c3 -4 5 4 8 0s5 4 8 0",
        "ConvectiveResistor": "M-12 -9V9M-7 -5c3 -4 5 4 8 0s5 4 8 0M-7 4c3 -4 5 4 8 0s5 4 8 0",
        "BodyRadiation": "M-12 -9V9M12 -9V9M-9 0c2 -4 4 4 6 0s4 4 6 0s4 4 6 0M9 0l-3 -2M9 0l-3 2",
        "FixedTemperature": THERMOMETER,
        "PrescribedTemperature": THERMOMETER,
        "FixedHeatFlow": FLOW,
        "PrescribedHeatFlow": FLOW,
        "TemperatureSensor": THERMOMETER,
        "RelTemperatureSensor": THERMOMETER,
        "HeatFlowSensor": NEEDLE,
        "ThermalCollector": "M-15 -7L0 0M-15 0H0M-15 7L0 0M0 0H15",
    },
    "hydraulic": {
        "Tank": "M-10 -5V7H10V-5M0 -9V3",
        "Pump": CIRCLE + "M-3.5 -2.5L0 -8L3.5 -2.5z",
        "VariablePump": CIRCLE + "M-3.5 -2.5L0 -8L3.5 -2.5z" + ACROSS,
        "Motor": CIRCLE + "M-3.5 -7L0 -2L3.5 -7z",
        "Orifice": THROAT,
        "VariableOrifice": THROAT + ACROSS,
        "LaminarResistance": "M-20 0H20M-11 -8Q-8 -3 0 -3T11 -8M-11 8Q-8 3 0 3T11 8",
        "CheckValve": "M-20 0H-7M-7 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M-9 -6L-3 0M-9 6L-3 0M1 0H20",
        "ReliefValve": "M-8 -8h16v16h-16zM0 9V-9M0 -5l-2.5 4M0 -5l2.5 4"
        "M8 0l2 -4l2 8l2 -8l2 8l2 -4",
        "DirectionalValve": "M-19 -7h38v14h-38zM-6 -7V7M6 -7V7M-15 6V-6M-10 -6V6"
        "M10 6L15 -6M15 6L10 -6",
        "Accumulator": "M-7 -3a7 6 0 0 1 14 0V3a7 6 0 0 1 -14 0zM-7 0H7",
        "LineVolume": "M-20 0H-12M12 0H20M-12 -6h24v12h-24zM-8 3c3 -4 5 4 8 0s5 4 8 0",
        "Cylinder": BARREL + "M-2 0H20",
        "CylinderBetweenFrames": BARREL + "M-2 0H20",
        "SingleActingCylinder": BARREL + "M-2 0H20M8 -7l-2 2",
        "SingleActingCylinderBetweenFrames": BARREL + "M-2 0H20M8 -7l-2 2",
        "FlowSource": CIRCLE + INWARDS,
        "PrescribedFlow": CIRCLE + INWARDS,
        "PressureSource": CIRCLE + "M-4 5V-5h5a2.7 2.7 0 0 1 0 5.4h-5",
        "PrescribedPressure": CIRCLE + "M-4 5V-5h5a2.7 2.7 0 0 1 0 5.4h-5",
        "PressureSensor": NEEDLE,
        "RelPressureSensor": NEEDLE,
        "FlowSensor": NEEDLE,
    },
    "magnetic": {
        "Ground": EARTH,
        "ElectroMagneticConverter": "M-20 -5H-14M-20 5H-14M-14 -5V5" + COIL + "M-14 7H14",
        "EddyCurrent": CIRCLE + "M4 0a4 4 0 1 0 -4 4M0 4l2 -2.5M0 4l2.5 1.5",
        "GenericLinearPermanentMagnet": "M-14 -5h28v10h-28zM0 -5V5",
        "MagneticFluxSensor": NEEDLE,
        "MagneticPotentialDifferenceSensor": NEEDLE,
        "ConstantMagneticPotentialDifference": VOLTAGE,
        "SignalMagneticPotentialDifference": VOLTAGE,
        "VariableReluctance": RESISTANCE + ACROSS,
        **dict.fromkeys(
            (
                "ConstantPermeance",
                "ConstantReluctance",
                "CuboidParallelFlux",
                "GenericFluxTube",
                "HollowCylinderAxialFlux",
                "HollowCylinderRadialFlux",
            ),
            RESISTANCE,
        ),
    },
}


def symbol_of(part: Part) -> str:
    """Return the symbol of a part by its class or the nearest base with one, "" without any."""
    return symbol_of_class(type(part))


def symbol_of_class(kind_of_part: type[Part]) -> str:
    """Return the symbol of a class of parts or of its nearest base with one, "" without any."""
    for kind in kind_of_part.__mro__:
        room = kind.__module__.split(".")
        domain = next((name for name in room if name in SYMBOLS), "")
        if not domain:
            continue
        name = kind.__name__
        found = SYMBOLS[domain].get(name, "")
        if not found and domain == "electrical":
            found = VOLTAGE if name.endswith("Voltage") else ""
            found = CURRENT if name.endswith("Current") else found
        if found:
            return found
    return ""
