"""OneWayClutchDisengaged: a one-way clutch without pressure: a freewheel.

The driving side takes the load along as long as it does not fall behind. Data of
Modelica.Mechanics.Rotational.Examples.OneWayClutchDisengaged. Writes
one_way_clutch_disengaged.png.
"""

import numpy as np

from motorik import Model, blocks, rotational


class OneWayClutchDisengaged(Model):
    """A driven inertia, a freewheel and a loaded inertia."""

    def build(self) -> None:
        """Connect the line; the clutch is not pressed."""
        self.inertiaIn = rotational.Inertia(J=1.0, phi=0.0, w=-0.5)
        self.inertiaOut = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        self.oneWayClutch = rotational.OneWayClutch(peak=25.0, fn_max=3.0)
        self.torque = rotational.Torque()
        self.torqueLoad = rotational.ConstantTorque(tau_constant=-0.3)
        self.signalTorque = blocks.Sine(offset=0.3, amplitude=10.0, f=2.0)
        self.signalEngagement = blocks.Constant(k=0.0)
        self.torque.flange >> self.inertiaIn.flange_a
        self.signalTorque.y >> self.torque.tau
        self.inertiaIn.flange_b >> self.oneWayClutch.flange_a
        self.oneWayClutch.flange_b >> self.inertiaOut.flange_a
        self.signalEngagement.y >> self.oneWayClutch.f_normalized
        self.inertiaOut.flange_b >> self.torqueLoad.flange


def main() -> None:
    """Tell for how long the freewheel transmits torque."""
    result = OneWayClutchDisengaged().simulate(2.0)
    held = np.abs(result["oneWayClutch.w_rel"]) < 1e-9
    print(f"the freewheel holds {100.0 * held.mean():.0f} % of the time")
    print(f"it transmits up to {np.abs(result['oneWayClutch.tau']).max():.2f} N·m")
    result.plot(
        "inertiaIn.w",
        "inertiaOut.w",
        "oneWayClutch.tau",
        file="one_way_clutch_disengaged.png",
    )


if __name__ == "__main__":
    main()
