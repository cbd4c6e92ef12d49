"""Manipulator: an arm with six revolute axes."""

from __future__ import annotations

from collections.abc import Sequence

from motorik import Body, FixedTranslation, Revolute, World
from motorik.components.base.kind import AxisName
from motorik.model import Model

HUB = {"m": 0.1, "r_CM": (0, 0, 0), "I_11": 0.01, "I_22": 0.01, "I_33": 0.01}
LIMB = {"m": 1.0, "r_CM": (0, 0, 0.5), "I_11": 1.0, "I_22": 1.0, "I_33": 1.0}
AXES: tuple[AxisName, ...] = ("x", "y", "z", "y", "x", "y")
MASSES = (HUB, HUB, LIMB, LIMB, HUB, LIMB)

BENT = (0.3, 0.5, -0.7, 0.2, 0.4, 0.1)  # rad


def manipulator6(phi: Sequence[float] = BENT) -> Model:
    """Return an arm with a shoulder of three axes, an elbow and a wrist of two.

    Upper arm, forearm and hand are limbs of 1 m and 1 kg, upright where all angles are zero;
    it starts at the angles `phi` [rad]. Gravity 9.81 m/s² along −z. The dimensions are those
    of Pinocchio's sample manipulator. Parts: `joint1` … `joint6`, `body1` … `body6`, and
    `limb3`, `limb4`, `limb6` along the limbs.
    """
    model = Model()
    model.world = World(g=9.81, n="-z")
    end = model.world.frame_b
    limbs = zip(AXES, MASSES, phi, strict=True)
    for i, (axis, mass, angle) in enumerate(limbs, start=1):
        joint, body = Revolute(n=axis, phi=angle), Body(**mass)
        setattr(model, f"joint{i}", joint)
        setattr(model, f"body{i}", body)
        end >> joint.frame_a
        joint.frame_b >> body.frame_a
        end = joint.frame_b
        if mass is LIMB:
            limb = FixedTranslation(r=(0, 0, 1))
            setattr(model, f"limb{i}", limb)
            joint.frame_b >> limb.frame_a
            end = limb.frame_b
    return model
