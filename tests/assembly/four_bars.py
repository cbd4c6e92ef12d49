"""Four-bars with plain numbers, to be spoilt in tests: drive, elbow, wrist and pivot."""

from __future__ import annotations

import math
from typing import Any

import motorik as mk


def four_bar(
    crank: float = 0.4,
    coupler: float = 1.1,
    rocker: float = 0.9,
    base: float = 1.2,
    tilt: float = 0.0,
    has_world: bool = True,
    **joints: dict[str, Any],
) -> mk.Model:
    """Return four hinges about z in a row: drive, elbow, wrist, and pivot on the base.

    Lengths in metres; bars of 1 kg. The axis of the wrist is tilted by `tilt` [°] about the
    coupler. `joints` has further values of joints by their names, the drive's by default
    phi = 0.8 rad and w = 2 rad/s.
    """
    model = mk.Model()
    if has_world:
        model.world = mk.World(g=9.81, n="-y")
    angle = math.radians(tilt)
    axis = (0.0, math.sin(angle), math.cos(angle))
    drive = {"phi": 0.8, "w": 2.0} | joints.get("drive", {})
    model.drive = mk.Revolute(n="z", **drive)
    model.crank = bar(crank)
    model.elbow = mk.Revolute(n="z", **joints.get("elbow", {}))
    model.coupler = bar(coupler)
    model.wrist = mk.Revolute(n=axis, **joints.get("wrist", {}))
    model.rocker = bar(rocker)
    model.pivot = mk.Revolute(n="z", **joints.get("pivot", {}))
    model.foot, model.base = mk.Fixed(), mk.FixedTranslation(r=(base, 0, 0))
    model.foot.frame_b >> model.drive.frame_a
    model.drive.frame_b >> model.crank.frame_a
    model.crank.frame_b >> model.elbow.frame_a
    model.elbow.frame_b >> model.coupler.frame_a
    model.coupler.frame_b >> model.wrist.frame_a
    model.wrist.frame_b >> model.rocker.frame_b
    model.rocker.frame_a >> model.pivot.frame_b
    model.pivot.frame_a >> model.base.frame_b
    model.base.frame_a >> model.foot.frame_b
    return model


def bar(length: float) -> mk.BodyShape:
    """Return a slender bar of 1 kg along x."""
    across = length * length / 12
    return mk.BodyShape(
        m=1.0,
        r=(length, 0, 0),
        r_CM=(length / 2, 0, 0),
        I_11=1e-3,
        I_22=across,
        I_33=across,
    )
