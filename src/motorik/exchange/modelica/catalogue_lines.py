"""Catalogue of Modelica's drive lines that exist here, one line each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from motorik import blocks, rotational, translational
from motorik.components.base.part import (
    Part,
    rotational_flange,
    translational_flange,
)
from motorik.components.forces.gas import GasForce, GasForce2
from motorik.exchange.modelica.registry import register, register_port, register_port_base

ROTATIONAL = "Modelica.Mechanics.Rotational"
TRANSLATIONAL = "Modelica.Mechanics.Translational"
BLOCKS = "Modelica.Blocks"

SCALE = {"phi_nominal", "s_nominal"}  # tolerances of Modelica's solver
# relative coordinates are no states here, so that they may be preferred, but not required
RELATIVE = {"stateSelect": ("default", "prefer", "avoid", "never")}
COMPLIANT = {"a_rel"}
# hints to Modelica's solver about modes, which are not needed here
MODES = {"w_small", "v_small", "mode", "locked", "stuck", "startForward", "startBackward"}


def register_all(
    package: str,
    kinds: dict[str, type[Part]],
    ignore: Iterable[str],
    absent: Iterable[str],
    only: Mapping[str, tuple[str, ...]] | None = None,
) -> None:
    """Register parts under their own names in a package; `absent` is as far as they have it not."""
    for name, kind in kinds.items():
        lacking = set(absent) - set(kind.specs)
        register(f"{package}.{name}", kind, ignore, lacking, only=only)


def named(*kinds: type[Part]) -> dict[str, type[Part]]:
    """Return kinds of parts by their names."""
    return {kind.__name__: kind for kind in kinds}


# --- rotational -------------------------------------------------------------------------------

register_all(
    f"{ROTATIONAL}.Components",
    named(rotational.Spring, rotational.Damper, rotational.SpringDamper),
    SCALE,
    COMPLIANT,
    RELATIVE,
)
register_all(
    f"{ROTATIONAL}.Components",
    named(
        rotational.BearingFriction,
        rotational.Brake,
        rotational.Clutch,
        rotational.ElastoBacklash,
        rotational.ElastoBacklash2,
        rotational.Gearbox,
        rotational.LossyGear,
        rotational.OneWayClutch,
    ),
    SCALE | MODES,
    COMPLIANT,
    RELATIVE,
)
register_all(
    f"{ROTATIONAL}.Components",
    named(
        rotational.Fixed,
        rotational.Disc,
        rotational.IdealGear,
        rotational.IdealPlanetary,
        rotational.IdealGearR2T,
        rotational.IdealRollingWheel,
    ),
    set(),
    {"a"},
)
register_all(
    f"{ROTATIONAL}.Components",
    named(
        rotational.AngleToTorqueAdaptor,
        rotational.Coupling,
        rotational.GeneralAngleToTorqueAdaptor,
        rotational.GeneralTorqueToAngleAdaptor,
        rotational.Inertia,
        rotational.InitializeFlange,
        rotational.TorqueToAngleAdaptor,
    ),
    set(),
    set(),
)
register_all(
    f"{ROTATIONAL}.Components", named(rotational.RelativeStates), {"phi_nominal"}, set()
)
register_all(
    f"{ROTATIONAL}.Sources",
    named(
        rotational.Accelerate,
        rotational.ConstantSpeed,
        rotational.ConstantTorque,
        rotational.InverseSpeedDependentTorque,
        rotational.LinearSpeedDependentTorque,
        rotational.Move,
        rotational.Position,
        rotational.QuadraticSpeedDependentTorque,
        rotational.SignTorque,
        rotational.Speed,
        rotational.Torque,
        rotational.Torque2,
        rotational.TorqueStep,
    ),
    set(),
    {"a"},
)
EXCITATION = {
    "useExcitationInput"
}  # of development versions, in place of useTau_nominalInput
register_all(
    f"{ROTATIONAL}.Sources", named(rotational.EddyCurrentTorque), set(), EXCITATION
)
register_all(
    f"{ROTATIONAL}.Sensors",
    named(
        rotational.AccSensor,
        rotational.AngleSensor,
        rotational.MultiSensor,
        rotational.PowerSensor,
        rotational.RelAccSensor,
        rotational.RelAngleSensor,
        rotational.RelSpeedSensor,
        rotational.SpeedSensor,
        rotational.TorqueSensor,
    ),
    set(),
    set(),
)

# --- translational ----------------------------------------------------------------------------

register_all(
    f"{TRANSLATIONAL}.Components",
    named(translational.Spring, translational.Damper, translational.SpringDamper),
    SCALE,
    COMPLIANT,
    RELATIVE,
)
register_all(
    f"{TRANSLATIONAL}.Components",
    named(
        translational.Brake,
        translational.ElastoGap,
        translational.RollingResistance,
        translational.SupportFriction,
        translational.Vehicle,
    ),
    SCALE | MODES,
    COMPLIANT | {"a"},
    RELATIVE,
)
register_all(
    f"{TRANSLATIONAL}.Components",
    named(translational.MassWithStopAndFriction),
    SCALE | MODES,
    COMPLIANT,
    RELATIVE,
)
register_all(
    f"{TRANSLATIONAL}.Components",
    named(
        translational.Fixed,
        translational.Rod,
        translational.IdealLever,
        translational.IdealGearR2T,
        translational.IdealRollingWheel,
    ),
    set(),
    {"a"},
)
register_all(
    f"{TRANSLATIONAL}.Components",
    named(
        translational.GeneralForceToPositionAdaptor,
        translational.GeneralPositionToForceAdaptor,
        translational.InitializeFlange,
        translational.Mass,
        translational.RelativeStates,
    ),
    set(),
    set(),
)
register(  # its name before Modelica 4
    f"{TRANSLATIONAL}.Components.IdealGear", translational.IdealLever, absent={"a"}
)
register_all(
    f"{TRANSLATIONAL}.Sources",
    named(
        translational.Accelerate,
        translational.ConstantForce,
        translational.ConstantSpeed,
        translational.Force,
        translational.Force2,
        translational.ForceStep,
        translational.InverseSpeedDependentForce,
        translational.LinearSpeedDependentForce,
        translational.Move,
        translational.Position,
        translational.QuadraticSpeedDependentForce,
        translational.SignForce,
        translational.Speed,
    ),
    set(),
    {"a"},
)
register_all(
    f"{TRANSLATIONAL}.Sources",
    named(translational.EddyCurrentForce),
    set(),
    EXCITATION,
)
register_all(
    f"{TRANSLATIONAL}.Sensors",
    named(
        translational.AccSensor,
        translational.ForceSensor,
        translational.MultiSensor,
        translational.PositionSensor,
        translational.PowerSensor,
        translational.RelAccSensor,
        translational.RelPositionSensor,
        translational.RelSpeedSensor,
        translational.SpeedSensor,
    ),
    set(),
    set(),
)

UTILITIES = "Modelica.Mechanics.MultiBody.Examples.Loops.Utilities"
register(f"{UTILITIES}.GasForce", GasForce, {"s_rel"})
register(f"{UTILITIES}.GasForce2", GasForce2, {"s_rel"})

# --- tables over time -----------------------------------------------------------------------

register(
    f"{BLOCKS}.Sources.CombiTimeTable",
    blocks.CombiTimeTable,
    {"verboseRead", "verboseExtrapolation", "timeEvents"},  # messages, and where steps end
    {"tableOnFile"},
)
register(f"{BLOCKS}.Sources.TimeTable", blocks.TimeTable)

# --- tables over signals --------------------------------------------------------------------

for table in (
    blocks.CombiTable1Ds,
    blocks.CombiTable1Dv,
    blocks.CombiTable2Ds,
    blocks.CombiTable2Dv,
):
    register(
        f"{BLOCKS}.Tables.{table.__name__}",
        table,
        {"verboseRead", "verboseExtrapolation"},  # messages
        {"tableOnFile"},
    )

# --- ports of models --------------------------------------------------------------------------

for library, flange in (
    (ROTATIONAL, rotational_flange),
    (TRANSLATIONAL, translational_flange),
):
    for letter in ("a", "b"):
        register_port(f"{library}.Interfaces.Flange_{letter}", flange("a flange"))
    register_port_base(
        f"{library}.Interfaces.PartialTwoFlanges",
        flange_a=flange("left flange"),
        flange_b=flange("right flange"),
    )
