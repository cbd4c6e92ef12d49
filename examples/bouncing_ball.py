"""A ball falls on the floor, rebounds with 80 % of its speed, and comes to rest.

Infinitely many rebounds follow one another in a finite time. The run finds every one that
numbers can tell, and the time at which the ball rests. Writes bouncing_ball.png.
"""

import math
from collections.abc import Iterable

from motorik import Model, translational
from motorik.authoring import (
    Contribution,
    ForceBounds,
    LineForce,
    NonsmoothConstraint,
    TranslationalTwoFlanges,
    Values,
    kinds,
    nonsmooth_force,
    parameter,
)

G = 9.81  # m/s²


class Floor(TranslationalTwoFlanges):
    """A floor: flange_b does not go below flange_a, and rebounds by the factor e."""

    contact = nonsmooth_force("contact force", "N")
    e: kinds.Factor = parameter("coefficient of restitution", default=0.8)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute a force that only presses, where the gap is closed."""
        a, b = self.flange_a, self.flange_b
        yield LineForce(a, b, p, lambda p, s, v: -p.contact.force)
        yield NonsmoothConstraint(
            self,
            "contact",
            speed=lambda motion: motion.flange(b)[1] - motion.flange(a)[1],
            bounds=lambda motion: ForceBounds(0.0, math.inf, 0.0, 0.0),
            gap=lambda motion: motion.flange(b)[0] - motion.flange(a)[0],
            restitution=p.e,
        )


class Ball(Model):
    """A ball 1 m above the floor."""

    def build(self, e: float = 0.8) -> None:
        """Let it fall."""
        self.ground = translational.Fixed()
        self.ball = translational.Mass(m=0.2, s=1.0, v=0.0)
        self.floor = Floor(e=e)
        self.weight = translational.ConstantForce(f_constant=-0.2 * G)
        self.connect(self.ground.flange, self.floor.flange_a)
        self.connect(self.floor.flange_b, self.ball.flange_a)
        self.connect(self.weight.flange, self.ball.flange_b)


def main() -> None:
    """Let the ball fall, and compare the time of rest with the closed form."""
    result = Ball().simulate(5.0, rtol=1e-10, output=2000)
    hits = [event for event in result.events if event.what == "hits"]
    rest = result.events[-1]
    exact = math.sqrt(2.0 / G) * (1.0 + 0.8) / (1.0 - 0.8)
    lost = sum(event.energy_lost or 0.0 for event in hits)
    print(f"{len(hits)} hits; it rests at {rest.time:.12f} s, exactly {exact:.12f} s")
    print(f"energy lost by hits {lost:.9f} J of {0.2 * G:.9f} J")
    result.plot("ball.s", "ball.v", events=False, file="bouncing_ball.png")


if __name__ == "__main__":
    main()
