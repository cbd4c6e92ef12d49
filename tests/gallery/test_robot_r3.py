"""The r3 robot: electrical motors, controllers, gears with friction and an arm with six axes."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest

from motorik.gallery.robot_r3 import BEGIN, END, FullRobot, OneAxis


def test_one_axis_turns_its_load_to_the_end_of_its_path():
    """The current of the motor balances friction at the end, within what sticks."""
    result = OneAxis().simulate(1.5)
    assert result["load.phi"][-1] == pytest.approx(radians(120.0), abs=2e-3)
    assert np.abs(result["axis.motor.La.i"]).max() < 9.0
    ratio = np.asarray(result["axis.motor.rotor.w"]) / 210.0 - np.asarray(result["load.w"])
    assert np.abs(ratio).max() < 0.1


@pytest.mark.slow
def test_the_robot_follows_its_path_and_keeps_its_energy():
    """Mechanical energy changes by the work of the motors, less friction and damping."""
    result = FullRobot().simulate(2.0, interval=1e-3, rtol=1e-8)
    time = np.asarray(result.time)
    power = np.zeros(time.size)
    for k, (begin, end) in enumerate(zip(BEGIN, END, strict=True), start=1):
        angle = np.asarray(result[f"mechanics.r{k}.phi"])
        assert angle[0] == pytest.approx(radians(begin))
        assert angle[-1] == pytest.approx(radians(end), abs=4e-3)
        axis = f"axis[{k}]"
        torque = np.asarray(result[f"{axis}.motor.emf.flange.tau"])
        current, voltage = (np.asarray(result[f"{axis}.motor.emf.{n}"]) for n in "iv")
        speed = np.asarray(result[f"{axis}.motor.rotor.w"])
        assert voltage * current == pytest.approx(-torque * speed, abs=1e-9)
        power -= torque * speed
        power -= np.asarray(result[f"{axis}.bearingFriction.lossPower"])
        if k <= 3:
            power -= np.asarray(result[f"{axis}.spring.lossPower"])
    energy = result.energy()
    total = energy["kinetic"] + energy["potential"]
    for k in (1, 2, 3):
        total = total + np.asarray(result[f"axis[{k}].spring.stored_energy"])
    work = np.concatenate(
        [[0.0], np.cumsum(0.5 * np.diff(time) * (power[1:] + power[:-1]))]
    )
    size = float(np.ptp(total))
    assert np.abs(total - total[0] - work).max() < 2e-3 * size
