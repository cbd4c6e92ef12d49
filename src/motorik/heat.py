"""Heat transfer: capacitors, conductors, convection, radiation, sources and sensors."""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.components.heat.elements import (
        BodyRadiation,
        Convection,
        ConvectiveResistor,
        HeatCapacitor,
        ThermalCollector,
        ThermalConductor,
        ThermalResistor,
    )
    from motorik.components.heat.sensors import (
        HeatFlowSensor,
        RelTemperatureSensor,
        TemperatureSensor,
    )
    from motorik.components.heat.sources import (
        FixedHeatFlow,
        FixedTemperature,
        PrescribedHeatFlow,
        PrescribedTemperature,
    )

__all__ = [
    "BodyRadiation",
    "Convection",
    "ConvectiveResistor",
    "FixedHeatFlow",
    "FixedTemperature",
    "HeatCapacitor",
    "HeatFlowSensor",
    "PrescribedHeatFlow",
    "PrescribedTemperature",
    "RelTemperatureSensor",
    "TemperatureSensor",
    "ThermalCollector",
    "ThermalConductor",
    "ThermalResistor",
]

_HOMES = {
    "motorik.components.heat.elements": (
        "BodyRadiation",
        "Convection",
        "ConvectiveResistor",
        "HeatCapacitor",
        "ThermalCollector",
        "ThermalConductor",
        "ThermalResistor",
    ),
    "motorik.components.heat.sensors": (
        "HeatFlowSensor",
        "RelTemperatureSensor",
        "TemperatureSensor",
    ),
    "motorik.components.heat.sources": (
        "FixedHeatFlow",
        "FixedTemperature",
        "PrescribedHeatFlow",
        "PrescribedTemperature",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
