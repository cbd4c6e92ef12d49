"""Friction and stops of a joint: nonsmooth constraints, its generalised force, variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from math import inf
from typing import Any, ClassVar

from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar, where
from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.contributions import (
    Contribution,
    ForceBounds,
    JointForce,
    NonsmoothConstraint,
)
from motorik.components.base.declarations import parameter
from motorik.components.base.internal import (
    Internal,
    InternalNumber,
    NonsmoothForce,
    nonsmooth_force,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import Part
from motorik.components.base.resolving import Values
from motorik.components.base.two_frames import two_frames
from motorik.components.base.variable import Variable
from motorik.components.domains import heat
from motorik.components.joints.friction import FrictionLaw
from motorik.components.losses import (
    HEAT_PORT,
    LossyPart,
    heat_of_losses,
    refuse_heat_without_friction,
)

FRICTION, LOWER, UPPER = "friction_force", "lower_stop", "upper_stop"
LOST = "power of friction turned into heat"
SIGNS = {FRICTION: 1.0, LOWER: 1.0, UPPER: -1.0}  # of a force along the speed of the joint


class LoadedJoint(LossyPart):
    """A joint of one freedom that may have friction and stops.

    The friction λ acts along the speed w and sticks at w = 0. The lower stop holds
    q ≥ lower by a force along +w, the upper one q ≤ upper by a force along −w.
    """

    letters: ClassVar[tuple[str, str, str, str]]  # coordinate, speed, force, unit of force
    loss_level = 2

    def loads(self) -> tuple[str, ...]:
        """Return the forces that friction and stops add, by name."""
        state = self.__dict__
        low, high = state["stops"] or (None, None)
        given = {FRICTION: state["friction"], LOWER: low, UPPER: high}
        return tuple(name for name, value in given.items() if value is not None)

    @property
    def has_friction(self) -> bool:
        """Whether it has a law of friction."""
        return self.__dict__["friction"] is not None

    def internal(self) -> dict[str, InternalNumber]:
        """Return the forces of friction and stops with their modes, nothing without them."""
        state = self.__dict__
        if state["friction"] is None and state["stops"] is None:
            return {}
        declare_forces(self, self.loads(), self.letters[3])
        return super().internal()

    def load_contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force along the freedom, when it sticks or hits, and the heat."""
        loads = self.loads()
        if self.__dict__["useHeatPort"]:
            self._check_losses()
            yield from self.heat_of_losses(p)
        if not loads:
            return
        yield JointForce(self, p, law_of(loads))
        q, w = self.letters[:2]

        def speed(motion: Motion) -> Scalar:
            return motion.speed(self, w)

        def rate(motion: Motion) -> Scalar:
            return motion.acceleration_of(self, w)

        if FRICTION in loads:
            law = self.law_in(p)
            direction = p.friction_force.direction

            def bounds(motion: Motion) -> ForceBounds:
                return law(motion).bounds(self.label, speed(motion), direction)

            yield NonsmoothConstraint(self, FRICTION, speed, bounds, rate)
        if LOWER in loads:
            lower = p.stops[0]
            yield NonsmoothConstraint(
                self,
                LOWER,
                speed,
                _pushing,
                rate,
                lambda motion: motion.coordinate(self, q) - lower,
                p.restitution,
            )
        if UPPER in loads:
            upper = p.stops[1]
            yield NonsmoothConstraint(
                self,
                UPPER,
                lambda motion: -speed(motion),
                _pushing,
                lambda motion: -rate(motion),
                lambda motion: upper - motion.coordinate(self, q),
                p.restitution,
            )

    def _check_losses(self) -> None:
        """Refuse a heat port without friction, or where the joint around shows the losses."""
        if not self.has_friction or isinstance(self.parent, CompositeJoint):
            refuse_heat_without_friction(self)

    def bearing_load(self, law: FrictionLaw, p: Values, reaction: Motor) -> Scalar:
        """Return the load, of which mu times is friction: a force [N], or a moment [N·m]."""
        raise NotImplementedError

    def load_in(self, p: Values) -> Callable[[Motion], Scalar]:
        """Return the load of the joint in a motion, from its own reaction."""
        _, b = two_frames(self)
        return lambda motion: self.bearing_load(p.friction, p, motion.reaction_at(b))

    def law_in(self, p: Values) -> Callable[[Motion], FrictionLaw]:
        """Return the law of friction in a motion, under the load of the joint."""
        law, load = p.friction, self.load_in(p)
        if law.mu is None:
            return lambda motion: law
        return lambda motion: law.under(load(motion))

    def load_variables(self, p: Values) -> dict[str, Variable]:
        """Return mode, force and lost power of the friction, contact and force of the stops."""
        loads = self.loads()
        if not loads:
            return {}
        _, w, f, unit = self.letters
        shown: dict[str, Variable] = {}
        if FRICTION in loads:
            shown |= friction_variables(p.friction_force, f, unit)
            if not isinstance(self.parent, CompositeJoint):  # which shows that of all
                shown["lossPower"] = Variable(
                    lambda motion: -p.friction_force.force * motion.speed(self, w),
                    "W",
                    LOST,
                )
            if p.friction.mu is not None:
                shown["load"] = Variable(self.load_in(p), unit, "of which mu times rubs")
        if LOWER in loads or UPPER in loads:
            stops = tuple(name for name in loads if name != FRICTION)
            force = law_of(stops)
            shown[f"{f}_stop"] = Variable(
                lambda motion: force(p, 0.0, 0.0),
                unit,
                "of the stops, positive along the speed",
            )
            shown["contact"] = Variable(
                lambda motion: sum(-SIGNS[name] * getattr(p, name).stick for name in stops),
                "1",
                "-1 at the lower stop, 1 at the upper one, else 0",
            )
        return shown


def declare_forces(part: Part, names: Iterable[str], unit: str) -> None:
    """Declare the nonsmooth forces of a part, by its friction and stops."""
    numbers: dict[str, Internal] = {
        name: nonsmooth_force(name.replace("_", " "), unit) for name in names
    }
    state = part.__dict__
    if state.get("_internal", {}).keys() != numbers.keys():
        state["_internal"] = numbers
        state.pop("_own_numbers", None)


def friction_variables(
    friction: NonsmoothForce[Scalar], f: str, unit: str
) -> dict[str, Variable]:
    """Return the mode of a friction force in numbers and as truth values, and the force."""

    def rests(motion: Motion) -> Scalar:
        return where(friction.direction == 0.0, 1.0, 0.0)

    return {
        "mode": Variable(
            lambda motion: friction.direction,
            "1",
            "1 forward, 0 at rest, -1 backward",
        ),
        "locked": Variable(rests, "1", "whether friction holds it at rest"),
        "stuck": Variable(rests, "1", "the same as locked"),
        f"{f}_friction": Variable(
            lambda motion: friction.force, unit, "friction, positive along the speed"
        ),
    }


def _pushing(motion: Motion) -> ForceBounds:
    return ForceBounds(0.0, inf, 0.0, 0.0)


@cache
def law_of(names: tuple[str, ...]) -> Callable[[Values, Scalar, Scalar], Scalar]:
    """Return the law that adds forces with their signs: one for many joints."""

    def law(p: Values, x: Scalar, v: Scalar) -> Scalar:
        total: Scalar = 0.0
        for name in names:
            force = getattr(p, name).force
            total = total + force if SIGNS[name] > 0.0 else total - force
        return total

    return law


class CompositeJoint(DeclaredComposite):
    """A joint made of joints of one freedom, which take over its friction and stops."""

    inner: ClassVar[
        tuple[str, ...]
    ]  # the names of its joints, in the order of its freedoms
    own_ports: ClassVar[tuple[str, ...]] = ("heatPort",)
    heatPort = heat.port(HEAT_PORT, when="useHeatPort")
    useHeatPort: kinds.Boolean = parameter("whether there is a heat port", default=False)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the power lost in all freedoms as heat, if there is a heat port."""
        if p.useHeatPort:
            if "lossPower" not in self.variables(p):
                refuse_heat_without_friction(self)
            yield from heat_of_losses(self, p, 2)

    def pass_loads(self) -> None:
        """Give the joints within their friction and stops, if there are any."""
        state = self.__dict__
        if state["friction"] is not None or state["stops"] is not None:
            self._pass_on()

    def _pass_on(self) -> None:
        state = self.__dict__
        count = len(self.inner)
        laws, stops = (
            (state["friction"] or (None,) * count)[:count],
            state["stops"] or (None,) * count,
        )
        for name, law, ends in zip(self.inner, laws, stops, strict=True):
            bounce = 0.0 if ends is None else state["restitution"]
            given = {"friction": law, "stops": ends, "restitution": bounce}
            theirs = self.parts[name]
            theirs._assign(given)

    def rubbing_parts(self) -> list[LoadedJoint]:
        """Return the joints within that have friction."""
        inner = (self.parts[name] for name in self.inner)
        return [own for own in inner if isinstance(own, LoadedJoint) and own.has_friction]

    def loss_variables(self, *more: Callable[[Motion], Scalar]) -> dict[str, Variable]:
        """Return the power lost in all freedoms and other friction; nothing without friction.

        The joints within do not show it, so that nothing is counted twice.
        """
        rubbing = self.rubbing_parts()
        if not rubbing and not more:
            return {}

        def lost(motion: Motion) -> Scalar:
            total: Scalar = 0.0
            for own in rubbing:
                _, w, f, _ = own.letters
                force = motion.variable(own, f"{f}_friction")
                total = total - force * motion.variable(own, w)
            for other in more:
                total = total + other(motion)
            return total

        return {"lossPower": Variable(lost, "W", LOST)}

    def _assign(self, values: Mapping[str, Any]) -> None:
        super()._assign(values)
        if not values.keys().isdisjoint(("friction", "stops", "restitution")):
            self._pass_on()
