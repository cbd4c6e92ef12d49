"""Electromotive forces and motors: where electrical power becomes mechanical."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.declarations import (
    parameter,
    rotational_flange,
    start,
    translational_flange,
)
from motorik.components.base.equation_part import unknown
from motorik.components.base.variable import Variable
from motorik.components.domains import electrical, heat
from motorik.components.electrical.basic import Inductor, Resistor
from motorik.components.electrical.interfaces import OnePort
from motorik.components.joints.simple import shown_as
from motorik.components.rotational.parts import Inertia
from motorik.equations.language import Equation, der, equal

if TYPE_CHECKING:
    from typing_extensions import Self


class RotationalEMF(OnePort):
    """The electromotive force of a rotating machine: v = k w, and k i is the torque on the shaft.

    w is the speed of the flange relative to the support.
    """

    flange = rotational_flange("shaft")
    support = rotational_flange("housing", when="useSupport")
    k: kinds.TorqueConstant = parameter("torque constant", default=1.0)
    useSupport: kinds.Boolean = parameter("whether the support has a flange", default=False)
    w: kinds.AngularVelocity = unknown("speed of the shaft relative to the support")

    def laws(self) -> Iterator[Equation]:
        """Yield v = k w and the torques k i on both flanges."""
        yield equal(self.v, self.k * self.w)
        yield equal(self.flange.tau, -self.k * self.i)
        if self.useSupport:
            yield equal(self.w, der(self.flange.phi) - der(self.support.phi))
            yield equal(self.support.tau, self.k * self.i)
        else:
            yield equal(self.w, der(self.flange.phi))


class TranslationalEMF(OnePort):
    """The electromotive force of a linear machine: v = k v_rel, and k i is the force on its rod.

    v_rel is the speed of the flange relative to the support.
    """

    flange = translational_flange("rod")
    support = translational_flange("housing", when="useSupport")
    k: kinds.ForceConstant = parameter("force constant", default=1.0)
    useSupport: kinds.Boolean = parameter("whether the support has a flange", default=False)
    vel: kinds.Velocity = unknown("speed of the rod relative to the support")

    def laws(self) -> Iterator[Equation]:
        """Yield v = k v_rel and the forces k i on both flanges."""
        yield equal(self.v, self.k * self.vel)
        yield equal(self.flange.f, -self.k * self.i)
        if self.useSupport:
            yield equal(self.vel, der(self.flange.s) - der(self.support.s))
            yield equal(self.support.f, self.k * self.i)
        else:
            yield equal(self.vel, der(self.flange.s))


class DCMotor(DeclaredComposite):
    """A motor with permanent magnets: v = R i + L di/dt + k w, and J ẇ = k i + τ.

    τ is the torque at the flange. The losses R i² leave through the heat port, if there is one;
    R is then R (1 + α (T − T_ref)).
    """

    is_drawn = False
    is_open = False
    p = electrical.port("positive pin")
    n = electrical.port("negative pin")
    flange = rotational_flange("shaft")
    support = rotational_flange("housing", when="useSupport")
    heatPort = heat.port("where the heat of the winding leaves", when="useHeatPort")

    R: kinds.Resistance = parameter("resistance of the winding at T_ref", default=0.05)
    L: kinds.Inductance = parameter("inductance of the winding", default=0.0015)
    k: kinds.TorqueConstant = parameter("torque constant", default=0.6366)
    J: kinds.MomentOfInertia = parameter("moment of inertia of the rotor", default=0.15)
    T_ref: kinds.Temperature = parameter("reference temperature", default=293.15)
    alpha: kinds.PerTemperature = parameter(
        "relative change of the resistance with the temperature", default=0.0
    )
    useSupport: kinds.Boolean = parameter("whether the support has a flange", default=False)
    useHeatPort: kinds.Boolean = parameter("whether there is a heat port", default=False)
    i: kinds.StartCurrent = start("current from p to n through the motor")
    phi: kinds.StartAngle = start("angle of the rotor")
    w: kinds.StartAngularVelocity = start("speed of the rotor")

    def build(self) -> None:
        """Build it from a resistor, an inductor, an electromotive force and an inertia."""
        self.resistor = Resistor()
        self.inductor = Inductor()
        self.emf = RotationalEMF()
        self.rotor = Inertia()
        self.share(self.resistor, R="R", T_ref="T_ref", alpha="alpha")
        self.share(self.inductor, L="L", i="i")
        self.share(self.emf, k="k")
        self.share(self.rotor, J="J", phi="phi", w="w")
        self.p >> self.resistor.p
        self.resistor.n >> self.inductor.p
        self.inductor.n >> self.emf.p
        self.emf.n >> self.n
        self.emf.flange >> self.rotor.flange_a
        self.rotor.flange_b >> self.flange
        self._connect_optional()

    def _open_ports(self, when: str) -> None:
        super()._open_ports(when)
        self._connect_optional()

    def _connect_optional(self) -> None:
        """Connect support and heat port with those within, as soon as the motor has them."""
        if self.useSupport and not self.emf.useSupport:
            self.support >> self.emf.support
        if self.useHeatPort and not self.resistor.useHeatPort:
            self.heatPort >> self.resistor.heatPort

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return current, angle and speed."""
        current = Variable(
            lambda motion: motion.variable(self.inductor, "i"), "A", "current"
        )
        return {"i": current, **shown_as(self.rotor, phi="phi", w="w")}
