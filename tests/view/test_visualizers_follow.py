"""Visualizers add their shapes to the scene, on a frame that turns with the body."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import Body, Model, Revolute, World, blocks, visualizers
from motorik.components.base.part import Part

DRAWN = {
    "FixedShape2": lambda: visualizers.FixedShape2(r=(0.5, 0, 0), width=0.05),
    "FixedArrow": lambda: visualizers.FixedArrow(n="x", length=0.3),
    "SignalArrow": lambda: visualizers.SignalArrow(),
    "Torus": lambda: visualizers.Torus(),
    "VoluminousWheel": lambda: visualizers.VoluminousWheel(),
    "Rectangle": lambda: visualizers.Rectangle(),
}


def pendulum(drawn: Part | None) -> Model:
    """Return a pendulum, whose body carries what is drawn."""
    model = Model()
    model.world, model.joint = World(), Revolute(n="z", phi=0.5)
    model.body = Body(m=1.0, r_CM=(0.5, 0, 0))
    model.connect(model.world.frame_b, model.joint.frame_a)
    model.connect(model.joint.frame_b, model.body.frame_a)
    if drawn is not None:
        model.drawn = drawn
        model.connect(model.body.frame_a, model.drawn.frame_a)
        if isinstance(drawn, visualizers.SignalArrow):
            model.r = [blocks.Constant(k=k) for k in (1.0, 2.0, 0.0)]
            for k, source in enumerate(model.r):
                model.connect(source.y, model.drawn.r_head[k])
    return model


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_what_a_visualizer_draws_is_in_the_scene_and_turns_with_its_body(name):
    without = pendulum(None).simulate(0.2, output=4).scene()
    result = pendulum(DRAWN[name]()).simulate(0.2, output=4)
    scene = result.scene()
    assert len(scene.shapes) > len(without.shapes)
    own = result["drawn.frame_a.R.T"]
    np.testing.assert_allclose(own, result["body.frame_a.R.T"], rtol=0, atol=1e-14)
    assert np.ptp(result["joint.phi"]) > 0.1
