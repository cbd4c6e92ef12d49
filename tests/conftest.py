"""Settings of all tests, and the choice among many cases of one law."""

import gc
import os
from collections.abc import Generator, Hashable, Iterator, Sequence

import pytest
from hypothesis import settings

# how long an example takes is the machine's affair: no test looks at the clock
settings.register_profile("motorik", deadline=None)
settings.load_profile("motorik")

# tests look at what models are made of, and some change the package: nothing is read from a store
os.environ.setdefault("MOTORIK_STORE", "0")


def pytest_collection_finish() -> None:
    """Let the collector of garbage leave alone what lives as long as the tests.

    Tracing equations makes many small objects; with the defaults of Python an eighth of all
    time goes into looking through them again and again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Iterator[None]:
    """Let it leave alone also what a file of tests leaves behind for good, such as caches."""
    yield
    if nextitem is not None and nextitem.path != item.path:
        gc.collect()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let every second worker read the tests from the last file to the first.

    In a new checkout each file is compiled, with its assertions rewritten, by the worker that comes
    to it first, and this takes most of the time of the collection.
    """
    report = yield
    if isinstance(collector, pytest.Directory) and number_of_worker(collector.config) % 2:
        report.result.reverse()
    return report


def number_of_worker(config: pytest.Config) -> int:
    """Return the number of this process among those that share the tests, 0 if there is one."""
    own = getattr(config, "workerinput", {"workerid": "gw0"})
    return int(own["workerid"].removeprefix("gw"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark cases that repeat what others try as thorough, in tests marked `kinds(count)`."""
    if hasattr(config, "workerinput"):  # all workers must name the tests in one order
        items.sort(key=lambda item: item.path.parts)
    families: dict[str, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("kinds"):
            families.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for family in families.values():
        mark = family[0].get_closest_marker("kinds")
        assert mark is not None
        kept = choose_kinds([case_of(item) for item in family], *mark.args)
        for number, item in enumerate(family):
            if number not in kept:
                item.add_marker(pytest.mark.slow)
                item.add_marker(pytest.mark.thorough)


def case_of(item: pytest.Function) -> set[tuple[str, Hashable]]:
    """Return the arguments of a case, each by its name and its value.

    Cases with one value share it; what has no hash is known by its identity.
    """
    return {
        (name, value if is_hashable(value) else id(value))
        for name, value in item.callspec.params.items()
    }


def is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def choose_kinds(cases: Sequence[set[tuple[str, Hashable]]], count: int = 0) -> set[int]:
    """Return the numbers of `count` cases that try as many values of all arguments as can be.

    The next is always the one with most values that are new. Without a count there are as many
    as it takes to try every value.
    """
    chosen: set[int] = set()
    tried: set[tuple[str, Hashable]] = set()
    left = list(range(len(cases)))
    while left and (len(chosen) < count if count else set().union(*cases) - tried):
        best = max(left, key=lambda number: len(cases[number] - tried))
        left.remove(best)
        chosen.add(best)
        tried |= cases[best]
    return chosen
