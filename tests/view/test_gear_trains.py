"""Gears of drive lines: wheels mesh on parallel shafts, rings have their teeth inside."""

import doctest

import numpy as np
import pytest

import motorik as mk
from motorik import rotational, visualizers
from motorik.view.scene.shapes import BoxShape, Gearwheel
from motorik.view.visuals import gear_pairs


def test_doctests():
    assert doctest.testmod(gear_pairs).failed == 0


class Train(mk.Model):
    """Shafts with inertia, and gears between them."""

    def build(self, ratios=()):
        self.s0 = rotational.Inertia(J=1.0, phi=0.0, w=2.0)
        for k, ratio in enumerate(ratios, 1):
            setattr(self, f"g{k}", rotational.IdealGear(ratio=ratio))
            setattr(self, f"s{k}", rotational.Inertia(J=1.0))
            before, gear = getattr(self, f"s{k - 1}"), getattr(self, f"g{k}")
            self.connect(before.flange_b, gear.flange_a)
            self.connect(gear.flange_b, getattr(self, f"s{k}").flange_a)


def wheels(scene, path):
    return [one for one in scene.shapes_of(path) if isinstance(one, Gearwheel)]


def pitch(wheel):
    """Return the pitch radius of a wheel."""
    if wheel.internal:
        return wheel.inner / 2 * wheel.teeth / (wheel.teeth - 2)
    return wheel.diameter / 2 * wheel.teeth / (wheel.teeth + 2)


def poses_at(scene, wheel, row):
    """Return the centre of a wheel, and the direction of its first tooth, at a row of the run."""
    x, y, z, *q = scene.runs[0].poses[row, wheel.at.group - 1]
    R = np.array(mk.algebra.Quaternion(*q).rotation().numpy())
    own = wheel.at.pose
    return R @ own.p.numpy() + [x, y, z], R @ own.R.numpy()[:, 1]


def phase(scene, wheel, row, toward):
    """Return how far a wheel is turned beyond a tooth in a direction, in teeth."""
    _, tooth = poses_at(scene, wheel, row)
    turn = np.arctan2(tooth[2], tooth[1]) - np.arctan2(toward[2], toward[1])
    return turn * wheel.teeth / (2 * np.pi)


@pytest.mark.parametrize("ratio", [-2.0, -0.5, -1.0, 2.0, 0.5, 1.5])
def test_wheels_mesh_at_all_times(ratio):
    scene = Train(ratios=(ratio,)).simulate(0.5, output=11).scene()
    first, second = wheels(scene, "g1")
    assert [first.internal, second.internal].count(True) == (ratio > 0)
    assert second.teeth / first.teeth == pytest.approx(abs(ratio))
    for row in (0, 5, 10):
        a, _ = poses_at(scene, first, row)
        b, _ = poses_at(scene, second, row)
        away = (b - a) * [0, 1, 1]
        far = pitch(second) - pitch(first) if ratio > 0 else pitch(first) + pitch(second)
        assert np.linalg.norm(away) == pytest.approx(abs(far), rel=1e-6)
        if ratio < 0:  # a tooth of one meets a gap of the other: half a tooth in all
            sum_ = phase(scene, first, row, away) + phase(scene, second, row, -away)
            assert (sum_ - 0.5) % 1.0 == pytest.approx(0.0, abs=1e-3) or (
                (sum_ - 0.5) % 1.0 == pytest.approx(1.0, abs=1e-3)
            )
        else:
            small = away if ratio < 1 else -away
            difference = phase(scene, first, row, small) - phase(scene, second, row, small)
            assert abs(abs((difference % 1.0) - 0.5)) == pytest.approx(0.0, abs=1e-3)


def test_shafts_go_to_and_fro_and_take_no_room_of_others():
    scene = Train(ratios=(-2.0, -2.0, -2.0)).scene()
    heights = [
        scene.bases[group].pose.p.numpy()[1]
        for name in ("s0", "s1", "s2", "s3")
        for group in [scene.shapes_of(name)[0].at.group]
    ]
    assert heights[0] == pytest.approx(heights[2]) and heights[1] == pytest.approx(
        heights[3]
    )
    assert heights[1] < heights[0]


class TwoSpeeds(mk.Model):
    """Two gears beside each other between the same shafts, by clutches."""

    def build(self):
        self.begin, self.end = rotational.Inertia(J=1.0), rotational.Inertia(J=1.0)
        self.on = mk.blocks.Constant(k=0.0)
        for k, ratio in ((1, -2.0), (2, -3.0)):
            gear, clutch = rotational.IdealGear(ratio=ratio), rotational.Clutch(fn_max=10.0)
            between = rotational.Inertia(J=0.1)
            setattr(self, f"gear{k}", gear)
            setattr(self, f"between{k}", between)
            setattr(self, f"clutch{k}", clutch)
            self.connect(self.begin.flange_b, gear.flange_a)
            self.connect(gear.flange_b, between.flange_a)
            self.connect(between.flange_b, clutch.flange_a)
            self.connect(clutch.flange_b, self.end.flange_a)
            self.connect(self.on.y, clutch.f_normalized)


def test_shafts_that_are_joined_otherwise_stay_on_one_axis():
    """Else a clutch would lie between shafts that are not in line."""
    scene = TwoSpeeds().scene()
    heights = {round(float(place.pose.p.y), 9) for place in scene.bases.values()}
    assert len(heights) == 1


class Epicyclic(mk.Model):
    """A sun, planets, and a ring that a wall holds."""

    def build(self, ratio=3.0):
        self.sun, self.carrier = (
            rotational.Inertia(J=0.1, w=10.0),
            rotational.Inertia(J=2.0),
        )
        self.gear, self.wall = rotational.IdealPlanetary(ratio=ratio), rotational.Fixed()
        self.connect(self.sun.flange_b, self.gear.sun)
        self.connect(self.carrier.flange_a, self.gear.carrier)
        self.connect(self.gear.ring, self.wall.flange)


@pytest.mark.parametrize("ratio", [1.5, 2.0, 3.0, 4.0])
def test_a_planetary_gear_has_a_ring_around_planets_around_a_sun(ratio):
    scene = Epicyclic(ratio=ratio).scene()
    sun, *planets, ring = wheels(scene, "gear")
    assert ring.internal and not any(one.internal for one in (sun, *planets))
    assert len(planets) == 3
    assert ring.teeth == sun.teeth + 2 * planets[0].teeth
    assert ring.teeth / sun.teeth == pytest.approx(ratio, rel=0.05)
    for planet in planets:
        pin = np.linalg.norm(planet.at.pose.p.numpy()[1:])
        assert pin == pytest.approx(pitch(sun) + pitch(planet))
        assert pin == pytest.approx(pitch(ring) - pitch(planet))


def test_a_wall_that_holds_a_ring_stands_below_it_and_not_in_the_way():
    scene = Epicyclic().scene()
    (wall,) = (one for one in scene.shapes_of("wall") if isinstance(one, BoxShape))
    ring = next(one for one in wheels(scene, "gear") if one.internal)
    x, y, _ = wall.at.pose.p.numpy() - ring.at.pose.p.numpy()
    assert y + wall.width / 2 == pytest.approx(-ring.diameter / 2, rel=0.1)
    assert x < ring.length / 2 < x + wall.length


def test_teeth_of_modelicas_internal_gears_are_inside():
    model = mk.Model()
    model.ring = visualizers.FixedShape(
        shapeType="gearwheel", length=0.1, width=1.0, extra=-40
    )
    model.world = mk.World()
    model.connect(model.world.frame_b, model.ring.frame_a)
    (ring,) = wheels(model.scene(), "ring")
    assert ring.internal and ring.teeth == 40
    assert pitch(ring) * (1 + 2.5 / 40) == pytest.approx(0.465)
