"""What the benchmarks import is what the extra `bench` installs."""

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OWN = {"benchmarks", "examples", "motorik", "validation"}
BUILD_ONLY = {"cmeel-eigen"}  # headers for the peers' programs in C++


def imported_packages() -> set[str]:
    """Return the packages that the benchmarks import, those asked for by `require` included."""
    found: set[str] = set()
    for file in (ROOT / "benchmarks").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.split(".")[0])
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "require":
                package = node.args[1]
                assert isinstance(package, ast.Constant)
                found.add(package.value)
    return {name for name in found if name not in {*OWN, *sys.stdlib_module_names}}


def listed(name: str, text: str) -> set[str]:
    """Return the packages of a list in pyproject.toml."""
    match = re.search(rf"^{name} = \[(.*?)\]$", text, re.DOTALL | re.MULTILINE)
    assert match is not None, name
    requirements = re.findall(r'"([^"]+)"', match[1])
    return {re.split(r"[<>=;\[ ]", requirement)[0] for requirement in requirements}


def test_the_extra_installs_what_the_benchmarks_import():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    always, extra = listed("dependencies", text), listed("bench", text)
    needed = imported_packages()
    assert needed - always == extra - BUILD_ONLY
    assert "numpy" in needed and "pin" in needed


def test_lists_are_read_as_they_are_written():
    text = 'dependencies = [\n    "a>=1",\n    "b[x]>=2; z",\n]\nbench = ["c>=3", "d"]\n'
    assert listed("dependencies", text) == {"a", "b"}
    assert listed("bench", text) == {"c", "d"}
    with pytest.raises(AssertionError, match="dev"):
        listed("dev", text)
