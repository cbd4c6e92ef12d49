"""Loops of MOBILE's elements: one branch, energy kept, the same motion as connected parts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import motorik as mk
import motorik.mobile as mo
from motorik.algebra.vector import Vector, X, Y, Z
from motorik.results import Result
from validation.attack.finding import Finding, judged, run


class FourBar:
    """A crank-rocker with all its mass in the crank and a point at the rocker's end."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.crank, self.coupler = (
            float(rng.uniform(0.2, 0.35)),
            float(rng.uniform(0.85, 1.0)),
        )
        self.rocker, self.base = float(rng.uniform(0.55, 0.7)), 1.0
        self.J, self.m = float(10 ** rng.uniform(-1, 1)), float(10 ** rng.uniform(-2, 0))
        self.phi, self.w = float(rng.uniform(-3, 3)), float(rng.uniform(-10, 10))
        self.elbow = int(rng.choice([-1, 1]))

    def rocker_angle(self, phi: float | np.ndarray) -> np.ndarray:
        """Return the angle of the rocker on the branch of the start."""
        x, y = self.crank * np.cos(phi) - self.base, self.crank * np.sin(phi)
        r = np.hypot(x, y)
        cos = (r**2 + self.rocker**2 - self.coupler**2) / (2 * r * self.rocker)
        return np.arctan2(y, x) + self.elbow * np.arccos(cos)

    def coupler_angle(self, phi: float) -> float:
        """Return the angle of the coupler against the crank."""
        psi = self.rocker_angle(phi)
        x = self.base + self.rocker * np.cos(psi) - self.crank * np.cos(phi)
        y = self.rocker * np.sin(psi) - self.crank * np.sin(phi)
        return float(np.arctan2(y, x) - phi)

    def chain(self) -> tuple[mo.MapChain, mo.AngularVariable]:
        """Return the traversal with an implicit solver, and the crank's angle."""
        frames = {
            name: mo.Frame(name) for name in ("K0", "A", "Ae", "Ca", "Ce", "Cb", "B", "Be")
        }
        K0, A, Ae, Ca, Ce, Cb, B, Be = frames.values()
        a = mo.AngularVariable("a", q=self.phi, qd=self.w)
        b = mo.AngularVariable("b", q=float(self.rocker_angle(self.phi)))
        c = mo.AngularVariable("c", q=self.coupler_angle(self.phi))
        chords = [mo.ChordPointPlane(Ce, Be, 0.0, X), mo.ChordPointPlane(Ce, Be, 0.0, Y)]
        dependent = mo.MapChain(
            [
                mo.ElementaryJoint(Ae, Ca, c, Z),
                mo.RigidLink(Ca, Ce, Vector(self.coupler, 0.0, 0.0)),
                mo.ElementaryJoint(Cb, B, b, Z),
                mo.RigidLink(B, Be, Vector(self.rocker, 0.0, 0.0)),
            ]
        )
        chain = mo.MapChain(
            [
                mo.RigidLink(K0, Cb, Vector(self.base, 0.0, 0.0)),
                mo.ElementaryJoint(K0, A, a, Z),
                mo.RigidLink(A, Ae, Vector(self.crank, 0.0, 0.0)),
                mo.ImplicitConstraintSolver(chords, [c, b], dependent),
                mo.MassElement(A, 1.0, I=self.J),
                mo.MassElement(Be, self.m),
            ]
        )
        chain.motion()
        return chain, a

    def model(self) -> mk.Model:
        """Return the same mechanism from connected parts."""
        model = mk.Model()
        model.world = mk.World(gravityType="none")
        model.bearing = mk.Revolute(n="z", phi=self.phi, w=self.w)
        model.wheel = mk.Body(m=1.0, I_11=self.J, I_22=self.J, I_33=self.J)
        model.crank = mk.FixedTranslation(r=(self.crank, 0, 0))
        model.pin = mk.Revolute(n="z", phi=mk.guess(self.coupler_angle(self.phi)))
        model.coupler = mk.FixedTranslation(r=(self.coupler, 0, 0))
        model.base = mk.Fixed(r=(self.base, 0, 0))
        model.pivot = mk.Revolute(n="z", phi=mk.guess(float(self.rocker_angle(self.phi))))
        model.rocker = mk.FixedTranslation(r=(self.rocker, 0, 0))
        model.knuckle = mk.Revolute(n="z")
        model.point = mk.Body(m=self.m)
        for a, b in (
            (model.world.frame_b, model.bearing.frame_a),
            (model.bearing.frame_b, model.wheel.frame_a),
            (model.bearing.frame_b, model.crank.frame_a),
            (model.crank.frame_b, model.pin.frame_a),
            (model.pin.frame_b, model.coupler.frame_a),
            (model.base.frame_b, model.pivot.frame_a),
            (model.pivot.frame_b, model.rocker.frame_a),
            (model.rocker.frame_b, model.knuckle.frame_a),
            (model.knuckle.frame_b, model.coupler.frame_b),
            (model.rocker.frame_b, model.point.frame_a),
        ):
            model.connect(a, b)
        return model


def mobile_loops(rng: np.random.Generator) -> Iterator[Finding]:
    """Check the branch of a four-bar with an implicit solver, and its motion by connected parts."""
    bar = FourBar(rng)
    step, stop = float(rng.choice([0.02, 0.05, 0.1, 0.25])), 2.0
    detail = f"four-bar at {bar.w:.3g} rad/s, interval {step:g} s"

    def branch() -> float:
        chain, a = bar.chain()
        system = mo.MechanicalSystem([a], chain)
        integrator = mo.AdamsIntegrator(system, step)
        result = integrator.run(stop)
        psi = bar.rocker_angle(result["a"])
        place = bar.rocker * np.column_stack([np.cos(psi), np.sin(psi)]) + [bar.base, 0.0]
        off = np.abs(np.asarray(result["Be.p"])[:, :2] - place).max()
        return float(off / 1e-6)

    def same() -> float:
        chain, a = bar.chain()
        result = mo.AdamsIntegrator(mo.MechanicalSystem([a], chain), step).run(stop)
        times = np.asarray(result.time)
        other = run(bar.model(), float(times[-1]), output=times, rtol=1e-10)
        return float(
            np.abs(result["a"] - other["bearing.phi"]).max() / (1e-3 * bar_turn(other))
        )

    yield judged("branch", branch, detail)
    yield judged("same motion", same, detail)


def bar_turn(result: Result) -> float:
    """Return how far the crank turns in a run [rad], at least a hundredth."""
    return max(float(np.ptp(result["bearing.phi"])), 0.01)
