"""Forces along the line between two frames: springs, dampers, and forces of flanges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, is_structural, maximum, sqrt
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.contributions import (
    Clamp,
    ConstraintBetween,
    Contribution,
    FlangeInertia,
    FrameForce,
    Measurement,
    Stretch,
)
from motorik.components.base.declarations import (
    frame,
    parameter,
    signal_output,
    start,
    translational_flange,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart, Part
from motorik.components.base.ports import connect
from motorik.components.base.resolving import Values
from motorik.components.base.two_frames import two_frames
from motorik.components.base.values import Start
from motorik.components.base.variable import Variable
from motorik.components.base.visual_options import (
    BeadsVisual,
    CoilVisual,
    LineMassVisual,
    StrutVisual,
    TwoLineMassesVisual,
)
from motorik.components.forces.line_masses import MassBetween, MassTowards
from motorik.components.losses import LossyPart
from motorik.elements.distance import SameLength

if TYPE_CHECKING:
    from typing_extensions import Self


Motions = Sequence[tuple[Pose, Motor]]
Scalars = Sequence[Scalar]


class LineLaw(DeclaredPart):
    """A force law f(s, ṡ) along the line of two origins; f > 0 pulls them together."""

    frame_a = frame("one end")
    frame_b = frame("the other end")

    s_small: kinds.LengthOrZero = parameter(
        "lower limit of s where the direction is computed", default=1e-10
    )

    @staticmethod
    def pull(p: Values, s: Scalar, v: Scalar) -> Scalar:
        """Return the force f [N] at the distance s [m] and its rate v [m/s]."""
        raise NotImplementedError

    @staticmethod
    def stored(p: Values, s: Scalar) -> Scalar:
        """Return the energy [J] stored at the distance s."""
        return 0.0

    @classmethod
    def law(cls, p: Self, t: Scalar, motions: Motions) -> tuple[Motor, Motor]:
        """Return the force motors on both frames, each resolved in its frame."""
        s, v, e = line(p.s_small, motions)
        return pulled_together(motions, cls.pull(p, s, v) * e)

    @classmethod
    def energy(cls, p: Self, poses: tuple[Pose, Pose]) -> Scalar:
        """Return the energy [J] stored."""
        r = poses[1].p - poses[0].p
        return cls.stored(p, guarded_length(r, p.s_small))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the law that acts between the frames."""
        frames = (self.frame_a, self.frame_b)
        own = type(self)
        yield FrameForce(self, frames, p, own.law, own.energy, stretch=line_stretch)

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return distance, its rate, force, direction, stored energy and lost power."""

        def lost(motion: Motion) -> Scalar:
            s, v, _ = line_of(self, p, motion)
            return (self.pull(p, s, v) - self.pull(p, s, 0.0 * v)) * v

        def force(motion: Motion) -> Scalar:
            s, v, _ = line_of(self, p, motion)
            return self.pull(p, s, v)

        def energy(motion: Motion) -> Scalar:
            return self.stored(p, line_of(self, p, motion)[0])

        return line_variables(self, p) | {
            "f": Variable(force, "N", "force; positive pulls the frames together"),
            "stored_energy": Variable(energy, "J"),
            "lossPower": Variable(lost, "W", "dissipated power"),
        }


class SpringLaw(LineLaw, CoilVisual):
    """The force of a spring: f = c (s − s_unstretched)."""

    c: kinds.Stiffness = parameter("stiffness", default=1.0)
    s_unstretched: kinds.Distance = parameter("unstretched length", default=0.0)

    @staticmethod
    def pull(p: Values, s: Scalar, v: Scalar) -> Scalar:
        """Return c (s − s_unstretched)."""
        return p.c * (s - p.s_unstretched)

    @staticmethod
    def stored(p: SpringLaw, s: Scalar) -> Scalar:
        """Return ½ c (s − s_unstretched)²."""
        return 0.5 * p.c * (s - p.s_unstretched) * (s - p.s_unstretched)


class Damper(LossyPart, LineLaw, StrutVisual):
    """A damper between two origins: f = d ṡ."""

    d: kinds.Damping = parameter("damping constant", default=0.0)

    @staticmethod
    def pull(p: Damper, s: Scalar, v: Scalar) -> Scalar:
        """Return d ṡ."""
        return p.d * v


class SpringDamperParallel(LossyPart, SpringLaw, StrutVisual):
    """A spring and a damper side by side: f = c (s − s_unstretched) + d ṡ."""

    d: kinds.Damping = parameter("damping constant", default=0.0)

    @staticmethod
    def pull(p: SpringDamperParallel, s: Scalar, v: Scalar) -> Scalar:
        """Return c (s − s_unstretched) + d ṡ."""
        return p.c * (s - p.s_unstretched) + p.d * v


class Spring(DeclaredComposite, CoilVisual, BeadsVisual):
    """A spring between two origins, with an optional point mass m.

    f = c (s − s_unstretched) pulls the frames together; the mass divides the line by
    lengthFraction.
    """

    is_open = False
    frame_a = frame("one end")
    frame_b = frame("the other end")

    c: kinds.Stiffness = parameter("stiffness", default=1.0)
    s_unstretched: kinds.Distance = parameter("unstretched length", default=0.0)
    m: kinds.Mass = parameter("mass of the spring", default=0.0)
    lengthFraction: kinds.Factor = parameter(
        "position of the mass: 0 at frame_a, 1 at frame_b", default=0.5
    )
    s_small: kinds.LengthOrZero = parameter(
        "lower limit of s where the direction is computed", default=1e-10
    )

    def build(self) -> None:
        """Build it from the force law and, if m is given, a mass on the line."""
        self.spring = SpringLaw()
        names = {name: name for name in ("c", "s_unstretched", "s_small")}
        self.share(self.spring, **names)
        connect(self.frame_a, self.spring.frame_a)
        connect(self.frame_b, self.spring.frame_b)
        if not is_structural(self.m, 0.0):
            self.mass = MassBetween()
            self.share(self.mass, m="m", lengthFraction="lengthFraction")
            connect(self.frame_a, self.mass.frame_a)
            connect(self.frame_b, self.mass.frame_b)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return distance, force, direction and energy of the spring."""
        return self.spring.variables(p)


class SpringDamperSeries(LossyPart, CoilVisual, StrutVisual):
    """A spring and a damper one after the other: f = c (s − s_unstretched − s_damper) = d ṡ_d.

    s_damper [m], the length of the damper, is a state of its own.
    """

    frame_a = frame("end of the damper")
    frame_b = frame("end of the spring")
    length = signal_output("distance between the ends", "m")
    force = signal_output("force in spring and damper", "N")

    c: kinds.Stiffness = parameter("stiffness", default=1.0)
    s_unstretched: kinds.Distance = parameter(
        "unstretched length of the spring", default=0.0
    )
    d: kinds.PositiveDamping = parameter("damping constant", default=1.0)
    s_small: kinds.LengthOrZero = parameter(
        "lower limit of s where the direction is computed", default=1e-10
    )
    s_damper: kinds.StartDistance = start("length of the damper")

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the distance, and the force and damper rate that follow from it."""

        def measured(motion: Motion) -> tuple[Scalar, Scalar]:
            s = line_of(self, p, motion)[0]
            return s, series_force(p, s, motion.state(self, "s_damper"))

        yield Measurement(self, (self.length, self.force), measured)
        yield FrameForce(
            self,
            (self.frame_a, self.frame_b),
            p,
            series_pull,
            series_energy,
            stretch=line_stretch,
            states=("s_damper",),
            rates=series_rate,
        )
        yield from self.heat_of_losses(p)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return distance, direction, force, stored energy and lost power."""

        def force(motion: Motion) -> Scalar:
            return motion.signal(self.force)

        return line_variables(self, p) | {
            "f": Variable(force, "N", "pulling force"),
            "stored_energy": Variable(
                lambda motion: 0.5 * force(motion) * force(motion) / p.c, "J"
            ),
            "lossPower": Variable(
                lambda motion: force(motion) * force(motion) / p.d, "W", "dissipated power"
            ),
        }


class LineForceBase(DeclaredComposite):
    """A translational drive line that acts along the line between two origins.

    flange_b is at the distance of the frames, flange_a is fixed at zero: a positive force on
    flange_b pushes frame_b away from frame_a.
    """

    is_open = False
    frame_a = frame("one end")
    frame_b = frame("the other end")
    flange_a = translational_flange("flange at zero")
    flange_b = translational_flange("flange at the distance of the frames")

    def make_line(self) -> None:
        """Make the line and connect it."""
        self.line = Telescope()
        for name in ("frame_a", "frame_b", "flange_a", "flange_b"):
            connect(getattr(self, name), getattr(self.line, name))

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return distance, its rate and the direction."""
        return self.line.variables(p)


class Telescope(DeclaredPart):
    """Couples the distance of two frames with a translational flange."""

    frame_a = frame("one end")
    frame_b = frame("the other end")
    flange_a = translational_flange("flange at zero")
    flange_b = translational_flange("flange at the distance of the frames")

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a clamp at flange_a, and flange_b at the distance of the frames."""
        yield Clamp(self.flange_a)
        starts = (Start(1.0), Start(0.0))
        yield FlangeInertia(self, self.flange_b, 0.0, ("s_flange", "v_flange"), starts, -10)
        frames = (self.frame_a, self.frame_b)
        held = SameLength().constraint
        yield ConstraintBetween(self, frames, held, flanges=(self.flange_b,))

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return distance, its rate and the direction."""
        return line_variables(self, p)


class LineForceWithMass(LineForceBase, LineMassVisual):
    """A line force with a point mass m that divides the line by lengthFraction."""

    m: kinds.Mass = parameter("mass on the line", default=0.0)
    lengthFraction: kinds.Factor = parameter(
        "position of the mass: 0 at frame_a, 1 at frame_b", default=0.5
    )

    def build(self) -> None:
        """Make the line and, where it has one, its mass."""
        self.make_line()
        if not is_structural(self.m, 0.0):
            self.mass = MassBetween()
            self.share(self.mass, m="m", lengthFraction="lengthFraction")
            connect(self.frame_a, self.mass.frame_a)
            connect(self.frame_b, self.mass.frame_b)


class LineForceWithTwoMasses(LineForceBase, TwoLineMassesVisual):
    """A line force with point masses m_a and m_b at L_a and L_b from the ends of the line."""

    m_a: kinds.Mass = parameter("mass next to frame_a", default=0.0)
    m_b: kinds.Mass = parameter("mass next to frame_b", default=0.0)
    L_a: kinds.Distance = parameter("from frame_a to mass a", default=0.0)
    L_b: kinds.OptionalDistance = parameter(
        "from frame_b to mass b; by default L_a", default=None
    )

    def build(self) -> None:
        """Make the line and its masses."""
        self.make_line()
        ends = (("a", self.frame_a, self.frame_b), ("b", self.frame_b, self.frame_a))
        for end, near, far in ends:
            if not is_structural(getattr(self, f"m_{end}"), 0.0):
                mass = MassTowards()
                setattr(self, f"mass_{end}", mass)
                at = "L_a" if end == "a" or self.L_b is None else "L_b"
                self.share(mass, m=f"m_{end}", L=at)
                connect(near, mass.frame_a)
                connect(far, mass.frame_b)


# --- the line of two origins --------------------------------------------------------------


def guarded_length(r: Vector, s_small: Scalar) -> Scalar:
    """Return |r|, but not less than s_small [m]."""
    return sqrt(maximum(r.dot(r), s_small * s_small))


def line(s_small: Scalar, motions: Motions) -> tuple[Scalar, Scalar, Vector]:
    """Return distance s, its rate and the direction from a to b, resolved in the world."""
    (X_a, V_a), (X_b, V_b) = motions
    r = X_b.p - X_a.p
    s = guarded_length(r, s_small)
    e = r / s
    return s, e.dot(X_b.R @ V_b.moment - X_a.R @ V_a.moment), e


def line_stretch(p: Values, motions: Motions) -> tuple[Stretch]:
    """Return the distance and its rate."""
    s, v, _ = line(p.s_small, motions)
    return ((s, v, "m"),)


def pulled_together(motions: Motions, f_0: Vector) -> tuple[Motor, Motor]:
    """Return the motors of the force f_0 on frame a, and of −f_0 on frame b."""
    (X_a, _), (X_b, _) = motions
    return Motor(X_a.R.T @ f_0, ZERO), Motor(-(X_b.R.T @ f_0), ZERO)


def line_of(part: Part, p: Values, motion: Motion) -> tuple[Scalar, Scalar, Vector]:
    """Return distance, rate and direction from frame_a to frame_b of a part."""
    motions = [(motion.pose(f), motion.velocity(f)) for f in two_frames(part)]
    return line(getattr(p, "s_small", 1e-10), motions)


def line_variables(part: Part, p: Values) -> dict[str, Variable]:
    """Return distance, rate and direction of the line from frame_a to frame_b."""
    a, b = two_frames(part)
    shown: dict[str, tuple[str, str, Callable[[Motion], Scalar]]] = {
        "s": ("m", "distance", lambda motion: line_of(part, p, motion)[0]),
        "length": ("m", "distance", lambda motion: line_of(part, p, motion)[0]),
        "v": ("m/s", "rate of the distance", lambda motion: line_of(part, p, motion)[1]),
        "e_rel_0": (
            "1",
            "direction, in the world",
            lambda motion: line_of(part, p, motion)[2],
        ),
        "r_rel_0": (
            "m",
            "from frame_a to frame_b, in the world",
            lambda motion: motion.pose(b).p - motion.pose(a).p,
        ),
    }
    return {name: Variable(f, unit, text) for name, (unit, text, f) in shown.items()}


def series_force(p: SpringDamperSeries, s: Scalar, s_damper: Scalar) -> Scalar:
    """Return c (s − s_unstretched − s_damper)."""
    return p.c * (s - p.s_unstretched - s_damper)


def series_pull(
    p: SpringDamperSeries, t: Scalar, motions: Motions, s_damper: Scalar
) -> tuple[Motor, Motor]:
    """Return the motors of the force, which pulls the frames together."""
    s, _, e = line(p.s_small, motions)
    return pulled_together(motions, series_force(p, s, s_damper) * e)


def series_rate(
    p: SpringDamperSeries, t: Scalar, motions: Motions, s_damper: Scalar
) -> tuple[Scalar]:
    """Return the rate f / d of the damper's length."""
    return (series_force(p, line(p.s_small, motions)[0], s_damper) / p.d,)


def series_energy(p: SpringDamperSeries, poses: Sequence[Pose], s_damper: Scalar) -> Scalar:
    """Return f² / (2 c)."""
    s = guarded_length(poses[1].p - poses[0].p, p.s_small)
    f = series_force(p, s, s_damper)
    return 0.5 * f * f / p.c


def pull_by_signal(
    p: Values, t: Scalar, motions: Motions, f: Scalar
) -> tuple[Motor, Motor]:
    """Return the motors of a force f that pulls the frames together."""
    return pulled_together(motions, f * line(p.s_small, motions)[2])
