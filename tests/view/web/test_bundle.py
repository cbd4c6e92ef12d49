"""The committed bundles are what the sources of viewer and studio give; tools are pinned."""

import gzip
import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "src" / "motorik" / "view"
BUNDLES = {
    "viewer": [PAGES / "web" / "viewer" / "viewer.js"],
    "studio": [PAGES / "studio" / "page" / name for name in ("studio.js", "studio.css")],
}
LARGEST = {"viewer": 220_000, "studio": 350_000}  # bytes, compressed
both = pytest.mark.parametrize("name", BUNDLES)


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    """A copy of the sources, and a function that installs the tools that a lock file names."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("node is not installed: the bundles cannot be built anew here")
    place = tmp_path_factory.mktemp("motorik")
    for name, files in BUNDLES.items():
        shutil.copytree(
            ROOT / name, place / name, ignore=shutil.ignore_patterns("node_modules")
        )
        (place / files[0].relative_to(ROOT)).parent.mkdir(parents=True)

    @cache
    def installed(name: str) -> Path:
        done = run(npm, "ci", "--ignore-scripts", cwd=place / name)
        if done.returncode != 0:
            pytest.skip(f"the tools cannot be installed here: {done.stderr[-300:]}")
        return place / name

    return installed


@both
@pytest.mark.slow
def test_the_bundle_is_reproducible(workshop, name):
    place = workshop(name)
    made = run("npm", "run", "bundle", cwd=place)
    assert made.returncode == 0, made.stderr
    for file in BUNDLES[name]:
        again = place.parent / file.relative_to(ROOT)
        is_same = again.read_bytes() == file.read_bytes()  # a difference is not shown
        assert is_same, f"run `npm run bundle` in {name}/"


@both
@pytest.mark.slow
def test_types_and_format_are_right(workshop, name):
    checked = run("npm", "run", "check", cwd=workshop(name))
    assert checked.returncode == 0, checked.stdout + checked.stderr


@both
def test_the_lock_file_pins_every_tool_and_names_no_registry(name):
    lock = json.loads((ROOT / name / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert packages
    for one_name, one in packages.items():
        assert "resolved" not in one, one_name
        assert one["integrity"].startswith("sha512-"), one_name


@both
def test_versions_of_tools_are_exact(name):
    package = json.loads((ROOT / name / "package.json").read_text(encoding="utf-8"))
    for tool, version in package["devDependencies"].items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), tool


@both
def test_sources_set_no_html(name):
    sources = ROOT / name / "src"
    for file in (*sources.rglob("*.ts"), *sources.rglob("*.svelte")):
        text = file.read_text(encoding="utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|\{@html", text
        ), file
        assert text.startswith(("/**", "<!--")), f"{file} says what it is for"


@both
def test_the_bundle_is_small(name):
    packed = sum(len(gzip.compress(file.read_bytes(), 9)) for file in BUNDLES[name])
    assert packed < LARGEST[name]


def test_the_licences_of_what_is_bundled_are_in_the_bundle():
    text = BUNDLES["studio"][0].read_text(encoding="utf-8")
    for holder in ("Svelte Contributors", "three.js authors", "webkid", "Leon Sorokin"):
        assert holder in text, holder
