"""Guesses select the branch: a loop without closed form starts in the one nearest to them.

All branches are found by Newton's method on the closure equations from everywhere, in numpy. Where
a loop is left free to move, a known closed pose bounds how far the start may be from the guesses.
"""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import guess
from motorik.loops.formulate import formulate
from motorik.loops.options import LoopStrategy
from motorik.topology.assembled_model import assemble_model
from tests.covering import each_once
from tests.laws.ring_branches import (
    MountedRing,
    Ring,
    Tower,
    all_branches,
    any_ring,
    ends,
    within_half_a_turn,
)


def start_of(model: mk.Model) -> dict[str, float]:
    """Return the coordinates of all joints where a model without live parameters starts."""
    assembled = assemble_model(model)
    found = formulate(assembled, LoopStrategy())
    assert found.mobility is not None
    return found.mobility.named_values()[0]


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(("seed", "hinges", "near"), [(3, 4, 0.25), (6, 7, 0.5)])
def test_a_run_of_a_ring_starts_in_the_branch_near_to_its_guesses(seed, hinges, near):
    """`near` is how far the nearest may be at most, of the distance of the second."""
    chain, place, turned, angles, rng = any_ring(seed, hinges)
    branches = all_branches(chain, place, turned, angles[0], rng)
    assert len(branches) > 1
    assert np.abs(within_half_a_turn(branches - angles[1:])).max(axis=1).min() < 1e-6
    judged = 0
    for noise in (0.15, 0.5, 0.5):
        chosen = branches[rng.integers(len(branches))]
        guesses = chosen + rng.normal(size=hinges - 1) * noise
        apart = np.linalg.norm(within_half_a_turn(branches - guesses), axis=1)
        first, second = np.sort(apart)[:2]
        if first > near * second:
            continue
        shape = {"chain": chain, "place": place, "turned": turned}
        ring = Ring(**shape, angles=[angles[0], *guesses])
        result = ring.simulate(1e-6, output=1)
        found = np.array([result[f"hinge{k}.phi"][0] for k in range(1, hinges)])
        nearest = branches[int(np.argmin(apart))]
        assert np.abs(within_half_a_turn(found - nearest)).max() < 1e-4
        judged += 1
    assert judged


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(("seed", "hinges"), each_once([3, 4, 7], [4, 7]))
def test_no_branch_is_nearer_to_the_guesses_of_a_ring_than_its_start(seed, hinges):
    chain, place, turned, angles, rng = any_ring(seed, hinges)
    branches = all_branches(chain, place, turned, angles[0], rng)
    for noise in (0.15, 0.5, 1.0):
        chosen = branches[rng.integers(len(branches))]
        guesses = chosen + rng.normal(size=hinges - 1) * noise
        apart = np.linalg.norm(within_half_a_turn(branches - guesses), axis=1)
        shape = {"chain": chain, "place": place, "turned": turned}
        found = start_of(Ring(**shape, angles=[angles[0], *guesses]))
        start = np.array([found[f"hinge{k}.phi"] for k in range(1, hinges)])
        distance = np.linalg.norm(within_half_a_turn(start - guesses))
        assert distance < apart.min() * (1.0 + 1e-4) + 1e-6
        assert found["hinge0.phi"] == angles[0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 18])
def test_guesses_of_some_hinges_select_the_branch_nearest_to_them(seed):
    chain, place, turned, angles, rng = any_ring(seed, 4)
    branches = all_branches(chain, place, turned, angles[0], rng)
    for count in (1, 2):
        guesses = branches[rng.integers(len(branches))] + rng.normal(size=3) * 0.3
        ring = Ring(chain=chain, place=place, turned=turned, angles=[angles[0], *guesses])
        given = rng.permutation(3)[:count]
        for k in set(range(3)) - set(given.tolist()):
            getattr(ring, f"hinge{k + 1}").phi = None
        found = start_of(ring)
        start = np.array([found[f"hinge{k}.phi"] for k in range(1, 4)])
        apart = within_half_a_turn(np.vstack([start, branches]) - guesses)[:, given]
        own, *others = np.linalg.norm(apart, axis=1)
        assert own < min(others) * (1.0 + 1e-4) + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("seed", [4])
def test_a_ring_starts_on_others_as_it_does_alone(seed):
    rings = {}
    for k, hinges in enumerate((7, 4, 7)):
        chain, place, turned, angles, rng = any_ring(10 * seed + k, hinges)
        size = 0.1 * 20.0**k  # of very different sizes
        rings[f"ring{k}"] = {
            "chain": (chain[0], size * chain[1]),
            "place": size * place,
            "turned": turned,
            "angles": [angles[0], *(angles[1:] + rng.normal(size=hinges - 1))],
        }
    mounted = [(name, MountedRing(**own)) for name, own in rings.items()]
    together = start_of(Tower(rings=mounted))
    for name, own in rings.items():
        alone = start_of(Tower(rings=[(name, MountedRing(**own))]))
        for joint, value in alone.items():
            assert abs(together[joint] - value) < 1e-8


# --- planar loops, guesses of bodies, loops that are left free to move --------------------------


class Platform(mk.Model):
    """A plate in a plane on three legs of two bars: no closed form. Cranks fixed or guessed."""

    def build(self, feet, corners, bars, cranks, knees, plate=None):
        self.world = mk.World()
        self.plate = mk.Body(m=1.0, **(plate or {}))
        for k, (foot, corner, (upper, lower)) in enumerate(
            zip(feet, corners, bars, strict=True)
        ):
            parts = {
                "foot": mk.FixedTranslation(r=(*foot, 0.0)),
                "crank": mk.Revolute(n="z", phi=cranks[k]),
                "upper": mk.BodyShape(r=(upper, 0, 0), m=1.0),
                "knee": mk.Revolute(n="z", **({} if knees is None else {"phi": knees[k]})),
                "lower": mk.BodyShape(r=(lower, 0, 0), m=1.0),
                "ankle": mk.Revolute(n="z"),
                "corner": mk.FixedTranslation(r=(*corner, 0.0)),
            }
            at = self.world.frame_b
            for name, part in parts.items():
                setattr(self, f"{name}{k}", part)
                is_last = name == "corner"
                at >> (part.frame_b if is_last else part.frame_a)
                at = part.frame_a if is_last else part.frame_b
            at >> self.plate.frame_a


def any_platform(seed: int):
    """Return the shape of a platform, its cranks, knees and plate at a closed pose, a generator."""
    rng = np.random.default_rng(seed)
    around = np.arange(3) * 2.0 * np.pi / 3.0 + rng.uniform(-0.4, 0.4, 3)
    feet = 1.5 * np.stack([np.cos(around), np.sin(around)], axis=1)
    corners = 0.5 * np.stack([np.cos(around), np.sin(around)], axis=1)
    corners += rng.normal(scale=0.1, size=(3, 2))
    place, turn = rng.uniform(-0.2, 0.2, 2), rng.uniform(-0.5, 0.5)
    c, s = np.cos(turn), np.sin(turn)
    reach = place + corners @ np.array([[c, s], [-s, c]]) - feet
    cranks = np.arctan2(reach[:, 1], reach[:, 0]) + rng.uniform(0.4, 1.0, 3)
    upper = rng.uniform(0.6, 1.0, 3)
    left = reach - upper[:, None] * np.stack([np.cos(cranks), np.sin(cranks)], axis=1)
    knees = within_half_a_turn(np.arctan2(left[:, 1], left[:, 0]) - cranks)
    bars = np.stack([upper, np.linalg.norm(left, axis=1)], axis=1)
    shape = {"feet": feet, "corners": corners, "bars": bars}
    return shape, cranks, knees, place, turn, rng


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_no_known_pose_of_a_platform_is_nearer_to_the_guesses_than_its_start(seed):
    """The cranks are fixed, which closed forms of other angles do not give."""
    shape, cranks, knees, _, _, rng = any_platform(seed)
    for noise in (0.1, 0.6):
        wishes = knees + rng.normal(size=3) * noise
        known = np.linalg.norm(within_half_a_turn(knees - wishes))
        found = start_of(Platform(**shape, cranks=cranks, knees=[*map(guess, wishes)]))
        start = np.array([found[f"knee{k}.phi"] for k in range(3)])
        assert np.linalg.norm(within_half_a_turn(start - wishes)) < known * (1.0 + 1e-4)
        assert all(found[f"crank{k}.phi"] == cranks[k] for k in range(3))


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_a_run_of_a_platform_starts_in_the_branch_of_its_guesses(strategy):
    shape, cranks, knees, *_ = any_platform(4)
    model = Platform(**shape, cranks=cranks, knees=[*map(guess, np.round(knees, 1))])
    result = model.simulate(1e-6, output=1, strategy=strategy)
    for k in range(3):
        assert abs(within_half_a_turn(result[f"knee{k}.phi"][0] - knees[k])) < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_the_guess_of_a_body_selects_the_branch_of_a_platform(seed):
    shape, cranks, knees, place, turn, rng = any_platform(seed)
    wish = [*(place + rng.normal(scale=0.01, size=2)), 0.0]
    plate = {"r_0": guess(wish), "angles_start": (0.0, 0.0, turn)}
    found = start_of(Platform(**shape, cranks=cranks, knees=None, plate=plate))
    start = np.array([found[f"knee{k}.phi"] for k in range(3)])
    assert np.abs(within_half_a_turn(start - knees)).max() < 1e-6


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_no_known_pose_of_a_free_ring_is_nearer_to_the_guesses_than_its_start(seed):
    chain, place, turned, angles, rng = any_ring(seed, 7)
    for noise in (0.1, 0.7):
        wishes = angles + rng.normal(size=7) * noise
        ring = Ring(chain=chain, place=place, turned=turned, angles=wishes, first=guess)
        found = start_of(ring)
        start = np.array([found[f"hinge{k}.phi"] for k in range(7)])
        distance = np.linalg.norm(within_half_a_turn(start - wishes))
        assert distance < np.linalg.norm(within_half_a_turn(angles - wishes))
        (end,), (axes,), _ = ends(chain, start[None])
        assert np.abs(end - place).max() < 1e-8 and np.abs(axes - turned).max() < 1e-8


@pytest.mark.slow
def test_a_strategy_for_one_loop_does_not_move_the_start():
    """Guesses alone, which closed forms keep for the crank."""
    first = slider_crank_start("auto")
    found = slider_crank_start({"pin": "projected"})
    assert max(abs(found[name] - first[name]) for name in first) < 1e-9


def slider_crank_start(strategy: str | dict[str, str]) -> dict[str, float]:
    """Return where a slider-crank whose values are all guessed starts."""
    model = mk.Model()
    model.world = mk.World()
    model.bearing = mk.Revolute(n="z", phi=guess(0.9))
    model.crank = mk.BodyShape(r=(0.4, 0, 0), m=1.0)
    model.pin = mk.Revolute(n="z", phi=guess(-1.0))
    model.rod = mk.BodyShape(r=(1.0, 0, 0), m=1.0)
    model.knee = mk.Revolute(n="z")
    model.rail = mk.Prismatic(n="x", s=guess(1.0))
    model.world.frame_b >> model.bearing.frame_a
    model.bearing.frame_b >> model.crank.frame_a
    model.crank.frame_b >> model.pin.frame_a
    model.pin.frame_b >> model.rod.frame_a
    model.rod.frame_b >> model.knee.frame_a
    model.world.frame_b >> model.rail.frame_a
    model.rail.frame_b >> model.knee.frame_b
    result = model.simulate(1e-9, output=1, strategy=strategy)
    return {name: result[name][0] for name in ("bearing.phi", "pin.phi", "rail.s")}
