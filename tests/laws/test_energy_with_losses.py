"""Energy and what friction, hits and sources do to it balance, in examples and the gallery.

E(t) + ∫ lossPower dt + Σ energy lost by hits − ∫ power of the sources dt does not change. The
integrals are states of the run, so that they are as exact as the motion.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from examples.bouncing_ball import Ball
from examples.brake_four_bar import BrakedFourBar
from examples.drive_line import DriveLine
from examples.gear_shift import GearShift
from examples.stick_slip import BlockOnBelt
from examples.tipping_box import Box
from motorik import Body, BodyShape, Fixed, Model, Prismatic, Revolute, World, blocks
from motorik.components.base.motion import Motion
from motorik.forces import Spring
from motorik.gallery import double_pendulum, fourfold_pendulum, pendulum, trolley_pendulum
from motorik.joints import Coulomb, Stribeck

Power = Callable[[Motion], object]


def nothing(motion: Motion) -> float:
    """Return the power of no source."""
    return 0.0


def of_drag(motion: Motion) -> object:
    """Return the power of the engine and of the drag, which has no `lossPower`."""
    engine = motion["crankshaft.w"] * motion["firing.y"]
    return engine - motion["drag.flange.f"] * motion["car.v"]


def belt(motion: Motion) -> object:
    """Return the power of the belt: it pushes the block by its friction."""
    return motion["belt.v"] * motion["contact.f_friction"]


def of_push(motion: Motion) -> object:
    """Return the power of the push at its handle, of a box that turns about z."""
    arm = motion["handle.frame_b.r_0"] - motion["box.frame_a.r_0"]
    return motion["pushing.y"] * (motion["box.v_0"].x - motion["box.w_a"].z * arm.y)


class Hoist(Model):
    """A carriage that a spring lifts to its stop, with an arm that rubs by its own reaction.

    Hits are against what the weight of the arm does to its hinge, and become ever smaller.
    """

    def build(self) -> None:
        self.world, self.foot = World(), Fixed(r=(0.0, -0.5, 0.0))
        self.lift = Prismatic(n="y", s=0.1, v=0.0, stops=(None, 0.2), restitution=0.3)
        self.carriage, self.spring = Body(m=1.0), Spring(c=120.0, s_unstretched=1.2)
        self.hinge = Revolute(phi=0.3, w=4.0, friction=Coulomb(mu=0.2, radius=0.03))
        self.arm = BodyShape(r=(0.5, 0, 0), r_CM=(0.1, 0, 0), m=2.0, I_22=0.1, I_33=0.1)
        self.world.frame_b >> self.lift.frame_a
        self.lift.frame_b >> self.carriage.frame_a
        self.lift.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.arm.frame_a
        self.foot.frame_b >> self.spring.frame_a
        self.lift.frame_b >> self.spring.frame_b


COULOMB, STRIBECK = Coulomb(f=4.0, peak=1.25), Stribeck(f=4.0, stribeck=1.0, fexp=20.0)
CASES: dict[str, tuple[Callable[[], Model], Power, float]] = {
    "bouncing ball": (Ball, lambda m: -0.2 * 9.81 * m["ball.v"], 5.0),
    "brake in a four-bar": (BrakedFourBar, lambda m: m["bearing.tau"] * m["bearing.w"], 4.0),
    "gear shift": (GearShift, lambda m: 140.0 * m["engine.w"], 3.0),
    "stick and slip": (
        lambda: BlockOnBelt(friction=COULOMB), belt, 6.0),
    "stick and slip, falling": (
        lambda: BlockOnBelt(friction=STRIBECK), belt, 6.0),
    "drive line": (DriveLine, of_drag, 1.0),
    "pendulum": (lambda: pendulum.Pendulum(damping=0.3), nothing, 3.0),
    "double pendulum": (double_pendulum.DoublePendulum, nothing, 3.0),
    "trolley": (trolley_pendulum.TrolleyPendulum, nothing, 3.0),
    "tipping box": (lambda: Box(mu=0.5), of_push, 1.0),
    "sliding box": (lambda: Box(mu=0.2), of_push, 1.0),
    "hits and friction by reactions": (Hoist, nothing, 1.0),
    "fourfold pendulum": (fourfold_pendulum.FourfoldPendulum, nothing, 1.0),
}  # fmt: skip


def with_ledger(model: Model, power: Power) -> tuple[Model, int]:
    """Let a model integrate what is lost less what sources give; return how many parts lose."""
    compiled = model.compile()
    losing = [
        part
        for part in model.walk()
        if "lossPower" in part.variables(compiled.mechanism.inventory.parameters_of(part))
    ]

    def balance(motion: Motion) -> object:
        lost = [motion.variable(part, "lossPower") for part in losing]
        return sum(lost, start=-power(motion))  # type: ignore[operator]

    model.balance, model.ledger = blocks.Expression(f=balance), blocks.Integrator()
    model.balance.y >> model.ledger.u
    return model, len(losing)


@pytest.mark.kinds(8)
@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_energy_with_all_that_is_lost_and_given_does_not_change(name):
    make, power, stop = CASES[name]
    model, losing = with_ledger(make(), power)
    result = model.simulate(stop, rtol=1e-10)
    hits = np.array([event.energy_lost or 0.0 for event in result.events])
    assert result.complete and (losing or hits.any())
    taken = np.searchsorted(result.events.times, result.time, side="right")
    lost = np.concatenate([[0.0], np.cumsum(hits)])[taken]
    energy = result.energy()["total"]
    total = energy + result["ledger.y"] + lost
    moved = max(np.ptp(energy), np.ptp(result["ledger.y"] + lost))
    assert moved > 0.0 and np.ptp(total) < 1e-8 * moved, np.ptp(total) / moved
    # the balance of the result, from powers between the steps, is the same
    own = result.energy()
    given = own["supplied"] + own["undeclared"] - own["lost"]
    ledger = result["ledger.y"] + lost
    np.testing.assert_allclose(given, ledger[0] - ledger, rtol=0, atol=1e-7 * moved)
