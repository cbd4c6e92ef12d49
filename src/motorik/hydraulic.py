"""Hydraulics: volumes, resistances, valves, pumps, cylinders, sources and sensors."""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.components.hydraulic.cylinders import (
        Cylinder,
        CylinderBetweenFrames,
        SingleActingCylinder,
        SingleActingCylinderBetweenFrames,
    )
    from motorik.components.hydraulic.elements import (
        LaminarResistance,
        Orifice,
        VariableOrifice,
    )
    from motorik.components.hydraulic.machines import (
        Motor,
        Pump,
        VariablePump,
    )
    from motorik.components.hydraulic.sensors import (
        FlowSensor,
        PressureSensor,
        RelPressureSensor,
    )
    from motorik.components.hydraulic.sources import (
        FlowSource,
        PrescribedFlow,
        PrescribedPressure,
        PressureSource,
        Tank,
    )
    from motorik.components.hydraulic.valves import (
        CheckValve,
        DirectionalValve,
        ReliefValve,
    )
    from motorik.components.hydraulic.volumes import (
        Accumulator,
        LineVolume,
    )

__all__ = [
    "Accumulator",
    "CheckValve",
    "Cylinder",
    "CylinderBetweenFrames",
    "DirectionalValve",
    "FlowSensor",
    "FlowSource",
    "LaminarResistance",
    "LineVolume",
    "Motor",
    "Orifice",
    "PrescribedFlow",
    "PrescribedPressure",
    "PressureSensor",
    "PressureSource",
    "Pump",
    "RelPressureSensor",
    "ReliefValve",
    "SingleActingCylinder",
    "SingleActingCylinderBetweenFrames",
    "Tank",
    "VariableOrifice",
    "VariablePump",
]

_HOMES = {
    "motorik.components.hydraulic.cylinders": (
        "Cylinder",
        "CylinderBetweenFrames",
        "SingleActingCylinder",
        "SingleActingCylinderBetweenFrames",
    ),
    "motorik.components.hydraulic.elements": (
        "LaminarResistance",
        "Orifice",
        "VariableOrifice",
    ),
    "motorik.components.hydraulic.machines": (
        "Motor",
        "Pump",
        "VariablePump",
    ),
    "motorik.components.hydraulic.sensors": (
        "FlowSensor",
        "PressureSensor",
        "RelPressureSensor",
    ),
    "motorik.components.hydraulic.sources": (
        "FlowSource",
        "PrescribedFlow",
        "PrescribedPressure",
        "PressureSource",
        "Tank",
    ),
    "motorik.components.hydraulic.valves": (
        "CheckValve",
        "DirectionalValve",
        "ReliefValve",
    ),
    "motorik.components.hydraulic.volumes": (
        "Accumulator",
        "LineVolume",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
