"""UniversalConstraint: a constraint does what a joint does.

Two equal bodies hang on springs, one guided by a universal joint, one by a
universal constraint. Data of
Modelica.Mechanics.MultiBody.Examples.Constraints.UniversalConstraint. Writes
universal_constraint.png (plot) and universal_constraint_pose.png (picture).
"""

import numpy as np

from motorik import (
    BodyShape,
    FixedRotation,
    FixedTranslation,
    FreeMotionScalarInit,
    Model,
    Universal,
    World,
    connect,
    constraints,
    deg,
    forces,
    guess,
    sensors,
)


class UniversalConstraint(Model):
    """Two bodies on springs: guided by a universal joint (blue) and by a constraint (green)."""

    def build(self) -> None:
        """Hang both bodies on the same place, with the same start values."""
        self.world = World()
        self.joint = Universal(
            n_a="z", n_b="x", stateSelect="always", phi_a=0.0, phi_b=0.0, w_a=0.0, w_b=0.0
        )
        self.constraint = constraints.UniversalConstraint(n_a="z", n_b="x")
        self.sensorConstraintRelative = sensors.RelativeSensor(
            get_r_rel=True, get_angles=True, sequence=(3, 2, 1)
        )
        self.bodyOfJoint = BodyShape(
            angles_start=deg((10, 55, 68)),
            r_0=guess((0.2, -0.5, 0.1)),
            r=(0.4, 0, 0),
            r_CM=(0.2, 0, 0),
            I_11=1.0,
            I_22=1.0,
            I_33=1.0,
            color="blue",
            width=0.05,
        )
        self.bodyOfConstraint = BodyShape(
            angles_start=deg((10, 55, 68)),
            r_0=guess((0.2, -0.5, 0.1)),
            r=(0.4, 0, 0),
            r_CM=(0.2, 0, 0),
            I_11=1.0,
            I_22=1.0,
            I_33=1.0,
            color="green",
            width=0.05,
        )
        self.springOfJoint = forces.Spring(c=20.0, width=0.1)
        self.springOfConstraint = forces.Spring(c=20.0, width=0.1)
        self.fixedRotation = FixedRotation(
            r=(0.2, -0.3, 0.2),
            rotationType="PlanarRotationSequence",
            angles=deg((10, 55, 68)),
        )
        self.fixedTranslation = FixedTranslation(r=(0.8, 0, 0.3))
        self.fixedTranslationOfJoint = FixedTranslation(r=(0.1, 0.15, 0.2))
        self.fixedTranslationOfConstraint = FixedTranslation(r=(0.1, 0.15, 0.2))
        self.freeMotionScalarInit = FreeMotionScalarInit(
            use_angle=True,
            use_angle_d=True,
            angle_1=0.0,
            angle_3=0.0,
            angle_d_1=0.0,
            angle_d_3=0.0,
        )
        connect(
            self.world.frame_b, self.fixedTranslation.frame_a, self.fixedRotation.frame_a
        )
        connect(
            self.fixedRotation.frame_b,
            self.constraint.frame_a,
            self.sensorConstraintRelative.frame_a,
            self.joint.frame_a,
            self.freeMotionScalarInit.frame_a,
        )
        self.joint.frame_b >> self.bodyOfJoint.frame_a
        connect(
            self.fixedTranslation.frame_b,
            self.springOfJoint.frame_a,
            self.springOfConstraint.frame_a,
        )
        connect(
            self.constraint.frame_b,
            self.bodyOfConstraint.frame_a,
            self.freeMotionScalarInit.frame_b,
            self.sensorConstraintRelative.frame_b,
        )
        self.bodyOfJoint.frame_b >> self.fixedTranslationOfJoint.frame_a
        self.bodyOfConstraint.frame_b >> self.fixedTranslationOfConstraint.frame_a
        self.springOfJoint.frame_b >> self.fixedTranslationOfJoint.frame_b
        self.springOfConstraint.frame_b >> self.fixedTranslationOfConstraint.frame_b


def main() -> None:
    """Compare the motions of both bodies."""
    result = UniversalConstraint().simulate(10.0)
    ends = [result[f"bodyOf{which}.frame_b.r_0"] for which in ("Joint", "Constraint")]
    apart = np.abs(ends[0] - ends[1]).max()
    print(f"the bodies are never more than {apart:.1g} m apart")
    metres, radians = result.constraint_violation()
    print(f"the constraint holds within {metres:.1g} m and {radians:.1g} rad")
    result.plot(
        "bodyOfJoint.frame_b.r_0",
        "bodyOfConstraint.frame_b.r_0",
        file="universal_constraint.png",
    )
    result.draw(2.0, trace="bodyOfConstraint.frame_b", file="universal_constraint_pose.png")


if __name__ == "__main__":
    main()
