"""The size of things: files, functions, branches, and annotations that tell nothing.

Kernels are left out: they are compiled as one piece.
"""

import ast
import statistics
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "motorik"
FILES = sorted(PACKAGE.rglob("*.py"))

MEDIAN_FILE, LONGEST_FILE = 140, 400  # lines
LONGEST_FUNCTION, MOST_BRANCHES = 60, 15  # lines; McCabe's complexity
MOST_ANY = 50  # parameters annotated as bare `Any`, in the whole package

Definition = ast.FunctionDef | ast.AsyncFunctionDef
BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case)


def name_of(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


def count_lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def is_kernel(node: ast.AST) -> bool:
    if not isinstance(node, Definition):
        return False
    marks = (m.func if isinstance(m, ast.Call) else m for m in node.decorator_list)
    return any(ast.unparse(mark) == "kernel" for mark in marks)


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield what is in a function, but for kernels: these are compiled as one piece."""
    for node in ast.iter_child_nodes(function):
        if not is_kernel(node):
            yield node
            yield from own_nodes(node)


def length(node: ast.AST) -> int:
    assert isinstance(node, Definition) and node.end_lineno is not None
    first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
    return node.end_lineno - first + 1


def own_length(function: Definition) -> int:
    """Return the lines of a function without those of kernels in it."""
    inner = [function.body]
    kernels = 0
    while inner:
        for node in inner.pop():
            if is_kernel(node):
                kernels += length(node)
            elif isinstance(getattr(node, "body", None), list):
                inner.append(node.body)
    return function.end_lineno - function.lineno + 1 - kernels  # type: ignore[operator]


def complexity(function: Definition) -> int:
    """Return McCabe's count: one, and one for each statement where the way forks."""
    return 1 + sum(isinstance(node, BRANCHES) for node in own_nodes(function))


def functions() -> Iterator[tuple[str, Definition]]:
    """Yield all functions that are no kernels, with their names."""
    for file in FILES:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in own_nodes(tree):
            if isinstance(node, Definition):
                yield f"{name_of(file)}:{node.name}", node


def test_files_are_short():
    lines = {name_of(file): count_lines(file) for file in FILES}
    median = statistics.median(lines.values())
    print(f"{len(lines)} files, median {median:g} lines, longest {max(lines.values())}")
    assert median <= MEDIAN_FILE
    larger = {name: count for name, count in lines.items() if count > LONGEST_FILE}
    assert not larger


def test_functions_are_short():
    lines = {name: own_length(node) for name, node in functions()}
    print(f"{len(lines)} functions, longest {max(lines.values())} lines")
    larger = {name: count for name, count in lines.items() if count > LONGEST_FUNCTION}
    assert not larger


def test_functions_branch_little():
    branches = {name: complexity(node) for name, node in functions()}
    print(f"largest complexity {max(branches.values())}")
    assert not {name: count for name, count in branches.items() if count > MOST_BRANCHES}


def test_parameters_have_a_kind():
    counts: Counter[str] = Counter()
    for name, node in functions():
        a = node.args
        given = (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg)
        notes = [p.annotation for p in given if p is not None and p.annotation is not None]
        room = name.split(":")[0].split("/")[0].removesuffix(".py")
        counts[room] += sum(ast.unparse(note) == "Any" for note in notes)
    print(f"{counts.total()} parameters of any kind")
    assert counts.total() <= MOST_ANY, counts


@pytest.mark.parametrize(
    ("text", "lines", "branches"),
    [
        ("def f(x):\n    return x", 2, 1),
        ("def f(x):\n    if x and x:\n        return 1\n    return 2", 4, 2),
        ("def f(x):\n    @kernel\n    def g(y):\n        if y:\n            x()\n", 1, 1),
    ],
)
def test_the_measures_count_right(text, lines, branches):
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    assert (own_length(function), complexity(function)) == (lines, branches)
