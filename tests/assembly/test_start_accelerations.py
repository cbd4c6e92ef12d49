"""Start accelerations: what is not fixed is found so that they come out, or they are refused."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik.errors import InitialValueError, ParameterError
from motorik.gallery.fourbars import PlanarFourbar
from tests.covering import each_once
from tests.refusals import refused

G, LENGTH = 9.80665, 0.8


def pendulum(**start) -> mk.Model:
    """Return a point mass on a massless rod that turns about z."""
    model = mk.Model()
    model.world, model.rev = mk.World(), mk.Revolute(**start)
    model.rod, model.bob = mk.FixedTranslation(r=(LENGTH, 0, 0)), mk.PointMass(m=2.0)
    model.world.frame_b >> model.rev.frame_a
    model.rev.frame_b >> model.rod.frame_a
    model.rod.frame_b >> model.bob.frame_a
    return model


def started(model: mk.Model, *names: str, **options) -> list[float]:
    """Return variables at the start."""
    result = model.simulate(0.01, output=1, **options)
    return [float(result[name][0]) for name in names]


def test_the_angle_follows_from_the_acceleration():
    phi, a = started(pendulum(phi=mk.guess(0.3), w=0.0, a=-2.0), "rev.phi", "rev.a")
    assert a == pytest.approx(-2.0, abs=1e-12)
    assert phi == pytest.approx(np.arccos(2.0 * LENGTH / G), abs=1e-12)
    below = started(pendulum(phi=mk.guess(-0.3), w=0.0, a=-2.0), "rev.phi")
    assert below == pytest.approx([-phi], abs=1e-12)


def test_a_guess_of_an_acceleration_demands_nothing():
    model = pendulum(phi=mk.guess(0.3), w=0.0, a=mk.guess(-2.0))
    assert started(model, "rev.phi") == [0.3]


def test_an_acceleration_that_follows_already_is_met():
    assert started(pendulum(phi=0.0, w=0.0, a=-G / LENGTH), "rev.phi") == [0.0]


def test_the_speed_follows_where_the_angle_is_fixed():
    model = mk.Model()
    model.world, model.pivot = mk.World(gravityType="noGravity"), mk.Revolute(phi=0.0)
    model.pivot.w = mk.guess(1.0)
    model.slide = mk.Prismatic(s=0.5, v=0.0, a=2.0)
    model.bob = mk.PointMass(m=1.0)
    model.world.frame_b >> model.pivot.frame_a
    model.pivot.frame_b >> model.slide.frame_a
    model.slide.frame_b >> model.bob.frame_a
    # s̈ = s w²
    w, a = started(model, "pivot.w", "slide.a")
    assert w == pytest.approx(np.sqrt(2.0 / 0.5), abs=1e-12)
    assert a == pytest.approx(2.0, abs=1e-12)


def hung(c, **start) -> mk.Model:
    """Return a body on a spring, which can move up and down."""
    model = mk.Model()
    model.world, model.slide = mk.World(), mk.Prismatic(n=(0, -1, 0), **start)
    model.body = mk.Body(m=2.0)
    model.spring = mk.forces.Spring(c=c, s_unstretched=0.1)
    model.world.frame_b >> model.slide.frame_a
    model.slide.frame_b >> model.body.frame_a
    model.world.frame_b >> model.spring.frame_a
    model.spring.frame_b >> model.body.frame_a
    return model


@pytest.mark.parametrize("first", [100.0, 1.0, 0.0, 1e4])
def test_a_parameter_that_is_not_fixed_follows(first):
    model = hung(mk.Parameter(first, fixed=False), s=0.3, v=0.0, a=0.0)
    result = model.simulate(1.0, output=10, rtol=1e-10)
    assert result["spring.f"][0] == pytest.approx(2.0 * G, rel=1e-13)
    np.testing.assert_allclose(result["slide.s"], 0.3, rtol=1e-11)
    # the same by a model built with the number itself: c = m g / 0.2
    twin = hung(2.0 * G / 0.2, s=0.3, v=0.0).simulate(1.0, output=10, rtol=1e-10)
    np.testing.assert_allclose(result["slide.s"], twin["slide.s"], rtol=1e-11)
    # the guess stays, and the next run finds the value again
    assert model.spring.c.value == first
    again = model.simulate(1.0, output=10, rtol=1e-10)
    np.testing.assert_array_equal(again["slide.s"], result["slide.s"])


def test_a_stiffness_far_from_its_guess_is_found():
    model = hung(mk.Parameter(1.0, fixed=False), s=0.1001, v=0.0, a=0.0)
    result = model.simulate(0.01, output=1)
    assert result["spring.f"][0] / 1e-4 == pytest.approx(2.0 * G / 1e-4, rel=1e-10)


def test_a_parameter_is_found_that_no_part_may_have():
    model = hung(mk.Parameter(100.0, fixed=False), s=0.3, v=0.0, a=G + 1.0)
    with refused(ParameterError, "spring", "c = -10"):
        model.simulate(1.0)


def test_an_acceleration_that_cannot_be_is_refused_with_what_is_fixed():
    with refused(
        InitialValueError,
        "rev",
        "acceleration a",
        "1 remains",
        "rev.phi, rev.w",
        "fixed=False",
    ):
        pendulum(phi=0.0, w=0.0, a=1.0 - G / LENGTH).simulate(1.0)
    # no angle makes gravity stronger; the nearest is the level rod
    with refused(InitialValueError, "rev", "fixed besides: rev.w", "Nearest"):
        pendulum(phi=mk.guess(0.3), w=0.0, a=-2 * G / LENGTH).simulate(1.0)


# --- loops ------------------------------------------------------------------------------------


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("joint", "strategy"),
    each_once(["revolute1", "revolute2", "revolute3", "revolute4"], ["auto", "projected"]),
)
def test_a_four_bar_finds_the_speed_for_an_acceleration_of_any_joint(joint, strategy):
    model = PlanarFourbar(damping=0.0)
    model.revolute1.w = mk.guess(3.0)
    (rest,) = started(PlanarFourbar(damping=0.0), f"{joint}.a")
    (fast,) = started(
        PlanarFourbar(damping=0.0), f"{joint}.a", initial={"revolute1.w": 2.0}
    )
    getattr(model, joint).a = rest + 0.25 * (fast - rest)
    # accelerations go with the square of the speed
    w, a = started(model, "revolute1.w", f"{joint}.a", strategy=strategy)
    assert w == pytest.approx(1.0, abs=1e-9)
    assert a == pytest.approx(rest + 0.25 * (fast - rest), abs=1e-8)


# --- free motion ------------------------------------------------------------------------------


def swinging(**start) -> mk.Model:
    """Return a body on a spring, held by nothing else."""
    model = mk.Model()
    model.world, model.body = mk.World(), mk.Body(m=1.0, I_11=0.1, I_22=0.2, I_33=0.3)
    model.spring = mk.forces.Spring(c=100.0)
    model.free = mk.FreeMotionScalarInit(use_r=True, use_v=True, use_a=True, **start)
    for frame in (model.free.frame_a, model.spring.frame_a):
        model.world.frame_b >> frame
    for frame in (model.free.frame_b, model.spring.frame_b):
        model.body.frame_a >> frame
    return model


def test_a_hanging_body_is_found_by_its_rest():
    fixed = {f"{name}_{i}": 0.0 for name in ("v_rel_a", "a_rel_a") for i in (1, 2, 3)}
    guesses = {"r_rel_a_1": mk.guess(0.5), "r_rel_a_2": mk.guess(0.4)}
    result = swinging(**fixed, **guesses).simulate(1.0, output=4)
    for name, value in (("1", 0.0), ("2", -G / 100.0), ("3", 0.0)):
        np.testing.assert_allclose(result[f"free.r_rel_a_{name}"], value, atol=1e-12)


def tumbling(**start) -> mk.Model:
    """Return a rotating body whose start is given by angles or angular velocities."""
    model = mk.Model()
    model.world = mk.World()
    model.body = mk.Body(m=1.0, I_11=0.1, I_22=0.2, I_33=0.25)
    model.free = mk.FreeMotionScalarInit(**start)
    model.world.frame_b >> model.free.frame_a
    model.free.frame_b >> model.body.frame_a
    return model


def test_accelerations_of_free_motion_are_the_rates_of_its_speeds():
    angles = {f"angle_{i}": 0.3 * i for i in (1, 2, 3)}
    rates = {f"angle_d_{i}": 1.5 - i for i in (1, 2, 3)}
    model = tumbling(use_angle=True, use_angle_d=True, **angles, **rates)
    result = model.simulate(0.01, output=np.linspace(0, 0.01, 11), rtol=1e-12)
    h = result.time[1]
    for speed, acceleration in (
        ("angle_d", "angle_dd"),
        ("v_rel_a", "a_rel_a"),
        ("w_rel_b", "z_rel_b"),
    ):
        for i in (1, 2, 3):
            x = result[f"free.{speed}_{i}"]
            five_points = (x[3] - 8 * x[4] + 8 * x[6] - x[7]) / (12 * h)
            assert result[f"free.{acceleration}_{i}"][5] == pytest.approx(
                five_points, abs=1e-8
            )


def test_eulers_equations_give_the_speed_for_an_angular_acceleration():
    model = tumbling(
        use_w=True, use_z=True, w_rel_b_2=2.0, w_rel_b_3=mk.guess(1.0), w_rel_b_1=0.0,
        z_rel_b_1=-1.5,
    )  # fmt: skip
    # I₁ ω̇₁ = (I₂ − I₃) ω₂ ω₃
    w, z = started(model, "free.w_rel_b_3", "free.z_rel_b_1")
    assert w == pytest.approx(0.1 * -1.5 / ((0.2 - 0.25) * 2.0), abs=1e-12)
    assert z == pytest.approx(-1.5, abs=1e-12)


def test_accelerations_that_are_not_used_demand_nothing():
    model = tumbling(use_w=True, w_rel_b_2=2.0, w_rel_b_3=mk.guess(1.0), z_rel_b_1=-1.5)
    assert started(model, "free.w_rel_b_3") == [1.0]


@pytest.mark.parametrize(
    ("kind", "acceleration"),
    [
        (mk.Cylindrical, "a"),
        (mk.Cylindrical, "wd"),
        (mk.Universal, "a_a"),
        (mk.Universal, "a_b"),
        (mk.Planar, "a_x"),
        (mk.Planar, "a_y"),
        (mk.Planar, "wd"),
        (mk.Screw, "a"),
    ],
)
def test_joints_made_of_others_take_start_accelerations(kind, acceleration):
    joint = kind(**{acceleration: 0.7})
    model = mk.Model()
    model.world, model.joint, model.bob = mk.World(), joint, mk.Body(r_CM=(0.3, 0.2, 0.1))
    model.pull = mk.forces.WorldForce()
    model.world.frame_b >> joint.frame_a
    joint.frame_b >> model.bob.frame_a
    model.bob.frame_a >> model.pull.frame_b
    x, y, z = (mk.blocks.Constant(k=mk.Parameter(1.0, fixed=False)) for _ in range(3))
    model.x, model.y, model.z = x, y, z
    for k, source in enumerate((x, y, z)):
        source.y >> model.pull.force[k]
    (found,) = started(model, f"joint.{acceleration}")
    assert found == pytest.approx(0.7, abs=1e-9)
