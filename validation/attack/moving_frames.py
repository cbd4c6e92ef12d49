"""Vibration on top of a large motion: the relative motion does not depend on the frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import motorik as mk
from motorik import rotational, translational
from validation.attack.finding import METHODS, Finding, judged, run

RTOL = 1e-6


class Chain:
    """Masses or inertias in a row, joined by springs: x' = v, M v' = −K x, solved by modes."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.kind = str(rng.choice(["translational", "rotational"]))
        count = int(rng.integers(2, 5))
        self.m = 10 ** rng.uniform(-0.5, 0.5, count)
        self.c = 10 ** rng.uniform(1, 4, count - 1)
        self.rest = rng.uniform(0.2, 1.0, count - 1)
        self.x = 10 ** rng.uniform(-6, -1) * rng.uniform(-1, 1, count)
        K = np.zeros((count, count))
        for k, c in enumerate(self.c):
            K[k : k + 2, k : k + 2] += c * np.array([[1, -1], [-1, 1]])
        root = np.sqrt(self.m)
        squares, self.modes = np.linalg.eigh(K / np.outer(root, root))
        self.frequencies = np.sqrt(np.maximum(squares, 0.0))
        self.root = root

    def deflections(self, t: np.ndarray) -> np.ndarray:
        """Return the deflections of the springs by closed form, one column for each."""
        amplitudes = self.modes.T @ (self.root * self.x)
        waves = np.cos(np.outer(t, self.frequencies))
        x = (waves * amplitudes) @ self.modes.T / self.root
        return np.diff(x, axis=1)

    def model(self, origin: float, speed: float) -> mk.Model:
        """Return the chain at an origin [m or rad], all of it at a speed."""
        model = mk.Model()
        place = origin + np.concatenate([[0.0], np.cumsum(self.rest)]) + self.x
        ends: list[Any] = []
        for k, (m, s) in enumerate(zip(self.m, place, strict=True)):
            part = (
                translational.Mass(m=m, s=float(s), v=speed)
                if self.kind == "translational"
                else rotational.Inertia(J=m, phi=float(s), w=speed)
            )
            setattr(model, f"m{k}", part)
            ends.append(part)
        for k, (c, rest) in enumerate(zip(self.c, self.rest, strict=True)):
            spring: Any = (
                translational.Spring(c=c, s_rel0=float(rest))
                if self.kind == "translational"
                else rotational.Spring(c=c, phi_rel0=float(rest))
            )
            setattr(model, f"c{k}", spring)
            model.connect(ends[k].flange_b, spring.flange_a)
            model.connect(spring.flange_b, ends[k + 1].flange_a)
        return model

    def error(self, model: mk.Model, stop: float, method: str) -> float:
        """Return the largest error of a deflection, as a multiple of what is allowed.

        Allowed are the tolerance times the radians that the fastest mode has turned, and
        the rounding of the absolute positions.
        """
        times = np.linspace(0.0, stop, 801)
        result = run(model, stop, output=times, method=method)
        name = "s_rel" if self.kind == "translational" else "phi_rel"
        found = np.stack([result[f"c{k}.{name}"] for k in range(len(self.c))], axis=1)
        exact = self.deflections(result.time)
        amplitude = np.abs(exact).max()
        largest = max(np.abs(result[f"m{k}.flange_a.{name[:-4]}"]).max() for k in (0, 1))
        turned = max(1.0, float(self.frequencies.max()) * stop)
        allowed = 10.0 * RTOL * turned * amplitude
        allowed += 1e-15 * largest * turned
        return float(np.abs(found - self.rest - exact).max() / allowed)


def chains(rng: np.random.Generator) -> Iterator[Finding]:
    """Compare chains of springs at rest and at speed with their modes in closed form."""
    chain = Chain(rng)
    stop = float(rng.uniform(50, 400) / chain.frequencies.max())
    method = str(rng.choice(METHODS[:5]))
    places = [(0.0, 0.0), (float(rng.uniform(-1e3, 1e3)), 0.0)]
    places += [(0.0, float(10 ** rng.uniform(0, 3.5)))]
    for origin, speed in places:
        model = chain.model(origin, speed)
        detail = f"{chain.kind} chain at {origin:.3g}, speed {speed:.3g}, {method}"
        yield judged("closed form", lambda m=model: chain.error(m, stop, method), detail)


class Satellites:
    """Two free bodies joined by a spring in space, seen from a frame in uniform motion."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.m = 10 ** rng.uniform(-0.5, 0.5, 2)
        self.I = 10 ** rng.uniform(-2, -1, (2, 3)) + 0.02
        self.c = float(10 ** rng.uniform(1, 3))
        self.length = float(rng.uniform(0.5, 1.5))
        self.arms = rng.uniform(-0.2, 0.2, (2, 3))
        self.spin = rng.uniform(-1, 1, (2, 3))
        self.start = np.array([self.length * (1 + 10 ** rng.uniform(-4, -1)), 0.0, 0.0])

    def model(self, origin: np.ndarray, velocity: np.ndarray) -> mk.Model:
        """Return both bodies about an origin [m] at a common velocity [m/s]."""
        model = mk.Model()
        model.world = mk.World(gravityType="none")
        places = (origin, origin + self.start + self.arms[0] - self.arms[1])
        for k in (0, 1):
            one, two, three = (float(I) for I in self.I[k])
            body = mk.Body(
                m=float(self.m[k]),
                I_11=one + two,
                I_22=two + three,
                I_33=three + one,
                r_0=tuple(map(float, places[k])),
                v_0=tuple(map(float, velocity)),
                w_0_start=tuple(map(float, self.spin[k])),
                w_0_fixed=True,
            )
            arm = mk.FixedTranslation(r=tuple(map(float, self.arms[k])))
            setattr(model, f"body{k}", body)
            setattr(model, f"arm{k}", arm)
            model.connect(body.frame_a, arm.frame_a)
        model.spring = mk.forces.Spring(c=self.c, s_unstretched=self.length)
        model.connect(model.arm0.frame_b, model.spring.frame_a)
        model.connect(model.spring.frame_b, model.arm1.frame_b)
        return model


def satellites(rng: np.random.Generator) -> Iterator[Finding]:
    """Check that a constant velocity or a shifted origin changes no relative motion."""
    pair = Satellites(rng)
    rate = np.sqrt(pair.c * (1 / pair.m).sum())
    stop = float(rng.uniform(20, 100) / rate)
    none = np.zeros(3)
    reference = run(pair.model(none, none), stop, rtol=1e-11, output=200)
    exact = reference["spring.s"]
    stretch = max(np.ptp(exact), 1e-12)
    cases = {
        "at rest": (none, none),
        "at speed": (none, 10 ** rng.uniform(1, 4) * rng.normal(size=3)),
        "far away": (10 ** rng.uniform(1, 4) * rng.normal(size=3), none),
    }
    for name, (origin, velocity) in cases.items():

        def apart(origin: np.ndarray = origin, velocity: np.ndarray = velocity) -> float:
            result = run(pair.model(origin, velocity), stop, output=200)
            far = np.abs(result["body0.r_0"]).max()
            allowed = 10 * RTOL * rate * stop * stretch + 1e-14 * far * rate * stop
            return float(np.abs(result["spring.s"] - exact).max() / allowed)

        yield judged("Galilean frame", apart, f"two bodies on a spring {name}")


def beams(rng: np.random.Generator) -> Iterator[Finding]:
    """Check that an undamped chain of elastic hinges keeps its energy by the default method."""
    count = int(rng.integers(2, 12))
    stiffness, angle = float(10 ** rng.uniform(1, 4)), float(rng.uniform(0.01, 0.2))
    model = mk.Model()
    model.world = mk.World(gravityType="none")
    at = model.world.frame_b
    for k in range(count):
        joint = mk.Revolute(n="z", phi=angle if k == 0 else 0.0)
        bar = mk.BodyBox(r=(1.0 / count, 0, 0), width=0.02, density=1000)
        spring = rotational.Spring(c=stiffness)
        for name, part in (("joint", joint), ("bar", bar), ("spring", spring)):
            setattr(model, f"{name}{k}", part)
        model.connect(at, joint.frame_a)
        model.connect(joint.frame_b, bar.frame_a)
        model.connect(joint.support, spring.flange_a)
        model.connect(spring.flange_b, joint.axis)
        at = bar.frame_b
    for rtol in (1e-3, 1e-5, 1e-7):

        def drift(rtol: float = rtol) -> float:
            result = run(model, 2.0, rtol=rtol, output=50)
            energy = result.energy()["total"]
            allowed = 10 * rtol * max(result.info.steps, 100)
            return float(np.ptp(energy) / (allowed * np.abs(energy[0])))

        yield judged("energy of an undamped beam", drift, f"{count} links, rtol {rtol:g}")
