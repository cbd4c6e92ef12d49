"""UserDefinedGravityField: a gravity field of one's own.

The normal gravity of the WGS 84 ellipsoid at the equator decreases with the height (NIMA
TR8350.2, 2000). Data of Modelica.Mechanics.MultiBody.Examples.Elementary.UserDefinedGravityField.
Writes user_defined_gravity_field.png (plot) and user_defined_gravity_field_pose.png (picture).
"""

import numpy as np

from motorik import Body, FixedTranslation, Model, Revolute, World, rotational
from motorik.algebra import Vector

EQUATOR = 9.7803253359  # m/s², normal gravity on the ellipsoid
A, B = 6378137.0, 6356752.3142  # m, half axes of the ellipsoid
FLATTENING = 1.0 / 298.257223563
CENTRIFUGAL = 7292115e-11**2 * A**2 * B / 3986004.418e8  # ω² a² b / GM


def normal_gravity(r: Vector) -> Vector:
    """Return γ = γ_e (1 − 2 (1 + f + m) h/a − 3 h²/a²) along −y at the height h = r.y [m].

    The quadratic term has the sign of Modelica's example; at 20 m it is 3e-11 of γ.
    """
    h = r.y / A
    slope = 2.0 * (1.0 + FLATTENING + CENTRIFUGAL)
    return Vector(0.0, -EQUATOR * (1.0 - h * (slope + 3.0 * h)), 0.0)


class UserDefinedGravityField(Model):
    """A pendulum of 1000 kg, 20 m above the ground at the equator."""

    def build(self) -> None:
        """Hang the pendulum on a tower; the world has its own gravity function."""
        self.world = World(gravityType="NoGravity", gravityAcceleration=normal_gravity)
        self.rev = Revolute(useAxisFlange=True, phi=0.0, w=0.0)
        self.damper = rotational.Damper(d=0.1)
        self.body = Body(m=1000.0, r_CM=(10.0, 0, 0), sphereDiameter=1.0)
        self.fixedTranslation = FixedTranslation(r=(0, 20.0, 0), width=0.3)
        self.damper.flange_b >> self.rev.axis
        self.rev.support >> self.damper.flange_a
        self.rev.frame_b >> self.body.frame_a
        self.world.frame_b >> self.fixedTranslation.frame_a
        self.fixedTranslation.frame_b >> self.rev.frame_a


def main() -> None:
    """Tell the gravity at the hinge."""
    result = UserDefinedGravityField().simulate(10.0, rtol=1e-9)
    g = -normal_gravity(Vector(0.0, 20.0, 0.0)).y
    print(f"g = {g:.8f} m/s² at 20 m, {EQUATOR:.8f} m/s² on the ground")
    print(f"it swings out to {np.degrees(result['rev.phi'].min()):.3f}°")
    result.plot("rev.phi", "rev.w", file="user_defined_gravity_field.png")
    result.draw(1.5, camera="front", file="user_defined_gravity_field_pose.png")


if __name__ == "__main__":
    main()
