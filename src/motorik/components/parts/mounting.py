"""Housings of drive lines, bolted to frames: Mounting1D and BevelGear1D; bearings of rotors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    Clamp,
    Contribution,
    Coupling,
    FrameForce,
    Ground,
    Measurement,
    TorqueThroughBody,
)
from motorik.components.base.declarations import (
    PortSpec,
    frame,
    parameter,
    rotational_flange,
    signal_output,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart, Part
from motorik.components.base.ports import FramePort, Port, PortKind, SignalOutput
from motorik.components.base.resolving import Values
from motorik.components.joints.simple import Revolute
from motorik.components.lines.flanges import RotationalTwoFlanges
from motorik.components.lines.gears import refuse_zero
from motorik.components.parts.rigid import Fixed, FixedRotation, FixedTranslation
from motorik.components.parts.world import World
from motorik.errors import AssemblyError
from motorik.immutable import immutable

if TYPE_CHECKING:
    from typing_extensions import Self


NOTHING = SimpleNamespace()  # parameters of a law that takes none


class Housing(DeclaredPart):
    """A housing of a drive line on a frame, which takes the torques at some of its flanges.

    The torque of a drive line that turns joints acts on them and on the body that carries them;
    that of rotors and inertias acts on the frame of the housing.
    """

    frame_a: ClassVar[PortSpec[FramePort]] = frame("frame that the housing is bolted to")
    torque = signal_output("torque on the frame", "N.m", size=3)

    def reaction(self, *flanges: tuple[Port, Vector]) -> Iterable[Contribution]:
        """Yield the torque Σ τ e on the frame of flanges with axes e, as far as it acts there."""
        mounts = Mounts.around(self)
        acting = [own for own in flanges if self._acts(mounts, own[0])]
        passed = [own for own in flanges if mounts.passes(self, own[0])]
        for port, e in passed:
            rotor = next(iter(mounts.driven[port]), None)
            bearing = None if rotor is None else rotor.frame_a
            yield TorqueThroughBody(self, self.frame_a, bearing, _torque((port, e)))
        torques = [*acting, *passed]
        yield Measurement(
            self,
            self.torque.elements,
            lambda motion: _torque(*torques)(motion).xyz,
            2 if torques else 0,
        )
        if not acting:
            return
        given = self.torque.elements
        if passed:
            given = tuple(SignalOutput(self, f"acting torque[{k}]") for k in (1, 2, 3))
            yield Measurement(self, given, lambda motion: _torque(*acting)(motion).xyz, 2)
        yield FrameForce(
            self, (self.frame_a,), NOTHING, _given, signals=given, stretch=None
        )

    def _acts(self, mounts: Mounts, flange: Port) -> bool:
        """Return whether the torque at a flange acts on the frame, and on no other body."""
        bolted, driven = mounts.bolted[self.frame_a], mounts.driven[flange]
        if bolted.stands or not mounts.in_space:
            return False
        if not driven:
            return True
        if all(joint.frame_a in bolted.frames for joint in driven):
            return False
        raise AssemblyError(
            self.label,
            "its frame moves, and does not carry all that the drive line turns: the "
            "torque of the drive would act on another body.",
            "Connect the drive with the `support` of the joint that it drives.",
        )


def _torque(*flanges: tuple[Port, Vector]) -> Callable[[Motion], Vector]:
    """Return the torque Σ τ e of flanges with axes e, as a function of the motion."""

    def torque(motion: Motion) -> Vector:
        total = ZERO
        for port, e in flanges:
            total = total + motion.flange_force(port) * e
        return total

    return torque


def _given(
    p: Values, t: Scalar, motions: Sequence[tuple[Pose, Motor]], *torque: Scalar
) -> tuple[Motor]:
    return (Motor(ZERO, Vector(*torque)),)


class Mounting1D(Housing):
    """A flange fixed at the angle phi0 [rad] relative to the frame it is bolted to.

    The frame is fixed in the world, or belongs to the body that carries the joints and rotors
    that the drive line turns: their torque acts on both sides. Drives of other joints are
    connected with the `support` of these joints instead. The torque of a line without joints
    and rotors acts on the frame, about n.
    """

    flange_b = rotational_flange("the housing")

    phi0: kinds.Angle = parameter("angle of the housing", default=0.0)
    n: kinds.Axis = parameter("axis of the drive line, in frame_a", default=(1, 0, 0))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a clamp at the flange, and its torque on the frame."""
        yield Clamp(self.flange_b, p.phi0)
        yield from self.reaction((self.flange_b, p.n))


class BevelGear1D(RotationalTwoFlanges, Housing):
    """An ideal gear with shafts of any directions in one housing: φ_a = ratio · φ_b.

    ratio · τ_a + τ_b = 0; the torque τ_a e_a + τ_b e_b acts on the body at frame_a, where the
    shafts turn about n_a and n_b.
    """

    ratio: kinds.Factor = parameter("gear ratio φ_a / φ_b", default=1.0)
    n_a: kinds.Axis = parameter("axis of flange_a, in frame_a", default=(1, 0, 0))
    n_b: kinds.Axis = parameter("axis of flange_b, in frame_a", default=(1, 0, 0))

    def check(self, p: Self) -> None:
        """Refuse a ratio of zero."""
        refuse_zero(self, "ratio", p.ratio)

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute φ_a − ratio φ_b = 0, and the torque on the frame."""
        yield Coupling(self, (self.flange_a, self.flange_b), (1.0, -p.ratio))
        yield from self.reaction((self.flange_a, p.n_a), (self.flange_b, p.n_b))


class RotorBearing(Revolute):
    """The bearing of a rotor; its rotor is at rest in the world where its drive line turns it.

    A housing on the same body takes the torque of the drive: the bearing does not. Of several
    rotors of a drive line each takes what accelerates it.
    """

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the joint, or the frame of the rotor in the world."""
        mounts = Mounts.around(self)
        if not mounts.accelerate(self):
            yield Ground(self.frame_b)
            yield Clamp(self.support)
            return
        yield from super().contributions(p)
        first = mounts.driven[self.axis][0]
        housings = mounts.housings[self.axis]
        if first is not self and any(mounts.passes(own, self.axis) for own in housings):
            here, there = self.frame_a, first.frame_a
            yield TorqueThroughBody(self, here, there, _torque((self.axis, p.n)))


@immutable
class Bolted:
    """Frames that are rigidly connected, and whether one of them is fixed."""

    frames: set[Port]
    stands: bool


class Mounts:
    """Where the housings of drive lines of a model may be bolted to: found once.

    `bolted` gives for a frame all that is rigidly connected with it, itself included, `driven`
    for a flange the joints that the drive line turns, `housings` what takes its torque; `in_space`
    is set unless the world takes drive lines as fixed in space.
    """

    def __init__(self, model: Part) -> None:
        self.bolted: dict[Port, Bolted] = {}
        self.driven: dict[Port, list[Revolute]] = {}
        self.housings: dict[Port, list[Housing]] = {}
        for frames in _connected(model, _rigid_ends):
            stands = any(isinstance(at.owner, (World, Fixed)) for at in frames)
            self.bolted |= dict.fromkeys(frames, Bolted(frames, stands))
        for flanges in _connected(model, _line_ends):
            joints = [p.owner for p in flanges if isinstance(p.owner, Revolute)]
            joints = [own for own in joints if getattr(own.parent, "exact", True)]
            housings = [p.owner for p in flanges if isinstance(p.owner, Housing)]
            joints.sort(key=lambda joint: joint.path)
            self.driven |= dict.fromkeys(flanges, joints)
            self.housings |= dict.fromkeys(flanges, housings)
        worlds = [part for part in model.walk() if isinstance(part, World)]
        self.in_space = all(world.driveTrainMechanics3D for world in worlds)

    def passes(self, housing: Housing, flange: Port) -> bool:
        """Return whether the body of a housing passes the torque at a flange on to rotors.

        The body then carries all that the line turns, rotors alone; or it is the world, and the
        line turns nothing. The motion of the body has this torque in that of the rotors.
        """
        bolted, driven = self.bolted[housing.frame_a], self.driven[flange]
        if not self.in_space:
            return False
        if not driven:
            return bolted.stands
        return all(isinstance(own, RotorBearing) for own in driven) and all(
            own.frame_a in bolted.frames for own in driven
        )

    def accelerate(self, of_rotor: Part) -> bool:
        """Return whether bodies accelerate a rotor, by a part that it is made of."""
        return self.in_space and bool(getattr(of_rotor.parent, "exact", True))

    @staticmethod
    def around(part: Part) -> Mounts:
        """Return the mounts of the outermost model, kept until it is changed."""
        state = part.lineage()[-1].__dict__
        kept = state.get("_latest_mounts")
        if kept is None or kept[0] != state["revision"]:
            kept = state["_latest_mounts"] = (state["revision"], Mounts(part.lineage()[-1]))
        return kept[1]


def _rigid_ends(part: Part) -> Iterable[Port]:
    if isinstance(part, (FixedTranslation, FixedRotation)):
        return part.frame_a, part.frame_b
    ends = [part.__dict__[name] for name in getattr(part, "passes", ())]
    return [port for port in ends if port.kind is PortKind.FRAME]


def _line_ends(part: Part) -> Iterable[Port]:
    if part.is_model or isinstance(part, (Revolute, Housing)):
        return ()
    return [p for p in part.ports() if p.kind is PortKind.ROTATIONAL]


def _connected(model: Part, ends: Callable[[Part], Iterable[Port]]) -> Iterable[set[Port]]:
    """Yield the sets of ports that connections, and the `ends` of parts, tie together."""
    joined: dict[Port, list[Port]] = {}
    for part in model.walk():
        for port in part.ports():
            joined.setdefault(port, [])
        tied = [*ends(part)]
        ties = [(tied[0], other) for other in tied[1:]]
        for a, b in (*part.connections, *ties):
            joined.setdefault(a, []).append(b)
            joined.setdefault(b, []).append(a)
    seen: set[Port] = set()
    for start in joined:
        if start in seen:
            continue
        found, rest = {start}, [start]
        while rest:
            new = [b for b in joined[rest.pop()] if b not in found]
            found.update(new)
            rest += new
        seen |= found
        yield found
