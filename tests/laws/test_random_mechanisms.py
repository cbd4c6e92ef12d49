"""Laws on random mechanisms: a few of each kind of ``python -m validation.fuzz``."""

from __future__ import annotations

import pytest

from validation.fuzz.kinds import KINDS, draw
from validation.fuzz.trial import Task, try_laws

SEED = 11
NUMBERS = 88  # to choose from, eight of a kind
CASES = 2  # of a kind, those of the fewest parts: large mechanisms are dear to compile


def task(number: int) -> Task:
    """Return the case of a number; every other one is of the order of one in SI units."""
    kind = list(KINDS)[number % len(KINDS)]
    return Task(kind, SEED, number, is_plain=number % 2 == 0, is_brief=True)


def chosen() -> list[Task]:
    """Return the cases to try: of each kind the smallest in units of their own and in SI."""
    found: list[Task] = []
    for kind in KINDS:
        own = [one for one in map(task, range(NUMBERS)) if one.kind == kind]
        own.sort(key=lambda one: len(draw(kind, SEED, one.number)[0].pieces))
        plain, scaled = (
            [one for one in own if one.is_plain is is_plain] for is_plain in (True, False)
        )
        found += [*plain[: CASES // 2], *scaled[: CASES - CASES // 2]]
    return found


@pytest.mark.kinds(5)
@pytest.mark.slow
@pytest.mark.parametrize("one", chosen(), ids=lambda one: f"{one.kind}-{one.number}")
def test_laws_hold_for_a_random_mechanism(one):
    # a case is drawn at a pose where it closes and moves: to refuse it is wrong as well
    found = try_laws(one)
    wrong = [outcome for outcome in found if outcome.verdict in ("fail", "refused")]
    assert found and not wrong, "\n".join(outcome.line() for outcome in wrong)


@pytest.mark.slow
def test_a_case_is_the_same_each_time():
    one, two = (try_laws(Task("ring", SEED, 3, ("complete", "start"))) for _ in "ab")
    assert [o.words for o in one] == [o.words for o in two]
