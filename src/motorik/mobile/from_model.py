"""The mechanism of a model as a chain: its tree as joints, links and masses, loops by chords."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np

from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.vector import ZERO, Vector, X, Y, Z
from motorik.components.base.ports import Port
from motorik.elements.joint import Joint
from motorik.errors import AssemblyError
from motorik.immutable import immutable
from motorik.mobile.chords.plane_plane import ChordPlanePlane
from motorik.mobile.chords.point_plane import ChordPointPlane
from motorik.mobile.chords.scalar import ScalarChord
from motorik.mobile.dynamics.mechanical_system import MechanicalSystem
from motorik.mobile.elements.chain import MapChain
from motorik.mobile.elements.joint_element import JointElement, speeds_are_rates
from motorik.mobile.elements.link import RigidLink
from motorik.mobile.elements.mass import MassElement
from motorik.mobile.program import write_program
from motorik.mobile.solvers.implicit_solver import ImplicitConstraintSolver
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.transmission import Subtask
from motorik.mobile.states.variable import StateVariable, kind_for
from motorik.topology.mechanism import Closure, Link, Mechanism

STEP = 1e-6
"""By which variables are moved to see how the measures of loops depend on them [rad, m]."""
FULL = 1e-6
"""The share of the largest pivot below which a measure follows from the others."""


class ModelLike(Protocol):
    """A model, which can be compiled and started."""

    def compile(self) -> Any:
        """Return the compiled model."""

    def simulator(self) -> Any:
        """Return a simulator at the start of a run."""


@immutable
class ModelChain:
    """The chain of a model, its system, and the parts that a chain cannot express.

    `left_out` are names of parts with the reason: forces, drive lines, signals.
    """

    chain: MapChain
    system: MechanicalSystem
    frames: Mapping[str, Frame]
    variables: Mapping[str, StateVariable]
    left_out: Mapping[str, str]

    def program(self, title: str = "") -> str:
        """Return the source of a MOBILE program; its docstring lists what is left out."""
        said = title or "The mechanism of a model"
        if self.left_out:
            lines = [f"    {part}: {reason}" for part, reason in self.left_out.items()]
            said = "\n".join([f"{said}, as a chain.", "", "Left out are", "", *lines])
        return write_program(self.chain, self.system, said)


def chain_of_model(model: ModelLike) -> ModelChain:
    """Return the mechanism of a model as a chain, at the start of its runs.

    Joints of its spanning tree become joints, whose variables are the states and other
    coordinates of
    the model by name, bodies become masses. Loops are closed by an `ImplicitConstraintSolver`:
    scalar chords at the cut joints, as many as there are dependent coordinates. Gravity is that
    of the world. Springs, drive lines and signals have no counterpart: `left_out` names them.
    """
    return _Making(model).made()


class _Making:
    """The making of one chain."""

    def __init__(self, model: ModelLike) -> None:
        self.mechanism: Mechanism = model.compile().mechanism
        self.start = model.simulator()
        self.world = Frame("world")
        self.frames: dict[int, Frame] = {-1: self.world}
        self.named: dict[str, Frame] = {"world": self.world}
        self.variables: dict[str, StateVariable] = {}
        self.moving = MapChain()

    def made(self) -> ModelChain:
        """Return the chain, its system and all that is left out."""
        for link in self.mechanism.links:
            self._add_link(link)
        chain = MapChain()
        unknowns = [
            one
            for name, one in self.variables.items()
            if name not in self.start.state_names
        ]
        chords = [c for one in self.mechanism.closures for c in self._close(one)]
        unknowns += [one for n, one in self.variables.items() if n.startswith("cut ")]
        unknowns = list({id(one): one for one in unknowns}.values())
        if chords:
            chosen = self._independent(chords, unknowns)
            chain << ImplicitConstraintSolver(chosen, unknowns, self.moving)
        else:
            for element in self.moving.elements:
                chain << element
        for link in self.mechanism.links:
            if (mass := self._mass(link)) is not None:
                chain << mass
        free = [v for v in self.variables.values() if all(v is not u for u in unknowns)]
        g = self.mechanism.gravity.uniform if self.mechanism.gravity else None
        if g is None or not float(g.norm()):
            system = MechanicalSystem(free, chain)
        else:
            size = float(g.norm())
            system = MechanicalSystem(free, chain, self.world, -1.0 / size * g, g=size)
        left_out = dict(self._left_out())
        return ModelChain(chain, system, self.named, self.variables, left_out)

    # --- the tree ------------------------------------------------------------------------

    def _at(self, link: int, pose: Pose, name: str) -> Frame:
        """Return a frame fixed to a link."""
        carrier = self.frames[link]
        if _is_same(pose, IDENTITY_POSE):
            return carrier
        frame = self.named[name] = Frame(name)
        r = _vector(pose.p)
        R = Matrix(*map(float, pose.R.entries))
        if _is_same(Pose(R), IDENTITY_POSE):
            self.moving << RigidLink(carrier, frame, r)
        else:
            self.moving << RigidLink(carrier, frame, r, R)
        return frame

    def _add_link(self, link: Link) -> None:
        name = _identifier(link.part) + (
            "" if link.part not in self.named else f"_{link.index}"
        )
        a = self._at(link.parent, link.X_pj, f"{name}_a")
        b = self.frames[link.index] = self.named[name] = Frame(name)
        own = [self.mechanism.coordinates[k].name for k in link.q]
        self._add_joint(a, b, link.joint, own, link.part)

    def _add_joint(
        self,
        a: Frame,
        b: Frame,
        joint: Joint,
        names: list[str],
        part: str,
        prefix: str = "",
    ) -> None:
        if not speeds_are_rates(joint):
            raise AssemblyError(
                part,
                "moves by a quaternion, which a chain of variables does not have.",
                "Use angles as states: useQuaternions=False, or a joint of angles.",
            )
        variables = []
        for coordinate, name in zip(joint.coordinates, names, strict=True):
            q, qd = self._state(name)
            variable = kind_for(coordinate)(_identifier(name), q, qd)
            self.variables[f"{prefix}{name}"] = variable
            variables.append(variable)
        self.moving << JointElement(a, b, joint, variables)

    def _state(self, name: str) -> tuple[float, float]:
        """Return a coordinate and its rate at the start."""
        part, _, coordinate = name.rpartition(".")
        speeds = {"phi": "w", "s": "v"}
        rate = speeds.get(coordinate, f"der({coordinate})")
        q, qd = (float(self.start[one]) for one in (name, f"{part}.{rate}"))
        return q, qd

    def _mass(self, link: Link) -> MassElement | None:
        inertia = link.inertia
        m = float(inertia.M.xx)
        J = Symmetric(*map(float, inertia.J.entries))
        if m == 0.0 and not any(J.entries):
            return None
        H = [float(x) for x in inertia.H.entries]
        r = Vector(H[7] - H[5], H[2] - H[6], H[3] - H[1]) * (0.5 / m) if m else ZERO
        x, y, z = map(float, r.xyz)
        square = np.dot([x, y, z], [x, y, z]) * np.eye(3) - np.outer([x, y, z], [x, y, z])
        I = np.array(J.full().entries, dtype=float).reshape(3, 3) - m * square
        return MassElement(self.frames[link.index], m, r, I.tolist())

    # --- loops ---------------------------------------------------------------------------

    def _close(self, closure: Closure) -> Iterator[ScalarChord]:
        """Yield the measures of a loop, more than it needs: of place, then of orientation."""
        if closure.edge is None or len(closure.ends) != 2:
            raise AssemblyError(
                closure.part,
                "closes a loop by a constraint that chords do not express.",
                "Use joints in the loop.",
            )
        name = _identifier(closure.part)
        first, last = (
            self._at(end.link, end.X, f"{name}_{side}")
            for end, side in zip(closure.ends, "ab", strict=True)
        )
        edge = closure.edge
        cut = self.named[f"{name}_cut"] = Frame(f"{name}_cut")
        names = [f"{closure.part}.{one}" for one in edge.names]
        self._add_joint(first, cut, edge.joint, names, closure.part, "cut ")
        for normal in (X, Y, Z):
            yield ChordPointPlane(cut, last, 0.0, normal)
        for one, other in ((X, Y), (Y, Z), (Z, X)):
            yield ChordPlanePlane(cut, last, 0.0, one, other)

    def _independent(
        self, chords: list[ScalarChord], unknowns: list[StateVariable]
    ) -> list[ScalarChord]:
        """Return as many measures as there are unknowns that determine these."""
        columns = []
        for unknown in unknowns:
            q = unknown.q
            sides = []
            for sign in (1.0, -1.0):
                unknown.q = q + sign * STEP
                sides.append(self._measured(chords))
            unknown.q = q
            columns.append((sides[0] - sides[1]) / (2.0 * STEP))
        rows = np.array(columns).T
        largest = np.linalg.norm(rows, axis=1).max()
        chosen: list[int] = []
        rest = rows.copy()
        while len(chosen) < len(unknowns):
            sizes = np.linalg.norm(rest, axis=1)
            k = int(np.argmax(sizes))
            if sizes[k] <= FULL * largest:
                raise AssemblyError(
                    self.mechanism.name,
                    f"its loops determine {len(chosen)} of {len(unknowns)} coordinates.",
                    "Move it away from a singular pose, or make more coordinates states.",
                )
            chosen.append(k)
            direction = rest[k] / sizes[k]
            rest -= np.outer(rest @ direction, direction)
        self.moving.motion()
        return [chords[k] for k in sorted(chosen)]

    def _measured(self, chords: list[ScalarChord]) -> np.ndarray:
        self.moving.motion(Subtask.POSITION)
        for chord in chords:
            chord.measure(Subtask.POSITION)
        return np.array([float(chord.state.q) for chord in chords])

    # --- what a chain has not ------------------------------------------------------------

    def _left_out(self) -> Iterator[tuple[str, str]]:
        mechanism = self.mechanism
        for link in mechanism.links:
            if float(link.armature):
                yield link.part, "the inertia of rotors on its axis"
        for group, reason in (
            (mechanism.forces, "a force between frames"),
            (mechanism.lines, "a force in a drive line"),
            (mechanism.line_masses, "an inertia in a drive line"),
            (mechanism.relations, "a gear or a prescribed motion"),
            (mechanism.coupled_masses, "a mass between two bodies"),
            (mechanism.measures, "a sensor"),
        ):
            for one in group:
                yield _part_of(one), reason


def _part_of(contribution: object) -> str:
    """Return the part that a contribution is of: that of its ports."""
    part = getattr(contribution, "part", None)
    if isinstance(part, str) and part:
        return part
    names = getattr(type(contribution), "__slots__", ()) or vars(contribution)
    values = (getattr(contribution, name, None) for name in names)
    ports = [port for port in values if isinstance(port, Port)]
    return ports[0].label.rpartition(".")[0] if ports else type(contribution).__name__


def _identifier(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name).strip("_")


def _vector(r: Vector) -> Vector:
    return Vector(*map(float, r.xyz))


def _is_same(a: Pose, b: Pose) -> bool:
    return [float(x) for x in (*a.R.entries, *a.p.xyz)] == [
        float(x) for x in (*b.R.entries, *b.p.xyz)
    ]
