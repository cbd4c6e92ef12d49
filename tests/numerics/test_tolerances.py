"""The table of tolerances: every entry says what it is relative to, and is used."""

import ast
import re
from pathlib import Path

import motorik
from motorik.numerics import tolerances

PACKAGE = Path(motorik.__file__).parent
BODY = ast.parse(Path(tolerances.__file__).read_text("utf-8")).body


def test_every_entry_is_explained():
    for entry, text in zip(BODY, [*BODY[1:], None], strict=True):
        if isinstance(entry, ast.Assign):
            assert isinstance(text, ast.Expr), ast.unparse(entry)
            assert isinstance(text.value, ast.Constant), ast.unparse(entry)


def test_every_entry_is_used():
    own = Path(tolerances.__file__)
    words: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        if path != own:
            words |= set(re.findall(r"\b[A-Z][A-Z_]+\b", path.read_text("utf-8")))
    inside = re.findall(r"= .*\b([A-Z][A-Z_]+)\b", own.read_text("utf-8"))
    names = {ast.unparse(node.targets[0]) for node in BODY if isinstance(node, ast.Assign)}
    assert names <= words | set(inside)


def test_rounding_is_a_multiple_of_the_machine_epsilon():
    assert 1.0 + tolerances.EPSILON > 1.0 == 1.0 + 0.5 * tolerances.EPSILON
    assert tolerances.ROUNDING == 64.0 * tolerances.EPSILON
