"""The inertia of a rotor on the axis of a joint, in both directions of dynamics."""

import numpy as np

import motorik as mk
from motorik import rotational

J = 0.7


class Arm(mk.Model):
    """Two links in gravity; a rotor turns with the first joint."""

    def build(self) -> None:
        self.world = mk.World()
        self.shoulder = mk.Revolute(n="z", useAxisFlange=True)
        self.upper = mk.BodyBox(r=(0.5, 0, 0), width=0.06)
        self.elbow = mk.Revolute(n="y")
        self.lower = mk.BodyBox(r=(0.4, 0, 0), width=0.05)
        self.rotor = rotational.Inertia(J=J)
        self.world.frame_b >> self.shoulder.frame_a
        self.shoulder.frame_b >> self.upper.frame_a
        self.upper.frame_b >> self.elbow.frame_a
        self.elbow.frame_b >> self.lower.frame_a
        self.rotor.flange_b >> self.shoulder.axis


def test_forces_of_inverse_dynamics_cause_the_accelerations_they_were_computed_for():
    system = Arm().compile()
    rng = np.random.default_rng(5)
    p = system.parameter_values()
    for _ in range(5):
        q, u, ud = rng.normal(size=(3, 2))
        tau = system.inverse_dynamics(q, u, ud, p)
        np.testing.assert_allclose(system.forward_dynamics(q, u, tau, p), ud, atol=1e-12)


def test_a_rotor_adds_its_inertia_to_the_torque_of_its_joint_alone():
    q, u, ud = np.array([0.3, -0.4]), np.array([1.0, 2.0]), np.array([1.5, -0.5])
    with_rotor, without = Arm(), Arm()
    without.rotor.J = 0.0
    torques = [
        one.compile().inverse_dynamics(q, u, ud, one.compile().parameter_values())
        for one in (with_rotor, without)
    ]
    np.testing.assert_allclose(torques[0] - torques[1], [J * 1.5, 0.0], atol=1e-13)
