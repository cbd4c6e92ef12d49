"""Annotations that say nothing: bare `Any` on parameters."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "motorik"
FILES = sorted(PACKAGE.rglob("*.py"))

MOST_ANY = 50  # parameters annotated as bare `Any`, in the whole package

Definition = ast.FunctionDef | ast.AsyncFunctionDef


def functions() -> Iterator[tuple[str, Definition]]:
    """Yield all functions with the package they are in."""
    for file in FILES:
        room = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, Definition):
                yield room, node


def test_parameters_have_a_kind():
    counts: Counter[str] = Counter()
    for room, node in functions():
        a = node.args
        given = (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg)
        notes = [p.annotation for p in given if p is not None and p.annotation is not None]
        counts[room] += sum(ast.unparse(note) == "Any" for note in notes)
    print(f"{counts.total()} parameters of any kind")
    assert counts.total() <= MOST_ANY, counts
