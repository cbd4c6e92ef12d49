"""Print every class of Modelica.Mechanics with its part here and the tests that use it.

python -m scripts.mechanics_of_modelica
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Classes by package, as the library 4.1 lists them; base classes and icons left out.
PACKAGES = {
    "MultiBody": "World",
    "MultiBody.Joints": (
        "Prismatic Revolute RevolutePlanarLoopConstraint Cylindrical Universal Planar Spherical "
        "FreeMotion FreeMotionScalarInit SphericalSpherical UniversalSpherical GearConstraint "
        "RollingWheel RollingWheelSet"
    ),
    "MultiBody.Joints.Assemblies": (
        "JointUPS JointUSR JointUSP JointSSR JointSSP JointRRR JointRRP"
    ),
    "MultiBody.Joints.Constraints": "Prismatic Revolute Spherical Universal",
    "MultiBody.Parts": (
        "Fixed FixedTranslation FixedRotation Body BodyShape BodyBox BodyCylinder PointMass "
        "Mounting1D Rotor1D BevelGear1D RollingWheel RollingWheelSet"
    ),
    "MultiBody.Forces": (
        "WorldForce WorldTorque WorldForceAndTorque Force Torque ForceAndTorque "
        "LineForceWithMass LineForceWithTwoMasses Spring Damper SpringDamperParallel "
        "SpringDamperSeries"
    ),
    "MultiBody.Sensors": (
        "AbsoluteSensor RelativeSensor AbsolutePosition AbsoluteVelocity AbsoluteAngles "
        "AbsoluteAngularVelocity RelativePosition RelativeVelocity RelativeAngles "
        "RelativeAngularVelocity Distance CutForce CutTorque CutForceAndTorque Power "
        "TransformAbsoluteVector TransformRelativeVector"
    ),
    "MultiBody.Visualizers": (
        "FixedShape FixedShape2 FixedFrame FixedArrow SignalArrow Torus VoluminousWheel "
        "PipeWithScalarField Rectangle"
    ),
    "Rotational.Components": (
        "Fixed Inertia Disc Coupling Spring Damper SpringDamper ElastoBacklash ElastoBacklash2 "
        "BearingFriction Brake Clutch OneWayClutch IdealGear LossyGear IdealPlanetary Gearbox "
        "IdealGearR2T IdealRollingWheel InitializeFlange RelativeStates AngleToTorqueAdaptor "
        "TorqueToAngleAdaptor GeneralAngleToTorqueAdaptor GeneralTorqueToAngleAdaptor"
    ),
    "Rotational.Sources": (
        "Position Speed Accelerate Move Torque Torque2 InverseSpeedDependentTorque "
        "LinearSpeedDependentTorque QuadraticSpeedDependentTorque ConstantTorque SignTorque "
        "ConstantSpeed TorqueStep EddyCurrentTorque"
    ),
    "Rotational.Sensors": (
        "AngleSensor SpeedSensor AccSensor RelAngleSensor RelSpeedSensor RelAccSensor "
        "TorqueSensor PowerSensor MultiSensor"
    ),
    "Translational.Components": (
        "Fixed Mass Rod Spring Damper SpringDamper ElastoGap SupportFriction Brake IdealGear "
        "IdealGearR2T IdealRollingWheel RollingResistance Vehicle InitializeFlange "
        "MassWithStopAndFriction RelativeStates GeneralForceToPositionAdaptor "
        "GeneralPositionToForceAdaptor"
    ),
    "Translational.Sources": (
        "Position Speed Accelerate Move Force Force2 InverseSpeedDependentForce "
        "LinearSpeedDependentForce QuadraticSpeedDependentForce ConstantForce SignForce "
        "ConstantSpeed ForceStep EddyCurrentForce"
    ),
    "Translational.Sensors": (
        "PositionSensor SpeedSensor AccSensor RelPositionSensor RelSpeedSensor RelAccSensor "
        "ForceSensor PowerSensor MultiSensor"
    ),
}
CLASSES = tuple(f"{package}.{n}" for package, own in PACKAGES.items() for n in own.split())
#: Tests that try all parts alike.
TESTS_OF_ALL = {"tests/test_catalogue.py", "tests/components/test_help.py"}


def part_of(name: str) -> str | None:
    """Return the class that stands for one of Modelica.Mechanics, None if there is none."""
    import motorik.exchange.modelica.reading  # noqa: F401  registers the parts
    from motorik.exchange.modelica.registry import PARTS

    entry = PARTS.get(f"Modelica.Mechanics.{name}")
    return None if entry is None else entry.part.__name__


@cache
def _sources() -> dict[str, set[str]]:
    """Return the words of all test files."""
    files = sorted((ROOT / "tests").rglob("*.py"))
    return {
        file.relative_to(ROOT).as_posix(): set(re.findall(r"\w+", file.read_text("utf-8")))
        for file in files
    }


def files_using(part: str) -> set[str]:
    """Return the test files in which a part is named."""
    return {file for file, words in _sources().items() if part in words}


def main() -> None:
    """Print the table."""
    for name in CLASSES:
        part = part_of(name)
        files = sorted(files_using(part) - TESTS_OF_ALL) if part else []
        shown = ", ".join(files[:3]) + (f" and {len(files) - 3} more" if files[3:] else "")
        print(f"{name:52} {part or 'none':34} {shown or 'none'}")


if __name__ == "__main__":
    main()
