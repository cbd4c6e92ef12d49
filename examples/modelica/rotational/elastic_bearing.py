"""ElasticBearing: a gear whose housing is held by an elastic bearing.

The torque on the housing turns it against spring and damper. Data of
Modelica.Mechanics.Rotational.Examples.ElasticBearing. Writes elastic_bearing.png.
"""

import numpy as np

from motorik import Model, blocks, connect, rotational


class ElasticBearing(Model):
    """Shaft, gear and load; the support of the gear is a housing on a spring."""

    def build(self) -> None:
        """Connect the line and the housing."""
        self.shaft = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        self.load = rotational.Inertia(J=50.0, w=0.0)
        self.spring = rotational.Spring(c=1000.0, phi_rel=0.0)
        self.fixed = rotational.Fixed()
        self.springDamper = rotational.SpringDamper(d=5.0, phi_rel=0.0, w_rel=0.0)
        self.torque = rotational.Torque(useSupport=True)
        self.ramp = blocks.Ramp(height=100.0, duration=5.0)
        self.idealGear = rotational.IdealGear(ratio=3.0, useSupport=True)
        self.housing = rotational.Inertia(J=5.0)
        self.multiSensor = rotational.MultiSensor()
        self.torque.flange >> self.shaft.flange_a
        self.spring.flange_b >> self.load.flange_a
        connect(self.fixed.flange, self.springDamper.flange_a, self.torque.support)
        self.shaft.flange_b >> self.idealGear.flange_a
        self.idealGear.flange_b >> self.spring.flange_a
        self.housing.flange_b >> self.idealGear.support
        self.ramp.y >> self.torque.tau
        self.multiSensor.flange_b >> self.housing.flange_a
        self.springDamper.flange_b >> self.multiSensor.flange_a


def main() -> None:
    """Compare the angle of the housing with the torque over the stiffness."""
    result = ElasticBearing().simulate(10.0)
    turned, torque = result["housing.phi"][-1], result["multiSensor.tau"][-1]
    print(
        f"in the end the housing has turned by {np.degrees(turned):.3f}°, held by {torque:.1f} N·m"
    )
    result.plot(
        "shaft.w", "load.w", "housing.phi", "multiSensor.tau", file="elastic_bearing.png"
    )


if __name__ == "__main__":
    main()
