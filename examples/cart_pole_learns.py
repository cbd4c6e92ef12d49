"""A cart learns to balance a pole: hundreds of controllers are tried at once, the best are mixed.

Each of 256 simulations has weights of its own for the four observations; those that keep the pole
up for longest give mean and spread of the next ones (cross-entropy method). The environment is one
of Gymnasium, so that its algorithms work on it as well: ``pip install motorik[learning]``.
"""

import numpy as np

from motorik import Model, Parameter, World, translational
from motorik.joints import Prismatic, Revolute
from motorik.learning import Environment
from motorik.parts import Body, BodyShape

COUNT, STEPS = 256, 250  # controllers in a generation; actions in a trial, of 0.02 s each


class CartPole(Model):
    """A cart on a rail with an upright pole on a hinge; a force on the cart is live."""

    def build(self) -> None:
        """Connect rail, cart and pole."""
        self.world = World()
        self.rail = Prismatic(n="x", useAxisFlange=True)
        self.cart = Body(m=1.0, I_11=0.01, I_22=0.01, I_33=0.01)
        self.hinge = Revolute(n="z")
        self.pole = BodyShape(r=(0, 1, 0), m=0.1, r_CM=(0, 0.5, 0), I_11=0.008, I_33=0.008)
        self.push = translational.ConstantForce(f_constant=Parameter(0.0))
        self.connect(self.world.frame_b, self.rail.frame_a)
        self.connect(self.rail.frame_b, self.cart.frame_a)
        self.connect(self.rail.frame_b, self.hinge.frame_a)
        self.connect(self.hinge.frame_b, self.pole.frame_a)
        self.connect(self.push.flange, self.rail.axis)


def make_environment() -> Environment:
    """Return the trials: a pole within 0.2 rad of upright, a cart within 2.4 m of the middle."""
    return Environment(
        CartPole(),
        COUNT,
        actions={"push.f_constant": (-10.0, 10.0)},
        observations=["rail.s", "rail.v", "hinge.phi", "hinge.w"],
        reward=lambda seen, action: 1.0 - 0.1 * seen[:, 0] ** 2,
        is_over=lambda seen: (abs(seen[:, 0]) > 2.4) | (abs(seen[:, 2]) > 0.2),
        start=lambda random, count: {
            name: random.uniform(-0.05, 0.05, count) for name in ("rail.s", "hinge.phi")
        },
        dt=0.02,
        limit=STEPS,
    )


def learn(generations: int = 12, seed: int = 1) -> list[float]:
    """Return how long [s] the mean controller of each generation keeps the pole up."""
    environment, random = make_environment(), np.random.default_rng(seed)
    mean, spread = np.zeros(4), np.full(4, 10.0)
    found = []
    for generation in range(generations):
        weights = mean + spread * random.standard_normal((COUNT, 4))
        weights[0] = mean
        seen, _ = environment.reset(seed=seed + generation)
        rewards, alive = np.zeros(COUNT), np.ones(COUNT, dtype=bool)
        steps = 0
        for _ in range(STEPS):
            seen, gained, over, _, _ = environment.step((weights * seen).sum(axis=1))
            rewards += gained * alive
            alive &= ~over
            steps += int(alive[0])
        best = weights[np.argsort(rewards)[-COUNT // 8 :]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.1
        found.append(0.02 * steps)
    return found


def main() -> None:
    """Print how the controllers get better."""
    for generation, seconds in enumerate(learn()):
        print(f"generation {generation:2d}: the pole stays up for {seconds:.2f} s")


if __name__ == "__main__":
    main()
