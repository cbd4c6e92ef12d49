"""Pendulum: the first mechanism, with damping changed without compiling again.

Writes pendulum.png.
"""

from motorik import Body, Model, Parameter, Revolute, World, rotational


class Pendulum(Model):
    """A body on a hinge with a damper; horizontal at the start."""

    def build(self, damping):
        """Create the parts by assignment and connect them, in any order."""
        self.world = World()  # y up, uniform gravity
        self.rev = Revolute(n="z", useAxisFlange=True)
        self.body = Body(m=1.0, r_CM=(0.5, 0, 0))
        self.damper = rotational.Damper(d=damping)
        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.body.frame_a
        self.rev.support >> self.damper.flange_a
        self.damper.flange_b >> self.rev.axis


def main() -> None:
    """Simulate with little and with much damping."""
    pendulum = Pendulum(damping=Parameter(0.1))
    print(pendulum.explain())
    for damping in (0.1, 0.4):
        result = pendulum.simulate(10.0, parameters={"damper.d": damping})
        print(result.summary())
        print(
            f"  swings out to {result['rev.phi'].min():.3f} rad with d = {damping} N·m·s/rad"
        )
    pendulum.simulate(10.0).plot("rev.phi", "rev.w", "damper.tau", file="pendulum.png")


if __name__ == "__main__":
    main()
