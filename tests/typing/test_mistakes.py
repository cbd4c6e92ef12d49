"""Editors find what users mistype: pyright in strict mode on mistakes, and on correct programs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"
WANTED = re.compile(r"  # (report\w+)$")


@cache
def reports() -> dict[str, dict[int, set[str]]]:
    """Return what pyright reports: rules by file and line."""
    program = shutil.which("pyright", path=str(Path(sys.executable).parent))
    program = program or shutil.which("pyright")
    if program is None:
        pytest.skip("pyright is not installed")
    settings = HERE / "pyrightconfig.json"
    found = subprocess.run(
        [program, "--outputjson", "--pythonpath", sys.executable, "-p", str(settings)],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        answer = json.loads(found.stdout)
    except ValueError:
        pytest.skip(f"pyright cannot run here: {(found.stderr or found.stdout)[:200]}")
    rules: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in answer["generalDiagnostics"]:
        line = one["range"]["start"]["line"] + 1
        rules[Path(one["file"]).name][line].add(one.get("rule", one["message"]))
    assert answer["summary"]["filesAnalyzed"] >= 2, answer
    return rules


def lines_of(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
def test_every_mistake_is_found_by_its_rule():
    wanted = {
        number: match[1]
        for number, line in enumerate(lines_of("mistakes.py"), start=1)
        if (match := WANTED.search(line))
    }
    assert len(wanted) >= 100
    found = reports()["mistakes.py"]
    missed = {n: rule for n, rule in wanted.items() if rule not in found.get(n, ())}
    assert not missed, [lines_of("mistakes.py")[n - 1] for n in missed]


@pytest.mark.slow
def test_nothing_else_is_reported_in_the_file_of_mistakes():
    text = lines_of("mistakes.py")
    others = [n for n in reports()["mistakes.py"] if not WANTED.search(text[n - 1])]
    assert not others, [(text[n - 1], reports()["mistakes.py"][n]) for n in others]


@pytest.mark.slow
def test_correct_programs_are_not_reported():
    text = lines_of("correct.py")
    found = reports()["correct.py"]
    assert not found, [(text[n - 1], rules) for n, rules in found.items()]


@pytest.mark.slow
def test_correct_programs_run():
    done = subprocess.run(
        [sys.executable, str(HERE / "correct.py")],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(SOURCE)},
    )
    assert done.returncode == 0, done.stderr
