"""LineForceWithTwoMasses: a line force with two masses, and the same of joints.

A damper acts between two points; its two halves have masses. Once as a force element, once of a
joint assembly with two bodies. Data of
Modelica.Mechanics.MultiBody.Examples.Elementary.LineForceWithTwoMasses. Writes
line_force_with_two_masses.png (plot) and line_force_with_two_masses_pose.png (picture).
"""

import numpy as np

from motorik import (
    Body,
    BodyBox,
    FixedTranslation,
    Model,
    Revolute,
    World,
    assemblies,
    connect,
    forces,
    translational,
)

ALONG = np.array([0.7, 1.2, 0.0]) / np.hypot(0.7, 1.2)  # of the damper at the start
POINT = {"I_11": 0.0, "I_22": 0.0, "I_33": 0.0, "physical": False}  # a mass in a point


class LineForceWithTwoMasses(Model):
    """Two boxes on hinges, each with a damper whose two halves have a mass of 1 kg."""

    def build(self) -> None:
        """Build the box with the assembly, and beside it that with the force element."""
        self.world = World()
        self.revolute1 = Revolute(phi=0.0, w=0.0)
        self.bodyBox1 = BodyBox(r=(0.7, 0, 0))
        self.rod1 = FixedTranslation(r=(0, -0.9, 0), width=0.01)
        self.jointUPS = assemblies.JointUPS(useAxisFlange=True, nAxis_ia=ALONG)
        self.body1 = Body(m=1.0, r_CM=0.2 * ALONG, **POINT)
        self.body2 = Body(m=1.0, r_CM=-0.2 * ALONG, **POINT)
        self.rod2 = FixedTranslation(r=(0, 0.3, 0), width=0.01)
        self.damper1 = translational.Damper(d=3.0)
        self.revolute2 = Revolute(phi=0.0, w=0.0)
        self.bodyBox2 = BodyBox(r=(0.7, 0, 0))
        self.rod3 = FixedTranslation(r=(0, -0.9, 0.3), width=0.01)
        self.rod4 = FixedTranslation(r=(0, 0.3, 0.3), width=0.01)
        self.damper2 = translational.Damper(d=3.0)
        self.lineForceWithTwoMasses = forces.LineForceWithTwoMasses(
            m_a=1.0, m_b=1.0, L_a=0.2, L_b=0.2, cylinderLength_a=0.2, cylinderLength_b=1.2
        )
        self.jointUPS.bearing >> self.damper1.flange_a
        self.damper1.flange_b >> self.jointUPS.axis
        self.jointUPS.frame_ib >> self.body2.frame_a
        connect(
            self.world.frame_b,
            self.rod2.frame_a,
            self.rod1.frame_a,
            self.rod4.frame_a,
            self.rod3.frame_a,
        )
        self.rod2.frame_b >> self.revolute1.frame_a
        self.revolute1.frame_b >> self.bodyBox1.frame_a
        self.bodyBox1.frame_b >> self.jointUPS.frame_b
        self.body1.frame_a >> self.jointUPS.frame_ia
        self.rod1.frame_b >> self.jointUPS.frame_a
        self.rod4.frame_b >> self.revolute2.frame_a
        self.revolute2.frame_b >> self.bodyBox2.frame_a
        self.rod3.frame_b >> self.lineForceWithTwoMasses.frame_a
        self.lineForceWithTwoMasses.frame_b >> self.bodyBox2.frame_b
        self.lineForceWithTwoMasses.flange_b >> self.damper2.flange_b
        self.lineForceWithTwoMasses.flange_a >> self.damper2.flange_a


def main() -> None:
    """Compare both motions."""
    result = LineForceWithTwoMasses().simulate(3.0, rtol=1e-9)
    apart = np.abs(result["revolute1.phi"] - result["revolute2.phi"]).max()
    print(f"the hinges turn alike, within {apart:.1g} rad")
    cut = [result[f"bodyBox{k}.frame_b.f"] for k in (1, 2)]
    print(f"the cut forces differ by up to {np.abs(cut[0] - cut[1]).max():.1g} N")
    result.plot(
        "revolute1.phi",
        "revolute2.phi",
        "damper1.f",
        "damper2.f",
        file="line_force_with_two_masses.png",
    )
    result.draw(0.4, file="line_force_with_two_masses_pose.png")


if __name__ == "__main__":
    main()
