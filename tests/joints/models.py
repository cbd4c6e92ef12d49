"""Mechanisms with friction and stops in their joints, and what happened in their runs."""

from __future__ import annotations

from typing import Any

from motorik import Body, BodyShape, FixedTranslation, Model, Revolute, World, blocks, guess
from motorik import functions as fn
from motorik import rotational as rot
from motorik.joints import Coulomb
from motorik.results import Event, Result

STRATEGIES = ("explicit", "projected", "baumgarte", "absolute")
METHODS = ("dopri5", "dop853", "gbs", "adams", "bdf", "radau")


def run(model: Model, stop: float, **options: Any) -> tuple[Result, list[Event]]:
    """Return the result of a run, and what happened after its start."""
    result = model.simulate(stop, **options)
    assert result.complete, result.info.message
    return result, [event for event in result.events if event.time > 0.0]


class Pendulum(Model):
    """A rod of 2 kg and 1 m on one joint, under gravity along −y."""

    def build(self, joint: Any = Revolute, g: float = 9.81, **options: Any) -> None:
        """Hang the rod on the joint."""
        self.world = World(g=g)
        self.joint = joint(**options)
        self.rod = BodyShape(
            r=(1, 0, 0), r_CM=(0.5, 0, 0), m=2.0, I_11=0.1, I_22=0.1, I_33=0.1
        )
        self.world.frame_b >> self.joint.frame_a
        self.joint.frame_b >> self.rod.frame_a


class FourBar(Model):
    """Four bars in the xy-plane; `options` are those of the hinges, by their number 0 to 3.

    Hinges 0 and 3 are at (0, 0) and (base, 0), 1 and 2 at the ends of the coupler.
    """

    def build(
        self,
        lengths: tuple[float, float, float, float] = (0.5, 1.0, 0.5, 1.0),
        options: dict[int, dict[str, Any]] | None = None,
        torque: Any = None,
        g: float = 0.0,
        w: float = 0.0,
    ) -> None:
        """Build crank, coupler, rocker and base."""
        crank, coupler, rocker, base = lengths
        self.world = World(g=g)
        self.hinge = [Revolute(**(options or {}).get(k, {})) for k in range(4)]
        self.crank = BodyShape(r=(crank, 0, 0), m=1.0)
        self.coupler = BodyShape(r=(coupler, 0, 0), m=1.0)
        self.rocker = BodyShape(r=(rocker, 0, 0), m=1.0)
        self.base = FixedTranslation(r=(base, 0, 0))
        ground, hinge = self.world.frame_b, self.hinge
        ground >> hinge[0].frame_a
        hinge[0].frame_b >> self.crank.frame_a
        self.crank.frame_b >> hinge[1].frame_a
        hinge[1].frame_b >> self.coupler.frame_a
        ground >> self.base.frame_a
        self.base.frame_b >> hinge[3].frame_a
        hinge[3].frame_b >> self.rocker.frame_a
        self.rocker.frame_b >> hinge[2].frame_a
        hinge[2].frame_b >> self.coupler.frame_b
        hinge[0].phi, hinge[0].w = 1.0, w
        hinge[3].phi, hinge[1].phi = guess(1.0), guess(-1.0)
        if torque is not None:
            self.motor = rot.Torque()
            self.motor.flange >> hinge[0].axis
            blocks.TimeFunction(f=torque).y >> self.motor.tau


def braked_parallelogram(hinge: int, tau: float = 3.0) -> FourBar:
    """Return a parallelogram with a brake in one hinge and a motor 2 t N·m to 2.5 s."""
    brake = {hinge: {"friction": Coulomb(tau=tau)}}
    return FourBar(options=brake, torque=lambda t: fn.where(t < 2.5, 2.0 * t, 0.0))


class Arm(Model):
    """A robot arm of up to six hinges about different axes, each with a brake, moving."""

    def build(self, count: int = 3, tau: float = 200.0) -> None:
        """Build the arm from the base outward."""
        axes = ("y", "z", "z", "x", "z", "x")
        self.world = World(g=9.81)
        self.hinge = [
            Revolute(n=axes[k], friction=Coulomb(tau=tau / (k + 1)), phi=0.3 * k, w=0.5)
            for k in range(count)
        ]
        self.limb = [
            BodyShape(
                r=(0.7, 0.1, 0),
                r_CM=(0.4, 0.05, 0.02),
                m=3.0,
                I_11=0.05,
                I_22=0.08,
                I_33=0.07,
            )
            for _ in range(count)
        ]
        end = self.world.frame_b
        for hinge, limb in zip(self.hinge, self.limb, strict=True):
            end >> hinge.frame_a
            hinge.frame_b >> limb.frame_a
            end = limb.frame_b


class Cradle(Model):
    """Balls on a rail along x, each stopped by the next: gaps as the user gives."""

    def build(
        self,
        masses: tuple[float, ...],
        gaps: tuple[float, ...],
        speeds: tuple[float, ...],
        e: float = 1.0,
    ) -> None:
        """Let each slide s_k relative to the ball before it; s_k ≥ 0 is the gap."""
        from motorik import Prismatic

        self.world = World(g=0.0)
        self.first = Prismatic(n="x", s=0.0, v=speeds[0])
        self.slide = [
            Prismatic(n="x", s=gap, v=v - before, stops=(0.0, None), restitution=e)
            for gap, v, before in zip(gaps, speeds[1:], speeds, strict=False)
        ]
        self.ball = [Body(m=m, I_11=1.0, I_22=1.0, I_33=1.0) for m in masses]
        self.world.frame_b >> self.first.frame_a
        end = self.first.frame_b
        end >> self.ball[0].frame_a
        for slide, ball in zip(self.slide, self.ball[1:], strict=True):
            end >> slide.frame_a
            slide.frame_b >> ball.frame_a
            end = slide.frame_b
