"""Electrical circuits: resistors, capacitors, sources, diodes, switches, motors and sensors."""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.components.electrical.basic import (
        Capacitor,
        Conductor,
        Ground,
        Gyrator,
        HeatingResistor,
        Inductor,
        Potentiometer,
        Resistor,
        Transformer,
        VariableResistor,
    )
    from motorik.components.electrical.ideal import (
        IdealizedOpAmpLimited,
        IdealOpAmp,
        IdealOpAmp3Pin,
        IdealTransformer,
        Idle,
        OpAmp,
        Short,
    )
    from motorik.components.electrical.interfaces import (
        OnePort,
        TwoPort,
    )
    from motorik.components.electrical.motors import (
        DCMotor,
        RotationalEMF,
        TranslationalEMF,
    )
    from motorik.components.electrical.semiconductors import (
        Diode,
    )
    from motorik.components.electrical.sensors import (
        CurrentSensor,
        MultiSensor,
        PotentialSensor,
        PowerSensor,
        VoltageSensor,
    )
    from motorik.components.electrical.sources import (
        ConstantCurrent,
        ConstantVoltage,
        CosineCurrent,
        CosineVoltage,
        ExpSineCurrent,
        ExpSineVoltage,
        PulseCurrent,
        PulseVoltage,
        RampCurrent,
        RampVoltage,
        SawToothCurrent,
        SawToothVoltage,
        SignalCurrent,
        SignalVoltage,
        SineCurrent,
        SineVoltage,
        StepCurrent,
        StepVoltage,
        TrapezoidCurrent,
        TrapezoidVoltage,
    )
    from motorik.components.electrical.switches import (
        IdealClosingSwitch,
        IdealDiode,
        IdealOpeningSwitch,
    )

__all__ = [
    "Capacitor",
    "Conductor",
    "ConstantCurrent",
    "ConstantVoltage",
    "CosineCurrent",
    "CosineVoltage",
    "CurrentSensor",
    "DCMotor",
    "Diode",
    "ExpSineCurrent",
    "ExpSineVoltage",
    "Ground",
    "Gyrator",
    "HeatingResistor",
    "IdealClosingSwitch",
    "IdealDiode",
    "IdealOpAmp",
    "IdealOpAmp3Pin",
    "IdealOpeningSwitch",
    "IdealTransformer",
    "IdealizedOpAmpLimited",
    "Idle",
    "Inductor",
    "MultiSensor",
    "OnePort",
    "OpAmp",
    "PotentialSensor",
    "Potentiometer",
    "PowerSensor",
    "PulseCurrent",
    "PulseVoltage",
    "RampCurrent",
    "RampVoltage",
    "Resistor",
    "RotationalEMF",
    "SawToothCurrent",
    "SawToothVoltage",
    "Short",
    "SignalCurrent",
    "SignalVoltage",
    "SineCurrent",
    "SineVoltage",
    "StepCurrent",
    "StepVoltage",
    "Transformer",
    "TranslationalEMF",
    "TrapezoidCurrent",
    "TrapezoidVoltage",
    "TwoPort",
    "VariableResistor",
    "VoltageSensor",
]

_HOMES = {
    "motorik.components.electrical.basic": (
        "Capacitor",
        "Conductor",
        "Ground",
        "Gyrator",
        "HeatingResistor",
        "Inductor",
        "Potentiometer",
        "Resistor",
        "Transformer",
        "VariableResistor",
    ),
    "motorik.components.electrical.ideal": (
        "IdealOpAmp",
        "IdealOpAmp3Pin",
        "IdealTransformer",
        "IdealizedOpAmpLimited",
        "Idle",
        "OpAmp",
        "Short",
    ),
    "motorik.components.electrical.interfaces": (
        "OnePort",
        "TwoPort",
    ),
    "motorik.components.electrical.motors": (
        "DCMotor",
        "RotationalEMF",
        "TranslationalEMF",
    ),
    "motorik.components.electrical.semiconductors": ("Diode",),
    "motorik.components.electrical.sensors": (
        "CurrentSensor",
        "MultiSensor",
        "PotentialSensor",
        "PowerSensor",
        "VoltageSensor",
    ),
    "motorik.components.electrical.switches": (
        "IdealClosingSwitch",
        "IdealDiode",
        "IdealOpeningSwitch",
    ),
    "motorik.components.electrical.sources": (
        "ConstantCurrent",
        "ConstantVoltage",
        "CosineCurrent",
        "CosineVoltage",
        "ExpSineCurrent",
        "ExpSineVoltage",
        "PulseCurrent",
        "PulseVoltage",
        "RampCurrent",
        "RampVoltage",
        "SawToothCurrent",
        "SawToothVoltage",
        "SignalCurrent",
        "SignalVoltage",
        "SineCurrent",
        "SineVoltage",
        "StepCurrent",
        "StepVoltage",
        "TrapezoidCurrent",
        "TrapezoidVoltage",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
