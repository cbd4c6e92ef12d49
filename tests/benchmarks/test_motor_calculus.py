"""Motors cost no more operations than vectors: counts are exact, so they may not grow."""

import pytest

from benchmarks.motor_calculus import compare_body, count_operations, make_examples


@pytest.fixture(scope="module")
def examples():
    return make_examples()  # raises where the ways of deriving them disagree


def test_one_body_costs_in_motors_what_it_costs_in_vectors():
    assert compare_body() == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["trolley_pendulum", "spinning_wheel"])
def test_motors_cost_no_more_than_their_expansion_into_vectors(examples, name):
    counts = {way: count_operations(f) for way, f in examples[name].items()}
    assert counts["motors"] <= counts["expanded"]
    assert counts["compiled"] <= counts["newton_euler"]
