"""Settings of all tests."""

import gc

from hypothesis import settings

# how long an example takes is the machine's affair: no test looks at the clock
settings.register_profile("motorik", deadline=None)
settings.load_profile("motorik")


def pytest_collection_finish() -> None:
    """Let the collector of garbage leave alone what lives as long as the tests.

    Tracing equations makes many small objects; with the defaults of Python an eighth of all
    time goes into looking through them again and again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
