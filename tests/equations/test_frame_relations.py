"""Parts whose equations relate frames: joints of one's own, with forces that do no work."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import motorik as mk
from motorik import constraints, joints, parts
from motorik.algebra.vector import ZERO, Z
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
        along = (b.R.T @ (b.v_0 - a.v_0)).z
        yield equal(along, self.pitch / (2.0 * np.pi) * (b.w_a - w).z)


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


@pytest.mark.slow
@pytest.mark.parametrize("kind", [pytest.param("ball", marks=pytest.mark.thorough), "rod"])
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


@pytest.mark.slow
def test_a_hinge_of_ones_own_closes_a_four_bar():
    """The same as with the library's joint, whose loop is solved in closed form."""
    runs = []
    for joint in (joints.Revolute(n="z"), Hinge()):
        model = model_of(
            world=mk.World(g=GRAVITY, n=(0, -1, 0)), joint=joint,
            one=joints.Revolute(n="z", phi=1.2, w=2.0), two=joints.Revolute(n="z"),
            three=joints.Revolute(n="z", phi=mk.guess(1.0)),
            base=parts.FixedTranslation(r=(1, 0, 0)),
            crank=parts.BodyShape(r=(0.3, 0, 0), m=1.0), rod=parts.BodyShape(r=(1, 0, 0), m=1.0),
            rocker=parts.BodyShape(r=(0.8, 0, 0), m=1.0),
        )  # fmt: skip
        mk.connect(model.world.frame_b, model.one.frame_a, model.base.frame_a)
        mk.connect(model.one.frame_b, model.crank.frame_a)
        mk.connect(model.crank.frame_b, model.two.frame_a)
        mk.connect(model.two.frame_b, model.rod.frame_a)
        mk.connect(model.base.frame_b, model.three.frame_a)
        mk.connect(model.three.frame_b, model.rocker.frame_a)
        mk.connect(model.rod.frame_b, model.joint.frame_a)
        mk.connect(model.rocker.frame_b, model.joint.frame_b)
        runs.append(model.simulate(1.0, rtol=1e-9))
    library, own = (
        [
            np.asarray(run[name])
            for name in ("one.phi", "rocker.frame_b.r_0", "joint.frame_a.f")
        ]
        for run in runs
    )
    for a, b in zip(own, library, strict=True):
        assert np.abs(a - b).max() < 1e-6 * np.abs(b).max()


@pytest.mark.slow
def test_a_point_in_a_bowl_feels_a_normal_force():
    """Once round on a circle at the height z: ω² = g k, and N is along the normal."""
    k, radius = 0.5, 0.4
    w = np.sqrt(GRAVITY * k)
    model = model_of(
        world=mk.World(g=GRAVITY, n=(0, 0, -1)), bowl=Bowl(k=mk.Parameter(k)),
        body=parts.PointMass(
            m=2.0, r_0=(radius, 0.0, 0.5 * k * radius**2), v_0=(0.0, radius * w, 0.0)
        ),
    )  # fmt: skip
    mk.connect(model.body.frame_a, model.bowl.frame_a)
    result = model.simulate(2.0, rtol=1e-9)
    t, r = np.asarray(result.time), np.asarray(result["body.frame_a.r_0"])
    exact = radius * np.column_stack([np.cos(w * t), np.sin(w * t)])
    assert np.abs(r[:, :2] - exact).max() < 1e-6
    force = np.asarray(result["bowl.frame_a.f"])
    normal = np.column_stack([-k * r[:, 0], -k * r[:, 1], np.ones(len(t))])
    assert np.abs(force + 2.0 * GRAVITY * normal).max() < 1e-5


@pytest.mark.slow
def test_a_frame_may_be_moved_by_a_signal():
    """The height follows u(t); the force that it takes is m (g + ü)."""
    model = model_of(
        world=mk.World(g=GRAVITY, n=(0, 0, -1)), lift=Lift(),
        body=parts.PointMass(m=2.0, r_0=(0, 0, 0), v_0=(0.3, 0, 0.1 * np.pi)),
        height=mk.blocks.Sine(amplitude=0.1, f=0.5),
    )  # fmt: skip
    mk.connect(model.body.frame_a, model.lift.frame_a)
    mk.connect(model.height.y, model.lift.u)
    result = model.simulate(1.0, rtol=1e-9)
    t, f = np.asarray(result.time), np.asarray(result["lift.frame_a.f"])
    s = 0.1 * np.sin(np.pi * t)
    assert np.abs(np.asarray(result["body.frame_a.r_0"])[:, 2] - s).max() < 1e-8
    assert np.abs(f[:, 2] + 2.0 * (GRAVITY - np.pi**2 * s)).max() < 1e-6


@pytest.mark.slow
def test_a_nut_by_velocities_is_the_screw_of_the_library():
    runs = []
    for is_own in (True, False):
        joint = joints.Cylindrical(n="z", phi=0.0, w=3.0) if is_own else joints.Screw(
            n="z", lead=0.1, phi=0.0, w=3.0)  # fmt: skip
        model = model_of(
            world=mk.World(g=GRAVITY, n=(0, 0, -1)),
            joint=joint,
            body=parts.Body(m=1.0, r_CM=(0.1, 0, 0), I_11=0.1, I_22=0.1, I_33=0.1),
        )
        mk.connect(model.world.frame_b, model.joint.frame_a)
        mk.connect(model.joint.frame_b, model.body.frame_a)
        if is_own:
            model.nut = Nut(pitch=0.1)
            mk.connect(model.world.frame_b, model.nut.frame_a)
            mk.connect(model.body.frame_a, model.nut.frame_b)
        runs.append(model.simulate(2.0, rtol=1e-9))
    own, library = (np.asarray(run["joint.phi"]) for run in runs)
    assert np.abs(own - library).max() < 1e-6 * np.abs(library).max()
    height = np.asarray(runs[0]["body.frame_a.r_0"])[:, 2]
    assert np.abs(height - 0.1 / (2.0 * np.pi) * own).max() < 1e-8


class Over(Ball):
    """The same, with all forces besides."""

    def equations(self) -> Iterator[Equation]:
        """Yield motions and forces."""
        a, b = self.frame_a, self.frame_b
        yield equal(a.r_0, b.r_0)
        yield equal((*a.t.xyz, *b.t.xyz), 0.0)
        yield equal(a.R @ a.f + b.R @ b.f, ZERO)


class Quick(TwoFrames):
    """Speeds whose squares are equal."""

    def equations(self) -> Iterator[Equation]:
        """Yield that."""
        yield equal(
            self.frame_a.v_0.dot(self.frame_a.v_0), self.frame_b.v_0.dot(self.frame_b.v_0)
        )


class Few(TwoFrames):
    """An unknown that no equation gives."""

    x: kinds.Length = unknown("something")

    def equations(self) -> Iterator[Equation]:
        """Yield nothing."""
        return iter(())


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Over, ("joint", "one equation too many", "joint.frame_a.f", "Leave out all")),
        (
            Quick,
            (
                "joint",
                "not linear",
            ),
        ),
        (
            Few,
            (
                "joint",
                "1 too few",
            ),
        ),
    ],
)
def test_relations_that_cannot_be(kind, words):
    with refused(EquationError, *words):
        carried(kind()).compile()
