"""Andrews' squeezing mechanism: three coupled loops that decompose into three triangles.

Once the angle of the crank is known, K2 and K3 form a triangle with known sides, and then
so do K4 and K5, and K6 and K7. The end values are compared with those of 80-bit arithmetic.
Writes loops_andrews.png (plot) and loops_andrews_pose.png (picture).
"""

from motorik import Body, Fixed, FixedTranslation, Model, Revolute, World, guess, rotational
from motorik.components.base.ports import FramePort
from motorik.forces import Spring

A, B, C = (-0.06934, -0.00227, 0.0), (-0.03635, 0.03273, 0.0), (0.014, 0.072, 0.0)


BODIES = {
    "K1": (0.04325, 2.194e-6, (0.00092, 0, 0)),
    "K2": (0.00365, 4.410e-7, (-0.0115, 0, 0)),
    "K3": (0.02373, 5.255e-6, (0.01043, -0.01874, 0)),
    "K4": (0.00706, 5.667e-7, (0, 0.01421 - 0.02, 0)),
    "K5": (0.07050, 1.169e-5, (0.02308, 0.00916, 0)),
    "K6": (0.00706, 5.667e-7, (0.02 - 0.01421, 0, 0)),
    "K7": (0.05498, 1.912e-5, (-0.00449, -0.01228, 0)),
}


START = {
    "beta": -0.0617138900142764496,
    "theta": 0.0,
    "gamma": 0.455279819163070380,
    "phi": 0.222668390165885885,
    "delta": 0.487364979543842550,
    "omega": -0.222668390165885885,
    "epsilon": 1.23054744454982119,
}


class Andrews(Model):
    """Andrews' squeezing mechanism: a motor turns a crank against a strong spring.

    A plane mechanism without gravity, from rest; the joints `beta` … `epsilon` have the
    angles of Schiehlen 1990 (also the test set of Mazzia and Magherini) as their `phi`. Three
    arms meet coupler K2 in its end E: K3 that is held by the spring, K4 on K5, and K6 on K7.
    `torque` [N·m] drives the crank.
    """

    def build(self, torque: float = 0.033) -> None:
        """Make the four arms that start at the world, then join them in E."""
        self.world = World(gravityType="none")
        self.at_A, self.at_B, self.at_C = Fixed(r=A), Fixed(r=B), Fixed(r=C)

        self.beta = Revolute(phi=START["beta"], w=0.0, useAxisFlange=True)
        F = self._arm(self.beta, "K1", self.world.frame_b, (0.007, 0, 0))
        E = self._arm(self._hinge("theta"), "K2", F, (-0.028, 0, 0))
        E3 = self._arm(self._hinge("gamma"), "K3", self.at_B.frame_b, (0, -0.035, 0))
        G = self._arm(self._hinge("delta"), "K5", self.at_A.frame_b, (0.04, 0, 0))
        E4 = self._arm(self._hinge("phi"), "K4", G, (0, -0.02, 0))
        H = self._arm(self._hinge("epsilon"), "K7", self.at_A.frame_b, (0, -0.04, 0))
        E6 = self._arm(self._hinge("omega"), "K6", H, (0.02, 0, 0))

        self.joint_E3, self.joint_E4, self.joint_E6 = Revolute(), Revolute(), Revolute()
        for joint, end in (
            (self.joint_E3, E3),
            (self.joint_E4, E4),
            (self.joint_E6, E6),
        ):
            E >> joint.frame_a
            joint.frame_b >> end

        self.eye = FixedTranslation(r=(0.02, -0.018, 0))
        self.spring = Spring(c=4530.0, s_unstretched=0.07785)
        self.gamma.frame_b >> self.eye.frame_a
        self.at_C.frame_b >> self.spring.frame_a
        self.spring.frame_b >> self.eye.frame_b

        self.motor = rotational.ConstantTorque(tau_constant=torque)
        self.motor.flange >> self.beta.axis

    def _hinge(self, name: str) -> Revolute:
        """Return the joint of an angle that follows from the others."""
        joint = Revolute(phi=guess(START[name]))
        setattr(self, name, joint)
        return joint

    def _arm(self, joint: Revolute, name: str, carrier: FramePort, r: tuple) -> FramePort:
        """Hinge a body to the carrier and return its other end, at r [m] from the hinge."""
        m, J, r_CM = BODIES[name]
        body, arm = Body(m=m, r_CM=r_CM, I_11=J, I_22=J, I_33=J), FixedTranslation(r=r)
        setattr(self, name, body)
        setattr(self, f"arm_{name}", arm)
        carrier >> joint.frame_a
        joint.frame_b >> body.frame_a
        joint.frame_b >> arm.frame_a
        return arm.frame_b


END = {
    "beta": 15.81077119515371,
    "theta": -15.75637105841184,
    "gamma": 0.04082224011964583,
    "phi": -0.53473011634208,
    "delta": 0.52440996587995,
    "omega": 0.53473011634208,
    "epsilon": 1.04808074104194,
}


def main() -> None:
    """Run the benchmark of the IVP test set at two tolerances."""
    model = Andrews()
    print(model.explain())
    for rtol in (1e-6, 1e-12):
        result = model.simulate(0.03, method="dop853", rtol=rtol)
        error = max(abs(result[f"{name}.phi"][-1] - end) for name, end in END.items())
        cost = 1e3 * result.info.wall_time
        print(f"tolerance {rtol:g}: largest error {error:.1e} rad in {cost:.3f} ms")
    angles = [f"{name}.phi" for name in END if name not in ("beta", "theta")]
    result.plot(*angles, "beta.w", "spring.f", file="loops_andrews.png")
    result.draw(0.015, trace="arm_K2.frame_b.r_0", file="loops_andrews_pose.png")


if __name__ == "__main__":
    main()
