"""Catalogue of Modelica's heat transfer that exists here, one line each."""

from __future__ import annotations

from motorik import heat
from motorik.components import domains
from motorik.exchange.modelica.catalogue_lines import named, register_all
from motorik.exchange.modelica.registry import register, register_port, register_port_base

HEAT = "Modelica.Thermal.HeatTransfer"
ICE_POINT = 273.15  # K

register_all(
    f"{HEAT}.Components",
    named(
        heat.BodyRadiation,
        heat.Convection,
        heat.ConvectiveResistor,
        heat.HeatCapacitor,
        heat.ThermalConductor,
        heat.ThermalResistor,
    ),
    set(),
    set(),
)
register_all(
    f"{HEAT}.Sources",
    named(
        heat.FixedHeatFlow,
        heat.FixedTemperature,
        heat.PrescribedHeatFlow,
        heat.PrescribedTemperature,
    ),
    set(),
    set(),
)
register_all(
    f"{HEAT}.Sensors",
    named(heat.HeatFlowSensor, heat.RelTemperatureSensor, heat.TemperatureSensor),
    set(),
    set(),
)
register(
    f"{HEAT}.Celsius.FixedTemperature",
    heat.FixedTemperature,
    units={"T": lambda celsius: celsius + ICE_POINT},
)
for letter in ("a", "b"):
    register_port(f"{HEAT}.Interfaces.HeatPort_{letter}", domains.heat.port("heat port"))
register_port_base(
    f"{HEAT}.Interfaces.Element1D",
    port_a=domains.heat.port("heat port"),
    port_b=domains.heat.port("heat port"),
)
