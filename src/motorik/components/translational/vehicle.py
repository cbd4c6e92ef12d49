"""A vehicle on a road, and its resistances: air, rolling wheels, the grade."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, sqrt, where
from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.declarations import (
    parameter,
    rotational_flange,
    signal_input,
    start,
    translational_flange,
)
from motorik.components.base.part import DeclaredPart
from motorik.components.base.ports import Port, connect
from motorik.components.base.resolving import Values
from motorik.components.base.values import Derived
from motorik.components.base.variable import Variable
from motorik.components.joints.simple import shown_as
from motorik.components.lines.flanges import TranslationalEnd, TranslationalSupported
from motorik.components.lines.gears import IdealRollingWheel
from motorik.components.lines.loads import Load, smooth_sign
from motorik.components.rotational.parts import Inertia
from motorik.components.translational.parts import Mass

if TYPE_CHECKING:
    from typing_extensions import Self

STANDARD_GRAVITY = 9.80665


class _Graded(DeclaredPart):
    """The resistances that depend on the grade, the tangent of the road's inclination."""

    inclination = signal_input(
        "tangent of the angle of the road", when="useInclinationInput"
    )
    useInclinationInput: kinds.Boolean = parameter(
        "whether the inclination is an input signal", default=False
    )
    inclinationConstant: kinds.Factor = parameter(
        "constant inclination: tangent of the angle, positive uphill",
        default=0.0,
    )


class RollingResistance(TranslationalSupported, _Graded, Load):
    """The resistance of a rolling wheel: Cr · fWeight · cos α against the motion.

    Near v = 0 it passes smoothly through zero instead of sticking, by the
    function `reg` of v / v0. tan α is the inclination.
    """

    cr = signal_input("coefficient of rolling resistance", when="useCrInput")

    fWeight: kinds.ForceOrZero = parameter("weight on the wheel", default=0.0)
    useCrInput: kinds.Boolean = parameter(
        "whether the coefficient is an input signal", default=False
    )
    CrConstant: kinds.FactorOrZero = parameter("constant coefficient", default=0.01)
    reg: kinds.Regularization = parameter("regularization near v = 0", default="Exp")
    v0: kinds.PositiveVelocity = parameter("speed of the regularization", default=0.1)

    def inputs(self) -> tuple[Port, ...]:
        """Return inclination and coefficient as far as they are input signals."""
        given = (self.__dict__.get("inclination"), self.__dict__.get("cr"))
        return tuple(port for port in given if port is not None)

    @staticmethod
    def law(p: RollingResistance, x: Scalar, v: Scalar, *signals: Scalar) -> Scalar:
        """Return −Cr · fWeight · cos α · the sign of v, made smooth."""
        slope = signals[0] if p.useInclinationInput else p.inclinationConstant
        coefficient = signals[-1] if p.useCrInput else p.CrConstant
        cosine = 1.0 / sqrt(1.0 + slope * slope)
        return -coefficient * p.fWeight * cosine * smooth_sign(v / p.v0, p.reg)


class _Drag(TranslationalEnd, Load):
    """The resistance of the air: Cd · A · rho / 2 · (v − vWind)², against v − vWind."""

    vWind = signal_input("velocity of the wind", "m/s", when="useWindInput")
    useWindInput: kinds.Boolean = parameter(
        "whether the wind is an input signal", default=False
    )
    vWindConstant: kinds.Velocity = parameter("constant velocity of the wind", default=0.0)
    k: kinds.FactorOrZero = parameter("Cd · A · rho / 2 [kg/m]", default=0.0)

    def reacts_on(self, p: Values) -> Port | None:
        """Return None: the air is not a part."""
        return None

    def inputs(self) -> tuple[Port, ...]:
        """Return the wind if it is an input signal."""
        return (self.vWind,) if "vWind" in self.__dict__ else ()

    @staticmethod
    def law(p: _Drag, x: Scalar, v: Scalar, *signals: Scalar) -> Scalar:
        """Return −k (v − vWind)²."""
        against = v - (signals[0] if signals else p.vWindConstant)
        force = p.k * against * against
        return where(against < 0.0, force, -force)


class _Grade(TranslationalEnd, _Graded, Load):
    """The weight of a body on an inclined road: m g sin α downhill."""

    fWeight: kinds.ForceOrZero = parameter("weight", default=0.0)

    def reacts_on(self, p: Values) -> Port | None:
        """Return None: the earth is not a part."""
        return None

    def inputs(self) -> tuple[Port, ...]:
        """Return the inclination if it is an input signal."""
        return (self.inclination,) if "inclination" in self.__dict__ else ()

    @staticmethod
    def law(p: _Grade, x: Scalar, v: Scalar, *signals: Scalar) -> Scalar:
        """Return −fWeight sin α."""
        slope = signals[0] if signals else p.inclinationConstant
        return -p.fWeight * slope / sqrt(1.0 + slope * slope)


class Vehicle(DeclaredComposite):
    """A vehicle in straight motion: mass, turning parts, and air, rolling and grade resistance.

    flangeR turns its wheels, R φ = s; flangeT pulls it. The air resists by
    Cd · A · rho / 2 · (v − vWind)², rolling by Cr · m · g · cos α (see `RollingResistance`), the
    grade by m · g · sin α; tan α is the inclination.
    """

    is_open = False
    flangeR = rotational_flange("flange of the wheels")
    flangeT = translational_flange("flange of the body")
    inclination = signal_input(
        "tangent of the angle of the road", when="useInclinationInput"
    )
    cr = signal_input("coefficient of rolling resistance", when="useCrInput")
    vWind = signal_input("velocity of the wind", "m/s", when="useWindInput")

    m: kinds.PositiveMass = parameter("whole mass", default=1000.0)
    g: kinds.Acceleration = parameter("gravity", default=STANDARD_GRAVITY)
    J: kinds.MomentOfInertia = parameter("inertia of all rotating parts", default=0.0)
    R: kinds.Length = parameter("radius of the wheels", default=0.3)
    A: kinds.Area = parameter("cross section in the air", default=1.0)
    Cd: kinds.FactorOrZero = parameter("drag coefficient", default=0.5)
    rho: kinds.Density = parameter("density of the air", default=1.2)
    useWindInput: kinds.Boolean = parameter(
        "whether the wind is an input signal", default=False
    )
    vWindConstant: kinds.Velocity = parameter("constant velocity of the wind", default=0.0)
    useCrInput: kinds.Boolean = parameter(
        "whether the rolling coefficient is an input signal", default=False
    )
    CrConstant: kinds.FactorOrZero = parameter(
        "constant rolling coefficient", default=0.015
    )
    vReg: kinds.PositiveVelocity = parameter(
        "speed of the regularization of the rolling resistance", default=1e-3
    )
    useInclinationInput: kinds.Boolean = parameter(
        "whether the inclination is an input signal", default=False
    )
    inclinationConstant: kinds.Factor = parameter(
        "constant inclination: tangent of the angle, positive uphill",
        default=0.0,
    )
    s: kinds.StartDistance = start("position")
    v: kinds.StartVelocity = start("velocity")

    def build(self) -> None:
        """Make it of a mass, a wheel with inertia, and three loads."""
        weight = Derived(self, _weight)
        self.mass = Mass(m=Derived(self, attrgetter("m")))
        self.inertia = Inertia(J=Derived(self, attrgetter("J")))
        self.idealRollingWheel = IdealRollingWheel(radius=Derived(self, attrgetter("R")))
        self.fDrag = _Drag(
            k=Derived(self, _drag),
            vWindConstant=Derived(self, attrgetter("vWindConstant")),
        )
        slope = Derived(self, attrgetter("inclinationConstant"))
        self.fRoll = RollingResistance(
            fWeight=weight,
            CrConstant=Derived(self, attrgetter("CrConstant")),
            inclinationConstant=slope,
            reg="Linear",
            v0=Derived(self, attrgetter("vReg")),
        )
        self.fGrav = _Grade(fWeight=weight, inclinationConstant=slope)
        self.share(self.mass, s="s", v="v")
        connect(self.flangeR, self.inertia.flange_a)
        connect(self.inertia.flange_b, self.idealRollingWheel.flangeR)
        connect(self.idealRollingWheel.flangeT, self.mass.flange_a)
        loads = (self.fDrag.flange, self.fRoll.flange, self.fGrav.flange)
        connect(self.mass.flange_b, self.flangeT, *loads)
        if self.useWindInput:
            self._take("useWindInput")
        if self.useCrInput:
            self._take("useCrInput")
        if self.useInclinationInput:
            self._take("useInclinationInput")

    def _open_ports(self, when: str) -> None:
        """Take a signal into use and connect it to the loads."""
        super()._open_ports(when)
        self._take(when)

    def _take(self, when: str) -> None:
        if when == "useWindInput":
            connect(self.vWind, self.fDrag.vWind)
        elif when == "useCrInput":
            connect(self.cr, self.fRoll.cr)
        else:
            connect(self.inclination, self.fRoll.inclination, self.fGrav.inclination)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return position, velocity and acceleration."""
        return shown_as(self.mass, s="s", v="v", a="a")


def _weight(p: Values) -> Scalar:
    return p.m * p.g


def _drag(p: Values) -> Scalar:
    return 0.5 * p.Cd * p.A * p.rho
