"""Checks: the contracts of motorik as tests that can be run on users' own joints."""

from motorik.checks.friction import check_friction
from motorik.checks.joint import check_joint

__all__ = ["check_friction", "check_joint"]


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
