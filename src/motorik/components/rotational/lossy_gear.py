"""Gears with losses: friction of the teeth, which grows with the torque, and of the bearings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from motorik.algebra.scalar import Scalar, fabs, is_number, where
from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.contributions import (
    Contribution,
    ForceBounds,
    LineForce,
    NonsmoothConstraint,
    Trigger,
)
from motorik.components.base.internal import discrete, friction_with_onset
from motorik.components.base.interpolation import interpolate
from motorik.components.base.motion import Motion
from motorik.components.base.part import (
    PortSpec,
    Variable,
    parameter,
    rotational_flange,
    start,
)
from motorik.components.base.ports import Port, RotationalFlange
from motorik.components.base.resolving import Values
from motorik.components.domains import heat
from motorik.components.joints.simple import shown_as
from motorik.components.lines.flanges import RotationalTwoFlanges
from motorik.components.lines.friction import onset_variables
from motorik.components.lines.gears import Ratio, refuse_zero
from motorik.components.losses import LossyPart
from motorik.components.rotational.parts import ElastoBacklash
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self

NO_LOSS = ((0.0, 1.0, 1.0, 0.0, 0.0),)
FREE = 2.0  # the mode of a gear without losses


class Efficiencies(NamedTuple):
    """A row of the table: efficiencies of the mesh and torques of the bearings at flange_a.

    `of_a` and `bearing_a` where flange_a drives, `of_b` and `bearing_b` where flange_b does.
    """

    of_a: Scalar
    of_b: Scalar
    bearing_a: Scalar
    bearing_b: Scalar

    @staticmethod
    def at(p: Values, w: Scalar) -> Efficiencies:
        """Return the losses at a speed."""
        speed = fabs(w)
        values = (interpolate(p.lossTable, speed, column) for column in (1, 2, 3, 4))
        return Efficiencies(*values)

    @property
    def on_side_a(self) -> Scalar:
        """The part of the bearing torque on the side of flange_a.

        With tau_bf_b on the other side, bearing_a = eta_a tau_bf_a + tau_bf_b / ratio and
        bearing_b = tau_bf_a / eta_b + tau_bf_b / ratio; without friction of the teeth half.
        """
        across = self.of_a - 1.0 / self.of_b
        if is_number(across):
            if across == 0.0:
                return 0.5 * self.bearing_a
            return (self.bearing_a - self.bearing_b) / across
        safe = where(across == 0.0, 1.0, across)
        shared = (self.bearing_a - self.bearing_b) / safe
        return where(across == 0.0, 0.5 * self.bearing_a, shared)

    def loss(self, tau_a: Scalar, a_drives: Scalar, direction: float) -> Scalar:
        """Return the loss turning one way, at a torque on flange_a and with one side driving.

        τ_loss = (1 − η) τ_a + b: with η and b of the side that drives, the bearing against
        the motion. Turning backward, flange_a drives where its torque is negative.
        """
        by_a = (1.0 - self.of_a) * tau_a + direction * self.bearing_a
        by_b = (1.0 - 1.0 / self.of_b) * tau_a + direction * self.bearing_b
        return where(a_drives > 0.5, by_a, by_b)


class LossyGear(RotationalTwoFlanges, LossyPart, Ratio):
    """A gear whose teeth and bearings lose power, and which may stick: φ_a = ratio · φ_b.

    0 = τ_b + ratio · (τ_a − τ_loss). A row of `lossTable` is (|ω_a|, η₁, η₂, τ₁, τ₂): the
    efficiency of the mesh and the bearing torque at flange_a where flange_a drives (1) or
    flange_b (2). Turning, τ_loss = (1 − η₁) τ_a ± τ₁ or (1 − 1/η₂) τ_a ± τ₂; at rest, it is what
    holds the gear, between these.
    """

    loss_level = 2
    support: ClassVar[PortSpec[RotationalFlange]] = rotational_flange(
        "housing", when="useSupport"
    )
    lossTable: kinds.PlainTable = parameter(
        "rows (speed of flange_a, efficiencies, bearing torques)", default=NO_LOSS
    )
    loss = friction_with_onset("torque along the speed of flange_a: minus the loss", "N.m")
    a_drives_forward = discrete("whether flange_a drives, turning forward", start=1.0)
    a_drives_backward = discrete("whether flange_a drives, turning backward", start=1.0)

    def check(self, p: Values) -> None:
        """Refuse a ratio of zero, and tables that are none of losses."""
        super().check(p)
        before = -1.0
        for row in p.lossTable:
            if len(row) != 5:
                raise self._wrong(row, "a row has five numbers")
            if not all(is_number(value) for value in row):
                continue
            speed, of_a, of_b, bearing_a, bearing_b = row
            if speed <= before or (before < 0.0 and speed != 0.0):
                raise self._wrong(row, "speeds begin with 0 and rise")
            if not (0.0 < of_a <= 1.0 and 0.0 < of_b <= 1.0):
                raise self._wrong(row, "efficiencies are above 0 and at most 1")
            if bearing_a < 0.0 or bearing_b < 0.0:
                raise self._wrong(row, "bearing torques are not negative")
            if of_a == of_b == 1.0 and bearing_a != bearing_b:
                raise self._wrong(
                    row, "without friction of the teeth, both bearing torques are the same"
                )
            before = speed

    def _wrong(self, row: object, rule: str) -> ParameterError:
        return ParameterError(
            self.label,
            f"lossTable has the row {row}: {rule}.",
            "Give rows (speed of flange_a, eta_mf1, eta_mf2, tau_bf1, tau_bf2).",
            parameter="lossTable",
            value=row,
        )

    def _is_ideal(self, p: Values) -> bool:
        values = [value for row in p.lossTable for value in row[1:]]
        return all(map(is_number, values)) and all(
            tuple(row[1:]) == NO_LOSS[0][1:] for row in p.lossTable
        )

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the ratio, the torque of the losses, when it holds, and which side drives."""
        yield from super().contributions(p)
        if self._is_ideal(p):
            return
        support = self.support if p.useSupport else None
        yield LineForce(support, self.flange_a, p, loss_law)
        sign_cases = "a_drives_forward", "a_drives_backward"
        levels = self._level(p, 1), self._bounds(p), self._level(p, 2)
        yield NonsmoothConstraint(self, "loss", *levels, sign_cases=sign_cases)
        for direction, name in zip((1.0, -1.0), sign_cases, strict=True):
            yield Trigger(self, condition=self._driving(p, direction, name), flag=name)

    def _level(self, p: Values, order: int) -> Callable[[Motion], Scalar]:
        """Return the speed (1) or acceleration (2) of flange_a against the support."""

        def of(motion: Motion, flange: Port) -> Scalar:
            if order == 2:
                return motion.flange_acceleration(flange)
            return motion.flange(flange)[1]

        if not p.useSupport:
            return lambda motion: of(motion, self.flange_a)
        return lambda motion: of(motion, self.flange_a) - of(motion, self.support)

    def _driving(
        self, p: Values, direction: float, name: str
    ) -> Callable[[Motion], Scalar]:
        """Return a number that is positive where flange_a drives in this direction.

        Turning the other way, it stays as it is.
        """
        speed = self._level(p, 1)

        def condition(motion: Motion) -> Scalar:
            own = Efficiencies.at(p, speed(motion)).on_side_a
            drives = direction * motion.flange_force(self.flange_a) - own
            return where(direction * p.loss.direction < 0.0, getattr(p, name) - 0.5, drives)

        return condition

    def _bounds(self, p: Values) -> Callable[[Motion], ForceBounds]:
        """Return the admissible torques −τ_loss, as they follow from the torque of the teeth.

        With λ₁ = τ_b / ratio, the torque of the teeth on the shaft of flange_a,
        τ_a = −λ₁ + τ_loss, so τ_loss = (b − (1 − η) λ₁) / η.
        """
        speed = self._level(p, 1)

        def bounds(motion: Motion) -> ForceBounds:
            teeth = motion.flange_force(self.flange_b) / p.ratio
            found = []
            for at in (0.0, speed(motion)):
                for direction, drives in (
                    (1.0, p.a_drives_forward),
                    (-1.0, p.a_drives_backward),
                ):
                    losses = Efficiencies.at(p, at)
                    by_a = (
                        (1.0 - losses.of_a) * teeth - direction * losses.bearing_a
                    ) / losses.of_a
                    by_b = (
                        losses.of_b - 1.0
                    ) * teeth - direction * losses.bearing_b * losses.of_b
                    found.append(where(drives > 0.5, by_a, by_b))
            return ForceBounds(*found)

        return bounds

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return angles, speed, losses and mode."""
        speed = self._level(p, 1)
        is_ideal = self._is_ideal(p)

        def mode(motion: Motion) -> Scalar:
            return FREE if is_ideal else p.loss.direction

        def locked(motion: Motion) -> Scalar:
            return 0.0 if is_ideal else p.loss.stick + p.loss.saturated * p.loss.saturated

        def lost(motion: Motion) -> Scalar:
            return 0.0 if is_ideal else -p.loss.force

        def driving(motion: Motion) -> Scalar:
            own = Efficiencies.at(p, speed(motion)).on_side_a
            return motion.flange_force(self.flange_a) - mode(motion) * own

        def largest(motion: Motion, direction: float) -> Scalar:
            side = p.a_drives_forward if direction > 0.0 else p.a_drives_backward
            tau_a = motion.flange_force(self.flange_a)
            return Efficiencies.at(p, speed(motion)).loss(tau_a, side, direction)

        torque = "N.m"
        return dict(super().variables(p)) | {
            "w_a": Variable(speed, "rad/s", "speed of flange_a"),
            "a_a": Variable(self._level(p, 2), "rad/s2", "acceleration of flange_a"),
            "tauLoss": Variable(lost, torque, "torque lost, at flange_a"),
            "tauLossMax": Variable(
                lambda motion: largest(motion, 1.0), torque, "turning forward"
            ),
            "tauLossMin": Variable(
                lambda motion: largest(motion, -1.0), torque, "backward"
            ),
            "tau_eta": Variable(
                driving, torque, "torque whose sign shows which side drives"
            ),
            "mode": Variable(
                mode, "1", "1 forward, 0 stuck, -1 backward, 2 without losses"
            ),
            "locked": Variable(locked, "1", "whether the gear is held at rest"),
            "stuck": Variable(locked, "1", "whether the gear is at rest"),
            **onset_variables(p.loss.onset),
            "lossPower": Variable(
                lambda motion: lost(motion) * speed(motion), "W", "power turned into heat"
            ),
        }


def loss_law(p: Values, x: Scalar, v: Scalar) -> Scalar:
    """Return the torque on the gear: against that on the shaft."""
    return -p.loss.force


class Gearbox(DeclaredComposite):
    """A gear with losses whose output is elastic and has play.

    A `LossyGear` from flange_a, and an `ElastoBacklash` from there to flange_b.
    """

    is_open = False
    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    support = rotational_flange("housing", when="useSupport")
    heatPort = heat.port("gives off the lost power as heat", when="useHeatPort")

    ratio: kinds.Factor = parameter("transmission ratio φ_a / φ_b", default=1.0)
    lossTable: kinds.PlainTable = parameter(
        "rows (speed of flange_a, efficiencies, bearing torques)", default=NO_LOSS
    )
    c: kinds.TorsionalStiffness = parameter("stiffness of the gears", default=1e5)
    d: kinds.TorsionalDamping = parameter("relative damping of the gears", default=0.0)
    b: kinds.AngleOrZero = parameter("total backlash at flange_b", default=0.0)
    useSupport: kinds.Boolean = parameter("whether the support has a flange", default=False)
    useHeatPort: kinds.Boolean = parameter("whether there is a heat port", default=False)
    phi_rel: kinds.StartAngle = start("angle of flange_b relative to the gear")
    w_rel: kinds.StartAngularVelocity = start("rate of phi_rel")

    def build(self) -> None:
        """Build it from a gear with losses and an elastic backlash."""
        self.lossyGear = LossyGear()
        self.elastoBacklash = ElastoBacklash()
        self.share(self.lossyGear, ratio="ratio", lossTable="lossTable")
        own = {name: name for name in ("c", "d", "b", "phi_rel", "w_rel")}
        self.share(self.elastoBacklash, **own)
        self.flange_a >> self.lossyGear.flange_a
        self.lossyGear.flange_b >> self.elastoBacklash.flange_a
        self.elastoBacklash.flange_b >> self.flange_b
        for name in ("useSupport", "useHeatPort"):
            if self.__dict__[name]:
                self._lead_inside(name)

    def _open_ports(self, when: str) -> None:
        """Create a port that is used after the gearbox was made, and lead it inside."""
        super()._open_ports(when)
        self._lead_inside(when)

    def _lead_inside(self, when: str) -> None:
        """Connect the port that a parameter activates with the parts inside."""
        if when == "useSupport":
            self.support >> self.lossyGear.support
        else:
            self.heatPort >> self.lossyGear.heatPort
            self.heatPort >> self.elastoBacklash.heatPort

    def check(self, p: Self) -> None:
        """Refuse a ratio of zero."""
        refuse_zero(self, "ratio", p.ratio)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the twist and its rate."""
        return shown_as(self.elastoBacklash, phi_rel="phi_rel", w_rel="w_rel")
