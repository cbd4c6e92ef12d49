"""Friction laws of joints: the force of sliding, and the largest force at rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.scalar import Scalar, exp, minimum
from motorik.components.base import kinds
from motorik.components.base.contributions import ForceBounds
from motorik.components.base.declarations import parameter
from motorik.components.base.declared_value import DeclaredValue
from motorik.components.base.friction_bounds import check_resists, friction_bounds
from motorik.components.base.kind import Kind, Number, OptionalNumber
from motorik.components.base.user_law import UserLaw, is_of_user, one_scalar
from motorik.components.base.values import Convert, number_of
from motorik.errors import ParameterError, suggest

if TYPE_CHECKING:
    from typing_extensions import Self

TURNS, SLIDES = "turns", "slides"
TURNING_ARMS = ("radius", "friction_arm")  # of laws with mu that resist turning
ARMS = (*TURNING_ARMS, "bending_arm", "torsion_arm")
LOAD = "_load"  # of a law under a load
FAR = 500.0  # exponent of a number that is still finite, times any load


class FrictionTorque(Number, unit="N.m", minimum=0.0):
    """A friction torque [N.m]."""


class OptionalFrictionTorque(OptionalNumber, of=FrictionTorque):
    """A friction torque [N.m], or None."""


class OptionalFrictionForce(OptionalNumber, of=kinds.ForceOrZero):
    """A friction force [N], or None."""


class OptionalCoefficient(OptionalNumber, of=kinds.FactorOrZero):
    """A coefficient of friction, or None."""


class OptionalArm(OptionalNumber, of=kinds.Length):
    """A length above zero [m], or None."""


class PartOfForce(Number, unit="N, N.m or 1", minimum=0.0):
    """A force of a sliding, a torque of a turning freedom [N or N.m]; a coefficient with mu."""


class ViscousFriction(Number, unit="N.s/m or N.m.s/rad", minimum=0.0):
    """A force by the speed."""


class DecayBySpeed(Number, unit="s/m or s/rad", minimum=0.0):
    """A rate by which something decays with the speed."""


class FrictionLaw(DeclaredValue):
    """Friction along one freedom of a joint.

    With `tau` [N·m] it resists turning, with `f` [N] sliding. With the coefficient `mu` it is
    mu times the load that the joint's own reaction gives (`bearing`): a force where the joint
    slides, and where it turns a torque, with the `radius` at which it rubs. A law of your own
    defines `sliding(w)`, the force at the speed w ≥ 0, and `holding()`, the largest at rest,
    both by `level`; its parameters are declared as those of parts (`motorik.authoring`).
    """

    is_of_any_speed: ClassVar[bool] = False  # whether `sliding` is a number at w < 0, too

    tau: OptionalFrictionTorque = parameter("torque that resists turning", default=None)
    f: OptionalFrictionForce = parameter("force that resists sliding", default=None)
    mu: OptionalCoefficient = parameter("coefficient of the joint's reaction", default=None)
    radius: OptionalArm = parameter("radius of the pin, thread or ball", default=None)
    friction_arm: OptionalArm = parameter(
        "radius at which thrust rubs, None: it does not", default=None
    )
    bending_arm: OptionalArm = parameter(
        "length that a tilting moment is taken over, None: not counted", default=None
    )
    torsion_arm: OptionalArm = parameter(
        "arm by which a guide takes the moment about its axis, None: not counted",
        default=None,
    )

    def check(self) -> None:
        """Refuse a law of several levels or of none, and arms without a reaction."""
        given = {name: self.__dict__[name] for name in ("tau", "f", "mu")}
        kind = type(self).__name__
        if sum(value is not None for value in given.values()) != 1:
            shown = ", ".join(f"{name} = {value!r}" for name, value in given.items())
            raise ParameterError(
                kind,
                f"{shown}: one of them must be given.",
                f"Give {kind}(tau=…) in N·m for a joint that turns, {kind}(f=…) in N for one "
                f"that slides, or {kind}(mu=…) for friction from the joint's own reaction.",
                parameter="tau" if self.tau is None else "f",
                value=tuple(given.values()),
            )
        for name in ARMS:
            if self.mu is None and self.__dict__[name] is not None:
                raise ParameterError(
                    kind,
                    f"{name} = {self.__dict__[name]!r} is read only with mu, as the torque or "
                    "force is given.",
                    f"Give mu, or leave {name} out.",
                    parameter=name,
                    value=self.__dict__[name],
                )
        check_arms(self)

    def check_numbers(self, part: str, place: str) -> None:
        """Refuse numbers out of their limits, and a law of a user that drives."""
        super().check_numbers(part, place)
        if not is_of_user(self):
            return
        try:
            holding = float(number_of(self.holding()))
        except Exception:  # refused where it is traced
            holding = None
        check_resists(part, f"{place}.sliding", self.sliding, holding)

    @property
    def freedom(self) -> str:
        """The motion it resists: "turns" or "slides"."""
        by_arm = self.radius is not None or self.friction_arm is not None
        return TURNS if self.tau is not None or by_arm else SLIDES

    @property
    def level(self) -> Scalar:
        """The torque [N·m] or force [N] that is given, or mu times the load."""
        if self.mu is not None:
            return self.by_load(self.mu)
        return self.f if self.tau is None else self.tau

    def by_load(self, value: Scalar) -> Scalar:
        """Return a torque or force as it is given; with mu a coefficient, times the load."""
        return value if self.mu is None else value * self.__dict__.get(LOAD, 1.0)

    def under(self, load: Scalar) -> Self:
        """Return the law under a load of the joint: a force [N], or a moment [N·m] if it turns."""
        loaded = object.__new__(type(self))
        loaded.__dict__.update(self.__dict__, **{LOAD: load})
        return loaded

    def sliding(self, w: Scalar) -> Scalar:
        """Return the torque [N·m] or force [N] against motion at the speed w ≥ 0."""
        raise NotImplementedError

    def holding(self) -> Scalar:
        """Return the largest torque [N·m] or force [N] at rest."""
        raise NotImplementedError

    def bounds(self, part: str, w: Scalar, direction: Scalar) -> ForceBounds:
        """Return the admissible forces along the speed w, sliding in a direction."""
        sliding, holding = self.sliding, self.holding
        by_direction = None if self.is_of_any_speed else direction
        if is_of_user(self):
            by_direction = direction
            sliding = UserLaw(part, "friction.sliding", sliding, ("w",), one_scalar)
            holding = UserLaw(part, "friction.holding", holding, (), one_scalar)
        return friction_bounds(sliding, holding(), w, by_direction)


def check_arms(law: FrictionLaw) -> None:
    """Refuse arms of a kind of joint together with those of another."""
    turning = [name for name in TURNING_ARMS if law.__dict__[name] is not None]
    kind = type(law).__name__
    if turning and law.torsion_arm is not None:
        raise ParameterError(
            kind,
            f"{turning[0]} is an arm of a joint that turns, torsion_arm of one that slides.",
            "Give radius, friction_arm and bending_arm for turning, or bending_arm and "
            "torsion_arm for sliding.",
            parameter="torsion_arm",
            value=law.torsion_arm,
        )
    if turning and law.bending_arm is not None and law.radius is None:
        raise ParameterError(
            kind,
            f"bending_arm needs radius, and bending_arm = {law.bending_arm!r} has none: a "
            "tilting moment rubs at the radius of the pin.",
            f"Give {kind}(mu=…, radius=…, bending_arm=…).",
            parameter="bending_arm",
            value=law.bending_arm,
        )


class Coulomb(FrictionLaw):
    """Dry friction: tau (or f, or mu times the load) against any motion, peak times that at rest.

    With `viscous` d a part d · w is added, proportional to the speed.
    """

    is_of_any_speed = True

    peak: kinds.PeakFactor = parameter(
        "largest force at rest by that of sliding", default=1.0
    )
    viscous: ViscousFriction = parameter("force by the speed", default=0.0)

    def sliding(self, w: Scalar) -> Scalar:
        """Return tau + viscous · w."""
        return self.level + self.viscous * w

    def holding(self) -> Scalar:
        """Return peak · tau."""
        return self.peak * self.level


class Stribeck(FrictionLaw):
    """Friction that falls with the speed: tau + stribeck · exp(−fexp · w) + viscous · w.

    At rest it holds up to tau + stribeck, as sliding slowly does. With mu, the dry part is
    (mu + stribeck · exp(−fexp · w)) times the load.
    """

    is_of_any_speed = True
    stribeck: PartOfForce = parameter("additional force of sliding slowly", default=0.0)
    fexp: DecayBySpeed = parameter("decay of that with the speed", default=1.0)
    viscous: ViscousFriction = parameter("force by the speed", default=0.0)

    def sliding(self, w: Scalar) -> Scalar:
        """Return tau + stribeck · exp(−fexp · w) + viscous · w."""
        # far behind rest the law of this direction is not in force, but has to be a number
        falling = self.by_load(self.stribeck) * exp(minimum(-self.fexp * w, FAR))
        return self.level + falling + self.viscous * w

    def holding(self) -> Scalar:
        """Return tau + stribeck."""
        return self.level + self.by_load(self.stribeck)


# --- values that joints take -------------------------------------------------------------------

if TYPE_CHECKING:
    Laws = Sequence[FrictionLaw | None]
    GivenLaws = FrictionLaw | Laws | Mapping[str, FrictionLaw] | None
else:
    Laws = GivenLaws = object


def as_laws(freedoms: Mapping[str, str]) -> Convert:
    """Return the conversion to one law or None for each freedom of a joint, None if to none.

    Given is one law, which acts on all freedoms of its kind, or one for each by name, or
    for all in their order.
    """

    def convert(part: str, name: str, unit: str, value: object) -> object:
        if value is None:
            return None
        if isinstance(value, FrictionLaw):
            value.check_numbers(part, name)
            fitting = [value if value.freedom == f else None for f in freedoms.values()]
            if not any(fitting):
                raise _unfit(part, name, next(iter(freedoms.values())), value)
            return tuple(fitting)
        laws = by_freedom(part, name, freedoms, value, "Coulomb(tau=1.0)")
        for law, (freedom, kind) in zip(laws, freedoms.items(), strict=True):
            if law is not None and not isinstance(law, FrictionLaw):
                raise _no_law(part, name, law)
            if law is not None and law.freedom != kind:
                raise _unfit(part, f"{name}[{freedom!r}]", kind, law)
            if law is not None:
                law.check_numbers(part, f"{name}[{freedom!r}]")
        if not any(laws):
            raise _no_law(part, name, value)
        return laws

    return convert


def by_freedom(
    part: str, name: str, freedoms: Mapping[str, str], value: object, example: str
) -> tuple[object, ...]:
    """Return a value for each freedom from a mapping of their names, or a sequence of all."""
    first = next(iter(freedoms))
    if isinstance(value, Mapping) and value:
        for given in value:
            if given not in freedoms:
                raise ParameterError(
                    part,
                    f"{name}: there is no freedom {given!r}.",
                    suggest(given, freedoms),
                    parameter=name,
                    value=value,
                )
        return tuple(value.get(freedom) for freedom in freedoms)
    if not isinstance(value, (tuple, list)):
        raise _no_law(part, name, value)
    if len(value) != len(freedoms):
        raise ParameterError(
            part,
            f"{name} = {value!r} has {len(value)} entries, and the joint {len(freedoms)} "
            f"freedom(s): {', '.join(freedoms)}.",
            f"Give one entry for each, or name them: {name}={{{first!r}: {example}}}.",
            parameter=name,
            value=value,
        )
    return tuple(value)


def _no_law(part: str, name: str, value: object) -> ParameterError:
    return ParameterError(
        part,
        f"{name} = {value!r} is not a law of friction.",
        "Give e.g. Coulomb(tau=3.0) where it turns, Coulomb(f=3.0) where it slides, or None.",
        parameter=name,
        value=value,
    )


def _unfit(part: str, name: str, freedom: str, law: FrictionLaw) -> ParameterError:
    kind = type(law).__name__
    if law.mu is not None and freedom == TURNS:
        why, remedy = "has no radius at which it rubs", f"{kind}(mu=…, radius=…)"
    elif law.mu is not None:
        why, remedy = (
            "has a radius for turning",
            f"{kind}(mu=…) without radius, friction_arm",
        )
    else:
        given, wanted = ("tau", "f") if law.freedom == TURNS else ("f", "tau")
        why = f"{given} is a {'torque' if given == 'tau' else 'force'}"
        remedy = f"{kind}({wanted}=…)"
    return ParameterError(
        part,
        f"{name} = {law!r}: {why}, but the joint {freedom}.",
        f"Give {remedy}.",
        parameter=name,
        value=law,
    )


def _single(convert: Convert) -> Convert:
    """Return the conversion for a joint of one freedom: to its law, or None."""

    def converted(part: str, name: str, unit: str, value: object) -> object:
        laws = convert(part, name, unit, value)
        return None if laws is None else laws[0]

    return converted


class TurnFriction(
    Kind[FrictionLaw | None, GivenLaws],
    unit="",
    convert=_single(as_laws({"phi": TURNS})),
):
    """A law of friction torques, or None."""

    form = "law"
    is_optional = True


class SlideFriction(
    Kind[FrictionLaw | None, GivenLaws],
    unit="",
    convert=_single(as_laws({"s": SLIDES})),
):
    """A law of friction forces, or None."""

    form = "law"
    is_optional = True


class CylinderFriction(
    Kind[Laws | None, GivenLaws], convert=as_laws({"s": SLIDES, "phi": TURNS})
):
    """Laws of friction along and about an axis, or None."""

    form = "law"
    is_optional = True


class CrossFriction(
    Kind[Laws | None, GivenLaws], convert=as_laws({"phi_a": TURNS, "phi_b": TURNS})
):
    """Laws of friction about two axes, or None."""

    form = "law"
    is_optional = True


def _in_plane(part: str, name: str, unit: str, value: object) -> object:
    """Return laws of s_x, s_y, phi and, alike in all directions of the plane, of s."""
    axes = {"s_x": SLIDES, "s_y": SLIDES, "phi": TURNS}
    given = value
    if isinstance(value, FrictionLaw):
        given = {"phi" if value.freedom == TURNS else "s": value}
    names = (*axes, "s")
    if isinstance(given, (tuple, list)) and len(given) == len(names):  # as it is returned
        laws = zip(names, given, strict=True)
        given = {freedom: law for freedom, law in laws if law is not None}
    if not isinstance(given, Mapping):
        laws = as_laws(axes)(part, name, unit, given)
        return None if laws is None else (*laws, None)
    if "s" in given and ("s_x" in given or "s_y" in given):
        raise ParameterError(
            part,
            f"{name} = {value!r} has a law of s, which acts in all directions of the plane, "
            "besides one of an axis in it.",
            "Give one for s, or others for s_x and s_y.",
            parameter=name,
            value=value,
        )
    return as_laws({**axes, "s": SLIDES})(part, name, unit, given)


class PlaneFriction(Kind[Laws | None, GivenLaws], convert=_in_plane):
    """Laws of friction in a plane, or None."""

    form = "law"
    is_optional = True


class BallFriction(
    Kind[Laws | None, GivenLaws], convert=as_laws({"x": TURNS, "y": TURNS, "z": TURNS})
):
    """Laws of friction about the axes x, y, z of frame_b, or None."""

    form = "law"
    is_optional = True
