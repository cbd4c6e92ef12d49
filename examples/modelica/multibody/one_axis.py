"""OneAxis: one axis of the robot r3 turns a load by 120°.

Path planning, cascade control, an electrical motor with current control by operational amplifiers,
and an elastic gear with friction. Data of
Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.OneAxis; the model is
`motorik.gallery.robot_r3.OneAxis`. Writes one_axis.png.
"""

import numpy as np

from motorik.gallery.robot_r3 import OneAxis


def main() -> None:
    """Tell how well the load follows its path, and what the motor needs."""
    result = OneAxis().simulate(1.6)
    error = np.degrees(result["load.phi"] - result["pathPlanning.q"])
    print(
        f"the load is up to {np.abs(error).max():.2f}° off its path, {error[-1]:+.4f}° at the end"
    )
    current = result["axis.motor.La.i"]
    print(f"the motor draws {current.min():.2f} to {current.max():.2f} A")
    slips = sum(event.what.startswith("slips") for event in result.events)
    print(f"the bearing of the gear begins to slip {slips} times")
    result.plot(
        "load.phi",
        "pathPlanning.q",
        "load.w",
        "axis.motor.La.i",
        "axis.bearingFriction.tau",
        file="one_axis.png",
    )


if __name__ == "__main__":
    main()
