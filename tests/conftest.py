"""Settings of all tests."""

from hypothesis import settings

# how long an example takes is the machine's affair: no test looks at the clock
settings.register_profile("motorik", deadline=None)
settings.load_profile("motorik")
