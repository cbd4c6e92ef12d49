"""Some cases of ``python -m validation.attack``."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from validation.attack.__main__ import main, table
from validation.attack.cases import ATTACKS, findings
from validation.attack.finding import Finding

SEED = 3
DEAR = (
    "live_loops",
)  # compile large models; the laws of live loops have tests of their own


#: Models of a case that are tried here, where each of them takes seconds.
FIRST = {"lift_offs": 3}


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("attack", [name for name in ATTACKS if name not in DEAR])
def test_random_models_obey_their_laws_at_default_options(attack, monkeypatch):
    whole = ATTACKS[attack]
    monkeypatch.setitem(ATTACKS, attack, lambda rng: islice(whole(rng), FIRST.get(attack)))
    found = findings((attack, SEED, 0))
    wrong = [f for f in found if f.verdict in ("wrong", "early")]
    assert found and not wrong, "\n".join(f"{f.law}: {f.detail} {f.early}" for f in wrong)


def test_wrong_and_early_runs_count_as_failures(monkeypatch, capsys):
    def attack(rng):
        yield Finding("closed form", 0.5)
        yield Finding("closed form", 3.0, "off")
        yield Finding("complete", early="t = 1 of 2 s: events follow one another")
        yield Finding("complete", early="t = 1 of 2 s: no solution (Painlevé)")

    monkeypatch.setitem(ATTACKS, "chains", attack)
    assert main(["--only", "chains", "--case", "0"]) == 1
    assert "2 passed, 2 failed" in capsys.readouterr().out
    lines = table([(("chains", 1, 0), f) for f in attack(None)]).splitlines()
    assert lines[1].split()[-5:] == ["2", "1", "0", "0", "3"]


@pytest.mark.thorough
@pytest.mark.slow
def test_the_command_runs_in_several_processes():
    command = [sys.executable, "-m", "validation.attack", "--only", "chains"]
    options = ["--seconds", "0.1", "--jobs", "2"]
    root = Path(__file__).parents[2]
    done = subprocess.run([*command, *options], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert " passed, 0 failed" in done.stdout
