"""MotionView: any quantity of a moving mechanism, computed on demand."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property
from math import tau
from typing import TYPE_CHECKING, Any

from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar, floor
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import FrameForce, JointBetween
from motorik.components.base.part import Part, Values
from motorik.components.base.ports import Port
from motorik.dynamics.articulated import AtOnce, Caller, outward
from motorik.elements.constraint import Constraint
from motorik.errors import MissingAccelerationsError, UnknownNameError, suggest
from motorik.motion import drive_lines
from motorik.motion.loads import Loads, components_along
from motorik.motion.steps import acceleration_step, pose_step, radians
from motorik.topology.mechanism import WORLD, Closure, Link, Mechanism, NodePose
from motorik.topology.signals import SignalValues

if TYPE_CHECKING:
    from motorik.equations.ordering import OrderedValues

# --- coordinates, speeds and accelerations of joints --------------------------------------


def _cut(motion: MotionView, part: Part) -> JointBetween:
    closure = motion.mechanism.cut_of_part(part)
    if closure is None or closure.edge is None:
        raise UnknownNameError(part.path, "is not a joint.", "", value=part)
    return closure.edge


def joint_coordinate(motion: MotionView, part: Part, name: str) -> Scalar:
    """Return a coordinate of a joint.

    An angle of a cut joint is within half a turn of its reference, if there is one, else in
    (−π, π].
    """
    link = motion.mechanism.link_of_part(part)
    if link is not None:
        return radians(motion.q[link.q[_names(link)[0].index(name)]])
    edge = _cut(motion, part)
    X_ab, _ = motion.relative(edge.frame_a, edge.frame_b)
    value = edge.joint.fit(X_ab)[edge.names.index(name)]
    near = motion.near(part, name)
    return value if near is None else value + tau * floor((near - value) / tau + 0.5)


def joint_speed(motion: MotionView, part: Part, name: str) -> Scalar:
    """Return a speed of a joint."""
    link = motion.mechanism.link_of_part(part)
    if link is not None:
        return motion.u[link.u[_names(link)[1].index(name)]]
    edge = _cut(motion, part)
    X_ab, V = motion.relative(edge.frame_a, edge.frame_b)
    S = edge.joint.screws(*edge.joint.fit(X_ab))
    return components_along(S, V)[edge.speed_names.index(name)]


def joint_acceleration(motion: MotionView, part: Part, name: str) -> Scalar:
    """Return the rate of a speed of a joint."""
    link = motion.mechanism.link_of_part(part)
    if link is not None:
        return motion.known_rates[link.u[_names(link)[1].index(name)]]
    edge = _cut(motion, part)
    X_ab, V, A = motion.relative_acceleration(edge.frame_a, edge.frame_b)
    q = edge.joint.fit(X_ab)
    S = edge.joint.screws(*q)
    u = components_along(S, V)
    rates = components_along(S, A - edge.joint.bias(q, u))
    return rates[edge.speed_names.index(name)]


def _names(link: Link) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if link.edge is not None:
        return link.edge.names, link.edge.speed_names
    assert link.own is not None
    return (link.own.names[0],), (link.own.names[1],)


References = Mapping[tuple[Part, str], Callable[["MotionView"], Scalar]]
"""References to which the angles of cut joints are unwrapped, by part and name."""

LinkMotion = tuple[Pose, tuple[Motor, ...], Motor, Motor, Motor]
"""Pose X in the parent, screws S, velocity V, velocity-dependent acceleration c and force b."""

Quantity = Scalar | Vector | Matrix | Symmetric | tuple[Scalar, ...]
"""The value of a variable."""


class MotionView:
    """The motion of a mechanism at given time, coordinates, speeds and their rates.

    Frames are given by port; velocities, accelerations and forces are motors resolved in
    the frame itself, about its origin. Scalars may be numbers, arrays or symbols. With `is_cut`,
    sensor values that forces read before accelerations are known are tearing variables.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        ud: Sequence[Scalar] | None = None,
        t: Scalar = 0.0,
        z: Sequence[Scalar] = (),
        multipliers: Sequence[Scalar] | None = None,
        references: References | None = None,
        tape: Caller | None = None,
        is_cut: bool = False,
    ) -> None:
        self.mechanism, self.is_cut = mechanism, is_cut
        self.tape: Caller = tape or AtOnce()
        self.references: References = references or {}
        self.q, self.u, self.ud, self.t, self.z = q, u, ud, t, z
        self.multipliers = multipliers
        self.tables: list[dict[Any, Any]] = []
        self._poses: dict[int, Pose] = self.table()
        self._motions: dict[int, LinkMotion] = self.table()
        self._accelerations: dict[int, Motor] = self.table()
        self._placed: dict[int, tuple[Pose, Motor]] = {}
        self._loads = Loads(self)

    def table(self) -> dict[Any, Any]:
        """Return a new table of quantities that are computed once, one of `tables`.

        Entries are only added; a value may be replaced by an equivalent one.
        """
        self.tables.append({})
        return self.tables[-1]

    @property
    def known_rates(self) -> Sequence[Scalar]:
        """The rates of the speeds, where they are known."""
        if self.ud is None:
            raise MissingAccelerationsError(
                self.mechanism.name,
                "an acceleration is read where it is not known: a motion depends on it.",
                "Put a FirstOrder block between the signal and what it acts on.",
            )
        return self.ud

    # --- links -----------------------------------------------------------------------------

    def link_motion(self, link: Link) -> LinkMotion:
        """Return pose in the parent, screws, velocity, acceleration c and force b of a link.

        c and b are those that depend on the velocity alone (`outward`).
        """
        if link.index not in self._motions:
            for at in self._way_to(link, self._motions):
                V_p = None if at.parent == WORLD else self._motions[at.parent][2]
                q, u = tuple(self.q[k] for k in at.q), tuple(self.u[k] for k in at.u)
                given = (at.joint, at.X_pj, at.inertia, V_p, q, u)
                self._motions[at.index] = self.tape.call(outward, *given)
        return self._motions[link.index]

    def _way_to(self, link: Link, known: Container[int]) -> list[Link]:
        way: list[Link] = []
        at: Link | None = link
        while at is not None and at.index not in known:
            way.append(at)
            at = None if at.parent == WORLD else self.mechanism.links[at.parent]
        return way[::-1]

    def place_link(self, index: int, X: Pose, V: Motor) -> None:
        """Let a link be at a pose in the world and have a velocity, whatever carries it."""
        self._poses[index] = X
        self._motions[index] = X, (), V, ZERO_MOTOR, ZERO_MOTOR
        self._placed[index] = X, V

    def at_speeds(self, u: Sequence[Scalar]) -> MotionView:
        """Return the motion at other speeds and unknown accelerations, links placed as here."""
        motion = MotionView(self.mechanism, self.q, u, None, self.t, self.z)
        for index, (X, V) in self._placed.items():
            motion.place_link(index, X, V)
        return motion

    def pose_of_link(self, index: int) -> Pose:
        """Return the pose of a link in the world."""
        if index == WORLD:
            return Pose()
        for at in self._way_to(self.mechanism.links[index], self._poses):
            X_p = Pose() if at.parent == WORLD else self._poses[at.parent]
            q = tuple(self.q[k] for k in at.q)
            self._poses[at.index] = self.tape.call(pose_step, X_p, at.X_pj, at.joint, q)
        return self._poses[index]

    def velocity_of_link(self, index: int) -> Motor:
        """Return the velocity motor of a link, resolved in it."""
        return (
            ZERO_MOTOR
            if index == WORLD
            else self.link_motion(self.mechanism.links[index])[2]
        )

    def acceleration_of_link(self, index: int) -> Motor:
        """Return the rates of the components of a link's velocity motor."""
        if index == WORLD:
            return ZERO_MOTOR
        ud = self.known_rates
        for at in self._way_to(self.mechanism.links[index], self._accelerations):
            X, S, _, c, _ = self.link_motion(at)
            A_p = ZERO_MOTOR if at.parent == WORLD else self._accelerations[at.parent]
            rates = tuple(ud[k] for k in at.u)
            A = self.tape.call(acceleration_step, X, S, c, A_p, rates)
            self._accelerations[at.index] = A
        return self._accelerations[index]

    # --- frames ----------------------------------------------------------------------------

    def placed(self, port: Port) -> NodePose:
        """Return the link of a frame, and its pose in the link."""
        return self.mechanism.nodes[self.mechanism.inventory.node(port)]

    def pose(self, port: Port) -> Pose:
        """Return the pose of a frame in the world."""
        return self.pose_at(self.placed(port))

    def pose_at(self, place: NodePose) -> Pose:
        """Return the pose in the world of a frame on a link."""
        X = self.pose_of_link(place.link)
        return X if place.X is IDENTITY_POSE else X @ place.X

    def velocity(self, port: Port) -> Motor:
        """Return the velocity motor (ω, v) of a frame, resolved in it."""
        return self.velocity_at(self.placed(port))

    def velocity_at(self, place: NodePose) -> Motor:
        """Return the velocity motor of a frame on a link, resolved in it."""
        if place.link == WORLD:
            return ZERO_MOTOR
        V = self.velocity_of_link(place.link)
        return V if place.X is IDENTITY_POSE else place.X.back(V)

    def signal(self, port: Port) -> Scalar:
        """Return the value of a signal."""
        return self._signals[port]

    def state(self, part: Part, name: str) -> Scalar:
        """Return a state of a force law or block of a part."""
        network = self.mechanism.signals.network
        if network is not None and (part, name) in network.numbers:
            return self.unknown(part, name)
        return self.z[self.mechanism.signals.place_of(part, name)]

    def network_rates(self) -> list[Scalar]:
        """Return the rates of the states of the network."""
        return self._signals.network_values.rates()

    def network_point(self) -> OrderedValues:
        """Return the unknowns of the network."""
        return self._signals.network_values.values

    def network_guesses(self) -> dict[str, Scalar]:
        """Return the unknowns that Newton's method finds, by name."""
        return self._signals.network_values.searched()

    def network_searched_far(self) -> dict[str, float]:
        """Return all unknowns of nonlinear equations, by name, where the guesses are far off."""
        return self._signals.network_values.searched_far()

    def network_start_residual(self) -> list[Scalar]:
        """Return the residuals of the conditions of the network at the start."""
        return self._signals.network_values.start_residual()

    def unknown(self, part: Part, name: str) -> Scalar:
        """Return an unknown of a part written as equations, or of one of its ports."""
        return self._signals.network_values.unknown(part, name)

    def quantity(self, part: Part, name: str) -> Scalar:
        """Return a quantity that follows from the unknowns of a part written as equations."""
        return self._signals.network_values.quantity(part, name)

    def with_unknowns(self) -> MotionView:
        """Return the same motion with tearing variables for algebraic loops."""
        given = self.mechanism, self.q, self.u, self.ud, self.t, self.z, self.multipliers
        return MotionView(*given, self.references, self.tape, is_cut=True)

    def signal_rate(self, port: Port) -> Scalar:
        """Return the time derivative of a signal."""
        from motorik.motion.signal_rates import signal_rate

        return signal_rate(self, port)

    @cached_property
    def _signals(self) -> SignalValues:
        signals, readings = self.mechanism.signals, None
        if self.is_cut or (self.ud is not None and signals.unknowns):
            from motorik.motion.feedback import SolvedAlgebraicLoop, TearingVariables

            own = (
                TearingVariables(self.mechanism)
                if self.is_cut
                else SolvedAlgebraicLoop(self)
            )
            readings = own
        values = signals.evaluate(self, self.z, self.t, readings)
        self.tables.append(values.known)
        return values

    def acceleration(self, port: Port) -> Motor:
        """Return the rates of the components of a frame's velocity motor, in the frame."""
        place = self.placed(port)
        return place.X.back(self.acceleration_of_link(place.link))

    def velocity_0(self, port: Port) -> Vector:
        """Return the velocity of a frame's origin, resolved in the world [m/s]."""
        return self.pose(port).R @ self.velocity(port).moment

    def acceleration_0(self, port: Port) -> Vector:
        """Return the acceleration of a frame's origin, resolved in the world [m/s²]."""
        V, A = self.velocity(port), self.acceleration(port)
        return self.pose(port).R @ (A.moment + V.resultant.cross(V.moment))

    def relative(self, a: Port, b: Port) -> tuple[Pose, Motor]:
        """Return pose and velocity of frame b relative to frame a, the velocity resolved in b."""
        X_ab = self.pose(a).inverse() @ self.pose(b)
        return X_ab, self.velocity(b) - X_ab.back(self.velocity(a))

    def relative_acceleration(self, a: Port, b: Port) -> tuple[Pose, Motor, Motor]:
        """Return pose, velocity and the rates of its components, of frame b relative to frame a."""
        X_ab, V = self.relative(a, b)
        # A_b = X_ba A_a + V_b × V_rel + A_rel
        A = (
            self.acceleration(b)
            - X_ab.back(self.acceleration(a))
            - self.velocity(b).cross(V)
        )
        return X_ab, V, A

    # --- forces ----------------------------------------------------------------------------

    def gravity(self, r: Vector) -> Vector:
        """Return the gravity acceleration at r, resolved in the world [m/s²]."""
        return self.mechanism.gravity.acceleration(r)

    def gravity_potential(self, r: Vector) -> Scalar:
        """Return the potential of gravity at r [J/kg]."""
        potential = self.mechanism.gravity.potential
        if potential is None:
            raise UnknownNameError(
                self.mechanism.name,
                "the gravity function given by the user has no known potential.",
                "Read kinetic_energy only.",
                value="potential",
            )
        return potential(r)

    def load(self, node: Port) -> Motor:
        """Return the force motor on everything beyond a node, in its frame."""
        return self._loads.load(node)

    def closure_forces(self, closure: Closure) -> tuple[Motor, ...]:
        """Return the force motors on the bodies at the ends of a closed loop."""
        return self._loads.closure_forces(closure)

    def multipliers_of(self, constraint: Constraint) -> list[Scalar]:
        """Return the multipliers λ of the equations of a constraint, with forces λ ∂g/∂x."""
        return self._loads.multipliers_of(constraint)

    def frame_forces(self, force: FrameForce) -> tuple[Motor, ...]:
        """Return the force motors on bodies at the frames of a force law."""
        return self._loads.frame_forces(force)

    @property
    def link_loads(self) -> list[Motor] | None:
        """The force motors on the links by forces on frames, None without any."""
        return self._loads.link_loads

    def loads_by(self, forces: Sequence[FrameForce]) -> list[Motor]:
        """Return the force motors on the links by some of the forces on frames."""
        return self._loads.loads_by(forces)

    @property
    def mass_loads(self) -> list[Motor]:
        """The force motors on the links by masses on lines between two of them."""
        return self._loads.mass_loads

    def reaction_at(self, port: Port) -> Motor:
        """Return the force motor (f, t) on a part at its port, resolved in the frame."""
        return self._loads.reaction_at(port)

    # --- coordinates and flanges -----------------------------------------------------------

    def coordinate(self, part: Part, name: str) -> Scalar:
        """Return a coordinate of a joint.

        An angle of a cut joint is within half a turn of its reference, if there is one, else in
        (−π, π].
        """
        return joint_coordinate(self, part, name)

    def speed(self, part: Part, name: str) -> Scalar:
        """Return a speed of a joint."""
        return joint_speed(self, part, name)

    def acceleration_of(self, part: Part, name: str) -> Scalar:
        """Return the rate of a speed of a joint."""
        return joint_acceleration(self, part, name)

    def near(self, part: Part, name: str) -> Scalar | None:
        """Return the reference of the angle of a cut joint, if known."""
        reference = self.references.get((part, name))
        return None if reference is None else reference(self)

    def coordinates(self, part: Part, name: str) -> tuple[Scalar, ...]:
        """Return the coordinates name[1], name[2], … of a part, none if they are not states."""
        own = self.mechanism.coordinates_named(f"{part.path}.{name}")
        return tuple(self.q[k] for k in own)

    def drive(self, part: Part) -> Scalar:
        """Return the generalised force on the one freedom of a joint, from its flanges."""
        link = self.mechanism.link_of_part(part)
        return 0.0 if link is None else drive_lines.axis_force(self, link)

    def flange(self, port: Port) -> tuple[Scalar, Scalar]:
        """Return position and speed of a flange."""
        return drive_lines.flange_state(self, port)

    def flange_acceleration(self, port: Port) -> Scalar:
        """Return the acceleration of a flange."""
        return drive_lines.flange_acceleration(self, port)

    def flange_force(self, port: Port) -> Scalar:
        """Return the force or torque on a part at its flange.

        Clamps, couplings and inertias take the remainder of the force laws at the flange.
        """
        return drive_lines.flange_force(self, port)

    @cached_property
    def generalised_forces(self) -> list[Scalar]:
        """The generalised forces of all laws on flanges and along freedoms of joints."""
        return drive_lines.line_forces(
            self.mechanism, self.q, self.u, self.tape, self.signal
        )

    # --- variables by name -----------------------------------------------------------------

    def parameters_of(self, part: Part) -> Values:
        """Return the parameters of a part as scalars to compute with."""
        return self.mechanism.inventory.parameters_of(part)

    def __getitem__(self, name: str) -> Quantity:
        """Return a variable by the name that results use, e.g. motion["ram.s"]."""
        from motorik.motion.catalogue import Catalogue, position_of, ravel

        entry, index = Catalogue(self.mechanism).find(name)
        value = entry.value(self)
        if index is None:
            return value
        flat, shape = ravel(value)
        return flat[position_of(name, index, shape)]

    def variable(self, part: Part, name: str) -> Quantity:
        """Return a variable of a part."""
        variables = part.variables(self.mechanism.inventory.parameters_of(part))
        if name not in variables:
            raise UnknownNameError(
                part.path, f"has no {name!r}.", suggest(name, variables), value=name
            )
        return variables[name].value(self)
