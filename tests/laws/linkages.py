"""Random linkages: bodies and joints where they are at the start, built in any order.

A linkage is drawn at one assembled pose, in the world frame and without a word of motorik;
`Linkage.model` makes a model of it, and `absolute` says how it moves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import motorik as mk

GRAVITY = np.array([0.0, -9.81, 0.0])
GROUND = 0


@dataclass(frozen=True)
class Bar:
    """A body: pose of its frame, mass [kg], centre and inertia about it, seen from it."""

    R: np.ndarray
    p: np.ndarray
    m: float
    c: np.ndarray
    I: np.ndarray


@dataclass(frozen=True)
class Pair:
    """A joint of kind R, P, U or S from body a to body b, at a place of the world.

    `R` is its frame on the side of a; the axis is its z axis (of a U also the x axis of b);
    its coordinate is `value` at the start, if it has just one.
    """

    name: str
    kind: str
    a: int
    b: int
    place: np.ndarray
    R: np.ndarray
    value: float = 0.0


@dataclass
class Linkage:
    """Bodies, of which the first is the ground or floats, and joints between them.

    `driver` is the joint whose speed `speed` is given at the start.
    """

    bars: list[Bar]
    pairs: list[Pair] = field(default_factory=list)
    floats: bool = False
    driver: str = "j0"
    speed: float = 1.5

    # --- drawing ----------------------------------------------------------------------------

    def add_bar(self, rng: np.random.Generator, p: Any, aligned: bool = True) -> int:
        """Add a body of random mass at a place; return its number."""
        R = np.eye(3) if aligned else any_rotation(rng)
        root = rng.uniform(-0.1, 0.1, size=(3, 3)) + 0.15 * np.eye(3)
        spread = root @ root.T  # second moments of the mass, from which a real inertia
        I = np.trace(spread) * np.eye(3) - spread
        c = 0.3 * rng.uniform(-1.0, 1.0, size=3)
        self.bars.append(Bar(R, np.array(p), rng.uniform(0.5, 2.0), c, I))
        return len(self.bars) - 1

    def add_pair(
        self, kind: str, a: int, b: int, place: Any, R: Any = None, value: float = 0.0
    ) -> str:
        """Add a joint where it is at the start; return its name."""
        name = f"j{len(self.pairs)}"
        axes = np.eye(3) if R is None else np.array(R)
        self.pairs.append(Pair(name, kind, a, b, np.array(place), axes, value))
        return name

    def turned(self, rotation: np.ndarray) -> Linkage:
        """Return the linkage turned as a whole in the world."""
        bars = [replace(b, R=rotation @ b.R, p=rotation @ b.p) for b in self.bars]
        pairs = [replace(j, R=rotation @ j.R, place=rotation @ j.place) for j in self.pairs]
        return replace(self, bars=bars, pairs=pairs)

    # --- building ---------------------------------------------------------------------------

    def model(
        self,
        over: Collection[str] = (),
        shuffled: int | None = None,
        live: bool = False,
        scale: float = 1.0,
    ) -> mk.Model:
        """Return the model, `scale` times as large, lengths of all seats perhaps live.

        Joints in `over` are turned over, frame_a for frame_b. `shuffled` is the seed of an
        order of parts and connections.
        """
        parts: list[tuple[str, Any]] = [("world", mk.World(g=9.81, n="-y"))]
        wires: list[tuple[str, str]] = []
        for k, bar in enumerate(self.bars):
            if k == GROUND and not self.floats:
                parts.append(("base", mk.FixedRotation(r=tuple(bar.p), **_turned(bar.R))))
                wires.append(("world.frame_b", "base.frame_a"))
                continue
            angles = Rotation.from_matrix(bar.R).as_euler("XYZ")
            extra = {"r_0": tuple(bar.p), "angles_start": tuple(angles)}
            fixed = {"angles_fixed": True, "w_0_fixed": True, "v_0": (0.0, 0.0, 0.0)}
            body = mk.Body(
                m=bar.m,
                r_CM=tuple(bar.c),
                I=bar.I,
                **({**extra, **fixed} if k == GROUND else {}),
            )
            parts.append((f"bar{k}", body))
        for pair in self.pairs:
            parts += self._pair(pair, pair.name in over, scale, live)
            sides = ("b", "a") if pair.name in over else ("a", "b")
            for side, end, k in zip("ab", sides, (pair.a, pair.b), strict=True):
                seat = f"{pair.name}_{side}"
                wires.append((self._frame_of(k), f"{seat}.frame_a"))
                wires.append((f"{seat}.frame_b", f"{pair.name}.frame_{end}"))
        if shuffled is not None:
            rng = np.random.default_rng(shuffled)
            parts = [parts[k] for k in rng.permutation(len(parts))]
            wires = [wires[k] for k in rng.permutation(len(wires))]
            wires = [(b, a) if rng.random() < 0.5 else (a, b) for a, b in wires]
        model = mk.Model()
        for name, part in parts:
            setattr(model, name, part)
        for one, other in wires:
            mk.connect(_port(model, one), _port(model, other))
        return model

    def _frame_of(self, k: int) -> str:
        if k == GROUND and not self.floats:
            return "base.frame_b"
        return f"bar{k}.frame_a"

    def _pair(
        self, pair: Pair, is_over: bool, scale: float, live: bool
    ) -> list[tuple[str, Any]]:
        sign = -1.0 if is_over else 1.0
        is_driver = pair.name == self.driver
        value = sign * pair.value
        if is_driver:
            coordinate, rate = value, sign * self.speed
        else:
            coordinate, rate = mk.guess(value), mk.guess(0.0)
        if pair.kind == "R":
            joint: Any = mk.Revolute(n="z", phi=coordinate, w=rate)
        elif pair.kind == "P":
            joint = mk.Prismatic(n="z", s=coordinate, v=rate)
        elif pair.kind == "U":
            joint = mk.Universal(n_a="x" if is_over else "z", n_b="z" if is_over else "x")
        else:
            joint = mk.Spherical()
        found = [(pair.name, joint)]
        for side, (R, r) in zip("ab", self.seen(pair), strict=True):
            place = tuple(scale * r)
            seat = mk.FixedRotation(r=mk.Parameter(place) if live else place, **_turned(R))
            found.append((f"{pair.name}_{side}", seat))
        return found

    def seen(self, pair: Pair) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return rotation and place of both ends of a joint, seen from their bodies."""
        bars = (self.bars[pair.a], self.bars[pair.b])
        return [
            (bar.R.T @ R, bar.R.T @ (place - bar.p))
            for bar, (R, place) in zip(bars, seats(pair), strict=True)
        ]

    def lengths(self, scale: float) -> dict[str, tuple[float, ...]]:
        """Return the places of all seats, times `scale`, by the names of their parameters."""
        return {
            f"{pair.name}_{side}.r": tuple(scale * r)
            for pair in self.pairs
            for side, (_, r) in zip("ab", self.seen(pair), strict=True)
        }


def any_rotation(rng: np.random.Generator) -> np.ndarray:
    """Return a random rotation."""
    return Rotation.from_quat(rng.normal(size=4)).as_matrix()


def seats(pair: Pair) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Return rotation and place of both ends of a joint at the start."""
    R, place, end = pair.R, pair.place, pair.place
    if pair.kind == "P":
        end = place + pair.value * R[:, 2]
    turn = Rotation.from_rotvec([0, 0, pair.value if pair.kind == "R" else 0.0])
    return (R, place), (R @ turn.as_matrix(), end)


def _turned(R: np.ndarray) -> dict[str, Any]:
    axes = {"n_x": tuple(R[:, 0]), "n_y": tuple(R[:, 1])}
    return {"rotationType": "TwoAxesVectors", **axes}


def _port(model: mk.Model, path: str) -> Any:
    part, port = path.split(".")
    return getattr(model.parts[part], port)


# --- planar linkages: a crank, and dyads laid on it -----------------------------------------


def along(angle: float) -> np.ndarray:
    """Return the frame of a slide along a direction of the plane: its z axis lies there."""
    e = np.array([np.cos(angle), np.sin(angle), 0.0])
    z = np.array([0.0, 0.0, 1.0])
    return np.column_stack([np.cross(z, e), z, e])


def planar(
    seed: int, dyads: Sequence[str] = ("RRR",), aligned: bool = True, floats: bool = False
) -> Linkage:
    """Return a crank on the ground, and dyads each between two bodies that are there.

    A dyad is named by its joints; the first one joins the body that was added last. All
    lies in the xy plane, where the crank is at its start.
    """
    rng = np.random.default_rng(seed)
    linkage = Linkage([], floats=floats)
    linkage.add_bar(rng, (0.0, 0.0, 0.0))
    end = 0.3 * _direction(rng.uniform(-np.pi, np.pi))
    crank = linkage.add_bar(rng, (0.0, 0.0, 0.0), aligned)
    linkage.add_pair("R", GROUND, crank, (0.0, 0.0, 0.0), value=rng.uniform(-1.0, 1.0))
    last = crank
    for number, kinds in enumerate(dyads):
        others = [k for k in range(len(linkage.bars)) if k != last]
        onto = GROUND if number == 0 else int(rng.choice(others))
        away = _direction(rng.uniform(-np.pi, np.pi))
        middle = end + rng.uniform(0.7, 1.0) * away
        bend = rng.choice([-1, 1]) * rng.uniform(1.0, 2.0)
        foot = middle + rng.uniform(0.6, 0.9) * (
            Rotation.from_rotvec([0, 0, bend]).apply(away)
        )
        first, second = (linkage.add_bar(rng, p, aligned) for p in (end, foot))
        ends = (last, first, second, onto)
        places = (end, middle, foot)
        for kind, a, b, place in zip(kinds, ends[:-1], ends[1:], places, strict=True):
            R = None if kind == "R" else along(rng.uniform(-np.pi, np.pi))
            linkage.add_pair(kind, a, b, place, R, rng.uniform(-0.5, 0.5))
        last, end = first, middle + 0.2 * _direction(rng.uniform(-np.pi, np.pi))
    return linkage


def _direction(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle), 0.0])


# --- spatial linkages -----------------------------------------------------------------------


def spatial(seed: int, kinds: str = "RUSR") -> Linkage:
    """Return one loop of joints of these kinds from the ground to the ground."""
    rng = np.random.default_rng(seed)
    linkage = Linkage([])
    linkage.add_bar(rng, (0.0, 0.0, 0.0))
    corners = _time_events(rng, len(kinds))
    before = GROUND
    for k, kind in enumerate(kinds):
        after = GROUND if k == len(kinds) - 1 else linkage.add_bar(rng, corners[k], False)
        R = any_rotation(rng)
        linkage.add_pair(kind, before, after, corners[k], R, rng.uniform(-0.3, 0.3))
        before = after
    return linkage


def platform(seed: int, legs: int = 3, kinds: str = "UPS") -> Linkage:
    """Return a plate on legs of three joints each; the first leg's slide is the driver."""
    rng = np.random.default_rng(seed)
    linkage = Linkage([])
    linkage.add_bar(rng, (0.0, 0.0, 0.0))
    plate = linkage.add_bar(rng, (0.0, 1.0, 0.0), False)
    for k in range(legs):
        angle = 2 * np.pi * (k + rng.uniform(-0.2, 0.2)) / legs
        foot = np.array([np.cos(angle), 0.0, np.sin(angle)])
        seat = 0.5 * foot + [0.2 * rng.uniform(-1, 1), 1.0, 0.2 * rng.uniform(-1, 1)]
        e = (seat - foot) / np.linalg.norm(seat - foot)
        side = np.cross(e, rng.normal(size=3))
        side /= np.linalg.norm(side)
        places = {"U": foot, "P": foot + 0.5 * (seat - foot), "S": seat}
        frames = {"U": np.column_stack([np.cross(e, side), e, side])}
        frames["P"] = np.column_stack([side, np.cross(e, side), e])
        lower, upper = (linkage.add_bar(rng, p, False) for p in (foot, seat))
        ends = (GROUND, lower, upper, plate)
        for kind, a, b in zip(kinds, ends[:-1], ends[1:], strict=True):
            linkage.add_pair(kind, a, b, places[kind], frames.get(kind))
    linkage.driver = "j1"
    linkage.speed = 0.3
    return linkage


def _time_events(rng: np.random.Generator, count: int) -> np.ndarray:
    angles = 2 * np.pi * (np.arange(count) + rng.uniform(-0.25, 0.25, count)) / count
    ring = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(count)])
    return 0.7 * (ring - ring[0]) + rng.uniform(-0.3, 0.3, size=(count, 3))


LINKAGES: dict[str, Callable[[int], Linkage]] = {
    "four-bar": lambda seed: planar(seed),
    "slider-crank": lambda seed: planar(seed, ["RRP"]),
    "sliding block": lambda seed: planar(seed, ["RPR"]),
    "two slides": lambda seed: planar(seed, ["PRR"]),
    "six-bar": lambda seed: planar(seed, ["RRR", "RRR"]),
    "three loops": lambda seed: planar(seed, ["RRR", "RPR", "RRR"]),
    "tilted six-bar": lambda seed: tilted(planar(seed, ["RRR", "RRP"], False), seed),
    "floating four-bar": lambda seed: tilted(planar(seed, floats=True), seed),
    "RUSR": lambda seed: spatial(seed, "RUSR"),
    "RSUP": lambda seed: spatial(seed, "RSUP"),
    "RUPS": lambda seed: spatial(seed, "RUPS"),
    "seven hinges": lambda seed: spatial(seed, "RRRRRRR"),
    "platform": lambda seed: platform(seed),
}


def tilted(linkage: Linkage, seed: int) -> Linkage:
    """Return the linkage turned at random in the world."""
    return linkage.turned(any_rotation(np.random.default_rng(seed)))
