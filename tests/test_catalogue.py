"""The catalogue of parts is complete, and is what the declarations say."""

import re

import pytest

from scripts import make_catalogue
from scripts.make_catalogue import WINDOWS, examples_of, public_parts

PARTS = [(window, name) for window in WINDOWS for name in public_parts(window)]


@pytest.mark.parametrize(("window", "name"), PARTS, ids=[".".join(p) for p in PARTS])
def test_every_part_has_an_example_with_it(window, name):
    model = getattr(examples_of(window), name)()
    assert any(type(part) is public_parts(window)[name] for part in model.walk())


@pytest.mark.slow
@pytest.mark.parametrize("window", WINDOWS)
def test_the_page_is_what_the_declarations_say(window):
    page = make_catalogue.PAGES / f"{window}.md"
    assert page.read_text(encoding="utf-8") == make_catalogue.make_page(window), (
        "Run `python scripts/make_catalogue.py`."
    )


def test_the_index_names_every_part():
    index = (make_catalogue.PAGES / "README.md").read_text(encoding="utf-8")
    assert index == make_catalogue.make_index(), "Run `python scripts/make_catalogue.py`."


def test_the_dictionary_of_modelica_is_that_of_the_reader():
    page = (make_catalogue.PAGES / "modelica.md").read_text(encoding="utf-8")
    assert page == make_catalogue.make_dictionary(), (
        "Run `python scripts/make_catalogue.py`."
    )


def test_the_sheets_of_mobile_are_those_of_its_docstrings():
    page = (make_catalogue.PAGES / "mobile.md").read_text(encoding="utf-8")
    assert page == make_catalogue.make_sheets(), "Run `python scripts/make_catalogue.py`."


@pytest.mark.parametrize("window", WINDOWS)
def test_everything_has_a_meaning(window):
    page = make_catalogue.PAGES / f"{window}.md"
    bare = re.findall(r"^\| (`.*) \|  \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert bare == []


UNITS = {"phi": "rad", "w": "rad/s", "s": "m", "v": "m/s", "tau": "N·m"}


@pytest.mark.parametrize("window", ["rotational", "translational", "joints", "assemblies"])
def test_a_letter_has_one_unit(window):
    """phi, phi_rel and phi_a are angles, wherever they are shown as numbers."""
    page = (make_catalogue.PAGES / f"{window}.md").read_text(encoding="utf-8")
    letters = "|".join(UNITS)
    rows = re.findall(
        rf"^\| `({letters})(?:_(?!d`)\w+)?` \| (?!signal|rot|trans)([^|]*) \|", page, re.M
    )
    rows = [(letter, unit) for letter, unit in rows if unit.strip()]
    assert (
        rows and {(letter, unit) for letter, unit in rows if UNITS[letter] != unit} == set()
    )
