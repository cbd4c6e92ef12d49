"""Starts by native code are those of the full search, bit by bit, or none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import motorik as mk
from motorik import gallery
from motorik.compiler.kernels.kernel import native
from motorik.errors import InitialValueError, MotorikError
from motorik.start import find
from motorik.start.find import NATIVE, SEARCHES, FoundStart, find_start
from motorik.start.kernels import TURN, whole_turns
from motorik.start.native import NativeStart
from motorik.system.system import System
from tests.assembly.four_bars import four_bar

CASES: dict[str, Callable[[], mk.Model]] = {
    "Andrews": gallery.Andrews,
    "Fourbar1": gallery.Fourbar1,
    "FourbarAnalytic": gallery.FourbarAnalytic,
    "FourfoldPendulum": gallery.FourfoldPendulum,
    "MacPhersonAnalytic": gallery.MacPhersonAnalytic,
    "NFourBar": lambda: gallery.NFourBar(n=5),
    "PlanarFourbar": gallery.PlanarFourbar,
    "SliderCrank": gallery.SliderCrank,
    "ThreeCranks": gallery.ThreeCranks,
}


def searched(
    system: System,
    given: Mapping[str, float],
    live: np.ndarray,
    branch: Mapping[str, str] | None = None,
) -> FoundStart | None:
    """Return the start by the full search, None if it refuses."""
    X, fixed = find._given_values(system, given)
    try:
        return find._Search(system, fixed, live, 0.0).run(X, branch or {}, given)
    except MotorikError:
        return None


def by_code(
    start: NativeStart,
    given: Mapping[str, float],
    live: np.ndarray,
    branch: Mapping[str, str] | None = None,
) -> tuple[np.ndarray, ...] | None:
    """Return motion, state and parameters by native code, None if it is not certain."""
    X, fixed = find._given_values(start.system, given)
    return start.find(X, fixed, live, 0.0, branch or {})


def compare(
    start: NativeStart,
    given: Mapping[str, float],
    live: np.ndarray,
    branch: Mapping[str, str] | None = None,
) -> bool:
    """Check that native code gives the same start or none; tell whether it gave one."""
    found, wanted = (
        by_code(start, given, live, branch),
        searched(start.system, given, live, branch),
    )
    if found is None:
        return False
    assert wanted is not None and wanted.system is start.system, given
    for own, other in zip(found, (wanted.X, wanted.x, wanted.p), strict=True):
        np.testing.assert_array_equal(own, other, err_msg=str(given))
    return True


def draw(system: System, rng: np.random.Generator, kind: int) -> dict[str, float]:
    """Return other start values: of all states, of speeds, or of any one coordinate."""
    layout, scale = system.layout, system.scales.coordinates
    middle = find_start(system, {}, system.parameter_values()).X
    names, width = layout.motion_names, (0.05, 0.4)[int(rng.integers(2))]
    chosen = [int(rng.integers(layout.n_q))] if kind == 2 else layout.state_q
    given = {names[k]: float(middle[k] + width * rng.normal() * scale[k]) for k in chosen}
    speeds = {names[layout.n_q + k]: float(rng.normal()) for k in layout.state_u}
    return (given, speeds, given, given | speeds)[kind]


@pytest.mark.parametrize("name", CASES)
def test_native_starts_are_those_of_the_search(name):
    system = CASES[name]().compile()
    live = system.parameter_values()
    find_start(system, {}, live)
    assert NativeStart.suits(system)
    start, rng = NativeStart(system), np.random.default_rng(5)
    draws = [draw(system, rng, k % 4) for k in range(24)]
    possible = [given for given in draws if searched(system, given, live) is not None]
    native_ones = [given for given in possible if compare(start, given, live)]
    assert len(native_ones) > 0.7 * len(possible) > 10
    for given in draws:
        if given not in possible:
            assert by_code(start, given, live) is None


@pytest.mark.parametrize("name", ["elbow_up", "elbow_down"])
def test_branches_by_name(name):
    system = four_bar().compile()
    live = system.parameter_values()
    find_start(system, {}, live)
    start = NativeStart(system)
    sides = set()
    for phi in np.linspace(0.6, 1.0, 7).tolist():
        assert compare(start, {"drive.phi": phi}, live, {"elbow": name})
        assert compare(start, {"drive.phi": phi}, live)
        sides.add(float(np.sign(start.code.sides[0])))
    assert len(sides) == 1  # without a name it is that of the design pose


def test_another_strategy_begins_where_closed_forms_do():
    system = gallery.Fourbar1().compile("explicit")
    live = system.parameter_values()
    find_start(system, {}, live)
    start = NativeStart(system)
    assert all(compare(start, {"j1.phi": phi}, live) for phi in (-0.3, 0.1, 0.4))
    guided = four_bar().compile("explicit")
    live = guided.parameter_values()
    find_start(guided, {}, live)
    assert by_code(NativeStart(guided), {"drive.phi": 0.7}, live) is None


def test_live_lengths():
    model = four_bar()
    model.crank.r = mk.Parameter((0.4, 0.0, 0.0))
    system = model.compile()
    live = system.parameter_values()
    find_start(system, {}, live)
    start = NativeStart(system)
    for length in (0.35, 0.4, 0.45):
        changed = np.where(live == 0.4, length, live)
        assert compare(start, {"drive.phi": 0.9}, changed), length
    assert by_code(start, {"drive.phi": 0.9}, np.where(live == 0.4, 3.0, live)) is None


def test_live_values_that_decide_otherwise_are_left_to_the_search():
    model = gallery.ThreeCranks()
    model.foot2.r = mk.Parameter((2.0, 0.0, 0.0))
    system = model.compile()
    live = system.parameter_values()
    find_start(system, {}, live)
    start = NativeStart(system)
    assert compare(start, {}, live)
    assert by_code(start, {}, np.array([2.0, 0.02, 0.0])) is None


def test_speeds_that_are_free_and_guessed_are_left_to_the_search():
    system = four_bar(drive={"phi": 0.8, "w": mk.guess(2.0)}).compile()
    live = system.parameter_values()
    find_start(system, {}, live)
    start = NativeStart(system)
    assert by_code(start, {"drive.phi": 0.7}, live) is None
    assert compare(start, {"drive.phi": 0.7, "drive.w": 2.0}, live)


def test_native_code_is_made_for_those_who_ask_often_only():
    system = gallery.PlanarFourbar().compile()
    live = system.parameter_values()
    for k in range(SEARCHES):
        find_start(system, {"revolute1.phi": 0.01 * k}, live)
        find_start(system, {"revolute1.phi": 0.01 * k}, live)  # kept, not searched for
        assert NATIVE not in system.prepared
    find_start(system, {"revolute1.phi": -0.1}, live)
    assert isinstance(system.prepared[NATIVE], NativeStart)


def test_what_cannot_be_met_is_refused_in_words_as_before():
    system = four_bar(crank=0.9, coupler=0.5).compile()
    live = system.parameter_values()
    for k in range(SEARCHES + 1):
        find_start(system, {"drive.phi": 0.8 + 0.01 * k}, live)
    assert NATIVE in system.prepared
    with pytest.raises(InitialValueError, match="cannot be closed"):
        find_start(system, {"drive.phi": 3.0}, live)


def test_threads_find_what_one_finds():
    values = np.linspace(-0.4, 0.4, 64).tolist()

    def starts(workers: int) -> list[np.ndarray]:
        system = gallery.Andrews().compile()
        live = system.parameter_values()

        def begin(value: float) -> np.ndarray:
            found = find_start(system, {"beta.phi": value}, live)
            return np.concatenate([found.X, found.x, found.p])

        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(begin, values))

    for one, many in zip(starts(1), starts(8), strict=True):
        np.testing.assert_array_equal(one, many)


@pytest.mark.parametrize("turns", [-1.5, -0.5, 0.5, 1.5, 2.5, 0.49, 0.51, -7.2, 1e6 + 0.25])
def test_halves_of_turns_are_rounded_as_python_rounds(turns):
    angle = turns * TURN
    assert whole_turns(angle) == native(whole_turns)(angle) == round(angle / TURN)
