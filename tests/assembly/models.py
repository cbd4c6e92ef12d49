"""Models that tests of assembling begin with."""

from __future__ import annotations

import motorik as mk


def pendulum() -> mk.Model:
    """Return a body on a hinge with flanges."""
    model = mk.Model()
    model.world = mk.World()
    model.hinge = mk.Revolute(useAxisFlange=True)
    model.bob = mk.Body(r_CM=(0.5, 0, 0))
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.bob.frame_a
    return model
