"""Laws of friction of joints: what resists sliding, and what holds at rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, exp
from motorik.components.base import kinds
from motorik.components.base.contributions import Limits
from motorik.components.base.declarations import parameter
from motorik.components.base.declared_value import DeclaredValue
from motorik.components.base.kind import Kind, Number, OptionalNumber
from motorik.components.base.values import Convert
from motorik.errors import ParameterError, suggest

TURNS, SLIDES = "turns", "slides"


class FrictionTorque(Number, unit="N.m", minimum=0.0):
    """A friction torque [N.m]."""


class OptionalFrictionTorque(OptionalNumber, of=FrictionTorque):
    """A friction torque [N.m], or None."""


class OptionalFrictionForce(OptionalNumber, of=kinds.ForceOrZero):
    """A friction force [N], or None."""


class PartOfForce(Number, unit="N or N.m", minimum=0.0):
    """A force of a sliding, a torque of a turning freedom [N or N.m]."""


class ViscousFriction(Number, unit="N.s/m or N.m.s/rad", minimum=0.0):
    """A force by the speed."""


class DecayBySpeed(Number, unit="s/m or s/rad", minimum=0.0):
    """A rate by which something decays with the speed."""


class FrictionLaw(DeclaredValue):
    """Friction along one freedom of a joint.

    With `tau` [N·m] it resists turning, with `f` [N] sliding. A law of your own defines
    `sliding(w)`, the force at the speed w ≥ 0, and `holding()`, the largest at rest.
    """

    tau: OptionalFrictionTorque = parameter("torque that resists turning", default=None)
    f: OptionalFrictionForce = parameter("force that resists sliding", default=None)

    def check(self) -> None:
        """Refuse a law of both, or of neither."""
        if (self.tau is None) == (self.f is None):
            kind = type(self).__name__
            raise ParameterError(
                kind,
                f"tau = {self.tau!r} and f = {self.f!r}: one of them must be given.",
                f"Give {kind}(tau=…) in N·m for a joint that turns, or {kind}(f=…) in N "
                "for one that slides.",
                parameter="tau" if self.tau is None else "f",
                value=(self.tau, self.f),
            )

    @property
    def freedom(self) -> str:
        """What it resists: "turns" or "slides"."""
        return SLIDES if self.tau is None else TURNS

    @property
    def level(self) -> Scalar:
        """The torque [N·m] or force [N] that is given."""
        return self.f if self.tau is None else self.tau

    def sliding(self, w: Scalar) -> Scalar:
        """Return the torque [N·m] or force [N] against motion at the speed w ≥ 0."""
        raise NotImplementedError

    def holding(self) -> Scalar:
        """Return the largest torque [N·m] or force [N] at rest."""
        raise NotImplementedError

    def limits(self, w: Scalar) -> Limits:
        """Return what the force along the speed w may be."""
        most = self.holding()
        return Limits(-most, most, -self.sliding(w), self.sliding(-w))


class Coulomb(FrictionLaw):
    """Dry friction: tau (or f) against any motion, up to peak · tau at rest.

    With `viscous` d a part d · w is added, proportional to the speed.
    """

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

    At rest it holds up to tau + stribeck, as sliding slowly does.
    """

    stribeck: PartOfForce = parameter("what sliding slowly adds", default=0.0)
    fexp: DecayBySpeed = parameter("decay of that with the speed", default=1.0)
    viscous: ViscousFriction = parameter("force by the speed", default=0.0)

    def sliding(self, w: Scalar) -> Scalar:
        """Return tau + stribeck · exp(−fexp · w) + viscous · w."""
        return self.level + self.stribeck * exp(-self.fexp * w) + self.viscous * w

    def holding(self) -> Scalar:
        """Return tau + stribeck."""
        return self.level + self.stribeck


# --- what joints take -------------------------------------------------------------------------

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
    given, wanted = ("tau", "f") if law.freedom == TURNS else ("f", "tau")
    kind = type(law).__name__
    return ParameterError(
        part,
        f"{name} = {law!r}: {given} is a {'torque' if given == 'tau' else 'force'}, but the "
        f"joint {freedom}.",
        f"Give {kind}({wanted}=…).",
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


class SlideFriction(
    Kind[FrictionLaw | None, GivenLaws],
    unit="",
    convert=_single(as_laws({"s": SLIDES})),
):
    """A law of friction forces, or None."""


class CylinderFriction(
    Kind[Laws | None, GivenLaws], convert=as_laws({"s": SLIDES, "phi": TURNS})
):
    """Laws of friction along and about an axis, or None."""


class CrossFriction(
    Kind[Laws | None, GivenLaws], convert=as_laws({"phi_a": TURNS, "phi_b": TURNS})
):
    """Laws of friction about two axes, or None."""


class PlaneFriction(
    Kind[Laws | None, GivenLaws],
    convert=as_laws({"s_x": SLIDES, "s_y": SLIDES, "phi": TURNS}),
):
    """Laws of friction in a plane, or None."""


class BallFriction(
    Kind[Laws | None, GivenLaws], convert=as_laws({"x": TURNS, "y": TURNS, "z": TURNS})
):
    """Laws of friction about the axes x, y, z of frame_b, or None."""
