"""Massless frames between force elements with torques: six unknowns by static equilibrium."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

import motorik as mk
from motorik import blocks, forces, parts, sensors
from motorik.algebra.vector import Vector
from motorik.authoring import Equation, EquationPart, equal, frame, kinds, parameter
from motorik.errors import AssemblyError
from tests.refusals import refused

STIFF = ((100.0, 300.0, 50.0), (200.0, 80.0, 60.0))  # N/m along the axes of frame_b
TWIST = (5.0, 3.0)  # N·m/rad
MASS, INERTIA, ARM = 1.0, 0.1, 0.2
BEGIN = (0.3, -0.1, 0.4)


def body() -> parts.Body:
    """Return a body that starts at rest, turned about z."""
    return parts.Body(
        m=MASS, r_CM=(ARM, 0, 0), I_11=INERTIA, I_22=INERTIA, I_33=INERTIA,
        r_0=(*BEGIN[:2], 0.0), v_0=(0, 0, 0), angles_start=(0, 0, BEGIN[2]), angles_fixed=True,
        w_0_start=(0, 0, 0), w_0_fixed=True,
    )  # fmt: skip


def chain(*elements: mk.Part) -> mk.Model:
    """Return the world, force elements in series, and a body."""
    model = mk.Model()
    model.world, model.body = mk.World(g=0.0), body()
    last = model.world.frame_b
    for k, element in enumerate(elements):
        setattr(model, f"e{k}", element)
        mk.connect(last, element.frame_a)
        last = element.frame_b
    mk.connect(last, model.body.frame_a)
    return model


def steered(model: mk.Model, k: int) -> None:
    """Let the force and torque of an element follow from the relative pose of its frames."""
    element = getattr(model, f"e{k}")
    sensor = sensors.RelativeSensor(
        get_r_rel=True, get_angles=True, resolveInFrame="frame_b"
    )
    gains = [np.diag(np.negative(STIFF[k])).tolist(), np.diag([-TWIST[k]] * 3).tolist()]
    by = [blocks.MatrixGain(K=gain) for gain in gains]
    setattr(model, f"sensor{k}", sensor)
    for name, gain in zip(("stiffness", "twist"), by, strict=True):
        setattr(model, f"{name}{k}", gain)
    mk.connect(element.frame_a, sensor.frame_a)
    mk.connect(element.frame_b, sensor.frame_b)
    for out, gain, end in zip(
        (sensor.r_rel, sensor.angles), by, (element.force, element.torque), strict=True
    ):
        mk.connect(out, gain.u)
        mk.connect(gain.y, end)


def turned(angle: float) -> np.ndarray:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def across(a: np.ndarray, b: np.ndarray) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def wrench(k: int, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return force and torque of an element on its frames a and b at (x, y, φ)."""
    r, R = b[:2] - a[:2], turned(b[2])
    f = -R @ (np.array(STIFF[k][:2]) * (R.T @ r))
    d = -TWIST[k] * (b[2] - a[2])
    return np.array([*-f, -(d + across(r, f))]), np.array([*f, d])


@pytest.mark.slow
def test_two_forces_with_torques_in_series_hold_the_frame_between_them():
    """Against the plane motion with the frame found by a solver at every time."""
    model = chain(forces.ForceAndTorque(), forces.ForceAndTorque())
    for k in range(2):
        steered(model, k)
    result = model.simulate(0.2, rtol=1e-7)
    middle = np.array([0.1, 0.0, 0.1])

    def rates(t, y):
        nonlocal middle
        pose = y[:3]
        middle = fsolve(
            lambda m: wrench(1, m, pose)[0] + wrench(0, np.zeros(3), m)[1],
            middle,
            xtol=1e-12,
        )
        *f, d = wrench(1, middle, pose)[1]
        s, w = turned(pose[2]) @ [ARM, 0.0], y[5]
        alpha = (d - across(s, f)) / INERTIA
        a = np.array(f) / MASS - alpha * np.array([-s[1], s[0]]) + w * w * s
        return [*y[3:], *a, alpha]

    exact = solve_ivp(rates, (0.0, 0.2), [*BEGIN, 0, 0, 0], rtol=1e-8, atol=1e-10).y[:, -1]
    rates(0.2, exact)
    for i in (0, 1):
        assert result[f"body.r_0[{i + 1}]"][-1] == pytest.approx(exact[i], abs=1e-5)
        assert result[f"e0.frame_b.r_0[{i + 1}]"][-1] == pytest.approx(middle[i], abs=1e-5)
    assert result["sensor0.angles[3]"][-1] == pytest.approx(middle[2], abs=1e-5)


class Bush(EquationPart):
    """Isotropic springs along and about all axes, and a damper along one axis of frame_b."""

    frame_a = frame("one end")
    frame_b = frame("the other end")
    c: kinds.Stiffness = parameter("stiffness", default=100.0)
    d: kinds.Damping = parameter("damping along x of frame_b", default=0.0)
    k: kinds.TorsionalStiffness = parameter("stiffness of rotation", default=5.0)

    def equations(self) -> Iterator[Equation]:
        """Yield forces and torques on the part, which are opposite at its ends."""
        a, b = self.frame_a, self.frame_b
        R = a.R.T @ b.R
        r = b.R.T @ (b.r_0 - a.r_0)
        v = b.R.T @ (b.v_0 - a.v_0) - b.w_a.cross(r)
        f = self.c * r + Vector(self.d * v.x, 0.0, 0.0)
        e = R.entries
        t = 0.5 * self.k * Vector(e[7] - e[5], e[2] - e[6], e[3] - e[1])
        yield equal(b.f, f)
        yield equal(b.t, t)
        yield equal(a.f, -(R @ f))
        yield equal(a.t, -(R @ t) - (R @ r).cross(R @ f))


@pytest.mark.slow
def test_three_bushings_share_a_large_rotation():
    """Each turns by a third of the angle: I φ̈ = −k sin(φ/3)."""
    model = chain(Bush(), Bush(), Bush())
    model.body.r_CM, model.body.r_0, model.body.angles_start = (
        (0, 0, 0),
        (0, 0, 0),
        (0, 0, 2.4),
    )
    result = model.simulate(0.5, rtol=1e-8)

    def rates(t, y):
        return [y[1], -5.0 * np.sin(y[0] / 3.0) / INERTIA]

    exact = solve_ivp(rates, (0.0, 0.5), [2.4, 0.0], rtol=1e-9, atol=1e-11).y[0][-1]
    for k, share in enumerate((1.0, 2.0, 3.0)):
        cosine = result[f"e{k}.frame_b.R.T[1,1]"][-1]
        assert cosine == pytest.approx(np.cos(exact * share / 3.0), abs=1e-6)


@pytest.mark.slow
def test_a_damper_in_one_direction_leaves_the_others_to_springs():
    """All forces on the frame between are in balance while it moves and turns."""
    result = chain(Bush(c=300.0), Bush(d=20.0)).simulate(0.2)
    for i in (1, 2, 3):
        for letter in "ft":
            one, other = (
                result[f"{end}.{letter}[{i}]"] for end in ("e0.frame_b", "e1.frame_a")
            )
            assert np.abs(np.asarray(one) + np.asarray(other)).max() < 1e-6
    assert np.ptp(np.asarray(result["e0.frame_b.R.T[1,1]"])) > 1e-3


def test_a_frame_that_nothing_keeps_from_turning_is_named():
    with refused(AssemblyError, "e0.frame_b", "no mass"):
        chain(Bush(k=0.0), Bush(k=0.0)).simulate(0.1)
