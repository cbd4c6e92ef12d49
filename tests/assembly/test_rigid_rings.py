"""Joints and constraints between frames of one rigid body: nothing moves, which is refused."""

from __future__ import annotations

import pytest

from motorik import Body, Model, Revolute, World, joints
from motorik.errors import LoopError
from motorik.parts import FixedTranslation
from tests.refusals import refused


class Ring(Model):
    """A joint between two frames of the world, or of a pendulum."""

    def build(self, joint: object, gap: float = 0.0, swings: bool = False) -> None:
        self.world, self.hinge, self.body = (
            World(),
            Revolute(),
            Body(m=1.0, r_CM=(0.3, 0, 0)),
        )
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.body.frame_a
        base = self.hinge.frame_b if swings else self.world.frame_b
        self.a = FixedTranslation(r=(1.0, 0.0, 0.0))
        self.b = FixedTranslation(r=(1.0 + gap, 0.0, 0.0))
        self.ring = joint
        base >> self.a.frame_a
        base >> self.b.frame_a
        self.a.frame_b >> self.ring.frame_a
        self.b.frame_b >> self.ring.frame_b


KINDS = {
    "Revolute": {},
    "Prismatic": {},
    "Spherical": {},
    "SphericalSpherical": {"rodLength": 1.0},
}


@pytest.mark.parametrize("swings", [False, True])
@pytest.mark.parametrize("gap", [0.0, 0.1])
@pytest.mark.parametrize("kind", KINDS)
def test_what_holds_two_frames_of_one_body_is_refused_by_name(kind, gap, swings):
    model = Ring(joint=getattr(joints, kind)(**KINDS[kind]), gap=gap, swings=swings)
    where = "one rigid body" if swings else "the world"
    with refused(LoopError, "ring", where, "Remove it"):
        model.simulate(0.1)


def test_what_holds_nothing_may_measure_them():
    assert Ring(joint=joints.FreeMotion(), gap=0.1).simulate(0.1).complete
