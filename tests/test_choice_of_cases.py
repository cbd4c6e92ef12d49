"""Of many cases of one law those are tried that differ most."""

import pytest

from tests.conftest import case_of, choose_kinds

GRID = [{("method", m), ("model", k)} for m in range(3) for k in range(4)]


def test_every_value_is_tried_in_as_few_cases_as_the_longest_list_has_values():
    chosen = choose_kinds(GRID)
    assert set().union(*(GRID[number] for number in chosen)) == set().union(*GRID)
    assert len(chosen) == 4


def test_a_count_limits_the_cases_and_takes_those_that_differ():
    first, second = (GRID[number] for number in choose_kinds(GRID, 2))
    assert not first & second


def test_without_arguments_that_differ_the_first_cases_are_taken():
    assert choose_kinds([{("seed", k)} for k in range(5)], 2) == {0, 1}


def test_a_count_beyond_all_cases_takes_all():
    assert choose_kinds(GRID, 100) == set(range(12))


@pytest.mark.parametrize("other", [[1.0], [2.0]])
@pytest.mark.parametrize("one", ["a", "b"])
def test_cases_share_the_values_of_their_arguments(request, one, other):
    """Not the numbers that pytest gives to cases: these are all different."""
    assert case_of(request.node) == {("one", one), ("other", id(other))}
