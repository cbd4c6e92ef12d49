"""Runs through poses where single entries of the loop equations vanish, in any unit."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import BodyShape, Fixed, Revolute, World, gallery, guess
from motorik.errors import LoopError
from tests.laws.linkages import planar
from tests.refusals import refused

DYADS = (("RRR",), ("RRP",), ("RRR", "RRR"), ("RPR",))


@pytest.mark.slow
def test_projection_takes_about_as_many_steps_as_closed_forms():
    """Four freedoms take the fourfold pendulum through many poses that its start is not like."""
    runs = {
        strategy: gallery.FourfoldPendulum().simulate(
            10.0,
            strategy=strategy,
            method="dop853",
            rtol=1e-12,
            solver=mk.SolverOptions(atol=1e-12),
        )
        for strategy in ("explicit", "projected")
    }
    explicit, projected = runs["explicit"], runs["projected"]
    assert explicit.complete and projected.complete
    assert projected.info.steps < 1.2 * explicit.info.steps
    ends = [run["hinge1.phi"][-1] for run in runs.values()]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 18, 20, 22])
def test_bodies_in_absolute_coordinates_pass_every_regular_pose(seed):
    model = planar(seed, DYADS[seed % 4]).model()
    result = model.simulate(
        2.0,
        strategy="absolute",
        rtol=1e-10,
        solver=mk.SolverOptions(atol=1e-10, time_limit=60.0),
        output=100,
    )
    assert result.complete, result.info.message
    energy = result.energy()
    total = np.asarray(energy["total"])
    assert np.abs(total - total[0]).max() < 2e-9 * energy["kinetic"].max()


@pytest.mark.slow
@pytest.mark.parametrize("n", [12, pytest.param(90, marks=pytest.mark.thorough)])
def test_a_long_row_of_four_bars_is_compiled_and_runs(n):
    result = gallery.NFourBar(n=n).simulate(1.0)
    assert result.complete
    assert result.constraint_violation()[0] < 1e-12


# --- units ----------------------------------------------------------------------------------


def four_bar(metre: float = 1.0, kilogram: float = 1.0, heavy: float = 1.0) -> mk.Model:
    """Return a four-bar in other units, its coupler `heavy` times as heavy as the others."""

    def rod(length: float, m: float) -> BodyShape:
        I = m * (length * metre) ** 2 / 12
        r, middle = (length * metre, 0, 0), (length * metre / 2, 0, 0)
        return BodyShape(m=m, r=r, r_CM=middle, I_11=I, I_22=I, I_33=I)

    model = mk.Model()
    model.world = World(g=9.81 * metre, n="-y")
    model.foot = Fixed(r=(1.2 * metre, 0, 0))
    model.j1 = Revolute(n="z", phi=1.0, w=2.0)
    model.j2, model.j3, model.j4 = (Revolute(n="z", phi=guess(x)) for x in (-1.0, 0.0, 0.0))
    model.a, model.b = rod(0.4, kilogram), rod(1.0, kilogram * heavy)
    model.c = rod(0.8, kilogram)
    model.world.frame_b >> model.j1.frame_a
    model.j1.frame_b >> model.a.frame_a
    model.a.frame_b >> model.j2.frame_a
    model.j2.frame_b >> model.b.frame_a
    model.b.frame_b >> model.j3.frame_a
    model.j3.frame_b >> model.c.frame_b
    model.c.frame_a >> model.j4.frame_b
    model.foot.frame_b >> model.j4.frame_a
    return model


def steps_and_end(strategy: str, **units: float) -> tuple[int, float]:
    """Return how many steps a run takes, and where the crank is at its end [rad]."""
    model = four_bar(**units)
    result = model.simulate(
        2.0, strategy=strategy, rtol=1e-10, solver=mk.SolverOptions(atol=1e-10)
    )
    assert result.complete, result.info.message
    return result.info.steps, float(result["j1.phi"][-1])


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("metre", [1e4, 1e-6])
def test_lengths_in_another_unit_give_the_same_motion(metre):
    steps, end = steps_and_end("projected")
    other_steps, other_end = steps_and_end("projected", metre=metre)
    assert other_steps == steps
    assert other_end == pytest.approx(end, abs=1e-10)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["projected", "absolute"])
@pytest.mark.parametrize("kilogram", [1e8, 1e-8])
def test_masses_in_another_unit_give_the_same_motion(strategy, kilogram):
    steps, end = steps_and_end(strategy)
    other_steps, other_end = steps_and_end(strategy, kilogram=kilogram)
    assert other_steps == steps
    assert other_end == pytest.approx(end, abs=1e-10)


@pytest.mark.thorough
@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("heavy", [1e8, 1e-8])
def test_one_link_may_be_much_heavier_than_the_others(heavy):
    steps, end = steps_and_end("explicit", heavy=heavy)
    for strategy in ("projected", "absolute"):
        other_steps, other_end = steps_and_end(strategy, heavy=heavy)
        assert other_end == pytest.approx(end, abs=1e-8)
        assert other_steps < 5 * steps


# --- refusals -------------------------------------------------------------------------------


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected", "absolute"])
def test_bars_that_are_taut_are_refused_by_name(strategy):
    model = mk.Model()
    model.world, model.foot = World(), Fixed(r=(2.0, 0, 0))
    model.j1, model.j2, model.j3 = (Revolute(n="z", phi=guess(0.0)) for _ in range(3))
    model.a, model.b = (
        BodyShape(m=1.0, r=(1, 0, 0), r_CM=(0.5, 0, 0), I_11=0.1, I_22=0.1, I_33=0.1)
        for _ in range(2)
    )
    model.world.frame_b >> model.j1.frame_a
    model.j1.frame_b >> model.a.frame_a
    model.a.frame_b >> model.j2.frame_a
    model.j2.frame_b >> model.b.frame_a
    model.b.frame_b >> model.j3.frame_a
    model.j3.frame_b >> model.foot.frame_b
    with refused(LoopError, "j3", "depend on one another", "Start away"):
        model.simulate(1.0, strategy=strategy)
