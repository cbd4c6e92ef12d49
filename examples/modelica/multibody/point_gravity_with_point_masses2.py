"""PointGravityWithPointMasses2: a rigid frame of six point masses, and the same of bodies.

Point masses on a cross of rods make a body that turns; a cross of bodies without inertia moves
alike. Data of Modelica.Mechanics.MultiBody.Examples.Elementary.PointGravityWithPointMasses2.
Writes point_gravity_with_point_masses2.png (plot) and point_gravity_with_point_masses2_pose.png
(picture).
"""

import numpy as np

from motorik import (
    Body,
    FixedTranslation,
    FreeMotion,
    Model,
    PointMass,
    Start,
    World,
    connect,
)

ARMS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
START, SPEED = (3.0, 0, 0), (0, 0, -1.0)  # of the first mass


class SystemWithStandardBodies(Model):
    """Six bodies without inertia on a cross of rods."""

    def build(self) -> None:
        """Join the bodies; the first one has the start values."""
        free = {"I_11": 0.0, "I_22": 0.0, "I_33": 0.0, "physical": False}
        self.pointMass1 = Body(
            m=1.0, **free, r_0=START, v_0=SPEED, angles_fixed=True, w_0_fixed=True
        )
        others = [Body(m=1.0, **free) for _ in ARMS[1:]]
        self.pointMass2, self.pointMass3, self.pointMass4, *last = others
        self.pointMass5, self.pointMass6 = last
        self.rods = [FixedTranslation(r=arm) for arm in ARMS]
        connect(*(rod.frame_a for rod in self.rods))
        for rod, mass in zip(self.rods, (self.pointMass1, *others), strict=True):
            rod.frame_b >> mass.frame_a


class PointGravityWithPointMasses2(Model):
    """Two crosses of six masses that orbit the centre of gravity."""

    def build(self) -> None:
        """Join six point masses by rods; the second cross is of bodies."""
        self.world = World(gravityType="PointGravity", mu=5.0, gravitySphereDiameter=0.1)
        self.pointMass1 = PointMass(m=1.0, r_0=START, v_0=SPEED)
        self.pointMass2 = PointMass(m=1.0)
        x, z = (True, False, False), (False, False, True)  # components that are fixed
        self.pointMass3 = PointMass(m=1.0, r_0=Start((2, 1, 0), x), v_0=Start(SPEED, x))
        self.pointMass4 = PointMass(m=1.0, r_0=Start((2, -1, 0), z), v_0=Start(SPEED, z))
        self.pointMass5 = PointMass(m=1.0, r_0=Start((2, 0, 1), z), v_0=Start(SPEED, z))
        self.pointMass6 = PointMass(m=1.0)
        self.rods = [FixedTranslation(r=arm) for arm in ARMS]
        self.freeMotion = FreeMotion()
        self.referenceSystem = SystemWithStandardBodies()
        self.world.frame_b >> self.freeMotion.frame_a
        connect(self.freeMotion.frame_b, *(rod.frame_a for rod in self.rods))
        first = (self.pointMass1, self.pointMass2, self.pointMass3)
        rest = (self.pointMass4, self.pointMass5, self.pointMass6)
        for rod, mass in zip(self.rods, (*first, *rest), strict=True):
            rod.frame_b >> mass.frame_a


def main() -> None:
    """Compare both crosses."""
    result = PointGravityWithPointMasses2().simulate(2.0, rtol=1e-9)
    apart = np.abs(
        result["pointMass2.r_0"] - result["referenceSystem.pointMass2.r_0"]
    ).max()
    print(f"the crosses are never more than {apart:.1g} m apart")
    print(f"energy kept within {np.ptp(result.energy()['total']):.1g} J")
    result.plot(
        "pointMass1.r_0", "pointMass2.r_0", file="point_gravity_with_point_masses2.png"
    )
    result.draw(
        trace="pointMass1.frame_a", file="point_gravity_with_point_masses2_pose.png"
    )


if __name__ == "__main__":
    main()
