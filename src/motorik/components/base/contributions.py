"""Contributions: the physical meaning of parts, from which mechanisms are assembled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from motorik.algebra.dyad import Inertia
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.internal import DiskState, NonsmoothForce
from motorik.components.base.line_mass import LineMass
from motorik.components.base.motion import Motion
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Values
from motorik.components.base.values import LiveScalar, Start
from motorik.elements.constraint import Constraint
from motorik.elements.joint import Joint
from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.components.base.part import Part


STATE_PRIORITIES = {"never": -2, "avoid": -1, "default": 0, "prefer": 1, "always": 2}
ALWAYS = STATE_PRIORITIES["always"]  # of coordinates that must be states


@immutable
class Ground:
    """The frame is fixed in the world at `pose`: a root of the mechanism."""

    frame: Port
    pose: Pose = IDENTITY_POSE


@immutable
class Gravity:
    """The gravity field: g [m/s²] at a point r [m], both resolved in the world frame.

    `uniform` is set when the field is the same everywhere, so that it costs nothing.
    """

    acceleration: Callable[[Vector], Vector]
    uniform: Vector | None = None
    potential: Callable[[Vector], Scalar] | None = None


@immutable
class Rigid:
    """Frames a and b are rigidly connected: b is at X_ab seen from a."""

    frame_a: Port
    frame_b: Port
    X_ab: Pose


@immutable
class Mass:
    """The frame carries a rigid body; it may be a root that floats freely.

    `free` is the joint from the world to the body if there is no other connection, `start`
    its start; the highest `priority` is chosen first. With the priority `ALWAYS` its
    coordinates must be states.
    """

    frame: Port
    inertia: Inertia
    free: Joint
    start: FreeStart
    priority: int = 0


@immutable
class FreeStart:
    """Start of a floating body, all as numbers.

    r_0 [m] and v_0 [m/s] of the origin and w_0 [rad/s], resolved in the world; orientation by
    `angles` [rad] about the axes `sequence`, one after another. `names` are pairs of a name in
    space and the name in the part: ("r_0[1]", "x"); "" stands for none.
    """

    r_0: Start
    v_0: Start
    w_0: Start
    angles: tuple[float, float, float] = (0.0, 0.0, 0.0)
    sequence: tuple[int, int, int] = (1, 2, 3)
    angles_fixed: bool = False
    angles_given: bool = False
    names: tuple[tuple[str, str], ...] = ()


@immutable
class JointBetween:
    """Frame b moves relative to frame a as the `joint` allows.

    `names` are the variables of the part that show the coordinates, `speed_names` the
    speeds; `starts` their start values in the same order (numbers). `flanges` are the axis
    and the support of its one freedom. A `breakable` joint constrains nothing (six
    freedoms): where its frame is connected otherwise, it only measures. Higher
    `state_priority` is preferred as state. One that `is_loaded` has a `JointForce`, or no
    constraint of its own: it keeps its coordinates in loops.
    """

    frame_a: Port
    frame_b: Port
    joint: Joint
    names: tuple[str, ...]
    speed_names: tuple[str, ...]
    starts: tuple[Start, ...]
    speed_starts: tuple[Start, ...]
    flanges: tuple[Port, Port] | None = None
    breakable: bool = False
    state_priority: int = 0
    is_loaded: bool = False

    @property
    def keeps_coordinate(self) -> bool:
        """Whether its coordinate is needed, so that it stays where it closes a loop."""
        return self.flanges is not None or self.is_loaded


@immutable
class JointForce:
    """A force [N] or torque [N·m] along the one freedom of a joint, positive along its speed.

    `law(p, x, v)` with the part's parameters p, the coordinate x and the speed v.
    """

    part: Part
    p: Values
    law: Callable[[Values, Scalar, Scalar], Scalar]


@immutable
class LineForce:
    """A force law on two flanges: torque or force at flange b, opposite at flange a.

    `law(p, x, v)` with the part's parameters p, x = x_b − x_a and its rate v; `energy(p, x)`
    is the energy it stores [J]. Without a flange_a it acts relative to the ground. The laws are
    plain functions, so that many parts of one kind share their traced code. The values of
    `signals`, if there are any, follow as further arguments of the law.

    `states` names states of the law, whose start values the part declares by `start`. Their
    values follow as the last arguments of the law and of the energy, and
    ``rates(p, x, v, *signals, *states)`` returns a rate for each.
    """

    flange_a: Port | None
    flange_b: Port
    p: Values
    law: Callable[..., Scalar]
    energy: Callable[..., Scalar] | None = None
    signals: tuple[Port, ...] = ()
    states: tuple[str, ...] = ()
    rates: Callable[..., Sequence[Scalar]] | None = None


@immutable
class Clamp:
    """The flange is fixed at the angle [rad] or position [m] `x`."""

    flange: Port
    x: Scalar = 0.0


@immutable
class FlangeInertia:
    """The flange carries the inertia J [kg·m²] or mass [kg].

    `names` are the variables of the part that show its position and speed, with their start
    values; they become states where no joint determines the motion of the flange.
    """

    part: Part
    flange: Port
    J: Scalar
    names: tuple[str, str]
    starts: tuple[Start, Start]
    state_priority: int = 0


@immutable
class Coupling:
    """Flanges move in a fixed relation: Σ cᵢ xᵢ = offset (gears, rods, rigid couplings)."""

    part: Part
    flanges: tuple[Port, ...]
    factors: tuple[Scalar, ...]
    offset: Scalar = 0.0


@immutable
class Prescribed:
    """The motion of the flange is prescribed: x = law(p, t, *signals), twice differentiable.

    With ``rates(p, t, *signals)`` its speed, or its speed and its acceleration, are given, too,
    and are not found by differentiation.
    """

    part: Part
    flange: Port
    p: Values
    law: Callable[..., Scalar]
    signals: tuple[Port, ...] = ()
    rates: Callable[..., tuple[Scalar, ...]] | None = None


Stretch: TypeAlias = tuple[Scalar, Scalar, str]
"""A relative coordinate [m or rad], its rate, and the unit of the coordinate."""


def relative_motion(
    p: Values, motions: Sequence[tuple[Pose, Motor]], *coordinates: Scalar
) -> tuple[Stretch, ...]:
    """Return the motion of all frames relative to the first, or of a single one to the world.

    Of the orientation, the vector of its axis times the sine of its angle.
    """
    (X_a, V_a), others = motions[0], list(motions[1:])
    if not others:
        X_a, V_a, others = IDENTITY_POSE, ZERO_MOTOR, [motions[0]]
    found: list[Stretch] = []
    for X_b, V_b in others:
        X = X_a.inverse() @ X_b
        V = V_b - X.back(V_a)
        R = X.R.entries
        turned = [0.5 * (R[a] - R[b]) for a, b in ((7, 5), (2, 6), (3, 1))]
        speeds, rates = (X.R @ V.moment).xyz, (X.R @ V.resultant).xyz
        found += [(x, v, "m") for x, v in zip(X.p.xyz, speeds, strict=True)]
        found += [(x, v, "rad") for x, v in zip(turned, rates, strict=True)]
    return tuple(found)


@immutable
class FrameForce:
    """Forces on frames by a law.

    ``law(p, t, motions, *signals)`` returns for each frame the force motor (f, moment about
    its origin) on the body that carries it, resolved in the frame. `motions` holds for each
    frame a pair: its pose in the world and its velocity motor, resolved in the frame.
    ``energy(p, poses)`` is the energy that the law stores [J]. The `coordinates` of the
    part that it names, with full turns counted, follow the signals as further arguments of the law.
    ``stretch(p, motions, *coordinates)`` are the relative coordinates that the law depends on;
    without one, the law depends on signals and switched forces alone.

    `states` names states of the law, whose start values the part declares by `start`. Their
    values follow the signals in the arguments of the law and are the last arguments of the
    energy, ``energy(p, poses, *states)``; ``rates`` is called as the law is, and returns a rate
    for each.
    """

    part: Part
    frames: tuple[Port, ...]
    p: Values
    law: Callable[..., tuple[Motor, ...]]
    energy: Callable[..., Scalar] | None = None
    signals: tuple[Port, ...] = ()
    coordinates: tuple[str, ...] = ()
    stretch: Callable[..., tuple[Stretch, ...]] | None = relative_motion
    states: tuple[str, ...] = ()
    rates: Callable[..., Sequence[Scalar]] | None = None


@immutable
class ConstraintBetween:
    """Frames and flanges are subject to a `constraint`.

    It is a function of the poses of the frames (seen from the world if there is one frame,
    from one common frame if there are several, the world if `in_world`) and of the positions
    of the flanges. `design` is the live number of the distance of two frames that follows from
    the design pose: that of the model's own start values, without this constraint.
    """

    part: Part
    frames: tuple[Port, ...]
    constraint: Constraint
    flanges: tuple[Port, ...] = ()
    design: LiveScalar | None = None
    in_world: bool = False


@immutable
class SignalLaw:
    """Output signals of a block: ``law(p, t, inputs, states)`` returns a value for each.

    ``rates(p, t, inputs, states)`` are the rates of its own states, `names` and `starts`
    those states' names and start values, `units` their units; ``initial(p, t, inputs)`` are
    the values of the states at the start where they follow from the inputs. With `is_steady`
    and without `initial` the states start where their rates vanish.
    """

    part: Part
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    p: Values
    law: Callable[..., tuple[Scalar, ...]]
    rates: Callable[..., tuple[Scalar, ...]] | None = None
    names: tuple[str, ...] = ()
    starts: tuple[Start, ...] = ()
    initial: Callable[..., tuple[Scalar, ...]] | None = None
    is_steady: bool = False
    units: tuple[str, ...] = ()

    @property
    def is_found(self) -> bool:
        """Whether its states at the start are found, not given."""
        return self.initial is not None or self.is_steady


@immutable
class Measurement:
    """Output signals of a sensor: ``reading(motion)`` returns a value for each of them.

    A reading of level 0 needs positions, of 1 speeds, of 2 accelerations and forces. Where it is
    the rate of a signal, `rate_of` is its port.
    """

    part: Part
    outputs: tuple[Port, ...]
    reading: Callable[[Motion], tuple[Scalar, ...]]
    level: int = 0
    rate_of: Port | None = None


@immutable
class PartEquations:
    """The part is written as equations: an `EquationPart` with its parameters p.

    `combine`, where there is one, writes comparisons in the equations as convex combinations, and
    `surfaces` are the differences so compared, as text.
    """

    part: Part
    p: Values
    combine: Callable[[Sequence[Any]], list[Any]] | None = None
    surfaces: tuple[str, ...] = ()

    @staticmethod
    def surface_name(k: int) -> str:
        """Return the name by which the k-th of the surfaces is a quantity of the part."""
        return f"#surface{k}"


@immutable
class GivenFlow:
    """The through quantity of a port of a domain is a signal, which flows out of the part there.

    `level`, if there is one, is a signal that the part gives: the across quantity of the port.
    """

    part: Part
    port: Port
    signal: Port
    level: Port | None = None


@immutable
class InitialCondition:
    """Quantities of the part must have given values at the start.

    `residual(motion)` returns numbers that must vanish, functions of positions (level 0), of
    speeds (1) or of accelerations (2). `always` is set where the part's own states cannot
    be fixed instead, `is_law` where it is no start value but holds whatever is given.
    """

    part: str
    name: str
    level: int
    residual: Callable[[Motion], tuple[Scalar, ...]]
    always: bool = False
    is_law: bool = False


@immutable
class ForceBounds:
    """The set of admissible forces λ along a speed w, with the power λ w.

    At rest, w = 0, the force lies between `low` and `high`. Sliding forward, w > 0, it is
    `forward`; sliding backward it is `backward`. Where `on` is not positive there is no contact
    and no force.
    """

    low: Scalar
    high: Scalar
    forward: Scalar
    backward: Scalar
    on: Scalar = 1.0


@immutable
class FrictionDisk:
    """Friction in a plane: two forces of a part that stick or slide together, within a disk.

    `across` names the second force, `state` the `DiskState` that the part declares by
    `disk_state`. The first force acts along a direction in the plane with the cosine and sine of
    that block. At the onset of slip, friction is regularised below the speed pace · (t − since),
    see `nonsmooth.application.slip_onset`; `softness` is the factor on its compliance with which
    it shares a load with other sticking constraints. `normal` names the normal force of the part,
    if it is that of a unilateral constraint.
    """

    across: str
    state: str
    normal: str = ""


@immutable
class NonsmoothConstraint:
    """A set-valued force law: friction, a clutch, a stop, a contact.

    `force` names the force λ that the part declares by `nonsmooth_force` and that its force
    laws read; `speed(motion)` is the speed w with which it has the power λ w,
    `acceleration(motion)` its rate (by default found by differentiation), `bounds(motion)`
    the admissible forces. With a `gap(motion)` [m or rad] the constraint is unilateral: it acts
    only where the gap is closed, and closing at a speed is an impact with the coefficient
    `restitution`. With a `disk` it is the first of two forces in a plane. `sign_cases` names two
    discrete numbers of the part, 1 or 0, that select how its bounds depend on other forces,
    sliding forward and backward: the case in which the force opposes the motion is consistent.
    `is_sliding_mode` marks a multiplier of Filippov's convex combination, see
    `nonsmooth.application.sliding_modes`.
    """

    part: Part
    force: str
    speed: Callable[[Motion], Scalar]
    bounds: Callable[[Motion], ForceBounds]
    acceleration: Callable[[Motion], Scalar] | None = None
    gap: Callable[[Motion], Scalar] | None = None
    restitution: Scalar = 0.0
    disk: FrictionDisk | None = None
    sign_cases: tuple[str, str] | None = None
    is_sliding_mode: bool = False

    def force_block(self) -> NonsmoothForce[LiveScalar]:
        """Return the force and the mode as numbers of the part."""
        own = self.part.internal()[self.force]
        assert isinstance(own, NonsmoothForce)
        return own

    def disk_block(self) -> DiskState[LiveScalar]:
        """Return the state of its friction disk as numbers of the part."""
        assert self.disk is not None
        own = self.part.internal()[self.disk.state]
        assert isinstance(own, DiskState)
        return own


@immutable
class Assignment:
    """A number that an event changes: it becomes value(motion), of the motion before.

    `target` is a discrete number of a part, the name of a state, or the force of a
    `NonsmoothConstraint`, which then gives an impulse [N·s or N·m·s]. Clocks that tick at the
    same time read the number after the assignment if it `is_seen_at_once`, else before.
    """

    target: LiveScalar | str
    value: Callable[[Motion], Scalar]
    is_seen_at_once: bool = False


@immutable
class Trigger:
    """A state event, where a condition begins to hold, or time events of a clock.

    `condition(motion)` holds where it is positive; the discrete number `flag` of the part is
    1 while it does. If it holds at the start already, it acts there only with `acts_at_start`.
    A clock ticks at offset + k · period [s]. At the event its `assignments` are made, and the
    run ends if it `stops`. With a `function` of the user, called as function(time, *inputs)
    outside of native code, the assignments take the values it returns. The log of events shows
    `what`.
    """

    part: Part
    assignments: tuple[Assignment, ...] = ()
    condition: Callable[[Motion], Scalar] | None = None
    flag: str = ""
    period: float = 0.0
    offset: float = 0.0
    stops: bool = False
    function: Callable[..., object] | None = None
    inputs: tuple[Callable[[Motion], Scalar], ...] = ()
    names: tuple[str, ...] = ()
    acts_at_start: bool = False
    what: str = "fires"


@immutable
class Delayed:
    """The part needs a signal of the past: ``signal(motion)`` a time ``delay(motion)`` [s] ago.

    The run keeps the past of the signal; its address is the internal number `address` of the part,
    whose law reads it by `algebra.recall`. Without `following` the delay is constant in a run. Else
    that is the internal number that the next discontinuity of the signal is written to, a time
    [s], and the delay is at most `most` [s].
    """

    part: Part
    address: str
    signal: Callable[[Motion], Scalar]
    delay: Callable[[Motion], Scalar]
    following: str = ""
    most: float = 0.0

    @property
    def is_constant(self) -> bool:
        """Whether the delay is constant in a run."""
        return not self.following


@immutable
class TorqueThroughBody:
    """A torque that one body passes on between two frames on it, as from a housing to a bearing.

    ``torque(motion)`` [N·m] acts on the body at `frame`, resolved in it, and its opposite at
    `other`; without an `other` the body is the world. It moves nothing: it is seen in the cut
    torques at both frames.
    """

    part: Part
    frame: Port
    other: Port | None
    torque: Callable[[Motion], Vector]

    @property
    def frames(self) -> tuple[Port, ...]:
        """The frames at which it acts."""
        return (self.frame,) if self.other is None else (self.frame, self.other)


Contribution = (
    Ground
    | Gravity
    | Rigid
    | Mass
    | JointBetween
    | JointForce
    | LineForce
    | Clamp
    | FlangeInertia
    | Coupling
    | Prescribed
    | FrameForce
    | ConstraintBetween
    | SignalLaw
    | Measurement
    | PartEquations
    | GivenFlow
    | InitialCondition
    | NonsmoothConstraint
    | Trigger
    | Delayed
    | LineMass
    | TorqueThroughBody
)
