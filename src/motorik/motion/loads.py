"""Loads: force motors in a moving mechanism, of laws, closures, masses and joints."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, cast

from motorik.algebra.dyad import body_force
from motorik.algebra.linear_system import solve_linear
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add, mul
from motorik.algebra.vector import AXES, ZERO, Vector
from motorik.components.base.contributions import (
    FrameForce,
    Ground,
    Mass,
    TorqueThroughBody,
)
from motorik.components.base.line_mass import LineMass
from motorik.components.base.ports import Port
from motorik.elements.constraint import Constraint
from motorik.errors import AssemblyError, MissingAccelerationsError
from motorik.motion.steps import apply_frame_law
from motorik.topology.mechanism import WORLD, Acting, Closure, MasslessLink, Mechanism

if TYPE_CHECKING:
    from motorik.motion.view import MotionView


# --- reactions of closed loops -------------------------------------------------------------


UNIT_MOTIONS = (*(Motor(e, ZERO) for e in AXES), *(Motor(ZERO, e) for e in AXES))


def multiplier_numbers(mechanism: Mechanism) -> list[list[int]]:
    """Return the numbers of the multipliers of each closure.

    Position constraints come first, closure by closure, then relations, then velocity constraints.
    """
    numbers: list[list[int]] = []
    at = 0
    for closure in mechanism.closures:
        count = len(closure.constraint.units)
        numbers.append(list(range(at, at + count)))
        at += count
    at += len(mechanism.relations)
    for own, closure in zip(numbers, mechanism.closures, strict=True):
        count = len(closure.constraint.rate_units)
        own += range(at, at + count)
        at += count
    return numbers


def forces_of_closure(
    closure: Closure,
    poses: Sequence[Pose],
    positions: Sequence[Scalar],
    multipliers: Sequence[Scalar],
) -> tuple[Motor, ...]:
    """Return the force motors on the bodies at the ends: Fₑ = Σ λᵢ ∂aᵢ/∂Vₑ.

    Each end moves along the six unit motors in turn; the rates of the constraints are the
    components of the force per multiplier.
    """
    forces = []
    for end in range(len(poses)):
        components: list[Scalar] = []
        for motion in UNIT_MOTIONS:
            velocities = [motion if k == end else ZERO_MOTOR for k in range(len(poses))]
            rates = closure.constraint.rates(poses, velocities, positions)
            total: Scalar = 0.0
            for rate, multiplier in zip(rates, multipliers, strict=True):
                total = add(total, mul(rate, multiplier))
            components.append(total)
        # power: moment times rotation, force times displacement
        forces.append(Motor(Vector(*components[3:]), Vector(*components[:3])))
    return tuple(forces)


def components_along(S: Sequence[Motor], V: Motor) -> list[Scalar]:
    """Return the components u of a motor V along screws S that span it: (SᵀS) u = SᵀV."""

    def dot(a: Motor, b: Motor) -> Scalar:
        total: Scalar = 0.0
        for x, y in zip(a.components, b.components, strict=True):
            total = add(total, mul(x, y))
        return total

    A: list[list[Scalar]] = [[dot(a, b) for b in S] for a in S]
    return solve_linear(A, [dot(a, V) for a in S]) if S else []


# --- loads of a motion ---------------------------------------------------------------------


Consumer = MasslessLink | Mass | tuple[Acting, int]
"""A contribution that takes force at a node, or one end of a force element."""


class Loads:
    """The forces of a motion, each computed on demand."""

    def __init__(self, motion: MotionView) -> None:
        self.motion = motion
        self._loads: dict[Port, Motor] = motion.table()
        self._frame_forces: dict[int, tuple[Motor, ...]] = motion.table()

    @cached_property
    def _consumers(self) -> dict[Port, list[Consumer]]:
        table: dict[Port, list[Consumer]] = {}
        for branch in self.motion.mechanism.branches:
            table.setdefault(branch.near_node, []).append(branch)
        node = self.motion.mechanism.inventory.node
        for mass in self.motion.mechanism.masses:
            table.setdefault(node(mass.frame), []).append(mass)
        mechanism = self.motion.mechanism
        passed = mechanism.inventory.passed_torques
        for force in (*mechanism.forces, *mechanism.line_masses, *passed):
            for k, port in enumerate(force.frames):
                table.setdefault(node(port), []).append((force, k))
        for closure in self.motion.mechanism.closures:
            for k, end in enumerate(closure.nodes):
                table.setdefault(end, []).append((closure, k))
        return table

    def _crossing(self, branch: MasslessLink) -> Pose:
        """Return the pose of the far node of a branch seen from the near node."""
        if branch.X is not None:
            return branch.X
        near, far = (
            self.motion.mechanism.nodes[branch.near_node],
            self.motion.mechanism.nodes[branch.far_node],
        )
        link = self.motion.mechanism.links[far.link]
        X = link.X_pj @ link.joint.pose(*(self.motion.q[k] for k in link.q))
        return near.X.inverse() @ X @ far.X

    def load(self, node: Port) -> Motor:
        """Return the force motor on everything beyond a node, in its frame."""
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

    def _given_by(self, source: Acting, end: int) -> Motor:
        """Return the force motor of a force element on the body at one of its ends."""
        if isinstance(source, FrameForce):
            return self.frame_forces(source)[end]
        if isinstance(source, LineMass):
            return self.line_mass_forces(source)[end]
        if isinstance(source, TorqueThroughBody):
            return self._passed_torque(source, end)
        return self.closure_forces(source)[end]

    def line_mass_forces(self, mass: LineMass) -> tuple[Motor, ...]:
        """Return the force motors on the bodies at the ends of a line with a mass."""
        ends = zip(mass.frames, mass.forces(self.motion), strict=True)
        return tuple(Motor(self.motion.pose(port).R.T @ f, ZERO) for port, f in ends)

    def _passed_torque(self, source: TorqueThroughBody, end: int) -> Motor:
        """Return the torque on the body at one of the frames between which it passes it on."""
        torque = source.torque(self.motion)
        if end == 0:
            return Motor(ZERO, torque)
        here, there = (self.motion.pose(port).R for port in source.frames)
        return Motor(ZERO, -(there.T @ (here @ torque)))

    def closure_forces(self, closure: Closure) -> tuple[Motor, ...]:
        """Return the force motors on the bodies at the ends of a closed loop.

        Fₑ = Σ λᵢ ∂aᵢ/∂Vₑ, resolved in the frame of the end, from the multipliers λ.
        """
        key = id(closure)
        if key not in self._frame_forces:
            if self.motion.multipliers is None:
                raise AssemblyError(
                    closure.part,
                    "its cut force is read where it is not known yet: a force depends on it, "
                    "and it closes a loop.",
                    "Measure the force at a joint outside of the loop, or put a FirstOrder "
                    "block between the sensor and what it acts on.",
                )
            first = self._first_rows[key]
            self._frame_forces[key] = forces_of_closure(
                closure,
                [
                    self.motion.mechanism.pose_from(closure.base, end, self.motion.q)
                    for end in closure.ends
                ],
                [self.motion.flange(port)[0] for port in closure.flanges],
                [self.motion.multipliers[k] for k in first],
            )
        return self._frame_forces[key]

    def multipliers_of(self, constraint: Constraint) -> list[Scalar]:
        """Return the multipliers λ of the equations of a constraint."""
        closures = self.motion.mechanism.closures
        closure = next(own for own in closures if own.constraint is constraint)
        if self.motion.multipliers is None:
            raise MissingAccelerationsError(
                closure.part,
                "its constraint force is read where it is not known yet.",
                "Put a FirstOrder block between the signal and what it acts on.",
            )
        return [self.motion.multipliers[k] for k in self._first_rows[id(closure)]]

    @cached_property
    def _first_rows(self) -> dict[int, list[int]]:
        rows = multiplier_numbers(self.motion.mechanism)
        closures = zip(self.motion.mechanism.closures, rows, strict=True)
        return {id(closure): own for closure, own in closures}

    def _mass_force(self, mass: Mass) -> Motor:
        V, A = self.motion.velocity(mass.frame), self.motion.acceleration(mass.frame)
        X = self.motion.pose(mass.frame)
        m = mass.inertia.mass()
        g = X.R.T @ self.motion.gravity(X(mass.inertia.first_moment() / m))
        weight = mass.inertia(Motor(ZERO, g))
        return cast(Motor, body_force(mass.inertia, V, A)) - weight

    def reaction_at(self, port: Port) -> Motor:
        """Return the force motor (f, t) on a part at its port, resolved in the frame."""
        if port.owner.is_model:
            inside = ports_within(self.motion.mechanism, port)
            return sum((self.reaction_at(inner) for inner in inside), ZERO_MOTOR)
        found: list[Motor] = []
        for taken in self.motion.mechanism.taken_at(port):
            if isinstance(taken, MasslessLink):
                beyond = self.load(taken.far_node)
                found.append(
                    self._crossing(taken)(beyond) if taken.near is port else -beyond
                )
            elif isinstance(taken, Mass):
                return self._mass_force(taken)
            elif isinstance(taken, Ground):
                return -self.load(self.motion.mechanism.inventory.node(port))
            else:
                found.append(-self._given_by(*taken))
        return sum(found, ZERO_MOTOR)

    def frame_forces(self, force: FrameForce) -> tuple[Motor, ...]:
        """Return the force motors on bodies at the frames of a force law."""
        key = id(force)
        if key not in self._frame_forces:
            motions = [
                (self.motion.pose(port), self.motion.velocity(port))
                for port in force.frames
            ]
            given = [self.motion.signal(port) for port in force.signals]
            given += [
                self.motion.coordinate(force.part, name) for name in force.coordinates
            ]
            names = tuple(sorted(vars(force.p)))
            values = tuple(getattr(force.p, name) for name in names)
            self._frame_forces[key] = self.motion.tape.apply(
                apply_frame_law,
                force.law,
                names,
                values,
                self.motion.t,
                tuple(motions),
                *given,
            )
        return self._frame_forces[key]

    @cached_property
    def link_loads(self) -> list[Motor] | None:
        """The force motors on the links by forces on frames, None without any."""
        forces = self.motion.mechanism.forces
        return self.loads_by(forces) if forces else None

    def loads_by(self, forces: Sequence[FrameForce]) -> list[Motor]:
        """Return the force motors on the links by some forces on frames."""
        loads = [ZERO_MOTOR] * len(self.motion.mechanism.links)
        for force in forces:
            for port, load in zip(force.frames, self.frame_forces(force), strict=True):
                place = self.motion.placed(port)
                if place.link != WORLD:
                    loads[place.link] = self.motion.tape.call(
                        add_load, loads[place.link], place.X, load
                    )
        return loads

    @cached_property
    def mass_loads(self) -> list[Motor]:
        """The force motors on the links by masses on lines between two of them."""
        loads = [ZERO_MOTOR] * len(self.motion.mechanism.links)
        for mass in self.motion.mechanism.line_masses:
            places = [self.motion.placed(port) for port in mass.frames]
            if places[0].link == places[1].link:
                continue
            for place, load in zip(places, self.line_mass_forces(mass), strict=True):
                if place.link != WORLD:
                    loads[place.link] = loads[place.link] + place.X(load)
        return loads


def add_load(total: Motor, X: Pose, load: Motor) -> Motor:
    """Return a force motor on a link, and another one at the pose X in it, together."""
    return total + X(load)


def ports_within(mechanism: Mechanism, port: Port) -> list[Port]:
    """Return the ports of parts in a model that are connected to a port of the model."""
    joined = mechanism.joined_in(port.owner)
    inside, rest = {port}, [port]
    while rest:
        new = [other for other in joined.get(rest.pop(), ()) if other not in inside]
        inside.update(new)
        rest += new
    within = (other for other in inside if other.owner is not port.owner)
    return sorted(within, key=lambda other: other.path)


# --- static equilibrium of massless links --------------------------------------------------


def unbalanced_forces(motion: MotionView) -> list[Scalar]:
    """Return the generalised force on each massless speed, in the order of `massless`.

    gᵢ = τᵢ + (Sᵢ, F), with τᵢ by flanges and F by force laws on the link and massless links on it.
    """
    mechanism = motion.mechanism
    found: dict[int, Scalar] = {}
    loads = loads_of_massless(motion)
    for index, load in loads.items():
        link = mechanism.links[index]
        screws = motion.link_motion(link)[1]
        for k, screw in zip(link.u, screws, strict=True):
            found[k] = add(motion.generalised_forces[k], screw @ load)
    return [found[k] for k in mechanism.massless]


def forces_on_massless(mechanism: Mechanism) -> list[FrameForce]:
    """Return the laws that act on frames of massless links."""

    def is_massless(port: Port) -> bool:
        index = mechanism.nodes[mechanism.inventory.node(port)].link
        return index != WORLD and mechanism.links[index].is_massless

    return [force for force in mechanism.forces if any(map(is_massless, force.frames))]


def loads_of_massless(motion: MotionView) -> dict[int, Motor]:
    """Return the force motors of all laws on each massless link and massless links on it."""
    links = motion.mechanism.links
    own = motion.loads_by(forces_on_massless(motion.mechanism))
    found: dict[int, Motor] = {}
    for link in reversed(links):
        if not link.is_massless:
            continue
        load = found.get(link.index, ZERO_MOTOR) + own[link.index]
        found[link.index] = load
        if link.parent != WORLD and links[link.parent].is_massless:
            across = motion.link_motion(link)[0](load)
            found[link.parent] = found.get(link.parent, ZERO_MOTOR) + across
    return found
