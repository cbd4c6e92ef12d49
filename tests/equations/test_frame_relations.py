"""Parts whose equations relate frames: joints of one's own, with forces that do no work."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import motorik as mk
from motorik import constraints, joints, parts
from motorik.algebra.vector import Z
from motorik.authoring import (
    Equation,
    EquationPart,
    equal,
    frame,
    kinds,
    parameter,
    signal_input,
    unknown,
)
from motorik.errors import EquationError
from tests.equations.parts import model_of
from tests.refusals import refused

GRAVITY = 9.81


class TwoFrames(EquationPart):
    """A part between two frames."""

    frame_a = frame("one frame")
    frame_b = frame("the other frame")


class Ball(TwoFrames):
    """Both origins are at one place."""

    def equations(self) -> Iterator[Equation]:
        """Yield that."""
        yield equal(self.frame_a.r_0, self.frame_b.r_0)


class Rod(TwoFrames):
    """Both origins are L apart; written without care for units."""

    L: kinds.Length = parameter("length", default=1.0)

    def equations(self) -> Iterator[Equation]:
        """Yield that."""
        d = self.frame_b.r_0 - self.frame_a.r_0
        yield equal(7.0 * d.dot(d), 7.0 * self.L**2)


class Hinge(TwoFrames):
    """A revolute joint about z: origins together, z axes in line."""

    def equations(self) -> Iterator[Equation]:
        """Yield that."""
        a, b = self.frame_a, self.frame_b
        yield equal(a.r_0, b.r_0)
        n = a.R.T @ (b.R @ Z)
        yield equal((n.x, n.y), 0.0)


class Bowl(EquationPart):
    """The origin of a frame is on the surface z = k (x² + y²) / 2 of the world."""

    frame_a = frame("frame on the surface")
    k: kinds.Factor = parameter("curvature", default=0.5)

    def equations(self) -> Iterator[Equation]:
        """Yield that."""
        r = self.frame_a.r_0
        yield equal(r.z, 0.5 * self.k * (r.x * r.x + r.y * r.y))


class Lift(EquationPart):
    """The origin of a frame is at the height u."""

    frame_a = frame("frame that is moved")
    u = signal_input("height", "m")

    def equations(self) -> Iterator[Equation]:
        """Yield that."""
        yield equal(self.frame_a.r_0.z, self.u)


class Nut(TwoFrames):
    """A screw about z with a pitch [m per turn], by velocities; the axes are held by others."""

    pitch: kinds.Length = parameter("pitch", default=0.1)

    def equations(self) -> Iterator[Equation]:
        """Yield that."""
        a, b = self.frame_a, self.frame_b
        w = b.R.T @ (a.R @ a.w_a)
        along = (b.R.T @ (b.v_0 - a.v_0)) @ Z
        yield equal(along, self.pitch / (2.0 * np.pi) * (b.w_a - w) @ Z)


def carried(joint: mk.Part) -> mk.Model:
    """Return two arms in space whose ends a joint connects: a closed loop on a moving base."""
    body = dict(m=1.0, I_11=0.02, I_22=0.03, I_33=0.04)
    model = model_of(
        world=mk.World(g=GRAVITY, n=(0, -1, 0)),
        cart=joints.Prismatic(n=(1, 0, 0), s=0.0, v=0.2),
        load=parts.Body(m=5.0, r_CM=(0, 0, 0)),
        one=joints.Universal(phi_a=mk.guess(0.2), phi_b=mk.guess(0.3)), two=joints.Spherical(),
        left=parts.BodyShape(r=(0.6, 0, 0), r_CM=(0.3, 0, 0), **body),
        right=parts.BodyShape(r=(0.6, 0, 0), r_CM=(0.3, 0, 0), **body),
        place=parts.FixedTranslation(r=(1.0, 0.1, 0.0)), joint=joint,
    )  # fmt: skip
    mk.connect(model.world.frame_b, model.cart.frame_a)
    mk.connect(
        model.cart.frame_b, model.load.frame_a, model.one.frame_a, model.place.frame_a
    )
    mk.connect(model.one.frame_b, model.left.frame_a)
    mk.connect(model.place.frame_b, model.two.frame_a)
    mk.connect(model.two.frame_b, model.right.frame_a)
    mk.connect(model.left.frame_b, model.joint.frame_a)
    mk.connect(model.right.frame_b, model.joint.frame_b)
    return model


PAIRS = {
    "ball": (Ball, constraints.SphericalConstraint),
    "rod": (lambda: Rod(L=0.4), lambda: joints.SphericalSpherical(rodLength=0.4)),
}


@pytest.mark.parametrize("kind", PAIRS)
def test_a_relation_of_frames_is_the_joint_of_the_library(kind):
    make, make_library = PAIRS[kind]
    own = carried(make()).simulate(0.5, rtol=1e-9)
    start = {name: float(own[name][0]) for name in own.state_names}
    library = carried(make_library()).simulate(0.5, rtol=1e-9, initial=start)
    for name in ("cart.s", "left.frame_a.r_0", "joint.frame_a.f", "joint.frame_b.f"):
        a, b = np.asarray(own[name]), np.asarray(library[name])
        assert np.abs(a - b).max() < 1e-6 * max(np.abs(b).max(), 1.0), name
    total = np.asarray(own.energy()["total"])
    assert np.ptp(total) < 1e-6 * np.ptp(np.asarray(own.energy()["kinetic"]))
    assert np.abs(np.asarray(own["joint.frame_a.t"])).max() < 1e-9
