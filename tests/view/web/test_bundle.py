"""The committed bundle is what the sources of the viewer give; its tools are pinned."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
VIEWER = ROOT / "viewer"
BUNDLE = ROOT / "src" / "motorik" / "view" / "web" / "viewer" / "viewer.js"


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    """A copy of the sources with the tools that the lock file names."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("node is not installed: the bundle cannot be built anew here")
    place = tmp_path_factory.mktemp("motorik") / "viewer"
    shutil.copytree(VIEWER, place, ignore=shutil.ignore_patterns("node_modules"))
    installed = run(npm, "ci", "--ignore-scripts", cwd=place)
    if installed.returncode != 0:
        pytest.skip(f"the tools cannot be installed here: {installed.stderr[-300:]}")
    (place.parent / "src" / "motorik" / "view" / "web" / "viewer").mkdir(parents=True)
    return place


@pytest.mark.slow
def test_the_bundle_is_reproducible(workshop):
    made = run("npm", "run", "bundle", cwd=workshop)
    assert made.returncode == 0, made.stderr
    again = workshop.parent / BUNDLE.relative_to(ROOT)
    assert again.read_bytes() == BUNDLE.read_bytes(), "run `npm run bundle` in viewer/"


@pytest.mark.slow
def test_types_and_format_are_right(workshop):
    checked = run("npm", "run", "check", cwd=workshop)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_lock_file_pins_every_tool_and_names_no_registry():
    lock = json.loads((VIEWER / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert packages
    for name, one in packages.items():
        assert "resolved" not in one, name
        assert one["integrity"].startswith("sha512-"), name


def test_versions_of_tools_are_exact():
    package = json.loads((VIEWER / "package.json").read_text(encoding="utf-8"))
    for name, version in package["devDependencies"].items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name


@pytest.mark.parametrize("file", sorted(VIEWER.glob("src/*.ts")), ids=lambda f: f.name)
def test_sources_set_no_html(file):
    text = file.read_text(encoding="utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text
    )
    assert text.startswith("/**"), "a file says what it is for"


def test_the_bundle_is_small():
    assert BUNDLE.stat().st_size < 800_000
