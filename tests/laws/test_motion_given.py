"""Inverse dynamics at one time is what it is within any series of times."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, rotational
from motorik.errors import InitialValueError
from tests.covering import each_once
from tests.laws.four_bars import DRAG, ROCKING, Lengths, four_bar
from tests.laws.linkages import LINKAGES

COUNT = 25


def motion(t: np.ndarray, at: float, speed: float = 3.0) -> tuple[np.ndarray, ...]:
    """Return a turn with accelerations over t [s]: values, rates, second rates."""
    wave = 0.3 * np.sin(2.0 * t)
    return at + speed * t + wave, speed + 0.6 * np.cos(2.0 * t), -4.0 * wave


def check(model: mk.Model, name: str, at: float, times: np.ndarray, **options) -> None:
    """Assert that torques at single times, and in any grid, are the same."""
    whole = model.inverse_dynamics(times, {name: motion(times, at)}, **options)[name]
    size = np.abs(whole).max()
    assert size > 0.0 and np.isfinite(whole).all()
    for k in range(0, times.size, 6):
        alone = times[k : k + 1]
        found = model.inverse_dynamics(alone, {name: motion(alone, at)}, **options)[name]
        assert abs(found[0] - whole[k]) < 1e-8 * size, times[k]
    few = times[::5]
    found = model.inverse_dynamics(few, {name: motion(few, at)}, **options)[name]
    np.testing.assert_allclose(found, whole[::5], rtol=0, atol=1e-8 * size)
    backwards = times[::-1]
    found = model.inverse_dynamics(backwards, {name: motion(backwards, at)}, **options)
    np.testing.assert_allclose(found[name], whole[::-1], rtol=0, atol=1e-8 * size)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(("lengths", "elbow"), each_once([ROCKING, DRAG], [1, -1]))
def test_a_torque_does_not_depend_on_the_other_times(lengths: Lengths, elbow):
    rng = np.random.default_rng(4)
    model = four_bar(lengths, elbow=elbow)
    check(model, "bearing.phi", 0.5, np.sort(rng.uniform(0.0, 4.0, COUNT)))


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("lengths", [ROCKING, DRAG])
def test_a_branch_by_name_is_the_other_elbow(lengths: Lengths):
    """Both ways of one model give what models built on these elbows give."""
    model = four_bar(lengths, elbow=1)
    times = np.sort(np.random.default_rng(5).uniform(0.0, 3.0, COUNT))
    given = {"bearing.phi": motion(times, 0.5)}
    ways = model.branches()
    assert len(ways) == 2
    found = [
        model.inverse_dynamics(
            times, given, strategy="explicit", loops=mk.LoopOptions(branch=way.names)
        )
        for way in ways
    ]
    torques = [torque["bearing.phi"] for torque in found]
    wanted = [
        four_bar(lengths, elbow=elbow).inverse_dynamics(times, given)["bearing.phi"]
        for elbow in ((1, -1) if ways[0].is_start else (-1, 1))
    ]
    size = np.abs(wanted).max()
    np.testing.assert_allclose(torques, wanted, rtol=0, atol=1e-8 * size)
    assert np.abs(torques[0] - torques[1]).max() > 1e-3 * size
    for way in ways:
        check(
            model,
            "bearing.phi",
            0.5,
            times,
            strategy="explicit",
            loops=mk.LoopOptions(branch=way.names),
        )


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seed"), [("RUSR", 1), ("RSUP", 1)])
def test_nor_does_it_in_space(kind, seed):
    linkage = LINKAGES[kind](seed)
    model = linkage.model()
    at = linkage.pairs[0].value
    times = np.sort(np.random.default_rng(seed).uniform(0.0, 0.3, COUNT))
    check(model, "j0.phi", at, times)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seed"), [("RUSR", 2), ("RSUP", 3)])
def test_a_motion_is_refused_only_where_the_coordinate_turns_back(kind, seed):
    """The rocking driver goes as far as in a free motion, and no further."""
    linkage = LINKAGES[kind](seed)
    model, at = linkage.model(), linkage.pairs[0].value
    free = model.simulate(
        2.0, strategy="projected", initial={"j0.w": 1.0}, rtol=1e-9, output="steps"
    )
    w, phi = free["j0.w"], free["j0.phi"]
    turns = np.flatnonzero((w[:-1] > 0.0) & (w[1:] <= 0.0))
    k = int(turns[0])
    fine = model.simulate(
        free.time[k + 1],
        strategy="projected",
        initial={"j0.w": 1.0},
        rtol=1e-9,
        output=np.linspace(free.time[k], free.time[k + 1], 500),
    )
    furthest = float(fine["j0.phi"].max())
    assert furthest >= max(phi[k], phi[k + 1]) - 1e-9

    def torque(value: float) -> float:
        return float(
            model.inverse_dynamics([0.0], {"j0.phi": (value, 0.0, 0.0)})["j0.phi"][0]
        )

    assert np.isfinite(torque(at + 0.999 * (furthest - at)))
    with pytest.raises(InitialValueError, match="as far as they go") as caught:
        torque(furthest + 1e-4)
    named = float(str(caught.value).split("j0.phi = ")[1].split(" ")[0])
    assert named == pytest.approx(furthest, abs=2e-6)


def test_a_drive_that_time_moves_takes_part_in_the_motion():
    """Torque at the shoulder of two point masses, whose elbow follows a sine: closed form."""
    L1, L2, m1, m2, g = 0.7, 0.5, 2.0, 1.5, 9.81
    model = mk.Model()
    model.world = mk.World(g=g, n="-y")
    model.shoulder, model.elbow = mk.Revolute(), mk.Revolute(useAxisFlange=True)
    model.upper, model.lower = (mk.FixedTranslation(r=(L, 0, 0)) for L in (L1, L2))
    model.near, model.far = mk.PointMass(m=m1), mk.PointMass(m=m2)
    model.source = blocks.Sine(amplitude=0.8, f=1.3, phase=0.4)
    model.drive = rotational.Position(exact=True)
    model.world.frame_b >> model.shoulder.frame_a
    model.shoulder.frame_b >> model.upper.frame_a
    mk.connect(model.upper.frame_b, model.near.frame_a, model.elbow.frame_a)
    model.elbow.frame_b >> model.lower.frame_a
    model.lower.frame_b >> model.far.frame_a
    model.source.y >> model.drive.phi_ref
    model.drive.flange >> model.elbow.axis
    times = np.linspace(0.0, 1.0, 6)
    one = motion(times, 0.5)
    found = model.inverse_dynamics(times, {"shoulder.phi": one})["shoulder.phi"]
    turn = 2 * np.pi * 1.3
    bend, w2 = 0.8 * np.sin(turn * times + 0.4), 0.8 * turn * np.cos(turn * times + 0.4)
    phi, w1, a1 = one
    a2, c, s = -(turn**2) * bend, np.cos(bend), np.sin(bend)
    inertia = m1 * L1**2 + m2 * (L1**2 + L2**2 + 2 * L1 * L2 * c)
    torque = inertia * a1 + m2 * (L2**2 + L1 * L2 * c) * a2
    torque -= m2 * L1 * L2 * s * (2 * w1 * w2 + w2**2)
    torque += g * ((m1 + m2) * L1 * np.cos(phi) + m2 * L2 * np.cos(phi + bend))
    np.testing.assert_allclose(found, torque, rtol=0, atol=1e-9 * np.abs(torque).max())
