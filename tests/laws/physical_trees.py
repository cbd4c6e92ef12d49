"""Random trees as plain numbers, and the models made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

import motorik as mk
from motorik.components.base.part import Part
from motorik.components.base.ports import Port

SEQUENCES = ((1, 2, 3), (3, 1, 3), (2, 3, 1))
AXIS_LETTERS = {1: "X", 2: "Y", 3: "Z"}
FREEDOM = {
    "revolute": 1,
    "prismatic": 1,
    "screw": 1,
    "cylindrical": 2,
    "universal": 2,
    "planar": 3,
    "spherical": 3,
    "spherical angles": 3,
    "free": 6,
    "floating": 6,
    "floating angles": 6,
    "point mass": 3,
}
ROOT_KINDS = ("floating", "floating angles", "point mass")
JOINT_KINDS = tuple(kind for kind in FREEDOM if kind not in ROOT_KINDS)


@dataclass(frozen=True)
class RigidWay:
    """A rigid part from frame a to frame b; `flipped`: b is on the side of the world."""

    kind: str
    p: np.ndarray
    n: np.ndarray
    other: np.ndarray
    angles: np.ndarray
    sequence: tuple[int, int, int]
    flipped: bool

    def pose(self) -> np.ndarray:
        """Return the 4×4 pose of the far frame seen from the near one."""
        R = np.eye(3)
        if self.kind == "axis":
            R = Rotation.from_rotvec(np.radians(self.angles[0]) * self.n).as_matrix()
        elif self.kind == "two axes":
            z = np.cross(self.n, self.other)
            z /= np.linalg.norm(z)
            R = np.column_stack([self.n, np.cross(z, self.n), z])
        elif self.kind == "sequence":
            letters = "".join(AXIS_LETTERS[i] for i in self.sequence)
            R = Rotation.from_euler(letters, self.angles, degrees=True).as_matrix()
        X = np.block([[R, self.p[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])
        return np.linalg.inv(X) if self.flipped else X

    def part(self) -> Part:
        """Return it as a part."""
        r = tuple(self.p)
        if self.kind == "translation":
            return mk.FixedTranslation(r=r)
        if self.kind == "axis":
            return mk.FixedRotation(r=r, n=self.n, angle=mk.deg(float(self.angles[0])))
        if self.kind == "two axes":
            return mk.FixedRotation(
                r=r, rotationType="TwoAxesVectors", n_x=self.n, n_y=self.other
            )
        return mk.FixedRotation(
            r=r,
            rotationType="PlanarRotationSequence",
            sequence=self.sequence,
            angles=mk.deg(self.angles),
        )


@dataclass(frozen=True)
class JointKind:
    """A joint: its kind and its constants; `flipped`: frame_b is on the side of the world."""

    kind: str
    n: np.ndarray
    other: np.ndarray
    lead: float
    sequence: tuple[int, int, int]
    flipped: bool

    def part(self) -> Part:
        """Return it as a part."""
        makers: dict[str, Callable[[], Part]] = {
            "revolute": lambda: mk.Revolute(n=self.n),
            "prismatic": lambda: mk.Prismatic(n=self.n),
            "screw": lambda: mk.Screw(n=self.n, lead=self.lead),
            "cylindrical": lambda: mk.Cylindrical(n=self.n),
            "universal": lambda: mk.Universal(n_a=self.n, n_b=self.other),
            "planar": lambda: mk.Planar(n=self.n, n_x=self.other),
            "spherical": lambda: mk.Spherical(),
            "spherical angles": lambda: mk.Spherical(
                useQuaternions=False, sequence_angleStates=self.sequence
            ),
            "free": lambda: mk.FreeMotion(),
        }
        return makers[self.kind]()


@dataclass(frozen=True)
class Weight:
    """A mass with its centre c [m] and inertia I [kg·m²] about it; a point without I."""

    m: float
    c: np.ndarray
    I: np.ndarray | None
    shaped: bool = False

    def part(self, root: str = "") -> Part:
        """Return it as a part; `root` says how it floats if it does."""
        if self.I is None:
            return mk.PointMass(m=self.m)
        kind = mk.BodyShape if self.shaped else mk.Body
        return kind(
            m=self.m,
            r_CM=self.c,
            I=self.I,
            enforceStates=bool(root),
            useQuaternions=root != "floating angles",
        )


@dataclass(frozen=True)
class Limb:
    """A body, the joint that carries it (None: it floats) and the rigid ways around them."""

    parent: int
    root: str
    mount: tuple[RigidWay, ...]
    joint: JointKind | None
    tail: tuple[RigidWay, ...]
    weight: Weight
    welded: tuple[tuple[tuple[RigidWay, ...], Weight], ...]


@dataclass(frozen=True)
class PhysicalTree:
    """Limbs in a uniform gravity field g [m/s²]."""

    limbs: tuple[Limb, ...]
    g: np.ndarray

    def model(self, order: int = 0, wiring: int = 0) -> mk.Model:
        """Return the model; the seeds decide the order of its parts and how they are wired."""
        return ModelMaker(self, *map(np.random.default_rng, (order, wiring))).make()

    def state(self, names: Sequence[str], seed: int) -> tuple[np.ndarray, ...]:
        """Return coordinates by their names (unit quaternions), speeds, and their rates."""
        rng = np.random.default_rng(seed)
        n_u = sum(FREEDOM[x.joint.kind if x.joint else x.root] for x in self.limbs)
        q = np.array([_coordinate(name, rng) for name in names])
        for i, name in enumerate(names):
            if name.endswith("Q[1]"):
                q[i : i + 4] /= np.linalg.norm(q[i : i + 4])
        return q, *rng.normal(size=(2, n_u))


def _coordinate(name: str, rng: np.random.Generator) -> float:
    """Return a random coordinate; middle angles are kept where three angles are regular."""
    if name.endswith("chart"):
        return float(rng.integers(2))
    sign = 1 if name.endswith("phi[2]") else int(rng.choice([-1, 1]))
    return sign * rng.uniform(0.3, 1.2)


@dataclass
class ModelMaker:
    """Turns a physical tree into a model."""

    tree: PhysicalTree
    order: np.random.Generator
    wiring: np.random.Generator
    parts: dict[str, Part] = field(default_factory=dict)
    nodes: list[list[tuple[str, str]]] = field(default_factory=list)

    def make(self) -> mk.Model:
        """Return the model: parts assigned and ports connected in random order."""
        g = float(np.linalg.norm(self.tree.g))
        self.parts["world"] = mk.World(g=g, n=self.tree.g)
        world = [("world", "frame_b")]
        frames: list[list[tuple[str, str]]] = []
        self.nodes = [world]
        for i, limb in enumerate(self.tree.limbs):
            frames.append(
                self._add(i, limb, world if limb.parent < 0 else frames[limb.parent])
            )
        model = mk.Model()
        for k in self.order.permutation(len(self.parts)):
            name = list(self.parts)[k]
            setattr(model, name, self.parts[name])
        wires = [wire for node in self.nodes for wire in self._wires(node)]
        for k in self.wiring.permutation(len(wires)):
            a, b = (_port(model, end) for end in wires[k])
            if self.wiring.random() < 0.5:
                a, b = b, a
            a >> b
        return model

    def _add(
        self, i: int, limb: Limb, near: list[tuple[str, str]]
    ) -> list[tuple[str, str]]:
        if limb.joint is None:
            here: list[tuple[str, str]] = []
            self.nodes.append(here)
        else:
            near = self._lead(near, limb.mount, f"mount{i}")
            self.parts[f"j{i}"] = limb.joint.part()
            ends = [(f"j{i}", "frame_a"), (f"j{i}", "frame_b")]
            if limb.joint.flipped:
                ends.reverse()
            near.append(ends[0])
            here = [ends[1]]
            self.nodes.append(here)
            here = self._lead(here, limb.tail, f"tail{i}")
        self.parts[f"b{i}"] = limb.weight.part(limb.root)
        here.append((f"b{i}", "frame_a"))
        for k, (way, weight) in enumerate(limb.welded):
            end = self._lead(here, way, f"weld{i}_{k}")
            self.parts[f"b{i}_{k}"] = weight.part()
            end.append((f"b{i}_{k}", "frame_a"))
        return here

    def _lead(
        self, near: list[tuple[str, str]], ways: Sequence[RigidWay], name: str
    ) -> list[tuple[str, str]]:
        for k, way in enumerate(ways):
            self.parts[f"{name}_{k}"] = way.part()
            ends = [(f"{name}_{k}", "frame_a"), (f"{name}_{k}", "frame_b")]
            if way.flipped:
                ends.reverse()
            near.append(ends[0])
            near = [ends[1]]
            self.nodes.append(near)
        return near

    def _wires(self, node: list[tuple[str, str]]) -> Iterator[tuple]:
        """Yield connections that make one node of all its ports: a random tree over them."""
        order = [node[k] for k in self.wiring.permutation(len(node))]
        for k in range(1, len(order)):
            yield order[k], order[self.wiring.integers(k)]


def _port(model: mk.Model, end: tuple[str, str]) -> Port:
    return getattr(getattr(model, end[0]), end[1])


# --- random numbers -------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """The structure of a limb: where it hangs, by what, and how many parts are around it."""

    parent: int
    kind: str
    flipped: bool = False
    mount: int = 1
    tail: int = 1
    welded: int = 0


def make_tree(shapes: Sequence[Shape], seed: int) -> PhysicalTree:
    """Return a tree of the given structure with random numbers."""
    rng = np.random.default_rng(seed)
    limbs = []
    for i, shape in enumerate(shapes):
        is_root = shape.kind in ROOT_KINDS
        is_point = shape.kind == "point mass"
        joint = None
        if not is_root:
            sequence = SEQUENCES[int(rng.integers(3))]
            lead = rng.uniform(-1, 1)
            joint = JointKind(
                shape.kind, _direction(rng), _direction(rng), lead, sequence, shape.flipped
            )
        limbs.append(
            Limb(
                -1 if is_root else min(shape.parent, i - 1),
                shape.kind if is_root else "",
                _ways(rng, shape.mount),
                joint,
                _ways(rng, shape.tail),
                _weight(rng, is_point),
                ()
                if is_point
                else tuple(
                    (_ways(rng, k % 2), _weight(rng, k % 2 == 1))
                    for k in range(shape.welded)
                ),
            )
        )
    return PhysicalTree(tuple(limbs), rng.uniform(5, 12) * _direction(rng))


def random_shapes(rng: np.random.Generator, count: int) -> list[Shape]:
    """Return the structure of a random tree; a point mass carries nothing."""
    shapes: list[Shape] = []
    for i in range(count):
        carriers = [-1, *(k for k in range(i) if shapes[k].kind != "point mass")]
        kinds = (*JOINT_KINDS, *ROOT_KINDS)
        shapes.append(
            Shape(
                int(rng.choice(carriers)),
                str(rng.choice(kinds)),
                bool(rng.random() < 0.5),
                int(rng.integers(3)),
                int(rng.integers(3)),
                int(rng.integers(3)),
            )
        )
    return shapes


def _direction(rng: np.random.Generator) -> np.ndarray:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def _ways(rng: np.random.Generator, count: int) -> tuple[RigidWay, ...]:
    kinds = ("translation", "axis", "two axes", "sequence")
    return tuple(
        RigidWay(
            str(rng.choice(kinds)),
            rng.uniform(-1, 1, 3),
            _direction(rng),
            _direction(rng),
            rng.uniform(-180, 180, 3),
            SEQUENCES[int(rng.integers(3))],
            bool(rng.random() < 0.5),
        )
        for _ in range(count)
    )


def _weight(rng: np.random.Generator, is_point: bool) -> Weight:
    m = rng.uniform(0.5, 2.0)
    if is_point:
        return Weight(m, np.zeros(3), None)
    # a cloud of mass with second moments s has principal moments Σs − s
    s = rng.uniform(0.1, 0.5, 3)
    A = Rotation.from_rotvec(rng.normal(size=3)).as_matrix()
    I = A @ np.diag(m * (s.sum() - s)) @ A.T
    return Weight(m, rng.uniform(-0.5, 0.5, 3), (I + I.T) / 2, bool(rng.random() < 0.3))
