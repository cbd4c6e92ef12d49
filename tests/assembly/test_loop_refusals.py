"""Loops that cannot be: each is refused with the joints, what was seen and a remedy."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import motorik as mk
from motorik import gallery
from motorik.errors import (
    AssemblyError,
    InitialValueError,
    LoopError,
    ParameterError,
    SimulationError,
    UnknownNameError,
)
from tests.assembly.four_bars import bar, four_bar
from tests.laws.linkages import LINKAGES, Linkage, any_rotation
from tests.refusals import refused

JOINTS = ("drive", "elbow", "wrist", "pivot")
STRATEGIES = ("auto", "projected", "baumgarte", "absolute")
strategies = pytest.mark.parametrize("strategy", STRATEGIES)

# --- geometry -------------------------------------------------------------------------------


@pytest.mark.kinds(2)
@strategies
def test_bars_that_are_too_short_are_named_with_the_gap(strategy):
    # 0.4 + 0.2 + 0.1 m reach 0.5 m less than the base of 1.2 m
    model = four_bar(coupler=0.2, rocker=0.1)
    names = JOINTS if strategy != "absolute" else JOINTS[1:]
    with refused(LoopError, *names, "cannot be closed", "m remains", "Nearest found"):
        model.simulate(1.0, strategy=strategy)


def test_the_gap_of_bars_that_are_too_short_is_the_one_that_is_missing():
    with refused(LoopError, "a gap of 0.5 m remains"):
        four_bar(coupler=0.2, rocker=0.1).simulate(1.0)


def test_an_axis_that_keeps_the_loop_open_is_told_by_its_angle():
    with refused(LoopError, *JOINTS, "3° off", "parallel"):
        four_bar(tilt=3.0).simulate(1.0)


def locked(name: str, joint: int, degrees: float) -> Linkage:
    """Return a linkage that is closed where it is drawn, one joint tilted about x there."""
    linkage = replace(LINKAGES[name](1), speed=0.0)
    pair = linkage.pairs[joint]
    tilt = Rotation.from_rotvec([math.radians(degrees), 0.0, 0.0]).as_matrix()
    linkage.pairs[joint] = replace(pair, R=tilt @ pair.R)
    return linkage


@pytest.mark.kinds(4)
@strategies
@pytest.mark.parametrize("degrees", [3.0, 0.01])
def test_an_axis_that_locks_the_loop_is_told_by_its_angle(degrees, strategy):
    seen = ("j0, j1, j3 are parallel", f"that of j2 is {degrees:g}° off")
    with refused(LoopError, "locked (0 degrees of freedom)", *seen, "parallel"):
        locked("four-bar", 2, degrees).model().simulate(0.1, strategy=strategy)


def test_an_axis_that_locks_one_of_two_loops_is_told_by_its_angle():
    with refused(LoopError, "locked (0 degrees of freedom)", "that of j5 is 3° off"):
        locked("six-bar", 5, 3.0).model().simulate(0.1)


def test_a_rail_out_of_the_plane_of_the_crank_is_told():
    linkage = locked("slider-crank", 3, 0.0)
    pair = linkage.pairs[3]
    out = Rotation.from_rotvec(np.radians(3.0) * np.cross(pair.R[:, 2], [0, 0, 1]))
    linkage.pairs[3] = replace(pair, R=out.as_matrix() @ pair.R)
    with refused(LoopError, "locked (0 degrees of freedom)", "j3", "3°"):
        linkage.model().simulate(0.1)


@pytest.mark.slow
def test_a_structure_of_skew_hinges_stands_still():
    # four hinges in any directions: nothing is nearly parallel, it is meant so
    hinges = replace(LINKAGES["four-bar"](1), speed=0.0)
    rng = np.random.default_rng(2)
    hinges.pairs[:] = [replace(pair, R=any_rotation(rng)) for pair in hinges.pairs]
    model = hinges.model()
    assert "0 degrees of freedom" in model.explain().splitlines()[0]
    result = model.simulate(0.1, output=4)
    for k in (1, 2, 3):
        place = result[f"bar{k}.r_CM_0"]
        np.testing.assert_allclose(place, place[[0] * len(place)], atol=1e-12)


# --- start values ---------------------------------------------------------------------------


@pytest.mark.kinds(2)
@pytest.mark.slow
@strategies
def test_fixed_angles_that_contradict_each_other_are_named(strategy):
    with refused(InitialValueError, "drive", "pivot", "phi", "remains"):
        four_bar(pivot={"phi": 0.1}).simulate(1.0, strategy=strategy)


@pytest.mark.kinds(2)
@pytest.mark.slow
@strategies
def test_fixed_speeds_that_contradict_each_other_are_named(strategy):
    with refused(InitialValueError, "drive.w", "pivot.w", "remains"):
        four_bar(pivot={"w": -5.0}).simulate(1.0, strategy=strategy)


def test_start_values_of_a_run_count_as_fixed():
    with refused(InitialValueError, "drive.phi", "pivot.phi", "a gap of"):
        four_bar().simulate(1.0, initial={"drive.phi": 1.0, "pivot.phi": 7.0})
    with refused(InitialValueError, "drive.w", "pivot.w"):
        four_bar().simulate(1.0, initial={"drive.w": 1.0, "pivot.w": 7.0})


def test_the_nearest_start_that_closes_does_close():
    with pytest.raises(InitialValueError) as caught:
        four_bar(pivot={"phi": 0.1}).simulate(1.0)
    text = caught.value.remedy.split("closes: ")[1].rstrip(".")
    values = dict(part.split(" = ") for part in text.split(", "))
    start = {name: float(value) for name, value in values.items()}
    assert set(start) == {"drive.phi", "pivot.phi"}
    del start["pivot.phi"]
    result = four_bar(pivot={"phi": mk.guess(float(values["pivot.phi"]))}).simulate(
        0.01, initial=start
    )
    assert result["pivot.phi"][0] == pytest.approx(float(values["pivot.phi"]), abs=2e-5)


def test_starts_that_are_no_numbers_are_named():
    with refused(InitialValueError, "drive.phi", "nan"):
        four_bar().simulate(1.0, initial={"drive.phi": math.nan})
    with refused(InitialValueError, "pivot.w", "inf"):
        four_bar().simulate(1.0, initial={"pivot.w": math.inf})
    with refused(ParameterError, "phi", "nan"):
        four_bar(drive={"phi": math.nan})


# --- strategies and branches ----------------------------------------------------------------


def test_a_strategy_that_is_not_known_is_named():
    with refused(UnknownNameError, "'explizit'", "explicit"):
        four_bar().simulate(1.0, strategy="explizit")
    with refused(UnknownNameError, "'projekted'", "projected"):
        four_bar().simulate(1.0, strategy={"elbow": "projekted"})
    with refused(UnknownNameError, "3"):
        four_bar().simulate(1.0, strategy=3)  # type: ignore[arg-type]


def test_a_part_that_is_in_no_loop_gets_no_strategy():
    with refused(UnknownNameError, "'elbo'", "elbow"):
        four_bar().simulate(1.0, strategy={"elbo": "projected"})


@pytest.mark.parametrize("name", ["absolute", "baumgarte"])
def test_a_strategy_for_all_loops_is_not_one_for_some(name):
    with refused(LoopError, "elbow", f"'{name}'", "all loops"):
        four_bar().simulate(1.0, strategy={"elbow": name})


def test_a_loop_without_closed_form_is_named():
    with refused(LoopError, "hinge0", "hinge5", "no closed form", '"projected"'):
        gallery.Bricard().simulate(1.0, strategy="explicit")


@pytest.mark.parametrize("gains", [(-1.0, 2.0), (math.nan, 2.0), (5.0,), "fast"])
def test_gains_that_are_no_gains_are_refused(gains):
    with refused(SimulationError, "gains"):
        four_bar().simulate(1.0, strategy="baumgarte", loops=mk.LoopOptions(gains=gains))


def test_branches_that_are_not_there_are_named():
    with refused(UnknownNameError, "'knee'", "elbow"):
        four_bar().simulate(1.0, loops=mk.LoopOptions(branch={"knee": "elbow_up"}))
    with refused(UnknownNameError, "elbow", "'left'", "elbow_up"):
        four_bar().simulate(1.0, loops=mk.LoopOptions(branch={"elbow": "left"}))


# --- masses ---------------------------------------------------------------------------------


def hinged_chain(links: int) -> mk.Model:
    """Return a bar of 1 kg, links without mass, and a foot, hinged about z in a row."""
    model = mk.Model()
    model.world = mk.World(g=9.81, n="-y")
    model.hinge0, model.bar0 = mk.Revolute(phi=0.5), bar(1.0)
    model.world.frame_b >> model.hinge0.frame_a
    model.hinge0.frame_b >> model.bar0.frame_a
    end = model.bar0.frame_b
    for k in range(1, links + 1):
        hinge, link = mk.Revolute(phi=mk.guess(-0.4)), mk.FixedTranslation(r=(1, 0, 0))
        setattr(model, f"hinge{k}", hinge)
        setattr(model, f"link{k}", link)
        end >> hinge.frame_a
        hinge.frame_b >> link.frame_a
        end = link.frame_b
    model.last, model.foot = mk.Revolute(), mk.Fixed(r=(1.5, 0.2, 0))
    end >> model.last.frame_a
    model.last.frame_b >> model.foot.frame_b
    return model


@strategies
def test_a_massless_link_that_the_loop_does_not_hold_is_named(strategy):
    with refused(AssemblyError, ".w", "moves no mass", "mass and inertia"):
        hinged_chain(3).simulate(0.1, strategy=strategy)


@pytest.mark.kinds(2)
@pytest.mark.slow
@strategies
def test_massless_links_that_the_loop_holds_are_fine(strategy):
    result = hinged_chain(2).simulate(0.2, strategy=strategy, rtol=1e-9, output=4)
    assert result.complete
    energy = result.energy()["total"]
    np.testing.assert_allclose(energy, energy[0], rtol=0, atol=2e-8)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected", "baumgarte", "absolute"])
def test_a_massless_rod_that_spins_between_two_balls_is_named(strategy):
    model = mk.Model()
    model.world = mk.World()
    model.hinge, model.bar = mk.Revolute(phi=mk.guess(0.8)), bar(1.0)
    model.ball1, model.rod = mk.Spherical(), mk.FixedTranslation(r=(1.2, 0, 0))
    model.ball2, model.foot = mk.Spherical(), mk.Fixed(r=(1.5, 0.2, 0.3))
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.bar.frame_a
    model.bar.frame_b >> model.ball1.frame_a
    model.ball1.frame_b >> model.rod.frame_a
    model.rod.frame_b >> model.ball2.frame_a
    model.ball2.frame_b >> model.foot.frame_b
    with refused(AssemblyError, "ball", "moves no mass", "mass and inertia"):
        model.simulate(0.1, strategy=strategy)
