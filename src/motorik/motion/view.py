"""MotionView: any quantity of a moving mechanism, computed only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property
from math import tau
from types import SimpleNamespace
from typing import Any, cast

from motorik.algebra.angle import Angle
from motorik.algebra.dyad import body_force
from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, floor
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base.contributions import FrameForce, Ground, JointBetween, Mass
from motorik.components.base.part import Part
from motorik.components.base.ports import Port
from motorik.dynamics.articulated import AtOnce, Caller, outward
from motorik.elements.joint import Joint, combine
from motorik.errors import UnknownNameError, suggest
from motorik.motion import lines
from motorik.motion.reactions import (
    components_along,
    forces_of_closure,
    multiplier_numbers,
)
from motorik.motion.signal_rates import signal_rate
from motorik.topology.mechanism import WORLD, Closure, Link, MasslessLink, Mechanism, Placed
from motorik.topology.signals import SignalValues

References = Mapping[tuple[Part, str], Callable[["MotionView"], Scalar]]
"""About what the angles of joints that close loops are, by part and name: counts full turns."""

Consumer = MasslessLink | Mass | tuple[FrameForce | Closure, int]
"""What takes force from a node; of a force law or a closed loop one of its ends."""

LinkMotion = tuple[Pose, tuple[Motor, ...], Motor, Motor, Motor]
"""Pose X in the parent, screws S, velocity V, acceleration c and force b that it brings."""

Quantity = Scalar | Vector | Matrix | Symmetric | tuple[Scalar, ...]
"""The value of a variable."""


class MotionView:
    """The motion of a mechanism at given time, coordinates, speeds and their rates.

    Frames are asked for by port; velocities, accelerations and forces are motors resolved in
    the frame itself, about its origin. Scalars may be numbers, arrays or symbols.
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
    ) -> None:
        self.mechanism = mechanism
        self.tape: Caller = tape or AtOnce()
        self.references: References = references or {}
        self.q, self.u, self.ud, self.t, self.z = q, u, ud, t, z
        self.multipliers = multipliers
        self.tables: list[dict[Any, Any]] = []
        self._poses: dict[int, Pose] = self.table()
        self._motions: dict[int, LinkMotion] = self.table()
        self._accelerations: dict[int, Motor] = self.table()
        self._loads: dict[Port, Motor] = self.table()
        self._frame_forces: dict[int, tuple[Motor, ...]] = self.table()

    def table(self) -> dict[Any, Any]:
        """Return a new table of quantities that are computed once, one of `tables`.

        Entries are only added; a value may be replaced by one that means the same.
        """
        self.tables.append({})
        return self.tables[-1]

    # --- links -----------------------------------------------------------------------------

    def link_motion(self, link: Link) -> LinkMotion:
        """Return pose in the parent, screws, velocity and what it brings about, of a link.

        That is an acceleration c, and a force b (`outward`).
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

    def _pose_of_link(self, index: int) -> Pose:
        if index == WORLD:
            return Pose()
        for at in self._way_to(self.mechanism.links[index], self._poses):
            X_p = Pose() if at.parent == WORLD else self._poses[at.parent]
            q = tuple(self.q[k] for k in at.q)
            self._poses[at.index] = self.tape.call(pose_step, X_p, at.X_pj, at.joint, q)
        return self._poses[index]

    def _acceleration_of_link(self, index: int) -> Motor:
        if index == WORLD:
            return ZERO_MOTOR
        assert self.ud is not None, "accelerations need the rates of the speeds"
        for at in self._way_to(self.mechanism.links[index], self._accelerations):
            X, S, _, c, _ = self.link_motion(at)
            A_p = ZERO_MOTOR if at.parent == WORLD else self._accelerations[at.parent]
            rates = tuple(self.ud[k] for k in at.u)
            A = self.tape.call(acceleration_step, X, S, c, A_p, rates)
            self._accelerations[at.index] = A
        return self._accelerations[index]

    # --- frames ----------------------------------------------------------------------------

    def _placed(self, port: Port) -> Placed:
        return self.mechanism.nodes[self.mechanism.inventory.node(port)]

    def pose(self, port: Port) -> Pose:
        """Return the pose of a frame in the world."""
        place = self._placed(port)
        return self._pose_of_link(place.link) @ place.X

    def velocity(self, port: Port) -> Motor:
        """Return the velocity motor (ω, v) of a frame, resolved in it."""
        return self.velocity_at(self._placed(port))

    def velocity_at(self, place: Placed) -> Motor:
        """Return the velocity motor of a place on a link, resolved in its frame."""
        if place.link == WORLD:
            return ZERO_MOTOR
        return place.X.back(self.link_motion(self.mechanism.links[place.link])[2])

    def signal(self, port: Port) -> Scalar:
        """Return the value of a signal."""
        return self._signals[port]

    def signal_rate(self, port: Port) -> Scalar:
        """Return the time derivative of a signal."""
        return signal_rate(self, port)

    @cached_property
    def _signals(self) -> SignalValues:
        values = self.mechanism.signals.evaluate(self, self.z, self.t)
        self.tables.append(values.known)
        return values

    def acceleration(self, port: Port) -> Motor:
        """Return the rates of the components of a frame's velocity motor, in the frame."""
        place = self._placed(port)
        return place.X.back(self._acceleration_of_link(place.link))

    def velocity_0(self, port: Port) -> Vector:
        """Return the velocity of a frame's origin, resolved in the world [m/s]."""
        return self.pose(port).R @ self.velocity(port).moment

    def acceleration_0(self, port: Port) -> Vector:
        """Return the acceleration of a frame's origin, resolved in the world [m/s²]."""
        V, A = self.velocity(port), self.acceleration(port)
        return self.pose(port).R @ (A.moment + V.resultant.cross(V.moment))

    def relative(self, a: Port, b: Port) -> tuple[Pose, Motor]:
        """Return pose and velocity of frame b against frame a, the velocity resolved in b."""
        X_ab = self.pose(a).inverse() @ self.pose(b)
        return X_ab, self.velocity(b) - X_ab.back(self.velocity(a))

    def relative_acceleration(self, a: Port, b: Port) -> tuple[Pose, Motor, Motor]:
        """Return pose, velocity and the rates of its components, of frame b against frame a."""
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
                "Ask for kinetic_energy only.",
                value="potential",
            )
        return potential(r)

    @cached_property
    def _consumers(self) -> dict[Port, list[Consumer]]:
        table: dict[Port, list[Consumer]] = {}
        for branch in self.mechanism.branches:
            table.setdefault(branch.near_node, []).append(branch)
        node = self.mechanism.inventory.node
        for mass in self.mechanism.masses:
            table.setdefault(node(mass.frame), []).append(mass)
        for force in self.mechanism.forces:
            for k, port in enumerate(force.frames):
                table.setdefault(node(port), []).append((force, k))
        for closure in self.mechanism.closures:
            for k, end in enumerate(closure.nodes):
                table.setdefault(end, []).append((closure, k))
        return table

    def _crossing(self, branch: MasslessLink) -> Pose:
        """Return the pose of the far node seen from the near node of a branch."""
        if branch.X is not None:
            return branch.X
        near, far = (
            self.mechanism.nodes[branch.near_node],
            self.mechanism.nodes[branch.far_node],
        )
        link = self.mechanism.links[far.link]
        X = link.X_pj @ link.joint.pose(*(self.q[k] for k in link.q))
        return near.X.inverse() @ X @ far.X

    def load(self, node: Port) -> Motor:
        """Return the force motor that everything beyond a node takes from it, in its frame."""
        order = [node]
        for at in order:
            if at not in self._loads:
                branches = (
                    c for c in self._consumers.get(at, ()) if isinstance(c, MasslessLink)
                )
                order += [branch.far_node for branch in branches]
        for at in reversed(order):
            if at in self._loads:
                continue
            total = ZERO_MOTOR
            for consumer in self._consumers.get(at, ()):
                if isinstance(consumer, MasslessLink):
                    total = total + self._crossing(consumer)(self._loads[consumer.far_node])
                elif isinstance(consumer, tuple):
                    total = total - self._given_by(*consumer)
                else:
                    total = total + self._mass_force(consumer)
            self._loads[at] = total
        return self._loads[node]

    def _given_by(self, source: FrameForce | Closure, end: int) -> Motor:
        """Return the force motor that a force law or a closed loop gives the body at an end."""
        if isinstance(source, FrameForce):
            return self.frame_forces(source)[end]
        return self.closure_forces(source)[end]

    def closure_forces(self, closure: Closure) -> tuple[Motor, ...]:
        """Return the force motors on the bodies at the ends of a closed loop.

        Fₑ = Σ λᵢ ∂aᵢ/∂Vₑ, resolved in the frame of the end, from the multipliers λ.
        """
        key = id(closure)
        if key not in self._frame_forces:
            assert self.multipliers is not None, "forces in loops need multipliers"
            first = self._first_rows[key]
            self._frame_forces[key] = forces_of_closure(
                closure,
                [
                    self.mechanism.pose_from(closure.base, end, self.q)
                    for end in closure.ends
                ],
                [self.flange(port)[0] for port in closure.flanges],
                [self.multipliers[k] for k in first],
            )
        return self._frame_forces[key]

    @cached_property
    def _first_rows(self) -> dict[int, list[int]]:
        rows = multiplier_numbers(self.mechanism)
        closures = zip(self.mechanism.closures, rows, strict=True)
        return {id(closure): own for closure, own in closures}

    def _ports_within(self, port: Port) -> list[Port]:
        """Return the ports of parts in a model that are connected to a port of the model."""
        joined = self.mechanism.joined_in(port.owner)
        inside, rest = {port}, [port]
        while rest:
            new = [other for other in joined.get(rest.pop(), ()) if other not in inside]
            inside.update(new)
            rest += new
        within = (other for other in inside if other.owner is not port.owner)
        return sorted(within, key=lambda other: other.path)

    def _mass_force(self, mass: Mass) -> Motor:
        V, A = self.velocity(mass.frame), self.acceleration(mass.frame)
        X = self.pose(mass.frame)
        m = mass.inertia.mass()
        g = X.R.T @ self.gravity(X(mass.inertia.first_moment() / m))
        weight = mass.inertia(Motor(ZERO, g))
        return cast(Motor, body_force(mass.inertia, V, A)) - weight

    def reaction_at(self, port: Port) -> Motor:
        """Return the force motor (f, t) on a part at its port, resolved in the frame."""
        if port.owner.is_model:
            return sum(
                (self.reaction_at(inner) for inner in self._ports_within(port)), ZERO_MOTOR
            )
        found: list[Motor] = []
        for taken in self.mechanism.taken_at(port):
            if isinstance(taken, MasslessLink):
                beyond = self.load(taken.far_node)
                found.append(
                    self._crossing(taken)(beyond) if taken.near is port else -beyond
                )
            elif isinstance(taken, Mass):
                return self._mass_force(taken)
            elif isinstance(taken, Ground):
                return -self.load(self.mechanism.inventory.node(port))
            else:
                found.append(-self._given_by(*taken))
        return sum(found, ZERO_MOTOR)

    # --- coordinates and flanges -----------------------------------------------------------

    def _cut(self, part: Part) -> JointBetween:
        closure = self.mechanism.cut_of_part(part)
        if closure is None or closure.edge is None:
            raise UnknownNameError(part.path, "is not a joint.", "", value=part)
        return closure.edge

    def coordinate(self, part: Part, name: str) -> Scalar:
        """Return a coordinate of a joint.

        An angle of one that closes a loop is within half a turn of its reference, where there
        is one, else in (−π, π].
        """
        link = self.mechanism.link_of_part(part)
        if link is not None:
            return radians(self.q[link.q[self._names(link)[0].index(name)]])
        edge = self._cut(part)
        X_ab, _ = self._across(edge)
        value = edge.joint.fit(X_ab)[edge.names.index(name)]
        near = self.near(part, name)
        return value if near is None else value + tau * floor((near - value) / tau + 0.5)

    def near(self, part: Part, name: str) -> Scalar | None:
        """Return about what the angle of a joint that closes a loop is, if that is known."""
        reference = self.references.get((part, name))
        return None if reference is None else reference(self)

    def speed(self, part: Part, name: str) -> Scalar:
        """Return a speed of a joint."""
        link = self.mechanism.link_of_part(part)
        if link is not None:
            return self.u[link.u[self._names(link)[1].index(name)]]
        edge = self._cut(part)
        X_ab, V = self._across(edge)
        S = edge.joint.screws(*edge.joint.fit(X_ab))
        return components_along(S, V)[edge.speed_names.index(name)]

    def acceleration_of(self, part: Part, name: str) -> Scalar:
        """Return the rate of a speed of a joint."""
        link = self.mechanism.link_of_part(part)
        assert self.ud is not None
        if link is not None:
            return self.ud[link.u[self._names(link)[1].index(name)]]
        edge = self._cut(part)
        X_ab, V, A = self.relative_acceleration(edge.frame_a, edge.frame_b)
        q = edge.joint.fit(X_ab)
        S = edge.joint.screws(*q)
        u = components_along(S, V)
        rates = components_along(S, A - edge.joint.bias(q, u))
        return rates[edge.speed_names.index(name)]

    def _across(self, edge: JointBetween) -> tuple[Pose, Motor]:
        """Return pose and velocity of a joint's frame b against its frame a."""
        return self.relative(edge.frame_a, edge.frame_b)

    def _names(self, link: Link) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if link.edge is not None:
            return link.edge.names, link.edge.speed_names
        assert link.own is not None
        return (link.own.names[0],), (link.own.names[1],)

    def coordinates(self, part: Part, name: str) -> tuple[Scalar, ...]:
        """Return the coordinates name[1], name[2], … of a part, none if they are no states."""
        own = self.mechanism.coordinates_named(f"{part.path}.{name}")
        return tuple(self.q[k] for k in own)

    def drive(self, part: Part) -> Scalar:
        """Return the generalised force on the one freedom of a joint, from its flanges."""
        link = self.mechanism.link_of_part(part)
        return 0.0 if link is None else lines.axis_force(self, link)

    def flange(self, port: Port) -> tuple[Scalar, Scalar]:
        """Return position and speed of a flange."""
        return lines.flange_state(self, port)

    def flange_acceleration(self, port: Port) -> Scalar:
        """Return the acceleration of a flange."""
        return lines.flange_acceleration(self, port)

    def flange_force(self, port: Port) -> Scalar:
        """Return the force or torque on a part at its flange.

        What says where a flange is takes what the force laws connected to it leave.
        """
        return lines.flange_force(self, port)

    @cached_property
    def generalised_forces(self) -> list[Scalar]:
        """The generalised forces of all springs, dampers and loads on flanges."""
        return lines.line_forces(self.mechanism, self.q, self.u, self.tape, self.signal)

    @cached_property
    def link_loads(self) -> list[Motor] | None:
        """The force motors on the links by forces on frames, None without any."""
        if not self.mechanism.forces:
            return None
        loads = [ZERO_MOTOR] * len(self.mechanism.links)
        for force in self.mechanism.forces:
            for port, load in zip(force.frames, self.frame_forces(force), strict=True):
                place = self._placed(port)
                if place.link != WORLD:
                    loads[place.link] = loads[place.link] + place.X(load)
        return loads

    def frame_forces(self, force: FrameForce) -> tuple[Motor, ...]:
        """Return the force motors on bodies at the frames of a force law."""
        key = id(force)
        if key not in self._frame_forces:
            motions = [(self.pose(port), self.velocity(port)) for port in force.frames]
            given = [self.signal(port) for port in force.signals]
            given += [self.coordinate(force.part, name) for name in force.coordinates]
            names = tuple(sorted(vars(force.p)))
            values = tuple(getattr(force.p, name) for name in names)
            self._frame_forces[key] = self.tape.apply(
                apply_frame_law, force.law, names, values, self.t, tuple(motions), *given
            )
        return self._frame_forces[key]

    # --- variables by name -----------------------------------------------------------------

    def variable(self, part: Part, name: str) -> Quantity:
        """Return a variable of a part."""
        variables = part.variables(self.mechanism.inventory.parameters_of(part))
        if name not in variables:
            raise UnknownNameError(
                part.path, f"has no {name!r}.", suggest(name, variables), value=name
            )
        return variables[name].value(self)


def apply_frame_law(
    law: Callable[..., tuple[Motor, ...]],
    names: tuple[str, ...],
    values: tuple[object, ...],
    t: Scalar,
    motions: tuple[tuple[Pose, Motor], ...],
    *given: Scalar,
) -> tuple[Motor, ...]:
    """Return the force motors of a law on frames."""
    p = SimpleNamespace(**dict(zip(names, values, strict=True)))
    return tuple(law(p, t, list(motions), *given))


def pose_step(X_p: Pose, X_pj: Pose, joint: Joint, q: tuple[Scalar, ...]) -> Pose:
    """Return the pose of a link in the world."""
    return X_p @ (X_pj @ joint.pose(*q))


def acceleration_step(
    X: Pose, S: tuple[Motor, ...], c: Motor, A_p: Motor, rates: tuple[Scalar, ...]
) -> Motor:
    """Return the acceleration of a link from that of its parent and the rates of its speeds."""
    return X.back(A_p) + c + combine(S, rates)


def radians(value: Scalar) -> Scalar:
    """Return the value of an angle that carries its sine and cosine, or a scalar itself."""
    return value.radians if isinstance(value, Angle) else value
