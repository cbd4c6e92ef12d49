"""Mechanisms moved by hand: loops stay closed, targets are met, limits are reported.

Gaps are measured by the native function `gaps`, which is not made of the rows that are solved.
"""

import numpy as np
import pytest

from motorik import (
    Body,
    BodyShape,
    FreeMotion,
    LoopOptions,
    Model,
    Revolute,
    Spherical,
    World,
    gallery,
)
from motorik.analysis.manipulator import Manipulator
from motorik.errors import ParameterError, UnknownNameError
from tests.assembly.four_bars import four_bar
from tests.planar import mechanisms as planar

CLOSED = 1e-9  # of the mechanism's length


def open_by(hand: Manipulator) -> float:
    """Return how far closures are open, in lengths of the mechanism and rad."""
    system = hand.system
    if system.formulation.is_empty:
        return 0.0
    gaps = system.violations([hand.time], hand.motion, hand.parameters).reshape(2, -1)
    return float(max(gaps[0].max() / system.scales.length, gaps[1].max()))


class Hanging(Model):
    """Two bodies on balls with quaternions."""

    def build(self):
        self.world = World()
        self.ball = Spherical(useQuaternions=True)
        self.first = BodyShape(m=1.0, r=(1, 0, 0), r_CM=(0.5, 0, 0))
        self.second_ball = Spherical(useQuaternions=True)
        self.second = BodyShape(m=1.0, r=(0.7, 0, 0), r_CM=(0.3, 0, 0))
        self.world.frame_b >> self.ball.frame_a
        self.ball.frame_b >> self.first.frame_a
        self.first.frame_b >> self.second_ball.frame_a
        self.second_ball.frame_b >> self.second.frame_a


class Arm(Model):
    """Two limbs of 1 m with stops at shoulder and elbow."""

    def build(self):
        self.world = World()
        self.shoulder = Revolute(stops=(-0.5, 1.0), phi=0.2)
        self.upper = BodyShape(m=1.0, r=(1, 0, 0), r_CM=(0.5, 0, 0))
        self.elbow = Revolute(stops=(-2.0, 2.0), phi=0.3)
        self.lower = BodyShape(m=1.0, r=(1, 0, 0), r_CM=(0.5, 0, 0))
        self.world.frame_b >> self.shoulder.frame_a
        self.shoulder.frame_b >> self.upper.frame_a
        self.upper.frame_b >> self.elbow.frame_a
        self.elbow.frame_b >> self.lower.frame_a


def slider_crank() -> Model:
    return gallery.SliderCrank(speed=0.0)


MOVED = [
    (four_bar, "coupler.frame_b"),
    (slider_crank, "rod.frame_b"),
    (gallery.SpatialSliderCrank, "rod.frame_b"),
    (gallery.Bricard, "rod3.frame_b"),
    (gallery.manipulator6, "limb6.frame_b"),
    (gallery.Fourbar1, "b3.frame_b"),
    (gallery.Fourbar2, "b1.frame_b"),
    (gallery.EngineV6, "cylinder1.piston.frame_b"),
    (gallery.Andrews, "K3.frame_b"),
    (gallery.MacPherson, None),
    (planar.SliderCrank, None),
    (planar.QuickReturn, None),
    (planar.Planetary, None),
    (Hanging, "second.frame_b"),
    (gallery.StewartPlatform, "plate.frame_a"),
]


def grip_of(hand: Manipulator, frame: str | None):
    """Return a grip: the frame, or a point of the last link that moves."""
    if frame is not None:
        return hand.grip_of_frame(frame, (0.0, 0.0, 0.0))
    link = hand.system.mechanism.links[-1].index
    return hand.grip_of_link(link, np.array([0.1, 0.05, 0.0]))


@pytest.mark.kinds(4)
@pytest.mark.slow
@pytest.mark.parametrize(("make", "frame"), MOVED)
def test_random_drags_keep_loops_closed_and_come_nearest(make, frame):
    hand = make().manipulator()
    try:
        grip = grip_of(hand, frame)
    except UnknownNameError:
        grip = grip_of(hand, None)
    rng = np.random.default_rng(5)
    length = hand.system.scales.length
    for _ in range(12):
        place = grip.value(hand._follower.q, hand.moment)
        target = place + rng.normal(scale=0.2, size=3) * length
        before = np.linalg.norm(target - place)
        outcome = hand.move(grip, target)
        after = grip.value(hand._follower.q, hand.moment) - target
        assert open_by(hand) < CLOSED
        assert np.linalg.norm(after) <= before * (1 + 1e-12)
        assert outcome.left == pytest.approx(np.linalg.norm(after), abs=1e-12 * length)
        assert is_nearest(hand, grip, target)


def is_nearest(hand: Manipulator, grip, target) -> bool:
    """Return whether no small motion that the loops allow comes nearer, by trying some."""
    q, best = hand._follower.q, grip.value(hand._follower.q, hand.moment)
    least = np.linalg.norm(best - target)
    Z = np.linalg.svd(hand._constraints.at(q, hand._follower.active)[1])[2]
    rank = np.linalg.matrix_rank(
        hand._constraints.at(q, hand._follower.active)[1], tol=1e-7
    )
    step = 1e-3
    for direction in np.concatenate([Z[rank:], -Z[rank:]]):
        near = hand._constraints.close(hand._constraints.moved(q, step * direction))
        if near is None:
            continue
        there = np.linalg.norm(grip.value(near, hand.moment) - target)
        if there < least - 1e-6 * hand.system.scales.length:
            return False
    return True


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "frame"), [m for m in MOVED if m[0] is not planar.Planetary]
)
def test_places_that_were_reached_are_met_again(make, frame):
    hand = make().manipulator()
    try:
        grip = grip_of(hand, frame)
    except UnknownNameError:
        grip = grip_of(hand, None)
    rng, length = np.random.default_rng(7), hand.system.scales.length
    home = grip.value(hand._follower.q, hand.moment)
    hand.move(grip, home + rng.normal(scale=0.05, size=3) * length)
    outcome = hand.move(grip, home)
    assert outcome.reached, outcome
    assert grip.value(hand._follower.q, hand.moment) == pytest.approx(
        home, abs=1e-9 * length
    )


@pytest.mark.slow
def test_the_four_bar_follows_its_crank_round():
    hand = four_bar().manipulator()
    result = four_bar().simulate(1e-3, output=[0.0, 1e-3])
    assert hand["rocker.frame_b.r_0"] == pytest.approx(result["rocker.frame_b.r_0"][0])
    for phi in np.linspace(0.8, 0.8 + 2 * np.pi, 100):
        assert hand.turn("drive.phi", phi)
        assert open_by(hand) < CLOSED
    assert hand.pose["drive.phi"] == pytest.approx(0.8 + 2 * np.pi, abs=1e-9)
    assert hand["rocker.frame_b.r_0"] == pytest.approx(result["rocker.frame_b.r_0"][0])


def test_the_pose_is_where_the_coupler_must_be_by_geometry():
    hand = four_bar(crank=0.4, coupler=1.1, rocker=0.9, base=1.2).manipulator()
    hand.turn("drive.phi", 2.0)
    elbow, wrist = hand.place("crank.frame_b"), hand.place("coupler.frame_b")
    assert elbow == pytest.approx([0.4 * np.cos(2.0), 0.4 * np.sin(2.0), 0.0])
    assert np.linalg.norm(wrist - elbow) == pytest.approx(1.1)
    assert np.linalg.norm(wrist - [1.2, 0.0, 0.0]) == pytest.approx(0.9)


def test_a_dead_centre_is_reported_and_left_on_the_same_side():
    hand = slider_crank().manipulator(initial={"bearing.phi": 0.7})
    outcome = hand.turn("rail.s", 0.6)  # crank and rod are 0.45 m in line
    assert not outcome and outcome.kind == "dead centre" and "bearing" in outcome.parts
    assert outcome.left == pytest.approx(0.15)
    assert hand.pose["rail.s"] == pytest.approx(0.45, abs=1e-9)
    assert "rail.s" in outcome.text and "bearing" in outcome.text
    assert hand.turn("rail.s", 0.4)
    assert 0.0 < hand.pose["bearing.phi"] < np.pi  # where it came from
    outcome = hand.turn("rail.s", -1.0)
    assert outcome.kind == "dead centre" and hand.pose["rail.s"] == pytest.approx(0.15)
    assert hand.turn("rail.s", 0.3) and 0.0 < hand.pose["bearing.phi"] < np.pi
    assert hand.turn("bearing.phi", -0.5)  # the crank passes both
    assert hand.turn("rail.s", 0.3) and -np.pi < hand.pose["bearing.phi"] < 0.0


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_slow_and_fast_drags_stay_on_the_branch(side):
    for count in (1, 7, 60):
        hand = slider_crank().manipulator(initial={"bearing.phi": 0.9 * side})
        for s in [*np.linspace(0.4, 0.47, count), *np.linspace(0.47, 0.16, count), 0.16]:
            hand.turn("rail.s", s)
            assert side * hand.pose["bearing.phi"] > -1e-6
        assert side * hand.pose["bearing.phi"] > 1.0


def test_a_rocker_stops_where_crank_and_coupler_are_in_line():
    hand = four_bar(crank=0.4, coupler=1.1, rocker=0.9, base=1.2).manipulator()
    outcome = hand.turn("pivot.phi", hand["pivot.phi"] + 3.0)
    assert outcome.kind == "dead centre"
    elbow, wrist = hand.place("crank.frame_b"), hand.place("coupler.frame_b")
    assert np.linalg.norm(np.cross(elbow, wrist)) == pytest.approx(0.0, abs=1e-6)


def test_an_arm_stretches_towards_what_is_out_of_reach():
    hand = gallery.manipulator6().manipulator()
    target = np.array([4.0, -1.0, 2.0])
    outcome = hand.drag("limb6.frame_b", target)
    assert not outcome and outcome.kind in ("dead centre", "out of reach")
    expected = 3.0 * target / np.linalg.norm(target)
    assert hand.place("limb6.frame_b") == pytest.approx(expected, abs=1e-6)
    assert hand.drag("limb6.frame_b", (0.5, 0.3, 1.0))


def test_stops_are_felt_and_named():
    hand = Arm().manipulator()
    outcome = hand.turn("shoulder.phi", 2.0)
    assert outcome.kind == "limit" and outcome.parts == ("shoulder",)
    assert hand.pose["shoulder.phi"] == pytest.approx(1.0)
    assert hand.pose["elbow.phi"] == pytest.approx(0.3)
    assert hand.turn("shoulder.phi", 0.2)
    outcome = hand.drag("lower.frame_b", (-1.0, 1.0, 0.0))
    assert outcome.kind == "limit" and set(outcome.parts) == {"shoulder", "elbow"}
    assert hand.pose == pytest.approx({"shoulder.phi": 1.0, "elbow.phi": 2.0})
    reach = np.hypot(1.0, 0.5)  # by the law of cosines the shoulder would be at −0.514
    outcome = hand.drag("lower.frame_b", (1.0, 0.5, 0.0))
    assert outcome.kind == "limit" and outcome.parts == ("shoulder",)
    assert np.arctan2(0.5, 1.0) - np.arccos(reach / 2.0) == pytest.approx(-0.514, abs=1e-3)
    assert hand.drag("lower.frame_b", (1.2, 0.9, 0.0))


@pytest.mark.slow
def test_other_limbs_go_on_where_one_is_at_its_stop():
    hand = Arm().manipulator()
    rng = np.random.default_rng(2)
    for _ in range(40):
        hand.drag("lower.frame_b", (*rng.normal(scale=1.5, size=2), 0.0))
        assert -0.5 - 1e-8 <= hand.pose["shoulder.phi"] <= 1.0 + 1e-8
        assert -2.0 - 1e-8 <= hand.pose["elbow.phi"] <= 2.0 + 1e-8


@pytest.mark.slow
def test_what_rolls_rolls_in_a_hand():
    """A planet wheel turns with its carrier by the numbers of Willis, sun and ring rolling."""
    hand = planar.Planetary().manipulator()
    before = hand.pose
    hand.turn("carrier.theta", 1.4)
    hand.turn("carrier.theta", -0.6)
    now = {name: value - before[name] for name, value in hand.pose.items()}
    ratio = 1.0 - 0.14 / 0.04  # of the radii of ring and planet
    assert now["planet.theta"] == pytest.approx(ratio * now["carrier.theta"], rel=1e-4)
    assert open_by(hand) < CLOSED


def test_torques_hold_the_pose():
    """With them as constant torques on the axes, nothing accelerates."""
    hand = gallery.manipulator6().manipulator()
    hand.drag("limb6.frame_b", (1.0, 0.5, 1.5))
    torques = hand.torques()
    system = hand.system
    tau = np.array([torques[state.name] for state in system.mechanism.coordinates])
    q, still = hand.motion[: system.n_q], np.zeros(system.n_u)
    rates = system.forward_dynamics(q, still, tau, hand.parameters)
    free = system.forward_dynamics(q, still, 0 * tau, hand.parameters)
    assert np.abs(rates).max() < 1e-9 * np.abs(free).max()


def test_the_torque_at_a_crank_is_the_slope_of_the_potential_energy():
    hand = four_bar().manipulator()
    hand.turn("drive.phi", 1.4)
    torque = hand.torques(["drive.phi"])["drive.phi"]
    height = {}
    for phi in (1.4 - 1e-5, 1.4 + 1e-5):
        hand.turn("drive.phi", phi)
        bars = {"crank": 0.4, "coupler": 1.1, "rocker": 0.9}
        middles = (hand.place(f"{b}.frame_a", (r / 2, 0, 0)) for b, r in bars.items())
        height[phi] = sum(middle[1] for middle in middles)
    low, high = height
    assert torque == pytest.approx(9.81 * (height[high] - height[low]) / 2e-5, rel=1e-6)


def test_a_hand_holds_a_weight():
    class Weight(Model):
        def build(self):
            self.world = World(g=9.81, n="-y")
            self.free = FreeMotion()
            self.body = Body(m=2.0, r_CM=(0, 0, 0))
            self.world.frame_b >> self.free.frame_a
            self.free.frame_b >> self.body.frame_a

    hand = Weight().manipulator()
    assert hand.force("body.frame_a") == pytest.approx([0.0, 19.62, 0.0])
    assert hand.drag("body.frame_a", (1.0, 2.0, 3.0))


def test_nothing_holds_a_crank_by_its_slider_at_the_dead_centre():
    hand = four_bar(drive={"w": 0.0}).manipulator()
    hand.turn("pivot.phi", hand["pivot.phi"] + 3.0)
    assert np.isnan(hand.torques(["pivot.phi"])["pivot.phi"])
    assert np.isfinite(hand.torques(["drive.phi"])["drive.phi"])


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_a_run_begins_where_the_hand_left_it(strategy):
    model = four_bar(drive={"w": 0.0})
    hand = model.manipulator(strategy=strategy, keep_speed=True)
    for k in range(1, 6):
        hand.turn("drive.phi", 0.8 + 0.02 * k, dt=0.01)
    assert hand.speeds["drive.w"] == pytest.approx(2.0, rel=1e-2)
    result = model.simulate(1e-3, initial=hand.start, strategy=strategy, output=[0.0, 1e-3])
    assert result["drive.phi"][0] == pytest.approx(0.9, abs=1e-9)
    assert result["drive.w"][0] == pytest.approx(hand.speeds["drive.w"])
    assert result["coupler.frame_b.r_0"][0] == pytest.approx(
        hand.place("coupler.frame_b"), abs=1e-9
    )
    hand.rest()
    assert set(hand.speeds.values()) == {0.0}


@pytest.mark.slow
def test_the_other_branch_stays_the_other_branch():
    model = four_bar()
    found = model.branches()
    assert len(found) == 2
    for branch in found:
        hand = model.manipulator(loops=LoopOptions(branch=branch.names))
        wrist = hand.place("coupler.frame_b")
        for phi in np.linspace(0.8, 0.8 + 2 * np.pi, 30):
            hand.turn("drive.phi", phi)
        assert hand.place("coupler.frame_b") == pytest.approx(wrist, abs=1e-8)


def test_mistakes_are_named():
    hand = four_bar().manipulator()
    with pytest.raises(UnknownNameError, match="coupler"):
        hand.drag("cupler.frame_b", (0, 0, 0))
    with pytest.raises(UnknownNameError, match="frame_b"):
        hand.drag("coupler.frame_x", (0, 0, 0))
    with pytest.raises(ParameterError, match="world"):
        hand.drag("base.frame_b", (0, 0, 0))
    with pytest.raises(ParameterError, match="finite"):
        hand.drag("coupler.frame_b", (0, float("nan"), 0))
    with pytest.raises(ParameterError, match="3 finite"):
        hand.drag("coupler.frame_b", (0, 0))
    with pytest.raises(ParameterError, match="does not depend on the pose"):
        hand.turn("drive.w", 1.0)
    with pytest.raises(ParameterError, match="3 numbers"):
        hand.turn("coupler.frame_b.r_0", 1.0)
