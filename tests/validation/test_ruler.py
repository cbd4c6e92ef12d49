"""The command: reference results in a folder, made here from closed forms."""

from __future__ import annotations

import json

import numpy as np
import pytest

from motorik.errors import FileFormatError, UnknownNameError
from validation.modelica import main
from validation.reference import load_references, read_signals

LIBRARY = "Modelica.Mechanics.MultiBody"
FALL = {
    "components": [
        {"name": "world", "type": f"{LIBRARY}.World", "modifiers": {"g": "10"}},
        {
            "name": "mass",
            "type": f"{LIBRARY}.Parts.PointMass",
            "modifiers": {"v_0": {"start": "{2,0,0}", "fixed": "true"}},
        },
        {"name": "height", "type": "SI.Position", "value": "mass.r_0[2]"},
    ],
}
HANGING = {"components": [{"name": "s", "type": f"{LIBRARY}.Forces.Magnet"}]}


def write(folder, name, model, columns, time, tolerance=1e-6):
    manifest_file, models_file = folder / "manifest.json", folder / "models.json"
    manifest = json.loads(manifest_file.read_text()) if manifest_file.exists() else {}
    models = json.loads(models_file.read_text()) if models_file.exists() else {}
    manifest[name] = {
        "model": f"My.{name}",
        "start": 0.0,
        "stop": 1.0,
        "tolerance": tolerance,
        "signals": list(columns),
        "dymola": {"cpu_s": 0.5},
    }
    models[f"My.{name}"] = model
    manifest_file.write_text(json.dumps(manifest))
    models_file.write_text(json.dumps(models))
    header = ",".join(f'"{key}"' for key in ("time", *columns))
    table = np.column_stack([time, *columns.values()])
    np.savetxt(
        folder / f"{name}.csv",
        table,
        fmt="%.17g",
        delimiter=",",
        header=header,
        comments="",
    )


@pytest.fixture
def folder(tmp_path):
    t = np.sort(np.append(np.linspace(0, 1, 11), 0.5))
    good = {"mass.r_0[1]": 2 * t, "mass.r_0[2]": -5 * t**2, "height": -5 * t**2}
    write(tmp_path, "Tests.Fall", FALL, good, t)
    write(tmp_path, "Tests.Faster", FALL, good | {"height": -5.01 * t**2}, t)
    write(tmp_path, "Tests.Unseen", FALL, {"mass.temperature": t}, t)
    write(tmp_path, "Tests.Hanging", HANGING, {"s.f": t}, t)
    return tmp_path


def run(capsys, folder, *arguments):
    code = main(["--reference", str(folder), *arguments])
    out = capsys.readouterr()
    return code, out.out.splitlines(), out.err


def test_a_model_that_follows_the_closed_form_passes(folder, capsys):
    code, lines, _ = run(capsys, folder, "Fall")
    assert code == 0
    assert lines[0].startswith("pass  Tests.Fall")
    assert "Dymola  0.500 s" in lines[0]
    assert "mass no effect" in lines[0]
    assert "gravity " in lines[0] and "gravity no" not in lines[0]
    assert lines[-1] == "1 passed, 0 failed, 0 skipped"


def test_every_entry_is_judged_and_counted(folder, capsys):
    code, lines, _ = run(capsys, folder)
    assert code == 1
    verdicts = {line.split()[1]: line for line in lines[:4]}
    assert verdicts["Tests.Fall"].startswith("pass")
    assert verdicts["Tests.Faster"].startswith("fail")
    assert "height at" in verdicts["Tests.Faster"]
    assert "2.0e-03" in verdicts["Tests.Faster"]
    assert verdicts["Tests.Unseen"].startswith("fail")
    assert "mass.temperature" in verdicts["Tests.Unseen"]
    assert verdicts["Tests.Hanging"].startswith("skip")
    assert f"uses {LIBRARY}.Forces.Magnet" in verdicts["Tests.Hanging"]
    assert lines[-1] == "1 passed, 2 failed, 1 skipped"


@pytest.mark.slow
def test_the_limit_can_be_given(folder, capsys):
    assert run(capsys, folder, "--limit", "0.01", "Tests.Faster")[0] == 0
    assert run(capsys, folder, "--limit", "1e-17", "My.Tests.Fall")[0] == 1


def test_the_models_may_come_from_another_file(folder, capsys):
    other = folder / "others.json"
    models = json.loads((folder / "models.json").read_text())
    models["My.Tests.Fall"]["components"][0]["modifiers"]["g"] = "10.1"
    other.write_text(json.dumps(models))
    code, lines, _ = run(capsys, folder, "--models", str(other), "Fall")
    assert code == 1
    assert "  1.0e-02  " in lines[0]


def test_a_name_that_is_not_there_is_refused_with_a_hint(folder, capsys):
    code, _, error = run(capsys, folder, "Fal")
    assert code == 2
    assert "Did you mean 'Fall'" in error
    with pytest.raises(UnknownNameError):
        load_references(folder).find("Fal")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"time","a"\n0,1\n1,x\n', "could not convert"),
        ('"time","a"\n0,1\n1\n', "inhomogeneous"),
        ('"time","a"\n0,1\n1,nan\n', "finite numbers"),
        ('"time","a"\n1,1\n0,1\n', "times fall"),
        ("", "not enough values"),
    ],
)
def test_a_corrupt_table_is_refused_and_named(tmp_path, text, message):
    file = tmp_path / "x.csv"
    file.write_text(text)
    with pytest.raises(FileFormatError, match=message) as caught:
        read_signals(file)
    assert str(file) in str(caught.value)


def test_a_corrupt_manifest_is_refused_and_named(folder, capsys):
    manifest = folder / "manifest.json"
    manifest.write_text('{"Tests.Fall": {"model": "My.Tests.Fall"}}')
    code, _, error = run(capsys, folder)
    assert code == 2
    assert "manifest.json" in error
    assert "'Tests.Fall'" in error
    manifest.write_text("{")
    assert "line 1" in run(capsys, folder)[2]
    manifest.write_text("[]")
    assert "not an object" in run(capsys, folder)[2]


def test_a_signal_missing_from_the_table_is_named(folder, capsys):
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["Tests.Fall"]["signals"].append("mass.v_0[1]")
    (folder / "manifest.json").write_text(json.dumps(manifest))
    code, _, error = run(capsys, folder, "Fall")
    assert code == 2
    assert "mass.v_0[1]" in error
