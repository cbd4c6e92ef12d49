"""EddyCurrentBrake: an eddy current brake that gets hot.

Its largest force grows to 100 N within 0.1 s. The speed at which the force is largest rises
with the resistance of the warm rail. Data of
Modelica.Mechanics.Translational.Examples.EddyCurrentBrake, where an excitation from 0 to 1 stands
for the largest force. Writes eddy_current_brake.png.
"""

from motorik import Model, blocks, heat, translational


class EddyCurrentBrake(Model):
    """A mass with 20 m/s, and a brake that warms its rail."""

    def build(self) -> None:
        """Connect mass, brake and rail."""
        self.eddyCurrentForce = translational.EddyCurrentForce(
            useF_nominalInput=True, v_nominal=10.0, alpha20=3.92e-3, useHeatPort=True
        )
        self.mass = translational.Mass(m=1.0, s=0.0, v=20.0)
        self.heatCapacitor = heat.HeatCapacitor(C=1.0, T=293.15)
        self.ramp = blocks.Ramp(height=100.0, duration=0.1, startTime=0.1)
        self.ramp.y >> self.eddyCurrentForce.f_input
        self.eddyCurrentForce.flange >> self.mass.flange_a
        self.eddyCurrentForce.heatPort >> self.heatCapacitor.port


def main() -> None:
    """Compare the heat of the rail with the energy of the mass."""
    result = EddyCurrentBrake().simulate(1.0)
    kinetic = 0.5 * (20.0**2 - result["mass.v"][-1] ** 2)
    warmer = result["heatCapacitor.T"][-1] - result["heatCapacitor.T"][0]
    print(f"the mass loses {kinetic:.3f} J; the rail of 1 J/K is {warmer:.3f} K warmer")
    result.plot(
        "mass.v", "eddyCurrentForce.f", "heatCapacitor.T", file="eddy_current_brake.png"
    )


if __name__ == "__main__":
    main()
