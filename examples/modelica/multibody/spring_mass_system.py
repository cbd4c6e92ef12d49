"""SpringMassSystem: a spring on a drive line and a spring between frames.

Both masses slide; one spring acts on the axis of the slide, the other between its frames. Data of
Modelica.Mechanics.MultiBody.Examples.Elementary.SpringMassSystem. Writes spring_mass_system.png
(plot) and spring_mass_system_pose.png (picture).
"""

import numpy as np

from motorik import (
    Body,
    FixedTranslation,
    Model,
    Prismatic,
    World,
    connect,
    forces,
    translational,
)


class SpringMassSystem(Model):
    """Two masses on slides with springs of 30 N/m."""

    def build(self) -> None:
        """Hang both slides on a bar."""
        self.world = World()
        self.p1 = Prismatic(useAxisFlange=True, n="-y", s=0.1, v=0.0)
        self.spring1 = translational.Spring(c=30.0, s_rel0=0.1)
        self.body1 = Body(sphereDiameter=0.2)
        self.bar1 = FixedTranslation(r=(0.3, 0, 0))
        self.bar2 = FixedTranslation(r=(0.3, 0, 0))
        self.body2 = Body(sphereDiameter=0.2)
        self.p2 = Prismatic(useAxisFlange=True, n="-y", stateSelect="always", s=0.1, v=0.0)
        self.spring2 = forces.Spring(c=30.0, s_unstretched=0.1, width=0.1)
        self.p1.frame_b >> self.body1.frame_a
        self.world.frame_b >> self.bar1.frame_a
        connect(self.bar1.frame_b, self.p1.frame_a, self.bar2.frame_a)
        self.spring1.flange_b >> self.p1.axis
        connect(self.bar2.frame_b, self.p2.frame_a, self.spring2.frame_a)
        connect(self.p2.frame_b, self.body2.frame_a, self.spring2.frame_b)
        self.spring1.flange_a >> self.p1.support


def main() -> None:
    """Compare both motions with that of a mass on a spring."""
    result = SpringMassSystem().simulate(5.0)
    m, c, g = 1.0, 30.0, 9.80665
    exact = 0.1 + m * g / c * (1.0 - np.cos(np.sqrt(c / m) * result.time))
    for name in ("p1.s", "p2.s"):
        print(f"{name} is exact within {np.abs(result[name] - exact).max():.1g} m")
    result.plot("p1.s", "p2.s", "spring1.f", "spring2.f", file="spring_mass_system.png")
    result.draw(0.6, camera="front", file="spring_mass_system_pose.png")


if __name__ == "__main__":
    main()
