"""Small models for live tests."""

import motorik as mk


class Pendulum(mk.Model):
    """A rod on a damped hinge with live mass, length and damping."""

    def build(self):
        self.world = mk.World()
        self.hinge = mk.Revolute(n="z", phi=0.5, w=0.0, useAxisFlange=True)
        self.length = mk.Parameter(1.0, unit="m")
        self.rod = mk.FixedTranslation(r=(self.length, 0, 0))
        self.body = mk.Body(m=mk.Parameter(1.0), r_CM=(0, 0, 0))
        self.damper = mk.rotational.Damper(d=mk.Parameter(0.1))
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.rod.frame_a
        self.rod.frame_b >> self.body.frame_a
        self.hinge.support >> self.damper.flange_a
        self.damper.flange_b >> self.hinge.axis


def page(path: str) -> str:
    """Return the page of tests that need no viewer."""
    return f"<!doctype html><title>test</title><p>{path}</p>"
