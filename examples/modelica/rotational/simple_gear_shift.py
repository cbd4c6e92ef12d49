"""SimpleGearShift: an automatic gearbox of a planetary gear, a brake and a clutch.

In first gear the brake holds the ring; at 2 s the clutch joins sun and ring. Data of
Modelica.Mechanics.Rotational.Examples.SimpleGearShift. Writes simple_gear_shift.png.
"""

from motorik import Model, blocks, connect, rotational, rpm


class SimpleGearShift(Model):
    """Engine, planetary gear and load; a brake holds the ring or a clutch joins it with the sun."""

    def build(self) -> None:
        """Connect the gearbox; one signal opens the brake as it closes the clutch."""
        self.torqueStep = rotational.TorqueStep(startTime=0.5, stepTorque=20.0)
        self.engine = rotational.Inertia(J=1.0)
        self.idealPlanetary = rotational.IdealPlanetary(ratio=1.5)
        self.load = rotational.Inertia(J=10.0, phi=0.0, w=0.0)
        self.quadraticSpeedDependentTorque = rotational.QuadraticSpeedDependentTorque(
            tau_nominal=-20.0, w_nominal=rpm(100)
        )
        self.clutch = rotational.Clutch(cgeo=2.0, fn_max=100.0, phi_rel=0.0, w_rel=0.0)
        self.brake = rotational.Brake(cgeo=2.0, fn_max=100.0)
        self.feedback = blocks.Feedback()
        self.const1 = blocks.Constant(k=1.0)
        self.ramp = blocks.Ramp(startTime=2.0, duration=0.1)
        self.torqueStep.flange >> self.engine.flange_a
        self.quadraticSpeedDependentTorque.flange >> self.load.flange_b
        self.feedback.y >> self.brake.f_normalized
        connect(self.engine.flange_b, self.idealPlanetary.sun, self.clutch.flange_a)
        connect(self.clutch.flange_b, self.idealPlanetary.ring, self.brake.flange_a)
        self.idealPlanetary.carrier >> self.load.flange_a
        self.const1.y >> self.feedback.u1
        connect(self.ramp.y, self.feedback.u2, self.clutch.f_normalized)


def main() -> None:
    """Tell the ratios before and after the shift."""
    result = SimpleGearShift().simulate(5.0)
    before = result.at(1.9)
    print(f"ratio {before['engine.w'] / before['load.w']:.3f} in first gear, ", end="")
    print(f"{result['engine.w'][-1] / result['load.w'][-1]:.3f} in second")
    print(result.events)
    result.plot(
        "engine.w", "load.w", "clutch.tau", "brake.tau", file="simple_gear_shift.png"
    )


if __name__ == "__main__":
    main()
