"""Double pendulum: simulate, plot and animate it.

Writes double_pendulum.png (plot), double_pendulum_pose.png (picture) and
double_pendulum.gif (animation) to the current folder.
"""

from motorik import BodyBox, Model, Parameter, Revolute, World, rotational


class DoublePendulum(Model):
    """Two steel boxes of 0.5 m, horizontal at rest at the start, falling in gravity along −y.

    60 mm wide and high; a damper of `damping` [N·m·s/rad] sits in the first hinge.
    """

    def build(self, damping: float | Parameter = 0.1) -> None:
        """Hang one box on the other."""
        self.world = World()
        self.hinge1 = Revolute(n="z", useAxisFlange=True)
        self.box1 = BodyBox(r=(0.5, 0, 0), width=0.06)
        self.hinge2 = Revolute(n="z")
        self.box2 = BodyBox(r=(0.5, 0, 0), width=0.06)
        self.damper = rotational.Damper(d=damping)
        self.world.frame_b >> self.hinge1.frame_a
        self.hinge1.frame_b >> self.box1.frame_a
        self.box1.frame_b >> self.hinge2.frame_a
        self.hinge2.frame_b >> self.box2.frame_a
        self.hinge1.support >> self.damper.flange_a
        self.damper.flange_b >> self.hinge1.axis


def main() -> None:
    """Release the pendulum and simulate ten seconds."""
    result = DoublePendulum().simulate(10.0, rtol=1e-9, output=1000)
    print(result.summary())
    tip = "box2.frame_b.r_0"
    result.plot(
        "hinge1.phi", "hinge2.phi", "hinge1.w", "hinge2.w", file="double_pendulum.png"
    )
    result.draw(3.0, trace=tip, file="double_pendulum_pose.png")
    film = result.to_movie("double_pendulum.gif", trace=tip, fps=20)
    print(f"wrote double_pendulum.png, double_pendulum_pose.png and {film}")


if __name__ == "__main__":
    main()
