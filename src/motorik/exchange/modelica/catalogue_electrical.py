"""Catalogue of Modelica's electrical circuits that exist here, one line each."""

from __future__ import annotations

from motorik import electrical
from motorik.components import domains
from motorik.exchange.modelica.catalogue_lines import named, register_all
from motorik.exchange.modelica.registry import register, register_port, register_port_base

ANALOG = "Modelica.Electrical.Analog"

register_all(
    f"{ANALOG}.Basic",
    named(
        electrical.Capacitor,
        electrical.Conductor,
        electrical.Ground,
        electrical.Gyrator,
        electrical.HeatingResistor,
        electrical.Inductor,
        electrical.OpAmp,
        electrical.Potentiometer,
        electrical.Resistor,
        electrical.RotationalEMF,
        electrical.Transformer,
        electrical.TranslationalEMF,
        electrical.VariableResistor,
    ),
    set(),
    set(),
)
register(f"{ANALOG}.Basic.EMF", electrical.RotationalEMF)
register_all(
    f"{ANALOG}.Ideal",
    named(
        electrical.IdealClosingSwitch,
        electrical.IdealDiode,
        electrical.IdealOpAmp,
        electrical.IdealOpAmp3Pin,
        electrical.IdealOpeningSwitch,
        electrical.IdealTransformer,
        electrical.Idle,
        electrical.Short,
    ),
    set(),
    set(),
)
register_all(
    f"{ANALOG}.Ideal",
    named(electrical.IdealizedOpAmpLimited),
    {"strict", "homotopyType"},
    set(),
)
register_all(f"{ANALOG}.Semiconductors", named(electrical.Diode), set(), set())
register_all(
    f"{ANALOG}.Sources",
    {
        name: getattr(electrical, name)
        for quantity in ("Voltage", "Current")
        for shape in (
            *("Constant", "Signal", "Sine", "Cosine", "ExpSine", "Step", "Ramp"),
            *("Pulse", "SawTooth", "Trapezoid"),
        )
        if (name := f"{shape}{quantity}")
    },
    set(),
    set(),
)
register_all(
    f"{ANALOG}.Sensors",
    named(
        electrical.CurrentSensor,
        electrical.MultiSensor,
        electrical.PotentialSensor,
        electrical.PowerSensor,
        electrical.VoltageSensor,
    ),
    set(),
    set(),
)
for kind in ("Pin", "PositivePin", "NegativePin"):
    register_port(f"{ANALOG}.Interfaces.{kind}", domains.electrical.port("pin"))
for base in ("TwoPin", "OnePort"):
    register_port_base(
        f"{ANALOG}.Interfaces.{base}",
        p=domains.electrical.port("positive pin"),
        n=domains.electrical.port("negative pin"),
    )
for base in ("FourPin", "TwoPort"):
    register_port_base(
        f"{ANALOG}.Interfaces.{base}",
        p1=domains.electrical.port("positive pin of the first port"),
        n1=domains.electrical.port("negative pin of the first port"),
        p2=domains.electrical.port("positive pin of the second port"),
        n2=domains.electrical.port("negative pin of the second port"),
    )
