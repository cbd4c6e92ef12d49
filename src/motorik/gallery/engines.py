"""Engines with one cylinder: without gas, with gas, and with an assembly for its joints."""

from __future__ import annotations

from motorik import guess, rotational
from motorik.assemblies import JointRRP
from motorik.components.forces.gas import GasForce2
from motorik.joints import Prismatic, Revolute
from motorik.model import Model
from motorik.parts import BodyBox, BodyCylinder, FixedTranslation, World


class Engine1(Model):
    """Common part of the engines with one cylinder: crank shaft, flywheel, rod and piston.

    The shaft turns about x, the cylinder stands along y with its top at 0.45 m. The flywheel
    has 1 kg·m² and starts with 10 rad/s at phi = 0, where the piston is at its top.
    """

    def build(self) -> None:
        """Build the crank shaft and the parts that are connected later."""
        self.world = World()
        self.bearing = Revolute(n="x", useAxisFlange=True)
        self.inertia = rotational.Inertia(J=1.0, phi=0.0, w=10.0, stateSelect="always")
        self.crank1 = BodyCylinder(r=(0.1, 0, 0), diameter=0.05)
        self.crank2 = cheek(0.1)
        self.crank3 = BodyCylinder(r=(0.1, 0, 0), diameter=0.03)
        self.crank4 = cheek(-0.1)
        self.mid = FixedTranslation(r=(0.05, 0, 0))
        self.cylPosition = FixedTranslation(r=(0.15, 0.45, 0))
        self.world.frame_b >> self.bearing.frame_a
        self.world.frame_b >> self.cylPosition.frame_a
        self.inertia.flange_b >> self.bearing.axis
        self.bearing.frame_b >> self.crank1.frame_a
        self.crank1.frame_b >> self.crank2.frame_a
        self.crank2.frame_b >> self.crank3.frame_a
        self.crank3.frame_b >> self.crank4.frame_a
        self.crank2.frame_b >> self.mid.frame_a
        self.piston = BodyCylinder(r=(0, -0.1, 0), diameter=0.1)
        self.connectingRod = BodyBox(
            r=(0, -0.2, 0), width=0.02, height=0.06, widthDirection="x"
        )

    def _lead_to_pin(self, cylinder: Prismatic) -> None:
        """Connect cylinder, piston, rod and crank pin."""
        self.cylinder = cylinder
        self.b1, self.b2 = Revolute(n="x"), Revolute(n="x")
        self.cylPosition.frame_b >> self.cylinder.frame_a
        self.cylinder.frame_b >> self.piston.frame_a
        self.piston.frame_b >> self.b1.frame_a
        self.b1.frame_b >> self.connectingRod.frame_a
        self.connectingRod.frame_b >> self.b2.frame_b
        self.mid.frame_b >> self.b2.frame_a


class Engine1a(Engine1):
    """One cylinder without gas: a slider-crank under gravity (Modelica's Engine1a)."""

    def build(self) -> None:
        """Connect cylinder, piston, rod and crank pin."""
        super().build()
        self._lead_to_pin(Prismatic(n="-y", s=guess(0.15)))


class Engine1b(Engine1):
    """The same with gas that is compressed and burns (Modelica's Engine1b)."""

    def build(self) -> None:
        """Connect cylinder and crank pin; gas acts along the cylinder."""
        super().build()
        self._lead_to_pin(Prismatic(n="-y", s=guess(0.05), useAxisFlange=True))
        self.gasForce = GasForce2(L=0.35, d=0.1)
        self.cylinder.support >> self.gasForce.flange_a
        self.gasForce.flange_b >> self.cylinder.axis


class Engine1bAnalytic(Engine1):
    """The same with the joints as one assembly (Modelica's Engine1b_analytic)."""

    def build(self) -> None:
        """Put the assembly between crank pin and cylinder; it carries rod and piston."""
        super().build()
        self.jointRRP = JointRRP(
            n_a="x", n_b="-y", rRod1_ia=(0, 0.2, 0), rRod2_ib=(0, -0.1, 0)
        )
        self.gasForce = GasForce2(L=0.35, d=0.1)
        self.mid.frame_b >> self.jointRRP.frame_a
        self.jointRRP.frame_b >> self.cylPosition.frame_b
        self.jointRRP.frame_ib >> self.piston.frame_a
        self.jointRRP.frame_ia >> self.connectingRod.frame_b
        self.jointRRP.bearing >> self.gasForce.flange_a
        self.gasForce.flange_b >> self.jointRRP.axis


def cheek(height: float) -> BodyBox:
    """Return a cheek of the crank, `height` [m] high along y."""
    return BodyBox(r=(0, height, 0), width=0.02, height=0.05, widthDirection="x")
