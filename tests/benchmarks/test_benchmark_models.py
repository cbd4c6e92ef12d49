"""The benchmarks' own mechanics: the peers' formulas and the numbers everybody is given."""

import math

import numpy as np
import pytest

from benchmarks import parts, starts
from benchmarks.equations import articulated_body, double_pendulum
from benchmarks.models import (
    make_chain,
    make_humanoid,
    make_manipulator,
    make_robot,
    make_samples,
    rotation_of,
)
from benchmarks.peers import in_body_axes, in_world_axes
from benchmarks.simulation import TOLERANCES, find_tolerance


def test_hand_derived_double_pendulum_is_the_chain_of_two() -> None:
    tree = make_chain(2)
    samples = make_samples(tree, 20)
    for q, v in zip(samples.q, samples.v, strict=True):
        general = articulated_body(tree, q, v, math.sin, math.cos)
        by_hand = double_pendulum(q, v, math.sin, math.cos)
        np.testing.assert_allclose(general, by_hand, rtol=5e-14)


def test_torque_that_holds_a_chain_at_rest_gives_no_acceleration() -> None:
    # τ_i = g · moment of all that hangs behind joint i, of a chain stretched out to x
    n = 5
    tree = make_chain(n)
    tau = [9.81 * sum(j - i + 0.5 for j in range(i, n)) for i in range(n)]
    vdot = articulated_body(tree, [0.0] * n, [0.0] * n, math.sin, math.cos, tau)
    np.testing.assert_allclose(vdot, 0.0, atol=1e-13)


@pytest.mark.parametrize("tree", [make_humanoid(), make_manipulator(), make_robot()])
def test_inertias_are_those_of_real_bodies(tree) -> None:
    for link in tree.links:
        a, b, c = np.linalg.eigvalsh(link.I)
        assert a > 0
        assert a + b >= c * (1 - 1e-12)


def test_humanoid_has_the_size_of_the_sample_model() -> None:
    tree = make_humanoid()
    assert (tree.nq, tree.nv, len(tree.links)) == (33, 32, 27)
    assert all(link.parent < i for i, link in enumerate(tree.links))


def test_models_are_the_same_every_time() -> None:
    first, second = make_humanoid(), make_humanoid()
    for a, b in zip(first.links, second.links, strict=True):
        np.testing.assert_array_equal(a.R, b.R)
        np.testing.assert_array_equal(a.I, b.I)


def test_rates_in_body_axes_come_from_differences_of_world_velocities() -> None:
    # v_world(t) = R(t) v(t): take v̇ given, move for a short time, differentiate
    tree = make_humanoid()
    samples = make_samples(tree, 1)
    q, v = samples.q[0], samples.v[0]
    vdot = np.random.default_rng(7).normal(size=tree.nv)
    h = 1e-5

    def world_velocity(t: float) -> np.ndarray:
        e, w = q[3:6], q[6]
        omega = v[3:6]
        # Q(t) ≈ Q ∘ exp(½ ω t)
        half = 0.5 * t * omega
        angle = np.linalg.norm(half)
        dv, dw = half * np.sinc(angle / np.pi), math.cos(angle)
        turned = np.array([*(w * dv + dw * e + np.cross(e, dv)), w * dw - e @ dv])
        moved = q.copy()
        moved[3:7] = turned / np.linalg.norm(turned)
        return in_world_axes(tree, moved, v + t * vdot)[1]

    qacc = (world_velocity(h) - world_velocity(-h)) / (2 * h)
    np.testing.assert_allclose(in_body_axes(tree, q, v, qacc), vdot, rtol=0, atol=1e-10)


def test_rotation_of_a_quaternion_turns_about_its_axis() -> None:
    angle = 0.7
    R = rotation_of(np.array([0.0, 0.0, math.sin(angle / 2), math.cos(angle / 2)]))
    c, s = math.cos(angle), math.sin(angle)
    np.testing.assert_allclose(R, [[c, -s, 0], [s, c, 0], [0, 0, 1]], rtol=0, atol=1e-15)


def test_a_lucky_tolerance_is_passed_over() -> None:
    lucky, good = TOLERANCES[2], TOLERANCES[5]

    class Problem:
        end = np.zeros(1)

    def make(tolerance: float):
        accurate = tolerance == lucky or tolerance <= good
        return lambda: (0.0, np.array([0.0 if accurate else 1.0]))

    assert find_tolerance(make, Problem()) == good  # type: ignore[arg-type]


@pytest.mark.slow
def test_starts_are_measured(capsys):
    assert starts.prepare("fourbar1")() > 0.0
    assert "by native code" in capsys.readouterr().out


def test_the_benchmark_of_parts_knows_what_every_public_part_needs():
    found = list(parts.public_parts())
    assert len(found) > 400
    for kind in found:
        assert isinstance(kind(**parts.USUAL.get(kind, {})), kind)
