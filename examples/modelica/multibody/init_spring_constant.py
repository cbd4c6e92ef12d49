"""InitSpringConstant: a spring constant that follows from the start.

The pendulum shall start horizontally at rest and without acceleration: the stiffness that holds
it is computed. Data of Modelica.Mechanics.MultiBody.Examples.Elementary.InitSpringConstant.
Writes init_spring_constant.png.
"""

import numpy as np

from motorik import BodyShape, Fixed, Model, Parameter, Revolute, World, forces, rotational


class InitSpringConstant(Model):
    """A pendulum whose end hangs on a spring of unknown stiffness."""

    def build(self) -> None:
        """Connect pendulum and spring; `fixed=False` leaves the stiffness to the start."""
        self.world = World()
        self.rev = Revolute(useAxisFlange=True, phi=0.0, w=0.0, a=0.0)
        self.damper = rotational.Damper(d=0.1)
        self.body = BodyShape(r=(1.0, 0, 0), r_CM=(0.5, 0, 0))
        self.fixed = Fixed(r=(1.0, 0.2, 0), width=0.02)
        self.spring = forces.Spring(
            c=Parameter(100.0, name="c", fixed=False), s_unstretched=0.1
        )
        self.world.frame_b >> self.rev.frame_a
        self.damper.flange_b >> self.rev.axis
        self.rev.support >> self.damper.flange_a
        self.rev.frame_b >> self.body.frame_a
        self.fixed.frame_b >> self.spring.frame_a
        self.body.frame_b >> self.spring.frame_b


def main() -> None:
    """Compare the stiffness found with that of the balance of moments."""
    model = InitSpringConstant()
    result = model.simulate(1.01)
    stiffness = model.simulator()["c"]
    weight, arm, length = 1.0 * 9.80665 * 0.5, 1.0, 0.2  # N·m, m, m
    print(f"c = {stiffness:.6f} N/m, by hand {weight / arm / (length - 0.1):.6f} N/m")
    print(f"the pendulum stays at rest within {np.abs(result['rev.phi']).max():.1g} rad")
    result.draw(0.0, camera="front", file="init_spring_constant.png")


if __name__ == "__main__":
    main()
