"""Parts written as equations on frames, with the accelerations of these."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import motorik as mk
from motorik import joints, parts
from motorik.authoring import (
    Equation,
    EquationPart,
    der,
    equal,
    frame,
    kinds,
    parameter,
    unknown,
)
from motorik.errors import EquationError
from tests.equations.parts import model_of
from tests.refusals import refused

GRAVITY, MASS, INERTIA = 9.81, 2.0, 0.5


class Added(EquationPart):
    """A body without weight: mass at the origin of a frame, and inertia about its z axis."""

    frame_a = frame("frame that carries it")
    m: kinds.Mass = parameter("mass", default=3.0)
    J: kinds.MomentOfInertia = parameter("inertia", default=0.25)

    def equations(self) -> Iterator[Equation]:
        """Yield force and torque on it."""
        at = self.frame_a
        yield equal(at.f, self.m * (at.R.T @ der(at.v_0)))
        yield equal((at.t.x, at.t.y), 0.0)
        yield equal(at.t.z, self.J * der(at.w_a).z)


class AddedByPosition(Added):
    """The same from second derivatives of position and orientation."""

    def equations(self) -> Iterator[Equation]:
        """Yield force and torque on it; of R R̈ᵀ the part that is antisymmetric is −ẇ."""
        at = self.frame_a
        yield equal(at.f, self.m * (at.R.T @ der(der(at.r_0))))
        yield equal((at.t.x, at.t.y), 0.0)
        S = (at.R.T @ der(der(at.R))).entries
        yield equal(at.t.z, self.J * 0.5 * (S[3] - S[1]))


class Jerk(Added):
    """A force by the rate of an acceleration."""

    def equations(self) -> Iterator[Equation]:
        """Yield forces."""
        yield equal(self.frame_a.f, der(der(self.frame_a.v_0)))
        yield equal(self.frame_a.t, 0.0)


def pendulum(part: EquationPart) -> mk.Model:
    """Return a pendulum in the plane x, y with a part at its end, 1 m from the hinge."""
    model = model_of(
        world=mk.World(g=GRAVITY, n=(0, -1, 0)),
        hinge=joints.Revolute(n=(0, 0, 1), phi=0.5, w=1.0),
        rod=parts.FixedTranslation(r=(1, 0, 0)),
        body=parts.Body(m=MASS, r_CM=(0, 0, 0), I_11=INERTIA, I_22=INERTIA, I_33=INERTIA),
        part=part,
    )
    mk.connect(model.world.frame_b, model.hinge.frame_a)
    mk.connect(model.hinge.frame_b, model.rod.frame_a)
    mk.connect(model.rod.frame_b, model.body.frame_a, model.part.frame_a)
    return model


@pytest.mark.parametrize("kind", [Added, AddedByPosition])
def test_an_added_mass_makes_a_pendulum_slower(kind):
    """(I + J + (m + m₊) l²) φ̈ = −m g l cos φ."""
    result = pendulum(kind(m=mk.Parameter(3.0))).simulate(1.0, rtol=1e-9)
    total = INERTIA + 0.25 + MASS + 3.0
    phi, w, a = (np.asarray(result[f"hinge.{name}"]) for name in ("phi", "w", "a"))
    assert np.abs(a + MASS * GRAVITY * np.cos(phi) / total).max() < 1e-9
    energy = 0.5 * total * w**2 + MASS * GRAVITY * np.sin(phi)
    assert np.ptp(energy) < 1e-6


def test_the_rate_of_an_acceleration_is_refused():
    with refused(EquationError, "part", "rate of the acceleration", "part.frame_a"):
        pendulum(Jerk()).compile()


class Meter(EquationPart):
    """The acceleration of a frame in the world as an unknown of its own."""

    frame_a = frame("frame whose acceleration it shows")
    a_y: kinds.Acceleration = unknown("acceleration along y")

    def equations(self) -> Iterator[Equation]:
        """Yield the acceleration; no force acts."""
        yield equal(self.a_y, der(self.frame_a.v_0).y)
        yield equal(self.frame_a.f, 0.0)
        yield equal(self.frame_a.t, 0.0)


def test_an_acceleration_may_be_an_unknown():
    result = pendulum(Meter()).simulate(0.2)
    phi, w, a = (np.asarray(result[f"hinge.{name}"]) for name in ("phi", "w", "a"))
    exact = a * np.cos(phi) - w**2 * np.sin(phi)
    assert np.abs(np.asarray(result["part.a_y"]) - exact).max() < 1e-9
