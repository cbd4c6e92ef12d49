"""ChainPart: a chain of transmission elements as a part of a model.

Joints, links and masses become parts of the model, chords its constraints: the loops are solved
with those of the model, the variables are coordinates of it. Frames are ports by their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from motorik.algebra.matrix import IDENTITY, Matrix
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar, mul, sub, total
from motorik.algebra.vector import Vector
from motorik.components.base.composite import Composite
from motorik.components.base.contributions import (
    ConstraintBetween,
    Contribution,
    FrameForce,
    JointBetween,
    Prescribed,
)
from motorik.components.base.declarations import (
    frame,
    rotational_flange,
    translational_flange,
)
from motorik.components.base.parameter import Parameter
from motorik.components.base.part import DeclaredPart, Part, Variable
from motorik.components.base.ports import FramePort, Port, join
from motorik.components.base.resolving import Values
from motorik.components.base.values import Start, guess
from motorik.components.joints.simple import Prismatic, Revolute, Screw
from motorik.components.parts.bodies import Body
from motorik.components.parts.rigid import FixedRotation, FixedTranslation
from motorik.components.rotational.parts import SpringDamper as Torsion
from motorik.components.rotational.sources import ConstantTorque
from motorik.components.translational.parts import SpringDamper as Extension
from motorik.components.translational.sources import ConstantForce
from motorik.elements.constraint import PARALLEL, TOGETHER, Constraint, joined
from motorik.elements.prismatic import PrismaticPair
from motorik.elements.revolute import RevolutePair
from motorik.elements.screw import ScrewPair
from motorik.errors import AssemblyError, ParameterError, UnknownNameError, suggest
from motorik.immutable import immutable
from motorik.mobile.chords.chord import Chord, ChordBranch
from motorik.mobile.chords.scalar import ScalarChord
from motorik.mobile.chords.spatial import Chord3DOrientation, Chord3DPose, Chord3DPosition
from motorik.mobile.dynamics.drive import Drive
from motorik.mobile.elements.chain import MapChain
from motorik.mobile.elements.driver import ConstantStepDriver, PrescribedMotion
from motorik.mobile.elements.gravity import Gravity
from motorik.mobile.elements.joint_element import JointElement
from motorik.mobile.elements.link import RigidLink
from motorik.mobile.elements.load import ForceElement, LinearSpringDamper
from motorik.mobile.elements.mass import MassElement
from motorik.mobile.elements.output_generator import OutputGenerator
from motorik.mobile.solvers.constraint_solver import ConstraintSolver
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import (
    MutableAngle,
    MutableScalar,
    MutableVector,
    current,
)
from motorik.mobile.states.preserved import preserved
from motorik.mobile.states.transmission import Element, Subtask, unique
from motorik.mobile.states.variable import LinearVariable, StateVariable

MOST_FRAMES = 4  # of a chord
Made = TypeVar("Made", bound=Part)


# --- elements that are no parts of the catalogue ------------------------------------------


@immutable
class PartContent:
    """The objects of a chain that a part stands for."""

    element: Any
    frames: Sequence[Frame] = ()
    root: Pose = IDENTITY_POSE
    is_free: Callable[[StateVariable], bool] = lambda variable: True
    number: int = 0


def _content(part: Part) -> PartContent:
    return part.__dict__["_content"]


def _with(part: Made, content: PartContent) -> Made:
    """Return a part with its content, which is no parameter of it."""
    object.__setattr__(part, "_content", content)
    return part


class PairJoint(DeclaredPart):
    """A joint of any kinematic pair; its coordinates have the names of the pair."""

    frame_a = frame("frame that it begins at")
    frame_b = frame("frame that it moves")

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the joint between the frames."""
        content = _content(self)
        one, is_free = content.element, content.is_free
        yield JointBetween(
            self.frame_a,
            self.frame_b,
            one.joint,
            tuple(c.name for c in one.joint.coordinates),
            tuple(c.name for c in one.joint.speeds),
            tuple(_start(v.q, is_free(v)) for v in one.variables),
            tuple(_start(v.qd, is_free(v)) for v in one.speeds),
        )

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return coordinates and speeds."""
        found: dict[str, Variable] = {}
        joint = _content(self).element.joint
        for one in joint.coordinates:
            found[one.name] = Variable(
                lambda motion, name=one.name: motion.coordinate(self, name),
                one.unit,
                "coordinate",
            )
        for one in joint.speeds:
            found[one.name] = Variable(
                lambda motion, name=one.name: motion.speed(self, name), one.unit, "speed"
            )
        return found


class ChordCondition(DeclaredPart):
    """The condition that a chord of a loop keeps its measure."""

    frame_1 = frame("first frame of the chord")

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the constraint between the frames."""
        ports = tuple(
            self.__dict__[f"frame_{k + 1}"] for k in range(len(_content(self).frames))
        )
        yield ConstraintBetween(self, ports, _constraint_of(self))


class ChordConditionOf2(ChordCondition):
    """The condition of a chord of two frames."""

    frame_2 = frame("second frame of the chord")


class ChordConditionOf3(ChordConditionOf2):
    """The condition of a chord of three frames."""

    frame_3 = frame("third frame of the chord")


class ChordConditionOf4(ChordConditionOf3):
    """The condition of a chord of four frames."""

    frame_4 = frame("fourth frame of the chord")


class ChordConditionOf5(ChordConditionOf4):
    """The condition of a chord of four frames against the inertial one."""

    frame_5 = frame("fifth frame of the chord")


CONDITIONS = (
    *(ChordConditionOf2, ChordConditionOf2, ChordConditionOf2),
    *(ChordConditionOf3, ChordConditionOf4, ChordConditionOf5),
)


def _constraint_of(part: ChordCondition) -> Constraint:
    """Return the constraint of a chord between the poses of its frames."""
    content = _content(part)
    chord, frames, root = content.element, content.frames, content.root
    spatial: dict[type, Constraint] = {
        Chord3DPosition: TOGETHER,
        Chord3DOrientation: PARALLEL,
        Chord3DPose: joined(TOGETHER, PARALLEL),
    }
    if type(chord) in spatial:
        return spatial[type(chord)]
    assert isinstance(chord, ScalarChord)
    places = {id(one): k for k, one in enumerate(frames)}
    unit = "rad" if chord.is_angle else "m"

    def measured(g: Scalar) -> Scalar:
        return g if chord.is_angle else chord.natural(g)

    def residual(*poses: Pose) -> tuple[Scalar, ...]:
        rows = []
        for term in chord.terms:
            span = term.span
            base = poses[places.get(id(span.base), -1)]
            if id(span.base) not in places:  # the inertial frame, seen by the last one
                base = base @ root.inverse()
            g = chord.value(base.inverse() @ poses[places[id(span.end)]])
            rows.append(mul(term.sign, measured(g)))
        if len(chord.terms) > 1:
            return (total(*rows),)
        assert not isinstance(chord.offset, LinearVariable)
        return (sub(rows[0], measured(current(chord.offset))),)

    return Constraint(residual, (unit,))


class ElementForce(DeclaredPart):
    """The force of an element on one or two frames, as the element computes it."""

    frame_1 = frame("first frame loaded")

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the forces on the frames."""
        ports = tuple(
            self.__dict__[f"frame_{k + 1}"] for k in range(len(_content(self).frames))
        )
        yield FrameForce(self, ports, p, self.law)

    def law(
        self, p: Values, t: Scalar, motions: Sequence[tuple[Pose, Motor]]
    ) -> tuple[Motor, ...]:
        """Return the force motor on each frame, resolved in it."""
        element, frames = _content(self).element, _content(self).frames
        memory = element.keep()
        with preserved(element.touched), preserved(frames):
            for one, (X, V) in zip(frames, motions, strict=True):
                one.X, one.V, one.F = X, V, ZERO_MOTOR
            element.motion(Subtask.POSITION | Subtask.VELOCITY)
            element.force()
            found = tuple(one.F for one in frames)
        element.restore(memory)
        return found


class ElementForceOn2(ElementForce):
    """The force of an element on two frames."""

    frame_2 = frame("second frame loaded")


class DrivenAngle(DeclaredPart):
    """A flange whose angle a driver prescribes."""

    flange = rotational_flange("flange that is moved")

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the motion over time."""
        yield Prescribed(self, self.flange, p, lambda p, t: _place(self, t))


class DrivenDistance(DeclaredPart):
    """A flange whose position a driver prescribes."""

    flange = translational_flange("flange that is moved")

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the motion over time."""
        yield Prescribed(self, self.flange, p, lambda p, t: _place(self, t))


def _place(part: DrivenAngle | DrivenDistance, t: Scalar) -> Scalar:
    driver = _content(part).element
    if isinstance(driver, PrescribedMotion):
        return driver.q(t)
    variable = driver.variables[_content(part).number]
    return float(variable.q) + mul(float(variable.qd), t)


# --- the part -----------------------------------------------------------------------------


class ChainPart(Composite):
    """A chain of transmission elements as a part of a model, as it is now.

    Its frames are ports by their names, ``model.world.frame_b >> model.arm.K0``, or
    ``model.arm.port(K0)``; gravity is that of the world of the model. A variable `phi` is
    ``arm.phi.phi``, a way `s` is ``arm.s.s``; those that solvers move only start where they
    are, all others start there. References to numbers and vectors with names, such as a
    `MutableScalar` m, are live parameters ``arm.m``.

    >>> from motorik.mobile import ElementaryJoint, MapChain, MassElement, RigidLink
    >>> from motorik.mobile import angular_variables, frames
    >>> K0, K1, K2 = frames("K0 K1 K2")
    >>> (phi,) = angular_variables("phi")
    >>> arm = MapChain() << ElementaryJoint(K0, K1, phi) << RigidLink(K1, K2, Vector(1, 0, 0))
    >>> [*ChainPart(chain=arm << MassElement(K2, 2.0)).parts]
    ['phi', 'K2_link', 'K2_mass']
    """

    def build(self, chain: Element) -> None:
        """Make the parts of all elements, in the order of motion."""
        if not isinstance(chain, Element):
            raise ParameterError(
                "ChainPart",
                f"{chain!r} is not a chain.",
                "Give a MapChain or an element of motorik.mobile.",
                parameter="chain",
                value=chain,
            )
        maker = _PartMaker(self, chain)
        maker.make()
        object.__setattr__(self, "_frame_ports", maker.named_ports())
        object.__setattr__(self, "_ports_of_frames", maker.ports)

    def port(self, frame: Frame | str) -> FramePort:
        """Return the port of a frame of the chain, given itself or by its name."""
        if isinstance(frame, Frame):
            found = self.__dict__["_ports_of_frames"].get(id(frame))
            name = frame.name
        else:
            found, name = self.__dict__["_frame_ports"].get(frame), frame
        if found is None:
            known = self.__dict__["_frame_ports"]
            raise UnknownNameError(
                self.label, f"has no frame {name!r}.", suggest(name, known), value=name
            )
        return found

    def __getattr__(self, name: str) -> Any:
        known = self.__dict__.get("_frame_ports", {})
        if name in known:
            return known[name]
        return getattr(super(), "__getattr__")(name)  # noqa: B009 - hidden from editors


class _PartMaker:
    """The making of the parts of one chain."""

    def __init__(self, whole: ChainPart, chain: Element) -> None:
        self.whole, self.chain = whole, chain
        self.ports: dict[int, Port] = {}
        self.frames: dict[int, Frame] = {}
        self.joints: dict[int, Revolute | Prismatic | Screw] = {}
        self.live: dict[int, Parameter] = {}
        self.drivers: list[PrescribedMotion | ConstantStepDriver] = []
        self.loads: list[tuple[ForceElement, StateVariable]] = []
        chain.motion(Subtask.POSITION | Subtask.VELOCITY)
        self.elements = list(_elements_of(chain))
        moved = {id(s) for one in self.elements for s in one.outputs}
        read = (s for one in self.elements for s in one.inputs if id(s) not in moved)
        self.root = next((s for s in read if isinstance(s, Frame)), Frame("inertial"))
        driven = [v for one in self.elements for v in _driven_by(one)]
        self.dependent = {id(v) for v in driven}
        for one in _solvers_of(chain):
            self.dependent |= {id(v) for v in one.unknowns}
        loaded = [v for one in self.elements if (v := _loads(one)) is not None]
        self.loaded = {id(v) for v in (*loaded, *driven)}

    def make(self) -> None:
        """Make the parts of all elements, then the conditions of all chords."""
        for one in self.elements:
            self._add(one)
        for driver in self.drivers:
            self._add_driver(driver)
        for load, variable in self.loads:
            self._add_load(load, variable)
        for solver in _solvers_of(self.chain):
            for chord in solver.chords:
                self._add_chord(chord)

    def named_ports(self) -> dict[str, Port]:
        """Return the ports of frames by the names that only one of them has."""
        names = [one.name for one in self.frames.values()]
        return {
            one.name: self.ports[key]
            for key, one in self.frames.items()
            if one.name and names.count(one.name) == 1
        }

    # --- names, frames, numbers ------------------------------------------------------------

    def _name(self, part: Part, wanted: str) -> Part:
        """Give a part a name within the whole: the one wanted, or with a number."""
        stem = "".join(c if c.isalnum() else "_" for c in wanted).strip("_") or "part"
        stem = stem if stem[0].isalpha() else f"part_{stem}"
        name, k = stem, 1
        while name in self.whole.parts or hasattr(type(self.whole), name):
            k += 1
            name = f"{stem}_{k}"
        setattr(self.whole, name, part)
        return part

    def _at(self, one: Frame, port: Port) -> None:
        """Connect a port to a frame of the chain."""
        key = id(one)
        if key in self.ports:
            join(self.ports[key], port)
        else:
            self.ports[key], self.frames[key] = port, one

    def _number(self, value: object) -> Any:
        """Return a number or a vector; that of a reference with a name is live."""
        if not isinstance(value, (MutableScalar, MutableVector)):
            return value.xyz if isinstance(value, Vector) else value
        if id(value) not in self.live:
            entries = tuple(map(float, value.entries))
            own = Parameter(entries if len(entries) == 3 else entries[0])
            self.live[id(value)] = own
            name = getattr(value, "name", "")
            if name.isidentifier() and not hasattr(self.whole, name):
                setattr(self.whole, name, own)
        return self.live[id(value)]

    def _is_free(self, variable: StateVariable) -> bool:
        return id(variable) not in self.dependent

    # --- elements ------------------------------------------------------------------------

    def _add(self, one: Element) -> None:
        if isinstance(one, JointElement):
            self._add_joint(one)
        elif isinstance(one, RigidLink):
            self._add_link(one)
        elif isinstance(one, MassElement):
            self._add_mass(one)
        elif isinstance(one, (PrescribedMotion, ConstantStepDriver)):
            self.drivers.append(one)
        elif isinstance(one, ForceElement):
            self._add_force(one)
        elif not isinstance(one, (Gravity, OutputGenerator)):
            raise AssemblyError(
                repr(one),
                f"is a {type(one).__name__}, which no part of a model is.",
                "Leave it out of the chain, or make a part of your own of it.",
            )

    def _add_joint(self, one: JointElement) -> None:
        made = self._simple_joint(one)
        name = f"{one.b.name}_joint"
        if made is not None:
            (variable,) = one.variables
            self.joints[id(variable)] = made
            name = variable.name or name
        content = PartContent(one, is_free=self._is_free)
        part = self._name(made or _with(PairJoint(), content), name)
        self._at(one.a, part.__dict__["frame_a"])
        self._at(one.b, part.__dict__["frame_b"])

    def _simple_joint(self, one: JointElement) -> Revolute | Prismatic | Screw | None:
        joint = one.joint
        if not isinstance(joint, (RevolutePair, PrismaticPair, ScrewPair)):
            return None
        (v,) = one.variables
        is_free = self._is_free(v)
        q, qd = _start(v.q, is_free), _start(v.qd, is_free)
        n = tuple(map(float, joint.axis.xyz))
        if isinstance(joint, ScrewPair):
            if id(v) in self.loaded:
                raise AssemblyError(
                    repr(one),
                    "has a force or a driver on its screw, which has no flange.",
                    "Use a turn and a slide.",
                )
            return Screw(n=n, lead=current(joint.lead), phi=q, w=qd)
        flanges = id(v) in self.loaded
        if isinstance(joint, RevolutePair):
            return Revolute(n=n, phi=q, w=qd, useAxisFlange=flanges)
        return Prismatic(n=n, s=q, v=qd, useAxisFlange=flanges)

    def _add_link(self, one: RigidLink) -> None:
        for k, end in enumerate(one.ends):
            held = one.held[k]
            if _is_turned(held.R) or any(map(float, held.r_b.xyz)):
                X = one.pose(k)
                columns = np.array(X.R.entries, dtype=float).reshape(3, 3).T
                made: Part = FixedRotation(
                    r=tuple(map(float, X.p.xyz)),
                    rotationType="TwoAxesVectors",
                    n_x=tuple(columns[0]),
                    n_y=tuple(columns[1]),
                )
            else:
                made = FixedTranslation(r=self._number(held.r))
            part = self._name(made, f"{end.name}_link")
            self._at(one.a, part.__dict__["frame_a"])
            self._at(end, part.__dict__["frame_b"])

    def _add_mass(self, one: MassElement) -> None:
        I = np.zeros((3, 3)) if one.I is None else one.I.full().entries
        tensor = np.array(I, dtype=float).reshape(3, 3)
        body = Body(
            m=self._number(one.m), r_CM=self._number(one.r_CM), I=tensor, physical=False
        )
        part = self._name(body, f"{one.frame.name}_mass")
        self._at(one.frame, part.__dict__["frame_a"])

    def _axis(self, variable: StateVariable, by: Element) -> Revolute | Prismatic:
        joint = self.joints.get(id(variable))
        if not isinstance(joint, (Revolute, Prismatic)):
            raise AssemblyError(
                repr(by),
                f"acts on {variable!r}, which no elementary joint before it has.",
                "Give the joint first, and use one of a single axis.",
            )
        return joint

    def _add_driver(self, one: PrescribedMotion | ConstantStepDriver) -> None:
        for k, variable in enumerate(one.variables):
            joint = self._axis(variable, one)
            made = DrivenAngle() if isinstance(joint, Revolute) else DrivenDistance()
            part = _with(made, PartContent(one, number=k))
            self._name(part, f"{variable.name}_drive")
            join(joint.axis, part.flange)

    def _add_load(self, one: ForceElement, variable: StateVariable) -> None:
        joint = self._axis(variable, one)
        is_turn = isinstance(joint, Revolute)
        if isinstance(one, Drive):
            Q = self._number(one.Q)
            part = (
                ConstantTorque(tau_constant=Q) if is_turn else ConstantForce(f_constant=Q)
            )
            self._name(part, f"{variable.name}_drive")
            join(joint.axis, part.flange)
            return
        assert isinstance(one, LinearSpringDamper)
        c, d, rest = self._number(one.c), self._number(one.d), self._rest(one)
        made = (
            Torsion(c=c, d=d, phi_rel0=rest)
            if is_turn
            else Extension(c=c, d=d, s_rel0=rest)
        )
        part = self._name(made, f"{variable.name}_spring")
        join(joint.support, part.__dict__["flange_a"])
        join(part.__dict__["flange_b"], joint.axis)

    def _rest(self, one: LinearSpringDamper) -> Any:
        if isinstance(one.q_rest, MutableAngle):
            return float(one.q_rest.radians)
        return self._number(one.q_rest)

    def _add_force(self, one: ForceElement) -> None:
        variable = _loads(one)
        if variable is not None:
            self.loads.append((one, variable))
            return
        frames = _frames_of(one)
        if not 1 <= len(frames) <= 2:
            raise AssemblyError(
                repr(one),
                f"acts on {len(frames)} frames.",
                "Use forces on one frame, or between two.",
            )
        made = ElementForce() if len(frames) == 1 else ElementForceOn2()
        part = _with(made, PartContent(one, frames))
        self._name(part, f"{frames[0].name}_load")
        for k, at in enumerate(frames):
            self._at(at, part.__dict__[f"frame_{k + 1}"])

    # --- loops ---------------------------------------------------------------------------

    def _add_chord(self, chord: Chord) -> None:
        frames = [*{id(one): one for one in chord.frames if id(one) in self.ports}.values()]
        if isinstance(chord, ScalarChord):
            if isinstance(chord.offset, StateVariable):
                raise AssemblyError(
                    repr(chord),
                    f"measures against the variable {chord.offset!r}.",
                    "Give a number, or move the frame by a joint of this variable.",
                )
            if any(term.base_branch is ChordBranch.NONE for term in chord.terms):
                frames = [one for one in frames if one is not self.root]
                frames.append(self.root)
        if len(frames) > MOST_FRAMES + 1 or len(frames) < 2:
            raise AssemblyError(
                repr(chord), f"connects {len(frames)} frames.", "Give two to four."
            )
        part = _with(CONDITIONS[len(frames)](), PartContent(chord, frames, self.root.X))
        self._name(part, f"{frames[0].name}_chord")
        for k, at in enumerate(frames):
            self._at(at, part.__dict__[f"frame_{k + 1}"])


# --- what a chain consists of -------------------------------------------------------------


def _elements_of(one: Element) -> Iterator[Element]:
    """Yield elements in the order in which motion passes through them, without chains."""
    if isinstance(one, MapChain):
        for inner in one.elements:
            yield from _elements_of(inner)
    elif isinstance(one, ConstraintSolver):
        yield from _elements_of(one.dependent)
    else:
        yield one


def _solvers_of(one: Element) -> Iterator[ConstraintSolver]:
    """Yield the solvers of a chain, also those within others."""
    if isinstance(one, MapChain):
        for inner in one.elements:
            yield from _solvers_of(inner)
    elif isinstance(one, ConstraintSolver):
        yield from _solvers_of(one.dependent)
        yield one


def _driven_by(one: Element) -> Sequence[StateVariable]:
    return one.variables if isinstance(one, (PrescribedMotion, ConstantStepDriver)) else ()


def _loads(one: Element) -> StateVariable | None:
    """Return the variable that a drive or a spring acts on; None of a force on frames."""
    if isinstance(one, Drive):
        return one.variable
    if isinstance(one, LinearSpringDamper) and not isinstance(one.on, ScalarChord):
        return one.variable
    return None


def _frames_of(one: ForceElement) -> list[Frame]:
    """Return the frames that a force acts on, each once."""
    states = [*one.inputs]
    if isinstance(one, LinearSpringDamper) and isinstance(one.on, ScalarChord):
        states += one.on.frames
    return [s for s in unique(states) if isinstance(s, Frame)]


def _is_turned(R: Matrix) -> bool:
    return R is not IDENTITY and list(map(float, R.entries)) != list(
        map(float, IDENTITY.entries)
    )


def _start(value: Scalar, is_free: bool) -> Start:
    """Return the start of a coordinate: where it is, to be kept if it is free."""
    number = float(value)
    return Start(number, True) if is_free else guess(number)
