"""The checks pass what is right and refuse each kind of wrong, saying what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.scalar import arctan2, cos, sin, where
from motorik.algebra.vector import ZERO, Vector, X, Z
from motorik.checks import check_joint
from motorik.elements import (
    Coordinate,
    Joint,
    PrismaticPair,
    RevolutePair,
    SphericalPair,
)
from motorik.elements.constraint import TOGETHER, held_along, in_line
from motorik.elements.rolling import RollingPair
from motorik.errors import MotorikError


@dataclass(frozen=True)
class Polar(Joint):
    """A user's joint: b at distance r in the direction φ, turned with it.

    X_ab = Rot(z, φ) Trans(r x),  S = (0, x), (z, r y)
    """

    coordinates = (Coordinate("r", "m", neutral=1.0), Coordinate("phi", "rad"))
    speeds = (Coordinate("v", "m/s"), Coordinate("w", "rad/s"))

    def pose(self, r, phi):
        return Pose(rotation_about(Z, phi), Vector(r * cos(phi), r * sin(phi), 0.0))

    def screws(self, r, phi):
        return (Motor(ZERO, X), Motor(Z, Vector(0.0, r, 0.0)))

    def fit(self, X_ab):
        return (X_ab.R.T @ X_ab.p).x, arctan2(X_ab.R.yx, X_ab.R.xx)


@pytest.mark.slow
def test_a_users_joint_passes_with_figures_for_every_law():
    figures = check_joint(Polar(), samples=8, tolerance=2e-15)
    kinematics = {"rotation", "screws", "bias", "fit", "force", "projecting", "reversal"}
    held = {"constraint", "letting", "holding", "assembly_residual", "elsewhere", "gap"}
    assert figures.keys() == kinematics | held | {"duals", "arrays", "symbols", "native"}


class NotUnit(RevolutePair):
    """A pose that stretches: its axes have the length 2."""

    def __init__(self):
        super().__init__(Z)

    def pose(self, *q):
        X_ab = super().pose(*q)
        return Pose(2.0 * X_ab.R, X_ab.p)


class ScrewsInA(Polar):
    """Screws resolved in a instead of b."""

    def screws(self, r, phi):
        return tuple(self.pose(r, phi)(screw) for screw in super().screws(r, phi))


class WrongRates(SphericalPair):
    """A quaternion rate of twice the speed."""

    def rates(self, q, u):
        return tuple(2.0 * rate for rate in super().rates(q, u))


class ForgottenBias(Polar):
    """Takes the screws for constant."""

    def bias(self, q, u):
        return Motor()


class WrongFit(Polar):
    """Forgets the sign of the angle."""

    def fit(self, X_ab):
        r, phi = super().fit(X_ab)
        return r, abs(phi)


class FreeEnergy(PrismaticPair):
    """Moves twice as fast as its screw says, so that power comes from nowhere."""

    def relative_velocity(self, q, u):
        return 2.0 * super().relative_velocity(q, u)


class NeverProjected(SphericalPair):
    """Leaves a quaternion at the length it has."""

    def projected(self, q):
        return tuple(q)


class ProjectedElsewhere(Polar):
    """Moves on while it needs_projection."""

    def projected(self, q):
        return (q[0], 0.999 * q[1])


class WrongReversal(Polar):
    """Says that it looks the same from b."""

    def reversed(self):
        return self


class NotBackAgain(RevolutePair):
    """Reversed once right, twice wrong."""

    def reversed(self):
        return WrongReversal2(-self.axis)


class WrongReversal2(RevolutePair):
    """Reversed, says that it is itself."""

    def reversed(self):
        return self


class NaNPose(Polar):
    """Has no pose at positive angles."""

    def pose(self, r, phi):
        X_ab = super().pose(r, phi)
        return Pose(X_ab.R, where(phi > 0.0, float("nan"), 1.0) * X_ab.p)


class Branching(Polar):
    """Chooses by `if`, which no symbol can answer."""

    def screws(self, r, phi):
        if r == 0.0:
            return (Motor(ZERO, X), Motor(Z, ZERO))
        return super().screws(r, phi)


class Forgetful(RevolutePair):
    """Computes with plain numbers only, so that duals lose their rate."""

    def pose(self, phi):
        return super().pose(float(getattr(phi, "value", phi)))


class OtherDuals(Polar):
    """Does something else when it is given dual numbers."""

    def rates(self, q, u):
        rates = super().rates(q, u)
        return rates if type(q[0]) is float else (rates[0] * 1.001, rates[1])


class OtherArrays(Polar):
    """Mixes up the samples of an array."""

    def screws(self, r, phi):
        r = r[::-1] if getattr(r, "shape", ()) else r
        return super().screws(r, phi)


class OtherSymbols(Polar):
    """Does something else when it is traced."""

    def screws(self, r, phi):
        is_symbol = hasattr(r, "is_symbolic")
        return super().screws(1.001 * r if is_symbol else r, phi)


class Loose(RevolutePair):
    """Does not hold the axis."""

    @property
    def constraint(self):
        return self.holding(TOGETHER)


class Stuck(RevolutePair):
    """Holds its speed, too."""

    @property
    def constraint(self):
        return replace(super().constraint, rate=self.speed, rate_units=("rad/s",))

    def speed(self, poses, velocities):
        return (velocities[1].resultant.z,)


class SameRow(RevolutePair):
    """Moves sideways along one direction that no row sees."""

    @property
    def constraint(self):
        return self.holding(held_along(X, X, Z), in_line(self.axis))


class Blind(RevolutePair):
    """Assembles by sines, which forget half a turn."""

    @property
    def constraint(self):
        return replace(super().constraint, assembly_residual=None)


class Steep(RevolutePair):
    """Assembles by rows twice as steep."""

    @property
    def constraint(self):
        held = super().constraint
        return replace(
            held,
            assembly_residual=lambda *X: tuple(2 * r for r in held.assembly_residual(*X)),
        )


class Short(RevolutePair):
    """Measures half of the gap."""

    @property
    def constraint(self):
        return replace(super().constraint, gap=self.half)

    def half(self, X_a, X_b):
        return tuple(0.5 * size for size in self.misfit(X_a, X_b))


class Aside(RevolutePair):
    """Is closed elsewhere."""

    @property
    def constraint(self):
        held = super().constraint
        return replace(held, residual=lambda *X: (*held.residual(*X)[:4], 0.1))


class Slipping(RollingPair):
    """Rolls where it is a joint, and slips where it closes a loop."""

    @property
    def constraint(self):
        return replace(super().constraint, rate=None, rate_units=())


@pytest.mark.kinds(12)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("joint", "message"),
    [
        (NotUnit(), "that R_ab is a rotation fails by"),
        (ScrewsInA(), "that the screws are the rate of the pose fails by"),
        (WrongRates(), "that the screws are the rate of the pose fails by"),
        (Forgetful(), "that the screws are the rate of the pose fails by 1 "),
        (ForgottenBias(), "that the bias is the rate of the screws fails by"),
        (WrongFit(), "that fit is the inverse of pose fails by"),
        (FreeEnergy(), "that force is the transpose of velocity .* fails by"),
        (NeverProjected(), "that projected coordinates are of the same pose .* fails by"),
        (
            ProjectedElsewhere(),
            "that projected coordinates are of the same pose .* fails by",
        ),
        (WrongReversal(), "that the reversed joint is the same joint seen from b fails by"),
        (NotBackAgain(), "that the reversed joint is the same joint seen from b fails by"),
        (NaNPose(), "fails by nan"),
        (Aside(), "that the rows of the constraint vanish .* fails by 0.1 "),
        (Stuck(), "that the constraint allows motion along the screws fails by"),
        (Loose(), "that the constraint prevents 6 − f of six motions fails by 2 "),
        (SameRow(), "that the constraint prevents 6 − f of six motions fails by 1 "),
        (Slipping(), "that the constraint prevents 6 − f of six motions fails by 2 "),
        (Steep(), "that the assembly residual is the residual to first order fails by"),
        (
            Blind(),
            "that the assembly residual vanishes where the gap does, and nowhere else fails",
        ),
        (Short(), "that the gap is the distance of b from the nearest pose .* fails by"),
        (OtherDuals(), "that dual numbers give the same as numbers fails by"),
        (OtherArrays(), "that arrays give the same as numbers fails by"),
        (OtherSymbols(), "that symbols give the same as numbers fails by"),
        (Branching(), "that arrays give the same as numbers cannot be tested: ValueError"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Joint) else "",
)
def test_a_wrong_joint_is_refused_by_its_law(joint, message):
    with pytest.raises(MotorikError, match=message) as caught:
        check_joint(joint)
    assert caught.value.remedy
    assert type(joint).__name__ in caught.value.path


def test_the_error_tells_where_and_how_much():
    with pytest.raises(MotorikError, match=r"at r = .* m, phi = .* rad\.") as caught:
        check_joint(ForgottenBias())
    assert "(allowed 1e-12)" in caught.value.reason


class OneScrew(Polar):
    """Has two speeds but one screw."""

    def screws(self, r, phi):
        return super().screws(r, phi)[:1]


class OneRate(Polar):
    """Has two coordinates but one rate."""

    def rates(self, q, u):
        return (u[0],)


class LongFit(Polar):
    """Has two coordinates but fits three."""

    def fit(self, X_ab):
        return (*super().fit(X_ab), 0.0)


class OtherNames(Polar):
    """Calls its arguments otherwise."""

    def pose(self, radius, angle):
        return super().pose(radius, angle)


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        (OneScrew(), r"screws\(\*q\) returns 1 values, but there are 2 speeds"),
        (OneRate(), r"rates\(q, u\) returns 1 values, but there are 2 coordinates"),
        (LongFit(), r"fit\(X_ab\) returns 3 values, but there are 2 coordinates"),
        (OtherNames(), "pose takes radius, angle, but the coordinates are r, phi"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Joint) else "",
)
def test_declarations_that_do_not_fit_are_refused(joint, message):
    with pytest.raises(MotorikError, match=message):
        check_joint(joint)


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1.0, 1.0 + 1e-9])
def test_machine_code_is_held_against_numbers(monkeypatch, factor):
    def compile_function(function):
        return lambda *arguments: factor * function(*arguments).full()

    monkeypatch.setattr("motorik.compiler.compile_function", compile_function)
    if factor == 1.0:
        assert check_joint(Polar())["native"] == 0.0
    else:
        with pytest.raises(
            MotorikError, match="that machine code gives the same as numbers"
        ):
            check_joint(Polar())
