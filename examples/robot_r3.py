"""Robot r3 of Modelica's library: one axis by itself, then all six with the arm.

Each axis has a reference path as fast as the limits of speed and acceleration allow, a cascade of a
position and a speed controller, an electrical motor whose current is controlled by operational
amplifiers, and a gear with friction; the gears of the three large axes are elastic. The parts are
those of `motorik.gallery.robot_r3`; data of Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.
Writes robot_r3_axis.png, robot_r3_path.png and robot_r3_currents.png (plots), robot_r3.png
(picture) and robot_r3.gif (movie).
"""

import numpy as np

from motorik import Result
from motorik.gallery.robot_r3 import FullRobot, OneAxis

AXES = range(1, 7)
ELASTIC = range(1, 4)  # the axes whose gears are elastic


def one_axis() -> Result:
    """Turn a load of 15 kg by 120°; tell how it comes to rest."""
    result = OneAxis().simulate(1.6)
    error = np.degrees(result["load.phi"] - result["pathPlanning.q"])
    arrived = result.time[np.abs(error) > 0.05].max()
    print(
        f"one axis: up to {np.abs(error).max():.2f}° behind; within 0.05° after {arrived:.2f} s"
    )
    current = result["axis.motor.La.i"]
    print(f"  current {current.min():.1f} A to {current.max():.1f} A")
    twist = np.degrees(np.abs(result["axis.spring.phi_rel"]).max())
    print(f"  the elastic gear twists by up to {twist:.1f}° at the motor")
    return result


def full_robot() -> Result:
    """Move the arm; tell errors, currents, and where the energy of the motors goes."""
    result = FullRobot().simulate(2.0, output=4000)
    print(result.summary())
    for k in AXES:
        error = np.degrees(result[f"mechanics.r{k}.phi"] - result[f"pathPlanning.q[{k}]"])
        current = np.abs(result[f"axis[{k}].motor.La.i"]).max()
        print(f"  axis {k}: up to {np.abs(error).max():.2f}° off, {current:5.2f} A")
    given = sum(work(result, f"axis[{k}].motor.emf") for k in AXES)
    lost = sum(losses(result, f"axis[{k}].bearingFriction") for k in AXES)
    lost += sum(losses(result, f"axis[{k}].spring") for k in ELASTIC)
    energy = result.energy()["total"]
    print(f"the motors do {given:.2f} J of work, friction and gears take {lost:.2f} J,")
    print(f"  and the energy of the robot changes by {energy[-1] - energy[0]:.2f} J")
    speed = np.linalg.norm(result["mechanics.load.v_0"], axis=1)
    print(f"the hand moves with up to {speed.max():.2f} m/s")
    return result


def work(result: Result, motor: str) -> float:
    """Return the mechanical work [J] of a motor: ∫ v i dt of its induced voltage."""
    power = np.asarray(result[f"{motor}.v"]) * np.asarray(result[f"{motor}.i"])
    return float(np.trapezoid(power, result.time))


def losses(result: Result, part: str) -> float:
    """Return the energy [J] that a part has lost."""
    return float(np.trapezoid(result[f"{part}.lossPower"], result.time))


def main() -> None:
    """Run both and draw them."""
    axis = one_axis()
    axis.plot(
        "load.phi", "pathPlanning.q", "load.w", "axis.motor.La.i", "axis.bearingFriction.tau",
        unit="deg", file="robot_r3_axis.png",
    )  # fmt: skip
    robot = full_robot()
    angles = [f"mechanics.r{k}.phi" for k in AXES]
    speeds = [f"mechanics.r{k}.w" for k in AXES]
    robot.plot(*angles, *speeds, unit="deg", events=False, file="robot_r3_path.png")
    currents = [f"axis[{k}].motor.La.i" for k in AXES]
    robot.plot(*currents, events=False, size=(8.0, 4.0), file="robot_r3_currents.png")
    robot.draw(0.9, trace="mechanics.load.frame_a", ghosts=3, file="robot_r3.png")
    robot.to_movie("robot_r3.gif", fps=12, size=(320, 240), trace="mechanics.load.frame_a")


if __name__ == "__main__":
    main()
