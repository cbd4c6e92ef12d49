"""OneWayClutch: a one-way clutch that is also pressed as a clutch.

Pressed, it forces both inertias to one speed; open, it only keeps the driving side from
overtaking. Data of Modelica.Mechanics.Rotational.Examples.OneWayClutch. Writes
one_way_clutch.png.
"""

import numpy as np

from motorik import Model, blocks, rotational


class OneWayClutch(Model):
    """A driven inertia, a one-way clutch and an inertia behind it."""

    def build(self) -> None:
        """Connect the line and the signal that presses the clutch."""
        self.inertiaIn = rotational.Inertia(J=1.0, phi=0.0, w=-0.5)
        self.inertiaOut = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        self.oneWayClutch = rotational.OneWayClutch(peak=25.0, fn_max=3.0)
        self.torque = rotational.Torque()
        self.signalTorque = blocks.Sine(amplitude=10.0, f=3.0)
        self.signalEngagement = blocks.Pulse(startTime=0.3, period=1.3)
        self.torque.flange >> self.inertiaIn.flange_a
        self.signalTorque.y >> self.torque.tau
        self.inertiaIn.flange_b >> self.oneWayClutch.flange_a
        self.oneWayClutch.flange_b >> self.inertiaOut.flange_a
        self.signalEngagement.y >> self.oneWayClutch.f_normalized


def main() -> None:
    """List when the clutch sticks and slips."""
    result = OneWayClutch().simulate(2.0)
    print(result.events)
    most = np.max(result["oneWayClutch.lossPower"])
    print(f"the clutch takes up to {most:.1f} W")
    result.plot(
        "inertiaIn.w",
        "inertiaOut.w",
        "oneWayClutch.tau",
        "oneWayClutch.lossPower",
        file="one_way_clutch.png",
    )


if __name__ == "__main__":
    main()
