"""Laws on random mechanisms: some hundred of the cases of ``python -m validation.fuzz``."""

from __future__ import annotations

from collections import Counter

import pytest

from validation.fuzz.kinds import KINDS, draw
from validation.fuzz.trial import Task, try_laws

SEED = 11
NUMBERS = 330  # of cases to choose from
LARGE = 25  # parts from which a mechanism is dear to compile …
LARGE_EVERY = 8  # … and how many of these of a kind there are for one that is tried


def task(number: int) -> Task:
    """Return the case of a number; every other one is of the order of one in SI units."""
    kind = list(KINDS)[number % len(KINDS)]
    return Task(kind, SEED, number, is_plain=number % 2 == 0, is_brief=True)


def chosen() -> list[Task]:
    """Return the cases to try: all small ones, and a few of the large ones."""
    found, large = [], Counter[str]()
    for one in map(task, range(NUMBERS)):
        if len(draw(one.kind, SEED, one.number)[0].pieces) > LARGE:
            large[one.kind] += 1
            if large[one.kind] % LARGE_EVERY:
                continue
        found.append(one)
    return found


@pytest.mark.parametrize("one", chosen(), ids=lambda one: f"{one.kind}-{one.number}")
def test_laws_hold_for_a_random_mechanism(one):
    # a case is drawn at a pose where it closes and moves: to refuse it is wrong as well
    found = try_laws(one)
    wrong = [outcome for outcome in found if outcome.verdict in ("fail", "refused")]
    assert found and not wrong, "\n".join(outcome.line() for outcome in wrong)


def test_a_case_is_the_same_each_time():
    one, two = (try_laws(Task("ring", SEED, 3, ("complete", "start"))) for _ in "ab")
    assert [o.words for o in one] == [o.words for o in two]
