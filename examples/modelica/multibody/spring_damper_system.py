"""SpringDamperSystem: a free body and a guided one on springs.

A spring and a damper hold a body that moves freely; a spring holds one on a slide. Data of
Modelica.Mechanics.MultiBody.Examples.Elementary.SpringDamperSystem. Writes
spring_damper_system.png (plot) and spring_damper_system_pose.png (picture).
"""

import numpy as np

from motorik import Body, FixedTranslation, Model, Prismatic, World, connect, deg, forces


class SpringDamperSystem(Model):
    """A free body on a spring and a damper, and a body on a slide with a spring."""

    def build(self) -> None:
        """Hang both bodies on a bar."""
        self.world = World()
        self.body1 = Body(
            angles_fixed=True,
            r_0=(0.3, -0.2, 0),
            v_0=(0, 0, 0),
            w_0_fixed=True,
            w_0_start=deg((0, 0, 2)),
            r_CM=(0, -0.2, 0),
            I_11=0.1,
            I_22=0.1,
            I_33=0.1,
            cylinderDiameter=0.05,
            sphereDiameter=0.15,
        )
        self.bar1 = FixedTranslation(r=(0.3, 0, 0))
        self.bar2 = FixedTranslation(r=(0.6, 0, 0))
        self.body2 = Body(cylinderDiameter=0.05, sphereDiameter=0.15)
        self.p2 = Prismatic(useAxisFlange=True, n="-y", stateSelect="always", s=0.1, v=0.0)
        self.spring2 = forces.Spring(c=30.0, s_unstretched=0.1, width=0.1)
        self.spring1 = forces.Spring(c=30.0, s_unstretched=0.1, width=0.1)
        self.damper1 = forces.Damper(d=2.0)
        self.world.frame_b >> self.bar1.frame_a
        connect(
            self.bar1.frame_b, self.bar2.frame_a, self.damper1.frame_a, self.spring1.frame_a
        )
        connect(self.bar2.frame_b, self.p2.frame_a, self.spring2.frame_a)
        connect(self.p2.frame_b, self.body2.frame_a, self.spring2.frame_b)
        connect(self.damper1.frame_b, self.body1.frame_a, self.spring1.frame_b)


def main() -> None:
    """Compare the period of the guided body with that of a mass on a spring."""
    result = SpringDamperSystem().simulate(10.0, output=5000)
    v = result["p2.v"]
    crossings = result.time[1:][(v[1:] >= 0.0) & (v[:-1] < 0.0)]
    period = 2.0 * np.pi * np.sqrt(1.0 / 30.0)
    print(
        f"period {np.mean(np.diff(crossings)):.4f} s, of a mass on a spring {period:.4f} s"
    )
    print(f"the free body hangs at {result['body1.r_0'][-1].round(4)} m in the end")
    result.plot(
        "body1.r_0[2]", "p2.s", "damper1.f", "spring2.f", file="spring_damper_system.png"
    )
    result.draw(1.0, camera="front", file="spring_damper_system_pose.png")


if __name__ == "__main__":
    main()
