"""Strategies and branches: what is asked for is done, kept through the run, and explained."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motorik as mk
from motorik import gallery
from tests.assembly.four_bars import bar, four_bar

STRATEGIES = ("explicit", "projected", "baumgarte", "absolute")
FINE = {"rtol": 1e-10, "method": "dop853", "output": 10}


def lines_with(text: str, word: str) -> list[str]:
    """Return the lines that have a word in them."""
    return [line.strip() for line in text.splitlines() if word in line]


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_strategy_asked_for_is_the_one_explained(strategy):
    (line,) = lines_with(four_bar().explain(strategy), "strategy:")
    assert line.startswith(f"strategy: {strategy}")
    (freedom,) = lines_with(four_bar().explain(strategy), "degree of freedom")
    assert "1 degree of freedom" in freedom
    (own,) = lines_with(four_bar().explain(strategy), "freedom of the loops")
    assert own == "degrees of freedom of the loops: 1"


@pytest.mark.slow
def test_states_are_as_many_as_the_strategy_needs():
    for strategy, count in {"explicit": 2, "projected": 6}.items():
        assert f"{count} states" in four_bar().explain(strategy).splitlines()[0]
    # three bodies with 7 coordinates and 6 speeds each
    assert "39 states" in four_bar().explain("absolute").splitlines()[0]


@pytest.mark.slow
def test_a_wish_decides_which_coordinate_is_independent():
    for joint in ("drive", "pivot"):
        model = four_bar(**{joint: {"stateSelect": "always"}})
        (line,) = lines_with(model.explain("explicit"), "independent")
        assert line == f"independent coordinates: {joint}"


@pytest.mark.slow
def test_the_model_itself_may_ask_for_a_strategy():
    class Projected(mk.Model):
        strategy = "projected"

    model = Projected()
    model.inner = four_bar()
    assert lines_with(model.explain(), "strategy: projected")
    assert lines_with(model.explain("explicit"), "strategy: explicit")


@pytest.mark.slow
def test_loops_are_told_apart_by_a_part_in_them():
    model = mk.Model()
    model.left, model.right = four_bar(), four_bar(has_world=False)
    text = model.explain({"left": "projected"})
    assert [line.split()[1] for line in lines_with(text, "strategy:")] in (
        ["projected", "explicit"],
        ["explicit", "projected"],
    )
    mixed = model.simulate(0.5, strategy={"left": "projected"}, **FINE)
    for joint in ("drive", "elbow", "wrist", "pivot"):
        np.testing.assert_allclose(
            mixed[f"left.{joint}.phi"], mixed[f"right.{joint}.phi"], rtol=0, atol=2e-9
        )


@pytest.mark.parametrize("gains", [(5.0, 5.0), (40.0, 20.0)])
def test_baumgartes_gains_say_how_fast_gaps_decay(gains):
    # g̈ + 2α ġ + β² g = 0 holds whatever the motion: the residual of accelerations vanishes
    alpha, beta = gains
    model = four_bar()
    system = model.compile("baumgarte", mk.LoopOptions(gains=gains))
    x = np.array(
        model.simulate(
            1e-6, strategy="baumgarte", loops=mk.LoopOptions(gains=gains)
        ).states[0]
    )
    x[: system.n_q] += 1e-3 * np.array([1.0, -2.0, 0.5])  # open the loop a little
    every, t = np.zeros(system.equations.p.numel()), np.zeros(1)
    p, rows = np.zeros(0), system.formulation.constraints
    q, u = x[: system.n_q], x[system.n_q :]
    rate = np.asarray(system.function("derivative")(t, x, every)).ravel()[system.n_q :]
    y = rows.y_numbers(q)
    g = rows.violation(q, p)
    g_rate = np.asarray(rows.velocity_function(y, u, p)).ravel()
    bias = np.asarray(rows.bias_function(y, u, p)).ravel()
    residual = rows.matrix(q, p) @ rate + bias + 2 * alpha * g_rate + beta**2 * g
    active = list(system.formulation.with_multiplier)
    assert np.abs(g[active]).max() > 1e-4
    np.testing.assert_allclose(residual[active], 0.0, atol=1e-10)


# --- branches -------------------------------------------------------------------------------


def elbow_side(result) -> np.ndarray:
    """Return on which side of the line from elbow to pivot the wrist is: +1 left of it."""
    elbow, wrist, pivot = (
        result[f"{joint}.frame_a.r_0"] for joint in ("elbow", "wrist", "pivot")
    )
    return np.sign(np.cross(pivot - elbow, wrist - elbow)[:, 2])


@pytest.mark.parametrize("strategy", ["auto", "projected"])
@pytest.mark.parametrize("name", ["elbow_up", "elbow_down"])
def test_a_branch_asked_for_by_name_is_kept(name, strategy):
    # the dyad runs from pivot to elbow: up is left of that way
    result = four_bar().simulate(
        3.0, loops=mk.LoopOptions(branch={"elbow": name}), strategy=strategy
    )
    assert result.complete
    expected = -1.0 if name == "elbow_up" else 1.0
    assert set(elbow_side(result)) == {expected}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("guess", "side", "strategy"),
    [
        *((g, math.copysign(1.0, g), "auto") for g in (1.5, -1.5)),
        (1.5, 1.0, "projected"),
        pytest.param(-1.5, -1.0, "absolute", marks=pytest.mark.thorough),
    ],
)
def test_a_branch_is_chosen_by_a_guess(guess, side, strategy):
    model = four_bar(pivot={"phi": mk.guess(guess)})
    result = model.simulate(1.0, strategy=strategy)
    assert set(elbow_side(result)) == {side}


def test_branches_are_listed():
    (line,) = lines_with(four_bar().explain(), "branches")
    assert line.endswith("branches elbow_up, elbow_down")


# --- more constraints than needed -----------------------------------------------------------


def redundant(model: mk.Model) -> str:
    """Return what explain says of redundant constraints."""
    (line,) = lines_with(model.explain(), "redundant")
    return line


def test_a_planar_loop_in_space_has_three_constraints_too_many():
    line = redundant(four_bar())
    assert "1 position constraint" in line
    assert "2 direction constraints" in line
    assert "forces in the plane of motion are unique" in line


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "too_many"),
    [(gallery.Bricard, 1), (gallery.ThreeCranks, 7), (lambda: gallery.NFourBar(n=2), 6)],
    ids=["Bricard", "ThreeCranks", "NFourBar"],
)
def test_overconstrained_mechanisms_have_one_freedom(make, too_many):
    # Grübler's count in space falls short by the redundant constraints
    text = make().explain()
    assert "1 degree of freedom" in text.splitlines()[0]
    numbers = [
        int(word)
        for word, what in zip(
            redundant(make()).split(), redundant(make()).split()[1:], strict=False
        )
        if word.isdigit() and what in ("position", "direction")
    ]
    assert sum(numbers) == too_many
    system = make().compile()
    rows, speeds = len(system.formulation.constraints.equations), system.mechanism.n_u
    assert speeds - (rows - too_many) == 1


def test_a_spatial_loop_has_none_too_many():
    assert "redundant" not in gallery.Fourbar1().explain()


def test_a_planar_loop_is_found_inside_a_spatial_model():
    model = four_bar()
    model.ball, model.bob = mk.Spherical(), bar(0.3)
    model.coupler.frame_b >> model.ball.frame_a
    model.ball.frame_b >> model.bob.frame_a
    text = model.explain()
    assert "4 degrees of freedom" in text.splitlines()[0]
    assert lines_with(text, "strategy: explicit")


def rubbing_ball() -> mk.Model:
    """Return a spatial four-bar with so much friction in its ball joint that it stops."""
    model = gallery.Fourbar2()
    model.rod.spherical.friction = mk.joints.Coulomb(tau=50.0)
    return model


def rubbing_leg() -> mk.Model:
    """Return a platform with friction in the ball joint of one of its legs."""
    model = gallery.StewartPlatform()
    model.leg1.ball.friction = mk.joints.Coulomb(tau=0.1)
    return model


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "place"),
    [
        (rubbing_ball, "b2.frame_b.r_0"),
        pytest.param(rubbing_leg, "plate.r_0", marks=pytest.mark.thorough),
    ],
)
def test_friction_beside_quaternions_that_are_states_in_every_strategy(make, place):
    """Constraints that stick come to rest in the states."""
    ends = []
    for strategy in ("projected", "baumgarte"):
        result = make().simulate(0.1, strategy=strategy, **FINE)
        assert len(result.events) == 3
        ends.append(np.concatenate([result[place][-1], result.events.times]))
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)
