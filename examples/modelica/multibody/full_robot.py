"""FullRobot: the robot r3 with six driven axes.

Each axis has path planning, cascade control, an electrical motor and a gear with friction; three
gears are elastic. Data of Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot; the
model is `motorik.gallery.robot_r3.FullRobot`. Writes full_robot.png (plot) and full_robot_pose.png
(picture); `examples/robot_r3.py` draws a movie and looks closer.
"""

import numpy as np

from motorik.gallery.robot_r3 import FullRobot


def main() -> None:
    """Tell how well the axes follow their paths, and where the energy goes."""
    result = FullRobot().simulate(2.0)
    for k in range(1, 7):
        error = np.degrees(result[f"mechanics.r{k}.phi"] - result[f"pathPlanning.q[{k}]"])
        current = np.abs(result[f"axis[{k}].motor.La.i"]).max()
        print(
            f"axis {k}: up to {np.abs(error).max():5.2f}° off its path, up to {current:5.2f} A"
        )
    print(f"{len(result.events)} events")
    energy = result.energy()
    print(
        f"supplied {energy['supplied'][-1]:.2f} J, lost {energy['lost'][-1]:.2f} J, "
        f"not balanced up to {abs(energy['imbalance']).max():.1g} J"
    )
    for part in sorted(energy.lost_by, key=lambda name: -energy.lost_by[name][-1])[:5]:
        print(f"  {energy.lost_by[part][-1]:6.2f} J lost in {part}")
    result.plot(
        *(f"mechanics.r{k}.phi" for k in range(1, 7)),
        *(f"axis[{k}].motor.La.i" for k in range(1, 7)),
        unit="deg",
        file="full_robot.png",
    )
    result.draw(1.0, trace="mechanics.load.frame_a", ghosts=3, file="full_robot_pose.png")


if __name__ == "__main__":
    main()
