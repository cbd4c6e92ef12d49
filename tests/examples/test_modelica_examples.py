"""Modelica's examples as scripts: all are there, run, and move as Modelica's models do.

The reference results lie beside the repository; without them comparisons are skipped.
"""

from __future__ import annotations

import importlib.util
import json
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from motorik import Model, SolverOptions
from motorik.errors import AssemblyError
from motorik.exchange.modelica import EquationsLeftOut, load_library, read
from motorik.results import Result
from tests.test_docs import run_program
from tests.validation.seen import SEEN
from validation.deviation import differences
from validation.modelica import AMENDMENTS
from validation.reference import load_references
from validation.runs import TIGHT, Runs

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "examples" / "modelica").glob("*/*.py"))
FOLDER = ROOT.parent / "shared" / "reference" / "modelica"
PREFIX = "Modelica.Mechanics."
with_references = pytest.mark.skipif(
    not (FOLDER / "models.json").exists(),
    reason=f"the reference results of the Modelica Association are not in {FOLDER}",
)
# which have parts of their own kind: they are run and compared in every suite
QUICK = (
    *(
        "rotational/coupled_clutches",
        "rotational/lossy_gear_demo2",
        "rotational/heat_losses",
    ),
    *(
        "translational/friction",
        "translational/vehicle",
        "translational/eddy_current_brake",
    ),
    *("multibody/gyroscopic_effects", "multibody/three_springs", "multibody/surfaces"),
    *("multibody/rolling_wheel_set_pulling", "multibody/init_spring_constant"),
    "multibody/bevel_gear_1d",
)


def name_of(script: Path) -> str:
    """Return the folder and name of a script."""
    return f"{script.parent.name}/{script.stem}"


def plain(name: str) -> str:
    """Return a name of Modelica or Python without capitals and underscores."""
    return name.replace("_", "").lower()


def cases(scripts: list[Path]) -> list[Any]:
    """Return the scripts as cases of a test, most of them thorough."""
    marks = {True: [], False: [pytest.mark.thorough]}
    return [
        pytest.param(script, marks=marks[name_of(script) in QUICK], id=name_of(script))
        for script in scripts
    ]


def load(script: Path) -> ModuleType:
    """Import a script without running it."""
    spec = importlib.util.spec_from_file_location(f"example_{script.stem}", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def model_of(script: Path) -> Model:
    """Return the model that a script shows."""
    module = load(script)
    kinds = {plain(name): kind for name, kind in vars(module).items()}
    return kinds[plain(script.stem)]()


@pytest.mark.slow
@pytest.mark.parametrize("script", cases(SCRIPTS))
def test_a_script_runs_and_writes_what_it_says(script, tmp_path, monkeypatch, capsys):
    run_program(script, tmp_path, monkeypatch)
    assert capsys.readouterr().out.count("\n") >= 1
    said = set(re.findall(r"\w+\.png", script.read_text(encoding="utf-8")))
    written = {file.name for file in tmp_path.iterdir() if file.stat().st_size > 1000}
    assert written == said


def modelica_models() -> dict[str, str]:
    """Return the full names of Modelica's examples by folder and plain name."""
    names = [name for name in json.loads((FOLDER / "models.json").read_text("utf-8"))]
    found = {}
    for name in names:
        if "GenerationOfFMUs" in name or ".Utilities." in name or "SystemWith" in name:
            continue
        if name.startswith(PREFIX):
            folder, *_, last = name.removeprefix(PREFIX).split(".")
            found[f"{folder.lower()}/{plain(last)}"] = name
    return found


def test_the_index_of_examples_lists_every_script():
    folder = ROOT / "examples"
    index = (folder / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\((\S+\.py)\)", index))
    assert linked == {
        path.relative_to(folder).as_posix() for path in folder.glob("**/*.py")
    }


@with_references
def test_every_example_of_modelica_has_a_script():
    scripts = {f"{script.parent.name}/{plain(script.stem)}" for script in SCRIPTS}
    assert set(modelica_models()) - scripts == set()


@dataclass(frozen=True)
class Shown:
    """A model with the names of Modelica's variables, as `validation.runs` takes it."""

    model: Model
    renamed: dict[str, str]
    other_equations: int = 0

    def signal(self, result: Result, name: str) -> np.ndarray:
        """Return a variable over time."""
        return np.asarray(result[self.renamed.get(name, name)])


RENAMED = {  # variables of parts within parts, in models of the gallery
    "RobotR3.OneAxis": {
        "axis.gear.spring.phi_rel": "axis.spring.phi_rel",
        "axis.gear.spring.w_rel": "axis.spring.w_rel",
        "axis.initializeFlange.phi_flange": "load.phi",
        "axis.initializeFlange.w_flange": "load.w",
        "axis.gear.bearingFriction.mode": "axis.bearingFriction.mode",
    },
}


LARGEST = SEEN | {  # the largest deviation from the reference, part of a signal's range
    "MultiBody.Examples.Systems.RobotR3.OneAxis": 1e-6,
    "Rotational.Examples.LossyGearDemo1": 3e-6,
    "Rotational.Examples.LossyGearDemo3": 1.1e-8,
}


def compared() -> list[Path]:
    """Return the scripts whose model has a published trajectory."""
    if not (FOLDER / "manifest.json").exists():
        return []
    keys = {reference_key(key) for key in load_references(FOLDER).manifest}
    return [s for s in SCRIPTS if f"{s.parent.name}/{plain(s.stem)}" in keys]


def reference_key(key: str) -> str:
    """Return the folder and plain name of an entry of the manifest."""
    folder, *_, last = key.split(".")
    return f"{folder.lower()}/{plain(last)}"


@pytest.mark.slow
@with_references
@pytest.mark.parametrize("script", cases(compared()))
def test_a_script_follows_the_published_trajectory(script):
    references = load_references(FOLDER)
    wanted = f"{script.parent.name}/{plain(script.stem)}"
    key = next(key for key in references.manifest if reference_key(key) == wanted)
    reference = references.load(key)
    renamed = next((names for end, names in RENAMED.items() if key.endswith(end)), {})
    shown = Shown(model_of(script), renamed)
    if key in AMENDMENTS:
        AMENDMENTS[key].apply(shown)
    runs = Runs(shown, reference)
    found = differences(reference.time, reference.signals, runs.rows(runs.simulate(TIGHT)))
    largest = {name: float(np.abs(values).max()) for name, values in found.items()}
    assert max(largest.values()) <= LARGEST[key], largest


OWN = {  # which are not Modelica's models to the last number: see their docstrings
    *("multibody/bevelgear1d", "multibody/surfaces", "multibody/fullrobot"),
    *("rotational/eddycurrentbrake", "translational/eddycurrentbrake"),
}
TIMES = np.linspace(0.0, 0.5, 26)  # s


@pytest.mark.slow
@pytest.mark.thorough
@with_references
@pytest.mark.parametrize("script", [s for s in SCRIPTS if s not in compared()], ids=name_of)
def test_a_script_moves_as_the_model_read_from_modelica(script):
    name = f"{script.parent.name}/{plain(script.stem)}"
    if name in OWN:
        pytest.skip("the model differs from Modelica's as its docstring says")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = read(modelica_models()[name], load_library(FOLDER / "models.json")).model
    results = [
        one.simulate(0.5, output=TIMES, rtol=1e-10, solver=SolverOptions(atol=1e-10))
        for one in (model, model_of(script))
    ]
    shared = set(results[0].state_names) & set(results[1].state_names)
    assert shared
    for state in shared:
        ours, theirs = (np.asarray(result[state]) for result in results)
        scale = max(1.0, float(np.abs(theirs).max()))
        assert np.abs(ours - theirs).max() <= 1e-6 * scale, state


@with_references
def test_rotors_heavier_than_their_housing_are_refused_by_name():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EquationsLeftOut)
        name = modelica_models()["multibody/bevelgear1d"]
        model = read(name, load_library(FOLDER / "models.json")).model
    with pytest.raises(AssemblyError, match=r"a motion of revolute2\.w"):
        model.simulate(0.1)
