"""MotionView: any quantity of a moving mechanism, computed only when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from motorik.algebra.dyad import body_force
from motorik.algebra.motor import NO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector
from motorik.assembly.articulated import outward
from motorik.assembly.mechanism import WORLD, Branch, Link, Mechanism
from motorik.components.contributions import LineForce
from motorik.components.part import Part
from motorik.components.ports import Port
from motorik.elements.joint import combine
from motorik.errors import UnknownNameError, suggest


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
    ) -> None:
        self.mechanism = mechanism
        self.q, self.u, self.ud, self.t = q, u, ud, t
        self._poses: dict[int, Pose] = {}
        self._motions: dict[int, tuple[Pose, Any, Motor, Motor]] = {}
        self._accelerations: dict[int, Motor] = {}
        self._loads: dict[Port, Motor] = {}

    # --- links -----------------------------------------------------------------------------

    def _motion(self, link: Link) -> tuple[Pose, Any, Motor, Motor]:
        """Return pose in the parent, screws, velocity and bias acceleration of a link."""
        for at in self._way_to(link, self._motions):
            V_p = None if at.parent == WORLD else self._motions[at.parent][2]
            q, u = [self.q[k] for k in at.q], [self.u[k] for k in at.u]
            X, S, V, c, _ = outward(at.joint, at.X_pj, at.inertia, V_p, tuple(q), tuple(u))
            self._motions[at.index] = (X, S, V, c)
        return self._motions[link.index]

    def _way_to(self, link: Link, known: dict[int, Any]) -> list[Link]:
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
            X = at.X_pj @ at.joint.pose(*(self.q[k] for k in at.q))
            self._poses[at.index] = X_p @ X
        return self._poses[index]

    def _acceleration_of_link(self, index: int) -> Motor:
        if index == WORLD:
            return NO_MOTOR
        assert self.ud is not None, "accelerations need the rates of the speeds"
        for at in self._way_to(self.mechanism.links[index], self._accelerations):
            X, S, _, c = self._motion(at)
            A_p = NO_MOTOR if at.parent == WORLD else self._accelerations[at.parent]
            A = X.back(A_p) + c + combine(S, [self.ud[k] for k in at.u])
            self._accelerations[at.index] = A
        return self._accelerations[index]

    # --- frames ----------------------------------------------------------------------------

    def _placed(self, port: Port) -> Any:
        return self.mechanism.nodes[self.mechanism.stock.node(port)]

    def pose(self, port: Port) -> Pose:
        """Return the pose of a frame in the world."""
        place = self._placed(port)
        return self._pose_of_link(place.link) @ place.X

    def velocity(self, port: Port) -> Motor:
        """Return the velocity motor (ω, v) of a frame, resolved in it."""
        place = self._placed(port)
        if place.link == WORLD:
            return NO_MOTOR
        return place.X.back(self._motion(self.mechanism.links[place.link])[2])

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
            )
        return potential(r)

    @cached_property
    def _consumers(self) -> dict[Port, list[Any]]:
        table: dict[Port, list[Any]] = {}
        for branch in self.mechanism.branches:
            table.setdefault(branch.near_node, []).append(branch)
        for mass in self.mechanism.masses:
            table.setdefault(self.mechanism.stock.node(mass.frame), []).append(mass)
        return table

    def _crossing(self, branch: Branch) -> Pose:
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
                branches = (c for c in self._consumers.get(at, ()) if isinstance(c, Branch))
                order += [branch.far_node for branch in branches]
        for at in reversed(order):
            if at in self._loads:
                continue
            total = NO_MOTOR
            for consumer in self._consumers.get(at, ()):
                if isinstance(consumer, Branch):
                    total = total + self._crossing(consumer)(self._loads[consumer.far_node])
                else:
                    total = total + self._mass_force(consumer)
            self._loads[at] = total
        return self._loads[node]

    def _ports_within(self, port: Port) -> list[Port]:
        """Return the ports of parts in a model that are connected to a port of the model."""
        inside = {port}
        grown = True
        while grown:
            grown = False
            for a, b in self.mechanism.stock.connections[port.owner]:
                if (a in inside) != (b in inside):
                    inside |= {a, b}
                    grown = True
        within = (other for other in inside if other.owner is not port.owner)
        return sorted(within, key=lambda other: other.path)

    def _mass_force(self, mass: Any) -> Motor:
        V, A = self.velocity(mass.frame), self.acceleration(mass.frame)
        X = self.pose(mass.frame)
        m = mass.inertia.mass()
        g = X.R.T @ self.gravity(X(mass.inertia.first_moment() / m))
        weight = mass.inertia(Motor(ZERO, g))
        return body_force(mass.inertia, V, A) - weight

    def cut(self, port: Port) -> Motor:
        """Return the force motor (f, t) on a part at its port, resolved in the frame."""
        node = self.mechanism.stock.node(port)
        if port.owner.is_model:
            return sum((self.cut(inner) for inner in self._ports_within(port)), NO_MOTOR)
        for branch in self.mechanism.branches:
            if branch.near is port:
                return self._crossing(branch)(self.load(branch.far_node))
            if branch.far is port:
                return -self.load(node)
        for mass in self.mechanism.masses:
            if mass.frame is port:
                return self._mass_force(mass)
        for ground in self.mechanism.stock.grounds:
            if ground.frame is port:
                return -self.load(node)
        return NO_MOTOR

    # --- coordinates and flanges -----------------------------------------------------------

    def _link_of(self, part: Part) -> Link:
        for link in self.mechanism.links:
            if link.edge is not None and link.edge.frame_a.owner is part:
                return link
        raise UnknownNameError(part.path, "is not a joint of the tree.", "")

    def coordinate(self, part: Part, name: str) -> Scalar:
        """Return a coordinate of a joint."""
        link = self._link_of(part)
        assert link.edge is not None
        return self.q[link.q[link.edge.names.index(name)]]

    def speed(self, part: Part, name: str) -> Scalar:
        """Return a speed of a joint."""
        link = self._link_of(part)
        assert link.edge is not None
        return self.u[link.u[link.edge.speed_names.index(name)]]

    def acceleration_of(self, part: Part, name: str) -> Scalar:
        """Return the rate of a speed of a joint."""
        link = self._link_of(part)
        assert link.edge is not None and self.ud is not None
        return self.ud[link.u[link.edge.speed_names.index(name)]]

    def coordinates(self, part: Part, name: str) -> tuple[Scalar, ...]:
        """Return the coordinates name[1], name[2], … of a part, none if they are no states."""
        wanted = re.compile(rf"{re.escape(f'{part.path}.{name}')}\[[0-9]+\]$")
        states = zip(self.mechanism.coordinates, self.q, strict=True)
        return tuple(x for state, x in states if wanted.match(state.name))

    def drive(self, part: Part) -> Scalar:
        """Return the generalised force on the one freedom of a joint."""
        return self.line_forces[self._link_of(part).u[0]]

    def flange(self, port: Port) -> tuple[Scalar, Scalar]:
        """Return position and speed of a flange."""
        at = self.mechanism.flanges[self.mechanism.stock.node(port)]
        if at.coordinate is None:
            return at.x, 0.0
        return flange_motion(self.mechanism, at.coordinate, self.q, self.u)

    def flange_force(self, port: Port) -> Scalar:
        """Return the force or torque on a part at its flange.

        What says where a flange is takes what the force laws connected to it leave.
        """
        if port.owner.is_model:
            within = self._ports_within(port)
            return sum((self.flange_force(inner) for inner in within), 0.0)
        node = self.mechanism.stock.node(port)
        others: Scalar = 0.0
        for line in self.mechanism.lines:
            force = self._law_force(line)
            for flange, signed in ((line.flange_a, -force), (line.flange_b, force)):
                if flange is port:
                    return signed
                if flange is not None and self.mechanism.stock.node(flange) is node:
                    others = others + signed
        return -others if self._holders.get(node) is port else 0.0

    def _law_force(self, line: LineForce) -> Scalar:
        (x_a, v_a), (x_b, v_b) = (
            (0.0, 0.0) if flange is None else self.flange(flange)
            for flange in (line.flange_a, line.flange_b)
        )
        return line.law(line.p, x_b - x_a, v_b - v_a)

    @cached_property
    def _holders(self) -> dict[Port, Port]:
        """The flange of each node that says where it is: of a joint, else of a fixed point."""
        table: dict[Port, Port] = {}
        edges = [link.edge for link in self.mechanism.links if link.edge is not None]
        held = [flange for edge in edges for flange in edge.flanges or ()]
        for flange in (*held, *(clamp.flange for clamp in self.mechanism.stock.clamps)):
            table.setdefault(self.mechanism.stock.node(flange), flange)
        return table

    @cached_property
    def line_forces(self) -> list[Scalar]:
        """The generalised forces of all springs, dampers and loads on flanges."""
        return line_forces(self.mechanism, self.q, self.u)

    # --- variables by name -----------------------------------------------------------------

    def variable(self, part: Part, name: str) -> Any:
        """Return a variable of a part."""
        variables = part.variables(self.mechanism.stock.parameters_of(part))
        if name not in variables:
            raise UnknownNameError(part.path, f"has no {name!r}.", suggest(name, variables))
        return variables[name].value(self)


def flange_motion(
    mechanism: Mechanism, speed: int, q: Sequence[Scalar], u: Sequence[Scalar]
) -> tuple[Scalar, Scalar]:
    """Return position and speed of the axis flange of the joint with this speed."""
    for link in mechanism.links:
        if speed in link.u:
            return q[link.q[speed - link.u[0]]], u[speed]
    raise IndexError(speed)


def line_forces(
    mechanism: Mechanism, q: Sequence[Scalar], u: Sequence[Scalar], tape: Any = None
) -> list[Scalar]:
    """Return the generalised forces of all force laws on flanges, one per speed."""
    tau: list[Scalar] = [0.0] * mechanism.n_u
    for line in mechanism.lines:
        ends = []
        for flange in (line.flange_a, line.flange_b):
            at = None if flange is None else mechanism.flanges[mechanism.stock.node(flange)]
            if at is None or at.coordinate is None:
                ends.append((None, 0.0 if at is None else at.x, 0.0))
            else:
                ends.append((at.coordinate, *flange_motion(mechanism, at.coordinate, q, u)))
        (a, x_a, v_a), (b, x_b, v_b) = ends
        names = tuple(sorted(vars(line.p)))
        values = tuple(getattr(line.p, name) for name in names)
        args = (line.law, names, values, x_a, v_a, x_b, v_b)
        force = apply_law(*args) if tape is None else tape.call(apply_law, *args)
        if a is not None:
            tau[a] = tau[a] + force
        if b is not None:
            tau[b] = tau[b] - force
    return tau


def apply_law(
    law: Any,
    names: tuple[str, ...],
    values: tuple[Any, ...],
    x_a: Scalar,
    v_a: Scalar,
    x_b: Scalar,
    v_b: Scalar,
) -> Scalar:
    """Return the force of a law between two flanges."""
    p = SimpleNamespace(**dict(zip(names, values, strict=True)))
    return law(p, x_b - x_a, v_b - v_a)
