"""Discontinuous mechanisms with solutions in closed form: event times, end states, rest.

``python -m validation.closed_forms`` prints every figure beside its exact value, for all
methods; `benchmarks.events` and the tests use the same cases.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from motorik import Model, Result, World, blocks, rotational, translational
from motorik.algebra.scalar import Scalar
from motorik.authoring import (
    Contribution,
    ForceBounds,
    FrictionBetween,
    LineForce,
    NonsmoothConstraint,
    RotationalTwoFlanges,
    TranslationalTwoFlanges,
    Values,
    guess,
    kinds,
    nonsmooth_force,
    parameter,
)
from motorik.functions import sin, where
from motorik.joints import Revolute
from motorik.parts import BodyShape, FixedTranslation

METHODS = ("dopri5", "dop853", "gbs", "adams", "bdf", "bosh3", "rk4")
RTOL = {"bdf": 1e-9}
STEP = {"rk4": 1e-3}
G = 9.81


def _reaction(p: Values, x: object, v: object) -> object:
    return -p.contact.force


class _Dry(FrictionBetween):
    """Dry friction between two flanges: `kinetic` in motion, `peak` times that at rest."""

    @staticmethod
    def resist(p: Values, w: Scalar) -> Scalar:
        """Return the sliding force."""
        return p.kinetic


class Rubbing(TranslationalTwoFlanges, _Dry):
    """Dry friction between two sliding flanges."""

    kinetic: kinds.Force = parameter("force in motion", default=1.0)


class Turning(RotationalTwoFlanges, _Dry):
    """Dry friction between two turning flanges."""

    kinetic: kinds.Torque = parameter("torque in motion", default=1.0)


class Bumper(TranslationalTwoFlanges):
    """A stop: flange_b does not go behind flange_a, and rebounds by the factor e."""

    contact = nonsmooth_force("contact force", "N")
    e: kinds.Factor = parameter("coefficient of restitution", default=0.5)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute a force that only presses, where the gap is closed."""
        a, b = self.flange_a, self.flange_b
        yield LineForce(a, b, p, _reaction)
        yield NonsmoothConstraint(
            self,
            "contact",
            lambda motion: motion.flange(b)[1] - motion.flange(a)[1],
            lambda motion: ForceBounds(0.0, math.inf, 0.0, 0.0),
            lambda motion: motion.flange_acceleration(b) - motion.flange_acceleration(a),
            gap=lambda motion: motion.flange(b)[0] - motion.flange(a)[0],
            restitution=p.e,
        )


class StackedBlocks(Model):
    """Two blocks on each other and on the ground, the lower one pushed by 10 t N to 3 s."""

    def build(self) -> None:
        """Connect the parts."""
        self.ground = translational.Fixed()
        self.lower = translational.Mass(m=2.0, s=0.0, v=0.0)
        self.upper = translational.Mass(m=1.0, s=0.0, v=0.0)
        below, above = 0.2 * 3.0 * G, 0.3 * G
        self.sole = Rubbing(kinetic=below)
        self.between = Rubbing(kinetic=above)
        self.push = translational.Force()
        self.course = blocks.TimeFunction(f=lambda t: where(t < 3.0, 10.0 * t, 0.0))
        self.ground.flange >> self.sole.flange_a
        self.sole.flange_b >> self.lower.flange_a
        self.lower.flange_b >> self.between.flange_a
        self.between.flange_b >> self.upper.flange_a
        self.course.y >> self.push.f
        self.push.flange >> self.lower.flange_b


class Belt(Model):
    """A mass on a spring, carried along by a belt: it sticks and slips."""

    def build(self) -> None:
        """Connect the parts."""
        self.belt = translational.Speed(exact=True)
        self.speed = blocks.Constant(k=0.1)
        self.mass = translational.Mass(m=1.0, s=0.0, v=0.1)
        self.spring = translational.Spring(c=100.0, s_rel0=0.0)
        self.wall = translational.Fixed()
        self.rubbing = Rubbing(peak=1.25, kinetic=4.0)
        self.speed.y >> self.belt.v_ref
        self.belt.flange >> self.rubbing.flange_a
        self.rubbing.flange_b >> self.mass.flange_a
        self.wall.flange >> self.spring.flange_a
        self.spring.flange_b >> self.mass.flange_b


class Ball(Model):
    """A ball falls from 1 m and rebounds by the factor e."""

    def build(self, e: float = 0.5) -> None:
        """Connect the parts."""
        self.floor = translational.Fixed()
        self.ball = translational.Mass(m=1.0, s=1.0, v=0.0)
        self.bumper = Bumper(e=e)
        self.weight = translational.ConstantForce(f_constant=-G)
        self.floor.flange >> self.bumper.flange_a
        self.bumper.flange_b >> self.ball.flange_a
        self.weight.flange >> self.ball.flange_b


class Shunting(Model):
    """A sliding mass hits another one that friction holds."""

    def build(self) -> None:
        """Connect the parts."""
        self.ground = translational.Fixed()
        self.a = translational.Mass(m=1.0, s=0.0, v=3.0)
        self.b = translational.Mass(m=2.0, s=1.0, v=0.0)
        self.under_a, self.under_b = (Rubbing(kinetic=2.0) for _ in range(2))
        self.bumper = Bumper(e=0.5)
        self.ground.flange >> self.under_a.flange_a
        self.ground.flange >> self.under_b.flange_a
        self.under_a.flange_b >> self.a.flange_a
        self.under_b.flange_b >> self.b.flange_a
        self.a.flange_b >> self.bumper.flange_a
        self.bumper.flange_b >> self.b.flange_b


class TwoBrakes(Model):
    """Two brakes, 3 and 5 N·m, hold one shaft against 2 t N·m."""

    def build(self) -> None:
        """Connect the parts."""
        self.ground = rotational.Fixed()
        self.shaft = rotational.Inertia(J=1.0, w=0.0)
        self.first = Turning(kinetic=3.0)
        self.second = Turning(kinetic=5.0)
        self.motor = rotational.Torque()
        self.course = blocks.TimeFunction(f=lambda t: 2.0 * t)
        for brake in (self.first, self.second):
            self.ground.flange >> brake.flange_a
            brake.flange_b >> self.shaft.flange_a
        self.course.y >> self.motor.tau
        self.motor.flange >> self.shaft.flange_b


class Clutch(Model):
    """A turning inertia of 2 kg·m² is coupled to one of 1 kg·m² at rest by 50 N·m."""

    def build(self) -> None:
        """Connect the parts."""
        self.first = rotational.Inertia(J=2.0, w=100.0)
        self.second = rotational.Inertia(J=1.0)
        self.disc = Turning(kinetic=50.0)
        self.first.flange_b >> self.disc.flange_a
        self.disc.flange_b >> self.second.flange_a


class Swayed(Model):
    """Friction against a prescribed motion φ = sin t: nothing it does changes the motion."""

    def build(self) -> None:
        """Connect the parts."""
        self.drive = rotational.Position(exact=True)
        self.course = blocks.TimeFunction(f=lambda t: sin(t))
        self.shaft = rotational.Inertia(J=1.0)
        self.friction = Turning(kinetic=1.0)
        self.ground = rotational.Fixed()
        self.course.y >> self.drive.phi_ref
        self.drive.flange >> self.shaft.flange_a
        self.ground.flange >> self.friction.flange_a
        self.friction.flange_b >> self.shaft.flange_b


class Parallelogram(Model):
    """A parallelogram 0.5 by 1 m, driven by 2 t N·m to 2.5 s, friction in one of its hinges."""

    def build(self, hinge: int = 0) -> None:
        """Connect the parts."""
        self.world = World(g=0.0)
        self.hinges = [
            Revolute(useAxisFlange=k in (0, hinge), phi=angle if k == 0 else guess(angle))
            for k, angle in enumerate((0.4, -0.4, -0.4, 0.4))
        ]
        self.crank = BodyShape(r=(0.5, 0.0, 0.0), m=1.0)
        self.coupler = BodyShape(r=(1.0, 0.0, 0.0), m=1.0)
        self.rocker = BodyShape(r=(0.5, 0.0, 0.0), m=1.0)
        self.base = FixedTranslation(r=(1.0, 0.0, 0.0))
        self.motor = rotational.Torque()
        self.course = blocks.TimeFunction(f=lambda t: where(t < 2.5, 2.0 * t, 0.0))
        self.friction = Turning(kinetic=3.0)
        first, second, third, fourth = self.hinges
        self.world.frame_b >> first.frame_a
        first.frame_b >> self.crank.frame_a
        self.crank.frame_b >> second.frame_a
        second.frame_b >> self.coupler.frame_a
        self.world.frame_b >> self.base.frame_a
        self.base.frame_b >> fourth.frame_a
        fourth.frame_b >> self.rocker.frame_a
        self.rocker.frame_b >> third.frame_a
        third.frame_b >> self.coupler.frame_b
        self.course.y >> self.motor.tau
        self.motor.flange >> first.axis
        self.friction.flange_a >> self.hinges[hinge].support
        self.friction.flange_b >> self.hinges[hinge].axis


@dataclass(frozen=True)
class Figure:
    """A figure of a run beside its exact value; `kind` is "time", "state" or "rest"."""

    name: str
    kind: str
    exact: float
    found: float

    @property
    def error(self) -> float:
        """How far it is off."""
        return abs(self.found - self.exact)


Case = Callable[[str], list[Figure]]


def run(model: Model, stop: float, method: str, output: int = 50) -> Result:
    """Return a run by a method at its tolerance."""
    step = STEP.get(method)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return model.simulate(
            stop, method=method, rtol=RTOL.get(method, 1e-10), step=step, output=output
        )


def times(result: Result, part: str, *what: str) -> list[float]:
    """Return when something happened to a part."""
    own = [event for event in result.events if event.part == part]
    return [event.time for event in own if not what or event.what in what]


def _compared(name: str, kind: str, exact: list[float], found: list[float]) -> list[Figure]:
    missing = [math.nan] * (len(exact) - len(found))
    return [
        Figure(f"{name} {k + 1}", kind, e, f)
        for k, (e, f) in enumerate(
            zip(exact, [*found, *missing][: len(exact)], strict=True)
        )
    ] + [Figure(f"{name}: events", "rest", float(len(exact)), float(len(found)))]


def stacked_blocks(method: str) -> list[Figure]:
    """Break loose, slide apart, come together, stop."""
    result = run(StackedBlocks(), 9.0, method)
    found = sorted(times(result, "sole") + times(result, "between"))
    exact = [0.5886, 1.4715, 3.793853975535166, 7.939559938838209]
    figures = _compared("blocks", "time", _blocks(), found)
    assert np.allclose(exact, _blocks(), rtol=0, atol=1e-9)
    figures += [
        Figure(f"blocks {name} at rest", "rest", 0.0, float(result[f"{name}.v"][-1]))
        for name in ("lower", "upper")
    ]
    return figures


def _blocks() -> list[float]:
    """Return the event times: F = 6 m₁ g μ₁ …, integrated by hand."""
    below, above = 0.2 * 3.0 * G, 0.3 * G
    first = below / 10.0  # the sole breaks loose: both move together
    second = (below + 3.0 * above) / 10.0  # the upper one is left behind
    v = 10.0 * (second**2 - first**2) / 2.0 / 3.0 - below * (second - first) / 3.0
    span = 3.0 - second
    upper = v + above * span
    lower = v + (10.0 * (9.0 - second**2) / 2.0 - (below + above) * span) / 2.0
    closing = above + (below + above) / 2.0  # rate of assembly_residual after the push
    third = 3.0 + (lower - upper) / closing
    together = upper + above * (third - 3.0)
    return [first, second, third, third + together / (below / 3.0)]


def belt(method: str) -> list[Figure]:
    """Time of sticking and of slipping, cycle after cycle."""
    result = run(Belt(), 20.0, method)
    spans = np.diff(times(result, "rubbing"))
    d, omega, v = (5.0 - 4.0) / 100.0, 10.0, 0.1
    slip = 2.0 / omega * (math.pi - math.atan(d * omega / v))
    stick = 2.0 * d / v
    figures = []
    for name, exact, own in (
        ("slip", slip, spans[2:-1:2]),
        ("stick", stick, spans[1:-1:2]),
    ):
        worst = own[np.argmax(np.abs(own - exact))] if own.size else math.nan
        figures.append(Figure(f"belt {name}", "time", exact, float(worst)))
    return [*figures, Figure("belt: events", "rest", 59.0, float(spans.size + 1))]


def ball(method: str) -> list[Figure]:
    """Find the time at which a ball rests, after infinitely many rebounds."""
    figures = []
    for e in (0.5, 0.9):
        result = run(Ball(e=e), 10.0, method)
        exact = math.sqrt(2.0 / G) * (1.0 + e) / (1.0 - e)
        rest = times(result, "bumper", "closes", "sticks")[-1:] or [math.nan]
        figures.append(Figure(f"ball e = {e}", "time", exact, rest[0]))
        figures.append(Figure("ball at rest", "rest", 0.0, float(result["ball.v"][-1])))
    return figures


def shunting(method: str) -> list[Figure]:
    """Find the time of a hit, and where both masses come to rest."""
    result = run(Shunting(), 3.0, method)
    hit = times(result, "bumper", "hits")[:1] or [math.nan]
    return [
        Figure("shunting hit", "time", (3.0 - math.sqrt(5.0)) / 2.0, hit[0]),
        Figure("shunting a", "state", 1.0, float(result["a.s"][-1])),
        Figure("shunting b", "state", 1.625, float(result["b.s"][-1])),
        Figure(
            "shunting stop", "time", 1.5, max(times(result, "under_b"), default=math.nan)
        ),
    ]


def two_brakes(method: str) -> list[Figure]:
    """Both brakes together let go at 8 N·m."""
    result = run(TwoBrakes(), 5.0, method)
    last = max(times(result, "first") + times(result, "second"), default=math.nan)
    return [
        Figure("two brakes", "time", 4.0, last),
        Figure("two brakes speed", "state", 1.0, float(result["shaft.w"][-1])),
    ]


def clutch(method: str) -> list[Figure]:
    """Both shafts turn as one after 4/3 s."""
    result = run(Clutch(), 3.0, method)
    slip = float(result["first.w"][-1] - result["second.w"][-1])
    return [
        *_compared("clutch", "time", [4.0 / 3.0], times(result, "disc")),
        Figure("clutch speed", "state", 200.0 / 3.0, float(result["first.w"][-1])),
        Figure("clutch slip", "rest", 0.0, slip),
    ]


def swayed(method: str) -> list[Figure]:
    """Friction flips where the prescribed motion turns round."""
    result = run(Swayed(), 6.0, method)
    exact = [math.pi / 2.0, 3.0 * math.pi / 2.0]
    return _compared("swayed", "time", exact, times(result, "friction"))


def parallelogram(method: str) -> list[Figure]:
    """Break loose and stop, with friction in any of the four hinges."""
    figures = []
    for hinge in range(4):
        result = run(Parallelogram(hinge=hinge), 4.0, method)
        found = times(result, "friction")
        exact = [1.5, 2.5 + 1.0 / 3.0]
        figures += _compared(f"parallelogram {hinge}", "time", exact, found)
    return figures


CASES: dict[str, Case] = {
    case.__name__: case
    for case in (
        stacked_blocks,
        belt,
        ball,
        shunting,
        two_brakes,
        clutch,
        swayed,
        parallelogram,
    )
}


def main() -> int:
    """Print all figures of all methods; return 1 if one is missing."""
    missing = 0
    for method in METHODS:
        for name, case in CASES.items():
            for figure in case(method):
                print(
                    f"{method:8} {name:15} {figure.name:24} {figure.exact:.12f} "
                    f"{figure.found:.12f} {figure.error:9.1e}"
                )
                missing += math.isnan(figure.found)
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main())
