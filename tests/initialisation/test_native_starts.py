"""Native starts, kind by kind: an answer is really given, and it is that of the search."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import motorik as mk
from motorik import gallery
from motorik.compiler.kernels import native
from motorik.errors import InitialValueError
from motorik.initialisation.initialise import SEARCHES, given_values, initialise
from motorik.initialisation.kernels import TURN, whole_turns
from motorik.initialisation.native import NativeStart
from motorik.initialisation.native_tree import TreeStart
from motorik.initialisation.request import InitialStateRequest
from motorik.initialisation.search import InitialStateSearch
from motorik.initialisation.start_kernels import SAFE
from tests.assembly.four_bars import four_bar
from tests.assembly.test_start_accelerations import LENGTH, G, hung, pendulum
from tests.components.test_rolling import Cart
from tests.covering import each_once
from tests.initialisation.native_law import (
    by_code,
    check_same,
    compare,
    prepared,
    searched,
)
from tests.laws.coupled_loops import balls
from tests.refusals import refused

STRATEGIES = ("auto", "explicit", "projected", "baumgarte", "absolute")


def started(model: mk.Model, strategy: str = "auto") -> tuple[NativeStart, np.ndarray]:
    """Return native starts of a model, and its live parameters."""
    start, live, _ = prepared(model.compile(strategy))
    return start, live


# --- strategies and branches ------------------------------------------------------------------


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "strategy"), each_once(["elbow_up", "elbow_down"], STRATEGIES)
)
def test_branches_by_name(name, strategy):
    start, live = started(four_bar(), strategy)
    wrist = start.layout.index.get("wrist.phi")
    for phi in np.linspace(0.6, 1.0, 5).tolist():
        given = {} if wrist is None else {"drive.phi": phi}
        assert compare(start, given, live, {"elbow": name})
        assert compare(start, given, live)
        sides = []
        for branch in (name, "elbow_up", "elbow_down", ""):
            found = by_code(start, given, live, {"elbow": branch} if branch else None)
            assert found is not None
            sides.append(float(np.sign(found[0][wrist])) if wrist is not None else 0.0)
        if wrist is not None:  # without a name it is that of the design pose
            assert sides[1:] == [-1.0, 1.0, 1.0]
            assert sides[0] == sides[1 + (name == "elbow_down")]


def test_a_branch_with_speeds_that_are_free():
    start, live = started(four_bar(drive={"phi": 0.8, "w": mk.guess(2.0)}))
    for name in ("elbow_up", "elbow_down"):
        assert compare(start, {"drive.phi": 0.7}, live, {"elbow": name})


def test_a_branch_that_does_not_exist_is_left_to_the_search():
    start, live = started(four_bar())
    for branch in ({"elbow": "sideways"}, {"crank": "elbow_up"}):
        assert by_code(start, {"drive.phi": 0.7}, live, branch) is None
        with pytest.raises(mk.MotorikError):
            initialise(start.system, {"drive.phi": 0.7}, live, 0.0, branch)


@pytest.mark.slow
def test_a_model_of_another_strategy_begins_where_closed_forms_do():
    start, live = started(four_bar(), "projected")
    plain = four_bar().compile()
    for phi in (0.5, 0.8, 1.1):
        found = by_code(start, {"drive.phi": phi}, live)
        assert found is not None
        told = initialise(plain, {"drive.phi": phi}, live)
        for name in ("drive.phi", "wrist.phi", "drive.w", "wrist.w"):
            own, other = start.layout.index[name], plain.layout.index[name]
            assert found[0][own] == pytest.approx(told.X[other], abs=1e-12)


# --- live parameters --------------------------------------------------------------------------


def live_lengths(strategy: str) -> tuple[NativeStart, np.ndarray]:
    """Return a four-bar whose crank and base are live."""
    model = four_bar()
    model.crank.r = mk.Parameter((0.4, 0.0, 0.0))
    model.base.r = mk.Parameter((1.2, 0.0, 0.0))
    return started(model, strategy)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_live_lengths(strategy):
    start, live = live_lengths(strategy)
    rng = np.random.default_rng(2)
    for _ in range(12):
        changed = live * (1.0 + 0.1 * rng.normal(size=live.size))
        assert compare(start, {"drive.phi": 0.9}, changed), changed
    assert by_code(start, {"drive.phi": 0.9}, np.where(live == 0.4, 3.0, live)) is None


@pytest.mark.slow
def test_live_values_that_decide_otherwise_are_left_to_the_search():
    model = gallery.ThreeCranks()
    model.foot2.r = mk.Parameter((2.0, 0.0, 0.0))
    start, live = started(model)
    assert compare(start, {}, live)
    assert by_code(start, {}, np.array([2.0, 0.02, 0.0])) is None


# --- speeds -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_the_nearest_speeds_where_they_are_free(strategy):
    start, live = started(four_bar(drive={"phi": 0.8, "w": mk.guess(2.0)}), strategy)
    assert compare(start, {"drive.phi": 0.7}, live)
    assert compare(start, {"drive.phi": 0.7, "drive.w": 1.0}, live)
    assert compare(start, {"drive.phi": 0.7, "wrist.w": 1.0}, live)
    found = by_code(start, {"drive.phi": 0.7}, live)
    assert found is not None and abs(found[0][start.layout.index["drive.w"]]) > 0.5


def test_speeds_that_do_not_fit_together_are_left_to_the_search():
    start, live = started(four_bar())
    assert by_code(start, {"drive.w": 1.0, "wrist.w": 7.0}, live) is None


def test_guessed_velocities_of_bodies():
    model = four_bar(drive={"phi": 0.8, "w": mk.guess(0.0)})
    model.coupler.v_0 = mk.guess((0.3, -0.2, 0.0))
    start, live = started(model)
    assert compare(start, {"drive.phi": 0.7}, live)
    found = by_code(start, {"drive.phi": 0.7}, live)
    assert found is not None and found[1][1] != 0.0


@pytest.mark.slow
def test_wheels_that_roll():
    start, live = started(Cart(left=0.1, right=0.2))
    f = start.formulation
    assert f.constraints.n_holonomic < len(f.constraints.equations)
    names = start.layout.motion_names
    for k in range(start.layout.n_q, start.layout.n_q + start.layout.n_u):
        assert compare(start, {names[k]: 0.4}, live) is not False
    turned = {"wheels.wheelSetJoint.revolute.phi": 0.7, names[-1]: 0.3}
    assert compare(start, turned, live)


# --- demands ----------------------------------------------------------------------------------


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_an_engine_whose_flywheel_tells_the_motion(strategy):
    model = gallery.Engine1a()
    model.crank2.r = mk.Parameter((0.0, 0.1, 0.0))
    start, live = started(model, strategy)
    for stroke in (0.09, 0.1, 0.105):
        changed = np.where(live == 0.1, stroke, live)
        assert compare(start, {}, changed), stroke
    assert {demand.level for demand in start.system.mechanism.initial_conditions} == {0, 1}


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
@pytest.mark.parametrize("joint", ["revolute1", "revolute3"])
def test_a_speed_that_follows_from_an_acceleration(joint, strategy):
    model = gallery.PlanarFourbar(damping=0.0)
    model.revolute1.w = mk.guess(3.0)
    rest, fast = (
        gallery.PlanarFourbar(damping=0.0).simulate(
            0.001, output=1, initial={"revolute1.w": w}
        )[f"{joint}.a"][0]
        for w in (0.0, 2.0)
    )
    getattr(model, joint).a = float(rest + 0.25 * (fast - rest))
    start, live = started(model, strategy)
    for guess in (2.5, 1.5):
        X, fixed = start.layout.starts
        X = X.copy()
        X[start.layout.index["revolute1.w"]] = guess
        found = start.find(InitialStateRequest(X, fixed, live, 0.0, {}))
        wanted = InitialStateSearch(start.system, fixed, live, 0.0, initialise).run(
            X, {}, {}
        )
        assert found is not None
        check_same(start, found, wanted)


@pytest.mark.parametrize("first", [100.0, 50.0])
def test_a_parameter_that_is_found_at_the_start(first):
    model = hung(mk.Parameter(first, fixed=False), s=0.3, v=0.0, a=0.0)
    system = model.compile()
    live = system.parameter_values()
    initialise(system, {}, live)
    assert TreeStart.suits(system)
    X, fixed = given_values(system, {"slide.s": 0.25})
    found = TreeStart(system).find(InitialStateRequest(X, fixed, live, 0.0, {}))
    wanted = InitialStateSearch(system, fixed, live, 0.0, initialise).run(
        X, {}, {"slide.s": 0.25}
    )
    assert found is not None
    for own, other in zip(found, (wanted.X, wanted.x, wanted.p), strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-12, atol=1e-13)
    assert found[2] == pytest.approx([2.0 * G / 0.15], rel=1e-12)


def test_an_angle_that_follows_from_an_acceleration_without_loops():
    system = pendulum(phi=mk.guess(0.3), w=0.0, a=-2.0).compile()
    live = system.parameter_values()
    for k in range(SEARCHES + 2):
        found = initialise(system, {"rev.w": 0.1 * k}, live)
        assert found.X[0] == pytest.approx(np.arccos(2.0 * LENGTH / G), abs=1e-12)
    assert isinstance(system.initialisation.native, TreeStart)


def test_trees_without_demands_have_nothing_to_search_for():
    system = gallery.chain(30).compile()
    assert not TreeStart.suits(system) and not NativeStart.suits(system)


@pytest.mark.slow
def test_native_starts_can_be_made_again():
    system = gallery.EngineV6().compile()
    for _ in range(2):
        start, live, _ = prepared(system)
        assert compare(start, {}, live)


# --- when, and where it is not certain --------------------------------------------------------


def test_a_start_that_was_never_checked_is_searched_for():
    system = gallery.PlanarFourbar().compile()
    live = system.parameter_values()
    for k in range(SEARCHES + 3):
        with pytest.raises(mk.MotorikError):
            initialise(system, {"revolute1.phi": 0.1 * k, "revolute2.phi": 2.9}, live)
    assert system.initialisation.native is None


def test_native_code_is_made_for_those_who_ask_often_only():
    system = gallery.PlanarFourbar().compile()
    live = system.parameter_values()
    for k in range(SEARCHES):
        initialise(system, {"revolute1.phi": 0.01 * k}, live)
        initialise(system, {"revolute1.phi": 0.01 * k}, live)  # kept, not searched for
        assert system.initialisation.native is None
    initialise(system, {"revolute1.phi": -0.1}, live)
    assert isinstance(system.initialisation.native, NativeStart)


@pytest.mark.slow
def test_what_cannot_be_met_is_refused_in_words_as_before():
    system = four_bar(crank=0.9, coupler=0.5).compile()
    live = system.parameter_values()
    for k in range(SEARCHES + 1):
        initialise(system, {"drive.phi": 0.8 + 0.01 * k}, live)
    assert system.initialisation.native is not None
    with pytest.raises(InitialValueError, match="cannot be closed"):
        initialise(system, {"drive.phi": 3.0}, live)


def test_no_start_is_certain_near_a_dead_centre():
    start, live = started(four_bar(crank=0.9, coupler=0.5))
    own, near = start.system, 0
    assert own.margins is not None
    stretched = np.arccos((0.9**2 + 1.2**2 - 1.4**2) / (2.0 * 0.9 * 1.2))
    for before in np.geomspace(1e-2, 1e-6, 25).tolist():
        given = {"drive.phi": float(stretched) - before}
        found = by_code(start, given, live)
        if found is not None:
            margins = own.margins(np.zeros(1), *found[1:])
            assert margins[: margins.size // 2].min() >= SAFE
        else:
            near += searched(own, given, live) is not None
    assert near > 0


@pytest.mark.slow
def test_threads_find_what_one_finds():
    values = np.linspace(-0.4, 0.4, 64).tolist()

    def starts(workers: int) -> list[np.ndarray]:
        system = gallery.Andrews().compile()
        live = system.parameter_values()

        def begin(value: float) -> np.ndarray:
            found = initialise(system, {"beta.phi": value}, live)
            return np.concatenate([found.X, found.x, found.p])

        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(begin, values))

    for one, many in zip(starts(1), starts(8), strict=True):
        np.testing.assert_array_equal(one, many)


@pytest.mark.parametrize("turns", [-1.5, -0.5, 0.5, 1.5, 2.5, 0.49, 0.51, -7.2, 1e6 + 0.25])
def test_halves_of_turns_count_as_one_whatever_rounding_made_of_them(turns):
    for angle in (turns * TURN, turns * TURN * (1 + 1e-15), turns * TURN * (1 - 1e-15)):
        wanted = np.floor(turns + 0.5)
        assert whole_turns(angle) == native(whole_turns)(angle) == wanted


def test_an_angle_of_half_a_turn_is_the_same_however_it_is_found():
    start, live = started(gallery.Engine1a())
    far = {"b1.phi": 0.08, "cylinder.s": 1.4}
    assert compare(start, {}, live, guessed=far)
    found = by_code(start, {}, live, guessed=far)
    assert found is not None
    assert found[0][:3].max() == pytest.approx(np.pi, abs=1e-12)


def test_a_quaternion_that_cannot_have_the_length_one_is_refused_in_words():
    system = balls().compile()
    name = next(n for n in system.layout.motion_names if n.endswith("Q[1]"))
    with refused(InitialValueError, name.rsplit(".", 1)[0], "length 1", name, "Free one"):
        initialise(system, {name: 3.0}, system.parameter_values())
