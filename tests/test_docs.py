"""What the documents show is true: doctests, code blocks and examples all run."""

import doctest
import importlib
import linecache
import pkgutil
import re
import runpy
from pathlib import Path

import matplotlib.pyplot
import pytest

import motorik
from motorik.view.render import animate

ROOT = Path(__file__).parents[1]
MODULES = [
    "motorik",
    *(m.name for m in pkgutil.walk_packages(motorik.__path__, "motorik.")),
]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
RECIPES = ("CONTRIBUTING.md",)  # which `test_recipes` follows in a copy of the package
MOMENTS = animate.moments
EXAMPLES = sorted(ROOT.glob("examples/*.py"))

ROOMS = sorted({".".join(name.split(".")[:2]) for name in MODULES})


def skip_without_extra(text: str) -> None:
    """Skip what needs a package of an extra that is not installed."""
    if "motorik.learning" in text:
        pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    if "import control" in text:
        pytest.importorskip("control", reason="python-control is not installed")


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_doctests_hold(room, monkeypatch):
    # for each docstring doctest asks the disk about every file whose lines anyone has read
    monkeypatch.setattr(linecache, "checkcache", lambda filename=None: None)
    own = [name for name in MODULES if f"{name}.".startswith(f"{room}.")]
    if room == "motorik":
        own = [room]
    skip_without_extra(room)
    failed = [name for name in own if doctest.testmod(importlib.import_module(name)).failed]
    assert failed == []


def run_program(program, folder, monkeypatch):
    """Run a program as its user would, in a folder of its own and without a window.

    Of its movies only every tenth picture is drawn, and figures have few pixels.
    """
    monkeypatch.chdir(folder)
    monkeypatch.setattr(animate, "moments", lambda *given: MOMENTS(*given)[::10])
    monkeypatch.setattr("sys.argv", [str(program)])
    with matplotlib.rc_context({"backend": "Agg", "figure.dpi": 40}):
        try:
            runpy.run_path(str(program), run_name="__main__")
        finally:
            matplotlib.pyplot.close("all")


def code_blocks(document):
    text = document.read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize(
    "document",
    [d for d in DOCUMENTS if code_blocks(d) and d.name not in RECIPES],
    ids=lambda path: path.name,
)
def test_code_blocks_run_one_after_another(document, tmp_path, monkeypatch):
    program = tmp_path / "blocks.py"
    program.write_text("\n".join(code_blocks(document)), encoding="utf-8")
    run_program(program, tmp_path, monkeypatch)


LONG = (  # which run what others run as well, and take longest
    *("brake_four_bar.py", "double_wishbone.py", "loops_engine.py", "loops_gallery.py"),
    *("loops_suspension.py", "planar_seven_body.py", "robot_r3.py"),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "example",
    [
        pytest.param(path, marks=[pytest.mark.thorough] * (path.name in LONG))
        for path in EXAMPLES
    ],
    ids=lambda path: path.name,
)
def test_examples_run_and_write_what_they_say(example, tmp_path, monkeypatch):
    skip_without_extra(example.read_text(encoding="utf-8"))
    run_program(example, tmp_path, monkeypatch)
    said = set(re.findall(r"\w+\.(?:png|gif|csv|nc)", example.read_text(encoding="utf-8")))
    written = {file.name for file in tmp_path.iterdir() if file.stat().st_size > 1000}
    assert written == said


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_documents_point_to_files_that_exist(document):
    text = document.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    local = [link for link in links if "://" not in link]
    missing = [link for link in local if not (document.parent / link).exists()]
    assert missing == []


def test_the_pipeline_runs_the_test_command_of_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    _, tests = re.findall(r"^```sh\n(.*?)\n```", readme, re.MULTILINE | re.DOTALL)
    assert tests in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
