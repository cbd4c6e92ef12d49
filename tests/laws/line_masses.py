"""Masses on lines twice: as functions of their frames, and as free bodies that rows hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from motorik import FixedTranslation, Model, World
from motorik.algebra.dyad import Inertia
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.authoring import (
    ConstraintBetween,
    Contribution,
    DeclaredPart,
    FreeStart,
    Mass,
    frame,
    parameter,
)
from motorik.components.base.values import Start
from motorik.components.forces.line_masses import MassBetween, MassTowards
from motorik.elements.constraint import Constraint
from motorik.elements.translational import TranslationalPair
from tests.laws.coupled_loops import FourBar, Swing, arm

STILL = Start((0.0, 0.0, 0.0))


class FreeMass(DeclaredPart):
    """A point mass of its own that three rows hold on the line of two frames."""

    frame_a = frame("one end")
    frame_b = frame("the other end")
    frame_m = frame("frame at the mass")

    m = parameter("mass", "kg", 1.0)
    at = parameter("fraction, or distance from frame_a", "1", 0.5)
    towards = parameter("whether it is a distance", "1", 0.0)

    def contributions(self, p) -> Iterable[Contribution]:
        """Contribute the mass, which floats, and its place."""

        def residual(X_a: Pose, X_b: Pose, X_m: Pose) -> tuple[Scalar, ...]:
            r: Vector = X_b.p - X_a.p
            offset = p.at * (r / r.norm()) if p.towards else p.at * r
            return (X_m.p - X_a.p - offset).xyz

        start = FreeStart(STILL, STILL, STILL)
        yield Mass(
            self.frame_m, Inertia.of_body(p.m), TranslationalPair(), start, priority=-1
        )
        frames = (self.frame_a, self.frame_b, self.frame_m)
        yield ConstraintBetween(self, frames, Constraint(residual, ("m", "m", "m")))


@dataclass(frozen=True)
class Line:
    """A mass on the line of two frames of a model, by their paths and a place beside each."""

    m: float
    at: float
    towards: bool
    ends: tuple[str, str]
    beside: tuple[tuple[float, ...], tuple[float, ...]]

    def add(self, model: Model, name: str, free: bool) -> None:
        """Add it to a model."""
        if free:
            part = FreeMass(m=self.m, at=self.at, towards=float(self.towards))
        elif self.towards:
            part = MassTowards(m=self.m, L=self.at)
        else:
            part = MassBetween(m=self.m, lengthFraction=self.at)
        setattr(model, name, part)
        for key, path, r in zip(
            ("frame_a", "frame_b"), self.ends, self.beside, strict=True
        ):
            place = FixedTranslation(r=r)
            setattr(model, f"{name}_{key}", place)
            port = model
            for step in path.split("."):
                port = getattr(port, step)
            port >> place.frame_a
            place.frame_b >> getattr(part, key)


def tree(gravity: dict) -> tuple[Model, list[str]]:
    """Return two arms, one on the other's first link, and the frames of their links."""
    model = Model()
    model.world = World(**gravity)
    arm(model, model.world.frame_b, 3)
    arm(model, model.arm_link0.frame_b, 2, "hand")
    links = [f"arm_link{i}.frame_b" for i in range(3)]
    return model, ["world.frame_b", *links, *(f"hand_link{i}.frame_b" for i in range(2))]


def loops(gravity: dict) -> tuple[Model, list[str]]:
    """Return an arm that carries a four-bar, which carries an arm."""
    model = Model()
    model.world = World(**gravity)
    end = arm(model, model.world.frame_b, 2)
    model.bars = FourBar()
    end >> model.bars.ground
    arm(model, model.bars.tip, 2, "hand")
    bars = ("bars.crank", "bars.coupler", "bars.rocker")
    parts = ("arm_link0", "arm_link1", *bars, "hand_link0", "hand_link1")
    return model, ["world.frame_b", *(f"{part}.frame_b" for part in parts)]


def in_space(gravity: dict) -> tuple[Model, list[str]]:
    """Return a loop in space on a link."""
    model = Model()
    model.world = World(**gravity)
    end = arm(model, model.world.frame_b, 1)
    model.swing = Swing(rodLength=0.85)
    end >> model.swing.ground
    parts = ("arm_link0", "swing.crank", "swing.lever")
    return model, ["world.frame_b", *(f"{part}.frame_b" for part in parts)]


MODELS: dict[str, Callable[[dict], tuple[Model, list[str]]]] = {
    "tree": tree,
    "loops": loops,
    "in space": in_space,
}
FIELDS = (
    {"n": "-y"},
    {"g": 3.0, "n": (0.3, 0.5, -1.0)},
    {"gravityType": "PointGravity", "mu": 40.0},
)


def make(kind: str, seed: int, free: bool, count: int = 1) -> Model:
    """Return a model with masses on random lines, as functions of their frames or `free`."""
    rng = np.random.default_rng(seed)
    model, frames = MODELS[kind](FIELDS[seed % len(FIELDS)])
    for k in range(count):
        towards = bool((seed + k) % 2)
        one, other = rng.permutation(len(frames))[:2]
        line = Line(
            float(rng.uniform(0.2, 2.0)),
            float(rng.uniform(0.05, 0.4) if towards else rng.uniform(-0.3, 1.2)),
            towards,
            (frames[one], frames[other]),
            (tuple(rng.normal(size=3) * 0.2), tuple(rng.normal(size=3) * 0.2 + 0.5)),
        )
        line.add(model, f"line{k}", free)
    return model
