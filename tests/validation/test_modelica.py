"""Published models, built from data, against Dymola's results.

The reference results lie beside the repository; without them these tests are skipped.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motorik import SolverOptions
from motorik.exchange.modelica import (
    MissingFeatureError,
    UnknownPartError,
    library_of,
    load_library,
    read,
)
from motorik.exchange.modelica.library import read_json
from tests.validation.seen import SEEN
from validation.bounce import find_bounce
from validation.modelica import TELLING, check, predictable
from validation.modes import compare_modes
from validation.reference import load_references
from validation.runs import TIGHT, TOLERANCES, Runs
from validation.sensitivity import heavier

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "reference" / "modelica"
pytestmark = pytest.mark.skipif(
    not (FOLDER / "models.json").exists(),
    reason=f"the reference results of the Modelica Association are not in {FOLDER}",
)

ELEMENTARY = "MultiBody.Examples.Elementary"


@pytest.fixture(scope="module")
def library():
    return load_library(FOLDER / "models.json")


@pytest.fixture(scope="module")
def references():
    return load_references(FOLDER)


@pytest.mark.slow
@pytest.mark.parametrize("name", SEEN)
def test_a_model_follows_the_published_trajectory(name, library, references):
    reference = references.load(name)
    # fewer tolerances are quicker, and the limits that come of them as tight or tighter
    for tolerances in (5, TOLERANCES):
        verdict = check(reference, library, sensitivity=False, tolerances=tolerances)
        if verdict.outcome == "pass":
            break
    assert verdict.outcome == "pass", verdict.line()
    assert verdict.largest <= SEEN[name], verdict.line()
    if verdict.factor > TELLING:  # a limit far above the deviation tells why
        assert verdict.remark, verdict.line()


def changed(name, part, **modifiers):
    """Return the library with other modifiers of one part of a model."""
    models = read_json(FOLDER / "models.json")
    components = models[f"Modelica.Mechanics.{name}"]["components"]
    component = next(c for c in components if c["name"] == part)
    component["modifiers"] = component.get("modifiers", {}) | modifiers
    return library_of(models)


def test_a_damper_two_ten_thousandths_stronger_does_not_pass(references):
    name = f"{ELEMENTARY}.Pendulum"
    stronger = changed(name, "damper", d="0.10002")
    verdict = check(references.load(name), stronger, sensitivity=False)
    assert verdict.outcome == "fail"
    assert 1.0e-5 < verdict.largest < 1e-4


@pytest.mark.parametrize(
    ("name", "seen"),
    [(f"{ELEMENTARY}.Pendulum", 1.3e-5), ("MultiBody.Examples.Loops.Fourbar1", 3.5e-4)],
)
def test_gravity_that_is_off_by_more_than_the_change_seen_fails(
    name, seen, library, references
):
    reference = references.load(name)
    verdict = check(reference, library)
    assert verdict.gravity <= seen, verdict.line()
    for factor, outcome in ((1.05, "fail"), (0.3, "pass")):
        for sign in (1, -1):
            g = 9.80665 * (1 + sign * factor * verdict.gravity)
            off = check(reference, changed(name, "world", g=repr(g)), sensitivity=False)
            assert off.outcome == outcome, off.line()


def test_the_change_of_mass_is_one_of_all_masses_and_inertias(library):
    for name in (
        "Loops.EngineV6_analytic",
        "PointGravityWithPointMasses",
        "Elementary.RollingWheel",
        "FourbarVariants.JointUSR",
    ):
        reading = read(name, library)
        before = reading.model.simulate(1e-3, output=1).energy()
        more = heavier(reading, 0.1)
        after = reading.model.simulate(1e-3, output=1, parameters=more).energy()
        assert before["kinetic"][0] > 0.0
        np.testing.assert_allclose(after["kinetic"][0], 1.1 * before["kinetic"][0])


def test_a_mass_without_influence_is_told(library, references):
    # a pendulum without damping swings alike with any mass; a drive train has no weight
    verdict = check(references.load("Test.MultiBody.Parts.PointMass"), library)
    assert verdict.mass == np.inf
    assert "mass no effect" in verdict.line()
    verdict = check(references.load("Rotational.Examples.First"), library)
    assert verdict.gravity == np.inf
    assert verdict.mass < 1e-4


def test_only_converged_runs_that_part_are_chaos(library, references):
    bearing = references.load("Rotational.Examples.ElasticBearing")
    verdict = check(bearing, library, sensitivity=False)
    assert "chaotic" not in verdict.remark
    assert verdict.outcome == "pass"
    gears = references.load("Test.MultiBody.Parts.Rotor1D.GearConstraint3")
    runs = Runs(read(gears.model, library), gears)
    horizon, why = predictable(runs)
    assert 0.25 < horizon < 0.4
    assert "our converged runs part at 0." in why


def kepler(r_0, v_0, mu, t):
    """Return positions on a Kepler orbit (in the plane) by Kepler's equation."""
    r, v = np.hypot(*r_0), np.hypot(*v_0)
    a = 1 / (2 / r - v**2 / mu)
    n = np.sqrt(mu / a**3)
    e_cos, e_sin = 1 - r / a, np.dot(r_0, v_0) / np.sqrt(mu * a)
    eccentricity, E_0 = np.hypot(e_cos, e_sin), np.arctan2(e_sin, e_cos)
    M = E_0 - eccentricity * np.sin(E_0) + n * t
    E = M.copy()
    for _ in range(50):
        E -= (E - eccentricity * np.sin(E) - M) / (1 - eccentricity * np.cos(E))
    dE = E - E_0
    f = 1 - a / r * (1 - np.cos(dE))
    g = t - (dE - np.sin(dE)) / n
    return f[:, None] * np.array(r_0) + g[:, None] * np.array(v_0)


def test_orbits_follow_keplers_equation_where_the_reference_has_lost_energy(
    library, references
):
    reference = references.load(f"{ELEMENTARY}.PointGravity")
    result = Runs(read(reference.model, library), reference).simulate(TIGHT)
    for body, r_0, v_0 in (("body1", (0, 0.6), (1, 0)), ("body2", (0.6, 0.6), (0.6, 0))):
        orbit = kepler(r_0, v_0, 1.0, result.time)
        ours = result[f"{body}.r_0"][:, :2]
        names = [f"{body}.frame_a.r_0[{i}]" for i in (1, 2)]
        theirs = np.stack([reference.signals[name] for name in names], axis=-1)
        assert np.abs(ours - orbit).max() < 1.2e-7
        assert np.abs(theirs - orbit).max() > 1e-4


def test_a_double_pendulum_starts_with_its_tip_where_it_is_told_to(library):
    model = read("DoublePendulumInitTip", library).model
    result = model.simulate(1.0, rtol=1e-10)
    assert result.complete
    tip = result["boxBody2.frame_b.r_0"]
    np.testing.assert_allclose(tip[0], (0.7, 0.3, 0.0), atol=1e-12)
    assert result["freeMotionScalarInit.v_rel_a_1"][0] == pytest.approx(0.0, abs=1e-12)
    assert result["freeMotionScalarInit.v_rel_a_2"][0] == pytest.approx(0.0, abs=1e-12)
    # two links of 0.5 m reach (0.7, 0.3) with the second one bent forward, as guessed
    phi_2 = np.arccos((0.7**2 + 0.3**2 - 0.5) / 0.5)
    phi_1 = np.arctan2(0.3, 0.7) - phi_2 / 2
    assert result["revolute1.phi"][0] == pytest.approx(phi_1, abs=1e-12)
    assert result["revolute2.phi"][0] == pytest.approx(phi_2, abs=1e-12)


def test_every_model_of_the_file_is_built_or_names_what_is_missing(library):
    built = []
    for name in library.models:
        try:
            read(name, library)
        except (UnknownPartError, MissingFeatureError) as error:
            assert "uses " in str(error)
        else:
            built.append(name)
    assert len(built) >= 25
    assert {f"Modelica.Mechanics.{ELEMENTARY}.DoublePendulumInitTip"} <= set(built)


@pytest.mark.parametrize(
    ("name", "stop"),
    [
        ("Rotational.Examples.CoupledClutches", 1.5),
        ("Rotational.Examples.OneWayClutch", 2.0),
        ("Translational.Examples.Brake", 2.0),
        ("Translational.Examples.PreLoad", 10.0),
    ],
)
def test_models_of_friction_and_play_without_a_reference_agree_with_themselves(
    name, stop, library
):
    model = read(f"Modelica.Mechanics.{name}", library).model
    times = np.linspace(0.0, stop, 31)
    one, two = (
        model.simulate(
            stop, method=method, rtol=1e-10, solver=SolverOptions(atol=1e-10), output=times
        )
        for method in ("dop853", "bdf")
    )
    assert one.complete
    for state in one.state_names:
        scale = max(1e-3, float(np.ptp(one[state])))
        np.testing.assert_allclose(two[state], one[state], atol=1e-5 * scale)


def test_a_mode_that_is_another_is_told(library, references):
    reference = references.load("Rotational.Examples.Friction")
    runs = Runs(read(reference.model, library), reference)
    result = runs.simulate(TIGHT)
    seen = compare_modes(runs, result)
    assert seen.equal == seen.total == 2 * reference.time.size
    assert not seen.mismatches
    modes = dict(reference.modes)
    modes["clutch.mode"] = np.where(reference.time > 2.0, 1.0, modes["clutch.mode"])
    wrong = compare_modes(Runs(runs.reading, replace(reference, modes=modes)), result)
    late = int((reference.time > 2.0).sum())
    assert len(wrong.mismatches) in (late - 1, late)
    assert "clutch.mode = 0 at" in str(wrong.mismatches[-1])


def test_a_declared_value_of_a_model_is_a_signal(library):
    reading = read(f"{ELEMENTARY}.UserDefinedGravityField", library)
    result = reading.model.simulate(0.1)
    gravity = reading.signal(result, "gravity")
    np.testing.assert_array_equal(gravity, result["body.g_0"])
    assert gravity[0, 1] == pytest.approx(-9.780263581798753, rel=1e-14)


def test_a_loop_passes_its_dead_centre_where_the_reference_turns_back(library, references):
    reference = references.load("Test.MultiBody.Joints.JointUSP2")
    runs = Runs(read(reference.model, library), reference)
    result = runs.simulate(TIGHT)
    (event,) = result.events
    time = event.time
    assert "dead centre" in event.what and time == pytest.approx(0.675, abs=0.005)
    energy = result.energy()["total"]
    assert np.ptp(energy) < 1e-6 * np.abs(energy).max()
    # after its extreme the reference runs its way back, as a ball from a wall
    bounce = find_bounce(runs, time)
    assert bounce is not None
    assert bounce.at == pytest.approx(0.679, abs=1e-3)
    assert bounce.mirror < 2e-4
    assert bounce.through > 1e-2
    assert bounce.kinetic > 0.9
    assert bounce.is_proven(1e-3)
    assert not bounce.is_proven(1e-4)


def test_where_nothing_bounces_nothing_is_proven(library, references):
    reference = references.load("MultiBody.Examples.Loops.Fourbar1")
    runs = Runs(read(reference.model, library), reference)
    bounce = find_bounce(runs, 1.2)
    assert bounce is not None
    assert bounce.mirror > 0.1 and bounce.through < 1e-3
    assert not bounce.is_proven(1.0) and not bounce.is_proven(1e-3)
