"""Engine with six cylinders in a V: of plain joints, and with an assembly in each cylinder."""

from __future__ import annotations

from motorik import blocks, guess, rotational
from motorik.assemblies import JointRRP
from motorik.components.base.part import frame
from motorik.components.base.ports import Port
from motorik.components.forces.gas import GasForce2
from motorik.gallery.engines import cheek
from motorik.joints import Prismatic, Revolute
from motorik.model import Model
from motorik.parts import (
    BodyBox,
    BodyCylinder,
    BodyShape,
    FixedRotation,
    FixedTranslation,
    World,
)
from motorik.units import deg

# crank offset and inclination of each cylinder [rad]
CYLINDERS = tuple(
    deg(angles)
    for angles in ((-30, -30), (90, 30), (210, -30), (210, 30), (90, -30), (-30, 30))
)
TOP, PISTON = 0.42, 0.1  # m, from the shaft to the cylinder's top; length of the piston


class EngineCylinder(Model):
    """A cylinder with its throw of the crank shaft (Modelica's Utilities.Cylinder).

    The shaft runs along x from `crank_a` to `crank_b`, the housing from `cylinder_a` to
    `cylinder_b`. The throw is turned by `crank_angle` [rad] about x, the cylinder by
    `inclination` [rad]. Steel parts; crank 0.1 m, rod 0.2 m.
    """

    crank_a, crank_b = frame("shaft, left end"), frame("shaft, right end")
    cylinder_a, cylinder_b = frame("housing, left end"), frame("housing, right end")

    def build(self, crank_angle: float = 0.0, inclination: float = 0.0) -> None:
        """Build the throw, then rod and piston up to the housing."""
        length, throw, pin, rod = 0.2, 0.1, 0.1, 0.2
        self.crankAngle1 = FixedRotation(n="x", angle=crank_angle)
        self.crank1 = BodyCylinder(
            r=(length - pin, 0, 0), r_shape=(-0.01, 0, 0), length=0.12, diameter=0.05
        )
        self.crank2 = cheek(throw)
        self.crank3 = BodyCylinder(
            r=(pin, 0, 0), r_shape=(-0.01, 0, 0), length=0.12, diameter=0.03
        )
        self.crank4 = cheek(-throw)
        self.crankAngle2 = FixedRotation(n="x", angle=-crank_angle)
        self.crank_a >> self.crankAngle1.frame_a
        self.crankAngle1.frame_b >> self.crank1.frame_a
        self.crank1.frame_b >> self.crank2.frame_a
        self.crank2.frame_b >> self.crank3.frame_a
        self.crank3.frame_b >> self.crank4.frame_a
        self.crank4.frame_b >> self.crankAngle2.frame_a
        self.crankAngle2.frame_b >> self.crank_b

        self.mid = FixedTranslation(r=(pin / 2, 0, 0))
        self.b1 = Revolute(n="x", phi=guess(inclination - crank_angle))
        self.connectingRod = BodyBox(
            r=(0, rod, 0),
            r_shape=(0, -0.02, 0),
            width=0.02,
            height=0.06,
            widthDirection="x",
        )
        self.b2 = Revolute(n="x")
        self.piston = BodyCylinder(r=(0, PISTON, 0), diameter=0.1)
        self.crank2.frame_b >> self.mid.frame_a
        self.mid.frame_b >> self.b1.frame_a
        self.b1.frame_b >> self.connectingRod.frame_a
        self.connectingRod.frame_b >> self.b2.frame_b
        self.b2.frame_a >> self.piston.frame_a

        self.mounting = FixedTranslation(r=(length, 0, 0))
        self.cylinderInclination = FixedRotation(
            r=(length - pin / 2, 0, 0), n="x", angle=inclination
        )
        self.cylinderTop = FixedTranslation(r=(0, TOP, 0))
        self.cylinder = Prismatic(n="-y", s=guess(0.1), useAxisFlange=True)
        self.gasForce = GasForce2(L=TOP - (PISTON + rod - throw), d=0.1)
        self.cylinder_a >> self.mounting.frame_a
        self.mounting.frame_b >> self.cylinder_b
        self.cylinder_a >> self.cylinderInclination.frame_a
        self.cylinderInclination.frame_b >> self.cylinderTop.frame_a
        self.cylinderTop.frame_b >> self.cylinder.frame_a
        self.cylinder.frame_b >> self.piston.frame_b
        self.cylinder.support >> self.gasForce.flange_a
        self.gasForce.flange_b >> self.cylinder.axis


class LumpedCylinder(Model):
    """A cylinder whose masses are given as numbers (Modelica's Utilities.CylinderBase).

    As `EngineCylinder`, but with a crank of 50 mm, a rod of 175 mm and 1 kg and a piston of 6 kg;
    the crank shaft has no mass here. Derived classes add the joints.
    """

    crank_a, crank_b = frame("shaft, left end"), frame("shaft, right end")
    cylinder_a, cylinder_b = frame("housing, left end"), frame("housing, right end")

    def build(self, crank_angle: float = 0.0, inclination: float = 0.0) -> None:
        """Build all parts but the joints."""
        length, throw, pin, rod = 0.14, 0.05, 0.1, 0.175
        self.crankAngle = FixedRotation(n="x", angle=crank_angle)
        self.mid = FixedTranslation(r=(length - pin / 2, throw, 0))
        self.crank = FixedTranslation(r=(length, 0, 0))
        self.mounting = FixedTranslation(r=(length, 0, 0))
        self.cylinderInclination = FixedRotation(
            r=(length - pin / 2, 0, 0), n="x", angle=inclination
        )
        self.connectingRod = BodyShape(
            m=1.0, r=(0, rod, 0), r_CM=(0, rod / 2, 0), I_11=0.006, I_22=0.0005, I_33=0.006
        )
        self.piston = BodyShape(
            m=6.0,
            r=(0, PISTON, 0),
            r_CM=(0, PISTON / 2, 0),
            I_11=0.0088,
            I_22=0.0076,
            I_33=0.0088,
        )
        self.gasForce = GasForce2(L=TOP - (PISTON + rod - throw), d=0.1)
        self.crank_a >> self.crankAngle.frame_a
        self.crankAngle.frame_b >> self.mid.frame_a
        self.crank_a >> self.crank.frame_a
        self.crank.frame_b >> self.crank_b
        self.cylinder_a >> self.mounting.frame_a
        self.mounting.frame_b >> self.cylinder_b
        self.cylinder_a >> self.cylinderInclination.frame_a


class JointedCylinder(LumpedCylinder):
    """A lumped cylinder of plain joints: two hinges and a slide."""

    def build(self, crank_angle: float = 0.0, inclination: float = 0.0) -> None:
        """Join crank pin, rod, piston and housing."""
        super().build(crank_angle, inclination)
        self.b1 = Revolute(n="x", phi=guess(inclination - crank_angle))
        self.b2 = Revolute(n="x")
        self.cylinderTop = FixedTranslation(r=(0, TOP, 0))
        self.cylinder = Prismatic(n="-y", s=guess(0.15), useAxisFlange=True)
        self.mid.frame_b >> self.b1.frame_a
        self.b1.frame_b >> self.connectingRod.frame_a
        self.connectingRod.frame_b >> self.b2.frame_b
        self.b2.frame_a >> self.piston.frame_a
        self.cylinderInclination.frame_b >> self.cylinderTop.frame_a
        self.cylinderTop.frame_b >> self.cylinder.frame_a
        self.cylinder.frame_b >> self.piston.frame_b
        self.cylinder.support >> self.gasForce.flange_a
        self.gasForce.flange_b >> self.cylinder.axis


class AssembledCylinder(LumpedCylinder):
    """A lumped cylinder with an assembly for its joints (Modelica's Cylinder_analytic_CAD)."""

    def build(self, crank_angle: float = 0.0, inclination: float = 0.0) -> None:
        """Put the assembly between crank pin and housing; it carries rod and piston."""
        super().build(crank_angle, inclination)
        rod = self.connectingRod.r.y
        self.jointRRP = JointRRP(
            n_a="x",
            n_b="-y",
            rRod1_ia=(0, rod, 0),
            rRod2_ib=(0, -PISTON, 0),
            s_offset=-TOP,
        )
        self.mid.frame_b >> self.jointRRP.frame_a
        self.jointRRP.frame_b >> self.cylinderInclination.frame_b
        self.jointRRP.frame_ia >> self.connectingRod.frame_a
        self.jointRRP.frame_ib >> self.piston.frame_b
        self.jointRRP.bearing >> self.gasForce.flange_a
        self.gasForce.flange_b >> self.jointRRP.axis


class EngineV6(Model):
    """An engine with six cylinders in a V that drives a load (Modelica's EngineV6).

    Six coupled planar loops, one freedom. The load is a flywheel of 1 kg·m², 10 rad/s at the
    start, with a drag torque of 100 N·m at 200 rad/s that grows with the square of the speed;
    a sensor measures the torque of the engine and a filter of 5 Hz smooths it.
    """

    def build(self, cylinder: type[Model] = EngineCylinder) -> None:
        """Put the throws of all cylinders one behind the other, and drive the load."""
        ground = self._ground()
        self.bearing = Revolute(n="x", useAxisFlange=True)
        ground >> self.bearing.frame_a
        shaft, housing = self._shaft(), ground
        for i, (crank_angle, inclination) in enumerate(CYLINDERS, start=1):
            unit = cylinder(crank_angle=crank_angle, inclination=inclination)
            setattr(self, f"cylinder{i}", unit)
            shaft >> unit.crank_a
            housing >> unit.cylinder_a
            shaft, housing = unit.crank_b, unit.cylinder_b

        self.load = rotational.Inertia(J=1.0, phi=0.0, w=10.0, stateSelect="always")
        self.load2 = rotational.QuadraticSpeedDependentTorque(
            tau_nominal=-100.0, w_nominal=200.0
        )
        self.torqueSensor = rotational.TorqueSensor()
        self.filter = blocks.CriticalDamping(n=2, f=5.0, initType="SteadyState")
        self.torqueSensor.flange_a >> self.bearing.axis
        self.torqueSensor.flange_b >> self.load.flange_a
        self.load2.flange >> self.load.flange_b
        self.torqueSensor.tau >> self.filter.u

    def _ground(self) -> Port:
        """Return the frame that the engine stands on."""
        self.world = World()
        return self.world.frame_b

    def _shaft(self) -> Port:
        """Return the frame where the first throw begins."""
        return self.bearing.frame_b


class EngineV6Analytic(EngineV6):
    """The engine with an assembly in each cylinder (Modelica's EngineV6_analytic).

    The crank shaft is one body of 180 kg. With ``cylinder=JointedCylinder`` the same engine
    is built of plain joints.
    """

    def build(self, cylinder: type[Model] = AssembledCylinder) -> None:
        """Build it from lumped cylinders."""
        super().build(cylinder)

    def _shaft(self) -> Port:
        self.crank = BodyShape(
            m=180.0, r_CM=(0.3, 0, 0), I_11=0.1, I_22=1e-5, I_33=1e-5, physical=False
        )
        self.bearing.frame_b >> self.crank.frame_a
        return self.crank.frame_b
