"""Catalogue of Modelica's magnetic flux tubes that exist here, one line each."""

from __future__ import annotations

from motorik import magnetic
from motorik.components import domains
from motorik.exchange.modelica.catalogue_lines import named, register_all
from motorik.exchange.modelica.registry import register_port

TUBES = "Modelica.Magnetic.FluxTubes"

register_all(
    f"{TUBES}.Basic",
    named(
        magnetic.ConstantPermeance,
        magnetic.ConstantReluctance,
        magnetic.EddyCurrent,
        magnetic.ElectroMagneticConverter,
        magnetic.Ground,
        magnetic.VariableReluctance,
    ),
    set(),
    set(),
)
register_all(
    f"{TUBES}.Shapes.Force",
    named(
        magnetic.CuboidParallelFlux,
        magnetic.HollowCylinderAxialFlux,
        magnetic.HollowCylinderRadialFlux,
    ),
    set(),
    set(),
)
register_all(
    f"{TUBES}.Sources",
    named(
        magnetic.ConstantMagneticPotentialDifference,
        magnetic.SignalMagneticPotentialDifference,
    ),
    set(),
    set(),
)
register_all(
    f"{TUBES}.Sensors",
    named(magnetic.MagneticFluxSensor, magnetic.MagneticPotentialDifferenceSensor),
    set(),
    set(),
)
for sign in ("Positive", "Negative"):
    register_port(
        f"{TUBES}.Interfaces.{sign}MagneticPort", domains.magnetic.port("magnetic port")
    )
