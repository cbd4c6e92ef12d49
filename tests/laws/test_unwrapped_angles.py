"""Angles of joints count full turns, at any output times and however fast they turn."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, rotational
from motorik.results import Result
from tests.laws.four_bars import DRAG, ROCKING, Lengths, four_bar
from tests.laws.gallery_models import LOOPS, model_of
from tests.laws.linkages import LINKAGES

SAME = 1e-9  # of an angle, against the tolerance of 1e-6 of its run
TURN = 2 * np.pi


def angles(result: Result) -> list[str]:
    """Return the names of all angles of joints, shafts and sensors."""
    found = [name for name in result.names() if name.rpartition(".")[2] == "phi"]
    found += [n for n in result.motion_names if result.unit(n) == "rad" and n in result]
    return list(dict.fromkeys(found))


def off(one: Result, other: Result, rows: slice | list[int]) -> list[str]:
    """Return in words which angles are not the same in the rows of one and those of other."""
    names = angles(one)
    one.compute(names)
    other.compute(names)
    apart = {name: np.abs(one[name] - other[name][rows]).max() for name in names}
    return [f"{name} by {x:.2g}" for name, x in apart.items() if not x < SAME]


def check_rows(model: mk.Model, stop: float, **options) -> None:
    """Assert that angles do not depend on which rows a run writes."""
    steps = model.simulate(stop, output="steps", **options)
    at_steps = model.simulate(stop, output=steps.time, **options)
    many = model.simulate(stop, output=500, **options)
    assert off(at_steps, steps, slice(None)) == []
    for count in (1, 20):
        few = model.simulate(stop, output=count, **options)
        assert off(few, many, slice(None, None, 500 // count)) == []
    ends = model.simulate(stop, output=[0.0, stop], **options)
    assert off(ends, steps, [0, -1]) == []


@pytest.mark.kinds(5)
@pytest.mark.slow
@pytest.mark.parametrize("name", LOOPS)
def test_rows_do_not_change_the_angles_of_the_gallery(name):
    check_rows(model_of(name), LOOPS[name].stop)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["six-bar", "RUSR", "seven hinges"])
@pytest.mark.parametrize("seed", [2])
def test_nor_of_random_linkages(kind, seed):
    check_rows(LINKAGES[kind](seed).model(), 1.0)


# --- cranks that turn fast ----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_a_rocker_rocks_however_fast_its_crank_turns(strategy):
    w, elbow = 200.0, 1
    model = four_bar(ROCKING, w=w, elbow=elbow, g=0.0)
    check_rows(model, 1.0, strategy=strategy)
    result = model.simulate(1.0, output=3, strategy=strategy)
    phi = result["bearing.phi"]
    assert phi[-1] > 20 * TURN
    wanted = np.array([ROCKING.rocker_angle(x, elbow) for x in phi])
    theta = np.array([ROCKING.coupler_angle(x, elbow) for x in phi])
    np.testing.assert_allclose(result["pivot.phi"], wanted, rtol=0, atol=1e-5)
    np.testing.assert_allclose(result["knuckle.phi"], theta - wanted, rtol=0, atol=1e-5)
    np.testing.assert_allclose(result["pin.phi"], theta - phi, rtol=0, atol=1e-5)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "elbow"), [("auto", 1), ("auto", -1), ("projected", -1)]
)
def test_a_drag_link_takes_its_follower_round(strategy, elbow):
    model = four_bar(DRAG, w=40.0, elbow=elbow, g=0.0)
    check_rows(model, 1.0, strategy=strategy)
    result = model.simulate(1.0, output=2, strategy=strategy)
    phi, psi = result["bearing.phi"], result["pivot.phi"]
    assert phi[-1] > 4 * TURN
    wanted = np.unwrap(
        [DRAG.rocker_angle(x, elbow) for x in np.linspace(0.5, phi[-1], 9999)]
    )
    assert psi[0] == pytest.approx(wanted[0], abs=1e-9)
    assert psi[-1] == pytest.approx(wanted[-1], abs=1e-5)


# --- cranks whose motion is given: no states ----------------------------------------------------


def driven(lengths: Lengths, by: str, w: float) -> mk.Model:
    """Return a four-bar whose crank turns at w [rad/s] exactly, from 0.5 rad."""
    model = four_bar(lengths, phi=mk.guess(0.5), w=mk.guess(w), g=0.0)
    if by == "speed":
        model.source = blocks.Constant(k=w)
        model.drive = rotational.Speed(exact=True, phi=0.5)
        mk.connect(model.source.y, model.drive.w_ref)
    else:
        model.source = blocks.Ramp(height=w * 2.0, duration=2.0, offset=0.5)
        model.drive = rotational.Position(exact=True)
        mk.connect(model.source.y, model.drive.phi_ref)
    mk.connect(model.drive.flange, model.bearing.axis)
    return model


@pytest.mark.slow
@pytest.mark.parametrize(
    ("by", "lengths", "turns"), [("speed", ROCKING, False), ("position", DRAG, True)]
)
def test_a_crank_that_is_moved_takes_its_linkage_along(by, lengths, turns):
    w, stop = 60.0, 1.0
    model = driven(lengths, by, w)
    check_rows(model, stop)
    result = model.simulate(stop, output=1)
    crank = np.linspace(0.5, 0.5 + w * stop, 9999)
    assert result["bearing.phi"][-1] == pytest.approx(crank[-1], abs=1e-6)
    wanted = np.unwrap([lengths.rocker_angle(x) for x in crank])
    assert bool(abs(wanted[-1] - wanted[0]) > TURN) is turns
    assert result["pivot.phi"][-1] == pytest.approx(wanted[-1], abs=1e-5)


# --- turns in space -----------------------------------------------------------------------------


def cardan_shaft(bend: float, w: float) -> mk.Model:
    """Return two shafts at an angle, joined by a universal joint, both in bearings."""
    model = mk.Model()
    model.world = mk.World(g=0.0)
    model.first, model.second = mk.Revolute(n="x", phi=0.0, w=w), mk.Revolute(n="x")
    model.in_shaft = mk.BodyShape(r=(0.5, 0, 0), m=1.0, I_11=0.1, I_22=0.1, I_33=0.1)
    model.out_shaft = mk.BodyShape(r=(0.5, 0, 0), m=1.0, I_11=0.2, I_22=0.1, I_33=0.1)
    model.cross = mk.Universal(n_a="y", n_b="z")
    end = (0.5 + 0.5 * np.cos(bend), 0.5 * np.sin(bend), 0.0)
    model.seat = mk.FixedRotation(r=end, n="z", angle=bend)
    mk.connect(model.world.frame_b, model.first.frame_a)
    mk.connect(model.first.frame_b, model.in_shaft.frame_a)
    mk.connect(model.in_shaft.frame_b, model.cross.frame_a)
    mk.connect(model.cross.frame_b, model.out_shaft.frame_a)
    mk.connect(model.world.frame_b, model.seat.frame_a)
    mk.connect(model.seat.frame_b, model.second.frame_a)
    mk.connect(model.second.frame_b, model.out_shaft.frame_b)
    return model


@pytest.mark.slow
@pytest.mark.parametrize(("strategy", "bend"), [("auto", 0.3), ("projected", -0.8)])
def test_a_cardan_shaft_turns_out_as_often_as_in(strategy, bend):
    model = cardan_shaft(bend, 50.0)
    check_rows(model, 1.0, strategy=strategy)
    result = model.simulate(1.0, output=4, strategy=strategy)
    one, other = (result[f"{name}.phi"] for name in ("first", "second"))
    assert one[-1] > 6 * TURN
    apart = other - other[0] - one  # at most the lag of a cross, which is periodic
    assert np.abs(apart).max() < np.pi / 2
    sin, cos = np.sin(one), np.cos(one)
    lag = np.arctan2(cos * sin * (np.cos(bend) - 1), cos**2 + sin**2 * np.cos(bend))
    lag2 = np.arctan2(cos * sin * (1 / np.cos(bend) - 1), cos**2 + sin**2 / np.cos(bend))
    near = min(np.abs(apart - way).max() for way in (lag, lag2, -lag, -lag2))
    assert near < 1e-5


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "absolute"])
def test_at_the_time_of_a_sample_angles_are_those_of_the_sample(strategy):
    """From one sample to the next, the shafts turn by more than half a turn."""
    result = cardan_shaft(0.3, 50.0).simulate(0.5, output=7, strategy=strategy)
    assert np.diff(result["second.phi"]).min() > np.pi
    assert off(result.at(result.time), result, slice(None)) == []


# --- full turns at the start, and angles that need no unwrapping --------------------------------


@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_every_angle_of_a_loop_begins_near_its_start_value(strategy):
    """Which joint is cut, and which angle a closed form gives, is not seen from outside."""
    model = four_bar(ROCKING, phi=0.5)
    theta, psi = ROCKING.coupler_angle(0.5), ROCKING.rocker_angle(0.5)
    wanted = {
        "pin.phi": theta - 0.5 + 3 * TURN,
        "pivot.phi": psi - 2 * TURN,
        "knuckle.phi": theta - psi + 5 * TURN,
    }
    for name, value in wanted.items():
        model.parts[name.partition(".")[0]].phi = mk.guess(value + 0.1)
    start = model.simulate(1e-6, output=[0.0], strategy=strategy)
    for name, value in wanted.items():
        assert start[name][0] == pytest.approx(value, abs=1e-9), name


@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_every_angle_of_a_loop_in_space_begins_near_its_start_value(strategy):
    model = cardan_shaft(0.3, 50.0)
    model.second.phi = mk.guess(7 * TURN + 0.1)
    model.cross.phi_a, model.cross.phi_b = mk.guess(0.1 - 4 * TURN), mk.guess(0.2 + TURN)
    start = model.simulate(1e-6, output=[0.0], strategy=strategy)
    found = [start[name][0] for name in ("second.phi", "cross.phi_a", "cross.phi_b")]
    np.testing.assert_allclose(found, (7 * TURN, -4 * TURN, TURN + 0.3), rtol=0, atol=1e-9)


@pytest.mark.parametrize("axes", [(1, 1, 1, 1), (1, -1, -1, 1), (-1, -1, 1, 1)])
def test_the_angle_of_a_cut_hinge_of_a_planar_loop_is_a_sum_of_the_others(axes):
    """The coupler turns as often on the way over the crank as on that over the rocker."""
    names = ("bearing", "pin", "knuckle", "pivot")
    model = four_bar(ROCKING, g=0.0, w=2.0 * axes[0], phi=0.5 * axes[0])
    around = dict(zip(names, axes, strict=True))
    for name, axis in around.items():
        joint = model.parts[name]
        joint.n = (0, 0, axis)
        if name != "bearing":
            joint.phi = mk.guess(axis * joint.phi.value)
    formulation = model.compile("projected").formulation
    (cut,) = formulation.summed_cuts
    assert formulation.unwrapped_cuts == ()
    # bearing + pin is the angle of the coupler, and so is pivot + knuckle
    signs = {name: s * around[name] for name, s in zip(names, (1, 1, -1, -1), strict=True)}
    own = signs.pop(cut.part.name)
    wanted = {f"{name}.phi": -own * sign for name, sign in signs.items()}
    coordinates = formulation.mechanism.coordinates
    assert {coordinates[k].name: sign for k, sign in cut.terms} == wanted
