"""Gallery: mechanisms that examples, documents, tests and benchmarks share."""

from motorik.gallery.chain import chain
from motorik.gallery.double_pendulum import DoublePendulum
from motorik.gallery.manipulator import manipulator6
from motorik.gallery.motor_chain import MotorBody, joint_forces, state_rates
from motorik.gallery.pendulum import Pendulum
from motorik.gallery.spinning_wheel import SpinningWheel
from motorik.gallery.trolley_pendulum import TrolleyPendulum

__all__ = [
    "DoublePendulum",
    "MotorBody",
    "Pendulum",
    "SpinningWheel",
    "TrolleyPendulum",
    "chain",
    "joint_forces",
    "manipulator6",
    "state_rates",
]
