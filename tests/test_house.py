"""Words and types of the source: retired words, repeated names, annotations that say nothing."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from scripts import house, mutants

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


def test_names_use_the_words_of_the_field():
    """NOTATION.md says what replaced a retired word."""
    assert not house.retired_names(), dict(house.retired_names())


def test_a_class_has_one_home():
    """Names repeat only behind public namespaces, as `rotational.Damper` and `kinds.Force`."""
    public = ("components.", "planar.", "mobile.", "algebra.", "model")
    for name, homes in house.repeated_classes().items():
        inner = [
            home for home in homes if not home.removeprefix("motorik.").startswith(public)
        ]
        assert not inner or name == "Scene", (name, homes)  # of MOBILE: mobile.Scene


def test_seeded_faults_fit_the_source():
    """Each fault of `scripts/mutants.py` stands in one file, and its tests exist."""
    for fault in mutants.FAULTS:
        changed = (mutants.SOURCE / fault.place()).read_text("utf-8")
        ast.parse(changed.replace(fault.old, fault.new))
        missing = [name for name in fault.likely if not (mutants.TESTS / name).exists()]
        assert not missing, (fault.name, missing)
