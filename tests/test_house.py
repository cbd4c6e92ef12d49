"""Words and types of the source: retired words, repeated names, annotations that say nothing."""

import ast
from collections import Counter
from collections.abc import Iterator

from scripts import house, mutants
from tests.package_source import PACKAGE, statements_of, tree_of

FILES = sorted(PACKAGE.rglob("*.py"))

MOST_ANY = 50  # parameters annotated as bare `Any`, in the whole package

Definition = ast.FunctionDef | ast.AsyncFunctionDef


def functions() -> Iterator[tuple[str, Definition]]:
    """Yield all functions with the package they are in."""
    for file in FILES:
        room = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for node in statements_of(tree_of(file)):
            if isinstance(node, Definition):
                yield room, node


def test_parameters_have_a_kind():
    counts: Counter[str] = Counter()
    for room, node in functions():
        a = node.args
        given = (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg)
        notes = [p.annotation for p in given if p is not None and p.annotation is not None]
        counts[room] += sum(getattr(note, "id", "") == "Any" for note in notes)
    print(f"{counts.total()} parameters of any kind")
    assert counts.total() <= MOST_ANY, counts


def test_names_use_the_words_of_the_field():
    """NOTATION.md says what replaced a retired word."""
    assert not house.retired_names(), dict(house.retired_names())


def test_docstrings_name_the_thing():
    """No sentence begins with a free relative, as "What slips …"."""
    assert house.free_relatives() == []
    assert house.FREE_RELATIVE.findall(
        "What slips is held. It rests. Whatever rubs is hot."
    )


def test_docstrings_name_what_exists():
    """Classes and files that docstrings name are those of the package."""
    assert house.stale_names() == []
    assert house.FIRST_NAME.match("StartProblem: positions")
    assert house.QUOTED_NAME.findall("see `LineCell` and `line_cell.py`, not ``x = 1``")


def test_a_name_of_a_class_means_one_class():
    """Names repeat only behind public namespaces, as `rotational.Damper` and `kinds.Force`."""
    assert house.repeated_classes() == {}


def test_seeded_faults_fit_the_source():
    """Each fault of `scripts/mutants.py` stands in one file, and its tests exist."""
    for fault in mutants.FAULTS:
        changed = (mutants.SOURCE / fault.place()).read_text("utf-8")
        ast.parse(changed.replace(fault.old, fault.new))
        missing = [name for name in fault.likely if not (mutants.TESTS / name).exists()]
        assert not missing, (fault.name, missing)
