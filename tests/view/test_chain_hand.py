"""Chains moved by hand: loops stay closed, branches are kept, what stops a hand is named."""

import itertools
import math
import types

import numpy as np
import pytest

from examples.mobile.four_bar import FourBar as Spatial
from examples.mobile.live_four_bar import FourBar as LiveBars
from examples.mobile.shaker import ShakerByJoints, ShakerBySegments
from motorik.algebra import X, Z
from motorik.elements import SphericalPair
from motorik.errors import ParameterError
from motorik.mobile import (
    AngularVariable,
    ConstantStepDriver,
    ConstraintSolver,
    ElementaryJoint,
    ExplicitConstraintSolver,
    Frame,
    JointElement,
    LinearVariable,
    MapChain,
    RigidLink,
    Subtask,
)
from motorik.mobile.states.transmission import walk
from motorik.view import chains
from motorik.view.chains.hand import ChainHand, find_inputs
from motorik.view.chains.program import ChainProgram
from tests.assembly.four_bars import four_bar
from tests.view.live.chains import FourBar, Pendulum

KINDS = pytest.mark.parametrize("is_explicit", [True, False])
ROUTES = pytest.mark.parametrize(
    "is_native", [False, True]
)  # by the chain, by machine code


def hand_of(chain, is_native=False):
    hand = ChainHand(chain, ChainProgram(chain).size)
    if is_native:
        hand.compile()
    return hand


def place(frame, point):
    return frame.X.p.numpy() + frame.X.R.numpy() @ np.array(point)


@pytest.mark.kinds(2)
@pytest.mark.slow
@KINDS
@ROUTES
def test_a_loop_stays_closed_wherever_a_point_is_dragged(is_explicit, is_native):
    bars = FourBar(is_explicit)
    hand, point = hand_of(bars.chain, is_native), (0.5, 0.2, 0.0)
    grip = hand.grip_of_frame(bars.K[6], point)
    middle = place(bars.K[6], point)
    for s in np.linspace(0.3, 6.0, 10):
        target = middle + 0.4 * np.array([np.sin(s), 1.0 - np.cos(s), 0.1 * s])
        outcome = hand.move(grip, target)
        assert bars.gap() < 1e-9
        reached = place(bars.K[6], point)
        assert outcome.left == pytest.approx(np.linalg.norm(reached - target), abs=1e-9)
        assert outcome.kind == "off its path" and not outcome.is_news


@pytest.mark.kinds(2)
@pytest.mark.slow
@KINDS
@ROUTES
def test_a_hand_leads_a_chain_where_it_leads_a_model(is_explicit, is_native):
    """The same four-bar of connected parts, moved by `Manipulator`, is a second method."""
    bars = FourBar(is_explicit)
    hand = hand_of(bars.chain, is_native)
    other = four_bar(drive={"phi": 0.8}).manipulator()
    assert place(bars.K[7], (0, 0, 0)) == pytest.approx(other.place("coupler.frame_b"))
    grip = hand.grip_of_frame(bars.K[7], (0.0, 0.0, 0.0))
    wrist = place(bars.K[7], (0, 0, 0))
    for dx, dy in ((-0.1, 0.1), (-0.4, 0.0), (0.2, -0.3), (0.5, 0.5)):
        target = wrist + np.array([dx, dy, 0.0])
        ours, theirs = hand.move(grip, target), other.drag("coupler.frame_b", target)
        assert ours.left == pytest.approx(theirs.left, abs=1e-8)
        assert ours.kind == theirs.kind
        assert place(bars.K[7], (0, 0, 0)) == pytest.approx(
            other.place("coupler.frame_b"), abs=1e-6
        )


@pytest.mark.kinds(2)
@pytest.mark.slow
@ROUTES
@pytest.mark.parametrize("make", [ShakerByJoints, ShakerBySegments, Spatial, LiveBars])
def test_every_frame_of_every_loop_is_dragged_and_all_chords_vanish(make, is_native):
    program = make()
    program.chain.motion()
    solvers = [e for e in walk(program.chain) if isinstance(e, ConstraintSolver)]
    chords = [state for solver in solvers for state in solver.chords.states]
    frames = [f for f in program.chain.touched if isinstance(f, Frame)]
    hand, rng, moved = hand_of(program.chain, is_native), np.random.default_rng(1), 0
    for frame in frames:
        try:
            grip = hand.grip_of_frame(frame, (0.0, 0.0, 0.0))
        except ParameterError:
            continue  # it stands still
        away = 0.1 * hand.length * rng.normal(size=3)
        outcome = hand.move(grip, place(frame, (0, 0, 0)) + away)
        moved += outcome.left < np.linalg.norm(away)
        assert max(abs(chord.q) for chord in chords) < 1e-9
    assert moved >= 2


def test_machine_code_takes_the_branch_that_was_selected_later():
    bars = FourBar()
    hand = hand_of(bars.chain, is_native=True)
    solver = next(e for e in walk(bars.chain) if isinstance(e, ExplicitConstraintSolver))
    above = bars.gamma.q
    solver.select_branch()
    bars.chain.motion()
    assert bars.gamma.q * above < 0.0
    grip = hand.grip_of(bars.alpha)
    assert grip.constraints._native is not None
    assert hand.move(grip, [1.0]) and bars.gap() < 1e-9 and bars.gamma.q * above < 0.0


def test_elements_that_cannot_be_traced_are_moved_as_they_are():
    class Odd(RigidLink):
        """A link whose length is asked by an `if` on a number."""

        def motion(self, subtasks=Subtask.ALL):
            super().motion(subtasks)
            assert math.isfinite(self.ends[0].X.p.x)

    K = [Frame("K0"), Frame("K1"), Frame("K2")]
    phi = AngularVariable("phi", q=0.3)
    chain = MapChain() << ElementaryJoint(K[0], K[1], phi, Z) << Odd(K[1], K[2], X)
    hand = hand_of(chain, is_native=True)
    assert hand.not_compiled is not None
    assert hand.turn(phi, 1.0) and phi.q == pytest.approx(1.0)


def test_references_are_read_by_machine_code():
    bars = FourBar(is_explicit=False)
    hand = hand_of(bars.chain, is_native=True)
    bars.b.x = 1.0
    bars.chain.motion()
    grip = hand.grip_of(bars.gamma)
    assert grip.constraints._native is not None
    assert hand.move(grip, [1.9]) and bars.gap() < 1e-9


@pytest.mark.slow
@KINDS
def test_a_variable_that_a_solver_moves_is_turned_by_the_inputs(is_explicit):
    bars = FourBar(is_explicit)
    hand = hand_of(bars.chain)
    outcome = hand.turn(bars.gamma, 1.8)
    assert outcome and bars.gamma.q == pytest.approx(1.8, abs=1e-9) and bars.gap() < 1e-9
    outcome = hand.turn(bars.gamma, 4.0)  # crank and coupler are in line before
    assert outcome.kind == "dead centre" and outcome.parts == ("alpha",) and outcome.is_news
    assert bars.gap() < 1e-9
    assert hand.turn(bars.alpha, 8.0) and bars.gap() < 1e-9  # the crank passes it


@pytest.mark.kinds(2)
@pytest.mark.slow
@KINDS
@ROUTES
def test_a_hand_stops_where_a_loop_closes_no_further(is_explicit, is_native):
    bars = FourBar(is_explicit, crank=0.9, coupler=0.5, rocker=0.9, base=1.6)
    hand = hand_of(bars.chain, is_native)
    outcome = hand.turn(bars.alpha, 2.0)
    widest = np.arccos((0.9**2 + 1.6**2 - 1.4**2) / (2 * 0.9 * 1.6))
    assert not outcome and outcome.kind == "dead centre"
    assert "closes no further" in outcome.text and bars.gap() < 1e-9
    assert bars.alpha.q == pytest.approx(widest, abs=1e-3)
    assert hand.turn(bars.alpha, 0.6) and bars.alpha.q == pytest.approx(0.6)


def test_a_manipulator_moves_its_joint_alone():
    K = [Frame(f"K{i}") for i in range(5)]
    a, b = AngularVariable("a", q=0.2), AngularVariable("b", q=0.7)
    joints = [ElementaryJoint(K[0], K[1], a, Z), ElementaryJoint(K[2], K[3], b, Z)]
    links = [RigidLink(K[1], K[2], X), RigidLink(K[3], K[4], X)]
    chain = MapChain((joints[0], links[0], joints[1], links[1]))
    chain.motion()
    hand = hand_of(chain)
    target = place(K[4], (0, 0, 0)) + np.array([-0.3, 0.1, 0.0])
    hand.move(hand.grip_of_frame(K[4], (0, 0, 0), joints[1]), target)
    assert a.q == 0.2 and b.q != 0.7
    assert hand.move(hand.grip_of_frame(K[4], (0, 0, 0)), target)
    assert a.q != 0.2 and place(K[4], (0, 0, 0)) == pytest.approx(target, abs=1e-8)


def test_lengths_are_dragged_in_any_size():
    for size in (1e-3, 1.0, 1e3):
        K = [Frame("K0"), Frame("K1"), Frame("K2")]
        s, phi = LinearVariable("s", q=size), AngularVariable("phi", q=0.4)
        slide, turn = ElementaryJoint(K[1], K[2], s, X), ElementaryJoint(K[0], K[1], phi, Z)
        chain = MapChain() << turn << slide
        chain.motion()
        hand = hand_of(chain)
        target = size * np.array([-0.3, 1.1, 0.0])
        assert hand.move(hand.grip_of_frame(K[2], (0, 0, 0)), target)
        assert place(K[2], (0, 0, 0)) == pytest.approx(target, rel=1e-8, abs=1e-9 * size)


def test_the_speed_of_a_hand_is_kept_if_wanted(monkeypatch):
    ticks = itertools.count(0.0, 0.01)  # s
    clock = types.SimpleNamespace(perf_counter=lambda: next(ticks))
    monkeypatch.setattr(chains.hand, "time", clock)
    pendulum = Pendulum()
    hand = hand_of(pendulum.chain)
    grip = hand.grip_of(pendulum.phi)
    for keep in (True, False):
        hand.keep_speed = keep
        for k in range(4):
            hand.move(grip, [0.5 + 0.05 * k])
        assert pendulum.phi.qd == 0.0  # it rests while it is held
        hand.let_go()
        assert pendulum.phi.qd == pytest.approx(5.0 if keep else 0.0)
        assert (float(pendulum.K2.lin_v.norm()) > 1.0) is keep  # all frames follow


def test_what_no_hand_can_move_is_named():
    pendulum = Pendulum()
    hand = hand_of(pendulum.chain)
    with pytest.raises(ParameterError, match="K0: does not move"):
        hand.grip_of_frame(pendulum.K0, (0, 0, 0))
    with pytest.raises(ParameterError, match="neither an input"):
        hand.grip_of(AngularVariable("stranger"))
    with pytest.raises(ParameterError, match="finite"):
        hand.move(hand.grip_of(pendulum.phi), [np.nan])
    driven = MapChain() << ConstantStepDriver(pendulum.phi, 0.1) << pendulum.chain
    assert find_inputs(driven) == []
    with pytest.raises(ParameterError, match="add_animation_object"):
        hand_of(driven).grip_of_frame(pendulum.K2, (0, 0, 0))


def test_quaternions_are_no_inputs():
    ball = JointElement(Frame("a"), Frame("b"), SphericalPair())
    assert find_inputs(MapChain() << ball) == []
