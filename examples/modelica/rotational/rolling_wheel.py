"""RollingWheel: a wheel that rolls: a rotational and a translational line.

A torque step drives the wheel against air drag. Data of
Modelica.Mechanics.Rotational.Examples.RollingWheel. Writes rolling_wheel.png.
"""

import numpy as np

from motorik import Model, rotational, translational


class RollingWheel(Model):
    """A driven inertia whose wheel moves a mass."""

    def build(self) -> None:
        """Connect inertia, wheel, mass and drag."""
        self.idealRollingWheel = rotational.IdealRollingWheel(radius=1.0)
        self.inertia = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        self.torqueStep = rotational.TorqueStep(startTime=0.1, stepTorque=10.0)
        self.mass = translational.Mass(m=1.0)
        self.quadraticSpeedDependentForce = translational.QuadraticSpeedDependentForce(
            f_nominal=-10.0, v_nominal=5.0, ForceDirection=False
        )
        self.torqueStep.flange >> self.inertia.flange_a
        self.inertia.flange_b >> self.idealRollingWheel.flangeR
        self.idealRollingWheel.flangeT >> self.mass.flange_a
        self.quadraticSpeedDependentForce.flange >> self.mass.flange_b


def main() -> None:
    """Compare the last speed with that at which drag and drive balance."""
    result = RollingWheel().simulate(5.0)
    v = 5.0 * np.sqrt(10.0 / 10.0)  # m/s, where the drag is 10 N
    print(f"after 5 s the mass has {result['mass.v'][-1]:.3f} m/s of {v:.3f} m/s")
    result.plot(
        "inertia.w", "mass.v", "quadraticSpeedDependentForce.f", file="rolling_wheel.png"
    )


if __name__ == "__main__":
    main()
