"""Engine with six cylinders, built from plain joints and with a joint assembly in each cylinder.

Both are Modelica's models with the same data. In the model of plain joints the triangle of crank,
rod and cylinder, which the assembly solves, is found automatically. Writes loops_engine.png
(plot) and loops_engine_pose.png (picture).
"""

from __future__ import annotations

import numpy as np

from motorik import (
    BodyShape,
    FixedRotation,
    FixedTranslation,
    Model,
    Prismatic,
    Revolute,
    World,
    blocks,
    deg,
    guess,
    rotational,
)
from motorik.assemblies import JointRRP
from motorik.authoring import frame
from motorik.components.forces.gas import GasForce2

# angle of the crank and inclination of each cylinder
CYLINDERS = ((-30, -30), (90, 30), (210, -30), (210, 30), (90, -30), (-30, 30))  # °
LENGTH, PIN = 0.14, 0.1  # m, of a cylinder along the shaft, and of its crank pin
CRANK, ROD, PISTON, TOP = 0.05, 0.175, 0.1, 0.42  # m, the last from shaft to cylinder top


class Cylinder(Model):
    """A cylinder with its throw of the crank shaft, without the joints.

    The shaft runs along x from `crank_a` to `crank_b`, the housing from `cylinder_a` to
    `cylinder_b`. The throw is turned about x by `crank_angle` [rad], the cylinder by
    `inclination` [rad].
    """

    crank_a, crank_b = frame("shaft, left end"), frame("shaft, right end")
    cylinder_a, cylinder_b = frame("housing, left end"), frame("housing, right end")

    def build(self, crank_angle: float = 0.0, inclination: float = 0.0) -> None:
        """Place the throw, the cylinder, the rod of 1 kg and the piston of 6 kg."""
        self.crankAngle = FixedRotation(n="x", angle=crank_angle)
        self.mid = FixedTranslation(r=(LENGTH - PIN / 2, CRANK, 0))
        self.crank = FixedTranslation(r=(LENGTH, 0, 0))
        self.mounting = FixedTranslation(r=(LENGTH, 0, 0))
        self.cylinderInclination = FixedRotation(
            r=(LENGTH - PIN / 2, 0, 0), n="x", angle=inclination
        )
        self.connectingRod = BodyShape(
            m=1.0, r=(0, ROD, 0), r_CM=(0, ROD / 2, 0), I_11=0.006, I_22=0.0005, I_33=0.006
        )
        self.piston = BodyShape(
            m=6.0,
            r=(0, PISTON, 0),
            r_CM=(0, PISTON / 2, 0),
            I_11=0.0088,
            I_22=0.0076,
            I_33=0.0088,
        )
        self.gasForce = GasForce2(L=TOP - (PISTON + ROD - CRANK), d=0.1)
        self.crank_a >> self.crankAngle.frame_a
        self.crankAngle.frame_b >> self.mid.frame_a
        self.crank_a >> self.crank.frame_a
        self.crank.frame_b >> self.crank_b
        self.cylinder_a >> self.mounting.frame_a
        self.mounting.frame_b >> self.cylinder_b
        self.cylinder_a >> self.cylinderInclination.frame_a


class JointedCylinder(Cylinder):
    """A cylinder of plain joints: two hinges and a slide."""

    def build(self, crank_angle: float = 0.0, inclination: float = 0.0) -> None:
        """Connect crank pin, rod, piston and housing; the gas acts along the slide."""
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


class AssembledCylinder(Cylinder):
    """A cylinder with an assembly of two hinges and a slide, which carries rod and piston."""

    def build(self, crank_angle: float = 0.0, inclination: float = 0.0) -> None:
        """Put the assembly between crank pin and housing; the gas acts along its slide."""
        super().build(crank_angle, inclination)
        self.jointRRP = JointRRP(
            n_a="x",
            n_b="-y",
            rRod1_ia=(0, ROD, 0),
            rRod2_ib=(0, -PISTON, 0),
            s_offset=-TOP,
        )
        self.mid.frame_b >> self.jointRRP.frame_a
        self.jointRRP.frame_b >> self.cylinderInclination.frame_b
        self.jointRRP.frame_ia >> self.connectingRod.frame_a
        self.jointRRP.frame_ib >> self.piston.frame_b
        self.jointRRP.bearing >> self.gasForce.flange_a
        self.gasForce.flange_b >> self.jointRRP.axis


class Engine(Model):
    """Six cylinders in a V on one shaft: six coupled planar loops, one degree of freedom.

    The crank shaft is one body of 180 kg. The load is a flywheel of 1 kg·m², 10 rad/s at the
    start, with a drag torque of 100 N·m at 200 rad/s that grows with the square of the speed;
    a sensor measures the torque of the engine and a filter of 5 Hz smooths it.
    """

    def build(self, cylinder: type[Cylinder] = JointedCylinder) -> None:
        """Put the cylinders one behind the other, and drive the load."""
        self.world = World()
        self.bearing = Revolute(n="x", useAxisFlange=True)
        self.crank = BodyShape(
            m=180.0, r_CM=(0.3, 0, 0), I_11=0.1, I_22=1e-5, I_33=1e-5, physical=False
        )
        self.world.frame_b >> self.bearing.frame_a
        self.bearing.frame_b >> self.crank.frame_a
        shaft, housing = self.crank.frame_b, self.world.frame_b
        for i, (crank_angle, inclination) in enumerate(CYLINDERS, start=1):
            unit = cylinder(crank_angle=deg(crank_angle), inclination=deg(inclination))
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


def main() -> None:
    """Start both engines at 10 rad/s and simulate a second."""
    assembled = Engine(cylinder=AssembledCylinder).simulate(1.01, rtol=1e-8)
    jointed = Engine(cylinder=JointedCylinder).simulate(1.01, rtol=1e-8)
    print(assembled.summary())
    print(jointed.summary())
    apart = np.abs(assembled["load.w"] - jointed["load.w"]).max()
    print(f"their speeds differ by at most {apart:.1e} rad/s")
    speed = jointed["load.w"][-1] * 30 / np.pi
    print(f"after 1.01 s the engine turns with {speed:.0f} 1/min")
    jointed.plot(
        "load.w",
        "filter.y",
        "torqueSensor.tau",
        "cylinder1.cylinder.s",
        "cylinder1.gasForce.f",
        file="loops_engine.png",
    )
    jointed.draw(0.5, file="loops_engine_pose.png")


if __name__ == "__main__":
    main()
