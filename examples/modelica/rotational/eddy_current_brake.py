"""EddyCurrentBrake: an eddy current brake that gets hot.

Its largest torque grows to 100 N·m within 0.1 s. The speed at which the torque is largest
rises with the resistance of the warm disk. Data of
Modelica.Mechanics.Rotational.Examples.EddyCurrentBrake, where an excitation from 0 to 1 stands for
the largest torque. Writes eddy_current_brake.png.
"""

from motorik import Model, blocks, heat, rotational


class EddyCurrentBrake(Model):
    """An inertia with 20 rad/s, and a brake that warms its disk."""

    def build(self) -> None:
        """Connect inertia, brake and disk."""
        self.eddyCurrentTorque = rotational.EddyCurrentTorque(
            useTau_nominalInput=True, w_nominal=10.0, alpha20=3.92e-3, useHeatPort=True
        )
        self.inertia = rotational.Inertia(J=1.0, phi=0.0, w=20.0)
        self.heatCapacitor = heat.HeatCapacitor(C=1.0, T=293.15)
        self.ramp = blocks.Ramp(height=100.0, duration=0.1, startTime=0.1)
        self.ramp.y >> self.eddyCurrentTorque.tau_input
        self.eddyCurrentTorque.flange >> self.inertia.flange_a
        self.eddyCurrentTorque.heatPort >> self.heatCapacitor.port


def main() -> None:
    """Compare the heat of the disk with the energy of the inertia."""
    result = EddyCurrentBrake().simulate(1.0)
    kinetic = 0.5 * (20.0**2 - result["inertia.w"][-1] ** 2)
    warmer = result["heatCapacitor.T"][-1] - result["heatCapacitor.T"][0]
    print(f"the inertia loses {kinetic:.3f} J; the disk of 1 J/K is {warmer:.3f} K warmer")
    result.plot(
        "inertia.w",
        "eddyCurrentTorque.tau",
        "heatCapacitor.T",
        file="eddy_current_brake.png",
    )


if __name__ == "__main__":
    main()
