"""Random loops of MOBILE elements, and the same mechanisms of connected parts.

A crank leads a rod, which leads a rocker or a slider. Crank and rocker turn about any axes,
the rod has spherical joints; in the plane it is a four-bar. The rod has no mass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

import motorik as mk
from motorik import joints
from motorik.algebra import Symmetric, Vector, Y, Z, rotation_with_xz
from motorik.mobile import (
    AngularVariable,
    Chord3DPosition,
    ChordPointPointLinear,
    ChordPointPointQuadratic,
    ElementaryJoint,
    ExplicitConstraintSolver,
    Frame,
    ImplicitConstraintSolver,
    LinearVariable,
    MapChain,
    MassElement,
    MechanicalSystem,
    RigidLink,
)

CLOSINGS = ("formula", "length", "rod")
"""By formula, by iteration for the rocker alone, and for the rod's direction as well."""
G = 9.81


@dataclass(frozen=True)
class LoopData:
    """Where a loop is and how long its links are; `rocker` is 0 for a slider."""

    n_crank: np.ndarray
    n_out: np.ndarray  # the axis of the rocker, or of the slider
    at: np.ndarray  # a point of that axis
    crank: float
    rod: float
    rocker: float
    side: int
    phi: float
    w: float

    @cached_property
    def frames(self) -> tuple[np.ndarray, np.ndarray]:
        """Return rotation matrices with the axes of crank and output as z."""
        return _axes(self.n_crank), _axes(self.n_out)

    def pin(self, phi: float) -> np.ndarray:
        """Return where the pin of the crank is."""
        R = self.frames[0]
        return self.crank * (R @ [np.cos(phi), np.sin(phi), 0.0])

    def solve(self, phi: float) -> float | None:
        """Return the angle of the rocker or the place of the slider, None where there is none."""
        R = self.frames[1]
        d = R.T @ (self.pin(phi) - self.at)
        if not self.rocker:
            square = self.rod**2 - d[0] ** 2 - d[1] ** 2
            return None if square <= 0 else float(d[2] + self.side * np.sqrt(square))
        r = float(np.hypot(d[0], d[1]))
        cosine = (d @ d + self.rocker**2 - self.rod**2) / (2 * r * self.rocker)
        if abs(cosine) >= 1:
            return None
        return float(np.arctan2(d[1], d[0]) + self.side * np.arccos(cosine))

    def sense(self, pin: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return a number for each place of both ends of the rod, whose sign is the branch."""
        along = self.n_out if not self.rocker else np.cross(self.n_out, end - self.at)
        return np.sum((end - pin) * along, axis=-1)


def random_loop(rng: np.random.Generator, is_planar: bool, has_slider: bool) -> LoopData:
    """Return a loop whose crank turns fully round."""
    while True:
        n = np.array([0.0, 0.0, 1.0])
        n_crank = n if is_planar else _unit(rng)
        n_out = n if is_planar else _unit(rng)
        at = np.append(
            rng.uniform(-1.5, 1.5, 2), 0.0 if is_planar else rng.uniform(-0.5, 0.5)
        )
        if has_slider and is_planar:
            n_out = np.append(_unit(rng)[:2], 0.0)
            n_out /= np.linalg.norm(n_out)
        lengths = rng.uniform(0.2, 1.5, 3)
        data = LoopData(
            n_crank, n_out, at, lengths[0], lengths[1], 0.0 if has_slider else lengths[2],
            int(rng.choice([-1, 1])), rng.uniform(-3, 3), rng.uniform(3.0, 6.0),
        )  # fmt: skip
        found = [data.solve(phi) for phi in np.linspace(0, 2 * np.pi, 25)]
        if any(value is None for value in found):
            continue
        places = np.array([data.pin(phi) for phi in np.linspace(0, 2 * np.pi, 25)])
        ends = np.array([_end(data, float(x)) for x in found if x is not None])
        size = data.rod * (data.rocker or 1.0)
        if np.abs(data.sense(places, ends)).min() > 0.15 * size:
            return data


def _unit(rng: np.random.Generator) -> np.ndarray:
    n = rng.normal(size=3)
    return n / np.linalg.norm(n)


def _axes(n: np.ndarray) -> np.ndarray:
    x = np.cross([0.0, 1.0, 0.0], n) if abs(n[1]) < 0.9 else np.cross(n, [1.0, 0.0, 0.0])
    R = rotation_with_xz(Vector(*(x / np.linalg.norm(x)).tolist()), Vector(*n.tolist()))
    return R.numpy()


def _end(data: LoopData, x: float) -> np.ndarray:
    R = data.frames[1]
    own = [0.0, 0.0, x]
    if data.rocker:
        own = [data.rocker * np.cos(x), data.rocker * np.sin(x), 0.0]
    return data.at + R @ own


I_CRANK, I_OUT = Symmetric(0.5, 0.6, 0.8), Symmetric(0.02, 0.03, 0.04)
M_CRANK, M_OUT = 1.2, 0.7


@dataclass
class MobileLoop:
    """The loop as a chain of MOBILE elements."""

    data: LoopData
    closing: str = "rod"
    base: Frame = field(default_factory=lambda: Frame("base"))
    ground: Frame | None = None

    def __post_init__(self) -> None:
        data, base = self.data, self.base
        R_crank, R_out = data.frames
        names = ("foot", "turned", "pin", "support", "moved", "end", "rod1", "rod2", "tip")
        foot, turned, self.pin, support, moved, self.end, rod1, rod2, tip = map(
            Frame, names
        )
        phi = self.phi = AngularVariable("phi", q=data.phi, qd=data.w)
        kind = AngularVariable if data.rocker else LinearVariable
        start = data.solve(data.phi)
        assert start is not None
        x = self.x = kind("x", q=start + 0.05)
        chain = self.chain = MapChain()
        (
            chain
            << RigidLink(base, foot, R_crank.tolist())
            << ElementaryJoint(foot, turned, phi, Z)
        )
        chain << RigidLink(turned, self.pin, Vector(data.crank, 0.0, 0.0))
        chain << RigidLink(base, support, Vector(*data.at.tolist()), R_out.tolist())
        out = MapChain() << ElementaryJoint(support, moved, x, Z)
        out << RigidLink(moved, self.end, Vector(data.rocker, 0.0, 0.0))
        chain << self._solver(out, rod1, rod2, tip)
        chain << MassElement(turned, M_CRANK, Vector(0.1, 0.05, 0.0), I_CRANK)
        chain << MassElement(self.end, M_OUT, Vector(0.02, -0.1, 0.05), I_OUT)

    def _solver(self, out: MapChain, rod1: Frame, rod2: Frame, tip: Frame) -> Any:
        data, x = self.data, self.x
        if self.closing == "formula":
            chord = ChordPointPointQuadratic(self.end, self.pin, data.rod**2, out)
            return ExplicitConstraintSolver(chord, x, near=x.q)
        if self.closing == "length":
            chord = ChordPointPointLinear(self.end, self.pin, data.rod)
            return ImplicitConstraintSolver(chord, x, out)
        d = _axes(self.data.n_crank).T @ (_end(data, x.q) - data.pin(data.phi))
        c, s = np.cos(data.phi), np.sin(data.phi)
        d = np.array([c * d[0] + s * d[1], -s * d[0] + c * d[1], d[2]])  # seen from the pin
        yaw = AngularVariable("yaw", q=float(np.arctan2(d[1], d[0])))
        pitch = AngularVariable("pitch", q=float(-np.arctan2(d[2], np.hypot(d[0], d[1]))))
        rod = MapChain() << ElementaryJoint(self.pin, rod1, yaw, Z)
        rod << ElementaryJoint(rod1, rod2, pitch, Y)
        rod << RigidLink(rod2, tip, Vector(data.rod, 0.0, 0.0)) << out
        return ImplicitConstraintSolver(
            Chord3DPosition(tip, self.end), [yaw, pitch, x], rod
        )

    @property
    def system(self) -> MechanicalSystem:
        """The equation of motion with y up."""
        return MechanicalSystem([self.phi], self.chain, self.ground or self.base, Y)


def parts_of(data: LoopData) -> mk.Model:
    """Return the same of connected parts: `crank` and `out` are its joints."""
    model = mk.Model()
    R_crank, R_out = data.frames
    start = data.solve(data.phi)
    assert start is not None
    model.world = mk.World(g=G, n="-y")
    axis = data.n_crank.tolist()
    model.crank = mk.Revolute(n=axis, phi=data.phi, w=data.w)
    model.support = mk.FixedTranslation(r=data.at.tolist())
    if data.rocker:
        model.out = mk.Revolute(n=data.n_out.tolist(), phi=mk.guess(start))
    else:
        model.out = mk.Prismatic(n=data.n_out.tolist(), s=mk.guess(start))
    model.arm = mk.FixedTranslation(r=(R_crank @ [data.crank, 0, 0]).tolist())
    model.lever = mk.FixedTranslation(r=(R_out @ [data.rocker, 0, 0]).tolist())
    model.rod = joints.SphericalSpherical(rodLength=data.rod)
    model.mass1 = _body(R_crank, M_CRANK, (0.1, 0.05, 0.0), I_CRANK)
    model.mass2 = _body(R_out, M_OUT, (0.02, -0.1, 0.05), I_OUT)
    mk.connect(model.world.frame_b, model.crank.frame_a)
    mk.connect(model.crank.frame_b, model.arm.frame_a)
    mk.connect(model.crank.frame_b, model.mass1.frame_a)
    mk.connect(model.world.frame_b, model.support.frame_a)
    mk.connect(model.support.frame_b, model.out.frame_a)
    mk.connect(model.out.frame_b, model.lever.frame_a)
    mk.connect(model.lever.frame_b, model.mass2.frame_a)
    mk.connect(model.arm.frame_b, model.rod.frame_a)
    mk.connect(model.lever.frame_b, model.rod.frame_b)
    return model


def _body(R: np.ndarray, m: float, r: tuple[float, ...], I: Symmetric) -> mk.Body:
    T = R @ np.array(I.full().numpy()) @ R.T
    return mk.Body(
        m=m, r_CM=(R @ np.array(r)).tolist(), I_11=T[0, 0], I_22=T[1, 1], I_33=T[2, 2],
        I_21=T[1, 0], I_31=T[2, 0], I_32=T[2, 1],
    )  # fmt: skip
