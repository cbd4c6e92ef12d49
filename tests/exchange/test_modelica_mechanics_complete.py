"""Every class of Modelica.Mechanics has a part here, an example, and tests that use it.

The names are those of the packages of the Modelica Standard Library 4.1, without its base classes
and what is drawn by parameters of other parts. ``python -m scripts.mechanics_of_modelica``
prints them with the part and the files of its tests.
"""

from __future__ import annotations

import pytest

from scripts.mechanics_of_modelica import PACKAGES, TESTS_OF_ALL, files_using, part_of


@pytest.mark.parametrize("package", PACKAGES)
def test_every_class_has_a_part_and_a_test_that_uses_it(package):
    for name in PACKAGES[package].split():
        part = part_of(f"{package}.{name}")
        assert part is not None, f"{package}.{name} has no part"
        assert files_using(part) - TESTS_OF_ALL, (
            f"no test but those of all parts uses {part}"
        )
