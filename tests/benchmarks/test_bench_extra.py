"""What the benchmarks import is what the extra `bench` installs."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OWN = {"benchmarks", "examples", "motorik", "validation"}
BUILD_ONLY = {"cmeel-eigen"}  # headers for the peers' programs in C++


def imported_packages() -> set[str]:
    """Return the packages that the benchmarks import, those asked for by `require` included.

    Imports below ``try: … except ImportError`` are of peers that another extra installs.
    """
    found: set[str] = set()
    for file in (ROOT / "benchmarks").rglob("*.py"):
        for node in walk_required(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.split(".")[0])
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "require":
                package = node.args[1]
                assert isinstance(package, ast.Constant)
                found.add(package.value)
    return {name for name in found if name not in {*OWN, *sys.stdlib_module_names}}


def walk_required(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes but the attempts that may end in an ImportError."""
    yield node
    for child in ast.iter_child_nodes(node):
        handlers = child.handlers if isinstance(child, ast.Try) else ()
        kinds = [ast.unparse(own.type) for own in handlers if own.type is not None]
        if "ImportError" not in kinds:
            yield from walk_required(child)


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


def test_attempts_to_import_are_left_out():
    text = "import a\ntry:\n    import b\nexcept ImportError:\n    pass\n"
    found = [n for n in walk_required(ast.parse(text)) if isinstance(n, ast.Import)]
    assert [node.names[0].name for node in found] == ["a"]
