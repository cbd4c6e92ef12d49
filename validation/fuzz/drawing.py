"""Drawing: a mechanism at its assembled pose, from which models are built.

All numbers are in natural units: lengths, masses and times of the order of one. Bodies have
poses in the world and joints lie between them with their coordinates at the start, so loops
close by construction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

import motorik as mk
from motorik import planar
from validation.fuzz.geometry import STILL, Place, any_rotation, joint_pose
from validation.fuzz.units import (
    ACCELERATION,
    INERTIA,
    LENGTH,
    MASS,
    ONE,
    RATE,
    SPEED,
    Units,
    Value,
)

GROUND = 0
COORDINATES: dict[str, tuple[tuple[str, str, bool], ...]] = {
    # coordinate, speed, whether it is a length
    "R": (("phi", "w", False),),
    "P": (("s", "v", True),),
    "H": (("phi", "w", False),),
    "C": (("s", "v", True), ("phi", "w", False)),
    "U": (("phi_a", "w_a", False), ("phi_b", "w_b", False)),
    "L": (("s_x", "v_x", True), ("s_y", "v_y", True), ("phi", "w", False)),
}
PARTS: dict[str, type[mk.Part]] = {
    "R": mk.Revolute,
    "P": mk.Prismatic,
    "H": mk.Screw,
    "C": mk.Cylindrical,
    "U": mk.Universal,
    "L": mk.Planar,
    "S": mk.Spherical,
    "F": mk.FreeMotion,
}


@dataclass
class Piece:
    """A part to be made: its class and what it is given."""

    make: type[mk.Part]
    given: dict[str, object]
    ports: dict[str, tuple[float, float, float]] | None = None  # of the planar library


@dataclass(frozen=True)
class BodyDrawn:
    """A body: its name, frame, mass, centre, inertia about it, and its pose at the start.

    `frames` are all frames through which forces may enter, with their places.
    """

    name: str
    frame: str
    m: float
    c: np.ndarray
    I: np.ndarray
    start: Place | None
    frames: tuple[tuple[str, np.ndarray], ...]


@dataclass(frozen=True)
class JointDrawn:
    """A joint: kind, axes in its frame_a, and the coordinates at the start."""

    name: str
    kind: str
    axes: tuple[np.ndarray, ...]
    q: tuple[float, ...]

    def names(self) -> list[str]:
        """Return the names of its coordinates in results; none of those with quaternions."""
        return [f"{self.name}.{q}" for q, _, _ in COORDINATES.get(self.kind, ())]


@dataclass(frozen=True)
class RodDrawn:
    """Two frames that stay a length apart."""

    frame_a: str
    frame_b: str
    length: float


@dataclass(frozen=True)
class WheelDrawn:
    """A wheel that rolls on the plane z = 0, its axle along y of the frame of its body."""

    body: str
    radius: float


@dataclass(frozen=True)
class PowerTerm:
    """A power that enters the mechanism: factor times the product of variables."""

    factor: Value
    variables: tuple[str, ...]


@dataclass
class Drawing:
    """A mechanism: parts, connections, and what laws have to know of them."""

    kind: str
    rng: np.random.Generator
    gravity: np.ndarray = field(default_factory=lambda: np.array([0.0, -1.0, 0.0]))
    stop: float = 2.0
    noise: float = 0.0  # of guesses, as a part of one
    planar: bool = False
    has_loops: bool = False
    pieces: dict[str, Piece] = field(default_factory=dict)
    wires: list[tuple[str, str]] = field(default_factory=list)
    bodies: list[BodyDrawn] = field(default_factory=list)
    joints: list[JointDrawn] = field(default_factory=list)
    rods: list[RodDrawn] = field(default_factory=list)
    wheels: list[WheelDrawn] = field(default_factory=list)
    powers: list[PowerTerm] = field(default_factory=list)
    fixed: dict[str, Value] = field(default_factory=dict)
    places: list[Place] = field(default_factory=lambda: [STILL])
    frames: list[str] = field(default_factory=lambda: ["world.frame_b"])

    # --- drawing ----------------------------------------------------------------------------

    def body(self, at: np.ndarray, R: np.ndarray | None = None) -> int:
        """Add a body of random mass; return its number."""
        rng = self.rng
        name = f"body{len(self.places)}"
        m, c, I = random_mass(rng)
        start = Place(any_rotation(rng) if R is None else R, np.array(at))
        given = {"m": Value(m, MASS), "r_CM": Value(c, LENGTH), "I": Value(I, INERTIA)}
        self.pieces[name] = Piece(mk.Body, dict(given))
        frame = f"{name}.frame_a"
        ends = ((frame, np.zeros(3)),)
        self.bodies.append(BodyDrawn(name, frame, m, c, I, start, ends))
        self.places.append(start)
        self.frames.append(frame)
        return len(self.places) - 1

    def joint(
        self,
        kind: str,
        a: int,
        b: int,
        at: Place,
        axes: Sequence[np.ndarray],
        q: Sequence[float],
        u: Sequence[float] | None = None,
        fixed: bool = False,
        known: str = "a",
    ) -> str:
        """Add a joint from body a to body b, whose frame on the `known` side is at a place.

        Axes are seen from frame_a. With `fixed` its coordinates and speeds u are kept at the
        start, else they are guesses.
        """
        name = f"j{len(self.joints)}"
        axes = tuple(np.array(n) for n in axes)
        pose = joint_pose(kind, axes, q)
        A, B = (at, at @ pose) if known == "a" else (at @ pose.back(), at)
        given = self._starts(name, kind, q, u, fixed)
        words = {"U": ("n_a", "n_b"), "L": ("n", "n_x"), "S": (), "F": ()}
        given |= dict(zip(words.get(kind, ("n",)), (tuple(n) for n in axes), strict=False))
        if kind == "H":
            given["lead"] = Value(float(axes[1][0]), LENGTH)
        self.pieces[name] = Piece(PARTS[kind], given)
        self.joints.append(JointDrawn(name, kind, axes, tuple(q)))
        self.wires.append((self.seat(a, A, f"{name}_a"), f"{name}.frame_a"))
        self.wires.append((self.seat(b, B, f"{name}_b"), f"{name}.frame_b"))
        return name

    def _starts(
        self,
        name: str,
        kind: str,
        q: Sequence[float],
        u: Sequence[float] | None,
        fixed: bool,
    ) -> dict[str, object]:
        noisy = np.array(q, dtype=float)
        if not fixed and self.noise:
            noisy = noisy + self.noise * self.rng.uniform(-1.0, 1.0, len(noisy))
        rates = np.zeros(len(q)) if u is None else np.array(u, dtype=float)
        found: dict[str, object] = {}
        for k, (x, v, is_long) in enumerate(COORDINATES.get(kind, ())):
            found[x] = Value(float(noisy[k]), LENGTH if is_long else ONE, fixed)
            if u is not None:
                found[v] = Value(float(rates[k]), SPEED if is_long else RATE, fixed)
        if kind in "SF":
            found["angles_start"] = Value(noisy[-3:])
            found["angles_fixed"] = fixed
            if u is not None:
                found["w_rel_a_start"] = Value(rates[-3:], RATE)
                found["w_rel_a_fixed"] = fixed
        if kind == "F":
            found["r_rel_a"] = Value(noisy[:3], LENGTH, fixed)
            if u is not None:
                found["v_rel_a"] = Value(rates[:3], SPEED, fixed)
        for key, value in found.items():
            if isinstance(value, Value) and value.fixed:
                self.fixed[f"{name}.{key}"] = value
        return found

    def seat(self, k: int, at: Place, name: str) -> str:
        """Return a frame fixed to body k at a place of the world."""
        X = self.places[k].back() @ at
        given: dict[str, object] = {"r": Value(X.p, LENGTH)}
        if np.array_equal(X.R, np.eye(3)):
            if not X.p.any():
                return self.frames[k]
            self.pieces[name] = Piece(mk.FixedTranslation, given)
        else:
            given |= {"rotationType": "TwoAxesVectors"}
            given |= {"n_x": tuple(X.R[:, 0]), "n_y": tuple(X.R[:, 1])}
            self.pieces[name] = Piece(mk.FixedRotation, given)
        self.wires.append((self.frames[k], f"{name}.frame_a"))
        return f"{name}.frame_b"

    def forget_start(self, k: int) -> None:
        """Say that the pose of body k at the start is not known."""
        self.bodies[k - 1] = replace(self.bodies[k - 1], start=None)

    def add(self, name: str, make: type[mk.Part], **given: object) -> str:
        """Add any part; return its name."""
        self.pieces[name] = Piece(make, given)
        return name

    # --- building ---------------------------------------------------------------------------

    def model(
        self,
        units: Units,
        shuffled: int | None = None,
        names: Mapping[str, str] | None = None,
    ) -> mk.Model:
        """Return the model in some units, its parts perhaps in another order and renamed."""
        names = names or {}
        parts = [("world", self._world(units))] if not self.planar else []
        parts += [(name, _made(piece, units)) for name, piece in self.pieces.items()]
        wires = list(self.wires)
        if shuffled is not None:
            rng = np.random.default_rng(shuffled)
            parts = [parts[k] for k in rng.permutation(len(parts))]
            wires = [wires[k] for k in rng.permutation(len(wires))]
            wires = [(b, a) if rng.random() < 0.5 else (a, b) for a, b in wires]
        model = planar.Model() if self.planar else mk.Model()
        for name, part in parts:
            setattr(model, names.get(name, name), part)
        for ends in wires:
            ports = []
            for end in ends:
                part, _, port = end.partition(".")
                owner: object = model.parts[names.get(part, part)]
                for step in port.split("."):
                    owner = getattr(owner, step)
                ports.append(owner)
            mk.connect(*ports)
        return model

    def _world(self, units: Units) -> mk.World:
        g = float(np.linalg.norm(self.gravity))
        if g == 0.0:
            return mk.World(gravityType="none")
        return mk.World(g=units.of(ACCELERATION) * g, n=tuple(self.gravity / g))


def _made(piece: Piece, units: Units) -> mk.Part:
    given: dict[str, object] = {}
    for key, value in piece.given.items():
        if not isinstance(value, Value):
            given[key] = value
            continue
        number = np.asarray(value.number, dtype=float) * units.of(value.dimension)
        if number.ndim == 2:
            given[key] = number
            continue
        plain = float(number) if number.ndim == 0 else tuple(map(float, number))
        given[key] = mk.guess(plain) if value.fixed is False else plain
    if piece.ports is not None:
        scale = units.length
        given["ports"] = {
            name: (scale * x, scale * y, angle)
            for name, (x, y, angle) in piece.ports.items()
        }
    return piece.make(**given)


def random_mass(rng: np.random.Generator) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass, centre and a possible inertia about it."""
    m = float(rng.uniform(0.5, 2.0))
    root = rng.uniform(-0.1, 0.1, size=(3, 3)) + 0.15 * np.eye(3)
    spread = m * root @ root.T
    return m, 0.3 * rng.uniform(-1, 1, 3), np.trace(spread) * np.eye(3) - spread


def random_axes(rng: np.random.Generator, kind: str) -> tuple[np.ndarray, ...]:
    """Return axes for a joint of a kind, along those of the frame or anywhere."""
    R = np.eye(3)[:, rng.permutation(3)] if rng.random() < 0.5 else any_rotation(rng)
    if kind in "UL":
        return R[:, 0], R[:, 1]
    if kind == "H":
        return R[:, 0], np.array([rng.uniform(-1.0, 1.0), 0.0, 0.0])
    return () if kind in "SF" else (R[:, 0],)


def random_coordinates(rng: np.random.Generator, kind: str) -> list[float]:
    """Return coordinates of a joint: lengths below one half, angles on the whole circle."""
    if kind == "F":
        return [*rng.uniform(-0.5, 0.5, 3), *rng.uniform(-np.pi, np.pi, 3)]
    if kind == "S":
        return list(rng.uniform(-np.pi, np.pi, 3))
    return [
        float(rng.uniform(-0.5, 0.5) if is_long else rng.uniform(-np.pi, np.pi))
        for _, _, is_long in COORDINATES[kind]
    ]
